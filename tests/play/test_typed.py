"""What is typed and what is meant by it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from conche.play.question import MANY, Left, Nothing, Question, Taken
from conche.play.typed import words

from .tables import engine_of


@dataclass(frozen=True)
class Fake:
    name: str
    args: dict[str, Any] = field(default_factory=dict)


def question(*moves: Fake, **more: Any) -> Question:
    return Question(moves, lambda what, value: value, **more)


PLACES = [
    Fake("place", {"worker": worker, "turn": turn, "at": at})
    for worker in ("2-1-0-1", "3-0-0-1", "1-1-1-1")
    for turn in (0, 1, 2)
    for at in ([0, -1], [-1, 0], [1, 2])
]
TURN = [
    Fake("pick", {"picked": "apple(1)"}),
    Fake("pick", {"picked": "pear(2)"}),
    Fake("sell", {"sold": "apple(1)"}),
    Fake("sell", {"sold": "honey"}),
    Fake("climb"),
    Fake("climb_on", {"steps": 2}),
]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2-1-0-1 1 0,-1", ("2-1-0-1", 1, [0, -1])),
        ("2101 1 0,-1", ("2-1-0-1", 1, [0, -1])),
        ("0,-1 2101 1", ("2-1-0-1", 1, [0, -1])),
        ("place 2101 at (0, -1) turn 1", ("2-1-0-1", 1, [0, -1])),
        ("PLACE worker=30 turn=2 at=1,2", ("3-0-0-1", 2, [1, 2])),
        ("( -1 , 0 )  0  11", ("1-1-1-1", 0, [-1, 0])),
        ("turn 1 w 3 1,2", ("3-0-0-1", 1, [1, 2])),
    ],
)
def test_a_move_in_short(line: str, expected: tuple[Any, ...]) -> None:
    taken = question(*PLACES).take(line)
    assert isinstance(taken, Taken)
    assert tuple(PLACES[taken.number].args.values()) == expected


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("2101", 9),
        ("turn 1", 9),
        ("1", 9),  # of so many options an argument is asked for, and a number alone is one of its values
        ("1,2 turn 0", 3),
        ("2101 1,2", 3),
    ],
)
def test_what_fits_several_leaves_them(line: str, left: int) -> None:
    asked = question(*PLACES)
    assert asked.take(line) == Left()
    assert len(asked.left) == left
    asked.again(plain=True)
    assert asked.take("1") == Taken(0)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("climb", 4),  # though another one begins so
        ("climb_on", 5),
        ("co", 5),
        ("honey", 3),
        ("hon", 3),
        ("s h", 3),
        ("sell apple", 2),
        ("pick a1", 0),
        ("pear", 1),
        ("ear", 1),  # a part of it is enough, where nothing fits better
        ("sold=apple(1)", 2),
        ("6", 5),
    ],
)
def test_words_and_their_beginnings(line: str, number: int) -> None:
    assert question(*TURN).take(line) == Taken(number)


def test_what_fits_better_leaves_out_the_rest() -> None:
    asked = question(Fake("go", {"to": "pearl"}), Fake("go", {"to": "pear"}), Fake("go", {"to": "a_pear"}))
    assert asked.take("pear") == Taken(1)
    assert asked.take("/pear".removeprefix("/")) == Taken(1)


@pytest.mark.parametrize("line", ["", "plum", "0,5", "2101 2101", "turn 7", "?!", "sell pear", "  ,  "])
def test_what_fits_nothing(line: str) -> None:
    asked = question(*PLACES, *TURN)
    assert isinstance(asked.take(line), Nothing)
    assert len(asked.left) == len(asked.moves)


@pytest.mark.parametrize("line", ["0", "99999999999999999999999", "46", "-1"])
def test_numbers_that_are_none_of_the_options(line: str) -> None:
    assert isinstance(question(*TURN).take(line), Nothing)


def test_seats_flags_and_nothing() -> None:
    moves = [Fake("ask", {"whom": n, "card": card}) for n in (0, 1) for card in (None, "king")]
    named = lambda what, value: ("red", "blue")[value] if what == "ask.whom" else value  # noqa: E731
    asked = Question(moves, named, seats=["ask.whom"])
    assert asked.take("blue king") == Taken(3)
    assert asked.take("red no") == Taken(0)
    assert asked.take("no card red") == Taken(0)
    flags = question(Fake("peek", {"yes": True}), Fake("peek", {"yes": False}))
    assert (flags.take("y"), flags.take("no")) == (Taken(0), Taken(1))


def test_left_options_are_narrowed_further_and_looked_at_again() -> None:
    asked = question(*PLACES)
    assert asked.narrow("2101") == Left()
    assert asked.take("1,2 2") == Taken(20 - 20 + 8)
    asked.again()
    asked.narrow("2101")
    assert asked.take("3001") == Left(anew=True)
    assert len(asked.left) == 9


def test_a_short_name_from_the_picture() -> None:
    moves = [Fake("go", {"to": "old_inn"}), Fake("go", {"to": "new_inn"})]
    assert question(*moves, signs={"old_inn": "x9"}).take("x9") == Taken(0)


# ------------------------------------------------------------------------------------------------ arguments

BIDS = [Fake("none")] + [
    Fake("buy", {"bars": bars, "price": price}) for bars in range(1, 8) for price in range(1, 40 // bars)
]


def test_what_fits_on_a_page_is_for_the_screen_to_say() -> None:
    few = PLACES[:8]
    assert question(*few).argument is None
    assert question(*few, page=8).argument is None
    assert question(*few, page=7).argument is not None


def test_of_very_many_options_an_argument_is_asked_for() -> None:
    asked = question(*BIDS)
    assert len(BIDS) > MANY
    argument = asked.argument
    assert argument is not None
    assert [value for value, _ in argument.values] == ["none", "buy"]
    assert asked.take("2") == Left()
    argument = asked.argument
    assert argument is not None
    assert argument.name == "bars"
    assert argument.numbers == [1, 2, 3, 4, 5, 6, 7]
    # A number is the value now, not its place.
    assert asked.take("1") == Left()
    assert asked.settled == {"bars": 1}
    argument = asked.argument
    assert argument is not None
    assert argument.name == "price"
    assert asked.take("40") == Nothing("40 cannot be chosen; there is 1 to 39")
    assert asked.take("39") == Taken(BIDS.index(Fake("buy", {"bars": 1, "price": 39})))
    asked.again()
    assert asked.take("none") == Taken(0)
    asked.again()
    assert asked.take("buy 3 7") == Left()  # which is which is not said
    assert {tuple(BIDS[number].args.values()) for number in asked.left} == {(3, 7), (7, 3)}
    asked.again()
    assert asked.take("bars 3 price 7") == Taken(BIDS.index(Fake("buy", {"bars": 3, "price": 7})))


def test_every_option_can_be_come_to_argument_by_argument() -> None:
    dice = random.Random(1)
    for number in dice.sample(range(len(BIDS)), 25):
        asked = question(*BIDS)
        answer: object = None
        while not isinstance(answer, Taken):
            argument = asked.argument
            if argument is None:
                answer = asked.take(str(number + 1))
                break
            place = next(i for i, (_, numbers) in enumerate(argument.values) if number in numbers)
            values = asked.spelt(argument)
            answer = asked.take(str(values[place] if values is not None else place + 1))
        assert answer == Taken(number)


def test_completions() -> None:
    asked = question(*TURN)
    assert asked.completions("") == ["pick", "apple(1)", "pear(2)", "sell", "honey", "climb", "climb_on", "2"]
    assert asked.completions("sell ") == ["apple(1)", "honey"]
    assert asked.completions("cl") == ["climb", "climb_on"]
    places = question(*PLACES)
    assert places.completions("21") == ["2-1-0-1"]
    assert places.completions("2101 turn 1 at -") == ["-1,0"]
    assert places.completions("at=1,") == ["1,2"]
    many = question(*BIDS)
    assert many.completions("") == ["none", "buy", *map(str, range(1, 40))][: len(many.completions(""))]


def test_words_of_a_line() -> None:
    assert words(" Place ( 1 , -2 ) a=b  c,d -1,0") == ["place", "1,-2", "a", "b", "c", "d", "-1,0"]


@pytest.mark.parametrize("game", ["cacao", "schoko", "tricks"])
def test_every_move_of_a_game_can_be_typed(game: str) -> None:
    """Its words in short, with the names of the arguments, mean it and no other."""
    engine = engine_of(game)
    state, dice = engine.start(engine.max_players, 4), random.Random(4)
    for _ in range(60):
        if state.over:
            break
        seat = state.to_act[0]
        moves = state.legal_moves(seat)
        asked = question(*moves)  # type: ignore[arg-type]
        number = dice.randrange(len(moves))
        option = asked.options[number]
        line = " ".join(
            [option.name, *(f"{key} {text}" for key, shown in option.values.items() for text in shown)]
        )
        assert asked.take(line) == Taken(number), line
        state.step(number, seat)
