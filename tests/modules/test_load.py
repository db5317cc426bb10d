"""Rulesets with modules: names, paths, options, clauses, and what is reported where."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.modules.load import load
from conche.pipeline import check
from conche.semantics.canonical import canonical, digest
from conche.semantics.from_ast import from_ast
from modules.lab import GAME, game, put_together

MODULE = """\
module {name} "{name}" for lab 1.x
  version 2.0.1

"""


_PUT = "has no name: put it into a step of the game, write `do STEP` in its place, and name that step"


def _folder(tmp_path: Path, **modules: str) -> str:
    (tmp_path / "lab.rules").write_text(GAME, encoding="utf-8")
    for name, text in modules.items():
        (tmp_path / f"{name}.rules").write_text(MODULE.format(name=name) + text, encoding="utf-8")
    return tmp_path.as_posix()


def test_no_modules_leave_the_game_as_it_is() -> None:
    base = game()
    for options in ({}, {"mode": "long"}):
        alone, found = from_ast(base.file, ruleset="lab", options=options)
        composed = put_together((), options).rulebook
        assert found == []
        assert composed == alone


def test_the_name_is_canonical(tmp_path: Path) -> None:
    folder = _folder(tmp_path, b="option pace in {slow, fast} = slow\n", a="")
    for text in (
        "/lab.rules+b:pace=fast+a",
        "/lab.rules:pace=fast+a+b",
        "/lab.rules+a+b:mode=short,pace=fast",
    ):
        result = load(folder + text)
        assert result.diagnostics == []
        assert result.rulebook is not None
        assert result.rulebook.ruleset == f"{folder}/lab.rules+a+b:pace=fast"
        assert result.rulebook.versions == (("lab", "1.2.0"), ("a", "2.0.1"), ("b", "2.0.1"))
        assert result.rulebook.title == "Lab with a and b"


def test_a_module_from_elsewhere(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    (tmp_path / "far").mkdir()
    path = tmp_path / "far" / "mine.rules"
    path.write_text(MODULE.format(name="mine") + "modify worth(p): + 1\n", encoding="utf-8")
    result = load(f"{folder}/lab.rules+{path.as_posix()}")
    assert result.diagnostics == []
    assert result.rulebook is not None
    assert result.rulebook.ruleset == f"{folder}/lab.rules+{path.as_posix()}"
    assert [name for name, _ in result.rulebook.versions] == ["lab", "mine"]


def test_a_required_module_lies_beside_the_game(tmp_path: Path) -> None:
    folder = _folder(tmp_path, b="extend Good\n  sugar\n")
    text = MODULE.format(name="a").replace("2.0.1\n", "2.0.1\n  requires b\n")
    (tmp_path / "a.rules").write_text(f"{text}step sweeten\n  gain 1 sugar\n", encoding="utf-8")
    assert load(f"{folder}/lab.rules+a+b").diagnostics == []
    (missing,) = load(f"{folder}/lab.rules+a").diagnostics
    assert (missing.code, missing.help) == ("C0238", ("add `+b` to the ruleset",))


def test_a_mistake_is_reported_once_and_composes_nothing(tmp_path: Path) -> None:
    folder = _folder(tmp_path, a="before refil add x: stop\n", b="before refill add y: stop\n")
    result = load(f"{folder}/lab.rules+a+b")
    assert result.rulebook is None
    assert [d.code for d in result.diagnostics] == ["C0239"]


@pytest.mark.parametrize(
    ("setup", "place", "expected"),
    [
        ("  do supply", "setup", ["'setup' is changed step by step: 'supply'"]),
        (
            "  do supply\n  if left_over > 0\n    set left_over to 4",
            "setup",
            [
                "'setup' is changed step by step: 'supply'",
                f"what else stands directly in 'setup' {_PUT}",
            ],
        ),
        (
            "  put 3 water, 2 market(2) in stock",
            "setup",
            [f"what stands directly in 'setup' {_PUT}"],
        ),
        ("  do supply", "play", ["'play' is changed step by step: 'turn'"]),
        # No name is near: the game's steps are told, and none of the module's own.
        ("  do supply", "zzzz", ["the steps: `act`, `fall`, `refill`, `supply`, `turn`"]),
    ],
)
def test_what_has_no_step(tmp_path: Path, setup: str, place: str, expected: list[str]) -> None:
    text = f"after {place} add more\n  put 1 water in stock\n\nstep mine\n  put 1 water in stock\n"
    folder = _folder(tmp_path, a=text)
    assert "setup\n  do supply\n" in GAME
    changed = GAME.replace("setup\n  do supply\n", f"setup\n{setup}\n")
    (tmp_path / "lab.rules").write_text(changed, encoding="utf-8")
    (finding,) = [one for one in load(f"{folder}/lab.rules+a").diagnostics if one.code == "C0239"]
    assert list(finding.help) == expected


@pytest.mark.parametrize(
    ("text", "code", "title"),
    [
        ("+c", "C0242", "the game 'lab' has no module 'c'"),
        ("+a+./lab.rules", "C0001", "there is no file './lab.rules'"),
        ("+a:pace=fast", "C0228", "neither the game nor its modules have an option 'pace'"),
        ("+a:mode=medium", "C0228", "the option 'mode' has no value 'medium'"),
        (":mode=long+a:mode=short", "C0226", "the option 'mode' is given two values in"),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, text: str, code: str, title: str) -> None:
    folder = _folder(tmp_path, a="")
    (only,) = load(f"{folder}/lab.rules{text}").diagnostics
    assert only.code == code
    assert only.title.startswith(title)


def test_a_file_that_is_another_module_is_told_where_it_is_spoken_of(tmp_path: Path) -> None:
    parts = "with no b  §B1\n  modify rich(p): or p.gold > 2  §B1\n\nwith b\n  score more = 1\n"
    folder = _folder(tmp_path, a="", b="")
    _with_clauses(tmp_path, "a", parts, "## §1 x\n")
    _with_clauses(tmp_path, "b", "", "## §B1 x\n")
    assert load(f"{folder}/lab.rules+a").diagnostics == []
    other = tmp_path / "b.rules"
    other.write_text(other.read_text(encoding="utf-8").replace("module b", "module bb"), encoding="utf-8")
    (only,) = check(f"{folder}/lab.rules+a").diagnostics
    assert (only.code, only.title) == ("C0242", f"the file '{folder}/b.rules' is the module 'bb', not 'b'")
    assert [(label.span.file, label.span.line) for label in only.labels] == [(f"{folder}/b.rules", 1)]
    # What its header would say is not missed besides.
    other.write_text(other.read_text(encoding="utf-8").replace("module bb", "modlue b"), encoding="utf-8")
    assert load(f"{folder}/lab.rules+a").diagnostics == []
    # A game is no module.
    other.write_text(GAME, encoding="utf-8")
    (only,) = check(f"{folder}/lab.rules+a").diagnostics
    assert (only.code, only.title) == ("C0241", f"'{folder}/b.rules' is a game, no module")


def test_clauses_of_a_module_that_is_lost_are_not_missed(tmp_path: Path) -> None:
    folder = _folder(tmp_path, a="", b="")
    _with_clauses(tmp_path, "a", "modify rich(p): or p.gold > 2  §B1 §9\n", "## §1 x\n")
    _with_clauses(tmp_path, "b", "", "## §B1 x\n")
    text = (tmp_path / "a.rules").read_text(encoding="utf-8")
    for required, expected in (("b", ["C0223"]), ("bb", ["C0242"])):
        changed = text.replace("  version", f"  requires {required}\n  version", 1)
        (tmp_path / "a.rules").write_text(changed, encoding="utf-8")
        assert [one.code for one in load(f"{folder}/lab.rules+a+b").diagnostics] == expected


def test_a_module_alone_is_told_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _folder(tmp_path, a="")
    (tmp_path / "far").mkdir()
    cacao = MODULE.format(name="b").replace("lab", "cacao")
    (tmp_path / "far" / "b.rules").write_text(cacao, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "far")
    for written, ruleset in (
        (f"{folder}/a.rules", f"{folder}/lab.rules+a"),
        ("../a.rules", "../lab.rules+a"),
        ("b.rules", "cacao+b.rules"),
        (f"{folder}/far/b.rules", f"cacao+{folder}/far/b.rules"),
    ):
        (alone,) = load(written).diagnostics
        assert alone.help == (f"add it to its game: `{ruleset}`",)
        assert load(ruleset).diagnostics == []


def test_what_to_write_for_a_module_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _folder(tmp_path, a="", b="")
    (tmp_path / "apart.rules").write_text("game apart", encoding="utf-8")
    (tmp_path / "far").mkdir()
    monkeypatch.chdir(tmp_path / "far")
    (none,) = load(f"{folder}/lab.rules+mine").diagnostics
    assert none.help[0] == "the modules beside it are 'a' and 'b'"
    assert f"`{folder}/lab.rules+FOLDER/mine.rules`" in none.help[1]
    Path("mine.rules").write_text(MODULE.format(name="mine"), encoding="utf-8")
    (none,) = load(f"{folder}/lab.rules+mine").diagnostics
    assert f"`{folder}/lab.rules+./mine.rules`" in none.help[1]
    assert load(f"{folder}/lab.rules+./mine.rules").diagnostics == []
    (unknown,) = load("huts").diagnostics
    assert unknown.help == ("'huts' is a module: write `cacao+huts`",)


def test_a_game_is_no_module(tmp_path: Path) -> None:
    folder = _folder(tmp_path, a="")
    (only,) = load(f"{folder}/lab.rules+{folder}/lab.rules").diagnostics
    assert only.code == "C0226"
    (tmp_path / "other.rules").write_text(GAME, encoding="utf-8")
    (only,) = load(f"{folder}/lab.rules+other").diagnostics
    assert only.code == "C0241"


def test_a_module_cites_its_own_clauses_and_the_game_s(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    (tmp_path / "lab.clauses.md").write_text("## §1.1 One\n", encoding="utf-8")
    (tmp_path / "a.clauses.md").write_text("## §2.1 Two\n", encoding="utf-8")
    lab = GAME.replace("white\n", 'white\n  clauses "lab.clauses.md"\n', 1)
    (tmp_path / "lab.rules").write_text(lab, encoding="utf-8")
    header = MODULE.format(name="a").replace("2.0.1\n", '2.0.1\n  clauses "a.clauses.md"\n')
    body = (
        "modify worth(p): + 1 §1.1 §2.1\n"
        'with option mode is long\n  ruling §A1 "So."\n  step s: stop §A1 §7.1\n'
    )
    (tmp_path / "a.rules").write_text(header + body, encoding="utf-8")
    result = load(f"{folder}/lab.rules+a")
    assert [(d.code, d.title) for d in result.diagnostics] == [("C0223", "there is no clause §7.1")]
    assert list(result.clauses) == ["1.1", "2.1"]


def _with_clauses(tmp_path: Path, name: str, body: str, clauses: str, more: str = "") -> None:
    header = MODULE.format(name=name).replace("2.0.1\n", f'2.0.1\n{more}  clauses "{name}.clauses.md"\n')
    (tmp_path / f"{name}.rules").write_text(header + body, encoding="utf-8")
    (tmp_path / f"{name}.clauses.md").write_text(clauses, encoding="utf-8")


def test_a_number_means_one_clause(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    lab = GAME.replace("white\n", 'white\n  clauses "lab.clauses.md"\n', 1) + '\nruling §A3 "So."\n'
    (tmp_path / "lab.rules").write_text(lab, encoding="utf-8")
    (tmp_path / "lab.clauses.md").write_text("## §1.1 One\n## §1.2 Two\n## §3 Three\n", encoding="utf-8")
    body = 'modify worth(p): + 1 §1.1 §1.2\nruling §A3 "No."\n'
    _with_clauses(tmp_path, "a", body, "## §1.2 Mine\n## §1.4 Mine too\n")
    (taken,) = load(f"{folder}/lab.rules+a").diagnostics
    assert (taken.code, taken.severity.value) == ("C0255", "warning")
    assert taken.title == "2 clauses of 'a' have numbers that 'lab' has too"
    assert "in question: §A3, §1.2" in taken.notes
    assert taken.help == ("number the module's clauses from §2 on: that is free",)
    _with_clauses(tmp_path, "a", "modify worth(p): + 1 §1.1 §2.2 §A3\n", "## §2.2 Mine\n")
    assert load(f"{folder}/lab.rules+a").diagnostics == []


def test_modules_may_share_numbers_unless_one_speaks_of_the_other(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    _with_clauses(tmp_path, "a", "modify worth(p): + 1 §7\n", "## §7 A\n")
    _with_clauses(tmp_path, "b", "score b = 1 §7\n", "## §7 B\n")
    assert load(f"{folder}/lab.rules+a+b").diagnostics == []
    _with_clauses(tmp_path, "b", "score b = 1 §7\nwith a\n  score c = 1\n", "## §7 B\n")
    (taken,) = load(f"{folder}/lab.rules+a+b").diagnostics
    assert (taken.code, taken.title) == ("C0255", "1 clause of 'b' has a number that 'a' has too")


def test_without_its_clause_file_nothing_is_said_of_citations(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    _with_clauses(tmp_path, "a", "modify worth(p): + 1 §7\n", "## §7 A\n")
    (tmp_path / "a.clauses.md").rename(tmp_path / "all_of_a.clauses.md")
    (missing,) = load(f"{folder}/lab.rules+a").diagnostics
    assert missing.code == "C0225"


def test_options_of_a_module(tmp_path: Path) -> None:
    text = """\
