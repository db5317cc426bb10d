"""Looking for a game in which two versions differ.

model.py       what was found, and how much was searched
hybrid.py      the old version with one group of changes alone
lockstep.py    both versions play one game; where they first differ
guide.py       which moves lead towards a change
search.py      games until a difference is found, then shorter ones
back.py        the old version in the new names, and what was found in its own again
words.py       moves and values as a witness shows them
say.py         moves, facts and positions as rules say them
to_record.py   a witness as a record, to_scenario.py as a scenario, or why not; homes.py: where that stands
"""
