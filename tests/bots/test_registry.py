"""Which bots there are, how they are written, and what is said where one cannot be had."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from cli.conftest import Conche
from cli.fake_image import fake_image
from conche.bots import BotError, BotFailedError, BotNameError, check_bots, make_bots
from conche.bots.registry import factory_of, known_names
from conche.bots.seat import SeatedBot
from conche.bots.spec import parse_spec
from conche.simulate import SimulationError, run, simulate
from tiny import TINY

from .conftest import GREEDY, Install


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("random", "random", {}),
        ("playout:games=200", "playout", {"games": "200"}),
        (" playout : games = 2 : time=0.5 ", "playout", {"games": "2", "time": "0.5"}),
        ("dist/greedy:file=a=b", "dist/greedy", {"file": "a=b"}),
    ],
)
def test_what_is_written_is_taken_apart(text: str, name: str, arguments: dict[str, str]) -> None:
    spec = parse_spec(text)
    assert (spec.name, spec.arguments) == (name, arguments)


@pytest.mark.parametrize(
    ("text", "code", "title", "help"),
    [
        ("", "C0503", "there is no name of a bot in ''", "playout:games=50"),
        (":games=3", "C0503", "there is no name of a bot", "playout:games=50"),
        ("playout:50", "C0503", "'50' in 'playout:50' is no argument", "playout:key=value"),
        ("playout:games=", "C0503", "is no argument", "playout:key=value"),
        ("playout:games=1:games=2", "C0503", "'games' is given twice", ""),
        ("playuot", "C0503", "no bot 'playuot'; there is playout, random", "did you mean 'playout'?"),
        ("xyzzy", "C0503", "there is no bot 'xyzzy'", ""),
        ("human", "C0503", "there is no bot 'human'", "only `conche play`"),
        ("playout:gams=3", "C0509", "takes no 'gams'", "did you mean 'games'?"),
        ("playout:bogus=3", "C0509", "takes no 'bogus'", "it takes games, time, depth"),
        ("random:games=3", "C0509", "takes no 'games'", "it takes no arguments"),
        ("playout:games=many", "C0509", "takes a whole number for 'games', not 'many'", ""),
        ("playout:games=1.5", "C0509", "takes a whole number for 'games'", ""),
        ("playout:games=0", "C0509", "games is 1 to 1000000, not 0", ""),
        ("playout:time=nan", "C0509", "takes a number for 'time', not 'nan'", ""),
        ("playout:time=0", "C0509", "time is more than 0", ""),
        ("playout:depth=0", "C0509", "depth is 1 to", ""),
    ],
)
def test_what_is_no_bot_is_told(text: str, code: str, title: str, help: str) -> None:
    with pytest.raises(BotNameError) as caught:
        check_bots([text])
    assert caught.value.code == code
    assert title in str(caught.value)
    assert help in " ".join(caught.value.help)
    assert isinstance(caught.value, ValueError), "what `simulate` promises"


def test_errors_go_from_one_process_to_another() -> None:
    for kind in (BotError, BotNameError, BotFailedError):
        sent = pickle.loads(pickle.dumps(kind("title", "C0509", "one", "two")))
        assert (type(sent), str(sent), sent.code, sent.help) == (kind, "title", "C0509", ("one", "two"))


def test_the_random_bot_is_shared_and_others_have_one_for_each_seat() -> None:
    bots = make_bots(["random", "playout", "random", "playout"], 1)
    assert bots[0] is bots[2]
    assert bots[1] is not bots[3]


# ------------------------------------------------------------------------------- bots of other distributions


def chooser(text: str) -> object:
    bot = factory_of(text).make(5)
    assert isinstance(bot, SeatedBot)
    return bot.chooser


def test_a_bot_of_another_distribution(install: Install) -> None:
    install("greedy-bots", "greedy = greedy_mod:Greedy", greedy_mod=GREEDY)
    assert known_names() == ["greedy", "playout", "random"]
    plain = chooser("greedy")
    assert vars(plain) == {"seed": 5, "option": -1, "loud": False, "name": "g"}
    given = chooser("greedy:option=3:loud=yes:name=7")
    assert vars(given) == {"seed": 5, "option": 3, "loud": True, "name": "7"}
    assert vars(chooser("greedy-bots/greedy:loud=no")) == vars(plain)
    for text, title in (
        ("greedy:loud=perhaps", "the bot 'greedy' takes yes or no for 'loud', not 'perhaps'"),
        ("greedy:optoin=3", "the bot 'greedy' takes no 'optoin'"),
        ("greedi", "there is no bot 'greedi'; there is greedy, playout, random"),
    ):
        with pytest.raises(BotNameError, match=title):
            check_bots([text])


def test_annotations_that_are_texts_and_arguments_without_end(install: Install) -> None:
    text = (
        "from __future__ import annotations\n"
        "class A:\n"
        "  def __init__(self, seed: int, deep: float | None = None, **more: str): self.got = deep, more\n"
        "  def choose(self, seat: Seat) -> int: return 0\n"
        "def needs(seed, *, level): return A(seed)\n"
    )
    install("a", "a = a_mod:A\nneeds = a_mod:needs", a_mod=text)
    assert vars(chooser("a:deep=0.5:other=x")) == {"got": (0.5, {"other": "x"})}
    check_bots(["needs:level=1"])
    with pytest.raises(BotNameError, match="the bot 'needs' needs 'level'"):
        check_bots(["needs"])


def test_two_of_one_name_are_told_apart_by_their_distribution(install: Install) -> None:
    other = GREEDY.replace("self.option % seat.count", "0")
    install("one", "greedy = one_mod:Greedy\nrandom = one_mod:Greedy", one_mod=GREEDY)
    install("two", "greedy = two_mod:Greedy", two_mod=other)
    with pytest.raises(BotNameError) as caught:
        check_bots(["greedy"])
    assert caught.value.code == "C0509"
    assert str(caught.value) == "2 distributions have a bot 'greedy': one and two"
    assert caught.value.help == ("write `one/greedy` or `two/greedy`",)
    assert type(chooser("two/greedy")).__module__ == "two_mod"
    # Nobody takes a name of Conche's own away.
    assert type(make_bots(["random"], 1)[0]).__name__ == "RandomBot"
    assert type(chooser("one/random")).__module__ == "one_mod"
    assert known_names() == ["one/greedy", "one/random", "playout", "random", "two/greedy"]


BROKEN = {
    "gone": ("gone = nowhere_at_all:Bot", "", "cannot be loaded: ModuleNotFoundError"),
    "bare": ("bare = m:Missing", "x = 1", "cannot be loaded: AttributeError"),
    "raises": ("raises = m:A", "1 / 0", "cannot be loaded: ZeroDivisionError"),
    "exits": ("exits = m:A", "raise SystemExit(3)", "cannot be loaded: SystemExit"),
    "syntax": ("syntax = m:A", "class", "cannot be loaded: SyntaxError"),
    "number": ("number = m:A", "A = 3", "is no class: `m:A` is 3"),
    "mute": ("mute = m:A", "class A:\n  def __init__(self, seed): pass", "has no method `choose`"),
    "picky": ("picky = m:A", "def A(seed): raise ValueError('no luck')", "does not take this: no luck"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("metadata", [True, False])
def test_a_broken_bot_is_told_and_hides_no_other(install: Install, name: str, metadata: bool) -> None:
    points, text, title = BROKEN[name]
    install("broken", points, m=text, metadata=metadata)
    install("greedy-bots", "greedy = greedy_mod:Greedy", greedy_mod=GREEDY)
    with pytest.raises(BotNameError) as caught:
        check_bots([name])
    assert caught.value.code == "C0509"
    assert f"the bot '{name}'" in str(caught.value)
    assert title in str(caught.value)
    check_bots(["greedy", "random"])
    assert name in known_names()


def test_a_damaged_installation_leaves_what_is_conches_own(install: Install) -> None:
    install("damaged", "this is no entry point")
    check_bots(["random", "playout:games=1"])
    assert known_names() == ["playout", "random"]
    with pytest.raises(BotNameError, match="cannot be searched for bots"):
        check_bots(["greedy"])


# ---------------------------------------------------------------------------------------------- in a game


FAILING = """\
class Raises:
    def __init__(self, seed): pass
    def choose(self, seat): return {}[3]
