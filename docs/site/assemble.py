"""Gathers the pages of the built documentation into one folder, as `sphinx-build` wants them.

Input: the pages of the repository. Output: copies of them, in the same places below `build/docs/pages`, so
that the links between them stay as they are; and pages that are made here: each explain page with its title,
the lists of codes and commands, the API, a page for each file and folder that some page links to.
Invariants: the navigation is `docs/README.md`: its headings, and below each the pages in the order in which
they are first linked there; what is not linked stands at the end. A file is written only when its text is
another, so that Sphinx builds only what has changed; what is not made any more is removed. Comments of pages
are for the tests and left out.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from api import api_pages
from commands import commands_page

from conche.diagnostics.codes import CODES, RANGES
from conche.diagnostics.pages import page_of

ROOT = Path(__file__).resolve().parents[2]
EXPLAIN = "compiler/conche/diagnostics/pages"
MADE = {
    "docs/commands.md": "Commands",
    "docs/codes.md": "Codes of findings",
    "docs/decisions/index.md": "Decisions",
    "docs/api/index.md": "The API, from docstrings",
}
"""Pages of the navigation that no file of the repository has."""

ORPHAN = "---\norphan: true\n---\n\n"
"""The head of a page that is in no navigation."""

_LINK = re.compile(r"(?P<head>\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()(?P<target>[^)\s]+)(?P<tail>\))")
_CODES = re.compile(
    r"(^#.*$|`[^`]+`|\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^)]*\))|\b(C0\d{3})\b(?!\.md)", re.MULTILINE
)
"""A heading, code or a link, which stay as they are; or the code of a finding."""
_FENCE = re.compile(r"^(?P<fence>```+).*?^(?P=fence)$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^<!--.*?-->\n+", re.MULTILINE | re.DOTALL)
_LANGUAGES = {
    ".py": "python",
    ".rules": "rules",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".j2": "jinja",
}
_LISTED = {".md", ".rules", ".lark"}


def assemble(out: Path) -> None:
    """Writes all pages into the folder."""
    pages = dict(_own_pages())
    pages.update(_made_pages())
    done: dict[str, str] = {}
    waiting = list(pages)
    while waiting:
        page = waiting.pop(0)
        text = pages.get(page) or _page_of_source(page)
        linked: list[str] = []
        done[page] = rewritten(text, page, linked.append)
        waiting += [
            target for target in dict.fromkeys(linked) if target not in done and target not in waiting
        ]
    done["index.md"] += _navigation(pages)
    _write(out, done)


def _own_pages() -> Iterator[tuple[str, str]]:
    """The pages of the repository by where they come to stand."""
    yield "index.md", _read("README.md")
    for path in ("CHANGELOG.md", "compiler/README.md"):
        yield path, _read(path)
    for file in sorted((ROOT / "docs").rglob("*.md")):
        path = file.relative_to(ROOT).as_posix()
        yield path, _read(path)


def _made_pages() -> Iterator[tuple[str, str]]:
    yield "docs/commands.md", commands_page()
    yield "docs/codes.md", _codes()
    decisions = sorted(path for path, _ in _own_pages() if path.startswith("docs/decisions/"))
    yield (
        "docs/decisions/index.md",
        _with_tree("# Decisions\n\nWhy things are as they are.\n", decisions, shown=True),
    )
    api = api_pages()
    yield from api.items()
    listed = f"# {MADE['docs/api/index.md']}\n\nWhat programs use, as the code itself says.\n"
    yield "docs/api/index.md", _with_tree(listed, list(api), shown=True)
    for code in CODES.values():
        text = page_of(code.code)
        assert text is not None, f"{code.code} has no page"
        # In no tree: 150 entries more make every page slow to build and the navigation hard to read.
        title = f"{ORPHAN}# {code.code}: {code.name}\n\n"
        yield (
            f"{EXPLAIN}/{code.code}.md",
            f"{title}{code.severity.value.capitalize()}. {code.summary}\n\n{text}",
        )


def _codes() -> str:
    """The list of codes, by range, with links to their explain pages."""
    text = "# Codes of findings\n\n`conche explain CODE` shows the same pages.\n"
    for start, codes in RANGES.items():
        text += f"\n## {start}xx\n\n| code | | |\n|---|---|---|\n"
        for one in codes:
            link = f"[{one.code}](../{EXPLAIN}/{one.code}.md)"
            text += f"| {link} | {one.name} | {one.summary} |\n"
    return text


def _page_of_source(path: str) -> str:
    """A page for what is no page: a file as it is, or what lies in a folder. It is in no navigation."""
    if path.endswith("/index.md"):
        folder = path.removesuffix("/index.md")
        return f"{ORPHAN}# {folder}\n\n" + "".join(_listing(ROOT / folder, folder, 0))
    if (ROOT / path).is_file():  # Markdown that is no page of the documentation: clauses
        return f"{ORPHAN}{_read(path)}"
    source = path.removesuffix(".md")
    text = _read(source)
    language = _LANGUAGES.get(posixpath.splitext(source)[1], "text")
    fence = "`" * (max((len(run) for run in re.findall(r"`{3,}", text)), default=2) + 1)
    return f"{ORPHAN}# {source}\n\n{fence}{language}\n{text.rstrip()}\n{fence}\n"


def _listing(folder: Path, top: str, depth: int) -> Iterator[str]:
    for entry in sorted(folder.iterdir(), key=lambda one: (one.is_file(), one.name)):
        name = entry.name
        if name.startswith((".", "__")):
            continue
        path = posixpath.relpath(entry.relative_to(ROOT).as_posix(), top)
        if entry.is_dir():
            yield f"{'  ' * depth}- `{name}/`\n"
            if depth < 1:
                yield from _listing(entry, top, depth + 1)
        else:
            yield f"{'  ' * depth}- " + (f"[{name}]({path})\n" if entry.suffix in _LISTED else f"`{name}`\n")


# -- links


def rewritten(text: str, page: str, seen: Callable[[str], object] = len) -> str:
    """The page without comments, with links that lead to pages; `seen` is called with each of these."""
    text = _COMMENT.sub("", text)
    parts, start = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_links(text[start : fence.start()], page, seen), fence[0]]
        start = fence.end()
    parts.append(_links(text[start:], page, seen))
    return "".join(parts)


def _links(text: str, page: str, seen: Callable[[str], object]) -> str:
    folder = posixpath.dirname(page)

    def link(found: re.Match[str]) -> str:
        path, _, anchor = found["target"].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found[0]
        target = place_of(posixpath.normpath(posixpath.join(folder, path)))
        if target is None:
            return found[0]  # Sphinx says that it leads nowhere
        seen(target)
        shown = posixpath.relpath(target, folder or ".") + (f"#{anchor}" if anchor else "")
        return f"{found['head']}{shown}{found['tail']}"

    return _CODES.sub(lambda found: found[1] or _code(found[2], folder), _LINK.sub(link, text))


def _code(code: str, folder: str) -> str:
    """The code of a finding, which leads to its page."""
    return f"[{code}]({posixpath.relpath(EXPLAIN, folder or '.')}/{code}.md)" if code in CODES else code


def place_of(path: str) -> str | None:
    """Where the page of a file or folder of the repository stands; None where there is no such thing."""
    file = ROOT / path
    if path == "README.md" or path == ".":
        return "index.md"
    if path in MADE or path.startswith("docs/api/"):
        return path
    if file.is_dir():
        return f"{path}/README.md" if (file / "README.md").is_file() else f"{path}/index.md"
    if not file.is_file():
        return None
    return path if path.endswith(".md") else f"{path}.md"


# -- navigation


def navigation() -> dict[str, list[str]]:
    """By heading of `docs/README.md`, the pages that are linked below it first, and all that is left."""
    groups: dict[str, list[str]] = {}
    known = {path for path, _ in _own_pages()} | set(MADE)
    # Decisions have a page of their own, with a tree of its own.
    left = {path: None for path in [*MADE, *sorted(known)] if not re.match(r"docs/decisions/\d", path)}
    for taken in ("index.md", "docs/README.md"):
        left.pop(taken)
    for section in re.split(r"^## ", _read("docs/README.md"), flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        for found in _LINK.finditer(body):
            target = place_of(posixpath.normpath(posixpath.join("docs", found["target"].partition("#")[0])))
            if target in left:
                groups.setdefault(title, []).append(target)
                left.pop(target)
    if left:
        groups["Reference"] = groups.get("Reference", []) + list(left)
    return groups


def _navigation(pages: dict[str, str]) -> str:
    text = "\n" + _tree(["docs/README.md"], "")
    for title, paths in navigation().items():
        text += _tree([path for path in paths if path in pages], title)
    return text


def _with_tree(text: str, paths: list[str], shown: bool = False) -> str:
    return f"{text}\n{_tree(paths, '', shown=shown)}"


def _tree(paths: list[str], caption: str, shown: bool = False) -> str:
    head = "```{toctree}\n" + ("" if shown else ":hidden:\n") + ":maxdepth: 1\n"
    head += f":caption: {caption}\n" if caption else ""
    return head + "\n" + "".join(f"/{path.removesuffix('.md')}\n" for path in paths) + "```\n\n"


# -- files


def _read(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def _write(out: Path, pages: dict[str, str]) -> None:
    for path, text in pages.items():
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
    for file in sorted(out.rglob("*.md")):
        if file.relative_to(out).as_posix() not in pages:
            file.unlink()


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
