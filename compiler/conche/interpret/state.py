"""The interpreter as an engine: the interface of `conche_runtime.interface` over the machine.

Purpose: play a rulebook without building an engine, and the reference that built engines are held to.
Input: an action graph. Output: `Interpreter`, an `Engine`; `InterpreterState`, a `State`.
Invariants: a state is a position and, derived from it and thrown away with it, the options of its decision.
Every step works on a copy, so that an error leaves the position as it was; after a `RulesError` the state
cannot be played on all the same, as an engine's cannot. Where several choose at once, what one has chosen is
in the position, so that the order in which they do makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from conche.graph.model import ActionGraph, Node, at_once, choose_of
from conche.interpret.book import Book
from conche.interpret.chance import same_json
from conche.interpret.decisions import Program, guarded, rules_error
from conche.interpret.evaluate import BrokenRuleError, Evaluator
from conche.interpret.given import Given, put_data, put_given
from conche.interpret.machine import Machine
from conche.interpret.options import InterpreterMove, Option, move_of
from conche.interpret.position import Heap, Position
from conche.interpret.sample import redraw
from conche.interpret.saves import load, save
from conche.interpret.show import snapshot, view
from conche.semantics.canonical import digest
from conche_runtime.arguments import checked_args, checked_seat, not_legal, shown, whole
from conche_runtime.errors import RULES_FAILED, IllegalMove, RulesError, SaveError
from conche_runtime.interface import ChanceSource, Event, Move
from conche_runtime.samples import checked_seed

if TYPE_CHECKING:
    from conche.why.texts import Texts
    from conche_runtime.explanation import Asked, Explanation

T = TypeVar("T")


class InterpreterState:
    """A game, at a decision of two or more options or at the end."""

    def __init__(
        self,
        engine: Interpreter,
        position: Position,
        outside: ChanceSource | None = None,
        log: list[Event] | None = None,
    ) -> None:
        self.engine = engine
        self.position = position
        self.outside = outside
        self.log = log
        self._failed = False
        """Whether the rules have failed in a move."""
        self._asked: Machine | None = None
        self._options: dict[int, list[Option]] = {}

    # -------------------------------------------------------------------------------- questions

    @property
    def players(self) -> int:
        return self.position.players

    @property
    def over(self) -> bool:
        return self.position.node == ActionGraph.END

    @property
    def to_act(self) -> tuple[int, ...]:
        return () if self._failed else self._machine().to_act()

    @property
    def can_pass(self) -> bool:
        return not self._ended and choose_of(self._choice()).passes

    @property
    def decision(self) -> str | None:
        return None if self._ended else choose_of(self._choice()).name

    @property
    def _ended(self) -> bool:
        """Whether nobody is asked any more."""
        return self._failed or self.over

    def _choice(self) -> Node:
        return self.engine.program.graph.choice(self.position.node)

    @property
    def scores(self) -> list[dict[str, int]]:
        scores = self.engine.program.book.rulebook.scores

        def of(evaluator: Evaluator, seat: int) -> dict[str, int]:
            found = {name: evaluator.score(name, seat) for name in scores}
            return {"total": sum(found.values()), **found}

        return self._ask(lambda evaluator: [of(evaluator, seat) for seat in range(self.players)])

    @property
    def ranking(self) -> list[list[int]]:
        return self._ask(lambda evaluator: evaluator.ranking())

    def _machine(self) -> Machine:
        """For questions only; it remembers answers as long as the position stays."""
        if self._asked is None:
            self._asked = Machine(self.engine.program, self.position)
        return self._asked

    def _ask(self, question: Callable[[Evaluator], T]) -> T:
        span = self.engine.program.book.rulebook.rank.span
        return guarded(lambda: question(self._machine().evaluator), span)

    # -------------------------------------------------------------------------------- moves

    def legal_moves(self, player: int | None = None) -> list[Move]:
        return [self._move_of(option) for option in self._options_now(player)]

    def count(self, player: int | None = None) -> int:
        return len(self._options_now(player))

    def _options_now(self, player: int | None) -> list[Option]:
        """None for one who is not asked."""
        if player is not None:
            self._check_seat(player)
        if self._ended or (player is not None and player not in self.to_act):
            return []
        return self._legal(player)

    def move(self, index: int, player: int | None = None) -> Move:
        return self._move_of(self._option(index, player))

    def find(self, name: str, args: Mapping[str, Any], player: int | None = None) -> int:
        options, wanted = self._legal(player), checked_args(args)
        for index, option in enumerate(options):
            move = self._move_of(option)
            if move.name == name and same_json(move.args, wanted):
                return index
        raise not_legal(name, args)

    def apply(self, move: Move, player: int | None = None) -> None:
        self._actor(player)
        if not isinstance(move, Move):
            raise IllegalMove(f"{shown(move)} is not a legal move now")
        self.step(self.find(move.name, move.args, player), player)

    def step(self, index: int, player: int | None = None, *, until: str = ActionGraph.END) -> None:
        """`until`: a node at which to wait, such as the beginning of play."""
        self._take(self._option(index, player), self._actor(player), until)

    def _actor(self, player: int | None) -> int:
        """Who moves; IllegalMove where that is nobody who is asked."""
        if self._ended:
            raise IllegalMove(RULES_FAILED if self._failed else "the game is over")
        asked = self.to_act
        if player is None and len(asked) > 1:
            raise IllegalMove("several choose at once: say who")
        if player is None:
            return asked[0]
        player = checked_seat(player, self.players)
        if player in asked:
            return player
        node = self.engine.program.graph.node(self.position.node)
        if at_once(node):
            chosen = any(seat == player for seat, _, _ in self._machine().kept(node.id))
            raise IllegalMove(f"seat {player} has chosen" if chosen else f"seat {player} is not asked")
        # Of a choice that can be passed nobody is to know who is asked.
        who = "" if self.can_pass else f": seat {asked[0]} is"
        raise IllegalMove(f"seat {player} is not to act{who}")

    def _legal(self, player: int | None) -> list[Option]:
        actor = self._actor(player)
        if actor not in self._options:
            self._options[actor] = self._machine().options(actor)
        return self._options[actor]

    def _option(self, index: int, player: int | None) -> Option:
        options, index = self._legal(player), whole(index)
        if not 0 <= index < len(options):
            raise IllegalMove(f"there is no option {shown(index)}: they are numbered 0..{len(options) - 1}")
        return options[index]

    def _move_of(self, option: Option) -> InterpreterMove:
        return move_of(choose_of(self._choice()), option, self._machine().evaluator)

    def _take(self, option: Option, player: int, until: str) -> None:
        position, events = self.position.copy(), list[Event]()
        machine = self.engine.machine(position, self.outside, events.append)
        machine.take(option, player)
        try:
            machine.run(until)
        except RulesError:
            self._failed = True
            raise
        self.position, self._asked, self._options = position, None, {}
        if self.log is not None:
            self.log += events

    # -------------------------------------------------------------------------------- copies and pictures

    def clone(self) -> InterpreterState:
        copied = InterpreterState(self.engine, self.position.copy(), self.outside)
        copied._options, copied._failed = dict(self._options), self._failed
        return copied

    def to_json(self) -> str:
        if self._failed:
            raise SaveError(RULES_FAILED)
        return save(self.engine.program, self.engine.digest, self.position)

    def snapshot(self) -> dict[str, Any]:
        return self._shown(self._ask(lambda evaluator: snapshot(self.engine.program.graph, evaluator)))

    def view(self, player: int) -> dict[str, Any]:
        self._check_seat(player)
        return self._shown(self._ask(lambda evaluator: view(self.engine.program.graph, evaluator, player)))

    def _shown(self, picture: dict[str, Any]) -> dict[str, Any]:
        """When the rules have failed, nobody is asked."""
        nobody: dict[str, Any] = {"decision": None, "to_act": []} if self._failed else {}
        return {name: nobody.get(name, value) for name, value in picture.items()}

    def to_position(self) -> dict[str, Any]:
        """The snapshot without the decision: all that lies on the table, but not where the rules stand. An
        engine that puts it in place and begins to play from there plays as `Interpreter.from_position`
        does."""
        return {name: value for name, value in self.snapshot().items() if name != "decision"}

    def sample(self, player: int, seed: int | None = None) -> InterpreterState:
        self._check_seat(player)
        if self._failed:
            raise IllegalMove(RULES_FAILED)
        seed = checked_seed(seed)

        def playable(position: Position) -> bool:
            return InterpreterState(self.engine, position)._has_choice()

        position = redraw(self.engine.program, self.position, player, seed, playable)
        return InterpreterState(self.engine, position)

    def _has_choice(self) -> bool:
        return self.over or all(len(self._machine().options(seat)) > 1 for seat in self.to_act)

    def explain(self, player: int, what: Asked) -> Explanation:
        from conche.why import explain

        self._check_seat(player)
        texts = self.engine.texts
        return explain(self.engine.program, self.position, player, what, texts, failed=self._failed)

    def _check_seat(self, player: int) -> None:
        checked_seat(player, self.players)


class Interpreter:
    """A rulebook, ready to be played."""

    def __init__(self, graph: ActionGraph) -> None:
        rules = graph.rulebook
        self.program = Program(graph, Book(rules))
        self.ruleset = rules.ruleset
        self.versions: Mapping[str, str] = dict(rules.versions)
        self.options: Mapping[str, str] = {name: option.value for name, option in rules.options.items()}
        self.min_players, self.max_players = rules.players
        self.seats = rules.seats

    @cached_property
    def texts(self) -> Texts:
        """The rules as people read them, for explanations."""
        from conche.why.texts import Texts

        return Texts(self.program.book.rulebook)

    @cached_property
    def digest(self) -> str:
        return digest(self.program.book.rulebook)

    def machine(
        self, position: Position, chance: ChanceSource | None, log: Callable[[Event], None]
    ) -> Machine:
        """What plays a game on from a position; one that notes more can stand in its place."""
        return Machine(self.program, position, chance, log)

    # -------------------------------------------------------------------------------- games

    def start(
        self,
        players: int,
        seed: int | None = None,
        chance: ChanceSource | None = None,
        log: bool = False,
    ) -> InterpreterState:
        events = list[Event]()
        position = self.before_setup(players, seed, chance)
        self.machine(position, chance, events.append).run()
        return InterpreterState(self, position, chance, events if log else None)

    def position(
        self,
        players: int,
        given: Sequence[Given] = (),
        data: Mapping[str, Any] | None = None,
        seed: int | None = 0,
        chance: ChanceSource | None = None,
        log: bool = False,
    ) -> InterpreterState:
        """A game whose set-up is run and then overruled, at its first decision: by `given` lines of a
        scenario, then by `data` in the form of a snapshot (a part of one is enough). ValueError for data
        that does not fit, RulesError for what the rules forbid."""
        position = self.after_setup(players, None if chance else seed, chance)
        events = list[Event]()
        machine = Machine(self.program, position, chance, events.append)
        for line in given:
            guarded(lambda line=line: put_given(machine.executor, line), line.span)  # type: ignore[misc]
        guarded(lambda: put_data(machine.executor, data or {}), self.program.book.rulebook.play_span)
        machine.run()
        return InterpreterState(self, position, chance, events if log else None)

    def from_position(
        self, data: Mapping[str, Any], seed: int | None = 0, chance: ChanceSource | None = None
    ) -> InterpreterState:
        """A game begun from what `InterpreterState.to_position` gave: these things lie on the table, and
        play begins."""
        position = Position(int(data["players"]), ActionGraph.PLAY, None if chance else checked_seed(seed))
        self._lay_out(position)
        machine = Machine(self.program, position, chance)
        span = self.program.book.rulebook.play_span
        guarded(lambda: put_data(machine.executor, data), span)
        machine.run()
        return InterpreterState(self, position, chance)

    def after_setup(self, players: int, seed: int | None, chance: ChanceSource | None = None) -> Position:
        """The position in which the set-up is done and play has not begun."""
        position = self.before_setup(players, seed, chance)
        Machine(self.program, position, chance).run(until=ActionGraph.PLAY)
        return position

    def from_json(self, text: str, chance: ChanceSource | None = None) -> InterpreterState:
        """A saved game. One that had outside chance needs it again."""
        position = load(self.program, self.digest, text)
        if (position.seed is None) == (chance is None):
            raise SaveError(
                "this game has its chance from outside: say from where"
                if chance is None
                else "this game has its own chance: it takes none from outside"
            )
        return InterpreterState(self, position, chance)

    # -------------------------------------------------------------------------------- beginnings

    def before_setup(self, players: int, seed: int | None, chance: ChanceSource | None = None) -> Position:
        """The position before the set-up."""
        if type(players) is not int or not self.min_players <= players <= self.max_players:
            raise ValueError(
                f"{self.ruleset} is for {self.min_players}..{self.max_players} players, not {shown(players)}"
            )
        if chance is not None and seed is not None:
            raise ValueError("chance comes from a seed or from outside, not from both")
        position = Position(players, ActionGraph.START, None if chance else checked_seed(seed))
        self._lay_out(position)
        book = self.program.book
        evaluator = Evaluator(book, position)
        for name, var in book.rulebook.variables.items():
            if var.initial is not None:
                for seat in book.places(name, players):
                    try:
                        position.variables[name, seat] = evaluator.value(var.initial)
                    except BrokenRuleError as fault:
                        raise rules_error(fault, var.span) from None
        for name, track in book.rulebook.tracks.items():
            for seat in book.seats(track.owner, players):
                position.variables[name, seat] = 0
        return position

    def _lay_out(self, position: Position) -> None:
        """Boards and zones, empty."""
        book = self.program.book
        position.boards = {name: {} for name in book.rulebook.boards}
        position.heaps = {
            (name, seat): Heap()
            for name, zone in book.rulebook.zones.items()
            for seat in book.seats(zone.owner, position.players)
        }
