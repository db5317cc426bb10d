"""All checks of the graph, in the order in which they run.

Input: an `ActionGraph`. Output: the findings of every check, by file and place.
Invariants: the checks are independent: none relies on another having found nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from conche.diagnostics.model import Diagnostic, in_order
from conche.graph.model import ActionGraph
from conche.source import Span
from conche.validate.check_arguments import check_arguments
from conche.validate.check_bounded import check_bounded
from conche.validate.check_carriers import check_carriers
from conche.validate.check_choices import check_choices
from conche.validate.check_conserved import check_conserved
from conche.validate.check_reachable import check_reachable
from conche.validate.check_secrets import check_secrets
from conche.validate.check_triggers import check_triggers
from conche.validate.check_used import check_used

CHECKS: tuple[Callable[[ActionGraph], list[Diagnostic]], ...] = (
    check_reachable,
    check_bounded,
    check_choices,
    check_triggers,
    check_secrets,
    check_conserved,
    check_used,
    check_carriers,
    check_arguments,
)


def validate(graph: ActionGraph) -> list[Diagnostic]:
    """The findings of all checks, each once, by file and place.

    That a loop may never end is not said of one that the game cannot get out of at all.
    """
    found = in_order(finding for check in CHECKS for finding in check(graph))
    stuck = [one.main.span for one in found if one.code == "C0303" and one.main is not None]
    return [one for one in found if not (one.code in ("C0310", "C0311") and _around(one, stuck))]


def _around(finding: Diagnostic, places: list[Span]) -> bool:
    """Whether a finding is about something that holds one of the places."""
    main = finding.main
    return main is not None and any(
        main.span.file == place.file and main.span.start <= place.start and place.end <= main.span.end
        for place in places
    )
