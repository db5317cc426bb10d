"""Where a scenario of one version stands: which file, and under which `with`.

Purpose: a scenario is played with just the modules and options that its place in the files names.
Input: a version. Output: a `Home`: the text's file, the lines around it, and the way to read the version with
the text in it.
Invariants: nothing is written. With modules in play it is the file of one that no other requires, under a
`with` for the rest; else the game's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conche.modules.library import parsed
from conche.modules.load import load_ruleset
from conche.semantics import rulebook as rb
from conche.source import Source
from conche.syntax import ast
from conche.versions.version import Version


@dataclass(frozen=True, slots=True)
class Home:
    """`file`: by the name that findings call it; `condition`: what stands behind `with`, if anything."""

    version: Version
    file: str
    condition: str
    told: bool
    """Whether the text says in which file it belongs: with modules that is not plain."""

    def placed(self, scenario: str) -> str:
        """The text of a scenario as it stands in its file."""
        lines = scenario.splitlines()
        if self.condition:
            lines = [f"with {self.condition}", *(f"  {line}" if line else "" for line in lines)]
        if self.told:
            lines.insert(0, f"# for {self.file}")
        return "\n".join(lines) + "\n"

    def read(self, text: str, title: str) -> rb.Scenario | None:
        """The scenario, typed with the version's rules; None where it cannot be read there, or is not meant
        for this ruleset."""
        version = self.version

        def longer(path: str, name: str) -> Source:
            source = version.read(path, name)
            if source.name != self.file:
                return source
            return Source(source.name, f"{source.text.rstrip()}\n\n{text}")

        loaded = load_ruleset(version.ruleset, read=longer)
        if loaded.rulebook is None:
            return None
        return next((one for one in reversed(loaded.rulebook.scenarios) if one.title == title), None)


def home_of(version: Version) -> Home | None:
    """Where scenarios for just this ruleset stand; None where no place names it."""
    rules = version.rulebook
    options = [
        f"option {one.name} is {one.value}" for one in rules.options.values() if one.value != one.default
    ]
    if len(options) > 1:
        return None
    headers = _headers(version.sources)
    modules = sorted(name for name, _ in rules.versions if name != rules.game)
    if not modules:
        file = next((name for name, head in headers.items() if head.name.text == rules.game), None)
        return None if file is None else Home(version, file, " and ".join(options), told=False)
    files = {head.name.text: name for name, head in headers.items()}
    if not set(modules) <= files.keys():
        return None
    required = {name: {one.text for one in headers[files[name]].requires} for name in modules}
    top = [name for name in modules if not any(name in others for others in required.values())]
    home = max(top, key=lambda name: (len(_closure(name, required)), name))
    rest = [name for name in modules if name not in _closure(home, required)]
    return Home(version, files[home], " and ".join([*rest, *options]), told=True)


def _headers(sources: Mapping[str, Source]) -> dict[str, ast.Header]:
    found: dict[str, ast.Header] = {}
    for name, source in sources.items():
        if name.endswith(".rules"):
            header = parsed(source)[0].header
            if header is not None:
                found[name] = header
    return found


def _closure(name: str, required: Mapping[str, set[str]]) -> set[str]:
    """A module and all that it requires."""
    found, waiting = {name}, [name]
    while waiting:
        for other in required.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
