"""The modules of rules/examples/modules: good alone, beside each module that they speak of, and beside one
that they do not; all their scenarios pass, and the formatter leaves them as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Conche, conche  # noqa: F401
from conche.diagnostics.model import Diagnostic
from conche.modules.library import spoken_of
from conche.modules.load import open_game
from conche.modules.parse_ruleset import Part
from conche.pipeline import check
from conche.source import Source
from conche.syntax.from_text import parse
from docs.pages import ROOT

pytestmark = pytest.mark.slow

MODULES = sorted((ROOT / "rules" / "examples" / "modules").glob("*.rules"))
PAGE = ROOT / "docs" / "modules.md"


def named(file: Path) -> tuple[str, str, frozenset[str]]:
    """The game of a module as a ruleset, the ruleset of the two, and the modules that it speaks of."""
    parsed, found = parse(Source(file.name, file.read_text(encoding="utf-8")))
    assert found == []
    assert parsed.header is not None
    assert parsed.header.base is not None
    game = parsed.header.base.text
    example = file.parents[1] / f"{game}.rules"
    if example.exists():
        game = example.as_posix()
    excluded = {name.text for name in parsed.header.excludes}
    spoken = frozenset({*spoken_of(parsed, lambda name: None), *excluded})
    return game, f"{game}+{file.as_posix()}", spoken


def beside(game: str) -> list[str]:
    """The modules that lie beside a game and need no other; beside an example lie none."""
    if game.endswith(".rules"):
        return []
    opened = open_game(Part(game))
    assert not isinstance(opened, Diagnostic)
    files = sorted(Path(opened[1]).glob("*.rules"))
    texts = {file.stem: file.read_text(encoding="utf-8") for file in files if file.stem != game}
    return [name for name, text in texts.items() if not re.search(r"^  requires ", text, re.MULTILINE)]


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_an_example_is_good(conche: Conche, file: Path) -> None:  # noqa: F811
    game, ruleset, spoken = named(file)
    result = conche("test", ruleset, "--games", 1, "--all-scenarios", "--format", "json")
    document = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    played = sum(len(one["scenarios"]) for one in (document, *document["others"]))
    assert played == len(re.findall(r"^ *scenario ", file.read_text(encoding="utf-8"), re.MULTILINE))
    others = beside(game)
    strangers = [name for name in others if name not in spoken]
    for other in (*strangers[:1], *(name for name in others if name in spoken)):
        assert check(f"{ruleset}+{other}").diagnostics == []
    assert conche("fmt", "--check", file).code == 0


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_an_example_is_named_in_the_documentation(file: Path) -> None:
    assert f"(../rules/examples/modules/{file.name})" in PAGE.read_text(encoding="utf-8")
