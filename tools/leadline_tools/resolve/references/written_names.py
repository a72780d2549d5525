r"""Names that sources write otherwise than the index has them: ``N\M`` for the namespace ``N.M`` of PHP.

No rule resolves the name of a namespace as a whole: what spells it is undecided, but for its declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.occurrences.tokens import tokens_of
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.undecided import undecided_token
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol


def written_uses(index: Index, target: DefinedSymbol, is_wanted: Callable[[str], bool]) -> Iterator[ResolvedUse]:
    """Yield the tokens that spell a dotted name as its declaration does; nothing where that is how the index has it."""
    name, start = target.first.name, target.first.column - 1
    if "." not in name:
        return
    written = target.source.lines()[target.first.line - 1][start : start + len(name)]
    if written == name:
        return
    declared = {(one.line, one.column) for one in target.definitions}
    files = index.words.files_with((written,), spelled=True)
    for path in filter(is_wanted, same_language_group(files, language_group(target.path))):
        cancellation.check()
        source = index.try_read(path)
        for token in tokens_of(source, written) if source is not None else ():
            use = undecided_token(path, written, token)
            if path == target.path and (token.line, token.column) in declared:
                yield ResolvedUse(
                    path, written, use.use._replace(role=Role.Definition), Tier.Exact, Reason.Definition, ""
                )
            elif not token.is_text:
                yield use
