"""Rules nested as deep as the language allows are played, whatever Python says of such depths."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codegen.engines import engines_of, graph_of, same_games
from interpret.lab import lab

pytestmark = pytest.mark.slow

ASK = "red: choose again(k in 1..2)"


def nested(depth: int, head: Callable[[int], str], inside: str, after: str = "") -> str:
    """`depth` heads within each other. after: a statement behind each of them."""
    lines = ["  " * level + head(level) for level in range(depth)]
    lines.append("  " * depth + inside)
    lines += ["  " * level + after for level in reversed(range(depth)) if after]
    return "\n".join(lines)


def alternating(level: int) -> str:
    """Heads of all sorts of loops, and ifs."""
    return (
        f"for each k{level} in 1..1",
        f"each player p{level} from red if p{level} = blue",
        "repeat 1 times",
        f"repeat while n < {10 + level}",
        "if n > 0",
    )[level % 5]


def two_armed(depth: int, inside: str) -> str:
    """Ifs within each other, with something to do in both arms."""
    lines = ["  " * level + f"if n > {level - depth}" for level in range(depth)]
    lines.append("  " * depth + inside)
    for level in reversed(range(depth)):
        lines += ["  " * level + "else", "  " * (level + 1) + f"set n to {level}"]
    return "\n".join(lines)


STATEMENTS = {
    "for each": nested(25, lambda n: f"for each k{n} in 1..1", "set n to n + 1"),
    "for each, with something behind": nested(
        25, lambda n: f"for each k{n} in 1..1", "set n to n + 1", "set n to n + 2"
    ),
    "ifs": nested(25, lambda n: f"if n > {n - 25}", "set n to n + 1", "set n to n + 2"),
    "loops of all sorts": nested(25, alternating, "set n to min(n + 9, 99)", "set n to min(n + 1, 99)"),
    "as deep as can be": nested(95, lambda n: f"if n > {n - 95}", "set n to n + 1"),
    "a choice within loops": nested(25, lambda n: f"for each k{n} in 1..1", ASK, "set n to n + 1"),
    "a choice within ifs": nested(25, lambda n: f"if n > {n - 25}", ASK, "set n to n + 1"),
    "a choice as deep as can be": nested(90, lambda n: f"if n > {n - 90}", ASK),
    "ifs with two arms": two_armed(25, "set n to n + 1"),
    "a choice within ifs with two arms": two_armed(25, ASK),
    "choices within choices": nested(
        24, lambda n: f"case a(x{n} in 1..2)" if n % 2 else f"red: choose c{n}", "set n to 0"
    ),
}


def grown(depth: int, more: Callable[[str, int], str], first: str = "n") -> str:
    expr = first
    for level in range(depth):
        expr = more(expr, level)
    return expr


def again(expr: str, level: int) -> str:
    return f"each(k{level} + 1 for k{level} in {expr})"


EXPRESSIONS = {
    "brackets": grown(90, lambda expr, _: f"(9 - {expr})"),
    "sum": " + ".join(["n"] * 95),
    "folds in the body": grown(40, lambda expr, n: f"sum({expr} for k{n} in 1..1)"),
    "folds in the condition": grown(40, lambda expr, n: f"count(k{n} in 1..1 where {expr} > 0)"),
    "folds in the source": f"count({grown(40, again, '1..3')})",
    "conditions in the first arm": grown(45, lambda expr, n: f"(if n > {n - 50} then {expr} else {n})"),
    "conditions in the second arm": grown(45, lambda expr, n: f"(if n < {n - 50} then {n} else {expr})"),
    "conditions in the condition": grown(30, lambda expr, n: f"(if {expr} > 0 then n else {n})"),
    "kinds in zones": grown(20, lambda expr, n: f"deck[if {expr} > 0 then lake else hill(1)]"),
    "least and most": grown(45, lambda expr, n: f"min(max({expr}, {n}), 90)"),
}


@pytest.mark.parametrize("play", STATEMENTS.values(), ids=STATEMENTS.keys())
def test_statements(play: str) -> None:
    engines = engines_of(graph_of(lab(f"set n to 3\n{play}\n{ASK}")))
    assert same_games(engines, 2, 0) == "over"


@pytest.mark.parametrize("expr", EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_expressions(expr: str) -> None:
    text = lab(f"put 2 lake in deck\nlet x = {expr}\nset n to x mod 90\n{ASK}\nset n to n")
    assert same_games(engines_of(graph_of(text)), 2, 0) == "over"


def test_an_argument() -> None:
    expr = grown(40, lambda expr, n: f"sum({expr} for k{n} in 1..1)")
    case = f"case one(a in 1..max(2, {expr}), b in a..{expr} + 2)"
    text = lab(f"red: choose pick\n  {case}\n    set n to a + b\n  none\n    set n to 0")
    assert same_games(engines_of(graph_of(text)), 2, 0) == "over"
