"""The engine for Ruby: the language server Solargraph, on Ruby and libraries of Debian's packages.

DIR holds the sources of ``solargraph`` 0.49 and of ``backport``, each in a folder of its name:

    apt-get install ruby yard rubocop ruby-kramdown-parser-gfm ruby-thor ruby-tilt ruby-diff-lcs ruby-reverse-markdown
        ruby-jaro-winkler ruby-e2mmap ruby-whitequark-parser

It infers no types but from what is documented or returned, and knows the other calls by no definition: those have no
truth. Nor has an instance variable that a file assigns at several places: it gives one of them. It is one engine, and
it is wrong at times: of what differs, the half ``tune`` says how often.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.lsp import LanguageServer, Server
from truth.record import Place

INDEXING_SECONDS = 60
"""Seconds until it has read a tree: before that it answers from the files that are open."""


def defining(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[LanguageServer]:
    """Return the language server whose sources are in a folder, asked for definitions."""
    libraries = [f"-I{folder / name / 'lib'}" for name in ("backport", "solargraph")]
    command = ["ruby", *libraries, str(folder / "solargraph/bin/solargraph"), "stdio"]
    (copy / ".solargraph.yml").write_text('include: ["**/*.rb"]\nexclude: []\nmax_files: 0\n', encoding="utf-8")
    server = Server("Solargraph 0.49.0", command, "ruby", {"diagnostics": False}, {"HOME": str(copy.parent)})
    engine = _Ruby(server, corpus, copy)
    time.sleep(INDEXING_SECONDS)
    return [engine]


_INSTANCE_VARIABLE = re.compile(r"@\w+")


class _Ruby(LanguageServer):
    """Solargraph, without what it does not know of instance variables."""

    def __init__(self, server: Server, corpus: Corpus, root: Path) -> None:
        super().__init__(server, corpus, root)
        self._ruby = corpus

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return where what stands at a place is defined, its file open; None for what is outside of the corpus."""
        name = _INSTANCE_VARIABLE.match(self._ruby.line(place.path, place.line), place.column - 1)
        if name is not None and len(re.findall(rf"{name[0]}\s*[|&]*=(?!=|~)", self._ruby.text(place.path))) > 1:
            return frozenset()
        return super().definitions(place)
