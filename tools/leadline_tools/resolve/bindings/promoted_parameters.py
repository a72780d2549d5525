"""Parameters that declare a member of their type at the same time: the promoted constructor parameters of PHP.

By https://www.php.net/manual/en/language.oop5.decon.php#language.oop5.decon.constructor.promotion one name declares
both, so that the uses of either are uses of what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, SymbolKind, Tier
from leadline_tools.resolve.bindings.local import Local, local_in, uses_of
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.unlisted import unlisted_member_at

_SIGIL = "$"


def promoted_member(index: Index, parameter: Local) -> DefinedSymbol | None:
    """Return the member of a type that a parameter declares; None for another local name."""
    source = index.try_read(parameter.path)
    if source is None or not parameter.sigil:
        return None
    place = parameter.line, parameter.column + len(parameter.sigil)
    for definition in index.symbols.definitions(source):
        if (definition.line, definition.column) == place and definition.kind in VARIABLE and definition.container:
            return next(iter(load_symbols(index, [(parameter.path, definition.path)])), None)
    with asking(index, ahead=False) as question:
        facts = question.project.facts(parameter.path)
        name = parameter.name.removeprefix(_SIGIL)
        unlisted = unlisted_member_at(facts, source, name, place) if facts is not None else None
    return DefinedSymbol(source, (unlisted,)) if unlisted is not None else None


def promoted_parameter(question: Question, member: DefinedSymbol) -> Local | None:
    """Return the parameter that declares a member of a type; None where another declaration does."""
    first, language = member.first, language_of(member.path)
    if language is None or not language.names.sigil or not first.container or first.kind not in VARIABLE:
        return None
    facts = question.project.facts(member.path)
    for binding in facts.named(f"{_SIGIL}{first.name}") if facts is not None else ():
        if (binding.line, binding.column + len(_SIGIL)) == (first.line, first.column) and facts is not None:
            return local_in(facts, member.path, binding.name, binding.scope)
    return None


def parameter_uses(question: Question, member: DefinedSymbol) -> Iterator[ResolvedUse]:
    """Yield the uses of the parameter that declares a member, each at the name behind the sign of a variable."""
    local = promoted_parameter(question, member)
    facts = question.project.facts(member.path)
    if local is None or facts is None:
        return
    for use in uses_of(question, local):
        column = use.column + len(_SIGIL)
        if (use.line, column) != (member.first.line, member.first.column):
            named = use._replace(column=column)
            yield ResolvedUse(member.path, member.first.name, named, Tier.Exact, Reason.Scope, facts.around(use.scope))


def variables(path: str, facts: Facts, name: str, kind: SymbolKind) -> set[tuple[int, int]]:
    """Return where variables spell a name behind their sign: none of them is the member or function of that name."""
    language = language_of(path)
    if language is None or name.startswith(_SIGIL):
        return set()
    signs = (_SIGIL,) if language.names.sigil else language.names.variable_signs if kind in CALLABLE else ()
    spelled = ((sign, use) for sign in signs for use in facts.uses.get(f"{sign}{name}", ()))
    return {(use.line, use.column + len(sign)) for sign, use in spelled if use.receiver == BARE}
