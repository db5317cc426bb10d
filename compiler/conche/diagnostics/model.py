"""What a finding is: the one model that every renderer shows.

Purpose: the record of a mistake or remark, with the places it concerns and what to do about it.
Input: none. Output: `Diagnostic` and its parts.
Invariants: plain frozen values that hold no source text; a renderer looks the text up. A title is one
impersonal sentence without a full stop that quotes the user's names; labels, notes and help likewise.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from conche.span import Span


class Severity(StrEnum):
    """How much a finding matters: only an error stops the compiler."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A place that a finding concerns. Primary: where the mistake is; otherwise a place that explains it."""

    span: Span
    text: str = ""
    primary: bool = True


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that a tool can apply: put `replacement` in place of `span`. `text` says it in words.

    The fixes of one finding belong together: all of them mend it. `safe`: what was meant is plain, so that
    the change may be made unseen; otherwise it is a proposal, such as a number that only the author knows.
    """

    span: Span
    replacement: str
    text: str
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is a key of `conche.diagnostics.codes.CODES`; `codes.diagnose` makes one."""

    code: str
    severity: Severity
    title: str
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    missing: str | None = None
    """Of a finding that one mistake may bring up in many places: what the mistake is, such as the name that
    stands for nothing."""

    @property
    def mendable(self) -> bool:
        """Whether a tool may mend this unseen."""
        return bool(self.fixes) and all(fix.safe for fix in self.fixes)

    @property
    def main(self) -> Label | None:
        """The label that says where this is: the first primary one, else the first; None without labels."""
        return next(
            (label for label in self.labels if label.primary), self.labels[0] if self.labels else None
        )


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings by file and place, each once; those that have no place come first."""
    return sorted(dict.fromkeys(diagnostics), key=_key)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of the findings is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def _key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str, str]:
    main = diagnostic.main
    place = (main.span.file, main.span.start, main.span.end) if main else ("", -1, -1)
    # `repr` settles what is left, so that the order never depends on who found it first.
    return (*place, diagnostic.code, diagnostic.title, repr(diagnostic))
