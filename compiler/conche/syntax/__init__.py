"""Text to AST: the first stage.

    text ── split ──► a text for each declaration ── scan, lark with layout ─► tree ─ build/ ─► AST (ast.py)
                                                        └── explain/ ──► a problem, in the language's words

`from_text.parse` reads a file, `to_text.to_text` writes it, `dump.dump` shows it for `--emit ast`.

To add a construct: its node to ast.py, its rule to grammar/conche.lark, its builder to build/, its text to
to_text.py, its form to explain/words.py, and a case each to tests/syntax/cases/good and bad.
"""
