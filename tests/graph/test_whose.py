"""Whose a revealed value is."""

from __future__ import annotations

import pytest

from conche.semantics.rulebook import Reveal
from validate.snippets import graph_of, whole


@pytest.mark.parametrize(
    ("body", "whose"),
    [
        ("let broke = you.purse = 0\n  reveal broke", "you"),
        ("let other = left_of(you)\n  let some = min(other.purse, 3)\n  reveal some", "other"),
        ("let held = count(you.cards)\n  reveal held", "you"),
        ("let as_many = count(c in kinds(you.cards) where c is ace)\n  reveal as_many", "you"),
        ("reveal you.purse > 3", "you"),
        # It speaks of two players, of all of them one by one, of the leader, of none.
        ("let other = left_of(you)\n  let both = you.purse + other.purse\n  reveal both", None),
        ("let rich = count(p in players where p.purse > 3)\n  reveal rich", None),
        ("let his = leader.purse\n  reveal his", None),
        ("let now = year\n  reveal now", None),
        # What is set later may be of another.
        ("let most = you.purse\n  set most to leader.purse\n  reveal most", None),
        ("let who = you\n  let some = who.purse\n  set who to leader\n  reveal some", None),
    ],
)
def test_what_is_worked_out_of_one_player_alone_is_his(body: str, whose: str | None) -> None:
    graph = graph_of(whole(f"step turn\n  {body}\n"))
    (reveal,) = [node.owns for node in graph.nodes() if isinstance(node.owns, Reveal)]
    found = graph.whose.of(reveal.value)
    assert (None if found is None else found.slot.name) == whose
