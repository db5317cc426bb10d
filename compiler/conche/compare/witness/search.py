"""Games until the versions differ, then shorter ones.

Purpose: a short witness for each group of changes that changes play.
Input: a comparison, a budget of positions, a seed. Output: a `Search`.
Invariants: never more positions than the budget, shared out among the groups; the same for the same input.
Where no difference is seen, that is said, and nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from conche.compare.compare_versions import Compared
from conche.compare.model import Change, Kind, Sameness
from conche.compare.reach import Influence
from conche.compare.witness.back import in_new_records
from conche.compare.witness.guide import TRIED, Guide
from conche.compare.witness.hybrid import hybrid
from conche.compare.witness.lockstep import Lockstep, Split, Step
from conche.compare.witness.model import Move, Search, Witness
from conche.compare.witness.to_record import to_record
from conche.compare.witness.to_scenario import NoScenarioError, to_scenario
from conche.compare.witness.words import Words
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter
from conche.semantics import rulebook as rb

_MOST_MOVES = 2000
"""A game that goes on for longer is left."""

_SHORTER = 0.5
"""The share of a group's budget that may be spent on shorter witnesses once there is one."""


def search(compared: Compared, *, budget: int, seed: int = 0) -> Search:
    """Witnesses for the groups that change play."""
    groups = _groups(compared)
    if compared.comparison.sameness is not Sameness.DIFFERENT or not groups:
        return Search((), 0, 0, budget, ())
    old = Interpreter(from_rulebook(in_new_records(compared.matched.old, compared.new.rulebook)))
    spent = games = 0
    found: list[Witness] = []
    missing: list[int] = []
    for number, (group, changes) in enumerate(groups.items()):
        share = (budget - spent) // (len(groups) - number)
        hunt = _Hunt(compared, old, group, changes, share, seed, alone=len(groups) > 1)
        witness = hunt.run()
        spent += hunt.spent
        games += hunt.games
        if witness is None:
            missing.append(group)
        else:
            found.append(witness)
    return Search(tuple(found), spent, games, budget, tuple(missing))


def _groups(compared: Compared) -> dict[int, list[Change]]:
    groups: dict[int, list[Change]] = {}
    for change in compared.comparison.changes:
        if change.changes_play:
            groups.setdefault(change.group, []).append(change)
    return groups


@dataclass(frozen=True, slots=True)
class _Best:
    split: Split
    players: int
    seed: int
    moves: tuple[Move, ...]
    steps: tuple[Step, ...]


