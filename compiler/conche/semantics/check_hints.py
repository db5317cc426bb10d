"""`show`: what the hints for a picture of the game speak of.

Purpose: each hint names something that there is and that can be shown so. Input: a `ShowDecl`, and what is
declared. Output: the hints that can be followed; findings for the others. Invariants: nothing here is an
error: rules with a wrong hint are played as without it. What names mean is asked of the game as it is
declared; a module that takes a kind away takes the hint with it.
"""

from __future__ import annotations

import unicodedata

from conche.diagnostics.suggest import did_you_mean
from conche.semantics import rulebook as rb
from conche.semantics.symbols import Context, Seat
from conche.semantics.types import RingT
from conche.semantics.words import listed
from conche.syntax import ast

COLORS = (
    "black",
    "blue",
    "brown",
    "cyan",
    "gray",
    "green",
    "grey",
    "magenta",
    "orange",
    "pink",
    "purple",
    "red",
    "violet",
    "white",
    "yellow",
)
"""The colours that hints can name."""

MARKS = "·*?×↻┊┈"
"""Signs with a meaning of their own in a picture."""

SIGN, LABEL = 6, 40
"""The most letters of a sign, and of a label or a title."""


def check_hints(context: Context, decl: ast.ShowDecl) -> list[rb.Hint]:
    """The hints of a declaration that can be followed."""
    return _Hints(context).check(decl)


def check_clashes(context: Context, hints: list[rb.Hint]) -> list[rb.Hint]:
    """The hints of a file without those that another one of it makes void."""
    kept: list[rb.Hint] = []
    told: dict[tuple[object, ...], rb.Hint] = {}
    for hint in hints:
        keys: list[tuple[object, ...]]
        if hint.how in ("leave_out", "order", "group"):
            keys = [("place", name) for name in hint.names]
        else:
            keys = [(hint.how, hint.names, hint.values)]
            if hint.color and hint.how == "sign":
                keys.append(("color", hint.names, hint.values))
            if hint.how == "sign":
                keys.append(("text", hint.text.casefold()))
        earlier = next((told[key] for key in keys if key in told), None)
        if earlier is None:
            told.update(dict.fromkeys(keys, hint))
            kept.append(hint)
            continue
        name = f"the sign '{hint.text}'" if ("text", hint.text.casefold()) in told else f"'{hint.names[0]}'"
        if hint.how in ("leave_out", "order", "group"):
            name = next(f"'{name}'" for name in hint.names if ("place", name) in told)
        context.report(
            "C0257",
            f"{name} has a hint already",
            hint.span,
            "this one is not followed",
            also=((earlier.span, "told here first"),),
        )
    return kept


class _Hints:
    def __init__(self, context: Context) -> None:
        self.context = context
        globals_ = context.globals
        values = globals_.values
        self.seats = {name for name, symbol in values.items() if isinstance(symbol, Seat)}
        self.families = {family.name: family for family in globals_.families}
        self.types = set(globals_.types)
        self.things = {
            *(name for name, s in values.items() if isinstance(s, rb.Zone | rb.Track | rb.Var | rb.Board)),
            *globals_.player,
            *globals_.kind,
            *globals_.space,
        }
        rings = (
            name
            for type_ in globals_.types.values()
            for name, of in type_.attributes
            if isinstance(of, RingT)
        )
        carried = (name.partition(".")[2] for name in globals_.carried)
        self.labelled = {*self.things, *rings, *carried}

    def check(self, decl: ast.ShowDecl) -> list[rb.Hint]:
        found = (self._hint(hint) for hint in decl.hints)
        return [hint for hint in found if hint is not None]

    def _hint(self, hint: ast.Hint) -> rb.Hint | None:
        checks = [self._names(hint), self._values(hint), self._text(hint), self._color(hint)]
        if not all(checks):
            return None
        return rb.Hint(
            hint.how,
            tuple(name.text for name in hint.names),
            hint.values,
            hint.text.value.strip() if hint.text is not None else "",
            hint.color.text if hint.color is not None else "",
            hint.span,
        )

    def _names(self, hint: ast.Hint) -> bool:
        """Whether all that it names is there and of the right sort."""
        match hint.how:
            case "sign":
                allowed, what = {*self.families}, "a kind of piece or a member of an enum"
            case "color":
                allowed = {*self.families, *self.types, *self.seats}
                what = "a kind, a type or a seat"
            case "label":
                allowed, what = self.labelled, "a variable, a zone or a board"
            case _:
                allowed, what = self.things, "a variable, a zone or a board"
        good = True
        for name in hint.names:
            if name.text in allowed:
                continue
            good = False
            known = {*self.families, *self.types, *self.seats, *self.labelled}
            if name.text not in known:
                self.context.unknown("thing to be shown called", name, sorted(allowed), code="C0256")
                continue
            self.context.report(
                "C0257",
                f"'{name.text}' is not {what}",
                name.span,
                help=(_other_way(hint, name.text in self.labelled),),
            )
        return good

    def _values(self, hint: ast.Hint) -> bool:
        """Whether there is a kind with these numbers."""
        if hint.values is None:
            return True
        name = hint.names[0]
        family = self.families.get(name.text)
        if family is None:
            if name.text in self.labelled | self.types | self.seats and hint.how != "sign":
                self.context.report("C0257", f"'{name.text}' has no numbers behind it", hint.span)
                return False
            return True
        if any(kind.values == hint.values for kind in family.kinds):
            return True
        called = f"{name.text}({', '.join(map(str, hint.values))})"
        kinds = [kind.name for kind in family.kinds]
        meant = did_you_mean(called, kinds) or f"there are {listed(kinds[:6])}"
        self.context.report("C0256", f"there is no '{called}'", name.span, help=(meant,))
        return False

    def _text(self, hint: ast.Hint) -> bool:
        """Whether a text can be shown where it is wanted."""
        if hint.text is None:
            return True
        text, most = hint.text.value.strip(), SIGN if hint.how == "sign" else LABEL
        what = {"sign": "a sign", "label": "a label"}.get(hint.how, "a title")
        wrong = ""
        if not text:
            wrong = f"{what} is empty"
        elif any(unicodedata.category(letter)[0] == "C" for letter in text):
            wrong = f"{what} has a character that does not show"
        elif len(text) > most:
            wrong = f"{what} has at most {most} letters"
        elif hint.how == "sign" and any(letter in MARKS or letter.isspace() for letter in text):
            marks = " ".join(MARKS)
            wrong = f"a sign has no blank in it, nor what has a meaning of its own: {marks}"
        if wrong:
            self.context.report("C0257", wrong, hint.text.span)
        return not wrong

    def _color(self, hint: ast.Hint) -> bool:
        if hint.color is None or hint.color.text in COLORS:
            return True
        meant = did_you_mean(hint.color.text, COLORS) or f"there are {listed(COLORS)}"
        title = f"there is no colour '{hint.color.text}'"
        self.context.report("C0257", title, hint.color.span, help=(meant,))
        return False


def _other_way(hint: ast.Hint, is_thing: bool) -> str | None:
    """What to write of something of that sort."""
    name = hint.names[0].text
    if hint.how == "sign" and is_thing:
        return f'write `{name} called "…"` for its name in words'
    if hint.how == "label" and not is_thing:
        return f'write `{name} as "…"` for its sign; its name in words is told by `written`'
    return None
