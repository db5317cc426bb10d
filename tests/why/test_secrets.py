"""An explanation is the same in all positions that its player cannot tell apart."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from conche.graph.from_rulebook import from_rulebook
from conche.interpret import Interpreter, InterpreterState
from conche.modules.load import load

from .positions import EXAMPLES, interpreter, reasons

GAMES = {"cacao": 3, **EXAMPLES, "schoko": 3, "cacao+huts+map+gem_mines": 2}


def questions(state: InterpreterState, player: int, rnd: random.Random) -> list[Any]:
    """A move, one that is changed, one without some of its arguments, and words."""
    moves = state.legal_moves(player)
    found: list[Any] = [rnd.choice(sorted(name_of(state)))]
    if moves:
        move = rnd.choice(moves)
        args = dict(move.args)
        found += [move, {"name": move.name, "args": changed(args, rnd)}]
        if args:
            args.pop(rnd.choice(list(args)))
            found.append({"name": move.name, "args": args})
    else:
        other = state.legal_moves(state.to_act[0])
        found += [rnd.choice(other), {"args": dict(rnd.choice(other).args)}]
    return found


def name_of(state: InterpreterState) -> set[str]:
    graph = state.engine.program.graph
    return {node.owns.name for node in graph.nodes() if node.kind == "choice" and node.role == ""}  # type: ignore[union-attr]


def changed(args: dict[str, Any], rnd: random.Random) -> dict[str, Any]:
    """Another value in place of one of the arguments."""
    if not args:
        return args
    name = rnd.choice(list(args))
    match args[name]:
        case bool(value):
            value = not value
        case int(value):
            value += rnd.choice((-3, -1, 1, 3, 50))
        case [int(x), int(y)]:
            value = [x + rnd.randrange(-2, 3), y + rnd.randrange(-2, 3)]
        case value:
            pass
    return {**args, name: value}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_samples_are_explained_alike(ruleset: str) -> None:
    players, rnd = GAMES[ruleset], random.Random(ruleset)
    state = interpreter(ruleset).start(players, 11)
    asked = 0
    for number in range(60):
        if state.over:
            break
        if number % 6 == 0:
            for player in range(players):
                for what in questions(state, player, rnd):
                    told = state.explain(player, what).to_json()
                    for seed in range(2):
                        assert state.sample(player, seed).explain(player, what).to_json() == told
                    asked += 1
        state.step(rnd.randrange(state.count(state.to_act[0])), state.to_act[0])
    assert asked > 10


LEAKY = """\
game leaky "Leaky"
  version 1.0.0
  players 2..2
  seats red, blue

enum Card
  ace
  king

each player has
  hand held of Card, secret
  pile rest of Card, hidden
  points: 0..9 = 0, open
  mark: 0..9 = 3, hidden

setup
  for each p in players
    put 2 ace, 2 king in p.held
    put 3 ace, 3 king in p.rest

play
  each player you from red
    choose take
      case (how = "a", amount in 0..2) if you.points = 0 and left_of(you).held[ace] > 1
        gain amount points
      case (how = "b", amount in few(you))
        gain amount points
      case (how = "c", amount in 5..you.mark)
        gain amount points
      case (how = "d", amount = 8) if you.rest[king] < 2 or you.points > 0
        gain amount points
      always §1

query few(p: Player)
  [6, 7, 9] if left_of(p).held[king] > 2
  otherwise [6, 7]

score points = you.points
rank by total
"""
"""Rules that no check would let pass: what can be chosen depends on what the chooser does not see."""


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    path: Path = tmp_path_factory.mktemp("leaky") / "leaky.rules"
    path.write_text(LEAKY)
    rulebook = load(str(path)).rulebook
    assert rulebook is not None
    return Interpreter(from_rulebook(rulebook))


def test_what_the_player_cannot_see_is_said_to_decide_and_not_told(leaky: Interpreter) -> None:
    """Four positions that red cannot tell apart but for the options: none of their values is told."""
    texts: dict[str, set[str]] = {}
    for ace, king, mark in ((2, 2, 3), (3, 1, 3), (1, 3, 3), (2, 2, 9)):
        rest = {"ace": 6 - king, "king": king}
        state = leaky.position(
            2,
            data={
                "held": [{"ace": 2, "king": 2}, {"ace": ace, "king": 4 - ace}],
                "rest": [rest, {}],
                "mark": [mark, mark],
            },
        )
        for what in ("a amount 1", "b amount 9", "c amount 5", "d amount 8"):
            told = state.explain(0, what)
            shown = "\n".join(told.to_text())
            assert f"mark = {mark}" not in shown
            assert "held[ace] =" not in shown
            assert "held[king] =" not in shown
            assert "rest[king] =" not in shown
            if told.verdict == "illegal":
                texts.setdefault(what, set()).add("\n".join(told.to_text()[: -len(told.near) or None]))
                assert any(one.kind == "hidden" for one in reasons(told))
    assert texts
    assert all(len(found) == 1 for found in texts.values()), texts
