"""Old records under new rules: which still replay to the same result, and why the others do not.

Purpose: what a server has to do with its games after a change of the rules.
Input: records, and the version that they are to be played by. Output: a `Sorted` for each.
Invariants: a record counts as the same only where every line fits, scores and ranking included; an unfinished
one where every line that is there does. The reason is the group of changes with which alone, put into the
record's own rules, it fails as early (`sure`), or all names that are others now, where these alone do; where
no group alone does, every change that may influence the decision at which it fails.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from conche.compare.compare_versions import Compared, compare_versions, written_anew
from conche.compare.model import Change, Verdict
from conche.compare.witness.hybrid import hybrid
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.pipeline import CompileError
from conche.source import SourceError
from conche.versions.sources import by_digest
from conche.versions.version import Version
from conche_runtime.errors import RecordError
from conche_runtime.interface import State
from conche_runtime.records import Record, ScoresLine, read_record
from conche_runtime.replay import replay


class Outcome(StrEnum):
    """`result`: all moves replay, scores or ranking differ."""

    SAME = "same"
    RESULT = "result"
    DIVERGES = "diverges"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Sorted:
    """`line`: the first that no longer fits. `because`: changes between the record's own rules and the new
    ones. `note`: what could not be found out."""

    file: str
    outcome: Outcome
    line: int | None
    message: str
    because: tuple[Change, ...] = ()
    sure: bool = False
    note: str = ""


class Triage:
    """Sorts records under one version; what is known of their own rules is kept."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.engine = Interpreter(version.graph)
        self._known: dict[str, _Reasons | str] = {}

    def sort(self, file: str) -> Sorted:
        try:
            record = read_record(file)
        except RecordError as error:
            return Sorted(file, Outcome.UNREADABLE, None, str(error))
        result = replay(self.engine, record)
        if result.problem is None:
            return Sorted(file, Outcome.SAME, None, result.note or "")
        line = result.problem.line
        scores = any(isinstance(one, ScoresLine) and one.line == line for one in record.lines)
        outcome = Outcome.RESULT if scores else Outcome.DIVERGES
        found = Sorted(file, outcome, line, result.problem.message)
        reasons = self._reasons(record, Path(file).parent)
        if isinstance(reasons, str):
            return replace(found, note=reasons)
        sure = reasons.names(record, line) or reasons.alone(record, line)
        if sure:
            return replace(found, because=sure, sure=True)
        return replace(found, because=reasons.perhaps(result.state, scores))

    def _reasons(self, record: Record, folder: Path) -> _Reasons | str:
        """What may be the reason for records of the same rules; or why that cannot be said."""
        header = record.header
        if header.digest not in self._known:
            try:
                own = by_digest(header.ruleset, header.ruleset, header.digest, folder)
            except SourceError as error:
                self._known[header.digest] = error.diagnostic.title
            except CompileError:
                self._known[header.digest] = f"the rules of '{header.ruleset}' have errors"
            else:
                self._known[header.digest] = _Reasons(compare_versions(own, self.version))
        return self._known[header.digest]


class _Reasons:
    """The changes between one version and the new one, group by group."""

    def __init__(self, compared: Compared) -> None:
        every = compared.comparison.changes
        self.renamed = tuple(
            change
            for change, found in zip(every, compared.found, strict=True)
            if found.renamed_from is not None and change.verdicts.records is Verdict.BREAKING
        )
        changes = [
            one
            for one in every
            if one not in self.renamed and (one.changes_play or one.verdicts.records is Verdict.BREAKING)
        ]
        self.groups: dict[int, tuple[Change, ...]] = {
            group: tuple(one for one in changes if one.group == group)
            for group in dict.fromkeys(one.group for one in changes)
        }
        self.compared = compared
        self._engines: dict[int, Interpreter | None] = {}
        self._with_names: Interpreter | None = None

    def names(self, record: Record, line: int) -> tuple[Change, ...]:
        """The names that records have in them and that are others now, where the record fails no later by
        its own rules with the new names."""
        if not self.renamed:
            return ()
        if self._with_names is None:
            with_names = written_anew(self.compared.matched, self.compared.new.rulebook)
            self._with_names = Interpreter(from_rulebook(with_names))
        problem = replay(self._with_names, record).problem
        return self.renamed if problem is not None and problem.line <= line else ()

    def alone(self, record: Record, line: int) -> tuple[Change, ...]:
        """The changes of the groups with which alone the record fails no later."""
        if len(self.groups) == 1:
            return next(iter(self.groups.values()))
        found: list[Change] = []
        for group, changes in self.groups.items():
            engine = self._engine(group)
            problem = None if engine is None else replay(engine, record).problem
            if problem is not None and problem.line <= line:
                found += changes
        return tuple(found)

    def _engine(self, group: int) -> Interpreter | None:
        if group not in self._engines:
            made = hybrid(self.compared, group)
            self._engines[group] = None if made is None else Interpreter(from_rulebook(made))
        return self._engines[group]

    def perhaps(self, state: State | None, scores: bool) -> tuple[Change, ...]:
        """The changes that may have to do with the end of the game, or with the decision at which play
        stands."""
        changes = [one for changes in self.groups.values() for one in changes]
        if scores:
            return tuple(one for one in changes if one.reach.scores)
        decision = None if state is None else state.decision
        return tuple(one for one in changes if decision is None or decision in one.reach.decisions)
