"""The interpreter as an engine: moves, errors, copies, saves, pictures, samples."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conche.interpret import Interpreter, InterpreterMove, InterpreterState
from conche_runtime.errors import ChanceError, IllegalMove, RulesError, SaveError
from conche_runtime.interface import ChanceEvent, Engine, ForcedEvent, Move, State
from interpret.lab import engine, lab, moves, scripted

PLAY = """
each player you from red
  repeat 2 times
    choose bet
      case stay
        add 0 to picks
      case raise(gold_paid in 1..you.gold, tile in kinds(line))
        pay gold_paid gold
        move tile from line to deck
        draw 1 from deck to line
      always §A1
    draw up to 1 from you.roads to you.held
"""

SETUP = """
put 9 lake, 9 hill(1), 5 hill(2) in deck
draw 3 from deck to line
for each p in players
  put 4 straight, 4 bend, 4 cross in p.roads
  draw 3 from p.roads to p.held
  set p.bid to p.gold + 1
"""

MORE = 'ruling §A1 "One may always stay."\n'


@pytest.fixture(scope="module")
def made() -> Interpreter:
    return engine(lab(PLAY.strip(), MORE, SETUP.strip()))


@pytest.fixture
def state(made: Interpreter) -> InterpreterState:
    return made.start(2, seed=3)


def test_it_is_an_engine_with_states_and_moves(made: Interpreter, state: InterpreterState) -> None:
    as_engine: Engine = made
    as_state: State = state
    assert (as_engine.ruleset, as_engine.min_players, as_engine.max_players) == ("lab", 2, 3)
    assert (dict(as_engine.versions), dict(as_engine.options)) == ({"lab": "1.0.0"}, {})
    assert as_engine.seats == ("red", "blue", "green")
    assert all(isinstance(move, Move) for move in as_state.legal_moves())
    assert (as_state.players, as_state.over, as_state.to_act, as_state.decision) == (2, False, (0,), "bet")


@pytest.mark.parametrize("players", [1, 4, 0, -1, True])
def test_a_wrong_number_of_players(made: Interpreter, players: int) -> None:
    with pytest.raises(ValueError, match=r"lab is for 2\.\.3 players"):
        made.start(players, seed=0)


@pytest.mark.parametrize("seed", [-1, 1 << 64, True])
def test_a_wrong_seed(made: Interpreter, seed: int) -> None:
    with pytest.raises(ValueError, match="a seed is 0"):
        made.start(2, seed=seed)


def test_a_seed_and_outside_chance_at_once(made: Interpreter) -> None:
    with pytest.raises(ValueError, match="not from both"):
        made.start(2, seed=1, chance=lambda source, outcomes: outcomes[0][0])


def test_without_a_seed_games_differ(made: Interpreter) -> None:
    texts = {made.start(2).to_json() for _ in range(5)}
    assert len(texts) == 5


def test_numbers_names_and_moves_agree(state: InterpreterState) -> None:
    listed = state.legal_moves()
    assert len(listed) == state.count() == state.count(0) == len(set(listed))
    for index, move in enumerate(listed):
        assert state.move(index) == move
        assert hash(state.move(index)) == hash(move)
        assert state.find(move.name, move.args) == index
        by_step, by_apply = state.clone(), state.clone()
        by_step.step(index)
        by_apply.apply(move, 0)
        assert by_step.to_json() == by_apply.to_json()


def test_moves_equal_nothing_else(state: InterpreterState) -> None:
    stay = InterpreterMove("bet", ())
    assert state.move(0) == stay
    assert stay != InterpreterMove("use", ())
    assert stay != ("bet", ())
    assert InterpreterMove("bet", (("n", 1),)) != InterpreterMove("bet", (("n", True),))
    assert repr(state.move(1)).startswith("bet(gold_paid=1, tile=")
    with pytest.raises(AttributeError):
        stay.tile  # noqa: B018


class Strange:
    """A move of somebody else's making."""

    def __init__(self, name: str, args: dict[str, Any]) -> None:
        self.name, self.args = name, args


