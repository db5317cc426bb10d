"""What a seat can learn in Schoko & Co.: nothing of what it must not know, in any way, until it is revealed.

Pairs of positions that differ only in what a seat does not know: another's cash and cards, offers that others
have chosen and not shown, forms, an event that another one saw. What that seat sees, can do, is told and is
refused must be the same text in both, at every decision; and so it must stay while both are played on with
the same moves, until something is revealed.
"""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from conche.draw.words import Words
from conche_runtime.errors import IllegalMove, SaveError
from conche_runtime.interface import ChanceEvent, ChosenEvent, Engine, ForcedEvent, RevealEvent, State
from conche_runtime.records import Recorder
from games.driving import changed
from schoko.edits import CARDS, slots_of, with_cash
from schoko.games import GAME, HIDDEN, POLICIES, Game, engine_of
from schoko.guided import Policy, idler, steady
from schoko.table import EVENTS
from slices import slice_of

pytestmark = pytest.mark.slow

Edit = Callable[[Engine, State, int, int, random.Random], State | None]
"""Another position, that differs for a seat (the third argument) in what another one (the fourth) hides."""


# ------------------------------------------------------------------------------------ what a seat is told


def told(state: State, seat: int) -> list[str]:
    """All that a seat sees, can do, and is answered when it tries what it may not."""
    entries = [json.dumps(state.view(seat))]
    if seat in state.to_act:
        moves = [(move.name, move.args) for move in state.legal_moves(seat)]
        entries.append(json.dumps([state.count(seat), moves]))
    tries: list[Callable[[], object]] = [
        lambda: state.step(9999, seat),
        lambda: state.step(-1, seat),
        lambda: state.apply(None, seat),  # type: ignore[arg-type]
        lambda: state.find("bid", {"bars": 16, "price": 99999}, seat),
        lambda: state.find("express", {"card": "spitze", "target": seat}, seat),
        lambda: state.find("nothing of the kind", {}, seat),
        lambda: state.move(99999, seat),
    ]
    if seat not in state.to_act:
        tries.append(lambda: state.step(0, seat))
    for attempt in tries:
        with pytest.raises(IllegalMove) as error:
            attempt()
        entries.append(str(error.value))
    return entries


# ----------------------------------------------------------------------------------------- other positions


def other_cash(engine: Engine, state: State, seat: int, other: int, dice: random.Random) -> State | None:
    cash = slots_of(state)["cash"][other]
    return with_cash(engine, state, {other: dice.choice([0, 3, cash + 7, 2 * cash + 40, 999])})


def other_cards(engine: Engine, state: State, seat: int, other: int, dice: random.Random) -> State | None:
    """The cards of the others and of the pile are dealt anew."""
    slots = slots_of(state)
    hands, deck = slots["cards"], slots["express_deck"]
    number = len(CARDS)
    if any(slots[f"express_deck_{part}"] for part in ("top", "bottom")):
        return None  # of one who left
    places = [(hands, who * number) for who in range(state.players) if who != seat] + [(deck, 0)]
    sizes = [sum(place[start : start + number]) for place, start in places]
    cards = [kind for place, start in places for kind in range(number) if place[start + kind]]
    dice.shuffle(cards)
    for (place, start), size in zip(places, sizes, strict=True):
        place[start : start + number] = [0] * number
        for _ in range(size):
            place[start + cards.pop()] = 1
    return changed(engine, state, cards=hands, express_deck=deck)


