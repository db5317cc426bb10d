"""How often games make use of each decision and rule.

Input: an action graph, what `counting` counted. Output: `Use`, which adds up, and from it `UseSummary`.
Invariant: sums are whole numbers, so the order in which they are added makes no difference.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conche.graph.model import ActionGraph, Node


@dataclass(slots=True)
class Use:
    """By id of a node. `times`: how often in all games; `games`: in how many. `asked`, `options`: of choices,
    how often somebody had two or more options, and how many there were then, all together."""

    times: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Use) -> None:
        self.times.update(other.times)
        self.games.update(other.games)
        self.asked.update(other.asked)
        self.options.update(other.options)


@dataclass(frozen=True, slots=True)
class RuleUse:
    """A node of the graph. `label`: of a case of a choice."""

    node: str
    kind: str
    title: str
    file: str
    line: int
    times: int
    games: int
    label: str = ""

    def to_json(self) -> dict[str, Any]:
        shown = {"label": self.label} if self.label else {}
        return {
            "node": self.node,
            "kind": self.kind,
            "title": self.title,
            **shown,
            "file": self.file,
            "line": self.line,
            "times": self.times,
            "games": self.games,
        }


@dataclass(frozen=True, slots=True)
class DecisionUse:
    """A choice of the rules. `routine`: the title of what it stands in. `asked`: how often somebody had two
    or more options; `options`: how many on average then; `cases`: with how often each was taken, forced ones
    too."""

    node: str
    name: str
    routine: str
    file: str
    line: int
    asked: int
    options: float | None
    cases: tuple[RuleUse, ...]

    @property
    def taken(self) -> int:
        """How often it was made, by somebody or for want of another option."""
        return sum(case.times for case in self.cases)

    def to_json(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "name": self.name,
            "routine": self.routine,
            "file": self.file,
            "line": self.line,
            "asked": self.asked,
            "options": self.options,
            "taken": self.taken,
            "cases": [case.to_json() for case in self.cases],
        }


@dataclass(frozen=True, slots=True)
class UseSummary:
    """`decisions` and `rules` in the order of the files. Rules are set-up and play, steps, actions, triggers,
    statements, queries and scores."""

    decisions: tuple[DecisionUse, ...]
    rules: tuple[RuleUse, ...]

    @property
    def unused(self) -> tuple[RuleUse, ...]:
        """What no game reached."""
        cases = (case for decision in self.decisions for case in decision.cases)
        unused = (rule for rule in (*self.rules, *cases) if not rule.times)
        return tuple(sorted(unused, key=lambda rule: (rule.file, rule.line)))

    def to_json(self) -> dict[str, Any]:
        return {
            "decisions": [decision.to_json() for decision in self.decisions],
            "rules": [rule.to_json() for rule in self.rules],
        }


def summarize_use(graph: ActionGraph, use: Use) -> UseSummary:
    """What was counted, by decision and rule."""
    from conche.semantics.rulebook import Choose

    def row(node: Node, label: str = "") -> RuleUse:
        return RuleUse(
            node.id,
            str(node.kind),
            node.title,
            node.span.file,
            node.span.line,
            use.times[node.id],
            use.games[node.id],
            label,
        )

    decisions, rules = list[DecisionUse](), list[RuleUse]()
    for node in sorted(graph.nodes(), key=lambda node: (node.span.file, node.span.start, node.id)):
        if isinstance(node.owns, Choose):
            asked = use.asked[node.id]
            cases = [
                row(graph.node(case), part.label)
                for part in node.parts
                for case in part.nodes
                if graph.node(case).role == "case"
            ]
            mean = use.options[node.id] / asked if asked else None
            place = graph.node(node.routine).title, node.span.file, node.span.line
            decisions.append(DecisionUse(node.id, node.owns.name, *place, asked, mean, tuple(cases)))
        elif _counts(node):
            rules.append(row(node))
    return UseSummary(tuple(decisions), tuple(rules))


def _counts(node: Node) -> bool:
    """Whether a node is a rule of its own: not the end of one, the head of a loop beside its beginning, or
    the place where a trigger is tried."""
    if node.kind in ("zone", "clause") or node.role in ("case", "next", "fire"):
        return False
    return node.role != "end" or node.id == node.routine
