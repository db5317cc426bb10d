"""Why and why not: which rule allows or forbids a move, and which rule each effect came from.

Purpose: answers in the words of the rules, for a player, from what that player may know.
Input: rules on the interpreter, a position, a question. Output: `conche_runtime.explanation.Explanation`;
`Effect`s of a move.

    texts.py        the rules as people read them: lines, clauses, modules
    words.py        values in words
    seen.py         what expressions are worth, as far as a player sees
    pattern.py      what is asked about: moves, numbers, text as a person types it
    conditions.py   why a condition holds or not, and why a value is in a collection or not
    cases.py        how far a pattern gets in the cases of a decision
    course.py       where in the course of play decisions stand
    near.py         what would be legal instead
    explain.py      puts an answer together
    from_engine.py  an engine's state as a position of the interpreter
    for_engine.py   the hook of an engine: reads its rules at the first question
    effects.py      what a move did, statement by statement
    log.py          what happened in a game, step by step, as lines and as JSON
"""

from conche.why.explain import explain

__all__ = ["explain"]
