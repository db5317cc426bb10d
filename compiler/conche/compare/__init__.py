"""Comparing two versions of a rulebook by what they mean.

Purpose: what changed, what it reaches, what it does to saved games, and a game that shows it.
Input: two `Version`s. Output: a `Comparison`, and its forms as text, JSON, Markdown and a page.

    model.py          what a comparison finds; found.py: a change while it is worked out
    declarations.py   a rulebook as declarations by path
    names.py          which field of a node names what; writing other names into a tree
    match.py          which declaration of the old side is which of the new side; renames.py: as changes
    digests.py        equal subtrees have equal numbers
    align.py          which item of a list is which: same, changed, moved, new, gone
    tree_diff.py      the differences of two trees, unit by unit; homes.py: bodies that are steps now
    classify.py       what kind of change a difference is; direction.py: wider or narrower;
                      context.py: whether its place is for set-up, play or scores
    wording.py        what differs without changing play: citations, clauses, titles, hints
    groups.py         changes that belong together
    reach.py          what a change can influence
    at_risk.py        the modules it may break; retyped.py: those that it does break
    verdicts.py       cosmetic, compatible or breaking, and the version number
    describe.py       a difference in one sentence; texts.py: how its place reads
    compare_versions.py   all of it in order; finish.py: changes as they are shown
    balance.py        figures of many games of both
    triage.py         old records under new rules
    migrate.py        a save of the old rules as one of the new rules; standing.py: where it stands;
                      carry.py: what it holds; not_migrated.py: why not
    witness/          a game in which the versions differ
    to_text.py, to_json.py, to_markdown.py; to_words.py and columns.py: what they share
    to_html.py        one page; marks.py: the changed nodes of its graph
"""
