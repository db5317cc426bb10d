"""A cache of the tests' own, and the program run within a test."""

from __future__ import annotations

from cli.conftest import cache, conche

__all__ = ["cache", "conche"]
