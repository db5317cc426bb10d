"""The Python target: an engine program as the text of a module.

Input: an `ir.Program`. Output: the text of `generated/<ruleset>.py`.
Invariants: the text depends on the program alone; it is formatted, lint-clean and typed; it imports
`conche_runtime` and nothing else outside the standard library. Templates hold the layout of the module, this
file what goes where, the `print_*` files the text of every statement."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import jinja2

from conche.codegen import ir
from conche.codegen.allocate import exposed_in, read_by
from conche.codegen.ir_walk import locals_read
from conche.codegen.names import MOVE_ATTRIBUTES, Scope, plain
from conche.codegen.passes.fold_constants import FALSE, TRUE
from conche.codegen.print_at_once import AtOncePrinter, printer_of
from conche.codegen.print_blocks import print_block
from conche.codegen.print_codecs import argument_type, codec_text
from conche.codegen.print_decisions import codec_key, fixed_args
from conche.codegen.print_expressions import Module, is_sequence, literal, python_type
from conche.codegen.print_listed import ListedPrinter
from conche.codegen.print_ops import Body, Line
from conche.codegen.print_state import StateText, state_text
from conche.codegen.wrap import WIDTH, wrap
from conche.semantics.rulebook import Slot
from conche.semantics.types import Maybe, Type

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("conche.codegen", "templates"),
    undefined=jinja2.StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,
)

_MARK = re.compile("\x00(\\d+)\x00$")


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A function of the module."""

    comment: str
    head: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class MoveText:
    """A class of moves; `fields`: (name, type with default)."""

    name: str
    decision: str
    fields: tuple[tuple[str, str], ...]
    entries: str


def to_python(program: ir.Program) -> str:
    """The module's text."""
    return _Printer(program).text()


