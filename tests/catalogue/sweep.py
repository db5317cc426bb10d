"""Small slips, made in every line of the bundled rules: what is said of them.

Input: rules files. Output: `Slip`s, the text with one of them, and how good the answer is. By hand, with the
figures of all slips and the weak answers:

    python -m catalogue.sweep [FILE...] [--of KIND] [--one-in N]

A slip takes the last word of a line away, misspells a word by one letter, or moves a line by one blank. The
answer is good when nothing is found, as the rules mean something all the same, or when the first finding is
on that line or names what was misspelt.
"""

from __future__ import annotations

import functools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from conche.diagnostics.model import Diagnostic, Severity, has_errors
from conche.diagnostics.render_text import render_text
from conche.mend import mend
from conche.pipeline import Checked, check, digest_of
from conche.resources import rules_dir
from conche.semantics.symbols import BARE_BUILTINS
from conche.syntax.explain.words import KEYWORDS
from conche.syntax.tokens import TOKEN


class Kind(StrEnum):
    LAST = "the last word is missing"
    SWAPPED = "two letters are swapped"
    DROPPED = "a letter is missing"
    DEEPER = "a blank too many before the line"
    LESS_DEEP = "a blank too few before the line"
    LEFT_OUT = "a word or sign is left out"


MISSPELT = (Kind.SWAPPED, Kind.DROPPED)


@dataclass(frozen=True)
class Slip:
    """In `file`, `new` in place of what stands from `start` to `end`, on line `line`."""

    kind: Kind
    file: Path
    line: int
    start: int
    end: int
    new: str

    @property
    def text(self) -> str:
        whole = text_of(self.file)
        return whole[: self.start] + self.new + whole[self.end :]

    @property
    def old(self) -> str:
        return text_of(self.file)[self.start : self.end]

    @property
    def of_name(self) -> bool:
        """Whether a name is misspelt: what the file declares, not a word of the language."""
        return self.kind in MISSPELT and self.old not in KEYWORDS and self.old not in BARE_BUILTINS

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line} {self.kind}: {self.old.strip()!r} → {self.new.strip()!r}"


def files() -> list[Path]:
    """The bundled rules, small ones first."""
    found = [*rules_dir().glob("*/*.rules"), *rules_dir().glob("examples/modules/*.rules")]
    return sorted(found, key=lambda path: (path.stat().st_size, path))


@functools.cache
def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def ruleset_of(file: Path) -> str:
    """What is checked to see the file: a game, or a module over its game and with what it requires."""
    header = re.search(r"^(game|module) \w+ \"[^\"]*\"(?: for (\w+))?", text_of(file), re.MULTILINE)
    assert header is not None
    if header[1] == "game":
        return str(file)
    beside = [folder / f"{header[2]}.rules" for folder in (file.parent, file.parents[1])]
    game = next((str(own) for own in beside if own.is_file()), header[2])
    needs = re.search(r"^  requires ([\w, ]+)$", text_of(file), re.MULTILINE)
    return "+".join([game, *(re.findall(r"\w+", needs[1]) if needs else ()), str(file)])


def slips(file: Path) -> Iterator[Slip]:
    """All slips in a file, in the order of the text."""
    at = 0
    for number, line in enumerate(text_of(file).split("\n"), 1):
        tokens = [m for m in TOKEN.finditer(line) if m.lastgroup not in ("blank", "comment")]
        if tokens:
            yield from _in_line(file, number, at, line, tokens)
        at += len(line) + 1


def _in_line(file: Path, number: int, at: int, line: str, tokens: list[re.Match[str]]) -> Iterator[Slip]:
    said = [m for m in tokens if m.lastgroup != "cite"]
    if len(said) > 1:  # else the whole line goes, and its block becomes that of another
        yield Slip(Kind.LAST, file, number, at + said[-1].start(), at + said[-1].end(), "")
    indent = tokens[0].start()
    yield Slip(Kind.DEEPER, file, number, at, at + indent, " " * (indent + 1))
    if indent:
        yield Slip(Kind.LESS_DEEP, file, number, at, at + indent, " " * (indent - 1))
    for token in tokens:
        word = token.group()
        if token.lastgroup != "name" or len(word) < 2:
            continue
        places = at + token.start(), at + token.end()
        # Which letter it is varies from word to word, and is the same in every run.
        middle = sum(map(ord, word)) + number
        swaps = [i for i in range(len(word) - 1) if word[i] != word[i + 1] and word[i + 1].isalpha()]
        if swaps:
            i = swaps[middle % len(swaps)]
            yield Slip(Kind.SWAPPED, file, number, *places, word[:i] + word[i + 1] + word[i] + word[i + 2 :])
        i = middle % len(word)
        if (word[:i] + word[i + 1 :])[:1].isalpha():
            yield Slip(Kind.DROPPED, file, number, *places, word[:i] + word[i + 1 :])


