"""The chapters of the printed rulebook: which rules stand in which section, in the order of play.

Input: parts, rules, the composed rulebook. Output: the chapters, trees of `Place`s.
Invariants: every rule in force stands in one place; a module's change stands with what it changes. Which
clauses are shown where is not decided here (`homes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from conche.booklet.course import Course, Stage, does_actions
from conche.semantics.rulebook import ActionCase, Rulebook
from conche.syntax import ast
from conche.syntax.expression_text import pattern_text
from conche.traceability.model import Part, Rule

IN_PLAY, COMPONENTS, SETUP, COURSE, ACTIONS, TRIGGERS, TERMS, END, ALWAYS = (
    "What is in play",
    "Components",
    "Set-up",
    "Course of play",
    "Actions",
    "Whenever",
    "Terms",
    "Scoring and end",
    "What always holds",
)

_COMPONENTS = (
    ast.EnumDecl
    | ast.PieceDecl
    | ast.ValuesDecl
    | ast.BoardDecl
    | ast.ZoneDecl
    | ast.TrackDecl
    | ast.VarDecl
    | ast.OptionDecl
    | ast.EachKindHas
    | ast.ExtendType
    | ast.ReplaceValues
    | ast.ReplaceType
    | ast.ExtendBoard
)


@dataclass(slots=True)
class Place:
    """A section to be: its rules by number, and the sections below it. `names`: what it is known by, so that
    others can point to it."""

    title: str
    part: str = ""
    when: tuple[str, ...] = ()
    rules: list[int] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    name: str = ""

    def all(self) -> Iterator[Place]:
        yield self
        for place in self.places:
            yield from place.all()


def outline(parts: Sequence[Part], rules: Sequence[Rule], rulebook: Rulebook) -> list[Place]:
    """The chapters, empty ones left out."""
    builder = _Outline(parts, rules, rulebook)
    chapters = [
        Place(IN_PLAY, places=builder.headers()),
        builder.flat(COMPONENTS, lambda decl: isinstance(decl, _COMPONENTS)),
        *builder.courses(),
        builder.terms(),
        builder.scoring(),
        builder.flat(ALWAYS, lambda decl: isinstance(decl, ast.InvariantDecl | ast.ConserveDecl)),
    ]
    return [chapter for chapter in chapters if chapter.rules or chapter.places]


def plain(name: str) -> str:
    """A name of the rules as a heading: `hand_out_workers` → `Hand out workers`."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


