"""Typed moves of generated engines, and where they are kept.

A move class has one attribute for each argument that a decision of its name can have; an argument that a move
lacks is None (or ABSENT where None is a value). Its `codes` are those of its arguments, so that an engine
compares numbers; a value that no code stands for gives INVALID. Moves are made once for each combination of
codes and kept in a `Pool`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, ClassVar, Final, TypeVar

from conche_runtime.codecs import Codec
from conche_runtime.interface import JSON

INVALID: Final = -(1 << 60) - 2
"""The code of a value that cannot be an argument."""

MISSING: Final = -(1 << 60) - 3
"""The code of an argument that the move does not have."""


class Absent:
    """Stands for an argument that a move does not have, where None would be a value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


class EngineMove:
    """Base of all move classes: frozen, slotted dataclasses.

    `entries`: (attribute, argument's name, codec, what stands for a missing one), in the order of the
    rules."""

    __slots__ = ("codes",)
    name: ClassVar[str]
    entries: ClassVar[tuple[tuple[str, str, Codec, Any], ...]]
    codes: tuple[Any, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", tuple(self._codes()))

    def _codes(self) -> Iterable[Any]:
        for attribute, _, codec, missing in self.entries:
            value = getattr(self, attribute)
            if value is missing:
                yield MISSING
            else:
                try:
                    yield codec.read(value)
                except ValueError:
                    yield INVALID

    @property
    def args(self) -> dict[str, JSON]:
        """The arguments as in records, in the order of the rules; absent ones are left out."""
        out: dict[str, JSON] = {}
        for attribute, name, codec, missing in self.entries:
            value = getattr(self, attribute)
            if value is not missing:
                out[name] = codec.plain(value)
        return out

    def __repr__(self) -> str:
        shown = {attribute: getattr(self, attribute) for attribute, _, _, _ in self.entries}
        missing = {attribute: value for attribute, _, _, value in self.entries}
        args = (f"{key}={value!r}" for key, value in shown.items() if value is not missing[key])
        return f"{type(self).__name__}({', '.join(args)})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        attributes = dict.fromkeys(attribute for attribute, _, _, _ in self.entries)
        return _remade, (type(self), {attribute: getattr(self, attribute) for attribute in attributes})


def _remade(kind: type[EngineMove], values: dict[str, Any]) -> EngineMove:
    return kind(**values)


M = TypeVar("M", bound=EngineMove)


class Row(dict[Any, M]):
    """Moves by their last code, made when they are first asked for."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[Any], M]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, code: Any) -> M:
        move = self[code] = self.make(code)
        return move


class Pool(dict[Any, Row[M]]):
    """All moves of one case of a decision, by their codes: `POOL[worker, turn][at]`, `POOL[at][tile]`,
    `POOL.row[amount]`.

    `args`: (attribute, codec) in order; `fixed`: attributes that never vary."""

    __slots__ = ("args", "fixed", "kind", "row")

    def __init__(self, kind: type[M], /, *args: tuple[str, Codec], **fixed: Any) -> None:
        super().__init__()
        self.kind = kind
        self.args = args
        self.fixed = fixed
        self.row: Row[M] = Row(lambda last: self.make(last))
        """The moves of a case of one argument."""

    def __missing__(self, codes: Any) -> Row[M]:
        first = codes if len(self.args) > 2 else (codes,)
        row: Row[M] = Row(lambda last: self.make(*first, last))
        self[codes] = row
        return row

    @property
    def only(self) -> M:
        """The move of a case in which nothing varies."""
        return self.make()

    def make(self, *codes: Any) -> M:
        values = {
            attribute: codec.argument(code) for (attribute, codec), code in zip(self.args, codes, strict=True)
        }
        return self.kind(**values, **self.fixed)


def all_of(codes: Sequence[Any]) -> Callable[[Row[M]], Sequence[M]]:
    """What gives a row's moves for some codes."""
    if len(codes) > 1:
        return itemgetter(*codes)
    return lambda row: [row[code] for code in codes]