def gaps(file: Path) -> Iterator[Slip]:
    """Each word and sign of a file left out."""
    for token in TOKEN.finditer(text_of(file)):
        if token.lastgroup not in ("blank", "comment", "newline", "cite"):
            line = text_of(file).count("\n", 0, token.start()) + 1
            yield Slip(Kind.LEFT_OUT, file, line, token.start(), token.end(), "")


def _renamed_back(slip: Slip, mended: str) -> str:
    """The new name back to the old one, where it stood: the new one may be a word of the language too."""
    words, before = re.split(r"(\w+)", mended), re.split(r"(\w+)", text_of(slip.file))
    if len(words) != len(before):
        return re.sub(rf"\b{slip.new}\b", slip.old, mended)
    pairs = zip(words, before, strict=True)
    return "".join(old if (word, old) == (slip.new, slip.old) else word for word, old in pairs)


def means_another(slip: Slip) -> bool:
    """Whether the tool, unasked, makes rules without a mistake of it that mean another thing."""
    ruleset, path = ruleset_of(slip.file), str(slip.file)
    mended = mend([ruleset], {path: slip.text}).texts.get(path)
    if mended is None:
        return False
    checked = check(ruleset, {path: mended})
    if has_errors(checked.diagnostics):
        return False
    # A name may have been given to all places where there was another one: that is the same game.
    renamed = _renamed_back(slip, mended) if slip.kind in MISSPELT else mended
    return digest_of(check(ruleset, {path: renamed})) != digest_of(check(ruleset))


def answer(slip: Slip) -> Checked:
    """What the compiler says of it."""
    return check(ruleset_of(slip.file), {str(slip.file): slip.text})


def names_the_slip(slip: Slip, finding: Diagnostic) -> bool:
    """Whether a finding has a place on the line, a change proposed there among them, or speaks of what was
    misspelt."""
    on_line = any(
        span.file.endswith(slip.file.name) and span.line <= slip.line <= span.end_line
        for span in (*(label.span for label in finding.labels), *(fix.span for fix in finding.fixes))
    )
    return on_line or (slip.kind in MISSPELT and _quotes(slip, list(words_of(finding))))


def _quotes(slip: Slip, said: Iterable[str]) -> bool:
    quoted = re.compile(rf"['`](?:{re.escape(slip.old)}|{re.escape(slip.new)})['`]")
    return any(quoted.search(text) for text in said)


def words_of(finding: Diagnostic) -> Iterable[str]:
    """All that a finding says."""
    return (
        finding.title,
        *finding.notes,
        *finding.help,
        *(label.text for label in finding.labels),
        *(fix.text for fix in finding.fixes),
    )


def proposes(slip: Slip, found: list[Diagnostic]) -> bool:
    """Whether the true name is proposed; where a declared name is misspelt, the name that it has now."""
    said = [text for finding in found for text in words_of(finding)]
    return _quotes(slip, [text for text in said if "write" in text or "did you mean" in text])


@dataclass(frozen=True)
class Verdict:
    """`placed`: nothing is found, or the first finding is where the slip is. `meant`: of a name, whether the
    true one is proposed; None where nothing is wrong."""

    slip: Slip
    found: list[Diagnostic]
    placed: bool
    meant: bool | None
    errors: int


def judge(slip: Slip) -> Verdict:
    found = answer(slip).diagnostics
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    placed = not found or names_the_slip(slip, (errors or found)[0])
    meant = proposes(slip, found) if slip.of_name and errors else None
    return Verdict(slip, found, placed, meant, len(errors))


def report(words: list[str]) -> None:
    one_in = int(words[words.index("--one-in") + 1]) if "--one-in" in words else 1
    kind = words[words.index("--of") + 1] if "--of" in words else ""
    chosen = [Path(word).resolve() for word in words if word.endswith(".rules")] or files()
    counts: Counter[str] = Counter()
    for file in chosen:
        for slip in [one for one in slips(file) if one.kind.name.startswith(kind)][::one_in]:
            verdict = judge(slip)
            many = verdict.errors if verdict.errors < 3 else "3+"
            counts[f"{slip.kind.name} all"] += 1
            counts[f"{slip.kind.name} findings {many}"] += 1
            counts[f"{slip.kind.name} misplaced"] += not verdict.placed
            if verdict.meant is not None:
                counts["names all"] += 1
                counts["names proposed"] += verdict.meant
            elif slip.of_name:
                counts["names without finding"] += 1
            if not verdict.placed or verdict.meant is False or verdict.errors > 2:
                why = "MISPLACED" if not verdict.placed else "UNMEANT" if verdict.meant is False else "MANY"
                print(f"== {why} {slip}")
                print(render_text(verdict.found[:3], answer(slip).sources))
    for key, count in sorted(counts.items()):
        print(f"{count:6} {key}")


if __name__ == "__main__":
    report(sys.argv[1:])
