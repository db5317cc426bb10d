"""From the signature of a function to a command."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import click
import pytest

from conche.cli.arguments import Argument, Option, command


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


given: dict[str, Any] = {}


def paint(
    what: Annotated[list[str], Argument(metavar="THING...", help="What is painted.")],
    colour: Annotated[Colour, Option("--colour", help="In which colour.")] = Colour.RED,
    second: Annotated[Colour | None, Option("--second", help="And then.")] = None,
    coats: Annotated[int, Option("-n", "--coats", metavar="N", help="How often.")] = 2,
    wait: Annotated[float | None, Option("--wait", metavar="HOURS", help="Between coats.")] = None,
    to: Annotated[Path | None, Option("--to", metavar="FILE", help="A list of it.")] = None,
    dry: Annotated[bool, Option("--dry", help="Only say it.")] = False,
) -> int:
    """Paint things.

    One after the other.
    """
    given.update(what=what, colour=colour, second=second, coats=coats, wait=wait, to=to, dry=dry)
    return 7


def hang(
    name: Annotated[str, Argument(metavar="NAME", help="What hangs.")],
    where: Annotated[Colour | None, Argument(metavar="[WALL]", help="On which wall.")] = None,
) -> int:
    """Hang it."""
    given.update(name=name, where=where)
    return 0


def run(function: Any, *args: str) -> object:
    given.clear()
    return command(function.__name__, function).main(list(args), prog_name="x", standalone_mode=False)


def test_what_is_given_comes_in_its_type() -> None:
    assert (
        run(paint, "door", "-n", "3", "wall", "--colour", "blue", "--wait", "1.5", "--to", "a/b", "--dry")
        == 7
    )
    assert given == {
        "what": ["door", "wall"], "colour": Colour.BLUE, "second": None, "coats": 3, "wait": 1.5,
        "to": Path("a/b"), "dry": True,
    }  # fmt: skip
    assert isinstance(given["colour"], Colour)


def test_what_is_not_given_is_as_the_function_has_it() -> None:
    assert run(paint, "door") == 7
    assert given == {
        "what": ["door"], "colour": Colour.RED, "second": None, "coats": 2, "wait": None,
        "to": None, "dry": False,
    }  # fmt: skip
    assert isinstance(given["colour"], Colour)
    assert run(hang, "coat") == 0
    assert given == {"name": "coat", "where": None}
    run(hang, "coat", "blue")
    assert given == {"name": "coat", "where": Colour.BLUE}


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (paint, (), "Missing argument 'THING...'"),
        (hang, (), "Missing argument 'NAME'"),
        (hang, ("coat", "green"), "'green' is not one of 'red', 'blue'"),
        (hang, ("coat", "red", "blue"), "unexpected extra argument"),
        (paint, ("door", "--coats", "x"), "'x' is not a valid integer"),
        (paint, ("door", "--colour", "RED"), "'RED' is not one of"),
        (paint, ("door", "--wet"), "No such option"),
        (paint, ("door", "--coats"), "requires an argument"),
    ],
)
def test_misuse_is_told_by_click(function: Any, args: tuple[str, ...], message: str) -> None:
    with pytest.raises(click.UsageError) as caught:
        run(function, *args)
    assert message in caught.value.format_message()
    assert given == {}


def test_help_shows_arguments_options_and_defaults() -> None:
    one = command("paint", paint)
    text = one.get_help(click.Context(one, info_name="paint"))
    assert text.startswith("Usage: paint [OPTIONS] THING...\n")
    arguments, options = text.partition("Arguments:\n")[2].split("Options:\n")
    assert arguments.split() == ["THING...", "What", "is", "painted."]
    assert "--colour [red|blue]" in options
    assert "[default: red]" in options
    assert "[default: 2]" in options
    assert options.count("default:") == 2
    assert one.get_short_help_str() == "Paint things."
