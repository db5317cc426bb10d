"""Files that are no rules, odd encodings and odd files: what is said of them, and that nothing is lost."""

from __future__ import annotations

import codecs
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from conche import __version__
from conche.cli import run, watch
from conche.diagnostics.render_json import render_json
from conche.diagnostics.render_sarif import render_sarif
from slices import slice_of

from .catalogue import Case, ask, cases

GOOD = """\
game tiny "Tiny"
  players 2..3
  seats red, blue, green

each player has
  coins: 0..9 = 0, open

play
  each player you from red
    choose take(n in 1..3)
    gain n coins

score coins = you.coins
rank by total
"""
SLIP = GOOD.replace("gain n coins", "gain n coinz")

NO_RULES: dict[str, tuple[bytes, str, str]] = {
    "an empty file": (b"", "C0128", "the file says nothing"),
    "comments alone": (b"# to do\n\n# soon\n", "C0128", "the file says nothing"),
    "a byte order mark alone": (codecs.BOM_UTF8, "C0128", "the file says nothing"),
    "UTF-16": (GOOD.encode("utf-16"), "C0004", "is written in UTF-16; rules files are UTF-8"),
    "Latin-1": (GOOD.replace("Tiny", "Süß").encode("latin-1"), "C0004", "is not UTF-8 text"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "C0005", "is not a text file"),
    "a zip": (b"PK\x03\x04\x14\0\0\0\x08\0", "C0005", "is not a text file"),
    "a file too large": (b"# long\n" * 200_000, "C0006", "is larger than 1 MiB"),
    "a program": (b"import random\n\nprint(random.random())\n", "C0120", "the file has no header"),
    "JSON": (b'{"game": "tiny", "players": [2, 3]}\n', "C0120", "the file has no header"),
    "a rulebook as prose": (b"The game is for two players.\n", "C0120", "the file has no header"),
    "a clause file": (b"# Tiny\n\n## 1 The turn\n\nTake coins.\n", "C0120", "the file has no header"),
}

Conche = Callable[..., tuple[int, str, str]]


@pytest.fixture
def conche(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Conche:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "cache"))

    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        return code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("what", NO_RULES)
def test_what_is_no_rules_file_is_told_so(what: str, conche: Conche) -> None:
    data, code, title = NO_RULES[what]
    Path("a.rules").write_bytes(data)
    exit_code, _, said = conche("check", "a.rules")
    assert exit_code in (1, 2)
    assert f"error[{code}]" in said
    assert title in said
    assert "internal error" not in said
    for style in ("json", "sarif"):
        again, out, _ = conche("check", "--format", style, "a.rules")
        assert again == exit_code
        assert code in {
            *(one["code"] for one in json.loads(out).get("diagnostics", ())),
            *(one["ruleId"] for part in json.loads(out).get("runs", ()) for one in part["results"]),
        }
    assert conche("check", "--fix", "a.rules")[0] == exit_code
    assert Path("a.rules").read_bytes() == data


def test_other_files_than_rules_are_told_so(conche: Conche) -> None:
    Path("folder.rules").mkdir()
    Path("game.txt").write_text(GOOD)
    for name, code in {
        "folder.rules": "C0002",
        "gone.rules": "C0001",
        "game.txt": "rename it",
        "game": "C0227",
        "tiny.rules+./gone.rules": "C0001",
    }.items():
        exit_code, _, said = conche("check", name)
        assert exit_code == 2, name
        assert code in said, name


