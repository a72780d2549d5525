"""Names in strings: keys, and code that a framework reads there.

A field of a record whose objects are mappings is named by a string, as ``movie["title"]`` does. Which strings are keys
of which record is not followed, so each one that is the name and nothing else may mean the field: it is undecided, and
no text. https://docs.python.org/3/library/typing.html#typing.TypedDict

A name in a string that is code, such as the template of a component, may mean any member: it is undecided as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.outline import VARIABLE
from leadline_tools.once import once
from leadline_tools.resolve.occurrences.tokens import Token, tokens_of
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol
from leadline_tools.resolve.types.type import Type

_QUOTES = ("'", '"')


class StringKeys:
    """Finds the names in strings that may mean a symbol; none for a symbol that no string can name."""

    def __init__(self, symbol: SearchedSymbol, question: Question) -> None:
        self._symbol = symbol
        self._question = question

    def tokens(self, source: Source, name: str) -> list[Token]:
        """Return the tokens of a file that are keys, or stand in strings that are code."""
        if language_of(source.path) is not language_of(self._symbol.target.path):
            return []
        spans = self._code_in_strings(source)
        if not self._is_field and not spans:
            return []
        lines, starts = source.lines(), [0, *accumulate(len(one) + 1 for one in source.content.split(b"\n"))]
        found: list[Token] = []
        for one in tokens_of(source, name):
            line = lines[one.line - 1]
            offset = starts[one.line - 1] + len(line[: one.column - 1].encode())
            is_code = any(start <= offset < end for start, end in spans)
            if one.is_text and (is_code or (self._is_field and _is_whole(line, one, name))):
                found.append(one)
        return found

    def _code_in_strings(self, source: Source) -> Sequence[tuple[int, int]]:
        """Return where a file has strings that are code, in bytes, if the symbol is a member."""
        semantics = semantics_of(source.path)
        code = semantics.uses.code_in_strings if semantics is not None else None
        return code(source.content) if code is not None and self._symbol.target.first.owner else ()

    @once
    def _is_field(self) -> bool:
        """Return whether the symbol is a field of a record whose objects are mappings."""
        target = self._symbol.target
        semantics = target.semantics
        records = semantics.calls.records if semantics is not None else None
        bases = records.mappings if records is not None else frozenset[str]()
        if not bases or target.first.kind not in VARIABLE:
            return False
        inheritance = self._question.resolver.evaluator.inheritance
        above = (one for part in self._symbol.owner for one in inheritance.mro(Type(part)))
        return any(term.rpartition(".")[2] in bases for one in above for term in inheritance.external_bases(one))


def _is_whole(line: str, token: Token, name: str) -> bool:
    """Return whether a string is a name and nothing else."""
    start, end = token.column - 1, token.column - 1 + len(name)
    return line[start - 1 : start] in _QUOTES and line[end : end + 1] == line[start - 1 : start]
