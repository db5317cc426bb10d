"""What findings suggest: the names that are known, and how a thing is written."""

from __future__ import annotations

from semantics.snippets import found

SCENARIO = """\
step s(you: Player)
  choose pick
    case (tile in Tile, way = "march")
    case (tile in [water], way = "stay")
scenario "1"
  given 2 players
  {line}
"""


def hints(line: str) -> list[str]:
    return [text for finding in found(SCENARIO.format(line=line)) for text in finding.help]


def test_a_text_without_quotes_is_put_in_quotes() -> None:
    (finding,) = found(SCENARIO.format(line="move red: pick(tile = water, way = march)"))
    assert [fix.replacement for fix in finding.fixes] == ['"march"']


def test_unknown_values_list_the_known_ones() -> None:
    assert hints("move red: pick(tile = wine)") == ["the kinds of Tile: `market`, `water`"]
    assert hints('move red: pick(way = "fly")') == ['the values of \'way\': `"march"`, `"stay"`']
    assert hints("move red: pick(colour = water)") == ["its arguments: `tile`, `way`"]
    assert hints("move red: draft(tile = water)") == ["the decisions: `pick`"]
    assert hints("move rot: pick(tile = water)") == ["the seats: `red`, `blue`, `green`, `white`"]
    assert hints("chance weather: water") == ["the sources of chance: `stock`"]


def test_seats_without_names_are_explained() -> None:
    text = 'game g "G"\n  players 2..3\nplay\n  each player you from red: stop\nrank by total\n'
    (finding,) = found(text)
    assert finding.help == (
        "name the seats in the header: `seats red, blue`; without names they are `seat_0`, `seat_1` …",
    )
    assert not found(text.replace("red", "seat_0"))


def test_types_are_suggested() -> None:
    assert [finding.help for finding in found("var n: Number = 0, open\nvar b: Bool = no, open\n")] == [
        ("a number is written with its bounds, such as `0..99`",),
        ("what is yes or no has the type `flag`",),
    ]
