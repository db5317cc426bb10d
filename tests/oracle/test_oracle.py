"""The base scenarios of the rulebook (section 6) and random games against the brute-force model."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from .cacao import (
    JUNGLE_OUT_FOR_TWO,
    START_TILES,
    STEP,
    TRACK,
    Board,
    Cell,
    Oracle,
    activated_edges,
    edges_of,
    jungle_pool,
    legal_cells,
    open_cells,
    rank,
    temple_counts,
    temple_gold,
    turns_of,
    use_limit,
    worker_pool,
)

pytestmark = pytest.mark.slow

HAND = ["1-1-1-1", "2-1-0-1", "2-1-0-1"]


def fresh(players: int = 2, display: tuple[str, str] = ("market(3)", "temple"), first: int = 0) -> Oracle:
    return Oracle(players, list(display), [list(HAND) for _ in range(players)], first)


def bare(board: Board, *hands: list[str]) -> Oracle:
    """A position without display, pile and worker piles; seat 0 is to place."""
    game = fresh(len(hands))
    game.board = dict(board)
    game.display = []
    game.pile = Counter()
    game.hands = [list(hand) for hand in hands]
    game.worker_piles = [Counter() for _ in hands]
    return game


def place(game: Oracle, worker: str, turn: int, at: Cell) -> None:
    game.apply("place", {"worker": worker, "turn": turn, "at": list(at)})


def fill(game: Oracle, at: Cell, tile: str | None) -> None:
    if tile is None:
        game.apply("fill", {"at": list(at), "source": "pile"})
    else:
        game.apply("fill", {"at": list(at), "tile": tile, "source": "display"})


def edge(game: Oracle, worker_at: Cell, side: str) -> None:
    game.apply("edge", {"worker_at": list(worker_at), "side": side})


def use(game: Oracle, amount: int) -> None:
    game.apply("use", {"amount": amount})


def args(game: Oracle) -> list[dict[str, Any]]:
    return [option["args"] for option in game.options()]


def asked(game: Oracle) -> tuple[int | None, str]:
    return game.to_act, game.decision


def amounts(game: Oracle) -> list[int]:
    return [a["amount"] for a in args(game)]


# ---------------------------------------------------------------- scenarios of section 6


def test_01_first_legal_cells() -> None:
    cells = {(0, -1), (-1, 0), (1, 0), (0, 1), (2, 1), (1, 2)}
    game = fresh()
    assert set(legal_cells(game.board)) == cells
    assert {(a["at"][0], a["at"][1]) for a in args(game)} == cells
    assert len(args(game)) == (1 + 4) * 6
    assert asked(game) == (0, "place")


def test_02_fill_activates_both_players() -> None:
    game = fresh(first=1)  # seat 0 is red, seat 1 yellow
    game.board[(1, 0)] = ("2-1-0-1", 0, 0, False)
    game.cacao[0] = 1
    place(game, "1-1-1-1", 0, (0, -1))
    assert asked(game) == (1, "fill")
    assert args(game) == [
        {"at": [1, -1], "tile": "market(3)", "source": "display"},
        {"at": [1, -1], "tile": "temple", "source": "display"},
    ]
    fill(game, (1, -1), "market(3)")
    assert game.board[(1, -1)] == "market(3)"
    assert (asked(game), amounts(game)) == ((1, "use"), [0, 1])  # plantation; nothing to sell yet
    use(game, 1)
    assert (asked(game), amounts(game)) == ((1, "use"), [0, 1])
    use(game, 1)
    assert (game.gold[1], game.cacao[1]) == (3, 0)
    assert (asked(game), amounts(game)) == ((0, "use"), [0, 1])
    use(game, 1)
    assert (game.gold[0], game.cacao[0]) == (3, 0)
    assert (game.to_act, game.needs, game.display) == (None, "workers[1]", ["temple"])
    game.chance("workers[1]", "3-0-0-1")
    assert game.needs == "jungle"
    game.chance("jungle", "water")
    assert game.display == ["temple", "water"]
    assert asked(game) == (0, "place")


def test_03_surplus_fruit_is_lost() -> None:
    game = bare({(0, 0): "plantation(2)"}, ["2-1-0-1"], ["1-1-1-1"])
    game.cacao[0] = 4
    place(game, "2-1-0-1", 2, (1, 0))
    assert amounts(game) == [0, 1]
    use(game, 1)
    assert game.cacao[0] == 5


@pytest.mark.parametrize(("fruits", "left"), [(1, 5), (0, 4)])
def test_04_market_and_plantation_with_full_storage(fruits: int, left: int) -> None:
    # with a full storage the plantation is not offered before the sale; taking nothing afterwards
    # is the same as having resolved it first
    game = bare({(0, 0): "plantation(1)", (2, 0): "market(4)"}, ["1-1-1-1"], ["1-1-1-1"])
    game.cacao[0] = 5
    place(game, "1-1-1-1", 0, (1, 0))
    assert game.edge == ((1, 0), 0)
    use(game, 1)
    assert game.edge == ((1, 0), 2)
    use(game, fruits)
    assert (game.gold[0], game.cacao[0]) == (4, left)


def test_04_order_is_free_otherwise() -> None:
    game = bare({(0, 0): "plantation(1)", (2, 0): "market(4)"}, ["1-1-1-1"], ["1-1-1-1"])
    game.cacao[0] = 4
    place(game, "1-1-1-1", 0, (1, 0))
    assert asked(game) == (0, "edge")
    assert args(game) == [{"worker_at": [1, 0], "side": "E"}, {"worker_at": [1, 0], "side": "W"}]
    edge(game, (1, 0), "W")
    use(game, 1)
    assert (asked(game), amounts(game)) == ((0, "use"), [0, 1])
    use(game, 1)
    assert (game.gold[0], game.cacao[0]) == (4, 4)


def test_06_water_stops_at_the_end() -> None:
    game = bare({(0, 0): "water"}, ["3-0-0-1"], ["1-1-1-1"])
    game.water[0] = TRACK.index(11)
    place(game, "3-0-0-1", 2, (1, 0))
    assert amounts(game) == [0, 1]
    use(game, 1)
    assert TRACK[game.water[0]] == 16
    assert use_limit("water", 3, 0, 0, 8) == 0


def test_07_sun_limit() -> None:
    game = bare({(0, 0): "sun_site"}, ["2-1-0-1"], ["1-1-1-1"])
    game.sun[0] = 2
    place(game, "2-1-0-1", 2, (1, 0))
    assert amounts(game) == [0, 1]
    use(game, 1)
    assert game.sun[0] == 3


@pytest.mark.parametrize(
    ("counts", "gold"),
    [
        ([3, 3, 1], [3, 3, 0]),  # 8
        ([4, 2, 2], [6, 1, 1]),  # 9
        ([2, 1, 1, 1], [6, 1, 1, 1]),  # 10
        ([1, 1, 1, 1], [1, 1, 1, 1]),  # 11
        ([2, 2, 2], [2, 2, 2]),
        ([1, 0, 0], [6, 0, 0]),  # 12
        ([5, 2, 1], [6, 3, 0]),
        ([1, 5, 2], [0, 6, 3]),
        ([0, 0], [0, 0]),
        ([3, 3, 1, 1], [3, 3, 0, 0]),
    ],
)
def test_08_to_12_temples(counts: list[int], gold: list[int]) -> None:
    assert temple_gold(counts) == gold


def overbuild_options(game: Oracle) -> list[dict[str, Any]]:
    return [a for a in args(game) if (a["at"][0], a["at"][1]) in game.board]


def late_board() -> Board:
    return {
        (0, 0): "plantation(1)",
        (1, 0): ("1-1-1-1", 0, 0, False),
        (-1, 0): ("1-1-1-1", 0, 1, False),
    }


def test_13_overbuild_needs_empty_display_and_a_token() -> None:
    game = bare(late_board(), ["2-1-0-1"], ["1-1-1-1"])
    game.sun = [1, 1]
    game.display = ["water"]
    assert overbuild_options(game) == []
    game.display, game.pile = [], Counter({"water": 1})
    assert overbuild_options(game) == []
    game.pile = Counter()
    game.sun[0] = 0
    assert overbuild_options(game) == []
    with pytest.raises(ValueError, match="not an option"):
        place(game, "2-1-0-1", 2, (1, 0))
    game.sun[0] = 1
    assert {tuple(a["at"]) for a in overbuild_options(game)} == {(1, 0)}  # own tiles only
    assert {a["turn"] for a in overbuild_options(game)} == {0, 1, 2, 3}
    place(game, "2-1-0-1", 2, (1, 0))
    assert game.sun[0] == 0
    assert game.board[(1, 0)] == ("2-1-0-1", 2, 0, True)
    assert (asked(game), amounts(game)) == ((0, "use"), [0, 1, 2])  # A9: the new tile only
    use(game, 2)
    assert game.cacao == [2, 0]
    assert asked(game) == (1, "place")


def test_14_overbuild_only_once_per_spot() -> None:
    game = bare(late_board(), ["2-1-0-1"], ["1-1-1-1"])
    game.board[(1, 0)] = ("1-1-1-1", 0, 0, True)
    game.sun[0] = 3
    assert overbuild_options(game) == []


def test_15_covered_workers_do_not_count() -> None:
    board: Board = {(0, 0): "temple", (1, 0): ("3-1-0-0", 2, 0, False), (-1, 0): ("1-1-1-1", 0, 1, False)}
    game = bare(board, ["3-1-0-0"], ["1-1-1-1"])
    game.sun[0] = 1
    assert temple_counts(game.board, (0, 0), 2) == [3, 1]
    place(game, "3-1-0-0", 0, (1, 0))
    assert temple_counts(game.board, (0, 0), 2) == [0, 1]
    assert [score["temples"] for score in game.scores()] == [0, 6]


def test_18_no_tiles_left_to_fill() -> None:
    game = bare(late_board(), ["3-1-0-0"], ["1-1-1-1"])
    game.board[(2, 1)] = ("1-1-1-1", 0, 1, False)
    game.board[(2, 2)] = "temple"
    place(game, "3-1-0-0", 0, (1, 2))
    assert open_cells(game.board, (1, 2)) == [(1, 1)]
    assert (1, 1) not in game.board
    assert game.filled == []
    assert asked(game) == (1, "place")


@pytest.mark.parametrize(("players", "pile", "own"), [(2, 17, 8), (3, 24, 7), (4, 24, 6)])
def test_19_setup(players: int, pile: int, own: int) -> None:
    game = fresh(players)
    assert game.pile.total() == pile
    assert len(game.display) == 2
    assert [p.total() for p in game.worker_piles] == [own] * players
    assert game.board == START_TILES
    assert [score["total"] for score in game.scores()] == [-10] * players


def test_20_scores() -> None:
    game = bare({(0, 0): "temple", (1, 0): ("1-1-1-1", 0, 0, False)}, ["1-1-1-1"], ["1-1-1-1"])
    game.gold = [20, 4]
    game.sun = [2, 0]
    game.water = [TRACK.index(7), 0]
    assert game.scores() == [
        {"total": 35, "gold": 20, "temples": 6, "sun": 2, "water": 7},
        {"total": -6, "gold": 4, "temples": 0, "sun": 0, "water": -10},
    ]
    assert game.ranking() == [[0], [1]]


def test_21_ties() -> None:
    assert rank([40, 40], [2, 1]) == [[0], [1]]
    assert rank([40, 40], [1, 2]) == [[1], [0]]
    assert rank([40, 40], [2, 2]) == [[0, 1]]
    assert rank([1, 40, -3, 40], [5, 0, 5, 0]) == [[1, 3], [0], [2]]


# ---------------------------------------------------------------- tables and rulings


def test_pools() -> None:
    assert jungle_pool(2).total() == 21
    assert jungle_pool(3).total() == jungle_pool(4).total() == 28
    assert sum(JUNGLE_OUT_FOR_TWO.values()) == 7
    assert [worker_pool(n).total() for n in (2, 3, 4)] == [11, 10, 9]
    assert worker_pool(4) == Counter({"1-1-1-1": 2, "2-1-0-1": 4, "3-0-0-1": 1, "3-1-0-0": 1}) + Counter(
        {"1-1-1-1": 1}
    )


def test_turns() -> None:
    assert edges_of("2-1-0-1", 1) == (1, 2, 1, 0)
    assert edges_of("3-0-0-1", 0) == (3, 0, 0, 1)
    assert edges_of("3-0-0-1", 3) == (0, 0, 1, 3)
    assert turns_of("1-1-1-1") == [0]
    assert turns_of("3-1-0-0") == [0, 1, 2, 3]
    assert edges_of("3-1-0-0", 0) not in [edges_of("3-0-0-1", t) for t in range(4)]


def test_a4_older_tiles_of_the_active_player() -> None:
    board: Board = {(1, 0): ("1-1-1-1", 0, 0, False), (0, 1): ("1-1-1-1", 0, 1, False), (1, 1): "water"}
    assert activated_edges(board, (0, 1), []) == [((0, 1), 0)]
    assert activated_edges(board, (0, 1), [(1, 1)]) == [((0, 1), 0), ((1, 0), 1)]
    board[(1, 2)] = ("2-1-0-1", 1, 0, False)  # nobody faces north here but one worker
    assert activated_edges(board, (0, 1), [(1, 1)]) == [((0, 1), 0), ((1, 0), 1)]  # no workers on that edge
    game = bare({(0, 0): "temple", (1, 0): ("1-1-1-1", 0, 0, False)}, ["1-1-1-1"], ["1-1-1-1"])
    game.display = ["gold_mine(1)"]
    place(game, "1-1-1-1", 0, (0, 1))
    assert game.board[(1, 1)] == "gold_mine(1)"  # forced fill
    assert asked(game) == (0, "edge")
    assert args(game) == [{"worker_at": [0, 1], "side": "E"}, {"worker_at": [1, 0], "side": "S"}]
    edge(game, (1, 0), "S")
    use(game, 1)
    use(game, 0)
    assert game.gold == [1, 0]


def test_active_player_first_then_clockwise() -> None:
    ring: Board = {
        (0, 0): "temple",
        (1, 0): ("1-1-1-1", 0, 0, False),
        (2, 1): ("1-1-1-1", 0, 1, False),
        (1, 2): ("1-1-1-1", 0, 2, False),
    }
    game = bare(ring, ["1-1-1-1"], ["1-1-1-1"], ["1-1-1-1"])
    game.active = 1
    game.display = ["gold_mine(2)"]
    place(game, "1-1-1-1", 0, (0, 1))
    fill(game, (1, 1), "gold_mine(2)")
    assert asked(game) == (1, "edge")
    edge(game, (2, 1), "W")
    use(game, 1)
    assert asked(game) == (1, "use")
    use(game, 1)
    assert asked(game) == (2, "use")
    use(game, 1)
    assert asked(game) == (0, "use")
    use(game, 1)
    assert game.gold == [2, 4, 2]


def three_open() -> Board:
    """Placing at (0, 1) opens (-1, 1), (0, 2) and (1, 1)."""
    return {
        (0, 0): "temple",
        (1, 0): ("1-1-1-1", 0, 1, False),
        (-1, 0): ("1-1-1-1", 0, 1, False),
        (0, 3): ("1-1-1-1", 0, 1, False),
    }


def test_a6_display_first_then_blind_one_by_one() -> None:
    game = bare(three_open(), ["1-1-1-1"], ["1-1-1-1"])
    game.display = ["water", "water"]
    game.pile = Counter({"temple": 1, "market(3)": 1})
    place(game, "1-1-1-1", 0, (0, 1))
    assert open_cells(game.board, (0, 1)) == [(-1, 1), (0, 2), (1, 1)]
    assert [a["at"] for a in args(game)] == [[-1, 1], [0, 2], [1, 1]]
    assert {a["source"] for a in args(game)} == {"display"}
    fill(game, (0, 2), "water")
    assert len(args(game)) == 2
    fill(game, (1, 1), "water")
    assert (game.display, game.needs, game.to_act) == ([], "jungle", None)
    with pytest.raises(ValueError, match="left"):
        game.chance("jungle", "water")
    with pytest.raises(ValueError, match="drawn"):
        game.chance("workers[0]", "1-1-1-1")
    game.chance("jungle", "market(3)")
    assert game.board[(-1, 1)] == "market(3)"
    assert game.pile == Counter({"temple": 1})
    assert asked(game) == (0, "edge")


def test_tiles_run_out_while_filling() -> None:
    game = bare(three_open(), ["1-1-1-1"], ["1-1-1-1"])
    game.display = ["water"]
    game.pile = Counter({"temple": 1})
    place(game, "1-1-1-1", 0, (0, 1))
    fill(game, (0, 2), "water")
    assert args(game) == [{"at": [-1, 1], "source": "pile"}, {"at": [1, 1], "source": "pile"}]
    fill(game, (1, 1), None)
    game.chance("jungle", "temple")
    assert open_cells(game.board, (0, 1)) == [(-1, 1)]
    assert asked(game) == (0, "use")
    # A5: a later tile placed elsewhere does not look at the cell left open, one beside it does
    assert (-1, 1) not in open_cells(game.board, (1, 0))
    assert (-1, 1) in open_cells(game.board, (-1, 0))


def test_a5_more_than_two_neighbours() -> None:
    board: Board = {(1, 0): ("1-1-1-1", 0, 0, False), (0, 1): ("1-1-1-1", 0, 0, False)}
    board[(2, 1)] = ("1-1-1-1", 0, 0, False)
    assert open_cells(board, (2, 1)) == [(1, 1), (2, 0)]  # three and two worker tiles around
    assert open_cells(board, (0, 1)) == [(0, 0), (1, 1)]
    board[(2, 0)] = "water"
    assert open_cells(board, (2, 1)) == [(1, 1)]
    del board[(1, 0)], board[(0, 1)]
    assert open_cells(board, (2, 1)) == []


def test_a8_tiles_used_up_in_this_turn_permit_nothing_yet() -> None:
    game = bare(three_open(), ["1-1-1-1", "2-1-0-1"], ["2-1-0-1"])
    game.sun = [3, 0]
    game.display = ["temple"]
    assert overbuild_options(game) == []
    place(game, "1-1-1-1", 0, (0, 1))
    fill(game, (1, 1), "temple")
    assert asked(game) == (1, "place")  # display and pile now empty, but no token
    assert overbuild_options(game) == []
    game.sun[1] = 1
    assert {tuple(a["at"]) for a in overbuild_options(game)} == {(1, 0), (-1, 0), (0, 3)}


def test_a10_overbuild_runs_step_b() -> None:
    game = bare(three_open(), ["1-1-1-1"], ["2-1-0-1"])
    game.active = 1
    game.sun[1] = 1
    game.board[(0, 1)] = ("1-1-1-1", 0, 0, False)
    place(game, "2-1-0-1", 0, (1, 0))
    assert game.filled == []
    assert game.buried == {(1, 0): ("1-1-1-1", 0, 1, False)}


def test_a12_unequal_hands() -> None:
    game = bare({(0, 0): "temple"}, ["1-1-1-1"], [], ["1-1-1-1", "1-1-1-1"])
    place(game, "1-1-1-1", 0, (1, 0))
    assert asked(game) == (2, "place")
    place(game, "1-1-1-1", 0, (0, 1))
    assert asked(game) == (2, "place")
    place(game, "1-1-1-1", 0, (-1, 0))
    assert game.over
    assert asked(game) == (None, "")
    assert game.options() == []
    assert game.needs is None


def test_a85_nobody_can_place() -> None:
    game = bare({(0, 0): "temple"}, ["1-1-1-1"], ["1-1-1-1"])
    place(game, "1-1-1-1", 0, (1, 0))
    game.board = {}
    game._run()
    assert game.over


def test_no_fruit_left_lets_the_edges_lapse() -> None:
    game = bare({(0, 0): "market(2)", (2, 0): "market(4)"}, ["1-1-1-1"], ["1-1-1-1"])
    game.cacao[0] = 1
    place(game, "1-1-1-1", 0, (1, 0))
    assert asked(game) == (0, "edge")
    edge(game, (1, 0), "E")
    use(game, 1)
    assert asked(game) == (1, "place")
    assert (game.gold[0], game.unresolved) == (4, [])


def test_wrong_input_is_refused() -> None:
    game = fresh()
    for worker, turn, at in [("1-1-1-1", 1, (1, 0)), ("3-0-0-1", 0, (1, 0)), ("1-1-1-1", 0, (2, 0))]:
        with pytest.raises(ValueError, match="not an option"):
            place(game, worker, turn, at)
    with pytest.raises(ValueError, match="not an option"):
        use(game, 0)
    with pytest.raises(ValueError, match="drawn"):
        game.chance("jungle", "water")
    with pytest.raises(ValueError, match="left"):
        Oracle(2, ["market(4)", "market(4)"], [list(HAND), list(HAND)])
    with pytest.raises(ValueError, match="left"):
        Oracle(2, ["market(4)", "water"], [["3-0-0-1", "3-0-0-1"], list(HAND)])


# ---------------------------------------------------------------- random games


def draw(rng: random.Random, pool: Counter[str]) -> str:
    return rng.choice(sorted(pool.elements()))


def deal(rng: random.Random, players: int) -> Oracle:
    pool = jungle_pool(players) - Counter(START_TILES.values())
    display = rng.sample(sorted(pool.elements()), 2)
    hands = [rng.sample(sorted(worker_pool(players).elements()), 3) for _ in range(players)]
    return Oracle(players, display, hands, rng.randrange(players))


def check(game: Oracle) -> None:
    """What must hold in every position."""
    jungle: Counter[str] = Counter()
    workers = [Counter(hand) + pile for hand, pile in zip(game.hands, game.worker_piles, strict=True)]
    for (x, y), tile in game.board.items():
        assert isinstance(tile, str) == ((x + y) % 2 == 0)
        if isinstance(tile, str):
            jungle[tile] += 1
        else:
            workers[tile[2]][tile[0]] += 1
            assert tile[3] == ((x, y) in game.buried)
        if (x, y) not in START_TILES:
            assert any((x + dx, y + dy) in game.board for dx, dy in STEP)
    for code, _turn, owner, covers in game.buried.values():
        assert not covers
        workers[owner][code] += 1
    assert jungle + Counter(game.display) + game.pile == jungle_pool(game.players)
    assert workers == [worker_pool(game.players)] * game.players
    assert all(0 <= n <= 5 for n in game.cacao)
    assert all(0 <= n <= 3 for n in game.sun)
    assert all(0 <= n <= 8 for n in game.water)
    assert all(n >= 0 for n in game.gold)
    assert all(len(hand) <= 3 for hand in game.hands)
    assert len(game.display) <= 2
    if game.decision:
        assert game.to_act is not None
        assert len(game.options()) >= 2
        assert game.needs is None
    else:
        assert game.to_act is None
        assert game.over == (game.needs is None)
    if game.decision == "place":
        assert len(game.hands[game.active]) == min(3, workers_left(game, game.active))
        assert len(game.display) == 2 or not game.pile.total()
        if game.display:  # while tiles last no cell between two workers stays empty
            assert all(not open_cells(game.board, cell) for cell in game.board)


def workers_left(game: Oracle, seat: int) -> int:
    return len(game.hands[seat]) + game.worker_piles[seat].total()


def play(seed: int, players: int, seen: Counter[str]) -> Oracle:
    rng = random.Random(f"{players}-{seed}")
    game = deal(rng, players)
    turns = 0
    used: set[tuple[Cell, bool, int]] = set()
    order: list[int] = []
    while not game.over:
        check(game)
        if game.needs is not None:
            seen[f"draw {game.phase}"] += 1
            pool = game.pile if game.needs == "jungle" else game.worker_piles[game.active]
            game.chance(game.needs, draw(rng, pool))
            continue
        actor = game.to_act
        assert actor is not None
        before = [list(game.gold), list(game.cacao), list(game.sun), list(game.water)]
        decision, resolving = game.decision, game.edge
        if decision == "place" and game.display and seed % 2 and rng.random() < 0.3:
            # three open cells at once are rare; with a short display blind tiles come up more often
            game.pile.update(game.display)
            game.display = []
        option = rng.choice(game.options())
        overbuild = decision == "place" and (option["args"]["at"][0], option["args"]["at"][1]) in game.board
        if decision == "place":
            turns += 1
            order.append(actor)
        if decision == "use":
            cell, side = resolving
            tile = game.board[cell]
            assert isinstance(tile, tuple)
            assert tile[2] == actor
            assert (cell, tile[3], side) not in used  # A3
            used.add((cell, tile[3], side))
            seen["use of another player"] += actor != game.active
            seen["use of an older tile"] += actor == game.active and cell != game.placed
        game.apply(option["name"], option["args"])
        seen[decision] += 1
        seen["overbuild"] += overbuild
        after = [game.gold, game.cacao, game.sun, game.water]
        for what, (old, new) in enumerate(zip(before, after, strict=True)):
            for seat in range(players):
                if seat != actor or (decision != "use" and not (overbuild and what == 2)):
                    assert old[seat] == new[seat]
    check(game)
    total = worker_pool(players).total() * players
    assert turns == total
    assert order == [(order[0] + i) % players for i in range(total)]
    assert not any(game.hands)
    assert not any(pile.total() for pile in game.worker_piles)
    assert sorted(seat for group in game.ranking() for seat in group) == list(range(players))
    for seat, score in enumerate(game.scores()):
        assert score["total"] == score["gold"] + score["temples"] + score["sun"] + score["water"]
        assert score["gold"] == game.gold[seat]
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games(players: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(50):
        play(seed, players, seen)
    everything = {"place", "fill", "edge", "use", "draw draw", "draw refill", "draw blind"}
    everything |= {"use of another player", "use of an older tile", "overbuild"}
    assert all(seen[kind] > 0 for kind in everything), seen
