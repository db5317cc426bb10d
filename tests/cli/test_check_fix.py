"""`conche check --fix`, `--format sarif` and `--watch`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from conche import mend
from conche.cli import watch
from tiny import TINY

from .conftest import Conche

MISTAKES = {
    "a misspelt name": ("gain n coins", "gain n coinz"),
    "a misspelt step": ("do turn", "do trun"),
    "a misspelt statement": ("gain n coins", "gian n coins"),
    "a misspelt declaration": ("score coins", "socre coins"),
    "a misspelt header": ("game tiny", "gmae tiny"),
    "a misspelt word": ("set p.coins to 1", "set p.coins too 1"),
    "a colon that is missing": ("coins: 0..9", "coins 0..9"),
    "a colon too many": ("step turn", "step turn:"),
    "tabs": ("    do turn", "\t\tdo turn"),
    "an assignment": ("set p.coins to 1", "p.coins = 1"),
    "a sign of another language": ("score coins = you", "score coins == you"),
    "a range with three dots": ("0..9", "0...9"),
    "another bracket": ("take(n in 1..3)", "take(n in 1..3]"),
    "a word of another language": ("do turn", "call turn"),
    "empty parentheses": ("do turn", "do turn()"),
    "a type with a small letter": (
        "coins: 0..9 = 0",
        "friend: maybe player = nothing, open\n  coins: 0..9 = 0",
    ),
    "a name with a capital": ("step turn", "step Turn"),
    "a long dash": ("1..3", "1..4 – 1"),
    "a number of another sort": ("\n  coins: 0..9 = 0", "\n  lucky: bool = no, open\n  coins: 0..9 = 0"),
}


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("what", MISTAKES)
def test_a_plain_mistake_is_mended(conche: Conche, tmp_path: Path, what: str) -> None:
    good, bad = MISTAKES[what]
    assert TINY.count(good) >= 1
    text = TINY.replace(good, bad, 1)
    path = write(tmp_path / "a.rules", text)
    assert conche("check", path).code == 1
    result = conche("check", "--fix", path)
    assert result.code == 0, result.err
    assert "mended: 1 of what was found, in 1 file\n" in result.out
    assert result.out.splitlines()[0].startswith(f"{path}:")
    assert f"{path}: good\n" in result.out
    assert "error" not in conche("check", path).err


def test_several_mistakes_are_mended_in_several_rounds(conche: Conche, tmp_path: Path) -> None:
    # That `coinz` is no variable shows only when the line before it can be read.
    text = TINY.replace("gain n coins", "gian n coinz").replace("do turn", "do trun")
    path = write(tmp_path / "a.rules", text)
    result = conche("check", "--fix", path)
    assert result.code == 0
    assert "mended: 3 of what was found, in 1 file\n" in result.out
    assert path.read_text() == TINY


def test_what_is_a_guess_is_left(conche: Conche, tmp_path: Path) -> None:
    for good, bad in (
        (" = 0, open", " = 0"),  # who sees it?
        ("0..9 = 0", "number = 0"),  # which bounds?
        ("score coins = you.coins", "score coins = (you.coins + 1)) * 2"),  # which bracket?
        ("set p.coins to 1", "set coins to 1"),  # whose?
    ):
        text = TINY.replace(good, bad, 1)
        path = write(tmp_path / "a.rules", text)
        result = conche("check", "--fix", path)
        assert result.code == 1
        assert "mended" not in result.out
        assert path.read_text() == text


def test_a_dry_run_shows_the_changes(conche: Conche, tmp_path: Path) -> None:
    text = TINY.replace("gain n coins", "gian n coinz")
    path = write(tmp_path / "a.rules", text)
    result = conche("check", "--fix", "--dry-run", path)
    assert result.code == 1
    assert "-  gian n coinz\n+  gain n coins\n" in result.out
    assert path.read_text() == text
    write(path, TINY)
    again = conche("check", "--fix", "--dry-run", path)
    assert (again.code, again.out) == (0, f"nothing would be mended\n{path}: good\n")


def test_a_dry_run_without_changes_shows_what_is_found(conche: Conche, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", TINY.replace("gain n coins", "gain n"))
    result = conche("check", "--fix", "--dry-run", path)
    assert result.code == 1
    assert result.out.startswith("nothing would be mended\n")
    assert "error[" in result.err


def test_a_slip_in_the_name_of_a_clause_file_is_mended(conche: Conche, tmp_path: Path) -> None:
    write(tmp_path / "tiny.clauses.md", "## §1 All\n")
    head = "  version 1.0.0\n"
    assert TINY.count(head) == 1
    good = TINY.replace(head, f'{head}  clauses "tiny.clauses.md"\n')
    good = good.replace("    do turn\n", "    do turn                                  §1\n")
    path = write(tmp_path / "a.rules", good.replace("tiny.clauses", "tiny.clause"))
    found = conche("check", path)
    assert (found.code, found.err.count("error[")) == (1, 1)
    assert "did you mean 'tiny.clauses.md'?" in found.err
    assert conche("check", "--fix", path).code == 0
    assert path.read_text() == good


def test_modules_and_their_game_are_mended_together(conche: Conche, tmp_path: Path) -> None:
    game = write(tmp_path / "tiny.rules", TINY.replace("do turn", "do trun"))
    module = 'module more "More" for tiny 1.x\n  version 1.0.0\n\nmodify coins(): + you.coinz\n'
    path = write(tmp_path / "more.rules", module)
    result = conche("check", "--fix", f"{game}+{path}")
    assert result.code == 0, result.err
    assert "in 2 files" in result.out
    assert game.read_text() == TINY
    assert path.read_text() == module.replace("coinz", "coins")


def test_changes_that_undo_each_other_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A finding that wants `a` for `b`, and one that wants `b` for `a`."""
    from conche.diagnostics import Fix, diagnose
    from conche.pipeline import Checked
    from conche.source import Source

    path = str(tmp_path / "a.rules")

    def check(ruleset: str, texts: dict[str, str]) -> Checked:
        source = Source("a.rules", texts.get(path, "a"))
        other = "b" if source.text == "a" else "a"
        found = [diagnose("C0201", "no", fixes=[Fix(source.span(0, 1), other, f"write {other}")])]
        return Checked(ruleset, None, None, found, {"a.rules": source}, None, {"a.rules": path})

    monkeypatch.setattr(mend, "check", check)
    mended = mend.mend(["a.rules"])
    assert (mended.texts, mended.made) == ({}, [])


