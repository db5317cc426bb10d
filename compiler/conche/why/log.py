"""What happened in a game, step by step: as lines for people, and as JSON.

Purpose: what `conche log` tells of a record, and `log` of a game under way.
Input: what happened in a step: events, and with the rules at hand `Took` and `Effect` (effects.py). Output:
lines; documents.
Invariants: what the seats `eyes` may not know is left out; None: everything is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from conche.draw.words import Words
from conche.graph.from_rulebook import from_rulebook
from conche.interpret import InterpreterState
from conche.why.effects import Effect, Happening, NotingInterpreter, Took
from conche.why.for_engine import rules_of
from conche.why.texts import Texts
from conche_runtime.explanation import Rule, rule_line
from conche_runtime.interface import (
    ChanceEvent,
    ChosenEvent,
    Engine,
    Event,
    ForcedEvent,
    RevealEvent,
    State,
)


def noting_engine(engine: Engine, ruleset: str, beside: Path | None = None) -> NotingInterpreter:
    """An interpreter of an engine's rules that notes what it does. `beside`: a folder in which rules are
    looked for that have changed since. NotExplainedError when they are not kept."""
    rulebook, sources = rules_of(ruleset, engine.digest, beside)
    named = replace(rulebook, ruleset=engine.ruleset)
    return NotingInterpreter(from_rulebook(named), Texts(named, sources))


class Follower:
    """Follows a game step by step: what happened in each. By an interpreter that notes what it does, with the
    effects and the changed scores as well."""

    def __init__(self, engine: Engine, seat: int | None) -> None:
        """`seat`: whose knowledge is told; None: everything."""
        self._noting = engine if isinstance(engine, NotingInterpreter) else None
        self._seat = seat
        self._before: State | None = None

    def happened(self, state: State, events: Sequence[Event]) -> Sequence[Happening]:
        """What happened in a step; `events`: what the state itself tells of that."""
        before = self._before if isinstance(self._before, InterpreterState) else None
        told: Sequence[Happening] = events
        if self._noting is not None and isinstance(state, InterpreterState):
            told = self._noting.told(before, state, self._seat)
        self.pass_by(state)
        return told

    def pass_by(self, state: State) -> None:
        """A step that nobody asks about."""
        self._before = state.clone()
        if self._noting is not None:
            self._noting.forget()


# ------------------------------------------------------------------------------------------------ lines


def step_lines(
    words: Words,
    player: int | None,
    head: str | None,
    happened: Sequence[Happening],
    eyes: Sequence[int] | None,
) -> list[str]:
    """A decision and what followed it. `head`: the decision of `player`; None for the set-up, and where it is
    not shown. Whose a case is stands before it, where it does not follow on his move: what players choose at
    once is done after the last of them."""
    lines = [] if head is None else [head]
    mover = None if head is None else player
    for one in happened:
        last, mover = mover, one.player if isinstance(one, ForcedEvent | ChosenEvent) else None
        match one:
            case Took():
                whose = "" if one.player == last else f"{words.seats[one.player]}: "
                lines.append(f"    {words.faint(whose + rule_line(one.rule))}")
            case Effect():
                lines.append(f"      {one.text}  {words.faint(_in_short(one.rule))}")
            case _:
                lines += words.events([one], eyes)
    return lines


def _in_short(rule: Rule) -> str:
    """`cacao.rules:112 step.place §1.4a`"""
    clauses = " ".join(f"§{clause.id}" for clause in rule.clauses)
    place = f"{rule.file.rpartition('/')[2]}:{rule.line}"
    return " ".join(part for part in (place, rule.path, clauses) if part)


# ------------------------------------------------------------------------------------------------ JSON


def step_document(
    player: int | None,
    name: str,
    args: Mapping[str, Any] | None,
    happened: Sequence[Happening],
    eyes: Sequence[int] | None,
) -> dict[str, Any]:
    """The same as data. `player`, `name`, `args`: the decision; no player for the set-up."""
    document: dict[str, Any] = {}
    if player is not None:
        document = {"player": player, "name": name, "args": args}
        match list(happened):
            case [Took(player=who, rule=rule), *_] if who == player:
                document["rule"] = rule.to_json()
                happened = happened[1:]
    entries = [_entry(one, eyes) for one in happened]
    return document | {"happened": [entry for entry in entries if entry is not None]}


def _entry(one: Happening, eyes: Sequence[int] | None) -> dict[str, Any] | None:
    match one:
        case Effect():
            return {"effect": one.to_json()}
        case Took():
            return {"took": {"player": one.player, "name": one.decision, "rule": one.rule.to_json()}}
        case _ if not Words.shown(one, eyes):
            return None
        case ChanceEvent():
            return {"chance": one.source, "value": one.value}
        case ForcedEvent() | ChosenEvent():
            return {"player": one.player, "name": one.name, "args": dict(one.args)}
        case RevealEvent():
            return {"reveal": one.what, "value": one.value}
