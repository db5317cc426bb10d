"""The words of the language, for diagnostics: how to speak of them, and what others call them.

Input: none. Output: tables and small functions over them.
Invariants: every keyword of the grammar is spelt as its terminal's name in small letters (a test checks it);
`FORMS` shows each statement and declaration as ast.py documents it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from conche.diagnostics.lists import in_a_row


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


RESERVED = frozenset(_split("and else for if in is mod no not nothing or then where yes"))
"""Words that an expression could not refer to, so that nothing may be named by them."""

KEYWORDS = frozenset(
    _split(
        "a across action add after all always and anew as at bag before begin board by called can cannot "
        "carries case chance choose chooses chosen clauses conserve do draw drop each eliminate else "
        "empty end enters enum every excludes extend falling flag follows for from gain gains game "
        "given grid group hand has hidden if in is least leave let list look maybe mod modify module most "
        "move no none not nothing of on open option or order original otherwise out over owned pass pay "
        "piece pile play player players pool put query rank repeat replace requires reveal ring rising "
        "rounds row ruling scenario score seats secret secretly set setup show shuffle space square step "
        "stop store swap take the then times to together track trigger turned under until up values "
        "var version when whenever where while with wrap written yes"
    )
)
"""All words of the grammar."""

DECLARATIONS = _split(
    "option enum piece values board pile row hand store bag pool track var each setup play step "
    "action query trigger score rank always conserve ruling scenario show"
)

CHANGES = _split("extend before after replace wrap modify with")
"""What modules say beside declarations."""

STATEMENTS = _split(
    "gain pay put take swap move draw shuffle set add drop reveal let do stop end chance choose if "
    "with for each rounds repeat original look eliminate together secretly"
)

ZONE_KINDS = _split("pile row hand store bag pool")

DATA_WORDS = frozenset(_split("PILE ROW HAND STORE BAG POOL TRACK UP FLAG YES NO NOTHING"))
"""Keywords that someone may well want to name a variable by."""

EXPRESSION_START = frozenset(_split("NAME INT STRING TYPE LPAR LSQB MINUS YES NO NOTHING NOT IF"))

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(_split("one two three four five six seven eight nine ten eleven twelve"), 1)
}
"""Numbers in letters."""

SAME_WORDS = frozenset(
    {
        ("=", "to"),
        ("from", "out of"),
        ("within", "in"),
        ("into", "to"),
        ("onto", "to"),
        ("into", "in"),
        ("then", ":"),
        (":", "="),
        ("to", ".."),
        ("-", ".."),
    }
)
"""What others write, and the word of this language that means the same in its place."""

MOST = _split("most highest greatest largest biggest")
LEAST = _split("least lowest fewest smallest")
"""What rulebooks write before a value that ranks."""

FOREIGN_VISIBILITY = {
    **dict.fromkeys(_split("public visible shown everybody all"), "open"),
    **dict.fromkeys(_split("private own owner"), "secret"),
    **dict.fromkeys(_split("unseen covered invisible"), "hidden"),
}
"""What others call it who sees a thing."""

BUILT_IN_TYPES = frozenset(_split("Player Space Side Edge"))

FOREIGN_NAMES_OF_TYPES = {
    **dict.fromkeys(_split("direction compass heading"), "Side"),
    **dict.fromkeys(_split("seat person"), "Player"),
    **dict.fromkeys(_split("cell field square position place location"), "Space"),
}
"""What others call a type that every game has."""

TYPES_ARE = (
    "a type is `flag`, `Player`, `Space`, `Side`, `Edge`, a range of numbers such as `0..9`,"
    " or the name of an `enum` or `piece`, which begins with a capital letter"
)

KINDS_ARE = "write the name of an `enum` or a `piece` as it is declared"

OPERATORS = frozenset(
    _split("OR AND EQUAL NE LE GE LESSTHAN MORETHAN IS RANGE PLUS MINUS STAR SLASH MOD DOT LSQB LPAR")
)

BINARY_OPERATORS = OPERATORS - {"IS", "DOT", "LSQB", "LPAR", "EQUAL"}

PHRASES = {"out": "out of", "up": "up to", "at": "at most"}
"""Keywords that never stand alone, where they begin something that may be missing."""

COMPARISONS = frozenset(_split("EQUAL NE LE GE LESSTHAN MORETHAN IS"))

_LOOKALIKES = str.maketrans("аеорсухіјѕԁɡοαυν", "aeopcyxijsdgoauv")
"""Letters of other scripts that are taken for Latin ones."""

SIGNS = {
    "COLON": ":",
    "COMMA": ",",
    "DOT": ".",
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "LBRACE": "{",
    "RBRACE": "}",
    "EQUAL": "=",
    "NE": "!=",
    "LE": "<=",
    "GE": ">=",
    "LESSTHAN": "<",
    "MORETHAN": ">",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "SLASH": "/",
    "RANGE": "..",
}

_CLASSES = {
    "NAME": "a name",
    "TYPE": "the name of a type",
    "INT": "a number",
    "VERSION_NUMBER": "a version such as `1.0.0`",
    "STRING": "a text in quotation marks",
    "CITE": "a citation",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the declaration",
}

NO_KEYWORDS = frozenset(_CLASSES) | frozenset(SIGNS) | {"BAD", "BLANK", "COMMENT"}
"""Terminals that are no keywords."""

FORMS = {
    "game": 'game NAME "Title"',
    "module": 'module NAME "Title" for GAME 1.x',
    "version": "version 1.0.0",
    "players": "players 2..4",
    "seats": "seats red, white",
    "clauses": 'clauses "file.md"',
    "requires": "requires NAME, NAME",
    "excludes": "excludes NAME, NAME",
    "follows": "follows NAME, NAME",
    "option": "option NAME in {a, b} = a | option NAME in 1..9 = 5",
    "enum": "enum Type",
    "piece": "piece Type",
    "values": "values NAME = [1, 2, 4]",
    "board": "board NAME square grid at most 64 across",
    "on": "on CONDITION up to 1 Type",
    "pile": "pile NAME of Type, hidden",
    "row": "row NAME of 2 Type, open",
    "hand": "hand NAME of Type, secret",
    "store": "store NAME of 5 Type, open",
    "bag": "bag NAME of Type, hidden",
    "pool": "pool NAME of Type, open",
    "track": "track NAME of [0, 1, 2], open",
    "var": "var NAME: TYPE = VALUE, open",
    "setup": "setup",
    "play": "play",
    "step": "step NAME(p: Player)",
    "action": "action NAME(KIND, e: Edge)",
    "query": "query NAME(p: Player) = VALUE | query NAME() = VALUE",
    "otherwise": "otherwise VALUE",
    "trigger": "trigger NAME when t: KIND enters ZONE | trigger NAME whenever CONDITION",
    "score": "score NAME = VALUE",
    "rank": "rank by VALUE, VALUE",
    "always": 'always "text": CONDITION',
    "conserve": "conserve Type",
    "ruling": 'ruling §A1 "text"',
    "scenario": 'scenario "title"',
    "show": "show",
    "leave": "leave out NAME, NAME",
    "order": "order NAME, NAME",
    "group": 'group "title": NAME, NAME',
    "extend": "extend Type | extend board NAME | extend choose STEP.NAME",
    "before": "before STEP add NAME",
    "after": "after STEP add NAME",
    "replace": "replace STEP | replace QUERY(x) = VALUE | replace VALUES = [1, 2, 4] | replace Type",
    "wrap": "wrap STEP",
    "modify": "modify QUERY(x): + VALUE if CONDITION",
    "declaration with": "with MODULE | with no MODULE and MODULE | with option NAME is VALUE",
    "original": "original",
    "gain": "gain 3 gold",
    "gain up": "gain up to 1 cacao",
    "pay": "pay 3 gold | pay 3 gold to PLAYER",
    "put": "put 6 water, 2 temple in ZONE",
    "take": "take 1 water out of ZONE",
    "swap": "swap every KIND for KIND in ZONE",
    "move": "move PIECE from ZONE to ZONE",
    "draw": "draw 2 from PILE to ZONE",
    "draw up": "draw up to 1 from PILE to ZONE",
    "shuffle": "shuffle PILE",
    "set": "set VARIABLE to VALUE",
    "add": "add VALUE to SET",
    "drop": "drop VALUE from SET",
    "reveal": "reveal VALUE | reveal VALUE to PLAYER",
    "look": "look at 1 of PILE",
    "eliminate": "eliminate PLAYER",
    "let": "let NAME = VALUE",
    "do": "do STEP | do STEP(ARGUMENTS)",
    "stop": "stop | stop STEP",
    "end": "end game",
    "chance": "chance NAME(x in SET)",
    "choose": "choose NAME | choose NAME(x in SET)",
    "if": "if CONDITION | if CONDITION: STATEMENT",
    "else": "else | else if CONDITION",
    "with": "with 3 or 4 players | with option NAME is VALUE",
    "with option": "with option NAME is VALUE",
    "for": "for each x in SET",
    "each": "each player p from PLAYER",
    "each player": "each player p from PLAYER",
    "declaration each": "each player has | each Type has",
    "together": "together each player you from PLAYER",
    "secretly": "secretly each player you from PLAYER",
    "each space": "each space has",
    "rounds": "rounds for p from PLAYER if CONDITION | rounds for p from PLAYER until all pass",
    "repeat": "repeat | repeat while CONDITION | repeat 3 times",
    "case": "case NAME(x in SET) if CONDITION",
    "none": "none | none: STATEMENT",
    "pass": "pass | pass (x = nothing)",
    "given": "given 2 players | given PLACE = VALUE | given PIECE at (0, 0)",
    "begin": "begin with STEP | begin with STEP(ARGUMENTS)",
    "then": "then CONDITION | then PLAYER can DECISION | then the game is over",
    "scenario move": "move PLAYER: DECISION(x = VALUE)",
    "scenario chance": "chance SOURCE: VALUE",
}
"""What a line looks like, by its first words; ` | ` stands between several forms."""

RUN_TOGETHER = {
    "upto": "up to",
    "outof": "out of",
    "foreach": "for each",
    "endgame": "end game",
    "isa": "is a",
    "isnot": "is not",
    "atmost": "at most",
    "eachplayer": "each player",
}
"""Words that are written apart."""

FOREIGN_STATEMENTS = {
    "while": "repeat while",
    "until": "if …: stop",
    "loop": "repeat",
    "forall": "for each",
    "every": "for each",
    "elif": "else if",
    "elsif": "else if",
    "elseif": "else if",
    "otherwise": "else",
    "unless": "if not",
    "when": "if",
    "return": "stop",
    "break": "stop",
    "exit": "stop",
    "leave": "stop",
    "var": "let",
    "const": "let",
    "call": "do",
    "run": "do",
    "perform": "do",
    "get": "gain",
    "give": "gain",
    "grant": "gain",
    "award": "gain",
    "earn": "gain",
    "receive": "gain",
    "spend": "pay",
    "lose": "pay",
    "discard": "move",
    "place": "move",
    "deal": "draw",
    "increase": "set",
    "decrease": "set",
    "increment": "set",
    "insert": "add",
    "remove": "drop",
    "delete": "drop",
    "exchange": "swap",
    "replace": "swap",
    "show": "reveal",
    "may": "choose",
    "random": "chance",
    "roll": "chance",
    "throw": "chance",
}
"""What other languages, and rulebooks, call a statement."""

SAME_STATEMENTS = frozenset(
    _split(
        "while loop forall every elif elsif elseif otherwise break call run perform get earn receive spend"
        " discard place deal increase decrease increment insert remove delete exchange show"
    )
)
"""Those of them that mean nothing else. `return` leaves more than `stop` does, `unless a and b` is not
`if not a and b`, what is lost may be more than there is to pay."""

SAID_OTHERWISE = {
    "until": "inside of a loop, `if CONDITION: stop` leaves it; `repeat while not …` goes on until then",
    "unless": "write `if not …`, with brackets around a condition of several parts",
    "return": "`stop` leaves the innermost loop, and where there is none the step; `stop STEP` leaves a step",
    "exit": "`stop` leaves the innermost loop, and where there is none the step; `stop STEP` leaves a step",
    "leave": "`stop` leaves the innermost loop, and where there is none the step; `stop STEP` leaves a step",
}
"""How to say what no one word does."""

NO_ONE_WORD = frozenset({"until", "unless"})
"""Those in whose place no word can be put."""

FOREIGN_DECLARATIONS = {
    "function": "query",
    "func": "query",
    "fun": "query",
    "def": "query",
    "define": "query",
    "let": "query",
    "rule": "action",
    "proc": "step",
    "procedure": "step",
    "phase": "step",
    "round": "step",
    "turn": "step",
    "start": "setup",
    "main": "play",
    "type": "enum",
    "resource": "each player has",
    "player": "each player has",
    "players": "each player has",
    "tile": "piece",
    "card": "piece",
    "token": "piece",
    "deck": "pile",
    "stack": "pile",
    "const": "values",
    "table": "values",
    "list": "values",
    "when": "trigger",
    "whenever": "trigger",
    "on": "trigger",
    "invariant": "always",
    "assert": "always",
    "test": "scenario",
    "win": "rank by",
    "winner": "rank by",
}
"""What others call a declaration."""


UNSURE_DECLARATIONS = frozenset({"type", "rule", "on", "let", "list"})
"""Those of them that may mean another: a type may be an enum or a piece, a rule an action or a step."""

FOREIGN_TYPES = {
    **dict.fromkeys(("number", "num", "int", "integer", "nat", "natural", "float", "uint"), "number"),
    **dict.fromkeys(("bool", "boolean"), "flag"),
    **dict.fromkeys(("string", "str", "text"), "text"),
}
"""What other languages call a type, and which of ours is meant."""


def speaks_of(name: str, before: str = "") -> str:
    """A regular expression of a line that speaks of a name, but for comments and texts; empty for types that
    every game has. `before`: what then stands before the name."""
    return "" if name in BUILT_IN_TYPES else rf'^[^#"\n]*{before}\b{re.escape(name)}\b'


def keyword(terminal: str) -> str | None:
    """The word that a terminal stands for, or None for one that is no keyword."""
    return None if terminal in NO_KEYWORDS else terminal.lower()


def keywords(terminals: Iterable[str]) -> list[str]:
    """The words among the terminals, sorted."""
    return sorted(word for terminal in terminals if (word := keyword(terminal)) is not None)


def expected(terminals: Iterable[str]) -> list[str]:
    """What may stand here, in words; the most telling first."""
    left = set(terminals) - {"BAD", "_DEDENT", "$END"}
    said: list[str] = []
    if {"MAYBE", "RING"} <= left:
        said.append("a type")
        left -= EXPRESSION_START | {"FLAG", "SET", "LIST", "RING", "MAYBE"}
    if {"INT", "LPAR", "MINUS"} <= left:
        said.append("a value")
        left -= EXPRESSION_START
    if {"PLUS", "DOT"} & left and left - OPERATORS:
        # After a whole value it could always go on; that is not what is missing.
        left -= OPERATORS
    for words, called in ((STATEMENTS[:8], "a statement"), (DECLARATIONS[-8:], "a declaration")):
        if {word.upper() for word in words} <= left:
            said.append(called)
            left -= {word.upper() for word in (*STATEMENTS, *DECLARATIONS, *CHANGES)} | {"NAME"}
    if {word.upper() for word in ZONE_KINDS} <= left:
        said.append("a zone")
        left -= {word.upper() for word in ZONE_KINDS}
    if len(left | set(said)) > 1:
        left.discard("CITE")
    said += sorted(f"`{SIGNS[terminal]}`" for terminal in left if terminal in SIGNS)
    said += [f"`{word}`" for word in keywords(left)]
    said += [_CLASSES[terminal] for terminal in _CLASSES if terminal in left]
    return said


def found(terminal: str, text: str) -> str:
    """What a token is, in words."""
    text = shown(text)
    match terminal:
        case "NAME":
            return f"`{text}`" if text in KEYWORDS else f"the name `{text}`"
        case "TYPE":
            return f"the type `{text}`"
        case "INT" | "VERSION_NUMBER":
            return f"the number `{text}`"
        case "STRING":
            return f"the text `{text}`"
        case "CITE":
            return f"the citation `{text}`"
        case "_NL" | "_DEDENT" | "$END" | "_INDENT":
            return _CLASSES[terminal]
        case _:
            return f"`{text}`"


def quoted(texts: Iterable[str]) -> list[str]:
    """Each as code."""
    return [f"`{text}`" for text in texts]


def written(key: str) -> str:
    """How a line of `FORMS` looks."""
    return f"it is written {one_of(quoted(FORMS[key].split(' | ')))}"


def shown(text: str) -> str:
    """A text as a message quotes it: shortened where it would fill the line."""
    return text if len(text) <= 40 else f"{text[:36]}…"


def one_of(said: list[str]) -> str:
    """`a, b or c`"""
    return in_a_row(said, "or")


def snake_case(word: str) -> str:
    """A word `writtenLikeThis` as a name; empty when it has letters that none from a to z stands for."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).casefold().translate(_LOOKALIKES)
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = re.sub(r"_+", "_", plain).strip("_")
    return plain if re.fullmatch(r"[a-z][a-z0-9_]*", plain) else ""


def camel_case(word: str) -> str:
    """A name `written_like_this` as the name of a type."""
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))
