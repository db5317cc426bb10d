"""Small modules: good ones equal what is merged by hand, in any order; bad ones are told why."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from conche.semantics.canonical import canonical
from modules.lab import Case, by_hand, cases, marked, plain, put_together

_FOLDER = Path(__file__).parent / "cases"


def _each(name: str) -> list[object]:
    return [pytest.param(case, id=case.name) for case in cases(_FOLDER / name)]


@pytest.mark.parametrize("case", _each("good.cases"))
def test_equals_what_is_merged_by_hand(case: Case) -> None:
    assert case.merged is not None
    wanted = by_hand(case.merged)
    for texts in permutations(case.modules):
        composed = put_together(texts)
        assert [d.title for d in composed.diagnostics] == []
        assert composed.rulebook is not None
        assert plain(canonical(composed.rulebook)) == wanted


@pytest.mark.parametrize("case", _each("bad.cases"))
def test_finds_what_is_marked(case: Case) -> None:
    composed = put_together(case.modules)
    assert composed.rulebook is None
    assert [d.title for d in composed.diagnostics] == list(case.titles)
    if case.marks:
        assert marked(composed.diagnostics, case.modules) == list(case.marks)


@pytest.mark.parametrize("case", _each("bad.cases"))
def test_a_clash_shows_both_places_and_a_way_out(case: Case) -> None:
    for finding in put_together(case.modules).together:
        if finding.code in ("C0212", "C0236", "C0237") and len(case.modules) > 1:
            assert len({label.span.file for label in finding.labels}) == 2
            assert finding.help
            assert finding.notes or finding.code == "C0237"


@pytest.mark.parametrize("case", _each("bad.cases"))
def test_the_same_is_found_in_any_order(case: Case) -> None:
    wanted = sorted(d.title for d in put_together(case.modules).diagnostics)
    for texts in permutations(case.modules):
        assert sorted(d.title for d in put_together(texts).diagnostics) == wanted


def _helps(*bodies: str) -> list[tuple[str, ...]]:
    """What helps with each finding, of modules `a`, `b`, … with these bodies."""
    texts = tuple(
        f'module {name} "{name}" for lab 1.x\n  version 1.0.0\n{body}'
        for name, body in zip("abc", bodies, strict=False)
    )
    return [finding.help for finding in put_together(texts).diagnostics]


def test_whose_a_name_is_that_is_unknown_here() -> None:
    other = "var luck: 0..3 = 0, open\neach player has\n  tickets: 0..3 = 0, open\nextend Good\n  sugar\n"
    says = "the module 'b' has it: speak of it in a part `with b`, or write `requires b` in the header"
    for line in ("set luck to 1", "set you.tickets to 1", "gain 1 sugar"):
        assert _helps(f"before refill add x\n  {line}\n", other) == [(says,)]
    assert _helps("with b\n  before refill add x\n    set luck to 1\n", other) == []
    option = "option pace in {slow, fast} = slow\n"
    assert _helps("with option pace is fast\n  score s = 1\n", option) == [(says,)]
    (nothing,) = _helps("before refill add x\n  set lucky to 1\n", other)
    assert nothing == ()


def test_a_module_for_another_version_says_only_that() -> None:
    (finding,) = put_together(('module a "A" for lab 2.x\n  version 1.0.0\nreplace nothing: stop\n',)).own
    assert finding.title == "the module 'a' is for version 2.x of 'lab', and this is 1.2.0"
    assert finding.help == ("if it fits this version too, write `for lab 1.x`",)


def test_hints_of_places() -> None:
    assert _helps("wrap setup\n  original\n") == [("'setup' is changed step by step: 'supply'",)]
    assert _helps("with option mode is large\n  score s = 1\n") == [("its values are 'short' and 'long'",)]
    wraps = "write `wrap use.market` and `original`: what is to be asked besides stands before or behind it"
    own = "for a kind of your own write `action use(KIND)`"
    case = "\n  case x(x = yes)\n"
    assert _helps(f"extend choose use.market.extra{case}") == [(wraps, own)]
    around = "around a case of the game's write `wrap use.market` and `original`"
    assert _helps(f"extend choose use.extra{case}") == [(own, around)]
    assert _helps(f"extend choose extra{case}", "score extra = 1\n") == [()]
    assert _helps(f"extend choose turn.act{case}") == [("write 'act.act'",)]
    assert _helps(f"extend choose act{case}") == [("write 'act.act'",)]
    assert _helps("with bb\n  score s = 1\n", "score t = 1\n") == [("did you mean 'b'?",)]
    assert _helps("replace refill: stop\nreplace refill: stop\n") == [
        ("make one body of the two, or put each into a part for another case",)
    ]


def test_where_a_name_is_declared_that_another_part_has() -> None:
    part = "with option mode is long\n  score fast = 5\n  var bonus: 0..3 = 1, open\n"
    says = "it is declared only `with option mode is long`: speak of it in a part like that"
    assert _helps(f"{part}score s = bonus\n") == [(says,)]
    scenario = 'scenario "x"\n  given 2 players\n  given bonus = 2\n  then score(red, fast) = 5\n'
    assert _helps(part + scenario) == [(says,), (says,)]
