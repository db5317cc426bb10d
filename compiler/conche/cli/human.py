"""Asks a person for a move, at the keyboard.

Purpose: the seats that `--bots` calls `human`. Input: lines. Output: the number of an option, or what else
the person wants: to stop, or to take back.
Invariants: whatever is typed, the question is asked again until it is answered; the end of input is a wish to
stop. What is printed comes from the person's own options, view and events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from conche.cli.options_list import OptionsList
from conche.cli.output import say
from conche.cli.screen import height, tell_lines
from conche.diagnostics.suggest import did_you_mean
from conche.draw.words import plain
from conche.play.question import MANY, Left, Nothing, Question, Taken

if TYPE_CHECKING:
    from conche.cli.game import Game

HELP: Final = """\
To choose:
  a number        take that option{value}
  some words      take the option that they fit; if they fit several, list those; {words}
  /some words     list what fits, and take nothing; also /12, as a number alone takes an option
  Enter           list more
  options         list all options again, one by one
  back            all options are in question again{tab}
To look:
  board           show the position
  hand            show what only you see
  scores          show the points, as if the game ended now
  log [N]         tell again what happened, the last 20 lines or N
{why}To manage:
  undo [N]        take back your last move, or the last N{undo}
  save [FILE]     keep the game, to go on with it later
  quit            stop playing{kept}
"""

WHY: Final = """\
  why 3           why option 3 is there; `why not WORDS`: why something is not
  rules           what the rules say of this choice; `rules 1.4a`: a clause; `rules WORDS`: what has that name
  log --rules     what happened, and by which rule
"""


class Stopped(Exception):
    """The person wants to stop. `asked`: by `quit`; else the input has ended."""

    def __init__(self, asked: bool) -> None:
        super().__init__(asked)
        self.asked = asked


class Undone(Exception):
    """Moves were taken back."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be typed besides an option. `do`: called with what stands behind the word."""

    word: str
    do: Callable[[str], None]


