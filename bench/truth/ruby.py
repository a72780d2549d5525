"""The engine for Ruby: the language server Solargraph, on Ruby and libraries of Debian's packages.

DIR holds the sources of ``solargraph`` 0.49 and of ``backport``, each in a folder of its name:

    apt-get install ruby yard rubocop ruby-kramdown-parser-gfm ruby-thor ruby-tilt ruby-diff-lcs ruby-reverse-markdown
        ruby-jaro-winkler ruby-e2mmap ruby-whitequark-parser

It infers no types but from what is documented or returned, and knows the other calls by no definition: those have no
truth. Nor has an instance variable that a file assigns at several places: it gives one of them.

It is one engine, and it is wrong at times. What it says is held against Ripper, the parser of Ruby itself, which knows
of each name whether it is a local variable or a call: see ``CheckedNames``. What that contradicts has no truth.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

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
_WORD = re.compile(r"@{0,2}\w+")
_SIGNS = "@?!="
_CONSTRUCTOR = "(?:new|initialize)"
_PARSER = Path(__file__).with_name("ruby_names.rb")


class _Name(NamedTuple):
    """What Ripper says of a name: its kind, and the lines of the definition around it."""

    kind: str
    first: int
    last: int


class CheckedNames:
    """Holds places of definitions against what Ripper says.

    * A local variable is bound by the definition, the class or the file around it, on a line that has it as a local
      variable.
    * What is called is defined on no line that has the name as a local variable, and as no method that is defined.
    * An instance variable is declared on a line that assigns it.
    * What declares a name spells it: in a statement of several lines the line counts that does (``attr_reader``). What
      ``new`` calls is spelled ``initialize``.

    Args:
        corpus: The sources.
        root: The folder that holds them.

    """

    def __init__(self, corpus: Corpus, root: Path) -> None:
        self._corpus = corpus
        self._root = root
        self._names = cache(self._parse)

    def confirmed(self, place: Place, name: str, places: frozenset[Place | None]) -> frozenset[Place | None]:
        """Return those of the places at which a name can be defined that stands at ``place``."""
        here = self._names(place.path).get(place[1:])
        if name.startswith("@"):
            return frozenset(one for one in places if one is not None and self._assigns(one, name))
        word = _CONSTRUCTOR if name == "new" else re.escape(name.strip(_SIGNS))
        spelled = {one if one is None else self._spelling(one, word) for one in places}
        return frozenset(one for one in spelled - {_NOWHERE} if here is None or self._fits(here, place.path, name, one))

    def _assigns(self, place: Place, name: str) -> bool:
        line = self._corpus.line(place.path, place.line)
        return re.search(rf"{name}\b(?:\s*,[^=]*|\s*[^\s\w=!<>]{{0,2}})=(?![=~>])", line) is not None

    def _spelling(self, place: Place, spelled: str) -> Place:
        """Return the line of a statement that spells a name, _NOWHERE for none; lines end in a comma but the last."""
        lines = self._corpus.text(place.path).split("\n")
        word = re.compile(rf"(?<!\w){spelled}(?!\w)")
        for number in range(place.line, len(lines) + 1):
            if word.search(lines[number - 1]):
                return place._replace(line=number)
            if not lines[number - 1].rstrip().endswith(","):
                break
        return _NOWHERE

    def _fits(self, here: _Name, path: str, name: str, place: Place | None) -> bool:
        if place is None:
            return here.kind != "local"
        kinds = self._kinds(place, name)
        if here.kind == "local":
            return place.path == path and here.first <= place.line <= here.last and "local" in kinds
        return "local" not in kinds or "definition" in kinds

    def _kinds(self, place: Place, name: str) -> set[str]:
        """Return what a name is on a line."""
        line = self._corpus.line(place.path, place.line)
        found = (
            self._names(place.path).get((place.line, one.start() + 1)) for one in re.finditer(re.escape(name), line)
        )
        return {one.kind for one in found if one is not None}

    def _parse(self, path: str) -> Mapping[tuple[int, int], _Name]:
        ran = subprocess.run(
            ["ruby", str(_PARSER)], input=f"{self._root / path}\n", capture_output=True, text=True, check=True
        )
        found: dict[tuple[int, int], _Name] = {}
        for line in filter(None, ran.stdout.split("\n")):
            at, kind, first, last = line.split()
            row, column = at.split(":")
            found[int(row), int(column)] = _Name(kind, int(first), int(last))
        return found


_NOWHERE = Place("", 0, 0)


class _Ruby(LanguageServer):
    """Solargraph, without what it does not know of instance variables."""

    def __init__(self, server: Server, corpus: Corpus, root: Path) -> None:
        super().__init__(server, corpus, root)
        self._ruby = corpus
        self._checked = CheckedNames(corpus, root)

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return where what stands at a place is defined, its file open; None for what is outside of the corpus."""
        name = _INSTANCE_VARIABLE.match(self._ruby.line(place.path, place.line), place.column - 1)
        if name is not None and len(re.findall(rf"{name[0]}\s*[|&]*=(?!=|~)", self._ruby.text(place.path))) > 1:
            return frozenset()
        word = _WORD.match(self._ruby.line(place.path, place.line), place.column - 1)
        return self._checked.confirmed(place, word[0] if word is not None else "", super().definitions(place))