def other_offer(engine: Engine, state: State, seat: int, other: int, dice: random.Random) -> State | None:
    """What another one has chosen while the rest still choose."""
    kept = slots_of(state)["bid_kept"]
    if not kept[other] or state.snapshot()["decision"]["player"] is not None:
        return None
    shot = state.snapshot()
    bars = dice.randint(0, min(16 - shot["cocoa"][other], shot["offered"]))
    price = dice.randint(1, max(1, shot["cash"][other] // max(1, bars)))
    kept[other] = [1, bars, price] if bars and bars * price <= shot["cash"][other] else [0]
    return changed(engine, state, bid_kept=kept)


def other_form(engine: Engine, state: State, seat: int, other: int, dice: random.Random) -> State | None:
    """What another one has written secretly, in the market that is open now."""
    slots = slots_of(state)
    if state.decision not in ("announce", "call") or not slots["form_bars"][other]:
        return None
    slots["form_bars"][other] = dice.randint(1, 4)
    slots["form_price"][other] = dice.randint(1, 4)
    return changed(engine, state, form_bars=slots["form_bars"], form_price=slots["form_price"])


def other_event(engine: Engine, state: State, seat: int, other: int, dice: random.Random) -> State | None:
    """The event that others looked at and the seat did not."""
    slots = slots_of(state)
    if not slots["events_top"] or slots["knows_event"][seat]:
        return None
    (top,), pile = slots["events_top"], slots["events"]
    kinds = [kind for kind in range(len(EVENTS)) if pile[kind]]
    if not kinds:
        return None
    new = dice.choice(kinds)
    pile[new] -= 1
    pile[top] += 1
    return changed(engine, state, events=pile, events_top=[new])


def sampled(engine: Engine, state: State, seat: int, other: int, dice: random.Random) -> State | None:
    return state.sample(seat, seed=dice.randrange(1 << 40))


EDITS: dict[str, Edit] = {
    "cash": other_cash,
    "cards": other_cards,
    "offer": other_offer,
    "form": other_form,
    "event": other_event,
    "sample": sampled,
}
DRAWN_ANEW = ("cards", "offer", "event")
"""What a sample of the seat draws anew: there, even the sample must be the same."""


def twins(
    engine: Engine, state: State, seat: int, dice: random.Random, names: list[str]
) -> Iterator[tuple[str, int, State]]:
    """Other positions, of those kinds that there are."""
    others = [other for other in range(state.players) if other not in (seat, *state.snapshot()["out"])]
    for name in names:
        if name == "form" and engine.ruleset != HIDDEN:
            continue
        other = dice.choice(others)
        try:
            twin = EDITS[name](engine, state, seat, other, dice)
        except SaveError:  # the one who is asked would have had no choice
            continue
        if twin is not None:
            yield name, other, twin


def decisions(game: Game) -> Iterator[tuple[State, random.Random]]:
    dice = random.Random(game.seed)
    state = engine_of(game.ruleset).start(game.players, game.seed)
    while not state.over:
        yield state, dice
        seat = dice.choice(state.to_act)
        state.step(game.policy(state, seat, dice), seat)


GAMES = [
    Game(ruleset, players, 20, who) for ruleset in (GAME, HIDDEN) for players in (2, 3, 4) for who in POLICIES
]


@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_positions_that_a_seat_cannot_tell_apart(ruleset: str) -> None:
    engine = engine_of(ruleset)
    compared = Counter[str]()
    for game in slice_of([game for game in GAMES if game.ruleset == ruleset], 2):
        number = 0
        for state, dice in decisions(game):
            number += 1
            seat = number % game.players
            if seat in state.snapshot()["out"]:
                continue
            names = list(EDITS) if number % 5 == 0 else ["offer", "form", "event"]
            before: list[str] = []
            for name, _, twin in twins(engine, state, seat, dice, names):
                before = before or told(state, seat)
                assert told(twin, seat) == before, (str(game), number, name)
                compared[name] += 1
                compared[f"other {name}"] += twin.snapshot() != state.snapshot()
                if name in DRAWN_ANEW:
                    assert (
                        twin.sample(seat, seed=number).to_json() == state.sample(seat, seed=number).to_json()
                    )
    common = ["cash", "cards", "sample", "form" if ruleset == HIDDEN else "offer"]
    assert min(compared[f"other {name}"] for name in common) > 5, compared


def test_who_looks_second_and_who_never_looked_is_told() -> None:
    """The event is drawn when one looks (§A104); the next one sees the same, and all when it happens."""
    engine = engine_of(GAME)
    state = engine.start(3, seed=1, log=True)
    events = []
    dice = random.Random(1)
    while state.snapshot()["date"] < 3:
        seat = state.to_act[0]
        wanted = state.snapshot()["date"] == 1 and seat != 0
        peeks = state.decision == "peek"
        index = state.find("peek", {"yes": wanted}, seat) if peeks else idler(state, seat, dice)
        state.step(index, seat)
        assert state.log is not None
        events += [event for event in state.log if getattr(event, "source", "") == "events"]
        events += [event for event in state.log if getattr(event, "what", "") == "events"]
        state.log.clear()
    kind = state.snapshot()["news"]
    assert events[0] == ChanceEvent("events", kind, (1,))
    assert events[1:] == [RevealEvent("events", kind, (2,)), RevealEvent("events", kind, None)]


# ----------------------------------------------------------------------------------- played on until revealed


class Ears:
    """What a seat learns while a game is played on. `happened`: events as it may know them; `seen`: the lines
    of its record, and what it is told when it is asked, each with how much had happened by then."""

    def __init__(self, engine: Engine, state: State, seat: int) -> None:
        self.state, self.seat, self.stream = state, seat, io.StringIO()
        state.log = []
        self.words = Words(engine, state.players)
        self.recorder = Recorder(engine, state, self.stream, full=True, seat=seat)
        self.happened: list[tuple[str, str]] = []
        self.seen: list[tuple[int, str]] = []

    def step(self, index: int, player: int) -> None:
        """A move of anyone."""
        for event in self.recorder.apply(index, player):
            if isinstance(event, ForcedEvent) and event.player != self.seat:
                continue  # to this seat a move, which is in its record
            what = "event"
            if isinstance(event, RevealEvent):
                what = f"reveal {event.what}"
            elif isinstance(event, ChosenEvent):
                what = f"chosen by {event.player}"
            self.happened += [(what, line) for line in self.words.events([event], [self.seat])]
        lines = self.stream.getvalue().splitlines()
        self.stream.seek(0)
        self.stream.truncate()
        if self.seat in self.state.to_act:
            lines += told(self.state, self.seat)
        self.seen += [(len(self.happened), line) for line in lines]


SHY = ("bid", "announce", "peek", "repay", "shares", "express", "staff", "request")
"""Where what a seat may do depends on what it hides, or would show it: it does nothing there."""


def play_on(engine: Engine, state: State, seat: int, shy: set[int], moves: int) -> Ears:
    """What a seat learns while that many moves are made that are not those of the shy ones."""
    ears = Ears(engine, state, seat)
    asked = Counter[int]()
    while not state.over and sum(asked[one] for one in asked if one not in shy) < moves:
        player = next((one for one in state.to_act if one not in shy), state.to_act[0])
        dice = random.Random(f"{player} {asked[player]}")
        policy: Policy = steady
        if player in shy:
            policy = idler if state.decision in SHY else obliging
        ears.step(policy(state, player, dice), player)
        asked[player] += 1
    return ears


def obliging(state: State, seat: int, dice: random.Random) -> int:
    """The first option, where that depends on open facts alone; no dice, as others do not see how often one
    is asked."""
    return 0


LASTING = ["cash", "cards", "offer", "form", "event"]


def compare(one: Ears, two: Ears) -> tuple[int, str]:
    """How much of what was seen is the same, and what was revealed then ("" if nothing)."""
    known, revealed = min(len(one.happened), len(two.happened)), ""
    for number, (first, second) in enumerate(zip(one.happened, two.happened, strict=False)):
        if first != second:
            assert first[0] == second[0], (number, first, second)
            assert first[0] != "event", (number, first, second)
            known, revealed = number, first[0]
            break
    seen = [[line for by_then, line in ears.seen if by_then <= known] for ears in (one, two)]
    same = min(map(len, seen))
    assert seen[0][:same] == seen[1][:same]
    return same, revealed


@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_played_on_they_stay_alike_until_something_is_revealed(ruleset: str) -> None:
    engine = engine_of(ruleset)
    ends, entries = Counter[str](), 0
    for game in slice_of([game for game in GAMES if game.ruleset == ruleset], 2):
        number = 0
        for state, dice in decisions(game):
            number += 1
            seat = number % game.players
            if number % 23 or seat in state.snapshot()["out"]:
                continue
            for name, other, twin in twins(engine, state, seat, dice, LASTING):
                # Everybody but the seat holds other cards; otherwise it is one who differs.
                shy = set(range(state.players)) - {seat} if name == "cards" else {other}
                one = play_on(engine, state.clone(), seat, shy, 30)
                two = play_on(engine, twin, seat, shy, 30)
                same, end = compare(one, two)
                entries += same
                ends[f"{name}: {end.split('[')[0].rstrip('0123 ')}"] += 1
    assert entries > 500
    to_the_end = sum(ends[end] for end in ends if end.endswith(": "))
    assert to_the_end > 3, ends
    assert ends.total() > to_the_end, ends
