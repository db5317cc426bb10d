"""What is read from saves, taken one by one and checked: values, who knows and who is out, and what several
have chosen at once.

Loading believes nothing: what a state cannot hold is a `SaveError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conche_runtime.codecs import UNSET, Codec
from conche_runtime.errors import IllegalMove, SaveError
from conche_runtime.faults import Fault
from conche_runtime.layout import AtOnce, Game, Zone
from conche_runtime.seats import still_in
from conche_runtime.several import SEVERAL, counts

if TYPE_CHECKING:
    from conche_runtime.state import EngineState


class Values:
    """The slots of a save. `slots`: those that have not been taken."""

    def __init__(self, game: Game, saved: dict[str, Any]) -> None:
        self.game = game
        self.saved = saved
        self.slots: dict[str, Any] = {}

    def fail(self, what: str) -> SaveError:
        return SaveError(f"this save was edited or damaged: {what}")

    def take(self, name: str) -> Any:
        if name not in self.slots:
            raise self.fail(f"'{name}' is missing")
        return self.slots.pop(name)

    def value(self, name: str, value: Any, codec: Codec) -> Any:
        code = tuple(value) if isinstance(value, list) else value
        try:
            fits = (type(code) is int and code == UNSET) or codec.check(code)
        except (TypeError, ValueError):
            fits = False
        if not fits:
            raise self.fail(f"'{name}' cannot be {value!r}")
        return code

    def read_masks(self, state: EngineState, zone: Zone, attribute: str, value: Any, places: int) -> None:
        """Who knows each piece whose place in a pile is known."""
        parts = value if zone.owner != "game" else [value]
        pieces = getattr(state, attribute.removesuffix("_known"))
        for part, kinds in zip(
            parts if isinstance(parts, list) else (),
            pieces if zone.owner != "game" else [pieces],
            strict=False,
        ):
            if not isinstance(part, list) or len(part) != len(kinds):
                raise self.fail(f"'{attribute}' cannot be {part!r}")
            if any(type(mask) is not int or not -1 <= mask < 1 << state.players for mask in part):
                raise self.fail(f"'{attribute}' cannot be {part!r}")
        if not isinstance(parts, list) or len(parts) != places:
            raise self.fail(f"'{attribute}' is not given for each player")
        found = [tuple(part) for part in parts]
        setattr(state, attribute, found if zone.owner != "game" else found[0])

    def read_out(self, state: Any) -> None:
        """Who is out."""
        out = self.take("out")
        seats = range(state.players)
        if not isinstance(out, list) or len(set(map(repr, out))) < len(out):
            raise self.fail(f"'out' cannot be {out!r}")
        if any(type(seat) is not int or seat not in seats for seat in out):
            raise self.fail(f"'out' cannot be {out!r}")
        state.out = tuple(out)
        state.playing = still_in(state)

    def read_chosen(self, state: EngineState, decision: AtOnce) -> None:
        """What several have chosen at once."""
        kept = self._list(state, decision.kept)
        found: list[tuple[Any, ...]] = []
        for choice in kept:
            if not choice:
                found.append(())
                continue
            case = choice[0]
            if type(case) is not int or not 0 <= case < len(decision.codecs):
                raise self.fail(f"'{decision.kept}' cannot be {choice!r}")
            codecs = decision.codecs[case]
            if len(choice) != len(codecs) + 1:
                raise self.fail(f"'{decision.kept}' cannot be {choice!r}")
            codes = zip(choice[1:], codecs, strict=True)
            found.append((case, *(self.value(decision.kept, code, codec) for code, codec in codes)))
        setattr(state, decision.kept, found)
        if decision.anew is not None:
            variables = {variable.attribute: variable for variable in self.game.variables}
            codecs = tuple([variables[name].codec for name in decision.anew.variables])
            before: list[tuple[Any, ...]] = []
            for held in self._list(state, decision.anew.held):
                if held and len(held) != len(codecs):
                    raise self.fail(f"'{decision.anew.held}' cannot be {held!r}")
                codes = zip(held, codecs, strict=False)
                before.append(tuple([self.value(decision.anew.held, code, codec) for code, codec in codes]))
            setattr(state, decision.anew.held, before)

    def _list(self, state: EngineState, name: str) -> list[list[Any]]:
        """A list by seat of lists."""
        value = self.take(name)
        if not isinstance(value, list) or len(value) != state.players:
            raise self.fail(f"'{name}' is not given for each player")
        if not all(isinstance(part, list) for part in value):
            raise self.fail(f"'{name}' cannot be {value!r}")
        return value

    def read_several(self, state: Any, decision: AtOnce) -> None:
        """Several choose at once: who has chosen took one of his options, who has not has two or more."""
        state.at, state.options, state.actor, state.found = decision, 0, SEVERAL, ()
        kept: list[tuple[Any, ...]] = getattr(state, decision.kept)
        order: tuple[int, ...] = getattr(state, decision.order)
        state.asked = decision.waiting(state)
        try:
            trial: Any = state.clone()
            fits = len(set(order)) == len(order) and bool(state.asked)
            fits &= all(decision.holds is None or decision.holds(trial, seat) for seat in order)
            state.found = counts(trial, decision)
            fits &= all(state.found[seat] > 1 for seat in state.asked)
            for seat, choice in enumerate(kept):
                if choice and fits:
                    decision.apply(trial, decision.named(state, seat), seat)
                    fits = seat in order and getattr(trial, decision.kept)[seat] == choice
        except (Fault, IllegalMove, LookupError, ArithmeticError, TypeError, ValueError):
            fits = False
        if not fits:
            raise self.fail(f"there is nothing to decide at '{decision.name}'")
