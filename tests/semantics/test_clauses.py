"""Clause files and the citations of rules files."""

from __future__ import annotations

from conche.modules.load import LoadResult, load, load_source
from conche.semantics.clauses import read_clauses
from conche.source import Source, read_source
from semantics.snippets import GAME, places

CLAUSES = """\
# The lab

## §1 Things

What there is.

### §1.1a A thing

Text of a thing.

```
## §9 Not a clause
```

## Other

Not part of a clause.

### §A5 A ruling
## §1.10
"""

HEADER = GAME.replace("\noption", '\n  clauses "lab.clauses.md"\n\noption', 1).replace(
    "\n\n  clauses", "\n  clauses"
)


def lab(text: str, clauses: str | None = CLAUSES, header: str = HEADER) -> LoadResult:
    def read(path: str, name: str) -> Source:
        if clauses is None:
            return read_source(path, name)
        assert path == "labs/lab.clauses.md"
        return Source(name, clauses)

    return load_source(Source("labs/lab.rules", header + text), ruleset="lab", folder="labs", read=read)


def test_reads_headings() -> None:
    clauses = read_clauses(CLAUSES)
    assert [(c.id, c.title, c.line) for c in clauses.values()] == [
        ("1", "Things", 3),
        ("1.1a", "A thing", 7),
        ("A5", "A ruling", 19),
        ("1.10", "", 20),
    ]
    assert clauses["1"].text == "What there is."
    assert clauses["1.1a"].text.startswith("Text of a thing.")
    assert "Not part" not in clauses["1.1a"].text


def test_cites_what_there_is() -> None:
    result = lab('step s: stop §1.1a §A5 §B1\nruling §B1 "text"\n')
    assert result.diagnostics == []
    assert result.rulebook is not None
    assert set(result.clauses) == {"1", "1.1a", "A5", "1.10"}
    assert set(result.sources) == {"labs/lab.rules", "labs/lab.clauses.md"}


def test_finds_what_there_is_not() -> None:
    text = "step s: stop §1.1b §1\nscore a = 1 §77\n"
    result = lab(text)
    first, second = result.diagnostics
    assert result.rulebook is None
    assert (first.code, first.title) == ("C0223", "there is no clause §1.1b")
    assert "'1.1a'" in first.help[0]
    start = (HEADER + text).index("§77")
    assert places([second]) == [("C0223", start, start + 3)]


def test_a_type_error_hides_no_citation() -> None:
    result = lab("step s: set counter to first §99\n")
    assert [d.code for d in result.diagnostics] == ["C0204", "C0223"]


def test_a_ruling_that_is_a_clause() -> None:
    assert [d.code for d in lab('ruling §A5 "text"\n').diagnostics] == ["C0224"]


def test_a_clause_twice() -> None:
    result = lab("", CLAUSES + "\n## §A5 Again\n")
    (only,) = result.diagnostics
    assert only.code == "C0224"
    assert [label.span.line for label in only.labels] == [22, 19]
    assert only.labels[0].span.file == "labs/lab.clauses.md"


def test_a_missing_clause_file() -> None:
    result = lab("", None)
    (only,) = result.diagnostics
    assert only.code == "C0225"
    assert only.main is not None
    text = HEADER
    assert text[only.main.span.start : only.main.span.end] == '"lab.clauses.md"'


def test_a_clause_file_elsewhere() -> None:
    for name in ("../secret.md", "/etc/passwd", "a/../../b", "C:evil", "a\\\\..\\\\b", " "):
        result = lab("", None, HEADER.replace("lab.clauses.md", name))
        assert [d.code for d in result.diagnostics] == ["C0225"], name
        assert "beside" in result.diagnostics[0].title


def test_cacao_cites_its_clauses() -> None:
    result = load("cacao")
    assert result.diagnostics == []
    assert {"1.4a", "A5", "8"} <= set(result.clauses)
    assert result.rulebook is not None
    assert result.rulebook.clauses_file == "cacao.clauses.md"


def test_an_unreadable_game() -> None:
    def read(path: str, name: str) -> Source:
        return read_source("no-such-folder/" + name.rpartition("/")[2], name)

    result = load("cacao", read=read)
    assert [d.code for d in result.diagnostics] == ["C0001"]
