"""Covering arrays: every two values of two options meet in a row."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conche.lattice import covering
from conche.lattice.covering import covering_array

FACTORS = st.lists(st.integers(1, 4), max_size=5).map(
    lambda sizes: {f"f{n}": tuple(f"v{i}" for i in range(size)) for n, size in enumerate(sizes)}
)


def check(factors: dict[str, tuple[str, ...]]) -> list[dict[str, str]]:
    rows = covering_array(factors)
    for row in rows:
        assert list(row) == list(factors)
        assert all(row[name] in values for name, values in factors.items())
    for (one, ones), (two, twos) in combinations(factors.items(), 2):
        assert {(row[one], row[two]) for row in rows} == set(product(ones, twos))
    for name, values in factors.items():
        assert {row[name] for row in rows} == set(values)
    assert rows[0] == {name: values[0] for name, values in factors.items()}
    assert len({tuple(row.items()) for row in rows}) == len(rows)
    return rows


@pytest.mark.slow
@given(FACTORS)
def test_every_pair_of_values_meets(factors: dict[str, tuple[str, ...]]) -> None:
    rows = check(factors)
    assert covering_array(factors) == rows


def test_where_there_are_too_many_rows_to_look_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "MOST_ROWS", 1)
    for sizes in ((2,), (2, 2, 2, 2), (3, 1, 2, 5), (4, 4, 4, 4, 4, 4)):
        rows = check({f"f{n}": tuple(f"v{i}" for i in range(size)) for n, size in enumerate(sizes)})
        assert len(rows) <= 40


@pytest.mark.parametrize(("options", "most"), [(0, 1), (1, 2), (2, 4), (3, 4), (4, 6), (8, 9), (12, 16)])
def test_the_rows_are_few(options: int, most: int) -> None:
    assert len(check({f"f{n}": ("yes", "no") for n in range(options)})) <= most
