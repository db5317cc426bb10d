"""Versions of a game: from what a person, a record or git names to a rulebook, with its texts.

Purpose: everything that speaks of rules which may not be those of now: comparing, explaining an old engine,
playing on with a game that began by other rules.
Input: names, digests, revisions. Output: a `Version`.

    version.py      what a version is; one of a ruleset, however its files are read
    folders.py      files that lie nowhere, in a folder of their own while they are read
    git_files.py    the files of a ruleset at a git revision
    git_driver.py   the two texts of one file that git compares
    sources.py      what a text can name: ruleset, revision, record, save, engine; a digest
"""
