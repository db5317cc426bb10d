"""What the graph says of choices: who is out, who may be asked, what is private."""

from __future__ import annotations

import pytest

from conche.graph.model import OUT, ActionGraph, EdgeKind
from graph.games import graph_of_text

GAME = """\
game asking "Asking"
  version 1.0.0
  players 2..4
  seats red, blue, green, white

enum Ware
  pots
  chairs

piece Card
  hit
  miss

pile deck of Card, hidden
row line of Card, open
var n: 0..9 = 0, open
var omen: 0..9 = 0, hidden

each Ware has
  price: 0..9 = 1, open

each player has
  cash: 0..9 = 0, secret
  gold: 0..9 = 0, open
  hand cards of Card, secret

play
  each player you from red
    do turn

step turn
{turn}
{more}
query rich(p: Player) = p.cash > 3
query strong(p: Player) = p.gold > 3

score gold = you.gold
rank by total
"""


def graph(turn: str, more: str = "") -> ActionGraph:
    lines = "".join(f"  {line}\n" for line in turn.splitlines())
    return graph_of_text(GAME.format(turn=lines, more=more))


# ------------------------------------------------------------------------------------------------ out


def test_a_choice_of_one_who_is_out_leads_past_it() -> None:
    found = graph(
        """\
choose one
  case (k = 1)
    eliminate you
set n to 1
if n = 1
  choose two(k in 1..2)
  set n to k
set n to 2
"""
    )
    one, two = "step.turn/0.choose_one", "step.turn/2.if/yes/0.choose_two"
    assert found.eliminates
    assert found.option(one, OUT) == "step.turn/1.set"
    assert found.option(two, OUT) == "step.turn/3.set"  # of the short form past its block


def test_out_of_the_last_of_a_loop_leads_back_to_it() -> None:
    found = graph("repeat 2 times\n  choose two(k in 1..2)\n  set n to k\neliminate you")
    choice = "step.turn/0.times/0.choose_two"
    assert found.option(choice, OUT) == "step.turn/0.times/next"
    assert found.then(f"{choice}/0") == "step.turn/0.times/1.set"


def test_without_elimination_there_is_no_such_edge() -> None:
    found = graph("choose two(k in 1..2)\nset n to k")
    assert not found.eliminates
    assert (EdgeKind.OPTION, OUT) not in found.control("step.turn/0.choose_two")


# ------------------------------------------------------------------------------------------------ nodes


def test_at_once_has_the_nodes_of_a_loop() -> None:
    found = graph(
        """\
together each player you from red if you.gold > 0
  choose bid
    case (k in 0..2)
      set n to k
"""
    )
    loop = "step.turn/0.each_player"
    assert (found.node(loop).role, found.node(f"{loop}/next").role) == ("enter", "next")
    assert found.node(loop).title == "together each player you from red if you.gold > 0"
    assert found.then(loop) == f"{loop}/next"
    assert found.option(f"{loop}/next", "body") == f"{loop}/0.choose_bid"
    assert found.then(f"{loop}/0.choose_bid/0/0.set") == f"{loop}/next"
    assert found.choice(loop).id == f"{loop}/0.choose_bid"


def test_a_look_is_chance_and_a_variable_of_kinds_a_place() -> None:
    found = graph("look at 1 of deck\nset pots.price to chairs.price\neliminate you")
    assert found.node("step.turn/0.look").kind == "chance"
    assert found.node("step.turn/2.eliminate").kind == "effect"
    assert ("step.turn/1.set", "set") in found.into("var.price", EdgeKind.WRITES)
    assert ("step.turn/1.set", "") in found.into("var.price", EdgeKind.READS)


# ------------------------------------------------------------------------------------------------ private


