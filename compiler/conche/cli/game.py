"""A game at the terminal: people and bots by turns, and what people are shown of it.

Purpose: the loop of `conche play`. Input: a `Session`, a keyboard. Output: text on stdout, the exit code.
Invariants: what a person is shown comes from his view, his options and the events that he sees. Where one
person plays, what happens is printed as it happens; where several do and something is secret, each is told
what is news to him when it is his turn, on a screen that the others' secrets have left. Where only bots
play, everything is shown.
"""

from __future__ import annotations

import contextlib
import errno
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from conche.cli.human import Asked, Stopped, Undone, spaces_of
from conche.cli.options import say_players
from conche.cli.output import flush, is_terminal, say, tell, waiting
from conche.cli.screen import clear, height, tell_lines, width
from conche.cli.trouble import GOOD, TROUBLE, Interrupted
from conche.draw.words import plain
from conche.play import saved
from conche.play.in_words import hand_of, last_lines, learnt_in_words, scores_for
from conche.play.rounds import Rounds
from conche.play.session import NotTakenBackError, Session
from conche_runtime.errors import ConcheError
from conche_runtime.interface import ForcedEvent

if TYPE_CHECKING:
    from conche.cli.keyboard import Keyboard
    from conche.draw import Drawing
    from conche.draw.words import Words
    from conche.play.look_up import Rules
    from conche.play.turns import Turn


_SOME = 8
"""So many lines of what has happened stand above a position that is cut for a low window."""


