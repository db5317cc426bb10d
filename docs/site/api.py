"""The pages that are made of docstrings: what programs use of Conche.

Input: none. Output: pages by name, each Markdown around directives of Sphinx's autodoc.
"""

from __future__ import annotations

PAGES: dict[str, tuple[str, str, list[str]]] = {
    "engines": (
        "Engines, states, moves",
        "[Engines from Python](../runtime.md) shows how they are used.",
        [
            "conche.load",
            "conche.CompileError",
            "conche_runtime.interface",
            "conche_runtime.explanation",
            "conche_runtime.submoves",
            "conche_runtime.errors",
        ],
    ),
    "records": (
        "Records",
        "[Formats](../formats.md#records-json-lines) has the lines of a record.",
        ["conche_runtime.records", "conche_runtime.replay"],
    ),
    "bots": (
        "Bots",
        "What the author of a bot writes, and what a program does that seats them.",
        ["conche.bots"],
    ),
    "play": (
        "Games with people",
        "[Playing at the terminal](../play.md#from-python) shows how it is used.",
        ["conche.play"],
    ),
    "simulate": (
        "Simulating",
        "[Simulating](../simulate.md) shows how it is used.",
        ["conche.simulate"],
    ),
    "compiler": (
        "The compiler",
        "[The compiler](../../compiler/README.md) draws how these are put together.",
        ["conche.pipeline", "conche.diagnostics.model", "conche.scenarios", "conche.graph.model"],
    ),
}
"""By page: its title, a sentence, and what stands on it: modules, and things of the package `conche`."""

_ALONE = {"conche.load": "autofunction", "conche.CompileError": "autoexception"}


def api_pages() -> dict[str, str]:
    """By where they come to stand."""
    pages = {}
    for name, (title, intro, parts) in PAGES.items():
        text = f"# {title}\n\n{intro}\n"
        for part in parts:
            directive = _ALONE.get(part, "automodule")
            text += f"\n## {part}\n\n```{{eval-rst}}\n.. {directive}:: {part}\n```\n"
        pages[f"docs/api/{name}.md"] = text
    return pages
