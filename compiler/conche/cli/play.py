"""`conche play`: watch bots play, or play along."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Option
from conche.cli.options import (
    HUMAN,
    BotsOption,
    FormatOption,
    PlayersOption,
    RulesetArgument,
    SeedOption,
    TextOrJson,
    names_for,
    players_for,
    say_players,
    seed_for,
)
from conche.cli.output import color, flush, say, settled, tell, waiting
from conche.cli.rounds import Rounds
from conche.cli.trouble import GOOD, Interrupted, refuse, rules_failed, see_again

if TYPE_CHECKING:
    from conche.bots import Bot
    from conche.cli.board import Drawing
    from conche.cli.words import Words
    from conche_runtime.interface import Engine, Event, State
    from conche_runtime.records import Recorder


def command(
    ruleset: RulesetArgument,
    players: PlayersOption = None,
    seed: SeedOption = None,
    bots: BotsOption = "random",
    record: Annotated[
        Path | None, Option("--record", metavar="FILE", help="Write what happens to this file.")
    ] = None,
    full: Annotated[
        bool, Option("--full", help="Record all legal moves, forced decisions and states too.")
    ] = False,
    seat: Annotated[
        int | None, Option("--seat", metavar="N", help="Record only what this seat may know, from 0.")
    ] = None,
    delay: Annotated[float, Option("--delay", metavar="SECONDS", help="Wait after each move.")] = 0.0,
    force: Annotated[bool, Option("--force", help="Replace an existing record.")] = False,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Play one game, or watch bots play it.

    Seats called `human` are asked at the keyboard, all others are bots.

    Prints each move and, round by round, the table. With --format json the record goes to stdout instead.
    The record is written to FILE.part and gets its name when the game is over or a person quits. Of a game
    that was interrupted or failed it stays FILE.part, with what there is.
    """
    import sys

    from conche.api import image_of
    from conche.bots import make_bots
    from conche.cli.board import Drawing
    from conche.cli.words import Words
    from conche_runtime.errors import RulesError
    from conche_runtime.records import Recorder

    with waiting(f"compiling {ruleset}"):
        image = image_of(ruleset)
    engine = image.engine()
    count = players_for(engine, players, named=len(bots.split(",")) if "," in bots else 0)
    names = names_for(bots, count, others=(HUMAN,))
    chosen = seed_for(seed)
    if seat is not None and not 0 <= seat < count:
        refuse("C0502", f"seats are numbered 0 to {count - 1}; there is no seat {seat}")
    if seat is not None and record is None and style is TextOrJson.TEXT:
        refuse("C0501", "--seat says whose record is written, and no record is wanted", "add --record FILE")
    if not 0 <= delay <= 3600:
        refuse("C0502", f"a delay is 0 to 3600 seconds, not {delay:g}")
    json = style is TextOrJson.JSON
    if json and HUMAN in names:
        refuse("C0501", "people cannot play with --format json", "leave it out, and use --record FILE")
    if json and record is not None:
        refuse("C0501", "--format json and --record both say where the record goes", "leave one of them out")

    again = () if HUMAN in names else (see_again(ruleset, count, chosen, names),)
    try:
        state = engine.start(count, chosen, log=True)
    except RulesError as error:
        return rules_failed(error, *again)
    # One bot for each name, as in simulations; people have none.
    made = iter(make_bots([name for name in names if name != HUMAN], chosen))
    table = [None if name == HUMAN else next(made) for name in names]
    if json:
        recorder = Recorder(engine, state, sys.stdout, full=full, seat=seat, seed=chosen)
    elif record is not None:
        recorder = Recorder(engine, state, record, full=full, seat=seat, seed=chosen, overwrite=force)
    else:
        recorder = Recorder(engine, state, _Nowhere(), seed=chosen)
    settled()
    words = Words(engine, count, color(sys.stdout), image.seated)
    drawing = Drawing(engine, count, words, image.by_kind, image.one_kind)
    game = _Game(engine, state, recorder, table, words, drawing, quiet=json)
    game.begin(names, chosen, untold=players is None and "," not in bots)
    try:
        return game.run(delay)
    except RulesError as error:
        return rules_failed(error, *again)


