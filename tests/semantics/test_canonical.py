"""The canonical form: what changes it, and what does not."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from conche.modules.load import load, load_source
from conche.resources import find_game
from conche.semantics.canonical import canonical, declaration_digests, digest
from conche.semantics.from_ast import from_ast
from conche.semantics.rulebook import Rulebook
from conche.source import Source, read_source
from conche.syntax import ast
from conche.syntax.from_text import parse
from semantics.snippets import GAME, check


def cacao() -> Source:
    path = find_game("cacao")
    assert path is not None
    return read_source(path, "cacao.rules")


def rulebook(text: str, **options: str) -> Rulebook:
    result = check(text, options=options)
    assert result.rulebook is not None, result.diagnostics
    return result.rulebook


@pytest.mark.parametrize("seed", range(10))
def test_order_of_declarations_does_not_matter(seed: int) -> None:
    file, _ = parse(cacao())
    decls = list(file.decls)
    random.Random(seed).shuffle(decls)
    shuffled, found = from_ast(replace(file, decls=tuple(decls)), ruleset="cacao", options={})
    straight, _ = from_ast(file, ruleset="cacao", options={})
    assert found == []
    assert shuffled is not None
    assert straight is not None
    assert canonical(shuffled) == canonical(straight)


def test_order_of_mistakes_does_not_matter() -> None:
    text = "query f() = g() + prices[5]\nquery g() = prices[6]\nstep s: do r\nstep r: do s\nscore a = f()\n"
    file, _ = parse(Source("lab.rules", GAME + text))
    _, straight = from_ast(file, ruleset="lab", options={})
    _, turned = from_ast(replace(file, decls=file.decls[::-1]), ruleset="lab", options={})
    assert len(straight) == 3
    assert straight == turned


SAME = {
    "a local": ("step s\n  let n = 1\n  set counter to n\n", "step s\n  let m = 1\n  set counter to m\n"),
    "a parameter": ("query f(p: Player) = p.gold\n", "query f(q: Player) = q.gold\n"),
    "a citation": ("step s: stop §1\n", "step s: stop §2\n"),
    "a comment": ("step s: stop\n", "# here\nstep s: stop  # there\n"),
    "a scenario": ("", 'scenario "x"\n  given 2 players\n  then counter = 0\n'),
    "a ruling": ("", 'ruling §A1 "text"\n'),
    "the text of an invariant": ('always "a": yes\n', 'always "b": yes\n'),
    "an unused option": ("", "option speed in {slow, fast} = slow\n"),
    "the order of cases of an action": (
        "action use(market): stop\naction use(water): set counter to 1\n",
        "action use(water): set counter to 1\naction use(market): stop\n",
    ),
    "an implicit 'you'": (
        "step s: gain 1 gold\nstep r(you: Player): do s\n",
        "step s(you: Player): gain 1 gold\nstep r(you: Player): do s(you)\n",
    ),
    "the body of a step in a block": ("step s: set counter to 1\n", "step s\n  set counter to 1\n"),
}

OTHER = {
    "an argument of a decision": (
        "step s(you: Player)\n  choose pick(n in 0..1)\n  set counter to n\n",
        "step s(you: Player)\n  choose pick(m in 0..1)\n  set counter to m\n",
    ),
    "a hidden argument": (
        "step s(you: Player)\n  choose pick(n in 0..1, m = n)\n  set counter to n\n",
        "step s(you: Player)\n  choose pick(for n in 0..1, m = n)\n  set counter to n\n",
    ),
    "the name of a decision": (
        "step s(you: Player)\n  choose pick(n in 0..1)\n  set counter to n\n",
        "step s(you: Player)\n  choose take_it(n in 0..1)\n  set counter to n\n",
    ),
    "a name in records": (
        "enum Colour\n  pink\n",
        'enum Colour\n  pink written "rose"\n',
    ),
    "the order of members": ("enum Colour\n  pink\n  grey\n", "enum Colour\n  grey\n  pink\n"),
    "the name of a source of chance": (
        "step s\n  chance a(p in players)\n  set first to p\n",
        "step s\n  chance b(p in players)\n  set first to p\n",
    ),
    "which of two equal locals": (
        "query f(a: Player, b: Player) = a.gold\n",
        "query f(a: Player, b: Player) = b.gold\n",
    ),
    "a side and a text": (
        "step s(you: Player)\n  choose pick(n = north)\n",
        'step s(you: Player)\n  choose pick(n = "N")\n',
    ),
    "a seat and a number": (
        "step s(you: Player)\n  choose pick(n = red)\n",
        "step s(you: Player)\n  choose pick(n = 0)\n",
    ),
    "the range of a variable": ("var n: 0..3 = 0, open\n", "var n: 0..4 = 0, open\n"),
    "who sees a variable": ("var n: 0..3 = 0, open\n", "var n: 0..3 = 0, hidden\n"),
    "an 'always' and a 'none'": (
        "step s(you: Player)\n  choose pick\n    case (t in kinds(display))\n      stop\n    always §1\n",
        "step s(you: Player)\n  choose pick\n    case (t in kinds(display))\n      stop\n    none: stop\n",
    ),
    "the order of statements": (
        "step s\n  set counter to 1\n  set counter to 2\n",
        "step s\n  set counter to 2\n  set counter to 1\n",
    ),
    "a chosen order": (
        "step s(you: Player)\n  for each p in players: set first to p\n",
        "step s(you: Player)\n  for each p in players, in order chosen by you as order: set first to p\n",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_means_the_same(case: str) -> None:
    one, other = map(rulebook, SAME[case])
    assert canonical(one) == canonical(other)
    assert digest(one) == digest(other)


@pytest.mark.parametrize("case", OTHER)
def test_means_something_else(case: str) -> None:
    one, other = map(rulebook, OTHER[case])
    assert digest(one) != digest(other)


def test_one_change_changes_one_digest() -> None:
    one = declaration_digests(rulebook("step s: set counter to 1\nstep r: do s\n"))
    other = declaration_digests(rulebook("step s: set counter to 2\nstep r: do s\n"))
    assert {path for path in one if one[path] != other[path]} == {"step.s"}


def test_an_option_that_keeps_the_same_parts_is_the_same() -> None:
    text = "step s\n  with option mode is long: set counter to 1\n"
    assert digest(rulebook(text)) == digest(
        rulebook("step s\n  with option mode is long: set counter to 2\n")
    )
    assert digest(rulebook(text)) != digest(rulebook(text, mode="long"))


def test_names_of_file_and_game_do_not_matter() -> None:
    source = cacao()
    text = source.text.replace("game cacao", "game beans", 1).replace("version 1.0.0", "version 1.0.1", 1)
    text = "\n".join(line for line in text.split("\n") if not line.strip().startswith("clauses"))
    other = load_source(Source("elsewhere/beans.rules", text), ruleset="beans").rulebook
    straight = load("cacao").rulebook
    assert other is not None
    assert straight is not None
    assert digest(other) == digest(straight)


def test_paths_name_every_declaration() -> None:
    book = load("cacao").rulebook
    assert book is not None
    paths = set(declaration_digests(book))
    assert {"setup", "play", "players", "rank", "action.use", "action.use.market", "zone.held"} <= paths
    assert {f"step.{name}" for name in book.steps} <= paths
    assert len(canonical(book).splitlines()) == len(paths)


@pytest.mark.slow
def test_the_hash_seed_does_not_matter() -> None:
    program = (
        "import hashlib\n"
        "from conche.modules.load import load\n"
        "from conche.semantics.canonical import digest\n"
        "from conche.semantics.dump import dump\n"
        "from conche.source import Source\n"
        "from conche.modules.load import load_source\n"
        "book = load('cacao:first_seat=random').rulebook\n"
        "bad = load_source(Source('x', open(PATH).read()), ruleset='x').diagnostics\n"
        "print(digest(book), hashlib.sha256((dump(book) + repr(bad)).encode()).hexdigest())\n"
    )
    cases = Path(__file__).parent / "cases" / "several.cases"
    root = Path(__file__).parents[2]
    outputs = set()
    for seed in ("0", "1", "4242"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join([str(root / "compiler"), str(root / "runtime")]),
        }
        done = subprocess.run(
            [sys.executable, "-c", program.replace("PATH", repr(str(cases)))],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_no_span_is_in_the_canonical_form() -> None:
    source = cacao()
    moved = Source("moved.rules", source.text.replace("\n", "\n\n"))
    one, _ = from_ast(parse(source)[0], ruleset="cacao", options={})
    other, found = from_ast(parse(moved)[0], ruleset="cacao", options={})
    assert found == []
    assert one is not None
    assert other is not None
    assert canonical(one) == canonical(other)
    assert "cacao.rules" not in canonical(one)


def test_error_declarations_give_no_rulebook() -> None:
    file, found = parse(Source("lab.rules", GAME + "step s stop\n"))
    assert found
    assert any(isinstance(decl, ast.ErrorDecl) for decl in file.decls)
    assert from_ast(file, ruleset="lab", options={}) == (None, [])
