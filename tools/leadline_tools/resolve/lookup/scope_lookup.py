"""The look-up of a bare name: outwards through the scopes, then in wildcard imports, then in sibling files."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages.facts import (
    LAMBDAS,
    METHODS,
    OUTSIDE,
    Binding,
    Facts,
    Use,
    is_type_parameter,
    nameless,
)
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import WILDCARD, Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import TOP
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.lookup.bare_extensions import BareExtensions
from leadline_tools.resolve.lookup.extended_types import ExtendedTypes
from leadline_tools.resolve.lookup.package_names import PackageNames
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, Resolution, SymbolRef
from leadline_tools.resolve.receivers.called_variables import CalledVariables
from leadline_tools.resolve.receivers.outer_members import OuterMembers
from leadline_tools.resolve.receivers.receiver_members import ReceiverMembers
from leadline_tools.resolve.scopes.lookup_scope import (
    LookupKey,
    binds_nothing,
    is_in_scope_of,
    is_value_use,
    looks_for_own_member,
    lookup_key,
    lookup_scope,
    own_side,
    scope_around,
    scope_of_value,
)
from leadline_tools.resolve.scopes.namespaces import named_namespace, opened_for_program, visible_namespaces
from leadline_tools.resolve.scopes.seen_namespaces import SeenNamespaces
from leadline_tools.resolve.scopes.visible_bindings import (
    bindings_seen_from,
    binds_local_around,
    bound_in,
    is_parameter_of_template,
    is_visible,
    latest_wildcards,
    may_be_inherited,
    visible_bindings,
)
from leadline_tools.resolve.types.member_names import MemberNames

_DEEPEST_USING = 2
"""Imports that a project makes for all its files and that name one another; each is read on its own."""


class ScopeLookup:
    """Looks bare names up."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: TypeEvaluator,
        receiver_members: ReceiverMembers,
        seen_namespaces: SeenNamespaces,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = evaluator.definitions
        self._receiver_members = receiver_members
        self._seen_namespaces = seen_namespaces
        self._member_names = MemberNames(resolver)
        self._outer_members = OuterMembers(resolver, evaluator, receiver_members)
        self.is_seen_bare = self._outer_members.is_seen_bare
        self._extended_types = ExtendedTypes(resolver)
        self._called_variables = CalledVariables(resolver)
        self._bare_extensions = BareExtensions(resolver, evaluator)
        self._package_names = PackageNames(resolver, evaluator)
        self._looked_up: dict[tuple[str, str, LookupKey], Resolution | None] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._looked_up.clear()
        self._member_names.forget()
        self._extended_types.forget()
        self._package_names.forget()

    def lookup(self, path: str, name: str, scope: int, role: Role = Role.Read) -> Resolution | None:
        """Return what a bare name means in a scope of a file.

        A value is made of a type by a call or by naming its fields, which terms do not tell apart.
        """
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None:
            return None
        role = Role.Read if role is Role.Call and semantics.scopes.constructors_apart else role
        return self.lookup_in(path, facts, semantics, name, scope, 0, role)

    def lookup_in(
        self, path: str, facts: Facts, semantics: Semantics, name: str, scope: int, depth: int, role: Role = Role.Read
    ) -> Resolution | None:
        """Look a bare name up: outwards through the scopes, then in wildcard imports, then in sibling files."""
        innermost = inside = scope
        passed: set[int] = set()
        while scope > 0:
            passed.add(scope)
            kind = facts.scopes[scope].kind
            outer = scope_around(facts, semantics, name, innermost, scope)
            hidden = outer > 0 and looks_for_own_member(facts, semantics, name, scope)  # by a local name around
            if kind is not ScopeKind.Table and not hidden and not binds_nothing(facts, semantics, (name,), scope):
                found = self._lookup_in_scope(path, facts, semantics, name, scope, (innermost, inside), depth, role)
                if found:
                    return found[0]
            if kind is ScopeKind.Module and semantics.scopes.sealed:
                break
            inside, scope = scope, outer
        else:
            passed.add(0)
        return self._lookup_around(path, facts, semantics, name, innermost, passed, depth, role)

    def _lookup_in_scope(
        self,
        path: str,
        facts: Facts,
        semantics: Semantics,
        name: str,
        scope: int,
        within: tuple[int, int],
        depth: int,
        role: Role,
    ) -> Sequence[Resolution | None]:
        """Return what a scope has under a name; nothing where what is around it is to be asked.

        The name is read ``within`` a scope inside, and inside of the outermost scope in this one.
        """
        innermost, inside = within
        kind = facts.scopes[scope].kind
        is_class = kind is ScopeKind.Class
        seen = not is_class or _sees_members(semantics, directly=scope == innermost)
        here = visible_bindings(bound_in(facts, semantics, name, scope), facts, semantics, role)
        here = here if seen else [b for b in here if is_type_parameter(b)]
        of_type = own_side(facts, semantics, innermost, scope)
        if is_class:
            here = self._members_seen(path, facts, semantics, here, scope, inside, of_type=of_type)
        inherits = not (is_class and semantics.scopes.lexical and name[:1].isupper())
        member: Resolution | None = None
        if inherits and (not here or may_be_inherited(facts, semantics, here, scope, inside)):
            member = self._lookup_in_type(path, facts, semantics, scope, name, role, seen=seen, of_type=of_type)
            here = here if member is None else []
        found = self._resolver.bindings.resolve_any(path, facts, semantics, here, depth)
        if (found is not None or here) and not self._resolver.sorts.cannot_be_called(found, semantics, role):
            return (found,)
        if inherits and here:
            member = self._lookup_in_type(path, facts, semantics, scope, name, role, seen=seen, of_type=of_type)
        of_template = is_class and is_parameter_of_template(facts, scope, name)
        return (member,) if member is not None and not of_template else ()

    def _lookup_around(
        self,
        path: str,
        facts: Facts,
        semantics: Semantics,
        name: str,
        innermost: int,
        passed: AbstractSet[int],
        depth: int,
        role: Role,
    ) -> Resolution | None:
        """Return what a name means that no scope around binds: in the module, in other files, in the language."""
        spaces = self._visible_namespaces(path, facts, semantics, innermost, name)
        is_constant = semantics.scopes.lexical and name[:1].isupper()
        found = (
            self._lookup_constant(path, facts, semantics, name, innermost, spaces, depth, role) if is_constant else None
        )
        found = found or self.lookup_top(path, facts, semantics, name, spaces, depth, role, passed)
        if found is None and is_constant and semantics.imports.may_be_opened(name):
            opened = opened_for_program(self._resolver, path, semantics)
            found = self.lookup_top(path, facts, semantics, name, opened, depth, role, passed)
        if found is not None:
            return self._bare_extensions.choose(path, facts, semantics, name, innermost, found)
        predeclared = name in semantics.visibility.predeclared or _is_predeclared_in_module(name, facts, semantics)
        if predeclared or self._hides_prelude_as_type(path, semantics, name, innermost, role):
            return EXTERNAL
        renames = semantics.imports.has_package_clauses
        return self._lookup_renamed_package(path, facts, semantics, name) if renames else None

    def _lookup_constant(
        self,
        path: str,
        facts: Facts,
        semantics: Semantics,
        name: str,
        scope: int,
        spaces: Sequence[str],
        depth: int,
        role: Role,
    ) -> Resolution | None:
        """Return what a constant means in the namespaces around it, then in the bases of the innermost class.

        https://docs.ruby-lang.org/en/master/syntax/modules_and_classes_rdoc.html#label-Constants
        """
        named = [space for space in spaces if space]
        found = self.lookup_top(path, facts, semantics, name, named, depth, role) if named else None
        around = next((one for one in facts.outwards(scope) if facts.scopes[one].kind is ScopeKind.Class), None)
        if found is not None or around is None:
            return found
        return self._lookup_in_type(path, facts, semantics, around, name, role, seen=True, of_type=None)

    def _lookup_in_type(
        self,
        path: str,
        facts: Facts,
        semantics: Semantics,
        scope: int,
        name: str,
        role: Role,
        *,
        seen: bool,
        of_type: bool | None,
    ) -> Resolution | None:
        """Return what a type hands to a scope that does not bind a name: a parameter to an extension, else a member."""
        extends = semantics.types.shares_parameters and facts.scopes[scope].kind is ScopeKind.Class
        parameter = self._extended_types.lookup(path, facts, scope, name) if extends else None
        if parameter is not None or not seen:
            return parameter
        if semantics.types.received and facts.scopes[scope].kind in LAMBDAS:
            if binds_local_around(facts, semantics, name, scope, role):
                return None
            return self._lookup_of_receiver(path, facts, scope, name, role)
        return self._lookup_inherited(path, facts, semantics, scope, name, role, of_object=of_type is False)

    def _hides_prelude_as_type(self, path: str, semantics: Semantics, name: str, scope: int, role: Role) -> bool:
        """Return whether what is called is in the prelude, and what a scope has under its name is only a type."""
        apart = role is Role.Call and semantics.scopes.constructors_apart and name in semantics.visibility.prelude
        return apart and isinstance(self.lookup(path, name, scope, Role.Type), SymbolRef)

    def lookup_use(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> Resolution | None:
        """Return what a bare name means where it is used, looked up once for all uses that see the same scopes.

        Functions that do not bind the name are passed, where a function sees nothing but what it binds and what is
        around it.
        """
        if semantics.calls.functions_apart and use.role is Role.Call:
            around = self._called_variables.scope_around(path, facts, semantics, name, use)
            passed = use._replace(scope=around)
            found = self.lookup_use(path, facts, semantics, name, passed) if around != use.scope else None
            if found is not None:
                return found
        key = path, name, lookup_key(facts, semantics, name, use)
        if key not in self._looked_up:
            innermost = lookup_scope(facts, semantics, (name,), use.scope)
            visible = scope_of_value(facts, name, innermost) if is_value_use(semantics, use) else innermost
            self._looked_up[key] = self.lookup_in(path, facts, semantics, name, visible, 0, use.role)
        return self._looked_up[key]

    def lookup_top(
        self,
        path: str,
        facts: Facts,
        semantics: Semantics,
        name: str,
        spaces: Sequence[str],
        depth: int,
        role: Role = Role.Read,
        passed: AbstractSet[int] = frozenset({0}),
    ) -> Resolution | None:
        """Look a bare name up in the module, in wildcard imports and in sibling files: namespace by namespace."""
        wildcards = latest_wildcards(facts) if semantics.imports.last_wildcard_counts else facts.wildcards
        inner_first = sorted(wildcards, key=lambda one: -one[0])
        imports = [imported for scope, imported in inner_first if scope in passed and not imported.exports]
        imports.sort(key=semantics.imports.ambient.__contains__)
        resolver = self._resolver
        closed = semantics.visibility.has_open_namespaces and semantics.visibility.is_closed
        for space in spaces:
            here = (b for b in facts.within(name, 0) if b.space == space)
            seen = [b for b in here if 0 in passed and is_visible(b, facts, semantics, role) and b.scope != OUTSIDE]
            found = resolver.bindings.resolve_any(path, facts, semantics, seen, depth) if seen else None
            if seen and not resolver.sorts.cannot_be_called(found, semantics, role):
                if (
                    isinstance(found, SymbolRef)
                    and semantics.imports.passes_on
                    and semantics.scopes.types_apart
                    and 0 in passed
                ):
                    return resolver.included_names.with_overloads(path, found, space, depth)
                if resolver.sorts.is_value_alone(found, semantics, role):  # an import hides no type by a value
                    return self._lookup_globally(path, facts, semantics, name, depth, space) or EXTERNAL
                return found
            if closed and space and resolver.globals.is_in_no_such_space(path, name, space):
                continue
            if semantics.imports.package_first:
                found = self._package_names.lookup(path, imports, semantics, name, depth, space, role)
            else:
                found = self._lookup_imported(path, imports, semantics, name, depth, space, role)
                if found is None:
                    found = self._package_names.lookup_in_siblings(path, semantics, name, depth, space)
            hides = found is not None and semantics.imports.wildcards_hide
            if hides and resolver.wildcards.may_hide(path, facts, semantics, passed):
                return None
            found = found or self._lookup_globally(path, facts, semantics, name, depth, space)
            if found is not None and not resolver.sorts.is_no_type(found, semantics, role):
                return found
        links = semantics.visibility.links_definitions
        return resolver.included_names.lookup_in_includers(path, name, spaces, depth) if links else None

    def _lookup_imported(
        self,
        path: str,
        imports: Sequence[Imported],
        semantics: Semantics,
        name: str,
        depth: int,
        space: str,
        role: Role,
    ) -> Resolution | None:
        """Return what a name means by what a file imports as a whole, or its project for all files.

        A project gives other names, too, and opens types whose static members are seen.
        """
        if any(name in semantics.library.names_of_modules.get(one.module, ()) for one in imports):
            return None  # whether or not the code base has such a module
        if space and semantics.members.extensions_by_namespace:
            imports = [one for one in imports if one.space]  # what a type has is in no namespace: ``using static A``
        found = self._resolver.wildcards.lookup(path, imports, semantics, name, depth, space, role)
        for_project = found is None and not space and semantics.members.extensions_by_namespace
        for one in self._seen_namespaces.usings(path) if for_project and depth <= _DEEPEST_USING else ():
            if one.imported.alias == name:
                found = self._resolver.imports.resolve(path, one.imported, semantics, depth + 1)
            elif one.imported.name == WILDCARD and not one.imported.space:
                found = self._resolver.wildcards.lookup(one.path, [one.imported], semantics, name, depth + 1, "", role)
            if found is not None:
                break
        return found

    def _lookup_globally(
        self, path: str, facts: Facts, semantics: Semantics, name: str, depth: int, space: str
    ) -> Resolution | None:
        """Return what a name means that is declared for all files of a language, where it has such names."""
        declared = self._resolver.globals
        if semantics.visibility.has_open_namespaces and not semantics.imports.passes_on:
            return self._resolver.exports.lookup_in(declared.files_declaring(path, name, space), name, depth, space)
        if semantics.scopes.autoloads is not None and semantics.scopes.autoloads(name):
            return declared.lookup_autoloaded(path, name, depth, space)
        if semantics.imports.is_script is not None and name not in semantics.visibility.predeclared:
            return declared.lookup_in_scripts(path, facts, semantics, name)
        return None

    def lookup_in_namespace(self, path: str, space: str, name: str, scope: int) -> Resolution | None:
        """Return what a name means in a namespace, as it is called in a scope of a file."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None:
            return None
        space = self._named_by_project(path, facts, named_namespace(facts, space))
        top, _, below = space.partition(".")
        own = self._resolver.components.around(path)
        seen = visible_namespaces(facts, semantics, scope, top if semantics.scopes.lexical else name)
        around = [""] if top == TOP else [*own, *seen]
        space = below if top == TOP else space
        spaces = [".".join(filter(None, (outer, space))) for outer in around]
        return self.lookup_top(path, facts, semantics, name, spaces, 0)

    def _named_by_project(self, path: str, facts: Facts, space: str) -> str:
        """Return a namespace without the name that the project of a file gives to what it begins with."""
        top, dot, below = space.partition(".")
        for imported in (one.imported for one in self._seen_namespaces.usings(path) if not facts.named(top)):
            if imported.alias == top and imported.name != WILDCARD:
                return f"{'.'.join(filter(None, (imported.space, imported.name)))}{dot}{below}"
        return space

    def _visible_namespaces(
        self, path: str, facts: Facts, semantics: Semantics, scope: int, name: str
    ) -> Sequence[str]:
        """Return the namespaces in which a bare name is looked up in a scope of a file, innermost first."""
        spaces = visible_namespaces(facts, semantics, scope, name)
        by_project = semantics.members.extensions_by_namespace
        return self._seen_namespaces.named_by_project(path, spaces) if by_project else spaces

    def _lookup_renamed_package(self, path: str, facts: Facts, semantics: Semantics, name: str) -> Resolution | None:
        """Return the package that an import binds which calls itself otherwise than the path says that it lies at."""
        for imported in facts.imports:
            if not imported.name and not imported.exports:
                files = self._resolver.modules.locate(semantics, imported.module, path) or ()
                if any(self._resolver.modules.package_of(file) == name for file in files[:1]):
                    return Module(tuple(files))
        return None

    def _lookup_inherited(
        self, path: str, facts: Facts, semantics: Semantics, scope: int, name: str, role: Role, *, of_object: bool
    ) -> Resolution | None:
        """Return the member of the class of a scope that is seen bare in it, and that the scope does not bind."""
        kind, parent, around = facts.scopes[scope]
        owner = around.rpartition(".")[0]
        if kind is ScopeKind.Class and semantics.scopes.class_visible:
            member = self._lookup_in_own_type(path, facts, semantics, scope, name, role, of_object=of_object)
            inside = not owner or is_in_scope_of(facts, parent, owner) or not semantics.scopes.sees_outer_members
            sees = member is None and not inside
            return self._outer_members.lookup(path, semantics, owner, parent, name, role) if sees else member
        if kind in METHODS and semantics.scopes.sees_outer_members and facts.scopes[parent].name != around:
            received = self._lookup_received(path, semantics, scope, name, role)
            if received is not None:
                return received
        outside = kind in METHODS and facts.scopes[parent].name not in (owner, around)
        if not outside or not semantics.visibility.has_open_namespaces or semantics.members.explicit:
            return None
        return self._outer_members.lookup(path, semantics, owner, parent, name, role)

    def _lookup_in_own_type(
        self, path: str, facts: Facts, semantics: Semantics, scope: int, name: str, role: Role, *, of_object: bool
    ) -> Resolution | None:
        """Return the member of the type of a scope that its bases have, or the type itself."""
        around = facts.scopes[scope].name
        own = SymbolRef(path, around or nameless(scope), Reason.Scope)
        if around.rpartition(".")[2] == name:
            return own if facts.at(around) is not None else self._extended_type(path, around) or own
        names = self._member_names
        may_contain = names.may_contain(path, name, role) and names.may_inherit(own, name, role)
        if not may_contain or not self._evaluator.inheritance.is_decided(own):
            return self._evaluator.inheritance.injected_name(own, name)
        found = self._inherited_member(own, semantics, name, called=role is Role.Call, of_object=of_object)
        seen = isinstance(found, SymbolRef) and self.is_seen_bare(found, semantics, role)
        found = found if seen else self._evaluator.inheritance.injected_name(own, name)
        return SymbolRef(found.path, found.name, Reason.Scope) if isinstance(found, SymbolRef) else None

    def _inherited_member(
        self, own: SymbolRef, semantics: Semantics, name: str, *, called: bool, of_object: bool
    ) -> Resolution | None:
        """Return the member of a type that an object of it has, or the type itself."""
        if semantics.members.twins:
            found = self._resolver.member_of(own, name, called=called, of_object=of_object)
            owned = isinstance(found, SymbolRef) and found.name.rpartition(".")[0] == own.name
            return None if owned else found  # a scope binds the members that are not inherited
        found = self._resolver.member_of(own, name, called=called)
        if of_object and found is not None and not self._definitions.may_belong(found, of_object=True):
            inherited = self._resolver.member_of(own, name, called=called, of_object=True)
            found = inherited or (found if semantics.members.companions else None)
        return found

    def _lookup_of_receiver(self, path: str, facts: Facts, scope: int, name: str, role: Role) -> Resolution | None:
        """Return the member of the object whose members the function of a scope sees bare, if it has one."""
        own = SymbolRef(path, nameless(scope), Reason.Scope)
        if not facts.heritage_of(own.name) or not self._member_names.may_contain(path, name, role):
            return None
        if not self._evaluator.inheritance.is_decided(own):
            return None
        found = self._resolver.member_of(own, name, called=role is Role.Call)
        return SymbolRef(found.path, found.name, Reason.Scope) if isinstance(found, SymbolRef) else None

    def _members_seen(
        self,
        path: str,
        facts: Facts,
        semantics: Semantics,
        here: list[Binding],
        scope: int,
        inside: int,
        *,
        of_type: bool | None,
    ) -> list[Binding]:
        """Return those of the bindings of a class that are seen from inside, where the class or an object is own."""
        if semantics.scopes.sees_parameters_first:
            here = bindings_seen_from(here, facts, scope, inside)
        if of_type is None or semantics.members.twins:  # what a scope binds are members of the type or of its twin
            return here
        may_belong, of_object = self._definitions.may_belong, not of_type
        members = [(one, SymbolRef(path, one.path, Reason.Scope)) for one in here]
        return [one for one, member in members if not one.path or may_belong(member, of_object=of_object)]

    def _extended_type(self, path: str, name: str) -> SymbolRef | None:
        """Return the type that a file adds members to, and does not declare: an extension is called like it."""
        found = self._evaluator.find_definition(path, name)
        return SymbolRef(found.path, found.name, Reason.Scope) if found is not None else None

    def _lookup_received(self, path: str, semantics: Semantics, scope: int, name: str, role: Role) -> SymbolRef | None:
        """Return the member of the type to which a function adds one from outside; a class is seen in itself, too."""
        received = self._evaluator.self_and_super.extended_type(path, scope)
        if received is None or received.name.rpartition(".")[2] == name:
            return received
        member = self._resolver.member_of(received, name, called=role is Role.Call)
        seen = isinstance(member, SymbolRef) and self.is_seen_bare(member, semantics, role)
        return SymbolRef(member.path, member.name, Reason.Scope) if isinstance(member, SymbolRef) and seen else None


def _sees_members(semantics: Semantics, *, directly: bool) -> bool:
    """Return whether the names of a type are seen bare in it; ``directly``: in its body, and in nothing inside that."""
    return semantics.scopes.class_visible or (directly and not semantics.scopes.members_apart)


def _is_predeclared_in_module(name: str, facts: Facts, semantics: Semantics) -> bool:
    """Return whether a name is one that each module has, in a file that is one."""
    is_script = semantics.imports.is_script
    return (
        name in semantics.visibility.predeclared_in_modules and is_script is not None and not is_script(facts.imports)
    )
