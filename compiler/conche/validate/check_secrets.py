"""What is secret stays secret until the rules reveal it.

What it does: follows what is secret to one player, or hidden from all, through values and through what runs
because of them, and reports where others would see it: in an open variable, in how many pieces lie
anywhere, in a piece moved or an event of the log (C0340); in whether or who is asked (C0341); in the
options of a player who may not know it (C0342); in an argument of a decision, which all see, whose case
does not put that piece where all see it (C0343); in a score or the ranking (C0344). Why: a game that leaks
what a player holds is broken, and the leak is hard to see by playing. What is fine: `reveal`; moving a
piece, or drawing one, to where all see it; choosing from one's own secret what the case then moves there on
every way, or reveals, and telling about that piece; a number that a player names within secret bounds, which
is his own act; `for x in …` arguments, which are not shown, and what is chosen `secretly`, which is then a
secret itself; the number of pieces.

    choose discard
      case (card in kinds(you.hand))
        move card from you.hand to pit       # C0343 where `pit` is hidden; use: `case (for card in …)`

    if count(c in kinds(you.hand) where c is gem) > 0: gain 1 gold     # C0340: all see who has a gem

What it does not see: that a player's choice itself may tell something (passing, or a case whose condition
reads the player's own secret); what the number of rounds or a run-time error tells; what several open
values tell together; what a value known once (`reveal x.hand`) tells after the hand has changed. A call
through different players is told apart by parameters only, and `reveal` counts for a zone, a variable or a
local, not for a computed value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic
from conche.diagnostics.model import Label as Mark
from conche.graph.expressions import children, place_node, target_node, variable_node
from conche.graph.model import ActionGraph, Node, choose_of
from conche.semantics.rulebook import (
    AddTo,
    Binder,
    Case,
    Chance,
    Choose,
    Draw,
    DropFrom,
    EachPlayer,
    Eliminate,
    EndGame,
    Expr,
    GainPieces,
    GainVar,
    Look,
    Move,
    PayPieces,
    PayVar,
    Place,
    PlayerVar,
    Put,
    Range,
    Reveal,
    SetPlace,
    Shuffle,
    Stmt,
    Swap,
    Take,
    ZoneRef,
)
from conche.semantics.types import Int
from conche.source import Span
from conche.validate.flow import flow_of
from conche.validate.labels import (
    HIDDEN,
    NOTHING,
    OPEN,
    SECRET,
    Atom,
    Label,
    Labels,
    join,
    player_key,
    slot_key,
)
from conche.validate.progress import owned_stmt
from conche.validate.reveals import Reveals
from conche.validate.shown import Shown
from conche.validate.spread import Spread, unknown_to

Part = tuple[Label, str]
"""What others must not see, and in what they would."""

_REVEAL = "`reveal` it first, if all may know it from here on"
_OTHERS = 3
"""How many more places one finding shows."""


@dataclass(frozen=True, slots=True)
class _Leak:
    """label: what gets out. shows: how, as the end of a sentence. node, span: where."""

    code: str
    label: Label
    shows: str
    node: str
    span: Span
    help: str = _REVEAL


def check_secrets(graph: ActionGraph) -> list[Diagnostic]:
    return list(_Check(graph).findings())


class _Check:
    def __init__(self, graph: ActionGraph) -> None:
        self._graph = graph
        self._rulebook = graph.rulebook
        self._flow = flow_of(graph)
        self._labels = Labels(graph.rulebook)
        self._spread = Spread(self._flow, self._labels, Reveals(self._flow, self._labels))
        self._shown = Shown(self._flow, self._labels)

    def findings(self) -> Iterator[Diagnostic]:
        """One finding per secret and place where it is read: of its first leak; the others follow."""
        groups: dict[tuple[Span, Atom], list[_Leak]] = {}
        for leak in self._all():
            atom = min(leak.label)
            groups.setdefault((leak.label[atom], atom), []).append(leak)
        for (read, atom), leaks in sorted(groups.items()):
            first, *others = sorted(leaks, key=lambda leak: (leak.span, leak.node))
            yield self._finding(atom, read, [first, *others])

    def _all(self) -> Iterator[_Leak]:
        for node in self._graph.nodes():
            if node.id not in self._flow.reached:
                continue
            stmt = owned_stmt(node)
            if isinstance(stmt, Choose):
                yield from self._choice(node, stmt)
            elif stmt is not None:
                for label, where in self._shown_by(node, stmt):
                    if label:
                        yield _Leak("C0340", label, f"shows in {where}", node.id, node.span)
                        break
        yield from self._results()

    def _finding(self, atom: Atom, read: Span, leaks: list[_Leak]) -> Diagnostic:
        first, *others = leaks
        span = first.span
        declared = self._secretly_chosen(atom)
        name = atom.name if declared is None else choose_of(declared).name
        marks = [Mark(span, first.shows)]
        marks += [Mark(leak.span, leak.shows, primary=False) for leak in others[:_OTHERS]]
        if not (read.file == span.file and span.start <= read.start and read.end <= span.end):
            marks.append(Mark(read, f"'{name}' is read here", primary=False))
        if declared is not None:
            marks.append(Mark(declared.span, "is chosen secretly", primary=False))
        else:
            whose = "is secret to its player" if atom.level == SECRET else "is hidden from all"
            marks.append(Mark(self._labels.declared_at(atom.data), whose, primary=False))
        notes = [self._flow.way(first.node)]
        if len(others) > _OTHERS:
            notes.append(f"it shows in {len(others) - _OTHERS} more places")
        what = "what is in " if atom.data.startswith("zone.") else ""
        what = what if declared is None else "what is chosen in "
        return diagnose(first.code, f"{what}'{name}' {first.shows}", *marks, notes=notes, help=[first.help])

    def _secretly_chosen(self, atom: Atom) -> Node | None:
        """The choice of which an atom speaks."""
        kind, _, node_id = atom.data.partition(".")
        return self._graph.node(node_id) if kind == "choice" else None

    # -------------------------------------------------------------------------------------- statements

    def _shown_by(self, node: Node, stmt: Stmt) -> Iterator[Part]:
        """What a statement would show to others, part by part."""
        control = self._spread.control(node.id)

        def label(*exprs: Expr | None) -> Label:
            return self._spread.label(node.id, *exprs)

        match stmt:
            case GainVar() | PayVar():
                data = variable_node(self._rulebook, stmt.var)
                to = stmt.to if isinstance(stmt, PayVar) else None
                told = join(label(stmt.player, stmt.amount, to), control)
                for player in (stmt.player, to):
                    if player is not None:
                        yield self._into(data, player, told, node), f"'{stmt.var}'"
            case SetPlace() | AddTo() | DropFrom():
                yield from self._set(node, stmt, control)
            case GainPieces() | PayPieces():
                to = stmt.to if isinstance(stmt, PayPieces) else None
                yield (
                    join(label(stmt.player, stmt.amount, to), control),
                    f"the number of pieces in '{stmt.zone.name}'",
                )
                yield self._kind(node, stmt.kind, stmt.zone), f"the pieces in '{stmt.zone.name}'"
            case Put() | Take():
                amounts = label(*(amount for amount, _ in stmt.items), stmt.zone.player)
                yield join(amounts, control), f"the number of pieces in '{stmt.zone.name}'"
                for _, kind in stmt.items:
                    yield self._kind(node, kind, stmt.zone), f"the pieces in '{stmt.zone.name}'"
            case Swap():
                told = join(label(stmt.old, stmt.new), control)
                data = f"zone.{stmt.zone.name}"
                yield self._into(data, stmt.zone.player, told, node), f"the pieces in '{stmt.zone.name}'"
            case Move():
                yield from self._move(node, stmt, control)
            case Draw():
                finds = (*children(stmt.source), *_finds(stmt.target))
                yield join(label(stmt.amount, *finds), control), f"how many pieces leave '{stmt.source.name}'"
            case Look():
                told = label(stmt.player, stmt.amount, stmt.zone.player)
                yield join(told, control), f"that somebody looks at '{stmt.zone.name}'"
            case Eliminate():
                yield join(label(stmt.player), control), "who is out"
            case Shuffle():
                yield join(label(stmt.zone.player), control), f"that '{stmt.zone.name}' is shuffled"
            case Reveal():
                told = control if stmt.to is None else unknown_to(control, player_key(stmt.to))
                yield join(told, label(stmt.to)), "that something is revealed"
                of = stmt.value
                whose = label(of.player if isinstance(of, PlayerVar | ZoneRef) else self._graph.whose.of(of))
                told = whose if stmt.to is None else unknown_to(whose, player_key(stmt.to))
                yield told, "whose something is that is revealed"
            case EndGame():
                yield control, "the end of the game"
            case Chance():
                yield join(label(stmt.source), control), f"the outcome of '{stmt.name}'"
            case _:
                pass

    def _set(self, node: Node, stmt: SetPlace | AddTo | DropFrom, control: Label) -> Iterator[Part]:
        data = place_node(self._rulebook, stmt.target)
        if data is not None:
            finds = children(stmt.target)
            told = join(self._spread.label(node.id, stmt.value, *finds), control)
            yield self._into(data, _player_of(stmt.target), told, node), f"'{_name(data)}'"

    def _move(self, node: Node, stmt: Move, control: Label) -> Iterator[Part]:
        source = f"zone.{stmt.source.name}"
        finds = (*children(stmt.source), *_finds(stmt.target))
        told = join(self._spread.label(node.id, *finds), control)
        yield told, f"how many pieces leave '{stmt.source.name}'"
        kind = self._spread.label(node.id, stmt.kind)
        if self._labels.visibility(source) == OPEN:
            yield kind, f"which piece leaves '{stmt.source.name}'"
        # Which piece it is shows where it goes, and that is meant; what else it was chosen by is not.
        owner = player_key(stmt.source.player)
        rest = {atom: span for atom, span in kind.items() if not _is_of(atom, source, owner)}
        target = target_node(stmt.target)
        player = stmt.target.player if isinstance(stmt.target, ZoneRef) else None
        turned = self._spread.label(node.id, stmt.turned)
        yield self._into(target, player, join(rest, turned), node), f"which piece comes to '{_name(target)}'"

    def _kind(self, node: Node, kind: Expr, zone: ZoneRef) -> Label:
        return self._into(f"zone.{zone.name}", zone.player, self._spread.label(node.id, kind), node)

    def _into(self, data: str, player: Expr | None, label: Label, node: Node) -> Label:
        """The part of a label that those who see a place may not know."""
        level = self._labels.visibility(data)
        if level == HIDDEN:
            return NOTHING
        if level == OPEN:
            return label
        key = player_key(player)
        seen = self._spread.seen(node.id, key)
        return {atom: span for atom, span in unknown_to(label, key).items() if not seen.atom_known(atom)}

    # -------------------------------------------------------------------------------------- choices

    def _choice(self, node: Node, choose: Choose) -> Iterator[_Leak]:
        asked = join(self._spread.control(node.id), self._spread.label(node.id, choose.chooser))
        if asked:
            yield _Leak("C0341", asked, f"decides who is asked to '{choose.name}'", node.id, node.span)
        key = player_key(choose.chooser)
        loop = self._graph.node(node.parent or "").owns
        secretly = isinstance(loop, EachPlayer) and loop.at_once == "secretly"
        for part, case in zip(node.parts, choose.cases, strict=False):
            bound = [expr for binder in case.binders for expr in (binder.source, binder.value)]
            exprs = (case.guard, *bound, case.late_guard)
            unseen = self._spread.label(node.id, *exprs, player=key)
            if unseen:
                shows = f"decides which options there are to '{choose.name}'"
                yield _Leak("C0342", unseen, shows, node.id, case.span)
                continue
            for binder in () if secretly else case.binders:
                yield from self._argument(node, part.nodes[0], choose, case, binder)

    def _argument(
        self, node: Node, case_id: str, choose: Choose, case: Case, binder: Binder
    ) -> Iterator[_Leak]:
        if binder.hidden or (isinstance(binder.source, Range) and isinstance(binder.slot.type, Int)):
            return
        if self._shown.on_every_way(case_id, binder.slot, short=choose.short):
            return
        # The other arguments are shown too, or have a finding of their own.
        shown = frozenset(
            slot_key(other.slot)
            for other in case.binders
            if not other.hidden or self._shown.on_every_way(case_id, other.slot, short=choose.short)
        )
        told = self._spread.label(node.id, binder.source, binder.value, told=shown)
        if not told:
            return
        shows = f"shows in the argument '{binder.slot.name}' of '{choose.name}'"
        help_text = (
            f"write `for {binder.slot.name} in …`, which hides it, or move it to where all see it, or "
            f"`reveal {binder.slot.name}`"
        )
        yield _Leak("C0343", told, shows, case_id, binder.span, help_text)

    # -------------------------------------------------------------------------------------- results

    def _results(self) -> Iterator[_Leak]:
        end = ActionGraph.END
        help_text = "`reveal` it at the end of play"
        for name, score in self._rulebook.scores.items():
            label = self._spread.label(end, score.value)
            if label:
                yield _Leak("C0344", label, f"shows in the score '{name}'", end, score.span, help_text)
        rank = self._rulebook.rank
        label = self._spread.label(end, *rank.keys)
        if label:
            yield _Leak("C0344", label, "shows in the ranking", end, rank.span, help_text)


def _finds(target: ZoneRef | Expr) -> tuple[Expr, ...]:
    return children(target) if isinstance(target, ZoneRef) else (target,)


def _player_of(place: Place) -> Expr | None:
    return place.player if isinstance(place, PlayerVar) else None


def _name(data: str) -> str:
    return data.split(".")[-1]


def _is_of(atom: Atom, data: str, owner: str) -> bool:
    return atom.data == data and atom.owner in ("", owner)
