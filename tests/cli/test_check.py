"""`conche check`, and what it remembers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conche import pipeline, store
from tiny import TINY

from .conftest import Conche

WARNED = TINY.replace("score coins", "query idle(p: Player) = 1\nscore coins")
BAD = TINY.replace("gain n coins", "gain n coinz").replace("do turn", "do trun")


def rules(folder: Path, text: str, name: str = "tiny.rules") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_good_rules(conche: Conche, tmp_path: Path) -> None:
    path = rules(tmp_path, TINY)
    result = conche("check", path, "cacao", path)
    assert result.code == 0
    assert result.out == f"{path}: good\ncacao: good\n"
    assert result.err == ""


def test_warnings_are_shown_and_are_no_problem(conche: Conche, tmp_path: Path) -> None:
    path = rules(tmp_path, WARNED)
    results = [conche("check", path) for _ in range(2)]
    # The second time it is remembered, excerpt and all.
    assert results[0] == results[1]
    assert results[0].code == 0
    assert results[0].out == f"{path}: good\n1 warning\n"
    assert "warning[C0360]: query 'idle' is never used" in results[0].err
    assert "21 │ query idle(p: Player) = 1" in results[0].err


def test_all_mistakes_are_shown_with_their_places(conche: Conche, tmp_path: Path) -> None:
    path = rules(tmp_path, BAD)
    result = conche("check", path)
    assert result.code == 1
    assert result.out == "2 errors\n"
    assert "there is no step or action 'trun'" in result.err
    assert "do trun" in result.err
    assert "'coinz'" in result.err


def test_json(conche: Conche, tmp_path: Path) -> None:
    good = conche("check", rules(tmp_path, TINY), "--format", "json")
    assert (good.code, json.loads(good.out), good.err) == (0, {"conche": 1, "diagnostics": []}, "")
    bad = conche("check", rules(tmp_path, BAD), "--format", "json")
    assert (bad.code, bad.err) == (1, "")
    assert [one["labels"][0]["span"]["line"] for one in json.loads(bad.out)["diagnostics"]] == [15, 19]


def test_what_is_no_rules_file(conche: Conche, tmp_path: Path) -> None:
    (tmp_path / "folder.rules").mkdir()
    (tmp_path / "binary.rules").write_bytes(b"game\0x")
    (tmp_path / "wide.rules").write_bytes(TINY.encode("utf-16"))
    (tmp_path / "huge.rules").write_bytes(b"# x\n" * 300_000)
    for name, code in [
        ("none.rules", "C0001"),
        ("folder.rules", "C0002"),
        ("binary.rules", "C0005"),
        ("wide.rules", "C0004"),
        ("huge.rules", "C0006"),
    ]:
        result = conche("check", tmp_path / name)
        assert result.code == 2
        assert f"error[{code}]" in result.err
    for name in ("", "cacoa", "cacao+", "../cacao", "cacao:first_seat=pink", "a b", "-"):
        result = conche("check", name)
        assert result.code == 2
        assert "error[C0" in result.err


def test_changed_rules_are_checked_again(conche: Conche, tmp_path: Path) -> None:
    path = rules(tmp_path, TINY)
    assert conche("check", path).code == 0
    rules(tmp_path, BAD)
    assert conche("check", path).code == 1
    rules(tmp_path, TINY)
    assert conche("check", path).code == 0


def test_a_relative_path_means_another_file_elsewhere(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text, code in (("a", TINY, 0), ("b", BAD, 1), ("a", TINY, 0)):
        (tmp_path / name).mkdir(exist_ok=True)
        rules(tmp_path / name, text)
        monkeypatch.chdir(tmp_path / name)
        assert conche("check", "./tiny.rules").code == code


def test_unchanged_rules_are_not_checked_again(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = rules(tmp_path, WARNED)
    first = conche("check", path)
    monkeypatch.setattr(pipeline, "check", lambda ruleset: pytest.fail("checked again"))
    assert conche("check", path) == first


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"fingerprint": 1}', "\xff", "[" * 100_000])
def test_a_damaged_memory_costs_nothing_but_time(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "cache"))
    path = rules(tmp_path, WARNED)
    first = conche("check", path)
    (entry,) = (tmp_path / "cache" / "rulesets").iterdir()
    whole = entry.read_text()
    entry.write_bytes(text.encode("latin-1"))
    assert conche("check", path) == first
    assert entry.read_text() == whole
    # Well-formed, of the right compiler, and wrong inside.
    for wrong in (whole.replace('"severity"', '"sev"'), whole.replace('"findings"', '"found"')):
        entry.write_text(wrong)
        assert conche("check", path) == first


def test_another_compiler_trusts_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rules(tmp_path, TINY)
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "cache"))
    store.remember("x", {str(path): store.hash_text(TINY)}, {"a": 1})
    assert store.recall("x") == ({str(path): store.hash_text(TINY)}, {"a": 1})
    assert store.recall("y") is None
    monkeypatch.setattr(store, "fingerprint", lambda: "another")
    assert store.recall("x") is None


def test_nothing_has_to_be_written(conche: Conche, no_write: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "cache_dir", lambda: no_write)
    assert conche("check", "cacao").code == 0


def test_sources_are_kept_by_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path))
    digest = "0123456789abcdef" * 4
    kept = store.Sources("x", {"/x.rules": "rules §1\n"}, {"x": "/x.rules"})
    assert store.get_sources(digest) is None
    store.put_sources(digest, kept)
    assert store.get_sources(digest) == kept
    for name in ("../../etc/passwd", "", "x", digest + "/x"):
        store.put_sources(name, kept)
        assert store.get_sources(name) is None
    assert [path.name for path in tmp_path.rglob("*.sources")] == [f"{digest}.sources"]
