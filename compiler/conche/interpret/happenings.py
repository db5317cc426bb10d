"""What a trigger catches of what a statement brought about.

Input: a trigger and a happening. Output: the values of the trigger's locals, or None.
"""

from __future__ import annotations

from conche.interpret.execute import Entered, Happening
from conche.interpret.position import Value
from conche.semantics.rulebook import OnEnter, OnGain, Trigger


def caught(trigger: Trigger, happening: Happening) -> tuple[Value, ...] | None:
    """The values of the trigger's locals when that concerns it, else None."""
    match trigger.event, happening:
        case OnEnter(kinds=kinds, zones=zones, boards=boards), Entered(place=place, kind=kind, space=space):
            if kind not in kinds:
                return None
            if space is None:
                return (kind,) if place in zones else None
            return (space,) if place in boards else None
        case OnGain(var=var, zone=zone, kind=wanted), _ if not isinstance(happening, Entered):
            if happening.kind is None:
                fits = happening.name == var
            else:
                fits = happening.name == zone and wanted in (None, happening.kind)
            return (happening.seat, happening.amount) if fits else None
        case _:
            return None
