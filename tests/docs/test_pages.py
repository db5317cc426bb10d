"""How examples are cut out of pages and put together; and that what pages name is there: links, commands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conche.cli import COMMANDS
from conche.diagnostics.codes import CODES
from docs.pages import ROOT, declarations, examples, key_of, splice

LATER: set[str] = set()
"""Commands that the README says are not there yet."""

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


def test_what_is_not_replaced_stays_to_the_letter() -> None:
    made = splice(GAME, "# other words\nstep a\n  end game\n\nstep new: stop\n")
    before, _, after = GAME.partition(
        "# about a\nstep a                                         §1\n  stop\n"
    )
    assert made == f"{before}# other words\nstep a\n  end game\n{after}\nstep new: stop\n"


PAGES = [ROOT / "README.md", ROOT / "compiler" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_recipe_has_a_scenario() -> None:
    page = ROOT / "docs" / "rule-recipes.md"
    recipes = [one for one in examples(page) if one.language == "rules"]
    assert all(re.search(r"^ *scenario ", one.block, re.MULTILINE) for one in recipes[1:])
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)[1:]  # but for the game around them
    assert len(titles) == len(recipes) - 2 >= 20
    contents = text.partition("\n## ")[0]
    assert all(f"(#{title.lower().replace(' ', '-').replace(',', '')})" in contents for title in titles)


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)conche ([a-z]+)\b", text, re.MULTILINE))
    assert named <= {*COMMANDS, *LATER}, page.name
    targets = set(re.findall(r"(?:^|`)make ([a-z-]+)\b", text, re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_codes_exist(page: Path) -> None:
    assert set(re.findall(r"\bC0\d{3}\b", page.read_text(encoding="utf-8"))) <= set(CODES)


@pytest.mark.slow
def test_the_readme_changes_a_price(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "cache"))
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```\n(query .*)\n```$", page, re.MULTILINE)
    promised = re.search(r"red ends with\s+(\d+)\s+gold\s+instead\s+of\s+(\d+)", page)
    assert found
    assert promised
    rules = (ROOT / "rules" / "cacao" / "cacao.rules").read_text(encoding="utf-8")
    assert found[1] in rules
    for file in (ROOT / "rules" / "cacao").glob("*.md"):
        shutil.copy(file, tmp_path)
    (tmp_path / "cacao.rules").write_text(rules.replace(found[1], found[1] + " + 1"), encoding="utf-8")
    assert _red_gold(str(tmp_path / "cacao.rules")) == int(promised[1])
    assert _red_gold("cacao") == int(promised[2])


def _red_gold(ruleset: str) -> int:
    """What red has at the end of the game that `make play` shows."""
    command = [sys.executable, "-m", "conche.cli", "play", ruleset, "--players", "4", "--seed", "1"]
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    last = json.loads(done.stdout.splitlines()[-1])
    gold: int = last["scores"][0]["gold"]
    return gold


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
