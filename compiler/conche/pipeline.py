"""The pipeline: the passes in their order, from the name of a ruleset to what was asked for.

Purpose: the order of the stages after `modules.load`, which reads, types and composes; every front end goes
through it.
Input: the name of a ruleset. Output: `Checked`, `Built`, or a stage's text (`emit`).
Invariants: a stage is imported when it is run, so that nothing waits for what it does not need. Passes
report findings; the pipeline stops between two passes where there is an error. No input or output but
reading the rules files.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from conche.diagnostics.gather import gather
from conche.diagnostics.model import Diagnostic, has_errors, in_order
from conche.resources import data_root
from conche.store import hash_text
from conche_runtime.errors import ConcheError

if TYPE_CHECKING:
    from conche.graph.model import ActionGraph
    from conche.semantics.rulebook import Rulebook
    from conche.source import Source
    from conche.syntax import ast

STAGES = ("ast", "rulebook", "graph", "ir", "python")
"""What `emit` can show, in the order of the pipeline."""


class CompileError(ConcheError):
    """The rules have errors. `str` is the text that the shell shows; the findings themselves are in
    `diagnostics`."""

    def __init__(self, diagnostics: list[Diagnostic], sources: Mapping[str, Source]) -> None:
        super().__init__(diagnostics, sources)
        self.diagnostics = diagnostics
        self.sources = sources

    def __str__(self) -> str:
        from conche.diagnostics.render_text import render_summary, render_text

        return f"{render_text(self.diagnostics, self.sources)}\n{render_summary(self.diagnostics)}"


@dataclass(frozen=True, slots=True)
class Checked:
    """A ruleset as far as it could be compiled.

    `rulebook` and `graph` are None where findings stop the pipeline before them. `files`: by path, the
    SHA-256 of each file that was read, so that a cache can tell whether they have changed. `file`: the
    game's; `modules`: those of its modules.
    """

    ruleset: str
    rulebook: Rulebook | None
    graph: ActionGraph | None
    diagnostics: list[Diagnostic]
    sources: Mapping[str, Source]
    file: ast.File | None
    paths: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[ast.File, ...] = ()

    @property
    def good(self) -> bool:
        return self.graph is not None and not has_errors(self.diagnostics)

    def must(self) -> ActionGraph:
        """The graph of good rules; CompileError where they have errors."""
        if self.graph is None or not self.good:
            raise CompileError(self.diagnostics, self.sources)
        return self.graph


@dataclass(frozen=True, slots=True)
class Built:
    """A generated engine. `name`: of the module, `<name>.py`."""

    checked: Checked
    name: str
    digest: str
    text: str


def check(ruleset: str, texts: Mapping[str, str] | None = None) -> Checked:
    """Loads and checks a ruleset: all findings of all passes that could be run.

    `texts`: by absolute path, what is read in place of what a file says.
    """
    from conche.modules.load import load

    paths: dict[str, str] = {}
    files: dict[str, str] = {}
    loaded = load(ruleset, read=_reader(paths, files, texts or {}))
    found = [_hinted(one, ruleset) for one in gather(loaded.diagnostics, loaded.sources)]
    graph = None
    if loaded.rulebook is not None and not has_errors(found):
        from conche.graph.from_rulebook import from_rulebook
        from conche.validate import validate

        graph = from_rulebook(loaded.rulebook)
        found += validate(graph)
    return Checked(
        ruleset,
        loaded.rulebook,
        graph,
        in_order(found),
        loaded.sources,
        loaded.file,
        paths,
        files,
        tuple(module.file for module in loaded.modules),
    )


def _hinted(finding: Diagnostic, ruleset: str) -> Diagnostic:
    """A finding that speaks of no file, with what may be meant by a name that names no rules."""
    if finding.main is not None:
        return finding
    game = re.split(r"[+:]", ruleset)[0]
    example = data_root() / "rules" / "examples" / f"{game}.rules"
    if not ruleset.endswith(".rules") and os.path.isfile(ruleset):
        hint = (
            f"the name of a rules file ends in .rules, and that of the file '{ruleset}' does not: rename it"
        )
    elif re.fullmatch(r"[\w-]+", game) and example.is_file():
        near = example.is_relative_to(Path.cwd())
        path = example.relative_to(Path.cwd()) if near else example
        hint = f"the example '{game}' is named by its path: `{path}`"
    else:
        return finding
    return replace(finding, help=(hint,))


def build(ruleset: str) -> Built:
    """The engine of a ruleset; CompileError where the rules have errors."""
    return build_checked(check(ruleset))


def build_checked(checked: Checked) -> Built:
    """The engine of a ruleset that has been checked."""
    from conche.codegen import build as generate

    rulebook = checked.must().rulebook
    text = _generated(checked, generate)
    return Built(checked, module_name(rulebook.ruleset), digest_of(checked), text)


def _generated(checked: Checked, generate: Callable[[ActionGraph], str]) -> str:
    """What a generator makes of the graph; its refusal as a finding."""
    from conche.codegen.lower_expressions import UnsupportedError
    from conche.diagnostics.codes import diagnose
    from conche.diagnostics.model import Label

    try:
        return generate(checked.must())
    except UnsupportedError as error:
        finding = diagnose("C0530", error.message, Label(error.span))
        raise CompileError([*checked.diagnostics, finding], checked.sources) from None


def digest_of(checked: Checked) -> str:
    """The identity of a ruleset without errors."""
    from conche.semantics.canonical import digest

    return digest(checked.must().rulebook)


def emit(ruleset: str, stage: str) -> tuple[str, Checked]:
    """The text of a stage. CompileError where the pipeline does not come so far.

    The tree and the rulebook are shown of rules that fail later checks too, so that one can see why.
    """
    checked = check(ruleset)
    if stage == "ast" and checked.file is not None:
        from conche.syntax.dump import dump as dump_ast

        return dump_ast(checked.file), checked
    if stage == "rulebook" and checked.rulebook is not None:
        from conche.semantics.dump import dump as dump_rulebook

        return dump_rulebook(checked.rulebook), checked
    if stage == "graph" and checked.graph is not None:
        from conche.graph.dump import dump as dump_graph

        return dump_graph(checked.graph), checked
    checked.must()
    if stage == "ir":
        from conche.codegen import emit_ir

        return _generated(checked, emit_ir), checked
    if stage == "python":
        return build_checked(checked).text, checked
    raise ValueError(f"there is no stage '{stage}'; the stages are {', '.join(STAGES)}")


def module_name(ruleset: str) -> str:
    """The name of a ruleset's module: `cacao+huts:overbuild=early` → `cacao__huts__overbuild_is_early`.

    Of a path, the file's name is kept: `./mine.rules` → `mine`. Where that is not enough for a name, a
    part of the ruleset's hash is added.
    """
    files = [re.split(r"[/\\]", part)[-1] for part in re.split(r"[+,]|:(?![/\\])", ruleset)]
    parts = [file.removesuffix(".rules") for file in files]
    wanted = "__".join(parts).replace("=", "_is_")
    name = re.sub(r"[^a-z0-9_]+", "_", wanted.lower()).strip("_")[:100]
    if name == wanted and name.isidentifier() and not keyword.iskeyword(name):
        return name
    return f"{name if name[:1].isalpha() else f'game_{name}'.strip('_')}_{hash_text(ruleset)[:8]}"


def _reader(
    paths: dict[str, str], files: dict[str, str], texts: Mapping[str, str]
) -> Callable[[str, str], Source]:
    """Reads sources and notes what was read."""
    from conche.source import Source, read_source

    def read(path: str, name: str) -> Source:
        instead = texts.get(str(Path(path).absolute()))
        source = read_source(path, name) if instead is None else Source(name, instead)
        paths[name] = str(Path(path).absolute())
        files[paths[name]] = hash_text(source.text)
        return source

    return read