option pace in {slow, fast} = slow
with option pace is fast
  modify worth(p): + 1
step hurry
  with option pace is fast
    stop
  if pace is fast: stop
"""
    folder = _folder(tmp_path, a=text)
    slow, fast = (load(f"{folder}/lab.rules+a{o}").rulebook for o in ("", ":pace=fast"))
    assert slow is not None
    assert fast is not None
    assert len(slow.steps["hurry"].body) == 1
    assert len(fast.steps["hurry"].body) == 2
    assert "option " not in canonical(slow) + canonical(fast)
    assert digest(slow) != digest(fast)


@pytest.mark.parametrize(
    "names", [("map", "huts", "irrigation"), ("chocolate", "tree_of_life", "new_workers")]
)
def test_cacao_in_any_order(names: tuple[str, ...]) -> None:
    found = set()
    for order in permutations(names):
        result = load("+".join(("cacao", *order)))
        assert result.diagnostics == []
        assert result.rulebook is not None
        found.add((result.rulebook.ruleset, canonical(result.rulebook)))
    assert len(found) == 1


def test_an_option_of_a_module_that_is_not_in_play(tmp_path: Path) -> None:
    folder = _folder(tmp_path, a="", b="option pace in {slow, fast} = slow\n")
    for ruleset in ("/lab.rules:pace=fast", "/lab.rules+a:pace=fast", "/lab.rules+a:pace=fast,mode=long"):
        result = load(folder + ruleset)
        (finding,) = result.diagnostics
        assert result.rulebook is None
        assert (finding.code, finding.title) == (
            "C0228",
            "'pace' is an option of the module 'b', which is not in play",
        )
        assert finding.help == ("add `+b` to the ruleset, or leave the option out",)
    (unknown,) = load(f"{folder}/lab.rules+a:speed=fast").diagnostics
    assert unknown.title == "neither the game nor its modules have an option 'speed'"


PLAIN = """\
option pace in {slow, fast} = slow

