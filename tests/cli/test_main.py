"""The program as a whole: help, exit codes, streams, interruption, faults of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conche import __version__, api
from conche.cli import COMMANDS, run
from conche.cli.trouble import Interrupted
from conche_runtime.errors import RulesError
from tiny import TINY

from .conftest import Conche

ROOT = Path(__file__).resolve().parents[2]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "compiler"), str(ROOT / "runtime")])}


def spawn(*args: str, **more: object) -> subprocess.Popen[str]:
    # Where the tests run in the background, Ctrl-C is ignored by what they start.
    heeding = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": ENV}
    options = {**pipes, **(heeding if os.name == "posix" else {}), **more}
    return subprocess.Popen([sys.executable, "-m", "conche.cli", *args], **options)  # type: ignore[call-overload,no-any-return]


def test_the_help_lists_every_command(conche: Conche) -> None:
    result = conche("--help")
    assert result.code == 0
    assert all(f"  {name} " in result.out for name in COMMANDS)
    assert "..." not in result.out.partition("Commands:")[2]
    assert result.err == ""
    nothing = conche()
    assert (nothing.code, nothing.out) == (2, result.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(conche: Conche, name: str) -> None:
    for flag in ("-h", "--help"):
        result = conche(name, flag)
        assert result.code == 0
        assert result.out.startswith(f"Usage: conche {name} ")


def test_the_version(conche: Conche) -> None:
    result = conche("--version")
    assert (result.code, result.out, result.err) == (0, f"conche {__version__}\n", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["chek"], "no such command 'chek'"),
        (["check"], "missing argument"),
        (["check", "--what"], "no such option"),
        (["play", "cacao", "--players", "x"], "invalid value for '--players': a whole number is needed"),
        (["play", "cacao", "--players", "1.5"], "invalid value for '--players': a whole number is needed"),
        (["play", "cacao", "--seed"], "requires an argument"),
        (["graph", "cacao", "--format", "png"], "invalid value for '--format'"),
        (["replay"], "missing argument"),
        (["play", "cacao", "huts"], "unexpected extra argument"),
    ],
)
def test_misuse_is_a_diagnostic(conche: Conche, args: list[str], message: str) -> None:
    result = conche(*args)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("error[C0501]: ")
    assert message in result.err
    assert "--help` says what there is" in result.err


def test_a_misspelt_command_is_guessed(conche: Conche) -> None:
    assert "= help: did you mean 'check'?" in conche("chek").err


# ------------------------------------------------------------------------------------------------ trouble


def failing(error: BaseException) -> Callable[[str], object]:
    def load(ruleset: str) -> object:
        raise error

    return load


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (
            RulesError("the heap must not be here", "a.rules", 7),
            1,
            "the rules fail: a.rules:7: the heap must",
        ),
        (PermissionError(13, "Permission denied", "/x/y"), 2, "'/x/y': permission denied"),
        (OSError(28, "No space left on device"), 2, "no space left on device"),
        (FileExistsError(17, "the record exists", "a"), 2, "'a' is there already"),
        (FileExistsError(17, "File exists", "a"), 2, "cannot go on: 'a': file exists"),
        (
            UnicodeEncodeError("utf-8", "a\udcff.rules", 1, 2, "surrogates"),
            2,
            "the name of a file is not UTF-8",
        ),
        (RecursionError("maximum recursion depth exceeded"), 2, "nested too deeply"),
        (MemoryError(), 2, "not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (Interrupted("recorded in x"), 130, "interrupted; recorded in x\n"),
        (BrokenPipeError(), 141, ""),
        (EOFError(), 130, "interrupted"),
    ],
)
def test_trouble_is_told_without_a_traceback(
    conche: Conche, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    monkeypatch.setattr(api, "image_of", failing(error))
    result = conche("play", "cacao")
    assert result.code == code
    assert result.out == ""
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_fault_of_ours_says_how_to_report_it(conche: Conche, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "image_of", failing(ZeroDivisionError("oh\nno")))
    result = conche("play", "cacao")
    assert result.code == 2
    first, *rest = result.err.splitlines()
    assert first.startswith("internal error: ZeroDivisionError: oh no at test_main.py:")
    assert "CONCHE_DEBUG=1" in " ".join(rest)
    assert "Traceback" not in result.err
    monkeypatch.setenv("CONCHE_DEBUG", "1")
    assert "Traceback" in conche("play", "cacao").err


# ------------------------------------------------------------------------------------------------ streams


@pytest.mark.parametrize("args", [["graph", "cacao"], ["check", "cacao"], ["--help"]])
def test_nobody_reading_on_is_no_error(args: list[str]) -> None:
    read, write = os.pipe()
    process = spawn(*args, stdout=write)
    os.close(write)
    os.close(read)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:
        process = spawn("graph", "cacao", stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "error[C0505]: cannot go on: no space left on device" in err
    assert "Traceback" not in err


def test_closed_streams_are_no_error() -> None:
    code = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m conche.cli check cacao >&- 2>&-"], env=ENV, check=False, timeout=60
    ).returncode
    assert code == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(encoding: str) -> None:
    process = spawn("check", "./nö.rules", env={**ENV, "PYTHONIOENCODING": encoding}, text=False)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert b"there is no file" in err  # type: ignore[operator]
    assert b"Traceback" not in err  # type: ignore[operator]


def test_no_colour_where_there_is_no_terminal(conche: Conche) -> None:
    assert "\x1b" not in conche("check", "./none.rules").err


@pytest.mark.parametrize("quiet", [True, False])
def test_colour_on_a_terminal_unless_unwanted(tmp_path: Path, quiet: bool) -> None:
    pty = pytest.importorskip("pty")
    main, side = pty.openpty()
    env = {**ENV, "TERM": "xterm", **({"NO_COLOR": "1"} if quiet else {})}
    process = spawn("check", "./none.rules", stderr=side, env=env)
    process.communicate(timeout=60)
    os.close(side)
    text = os.read(main, 10_000)
    os.close(main)
    assert b"there is no file" in text
    assert (b"\x1b[" in text) == (not quiet)


def test_interrupting_ends_with_one_line(tmp_path: Path) -> None:
    process = spawn("play", str(tiny(tmp_path)), "--bots", "human", stdin=subprocess.PIPE)
    assert process.stdout is not None
    line = ""
    while "choose take" not in line:
        line = process.stdout.readline()
        assert line != ""
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "interrupted\n"


def tiny(folder: Path) -> Path:
    path = folder / "tiny.rules"
    path.write_text(TINY)
    return path


# ------------------------------------------------------------------------------------------------ speed


def test_the_program_loads_only_what_a_command_needs() -> None:
    code = (
        "import sys; from conche.cli import run; run(['--version']); "
        "print([m for m in ('networkx', 'lark', 'jinja2', 'asyncio') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.endswith("[]\n")


def test_a_check_of_good_rules_needs_neither_networkx_nor_what_writes_engines(tmp_path: Path) -> None:
    code = (
        f"import sys; from conche.cli import run; run(['check', {str(tiny(tmp_path))!r}]); "
        "print([m for m in ('networkx', 'jinja2', 'conche.codegen', 'rich', 'asyncio') if m in sys.modules])"
    )
    env = {**ENV, "CONCHE_CACHE": str(tmp_path / "cache")}
    result = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.endswith("good\n[]\n")


@pytest.mark.slow
def test_an_unchanged_ruleset_is_not_read_again(tmp_path: Path) -> None:
    code = (
        "import sys; from conche.cli import run; run(['check', 'cacao']); "
        "print([m for m in ('lark', 'conche.syntax', 'conche.semantics') if m in sys.modules])"
    )
    env = {**ENV, "CONCHE_CACHE": str(tmp_path)}
    shown = [
        subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for _ in range(2)
    ]
    # Some of them are needed the first time, or the second one would show nothing.
    assert "conche.semantics" in shown[0]
    assert shown[1] == "cacao: good\n[]\n"


def test_run_can_be_called_again_and_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert [run(["check", "cacao"]) for _ in range(3)] == [0, 0, 0]
    assert capsys.readouterr().out == "cacao: good\n" * 3
