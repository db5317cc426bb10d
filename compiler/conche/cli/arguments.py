"""From the signature of a function to a command of the shell.

Purpose: a command is written once, as a function whose parameters say by `Annotated` how they are given.
Input: the function. Output: its `click.Command`.
Invariants: what is given may be `str`, `int`, `float`, `bool` (an option that is a flag), `Path`, an enum of
texts, each with `| None`, or `list[str]` (an argument that takes all that is left); without a default it has
to be given. The function's docstring is the help, its first paragraph the line in the list of commands.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import click

_TYPES: dict[object, click.ParamType[Any]] = {
    str: click.STRING,
    int: click.INT,
    float: click.FLOAT,
    bool: click.BOOL,
    Path: click.Path(path_type=Path),
}


class Argument:
    """A parameter that is told by its place."""

    def __init__(self, *, metavar: str, help: str) -> None:
        self.metavar, self.help = metavar, help


class Option:
    """A parameter that is told by its name: `Option("-o", "--out", …)`."""

    def __init__(self, *names: str, metavar: str | None = None, help: str) -> None:
        self.names, self.metavar, self.help = names, metavar, help


class _Argument(click.Argument):
    """With a help of its own, as options have."""

    def __init__(self, note: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.note = note

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.metavar or "", self.note


class _Command(click.Command):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
            records = [p.get_help_record(ctx) for p in self.get_params(ctx) if isinstance(p, kind)]
            if shown := [record for record in records if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(shown)


def command(name: str, function: Callable[..., int]) -> click.Command:
    """The command that calls the function with what was given."""
    hints = get_type_hints(function, include_extras=True)
    takes = inspect.signature(function).parameters.values()
    params = [_param(one.name, hints[one.name], one.default) for one in takes]
    enums = {one.name: kind for one in takes if (kind := _enum(hints[one.name])) is not None}

    def call(**given: Any) -> int:
        for key, value in given.items():
            if isinstance(value, tuple):
                given[key] = list(value)
            elif key in enums and value is not None:
                given[key] = enums[key](value)
        return function(**given)

    text = inspect.getdoc(function) or ""
    return _Command(name, params=params, callback=call, help=text, short_help=text.split("\n\n")[0])


def _param(name: str, hint: Any, default: object) -> click.Parameter:
    kind, told = get_args(hint)
    settings: dict[str, Any] = {"metavar": told.metavar, "type": _type(kind)}
    if default is inspect.Parameter.empty:
        settings["required"] = True
    else:
        settings["default"] = default.value if isinstance(default, StrEnum) else default
    if isinstance(told, Argument):
        nargs = -1 if get_origin(kind) is list else 1
        return _Argument(told.help, param_decls=[name], nargs=nargs, **settings)
    assert isinstance(told, Option), name
    flag = kind is bool
    shown = not flag and settings.get("default") is not None
    names = [*told.names, name]
    return click.Option(names, help=told.help, is_flag=flag, show_default=shown, **settings)


def _plain(kind: Any) -> Any:
    """A type without `| None`; of a list, that of its elements."""
    if get_origin(kind) is UnionType:
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    return get_args(kind)[0] if get_origin(kind) is list else kind


def _enum(hint: Any) -> type[StrEnum] | None:
    kind = _plain(get_args(hint)[0])
    return kind if issubclass(kind, StrEnum) else None


def _type(kind: Any) -> click.ParamType[Any]:
    plain = _plain(kind)
    return click.Choice([one.value for one in plain]) if issubclass(plain, StrEnum) else _TYPES[plain]
