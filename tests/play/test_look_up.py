"""`rules` in a game: clauses, declarations and words in the rules."""

from __future__ import annotations

from functools import cache

import pytest

from cli.conftest import Conche
from conche.modules.load import load
from conche.play.look_up import Rules


@cache
def rules(ruleset: str = "cacao+map") -> Rules:
    loaded = load(ruleset)
    assert loaded.rulebook is not None
    return Rules(loaded.rulebook, loaded.sources)


def titles(lines: list[str]) -> list[str]:
    return [line.rpartition("  ")[0] for line in lines if not line.startswith(" ")]


@pytest.mark.parametrize("typed", ["1.4a", "§1.4a", "§ 1.4A", " 1.4a "])
def test_a_clause_is_found_by_its_number(typed: str) -> None:
    title, first, *_, cited = rules().look_up(typed)
    assert title.startswith("§1.4a Place  cacao.clauses.md:")
    # A paragraph of the clause file is one line here.
    assert first.startswith("  The active player must put exactly one worker tile")
    assert first.endswith(".")
    assert cited.startswith("  cited by ")
    assert "step place (cacao.rules:" in cited
    assert "query sites (cacao.rules:" in cited


def test_a_clause_says_what_is_within_it() -> None:
    assert "  with §1.4a Place, §1.4b Fill, §1.4c Actions, §1.4d End of the turn" in rules().look_up("1.4")


def test_a_ruling_of_a_rules_file_is_a_clause_too() -> None:
    lines = rules("rules/examples/tricks.rules").look_up("A2")
    assert titles(lines) == ["§A2"]
    assert lines[1].startswith("  Follow the suit that was led")


@pytest.mark.parametrize("typed", ["sites", "query sites", "query.sites", "SITES"])
def test_a_declaration_is_found_by_its_name_and_shown_whole(typed: str) -> None:
    title, first, *_, last = [line for line in rules().look_up(typed) if not line.startswith("see also")]
    assert title.startswith("query sites  cacao.rules:")
    assert first.startswith("  query sites(p: Player)")
    assert last == "    otherwise free_sites()"


def test_a_decision_is_found_by_its_name_where_it_is_asked() -> None:
    assert titles(rules().look_up("edge"))[0] == "step use_edges"
    assert titles(rules("schoko+hidden_purchases").look_up("announce"))[0] == "replace bid"


def test_what_modules_change_stands_with_it() -> None:
    *_, also = rules().look_up("fill")
    assert also.startswith("see also ")
    assert "extend choose fill.fill (map.rules:" in also
    assert "map.rules" not in "".join(rules("cacao").look_up("fill"))


def test_words_find_titles_else_texts() -> None:
    assert "§1.7 Overbuilding" in titles(rules().look_up("overbuilding"))
    assert titles(rules().look_up("mirror images")) == ["§1.1b Worker tiles"]


def test_what_is_not_there_gets_a_hint() -> None:
    assert rules().look_up("9.99") == ["the rules say nothing of '9.99'"]
    assert rules().look_up("sitse") == ["the rules say nothing of 'sitse' (did you mean 'sites'?)"]


def test_in_a_game_it_tells_of_what_is_asked(conche: Conche) -> None:
    args = ("play", "cacao", "--seed", 1, "--bots", "human,random")
    _, asked, clause, declared, _ = conche(*args, stdin="rules\nrules 1.4d\nrules place\nquit\n").out.split(
        "> "
    )
    assert "§8b place  cacao.clauses.md:" in asked
    assert "§1.4a Place  cacao.clauses.md:" in asked
    assert clause.startswith("§1.4d End of the turn")
    assert declared.startswith("step place  cacao.rules:")
