"""The names that the README and the documentation of a tree give in code spans and links: symbols and paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import Mark, mark_of

_MOST_FILES = 150
"""Texts that are read, those nearest to the top first."""

_MOST_BYTES = 2 << 20
"""Bytes of these texts."""

_LARGEST = 256 << 10
"""Bytes of the largest text that is read: what is larger is mostly a log of changes."""

_PROSE = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".markdown", ".txt")
_READ = re.compile(
    r"(?:^|/)(?:readme|contributing|architecture|hacking|design|development|overview|getting[_-]?started|index)[^/]*$"
    r"|(?:^|/)(?:docs?|documentation|guides?|book)/",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(r"(?:^|/)(?:change(?:s|log)|history|news|releases?|release[_-]notes|licen[cs]e)", re.IGNORECASE)
"""Texts of what was changed, and licences."""

_SPAN = re.compile(r"`{1,2}([^`\n]{2,100})`{1,2}|\]\(([\w./-]{2,100})\)")
_TARGET = re.compile(r".*<([^<>]+)>$")
_ARGUMENTS = re.compile(r"\(.*$|<[^<>]*>$|\[[^\[\]]*\]$")
_NAME = re.compile(r"[\w$.:>/-]*?([A-Za-z_$][\w$]*)[!?]?")
_FILE = re.compile(r"(?:\.{0,2}/)*([\w./+-]*\w\.\w+|[\w.+-]+(?:/[\w.+-]+)+)")


class DocumentedNames(NamedTuple):
    """How often texts name symbols, by the last part of the name, and files, by their paths as written."""

    symbols: Mapping[str, int]
    files: Mapping[str, int]


def documented_names(index: Index) -> DocumentedNames:
    """Return what the texts of a tree name."""
    symbols: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for text in _texts(index):
        for span in _SPAN.finditer(text):
            written = (span[1] or span[2]).strip()
            target = _TARGET.match(written)
            written = _ARGUMENTS.sub("", target[1] if target is not None else written).strip("~!&*@. ")
            path = _FILE.fullmatch(written)
            if path is not None:
                files[path[1]] += 1
            name = _NAME.fullmatch(written) if span[1] else None
            if name is not None:
                symbols[name[1]] += 1
    return DocumentedNames(symbols, files)


def _texts(index: Index) -> Iterator[str]:
    """Yield the texts for developers, those nearest to the top first."""
    paths = [path for path in index.files.paths if path.endswith(_PROSE) and _READ.search(path)]
    left = _MOST_BYTES
    chosen = (path for path in sorted(paths, key=lambda path: (path.count("/"), path)) if not _LEFT_OUT.search(path))
    for number, path in enumerate(chosen):
        size = index.files.size(path)
        if number >= _MOST_FILES or left <= 0:
            return
        if size <= _LARGEST and mark_of(path) in (Mark.Documentation, Mark.Product):
            source = index.try_read(path)
            if source is not None:
                left -= size
                yield source.content.decode("utf-8", "replace")
