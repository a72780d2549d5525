"""The engine for Scala: the compiler, whose jars DIR/lib holds; the program that asks it is compiled into DIR.

Without such a folder it is 2.11, of Debian's package ``scala``. The package ``pyspark`` 4.0.1 of PyPI holds 2.13.16:

    pip download --no-deps pyspark==4.0.1
    tar xzf pyspark-4.0.1.tar.gz --wildcards '*/jars/scala-*' '*/jars/jline-3*'

It sees a tree with the libraries that are beside it in that folder: what needs others does not compile, and what is not
typed has no truth. OS-Lib was read with ``geny`` and ``sourcecode``, compiled from their sources.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.program import Program

DEBIAN = Path("/usr/share/scala-2.11/lib")


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Program]:
    """Return the compiler, asked for definitions."""
    source = Path(__file__).with_name("ScalaAnswers.scala")
    folder.mkdir(parents=True, exist_ok=True)
    libraries = folder / "lib" if (folder / "lib").is_dir() else DEBIAN
    java: list[str | Path] = ["java", "-Xmx3g", "-Xss16m", "-cp", f"{folder}:{libraries}/*"]
    compiler = [*java, "scala.tools.nsc.Main", "-usejavacp", "-nowarn", "-d", folder, source]
    subprocess.run(compiler, check=True)
    options = ["-Xsource:3"] if libraries != DEBIAN else []
    return [Program([*java, "ScalaAnswers", copy, *options], corpus, "utf-16-le")]
