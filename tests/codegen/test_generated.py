"""The committed engines are what the compiler makes: fresh, the same under any hash seed, clean to lint."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.engines import PLAIN, rulebook_of
from codegen.random_rules import random_rules
from codegen.test_windows import GAMES, council
from conche.codegen import build as build_engine
from conche.graph.from_rulebook import from_rulebook
from conche.pipeline import build, module_name
from interpret.lab import lab, read_cases
from slices import slice_of

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ["cacao", "schoko"]


@pytest.mark.parametrize("ruleset", BUNDLED)
def test_committed_engines_are_fresh(ruleset: str) -> None:
    built = build(ruleset)
    path = ROOT / "generated" / f"{module_name(ruleset)}.py"
    assert path.read_text(encoding="utf-8") == built.text, "stale: run `make generated`"


@pytest.mark.slow
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
        for seed in ("0", "4242")
    }
    assert len(texts) == 1
    assert texts.pop() == build("cacao").text


def assert_clean(folder: Path, *, typed: bool) -> None:
    config = ["--config", str(ROOT / "pyproject.toml")]
    commands = [["ruff", "check", *config], ["ruff", "format", "--check", *config]]
    if typed:
        commands.append(["mypy", "--config-file", str(ROOT / "pyproject.toml"), "--strict"])
    for command in commands:
        run = subprocess.run(
            [sys.executable, "-m", *command, str(folder)], cwd=ROOT, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_a_generated_engine_is_formatted_and_clean(tmp_path: Path) -> None:
    for name in ("cacao", "schoko"):
        (tmp_path / f"{name}.py").write_text(build(name).text, encoding="utf-8")
    assert_clean(tmp_path, typed=False)


@pytest.mark.slow
def test_engines_of_small_and_random_games_are_formatted_clean_and_typed(tmp_path: Path) -> None:
    texts = [lab(case.play, case.more) for case in slice_of(read_cases("statements.txt"), 8)]
    texts += [random_rules(seed) for seed in slice_of(range(20), 6)]
    number = 0
    for text in texts:
        rulebook = rulebook_of(text)
        if rulebook is not None:
            for skip in ((), PLAIN):
                number += 1
                built = build_engine(from_rulebook(rulebook), skip=skip)
                (tmp_path / f"engine_{number}.py").write_text(built, encoding="utf-8")
    for play in slice_of(sorted(GAMES), 2):
        number += 1
        (tmp_path / f"engine_{number}.py").write_text(build_engine(council(GAMES[play])), encoding="utf-8")
    assert number > len(texts)
    assert_clean(tmp_path, typed=True)
