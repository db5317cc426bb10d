"""Applies what findings propose to the texts that they speak of.

Purpose: `conche check --fix`, and editors.
Input: findings, and the texts by the file names of their spans. Output: the texts that changed, and which
findings they come of.
Invariants: all fixes of a finding are made or none; only of findings that are `mendable`, unless proposals
are asked for; no two changes touch, so that the order of the findings decides nothing but which of two that
touch waits for the next time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from conche.diagnostics.model import Diagnostic, Fix, in_order


@dataclass(frozen=True, slots=True)
class Applied:
    """`texts`: the changed ones, by file. `mended`: the findings whose fixes were made, in order."""

    texts: Mapping[str, str]
    mended: tuple[Diagnostic, ...]


def apply_fixes(
    diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], *, proposals: bool = False
) -> Applied:
    """Makes all the fixes that can be made at once. A finding about a file that is not in `texts` is left.

    `proposals`: also those that only the author may make. While a part of the rules cannot be read, names
    that stand for nothing are left: they may be declared there.
    """
    chosen: list[Fix] = []
    mended: list[Diagnostic] = []
    findings = in_order(diagnostics)
    unread = any(finding.code.startswith("C01") for finding in findings)
    for finding in findings:
        if unread and finding.missing is not None and not proposals:
            continue
        if not (finding.mendable or (proposals and finding.fixes)) or any(
            fix.span.file not in texts for fix in finding.fixes
        ):
            continue
        if any(_touch(fix, other) for fix in finding.fixes for other in chosen):
            continue
        chosen += finding.fixes
        mended.append(finding)
    changed: dict[str, str] = {}
    for fix in sorted(chosen, key=lambda fix: fix.span, reverse=True):
        text = changed.get(fix.span.file, texts[fix.span.file])
        changed[fix.span.file] = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    return Applied(changed, tuple(mended))


def _touch(one: Fix, other: Fix) -> bool:
    """Whether two changes overlap or meet, so that what they make together is not what either makes."""
    a, b = one.span, other.span
    return a.file == b.file and a.start <= b.end and b.start <= a.end
