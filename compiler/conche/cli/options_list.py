"""How the options of a question are shown.

Input: a `Question`. Output: lines on stdout.
Invariants: an option keeps its number; where an argument is asked for, its values are listed instead, and
what is made of numbers as spans. No line is wider than the screen unless a word is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conche.cli.output import say
from conche.cli.screen import has_width, width, wrapped
from conche.draw.words import Words, plain, value_of
from conche.play.question import Argument, Question, spans
from conche_runtime.interface import Move
from conche_runtime.moves import ABSENT
from conche_runtime.submoves import NAME


class OptionsList:
    """Lists the options of one question, page by page."""

    def __init__(self, question: Question, decision: str | None, words: Words) -> None:
        self.question, self._decision, self._words = question, decision, words
        self._next = 0

    def label(self, number: int) -> str:
        """What is listed for an option: its arguments, behind the move's name where that says more."""
        return option_label(self.question.moves[number], self._decision, self._words)

    def prompt(self) -> str:
        """The decision, what is settled of the move, and what is asked for next."""
        name = plain(self._decision or "move")
        argument = self.question.argument
        if argument is None:
            return f"{name}> "
        first = self.question.moves[self.question.left[0]]
        settled = self._words.arguments(first.name, self.question.settled)
        asked = f"{', ' if settled else ''}{plain(argument.name) or 'which'}"
        return f"{name} {settled}{asked}> "

    def first(self) -> None:
        """Lists from the beginning."""
        self._next = 0
        self.more()

    def more(self) -> None:
        """Lists the next page; after the last, the first again."""
        lines, self._next = self._page()
        for line in lines:
            say(line)

    @property
    def height(self) -> int:
        """How many lines the next page has."""
        return len(self._page()[0])

    def _page(self) -> tuple[list[str], int]:
        """The lines of the next page, and how far it comes."""
        argument = self.question.argument
        if argument is not None:
            return self._values(argument)
        left = self.question.left
        start = 0 if self._next >= len(left) else self._next
        end = min(start + self.question.page, len(left))
        lines = _lines([f"{number + 1:4}  {self.label(number)}" for number in left[start:end]], hang=8)
        if end < len(left):
            rest = f"… {len(left) - end} more: press Enter for the next, or type words to narrow the list"
            lines += _lines([f"      {rest}"], hang=8)
        return lines, end

    def _values(self, argument: Argument) -> tuple[list[str], int]:
        count = len(self.question.left)
        name = "which move" if argument.name == NAME else plain(argument.name)
        spelt = self.question.spelt(argument)
        if spelt is not None:
            options = f", {count} options" if count > len(spelt) else ""
            return _lines([f"      {name}: {spans(spelt)}  (type the number{options})"], hang=8), 0
        start = 0 if self._next >= len(argument.values) else self._next
        end = min(start + self.question.page, len(argument.values))
        told = []
        for place, (value, numbers) in enumerate(argument.values[start:end], start + 1):
            shown = self.value(argument, value, numbers)
            only = f": {self.label(numbers[0])}" if len(numbers) == 1 else f"  ({len(numbers)} options)"
            told.append(f"{place:4}  {shown}{only}")
        lines = _lines(told, hang=8)
        if end < len(argument.values):
            lines += _lines([f"      … {len(argument.values) - end} more: press Enter for the next"], hang=8)
        return lines, end

    def value(self, argument: Argument, value: Any, numbers: Sequence[int]) -> str:
        """One value of an argument: `worker 2-1-0-1`."""
        if argument.name == NAME:
            return plain(value)
        if value is ABSENT:
            return f"without {plain(argument.name)}"
        return self._words.arguments(self.question.moves[numbers[0]].name, {argument.name: value})

    def example(self) -> str:
        """Words that a person could type now."""
        option = self.question.options[self.question.left[-1]]
        found = [text for shown in option.values.values() for text in shown]
        return " ".join(found) or option.name


def option_label(move: Move, decision: str | None, words: Words) -> str:
    """An option in words. What has no argument is called by its name; a flag that is called like its own
    value is not told twice: `peek: yes`, not `yes yes`."""
    name, args = plain(move.name), move.args
    if not args:
        return name
    if len(args) == 1:
        ((key, value),) = args.items()
        if isinstance(value, bool) and key in ("yes", "no"):
            return f"{name}: {value_of(value)}"
    shown = words.arguments(move.name, args)
    return shown if move.name == decision else f"{name}  {shown}"


def _lines(lines: Sequence[str], hang: int) -> list[str]:
    """In columns, where many are short and the screen is wide; else one below the other."""
    wide = max(map(len, lines), default=0) + 3
    columns = min(width() // wide, -(-len(lines) // 5)) if wide else 1
    if columns > 1 and has_width():
        rows = -(-len(lines) // columns)
        return ["".join(line.ljust(wide) for line in lines[row::rows]).rstrip() for row in range(rows)]
    return [part for line in lines for part in wrapped(line, hang)]
