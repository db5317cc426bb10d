"""Typed moves of generated engines, and where they are kept.

A move class has one attribute for each argument that a decision of its name can have; an argument that a move lacks is
None (or ABSENT where None is a value). Its `codes` are those of its arguments, so that an engine compares numbers; a
value that no code stands for gives INVALID. Moves are made once for each combination of codes and kept in a `Pool`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

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

    `entries`: (attribute, argument's name, codec, what stands for a missing one), in the order of the rules."""

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
        for attribute, name, _, missing in self.entries:
            value = getattr(self, attribute)
            if value is not missing:
                out[name] = _thawed(value)
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


def _thawed(value: Any) -> Any:
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


class Row(dict[Any, Any]):
    """Moves by their last code, made when they are first asked for."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[Any], EngineMove]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, code: Any) -> EngineMove:
        move = self[code] = self.make(code)
        return move


class Pool:
    """All moves of one case of a decision. `args`: (attribute, codec) in order; `fixed`: attributes that never vary."""

    __slots__ = ("args", "fixed", "kind", "rows")

    def __init__(self, kind: type[EngineMove], *args: tuple[str, Codec], **fixed: Any) -> None:
        self.kind = kind
        self.args = args
        self.fixed = fixed
        self.rows: dict[tuple[Any, ...], Row] = {}

    def row(self, *codes: Any) -> Row:
        """The moves that share all codes but the last."""
        row = self.rows.get(codes)
        if row is None:
            row = self.rows[codes] = Row(lambda last: self.make(*codes, last))
        return row

    def make(self, *codes: Any) -> EngineMove:
        values = {attribute: codec.argument(code) for (attribute, codec), code in zip(self.args, codes, strict=True)}
        return self.kind(**values, **self.fixed)
