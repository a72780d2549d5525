"""The engines for TypeScript: its compiler, asked in two ways.

    npm install --prefix DIR typescript@5

They see a tree as one program, with the types of the packages that are installed in its ``node_modules``.
``typescript_answers.js`` says what the two are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Engine
from truth.program import Program


def engines(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engines of the folder that npm has installed the compiler in."""
    return [_program(corpus, copy, folder, mode) for mode in ("service", "checker")]


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Program]:
    """Return the language service, asked for definitions."""
    return [_program(corpus, copy, folder, "definitions" if corpus.language == "typescript" else "javascript")]


def _program(corpus: Corpus, copy: Path, folder: Path, mode: str) -> Program:
    script = Path(__file__).with_name("typescript_answers.js")
    modules = f"NODE_PATH={folder / 'node_modules'}"
    return Program(["env", modules, "node", str(script), str(copy), mode], corpus, "utf-16-le")
