"""The action graph as a drawing: one HTML page to walk about in, or an SVG picture.

Input: a checked ruleset. Output: text of a file that needs nothing else, no network either.

    outline   the action graph → boxes within boxes: bands, routines, statements
    layout    one box's inside → ranks and places, by igraph
    place     a drawing with some boxes open → where everything lies
    to_svg    → the picture
    to_html   → the page; its script opens and closes boxes and places them as `place` does
"""
