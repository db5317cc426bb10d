"""`check_choices`, where composition has left what the typer refuses in one file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conche.diagnostics.model import Diagnostic
from conche.graph.from_rulebook import from_rulebook
from conche.semantics.rulebook import Choose, Stmt
from conche.validate.check_choices import check_choices
from validate.snippets import graph_of, whole


def _findings(
    cases: str, none: tuple[Stmt, ...] | None = None, always: str = "    always §1\n"
) -> list[Diagnostic]:
    """What is found in a choice with these cases, with nothing said but `none`, and nothing proved."""
    lines = "".join(f"    {case}\n" for case in cases.split("; "))
    rules = graph_of(whole(f"step turn\n  choose pick\n{lines}{always}")).rulebook
    step = rules.steps["turn"]
    (choose,) = step.body
    assert isinstance(choose, Choose)
    bare = replace(choose, always=(), sure=False, none=none)
    return check_choices(from_rulebook(replace(rules, steps={"turn": replace(step, body=(bare,))})))


@pytest.mark.parametrize(
    ("cases", "doubt"),
    [
        ("case (c in you.marks): drop c from you.marks", "there may be nothing for 'c'"),
        ("case a if year > 3: gain 1 coins", "only under a condition"),
        ("case (n in 1..3) if n > year: gain 1 coins", "only under a condition"),
        ("case (n in 0..you.coins - 1): gain 1 coins", "there may be nothing for 'n'"),
    ],
)
def test_a_choice_that_may_have_no_option(cases: str, doubt: str) -> None:
    (finding,) = _findings(cases)
    assert finding.code == "C0320"
    assert finding.title == "'pick' does not say what happens when there is no option"
    assert [label.text for label in finding.labels] == ["there may be no option", doubt]
    assert "do turn" in finding.notes[0]
    assert _findings(cases, none=()) == []


def test_a_none_that_never_runs() -> None:
    cases = "case a if year > 3: gain 1 coins; case (p in players): set leader to p"
    (finding,) = _findings(cases, none=(), always="")
    assert (finding.code, finding.title) == ("C0321", "'pick' always has an option")
