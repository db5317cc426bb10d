"""The catalogue of broken rules files: read, and asked of the compiler.

A case is a bundled file with one place changed, or a whole file, what is said of it, and how it is mended:

    === a kind is misspelt
    in examples/orchard.rules
    - where f is pear)
    + where f is paer)
    ---
    error[C0201]: …                      all that is said, to the letter
    ---
    fix: as it was                       what `conche check --fix` makes of it

`-` and `+` hold a piece of the text, which stands there once, and what comes in its place; several lines that
follow each other are one piece. A case without `in` is a whole file. Below the second `---` stands one of

    fix: as it was          the tool mends it, and the file is what it was
    fix: otherwise          the same, and the text is another: with the lines behind `>`, and without findings
    proposal: …             the same, where the change is proposed and only an author may make it
    partly: as it was       the tool mends a part of it, and the author the rest
    by hand: as it was      the author knows what to write; what was there is right
    by hand:                the same, with `-` and `+`, which change the broken file

`CONCHE_UPDATE=1` writes what is said anew, and leaves how it is mended.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conche.diagnostics.model import Diagnostic, has_errors, in_order
from conche.diagnostics.render_text import render_text
from conche.mend import mend
from conche.pipeline import Checked, check
from conche.resources import rules_dir
from conche.scenarios import run_scenarios

CASES = Path(__file__).parent / "cases"
WHOLE = "game.rules"
"""What the file of a case is called that is no bundled one."""


@dataclass(frozen=True)
class Case:
    """`path`: of the file; nothing needs to be there. `text`: the broken one; `base`: as it was."""

    file: Path
    name: str
    source: str
    path: Path
    base: str
    text: str
    expected: str
    mending: str

    @property
    def ruleset(self) -> str:
        """The game, or the module over its game, with the modules that it requires."""
        header = re.search(r'^module \w+ "[^"]*" for (\w+)', self.base, re.MULTILINE)
        if header is None:
            return str(self.path)
        own = self.path.with_name(f"{header[1]}.rules")
        game = own if own.is_file() else self.path.parents[1] / f"{header[1]}.rules"
        needs = re.search(r"^  requires ([\w, ]+)$", self.base, re.MULTILINE)
        return "+".join([str(game), *(re.findall(r"\w+", needs[1]) if needs else ()), str(self.path)])

    @property
    def played(self) -> bool:
        """Whether its scenarios are played."""
        return self.file.stem in ("scenarios", "several")


@dataclass(frozen=True)
class Answer:
    checked: Checked
    found: list[Diagnostic]

    @property
    def text(self) -> str:
        sources = self.checked.sources
        # Files are called as in the project, wherever it lies.
        said = render_text(self.found, sources).replace(f"{rules_dir().parent}{os.sep}", "")
        return re.sub(r"┌─ \S*/", "┌─ ", said)


def cases(folder: Path = CASES) -> list[Case]:
    return [case for file in sorted(folder.glob("*.cases")) for case in _cases_of(file)]


def ask(case: Case, text: str) -> Answer:
    """What is said of the file of a case, with this text."""
    checked = check(case.ruleset, {str(case.path): text})
    found = list(checked.diagnostics)
    if case.played and checked.graph is not None and not has_errors(found):
        results = run_scenarios(checked.graph, checked.graph.rulebook.scenarios)
        found += [finding for result in results for finding in result.failures]
    return Answer(checked, in_order(found))


def mended(case: Case, *, proposals: bool = False) -> tuple[str, list[Diagnostic]]:
    """The text as `--fix` makes it, and the findings whose changes it made."""
    done = mend([case.ruleset], {str(case.path): case.text}, proposals=proposals)
    return done.texts.get(str(case.path), case.text), done.made


def edited(text: str, lines: list[str]) -> str:
    """The text with the pieces behind `-` replaced by those behind `+`."""
    while lines:
        assert lines[0][:1] in ("-", "+"), f"{lines[0]!r} is no part of an edit"
        old, lines = _run(lines, "-")
        new, lines = _run(lines, "+")
        before, after = "\n".join(old), "\n".join(new)
        assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times"
        text = text.replace(before, after)
    return text


def _run(lines: list[str], sign: str) -> tuple[list[str], list[str]]:
    count = 0
    while count < len(lines) and lines[count].startswith(sign):
        count += 1
    return [line[2:] for line in lines[:count]], lines[count:]


@cache
def _cases_of(file: Path) -> list[Case]:
    parts = re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_case(file, part) for part in parts]


def _case(file: Path, part: str) -> Case:
    name, _, rest = part.partition("\n")
    source, _, rest = rest.partition("---\n")
    expected, _, mending = rest.partition("---\n")
    first, _, edits = source.partition("\n")
    if first.startswith("in "):
        path = rules_dir() / first.removeprefix("in ")
        base = path.read_text(encoding="utf-8")
        text = edited(base, edits.rstrip("\n").split("\n"))
    else:
        path, base, text = rules_dir() / "examples" / WHOLE, source, source
    return Case(file, name, source, path, base, text, expected, mending.strip())


def update() -> None:
    """Rewrites what is said. How it is mended is filled in where nothing stands yet."""
    for file in sorted(CASES.glob("*.cases")):
        head = file.read_text(encoding="utf-8").partition("=== ")[0]
        parts = []
        for case in _cases_of(file):
            said = ask(case, case.text).text
            mending = case.mending or _guess(case)
            parts.append(f"=== {case.name}\n{case.source}---\n{said}---\n{mending}\n")
        file.write_text(head + "\n".join(parts), encoding="utf-8", newline="\n")


def _guess(case: Case) -> str:
    for word, proposals in (("fix", False), ("proposal", True)):
        text, made = mended(case, proposals=proposals)
        if made:
            if text == case.base and case.text != case.base:
                return f"{word}: as it was"
            old = case.text.split("\n")
            new = "\n".join(f"> {line}" for line in text.split("\n") if line not in old)
            left = ask(case, text).found
            if left and case.text != case.base:
                return "partly: as it was"
            return f"{word}: otherwise\n{new}"
    return "by hand: as it was"
