"""Names for the target: from what the rules call a thing to what generated Python calls it.

Input: names of the rules and ids of the graph. Output: Python names.
Invariants: a name is an ASCII identifier of at most 40 characters, no keyword, no built-in, nothing that the
runtime calls something else, and unique in its scope. The same names are given for the same rules in the same
order."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

import conche_runtime

LONGEST = 40

MODULE = (
    "Any Callable ClassVar FILE GAME LINES Next Sequence State TypeAlias annotations blank conche_runtime"
    " dataclass engine insort new_state rank refresh self state"
)
"""What generated modules import from elsewhere or define themselves."""

RUNTIME = frozenset((*conche_runtime.__all__, *MODULE.split()))
"""What has a meaning in every generated module."""

ATTRIBUTES = frozenset(name for name in dir(conche_runtime.EngineState) if not name.startswith("__"))
"""What every state has."""

MOVE_ATTRIBUTES = frozenset(("args", "codes", "entries", "name"))
"""What every move has."""

_WORD = re.compile(r"[^0-9A-Za-z_]+")


def is_taken(name: str) -> bool:
    """Whether Python, or every generated module, means something else by it."""
    return (
        keyword.iskeyword(name)
        or keyword.issoftkeyword(name)
        or hasattr(builtins, name)
        or name in RUNTIME
        or name in ("l", "O", "I")
        or name.startswith("__")
    )


def plain(text: str) -> str:
    """An identifier close to a text."""
    word = _WORD.sub("_", text).strip("_")
    if not word or word[0].isdigit():
        word = f"n{word}"
    return word[:LONGEST].rstrip("_")


def camel(text: str) -> str:
    """`build_hut` -> `BuildHut`"""
    return plain("".join(part[:1].upper() + part[1:] for part in plain(text).split("_")))


def constant(text: str) -> str:
    """`market.faces` -> `MARKET_FACES`"""
    return plain(text).upper()


class Scope:
    """Unique names. `outer`: scopes whose names are not used either."""

    def __init__(self, *outer: Scope, reserved: Iterable[str] = ()) -> None:
        self.outer = outer
        self.names: set[str] = set(reserved)

    def has(self, name: str) -> bool:
        return name in self.names or any(scope.has(name) for scope in self.outer)

    def give(self, wanted: str) -> str:
        """A name like the wanted one."""
        wanted = wanted.lstrip("_") or "n"
        name = wanted
        if is_taken(name) or self.has(name):
            name = f"{wanted}_"
        number = 2
        while is_taken(name) or self.has(name):
            name = f"{wanted}_{number}"
            number += 1
        self.names.add(name)
        return name


def block_name(node_id: str) -> str:
    """What the block that begins at a node of the graph is called."""
    routine, *inner = node_id.split("/")
    parts = [routine_name(routine)]
    words = [re.sub(r"^\d+\.", "", part) for part in inner]
    while words and (words[-1] in ("next", "") or words[-1].isdigit()):
        words.pop()
    if words:
        last = words[-1].removeprefix("choose_").removeprefix("do_")
        if last != parts[0]:
            parts.append(last)
        elif inner[-1].isdigit():
            parts.append("chosen")
    return plain("_".join(parts))


def decision_name(node_id: str, name: str) -> str:
    """What the decision at a node is called."""
    routine = routine_name(node_id.split("/")[0])
    if routine == name or routine.startswith(f"{name}_"):
        return plain(routine)
    return plain(f"{routine}_{name}")


def routine_name(routine: str) -> str:
    """`action.use.water` -> `use_water`"""
    _, _, rest = routine.partition(".")
    return plain(rest.replace("(", "_").replace(")", ""))
