"""The bundled games pass every check, without a warning."""

from __future__ import annotations

import pytest

from conche.validate import CHECKS, validate
from graph.games import graph_of


@pytest.mark.parametrize("ruleset", ["cacao", "cacao:first_seat=random"])
def test_cacao_is_clean(ruleset: str) -> None:
    graph = graph_of(ruleset)
    assert [finding for check in CHECKS for finding in check(graph)] == []
    assert validate(graph) == []
