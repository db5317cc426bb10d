"""Long lines are broken as the formatter breaks them, and mean the same."""

from __future__ import annotations

import ast
import random

import pytest

from conche.codegen.wrap import WIDTH, wrap

NAME = "a_long_name_of_a_thing_on_the_board"

CASES = {
    f"{NAME} = {NAME} + {NAME} - 1": [
        f"{NAME} = (",
        f"    {NAME} + {NAME} - 1",
        ")",
    ],
    f"if {NAME} == 1 and {NAME} == 2 and {NAME} == 3:": [
        "if (",
        f"    {NAME} == 1",
        f"    and {NAME} == 2",
        f"    and {NAME} == 3",
        "):",
    ],
    f"        return [{NAME}[s] for s in {NAME} if 1 < s < 12]": [
        "        return [",
        f"            {NAME}[s] for s in {NAME} if 1 < s < 12",
        "        ]",
    ],
    f"return any(True for s in {NAME} if {NAME}[s] > 1 or {NAME}[s + 1])": [
        "return any(",
        "    True",
        f"    for s in {NAME}",
        f"    if {NAME}[s] > 1 or {NAME}[s + 1]",
        ")",
    ],
    f"                    x = call({NAME}, {NAME}, 1000000)": [
        "                    x = call(",
        f"                        {NAME}, {NAME}, 1000000",
        "                    )",
    ],
    f"x = ({NAME}, {NAME}, {NAME})": [
        "x = (",
        f"    {NAME},",
        f"    {NAME},",
        f"    {NAME},",
        ")",
    ],
    f"{NAME} = {NAME}  # {NAME} and more": [
        f"# {NAME} and more",
        f"{NAME} = {NAME}",
    ],
}


@pytest.mark.parametrize("line", CASES)
def test_lines_that_are_too_long(line: str) -> None:
    assert len(line) > WIDTH
    assert wrap(line) == CASES[line]
    assert all(len(piece) <= WIDTH for piece in CASES[line])


def test_what_cannot_be_broken_stays() -> None:
    for line in (f"# {NAME * 4}", f'"{NAME * 4}"', f"{NAME * 4} = 1"):
        assert wrap(line) == [line]


NAMES = ("s", "state.grid", "GRID_BESIDE[s * 4 + 2]", "workers", NAME, "12", "players")
STATEMENTS = (
    "x = {}",
    "x, y = {}",
    "x[1] += {}",
    "return {}",
    "raise {}",
    "if {}:",
    "elif {}:",
    "while {}:",
    "for x in {}:",
    "{}",
)


def _expression(rnd: random.Random, depth: int) -> str:
    if depth == 0 or rnd.random() < 0.15:
        return rnd.choice(NAMES)

    def inner() -> str:
        text = _expression(rnd, depth - 1)
        return f"({text})" if " " in text and not text.endswith((")", "]")) else text

    def some() -> list[str]:
        return [inner() for _ in range(rnd.randint(1, 4))]

    match rnd.randrange(9):
        case 0:
            return f"call({', '.join(some())})"
        case 1:
            return f"({', '.join(some())},)"
        case 2:
            return f"[{', '.join(some())}]"
        case 3:
            return f"({inner()}) {rnd.choice('+*-<')} ({inner()})"
        case 4:
            return rnd.choice((" and ", " or ", " + ")).join(f"({item})" for item in some())
        case 5:
            return f"({inner()}) if ({inner()}) else ({inner()})"
        case 6:
            return f"[{inner()} for x in ({inner()}) if ({inner()})]"
        case 7:
            return f"sum({inner()} for x in ({inner()}) if ({inner()}))"
        case _:
            return f"{rnd.choice(('x', 'state.workers'))}[{inner()}]"


def _parse(text: str) -> str:
    if text.startswith("elif"):
        text = text[2:]
    if text.endswith(":"):
        text += " pass"
    return ast.dump(ast.parse("def f():\n" + "\n".join(f" {line}" for line in text.split("\n"))))


@pytest.mark.slow
def test_the_meaning_stays() -> None:
    rnd = random.Random(0)
    broken = 0
    for number in range(1500):
        indent = " " * 4 * rnd.randrange(5)
        text = STATEMENTS[number % len(STATEMENTS)].format(_expression(rnd, 4))
        pieces = wrap(indent + text)
        assert all(piece.startswith(indent) for piece in pieces)
        assert _parse("\n".join(piece.removeprefix(indent) for piece in pieces)) == _parse(text)
        if len(indent + text) <= WIDTH:
            assert pieces == [indent + text]
        else:
            broken += len(pieces) > 1
    assert broken > 500
