"""Explanations in Cacao, worked out by hand from the rulebook: which rule, which values."""

from __future__ import annotations

from .positions import cacao, jungle, line_of, lines, on, reasons, values, worker

RULES = "rules/cacao/cacao.rules"


def cited(text: str) -> tuple[str, int]:
    return "cacao.rules", line_of(RULES, text)


PLACE = cited("case (worker in kinds(you.held)")
FREE = cited("query free_sites()")
OVERBUILD = cited("query may_overbuild(p: Player)")
USED_UP = cited("query tiles_are_used_up()")


def test_a_legal_place_names_the_case_and_why_the_space_is_free() -> None:
    told = cacao().explain(0, "place 2-1-0-1 turn 1 at 1,2")
    assert told.verdict == "legal"
    assert (told.name, told.args) == ("place", {"worker": "2-1-0-1", "turn": 1, "at": [1, 2]})
    assert {PLACE, FREE} <= lines(told)
    assert values(told)["kinds(red.held)"] == "1-1-1-1, 2-1-0-1"
    # The jungle tile beside (1, 2) is the market at (1, 1).
    assert values(told)["on n (1, 1)"] == "market(2)"
    clauses = {clause.id for rule in told.rules for clause in rule.clauses}
    assert {"8b", "1.4a"} <= clauses


def test_an_occupied_space() -> None:
    told = cacao(on(0, 1, worker(1))).explain(0, "place 2-1-0-1 at 0,1")
    assert told.verdict == "illegal"
    assert FREE in lines(told)
    assert values(told)["on s (0, 1)"] == "1-1-1-1 of purple"
    # Another's worker is never built over: sun and used-up tiles have nothing to do with it.
    assert OVERBUILD not in lines(told)


def test_a_space_beside_no_jungle_tile() -> None:
    told = cacao(on(1, 0, worker(1))).explain(0, "place 2-1-0-1 at 2,0")
    assert told.verdict == "illegal"
    failing = [one.text for one in reasons(told) if one.kind == "fails"]
    # (2, 0) is of the jungle's colour: its neighbours are (3, 0), (2, 1), (1, 0) and (2, -1), no tile on any.
    assert failing == ["'any(n in around(s) where n is a Jungle)' does not hold"]
    assert FREE in lines(told)


def test_a_space_far_from_everything() -> None:
    told = cacao().explain(0, "at 9,9")
    assert any("beside it" in one.text for one in reasons(told))
    assert told.near[0].startswith("at can be (2, 1) or (1, 2)") or "(1, 2)" in told.near[0]


def test_no_overbuilding_while_there_are_tiles() -> None:
    told = cacao(on(1, 0, worker(0)), sun=[2, 0]).explain(0, "place 1-1-1-1 at 1,0")
    assert told.verdict == "illegal"
    assert {OVERBUILD, USED_UP} <= lines(told)
    # The jungle pile is hidden, its size is not: of 28 tiles 7 go with two players, 2 begin the table, 2 the
    # display.
    shown = values(told)
    assert "jungle" not in shown
    assert shown["count(jungle)"] == str(28 - 7 - 2 - 2)
    assert "red.sun" not in shown


def test_no_overbuilding_without_sun() -> None:
    state = cacao(on(1, 0, worker(0)), jungle={}, display=[], sun=[0, 3])
    told = state.explain(0, "place 1-1-1-1 at 1,0")
    assert told.verdict == "illegal"
    assert OVERBUILD in lines(told)
    assert (values(told)["red.sun"], values(told)["overbuild_price(red)"]) == ("0", "1")
    assert any(clause.id == "1.7b" for rule in told.rules for clause in rule.clauses)


def test_overbuilding_for_a_sun_token() -> None:
    state = cacao(on(1, 0, worker(0)), jungle={}, display=[], sun=[1, 0])
    told = state.explain(0, "place 1-1-1-1 at 1,0")
    assert told.verdict == "legal"
    assert values(told)["red.sun"] == "1"
    assert OVERBUILD in lines(told)


