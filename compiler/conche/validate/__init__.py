"""Checks of the action graph: one file per check, named like its function.

Input: an `ActionGraph`. Output: diagnostics, each with the way through the rules that shows it.
To add a check: write `check_<what>.py` with `check_<what>(graph) -> list[Diagnostic]` and a docstring that
says what it finds, why, and what it does not see; add it to `CHECKS` in `run_checks.py`, its codes to
`diagnostics/codes.py`, and bad and good cases to `tests/validate/cases/check_<what>.cases`. What the checks
share: `flow` (control, through calls), `progress` (what brings a loop nearer to its end), `labels`,
`spread`, `reveals` and `shown` (who may know what), `calls`, `same`.
"""

from conche.validate.run_checks import CHECKS, validate

__all__ = ["CHECKS", "validate"]
