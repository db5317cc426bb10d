"""The text form of diagnostics: source beside the excerpt that is expected of it."""

import re

import pytest

from conche.diagnostics import Diagnostic, Fix, Label, Severity
from conche.diagnostics.render_text import render_summary, render_text
from conche.source import Source

PLAY = Source(
    "play.rules", "step fill\n  choose fill\n    case display\n      move tile\n    none\n      stop\n\nend\n"
)


def label(source: Source, words: str, text: str = "", *, other: bool = False) -> Label:
    """A label on the stretch `words`, or from its first to its last word when it has an ellipsis."""
    first, _, last = words.partition(" … ")
    start = source.text.index(first)
    end = source.text.index(last, start) + len(last) if last else start + len(first)
    return Label(source.span(start, end), text, not other)


def error(title: str, *labels: Label, notes: tuple[str, ...] = (), help: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic("C0212", Severity.ERROR, title, labels, notes, help)


def shown(diagnostic: Diagnostic, *sources: Source) -> str:
    return render_text([diagnostic], {source.name: source for source in sources})


def test_two_files_as_the_language_charter_shows_them() -> None:
    maps = Source("rules/chocolatl/map.rules", "\n" * 30 + "  replace fill.choose_tile\n")
    scouts = Source("rules/mine/scouts.rules", "\n" * 11 + "  replace fill.choose_tile\n")
    diagnostic = error(
        "two modules replace the same step",
        label(maps, "replace fill.choose_tile", "'map' replaces it here"),
        label(scouts, "replace fill.choose_tile", "and 'scouts' here", other=True),
        notes=("both decide which tile goes to table[at]; neither says which comes first",),
        help=("write `follows map` in 'scouts', or `wrap fill.choose_tile` in one of them",),
    )
    assert (
        shown(diagnostic, maps, scouts)
        == """\
error[C0212]: two modules replace the same step
  ┌─ rules/chocolatl/map.rules:31:3
31 │   replace fill.choose_tile
   │   ^^^^^^^^^^^^^^^^^^^^^^^^ 'map' replaces it here
  ┌─ rules/mine/scouts.rules:12:3
12 │   replace fill.choose_tile
   │   ------------------------ and 'scouts' here
   = both decide which tile goes to table[at]; neither says which comes first
   = help: write `follows map` in 'scouts', or `wrap fill.choose_tile` in one of them
"""
    )


def test_several_labels_on_a_line_hang_below_it() -> None:
    pay = Source("a.rules", "pay amount gold to bank\n")
    diagnostic = error(
        "t",
        label(pay, "bank", "wanted"),
        label(pay, "pay", "one", other=True),
        label(pay, "gold", "two", other=True),
        label(pay, "amount", other=True),
    )
    assert (
        shown(diagnostic, pay)
        == """\
error[C0212]: t
 ┌─ a.rules:1:20
1 │ pay amount gold to bank
  │ --- ------ ----    ^^^^ wanted
  │ │          │
  │ │          two
  │ one
"""
    )


def test_overlapping_labels_show_the_primary_one() -> None:
    pay = Source("a.rules", "pay amount gold\n")
    diagnostic = error("t", label(pay, "pay amount gold", "all", other=True), label(pay, "amount", "this"))
    assert (
        shown(diagnostic, pay)
        == """\
error[C0212]: t
 ┌─ a.rules:1:5
1 │ pay amount gold
  │ ----^^^^^^-----
  │ │   │
  │ │   this
  │ all
"""
    )


def test_lines_between_are_left_out_but_not_a_single_one() -> None:
    diagnostic = error("t", label(PLAY, "step"), label(PLAY, "case", "b"), label(PLAY, "end", "c"))
    assert (
        shown(diagnostic, PLAY)
        == """\
error[C0212]: t
 ┌─ play.rules:1:1
1 │ step fill
  │ ^^^^
2 │   choose fill
3 │     case display
  │     ^^^^ b
  ·
8 │ end
  │ ^^^ c
"""
    )


def test_a_label_over_lines_is_a_bracket() -> None:
    diagnostic = error(
        "t", label(PLAY, "choose … stop", "all of it"), label(PLAY, "none", "here", other=True)
    )
    assert (
        shown(diagnostic, PLAY)
        == """\
error[C0212]: t
 ┌─ play.rules:2:3
2 │ ╭   choose fill
3 │ │     case display
4 │ │       move tile
5 │ │     none
  │ │     ---- here
6 │ │       stop
  │ ╰──────────^ all of it
"""
    )


def test_brackets_nest_and_leave_out_the_middle() -> None:
    long = Source("a.rules", "a b\n" + "".join(f"  line {i}\n" for i in range(9)) + "c d\n")
    diagnostic = error(
        "t", label(long, "b … d", "outer"), label(long, "line 0 … line 6", "inner", other=True)
    )
    assert (
        shown(diagnostic, long)
        == """\
error[C0212]: t
  ┌─ a.rules:1:3
 1 │     a b
   │ ╭─────^
 2 │ │ ╭   line 0
 3 │ │ │   line 1
 4 │ │ │   line 2
   · │ │
 7 │ │ │   line 5
 8 │ │ │   line 6
   │ │ ╰────────- inner
 9 │ │     line 7
10 │ │     line 8
11 │ │   c d
   │ ╰─────^ outer
"""
    )


def test_a_span_that_ends_with_its_line_stays_on_it() -> None:
    diagnostic = error("t", Label(PLAY.span(0, 10), "the line"))
    assert (
        shown(diagnostic, PLAY)
        == """\
error[C0212]: t
 ┌─ play.rules:1:1
1 │ step fill
  │ ^^^^^^^^^ the line
"""
    )


def test_the_end_of_the_file_can_be_shown() -> None:
    bare = Source("a.rules", "step")
    assert (
        shown(error("t", Label(bare.span(99, 99), "more is expected")), bare)
        == """\
error[C0212]: t
 ┌─ a.rules:1:5
1 │ step
  │     ^ more is expected
"""
    )


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("\tgain X", "1 │     gain X\n  │          ^ here"),
        ("ab\tX", "1 │ ab  X\n  │     ^ here"),
        ("漢字 X", "1 │ 漢字 X\n  │      ^ here"),
        ("e\u0301 X", "1 │ e\u0301 X\n  │   ^ here"),
        ("\x1b[2J X", "1 │ \ufffd[2J X\n  │      ^ here"),
        ("\u202egold X", "1 │ \ufffdgold X\n  │       ^ here"),
        ("X" + "y" * 999, "1 │ X" + "y" * 159 + "…\n  │ ^ here"),
        (
            "y" * 500 + "X" + "y" * 500,
            "1 │ …" + "y" * 40 + "X" + "y" * 119 + "…\n  │  " + " " * 40 + "^ here",
        ),
        ("y" * 500 + "X", "1 │ …" + "y" * 159 + "X\n  │  " + " " * 159 + "^ here"),
    ],
    ids=["tab", "inner tab", "wide", "combining", "escape", "reordering", "long", "long middle", "long end"],
)
def test_columns_are_those_of_the_screen(text: str, excerpt: str) -> None:
    source = Source("a.rules", text)
    assert excerpt in shown(error("t", label(source, "X", "here")), source)


