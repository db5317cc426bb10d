"""Rules that fail while they are played, as a finding.

Input: the error of an engine or the interpreter, which names a line. Output: a diagnostic there, and the text
that it speaks of; without a place where the file cannot be read, or says something else now.
"""

from __future__ import annotations

from conche.diagnostics.codes import diagnose
from conche.diagnostics.model import Diagnostic, Label
from conche.resources import data_root
from conche.source import Source, SourceError, read_source
from conche_runtime.errors import RulesError


def rules_failure(
    error: RulesError, *help: str, code: str = "C0520", title: str = "the rules fail"
) -> tuple[list[Diagnostic], dict[str, Source]]:
    """The finding for rules that fail, and the text that it speaks of."""
    for path in (error.file, str(data_root() / error.file)):
        try:
            source = read_source(path, error.file)
            text = source.line(error.line)
            start = source.offset(error.line, len(text) - len(text.lstrip()) + 1)
            span = source.span(start, start + len(text.strip()))
        except (SourceError, ValueError, IndexError):
            continue
        finding = diagnose(code, f"{title}: {error.message}", Label(span), help=help)
        return [finding], {error.file: source}
    return [diagnose(code, f"{title}: {error}", help=help)], {}