@pytest.mark.parametrize(
    "action",
    [
        lambda state: state.step(-1),
        lambda state: state.step(999),
        lambda state: state.step(0, 1),
        lambda state: state.move(999),
        lambda state: state.move(0, 1),
        lambda state: state.count(7),
        lambda state: state.legal_moves(7),
        lambda state: state.find("bet", {"tile": "lake"}),
        lambda state: state.find("stay", {}),
        lambda state: state.apply(Strange("bet", {"gold_paid": 6, "tile": "lake"})),
        lambda state: state.apply(Strange("bet", {"gold_paid": True, "tile": "lake"})),
        lambda state: state.apply(Strange("bet", {"gold_paid": 1.0, "tile": "lake"})),
        lambda state: state.apply(Strange("bet", {"gold_paid": 1, "tile": "lake", "more": None})),
        lambda state: state.apply(Strange("Bet", {})),
        lambda state: state.apply(Strange("bet", {}), 1),
        lambda state: state.view(2),
        lambda state: state.sample(-1),
    ],
)
def test_what_is_not_allowed_leaves_the_state_as_it_was(state: InterpreterState, action: Any) -> None:
    before = state.to_json()
    with pytest.raises(IllegalMove):
        action(state)
    assert state.to_json() == before


def test_nothing_is_legal_when_the_game_is_over(state: InterpreterState) -> None:
    while not state.over:
        state.step(0)
    assert (state.to_act, state.decision) == ((), None)
    assert (state.count(), state.legal_moves()) == (0, [])
    for action in (lambda: state.step(0), lambda: state.find("bet", {})):
        with pytest.raises(IllegalMove, match="the game is over"):
            action()
    assert state.scores == [{"total": 5, "gold": 5}, {"total": 5, "gold": 5}]
    assert state.ranking == [[0, 1]]


def test_a_fault_of_the_rules_leaves_the_position_as_it_was() -> None:
    rules = lab("red: choose pick(k in 1..3)\nadd k to picks\nput k lake in line\nput 2 lake in line")
    state = engine(rules).start(2, seed=0, log=True)
    before, other = state.snapshot(), state.clone()
    with pytest.raises(RulesError, match="'line' has no room"):
        state.step(2)
    assert (state.snapshot(), state.log) == ({**before, "decision": None}, [])
    other.step(0)
    assert other.over


def test_wrong_outcomes_from_outside_leave_the_state_as_it_was(made: Interpreter) -> None:
    answers: list[Any] = []

    def chance(source: str, outcomes: Any) -> Any:
        return answers.pop() if answers else outcomes[0][0]

    state = made.start(2, chance=chance)
    before = state.to_json()
    for answer in ("hill(9)", None, 0, ["lake"]):
        answers.append(answer)
        with pytest.raises(ChanceError, match=r"cannot come from 'roads\[0\]' now"):
            state.step(0)
        assert state.to_json() == before
    state.step(0)
    assert state.to_json() != before


def test_an_error_of_the_outside_source_itself_passes_through(made: Interpreter) -> None:
    def chance(source: str, outcomes: Any) -> Any:
        if source == "roads[0]" and not calls:
            raise KeyError(source)
        return outcomes[0][0]

    calls = [1]
    state = made.start(2, chance=chance)
    calls.clear()
    before = state.to_json()
    with pytest.raises(KeyError):
        state.step(0)
    assert state.to_json() == before


def test_the_log_is_neither_cloned_nor_saved(made: Interpreter) -> None:
    state = made.start(2, seed=3, log=True)
    assert state.log is not None
    assert [event.source for event in state.log if isinstance(event, ChanceEvent)] == [
        *["deck"] * 3,
        *["roads[0]"] * 3,
        *["roads[1]"] * 3,
    ]
    assert state.clone().log is None
    assert made.from_json(state.to_json()).log is None
    assert made.start(2, seed=3).log is None
    state.log.clear()
    state.step(0)
    assert [event for event in state.log if isinstance(event, ForcedEvent)] == []
    assert len(state.log) == 1


