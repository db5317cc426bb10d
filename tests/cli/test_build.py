"""`conche build`: the stages and the file that is written."""

from __future__ import annotations

import ast
import keyword
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conche import pipeline, resources
from conche.cli.build import Stage
from tiny import TINY

from .conftest import Conche
from .test_main import ENV, spawn


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(TINY)
    return path


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_stages_are_those_of_the_pipeline() -> None:
    assert tuple(stage.value for stage in Stage) == pipeline.STAGES


@pytest.mark.parametrize("stage", pipeline.STAGES)
def test_every_stage_can_be_shown(conche: Conche, tiny: Path, stage: str) -> None:
    printed = conche("build", tiny, "--emit", stage)
    assert (printed.code, printed.err) == (0, "")
    assert "turn" in printed.out
    written = conche("build", tiny, "--emit", stage, "-o", tiny.parent / "out")
    path = only(tiny.parent / "out")
    assert written.out == f"wrote {path}\n"
    assert path.read_text() == printed.out
    assert conche("build", tiny, "--emit", stage).out == printed.out


@pytest.mark.parametrize(("stage", "shown"), [("ast", True), ("python", False)])
def test_early_stages_of_bad_rules_are_shown(conche: Conche, tiny: Path, stage: str, shown: bool) -> None:
    tiny.write_text(TINY.replace("do turn", "do trun"))
    result = conche("build", tiny, "--emit", stage)
    assert result.code == 1
    assert bool(result.out) == shown
    assert "there is no step or action 'trun'" in result.err


@pytest.mark.slow
def test_the_engine_is_written(
    conche: Conche, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = conche("build", "cacao")
    assert (result.code, result.out, result.err) == (0, f"built {Path('generated', 'cacao.py')}\n", "")
    text = (tmp_path / "generated" / "cacao.py").read_text()
    ast.parse(text)
    assert text == conche("build", "cacao", "--emit", "python").out
    assert conche("build", "cacao", "-o", "other").code == 0
    assert (tmp_path / "other" / "cacao.py").read_text() == text
    assert [entry.name for entry in (tmp_path / "other").iterdir()] == ["cacao.py"]
    code = "import cacao; state = cacao.engine.start(2, 1); state.step(0); print(state.to_act)"
    env = {**os.environ, "PYTHONPATH": str(Path(resources.__file__).parents[2] / "runtime")}
    run = [sys.executable, "-c", code]
    result_ = subprocess.run(run, env=env, cwd=tmp_path / "other", capture_output=True, text=True, check=True)
    assert result_.stdout.startswith("(")


def test_bad_rules_build_nothing(conche: Conche, tiny: Path) -> None:
    tiny.write_text(TINY.replace("do turn", "do trun"))
    result = conche("build", tiny, "-o", tiny.parent / "out")
    assert (result.code, result.out) == (1, "")
    assert not (tiny.parent / "out").exists()


def test_a_file_that_is_no_engine_is_kept(conche: Conche, tiny: Path) -> None:
    out = tiny.parent / "out"
    conche("build", tiny, "-o", out)
    path = only(out)
    assert conche("build", tiny, "-o", out).code == 0
    path.write_text("print('mine')\n")
    result = conche("build", tiny, "-o", out)
    assert result.code == 2
    assert "error[C0504]" in result.err
    assert path.read_text() == "print('mine')\n"
    assert conche("build", tiny, "-o", out, "--force").code == 0
    assert "class" in path.read_text()


def test_a_folder_that_takes_no_file(conche: Conche, tiny: Path, no_write: Path) -> None:
    result = conche("build", tiny, "-o", no_write / "out")
    assert (result.code, result.out) == (2, "")
    assert "error[C0505]: cannot go on: " in result.err


@pytest.mark.parametrize(
    ("ruleset", "name"),
    [
        ("cacao", "cacao"),
        ("cacao+gem_mines", "cacao__gem_mines"),
        ("cacao+huts:overbuild=early,huts=agreed", "cacao__huts__overbuild_is_early__huts_is_agreed"),
        ("cacao:first_seat=random", "cacao__first_seat_is_random"),
        ("./mine.rules", "mine"),
        ("C:\\rules\\mine.rules", "mine"),
        ("cacao+../x/mine.rules", "cacao__mine"),
    ],
)
def test_rulesets_have_readable_names(ruleset: str, name: str) -> None:
    assert pipeline.module_name(ruleset) == name


def test_names_are_names_and_differ() -> None:
    rulesets = [
        *("cacao", "Cacao", "./CACAO.rules", "cacao+huts", "cacao+huts:a=b", "cacao+huts:a=b,c=d"),
        *("x" * 300, "x" * 301, "./ü.rules", "./class.rules", "./1.rules", "./a b.rules", "./a-b.rules"),
        *("..", "./.rules", "_", "__init__", "class", "None", "import", "./\0.rules"),
    ]
    names = [pipeline.module_name(ruleset) for ruleset in rulesets]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and name.isascii() and len(name) < 120 for name in names)
    assert all(name[0].isalpha() and not keyword.iskeyword(name) for name in names)


@pytest.mark.slow
def test_two_builds_at_once(tmp_path: Path) -> None:
    env = {**ENV, "CONCHE_CACHE": str(tmp_path / "cache")}
    builds = [spawn("build", "cacao", "-o", str(tmp_path / "out"), env=env) for _ in range(4)]
    for build in builds:
        out, err = build.communicate(timeout=120)
        assert (build.returncode, err) == (0, "")
        assert out.startswith("built ")
    path = only(tmp_path / "out")
    assert path.read_text() == pipeline.build("cacao").text


@pytest.mark.slow
def test_a_killed_build_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    env = {**ENV, "CONCHE_CACHE": str(tmp_path / "cache")}
    text = pipeline.build("cacao").text
    out.mkdir()
    (out / "cacao.py").write_text("# conche build\n")
    for delay in range(12):
        build = spawn("build", "cacao", "-o", str(out), env=env)
        try:
            build.wait(0.25 + delay * 0.12)
        except subprocess.TimeoutExpired:
            build.kill()
        build.communicate(timeout=60)
        assert (out / "cacao.py").read_text() in ("# conche build\n", text)


@pytest.mark.slow
def test_two_builds_are_byte_identical_whatever_the_hash_seed(tmp_path: Path) -> None:
    texts = []
    for seed in ("0", "1", "12345"):
        env = {**ENV, "PYTHONHASHSEED": seed, "CONCHE_CACHE": str(tmp_path / seed)}
        build = spawn("build", "cacao", "--emit", "python", env=env)
        out, _ = build.communicate(timeout=120)
        texts.append(out)
    assert texts[0] == texts[1] == texts[2] != ""