class _Nowhere:
    """The stream of a record that nobody wants."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


class _Game:
    """A game that is being watched."""

    def __init__(
        self,
        engine: Engine,
        state: State,
        recorder: Recorder,
        bots: Sequence[Bot | None],
        words: Words,
        drawing: Drawing,
        quiet: bool,
    ) -> None:
        self.engine, self.state, self.recorder, self.bots = engine, state, recorder, bots
        self.words, self.drawing, self.quiet = words, drawing, quiet
        self.humans = [seat for seat, bot in enumerate(bots) if bot is None]
        self.eyes = self.humans or None
        """Whose knowledge is shown: that which all people at the table share; everything where only bots
        play."""
        self.rounds = Rounds(state.players)
        self.due = False
        """Whether a round has begun without anybody being asked."""
        self.drawn: object = None

    def begin(self, names: Sequence[str], seed: int, untold: bool) -> None:
        """`untold`: whether it was not said how many play."""
        if self.quiet:
            return
        seats = ", ".join(f"{self.words.seats[i]} ({name})" for i, name in enumerate(names))
        say(f"{self.engine.ruleset}, seed {seed}: {seats}")
        if untold:
            say_players(self.engine)
        say()
        self.show_events(self.recorder.opening)

    def run(self, delay: float) -> int:
        from conche.cli.human import Stopped

        try:
            while not self.state.over:
                self.turn()
                if delay:
                    flush()
                    time.sleep(delay)
        except Stopped:
            self.recorder.close(keep=True)
            say("stopped before the end of the game" + self.where())
            return GOOD
        except (KeyboardInterrupt, Interrupted):
            self.recorder.close()
            raise Interrupted(self.where().removeprefix("; ")) from None
        except Exception:
            self.recorder.close()
            if self.recorder.path is not None:
                tell(f"the game cannot go on{self.where()}")
            raise
        if not self.quiet:
            self.end()
        return GOOD

    def turn(self) -> None:
        """One decision."""
        from conche_runtime.interface import ForcedEvent

        state = self.state
        # Where several choose at once, the bots choose first: no one is kept waiting for them.
        player = next((seat for seat in state.to_act if self.bots[seat] is not None), state.to_act[0])
        bot = self.bots[player]
        self.draw_round(player)
        if bot is not None:
            index = bot.choose(state, player, state.count(player))
        else:
            from conche.cli.human import ask

            self.show(player)
            kept = self.recorder.path is not None
            index = ask(state, player, self.words, lambda: self.show(player), kept)
        move = state.move(index, player)
        shown = not self.quiet and self.is_shown(player, index)
        events = self.recorder.apply(index, player)
        for event in events:
            if isinstance(event, ForcedEvent):
                self.due |= self.rounds.begins(event.player, event.name)
        if shown:
            say(self.words.move(player, move.name, move.args))
        if not self.quiet:
            self.show_events(events)

    def is_shown(self, player: int, index: int) -> bool:
        """Whether the people at the table see a move as it is made: not that another player passes, nor what
        he chooses while others still do."""
        state = self.state
        if self.eyes in (None, [player]):
            return True
        passes = state.can_pass and index == state.count(player) - 1
        return not passes and "chosen" not in state.snapshot()["decision"]

    def draw_round(self, player: int) -> None:
        """Draws the table where a round begins. A person sees it at each question."""
        begins = self.rounds.begins(player, self.state.decision or "")
        if not begins and not self.due:
            return
        self.due = False
        if self.quiet or self.humans:
            return
        say()
        say(self.words.faint(f"round {self.rounds.number}"))
        snapshot = self.state.snapshot()
        boards = self.drawing.boards(snapshot)
        if boards and boards == self.drawn:
            return
        self.drawn = boards
        self.draw(snapshot)

    def show(self, player: int) -> None:
        """The position as a player sees it."""
        say()
        self.draw(self.state.view(player))

    def draw(self, snapshot: dict[str, object]) -> None:
        for line in self.drawing.position(snapshot):
            say(line)
        say()

    def show_events(self, events: Sequence[Event]) -> None:
        for line in self.words.events(events, self.eyes):
            say(line)

    def end(self) -> None:
        say()
        self.draw(self.state.snapshot())
        for line in self.words.scores(self.state):
            say(line)
        say(self.words.winners(self.state))
        if self.recorder.path is not None:
            say(f"recorded in {self.recorder.path}")

    def where(self) -> str:
        return f"; recorded so far in {self.recorder.path}" if self.recorder.path is not None else ""
