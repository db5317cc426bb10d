"""The differences of two declarations, unit by unit.

Purpose: from two typed trees to the places in which they differ.
Input: a declaration of each side, in the same names. Output: `Difference`s, in the order of the text, and
the pairs of units that are the same.
Invariants: a *unit* is a node with citations: a declaration, a statement, a case, a kind. A difference
belongs to the innermost unit that holds it. The walk knows the fields of nodes and not what they mean. Two
declarations that the canonical form tells apart have a difference, or differ only in the ranges that typing
has found for locals (`derived`), which follow from a change elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any

from conche.compare.align import LEAST, Pair, align
from conche.compare.digests import Numbers, Scope, parts, same_locals, subtrees
from conche.semantics import rulebook as rb
from conche.semantics.canonical import write, write_type
from conche.semantics.walk import walk


@dataclass(frozen=True, slots=True)
class Atom:
    """A field that differs. `path` leads to it from the unit: `("Case.guard", "Binary.left")`."""

    path: tuple[str, ...]
    old: object
    new: object

    @property
    def field(self) -> str:
        """The unit's own field in which the difference lies."""
        return self.path[0] if self.path else ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A unit that differs. `old` None: it is new; `new` None: it is gone; `moved`: the same, elsewhere; else
    `atoms` say where it differs. `around`: the units it stands in, the outermost first, of the side on which
    it is (the new one, where it is on both). `wrapped`: the unit on the other side that it now stands
    around or that stood around it."""

    old: Any
    new: Any
    around: tuple[Any, ...]
    atoms: tuple[Atom, ...] = ()
    moved: bool = False
    wrapped: object = None
    is_wrapped_now: bool = False

    @property
    def node(self) -> Any:
        return self.old if self.new is None else self.new


@dataclass(frozen=True, slots=True)
class TreeDiff:
    differences: tuple[Difference, ...]
    same: tuple[tuple[Any, Any], ...]
    """Pairs of units without a difference of their own."""
    derived: bool = False


def tree_diff(
    old: object, new: object, implicit: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
) -> TreeDiff:
    """Two declarations of one path. `implicit`: for each side the steps (`step.turn`) and actions whose
    first parameter is a `you` that nobody wrote and the other side does not have; whether it is there
    follows from what they speak of."""
    if write(old) == write(new):
        return TreeDiff((), tuple(_same_units(old, new)))
    walk = _Walk(old, new, same_locals(old, new), implicit)
    walk.run()
    found = walk.differences()
    return TreeDiff(tuple(found), tuple(walk.same), derived=not found)


class Lists:
    """Pairs lists of two declarations as `tree_diff` does: bodies, and the cases of a choice."""

    def __init__(self, old: object, new: object) -> None:
        self._walk = _Walk(old, new, same_locals(old, new), (frozenset(), frozenset()))

    def pairs(self, old: Sequence[Any], new: Sequence[Any]) -> list[Pair[Any]]:
        """Items of the two declarations."""
        return self._walk.pairs(old, new)


def is_unit(node: object) -> bool:
    return hasattr(node, "cites") and is_dataclass(node)


@dataclass(frozen=True, slots=True)
class _At:
    """A place in the walk: the unit on each side, what it stands in, the way from the unit."""

    old: Any
    new: Any
    around: tuple[Any, ...]
    path: tuple[str, ...]


class _Walk:
    def __init__(
        self,
        old: object,
        new: object,
        names: dict[str, str],
        implicit: tuple[frozenset[str], frozenset[str]],
    ) -> None:
        self.implicit = implicit
        numbers = Numbers()
        self.ours, self.theirs = Scope(numbers), Scope(numbers, names)
        self.root = (old, new, _At(old, new, (), ()))
        self.todo: list[tuple[object, object, _At]] = []
        self.atoms: dict[tuple[int, int], tuple[_At, list[Atom]]] = {}
        self.found: list[Difference] = []
        self.same: list[tuple[Any, Any]] = []
        self.sizes: dict[int, Counter[int]] = {}

    def run(self) -> None:
        self._fields(*self.root)
        while self.todo:
            old, new, at = self.todo.pop()
            self._compare(old, new, at)

    def differences(self) -> list[Difference]:
        changed = []
        for at, atoms in self.atoms.values():
            if atoms:
                changed.append(Difference(at.old, at.new, at.around, tuple(atoms)))
            else:
                self.same.append((at.old, at.new))
        return sorted([*changed, *self.found], key=lambda one: (_place(one), one.new is None))

    def _compare(self, old: object, new: object, at: _At) -> None:
        if self.ours.of(old) == self.theirs.of(new):
            self.same += _same_units(old, new)
        elif isinstance(old, tuple) and isinstance(new, tuple) and _is_list_of_nodes(old, new):
            self._lists(old, new, at)
        elif is_dataclass(old) and type(old) is type(new) and not isinstance(old, rb.Slot):
            self._fields(old, new, at)
        else:
            self._atom(old, new, at)

    def _fields(self, old: object, new: object, at: _At) -> None:
        if is_unit(old) and old is not at.old:
            at = _At(old, new, (*at.around, at.new), ())
        if is_unit(old):
            # A unit that differs only in what stands in it has nothing of its own to say.
            self.atoms.setdefault((id(old), id(new)), (at, []))
        ours, theirs = dict(parts(old)), dict(parts(new))
        for name in reversed(list(ours)):
            inner = _At(at.old, at.new, at.around, (*at.path, f"{type(old).__name__}.{name}"))
            mine = self._written(old, name, ours[name], self.implicit[0])
            other = self._written(new, name, theirs.get(name), self.implicit[1])
            declared = isinstance(old, rb.Step | rb.ActionCase | rb.Query)
            if name == "params" and declared and _signature(mine) != _signature(other):
                self._atom(mine, other, inner)
            else:
                self.todo.append((mine, other, inner))
        for name in theirs.keys() - ours.keys():
            inner = _At(at.old, at.new, at.around, (*at.path, f"{type(old).__name__}.{name}"))
            self._atom(None, theirs[name], inner)

    @staticmethod
    def _written(node: object, field: str, value: Any, implicit: frozenset[str]) -> Any:
        """A field without the `you` that nobody wrote."""
        match node, field:
            case rb.Do(), "args":
                routine = f"step.{node.step}"
            case rb.DoAction(), "args":
                routine = f"action.{node.action}"
            case ((rb.Step() | rb.ActionCase()), "params"):
                routine = node.params[0].owner if node.params else ""
                routine = routine.rpartition(".")[0] if isinstance(node, rb.ActionCase) else routine
            case _:
                return value
        return value[1:] if routine in implicit else value

    def _atom(self, old: object, new: object, at: _At) -> None:
        key = (id(at.old), id(at.new))
        self.atoms.setdefault(key, (at, []))[1].append(Atom(at.path, old, new))

    # ---------------------------------------------------------------------------------------- lists

    def _lists(self, old: tuple[object, ...], new: tuple[object, ...], at: _At) -> None:
        for pair in reversed(self._wrapped(self.pairs(old, new), at)):
            if pair.moved:
                self._unit_or_atom(pair.old, pair.new, at, moved=True)
            elif pair.old is None or pair.new is None:
                self._unit_or_atom(pair.old, pair.new, at)
            elif isinstance(pair.old, tuple) and self.ours.of(pair.old) != self.theirs.of(pair.new):
                self._atom(pair.old, pair.new, at)
            else:
                self.todo.append((pair.old, pair.new, at))

    def pairs(self, old: Sequence[Any], new: Sequence[Any]) -> list[Pair[Any]]:
        if len(old) == len(new) == 1 and isinstance(old[0], rb.Case) and isinstance(new[0], rb.Case):
            # What the decision is about, whatever it has become.
            return [Pair(old[0], new[0])]
        numbers = ([self.ours.of(item) for item in old], [self.theirs.of(item) for item in new])
        return align(old, new, numbers, self._alike)

    def _unit_or_atom(self, old: object, new: object, at: _At, moved: bool = False) -> None:
        if is_unit(old if new is None else new):
            self.found.append(
                Difference(old, new, (*at.around, at.old if new is None else at.new), (), moved)
            )
        else:
            self._atom(old, new, at)

    def _wrapped(self, pairs: list[Pair[object]], at: _At) -> list[Pair[object]]:
        """What is gone and stands in something new beside it (or the other way round) is one difference."""
        gone = [pair.old for pair in pairs if pair.new is None and is_unit(pair.old)]
        come = [pair.new for pair in pairs if pair.old is None and is_unit(pair.new)]
        done: set[int] = set()
        for outer in (*come, *gone):
            inside, scope, others = (
                (self.theirs, self.ours, gone)
                if any(outer is one for one in come)
                else (self.ours, self.theirs, come)
            )
            held = {inside.of(part): part for part in subtrees(outer) if is_unit(part) and part is not outer}
            for inner in others:
                if scope.of(inner) in held and id(inner) not in done and id(outer) not in done:
                    done |= {id(inner), id(outer)}
                    around = (*at.around, at.new)
                    wraps = scope is self.ours
                    pair = (inner, outer) if wraps else (outer, inner)
                    self.found.append(Difference(*pair, around, (), False, held[scope.of(inner)], wraps))
        return [pair for pair in pairs if id(pair.old) not in done and id(pair.new) not in done]

    def _alike(self, old: object, new: object) -> float:
        """How alike two items of a list are, from 0 to 1."""
        if type(old) is not type(new):
            return 0.0
        if isinstance(old, tuple) and isinstance(new, tuple):
            # A number and what it is of.
            last = bool(old and new) and self.ours.of(old[-1]) == self.theirs.of(new[-1])
            return 0.9 if last else 0.0
        name, other = _key(old), _key(new)
        if name is not None and name == other:
            return 1.0
        if name is not None and isinstance(old, rb.Kind | rb.Member | rb.Var):
            return 0.0
        ours, theirs = self._size(old, self.ours), self._size(new, self.theirs)
        shared = 2 * (ours & theirs).total() / (ours.total() + theirs.total())
        if isinstance(old, rb.QueryCase):
            # There is no other place for a value than in the order of the cases.
            return max(shared, LEAST)
        if isinstance(old, rb.Case) and isinstance(new, rb.Case):
            return self._alike_cases(old, new, shared)
        if _asked(old) & _asked(new) or _head(old, self.ours) == _head(new, self.theirs) != ():
            return max(shared, LEAST)
        return shared if not isinstance(old, rb.Do) else shared - 0.5

    def _alike_cases(self, old: rb.Case, new: rb.Case, shared: float) -> float:
        """Cases are told apart by their label, else by what moves are called: the names of the arguments, and
        their values where there is only one."""
        ours, theirs = (
            {
                binder.slot.name: None if binder.value is None else scope.of(binder.value)
                for binder in case.binders
                if not binder.hidden
            }
            for case, scope in ((old, self.ours), (new, self.theirs))
        )
        if ours and ours == theirs:
            return 0.95 if any(value is not None for value in ours.values()) else max(shared, LEAST)
        return shared - 0.25 if any(ours[name] != theirs[name] for name in ours.keys() & theirs) else shared

    def _size(self, node: object, scope: Scope) -> Counter[int]:
        if id(node) not in self.sizes:
            # A node shares its sort with one of the same sort, whatever it holds.
            counted = Counter(scope.of(part) for part in subtrees(node))
            counted[scope.of(type(node).__name__)] += 1
            self.sizes[id(node)] = counted
        return self.sizes[id(node)]


_BODIES = frozenset({"body", "then", "otherwise", "none", "cases"})


def _head(node: object, scope: Scope) -> tuple[int, ...]:
    """What a statement says of the body that it has; empty where it has none."""
    if not any(name in _BODIES for name, _ in parts(node)):
        return ()
    return tuple(scope.of(value) for name, value in parts(node) if name not in _BODIES)


def _asked(node: object) -> set[str]:
    """The decisions in it."""
    return {part.name for part in walk(node) if isinstance(part, rb.Choose)}


def _key(node: object) -> str | None:
    """What a node in a list is called."""
    if isinstance(node, rb.Binder):
        return node.slot.name
    for field in ("name", "label", "step"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            return value
    return None


def _is_list_of_nodes(old: tuple[object, ...], new: tuple[object, ...]) -> bool:
    items = (*old, *new)
    return bool(items) and all(
        (is_dataclass(item) and not isinstance(item, rb.Slot)) or _is_pair(item) for item in items
    )


def _signature(params: Any) -> list[str]:
    return [write_type(slot.type) for slot in params]


def _is_pair(item: object) -> bool:
    """A number of pieces and their kind."""
    return isinstance(item, tuple) and len(item) == 2 and is_dataclass(item[-1])


def _same_units(old: object, new: object) -> Iterable[tuple[Any, Any]]:
    """The units of two trees with the same contents."""
    return zip(units(old), units(new), strict=False)


def units(node: object) -> Iterator[Any]:
    """The units below a node, itself first, as far as its own contents go."""
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(reversed(top))
        elif is_dataclass(top) and not isinstance(top, rb.Slot):
            if is_unit(top):
                yield top
            stack.extend(value for _, value in reversed(parts(top)))


def _place(difference: Difference) -> tuple[int, int]:
    span = difference.node.span
    return span.start, span.end
