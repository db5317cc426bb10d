"""What `conche check` does with rulesets one by one: shows what is found, mends it, looks again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from conche.cli.options import TextOrJson
from conche.cli.output import color, put, report, say, tell, waiting
from conche.cli.trouble import GOOD, PROBLEMS, exit_code

if TYPE_CHECKING:
    from conche.diagnostics.model import Diagnostic
    from conche.source import Source


class Style(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


@dataclass
class _Found:
    """What is found in several rulesets."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    good: list[str] = field(default_factory=list)


def check_each(rulesets: Iterable[str], style: Style) -> int:
    """Checks rulesets and shows what is found."""
    found = _find(rulesets)
    _show(found, style)
    return exit_code(found.diagnostics)


def show_findings(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], style: TextOrJson) -> int:
    """What was found in a ruleset of which nothing more can be shown."""
    found = _Found(list(diagnostics), dict(sources))
    _show(found, Style(style))
    return exit_code(found.diagnostics)


def fix_each(rulesets: list[str], style: Style) -> int:
    """Mends what can be mended, says what, and shows what is left."""
    from conche.mend import mend
    from conche.rewrite import rewrite

    with waiting("mending"):
        mended = mend(dict.fromkeys(rulesets))
    for path, text in mended.texts.items():
        rewrite(path, text, mended.before[path].text)
    # What is piped on is the document alone.
    write = say if style is Style.TEXT else tell
    for finding in mended.made:
        write(_made(finding))
    if mended.made:
        write(f"mended: {len(mended.made)} of what was found, in {_files(len(mended.texts))}")
    return check_each(rulesets, style)


def show_fixes(rulesets: list[str]) -> int:
    """Shows what `fix_each` would change, or what is found where that is nothing; nothing is written."""
    from conche.mend import mend
    from conche.rewrite import changes

    with waiting("mending"):
        mended = mend(dict.fromkeys(rulesets))
    for path, text in mended.texts.items():
        source = mended.before[path]
        put(changes(source.name, source.text, text))
    if mended.made:
        return PROBLEMS
    say("nothing would be mended")
    return check_each(rulesets, Style.TEXT)


def watch_each(rulesets: list[str]) -> int:
    """Checks again whenever a file of the rulesets changes, until Ctrl-C."""
    import sys

    from conche.cli.output import flush
    from conche.cli.watch import watch

    # A file that cannot be read is waited for.
    known = {part for ruleset in rulesets for part in ruleset.split("+") if part.endswith(".rules")}

    def work() -> set[str]:
        if color(sys.stdout):
            put("\x1b[2J\x1b[3J\x1b[H")
        found = _find(rulesets)
        _show(found, Style.TEXT)
        say("watching; Ctrl-C ends it")
        flush()
        known.update(found.paths.values())
        return known

    watch(work)
    return GOOD


def _find(rulesets: Iterable[str]) -> _Found:
    from conche.api import find
    from conche.diagnostics.model import has_errors

    all_found = _Found()
    for ruleset in dict.fromkeys(rulesets):
        with waiting(f"checking {ruleset}"):
            found = find(ruleset)
        all_found.diagnostics += found.diagnostics
        all_found.sources.update(found.sources)
        all_found.paths.update(found.paths)
        if not has_errors(found.diagnostics):
            all_found.good.append(ruleset)
    return all_found


def _show(found: _Found, style: Style) -> None:
    match style:
        case Style.JSON:
            from conche.diagnostics.render_json import render_json

            put(render_json(found.diagnostics))
        case Style.SARIF:
            from conche import __version__
            from conche.diagnostics.render_sarif import render_sarif

            root = Path(os.getcwd())
            put(render_sarif(found.diagnostics, found.paths, root=root, version=__version__))
        case Style.TEXT:
            from conche.diagnostics.render_text import render_summary

            report(found.diagnostics, found.sources)
            for ruleset in found.good:
                say(f"{ruleset}: good")
            if found.diagnostics:
                say(render_summary(found.diagnostics))


def _made(finding: Diagnostic) -> str:
    texts = ", ".join(dict.fromkeys(fix.text for fix in finding.fixes))
    return f"{finding.fixes[0].span}: {texts} [{finding.code}]"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
