"""The modules of Cacao against an independent, brute-force model of the rulebook (tests/oracle/modules.py).

Set-ups, and at every decision of whole games: who is asked what, with which options, what was forced on the
way, what everybody has, and the result. Late positions come from a small module of the test's own.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import conche
from conche.interpret import Interpreter
from conche.pipeline import check
from conche_runtime.interface import ChanceEvent, Engine, ForcedEvent, State
from games.both import ALL_EIGHT, BIG_GAME, combos, named, players_of
from oracle.modules import Args, Game, Question, jungle_pool, worker_pool
from slices import slice_of

pytestmark = pytest.mark.slow

Choose = Callable[[Question, random.Random], Args]

ONE_GAME = [
    (ruleset, players)
    for ruleset in (*combos(), BIG_GAME, f"{ALL_EIGHT}:overbuild=early,huts=agreed,worker_tiles=agreed")
    for players in players_of(ruleset)
]


def modules_of(ruleset: str) -> frozenset[str]:
    return frozenset(name for name in ruleset.split(":")[0].split("+")[1:] if not name.endswith(".rules"))


def key(args: Args) -> str:
    """A move as a comparable text, whatever the order of its arguments."""
    gems = args.get("gems")
    plain = args if gems is None else {**args, "gems": sorted(dict(gems).items())}
    return str(sorted(plain.items()))


# ---------------------------------------------------------------- set-up


@pytest.mark.parametrize(
    "ruleset", list(dict.fromkeys([*slice_of(combos(), 10), ALL_EIGHT, BIG_GAME])), ids=named
)
def test_the_set_up_is_that_of_the_tables(ruleset: str) -> None:
    modules = modules_of(ruleset)
    interpreter = Interpreter(check(ruleset).must())
    for players in players_of(ruleset):
        shot = interpreter.start(players=players, seed=players).snapshot()
        shown = [*shot["display"], *shot.get("map", ())]
        kinds = [tile if isinstance(tile, str) else tile["kind"] for tile in shown]
        start = {tuple(space["at"]): space["pieces"][0]["kind"] for space in shot["table"]}
        second = "water" if "irrigation" in modules else "market(2)"
        assert start == {(0, 0): "plantation(1)", (1, 1): second}
        assert Counter(shot["jungle"]) + Counter(kinds) + Counter(start.values()) == jungle_pool(
            modules, players
        )
        for held, pile in zip(shot["held"], shot["workers"], strict=True):
            assert sum(held.values()) == 3
            assert Counter(held) + Counter(pile) == worker_pool(modules, players)
        assert len(shot["display"]) == 2
        assert len(shot.get("map", ())) == (2 if "map" in modules else 0)
        loads = [tile["gems"] for tile in shown if not isinstance(tile, str)]
        assert len(loads) == kinds.count("gem_mine")
        assert all(sum(load.values()) == 6 for load in loads)
        if "gem_mines" in modules:
            gems = sum((Counter(load) for load in loads), Counter(shot["cart"]))
            assert set(gems.values()) == {6 if players == 2 else 8}
            masks = [int(mask.removeprefix("mask_")) for mask in shot["masks"]]
            assert masks == [8, 8, 9, 9, 10, 10, 12][: 6 if players == 2 else 7]
        if "huts" in modules:
            assert sum(shot["huts_for_sale"].values()) == 12
        if "emperor" in modules:
            assert shot["emperor"] == [1, 1]


# ---------------------------------------------------------------- games


class Duel:
    """A game of an engine, and the model beside it, given the same moves and the same chance."""

    def __init__(self, engine: Engine, ruleset: str, players: int, seed: int) -> None:
        self.state: State = engine.start(players=players, seed=seed, log=True)
        self.rnd = random.Random(seed)
        while self.state.decision in ("agree_huts", "agree_workers"):
            self.state.step(self.rnd.randrange(self.state.count()))
        assert self.state.log is not None
        self.state.log.clear()
        self.chance: dict[str, deque[str]] = {}
        self.forced: deque[ForcedEvent] = deque()
        early = "overbuild=early" in ruleset
        self.model = Game.of_snapshot(modules_of(ruleset), early, self.state.snapshot(), self.draw)

    def draw(self, source: str) -> str:
        return self.chance[source].popleft()

    def read_log(self) -> None:
        assert self.state.log is not None
        for event in self.state.log:
            if isinstance(event, ChanceEvent):
                self.chance.setdefault(event.source, deque()).append(str(event.value))
            elif isinstance(event, ForcedEvent):
                self.forced.append(event)
        self.state.log.clear()

    def play(self, choose: Choose) -> None:
        game = self.model.play()
        try:
            question = next(game)
            while True:
                question = game.send(self.answer(question, choose))
        except StopIteration:
            pass
        assert self.state.over
        assert not self.forced
        assert not any(self.chance.values())
        self.compare()
        scores = [{name: gold for name, gold in score.items() if gold} for score in self.state.scores]
        assert scores == self.model.scores()
        assert [sorted(place) for place in self.state.ranking] == self.model.ranking()

    def answer(self, question: Question, choose: Choose) -> Args:
        if len(question.options) == 1:
            event = self.forced.popleft()
            assert (event.name, event.player, event.args) == (
                question.name,
                question.player,
                question.options[0],
            )
            return question.options[0]
        assert not self.forced
        assert (self.state.decision, self.state.to_act) == (question.name, (question.player,))
        moves = {key(move.args): move for move in self.state.legal_moves()}
        assert sorted(moves) == sorted(key(option) for option in question.options)
        self.compare()
        args = choose(question, self.rnd)
        self.state.apply(moves[key(args)])
        self.read_log()
        return args

    def compare(self) -> None:
        """What everybody has, and what can be taken."""
        shot, model = self.state.snapshot(), self.model
        seats = model.seats
        assert shot["gold"] == [seat.gold for seat in seats]
        assert shot["sun"] == [seat.sun for seat in seats]
        assert shot["carrier"] == [seat.carrier for seat in seats]
        assert [(goods.get("cacao", 0), goods.get("chocolate", 0)) for goods in shot["goods"]] == [
            (seat.fruits, seat.bars) for seat in seats
        ]
        if "map" in model.modules:
            assert shot["map_tokens"] == [seat.tokens for seat in seats]
        if "gem_mines" in model.modules:
            assert [Counter(gems) for gems in shot["gems"]] == [+seat.gems for seat in seats]
        if model.emperor is not None:
            assert shot["emperor"] == [*model.emperor]
        for name, row in (("display", model.display), ("map", model.map)):
            there = [tile if isinstance(tile, str) else tile["kind"] for tile in shot.get(name, ())]
            assert sorted(there) == sorted(tile.kind for tile in row)


def at_random(question: Question, rnd: random.Random) -> Args:
    return rnd.choice(question.options)


def eager(question: Question, rnd: random.Random) -> Args:
    """Mostly as much as can be had, and a hut where one can be paid."""
    if question.name in ("use", "build_hut") and rnd.random() < 0.8:
        return max(question.options, key=lambda args: (_worth(args), rnd.random()))
    return rnd.choice(question.options)


def _worth(args: Args) -> int:
    return int(args.get("amount", 0)) + ("gem" in args) + (args.get("hut") is not None)


@pytest.mark.parametrize(("ruleset", "players"), slice_of(ONE_GAME, 8), ids=str)
def test_whole_games_agree_at_every_decision(ruleset: str, players: int) -> None:
    engine = conche.load(ruleset)
    for seed in range(4):
        Duel(engine, ruleset, players, seed).play(eager if seed % 2 else at_random)


# ---------------------------------------------------------------- late positions

LATE = """\
module late "Late" for cacao 1.x
  version 1.0.0
  clauses "late.clauses.md"

