"""A first draft of a module, for any game.

Purpose: a file that compiles, passes its scenario, and shows what it can change; a beginning to be rewritten.
Input: a name, where the file is to lie, the game's ruleset, rulebook and texts. Output: a `Draft`.
Invariants: its names are none of the game's; of several steps at which it could count, the first is taken
with which nothing is found.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator

from conche.scaffold.draft import Draft, cited, clauses_beside, file_name, findings, title_of
from conche.scaffold.points import closed_setup, has_you, points_of, turn_steps
from conche.semantics import rulebook as rb
from conche.semantics.clauses import free_chapter

_CLOSED = [
    "#   the set-up does no step, so nothing can be added to it: in the game, put its lines into a step,",
    "#   such as `step lay_out`, and write `do lay_out` in their place",
]

MOST = 30
"""So far the draft counts."""


def new_module(name: str, path: str, base: str, rules: rb.Rulebook, texts: Collection[str]) -> Draft:
    """`base`: the game as a ruleset; `rules`: its rulebook; `texts`: its rules and clauses and those of
    modules beside it, whose names and numbers are taken."""
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    chapter = free_chapter(number for text in texts for number in re.findall(r"§(\d+)", text))
    drafts = (
        Draft(path, _rules(name, path, rules, chapter, part), _clauses(name, path, rules, chapter, part))
        for part in _parts(name, rules, words, chapter)
    )
    first: Draft | None = None
    known = {(one.code, one.title) for one in findings(base, Draft(path, "", ""))}
    for draft in drafts:
        first = first or draft
        if all((one.code, one.title) in known for one in findings(f"{base}+{path}", draft)):
            return draft
    assert first is not None
    return first


def _free(name: str, words: Collection[str]) -> str:
    tried = (name, *(f"{name}_{number}" for number in range(2, len(words) + 3)))
    return next(one for one in tried if one not in words)


def _parts(name: str, rules: rb.Rulebook, words: Collection[str], chapter: int) -> Iterator[list[str] | None]:
    """What the draft does at each step that it could count at, those of a player first; at last nothing."""
    counter, step_name = _free(f"{name}_turns", words), _free(f"count_{name}", words)
    points, seat = _free(f"{name}_points", words), _seat(rules)
    steps = sorted(turn_steps(rules), key=lambda step: not has_you(step))
    for step in steps:
        counting = (
            [f"  gain up to 1 {counter}"]
            if has_you(step)
            else [
                "  for each p in players",
                f"    if p.{counter} < {MOST}: set p.{counter} to p.{counter} + 1",
            ]
        )
        for check in (f"  then score({seat}, {points}) = 3", f"  then score({seat}, {points}) <= 3"):
            given = [f"  given {seat}.{counter} = {MOST}"] if check.endswith(" = 3") else []
            yield [
                "# Each player has one more number, and it grows with every turn.",
                "each player has",
                cited(f"  {counter}: 0..{MOST} = 0, open", f"{chapter}.1"),
                "",
                cited(f"after {step.name} add {step_name}", f"{chapter}.1"),
                *counting,
                "",
                "# What it is worth at the end.",
                cited(f"score {points} = you.{counter} / 10", f"{chapter}.2"),
                "",
                "# A test: `conche test` runs it.",
                cited('scenario "three points at most"', f"{chapter}.2"),
                f"  given {rules.players[0]} players",
                *given,
                check,
            ]
    yield None


def _rules(name: str, path: str, rules: rb.Rulebook, chapter: int, part: list[str] | None) -> str:
    version = dict(rules.versions)[rules.game].split(".")[0]
    points = points_of(rules)
    one_line = ["#   a choice on one line takes no more cases: wrap what it stands in"]
    head = [
        f"# {title_of(name)}: say here in one line what the module adds to {rules.title}.",
        cited(f'module {name} "{title_of(name)}" for {rules.game} {version}.x', str(chapter)),
        "  version 1.0.0",
        f'  clauses "{clauses_beside(file_name(path))}"',
        "",
        "# This is a beginning: it does little, compiles and passes its test. Change it bit by bit.",
        "#",
        f"# What {rules.title} has and a module can change:",
        *_listed(points),
        *(_CLOSED if closed_setup(rules) else []),
        "#",
        "# How it can:",
        "#   before STEP add NAME, after STEP add NAME, wrap STEP, replace STEP; the same with an action",
        "#   extend choose CHOICE, extend TYPE, extend board NAME, each player has",
        "#   replace QUERY(p) = …, modify QUERY(p): + …, the same with a score",
        *(one_line if "one-line" in points else []),
        "#   with OTHER_MODULE, with option NAME is VALUE: parts for that case",
        "",
    ]
    nothing = [
        "# Nothing can be added to a turn here: give a step of the game a name (`step turn`) first.",
        cited(f"score {name}_points = 1", f"{chapter}.2"),
        "",
        cited(f'scenario "everybody has the point of {name}"', f"{chapter}.2"),
        f"  given {rules.players[0]} players",
        f"  then score({_seat(rules)}, {name}_points) = 1",
    ]
    return "\n".join([*head, *(nothing if part is None else part)]) + "\n"


def _listed(points: dict[str, list[str]]) -> Iterator[str]:
    for sort, names in points.items():
        yield from textwrap.wrap(
            ", ".join(names),
            width=100,
            initial_indent=f"#   {sort:<9}",
            subsequent_indent=f"#   {'':<9}",
            break_long_words=False,
            break_on_hyphens=False,
        )


def _clauses(name: str, path: str, rules: rb.Rulebook, chapter: int, part: list[str] | None) -> str:
    title = title_of(name)
    counting = f"\n### §{chapter}.1 Turns\n\nEvery player counts own turns, up to {MOST}.\n"
    worth = "There is a point for every ten turns." if part else "Everybody has a point."
    return (
        f"# {title}: the clauses\n\n"
        f"The rules of the module {title} for {rules.title}, numbered as `{file_name(path)}` cites them."
        f" The numbers begin\nwith {chapter}, as none does in {rules.title} and in the modules beside it.\n\n"
        f"## §{chapter} {title}\n\nWhat the module is about.\n"
        f"{counting if part else ''}"
        f"\n### §{chapter}.2 Points\n\n{worth}\n"
    )


def _seat(rules: rb.Rulebook) -> str:
    """The first seat as scenarios name it."""
    return rules.seats[0] if rules.seats else "seat_0"
