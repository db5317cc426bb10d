"""Says at the head of every run which slice of the long lists of cases it takes."""

from __future__ import annotations

import slices


def pytest_report_header() -> str:
    return "slices: all" if slices.ALL else f"slices: CONCHE_SLICE={slices.number()}"