class _Printer:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.module = Module(program)
        self.names = self.module.names
        self.printers = {decision.id: printer_of(self.module, decision) for decision in program.decisions}
        self.marks: list[ir.Mark] = []
        self.entries = self._entries()

    # ---------------------------------------------------------------------------------------- functions

    def function(
        self,
        comment: str,
        name: str,
        params: Sequence[Slot],
        returns: str,
        fill: Callable[[Body], None],
        *,
        loads: Sequence[Slot] = (),
        extra: str = "",
        state: str = "state: State",
    ) -> FunctionText:
        """Prints a function, and again with what was learnt of what it reads, until there is nothing new."""
        body = Body(self.module, params)
        for slot in loads:
            body.expressions.bind(slot)
        fill(body)
        while True:
            first, body = body, Body(self.module, params, body)
            body.prologue(loads)
            fill(body)
            if body.expressions.unread == first.expressions.unread:
                break
        args = [part for part in (state, extra) if part]
        args += [f"{body.expressions.bind(slot)}: {self._param_type(slot.type)}" for slot in params]
        head = f"def {name}({', '.join(args)}) -> {returns}:"
        return FunctionText(comment[: WIDTH - 2], head, tuple(body.lines))

    def _param_type(self, type_: Type) -> str:
        return "tuple[int, ...]" if is_sequence(type_) else python_type(type_)

    def place(self, mark: ir.Mark) -> str:
        return f"{PurePath(mark.file).name}:{mark.line}"

    def queries(self) -> list[FunctionText]:
        """Their lines are those of no rule: what goes wrong in a query is blamed on the statement that asks,
        whether the query has been put in there or not."""
        found = []
        for query in self.program.queries:

            def fill(body: Body, query: ir.Query = query) -> None:
                for slot, value in query.lets:
                    body.put(f"{body.expressions.bind(slot)} = {body.text(value)}")
                    if body.expressions.print(value).is_tuple:
                        body.expressions.tuples.add(slot)
                for condition, value in _printed(query):
                    if condition is None:
                        body.put(f"return {body.text(value)}")
                    else:
                        body.put(f"if {body.condition(condition)}:")
                        body.indent += 1
                        body.put(f"return {body.text(value)}")
                        body.indent -= 1

            returns = python_type(query.type)
            if returns.startswith("Sequence"):
                self.module.used.add("Sequence")
            comment = f"{self.place(query.mark)} query {query.name}"
            found.append(self.function(comment, self.names.queries[query.name], query.params, returns, fill))
        return found

    def functions(self) -> list[FunctionText]:
        return [
            self.function(
                f"{self.place(function.mark)} {function.id.replace('.', ' ', 1)}",
                self.names.functions[function.id],
                function.params,
                "None",
                lambda body, function=function: body.ops(function.body),  # type: ignore[misc]
            )
            for function in self.program.functions
        ]

    def blocks(self) -> list[FunctionText]:
        found = []
        for block in self.program.blocks:

            def fill(body: Body, block: ir.Block = block) -> None:
                body.mark = block.mark
                for slot in block.params:
                    if slot in self.names.saved:
                        body.put(f"state.{self.names.saved[slot]} = {body.expressions.local(slot)}")
                print_block(body, block)

            loads = sorted(
                (exposed_in(block.run) - set(block.params)) & self.names.saved.keys(),
                key=lambda slot: (slot.owner, slot.number),
            )
            comment = f"{self.place(block.mark)} {block.id}"
            name = self.names.blocks[block.id]
            found.append(self.function(comment, name, block.params, "Next", fill, loads=loads))
        return found

    def decision_functions(self, decision: ir.Decision) -> list[FunctionText]:
        printer = self.printers[decision.id]
        base = self.names.decisions[decision.id]
        reads = read_by(decision)
        move = printer.move_type
        place = self.place(decision.mark)
        if isinstance(printer, ListedPrinter):
            return self._listed_functions(decision, printer)
        if isinstance(printer, AtOncePrinter):
            return self._at_once_functions(decision, printer)

        def loads(more: set[Slot]) -> list[Slot]:
            return sorted(reads | more, key=lambda slot: (slot.owner, slot.number))

        return [
            self.function(
                f"{place} choose {decision.name}",
                f"ask_{base}",
                (),
                "Next",
                printer.ask,
                loads=loads(exposed_in(decision.otherwise)),
            ),
            self.function(
                "", f"step_{base}", (), "Next", printer.step, loads=loads(set()), extra="index: int"
            ),
            self.function("", f"move_{base}", (), move, printer.move, loads=loads(set()), extra="index: int"),
            self.function("", f"moves_{base}", (), f"list[{move}]", printer.moves, loads=loads(set())),
            self.function(
                "",
                f"apply_{base}",
                (),
                "Next",
                lambda body: printer.apply(body, self.entries.__getitem__),
                loads=loads(set()),
                extra="move: object",
            ),
            *self._may_be_asked(decision),
        ]

    def _may_be_asked(self, decision: ir.Decision) -> list[FunctionText]:
        """Of a decision that can be passed: whether a player may be asked."""
        asking = decision.asking
        if asking is None or asking.seat is None:
            return []
        printer, name = self.printers[decision.id], f"may_{self.names.decisions[decision.id]}"
        reads = set(locals_read(asking.condition)) - {asking.seat}
        return [
            self.function("", name, (asking.seat,), "bool", printer.may_be_asked, loads=self._in_order(reads))
        ]

    def _in_order(self, slots: set[Slot]) -> list[Slot]:
        return sorted(slots, key=lambda slot: (slot.owner, slot.number))

    def _at_once_functions(self, decision: ir.Decision, printer: AtOncePrinter) -> list[FunctionText]:
        """Those of a decision at which several choose at once."""
        base, move = self.names.decisions[decision.id], printer.move_type
        at_once, seat = printer.at_once, printer.at_once.seat
        loads = self._in_order(read_by(decision))
        place = self.place(decision.mark)

        def function(
            name: str, returns: str, fill: Callable[[Body], None], extra: str = "", comment: str = ""
        ) -> FunctionText:
            name = f"{name}_{base}"
            return self.function(comment, name, (seat,), returns, fill, loads=loads, extra=extra)

        def apply(body: Body) -> None:
            printer.apply(body, self.entries.__getitem__)

        ask = self.function(
            f"{place} choose {decision.name} at once", f"ask_{base}", (), "Next", printer.ask, loads=loads
        )
        found = [] if at_once.guard is None else [function("holds", "bool", printer.holds)]
        found += [
            function("count", "int", printer.count),
            ask,
            function("step", "None", printer.step, "index: int"),
            function("move", move, printer.move, "index: int"),
            function("moves", f"list[{move}]", printer.moves),
            function("apply", "None", apply, "move: object"),
            function("named", move, printer.kept_move),
            function("take", "Next", printer.take),
        ]
        if at_once.anew is not None:
            found.append(function("anew", "None", printer.anew, "index: int"))
        return found

    def _listed_functions(self, decision: ir.Decision, printer: ListedPrinter) -> list[FunctionText]:
        """Those of a decision whose options are listed."""
        base = self.names.decisions[decision.id]
        move, place = printer.move_type, self.place(decision.mark)

        def apply(body: Body) -> None:
            printer.apply(body, self.entries.__getitem__)

        return [
            self.function(
                f"{place} options of {decision.name}",
                f"options_{base}",
                (),
                "list[tuple[Any, ...]]",
                printer.options,
                loads=self._in_order(read_by(decision)),
            ),
            self.function(
                "",
                f"named_{base}",
                (),
                move,
                lambda body: printer.named(body, self.attributes),
                extra="option: tuple[Any, ...]",
            ),
            self.function(
                f"{place} choose {decision.name}",
                f"ask_{base}",
                (),
                "Next",
                printer.ask,
                loads=self._in_order(read_by(decision) | exposed_in(decision.otherwise)),
            ),
            self.function("", f"step_{base}", (), "Next", printer.step, extra="index: int"),
            self.function("", f"move_{base}", (), move, printer.move, extra="index: int"),
            self.function("", f"moves_{base}", (), f"list[{move}]", printer.moves),
            self.function("", f"apply_{base}", (), "Next", apply, extra="move: object"),
            *self._may_be_asked(decision),
        ]

    def scores(self) -> list[FunctionText]:
        return [
            self.function(
                f"{self.place(score.mark)} score {score.name}",
                self.names.scores[score.name],
                (score.you,),
                "int",
                lambda body, score=score: _return(body, score.mark, body.text(score.value)),  # type: ignore[misc]
            )
            for score in self.program.scores
        ]

    def rank(self) -> FunctionText:
        rank = self.program.rank

        def fill(body: Body) -> None:
            keys = [body.text(key) for key in rank.keys]
            _return(body, rank.mark, f"({', '.join(keys)}{',' if len(keys) == 1 else ''})")

        return self.function(f"{self.place(rank.mark)} rank", "rank", (rank.you,), "tuple[int, ...]", fill)

    # ---------------------------------------------------------------------------------------- moves

    def _entries(self) -> dict[str, list[tuple[str, Type]]]:
        """By name of moves the arguments that they can have: each once for each codec."""
        found: dict[str, list[tuple[str, Type]]] = {}
        for decision in self.program.decisions:
            for case in decision.cases:
                entries = found.setdefault(case.move, [])
                for binder in case.binders:
                    if binder.arg is not None:
                        entry = (binder.arg, codec_key(binder.slot.type))
                        if entry not in entries:
                            entries.append(entry)
        return found

    def moves(self) -> list[MoveText]:
        found = []
        for name, entries in self.entries.items():
            cases = [
                case for decision in self.program.decisions for case in decision.cases if case.move == name
            ]
            attributes = self.attributes(name)
            always = {
                arg
                for arg, _ in entries
                if all(arg in {binder.arg for binder in case.binders} for case in cases)
            }
            fields: dict[str, str] = {}
            shown: list[str] = []
            for arg, type_ in entries:
                maybe = any(isinstance(other, Maybe) for other_arg, other in entries if other_arg == arg)
                kinds = [argument_type(other) for other_arg, other in entries if other_arg == arg]
                parts = sorted({part for kind in kinds for part in kind.split(" | ")} - {"None"})
                text = " | ".join([*parts, *(["None"] if maybe else [])])
                missing = "ABSENT" if maybe else "None"
                if arg not in always:
                    text += f" | {'Absent' if maybe else 'None'} = {missing}"
                    if maybe:
                        self.module.runtime("Absent")
                        self.module.runtime("ABSENT")
                fields[attributes[arg]] = text
                stand_in = missing if arg not in always else "..."
                codec = codec_text(self.module, type_)
                shown.append(f"({literal(attributes[arg])}, {literal(arg)}, {codec}, {stand_in})")
                for zone in self.module.carried(type_):
                    short = zone.name.partition(".")[2]
                    fields[attributes[short]] = "tuple[tuple[str, int], ...] | None = None"
                    codec = f"{self.module.runtime('ContentsCodec')}({self.names.kinds[zone.of]})"
                    shown.append(f"({literal(attributes[short])}, {literal(short)}, {codec}, None)")
            found.append(MoveText(self.names.moves[name], name, tuple(fields.items()), tuple_text(shown)))
        return found

    def attributes(self, name: str) -> dict[str, str]:
        """The attribute for each argument of a class of moves."""
        scope = Scope(reserved=MOVE_ATTRIBUTES)
        args = [
            arg
            for entry, type_ in self.entries[name]
            for arg in (entry, *(zone.name.partition(".")[2] for zone in self.module.carried(type_)))
        ]
        return {arg: scope.give(plain(arg)) for arg in dict.fromkeys(args)}

    def pools(self) -> list[str]:
        found = []
        for decision in self.program.decisions:
            if decision.listed:
                continue
            printer = self.printers[decision.id]
            for number, case in enumerate(printer.cases):
                attributes = self.attributes(case[0].move)
                args = [self.names.moves[case[0].move]]
                args += [
                    f"({literal(attributes[arg])}, {codec_text(self.module, slot.type)})"
                    for arg, slot, _ in printer.shown(case)
                ]
                fixed = fixed_args(case)
                args += [
                    f"{attributes[binder.arg]}={fixed[binder.slot]}"
                    for binder in case[0].binders
                    if binder.arg is not None and binder.slot in fixed
                ]
                found.append(f"{self.names.pools[decision.id, number]} = Pool({', '.join(args)})")
        return found

    # ---------------------------------------------------------------------------------------- the module

    def text(self) -> str:
        program = self.program
        functions = {
            "queries": self.queries(),
            "functions": self.functions(),
            "blocks": self.blocks(),
            "scores": [*self.scores(), self.rank()],
        }
        decisions = [self.decision_functions(decision) for decision in program.decisions]
        moves, pools = self.moves(), self.pools()
        state: StateText = state_text(self.module, self.function)
        game = self.game_lines()
        objects = [self._object(decision) for decision in program.decisions]
        rendered = ENVIRONMENT.get_template("engine.py.j2").render(
            program=program,
            game=game,
            title=self._title(),
            made=self._made(),
            file=literal(program.rank.mark.file),
            imports=self._imports(),
            state=state,
            moves=moves,
            pools=pools,
            decisions=decisions,
            objects=objects,
            marked=self._marked,
            literal=literal,
            standard=self._standard(),
            **functions,
        )
        return self._finish(_without_unused(rendered, self._imports()))

    def _title(self) -> str:
        """What is played, in lines that fit."""
        lines = textwrap.wrap(f"{self.program.title}, played by its rules.", WIDTH - 3)
        return "\n".join(doc_text(line) for line in lines)

    def _made(self) -> str:
        """How the module came about, in lines that fit."""
        made = (
            f"Made by `conche build {self.program.ruleset}`. Do not change it: change the rules.",
            f"Rules: {self.program.rank.mark.file}",
            f"Rules digest: {self.program.digest}",
        )
        return "\n".join(doc_text(part) for line in made for part in textwrap.wrap(line, WIDTH))

    def _object(self, decision: ir.Decision) -> str:
        base = self.names.decisions[decision.id]
        parts = [literal(base), literal(decision.name)]
        parts += [f"{prefix}_{base}" for prefix in ("ask", "step", "move", "moves", "apply")]
        printer, asking = self.printers[decision.id], decision.asking
        kind = "Decision"
        if isinstance(printer, AtOncePrinter):
            kind = self.module.runtime("AtOnce")
            parts += printer.object_parts()
        elif asking is not None:
            parts += ["passes=True", *([] if asking.name is None else [f"told={literal(asking.name)}"])]
            parts += [] if asking.seat is None else [f"may_be_asked=may_{base}"]
        return f"{self.names.decision_objects[decision.id]} = {kind}({', '.join(parts)})"

    def _imports(self) -> list[str]:
        names = self.module.used | {"EngineState", "Game", "GeneratedEngine", "NumberCodec", "OVER"}
        names -= {"Sequence", "insort"}
        if self.program.decisions:
            names |= {"Codec", "Decision", "EngineMove"}
        if not all(decision.listed for decision in self.program.decisions):
            names.add("Pool")
        return sorted(names, key=lambda name: (0 if name.isupper() else 1 if name[0].isupper() else 2, name))

    def _standard(self) -> list[str]:
        """Imports of the standard library."""
        used = self.module.used
        abc = ["Callable", *(["Sequence"] if "Sequence" in used else [])]
        found = ["from bisect import insort"] if "insort" in used else []
        found.append(f"from collections.abc import {', '.join(abc)}")
        if not self.program.decisions:
            return [*found, "from typing import TypeAlias"]
        found.append("from dataclasses import dataclass")
        listed = any(decision.listed or decision.at_once is not None for decision in self.program.decisions)
        return [*found, f"from typing import {'Any, ' if listed else ''}ClassVar, TypeAlias"]

    def game_lines(self) -> list[str]:
        from conche.codegen.print_state import game_lines

        return game_lines(self.module)

    def _marked(self, line: Line) -> str:
        text = " " * (4 * line.indent) + line.text
        if line.mark is None:
            return text
        self.marks.append(line.mark)
        return f"{text}\x00{len(self.marks) - 1}\x00"

    def _finish(self, rendered: str) -> str:
        """Breaks long lines, and says at the end which line was made of which line of the rules."""
        out: list[str] = []
        rendered = _spaced(rendered)
        places: list[tuple[int, ir.Mark | None]] = []
        for raw in rendered.splitlines():
            found = _MARK.search(raw)
            text = raw if found is None else raw[: found.start()]
            mark = None if found is None else self.marks[int(found.group(1))]
            if text.strip() and (not places or places[-1][1] != mark):
                places.append((len(out) + 1, mark))
            out += wrap(text)
        return "\n".join(out).replace("@LINES@", self._lines(places)) + "\n"

    def _lines(self, places: list[tuple[int, ir.Mark | None]]) -> str:
        default = self.program.rank.mark.file
        entries = [f"{line}={'' if mark is None else self._shown(mark, default)}" for line, mark in places]
        whole = " ".join(entries)
        if len(whole) + len('LINES = ""') <= WIDTH:
            return f'LINES = "{whole}"'
        if len(whole) + len('    ""') <= WIDTH:
            return f'LINES = (\n    "{whole}"\n)'
        rows: list[str] = []
        for entry in entries:
            if rows and len(rows[-1]) + len(entry) < WIDTH - len('    " "'):
                rows[-1] += f" {entry}"
            else:
                rows.append(entry)
        shown = [f'    "{row}{" " if number < len(rows) - 1 else ""}"' for number, row in enumerate(rows)]
        return "\n".join(["LINES = (", *shown, ")"])

    def _shown(self, mark: ir.Mark, default: str) -> str:
        return f"{'' if mark.file == default else mark.file.replace(' ', '%20')}:{mark.line}"


