"""Renders diagnostics as text for people.

Purpose: the form that the shell shows: source excerpts with the exact places underlined.
Input: diagnostics, the sources they speak of, and whether to colour. Output: text.
Invariants: sorted and without duplicates; the same with and without colour but for the colour codes; no
control character of a rules file or a file name reaches the terminal. A source that is not at hand costs the
excerpt, nothing else.

    error[C0212]: two modules replace the same step
      ┌─ rules/chocolatl/map.rules:31:3
    31 │   replace fill.choose_tile
       │   ^^^^^^^^^^^^^^^^^^^^^^^^ 'map' replaces it here
       = help: write `follows map` in 'scouts'

`^` underlines primary labels, `-` the others. A label over several lines is a bracket left of the text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conche.diagnostics.excerpt import Canvas, clean, lay_out
from conche.diagnostics.lists import counted
from conche.diagnostics.model import Diagnostic, Label, Severity, in_order

if TYPE_CHECKING:
    from conche.source import Source

# Lines of a long bracket that are shown before and after the part left out.
_HEAD, _TAIL = 2, 2

_RESET = "\x1b[0m"
_STYLES = {
    "title": "\x1b[1m",
    "gutter": "\x1b[34m",
    "other": "\x1b[34m",
    "help": "\x1b[36m",
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.NOTE: "\x1b[1;36m",
}


def render_text(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, "Source"], *, color: bool = False
) -> str:
    """All findings, a blank line between two; empty when there are none.

    `sources` maps `Span.file` to the file's text. The caller decides on `color` (a terminal? NO_COLOR?).
    """
    pen = _Pen(color)
    return "\n".join(_render(diagnostic, sources, pen) for diagnostic in in_order(diagnostics))


def render_summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many findings of each severity, such as `2 errors, 1 warning`; empty when there are none."""
    found = in_order(diagnostics)
    counts = [(sum(d.severity is severity for d in found), severity.value) for severity in Severity]
    return ", ".join(counted(count, name) for count, name in counts if count)


