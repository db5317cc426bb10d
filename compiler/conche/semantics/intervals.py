"""Arithmetic with the bounds of numbers.

Purpose: the type of a number is the interval in which it lies; these functions give the interval of a result.
Input: `Int` types. Output: `Int` types that hold every possible result.
Invariants: sound (a result that ends in a run-time error, such as a division by 0, is left out) and monotone.
"""

from __future__ import annotations

from collections.abc import Iterable

from conche.semantics.types import Int, ListT, Maybe, SetT, TextT, Type

LARGEST = 2**53
"""No number may be able to grow beyond this (it is exact in every JSON reader)."""

LOCAL_LIMIT = 10**9
"""The bound of a local number that grows or falls in a loop."""

MANY = 10**6
"""How many pieces or elements there are at most where nothing says less."""

MOST_ITEMS = 10_000
"""How many items a list, or a set of numbers or texts, can keep. Other sets have no more than there are
things of their type."""


def is_limited(type_: Type) -> bool:
    """Whether what is kept of a type must not have more than `MOST_ITEMS` items."""
    match type_:
        case ListT():
            return True
        case SetT(element=Maybe(element=element)) | SetT(element=element):
            return isinstance(element, Int | TextT)
        case _:
            return False


def hull(*parts: Int) -> Int:
    return Int(min(part.low for part in parts), max(part.high for part in parts))


def within(inner: Int, outer: Int) -> bool:
    return outer.low <= inner.low and inner.high <= outer.high


def disjoint(a: Int, b: Int) -> bool:
    return a.high < b.low or b.high < a.low


def too_large(number: Int) -> bool:
    return number.low < -LARGEST or number.high > LARGEST


def clamp(number: Int) -> Int:
    low = min(max(number.low, -LARGEST), LARGEST)
    return Int(low, max(low, min(number.high, LARGEST)))


def negate(a: Int) -> Int:
    return Int(-a.high, -a.low)


def add(a: Int, b: Int) -> Int:
    return Int(a.low + b.low, a.high + b.high)


def subtract(a: Int, b: Int) -> Int:
    return Int(a.low - b.high, a.high - b.low)


def multiply(a: Int, b: Int) -> Int:
    return _corners(x * y for x in (a.low, a.high) for y in (b.low, b.high))


def divide(a: Int, b: Int) -> Int | None:
    """Of the floor division; None when the divisor can only be 0."""
    divisors = _divisors(b)
    if not divisors:
        return None
    return _corners(x // y for x in (a.low, a.high) for y in divisors)


def modulo(a: Int, b: Int) -> Int | None:
    """Of the floor remainder, which has the sign of the divisor; None when the divisor can only be 0."""
    if not _divisors(b):
        return None
    if a.low >= 0 and b.low >= 1 and a.high < b.low:
        return a
    high = max(b.high - 1, 0)
    low = min(b.low + 1, 0)
    if a.low >= 0 and b.low >= 0:
        high = min(high, a.high)
    return Int(low, high)


def smallest(parts: list[Int]) -> Int:
    return Int(min(part.low for part in parts), min(part.high for part in parts))


def largest(parts: list[Int]) -> Int:
    return Int(max(part.low for part in parts), max(part.high for part in parts))


def repeated(a: Int, low: int, high: int) -> Int:
    """Of the sum of `low` to `high` numbers that each lie in `a`."""
    return _corners(x * n for x in (a.low, a.high) for n in (low, high))


def _divisors(b: Int) -> list[int]:
    """Where a division by a number of `b` has its extremes."""
    return [n for n in sorted({b.low, b.high, -1, 1}) if n != 0 and b.low <= n <= b.high]


def _corners(numbers: Iterable[int]) -> Int:
    found = list(numbers)
    return Int(min(found), max(found))
