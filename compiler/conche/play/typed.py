"""Which options are meant by what a person types: `2101 1 0,-1`, `sell honey`, `turn=2 at 0,-1`.

Input: the moves of a decision, a line of text. Output: the numbers of the options it fits.
How it is read: a line is cut into words; a space of the board, `0,-1` or `(0, -1)`, is one word. Each word
stands for the name of the move, of an argument, or for a value, in any order; each for another one. The name
of an argument before a word says that this word is its value. How well a word stands for a value, see
`conche.draw.spelling`.
Invariant: options that a line fits better in this order leave out all others; nothing depends on the order of
words but what belongs to the name of an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conche.draw.spelling import BEGINNING, EXACT, INITIALS, PART, is_space, parts_of, quality
from conche_runtime.interface import Move

_WORD = re.compile(r"\(?\s*(-?\d+)\s*,\s*(-?\d+)\s*\)?|([^\s,=]+)")

Named = Callable[[str, Any], Any]
"""A value of an argument as it is shown: seats by their names."""


@dataclass(frozen=True, slots=True)
class Atom:
    """Something of an option that a word can stand for. `argument`: whose value it is a part of, empty for
    names. `whole`: not a mere part of a value."""

    text: str
    argument: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Option:
    """A move as it can be typed. `values`: by argument, as they are to be typed."""

    name: str
    values: Mapping[str, tuple[str, ...]]
    atoms: tuple[Atom, ...]


def option_of(move: Move, named: Named, signs: Mapping[str, str] | None = None) -> Option:
    """What can be typed for a move. `named`: see `Named`; it is called with `move.argument`. `signs`: short
    names of kinds that can be typed, too."""
    signs = signs or {}
    values: dict[str, tuple[str, ...]] = {}
    atoms = [Atom(move.name.lower(), "")]
    atoms += [Atom(part, "", False) for part in parts_of(move.name)]
    for key, value in move.args.items():
        atoms.append(Atom(key.lower(), ""))
        shown = tuple(texts(named(f"{move.name}.{key}", value)))
        values[key] = shown
        for text in shown:
            atoms.append(Atom(text.lower(), key))
            if text in signs:
                atoms.append(Atom(signs[text].lower(), key))
            parts = parts_of(text)
            if len(parts) > 1 and not is_space(text):
                atoms += [Atom(part, key, False) for part in parts]
    return Option(move.name, values, tuple(atoms))


def texts(value: Any) -> list[str]:
    """A value as it is to be typed."""
    match value:
        case None:
            return ["no"]
        case bool():
            return ["yes" if value else "no"]
        case [int(x), int(y)] if not isinstance(x, bool) and not isinstance(y, bool):
            return [f"{x},{y}"]
        case list() | tuple():
            return [text for item in value for text in texts(item)]
        case dict():
            return [text for item in value.items() for text in (str(item[0]), *texts(item[1]))]
        case _:
            return [str(value)]


def words(line: str) -> list[str]:
    """The words of a line, in small letters."""
    found = []
    for x, y, word in _WORD.findall(line):
        found.append(word.lower() if word else f"{int(x)},{int(y)}")
    return found


def fitting(options: Sequence[Option], numbers: Sequence[int], line: str) -> list[int]:
    """Of the options with these numbers those that a line fits best, in their order; none for a line without
    a word."""
    typed = words(line)
    if not typed:
        return []
    keys = {key.lower() for number in numbers for key in options[number].values}
    # `no card red`: the name of an argument need not belong to the word behind it.
    for wanted in (_pairs(typed, keys), [(word, "") for word in typed]):
        for most in (EXACT, INITIALS, BEGINNING, PART):
            found = [number for number in numbers if _fits(options[number], wanted, most)]
            if found:
                return found
    return []


def whole(options: Sequence[Option], numbers: Sequence[int], line: str) -> list[int]:
    """Of options that a line fits those of which it names every value: `stop` means the move `stop`, though
    there may be a `stop all`."""
    typed = words(line)
    return [number for number in numbers if _all_named(options[number], typed)]


def _all_named(option: Option, typed: Sequence[str]) -> bool:
    return all(
        any(quality(word, text.lower()) is not None for word in typed)
        for shown in option.values.values()
        for text in shown
    ) and (bool(option.values) or any(quality(word, option.name.lower()) is not None for word in typed))


Wanted = tuple[str, str]
"""A word, and the argument whose value it has to be; empty for any."""


def _pairs(typed: Sequence[str], keys: set[str]) -> list[Wanted]:
    wanted: list[Wanted] = []
    key = ""
    for number, word in enumerate(typed):
        if not key and word in keys and number + 1 < len(typed) and typed[number + 1] not in keys:
            key = word
        else:
            wanted.append((word, key))
            key = ""
    return wanted


def _fits(option: Option, wanted: Sequence[Wanted], most: int) -> bool:
    """Whether each word can stand for an atom of its own."""
    fits: list[list[int]] = []
    for word, key in wanted:
        found = [
            number
            for number, atom in enumerate(option.atoms)
            if (not key or atom.argument.lower() == key)
            and (fits_so := quality(word, atom.text)) is not None
            and (fits_so if atom.whole else max(fits_so, INITIALS)) <= most
        ]
        if not found:
            return False
        fits.append(found)
    return _matching(sorted(fits, key=len), set())


def _matching(fits: Sequence[Sequence[int]], used: set[int]) -> bool:
    if not fits:
        return True
    return any(_matching(fits[1:], used | {number}) for number in fits[0] if number not in used)