class Asked:
    """One question."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        state = game.session.state
        self.words = game.words
        count = state.count(seat)
        moves = [state.move(index, seat) for index in range(count)]
        looks = game.words.looks
        self.question = Question(
            moves,
            self.words.named,
            seats=looks.seated,
            signs={kind: of.sign for kind, of in looks.kinds.items() if of.sign},
            page=_page(),
        )
        self.list = OptionsList(self.question, state.decision, self.words)
        self.name = plain(state.decision or "move")
        self.commands = {
            "help": self._help,
            "options": self._options,
            "all": self._options,
            "back": self._back,
            "board": lambda rest: game.show(seat),
            "hand": lambda rest: game.show_hand(seat),
            "scores": lambda rest: game.show_scores(seat),
            "log": self._log,
            "undo": self._undo,
            "save": self._save,
            "why": self._why,
            "rules": lambda rest: game.show_rules(seat, rest),
            "quit": self._quit,
        }
        self.aliases = {"h": "help", "?": "help", "q": "quit", "exit": "quit"}

    @property
    def height(self) -> int:
        """How many lines it takes."""
        return self.list.height + 2

    @property
    def spaces(self) -> set[tuple[int, int]]:
        """Those that the options speak of."""
        return {space for move in self.question.moves for space in spaces_of(move.args)}

    def answer(self) -> int:
        """The number of the option that a person chooses. Stopped when the person leaves; Undone when moves
        were taken back."""
        count = len(self.question.moves)
        who = self.words.paint(self.seat, self.words.seats[self.seat])
        tell_lines([f"{who}, choose {self.name}: {count} options (`help` tells what can be typed)"])
        self.list.first()
        while True:
            try:
                line = self.game.keyboard.line(self.list.prompt(), self.seat, self._completions)
            except EOFError:
                raise Stopped(asked=False) from None
            number = self._read(" ".join(line.split()))
            if number is not None:
                return number

    def _read(self, text: str) -> int | None:
        """What a line asks for; the number of an option where it takes one."""
        if not text:
            self.list.more()
            return None
        word, _, rest = text.partition(" ")
        command = self.commands.get(self.aliases.get(word.lower(), word.lower()))
        if command is not None and (not rest or word.lower() in _WITH_MORE):
            command(rest)
            return None
        answer = self.question.narrow(text[1:]) if text.startswith("/") else self.question.take(text)
        match answer:
            case Taken(number):
                return number
            case Left():
                self.list.first()
            case Nothing(why):
                hint = did_you_mean(word.lower(), list(self.commands)) if " " not in text else None
                say(why + (f" ({hint})" if hint else ""))
        return None

    def _completions(self, line: str) -> list[str]:
        found = self.question.completions(line.removeprefix("/"))
        begun = line.lstrip().lower()
        if " " not in begun:
            found += [word for word in self.commands if word.startswith(begun) and word not in found]
        return found

    # ------------------------------------------------------------------------------------ commands

    def _help(self, rest: str) -> None:
        game = self.game
        tell_lines(
            HELP.format(
                words=f"values, in any order, also in short: `{self.list.example()}`",
                value="; where an argument is asked for, that value" if self.question.argument else "",
                tab="\n  Tab             complete a word" if game.keyboard.completes else "",
                why=WHY if game.explains else "",
                undo=", up to where you were shown what had been hidden",
                kept=game.kept_by_quitting(),
            ).splitlines(),
            hang=18,
        )

    def _options(self, rest: str) -> None:
        self.question.again(plain=True)
        self.list.first()

    def _back(self, rest: str) -> None:
        self.question.again()
        self.list.first()

    def _log(self, rest: str) -> None:
        rules = "--rules" in rest.split()
        text = " ".join(word for word in rest.split() if word != "--rules")
        most = 20 if not text else 10**9 if text == "all" else _number(text)
        if most is None:
            say("`log` shows the last 20 lines, `log 50` the last 50, `log all` all of them")
            return
        self.game.show_log(self.seat, most, rules=rules)

    def _undo(self, rest: str) -> None:
        number = _number(rest) if rest else 1
        if not number:
            say("`undo` takes back your last move, `undo 3` the last three")
        elif self.game.undo(self.seat, number):
            raise Undone

    def _save(self, rest: str) -> None:
        self.game.save_as(rest)

    def _why(self, rest: str) -> None:
        game = self.game
        if not game.explains:
            say("there is nothing here that explains the rules")
            return
        negated, _, behind = rest.partition(" ")
        text = behind.strip() if negated.lower() == "not" else rest
        left, number = self.question.left, _number(text)
        if not text:
            say("`why 3` says why option 3 is there, `why not WORDS` why something is not")
        elif number is None:
            if not game.explain(self.seat, text, only_if_clear=True):
                # Not in full: perhaps in short, as it would be taken.
                taken = self.question.take(text)
                game.explain(self.seat, taken.number if isinstance(taken, Taken) else text)
        else:
            # As it would be taken: where a number is asked for, it is that number.
            match self.question.take(text):
                case Taken(place):
                    game.explain(self.seat, place)
                case Left() if text != rest:
                    game.explain(self.seat, text)
                case Left():
                    count, whole = len(self.question.left), self.list.example()
                    said = (
                        f"{text} is no whole move yet: {count} options begin so. Type `why` with all the"
                        f" values of one, such as `why {whole}`, or take {text} and ask when one is left"
                    )
                    tell_lines([said], hang=2)
                case Nothing(why):
                    if not game.explain(self.seat, text, only_if_clear=True):
                        say(why)
        self.question.left = left

    def _quit(self, rest: str) -> None:
        raise Stopped(asked=True)


def _page() -> int:
    """How many options are listed at once: what is seen with them needs room, too."""
    lines = height()
    return MANY if lines is None else min(MANY, max(lines - _ABOVE, 6))


def spaces_of(args: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """The spaces of a board, and those of edges, that arguments name."""
    for value in args.values():
        match value:
            case [int(x), int(y), *_] if not isinstance(x, bool) and not isinstance(y, bool):
                yield x, y


_ABOVE: Final = 12
"""So many lines of a screen are for what stands above the options."""

_WITH_MORE: Final = frozenset({"log", "undo", "save", "why", "rules"})
"""Commands that something may stand behind; behind others it makes them words of an option."""


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
