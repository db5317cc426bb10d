"""Small parts of this stage: intervals, the order of dependencies, what typing makes of a body."""

from __future__ import annotations

from itertools import product

import pytest

from conche.modules.load import load
from conche.semantics import intervals
from conche.semantics import rulebook as rb
from conche.semantics.dump import dump
from conche.semantics.infer_you import infer_you
from conche.semantics.types import Int
from conche.semantics.walk import in_dependency_order, walk
from semantics.snippets import check

RANGES = [Int(low, high) for low, high in product(range(-3, 4), repeat=2) if low <= high]


def members(number: Int) -> range:
    return range(number.low, number.high + 1)


@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "modulo"])
def test_intervals_are_sound_and_tight_at_the_ends(op: str) -> None:
    real = {
        "add": lambda x, y: x + y,
        "subtract": lambda x, y: x - y,
        "multiply": lambda x, y: x * y,
        "divide": lambda x, y: x // y,
        "modulo": lambda x, y: x % y,
    }[op]
    for a, b in product(RANGES, repeat=2):
        needs_divisor = op in ("divide", "modulo")
        results = {real(x, y) for x in members(a) for y in members(b) if y != 0 or not needs_divisor}
        found: Int | None = getattr(intervals, op)(a, b)
        if not results:
            assert found is None
            continue
        assert found is not None
        assert found.low <= min(results)
        assert max(results) <= found.high
        if op != "modulo":
            assert (found.low, found.high) == (min(results), max(results))


def test_dependencies_come_first() -> None:
    order, cycles = in_dependency_order({"a": ["b", "c"], "b": ["c"], "c": [], "d": ["a", "unknown"]})
    assert order == ["c", "b", "a", "d"]
    assert cycles == []


def test_cycles_are_found_each_once() -> None:
    uses = {"a": ["b"], "b": ["c", "a"], "c": ["a"], "d": ["d"], "e": ["a", "d"], "f": []}
    order, cycles = in_dependency_order(uses)
    assert cycles == [["a", "b"], ["d"]]
    assert sorted(order) == sorted(uses)
    assert order.index("e") > order.index("a")


@pytest.mark.slow
def test_long_chains_need_no_recursion() -> None:
    many = 20_000
    uses = {f"n{i:05}": [f"n{i + 1:05}"] for i in range(many)}
    order, cycles = in_dependency_order(uses)
    assert cycles == []
    assert order[0] == f"n{many - 1:05}"
    _, cycles = in_dependency_order({**uses, f"n{many:05}": ["n00000"]})
    assert len(cycles[0]) == many + 1


def test_nobody_needs_you_without_a_body() -> None:
    assert infer_you({"s": [((), ())]}) == {}


def step(text: str, name: str = "s") -> rb.Step:
    result = check(text)
    assert result.rulebook is not None, result.diagnostics
    return result.rulebook.steps[name]


def test_you_is_handed_on() -> None:
    text = "step s: do r\nstep r: do t\nstep t: gain 1 gold\nstep other: set counter to 1\n"
    book = check(text).rulebook
    assert book is not None
    assert {name: step.implicit_you for name, step in book.steps.items()} == {
        "s": True,
        "r": True,
        "t": True,
        "other": False,
    }
    (call,) = book.steps["s"].body
    assert isinstance(call, rb.Do)
    assert [arg.slot.name for arg in call.args if isinstance(arg, rb.Local)] == ["you"]


def test_a_condition_is_split_where_it_first_speaks_of_an_argument() -> None:
    text = (
        "step s(you: Player)\n  choose pick\n"
        "    case (s in spaces) if counter > 1 and display is empty and s is empty and counter > 2\n"
        "      stop\n    always §1\n"
    )
    (choose,) = step(text).body
    assert isinstance(choose, rb.Choose)
    (case,) = choose.cases
    assert isinstance(case.guard, rb.Binary)
    assert isinstance(case.late_guard, rb.Binary)
    assert isinstance(case.late_guard.left, rb.SpaceEmpty)


def test_a_chosen_order_is_a_loop_with_a_decision() -> None:
    text = "step s(you: Player)\n  for each p in players, in order chosen by you as whom: set first to p\n"
    let, loop = step(text).body
    assert isinstance(let, rb.Let)
    assert isinstance(loop, rb.While)
    (choose,) = loop.body
    assert isinstance(choose, rb.Choose)
    assert (choose.name, choose.sure, choose.none) == ("whom", True, None)
    assert isinstance(choose.cases[0].body[0], rb.DropFrom)


def test_slots_are_numbered_without_gaps() -> None:
    text = (
        "step s(you: Player)\n  with option mode is long\n    let a = 1\n    let b = 2\n"
        "  let c = 1\n  set counter to c\n"
    )
    slots = {node.number for node in walk((step(text).params, step(text).body)) if isinstance(node, rb.Slot)}
    assert slots == {0, 1}


def test_a_number_that_grows_gets_its_range() -> None:
    def range_of(text: str) -> Int:
        let = next(node for node in walk(step(text).body) if isinstance(node, rb.Let))
        assert isinstance(let.slot.type, Int)
        return let.slot.type

    counted = "step s\n  let n = 0\n  repeat 3 times\n    set n to n + 1\n"
    assert range_of(counted) == Int(0, intervals.LOCAL_LIMIT)
    best = "step s\n  let n = 0\n  for each p in players: set n to p.gold\n"
    assert range_of(best) == Int(0, 99)
    fixed = "step s\n  let n = counter\n  set counter to n\n"
    assert range_of(fixed) == Int(0, 9)


def test_turns_are_the_least_period() -> None:
    text = (
        "piece Hut(doors: ring of 4 of 0..2, walls: ring of 4 of 0..1)\n"
        "  round (1, 1, 1, 1, 0, 0, 0, 0)\n  long (1, 2, 1, 2, 0, 0, 0, 0)\n"
        "  odd (1, 1, 1, 1, 0, 0, 0, 1)\n  even (1, 2, 1, 2, 0, 1, 0, 1)\n"
    )
    book = check(text).rulebook
    assert book is not None
    assert {kind.name: kind.turns for kind in book.pieces["Hut"].kinds} == {
        "round": 1,
        "long": 2,
        "odd": 4,
        "even": 2,
    }


def test_citations_of_a_list_or_part_hold_for_its_members() -> None:
    text = (
        "each player has §1\n  extra: 0..1 = 0, open §2\n"
        "step s\n  with option mode is short §3\n    set counter to 1 §4\n"
    )
    book = check(text).rulebook
    assert book is not None
    assert book.variables["extra"].cites == ("2", "1")
    assert book.steps["s"].body[0].cites == ("4", "3")


def test_a_dump_shows_every_declaration() -> None:
    book = load("cacao").rulebook
    assert book is not None
    text = dump(book)
    for group in (book.steps, book.queries, book.zones, book.variables, book.scores, book.pieces):
        for name in group:
            assert name in text
    assert "(there is always an option)" in text
    assert "?" not in text.replace("\n", "")
