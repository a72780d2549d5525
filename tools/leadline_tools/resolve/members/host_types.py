"""Types of the hosts of a language, such as browsers: their objects, and the members of those."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from leadline_tools.languages import semantics_of
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import FUNCTION, PRIMITIVE, UNKNOWN, Term, is_record, parsed
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import ExternalType, SymbolRef
from leadline_tools.resolve.scopes.visible_bindings import is_declared_globally
from leadline_tools.resolve.types.type import Type

_FUNCTION = ExternalType(FUNCTION)
_ANY_TYPE = ""
"""The name of a member that no type has: what is asked for with it is whether the type is known at all."""


@lru_cache(500)
def evaluate_host_term(term: str) -> tuple[Type, ...]:
    """Return the objects that a term of types of hosts stands for."""
    return tuple(_instances(parsed(term)))


def _instances(term: Term) -> Iterator[Type]:
    for one in term:
        arguments = tuple(tuple(_instances(argument)) for step in one.steps[:1] for argument in step.arguments)
        if one.head != UNKNOWN:
            yield Type(ExternalType(one.head), is_instance=True, arguments=arguments)


def named_type(semantics: Semantics, name: str) -> Type | None:
    """Return the type of a host with a name; None where its members are not known."""
    known = semantics.library.host_member is not None and semantics.library.host_member(name, _ANY_TYPE)
    return Type(ExternalType(name)) if known else None


def member_types(semantics: Semantics, types: Iterable[Type], name: str, *, called: bool) -> Sequence[Type]:
    """Return what a member of objects of such types is; a function where it is ``called``."""
    lookup = semantics.library.host_member
    if not lookup:
        return ()
    return [one for type_ in types for one in _member_types(semantics, lookup, type_, name, called=called)]


def _member_types(
    semantics: Semantics, lookup: Callable[[str, str], str], type_: Type, name: str, *, called: bool
) -> Sequence[Type]:
    of = type_.origin
    if not isinstance(of, ExternalType) or not of.name or is_record(of.name):
        return ()
    if type_.is_instance and of.name in semantics.library.primitives:
        return evaluate_host_term(PRIMITIVE)
    found = evaluate_host_term(lookup(of.name, name)) if type_.is_instance or name == "constructor" else ()
    if not called or any(one.origin == _FUNCTION for one in found):
        return found
    return (Type(_FUNCTION, is_instance=True, arguments=(found,)),) if found else ()


def merged_members(resolver: NameResolver, type_: Type, name: str) -> Iterator[SymbolRef]:
    """Yield the members that the code base declares for the type of an object of a host, or for one above it.

    https://www.typescriptlang.org/docs/handbook/declaration-merging.html#global-augmentation
    """
    if not isinstance(type_.origin, ExternalType) or not type_.origin.name.isidentifier():
        return
    for file in sorted(resolver.project.defining(name, "")):
        semantics = semantics_of(file)
        for of in semantics.library.host_ancestors(type_.origin.name) if semantics is not None else ():
            member = SymbolRef(file, f"{of}.{name}", Reason.Receiver)
            may_declare = file in resolver.project.spelling(of) and resolver.project.may_declare(file, member.name)
            if may_declare and _is_global(resolver, file, of) and _declares(resolver, member):
                yield member


def may_be_merged(resolver: NameResolver, name: str) -> bool:
    """Return whether the code base declares a member for a type in a namespace of all files, as libraries have it.

    A type from outside may inherit from it: ``declare global { namespace Express { interface Request { .. } } }``.
    """
    declaring = resolver.project.defining(name, "")
    for file in sorted(declaring & frozenset(resolver.project.spelling("global"))) if declaring else ():
        facts, _ = resolver.facts(file)
        declared = (one for one in facts.named(name) if one.path.count(".") > 1) if facts is not None else ()
        if facts is not None and any(is_declared_globally(facts, one) for one in declared):
            return True
    return False


def _declares(resolver: NameResolver, member: SymbolRef) -> bool:
    facts, _ = resolver.facts(member.path)
    return facts is not None and facts.at(member.name) is not None


def _is_global(resolver: NameResolver, path: str, of: str) -> bool:
    """Return whether a file declares a type for all files: at the top of a script, or in a block that says so."""
    facts, _ = resolver.facts(path)
    declared = facts.at(of) if facts is not None else None
    if facts is None or declared is None:
        return False
    return is_declared_globally(facts, declared) or (declared.scope == 0 and resolver.globals.is_script(path))
