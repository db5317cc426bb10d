"""Bodies that have moved into a step of their own.

Purpose: a step that others now run around (as modules do with `before`, `after` and `wrap`), or that a body
was taken out into, is not gone: its body stands elsewhere.
Input: the declarations of both sides. Output: `Home`s.
Invariants: the body's new home is a step that only the other side has: `x.original` for `x`, or one with
the same body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conche.compare.declarations import Declaration
from conche.semantics import rulebook as rb
from conche.semantics.canonical import write

_RUNS_INNER = (".original", ".steps")


@dataclass(frozen=True, slots=True)
class Home:
    """`old` and `new` are the paths of the two sides' bodies. `outer`: the path that both sides have,
    `inner` the one that only one side has; `is_new`: that is the new one. `around`: what else stands in
    `outer` there."""

    old: str
    new: str
    outer: str
    inner: str
    is_new: bool
    around: tuple[Any, ...]


def new_homes(ours: Mapping[str, Declaration], theirs: Mapping[str, Declaration]) -> list[Home]:
    found = [
        Home(outer, inner, outer, inner, True, around) for outer, inner, around in _taken_out(ours, theirs)
    ]
    found += [
        Home(inner, outer, outer, inner, False, around) for outer, inner, around in _taken_out(theirs, ours)
    ]
    return found


def _taken_out(
    before: Mapping[str, Declaration], after: Mapping[str, Declaration]
) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Of `after`, the steps that hold what another path holds in `before`: the path, the step, the rest."""
    found = []
    inner = {path: one for path, one in after.items() if one.sort == "step" and path not in before}
    by_body = {
        write(body): path for path, one in inner.items() for body in [_body(one.node)] if len(body) > 1
    }
    for path, one in before.items():
        other = after.get(path)
        body = _body(one.node)
        if other is None or write(body) == write(_body(other.node)):
            continue
        named = [f"step.{path.partition('.')[2]}{ending}" for ending in _RUNS_INNER]
        home = by_body.get(write(body)) or next((name for name in named if name in inner), None)
        if home is not None and _runs(other.node, home):
            found.append((path, home, tuple(stmt for stmt in _body(other.node) if not _is_run(stmt, home))))
    return found


def _body(node: object) -> tuple[rb.Stmt, ...]:
    return node.body if isinstance(node, rb.Step | rb.ActionCase) else ()


def _is_run(stmt: object, path: str) -> bool:
    return isinstance(stmt, rb.Do) and f"step.{stmt.step}" == path


def _runs(node: object, path: str) -> bool:
    return any(_is_run(stmt, path) for stmt in _body(node))
