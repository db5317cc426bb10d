"""Build hook: puts grammar, rules and generated engines into the wheel as package data.

Purpose: `conche/data/<folder>` in a wheel holds what `<folder>` holds in the checkout.
Input: the folders beside this file. Output: entries of hatchling's `force_include`.
Invariant: an editable install gets none of it. A plain `force-include` table would copy the folders into
site-packages there, and the copy would go stale; `conche.resources` reads the checkout instead.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA_FOLDERS = ("generated", "grammar", "rules")


class DataFolders(BuildHookInterface[Any]):
    """Adds the data folders that exist to a standard (not editable) wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        for folder in DATA_FOLDERS:
            source = Path(self.root, folder)
            if not source.is_dir():
                continue
            for file in sorted(source.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc":
                    inside = file.relative_to(self.root).as_posix()
                    build_data["force_include"][str(file)] = f"conche/data/{inside}"
