"""Cacao base game, 2-4 players, by definition and from scratch.

Deliberately plain: nothing is cached, every question is answered by looking at the whole board again.
Sections (1.4 ...) and rulings (A4 ...) are those of the rulebook file. Jungle cells have x+y even, worker
cells x+y odd; x grows to the east, y to the south.

How a position advances: a decision with two or more options is asked (`to_act`, `decision`, `options`,
`apply`); a decision with exactly one option is taken without asking; a drawn tile is always asked for
(`needs`, `chance`), even when only one kind of tile is left in that pile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Cell = tuple[int, int]
Worker = tuple[str, int, int, bool]  # printed code, clockwise quarter turns, owner, covers another tile
Board = dict[Cell, str | Worker]
Edge = tuple[Cell, int]  # worker cell, side 0..3
Option = dict[str, Any]  # {"name": ..., "args": {...}}

SIDES = "ESWN"
STEP: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))  # E, S, W, N

STORAGE = 5
SUN_PLACES = 3
DISPLAY = 2
TRACK = (-10, -4, -1, 0, 2, 4, 7, 11, 16)
TEMPLE_FIRST = 6
TEMPLE_SECOND = 3

START_TILES: dict[Cell, str] = {(0, 0): "plantation(1)", (1, 1): "market(2)"}

# 1.1: jungle tiles with 3-4 players (start tiles included), and what 2 players take out
JUNGLE = {
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
JUNGLE_OUT_FOR_TWO = {
    "plantation(1)": 2,
    "market(3)": 1,
    "gold_mine(1)": 1,
    "water": 1,
    "sun_site": 1,
    "temple": 1,
}

# 1.1 and 1.2: worker tiles of one player, and what each player takes out
WORKERS = {"1-1-1-1": 4, "2-1-0-1": 5, "3-0-0-1": 1, "3-1-0-0": 1}
WORKERS_OUT: dict[int, dict[str, int]] = {2: {}, 3: {"1-1-1-1": 1}, 4: {"1-1-1-1": 1, "2-1-0-1": 1}}

FRUITS_PER_WORKER = {"plantation(1)": 1, "plantation(2)": 2}
PRICE = {"market(2)": 2, "market(3)": 3, "market(4)": 4}
MINED = {"gold_mine(1)": 1, "gold_mine(2)": 2}


# ---------------------------------------------------------------- pools


def jungle_pool(players: int) -> Counter[str]:
    """All jungle tiles in play, start tiles included (1.1)."""
    pool = Counter(JUNGLE)
    if players == 2:
        pool -= Counter(JUNGLE_OUT_FOR_TWO)
    return pool


def worker_pool(players: int) -> Counter[str]:
    """The worker tiles of one player (1.2, A1)."""
    return Counter(WORKERS) - Counter(WORKERS_OUT[players])


def take(pool: Counter[str], tile: str) -> None:
    """Take one tile out of a multiset."""
    if pool[tile] < 1:
        raise ValueError(f"no {tile} left")
    pool[tile] -= 1
    if pool[tile] == 0:
        del pool[tile]


# ---------------------------------------------------------------- tiles and cells


def neighbour(cell: Cell, side: int) -> Cell:
    """The cell on that side."""
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def neighbours(cell: Cell) -> list[Cell]:
    """The four orthogonal neighbours in the order E, S, W, N."""
    return [neighbour(cell, side) for side in range(4)]


def is_jungle(board: Mapping[Cell, str | Worker], cell: Cell) -> bool:
    """A jungle tile lies there."""
    return isinstance(board.get(cell), str)


def is_worker(board: Mapping[Cell, str | Worker], cell: Cell) -> bool:
    """A worker tile lies there."""
    return isinstance(board.get(cell), tuple)


def edges_of(code: str, turn: int) -> tuple[int, ...]:
    """Workers facing E, S, W, N: the count printed for side i faces side (i+turn) mod 4 (section 8)."""
    printed = [int(part) for part in code.split("-")]
    facing = [0, 0, 0, 0]
    for i in range(4):
        facing[(i + turn) % 4] = printed[i]
    return tuple(facing)


def turns_of(code: str) -> list[int]:
    """The turns that give different tiles, the smallest turn standing for each."""
    seen: set[tuple[int, ...]] = set()
    turns = []
    for turn in range(4):
        if edges_of(code, turn) not in seen:
            seen.add(edges_of(code, turn))
            turns.append(turn)
    return turns


def legal_cells(board: Mapping[Cell, str | Worker]) -> list[Cell]:
    """Empty worker cells orthogonally adjacent to a jungle tile (1.4 A)."""
    if not board:
        return []
    xs = [x for x, _ in board]
    ys = [y for _, y in board]
    return [
        (x, y)
        for x in range(min(xs) - 1, max(xs) + 2)
        for y in range(min(ys) - 1, max(ys) + 2)
        if (x + y) % 2 == 1 and (x, y) not in board and any(is_jungle(board, n) for n in neighbours((x, y)))
    ]


def open_cells(board: Mapping[Cell, str | Worker], placed: Cell) -> list[Cell]:
    """Empty jungle cells beside the placed tile with two or more worker tiles around them (1.5, A5)."""
    return sorted(
        cell
        for cell in neighbours(placed)
        if cell not in board and sum(1 for n in neighbours(cell) if is_worker(board, n)) >= 2
    )


def activated_edges(board: Mapping[Cell, str | Worker], placed: Cell, filled: Iterable[Cell]) -> list[Edge]:
    """1.6: edges with workers that meet a jungle tile and belong to the placed tile or face a filled one.

    Whoever owns them, older tiles of the active player included (A4). An overbuild brings no filled tile
    in the base game and so activates the new tile only (A9).
    """
    new_tiles = set(filled)
    found: list[Edge] = []
    for cell in sorted(board):
        tile = board[cell]
        if isinstance(tile, str):
            continue
        code, turn, _owner, _covers = tile
        for side in range(4):
            facing = neighbour(cell, side)
            if not is_jungle(board, facing) or edges_of(code, turn)[side] == 0:
                continue
            if cell == placed or facing in new_tiles:
                found.append((cell, side))
    return found


# ---------------------------------------------------------------- actions and scoring


def use_limit(tile: str, workers: int, cacao: int, sun: int, water: int) -> int:
    """The most that can be done at an edge now, in the units of `use` (section 8)."""
    if tile in FRUITS_PER_WORKER:
        return max(0, min(workers * FRUITS_PER_WORKER[tile], STORAGE - cacao))
    if tile in PRICE:
        return min(workers, cacao)
    if tile in MINED:
        return workers
    if tile == "water":
        return min(workers, len(TRACK) - 1 - water)
    if tile == "sun_site":
        return max(0, min(workers, SUN_PLACES - sun))
    if tile == "temple":
        return 0
    raise ValueError(f"unknown jungle tile {tile}")


def temple_counts(board: Mapping[Cell, str | Worker], temple: Cell, players: int) -> list[int]:
    """Workers of each seat on visible edges facing the temple (1.8)."""
    counts = [0] * players
    for side in range(4):
        tile = board.get(neighbour(temple, side))
        if isinstance(tile, tuple):
            code, turn, owner, _covers = tile
            counts[owner] += edges_of(code, turn)[(side + 2) % 4]
    return counts


def temple_gold(counts: list[int]) -> list[int]:
    """Gold of one temple for each seat (1.8)."""
    gold = [0] * len(counts)
    present = sorted({c for c in counts if c > 0}, reverse=True)
    if not present:
        return gold
    firsts = [seat for seat, c in enumerate(counts) if c == present[0]]
    for seat in firsts:
        gold[seat] = TEMPLE_FIRST // len(firsts)
    if len(firsts) == 1 and len(present) > 1:
        seconds = [seat for seat, c in enumerate(counts) if c == present[1]]
        for seat in seconds:
            gold[seat] = TEMPLE_SECOND // len(seconds)
    return gold


def rank(totals: list[int], cacao: list[int]) -> list[list[int]]:
    """Seats grouped by shared place: total first, then leftover fruit (1.9)."""
    keys = list(zip(totals, cacao, strict=True))
    return [[seat for seat, k in enumerate(keys) if k == key] for key in sorted(set(keys), reverse=True)]


# ---------------------------------------------------------------- the game


class Oracle:
    """One game. All state is public so that tests can set a position up field by field."""

    def __init__(self, players: int, display: list[str], hands: list[list[str]], first: int = 0) -> None:
        if players not in (2, 3, 4):
            raise ValueError("2 to 4 players")
        if len(hands) != players or not 0 <= first < players:
            raise ValueError("hands and first seat must fit the number of players")
        if len(display) > DISPLAY:
            raise ValueError("too many tiles in the display")
        self.players = players
        self.board: Board = dict(START_TILES)
        self.pile: Counter[str] = jungle_pool(players)
        for tile in [*START_TILES.values(), *display]:
            take(self.pile, tile)
        self.display = list(display)
        self.hands = [list(hand) for hand in hands]
        self.worker_piles: list[Counter[str]] = [worker_pool(players) for _ in range(players)]
        for hand, worker_pile in zip(hands, self.worker_piles, strict=True):
            for code in hand:
                take(worker_pile, code)
        self.gold = [0] * players
        self.cacao = [0] * players
        self.sun = [0] * players
        self.water = [0] * players
        self.buried: dict[Cell, Worker] = {}  # tiles under an overbuild; no effect on anything

        # where the turn stands
        self.active = first
        self.phase = "place"  # place, fill, blind, edge, use, draw, refill, over
        self.placed: Cell = (0, 0)  # tile placed this turn
        self.filled: list[Cell] = []  # jungle cells filled this turn
        self.blind_at: Cell = (0, 0)  # cell waiting for a blind tile
        self.waiting: list[int] = []  # seats that still have their actions to do, in order
        self.unresolved: list[Edge] = []  # activated edges of this turn not resolved yet
        self.edge: Edge = ((0, 0), 0)  # edge being resolved
        self._run()

    # ------------------------------------------------------------ questions

    @property
    def over(self) -> bool:
        """The game has ended."""
        return self.phase == "over"

    @property
    def needs(self) -> str | None:
        """The pile whose next tile is needed now."""
        if self.phase in ("blind", "refill"):
            return "jungle"
        if self.phase == "draw":
            return f"workers[{self.active}]"
        return None

    @property
    def to_act(self) -> int | None:
        """The seat that decides now."""
        if self.phase in ("place", "fill"):
            return self.active
        if self.phase in ("edge", "use"):
            return self.waiting[0]
        return None

    @property
    def decision(self) -> str:
        """Name of the decision asked now, empty when none is."""
        return self.phase if self.phase in ("place", "fill", "edge", "use") else ""

    def options(self) -> list[Option]:
        """Every option of the decision asked now."""
        if self.phase == "place":
            return self._place_options()
        if self.phase == "fill":
            return self._fill_options()
        if self.phase == "edge":
            return self._edge_options()
        if self.phase == "use":
            return [{"name": "use", "args": {"amount": n}} for n in range(self._limit(self.edge) + 1)]
        return []

    def overbuild_cells(self, seat: int) -> list[Cell]:
        """Own tiles that may be overbuilt (1.7, A7, A8): only asked while the active player is to place."""
        if self.display or self.pile.total() or self.sun[seat] < 1:
            return []
        return sorted(
            cell
            for cell, tile in self.board.items()
            if isinstance(tile, tuple) and tile[2] == seat and not tile[3]
        )

    def _place_options(self) -> list[Option]:
        cells = legal_cells(self.board) + self.overbuild_cells(self.active)
        return [
            {"name": "place", "args": {"worker": code, "turn": turn, "at": list(cell)}}
            for code in sorted(set(self.hands[self.active]))
            for turn in turns_of(code)
            for cell in cells
        ]

    def _fill_options(self) -> list[Option]:
        cells = open_cells(self.board, self.placed)
        if self.display:
            return [
                {"name": "fill", "args": {"at": list(cell), "tile": tile, "source": "display"}}
                for cell in cells
                for tile in sorted(set(self.display))
            ]
        if self.pile.total():
            return [{"name": "fill", "args": {"at": list(cell), "source": "pile"}} for cell in cells]
        return []

    def _edge_options(self) -> list[Option]:
        return [
            {"name": "edge", "args": {"worker_at": list(cell), "side": SIDES[side]}}
            for cell, side in self.unresolved
            if self._owner(cell) == self.waiting[0] and self._limit((cell, side)) > 0
        ]

    def _owner(self, cell: Cell) -> int:
        tile = self.board[cell]
        assert isinstance(tile, tuple)
        return tile[2]

    def _limit(self, edge: Edge) -> int:
        cell, side = edge
        tile = self.board[cell]
        jungle = self.board[neighbour(cell, side)]
        assert isinstance(tile, tuple)
        assert isinstance(jungle, str)
        code, turn, owner, _covers = tile
        workers = edges_of(code, turn)[side]
        return use_limit(jungle, workers, self.cacao[owner], self.sun[owner], self.water[owner])

    # ------------------------------------------------------------ moves

    def apply(self, name: str, args: dict[str, Any]) -> None:
        """Take one option of the decision asked now."""
        if {"name": name, "args": args} not in self.options():
            raise ValueError(f"not an option now: {name} {args}")
        self._do(args)
        self._run()

    def chance(self, source: str, value: str) -> None:
        """Supply the tile drawn from the pile that is needed now."""
        if source != self.needs:
            raise ValueError(f"{source} is not drawn from now")
        if self.phase == "draw":
            take(self.worker_piles[self.active], value)
            self.hands[self.active].append(value)
            self.phase = "refill"
        elif self.phase == "refill":
            take(self.pile, value)
            self.display.append(value)
        else:
            take(self.pile, value)
            self._lay(self.blind_at, value)
            self.phase = "fill"
        self._run()

    def _do(self, args: dict[str, Any]) -> None:
        if self.phase == "place":
            self._do_place(args["worker"], args["turn"], (args["at"][0], args["at"][1]))
        elif self.phase == "fill":
            self._do_fill((args["at"][0], args["at"][1]), args.get("tile"))
        elif self.phase == "edge":
            x, y = args["worker_at"]
            self.edge = ((x, y), SIDES.index(args["side"]))
            self.phase = "use"
        elif self.phase == "use":
            self._do_use(args["amount"])

    def _do_place(self, code: str, turn: int, at: Cell) -> None:
        below = self.board.get(at)
        if isinstance(below, tuple):
            self.sun[self.active] -= 1
            self.buried[at] = below
        self.hands[self.active].remove(code)
        self.board[at] = (code, turn, self.active, below is not None)
        self.placed = at
        self.filled = []
        self.phase = "fill"

    def _do_fill(self, at: Cell, tile: str | None) -> None:
        if tile is None:
            self.blind_at = at
            self.phase = "blind"
        else:
            self.display.remove(tile)
            self._lay(at, tile)

    def _lay(self, at: Cell, tile: str) -> None:
        self.board[at] = tile
        self.filled.append(at)

    def _do_use(self, amount: int) -> None:
        cell, side = self.edge
        seat = self._owner(cell)
        jungle = self.board[neighbour(cell, side)]
        assert isinstance(jungle, str)
        if jungle in FRUITS_PER_WORKER:
            self.cacao[seat] += amount
        elif jungle in PRICE:
            self.cacao[seat] -= amount
            self.gold[seat] += amount * PRICE[jungle]
        elif jungle in MINED:
            self.gold[seat] += amount * MINED[jungle]
        elif jungle == "water":
            self.water[seat] += amount
        elif jungle == "sun_site":
            self.sun[seat] += amount
        self.unresolved.remove(self.edge)
        self.phase = "edge"

    # ------------------------------------------------------------ running on

    def _run(self) -> None:
        """Go on to the next decision with two or more options, the next needed draw, or the end."""
        self._skip_empty_draws()
        while self.phase != "over" and self.needs is None:
            options = self.options()
            if len(options) >= 2:
                return
            if len(options) == 1:
                self._do(options[0]["args"])
            elif self.phase == "place":
                self._skip_or_end()
            elif self.phase == "fill":
                self._start_actions()
            else:
                self._next_actor()
            self._skip_empty_draws()

    def _start_actions(self) -> None:
        """Step C: active player first, then clockwise, one player finishing before the next."""
        self.unresolved = activated_edges(self.board, self.placed, self.filled)
        self.waiting = [(self.active + i) % self.players for i in range(self.players)]
        self.phase = "edge"

    def _next_actor(self) -> None:
        """The first waiting player can do nothing more; what is left of his edges lapses."""
        done = self.waiting.pop(0)
        self.unresolved = [edge for edge in self.unresolved if self._owner(edge[0]) != done]
        if not self.waiting:
            self.phase = "draw"

    def _skip_empty_draws(self) -> None:
        if self.phase == "draw" and not self.worker_piles[self.active].total():
            self.phase = "refill"
        if self.phase == "refill" and (len(self.display) >= DISPLAY or not self.pile.total()):
            self.active = (self.active + 1) % self.players
            self.phase = "place"

    def _skip_or_end(self) -> None:
        """The active player cannot place: skip, or end when nobody can (A12, A85)."""
        for _ in range(1, self.players):
            self.active = (self.active + 1) % self.players
            if self._place_options():
                return
        self.active = (self.active + 1) % self.players
        self.phase = "over"

    # ------------------------------------------------------------ scoring

    def scores(self) -> list[dict[str, int]]:
        """Score of every seat as the position stands (1.8, 1.9)."""
        temples = [0] * self.players
        for cell, tile in self.board.items():
            if tile == "temple":
                for seat, gold in enumerate(temple_gold(temple_counts(self.board, cell, self.players))):
                    temples[seat] += gold
        result = []
        for seat in range(self.players):
            parts = {
                "gold": self.gold[seat],
                "temples": temples[seat],
                "sun": self.sun[seat],
                "water": TRACK[self.water[seat]],
            }
            result.append({"total": sum(parts.values()), **parts})
        return result

    def ranking(self) -> list[list[int]]:
        """Seats grouped by shared place, best first."""
        return rank([score["total"] for score in self.scores()], self.cacao)
