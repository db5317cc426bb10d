"""Every diagnostic code, and `diagnose`, which makes a diagnostic of one.

Purpose: the registry that keeps codes stable and documented.
Input: none. Output: `CODES`.
Invariants: a code keeps its meaning for ever; a dropped one is not given out again. Each has an explain page
and a failing and a passing test. Add a code to the list of its range, in order.

    C00xx  files, and use of the tool
    C01xx  syntax
    C02xx  names, types, modules
    C03xx  checks of the action graph
    C04xx  scenarios
    C05xx  run time, records, saves
"""

from collections.abc import Iterable
from dataclasses import dataclass

from conche.diagnostics.model import Diagnostic, Fix, Label, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding."""

    code: str
    name: str
    """What it is called in words, `lower-case-with-hyphens`."""
    severity: Severity
    summary: str
    """One sentence: what is wrong when this is reported."""


_FILES = [
    Code("C0001", "missing-file", _E, "A file that was named does not exist."),
    Code("C0002", "not-a-file", _E, "A folder, pipe or device was named where a rules file is needed."),
    Code("C0003", "unreadable-file", _E, "The system refuses to read a file."),
    Code("C0004", "not-utf8", _E, "A rules file is not UTF-8 text."),
    Code("C0005", "binary-file", _E, "A file holds NUL bytes, so it is no text."),
    Code("C0006", "file-too-large", _E, "A rules file is larger than 1 MiB."),
]

_SYNTAX: list[Code] = []

_NAMES_TYPES_MODULES: list[Code] = []

_GRAPH: list[Code] = []

_SCENARIOS: list[Code] = []

_RUNTIME: list[Code] = []

RANGES: dict[str, list[Code]] = {
    "C00": _FILES,
    "C01": _SYNTAX,
    "C02": _NAMES_TYPES_MODULES,
    "C03": _GRAPH,
    "C04": _SCENARIOS,
    "C05": _RUNTIME,
}

CODES: dict[str, Code] = {code.code: code for codes in RANGES.values() for code in codes}


def diagnose(
    code: str,
    title: str,
    *labels: Label,
    notes: Iterable[str] = (),
    help: Iterable[str] = (),
    fixes: Iterable[Fix] = (),
) -> Diagnostic:
    """A diagnostic with the severity of its registered code. An unregistered code is our bug: `KeyError`."""
    return Diagnostic(code, CODES[code].severity, title, labels, tuple(notes), tuple(help), tuple(fixes))
