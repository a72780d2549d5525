"""The error for an address that means nothing: it names what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from leadline_tools.errors import BadArgument, FileNotSymbol, LeadlineError, NoSuchSymbol, PathError, PathNotFound
from leadline_tools.index.index import Index
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.questions.names import Hit
from leadline_tools.index.request_scope.maybe_declared import maybe_declared
from leadline_tools.languages import language_of
from leadline_tools.resolve.addresses.file_position import PLACE, files_at
from leadline_tools.resolve.addresses.named_symbols import MOST_FILES, find_by_suffix, find_inherited, stem
from leadline_tools.resolve.addresses.spelling import file_prefixes, spellings
from leadline_tools.resolve.symbols.defined_symbol import qualified

_MOST_SIMILAR = 3
"""Names like one that is missing, of which it is asked whether the same type has them."""

WORD = re.compile(r"[^\W\d]\w*")


def missing_error(index: Index, address: str, paths: Sequence[str], name: str) -> LeadlineError:
    """Return the error for an address that means nothing: it names what has that name, or holds it, or is like it."""
    if paths and not name:
        return FileNotSymbol(paths[0])
    place = PLACE.fullmatch(address)
    if place is not None and language_of(place["path"]) is not None:
        return _missing_place(index, address, place["path"], place["line"])
    dotted = next(reversed([*spellings(name)]), "")
    if not dotted:
        return BadArgument("symbol", "it contains no name", "Call symbol_search with a part of its name.")
    path = next((path for path, rest in file_prefixes(address) if "/" in path and rest and language_of(path)), "")
    word = stem(address) if language_of(address) is not None else dotted.rpartition(".")[2]
    same = index.names.exact(word)
    hits = same.hits or index.names.search(word, Match.Exact).hits
    coverage = index.coverage()
    left = coverage.files - coverage.symbols if same.more else 0
    maybe = tuple(f"{one.path}:{one.line}" for one in maybe_declared(index, word))
    found = [*_words_in(index, paths[:1], word), *map(_described, hits)]
    if found:
        total = len(found) - len(same.hits) + same.total
        return NoSuchSymbol(address, (), left, word=word, found=tuple(found), total=total, maybe=maybe)
    if path and not paths:
        return _missing_place(index, address, path)
    holding = index.words.files_with((word,), spelled=True)
    unparsed = min(frozenset(file.path for file in index.files.failed).intersection(holding), default="")
    similar = _similar(index, dotted)
    return NoSuchSymbol(address, similar, left, word=word, holding=len(holding), unparsed=unparsed, maybe=maybe)


def _missing_place(index: Index, address: str, path: str, line: str = "") -> LeadlineError:
    """Return the error for a file that there is not, or for one of several."""
    try:
        several = files_at(index, path)
        if not several:
            index.read(path)
    except PathError as error:
        near = error.nearest if isinstance(error, PathNotFound) else None
        return error if near is None or index.paths.has_line(near, int(line or 1)) else PathNotFound(path)
    found = tuple(f"{one}:{line}" for one in several[:MOST_FILES] if index.paths.has_line(one, int(line or 1)))
    if not found:
        problem = f"none of the {len(several):,} files called {path} has a line {int(line):,}"
        return BadArgument("symbol", problem, "Call find_references with a name, or list_files for the files.")
    return NoSuchSymbol(address, word=path, found=found, total=len(several))


def _described(hit: Hit) -> str:
    """Return the name and the place of a definition."""
    return f"{qualified(hit.file.path, hit.definition.path)} {hit.file.path}:{hit.definition.line}"


def _words_in(index: Index, paths: Sequence[str], word: str) -> Iterator[str]:
    """Yield the place at which each of some files holds a word first."""
    for source in filter(None, map(index.try_read, paths)):
        lines = ((number, line) for number, line in enumerate(source.lines(), 1) if word in line)
        found = ((number, match) for number, line in lines for match in WORD.finditer(line) if match[0] == word)
        yield from (f"{source.path}:{number}:{match.start() + 1}" for number, match in islice(found, 1))


def _similar(index: Index, dotted: str) -> tuple[str, ...]:
    """Return what was probably meant by a dotted name that nothing has: members of the same owner before all others."""
    owner, _, name = dotted.rpartition(".")
    similar = index.names.similar(name)
    members = [f"{owner}.{one}" for one in similar[:_MOST_SIMILAR]] if owner else []
    known = (one for one in members if find_by_suffix(index, one, ()) or find_inherited(index, one, ()))
    return tuple(known) or tuple(similar)
