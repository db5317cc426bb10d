"""The two engines of the base game that the tests here play: generated and interpreted."""

from __future__ import annotations

import pytest

import conche
from conche.graph.from_rulebook import from_rulebook
from conche.graph.model import ActionGraph
from conche.interpret import Interpreter
from conche.modules.load import load
from conche_runtime.interface import Engine


@pytest.fixture(scope="session")
def graph() -> ActionGraph:
    result = load("cacao")
    assert result.rulebook is not None, result.diagnostics
    return from_rulebook(result.rulebook)


@pytest.fixture(scope="session")
def interpreter(graph: ActionGraph) -> Interpreter:
    return Interpreter(graph)


@pytest.fixture(scope="session")
def engine() -> Engine:
    return conche.load("cacao")
