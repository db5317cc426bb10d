"""The bot of docs/bots.md: its class and its entry point are those of the page."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from cli.conftest import Conche
from docs.pages import ROOT

from .conftest import Install

PAGE = ROOT / "docs" / "bots.md"


@pytest.mark.slow
def test_the_bot_of_the_page_can_be_installed_and_plays(
    conche: Conche, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    page = PAGE.read_text(encoding="utf-8")
    module = re.search(r"<!-- module: (\w+) -->\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    project = re.search(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    command = re.search(r"^conche (simulate .*careful.*)$", page, re.MULTILINE)
    assert module
    assert project
    assert command
    told = tomllib.loads(project[1])["project"]
    points = "\n".join(f"{name} = {where}" for name, where in told["entry-points"]["conche.bots"].items())
    install(told["name"], points, **{module[1]: module[2]})
    result = conche(*command[1].split(), "--seed", 1, "--workers", 1, "--format", "json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["win_share"][0]["mean"] > 0.6, "chance would win half of them"
    wrong = conche(*command[1].replace("options=5", "optoins=5").split())
    assert wrong.code == 2
    assert "error[C0509]: the bot 'careful' takes no 'optoins'" in wrong.err
    assert "did you mean 'options'?" in wrong.err
