"""Names that an import gives a module, or what that exports by default: they belong to the file that imports.

``import fs from "node:fs"`` calls the module as the file likes, so the name can be changed in that file alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts, Use, is_nameless
from leadline_tools.languages.terms import BARE
from leadline_tools.resolve.addresses.file_position import parse_position
from leadline_tools.resolve.addresses.used_names import innermost_uses
from leadline_tools.resolve.bindings.local import Local
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking


def import_alias_at(index: Index, address: str) -> Local | None:
    """Return the name at ``path:line:column`` that an import gives a module, or its default; None for any other.

    What means a symbol of the code base is none: it is that which has a name.
    """
    place = parse_position(index, address)
    if place is None or not place.column:
        return None
    with asking(index.of(place.path), ahead=False) as question:
        facts, semantics = question.resolver.facts(place.path)
        if facts is None or semantics is None or semantics.imports.is_script is None:
            return None
        bare = (one for one in innermost_uses(facts, place.line, place.column) if one[1].receiver == BARE)
        return next((_alias(question, place.path, facts, name, use) for name, use in bare), None)


def _alias(question: Question, path: str, facts: Facts, name: str, use: Use) -> Local | None:
    _, semantics = question.resolver.facts(path)
    bound = facts.within(name, 0)
    imports = [facts.imports[one.imported] for one in bound if one.imported >= 0]
    shared = semantics.imports.shared_exports if semantics is not None else frozenset[str]()
    if len(imports) != 1 or imports[0].exports or imports[0].name not in (*shared, ""):
        return None
    if len({one.line for one in bound}) > 1:
        return None  # something else is called so too
    meanings = question.resolver.resolve(path, name, use)
    if any(isinstance(one, SymbolRef) and not is_nameless(one.name) for one in meanings):
        return None
    if _is_local(meanings, path):
        return None
    return Local(path, name, 0, bound[0].line, bound[0].column, "")


def alias_uses(question: Question, alias: Local) -> Iterator[Use]:
    """Yield the uses of such a name in its file."""
    facts = question.project.facts(alias.path)
    for use in facts.uses.get(alias.name, ()) if facts is not None else ():
        meanings = question.resolver.resolve(alias.path, alias.name, use) if use.receiver == BARE else ()
        if use.receiver == BARE and not _is_local(meanings, alias.path):
            yield use


def is_passed_on(question: Question, alias: Local) -> bool:
    """Return whether the file exports the name itself."""
    facts = question.project.facts(alias.path)
    if facts is None:
        return True
    imports = (facts.imports[use.imported] for use in alias_uses(question, alias) if use.imported >= 0)
    return any(one.exports and one.alias in ("", alias.name) for one in imports)


def _is_local(meanings: Sequence[Resolution], path: str) -> bool:
    """Return whether a name means one that a scope inside of the file binds."""
    return any(isinstance(one, LocalName) and one.path == path and one.scope > 0 for one in meanings)
