"""A tiny game with all that records and replays must cope with, written by hand against `interface.py`.

*Cards and stones.* A deck of twelve cards (four each of 1, 2, 3) lies face down; `dice` says who begins.
Each player holds two cards that only he sees. In turn: `take` plays a card no larger than the heap of
stones and takes that many, then `keep` says how many of them are kept (0 up to the card's number; the rest
is put back); a card `1` is kept without asking, since `keep` then has one option, which makes it a forced
decision. Then a card is drawn, face down. Whoever has no card that fits passes. The game ends when nobody
has one, or after 12 turns. `burn` cards leave the deck face down at the start: nobody sees them.

With `together=True` the game begins with a secret `bid` of all players at once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conche_runtime.chance import below, stream_key
from conche_runtime.errors import ChanceError, IllegalMove, RulesError, SaveError
from conche_runtime.interface import (
    JSON,
    ChanceEvent,
    ChanceSource,
    ChosenEvent,
    Event,
    ForcedEvent,
    Move,
    State,
)

CARDS = ("one", "two", "three")
WORTH = {"one": 1, "two": 2, "three": 3}


@dataclass(frozen=True)
class FakeMove:
    name: str
    items: tuple[tuple[str, Any], ...]

    @property
    def args(self) -> dict[str, JSON]:
        return dict(self.items)


@dataclass
class FakeState:
    engine: FakeEngine
    players: int
    chance: ChanceSource | None
    seed: int
    log: list[Event] | None
    heap: int
    deck: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CARDS, 4))
    hands: list[list[str]] = field(default_factory=list)
    stones: list[int] = field(default_factory=list)
    table: list[JSON] = field(default_factory=list)
    draws: dict[str, int] = field(default_factory=dict)
    turn: int = 0
    turns: int = 0
    card: int = 0
    bids: dict[int, int] = field(default_factory=dict)
    bidding: bool = False

    # ---------------------------------------------------------------- chance

    def draw(
        self, source: str, outcomes: Sequence[tuple[JSON, int]], seen_by: tuple[int, ...] | None
    ) -> JSON:
        if self.chance is not None:
            value = self.chance(source, outcomes)
            if value not in [possible for possible, _ in outcomes]:
                raise ChanceError(f"{source} cannot give {value}")
        else:
            number = self.draws.get(source, 0)
            self.draws[source] = number + 1
            rest = below(stream_key(self.seed, source), number, sum(weight for _, weight in outcomes))
            for value, weight in outcomes:  # noqa: B007
                rest -= weight
                if rest < 0:
                    break
        if self.log is not None:
            self.log.append(ChanceEvent(source, value, seen_by))
        return value

    def card_for(self, seen_by: tuple[int, ...]) -> str | None:
        outcomes = [(card, count) for card, count in self.deck.items() if count]
        if not outcomes:
            return None
        card = self.draw("deck", outcomes, seen_by)
        self.deck[card] -= 1
        return str(card)

    def set_up(self) -> None:
        self.turn = int(self.draw("dice", [(seat, 1) for seat in range(self.players)], None))
        for _ in range(self.engine.burn):
            self.card_for(())
        for seat in range(self.players):
            self.hands.append([card for _ in range(2) if (card := self.card_for((seat,))) is not None])
        self.stones = [0] * self.players
        self.bidding = self.engine.together
        self.run()

    # ---------------------------------------------------------------- play

    @property
    def over(self) -> bool:
        return self.turns >= 12 or (not self.card and not self.bidding and not self.fitting())

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.over:
            return ()
        if self.bidding:
            return tuple(seat for seat in range(self.players) if seat not in self.bids)
        return (self.turn,)

    @property
    def can_pass(self) -> bool:
        return False

    @property
    def decision(self) -> str | None:
        if self.over:
            return None
        return "bid" if self.bidding else "keep" if self.card else "take"

    def fitting(self) -> list[str]:
        """The cards that may be played by the first seat from `turn` on that has any."""
        for step in range(self.players):
            hand = self.hands[(self.turn + step) % self.players]
            fitting = [card for card in CARDS if card in hand and WORTH[card] <= self.heap]
            if fitting:
                return fitting
        return []

    def options(self) -> list[FakeMove]:
        if self.bidding:
            return [FakeMove("bid", (("stones", n),)) for n in range(3)]
        if self.card:
            low = 1 if self.card == 1 else 0
            return [FakeMove("keep", (("stones", n),)) for n in range(low, self.card + 1)]
        return [FakeMove("take", (("card", card), ("at", (self.turns, 0)))) for card in self.fitting()]

    def do(self, move: FakeMove, player: int) -> None:
        args = move.args
        if move.name == "bid":
            self.bids[player] = args["stones"]
            if len(self.bids) == self.players:
                self.bidding = False
                if self.log is not None:
                    self.log += [
                        ChosenEvent(seat, "bid", {"stones": self.bids[seat]}, False, (seat,))
                        for seat in range(self.players)
                    ]
                for seat, bid in self.bids.items():
                    self.stones[seat] += bid
        elif move.name == "take":
            self.hands[self.turn].remove(args["card"])
            self.card = WORTH[args["card"]]
            piece = {"kind": args["card"], "owner": self.turn}
            self.table.append({"at": [self.turns, 0], "pieces": [piece]})
        else:
            self.stones[self.turn] += args["stones"]
            self.heap -= args["stones"]
            if self.heap == self.engine.broken_at:
                raise RulesError("the heap must not be here", "fake.rules", 7)
            self.card = 0
            card = self.card_for((self.turn,))
            if card is not None:
                self.hands[self.turn].append(card)
            self.turns += 1
            self.turn = (self.turn + 1) % self.players

    def run(self) -> None:
        while not self.over and not self.bidding:
            if not self.card:
                for _ in range(self.players):
                    if any(WORTH[card] <= self.heap for card in self.hands[self.turn]):
                        break
                    self.turn = (self.turn + 1) % self.players
            options = self.options()
            if len(options) != 1:
                return
            if self.log is not None:
                self.log.append(ForcedEvent(self.turn, options[0].name, options[0].args))
            self.do(options[0], self.turn)

    def _player(self, player: int | None) -> int:
        if self.over:
            raise IllegalMove("the game is over")
        if player is None and len(self.to_act) != 1:
            raise IllegalMove("several players choose: say which")
        chosen = self.to_act[0] if player is None else player
        if chosen not in self.to_act:
            raise IllegalMove(f"seat {chosen} is not asked")
        return chosen

    def legal_moves(self, player: int | None = None) -> list[Move]:
        self._player(player)
        return list(self.options())

    def count(self, player: int | None = None) -> int:
        return len(self.legal_moves(player))

    def move(self, index: int, player: int | None = None) -> Move:
        moves = self.legal_moves(player)
        if not 0 <= index < len(moves):
            raise IllegalMove(f"there is no option {index}")
        return moves[index]

    def find(self, name: str, args: Mapping[str, JSON], player: int | None = None) -> int:
        wanted = json.dumps([name, dict(args)], sort_keys=True)
        for index, move in enumerate(self.legal_moves(player)):
            if json.dumps([move.name, move.args], sort_keys=True) == wanted:
                return index
        raise IllegalMove(f"no such '{name}' among the options")

    def step(self, index: int, player: int | None = None) -> None:
        move = self.move(index, player)
        assert isinstance(move, FakeMove)
        self.do(move, self._player(player))
        self.run()

    def apply(self, move: Move, player: int | None = None) -> None:
        self.step(self.find(move.name, move.args, player), player)

    # ---------------------------------------------------------------- looking

    @property
    def scores(self) -> list[dict[str, int]]:
        return [
            {"total": stones + len(hand), "hand": len(hand), "stones": stones}
            for stones, hand in zip(self.stones, self.hands, strict=True)
        ]

    @property
    def ranking(self) -> list[list[int]]:
        totals = [score["total"] for score in self.scores]
        return [
            [seat for seat, own in enumerate(totals) if own == total]
            for total in sorted(set(totals), reverse=True)
        ]

    def clone(self) -> State:
        return FakeState(
            **{
                **self.__dict__,
                "log": None,
                "deck": dict(self.deck),
                "hands": [list(hand) for hand in self.hands],
                "stones": list(self.stones),
                "table": list(self.table),
                "draws": dict(self.draws),
                "bids": dict(self.bids),
            }
        )

    def to_json(self) -> str:
        data = {key: value for key, value in self.__dict__.items() if key not in ("engine", "chance", "log")}
        return json.dumps({"digest": self.engine.digest, **data})

    def snapshot(self) -> dict[str, JSON]:
        asked: JSON = None if self.over else {"name": self.decision, "player": self.to_act[0]}
        if self.bidding:
            chosen = [[seat, {"stones": bid}] for seat, bid in sorted(self.bids.items())]
            asked = {"name": "bid", "player": None, "chosen": chosen}
        hands = [{card: hand.count(card) for card in CARDS if card in hand} for hand in self.hands]
        return {
            "heap": self.heap,
            "deck": {card: count for card, count in self.deck.items() if count},
            "held": hands,
            "stones": list(self.stones),
            "table": list(self.table),
            "decision": asked,
        }

    def view(self, player: int) -> dict[str, JSON]:
        view = self.snapshot()
        view["deck"] = {"size": sum(self.deck.values())}
        view["held"] = [
            held if seat == player else {"size": sum(held.values())} for seat, held in enumerate(view["held"])
        ]
        return {**view, "to_act": list(self.to_act), "you": player}

    def sample(self, player: int, seed: int | None = None) -> State:
        raise NotImplementedError


class FakeEngine:
    """The rules can be varied, for records that no longer fit."""

    ruleset = "stones"
    digest = "f" * 64
    versions: Mapping[str, str] = {"stones": "1.0.0"}
    options: Mapping[str, str] = {"heap": "large"}
    min_players = 2
    max_players = 4
    seats: tuple[str, ...] = ("red", "blue", "green", "white")

    def __init__(
        self, heap: int = 14, together: bool = False, burn: int = 1, broken_at: int | None = None
    ) -> None:
        self.heap, self.together, self.burn, self.broken_at = heap, together, burn, broken_at

    def start(
        self,
        players: int,
        seed: int | None = None,
        chance: ChanceSource | None = None,
        log: bool = False,
    ) -> State:
        if not self.min_players <= players <= self.max_players:
            raise ValueError(f"stones is for 2 to 4 players, not {players}")
        seed = secrets.randbits(64) if seed is None else seed
        state = FakeState(self, players, chance, seed, [] if log else None, self.heap)
        state.set_up()
        return state

    def from_json(self, text: str) -> State:
        try:
            data = json.loads(text)
        except ValueError:
            raise SaveError("not a save") from None
        if data.pop("digest") != self.digest:
            raise SaveError("a save of other rules")
        data["bids"] = {int(seat): bid for seat, bid in data["bids"].items()}
        return FakeState(engine=self, chance=None, log=None, **data)