pool box of Jungle, open
pool chest of Worker, open

before choose_first add make_late
  draw up to max(0, count(jungle) - {left}) from jungle to box
  draw up to 2 from purple.workers to chest
  for each p in players
    do enrich(p)

step enrich(you: Player)
  set you.gold to {gold}
  set you.sun to {sun}
  set you.carrier to 2
"""

# The last of these placements opens three cells at once; nine have been filled before it.
THREE_FILLS: Sequence[tuple[int, int]] = (
    (-1, 0),
    (1, 2),
    (2, 1),
    (2, 3),
    (1, 4),
    (0, 3),
    (-1, 4),
    (-2, 3),
    (-3, 4),
    (-3, 2),
    (-2, 1),
)
FILLED_BEFORE = 9


def late(folder: Path, modules: str, options: str, *, left: int, gold: int, sun: int) -> tuple[Engine, str]:
    """The engine of these modules in which a game begins late."""
    path = folder / "late.rules"
    path.write_text(LATE.format(left=left, gold=gold, sun=sun))
    path.with_name("late.clauses.md").write_text("# Late\n")
    ruleset = f"cacao{modules}+{path}{options}"
    return conche.load(ruleset), ruleset


def along(places: Sequence[tuple[int, int]]) -> Choose:
    """These places first, then over them if that is allowed; mostly display tiles before those of the map."""
    left = deque(places)

    def choose(question: Question, rnd: random.Random) -> Args:
        options = list(question.options)
        if question.name == "place" and left:
            at = [*left.popleft()]
            options = [option for option in options if option["at"] == at]
        elif question.name == "place" and rnd.random() < 0.7:
            options = [option for option in options if tuple(option["at"]) in places] or options
        if question.name == "fill" and rnd.random() < 0.7:
            options = [option for option in options if option.get("source") != "map"] or options
        return eager(Question(question.name, question.player, options), rnd)

    return choose


@pytest.mark.parametrize(
    ("modules", "options", "left", "rare"),
    [
        (
            "+map+huts+emperor+irrigation+gem_mines",
            ":overbuild=early",
            FILLED_BEFORE,
            [
                "filling declined",
                "a cell stays empty beside a full map",
                "fill after an overbuild",
                "overbuild under the emperor",
            ],
        ),
        ("+map+chocolate+tree_of_life+new_workers", "", FILLED_BEFORE, ["filling declined", "overbuild"]),
        ("+gem_mines+huts+chocolate", "", FILLED_BEFORE + 1, ["blind tile", "a set"]),
        ("", "", FILLED_BEFORE, ["a cell stays empty"]),
    ],
    ids=["map, early", "map", "no map", "base game"],
)
def test_three_fills_with_too_few_tiles(
    modules: str, options: str, left: int, rare: list[str], tmp_path: Path
) -> None:
    engine, ruleset = late(tmp_path, modules, options, left=left, gold=20, sun=2)
    happened = Counter[str]()
    for seed in range(15):
        duel = Duel(engine, ruleset, 2 + seed % 3, seed)
        duel.play(along(THREE_FILLS))
        assert duel.model.happened["three fills"]
        happened += duel.model.happened
    assert [name for name in rare if not happened[name]] == []


@pytest.mark.parametrize(
    ("modules", "left", "rare"),
    [
        (
            "+huts+irrigation+emperor",
            2,
            [
                "no legal placement",
                "overbuild without a token",
                "overbuild under the emperor",
                "a fourth worker",
                "a fifth fruit, own turn",
            ],
        ),
        ("+huts+tree_of_life+new_workers", 4, ["a fourth worker", "an empty edge at a tree", "overbuild"]),
    ],
    ids=["few tiles", "trees"],
)
def test_few_tiles_and_full_purses(modules: str, left: int, rare: list[str], tmp_path: Path) -> None:
    engine, ruleset = late(tmp_path, modules, "", left=left, gold=50, sun=0)
    happened = Counter[str]()
    for seed in range(15):
        duel = Duel(engine, ruleset, 2 + seed % 3, seed)
        duel.play(eager)
        happened += duel.model.happened
    assert [name for name in rare if not happened[name]] == []
