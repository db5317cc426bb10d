"""`conche replay --triage DIR`: which records of a folder still replay to the same result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conche.cli.output import put, report, say, waiting
from conche.cli.trouble import GOOD, PROBLEMS, TROUBLE, refuse

if TYPE_CHECKING:
    from conche.compare.triage import Sorted, Triage

SCHEMA = 1
_MOST = 3


def triage(folder: str, ruleset: str | None, *, as_json: bool) -> int:
    """Sorts the records of a folder under `ruleset`, by default under what each names as it is now."""
    from conche.compare.triage import Triage
    from conche.pipeline import CompileError
    from conche.versions.sources import read_version
    from conche_runtime.errors import RecordError
    from conche_runtime.records import read_record

    if not Path(folder).is_dir():
        refuse("C0501", f"'{folder}' is no folder", "--triage takes a folder of records")
    files = sorted(Path(folder).glob("**/*.jsonl"))
    if not files:
        refuse("C0501", f"there are no records below '{folder}'", "records are files that end in .jsonl")
    sorters: dict[str, Triage] = {}
    found: list[Sorted] = []
    for file in files:
        named = ruleset
        if named is None:
            try:
                named = read_record(file).header.ruleset
            except RecordError:
                named = next(iter(sorters), None)
                if named is None:
                    found.append(_unreadable(file))
                    continue
        if named not in sorters:
            try:
                with waiting(f"compiling {named}"):
                    sorters[named] = Triage(read_version(named))
            except CompileError as error:
                report(error.diagnostics, error.sources)
                return TROUBLE
        with waiting(f"replaying {file}"):
            found.append(sorters[named].sort(str(file)))
    if as_json:
        put(json.dumps(_document(found), ensure_ascii=False, indent=2) + "\n")
    else:
        _show(found)
    return GOOD if all(one.outcome == "same" for one in found) else PROBLEMS


def _unreadable(file: Path) -> Sorted:
    from conche.compare.triage import Outcome, Sorted
    from conche_runtime.errors import RecordError
    from conche_runtime.records import read_record

    try:
        read_record(file)
    except RecordError as error:
        return Sorted(str(file), Outcome.UNREADABLE, None, str(error))
    raise AssertionError("it can be read")


def _show(found: list[Sorted]) -> None:
    from conche.diagnostics.lists import counted

    for one in found:
        where = "" if one.line is None else f", line {one.line}"
        say(f"{one.outcome.value:<10} {one.file}{where}{': ' if one.message else ''}{one.message}")
        for change in one.because[:_MOST]:
            place = change.new or change.old
            where = f" ({place.file}:{place.line})" if place is not None and place.file else ""
            say(f"           {'because of' if one.sure else 'perhaps because of'} {change.what}{where}")
        if len(one.because) > _MOST:
            say(f"           and {len(one.because) - _MOST} more")
        if one.note:
            say(f"           {one.note}")
    counts = [
        f"{number} {outcome}"
        for outcome in dict.fromkeys(one.outcome.value for one in found)
        for number in [sum(one.outcome == outcome for one in found)]
    ]
    say(f"{counted(len(found), 'record')}: {', '.join(counts)}")


def _document(found: list[Sorted]) -> dict[str, Any]:
    return {
        "conche": SCHEMA,
        "records": [
            {
                "file": one.file,
                "outcome": one.outcome.value,
                "line": one.line,
                "message": one.message,
                "because": [
                    {"class": change.kind.value, "path": change.path, "what": change.what}
                    for change in one.because
                ],
                "sure": one.sure,
                "note": one.note,
            }
            for one in found
        ],
    }
