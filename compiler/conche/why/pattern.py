"""What is asked about: a move, the number of one, JSON, or words as a person types them.

Purpose: from what comes in to the decision and the arguments that are meant.
Input: anything at all. Output: a `Pattern`.
Invariants: nothing that comes in raises; what is not understood is noted in `problems`. Words may come in any
order: an argument's name before its value, a value alone (it goes to the first argument that can have it).
Case does not matter, nor whether words are joined by spaces, `_` or `-`. Kinds can be called by their signs
in pictures, and be shortened as where moves are typed (`conche.draw.spelling`), if one alone is so meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from conche.diagnostics.lists import in_a_row
from conche.diagnostics.suggest import did_you_mean
from conche.draw.looks import KindLooks
from conche.draw.looks_of import kinds_of
from conche.draw.spelling import quality
from conche.graph.model import ActionGraph, Node, choose_of
from conche.interpret.book import SIDES, Book
from conche.semantics.rulebook import Choose, Lit
from conche.semantics.types import (
    EdgeT,
    EnumT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SideT,
    SpaceT,
    TextT,
    Type,
)
from conche.why.words import json_text, short

LONGEST = 2000
"""So many characters are read."""

MOST_WORDS = 6
"""So many words can be one name."""

_TOKEN = re.compile(
    r"""\(?\s*(?<![\w-])(?P<x>[+-]?\d{1,9})\s*,\s*(?P<y>[+-]?\d{1,9})(?![\w(-])
        (?:\s*,\s*(?P<side>[A-Za-z]+)(?=\s*\)))?\s*\)?
      | "(?P<text>[^"]*)"
      | (?P<word>[^\s,;:=()\[\]"]+(?:\([^\s()]*\))?)""",
    re.VERBOSE,
)
_FILLERS = frozenset({"to", "with", "the", "a", "an", "my", "and", "for", "is", "i", "can", "choose", "move"})
_SIDE_NAMES = {"e": "E", "s": "S", "w": "W", "n": "N", "east": "E", "south": "S", "west": "W", "north": "N"}
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a text in quotes, or a space (with a side: an edge)."""

    text: str
    space: list[Any] | None = None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not understood, with what could be meant."""

    text: str
    hint: str | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """name: of the decision or move, as the rules write it; None where none was said. args: JSON values by
    argument. index: the number of a move, where that was asked. case: the label of a case. exact: all
    arguments of a move, where a whole move was asked about."""

    name: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    index: int | None = None
    problems: tuple[Problem, ...] = ()
    case: str | None = None
    exact: Mapping[str, Any] | None = None


class Names:
    """The names of a game's decisions and what their arguments can be."""

    def __init__(self, graph: ActionGraph, book: Book, players: int, you: int) -> None:
        self.book = book
        self.players = players
        self.you = you
        self.choices = [node for node in graph.nodes() if isinstance(node.owns, Choose) and node.role == ""]

    def called(self, name: str) -> list[Node]:
        """The choices in which a decision or move of that name can be made."""
        return [node for node in self.choices if name in names_of(choose_of(node))]

    def known(self) -> list[str]:
        """All names of decisions and moves."""
        return sorted({name for node in self.choices for name in names_of(choose_of(node))})

    def arguments(self, nodes: Iterable[Node], name: str | None) -> dict[str, list[Type]]:
        """The arguments of some choices in order, with the types that they have."""
        found: dict[str, list[Type]] = {}
        for node in nodes:
            choose = choose_of(node)
            for case in choose.cases:
                if name is not None and name not in (choose.name, case.move):
                    continue
                for binder in case.binders:
                    if not binder.hidden:
                        types = found.setdefault(binder.slot.name, [])
                        if binder.slot.type not in types:
                            types.append(binder.slot.type)
        return found

    def texts(self, nodes: Iterable[Node]) -> list[str]:
        """The texts that arguments can be."""
        return [
            str(binder.value.value)
            for node in nodes
            for case in choose_of(node).cases
            for binder in case.binders
            if isinstance(binder.value, Lit) and isinstance(binder.slot.type, TextT)
        ]

    def labels(self, nodes: Iterable[Node]) -> dict[str, str]:
        """The labels of cases, by what can be written."""
        return {
            plain(case.label): case.label
            for node in nodes
            for case in choose_of(node).cases
            if case.label is not None
        }

    def kinds(self, of: str) -> dict[str, str]:
        """By what can be written, the name in records: names before signs (`gm2`), these before names without
        what is no letter or digit (`2101`)."""
        written = {name: self.book.written(of, name) for name in self.book.order.get(of, ())}
        found = {plain(one): one for one in reversed(written.values())}
        for name, one in written.items():
            found.setdefault(plain(name), one)
        for one in written.values():
            if one in self._looks:
                found.setdefault(plain(self._looks[one].sign), one)
        for one in written.values():
            found.setdefault("".join(filter(str.isalnum, plain(one))), one)
        return found

    @cached_property
    def _looks(self) -> Mapping[str, KindLooks]:
        """By the name in records, what pictures know of a kind."""
        return kinds_of(self.book.rulebook)


def names_of(choose: Choose) -> set[str]:
    """What a decision's moves are called, and the decision itself."""
    return {choose.name, *(case.move for case in choose.cases if case.move is not None)}


def plain(text: str) -> str:
    """Names that differ only in case and in how words are joined are alike."""
    return re.sub(r"[\s_]+", " ", text.casefold()).strip()


def read(what: Any, names: Names, asked: Sequence[Node]) -> Pattern:
    """The pattern that is meant. `asked`: the choices that are asked now."""
    if isinstance(what, bool) or what is None:
        return Pattern(problems=(Problem("a move, the number of one, or words are needed"),))
    if isinstance(what, str):
        return _of_text(what, names, asked)
    if isinstance(what, int):
        return Pattern(index=what)
    if isinstance(what, Mapping):
        return _of_json(what.get("name"), what.get("args", {}), names, asked)
    try:
        name, args = what.name, what.args
    except AttributeError:
        try:
            return Pattern(index=what.__index__())
        except (AttributeError, TypeError):
            return Pattern(problems=(Problem("a move, the number of one, or words are needed"),))
    return _of_json(name, args, names, asked, whole=True)


# -------------------------------------------------------------------------------- JSON


def _of_json(name: Any, args: Any, names: Names, asked: Sequence[Node], whole: bool = False) -> Pattern:
    problems: list[Problem] = []
    if name is not None and not (isinstance(name, str) and names.called(name)):
        shown = short(str(name))
        hint = did_you_mean(shown, names.known()) if isinstance(name, str) else None
        return Pattern(problems=(Problem(f"there is no decision '{shown}'", hint or _offer(names)),))
    if not isinstance(args, Mapping):
        return Pattern(name, problems=(Problem("the arguments are no mapping from names to values"),))
    here = [node for node in asked if name is None or name in names_of(choose_of(node))]
    nodes = here or (list(asked) if name is None else names.called(name))
    known = names.arguments(nodes, name)
    carried = {zone.partition(".")[2] for zone in names.book.rulebook.zones if names.book.is_carried(zone)}
    kept: dict[str, Any] = {}
    for arg, value in args.items():
        if arg in known:
            problem = _wrong(names, arg, value, known[arg])
            if problem is None:
                kept[arg] = _listed(value)
            else:
                problems.append(problem)
        elif not isinstance(arg, str) or arg not in carried:
            hint = did_you_mean(arg, known) if isinstance(arg, str) else None
            problems.append(Problem(f"there is no argument '{short(str(arg))}'", hint or _arguments(known)))
    exact = {str(arg): _listed(value) for arg, value in args.items()} if whole else None
    return Pattern(name, kept, None, tuple(problems), exact=exact)


def _wrong(names: Names, arg: str, value: Any, types: Sequence[Type]) -> Problem | None:
    """Why a value is none of any of these types; a number is, whatever its size."""
    for type_ in types:
        inner = type_.element if isinstance(type_, Maybe) else type_
        if isinstance(inner, Int) and isinstance(value, int) and not isinstance(value, bool):
            return None
        try:
            names.book.from_json(_listed(value), type_)
            return None
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    shown = short(value if isinstance(value, str) else json_text(names.book, value, None))
    return Problem(f"'{shown}' is no value for {arg}", _meant(names, shown, types))


def _listed(value: Any) -> Any:
    """As JSON has it: tuples are lists."""
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


def _offer(names: Names) -> str:
    return f"there is {in_a_row(names.known())}"


def _arguments(known: Mapping[str, object]) -> str:
    return f"there is {in_a_row(list(known))}" if known else "it has no arguments"


# -------------------------------------------------------------------------------- words


def tokens_of(text: str) -> list[Token]:
    """The words and spaces of a line."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text[:LONGEST]):
        if match["x"] is not None:
            space: list[Any] = [int(match["x"]), int(match["y"])]
            if match["side"] is not None:
                side = _SIDE_NAMES.get(match["side"].casefold())
                space += [side] if side else []
            found.append(Token(match[0].strip(), space))
        elif match["text"] is not None:
            found.append(Token(match["text"], quoted=True))
        else:
            word = match["word"].strip(".!?")
            found += [Token(word)] if word else []
    return found


def _of_text(text: str, names: Names, asked: Sequence[Node]) -> Pattern:
    tokens = tokens_of(text)
    if not tokens:
        return Pattern(problems=(Problem("nothing is asked about", _offer(names)),))
    name, tokens = _name(tokens, names, asked)
    here = [node for node in asked if name is None or name in names_of(choose_of(node))]
    nodes = here or (list(asked) if name is None else names.called(name))
    if not nodes:
        word = short(tokens[0].text)
        hint = did_you_mean(word, names.known()) or _offer(names)
        return Pattern(problems=(Problem(f"'{word}' is no decision", hint),))
    reader = _Reader(names, nodes, name, tokens)
    reader.run()
    if name is None and reader.problems and reader.problems[0].word == tokens[0].text:
        # Not a decision, but perhaps the label of a case of one that is not asked now.
        others = [node for node in names.choices if plain(tokens[0].text) in names.labels([node])]
        if others:
            reader = _Reader(names, others, None, tokens)
            reader.run()
            name = choose_of(others[0]).name
    problems = reader.problems
    if name is None and problems and problems[0].word == tokens[0].text and problems[0].hint is None:
        word = short(tokens[0].text)
        near = did_you_mean(word, names.known())
        said = problems[0].text.replace(" is no value for ", " is no decision, and no value for ")
        problems = [Problem(f"'{word}' is no decision", near)] if near else [Problem(said), *problems[1:]]
    return Pattern(name, reader.args, None, tuple(problems), reader.case)


def _name(tokens: list[Token], names: Names, asked: Sequence[Node]) -> tuple[str | None, list[Token]]:
    """The name of the decision or move at the beginning, if one is there, and the other words."""
    start = 0
    while start < len(tokens) and plain(tokens[start].text) in ("choose", "can", "i", "to", "the", "move"):
        if _phrase(tokens, start, {plain(name): name for name in names.known()}) is not None:
            break
        start += 1
    known = {plain(name): name for name in names.known()}
    # A name of what is asked now goes before another that is written alike.
    found = _phrase(tokens, start, known)
    if found is not None:
        return found[0], tokens[start + found[1] :]
    if start < len(tokens) and "(" in tokens[start].text:
        head, _, rest = tokens[start].text.partition("(")
        if plain(head) in known:
            inner = [Token(part) for part in rest.rstrip(")").split(",") if part]
            return known[plain(head)], [*inner, *tokens[start + 1 :]]
    return None, tokens


def _phrase(tokens: Sequence[Token], start: int, known: Mapping[str, str]) -> tuple[str, int] | None:
    """The longest row of words that is a known name, and how many words it has."""
    for length in range(min(MOST_WORDS, len(tokens) - start), 0, -1):
        row = tokens[start : start + length]
        if any(token.space is not None for token in row):
            continue
        found = known.get(plain(" ".join(token.text for token in row)))
        if found is not None:
            return found, length
    return None


class _Reader:
    """Gives the words of a line to arguments."""

    def __init__(self, names: Names, nodes: Sequence[Node], name: str | None, tokens: list[Token]) -> None:
        self.names, self.tokens = names, tokens
        self.known = names.arguments(nodes, name)
        self.texts, self.labels = names.texts(nodes), names.labels(nodes)
        self.of_case = {
            case.label: [binder.slot.name for binder in case.binders if not binder.hidden]
            for node in nodes
            for case in choose_of(node).cases
        }
        self.case: str | None = None
        self.args: dict[str, Any] = {}
        self.problems: list[Problem] = []
        self._by_word = {plain(arg): arg for arg in self.known}

    def run(self) -> None:
        at = 0
        while at < len(self.tokens):
            at = self._next(at)

    def _next(self, at: int) -> int:
        token = self.tokens[at]
        named = None if token.quoted else _phrase(self.tokens, at, self._by_word)
        if named is not None and (value := self._value(at + named[1], [named[0]])) is not None:
            return value
        if plain(token.text) == "no" and at + 1 < len(self.tokens):
            absent = _phrase(self.tokens, at + 1, self._by_word)
            if absent is not None and any(isinstance(one, Maybe) for one in self.known[absent[0]]):
                self.args[absent[0]] = None
                return at + 1 + absent[1]
        free = [arg for arg in self.known if arg not in self.args]
        own = self.of_case.get(self.case, []) if self.case is not None else []
        found = self._value(at, [arg for arg in free if arg in own]) or self._value(at, free)
        if found is not None:
            return found
        if named is not None:
            return self._no_value(at, *named)
        label = None if token.quoted or self.case is not None else _phrase(self.tokens, at, self.labels)
        if label is not None:
            self.case = label[0]
            return at + label[1]
        if plain(token.text) in _FILLERS:
            return at + 1
        if not self._in_short(token, free):
            types = [one for types in self.known.values() for one in types]
            word = short(token.text)
            what = in_a_row(list(self.known), "or")
            said = f"'{word}' is no value for {what}" if what else f"'{word}' says nothing here"
            hint = _meant(self.names, word, types, [*self.known, *self.texts, *self.labels.values()])
            self.problems.append(Problem(said, hint, token.text))
        return at + 1

    def _no_value(self, at: int, arg: str, length: int) -> int:
        """An argument's name, and what follows is no value of it."""
        after = at + length
        if after >= len(self.tokens) or _phrase(self.tokens, after, self._by_word) is not None:
            self.problems.append(Problem(f"no value is given for {arg}"))
            return after
        if self._in_short(self.tokens[after], [arg]):
            return after + 1
        word = short(self.tokens[after].text)
        hint = _meant(self.names, word, self.known[arg], self.texts)
        self.problems.append(Problem(f"'{word}' is no value for {arg}", hint))
        return after + 1

    def _in_short(self, token: Token, args: Sequence[str]) -> bool:
        """Takes a word for the one value that it is short for; False where it is for none, or for several."""
        if token.space is not None or token.quoted:
            return False
        word = token.text.casefold()
        found: dict[tuple[str, str], int] = {}
        for arg in args:
            for type_ in self.known[arg]:
                inner = type_.element if isinstance(type_, Maybe) else type_
                of = (
                    inner.piece
                    if isinstance(inner, KindT)
                    else inner.name
                    if isinstance(inner, EnumT)
                    else ""
                )
                for name in dict.fromkeys(self.names.kinds(of).values()) if of else ():
                    fits = quality(word, name.casefold())
                    if fits is not None:
                        found[arg, name] = fits
        best = [one for one, fits in found.items() if fits == min(found.values())]
        if len({name for _, name in best}) != 1:
            return False
        ((arg, name), *_) = best
        self.args[arg] = name
        return True

    def _value(self, at: int, args: Sequence[str]) -> int | None:
        """Reads a value for the first of the arguments that can have it; gives the place after it."""
        best: tuple[int, str, Any] | None = None
        for arg in args:
            for type_ in self.known[arg]:
                for length in range(min(MOST_WORDS, len(self.tokens) - at), 0, -1):
                    value = self._read(self.tokens[at : at + length], type_)
                    if value is not _MISSING:
                        if best is None or length > best[0]:
                            best = length, arg, value
                        break
        if best is None:
            return None
        self.args[best[1]] = best[2]
        return at + best[0]

    def _read(self, row: Sequence[Token], type_: Type) -> Any:
        """The value of a type that some words are."""
        if row[0].space is not None:
            return self._read_space(row, type_)
        if any(token.space is not None for token in row):
            return _MISSING
        text = plain(" ".join(token.text for token in row))
        match type_:
            case Maybe(element=element):
                return None if text in ("nothing", "none", "no") else self._read(row, element)
            case Flag():
                return {"yes": True, "no": False, "true": True, "false": False}.get(text, _MISSING)
            case Int():
                return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else _MISSING
            case PlayerT():
                return self._seat(text)
            case SideT():
                return _SIDE_NAMES.get(text, _MISSING)
            case TextT():
                found = {plain(one): one for one in self.texts}
                return found.get(text, row[0].text if row[0].quoted and len(row) == 1 else _MISSING)
            case KindT(piece=of) | EnumT(name=of):
                return self.names.kinds(of).get(text, _MISSING)
            case SetT(element=element) | ListT(element=element) | RingT(element=element):
                items = [self._read([token], element) for token in row]
                return _MISSING if any(item is _MISSING for item in items) else items
            case _:
                return _MISSING

    def _read_space(self, row: Sequence[Token], type_: Type) -> Any:
        space = row[0].space
        assert space is not None
        match type_:
            case Maybe(element=element):
                return self._read_space(row, element)
            case SpaceT() if len(row) == 1 and len(space) == 2:
                return space
            case EdgeT() if len(row) == 1 and len(space) == 3:
                return space
            case EdgeT() if len(row) == 2 and len(space) == 2:
                side = _SIDE_NAMES.get(plain(row[1].text))
                return [*space, side] if side in SIDES else _MISSING
            case SetT(element=element) | ListT(element=element):
                items = [
                    self._read_space([token], element) if token.space is not None else _MISSING
                    for token in row
                ]
                return _MISSING if any(item is _MISSING for item in items) else items
            case _:
                return _MISSING

    def _seat(self, text: str) -> Any:
        if text in ("me", "you", "myself"):
            return self.names.you
        for seat in range(self.names.players):
            if text in (plain(self.names.book.seat_name(seat)), f"seat {seat}", str(seat)):
                return seat
        return _MISSING


def _meant(names: Names, word: str, types: Iterable[Type], more: Iterable[str] = ()) -> str | None:
    """What may have been meant by a word."""
    known = [*more]
    for type_ in types:
        inner = type_.element if isinstance(type_, Maybe | SetT | ListT) else type_
        match inner:
            case KindT(piece=of) | EnumT(name=of):
                known += sorted(set(names.kinds(of).values()))
            case PlayerT():
                known += [names.book.seat_name(seat) for seat in range(names.players)]
            case _:
                pass
    family = sorted({one for one in known if one.partition("(")[0] == word.partition("(")[0]} - {word})
    if family:
        return f"there is {in_a_row(family)}"
    return did_you_mean(word, known)
