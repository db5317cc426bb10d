"""All combinations of a game's modules: which there are, whether each is good, and what play reaches in them.

combinations.py   which modules go together; options in pairs (covering.py)
matrix.py         every combination composed and checked, on all cores
patterns.py       in which combinations a mistake shows, in few words
setup.py          one set-up, watched: which pieces go from where to where
census.py         what the set-up lays out, for a number of players
witness.py        games that reach the rules of a module
"""
