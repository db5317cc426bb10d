"""The generator: published vectors of its parts, and vectors of our streams that other targets must meet."""

from __future__ import annotations

from collections import Counter

import pytest

from conche_runtime.chance import below, draw, fnv1a64, mix, stream_key


def test_splitmix64_published_vector() -> None:
    """The first numbers of SplitMix64 seeded with 1234567, as published with its reference implementation."""
    assert [draw(1234567, k) for k in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)],
)
def test_fnv1a64_published_vectors(text: str, value: int) -> None:
    assert fnv1a64(text) == value


def test_a_stream_is_splitmix64_from_its_key() -> None:
    for seed, path in ((0, "jungle"), (7, "workers[0]"), (2**64 - 1, "first_seat")):
        key = stream_key(seed, path)
        assert key == mix(seed ^ fnv1a64(path))
        state = key
        for k in range(10):
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            assert draw(key, k) == mix(state)
            assert below(key, k, 28) == draw(key, k) * 28 // 2**64


def test_streams_differ_and_numbers_are_even() -> None:
    one, two = stream_key(1, "jungle"), stream_key(1, "workers[0]")
    assert [below(one, k, 100) for k in range(8)] != [below(two, k, 100) for k in range(8)]
    counts = Counter(below(one, k, 6) for k in range(60_000))
    assert set(counts) == set(range(6))
    assert all(abs(n - 10_000) < 500 for n in counts.values())