def test_a_file_that_cannot_be_written_is_told(conche: Conche, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    text = TINY.replace("gain n coins", "gian n coins")
    path = write(tmp_path / "a.rules", text)
    tmp_path.chmod(0o500)
    try:
        result = conche("check", "--fix", path)
    finally:
        tmp_path.chmod(0o700)
    assert result.code == 2
    assert "error[C0505]" in result.err
    assert path.read_text() == text


def test_options_that_do_not_go_together(conche: Conche, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", TINY)
    for words in (
        ["--dry-run"],
        ["--watch", "--fix"],
        ["--watch", "--format", "json"],
        ["--fix", "--census"],
        ["--format", "sarif", "--matrix"],
    ):
        result = conche("check", *words, path)
        assert result.code == 2
        assert "error[C0501]" in result.err


def test_documents_stay_alone_on_stdout(conche: Conche, tmp_path: Path) -> None:
    path = write(tmp_path / "a.rules", TINY.replace("gain n coins", "gian n coins"))
    result = conche("check", "--fix", "--format", "json", path)
    assert json.loads(result.out)["diagnostics"] == []
    assert "mended: 1" in result.err


def test_sarif(conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.rules", TINY.replace("gain n coins", "gian n coins"))
    for ruleset in ("a.rules", tmp_path / "a.rules"):
        result = conche("check", "--format", "sarif", ruleset)
        assert (result.code, result.err) == (1, "")
        (run,) = json.loads(result.out)["runs"]
        (found,) = run["results"]
        assert found["ruleId"] == "C0116"
        place = found["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "a.rules"}
        assert place["region"]["startLine"] == 19


# -------------------------------------------------------------------------------- watching


class Enough(Exception):
    pass


def test_watching_does_it_again_when_a_file_changes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("a")
    done: list[list[str]] = []
    waits = iter(["nothing", "one", "nothing", "two appears", "two goes", "end"])

    def work() -> list[str]:
        done.append([path.read_text() for path in (one, two) if path.exists()])
        return [str(one), str(two)]

    def wait() -> None:
        match next(waits):
            case "one":
                one.write_text("abc")
            case "two appears":
                two.write_text("d")
            case "two goes":
                two.unlink()
            case "end":
                raise Enough

    with pytest.raises(Enough):
        watch.watch(work, wait)
    assert done == [["a"], ["abc"], ["abc", "d"], ["abc"]]


def test_a_change_in_the_middle_of_the_work_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_text("a")
    done: list[str] = []

    def work() -> list[str]:
        done.append(path.read_text())
        if len(done) == 2:
            path.write_text("abc")  # saved again while the second check is running
        return [str(path)]

    def wait() -> None:
        if len(done) == 1:
            path.write_text("ab")
        else:
            raise Enough

    with pytest.raises(Enough):
        watch.watch(work, wait)
    assert done == ["a", "ab", "abc"]


def test_check_watches_the_files_of_its_rulesets(
    conche: Conche, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.rules", TINY.replace("gain n coins", "gian n coins"))
    steps = iter([lambda: path.write_text(TINY), lambda: (_ for _ in ()).throw(KeyboardInterrupt)])
    monkeypatch.setattr(watch.time, "sleep", lambda seconds: next(steps)())
    result = conche("check", "--watch", path)
    assert result.code == 130
    assert result.out.startswith("1 error\nwatching; Ctrl-C ends it\n")
    assert result.out.endswith(f"{path}: good\nwatching; Ctrl-C ends it\n")
    assert result.err.endswith("interrupted\n")
