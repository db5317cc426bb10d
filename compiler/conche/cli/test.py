"""`conche test`: the scenarios of a ruleset, and what must hold in any game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from conche.cli.arguments import Option
from conche.cli.options import (
    BotsOption,
    FixedSeedOption,
    FormatOption,
    RulesetArgument,
    TextOrJson,
    names_for,
    number,
    seed_for,
)
from conche.cli.output import put, report, say, settled, waiting
from conche.cli.trouble import GOOD, PROBLEMS, see_again

if TYPE_CHECKING:
    from conche.diagnostics.model import Diagnostic
    from conche.interpret import Interpreter
    from conche.modules.elsewhere import Elsewhere
    from conche.scenarios import ScenarioResult
    from conche.source import Source

SCHEMA = 1
"""The number in the result's `conche`; it goes up when the meaning of a field changes."""


MOST_NAMED = 3
"""So many rulesets are named whose scenarios were not run."""


@dataclass
class _Tested:
    """What came of one ruleset. `plays`: how many games, and `what` they are called; `bare`: no scenario is
    for its options."""

    ruleset: str
    results: list[ScenarioResult]
    plays: int
    what: str
    broken: list[Diagnostic]
    found: list[Diagnostic]
    sources: dict[str, Source]
    bare: bool

    @property
    def failed(self) -> int:
        return sum(not result.passed for result in self.results)

    @property
    def good(self) -> bool:
        return not self.failed and not self.broken


def command(
    ruleset: RulesetArgument,
    games: Annotated[
        int, Option("--games", metavar="N", help="Games between bots for each number of players.")
    ] = 3,
    seed: FixedSeedOption = 0,
    bots: BotsOption = "random",
    all_scenarios: Annotated[
        bool,
        Option("--all-scenarios", help="Those of the same files for other options and modules too."),
    ] = False,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Run the scenarios of a ruleset.

    Then random games, in which everything has to hold that the rules say always does. With --bots other
    bots play them; the interpreter is slow, so one that looks ahead should do so a few times only.

    A scenario is written for one ruleset: for the options and modules of the part it stands in. With
    --all-scenarios the others of the same files are run as well, each in its own ruleset.

    Exit code 0 when all are good, 1 when some fail.
    """
    from conche.modules.elsewhere import scenarios_elsewhere

    number(games, "the number of games", 0, 10**6)
    chosen = seed_for(seed)
    first = _test(ruleset, games, chosen, bots)
    elsewhere = scenarios_elsewhere(ruleset)
    others = [_test(one.ruleset, games, chosen, bots) for one in elsewhere] if all_scenarios else []
    if style is TextOrJson.JSON:
        document = _document(first, games)
        document["elsewhere"] = [{"ruleset": one.ruleset, "titles": list(one.titles)} for one in elsewhere]
        document["others"] = [_document(one, games) for one in others]
        put(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        _tell(first)
        for one in others:
            say(f"\n{one.ruleset}:")
            _tell(one)
        if elsewhere and not all_scenarios:
            say(_told_elsewhere(elsewhere))
    return GOOD if all(one.good for one in (first, *others)) else PROBLEMS


def _test(ruleset: str, games: int, seed: int, bots: str) -> _Tested:
    from conche import pipeline
    from conche.interpret import Interpreter
    from conche.scenarios import run_scenarios

    with waiting(f"checking {ruleset}"):
        checked = pipeline.check(ruleset)
    graph = checked.must()
    engine = Interpreter(graph)
    settled()
    most = engine.max_players
    seated = names_for(bots, most)
    names = {players: seated[:players] for players in range(engine.min_players, most + 1)}
    results = run_scenarios(engine, graph.rulebook.scenarios)
    sources = dict(checked.sources)
    broken = _games(engine, games, seed, ruleset, names, sources)
    found = [*checked.diagnostics, *[one for result in results for one in result.failures], *broken]
    plays = games * (engine.max_players - engine.min_players + 1)
    options = graph.rulebook.options.values()
    bare = not results and any(option.value != option.default for option in options)
    what = "random game" if set(seated) == {"random"} else "game"
    return _Tested(graph.rulebook.ruleset, results, plays, what, broken, found, sources, bare)


def _tell(tested: _Tested) -> None:
    from conche.diagnostics.lists import counted

    report(tested.found, tested.sources)
    for result in tested.results:
        say(f"{'good  ' if result.passed else 'FAILED'}  line {result.line}: {result.title}")
    if tested.bare:
        say("no scenario is written for these options")
    played = f"{counted(tested.plays, tested.what)}, {len(tested.broken)} failed"
    say(f"{counted(len(tested.results), 'scenario')}, {tested.failed} failed; {played}")


def _told_elsewhere(elsewhere: list[Elsewhere]) -> str:
    """Where the scenarios belong that were not run."""
    from conche.diagnostics.lists import in_a_row
    from conche.semantics.words import plural

    count = sum(len(one.titles) for one in elsewhere)
    names = [f"`{one.ruleset}`" for one in elsewhere[:MOST_NAMED]]
    more = [plural(len(elsewhere) - MOST_NAMED, "more ruleset")] if len(elsewhere) > MOST_NAMED else []
    where = in_a_row([*names, *more])
    belong = f"{plural(count, 'scenario')} {'belongs' if count == 1 else 'belong'}"
    return f"not run: {belong} to {where}; --all-scenarios runs all"


def _games(
    engine: Interpreter,
    games: int,
    seed: int,
    ruleset: str,
    names: Mapping[int, Sequence[str]],
    sources: dict[str, Source],
) -> list[Diagnostic]:
    """What went wrong in games between bots, at most one finding for each number of players. names: by number
    of players who sits where. Adds the files that the findings speak of to `sources`."""
    from conche.scenarios.check_game import check_game
    from conche.simulate import game_seed

    found: list[Diagnostic] = []
    for players, bots in names.items():
        for game in range(games):
            again = see_again(ruleset, players, game_seed(seed, game), bots)
            trouble, texts = check_game(engine, bots, game_seed(seed, game), again)
            if trouble is not None:
                found.append(trouble)
                sources.update({name: text for name, text in texts.items() if name not in sources})
                break
    return found


def _document(tested: _Tested, games: int) -> dict[str, Any]:
    """The documented form: `conche test --format json`.

        {"conche": 1, "ruleset": "cacao",
         "scenarios": [{"title": "…", "line": 210, "passed": true, "failures": [DIAGNOSTIC, …]}, …],
         "games": 3, "broken": [DIAGNOSTIC, …],
         "elsewhere": [{"ruleset": "cacao:first_seat=random", "titles": ["…", …]}, …],
         "others": []}

    DIAGNOSTIC as in `conche check --format json`; `games`: for each number of players; `others`: with
    `--all-scenarios` the same of the rulesets of `elsewhere`, without these two.
    """
    from conche.diagnostics.render_json import to_json

    return {
        "conche": SCHEMA,
        "ruleset": tested.ruleset,
        "scenarios": [
            {
                "title": result.title,
                "line": result.line,
                "passed": result.passed,
                "failures": to_json(result.failures)["diagnostics"],
            }
            for result in tested.results
        ],
        "games": games,
        "broken": to_json(tested.broken)["diagnostics"],
    }
