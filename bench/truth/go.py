"""The engine for Go: ``go/types`` of the Go whose own sources are the corpus; ``go`` has to be on the path."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Engine
from truth.program import Program


def engines(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engine, which is compiled in ``folder``."""
    return [_program(corpus, copy, folder)]


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Program]:
    """Return the same, asked for definitions."""
    return [_program(corpus, copy, folder, "definitions")]


def _program(corpus: Corpus, copy: Path, folder: Path, *mode: str) -> Program:
    program = folder / "go_answers"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-o", program, Path(__file__).with_name("go_answers.go")], check=True)
    return Program([program, copy, *mode], corpus, "utf-8")
