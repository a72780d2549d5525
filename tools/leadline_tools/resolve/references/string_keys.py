"""Keys in strings: a field of a record whose objects are mappings is named by a string, as ``movie["title"]`` does.

Which strings are keys of which record is not followed, so each one that is the name and nothing else may mean the
field: it is undecided, and no text. https://docs.python.org/3/library/typing.html#typing.TypedDict
"""

from __future__ import annotations

from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import VARIABLE
from leadline_tools.once import once
from leadline_tools.resolve.occurrences.tokens import Token, tokens_of
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol
from leadline_tools.resolve.types.type import Type

_QUOTES = ("'", '"')


class StringKeys:
    """Finds the strings that may name a symbol as a key; none for a symbol that is no such field."""

    def __init__(self, symbol: SearchedSymbol, question: Question) -> None:
        self._symbol = symbol
        self._question = question

    def tokens(self, source: Source, name: str) -> list[Token]:
        """Return the tokens of a file that are keys."""
        if not self._is_field or language_of(source.path) is not language_of(self._symbol.target.path):
            return []
        lines = source.lines()
        return [one for one in tokens_of(source, name) if one.is_text and _is_whole(lines[one.line - 1], one, name)]

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
