"""What modules do to the graph of their game, as `conche graph --changes` shows it."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from cli.conftest import Conche, conche  # noqa: F401

GAME = """\
game kiosk "Kiosk"
  version 1.2.0
  players 2..3
  seats red, blue, green

option mode in {short, long} = short

piece Ware
  lamp
  book(price: 1..2)

pile stock of Ware, hidden
row window of 3 Ware, open
var left_over: 0..9 = 3, open

each player has
  gold: 0..99 = 5, open
  store bought of Ware, open

setup
  do supply
  draw 3 from stock to window

step supply
  put 9 lamp, 9 book(1), 9 book(2) in stock
  with option mode is long: put 9 lamp in stock

play
  rounds for you from red if left_over > 0
    do turn

step turn
  do fall
  do act
  do refill

step fall
  set left_over to left_over - 1

step act
  choose act
    case take(taken in kinds(window))
      do use(taken)
      move taken from window to you.bought
    none
      stop

step refill
  draw up to 3 - count(window) from stock to window

action use(lamp)
  gain up to worth(you) gold

action use(book(price))
  gain up to price gold

query worth(p: Player) = 1
query rich(p: Player) = p.gold > 7

score gold = you.gold
score bought = if rich(you) then count(you.bought) else 0
rank by total
"""

MODULE = """\
module fair "Fair" for kiosk 1.x
  version 1.0.0

option luck in {no_luck, some} = no_luck

extend Ware
  ticket

each player has
  tickets: 0..9 = 0, open

action use(ticket)
  gain up to 2 gold

after supply add print
  put 3 ticket in stock

before act add invite
  gain up to 1 tickets

wrap fall
  original
  if left_over > 8: set left_over to left_over - 1

modify worth(p): + 1

replace rich(p) = p.gold > 8

extend choose act.act
  case pass(way = "pass")
    stop act

trigger cheer when p gains n of gold if n > 1
  set p.tickets to 0

score tickets = you.tickets

with option luck is some
  replace refill
    draw up to 1 from stock to window
"""

OTHER = """\
module other "Other" for kiosk 1.x
  version 1.0.0
score other = 1
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kiosk.rules").write_text(GAME)
    Path("fair.rules").write_text(MODULE)
    Path("other.rules").write_text(OTHER)


def parts(text: str) -> dict[str, list[str]]:
    """The lines of each part without their places, blanks made one."""
    found: dict[str, list[str]] = {}
    for block in text.split("\n\n")[1:]:
        head, *lines = block.strip("\n").split("\n")
        word, number = head.split()
        assert int(number) == len(lines)
        found[word] = [" ".join(line.split()[1:]) for line in lines]
    return found


def test_as_a_list(conche: Conche) -> None:  # noqa: F811
    result = conche("graph", "kiosk.rules+fair", "--changes")
    assert result.code == 0
    assert result.out.startswith("kiosk.rules+fair beside kiosk.rules\n\nadds ")
    found = parts(result.out)
    assert found["adds"] == [
        "var tickets",
        "action use(ticket)",
        "step print",
        "step invite",
        "trigger cheer",
        "score tickets",
    ]
    assert found["changes"] == [
        "piece Ware more kinds: ticket (fair)",
        "step supply step print after it (fair)",
        "step act step invite before it (fair)",
        "step fall something around it (fair)",
        "query worth its value changed with '+' (fair)",
        "query rich another value (fair)",
        "choose act one more case (fair)",
    ]
    reached = found["reaches"]
    assert "var gold is changed by action use(ticket)" in reached
    assert "var left_over is changed by step fall" in reached
    assert "score bought reads query rich" in reached
    assert "do act does step act" in reached
    assert "gain up to worth(you) gold reads query worth" in reached
    assert "gain up to price gold sets off trigger cheer" in reached
    assert not [line for line in reached if "store bought" in line]


def test_what_an_option_leaves_out_is_not_shown(conche: Conche) -> None:  # noqa: F811
    without = parts(conche("graph", "kiosk.rules+fair", "--changes").out)["changes"]
    with_it = parts(conche("graph", "kiosk.rules+fair:luck=some,mode=long", "--changes").out)["changes"]
    assert "step refill another body (fair)" not in without
    assert "step refill another body (fair)" in with_it


