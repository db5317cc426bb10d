"""Modules: which files make up a ruleset, and how they are put together.

Purpose: from the name of a ruleset to a closed rulebook. Input: `cacao+huts:overbuild=early`. Output: a
`Rulebook`, the texts it came from, findings.

    parse_ruleset.py   the name of a ruleset; naming.py: what to write in place of a wrong one
    library.py         the modules of a game, each read, parsed and typed once
    beside.py, data.py files that rules name: clauses; rows and numbers
    load.py            all of it, from name to rulebook
    compose.py         changes laid over the game: commute.py says in which order, layers.py lays them over a
                       draft.py, modified.py settles what `modify` did
    finish.py          what holds of the whole combination only; retype.py: ranges anew; gone.py: kinds that
                       are gone; absent_options.py: options of modules that are not there
    rebuild.py         copies what changes of a tree, shares the rest
    elsewhere.py       scenarios of the same files that are for other rulesets
"""
