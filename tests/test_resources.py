"""Where Conche finds its data and where it writes, in a checkout and in a wheel."""

import os
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conche import resources

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def no_cache_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONCHE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


def test_a_checkout_serves_its_own_folders() -> None:
    assert resources.rules_dir() == ROOT / "rules"
    assert resources.grammar_file("conche.lark") == ROOT / "grammar" / "conche.lark"


@pytest.mark.parametrize("packed", [True, False])
def test_package_data_goes_before_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    package = tmp_path / "compiler" / "conche"
    data = package / "data" if packed else tmp_path
    game = data / "rules" / "chess" / "chess.rules"
    package.mkdir(parents=True)
    game.parent.mkdir(parents=True)
    game.touch()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resources.rules_dir() == data / "rules"
    assert resources.find_game("chess") == game
    assert resources.game_names() == ["chess"]


@pytest.mark.parametrize("name", ["", ".", "..", "nothing", "../rules/cacao", "cacao/cacao", "Cacao", "a\0b"])
def test_only_names_of_games_find_games(name: str) -> None:
    assert resources.find_game(name) is None


def test_no_rules_folder_means_no_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "a" / "b")
    assert resources.game_names() == []


def test_the_cache_goes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert resources.cache_dir() == tmp_path / "home" / ".cache" / "conche"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert resources.cache_dir() == tmp_path / "home" / ".cache" / "conche"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert resources.cache_dir() == tmp_path / "xdg" / "conche"
    monkeypatch.setenv("CONCHE_CACHE", str(tmp_path / "mine"))
    assert resources.cache_dir() == tmp_path / "mine"


@pytest.mark.parametrize("shared", [True, False])
def test_the_cache_needs_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool) -> None:
    (tmp_path / "file").touch()
    if not shared:
        # Someone else's folder cannot be told from one that all may write to.
        name = f"conche-cache-{os.getuid()}"
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o777)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(resources, "_fresh", [])
    for home in (str(tmp_path / "file" / "home"), "/proc/none", "", "relative", "a\0b"):
        # Python does not let a NUL into the environment: only `Path.home` can give such a path.
        if "\0" in home:
            monkeypatch.setattr(Path, "home", lambda home=home: Path("/", home))
        else:
            monkeypatch.setenv("HOME", home)
        cache = resources.cache_dir()
        assert cache == resources.cache_dir()
        assert cache.parent == tmp_path
        assert cache.stat().st_mode & 0o077 == 0


def test_write_atomic_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    resources.write_atomic(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    path.chmod(0o640)
    resources.write_atomic(path, "b\n")
    assert path.read_text() == "b\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in path.parent.iterdir()] == ["a.txt"]


def test_write_atomic_leaves_the_old_file_and_no_other_on_failure(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    resources.write_atomic(path, "old")
    with pytest.raises(UnicodeEncodeError):
        resources.write_atomic(path, "lone surrogate \ud800")
    assert path.read_text() == "old"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        resources.write_atomic(tmp_path / "folder", "no file")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.txt", "folder"]


def test_write_atomic_replaces_no_link_no_device_and_nothing_read_only(tmp_path: Path) -> None:
    """What is meant by `-o link`, `-o /dev/stdout` and a file without leave to write."""
    link, file, pipe = tmp_path / "link", tmp_path / "file", tmp_path / "pipe"
    file.write_text("old")
    link.symlink_to("file")
    resources.write_atomic(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"

    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    resources.write_atomic(pipe, "through")
    assert os.read(end, 100) == b"through"
    os.close(end)
    assert pipe.is_fifo()

    file.chmod(0o444)
    for path in (file, link):
        with pytest.raises(PermissionError, match=f"read-only.*{path.name}"):
            resources.write_atomic(path, "no")
    assert file.read_text() == "new"


@pytest.mark.parametrize("name", ["folder", "file/below"])
def test_write_atomic_names_what_was_asked_for(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for write in (resources.write_atomic, resources.write_new):
        with pytest.raises(OSError, match=name) as caught:
            write(tmp_path / name, "no file")
        assert caught.value.filename == str(tmp_path / name)


def test_write_atomic_takes_long_names(tmp_path: Path) -> None:
    name = "é" * 120
    resources.write_atomic(tmp_path / name, "text")
    resources.write_new(tmp_path / f"{name}n", "text")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [name, f"{name}n"]


def test_import_conche_loads_nothing_else() -> None:
    code = (
        "import sys, conche; print([m for m in sys.modules if m.startswith(('conche.', 'lark', 'networkx'))])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "compiler")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "[]\n"


@pytest.mark.slow
def test_a_wheel_holds_the_data_and_finds_it(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        file.extractall(tmp_path / "site")
    assert {"conche/__init__.py", "conche/py.typed", "conche_runtime/py.typed"} <= set(names)
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"conche", "conche_runtime"}
    for folder in ("grammar", "rules", "generated"):
        here = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        prefix = f"conche/data/{folder}/"
        assert {name.removeprefix("conche/data/") for name in names if name.startswith(prefix)} == here

    code = "from conche import resources; print(resources.rules_dir()); print(*resources.game_names())"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )
    shown, games = result.stdout.splitlines()
    assert Path(shown).resolve() == (tmp_path / "site" / "conche" / "data" / "rules").resolve()
    assert games.split() == resources.game_names()


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_an_editable_install_holds_no_copy(version: str) -> None:
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["DataFolders"]
    build_data: dict[str, dict[str, str]] = {"force_include": {}}
    hook(str(ROOT), {}, None, None, "", "wheel").initialize(version, build_data)
    assert bool(build_data["force_include"]) == (version == "standard")
