"""What lies on the table of Schoko & Co., by the rulebook alone (4.1, 4.2): material, money, ruin.

Sections and rulings (A72 ...) are those of the rulebook file. Nothing of Conche is used here. Money is in
thousands; seats are numbers from 0, clockwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

WAGES = {"worker": 6, "rep": 12, "secretary": 8, "bookkeeper": 10}
POOL = {"worker": 20, "rep": 16, "secretary": 16, "bookkeeper": 10}
BARS, LOANS, SHARES, SPACES = 114, 13, 10, 16
SHARE_PRICE = (50, 55, 61, 68, 75, 83, 92, 102, 113, 125, 138, 152)

CONTRACTS = {
    1: ((10, 22), (11, 24), (12, 25)),
    2: ((18, 40), (20, 42), (20, 44), (22, 46)),
    3: ((27, 54), (28, 57), (30, 60), (30, 63), (33, 66)),
    4: ((36, 68), (38, 72), (40, 76), (42, 80)),
    5: ((45, 80), (45, 85), (48, 90), (50, 95), (50, 100)),
    6: ((54, 96), (57, 108)),
}
CARDS = {f"c{low}_{high}": (bars, low, high) for bars, cards in CONTRACTS.items() for low, high in cards}
"""By name: bars, lowest and highest price."""

EVENTS = (
    "magenverstimmung",
    "schoko_protest",
    "schock_im_lager",
    "finanzzuschuss",
    "kakaoschock",
    "kakao_sitzt_fest",
    "arbeitsmarkt_leergefegt",
)
PHASE_1, PHASE_2, PHASE_3, PHASE_4, MARKERS_SET, CONTRACT_WON, PHASE_5 = range(7)
ALWAYS = range(7)
BEFORE_PRODUCTION = (PHASE_1, PHASE_2, PHASE_3)
EXPRESS = {
    "bedauerlich": ALWAYS,
    "fuerchterlich": ALWAYS,
    "skandaloes": (CONTRACT_WON,),
    "ruehrend": ALWAYS,
    "schlapp": ALWAYS,
    "katastrophal": BEFORE_PRODUCTION,
    "grosszuegig": ALWAYS,
    "entsetzlich": (MARKERS_SET, CONTRACT_WON),
    "spitze": ALWAYS,
    "schmerzlich": BEFORE_PRODUCTION,
    "schlimm": (CONTRACT_WON,),
    "unglaublich": ALWAYS,
}
"""By name: the windows in which it can be played (4.5, A99)."""


class LastSurvivorError(Exception):
    """One player is left: the game is over (A72)."""


class Firm:
    """What one player has, and what lasts for a month."""

    def __init__(self) -> None:
        self.cash, self.loans, self.shares = 100, 0, 0
        self.cocoa, self.chocolate, self.marker = 0, 0, 0
        self.staff: Counter[str] = Counter()
        self.office: list[str] = []
        self.bookkeeping: list[str] = []
        self.cards: set[str] = set()
        self.knows_event = False
        self.new_month()

    def new_month(self) -> None:
        self.hired: Counter[str] = Counter()
        self.fired: Counter[str] = Counter()
        self.salaries = self.deals = 0
        self.leave = ""
        self.hit = self.tired = self.idle = self.slack = False

    @property
    def employees(self) -> int:
        return sum(self.staff.values())

    def working(self, category: str) -> int:
        """Those of a category who work this month (A101: who is on vacation is the last to be fired)."""
        return max(0, self.staff[category] - (self.leave == category))


class Table:
    """The position of a game, and what moves money and material."""

    def __init__(self, players: int, months: int = 8, banker: int = 0) -> None:
        self.players, self.months, self.month = players, months, 0
        self.first = (min(banker, players - 1) + 1) % players  # A92
        self.firms = [Firm() for _ in range(players)]
        self.out: list[int] = []
        self.bank_bars, self.loan_cards, self.shares_left = BARS, LOANS, SHARES
        self.pool = Counter(POOL)
        self.deck = set(CARDS)
        self.under: list[str] = []
        """The known bottom of the deck, from top to bottom."""
        self.event_deck = set(EVENTS)
        self.top_event = ""
        """The top event, once somebody has looked."""
        self.past: list[str] = []
        self.news = ""
        self.played: list[str] = []
        self.price: dict[str, int] = {}
        self.won_in: dict[str, int] = {}
        self.paid_out = 0
        """What the bank has paid, less what it got."""

    # -- seats

    def clockwise(self, start: int) -> Iterator[int]:
        """The seats clockwise; who has left when his turn comes is passed over."""
        for step in range(self.players):
            seat = (start + step) % self.players
            if seat not in self.out:
                yield seat

    def order(self) -> Iterator[int]:
        return self.clockwise(self.first)

    def living(self) -> list[int]:
        return [seat for seat in range(self.players) if seat not in self.out]

    @property
    def banker(self) -> int:
        """The last in player order (A93)."""
        return list(self.order())[-1]

    # -- money

    def receive(self, seat: int, amount: int) -> None:
        self.firms[seat].cash += amount
        self.paid_out += amount

    def borrow(self, seat: int) -> None:
        self.loan_cards -= 1
        self.firms[seat].loans += 1
        self.receive(seat, 50)

    def raise_cash(self, seat: int, amount: int) -> bool:
        """Takes loans until the amount is there (A72); whether it is."""
        while self.firms[seat].cash < amount and self.loan_cards:
            self.borrow(seat)
        return self.firms[seat].cash >= amount

    def owe(self, seat: int, amount: int) -> None:
        if self.raise_cash(seat, amount):
            self.receive(seat, -amount)
        else:
            self.leave(seat)

    def owe_to(self, seat: int, amount: int, creditor: int) -> None:
        """A102: the creditor gets what there is; who has left owes nothing more."""
        if seat in self.out:
            return
        enough = self.raise_cash(seat, amount)
        paid = amount if enough else self.firms[seat].cash
        self.firms[seat].cash -= paid
        self.firms[creditor].cash += paid
        if not enough:
            self.leave(seat)

    def leave(self, seat: int) -> None:
        """A72: all goes back; A103: bookkeeping first, then the office."""
        firm = self.firms[seat]
        self.receive(seat, -firm.cash)
        self.bank_bars += firm.cocoa + firm.chocolate
        self.loan_cards += firm.loans
        self.shares_left += firm.shares
        self.pool += firm.staff
        self.under += firm.bookkeeping + firm.office
        firm.cocoa = firm.chocolate = firm.loans = firm.shares = 0
        firm.staff, firm.office, firm.bookkeeping, firm.cards = Counter(), [], [], set()
        self.out.append(seat)
        if len(self.out) == self.players - 1:
            raise LastSurvivorError

    # -- the end

    def totals(self) -> list[int]:
        """4.6: cash, shares at this month's price, 60 for each loan."""
        price = SHARE_PRICE[max(0, self.month - 1)]
        return [firm.cash + price * firm.shares - 60 * firm.loans for firm in self.firms]

    def ranking(self) -> list[list[int]]:
        totals = self.totals()
        levels = sorted({totals[seat] for seat in self.living()}, reverse=True)
        places = [[seat for seat in self.living() if totals[seat] == level] for level in levels]
        return places + [[seat] for seat in reversed(self.out)]
