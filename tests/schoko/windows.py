"""Express cards, as the referee of Schoko & Co. plays them: the windows, who can be hit, and what happens.

Section 4.5 of the rulebook, by the rulebook alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from schoko.asking import Asking, Flow, Listed
from schoko.table import CARDS, EXPRESS, SPACES, WAGES


class Windows(Asking):
    """A game with express cards."""

    def window(self, kind: int, card: str = "", winner: int = -1, present: Iterable[int] = ()) -> Flow:
        """4.5, A99: rounds until nobody plays. After a contract: `card`, `winner`, and who took part."""
        if self.month == 1:
            return
        played, present = True, set(present)
        while played:
            played = False
            for seat in self.order():
                cards = [one for one in EXPRESS if one in self.firms[seat].cards and kind in EXPRESS[one]]
                options = Listed(
                    ("express", {"card": one, "target": target})
                    for one in cards
                    for target in self.living()
                    if target != seat and not self.firms[target].hit
                    if self.playable(one, seat, target, card, winner, present)
                )
                if not options:
                    continue
                options.append(("express", {"card": None, "target": None}))
                _, args = yield from self.ask(seat, "express", options)
                if args["card"] is None:
                    continue
                played = True
                self.firms[seat].cards.remove(args["card"])
                self.played.append(args["card"])
                self.firms[args["target"]].hit = True
                if args["card"] == "skandaloes":
                    self.cede(card, winner, seat)
                    winner = -1
                elif args["card"] == "schlimm":
                    self.price[card] //= 2
                else:
                    yield from self.strike(args["card"], args["target"])

    def playable(self, one: str, seat: int, target: int, card: str, winner: int, present: set[int]) -> bool:
        if one == "skandaloes":  # A81
            return target == winner and seat in present and self.firms[seat].chocolate >= CARDS[card][0]
        return one != "schlimm" or (target == winner and seat in present)

    def cede(self, card: str, loser: int, taker: int) -> None:
        """A100."""
        bars, one, other = CARDS[card][0], self.firms[loser], self.firms[taker]
        back = min(bars, SPACES - one.chocolate)
        one.chocolate += back
        other.chocolate -= bars
        self.bank_bars += bars - back
        one.office.remove(card)
        other.office.append(card)
        one.deals -= 1
        other.deals += 1

    def strike(self, card: str, target: int) -> Flow:
        firm = self.firms[target]
        match card:
            case "bedauerlich":
                lost = firm.chocolate // 3
                firm.chocolate -= lost
                self.bank_bars += lost
            case "fuerchterlich":
                for seat in self.clockwise(target + 1):
                    if seat != target and firm.chocolate:
                        firm.chocolate -= 1
                        room = self.firms[seat].chocolate < SPACES
                        self.firms[seat].chocolate += room
                        self.bank_bars += not room
            case "ruehrend":
                self.owe(target, firm.employees)
            case "schlapp":
                firm.slack = True
            case "katastrophal":
                firm.tired = True
            case "grosszuegig":
                kept = [category for category in WAGES if firm.staff[category]]
                if kept:
                    firm.leave = yield from self.number(target, "vacation", "category", kept)
            case "entsetzlich":
                firm.marker = max(0, firm.marker - 2)
            case "spitze":
                for seat in self.clockwise(target + 1):
                    if seat != target:
                        self.owe_to(target, 5, seat)
            case "schmerzlich":
                firm.idle = True
