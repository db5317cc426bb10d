"""How examples are cut out of pages and put together; and that every link of the documentation leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.pages import ROOT, declarations, key_of, splice

GAME = """\
# about the game
game g "G"
  players 2..2

# about a
step a                                         §1
  stop

store b of Ware, open
action use(coin(1)): stop
action use(coin(2)): stop
"""


def test_declarations_keep_their_comments() -> None:
    assert [key_of(part) for part in declarations(GAME)] == [
        ("game",),
        ("step", "a"),
        ("zone", "b"),
        ("action", "use", "coin", "1"),
        ("action", "use", "coin", "2"),
    ]
    assert declarations(GAME)[1].startswith("\n# about a\nstep a")


def test_a_fragment_replaces_and_adds() -> None:
    made = splice(GAME, "row b of 2 Ware, open\n\nstep new: stop\naction use(coin(2)): end game\n")
    assert "store b" not in made
    assert "row b of 2 Ware, open" in made
    assert "step a " in made
    assert "step new: stop" in made
    assert "action use(coin(1)): stop" in made
    assert made.count("action use(coin(2))") == 1


PAGES = [ROOT / "README.md", ROOT / "compiler" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in _anchors(file), f"{page.name}: {target}"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
