"""The built documentation: it builds without a warning, all pages are in its navigation, no link is dead."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest

import slices
from conche.cli import COMMANDS
from conche.diagnostics.codes import CODES
from docs.pages import ROOT

if any(find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")):
    pytest.skip("needs the extra conche[docs]", allow_module_level=True)

SITE = ROOT / "docs" / "site"
sys.path.insert(0, str(SITE))

import assemble  # noqa: E402
import conf  # noqa: E402
from pygments.token import Error, Keyword  # noqa: E402
from rules_lexer import RulesLexer, grammar_words  # noqa: E402

RULES = sorted((ROOT / "rules").rglob("*.rules"))
OWN = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_all_rules_are_highlighted(file: Path) -> None:
    text = file.read_text("utf-8")
    tokens = list(RulesLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert [value for token, value in tokens if token in Error] == []
    assert "".join(value for _, value in tokens) == text
    first = next(value for token, value in tokens if token in Keyword.Declaration)
    assert first in ("game", "module")


def test_the_words_are_those_of_the_grammar() -> None:
    assert {"game", "scenario", "together", "flag", "yes", "and"} <= set(grammar_words())
    assert "you" not in grammar_words()
    tokens = {value: kind for kind, value in RulesLexer().get_tokens("step a\n  set you.step to yes\n")}
    assert tokens["to"] is Keyword
    assert tokens["yes"] is Keyword.Constant


def test_every_page_is_named_in_the_list_of_pages() -> None:
    """`docs/README.md` is the navigation; what it leaves out is put under `Reference`."""
    listed = [
        page for title, pages in assemble.navigation().items() for page in pages if title != "Reference"
    ]
    pages = [page.relative_to(ROOT).as_posix() for page in OWN if page.name != "README.md"]
    assert set(pages) <= set(listed)
    assert len(listed) == len(set(listed))


def test_make_docs_builds_it_alike() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(r"^docs: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe is not None
    for part in ("docs/site/assemble.py build/docs/pages", "-m sphinx -W --keep-going", "-c docs/site"):
        assert part in recipe[1]
    assert "/build/" in (ROOT / ".gitignore").read_text("utf-8")


def test_links_lead_to_pages() -> None:
    def told(text: str, page: str = "docs/errors.md") -> str:
        return assemble.rewritten(text, page)

    assert told("[a](language.md#5-types)") == "[a](language.md#5-types)"
    assert told("[a](../README.md#limits)") == "[a](../index.md#limits)"
    assert told("[a](../compiler)") == "[a](../compiler/README.md)"
    assert told("[a](decisions)") == "[a](decisions/index.md)"
    assert told("[`b`](../rules/examples/orchard.rules)") == "[`b`](../rules/examples/orchard.rules.md)"
    assert told("[a](https://example.org/x)") == "[a](https://example.org/x)"
    assert told("[a](no_such.md)") == "[a](no_such.md)"
    assert told("```text\n[a](../README.md)\n```\n") == "```text\n[a](../README.md)\n```\n"
    assert told("<!-- game: g -->\n```rules\n") == "```rules\n"
    assert told("see C0201, `C0202`\n# C0203\n") == (
        "see [C0201](../compiler/conche/diagnostics/pages/C0201.md), `C0202`\n# C0203\n"
    )
    assert told("[C0201](codes.md) C0999") == "[C0201](codes.md) C0999"
    assert told("[a](docs)", "README.md") == "[a](docs/README.md)"


def test_docstrings_become_what_sphinx_reads() -> None:
    lines = ["`Move`s of `a`:", "", "    part = 1", "", "    part", "", "and so on", "  - not code"]
    conf.docstring_as_rst(None, "module", "m", None, None, lines)
    assert lines[0] == "`Move`\\ s of `a`:"
    assert lines[1:4] == ["", "::", ""]
    assert lines[4:7] == ["    part = 1", "", "    part"]
    assert lines[-2:] == ["and so on", "  - not code"]
    lines = ["Purpose: to see.", "Input: an `A`.", "Output: text."]
    conf.docstring_as_rst(None, "module", "m", None, None, lines)
    assert lines == ["Purpose: to see.", "", "Input: an `A`.", "", "Output: text."]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, made once. The theme's own pages are slow to make: a run of everything has them."""
    folder = tmp_path_factory.mktemp("site")
    assemble.assemble(folder / "pages")
    theme = [] if slices.ALL else ["-D", "html_theme=basic"]
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        *theme,
        "-c",
        str(SITE),
    ]
    done = subprocess.run(
        [*command, str(folder / "pages"), str(folder / "html")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.mark.slow
def test_it_is_whole(site: Path) -> None:
    _no_dead_links(site)
    _all_in_the_navigation(site)
    _nothing_from_elsewhere(site)
    _rules_in_colour(site)
    _what_is_made(site)


def _no_dead_links(site: Path) -> None:
    @cache
    def anchors(file: Path) -> set[str]:
        return set(re.findall(r'\bid="([^"]+)"', file.read_text("utf-8")))

    dead = []
    for page in sorted(site.rglob("*.html")):
        for target in re.findall(r'\b(?:href|src)="([^"]*)"', page.read_text("utf-8")):
            path, _, anchor = unquote(unescape(target)).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            file = (page.parent / path.partition("?")[0]).resolve() if path else page
            if not file.is_file() or (anchor and file.suffix == ".html" and anchor not in anchors(file)):
                dead.append(f"{page.relative_to(site)}: {target}")
    assert dead == []


def _all_in_the_navigation(site: Path) -> None:
    """Sphinx warns of pages that are in no tree, unless they say so; none of ours says so."""
    trees = (site.parent / "pages" / "index.md").read_text("utf-8")
    pages = [page for pages in assemble.navigation().values() for page in pages]
    for page in pages:
        assert f"\n/{page.removesuffix('.md')}\n" in trees
        assert (site / page.replace(".md", ".html")).is_file()
        assert "orphan: true" not in (site.parent / "pages" / page).read_text("utf-8")
    assert len(pages) > 15
    if slices.ALL:  # the theme that has a navigation on every page
        linked = re.findall(
            r'class="reference internal" href="([^"#]+)"', (site / "index.html").read_text("utf-8")
        )
        assert {page.replace(".md", ".html") for page in pages} <= set(linked)


def _nothing_from_elsewhere(site: Path) -> None:
    for page in (site / "index.html", site / "docs" / "errors.html"):
        text = page.read_text("utf-8")
        assert not re.search(r'<(?:script|img|iframe)[^>]*\bsrc="(?:https?:)?//', text)
        assert not re.search(r'<link[^>]*\bhref="(?:https?:)?//', text)
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:|@import", style.read_text("utf-8"))


def _rules_in_colour(site: Path) -> None:
    text = (site / "docs" / "language.html").read_text("utf-8")
    assert '<div class="highlight-rules' in text
    assert re.search(r'<span class="kd">step</span>', text)
    assert "game: pebbles" not in text  # comments for the tests


def _what_is_made(site: Path) -> None:
    commands = (site / "docs" / "commands.html").read_text("utf-8")
    assert all(f'id="conche-{name}"' in commands for name in COMMANDS)
    codes = (site / "docs" / "codes.html").read_text("utf-8")
    for code in CODES:
        assert f"{code}.html" in codes
        assert (site / assemble.EXPLAIN / f"{code}.html").is_file()
    engines = (site / "docs" / "api" / "engines.html").read_text("utf-8")
    assert 'id="conche_runtime.interface.State.legal_moves"' in engines
