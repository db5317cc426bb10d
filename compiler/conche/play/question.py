"""A question to a person: options, and the way from what is typed to one of them.

Input: the moves of a decision; lines. Output: an option, or what is left of them.
Invariants: options keep their numbers; whatever is typed, the question is still there. Where many options are
left and their arguments differ in more than one way, or where they differ in a number alone, an argument is
asked for, not the option: a number is then one of its values, where it is made of numbers the value itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from conche.play.typed import Named, Option, fitting, option_of, texts, whole, words
from conche_runtime.interface import Move
from conche_runtime.moves import ABSENT
from conche_runtime.submoves import NAME

MANY: Final = 20
"""Of more options than this an argument is asked for: they do not fit on a page. A screen may have less."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An option was chosen; `number` from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Left:
    """So many options are left: those that the line fits. `anew`: none of those that were left before fitted
    it, and all were looked at again."""

    anew: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """The line fits no option; `why` is a part of a sentence."""

    why: str


Answer: TypeAlias = Taken | Left | Nothing


@dataclass(frozen=True, slots=True)
class Argument:
    """What is asked for next. `name`: of the argument, NAME for that of the move; `values`: what it can be
    (ABSENT: moves without it), each with the options that have it."""

    name: str
    values: tuple[tuple[Any, tuple[int, ...]], ...]

    @property
    def numbers(self) -> list[int] | None:
        """The values, where they are all numbers."""
        found = [value for value, _ in self.values]
        return found if all(type(value) is int for value in found) else None


