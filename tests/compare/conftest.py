"""A cache of the tests' own."""

from __future__ import annotations

from caches import cache

__all__ = ["cache"]