class _Outline:
    def __init__(self, parts: Sequence[Part], rules: Sequence[Rule], rulebook: Rulebook) -> None:
        self.rules = rules
        self.rulebook = rulebook
        self.titles = {part.name: "" if part.is_game else part.title for part in parts}
        self.all_titles = {part.name: part.title for part in parts}
        self.here = [number for number, rule in enumerate(rules) if rule.in_force]

    def _those(self, fits: Callable[[ast.Decl], bool]) -> list[int]:
        found: list[int] = []
        for number in self.here:
            decl = self.rules[number].decl
            if not isinstance(decl, ast.Header) and fits(decl):
                found.append(number)
        return found

    def _place(self, title: str, rules: Iterable[int], when: tuple[str, ...] = (), name: str = "") -> Place:
        """A section that belongs to a module when its first rule, the one that declares it, does."""
        numbers = list(rules)
        part = self.titles[self.rules[numbers[0]].part] if numbers else ""
        return Place(title, part, when, numbers, name=name)

    def flat(self, title: str, fits: Callable[[ast.Decl], bool]) -> Place:
        return Place(title, rules=self._those(fits))

    def headers(self) -> list[Place]:
        """What the game and the modules say of themselves as a whole."""
        found = [n for n in self.here if isinstance(self.rules[n].decl, ast.Header) and self.rules[n].cites]
        return [self._place(self.all_titles[self.rules[number].part], [number]) for number in found]

    # ------------------------------------------------------------------------------------------- course

    def courses(self) -> Iterator[Place]:
        """Set-up, play, actions and triggers: all that does steps."""
        course = Course(self.rulebook, self.rules)
        setup, play = Stage("setup", ()), Stage("play", ())
        course.of(self.rulebook.setup, setup)
        course.of(self.rulebook.play, play)
        actions, triggers = list(self._actions(course)), list(self._triggers(course))
        course.rest(play)
        yield self._chapter(SETUP, "setup", setup)
        yield self._chapter(COURSE, "play", play)
        yield Place(ACTIONS, places=[self._stages(place, stage) for place, stage in actions])
        yield Place(TRIGGERS, places=[self._stages(place, stage) for place, stage in triggers])

    def _chapter(self, title: str, name: str, stage: Stage) -> Place:
        sort = ast.SetupDecl if name == "setup" else ast.PlayDecl
        chapter = Place(title, rules=[*self._those(lambda d: isinstance(d, sort)), *self._changes(name)])
        return self._stages(chapter, stage)

    def _stages(self, place: Place, stage: Stage) -> Place:
        place.again = stage.again
        place.places += [self._stages(self._step(inner), inner) for inner in stage.stages]
        return place

    def _step(self, stage: Stage) -> Place:
        """The section of a step: what declares or replaces it, then what wraps it or adds options to it."""
        name = stage.name
        own = self._those(lambda d: isinstance(d, ast.StepDecl | ast.AddStep) and d.name.text == name)
        return self._place(plain(name), [*own, *self._changes(name)], stage.when, f"step {name}")

    def _changes(self, place: str) -> list[int]:
        """Changes of the body at a place."""

        def fits(decl: ast.Decl) -> bool:
            match decl:
                case ast.ReplaceBody() | ast.Wrap():
                    return _dotted(decl.path) == place
                case ast.ExtendChoose():
                    return _dotted(decl.path).rpartition(".")[0] == place
                case _:
                    return False

        return self._those(fits)

    def _actions(self, course: Course) -> Iterator[tuple[Place, Stage]]:
        """The cases of each action, in the order in which they are declared."""
        for name in self._called():
            cases = [(self._case_rules(name, case), case) for case in self.rulebook.actions[name].cases]
            for own, case in sorted(cases, key=lambda pair: pair[0]):
                decl = self.rules[own[0]].decl if own else None
                shown = pattern_text(decl.pattern) if isinstance(decl, ast.ActionDecl) else case.label
                title = f"{plain(name)}: {shown.replace('_', ' ').replace('(', ' (')}"
                stage = Stage(f"{name}.{case.label}", ())
                course.within(stage.name, case.body, stage)
                yield self._place(title, [*own, *self._changes(stage.name)]), stage

    def _case_rules(self, action: str, case: ActionCase) -> list[int]:
        """The declarations of a case, those that modules share among them."""
        ids = {f"action.{action}.{case.label}", f"step.{action}.{case.label}.original"}
        own = self._those(lambda d: isinstance(d, ast.ActionDecl) and d.name.text == action)
        return [number for number in own if ids & {*self.rules[number].counts}]

    def _called(self) -> list[str]:
        """Actions in the order in which the rules come to them, then the others."""
        rules = self.rulebook
        bodies = (rules.setup, rules.play, tuple(rules.steps.values()), tuple(rules.triggers.values()))
        return list(dict.fromkeys([*does_actions(bodies), *rules.actions]))

    def _triggers(self, course: Course) -> Iterator[tuple[Place, Stage]]:
        for trigger in sorted(self.rulebook.triggers.values(), key=lambda t: t.order):
            name = trigger.name
            own = self._those(lambda d, name=name: isinstance(d, ast.TriggerDecl) and d.name.text == name)  # type: ignore[misc]
            stage = Stage(name, ())
            course.of(trigger.body, stage)
            yield self._place(plain(name), own), stage

    # ------------------------------------------------------------------------------------------- values

    def terms(self) -> Place:
        """Queries, by name, each with what changes it."""
        return Place(
            TERMS, places=[self._value(name, ast.QueryDecl, "query") for name in self.rulebook.queries]
        )

    def scoring(self) -> Place:
        scores = [self._value(name, ast.ScoreDecl, "score") for name in self.rulebook.scores]
        scores.sort(key=lambda place: place.rules)
        return Place(END, rules=self._those(lambda d: isinstance(d, ast.RankDecl)), places=scores)

    def _value(self, name: str, sort: type[ast.QueryDecl] | type[ast.ScoreDecl], word: str) -> Place:
        own = self._those(lambda d: isinstance(d, sort) and d.name.text == name)
        changed = [
            number
            for number in self._those(lambda d: isinstance(d, ast.Modify | ast.ReplaceQuery))
            if f"{word}.{name}" in self.rules[number].counts
        ]
        return self._place(plain(name), [*own, *changed], name=f"{word} {name}")


def _dotted(path: ast.Path) -> str:
    return ".".join(name.text for name in path.names)
