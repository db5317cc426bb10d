"""What a state of a generated engine promises: refused moves change nothing, copies are apart, moves are
values, and outside chance is met with a check."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

import conche
from codegen.engines import engine_of, engines_of, graph_of
from conche_runtime.errors import ChanceError, IllegalMove, RulesError, SaveError
from conche_runtime.interface import JSON, ChanceEvent, Engine, ForcedEvent, Move, State
from conche_runtime.moves import EngineMove
from interpret.lab import lab


@pytest.fixture(scope="module")
def engine() -> Engine:
    return conche.load("cacao")


def positions(engine: Engine, players: int, seed: int) -> Iterator[State]:
    """One position for each decision of a game, in the order in which it is first asked, and the end."""
    rnd = random.Random(seed)
    state = engine.start(players, seed)
    seen: set[str | None] = set()
    while not state.over:
        if state.decision not in seen and state.count() > 3:
            seen.add(state.decision)
            yield state.clone()
        state.step(rnd.randrange(state.count()))
    yield state


# ---------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("players", [2, 4])
def test_refused_moves_leave_the_state_as_it_was(engine: Engine, players: int) -> None:
    others = [position.move(0) for position in positions(engine, players, 1) if not position.over]
    for state in positions(engine, players, 2):
        before = state.to_json()
        count = state.count()
        wrong: list[Any] = [-1, count, 10**30, None, "0", 0.0, [0]]
        for index in wrong:
            for call in (state.step, state.move):
                with pytest.raises(IllegalMove):
                    call(index)
        wrong = [None, 0, "place", {}, ("place", {}), object()]
        for move in [*wrong, *(other for other in others if other.name != state.decision)]:
            with pytest.raises(IllegalMove):
                state.apply(move)
        for seat in range(players):
            if seat not in state.to_act:
                assert state.count(seat) == 0
                assert state.legal_moves(seat) == []
                with pytest.raises(IllegalMove):
                    state.step(0, seat)
                if not state.over:
                    with pytest.raises(IllegalMove):
                        state.apply(state.move(0), seat)
        for seat in (-1, players, 99):
            with pytest.raises(IllegalMove):
                state.count(seat)
        with pytest.raises(IllegalMove):
            state.find("nothing_of_the_kind", {})
        assert state.to_json() == before


ODD: Sequence[Any] = (
    None,
    True,
    -1,
    99,
    2.0,
    "x",
    "",
    (0,),
    (0, 0, 0),
    [0, 0],
    ("0", 0),
    (99, 99),
    (-99, 0),
    {},
)


def test_exactly_the_legal_moves_are_taken(engine: Engine) -> None:
    """Of all moves with arguments that occur, and odd ones, those are taken that are listed."""
    for state in positions(engine, 2, 3):
        if state.over:
            continue
        before, legal = state.to_json(), state.legal_moves()
        assert len(set(legal)) == len(legal) == state.count()
        first: Any = legal[0]
        values = {
            name: list(dict.fromkeys(getattr(move, name) for move in legal if isinstance(move, EngineMove)))
            for name, *_ in first.entries
        }
        tried = 0
        for combination in itertools.product(*(found[:12] for found in values.values())):
            tried += _try(state, replace(first, **dict(zip(values, combination, strict=True))), legal)
        for name in values:
            for odd in ODD:
                tried += _try(state, replace(first, **{name: odd}), legal)
        assert tried > 0
        assert state.to_json() == before


def _try(state: State, move: Move, legal: Sequence[Move]) -> int:
    trial = state.clone()
    index = next((number for number, other in enumerate(legal) if repr(other) == repr(move)), None)
    if index is not None:
        other = state.clone()
        trial.apply(move)
        other.step(index)
        assert trial.to_json() == other.to_json()
        return 0
    with pytest.raises(IllegalMove):
        trial.apply(move)
    assert trial.to_json() == state.to_json()
    return 1


def test_moves_are_found_by_exact_arguments(engine: Engine) -> None:
    state = engine.start(2, 5)
    for index, move in enumerate(state.legal_moves()):
        assert state.find(move.name, move.args) == index
        assert state.move(index) == move
    args = state.move(0).args
    wrong: list[Any] = [
        {**args, "more": 1},
        {},
        {**args, "at": tuple},
        {**args, "turn": True},
        {**args, "at": {}},
    ]
    for other in wrong:
        with pytest.raises(IllegalMove):
            state.find("place", other)


# ---------------------------------------------------------------------------------------- copies


@pytest.mark.parametrize("players", [2, 4])
def test_a_copy_is_apart(engine: Engine, players: int) -> None:
    for state in positions(engine, players, 4):
        if state.over:
            continue
        before = state.to_json()
        one, other = state.clone(), state.clone()
        rnd = random.Random(0)
        while not one.over:
            one.step(rnd.randrange(one.count()))
        assert state.to_json() == other.to_json() == before
        assert other.legal_moves() == state.legal_moves()
        rnd = random.Random(0)
        while not other.over:
            other.step(rnd.randrange(other.count()))
        assert other.to_json() == one.to_json()
        assert other.scores == one.scores


def test_a_copy_keeps_no_log(engine: Engine) -> None:
    state = engine.start(2, 1, log=True)
    assert state.log
    events = list(state.log)
    copy = state.clone()
    assert copy.log is None
    copy.step(0)
    assert state.log == events


def test_a_log_does_not_change_the_game(engine: Engine) -> None:
    plain, logged = engine.start(3, 8), engine.start(3, 8, log=True)
    while not plain.over:
        plain.step(plain.count() - 1)
        logged.step(logged.count() - 1)
        assert plain.to_json() == logged.to_json()
    assert logged.log is not None
    assert {type(event) for event in logged.log} == {ChanceEvent, ForcedEvent}


# ---------------------------------------------------------------------------------------- moves


def test_moves_are_values(engine: Engine) -> None:
    place, again = engine.start(2, 5).move(0), engine.start(2, 5).move(0)
    assert place == again
    assert hash(place) == hash(again)
    assert place.name == "place"
    assert list(place.args) == ["worker", "turn", "at"]
    assert place != place.args
    assert place != tuple(place.args.values())
    assert pickle.loads(pickle.dumps(place)) == place
    assert isinstance(place, Move)
    shown = repr(place)
    assert shown.startswith("Place(worker=")
    assert "turn=" in shown
    with pytest.raises(FrozenInstanceError):
        place.turn = 3  # type: ignore[attr-defined]


def test_moves_of_other_decisions_differ(engine: Engine) -> None:
    """Also where they have the same arguments."""
    amounts = [
        state.legal_moves()[0]
        for state in positions(engine, 2, 1)
        if not state.over and list(state.move(0).args) == ["amount"]
    ]
    for one, other in itertools.combinations(amounts, 2):
        assert (one == other) == (one.name == other.name)


# ---------------------------------------------------------------------------------------- outside chance


def test_outside_chance_is_asked_for_what_can_happen(engine: Engine) -> None:
    asked: list[str] = []

    def lowest(path: str, outcomes: Sequence[tuple[JSON, int]]) -> JSON:
        asked.append(path)
        assert all(weight > 0 for _, weight in outcomes)
        assert len({value for value, _ in outcomes}) == len(outcomes)
        return outcomes[0][0]

    state = engine.start(2, chance=lowest, log=True)
    while not state.over:
        state.step(0)
    assert {"jungle", "workers[0]", "workers[1]"} <= set(asked)
    assert state.log is not None
    drawn = [event.source for event in state.log if isinstance(event, ChanceEvent)]
    assert drawn == asked


@pytest.mark.parametrize("answer", [None, "no such tile", 0, ["single plantation"], object()])
def test_what_cannot_happen_is_refused_and_changes_nothing(engine: Engine, answer: Any) -> None:
    wrong = False

    def source(path: str, outcomes: Sequence[tuple[JSON, int]]) -> JSON:
        return answer if wrong else outcomes[-1][0]

    state = engine.start(2, chance=source, log=True)
    wrong = True
    before, log = _until(ChanceError, state)
    assert state.snapshot() == before
    assert state.log == log
    wrong = False
    while not state.over:
        state.step(0)


def test_an_error_of_the_outside_goes_through_and_changes_nothing(engine: Engine) -> None:
    broken = False

    class Gone(Exception):
        pass

    def source(path: str, outcomes: Sequence[tuple[JSON, int]]) -> JSON:
        if broken:
            raise Gone
        return outcomes[0][0]

    state = engine.start(3, chance=source)
    broken = True
    before, _ = _until(Gone, state)
    assert state.snapshot() == before


def _until(error: type[Exception], state: State) -> tuple[JSON, JSON]:
    """Plays until an error comes; gives the position and the log from before."""
    while not state.over:
        before, log = state.snapshot(), list(state.log or ())
        try:
            state.step(0)
        except error:
            return before, log
    raise AssertionError("nothing is drawn")


def test_chance_and_a_seed_are_not_given_together(engine: Engine) -> None:
    with pytest.raises(ValueError, match="seed"):
        engine.start(2, 1, chance=lambda path, outcomes: outcomes[0][0])


@pytest.mark.parametrize(("players", "seed"), [(1, 0), (5, 0), (2, -1), (2, 2**64), (-2, 0)])
def test_no_game_starts_with_a_wrong_number(engine: Engine, players: int, seed: int) -> None:
    with pytest.raises(ValueError, match=r"player|seed"):
        engine.start(players, seed)


# ---------------------------------------------------------------------------------------- faults


def test_a_fault_names_the_line_of_the_rules() -> None:
    text = lab("red: choose ask(answer in 0..1)\nset n to 98 + answer\nset n to n + 1", "")
    line = next(number for number, line in enumerate(text.split("\n"), 1) if "set n to n + 1" in line)
    state = engine_of(graph_of(text, "fault.rules")).start(2, 0)
    state.clone().step(0)
    with pytest.raises(RulesError) as caught:
        state.step(1)
    assert (caught.value.file, caught.value.line) == ("fault.rules", line)
    assert "'n' would become 100, but it must be -9..99" in str(caught.value)


FAILS = {
    "one chooses": "red: choose ask(answer in 0..1)\nset n to 98 + answer\nset n to n + 1",
    "all choose": (
        "together each player you from red\n  choose ask\n    case (answer in 0..1)\n"
        "      set n to 99\n      set n to n + answer"
    ),
}


def _last(path: str, outcomes: Sequence[tuple[JSON, int]]) -> JSON:
    return outcomes[-1][0]


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("play", FAILS.values(), ids=FAILS)
def test_after_a_fault_a_state_refuses_to_go_on(play: str, named: bool, outside: bool) -> None:
    for engine in engines_of(graph_of(lab(play, ""))):
        state = engine.start(2, chance=_last) if outside else engine.start(2, 0)
        *others, last = state.to_act
        for seat in others:
            state.step(1, seat)
        move, before = state.move(1), state.clone()
        with pytest.raises(RulesError):
            state.apply(move) if named else state.step(1)
        assert before.count() == 2
        _refuses(state, move, last)
        _refuses(state.clone(), move, last)


def _refuses(failed: State, move: Move, seat: int) -> None:
    """The rules have failed in a move of that seat."""
    assert (failed.over, failed.to_act, failed.decision, failed.can_pass) == (False, (), None, False)
    assert (failed.count(), failed.count(seat)) == (0, 0)
    assert (failed.legal_moves(), failed.legal_moves(seat)) == ([], [])
    whole, view = failed.snapshot(), failed.view(seat)
    assert (whole["decision"], view["decision"], view["to_act"]) == (None, None, [])
    for call in (
        lambda: failed.step(0),
        lambda: failed.step(0, seat),
        lambda: failed.move(0),
        lambda: failed.apply(move),
        lambda: failed.find(move.name, move.args),
        lambda: failed.sample(seat, 0),
    ):
        with pytest.raises(IllegalMove, match=r"^the rules failed before this$"):
            call()
    with pytest.raises(SaveError, match=r"^the rules failed before this$"):
        failed.to_json()


# ---------------------------------------------------------------------------------------- samples


@pytest.mark.parametrize("players", [2, 4])
def test_a_sample_looks_the_same_and_plays_on(engine: Engine, players: int) -> None:
    for number, state in enumerate(positions(engine, players, 6)):
        before = state.to_json()
        for seat in range(players):
            one, same = state.sample(seat, number), state.sample(seat, number)
            assert one.view(seat) == same.view(seat) == state.view(seat)
            assert one.to_json() == same.to_json()
            assert one.legal_moves(seat) == state.legal_moves(seat)
            rnd = random.Random(number)
            while not one.over:
                one.step(rnd.randrange(one.count()))
        assert state.to_json() == before


def test_samples_differ(engine: Engine) -> None:
    state = engine.start(3, 1)
    hands = {str(state.sample(0, seed).snapshot()["held"]) for seed in range(10)}
    assert len(hands) > 3
