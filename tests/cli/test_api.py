"""`conche.load`: compiles when needed, and not again."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import conche
from conche import api, codegen, pipeline, resources, store
from conche.codegen.lower_expressions import UnsupportedError
from conche.diagnostics.model import has_errors
from conche_runtime.errors import ConcheError
from tiny import TINY

from .test_main import ENV


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rules file, and a cache and a process that know nothing of it."""
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(api, "_engines", {})
    path = tmp_path / "tiny.rules"
    path.write_text(TINY)
    return path


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "check", lambda ruleset: pytest.fail("compiled again"))


def test_load_gives_an_engine(tiny: Path) -> None:
    engine = conche.load(str(tiny))
    state = engine.start(players=3, seed=7)
    while not state.over:
        state.apply(state.legal_moves()[0])
    assert [score["coins"] for score in state.scores] == [2, 2, 2]
    assert engine.digest == pipeline.digest_of(pipeline.check(str(tiny)))


def test_a_process_loads_an_engine_once(tiny: Path) -> None:
    assert conche.load(str(tiny)) is conche.load(str(tiny))


def test_a_kept_engine_is_not_compiled_again(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = conche.load(str(tiny))
    forbid(monkeypatch)
    monkeypatch.setattr(api, "_engines", {})
    again = conche.load(str(tiny))
    assert again is not first
    assert again.digest == first.digest


def test_changed_rules_are_compiled_again(tiny: Path) -> None:
    first = conche.load(str(tiny))
    tiny.write_text(TINY.replace("1..3", "1..4"))
    changed = conche.load(str(tiny))
    assert changed.digest != first.digest
    assert changed.start(2, 1).count() == 4
    assert first.start(2, 1).count() == 3
    tiny.write_text(TINY)
    assert conche.load(str(tiny)) is first


def test_a_new_version_of_the_same_rules_is_another_engine(tiny: Path) -> None:
    assert dict(conche.load(str(tiny)).versions) == {"tiny": "1.0.0"}
    tiny.write_text(TINY.replace("1.0.0", "1.0.1"))
    assert dict(conche.load(str(tiny)).versions) == {"tiny": "1.0.1"}


@pytest.mark.parametrize("damage", ["", "raise SystemExit\n", "engine = 1\n", "syntax error", None])
def test_a_damaged_cache_costs_nothing_but_time(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, damage: str | None
) -> None:
    digest = conche.load(str(tiny)).digest
    (kept,) = (tiny.parent / "cache" / "engines").glob("*.py")
    if damage is None:
        kept.unlink()
    else:
        kept.write_text(damage)
    monkeypatch.setattr(api, "_engines", {})
    assert conche.load(str(tiny)).digest == digest


def test_nothing_has_to_be_written(tiny: Path, no_write: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "cache_dir", lambda: no_write)
    engine = conche.load(str(tiny))
    assert engine.start(2, 1).count() == 3
    image = api.image_of(str(tiny))
    assert image.path is None
    assert pickle.loads(pickle.dumps(image)).engine() is engine


def test_rules_with_errors_say_so(tiny: Path) -> None:
    tiny.write_text(TINY.replace("do turn", "do trun"))
    with pytest.raises(conche.CompileError) as caught:
        conche.load(str(tiny))
    error = caught.value
    assert isinstance(error, ConcheError)
    assert has_errors(error.diagnostics)
    assert "there is no step or action 'trun'" in str(error)
    assert "15 │     do trun" in str(error)
    assert str(error).endswith("1 error")
    with pytest.raises(conche.CompileError, match="there is no game 'cacoa'"):
        conche.load("cacoa")


def test_what_cannot_be_compiled_is_a_finding(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    span = pipeline.check(str(tiny)).must().rulebook.setup_span

    def refuse(graph: object) -> str:
        raise UnsupportedError("this cannot be compiled", span)

    monkeypatch.setattr(codegen, "build", refuse)
    with pytest.raises(conche.CompileError, match=r"C0530\]: this cannot be compiled\n.*tiny.rules:9:1"):
        conche.load(str(tiny))


def test_threads_load_the_same_engine(tiny: Path) -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(conche.load(str(tiny)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(engine is found[0] for engine in found)


@pytest.mark.slow
def test_processes_share_a_cache(tiny: Path) -> None:
    code = "import conche, sys; print(conche.load(sys.argv[1]).digest)"
    env = {**ENV, "CONCHE_CACHE": str(tiny.parent / "cache")}
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tiny)], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    digests = {process.communicate(timeout=120)[0] for process in started}
    assert digests == {conche.load(str(tiny)).digest + "\n"}
    assert len(list((tiny.parent / "cache" / "engines").glob("*.py"))) == 1


def test_the_bundled_engine_serves_its_rules_alone(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    folder = data / "rules" / "tiny"
    folder.mkdir(parents=True)
    (data / "grammar").symlink_to(resources.data_root() / "grammar")
    (folder / "tiny.rules").write_text(TINY)
    for module in (api, store, resources):
        monkeypatch.setattr(module, "data_root", lambda: data)
    built = pipeline.build("tiny")
    resources.write_atomic(data / "generated" / "tiny.py", built.text)
    assert api.image_of("tiny").path == data / "generated" / "tiny.py"
    assert not list((tmp_path / "cache").glob("engines/*.py"))
    # Once more, from memory.
    assert api.image_of("tiny").path == data / "generated" / "tiny.py"
    others: list[tuple[str, str]] = [
        ("1..3", "1..2"),
        ("1.0.0", "1.0.1"),
        ("red, blue", "blue, red"),
        ("coins: 0", "coins : 0"),
    ]
    for change in others:
        (folder / "tiny.rules").write_text(TINY.replace(*change))
        path = api.image_of("tiny").path
        assert path is not None
        assert (path.parent.name == "generated") == (change[0] == "coins: 0")
    (folder / "tiny.rules").write_text(TINY)
    (data / "generated" / "tiny.py").write_text(f"# {built.digest}\nraise SystemExit\n")
    path = api.image_of("tiny").path
    assert path is not None
    assert path.parent.name == "engines"


def test_the_names_of_the_package() -> None:
    assert sorted(conche.__all__) == dir(conche)
    for name in conche.__all__:
        assert getattr(conche, name) is not None
    with pytest.raises(AttributeError):
        conche.nothing  # noqa: B018
    assert issubclass(conche.CompileError, conche.ConcheError)


def test_importing_conche_and_catching_its_errors_is_quick() -> None:
    code = (
        "import sys, conche; conche.IllegalMove; "
        "print([m for m in sys.modules if m.split('.')[0] in ('lark', 'networkx', 'click')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **ENV}, capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"