class Says:
    def __init__(self, seed, what): self.what = what
    def choose(self, seat): return eval(self.what)
class Odd(Exception):
    def __index__(self): raise OSError("no index")
    def __repr__(self): raise OSError("no repr")
    __str__ = __repr__
class Raising:
    def __init__(self, seed, what): self.what = what
    def choose(self, seat): raise eval(self.what)
"""


@pytest.mark.parametrize(
    ("bot", "title"),
    [
        ("raises", "the bot 'raises' failed: KeyError: 3 (f_mod.py:3)"),
        ("says:what=99", "the bot 'says:what=99' chose option 99 of 0.."),
        ("says:what=-1", "chose option -1 of 0.."),
        ("says:what=None", "answered None, not the number of an option"),
        ("says:what=True", "answered True, not the number of an option"),
        ("says:what=0.0", "answered 0.0, not the number"),
        ("says:what=Odd()", "not the number of an option"),
        ("says:what=10**9999", "chose option <int object at"),
        ("raising:what=Odd()", "failed: Odd: it cannot be told"),
        ("raising:what=SystemExit(0)", "failed: SystemExit: 0"),
    ],
)
@pytest.mark.usefixtures("stones")
def test_a_bot_that_fails_in_a_game(conche: Conche, install: Install, bot: str, title: str) -> None:
    install("f", "raises = f_mod:Raises\nsays = f_mod:Says\nraising = f_mod:Raising", f_mod=FAILING)
    for command in (["simulate", "stones", "-n", 3, "--seed", 1], ["play", "stones", "--seed", 1]):
        result = conche(*command, "--bots", f"random,{bot}")
        assert result.code == 2
        assert "error[C0523]" in result.err
        assert title in result.err
        assert "Traceback" not in result.err
        assert "internal error" not in result.err


class Index:
    """As a numpy integer is."""

    def __index__(self) -> int:
        return 1


def test_a_number_of_another_class_is_as_good(install: Install) -> None:
    text = f"from {Index.__module__} import Index\n{FAILING}".replace("eval(self.what)", "Index()")
    install("n", "n = n_mod:Says", n_mod=text)
    state = fake_image().engine().start(2, 1)
    [bot] = make_bots(["n:what=0"], 1)
    assert bot.choose(state, state.to_act[0], 2) == 1


@pytest.mark.usefixtures("stones")
class TestCommands:
    @pytest.mark.parametrize("command", [["play"], ["simulate", "-n", 3]])
    @pytest.mark.parametrize(("bots", "code"), [("playuot", "C0503"), ("playout:games=x", "C0509")])
    def test_what_is_no_bot(self, conche: Conche, command: list[object], bots: str, code: str) -> None:
        result = conche(command[0], "stones", *command[1:], "--bots", bots)
        assert (result.code, result.out) == (2, "")
        assert f"error[{code}]" in result.err

    def test_a_bot_plays(self, conche: Conche, install: Install) -> None:
        install("greedy-bots", "greedy = greedy_mod:Greedy", greedy_mod=GREEDY)
        args = ("simulate", "stones", "-n", 3, "--seed", 1, "--bots", "greedy:option=0,greedy")
        result = conche(*args)
        assert (result.code, result.err) == (0, "")
        assert "bots greedy:option=0, greedy" in result.out
        again = conche(*args)
        assert again.out.splitlines()[:-1] == result.out.splitlines()[:-1]
        played = conche("play", "stones", "--seed", 1, "--bots", "greedy,random")
        assert (played.code, played.err) == (0, "")
        assert "red (greedy), blue (random)" in played.out


@pytest.mark.slow
def test_the_command_that_tests_rules(conche: Conche, install: Install, tmp_path: Path) -> None:
    install("f", "raises = f_mod:Raises", f_mod=FAILING)
    (tmp_path / "tiny.rules").write_text(TINY)
    args = ("test", tmp_path / "tiny.rules", "--games", 2)
    assert conche(*args).out == "0 scenarios, 0 failed; 4 random games, 0 failed\n"
    # Three are named, and the game is for two to three.
    result = conche(*args, "--bots", "random,playout:games=2,random")
    assert (result.code, result.err) == (0, "")
    assert result.out == "0 scenarios, 0 failed; 4 games, 0 failed\n"
    for bots, code in (("raises", "C0523"), ("playuot", "C0503"), ("random,random,random,random", "C0503")):
        result = conche(*args, "--bots", bots)
        assert result.code == 2
        assert f"error[{code}]" in result.err


@pytest.mark.slow
def test_other_processes_find_it_too(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        "greedy-bots", "greedy = greedy_mod:Greedy\nraises = f_mod:Raises", greedy_mod=GREEDY, f_mod=FAILING
    )
    alone = simulate(fake_image(), 40, seed=2, bots=("greedy", "random"), workers=1).to_json()
    monkeypatch.setattr(run, "_HERE", 0.0)
    spread = simulate(fake_image(), 40, seed=2, bots=("greedy", "random"), workers=2).to_json()
    for changing in ("seconds", "games_per_second"):
        alone.pop(changing), spread.pop(changing)
    assert spread == alone
    with pytest.raises(SimulationError) as caught:
        simulate(fake_image(), 40, seed=2, bots=("raises", "random"), workers=2)
    assert isinstance(caught.value.cause, BotFailedError)
