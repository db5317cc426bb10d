"""What a player cannot know, drawn anew.

Purpose: `State.sample`: full positions for a search that must not look at hidden pieces.
Input: a position and a player. Output: another position with the same view for that player.
Invariants: sizes stay; what the player sees stays.

Zones whose pieces the player cannot see are pooled where a statement of the rules carries pieces straight
from one to the other, seat by seat where both belong to the same player: so the pieces in a pile and those
drawn from it into another's hand are exchanged. What lies in one that only a seen zone feeds is known to
who watched, and stays; so do the pieces of a pile that the player knows where they lie. Of those that others
know there, the player knows only that they do.

What others have chosen at once and not shown is chosen anew among their options. What they chose `secretly`
before is made anew only as far as variables still hold it: a variable that the chosen case set, to the
argument or to another value that the choice alone decides, gets what another option gives. All other secret
variables stay: whatever changes them is seen by all, so who remembers knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conche.interpret.book import Book
from conche.interpret.chance import pick
from conche.interpret.decisions import Program
from conche.interpret.position import Heap, Position, knows
from conche.interpret.rechoose import choose_anew
from conche.interpret.show import sees
from conche.semantics.rulebook import Draw, Expr, GlobalVar, Lit, Local, Move, PayPieces, PlayerVar, ZoneRef
from conche_runtime.chance import below, stream_key

TRIES = 100

ZoneKey = tuple[str, int]


def redraw(
    program: Program, position: Position, player: int, seed: int, playable: Callable[[Position], bool]
) -> Position:
    """A position that the player cannot tell from this one, with streams of its own. One that is not
    `playable` (no choice where all see that somebody is asked) is drawn again, a limited number of
    times."""
    groups = _groups(program, position, player)
    numbers = _Numbers(seed)
    drawn = position
    for _ in range(TRIES):
        drawn = position.copy()
        drawn.seed, drawn.draws = seed, {}
        for group in groups:
            _deal(program.book, drawn, group, player, numbers)
        choose_anew(program, drawn, player, numbers.below)
        if playable(drawn):
            break
    return drawn


class _Numbers:
    """Numbers for dealing, from a stream of their own."""

    def __init__(self, seed: int) -> None:
        self._key = stream_key(seed, "sample")
        self._used = 0

    def pick(self, weights: list[int]) -> int:
        self._used += 1
        return pick(self._key, self._used - 1, weights)

    def below(self, count: int) -> int:
        """0 ≤ result < count."""
        self._used += 1
        return below(self._key, self._used - 1, count)


def _deal(book: Book, position: Position, group: list[ZoneKey], player: int, numbers: _Numbers) -> None:
    """Deals the pieces of a group of zones anew, but for those that the player knows where they lie."""
    of = book.zone(group[0][0]).of
    pool: dict[str, int] = {}
    for key in group:
        for kind, number in position.heaps[key].total().items():
            pool[kind] = pool.get(kind, 0) + number
    for key in group:
        for kind in _known_to(position.heaps[key], player):
            pool[kind] -= 1

    def next_piece() -> str:
        counts = book.by_order(of, pool)
        kind = list(counts)[numbers.pick(list(counts.values()))]
        pool[kind] -= 1
        return kind

    for key in group:
        heap = position.heaps[key]
        if book.zone(key[0]).kind == "row":
            heap.top = [next_piece() for _ in heap.top]
            continue
        for part, masks in ((heap.top, heap.top_known), (heap.bottom, heap.bottom_known)):
            for place, mask in enumerate(masks):
                if not knows(mask, player):
                    part[place] = next_piece()
        size, heap.counts = sum(heap.counts.values()), {}
        for _ in range(size):
            heap.add(next_piece())


def _known_to(heap: Heap, player: int) -> Iterator[str]:
    for part, masks in ((heap.top, heap.top_known), (heap.bottom, heap.bottom_known)):
        for kind, mask in zip(part, masks, strict=False):
            if knows(mask, player):
                yield kind


def _groups(program: Program, position: Position, player: int) -> list[list[ZoneKey]]:
    """The zones that the player cannot look into, those whose pieces are pooled together."""
    book = program.book
    unseen = [
        (name, seat)
        for name, zone in book.rulebook.zones.items()
        for seat in book.seats(zone.owner, position.players)
        if not sees(zone.visibility, seat, player)
    ]
    group_of: dict[ZoneKey, ZoneKey] = {key: key for key in unseen}

    def root(key: ZoneKey) -> ZoneKey:
        while group_of[key] != key:
            key = group_of[key]
        return key

    for source, target, same_seat in _flows(program):
        for one in [key for key in unseen if key[0] == source]:
            for other in [key for key in unseen if key[0] == target]:
                if not same_seat or one[1] == other[1]:
                    group_of[root(other)] = root(one)
    groups: dict[ZoneKey, list[ZoneKey]] = {}
    for key in unseen:
        groups.setdefault(root(key), []).append(key)
    return list(groups.values())


def _flows(program: Program) -> Iterator[tuple[str, str, bool]]:
    """Which zones pieces are carried between by one statement, and whether always those of one player."""
    for node in program.graph.nodes():
        match node.owns:
            case (
                Move(source=source, target=ZoneRef() as target)
                | Draw(source=source, target=ZoneRef() as target)
            ):
                same = source.player is not None and target.player is not None
                yield source.name, target.name, same and _same(source.player, target.player)
            case PayPieces(zone=zone, to=to) if to is not None:
                yield zone.name, zone.name, False
            case _:
                pass


def _same(one: Expr | None, other: Expr | None) -> bool:
    """Whether two expressions certainly mean the same player."""
    match one, other:
        case Local(slot=a), Local(slot=b):
            return a == b
        case GlobalVar(name=a), GlobalVar(name=b):
            return a == b
        case Lit(value=a), Lit(value=b):
            return a == b
        case PlayerVar(name=a, player=p), PlayerVar(name=b, player=q):
            return a == b and _same(p, q)
        case _:
            return False
