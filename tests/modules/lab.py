"""A small game, modules for it, and cases: texts of modules, marked with what is found in them.

A file of cases holds, one after another:

    ## what the case is about
    module a "A" for lab 1.x
      version 1.0.0
    before act add «C0239:…» …
    ! the titles of all findings, in the order of the modules
    === merged
    step act
      …

Each `module` line begins another module. What stands behind `===` is the same by hand: declarations that
replace the game's of that name or join them; `x_original` stands for `x.original`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from conche.diagnostics.model import Diagnostic
from conche.modules.compose import compose
from conche.semantics import rulebook as rb
from conche.semantics.canonical import canonical
from conche.semantics.from_ast import from_ast, type_game
from conche.semantics.module_from_ast import module_from_ast
from conche.semantics.typed_module import TypedGame, TypedModule
from conche.source import Source
from conche.syntax import ast
from conche.syntax.from_text import parse
from conche.syntax.split import split

GAME = (Path(__file__).parent / "lab.rules").read_text(encoding="utf-8")

_MARK = re.compile(r"«(C\d{4}):([^«»]*)»")
_HEAD = re.compile(r"(\w+ [\w.]+|\w+)")


@dataclass(frozen=True)
class Case:
    name: str
    modules: tuple[str, ...]
    """Their texts, without marks."""
    marks: tuple[tuple[str, str, str], ...]
    """Module, code and underlined text of each finding."""
    titles: tuple[str, ...]
    merged: str | None


def cases(path: Path) -> list[Case]:
    found: list[Case] = []
    for block in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        text, cut, merged = rest.partition("=== merged\n")
        lines = text.split("\n")
        titles = tuple(line[2:] for line in lines if line.startswith("! "))
        body = "\n".join(line for line in lines if not line.startswith("! "))
        parts = re.split(r"^(?=module )", body, flags=re.MULTILINE)[1:]
        marks = tuple((_name(part), code, inner) for part in parts for code, inner in _MARK.findall(part))
        modules = tuple(_MARK.sub(r"\2", part) for part in parts)
        found.append(Case(name, modules, marks, titles, merged if cut else None))
    return found


def _name(text: str) -> str:
    return text.split()[1]


def game() -> TypedGame:
    file, found = parse(Source("lab", GAME))
    typed = type_game(file)
    assert found == []
    assert typed is not None
    return typed


@dataclass(frozen=True)
class Composed:
    rulebook: rb.Rulebook | None
    own: list[Diagnostic]
    """Findings of the modules."""
    together: list[Diagnostic]
    """Findings of their combination."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return [*self.own, *self.together]


@dataclass(frozen=True)
class Files:
    """The modules at hand."""

    files: dict[str, ast.File]

    def __call__(self, name: str, /) -> ast.File | None:
        return self.files.get(name)

    def names(self) -> list[str]:
        return sorted(self.files)


def put_together(texts: tuple[str, ...], options: dict[str, str] | None = None) -> Composed:
    """The game with modules, named in that order."""
    base = game()
    files: dict[str, ast.File] = {}
    own: list[Diagnostic] = []
    for text in texts:
        file, found = parse(Source(_name(text), text))
        files[_name(text)] = file
        own += found
    modules: list[TypedModule] = []
    for file in files.values():
        module, found = module_from_ast(file, base, Files(files))
        own += found
        if module is not None:
            modules.append(module)
    if own or len(modules) < len(files):
        return Composed(None, own, [])
    rulebook, together = compose(base, modules, options or {})
    return Composed(rulebook, own, together)


def by_hand(merged: str) -> str:
    """The canonical form of the game with declarations replaced and added."""
    declared = {_head(piece.text): piece.text for piece in split(GAME)}
    declared |= {_head(piece.text): piece.text for piece in split(merged)}
    file, found = parse(Source("merged", "".join(declared.values())))
    assert found == [], found
    rulebook, findings = from_ast(file, ruleset="lab", options={})
    assert rulebook is not None, [d.title for d in findings]
    return plain(canonical(rulebook))


def _head(text: str) -> str:
    found = re.match(r"action \w+\(\w+|query \w+|\w+ [\w.]+|\w+", text)
    assert found is not None
    return found.group()


def plain(text: str) -> str:
    """Without the dots in the names of wrapped routines, and in order."""
    text = re.sub(r"(\w)\.(original|steps|[a-z]\b)", r"\1_\2", text)
    return "\n".join(sorted(text.replace("use.market_original", "use_market_original").split("\n")))


def marked(diagnostics: list[Diagnostic], texts: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Module, code and underlined text of each finding."""
    sources = {_name(text): text for text in texts} | {"lab": GAME}
    result: list[tuple[str, str, str]] = []
    for found in diagnostics:
        span = found.labels[0].span
        result.append((span.file, found.code, sources[span.file][span.start : span.end]))
    return result
