"""Every block of the engine of the base game is reached by guided play and set positions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conche_runtime.interface import Engine
from games.reached import GUIDED, lines_reached, table

UNREACHABLE = {
    "room_for_jungle": "runs when the engine is imported",
    "room_for_worker": "runs when the engine is imported",
    "use_temple": "an edge at a temple is never usable (§8e)",
    "use_edges_edge": "its branch for temples",
    "update_free_sites": "no space becomes free again in this game",
    "update_temples": "no temple is ever covered",
    "put_jungle": "a jungle tile never covers another",
    "ask_use_water": "asked only of a usable edge, and then there are two options",
    "ask_use_sun_site": "as before",
    "ask_use_plantation": "as before",
    "ask_use_market": "as before",
    "ask_use_gold_mine": "as before",
    "ask_place": "a single placement needs a single free space, and there are always more (§1.4a)",
    "apply_place": "its last line refuses what is illegal; test_properties reaches it",
}


@pytest.mark.slow
def test_every_block_is_reached(engine: Engine) -> None:
    path = Path(sys.modules[type(engine.start(2, 1)).__module__].__file__ or "")
    text, missing = table(path, lines_reached(engine, path, GUIDED))
    unexpected = {name: lines for name, lines in missing.items() if name not in UNREACHABLE}
    assert not unexpected, f"{text}\n{unexpected}"
    never = [row.split()[0] for row in text.splitlines()[1:] if row.split()[2] == "0"]
    assert set(never) <= {"room_for_jungle", "room_for_worker", "use_temple"}