class Game:
    """A game that is watched, or played. `file`: where it is kept after each move of a person; None where
    that is not wanted. `game_id`: see `conche.play.saved`. `force`: what lies there may be replaced."""

    def __init__(
        self,
        session: Session,
        words: Words,
        drawing: Drawing,
        keyboard: Keyboard,
        *,
        quiet: bool = False,
        file: Path | None = None,
        temporary: bool = False,
        game_id: str = "",
        force: bool = False,
        scores_known: Callable[[], Mapping[str, str]] = dict,
        log_by_rule: Callable[[Sequence[Turn], int], list[list[str]]] | None = None,
        rules: Callable[[], Rules] | None = None,
        record: saved.SavedRecord | None = None,
    ) -> None:
        self.session, self.words, self.drawing, self.keyboard = session, words, drawing, keyboard
        self.quiet, self.file, self.id, self.record = quiet, file, game_id or saved.new_id(), record
        self._force = force
        self._scores_known, self._log_by_rule, self._rules = scores_known, log_by_rule, rules
        self._known: Mapping[str, str] | None = None
        self.temporary = temporary
        """Whether the file is of no use when the game is over."""
        self.people = session.people
        self.rounds = Rounds(session.state.players)
        self.due = False
        """Whether a round has begun without anybody being asked."""
        self.drawn: object = None
        self.told = dict.fromkeys(self.people, 0)
        """How many turns each person has been shown."""
        self.at_screen: int | None = None
        """The person whose secrets may stand on the screen."""
        self._kept: str | None = None
        """What was in the file when it was written, or read, last."""
        self.lost = False
        """Whether a game that a person left could not be kept."""
        self._at_terminal = is_terminal(sys.stdin)
        """Whether it was begun there: a terminal that was closed is none any more."""
        self.answered: int | None = None
        """The person who has just been asked."""

    # -------------------------------------------------------------------------------------- the loop

    def begin(self, resumed: bool = False, untold: bool = False) -> None:
        """`untold`: whether it was not said how many play."""
        if self.quiet:
            return
        session = self.session
        seats = ", ".join(f"{self.words.seats[i]} ({name})" for i, name in enumerate(session.seats))
        again = ", going on" if resumed else ""
        tell_lines([f"{session.engine.ruleset}, seed {session.seed}: {seats}{again}"])
        if untold:
            say_players(session.engine)
        opening = self.words.events(session.opening, self.eyes)
        if self.apart or opening or not self.people:
            say()
        if resumed:
            self._kept = _text(self.file) if self.file is not None else None
            self.told = {seat: session.since(seat) for seat in self.people}
        if not self.apart:
            tell_lines(opening)
            if resumed:
                (person, *_) = self.people
                self.tell_news(person, "what happened last:")

    def run(self, delay: float) -> int:
        session = self.session
        try:
            while not session.state.over:
                self.turn()
                if delay:
                    flush()
                    time.sleep(delay)
        except Stopped as stopped:
            try:
                kept = self._keep_on_leaving(stopped.asked)
            except KeyboardInterrupt:
                # A terminal that is closed ends the input first, and is told of after that.
                kept = self._keep_on_leaving(False)
            session.close(keep=True)
            say("stopped before the end of the game" + self.where())
            if kept:
                say(kept)
            return TROUBLE if self.lost else GOOD
        except (KeyboardInterrupt, Interrupted):
            session.settle()
            kept = self._keep_on_leaving(False)
            session.close()
            notes = [note for note in (self.where().removeprefix("; "), kept) if note]
            raise Interrupted("; ".join(notes)) from None
        except Exception:
            session.close()
            if session.recording.file.path is not None:
                tell(f"the game cannot go on{self.where()}")
            raise
        if not self.quiet:
            self.end()
        return GOOD

    def turn(self) -> None:
        """One decision."""
        session = self.session
        seat = session.asked
        if not session.is_person(seat):
            self.draw_round(seat)
            with waiting(f"{self.words.seats[seat]} is thinking"):
                turn = session.bot_move()
            self._happened(turn)
            return
        asked = Asked(self, seat)
        self._turn_to(seat, asked)
        try:
            index = asked.answer()
        except Undone:
            return
        turn = session.play(index, seat)
        self.answered = seat
        self._happened(turn)
        self._autosave()

    def _happened(self, turn: Turn) -> None:
        for event in turn.events:
            if isinstance(event, ForcedEvent):
                self.due |= self.rounds.begins(event.player, event.name)
        if self.quiet:
            return
        if not self.apart:
            tell_lines(self.lines(turn, self.eyes))
            self.told = dict.fromkeys(self.people, len(self.session.turns))

    # -------------------------------------------------------------------------------------- what is shown

    @property
    def eyes(self) -> Sequence[int] | None:
        """Whose knowledge is shown: that which all people at the table share; everything where only bots
        play."""
        return list(self.people) or None

    @property
    def apart(self) -> bool:
        """Whether people must not look at each other's screens."""
        return len(self.people) > 1 and self.secretive

    @property
    def secretive(self) -> bool:
        """Whether a player may know, or choose, what another does not see. Once it is so, it stays so."""
        if not self._secretive:
            looks, state = self.words.looks, self.session.state
            seen_by = [zone.visibility for zone in looks.zones.values()]
            seen_by += [variable.visibility for variable in looks.variables.values()]
            decision = state.snapshot()["decision"]
            self._secretive = (
                not seen_by
                or "secret" in seen_by
                or (isinstance(decision, dict) and "chosen" in decision)
                or any(
                    not isinstance(event, ForcedEvent) and event.seen_by
                    for turn in self.session.turns
                    for event in turn.events
                )
            )
        return self._secretive

    _secretive = False

    def lines(self, turn: Turn, eyes: Sequence[int] | None) -> list[str]:
        """A turn as these seats may know it."""
        own = [self.words.move(turn.player, turn.name, turn.args)] if turn.shown_to(eyes) else []
        return own + self.words.events(turn.events, eyes)

    def tell_news(self, seat: int, title: str = "") -> None:
        """What has happened since a person was shown anything last, if anything has."""
        turns = self.session.turns[self.told[seat] :]
        lines = [line for turn in turns for line in self.lines(turn, [seat])]
        tell_lines([self.words.faint(title)] if title and lines else [])
        tell_lines(lines)
        self.told[seat] = len(self.session.turns)

    def draw_round(self, player: int) -> None:
        """Draws the table where a round begins. A person sees it at each question."""
        begins = self.rounds.begins(player, self.session.state.decision or "")
        if not begins and not self.due:
            return
        self.due = False
        if self.quiet or self.people:
            return
        say()
        say(self.words.faint(f"round {self.rounds.number}"))
        snapshot = self.session.state.snapshot()
        boards = self.drawing.boards(snapshot)
        if boards and boards == self.drawn:
            return
        self.drawn = boards
        self.draw(snapshot)

    def show(self, player: int) -> None:
        """The position as a player sees it."""
        say()
        self.draw(self.session.state.view(player))

    def draw(self, snapshot: dict[str, object]) -> None:
        for line in self.drawing.position(snapshot, width=width()):
            say(line)
        say()

    def show_for(self, asked: Asked) -> None:
        """The position to a question: as much of it as the window has room for, above the question."""
        lines = height()
        if lines is None:
            self.show(asked.seat)
            return
        news, spaces = self._news(asked.seat)
        # What has happened stands above it, if that is not much; the blank lines around it.
        room = lines - asked.height - 2 - (news if news <= _SOME else 0)
        view = self.session.state.view(asked.seat)
        say()
        around = asked.spaces or spaces
        for line in self.drawing.part(view, width(), room, around, "`board` shows everything"):
            say(line)
        say()

    def _news(self, seat: int) -> tuple[int, set[tuple[int, int]]]:
        """What has happened from a person's last move on: how many lines, and where on the board."""
        count, spaces = 0, set[tuple[int, int]]()
        for turn in reversed(self.session.turns):
            count += len(self.lines(turn, [seat]))
            if turn.shown_to([seat]):
                spaces.update(spaces_of(turn.args))
            for event in turn.events:
                if isinstance(event, ForcedEvent) and self.words.shown(event, [seat]):
                    spaces.update(spaces_of(event.args))
            if turn.player == seat:
                break
        return count, spaces

    def show_hand(self, seat: int) -> None:
        held = hand_of(self.session.state.view(seat), seat, self.words)
        tell_lines(held or ["you hold nothing that others do not see"])

    def show_scores(self, seat: int) -> None:
        if self._known is None:
            self._known = self._scores_known()
        try:
            lines = scores_for(self.session.state, seat, self.words, self._known)
        except ConcheError as error:
            lines = [f"there are no points now: {error}"]
        for line in lines:
            say(line)

    def show_log(self, seat: int, most: int, rules: bool = False) -> None:
        """The last lines of what happened, as a person may know it; with `rules` by which rules."""
        session = self.session
        if rules:
            if self._log_by_rule is None:
                say("there is nothing here that knows the rules")
                return
            try:
                steps = self._log_by_rule(session.turns, seat)
            except ConcheError as error:
                steps = [[str(error)]]
        else:
            opening = self.words.events(session.opening, [seat])
            steps = [opening, *(self.lines(turn, [seat]) for turn in session.turns)]
        tell_lines(last_lines(steps, most) or ["nothing has happened yet"])

    def show_rules(self, seat: int, text: str) -> None:
        """What the rules say of something; without a text, of what is asked."""
        if self._rules is None:
            say("there is nothing here that knows the rules")
            return
        try:
            rules, state = self._rules(), self.session.state
            if text:
                lines = rules.look_up(text)
            else:
                # By the name of the decision it is all cases that are possible now.
                lines = rules.about(state.explain(seat, state.decision or 0).rules)
        except ConcheError as error:
            lines = [str(error)]
        tell_lines(lines, hang=2, indented=True)

    # -------------------------------------------------------------------------------------- hot seat

    def _turn_to(self, seat: int, asked: Asked) -> None:
        """Hands the keyboard over, and shows a person what is news, and the position."""
        if self.apart:
            if self.at_screen != seat:
                self._hand_over(seat)
            if not self.told[seat]:
                tell_lines(self.words.events(self.session.opening, [seat]))
            self.tell_news(seat, "since your last move:" if self.told[seat] else "")
        self.show_for(asked)

    def _hand_over(self, seat: int) -> None:
        """What stands on the screen is a secret of who was there before."""
        name = self.words.seats[seat]
        if self.at_screen is not None:
            before = self.at_screen
            self.tell_news(before)
            self._wait(f"{self.words.seats[before]}, press Enter to clear the screen> ")
        clear()
        self.at_screen = None
        self._wait(f"pass the keyboard to {name}; {name}, press Enter> ")
        clear()
        self.at_screen = seat

    def _wait(self, prompt: str) -> None:
        try:
            line = self.keyboard.line(prompt).strip().lower()
        except EOFError:
            raise Stopped(asked=False) from None
        if line in ("quit", "q", "exit"):
            raise Stopped(asked=True)

    # -------------------------------------------------------------------------------------- taking back

    def undo(self, seat: int, moves: int) -> bool:
        """Takes back moves, and says so; else says why not."""
        session = self.session
        if session.recording.file.fixed:
            say(f"nothing can be taken back: the record goes to {session.recording.file.path}")
            return False
        try:
            gone = session.undo(seat, moves)
        except NotTakenBackError as refusal:
            tell_lines([self._refusal(refusal, seat)])
            return False
        own = [turn for turn in gone if session.is_person(turn.player)]
        if len(own) == 1 and own[0].shown_to([seat]):
            (turn,) = own
            shown = self.words.arguments(turn.name, turn.args)
            who = "" if turn.player == seat else f"{self.words.seats[turn.player]}'s "
            say(f"taken back: {who}{plain(turn.name)} {shown}".rstrip())
        else:
            say(f"taken back: {len(own)} moves" if len(own) > 1 else "taken back: one move")
        self.told = {person: min(told, len(session.turns)) for person, told in self.told.items()}
        self._autosave()
        return True

    def _refusal(self, refusal: NotTakenBackError, seat: int) -> str:
        few = refusal.possible
        can = "" if not few else f" (only {few} move{'s' if few > 1 else ''} can be)"
        if refusal.because is None:
            return (
                "there is no move to take back" if not few else f"there are no more moves to take back{can}"
            )
        what = learnt_in_words(refusal.because, seat, self.words)
        return f"it cannot be taken back{can}: {what}"

    # -------------------------------------------------------------------------------------- keeping

    def _write(self, path: Path) -> None:
        if self.session.recording.file.takes(path):
            raise FileExistsError(errno.EEXIST, "the record of this game goes there", str(path))
        overwrite = self._force and path == self.file
        known = path == self.file and self._kept is not None and not overwrite
        if known and _text(path) not in (None, self._kept):
            raise FileExistsError(errno.EEXIST, "another program has gone on with this game", str(path))
        saved.write(path, self.session, self.id, self.record, overwrite=overwrite)
        self._kept = _text(path)
        self._force = self._force and path != self.file

    def _autosave(self) -> None:
        if self.file is None:
            return
        with self._telling():
            self._write(self.file)

    def save_as(self, name: str) -> None:
        """`save`, in the game."""
        path = _path(name) if name else self.file or self._free_path()
        with self._telling():
            self._write(path)
            self.file, self.temporary = path, False
            say(f"saved in {path}, and again after each of your moves")

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """A game goes on though it cannot be saved."""
        try:
            yield
        except (OSError, ValueError) as error:
            say(_not_saved(error, getattr(error, "filename", None)))

    def _free_path(self) -> Path:
        session = self.session
        return saved.free_path(Path(), session.engine.ruleset, session.seed, self.id)

    def _keep_on_leaving(self, asked: bool) -> str:
        """Keeps the game that a person leaves; says how to go on. Where nobody has said whether and where,
        a person at a terminal is asked, and one who cannot be is served."""
        session = self.session
        if not self.people or not any(session.is_person(turn.player) for turn in session.turns):
            return self._go_on() if self.file is not None and self.file.exists() else ""
        path = self.file
        if path is None:
            if not self._at_terminal:
                return "the game is not saved: `--save FILE` keeps one" if asked else ""
            path = self._free_path()
            if asked:
                return self._ask_where(path)
        return self._keep_in(path)

    def _ask_where(self, free: Path) -> str:
        """Asks until the game is kept, or is not to be. Who says no more gets it kept in `free`."""
        tell_lines([f"save it? Enter saves to {free}, another name to that file, `no` nowhere"])
        while True:
            try:
                answer = self.keyboard.line("save> ").strip()
            except (EOFError, KeyboardInterrupt):
                return self._keep_in(free)
            if answer.lower() in ("no", "n"):
                self.lost = False
                return ""
            said = self._keep_in(_path(answer) if answer and answer.lower() not in ("yes", "y") else free)
            if not self.lost:
                return said
            say(said)

    def _keep_in(self, path: Path) -> str:
        self.lost = True
        try:
            self._write(path)
        except (OSError, ValueError) as error:
            return _not_saved(error, path)
        self.file, self.lost = path, False
        return self._go_on()

    def _go_on(self) -> str:
        return f"saved in {self.file}: `conche play --resume {shlex.quote(str(self.file))}` goes on"

    def kept_by_quitting(self) -> str:
        """What is said of `quit` in the help."""
        kept = []
        if self.file is not None:
            kept.append(f"the game is kept in {self.file}")
        if self.session.recording.file.path is not None:
            kept.append("the record is kept")
        return "".join(f"; {one}" for one in kept) or ", and keep the game if you like"

    # -------------------------------------------------------------------------------------- the end

    def end(self) -> None:
        if self.apart:
            clear()
            start = min(self.told.values())
            for turn in self.session.turns[start:]:
                tell_lines(self.lines(turn, self.eyes))
        say()
        self.draw(self.session.state.snapshot())
        for line in self.words.scores(self.session.state):
            say(line)
        say(self.words.winners(self.session.state))
        if self.session.recording.file.path is not None:
            say(f"recorded in {self.session.recording.file.path}")
        if self.file is not None and self.temporary:
            with contextlib.suppress(OSError):
                if saved.id_of(self.file) == self.id:
                    self.file.unlink()

    def where(self) -> str:
        path = self.session.recording.file.path
        return f"; recorded so far in {path}" if path is not None else ""

    # -------------------------------------------------------------------------------------- explaining

    @property
    def explains(self) -> bool:
        """Whether the engine can say why."""
        return hasattr(self.session.state, "explain")

    def explain(self, seat: int, what: int | str, *, only_if_clear: bool = False) -> bool:
        """Says why. `only_if_clear`: says nothing, and gives False, where the question is not understood."""
        try:
            told = self.session.state.explain(seat, what)
        except ConcheError as error:
            tell_lines([str(error)])
            return True
        if only_if_clear and told.verdict == "unclear":
            return False
        tell_lines(told.to_text(), indented=True)
        return True


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return None


def _path(name: str) -> Path:
    """A path as it was typed, `~` for the home folder; as it stands where there is none of that name."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def _not_saved(error: Exception, file: object) -> str:
    """Why a game could not be saved, in a file or in none."""
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return f"not saved: {f'{file}: ' if file else ''}{reason}"
