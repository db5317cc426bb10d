"""All combinations of a game's modules: which there are, whether each is good, and what play reaches in them.

combinations.py   which modules go together; options in pairs (covering.py)
matrix.py         every combination composed and checked, on all cores
patterns.py       in which combinations a mistake shows, in few words
setup.py          one set-up, watched: which pieces go from where to where
census.py         what the set-up lays out, for a number of players
witness.py        games that reach the rules of a module: scouting.py, scout.py and coverage.py on the engine,
                  with wishes.py; attempt.py, distance.py and tracing.py on the interpreter; goals.py what to
                  aim at, absent.py what cannot be, hand.py what a process does, games.py a game played again
"""
