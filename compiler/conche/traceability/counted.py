"""What is counted for a rule: the ids under which the interpreter tells that it was reached.

Input: an action graph, declarations of the files it was composed from. Output: ids of `interpret.book.
Book.reached`.

    set-up, play, a step, an action, a trigger, a step added before or after, a body that wraps or replaces
                          every run of it
    cases added to a choice                 every time one of them is chosen, or forced
    a query, a score, and what modifies or replaces it      every time it is worked out
    `rank by`                               every time the players are ranked
    all else                                nothing: it does not run

Invariant: a routine that a module wraps or adds to has several routines of its span; the innermost is its
own.
"""

from __future__ import annotations

from collections.abc import Iterable

from conche.graph.model import ActionGraph, Node
from conche.source import Span
from conche.syntax import ast
from conche.traceability.model import Decl

_ROUTINES = (ast.StepDecl, ast.ActionDecl, ast.AddStep, ast.ReplaceBody, ast.Wrap)


class Counted:
    """Look-ups from declarations to ids of the graph."""

    def __init__(self, graph: ActionGraph) -> None:
        self.rulebook = graph.rulebook
        nodes = list(graph.nodes())
        self.starts = [node for node in nodes if node.role == "start"]
        self.cases = [node for node in nodes if node.role == "case"]
        queries = [(f"query.{query.name}", query.span) for query in self.rulebook.queries.values()]
        scores = [(f"score.{score.name}", score.span) for score in self.rulebook.scores.values()]
        self.values = [*queries, *scores]

    def of(self, decl: Decl) -> tuple[str, ...]:
        """The ids of a rule in force."""
        match decl:
            case ast.SetupDecl():
                return (ActionGraph.START,)
            case ast.PlayDecl():
                return (ActionGraph.PLAY,)
            case ast.RankDecl():
                return (ActionGraph.END,)
            case ast.TriggerDecl():
                return (f"trigger.{decl.name.text}",)
            case ast.ExtendChoose():
                return tuple(_inside(decl.span, self.cases))
            case ast.QueryDecl():
                return (f"query.{decl.name.text}",)
            case ast.ScoreDecl():
                return (f"score.{decl.name.text}",)
            case ast.ReplaceQuery():
                return self._value(decl.name.text)
            case ast.Modify():
                return self._value(decl.query.text)
            case _ if isinstance(decl, _ROUTINES):
                found = _inside(decl.span, self.starts)
                return tuple([name for name in found if name.endswith(".original")] or found)
            case _:
                return ()

    def stands(self, decl: Decl) -> bool:
        """Of several bodies, or values, that replace one, whether it is this one that counts."""
        match decl:
            case ast.ReplaceBody():
                return bool(_inside(decl.span, self.starts))
            case ast.ReplaceQuery():
                return any(_within(span, decl.span) for _, span in self.values)
            case _:
                return True

    def _value(self, name: str) -> tuple[str, ...]:
        return (f"query.{name}" if name in self.rulebook.queries else f"score.{name}",)


def _inside(span: Span, nodes: Iterable[Node]) -> list[str]:
    return [node.id for node in nodes if _within(node.span, span)]


def _within(part: Span, whole: Span) -> bool:
    return part.file == whole.file and whole.start <= part.start < max(whole.end, whole.start + 1)