with option pace is slow
  score pace = 3
with option pace is fast
  score pace = 5
with no b
  each player has
    luck: 0..3 = 2, open
  score luck = you.luck

scenario "plain"
  given 2 players
  given red.luck = 1
  then score(red, pace) = 3 and score(red, luck) = 1

with option pace is fast
  scenario "fast"
    given 2 players
    then score(red, pace) = 5
"""


def test_a_scenario_sees_what_holds_where_it_is_played(tmp_path: Path) -> None:
    folder = _folder(tmp_path, a=PLAIN, b="score b = 1\n")
    alone = load(f"{folder}/lab.rules+a")
    assert alone.diagnostics == []
    assert alone.rulebook is not None
    assert [one.title for one in alone.rulebook.scenarios] == ["plain"]
    fast = load(f"{folder}/lab.rules+a:pace=fast").rulebook
    assert fast is not None
    assert [one.title for one in (*fast.scenarios, *fast.other_scenarios)] == ["fast"]
    both = load(f"{folder}/lab.rules+a+b").rulebook
    assert both is not None
    assert both.scenarios == ()


def test_what_is_missing_is_one_finding_and_what_excludes_goes_first(tmp_path: Path) -> None:
    folder = _folder(tmp_path, b="", c="", d="")
    text = MODULE.format(name="a").replace("2.0.1\n", "2.0.1\n  requires b, c, d\n")
    (tmp_path / "a.rules").write_text(text, encoding="utf-8")
    (missing,) = load(f"{folder}/lab.rules+a+c").diagnostics
    assert missing.title == "the module 'a' requires 'b' and 'd', which are not in play"
    assert missing.help == ("add `+b+d` to the ruleset",)
    assert load(f"{folder}/lab.rules+a+b+c+d").diagnostics == []
    text = MODULE.format(name="d").replace("2.0.1\n", "2.0.1\n  excludes a\n")
    (tmp_path / "d.rules").write_text(text, encoding="utf-8")
    (apart,) = load(f"{folder}/lab.rules+a+d").diagnostics
    assert apart.title == "the modules 'd' and 'a' exclude each other"


def test_whatever_a_module_says_the_graph_knows_the_clause(tmp_path: Path) -> None:
    lines = (
        "modify gold(): + 1 §{}",
        "modify worth(p): + 1 if p.gold > 3 §{}",
        "modify rich(p): or p.gold > 2 §{}",
        "replace goods()\n  1 if rich(you) §{}\n  otherwise 0 §{}",
        "extend choose act.act §{}\n  case more(tile = nothing) §{}\n    stop act §{}",
        "extend board table §{}\n  on x = y up to 1 Tile §{}",
        "before refill add early §{}\n  stop",
        "wrap act §{}\n  original §{}",
        "replace fall §{}\n  stop",
        "score more = 1 §{}",
    )
    body = "\n".join(lines)
    numbers = [f"9.{number}" for number in range(1, body.count("{}") + 1)]
    clauses = "".join(f"## §{number} x\n" for number in numbers)
    folder = _folder(tmp_path)
    _with_clauses(tmp_path, "a", body.format(*numbers) + "\n", clauses)
    result = load(f"{folder}/lab.rules+a")
    assert result.diagnostics == []
    assert result.rulebook is not None
    cited = {cite for node in from_rulebook(result.rulebook).nodes() for cite in node.cites}
    assert set(numbers) - cited == set()
