"""Short names for the kinds of a game: `gold_mine(2)` → `gm2`, `temple` → `tem`, `2-1-0-1` → `2101`.

Purpose: what stands in the cell of a board, and what a person may type. Input: the names of all kinds, in an
order. Output: a sign for each. Invariants: no two signs are the same, in any writing of capitals, and none is
the name of another kind; a sign takes at most `MOST` cells, unless the rules hint at one; who comes first has
the better one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conche.draw.cells import width_of

MOST = 6
_SHORT, _LONG = 3, 5


def signs_of(names: Sequence[str], hinted: Mapping[str, str]) -> dict[str, str]:
    """The sign of each name. `hinted`: those that the rules ask for; they are as they are."""
    spelt = {name.casefold() for name in names}
    taken = {sign.casefold() for sign in hinted.values()}
    signs: dict[str, str] = {}
    for name in names:
        if name in hinted:
            signs[name] = hinted[name]
            continue
        free = (
            trial
            for trial in _trials(name)
            if trial.casefold() not in taken
            and (trial.casefold() not in spelt or trial.casefold() == name.casefold())
        )
        sign = signs[name] = next(free)
        taken.add(sign.casefold())
    return signs


def _trials(name: str) -> Iterator[str]:
    base, _, values = name.partition("(")
    tail = _plain(values)
    words = [word for word in (_plain(part) for part in base.replace("_", " ").split()) if word]
    letters = "".join(words)
    stems = []
    if letters and not any(character.isalpha() for character in letters):
        stems.append(letters)
    elif len(words) > 1:
        stems.append("".join(word[0] for word in words))
    stems += [letters[:length] for length in range(_SHORT, _LONG + 1)]
    for stem in stems:
        if stem and width_of(stem + tail) <= MOST:
            yield stem + tail
    stem = letters[:2] if width_of(letters[:2]) == 2 else "k"
    for number in range(1, 10**4):
        yield f"{stem}{number}"
    yield name


def _plain(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
