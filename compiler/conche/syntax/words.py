"""The lexer: a word of the language is one where the parser can take it, and a name elsewhere.

Input: text, and the state of the parser, which takes each token before the next one is made. Output: tokens.
Invariants: the same tokens as of lark's contextual lexer, since what is no word is lexed alike in every state
(`Layout.always_accept`). That lexer makes an expression of all terminals for each state of the parser, which
takes longer than to read a game with it; here one serves all.
"""

from __future__ import annotations

from typing import Any

from lark import Token
from lark.lexer import BasicLexer, LexerState, UnlessCallback


class Words(BasicLexer):
    __future_interface__ = 2  # lark: `lex` is given the parser's state too

    def __init__(self, conf: Any) -> None:
        # That the terminals do not collide is seen where it is asked for, not each time.
        conf.skip_validation = conf.skip_validation or not conf.strict
        super().__init__(conf)
        self._scanner = self._build_scanner()
        self._words = {
            (name, word.pattern.value): word.name
            for name, callback in self.callback.items()
            if isinstance(callback, UnlessCallback)
            for word in callback.scanner.terminals
        }
        """By terminal and text, the word that it is where the parser can take it."""
        self.callback = {}

    def next_token(self, lex_state: LexerState, parser_state: Any = None) -> Token:
        token = super().next_token(lex_state, parser_state)
        word = self._words.get((token.type, token.value))
        if word is not None and word in parser_state.parse_conf.states[parser_state.position]:
            token.type = word
        return token
