"""Cacao, played by its rules.

Made by `conche build cacao`. Do not change it: change the rules.
Rules: rules/cacao/cacao.rules
Rules digest: 8289ffdfc24807604f25322461efef7ec751e7c0c2aa8a5c84ef5a6554e5e423
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from conche_runtime import (
    ALL,
    FLAG,
    MISSING,
    NUMBER,
    OVER,
    SIDE,
    TEXT,
    TURNS,
    UNSET,
    Codec,
    Decision,
    EdgeCodec,
    EngineMove,
    EngineState,
    Fault,
    Game,
    GeneratedEngine,
    Grid,
    ItemsCodec,
    NameCodec,
    NumberCodec,
    Pool,
    Stream,
    Variable,
    Zone,
    all_of,
    cover,
    empty,
    height,
    illegal,
    kinds_of_row,
    legal,
    no_room,
    not_there,
    out_of_bounds,
    spaces_of,
    without,
)

FILE = "rules/cacao/cacao.rules"


# ------------------------------------------------------------------ kinds, boards, tables

SEAT = NumberCodec(0, 3)
JUNGLE = NameCodec(
    (
        "plantation(1)",
        "plantation(2)",
        "market(2)",
        "market(3)",
        "market(4)",
        "gold_mine(1)",
        "gold_mine(2)",
        "water",
        "sun_site",
        "temple",
    ),
)
WORKER = NameCodec(("1-1-1-1", "2-1-0-1", "3-0-0-1", "3-1-0-0"))
GOOD = NameCodec(("cacao",))


# how many Jungle a space of table takes
def room_for_jungle(x: int, y: int) -> int:
    return 1 if (x + y) % 2 == 0 else 0


# how many Worker a space of table takes
def room_for_worker(x: int, y: int) -> int:
    return 2 if (x + y) % 2 == 1 else 0


TABLE = Grid(
    "table",
    "table",
    across=96,
    margin=4,
    kinds={"Jungle": JUNGLE, "Worker": WORKER},
    shapes={"Jungle": (0, False), "Worker": (4, True)},
    room={"Jungle": room_for_jungle, "Worker": room_for_worker},
)
TABLE_SPACE = TABLE.space
TABLE_EDGE = EdgeCodec(TABLE_SPACE)
TABLE_ROOM_JUNGLE = TABLE.room["Jungle"]
TABLE_ROOM_WORKER = TABLE.room["Worker"]

JUNGLE_PRICE = {2: 2, 3: 3, 4: 4}  # by kind of Jungle
JUNGLE_VALUE = {5: 1, 6: 2}  # by kind of Jungle
JUNGLE_YIELD = {0: 1, 1: 2}  # by kind of Jungle
WORKER_TURNS = (1, 4, 4, 4)  # by kind of Worker
CARRIER_FIELDS = (-10, -4, -1, 0, 2, 4, 7, 11, 16)  # by field
# by what lies on a space of table
TABLE_JUNGLE_KIND = {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 10: 9}
TABLE_AROUND = TABLE.around
TABLE_BESIDE = TABLE.beside
# by what lies on a space of table * 4 + side
TABLE_FACES_FACES = {
    44: 1,
    45: 1,
    46: 1,
    47: 1,
    48: 1,
    49: 1,
    50: 1,
    51: 1,
    52: 1,
    53: 1,
    54: 1,
    55: 1,
    56: 1,
    57: 1,
    58: 1,
    59: 1,
    60: 1,
    61: 1,
    62: 1,
    63: 1,
    64: 1,
    65: 1,
    66: 1,
    67: 1,
    68: 1,
    69: 1,
    70: 1,
    71: 1,
    72: 1,
    73: 1,
    74: 1,
    75: 1,
    76: 1,
    77: 1,
    78: 1,
    79: 1,
    80: 1,
    81: 1,
    82: 1,
    83: 1,
    84: 1,
    85: 1,
    86: 1,
    87: 1,
    88: 1,
    89: 1,
    90: 1,
    91: 1,
    92: 1,
    93: 1,
    94: 1,
    95: 1,
    96: 1,
    97: 1,
    98: 1,
    99: 1,
    100: 1,
    101: 1,
    102: 1,
    103: 1,
    104: 1,
    105: 1,
    106: 1,
    107: 1,
    108: 2,
    109: 1,
    110: 0,
    111: 1,
    112: 1,
    113: 2,
    114: 1,
    115: 0,
    116: 0,
    117: 1,
    118: 2,
    119: 1,
    120: 1,
    121: 0,
    122: 1,
    123: 2,
    124: 2,
    125: 1,
    126: 0,
    127: 1,
    128: 1,
    129: 2,
    130: 1,
    131: 0,
    132: 0,
    133: 1,
    134: 2,
    135: 1,
    136: 1,
    137: 0,
    138: 1,
    139: 2,
    140: 2,
    141: 1,
    142: 0,
    143: 1,
    144: 1,
    145: 2,
    146: 1,
    147: 0,
    148: 0,
    149: 1,
    150: 2,
    151: 1,
    152: 1,
    153: 0,
    154: 1,
    155: 2,
    156: 2,
    157: 1,
    158: 0,
    159: 1,
    160: 1,
    161: 2,
    162: 1,
    163: 0,
    164: 0,
    165: 1,
    166: 2,
    167: 1,
    168: 1,
    169: 0,
    170: 1,
    171: 2,
    172: 3,
    173: 0,
    174: 0,
    175: 1,
    176: 1,
    177: 3,
    178: 0,
    179: 0,
    180: 0,
    181: 1,
    182: 3,
    183: 0,
    184: 0,
    185: 0,
    186: 1,
    187: 3,
    188: 3,
    189: 0,
    190: 0,
    191: 1,
    192: 1,
    193: 3,
    194: 0,
    195: 0,
    196: 0,
    197: 1,
    198: 3,
    199: 0,
    200: 0,
    201: 0,
    202: 1,
    203: 3,
    204: 3,
    205: 0,
    206: 0,
    207: 1,
    208: 1,
    209: 3,
    210: 0,
    211: 0,
    212: 0,
    213: 1,
    214: 3,
    215: 0,
    216: 0,
    217: 0,
    218: 1,
    219: 3,
    220: 3,
    221: 0,
    222: 0,
    223: 1,
    224: 1,
    225: 3,
    226: 0,
    227: 0,
    228: 0,
    229: 1,
    230: 3,
    231: 0,
    232: 0,
    233: 0,
    234: 1,
    235: 3,
    236: 3,
    237: 1,
    238: 0,
    239: 0,
    240: 0,
    241: 3,
    242: 1,
    243: 0,
    244: 0,
    245: 0,
    246: 3,
    247: 1,
    248: 1,
    249: 0,
    250: 0,
    251: 3,
    252: 3,
    253: 1,
    254: 0,
    255: 0,
    256: 0,
    257: 3,
    258: 1,
    259: 0,
    260: 0,
    261: 0,
    262: 3,
    263: 1,
    264: 1,
    265: 0,
    266: 0,
    267: 3,
    268: 3,
    269: 1,
    270: 0,
    271: 0,
    272: 0,
    273: 3,
    274: 1,
    275: 0,
    276: 0,
    277: 0,
    278: 3,
    279: 1,
    280: 1,
    281: 0,
    282: 0,
    283: 3,
    284: 3,
    285: 1,
    286: 0,
    287: 0,
    288: 0,
    289: 3,
    290: 1,
    291: 0,
    292: 0,
    293: 0,
    294: 3,
    295: 1,
    296: 1,
    297: 0,
    298: 0,
    299: 3,
}
# by what lies on a space of table
TABLE_OWNER = {
    11: 0,
    12: 0,
    13: 0,
    14: 0,
    15: 1,
    16: 1,
    17: 1,
    18: 1,
    19: 2,
    20: 2,
    21: 2,
    22: 2,
    23: 3,
    24: 3,
    25: 3,
    26: 3,
    27: 0,
    28: 0,
    29: 0,
    30: 0,
    31: 1,
    32: 1,
    33: 1,
    34: 1,
    35: 2,
    36: 2,
    37: 2,
    38: 2,
    39: 3,
    40: 3,
    41: 3,
    42: 3,
    43: 0,
    44: 0,
    45: 0,
    46: 0,
    47: 1,
    48: 1,
    49: 1,
    50: 1,
    51: 2,
    52: 2,
    53: 2,
    54: 2,
    55: 3,
    56: 3,
    57: 3,
    58: 3,
    59: 0,
    60: 0,
    61: 0,
    62: 0,
    63: 1,
    64: 1,
    65: 1,
    66: 1,
    67: 2,
    68: 2,
    69: 2,
    70: 2,
    71: 3,
    72: 3,
    73: 3,
    74: 3,
}
TABLE_TOWARD = TABLE.toward
# by what lies on a space of table; -1: nobody
TABLE_OWNER_OR_NOBODY = (
    -1,
    -1,
    -1,
    -1,
    -1,
    -1,
    -1,
    -1,
    -1,
    -1,
    -1,
    0,
    0,
    0,
    0,
    1,
    1,
    1,
    1,
    2,
    2,
    2,
    2,
    3,
    3,
    3,
    3,
    0,
    0,
    0,
    0,
    1,
    1,
    1,
    1,
    2,
    2,
    2,
    2,
    3,
    3,
    3,
    3,
    0,
    0,
    0,
    0,
    1,
    1,
    1,
    1,
    2,
    2,
    2,
    2,
    3,
    3,
    3,
    3,
    0,
    0,
    0,
    0,
    1,
    1,
    1,
    1,
    2,
    2,
    2,
    2,
    3,
    3,
    3,
    3,
)


# ------------------------------------------------------------------ the state


class State(EngineState):
    """A position of the game."""

    __slots__ = (
        "activate_p",
        "carrier",
        "display",
        "fill_gaps",
        "first",
        "free_sites",
        "free_sites_has",
        "gold",
        "goods",
        "held",
        "held_size",
        "jungle",
        "jungle_size",
        "own_tops",
        "p_left",
        "pending",
        "placed",
        "play_you",
        "round_goes_on",
        "sun",
        "table",
        "table_below",
        "temples",
        "temples_has",
        "use_edges_e",
        "use_gold_mine_value",
        "use_market_price",
        "use_plantation_yield",
        "workers",
        "workers_size",
        "you_left",
    )
    first: int
    gold: list[int]
    pending: list[tuple[int, ...]]
    placed: int
    sun: list[int]
    carrier: list[int]
    display: tuple[int, ...]
    goods: list[int]
    held: list[int]
    held_size: list[int]
    jungle: list[int]
    jungle_size: int
    workers: list[int]
    workers_size: list[int]
    table: bytearray
    table_below: dict[int, tuple[int, ...]]
    free_sites: list[int]
    free_sites_has: bytearray
    own_tops: list[list[int]]
    temples: list[int]
    temples_has: bytearray
    you_left: int
    round_goes_on: bool
    p_left: int
    use_gold_mine_value: int
    use_market_price: int
    use_plantation_yield: int
    play_you: int
    activate_p: int
    fill_gaps: tuple[int, ...]
    use_edges_e: int

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
        new.first = self.first
        new.gold = self.gold[:]
        new.pending = self.pending[:]
        new.placed = self.placed
        new.sun = self.sun[:]
        new.carrier = self.carrier[:]
        new.display = self.display
        new.goods = self.goods[:]
        new.held = self.held[:]
        new.held_size = self.held_size[:]
        new.jungle = self.jungle[:]
        new.jungle_size = self.jungle_size
        new.workers = self.workers[:]
        new.workers_size = self.workers_size[:]
        new.table = self.table[:]
        new.table_below = self.table_below.copy()
        new.free_sites = self.free_sites[:]
        new.free_sites_has = self.free_sites_has[:]
        new.own_tops = [spaces[:] for spaces in self.own_tops]
        new.temples = self.temples[:]
        new.temples_has = self.temples_has[:]
        new.you_left = self.you_left
        new.round_goes_on = self.round_goes_on
        new.p_left = self.p_left
        new.use_gold_mine_value = self.use_gold_mine_value
        new.use_market_price = self.use_market_price
        new.use_plantation_yield = self.use_plantation_yield
        new.play_you = self.play_you
        new.activate_p = self.activate_p
        new.fill_gaps = self.fill_gaps
        new.use_edges_e = self.use_edges_e
        return new


new_state = State.__new__
Next: TypeAlias = Callable[[State], "Next"] | None


def blank(players: int) -> State:
    """A state before the set-up."""
    state = new_state(State)
    state.players = players
    state.first = 0
    state.gold = [0] * players
    state.pending = [()] * players
    state.placed = UNSET
    state.sun = [0] * players
    state.carrier = [0] * players
    state.display = ()
    state.goods = [0] * players
    state.held = [0] * (4 * players)
    state.held_size = [0] * players
    state.jungle = [0] * 10
    state.jungle_size = 0
    state.workers = [0] * (4 * players)
    state.workers_size = [0] * players
    state.table = TABLE.empty()
    state.table_below = {}
    state.free_sites = []
    state.free_sites_has = bytearray(TABLE.size)
    state.own_tops = [[] for _ in range(players)]
    state.temples = []
    state.temples_has = bytearray(TABLE.size)
    state.you_left = 0
    state.round_goes_on = False
    state.p_left = 0
    state.use_gold_mine_value = 0
    state.use_market_price = 0
    state.use_plantation_yield = 0
    state.play_you = 0
    state.activate_p = 0
    state.fill_gaps = ()
    state.use_edges_e = 0
    return state


# what is kept up to date is worked out anew
def refresh(state: State) -> None:
    state.free_sites = []
    state.free_sites_has = bytearray(TABLE.size)
    state.own_tops = [[] for _ in range(state.players)]
    state.temples = []
    state.temples_has = bytearray(TABLE.size)
    for space in spaces_of(state.table, TABLE):
        update_free_sites(state, space)
        update_own_tops(state, space)
        update_temples(state, space)


# one piece of jungle
def draw_jungle(state: State, seen: int) -> int:
    size = state.jungle_size
    if not size:
        raise empty(state, "jungle", -1)
    state.jungle_size = size - 1
    return state.draw(state.jungle, 0, 10, size, 0, seen)


# one piece of workers
def draw_workers(state: State, seat: int, seen: int) -> int:
    size = state.workers_size[seat]
    if not size:
        raise empty(state, "workers", seat)
    state.workers_size[seat] = size - 1
    start = seat * 4
    return state.draw(state.workers, start, start + 4, size, seat + 1, seen)


# whether a space belongs to free_sites
def update_free_sites(state: State, space: int) -> None:
    table = state.table
    if not table[space] and (
        1 <= table[space + 1] <= 10
        or 1 <= table[space + 104] <= 10
        or 1 <= table[space - 1] <= 10
        or 1 <= table[space - 104] <= 10
    ):
        if not state.free_sites_has[space]:
            state.free_sites_has[space] = 1
            insort(state.free_sites, space)
    elif state.free_sites_has[space]:
        state.free_sites_has[space] = 0
        state.free_sites.remove(space)


# whether a space belongs to own_tops
def update_own_tops(state: State, space: int) -> None:
    own_tops = state.own_tops
    table = state.table
    for among in own_tops:
        if space in among:
            among.remove(space)
    if table[space] >= 11 and height(table, state.table_below, space) == 1:
        seat = TABLE_OWNER[table[space]]
        insort(own_tops[seat], space)


# whether a space belongs to temples
def update_temples(state: State, space: int) -> None:
    if state.table[space] == 10:
        if not state.temples_has[space]:
            state.temples_has[space] = 1
            insort(state.temples, space)
    elif state.temples_has[space]:
        state.temples_has[space] = 0
        state.temples.remove(space)


# a Jungle comes on top of a space of table
def put_jungle(state: State, space: int, code: int) -> None:
    free_sites = state.free_sites
    free_sites_has = state.free_sites_has
    table = state.table
    if table[space] or not TABLE_ROOM_JUNGLE[space]:
        cover(table, state.table_below, space, TABLE, "Jungle")
        table[space] = code
        update_free_sites(state, space)
        for near in TABLE_AROUND[space]:
            update_free_sites(state, near)
        update_own_tops(state, space)
        update_temples(state, space)
        return
    table[space] = code
    if free_sites_has[space]:
        free_sites_has[space] = 0
        free_sites.remove(space)
    for near_ in TABLE_AROUND[space]:
        if not table[near_]:
            if not free_sites_has[near_]:
                free_sites_has[near_] = 1
                insort(free_sites, near_)
        elif free_sites_has[near_]:
            free_sites_has[near_] = 0
            free_sites.remove(near_)
    if table[space] == 10:
        if not state.temples_has[space]:
            state.temples_has[space] = 1
            insort(state.temples, space)
    elif state.temples_has[space]:
        state.temples_has[space] = 0
        state.temples.remove(space)


# a Worker comes on top of a space of table
def put_worker(state: State, space: int, code: int) -> None:
    table = state.table
    if table[space] or not TABLE_ROOM_WORKER[space]:
        cover(table, state.table_below, space, TABLE, "Worker")
        table[space] = code
        update_free_sites(state, space)
        for near in TABLE_AROUND[space]:
            update_free_sites(state, near)
        update_own_tops(state, space)
        update_temples(state, space)
        return
    table[space] = code
    if state.free_sites_has[space]:
        state.free_sites_has[space] = 0
        state.free_sites.remove(space)
    seat = TABLE_OWNER[table[space]]
    insort(state.own_tops[seat], space)


# ------------------------------------------------------------------ moves


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Edge(EngineMove):
    name: ClassVar[str] = "edge"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("worker_at", "worker_at", TABLE_SPACE, ...),
        ("side", "side", SIDE, ...),
    )
    worker_at: tuple[int, int]
    side: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Use(EngineMove):
    name: ClassVar[str] = "use"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (("amount", "amount", NUMBER, ...),)
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Fill(EngineMove):
    name: ClassVar[str] = "fill"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("at", "at", TABLE_SPACE, ...),
        ("tile", "tile", JUNGLE, None),
        ("source", "source", TEXT, ...),
    )
    at: tuple[int, int]
    tile: str | None = None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Place(EngineMove):
    name: ClassVar[str] = "place"
    entries: ClassVar[tuple[tuple[str, str, Codec, object], ...]] = (
        ("worker", "worker", WORKER, ...),
        ("turn", "turn", NUMBER, ...),
        ("at", "at", TABLE_SPACE, ...),
    )
    worker: str
    turn: int
    at: tuple[int, int]


USE_EDGES_EDGE_MOVES = Pool(Edge, ("worker_at", TABLE_SPACE), ("side", SIDE))
USE_SUN_SITE_MOVES = Pool(Use, ("amount", NUMBER))
USE_WATER_MOVES = Pool(Use, ("amount", NUMBER))
USE_GOLD_MINE_MOVES = Pool(Use, ("amount", NUMBER))
USE_MARKET_MOVES = Pool(Use, ("amount", NUMBER))
USE_PLANTATION_MOVES = Pool(Use, ("amount", NUMBER))
FILL_DISPLAY_MOVES = Pool(Fill, ("at", TABLE_SPACE), ("tile", JUNGLE), source="display")
FILL_PILE_MOVES = Pool(Fill, ("at", TABLE_SPACE), source="pile")
PLACE_MOVES = Pool(Place, ("worker", WORKER), ("turn", NUMBER), ("at", TABLE_SPACE))


# ------------------------------------------------------------------ queries


# cacao.rules:210 query temple_gold
def temple_gold(state: State, p: int, t: int) -> int:
    players = state.players
    table = state.table
    west = table[t - 1]
    south = table[t + 104]
    east = table[t + 1]
    north = table[t - 104]
    owner = TABLE_OWNER_OR_NOBODY[north]
    owner_ = TABLE_OWNER_OR_NOBODY[west]
    owner_2 = TABLE_OWNER_OR_NOBODY[south]
    owner_3 = TABLE_OWNER_OR_NOBODY[east]
    facing_of_each = [
        (TABLE_FACES_FACES[east * 4 + 2] if owner_3 == item else 0)
        + (TABLE_FACES_FACES[south * 4 + 3] if owner_2 == item else 0)
        + (TABLE_FACES_FACES[west * 4] if owner_ == item else 0)
        + (TABLE_FACES_FACES[north * 4 + 1] if owner == item else 0)
        for item in range(players)
    ]
    mine = facing_of_each[p]
    best = max(facing_of_each, default=0)
    firsts = facing_of_each.count(best)
    second = max((facing for facing in facing_of_each if facing < best), default=0)
    if mine == 0:
        return 0
    if mine == best:
        return 6 // firsts
    if firsts > 1:
        return 0
    if mine == second:
        return 3 // facing_of_each.count(second)
    return 0


# cacao.rules:184 query usable
def usable(state: State, p: int, e: int) -> bool:
    goods = state.goods
    table = state.table
    top = table[TABLE_BESIDE[e]]
    if 1 <= top <= 2:
        return TABLE_FACES_FACES[table[e // 4] * 4 + e % 4] > 0 and 5 - goods[p] > 0
    if 3 <= top <= 5:
        return TABLE_FACES_FACES[table[e // 4] * 4 + e % 4] > 0 and goods[p] > 0
    if 6 <= top <= 7:
        return TABLE_FACES_FACES[table[e // 4] * 4 + e % 4] > 0
    if top == 8:
        return TABLE_FACES_FACES[table[e // 4] * 4 + e % 4] > 0 and state.carrier[p] < 8
    if top == 9:
        return TABLE_FACES_FACES[table[e // 4] * 4 + e % 4] > 0 and state.sun[p] < 3
    return False


# ------------------------------------------------------------------ steps in which nobody decides


# cacao.rules:182 action use.temple
def use_temple(state: State, you: int, e: int) -> None:
    return


# cacao.rules:132 step activate_around
def activate_around(state: State, s: int) -> None:
    pending = state.pending
    table = state.table
    for w in TABLE_AROUND[s]:
        top = table[w]
        if top >= 11:
            owner = TABLE_OWNER[top]
            item = w * 4 + TABLE_TOWARD[s - w]
            if item not in pending[owner]:
                pending[owner] = (*pending[owner], item)


# cacao.rules:91 step choose_first
def choose_first(state: State) -> None:
    pass


# cacao.rules:154 step draw_worker
def draw_worker(state: State, you: int) -> None:
    held = state.held
    held_size = state.held_size
    if state.workers_size[you]:
        kind = draw_workers(state, you, you)
        held[you * 4 + kind] += 1
        held_size[you] += 1


# cacao.rules:63 step hand_out_workers
def hand_out_workers(state: State) -> None:
    players = state.players
    workers = state.workers
    workers_size = state.workers_size
    for p in range(players):
        workers[p * 4] += 4
        workers_size[p] += 4
        workers[p * 4 + 1] += 5
        workers_size[p] += 5
        workers[p * 4 + 2] += 1
        workers_size[p] += 1
        workers[p * 4 + 3] += 1
        workers_size[p] += 1
        if players == 3 or players == 4:
            if not workers[p * 4]:
                raise not_there(state, "workers", p, 0, 1)
            workers[p * 4] -= 1
            workers_size[p] -= 1
        if players == 4:
            if not workers[p * 4 + 1]:
                raise not_there(state, "workers", p, 1, 1)
            workers[p * 4 + 1] -= 1
            workers_size[p] -= 1


# cacao.rules:73 step lay_first_tile
def lay_first_tile(state: State) -> None:
    if not state.jungle[0]:
        raise not_there(state, "jungle", -1, 0, 1)
    state.jungle[0] -= 1
    state.jungle_size -= 1
    put_jungle(state, 5460, 1)


# cacao.rules:76 step lay_second_tile
def lay_second_tile(state: State) -> None:
    if not state.jungle[2]:
        raise not_there(state, "jungle", -1, 2, 1)
    state.jungle[2] -= 1
    state.jungle_size -= 1
    put_jungle(state, 5565, 3)


# cacao.rules:69 step lay_start_tiles
def lay_start_tiles(state: State) -> None:
    lay_first_tile(state)
    lay_second_tile(state)


# cacao.rules:86 step make_hands
def make_hands(state: State) -> None:
    held = state.held
    held_size = state.held_size
    workers_size = state.workers_size
    for p in range(state.players):
        amount = min(3, workers_size[p])
        for _ in range(1, amount + 1):
            kind = draw_workers(state, p, p)
            held[p * 4 + kind] += 1
            held_size[p] += 1


# cacao.rules:79 step make_jungle
def make_jungle(state: State) -> None:
    reveal_display(state)


# cacao.rules:150 step refill
def refill(state: State, you: int) -> None:
    draw_worker(state, you)
    refill_display(state)


# cacao.rules:157 step refill_display
def refill_display(state: State) -> None:
    amount = min(2 - len(state.display), state.jungle_size)
    for _ in range(1, amount + 1):
        kind = draw_jungle(state, ALL)
        state.display = (*state.display, kind)


# cacao.rules:83 step reveal_display
def reveal_display(state: State) -> None:
    for _ in range(1, 3):
        kind = draw_jungle(state, ALL)
        if len(state.display) >= 2:
            raise no_room(state, "display", -1, 2)
        state.display = (*state.display, kind)


# cacao.rules:57 step supply
def supply(state: State) -> None:
    jungle = state.jungle
    jungle[0] += 6
    state.jungle_size += 6
    jungle[1] += 2
    state.jungle_size += 2
    jungle[2] += 2
    state.jungle_size += 2
    jungle[3] += 4
    state.jungle_size += 4
    jungle[4] += 1
    state.jungle_size += 1
    jungle[5] += 2
    state.jungle_size += 2
    jungle[6] += 1
    state.jungle_size += 1
    jungle[7] += 3
    state.jungle_size += 3
    jungle[8] += 2
    state.jungle_size += 2
    jungle[9] += 5
    state.jungle_size += 5
    if state.players == 2:
        if jungle[0] < 2:
            raise not_there(state, "jungle", -1, 0, 2)
        jungle[0] -= 2
        state.jungle_size -= 2
        if not jungle[3]:
            raise not_there(state, "jungle", -1, 3, 1)
        jungle[3] -= 1
        state.jungle_size -= 1
        if not jungle[5]:
            raise not_there(state, "jungle", -1, 5, 1)
        jungle[5] -= 1
        state.jungle_size -= 1
        if not jungle[7]:
            raise not_there(state, "jungle", -1, 7, 1)
        jungle[7] -= 1
        state.jungle_size -= 1
        if not jungle[8]:
            raise not_there(state, "jungle", -1, 8, 1)
        jungle[8] -= 1
        state.jungle_size -= 1
        if not jungle[9]:
            raise not_there(state, "jungle", -1, 9, 1)
        jungle[9] -= 1
        state.jungle_size -= 1


# ------------------------------------------------------------------ steps, from decision to decision


# cacao.rules:49 phase.setup
def setup(state: State) -> Next:
    supply(state)
    hand_out_workers(state)
    lay_start_tiles(state)
    make_jungle(state)
    make_hands(state)
    choose_first(state)
    state.you_left = 0
    state.round_goes_on = True
    return play_rounds


# cacao.rules:98 phase.play/0.rounds/next
def play_rounds(state: State) -> Next:
    free_sites = state.free_sites
    held_size = state.held_size
    own_tops = state.own_tops
    players = state.players
    sun = state.sun
    you_left = state.you_left
    round_goes_on = state.round_goes_on
    you = state.play_you
    for _ in TURNS:
        if you_left == 0:
            if not round_goes_on:
                state.at = OVER
                state.options = 0
                return None
            state.round_goes_on = round_goes_on = False
            state.play_you = you = players - 1 if state.first == 0 else state.first - 1
            state.you_left = you_left = players
            continue
        state.you_left = you_left = you_left - 1
        state.play_you = you = you + 1 if you + 1 < players else 0
        if not (
            held_size[you]
            and (
                len(free_sites) + len(own_tops[you])
                if not state.jungle_size and not state.display and sun[you] >= 1
                else len(free_sites)
            )
            != 0
        ):
            continue
        state.round_goes_on = round_goes_on = True
        return ask_place(state)
    raise Fault("the rules never come to another decision")


# cacao.rules:137 step.activate/0.each_player/next
def activate_each_player(state: State) -> Next:
    pending = state.pending
    players = state.players
    p_left = state.p_left
    you = state.play_you
    p = state.activate_p
    for _ in TURNS:
        if p_left == 0:
            refill(state, you)
            return play_rounds
        state.p_left = p_left = p_left - 1
        state.activate_p = p = p + 1 if p + 1 < players else 0
        if pending[p]:
            return ask_use_edges_edge(state)
        pending[p] = ()
    raise Fault("the rules never come to another decision")


# cacao.rules:143 step.use_edges/0.repeat/0.choose_edge/0
def use_edges_edge(state: State, e: int) -> Next:
    pending = state.pending
    p = state.activate_p
    state.use_edges_e = e
    pending[p] = without(pending[p], e, "pending")
    kind = TABLE_JUNGLE_KIND[state.table[TABLE_BESIDE[e]]]
    if kind in (0, 1):
        state.use_plantation_yield = JUNGLE_YIELD[kind]
        return ask_use_plantation(state)
    if kind in (2, 3, 4):
        state.use_market_price = JUNGLE_PRICE[kind]
        return ask_use_market(state)
    if kind in (5, 6):
        state.use_gold_mine_value = JUNGLE_VALUE[kind]
        return ask_use_gold_mine(state)
    if kind == 7:
        return ask_use_water(state)
    if kind == 8:
        return ask_use_sun_site(state)
    if kind == 9:
        use_temple(state, p, e)
        if pending[p]:
            return ask_use_edges_edge(state)
        pending[p] = ()
        return activate_each_player
    raise Fault("there is no case for this")


# cacao.rules:179 action.use.sun_site/0.choose_use/0
def use_sun_site_use(state: State, amount: int) -> Next:
    pending = state.pending
    sun = state.sun
    p = state.activate_p
    value = sun[p] + amount
    if value > 3:
        raise out_of_bounds(state, "sun", p, value, 0, 3)
    sun[p] = value
    if pending[p]:
        return ask_use_edges_edge(state)
    pending[p] = ()
    return activate_each_player


# cacao.rules:175 action.use.water/0.choose_use/0
def use_water_use(state: State, amount: int) -> Next:
    carrier = state.carrier
    pending = state.pending
    p = state.activate_p
    value = carrier[p] + amount
    if value > 8:
        raise out_of_bounds(state, "carrier", p, value, 0, 8)
    carrier[p] = value
    if pending[p]:
        return ask_use_edges_edge(state)
    pending[p] = ()
    return activate_each_player


# cacao.rules:171 action.use.gold_mine/0.choose_use/0
def use_gold_mine_use(state: State, amount: int) -> Next:
    gold = state.gold
    pending = state.pending
    value = state.use_gold_mine_value
    p = state.activate_p
    amount_ = amount * value
    value_ = gold[p] + amount_
    if value_ > 9999:
        raise out_of_bounds(state, "gold", p, value_, 0, 9999)
    gold[p] = value_
    if pending[p]:
        return ask_use_edges_edge(state)
    pending[p] = ()
    return activate_each_player


# cacao.rules:166 action.use.market/0.choose_use/0
def use_market_use(state: State, amount: int) -> Next:
    gold = state.gold
    pending = state.pending
    price = state.use_market_price
    p = state.activate_p
    if state.goods[p] < amount:
        raise not_there(state, "goods", p, 0, amount)
    state.goods[p] -= amount
    amount_ = amount * price
    value = gold[p] + amount_
    if value > 9999:
        raise out_of_bounds(state, "gold", p, value, 0, 9999)
    gold[p] = value
    if pending[p]:
        return ask_use_edges_edge(state)
    pending[p] = ()
    return activate_each_player


# cacao.rules:162 action.use.plantation/0.choose_use/0
def use_plantation_use(state: State, amount: int) -> Next:
    goods = state.goods
    pending = state.pending
    p = state.activate_p
    if goods[p] + amount > 5:
        raise no_room(state, "goods", p, 5)
    goods[p] += amount
    if pending[p]:
        return ask_use_edges_edge(state)
    pending[p] = ()
    return activate_each_player


# cacao.rules:119 step.fill/1.while/next
def fill_while(state: State) -> Next:
    players = state.players
    you = state.play_you
    gaps = state.fill_gaps
    if gaps:
        return ask_fill(state)
    state.activate_p = players - 1 if you == 0 else you - 1
    state.p_left = players
    return activate_each_player


# cacao.rules:125 step.fill/1.while/0.choose_fill/pile
def fill_pile(state: State, at: int) -> Next:
    gaps = state.fill_gaps
    kind = draw_jungle(state, ALL)
    put_jungle(state, at, kind + 1)
    state.fill_gaps = gaps = without(gaps, at, "gaps")
    activate_around(state, at)
    return fill_while


# cacao.rules:121 step.fill/1.while/0.choose_fill/display
def fill_display(state: State, at: int, tile: int) -> Next:
    gaps = state.fill_gaps
    state.display = without(state.display, tile, "display")
    put_jungle(state, at, tile + 1)
    state.fill_gaps = gaps = without(gaps, at, "gaps")
    activate_around(state, at)
    return fill_while


# cacao.rules:109 step.place/0.choose_place/0
def place_chosen(state: State, worker: int, turn: int, at: int) -> Next:
    pending = state.pending
    sun = state.sun
    table = state.table
    you = state.play_you
    state.placed = at
    if table[at]:
        value = sun[you] - 1
        if value < 0:
            raise out_of_bounds(state, "sun", you, value, 0, 3)
        sun[you] = value
    if not state.held[you * 4 + worker]:
        raise not_there(state, "held", you, worker, 1)
    state.held[you * 4 + worker] -= 1
    state.held_size[you] -= 1
    put_worker(state, at, (worker * 4 + you) * 4 + turn + 11)
    for side in range(4):
        number = at * 4 + side
        if 1 <= table[TABLE_BESIDE[number]] <= 10 and number not in pending[you]:
            pending[you] = (*pending[you], number)
    state.fill_gaps = tuple(
        [
            s
            for s in TABLE_AROUND[at]
            if not table[s]
            and (table[s + 1] >= 11) + (table[s + 104] >= 11) + (table[s - 1] >= 11) + (table[s - 104] >= 11)
            >= 2
        ],
    )
    return fill_while


# ------------------------------------------------------------------ decisions


# cacao.rules:142 choose edge
def ask_use_edges_edge(state: State) -> Next:
    pending = state.pending
    p = state.activate_p
    state.found = found = [e for e in pending[p] if usable(state, p, e)]
    count = len(found)
    if count > 1:
        state.at = USE_EDGES_EDGE
        state.options = count
        state.actor = p
        return None
    if count:
        if state.log is not None:
            state.note_forced(p, move_use_edges_edge(state, 0))
        return step_use_edges_edge(state, 0)
    pending[p] = ()
    return activate_each_player


def step_use_edges_edge(state: State, index: int) -> Next:
    found = state.found
    e = found[index]
    return use_edges_edge(state, e)


def move_use_edges_edge(state: State, index: int) -> Edge:
    found = state.found
    e = found[index]
    return USE_EDGES_EDGE_MOVES[e // 4][e % 4]


def moves_use_edges_edge(state: State) -> list[Edge]:
    found = state.found
    return [USE_EDGES_EDGE_MOVES[e // 4][e % 4] for e in found]


def apply_use_edges_edge(state: State, move: object) -> Next:
    worker_at, side = legal(move, Edge)
    found = state.found
    for e in found:
        if worker_at == e // 4 and side == e % 4:
            return use_edges_edge(state, e)
    raise illegal(move)


# cacao.rules:179 choose use
def ask_use_sun_site(state: State) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    count = min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], 3 - state.sun[p]) + 1
    if count > 1:
        state.at = USE_SUN_SITE
        state.options = count
        state.actor = p
        return None
    if count:
        if state.log is not None:
            state.note_forced(p, move_use_sun_site(state, 0))
        return step_use_sun_site(state, 0)
    raise Fault("'use' has no option, which the rules rule out")


def step_use_sun_site(state: State, index: int) -> Next:
    amount = index
    return use_sun_site_use(state, amount)


def move_use_sun_site(state: State, index: int) -> Use:
    amount = index
    return USE_SUN_SITE_MOVES.row[amount]


def moves_use_sun_site(state: State) -> list[Use]:
    p = state.activate_p
    e = state.use_edges_e
    row = USE_SUN_SITE_MOVES.row
    return [
        row[amount]
        for amount in range(min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], 3 - state.sun[p]) + 1)
    ]


def apply_use_sun_site(state: State, move: object) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    (amount,) = legal(move, Use)
    if amount >= 0 and amount <= min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], 3 - state.sun[p]):
        return use_sun_site_use(state, amount)
    raise illegal(move)


# cacao.rules:175 choose use
def ask_use_water(state: State) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    count = min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], 8 - state.carrier[p]) + 1
    if count > 1:
        state.at = USE_WATER
        state.options = count
        state.actor = p
        return None
    if count:
        if state.log is not None:
            state.note_forced(p, move_use_water(state, 0))
        return step_use_water(state, 0)
    raise Fault("'use' has no option, which the rules rule out")


def step_use_water(state: State, index: int) -> Next:
    amount = index
    return use_water_use(state, amount)


def move_use_water(state: State, index: int) -> Use:
    amount = index
    return USE_WATER_MOVES.row[amount]


def moves_use_water(state: State) -> list[Use]:
    p = state.activate_p
    e = state.use_edges_e
    row = USE_WATER_MOVES.row
    return [
        row[amount]
        for amount in range(min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], 8 - state.carrier[p]) + 1)
    ]


def apply_use_water(state: State, move: object) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    (amount,) = legal(move, Use)
    if amount >= 0 and amount <= min(
        TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], 8 - state.carrier[p]
    ):
        return use_water_use(state, amount)
    raise illegal(move)


# cacao.rules:171 choose use
def ask_use_gold_mine(state: State) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    count = TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4] + 1
    if count > 1:
        state.at = USE_GOLD_MINE
        state.options = count
        state.actor = p
        return None
    if count:
        if state.log is not None:
            state.note_forced(p, move_use_gold_mine(state, 0))
        return step_use_gold_mine(state, 0)
    raise Fault("'use' has no option, which the rules rule out")


def step_use_gold_mine(state: State, index: int) -> Next:
    amount = index
    return use_gold_mine_use(state, amount)


def move_use_gold_mine(state: State, index: int) -> Use:
    amount = index
    return USE_GOLD_MINE_MOVES.row[amount]


def moves_use_gold_mine(state: State) -> list[Use]:
    e = state.use_edges_e
    row = USE_GOLD_MINE_MOVES.row
    return [row[amount] for amount in range(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4] + 1)]


def apply_use_gold_mine(state: State, move: object) -> Next:
    e = state.use_edges_e
    (amount,) = legal(move, Use)
    if amount >= 0 and amount <= TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4]:
        return use_gold_mine_use(state, amount)
    raise illegal(move)


# cacao.rules:166 choose use
def ask_use_market(state: State) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    count = min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], state.goods[p]) + 1
    if count > 1:
        state.at = USE_MARKET
        state.options = count
        state.actor = p
        return None
    if count:
        if state.log is not None:
            state.note_forced(p, move_use_market(state, 0))
        return step_use_market(state, 0)
    raise Fault("'use' has no option, which the rules rule out")


def step_use_market(state: State, index: int) -> Next:
    amount = index
    return use_market_use(state, amount)


def move_use_market(state: State, index: int) -> Use:
    amount = index
    return USE_MARKET_MOVES.row[amount]


def moves_use_market(state: State) -> list[Use]:
    p = state.activate_p
    e = state.use_edges_e
    row = USE_MARKET_MOVES.row
    return [
        row[amount]
        for amount in range(min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], state.goods[p]) + 1)
    ]


def apply_use_market(state: State, move: object) -> Next:
    p = state.activate_p
    e = state.use_edges_e
    (amount,) = legal(move, Use)
    if amount >= 0 and amount <= min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4], state.goods[p]):
        return use_market_use(state, amount)
    raise illegal(move)


# cacao.rules:162 choose use
def ask_use_plantation(state: State) -> Next:
    yield_ = state.use_plantation_yield
    p = state.activate_p
    e = state.use_edges_e
    count = min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4] * yield_, 5 - state.goods[p]) + 1
    if count > 1:
        state.at = USE_PLANTATION
        state.options = count
        state.actor = p
        return None
    if count:
        if state.log is not None:
            state.note_forced(p, move_use_plantation(state, 0))
        return step_use_plantation(state, 0)
    raise Fault("'use' has no option, which the rules rule out")


def step_use_plantation(state: State, index: int) -> Next:
    amount = index
    return use_plantation_use(state, amount)


def move_use_plantation(state: State, index: int) -> Use:
    amount = index
    return USE_PLANTATION_MOVES.row[amount]


def moves_use_plantation(state: State) -> list[Use]:
    yield_ = state.use_plantation_yield
    p = state.activate_p
    e = state.use_edges_e
    row = USE_PLANTATION_MOVES.row
    return [
        row[amount]
        for amount in range(
            min(TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4] * yield_, 5 - state.goods[p]) + 1
        )
    ]


def apply_use_plantation(state: State, move: object) -> Next:
    yield_ = state.use_plantation_yield
    p = state.activate_p
    e = state.use_edges_e
    (amount,) = legal(move, Use)
    if amount >= 0 and amount <= min(
        TABLE_FACES_FACES[state.table[e // 4] * 4 + e % 4] * yield_, 5 - state.goods[p]
    ):
        return use_plantation_use(state, amount)
    raise illegal(move)


# cacao.rules:120 choose fill
def ask_fill(state: State) -> Next:
    players = state.players
    you = state.play_you
    gaps = state.fill_gaps
    count = len(gaps) * len(kinds_of_row[state.display])
    if not state.display and state.jungle_size:
        count += len(gaps)
    if count > 1:
        state.at = FILL
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_fill(state, 0))
        return step_fill(state, 0)
    state.activate_p = players - 1 if you == 0 else you - 1
    state.p_left = players
    return activate_each_player


def step_fill(state: State, index: int) -> Next:
    gaps = state.fill_gaps
    count = len(gaps) * len(kinds_of_row[state.display])
    if index < count:
        size = len(kinds_of_row[state.display])
        at = gaps[index // size]
        index %= size
        tile = kinds_of_row[state.display][index]
        return fill_display(state, at, tile)
    index -= count
    at_ = gaps[index]
    return fill_pile(state, at_)


def move_fill(state: State, index: int) -> Fill:
    gaps = state.fill_gaps
    count = len(gaps) * len(kinds_of_row[state.display])
    if index < count:
        size = len(kinds_of_row[state.display])
        at = gaps[index // size]
        index %= size
        tile = kinds_of_row[state.display][index]
        return FILL_DISPLAY_MOVES[at][tile]
    index -= count
    at_ = gaps[index]
    return FILL_PILE_MOVES.row[at_]


def moves_fill(state: State) -> list[Fill]:
    gaps = state.fill_gaps
    moves: list[Fill] = []
    all_moves = all_of(kinds_of_row[state.display])
    for at in gaps:
        moves += all_moves(FILL_DISPLAY_MOVES[at])
    if not state.display and state.jungle_size:
        row = FILL_PILE_MOVES.row
        moves += [row[at_] for at_ in gaps]
    return moves


def apply_fill(state: State, move: object) -> Next:
    gaps = state.fill_gaps
    at, tile, source = legal(move, Fill)
    if at in gaps and tile >= 0 and state.display.count(tile) and source == "display":
        return fill_display(state, at, tile)
    if tile == MISSING and not state.display and state.jungle_size and at in gaps and source == "pile":
        return fill_pile(state, at)
    raise illegal(move)


# cacao.rules:108 choose place
def ask_place(state: State) -> Next:
    free_sites = state.free_sites
    held = state.held
    you = state.play_you
    count = (
        (1 if held[you * 4] else 0)
        + (4 if held[you * 4 + 1] else 0)
        + (4 if held[you * 4 + 2] else 0)
        + (4 if held[you * 4 + 3] else 0)
    ) * (
        len(free_sites) + len(state.own_tops[you])
        if not state.jungle_size and not state.display and state.sun[you] >= 1
        else len(free_sites)
    )
    if count > 1:
        state.at = PLACE
        state.options = count
        state.actor = you
        return None
    if count:
        if state.log is not None:
            state.note_forced(you, move_place(state, 0), True)
        return step_place(state, 0)
    raise Fault("'place' has no option, which the rules rule out")


def step_place(state: State, index: int) -> Next:
    free_sites = state.free_sites
    you = state.play_you
    at_options = (
        (*free_sites, *state.own_tops[you])
        if not state.jungle_size and not state.display and state.sun[you] >= 1
        else free_sites
    )
    size = len(at_options)
    for worker in range(4):
        if state.held[you * 4 + worker]:
            count = WORKER_TURNS[worker] * size
            if index < count:
                break
            index -= count
    turn = index // size
    index %= size
    at = at_options[index]
    return place_chosen(state, worker, turn, at)


def move_place(state: State, index: int) -> Place:
    free_sites = state.free_sites
    you = state.play_you
    at_options = (
        (*free_sites, *state.own_tops[you])
        if not state.jungle_size and not state.display and state.sun[you] >= 1
        else free_sites
    )
    size = len(at_options)
    for worker in range(4):
        if state.held[you * 4 + worker]:
            count = WORKER_TURNS[worker] * size
            if index < count:
                break
            index -= count
    turn = index // size
    index %= size
    at = at_options[index]
    return PLACE_MOVES[worker, turn][at]


def moves_place(state: State) -> list[Place]:
    free_sites = state.free_sites
    you = state.play_you
    moves: list[Place] = []
    at_options = (
        (*free_sites, *state.own_tops[you])
        if not state.jungle_size and not state.display and state.sun[you] >= 1
        else free_sites
    )
    all_moves = all_of(at_options)
    for worker in range(4):
        if state.held[you * 4 + worker]:
            for turn in range(WORKER_TURNS[worker]):
                moves += all_moves(PLACE_MOVES[worker, turn])
    return moves


def apply_place(state: State, move: object) -> Next:
    free_sites_has = state.free_sites_has
    you = state.play_you
    worker, turn, at = legal(move, Place)
    if (
        worker >= 0
        and state.held[you * 4 + worker]
        and turn >= 0
        and turn <= WORKER_TURNS[worker] - 1
        and (
            (at >= 0 and free_sites_has[at]) or (at >= 0 and at in state.own_tops[you])
            if not state.jungle_size and not state.display and state.sun[you] >= 1
            else at >= 0 and free_sites_has[at]
        )
    ):
        return place_chosen(state, worker, turn, at)
    raise illegal(move)


USE_EDGES_EDGE = Decision(
    "use_edges_edge",
    "edge",
    ask_use_edges_edge,
    step_use_edges_edge,
    move_use_edges_edge,
    moves_use_edges_edge,
    apply_use_edges_edge,
)
USE_SUN_SITE = Decision(
    "use_sun_site",
    "use",
    ask_use_sun_site,
    step_use_sun_site,
    move_use_sun_site,
    moves_use_sun_site,
    apply_use_sun_site,
)
USE_WATER = Decision(
    "use_water", "use", ask_use_water, step_use_water, move_use_water, moves_use_water, apply_use_water
)
USE_GOLD_MINE = Decision(
    "use_gold_mine",
    "use",
    ask_use_gold_mine,
    step_use_gold_mine,
    move_use_gold_mine,
    moves_use_gold_mine,
    apply_use_gold_mine,
)
USE_MARKET = Decision(
    "use_market", "use", ask_use_market, step_use_market, move_use_market, moves_use_market, apply_use_market
)
USE_PLANTATION = Decision(
    "use_plantation",
    "use",
    ask_use_plantation,
    step_use_plantation,
    move_use_plantation,
    moves_use_plantation,
    apply_use_plantation,
)
FILL = Decision("fill", "fill", ask_fill, step_fill, move_fill, moves_fill, apply_fill)
PLACE = Decision("place", "place", ask_place, step_place, move_place, moves_place, apply_place)


# ------------------------------------------------------------------ the end


# cacao.rules:221 score gold
def score_gold(state: State, you: int) -> int:
    return state.gold[you]


# cacao.rules:223 score sun
def score_sun(state: State, you: int) -> int:
    return state.sun[you]


# cacao.rules:222 score temples
def score_temples(state: State, you: int) -> int:
    return sum(temple_gold(state, you, t) for t in state.temples)


# cacao.rules:224 score water
def score_water(state: State, you: int) -> int:
    return CARRIER_FIELDS[state.carrier[you]]


# cacao.rules:225 rank
def rank(state: State, you: int) -> tuple[int, ...]:
    return (
        score_gold(state, you) + score_sun(state, you) + score_temples(state, you) + score_water(state, you),
        state.goods[you],
    )


# ------------------------------------------------------------------ the engine


LINES = (
    "1= 923=:182 926= 930=:133 931=:134 939= 948=:155 954= 959=:64 960=:65 968=:66 973=:67 980= 982=:74 989= "
    "991=:77 998= 1000=:70 1001=:71 1004= 1009=:87 1010=:89 1017= 1019=:81 1022= 1024=:151 1025=:152 1028= "
    "1030=:158 1036= 1038=:84 1045= 1048=:58 1068=:60 1069=:61 1095= 1100=:50 1101=:51 1102=:52 1103=:53 "
    "1104=:54 1105=:55 1106=:98 1111= 1121=:98 1124=:97 1127=:98 1144=:108 1145=:98 1148= 1155=:137 "
    "1157=:105 1158=:101 1159=:137 1161=:142 1163=:148 1164=:137 1167= 1171=:143 1172=:144 1173=:145 "
    "1176=:162 1177=:145 1179=:166 1180=:145 1182=:171 1183=:145 1184=:175 1185=:145 1186=:179 1187=:145 "
    "1189=:142 1191=:148 1192=:140 1193=:145 1196= 1201=:180 1205=:142 1207=:148 1208=:140 1211= 1216=:176 "
    "1220=:142 1222=:148 1223=:140 1226= 1232=:172 1237=:142 1239=:148 1240=:140 1243= 1249=:167 1252=:168 "
    "1257=:142 1259=:148 1260=:140 1263= 1268=:163 1271=:142 1273=:148 1274=:140 1277= 1282=:119 1283=:120 "
    "1284=:137 1289= 1292=:126 1294=:127 1295=:128 1299= 1302=:122 1304=:123 1305=:124 1309= 1315=:110 "
    "1316=:111 1321=:112 1326=:113 1327=:114 1330=:118 1339=:119 1342= 1349=:143 1351=:142 1360=:148 "
    "1361=:140 1364= 1365=:142 1366=:143 1370= 1371=:142 1372=:143 1376= 1377=:142 1381= 1382=:142 1384=:143 "
    "1390= 1394=:179 1407= 1408=:179 1412= 1413=:179 1417= 1420=:179 1427= 1430=:179 1436= 1440=:175 1453= "
    "1454=:175 1458= 1459=:175 1463= 1466=:175 1473= 1476=:175 1484= 1488=:171 1501= 1502=:171 1506= "
    "1507=:171 1511= 1513=:171 1517= 1519=:171 1525= 1529=:166 1542= 1543=:166 1547= 1548=:166 1552= "
    "1555=:166 1562= 1565=:166 1571= 1576=:162 1589= 1590=:162 1594= 1595=:162 1599= 1603=:162 1612= "
    "1616=:162 1624= 1629=:121 1630=:125 1632=:120 1641=:137 1646= 1648=:121 1656=:125 1660= 1662=:121 "
    "1670=:125 1674= 1676=:120 1677=:121 1680=:125 1686= 1688=:120 1689=:121 1691=:125 1696= 1701=:109 "
    "1711=:108 1723= 1726=:109 1744= 1747=:109 1765= 1768=:108 1769=:109 1782= 1785=:108 1786=:109 1801= "
    "1852=:221 1855= 1857=:223 1860= 1862=:222 1865= 1867=:224 1870= 1872=:225 1878="
)

GAME = Game(
    ruleset="cacao",
    digest="8289ffdfc24807604f25322461efef7ec751e7c0c2aa8a5c84ef5a6554e5e423",
    versions={"cacao": "1.0.0"},
    options={"first_seat": "zero"},
    min_players=2,
    max_players=4,
    seats=("red", "purple", "white", "yellow"),
    variables=(
        Variable("first", "first", "game", SEAT, "open", 0),
        Variable("gold", "gold", "player", NumberCodec(0, 9999), "open", 0),
        Variable("pending", "pending", "player", ItemsCodec(TABLE_EDGE, unique=True), "open", ()),
        Variable("placed", "placed", "game", TABLE_SPACE, "open", UNSET),
        Variable("sun", "sun", "player", NumberCodec(0, 3), "open", 0),
        Variable("carrier", "carrier", "player", NumberCodec(0, 8), "open", 0),
    ),
    zones=(
        Zone("display", "display", "row", "game", JUNGLE, "row", False, "open", 2),
        Zone("goods", "goods", "store", "player", GOOD, "counts", False, "open", 5),
        Zone("held", "held", "hand", "player", WORKER, "counts", False, "secret", None),
        Zone("jungle", "jungle", "pile", "game", JUNGLE, "pile", False, "hidden", None),
        Zone("workers", "workers", "pile", "player", WORKER, "pile", False, "hidden", None),
    ),
    grids=(TABLE,),
    streams=(
        Stream("jungle", False, 0, JUNGLE),
        Stream("workers", True, 1, WORKER),
    ),
    saved=(
        ("you_left", NUMBER),
        ("round_goes_on", FLAG),
        ("p_left", NUMBER),
        ("use_gold_mine_value", NUMBER),
        ("use_market_price", NUMBER),
        ("use_plantation_yield", NUMBER),
        ("play_you", SEAT),
        ("activate_p", SEAT),
        ("fill_gaps", ItemsCodec(TABLE_SPACE, unique=True)),
        ("use_edges_e", TABLE_EDGE),
    ),
    returns=(),
    decisions=(
        USE_EDGES_EDGE,
        USE_SUN_SITE,
        USE_WATER,
        USE_GOLD_MINE,
        USE_MARKET,
        USE_PLANTATION,
        FILL,
        PLACE,
    ),
    flows=(
        ("jungle", "display", False),
        ("workers", "held", True),
    ),
    scores=(
        ("gold", score_gold),
        ("sun", score_sun),
        ("temples", score_temples),
        ("water", score_water),
    ),
    rank=rank,
    begin=setup,
    refresh=refresh,
    lines=LINES,
    default_file=FILE,
)

State.game = GAME
engine: GeneratedEngine[State] = GeneratedEngine(GAME, blank)
