"""A rulebook while it is put together.

Input: the typed game, and the declarations of modules, one after another. Output: declarations by name.
Invariants: what is declared by two modules alike is shared; what is declared differently by one name is a
clash, reported with both places. The order in which modules come is the same however they were named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.semantics import rulebook as rb
from conche.semantics import typed_module as tm
from conche.semantics.canonical import write
from conche.semantics.facts import Facts
from conche.semantics.symbols import Globals
from conche.semantics.types import EnumT, KindT, Type
from conche.semantics.walk import walk
from conche.source import Span

_written = Facts(write)


@dataclass
class Draft:
    """`taken`: by what a name is for and the name, whose it is, where, and what it is. `changes`: those that
    are laid over it."""

    players: tuple[int, int]
    options: dict[str, rb.Option]
    enums: dict[str, rb.Enum]
    pieces: dict[str, rb.PieceType]
    tables: dict[str, rb.Table]
    boards: dict[str, rb.Board]
    zones: dict[str, rb.Zone]
    tracks: dict[str, rb.Track]
    variables: dict[str, rb.Var]
    parts: dict[str, tuple[rb.Stmt, ...]]
    steps: dict[str, rb.Step]
    actions: dict[str, rb.Action]
    queries: dict[str, rb.Query]
    triggers: dict[str, rb.Trigger]
    every: dict[str, str]
    scores: dict[str, rb.Score]
    rank: rb.Rank
    invariants: dict[str, rb.Invariant]
    conserved: dict[str, rb.Conserve]
    rulings: dict[str, rb.Ruling]
    hints: list[rb.Hint]
    game: str
    taken: dict[str, tuple[str, Span, str]] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    changes: tuple[tm.Change, ...] = ()
    clashes: set[tuple[str, str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, game: tm.TypedGame) -> Draft:
        book = game.rulebook
        draft = cls(
            players=book.players,
            options=dict(book.options),
            enums=dict(book.enums),
            pieces=dict(book.pieces),
            tables=dict(book.tables),
            boards=dict(book.boards),
            zones=dict(book.zones),
            tracks=dict(book.tracks),
            variables=dict(book.variables),
            parts={"setup": book.setup, "play": book.play},
            steps=dict(book.steps),
            actions=dict(book.actions),
            queries=dict(book.queries),
            triggers=dict(book.triggers),
            every={},
            scores=dict(book.scores),
            rank=book.rank,
            invariants=dict(book.invariants),
            conserved=dict(book.conserved),
            rulings=dict(book.rulings),
            hints=list(book.hints),
            game=book.game,
        )
        for seat in book.seats:
            draft.taken[f"value {seat}"] = (book.game, book.setup_span, "seat")
        return draft

    # ------------------------------------------------------------------------------------------- declaring

    def add(self, own: tm.Own, module: str) -> None:
        """A declaration of a module's own. Those of the game do not clash with it: they were known to it."""
        node = own.node
        match node:
            case rb.Action():
                self._add_action(node, module)
                return
            case rb.Enum() | rb.PieceType():
                if self._free(f"type {node.name}", node, module):
                    kinds = node.members if isinstance(node, rb.Enum) else node.kinds
                    free = [self._free_kind(kind, module) for kind in kinds]
                    if all(free):
                        self._place(node)
                return
            case rb.Hint():
                self.hints.append(node)
                return
            case rb.Ruling(id_):
                keys = [f"ruling §{id_}"]
            case rb.Invariant(text):
                keys = [f"text {text}"]
            case rb.Conserve(piece):
                keys = [f"conserve {piece}"]
            case rb.Step(name) | rb.Trigger(name) | rb.Score(name):
                keys = [f"{type(node).__name__.lower()} {name}"]
                if isinstance(node, rb.Step):
                    keys = [f"doing {name}"]
            case rb.Query(name):
                keys = [f"doing {name}", f"value {name}"]
            case rb.Zone(name) | rb.Track(name) | rb.Var(name):
                keys = [f"component {name}"] + ([f"value {name}"] if node.owner == "game" else [])
            case rb.Option(name) | rb.Table(name):
                keys = [f"value {name}"]
        free = [self._free(key, node, module) for key in keys]
        if all(free):
            self._place(node)
            if own.every is not None and isinstance(node, rb.Trigger):
                self.every[node.name] = own.every

    def _place(self, node: tm.Declared) -> None:
        match node:
            case rb.Option():
                self.options[node.name] = node
            case rb.Enum():
                self.enums[node.name] = node
            case rb.PieceType():
                self.pieces[node.name] = node
            case rb.Table():
                self.tables[node.name] = node
            case rb.Zone():
                self.zones[node.name] = node
            case rb.Track():
                self.tracks[node.name] = node
            case rb.Var():
                self.variables[node.name] = node
            case rb.Step():
                self.steps[node.name] = node
            case rb.Query():
                self.queries[node.name] = node
            case rb.Trigger():
                self.triggers[node.name] = node
            case rb.Score():
                self.scores[node.name] = node
            case rb.Invariant():
                self.invariants[node.text] = node
            case rb.Conserve():
                self.conserved[node.piece] = node
            case rb.Ruling():
                self.rulings[node.id] = node
            case rb.Hint():
                self.hints.append(node)
            case rb.Action():
                self.actions[node.name] = node

    def _free(self, key: str, node: object, module: str) -> bool:
        """Whether nothing else is called so; what is the same by another module is shared."""
        text = _written(node)
        span: Span = node.span  # type: ignore[attr-defined]
        earlier = self.taken.get(key)
        if earlier is None:
            self.taken[key] = (module, span, text)
            return True
        other, other_span, other_text = earlier
        if other_text == text:
            return True
        name = key.partition(" ")[2]
        if (other, module, name) in self.clashes:
            return False
        self.clashes.add((other, module, name))
        self.found.append(
            diagnose(
                "C0237",
                f"'{other}' and '{module}' declare '{name}' differently",
                Label(span, f"'{module}' declares it here"),
                Label(other_span, f"and '{other}' here", primary=False),
                notes=("what two modules declare alike is shared, and these are not alike",),
                help=("give one of them another name, or let one require the other and use what it has",),
            )
        )
        return False

    def _free_kind(self, kind: rb.Kind | rb.Member, module: str) -> bool:
        keys = [f"kind {kind.name}", f"written {kind.written}"]
        if not kind.values:
            keys.append(f"value {kind.family}")
        free = [self._free(key, kind, module) for key in keys]
        return all(free)

    def _add_action(self, node: rb.Action, module: str) -> None:
        case = node.cases[0]
        earlier = self.actions.get(node.name)
        if not self._free(f"case {node.name}.{case.label}", case, module):
            return
        if earlier is None:
            if self._free(f"doing {node.name}", replace(node, cases=()), module):
                self.actions[node.name] = node
            return
        if any(case.label == known.label for known in earlier.cases):
            return
        cites = tuple(dict.fromkeys((*earlier.cites, *node.cites)))
        self.actions[node.name] = replace(earlier, cases=(*earlier.cases, case), cites=cites)

    # ------------------------------------------------------------------------------------------- extending

    def extend(self, change: tm.Change) -> None:
        """More of a type or the board."""
        edit, module = change.edit, change.module
        assert isinstance(edit, tm.ExtendType | tm.ExtendBoard)
        name = edit.place.partition(".")[2]
        if isinstance(edit, tm.ExtendBoard):
            board = self.boards.get(name)
            if board is None:
                return
            new = tuple(a for a in edit.attributes if self._free(f"space {a.name}", a, module))
            known = {var.name for var in board.attributes}
            attributes = (*board.attributes, *(var for var in new if var.name not in known))
            self.boards[name] = replace(
                board,
                holds=(*board.holds, *edit.holds),
                attributes=tuple(sorted(attributes, key=lambda var: var.name)),
                cites=tuple(dict.fromkeys((*board.cites, *change.cites))),
            )
            return
        enum, piece = self.enums.get(name), self.pieces.get(name)
        if enum is not None:
            known = {member.name for member in enum.members}
            members = tuple(k for k in edit.made if isinstance(k, rb.Member) and self._free_kind(k, module))
            self.enums[name] = replace(
                enum,
                members=(*enum.members, *(k for k in members if k.name not in known)),
                attributes=_joined(enum.attributes, edit.attributes),
            )
        elif piece is not None:
            known = {kind.name for kind in piece.kinds}
            kinds = tuple(k for k in edit.made if isinstance(k, rb.Kind) and self._free_kind(k, module))
            self.pieces[name] = replace(
                piece,
                kinds=(*piece.kinds, *(k for k in kinds if k.name not in known)),
                attributes=_joined(piece.attributes, edit.attributes),
            )

    def replace_data(self, edit: tm.ReplaceType | tm.ReplaceTable, module: str) -> None:
        """Other rows or numbers in place of those of the game."""
        name = edit.place.partition(".")[2]
        if isinstance(edit, tm.ReplaceTable):
            if name in self.tables:
                self.tables[name] = edit.table
            return
        enum, piece = self.enums.get(name), self.pieces.get(name)
        if enum is not None:
            members = tuple(k for k in edit.made if isinstance(k, rb.Member) and self._free_kind(k, module))
            self.enums[name] = replace(enum, members=members, attributes=edit.attributes)
        elif piece is not None:
            kinds = tuple(k for k in edit.made if isinstance(k, rb.Kind) and self._free_kind(k, module))
            self.pieces[name] = replace(piece, kinds=kinds, attributes=edit.attributes)

    # ---------------------------------------------------------------------------------------------- bodies

    def case(self, place: str) -> tuple[rb.Action, rb.ActionCase] | None:
        """The action and its case at `action.use.market`."""
        _, name, label = place.split(".", 2)
        action = self.actions.get(name)
        found = next((c for c in action.cases if c.label == label), None) if action else None
        return None if action is None or found is None else (action, found)

    def body(self, place: str) -> tuple[rb.Stmt, ...] | None:
        if place in self.parts:
            return self.parts[place]
        if place.startswith("step."):
            step = self.steps.get(place.removeprefix("step."))
            return None if step is None else step.body
        found = self.case(place)
        return None if found is None else found[1].body

    def params(self, place: str) -> tuple[rb.Slot, ...]:
        """The parameters of a routine as changes number them: `you`, what a pattern binds, the others."""
        if place.startswith("step."):
            step = self.steps.get(place.removeprefix("step."))
            return () if step is None else step.params
        if place in self.parts:
            return ()
        found = self.case(place)
        if found is None:
            return ()
        action, case = found
        head = 1 if action.implicit_you else 0
        return (*case.params[:head], *(slot for slot, _ in case.bound), *case.params[head:])

    def implicit_you(self, place: str) -> bool:
        if place.startswith("step."):
            return self.steps[place.removeprefix("step.")].implicit_you
        found = None if place in self.parts else self.case(place)
        return found is not None and found[0].implicit_you

    def set_body(
        self,
        place: str,
        body: tuple[rb.Stmt, ...],
        params: tuple[rb.Slot, ...] | None = None,
        told: tuple[Span, tuple[str, ...]] | None = None,
    ) -> None:
        """Another body, perhaps with other slots as parameters and another place in the text."""
        if place in self.parts:
            self.parts[place] = body
            return
        if place.startswith("step."):
            name = place.removeprefix("step.")
            step = self.steps[name]
            span, cites = told or (step.span, step.cites)
            given = step.params if params is None else params
            self.steps[name] = replace(step, params=given, body=body, span=span, cites=cites)
            return
        found = self.case(place)
        if found is None:
            return
        action, case = found
        span, cites = told or (case.span, case.cites)
        changed = replace(case, body=body, span=span, cites=cites)
        if params is not None:
            head = 1 if action.implicit_you else 0
            bound = params[head : head + len(case.bound)]
            changed = replace(
                changed,
                params=(*params[:head], *params[head + len(case.bound) :]),
                bound=tuple((slot, name) for slot, (_, name) in zip(bound, case.bound, strict=True)),
            )
        cases = tuple(changed if c is case else c for c in action.cases)
        self.actions[action.name] = replace(action, cases=cases)

    def routines(self) -> Iterator[tuple[str, tuple[rb.Stmt, ...]]]:
        """Every body by its place, those of triggers too."""
        yield from self.parts.items()
        for step in self.steps.values():
            yield f"step.{step.name}", step.body
        for action in self.actions.values():
            for case in action.cases:
                yield f"action.{action.name}.{case.label}", case.body
        for trigger in self.triggers.values():
            yield f"trigger.{trigger.name}", trigger.body

    @property
    def eliminates(self) -> bool:
        """Whether players can be out while the game goes on."""
        return any(isinstance(node, rb.Eliminate) for _, body in self.routines() for node in walk(body))

    # --------------------------------------------------------------------------------------------- symbols

    def globals(self) -> Globals:
        """What the passes that infer types look things up in."""
        board = next(iter(self.boards.values()), None)
        result = Globals(players=self.players, board=board)
        result.types = {**self.enums, **self.pieces}
        result.eliminates = self.eliminates
        result.values.update(self.tables)
        for zone in self.zones.values():
            match zone.owner:
                case "game":
                    result.values[zone.name] = zone
                case "player":
                    result.player[zone.name] = zone
                case _:
                    result.carried[zone.name] = zone
        result.query_types = {name: query.type for name, query in self.queries.items()}
        return result

    def kinds_of(self, of: KindT | EnumT | str) -> tuple[rb.Kind, ...] | tuple[rb.Member, ...]:
        name = of if isinstance(of, str) else of.name if isinstance(of, EnumT) else of.piece
        if name in self.enums:
            return self.enums[name].members
        return self.pieces[name].kinds if name in self.pieces else ()


def _joined(
    known: tuple[tuple[str, Type], ...], more: tuple[tuple[str, Type], ...]
) -> tuple[tuple[str, Type], ...]:
    from conche.semantics.check_types import join

    result = dict(known)
    for name, type_ in more:
        result[name] = join(result[name], type_) or type_ if name in result else type_
    return tuple(sorted(result.items()))
