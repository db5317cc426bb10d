"""Checks of the action graph: one file per check, named like its function."""

from conche.validate.run_checks import CHECKS, validate

__all__ = ["CHECKS", "validate"]
