"""Traceability: which rules rest on which clauses, and who has seen them at work.

Purpose: answers for one ruleset which clauses have rules and the other way round, which rulings are in
force, and which rules scenarios and random games reach.
Input: a checked ruleset (`pipeline.Checked`). Output: a `Trace`.

    model.py   what a trace holds
    parts.py   the game and its modules, each with its clauses
    rules.py   the rules of the files: their conditions, what they cite, whether they are in force
    names.py, counted.py   what a rule is called, and what is counted for it
    claims.py  what makes a clause count, or would in another combination
    reach.py   what the interpreter reaches, in scenarios and in games
    only.py    the same of one part alone
    trace.py   puts it together: `trace_of`
    to_text.py, to_json.py, to_csv.py   the table
"""
