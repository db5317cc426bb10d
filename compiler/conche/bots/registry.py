"""Which bots there are: Conche's own, and those that other distributions bring.

Input: how a bot is written. Output: a `Factory`, which makes such a bot of a seed.
Invariants: what is installed is looked for only where a name is not Conche's own, so `random` costs nothing;
one broken distribution hides no other bot. Whatever is wrong is a `BotNameError` that names the distribution.

A distribution registers a bot as an entry point of the group `conche.bots`: `greedy = "my_bots:Greedy"`.
Where two have the same name, or one has a name of Conche's own, `DISTRIBUTION/NAME` says whose is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from conche.bots.errors import BotNameError, UnknownBotError
from conche.bots.playout_bot import PlayoutBot
from conche.bots.random_bot import RandomBot
from conche.bots.seat import SeatedBot, error_text, failed, shown
from conche.bots.spec import Spec, parse_spec
from conche.diagnostics.lists import in_a_row

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "conche.bots"

AT_TABLE: dict[str, Callable[[int], Any]] = {"random": RandomBot}
"""Conche's own bots that are asked with the state itself, and so have to know what they may look at. All
seats of one game that name the same are played by one bot."""

SEATED: dict[str, Callable[..., Any]] = {"playout": PlayoutBot}
"""Conche's own bots that are asked like those of others: with a `Seat`, one bot for each."""

RESERVED = frozenset({"human"})
"""What else means something where bots are named."""


@dataclass(frozen=True, slots=True)
class Factory:
    """Makes one bot of a seed. `shared`: one serves all seats of its name."""

    text: str
    make: Callable[[int], Any]
    shared: bool


def known_names() -> list[str]:
    """All names, as they can be written."""
    own = [*AT_TABLE, *SEATED]
    try:
        found = _entry_points()
    except BotNameError:
        return sorted(own)
    return sorted({*own, *[_written(name, home, found) for name, home, _ in found if _can_be_written(name)]})


@lru_cache(maxsize=256)
def factory_of(text: str) -> Factory:
    """What makes the bot that a text asks for. BotNameError where that cannot be."""
    spec = parse_spec(text)
    if spec.name in AT_TABLE:
        make = _with_arguments(AT_TABLE[spec.name], spec)
        return Factory(text, make, shared=True)
    if spec.name in SEATED:
        make = _with_arguments(SEATED[spec.name], spec)
        return Factory(text, lambda seed: SeatedBot(make(seed), text, own=True), shared=False)
    make = _with_arguments(_load(spec.name), spec)
    return Factory(text, lambda seed: SeatedBot(_checked(make(seed), spec.name), text), shared=False)


# ------------------------------------------------------------------------------------------ entry points

_Found = tuple[str, str, "EntryPoint"]
"""Name, distribution, entry point."""


def _entry_points() -> list[_Found]:
    """The bots of other distributions, by name and distribution."""
    from importlib.metadata import entry_points

    try:
        found = [(point.name, _home(point), point) for point in entry_points(group=GROUP)]
    except Exception as error:  # whatever a damaged installation brings about
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise BotNameError(
            f"what is installed cannot be searched for bots: {said}",
            "C0509",
            "a distribution has no proper entry_points.txt; reinstall it",
        ) from None
    return sorted(found, key=lambda one: one[:2])


def _home(point: EntryPoint) -> str:
    """The distribution that an entry point belongs to."""
    try:
        name = point.dist.name if point.dist is not None else None
    except Exception:  # no METADATA, or none that can be read
        name = None
    return name or point.value.partition(":")[0].partition(".")[0]


def _can_be_written(name: str) -> bool:
    return bool(name) and not set(name) & set(",:= \t")


def _written(name: str, home: str, found: Iterable[_Found]) -> str:
    """What to write for a bot: its name, or whose where that is not clear."""
    alone = sum(one[0] == name for one in found) == 1
    own = name in AT_TABLE or name in SEATED or name in RESERVED
    return name if alone and not own else f"{home}/{name}"


