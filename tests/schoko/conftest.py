"""What the tests of Schoko & Co. share with those of the command line."""

from __future__ import annotations

from cli.conftest import conche

__all__ = ["conche"]
