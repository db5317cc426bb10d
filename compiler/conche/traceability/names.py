"""What rules are called in tables and headings: close to the words they are declared with.

Input: declarations and changes. Output: texts of one line.
"""

from __future__ import annotations

from typing import assert_never

from conche.syntax import ast
from conche.syntax.expression_text import pattern_text
from conche.traceability.model import Decl

OF_PLAYER = "player's "
"""How the name of something begins that each player has."""


def name_of(decl: Decl, *, of_player: bool = False) -> str:
    """`step fill`, `action use(market(price))`, `before refill add build`. `of_player`: a player has it."""
    match decl:
        case ast.Header():
            return f"{decl.kind} {decl.name.text}"
        case ast.VarDecl() | ast.ZoneDecl() | ast.TrackDecl() if of_player:
            return f"{OF_PLAYER}{decl.name.text}"
        case ast.OptionDecl():
            return f"option {decl.name.text}"
        case ast.EnumDecl():
            return f"enum {decl.name.text}"
        case ast.PieceDecl():
            return f"piece {decl.name.text}"
        case ast.ValuesDecl():
            return f"values {decl.name.text}"
        case ast.BoardDecl():
            return f"board {decl.name.text}"
        case ast.VarDecl():
            return f"var {decl.name.text}"
        case ast.ZoneDecl():
            return f"{decl.kind} {decl.name.text}"
        case ast.TrackDecl():
            return f"track {decl.name.text}"
        case ast.EachPlayerHas():
            return "each player has"
        case ast.EachKindHas():
            return f"each {decl.of.text} has"
        case ast.SetupDecl():
            return "setup"
        case ast.PlayDecl():
            return "play"
        case ast.StepDecl():
            return f"step {decl.name.text}"
        case ast.ActionDecl():
            return f"action {decl.name.text}({pattern_text(decl.pattern)})"
        case ast.QueryDecl():
            return f"query {decl.name.text}"
        case ast.TriggerDecl():
            return f"trigger {decl.name.text}"
        case ast.ScoreDecl():
            return f"score {decl.name.text}"
        case ast.RankDecl():
            return "rank by"
        case ast.InvariantDecl():
            return f'always "{decl.text.value}"'
        case ast.ConserveDecl():
            return f"conserve {decl.piece.text}"
        case ast.RulingDecl():
            return f"ruling §{decl.cite.id}"
        case ast.ScenarioDecl():
            return f'scenario "{decl.title.value}"'
        case ast.ShowDecl():
            return "show"
        case ast.ErrorDecl():
            return decl.keyword
        case _:
            return _change(decl)


def _change(decl: ast.Change) -> str:
    match decl:
        case ast.ExtendType():
            return f"extend {decl.name.text}"
        case ast.ExtendBoard():
            return f"extend board {decl.name.text}"
        case ast.ExtendChoose():
            return f"extend choose {dotted(decl.path)}"
        case ast.AddStep():
            return f"{'before' if decl.before else 'after'} {dotted(decl.path)} add {decl.name.text}"
        case ast.ReplaceBody():
            return f"replace {dotted(decl.path)}"
        case ast.ReplaceQuery() | ast.ReplaceValues() | ast.ReplaceType():
            return f"replace {decl.name.text}"
        case ast.Wrap():
            return f"wrap {dotted(decl.path)}"
        case ast.Modify():
            return f"modify {decl.query.text}"
        case ast.WithModules():
            return "with"
        case _:
            assert_never(decl)


def dotted(path: ast.Path) -> str:
    """A named place as it is written."""
    return ".".join(name.text for name in path.names)


def path_of(decl: Decl) -> str | None:
    """What a change changes, as it names it; None of what changes nothing."""
    match decl:
        case ast.ExtendChoose() | ast.AddStep() | ast.ReplaceBody() | ast.Wrap():
            return dotted(decl.path)
        case ast.ExtendType() | ast.ExtendBoard():
            return decl.name.text
        case ast.ReplaceQuery() | ast.ReplaceValues() | ast.ReplaceType():
            return decl.name.text
        case ast.Modify():
            return decl.query.text
        case _:
            return None
