"""Why a move can be made, or why not: what `State.explain` gives.

Purpose: one form of answer for engines and the interpreter, for people (`to_text`) and programs (`to_json`).
Input: made by `conche.why`. Output: frozen data, equal where the answers are equal.
Invariants: nothing here knows the rules or the compiler; an answer holds only what its player may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from conche_runtime.errors import ConcheError

if TYPE_CHECKING:
    from conche_runtime.interface import JSON, Move

SCHEMA: Final = 1
"""The number in `conche` of an explanation as JSON; it goes up when the meaning of a field changes."""

Asked: TypeAlias = "Move | int | str | Mapping[str, JSON]"
"""What can be asked about: a move; the number of a legal move; what a person types (`place at 1,2`); or
`{"name": …, "args": {…}}`, with some of the arguments or all."""

Verdict: TypeAlias = Literal["legal", "illegal", "unclear"]
"""`unclear`: what was asked about is nothing that can be understood."""

Kind: TypeAlias = Literal[
    "case", "holds", "fails", "in", "outside", "hidden", "fault", "turn", "decision", "over", "unknown"
]
"""What a reason is.

    case      a case of the decision: what is under it concerns it
    holds     a condition that holds            fails    a condition that does not
    in        a value that can be chosen        outside  a value that cannot
    hidden    it depends on what the player cannot see
    fault     the rules fail here
    turn      another player is asked, or nobody
    decision  another decision is asked now
    over      the game is over
    unknown   the rules have no such name or value
"""


@dataclass(frozen=True, slots=True)
class Clause:
    """A cited clause of the rulebook; `title` is empty where the clause file is not at hand."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A place in the rules. `path`: the declaration it stands in (`step.place`); `module`: the game or module
    whose file it is; `text`: the line, without its citations."""

    file: str
    line: int
    path: str
    module: str
    text: str
    clauses: tuple[Clause, ...] = ()

    @property
    def place(self) -> str:
        """`rules/cacao/cacao.rules:109`"""
        return f"{self.file}:{self.line}"

    def to_json(self) -> dict[str, Any]:
        clauses = [{"id": clause.id, "title": clause.title} for clause in self.clauses]
        return {
            "file": self.file,
            "line": self.line,
            "path": self.path,
            "module": self.module,
            "text": self.text,
            "clauses": clauses,
        }


@dataclass(frozen=True, slots=True)
class Value:
    """A value that decided: what it is of, as the rules write it (`you.sun`), and the value in words."""

    name: str
    shown: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence, the rule that it follows from, the values that decided, and what is behind it."""

    kind: Kind
    text: str
    rule: Rule | None = None
    values: tuple[Value, ...] = ()
    because: tuple[Reason, ...] = ()

    def walk(self) -> Iterator[Reason]:
        """Itself and all that is behind it."""
        yield self
        for reason in self.because:
            yield from reason.walk()

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "text": self.text,
            "rule": None if self.rule is None else self.rule.to_json(),
            "values": [{"name": value.name, "value": value.shown} for value in self.values],
            "because": [reason.to_json() for reason in self.because],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """player: to whom it is told. asked: the question, as it was understood (`place worker 2-1-0-1`).
    decision: what that player is asked now, if anything. title: the answer in one sentence. near: what would
    be legal instead, one sentence each. name and args: of the move it speaks of, where it is one."""

    player: int
    asked: str
    verdict: Verdict
    decision: str | None
    title: str
    reasons: tuple[Reason, ...] = ()
    near: tuple[str, ...] = ()
    name: str | None = None
    args: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def legal(self) -> bool:
        return self.verdict == "legal"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every place of the rules that is named, each once, in order."""
        found = (one.rule for reason in self.reasons for one in reason.walk() if one.rule is not None)
        return tuple(dict.fromkeys(found))

    def to_text(self) -> list[str]:
        """As lines for a terminal, the title first; none is wrapped."""
        lines, told = [self.title], set[Rule]()
        for reason in self.reasons:
            of_reason = list(_lines(reason, 1, told))
            lines += of_reason[1:] if reason.text == self.title else of_reason
        return [*lines, *(f"  - {near}" for near in self.near)]

    def to_json(self) -> dict[str, Any]:
        """The documented form."""
        return {
            "conche": SCHEMA,
            "player": self.player,
            "asked": self.asked,
            "verdict": self.verdict,
            "decision": self.decision,
            "move": None if self.name is None else {"name": self.name, "args": dict(self.args or {})},
            "title": self.title,
            "reasons": [reason.to_json() for reason in self.reasons],
            "near": list(self.near),
        }


def _lines(reason: Reason, depth: int, told: set[Rule]) -> Iterator[str]:
    """`told`: the rules already shown; each is shown once."""
    pad = "  " * depth
    values = [f"{value.name} = {value.shown}" for value in reason.values]
    yield f"{pad}{reason.text}{': ' if values else ''}{', '.join(values)}"
    if reason.rule is not None and reason.rule not in told:
        told.add(reason.rule)
        yield f"{pad}    | {rule_line(reason.rule)}"
    for inner in reason.because:
        yield from _lines(inner, depth + 1, told)


_TITLE = 60
"""Longer titles of clauses are cut in lines."""


def rule_line(rule: Rule) -> str:
    """`cacao.rules:109  case (worker …)  §8b place`, in one line."""
    clauses = " ".join(f"§{clause.id} {_cut(clause.title)}".rstrip() for clause in rule.clauses)
    place = f"{rule.file.rpartition('/')[2]}:{rule.line}"
    return "  ".join(part for part in (place, rule.text, clauses) if part)


def _cut(title: str) -> str:
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1].rstrip()}…"


Explainer: TypeAlias = Callable[[Any, int, Any], Explanation]
"""Explains a state of an engine: the state, the player, what is asked."""


class NotExplainedError(ConcheError):
    """There is nothing at hand that could explain: an engine without its rules."""


def no_rules(ruleset: str) -> NotExplainedError:
    """For an engine that was imported by itself."""
    return NotExplainedError(
        f"this engine of '{ruleset}' was imported without its rules, which explanations need: "
        f'load it with `conche.load("{ruleset}")`'
    )
