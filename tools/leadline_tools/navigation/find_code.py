"""Finds the places where something is done, for a question in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from leadline_tools.errors import BadArgument, LeadlineError
from leadline_tools.find_code.question import Question, parse_question
from leadline_tools.find_code.ranking import RankedFile, Ranking, Wanted, rank_files
from leadline_tools.find_code.regions import densest_region
from leadline_tools.find_code.symbol_scores import RatedSymbol, Scale, SymbolRating
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol as described
from leadline_tools.index.request_scope.answer_sizes import about
from leadline_tools.index.request_scope.changed_since import ChangedScope
from leadline_tools.index.request_scope.file_selection import select_scope
from leadline_tools.index.request_scope.index_notes import symbol_notes, text_notes
from leadline_tools.index.request_scope.read_calls import reading
from leadline_tools.index.request_scope.symbol_kinds import parse_kinds
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of
from leadline_tools.model import CodeMatch, MatchedWord, Symbol, SymbolKind
from leadline_tools.resolve.call_hierarchy.caller_note import caller_note
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import Detail, FolderPath, tool

_LEAST_BESIDE = 0.6
"""What another symbol of a file must say, compared with its best one, to be listed with it."""

_LEAST_OF_BEST = 0.2
"""What a file must say, compared with the best one, to be listed."""

_LONGEST_LINE = 120
"""Characters of the first line of a region that are shown."""

_MOST_OUTLINED = 4
"""Documents and files of data that are parsed to name the section in question."""

_MORE = "more files have these words than were ranked: narrow path or add words"

_DIGITS = 3

_MAP = Size(rows=100, width=60)
"""About what the map of a tree has."""


@tool
def find_code(
    index: Index,
    query: str,
    path: FolderPath = ".",
    kind: str = "",
    tests: bool = False,
    detail: Detail = "auto",
    changed_since: str = "",
) -> Result:
    """Find where something is done, asked in words: the best symbol of each file, best file first.

    kind: as in symbol_search. tests: rank tests and examples like other code.
    """
    question = parse_question(query)
    if not question.terms:
        raise BadArgument("query", "it has no word", "Say in a few words what the code does.")
    kinds = parse_kinds(kind)
    allowed = select_scope(index, path)
    changed = ChangedScope(index, changed_since) if changed_since else None
    if changed is not None:
        allowed = changed.paths if allowed is None else allowed & changed.paths
    ranking = rank_files(index, question, Wanted(allowed, kinds, tests))
    if changed is not None:
        ranking = replace(ranking, files=[_prefer_changed(file, changed) for file in ranking.files])
    places = [place if detail == "full" else _without_fields(place) for place in _places(index, ranking, kinds)]
    return Result(
        subject=query if path in ("", ".") else f"{query} in {path}",
        noun="places",
        items=places,
        partial=not index.coverage().complete,
        ranked=True,
        notes=(
            *(changed.notes if changed else ()),
            *((_MORE,) if ranking.more else ()),
            *filter(None, (caller_note(index, place.symbol) for place in places[:1])),
            *text_notes(index),
            *symbol_notes(index),
        ),
        calls=tuple(_next(index, places)),
        headline="" if places else "no file has these words",
        lean=detail == "lean",
        full=detail == "full",
    )


def _prefer_changed(file: RankedFile, changed: ChangedScope) -> RankedFile:
    """Return a file with those of its best symbols that were changed; with all of them where none was."""
    touched = [one for one in file.symbols if changed.touches(file.path, one.definition)]
    return replace(file, symbols=touched) if touched else file


def _without_fields(place: CodeMatch) -> CodeMatch:
    return replace(place, words=tuple(MatchedWord(match.word, ()) for match in place.words))


def _places(index: Index, ranking: Ranking, kinds: Collection[SymbolKind]) -> Iterator[CodeMatch]:
    """Yield the place of each file that says enough."""
    least = _LEAST_OF_BEST * ranking.files[0].relevance if ranking.files else 0.0
    outlined = 0
    for file in ranking.files:
        if file.relevance < least:
            continue
        if file.symbols:
            yield _place_of_symbol(ranking.question, file)
        elif not kinds:
            outlined += 1
            yield _place_of_region(index if outlined <= _MOST_OUTLINED else None, ranking, file)


def _place_of_symbol(question: Question, file: RankedFile) -> CodeMatch:
    best, *others = file.symbols
    source = file.source
    beside = tuple(
        described(source, other.definition)
        for other in others
        if other.score >= _LEAST_BESIDE * best.score and other.definition.line != best.definition.line
    )
    words = tuple(MatchedWord(question.terms[number].word, fields) for number, fields in sorted(best.terms.items()))
    return CodeMatch(described(source, best.definition), words, file.mark, round(file.score, _DIGITS), beside)


def _place_of_region(index: Index | None, ranking: Ranking, file: RankedFile) -> CodeMatch:
    """Return the section of a document or the key of data that says most, for want of an index or of both the lines."""
    section = _best_section(index, ranking, file) if index is not None else None
    if section is not None:
        return _place_of_symbol(ranking.question, replace(file, symbols=(section,)))
    region = densest_region(file.source.content, file.evidence.places, ranking.rarity)
    words = tuple(MatchedWord(ranking.question.terms[number].word, ("text",)) for number in region.terms)
    return CodeMatch(_region(file.source, region.line, region.end_line), words, file.mark, round(file.score, _DIGITS))


def _best_section(index: Index, ranking: Ranking, file: RankedFile) -> RatedSymbol | None:
    """Return the section of a document, or the key of data, that says most; None where there is none."""
    language = language_of(file.path)
    if language is None or language.outline.indexed:
        return None
    with suppress(LeadlineError):
        scale = Scale(ranking.question, ranking.rarity)
        sections = index.symbols.outline(file.source)
        best = SymbolRating(scale, file.evidence, file.source.content, sections).rate(1, ()).best
        return best[0] if best else None
    return None


def _region(source: Source, line: int, end_line: int) -> Symbol:
    """Return lines of a file as a symbol of the kind ``File``."""
    name = source.path.rpartition("/")[2]
    lines = source.lines()
    text = lines[line - 1].strip()[:_LONGEST_LINE] if line <= len(lines) else ""
    return Symbol(name, source.path, SymbolKind.File, source.path, line, 1, end_line, text or name, "", "")


def _next(index: Index, places: Sequence[CodeMatch]) -> Iterator[Call]:
    """Yield the calls that look closer at the first place; where there is none, the one that shows what there is."""
    if not places:
        yield Call.of("repo_map", _MAP)
        return
    first = places[0].symbol
    if first.kind is SymbolKind.File:
        yield reading(index, first.path, first.line - 5, 40)
        return
    address = f"{first.path}:{first.line}"
    yield Call.of("go_to_definition", about(index, "go_to_definition", first), symbol=address)
    yield Call.of("find_references", about(index, "find_references", first), symbol=address)
