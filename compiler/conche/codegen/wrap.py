"""Breaks long lines of Python as `ruff format` does.

Input: one line of generated Python. Output: lines of at most `WIDTH` characters where that is possible.
Invariants: a line that fits is left as it is. The rules are those of the formatter for the statements that
generated engines consist of: what stands in the last brackets goes on lines of its own, first as one line,
then part by part with a comma behind each; what has no brackets of its own gets some, and breaks before its
operators."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

WIDTH = 110
STEP = 4

Node = ast.expr

_ARGUMENT = re.compile(r"[a-z_]+=(?!=)")


def wrap(line: str) -> list[str]:
    """The lines for a line."""
    if len(line) <= WIDTH:
        return [line]
    indent = len(line) - len(line.lstrip(" "))
    body = line[indent:]
    if body.startswith(("#", '"', "def ", "class ", "@")) or body.endswith('"""'):
        return [line]
    code, mark, comment = body.partition("  # ")
    wrapper = _Wrapper(code)
    wrapped = wrapper.item(indent) if code.endswith(",") else wrapper.statement(indent)
    if wrapped is None:
        return [line]
    if mark:
        wrapped = [f"{' ' * indent}# {comment}", *wrapped]
    return wrapped


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a statement: what stands before an expression, the expression, and what stands behind it."""

    before: str
    node: Node
    after: str


class _Wrapper:
    """Wraps one statement. All text comes from the statement itself."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.source = code
        self.bare: list[Node] = []

    def text(self, node: Node) -> str:
        # The source is one line, and places in it count bytes.
        return self.source.encode()[node.col_offset : node.end_col_offset].decode()

    def statement(self, indent: int) -> list[str] | None:
        part = self._part()
        if part is None:
            return None
        return self.expression(part.node, indent, part.before, part.after, statement=True)

    def item(self, indent: int) -> list[str]:
        """Of a line that is an item of something in brackets, or an argument: it ends in a comma."""
        found = _ARGUMENT.match(self.code)
        lead = found.group(0) if found else ""
        self.source = self.code[len(lead) : -1]
        return self.expression(ast.parse(self.source, mode="eval").body, indent, lead, ",")

    def _part(self) -> _Part | None:
        """The expression of the statement that is to be broken."""
        before = ""
        if self.code.startswith("elif "):
            self.source = self.code[2:]
            before = "el"
        if self.source.endswith(":"):
            self.source += " pass"
        if self.source.startswith("return"):
            # Only inside a function.
            value = ast.parse(f"_ = {self.source.removeprefix('return ')}").body[0]
            assert isinstance(value, ast.Assign)
            self.source = f"_ = {self.source.removeprefix('return ')}"
            return _Part("return ", value.value, "")
        if self.source.startswith("raise"):
            raised = ast.parse(self.source).body[0]
            assert isinstance(raised, ast.Raise)
            assert raised.exc is not None
            return _Part("raise ", raised.exc, "")
        try:
            (node,) = ast.parse(self.source).body
        except SyntaxError:
            return None
        if isinstance(node, ast.If | ast.While):
            return _Part(before + ("if " if isinstance(node, ast.If) else "while "), node.test, ":")
        if isinstance(node, ast.For):
            return _Part(f"for {self.text(node.target)} in ", node.iter, ":")
        if isinstance(node, ast.Assign):
            names = " = ".join(self.text(target) for target in node.targets)
            return _Part(f"{names} = ", node.value, "")
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return _Part(f"{self.text(node.target)}: {self.text(node.annotation)} = ", node.value, "")
        if isinstance(node, ast.AugAssign):
            op = self.source[len(self.text(node.target)) :].split("=", 1)[0].strip()
            return _Part(f"{self.text(node.target)} {op}= ", node.value, "")
        if isinstance(node, ast.Expr):
            return _Part("", node.value, "")
        return None

    # ---------------------------------------------------------------------------------------- expressions

    def expression(
        self, node: Node, indent: int, before: str, after: str, *, statement: bool = False
    ) -> list[str]:
        """Lines for `before`, an expression and `after`. statement: it may be put in brackets of its own."""
        flat = f"{' ' * indent}{before}{self.text(node)}{after}"
        if len(flat) <= WIDTH:
            return [flat]
        match node:
            case ast.Call() | ast.Tuple() | ast.List() | ast.Dict() | ast.Subscript() | ast.ListComp():
                return self._bracketed(node, indent, before, after)
            case ast.GeneratorExp():
                return self._bracketed(node, indent, before, after)
            case ast.BoolOp() | ast.BinOp() | ast.Compare() | ast.IfExp() | ast.UnaryOp():
                return self._operators(node, indent, before, after, statement)
            case _:
                return [flat]

    # -- operators

    def _operators(self, node: Node, indent: int, before: str, after: str, statement: bool) -> list[str]:
        if not statement:
            return self._broken(node, indent, before, after)
        if self._can_omit(node):
            lines = self._inline(node, indent, before, after)
            if all(len(line) <= WIDTH for line in lines):
                return lines
        inner = f"{' ' * (indent + STEP)}{self.text(node)}"
        lines = [inner] if len(inner) <= WIDTH else self._broken(node, indent + STEP, "", "")
        return [f"{' ' * indent}{before}(", *lines, f"{' ' * indent}){after}"]

    # -- without brackets of its own: only the brackets at its start or end are opened

    def _can_omit(self, node: Node) -> bool:
        """Whether it has one weakest operator at most, and begins or ends with something in brackets."""
        atoms = self._atoms(node)
        operators = [strength for kind, _, strength in atoms if kind == "operator"]
        if operators.count(min(operators, default=0)) > 1:
            return False
        starts = atoms[0][0] == "bracket" and not isinstance(atoms[0][1], ast.Call)
        return starts or atoms[-1][0] == "bracket"

    def _atoms(self, node: Node) -> list[tuple[str, str | Node, int]]:
        """An expression as a row of texts, operators with their strength, and things in brackets."""
        if self._has_parens(node) or isinstance(
            node, ast.Call | ast.Tuple | ast.List | ast.Dict | ast.ListComp | ast.GeneratorExp
        ):
            return [("bracket", node, 0)]
        match node:
            case ast.BoolOp() | ast.BinOp() | ast.Compare() | ast.IfExp():
                strength = _strength_of(node)
                found: list[tuple[str, str | Node, int]] = []
                for lead, operand, _ in self._operands(node):
                    if lead:
                        found.append(("operator", f" {lead}", strength))
                    found += self._atoms(operand)
                return found
            case ast.UnaryOp(operand=operand):
                return [("text", self.text(node)[: self._offset(node, operand)], 0), *self._atoms(operand)]
            case _:
                return [("text", self.text(node), 0)]

    def _inline(self, node: Node, indent: int, before: str, after: str) -> list[str]:
        atoms = self._atoms(node)
        lines = [f"{' ' * indent}{before}"]
        for number, (kind, atom, _) in enumerate(atoms):
            if kind != "bracket":
                assert isinstance(atom, str)
                lines[-1] += atom
                continue
            assert isinstance(atom, ast.expr)
            rest = ""
            for other_kind, other, _ in atoms[number + 1 :]:
                if other_kind == "bracket":
                    assert isinstance(other, ast.expr)
                    rest += self._with_parens(other).partition("(")[0] + "("
                    break
                assert isinstance(other, str)
                rest += other
            else:
                rest += after
            if len(lines[-1]) + len(self._with_parens(atom)) + len(rest) <= WIDTH:
                lines[-1] += self._with_parens(atom)
                continue
            start = lines.pop()[indent:]
            if self._has_parens(atom):
                inner = f"{' ' * (indent + STEP)}{self.text(atom)}"
                opened = [inner] if len(inner) <= WIDTH else self._broken(atom, indent + STEP, "", "")
                lines += [f"{' ' * indent}{start}(", *opened, f"{' ' * indent})"]
            else:
                lines += self._bracketed(atom, indent, start, "")
        lines[-1] += after
        return lines

    def _broken(self, node: Node, indent: int, before: str, after: str) -> list[str]:
        """An expression of operators, one operand a line, each with its operator in front."""
        parts = self._operands(node)
        if len(parts) == 1:
            ((lead, operand, _),) = parts
            if operand is node:
                return self.expression(node, indent, before, after)
            return self._operand(operand, indent, before + lead, after)
        lines: list[str] = []
        for number, (lead, operand, tail) in enumerate(parts):
            first = before if number == 0 else ""
            last = after if number == len(parts) - 1 else ""
            lines += self._operand(operand, indent, first + lead, tail + last)
        return lines

    def _operand(self, node: Node, indent: int, before: str, after: str) -> list[str]:
        """An operand: in the brackets that it has in the text, or as it is."""
        flat = f"{' ' * indent}{before}{self._with_parens(node)}{after}"
        if len(flat) <= WIDTH:
            return [flat]
        if self._has_parens(node):
            inner = f"{' ' * (indent + STEP)}{self.text(node)}"
            lines = [inner] if len(inner) <= WIDTH else self._broken(node, indent + STEP, "", "")
            return [f"{' ' * indent}{before}(", *lines, f"{' ' * indent}){after}"]
        return self.expression(node, indent, before, after)

    def _operands(self, node: Node) -> list[tuple[str, Node, str]]:
        """The operands of the weakest operator: what stands before each, the operand, what stands behind."""
        match node:
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                return [("" if number == 0 else f"{word} ", value, "") for number, value in enumerate(values)]
            case ast.BinOp():
                return self._chain(node)
            case ast.Compare(left=left, comparators=comparators):
                found: list[tuple[str, Node, str]] = [("", left, "")]
                before = left
                for comparator in comparators:
                    found.append((f"{self._between(before, comparator)} ", comparator, ""))
                    before = comparator
                return found
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return [("", body, ""), ("if ", test, ""), ("else ", orelse, "")]
            case ast.UnaryOp(operand=operand):
                return [(self.text(node)[: self._offset(node, operand)], operand, "")]
            case _:
                return [("", node, "")]

    def _chain(self, node: ast.BinOp) -> list[tuple[str, Node, str]]:
        """a + b - c, operators of one strength."""
        strength = _strength(node.op)
        left = node.left
        if isinstance(left, ast.BinOp) and _strength(left.op) == strength and not self._has_parens(left):
            first = self._chain(left)
        else:
            first = [("", left, "")]
        return [*first, (f"{self._between(left, node.right)} ", node.right, "")]

    def _between(self, left: Node, right: Node) -> str:
        """The operator between two operands."""
        start, end = self._end(left), self._start(right)
        return self.source[start:end].strip("() \n")

    def _start(self, node: Node) -> int:
        return len(self.source.encode()[: node.col_offset].decode())

    def _end(self, node: Node) -> int:
        assert node.end_col_offset is not None
        return len(self.source.encode()[: node.end_col_offset].decode())

    def _offset(self, outer: Node, inner: Node) -> int:
        start = self._start(inner) - self._start(outer)
        return start - 1 if self._has_parens(inner) else start

    def _has_parens(self, node: Node) -> bool:
        """Whether it stands in brackets that are not its own."""
        start, end = self._start(node), self._end(node)
        if isinstance(node, ast.Tuple | ast.GeneratorExp):
            return False
        before, after = self.source[:start].rstrip(), self.source[end:].lstrip()
        return before.endswith("(") and after.startswith(")") and not _is_call(before)

    def _with_parens(self, node: Node) -> str:
        return f"({self.text(node)})" if self._has_parens(node) else self.text(node)

    # ---------------------------------------------------------------------------------------- brackets

    def _bracketed(self, node: Node, indent: int, before: str, after: str) -> list[str]:
        """What stands in the brackets goes on lines of its own."""
        opening, parts, closing, comma = self._contents(node)
        head = f"{' ' * indent}{before}{opening}"
        tail = f"{' ' * indent}{closing}{after}"
        inner = ", ".join(lead + self._part_text(part) for lead, part in parts)
        line = f"{' ' * (indent + STEP)}{inner}"
        listed = isinstance(node, ast.Tuple | ast.List | ast.Dict)
        if len(line) <= WIDTH and not (comma and listed):
            return [head, line, tail]
        lines: list[str] = []
        for lead, part in parts:
            flat = f"{' ' * (indent + STEP)}{lead}{self._part_text(part)}{',' if comma else ''}"
            lines += (
                [flat] if len(flat) <= WIDTH else self._item(part, indent + STEP, lead, "," if comma else "")
            )
        return [head, *lines, tail]

    def _part_text(self, node: Node) -> str:
        if isinstance(node, ast.GeneratorExp | ast.ListComp) and node in self.bare:
            text = self.text(node)
            return text[1:-1] if text[0] in "([" else text
        return self._with_parens(node)

    def _item(self, node: Node, indent: int, before: str, after: str) -> list[str]:
        match node:
            case ast.GeneratorExp() | ast.ListComp() if node in self.bare:
                return self._comprehension(node, indent, before, after)
            case ast.BoolOp() | ast.BinOp() | ast.Compare() | ast.IfExp():
                return self._broken(node, indent, before, after)
            case _:
                return self.expression(node, indent, before, after)

    def _comprehension(
        self, node: ast.GeneratorExp | ast.ListComp, indent: int, before: str, after: str
    ) -> list[str]:
        """Its body, its loop and its condition on a line each."""
        pieces = self._comprehension_parts(node)
        lines: list[str] = []
        for lead, part in pieces:
            lines += self._operand(part, indent, lead, "") if part is not None else [f"{' ' * indent}{lead}"]
        lines[0] = lines[0][:indent] + before + lines[0][indent:]
        lines[-1] += after
        return lines

    def _comprehension_parts(self, node: ast.GeneratorExp | ast.ListComp) -> list[tuple[str, Node | None]]:
        found: list[tuple[str, Node | None]] = [("", node.elt)]
        for loop in node.generators:
            found.append((f"for {self.text(loop.target)} in ", loop.iter))
            found += [("if ", condition) for condition in loop.ifs]
        return found

    def _contents(self, node: Node) -> tuple[str, list[tuple[str, Node]], str, bool]:
        """Opening bracket with what stands before it, the parts, the closing bracket, whether parts end in
        commas."""
        match node:
            case ast.Call(func=func, args=args, keywords=keywords):
                if len(args) == 1 and not keywords and isinstance(args[0], ast.GeneratorExp):
                    self.bare.append(args[0])
                    return f"{self.text(func)}(", [("", args[0])], ")", False
                parts: list[tuple[str, Node]] = [("", arg) for arg in args]
                parts += [(f"{word.arg}=", word.value) for word in keywords]
                return f"{self.text(func)}(", parts, ")", True
            case ast.Tuple(elts=elts):
                return "(", [("", item) for item in elts], ")", True
            case ast.List(elts=elts):
                return "[", [("", item) for item in elts], "]", True
            case ast.Dict(keys=keys, values=values):
                entries = [
                    (f"{self.text(key)}: ", value)
                    for key, value in zip(keys, values, strict=True)
                    if key is not None
                ]
                return "{", [(lead, value) for lead, value in entries], "}", True
            case ast.ListComp():
                self.bare.append(node)
                return "[", [("", node)], "]", False
            case ast.GeneratorExp():
                self.bare.append(node)
                return "(", [("", node)], ")", False
            case ast.Subscript(value=value, slice=index):
                return f"{self.text(value)}[", [("", index)], "]", False
            case _:
                raise AssertionError(ast.dump(node))


def _strength_of(node: Node) -> int:
    """How tightly an operator binds."""
    match node:
        case ast.IfExp():
            return 1
        case ast.BoolOp(op=op):
            return 2 if isinstance(op, ast.Or) else 3
        case ast.Compare():
            return 4
        case ast.BinOp(op=op):
            return 5 + _strength(op)
        case _:
            return 9


def _strength(op: ast.operator) -> int:
    return 0 if isinstance(op, ast.Add | ast.Sub) else 1


def _is_call(before: str) -> bool:
    """Whether the bracket at the end of a text opens a call."""
    name = before[:-1]
    return bool(name) and (name[-1].isalnum() or name[-1] in "_)]")
