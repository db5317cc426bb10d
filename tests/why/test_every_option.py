"""Whatever cannot be chosen, a rule is named that forbids it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from conche.graph.model import choose_of
from conche.interpret import InterpreterState
from conche.semantics.types import EnumT, Flag, Int, KindT, Maybe, PlayerT, SideT, SpaceT, TextT, Type
from conche.why.near import fits
from slices import ALL as EVERYTHING

from .positions import EXAMPLES, interpreter, reasons

GAMES = {"cacao": 2, **EXAMPLES, "cacao+huts+map+chocolate": 3, "cacao+gem_mines+new_workers": 2, "schoko": 3}


def possible(state: InterpreterState, type_: Type, rnd: random.Random) -> Iterator[Any]:
    """Some values that an argument of a type could have."""
    book = state.engine.program.book
    match type_:
        case Maybe(element=element):
            yield None
            yield from possible(state, element, rnd)
        case Flag():
            yield from (False, True)
        case Int(low=low, high=high):
            yield from {low - 1, low, min(low + 1, high), min(low + 2, high), high, high + 1}
        case KindT(piece=of) | EnumT(name=of):
            yield from {book.written(of, kind) for kind in book.order[of]}
        case PlayerT():
            yield from range(state.players)
        case SideT():
            yield from "ESWN"
        case SpaceT():
            yield from ([rnd.randrange(-4, 5), rnd.randrange(-4, 5)] for _ in range(12))
        case TextT():
            yield from ("nonsense", "display", "pile", "map")
        case _:
            pass


def patterns(state: InterpreterState, player: int, rnd: random.Random, most: int) -> Iterator[dict[str, Any]]:
    """Options as the cases of the decision could have them, legal or not."""
    node = state._choice()
    for case in choose_of(node).cases:
        names = [binder.slot for binder in case.binders if not binder.hidden]
        lists = [sorted(possible(state, slot.type, rnd), key=repr) for slot in names]
        every = list(itertools.islice(itertools.product(*lists), 20_000))
        for values in rnd.sample(every, min(most, len(every))):
            args = dict(zip((slot.name for slot in names), values, strict=True))
            yield {"name": case.move or choose_of(node).name, "args": args}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_each_illegal_option_has_a_reason_and_each_legal_one_too(ruleset: str) -> None:
    rnd = random.Random(ruleset)
    state = interpreter(ruleset).start(GAMES[ruleset], 4)
    verdicts = {"legal": 0, "illegal": 0}
    for number in range(80 if EVERYTHING else 40):
        if state.over:
            break
        player = state.to_act[0]
        if number % 4 == 0:
            legal = [(move.name, move.args) for move in state.legal_moves(player)]
            for pattern in patterns(state, player, rnd, 6):
                told = state.explain(player, pattern)
                wanted = any(name == pattern["name"] and fits(args, pattern["args"]) for name, args in legal)
                if told.verdict == "unclear":  # a value that is none of its type at all
                    assert not wanted
                    continue
                assert told.legal == wanted, (pattern, told.to_text())
                verdicts[told.verdict] += 1
                assert told.rules, told
                assert all(rule.file and rule.line and rule.text for rule in told.rules)
                if not told.legal:
                    against = [
                        one for one in reasons(told) if one.kind in ("fails", "outside", "hidden", "unknown")
                    ]
                    assert against, (pattern, told.to_text())
                    assert any(one.rule is not None for one in against)
        state.step(rnd.randrange(state.count(player)), player)
    assert verdicts["illegal"] > 2


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_legal_move_is_legal_by_its_rule_alone(ruleset: str) -> None:
    """Nothing in the reasons for a move speaks against it."""
    rnd = random.Random(ruleset)
    state = interpreter(ruleset).start(GAMES[ruleset], 9)
    for _ in range(60 if EVERYTHING else 20):
        if state.over:
            break
        player = state.to_act[0]
        told = state.explain(player, rnd.randrange(state.count(player)))
        assert told.legal
        assert told.reasons[0].kind == "case"
        assert told.reasons[0].rule is not None
        assert not any(one.kind in ("outside", "unknown") for one in reasons(told))
        state.step(rnd.randrange(state.count(player)), player)
