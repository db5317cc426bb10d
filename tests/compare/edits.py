"""The table of single edits: `cases/edits.cases`, read and applied to `cases/fair.rules`.

An edit takes lines away (`-`) and puts others in their place (`+`), in several places where a `-` follows a
`+`. Lines behind `~~ from` change the old side first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conche.compare.compare_versions import Compared, compare_versions
from conche.modules.load import LoadResult, load_source
from conche.modules.parse_ruleset import Part, Ruleset
from conche.source import Source, read_source
from conche.versions.version import Version

CASES = Path(__file__).parent / "cases"
GAME = (CASES / "fair.rules").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Edit:
    name: str
    old: str
    new: str
    sameness: str
    changes: tuple[str, ...]
    verdicts: tuple[str, ...]


def edits() -> list[Edit]:
    text = (CASES / "edits.cases").read_text(encoding="utf-8")
    return [_edit(block) for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]


@cache
def _lines() -> dict[str, list[str]]:
    text = (CASES / "edits.cases").read_text(encoding="utf-8")
    blocks = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return {block.split("\n")[0]: block.split("\n")[1:] for block in blocks}


def lines_of(name: str) -> list[str]:
    """The lines of an edit by its name."""
    return [line for line in _lines()[name] if line[:1] in ("-", "+")]


def _edit(block: str) -> Edit:
    name, *lines = block.rstrip("\n").split("\n")
    edit = [line for line in lines if line[:1] in "-+" and line]
    cut = lines.index("~~ from") if "~~ from" in lines else len(lines)
    new = [line for line in lines[:cut] if line in edit]
    old = [line for line in lines[cut:] if line in edit]
    said = [line[2:] for line in lines if line.startswith("= ")]
    verdicts = next((tuple(line[2:].split()) for line in lines if line.startswith("~ ")), ("cosmetic",) * 3)
    before = applied(GAME, old)
    sameness = said[0] if said[0] in ("equal", "renamed") else "different"
    changes = tuple(line for line in said if line not in ("equal", "renamed"))
    return Edit(name, before, applied(before, new), sameness, changes, verdicts)


def applied(text: str, lines: list[str]) -> str:
    """The text with an edit."""
    while lines:
        gone = [line[2:] for line in _run(lines, "-")]
        lines = lines[len(gone) :]
        come = [line[2:] for line in _run(lines, "+")]
        lines = lines[len(come) :]
        before = "".join(f"{line}\n" for line in gone)
        assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times"
        text = text.replace(before, "".join(f"{line}\n" for line in come))
    return text


def _run(lines: list[str], sign: str) -> list[str]:
    found = []
    for line in lines:
        if not line.startswith(sign):
            break
        found.append(line)
    return found


@cache
def _loaded(text: str) -> LoadResult:
    return load_source(Source("fair.rules", text), ruleset="fair", folder=str(CASES))


def is_right(text: str) -> bool:
    """Whether the text is a game without mistakes."""
    return _loaded(text).rulebook is not None


@cache
def version(text: str, label: str = "fair") -> Version:
    """A text as a version."""
    loaded = _loaded(text)
    assert loaded.rulebook is not None, [found.title for found in loaded.diagnostics]
    ruleset = Ruleset(Part(str(CASES / "fair.rules")))

    def read(path: str, name: str) -> Source:
        return Source("fair.rules", text) if path.endswith("fair.rules") else read_source(path, name)

    return Version(label, loaded.rulebook, loaded.sources, loaded.clauses, ruleset, read)


@cache
def compared(old: str, new: str) -> Compared:
    return compare_versions(version(old), version(new))
