"""Looks something up in the rules of a game: a clause, a declaration, words.

Purpose: `rules` in a game. Input: a rulebook and its texts; what a person types. Output: lines.
Invariants: nothing here knows a position: it is the same whoever asks. Where a text is not at hand, what it
holds is not found.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from conche.diagnostics.suggest import did_you_mean
from conche.semantics.clauses import read_clauses
from conche.semantics.rulebook import Rulebook
from conche.source import Source
from conche.syntax import ast
from conche.syntax.from_text import parse
from conche.traceability.names import name_of, path_of
from conche_runtime.explanation import Rule

MOST: Final = 15
"""So many places are listed."""

_WORD = re.compile(r"[^\W_]+")
_CHOOSE = re.compile(r" +choose (\w+)")
_CLAUSE = re.compile(r"§? *([A-Za-z]?\d+(?:\.\d+)*[A-Za-z]?)\Z")


@dataclass(frozen=True, slots=True)
class Page:
    """A clause, a ruling, or a declaration. `names`: what finds it; `title`: one line; `text`: what it says;
    `file`, `line`: where it stands; `last`: its last line, of a declaration."""

    names: tuple[str, ...]
    title: str
    text: tuple[str, ...]
    file: str
    line: int
    last: int = 0

    @property
    def place(self) -> str:
        return f"{self.file.rpartition('/')[2]}:{self.line}"


class Rules:
    """The rules of one game, to be looked up."""

    def __init__(self, rulebook: Rulebook, sources: Mapping[str, Source]) -> None:
        self._rulebook = rulebook
        self._sources = {name: source for name, source in sources.items() if name.endswith(".rules")}
        self._all = sources

    def about(self, rules: Iterable[Rule]) -> list[str]:
        """What the clauses say that some places in the rules cite; the places, where they cite none."""
        places = list(rules)
        ids = dict.fromkeys(clause.id for rule in places for clause in rule.clauses)
        pages = [page for id_ in ids for page in self._clauses if page.names[0] == id_.casefold()]
        if not pages:
            paths = dict.fromkeys(rule.path for rule in places)
            pages = [page for path in paths for page in self._named(path.partition(".original")[0])]
        return _joined([self._whole(page) for page in pages[:MOST]]) or ["the rules cite nothing for it"]

    def look_up(self, text: str) -> list[str]:
        """What the rules say of what a person types."""
        found = _CLAUSE.fullmatch(text.strip())
        pages = self._clauses_of(found[1]) if found else self._named(text)
        if pages:
            also = [] if found else [page for page in self._titled(text) if page not in pages]
            shown = ", ".join(f"{page.title} ({page.place})" for page in also[:MOST])
            return [*_joined([self._whole(page) for page in pages]), *([f"see also {shown}"] if also else [])]
        pages = self._titled(text) or self._with_words(text)
        if len(pages) == 1:
            return self._whole(pages[0])
        if pages:
            more = [f"  … {len(pages) - MOST} more"] if len(pages) > MOST else []
            return [*(f"{page.title}  {page.place}" for page in pages[:MOST]), *more]
        near = did_you_mean(text, sorted({page.names[-1] for page in self._declared}))
        return [f"the rules say nothing of '{text[:60]}'" + (f" ({near})" if near else "")]

    # ---------------------------------------------------------------------------------------- pages

    @cached_property
    def _clauses(self) -> list[Page]:
        """Those of clause files, and rulings."""
        pages: list[Page] = []
        for name, file in self._files.items():
            if file.header is not None and file.header.clauses is not None:
                path = posixpath.join(posixpath.dirname(name), file.header.clauses.value)
                if path in self._all:
                    clauses = read_clauses(self._all[path].text).values()
                    pages += [
                        Page(
                            (one.id.casefold(),),
                            f"§{one.id} {one.title}".rstrip(),
                            tuple(_paragraphs(one.text)),
                            path,
                            one.line,
                        )
                        for one in clauses
                    ]
        for ruling in self._rulebook.rulings.values():
            text = (ruling.text,)
            span = ruling.span
            pages.append(Page((ruling.id.casefold(),), f"§{ruling.id}", text, span.file, span.line))
        return pages

    @cached_property
    def _declared(self) -> list[Page]:
        pages: list[Page] = []
        for name, file in self._files.items():
            lines = self._sources[name].text.splitlines()
            for decl in _decls(file.decls):
                span, title = decl.span, name_of(decl)
                names = {path_of(decl) or title.replace(" ", ".", 1), title, title.rpartition(" ")[2]}
                text = tuple(line.rstrip() for line in lines[span.line - 1 : span.end_line])
                # What is asked is called by its own name in the game.
                names.update(found[1] for line in text if (found := _CHOOSE.match(line)))
                page = Page(tuple(sorted(names)), title, text, name, span.line, span.end_line)
                pages.append(page)
        return pages

    @cached_property
    def _files(self) -> dict[str, ast.File]:
        """The rules files, as they are read: the game first, then its modules."""
        of_game = self._rulebook.play_span.file
        names = sorted(self._sources, key=lambda name: (name != of_game, name))
        return {name: parse(self._sources[name], scenarios=False)[0] for name in names}

    # ---------------------------------------------------------------------------------------- finding

    def _clauses_of(self, id_: str) -> list[Page]:
        return [page for page in self._clauses if id_.casefold() in page.names]

    def _named(self, text: str) -> list[Page]:
        """The declarations of a name, and what modules change there."""
        wanted = _plain(text)
        return [
            page
            for page in self._declared
            if any(_plain(name) == wanted or _plain(name).startswith(f"{wanted}(") for name in page.names)
        ]

    def _titled(self, text: str) -> list[Page]:
        """Those whose title has all words, or begins of them."""
        wanted = _WORD.findall(text.casefold())
        return [
            page
            for page in (*self._clauses, *self._declared)
            if wanted and all(_begins(word, _WORD.findall(page.title.casefold())) for word in wanted)
        ]

    def _with_words(self, text: str) -> list[Page]:
        """The clauses in which all words stand."""
        wanted = text.casefold().split()
        return [
            page
            for page in self._clauses
            if wanted and all(word in " ".join((page.title, *page.text)).casefold() for word in wanted)
        ]

    # ---------------------------------------------------------------------------------------- showing

    def _whole(self, page: Page) -> list[str]:
        """A page with all that it says; of a clause also where it is cited."""
        lines = [f"{page.title}  {page.place}", *(f"  {line}".rstrip() for line in page.text)]
        if page.last:
            return lines
        within = [one.title for one in self._clauses if _is_within(one.names[0], page.names[0])]
        if within:
            lines.append(f"  with {', '.join(within)}")
        cited = list(self._citing(page.title.split(" ")[0]))
        shown = ", ".join(f"{one.title} ({one.place})" for one in cited[:MOST])
        return [*lines, f"  cited by {shown}"] if cited else lines

    def _citing(self, cite: str) -> Iterator[Page]:
        """The declarations in whose text a clause is cited."""
        found = re.compile(rf"{re.escape(cite)}(?![\w.])")
        return (page for page in self._declared if any(found.search(line) for line in page.text))


def _decls(decls: Iterable[ast.Decl]) -> Iterator[ast.Decl]:
    """Declarations, those in `with` parts too; no scenarios, rulings and what only says how things look."""
    for decl in decls:
        if isinstance(decl, ast.WithModules):
            yield from _decls(decl.decls)
        elif not isinstance(decl, ast.ScenarioDecl | ast.RulingDecl | ast.ErrorDecl | ast.ShowDecl):
            yield decl


def _is_within(id_: str, other: str) -> bool:
    """Whether a clause is a part of another: §1.4a of §1.4, and that of §1."""
    rest = id_.removeprefix(other)
    return id_ != rest and (rest.isalpha() or (rest[:1] == "." and rest[1:].isdigit()))


def _begins(begun: str, words: Iterable[str]) -> bool:
    return any(word.startswith(begun) for word in words)


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def _paragraphs(text: str) -> Iterator[str]:
    """The lines of a clause: the lines of a paragraph are one, those of tables and lists are kept."""
    open_ = ""
    for line in text.splitlines():
        bare = line.strip()
        if bare and not bare.startswith(("|", "-", "*", "```", ">")) and not line.startswith("    "):
            open_ = f"{open_} {bare}".strip()
            continue
        if open_:
            yield open_
            open_ = ""
        if bare:
            yield line.rstrip()
    if open_:
        yield open_


def _joined(pages: Iterable[list[str]]) -> list[str]:
    return [line for page in pages for line in page]
