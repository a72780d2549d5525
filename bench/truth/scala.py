"""The engine for Scala: the compiler 2.11 of Debian's package ``scala``; the program that asks it is compiled into DIR.

It sees a tree without its libraries: what needs them does not compile, and what is not typed has no truth.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.program import Program

LIBRARIES = Path("/usr/share/scala-2.11/lib")


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Program]:
    """Return the compiler, asked for definitions."""
    source = Path(__file__).with_name("ScalaAnswers.scala")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["scalac", "-cp", LIBRARIES / "scala-compiler.jar", "-d", folder, source], check=True)
    command: list[str | Path] = ["java", "-Xmx3g", "-Xss16m", "-cp", f"{folder}:{LIBRARIES}/*", "ScalaAnswers", copy]
    return [Program(command, corpus, "utf-16-le")]
