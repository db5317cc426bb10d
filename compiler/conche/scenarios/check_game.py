"""A game between bots in which everything has to hold that the rules say always does.

Purpose: `conche test`. Input: rules on the interpreter, who plays, a seed. Output: the first thing that is
wrong, if any.
Invariant: what is conserved is counted from the end of the set-up on, at each decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conche.bots import BotError, make_bots
from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.failure import rules_failure
from conche.interpret import Interpreter
from conche.interpret.evaluate import Evaluator
from conche.scenarios.conservation import pieces_in_play
from conche.scenarios.parts import in_setup
from conche.source import Source
from conche_runtime.errors import ConcheError, RulesError


def check_game(
    engine: Interpreter, names: Sequence[str], seed: int, again: str
) -> tuple[Diagnostic | None, Mapping[str, Source]]:
    """Plays a game. What is wrong, and the texts that it speaks of; `again` says how to see it. BotError
    where a bot fails."""
    book = engine.program.book
    try:
        bots = make_bots(names, seed)
        state = engine.start(len(names), seed)
        conserved: dict[str, int] | None = None
        moves = 0
        while not state.over:
            if conserved is None and not in_setup(engine.program.graph, state.position):
                conserved = pieces_in_play(book, state.position)
            player = state.to_act[0]
            state.step(bots[player].choose(state, player, state.count(player)), player)
            moves += 1
            if conserved is None:
                continue
            evaluator = Evaluator(book, state.position)
            for invariant in book.rulebook.invariants.values():
                if not evaluator.flag(invariant.condition):
                    title = f"'{invariant.text}' does not hold after {moves} decisions"
                    return diagnose("C0522", title, Label(invariant.span), help=(again,)), {}
            now = pieces_in_play(book, state.position)
            for piece in book.rulebook.conserved:
                if now.get(piece, 0) != conserved.get(piece, 0):
                    before, after = conserved.get(piece, 0), now.get(piece, 0)
                    title = f"{before} {piece} were in play, {after} are after {moves} decisions"
                    return diagnose("C0522", title, help=(again,)), {}
    except RulesError as error:
        found, texts = rules_failure(error, again)
        return found[0], texts
    except BotError:
        raise  # says nothing of the rules
    except ConcheError as error:
        return diagnose("C0521", str(error), help=(again,)), {}
    return None, {}
