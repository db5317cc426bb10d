"""Effects: what a body reads, writes and uses, and whether it asks a player.

Input: typed statements and expressions. Output: `Effects`.
Invariants: paths are `zone.display`, `var.gold` (a track too), `board` for all that lies on it, `chance.x`,
`players` (who is still in), `end`; what a step or query does that is used is not followed here
(`modules.commute` does).
"""

from __future__ import annotations

from collections.abc import Iterable

from conche.semantics import rulebook as rb
from conche.semantics.typed_module import ORIGINAL, Effects
from conche.semantics.walk import node_fields
from conche.source import Span


def effects_of(*nodes: object) -> Effects:
    """The effects of all of them."""
    reads: set[str] = set()
    writes: set[str] = set()
    adds: set[str] = set()
    uses: set[str] = set()
    asks = False
    stack: list[object] = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
            continue
        if not hasattr(type(node), "__dataclass_fields__") or isinstance(node, Span):
            continue
        match node:
            case rb.Put() | rb.Take():  # of these the order does not matter, and they read nothing
                adds.add(f"zone.{node.zone.name}")
                stack += [node.items, node.zone.player]
                continue
            case rb.GainVar(up_to=False):
                adds.add(f"var.{node.var}")
            case (
                rb.GlobalVar(name)
                | rb.PlayerVar(name)
                | rb.SpaceVar(name)
                | rb.KindVar(name)
                | rb.TrackValue(name)
            ):
                reads.add(f"var.{name}")
            case (
                rb.Players()
                | rb.PlayersLeft()
                | rb.Clockwise()
                | rb.Neighbour()
                | rb.EachPlayer()
                | rb.Rounds()
            ):
                reads.add("players")
            case rb.ZoneRef(name):
                reads.add(f"zone.{name}")
            case (
                rb.SpaceKind()
                | rb.SpaceEmpty()
                | rb.IsPiece()
                | rb.EdgeFace()
                | rb.Spaces()
                | rb.SpaceField()
                | rb.IsKind()
                | rb.PieceAttr()
            ):
                reads.add("board")
            case rb.Call(query):
                uses.add(f"query.{query}")
            case rb.Do(step) if not step.startswith(ORIGINAL):
                uses.add(f"step.{step}")
            case rb.DoAction(action):
                uses.add(f"action.{action}")
                reads.add("board")
            case rb.Choose():
                asks = True
            case rb.Chance(name):
                writes.add(f"chance.{name}")
            case rb.EndGame():
                writes.add("end")
            case rb.Eliminate():
                writes.add("players")
            case _:
                writes.update(_written(node))
        stack.extend(getattr(node, name) for name in node_fields(node))
    return Effects(frozenset(reads), frozenset(writes), frozenset(adds), frozenset(uses), asks)


def _written(node: object) -> Iterable[str]:
    match node:
        case rb.GainVar() | rb.PayVar():
            return (f"var.{node.var}",)
        case rb.GainPieces() | rb.PayPieces() | rb.Swap() | rb.Shuffle() | rb.Look():
            return (f"zone.{node.zone.name}",)
        case rb.Move(_, source, target) | rb.Draw(_, _, source, target):
            to = f"zone.{target.name}" if isinstance(target, rb.ZoneRef) else "board"
            return (f"zone.{source.name}", to)
        case rb.SetPlace(target) | rb.AddTo(_, target) | rb.DropFrom(_, target):
            return () if isinstance(target, rb.Local) else (f"var.{target.name}",)
        case _:
            return ()


def clash(a: Effects, b: Effects) -> frozenset[str]:
    """The data for which it matters which of the two comes first."""
    return (
        (a.writes & (b.reads | b.writes | b.adds))
        | (b.writes & (a.reads | a.adds))
        | (a.adds & b.reads)
        | (b.adds & a.reads)
    )
