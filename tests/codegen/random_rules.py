"""Rules made at random: texts that use every statement and expression of the language, in a small game.

Most of what is made type-checks; what does not is passed over. Faults at run time (bounds, empty
piles) happen and must happen in both engines.
"""

from __future__ import annotations

import random

HEAD = """\
game random "Random"
  version 1.0.0
  players 2..3
  seats red, blue, green

enum Fruit(worth: 1..9)
  plum (3)
  fig (5) written "FIG"

piece Tile
  hill(size: 1..2)
  lake

piece Road(ways: ring of 4 of 0..3) owned
  straight (1, 0, 1, 0)
  bend (2, 1, 0, 0) written "BEND"
  cross (1, 1, 1, 1)

board land square grid at most 8 across
  on (x + y) mod 2 = 0 up to 1 Tile
  on (x + y) mod 2 = 1 up to 2 Road
  each space has
    mark: 0..5 = 0, open

pile deck of Tile, hidden
pile shown of Tile, open
pile fog of Tile, hidden
row line of 3 Tile, open
bag sack of Fruit, hidden
pool heap of Fruit, open

values prices = [4, 2, 1]

var n: -9..99 = 3, open
var turns_left: 0..30 = 12, open
var who: Player = blue, open
var picks: list of 0..99 = [], open
var seen: set of Side = [], open
var spots: set of Space = [], open
var perhaps: maybe Tile = nothing, open
var lit: flag = no, open
var fresh: 0..99 = 2, open, anew each work

each Fruit has
  demand: 0..9 = 1, open

each player has
  gold: 0..60 = 5, open
  bid: 0..9 = 0, secret
  sealed: -9..99 = 0, secret
  track climb of [-2, 0, 3], open
  store purse of 4 Fruit, open
  pile roads of Road, hidden
  hand held of Road, secret

setup
  put 5 hill(1), 3 hill(2), 4 lake in deck
  put 2 hill(1), 2 lake in fog
  put 6 plum, 5 fig in sack
  shuffle deck
  draw 2 from deck to line
  move lake from deck to (0, 0)
  for each p in players
    put 3 straight, 3 bend, 2 cross in p.roads
    draw 3 from p.roads to p.held
    draw 2 from sack to p.purse
"""

TAIL = """
score gold = you.gold + value(you.climb)
score roads = count(s in spaces where s is a Road and s.owner = you)
rank by total, count(you.held)
"""


