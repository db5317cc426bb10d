"""Reading rules files, and places in them."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conche.source import MAX_BYTES, Source, SourceError, read_source


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\nb", "a\nb"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\rb", "a\nb"),
        (b"\xef\xbb\xbfa", "a"),
        ("§1.6 é".encode(), "§1.6 é"),
        (b" " * MAX_BYTES, " " * MAX_BYTES),
    ],
    ids=["empty", "plain", "crlf", "cr", "bom", "utf-8", "largest"],
)
def test_good_files(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(data)
    assert read_source(path, "a.rules") == Source("a.rules", text)
    assert read_source(path).name == str(path)


@pytest.mark.parametrize(
    ("data", "code", "title", "note"),
    [
        ("a".encode("utf-16"), "C0004", "'a.rules' is written in UTF-16; rules files are UTF-8", None),
        (b"a\n\xe9", "C0004", "'a.rules' is not UTF-8 text", "byte 0xe9 in line 2 starts no character"),
        (b"a\n\0", "C0005", "'a.rules' is not a text file", "it has a NUL byte in line 2"),
        (b"a" * (MAX_BYTES + 1), "C0006", "'a.rules' is larger than 1 MiB", None),
    ],
    ids=["utf-16", "latin-1", "binary", "large"],
)
def test_bad_files(tmp_path: Path, data: bytes, code: str, title: str, note: str | None) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        read_source(path, "a.rules")
    found = caught.value.diagnostic
    assert (found.code, found.title, found.notes) == (code, title, (note,) if note else ())


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "cacao.rules").touch()
    os.mkfifo(tmp_path / "pipe")
    cases = {
        "cocao.rules": ("C0001", "there is no file 'it'", ("did you mean 'cacao.rules'?",)),
        "other.rules": ("C0001", "there is no file 'it'", ()),
        "none/cacao.rules": ("C0001", "there is no file 'it'", ()),
        "cacao.rules/a": ("C0001", "there is no file 'it'", ()),
        "": ("C0002", "'it' is a folder, not a rules file", ()),
        "pipe": ("C0002", "'it' is not a plain file", ()),
        "a\0": ("C0003", "'it' cannot be read: embedded null byte", ()),
    }
    for name, expected in cases.items():
        with pytest.raises(SourceError) as caught:
            read_source(tmp_path / name, "it")
        found = caught.value.diagnostic
        assert (found.code, found.title, found.help) == expected


def test_places() -> None:
    source = Source("a", "ab\n\nçd")
    assert [source.line(n) for n in range(5)] == ["", "ab", "", "çd", ""]
    assert source.line_count == 3
    span = source.span(1, 5)
    assert str(span) == "a:1:2"
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 2, 3, 2)
    assert source.span(-3, 99) == source.span(0, 6)
    assert source.span(4, 2) == source.span(4, 4)
    assert source.span(0, 1).to(source.span(4, 5)) == source.span(0, 5)
    assert source.span(1, 5).to(source.span(0, 2)) == source.span(1, 5)
    with pytest.raises(ValueError, match="two files"):
        span.to(Source("b", "").span(0, 0))


@given(st.text("a\n", max_size=20), st.integers(0, 20))
def test_position_and_offset_agree(text: str, offset: int) -> None:
    source = Source("a", text)
    offset = min(offset, len(text))
    line, column = source.position(offset)
    assert source.offset(line, column) == offset
    assert line == text[:offset].count("\n") + 1
    assert "\n".join(source.line(n + 1) for n in range(source.line_count)) == text
