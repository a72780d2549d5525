"""The engine for Java: the compiler of the JDK whose own sources are the corpus; ``java`` has to be on the path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Engine
from truth.program import Program

EXPORTS = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED" for name in ("code", "tree", "util")]


def engines(corpus: Corpus, _name: str, copy: Path, _folder: Path) -> Sequence[Engine]:
    """Return the engine for the copy of a module, the folder of which has the module's name."""
    return [_program(corpus, copy)]


def defining(corpus: Corpus, _name: str, copy: Path, _folder: Path) -> Sequence[Program]:
    """Return the same, asked for definitions."""
    return [_program(corpus, copy, "definitions")]


def _program(corpus: Corpus, copy: Path, *mode: str) -> Program:
    program = Path(__file__).with_name("JavaAnswers.java")
    return Program(["java", "-Xmx6g", *EXPORTS, str(program), str(copy), *mode], corpus, "utf-16-le", declares=True)