FORMS = {
    "plain": SLIP.encode(),
    "a byte order mark": codecs.BOM_UTF8 + SLIP.encode(),
    "carriage returns": SLIP.replace("\n", "\r\n").encode(),
    "both": codecs.BOM_UTF8 + SLIP.replace("\n", "\r\n").encode(),
    "no line end at its end": SLIP.rstrip("\n").encode(),
    "carriage returns and no line end": SLIP.rstrip("\n").replace("\n", "\r\n").encode(),
    "letters of all alphabets": SLIP.replace("Tiny", "Größe 宝石 🂡").encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_mended_file_keeps_its_form(form: str, conche: Conche) -> None:
    Path("a.rules").write_bytes(FORMS[form])
    code, said, _ = conche("check", "--fix", "a.rules")
    assert code == 0
    assert "mended: 1 of what was found, in 1 file\n" in said
    assert Path("a.rules").read_bytes() == FORMS[form].replace(b"coinz", b"coins")
    assert [path.name for path in Path().iterdir() if path.name != "cache"] == ["a.rules"]


def test_a_link_stays_a_link_and_permissions_stay(conche: Conche) -> None:
    Path("there").mkdir()
    target = Path("there/b.rules")
    target.write_text(SLIP)
    target.chmod(0o640)
    Path("a.rules").symlink_to(target)
    assert conche("check", "--fix", "a.rules")[0] == 0
    assert Path("a.rules").is_symlink()
    assert target.read_text() == GOOD
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_read_only_file_is_left(conche: Conche) -> None:
    path = Path("a.rules")
    path.write_text(SLIP)
    path.chmod(0o444)
    code, _, said = conche("check", "--fix", "a.rules")
    assert code == 2
    assert "error[C0505]" in said
    assert "the file is read-only" in said
    assert path.read_text() == SLIP


def test_a_file_that_was_saved_meanwhile_is_left(conche: Conche, monkeypatch: pytest.MonkeyPatch) -> None:
    from conche import mend

    path = Path("a.rules")
    path.write_text(SLIP)
    newer = SLIP.replace("2..3", "2..2")
    done = mend.mend

    def saved(*args: object, **more: object) -> mend.Mended:
        result = done(*args, **more)  # type: ignore[arg-type]
        path.write_text(newer)
        return result

    monkeypatch.setattr(mend, "mend", saved)
    code, _, said = conche("check", "--fix", "a.rules")
    assert code == 2
    assert "the file has changed meanwhile" in said
    assert path.read_text() == newer


def test_watching_goes_on_over_broken_files(conche: Conche, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("a.rules")
    path.write_bytes(GOOD.encode("utf-16"))
    saves = iter([b"\0\0", SLIP.encode(), b"", None, GOOD.encode()])

    def wait(seconds: float) -> None:
        data = next(saves, b"end")
        if data == b"end":
            raise KeyboardInterrupt
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)

    monkeypatch.setattr(watch.time, "sleep", wait)
    code, out, said = conche("check", "--watch", "a.rules")
    assert code == 130
    found = [line.split("]")[0] for line in said.splitlines() if line.startswith("error[")]
    assert found == [f"error[C0{code}" for code in ("004", "005", "201", "128", "001")]
    assert out.count("watching; Ctrl-C ends it\n") == 6
    assert "a.rules: good\n" in out


@pytest.mark.parametrize("case", slice_of(cases(), 12), ids=lambda case: f"{case.file.stem}: {case.name}")
def test_documents_of_broken_files_hold_what_is_said(case: Case) -> None:
    answer = ask(case, case.text)
    (whole,) = [json.loads(render_json(answer.found))]
    assert [one["title"] for one in whole["diagnostics"]] == [one.title for one in answer.found]
    paths = answer.checked.paths
    sarif = json.loads(render_sarif(answer.found, paths, root=Path(os.getcwd()), version=__version__))
    (part,) = sarif["runs"]
    assert [one["ruleId"] for one in part["results"]] == [one.code for one in answer.found]
    for finding, result in zip(answer.found, part["results"], strict=True):
        assert bool(result.get("fixes")) == finding.mendable
        for place in result["locations"]:
            region = place["physicalLocation"]["region"]
            lines = answer.checked.sources[finding.labels[0].span.file].text.split("\n")
            assert 1 <= region["startLine"] <= region["endLine"] <= len(lines)
