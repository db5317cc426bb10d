"""Settings of the built documentation: `make docs`.

The pages are not those of `docs/` themselves but copies that `assemble.py` makes: see there.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from rules_lexer import RulesLexer

from conche import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Conche"
author = "The Conche authors"
version = release = __version__
root_doc = "index"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
suppress_warnings = [
    "myst.header",  # clause files begin with headings of the third level
    "misc.highlighting_failure",  # explain pages show text that is no text of the language
]

# Docstrings put code in single backquotes.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_preserve_defaults = True
maximum_signature_line_length = 90
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Conche"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_last_updated_fmt = None
pygments_style = "friendly"
pygments_dark_style = "github-dark"
highlight_language = "text"


def docstring_as_rst(
    app: object, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Docstrings are plain text: code in backquotes, also before a letter; tables and examples indented;
    purpose, input, output and invariants on new lines, which become paragraphs."""
    told: list[str] = []
    literal = False
    for line in lines:
        if re.match(r"(Purpose|Input|Output|Invariants?): ", line) and told and told[-1].strip():
            told.append("")
        indented = line.startswith("    ")
        if indented and not literal and (not told or not told[-1].strip()):
            told += ["::", ""]
            literal = True
        elif line.strip() and not indented:
            literal = False
        told.append(line if literal else re.sub(r"(?<!`)`([^`]+)`(?=\w)", r"`\1`\\ ", line))
    lines[:] = told


def without_signature(
    app: object,
    what: str,
    name: str,
    obj: object,
    options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None] | None:
    """Nobody makes an object of a protocol."""
    return ("", None) if what == "class" and getattr(obj, "_is_protocol", False) else None


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", without_signature)
    app.add_lexer("rules", RulesLexer)
    app.connect("autodoc-process-docstring", docstring_as_rst)
