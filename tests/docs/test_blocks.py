"""No block of the documentation is left unchecked: a test runs it, or it says why none does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conche.diagnostics.pages import FOLDER
from docs.pages import ROOT, Block, blocks

PAGES = [ROOT / "README.md", ROOT / "compiler" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXPLAIN = sorted(FOLDER.glob("*.md"))

ELSEWHERE = {
    "yaml": "steps of a workflow, and hooks, for code hosts",
    "ini": "settings of git",
    "toml": "entry points and settings of other packages",
}
"""Languages of other tools than Conche."""


def checked_by(block: Block) -> str | None:
    """The test that runs it, or why none does; None where neither is so."""
    explain = block.page.startswith(FOLDER.relative_to(ROOT).as_posix())
    match block.info:
        case ["rules" | "sh", "wrong" | "right"]:
            return "tests/diagnostics/test_pages.py" if explain else None
        case ["rules", *rest] if "from" not in block.says and rest[:1] in ([], ["error"]):
            return None if explain else "test_examples.py"
        case ["python" | "sh"] if "from" not in block.says:
            return None if explain else "test_examples.py, test_commands.py"
        case ["text"] if "message" in block.says or "shows" in block.says:
            return "test_examples.py"
        case [language] if language in ELSEWHERE:
            return ELSEWHERE[language]
    if "data" in block.says:
        return "test_examples.py"
    if "from" in block.says:
        return "test_a_part_of_a_file_is_in_it"
    return block.says.get("not run") or None


@pytest.mark.parametrize("page", [*PAGES, *EXPLAIN], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_is_checked(page: Path) -> None:
    bare = [block.where for block in blocks(page) if checked_by(block) is None]
    assert bare == [], "write `<!-- not run: WHY -->` above what no test can run"


def test_a_part_of_a_file_is_in_it() -> None:
    parts = [block for page in PAGES for block in blocks(page) if "from" in block.says]
    for block in parts:
        assert block.body.rstrip("\n") in (ROOT / block.says["from"]).read_text("utf-8"), block.where
    assert parts


def test_tests_that_are_named_are_there() -> None:
    """Where a block is left to a test elsewhere."""
    named = [
        (block.where, path)
        for page in PAGES
        for block in blocks(page)
        for path in re.findall(r"\btests/[\w/.]+", block.says.get("not run", ""))
    ]
    assert [one for one in named if not (ROOT / one[1]).exists()] == []
    assert named


def test_what_is_unchecked_is_noticed(tmp_path: Path) -> None:
    def block(*info: str, says: dict[str, str] | None = None) -> Block:
        return Block("docs/x.md", 1, info, says or {}, "")

    assert checked_by(block()) is None
    assert checked_by(block("text")) is None
    assert checked_by(block("json")) is None
    assert checked_by(block("rules", "wrong")) is None
    assert checked_by(block("text", says={"message": ""})) is not None
    assert checked_by(block(says={"not run": "a sketch"})) == "a sketch"
    assert checked_by(block(says={"not run": ""})) is None
