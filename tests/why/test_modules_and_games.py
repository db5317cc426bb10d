"""Explanations in modules, Schoko and the examples, worked out by hand."""

from __future__ import annotations

import random

from conche.interpret import InterpreterState

from .positions import cacao, interpreter, line_of, lines, on, reasons, values, worker

HUTS = "rules/cacao/huts.rules"
SCHOKO = "rules/schoko/schoko.rules"


def building(**data: object) -> InterpreterState:
    """Red, who has placed a worker, may build a hut."""
    state = cacao(ruleset="cacao+huts", huts_for_sale={"foreman": 1, "market_crier": 1}, **data)
    state.apply(state.move(state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [1, 2]})))
    while state.decision != "build_hut":
        state.step(0)
    return state


def test_a_hut_that_is_too_dear() -> None:
    told = building(gold=[11, 0]).explain(0, "build hut foreman")
    assert told.verdict == "illegal"
    shown = values(told)
    assert (shown["red.gold"], shown["hut.cost"]) == ("11", "12")
    assert ("huts.rules", line_of(HUTS, "case build(hut in kinds(huts_for_sale))")) in lines(told)
    assert {rule.module for rule in told.rules} == {"huts"}
    assert "A27" in {clause.id for rule in told.rules for clause in rule.clauses}
    assert told.near == ("hut can be market_crier or nothing",)


def test_a_second_copy_of_a_hut() -> None:
    told = building(gold=[20, 0], huts=[{"market_crier": 1}, {}]).explain(0, "market crier")
    failing = [one.text for one in reasons(told) if one.kind == "fails"]
    assert failing == ["'hut is not in you.huts' does not hold"]
    assert values(told)["red.huts"] == "market_crier"


def test_a_hut_that_is_not_for_sale() -> None:
    told = building(gold=[20, 0]).explain(0, "build hut chief")
    assert values(told)["kinds(huts_for_sale)"] == "market_crier, foreman"
    assert told.verdict == "illegal"


def test_a_module_that_changes_a_price_is_named() -> None:
    """With the shaman overbuilding costs no sun."""
    state = cacao(on(1, 0, worker(0)), ruleset="cacao+huts", jungle={}, display=[], huts=[{"shaman": 1}, {}])
    told = state.explain(0, "place 1-1-1-1 at 1,0")
    assert told.verdict == "legal"
    assert (values(told)["red.sun"], values(told)["overbuild_price(red)"]) == ("0", "0")
    without = cacao(on(1, 0, worker(0)), ruleset="cacao+huts", jungle={}, display=[])
    assert without.explain(0, "place 1-1-1-1 at 1,0").verdict == "illegal"


def filling(tokens: int) -> InterpreterState:
    state = cacao(
        on(0, 1, worker(1)),
        on(2, -1, worker(1)),
        ruleset="cacao+map",
        map_tokens=[tokens, 2],
        display=["water", "temple"],
        map=["sun_site", "sun_site"],
    )
    state.apply(state.move(state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [0, -1]})))
    assert state.decision == "fill"
    return state


def test_the_map_without_a_token() -> None:
    told = filling(0).explain(0, "fill source map sun site")
    assert told.verdict == "illegal"
    assert values(told)["red.map_tokens"] == "0"
    assert ("map.rules", line_of("rules/cacao/map.rules", "case map(at in gaps")) in lines(told)


def test_the_map_with_a_token() -> None:
    told = filling(1).explain(0, "fill source map sun site")
    assert told.verdict == "legal"
    assert values(told)["red.map_tokens"] == "1"
    assert told.reasons[0].rule is not None
    assert told.reasons[0].rule.module == "map"


def test_the_pile_while_there_is_a_display() -> None:
    told = filling(0).explain(0, "fill source pile")
    assert values(told)["display"] == "water, temple"
    assert told.verdict == "illegal"


