"""`conche play`: watch bots play, or play along."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.core import ParameterSource

from conche.cli.arguments import Argument, Option
from conche.cli.options import (
    HUMAN,
    BotsOption,
    FormatOption,
    PlayersOption,
    SeedOption,
    TextOrJson,
    names_for,
    players_for,
    seed_for,
)
from conche.cli.output import color, settled, waiting
from conche.cli.trouble import refuse, rules_failed, see_again

if TYPE_CHECKING:
    from conche.api import Image
    from conche.play.look_up import Rules
    from conche.play.saved import SavedGame, SavedRecord
    from conche.play.session import Recording
    from conche.play.turns import Turn


def command(
    ruleset: Annotated[
        str | None,
        Argument(
            metavar="RULESET",
            help="A game or a rules file, with modules after a `+` and options after a `:` if wanted. "
            "With --resume only where the rules are not found by the name they had.",
        ),
    ] = None,
    players: PlayersOption = None,
    seed: SeedOption = None,
    bots: BotsOption = "random",
    save: Annotated[
        Path | None,
        Option(
            "--save",
            metavar="FILE",
            help="Keep the game here after each move of a person. The file holds everybody's secrets.",
        ),
    ] = None,
    resume: Annotated[
        Path | None, Option("--resume", metavar="FILE", help="Go on with a game that was kept.")
    ] = None,
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
    force: Annotated[bool, Option("--force", help="Replace an existing record or saved game.")] = False,
    style: FormatOption = TextOrJson.TEXT,
) -> int:
    """Play one game, or watch bots play it.

    Seats called `human` are asked at the keyboard, all others are bots. `help` at a question tells what can
    be typed there.

    Prints each move and, round by round, the table. With --format json the record goes to stdout instead.
    The record is written to FILE.part and gets its name when the game is over or a person quits. Of a game
    that was interrupted or failed it stays FILE.part, with what there is.

    A game that a person leaves can be kept and gone on with: --save says where, else it is asked. With
    --record and without --save it is kept in FILE.game until it is over.

    Exit code 0 when the game is over or a person quits, 1 when the rules fail, 2 when what is asked for
    cannot be, or a game that was left could not be saved; 130 when interrupted.
    """
    import sys

    if not 0 <= delay <= 3600:
        refuse("C0502", f"a delay is 0 to 3600 seconds, not {delay:g}")
    json = style is TextOrJson.JSON
    if json and record is not None:
        refuse("C0501", "--format json and --record both say where the record goes", "leave one of them out")
    if resume is not None:
        if json:
            refuse("C0501", "people cannot play with --format json", "leave it out, and use --record FILE")
        given = _given("players", "seed", "bots")
        if given:
            refuse("C0501", f"the saved game says who plays, and '--{given[0]}' says it too", "leave it out")
        return _resume(resume, ruleset, save, record, full, seat, delay, force)
    if ruleset is None:
        refuse("C0501", "missing argument 'RULESET'", "`conche play --help` says what there is")

    from conche.api import image_of
    from conche.play import saved
    from conche.play.recording import RecordFile, Stream
    from conche.play.session import Recording

    with waiting(f"compiling {ruleset}"):
        image = image_of(ruleset)
    engine = image.engine()
    count = players_for(engine, players, named=len(bots.split(",")) if "," in bots else 0)
    names = names_for(bots, count, others=(HUMAN,))
    chosen = seed_for(seed)
    _check_seat(seat, count, record, json)
    people = HUMAN in names
    if json and people:
        refuse("C0501", "people cannot play with --format json", "leave it out, and use --record FILE")
    if save is not None and not people:
        refuse("C0501", "--save keeps a game for a person, and only bots play", "use --record FILE")
    game_id = saved.new_id()
    if save is not None and not force:
        saved.check_free(save, game_id)
    if json:
        recording = Recording(Stream(sys.stdout), full, seat)
    elif record is not None:
        recording = Recording(RecordFile(record, overwrite=force), full, seat)
    else:
        recording = Recording(Stream())
    kept = None if record is None else saved.SavedRecord(str(record.absolute()), full, seat)
    file, temporary = save, False
    if save is None and people and record is not None and not recording.file.fixed:
        file, temporary = record.with_name(f"{record.name}.game"), True
        if not force:
            saved.check_free(file, game_id)
    _check_apart(save, recording)
    again = () if people else (see_again(ruleset, count, chosen, names),)
    at_table = _Table(image, names, chosen, recording, file, temporary, game_id, force, kept, again)
    return at_table.play(delay, quiet=json, untold=players is None and "," not in bots)


def _resume(
    path: Path,
    ruleset: str | None,
    save: Path | None,
    record: Path | None,
    full: bool,
    seat: int | None,
    delay: float,
    force: bool,
) -> int:
    """Goes on with a saved game."""
    from conche.play import saved
    from conche.play.recording import RecordFile, Stream
    from conche.play.session import Recording
    from conche_runtime.errors import SaveError

    try:
        game = saved.read(path)
    except SaveError as error:
        refuse("C0515", f"'{path}' cannot be gone on with: {error}")
    if save is not None and not force:
        saved.check_free(save, game.id)
    if record is None and (full or seat is not None):
        refuse("C0501", "--full and --seat say how to record, and no record is wanted", "add --record FILE")
    _check_seat(seat, game.players, record, json=False)
    names = names_for(",".join(game.seats), game.players, others=(HUMAN,))
    image = _rules_of(game, path, ruleset)
    kept = game.record
    if record is not None:
        kept = saved.SavedRecord(str(record.absolute()), full, seat)
    if kept is None:
        recording = Recording(Stream())
    else:
        file = RecordFile(_near(Path(kept.file)), overwrite=force, resumed=True)
        recording = Recording(file, kept.full, kept.seat)
    _check_apart(save or path, recording)
    table = _Table(image, names, game.seed, recording, save or path, False, game.id, force, kept, ())
    return table.play(delay, resumed=game, path=path)


def _rules_of(game: SavedGame, path: Path, ruleset: str | None) -> Image:
    """The rules that a saved game is played by: those it began with, also where they have changed since."""
    import shlex

    from conche.api import image_of
    from conche.cli.pinned import kept_rules
    from conche.pipeline import CompileError

    rules = ruleset or game.ruleset
    trouble: CompileError | None = None
    image: Image | None = None
    try:
        with waiting(f"compiling {rules}"):
            image = image_of(rules)
    except CompileError as error:
        trouble = error
    if ruleset is None and (image is None or image.engine().digest != game.digest):
        changed = "cannot be read now" if image is None else "have changed since"
        image = kept_rules(str(path), rules, game.digest, changed) or image
    if image is not None:
        return image
    assert trouble is not None
    if ruleset is None and not any(one.main for one in trouble.diagnostics):
        refuse(
            "C0501",
            f"the saved game names the rules '{rules}', and they are not found from here",
            f"name the rules too: `conche play RULES --resume {shlex.quote(str(path))}`",
        )
    raise trouble


def _near(path: Path) -> Path:
    """A path as it is written from here, where it lies below the current folder."""
    with contextlib.suppress(ValueError, OSError):
        return path.relative_to(Path.cwd())
    return path


def _check_seat(seat: int | None, count: int, record: Path | None, json: bool) -> None:
    if seat is not None and not 0 <= seat < count:
        refuse("C0502", f"seats are numbered 0 to {count - 1}; there is no seat {seat}")
    if seat is not None and record is None and not json:
        refuse("C0501", "--seat says whose record is written, and no record is wanted", "add --record FILE")


def _check_apart(save: Path | None, recording: Recording) -> None:
    if save is not None and recording.file.takes(save):
        refuse("C0501", f"the game and its record would both be '{save}'", "name two files")


def _given(*names: str) -> list[str]:
    """Which of these options were given."""
    import click

    context = click.get_current_context()
    return [name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]


@dataclass(frozen=True, slots=True)
class _Table:
    """All that a game needs."""

    image: Image
    names: Sequence[str]
    seed: int
    recording: Recording
    file: Path | None
    temporary: bool
    game_id: str
    force: bool
    record: SavedRecord | None
    again: Sequence[str]

    def play(
        self,
        delay: float,
        *,
        quiet: bool = False,
        untold: bool = False,
        resumed: SavedGame | None = None,
        path: Path | None = None,
    ) -> int:
        import sys

        from conche.bots import make_bots
        from conche.cli.game import Game
        from conche.cli.keyboard import keyboard
        from conche.draw import Drawing
        from conche.draw.words import Words
        from conche.play.session import Session
        from conche_runtime.errors import RulesError, SaveError

        engine, count = self.image.engine(), len(self.names)
        moves = () if resumed is None else resumed.moves
        try:
            if resumed is not None:
                resumed.check_rules(engine)
            session = Session(engine, self.names, self.seed, make_bots, self.recording, moves)
            if resumed is not None:
                resumed.check_position(session)
        except RulesError as error:
            return rules_failed(error, *self.again)
        except SaveError as error:
            refuse("C0515", f"'{path}' cannot be gone on with: {error}")
        settled()
        words = Words(engine, count, color(sys.stdout), looks=self.image.looks)

        def log_by_rule(turns: Sequence[Turn], seat: int) -> list[list[str]]:
            from conche.play.by_rules import lines_by_rules

            return lines_by_rules(engine, self.image.ruleset, words, self.seed, turns, seat)

        @cache
        def rules() -> Rules:
            from conche.play.look_up import Rules
            from conche.why.for_engine import rules_of

            return Rules(*rules_of(self.image.ruleset, engine.digest, Path()))

        drawing = Drawing(engine, count, words, self.image.looks)
        game = Game(
            session,
            words,
            drawing,
            keyboard(plain=HUMAN not in self.names),
            quiet=quiet,
            file=self.file,
            temporary=self.temporary,
            game_id=self.game_id,
            force=self.force,
            scores_known=self._scores_known,
            log_by_rule=log_by_rule,
            rules=rules,
            record=self.record,
        )
        game.begin(resumed=resumed is not None, untold=untold)
        try:
            return game.run(delay)
        except RulesError as error:
            return rules_failed(error, *self.again)

    def _scores_known(self) -> Mapping[str, str]:
        """Which points people know; none where the rules are not what they were when the game began."""
        from conche.play.points import known_scores
        from conche.why.for_engine import rules_of
        from conche_runtime.explanation import NotExplainedError

        try:
            return known_scores(rules_of(self.image.ruleset, self.image.engine().digest)[0])
        except NotExplainedError:
            return {}
