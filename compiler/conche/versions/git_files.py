"""Rules of a git revision, read from the object store.

Purpose: `HEAD~3:cacao+huts` without a checkout.
Input: a revision and a ruleset. Output: a `Folder` with the files, and the ruleset over them.
Invariants: nothing of the work tree, the index or the references is touched; git is asked for names and
contents alone. Whatever git refuses is a `SourceError`.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Sequence

from conche.diagnostics.codes import diagnose
from conche.diagnostics.suggest import did_you_mean
from conche.modules.parse_ruleset import Part, Ruleset
from conche.source import MAX_BYTES, SourceError
from conche.versions.folders import ENDINGS, Folder, named_in

_GAME = re.compile(rb"^game\s", re.MULTILINE)
"""What the header of a game begins with."""


def from_git(revision: str, ruleset: Ruleset) -> tuple[Folder, Ruleset]:
    """The files of a ruleset at a revision."""
    repository = _Repository(revision)
    paths = {ruleset.game.name: repository.game(ruleset.game)}
    for part in ruleset.modules:
        if part.is_path:
            paths[part.name] = repository.file(part.name)
    folders = sorted({posixpath.dirname(path) for path in paths.values()})
    files = {name: repository.show(name) for folder in folders for name in repository.names(folder)}
    for rules in [name for name in files if name.endswith(".rules")]:
        for name in named_in(rules, files[rules]):
            if name not in files and repository.has(name):
                files[name] = repository.show(name)
    folder = Folder(files, f"{revision}:")
    return folder, folder.ruleset(ruleset, paths)


class _Repository:
    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.top = self._git("rev-parse", "--show-toplevel", where=None).decode().rstrip("\n")
        if revision.startswith("-"):
            raise _refused(f"'{revision}' is no revision")
        try:
            found = self._git(
                "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
            )
        except SourceError:
            raise _refused(
                f"git knows no revision '{revision}'",
                "write `REVISION:RULESET`, such as `HEAD~3:cacao+huts` or `v1.0:path/to/mine.rules`",
            ) from None
        self.commit = found.decode().strip()
        self._listed: dict[str, list[str]] = {}

    def game(self, part: Part) -> str:
        """The path of a game from the top of the repository."""
        if part.is_path or "." in part.name:
            return self.file(part.name)
        name = part.name
        for path in (f"rules/{name}/{name}.rules", f"{name}/{name}.rules", f"{name}.rules"):
            if path in self._all(posixpath.dirname(path)):
                return path
        games = self._games()
        hint = did_you_mean(name, games) or (f"the games there are {', '.join(games)}" if games else "")
        raise _refused(f"there is no game '{name}' in '{self.revision}'", *[hint] if hint else [])

    def file(self, name: str) -> str:
        """The path of a file, given from here or from the top of the repository; of a folder, its game."""
        here = os.path.relpath(os.path.realpath(os.path.join(os.getcwd(), name)), os.path.realpath(self.top))
        for path in (here.replace(os.sep, "/"), posixpath.normpath(name)):
            if path.startswith(("..", "/")):
                continue
            if path in self._all(posixpath.dirname(path)):
                return path
            inside = [one for one in self._all(path) if one.endswith(".rules")]
            if inside:
                return self._game_in(path, inside)
        near = [
            one for one in self._all(posixpath.dirname(posixpath.normpath(name))) if one.endswith(".rules")
        ]
        hint = did_you_mean(posixpath.normpath(name), near)
        raise _refused(f"there is no file '{name}' in '{self.revision}'", *[hint] if hint else [])

    def _game_in(self, folder: str, inside: Sequence[str]) -> str:
        """The game of a folder with these rules files."""
        named = posixpath.join(folder, f"{posixpath.basename(folder)}.rules")
        games = [named] if named in inside else [one for one in inside if _GAME.search(self.show(one))]
        if len(games) == 1:
            return games[0]
        names = ", ".join(map(posixpath.basename, games))
        why = f"has several games: {names}" if games else "has no game"
        raise _refused(f"the folder '{folder}' of '{self.revision}' {why}", "name one rules file")

    def names(self, folder: str) -> list[str]:
        """The rules, clause and data files of a folder."""
        return [name for name in self._all(folder) if name.endswith(ENDINGS)]

    def has(self, path: str) -> bool:
        return path in self._all(posixpath.dirname(path))

    def show(self, path: str) -> bytes:
        data = self._git("show", f"{self.commit}:{path}")
        return data[: MAX_BYTES + 1]

    def _games(self) -> list[str]:
        found = self._git("ls-tree", "-r", "-z", "--name-only", self.commit, "--", "rules/").decode(
            errors="replace"
        )
        paths = [name.split("/") for name in found.split("\0")]
        return sorted(parts[1] for parts in paths if len(parts) == 3 and parts[2] == f"{parts[1]}.rules")

    def _all(self, folder: str) -> list[str]:
        """The files directly in a folder, by their paths."""
        if folder not in self._listed:
            where = [f"{folder}/"] if folder not in ("", ".") else []
            found = self._git("ls-tree", "-z", self.commit, "--", *where)
            # `MODE TYPE NAME-OF-CONTENT<tab>PATH`; folders are listed too.
            entries = [line.partition("\t") for line in found.decode(errors="replace").split("\0")]
            self._listed[folder] = sorted(path for what, _, path in entries if " blob " in what)
        return self._listed[folder]

    def _git(self, *args: str, where: str | None = "") -> bytes:
        command: Sequence[str] = ("git", "--no-pager", "--literal-pathspecs", *args)
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(
                command,
                cwd=self.top if where == "" else where,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError:
            raise _refused("git is not installed, or this folder is gone") from None
        except OSError as error:
            raise _refused(f"git cannot be run: {(error.strerror or str(error)).lower()}") from None
        if done.returncode != 0:
            said = " ".join(done.stderr.decode(errors="replace").split()).removeprefix("fatal: ")
            if "not a git repository" in said:
                raise _refused("this folder is in no git repository")
            raise _refused(f"git does not give '{' '.join(args[-1:])}'" + (f": {said[:200]}" if said else ""))
        return done.stdout


def _refused(title: str, *help: str) -> SourceError:
    return SourceError(diagnose("C0540", title, help=help))
