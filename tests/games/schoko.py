"""Schoko & Co. as the tests play it: on the interpreter, by chance and by a plain plan."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from conche import pipeline
from conche.interpret import Interpreter, InterpreterState
from conche_runtime.interface import Move

Policy = Callable[[InterpreterState, int, random.Random], int]


@cache
def schoko(ruleset: str = "schoko") -> Interpreter:
    return Interpreter(pipeline.check(ruleset).must())


def by_chance(state: InterpreterState, seat: int, rnd: random.Random) -> int:
    return rnd.randrange(state.count(seat))


def by_plan(state: InterpreterState, seat: int, rnd: random.Random) -> int:
    """Hires a small staff, bids low, makes and sells what it can: such games last, and come to all phases."""
    moves = state.legal_moves(seat)
    view = state.view(seat)
    return rnd.choices(range(len(moves)), [_worth(move, view, seat) for move in moves])[0]


def _worth(move: Move, view: dict[str, object], seat: int) -> float:
    args = move.args
    staff = view["staff"]
    assert isinstance(staff, list)
    match move.name:
        case "staff" if args["do"] == "hire":
            return 0.0 if staff[seat].get(args["category"], 0) >= 1 else 50.0
        case "staff":
            return {"fire": 0.001, "done": 1.0}[args["do"]]
        case "loan":
            return 0.001
        case "request":
            return 1.0 + args["bars"]
        case "bid" | "announce":
            return 0.1 if not args["bars"] else args["bars"] if args["price"] <= 3 else 0.001
        case "produce":
            return 1.0 + 10 * args["bars"]
        case "attend":
            return 9.0 if args["yes"] else 1.0
        case "cash_out":
            return 9.0 if args["card"] is not None else 1.0
        case "express":
            return 0.5 if args["card"] is not None else 1.0
        case _:
            return 1.0
