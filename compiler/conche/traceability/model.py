"""What a trace holds: parts, clauses, rules, citations, and how often rules were reached.

Input: built by `parts`, `rules`, `reach` and `trace`. Output: read by the `to_*` modules and by the printed
rulebook.
Invariants: parts stand in the order game, then modules by name; clauses, rules and scenarios in the order of
the parts and of their files. So a ruleset gives the same trace in whatever order its modules are named.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from conche.semantics.typed_module import Condition
from conche.syntax import ast

Key = tuple[str, str]
"""A clause: the name of its part, and its number there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause of a clause file, or a ruling that a rules file declares. `part` is the name of the game or
    module; `file` and `line` say where it stands."""

    part: str
    id: str
    title: str
    text: str
    file: str
    line: int

    @property
    def key(self) -> Key:
        """What tells it from a clause of another part that has the same number."""
        return self.part, self.id

    @property
    def is_ruling(self) -> bool:
        """Rulings have a letter before their number."""
        return self.id[:1].isalpha()


@dataclass(frozen=True, slots=True)
class Part:
    """The game, or one of the modules that are added to it."""

    name: str
    title: str
    version: str
    is_game: bool
    file: ast.File
    clause_file: str | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """`§1.4a` at a line of a rule. `condition` is that of the place: of the rule and, within it, of `with
    option` blocks. `players`: the numbers of players for which the place counts; empty for all. `clause` is
    the key of the clause meant; None where its part is not in the ruleset."""

    id: str
    line: int
    condition: Condition
    players: tuple[int, ...]
    in_force: bool
    clause: Key | None


Decl = ast.Decl | ast.Header


@dataclass(frozen=True, slots=True)
class Rule:
    """A declaration or a change as it stands in a file; what each player has, one by one.

    `place`: of a change, what it changes (`step.fill`). `in_force`: its condition holds and nothing replaces
    it. `counts` names what is counted when it is reached (see `reach`); empty for what does not run, such as
    a pile.
    """

    part: str
    name: str
    decl: Decl
    place: str | None
    condition: Condition
    in_force: bool
    cites: tuple[Citation, ...]
    counts: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return self.decl.span.file

    @property
    def line(self) -> int:
        return self.decl.span.line

    @property
    def needs_clause(self) -> bool:
        """Not a header, which names its part and may cite; nor `show`, which says how a position is drawn."""
        return not isinstance(self.decl, ast.Header | ast.ShowDecl)


class Standing(StrEnum):
    """How a clause stands to this combination.

    `rule`: a rule in force cites it. `parts`: none does, but one cites a clause below it. `scenario`: only
    scenarios do. `elsewhere`: only rules and scenarios of its own part do, and only in other
    combinations. `none`: nothing does.
    """

    RULE = "rule"
    PARTS = "parts"
    ELSEWHERE = "elsewhere"
    SCENARIO = "scenario"
    NONE = "none"


@dataclass(frozen=True, slots=True, order=True)
class Claim:
    """What makes a clause count, or would: the part that cites it, and the condition of that place.
    `replaced`: it would be in force, but something else stands in its stead."""

    part: str
    condition: Condition
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class Traced:
    """A clause with what cites it: numbers of rules in force, and of scenarios of the ruleset, from 0.
    `elsewhere`: rules that are not in force. `claims`: of the rules in force; where there is none, of those
    that are not; where there is none either, of scenarios in the files. A claim without conditions stands for
    its whole part."""

    entry: Entry
    standing: Standing
    rules: tuple[int, ...]
    elsewhere: tuple[int, ...]
    scenarios: tuple[int, ...]
    claims: tuple[Claim, ...]

    @property
    def without_rule(self) -> bool:
        return self.standing in (Standing.SCENARIO, Standing.NONE)


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """A scenario of the ruleset; `clauses` are the keys of those that it cites. What it reached is all that
    ran until it ended, or failed."""

    title: str
    file: str
    line: int
    clauses: tuple[Key, ...]
    passed: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """The scenarios that reached a rule, by number from 0; the games that did, and how often in all of
    them."""

    scenarios: tuple[int, ...] = ()
    games: int = 0
    times: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """`reached` by rule; None for a rule that does not run or is not in force. `games`: for each number of
    players, from `seed`."""

    ruleset: str
    parts: tuple[Part, ...]
    rules: tuple[Rule, ...]
    clauses: tuple[Traced, ...]
    scenarios: tuple[ScenarioRun, ...]
    reached: tuple[Reached | None, ...]
    players: tuple[int, ...]
    games: int
    seed: int

    @property
    def all_games(self) -> int:
        return self.games * len(self.players)

    @property
    def without_rule(self) -> tuple[Traced, ...]:
        return tuple(clause for clause in self.clauses if clause.without_rule)

    @property
    def without_clause(self) -> tuple[Rule, ...]:
        """Rules in force that cite nothing, neither themselves nor in any of their lines."""
        parts = {part.name for part in self.parts}
        return tuple(
            rule
            for rule in self.rules
            if rule.part in parts
            and rule.in_force
            and rule.needs_clause
            and not any(cite.in_force for cite in rule.cites)
        )
