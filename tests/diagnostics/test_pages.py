"""Every code has an explain page; its wrong example has that code alone, its right one none."""

from __future__ import annotations

from pathlib import Path

import pytest

from conche.cli import run
from conche.diagnostics.codes import CODES
from conche.diagnostics.model import has_errors
from conche.diagnostics.pages import FOLDER, page_of
from conche.mend import mend
from conche.pipeline import check
from diagnostics.page_examples import (
    Example,
    codes_of_commands,
    examples,
    found_in_rules,
    prepare,
    ruleset_of,
)

EXAMPLES = examples()

UNSHOWN = {
    "C0003",  # depends on the user and the disk
    "C0109",  # limits: an example would fill pages
    "C0134",
    "C0248",
    "C0320",  # come of modules that leave a choice bare or sure, as tests/validate/test_choices.py makes them
    "C0321",
    "C0412",  # needs rules that the check for C0350 does not see through
    "C0506",
    "C0507",
    "C0508",  # depends on what is installed
    "C0521",
    "C0523",  # needs a bot that is installed and fails
    "C0530",
    "C0543",  # needs a save, which programs write
}
"""Codes that no short text shows; their pages say how they arise."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> Path:
    """The current folder, with the game of the examples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCHE_CACHE", str(cache))
    prepare(tmp_path)
    return tmp_path


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(CODES)


def test_every_page_has_an_example_of_each_kind() -> None:
    kinds = {code: [e.wrong for e in EXAMPLES if e.code == code] for code in CODES}
    assert {
        code: found for code, found in kinds.items() if code not in UNSHOWN and found != [True, False]
    } == {}
    assert {code for code in UNSHOWN if kinds[code]} == set()


def test_a_page_is_read_without_the_marks_for_tests() -> None:
    page = page_of("C0122")
    assert page is not None
    assert "<!--" not in page
    assert page.startswith("The header comes first")
    assert "\nWrong:\n\n```rules\nplay\n" in page
    assert page_of("C9999") is None


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.language == "rules"], ids=str)
def test_a_rules_example_is_what_the_page_says(example: Example, folder: Path) -> None:
    found = found_in_rules(example)
    assert {finding.code for finding in found} == ({example.code} if example.wrong else set())


MENDED = {
    *("C0102", "C0103", "C0104", "C0106", "C0111", "C0114", "C0115", "C0116", "C0118", "C0126"),
    *("C0132", "C0133", "C0201"),
}
"""Codes whose wrong example is mended by `conche check --fix`."""


def test_the_hint_applied_mends_it(folder: Path) -> None:
    mended = set()
    for example in EXAMPLES:
        if example.language == "rules" and example.wrong and example.code < "C03":
            result = mend([ruleset_of(example)])
            if result.made:
                mended.add(example.code)
                left = check(ruleset_of(example), result.texts)
                assert not has_errors(left.diagnostics), example.code
    assert mended == MENDED


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.language == "sh"], ids=str)
def test_commands_say_what_the_page_says(
    example: Example, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def conche(words: list[str]) -> str:
        code = run(words)
        assert code in (0, 1, 2)
        assert code == 0 or example.wrong
        return capsys.readouterr().err

    assert codes_of_commands(example, conche) == ({example.code} if example.wrong else set())
