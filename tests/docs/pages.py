"""The examples of the documentation: where they stand, and the whole games that they mean.

Input: the Markdown pages. Output: `Example`s.
A fenced block is an example by its first word, and the comment line above it says how it is to be read:

    ```rules              a whole game, or declarations to be put into one
    ```rules error C0201  the same, with findings of that code and no others
    ```python             run in one namespace a page, from top to bottom
    ```text               after `<!-- message -->`: what the compiler says of the block before it;
                          after `<!-- shows: COMMAND -->`: what the command prints for it, a line `…` for any
                          lines; `<!-- shows: COMMAND, exit: 1 -->` where it ends with that code

    <!-- game: NAME -->   a whole game, which later blocks of the page may name
    <!-- same: NAME -->   the game of that name as it has become, to the letter
    <!-- name: NAME -->   the file is called so, without the ending, where no header says how
    <!-- file: PATH -->   a whole game that is the text of that file of the repository, to the letter
    <!-- in: NAME -->     declarations for the game of that name (or file): one that the game has, by keyword
                          and name, is replaced, another is added
    <!-- in: NAME, game: NEW -->    the same, and what comes out may be named too
    <!-- over: NAME -->   a module for the game of that name (or file)
    <!-- to: NAME -->     declarations for the module of that name, put into it as `in` does for games
    <!-- over: …, module: NEW -->, <!-- to: …, module: NEW -->
                          the same, and the module may be named by later blocks
    <!-- …, beside: NAME -->    another module of that name is in play too

    <!-- data: NAME -->   a file of that name, which lies beside all games of the page
    ```sh                 commands, see test_commands.py; after `<!-- typed: A, B -->` with that input
    <!-- from: PATH -->   a part of that file of the repository, to the letter
    <!-- not run: WHY --> what no test can run; test_blocks.py has the languages that need no such line
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_NL = "\n"
_COMMENT = re.compile(r"<!-- ([^\n]*) -->\n+\Z")
_ZONES = ["pile", "row", "hand", "store", "bag", "pool"]


@dataclass(frozen=True)
class Example:
    page: str
    line: int
    """Of the block's first line of text."""
    language: str
    error: str | None
    """The code that the block is to be reported with."""
    whole: str
    """The text to compile; for Python and messages the block itself."""
    block: str
    name: str
    """What its rules file is called, without the ending."""
    folder: Path | None
    """Where the clause file of the game lies."""
    module: str = ""
    """The text of a module that is added to the game."""
    command: str = ""
    """Of a text: the command that prints it."""
    exit: int = 0
    """The code that the command ends with."""
    beside: str = ""
    """The text of another module that is in play."""
    data: tuple[tuple[str, str], ...] = ()
    """Files that lie beside the rules: names and texts."""

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Block:
    """Any fenced block, with what the comment line above it says."""

    page: str
    line: int
    info: tuple[str, ...]
    says: dict[str, str]
    body: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    shown = page.relative_to(ROOT).as_posix()
    out = []
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 2
        comment = _COMMENT.search(text, 0, fence.start())
        says = says_of(comment[1]) if comment else {}
        out.append(Block(shown, line, tuple(fence["info"].split()), says, fence["body"]))
    return out


def examples(page: Path) -> list[Example]:
    return list(_read(page))


def says_of(comment: str) -> dict[str, str]:
    """What a comment says, by word. What is typed has commas of its own."""
    if comment.startswith("typed: "):
        return {"typed": comment.removeprefix("typed: ")}
    return dict(part.partition(": ")[::2] for part in comment.split(", "))


