"""`conche explain`: what a code means."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated

from conche.cli.arguments import Argument
from conche.cli.output import color, is_terminal, put, say
from conche.cli.trouble import GOOD, refuse

if TYPE_CHECKING:
    from conche.diagnostics.codes import Code


def command(
    code: Annotated[
        str | None, Argument(metavar="[CODE]", help="Such as C0201, or its name; without it, all are listed.")
    ] = None,
) -> int:
    """Explain a code of a finding: what it means, with an example and how it is mended."""
    from conche.diagnostics.codes import CODES, RANGES
    from conche.diagnostics.suggest import did_you_mean

    if code is None:
        width = max(len(one.name) for one in CODES.values())
        for codes in RANGES.values():
            for one in codes:
                say(f"{one.code}  {one.severity.value:<7}  {one.name:<{width}}  {one.summary}")
        return GOOD
    known = _find(code)
    if known is None:
        hint = did_you_mean(code.upper(), CODES) or did_you_mean(code, [one.name for one in CODES.values()])
        refuse(
            "C0501", f"there is no code '{code}'", *[hint] if hint else [], "`conche explain` lists them all"
        )
    _show(known)
    return GOOD


def _find(word: str) -> Code | None:
    """The code of that number or name: `C0310`, `310`; also as it stands in a message, `error[C0201]`."""
    from conche.diagnostics.codes import CODES

    found = re.search(r"\[(\w+)\]", word)
    word = found[1] if found else word
    number = re.fullmatch(r"[Cc]?([0-9]{1,4})", word)
    if number is not None:
        return CODES.get(f"C{number[1]:0>4}")
    named = {one.name: one for one in CODES.values()}
    return CODES.get(word.upper()) or named.get(word.lower())


def _show(code: Code) -> None:
    from conche.diagnostics.pages import page_of

    page = page_of(code.code) or ""
    title = f"{code.severity.value}[{code.code}]: {code.name}"
    text = f"{code.summary}\n\n{page}" if page else f"{code.summary}\n"
    if not is_terminal(sys.stdout):
        put(f"{title}\n\n{text}")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(no_color=not color(sys.stdout), highlight=False, width=min(Console().width, 100))
    console.print(title, style="bold", markup=False)
    console.print()
    console.print(Markdown(text, code_theme="ansi_dark"))
