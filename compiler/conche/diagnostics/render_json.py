"""Renders diagnostics as JSON.

Purpose: the machine-readable form, for editors and scripts (`--format json`).
Input: diagnostics. Output: one JSON document, sorted and without duplicates:

    {"conche": 1,
     "diagnostics": [
       {"code": "C0212", "name": "conflict", "severity": "error" | "warning" | "note", "title": "…",
        "labels": [{"span": SPAN, "text": "…", "primary": true}, …],
        "notes": ["…"], "help": ["…"],
        "fixes": [{"span": SPAN, "replacement": "…", "text": "…", "safe": true}, …]}, …]}

    SPAN = {"file": "…", "start": 0, "end": 4, "line": 1, "column": 1, "end_line": 1, "end_column": 5}

Offsets count characters (code points) of the file's text after line ends became `\\n`; lines and columns
count from 1; ends are exclusive. `name` is null for a code without a registry entry.
All fixes of a finding are to be made together; with `"safe": false` they are a proposal.
Invariant: `conche` goes up when the meaning of a field changes; new fields may appear without that.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from conche.diagnostics.codes import CODES
from conche.diagnostics.model import Diagnostic, in_order

SCHEMA = 1


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """The document as text, indented, with a line end at its end."""
    return json.dumps(to_json(diagnostics), ensure_ascii=False, indent=2) + "\n"


def to_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The document as plain data."""
    return {
        "conche": SCHEMA,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in in_order(diagnostics)],
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    code = CODES.get(diagnostic.code)
    return {
        "code": diagnostic.code,
        "name": code.name if code else None,
        "severity": diagnostic.severity.value,
        "title": diagnostic.title,
        "labels": [asdict(label) for label in diagnostic.labels],
        "notes": list(diagnostic.notes),
        "help": list(diagnostic.help),
        "fixes": [asdict(fix) for fix in diagnostic.fixes],
    }
