"""SARIF: what the format demands, and that it says what the findings say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conche.diagnostics import CODES, Diagnostic, Fix, Label, diagnose
from conche.diagnostics.render_sarif import render_sarif, to_sarif
from conche.source import Source

ROOT = Path("/games")
ONE = Source("shown/one.rules", "step a\n  gian 1 coins\n  pay 1\n")
TWO = Source("two.rules", "step ä b\n")
PATHS = {"shown/one.rules": "/games/mine/one rules.rules", "two.rules": "/elsewhere/two.rules"}

MISSPELT = diagnose(
    "C0116",
    "`gian` begins no statement",
    Label(ONE.span(9, 13), "did you mean `gain`?"),
    notes=["a note"],
    fixes=[Fix(ONE.span(9, 13), "gain", "write `gain`")],
)
CLASH = diagnose(
    "C0212",
    "two modules replace the same step",
    Label(TWO.span(5, 6), "here"),
    Label(ONE.span(0, 6), "and here", primary=False),
    help=["write `follows`"],
    fixes=[Fix(TWO.span(0, 0), "x", "perhaps", safe=False)],
)
UNUSED = diagnose("C0360", "query 'f' is never used", Label(ONE.span(26, 29)))
NOWHERE = diagnose("C0227", "there is no game 'x'")


def document(*findings: Diagnostic) -> dict[str, Any]:
    return to_sarif(findings, PATHS, root=ROOT, version="1.2.3")


def results(*findings: Diagnostic) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(*findings)["runs"][0]["results"]
    return found


def check(document: dict[str, Any]) -> None:
    """What SARIF 2.1.0 demands of the parts that are used here."""
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-2.1.0.json")
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert rule["help"]["text"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        places = [*result.get("locations", []), *result.get("relatedLocations", [])]
        for place in places:
            check_place(place["physicalLocation"])
            assert place.get("message", {"text": "-"})["text"]
        for fix in result.get("fixes", []):
            assert fix["description"]["text"]
            for change in fix["artifactChanges"]:
                assert set(change["artifactLocation"]) == {"uri"}
                assert change["replacements"]
                for replacement in change["replacements"]:
                    check_region(replacement["deletedRegion"])
                    assert isinstance(replacement["insertedContent"]["text"], str)


def check_place(place: dict[str, Any]) -> None:
    assert set(place["artifactLocation"]) == {"uri"}
    assert " " not in place["artifactLocation"]["uri"]
    check_region(place["region"])


def check_region(region: dict[str, int]) -> None:
    assert set(region) == {"startLine", "startColumn", "endLine", "endColumn"}
    assert min(region.values()) >= 1
    assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def test_the_document_has_the_form() -> None:
    check(document(MISSPELT, CLASH, UNUSED, NOWHERE))
    check(document())


def test_every_code_makes_a_rule() -> None:
    check(document(*(diagnose(code, "a title") for code in CODES)))


def test_places_count_from_1_and_are_relative() -> None:
    (result,) = results(MISSPELT)
    (place,) = result["locations"]
    assert place == {
        "physicalLocation": {
            "artifactLocation": {"uri": "mine/one%20rules.rules"},
            "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 7},
        },
        "message": {"text": "did you mean `gain`?"},
    }
    assert result["message"]["text"] == "`gian` begins no statement\na note\nhelp: write `gain`"


def test_a_plain_fix_can_be_applied_and_a_proposal_is_none() -> None:
    (result,) = results(MISSPELT)
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "mine/one%20rules.rules"}
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 7},
            "insertedContent": {"text": "gain"},
        }
    ]
    (clash,) = results(CLASH)
    assert "fixes" not in clash


def test_other_places_are_related_ones() -> None:
    (result,) = results(CLASH)
    assert [place["physicalLocation"]["artifactLocation"]["uri"] for place in result["locations"]] == [
        "file:///elsewhere/two.rules"
    ]
    (other,) = result["relatedLocations"]
    assert other["id"] == 1
    assert other["message"]["text"] == "and here"


def test_severities_and_findings_without_a_place() -> None:
    found = results(UNUSED, NOWHERE)
    assert [(result["ruleId"], result["level"]) for result in found] == [
        ("C0227", "error"),
        ("C0360", "warning"),
    ]
    assert "locations" not in found[0]


def test_it_is_the_same_in_any_order() -> None:
    findings = [MISSPELT, CLASH, UNUSED, NOWHERE]
    texts = {
        render_sarif(order, PATHS, root=ROOT, version="1.2.3")
        for order in (findings, findings[::-1], [*findings, MISSPELT])
    }
    assert len(texts) == 1
    assert json.loads(texts.pop()) == document(*findings)
