"""A first draft of a game.

Purpose: a small whole game that compiles and can be played; a beginning to be rewritten.
Input: a name, and where the file is to lie. Output: a `Draft`.
"""

from __future__ import annotations

from conche.scaffold.draft import Draft, cited, clauses_beside, file_name, title_of


def new_game(name: str, path: str) -> Draft:
    title = title_of(name)
    rules = [
        f"# {title}: say here in one line what the game is about.",
        cited(f'game {name} "{title}"', "1"),
        "  version 1.0.0",
        "  players 2..4",
        "  seats red, blue, green, yellow",
        f'  clauses "{clauses_beside(file_name(path))}"',
        "",
        "# This is a beginning: a heap of pebbles, of which everybody takes in turn. Change it bit by bit.",
        cited("var heap: 0..20 = 20, open", "1.1"),
        "",
        "each player has",
        cited("  pebbles: 0..20 = 0, open", "1.1"),
        "",
        cited("play", "1.2"),
        "  rounds for you from red if heap > 0",
        "    do turn",
        "",
        cited("step turn", "1.2"),
        "  choose take",
        "    case (amount in 1..min(3, heap))",
        "      set heap to heap - amount",
        "      gain amount pebbles",
        "    always §1.2",
        "",
        cited("score pebbles = you.pebbles", "1.3"),
        cited("rank by total", "1.3"),
        "",
        cited('always "no pebble is lost": heap + sum(p.pebbles for p in players) = 20', "1.1"),
        "",
        "# A test: `conche test` runs it.",
        cited('scenario "one to three pebbles"', "1.2"),
        "  given 2 players",
        "  then red chooses take amount in [1, 2, 3]",
        "  move red: take(amount = 3)",
        "  then red.pebbles = 3",
        "  then heap = 17",
    ]
    clauses = [
        f"# {title}: the clauses",
        "",
        f"The rules of {title}, numbered as `{file_name(path)}` cites them.",
        "",
        f"## §1 {title}",
        "",
        "What the game is about.",
        "",
        "### §1.1 The heap",
        "",
        "There are twenty pebbles: on the heap, or with the players.",
        "",
        "### §1.2 The turn",
        "",
        "In turn, everybody takes one, two or three pebbles, as long as there are any.",
        "",
        "### §1.3 The end",
        "",
        "Whoever has most pebbles wins.",
    ]
    return Draft(path, "\n".join(rules) + "\n", "\n".join(clauses) + "\n")
