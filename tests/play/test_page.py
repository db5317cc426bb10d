"""The session that docs/play.md shows is one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "play.md"
SHOWN = re.compile(r"runs it: conche ([^\n]*) -->\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(\w[\w ,-]*> )(.*)\n", re.MULTILINE)


def test_the_session_is_as_it_is_shown() -> None:
    found = SHOWN.findall(PAGE.read_text("utf-8"))
    assert found
    for command, text in found:
        typed = "".join(f"{line}\n" for _, line in PROMPT.findall(text))
        done = subprocess.run(
            [sys.executable, "-m", "conche.cli", *command.split()],
            input=typed,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if name != "COLUMNS"},
        )
        # Through a pipe what is typed is not shown.
        assert fits(squeezed(PROMPT.sub(r"\1", text)), squeezed(done.stdout)), f"it prints\n{done.stdout}"
        assert (done.returncode, done.stderr) == (0, "")


def squeezed(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether it is what is printed; `…` stands for any lines."""
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None
