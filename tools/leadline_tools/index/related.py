"""What files say of types and names in other files, as the index keeps it: packed, and found by words of its own.

Which files have a type that inherits from one of some name, and which give a name another, is found in the table of
names, under words that no name is like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from leadline_tools import deflated
from leadline_tools.index import postings
from leadline_tools.index.files import SYMBOLS
from leadline_tools.languages import language_of, scoping_of
from leadline_tools.languages.language import Imported, Subtype
from leadline_tools.languages.relations import Relations, with_original_names

if TYPE_CHECKING:
    from leadline_tools.index.index import Index

FORMAT = 1
"""Part of the key of the index: a change here makes old indexes be built anew."""

_NO_WORD = re.compile(r"\W")
_MOST_KEPT = 5_000


@lru_cache(_MOST_KEPT)
def base_token(name: str) -> str:
    """Return the word by which the index knows the files with a type that inherits from one of that name."""
    return f"0_inherits_{_NO_WORD.sub('_', name).lower()}"


@lru_cache(_MOST_KEPT)
def alias_token(name: str) -> str:
    """Return the word by which the index knows the files in which what has that name gets another."""
    return f"0_renames_{_NO_WORD.sub('_', name).lower()}"


def renames(imported: Imported) -> bool:
    """Tell whether an import or export gives something another name."""
    return bool(imported.alias) and imported.name not in ("", "*", imported.alias)


def tokens(relations: Relations) -> Iterable[str]:
    """Return the words by which a file is found."""
    bases = {name for one in relations.subtypes for name in one.bases}
    return [*map(base_token, bases), *{alias_token(one.name) for one in relations.imports if renames(one)}]


def packed(relations: Relations) -> bytes:
    """Return what a file says in few bytes; nothing for nothing."""
    if not (relations.subtypes or relations.imports):
        return b""
    subtypes = "\n".join("\t".join((one.path, *one.bases)) for one in relations.subtypes)
    imports = "\n".join(
        f"{one.module}\t{one.name}\t{one.alias}\t{'x' if one.exports else ''}\t{one.space}"
        if one.exports or one.space
        else f"{one.module}\t{one.name}\t{one.alias}"
        if one.alias != one.name
        else f"{one.module}\t{one.name}"
        for one in relations.imports
    )
    return deflated.compress(f"{subtypes}\0{imports}".encode("utf-8", "replace"))


def unpacked(blob: bytes) -> Relations:
    """Return what was packed; raises ValueError for what is damaged."""
    subtypes, _, imports = deflated.decompress(blob).decode().partition("\0")
    return Relations(
        [Subtype(path, tuple(bases)) for path, *bases in _rows(subtypes)], [_imported(row) for row in _rows(imports)]
    )


def _rows(lines: str) -> Iterable[list[str]]:
    return (line.split("\t") for line in lines.split("\n")) if lines else ()


def _imported(row: Sequence[str]) -> Imported:
    module, name, *rest = row
    alias, exports, space = (*rest, "", "")[:3] if rest else (name, "", "")
    return Imported(module, name, alias, bool(exports), space)


def complete(relations: Relations) -> Relations:
    """Return relations with what the bases of types are called where they are imported from."""
    return relations._replace(subtypes=with_original_names(relations))


_WHOLE = frozenset({"index", "__init__", "mod", "main", "lib"})
"""What the file of a module is called that has the name of its folder."""


class RelatedFiles:
    """The files of an index that say something of types and names in other files."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept: dict[str, tuple[bytes, Relations | None]] = {}

    def of(self, path: str) -> Relations | None:
        """Return what a file says; None where the index does not tell."""
        file = self._index.file(path)
        if file is None or file.error or not file.done & SYMBOLS:
            return None
        kept = self._kept.get(path)
        if kept is None or kept[0] != file.digest:
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            kept = self._kept[path] = (file.digest, self._read(file.id))
        return kept[1]

    def _read(self, number: int) -> Relations | None:
        row = self._index.database.connection().execute("select blob from related where file=?", (number,)).fetchone()
        try:
            return unpacked(row[0]) if row is not None else Relations([], [])
        except ValueError:
            return None

    def inheriting(self, names: Iterable[str]) -> list[str]:
        """Return the files with a type that may inherit from one with any of some names, sorted.

        Those of which the index does not tell are among them where they hold such a name.
        """
        return self._found({name: base_token(name) for name in names})

    def renaming(self, name: str) -> list[str]:
        """Return the files that may give another name to what has a name, sorted."""
        return self._found({name: alias_token(name)})

    def importers(self, path: str) -> list[str]:
        """Return the files that may import the module that the file at ``path`` is, or something of it, sorted."""
        scoping = scoping_of(path)
        if scoping is None:
            return []
        stem, folder = _stem(path), path.rpartition("/")[0].rpartition("/")[2]
        words = {stem, folder} if stem in _WHOLE else {stem}
        holding = {other for word in words if word for other in self._index.with_words((word,))}
        return sorted(other for other in holding if other != path and self._imports(other, path))

    def _imports(self, importer: str, path: str) -> bool:
        """Tell whether a file may import another one, or something of it."""
        relations, scoping, language = self.of(importer), scoping_of(importer), language_of(path)
        if language is None or scoping is None or language_of(importer) is None:
            return False
        if relations is None:
            return True
        modules = dict.fromkeys(one.module for one in relations.imports if one.module)
        inner = dict.fromkeys((one.module, one.name) for one in relations.imports if one.name == _stem(path))
        located = (scoping.locate(module, importer, self._index) for module in modules)
        if any(found is None or path in found for found in located):
            return True
        return any(self._locates_in(importer, module, name, path) for module, name in inner)

    def _locates_in(self, importer: str, module: str, name: str, path: str) -> bool:
        """Tell whether a name in a module may be the module that a file is."""
        scoping = scoping_of(importer)
        if scoping is None:
            return False
        joined = f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
        found = scoping.locate(joined, importer, self._index)
        return found is None or path in found

    def _found(self, tokens: Mapping[str, str]) -> list[str]:
        # Looked at first: what is indexed between the two is then found twice, not missed.
        unknown = [path for name in tokens for path in self._unknown(name)]
        rows = postings.holding_any(self._index.database.connection(), "names", sorted(set(tokens.values())))
        return sorted({*self._index.paths_of(rows), *unknown}) if tokens else []

    def _unknown(self, name: str) -> Iterator[str]:
        """Yield the files that hold a name and of which the index does not tell what they say."""
        coverage = self._index.coverage()
        failed = frozenset(file.path for file in self._index.failed)
        if coverage.symbols == coverage.files and not failed:
            return
        for path in self._index.with_words((name,)):
            file = self._index.file(path)
            if file is not None and scoping_of(path) is not None and (path in failed or not file.done & SYMBOLS):
                yield path


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