@dataclass(frozen=True, slots=True)
class _Pen:
    color: bool

    def paint(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self.color and text.strip() else text


def _render(diagnostic: Diagnostic, sources: Mapping[str, "Source"], pen: _Pen) -> str:
    severity = diagnostic.severity
    head = pen.paint(severity, f"{severity.value}[{diagnostic.code}]")
    out = [head + pen.paint("title", f": {clean(diagnostic.title)}")]
    width = max((len(str(_last_line(label))) for label in diagnostic.labels), default=1)
    for labels in _by_file(diagnostic):
        out += _excerpt(labels, sources.get(labels[0].span.file), severity, width, pen)
    out += _remarks(diagnostic, width, pen)
    return "\n".join(out) + "\n"


def _by_file(diagnostic: Diagnostic) -> list[list[Label]]:
    """The labels of each file; the file of the main label first, the others as they are named."""
    files: dict[str, list[Label]] = {diagnostic.main.span.file: []} if diagnostic.main else {}
    for label in diagnostic.labels:
        files.setdefault(label.span.file, []).append(label)
    return list(files.values())


def _last_line(label: Label) -> int:
    # A span up to the very start of a line covers nothing of that line.
    span = label.span
    return span.end_line - 1 if span.end_line > span.line and span.end_column == 1 else span.end_line


def _excerpt(
    labels: list[Label], source: "Source | None", severity: Severity, width: int, pen: _Pen
) -> list[str]:
    main = next((label for label in labels if label.primary), labels[0])
    out = [f"{' ' * width}{pen.paint('gutter', '┌─')} {clean(str(main.span))}"]
    if source is None:
        out += [
            f"{' ' * width} {pen.paint('gutter', '=')} {clean(label.text)}" for label in labels if label.text
        ]
        return out

    brackets = sorted(
        (label for label in labels if _last_line(label) > label.span.line),
        key=lambda label: (label.span.start, -label.span.end, not label.primary, label.text),
    )
    singles = [label for label in labels if _last_line(label) == label.span.line]
    previous = 0
    for number in _shown_lines(singles, brackets):
        if previous and number > previous + 1:
            out.append(
                f"{' ' * width} {pen.paint('gutter', '·')}{_margin(brackets, number, severity, pen)}".rstrip()
            )
        out += _line(number, source, singles, brackets, severity, width, pen)
        previous = number
    return out


def _shown_lines(singles: list[Label], brackets: list[Label]) -> list[int]:
    shown = {label.span.line for label in singles}
    for label in brackets:
        first, last = label.span.line, _last_line(label)
        shown.update(range(first, min(first + _HEAD, last) + 1))
        shown.update(range(max(last - _TAIL + 1, first), last + 1))
    # A single line left out would take the room of the mark that says so.
    shown |= {number + 1 for number in shown if number + 2 in shown}
    return sorted(shown)


def _margin(brackets: list[Label], number: int, severity: Severity, pen: _Pen) -> str:
    """The bars of the brackets that are open between the line before `number` and `number`."""
    bars = [
        pen.paint(_style(label, severity), "│") if label.span.line < number <= _last_line(label) else " "
        for label in brackets
    ]
    return "".join(f" {bar}" for bar in bars)


def _style(label: Label, severity: Severity) -> str:
    return severity if label.primary else "other"


def _line(
    number: int,
    source: "Source",
    singles: list[Label],
    brackets: list[Label],
    severity: Severity,
    width: int,
    pen: _Pen,
) -> list[str]:
    """One line of the source and the rows of underlines, labels and brackets below it."""
    text = source.line(number)
    here = [label for label in singles if label.span.line == number]
    opening = [label for label in brackets if label.span.line == number]
    closing = [label for label in brackets if _last_line(label) == number]
    offsets = [label.span.column - 1 for label in (*here, *opening)]
    offsets += [_end(label, source) - 1 for label in closing]
    line = lay_out(text, min(offsets, default=0))

    bars = {id(label): "│" for label in brackets if label.span.line < number <= _last_line(label)}
    # A bracket that opens before the first letter of its line needs no row of its own.
    plain = [label for label in opening if not text[: label.span.column - 1].strip()]
    for label in plain:
        bars[id(label)] = "╭"

    def row(content: str, gutter: str = "") -> str:
        margin = "".join(
            f" {pen.paint(_style(label, severity), bars[id(label)])}" if id(label) in bars else "  "
            for label in brackets
        )
        return f"{gutter:>{width}} {pen.paint('gutter', '│')}{margin} {content}".rstrip()

    out = [row(line.text, str(number))]
    for label in plain:
        bars[id(label)] = "│"
    placed = [(*line.stretch(label.span.column - 1, _end(label, source)), label) for label in here]
    out += [row(content) for content in _underlines(placed, severity, pen)]
    for label in opening:
        if label not in plain:
            out.append(
                _turn(label, "╭", line.column(label.span.column - 1), brackets, bars, severity, width, pen)
            )
            bars[id(label)] = "│"
    for label in reversed(closing):
        at = line.column(max(_end(label, source) - 1, 0))
        turn = _turn(label, "╰", at, brackets, bars, severity, width, pen)
        bars.pop(id(label), None)
        out.append(f"{turn} {pen.paint(_style(label, severity), clean(label.text))}".rstrip())
    return out


def _end(label: Label, source: "Source") -> int:
    """How many characters of its last line a label covers."""
    if _last_line(label) < label.span.end_line:
        return len(source.line(_last_line(label)))
    return label.span.end_column - 1


def _turn(
    label: Label,
    corner: str,
    at: int,
    brackets: list[Label],
    bars: Mapping[int, str],
    severity: Severity,
    width: int,
    pen: _Pen,
) -> str:
    """The row in which a bracket turns from the margin to display column `at` of the text."""
    index = next(i for i, other in enumerate(brackets) if other is label)
    left = "".join(
        f" {pen.paint(_style(other, severity), bars[id(other)])}" if id(other) in bars else "  "
        for other in brackets[:index]
    )
    line = "─" * (2 * (len(brackets) - index - 1) + 1 + at)
    drawn = pen.paint(_style(label, severity), corner + line + ("^" if label.primary else "-"))
    return f"{' ' * width} {pen.paint('gutter', '│')}{left} {drawn}"


def _underlines(places: list[tuple[int, int, Label]], severity: Severity, pen: _Pen) -> list[str]:
    """The row of underlines, the text of the last label beside it, those of the others hanging below."""
    if not places:
        return []
    placed = sorted(
        places,
        key=lambda item: (item[0], item[1], not item[2].primary, item[2].text),
    )
    marks = Canvas()
    # Others first, so that where two overlap the primary one shows.
    for start, end, label in sorted(placed, key=lambda item: (item[2].primary, item[0] - item[1])):
        for column in range(start, end):
            marks.put(column, "^" if label.primary else "-", _style(label, severity))
    last_start, last_end, last = placed[-1]
    worded = [item for item in placed if item[2].text]
    beside = bool(last.text) and all(end <= last_end for _, end, _ in placed)
    if beside:
        worded.remove((last_start, last_end, last))
        marks.write(last_end + 1, clean(last.text), _style(last, severity))
    rows = [marks]
    while worded:
        start, _, label = worded.pop()
        stem, text = Canvas(), Canvas()
        for other_start, _, other in worded:
            for canvas in (stem, text):
                canvas.put(other_start, "│", _style(other, severity))
        stem.put(start, "│", _style(label, severity))
        text.write(start, clean(label.text), _style(label, severity))
        if len(rows) == 1:
            rows.append(stem)
        rows.append(text)
    return [row.render(pen.paint) for row in rows]


def _remarks(diagnostic: Diagnostic, width: int, pen: _Pen) -> list[str]:
    remarks = [("", note) for note in diagnostic.notes]
    remarks += [("help: ", text) for text in (*diagnostic.help, *(fix.text for fix in diagnostic.fixes))]
    out: list[str] = []
    for prefix, text in dict.fromkeys(remarks):
        first, *more = [clean(part) for part in text.split("\n")]
        out.append(f"{' ' * width} {pen.paint('gutter', '=')} {pen.paint('help', prefix)}{first}")
        out += [f"{' ' * (width + 3 + len(prefix))}{part}".rstrip() for part in more]
    return out
