"""What a generated engine needs, and nothing else: no dependencies.

interface.py   what every engine and state offers; errors.py its errors
state.py       the base of generated states; engine.py the engine
layout.py      what a generated engine says of itself; codecs.py codes and JSON; moves.py typed moves
helpers.py     what generated code calls
saves.py, show.py, samples.py, faults.py    save and load, snapshots and views, samples, run-time errors
several.py, asked.py, seats.py, piles.py    choosing at once, who is asked, who is still in, who knows what
chance.py      the specified generator of chance
records.py, replay.py    records of games
submoves.py    a decision taken argument by argument
"""

from conche_runtime.chance import fnv1a64, stream_key
from conche_runtime.codecs import (
    FLAG,
    NOTHING,
    NUMBER,
    SIDE,
    SIDES,
    TEXT,
    UNSET,
    Codec,
    ContentsCodec,
    EdgeCodec,
    FlagCodec,
    ItemsCodec,
    MaybeCodec,
    NameCodec,
    NumberCodec,
    TextCodec,
)
from conche_runtime.copies import (
    carried_by,
    clear_zone,
    first_alike,
    free_copy,
    look_of,
    lowest_copy,
    swap_copies,
)
from conche_runtime.engine import GeneratedEngine
from conche_runtime.errors import ChanceError, ConcheError, IllegalMove, RecordError, RulesError, SaveError
from conche_runtime.faults import Fault
from conche_runtime.helpers import (
    EMPTY,
    cover,
    distinct,
    empty,
    filled,
    height,
    illegal,
    items_in,
    kinds_in,
    kinds_of_row,
    known,
    legal,
    no_room,
    not_there,
    out_of_bounds,
    spaces_of,
    span,
    tell_apart,
    too_many,
    without,
)
from conche_runtime.layout import OVER, Anew, AtOnce, Decision, Game, Grid, Stream, Variable, Zone
from conche_runtime.moves import ABSENT, INVALID, MISSING, Absent, EngineMove, Pool, all_of
from conche_runtime.piles import first_known, known_of, look_at, take_known
from conche_runtime.seats import clockwise, eliminate, next_seat
from conche_runtime.several import gather
from conche_runtime.state import ALL, NOBODY, TURNS, EngineState

__all__ = [
    "ABSENT",
    "ALL",
    "EMPTY",
    "FLAG",
    "INVALID",
    "MISSING",
    "NOBODY",
    "NOTHING",
    "NUMBER",
    "OVER",
    "SIDE",
    "SIDES",
    "TEXT",
    "TURNS",
    "UNSET",
    "Absent",
    "Anew",
    "AtOnce",
    "ChanceError",
    "Codec",
    "ConcheError",
    "ContentsCodec",
    "Decision",
    "EdgeCodec",
    "EngineMove",
    "EngineState",
    "Fault",
    "FlagCodec",
    "Game",
    "GeneratedEngine",
    "Grid",
    "IllegalMove",
    "ItemsCodec",
    "MaybeCodec",
    "NameCodec",
    "NumberCodec",
    "Pool",
    "RecordError",
    "RulesError",
    "SaveError",
    "Stream",
    "TextCodec",
    "Variable",
    "Zone",
    "all_of",
    "carried_by",
    "clear_zone",
    "clockwise",
    "cover",
    "distinct",
    "eliminate",
    "empty",
    "filled",
    "first_alike",
    "first_known",
    "fnv1a64",
    "free_copy",
    "gather",
    "height",
    "illegal",
    "items_in",
    "kinds_in",
    "kinds_of_row",
    "known",
    "known_of",
    "legal",
    "look_at",
    "look_of",
    "lowest_copy",
    "next_seat",
    "no_room",
    "not_there",
    "out_of_bounds",
    "spaces_of",
    "span",
    "stream_key",
    "swap_copies",
    "take_known",
    "tell_apart",
    "too_many",
    "without",
]