def _load(name: str) -> Callable[..., Any]:
    """What makes a bot of another distribution."""
    found = _entry_points()
    home, slash, short = name.rpartition("/")
    fitting = [one for one in found if one[0] == name or (slash and one[:2] == (short, home))]
    if not fitting:
        raise unknown(name, known_names())
    if len(fitting) > 1:
        named = in_a_row([home for _, home, _ in fitting])
        choice = " or ".join(f"`{_written(one, home, found)}`" for one, home, _ in fitting)
        raise BotNameError(
            f"{len(fitting)} distributions have a bot '{name}': {named}", "C0509", f"write {choice}"
        )
    [(_, home, point)] = fitting
    try:
        make = point.load()
    except (Exception, SystemExit) as error:
        raise BotNameError(
            f"the bot '{name}' of {home} cannot be loaded: {error_text(error)}",
            "C0509",
            f"it is registered as `{point.value}`; this is for the author of {home}",
        ) from None
    if not callable(make):
        raise BotNameError(
            f"the bot '{name}' of {home} is no class: `{point.value}` is {shown(make)}",
            "C0509",
            "a bot is a class that is made of a seed and has a method `choose`",
        )
    loaded: Callable[..., Any] = make
    return loaded


def unknown(name: str, known: Iterable[str], *help: str) -> UnknownBotError:
    """What to say of a name that no bot has."""
    from conche.diagnostics.suggest import did_you_mean

    names = sorted(known)
    near = did_you_mean(name, names)
    return UnknownBotError(
        f"there is no bot '{name}'; there is {', '.join(names)}", "C0503", *help, *([near] if near else [])
    )


def _checked(bot: Any, name: str) -> Any:
    if not callable(getattr(bot, "choose", None)):
        raise BotNameError(
            f"the bot '{name}' has no method `choose`: it is {shown(bot)}",
            "C0509",
            "a bot is a class that is made of a seed and has a method `choose`",
        )
    return bot


# --------------------------------------------------------------------------------------------- arguments


def _with_arguments(make: Callable[..., Any], spec: Spec) -> Callable[[int], Any]:
    """What makes a bot of a seed, with the arguments that were given."""
    own = spec.name in AT_TABLE or spec.name in SEATED
    if own and not spec.arguments:
        return make
    given = _converted(make, spec)

    def made(seed: int) -> Any:
        try:
            return make(seed, **given)
        except BotNameError:
            raise
        except ValueError as error:
            raise BotNameError(f"the bot '{spec.name}' does not take this: {error}", "C0509") from None
        except (Exception, SystemExit) as error:
            raise failed(spec.name, error) from error

    return made


def _converted(make: Callable[..., Any], spec: Spec) -> Mapping[str, Any]:
    """The arguments as the bot's parameters want them: `int`, `float`, `bool` by their annotation, else
    text."""
    import inspect

    from conche.diagnostics.suggest import did_you_mean

    try:
        parameters = list(inspect.signature(make, eval_str=True).parameters.values())
    except NameError:  # an annotation of what is imported for type checkers alone
        parameters = list(inspect.signature(make).parameters.values())
    except (TypeError, ValueError):  # a class of another language that says nothing of itself
        return spec.arguments
    by_name = {
        one.name: one for one in parameters[1:] if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    }
    anything = any(one.kind is one.VAR_KEYWORD for one in parameters)
    given: dict[str, Any] = {}
    for key, value in spec.arguments.items():
        if key not in by_name and not anything:
            takes = f"it takes {', '.join(by_name)}" if by_name else "it takes no arguments"
            near = did_you_mean(key, by_name)
            raise BotNameError(f"the bot '{spec.name}' takes no '{key}'", "C0509", near or takes)
        given[key] = _read(value, by_name[key].annotation if key in by_name else str, key, spec.name)
    for key, one in by_name.items():
        if one.default is one.empty and key not in given:
            raise BotNameError(
                f"the bot '{spec.name}' needs '{key}'", "C0509", f"write `{spec.name}:{key}=…`"
            )
    return given


_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_WANTED = {int: "a whole number", float: "a number", bool: "yes or no"}


def _read(value: str, annotation: Any, key: str, name: str) -> Any:
    """A value as a parameter with that annotation wants it; `int | None` is read as `int`."""
    import math
    from typing import get_args

    kinds = [kind for kind in (get_args(annotation) or (annotation,)) if kind is not type(None)]
    kind = kinds[0] if len(kinds) == 1 and kinds[0] in _WANTED else str
    try:
        if kind is bool:
            return _FLAGS[value.lower()]
        found = kind(value)
        if isinstance(found, float) and not math.isfinite(found):
            raise ValueError
        return found
    except (KeyError, ValueError):
        title = f"the bot '{name}' takes {_WANTED[kind]} for '{key}', not '{value}'"
        raise BotNameError(title, "C0509") from None
