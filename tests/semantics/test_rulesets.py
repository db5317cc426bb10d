"""The names of rulesets, and loading them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.modules.load import load
from conche.modules.parse_ruleset import parse_ruleset
from semantics.snippets import GAME

GOOD = {
    "cacao": "cacao",
    "cacao:first_seat=random": "cacao:first_seat=random",
    " cacao : first_seat = random ": "cacao:first_seat=random",
    "cacao+map+huts:overbuild=early,huts=agreed": "cacao+map+huts:huts=agreed,overbuild=early",
    "cacao:b=1x+map": None,
    "cacao:b=x1,a=y+map": "cacao:a=y,b=x1+map",
    "./my.rules": "./my.rules",
    "my.rules": "my.rules",
    "cacao+./mine.rules": "cacao+./mine.rules",
    "C:\\rules\\my.rules:a=b": "C:\\rules\\my.rules:a=b",
    "a/b": "a/b",
}

BAD = {
    "": "the ruleset has no name",
    "  ": "the ruleset has no name",
    "cacao+": "a part of the ruleset 'cacao+' is empty",
    "+map": "a part of the ruleset '+map' is empty",
    "cacao++map": "a part of the ruleset 'cacao++map' is empty",
    ":a=b": "a part of the ruleset ':a=b' is empty",
    "cacao:": "'' does not give an option of 'cacao' a value",
    "cacao:a": "'a' does not give an option of 'cacao' a value",
    "cacao:a=": "'a=' does not give an option of 'cacao' a value",
    "cacao:=b": "'=b' does not give an option of 'cacao' a value",
    "cacao:a=b,": "'' does not give an option of 'cacao' a value",
    "cacao:a=b,a=c": "the option 'a' of 'cacao' is given twice",
    "cacao+map+map": "the ruleset names 'map' twice",
    "ca cao": "'ca cao' is neither a name nor the path of a rules file",
    "cacao!": "'cacao!' is neither a name nor the path of a rules file",
}

ALL = "cacao+map+irrigation+chocolate+huts+gem_mines+tree_of_life+emperor+new_workers"


@pytest.mark.parametrize("text", [text for text, wanted in GOOD.items() if wanted])
def test_parses(text: str) -> None:
    ruleset, found = parse_ruleset(text)
    assert found == []
    assert str(ruleset) == GOOD[text]


@pytest.mark.parametrize("text", BAD)
def test_refuses(text: str) -> None:
    ruleset, found = parse_ruleset(text)
    assert ruleset is None
    assert [(d.code, d.title) for d in found] == [("C0226", BAD[text])]


def test_loads_a_game_with_an_option() -> None:
    result = load("cacao:first_seat=random")
    assert result.diagnostics == []
    assert result.rulebook is not None
    assert result.rulebook.ruleset == "cacao:first_seat=random"
    assert result.rulebook.options["first_seat"].value == "random"
    plain = load("cacao:first_seat=zero").rulebook
    assert plain is not None
    assert plain.ruleset == "cacao"
    assert list(result.sources) == ["rules/cacao/cacao.rules", "rules/cacao/cacao.clauses.md"]


@pytest.mark.parametrize(
    ("text", "code", "title", "help_"),
    [
        ("caco", "C0227", "there is no game 'caco'", "did you mean 'cacao'?"),
        ("chess", "C0227", "there is no game 'chess'", "the games are 'cacao' and 'schoko'"),
        ("cacao+mapp", "C0242", "the game 'cacao' has no module 'mapp'", "did you mean 'map'?"),
        ("cacao:first=zero", "C0228", "the game has no option 'first'", "its options are 'first_seat'"),
        ("cacao:first_seat=rndom", "C0228", "the option 'first_seat' has no value", "did you mean 'random'?"),
        ("cacao:first_seat=x", "C0228", "the option 'first_seat' has no value", "its values are"),
        (
            f"{ALL}+big_game:worker_tiles=agreed",
            "C0228",
            "there is an option 'worker_tiles' only 'with no big_game'",
            "leave the option out",
        ),
        ("./nowhere.rules", "C0001", "there is no file './nowhere.rules'", None),
    ],
)
def test_says_what_is_wrong(text: str, code: str, title: str, help_: str | None) -> None:
    result = load(text)
    assert result.rulebook is None
    (only,) = result.diagnostics
    assert only.code == code
    assert only.title.startswith(title)
    assert help_ is None or any(hint.startswith(help_) for hint in only.help)


def test_loads_a_file(tmp_path: Path) -> None:
    (tmp_path / "lab.rules").write_text(GAME, encoding="utf-8")
    name = f"{tmp_path.as_posix()}/lab.rules"
    result = load(f"{name}:mode=long")
    assert result.diagnostics == []
    assert result.rulebook is not None
    assert result.rulebook.ruleset == f"{name}:mode=long"
    assert list(result.sources) == [name]


def test_a_module_alone_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "m.rules").write_text('module m "M" for cacao 1.x\n  version 1.0.0\n', encoding="utf-8")
    result = load(f"{tmp_path.as_posix()}/m.rules")
    assert result.rulebook is None
    assert [d.code for d in result.diagnostics] == ["C0241"]
