"""The library's front door: `load`, from the name of a ruleset to a playable engine.

Purpose: compiles when needed, and not again; imports the engine.
Input: the name of a ruleset. Output: an `Engine` (`conche_runtime.interface`).
Invariants: what is played is always what the rules files say now: a kept engine is used only while no file
of its ruleset, nor the compiler, has changed. Works where nothing can be written. Two processes may load
the same ruleset at once.

A bundled engine (`generated/`) serves when it has the digest, name, versions, options and seats of the
rules; so nothing is generated for it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from conche import pipeline, store
from conche.diagnostics.model import Diagnostic, has_errors
from conche.draw.looks import Looks
from conche.pipeline import Checked, CompileError
from conche.resources import data_root
from conche.source import Source, SourceError, read_source
from conche_runtime.engine import GeneratedEngine
from conche_runtime.interface import Engine

if TYPE_CHECKING:
    from conche_runtime.explanation import Explainer, Explanation

__all__ = ["CompileError", "Findings", "Image", "find", "image_of", "load"]

_lock = threading.RLock()
_engines: dict[tuple[str, str], Engine] = {}
"""What this process has imported, by module name and hash of the text."""


@dataclass(frozen=True, slots=True)
class Image:
    """A generated module that is ready to be imported, also in another process. `path`: where it lies, if
    anywhere."""

    ruleset: str
    name: str
    text: str
    path: Path | None
    looks: Looks = field(default_factory=Looks)
    """What a picture needs to know of the rules."""

    @property
    def seated(self) -> frozenset[str]:
        """What of the game is a player: see `conche.draw.looks_of.seated_of`."""
        return self.looks.seated

    def engine(self) -> Engine:
        """The engine; the same object each time in one process."""
        sha256 = store.hash_text(self.text)
        with _lock:
            engine = _engines.get((self.name, sha256))
            if engine is None:
                engine = _engines[self.name, sha256] = _import(self, sha256)
                _explained(engine, self.ruleset)
            return engine


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check found, the texts that the findings speak of, and by the same names where they lie."""

    diagnostics: list[Diagnostic]
    sources: Mapping[str, Source]
    paths: Mapping[str, str]


def _explained(engine: Engine, ruleset: str) -> None:
    """Lets an engine explain its moves; what that takes is imported when it is asked for."""
    explainer: Explainer | None = None

    def explain(state: Any, player: int, what: Any) -> Explanation:
        nonlocal explainer
        if explainer is None:
            from conche.why.for_engine import EngineExplainer

            explainer = EngineExplainer(ruleset)
        return explainer(state, player, what)

    if isinstance(engine, GeneratedEngine):
        engine.explain_with(explain)


def load(ruleset: str) -> Engine:
    """The engine of a ruleset: `cacao`, `cacao:first_seat=random`, `./my.rules`.

    CompileError, whose text shows the findings, when the rules have errors.
    """
    return image_of(ruleset).engine()


def image_of(ruleset: str) -> Image:
    """The generated module of a ruleset, kept or built. CompileError when the rules have errors."""
    recalled = store.recall(ruleset)
    if recalled is not None:
        image = _kept(ruleset, recalled[1])
        if image is not None:
            return image
    from conche.draw.looks_of import looks_of

    checked = pipeline.check(ruleset)
    looks = looks_of(checked.must().rulebook)
    image = replace(_bundled(checked) or _built(checked), looks=looks)
    _remember(checked, image)
    return image


def find(ruleset: str) -> Findings:
    """Checks a ruleset. Rules without errors that have not changed are not checked again."""
    recalled = store.recall(ruleset)
    if recalled is not None:
        with contextlib.suppress(KeyError, TypeError, ValueError, SourceError):
            files, known = recalled
            diagnostics = store.findings_from_json(known["findings"])
            sources = {
                name: read_source(path, name) for name, path in known["sources"].items() if path in files
            }
            return Findings(diagnostics, sources, known["sources"])
    checked = pipeline.check(ruleset)
    if not has_errors(checked.diagnostics):
        _remember(checked, None)
    return Findings(checked.diagnostics, checked.sources, checked.paths)


