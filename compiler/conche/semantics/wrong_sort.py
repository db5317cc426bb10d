"""What may be meant where a value is of another sort than is wanted.

Purpose: the help of wrong types.
Input: the type that is wanted and the one that is found. Output: a sentence, or None where nothing plain is
meant.
"""

from __future__ import annotations

from conche.semantics.types import Flag, Int, KindT, ListT, Maybe, PlayerT, SetT, SpaceT, Type


def hint_for(wanted: Type, found: Type) -> str | None:
    """How the one is made of the other."""
    match wanted, found:
        case Int(), Flag():
            return "`if … then 1 else 0` makes a number of a condition"
        case Int(), SetT() | ListT():
            return "`count(…)` is how many there are"
        case Flag(), Int():
            return "compare the number, as in `… > 0`"
        case Flag(), SetT() | ListT():
            return "ask `… is not empty`"
        case Flag(), Maybe():
            return "ask `… != nothing`"
        case PlayerT(), SpaceT():
            return "the player whose piece lies on a space `s` is `s.owner`"
        case KindT(), SpaceT():
            return "the kind of what lies on a space `s` is `kind(s)`"
        case SetT() | ListT(), Int():
            return HINT_FOR_SETS
        case _:
            return None


HINT_FOR_SETS = "the numbers up to it are `1..n`; something is done n times by `repeat n times`"
"""What is meant by a number where a set is needed."""
