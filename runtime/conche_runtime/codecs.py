"""Codes and JSON: how values of the rules are kept in an engine, and how they are written in records.

A code is an int, a bool or a tuple of codes: a kind, member, seat or side its number, a space the number of
its cell, an edge the cell * 4 + side. `Codec.show` gives the JSON value of a code; `read` the code of a JSON
value, ValueError where there is none; `check` says whether something found in a save is a code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

NOTHING: Final = -(1 << 60)
"""The code of `nothing`."""

UNSET: Final = -(1 << 60) - 1
"""What a variable holds that is not set."""

SIDES: Final = ("E", "S", "W", "N")


class Codec:
    """Of one type."""

    __slots__ = ()

    def show(self, code: Any) -> Any:
        return code

    def read(self, value: Any) -> Any:
        raise NotImplementedError

    def check(self, code: Any) -> bool:
        raise NotImplementedError

    def argument(self, code: Any) -> Any:
        """The value in a typed move: as JSON, but a tuple for an array."""
        return self.show(code)

    def plain(self, argument: Any) -> Any:
        """What such a value of a typed move is in records."""
        return thawed(argument)

    def sample(self) -> Any:
        """Any code, for a local that was never set."""
        return 0


def thawed(value: Any) -> Any:
    """Arrays for tuples."""
    return [thawed(item) for item in value] if isinstance(value, tuple) else value


def is_int(value: Any) -> bool:
    return type(value) is int


class FlagCodec(Codec):
    __slots__ = ()

    def read(self, value: Any) -> Any:
        if type(value) is bool:
            return value
        raise ValueError(f"{value!r} is neither true nor false")

    def check(self, code: Any) -> bool:
        return type(code) is bool

    def sample(self) -> Any:
        return False


class NumberCodec(Codec):
    """`bounded`: whether the engine itself keeps to the bounds; a local may pass them."""

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def read(self, value: Any) -> Any:
        if is_int(value) and self.low <= value <= self.high:
            return value
        raise ValueError(f"{value!r} is no number {self.low}..{self.high}")

    def check(self, code: Any) -> bool:
        return is_int(code) and bool(self.low <= code <= self.high)

    def sample(self) -> Any:
        return self.low


class NameCodec(Codec):
    """Kinds, members or sides, by their names in records. Copies of a piece that carries others have one
    name, which is read as the first of them. `alike`: for each code the first one of its name."""

    __slots__ = ("alike", "names", "numbers")

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.numbers: dict[str, int] = {}
        for number, name in enumerate(self.names):
            self.numbers.setdefault(name, number)
        self.alike = tuple([self.numbers[name] for name in self.names])

    def show(self, code: Any) -> Any:
        return self.names[code]

    def read(self, value: Any) -> Any:
        if type(value) is str and value in self.numbers:
            return self.numbers[value]
        raise ValueError(f"{value!r} is not known here")

    def check(self, code: Any) -> bool:
        return is_int(code) and bool(0 <= code < len(self.names))


class SpaceCodec(Codec):
    """Spaces of a grid `width` cells wide, (0, 0) at `half` of both."""

    __slots__ = ("half", "width")

    def __init__(self, width: int, half: int) -> None:
        self.width = width
        self.half = half

    def show(self, code: Any) -> Any:
        return [code % self.width - self.half, code // self.width - self.half]

    def argument(self, code: Any) -> Any:
        return (code % self.width - self.half, code // self.width - self.half)

    def read(self, value: Any) -> Any:
        if type(value) in (list, tuple) and len(value) == 2:
            x, y = value
            if is_int(x) and is_int(y):
                column, row = x + self.half, y + self.half
                if 0 <= column < self.width and 0 <= row < self.width:
                    return row * self.width + column
        raise ValueError(f"{value!r} is no space")

    def check(self, code: Any) -> bool:
        return is_int(code) and bool(0 <= code < self.width * self.width)


class EdgeCodec(Codec):
    __slots__ = ("space",)

    def __init__(self, space: SpaceCodec) -> None:
        self.space = space

    def show(self, code: Any) -> Any:
        return [*self.space.show(code >> 2), SIDES[code & 3]]

    def argument(self, code: Any) -> Any:
        return (*self.space.argument(code >> 2), SIDES[code & 3])

    def read(self, value: Any) -> Any:
        if type(value) in (list, tuple) and len(value) == 3 and value[2] in SIDES:
            return self.space.read(value[:2]) * 4 + SIDES.index(value[2])
        raise ValueError(f"{value!r} is no edge")

    def check(self, code: Any) -> bool:
        return is_int(code) and self.space.check(code >> 2)


class TextCodec(Codec):
    __slots__ = ()

    def read(self, value: Any) -> Any:
        if type(value) is str:
            return value
        raise ValueError(f"{value!r} is no text")

    def check(self, code: Any) -> bool:
        return type(code) is str


class MaybeCodec(Codec):
    __slots__ = ("element",)

    def __init__(self, element: Codec) -> None:
        self.element = element

    def show(self, code: Any) -> Any:
        return None if code == NOTHING else self.element.show(code)

    def argument(self, code: Any) -> Any:
        return None if code == NOTHING else self.element.argument(code)

    def read(self, value: Any) -> Any:
        return NOTHING if value is None else self.element.read(value)

    def check(self, code: Any) -> bool:
        return (is_int(code) and bool(code == NOTHING)) or self.element.check(code)

    def sample(self) -> Any:
        return NOTHING


class ItemsCodec(Codec):
    """A list, or with `unique` a set."""

    __slots__ = ("element", "unique")

    def __init__(self, element: Codec, unique: bool) -> None:
        self.element = element
        self.unique = unique

    def show(self, code: Any) -> Any:
        return [self.element.show(item) for item in code]

    def argument(self, code: Any) -> Any:
        return tuple(self.element.argument(item) for item in code)

    def read(self, value: Any) -> Any:
        if type(value) not in (list, tuple):
            raise ValueError(f"{value!r} is no list")
        found = tuple(self.element.read(item) for item in value)
        if self.unique and len(set(found)) < len(found):
            raise ValueError(f"{value!r} has something twice")
        return found

    def check(self, code: Any) -> bool:
        if type(code) is not tuple or not all(self.element.check(item) for item in code):
            return False
        return not self.unique or len(set(code)) == len(code)

    def sample(self) -> Any:
        return ()


class ContentsCodec(Codec):
    """What a piece carries: the code is how many there are of each kind, in a typed move (name, number)
    pairs."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: NameCodec) -> None:
        self.kinds = kinds

    def show(self, code: Any) -> Any:
        return {name: number for name, number in zip(self.kinds.names, code, strict=True) if number}

    def argument(self, code: Any) -> Any:
        return tuple(self.show(code).items())

    def plain(self, argument: Any) -> Any:
        return dict(argument)

    def read(self, value: Any) -> Any:
        try:
            held = dict(value)
        except (TypeError, ValueError):
            raise ValueError(f"{value!r} says not how many there are") from None
        counts = [0] * len(self.kinds.names)
        for name, number in held.items():
            if not is_int(number) or number < 1:
                raise ValueError(f"{value!r} says not how many there are")
            counts[self.kinds.read(name)] = number
        return tuple(counts)

    def check(self, code: Any) -> bool:
        return type(code) is tuple and len(code) == len(self.kinds.names) and all(map(is_int, code))


FLAG: Final = FlagCodec()
NUMBER: Final = NumberCodec(-(1 << 53), 1 << 53)
"""Any number: of locals, whose ranges nothing checks."""
SIDE: Final = NameCodec(SIDES)
TEXT: Final = TextCodec()
