"""The committed engines are what the compiler makes: fresh, the same under any hash seed, clean to lint."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conche.pipeline import build, module_name

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ["cacao"]


@pytest.mark.parametrize("ruleset", BUNDLED)
def test_committed_engines_are_fresh(ruleset: str) -> None:
    built = build(ruleset)
    path = ROOT / "generated" / f"{module_name(ruleset)}.py"
    assert path.read_text(encoding="utf-8") == built.text, "stale: run `make generated`"


def test_two_builds_are_the_same_to_the_byte_under_any_hash_seed() -> None:
    code = "import sys; from conche.pipeline import build; sys.stdout.write(build('cacao').text)"
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(texts) == 1
    assert texts.pop() == build("cacao").text


@pytest.mark.slow
def test_a_generated_engine_is_formatted_and_clean(tmp_path: Path) -> None:
    path = tmp_path / "cacao.py"
    path.write_text(build("cacao").text, encoding="utf-8")
    config = ["--config", str(ROOT / "pyproject.toml")]
    for command in (["ruff", "check", *config], ["ruff", "format", "--check", *config]):
        run = subprocess.run([sys.executable, "-m", *command, str(path)], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
