"""`conche check --matrix`: every mistake once, with where it shows; the same with any number of workers."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from conche.lattice.lattice import Opened, open_lattice
from conche.lattice.matrix import Matrix, check_matrix, check_ruleset, counts_of
from lattice.labs import opened
from slices import slice_of

pytestmark = pytest.mark.slow

A = "\nmodify worth(p): + 1\n"
REPLACED = "\nreplace refill: draw up to 1 from stock to display\n"
OPTION = "\noption pace in {slow, fast} = slow\nwith option pace is fast\n  modify worth(p): + 1\n"
ROOT = Path(__file__).resolve().parents[2]


def matrix(path: Path, **modules: str) -> Matrix:
    return check_matrix(opened(path, **modules))


def told(found: Matrix) -> list[tuple[str, int, str, str]]:
    """Of each mistake its code, in how many combinations it shows, the smallest, and where."""
    return [
        (one.diagnostic.code, one.combinations, one.smallest.split("lab.rules")[-1], str(one.where))
        for one in found.mistakes
    ]


def test_all_is_good(tmp_path: Path) -> None:
    found = matrix(tmp_path, a=A, b=OPTION)
    assert found.mistakes == ()
    assert found.bad == (False,) * 4
    assert found.modules == ("a", "b")
    assert found.players == (2, 3, 4)
    assert found.cells == 12
    assert found.options == {"mode": ("short", "long"), "pace": ("slow", "fast")}
    # Two rows with one option, four with two.
    assert found.rulesets == 2 * 2 + 2 * 4


def test_a_clash_is_told_once(tmp_path: Path) -> None:
    found = matrix(tmp_path, a=REPLACED, b=REPLACED, c=A)
    assert told(found) == [("C0212", 2, "+a+b", "with 'a' and 'b'")]
    assert found.bad == (False, False, False, False, True, False, False, True)


def test_what_the_graph_shows_of_a_module_is_told_once(tmp_path: Path) -> None:
    found = matrix(tmp_path, a="\nquery idle(p: Player) = 1\n", b=A, c=A)
    assert told(found) == [("C0360", 4, "+a", "with 'a'")]
    assert found.mistakes[0].diagnostic.notes[-1] == (
        f"in 4 combinations of 8, the smallest is {found.game}+a: all with 'a'"
    )
    assert not any(found.bad), "a warning does no harm"


def test_what_shows_with_one_value_of_an_option(tmp_path: Path) -> None:
    text = "\noption pace in {slow, fast} = slow\nwith option pace is fast\n  query idle(p: Player) = 1\n"
    found = matrix(tmp_path, a=text, b=A)
    assert told(found) == [("C0360", 2, "+a:pace=fast", "where 'pace=fast'")]


def test_what_one_module_lacks_without_another(tmp_path: Path) -> None:
    text = "\nwith no b\n  query idle(p: Player) = 1\n"
    found = matrix(tmp_path, a=text, b=A, c=A)
    assert told(found) == [("C0360", 2, "+a", "with 'a' and without 'b'")]


def test_a_module_with_errors_of_its_own(tmp_path: Path) -> None:
    found = matrix(tmp_path, a="\nmodify wort(p): + 1\n", b=A)
    assert [(one.diagnostic.code, one.where) for one in found.mistakes] == [("C0239", None)]
    assert found.broken == ("a",)
    assert found.modules == ("b",)


def test_a_set_up_that_fails_for_some_players(tmp_path: Path) -> None:
    text = (
        "\nafter supply add rob\n  with 3 players: take 4 water out of stock\n"
        "  with 4 players: take 5 water out of stock\n"
    )
    found = matrix(tmp_path, a=text, b=A)
    # Two lines of the rules: two mistakes.
    assert told(found) == [
        ("C0370", 2, "+a", "with 'a' for '3' players"),
        ("C0370", 2, "+a", "with 'a' for '4' players"),
    ]
    assert "4 water should leave 'stock'" in found.mistakes[0].diagnostic.title
    few = check_matrix(opened(tmp_path), players=[2])
    assert few.mistakes == ()
    assert few.cells == 4


def test_one_line_that_fails_in_several_ways_is_one_mistake(tmp_path: Path) -> None:
    more = "\nafter supply add more: put 1 water in stock\n"
    found = matrix(tmp_path, a="\nafter supply add rob: take 9 water out of stock\n", b=more)
    assert [one[:3] for one in told(found) if one[0] == "C0370"] == [("C0370", 2, "+a")]


def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    lab = opened(tmp_path, a=REPLACED, b=REPLACED, c="\nquery idle(p: Player) = 1\n", d=OPTION)
    done: list[int] = []
    here = check_matrix(lab)
    assert check_matrix(lab, workers=2, progress=done.append) == here
    assert done[-1] == 16
    assert done == sorted(done)


# -- Cacao


def test_a_slice_of_cacaos_combinations_is_good() -> None:
    cacao = open_lattice("cacao").lattice
    assert cacao is not None
    every = [(one, row) for one in cacao.combinations for row in range(len(one.rows))]
    for combination, row in slice_of(every, 24):
        assert list(check_ruleset(cacao, combination, row, counts_of(combination, None))) == []


MISTAKES = [
    ("huts", "gain up to 1 cacao", "gain up to 1 cacoa", "C0201", "broken"),
    (
        "huts",
        "query spring_gold(p: Player)",
        "query idle(p: Player) = 1\nquery spring_gold(p: Player)",
        "C0360",
        "with 'huts'",
    ),
    (
        "map",
        "  draw 2 from jungle to map\n",
        "  draw 2 from jungle to map\n  take 9 temple out of jungle\n",
        "C0370",
        "with 'map'",
    ),
    (
        "map",
        "  move tile from map to at\n",
        "  move tile from map to at\n    put 1 tile in map\n",
        "C0350",
        "with 'map'",
    ),
]


def _spoiled(path: Path, module: str, old: str, new: str) -> Opened:
    """Cacao with a mistake in one module; only a few combinations are left."""
    shutil.copytree(ROOT / "rules" / "cacao", path / "cacao")
    rules = path / "cacao" / f"{module}.rules"
    text = rules.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    rules.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = open_lattice(f"{path.as_posix()}/cacao/cacao.rules")
    assert found.lattice is not None
    few = [one for one in found.lattice.combinations if {"huts", "map", "emperor"}.issuperset(one.modules)]
    return replace(found, lattice=replace(found.lattice, combinations=tuple(few)))


@pytest.mark.parametrize(
    ("module", "old", "new", "code", "where"), slice_of(MISTAKES, 2), ids=lambda value: str(value)[:12]
)
def test_one_mistake_in_a_module_gives_one_diagnostic(
    tmp_path: Path, module: str, old: str, new: str, code: str, where: str
) -> None:
    found = check_matrix(_spoiled(tmp_path, module, old, new))
    (mistake,) = found.mistakes
    assert mistake.diagnostic.code == code
    if where == "broken":
        assert [Path(one).name for one in found.broken] == [module]
    else:
        assert str(mistake.where) == where
        assert mistake.combinations == 4
