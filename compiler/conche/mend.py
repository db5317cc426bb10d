"""Mends rules: makes the changes that findings propose, and checks again, until there are none left.

Purpose: `conche check --fix`.
Input: names of rulesets. Output: the texts as they would be; nothing is written.
Invariants: only changes that are safe to make unseen, unless others are asked for;
it ends, also where one change would undo another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from conche.diagnostics.apply_fixes import apply_fixes
from conche.diagnostics.model import Diagnostic
from conche.pipeline import check
from conche.source import Source


@dataclass(slots=True)
class Mended:
    """By absolute path, `texts`: of the files that change; `before`: as they were, and of others too.

    `made`: the findings whose changes were made, in that order; the places of later ones are those in the
    text as it was then.
    """

    before: dict[str, Source] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    made: list[Diagnostic] = field(default_factory=list)


def mend(
    rulesets: Iterable[str], texts: Mapping[str, str] | None = None, *, proposals: bool = False
) -> Mended:
    """Mends the files of all these rulesets; a file that several of them have is mended for each in turn.

    `texts`: by absolute path, what is read in place of what a file says. `proposals`: also makes the changes
    of which only the author can say whether they are right.
    """
    mended = Mended()
    given = texts or {}
    for ruleset in rulesets:
        known = [dict(mended.texts)]
        made = [len(mended.made)]
        while _once(ruleset, mended, given, proposals):
            if mended.texts in known:
                # Changes that undo each other are as good as none.
                del mended.made[made[known.index(mended.texts)] :]
                break
            known.append(dict(mended.texts))
            made.append(len(mended.made))
    return mended


def _once(ruleset: str, mended: Mended, given: Mapping[str, str], proposals: bool) -> bool:
    """Makes the changes that one check proposes; whether there were any."""
    checked = check(ruleset, {**given, **mended.texts})
    sources: Mapping[str, Source] = {
        name: checked.sources[name] for name in checked.paths if name in checked.sources
    }
    applied = apply_fixes(
        checked.diagnostics, {name: source.text for name, source in sources.items()}, proposals=proposals
    )
    for name, text in applied.texts.items():
        path = checked.paths[name]
        before = mended.before.setdefault(path, sources[name])
        mended.texts[path] = text
        if before.text == text:
            del mended.texts[path]
    mended.made += applied.mended
    return bool(applied.mended)
