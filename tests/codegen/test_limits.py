"""What would be too much to hold or to go through is refused by engines and interpreter in the same words."""

from __future__ import annotations

import pytest

from codegen.engines import engines_of, graph_of
from conche_runtime.errors import RulesError
from interpret.lab import lab

pytestmark = pytest.mark.slow

REFUSED = {
    "a range": ("set n to min(9, count(1..n * 500000))", "1..1500000 are more than 1000000 numbers"),
    "a range to go through": (
        "let far = n * 500000\nfor each k in 1..far\n  set n to 1",
        "1..1500000 are more than 1000000 numbers",
    ),
    "a range of options": (
        "let far = n * 500000\nred: choose pick\n  case far(k in 1..far)\n  none\n    set n to 1",
        "1..1500000 are more than 1000000 numbers",
    ),
    "options of several arguments": (
        "red: choose pick(a in 1..1000, b in 1..1001)",
        "'pick' has more than 1000000 options",
    ),
    "pieces by several statements": (
        "repeat n times\n  put 333333 lake in deck\nput 2 hill(1) in deck",
        "'deck' would hold more than 1000000 pieces",
    ),
    "a list that grows": ("repeat 10001 times\n  add 7 to picks", "'picks' would hold more than 10000 items"),
    "a list that doubles": (
        "add 7 to picks\nrepeat while n > 0\n  set picks to picks + picks",
        "'picks' would hold more than 10000 items",
    ),
    "a local list": ("let all = each(k mod 7 for k in 1..10001)", "'all' would hold more than 10000 items"),
    "a local set": ("let all = 1..10001", "'all' would hold more than 10000 items"),
    "a local list that is set anew": (
        "let all = [1] + picks\nrepeat while n > 0\n  set all to all + all",
        "'all' would hold more than 10000 items",
    ),
}

ALLOWED = {
    "a range": "set n to min(9, count(1..1000000))",
    "a list": "repeat 10000 times\n  add 7 to picks",
    "a set": "let all = 1..10000",
}


@pytest.mark.parametrize(("play", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(play: str, message: str) -> None:
    found = []
    for engine in engines_of(graph_of(lab(play))):
        with pytest.raises(RulesError) as error:
            engine.start(2, 0)
        found.append((error.value.line, str(error.value).partition(": ")[2]))
    assert {text for _, text in found} == {message}
    assert len(set(found)) == 1


@pytest.mark.parametrize("play", ALLOWED.values(), ids=ALLOWED.keys())
def test_allowed(play: str) -> None:
    one, *others = [engine.start(2, 0) for engine in engines_of(graph_of(lab(play)))]
    for other in others:
        assert other.count() == one.count()
        assert other.snapshot() == one.snapshot()
