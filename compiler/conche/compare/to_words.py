"""Sentences that several outputs share.

Input: a comparison or its parts. Output: sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conche.compare.balance import Balance
from conche.compare.model import Comparison, Kind, Sameness
from conche.compare.witness.model import Differs, Search, Witness
from conche.diagnostics.lists import counted

if TYPE_CHECKING:
    from conche.simulate.statistics import Estimate

_DIFFERS = {
    Differs.SETUP: "the set-up differs",
    Differs.MOVES: "the legal moves differ",
    Differs.EFFECTS: "the effects of a move differ",
    Differs.SCORES: "the scores differ",
    Differs.RULES: "the rules of one side fail",
}


def summary(found: Comparison) -> str:
    """What was found, in one line."""
    played = [change for change in found.changes if change.kind is not Kind.CLAUSE]
    worded = len(found.changes) - len(played)
    match found.sameness:
        case Sameness.EQUAL if not found.changes:
            return f"equal: both have the canonical form {found.new.digest[:16]}"
        case Sameness.EQUAL:
            counts = ((len(played), "of what is offered"), (worded, "of wording"))
            more = ", ".join(f"{counted(number, 'change')} {what}" for number, what in counts if number)
            return f"equal in play: both have the canonical form {found.new.digest[:16]}; {more}"
        case Sameness.RENAMED:
            more = f", {counted(worded, 'change')} of wording" if worded else ""
            names = counted(len(played), "change")
            return f"equal but for names: in the new names both have one canonical form; {names}{more}"
        case Sameness.DIFFERENT:
            groups = len({change.group for change in played})
            more = f", {worded} of wording" if worded else ""
            return f"different: {counted(len(played), 'change')} in {counted(groups, 'group')}{more}"


_MOST_IDS = 6


def many_groups(found: Comparison) -> bool:
    """Whether the changes of play are in several groups, so that it must be said which is in which."""
    return len({change.group for change in found.changes if change.kind is not Kind.CLAUSE}) > 1


def _group(found: Comparison, number: int) -> str:
    """A group by its number and its changes."""
    ids = [change.id for change in found.changes if change.group == number]
    more = len(ids) - _MOST_IDS
    named = ", ".join(ids[:_MOST_IDS]) + (f" and {more} more" if more > 0 else "")
    return f"group {number} ({named})"


def witness_title(witness: Witness, found: Comparison) -> str:
    sides = "with this group of changes alone" if witness.alone else "both versions"
    return (
        f"witness for {_group(found, witness.group)}: {_DIFFERS[witness.differs]} after"
        f" {counted(len(witness.moves), 'move')}, {witness.players} players, seed {witness.seed} ({sides})"
    )


def move_texts(witness: Witness) -> list[str]:
    """Each move: who, which decision, with what."""
    return [
        f"{witness.seats[move.player]}  {move.name}  {said}".rstrip()
        for move, said in zip(witness.moves, witness.said, strict=True)
    ]


def balance_title(found: Balance) -> str:
    """What the figures are of."""
    failed = f", {counted(found.failed, 'pair')} left out because the rules fail" if found.failed else ""
    last = found.seed + found.games - 1
    return (
        f"{counted(found.games, 'game')} of each version, {found.players} players who choose at random,"
        f" seeds {found.seed} to {last}{failed}"
    )


def figure(one: Estimate, digits: int = 2) -> str:
    margin = "" if one.margin is None else f" ± {one.margin:.{digits}f}"
    return f"{one.mean:.{digits}f}{margin}"


def share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def searched(search: Search, found: Comparison) -> str:
    """How much was looked at; never that there is no difference."""
    done = f"searched {counted(search.positions, 'position')} in {counted(search.games, 'game')}"
    done += f", of at most {search.budget}"
    if not search.missing:
        return done
    groups = ", ".join(_group(found, number) for number in search.missing)
    return f"{done}; no difference seen for {groups}, which does not show that there is none"
