"""Cacao with any of its modules, by definition and from scratch: a second reading of the rulebook.

As plain as the oracle of the base game (cacao.py), and written without it. Sections (3.2 ...) and rulings
(A32 ...) are those of the rulebook. A game is a generator: `Game.play` yields every question with all its
options, also where there is but one, and is sent the one that is taken; chance it asks of `draw`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]
Args = dict[str, Any]
Draw = Callable[[str], str]

SIDES = "ESWN"
STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))

STORAGE = 5
TRACK = (-10, -4, -1, 0, 2, 4, 7, 11, 16)
COLOURS = ("red", "green", "blue", "white")

COST = {
    "market_crier": 4,
    "hermit": 6,
    "road_worker": 6,
    "trader": 6,
    "farmer": 8,
    "shaman": 8,
    "monk": 10,
    "master_builder": 10,
    "foreman": 12,
    "fountain_master": 12,
    "chiefs_daughter": 14,
    "chiefs_son": 16,
    "chiefs_wife": 20,
    "chief": 24,
}
FAMILY = {"chiefs_daughter": 4, "chiefs_son": 4, "chiefs_wife": 5, "chief": 6}


# ---------------------------------------------------------------- set-up (1.1, 1.2, 2, 3)


def jungle_pool(modules: Iterable[str], players: int) -> Counter[str]:
    """All jungle tiles in play, start tiles included."""
    modules = set(modules)
    pool = Counter(
        {
            "plantation(1)": 6,
            "plantation(2)": 2,
            "market(2)": 2,
            "market(3)": 4,
            "market(4)": 1,
            "gold_mine(1)": 2,
            "gold_mine(2)": 1,
            "water": 3,
            "sun_site": 2,
            "temple": 5,
        }
    )
    three_new = {"irrigation": 3, "kitchen": 3, "chocolate_market": 3, "tree": 3}
    if "big_game" in modules:  # 3.5
        pool.update(three_new, gem_mine=5)
        if players == 3:
            pool.subtract(
                {"plantation(1)": 2, "gold_mine(1)": 2, "market(2)": 1, "market(3)": 1, "irrigation": 1}
            )
        return +pool
    two = players == 2
    if two:  # 1.1
        pool.subtract(
            {"plantation(1)": 2, "market(3)": 1, "gold_mine(1)": 1, "water": 1, "sun_site": 1, "temple": 1}
        )
    mines = {"gold_mine(1)": 1 if two else 2, "gold_mine(2)": 1}
    if "irrigation" in modules:  # 2.2
        pool.subtract({"plantation(2)": 2} if two else {"plantation(1)": 1, "plantation(2)": 2})
        pool["irrigation"] = 2 if two else 3
    if "chocolate" in modules:  # 2.3
        pool.subtract({**mines, "market(3)": 2 if two else 3})
        pool["kitchen"] = pool["chocolate_market"] = 2 if two else 3
    if "gem_mines" in modules:  # 3.1
        pool["gem_mine"] = 4 if two else 5
        pool["temple"] -= 4 if two else 5
    if "tree_of_life" in modules:  # 3.2
        pool["tree"] = 2 if two else 3
        if "chocolate" not in modules:
            pool.subtract(mines)
    assert all(count >= 0 for count in pool.values())
    return +pool


def worker_pool(modules: Iterable[str], players: int) -> Counter[str]:
    """The worker tiles of one player, nothing agreed."""
    modules = set(modules)
    eleven = Counter({"1-1-1-1": 4, "2-1-0-1": 5, "3-0-0-1": 1, "3-1-0-0": 1})
    four = Counter({"0-0-2-2": 1, "0-2-0-2": 1, "0-1-0-3": 1, "0-0-0-4": 1})
    if "big_game" in modules:  # 3.5
        return eleven + four
    longer = {"tree_of_life", "chocolate"} <= modules
    if "new_workers" in modules:  # A52, A90
        ones, twos = ({2: (1, 5), 3: (0, 5), 4: (0, 4)} if longer else {2: (0, 5), 3: (0, 4), 4: (0, 3)})[
            players
        ]
        return +Counter({"1-1-1-1": ones, "2-1-0-1": twos, "3-0-0-1": 1, "3-1-0-0": 1}) + four
    if longer:  # 3.2, A47
        return eleven + {2: Counter({"0-0-0-4": 1}), 3: Counter[str](), 4: Counter({"1-1-1-1": -1})}[players]
    back = {2: Counter[str](), 3: Counter({"1-1-1-1": 1}), 4: Counter({"1-1-1-1": 1, "2-1-0-1": 1})}  # A1
    return eleven - back[players]


# ---------------------------------------------------------------- what lies on the table


@dataclass
class Jungle:
    """A jungle tile; a gem mine that has been shown has gems."""

    kind: str
    gems: Counter[str] | None = None

    @property
    def value(self) -> int:
        """The number on a plantation, a market or a gold mine."""
        return int(self.kind[-2])


@dataclass
class Worker:
    """A worker tile on top: the workers that face E, S, W, N."""

    owner: int
    faces: tuple[int, ...]
    covers: bool = False


def turned(code: str) -> dict[int, tuple[int, ...]]:
    """The different turns of a tile, and what then faces E, S, W, N (8)."""
    printed = [int(count) for count in code.split("-")]
    found: dict[int, tuple[int, ...]] = {}
    for turn in range(4):
        faces = tuple(printed[(side - turn) % 4] for side in range(4))
        if faces not in found.values():
            found[turn] = faces
    return found


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in STEPS]


@dataclass(frozen=True)
class Question:
    """What a player is asked."""

    name: str
    player: int
    options: Sequence[Args]


Asking = Generator[Question, Args, Args]
Playing = Generator[Question, Args, None]


def upto(most: int) -> list[Args]:
    return [{"amount": amount} for amount in range(most + 1)]


@dataclass
class Seat:
    """What one player has."""

    gold: int
    sun: int
    carrier: int
    fruits: int
    bars: int
    hand: Counter[str]
    pile: Counter[str]
    tokens: int
    huts: Counter[str]
    gems: Counter[str]
    masks: list[int]
    gained: int = 0
    """Fruits stored in this turn (A32)."""

    @property
    def room(self) -> int:
        return STORAGE - self.fruits - self.bars

    def store(self, fruits: int) -> None:
        fruits = min(fruits, self.room)
        self.fruits += fruits
        self.gained += fruits


@dataclass
class Game:
    """A game from the end of its set-up on."""

    modules: frozenset[str]
    early: bool
    """Whether overbuilding is allowed as soon as the pile is empty (A21)."""
    draw: Draw
    first: int
    seats: list[Seat]
    jungle: Counter[str]
    display: list[Jungle]
    map: list[Jungle]
    cart: Counter[str]
    masks: list[int]
    for_sale: Counter[str]
    emperor: Cell | None
    table: dict[Cell, Jungle | Worker]
    happened: Counter[str] = field(default_factory=Counter)
    """How often rare things happened, so that a test can see that they did."""

    @classmethod
    def of_snapshot(cls, modules: Iterable[str], early: bool, shot: Mapping[str, Any], draw: Draw) -> Game:
        """From what an engine says of a game in which nothing has been placed."""
        players = shot["players"]

        def each(name: str, empty: Any) -> list[Any]:
            return list(shot.get(name, [empty] * players))

        def tiles(name: str) -> list[Jungle]:
            return [
                Jungle(tile) if isinstance(tile, str) else Jungle(tile["kind"], Counter(tile["gems"]))
                for tile in shot.get(name, ())
            ]

        def values(masks: Iterable[str]) -> list[int]:
            return [int(mask.removeprefix("mask_")) for mask in masks]

        seats = [
            Seat(
                gold=shot["gold"][p],
                sun=shot["sun"][p],
                carrier=shot["carrier"][p],
                fruits=shot["goods"][p].get("cacao", 0),
                bars=shot["goods"][p].get("chocolate", 0),
                hand=Counter(shot["held"][p]),
                pile=Counter(shot["workers"][p]),
                tokens=each("map_tokens", 0)[p],
                huts=Counter(each("huts", {})[p]),
                gems=Counter(each("gems", {})[p]),
                masks=values(each("own_masks", ())[p]),
            )
            for p in range(players)
        ]
        emperor = shot.get("emperor")
        return cls(
            modules=frozenset(modules),
            early=early,
            draw=draw,
            first=shot["first"],
            seats=seats,
            jungle=Counter(shot["jungle"]),
            display=tiles("display"),
            map=tiles("map"),
            cart=Counter(shot.get("cart", {})),
            masks=values(shot.get("masks", ())),
            for_sale=Counter(shot.get("huts_for_sale", {})),
            emperor=None if emperor is None else (emperor[0], emperor[1]),
            table={
                (space["at"][0], space["at"][1]): Jungle(piece["kind"])
                for space in shot["table"]
                for piece in space["pieces"]
            },
        )

    # ------------------------------------------------------------ looking at the table

    def jungle_at(self, cell: Cell) -> bool:
        return isinstance(self.table.get(cell), Jungle)

    def worker_at(self, cell: Cell) -> Worker | None:
        tile = self.table.get(cell)
        return tile if isinstance(tile, Worker) else None

    def own(self, player: int) -> list[tuple[Cell, Worker]]:
        return [
            (cell, tile)
            for cell, tile in self.table.items()
            if isinstance(tile, Worker) and tile.owner == player
        ]

    def workers_around(self, cell: Cell) -> int:
        return sum(self.worker_at(near) is not None for near in around(cell))

    # ------------------------------------------------------------ the game (1.4, 1.9)

    def play(self) -> Playing:
        """To the end: nobody has tiles left, or nobody can place one (1.9, A12, A85)."""
        count = len(self.seats)
        going = True
        while going:
            going = False
            for step in range(count):
                player = (self.first + step) % count
                options = self.placements(player)
                if options:
                    going = True
                    yield from self.turn(player, options)
                elif self.seats[player].hand.total():
                    self.happened["no legal placement"] += 1

    def placements(self, player: int) -> list[Args]:
        """1.4A, 1.7."""
        seat = self.seats[player]
        cells = {
            near
            for cell in self.table
            if self.jungle_at(cell)
            for near in around(cell)
            if near not in self.table
        }
        used_up = not self.jungle.total() and (self.early or not self.display)
        if used_up and (seat.sun > 0 or seat.huts["shaman"]):
            cells |= {cell for cell, tile in self.own(player) if not tile.covers}  # A7
        return [
            {"worker": code, "turn": turn, "at": [*cell]}
            for code, count in seat.hand.items()
            if count
            for turn in turned(code)
            for cell in cells
        ]

    def turn(self, player: int, options: Sequence[Args]) -> Playing:
        seat = self.seats[player]
        if self.emperor is not None:
            host = self.worker_at(self.emperor)
            if host is not None and host.owner == player:  # 3.3, A51
                seat.gold += 1
        args = yield Question("place", player, options)
        at = (args["at"][0], args["at"][1])
        faces = turned(args["worker"])[args["turn"]]
        if seat.huts["foreman"]:  # A33
            self.happened["a fourth worker"] += 3 in faces
            faces = tuple(4 if count == 3 else count for count in faces)
        seat.hand[args["worker"]] -= 1
        over = at in self.table
        if over:
            self.happened["overbuild"] += 1
            self.happened["overbuild under the emperor"] += self.emperor == at
            self.happened["overbuild without a token"] += seat.sun == 0
            seat.sun -= 0 if seat.huts["shaman"] else 1
        self.table[at] = Worker(player, faces, over)
        if self.emperor is not None and (self.emperor[0] == at[0] or self.emperor[1] == at[1]):  # 3.3, A50
            self.emperor = at
            seat.gold += 1
        edges = {(at, side) for side, near in enumerate(around(at)) if self.jungle_at(near)}
        filled = yield from self.fill(player, at)
        self.happened["fill after an overbuild"] += over and bool(filled)
        for cell in filled:  # 1.6b, A4
            for side, near in enumerate(around(cell)):
                if self.worker_at(near):
                    edges.add((near, (side + 2) % 4))
        for step in range(len(self.seats)):  # 3.1, A43
            yield from self.act((player + step) % len(self.seats), edges, player)
        if "huts" in self.modules:  # 2.4, A29
            yield from self.build(player)
        if seat.pile.total():
            worker = self.draw(f"workers[{player}]")
            assert seat.pile[worker] > 0
            seat.pile[worker] -= 1
            seat.hand[worker] += 1
        self.refill()

    # ------------------------------------------------------------ filling (1.5, 2.1)

    def fill(self, player: int, at: Cell) -> Generator[Question, Args, list[Cell]]:
        gaps = [
            cell for cell in around(at) if cell not in self.table and self.workers_around(cell) >= 2
        ]  # A5
        self.happened["three fills"] += len(gaps) > 2
        filled: list[Cell] = []
        while gaps:
            options = self.fills(player, gaps)
            if not options:
                self.happened["a cell stays empty"] += 1
                self.happened["a cell stays empty beside a full map"] += bool(self.map)
                break
            args = yield Question("fill", player, options)
            if "stop" in args:
                self.happened["filling declined"] += 1
                break
            cell = (args["at"][0], args["at"][1])
            if args["source"] == "pile":
                self.happened["blind tile"] += 1
                tile = self.reveal()
                self.load(tile)  # A40
            else:
                row = self.display if args["source"] == "display" else self.map
                tile = next(tile for tile in row if shown(tile) == shown_in(args))
                row.remove(tile)
                self.seats[player].tokens -= args["source"] == "map"
            self.table[cell] = tile
            gaps.remove(cell)
            filled.append(cell)
        return filled

    def fills(self, player: int, gaps: Sequence[Cell]) -> list[Args]:
        sources = [("display", tile) for tile in self.display]
        if self.seats[player].tokens:  # A19
            sources += [("map", tile) for tile in self.map]
        options: list[Args] = [
            {"at": [*cell], "source": source, **shown(tile)} for cell in gaps for source, tile in sources
        ]
        if not self.display and self.jungle.total():  # A6
            options += [{"at": [*cell], "source": "pile"} for cell in gaps]
        if options and not self.display and not self.jungle.total():
            options.append({"stop": True})
        return [option for index, option in enumerate(options) if option not in options[:index]]

    def reveal(self) -> Jungle:
        kind = self.draw("jungle")
        assert self.jungle[kind] > 0
        self.jungle[kind] -= 1
        return Jungle(kind)

    def load(self, tile: Jungle) -> None:
        """3.1, A39, A40."""
        if tile.kind == "gem_mine" and tile.gems is None:
            tile.gems = Counter()
            for _ in range(6):
                gem = self.draw("cart")
                assert self.cart[gem] > 0
                self.cart[gem] -= 1
                tile.gems[gem] += 1

    def refill(self) -> None:
        """1.4, 2.1, A20: pile, far slot, near slot, display."""
        while len(self.display) < 2 and (self.map or self.jungle.total()):
            self.display.append(self.map.pop(0) if self.map else self.reveal())
        while "map" in self.modules and len(self.map) < 2 and self.jungle.total():
            self.map.append(self.reveal())
        for tile in (*self.display, *self.map):
            self.load(tile)

    # ------------------------------------------------------------ actions (1.6)

    def act(self, player: int, edges: Iterable[tuple[Cell, int]], active: int) -> Playing:
        seat = self.seats[player]
        seat.gained = 0
        left = {(cell, side) for cell, side in edges if self.edge(cell, side)[0] == player}
        while offered := [edge for edge in left if self.options_at(*edge)]:
            args = yield Question(
                "edge", player, [{"worker_at": [*cell], "side": SIDES[side]} for cell, side in offered]
            )
            edge = ((args["worker_at"][0], args["worker_at"][1]), SIDES.index(args["side"]))
            left.remove(edge)
            yield from self.use(player, *edge)
        if seat.huts["farmer"] and seat.gained == 4 and seat.room:  # A32
            self.happened["a fifth fruit, own turn" if player == active else "a fifth fruit, other turn"] += 1
            seat.fruits += 1

    def edge(self, cell: Cell, side: int) -> tuple[int, int, Jungle]:
        """Owner, workers and the jungle tile that they face."""
        worker, tile = self.table[cell], self.table[around(cell)[side]]
        assert isinstance(worker, Worker)
        assert isinstance(tile, Jungle)
        return worker.owner, worker.faces[side], tile

    def options_at(self, cell: Cell, side: int) -> list[Args]:
        """The options of `use`; none where nothing but nothing can be done (8)."""
        owner, workers, tile = self.edge(cell, side)
        seat, kind = self.seats[owner], tile.kind.split("(")[0]
        if kind == "tree":
            return upto(workers) if workers else [{"amount": 0}, {"amount": 3}]
        if workers == 0 or kind == "temple":
            return []
        if kind == "gem_mine":
            assert tile.gems is not None
            gems = [{"gem": gem} for gem in COLOURS if tile.gems[gem]]
            return [*gems, {"stop": True}] if gems else []
        if kind == "chocolate_market":
            sales = [
                {"fruits": fruits, "bars": bars}
                for fruits in range(seat.fruits + 1)
                for bars in range(seat.bars + 1)
                if fruits + bars <= workers
            ]
            return sales if len(sales) > 1 else []
        most = {
            "plantation": lambda: min(workers * tile.value, seat.room),
            "market": lambda: min(workers, seat.fruits),
            "gold_mine": lambda: workers,
            "water": lambda: min(workers, len(TRACK) - 1 - seat.carrier),
            "sun_site": lambda: min(workers, 3 - seat.sun),
            "irrigation": lambda: min(workers, seat.carrier),
            "kitchen": lambda: min(workers, seat.fruits),
        }[kind]()
        return upto(most) if most else []

    def use(self, player: int, cell: Cell, side: int) -> Playing:
        _, workers, tile = self.edge(cell, side)
        seat, kind = self.seats[player], tile.kind.split("(")[0]
        if kind == "gem_mine":
            yield from self.dig(player, workers, tile)
            return
        args = yield Question("use", player, self.options_at(cell, side))
        if kind == "chocolate_market":
            seat.fruits -= args["fruits"]
            seat.bars -= args["bars"]
            seat.gold += 3 * args["fruits"] + 7 * args["bars"]
            return
        amount = args["amount"]
        if kind == "plantation":
            seat.store(amount)
        elif kind == "market":
            seat.fruits -= amount
            seat.gold += amount * (3 if tile.value == 2 and seat.huts["market_crier"] else tile.value)
        elif kind == "gold_mine":
            seat.gold += amount * tile.value
        elif kind == "tree":
            self.happened["an empty edge at a tree"] += workers == 0
            seat.gold += amount
        elif kind == "water":
            seat.carrier += amount
        elif kind == "sun_site":
            seat.sun += amount
        elif kind == "irrigation":
            seat.carrier -= amount
            seat.store(4 * amount)
        else:
            assert kind == "kitchen"
            seat.fruits -= amount
            seat.bars += amount

    def dig(self, player: int, workers: int, mine: Jungle) -> Playing:
        """3.1, A41, A42."""
        seat = self.seats[player]
        assert mine.gems is not None
        while workers and mine.gems.total():
            gems: list[Args] = [{"gem": gem} for gem in COLOURS if mine.gems[gem]]
            args = yield Question("use", player, [*gems, {"stop": True}])
            if "stop" in args:
                return
            workers -= 1
            mine.gems[args["gem"]] -= 1
            seat.gems[args["gem"]] += 1
            if all(seat.gems[colour] for colour in COLOURS):
                self.happened["a set in the middle of an edge" if workers else "a set"] += 1
                seat.gems.subtract(COLOURS)
                self.masks.sort()
                seat.masks.append(self.masks.pop(0))

    def build(self, player: int) -> Playing:
        seat = self.seats[player]
        huts = [
            hut
            for hut, count in self.for_sale.items()
            if count and COST[hut] <= seat.gold and not seat.huts[hut]  # A26, A27
        ]
        args = yield Question("build_hut", player, [{"hut": hut} for hut in (*huts, None)])
        if args["hut"] is not None:
            seat.gold -= COST[args["hut"]]
            self.for_sale[args["hut"]] -= 1
            seat.huts[args["hut"]] += 1

    # ------------------------------------------------------------ the end (1.8, 1.9, 2.4, 3.1)

    def facing(self, temple: Cell) -> list[int]:
        """The workers of each player at a temple."""
        counts = [0] * len(self.seats)
        for side, near in enumerate(around(temple)):
            worker = self.worker_at(near)
            if worker is not None:
                counts[worker.owner] += worker.faces[(side + 2) % 4]
        return counts

    def temples(self) -> list[Cell]:
        return [
            cell for cell, tile in self.table.items() if isinstance(tile, Jungle) and tile.kind == "temple"
        ]

    def scores(self) -> list[dict[str, int]]:
        return [self.score(player) for player in range(len(self.seats))]

    def score(self, player: int) -> dict[str, int]:
        """By source, sources that bring nothing left out."""
        seat = self.seats[player]
        score = {"gold": seat.gold, "sun": seat.sun, "water": TRACK[seat.carrier]}
        score["temples"] = sum(temple_gold(self.facing(temple))[player] for temple in self.temples())
        score["masks"] = sum(seat.masks)
        score["gems"] = seat.gems.total()
        owned = [hut for hut, count in seat.huts.items() if count]
        score["huts"] = sum(COST[hut] for hut in owned)
        score["chiefs_family"] = sum(FAMILY.get(hut, 0) for hut in owned)
        bonus = {
            "hermit": self.idle(player),
            "road_worker": self.longest(player),
            "trader": seat.fruits,
            "monk": sum(self.facing(temple)[player] > 0 for temple in self.temples()),
            "master_builder": len(owned) - 1,
            "fountain_master": 4 if seat.carrier == len(TRACK) - 1 else 0,
        }
        score.update({hut: gold for hut, gold in bonus.items() if hut in owned})
        score["total"] = sum(score.values())
        return {name: gold for name, gold in score.items() if gold}

    def idle(self, player: int) -> int:
        """A34."""
        return sum(
            tile.faces[side]
            for cell, tile in self.own(player)
            for side, near in enumerate(around(cell))
            if not self.jungle_at(near)
        )

    def longest(self, player: int) -> int:
        """A35."""
        spots = [cell for cell, _ in self.own(player)]
        lines = [Counter(x for x, _ in spots), Counter(y for _, y in spots)]
        return max((count for line in lines for count in line.values()), default=0)

    def ranking(self) -> list[list[int]]:
        """1.9: the total, then the fruits left over."""
        results = [
            (self.score(player).get("total", 0), seat.fruits) for player, seat in enumerate(self.seats)
        ]
        return [
            [player for player, result in enumerate(results) if result == place]
            for place in sorted(set(results), reverse=True)
        ]


def temple_gold(counts: Sequence[int]) -> list[int]:
    """1.8: what each player gets at a temple with that many workers."""
    groups = sorted({count for count in counts if count}, reverse=True)
    if not groups:
        return [0] * len(counts)
    firsts = counts.count(groups[0])
    gold = {groups[0]: 6 // firsts}
    if firsts == 1 and len(groups) > 1:
        gold[groups[1]] = 3 // counts.count(groups[1])
    return [gold.get(count, 0) for count in counts]


def shown(tile: Jungle) -> Args:
    """What tells a tile from others in an option."""
    if tile.gems is None:
        return {"tile": tile.kind}
    return {"tile": tile.kind, "gems": {gem: count for gem, count in tile.gems.items() if count}}


def shown_in(args: Args) -> Args:
    return {name: args[name] for name in ("tile", "gems") if name in args}
