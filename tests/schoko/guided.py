"""Players of Schoko & Co. for tests: a firm that lasts, one that spends, one that does nothing.

Input: a state, the seat that is asked, dice. Output: the number of an option. They look at what that seat may
see and do, and at nothing else: `view`, `count`, `find`, and `legal_moves` where these are few.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from conche_runtime.interface import Move, State

Policy = Callable[[State, int, random.Random], int]
View = dict[str, Any]

REPS = {2: 2, 3: 1, 4: 1}
"""Sales reps of a small firm, by the number of players who are left: about four meetings."""

MANY = 60
"""Where there are more options, they are not listed."""


def steady(state: State, seat: int, rnd: random.Random) -> int:
    """Employs what it can use, buys near its need, sells when the price is good, keeps few loans; now and
    then anything at all."""
    if rnd.random() < 0.03 and state.count(seat) <= MANY:
        return rnd.randrange(state.count(seat))
    return _choose(state, seat, rnd, _sensible)


def disorderly(state: State, seat: int, rnd: random.Random) -> int:
    """Like `steady`, but has no secretaries: what it sells stays in the office."""
    return _choose(state, seat, rnd, _without_secretaries)


def spender(state: State, seat: int, rnd: random.Random) -> int:
    """Hires whom it can, buys dear and borrows: it will be ruined."""
    if rnd.random() < 0.03 and state.count(seat) <= MANY:
        return rnd.randrange(state.count(seat))
    return _choose(state, seat, rnd, _lavish)


def idler(state: State, seat: int, rnd: random.Random) -> int:
    """Does as little as it may."""
    return _choose(state, seat, rnd, _idle)


def trader(state: State, seat: int, rnd: random.Random) -> int:
    """Employs nobody; buys shares in one month and sells them in another."""
    return rnd.randrange(state.count(seat)) if state.decision == "shares" else idler(state, seat, rnd)


def seated(*policies: Policy) -> Policy:
    """A policy for each seat; the last one for all that follow."""

    def choose(state: State, seat: int, rnd: random.Random) -> int:
        return policies[min(seat, len(policies) - 1)](state, seat, rnd)

    return choose


def by_chance(state: State, seat: int, rnd: random.Random) -> int:
    return rnd.randrange(state.count(seat))


Worth = Callable[[Move, View, int, random.Random], float]


def _choose(state: State, seat: int, rnd: random.Random, worth: Worth) -> int:
    """The option of the highest worth. An offer for cocoa is made of numbers, as there may be thousands."""
    view = state.view(seat)
    if state.decision in ("bid", "announce"):
        return state.find(state.decision, _offer(view, seat, rnd, worth), seat)
    if state.decision == "call":
        return state.find("call", {"yes": rnd.random() < 0.15}, seat)
    moves = state.legal_moves(seat)
    worths = [worth(move, view, seat, rnd) for move in moves]
    return worths.index(max(worths))


def _offer(view: View, seat: int, rnd: random.Random, worth: Worth) -> dict[str, int]:
    cash, room = view["cash"][seat], min(16 - view["cocoa"][seat], view["offered"])
    lavish, dice = worth is _lavish, rnd.random()
    wish = room if lavish else min(room, _need(view, seat))
    if worth is _idle or not min(wish, cash) or dice < 0.1:
        return {"bars": 0, "price": 0}
    bars = wish if dice < 0.7 else rnd.randint(1, wish)
    bars = min(bars, cash)
    highest = cash // bars if lavish else min(cash // bars, 4)
    return {"bars": bars, "price": rnd.randint(min(highest, 1 + 2 * lavish), highest)}


def _need(view: View, seat: int) -> int:
    """Bars of cocoa that this seat's workers can use, and that can be sold."""
    return max(
        0,
        min(3 * view["staff"][seat].get("worker", 0), 14 - view["chocolate"][seat]) + 2 - view["cocoa"][seat],
    )


