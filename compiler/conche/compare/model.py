"""What a comparison finds.

Purpose: the data that every output shows.
Input: none. Output: `Comparison` and its parts.
Invariants: plain frozen values; the graph and the trees are in the `Version`s alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conche.compare.balance import Balance
    from conche.compare.witness.model import Search


class Kind(StrEnum):
    """The classes of change, in the order in which they are shown."""

    COMPONENTS = "components"
    SETUP = "setup"
    ZONES = "zones"
    VISIBILITY = "visibility"
    DECISION_ADDED = "decision_added"
    DECISION_REMOVED = "decision_removed"
    DECISION_WIDENED = "decision_widened"
    DECISION_NARROWED = "decision_narrowed"
    DECISION_CHANGED = "decision_changed"
    CONDITION = "condition"
    EFFECT = "effect"
    VALUE = "value"
    ORDER = "order"
    SCORE = "score"
    END = "end"
    INTERFACE = "interface"
    RENAME = "rename"
    CHECK = "check"
    CLAUSE = "clause"


WORDS = {
    Kind.COMPONENTS: "component counts",
    Kind.SETUP: "set-up",
    Kind.ZONES: "zones and capacities",
    Kind.VISIBILITY: "visibility",
    Kind.DECISION_ADDED: "decision added",
    Kind.DECISION_REMOVED: "decision removed",
    Kind.DECISION_WIDENED: "decision widened",
    Kind.DECISION_NARROWED: "decision narrowed",
    Kind.DECISION_CHANGED: "decision changed",
    Kind.CONDITION: "condition",
    Kind.EFFECT: "effect",
    Kind.VALUE: "value",
    Kind.ORDER: "trigger and order",
    Kind.SCORE: "score",
    Kind.END: "end",
    Kind.INTERFACE: "module interface",
    Kind.RENAME: "rename",
    Kind.CHECK: "check",
    Kind.CLAUSE: "clause or wording",
}


class Verdict(StrEnum):
    COSMETIC = "cosmetic"
    COMPATIBLE = "compatible"
    BREAKING = "breaking"

    @property
    def weight(self) -> int:
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Text:
    """How a place reads in one version: its lines without citations, where they stand, what they cite."""

    text: str
    file: str
    line: int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """What a change may influence, by name. `direct`: at most three edges away."""

    steps: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AtRisk:
    """A module that changes a place which was changed. `breaks`: it cannot be read over the new game; `why`:
    the compiler's finding then."""

    module: str
    place: str
    breaks: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """With the reasons by what they are about."""

    interface: Verdict = Verdict.COSMETIC
    saves: Verdict = Verdict.COSMETIC
    records: Verdict = Verdict.COSMETIC
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """`path`: the declaration in the new version, or in the old one where it is gone there. `place`: the
    node of the action graph, or the path again. `what`: a sentence without a full stop. `group`: changes of
    one number belong together."""

    id: str
    kind: Kind
    path: str
    place: str
    what: str
    old: Text | None
    new: Text | None
    group: int = 0
    reach: Reach = Reach()
    at_risk: tuple[AtRisk, ...] = ()
    verdicts: Verdicts = Verdicts()

    @property
    def changes_play(self) -> bool:
        return self.kind not in (Kind.CLAUSE, Kind.RENAME, Kind.CHECK, Kind.INTERFACE)


@dataclass(frozen=True, slots=True)
class Side:
    """One version as the outputs name it."""

    label: str
    ruleset: str
    digest: str
    versions: tuple[tuple[str, str], ...]


class Sameness(StrEnum):
    """`equal`: one canonical form. `renamed`: one canonical form but for names."""

    EQUAL = "equal"
    RENAMED = "renamed"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`verdicts` are the worst of all changes; `proposed`: the version number that the new side should
    have."""

    old: Side
    new: Side
    sameness: Sameness
    changes: tuple[Change, ...]
    verdicts: Verdicts
    proposed: str
    clauses: Mapping[str, str] = field(default_factory=dict)
    """The titles of clauses that are cited, by id."""
    witness: Search | None = None
    balance: Balance | None = None

    @property
    def same(self) -> bool:
        return not self.changes
