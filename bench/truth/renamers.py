"""The engines that are asked to rename: language servers, or what tells of each place which others mean the same.

Python      python -m venv DIR; DIR/bin/pip install ty basedpyright pyrefly jedi ...     as for the references
Go          go on the path; with gopls on it too and its name behind DIR (``go=DIR+gopls``) that is asked as well
TypeScript  npm install --prefix DIR typescript@5 typescript-language-server
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from truth import go, python
from truth.corpus import Corpus
from truth.engine import Engine
from truth.lsp import LanguageServer, Server
from truth.record import Drawn, Place


class Renamer(Protocol):
    """An engine that tells what a new name for a symbol changes."""

    @property
    def version(self) -> str:
        """Return its name and version."""
        ...

    def sees(self, path: str) -> bool:
        """Return whether it looks into a file."""
        ...

    def renamed(self, symbol: Drawn, new: str) -> frozenset[Place] | None:
        """Return the places that a new name changes; None where it does not know the symbol."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class Checker:
    """An engine that tells references, as one that renames.

    What stands where another symbol is declared gets its name too: an embedded field of Go is called like its type.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def version(self) -> str:
        """Return the name and version of the engine."""
        return self._engine.version

    def sees(self, path: str) -> bool:
        """Return whether the engine has read a file."""
        return self._engine.sees(path)

    def renamed(self, symbol: Drawn, new: str) -> frozenset[Place] | None:  # noqa: ARG002  whatever the name is
        """Return every place that means the symbol, or what is declared at one of those places."""
        found: set[Place] = set()
        waiting = [symbol.place]
        while waiting:
            here = waiting.pop()
            told = next(iter(self._engine.tell((replace(symbol, place=here),))))
            more = (told.places if told is not None else frozenset[Place]()) - found
            found |= more
            waiting += more - {here}
        return frozenset(found) or None

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def renamers(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[Renamer]:
    """Return the engines for a copy of a corpus, in which they may write their configuration."""
    if corpus.language == "python":
        return python.servers(corpus, name, copy, folder)  # not Jedi, which renames a module with the name
    if corpus.language == "go":
        with_gopls = folder.name.endswith("+gopls")
        told = [Checker(engine) for engine in go.engines(corpus, name, copy, folder)]
        return [*told, *(LanguageServer(server, corpus, copy) for server in (_gopls(copy) if with_gopls else ()))]
    return [LanguageServer(server, corpus, copy) for server in _typescript(folder)]


def _gopls(copy: Path) -> Sequence[Server]:
    """Return gopls, to which a copy of Go's own sources is those of the Go that it uses."""
    program = shutil.which("gopls")
    assert program is not None, "gopls is not on the path"
    told = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout.split()
    installed = Path(subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip())
    root = copy.with_name("goroot")
    (root / "pkg").mkdir(parents=True)
    for name, there in (("src", copy), *((name, installed / name) for name in ("bin", "VERSION"))):
        (root / name).symlink_to(there)
    for name in ("tool", "include"):
        (root / "pkg" / name).symlink_to(installed / "pkg" / name)
    environment = {
        "GOROOT": str(root),
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-mod=mod",
        "CGO_ENABLED": "0",
    }
    return [Server(f"gopls {told[1]}", [program], "go", environment=environment)]


def _typescript(folder: Path) -> Sequence[Server]:
    program = folder / "node_modules/.bin/typescript-language-server"
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    # Without the texts around a name a shorthand would be renamed as a key and as a value at once.
    preferences = {"preferences": {"providePrefixAndSuffixTextForRename": True}}
    return [Server(f"typescript-language-server {version}", [str(program), "--stdio"], "typescript", preferences)]