def _read(page: Path) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    data = tuple((block.says["data"], block.body) for block in blocks(page) if "data" in block.says)
    shown = page.relative_to(ROOT).as_posix()
    games: dict[str, tuple[str, Path | None]] = {}
    modules: dict[str, tuple[str, Path | None, str]] = {}
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 2
        words = fence["info"].split()
        comment = _COMMENT.search(text, 0, fence.start())
        says = says_of(comment[1]) if comment else {}
        body = fence["body"]
        match words:
            case ["python"] if "from" not in says:
                yield Example(shown, line, "python", None, body, body, "", None)
            case ["text"] if "message" in says or "shows" in says:
                yield Example(
                    shown,
                    line,
                    "text",
                    None,
                    body,
                    body,
                    "",
                    None,
                    "",
                    says.get("shows", ""),
                    int(says.get("exit", 0)),
                )
            case ["rules", *rest]:
                error = rest[1] if rest[:1] == ["error"] else None
                whole, folder, module = body, None, ""
                if "in" in says:
                    prelude, folder = games.get(says["in"]) or _from_file(says["in"])
                    whole = splice(prelude, body)
                elif "over" in says:
                    (whole, folder), module = games.get(says["over"]) or _from_file(says["over"]), body
                elif "to" in says:
                    whole, folder, known = modules[says["to"]]
                    module = splice(known, body)
                elif "file" in says:
                    whole, folder = _from_file(says["file"])
                    assert body == whole, f"{shown}:{line}: the block is not the text of {says['file']}"
                elif "same" in says:
                    assert body == games[says["same"]][0], (
                        f"{shown}:{line}: the game is\n{games[says['same']][0]}"
                    )
                if "game" in says:
                    games[says["game"]] = whole, folder
                if "module" in says:
                    modules[says["module"]] = whole, folder, module
                beside = modules[says["beside"]][2] if "beside" in says else ""
                name = says.get("name") or _header_name(whole)
                yield Example(
                    shown, line, "rules", error, whole, body, name, folder, module, "", 0, beside, data
                )
            case _:
                pass


def _from_file(path: str) -> tuple[str, Path]:
    file = ROOT / path
    return file.read_text(encoding="utf-8"), file.parent


def _header_name(text: str) -> str:
    found = re.search(r"^game (\w+)", text, re.MULTILINE)
    return found[1] if found else "example"


# -- putting declarations into a game


def declarations(text: str) -> list[str]:
    """The text cut where a declaration starts at column 0; comments go with what they stand above."""
    parts: list[str] = [""]
    waiting = ""
    for line in text.splitlines(keepends=True):
        if line.startswith("#") or not line.strip():
            waiting += line
        elif line[0].isspace():
            parts[-1] += waiting + line
            waiting = ""
        else:
            parts.append(waiting + line)
            waiting = ""
    return [part for part in parts if part.strip()]


def key_of(declaration: str) -> tuple[str, ...]:
    """What makes two declarations the same one: the keyword and the name."""
    lines = declaration.splitlines()
    first = next(line for line in lines if line.strip() and not line.startswith("#"))
    words = re.findall(r'"[^"]*"|§?[\w.]+|\S', first)
    match words:
        case ["action", name, "(", kind, "(", value, *_] if value.isdigit():
            return "action", name, kind, value
        case ["action", name, "(", kind, *_]:
            return "action", name, kind
        case [zone, name, *_] if zone in _ZONES:
            return "zone", name
        case ["each", whose, *_]:
            return "each", whose
        case ["setup" | "play" | "rank" | "game" as keyword, *_]:
            return (keyword,)
        case [keyword, name, *_]:
            return keyword, name
    return tuple(words)


def splice(game: str, fragment: str) -> str:
    """The game with declarations replaced where they stand, and others added at its end; all else as it was,
    blank lines too, so that lines have the numbers that a reader counts."""
    new = {key_of(part): part for part in declarations(fragment)}
    made = ""
    for part in declarations(game):
        better = new.pop(key_of(part), None)
        blank = part[: len(part) - len(part.lstrip("\n"))]
        made += part if better is None else f"{blank}{better.strip(_NL)}\n"
    for part in new.values():
        made = f"{made.rstrip(_NL)}\n\n{part.strip(_NL)}\n"
    return made
