"""Chance: the generator, specified so that every target draws the same numbers.

Every source of chance has its own stream, named by its path in the rules (`jungle`, `workers[0]`,
`first_seat`), so that drawing from one does not shift another. A stream is a counter: draw number k (from
0) of the source `path` in a game with seed s is

    key   = mix(s XOR fnv1a64(path in UTF-8))
    draw  = mix((key + (k + 1) * 0x9E3779B97F4A7C15) mod 2**64)
    mix(z): z = (z XOR (z >> 30)) * 0xBF58476D1CE4E5B9 mod 2**64
            z = (z XOR (z >> 27)) * 0x94D049BB133111EB mod 2**64
            z XOR (z >> 31)

that is SplitMix64 (Steele, Lea, Flood 2014; public-domain reference by S. Vigna) started at `key`. A number
below n is the high half of the product: (draw * n) >> 64. An outcome of weighted possibilities is the first
one, in the order in which the source lists them, at which the running sum of weights exceeds the number
below the total weight.

Test vectors: tests/runtime/test_chance.py.
"""

from __future__ import annotations

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def fnv1a64(text: str) -> int:
    """FNV-1a, 64 bits, of the UTF-8 bytes."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def stream_key(seed: int, path: str) -> int:
    """The start of the stream of a source; 0 ≤ seed < 2**64."""
    return mix(seed ^ fnv1a64(path))


def draw(key: int, number: int) -> int:
    """Draw `number` (from 0) of a stream: 0 ≤ result < 2**64."""
    z = key + (number + 1) * GOLDEN & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def below(key: int, number: int, n: int) -> int:
    """Draw `number` of a stream as a whole number 0 ≤ result < n."""
    return draw(key, number) * n >> 64
