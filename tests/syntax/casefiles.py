"""Reads and rewrites the case files of `cases/`: source and expectation side by side.

    === what is tried
    the source
    ---
    what is expected

`CONCHE_UPDATE=1` in the environment rewrites the expectations; the change is then read as a diff.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
UPDATE = os.environ.get("CONCHE_UPDATE") == "1"


@dataclass(frozen=True)
class Case:
    file: Path
    name: str
    source: str
    expected: str


def cases(folder: str) -> list[Case]:
    """All cases of `cases/<folder>`."""
    return [case for file in sorted((CASES / folder).glob("*.txt")) for case in cases_of(file)]


def update(folder: str, answer: Callable[[Case], str]) -> None:
    """Rewrites the expectations of a folder."""
    for file in sorted((CASES / folder).glob("*.txt")):
        parts = [f"=== {case.name}\n{case.source}---\n{answer(case)}" for case in cases_of(file)]
        file.write_text("\n".join(parts), encoding="utf-8", newline="\n")


def cases_of(file: Path) -> list[Case]:
    """All cases of a file."""
    found = []
    with file.open(encoding="utf-8", newline="\n") as lines:
        text = lines.read()
    for part in f"\n{text}".split("\n=== ")[1:]:
        name, _, rest = part.partition("\n")
        source, _, expected = f"\n{rest}\n".partition("\n---\n")
        found.append(Case(file, name, f"{source[1:]}\n" if source[1:] else "", expected.strip("\n") + "\n"))
    return found
