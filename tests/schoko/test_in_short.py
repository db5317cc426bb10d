"""Schoko & Co. in short, on the interpreter: its scenarios, whole games, and what players may not learn.

Quick enough for `make check`; the other files here look at far more games, and are slow.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import pytest

from conche.draw.words import Words
from conche.interpret import InterpreterState
from conche.interpret.evaluate import Evaluator
from conche.scenarios import run_scenarios
from conche.scenarios.conservation import pieces_in_play
from conche_runtime.errors import IllegalMove
from conche_runtime.records import Recorder
from schoko.games import GAME, HIDDEN, interpreter_of
from schoko.guided import Policy, by_chance, steady

RED, BLUE, GREEN = range(3)


@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_the_scenarios_of_the_rulebook(ruleset: str) -> None:
    engine = interpreter_of(ruleset)
    scenarios = engine.program.graph.rulebook.scenarios
    results = run_scenarios(engine, scenarios)
    assert [
        (result.title, [one.title for one in result.failures]) for result in results if not result.passed
    ] == []
    assert len(results) >= (20 if ruleset == GAME else 2)


# ------------------------------------------------------------------------------------------------ whole games


def check(state: InterpreterState, conserved: dict[str, int]) -> None:
    """What the rules say always holds, and that no piece is lost."""
    book = state.engine.program.book
    evaluator = Evaluator(book, state.position)
    for invariant in book.rulebook.invariants.values():
        assert evaluator.flag(invariant.condition), invariant.text
    assert pieces_in_play(book, state.position) == conserved


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("ruleset", "policy"), [(GAME, steady), (HIDDEN, by_chance)])
def test_games_come_to_their_end(ruleset: str, policy: Policy, players: int) -> None:
    rnd = random.Random(players)
    state = interpreter_of(ruleset).start(players, seed=players)
    conserved = pieces_in_play(state.engine.program.book, state.position)
    moves = 0
    while not state.over:
        seat = rnd.choice(state.to_act)
        state.step(policy(state, seat, rnd), seat)
        moves += 1
        if moves % 5 == 0:
            check(state, conserved)
    check(state, conserved)
    out = state.snapshot()["out"]
    assert [place[0] for place in state.ranking[players - len(out) :]] == out[::-1]


# ------------------------------------------------------------------------------------------------ knowledge


def told(
    ruleset: str, data: dict[str, Any], plan: Callable[[InterpreterState], int], until: int
) -> tuple[str, list[Any], list[str]]:
    """All that red learns in a game of three until a month: the full record of his seat, what he sees and can
    do at each of his decisions, and the lines that he is shown. Blue, of whom he must not learn something,
    plays by `plan`; red and green by chance, but never ask blue for his money."""
    engine = interpreter_of(ruleset)
    state = engine.position(3, data=data, seed=11, log=True)
    assert state.log is not None
    words, rnd = Words(engine, 3), random.Random(2)
    stream, lines, seen = io.StringIO(), words.events(state.log, [RED]), list[Any]()
    recorder = Recorder(engine, state, stream, full=True, seat=RED)
    while state.snapshot()["date"] < until or RED not in state.to_act:
        seat = next((one for one in state.to_act if one != BLUE), BLUE)
        if seat == BLUE:
            index = plan(state)
        else:
            moves = state.legal_moves(seat)
            fair = [i for i, move in enumerate(moves) if not _concerns_blue(state, move.args)]
            index = rnd.choice(fair)
        if seat == RED:
            with pytest.raises(IllegalMove) as error:
                state.step(9999, RED)
            seen.append((state.view(RED), [move.args for move in state.legal_moves(RED)], str(error.value)))
        move = state.move(index, seat)
        if seat == RED or not (_is_pass(state, seat, index) or "chosen" in state.snapshot()["decision"]):
            lines.append(words.move(seat, move.name, move.args))
        lines += words.events(recorder.apply(index, seat), [RED])
    return stream.getvalue(), seen, lines


def _is_pass(state: InterpreterState, seat: int, index: int) -> bool:
    return state.can_pass and index == state.count(seat) - 1


def _concerns_blue(state: InterpreterState, args: dict[str, Any]) -> bool:
    return args.get("target") == BLUE or (state.decision == "call" and args["yes"])


def idle(state: InterpreterState) -> int:
    """What blue can always do, whatever he holds: nothing."""
    nothing = {"staff": {"do": "done"}, "request": {"bars": 0}, "bid": {"bars": 0, "price": 0}}
    wanted = nothing.get(
        state.decision or "", {"bars": 0, "price": 0} if state.decision == "announce" else {}
    )
    for index, move in enumerate(state.legal_moves(BLUE)):
        if wanted and wanted.items() <= move.args.items():
            return index
    return state.count(BLUE) - 1


@pytest.mark.parametrize("ruleset", [GAME, HIDDEN])
def test_what_another_one_owns_is_not_learnt(ruleset: str) -> None:
    """With 500 blue is asked to peek, to bid, to repay and for shares; with nothing he is not."""
    found = [told(ruleset, {"cash": [100, cash, 100], "ledger": -200 - cash}, idle, 4) for cash in (0, 500)]
    assert len(found[0][1]) > 10
    assert found[0] == found[1]


def test_which_cards_another_one_holds_is_not_learnt() -> None:
    hands = [["bedauerlich", "ruehrend", "schlapp"], ["skandaloes", "schlimm", "entsetzlich"]]
    rest = ["fuerchterlich", "katastrophal", "grosszuegig", "spitze", "schmerzlich", "unglaublich"]
    found = []
    for own, other in (hands, hands[::-1]):
        cards = [rest[:3], own, rest[3:]]
        data = {
            "cards": [dict.fromkeys(hand, 1) for hand in cards],
            "express_deck": dict.fromkeys(other, 1),
        }
        found.append(told(GAME, data, idle, 4))
    assert found[0] == found[1]


def test_what_another_one_saw_on_top_of_the_events_is_not_learnt() -> None:
    kinds = ["kakaoschock", "finanzzuschuss", "schoko_protest", "magenverstimmung"]
    found = []
    for top in kinds[:2]:
        rest = {kind: 1 for kind in kinds if kind != top}
        events = {"size": 4, "top": [top], "bottom": [], "unknown": rest, "top_known_by": [[BLUE]]}
        cash = {"cash": [10, 100, 100], "ledger": -210}  # too little for red to look himself
        data = {"events": events, "past_events": [], "knows_event": [False, True, False], **cash}
        found.append(told(GAME, data, idle, 2))
    assert len(found[0][1]) > 3
    assert found[0] == found[1]


def test_what_is_on_a_form_that_nobody_calls_is_not_learnt() -> None:
    """Blue writes other bids, and announces the same."""

    def plan(number: int) -> Callable[[InterpreterState], int]:
        def choose(state: InterpreterState) -> int:
            match state.decision:
                case "request":
                    return state.find("request", {"bars": 8}, BLUE)
                case "bid":
                    return (number * state.count(BLUE)) // 3
                case "announce":
                    return state.find("announce", {"bars": 1, "price": 2}, BLUE)
                case _:
                    return idle(state)

        return choose

    found = [told(HIDDEN, {}, plan(number), 2) for number in range(3)]
    assert found[0] == found[1] == found[2]
    assert '"name": "announce"' in found[0][0]
    assert '"player": 1, "name": "bid"}' in found[0][0]
