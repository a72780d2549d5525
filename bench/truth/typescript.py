"""The engines for TypeScript: its compiler, asked in two ways.

    npm install --prefix DIR typescript@5

They see a tree as one program. ``typescript_answers.js`` says what the two are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Engine
from truth.program import Program


def engines(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engines of the folder that npm has installed the compiler in."""
    script = Path(__file__).with_name("typescript_answers.js")
    modules = f"NODE_PATH={folder / 'node_modules'}"
    command = ["env", modules, "node", str(script), str(copy)]
    return [Program([*command, mode], corpus, "utf-16-le") for mode in ("service", "checker")]