# ------------------------------------------------------------------------------------------------ saves


def test_copies_and_saves_play_on_alike_and_apart(made: Interpreter) -> None:
    state = made.start(3, seed=9)
    step = 0
    while not state.over:
        step += 1
        loaded, cloned = made.from_json(state.to_json()), state.clone()
        before = state.to_json()
        index = (step * 7) % state.count()
        loaded.step(index)
        cloned.step(index)
        assert state.to_json() == before
        state.step(index)
        assert state.to_json() == loaded.to_json() == cloned.to_json()
        assert state.snapshot() == loaded.snapshot() == cloned.snapshot()
        state = loaded if step % 2 else cloned


def test_a_save_with_outside_chance_needs_it_again(made: Interpreter) -> None:
    def first(source: str, outcomes: Any) -> Any:
        return outcomes[0][0]

    state = made.start(2, chance=first)
    text = state.to_json()
    with pytest.raises(SaveError, match="from outside"):
        made.from_json(text)
    loaded = made.from_json(text, first)
    loaded.step(0)
    state.step(0)
    assert loaded.to_json() == state.to_json()
    with pytest.raises(SaveError, match="own chance"):
        made.from_json(made.start(2, seed=0).to_json(), first)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "3", '{"conche_save": 1}', '{"conche": 1}', "[" * 100_000, "\0"]
)
def test_what_is_no_save(made: Interpreter, text: str) -> None:
    with pytest.raises(SaveError):
        made.from_json(text)