def _wanted(view: View, seat: int) -> dict[str, int]:
    """The staff that this seat's money and papers are enough for."""
    players = view["players"] - len(view["out"])
    office, bookkeeping = view["office"][seat], view["bookkeeping"][seat]
    wealth = view["cash"][seat] + sum(view["price"][card] for card in (*office, *bookkeeping)) // 2
    size = 2 if wealth < 90 else 3 if wealth < 160 else 4
    return {
        "worker": 2 * size - 2,
        "rep": REPS[players] + size // 3,
        "secretary": max(size, min(len(office), 4)),
        "bookkeeper": max(size // 2, min(3, (len(bookkeeping) + 1) // 2)),
    }


def _sensible(move: Move, view: View, seat: int, rnd: random.Random) -> float:
    args, cash = move.args, view["cash"][seat]
    dice = rnd.random()
    match move.name:
        case "staff" if args["do"] == "done":
            return 0.5
        case "staff":
            missing = _wanted(view, seat)[args["category"]] - view["staff"][seat].get(args["category"], 0)
            if args["do"] == "hire":
                return 0.4 + dice if missing > 0 else 0.0
            return 0.6 * dice if missing < -1 else 0.0
        case "dismiss" | "vacation":
            return dice
        case "loan":
            return 0.5 + dice if cash < 15 and view["loans"][seat] < 2 else 0.0
        case "request":
            return dice - abs(args["bars"] - _need(view, seat))
        case "produce" | "emergency":
            return dice + args["bars"]
        case "attend":
            return dice + (0.6 if args["yes"] else 0.0)
        case "accept":
            (card,) = view["table"]
            low, high = (int(price) for price in card[1:].split("_"))
            share = (view["asking"] - low) / (high - low)
            return 0.4 * dice + share if args["yes"] else 0.6
        case "raise":
            return dice
        case "process" | "cash_out":
            return dice + view["price"].get(args["card"], -1)
        case "repay":
            return dice + (args["loans"] if cash >= 50 * args["loans"] + 60 else -args["loans"])
        case "shares":
            if args["sell"]:
                return 0.5 * args["sell"] + dice if cash < 70 else 0.3 * dice
            return 2 * dice * args["buy"] if cash > 220 else 0.9 if not args["buy"] else 0.0
        case "peek":
            return dice + (0.0 if args["yes"] else 0.7 if cash > 60 else 2.0)
        case "express":
            return dice if args["card"] is not None else 0.93
        case _:
            return dice


def _without_secretaries(move: Move, view: View, seat: int, rnd: random.Random) -> float:
    if move.name == "staff" and move.args.get("category") == "secretary":
        return 0.0
    return _sensible(move, view, seat, rnd)


def _lavish(move: Move, view: View, seat: int, rnd: random.Random) -> float:
    args, dice = move.args, rnd.random()
    match move.name:
        case "staff":
            return {"hire": 1.0 + dice, "fire": 0.0, "done": 0.9}[args["do"]]
        case "loan":
            return 0.95 * dice
        case "request":
            return dice + args["bars"]
        case "shares":
            return dice + args["buy"]
        case "repay":
            return dice - args["loans"]
        case "peek" | "attend":
            return dice + (1.0 if args["yes"] else 0.0)
        case "accept":
            return 0.7 * dice + (0.3 if args["yes"] else 0.0)
        case "express":
            return dice if args["card"] is not None else 0.5
        case _:
            return _sensible(move, view, seat, rnd)


def _idle(move: Move, view: View, seat: int, rnd: random.Random) -> float:
    args = move.args
    if move.name == "staff":
        return 1.0 if args["do"] == "done" else 0.0
    if "yes" in args:
        return 0.0 if args["yes"] else 1.0
    if "card" in args:
        return 1.0 if args["card"] is None else 0.0
    return -sum(value for value in args.values() if isinstance(value, int)) - (move.name == "loan")