class Question:
    """`moves`: the options, by number. `left`: those that are still in question."""

    def __init__(
        self,
        moves: Sequence[Move],
        named: Named,
        *,
        seats: Collection[str] = (),
        signs: Mapping[str, str] | None = None,
        page: int = MANY,
    ) -> None:
        """`seats`: arguments (`move.argument`) whose numbers are players, and no numbers to be typed;
        `signs`: see `typed.option_of`; `page`: how many options fit on a page."""
        self.moves, self._named, self._seats, self.page = moves, named, frozenset(seats), page
        self.options: list[Option] = [option_of(move, named, signs) for move in moves]
        self.left: list[int] = list(range(len(moves)))
        self.plain = False
        """Whether options are listed however many there are."""

    def again(self, *, plain: bool = False) -> None:
        """All options are in question again."""
        self.left, self.plain = list(range(len(self.moves))), plain

    # ------------------------------------------------------------------------------------ arguments

    @property
    def argument(self) -> Argument | None:
        """What is asked for next; None where the option itself is."""
        if self.plain:
            return None
        differing = self._differing()
        if len(differing) == 1 and self.spelt(differing[0]) is not None:
            # Else `1` would stand for the first option, which may be 0.
            return differing[0]
        return differing[0] if len(differing) > 1 and len(self.left) > self.page else None

    @property
    def settled(self) -> dict[str, Any]:
        """The arguments that all options that are left have, with the value."""
        first = self.moves[self.left[0]].args
        if len(self.left) == len(self.moves):
            return {}
        return {
            key: value
            for key, value in first.items()
            if all(
                key in self.moves[number].args and _same(self.moves[number].args[key], value)
                for number in self.left
            )
        }

    def _differing(self) -> list[Argument]:
        moves = [(number, self.moves[number]) for number in self.left]
        found = []
        for name in (NAME, *dict.fromkeys(key for _, move in moves for key in move.args)):
            groups: dict[str, tuple[Any, list[int]]] = {}
            for number, move in moves:
                value = move.name if name == NAME else move.args.get(name, ABSENT)
                groups.setdefault(repr(value), (value, []))[1].append(number)
            if len(groups) > 1:
                found.append(
                    Argument(name, tuple((value, tuple(numbers)) for value, numbers in groups.values()))
                )
        return found

    def value_number(self, argument: Argument, number: int) -> int | None:
        """Which of the values a typed number stands for, from 0: where they are numbers the value itself,
        else its place, from 1."""
        numbers = None if self._is_seat(argument) else argument.numbers
        if numbers is not None:
            return numbers.index(number) if number in numbers else None
        return number - 1 if 1 <= number <= len(argument.values) else None

    def spelt(self, argument: Argument) -> list[int] | None:
        """The values of an argument that is made of numbers, None for others."""
        return None if self._is_seat(argument) else argument.numbers

    def _is_seat(self, argument: Argument) -> bool:
        names = {self.moves[number].name for number in self.left}
        return any(f"{name}.{argument.name}" in self._seats for name in names)

    # ------------------------------------------------------------------------------------ answers

    def take(self, line: str) -> Answer:
        """What a line means: a number, or words."""
        text = line.strip()
        if text.isascii() and (text.isdigit() or (text[:1] == "-" and text[1:].isdigit())):
            answer = self._number(text)
            if not isinstance(answer, Nothing):
                return answer
            # No number of an option; but it may be a value, or the digits of one.
            left = self.left
            meant = self._words(text, take=True)
            return answer if isinstance(meant, Nothing) or (meant == Left() and self.left == left) else meant
        return self._words(text, take=True)

    def narrow(self, line: str) -> Answer:
        """Leaves the options that fit some words, and takes none."""
        return self._words(line, take=False)

    def _number(self, text: str) -> Answer:
        number = int(text) if len(text) < 20 else 10**20
        argument = self.argument
        if argument is None:
            if 1 <= number <= len(self.moves):
                return Taken(number - 1)
            return Nothing(f"there is no option {text[:12]}; they are numbered 1 to {len(self.moves)}")
        place = self.value_number(argument, number)
        if place is None:
            values = self.spelt(argument)
            there = spans(values) if values is not None else f"1 to {len(argument.values)}"
            return Nothing(f"{text[:12]} cannot be chosen; there is {there}")
        self.left = list(argument.values[place][1])
        return self._left_one() or Left()

    def _words(self, line: str, take: bool) -> Answer:
        everything = list(range(len(self.moves)))
        found, anew = fitting(self.options, self.left, line), False
        if not found and len(self.left) < len(everything):
            found, anew = fitting(self.options, everything, line), True
        if not found:
            return Nothing(f"no option has '{line[:60]}' in it")
        if take:
            named = found if len(found) == 1 else whole(self.options, found, line)
            if len(named) == 1:
                return Taken(named[0])
        self.left = found
        return Left(anew)

    def _left_one(self) -> Taken | None:
        return Taken(self.left[0]) if len(self.left) == 1 else None

    # ------------------------------------------------------------------------------------ completing

    def completions(self, line: str) -> list[str]:
        """What the last word of a line can become, in the order of the options. A line that ends in a space
        has an empty last word."""
        before, last = _last_word(line)
        left = self.left
        if words(before):
            left = fitting(self.options, self.left, before) or fitting(
                self.options, list(range(len(self.moves))), before
            )
        typed = set(words(before))
        argument = self.argument if not typed else None
        found: dict[str, None] = {}
        key = words(before)[-1] if typed else ""
        for number in left:
            for name, shown in self.options[number].values.items():
                if name.lower() == key:
                    found.update(dict.fromkeys(shown))
        if found:
            return [text for text in found if _begins(text.lower(), last.lower())]
        if argument is not None and argument.name != NAME:
            for value, numbers in argument.values:
                if value is not ABSENT:
                    move = self.moves[numbers[0]]
                    found.update(dict.fromkeys(texts(self._named(f"{move.name}.{argument.name}", value))))
        if argument is None or argument.name == NAME or last:
            several = len({self.moves[number].name for number in left}) > 1
            for number in left:
                option = self.options[number]
                if several:
                    found.setdefault(option.name)
                for shown in option.values.values():
                    found.update(dict.fromkeys(shown))
        return [text for text in found if text.lower() not in typed and _begins(text.lower(), last.lower())]


def spans(numbers: Sequence[int]) -> str:
    """`0, 3 to 8`"""
    found = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        values = [value for _, value in run]
        found.append(str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}")
    return ", ".join(found)


def _last_word(line: str) -> tuple[str, str]:
    start = max(line.rfind(" "), line.rfind("=")) + 1
    return line[:start], line[start:]


def _begins(text: str, begun: str) -> bool:
    """Whether a text begins so, also without what is no letter or digit, except for spaces of the board."""
    bare, whole = ("".join(filter(str.isalnum, part)) for part in (begun, text))
    return text.startswith(begun) or (bool(bare) and "," not in text and whole.startswith(bare))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