def _printed(query: ir.Query) -> list[tuple[ir.Expr | None, ir.Expr]]:
    """The cases of a query. Where the last condition is the answer, it stands as such."""
    cases = [(condition, value) for condition, value, _ in query.cases]
    if [value for _, value in cases[-2:]] == [TRUE, FALSE] and cases[-2][0] is not None:
        cases[-2:] = [(None, cases[-2][0])]
    return cases


def _without_unused(text: str, imports: Sequence[str]) -> str:
    """The module without the imports that nothing in it speaks of: some code was printed and then left
    out."""
    words = Counter(re.findall(r"\w+", text))
    unused = {f"    {name}," for name in imports if words[name] == 1}
    return "\n".join(line for line in text.splitlines() if line not in unused)


def _spaced(text: str) -> str:
    """Blank lines as the formatter wants them: two around definitions, one elsewhere."""
    out: list[str] = []
    blank = False
    for line in text.splitlines():
        if not line.strip():
            blank = bool(out)
            continue
        if blank:
            inside = line.startswith(" ")
            apart = line.startswith(("def ", "class ", "@", "# ")) or out[-1].startswith(" ")
            out += ["", ""] if apart and not inside else [""]
        out.append(line)
        blank = False
    return "\n".join(out)


def tuple_text(items: Sequence[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def doc_text(text: str) -> str:
    """A text that can stand in a docstring, whatever is in it."""
    return repr(text)[1:-1].replace('"', "'")


def _return(body: Body, mark: ir.Mark, text: str) -> None:
    body.mark = mark
    body.put(f"return {text}")
