"""Finds where a text or a regular expression occurs."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import attrgetter

from leadline_tools import cancellation
from leadline_tools.errors import BadArgument, PathError
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import around
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.index.request_scope.index_notes import text_notes
from leadline_tools.index.request_scope.read_calls import reading
from leadline_tools.index.store.vocabulary import folded, humps
from leadline_tools.index.store.words import interior_words, last_word, tokens
from leadline_tools.index.text.key_masking import mask_keys
from leadline_tools.index.text.patterns import Span
from leadline_tools.index.text.scan import Finder, finder
from leadline_tools.index.text.source_text import lines_of
from leadline_tools.index.tree.source import Reader
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import Definition
from leadline_tools.meaning.offer import offer_find_code
from leadline_tools.model import TextMatch
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import FolderPath, tool_of_paths

MOST_CONTEXT = 20
LONGEST_LINE = 240
"""Characters of a line that a match shows; what is cut lies away from the match."""

SECONDS = 2.0
"""A scan that takes longer stops and says how far it came; half of it is left however long it takes to choose files."""

MOST_MATCHES = 20_000
"""Lines that are found before a scan stops: more than a page can count by folder in good time."""

_SPANS_BETWEEN_CHECKS = 4_096
"""Matches in one file between two looks at the clock: a line may hold a million."""

_CHECKED_EVERY = 16
"""Files that are scanned between two looks at the clock."""

_WORD = re.compile(r"[^\W_]\w{2,40}")
"""Words that are looked for alone where a whole text is nowhere."""

_SHORTEST_WORD = 4
"""Letters of the shortest word of a query that paths are compared with: shorter ones are in too many."""

_MOST_WORDS = 8
"""Words of a query that paths are compared with, the longest ones; it takes a tenth of a second for 80,000 paths."""

_FEW = 500
"""Files whose order does not matter, since there is time for all of them."""

_MOST_ENCLOSED = 100
"""Files whose matches are shown with the symbol that they stand in: hardly a page shows more. It takes 1 ms a file."""

_FILES_PRICED = 50
"""Files of matches from which on an offered search is priced as one that is cut."""


@tool_of_paths
def search_text(
    index: Index,
    query: str,
    regex: bool = False,
    path: FolderPath = ".",
    word: bool = False,
    case_sensitive: bool = False,
    context: int = 0,
) -> Result:
    """Search text or RE2 regex in all files, comments and strings too. path: folders, files, globs, !globs."""
    if not query:
        raise BadArgument("query", "it is empty", "Give the text to look for.")
    if context < 0:
        raise BadArgument("context", "it cannot be negative", f"Use context=0 to {MOST_CONTEXT}.")
    find = finder(query, regex=regex, word=word, case_sensitive=case_sensitive)
    began, looked = time.monotonic(), index.scan.is_done()
    chosen = select(index, path)
    secret = index.files.secret.intersection(chosen)
    chosen = [path for path in chosen if path not in secret] if secret else chosen
    scan = _Scan(index, find, min(context, MOST_CONTEXT))
    likely = _candidates(index, find, chosen, word and not regex, case_sensitive)
    found = scan.run(likely, max(began + SECONDS, time.monotonic() + SECONDS / 2))
    scope = "" if path in ("", ".") else f" in {path}"
    return Result(
        subject=f"{'/' + query + '/' if regex else repr(query)}{scope}",
        noun="lines",
        items=found,
        at_least=bool(scan.stopped),
        partial=bool(scan.stopped) or not looked,
        notes=(
            *_secret_note(sorted(secret)),
            *scan.notes(),
            *_ignored_note(index, found),
            *(text_notes(index) if scan.stopped else ()),
        ),
        calls=tuple(_next(index, found, query, path, regex=regex)),
    )


def _ignored_note(index: Index, found: Sequence[TextMatch]) -> tuple[str, ...]:
    """Return what an answer without lines has to say of files that are not searched."""
    ignoring = index.paths.ending(".gitignore") if not found and not index.unlisted.rules_ignored else ()
    return ("files that are ignored by .gitignore are not searched",) if ignoring else ()


def _candidates(index: Index, find: Finder, chosen: Sequence[str], whole: bool, case_sensitive: bool) -> list[str]:
    """Return those of the files ``chosen`` that may hold a match, in the order in which they are looked into.

    Words that every match holds narrow the choice. Of what is left the files come first that hold the text as words,
    then those with words that go on from it, then those whose words are not indexed.
    """
    # Only in ASCII is the index sure to fold what a search takes for the same case.
    indexed = case_sensitive or find.literal.isascii()
    sure = (tokens(find.literal) if whole else interior_words(find.literal)) if indexed else []
    beginning = last_word(find.literal) if indexed and not whole else ""
    unread = frozenset(index.words.unindexed_files())
    if sure or beginning:
        held = set(index.words.files_with(sure, beginning=beginning))
        chosen = [path for path in chosen if path in held]
    unknown = _likeliest_first([path for path in chosen if path in unread], find.literal) if unread else []
    known = [path for path in chosen if path not in unread] if unread else chosen
    if sure and whole:
        return [*_code_first(known), *unknown]
    *words, last = (tokens(find.literal) if index.coverage().texts else []) or [""]
    first = set(index.words.files_with([*words, last])) if last else set[str]()
    second = set(index.words.files_with(words, beginning=last)) - first if last else set[str]()
    near = (_code_first(path for path in known if path in likely) for likely in (first, second))
    rest = _code_first(path for path in known if path not in first and path not in second)
    return [*chain.from_iterable(near), *unknown, *rest]


def _likeliest_first(paths: Sequence[str], literal: str) -> list[str]:
    """Return paths, code first; of many those first that share words with a text: a name is often that of its file."""
    if len(paths) > _FEW:
        words = sorted({folded(word) for word in humps(literal) if len(word) >= _SHORTEST_WORD}, key=len)[-_MOST_WORDS:]

        def shared_words(path: str) -> int:
            lower = path.lower()
            return sum(word in lower for word in words)

        paths = sorted(paths, key=shared_words, reverse=True)
    return _code_first(paths)


def _code_first(paths: Iterable[str]) -> list[str]:
    code: list[str] = []
    others: list[str] = []
    for path in paths:
        (code if _is_code(path) else others).append(path)
    return code + others


def _is_code(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.outline.indexed


class _Scan:
    """One pass over candidate files; what could not be read or finished is remembered."""

    def __init__(self, index: Index, find: Finder, context: int) -> None:
        self._index = index
        self._find = find
        self._context = context
        self._unread: list[str] = []
        self._binary: list[str] = []
        self.stopped = ""
        self._until = 0.0

    def run(self, paths: Sequence[str], until: float) -> list[TextMatch]:
        """Return the matches in ``paths``, one a line: code before prose and data, then by path.

        What is not looked into before ``until``, by the monotonic clock, is left out.
        """
        found: list[TextMatch] = []
        self._until = until
        with self._index.tree.reading() as reader:
            for number, path in enumerate(paths):
                cancellation.check()
                late = number % _CHECKED_EVERY == 0 and time.monotonic() > until
                if late or len(found) > MOST_MATCHES:
                    self.stopped = (
                        f"stopped after {number:,} of {len(paths):,} files; a longer query or a path is faster"
                    )
                    break
                raw = reader.raw(path)
                if raw is None:
                    self._unread.append(path)
                elif self._find.may_hold(raw):
                    content = self._index.tree.text(path, raw)
                    if content is not None:
                        found += self._in_text(path, content)
                    elif len(paths) == 1 or any(self._find.spans(mask_keys(raw))):
                        self._binary.append(path)
            found.sort(key=lambda match: (not _is_code(match.path), match.path, match.line))
            return list(_with_containers(self._index, found, reader))

    def notes(self) -> tuple[str, ...]:
        """Return what the answer has to say of the pass."""
        unread = _named("not read", self._unread)
        return tuple(note for note in (self.stopped, unread, _named("binary, so not shown", self._binary)) if note)

    def _in_text(self, path: str, content: bytes) -> Iterator[TextMatch]:
        found: dict[int, Span] = {}
        line, counted = 1, 0
        for number, (start, end) in enumerate(self._find.spans(content)):
            if number % _SPANS_BETWEEN_CHECKS == _SPANS_BETWEEN_CHECKS - 1:
                cancellation.check()
                if time.monotonic() > self._until:
                    self.stopped = f"stopped in {path}, which matches too often; a longer query is faster"
                    break
            line += content.count(b"\n", counted, start)
            counted = start
            found.setdefault(line, (start, end))
        if not found:
            return
        lines = lines_of(content)
        numbers = [0, *found, len(lines) + 1]
        shown = 0
        for before, number, after in zip(numbers, numbers[1:], numbers[2:], strict=False):
            first = max(shown, before, number - 1 - self._context) + 1
            shown = min(after - 1, number + self._context)
            yield _match(path, content, lines, number, found[number], (first, shown))


def _with_containers(index: Index, found: Sequence[TextMatch], reader: Reader) -> Iterator[TextMatch]:
    """Yield matches with the symbols that they stand in, as far as the index has those of their files at hand."""
    for number, (path, group) in enumerate(groupby(found, key=attrgetter("path"))):
        matches = list(group)
        symbols = _symbols_around(index, reader, path, matches) if number < _MOST_ENCLOSED else {}
        yield from (replace(one, container=symbols[one.line].path) if one.line in symbols else one for one in matches)


def _symbols_around(index: Index, reader: Reader, path: str, matches: Sequence[TextMatch]) -> Mapping[int, Definition]:
    if language_of(path) is None:
        return {}
    try:
        source = reader.read(path)
    except PathError:
        return {}
    return index.symbols.query_indexed(source, around([match.line for match in matches])) or {}


def _secret_note(paths: Sequence[str]) -> tuple[str, ...]:
    return (_named("secret, so not searched", paths),) if paths else ()


def _named(what: str, paths: Sequence[str]) -> str:
    if not paths:
        return ""
    return f"{what}: {paths[0]}{f' and {len(paths) - 1:,} more' if len(paths) > 1 else ''}"


def _match(path: str, content: bytes, lines: Sequence[str], line: int, span: Span, shown: tuple[int, int]) -> TextMatch:
    """Return the match on a line, with the lines from the first to the last that are ``shown`` around it."""
    begin = content.rfind(b"\n", 0, span[0]) + 1
    column = len(content[begin : span[0]].decode("utf-8", "replace"))
    length = len(content[span[0] : span[1]].partition(b"\n")[0].decode("utf-8", "replace"))
    text = lines[line - 1] if line <= len(lines) else ""
    return TextMatch(
        path,
        line,
        column + 1,
        column + 1 + length,
        _around(text, column),
        tuple(lines[shown[0] - 1 : line - 1]),
        tuple(lines[line : shown[1]]),
    )


def _around(text: str, column: int) -> str:
    """Return a line, of a very long one the part around ``column``."""
    if len(text) <= LONGEST_LINE:
        return text.strip()
    start = max(0, min(column - LONGEST_LINE // 3, len(text) - LONGEST_LINE))
    cut = text[start : start + LONGEST_LINE].strip()
    return f"{'...' if start else ''}{cut}{'...' if start + LONGEST_LINE < len(text) else ''}"


def _next(index: Index, found: list[TextMatch], query: str, path: str, *, regex: bool) -> Iterator[Call]:
    """Yield the call that reads around the first match; where there is none, the one that looks for less."""
    if found:
        first = found[0]
        yield reading(index, first.path, first.line - 10, 40)
    elif query.isidentifier():
        yield Call.of("symbol_search", Size(rows=10, width=40), query=query)
    elif not regex:
        yield from offer_find_code(index, query, path)
        if path in ("", ".") and index.coverage().complete:
            yield from _search_rarest_word(index, query)


def _search_rarest_word(index: Index, query: str) -> Iterator[Call]:
    """Yield the call that looks for the rarest word of several alone."""
    words = {word: index.words.count_files_with(word) for word in dict.fromkeys(_WORD.findall(query))}
    held = [word for word, files in words.items() if files]
    if held and len(words) > 1:
        rarest = min(held, key=lambda word: words[word])
        size = Size(rows=2 * min(words[rarest], _FILES_PRICED), width=60)
        yield Call.of("search_text", size, query=rarest, word=True)
