"""What holds of any text: formatting changes no meaning, keeps comments, and is done after one time.

The texts are the bundled rules, and the same with other blanks, indentations and blank lines in all places
where they mean nothing.
"""

from __future__ import annotations

import random
import shutil
from itertools import accumulate
from pathlib import Path

import pytest

from conche.format import format_source
from conche.pipeline import check, digest_of
from conche.resources import rules_dir
from conche.source import Source, read_source
from conche.syntax.dump import dump
from conche.syntax.from_text import parse
from conche.syntax.scan import comments
from conche.syntax.tokens import TOKEN
from slices import slice_of
from syntax.texts import rules_sources

pytestmark = pytest.mark.slow

SOURCES = rules_sources()
DISTURBED = [(source, seed) for source in SOURCES for seed in range(20)]

_ALONE = frozenset("()[]{},:=+*/")
"""Signs that are read alike with and without blanks around them."""


def disturbed(text: str, seed: int) -> str:
    """The text with other blanks and more blank lines; lines are broken where they were."""
    dice = random.Random(seed)
    widths = [0, *accumulate(dice.choice([1, 2, 2, 3, 5]) for _ in range(80))]
    lines = []
    for line in text.split("\n"):
        written = line.lstrip()
        indent = " " * widths[len(line) - len(written)] if written else ""
        lines.append(indent + _spaced(written, dice) + " " * dice.choice([0, 0, 0, 1, 3]))
        if not written:
            lines += [" " * dice.choice([0, 2]) for _ in range(dice.choice([0, 0, 1, 2]))]
    return "\n".join(lines)


def _spaced(line: str, dice: random.Random) -> str:
    tokens = [match.group() for match in TOKEN.finditer(line)]
    out = ""
    for index, token in enumerate(tokens):
        before, after = tokens[index - 1 : index], tokens[index + 1 : index + 2]
        if token.strip():
            tight = bool(before) and bool(before[0].strip())
            out += " " * dice.choice([0, 0, 1, 2]) * tight + token
        elif before and after:
            alone = before[0] in _ALONE and after[0][0] not in "-=."
            alone |= after[0] in _ALONE and before[0][-1] not in "-=."
            out += " " * dice.choice([0, 1, 2, 4] if alone else [1, 2, 4])
    return out


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_bundled_rules_are_laid_out(source: Source) -> None:
    assert format_source(source) == source.text


@pytest.mark.parametrize(
    ("source", "seed"), slice_of(DISTURBED, 12), ids=lambda value: getattr(value, "name", value)
)
def test_blanks_mean_nothing(source: Source, seed: int) -> None:
    laid_out = format_source(source)
    other = Source(source.name, disturbed(laid_out, seed))
    file, found = parse(other)
    assert not found, f"seed {seed}: the disturbed text cannot be read: {found[0].title}"
    assert format_source(other) == laid_out
    assert dump(parse(Source(source.name, laid_out))[0]) == dump(file) == dump(parse(source)[0])


@pytest.mark.parametrize("source", slice_of(SOURCES, 3), ids=lambda source: source.name)
def test_lines_without_breaks_are_broken_once(source: Source) -> None:
    """All statements of a file get names so long that many lines have to be broken."""
    text = source.text.replace("you.", "you.a_rather_long_name_that_fills_the_line.").replace(
        "workers(", "workers_of_a_rather_long_name_that_fills_the_line("
    )
    other = Source(source.name, text)
    file, found = parse(other)
    assert not found
    once = format_source(other)
    assert format_source(Source(source.name, once)) == once
    assert dump(parse(Source(source.name, once))[0]) == dump(file)


def test_comments_are_kept() -> None:
    for source in slice_of(SOURCES, 3):
        text = "\n".join(f"{line} # {number}" for number, line in enumerate(source.text.split("\n")))
        laid_out = format_source(Source(source.name, text))
        before, after = ([t[a:b].rstrip() for a, b in comments(t)] for t in (text, laid_out))
        assert before == after
        assert dump(parse(Source(source.name, laid_out))[0]) == dump(parse(source)[0])


def test_the_identity_of_a_ruleset_stays(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(rules_dir() / "examples", folder)
    path = folder / "orchard.rules"
    whole = digest_of(check(str(path)))
    path.write_text(disturbed(path.read_text("utf-8"), 1), "utf-8")
    assert digest_of(check(str(path))) == whole
    path.write_text(format_source(read_source(path)), "utf-8")
    assert digest_of(check(str(path))) == whole
