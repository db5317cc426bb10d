"""Renders diagnostics as SARIF 2.1.0, the form in which code hosts and editors take findings of tools.

Purpose: `--format sarif`.
Input: diagnostics; where each file of theirs lies. Output: one JSON document.
Invariants: sorted and without duplicates; no time, machine or absolute place in it for files below the
folder that `root` names. Regions count characters from 1 and end behind the last one, like spans. Fixes are
those that may be made unseen.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from conche.diagnostics.codes import CODES
from conche.diagnostics.model import Diagnostic, Label, in_order
from conche.diagnostics.pages import page_of

if TYPE_CHECKING:
    from conche.source import Span

VERSION = "2.1.0"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(
    diagnostics: Iterable[Diagnostic], paths: Mapping[str, str], *, root: Path, version: str
) -> str:
    """The document as text.

    `paths`: where a file lies, by the name that spans call it; `root`: the folder that places are relative
    to; `version`: of the tool.
    """
    document = to_sarif(diagnostics, paths, root=root, version=version)
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def to_sarif(
    diagnostics: Iterable[Diagnostic], paths: Mapping[str, str], *, root: Path, version: str
) -> dict[str, Any]:
    """The document as plain data."""
    found = in_order(diagnostics)
    codes = sorted({finding.code for finding in found})
    uris = _Uris(paths, root)
    return {
        "$schema": _SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "conche",
                        "semanticVersion": version,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, codes.index(finding.code), uris) for finding in found],
            }
        ],
    }


class _Uris:
    """The places of files as URIs."""

    def __init__(self, paths: Mapping[str, str], root: Path) -> None:
        self._paths, self._root = paths, root

    def location(self, file: str) -> dict[str, Any]:
        path = Path(self._paths.get(file, file))
        if not path.is_absolute():
            return {"uri": quote(path.as_posix())}
        if path.is_relative_to(self._root):
            return {"uri": quote(path.relative_to(self._root).as_posix())}
        return {"uri": path.as_uri()}

    def place(self, span: "Span") -> dict[str, Any]:
        return {"artifactLocation": self.location(span.file), "region": _region(span)}


def _rule(code: str) -> dict[str, Any]:
    known = CODES[code]
    rule: dict[str, Any] = {
        "id": code,
        "name": "".join(part.capitalize() for part in known.name.split("-")),
        "shortDescription": {"text": known.summary},
        "defaultConfiguration": {"level": known.severity.value},
    }
    page = page_of(code)
    if page is not None:
        rule["help"] = {"text": page, "markdown": page}
    return rule


def _result(finding: Diagnostic, index: int, uris: _Uris) -> dict[str, Any]:
    main = finding.main
    remarks = (*finding.notes, *(f"help: {text}" for text in finding.help))
    remarks += tuple(f"help: {fix.text}" for fix in finding.fixes)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": "\n".join([finding.title, *dict.fromkeys(remarks)])},
    }
    if main is not None:
        result["locations"] = [_location(main, uris)]
    others = [label for label in finding.labels if label is not main]
    if others:
        result["relatedLocations"] = [
            {"id": number, **_location(label, uris)} for number, label in enumerate(others, 1)
        ]
    if finding.mendable:
        result["fixes"] = [_fix(finding, uris)]
    return result


def _location(label: Label, uris: _Uris) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": uris.place(label.span)}
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _fix(finding: Diagnostic, uris: _Uris) -> dict[str, Any]:
    """All fixes of a finding as one."""
    files = dict.fromkeys(fix.span.file for fix in finding.fixes)
    return {
        "description": {"text": ", ".join(dict.fromkeys(fix.text for fix in finding.fixes))},
        "artifactChanges": [
            {
                "artifactLocation": uris.location(file),
                "replacements": [
                    {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
                    for fix in finding.fixes
                    if fix.span.file == file
                ],
            }
            for file in files
        ],
    }


def _region(span: "Span") -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
