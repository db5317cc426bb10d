"""Every diagnostic code, and `diagnose`, which makes a diagnostic of one.

Purpose: the registry that keeps codes stable and documented.
Input: none. Output: `CODES`.
Invariants: a code keeps its meaning for ever; a dropped one is not given out again. Each has an explain page
and a failing and a passing test. Add a code to the list of its range, in order.

    C00xx  files, and use of the tool
    C01xx  syntax
    C02xx  names, types, modules
    C03xx  checks of the action graph
    C04xx  scenarios
    C05xx  run time, records, saves
"""

from collections.abc import Iterable
from dataclasses import dataclass

from conche.diagnostics.model import Diagnostic, Fix, Label, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding."""

    code: str
    name: str
    """What it is called in words, `lower-case-with-hyphens`."""
    severity: Severity
    summary: str
    """One sentence: what is wrong when this is reported."""


_FILES = [
    Code("C0001", "missing-file", _E, "A file that was named does not exist."),
    Code("C0002", "not-a-file", _E, "A folder, pipe or device was named where a rules file is needed."),
    Code("C0003", "unreadable-file", _E, "The system refuses to read a file."),
    Code("C0004", "not-utf8", _E, "A rules file is not UTF-8 text."),
    Code("C0005", "binary-file", _E, "A file holds NUL bytes, so it is no text."),
    Code("C0006", "file-too-large", _E, "A rules file is larger than 1 MiB."),
]

_SYNTAX = [
    Code("C0101", "unknown-character", _E, "A character has no meaning where it stands."),
    Code("C0102", "foreign-sign", _E, "A sign belongs to another language or to typesetting."),
    Code("C0103", "unclosed-text", _E, "A text in quotation marks does not end on its line."),
    Code("C0104", "unmatched-bracket", _E, "A closing bracket has no opening one, or one of another kind."),
    Code("C0105", "unclosed-bracket", _E, "A bracket is opened and not closed."),
    Code("C0106", "tab-indentation", _E, "A line is indented with a tab instead of blanks."),
    Code("C0107", "uneven-indentation", _E, "A line is indented like none of the blocks above it."),
    Code("C0108", "unexpected-indentation", _E, "A line is indented below one that takes no block."),
    Code("C0109", "nested-too-deep", _E, "Brackets, operations or blocks nest too deep."),
    Code("C0110", "number-too-long", _E, "A number has more than 18 digits."),
    Code("C0111", "malformed-name", _E, "A name has letters that it cannot have, or the wrong case."),
    Code("C0112", "malformed-number", _E, "A number is not whole, or letters follow it."),
    Code("C0113", "malformed-citation", _E, "What follows `§` is not the number of a clause."),
    Code("C0114", "unexpected-word", _E, "A line is not written as the language wants it."),
    Code("C0115", "unknown-declaration", _E, "A line at the left margin begins with no declaration's word."),
    Code("C0116", "unknown-statement", _E, "A line of a block begins with no statement's word."),
    Code("C0117", "missing-block", _E, "A line needs an indented block below it and has none."),
    Code("C0118", "misplaced-colon", _E, "A `:` stands where the block belongs below the line."),
    Code("C0119", "misplaced-citation", _E, "A citation does not stand at the end of its line."),
    Code("C0120", "missing-header", _E, "A file does not say which game or module it is."),
    Code("C0121", "second-header", _E, "A file has two headers."),
    Code("C0122", "late-header", _E, "A declaration stands before the header."),
    Code("C0123", "repeated-header-line", _E, "A line of the header stands there twice."),
    Code("C0124", "unknown-fold", _E, "A word cannot go through the members of a set, or not in this form."),
    Code("C0125", "reserved-word", _E, "A word of the language is used as a name."),
    Code("C0126", "value-as-pattern", _E, "`is` stands before a value, which `=` compares."),
    Code("C0127", "query-out-of-order", _E, "The lines of a query do not stand in their order."),
    Code("C0128", "empty-file", _E, "A rules file says nothing."),
    Code("C0129", "invisible-character", _E, "A text or comment holds a character that does not show."),
    Code("C0130", "chained-comparison", _E, "Two comparisons are chained."),
    Code("C0131", "missing-count", _E, "`put` or `take` names pieces without their number."),
    Code("C0132", "dangling-comma", _E, "Nothing follows a comma."),
    Code("C0133", "empty-parentheses", _E, "Parentheses stand where nothing is given."),
    Code("C0134", "too-many-mistakes", _E, "So much of a file cannot be read that the rest is left alone."),
]

_NAMES_TYPES_MODULES: list[Code] = [
    Code("C0201", "unknown-name", _E, "A name stands for nothing that is declared."),
    Code("C0202", "duplicate-name", _E, "A name is declared that is taken already."),
    Code("C0203", "reserved-name", _E, "A name is declared that has a meaning of its own."),
    Code("C0204", "wrong-type", _E, "An expression is of another sort than its place wants."),
    Code("C0205", "out-of-range", _E, "A value can never lie in the range that its place has."),
    Code("C0206", "wrong-number-of-arguments", _E, "More or fewer values are given than are declared."),
    Code("C0207", "unknown-attribute", _E, "A player, space, edge or piece has no attribute of that name."),
    Code("C0208", "not-a-value", _E, "A name stands where a value is needed and is none."),
    Code("C0209", "not-constant", _E, "A value is computed where it must be written out."),
    Code("C0210", "recursion", _E, "A query asks itself or a step does itself in the end."),
    Code("C0211", "no-you", _E, "A statement speaks of `you` where nobody is on turn."),
    Code("C0212", "replaced-twice", _E, "Two modules replace one thing, and neither follows the other."),
    Code("C0213", "no-option-unsaid", _E, "A decision does not say what happens when it has no option."),
    Code("C0214", "unreachable-none", _E, "A decision has a `none` and always has an option."),
    Code("C0215", "not-changeable", _E, "A statement changes what cannot be changed."),
    Code("C0216", "wrong-zone", _E, "Pieces go where pieces of that sort cannot be or go."),
    Code("C0217", "overlapping-actions", _E, "An action is told twice for the same kind."),
    Code("C0218", "missing-action", _E, "An action does not say what happens with some kinds."),
    Code("C0219", "different-parameters", _E, "The parts of an action have different arguments."),
    Code("C0220", "query-without-otherwise", _E, "A query does not end with its one `otherwise`."),
    Code("C0221", "impossible-player-count", _E, "A number of players is named that the game never has."),
    Code("C0222", "missing-declaration", _E, "A game lacks a part that every game has."),
    Code("C0223", "unknown-clause", _E, "A clause is cited that the clause file does not have."),
    Code("C0224", "duplicate-clause", _E, "A clause stands twice in a clause file, or as a ruling too."),
    Code("C0225", "missing-clause-file", _E, "The clause file that a header names cannot be read."),
    Code("C0226", "malformed-ruleset", _E, "The name of a ruleset is not written as one."),
    Code("C0227", "unknown-game", _E, "A ruleset names a game that does not exist."),
    Code("C0228", "unknown-option", _E, "A ruleset gives an option or value that the game does not have."),
    Code("C0230", "empty-range", _E, "A range holds no number."),
    Code("C0231", "nothing-to-stop", _E, "A `stop` leaves a step that is not running, or nothing at all."),
    Code("C0232", "number-too-large", _E, "A number can grow beyond 2^53."),
    Code("C0233", "uneven-decision", _E, "An argument of a decision is of one sort here and another there."),
    Code("C0234", "circular-order", _E, "Triggers follow each other in a circle."),
    Code("C0235", "secret-without-owner", _E, "Something is secret to a player and belongs to none."),
    Code("C0236", "order-of-modules-unsaid", _E, "Two modules change one place, and their order matters."),
    Code("C0237", "modules-clash", _E, "Two modules declare different things by the same name."),
    Code(
        "C0238", "modules-do-not-fit", _E, "A module needs or excludes another one, or is for another game."
    ),
    Code("C0239", "unknown-place", _E, "A module changes a place that does not exist."),
    Code("C0240", "malformed-scenario", _E, "A scenario sets up or tells what the game does not have."),
    Code("C0241", "module-alone", _E, "A module stands where a game is needed, or the other way round."),
    Code("C0242", "unknown-module", _E, "A module is named that does not exist."),
    Code("C0243", "not-in-a-module", _E, "A module says what only a game can say."),
    Code("C0244", "not-in-a-game", _E, "A game changes itself, which only modules do."),
    Code("C0245", "stray-original", _E, "`original` stands where no `wrap` gives it a meaning."),
    Code("C0247", "options-alike", _E, "Two options of a decision have the same arguments."),
    Code("C0248", "calls-too-deep", _E, "Queries or steps call each other in too long a chain."),
    Code("C0249", "not-at-once", _E, "What players choose at once is not one choice of each of them."),
    Code("C0250", "pass-shows-something", _E, "A value behind `pass` is chosen or computed."),
    Code("C0251", "nobody-can-pass", _E, "Rounds that end when all pass have no choice to be passed."),
    Code("C0252", "nothing-to-have-anew", _E, "Something has no first value that it could have anew."),
    Code("C0253", "unreadable-data", _E, "A file of rows or numbers cannot be read, or is none."),
    Code("C0254", "other-shape", _E, "What a module puts in place of data has another shape."),
    Code("C0255", "clause-number-taken", _W, "A module's clause has a number that the game's have too."),
    Code("C0256", "hint-for-nothing", _W, "A hint of `show` names something that there is not."),
    Code("C0257", "hint-not-followed", _W, "A hint of `show` does not fit what it names, or clashes."),
]

_GRAPH: list[Code] = [
    Code("C0301", "unreachable-rule", _W, "No way through the rules leads to a statement or a step."),
    Code("C0302", "trigger-never-fires", _W, "Nothing in the rules can cause the event of a trigger."),
    Code(
        "C0303", "no-way-to-the-end", _E, "From a place in the rules the end of the game cannot be reached."
    ),
    Code("C0310", "endless-loop", _E, "A loop can go on for ever, and nobody is asked in it."),
    Code("C0311", "unbounded-loop", _W, "A loop goes on for as long as a player chooses."),
    Code(
        "C0320",
        "choice-without-fallback",
        _E,
        "A choice may have no option and does not say what happens then.",
    ),
    Code("C0321", "idle-fallback", _W, "A `none` can never run, because there is always an option."),
    Code("C0330", "endless-triggers", _E, "Triggers cause each other without end."),
    Code("C0331", "unbounded-triggers", _W, "Triggers cause each other for as long as a player chooses."),
    Code(
        "C0332",
        "triggers-without-order",
        _E,
        "Two triggers fire at the same time, and neither follows the other.",
    ),
    Code("C0340", "secret-in-the-open", _E, "What is secret shows in something that others see."),
    Code("C0341", "secret-decides-who-is-asked", _E, "Whether or who is asked depends on what is secret."),
    Code(
        "C0342",
        "secret-in-an-option",
        _E,
        "Which options a player has depends on what that player may not see.",
    ),
    Code("C0343", "secret-argument", _E, "An argument that all will see is taken from what is secret."),
    Code("C0344", "secret-score", _E, "A score or the ranking reads what was never revealed."),
    Code("C0350", "not-conserved", _E, "Pieces that are conserved are made or destroyed after set-up."),
    Code("C0360", "unused-declaration", _W, "Something is declared and never used."),
    Code("C0361", "unused-local", _W, "A local name is introduced and never used."),
    Code("C0362", "never-set", _E, "A variable is read but has no value at first and is never set."),
    Code(
        "C0363", "never-filled", _W, "A zone or board is read or drawn from, but nothing ever comes into it."
    ),
    Code("C0364", "never-read", _W, "Something is written and never read."),
    Code("C0370", "set-up-fails", _E, "The set-up does what the rules forbid, for some number of players."),
    Code("C0380", "which-piece", _E, "Of pieces that carry others it is not told which one is meant."),
    Code("C0381", "carrier-out-of-place", _E, "A statement cannot take along what a piece carries."),
    Code("C0382", "too-many-arguments", _E, "A case of a choice has more arguments than anybody can give."),
]

_SCENARIOS = [
    Code("C0401", "given-impossible", _E, "What a `given` line says cannot be put in place."),
    Code("C0402", "move-not-legal", _E, "The player of a `move` line may not make that move now."),
    Code("C0403", "move-ambiguous", _E, "Several legal moves agree with what a `move` line says."),
    Code("C0404", "then-fails", _E, "What a `then` line says does not hold."),
    Code(
        "C0405", "can-fails", _E, "A player cannot do what a `then … can` line says, or can what it denies."
    ),
    Code("C0406", "options-differ", _E, "An argument has other values than a `then … chooses` line says."),
    Code("C0407", "not-over", _E, "The game goes on where a scenario says that it is over."),
    Code("C0408", "chance-impossible", _E, "The outcome of a `chance` line cannot come when its turn comes."),
    Code("C0409", "chance-unused", _E, "Nothing was drawn for a `chance` line until the scenario ended."),
    Code("C0410", "scenario-rules-fail", _E, "The rules did what they forbid while a scenario was played."),
    Code(
        "C0411",
        "scenario-breaks-invariant",
        _E,
        "What the rules say always holds does not hold in a scenario.",
    ),
    Code(
        "C0412",
        "scenario-loses-pieces",
        _E,
        "Pieces that the rules conserve were made or lost in a scenario.",
    ),
]

_RUNTIME = [
    Code("C0501", "misuse", _E, "The arguments of a command are not understood."),
    Code(
        "C0502", "number-out-of-range", _E, "A number that is given to a command is too small or too large."
    ),
    Code("C0503", "unknown-bot", _E, "A bot is named that does not exist, or too many are."),
    Code("C0504", "file-exists", _E, "A file would be overwritten."),
    Code(
        "C0505", "system-refuses", _E, "The system does not do what is asked of it, such as writing a file."
    ),
    Code("C0506", "too-deep", _E, "Something is nested too deeply."),
    Code("C0507", "out-of-memory", _E, "There is not enough memory."),
    Code("C0508", "library-missing", _E, "What is asked for needs a library that is not installed."),
    Code("C0509", "unusable-bot", _E, "A bot cannot be loaded, or does not take what it is given."),
    Code("C0510", "unreadable-record", _E, "A record of a game cannot be read."),
    Code("C0511", "malformed-record", _E, "A line of a record is not written as one."),
    Code("C0512", "record-does-not-fit", _E, "A recorded game is not possible by these rules."),
    Code("C0513", "other-rules", _W, "A record is of other rules than those it is played by again."),
    Code("C0514", "cut-record", _W, "The last line of a record is not whole."),
    Code("C0515", "not-resumed", _E, "A saved game cannot be gone on with."),
    Code("C0520", "rules-fail", _E, "The rules did what they forbid while a game was played."),
    Code("C0521", "game-failed", _E, "A game could not be played to its end."),
    Code("C0522", "invariant-broken", _E, "What the rules say always holds did not hold in a game."),
    Code("C0523", "bot-failed", _E, "A bot raised an error, or chose an option that there is not."),
    Code(
        "C0530",
        "not-compilable",
        _E,
        "Rules without mistakes have a construct that no engine can be built for.",
    ),
    Code("C0540", "unreadable-revision", _E, "A revision, or a file in it, cannot be read from git."),
    Code("C0541", "rules-not-kept", _E, "The rules of a record, save or engine are not kept here."),
    Code("C0542", "not-a-version", _E, "What is to be compared names no rules."),
    Code("C0543", "save-not-migrated", _E, "A saved game cannot become one of the new rules."),
]

RANGES: dict[str, list[Code]] = {
    "C00": _FILES,
    "C01": _SYNTAX,
    "C02": _NAMES_TYPES_MODULES,
    "C03": _GRAPH,
    "C04": _SCENARIOS,
    "C05": _RUNTIME,
}

CODES: dict[str, Code] = {code.code: code for codes in RANGES.values() for code in codes}


def diagnose(
    code: str,
    title: str,
    *labels: Label,
    notes: Iterable[str] = (),
    help: Iterable[str] = (),
    fixes: Iterable[Fix] = (),
) -> Diagnostic:
    """A diagnostic with the severity of its registered code. An unregistered code is our bug: `KeyError`.

    A help that asks whether a name was meant is left out where a fix writes that name.
    """
    fixes = tuple(fixes)
    said = {f"did you mean '{fix.replacement}'?" for fix in fixes}
    helps = tuple(text for text in help if text not in said)
    return Diagnostic(code, CODES[code].severity, title, labels, tuple(notes), helps, fixes)
