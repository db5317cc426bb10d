"""A referee of Schoko & Co.: who is asked what, in which order, with which options, by the rulebook alone.

`Referee.flow` is the game and its month as sections 4.2 and 4.3 tell them. The hidden purchases (4.7) are
played where `hidden` says so.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from schoko.asking import Answer, Args, Ask, Draw, Drawn, Flow, Listed, Offers, Option
from schoko.table import (
    CARDS,
    CONTRACT_WON,
    EVENTS,
    EXPRESS,
    MARKERS_SET,
    PHASE_1,
    PHASE_2,
    PHASE_3,
    PHASE_4,
    PHASE_5,
    SHARE_PRICE,
    SPACES,
    WAGES,
    LastSurvivorError,
)
from schoko.windows import Windows


class Referee(Windows):
    """`bids`: what was chosen at once, when all have. `on_table`, `asking`: the contract and its price."""

    def __init__(self, players: int, months: int = 8, banker: int = 0, hidden: bool = False) -> None:
        self.hidden = hidden
        self.bids: list[tuple[int, Args]] = []
        self.asking = 0
        self.on_table = ""
        super().__init__(players, months, banker)

    def flow(self) -> Flow:
        yield from self.deal()
        try:
            for _ in range(self.months):
                yield from self.play_month()
                if self.month == self.months:
                    return  # A97
                self.first = next(self.clockwise(self.first + 1))
        except LastSurvivorError:
            return

    def deal(self) -> Flow:
        left = set(EXPRESS)
        for firm in self.firms:
            for _ in range(3):
                card = yield Draw("express_deck", frozenset(left))
                left.remove(card)
                firm.cards.add(card)

    def play_month(self) -> Flow:
        self.month += 1
        for firm in self.firms:
            firm.new_month()
        yield from self.peek()
        yield from self.window(PHASE_1)
        yield from self.staff()
        yield from self.loan_clause()
        if self.news != "kakaoschock":
            yield from self.window(PHASE_2)
            yield from self.cocoa()
        yield from self.window(PHASE_3)
        yield from self.produce()
        yield from self.window(PHASE_4)
        yield from self.sell()
        yield from self.window(PHASE_5)
        yield from self.books()
        if self.month > 1:
            yield from self.event()
        if self.month < self.months:
            yield from self.finance()

    def peek(self) -> Flow:
        if not self.event_deck and not self.top_event:  # A104
            self.event_deck, self.past = set(EVENTS), []
        for seat in self.order():
            firm = self.firms[seat]
            if firm.cash < 15 or firm.knows_event:
                continue
            if (yield from self.number(seat, "peek", "yes", (True, False))):
                self.receive(seat, -15)
                firm.knows_event = True
                if not self.top_event:
                    self.top_event = yield from self.draw_event()

    def draw_event(self) -> Drawn:
        card: str = yield Draw("events", frozenset(self.event_deck))
        self.event_deck.remove(card)
        return card

    # -- phase 1

    def staff(self) -> Flow:
        for seat in self.order():
            firm = self.firms[seat]
            while True:
                name, args = yield from self.ask(seat, "staff", Listed(self.changes(seat)))
                if name == "loan":
                    self.borrow(seat)
                    continue
                if args["do"] == "done":
                    break
                category, step = args["category"], 1 if args["do"] == "hire" else -1
                firm.staff[category] += step
                self.pool[category] -= step
                (firm.hired if step == 1 else firm.fired)[category] += 1
            firm.salaries = sum(WAGES[category] * number for category, number in firm.staff.items())
            severance = sum(WAGES[category] // 2 * number for category, number in firm.fired.items())
            self.owe(seat, firm.salaries + severance)

    def changes(self, seat: int) -> Iterator[Option]:
        firm = self.firms[seat]
        for category in WAGES:
            barred = category == "bookkeeper" and self.news == "arbeitsmarkt_leergefegt"
            if self.pool[category] and firm.hired[category] < 2 and not firm.fired[category] and not barred:
                yield "staff", {"do": "hire", "category": category}
            if firm.staff[category] and not firm.hired[category] and self.month > 1:
                yield "staff", {"do": "fire", "category": category}
        if self.loan_cards:
            yield "loan", {}
        yield "staff", {"do": "done"}

    def loan_clause(self) -> Flow:
        numbers = {seat: self.firms[seat].employees for seat in self.living()}
        for seat in self.order():
            firm = self.firms[seat]
            most = max(number for other, number in numbers.items() if other != seat)
            while firm.loans and firm.employees > most:
                kept = [category for category in WAGES if firm.staff[category]]
                category = yield from self.number(seat, "dismiss", "category", kept)
                firm.staff[category] -= 1
                self.pool[category] += 1
                firm.salaries -= WAGES[category]  # A95
                self.receive(seat, WAGES[category] // 2)

    # -- phase 2

    def cocoa(self) -> Flow:
        asked = 0
        for seat in self.order():
            while True:
                options = Listed(("request", {"bars": bars}) for bars in range(self.room(seat) + 1))
                if self.loan_cards:
                    options.append(("loan", {}))
                name, args = yield from self.ask(seat, "request", options)
                if name == "request":
                    asked += args["bars"]
                    break
                self.borrow(seat)
        each, surplus = divmod(min(asked, self.bank_bars), 5)
        for city in range(5):
            bars = each + (city >= 5 - surplus)
            if bars:
                yield from self.market(bars)

    def room(self, seat: int) -> int:
        return SPACES - self.firms[seat].cocoa

    def market(self, offered: int) -> Flow:
        asked = [seat for seat in self.order() if self.room(seat) and self.firms[seat].cash]
        options = {
            seat: Offers("bid", min(self.room(seat), offered), self.firms[seat].cash) for seat in asked
        }
        chosen: dict[int, Option] = (yield Ask("bid", dict(options))) if asked else {}
        self.bids += [(seat, chosen[seat][1]) for seat in asked]
        offers = {seat: (args["bars"], args["price"]) for seat, (_, args) in chosen.items() if args["bars"]}
        proven: set[int] = set()
        if self.hidden:
            offers, proven = yield from self.announce(offered, offers)
        for seat in sorted(offers, key=lambda seat: (-offers[seat][1], seat not in proven, self.place(seat))):
            if seat in self.out:
                continue
            bars, price = offers[seat]
            bought = min(bars, offered, self.room(seat), self.firms[seat].cash // price)
            offered -= bought
            self.bank_bars -= bought
            self.firms[seat].cocoa += bought
            self.receive(seat, -bought * price)

    def place(self, seat: int) -> int:
        """The place in player order."""
        return (seat - self.first) % self.players

    def announce(
        self, offered: int, forms: dict[int, tuple[int, int]]
    ) -> Generator[Ask | Draw, Answer, tuple[dict[int, tuple[int, int]], set[int]]]:
        """4.7, A74, A105: the offers that stand, and who was called and had told the truth."""
        offers: dict[int, tuple[int, int]] = {}
        proven: set[int] = set()
        for seat in self.order():
            if not self.room(seat):
                continue
            limits = Offers("announce", min(self.room(seat), offered), self.firms[seat].cash)
            _, args = yield from self.ask(seat, "announce", limits)
            if not args["bars"]:
                continue
            offers[seat] = args["bars"], args["price"]
            for other in self.clockwise(seat + 1):
                if other == seat or not (yield from self.number(other, "call", "yes", (True, False))):
                    continue
                if forms.get(seat) == offers[seat]:
                    proven.add(seat)
                    self.owe_to(other, 5, seat)
                else:
                    del offers[seat]
                    self.owe_to(seat, 5, other)
                break
        return offers, proven

    # -- phase 3

    def produce(self) -> Flow:
        for seat in self.order():
            firm = self.firms[seat]
            each = 1 if self.news == "kakao_sitzt_fest" else 2 if firm.tired else 3  # A79
            able = each * max(0, firm.working("worker") - firm.idle)
            most = min(able, firm.cocoa, SPACES - firm.chocolate)
            bars = yield from self.number(seat, "produce", "bars", range(most + 1))
            firm.cocoa -= bars
            firm.chocolate += bars

    # -- phase 4

    def sell(self) -> Flow:
        meetings = len(self.living())
        for seat in self.living():
            self.firms[seat].marker = min(15, meetings * self.firms[seat].working("rep"))
        number = min(max(self.firms[seat].marker for seat in self.living()), len(self.deck) + len(self.under))
        yield from self.window(MARKERS_SET)
        for _ in range(number):
            yield from self.negotiate()
        for seat in self.order():
            firm = self.firms[seat]
            for _ in range(firm.working("secretary")):
                if firm.office:
                    oldest = min(self.won_in[card] for card in firm.office)
                    papers = [card for card in firm.office if self.won_in[card] == oldest]
                    card = yield from self.number(seat, "process", "card", papers)
                    firm.office.remove(card)
                    firm.bookkeeping.append(card)

    def negotiate(self) -> Flow:
        if self.deck:
            card = yield Draw("contracts", frozenset(self.deck))
            self.deck.remove(card)
        else:
            card = self.under.pop(0)
        self.on_table, self.asking = card, 0
        bars, low, high = CARDS[card]
        present = []
        for seat in self.order():
            firm = self.firms[seat]
            if (
                firm.marker
                and firm.chocolate >= bars
                and (yield from self.number(seat, "attend", "yes", (True, False)))
            ):
                firm.marker -= 1
                present.append(seat)
        winner, price = (present[0], high) if len(present) == 1 else (-1, low)
        while len(present) > 1 and winner < 0:
            self.asking = price
            for seat in present:
                if winner < 0 and (yield from self.number(seat, "accept", "yes", (True, False))):
                    winner = seat
            if winner < 0:
                if price == high:
                    break
                steps = range(1, min(5, high - price) + 1)
                price += yield from self.number(self.banker, "raise", "by", steps)
        self.on_table = ""
        if winner < 0:
            self.under.append(card)
            return
        self.firms[winner].chocolate -= bars
        self.bank_bars += bars
        self.firms[winner].office.append(card)
        self.firms[winner].deals += 1
        self.price[card], self.won_in[card] = price, self.month
        yield from self.window(CONTRACT_WON, card, winner, present)

    # -- phases 5 to 7

    def books(self) -> Flow:
        for seat in self.order():
            firm = self.firms[seat]
            nothing = not firm.bookkeeping
            for _ in range(max(0, 2 * firm.working("bookkeeper") - firm.slack)):
                papers = [*firm.bookkeeping, None]
                card = yield from self.number(seat, "cash_out", "card", papers)
                if card is None:
                    break
                firm.bookkeeping.remove(card)
                self.under.append(card)
                self.receive(seat, self.price[card])
            if not firm.deals and nothing:  # A66
                sold = yield from self.number(seat, "emergency", "bars", range(min(2, firm.chocolate) + 1))
                firm.chocolate -= sold
                self.bank_bars += sold
                self.receive(seat, 10 * sold)

    def event(self) -> Flow:
        card = self.top_event or (yield from self.draw_event())
        self.top_event, self.news = "", card
        self.past.append(card)
        for firm in self.firms:
            firm.knows_event = False
        match card:
            case "magenverstimmung":
                for seat in self.order():
                    self.under += self.firms[seat].bookkeeping
                    self.firms[seat].bookkeeping = []
            case "schoko_protest":
                for seat in self.living():
                    lost = min(5, self.firms[seat].chocolate)
                    self.firms[seat].chocolate -= lost
                    self.bank_bars += lost
            case "schock_im_lager":
                for seat in self.order():
                    self.owe(seat, 5 * self.firms[seat].chocolate)
            case "finanzzuschuss":
                most = max(self.firms[seat].salaries for seat in self.living())
                best = [seat for seat in self.living() if self.firms[seat].salaries == most]
                for seat in best:
                    self.receive(seat, 50 // len(best))

    def finance(self) -> Flow:
        for seat in self.order():
            firm = self.firms[seat]
            while firm.cash < 10 * firm.loans and self.loan_cards:  # A98
                self.borrow(seat)
            self.owe(seat, 10 * firm.loans)
            if seat in self.out:
                continue
            loans = yield from self.number(
                seat, "repay", "loans", range(min(firm.loans, firm.cash // 50) + 1)
            )
            firm.loans -= loans
            self.loan_cards += loans
            self.receive(seat, -50 * loans)
            price = SHARE_PRICE[self.month - 1]
            trades = Listed(
                ("shares", {"buy": buy, "sell": 0})
                for buy in range(1, min(self.shares_left, firm.cash // price) + 1)
            )
            trades += [("shares", {"buy": 0, "sell": sell}) for sell in range(firm.shares + 1)]
            _, args = yield from self.ask(seat, "shares", trades)
            number = args["buy"] - args["sell"]
            firm.shares += number
            self.shares_left -= number
            self.receive(seat, -number * price)
