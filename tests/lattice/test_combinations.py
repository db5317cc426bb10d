"""Which combinations there are: requires, excludes, versions, numbers of players, options in pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.lattice.combinations import is_legal, options_of, players_of, subsets
from conche.lattice.lattice import open_lattice
from conche.modules.compose import compose
from lattice.labs import HEAD, folder, lattice, opened

PLAIN = "\nmodify worth(p): + 1\n"


def names(path: Path, **modules: str) -> set[str]:
    return {"+".join(one.modules) for one in lattice(path, **modules).combinations}


def test_subsets_come_by_size_and_name() -> None:
    assert list(subsets(["b", "a"])) == [(), ("a",), ("b",), ("a", "b")]


def test_all_combinations_of_modules_that_say_nothing_of_each_other(tmp_path: Path) -> None:
    assert names(tmp_path, a=PLAIN, b=PLAIN) == {"", "a", "b", "a+b"}


def test_what_requires_another_is_in_play_with_it_only(tmp_path: Path) -> None:
    assert names(tmp_path, a="  requires b\n", b=PLAIN, c="  requires a\n") == {"", "b", "a+b", "a+b+c"}


def test_what_excludes_another_is_never_in_play_with_it(tmp_path: Path) -> None:
    assert names(tmp_path, a="  excludes b\n", b=PLAIN, c=PLAIN) == {"", "a", "b", "c", "a+c", "b+c"}


def test_what_excludes_what_it_requires_is_never_in_play(tmp_path: Path) -> None:
    found = lattice(tmp_path, a="  requires b\n  excludes c\n", b="  requires c\n", c=PLAIN)
    assert {one.modules for one in found.combinations} == {(), ("c",), ("b", "c")}
    assert found.ruled_out == 5


def test_a_module_for_another_version_is_never_in_play(tmp_path: Path) -> None:
    rules = folder(tmp_path, a=PLAIN)
    (tmp_path / "b.rules").write_text(HEAD.format(name="b").replace("1.x", "2.x"), encoding="utf-8")
    found = open_lattice(rules).lattice
    assert found is not None
    assert [one.modules for one in found.combinations] == [(), ("a",)]
    assert found.ruled_out == 2


def test_numbers_of_players_are_those_of_all_modules(tmp_path: Path) -> None:
    found = lattice(tmp_path, a="  players 2..3\n", b="  players 3..4\n", c="  players 4..4\n")
    assert {"+".join(one.modules): one.players for one in found.combinations} == {
        "": (2, 4),
        "a": (2, 3),
        "b": (3, 4),
        "c": (4, 4),
        "a+b": (3, 3),
        "b+c": (4, 4),
    }


def test_composing_agrees_on_what_is_legal(tmp_path: Path) -> None:
    found = lattice(
        tmp_path, a="  requires b\n", b="  players 2..2\n", c="  excludes a\n", d="  players 3..4\n"
    )
    for chosen in subsets(list(found.modules)):
        modules = [found.modules[name] for name in chosen]
        rulebook, diagnostics = compose(found.game, modules, {})
        legal = is_legal(found.game, modules)
        assert legal == (rulebook is not None)
        assert legal == all(one.code != "C0238" for one in diagnostics)
        if rulebook is not None:
            assert rulebook.players == players_of(found.game, modules)


def test_options_are_there_with_the_modules_that_they_need(tmp_path: Path) -> None:
    found = lattice(
        tmp_path,
        a="\noption pace in {slow, fast} = fast\n",
        b="\nwith a\n  option depth in {one, two, three} = two\n"
        "with no a\n  option height in {low, high} = low\n",
    )
    mode = {"mode": ("short", "long")}
    wanted = {
        (): mode,
        ("a",): {**mode, "pace": ("fast", "slow")},
        ("b",): {"height": ("low", "high"), **mode},
        ("a", "b"): {"depth": ("two", "one", "three"), **mode, "pace": ("fast", "slow")},
    }
    for one in found.combinations:
        modules = [found.modules[name] for name in one.modules]
        assert options_of(found.game, modules) == wanted[one.modules]
        for row in one.rows:
            rulebook, diagnostics = found.compose(one, row)
            assert diagnostics == []
            assert rulebook is not None
            assert {option.name: option.value for option in rulebook.options.values()} == dict(row)
            assert rulebook.ruleset == found.name(one, row)


# -- finding the modules


def test_modules_beside_the_game_and_those_that_are_named(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    far = tmp_path / "far" / "c.rules"
    far.write_text(HEAD.format(name="c"), encoding="utf-8")
    rules = folder(tmp_path, a=PLAIN, b=PLAIN)
    (tmp_path / "other.rules").write_text('game other "Other"\n', encoding="utf-8")
    (tmp_path / "stranger.rules").write_text('module stranger "S" for other 1.x\n', encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    found = open_lattice(f"{rules}+a+{far.as_posix()}")
    assert found.diagnostics == []
    assert found.lattice is not None
    assert list(found.lattice.modules) == ["a", "b", "c"]
    assert found.lattice.name(found.lattice.combinations[-1], {}) == f"{rules}+a+b+{far.as_posix()}"


def test_a_named_path_in_the_games_own_folder_is_one_module(tmp_path: Path) -> None:
    rules = folder(tmp_path, a=PLAIN, b=PLAIN)
    found = open_lattice(f"{rules}+{tmp_path.as_posix()}/a.rules")
    assert found.lattice is not None
    assert list(found.lattice.modules) == ["a", "b"]


def test_a_module_with_errors_is_in_no_combination(tmp_path: Path) -> None:
    found = opened(tmp_path, a=PLAIN, b="\nmodify wort(p): + 1\n")
    assert [one.code for one in found.diagnostics] == ["C0239"]
    assert found.broken == ("b",)
    assert found.lattice is not None
    assert [one.modules for one in found.lattice.combinations] == [(), ("a",)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{rules}:mood=bad", "C0228"),
        ("{rules}:mode=middling", "C0228"),
        ("{rules}+nowhere", "C0242"),
        ("{rules}+a+a", "C0226"),
        ("nowhere.rules", "C0001"),
    ],
)
def test_what_cannot_be_opened_is_told(tmp_path: Path, text: str, code: str) -> None:
    rules = folder(tmp_path, a=PLAIN)
    found = open_lattice(text.format(rules=rules))
    assert [one.code for one in found.diagnostics] == [code]


def test_an_option_that_is_given_stays(tmp_path: Path) -> None:
    found = open_lattice(f"{folder(tmp_path, a=PLAIN)}:mode=long").lattice
    assert found is not None
    assert [dict(row) for one in found.combinations for row in one.rows] == [{"mode": "long"}] * 2


def test_cacao_has_256_combinations_and_the_big_game() -> None:
    found = open_lattice("cacao").lattice
    assert found is not None
    chosen = [one.modules for one in found.combinations]
    assert sum("big_game" not in modules for modules in chosen) == 256
    assert [one.players for one in found.combinations if "big_game" in one.modules] == [(3, 4)]
    assert found.ruled_out == 255
    assert {one.players for one in found.combinations if "big_game" not in one.modules} == {(2, 4)}


def test_combinations_are_those_with_all_that_is_named(tmp_path: Path) -> None:
    rules = folder(tmp_path, a=PLAIN, b=PLAIN, c="  excludes b\n")
    found = open_lattice(f"{rules}+c").lattice
    assert found is not None
    assert [one.modules for one in found.combinations] == [("c",), ("a", "c")]
    assert found.ruled_out == 2
    found = open_lattice(f"{rules}+b+{tmp_path.as_posix()}/a.rules").lattice
    assert found is not None
    assert [one.modules for one in found.combinations] == [("a", "b")]
    assert found.ruled_out == 1
