"""Finds where a text or a regular expression occurs."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Sequence
from copy import copy

from leadline_tools import cancellation
from leadline_tools.cancellation import Deadline
from leadline_tools.errors import BadArgument
from leadline_tools.find_code.offer import offer_find_code
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.index.request_scope.index_notes import text_notes
from leadline_tools.index.request_scope.read_calls import reading
from leadline_tools.index.text.key_masking import mask_keys, without_masks
from leadline_tools.index.text.scan import CutShort
from leadline_tools.index.tree.ignoring import GIVEN, OWN_RULES
from leadline_tools.index.tree.source import Reader, Tree
from leadline_tools.model import TextMatch
from leadline_tools.patience import Patience, patient
from leadline_tools.result import Call, Result, Size
from leadline_tools.search_text.candidates import candidates
from leadline_tools.search_text.matches import FoundLines, TextMatches
from leadline_tools.search_text.query import TextQuery
from leadline_tools.search_text.ranking import best_matches
from leadline_tools.search_text.root_turns import RootOf, describe_progress, take_turns
from leadline_tools.search_text.unfinished import Unfinished
from leadline_tools.tool import FolderPath, tool_of_paths

MOST_CONTEXT = 20

MOST_MATCHES = 5_000_000
"""Lines that are found before a scan stops: so many take 20 MB."""

_CHECKED_EVERY = 16
"""Files that are scanned between two looks at the clock."""

_KEPT_SECONDS = 0.5
"""Of the patience of a question, the part in which the answer is composed: a tenth, at most so many seconds."""

_WORD = re.compile(r"[^\W_]\w{2,40}")
"""Words that are looked for alone where a whole text is nowhere."""

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
    wanted = TextQuery(query, regex, word, case_sensitive, min(context, MOST_CONTEXT))
    wanted.finder  # noqa: B018  a bad expression is an error before anything is looked at
    looked = index.scan.is_done()
    chosen = select(index, path)
    secret = index.files.secret.intersection(chosen)
    binary = index.files.binary.intersection(chosen)
    chosen = [path for path in chosen if path not in secret and path not in binary] if secret or binary else chosen
    key = (index.identity, index.tree.variant, index.files.state, wanted, path)
    with patient() as patience:
        scan = _UNFINISHED.take(key) or _begin_scan(index, wanted, candidates(index, wanted, chosen))
        scan.run(index.tree, patience)
    if scan.continues:
        _UNFINISHED.keep(key, scan.copied())
    found = TextMatches(index, wanted, scan.found)
    order = tuple(best_matches(index, wanted, scan.found))
    scope = "" if path in ("", ".") else f" in {path}"
    first = found.ordered(order[:1] or range(1))[0] if found else None
    return Result(
        subject=f"{'/' + query + '/' if regex else repr(query)}{scope}",
        noun="lines",
        items=found,
        order=order,
        at_least=bool(scan.stopped or scan.unread or scan.cut),
        partial=bool(scan.stopped or scan.cut) or not looked,
        notes=(
            *_secret_note(sorted(secret)),
            *scan.notes(binary),
            *_ignored_note(index, found),
            *(text_notes(index) if scan.stopped or scan.cut else ()),
        ),
        calls=tuple(_next(index, first, query, path, regex=regex)),
    )


def _ignored_note(index: Index, found: Sequence[TextMatch]) -> tuple[str, ...]:
    """Return what an answer without lines has to say of files that are not searched."""
    if found:
        return ()
    files = (".gitignore", OWN_RULES) if not index.unlisted.rules_ignored else ()
    by = [file for file in files if index.paths.ending(file)] + ([GIVEN] if index.tree.exclude else [])
    return (f"files that are ignored by {' and '.join(by)} are not searched",) if by else ()


class _Scan:
    """One pass over candidate files, in one or several calls; what could not be read or finished is remembered.

    Attributes:
        found: The lines that match.
        stopped: Why the pass ended before the last file; empty where it did not.
        continues: Whether a call that asks the same goes on where this pass has ended.
        unread: The files that could not be read.
        cut: The files that take longer than a call may, and in which what was found until then is all that is known.

    """

    def __init__(self, query: TextQuery, paths: Sequence[str], root_of: RootOf) -> None:
        self.found = FoundLines()
        self.stopped = ""
        self.continues = False
        self.unread: list[str] = []
        self.cut: list[str] = []
        self._find = query.finder
        self._paths = paths
        self._root_of = root_of
        self._done = 0
        self._binary: list[str] = []

    def run(self, tree: Tree, patience: Patience) -> None:
        """Find the lines that match in the files that are left, as far as the patience lasts."""
        until = patience.deadline - min(_KEPT_SECONDS, patience.seconds / 10)
        paths, self.stopped, self.continues = self._paths, "", False
        limit, whole = Deadline(until), until - time.monotonic() > patience.seconds / 2
        with tree.reading() as reader:
            for number, path in enumerate(reader.ahead(paths[self._done :]), self._done):
                if number % _CHECKED_EVERY == 0:
                    cancellation.check()
                    patience.advance(number, len(paths))
                    self.continues = limit.cancelled
                if not self.continues and len(self.found.lines) <= MOST_MATCHES:
                    self.continues = not self._finishes(limit, reader, path, last_try=whole and number == self._done)
                if self.continues or len(self.found.lines) > MOST_MATCHES:
                    self.stopped = self._describe_stop(number)
                    self._done = number
                    break
        self.found.sort()

    def _finishes(self, limit: Deadline, reader: Reader, path: str, *, last_try: bool) -> bool:
        """Look into a file; return whether it is done with when the time is over.

        On the ``last_try`` it had nearly all of the time of a call. No later call gets further, so it is done with.
        """
        try:
            limit.run(lambda: self._look_into(reader, path, alone=len(self._paths) == 1))
        except cancellation.Cancelled as stopped:
            cancellation.check()
            if not last_try:
                return False
            self.cut.append(path)
            if isinstance(stopped, CutShort) and stopped.lines:
                self.found.add(path, stopped.lines)
        return True

    def copied(self) -> _Scan:
        """Return the pass with lines of its own, since an answer keeps those that were found up to now."""
        scan = copy(self)
        scan.found = FoundLines(self.found.paths, self.found.counts, self.found.lines)
        scan.unread, scan.cut, scan._binary = [*self.unread], [*self.cut], [*self._binary]
        return scan

    def _describe_stop(self, done: int) -> str:
        """Return how far the pass came, and how to get the rest."""
        roots = describe_progress(self._paths, done, self._root_of)
        by_root = f" ({roots})" if roots else ""
        then = "call it again to continue; " if self.continues else ""
        return (
            f"stopped after {done:,} of {len(self._paths):,} files{by_root}; {then}a longer query or a path is faster"
        )

    def _look_into(self, reader: Reader, path: str, *, alone: bool) -> None:
        raw = reader.sift(path, self._find.may_hold)
        if raw is None:
            self.unread.append(path)
        elif raw:
            content = reader.sifted_text(path, raw)
            if content is None:
                if alone or any(self._find.spans(without_masks(mask_keys(raw)))):
                    self._binary.append(path)
            elif lines := self._find.lines(without_masks(content)):
                self.found.add(path, lines)

    def notes(self, binary: Collection[str]) -> tuple[str, ...]:
        """Return what the answer has to say of the pass; ``binary`` are the files that are known to be no text."""
        cut = _named("not searched to the end, which takes too long", self.cut)
        unread, others = _named("not read", self.unread), _binary_note({*binary, *self._binary})
        return tuple(filter(None, (self.stopped, cut, unread, others)))


_UNFINISHED = Unfinished[_Scan]()


def _begin_scan(index: Index, query: TextQuery, paths: Sequence[str]) -> _Scan:
    """Return the pass over some files, which are looked into in turns of their roots."""
    names = index.root_names
    return _Scan(query, take_turns(paths, names.of) if len(index.root_names) > 1 else paths, names.of)


def _secret_note(paths: Sequence[str]) -> tuple[str, ...]:
    return (_named("secret, so not searched", paths),) if paths else ()


def _binary_note(paths: Collection[str]) -> str:
    """Return what an answer has to say of files that are no text: which one, or how many."""
    if not paths:
        return ""
    return f"binary, so not searched: {f'{len(paths):,} files' if len(paths) > 1 else min(paths)}"


def _named(what: str, paths: Sequence[str]) -> str:
    if not paths:
        return ""
    return f"{what}: {paths[0]}{f' and {len(paths) - 1:,} more' if len(paths) > 1 else ''}"


def _next(index: Index, first: TextMatch | None, query: str, path: str, *, regex: bool) -> Iterator[Call]:
    """Yield the call that reads around the first match; where there is none, the one that looks for less."""
    if first is not None:
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
