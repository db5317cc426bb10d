"""What of a game a module can change: its named places.

Input: a rulebook. Output: names by sort; the steps at which something can be added in a player's turn.
Invariants: in the order of the text where there is one, else by name.
"""

from __future__ import annotations

from conche.semantics import rulebook as rb
from conche.semantics.module_places import choices
from conche.semantics.walk import walk


def points_of(rules: rb.Rulebook) -> dict[str, list[str]]:
    """The places by sort, as a module writes them; sorts without places are left out."""
    cases = {
        f"{action.name}.{case.label.partition('(')[0]}": None
        for action in rules.actions.values()
        for case in action.cases
    }
    found = {
        "steps": list(rules.steps),
        "actions": list(cases),
        "choices": list(_choices(rules, short=False)),
        "one-line": list(_choices(rules, short=True)),
        "queries": [
            f"{query.name}({', '.join(slot.name for slot in query.params)})"
            for query in rules.queries.values()
        ],
        "scores": [f"{name}()" for name in rules.scores],
        "types": [*rules.enums, *rules.pieces],
        "board": list(rules.boards),
    }
    return {sort: names for sort, names in found.items() if names}


def _choices(rules: rb.Rulebook, *, short: bool) -> dict[str, None]:
    """The choices that can be told by their place. `short`: those on one line, which take no more cases."""
    bodies: dict[str, tuple[rb.Stmt, ...]] = {"setup": rules.setup, "play": rules.play}
    bodies |= {step.name: step.body for step in rules.steps.values()}
    for action in rules.actions.values():
        bodies |= {f"{action.name}.{case.label.partition('(')[0]}": case.body for case in action.cases}
    found: dict[str, None] = {}
    for place, body in bodies.items():
        every = [choose for choose, _, _ in choices(body, (), 0)]
        names = [choose.name for choose in every]
        found |= {
            f"{place}.{choose.name}": None
            for choose in every
            if choose.short == short and names.count(choose.name) == 1
        }
    return found


def closed_setup(rules: rb.Rulebook) -> bool:
    """Whether there is a set-up to which a module can add nothing, as it does no step."""
    return bool(rules.setup) and not any(isinstance(node, rb.Do) for node in walk(rules.setup))


def turn_steps(rules: rb.Rulebook) -> list[rb.Step]:
    """The steps that play comes to, those first that it names itself."""
    found: dict[str, rb.Step] = {}
    waiting: list[tuple[rb.Stmt, ...]] = [rules.play]
    while waiting:
        for node in walk(waiting.pop(0)):
            if isinstance(node, rb.Do) and node.step not in found:
                found[node.step] = rules.steps[node.step]
                waiting.append(rules.steps[node.step].body)
    return list(found.values())


def has_you(step: rb.Step) -> bool:
    """Whether the step is done for a player who is `you` there."""
    return any(slot.name == "you" for slot in step.params)
