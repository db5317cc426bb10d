"""Values of a snapshot in words.

Purpose: what stands in a zone or a variable, as lines that can be wrapped. Input: a name of the rules and
its value in a snapshot or view. Output: a `Line`; none for what holds nothing. Invariants: what is open is
told in full, and of what is face down only how much it is and what is known of it; names are spelt as
words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conche.draw.cells import Line, Run, clean, joined, line
from conche.draw.looks import Looks
from conche.draw.words import Words, plain

_MANY = 4
"""Of a variable that more kinds than this have, the value that most of them have is told once."""


class Telling:
    """Tells the values of one game at one table."""

    def __init__(self, words: Words, looks: Looks) -> None:
        self.words, self.looks = words, looks

    def label(self, name: str) -> str:
        """What a variable, zone or board is called."""
        return clean(self.looks.labels.get(name) or plain(name))

    def seat(self, player: int) -> Run:
        return Run(clean(self.words.seats[player]), self.words.styles(player))

    def kind(self, name: str) -> Run:
        """A kind by its name in records."""
        looks = self.looks.kinds.get(name)
        return Run(clean(plain(name)), (looks.color,) if looks is not None and looks.color else ())

    # -------------------------------------------------------------------------------------------- things

    def thing(self, name: str, value: Any, hidden: bool = False) -> Line | None:
        """What a variable, track or zone of a game holds. `hidden`: whether a null means that it may not be
        known. None: nothing worth a word."""
        zone, variable = self.looks.zones.get(name), self.looks.variables.get(name)
        if zone is not None:
            return self.zone(value, face_down=zone.visibility == "hidden")
        if value is None:
            return line("?") if hidden else None
        if variable is None:
            return self._guessed(name, value)
        if variable.owner == "kind" and isinstance(value, Mapping):
            return self._by_kind(name, value)
        if variable.fields and isinstance(value, int) and 0 <= value < len(variable.fields):
            return line(f"field {value} ({variable.fields[value]})")
        if value is False or value == [] or (value == 0 and not self._seated(name)):
            return None
        return self.value(value, self._seated(name), variable.type)

    def zone(self, value: Any, face_down: bool = False) -> Line | None:
        """What lies in a zone."""
        match value:
            case {"size": int(size)}:
                return self._pile(size, value) if size else None
            case dict() if not value:
                return None
            case dict() if face_down:
                return line(f"{sum(value.values())} hidden")
            case dict():
                return joined([self._counted(name, count) for name, count in value.items()], ", ")
            case list():
                return joined([self._piece(piece) for piece in value], ", ") if value else None
            case _:
                return self.value(value)

    def _pile(self, size: int, known: Mapping[str, Any]) -> Line:
        parts = [line(f"{size} hidden")]
        for word, end in (("on top", known.get("top")), ("at the bottom", known.get("bottom"))):
            if end:
                names = joined([line("?") if one is None else line(self.kind(one)) for one in end], ", ")
                parts.append((Run(f"{word} "), *names))
        return joined(parts, "; ")

    def _counted(self, name: str, count: int) -> Line:
        return (self.kind(name), *((Run(f" ×{count}"),) if count != 1 else ()))

    def _piece(self, piece: Any) -> Line:
        """A piece of a row, with what it carries."""
        if not isinstance(piece, dict):
            return line(self.kind(str(piece)))
        return (self.kind(str(piece["kind"])), *self.carried(piece, brackets=True))

    def carried(self, piece: Mapping[str, Any], brackets: bool = False) -> Line:
        """What a piece carries; nothing for most."""
        runs: list[Run] = []
        for name, value in piece.items():
            if name not in ("kind", "owner", "turn"):
                told = self.zone(value) or line("nothing")
                runs += [Run(f"{' (' if brackets else ''}{self.label(name)}: "), *told]
                if brackets:
                    runs.append(Run(")"))
        return tuple(runs)

    def _by_kind(self, name: str, values: Mapping[str, Any]) -> Line | None:
        """The values of kinds: what most of them have, once at the end."""
        told = {kind: self.value(value, self._seated(name)) for kind, value in values.items()}

        def entry(kind: str) -> Line:
            # A name that ends in a number and a number behind it would run together.
            between = ": " if kind[-1:].isdigit() else " "
            return (self.kind(kind), Run(between), *told[kind])

        texts = ["".join(run.text for run in one) for one in told.values()]
        if not texts:
            return None
        most = max(texts, key=texts.count)
        if len(texts) <= _MANY or texts.count(most) == 1:
            return joined(list(map(entry, told)), ", ")
        usual = next(one for one, text in zip(told.values(), texts, strict=True) if text == most)
        parts = [entry(kind) for kind, text in zip(told, texts, strict=True) if text != most]
        if not parts:
            is_empty = values[next(iter(values))] in (0, None, [])
            return None if is_empty and not self._seated(name) else (Run("all "), *usual)
        return joined([*parts, (Run("all others "), *usual)], ", ")

    def _guessed(self, name: str, value: Any) -> Line | None:
        """A thing of which the rules are not known."""
        match value:
            case False | 0 | [] if value is False or not self._seated(name):
                return None
            case dict():
                return self.zone(value)
            case _:
                return self.value(value, self._seated(name))

    # -------------------------------------------------------------------------------------------- values

    def value(self, value: Any, seated: bool = False, type_: str = "") -> Line:
        """A value as records have it. `seated`: whether numbers are players."""
        match value:
            case None:
                return line("–")
            case bool():
                return line("yes" if value else "no")
            case int() if seated and 0 <= value < len(self.words.seats):
                return line(self.seat(value))
            case str():
                return line(self.kind(value))
            case [int(), int(), str(side)] if type_ in ("", "edge"):
                return line(f"({value[0]}, {value[1]}) {clean(side)}")
            case [int(), int()] if type_ in ("", "space") and not seated and not _flags(value):
                return line(f"({value[0]}, {value[1]})")
            case [_, *_]:
                return joined([self.value(one, seated) for one in value], ", ")
            case []:
                return line("nothing")
            case dict():
                return joined(
                    [(self.kind(str(key)), Run(" "), *self.value(one, seated)) for key, one in value.items()],
                    ", ",
                )
            case _:
                return line(clean(str(value)))

    def _seated(self, name: str) -> bool:
        return name in self.words.seated or name in self.looks.seated


def _flags(value: Sequence[Any]) -> bool:
    return any(isinstance(one, bool) for one in value)
