"""The engines for PHP: two language servers.

    npm install --prefix DIR intelephense devsense-php-ls-linux-x64

What the trees require is not installed: what is in it is known to nobody, and has no truth.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.lsp import LanguageServer, Server

INDEXING_SECONDS = 60
"""Seconds until both have read a tree: before that they answer from the files that are open."""


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[LanguageServer]:
    """Return the language servers that npm has installed in a folder, asked for definitions."""
    modules = folder / "node_modules"
    intelephense = modules / "intelephense/lib/intelephense.js"
    devsense = modules / "devsense-php-ls-linux-x64/dist/devsense.php.ls"
    devsense.chmod(0o755)
    kinds = [
        Server(
            _version(modules, "intelephense"),
            ["node", str(intelephense), "--stdio"],
            "php",
            {"intelephense": {"files": {"maxSize": 10_000_000}}, "storagePath": str(copy.parent / "storage")},
        ),
        Server(_version(modules, "devsense-php-ls-linux-x64"), [str(devsense)], "php"),
    ]
    servers = [LanguageServer(server, corpus, copy) for server in kinds]
    time.sleep(INDEXING_SECONDS)
    return servers


def _version(modules: Path, package: str) -> str:
    data = json.loads((modules / package / "package.json").read_text(encoding="utf-8"))
    return f"{package} {data['version']}"
