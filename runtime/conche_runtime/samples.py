"""What a player cannot know, drawn anew.

Zones whose pieces the player cannot see are pooled where a statement of the rules carries pieces straight
from one to the other, seat by seat where both belong to the same player: so the pieces in a pile and those
drawn from it into another's hand are exchanged. What lies in one that only a seen zone feeds is known to who
watched, and stays; so do the pieces of a pile that the player knows where they lie. Of those that others know
there, the player knows only that they do. What
several have chosen at once and not shown is chosen anew among the options of each. What was chosen secretly
before is made anew as far as variables still hold what it gave, and nobody else knows. All other variables
stay: whatever changes them is seen by all, so who remembers knows them.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from conche_runtime.arguments import shown
from conche_runtime.chance import below, mix, stream_key
from conche_runtime.errors import RulesError
from conche_runtime.faults import Fault
from conche_runtime.layout import Anew, AtOnce, Game, Zone
from conche_runtime.several import counts as several_counts
from conche_runtime.show import knows, sees, zone_counts, zone_masks, zone_order

if TYPE_CHECKING:
    from conche_runtime.state import EngineState

TRIES = 100
MOST_SEEDS = 1 << 64

Place = tuple[Zone, int | None]


def checked_seed(seed: int | None) -> int:
    """The seed, by default from the system's entropy. ValueError when it is out of range."""
    if seed is None:
        return secrets.randbelow(MOST_SEEDS)
    if type(seed) is not int or not 0 <= seed < MOST_SEEDS:
        raise ValueError(f"a seed is 0..{MOST_SEEDS - 1}, not {shown(seed)}")
    return seed


def stream_keys(game: Game, seed: int | None) -> tuple[int, ...]:
    """The starts of all streams, by number."""
    if seed is None:
        return ()
    return tuple([mix(seed ^ path) for path in game.paths])


def redraw(state: EngineState, player: int, seed: int | None) -> EngineState:
    """A state that the player cannot tell from this one, with streams of its own. One in which nobody has a
    choice where all see that somebody is asked is drawn again, a limited number of times."""
    seed = checked_seed(seed)
    groups = _groups(state, player)
    numbers = _Numbers(seed)
    drawn = state
    for _ in range(TRIES):
        drawn = state.clone()
        drawn.chance, drawn.seed = None, seed
        drawn.keys, drawn.draws = stream_keys(state.game, seed), [0] * len(state.game.paths)
        for group in groups:
            _deal(drawn, group, player, numbers)
        _choose_anew(drawn, player, numbers)
        if _has_choice(drawn):
            break
    return drawn


def _has_choice(state: EngineState) -> bool:
    """Whether the decision has two or more options; counts them."""
    if state.over:
        return True
    if isinstance(state.at, AtOnce):
        return _all_have_choices(state, state.at)
    trial = state.clone()
    trial.options = 0
    try:
        if trial.at.ask(trial) is not None or not trial.options:
            return False
    except (Fault, RulesError, LookupError, ArithmeticError, TypeError, ValueError):
        return False
    state.options, state.actor, state.found = trial.options, trial.actor, trial.found
    return True


def _all_have_choices(state: EngineState, at: AtOnce) -> bool:
    try:
        state.found = several_counts(state, at)
        return all(state.found[seat] > 1 for seat in at.waiting(state))
    except (Fault, LookupError, ArithmeticError, TypeError, ValueError):
        return False


class _Numbers:
    """Numbers for dealing, from a stream of their own."""

    def __init__(self, seed: int) -> None:
        self._key = stream_key(seed, "sample")
        self._used = 0

    def pick(self, weights: list[int]) -> int:
        rest = below(self._key, self._used, sum(weights))
        self._used += 1
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index
        raise AssertionError("no outcomes")

    def below(self, count: int) -> int:
        """0 ≤ result < count."""
        self._used += 1
        return below(self._key, self._used - 1, count)


