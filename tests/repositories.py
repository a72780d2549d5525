"""Repositories of git for tests, with nothing of the configuration of whoever runs them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": f"{what}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder: Path, *arguments: str) -> str:
    """Run git and return what it says, without the last line end."""
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str | bytes | None]) -> str:
    """Write files (None removes one), commit all there is, and return the name of the commit."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    for path, content in files.items():
        file = folder / path
        if content is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "change")
    return git(folder, "rev-parse", "HEAD")


def without_notes_of_commits(answer: str) -> str:
    """Return an answer without the note of its commit, and without what that note costs."""
    answer = re.sub(r"^(?:[\w.-]+: )?commit [0-9a-f]{8}\b.*\n", "", answer, flags=re.MULTILINE)
    return re.sub(r"\| ~?[\d,]+ of [\d,]+ tokens", "| tokens", answer)
