"""A comparison for the terminal.

Purpose: what `conche diff` prints. Input: a `Comparison`, a width, whether to colour. Output: text.
Invariants: the same with and without colour but for the colour codes; no line is wider than the width, but
for names that are: longer ones are wrapped. Without a width, for programs to read, each line is left whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from conche.compare.balance import Balance
from conche.compare.columns import LEAST, below, beside, clean, fits
from conche.compare.model import WORDS, Change, Comparison, Kind, Sameness, Verdict
from conche.compare.to_words import (
    balance_title,
    figure,
    many_groups,
    move_texts,
    searched,
    share,
    summary,
    witness_title,
)
from conche.compare.witness.model import Witness

_COLORS = {Verdict.COSMETIC: "32", Verdict.COMPATIBLE: "33", Verdict.BREAKING: "31"}
_MOST_NAMED = 6
_MOST_ROWS = 24

_WITHOUT = 100
"""So wide are columns where there is no width."""


def to_text(comparison: Comparison, *, width: int | None = 100, color: bool = False) -> str:
    return "\n".join(_Printer(width, color).lines(comparison)) + "\n"


class _Printer:
    def __init__(self, width: int | None, color: bool) -> None:
        self.width, self.color = None if width is None else max(width, 40), color

    def fit(self, text: str, hang: int) -> list[str]:
        """A text in lines that fit, all but the first indented by `hang`."""
        if self.width is None:
            return [clean(text)]
        return wrap(clean(text), self.width, subsequent_indent=" " * hang) or [""]

    def paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color else text

    def lines(self, found: Comparison) -> Iterable[str]:
        yield self.paint(clean(f"{found.old.label} → {found.new.label}"), "1")
        yield from self.fit(f"  {summary(found)}", 2)
        if found.changes:
            yield from self._verdicts(found)
        for kind in Kind:
            group = [change for change in found.changes if change.kind is kind]
            if group:
                yield ""
                yield self.paint(WORDS[kind], "1;36")
                for change in group:
                    yield from self._change(change, found)
        if found.changes and found.sameness is Sameness.DIFFERENT:
            yield ""
            yield from self._reasons(found)
        if found.witness is not None:
            yield ""
            yield from self._witnesses(found)
        if found.balance is not None:
            yield ""
            yield from self._balance(found.balance)

    def _verdicts(self, found: Comparison) -> Iterable[str]:
        verdicts = found.verdicts
        plain = f"  interface {verdicts.interface} · saves {verdicts.saves} · records {verdicts.records}"
        shown = [
            f"{about} {self.paint(verdict.value, _COLORS[verdict])}"
            for about, verdict in (
                ("interface", verdicts.interface),
                ("saves", verdicts.saves),
                ("records", verdicts.records),
            )
        ]
        proposed = f"proposed version {found.proposed}"
        if self.width is None or len(f"{plain} · {proposed}") <= self.width:
            yield f"  {' · '.join([*shown, proposed])}"
        else:
            yield from (f"  {one}" for one in [*shown, proposed])

    def _change(self, change: Change, found: Comparison) -> Iterable[str]:
        yield from self.fit(f"  {change.id}  {change.what}", 6)
        group = f"group {change.group}" if many_groups(found) and change.kind is not Kind.CLAUSE else ""
        where = " → ".join(
            dict.fromkeys(
                f"{text.file}:{text.line}" for text in (change.old, change.new) if text and text.file
            )
        )
        if group or where:
            yield self.paint(clean(f"      {' · '.join(one for one in (group, where) if one)}"), "2")
        if change.old is not None or change.new is not None:
            yield from self._sides(change)
        cites = dict.fromkeys(cite for text in (change.old, change.new) if text for cite in text.cites)
        named = [f"§{cite} {found.clauses.get(cite, '')}".strip() for cite in cites]
        if named:
            yield from (self.paint(line, "2") for line in self.fit(f"      {', '.join(named)}", 6))
        if change.reach.direct:
            yield from self.fit(f"      reaches {self._named(change.reach.direct)}{self._further(change)}", 8)
        for risk in change.at_risk:
            word = "breaks" if risk.breaks else "refines"
            line = f"      module {risk.module} {word} {risk.place}"
            yield self.paint(line, "31" if risk.breaks else "33")
            if risk.why:
                yield from self.fit(f"        {risk.why}", 8)

    def _sides(self, change: Change) -> Iterable[str]:
        old = None if change.old is None else change.old.text
        new = None if change.new is None else change.new.text
        width = _WITHOUT - 6 if self.width is None else self.width - 6
        columns = width >= LEAST and (self.width is not None or fits(old, new, width))
        rows = beside(old, new, width) if columns else below(old, new, None if self.width is None else width)
        if len(rows) > _MOST_ROWS:
            rows = [*rows[:_MOST_ROWS], ("…".ljust((width - 3) // 2) if columns else "…", "…")]
        for left, right in rows:
            if columns:
                yield f"      {self.paint(left, '31')} │ {self.paint(right, '32')}".rstrip()
            else:
                yield f"      {self.paint(f'{left} {right}', '31' if left == '-' else '32')}".rstrip()

    @staticmethod
    def _named(names: tuple[str, ...]) -> str:
        shown = list(names[:_MOST_NAMED])
        more = len(names) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

    @staticmethod
    def _further(change: Change) -> str:
        """How far a change reaches in all."""
        reach = change.reach
        counts = [
            f"{len(names)} {one if len(names) == 1 else more}"
            for one, more, names in (
                ("step", "steps", reach.steps),
                ("decision", "decisions", reach.decisions),
                ("query", "queries", reach.queries),
                ("score", "scores", reach.scores),
            )
            if names
        ]
        return f" (in all {', '.join(counts)})" if counts else ""

    def _reasons(self, found: Comparison) -> Iterable[str]:
        for about, verdict in (
            ("interface", found.verdicts.interface),
            ("saves", found.verdicts.saves),
            ("records", found.verdicts.records),
        ):
            reasons = found.verdicts.reasons.get(about, ())
            head = f"{about}: {self.paint(verdict.value, _COLORS[verdict])}"
            yield head
            for reason in reasons[:_MOST_NAMED]:
                yield from self.fit(f"  because of {reason}", 4)
            if len(reasons) > _MOST_NAMED:
                yield f"  and {len(reasons) - _MOST_NAMED} more"

    def _balance(self, found: Balance) -> Iterable[str]:
        yield self.paint(balance_title(found), "1")
        for row in found.rows:
            what = row.what if row.seat is None else f"{row.what}, {found.seats[row.seat]}"
            sign = "+" if row.change.mean > 0 else ""
            sides = f"{figure(row.old):>18} → {figure(row.new):>18}"
            yield f"  {what:<28} {sides}   {sign}{figure(row.change)}"
        for use in found.uses:
            sides = f"{share(use.old):>5} → {share(use.new):>5} of the games"
            yield from self.fit(f"  used in {sides}  {use.change}  {use.what}", 4)

    def _witnesses(self, found: Comparison) -> Iterable[str]:
        assert found.witness is not None
        for witness in found.witness.witnesses:
            yield from (self.paint(line, "1") for line in self.fit(witness_title(witness, found), 2))
            yield from self._steps(witness)
            yield ""
        yield from self.fit(searched(found.witness, found), 2)

    def _steps(self, witness: Witness) -> Iterable[str]:
        for number, text in enumerate(move_texts(witness), 1):
            yield from self.fit(f"  {number:3}  {text}", 7)
        for word, side in (("old", witness.old), ("new", witness.new)):
            for line in side:
                color = "31" if word == "old" else "32"
                yield from (self.paint(part, color) for part in self.fit(f"  {word}: {line}", 7))
        if witness.scenario is not None:
            yield ""
            yield from (f"  {line}" for line in witness.scenario.rstrip("\n").split("\n"))
        else:
            yield from self.fit(f"  no scenario: {witness.no_scenario}", 4)