def test_a_turn_that_shows_the_same_tile() -> None:
    told = cacao().explain(0, "place 1-1-1-1 turn 2 at 1,2")
    assert told.verdict == "illegal"
    assert told.near == ("with worker 2-1-0-1 it would be legal", "with turn 0 it would be legal")
    assert values(told)["turns(worker)"] == "0"


def test_a_worker_that_is_not_in_hand_and_a_space_that_is_not_free_are_both_told() -> None:
    told = cacao().explain(0, "place 3-0-0-1 at 0,0")
    said = [one.text for one in reasons(told) if one.kind == "outside"]
    assert any(text.startswith("worker cannot be 3-0-0-1") for text in said)
    assert any(text.startswith("at cannot be (0, 0)") for text in said)
    assert told.near == ("no option has worker 3-0-0-1", "no option has at (0, 0)")


def test_a_market_without_fruit_is_not_offered_as_an_edge() -> None:
    # 2-1-0-1 at (2, 1), beside the market at (1, 1) and a gold mine at (2, 0): two edges, one of them usable
    # only with fruit.
    state = cacao(
        on(2, 0, jungle("gold_mine(1)")),
        on(3, 1, jungle("gold_mine(2)")),
        on(1, 0, worker(1)),
        on(3, 0, worker(1)),
    )
    state.apply(state.move(state.find("place", {"worker": "1-1-1-1", "turn": 0, "at": [2, 1]})))
    while state.decision == "fill":
        state.step(0)
    assert state.decision == "edge"
    told = state.explain(0, "edge 2,1 west")
    assert told.verdict == "illegal"
    shown = values(told)
    assert shown["red.goods[cacao]"] == "0"
    assert ("cacao.rules", line_of(RULES, "workers(e) > 0 and p.goods[cacao] > 0 if")) in lines(told)


def test_full_goods_bound_the_harvest() -> None:
    state = cacao(goods=[{"cacao": 4}, {}], display=["temple", "water"])
    state.apply(state.move(state.find("place", {"worker": "2-1-0-1", "turn": 0, "at": [-1, 0]})))
    while state.decision == "fill":
        state.step(0)
    # 2-1-0-1 shows 2 to the east: two workers at the plantation, room for one fruit.
    told = state.explain(0, "use amount 2") if state.decision == "use" else state.explain(0, "edge")
    shown = values(told)
    assert told.verdict == "illegal"
    assert shown["room(red.goods)"] == "1"


def test_who_is_not_asked_is_told_who_is_and_nothing_else() -> None:
    told = cacao().explain(1, "place 1-1-1-1 at 1,2")
    assert told.verdict == "illegal"
    assert told.reasons[0].kind == "turn"
    assert told.reasons[0].text == "red is asked now (place)"
    assert not values(told)


def test_a_decision_of_a_later_step() -> None:
    told = cacao().explain(0, "fill 1,0 with water")
    assert told.verdict == "illegal"
    assert told.reasons[0].kind == "decision"
    assert "play › turn › fill" in told.reasons[1].text
    told = cacao().explain(0, "use amount 1")
    assert told.reasons[1].text.endswith("before it comes fill")


def test_the_end() -> None:
    state = cacao(held=[{"1-1-1-1": 1}, {}], workers=[{}, {}], jungle={}, display=[], players=2)
    while not state.over:
        state.step(0)
    told = state.explain(1, "place 1-1-1-1 at 1,2")
    assert (told.verdict, told.reasons[0].kind, told.decision) == ("illegal", "over", None)


def test_several_ways() -> None:
    told = cacao().explain(0, "at 1,2")
    # 1-1-1-1 has one turn, 2-1-0-1 four.
    assert "legal in 5 of" in told.title
    assert told.verdict == "legal"


def test_numbers_and_moves() -> None:
    state = cacao()
    by_number, by_move = state.explain(0, 3), state.explain(0, state.move(3))
    assert by_number.to_text() == by_move.to_text()
    assert by_number.args == state.move(3).args
    for wrong in (-1, state.count(), 10**40):
        told = state.explain(0, wrong)
        assert told.verdict == "illegal"
        assert "numbered" in told.title
