"""Diagnostics: one model of a finding, the registry of codes, and a renderer for each format.

Purpose: the names that every stage needs to report something.
Input: none. Output: `Diagnostic` and its parts, `diagnose`, `CODES`, `did_you_mean`.
Invariant: imports nothing but its own modules; `render_text` and `render_json` are for those that render.
"""

from conche.diagnostics.codes import CODES, Code, diagnose
from conche.diagnostics.model import Diagnostic, Fix, Label, Severity, has_errors, in_order
from conche.diagnostics.suggest import closest, did_you_mean, is_slip

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Fix",
    "Label",
    "Severity",
    "closest",
    "diagnose",
    "did_you_mean",
    "has_errors",
    "in_order",
    "is_slip",
]
