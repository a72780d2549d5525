"""The types of the first name of a term, which no other step precedes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages import terms
from leadline_tools.languages.facts import Facts, class_around
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import owner_of
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import TAGS, TOP, UNKNOWN, Op, Path
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.bound_types import BoundTypes
from leadline_tools.resolve.evaluator.self_and_super import SelfAndSuperTypes
from leadline_tools.resolve.evaluator.steps import CALLING
from leadline_tools.resolve.evaluator.type_parameters import TypeParameters
from leadline_tools.resolve.members import host_types
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import (
    EXTERNAL,
    ExternalType,
    LocalName,
    Module,
    Resolution,
    SymbolRef,
    is_same,
)
from leadline_tools.resolve.types.evaluation import Context, Evaluator, lookup_types
from leadline_tools.resolve.types.external_terms import BUILT_IN, ExternalTerms
from leadline_tools.resolve.types.type import PRIMITIVE_TYPE, MemberAccess, Type, types_of

_TYPE_STEPS = frozenset({Op.Itself, Op.Arguments, Op.Object})
"""Steps that follow types alone."""

_VALUE_STEPS = frozenset({Op.Call, Op.Member, Op.Given})
"""Steps that follow a type of the language which makes a value, or has one."""


class NameEvaluator:
    """Evaluates names as a context sees them: own objects, type parameters, bare names, names in namespaces."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: Evaluator,
        bound_types: BoundTypes,
        type_parameters: TypeParameters,
        self_and_super: SelfAndSuperTypes,
        external_terms: ExternalTerms,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._bound_types = bound_types
        self._type_parameters = type_parameters
        self._self_and_super = self_and_super
        self._external_terms = external_terms

    def evaluate_in_namespace(self, context: Context, one: Path) -> Sequence[Type]:
        """Return what a term stands for whose first names are those of a namespace."""
        _, semantics = self._resolver.facts(context.path)
        names = [place_of(one.head).name]
        spaced = semantics is not None and (
            semantics.visibility.has_open_namespaces or semantics.imports.imports_members
        )
        qualified = semantics is not None and semantics.visibility.has_qualified_names
        for i, step in enumerate(one.steps if spaced else ()):
            if step.op is not Op.Member or not (qualified or names == [TAGS]):
                break
            resolution = self._lookup_in_namespace(context, ".".join(names), step.name)
            if resolution is not None:
                types = types_of(resolution)
                if found := self._evaluator.evaluate_steps(context, types, step.name, one.steps[i + 1 :]):
                    return found
            names.append(step.name)
        return ()

    def _lookup_in_namespace(self, context: Context, space: str, name: str) -> Resolution | None:
        """Return what a name means in a namespace, or in a package."""
        _, semantics = self._resolver.facts(context.path)
        if semantics is not None and semantics.visibility.has_open_namespaces:
            return self._resolver.scopes.lookup_in_namespace(context.path, space, name, context.scope)
        found = self._resolver.imports.follow(context.path, Imported(space, name, name))
        return found if isinstance(found, SymbolRef | Module) else None

    def evaluate(self, context: Context, head: str, first: Op | None) -> Sequence[Type]:
        """Return what the first name of a term stands for, given what is done with it first."""
        name, scope, lines = place_of(head)
        found = self._evaluate_name(context._replace(scope=scope) if scope >= 0 else context, name, first)
        return [self._bound_types.bound_on_lines(lines, type_) for type_ in found] if lines else found

    def _evaluate_name(self, context: Context, name: str, first: Op | None) -> Sequence[Type]:
        """Return what a name stands for that a term begins with."""
        facts, semantics = self._resolver.facts(context.path)
        if facts is None or semantics is None or name in (UNKNOWN, TAGS):
            return ()
        if name in BUILT_IN or name == terms.GIVEN or terms.is_record(name):
            return (Type(ExternalType(name)),)
        if name in semantics.scopes.this or name in semantics.scopes.own or name in semantics.scopes.above:
            own = self._self_and_super.evaluate(context, facts, semantics, name)
            if own or name not in semantics.scopes.own:
                return own
        if semantics.scopes.namespaces_apart and not _is_type(context, semantics, first):
            return self._evaluate_bare_name(context, facts, semantics, name, first)
        return self._evaluate_name_or_parameter(context, facts, semantics, name, first)

    def _evaluate_name_or_parameter(
        self, context: Context, facts: Facts, semantics: Semantics, name: str, first: Op | None
    ) -> Sequence[Type]:
        """Return what a name stands for that may be that of a type parameter."""
        path, _, access, _ = context
        given = dict(access.substitution).get(name) if access is not None and access.substitution else None
        if given == ():
            return ()  # what a call gives a type parameter is more than its bound says
        if given is None and access is not None:
            given = self._type_parameters.argument(name, access.owner, path)
        if given is None:
            return self._evaluate_bare_name(context, facts, semantics, name, first)
        given = given or tuple(self._declared_bounds(context, semantics, name))
        itself = first is None and not context.typed  # the type itself, none of its objects
        return [replace(one, is_instance=False) for one in given] if itself else given

    def _declared_bounds(self, context: Context, semantics: Semantics, name: str) -> Sequence[Type]:
        """Return what a type parameter is at least, whose argument is not known: what is spelled of it."""
        declared = lookup_types(self._resolver, context.path, name, context.scope, Role.Type)
        found = self._evaluator.resolve_aliases(declared)
        return [
            one
            for one in found
            if not isinstance(one.origin, Module) and one.origin.name != semantics.members.root_type
        ]

    def _evaluate_bare_name(
        self, context: Context, facts: Facts, semantics: Semantics, name: str, first: Op | None
    ) -> Sequence[Type]:
        """Return what a name alone stands for."""
        typed = _is_type(context, semantics, first)
        role = Role.Type if typed else Role.Call if first in CALLING else Role.Read
        found = lookup_types(self._resolver, context.path, name, context.scope, role)
        if role is Role.Call and semantics.scopes.imports_type is not None:
            found = tuple(one for one in found if not self._evaluator.is_type(one))
        external = found == (Type(EXTERNAL),) and not any(one.imported >= 0 for one in facts.named(name))
        hosted = self._host_types(semantics, name, first, typed=typed) if external else ()
        if hosted:
            return hosted
        if name in semantics.library.primitives and first in _VALUE_STEPS and not typed and found == (Type(EXTERNAL),):
            return (Type(PRIMITIVE_TYPE),)
        if not found and first is Op.Parameter:  # a variable that holds what is called
            found = lookup_types(self._resolver, context.path, name, context.scope, Role.Read)
        if not found and semantics.imports.names_modules and any(one.module == name for one in facts.imports):
            module = self._resolver.modules.find(semantics, name, context.path)
            found = (Type(module),) if module is not None else ()
        elif semantics.types.native_type(name) and all(isinstance(type_.origin, Module) for type_ in found):
            itself = (Type(ExternalType(name)),)  # no module is a type, and what it lacks its namesake may have
            found = itself if typed else (*found, *itself)
        if context.access is None and semantics.scopes.class_visible:
            access_of = self._self_and_super.access_of_bare_name
            return [replace(v, access=access_of(context.path, facts, context.scope, v.origin)) for v in found]
        if context.access is not None and (typed or _is_generic(context.access)):
            # what bounds a type parameter may name those of the receiver, and so may what a local name is given
            return [self._with_context(v, context, facts) for v in found]
        if context.access is not None and not is_same(context.access.receiver.origin, context.access.owner.origin):
            return [self._as_member_of_context(v, context, facts) for v in found]
        return found

    def replace_self_contained(self, context: Context, one: Path, head: Sequence[Type]) -> Sequence[Type]:
        """Return what a term begins with; what has no members for a module whose member is self-contained.

        See ``LibraryRules.is_self_contained``.
        """
        facts, semantics = self._resolver.facts(context.path)
        if facts is None or semantics is None or head != (Type(EXTERNAL),) or not one.steps:
            return head
        imported = [facts.imports[binding.imported] for binding in facts.named(one.head) if binding.imported >= 0]
        first, is_self_contained = one.steps[0], semantics.library.is_self_contained
        alone = first.op is Op.Member and all(is_self_contained(of.module, first.name) for of in imported)
        return (Type(PRIMITIVE_TYPE),) if imported and alone else head

    def _host_types(self, semantics: Semantics, name: str, first: Op | None, *, typed: bool) -> Sequence[Type]:
        """Return what a name stands for that the host of a program declares, as far as its type is known."""
        if not typed and name in semantics.library.host_values:
            return host_types.evaluate_host_term(semantics.library.host_values[name])
        plain = first is not Op.Arguments and (typed or first is Op.Member or name not in semantics.library.primitives)
        named = host_types.named_type(semantics, name) if plain else None
        return (named,) if named is not None else ()

    def _with_context(self, type_: Type, context: Context, facts: Facts) -> Type:
        """Return what a name stands for with what the context knows of type parameters."""
        owner = context.access.owner if context.access is not None else None
        if owner is not None and self._type_parameters.shares_arguments(type_.origin, owner) and not type_.arguments:
            return replace(type_, arguments=owner.arguments, access=context.access)
        return self._as_member_of_context(type_, context, facts)

    def _as_member_of_context(self, type_: Type, context: Context, facts: Facts) -> Type:
        """Return what a name stands for as a member of the object that the context belongs to, if it is one."""
        if not self._belongs_to_context(type_.origin, context, facts):
            return type_
        return replace(type_, access=context.access)

    def _belongs_to_context(self, of: Resolution, context: Context, facts: Facts) -> bool:
        """Return whether a local name, or a type in a type, belongs to the class that the context does."""
        owner = context.access.owner.origin if context.access is not None else None
        if isinstance(of, SymbolRef) and isinstance(owner, SymbolRef):
            return (of.path, owner_of(of.name)) == (owner.path, owner.name)
        if not isinstance(of, LocalName) or of.path != context.path:
            return False
        return class_around(facts.scopes, of.scope) == class_around(facts.scopes, context.scope)

    def external_types(self, context: Context, name: str, first: Op | None) -> Sequence[Type]:
        """Return what a name stands for that nothing in the code base has, where every name is declared."""
        facts, semantics = self._resolver.facts(context.path)
        if semantics is None or not (context.typed or first in _TYPE_STEPS) or name in (UNKNOWN, TAGS):
            return ()
        if context.access is not None and lookup_types(self._resolver, context.path, name, context.scope, Role.Type):
            return ()  # a type parameter of which nothing is known
        external = self._resolver.external_names.is_external_type(context.path, name, context.scope)
        if name in semantics.library.standard_types and not self._resolver.scopes.lookup(
            context.path, name, context.scope, Role.Type
        ):
            return (Type(ExternalType(name)),)
        unbound = semantics.library.host_member is not None and facts is not None and not facts.named(name)
        nowhere = external or (
            (semantics.visibility.is_closed or unbound)
            and not self._resolver.project.defining(name, context.path)
            and not (semantics.members.extensions_by_namespace and self._resolver.components.is_part_of_namespace(name))
        )
        return (Type(ExternalType(name)),) if nowhere else ()

    def evaluate_external_tag(self, context: Context, one: Path) -> Sequence[Type]:
        """Return what a term stands for of a type from outside: it begins with a tag, or outside of all namespaces."""
        if one.head not in (TAGS, TOP) or not one.steps or one.steps[0].op is not Op.Member:
            return ()
        tag = one.steps[0].name
        if one.head == TOP:
            is_external = self._external_terms.is_external(context.path, TOP, context.scope, tag)
            types: Sequence[Type] = (Type(ExternalType(tag)),) if is_external else ()
        else:
            types = self.external_types(context, tag, Op.Itself)
        return self._evaluator.evaluate_steps(context, types, tag, one.steps[1:]) if types else ()


def _is_generic(access: MemberAccess) -> bool:
    """Return whether anything is known of type parameters where something was taken from."""
    return bool(access.substitution or access.owner.arguments)


def _is_type(context: Context, semantics: Semantics, first: Op | None) -> bool:
    """Return whether a name is that of a type, given what is done with it first."""
    apart = semantics.scopes.namespaces_apart
    if first is Op.Member:
        return context.typed and semantics.scopes.types_apart and not apart
    if first is None:
        return context.typed and apart
    return first in _TYPE_STEPS and (first is not Op.Arguments or context.typed)  # a function has arguments too
