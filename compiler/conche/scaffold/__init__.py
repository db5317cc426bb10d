"""First drafts of rules files: `conche new`.

draft.py       the files of a draft, and whether they are good as they stand
points.py      what of a game a module can change
new_module.py  a module for any game
new_game.py    a small whole game
"""