class Maker:
    """Makes one game. `spaces`, `numbers`, `players`: the locals of that type at hand."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.lines: list[str] = []
        self.fresh = 0
        self.numbers: list[str] = []
        self.spaces: list[str] = []
        self.players: list[str] = []
        self.depth = 0
        self.loops = 0
        self.in_step = ""
        self.chosen = 0
        self.leaves = rnd.random() < 0.5

    def pick(self, *choices: str) -> str:
        return self.rnd.choice(choices)

    def name(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    # ---------------------------------------------------------------------------------------- expressions

    def number(self, depth: int = 2) -> str:
        if self.rnd.random() < 0.02:
            return f"printed({self.player()})"
        if self.rnd.random() < 0.08:
            player = self.name("p")
            return self.pick(
                "count(players)",
                f"{self.pick('plum', 'fig')}.demand",
                "fresh",
                "count(fog)",
                f"sum({player}.gold for {player} in clockwise({self.player()}))",
            )
        simple = [
            str(self.rnd.randrange(0, 6)),
            "n",
            f"{self.player()}.gold",
            "count(line)",
            "turns_left",
            *self.numbers,
        ]
        if depth <= 0 or self.rnd.random() < 0.3:
            return self.rnd.choice(simple)
        match self.rnd.randrange(18):
            case 0 | 1:
                return f"({self.number(depth - 1)} {self.pick('+', '-', '*')} {self.number(depth - 1)})"
            case 2:
                return f"({self.number(depth - 1)} {self.pick('/', 'mod')} {self.rnd.randrange(1, 5)})"
            case 3:
                return f"{self.pick('min', 'max')}({self.number(depth - 1)}, {self.number(depth - 1)})"
            case 4:
                return (
                    f"(if {self.flag(depth - 1)} then {self.number(depth - 1)} else {self.number(depth - 1)})"
                )
            case 5:
                return (
                    f"count({self.pick('deck', 'shown', 'sack', 'picks', 'seen', f'{self.player()}.held')})"
                )
            case 6:
                return f"{self.player()}.purse[{self.pick('plum', 'fig')}]"
            case 7:
                return f"prices[{self.number(0)} mod 3]"
            case 8:
                return f"value({self.player()}.climb)"
            case 9:
                kind = self.name("f")
                return (
                    f"sum({kind}.worth for {kind} in {self.pick('Fruit', f'{self.player()}.purse', 'sack')})"
                )
            case 10:
                space = self.name("s")
                where = self.space_flag(space)
                return f"count({space} in {self.pick('spaces', f'around({self.space()})')} where {where})"
            case 11:
                item = self.name("k")
                return f"{self.pick('most', 'least', 'sum')}({item} * 2 for {item} in picks where {item} > {self.number(0)})"
            case 12:
                player = self.name("p")
                return f"most({player}.gold for {player} in players)"
            case 13:
                return f"{self.space()}.{self.pick('x', 'y', 'height', 'mark')}"
            case 14:
                return f"room({self.player()}.purse)"
            case 15:
                return f"worth_of({self.player()}, {self.number(depth - 1)})"
            case 16:
                return f"near({self.space()})"
            case _:
                return f"-{self.number(0)}"

    def flag(self, depth: int = 2) -> str:
        if depth <= 0 or self.rnd.random() < 0.2:
            return self.pick(
                "lit", "line is empty", "n > 3", f"{self.player()}.held is not empty", "picks is empty"
            )
        match self.rnd.randrange(14):
            case 0 | 1 | 2:
                return f"{self.number(depth - 1)} {self.pick('=', '!=', '<', '>', '<=', '>=')} {self.number(depth - 1)}"
            case 3:
                return f"({self.flag(depth - 1)} {self.pick('and', 'or')} {self.flag(depth - 1)})"
            case 4:
                return f"not ({self.flag(depth - 1)})"
            case 5:
                return self.space_flag(self.space())
            case 6:
                return f"{self.number(0)} is {self.pick('', 'not ')}in {self.pick('picks', '2..7')}"
            case 7:
                return f"{self.pick('lake', 'hill(1)')} is in {self.pick('line', 'deck', 'shown')}"
            case 8:
                return f"perhaps {self.pick('=', '!=')} {self.pick('nothing', 'lake', 'hill(2)')}"
            case 9:
                player = self.name("p")
                if self.rnd.random() < 0.5:
                    return f"any({player} in players where {player}.gold > {self.number(0)})"
                return f"all({player}.gold > {self.number(0)} for {player} in players)"
            case 10:
                return f"{self.pick('east', 'north')} is in seen"
            case 11:
                return f"{self.space()} is in spots"
            case 12:
                return f"seen = [{self.pick('east', 'north', 'east, north')}]"
            case _:
                return f"rich({self.player()})"

    def space_flag(self, space: str) -> str:
        near = self.name("m")
        return self.pick(
            f"{space} is a Road",
            f"{space} is a Tile",
            f"{space} is empty",
            f"{space} is not empty",
            f"{space} is lake",
            f"{space} is hill",
            f"{space} is hill(2)",
            f"{space} is not cross",
            f"{space}.height > 1",
            f"{space}.mark = 0",
            f"({space} is a Road and {space}.owner = {self.player()})",
            f"({space} is empty and any({near} in around({space}) where {near} is a {self.pick('Tile', 'Road')}))",
            f"count({near} in around({space}) where {near} is not empty) >= {self.rnd.randrange(3)}",
            f"({space} is a Road and {space}.height = 1)",
        )

    def space(self) -> str:
        if self.spaces and self.rnd.random() < 0.7:
            base = self.rnd.choice(self.spaces)
        else:
            base = f"({self.rnd.randrange(-2, 3)}, {self.rnd.randrange(-2, 3)})"
        return f"beside({base}, {self.side()})" if self.rnd.random() < 0.2 else base

    def side(self) -> str:
        return self.pick("east", "south", "west", "north")

    def player(self) -> str:
        if self.rnd.random() < 0.08:
            return f"{self.pick('left_of', 'right_of')}({self.player()})"
        return self.rnd.choice([*self.players, *self.players, "red", "blue", "who"])

    def tile(self) -> str:
        return self.pick("lake", "hill(1)", "hill(2)")

    # ---------------------------------------------------------------------------------------- statements

    def put(self, indent: int, text: str) -> None:
        self.lines.append("  " * indent + text)

    def body(self, indent: int, size: int) -> None:
        """A block of statements; what it brings in is gone after it."""
        kept = list(self.numbers), list(self.spaces), list(self.players)
        self.depth += 1
        for _ in range(self.rnd.randrange(1, size + 1)):
            self.statement(indent)
        self.depth -= 1
        self.numbers, self.spaces, self.players = kept

    def statement(self, indent: int) -> None:
        if self.depth < 4 and self.rnd.random() < 0.35:
            self.compound(indent)
        else:
            self.put(indent, self.simple())

    def simple(self) -> str:
        if self.rnd.random() < 0.1:
            return self.known_or_out()
        match self.rnd.randrange(30):
            case 0 | 1:
                return f"set n to min(max({self.number()}, -9), 99)"
            case 2:
                return f"set {self.player()}.gold to min(max({self.number()}, 0), 60)"
            case 3:
                return f"add {self.number(0)} mod 90 to picks"
            case 4:
                k = self.name("k")
                value = self.pick("[]", "[3, 1, 3]", "picks + [7]", f"each({k} in picks where {k} > 2)")
                return f"set picks to {value}"
            case 5:
                return f"add {self.side()} to seen"
            case 6:
                return f"set seen to {self.pick('[]', '[east, west]', '[north]')}"
            case 7:
                return f"set lit to {self.flag()}"
            case 8:
                return f"set perhaps to {self.pick('nothing', 'lake', 'hill(1)')}"
            case 9:
                if not self.spaces:
                    return "set lit to yes"
                return f"set {self.rnd.choice(self.spaces)}.mark to {self.rnd.randrange(6)}"
            case 10:
                return f"put {self.rnd.randrange(1, 3)} {self.tile()} in {self.pick('deck', 'shown')}"
            case 11:
                return f"draw up to {self.number(1)} from deck to {self.pick('line', 'shown')}"
            case 12:
                return f"draw up to {self.rnd.randrange(1, 3)} from sack to heap"
            case 13:
                return self.pick("shuffle deck", "shuffle shown")
            case 14:
                return f"swap every {self.tile()} for {self.tile()} in {self.pick('deck', 'shown', 'line')}"
            case 15:
                who = self.player()
                return f"draw up to 1 from {who}.roads to {who}.held"
            case 16:
                return f"set {self.player()}.climb to {self.rnd.randrange(3)}"
            case 17:
                return f"set who to {self.player()}"
            case 18:
                return f"add {self.space()} to spots"
            case 19:
                return f"reveal {self.pick('n', f'{self.player()}.gold', f'{self.player()}.held', 'line')}"
            case 20:
                name, value = self.name("v"), self.number()
                self.numbers.append(name)
                return f"let {name} = {value}"
            case 21:
                name, value = self.name("s"), self.space()
                self.spaces.append(name)
                return f"let {name} = {value}"
            case 22:
                return f"set {self.player()}.bid to {self.rnd.randrange(10)}"
            case 23 if not self.in_step:
                return f"do work({self.player()}, {self.number(1)})"
            case 24 if not self.in_step:
                return f"do ask({self.player()})"
            case 25:
                name = self.name("c")
                self.numbers.append(name)
                return f"chance die{name}({name} in 1..{self.rnd.randrange(2, 7)})"
            case 26 if not self.in_step:
                return f"do lay({self.tile()}, {self.space()})"
            case 27:
                return (
                    f"gain up to {self.rnd.randrange(1, 9)} gold" if "you" in self.players else "set n to n"
                )
            case 28:
                return (
                    f"gain up to {self.rnd.randrange(1, 3)} {self.pick('fig', 'plum')}"
                    if "you" in self.players
                    else "set n to n"
                )
            case 29 if "you" in self.players:
                return f"pay min(you.gold, {self.rnd.randrange(1, 4)}) gold{self.pick('', f' to {self.player()}')}"
            case _:
                return "set n to n"

    def known_or_out(self) -> str:
        """What changes what players know, who plays, or what a kind has."""
        match self.rnd.randrange(8):
            case 0 if self.leaves:
                return f"eliminate {self.player()}"
            case 1 | 2 if "you" in self.players:
                return f"look at min({self.rnd.randrange(1, 3)}, count(fog)) of fog"
            case 3:
                return f"draw up to 1 from fog to {self.pick('deck', 'shown')}"
            case 4:
                return f"draw up to 2 from deck to {self.pick('fog', 'fog', 'shown')}"
            case 5:
                return f"set {self.pick('plum', 'fig')}.demand to {self.rnd.randrange(10)}"
            case 6:
                return f"set fresh to {self.rnd.randrange(10)}"
            case _:
                return self.pick("shuffle fog", "set fresh to fresh")

    def window(self, indent: int) -> None:
        """Those who choose at once, sorted loops, rounds until all pass."""
        kept = list(self.numbers), list(self.spaces), list(self.players)
        you = self.name("u") if "you" in self.players else "you"
        match self.rnd.randrange(5):
            case 0 | 1:
                how, guard = self.pick("together", "secretly"), ""
                if self.rnd.random() < 0.4:
                    guard = f" if {self.pick(f'{you}.gold > 3', f'{you}.bid < 7', 'n > 3')}"
                self.put(indent, f"{how} each player {you} from {self.player()}{guard}")
                self.at_once(indent + 1, you)
            case 2:
                name, key = self.name("p"), self.name("x")
                self.put(
                    indent,
                    f"for each {name} in clockwise({self.player()}), by {name}.gold mod 4"
                    f" {self.pick('falling', 'rising')}, {name}.bid {self.pick('falling', 'rising')}",
                )
                self.inside(indent, self.players, name)
                self.put(indent, f"for each {key} in picks, by {key} mod 3 falling")
                self.inside(indent, self.numbers, key)
            case 3 if self.depth < 3:
                self.put(indent, f"rounds for {you} from {self.player()} if {you}.gold > 2 until all pass")
                self.players = [*self.players, you]
                self.passing(indent + 1, you)
            case _:
                self.passing(indent, self.player() if you != "you" else "who")
        self.numbers, self.spaces, self.players = kept

    def at_once(self, indent: int, you: str) -> None:
        self.chosen += 1
        chooser = "" if you == "you" else f"{you}: "
        self.put(indent, f"{chooser}choose {self.pick('seal', f'seal{self.chosen}')}")
        self.put(indent + 1, "case skip(amount = -1)")
        self.put(indent + 1, f"case give(amount in 0..{self.pick(f'{you}.gold', '3', f'min({you}.bid, n)')})")
        self.put(indent + 2, f"set {you}.sealed to {self.pick('amount', 'amount + 1', '7')}")
        if self.rnd.random() < 0.4:
            kept = list(self.numbers), list(self.spaces), list(self.players)
            self.players, self.numbers = [*self.players, you], [*self.numbers, "amount"]
            self.body(indent + 2, 2)
            self.numbers, self.spaces, self.players = kept
        if self.rnd.random() < 0.4:
            self.put(indent + 1, f"case two(low in 1..3, amount in low..{you}.bid) as twice if n > 2")
            self.put(indent + 2, f"set {you}.sealed to low + amount")

    def passing(self, indent: int, you: str) -> None:
        self.chosen += 1
        chooser = "" if you == "you" else f"{you}: "
        self.put(indent, f"{chooser}choose {self.pick('spend', f'spend{self.chosen}')}")
        cost = self.pick("1", "2", f"{you}.bid")
        self.put(indent + 1, f"case (cost in 1..min({you}.gold, {cost}))")
        self.put(indent + 2, f"set {you}.gold to max({you}.gold - cost, 0)")
        self.put(indent + 2, self.simple())
        if self.rnd.random() < 0.4:
            self.put(indent + 1, f"case look(cost = 9) as peek if {you}.gold > 1 and {you}.bid > 3")
            self.put(indent + 2, f"set {you}.gold to {you}.gold - 2")
        self.put(indent + 1, "pass (cost = 0)")

    def compound(self, indent: int) -> None:
        if self.rnd.random() < 0.2:
            self.window(indent)
            return
        match self.rnd.randrange(14):
            case 0 | 1:
                self.put(indent, f"if {self.flag()}")
                self.body(indent + 1, 3)
                if self.rnd.random() < 0.5:
                    self.put(indent, "else")
                    self.body(indent + 1, 2)
            case 2:
                name = self.name("k")
                self.put(indent, f"for each {name} in {self.pick('1..3', 'picks', '0..2')}")
                self.inside(indent, self.numbers, name)
            case 3:
                name = self.name("s")
                free = self.name("e")
                source = self.pick(
                    f"around({self.space()})", "spots", f"each({free} in spaces where {free} is empty)"
                )
                self.put(indent, f"for each {name} in {source}")
                self.inside(indent, self.spaces, name)
            case 4:
                name = self.name("p")
                guard = f" if {self.flag(1)}" if self.rnd.random() < 0.4 else ""
                self.put(indent, f"each player {name} from {self.player()}{guard}")
                self.inside(indent, self.players, name)
            case 5:
                self.put(indent, f"repeat {self.rnd.randrange(1, 4)} times")
                self.inside(indent, self.numbers, "n")
            case 6:
                self.put(indent, "repeat while n > 5 and turns_left > 0")
                self.put(indent + 1, "set n to n - 3")
                self.put(indent + 1, "set turns_left to turns_left - 1")
                self.inside(indent, self.numbers, "n")
            case 7 | 8 | 9 | 10:
                self.choice(indent)
            case 11:
                self.put(indent, f"with {self.pick('2', '3')} players")
                self.body(indent + 1, 2)
            case 12 if self.loops:
                self.put(indent, f"if {self.flag(1)}: stop")
            case _:
                self.put(indent, self.simple())

    def inside(self, indent: int, locals_: list[str], name: str) -> None:
        kept = list(self.numbers), list(self.spaces), list(self.players)
        self.loops += 1
        locals_.append(name)
        self.body(indent + 1, 3)
        self.loops -= 1
        self.numbers, self.spaces, self.players = kept

    def choice(self, indent: int) -> None:
        self.chosen += 1
        chooser = "" if "you" in self.players and self.rnd.random() < 0.6 else f"{self.player()}: "
        self.put(indent, f"{chooser}choose {self.pick('act', 'move', f'pick{self.chosen}')}")
        number = self.rnd.randrange(1, 4)
        for case in range(number):
            kept = list(self.numbers), list(self.spaces), list(self.players)
            self.case(indent + 1, f"c{case}")
            self.numbers, self.spaces, self.players = kept
        kept = list(self.numbers), list(self.spaces), list(self.players)
        self.put(indent + 1, "none")
        self.put(indent + 2, self.simple())
        self.numbers, self.spaces, self.players = kept

    def case(self, indent: int, label: str) -> None:
        binders: list[str] = []
        who = self.player()
        end: list[str] = []
        # Guarded, so that nothing proves that there always is an option.
        guard = f" if {self.flag(1)}" if self.rnd.random() < 0.4 else " if turns_left >= 0"
        match self.rnd.randrange(9):
            case 0:
                name = self.name("a")
                binders = [f"{name} in 0..{self.number(1)}"]
                self.numbers.append(name)
            case 1:
                road, turn, at = self.name("r"), self.name("t"), self.name("s")
                e, m = self.name("e"), self.name("m")
                free = (
                    f"each({e} in spaces where {e} is empty and any({m} in around({e}) where {m} is a Tile))"
                )
                binders = [f"{road} in kinds({who}.held)", f"{turn} in turns({road})", f"{at} in {free}"]
                self.spaces.append(at)
                end = [f"move {road} from {who}.held to {at} turned {turn}"]
            case 2:
                tile = self.name("t")
                binders = [f"{tile} in kinds(line)"]
                where = self.pick("deck", "deck under", "shown", "shown under")
                end = [f"move {tile} from line to {where}"]
            case 3:
                a, b = self.name("a"), self.name("b")
                binders = [f"{a} in 1..3", f"{b} in {a}..4"]
                self.numbers += [a, b]
            case 4:
                a, b = self.name("a"), self.name("b")
                binders = [f"{a} in 1..3", f"{b} in 1..3"]
                guard = f" if {a} + {b} > {self.rnd.randrange(2, 6)}"
                self.numbers += [a, b]
            case 5:
                space, x, y = self.name("s"), self.name("x"), self.name("y")
                q = self.name("q")
                source = f"each({q} in spaces where {self.space_flag(q)})"
                binders = [f"for {space} in {source}", f"{x} = {space}.x", f"{y} = {space}.y"]
                self.spaces.append(space)
            case 6:
                side, fruit = self.name("d"), self.name("f")
                binders = [f"{side} in sides", f"{fruit} in kinds({who}.purse)"]
                end = [f"add {side} to seen", f"move {fruit} from {who}.purse to heap"]
            case 7:
                player = self.name("p")
                q = self.name("q")
                binders = [f"{player} in each({q} in players where {q}.gold > {self.number(0)})"]
                self.players.append(player)
            case _:
                binders = [f"{self.name('w')} = {self.pick('yes', '3')}"]
        shown = f"({', '.join(binders)})" if binders else ""
        self.put(indent, f"case {label}{shown}{guard}")
        for line in end:
            self.put(indent + 1, line)
        self.body(indent + 1, 2)

    # ---------------------------------------------------------------------------------------- the game

    def game(self) -> str:
        self.lines = [HEAD, "play", "  rounds for you from who if turns_left > 0"]
        self.put(2, "set turns_left to turns_left - 1")
        self.players = ["you"]
        self.loops = 1
        self.body(2, 6)
        self.loops = 0
        self.step("work", "you: Player, k: -999..999", ["you"], ["k"])
        self.step("ask", "you: Player", ["you"], [], asks=True)
        self.put(0, "")
        self.put(0, "step lay(t: Tile, s: Space)")
        self.put(
            1,
            "if t is in deck and s is empty and (s.x + s.y) mod 2 = 0 and s.x < 4 and s.x > -5 and s.y < 4 and s.y > -5",
        )
        self.put(2, "move t from deck to s")
        self.put(2, "do use(s, 2)")
        self.put(0, "")
        for head in ("use(hill(size), k: 0..9)", "use(lake, k: 0..9)"):
            self.put(0, f"action {head}")
            self.in_step = "use"
            self.numbers, self.spaces, self.players = ["k"], [], []
            if "size" in head:
                self.numbers.append("size")
            self.body(1, 3)
            self.put(0, "")
        self.numbers, self.spaces, self.players = ["k"], [], ["p"]
        self.put(0, "query worth_of(p: Player, k: -9..99) = k + count(p.held)")
        self.numbers, self.spaces, self.players = [], ["s"], []
        self.put(0, "query near(s: Space) = count(m in around(s) where m is a Road)")
        self.put(0, "query printed(p: Player) = prices[p.gold / 16]")
        self.put(0, "query rich(p: Player)")
        self.put(1, "let most_gold = most(q.gold for q in players)")
        self.put(1, "yes if p.gold = most_gold")
        self.put(1, "otherwise p.gold > 10")
        for number in range(self.rnd.randrange(3)):
            self.trigger(f"t{number}")
        return "\n".join(self.lines) + TAIL

    def step(
        self, name: str, params: str, players: list[str], numbers: list[str], *, asks: bool = False
    ) -> None:
        self.put(0, "")
        self.put(0, f"step {name}({params})")
        self.in_step = name
        self.players, self.numbers, self.spaces = players, numbers, []
        if asks:
            self.choice(1)
        else:
            self.depth = 3
        self.body(1, 4)
        self.numbers, self.spaces, self.players = [], [], []
        self.depth = 0
        self.in_step = ""

    def trigger(self, name: str) -> None:
        when, numbers, players, spaces = self.rnd.choice(
            [
                ("when t: Tile enters line", [], [], []),
                ("when t: lake enters shown or line", [], [], []),
                ("when s: Tile enters land", [], [], ["s"]),
                ("when s: Road enters land", [], [], ["s"]),
                ("when p gains k of gold", ["k"], ["p"], []),
                ("when p gains k of fig", ["k"], ["p"], []),
                ("whenever n > 40", [], [], []),
            ]
        )
        guard = "" if when.startswith("whenever") or self.rnd.random() < 0.5 else f" if {self.flag(1)}"
        self.put(0, "")
        self.put(0, f"trigger {name} {when}{guard}")
        if when.startswith("whenever"):
            self.put(1, "set n to n - 30")
        self.in_step = name
        self.numbers, self.players, self.spaces = numbers, players, spaces
        if self.rnd.random() < 0.4:
            self.put(1, f"{self.player()}: choose reaction")
            self.put(2, "case yes(light = yes)")
            self.put(3, "set lit to not lit")
            self.put(2, "case no(light = no)")
        else:
            self.put(
                1, self.pick("set lit to not lit", "add 1 to picks", "set who to red", "add north to seen")
            )
        self.in_step = ""


def random_rules(seed: int) -> str:
    """The text of a game; the same for the same seed."""
    return Maker(random.Random(seed)).game()
