"""Which files a file takes in as a whole: read from its text, kept as long as it stays the same.

A name of C may come from any of the hundreds of files that an ``#include`` leads to. Facts of all of them would take a
minute of parsing, and all that is wanted of most is where they lead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import re2

from leadline_tools import deflated
from leadline_tools.languages import LANGUAGES, language_in, language_of, maybe_script
from leadline_tools.languages.language import Language

if TYPE_CHECKING:
    from leadline_tools.index.index import Index

_MOST_KEPT = 5_000
"""Files whose includes are kept, and statements of a folder of which is kept what they mean: about 3 MB; and words for
what is taken in."""

_MOST_COMPARED = 512
"""Files that take in one with the name of another, which are asked whether that is the one: it takes 30 ms."""

_NO_WORD = re.compile(r"\W")
_QUOTES = '"<>'


def written(path: str, content: bytes) -> Sequence[str] | None:
    """Return the files that a file with some content takes in as a whole, as they are written, in their order.

    None for a language whose text does not tell: only its facts do.
    """
    language = _taking(path)
    lexis = language.lexis if language is not None else None
    if lexis is None or lexis.includes is None:
        return None
    return [name.decode("utf-8", "replace") for name in _statements(lexis.includes, lexis.including, content)]


def tells(path: str) -> bool:
    """Tell whether the text of the file at a path says what it takes in as a whole: it does by its language."""
    language = _taking(path)
    return language is not None and language.lexis is not None and language.lexis.includes is not None


def _taking(path: str) -> Language | None:
    """Return the language in which a file takes in others: a name without an extension may be that of a header."""
    language = language_of(path) or (_BARE if maybe_script(path) else None)
    return language if language is not None and language.scoping is not None else None


_BARE = next((language for language in LANGUAGES.values() if language.bare_headers), None)


@lru_cache(_MOST_KEPT)
def token(path: str) -> str:
    """Return the word by which the index knows the files that take in one with the name that a path has.

    ``path`` may be as it is written in a statement. No name that a file defines is like that word.
    """
    return f"0_takes_in_{_NO_WORD.sub('_', _folded_name(path))}"


def packed(names: Sequence[str]) -> bytes:
    """Return what a file takes in, as it is written, in few bytes; nothing for nothing."""
    return deflated.compress("\n".join(names).encode("utf-8", "replace")) if names else b""


def unpacked(blob: bytes) -> Sequence[str]:
    """Return what was packed; raises ValueError for what is damaged."""
    return deflated.decompress(blob).decode().split("\n")


def _folded_name(path: str) -> str:
    """Return the name of a file in lower case; its path may be as it is written in a statement."""
    return path[path.rfind("/") + 1 :].strip(_QUOTES).lower()


def promised(path: str, content: bytes, name: str, located: Callable[[str], object]) -> bool:
    """Tell whether a file with some content says of a name that it is a type, which another file has to define.

    Where it takes in something from outside that may be what defines the type. ``located`` finds what it takes in.
    """
    language = language_in(path, content)
    words = language.lexis.promises if language is not None and language.lexis is not None else ""
    named = rf"(?:{words})\s+(?:[A-Z][A-Z0-9_]*\s+)?{re2.escape(name)}"
    if words and re2.search(rf"\btypedef\s+{named}[\s*]*\s\**\w+\s*;".encode(), content):
        return True
    said = rf"\b{named}\s*([;*&])".encode()
    ends = {match[1] for match in re2.finditer(said, content)} if words else frozenset[bytes]()
    return b";" in ends or (bool(ends) and all(map(located, written(path, content) or ())))


def _statements(pattern: re.Pattern[bytes], word: bytes, content: bytes) -> Iterator[bytes]:
    """Yield what the statements of a text take in that match a pattern; only lines with a word are looked at."""
    at = content.find(word)
    while at >= 0:
        found = pattern.match(content, content.rfind(b"\n", 0, at) + 1)
        if found is not None and found.end() > at:
            yield found[1]
            at = found.end()
        at = content.find(word, at + 1)


class Includes:
    """The includes of the files of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept: dict[str, tuple[tuple[int, int], Sequence[str] | None]] = {}
        self._located: dict[tuple[str, str, str], Sequence[str]] = {}
        self._paths: Sequence[str] = ()

    def of(self, path: str) -> Sequence[str] | None:
        """Return the files that a file takes in as a whole; none for one that cannot be read, None as ``written``."""
        self._forget_stale()
        file = self._index.file(path)
        if file is None:
            return ()
        state = file.size, file.changed_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != state:
            kept = self._kept[path] = (state, self._included(path))
        return kept[1]

    def _forget_stale(self) -> None:
        """Let go of what is known where a file has come or gone, and where it is too much."""
        paths = self._index.paths
        if paths is not self._paths or max(len(self._kept), len(self._located)) > _MOST_KEPT:
            self._kept, self._located, self._paths = {}, {}, paths

    def _included(self, path: str) -> Sequence[str] | None:
        modules = self._modules(path)
        if modules is None:
            return None
        return list(dict.fromkeys(file for module in modules for file in self._locate(module, path)))

    def _modules(self, path: str) -> Sequence[str] | None:
        """Return what a file takes in as it is written: as the index has it, or else as its text says."""
        indexed = self._index.written_includes(path)
        if indexed is not None:
            return indexed
        with self._index.tree.reading() as reader:
            return written(path, reader.unmasked(path))

    def misses(self, path: str) -> bool:
        """Tell whether a file takes in one in quotes that is not in the tree, or one of several."""
        return any(one.startswith('"') and not self._locate(one, path) for one in self._modules(path) or ())

    def names(self, path: str) -> frozenset[str]:
        """Return the names of the files that a file itself takes in, in lower case: some systems do not tell cases."""
        return frozenset(_folded_name(module) for module in self._modules(path) or ())

    def _locate(self, module: str, path: str) -> Sequence[str]:
        """Return the files that an include means; the files of a folder mostly include the same."""
        self._forget_stale()
        language = _taking(path)
        key = module, path.rpartition("/")[0], language.name if language is not None else ""
        found = self._located.get(key)
        if found is None:
            scoping = language.scoping if language is not None else None
            found = (scoping.locate(module, path, self._index) if scoping is not None else None) or ()
            self._located[key] = found
        return found

    def takers(self, path: str, most: int) -> frozenset[str] | None:
        """Return the files that take in a file, themselves or through others, with itself.

        A statement that may mean several files counts for each of them. None for more than ``most``, and as long as
        there are files that nobody has looked into.
        """
        coverage = self._index.coverage()
        if coverage.symbols < coverage.files:
            return None
        found, waiting, compared = {path}, [path], 0
        while waiting:
            taken = waiting.pop()
            others = [other for other in self._index.taking_in(taken) if other not in found]
            if not self._index.is_alone(taken):
                compared += len(others)
                if compared > _MOST_COMPARED:
                    return None
                others = [other for other in others if self._may_take_in(other, taken)]
            if len(found) + len(others) > most:
                return None
            found.update(others)
            waiting += others
        return frozenset(found)

    def _may_take_in(self, path: str, taken: str) -> bool:
        """Tell whether a file takes in another, as far as it takes in one with that name."""
        name = _folded_name(taken)
        alike = [
            module for module in self._modules(path) or () if name in module.lower() and _folded_name(module) == name
        ]
        located = [self._locate(module, path) for module in alike]
        return any(not files or taken in files for files in located)

    def rebinding(self, name: str, word: str) -> frozenset[str]:
        """Return the files that take ``name`` from elsewhere by a statement that begins with ``word``."""
        statement = re2.compile(rf"\b{word}\s+(?:\w+\s*::\s*)*{re2.escape(name)}\s*;".encode()).search
        held = self._index.with_words((name, word))
        with self._index.tree.reading() as reader:
            return frozenset(path for path in held if statement(reader.raw(path) or b"") is not None)

    def promised(self, path: str, name: str) -> bool:
        """Tell whether a file says of a name that it is a type, which another file has to define."""
        with self._index.tree.reading() as reader:
            return promised(path, reader.text(path), name, lambda module: self._locate(module, path))

    def rebinds(self, path: str) -> str:
        """Return the word with which files of the language of ``path`` take names from elsewhere; empty for none."""
        with self._index.tree.reading() as reader:
            language = language_in(path, reader.text(path))
        return language.lexis.rebinds if language is not None and language.lexis is not None else ""
