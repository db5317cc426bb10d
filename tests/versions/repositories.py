"""Small git repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(*args: str, where: Path) -> str:
    config = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *config, *args], cwd=where, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, message: str) -> None:
    git("add", ".", where=folder)
    git("commit", "-q", "-m", message, where=folder)
