"""What a file, a save or a record says does nothing to the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conche.cli.output import harmless
from conche_runtime.saves import check_sum
from tiny import TINY

from .conftest import Conche

HOSTILE = "\x1b]0;title\x07\x1b[31mred\x1b[8m\x9b2J\u202e\u200b\r.rules"
SEEN = "�]0;title��[31mred�[8m�2J���.rules"


@pytest.fixture
def game(conche: Conche, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a record and a saved game of rules that are kept, and have a name like that."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.rules").write_text(TINY, encoding="utf-8")
    assert conche("play", "tiny.rules", "--seed", "1", "--record", "game.jsonl").code == 0
    typed = "1\nquit\n"
    assert conche("play", "tiny.rules", "--bots", "human,random", "--save", "game", stdin=typed).code == 0
    header, *lines = (tmp_path / "game.jsonl").read_text().splitlines()
    header = json.dumps({**json.loads(header), "ruleset": HOSTILE})
    (tmp_path / "game.jsonl").write_text("\n".join((header, *lines)) + "\n")
    saved = {**json.loads((tmp_path / "game").read_text()), "ruleset": HOSTILE}
    del saved["check"]
    (tmp_path / "game").write_text(json.dumps({**saved, "check": check_sum(saved)}))
    return tmp_path


@pytest.mark.parametrize("args", ["replay game.jsonl", "log game.jsonl --rules", "play --resume game"])
def test_the_name_of_the_rules_in_a_record_or_save(game: Path, conche: Conche, args: str) -> None:
    said = conche(*args.split(), stdin="quit\n")
    assert said.code == 0
    assert SEEN in said.err + said.out
    for text in (said.out, said.err):
        assert harmless(text, None) == text


def test_the_names_of_files(game: Path, conche: Conche) -> None:
    (game / "records").mkdir()
    (game / "game.jsonl").rename(game / "records" / f"{HOSTILE}.jsonl".replace("/", ""))
    said = conche("replay", "--triage", "records", "tiny.rules")
    assert said.code == 0
    assert f"{SEEN}.jsonl" in said.out
    assert harmless(said.out, None) == said.out


def test_colours_stay_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen:
        def isatty(self) -> bool:
            return True

    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    painted = "\x1b[1;31mred\x1b[0m\tand so\non"
    assert harmless(painted, Screen()) == painted  # type: ignore[arg-type]
    assert harmless(painted, None) == "�[1;31mred�[0m\tand so\non"
    assert harmless(f"{painted}\x1b[2J", Screen()) == f"{painted}�[2J"  # type: ignore[arg-type]
