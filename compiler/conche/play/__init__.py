"""A game that people play, without any terminal. One file per concern.

Purpose: what stands behind `conche play`; to be used by other front ends too.
Input: an engine, who sits where, moves. Output: positions, turns, records, saved games.
Invariant: nothing here reads from a keyboard or writes to a terminal.

    session.py              the game, taking back
    turns.py                what happened, and who learnt what of it
    recording.py, saved.py  the file of a record; the file of a game that is to go on later
    question.py, typed.py   from what a person types to an option
    points.py, in_words.py  which points a player can work out; hand, points and what was learnt, in words
    by_rules.py             what happened, with the rule that each effect came from
    look_up.py              clauses, declarations and words in the rules
    rounds.py               where rounds begin
"""

from __future__ import annotations

from conche.play.session import HUMAN, Made, NotTakenBackError, Recording, Session
from conche.play.turns import Learnt, Turn

__all__ = ["HUMAN", "Learnt", "Made", "NotTakenBackError", "Recording", "Session", "Turn"]
