"""A game of Schoko & Co. on an engine, watched by the referee: at every decision both must agree.

Input: an engine, a policy. What is compared: who is asked, under which name, with which options; all that
lies on the table; what was done without asking; what was chosen at once; in the end wealth and ranking.
Offers are compared by their number and at their bounds, as there can be thousands.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from conche_runtime.interface import ChanceEvent, ChosenEvent, Engine, ForcedEvent, RevealEvent, State
from schoko.asking import Ask, Draw, Offers
from schoko.guided import Policy
from schoko.referee import Referee
from schoko.table import BARS, CARDS, EVENTS, EXPRESS, LOANS, POOL, SHARES, SPACES, WAGES

PASSES = {"peek": {"yes": False}, "express": {"card": None, "target": None}}
"""Decisions that nobody is asked who can only pass: the referee does not note them."""


def key(name: str, args: dict[str, Any]) -> tuple[Any, ...]:
    return name, *sorted(args.items())


class Watched:
    """One game. `state` is at a decision, or over; `step` plays on."""

    def __init__(self, engine: Engine, players: int, seed: int) -> None:
        options = engine.options
        banker = engine.seats.index(options["first_banker"])
        hidden = "hidden_purchases" in engine.versions
        self.state = engine.start(players, seed, log=True)
        self.referee = Referee(players, int(options["months"]), banker, hidden)
        self.chosen: dict[int, tuple[str, dict[str, Any]]] = {}
        self.seen = Counter[str]()
        """How often each decision was asked, and each card or event happened."""
        self._follow()

    def step(self, index: int, seat: int) -> None:
        move = self.state.move(index, seat)
        self.seen[move.name] += 1
        if move.args.get("buy"):
            self.seen[f"bought in month {self.referee.month}"] += 1
        self.chosen[seat] = move.name, move.args
        self.state.step(index, seat)
        now = self.referee.now
        assert isinstance(now, Ask)
        if len(self.chosen) == len(now.options):
            self._answer()
        self._follow()

    def _answer(self) -> None:
        """All have chosen whom the referee asks."""
        now, chosen = self.referee.now, self.chosen
        assert isinstance(now, Ask)
        self.chosen = {}
        self.referee.answer(chosen)

    def _follow(self) -> None:
        """The referee catches up: it is told the outcomes, and its notes are held against the events."""
        assert self.state.log is not None
        events = list(self.state.log)
        self.state.log.clear()
        draws = deque(event for event in events if isinstance(event, ChanceEvent))
        referee = self.referee
        while isinstance(referee.now, Draw):
            event = draws.popleft()
            assert event.source == referee.now.source
            assert event.value in referee.now.outcomes
            self.seen[str(event.value)] += 1
            referee.answer(event.value)
        assert not draws
        self._compare_notes(events)

    def _compare_notes(self, events: list[Any]) -> None:
        referee = self.referee
        forced = [
            (event.player, event.name, dict(event.args))
            for event in events
            if isinstance(event, ForcedEvent) and dict(event.args) != PASSES.get(event.name)
        ]
        assert forced == referee.forced
        bids = [
            (event.player, dict(event.args))
            for event in events
            if isinstance(event, ChosenEvent) and not (event.forced and not event.args["bars"])
        ]
        assert bids == referee.bids
        referee.forced.clear()
        referee.bids.clear()
        for event in events:
            if isinstance(event, RevealEvent):
                self.seen[f"reveal {event.what.split('[')[0]}"] += 1

    # -- comparing

    def check(self, every_offer: bool = False) -> None:
        """Both agree on this position."""
        shot = self.state.snapshot()
        conserved(shot)
        self._compare_asked(every_offer)
        self._compare_table(shot)

    def _compare_asked(self, every_offer: bool) -> None:
        now, state = self.referee.now, self.state
        if state.over:
            assert now is None
            assert [score["total"] for score in state.scores] == self.referee.totals()
            assert state.ranking == self.referee.ranking()
            return
        assert isinstance(now, Ask)
        assert state.decision == now.name
        assert state.to_act == tuple(seat for seat in now.options if seat not in self.chosen)
        for seat in state.to_act:
            options = now.options[seat]
            assert state.count(seat) == len(options)
            if isinstance(options, Offers) and not every_offer:
                _compare_bounds(state, seat, options)
            else:
                here = [key(move.name, move.args) for move in state.legal_moves(seat)]
                assert len(set(here)) == len(here)
                assert set(here) == {key(name, args) for name, args in options}

    def _compare_table(self, shot: dict[str, Any]) -> None:
        table, living = self.referee, self.referee.living()
        assert shot["out"] == table.out
        for name in ("cash", "loans", "shares", "cocoa", "chocolate"):
            assert shot[name] == [getattr(firm, name) for firm in table.firms], name
        for name in ("office", "bookkeeping"):
            assert shot[name] == [getattr(firm, name) for firm in table.firms], name
        for seat in living:
            firm = table.firms[seat]
            assert Counter(shot["staff"][seat]) == firm.staff
            assert set(shot["cards"][seat]) == firm.cards
            assert shot["marker"][seat] == firm.marker
            assert (shot["salaries"][seat], shot["deals"][seat]) == (firm.salaries, firm.deals)
            marks = [shot[name][seat] for name in ("hit", "tired", "idle", "slack")]
            assert marks == [firm.hit, firm.tired, firm.idle, firm.slack]
            assert (shot["on_leave"][seat] or "") == firm.leave
            for card in (*firm.office, *firm.bookkeeping):
                assert (shot["price"][card], shot["won_in"][card]) == (table.price[card], table.won_in[card])
        assert shot["ledger"] == -100 * table.players - table.paid_out
        assert (shot["bank_bars"], shot["loan_cards"]) == (table.bank_bars, table.loan_cards)
        assert shot["shares_left"] == table.shares_left
        assert Counter(shot["labour"]) == table.pool
        assert shot["played"] == table.played
        assert shot["past_events"] == table.past
        assert shot["table"] == ([table.on_table] if table.on_table else [])
        if not self.state.over:
            assert (shot["date"], shot["first"]) == (table.month, table.first)
            assert not table.on_table or shot["asking"] == table.asking
        deck = shot["contracts"]
        under = deck.get("bottom", []) if "unknown" in deck else []
        assert under == table.under


def _compare_bounds(state: State, seat: int, options: Offers) -> None:
    """For each number of bars the cheapest and the dearest offer, where they stand among the options."""
    assert state.move(0, seat).args == {"bars": 0, "price": 0}
    first = 1
    for bars in range(1, options.bars + 1):
        dearest = options.cash // bars
        if dearest:
            assert state.move(first, seat).args == {"bars": bars, "price": 1}
            assert state.move(first + dearest - 1, seat).args == {"bars": bars, "price": dearest}
        first += dearest


# ------------------------------------------------------------------------------------------- conservation


def pieces(heap: Any) -> Counter[str]:
    """The pieces of a zone of a snapshot, however it is shown."""
    if isinstance(heap, list):
        return Counter(heap)
    if "unknown" in heap:
        return Counter(heap["unknown"]) + Counter(heap["top"]) + Counter(heap["bottom"])
    return Counter(heap)


def conserved(shot: dict[str, Any]) -> None:
    """Money, bars, cards and staff are all there, and no store or track is over its bound (4.1)."""
    seats = range(shot["players"])
    assert shot["ledger"] + sum(shot["cash"]) == 0
    assert min(shot["cash"]) >= 0
    assert shot["bank_bars"] + sum(shot["cocoa"]) + sum(shot["chocolate"]) == BARS
    assert shot["loan_cards"] + sum(shot["loans"]) == LOANS
    assert shot["shares_left"] + sum(shot["shares"]) == SHARES
    assert min(shot["bank_bars"], shot["loan_cards"], shot["shares_left"]) >= 0
    for name, bound in (("cocoa", SPACES), ("chocolate", SPACES), ("marker", 15)):
        assert all(0 <= number <= bound for number in shot[name]), name
    contracts = pieces(shot["contracts"]) + pieces(shot["table"])
    staff, express = pieces(shot["labour"]), pieces(shot["express_deck"]) + pieces(shot["played"])
    for seat in seats:
        contracts += pieces(shot["office"][seat]) + pieces(shot["bookkeeping"][seat])
        staff += pieces(shot["staff"][seat])
        express += pieces(shot["cards"][seat])
        for category in WAGES:
            assert shot["hired"][seat].count(category) <= 2
        assert not set(shot["hired"][seat]) & set(shot["fired"][seat])
    assert contracts == Counter(dict.fromkeys(CARDS, 1))
    assert staff == Counter(POOL)
    assert express == Counter(dict.fromkeys(EXPRESS, 1))
    assert pieces(shot["events"]) + pieces(shot["drawn"]) + pieces(shot["past_events"]) == Counter(EVENTS)
    if shot["table"] and shot["asking"]:
        (card,) = shot["table"]
        assert CARDS[card][1] <= shot["asking"] <= CARDS[card][2]


def watch(
    engine: Engine, players: int, seed: int, policy: Policy, every_offer: bool = False
) -> Iterator[Watched]:
    """Every decision of one game, checked, and its end."""
    dice = random.Random(seed)
    game = Watched(engine, players, seed)
    while True:
        game.check(every_offer)
        yield game
        if game.state.over:
            return
        seat = dice.choice(game.state.to_act)
        game.step(policy(game.state, seat, dice), seat)