def _deal(state: EngineState, group: list[Place], player: int, numbers: _Numbers) -> None:
    """Deals the pieces of a group of zones anew, but for those that the player knows where they lie."""
    pool = [0] * len(group[0][0].kinds.names)
    for zone, seat in group:
        if zone.storage != "row":
            for kind, number in enumerate(zone_counts(state, zone, seat)):
                pool[kind] += number
        for kinds, known in _parts(state, zone, seat, player):
            for kind, is_known in zip(kinds, known, strict=True):
                pool[kind] += not is_known

    def next_piece() -> int:
        kinds = [kind for kind, number in enumerate(pool) if number]
        kind = kinds[numbers.pick([pool[kind] for kind in kinds])]
        pool[kind] -= 1
        return kind

    for zone, seat in group:
        parts = [
            tuple([kind if is_known else next_piece() for kind, is_known in zip(kinds, known, strict=True)])
            for kinds, known in _parts(state, zone, seat, player)
        ]
        if zone.storage == "row":
            _set(state, zone.attribute, seat, parts[0])
            continue
        if zone.known:
            _set(state, f"{zone.attribute}_top", seat, parts[0])
            _set(state, f"{zone.attribute}_bottom", seat, parts[1])
        size = sum(zone_counts(state, zone, seat))
        dealt = [next_piece() for _ in range(size)]
        number = len(zone.kinds.names)
        start = (seat or 0) * number
        counts = getattr(state, zone.attribute)
        counts[start : start + number] = [dealt.count(kind) for kind in range(number)]


def _parts(
    state: EngineState, zone: Zone, seat: int | None, player: int
) -> list[tuple[tuple[int, ...], tuple[bool, ...]]]:
    """The pieces of a zone that lie in an order, in two parts, and which of them the player knows."""
    order = zone_order(state, zone, seat)
    if zone.storage == "row":
        return [(kinds, (False,) * len(kinds)) for kinds in order]
    masks = zone_masks(state, zone, seat)
    return [
        (kinds, tuple([knows(mask, player) for mask in part]))
        for kinds, part in zip(order, masks, strict=True)
    ]


def _choose_anew(state: EngineState, player: int, numbers: _Numbers) -> None:
    """What others have chosen and the player has not been shown."""
    at = state.at
    if isinstance(at, AtOnce):
        waits = at.waiting(state)
        for seat in getattr(state, at.order):
            if seat != player and seat not in waits:
                count = at.count(state, seat)
                if count:
                    at.step(state, numbers.below(count), seat)
    for decision in state.game.decisions:
        if isinstance(decision, AtOnce) and decision.anew is not None:
            _set_anew(state, decision, decision.anew, player, numbers)


def _set_anew(state: EngineState, decision: AtOnce, anew: Anew, player: int, numbers: _Numbers) -> None:
    """Variables that a secret choice set are set again from another option, as they are now."""
    for seat, held in enumerate(getattr(state, anew.held)):
        count = decision.count(state, seat) if held and seat != player else 0
        if count:
            anew.take(state, numbers.below(count), seat)


def _set(state: EngineState, attribute: str, seat: int | None, value: object) -> None:
    if seat is None:
        setattr(state, attribute, value)
    else:
        getattr(state, attribute)[seat] = value


def _groups(state: EngineState, player: int) -> list[list[Place]]:
    """The zones that the player cannot look into, those whose pieces are pooled together."""
    game = state.game
    unseen: list[Place] = [
        (zone, seat)
        for zone in game.zones
        for seat in zone.places(state.players)
        if not sees(zone.visibility, -1 if seat is None else seat, player)
    ]
    group_of = list(range(len(unseen)))

    def root(number: int) -> int:
        while group_of[number] != number:
            number = group_of[number]
        return number

    for source, target, same_seat in game.flows:
        for one, (zone, seat) in enumerate(unseen):
            for other, (second, second_seat) in enumerate(unseen):
                if zone.name == source and second.name == target and (not same_seat or seat == second_seat):
                    group_of[root(other)] = root(one)
    groups: dict[int, list[Place]] = {}
    for number, place in enumerate(unseen):
        groups.setdefault(root(number), []).append(place)
    return list(groups.values())
