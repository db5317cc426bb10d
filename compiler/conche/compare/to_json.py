"""A comparison as JSON: the documented form of `conche diff --format json` (docs/formats.md).

Input: a `Comparison`. Output: text. Invariant: `conche` goes up when the meaning of a field changes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conche.compare.balance import Balance
from conche.compare.model import Change, Comparison, Side, Text, Verdicts
from conche.compare.witness.model import Search, Witness

if TYPE_CHECKING:
    from conche.simulate.statistics import Estimate

SCHEMA = 1


def to_json(comparison: Comparison) -> str:
    return json.dumps(document(comparison), ensure_ascii=False, indent=2) + "\n"


def document(found: Comparison) -> dict[str, Any]:
    return {
        "conche": SCHEMA,
        "old": _side(found.old),
        "new": _side(found.new),
        "sameness": found.sameness.value,
        "compatibility": _verdicts(found.verdicts),
        "proposed_version": found.proposed,
        "changes": [_change(change) for change in found.changes],
        "witness": None if found.witness is None else _search(found.witness),
        "balance": None if found.balance is None else _balance(found.balance),
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "label": side.label,
        "ruleset": side.ruleset,
        "digest": side.digest,
        "versions": dict(side.versions),
    }


def _verdicts(verdicts: Verdicts) -> dict[str, Any]:
    return {
        about: {"verdict": verdict.value, "reasons": list(verdicts.reasons.get(about, ()))}
        for about, verdict in (
            ("interface", verdicts.interface),
            ("saves", verdicts.saves),
            ("records", verdicts.records),
        )
    }


def _change(change: Change) -> dict[str, Any]:
    reach = change.reach
    return {
        "id": change.id,
        "class": change.kind.value,
        "path": change.path,
        "place": change.place,
        "what": change.what,
        "group": change.group,
        "old": _text(change.old),
        "new": _text(change.new),
        "reach": {
            "direct": list(reach.direct),
            "steps": list(reach.steps),
            "decisions": list(reach.decisions),
            "queries": list(reach.queries),
            "scores": list(reach.scores),
        },
        "modules": [
            {"module": risk.module, "place": risk.place, "breaks": risk.breaks}
            | ({"why": risk.why} if risk.why else {})
            for risk in change.at_risk
        ],
        "compatibility": _verdicts(change.verdicts),
    }


def _text(text: Text | None) -> dict[str, Any] | None:
    if text is None:
        return None
    return {"text": text.text, "file": text.file, "line": text.line, "cites": list(text.cites)}


def _balance(found: Balance) -> dict[str, Any]:
    return {
        "players": found.players,
        "games": found.games,
        "failed": found.failed,
        "seed": found.seed,
        "rows": [
            {
                "what": row.what,
                "seat": row.seat,
                "old": _estimate(row.old),
                "new": _estimate(row.new),
                "change": _estimate(row.change),
            }
            for row in found.rows
        ],
        "uses": [{"change": use.change, "old": use.old, "new": use.new} for use in found.uses],
    }


def _estimate(one: Estimate) -> dict[str, Any]:
    return one.to_json()


def _search(search: Search) -> dict[str, Any]:
    return {
        "positions": search.positions,
        "games": search.games,
        "budget": search.budget,
        "missing": list(search.missing),
        "found": [_witness(witness) for witness in search.witnesses],
    }


def _witness(witness: Witness) -> dict[str, Any]:
    return {
        "group": witness.group,
        "players": witness.players,
        "seed": witness.seed,
        "moves": [
            {"player": move.player, "name": move.name, "args": dict(move.args)} for move in witness.moves
        ],
        "differs": witness.differs.value,
        "decision": witness.decision,
        "old": list(witness.old),
        "new": list(witness.new),
        "alone": witness.alone,
        "record": witness.record,
        "scenario": witness.scenario,
        "no_scenario": witness.no_scenario or None,
    }