def test_a_cut_edited_or_foreign_save(made: Interpreter, state: InterpreterState) -> None:
    text = state.to_json()
    for cut in (1, 10, len(text) // 2):
        with pytest.raises(SaveError):
            made.from_json(text[:-cut])
    with pytest.raises(SaveError, match="edited"):
        made.from_json(text.replace('"node":"phase', '"node":"phrase'))
    with pytest.raises(SaveError, match="edited"):
        made.from_json(text.replace("lake", "Lake", 1))
    saved = json.loads(text)
    saved["position"]["variables"][0][2] = 9
    with pytest.raises(SaveError, match="edited"):
        made.from_json(json.dumps(saved))
    other = engine(lab(PLAY.replace("2 times", "3 times").strip(), MORE, SETUP.strip()))
    with pytest.raises(SaveError, match="other rules"):
        made.from_json(other.start(2, seed=0).to_json())


# ------------------------------------------------------------------------------------------------ pictures


def test_the_snapshot(made: Interpreter) -> None:
    outcomes = {
        "deck": ["lake", "hill(2)", "lake"],
        "roads[0]": ["BEND", "cross", "BEND"],
        "roads[1]": ["straight", "straight", "cross"],
    }
    state = made.start(2, chance=scripted(outcomes))
    assert state.snapshot() == {
        "n": 3,
        "who": None,
        "picks": [],
        "seen": [],
        "perhaps": None,
        "lit": False,
        "gold": [5, 5],
        "bid": [6, 6],
        "climb": [0, 0],
        "deck": {"hill(1)": 9, "hill(2)": 4, "lake": 7},
        "shown": {},
        "line": ["lake", "hill(2)", "lake"],
        "sack": {},
        "heap": {},
        "purse": [{}, {}],
        "roads": [{"straight": 4, "BEND": 2, "cross": 3}, {"straight": 2, "BEND": 4, "cross": 3}],
        "held": [{"BEND": 2, "cross": 1}, {"straight": 2, "cross": 1}],
        "land": [],
        "decision": {"name": "bet", "player": 0},
        "players": 2,
    }
    assert list(state.snapshot()["roads"][0]) == ["straight", "BEND", "cross"]


def test_the_view(state: InterpreterState) -> None:
    whole, seen = state.snapshot(), state.view(1)
    assert seen == {
        **whole,
        "deck": {"size": 20},
        "sack": {"size": 0},
        "roads": [{"size": 9}, {"size": 9}],
        "held": [{"size": 3}, whole["held"][1]],
        "bid": [None, 6],
        "to_act": [0],
        "you": 1,
    }


def test_samples_keep_the_view_and_change_the_rest(state: InterpreterState) -> None:
    state.step(state.find("bet", {}))
    for player in (0, 1):
        view, decks, hands, others = state.view(player), set(), set(), set()
        for seed in range(30):
            drawn = state.sample(player, seed)
            assert drawn.view(player) == view
            assert drawn.to_json() == state.sample(player, seed).to_json()
            found = drawn.snapshot()
            other = 1 - player
            whole = state.snapshot()
            for seat in (0, 1):
                assert sum(found["held"][seat].values()) == sum(whole["held"][seat].values())
            together = {
                kind: found["held"][other].get(kind, 0) + found["roads"][other].get(kind, 0)
                for kind in ("straight", "BEND", "cross")
            }
            assert together == {"straight": 4, "BEND": 4, "cross": 4}
            hands.add(json.dumps(found["held"][other]))
            decks.add(json.dumps(found["deck"]))
            others.add(json.dumps(found["roads"][player]))
            assert drawn.count() > 1
        assert len(hands) > 3
        # the draw pile of the open row and the own pile hold what nobody can mistake
        assert len(decks) == len(others) == 1
    assert state.sample(0).to_json() != state.sample(0).to_json()


def test_a_sample_has_its_own_future(state: InterpreterState) -> None:
    futures = set()
    for seed in range(20):
        drawn = state.sample(0, seed)
        drawn.step(0)
        futures.add(json.dumps(drawn.snapshot()["held"][0]))
    assert len(futures) > 1


# ------------------------------------------------------------------------------------------------ positions


def test_a_position_from_data(made: Interpreter) -> None:
    state = made.position(
        2,
        data={
            "line": ["lake"],
            "gold": {"1": 2},
            "who": 1,
            "deck": {"lake": 2},
            "shown": {"size": 3, "top": ["lake", "hill(1)"], "bottom": ["hill(2)"], "unknown": {}},
            "land": [{"at": [0, 0], "pieces": [{"kind": "lake"}], "mark": 3}],
        },
    )
    found = state.snapshot()
    assert found["line"] == ["lake"]
    assert found["gold"] == [5, 2]
    assert found["who"] == 1
    assert found["shown"] == {"size": 3, "top": ["lake", "hill(1)"], "bottom": ["hill(2)"], "unknown": {}}
    assert found["land"] == [{"at": [0, 0], "pieces": [{"kind": "lake"}], "mark": 3}]
    assert moves(state)[1:] == [{"gold_paid": k, "tile": "lake"} for k in range(1, 6)]


def test_a_position_goes_out_and_in_again(made: Interpreter, state: InterpreterState) -> None:
    again = made.from_position(json.loads(json.dumps(state.to_position())), seed=4)
    assert again.snapshot() == state.snapshot()


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ({"nothing": 1}, ValueError, "there is no variable, track, zone or board 'nothing'"),
        ({"n": "x"}, ValueError, "expected a number"),
        ({"n": 100}, ValueError, "expected a number"),
        ({"gold": [1, 2, 3]}, ValueError, "more players than play"),
        ({"line": ["puddle"]}, ValueError, "puddle"),
        ({"line": ["lake"] * 4}, RulesError, "'line' has no room"),
        (
            {"land": [{"at": [0, 0], "pieces": [{"kind": "puddle"}]}]},
            ValueError,
            "there is no piece 'puddle'",
        ),
        ({"land": [{"at": [0, 1], "pieces": [{"kind": "lake"}]}]}, RulesError, "takes no piece of Tile"),
    ],
)
def test_data_that_does_not_fit(made: Interpreter, data: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        made.position(2, data=data)