def test_what_a_case_always_has_says_which_case_is_meant() -> None:
    """Who asks for the pile is told what forbids the pile, and nothing of the display and the map."""
    pile = ("cacao.rules", line_of("rules/cacao/cacao.rules", 'case pile(at in gaps, source = "pile")'))
    told = filling(0).explain(0, {"name": "fill", "args": {"at": [5, 5], "tile": "water", "source": "pile"}})
    assert lines(told) == {pile}
    failing = [one.text for one in reasons(told) if one.kind != "case"]
    assert failing == ["it has no tile", "'display is empty' does not hold"]

    told = filling(0).explain(0, "fill 5,5 source map sun site")
    assert [one.text for one in reasons(told) if one.kind == "fails"] == [
        "'you.map_tokens > 0' does not hold"
    ]
    told = filling(0).explain(0, "fill 5,5 source display water")
    assert not any("map" in file for file, _ in lines(told))


def schoko(decision: str) -> InterpreterState:
    """A random game of Schoko at its first such decision."""
    rnd = random.Random(2)
    state = interpreter("schoko").start(3, 5)
    while state.decision != decision:
        player = state.to_act[0]
        state.step(rnd.randrange(state.count(player)), player)
    return state


def test_schoko_a_price_above_the_cash() -> None:
    state = schoko("bid")
    player = state.to_act[0]
    cash = state.view(player)["cash"][player]
    # The highest price for two bars is half the cash, rounded down.
    told = state.explain(player, f"bid bars 2 price {cash // 2 + 1}")
    assert told.verdict == "illegal"
    name = state.engine.seats[player]
    assert values(told)[f"{name}.cash"] == str(cash)
    assert any(one.text.endswith(f"it is not in 1..{cash // 2}") for one in reasons(told))
    assert ("schoko.rules", line_of(SCHOKO, "case buy(bars in 1..min(16 - you.cocoa")) in lines(told)
    assert state.explain(player, f"bid bars 2 price {cash // 2}").verdict == "legal"


def test_schoko_what_belongs_to_another_phase() -> None:
    state = schoko("request")
    player = state.to_act[0]
    told = state.explain(player, "bid bars 2 price 5")
    assert (told.verdict, told.reasons[0].kind) == ("illegal", "decision")
    assert "you are asked to choose request now" in told.title
    assert any("month › buy_cocoa" in one.text for one in told.reasons)
    other = (player + 1) % 3
    assert state.explain(other, "request bars 1").reasons[0].kind == "turn"


def test_schoko_a_condition_of_another_case_forbids_nothing() -> None:
    """`do` is none of those there are: that is the reason, and not that nobody may be dismissed."""
    state = schoko("staff")
    told = state.explain(state.to_act[0], {"name": "staff", "args": {"do": "map", "category": "secretary"}})
    failing = [one.text for one in reasons(told) if one.kind != "case"]
    assert failing == ["do is hire here, not map", "do is fire here, not map"]


def test_a_list_that_is_written_out_is_shown_once() -> None:
    state = interpreter("rules/examples/tidewater.rules").start(2, 1)
    while state.decision != "send":
        state.step(0, state.to_act[0])
    told = state.explain(state.to_act[0], "send spot 0,-1 other 1,1")
    (text,) = [one for one in told.to_text() if "(0, -1) is not in [" in one]
    assert text.count("(2, 1)") == 1


def test_tictactoe_a_taken_space() -> None:
    state = interpreter("rules/examples/tictactoe.rules").start(2, 1)
    state.apply(state.move(state.find("place", {"at": [1, 1]})))
    told = state.explain(1, "1,1")
    assert values(told)["on s (1, 1)"] == "mark of cross"
    outside = state.explain(1, "3,3")
    assert outside.verdict == "illegal"
    assert not any("(3, 3)" in name and "mark" in shown for name, shown in values(outside).items())


def test_who_has_chosen_where_all_choose_at_once() -> None:
    state = interpreter("rules/examples/sealed_bids.rules").start(3, 1)
    while state.decision != "bid":
        state.step(state.count() - 1)
    first = state.to_act[0]
    state.step(3, first)
    told = state.explain(first, "bid 2")
    assert told.verdict == "illegal"
    assert told.reasons[0].text.startswith("you have chosen (bid)")
    second = state.to_act[0]
    assert state.explain(second, "bid 2").verdict == "legal"
    dear = state.explain(second, "bid 900")
    assert values(dear)[f"{state.engine.seats[second]}.money"] == str(state.view(second)["money"][second])
