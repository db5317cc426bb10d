"""Where things lie: grammar, bundled rules, the cache; and how files are written.

Purpose: the one place that knows whether Conche runs from a wheel or a checkout, and where it may write.
Input: names of grammar files and games. Output: paths.
Invariants: package data (`conche/data/`, put there by hatch_build.py) is used when the package has it, the
checkout's folders otherwise; an editable install never has it. `cache_dir` always gives a writable folder.
"""

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
import tempfile
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_GAME_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def data_root() -> Path:
    """The folder that holds `grammar/`, `rules/` and `generated/`."""
    packed = _PACKAGE / "data"
    return packed if packed.is_dir() else _PACKAGE.parent.parent


def grammar_file(name: str) -> Path:
    """The path of the grammar file `name`, such as `conche.lark`."""
    return data_root() / "grammar" / name


def rules_dir() -> Path:
    """The folder of the bundled games, one folder each."""
    return data_root() / "rules"


def game_names() -> list[str]:
    """The names of the bundled games, sorted."""
    try:
        folders = [entry.name for entry in rules_dir().iterdir()]
    except OSError:
        return []
    return sorted(name for name in folders if find_game(name) is not None)


def find_game(name: str) -> Path | None:
    """The main rules file of the bundled game `name` (`rules/<name>/<name>.rules`), or None.

    A name is one lower-case word, so that no name reaches outside the folder.
    """
    if not _GAME_NAME.match(name):
        return None
    path = rules_dir() / name / f"{name}.rules"
    return path if path.is_file() else None


def cache_dir() -> Path:
    """A writable folder for what can be made again, such as parse tables, engines and composed rulebooks.

    The first of these that can be made and written to: `$CONCHE_CACHE`, `$XDG_CACHE_HOME/conche`,
    `~/.cache/conche`, a folder of this user's own among the temporary files. It does not fail where
    there is no home or the disk is read-only: then a fresh temporary folder, new in each process, serves.
    """
    for candidate in _cache_candidates():
        if _make_writable(candidate):
            return candidate
    return _temporary_cache()


def write_atomic(path: str | os.PathLike[str], text: str) -> None:
    r"""Writes `text` (UTF-8, line ends `\n`) so that readers see the old file or the new one, never a part.

    The folder is made when missing; a link stays one, and what it leads to is written. What is no file, such
    as `/dev/null` or a pipe, is never replaced by one: the text goes into it. Nothing is left behind on
    failure; raises `OSError` then, with the name of the path. So it does for a file that nobody may write to.
    """
    target = Path(os.path.realpath(path))
    try:
        if not _file_or_free(target):
            with open(target, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = _beside(target)
        try:
            # Not `tempfile`: its files are private, and these are to have a new file's usual permissions.
            with open(temporary, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            with contextlib.suppress(OSError):
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _file_or_free(target: Path) -> bool:
    """Whether a file may be put there. Raises `OSError` for a folder, and for a file that is read-only: the
    folder alone decides whether another can take its place, and what is meant is not to write."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if not stat.S_ISREG(mode):
        return False
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(errno.EACCES, "the file is read-only", str(target))
    return True


def _beside(target: Path) -> Path:
    """A name for a text on its way to the target, which nobody else uses."""
    # Names are measured in bytes, and 16 letters of any script are at most 64.
    return target.parent / f".{target.name[:16]}.{secrets.token_hex(8)}.tmp"


def write_new(path: str | os.PathLike[str], text: str) -> None:
    r"""Writes a file that is not there yet, whole or not at all; raises `FileExistsError` where one is.

    UTF-8, line ends `\n`. The folder is made when missing. Raises `OSError` with the name of the path.
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = _beside(target)
        try:
            with open(temporary, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            try:
                os.link(temporary, target)
            except FileExistsError:
                raise
            except (OSError, NotImplementedError):  # a disk without links
                with open(target, "x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _cache_candidates() -> list[Path]:
    candidates = []
    if chosen := os.environ.get("CONCHE_CACHE"):
        candidates.append(Path(chosen))
    # The XDG rules: a relative path is to be ignored.
    if (xdg := os.environ.get("XDG_CACHE_HOME")) and Path(xdg).is_absolute():
        candidates.append(Path(xdg, "conche"))
    with contextlib.suppress(RuntimeError, OSError):
        home = Path.home()
        # A process without a home is often told `/`, where nothing of its own belongs.
        if home.is_absolute() and home != Path(home.anchor):
            candidates.append(home / ".cache" / "conche")
    return candidates


def _make_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Asking the disk is the only sure answer: permissions do not tell of read-only mounts, or of root.
        with tempfile.TemporaryFile(dir=folder):
            return True
    except (OSError, ValueError):
        return False


_fresh: list[tempfile.TemporaryDirectory[str]] = []


def _temporary_cache() -> Path:
    """A cache among the temporary files: this user's own, or a fresh one when that cannot be trusted."""
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir(), f"conche-cache-{user}")
    try:
        shared.mkdir(mode=0o700, exist_ok=True)
        # Engines are imported from the cache: never from a folder that someone else laid out.
        status = shared.lstat()
        owned = not shared.is_symlink() and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
        if owned and not status.st_mode & 0o022 and _make_writable(shared):
            return shared
    except OSError:
        pass
    if not _fresh:
        _fresh.append(tempfile.TemporaryDirectory(prefix="conche-cache-"))
    return Path(_fresh[0].name)
