"""Prints how values are written in records: the codecs of a generated module.

Input: types. Output: Python expressions that make or name a codec of the runtime.
"""

from __future__ import annotations

from typing import assert_never

from conche.codegen.print_expressions import Module
from conche.semantics.types import (
    EdgeT,
    EnumT,
    ErrorT,
    Flag,
    Int,
    KindT,
    ListT,
    Maybe,
    PlayerT,
    RingT,
    SetT,
    SideT,
    SpaceT,
    TextT,
    Type,
)


def codec_text(module: Module, type_: Type, *, bounded: bool = False) -> str:
    """bounded: the engine keeps a number within the range of its type; otherwise any number goes."""
    match type_:
        case Flag():
            return module.runtime("FLAG")
        case Int(low=low, high=high):
            return f"{module.runtime('NumberCodec')}({low}, {high})" if bounded else module.runtime("NUMBER")
        case EnumT(name=of) | KindT(piece=of):
            return module.names.kinds[of]
        case PlayerT():
            return module.names.seat
        case SideT():
            return module.runtime("SIDE")
        case SpaceT(board=board):
            return module.names.spaces[board]
        case EdgeT(board=board):
            return module.names.edges[board]
        case TextT() | ErrorT():
            # What is only ever `nothing` is a `maybe` of no type.
            return module.runtime("TEXT")
        case Maybe(element=element):
            return f"{module.runtime('MaybeCodec')}({codec_text(module, element, bounded=bounded)})"
        case SetT(element=element):
            inner = codec_text(module, element, bounded=bounded)
            return f"{module.runtime('ItemsCodec')}({inner}, unique=True)"
        case ListT(element=element) | RingT(element=element):
            inner = codec_text(module, element, bounded=bounded)
            return f"{module.runtime('ItemsCodec')}({inner}, unique=False)"
        case _:
            assert_never(type_)


def argument_type(type_: Type) -> str:
    """The Python type of an argument of a typed move."""
    match type_:
        case Flag():
            return "bool"
        case Int() | PlayerT():
            return "int"
        case EnumT() | KindT() | SideT() | TextT():
            return "str"
        case SpaceT():
            return "tuple[int, int]"
        case EdgeT():
            return "tuple[int, int, str]"
        case Maybe(element=ErrorT()):
            return "None"
        case Maybe(element=element):
            return f"{argument_type(element)} | None"
        case SetT(element=element) | ListT(element=element) | RingT(element=element):
            inner = argument_type(element)
            return f"tuple[{inner}, ...]"
        case ErrorT():
            raise AssertionError("rules with errors are never built")
        case _:
            assert_never(type_)
