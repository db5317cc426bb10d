"""What goes wrong: from exceptions to diagnostics and exit codes.

Purpose: one table of what each kind of trouble means for the user.
Input: what a command does. Output: its exit code, with the trouble on stderr.
Invariants: see `conche.cli`. Nothing but a fault of Conche's own is called internal.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from conche.cli.output import flush, prepare, report, tell

if TYPE_CHECKING:
    from conche.diagnostics.model import Diagnostic
    from conche_runtime.errors import RulesError

GOOD, PROBLEMS, TROUBLE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141


class Interrupted(Exception):
    """The user pressed Ctrl-C. `note` says what is left."""

    def __init__(self, note: str = "") -> None:
        super().__init__(note)
        self.note = note


class Misuse(Exception):
    """The command was asked for something that cannot be; carries the diagnostic to show."""

    def __init__(self, code: str, title: str, *help: str) -> None:
        super().__init__(title)
        self.code, self.title, self.help = code, title, help


def refuse(code: str, title: str, *help: str) -> NoReturn:
    """Ends the command with a diagnostic and exit code 2."""
    raise Misuse(code, title, *help)


def see_again(ruleset: str, players: int, seed: int, bots: Sequence[str]) -> str:
    """What to type to watch a game between bots again."""
    import shlex

    named = "" if set(bots) == {"random"} else f" --bots {shlex.quote(','.join(bots))}"
    command = f"conche play {shlex.quote(ruleset)} --players {players} --seed {seed}{named}"
    return f"see it again: `{command}`"


def rules_failed(error: RulesError, *help: str) -> int:
    """Reports that the rules fail, with the line that does; returns the exit code."""
    from conche.failure import rules_failure

    report(*rules_failure(error, *help))
    return PROBLEMS


def exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """What findings mean: an error that speaks of no place in a file is about how the command was called."""
    errors = [one for one in diagnostics if one.severity == "error"]
    if not errors:
        return GOOD
    return PROBLEMS if any(one.main is not None for one in errors) else TROUBLE


def guarded(work: Callable[[], int]) -> int:
    """The exit code of `work`, whatever happens in it."""
    try:
        prepare()
        code = work()
        flush()
        return code
    except BrokenPipeError:
        _close_output()
        return BROKEN_PIPE
    except (KeyboardInterrupt, Interrupted) as stop:
        note = stop.note if isinstance(stop, Interrupted) else ""
        _tell(f"interrupted{'; ' if note else ''}{note}")
        return INTERRUPTED
    except Exception as error:
        try:
            return _answer(error)
        except BrokenPipeError:
            _close_output()
            return BROKEN_PIPE


def misuse(error: Any, path: str) -> int:
    """Answers for an error in the arguments of the command `path`, as click found it."""
    text = " ".join(str(error.format_message()).split())
    likely = re.match(r"(.*?) \(?(?:Did you mean|Possible options:)(?: one of:)? (.*?)\??\)?$", text)
    text, meant = likely.groups() if likely else (text, "")
    # The words of the library that reads numbers are not for players.
    text = re.sub(r"(Invalid value for '[^']*'): .*\binteger\b.*", r"\1: a whole number is needed", text)
    text = re.sub(r"(Invalid value for '[^']*'): .*\bfloat\b.*", r"\1: a number is needed", text)
    title = text[:1].lower() + text[1:].rstrip(".") or "the arguments are not understood"
    hints = [f"did you mean {meant}?"] if meant else []
    return _answer(Misuse("C0501", title, *hints, f"`{path} --help` says what there is"))


def _answer(error: Exception) -> int:
    """Reports an error and says what it means for the exit code."""
    from conche.bots.errors import BotError
    from conche.diagnostics.codes import diagnose
    from conche.extras import MissingExtraError
    from conche.pipeline import CompileError
    from conche.source import SourceError
    from conche.workers import WorkerDiedError
    from conche_runtime.errors import ConcheError, RecordError, RulesError

    match error:
        case Misuse():
            report([diagnose(error.code, error.title, help=error.help)])
            return TROUBLE
        case CompileError():
            report(error.diagnostics, error.sources)
            return exit_code(error.diagnostics)
        case SourceError():
            report([error.diagnostic])
            return TROUBLE
        case RecordError():
            report([diagnose("C0511" if error.line else "C0510", str(error))])
            return TROUBLE
        case RulesError():
            return rules_failed(error)
        case BotError():
            report([diagnose(error.code, error.message, help=error.help)])
            return TROUBLE
        case MissingExtraError():
            report([diagnose("C0508", str(error), help=(error.help,))])
            return TROUBLE
        case WorkerDiedError():
            report([diagnose("C0505", f"cannot go on: {error}")])
            return TROUBLE
        case ConcheError():
            report([diagnose("C0521", str(error))])
            return PROBLEMS
        case UnicodeEncodeError():
            # Such a name reaches Python with surrogates in it; what Conche writes is always UTF-8.
            help = "rename it, or the folder it lies in"
            report([diagnose("C0505", "cannot go on: the name of a file is not UTF-8", help=(help,))])
            return TROUBLE
        case FileExistsError() if error.strerror != os.strerror(errno.EEXIST):
            # Only Conche itself says it in other words: it looks before it replaces a file.
            help = "choose another name, or add --force"
            report([diagnose("C0504", f"'{error.filename}' is there already", help=(help,))])
            return TROUBLE
        case OSError():
            reason = (error.strerror or str(error)).lower()
            name = f"'{error.filename}': " if error.filename else ""
            report([diagnose("C0505", f"cannot go on: {name}{reason}")])
            return TROUBLE
        case RecursionError():
            report([diagnose("C0506", "this is nested too deeply for Conche")])
            return TROUBLE
        case MemoryError():
            report([diagnose("C0507", "there is not enough memory")])
            return TROUBLE
        case _:
            return _internal(error)


def _internal(error: Exception) -> int:
    """A fault of ours."""
    import traceback

    from conche import __version__

    if os.environ.get("CONCHE_DEBUG") == "1":
        _tell("".join(traceback.format_exception(error)).rstrip())
    where = traceback.extract_tb(error.__traceback__)
    place = f" at {os.path.basename(where[-1].filename)}:{where[-1].lineno}" if where else ""
    what = " ".join(f"{type(error).__name__}: {error}".split())
    _tell(
        f"internal error: {what[:300]}{place}\n"
        f"This is a fault of Conche {__version__}, not of your rules. Please report it where you got\n"
        "Conche from, with the command, the rules and what is shown with CONCHE_DEBUG=1."
    )
    return TROUBLE


def _tell(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        flush()
    with contextlib.suppress(OSError, ValueError):
        tell(text)


def _close_output() -> None:
    """Nobody reads on: what is still to be written goes nowhere, without a word."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