def _remember(checked: Checked, image: Image | None) -> None:
    """Keeps what a check of good rules has cost. Errors are not kept: they may speak of files that were
    not there."""
    from conche.diagnostics.render_json import to_json

    digest = pipeline.digest_of(checked)
    _keep_sources(digest, checked)
    known: dict[str, Any] = {
        "digest": digest,
        "findings": to_json(checked.diagnostics),
        "sources": dict(checked.paths),
    }
    if image is not None and image.path is not None:
        known["engine"] = {
            "name": image.name,
            "path": str(image.path),
            "sha256": store.hash_text(image.text),
            "looks": image.looks.to_json(),
        }
    store.remember(checked.ruleset, checked.files, known)


def _keep_sources(digest: str, checked: Checked) -> None:
    """Keeps the files of a ruleset, unless one has changed since it was read."""
    from conche.modules.parse_ruleset import parse_ruleset

    ruleset, _ = parse_ruleset(checked.ruleset)
    if ruleset is None:
        return
    texts: dict[str, str] = {}
    for name, path in checked.paths.items():
        try:
            texts[path] = read_source(path, name).text
        except SourceError:
            return
        if store.hash_text(texts[path]) != checked.files[path]:
            return
    by_file = {Path(path).name: path for path in texts}
    parts = {
        part.name: str(Path(part.name).absolute()) if part.is_path else by_file.get(f"{part.name}.rules", "")
        for part in ruleset.parts
    }
    store.put_sources(digest, store.Sources(checked.ruleset, texts, parts))


def _kept(ruleset: str, known: Mapping[str, Any]) -> Image | None:
    try:
        engine = known["engine"]
        path = Path(engine["path"])
        text = store.get_engine(path, engine["sha256"])
        looks = Looks.from_json(engine["looks"])
        return None if text is None else Image(ruleset, engine["name"], text, path, looks)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _bundled(checked: Checked) -> Image | None:
    """The engine that comes with Conche, when it is that of these rules."""
    rulebook = checked.must().rulebook
    name = pipeline.module_name(rulebook.ruleset)
    path = data_root() / "generated" / f"{name}.py"
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        return None
    digest = pipeline.digest_of(checked)
    if digest not in text:
        return None
    image = Image(checked.ruleset, name, text, path)
    # Whatever is wrong with a file that lies there, the rules can still be compiled.
    with contextlib.suppress(Exception, SystemExit):
        engine = image.engine()
        if (
            engine.digest == digest
            and engine.ruleset == rulebook.ruleset
            and dict(engine.versions) == dict(rulebook.versions)
            and dict(engine.options) == {option.name: option.value for option in rulebook.options.values()}
            and tuple(engine.seats) == rulebook.seats
        ):
            return image
    return None


def _built(checked: Checked) -> Image:
    built = pipeline.build_checked(checked)
    return Image(checked.ruleset, built.name, built.text, store.put_engine(built.name, built.text))


def _import(image: Image, sha256: str) -> Engine:
    """Imports a module under a name of its own, so that engines of several rulesets and versions live side
    by side."""
    name = f"conche_engine_{image.name}_{sha256[:12]}"
    module: ModuleType | None = None
    if image.path is not None:
        # From the file, so that Python keeps its byte code. Should the file be gone meanwhile, the text
        # serves.
        with contextlib.suppress(Exception):
            module = _from_file(name, image.path)
    if module is None:
        module = _from_text(name, image.text, f"<engine of {image.ruleset}>")
    engine: Engine = module.engine
    return engine


def _from_file(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OSError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        _ = module.engine
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _from_text(name: str, text: str, shown: str) -> ModuleType:
    import linecache

    module = ModuleType(name)
    module.__file__ = shown
    sys.modules[name] = module
    linecache.cache[shown] = (len(text), None, text.splitlines(keepends=True), shown)
    try:
        exec(compile(text, shown, "exec"), module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module
