"""What a place of the rules is for: set-up, play, scores.

Purpose: the same statement means something else in the set-up than in a turn.
Input: a rulebook. Output: a `Context` to be asked.
Invariants: what is used by both set-up and play counts as play; a query that anything but scores and the
ranking uses is no query of scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from conche.semantics import rulebook as rb
from conche.semantics.walk import walk


@dataclass(frozen=True, slots=True)
class Context:
    """Paths of declarations: `known` all that are run or asked, `setup` those that only the set-up runs,
    `scoring` the queries that only scores and the ranking use, `asking` the routines in which somebody is
    asked."""

    known: frozenset[str]
    setup: frozenset[str]
    scoring: frozenset[str]
    asking: frozenset[str]

    @classmethod
    def of(cls, rulebook: rb.Rulebook) -> Context:
        uses = _uses(rulebook)
        played = _reached(uses, ("play", *(f"trigger.{name}" for name in rulebook.triggers)))
        prepared = _reached(uses, ("setup",))
        scored = _reached(uses, (*(f"score.{name}" for name in rulebook.scores), "rank"))
        others = [path for path in uses if not path.startswith(("score.", "query.")) and path != "rank"]
        asked_elsewhere = _reached(uses, others)
        asks = {path for path, node in _nodes(rulebook) if any(isinstance(p, rb.Choose) for p in walk(node))}
        asking = {path for path in uses if _reached(uses, (path,)) & asks}
        return cls(
            frozenset(uses),
            frozenset(prepared - played),
            frozenset(path for path in scored - asked_elsewhere if path.startswith("query.")),
            frozenset(asking),
        )

    def asks(self, node: object) -> bool:
        """Whether somebody is asked in what stands there, or in what it runs."""
        return any(
            isinstance(part, rb.Choose) or (isinstance(part, rb.Do) and f"step.{part.step}" in self.asking)
            for part in walk(node)
        )


def _nodes(rulebook: rb.Rulebook) -> Iterable[tuple[str, object]]:
    yield "setup", rulebook.setup
    yield "play", rulebook.play
    yield "rank", rulebook.rank
    yield from ((f"step.{name}", node) for name, node in rulebook.steps.items())
    for action in rulebook.actions.values():
        yield f"action.{action.name}", ()
        yield from ((f"action.{action.name}.{case.label}", case) for case in action.cases)
    yield from ((f"query.{name}", node) for name, node in rulebook.queries.items())
    yield from ((f"trigger.{name}", node) for name, node in rulebook.triggers.items())
    yield from ((f"score.{name}", node) for name, node in rulebook.scores.items())
    yield from ((f"always.{name}", node) for name, node in rulebook.invariants.items())
    yield from ((f"board.{name}", node) for name, node in rulebook.boards.items())


def _uses(rulebook: rb.Rulebook) -> dict[str, set[str]]:
    """By path, what it runs and asks."""
    found: dict[str, set[str]] = {}
    for path, node in _nodes(rulebook):
        used = found.setdefault(path, set())
        for part in walk(node):
            match part:
                case rb.Do():
                    used.add(f"step.{part.step}")
                case rb.DoAction():
                    labels = [case.label for case in rulebook.actions[part.action].cases]
                    used |= {f"action.{part.action}", *(f"action.{part.action}.{label}" for label in labels)}
                case rb.Call():
                    used.add(f"query.{part.query}")
                case _:
                    pass
    return found


def _reached(uses: dict[str, set[str]], starts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += uses.get(path, ())
    return found
