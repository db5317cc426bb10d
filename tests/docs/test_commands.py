"""The commands that pages name: every one can be read, and those in `sh` blocks are run.

A block is run in a folder with all that its page has made so far, its games and modules, and with the
examples and a part of `rules/`.
"""

from __future__ import annotations

import importlib
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from cli.conftest import Conche, conche  # noqa: F401
from conche.cli import COMMANDS
from conche.cli.arguments import command
from conche.diagnostics.pages import FOLDER
from docs.pages import ROOT, blocks, examples

pytestmark = pytest.mark.slow

PAGES = [ROOT / "README.md", ROOT / "compiler" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = ROOT / "rules" / "examples"

NOT_RUN = {
    r"\b[A-Z]{2,}\b(?<!HEAD)": "a form: words in capitals stand for something",
    r"--watch": "goes on until Ctrl-C",
    r"human|^conche play\b(?!.*--bots)": "asks somebody; tests/cli drives it through a terminal",
    r"--matrix|--witness": "long; tests/lattice",
    r"--balance": "long; tests/compare",
    r"\w:\w|\$": "reads git's history; tests/compare",
    r"--plot": "drawing takes long; tests/simulate",
    r"records|\bgame\.|\.game\b": "needs a file that another command has made; tests/records",
    r"path/to": "a form",
}
"""Of which commands only the words are checked, by what they look like, and why."""


@dataclass(frozen=True)
class Command:
    page: str
    line: int
    text: str
    words: tuple[str, ...]
    typed: str | None = None

    def __str__(self) -> str:
        return f"{self.page}:{self.line} {self.text}"


def in_blocks(page: Path) -> Iterator[Command]:
    """The commands of `sh` blocks, one a line, or several with a `\\` at the end."""
    for block in blocks(page):
        if block.info[:1] == ("sh",):
            for line in block.body.replace("\\\n", " ").splitlines():
                lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
                lexer.wordchars += "~-./*?=:,+$@%{}"
                words = tuple(lexer)
                if words[:1] == ("conche",):
                    end = next((i for i, word in enumerate(words) if set(word) <= set("|&;<>")), len(words))
                    typed = block.says["typed"].replace(", ", "\n") + "\n" if "typed" in block.says else None
                    yield Command(block.page, block.line, shlex.join(words[:end]), words[:end], typed)


def in_prose(page: Path) -> Iterator[Command]:
    """Commands between backquotes."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for found in re.finditer(r"`(conche [^`]+)`", text):
        line = text.count("\n", 0, found.start()) + 1
        said = " ".join(found[1].replace("\\|", "|").split())
        yield Command(page.relative_to(ROOT).as_posix(), line, said, tuple(said.split()))


def parser(name: str) -> click.Command:
    module = importlib.import_module(f"conche.cli.{name.replace('-', '_')}")
    return command(name, module.command)


BLOCKS = [one for page in PAGES for one in in_blocks(page)]
PROSE = [one for page in [*PAGES, *sorted(FOLDER.glob("*.md"))] for one in in_prose(page)]


def test_all_that_is_named_is_there() -> None:
    """Commands and their options."""
    wrong = []
    for one in [*BLOCKS, *PROSE]:
        name = one.words[1] if len(one.words) > 1 else ""
        if name in COMMANDS:
            known = {option for param in parser(name).params for option in param.opts + param.secondary_opts}
            known |= {"--help"}
            unknown = [
                word
                for word in one.words[2:]
                if re.match(r"--?[a-z]", word) and word.partition("=")[0].rstrip(",.") not in known
            ]
            wrong += [f"{one}: no option {word}" for word in unknown]
        elif not re.match(r"[A-Z…|-]|$", name) and "|" not in one.text:
            wrong.append(f"{one}: no command {name}")
    assert wrong == []
    assert len(BLOCKS) > 20
    assert len(PROSE) > 50


def test_all_in_blocks_can_be_read() -> None:
    """By the program's own parser: options, values, numbers of arguments."""
    wrong = []
    for one in BLOCKS:
        try:
            if one.words[1] not in COMMANDS:
                continue
            parser(one.words[1]).make_context(one.words[1], list(one.words[2:]), resilient_parsing=False)
        except click.ClickException as error:
            wrong.append(f"{one}: {error.format_message()}")
    assert wrong == []


def why_not(one: Command) -> str | None:
    if one.typed is not None:
        return None
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, one.text)), None)


RUN_PAGES = sorted({one.page for one in BLOCKS if why_not(one) is None})


@pytest.mark.parametrize("page", RUN_PAGES)
def test_they_run(
    page: str,
    conche: Conche,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("examples", "cacao/versions"):
        shutil.copytree(ROOT / "rules" / folder, f"rules/{folder}")
    shutil.copytree(EXAMPLES, ".", dirs_exist_ok=True)
    rules = [example for example in examples(ROOT / page) if example.language == "rules"]
    ran = 0
    for one in BLOCKS:
        if one.page != page:
            continue
        for example in rules:
            if example.line < one.line and example.name != "example":
                Path(f"{example.name}.rules").write_text(example.whole, encoding="utf-8")
                for text in filter(None, (example.module, example.beside)):
                    Path(f"{text.split()[1]}.rules").write_text(text, encoding="utf-8")
        if why_not(one) is None:
            fewer = ["--games", "2", "--workers", "1"] if one.words[1] == "simulate" else []
            result = conche(*one.words[1:], *fewer, stdin=one.typed or "")
            assert result.code in (0, 1), f"{one}\n{result.out}{result.err}"
            ran += 1
    assert ran


def test_what_is_no_command_is_noticed() -> None:
    assert why_not(Command("x", 1, "conche check cacao", ("conche", "check", "cacao"))) is None
    assert why_not(Command("x", 1, "conche diff OLD NEW", ())) is not None
    assert why_not(Command("x", 1, "conche play cacao --bots random", ())) is None
    assert why_not(Command("x", 1, "conche play cacao", ())) is not None
    with pytest.raises(click.ClickException):
        parser("check").make_context("check", ["--no-such-option"])