@pytest.mark.parametrize(
    ("turn", "private"),
    [
        ("choose go(k in 1..you.gold + 1)", False),
        ("choose go(k in 1..you.cash + 1)", True),
        ("choose go\n  case (k in 1..2) if rich(you)\n  case (k = 9)", True),
        ("choose go\n  case (k in 1..2) if strong(you)\n  case (k = 9)", False),
        ("choose go\n  case (k in 1..2) if count(you.cards) > 1\n  case (k = 9)", False),
        ("choose go\n  case (card in kinds(you.cards))\n  case (card = nothing)", True),
        ("choose go\n  case (k in 1..2, yes = k > you.cash)", True),
        ("let most_of_it = you.cash / 2\nchoose go(k in 0..most_of_it)", True),
        ("let most_of_it = you.gold / 2\nchoose go(k in 0..most_of_it)", False),
        ("let most_of_it = 0\nset most_of_it to omen\nchoose go(k in 0..most_of_it)", True),
        ("do ask(you.cash)", True),
        ("do ask(you.gold)", False),
    ],
)
def test_which_choices_are_private(turn: str, private: bool) -> None:
    rest = "step ask(m: 0..9)\n  choose go(k in 0..m)\n" if turn.startswith("do") else ""
    found = graph(turn, rest)
    (choice,) = [node.id for node in found.nodes() if node.id.endswith("choose_go")]
    assert found.private == (frozenset({choice}) if private else frozenset())


def test_what_was_chosen_secretly_makes_a_later_choice_private() -> None:
    turn = """\
{how} each player you from red
  choose bid
    case (k in 0..2)
      do follow(k)
"""
    more = "step follow(k: 0..2)\n  red: choose go(m in 0..k)\n"
    assert graph(turn.format(how="together"), more).private == frozenset()
    assert graph(turn.format(how="secretly"), more).private == {"step.follow/0.choose_go"}


def test_which_secret_choices_can_be_made_anew() -> None:
    turn = "secretly each player you from red\n  choose bid\n    case (k in 0..{high})\n      {body}"
    choice = "step.turn/0.each_player/0.choose_bid"
    good = graph(turn.format(high="you.gold", body="set you.cash to k"))
    assert good.secret_choices == {choice: frozenset({"cash"})}
    assert graph(turn.format(high="2", body="set n to 1")).secret_choices == {}
    other = graph(f"let top = 2\n{turn.format(high='top', body='set you.cash to k')}")
    assert other.secret_choices == {}
    assert (
        graph(turn.replace("secretly", "together").format(high="2", body="set you.cash to k")).secret_choices
        == {}
    )


# ------------------------------------------------------------------------------------------------ askers

PASSING = "choose {name}\n  case (k in 1..2)\n    set n to k\n  pass (k = 0)"


def inside(loop: str, *names: str) -> str:
    lines = "\n".join(PASSING.format(name=name) for name in names).splitlines()
    return loop + "".join(f"\n  {line}" for line in lines)


def asking(found: ActionGraph, name: str) -> tuple[str, str | None] | None:
    """The routine whose loop it is, and whether it has a condition."""
    choice = next(node.id for node in found.nodes() if node.id.endswith(f"choose_{name}"))
    askers = found.askers(choice)
    return None if askers is None else (askers[0].owner, None if askers[1] is None else "if")


def test_who_may_be_asked_is_said_by_the_innermost_loop_over_players() -> None:
    assert asking(graph(inside("each player you from red if you.gold > 0", "a")), "a") == ("step.turn", "if")
    assert asking(graph(inside("for each you in players", "a")), "a") == ("step.turn", None)
    assert asking(graph(PASSING.format(name="a")), "a") == ("play", None)  # that of the caller
    both = graph("do ask(you)\neach player p from red\n  do ask(p)", f"step ask(you: Player)\n{_indent('a')}")
    assert asking(both, "a") is None  # two callers, two loops


def _indent(name: str) -> str:
    return "".join(f"  {line}\n" for line in PASSING.format(name=name).splitlines())


def test_as_what_others_know_it() -> None:
    one = graph(inside("each player you from red", "a"))
    two = graph(inside("each player you from red", "a", "b"))
    assert [one.told_name(node) for node in one._loops] == ["a"]
    assert [two.told_name(node) for node in two._loops] == [None, None]


def test_the_window_of_a_choice() -> None:
    found = graph(
        inside("rounds for you from red if you.gold > 0 until all pass", "a").replace(
            "set n to k", "set you.gold to 0"
        )
    )
    head = "step.turn/0.rounds/next"
    assert found.window("step.turn/0.rounds/0.choose_a") == head
    plain = graph(inside("each player you from red", "a"))
    assert plain.window("step.turn/0.each_player/0.choose_a") is None