def test_as_json(conche: Conche) -> None:  # noqa: F811
    document = json.loads(conche("graph", "kiosk.rules+fair+other", "--changes", "--format", "json").out)
    marks = {node["id"]: node["change"] for node in document["nodes"] if "change" in node}
    assert marks["step.invite"] == marks["score.other"] == marks["trigger.cheer"] == "added"
    assert marks["step.fall"] == marks["query.worth"] == "changed"
    assert marks["score.bought"] == marks["var.gold"] == "reached"
    assert "step.turn" not in marks
    assert "store.bought" not in marks
    assert "step.fall.original" not in marks
    assert document["changes"]["base"] == "kiosk.rules"
    worth = [one for one in document["changes"]["changed"] if one["node"] == "query.worth"]
    assert [(one["module"], one["file"], one["how"]) for one in worth] == [
        ("fair", "fair.rules", "its value changed with '+'")
    ]
    assert {"node": "score.bought", "why": "reads query rich"} in document["changes"]["reached"]
    assert nx.node_link_graph(document, edges="edges").nodes["step.invite"]["change"] == "added"
    plain = json.loads(conche("graph", "kiosk.rules+fair", "--format", "json").out)
    assert "changes" not in plain
    assert not [node for node in plain["nodes"] if "change" in node]


def test_as_a_drawing(conche: Conche) -> None:  # noqa: F811
    drawn = conche("graph", "kiosk.rules+fair", "--changes", "--format", "dot").out
    lines = {line.split(" [")[0].strip(): line for line in drawn.split("\n") if " [label=" in line}
    assert 'color="#1b7f3b"' in lines['"step.invite"']
    assert 'color="#c0392b"' in lines['"query.worth"']
    assert 'color="#1f5fbf"' in lines['"score.bought"']
    assert "penwidth" not in lines['"step.turn"']
    marked = conche("graph", "kiosk.rules+fair", "--changes", "--format", "graphml").out
    assert nx.parse_graphml(marked).nodes["step.invite"]["change"] == "added"


def test_without_modules_nothing_is_changed(conche: Conche) -> None:  # noqa: F811
    result = conche("graph", "kiosk.rules", "--changes")
    assert (result.code, result.out) == (2, "")
    assert "--changes shows what modules do, and none is named" in result.err


def test_beside_other_modules(conche: Conche) -> None:  # noqa: F811
    both = conche("graph", "kiosk.rules+fair+other", "--changes", "--beside", "kiosk.rules+fair")
    assert both.code == 0
    assert both.out.startswith("kiosk.rules+fair+other beside kiosk.rules+fair\n\nadds 1\n")
    assert parts(both.out)["adds"] == ["score other"]
    assert parts(both.out)["changes"] == []
    alone = conche("graph", "kiosk.rules+fair", "--changes", "--beside", "kiosk.rules:mode=long")
    assert alone.out == conche("graph", "kiosk.rules+fair", "--changes").out


@pytest.mark.parametrize("beside", ["kiosk.rules+other", "kiosk.rules+fair", "other.rules", "kiosk.rules+"])
def test_beside_what_it_is_not(conche: Conche, beside: str) -> None:  # noqa: F811
    result = conche("graph", "kiosk.rules+fair", "--changes", "--beside", beside)
    assert (result.code, result.out) == (2, "")
    assert "is not this ruleset with fewer modules" in result.err


def test_the_graph_keeps_which_module_modifies_what(conche: Conche) -> None:  # noqa: F811
    document = json.loads(conche("graph", "kiosk.rules+fair:luck=some", "--format", "json").out)
    found = {
        (edge["source"], edge["label"], edge["target"])
        for edge in document["edges"]
        if edge["kind"] == "modifies"
    }
    (choice,) = [target for _, how, target in found if how == "extend"]
    assert choice.startswith("step.act.original/")
    assert found - {("module.fair", "extend", choice)} == {
        ("module.fair", "after", "step.supply"),
        ("module.fair", "before", "step.act"),
        ("module.fair", "wrap", "step.fall"),
        ("module.fair", "+", "query.worth"),
        ("module.fair", "replace", "query.rich"),
        ("module.fair", "replace", "step.refill"),
    }
    assert "modifies" not in conche("graph", "kiosk.rules", "--format", "json").out
    assert '"module.fair" -> "query.worth" [label="modifies +"' in conche("graph", "kiosk.rules+fair").out
