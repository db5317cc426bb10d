"""The rulebook of one combination, printed: what a table needs to play just that.

Purpose: one text out of a game, its modules and options, in the order of play.
Input: a checked ruleset (`pipeline.Checked`). Output: a `Booklet`, and of that Markdown or HTML.

    model.py        sections and what stands in them
    course.py       in which order steps come, with those that modules add
    outline.py      the chapters: which rules stand in which section
    homes.py        which section shows which clause in full
    components.py   tables of what lies on the table, by number of players
    rule_text.py    the rules as they count in this combination
    from_checked.py puts it together: `booklet_of`
    to_markdown.py, to_html.py, clause_html.py, templates/   the text
"""
