"""A witness as a scenario of the old version, ready to be put into its rules.

Purpose: a regression test of what the old version does there.
Input: a comparison, the interpreters of both sides, a witness and the facts that differ. Output: the text
of a `scenario`, or None where the language cannot say it.
Invariants: what is given has been read again by the compiler and run: it holds in the old version and fails
in the other one. It begins at the last turn from whose beginning the moves can be made, so that it is
short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from conche.compare.compare_versions import Compared
from conche.compare.witness.lockstep import Fact
from conche.compare.witness.model import Differs, Move, Witness
from conche.compare.witness.say import Say
from conche.diagnostics.codes import diagnose
from conche.interpret import Interpreter, InterpreterState
from conche.modules.library import Read
from conche.modules.load import load_source
from conche.scenarios.run_scenarios import run_scenario
from conche.semantics import rulebook as rb
from conche.source import Source, SourceError
from conche_runtime.errors import ConcheError
from conche_runtime.interface import ChanceEvent, Event

_TRIED = 60
"""So many beginnings are tried, the latest first."""

_CLAIMS = 3


def to_scenario(
    compared: Compared, old: Interpreter, new: Interpreter, witness: Witness, facts: Sequence[Fact]
) -> str | None:
    """The scenario, tried out on both versions."""
    if compared.matched.renames or len(compared.old.rulebook.versions) > 1:
        # The text would have to stand in a module, or in other names.
        return None
    say = Say(old)
    claims = _claims(say, witness, facts)
    if not claims:
        return None
    states, events = _played(old, witness)
    if not states:
        return None
    for start in range(len(states) - 1, max(-1, len(states) - 1 - _TRIED), -1):
        if witness.differs is Differs.SETUP:
            lines: list[str] | None = []
        else:
            lines = _from(say, old, states, events, witness.moves, start)
        if lines is None:
            continue
        text = _text(witness, [*lines, *claims])
        if _holds(compared, old, new, text):
            return text
        if witness.differs is Differs.SETUP:
            return None
    return None


def _text(witness: Witness, lines: Sequence[str]) -> str:
    title = f"where the versions differ: {witness.decision or 'the scores'}"
    return "\n".join([f'scenario "{title}"', f"  given {witness.players} players", *lines]) + "\n"


def _played(old: Interpreter, witness: Witness) -> tuple[list[InterpreterState], list[list[Event]]]:
    """The positions before each move and the last one, and what happened at each move."""
    state = old.start(witness.players, witness.seed)
    states, events = [state.clone()], []
    for move in witness.moves:
        state.log = []
        try:
            state.step(state.find(move.name, move.args, move.player), move.player)
        except ConcheError:
            return [], []
        events.append(state.log)
        states.append(state.clone())
    # What a move brings about is claimed after it: at least that move is made.
    return (states[:-1] if witness.differs is Differs.EFFECTS else states), events


def _from(
    say: Say,
    old: Interpreter,
    states: Sequence[InterpreterState],
    events: Sequence[Sequence[Event]],
    moves: Sequence[Move],
    start: int,
) -> list[str] | None:
    """The lines that lead from the beginning of a turn to the end of the witness; None where no turn begins
    there."""
    state = states[start]
    if state.over or len(state.to_act) != 1:
        return None
    later = [event for happened in events[start:] for event in happened if isinstance(event, ChanceEvent)]
    beginning = _beginning(old, state)
    if beginning is None:
        return None
    given = say.given(state, beginning, later)
    if given is None:
        return None
    lines = [f"  given {line}" for line in given]
    for move, happened in zip(moves[start:], events[start:], strict=True):
        for event in happened:
            if isinstance(event, ChanceEvent):
                outcome = say.outcome(event)
                if outcome is None:
                    return None
                if outcome:
                    lines.append(f"  chance {outcome}")
        written = say.move(move)
        if written is None:
            return None
        lines.append(f"  move {written}")
    return lines


def _beginning(old: Interpreter, state: InterpreterState) -> dict[str, int] | None:
    """What has to be set so that play begins with this decision: the seat from which the rounds go. None
    where play cannot begin with it."""
    (chooser,) = state.to_act
    position = state.to_position()
    starts = [
        stmt.start.name
        for stmt in old.program.book.rulebook.play
        if isinstance(stmt, rb.Rounds | rb.EachPlayer) and isinstance(stmt.start, rb.GlobalVar)
    ]
    tries: list[dict[str, int]] = [{}, *({name: chooser} for name in starts)]
    for changed in tries:
        try:
            begun = old.from_position({**position, **changed})
        except (ConcheError, ValueError, KeyError):
            continue
        same = {**begun.snapshot(), **changed} == {**state.snapshot(), **changed}
        if same and begun.legal_moves() == state.legal_moves():
            return changed
    return None


def _claims(say: Say, witness: Witness, facts: Sequence[Fact]) -> list[str]:
    """What the old version does, as `then` lines."""
    claims: list[str] = []
    for fact in facts:
        claim = _claim(say, fact)
        if claim is not None and claim not in claims:
            claims.append(claim)
        if len(claims) == _CLAIMS:
            break
    if not claims and witness.differs is Differs.MOVES:
        asked = witness.old[0]
        claims = (
            ["the game is over"]
            if asked == "the game is over"
            else [asked.split(":")[0].replace(" chooses ", " can ")]
        )
    return [f"  then {claim}" for claim in claims]


def _claim(say: Say, fact: Fact) -> str | None:
    if fact.move is not None:
        written = say.move(fact.move)
        if written is None:
            return None
        seat, _, call = written.partition(": ")
        return f"{seat} {'can' if fact.old else 'cannot'} {call}"
    if fact.score is not None:
        name, number = fact.score
        what = f"total({say.seat(number)})" if name == "total" else f"score({say.seat(number)}, {name})"
        return f"{what} = {fact.old}"
    return say.fact(fact.path, fact.old) if fact.path else None


def _holds(compared: Compared, old: Interpreter, new: Interpreter, text: str) -> bool:
    """Whether the text can be read in the old rules, holds there and fails in the new ones."""
    version = compared.old
    name = version.rulebook.setup_span.file
    source = version.sources.get(name)
    if source is None:
        return False
    longer = Source(name, source.text.rstrip("\n") + "\n\n" + text)
    options = {option.name: option.value for option in version.rulebook.options.values()}
    loaded = load_source(
        longer, ruleset=version.rulebook.ruleset, options=options, read=_at_hand(version.sources)
    )
    if loaded.rulebook is None or not loaded.rulebook.scenarios:
        return False
    scenario = replace(loaded.rulebook.scenarios[-1], cites=())
    return run_scenario(old, scenario).passed and not run_scenario(new, scenario).passed


def _at_hand(sources: Mapping[str, Source]) -> Read:
    """Reads the texts of a version again, by the names that findings call them."""

    def read(path: str, name: str) -> Source:
        if name not in sources:
            raise SourceError(diagnose("C0001", f"there is no file '{name}'"))
        return sources[name]

    return read
