"""`show`: lark trees to AST nodes.

Input: a tree `show` of the grammar. Output: `ast.ShowDecl`.
Invariant: each line is one hint, in the order of the text.
"""

from __future__ import annotations

from conche.syntax import ast
from conche.syntax.build.places import Node, Place, parts, the, tokens


def show(tree: Node, place: Place) -> ast.ShowDecl:
    """The declaration of how things are shown."""
    hints = tuple(hint(child, place) for child in parts(tree))
    return ast.ShowDecl(hints, place.until(tree, hints[-1].span), ())


def hint(tree: Node, place: Place) -> ast.Hint:
    """A line of `show`."""
    how = str(tree.data).removeprefix("show_")
    own = list(tokens(tree))
    span = place.line(tree)
    match how:
        case "sign" | "label" | "color":
            name, *values = tokens(the(tree, "shown"))
            text = place.string(own.pop(0)) if how != "color" else None
            color = place.name(own[0]) if own else None
            numbers = tuple(int(value) for value in values) if values else None
            return ast.Hint(how, (place.name(name),), numbers, text, color, span)
        case _:
            title = place.string(own[0]) if own else None
            return ast.Hint(how, place.names(the(tree, "names")), None, title, None, span)
