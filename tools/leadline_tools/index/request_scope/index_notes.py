"""Notes on the index behind an answer: what is missing, and what was done in spite of a rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

from leadline_tools.index.index import Index
from leadline_tools.languages.unparsed import Lines
from leadline_tools.plurals import count_noun

_MOST_COMMITS = 3
"""Roots whose commits are named in one note."""

_MOST_UNPARSED = 4
"""Places of a file that do not parse which a note names."""

_MOST_ROOTS = 3
"""Other roots that one note names: those with the most files."""


def freshness_notes(index: Index) -> tuple[str, ...]:
    """Return what any answer has to say of changes that it may not know of."""
    watcher = index.watcher
    if not watcher.lag:
        return ()
    return (f"changes of the last {math.ceil(watcher.lag)} s may be missing, since {watcher.state.reason}",)


def commit_notes(index: Index) -> tuple[str, ...]:
    """Return the note that says which commits an answer is of; none where no root is a commit."""
    notes = [(tree.name, note) for part in index.parts if (note := (tree := part.tree).note)]
    if not notes:
        return ()
    shown = [f"{name}: {note}" if name else note for name, note in notes[:_MOST_COMMITS]]
    more = [f"{len(notes) - _MOST_COMMITS:,} more"] if len(notes) > _MOST_COMMITS else []
    return (", ".join((*shown, *more)),)


def age_notes(index: Index) -> tuple[str, ...]:
    """Return the note that says how long ago what an answer is of was indexed; none for what is on this machine."""
    ages = [age for part in index.parts if (age := part.tree.age)]
    if not ages:
        return ()
    return (f"indexed {_ago(max(ages))}" if len(ages) == 1 else f"indexed {_ago(max(ages))} or later",)


def _ago(seconds: float) -> str:
    """Return how long ago something was, in the largest unit of which there is at least one."""
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:,.0f} {name} ago"
    return "less than a minute ago"


def listing_notes(index: Index) -> tuple[str, ...]:
    """Return what a list of files has to say."""
    notes = []
    if index.unlisted.rules_ignored:
        notes.append("the ignore rules exclude everything, so they were not applied")
    if index.unlisted.skipped:
        first = index.unlisted.skipped[0]
        more = f" and {len(index.unlisted.skipped) - 1:,} more" if len(index.unlisted.skipped) > 1 else ""
        notes.append(f"not listed: {first.path} ({first.reason}){more}")
    return tuple(notes)


def root_notes(index: Index, path: str, name: str) -> tuple[str, ...]:
    """Return what an answer about a symbol has to say of other roots than that of ``path``, which defines it."""
    own = index.of(path)
    others = [part for part in index.parts if part is not own]
    holding = [(part.title, files) for part in others if (files := part.words.count_files_with(name))]
    if not holding:
        return ()
    holding.sort(key=lambda one: -one[1])
    shown = [f"{title} may hold the name in {count_noun(files, 'file')}" for title, files in holding[:_MOST_ROOTS]]
    if rest := holding[_MOST_ROOTS:]:
        shown.append(f"{len(rest):,} more roots in {count_noun(sum(files for _, files in rest), 'file')}")
    return (f"resolved inside {own.title} only; {', '.join(shown)}",)


def text_notes(index: Index) -> tuple[str, ...]:
    """Return what an answer that rests on lines and words has to say."""
    coverage = index.coverage()
    if coverage.texts < coverage.files:
        return (f"still reading: {coverage.texts:,} of {coverage.files:,} files are counted and indexed",)
    return ()


def symbol_notes(index: Index) -> tuple[str, ...]:
    """Return what an answer that rests on the symbols has to say."""
    coverage = index.coverage()
    if coverage.symbols < coverage.files:
        return (f"still indexing: the symbols of {coverage.symbols:,} of {coverage.files:,} files are known",)
    return ()


def unparsed_notes(unparsed: Sequence[Lines]) -> Iterator[str]:
    """Yield the note that some lines of a file do not parse; none where there are none."""
    if not unparsed:
        return
    named = (f"{one.first:,}-{one.last:,}" if one.last > one.first else f"{one.first:,}" for one in unparsed)
    spans = ", ".join(islice(named, _MOST_UNPARSED))
    more = f" and {len(unparsed) - _MOST_UNPARSED:,} more places" if len(unparsed) > _MOST_UNPARSED else ""
    single = len(unparsed) == 1 and unparsed[0].first == unparsed[0].last
    yield f"{'line' if single else 'lines'} {spans}{more} did not parse: symbols there may be missing"
