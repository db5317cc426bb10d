"""The examples of the explain pages, made whole.

A page has fenced blocks of two kinds, each with `wrong` or `right` behind its language:

    ```rules wrong    declarations for the game of rules/examples/orchard.rules, which replace those of
                      the same name; modules for it; or a whole game of its own
    ```sh wrong       commands, in a folder where that game lies

Below `<!-- one file -->` a rules block is one file as it stands.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from conche.diagnostics.model import Diagnostic
from conche.diagnostics.pages import FOLDER
from conche.pipeline import check
from conche.resources import rules_dir
from conche.scenarios import run_scenarios
from docs.pages import declarations, key_of

EXAMPLES = rules_dir() / "examples"

_FENCE = re.compile(
    r"(?P<comment><!-- [^\n]* -->\n+)?^```(?P<language>\w+) (?P<kind>wrong|right)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_CODE = re.compile(r"(?:error|warning|note)\[(C\d{4})\]")


@dataclass(frozen=True)
class Example:
    code: str
    language: str
    wrong: bool
    body: str
    one_file: bool

    def __str__(self) -> str:
        return f"{self.code} {'wrong' if self.wrong else 'right'}"


def examples() -> list[Example]:
    return [example for path in sorted(FOLDER.glob("*.md")) for example in _of(path)]


def _of(path: Path) -> Iterator[Example]:
    for fence in _FENCE.finditer(path.read_text("utf-8")):
        one_file = "one file" in (fence["comment"] or "")
        yield Example(path.stem, fence["language"], fence["kind"] == "wrong", fence["body"], one_file)


def prepare(folder: Path) -> None:
    """Puts the game there that the examples speak of."""
    for name in ("orchard.rules", "orchard.clauses.md"):
        shutil.copy(EXAMPLES / name, folder)


def ruleset_of(example: Example) -> str:
    """Writes the files of a rules block into the current folder; the ruleset that they are."""
    text = example.body
    if example.one_file:
        Path("example.rules").write_text(text, "utf-8")
        return "example.rules"
    game, *modules = re.split(r"^(?=module )", text, flags=re.MULTILINE)
    alone = re.search(r"^game (?!orchard)|\A#", game, re.MULTILINE)
    whole = game if alone else put_in((EXAMPLES / "orchard.rules").read_text("utf-8"), game)
    Path("example.rules").write_text(whole, "utf-8")
    names = ["example.rules"]
    for module in modules:
        name = f"{module.split()[1]}.rules"
        Path(name).write_text(module, "utf-8")
        names.append(f"./{name}")
    return "+".join(names)


def found_in_rules(example: Example) -> list[Diagnostic]:
    """What is found in a rules block, its own scenarios included."""
    checked = check(ruleset_of(example))
    found = list(checked.diagnostics)
    if checked.graph is not None:
        own = [one for one in checked.graph.rulebook.scenarios if f'"{one.title}"' in example.body]
        for result in run_scenarios(checked.graph, own):
            found += result.failures
    return found


def codes_of_commands(example: Example, conche: Callable[[list[str]], str]) -> set[str]:
    """What the commands of a block report. `conche` runs one of ours, and returns what it says."""
    said = ""
    for line in example.body.splitlines():
        if line.startswith("conche "):
            said += conche(line.split()[1:])
        else:
            subprocess.run(["bash", "-c", line], check=True)
    return set(_CODE.findall(said))


def put_in(game: str, fragment: str) -> str:
    """The game with the declarations of a fragment instead of its own of the same name."""
    parts = declarations(fragment)
    new = {key_of(part) for part in parts}
    kept = [part for part in declarations(game) if key_of(part) not in new]
    header = [part for part in parts if key_of(part) == ("game",)]
    rest = [part for part in parts if key_of(part) != ("game",)]
    return "".join(f"{part.strip()}\n\n" for part in (*header, *kept, *rest))
