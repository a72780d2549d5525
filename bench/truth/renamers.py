"""The engines that are asked to rename: language servers, one of which at least knows each of the languages.

Python      python -m venv DIR; DIR/bin/pip install ty basedpyright pyrefly jedi ...     as for the references
Go          gopls and go on the path
TypeScript  npm install --prefix DIR typescript@5 typescript-language-server
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from truth import python
from truth.corpus import Corpus
from truth.lsp import LanguageServer, Server


def renamers(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[LanguageServer]:
    """Return the servers for a copy of a corpus, in which they may write their configuration."""
    if corpus.language == "python":
        engines = python.engines(corpus, name, copy, folder)
        for engine in engines[3:]:
            engine.close()  # Jedi renames a module with the name
        return [engine for engine in engines if isinstance(engine, LanguageServer)]
    servers = _gopls(copy) if corpus.language == "go" else _typescript(folder)
    return [LanguageServer(server, corpus, copy) for server in servers]


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
