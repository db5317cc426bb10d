"""Every example of the documentation is compiled and played.

A good example has no finding at all, its scenarios pass, and its games run to their end, on the reference
interpreter and on the generated engine alike. One tagged `error C0xxx` has findings of that code, no others.
A message shown after it is what the compiler says. Python blocks run.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import conche
from conche.diagnostics.model import Diagnostic
from conche.diagnostics.render_text import render_text
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.pipeline import check
from conche.scenarios import run_scenarios
from conche_runtime.interface import Engine, State
from docs.pages import ROOT, Example, examples

pytestmark = pytest.mark.slow

PAGES = [ROOT / "README.md", ROOT / "compiler" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ALL = [example for page in PAGES for example in examples(page)]
RULES = [example for example in ALL if example.language == "rules"]
GAMES_EACH = 5
MOST_DECISIONS = 5_000

by_place = pytest.mark.parametrize("example", RULES, ids=lambda example: example.where)


@dataclass(frozen=True)
class Compiled:
    graph: ActionGraph | None
    found: list[Diagnostic]
    text: str


def write(example: Example, folder: Path) -> str:
    """The example's ruleset, written into the folder, which is the current one then; its clauses too."""
    os.chdir(folder)
    name = f"{example.name}.rules"
    Path(name).write_text(example.whole, encoding="utf-8")
    for file in example.folder.glob("*.clauses.md") if example.folder else ():
        shutil.copy(file, folder)
    for file_name, data in example.data:
        Path(file_name).write_text(data, encoding="utf-8")
    for text in filter(None, (example.module, example.beside)):
        module = re.search(r"^module (\w+)", text, re.MULTILINE)
        assert module is not None
        Path(f"{module[1]}.rules").write_text(text, encoding="utf-8")
        name += f"+{module[1]}"
    return name


def compiled(example: Example, folder: Path) -> Compiled:
    """The findings of all stages, scenarios included."""
    checked = check(write(example, folder))
    found = list(checked.diagnostics)
    if checked.graph is not None:
        for result in run_scenarios(checked.graph, checked.graph.rulebook.scenarios):
            found += result.failures
    return Compiled(checked.graph, found, render_text(found, checked.sources))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def on_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> None:
    """In a folder of its own, with a cache that nobody else uses."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCHE_CACHE", str(cache))


@by_place
def test_the_compiler_finds_what_the_page_says(example: Example, tmp_path: Path) -> None:
    result = compiled(example, tmp_path)
    expected = set() if example.error is None else {example.error}
    assert {finding.code for finding in result.found} == expected, f"{example.where}\n{result.text}"


GOOD = [example for example in RULES if example.error is None]


@pytest.mark.parametrize("example", GOOD, ids=lambda example: example.where)
def test_it_plays_to_the_end_on_both_engines_alike(example: Example, tmp_path: Path) -> None:
    name = write(example, tmp_path)
    graph = check(name).must()
    plain: Engine = Interpreter(graph)
    generated = conche.load(name)
    assert generated.digest == plain.digest
    for players in range(plain.min_players, plain.max_players + 1):
        for seed in range(GAMES_EACH):
            play(plain, generated, players, seed, example.where)


def play(plain: Engine, generated: Engine, players: int, seed: int, where: str) -> None:
    dice = random.Random(seed)
    one, two = (engine.start(players=players, seed=seed) for engine in (plain, generated))
    for _ in range(MOST_DECISIONS):
        assert seen(one) == seen(two), where
        if one.over:
            return
        player = dice.choice(one.to_act)
        index = dice.randrange(one.count(player))
        one.step(index, player)
        two.step(index, player)
    pytest.fail(f"{where}: the game goes on and on")


def seen(state: State) -> object:
    moves = [(player, m.name, m.args) for player in state.to_act for m in state.legal_moves(player)]
    views = [state.view(player) for player in range(state.players)]
    where = (state.over, state.to_act, state.decision)
    return where, moves, state.snapshot(), views, state.scores, state.ranking


def _texts() -> list[tuple[Example, Example]]:
    """Each message, or what a command prints, with the example that it is about: the last rules block before
    it on its page."""
    out = []
    for page in PAGES:
        last: Example | None = None
        for example in examples(page):
            if example.language == "rules":
                last = example
            elif example.language == "text":
                assert last is not None, f"{example.where}: a message without rules before it"
                out.append((last, example))
    return out


MESSAGES = [(rules, text) for rules, text in _texts() if not text.command]
PRINTED = [(rules, text) for rules, text in _texts() if text.command]


@pytest.mark.parametrize(("rules", "message"), MESSAGES, ids=lambda example: example.where)
def test_the_message_is_what_the_compiler_says(rules: Example, message: Example, tmp_path: Path) -> None:
    said = compiled(rules, tmp_path).text
    assert said.strip() == message.block.strip(), f"{message.where}: the compiler says\n{said}"


@pytest.mark.parametrize(("rules", "text"), PRINTED, ids=lambda example: example.where)
def test_the_command_prints_what_the_page_shows(rules: Example, text: Example, tmp_path: Path) -> None:
    write(rules, tmp_path)
    words = text.command.split()
    assert words[0] == "conche"
    done = subprocess.run([sys.executable, "-m", "conche.cli", *words[1:]], capture_output=True, text=True)
    assert done.returncode == text.exit, done.stderr
    assert shows(text.block, done.stdout), f"{text.where}: the command prints\n{done.stdout}"


def shows(block: str, printed: str) -> bool:
    """Whether a block shows what was printed; blanks do not count, and a line `…` stands for any lines."""
    words = [re.escape(" ".join(part.split())) for part in re.split(r"^…$", block, flags=re.MULTILINE)]
    return re.fullmatch(".*".join(words), " ".join(printed.split())) is not None


def test_a_cut_is_told_from_a_difference() -> None:
    assert shows("a  b\nc\n", "a b\n\nc\n")
    assert not shows("a b\n", "a b\n\nc\n")
    assert shows("a b\n…\n", "a b\n\nc\n")
    assert shows("a\n…\nc\n", "a\nb\nc\n")
    assert not shows("a\n…\nd\n", "a\nb\nc\n")


PYTHON_PAGES = sorted({example.page for example in ALL if example.language == "python"})


@pytest.mark.parametrize("page", PYTHON_PAGES)
def test_the_python_blocks_run(page: str, tmp_path: Path) -> None:
    """Where `rules/` and the games of the page so far lie."""
    Path("rules").symlink_to(ROOT / "rules")
    namespace: dict[str, object] = {"__name__": "example"}
    for example in ALL:
        if example.page != page:
            continue
        if example.language == "rules" and example.error is None:
            write(example, tmp_path)
        if example.language == "python":
            text = "\n" * (example.line - 1) + example.block
            exec(compile(text, page, "exec"), namespace)


EXAMPLE_GAMES = sorted((ROOT / "rules" / "examples").glob("*.rules"))


@pytest.mark.parametrize("file", EXAMPLE_GAMES, ids=lambda file: file.name)
def test_the_example_games(file: Path, tmp_path: Path) -> None:
    text = file.read_text(encoding="utf-8")
    example = Example(file.relative_to(ROOT).as_posix(), 1, "rules", None, text, text, file.stem, file.parent)
    test_the_compiler_finds_what_the_page_says(example, tmp_path)
    test_it_plays_to_the_end_on_both_engines_alike(example, tmp_path)
    assert len(text.splitlines()) < 270
