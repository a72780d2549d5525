r"""Names that sources write otherwise than the index has them: ``N\M`` for the namespace ``N.M`` of PHP.

No rule resolves the name of a namespace as a whole: what spells it is undecided, but for its declaration.
"""

from __future__ import annotations

from dataclasses import replace

from leadline_tools.index.text.source_text import Source
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.occurrences.tokens import Token, tokens_of
from leadline_tools.resolve.project.resolved_uses import FileUses, ResolvedUse
from leadline_tools.resolve.references.undecided import undecided_token
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

_SEPARATORS = frozenset("\\:.")
"""The characters that separate the parts of names."""


def written_name(target: DefinedSymbol) -> str:
    """Return a dotted name as its declaration spells it; empty where that is how the index has it."""
    name, start = target.first.name, target.first.column - 1
    line = target.source.lines()[target.first.line - 1] if "." in name else ""
    end = start
    for number, part in enumerate(name.split(".")):
        while number and line[end : end + 1] in _SEPARATORS:
            end += 1
        if not part or not line.startswith(part, end):
            return ""
        end += len(part)
    written = line[start:end]
    return written if written != name else ""


def written_uses(target: DefinedSymbol, source: Source, written: str) -> FileUses:
    """Return the tokens of a file that spell a dotted name as its declaration does."""
    declared = {(one.line, one.column) for one in target.definitions} if source.path == target.path else set()
    found: list[ResolvedUse] = []
    text = 0
    for token in tokens_of(source, written):
        if (token.line, token.column) in declared:
            found.append(_declaration(source.path, written, token))
        elif token.is_text:
            text += 1
        else:
            found.append(undecided_token(source.path, written, token))
    return FileUses(found, text=text)


def _declaration(path: str, written: str, token: Token) -> ResolvedUse:
    one = undecided_token(path, written, token)
    return replace(one, use=one.use._replace(role=Role.Definition), tier=Tier.Exact, reason=Reason.Definition)
