"""A witness as a scenario of the old version, ready to be put into its rules.

Purpose: a regression test of what the old version does there.
Input: a comparison, the interpreters of both sides, a witness and the facts that differ. Output: the text
of a `scenario`; where the language cannot say it, `NoScenarioError` says why. After renames it speaks in the
old names; with modules in play it stands under a `with` that names them, and says in which file.
Invariants: what is given has been read again by the compiler and run: it holds in the old version and fails
in the other one. It begins at the last turn from whose beginning the moves can be made, so that it is
short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conche.compare.compare_versions import Compared
from conche.compare.names import Renames, renamed
from conche.compare.witness.back import Back
from conche.compare.witness.homes import Home, home_of
from conche.compare.witness.lockstep import Fact, Step
from conche.compare.witness.model import Differs, Move, Witness
from conche.compare.witness.say import Say
from conche.interpret import Interpreter, InterpreterState
from conche.scenarios.run_scenarios import run_scenario
from conche.semantics import rulebook as rb
from conche_runtime.errors import ConcheError
from conche_runtime.interface import ChanceEvent, Event

_TRIED = 60
"""So many beginnings are tried, the latest first."""

_CLAIMS = 3


class NoScenarioError(Exception):
    """Why there is no scenario: a clause that follows on "no scenario: "."""


def to_scenario(
    compared: Compared,
    old: Interpreter,
    new: Interpreter,
    played: rb.Rulebook,
    witness: Witness,
    steps: Sequence[Step],
    facts: Sequence[Fact],
) -> str:
    """The scenario, tried out on both versions. `old`: the old version in its own names; `new`: what differs
    from it, in the new names, in which `played`, the old version again, `witness` and `facts` speak too."""
    if witness.differs is Differs.RULES:
        raise NoScenarioError("the rules of one side fail there, and a scenario cannot claim that")
    home = home_of(compared.old)
    if home is None:
        raise NoScenarioError("no place in the rules files is for just these modules and options")
    back = Back(compared.matched.renames, compared.old.rulebook, played)
    say = Say(old)
    states, events = _played(old, witness, steps)
    if not states:
        raise NoScenarioError("the old rules fail in this game")
    moves = _moves(old, witness, steps)
    claims = _claims(say, witness, [back.fact(fact) for fact in facts], back)
    if not claims:
        raise NoScenarioError("a `then` cannot say what differs")
    reasons: list[_CannotSayError] = []
    for start in range(len(states) - 1, max(-1, len(states) - 1 - _TRIED), -1):
        lines: list[str] = []
        if witness.differs is not Differs.SETUP:
            try:
                lines = _from(say, old, states, events, moves, start)
            except _CannotSayError as error:
                reasons.append(error)
                continue
        title = f"where the versions differ: {back.decision(witness.decision) or 'the scores'}"
        text = home.placed(_text(title, witness.players, [*lines, *claims]))
        if _holds(home, text, title, old, new, compared.matched.renames):
            return text
        reasons.append(_CannotSayError(4, "what can be said of it does not tell the two versions apart"))
        if witness.differs is Differs.SETUP:
            break
    raise NoScenarioError(str(max(reasons, key=lambda reason: reason.near)))


class _CannotSayError(Exception):
    """Why no scenario begins at a decision. `near`: how much of one there was."""

    def __init__(self, near: int, why: str) -> None:
        super().__init__(why)
        self.near = near


def _text(title: str, players: int, lines: Sequence[str]) -> str:
    return "\n".join([f'scenario "{title}"', f"  given {players} players", *lines]) + "\n"


def _played(
    old: Interpreter, witness: Witness, steps: Sequence[Step]
) -> tuple[list[InterpreterState], list[list[Event]]]:
    """The positions before each move and the last one, and what happened at each move."""
    state = old.start(witness.players, witness.seed)
    states, events = [state.clone()], []
    for player, index in steps:
        state.log = []
        try:
            state.step(index, player)
        except ConcheError:
            return [], []
        events.append(state.log)
        states.append(state.clone())
    # What a move brings about is claimed after it: at least that move is made.
    return (states[:-1] if witness.differs is Differs.EFFECTS else states), events


def _moves(old: Interpreter, witness: Witness, steps: Sequence[Step]) -> list[Move]:
    """The moves in the old version's own names."""
    state = old.start(witness.players, witness.seed)
    moves: list[Move] = []
    for player, index in steps:
        move = state.move(index, player)
        moves.append(Move(player, move.name, move.args))
        state.step(index, player)
    return moves


def _from(
    say: Say,
    old: Interpreter,
    states: Sequence[InterpreterState],
    events: Sequence[Sequence[Event]],
    moves: Sequence[Move],
    start: int,
) -> list[str]:
    """The lines that lead from the beginning of a turn to the end of the witness. `_CannotSayError` where no
    turn begins there."""
    state = states[start]
    if state.over:
        raise _CannotSayError(0, "the game is over there")
    if len(state.to_act) != 1:
        raise _CannotSayError(1, "it would have to begin where several players choose at once")
    later = [event for happened in events[start:] for event in happened if isinstance(event, ChanceEvent)]
    beginning = _beginning(old, state)
    if beginning is None:
        raise _CannotSayError(
            0, "no turn begins at a decision near it, so that play cannot be made to begin there"
        )
    given = say.given(state, beginning, later)
    if given is None:
        raise _CannotSayError(2, "`given` cannot say all of the position that it would begin with")
    lines = [f"  given {line}" for line in given]
    for move, happened in zip(moves[start:], events[start:], strict=True):
        for event in happened:
            if isinstance(event, ChanceEvent):
                outcome = say.outcome(event)
                if outcome is None:
                    raise _CannotSayError(3, f"a `chance` line cannot say what comes from '{event.source}'")
                if outcome:
                    lines.append(f"  chance {outcome}")
        written = say.move(move)
        if written is None:
            raise _CannotSayError(3, f"a `move` line cannot say a move '{move.name}'")
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


def _claims(say: Say, witness: Witness, facts: Sequence[Fact], back: Back) -> list[str]:
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
        claims = ["the game is over"] if asked == "the game is over" else [_can(asked, back)]
    return [f"  then {claim}" for claim in claims]


def _can(asked: str, back: Back) -> str:
    """`red chooses place: 12 options` as a claim."""
    seat, _, decision = asked.partition(":")[0].partition(" chooses ")
    return f"{seat} can {back.decision(decision)}"


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


def _holds(home: Home, text: str, title: str, old: Interpreter, new: Interpreter, renames: Renames) -> bool:
    """Whether the text can be read in the old rules, holds there and fails in the new ones."""
    scenario = home.read(text, title)
    if scenario is None:
        return False
    scenario = replace(scenario, cites=())
    return run_scenario(old, scenario).passed and not run_scenario(new, renamed(scenario, renames)).passed