def test_without_the_source_the_words_remain() -> None:
    diagnostic = error("t", label(PLAY, "choose", "here"), notes=("one\ntwo",), help=("three",))
    assert (
        shown(diagnostic)
        == """\
error[C0212]: t
 ┌─ play.rules:2:3
  = here
  = one
    two
  = help: three
"""
    )


def test_a_fix_is_shown_as_help() -> None:
    span = PLAY.span(0, 4)
    diagnostic = Diagnostic("C0212", Severity.NOTE, "t", fixes=(Fix(span, "phase", "write `phase`"),))
    assert shown(diagnostic) == "note[C0212]: t\n  = help: write `phase`\n"


def test_no_control_character_reaches_the_terminal() -> None:
    source = Source("\x1b[31m.rules", "step\x07")
    diagnostic = error("\x1b", Label(source.span(0, 5), "\x1b"), notes=("\x9b",), help=("\r",))
    for color in (False, True):
        text = render_text([diagnostic], {source.name: source}, color=color)
        assert re.sub("\x1b\\[[0-9;]*m", "", text).isprintable() or "\n" in text
        assert not re.search(
            "[\x00-\x09\x0b-\x1f\x7f-\x9f]", re.sub("\x1b\\[(0|1|34|36|1;3[136])m", "", text)
        )


def test_colour_changes_nothing_else() -> None:
    diagnostic = error(
        "t",
        label(PLAY, "choose … stop", "all"),
        label(PLAY, "none", "here", other=True),
        label(PLAY, "fill", "word"),
        notes=("note",),
        help=("help",),
    )
    sources = {PLAY.name: PLAY}
    colored = render_text([diagnostic], sources, color=True)
    assert "\x1b[1;31merror[C0212]\x1b[0m" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == render_text([diagnostic], sources)


def test_findings_are_sorted_counted_and_not_repeated() -> None:
    first, second = error("a", label(PLAY, "step")), error("b", label(PLAY, "none"))
    nowhere = Diagnostic("C0001", Severity.WARNING, "c")
    text = render_text([second, first, nowhere, second], {})
    assert re.findall(r"\]: (.)", text) == ["c", "a", "b"]
    assert text == render_text([nowhere, first, second], {})
    assert render_summary([second, first, nowhere, second]) == "2 errors, 1 warning"
    assert render_text([], {}) == render_summary([]) == ""
