"""Schoko & Co., played by its rules.

Made by `conche build schoko`. Do not change it: change the rules.
Rules: rules/schoko/schoko.rules
Rules digest: c50693f1519c4f8c11029e38972606d7c3a0d666b76810f499ca93094c097ead
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from conche_runtime import (
    ALL,
    EMPTY,
    FLAG,
    MISSING,
    NOTHING,
    NUMBER,
    OVER,
    TEXT,
    TURNS,
    UNSET,
    AtOnce,
    Codec,
    Decision,
    EngineMove,
    EngineState,
    Fault,
    Game,
    GeneratedEngine,
    ItemsCodec,
    MaybeCodec,
    NameCodec,
    NumberCodec,
    Pool,
    Stream,
    Variable,
    Zone,
    clockwise,
    eliminate,
    empty,
    gather,
    illegal,
    items_in,
    kinds_in,
    kinds_of_row,
    known,
    legal,
    look_at,
    next_seat,
    no_room,
    not_there,
    out_of_bounds,
    without,
)

FILE = "rules/schoko/schoko.rules"


# ------------------------------------------------------------------ kinds, boards, tables

SEAT = NumberCodec(0, 3)
CONTRACT = NameCodec(
    (
        "c10_22",
        "c11_24",
        "c12_25",
        "c18_40",
        "c20_42",
        "c20_44",
        "c22_46",
        "c27_54",
        "c28_57",
        "c30_60",
        "c30_63",
        "c33_66",
        "c36_68",
        "c38_72",
        "c40_76",
        "c42_80",
        "c45_80",
        "c45_85",
        "c48_90",
        "c50_95",
        "c50_100",
        "c54_96",
        "c57_108",
    ),
)
EVENT = NameCodec(
    (
        "magenverstimmung",
        "schoko_protest",
        "schock_im_lager",
        "finanzzuschuss",
        "kakaoschock",
        "kakao_sitzt_fest",
        "arbeitsmarkt_leergefegt",
    ),
)
EXPRESS = NameCodec(
    (
        "bedauerlich",
        "fuerchterlich",
        "skandaloes",
        "ruehrend",
        "schlapp",
        "katastrophal",
        "grosszuegig",
        "entsetzlich",
        "spitze",
        "schmerzlich",
        "schlimm",
        "unglaublich",
    ),
)
CITY = NameCodec(("new_york", "city_2", "city_3", "city_4", "city_5"))
STAFF = NameCodec(("worker", "rep", "secretary", "bookkeeper"))

CITY_PLACE = (0, 1, 2, 3, 4)  # by kind of City
# by kind of Contract
CONTRACT_BARS = (1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6)
# by kind of Contract
CONTRACT_HIGHEST = (
    22,
    24,
    25,
    40,
    42,
    44,
    46,
    54,
    57,
    60,
    63,
    66,
    68,
    72,
    76,
    80,
    80,
    85,
    90,
    95,
    100,
    96,
    108,
)
# by kind of Contract
CONTRACT_LOWEST = (10, 11, 12, 18, 20, 20, 22, 27, 28, 30, 30, 33, 36, 38, 40, 42, 45, 45, 48, 50, 50, 54, 57)
EXPRESS_CLOSES = (7, 7, 6, 7, 7, 3, 7, 6, 7, 3, 6, 7)  # by kind of Express
EXPRESS_OPENS = (1, 1, 6, 1, 1, 1, 1, 5, 1, 1, 6, 1)  # by kind of Express
STAFF_WAGE = (6, 12, 8, 10)  # by kind of Staff
MEETINGS_OF_A_REP = (0, 0, 2, 3, 4)  # by number
SHARE_PRICE = (50, 55, 61, 68, 75, 83, 92, 102, 113, 125, 138, 152)  # by number


# ------------------------------------------------------------------ the state


class State(EngineState):
    """A position of the game."""

    __slots__ = (
        "after_leave_the_game",
        "after_open_window",
        "after_owe",
        "after_win",
        "ask_for_bars_you",
        "asked",
        "asking",
        "bank_bars",
        "begin_month_you",
        "bid_bars",
        "bid_kept",
        "bid_price",
        "bid_you",
        "bookkeeping",
        "card_left",
        "card_left_",
        "cards",
        "cards_size",
        "cash",
        "ceded",
        "change_staff_dismissable",
        "chocolate",
        "city_left",
        "cocoa",
        "contracts",
        "contracts_bottom",
        "contracts_size",
        "contracts_top",
        "current",
        "date",
        "deals",
        "drawn",
        "events",
        "events_bottom",
        "events_bottom_known",
        "events_size",
        "events_top",
        "events_top_known",
        "express_deck",
        "express_deck_bottom",
        "express_deck_bottom_known",
        "express_deck_size",
        "express_deck_top",
        "express_deck_top_known",
        "express_target",
        "express_you",
        "file_contracts_you",
        "finance_you",
        "fired",
        "first",
        "haggle_you",
        "happen_schock_im_lager_p",
        "hire_and_fire_you",
        "hired",
        "hires_left",
        "hit",
        "idle",
        "keep_books_nothing_to_cash",
        "keep_books_you",
        "knows_event",
        "labour",
        "labour_size",
        "leave_the_game_p",
        "ledger",
        "limit",
        "loan_cards",
        "loan_clause_you",
        "loans",
        "make_chocolate_you",
        "marker",
        "negotiate_next_card",
        "negotiate_you",
        "news",
        "offered",
        "office",
        "on_leave",
        "open_window_number",
        "out",
        "owe_amount",
        "owe_debtor",
        "p_left",
        "past_events",
        "pay_interest_charged",
        "played",
        "playing",
        "price",
        "q_left",
        "requested",
        "round_goes_on",
        "ruined",
        "salaries",
        "severance",
        "shares",
        "shares_left",
        "slack",
        "staff",
        "staff_size",
        "strike_spitze_q",
        "supply",
        "table",
        "takes_part",
        "times_left",
        "times_left_",
        "times_left_2",
        "tired",
        "to_deal",
        "trade_shares_price",
        "win_card",
        "win_paid",
        "win_you",
        "window",
        "winner",
        "won_in",
        "you_left",
        "you_left_",
        "you_left_2",
        "you_left_3",
        "you_left_4",
        "you_left_5",
        "you_left_6",
        "you_left_7",
        "you_left_8",
        "you_left_9",
        "you_left_10",
        "you_left_11",
        "you_left_12",
    )
    asking: int
    bank_bars: int
    bid_bars: list[int]
    bid_price: list[int]
    cash: list[int]
    ceded: bool
    chocolate: list[int]
    cocoa: list[int]
    current: int
    date: int
    deals: list[int]
    fired: list[tuple[int, ...]]
    first: int
    hired: list[tuple[int, ...]]
    hires_left: list[int]
    hit: list[bool]
    idle: list[bool]
    knows_event: list[bool]
    ledger: int
    limit: list[int]
    loan_cards: int
    loans: list[int]
    marker: list[int]
    news: int
    offered: int
    on_leave: list[int]
    price: list[int]
    requested: list[int]
    ruined: list[bool]
    salaries: list[int]
    severance: list[int]
    shares: list[int]
    shares_left: int
    slack: list[bool]
    supply: int
    takes_part: list[bool]
    tired: list[bool]
    to_deal: int
    window: int
    winner: int
    won_in: list[int]
    bookkeeping: list[tuple[int, ...]]
    cards: list[int]
    cards_size: list[int]
    contracts: list[int]
    contracts_size: int
    contracts_top: tuple[int, ...]
    contracts_bottom: tuple[int, ...]
    drawn: tuple[int, ...]
    events: list[int]
    events_size: int
    events_top: tuple[int, ...]
    events_bottom: tuple[int, ...]
    events_top_known: tuple[int, ...]
    events_bottom_known: tuple[int, ...]
    express_deck: list[int]
    express_deck_size: int
    express_deck_top: tuple[int, ...]
    express_deck_bottom: tuple[int, ...]
    express_deck_top_known: tuple[int, ...]
    express_deck_bottom_known: tuple[int, ...]
    labour: list[int]
    labour_size: int
    office: list[tuple[int, ...]]
    past_events: tuple[int, ...]
    played: tuple[int, ...]
    staff: list[int]
    staff_size: list[int]
    table: tuple[int, ...]
    times_left: int
    you_left: int
    card_left: tuple[int, ...]
    p_left: int
    you_left_: int
    times_left_: int
    you_left_2: int
    round_goes_on: bool
    q_left: int
    you_left_3: int
    times_left_2: int
    card_left_: tuple[int, ...]
    you_left_4: int
    you_left_5: tuple[int, ...]
    you_left_6: int
    you_left_7: int
    city_left: tuple[int, ...]
    you_left_8: tuple[int, ...]
    you_left_9: int
    you_left_10: int
    you_left_11: int
    you_left_12: int
    happen_schock_im_lager_p: int
    strike_spitze_q: int
    ask_for_bars_you: int
    begin_month_you: int
    bid_you: int
    change_staff_dismissable: int
    express_you: int
    express_target: int
    file_contracts_you: int
    finance_you: int
    haggle_you: int
    hire_and_fire_you: int
    keep_books_you: int
    keep_books_nothing_to_cash: bool
    leave_the_game_p: int
    loan_clause_you: int
    make_chocolate_you: int
    negotiate_you: int
    negotiate_next_card: int
    open_window_number: int
    owe_debtor: int
    owe_amount: int
    pay_interest_charged: int
    trade_shares_price: int
    win_you: int
    win_card: int
    win_paid: int
    after_leave_the_game: Next
    after_open_window: Next
    after_owe: Next
    after_win: Next
    bid_kept: list[tuple[Any, ...]]
    asked: tuple[int, ...]
    out: tuple[int, ...]
    playing: tuple[int, ...]

    def clone(self) -> State:
        new = new_state(State)
        new.players = self.players
        new.at = self.at
        new.options = self.options
        new.actor = self.actor
        new.found = self.found
        new.seed = self.seed
        new.keys = self.keys
        new.draws = self.draws[:]
        new.chance = self.chance
        new.log = None
        new.asking = self.asking
        new.bank_bars = self.bank_bars
        new.bid_bars = self.bid_bars[:]
        new.bid_price = self.bid_price[:]
        new.cash = self.cash[:]
        new.ceded = self.ceded
        new.chocolate = self.chocolate[:]
        new.cocoa = self.cocoa[:]
        new.current = self.current
        new.date = self.date
        new.deals = self.deals[:]
        new.fired = self.fired[:]
        new.first = self.first
        new.hired = self.hired[:]
        new.hires_left = self.hires_left[:]
        new.hit = self.hit[:]
        new.idle = self.idle[:]
        new.knows_event = self.knows_event[:]
        new.ledger = self.ledger
        new.limit = self.limit[:]
        new.loan_cards = self.loan_cards
        new.loans = self.loans[:]
        new.marker = self.marker[:]
        new.news = self.news
        new.offered = self.offered
        new.on_leave = self.on_leave[:]
        new.price = self.price[:]
        new.requested = self.requested[:]
        new.ruined = self.ruined[:]
        new.salaries = self.salaries[:]
        new.severance = self.severance[:]
        new.shares = self.shares[:]
        new.shares_left = self.shares_left
        new.slack = self.slack[:]
        new.supply = self.supply
        new.takes_part = self.takes_part[:]
        new.tired = self.tired[:]
        new.to_deal = self.to_deal
        new.window = self.window
        new.winner = self.winner
        new.won_in = self.won_in[:]
        new.bookkeeping = self.bookkeeping[:]
        new.cards = self.cards[:]
        new.cards_size = self.cards_size[:]
        new.contracts = self.contracts[:]
        new.contracts_size = self.contracts_size
        new.contracts_top = self.contracts_top
        new.contracts_bottom = self.contracts_bottom
        new.drawn = self.drawn
        new.events = self.events[:]
        new.events_size = self.events_size
        new.events_top = self.events_top
        new.events_bottom = self.events_bottom
        new.events_top_known = self.events_top_known
        new.events_bottom_known = self.events_bottom_known
        new.express_deck = self.express_deck[:]
        new.express_deck_size = self.express_deck_size
        new.express_deck_top = self.express_deck_top
        new.express_deck_bottom = self.express_deck_bottom
        new.express_deck_top_known = self.express_deck_top_known
        new.express_deck_bottom_known = self.express_deck_bottom_known
        new.labour = self.labour[:]
        new.labour_size = self.labour_size
        new.office = self.office[:]
        new.past_events = self.past_events
        new.played = self.played
        new.staff = self.staff[:]
        new.staff_size = self.staff_size[:]
        new.table = self.table
        new.times_left = self.times_left
        new.you_left = self.you_left
        new.card_left = self.card_left
        new.p_left = self.p_left
        new.you_left_ = self.you_left_
        new.times_left_ = self.times_left_
        new.you_left_2 = self.you_left_2
        new.round_goes_on = self.round_goes_on
        new.q_left = self.q_left
        new.you_left_3 = self.you_left_3
        new.times_left_2 = self.times_left_2
        new.card_left_ = self.card_left_
        new.you_left_4 = self.you_left_4
        new.you_left_5 = self.you_left_5
        new.you_left_6 = self.you_left_6
        new.you_left_7 = self.you_left_7
        new.city_left = self.city_left
        new.you_left_8 = self.you_left_8
        new.you_left_9 = self.you_left_9
        new.you_left_10 = self.you_left_10
        new.you_left_11 = self.you_left_11
        new.you_left_12 = self.you_left_12
        new.happen_schock_im_lager_p = self.happen_schock_im_lager_p
        new.strike_spitze_q = self.strike_spitze_q
        new.ask_for_bars_you = self.ask_for_bars_you
        new.begin_month_you = self.begin_month_you
        new.bid_you = self.bid_you
        new.change_staff_dismissable = self.change_staff_dismissable
        new.express_you = self.express_you
        new.express_target = self.express_target
        new.file_contracts_you = self.file_contracts_you
        new.finance_you = self.finance_you
        new.haggle_you = self.haggle_you
        new.hire_and_fire_you = self.hire_and_fire_you
        new.keep_books_you = self.keep_books_you
        new.keep_books_nothing_to_cash = self.keep_books_nothing_to_cash
        new.leave_the_game_p = self.leave_the_game_p
        new.loan_clause_you = self.loan_clause_you
        new.make_chocolate_you = self.make_chocolate_you
        new.negotiate_you = self.negotiate_you
        new.negotiate_next_card = self.negotiate_next_card
        new.open_window_number = self.open_window_number
        new.owe_debtor = self.owe_debtor
        new.owe_amount = self.owe_amount
        new.pay_interest_charged = self.pay_interest_charged
        new.trade_shares_price = self.trade_shares_price
        new.win_you = self.win_you
        new.win_card = self.win_card
        new.win_paid = self.win_paid
        new.after_leave_the_game = self.after_leave_the_game
        new.after_open_window = self.after_open_window
        new.after_owe = self.after_owe
        new.after_win = self.after_win
        new.bid_kept = self.bid_kept[:]
        new.asked = self.asked
        new.out = self.out
        new.playing = self.playing
        return new


new_state = State.__new__
Next: TypeAlias = Callable[[State], "Next"] | None


def blank(players: int) -> State:
    """A state before the set-up."""
    state = new_state(State)
    state.players = players
    state.asking = 0
    state.bank_bars = 114
    state.bid_bars = [0] * players
    state.bid_price = [0] * players
    state.cash = [100] * players
    state.ceded = False
    state.chocolate = [0] * players
    state.cocoa = [0] * players
    state.current = UNSET
    state.date = 0
    state.deals = [0] * players
    state.fired = [()] * players
    state.first = 0
    state.hired = [()] * players
    state.hires_left = [8] * players
    state.hit = [False] * players
    state.idle = [False] * players
    state.knows_event = [False] * players
    state.ledger = 0
    state.limit = [0] * players
    state.loan_cards = 13
    state.loans = [0] * players
    state.marker = [0] * players
    state.news = NOTHING
    state.offered = 0
    state.on_leave = [NOTHING] * players
    state.price = [0] * 23
    state.requested = [0] * players
    state.ruined = [False] * players
    state.salaries = [0] * players
    state.severance = [0] * players
    state.shares = [0] * players
    state.shares_left = 10
    state.slack = [False] * players
    state.supply = 0
    state.takes_part = [False] * players
    state.tired = [False] * players
    state.to_deal = 0
    state.window = 1
    state.winner = NOTHING
    state.won_in = [0] * 23
    state.bookkeeping = [()] * players
    state.cards = [0] * (12 * players)
    state.cards_size = [0] * players
    state.contracts = [0] * 23
    state.contracts_size = 0
    state.contracts_top = ()
    state.contracts_bottom = ()
    state.drawn = ()
    state.events = [0] * 7
    state.events_size = 0
    state.events_top = ()
    state.events_bottom = ()
    state.events_top_known = ()
    state.events_bottom_known = ()
    state.express_deck = [0] * 12
    state.express_deck_size = 0
    state.express_deck_top = ()
    state.express_deck_bottom = ()
    state.express_deck_top_known = ()
    state.express_deck_bottom_known = ()
    state.labour = [0] * 4
    state.labour_size = 0
    state.office = [()] * players
    state.past_events = ()
    state.played = ()
    state.staff = [0] * (4 * players)
    state.staff_size = [0] * players
    state.table = ()
    state.times_left = 0
    state.you_left = 0
    state.card_left = ()
    state.p_left = 0
    state.you_left_ = 0
    state.times_left_ = 0
    state.you_left_2 = 0
    state.round_goes_on = False
    state.q_left = 0
    state.you_left_3 = 0
    state.times_left_2 = 0
    state.card_left_ = ()
    state.you_left_4 = 0
    state.you_left_5 = ()
    state.you_left_6 = 0
    state.you_left_7 = 0
    state.city_left = ()
    state.you_left_8 = ()
    state.you_left_9 = 0
    state.you_left_10 = 0
    state.you_left_11 = 0
    state.you_left_12 = 0
    state.happen_schock_im_lager_p = 0
    state.strike_spitze_q = 0
    state.ask_for_bars_you = 0
    state.begin_month_you = 0
    state.bid_you = 0
    state.change_staff_dismissable = 0
    state.express_you = 0
    state.express_target = 0
    state.file_contracts_you = 0
    state.finance_you = 0
    state.haggle_you = 0
    state.hire_and_fire_you = 0
    state.keep_books_you = 0
    state.keep_books_nothing_to_cash = False
    state.leave_the_game_p = 0
    state.loan_clause_you = 0
    state.make_chocolate_you = 0
    state.negotiate_you = 0
    state.negotiate_next_card = 0
    state.open_window_number = 0
    state.owe_debtor = 0
    state.owe_amount = 0
    state.pay_interest_charged = 0
    state.trade_shares_price = 0
    state.win_you = 0
    state.win_card = 0
    state.win_paid = 0
    state.after_leave_the_game = None
    state.after_open_window = None
    state.after_owe = None
    state.after_win = None
    state.bid_kept = [()] * players
    state.asked = ()
    state.out = ()
    state.playing = tuple(range(players))
    return state


# what is kept up to date is worked out anew
def refresh(state: State) -> None:
    del state


# one piece of contracts
def draw_contracts(state: State, seen: int) -> int:
    if state.contracts_top:
        kind = state.contracts_top[0]
        state.contracts_top = state.contracts_top[1:]
        return kind
    size = state.contracts_size
    if not size:
        if state.contracts_bottom:
            kind_ = state.contracts_bottom[0]
            state.contracts_bottom = state.contracts_bottom[1:]
            return kind_
        raise empty(state, "contracts", -1)
    state.contracts_size = size - 1
    return state.draw(state.contracts, 0, 23, size, 0, seen)


# one piece of events
def draw_events(state: State, seen: int) -> int:
    if state.events_top:
        kind = state.events_top[0]
        state.events_top = state.events_top[1:]
        if state.log is not None:
            state.note_learnt("events", None, kind, state.events_top_known[0], seen)
        state.events_top_known = state.events_top_known[1:]
        return kind
    size = state.events_size
    if not size:
        if state.events_bottom:
            kind_ = state.events_bottom[0]
            state.events_bottom = state.events_bottom[1:]
            if state.log is not None:
                state.note_learnt("events", None, kind_, state.events_bottom_known[0], seen)
            state.events_bottom_known = state.events_bottom_known[1:]
            return kind_
        raise empty(state, "events", -1)
    state.events_size = size - 1
    return state.draw(state.events, 0, 7, size, 1, seen)


# one piece of express_deck
def draw_express_deck(state: State, seen: int) -> int:
    if state.express_deck_top:
        kind = state.express_deck_top[0]
        state.express_deck_top = state.express_deck_top[1:]
        if state.log is not None:
            state.note_learnt("express_deck", None, kind, state.express_deck_top_known[0], seen)
        state.express_deck_top_known = state.express_deck_top_known[1:]
        return kind
    size = state.express_deck_size
    if not size:
        if state.express_deck_bottom:
            kind_ = state.express_deck_bottom[0]
            state.express_deck_bottom = state.express_deck_bottom[1:]
            if state.log is not None:
                state.note_learnt("express_deck", None, kind_, state.express_deck_bottom_known[0], seen)
            state.express_deck_bottom_known = state.express_deck_bottom_known[1:]
            return kind_
        raise empty(state, "express_deck", -1)
    state.express_deck_size = size - 1
    return state.draw(state.express_deck, 0, 12, size, 2, seen)


# ------------------------------------------------------------------ moves


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Shares(EngineMove):
    name: ClassVar[str] = "shares"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("buy", "buy", NUMBER, ...),
        ("sell", "sell", NUMBER, ...),
    )
    buy: int
    sell: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Repay(EngineMove):
    name: ClassVar[str] = "repay"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("loans", "loans", NUMBER, ...),)
    loans: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CashOut(EngineMove):
    name: ClassVar[str] = "cash_out"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("card", "card", CONTRACT, ...),
        ("card", "card", MaybeCodec(TEXT), ...),
    )
    card: str | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Emergency(EngineMove):
    name: ClassVar[str] = "emergency"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("bars", "bars", NUMBER, ...),)
    bars: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Express(EngineMove):
    name: ClassVar[str] = "express"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("card", "card", EXPRESS, ...),
        ("target", "target", SEAT, ...),
        ("card", "card", MaybeCodec(TEXT), ...),
        ("target", "target", MaybeCodec(TEXT), ...),
    )
    card: str | None
    target: int | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Vacation(EngineMove):
    name: ClassVar[str] = "vacation"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("category", "category", STAFF, ...),)
    category: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Process(EngineMove):
    name: ClassVar[str] = "process"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("card", "card", CONTRACT, ...),)
    card: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Attend(EngineMove):
    name: ClassVar[str] = "attend"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("yes", "yes", FLAG, ...),)
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Accept(EngineMove):
    name: ClassVar[str] = "accept"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("yes", "yes", FLAG, ...),)
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Raise(EngineMove):
    name: ClassVar[str] = "raise"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("by", "by", NUMBER, ...),)
    by: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Produce(EngineMove):
    name: ClassVar[str] = "produce"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("bars", "bars", NUMBER, ...),)
    bars: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Bid(EngineMove):
    name: ClassVar[str] = "bid"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("bars", "bars", NUMBER, ...),
        ("price", "price", NUMBER, ...),
    )
    bars: int
    price: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Request(EngineMove):
    name: ClassVar[str] = "request"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("bars", "bars", NUMBER, ...),)
    bars: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Loan(EngineMove):
    name: ClassVar[str] = "loan"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Dismiss(EngineMove):
    name: ClassVar[str] = "dismiss"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("category", "category", STAFF, ...),)
    category: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Staff(EngineMove):
    name: ClassVar[str] = "staff"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("do", "do", TEXT, ...),
        ("category", "category", STAFF, None),
    )
    do: str
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Peek(EngineMove):
    name: ClassVar[str] = "peek"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("yes", "yes", FLAG, ...),)
    yes: bool


TRADE_SHARES_SHARES_BUY_MOVES = Pool(Shares, ("buy", NUMBER), sell=0)
TRADE_SHARES_SHARES_SELL_MOVES = Pool(Shares, ("sell", NUMBER), buy=0)
TRADE_SHARES_SHARES_PASS_MOVES = Pool(Shares, buy=0, sell=0)
REPAY_LOANS_N0_MOVES = Pool(Repay, ("loans", NUMBER))
REPAY_LOANS_PASS_MOVES = Pool(Repay, loans=0)
KEEP_BOOKS_CASH_OUT_N0_MOVES = Pool(CashOut, ("card", CONTRACT))
KEEP_BOOKS_CASH_OUT_STOP_MOVES = Pool(CashOut, ("card", MaybeCodec(TEXT)))
KEEP_BOOKS_EMERGENCY_MOVES = Pool(Emergency, ("bars", NUMBER))
EXPRESS__N0_MOVES = Pool(Express, ("card", EXPRESS), ("target", SEAT))
EXPRESS__PASS_MOVES = Pool(Express, ("card", MaybeCodec(TEXT)), ("target", MaybeCodec(TEXT)))
STRIKE_GROSSZUEGIG_VACATION_MOVES = Pool(Vacation, ("category", STAFF))
FILE_CONTRACTS_PROCESS_MOVES = Pool(Process, ("card", CONTRACT))
NEGOTIATE_ATTEND_N0_MOVES = Pool(Attend, yes=True)
NEGOTIATE_ATTEND_N1_MOVES = Pool(Attend, yes=False)
HAGGLE_ACCEPT_N0_MOVES = Pool(Accept, yes=True)
HAGGLE_ACCEPT_N1_MOVES = Pool(Accept, yes=False)
HAGGLE_RAISE_MOVES = Pool(Raise, ("by", NUMBER))
MAKE_CHOCOLATE_PRODUCE_MOVES = Pool(Produce, ("bars", NUMBER))
BID_N0_MOVES = Pool(Bid, bars=0, price=0)
BID_BUY_MOVES = Pool(Bid, ("bars", NUMBER), ("price", NUMBER))
ASK_FOR_BARS_REQUEST_N0_MOVES = Pool(Request, ("bars", NUMBER))
ASK_FOR_BARS_REQUEST_LOAN_MOVES = Pool(Loan)
LOAN_CLAUSE_DISMISS_MOVES = Pool(Dismiss, ("category", STAFF))
CHANGE_STAFF_STAFF_HIRE_MOVES = Pool(Staff, ("category", STAFF), do="hire")
CHANGE_STAFF_STAFF_FIRE_MOVES = Pool(Staff, ("category", STAFF), do="fire")
CHANGE_STAFF_STAFF_LOAN_MOVES = Pool(Loan)
CHANGE_STAFF_STAFF_DONE_MOVES = Pool(Staff, do="done")
BEGIN_MONTH_PEEK_N0_MOVES = Pool(Peek, yes=True)
BEGIN_MONTH_PEEK_PASS_MOVES = Pool(Peek, yes=False)


# ------------------------------------------------------------------ queries


# schoko.rules:318 query bars_per_worker
def bars_per_worker(state: State, p: int) -> int:
    if state.news == 5:
        return 1
    if state.tired[p]:
        return 2
    return 3


# schoko.rules:280 query share
def share(state: State, bars: int, city: int) -> int:
    return bars // 5 + (1 if CITY_PLACE[city] >= 5 - bars % 5 else 0)


# schoko.rules:509 query targets
def targets(state: State, p: int, c: int) -> Sequence[int]:
    chocolate = state.chocolate
    hit = state.hit
    takes_part = state.takes_part
    if c == 10:
        return [
            q_
            for q_ in [q for q in state.playing if q != p and not hit[q]]
            if q_ == state.winner and takes_part[p] and not state.ceded
        ]
    if c == 2:
        return [
            q_3
            for q_3 in [q_2 for q_2 in state.playing if q_2 != p and not hit[q_2]]
            if q_3 == state.winner
            and takes_part[p]
            and not state.ceded
            and chocolate[p] >= CONTRACT_BARS[known(state.current, "current")]
        ]
    return [q_4 for q_4 in state.playing if q_4 != p and not hit[q_4]]


# ------------------------------------------------------------------ steps in which nobody decides


# schoko.rules:456 action happen.arbeitsmarkt_leergefegt
def happen_arbeitsmarkt_leergefegt(state: State) -> None:
    return


# schoko.rules:448 action happen.finanzzuschuss
def happen_finanzzuschuss(state: State) -> None:
    salaries = state.salaries
    best = max((salaries[p] for p in state.playing), default=0)
    favoured: tuple[int, ...] = tuple([p_ for p_ in state.playing if salaries[p_] == best])
    for p_2 in favoured:
        if p_2 in state.playing:
            receive(state, p_2, 50 // len(favoured))


# schoko.rules:455 action happen.kakao_sitzt_fest
def happen_kakao_sitzt_fest(state: State) -> None:
    return


# schoko.rules:454 action happen.kakaoschock
def happen_kakaoschock(state: State) -> None:
    return


# schoko.rules:433 action happen.magenverstimmung
def happen_magenverstimmung(state: State) -> None:
    bookkeeping = state.bookkeeping
    for p in clockwise(state, state.playing, state.first):
        for card in bookkeeping[p]:
            bookkeeping[p] = without(bookkeeping[p], card, "bookkeeping")
            state.contracts_bottom = (*state.contracts_bottom, card)


# schoko.rules:438 action happen.schoko_protest
def happen_schoko_protest(state: State) -> None:
    chocolate = state.chocolate
    for p in state.playing:
        lost = min(5, chocolate[p])
        value = chocolate[p] - lost
        if value < 0:
            raise out_of_bounds(state, "chocolate", p, value, 0, 16)
        chocolate[p] = value
        value_ = state.bank_bars + lost
        if value_ > 114:
            raise out_of_bounds(state, "bank_bars", -1, value_, 0, 114)
        state.bank_bars = value_


# schoko.rules:517 action strike.bedauerlich
def strike_bedauerlich(state: State, you: int, target: int) -> None:
    chocolate = state.chocolate
    lost = chocolate[target] // 3
    value = chocolate[target] - lost
    if value < 0:
        raise out_of_bounds(state, "chocolate", target, value, 0, 16)
    chocolate[target] = value
    value_ = state.bank_bars + lost
    if value_ > 114:
        raise out_of_bounds(state, "bank_bars", -1, value_, 0, 114)
    state.bank_bars = value_


# schoko.rules:549 action strike.entsetzlich
def strike_entsetzlich(state: State, you: int, target: int) -> None:
    marker = state.marker
    marker[target] = max(0, marker[target] - 2)


# schoko.rules:522 action strike.fuerchterlich
def strike_fuerchterlich(state: State, you: int, target: int) -> None:
    chocolate = state.chocolate
    for q in clockwise(state, state.playing, next_seat(state, state.playing, target, 1)):
        if q != target and chocolate[target] > 0:
            value = chocolate[target] - 1
            if value < 0:
                raise out_of_bounds(state, "chocolate", target, value, 0, 16)
            chocolate[target] = value
            if chocolate[q] < 16:
                value_ = chocolate[q] + 1
                if value_ > 16:
                    raise out_of_bounds(state, "chocolate", q, value_, 0, 16)
                chocolate[q] = value_
            else:
                value_2 = state.bank_bars + 1
                if value_2 > 114:
                    raise out_of_bounds(state, "bank_bars", -1, value_2, 0, 114)
                state.bank_bars = value_2


# schoko.rules:540 action strike.katastrophal
def strike_katastrophal(state: State, you: int, target: int) -> None:
    state.tired[target] = True


# schoko.rules:539 action strike.schlapp
def strike_schlapp(state: State, you: int, target: int) -> None:
    state.slack[target] = True


# schoko.rules:556 action strike.schlimm
def strike_schlimm(state: State, you: int, target: int) -> None:
    price = state.price
    current = known(state.current, "current")
    price[current] = price[current] // 2


# schoko.rules:555 action strike.schmerzlich
def strike_schmerzlich(state: State, you: int, target: int) -> None:
    state.idle[target] = True


# schoko.rules:528 action strike.skandaloes
def strike_skandaloes(state: State, you: int, target: int) -> None:
    chocolate = state.chocolate
    deals = state.deals
    office = state.office
    kept = min(CONTRACT_BARS[known(state.current, "current")], 16 - chocolate[target])
    value = chocolate[target] + kept
    if value > 16:
        raise out_of_bounds(state, "chocolate", target, value, 0, 16)
    chocolate[target] = value
    value_ = chocolate[you] - CONTRACT_BARS[known(state.current, "current")]
    if value_ < 0:
        raise out_of_bounds(state, "chocolate", you, value_, 0, 16)
    chocolate[you] = value_
    value_2 = state.bank_bars + CONTRACT_BARS[known(state.current, "current")] - kept
    if not 0 <= value_2 <= 114:
        raise out_of_bounds(state, "bank_bars", -1, value_2, 0, 114)
    state.bank_bars = value_2
    kind = known(state.current, "current")
    office[target] = without(office[target], kind, "office")
    office[you] = (*office[you], kind)
    value_3 = deals[target] - 1
    if value_3 < 0:
        raise out_of_bounds(state, "deals", target, value_3, 0, 15)
    deals[target] = value_3
    value_4 = deals[you] + 1
    if value_4 > 15:
        raise out_of_bounds(state, "deals", you, value_4, 0, 15)
    deals[you] = value_4
    state.ceded = True


# schoko.rules:557 action strike.unglaublich
def strike_unglaublich(state: State, you: int, target: int) -> None:
    if state.log is not None:
        state.note_shown(f"cash[{target}]", NUMBER.show(state.cash[target]), ALL)


# schoko.rules:568 step borrow
def borrow(state: State, p: int) -> None:
    loans = state.loans
    value = state.loan_cards - 1
    if value < 0:
        raise out_of_bounds(state, "loan_cards", -1, value, 0, 13)
    state.loan_cards = value
    value_ = loans[p] + 1
    if value_ > 13:
        raise out_of_bounds(state, "loans", p, value_, 0, 13)
    loans[p] = value_
    receive(state, p, 50)


# schoko.rules:161 step choose_banker
def choose_banker(state: State) -> None:
    state.first = next_seat(state, state.playing, 0, 1)


# schoko.rules:573 step cover
def cover_(state: State, debtor: int, amount: int) -> None:
    cash = state.cash
    ruined = state.ruined
    for _ in TURNS:
        cannot_pay = cash[debtor] < amount
        if state.log is not None:
            state.note_shown(f"cannot_pay[{debtor}]", FLAG.show(cannot_pay), ALL)
        if not cannot_pay:
            break
        if state.loan_cards == 0:
            ruined[debtor] = True
            break
        borrow(state, debtor)
    else:
        raise Fault("the rules never come to another decision")


# schoko.rules:157 step deal_express_cards
def deal_express_cards(state: State) -> None:
    cards = state.cards
    cards_size = state.cards_size
    for p in state.playing:
        for _ in range(1, 4):
            kind = draw_express_deck(state, p)
            if cards_size[p] >= 3:
                raise no_room(state, "cards", p, 3)
            cards[p * 12 + kind] += 1
            cards_size[p] += 1


# schoko.rules:295 step deliver
def deliver(state: State) -> None:
    bid_bars = state.bid_bars
    bid_price = state.bid_price
    cash = state.cash
    cocoa = state.cocoa
    for you_ in [
        you
        for _, _, you in sorted(
            [
                (-(2 * bid_price[you]), place, you)
                for place, you in enumerate(clockwise(state, state.playing, state.first))
            ],
        )
    ]:
        bid_bars_ = bid_bars[you_]
        if bid_bars_ > 0 and state.offered > 0:
            bought = min(bid_bars_, state.offered, 16 - cocoa[you_], cash[you_] // bid_price[you_])
            if state.log is not None:
                state.note_shown(f"bought[{you_}]", NUMBER.show(bought), ALL)
            pay_bank(state, you_, bought * bid_price[you_])
            value = cocoa[you_] + bought
            if value > 16:
                raise out_of_bounds(state, "cocoa", you_, value, 0, 16)
            cocoa[you_] = value
            value_ = state.bank_bars - bought
            if value_ < 0:
                raise out_of_bounds(state, "bank_bars", -1, value_, 0, 114)
            state.bank_bars = value_
            value_2 = state.offered - bought
            if value_2 < 0:
                raise out_of_bounds(state, "offered", -1, value_2, 0, 64)
            state.offered = value_2


# schoko.rules:147 step fill_supplies
def fill_supplies(state: State) -> None:
    contracts = state.contracts
    events = state.events
    express_deck = state.express_deck
    labour = state.labour
    state.ledger = -100 * len(state.playing)
    labour[0] += 20
    state.labour_size += 20
    labour[1] += 16
    state.labour_size += 16
    labour[2] += 16
    state.labour_size += 16
    labour[3] += 10
    state.labour_size += 10
    for card in range(23):
        contracts[card] += 1
        state.contracts_size += 1
    for card_ in range(7):
        events[card_] += 1
        state.events_size += 1
    for card_2 in range(12):
        express_deck[card_2] += 1
        state.express_deck_size += 1


# schoko.rules:200 step pass_the_bank
def pass_the_bank(state: State) -> None:
    state.first = next_seat(state, state.playing, state.first, 1)


# schoko.rules:560 step pay_bank
def pay_bank(state: State, p: int, amount: int) -> None:
    cash = state.cash
    value = cash[p] - amount
    if not 0 <= value <= 99999:
        raise out_of_bounds(state, "cash", p, value, 0, 99999)
    cash[p] = value
    value_ = state.ledger + amount
    if not -999999 <= value_ <= 999999:
        raise out_of_bounds(state, "ledger", -1, value_, -999999, 999999)
    state.ledger = value_


# schoko.rules:378 step put_under
def put_under(state: State, card: int) -> None:
    state.table = without(state.table, card, "table")
    state.contracts_bottom = (*state.contracts_bottom, card)


# schoko.rules:564 step receive
def receive(state: State, p: int, amount: int) -> None:
    cash = state.cash
    value = cash[p] + amount
    if not 0 <= value <= 99999:
        raise out_of_bounds(state, "cash", p, value, 0, 99999)
    cash[p] = value
    value_ = state.ledger - amount
    if not -999999 <= value_ <= 999999:
        raise out_of_bounds(state, "ledger", -1, value_, -999999, 999999)
    state.ledger = value_


# schoko.rules:335 step set_markers
def set_markers(state: State) -> None:
    marker = state.marker
    on_leave = state.on_leave
    staff = state.staff
    for p in state.playing:
        marker[p] = min(
            15,
            MEETINGS_OF_A_REP[len(state.playing)] * max(0, staff[p * 4 + 1] - (1 if on_leave[p] == 1 else 0)),
        )
    value = min(
        max((marker[p_] for p_ in state.playing), default=0),
        state.contracts_size + len(state.contracts_top) + len(state.contracts_bottom),
    )
    if not 0 <= value <= 15:
        raise out_of_bounds(state, "to_deal", -1, value, 0, 15)
    state.to_deal = value


# schoko.rules:203 step settle
def settle(state: State) -> None:
    cash = state.cash
    for p in state.playing:
        if state.log is not None:
            state.note_shown(f"cash[{p}]", NUMBER.show(cash[p]), ALL)


# ------------------------------------------------------------------ steps, from decision to decision


# schoko.rules:142 phase.setup
def setup(state: State) -> Next:
    fill_supplies(state)
    deal_express_cards(state)
    choose_banker(state)
    state.times_left = 8
    return play_times


# schoko.rules:171 phase.play/0.times/next
def play_times(state: State) -> Next:
    deals = state.deals
    events = state.events
    fired = state.fired
    hired = state.hired
    hires_left = state.hires_left
    hit = state.hit
    idle = state.idle
    limit = state.limit
    on_leave = state.on_leave
    players = state.players
    requested = state.requested
    salaries = state.salaries
    severance = state.severance
    slack = state.slack
    tired = state.tired
    times_left = state.times_left
    if times_left > 0:
        state.times_left = times_left = times_left - 1
        state.to_deal = 0
        for each_one in state.playing:
            deals[each_one] = 0
            fired[each_one] = ()
            hired[each_one] = ()
            hires_left[each_one] = 8
            hit[each_one] = False
            idle[each_one] = False
            limit[each_one] = 0
            on_leave[each_one] = NOTHING
            requested[each_one] = 0
            salaries[each_one] = 0
            severance[each_one] = 0
            slack[each_one] = False
            tired[each_one] = False
        value = state.date + 1
        if value > 12:
            raise out_of_bounds(state, "date", -1, value, 0, 12)
        state.date = value
        if not state.events_size + len(state.events_top) + len(state.events_bottom):
            for card in state.past_events:
                state.past_events = without(state.past_events, card, "past_events")
                state.events_top = (card, *state.events_top)
                state.events_top_known = (-1, *state.events_top_known)
            for kind in (*state.events_top, *state.events_bottom):
                events[kind] += 1
            state.events_size += len(state.events_top) + len(state.events_bottom)
            state.events_top = state.events_bottom = EMPTY
            state.events_top_known = state.events_bottom_known = EMPTY
        state.begin_month_you = players - 1 if state.first == 0 else state.first - 1
        state.you_left_12 = players
        return begin_month_each_player
    settle(state)
    state.at = OVER
    state.options = 0
    return None


# schoko.rules:461 step.finance/0.if/yes/0.each_player/next
def finance_each_player(state: State) -> Next:
    players = state.players
    you_left = state.you_left
    you = state.finance_you
    for _ in TURNS:
        if you_left == 0:
            pass_the_bank(state)
            return play_times
        state.you_left = you_left = you_left - 1
        state.finance_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        state.pay_interest_charged = 0
        return pay_interest_while
    raise Fault("the rules never come to another decision")


# schoko.rules:491 step.trade_shares/1.choose_shares/pass
def trade_shares_pass(state: State) -> Next:
    return finance_each_player


# schoko.rules:487 step.trade_shares/1.choose_shares/sell
def trade_shares_sell(state: State, sell: int) -> Next:
    shares = state.shares
    you = state.finance_you
    price = state.trade_shares_price
    receive(state, you, price * sell)
    value = shares[you] - sell
    if value < 0:
        raise out_of_bounds(state, "shares", you, value, 0, 10)
    shares[you] = value
    value_ = state.shares_left + sell
    if value_ > 10:
        raise out_of_bounds(state, "shares_left", -1, value_, 0, 10)
    state.shares_left = value_
    return finance_each_player


# schoko.rules:483 step.trade_shares/1.choose_shares/buy
def trade_shares_buy(state: State, buy: int) -> Next:
    shares = state.shares
    you = state.finance_you
    price = state.trade_shares_price
    pay_bank(state, you, price * buy)
    value = shares[you] + buy
    if value > 10:
        raise out_of_bounds(state, "shares", you, value, 0, 10)
    shares[you] = value
    value_ = state.shares_left - buy
    if value_ < 0:
        raise out_of_bounds(state, "shares_left", -1, value_, 0, 10)
    state.shares_left = value_
    return finance_each_player


# schoko.rules:472 step.repay_loans/end
def repay_loans_end(state: State) -> Next:
    you = state.finance_you
    state.trade_shares_price = SHARE_PRICE[state.date - 1]
    if you in state.playing:
        return ask_trade_shares_shares(state)
    return finance_each_player


# schoko.rules:478 step.repay_loans/0.choose_repay/pass
def repay_loans_pass(state: State) -> Next:
    return repay_loans_end


# schoko.rules:474 step.repay_loans/0.choose_repay/0
def repay_loans_repay(state: State, loans: int) -> Next:
    loans_ = state.loans
    you = state.finance_you
    pay_bank(state, you, 50 * loans)
    value = loans_[you] - loans
    if value < 0:
        raise out_of_bounds(state, "loans", you, value, 0, 13)
    loans_[you] = value
    value_ = state.loan_cards + loans
    if value_ > 13:
        raise out_of_bounds(state, "loan_cards", -1, value_, 0, 13)
    state.loan_cards = value_
    return repay_loans_end


# schoko.rules:468 step.pay_interest/1.while/next
def pay_interest_while(state: State) -> Next:
    you = state.finance_you
    charged = state.pay_interest_charged
    if charged < state.loans[you]:
        value = charged + 1
        if not 0 <= value <= 1000000000:
            raise out_of_bounds(state, "charged", -1, value, 0, 1000000000)
        state.pay_interest_charged = charged = value
        state.owe_debtor = you
        state.owe_amount = 10
        state.after_owe = pay_interest_while
        return owe
    if you in state.playing:
        return ask_repay_loans(state)
    return repay_loans_end


# schoko.rules:583 step.owe
def owe(state: State) -> Next:
    debtor = state.owe_debtor
    amount = state.owe_amount
    cover_(state, debtor, amount)
    if state.ruined[debtor]:
        state.leave_the_game_p = debtor
        state.after_leave_the_game = owe_end
        return leave_the_game
    pay_bank(state, debtor, amount)
    after = state.after_owe
    state.after_owe = None
    return after


# schoko.rules:583 step.owe/end
def owe_end(state: State) -> Next:
    after = state.after_owe
    state.after_owe = None
    return after


# schoko.rules:602 step.leave_the_game
def leave_the_game(state: State) -> Next:
    bookkeeping = state.bookkeeping
    cards = state.cards
    cards_size = state.cards_size
    cash = state.cash
    chocolate = state.chocolate
    cocoa = state.cocoa
    labour = state.labour
    loans = state.loans
    office = state.office
    shares = state.shares
    staff = state.staff
    staff_size = state.staff_size
    p = state.leave_the_game_p
    value = state.ledger + cash[p]
    if value > 999999:
        raise out_of_bounds(state, "ledger", -1, value, -999999, 999999)
    state.ledger = value
    cash[p] = 0
    value_ = state.bank_bars + cocoa[p] + chocolate[p]
    if value_ > 114:
        raise out_of_bounds(state, "bank_bars", -1, value_, 0, 114)
    state.bank_bars = value_
    cocoa[p] = 0
    chocolate[p] = 0
    value_2 = state.loan_cards + loans[p]
    if value_2 > 13:
        raise out_of_bounds(state, "loan_cards", -1, value_2, 0, 13)
    state.loan_cards = value_2
    loans[p] = 0
    value_3 = state.shares_left + shares[p]
    if value_3 > 10:
        raise out_of_bounds(state, "shares_left", -1, value_3, 0, 10)
    state.shares_left = value_3
    shares[p] = 0
    for one in items_in(staff, p * 4, 4):
        if not staff[p * 4 + one]:
            raise not_there(state, "staff", p, one, 1)
        staff[p * 4 + one] -= 1
        staff_size[p] -= 1
        labour[one] += 1
        state.labour_size += 1
    for card in bookkeeping[p]:
        bookkeeping[p] = without(bookkeeping[p], card, "bookkeeping")
        state.contracts_bottom = (*state.contracts_bottom, card)
    for card_ in office[p]:
        office[p] = without(office[p], card_, "office")
        state.contracts_bottom = (*state.contracts_bottom, card_)
    for card_2 in items_in(cards, p * 12, 12):
        if not cards[p * 12 + card_2]:
            raise not_there(state, "cards", p, card_2, 1)
        cards[p * 12 + card_2] -= 1
        cards_size[p] -= 1
        state.express_deck_bottom = (*state.express_deck_bottom, card_2)
        state.express_deck_bottom_known = (*state.express_deck_bottom_known, (1 << p))
    eliminate(state, p)
    if len(state.playing) != 1:
        after = state.after_leave_the_game
        state.after_leave_the_game = None
        return after
    settle(state)
    state.at = OVER
    state.options = 0
    return None


# schoko.rules:423 step.draw_event/end
def draw_event_end(state: State) -> Next:
    players = state.players
    if state.date < 8:
        state.finance_you = players - 1 if state.first == 0 else state.first - 1
        state.you_left = players
        return finance_each_player
    pass_the_bank(state)
    return play_times


# schoko.rules:428 step.draw_event/0.if/yes/2.for/next
def draw_event_for(state: State) -> Next:
    players = state.players
    card_left = state.card_left
    for _ in TURNS:
        if not card_left:
            return draw_event_end
        card = card_left[0]
        state.card_left = card_left = card_left[1:]
        state.news = card
        state.drawn = without(state.drawn, card, "drawn")
        state.past_events = (*state.past_events, card)
        kind = card
        if kind == 0:
            happen_magenverstimmung(state)
            continue
        if kind == 1:
            happen_schoko_protest(state)
            continue
        if kind == 2:
            state.happen_schock_im_lager_p = players - 1 if state.first == 0 else state.first - 1
            state.p_left = players
            return happen_schock_im_lager_each_player
        if kind == 3:
            happen_finanzzuschuss(state)
            continue
        if kind == 4:
            happen_kakaoschock(state)
            continue
        if kind == 5:
            happen_kakao_sitzt_fest(state)
            continue
        if kind == 6:
            happen_arbeitsmarkt_leergefegt(state)
            continue
        raise Fault("there is no case for this")
    raise Fault("the rules never come to another decision")


# schoko.rules:445 action.happen.schock_im_lager/0.each_player/next
def happen_schock_im_lager_each_player(state: State) -> Next:
    chocolate = state.chocolate
    players = state.players
    p_left = state.p_left
    p = state.happen_schock_im_lager_p
    for _ in TURNS:
        if p_left == 0:
            return draw_event_for
        state.p_left = p_left = p_left - 1
        state.happen_schock_im_lager_p = p = p + 1 if p + 1 < players else 0
        if p not in state.playing:
            continue
        state.owe_debtor = p
        state.owe_amount = 5 * chocolate[p]
        state.after_owe = happen_schock_im_lager_each_player
        return owe
    raise Fault("the rules never come to another decision")


# schoko.rules:407 step.keep_books/1.each_player
def keep_books_each_player(state: State) -> Next:
    players = state.players
    state.keep_books_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_ = players
    return keep_books_each_player_


# schoko.rules:407 step.keep_books/1.each_player/next
def keep_books_each_player_(state: State) -> Next:
    bookkeeping = state.bookkeeping
    knows_event = state.knows_event
    on_leave = state.on_leave
    players = state.players
    slack = state.slack
    staff = state.staff
    you_left = state.you_left_
    you = state.keep_books_you
    for _ in TURNS:
        if you_left == 0:
            if state.date <= 1:
                return draw_event_end
            kind = draw_events(state, ALL)
            if len(state.drawn) >= 1:
                raise no_room(state, "drawn", -1, 1)
            state.drawn = (*state.drawn, kind)
            for p in state.playing:
                knows_event[p] = False
            state.card_left = state.drawn
            return draw_event_for
        state.you_left_ = you_left = you_left - 1
        state.keep_books_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        state.keep_books_nothing_to_cash = not len(bookkeeping[you])
        state.times_left_ = max(
            0, 2 * max(0, staff[you * 4 + 3] - (1 if on_leave[you] == 3 else 0)) - (1 if slack[you] else 0)
        )
        return keep_books_times
    raise Fault("the rules never come to another decision")


# schoko.rules:409 step.keep_books/1.each_player/1.times/next
def keep_books_times(state: State) -> Next:
    times_left = state.times_left_
    you = state.keep_books_you
    for _ in TURNS:
        if times_left <= 0:
            return keep_books_if
        state.times_left_ = times_left = times_left - 1
        if you in state.playing:
            return ask_keep_books_cash_out(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:416 step.keep_books/1.each_player/2.if
def keep_books_if(state: State) -> Next:
    you = state.keep_books_you
    nothing_to_cash = state.keep_books_nothing_to_cash
    if not (state.deals[you] == 0 and nothing_to_cash):
        return keep_books_each_player_
    if you in state.playing:
        return ask_keep_books_emergency(state)
    return keep_books_each_player_


# schoko.rules:417 step.keep_books/1.each_player/2.if/yes/0.choose_emergency/0
def keep_books_emergency(state: State, bars: int) -> Next:
    chocolate = state.chocolate
    you = state.keep_books_you
    value = chocolate[you] - bars
    if value < 0:
        raise out_of_bounds(state, "chocolate", you, value, 0, 16)
    chocolate[you] = value
    value_ = state.bank_bars + bars
    if value_ > 114:
        raise out_of_bounds(state, "bank_bars", -1, value_, 0, 114)
    state.bank_bars = value_
    receive(state, you, 10 * bars)
    return keep_books_each_player_


# schoko.rules:414 step.keep_books/1.each_player/1.times/0.choose_cash_out/stop
def keep_books_stop(state: State) -> Next:
    return keep_books_if


# schoko.rules:411 step.keep_books/1.each_player/1.times/0.choose_cash_out/0
def keep_books_cash_out(state: State, card: int) -> Next:
    you = state.keep_books_you
    state.bookkeeping[you] = without(state.bookkeeping[you], card, "bookkeeping")
    state.contracts_bottom = (*state.contracts_bottom, card)
    receive(state, you, state.price[card])
    return keep_books_times


# schoko.rules:494 step.open_window
def open_window(state: State) -> Next:
    number = state.open_window_number
    if state.date <= 1:
        after = state.after_open_window
        state.after_open_window = None
        return after
    value = number
    if not 1 <= value <= 7:
        raise out_of_bounds(state, "window", -1, value, 1, 7)
    state.window = value
    state.you_left_2 = 0
    state.round_goes_on = True
    return express_rounds


# schoko.rules:500 step.express/0.rounds/next
def express_rounds(state: State) -> Next:
    cards_size = state.cards_size
    players = state.players
    you_left = state.you_left_2
    round_goes_on = state.round_goes_on
    you = state.express_you
    for _ in TURNS:
        if you_left == 0:
            if not round_goes_on:
                after = state.after_open_window
                state.after_open_window = None
                return after
            state.round_goes_on = round_goes_on = False
            state.express_you = you = players - 1 if state.first == 0 else state.first - 1
            state.you_left_2 = you_left = players
            continue
        state.you_left_2 = you_left = you_left - 1
        state.express_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        if cards_size[you]:
            return ask_express(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:507 step.express/0.rounds/0.choose_express/pass
def express_pass(state: State) -> Next:
    return express_rounds


# schoko.rules:502 step.express/0.rounds/0.choose_express/0
def express_chosen(state: State, card: int, target: int) -> Next:
    players = state.players
    staff_size = state.staff_size
    you = state.express_you
    state.express_target = target
    state.round_goes_on = True
    if not state.cards[you * 12 + card]:
        raise not_there(state, "cards", you, card, 1)
    state.cards[you * 12 + card] -= 1
    state.cards_size[you] -= 1
    state.played = (*state.played, card)
    state.hit[target] = True
    kind = card
    if kind == 0:
        strike_bedauerlich(state, you, target)
        return express_rounds
    if kind == 1:
        strike_fuerchterlich(state, you, target)
        return express_rounds
    if kind == 2:
        strike_skandaloes(state, you, target)
        return express_rounds
    if kind == 3:
        state.owe_debtor = target
        state.owe_amount = staff_size[target]
        state.after_owe = strike_ruehrend_end
        return owe
    if kind == 4:
        strike_schlapp(state, you, target)
        return express_rounds
    if kind == 5:
        strike_katastrophal(state, you, target)
        return express_rounds
    if kind == 6:
        if target in state.playing:
            return ask_strike_grosszuegig_vacation(state)
        return express_rounds
    if kind == 7:
        strike_entsetzlich(state, you, target)
        return express_rounds
    if kind == 8:
        state.strike_spitze_q = (
            players - 1
            if next_seat(state, state.playing, target, 1) == 0
            else next_seat(state, state.playing, target, 1) - 1
        )
        state.q_left = players
        return strike_spitze_each_player
    if kind == 9:
        strike_schmerzlich(state, you, target)
        return express_rounds
    if kind == 10:
        strike_schlimm(state, you, target)
        return express_rounds
    if kind == 11:
        strike_unglaublich(state, you, target)
        return express_rounds
    raise Fault("there is no case for this")


# schoko.rules:552 action.strike.spitze/0.each_player/next
def strike_spitze_each_player(state: State) -> Next:
    cash = state.cash
    players = state.players
    ruined = state.ruined
    q_left = state.q_left
    q = state.strike_spitze_q
    target = state.express_target
    for _ in TURNS:
        if q_left == 0:
            return express_rounds
        state.q_left = q_left = q_left - 1
        state.strike_spitze_q = q = q + 1 if q + 1 < players else 0
        if q not in state.playing:
            continue
        if q == target:
            continue
        if ruined[target]:
            continue
        cover_(state, target, 5)
        if ruined[target]:
            if state.log is not None:
                state.note_shown(f"cash[{target}]", NUMBER.show(cash[target]), ALL)
            value = cash[q] + cash[target]
            if value > 99999:
                raise out_of_bounds(state, "cash", q, value, 0, 99999)
            cash[q] = value
            cash[target] = 0
            state.leave_the_game_p = target
            state.after_leave_the_game = owe_to_end
            return leave_the_game
        value_ = cash[target] - 5
        if value_ < 0:
            raise out_of_bounds(state, "cash", target, value_, 0, 99999)
        cash[target] = value_
        value_2 = cash[q] + 5
        if value_2 > 99999:
            raise out_of_bounds(state, "cash", q, value_2, 0, 99999)
        cash[q] = value_2
    raise Fault("the rules never come to another decision")


# schoko.rules:590 step.owe_to/end
def owe_to_end(state: State) -> Next:
    return strike_spitze_each_player


# schoko.rules:544 action.strike.grosszuegig/0.choose_vacation/0
def strike_grosszuegig_vacation(state: State, category: int) -> Next:
    target = state.express_target
    state.on_leave[target] = category
    return express_rounds


# schoko.rules:538 action.strike.ruehrend/end
def strike_ruehrend_end(state: State) -> Next:
    return express_rounds


# schoko.rules:328 step.sell_chocolate/1.do_set_markers
def sell_chocolate_set_markers(state: State) -> Next:
    set_markers(state)
    state.open_window_number = 5
    state.after_open_window = sell_chocolate_while
    return open_window


# schoko.rules:330 step.sell_chocolate/3.while
def sell_chocolate_while(state: State) -> Next:
    return sell_chocolate_while_


# schoko.rules:330 step.sell_chocolate/3.while/next
def sell_chocolate_while_(state: State) -> Next:
    players = state.players
    if state.to_deal > 0:
        value = state.to_deal - 1
        if value < 0:
            raise out_of_bounds(state, "to_deal", -1, value, 0, 15)
        state.to_deal = value
        kind = draw_contracts(state, ALL)
        if len(state.table) >= 1:
            raise no_room(state, "table", -1, 1)
        state.table = (*state.table, kind)
        state.card_left_ = state.table
        return negotiate_next_for
    state.file_contracts_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_3 = players
    return file_contracts_each_player


# schoko.rules:393 step.file_contracts/0.each_player/next
def file_contracts_each_player(state: State) -> Next:
    on_leave = state.on_leave
    players = state.players
    staff = state.staff
    you_left = state.you_left_3
    you = state.file_contracts_you
    for _ in TURNS:
        if you_left == 0:
            state.open_window_number = 7
            state.after_open_window = keep_books_each_player
            return open_window
        state.you_left_3 = you_left = you_left - 1
        state.file_contracts_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        state.times_left_2 = max(0, staff[you * 4 + 2] - (1 if on_leave[you] == 2 else 0))
        return file_contracts_times
    raise Fault("the rules never come to another decision")


# schoko.rules:394 step.file_contracts/0.each_player/0.times/next
def file_contracts_times(state: State) -> Next:
    times_left = state.times_left_2
    you = state.file_contracts_you
    for _ in TURNS:
        if times_left <= 0:
            return file_contracts_each_player
        state.times_left_2 = times_left = times_left - 1
        if you in state.playing:
            return ask_file_contracts_process(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:396 step.file_contracts/0.each_player/0.times/0.choose_process/0
def file_contracts_process(state: State, card: int) -> Next:
    you = state.file_contracts_you
    state.office[you] = without(state.office[you], card, "office")
    state.bookkeeping[you] = (*state.bookkeeping[you], card)
    return file_contracts_times


# schoko.rules:342 step.negotiate_next/1.for/next
def negotiate_next_for(state: State) -> Next:
    players = state.players
    takes_part = state.takes_part
    card_left = state.card_left_
    if not card_left:
        return sell_chocolate_while_
    state.negotiate_next_card = card_left[0]
    state.card_left_ = card_left = card_left[1:]
    state.asking = 0
    state.ceded = False
    state.winner = NOTHING
    for each_one in state.playing:
        takes_part[each_one] = False
    state.negotiate_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_4 = players
    return negotiate_each_player


# schoko.rules:346 step.negotiate/4.each_player/next
def negotiate_each_player(state: State) -> Next:
    chocolate = state.chocolate
    marker = state.marker
    players = state.players
    takes_part = state.takes_part
    you_left = state.you_left_4
    you = state.negotiate_you
    card = state.negotiate_next_card
    for _ in TURNS:
        if you_left == 0:
            present: tuple[int, ...] = tuple([p for p in state.playing if takes_part[p]])
            if not present:
                put_under(state, card)
                return negotiate_next_for
            if len(present) == 1:
                state.you_left_5 = present
                return negotiate_for
            state.asking = CONTRACT_LOWEST[card]
            state.haggle_you = players - 1 if state.first == 0 else state.first - 1
            state.you_left_6 = players
            return haggle_each_player
        state.you_left_4 = you_left = you_left - 1
        state.negotiate_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        if marker[you] > 0 and chocolate[you] >= CONTRACT_BARS[card]:
            return ask_negotiate_attend(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:364 step.haggle/1.repeat/0.each_player/next
def haggle_each_player(state: State) -> Next:
    players = state.players
    takes_part = state.takes_part
    you_left = state.you_left_6
    you = state.haggle_you
    card = state.negotiate_next_card
    for _ in TURNS:
        if you_left == 0:
            if state.asking >= CONTRACT_HIGHEST[card]:
                put_under(state, card)
                return negotiate_next_for
            if next_seat(state, state.playing, state.first, -1) >= players:
                raise Fault("who is to choose 'raise' does not play")
            if next_seat(state, state.playing, state.first, -1) in state.playing:
                return ask_haggle_raise(state)
            state.haggle_you = you = players - 1 if state.first == 0 else state.first - 1
            state.you_left_6 = you_left = players
            continue
        state.you_left_6 = you_left = you_left - 1
        state.haggle_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        if takes_part[you]:
            return ask_haggle_accept(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:374 step.haggle/1.repeat/2.choose_raise/0
def haggle_raise(state: State, by: int) -> Next:
    players = state.players
    value = state.asking + by
    if value > 999:
        raise out_of_bounds(state, "asking", -1, value, 0, 999)
    state.asking = value
    state.haggle_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_6 = players
    return haggle_each_player


# schoko.rules:369 step.haggle/1.repeat/0.each_player/0.choose_accept/1
def haggle_accept(state: State) -> Next:
    return haggle_each_player


# schoko.rules:366 step.haggle/1.repeat/0.each_player/0.choose_accept/0
def haggle_accept_(state: State) -> Next:
    you = state.haggle_you
    card = state.negotiate_next_card
    state.win_you = you
    state.win_card = card
    state.win_paid = state.asking
    state.after_win = haggle_stop
    return win


# schoko.rules:368 step.haggle/1.repeat/0.each_player/0.choose_accept/0/1.stop
def haggle_stop(state: State) -> Next:
    return negotiate_next_for


# schoko.rules:381 step.win
def win(state: State) -> Next:
    chocolate = state.chocolate
    deals = state.deals
    you = state.win_you
    card = state.win_card
    paid = state.win_paid
    value = chocolate[you] - CONTRACT_BARS[card]
    if value < 0:
        raise out_of_bounds(state, "chocolate", you, value, 0, 16)
    chocolate[you] = value
    value_ = state.bank_bars + CONTRACT_BARS[card]
    if value_ > 114:
        raise out_of_bounds(state, "bank_bars", -1, value_, 0, 114)
    state.bank_bars = value_
    state.table = without(state.table, card, "table")
    state.office[you] = (*state.office[you], card)
    value_2 = paid
    if not 0 <= value_2 <= 999:
        raise out_of_bounds(state, "price", -1, value_2, 0, 999)
    state.price[card] = value_2
    state.won_in[card] = state.date
    value_3 = deals[you] + 1
    if value_3 > 15:
        raise out_of_bounds(state, "deals", you, value_3, 0, 15)
    deals[you] = value_3
    state.current = card
    state.winner = you
    state.open_window_number = 6
    state.after_open_window = win_end
    return open_window


# schoko.rules:381 step.win/end
def win_end(state: State) -> Next:
    after = state.after_win
    state.after_win = None
    return after


# schoko.rules:356 step.negotiate/6.if/no/0.if/yes/0.for/next
def negotiate_for(state: State) -> Next:
    you_left = state.you_left_5
    card = state.negotiate_next_card
    for _ in TURNS:
        if not you_left:
            return negotiate_next_for
        you = you_left[0]
        state.you_left_5 = you_left = you_left[1:]
        if you not in state.playing:
            continue
        state.win_you = you
        state.win_card = card
        state.win_paid = CONTRACT_HIGHEST[card]
        state.after_win = negotiate_for
        return win
    raise Fault("the rules never come to another decision")


# schoko.rules:351 step.negotiate/4.each_player/0.choose_attend/1
def negotiate_attend(state: State) -> Next:
    return negotiate_each_player


# schoko.rules:348 step.negotiate/4.each_player/0.choose_attend/0
def negotiate_attend_(state: State) -> Next:
    marker = state.marker
    you = state.negotiate_you
    state.takes_part[you] = True
    value = marker[you] - 1
    if value < 0:
        raise out_of_bounds(state, "marker", you, value, 0, 15)
    marker[you] = value
    return negotiate_each_player


# schoko.rules:310 step.make_chocolate/1.each_player
def make_chocolate_each_player(state: State) -> Next:
    players = state.players
    state.make_chocolate_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_7 = players
    return make_chocolate_each_player_


# schoko.rules:310 step.make_chocolate/1.each_player/next
def make_chocolate_each_player_(state: State) -> Next:
    players = state.players
    you_left = state.you_left_7
    you = state.make_chocolate_you
    for _ in TURNS:
        if you_left == 0:
            state.open_window_number = 4
            state.after_open_window = sell_chocolate_set_markers
            return open_window
        state.you_left_7 = you_left = you_left - 1
        state.make_chocolate_you = you = you + 1 if you + 1 < players else 0
        if you in state.playing:
            return ask_make_chocolate_produce(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:311 step.make_chocolate/1.each_player/0.choose_produce/0
def make_chocolate_produce(state: State, bars: int) -> Next:
    chocolate = state.chocolate
    cocoa = state.cocoa
    you = state.make_chocolate_you
    value = cocoa[you] - bars
    if value < 0:
        raise out_of_bounds(state, "cocoa", you, value, 0, 16)
    cocoa[you] = value
    value_ = chocolate[you] + bars
    if value_ > 16:
        raise out_of_bounds(state, "chocolate", you, value_, 0, 16)
    chocolate[you] = value_
    return make_chocolate_each_player_


# schoko.rules:264 step.buy_cocoa/2.do_ask_for_bars
def buy_cocoa_ask_for_bars(state: State) -> Next:
    players = state.players
    state.ask_for_bars_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_9 = players
    return ask_for_bars_each_player


# schoko.rules:265 step.buy_cocoa/3.for/next
def buy_cocoa_for(state: State) -> Next:
    bid_bars = state.bid_bars
    bid_price = state.bid_price
    city_left = state.city_left
    for _ in TURNS:
        if not city_left:
            return buy_cocoa_end
        city = city_left[0]
        state.city_left = city_left = city_left[1:]
        value = share(state, state.supply, city)
        if not 0 <= value <= 64:
            raise out_of_bounds(state, "offered", -1, value, 0, 64)
        state.offered = value
        if state.offered <= 0:
            continue
        for each_one in state.playing:
            bid_bars[each_one] = 0
            bid_price[each_one] = 0
        return ask_bid(state)
    raise Fault("the rules never come to another decision")


# schoko.rules:288 step.bid/0.each_player/next
def bid_each_player(state: State) -> Next:
    you_left = state.you_left_8
    for _ in TURNS:
        if not you_left:
            deliver(state)
            return buy_cocoa_for
        state.bid_you = you = you_left[0]
        state.you_left_8 = you_left = you_left[1:]
        if you in state.playing:
            return take_bid(state, you)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:291 step.bid/0.each_player/0.choose_bid/buy
def bid_buy(state: State, bars: int, price: int) -> Next:
    you = state.bid_you
    state.bid_bars[you] = bars
    state.bid_price[you] = price
    return bid_each_player


# schoko.rules:290 step.bid/0.each_player/0.choose_bid/0
def bid_chosen(state: State) -> Next:
    return bid_each_player


# schoko.rules:270 step.ask_for_bars/0.each_player/next
def ask_for_bars_each_player(state: State) -> Next:
    players = state.players
    requested = state.requested
    you_left = state.you_left_9
    you = state.ask_for_bars_you
    for _ in TURNS:
        if you_left == 0:
            state.supply = min(sum(requested[p] for p in state.playing), state.bank_bars)
            state.city_left = tuple(range(5))
            return buy_cocoa_for
        state.you_left_9 = you_left = you_left - 1
        state.ask_for_bars_you = you = you + 1 if you + 1 < players else 0
        if you in state.playing:
            return ask_for_bars_repeat
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:271 step.ask_for_bars/0.each_player/0.repeat/next
def ask_for_bars_repeat(state: State) -> Next:
    you = state.ask_for_bars_you
    for _ in TURNS:
        if you in state.playing:
            return ask_ask_for_bars_request(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:276 step.ask_for_bars/0.each_player/0.repeat/0.choose_request/loan
def ask_for_bars_loan(state: State) -> Next:
    you = state.ask_for_bars_you
    borrow(state, you)
    return ask_for_bars_repeat


# schoko.rules:273 step.ask_for_bars/0.each_player/0.repeat/0.choose_request/0
def ask_for_bars_request(state: State, bars: int) -> Next:
    you = state.ask_for_bars_you
    state.requested[you] = bars
    return ask_for_bars_each_player


# schoko.rules:261 step.buy_cocoa/end
def buy_cocoa_end(state: State) -> Next:
    state.open_window_number = 3
    state.after_open_window = make_chocolate_each_player
    return open_window


# schoko.rules:210 step.hire_and_fire/1.each_player
def hire_and_fire_each_player(state: State) -> Next:
    players = state.players
    state.hire_and_fire_you = players - 1 if state.first == 0 else state.first - 1
    state.you_left_10 = players
    return hire_and_fire_each_player_


# schoko.rules:210 step.hire_and_fire/1.each_player/next
def hire_and_fire_each_player_(state: State) -> Next:
    limit = state.limit
    players = state.players
    staff_size = state.staff_size
    you_left = state.you_left_10
    you = state.hire_and_fire_you
    for _ in TURNS:
        if you_left == 0:
            for p in state.playing:
                value = max((staff_size[q] for q in state.playing if q != p), default=0)
                if not 0 <= value <= 99:
                    raise out_of_bounds(state, "limit", p, value, 0, 99)
                limit[p] = value
            state.loan_clause_you = players - 1 if state.first == 0 else state.first - 1
            state.you_left_11 = players
            return loan_clause_each_player
        state.you_left_10 = you_left = you_left - 1
        state.hire_and_fire_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        state.change_staff_dismissable = staff_size[you]
        return change_staff_repeat
    raise Fault("the rules never come to another decision")


# schoko.rules:251 step.loan_clause/1.each_player/next
def loan_clause_each_player(state: State) -> Next:
    loans = state.loans
    players = state.players
    you_left = state.you_left_11
    you = state.loan_clause_you
    for _ in TURNS:
        if you_left == 0:
            if state.news == 4:
                return buy_cocoa_end
            state.open_window_number = 2
            state.after_open_window = buy_cocoa_ask_for_bars
            return open_window
        state.you_left_11 = you_left = you_left - 1
        state.loan_clause_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        if loans[you] > 0:
            return loan_clause_while
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:252 step.loan_clause/1.each_player/0.while/next
def loan_clause_while(state: State) -> Next:
    limit = state.limit
    staff_size = state.staff_size
    you = state.loan_clause_you
    for _ in TURNS:
        if staff_size[you] <= limit[you]:
            return loan_clause_each_player
        if you in state.playing:
            return ask_loan_clause_dismiss(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:254 step.loan_clause/1.each_player/0.while/0.choose_dismiss/0
def loan_clause_dismiss(state: State, category: int) -> Next:
    salaries = state.salaries
    you = state.loan_clause_you
    if not state.staff[you * 4 + category]:
        raise not_there(state, "staff", you, category, 1)
    state.staff[you * 4 + category] -= 1
    state.staff_size[you] -= 1
    state.labour[category] += 1
    state.labour_size += 1
    value = salaries[you] - STAFF_WAGE[category]
    if value < 0:
        raise out_of_bounds(state, "salaries", you, value, 0, 999)
    salaries[you] = value
    receive(state, you, STAFF_WAGE[category] // 2)
    return loan_clause_while


# schoko.rules:244 step.pay_salaries/end
def pay_salaries_end(state: State) -> Next:
    return hire_and_fire_each_player_


# schoko.rules:220 step.change_staff/1.repeat/next
def change_staff_repeat(state: State) -> Next:
    you = state.hire_and_fire_you
    for _ in TURNS:
        if you in state.playing:
            return ask_change_staff_staff(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:233 step.change_staff/1.repeat/0.choose_staff/done
def change_staff_done(state: State) -> Next:
    salaries = state.salaries
    you = state.hire_and_fire_you
    value = sum(STAFF_WAGE[c] for c in items_in(state.staff, you * 4, 4))
    if value > 999:
        raise out_of_bounds(state, "salaries", you, value, 0, 999)
    salaries[you] = value
    state.owe_debtor = you
    state.owe_amount = salaries[you] + state.severance[you]
    state.after_owe = pay_salaries_end
    return owe


# schoko.rules:231 step.change_staff/1.repeat/0.choose_staff/loan
def change_staff_loan(state: State) -> Next:
    you = state.hire_and_fire_you
    borrow(state, you)
    return change_staff_repeat


# schoko.rules:226 step.change_staff/1.repeat/0.choose_staff/fire
def change_staff_fire(state: State, category: int) -> Next:
    fired = state.fired
    severance = state.severance
    dismissable = state.change_staff_dismissable
    you = state.hire_and_fire_you
    value = dismissable - 1
    if not -1000000000 <= value <= 1000000:
        raise out_of_bounds(state, "dismissable", -1, value, -1000000000, 1000000)
    state.change_staff_dismissable = dismissable = value
    value_ = severance[you] + STAFF_WAGE[category] // 2
    if value_ > 999:
        raise out_of_bounds(state, "severance", you, value_, 0, 999)
    severance[you] = value_
    if len(fired[you]) >= 10000:
        raise Fault("'fired' would hold more than 10000 items")
    fired[you] = (*fired[you], category)
    if not state.staff[you * 4 + category]:
        raise not_there(state, "staff", you, category, 1)
    state.staff[you * 4 + category] -= 1
    state.staff_size[you] -= 1
    state.labour[category] += 1
    state.labour_size += 1
    return change_staff_repeat


# schoko.rules:222 step.change_staff/1.repeat/0.choose_staff/hire
def change_staff_hire(state: State, category: int) -> Next:
    hired = state.hired
    hires_left = state.hires_left
    you = state.hire_and_fire_you
    value = hires_left[you] - 1
    if value < 0:
        raise out_of_bounds(state, "hires_left", you, value, 0, 8)
    hires_left[you] = value
    if len(hired[you]) >= 10000:
        raise Fault("'hired' would hold more than 10000 items")
    hired[you] = (*hired[you], category)
    if not state.labour[category]:
        raise not_there(state, "labour", -1, category, 1)
    state.labour[category] -= 1
    state.labour_size -= 1
    state.staff[you * 4 + category] += 1
    state.staff_size[you] += 1
    return change_staff_repeat


# schoko.rules:192 step.begin_month/2.each_player/next
def begin_month_each_player(state: State) -> Next:
    knows_event = state.knows_event
    players = state.players
    you_left = state.you_left_12
    you = state.begin_month_you
    for _ in TURNS:
        if you_left == 0:
            state.open_window_number = 1
            state.after_open_window = hire_and_fire_each_player
            return open_window
        state.you_left_12 = you_left = you_left - 1
        state.begin_month_you = you = you + 1 if you + 1 < players else 0
        if you not in state.playing:
            continue
        if not knows_event[you]:
            return ask_begin_month_peek(state)
        continue
    raise Fault("the rules never come to another decision")


# schoko.rules:198 step.begin_month/2.each_player/0.choose_peek/pass
def begin_month_pass(state: State) -> Next:
    return begin_month_each_player


# schoko.rules:194 step.begin_month/2.each_player/0.choose_peek/0
def begin_month_peek(state: State) -> Next:
    you = state.begin_month_you
    pay_bank(state, you, 15)
    look_at(state, "events", None, you, 1, draw_events)
    state.knows_event[you] = True
    return begin_month_each_player


# ------------------------------------------------------------------ decisions


# schoko.rules:482 choose shares
def ask_trade_shares_shares(state: State) -> Next:
    you = state.finance_you
    price = state.trade_shares_price
    count = max(min(state.shares_left, state.cash[you] // price), 0)
    count += state.shares[you]
    count += 1
    if count > 1:
        state.at = TRADE_SHARES_SHARES
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_trade_shares_shares(state, 0))
    return trade_shares_pass(state)


def step_trade_shares_shares(state: State, index: int) -> Next:
    you = state.finance_you
    price = state.trade_shares_price
    count = max(min(state.shares_left, state.cash[you] // price), 0)
    if index < count:
        buy = 1 + index
        return trade_shares_buy(state, buy)
    index -= count
    count_ = state.shares[you]
    if index < count_:
        sell = 1 + index
        return trade_shares_sell(state, sell)
    index -= count_
    return trade_shares_pass(state)


def move_trade_shares_shares(state: State, index: int) -> Shares:
    you = state.finance_you
    price = state.trade_shares_price
    count = max(min(state.shares_left, state.cash[you] // price), 0)
    if index < count:
        buy = 1 + index
        return TRADE_SHARES_SHARES_BUY_MOVES.row[buy]
    index -= count
    count_ = state.shares[you]
    if index < count_:
        sell = 1 + index
        return TRADE_SHARES_SHARES_SELL_MOVES.row[sell]
    index -= count_
    return TRADE_SHARES_SHARES_PASS_MOVES.only


def moves_trade_shares_shares(state: State) -> list[Shares]:
    you = state.finance_you
    price = state.trade_shares_price
    moves: list[Shares] = []
    row = TRADE_SHARES_SHARES_BUY_MOVES.row
    moves += [row[buy] for buy in range(1, min(state.shares_left, state.cash[you] // price) + 1)]
    row_ = TRADE_SHARES_SHARES_SELL_MOVES.row
    moves += [row_[sell] for sell in range(1, state.shares[you] + 1)]
    moves += [TRADE_SHARES_SHARES_PASS_MOVES.only]
    return moves


def apply_trade_shares_shares(state: State, move: object) -> Next:
    you = state.finance_you
    price = state.trade_shares_price
    buy, sell = legal(move, Shares)
    if buy >= 1 and buy <= min(state.shares_left, state.cash[you] // price) and sell == 0:
        return trade_shares_buy(state, buy)
    if buy == 0 and sell >= 1 and sell <= state.shares[you]:
        return trade_shares_sell(state, sell)
    if buy == 0 and sell == 0:
        return trade_shares_pass(state)
    raise illegal(move)


def may_trade_shares_shares(state: State, you: int) -> bool:
    return you in state.playing


# schoko.rules:473 choose repay
def ask_repay_loans(state: State) -> Next:
    you = state.finance_you
    count = min(state.loans[you], state.cash[you] // 50)
    count += 1
    if count > 1:
        state.at = REPAY_LOANS
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_repay_loans(state, 0))
    return repay_loans_pass(state)


def step_repay_loans(state: State, index: int) -> Next:
    you = state.finance_you
    count = min(state.loans[you], state.cash[you] // 50)
    if index < count:
        loans = 1 + index
        return repay_loans_repay(state, loans)
    index -= count
    return repay_loans_pass(state)


def move_repay_loans(state: State, index: int) -> Repay:
    you = state.finance_you
    count = min(state.loans[you], state.cash[you] // 50)
    if index < count:
        loans = 1 + index
        return REPAY_LOANS_N0_MOVES.row[loans]
    index -= count
    return REPAY_LOANS_PASS_MOVES.only


def moves_repay_loans(state: State) -> list[Repay]:
    you = state.finance_you
    moves: list[Repay] = []
    row = REPAY_LOANS_N0_MOVES.row
    moves += [row[loans] for loans in range(1, min(state.loans[you], state.cash[you] // 50) + 1)]
    moves += [REPAY_LOANS_PASS_MOVES.only]
    return moves


def apply_repay_loans(state: State, move: object) -> Next:
    you = state.finance_you
    (loans,) = legal(move, Repay)
    if loans >= 1 and loans <= min(state.loans[you], state.cash[you] // 50):
        return repay_loans_repay(state, loans)
    if loans == 0:
        return repay_loans_pass(state)
    raise illegal(move)


def may_repay_loans(state: State, you: int) -> bool:
    return you in state.playing


# schoko.rules:410 choose cash_out
def ask_keep_books_cash_out(state: State) -> Next:
    you = state.keep_books_you
    count = len(kinds_of_row[state.bookkeeping[you]])
    count += 1
    if count > 1:
        state.at = KEEP_BOOKS_CASH_OUT
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_keep_books_cash_out(state, 0))
    return keep_books_stop(state)


def step_keep_books_cash_out(state: State, index: int) -> Next:
    bookkeeping = state.bookkeeping
    you = state.keep_books_you
    count = len(kinds_of_row[bookkeeping[you]])
    if index < count:
        card = kinds_of_row[bookkeeping[you]][index]
        return keep_books_cash_out(state, card)
    index -= count
    return keep_books_stop(state)


def move_keep_books_cash_out(state: State, index: int) -> CashOut:
    bookkeeping = state.bookkeeping
    you = state.keep_books_you
    count = len(kinds_of_row[bookkeeping[you]])
    if index < count:
        card = kinds_of_row[bookkeeping[you]][index]
        return KEEP_BOOKS_CASH_OUT_N0_MOVES.row[card]
    index -= count
    return KEEP_BOOKS_CASH_OUT_STOP_MOVES.row[NOTHING]


def moves_keep_books_cash_out(state: State) -> list[CashOut]:
    you = state.keep_books_you
    moves: list[CashOut] = []
    row = KEEP_BOOKS_CASH_OUT_N0_MOVES.row
    moves += [row[card] for card in kinds_of_row[state.bookkeeping[you]]]
    moves += [KEEP_BOOKS_CASH_OUT_STOP_MOVES.row[NOTHING]]
    return moves


def apply_keep_books_cash_out(state: State, move: object) -> Next:
    you = state.keep_books_you
    card, card_ = legal(move, CashOut)
    if card >= 0 and state.bookkeeping[you].count(card):
        return keep_books_cash_out(state, card)
    if card_ == NOTHING:
        return keep_books_stop(state)
    raise illegal(move)


# schoko.rules:417 choose emergency
def ask_keep_books_emergency(state: State) -> Next:
    you = state.keep_books_you
    count = min(2, state.chocolate[you]) + 1
    if count > 1:
        state.at = KEEP_BOOKS_EMERGENCY
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_keep_books_emergency(state, 0))
        return step_keep_books_emergency(state, 0)
    raise Fault("'emergency' has no option, which the rules rule out")


def step_keep_books_emergency(state: State, index: int) -> Next:
    bars = index
    return keep_books_emergency(state, bars)


def move_keep_books_emergency(state: State, index: int) -> Emergency:
    bars = index
    return KEEP_BOOKS_EMERGENCY_MOVES.row[bars]


def moves_keep_books_emergency(state: State) -> list[Emergency]:
    you = state.keep_books_you
    row = KEEP_BOOKS_EMERGENCY_MOVES.row
    return [row[bars] for bars in range(min(2, state.chocolate[you]) + 1)]


def apply_keep_books_emergency(state: State, move: object) -> Next:
    you = state.keep_books_you
    (bars,) = legal(move, Emergency)
    if bars >= 0 and bars <= min(2, state.chocolate[you]):
        return keep_books_emergency(state, bars)
    raise illegal(move)


# schoko.rules:501 choose express
def ask_express(state: State) -> Next:
    you = state.express_you
    state.found = found = [
        c
        for c in kinds_in(state.cards, you * 12, 12)
        if EXPRESS_OPENS[c] <= state.window and state.window <= EXPRESS_CLOSES[c]
    ]
    count = sum(len(targets(state, you, card)) for card in found)
    count += 1
    if count > 1:
        state.at = EXPRESS_
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_express(state, 0))
    return express_pass(state)


def step_express(state: State, index: int) -> Next:
    you = state.express_you
    found = state.found
    for card in found:
        count = len(targets(state, you, card))
        if index < count:
            target = targets(state, you, card)[index]
            return express_chosen(state, card, target)
        index -= count
    return express_pass(state)


def move_express(state: State, index: int) -> Express:
    you = state.express_you
    found = state.found
    for card in found:
        count = len(targets(state, you, card))
        if index < count:
            target = targets(state, you, card)[index]
            return EXPRESS__N0_MOVES[card][target]
        index -= count
    return EXPRESS__PASS_MOVES[NOTHING][NOTHING]


def moves_express(state: State) -> list[Express]:
    you = state.express_you
    found = state.found
    moves: list[Express] = []
    for card in found:
        row = EXPRESS__N0_MOVES[card]
        moves += [row[target] for target in targets(state, you, card)]
    moves += [EXPRESS__PASS_MOVES[NOTHING][NOTHING]]
    return moves


def apply_express(state: State, move: object) -> Next:
    you = state.express_you
    card, target, card_, target_ = legal(move, Express)
    found = state.found
    if card in found and target in targets(state, you, card):
        return express_chosen(state, card, target)
    if card_ == NOTHING and target_ == NOTHING:
        return express_pass(state)
    raise illegal(move)


def may_express(state: State, you: int) -> bool:
    return you in state.playing and state.cards_size[you] != 0


# schoko.rules:543 choose vacation
def ask_strike_grosszuegig_vacation(state: State) -> Next:
    target = state.express_target
    state.found = found = kinds_in(state.staff, target * 4, 4)
    count = len(found)
    if count > 1:
        state.at = STRIKE_GROSSZUEGIG_VACATION
        state.options = count
        state.actor = target
        return None
    if count:
        if state.log is not None:
            state.note_forced(target, move_strike_grosszuegig_vacation(state, 0))
        return step_strike_grosszuegig_vacation(state, 0)
    return express_rounds


def step_strike_grosszuegig_vacation(state: State, index: int) -> Next:
    found = state.found
    category = found[index]
    return strike_grosszuegig_vacation(state, category)


def move_strike_grosszuegig_vacation(state: State, index: int) -> Vacation:
    found = state.found
    category = found[index]
    return STRIKE_GROSSZUEGIG_VACATION_MOVES.row[category]


def moves_strike_grosszuegig_vacation(state: State) -> list[Vacation]:
    found = state.found
    row = STRIKE_GROSSZUEGIG_VACATION_MOVES.row
    return [row[category] for category in found]


def apply_strike_grosszuegig_vacation(state: State, move: object) -> Next:
    (category,) = legal(move, Vacation)
    found = state.found
    if category in found:
        return strike_grosszuegig_vacation(state, category)
    raise illegal(move)


# schoko.rules:395 choose process
def ask_file_contracts_process(state: State) -> Next:
    office = state.office
    won_in = state.won_in
    you = state.file_contracts_you
    count = sum(
        1
        for c in kinds_of_row[office[you]]
        if won_in[c] == min((won_in[d] for d in kinds_of_row[office[you]]), default=0)
    )
    if count > 1:
        state.at = FILE_CONTRACTS_PROCESS
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_file_contracts_process(state, 0))
        return step_file_contracts_process(state, 0)
    return file_contracts_each_player


def step_file_contracts_process(state: State, index: int) -> Next:
    office = state.office
    won_in = state.won_in
    you = state.file_contracts_you
    card_options = [
        c
        for c in kinds_of_row[office[you]]
        if won_in[c] == min((won_in[d] for d in kinds_of_row[office[you]]), default=0)
    ]
    card = card_options[index]
    return file_contracts_process(state, card)


def move_file_contracts_process(state: State, index: int) -> Process:
    office = state.office
    won_in = state.won_in
    you = state.file_contracts_you
    card_options = [
        c
        for c in kinds_of_row[office[you]]
        if won_in[c] == min((won_in[d] for d in kinds_of_row[office[you]]), default=0)
    ]
    card = card_options[index]
    return FILE_CONTRACTS_PROCESS_MOVES.row[card]


def moves_file_contracts_process(state: State) -> list[Process]:
    office = state.office
    won_in = state.won_in
    you = state.file_contracts_you
    row = FILE_CONTRACTS_PROCESS_MOVES.row
    return [
        row[card]
        for card in [
            c
            for c in kinds_of_row[office[you]]
            if won_in[c] == min((won_in[d] for d in kinds_of_row[office[you]]), default=0)
        ]
    ]


def apply_file_contracts_process(state: State, move: object) -> Next:
    office = state.office
    won_in = state.won_in
    you = state.file_contracts_you
    (card,) = legal(move, Process)
    if (card >= 0 and office[you].count(card)) and won_in[card] == min(
        (won_in[d] for d in kinds_of_row[office[you]]), default=0
    ):
        return file_contracts_process(state, card)
    raise illegal(move)


# schoko.rules:347 choose attend
def ask_negotiate_attend(state: State) -> Next:
    you = state.negotiate_you
    count = 1
    count += 1
    if count > 1:
        state.at = NEGOTIATE_ATTEND
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_negotiate_attend(state, 0))
    return negotiate_attend(state)


def step_negotiate_attend(state: State, index: int) -> Next:
    if index < 1:
        return negotiate_attend_(state)
    index -= 1
    return negotiate_attend(state)


def move_negotiate_attend(state: State, index: int) -> Attend:
    if index < 1:
        return NEGOTIATE_ATTEND_N0_MOVES.only
    index -= 1
    return NEGOTIATE_ATTEND_N1_MOVES.only


def moves_negotiate_attend(state: State) -> list[Attend]:
    moves: list[Attend] = []
    moves += [NEGOTIATE_ATTEND_N0_MOVES.only]
    moves += [NEGOTIATE_ATTEND_N1_MOVES.only]
    return moves


def apply_negotiate_attend(state: State, move: object) -> Next:
    (yes,) = legal(move, Attend)
    if yes is True:
        return negotiate_attend_(state)
    if yes is False:
        return negotiate_attend(state)
    raise illegal(move)


# schoko.rules:365 choose accept
def ask_haggle_accept(state: State) -> Next:
    you = state.haggle_you
    count = 1
    count += 1
    if count > 1:
        state.at = HAGGLE_ACCEPT
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_haggle_accept(state, 0))
    return haggle_accept(state)


def step_haggle_accept(state: State, index: int) -> Next:
    if index < 1:
        return haggle_accept_(state)
    index -= 1
    return haggle_accept(state)


def move_haggle_accept(state: State, index: int) -> Accept:
    if index < 1:
        return HAGGLE_ACCEPT_N0_MOVES.only
    index -= 1
    return HAGGLE_ACCEPT_N1_MOVES.only


def moves_haggle_accept(state: State) -> list[Accept]:
    moves: list[Accept] = []
    moves += [HAGGLE_ACCEPT_N0_MOVES.only]
    moves += [HAGGLE_ACCEPT_N1_MOVES.only]
    return moves


def apply_haggle_accept(state: State, move: object) -> Next:
    (yes,) = legal(move, Accept)
    if yes is True:
        return haggle_accept_(state)
    if yes is False:
        return haggle_accept(state)
    raise illegal(move)


# schoko.rules:373 choose raise
def ask_haggle_raise(state: State) -> Next:
    card = state.negotiate_next_card
    count = max(min(5, CONTRACT_HIGHEST[card] - state.asking), 0)
    if count > 1:
        state.at = HAGGLE_RAISE
        state.options = count
        state.actor = next_seat(state, state.playing, state.first, -1)
        return None
    if count:
        if state.log is not None:
            state.note_forced(next_seat(state, state.playing, state.first, -1), move_haggle_raise(state, 0))
        return step_haggle_raise(state, 0)
    raise Fault("'raise' has no option, which the rules rule out")


def step_haggle_raise(state: State, index: int) -> Next:
    by = 1 + index
    return haggle_raise(state, by)


def move_haggle_raise(state: State, index: int) -> Raise:
    by = 1 + index
    return HAGGLE_RAISE_MOVES.row[by]


def moves_haggle_raise(state: State) -> list[Raise]:
    card = state.negotiate_next_card
    row = HAGGLE_RAISE_MOVES.row
    return [row[by] for by in range(1, min(5, CONTRACT_HIGHEST[card] - state.asking) + 1)]


def apply_haggle_raise(state: State, move: object) -> Next:
    card = state.negotiate_next_card
    (by,) = legal(move, Raise)
    if by >= 1 and by <= min(5, CONTRACT_HIGHEST[card] - state.asking):
        return haggle_raise(state, by)
    raise illegal(move)


# schoko.rules:311 choose produce
def ask_make_chocolate_produce(state: State) -> Next:
    you = state.make_chocolate_you
    count = max(
        min(
            bars_per_worker(state, you)
            * max(
                0,
                max(0, state.staff[you * 4] - (1 if state.on_leave[you] == 0 else 0))
                - (1 if state.idle[you] else 0),
            ),
            state.cocoa[you],
            16 - state.chocolate[you],
        )
        + 1,
        0,
    )
    if count > 1:
        state.at = MAKE_CHOCOLATE_PRODUCE
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_make_chocolate_produce(state, 0))
        return step_make_chocolate_produce(state, 0)
    raise Fault("'produce' has no option, which the rules rule out")


def step_make_chocolate_produce(state: State, index: int) -> Next:
    bars = index
    return make_chocolate_produce(state, bars)


def move_make_chocolate_produce(state: State, index: int) -> Produce:
    bars = index
    return MAKE_CHOCOLATE_PRODUCE_MOVES.row[bars]


def moves_make_chocolate_produce(state: State) -> list[Produce]:
    you = state.make_chocolate_you
    row = MAKE_CHOCOLATE_PRODUCE_MOVES.row
    return [
        row[bars]
        for bars in range(
            min(
                bars_per_worker(state, you)
                * max(
                    0,
                    max(0, state.staff[you * 4] - (1 if state.on_leave[you] == 0 else 0))
                    - (1 if state.idle[you] else 0),
                ),
                state.cocoa[you],
                16 - state.chocolate[you],
            )
            + 1,
        )
    ]


def apply_make_chocolate_produce(state: State, move: object) -> Next:
    you = state.make_chocolate_you
    (bars,) = legal(move, Produce)
    if bars >= 0 and bars <= min(
        bars_per_worker(state, you)
        * max(
            0,
            max(0, state.staff[you * 4] - (1 if state.on_leave[you] == 0 else 0))
            - (1 if state.idle[you] else 0),
        ),
        state.cocoa[you],
        16 - state.chocolate[you],
    ):
        return make_chocolate_produce(state, bars)
    raise illegal(move)


def holds_bid(state: State, you: int) -> bool:
    return state.cocoa[you] < 16


def count_bid(state: State, you: int) -> int:
    cash = state.cash
    count = 1
    count += sum(cash[you] // bars for bars in range(1, min(16 - state.cocoa[you], state.offered) + 1))
    if count > 1000000:
        raise Fault("'bid' has more than 1000000 options")
    return count


# schoko.rules:288 choose bid at once
def ask_bid(state: State) -> Next:
    after: Next = gather(state, BID, clockwise(state, state.playing, state.first))
    return after


def step_bid(state: State, index: int, you: int) -> None:
    cash = state.cash
    if index < 1:
        state.bid_kept[you] = (0, 0, 0)
        return
    index -= 1
    for bars in range(1, min(16 - state.cocoa[you], state.offered) + 1):
        count = cash[you] // bars
        if index < count:
            break
        index -= count
    price = 1 + index
    state.bid_kept[you] = (1, bars, price)
    return


def move_bid(state: State, index: int, you: int) -> Bid:
    cash = state.cash
    if index < 1:
        return BID_N0_MOVES.only
    index -= 1
    for bars in range(1, min(16 - state.cocoa[you], state.offered) + 1):
        count = cash[you] // bars
        if index < count:
            break
        index -= count
    price = 1 + index
    return BID_BUY_MOVES[bars][price]


def moves_bid(state: State, you: int) -> list[Bid]:
    cash = state.cash
    moves: list[Bid] = []
    moves += [BID_N0_MOVES.only]
    for bars in range(1, min(16 - state.cocoa[you], state.offered) + 1):
        row = BID_BUY_MOVES[bars]
        moves += [row[price] for price in range(1, cash[you] // bars + 1)]
    return moves


def apply_bid(state: State, move: object, you: int) -> None:
    bars, price = legal(move, Bid)
    if bars == 0 and price == 0:
        state.bid_kept[you] = (0, bars, price)
        return
    if (
        bars >= 1
        and bars <= min(16 - state.cocoa[you], state.offered)
        and price >= 1
        and price <= state.cash[you] // bars
    ):
        state.bid_kept[you] = (1, bars, price)
        return
    raise illegal(move)


def named_bid(state: State, you: int) -> Bid:
    kept = state.bid_kept[you]
    if kept[0] == 0:
        return BID_N0_MOVES.only
    bars = kept[1]
    price = kept[2]
    return BID_BUY_MOVES[bars][price]


def take_bid(state: State, you: int) -> Next:
    kept = state.bid_kept[you]
    state.bid_kept[you] = ()
    if kept[0] == 0:
        return bid_chosen(state)
    bars = kept[1]
    price = kept[2]
    return bid_buy(state, bars, price)


# schoko.rules:272 choose request
def ask_ask_for_bars_request(state: State) -> Next:
    you = state.ask_for_bars_you
    count = 16 - state.cocoa[you] + 1
    if state.loan_cards > 0:
        count += 1
    if count > 1:
        state.at = ASK_FOR_BARS_REQUEST
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_ask_for_bars_request(state, 0))
        return step_ask_for_bars_request(state, 0)
    raise Fault("'request' has no option, which the rules rule out")


def step_ask_for_bars_request(state: State, index: int) -> Next:
    you = state.ask_for_bars_you
    count = 16 - state.cocoa[you] + 1
    if index < count:
        bars = index
        return ask_for_bars_request(state, bars)
    index -= count
    return ask_for_bars_loan(state)


def move_ask_for_bars_request(state: State, index: int) -> EngineMove:
    you = state.ask_for_bars_you
    count = 16 - state.cocoa[you] + 1
    if index < count:
        bars = index
        return ASK_FOR_BARS_REQUEST_N0_MOVES.row[bars]
    index -= count
    return ASK_FOR_BARS_REQUEST_LOAN_MOVES.only


def moves_ask_for_bars_request(state: State) -> list[EngineMove]:
    you = state.ask_for_bars_you
    moves: list[EngineMove] = []
    row = ASK_FOR_BARS_REQUEST_N0_MOVES.row
    moves += [row[bars] for bars in range(16 - state.cocoa[you] + 1)]
    if state.loan_cards > 0:
        moves += [ASK_FOR_BARS_REQUEST_LOAN_MOVES.only]
    return moves


def apply_ask_for_bars_request(state: State, move: object) -> Next:
    you = state.ask_for_bars_you
    if isinstance(move, Request):
        (bars,) = legal(move, Request)
        if bars >= 0 and bars <= 16 - state.cocoa[you]:
            return ask_for_bars_request(state, bars)
        raise illegal(move)
    legal(move, Loan)
    if state.loan_cards > 0:
        return ask_for_bars_loan(state)
    raise illegal(move)


# schoko.rules:253 choose dismiss
def ask_loan_clause_dismiss(state: State) -> Next:
    you = state.loan_clause_you
    state.found = found = kinds_in(state.staff, you * 4, 4)
    count = len(found)
    if count > 1:
        state.at = LOAN_CLAUSE_DISMISS
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_loan_clause_dismiss(state, 0))
        return step_loan_clause_dismiss(state, 0)
    raise Fault("'dismiss' has no option, which the rules rule out")


def step_loan_clause_dismiss(state: State, index: int) -> Next:
    found = state.found
    category = found[index]
    return loan_clause_dismiss(state, category)


def move_loan_clause_dismiss(state: State, index: int) -> Dismiss:
    found = state.found
    category = found[index]
    return LOAN_CLAUSE_DISMISS_MOVES.row[category]


def moves_loan_clause_dismiss(state: State) -> list[Dismiss]:
    found = state.found
    row = LOAN_CLAUSE_DISMISS_MOVES.row
    return [row[category] for category in found]


def apply_loan_clause_dismiss(state: State, move: object) -> Next:
    (category,) = legal(move, Dismiss)
    found = state.found
    if category in found:
        return loan_clause_dismiss(state, category)
    raise illegal(move)


# schoko.rules:221 choose staff
def ask_change_staff_staff(state: State) -> Next:
    fired = state.fired
    hired = state.hired
    hires_left = state.hires_left
    labour = state.labour
    staff = state.staff
    dismissable = state.change_staff_dismissable
    you = state.hire_and_fire_you
    state.found = found = [
        c
        for c in range(4)
        if not (not labour[c] or hires_left[you] == 0)
        and not (c in fired[you] or hired[you].count(c) >= 2)
        and not (c == 3 and state.news == 6)
    ]
    count = len(found)
    if dismissable > 0:
        count += (
            (staff[you * 4] > 0 and state.date > 1 and 0 not in hired[you])
            + (staff[you * 4 + 1] > 0 and state.date > 1 and 1 not in hired[you])
            + (staff[you * 4 + 2] > 0 and state.date > 1 and 2 not in hired[you])
            + (staff[you * 4 + 3] > 0 and state.date > 1 and 3 not in hired[you])
        )
    if state.loan_cards > 0:
        count += 1
    count += 1
    if count > 1:
        if count > 1000000:
            raise Fault("'staff' has more than 1000000 options")
        state.at = CHANGE_STAFF_STAFF
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_change_staff_staff(state, 0))
    return change_staff_done(state)


def step_change_staff_staff(state: State, index: int) -> Next:
    hired = state.hired
    staff = state.staff
    dismissable = state.change_staff_dismissable
    you = state.hire_and_fire_you
    found = state.found
    count = len(found)
    if index < count:
        category = found[index]
        return change_staff_hire(state, category)
    index -= count
    if dismissable > 0:
        count_ = (
            (staff[you * 4] > 0 and state.date > 1 and 0 not in hired[you])
            + (staff[you * 4 + 1] > 0 and state.date > 1 and 1 not in hired[you])
            + (staff[you * 4 + 2] > 0 and state.date > 1 and 2 not in hired[you])
            + (staff[you * 4 + 3] > 0 and state.date > 1 and 3 not in hired[you])
        )
        if index < count_:
            category_options = [
                c for c in kinds_in(staff, you * 4, 4) if state.date > 1 and c not in hired[you]
            ]
            category_ = category_options[index]
            return change_staff_fire(state, category_)
        index -= count_
    if state.loan_cards > 0:
        if index < 1:
            return change_staff_loan(state)
        index -= 1
    return change_staff_done(state)


def move_change_staff_staff(state: State, index: int) -> EngineMove:
    hired = state.hired
    staff = state.staff
    dismissable = state.change_staff_dismissable
    you = state.hire_and_fire_you
    found = state.found
    count = len(found)
    if index < count:
        category = found[index]
        return CHANGE_STAFF_STAFF_HIRE_MOVES.row[category]
    index -= count
    if dismissable > 0:
        count_ = (
            (staff[you * 4] > 0 and state.date > 1 and 0 not in hired[you])
            + (staff[you * 4 + 1] > 0 and state.date > 1 and 1 not in hired[you])
            + (staff[you * 4 + 2] > 0 and state.date > 1 and 2 not in hired[you])
            + (staff[you * 4 + 3] > 0 and state.date > 1 and 3 not in hired[you])
        )
        if index < count_:
            category_options = [
                c for c in kinds_in(staff, you * 4, 4) if state.date > 1 and c not in hired[you]
            ]
            category_ = category_options[index]
            return CHANGE_STAFF_STAFF_FIRE_MOVES.row[category_]
        index -= count_
    if state.loan_cards > 0:
        if index < 1:
            return CHANGE_STAFF_STAFF_LOAN_MOVES.only
        index -= 1
    return CHANGE_STAFF_STAFF_DONE_MOVES.only


def moves_change_staff_staff(state: State) -> list[EngineMove]:
    hired = state.hired
    dismissable = state.change_staff_dismissable
    you = state.hire_and_fire_you
    found = state.found
    moves: list[EngineMove] = []
    row = CHANGE_STAFF_STAFF_HIRE_MOVES.row
    moves += [row[category] for category in found]
    if dismissable > 0:
        category_options = [
            c for c in kinds_in(state.staff, you * 4, 4) if state.date > 1 and c not in hired[you]
        ]
        row_ = CHANGE_STAFF_STAFF_FIRE_MOVES.row
        moves += [row_[category_] for category_ in category_options]
    if state.loan_cards > 0:
        moves += [CHANGE_STAFF_STAFF_LOAN_MOVES.only]
    moves += [CHANGE_STAFF_STAFF_DONE_MOVES.only]
    return moves


def apply_change_staff_staff(state: State, move: object) -> Next:
    dismissable = state.change_staff_dismissable
    you = state.hire_and_fire_you
    if isinstance(move, Staff):
        do, category = legal(move, Staff)
        found = state.found
        if do == "hire" and category in found:
            return change_staff_hire(state, category)
        if (
            dismissable > 0
            and do == "fire"
            and (category >= 0 and state.staff[you * 4 + category])
            and (state.date > 1 and category not in state.hired[you])
        ):
            return change_staff_fire(state, category)
        if category == MISSING and do == "done":
            return change_staff_done(state)
        raise illegal(move)
    legal(move, Loan)
    found = state.found
    if state.loan_cards > 0:
        return change_staff_loan(state)
    raise illegal(move)


# schoko.rules:193 choose peek
def ask_begin_month_peek(state: State) -> Next:
    you = state.begin_month_you
    count = 1 if state.cash[you] >= 15 else 0
    count += 1
    if count > 1:
        state.at = BEGIN_MONTH_PEEK
        state.options = count
        state.actor = you
        return None
    if state.log is not None:
        state.note_forced(you, move_begin_month_peek(state, 0))
    return begin_month_pass(state)


def step_begin_month_peek(state: State, index: int) -> Next:
    you = state.begin_month_you
    if state.cash[you] >= 15:
        if index < 1:
            return begin_month_peek(state)
        index -= 1
    return begin_month_pass(state)


def move_begin_month_peek(state: State, index: int) -> Peek:
    you = state.begin_month_you
    if state.cash[you] >= 15:
        if index < 1:
            return BEGIN_MONTH_PEEK_N0_MOVES.only
        index -= 1
    return BEGIN_MONTH_PEEK_PASS_MOVES.only


def moves_begin_month_peek(state: State) -> list[Peek]:
    you = state.begin_month_you
    moves: list[Peek] = []
    if state.cash[you] >= 15:
        moves += [BEGIN_MONTH_PEEK_N0_MOVES.only]
    moves += [BEGIN_MONTH_PEEK_PASS_MOVES.only]
    return moves


def apply_begin_month_peek(state: State, move: object) -> Next:
    you = state.begin_month_you
    (yes,) = legal(move, Peek)
    if state.cash[you] >= 15 and yes is True:
        return begin_month_peek(state)
    if yes is False:
        return begin_month_pass(state)
    raise illegal(move)


def may_begin_month_peek(state: State, you: int) -> bool:
    return you in state.playing and not state.knows_event[you]


TRADE_SHARES_SHARES = Decision(
    "trade_shares_shares",
    "shares",
    ask_trade_shares_shares,
    step_trade_shares_shares,
    move_trade_shares_shares,
    moves_trade_shares_shares,
    apply_trade_shares_shares,
    passes=True,
    may_be_asked=may_trade_shares_shares,
)
REPAY_LOANS = Decision(
    "repay_loans",
    "repay",
    ask_repay_loans,
    step_repay_loans,
    move_repay_loans,
    moves_repay_loans,
    apply_repay_loans,
    passes=True,
    may_be_asked=may_repay_loans,
)
KEEP_BOOKS_CASH_OUT = Decision(
    "keep_books_cash_out",
    "cash_out",
    ask_keep_books_cash_out,
    step_keep_books_cash_out,
    move_keep_books_cash_out,
    moves_keep_books_cash_out,
    apply_keep_books_cash_out,
)
KEEP_BOOKS_EMERGENCY = Decision(
    "keep_books_emergency",
    "emergency",
    ask_keep_books_emergency,
    step_keep_books_emergency,
    move_keep_books_emergency,
    moves_keep_books_emergency,
    apply_keep_books_emergency,
)
EXPRESS_ = Decision(
    "express",
    "express",
    ask_express,
    step_express,
    move_express,
    moves_express,
    apply_express,
    passes=True,
    told="express",
    may_be_asked=may_express,
)
STRIKE_GROSSZUEGIG_VACATION = Decision(
    "strike_grosszuegig_vacation",
    "vacation",
    ask_strike_grosszuegig_vacation,
    step_strike_grosszuegig_vacation,
    move_strike_grosszuegig_vacation,
    moves_strike_grosszuegig_vacation,
    apply_strike_grosszuegig_vacation,
)
FILE_CONTRACTS_PROCESS = Decision(
    "file_contracts_process",
    "process",
    ask_file_contracts_process,
    step_file_contracts_process,
    move_file_contracts_process,
    moves_file_contracts_process,
    apply_file_contracts_process,
)
NEGOTIATE_ATTEND = Decision(
    "negotiate_attend",
    "attend",
    ask_negotiate_attend,
    step_negotiate_attend,
    move_negotiate_attend,
    moves_negotiate_attend,
    apply_negotiate_attend,
)
HAGGLE_ACCEPT = Decision(
    "haggle_accept",
    "accept",
    ask_haggle_accept,
    step_haggle_accept,
    move_haggle_accept,
    moves_haggle_accept,
    apply_haggle_accept,
)
HAGGLE_RAISE = Decision(
    "haggle_raise",
    "raise",
    ask_haggle_raise,
    step_haggle_raise,
    move_haggle_raise,
    moves_haggle_raise,
    apply_haggle_raise,
)
MAKE_CHOCOLATE_PRODUCE = Decision(
    "make_chocolate_produce",
    "produce",
    ask_make_chocolate_produce,
    step_make_chocolate_produce,
    move_make_chocolate_produce,
    moves_make_chocolate_produce,
    apply_make_chocolate_produce,
)
BID = AtOnce(
    "bid",
    "bid",
    ask_bid,
    step_bid,
    move_bid,
    moves_bid,
    apply_bid,
    count=count_bid,
    holds=holds_bid,
    named=named_bid,
    done=bid_each_player,
    kept="bid_kept",
    codecs=((NUMBER, NUMBER), (NUMBER, NUMBER)),
    order="you_left_8",
    shown=True,
    private=True,
    told_apart=True,
)
ASK_FOR_BARS_REQUEST = Decision(
    "ask_for_bars_request",
    "request",
    ask_ask_for_bars_request,
    step_ask_for_bars_request,
    move_ask_for_bars_request,
    moves_ask_for_bars_request,
    apply_ask_for_bars_request,
)
LOAN_CLAUSE_DISMISS = Decision(
    "loan_clause_dismiss",
    "dismiss",
    ask_loan_clause_dismiss,
    step_loan_clause_dismiss,
    move_loan_clause_dismiss,
    moves_loan_clause_dismiss,
    apply_loan_clause_dismiss,
)
CHANGE_STAFF_STAFF = Decision(
    "change_staff_staff",
    "staff",
    ask_change_staff_staff,
    step_change_staff_staff,
    move_change_staff_staff,
    moves_change_staff_staff,
    apply_change_staff_staff,
)
BEGIN_MONTH_PEEK = Decision(
    "begin_month_peek",
    "peek",
    ask_begin_month_peek,
    step_begin_month_peek,
    move_begin_month_peek,
    moves_begin_month_peek,
    apply_begin_month_peek,
    passes=True,
    told="peek",
    may_be_asked=may_begin_month_peek,
)


# ------------------------------------------------------------------ the end


# schoko.rules:626 score cash
def score_cash(state: State, you: int) -> int:
    return state.cash[you]


# schoko.rules:628 score loans
def score_loans(state: State, you: int) -> int:
    return -60 * state.loans[you]


# schoko.rules:627 score shares
def score_shares(state: State, you: int) -> int:
    return state.shares[you] * SHARE_PRICE[max(0, state.date - 1)]


# schoko.rules:629 rank
def rank(state: State, you: int) -> tuple[int, ...]:
    return (score_cash(state, you) + score_loans(state, you) + score_shares(state, you),)


# ------------------------------------------------------------------ the engine


LINES = (
    "1= 985=:456 988= 991=:449 992=:450 993=:451 995=:452 998= 1000=:455 1003= 1005=:454 1008= 1011=:434 "
    "1012=:435 1013=:436 1017= 1020=:439 1021=:440 1022=:441 1026=:442 1032= 1035=:518 1036=:519 1040=:520 "
    "1046= 1049=:549 1052= 1055=:523 1057=:524 1061=:525 1067=:526 1073= 1075=:540 1078= 1080=:539 1083= "
    "1086=:556 1090= 1092=:555 1095= 1100=:529 1101=:530 1105=:531 1109=:532 1113=:533 1116=:534 1120=:535 "
    "1124=:536 1127= 1129=:557 1133= 1136=:569 1140=:570 1144=:571 1147= 1149=:162 1152= 1156=:574 1157=:575 "
    "1158=:576 1160=:577 1162=:578 1163=:579 1164=:580 1165=:581 1166=:574 1170= 1174=:158 1175=:159 1183= "
    "1189=:296 1198=:297 1200=:298 1201=:299 1203=:300 1204=:301 1208=:302 1212=:303 1218= 1224=:148 "
    "1225=:149 1233=:150 1234=:151 1236=:152 1237=:153 1239=:154 1240=:155 1244= 1246=:201 1249= 1252=:561 "
    "1256=:562 1262= 1264=:379 1268= 1271=:565 1275=:566 1281= 1286=:336 1287=:337 1291=:338 1300= 1303=:204 "
    "1304=:205 1308= 1313=:143 1314=:144 1315=:145 1316=:171 1320= 1338=:171 1340=:105 1341=:133 1343=:125 "
    "1344=:124 1345=:123 1346=:134 1347=:137 1348=:128 1349=:135 1350=:129 1351=:127 1352=:126 1353=:138 "
    "1354=:136 1355=:187 1359=:188 1360=:189 1361=:190 1364=:191 1369=:192 1372=:173 1373=:170 1378= "
    "1383=:461 1385=:184 1386=:175 1387=:461 1391=:467 1392=:468 1393=:461 1396= 1398=:480 1401= 1406=:488 "
    "1407=:489 1411=:490 1415=:480 1418= 1423=:484 1424=:485 1428=:486 1432=:480 1435= 1438=:481 1439=:482 "
    "1441=:480 1444= 1446=:478 1449= 1453=:475 1454=:476 1458=:477 1465= 1469=:468 1470=:469 1474=:470 "
    "1478=:473 1483= 1487=:584 1488=:585 1489=:586 1492=:588 1493=:583 1498= 1500=:583 1505= 1520=:603 "
    "1524=:604 1525=:605 1529=:606 1530=:607 1531=:608 1535=:609 1536=:610 1540=:611 1541=:612 1542=:613 "
    "1548=:614 1549=:615 1551=:616 1552=:617 1554=:618 1555=:619 1561=:620 1562=:621 1563=:602 1566=:622 "
    "1567=:623 1572= 1575=:460 1576=:461 1579=:184 1580=:175 1583= 1587=:428 1592=:429 1593=:430 1595=:431 "
    "1603=:445 1606=:431 1619=:428 1622= 1628=:445 1630=:444 1631=:445 1635=:446 1639=:445 1642= 1645=:407 "
    "1650= 1660=:407 1662=:424 1664=:425 1668=:426 1669=:427 1670=:428 1672=:407 1676=:408 1677=:409 "
    "1681=:407 1684= 1688=:409 1692=:410 1695=:409 1698= 1702=:416 1704=:417 1709= 1713=:418 1717=:419 "
    "1721=:420 1725= 1727=:415 1730= 1733=:412 1735=:413 1739= 1742=:495 1743=:494 1746=:496 1750=:500 1755= "
    "1762=:500 1765=:494 1768=:500 1777=:501 1778=:500 1782= 1784=:507 1787= 1792=:502 1794=:504 1799=:505 "
    "1800=:506 1811=:538 1815=:506 1822=:543 1824=:542 1825=:506 1829=:552 1836=:506 1848= 1856=:552 "
    "1858=:551 1859=:552 1865=:591 1866=:590 1867=:592 1868=:593 1869=:594 1871=:595 1875=:596 1876=:597 "
    "1879=:599 1883=:600 1887=:552 1890= 1892=:590 1895= 1898=:545 1899=:542 1902= 1904=:538 1907= 1909=:328 "
    "1910=:329 1915= 1917=:330 1920= 1923=:330 1924=:331 1928=:341 1932=:342 1934=:393 1939= 1946=:393 "
    "1948=:406 1951=:393 1955=:394 1957=:393 1960= 1964=:394 1968=:395 1971=:394 1974= 1977=:397 1982= "
    "1987=:342 1988=:340 1989=:342 1991=:106 1992=:109 1993=:108 1994=:132 1996=:346 2001= 2010=:346 "
    "2012=:352 2013=:353 2014=:354 2015=:345 2016=:355 2017=:356 2019=:362 2020=:364 2023=:346 2028=:347 "
    "2029=:346 2033= 2040=:364 2042=:370 2043=:371 2044=:345 2045=:373 2049=:364 2057=:365 2058=:364 2062= "
    "2065=:375 2069=:364 2074= 2076=:369 2079= 2083=:367 2090= 2092=:345 2095= 2102=:382 2106=:383 2110=:384 "
    "2112=:385 2116=:386 2117=:387 2121=:388 2122=:389 2123=:390 2128= 2130=:381 2135= 2139=:356 2141=:345 "
    "2142=:356 2146=:357 2151=:356 2154= 2156=:351 2159= 2163=:349 2164=:350 2171= 2174=:310 2179= 2184=:310 "
    "2186=:327 2189=:310 2192=:311 2193=:310 2197= 2202=:312 2206=:313 2213= 2216=:270 2221= 2226=:265 "
    "2231=:266 2235=:267 2237=:130 2239=:131 2240=:288 2241=:265 2244= 2247=:288 2249=:285 2250=:283 "
    "2251=:288 2254=:289 2255=:288 2259= 2262=:292 2263=:293 2267= 2269=:290 2272= 2278=:270 2280=:278 "
    "2281=:265 2283=:270 2286=:271 2287=:270 2291= 2294=:271 2295=:272 2298=:271 2301= 2304=:277 2308= "
    "2311=:274 2312=:275 2315= 2317=:309 2322= 2325=:210 2330= 2337=:210 2339=:249 2340=:250 2344=:251 "
    "2347=:210 2351=:219 2352=:220 2353=:210 2356= 2362=:251 2364=:262 2366=:263 2369=:251 2374=:252 "
    "2375=:251 2379= 2384=:252 2387=:253 2390=:252 2393= 2397=:255 2403=:256 2407=:257 2411= 2413=:214 2416= "
    "2419=:220 2420=:221 2423=:220 2426= 2430=:245 2434=:246 2440= 2443=:232 2447= 2453=:227 2457=:228 "
    "2461=:229 2464=:230 2473= 2478=:223 2482=:224 2485=:225 2494= 2500=:192 2502=:209 2505=:192 2510=:193 "
    "2511=:192 2515= 2517=:198 2520= 2523=:195 2524=:196 2525=:197 2529= 2536=:483 2537=:487 2538=:491 "
    "2539=:482 2549= 2552=:483 2557=:487 2562=:491 2565= 2568=:483 2573=:487 2578=:491 2581= 2584=:482 "
    "2585=:483 2587=:487 2589=:491 2593= 2596=:482 2597=:483 2599=:487 2601=:491 2606= 2607=:482 2610= "
    "2613=:474 2614=:478 2615=:473 2625= 2627=:474 2632=:478 2635= 2637=:474 2642=:478 2645= 2647=:473 "
    "2648=:474 2650=:478 2654= 2656=:473 2657=:474 2659=:478 2664= 2665=:473 2668= 2671=:411 2672=:414 "
    "2673=:410 2683= 2686=:411 2691=:414 2694= 2697=:411 2702=:414 2705= 2707=:410 2708=:411 2710=:414 2714= "
    "2716=:410 2717=:411 2719=:414 2724= 2727=:417 2740= 2741=:417 2745= 2746=:417 2750= 2752=:417 2756= "
    "2758=:417 2764= 2767=:502 2773=:507 2774=:501 2784= 2786=:501 2787=:502 2793=:507 2796= 2798=:501 "
    "2799=:502 2805=:507 2808= 2810=:501 2812=:502 2815=:507 2819= 2821=:501 2823=:502 2825=:507 2830= "
    "2831=:501 2834= 2837=:544 2839=:543 2848=:542 2851= 2852=:543 2853=:544 2857= 2858=:543 2859=:544 2863= "
    "2864=:543 2869= 2870=:543 2872=:544 2877= 2882=:396 2887=:395 2896=:399 2899= 2903=:396 2912= 2916=:396 "
    "2925= 2929=:395 2940= 2944=:395 2945=:396 2952= 2955=:348 2956=:351 2957=:347 2967= 2968=:348 2971=:351 "
    "2974= 2975=:348 2978=:351 2981= 2982=:347 2983=:348 2984=:351 2988= 2989=:347 2990=:348 2992=:351 2997= "
    "3000=:366 3001=:369 3002=:365 3012= 3013=:366 3016=:369 3019= 3020=:366 3023=:369 3026= 3027=:365 "
    "3028=:366 3029=:369 3033= 3034=:365 3035=:366 3037=:369 3042= 3045=:374 3046=:373 3058= 3059=:374 3063= "
    "3064=:374 3068= 3070=:373 3074= 3076=:373 3077=:374 3082= 3085=:311 3111= 3112=:311 3116= 3117=:311 "
    "3121= 3123=:311 3142= 3144=:311 3159= 3160=:288 3163= 3165=:290 3166=:291 3167=:288 3172= 3174=:288 "
    "3178= 3180=:290 3184=:291 3194= 3196=:290 3199=:291 3208= 3210=:288 3211=:290 3212=:291 3218= 3219=:288 "
    "3220=:290 3223=:291 3234= 3235=:288 3236=:290 3238=:291 3243= 3244=:288 3246=:290 3248=:291 3253= "
    "3256=:273 3257=:276 3259=:272 3271= 3273=:273 3278=:276 3281= 3283=:273 3288=:276 3291= 3293=:272 "
    "3294=:273 3296=:276 3301= 3303=:272 3305=:273 3308=:272 3309=:276 3314= 3317=:254 3319=:253 3331= "
    "3332=:253 3333=:254 3337= 3338=:253 3339=:254 3343= 3344=:253 3349= 3350=:253 3352=:254 3357= 3366=:222 "
    "3374=:226 3381=:231 3383=:233 3384=:221 3396= 3401=:221 3402=:222 3407=:226 3421=:231 3425=:233 3428= "
    "3433=:221 3434=:222 3439=:226 3453=:231 3457=:233 3460= 3464=:221 3466=:222 3468=:226 3474=:231 "
    "3476=:233 3480= 3483=:221 3486=:222 3488=:226 3495=:233 3498=:221 3500=:231 3505= 3508=:194 3509=:198 "
    "3510=:193 3520= 3522=:194 3526=:198 3529= 3531=:194 3535=:198 3538= 3540=:193 3541=:194 3543=:198 3547= "
    "3549=:193 3550=:194 3552=:198 3557= 3558=:193 3561= 3732=:626 3735= 3737=:628 3740= 3742=:627 3745= "
    "3747=:629 3750="
)

GAME = Game(
    ruleset="schoko",
    digest="c50693f1519c4f8c11029e38972606d7c3a0d666b76810f499ca93094c097ead",
    versions={"schoko": "1.0.0"},
    options={"first_banker": "red", "months": "8"},
    min_players=2,
    max_players=4,
    seats=("red", "blue", "green", "yellow"),
    variables=(
        Variable("asking", "asking", "game", NumberCodec(0, 999), "open", 0),
        Variable("bank_bars", "bank_bars", "game", NumberCodec(0, 114), "open", 114),
        Variable("bid_bars", "bid_bars", "player", NumberCodec(0, 16), "open", 0),
        Variable("bid_price", "bid_price", "player", NumberCodec(0, 99999), "open", 0),
        Variable("cash", "cash", "player", NumberCodec(0, 99999), "secret", 100),
        Variable("ceded", "ceded", "game", FLAG, "open", False),
        Variable("chocolate", "chocolate", "player", NumberCodec(0, 16), "open", 0),
        Variable("cocoa", "cocoa", "player", NumberCodec(0, 16), "open", 0),
        Variable("current", "current", "game", CONTRACT, "open", UNSET),
        Variable("date", "date", "game", NumberCodec(0, 12), "open", 0),
        Variable("deals", "deals", "player", NumberCodec(0, 15), "open", 0),
        Variable("fired", "fired", "player", ItemsCodec(STAFF, unique=False), "open", ()),
        Variable("first", "first", "game", SEAT, "open", 0),
        Variable("hired", "hired", "player", ItemsCodec(STAFF, unique=False), "open", ()),
        Variable("hires_left", "hires_left", "player", NumberCodec(0, 8), "open", 8),
        Variable("hit", "hit", "player", FLAG, "open", False),
        Variable("idle", "idle", "player", FLAG, "open", False),
        Variable("knows_event", "knows_event", "player", FLAG, "open", False),
        Variable("ledger", "ledger", "game", NumberCodec(-999999, 999999), "hidden", 0),
        Variable("limit", "limit", "player", NumberCodec(0, 99), "open", 0),
        Variable("loan_cards", "loan_cards", "game", NumberCodec(0, 13), "open", 13),
        Variable("loans", "loans", "player", NumberCodec(0, 13), "open", 0),
        Variable("marker", "marker", "player", NumberCodec(0, 15), "open", 0),
        Variable("news", "news", "game", MaybeCodec(EVENT), "open", NOTHING),
        Variable("offered", "offered", "game", NumberCodec(0, 64), "open", 0),
        Variable("on_leave", "on_leave", "player", MaybeCodec(STAFF), "open", NOTHING),
        Variable(
            "price",
            "price",
            "kind",
            NumberCodec(0, 999),
            "open",
            0,
            names=(
                "c10_22",
                "c11_24",
                "c12_25",
                "c18_40",
                "c20_42",
                "c20_44",
                "c22_46",
                "c27_54",
                "c28_57",
                "c30_60",
                "c30_63",
                "c33_66",
                "c36_68",
                "c38_72",
                "c40_76",
                "c42_80",
                "c45_80",
                "c45_85",
                "c48_90",
                "c50_95",
                "c50_100",
                "c54_96",
                "c57_108",
            ),
        ),
        Variable("requested", "requested", "player", NumberCodec(0, 16), "open", 0),
        Variable("ruined", "ruined", "player", FLAG, "open", False),
        Variable("salaries", "salaries", "player", NumberCodec(0, 999), "open", 0),
        Variable("severance", "severance", "player", NumberCodec(0, 999), "open", 0),
        Variable("shares", "shares", "player", NumberCodec(0, 10), "open", 0),
        Variable("shares_left", "shares_left", "game", NumberCodec(0, 10), "open", 10),
        Variable("slack", "slack", "player", FLAG, "open", False),
        Variable("supply", "supply", "game", NumberCodec(0, 64), "open", 0),
        Variable("takes_part", "takes_part", "player", FLAG, "open", False),
        Variable("tired", "tired", "player", FLAG, "open", False),
        Variable("to_deal", "to_deal", "game", NumberCodec(0, 15), "open", 0),
        Variable("window", "window", "game", NumberCodec(1, 7), "open", 1),
        Variable("winner", "winner", "game", MaybeCodec(SEAT), "open", NOTHING),
        Variable(
            "won_in",
            "won_in",
            "kind",
            NumberCodec(0, 12),
            "open",
            0,
            names=(
                "c10_22",
                "c11_24",
                "c12_25",
                "c18_40",
                "c20_42",
                "c20_44",
                "c22_46",
                "c27_54",
                "c28_57",
                "c30_60",
                "c30_63",
                "c33_66",
                "c36_68",
                "c38_72",
                "c40_76",
                "c42_80",
                "c45_80",
                "c45_85",
                "c48_90",
                "c50_95",
                "c50_100",
                "c54_96",
                "c57_108",
            ),
        ),
    ),
    zones=(
        Zone("bookkeeping", "bookkeeping", "row", "player", CONTRACT, "row", False, "open", None),
        Zone("cards", "cards", "hand", "player", EXPRESS, "counts", False, "secret", 3),
        Zone("contracts", "contracts", "pile", "game", CONTRACT, "pile", True, "hidden", None),
        Zone("drawn", "drawn", "row", "game", EVENT, "row", False, "open", 1),
        Zone("events", "events", "pile", "game", EVENT, "pile", True, "hidden", None, masked=True),
        Zone(
            "express_deck", "express_deck", "pile", "game", EXPRESS, "pile", True, "hidden", None, masked=True
        ),
        Zone("labour", "labour", "pool", "game", STAFF, "counts", False, "open", None),
        Zone("office", "office", "row", "player", CONTRACT, "row", False, "open", None),
        Zone("past_events", "past_events", "row", "game", EVENT, "row", False, "open", None),
        Zone("played", "played", "row", "game", EXPRESS, "row", False, "open", None),
        Zone("staff", "staff", "store", "player", STAFF, "counts", False, "open", None),
        Zone("table", "table", "row", "game", CONTRACT, "row", False, "open", 1),
    ),
    grids=(),
    streams=(
        Stream("contracts", False, 0, CONTRACT),
        Stream("events", False, 1, EVENT),
        Stream("express_deck", False, 2, EXPRESS),
    ),
    saved=(
        ("times_left", NUMBER),
        ("you_left", NUMBER),
        ("card_left", ItemsCodec(EVENT, unique=False)),
        ("p_left", NUMBER),
        ("you_left_", NUMBER),
        ("times_left_", NUMBER),
        ("you_left_2", NUMBER),
        ("round_goes_on", FLAG),
        ("q_left", NUMBER),
        ("you_left_3", NUMBER),
        ("times_left_2", NUMBER),
        ("card_left_", ItemsCodec(CONTRACT, unique=False)),
        ("you_left_4", NUMBER),
        ("you_left_5", ItemsCodec(SEAT, unique=False)),
        ("you_left_6", NUMBER),
        ("you_left_7", NUMBER),
        ("city_left", ItemsCodec(CITY, unique=False)),
        ("you_left_8", ItemsCodec(SEAT, unique=False)),
        ("you_left_9", NUMBER),
        ("you_left_10", NUMBER),
        ("you_left_11", NUMBER),
        ("you_left_12", NUMBER),
        ("happen_schock_im_lager_p", SEAT),
        ("strike_spitze_q", SEAT),
        ("ask_for_bars_you", SEAT),
        ("begin_month_you", SEAT),
        ("bid_you", SEAT),
        ("change_staff_dismissable", NUMBER),
        ("express_you", SEAT),
        ("express_target", SEAT),
        ("file_contracts_you", SEAT),
        ("finance_you", SEAT),
        ("haggle_you", SEAT),
        ("hire_and_fire_you", SEAT),
        ("keep_books_you", SEAT),
        ("keep_books_nothing_to_cash", FLAG),
        ("leave_the_game_p", SEAT),
        ("loan_clause_you", SEAT),
        ("make_chocolate_you", SEAT),
        ("negotiate_you", SEAT),
        ("negotiate_next_card", CONTRACT),
        ("open_window_number", NUMBER),
        ("owe_debtor", SEAT),
        ("owe_amount", NUMBER),
        ("pay_interest_charged", NUMBER),
        ("trade_shares_price", NUMBER),
        ("win_you", SEAT),
        ("win_card", CONTRACT),
        ("win_paid", NUMBER),
    ),
    returns=(
        ("after_leave_the_game", (owe_end, owe_to_end)),
        (
            "after_open_window",
            (
                keep_books_each_player,
                sell_chocolate_set_markers,
                sell_chocolate_while,
                win_end,
                make_chocolate_each_player,
                buy_cocoa_ask_for_bars,
                hire_and_fire_each_player,
            ),
        ),
        (
            "after_owe",
            (pay_interest_while, happen_schock_im_lager_each_player, strike_ruehrend_end, pay_salaries_end),
        ),
        ("after_win", (haggle_stop, negotiate_for)),
    ),
    decisions=(
        TRADE_SHARES_SHARES,
        REPAY_LOANS,
        KEEP_BOOKS_CASH_OUT,
        KEEP_BOOKS_EMERGENCY,
        EXPRESS_,
        STRIKE_GROSSZUEGIG_VACATION,
        FILE_CONTRACTS_PROCESS,
        NEGOTIATE_ATTEND,
        HAGGLE_ACCEPT,
        HAGGLE_RAISE,
        MAKE_CHOCOLATE_PRODUCE,
        BID,
        ASK_FOR_BARS_REQUEST,
        LOAN_CLAUSE_DISMISS,
        CHANGE_STAFF_STAFF,
        BEGIN_MONTH_PEEK,
    ),
    flows=(
        ("bookkeeping", "contracts", False),
        ("cards", "express_deck", False),
        ("cards", "played", False),
        ("contracts", "table", False),
        ("drawn", "past_events", False),
        ("events", "drawn", False),
        ("express_deck", "cards", False),
        ("labour", "staff", False),
        ("office", "bookkeeping", True),
        ("office", "contracts", False),
        ("office", "office", False),
        ("past_events", "events", False),
        ("staff", "labour", False),
        ("table", "contracts", False),
        ("table", "office", False),
    ),
    scores=(
        ("cash", score_cash),
        ("loans", score_loans),
        ("shares", score_shares),
    ),
    rank=rank,
    begin=setup,
    refresh=refresh,
    lines=LINES,
    default_file=FILE,
    eliminates=True,
)

State.game = GAME
engine: GeneratedEngine[State] = GeneratedEngine(GAME, blank)