class _Hunt:
    """The search for one group."""

    def __init__(
        self,
        compared: Compared,
        old: Interpreter,
        group: int,
        changes: list[Change],
        budget: int,
        seed: int,
        alone: bool,
    ) -> None:
        self.compared, self.old, self.group = compared, old, group
        self.budget, self.seed = budget, seed
        self.spent = self.games = 0
        made = hybrid(compared, group) if alone else None
        self.alone = made is not None
        self.new = Interpreter(from_rulebook(made or compared.new.rulebook))
        self.scoring = any(change.kind in (Kind.SCORE, Kind.END) for change in changes)
        self.random = Random(f"{seed} {group}")
        self.guide = self._guide()
        ranges = [set(range(one.min_players, one.max_players + 1)) for one in (self.old, self.new)]
        tables = ranges[0] & ranges[1]
        if any(change.path == "players" for change in changes):
            # Those for whom one version is not made come first.
            self.tables = [*sorted(ranges[0] ^ ranges[1]), *sorted(tables)]
        else:
            self.tables = sorted(tables)

    def _guide(self) -> Guide:
        influence = Influence(self.old.program.graph)
        targets: list[str] = []
        for change, found in zip(self.compared.comparison.changes, self.compared.found, strict=True):
            if change.group == self.group:
                unit = found.old if found.old is not None else None
                names = [name for name in found.declares() if name.space in ("kind", "space")]
                targets += influence.seeds(unit, found.around, names, found.path)
        return Guide(influence, dict.fromkeys(targets))

    def run(self) -> Witness | None:
        best: _Best | None = None
        limit = self.budget
        while self.spent < limit:
            table = self.tables[self.games % len(self.tables)] if self.tables else 0
            if not table:
                return None
            guided = self.games >= len(self.tables) and self.games // len(self.tables) % 3 != 0
            if best is None:
                split = self._game(
                    table, self.seed + self.games // len(self.tables), _MOST_MOVES, guided, limit
                )
            else:
                split = self._shorter(best, table, guided, limit)
            if split is not None:
                if best is None:
                    limit = min(limit, self.spent + int((self.budget - self.spent) * _SHORTER))
                best = split
                if not best.moves:
                    break
        return None if best is None else self._witness(best)

    def _shorter(self, best: _Best, table: int, guided: bool, limit: int) -> _Best | None:
        """Another game, or the best one from some move on."""
        most = len(best.moves) - 1
        if self.games % 2:
            return self._game(table, self.seed + self.games // len(self.tables), most, guided, limit)
        kept = best.steps[: self.random.randrange(len(best.steps))]
        return self._game(best.players, best.seed, most, guided, limit, kept)

    def _game(
        self, players: int, seed: int, most: int, guided: bool, limit: int, kept: tuple[Step, ...] = ()
    ) -> _Best | None:
        """One game, as far as `most` moves, of which the first are `kept`; the first difference in it."""
        self.games += 1
        self.spent += 1
        game = Lockstep(self.old, self.new, players, seed, self.scoring)
        while game.begun and not game.over and len(game.moves) < most and self.spent < limit:
            looked = 0
            player = self.random.choice(game.old.to_act)
            if len(game.moves) < len(kept):
                player, index = kept[len(game.moves)]
            elif guided and self.spent + TRIED < limit:
                index, looked = self.guide.choose(game.old, player, self.random)
            else:
                index = self.random.randrange(game.old.count(player))
            game.step(player, index)
            self.spent += 1 + looked
        if game.split is None or game.split.old == game.split.new:
            return None
        return _Best(game.split, players, seed, tuple(game.moves), tuple(game.steps))

    def _witness(self, best: _Best) -> Witness:
        alone = self.alone and not self._shows_in_full(best)
        words = Words(self.old)
        witness = Witness(
            self.group,
            best.players,
            best.seed,
            tuple(self.old.program.book.seat_name(seat) for seat in range(best.players)),
            best.moves,
            best.split.differs,
            best.split.decision,
            best.split.old,
            best.split.new,
            alone,
            to_record(self._own(), best.players, best.seed, best.steps),
            None,
            tuple(words.arguments(move.name, move.args) for move in best.moves),
        )
        try:
            scenario = to_scenario(
                self.compared,
                self._own(),
                self.new,
                self.old.program.book.rulebook,
                witness,
                best.steps,
                best.split.facts,
            )
        except NoScenarioError as error:
            return replace(witness, no_scenario=str(error))
        return replace(witness, scenario=scenario)

    def _own(self) -> Interpreter:
        """The old version in its own names, for record and scenario."""
        rulebook: rb.Rulebook = self.compared.old.rulebook
        if rulebook is self.old.program.book.rulebook:
            return self.old
        return Interpreter(from_rulebook(rulebook))

    def _shows_in_full(self, best: _Best) -> bool:
        """Whether the two versions themselves differ first in this game too, in the same way."""
        full = Interpreter(from_rulebook(self.compared.new.rulebook))
        if not full.min_players <= best.players <= full.max_players:
            return False
        game = Lockstep(self.old, full, best.players, best.seed, self.scoring)
        for player, index in best.steps:
            if not game.begun or game.split is not None:
                return False
            game.step(player, index)
        return game.split is not None and (game.split.differs, game.split.old, game.split.new) == (
            best.split.differs,
            best.split.old,
            best.split.new,
        )
