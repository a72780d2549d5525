"""One resolver for every language: scope, then imports and re-exports, then the members of what a term stands for.

The rules of a language are data (``languages``); what a file says is facts; this module only follows them. A question
that the facts do not answer is answered with None, never with a guess.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice

from leadline_tools.languages import LANGUAGES, language_of, scoping_of, share_rules
from leadline_tools.languages.facts import (
    ITSELF,
    MACRO_SORTS,
    NAMELESS,
    OUTSIDE,
    Binding,
    Facts,
    Sort,
    Use,
    is_type_parameter,
    nameless,
)
from leadline_tools.languages.language import MEMBERS, PACKAGE, WILDCARD, Imported, ScopeKind, Scoping
from leadline_tools.languages.terms import BARE, DECLARED, MACRO, TAGS, TOP, UNKNOWN, parsed, place_of
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.evaluator.keywords import Keywords
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.evaluator.wanted_types import WantedTypes
from leadline_tools.resolve.imports.ambient_modules import AmbientModules
from leadline_tools.resolve.imports.include_reach import MOST_INCLUDED, Reach, Reachable
from leadline_tools.resolve.project.code_base import CodeBase
from leadline_tools.resolve.project.resolution import (
    EXTERNAL,
    LocalName,
    Module,
    NonSymbol,
    Resolution,
    SymbolRef,
)
from leadline_tools.resolve.scopes.conditional_macros import ConditionalMacros
from leadline_tools.resolve.scopes.extension_methods import ExtensionMethods
from leadline_tools.resolve.scopes.external_names import ExternalNames
from leadline_tools.resolve.scopes.hidden_namespaces import HiddenNamespaces
from leadline_tools.resolve.scopes.linkage import Linkage
from leadline_tools.resolve.scopes.macros import Macros
from leadline_tools.resolve.scopes.seen_namespaces import SeenNamespaces
from leadline_tools.resolve.types.arities import Arities
from leadline_tools.resolve.types.conditional_types import ConditionalTypes
from leadline_tools.resolve.types.member_names import MemberNames
from leadline_tools.resolve.types.type import FREE, Type

_MOST_REACHES = 128
"""Files of which is kept what they include: 50 kB each."""

_MOST_ALIKE = 4
"""Definitions of one name that lie equally near: more are not told apart."""

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for the same thing."""

_MOST_COMPLETING = 200
"""Files that define a name, among which is looked for the one that defines it as a type."""

_MOST_PROMISING = 8
"""Included files that spell a name, which are read to see whether one says that it is a type."""

_DEEPEST_CHAIN = 32
"""Re-exports that are followed one after the other; more is a cycle that the guard did not see."""


_NO_TYPES = frozenset({Sort.Value, Sort.Callable, Sort.Getter})


class Resolver:
    """Resolves occurrences in a project that stays as it is, and keeps what it has found out of it."""

    def __init__(self, project: CodeBase) -> None:
        self._project = project
        self._looked_up: dict[tuple[str, str, int, ScopeKind, bool, bool, Role], Resolution | None] = {}
        self._exports: dict[tuple[str, str, str], Resolution | None] = {}
        self._reaches: dict[str, Reach] = {}
        self._reachable: dict[AbstractSet[str], Reachable] = {}
        self._includes: dict[str, Sequence[str]] = {}
        self._taken_in: dict[tuple[str, str, str], Resolution | None] = {}
        self._namespaces: dict[tuple[str, str], bool] = {}
        self._nearby: dict[tuple[str, str], Sequence[str]] = {}
        self._locations: dict[tuple[str, str], Sequence[str] | None] = {}
        self._completing: dict[tuple[str, str], Sequence[str]] = {}
        self._keywords = Keywords(self)
        self._ambient_modules = AmbientModules(self)
        self.evaluator = TypeEvaluator(self)
        self.wanted_types = WantedTypes(self.evaluator)
        self.macros = Macros(self)
        self.linkage = Linkage(self)
        self.external_names = ExternalNames(self, self.evaluator.inheritance.knows_bases)
        self._hidden_namespaces = HiddenNamespaces(self)
        self._conditional_macros = ConditionalMacros(self)
        self._conditional_types = ConditionalTypes(self, self._conditional_macros)
        self.arities = Arities(self)
        self._member_names = MemberNames(self, _visible)
        self.seen_namespaces = SeenNamespaces(self)
        self._extension_methods = ExtensionMethods(self, self.seen_namespaces.nearest_first)

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for.

        The parts of a resolver know each other, so all that it knows would stay until cycles are looked for.
        """
        self.evaluator.forget()
        self.linkage.forget()
        self.external_names.forget()
        self._hidden_namespaces.forget()
        self._conditional_macros.forget()
        self.arities.forget()
        self._member_names.forget()
        self.seen_namespaces.forget()
        self._looked_up.clear()
        self._exports.clear()
        self._reaches.clear()
        self._reachable.clear()
        self._includes.clear()
        self._taken_in.clear()
        self._namespaces.clear()
        self._nearby.clear()
        self._locations.clear()
        self._completing.clear()

    @property
    def project(self) -> CodeBase:
        """Return the code base."""
        return self._project

    def resolve(self, path: str, name: str, use: Use) -> Sequence[Resolution]:
        """Return what the occurrence ``use`` of ``name`` in the file ``path`` may mean; nothing where it is not known.

        It means several things where an object may be of one type or of another.
        """
        facts, scoping = self.facts(path)
        if facts is None or scoping is None:
            return ()
        if use.receiver == UNKNOWN:
            return self._keywords.resolve(path, name, use) if name in facts.arguments else ()
        if use.receiver == MACRO and use.imported < 0 and use.role is not Role.Definition:
            meaning = self.macros.lookup(path, name, use.scope, use.line)
            return (meaning,) if meaning is not None else ()
        if use.taken and scoping.implicit_calls:
            return self._implicitly_called(path, use)
        found = self._decided(path, facts, scoping, name, use)
        if scoping.added_by_space and use.receiver != BARE and use.role is not Role.Definition:
            found = self._extension_methods.nearest(path, use, found)
        by_arity = scoping.by_arity and use.role is not Role.Definition
        return list(self.arities.meant(path, use, found)) if by_arity else found

    def _decided(self, path: str, facts: Facts, scoping: Scoping, name: str, use: Use) -> Sequence[Resolution]:
        """Return what an occurrence may mean; nothing where another condition decides it."""
        ending = scoping.endings.get(use.role, "")
        whole = self._meant(path, facts, scoping, name + ending, use) if ending else ()
        if any(isinstance(one, SymbolRef) for one in whole):
            return whole
        found = self._meant(path, facts, scoping, name, use)
        if found and scoping.literal_keys and use.role is Role.Other:
            found = self._of_key(path, facts, name, use, found)
        declares = not scoping.passes_on or use.role is Role.Definition
        unsure = not declares and any(isinstance(one, SymbolRef) and self._is_taken_too(one) for one in found)
        return () if unsure or self._are_conditional(path, scoping, use, found) else found

    def _are_conditional(self, path: str, scoping: Scoping, use: Use, found: Sequence[Resolution]) -> bool:
        """Tell whether an occurrence may mean types from outside: others are declared on a condition that may fail."""
        if not scoping.conditional_types or use.role is Role.Definition:
            return False
        meant = [one for one in found if isinstance(one, SymbolRef)]
        return bool(meant) and all(self._conditional_types.may_be_another(path, use.line, one) for one in meant)

    def _of_key(
        self, path: str, facts: Facts, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a key of an object literal means, of what the types have that may be wanted there."""
        wanted = self.wanted_types.read(path, use.receiver, use.scope)
        if any(one.of == FREE for one in wanted):
            owners = [*(one for one in wanted if one.of != FREE), *self.wanted_types.of_parameters(wanted)]
            found = list(dict.fromkeys(member for one in owners for member in self.evaluator.members(one, name)))
        return self.evaluator.unions.wanted_by(path, facts, name, use, found) if len(found) > 1 else found

    def _implicitly_called(self, path: str, use: Use) -> Sequence[Resolution]:
        """Return the method that a sign calls: the first of some that the object has."""
        found: Sequence[Resolution] = ()
        for method in use.taken.split("|"):
            found = self.evaluator.members_of(path, use.receiver, use.scope, method, called=True)
            if any(isinstance(one, SymbolRef) for one in found):
                break
        return found

    def _meant(self, path: str, facts: Facts, scoping: Scoping, name: str, use: Use) -> Sequence[Resolution]:
        """Return what an occurrence may mean under a name; see ``resolve``."""
        if use.receiver == DECLARED and (own := _declared_at(path, facts, name, use)) is not None:
            return (own,)
        if name in scoping.constructor_keywords and use.role is Role.Call:
            return self._constructors(path, use)
        if use.role is not Role.Definition and use.imported < 0 and use.receiver != BARE:
            term = use.receiver.removesuffix("|")
            found = self._members_of(path, facts, scoping, name, use)
            if term == use.receiver and (found or term != TAGS):
                return self._types_among(path, scoping, name, use, found)
            found = [meaning for meaning in found if meaning != EXTERNAL and not _is_constructor(meaning, name)]
            if found:
                return found
        meaning = self._alone(path, facts, scoping, name, use)
        if isinstance(meaning, SymbolRef) and use.taken:
            meaning = self._same_named(path, facts, scoping, name, use, meaning)
        if isinstance(meaning, SymbolRef):
            declares = use.role is Role.Definition or not scoping.passes_on
            return (
                meaning.all if declares or not self._conditional_macros.may_be_another(path, use.line, meaning) else ()
            )
        if meaning is None and scoping.spaced:
            meaning = _space_alias(path, facts, name, use)
        if meaning is None and use.imported < 0 and use.receiver in (BARE, TAGS):
            meaning = EXTERNAL if self.external_names.is_external(path, name, use.scope, use.role) else None
        return (meaning,) if meaning is not None else ()

    def _members_of(self, path: str, facts: Facts, scoping: Scoping, name: str, use: Use) -> Sequence[Resolution]:
        """Return what a name means as a member of its receiver.

        A module is not called: a function of its name is, which something passes on. Nor is it ``self`` before a dot.
        """
        term, called = use.receiver.removesuffix("|"), use.role is Role.Call
        if not scoping.paths_apart:
            return self.evaluator.members_of(path, term, use.scope, name, called=called)
        if term in scoping.this and not use.scope and self._before(path, use).endswith("."):
            return ()
        found = self.evaluator.members_of(path, term, self._scope_of_path(path, facts, term, use), name, called=called)
        return () if called and any(isinstance(one, Module) for one in found) else found

    def _before(self, path: str, use: Use) -> str:
        """Return what stands before an occurrence in its line."""
        lines = self._project.lines(path)
        return lines[use.line - 1][: use.column - 1].rstrip() if use.line <= len(lines) else ""

    def _scope_of_path(self, path: str, facts: Facts, term: str, use: Use) -> int:
        """Return the scope in which the first name of a path is looked up: no variable can stand there.

        https://doc.rust-lang.org/reference/names/namespaces.html
        """
        either = parsed(term)
        head = place_of(either[0].head).name if either else ""
        outer = -1
        for scope in facts.outwards(use.scope) if facts.named(head) else ():
            bound = facts.within(head, scope)
            if (
                scope > 0
                and bound
                and all(not one.path and one.imported < 0 and one.sort == Sort.Value for one in bound)
            ):
                outer = facts.scopes[scope].parent
        return outer if outer >= 0 and self._before(path, use).endswith("::") else use.scope

    def _types_among(
        self, path: str, scoping: Scoping, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what the name of a type means behind another name, which is that of a namespace or of a type.

        Variables and functions do not hide that: https://eel.is/c++draft/basic.lookup.qual.general#1.
        """
        kept = [one for one in found if not self._is_no_type(one, scoping, use.role)]
        if kept or not found:
            return found if len(kept) == len(found) else kept
        meaning = self.in_namespace(path, use.receiver, name, use.scope)
        return () if meaning is None or self._is_no_type(meaning, scoping, use.role) else (meaning,)

    def _constructors(self, path: str, use: Use) -> Sequence[SymbolRef]:
        """Return the constructors of the type that a keyword makes an object of; the type, where it declares none."""
        types = self.evaluator.receivers(path, use)
        owned = ((one, self.evaluator.declared.own(one, one.name.rpartition(".")[2])) for one in types)
        return [own if own is not None else one for one, own in owned]

    def _alone(self, path: str, facts: Facts, scoping: Scoping, name: str, use: Use) -> Resolution | None:
        """Return what a name means that is no member of anything."""
        if use.role is Role.Definition:
            return self._definition(path, facts, name, use)
        if use.imported >= 0 and use.taken and scoping.module_part is not None:
            files = self._located(scoping, use.taken, path)
            return Module(tuple(files)) if files else EXTERNAL
        if use.imported >= 0:
            return self._follow(path, facts.imports[use.imported], scoping, 0)
        found = self._lookup_once(path, facts, scoping, name, use)
        if found is None and scoping.linked and use.role is Role.Type:
            # What looks like a parameter without a name may be the argument of a macro.
            value = self._lookup_top(path, facts, scoping, name, _spaces(facts, scoping, use.scope), 0)
            return value if isinstance(value, SymbolRef) else None
        return found

    def _lookup_once(self, path: str, facts: Facts, scoping: Scoping, name: str, use: Use) -> Resolution | None:
        """Return what a bare name means where it is used, looked up once for all uses that see the same scopes.

        Functions that do not bind the name are passed, where a function sees nothing but what it binds and what is
        around it.
        """
        scope, below = use.scope, use.scope
        if not (scoping.spaced or scoping.receives or any(scope for scope, _ in facts.wildcards)):
            while scope > 0 and facts.scopes[scope].kind is ScopeKind.Function and not facts.within(name, scope):
                scope, below = facts.scopes[scope].parent, scope
        key = path, name, scope, facts.scopes[below].kind, bool(facts.scopes[below].name), scope == use.scope, use.role
        if key not in self._looked_up:
            self._looked_up[key] = self._lookup(path, facts, scoping, name, use.scope, 0, use.role)
        return self._looked_up[key]

    def _same_named(
        self, path: str, facts: Facts, scoping: Scoping, name: str, use: Use, meaning: SymbolRef
    ) -> Resolution | None:
        """Return the type that a name means in place of a member that is called like it.

        It does where a type stands, and where something is taken that only the type has: what an enumeration lists, a
        type in it, a static member. An object is made of no member, and no method is a pattern: nothing is found there
        without a type. https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12872
        """
        if Sort.Type in self._sorts_of(meaning):
            return meaning
        kind = self._lookup(path, facts, scoping, name, use.scope, 0, Role.Type)
        if use.taken == ITSELF:
            is_value = use.role is not Role.Call and Sort.Callable not in self._sorts_of(meaning)
            return kind if isinstance(kind, SymbolRef) or not is_value else meaning
        if not isinstance(kind, SymbolRef):
            return meaning
        taken = self.evaluator.declared.own(kind, use.taken)
        if not isinstance(taken, SymbolRef):
            return meaning
        its, _ = self.facts(taken.path)
        static = its is not None and taken.name in its.inner
        return kind if static or self._sorts_of(taken) & {Sort.Unknown, Sort.Type} else meaning

    def _sorts_of(self, of: SymbolRef) -> AbstractSet[str]:
        facts, _ = self.facts(of.path)
        return {binding.sort for binding in facts.all_at(of.name)} if facts is not None else frozenset()

    def lookup(self, path: str, name: str, scope: int, role: Role = Role.Read) -> Resolution | None:
        """Return what a bare name means in a scope of a file."""
        facts, scoping = self.facts(path)
        if facts is None or scoping is None:
            return None
        return self._lookup(path, facts, scoping, name, scope, 0, role)

    def exported(self, module: Module, name: str) -> Resolution | None:
        """Return what a module calls ``name``: something that it exports, or a module in it."""
        found = [self._exported(files, name, 0) for files in self._alternatives(module, name)]
        defined = [part for one in found if isinstance(one, SymbolRef) for part in one.all]
        if len(defined) > 1:
            return replace(defined[0], others=tuple(dict.fromkeys(one for one in defined[1:] if one != defined[0])))
        first = next((one for one in (*defined, *found) if one is not None), None)
        return first if first is not None else self._submodule(module, name)

    def _alternatives(self, module: Module, name: str) -> Sequence[Sequence[str]]:
        """Return the files to ask for a name of a module: apart where one or the other is meant."""
        scoping = scoping_of(module.files[0]) if len(module.files) > 1 else None
        if scoping is not None and scoping.conditional_imports:
            return [(file,) for file in module.files]
        return [self._asked(name, module.files)]

    def in_namespace(self, path: str, space: str, name: str, scope: int) -> Resolution | None:
        """Return what a name means in a namespace, as it is called in a scope of a file."""
        facts, scoping = self.facts(path)
        if facts is None or scoping is None:
            return None
        space = _named_space(facts, space)
        top, _, below = space.partition(".")
        around = [""] if top == TOP else _spaces(facts, scoping, scope)
        space = below if top == TOP else space
        spaces = [".".join(filter(None, (outer, space))) for outer in around]
        return self._lookup_top(path, facts, scoping, name, spaces, 0)

    def located(self, module: str, path: str) -> Sequence[str]:
        """Return the files of a module as a file names it; none where it is from outside or not known."""
        _, scoping = self.facts(path)
        return (self._located(scoping, module, path) or ()) if scoping is not None else ()

    def beside(self, path: str) -> Sequence[str]:
        """Return the files that a file sees without import."""
        _, scoping = self.facts(path)
        return self._near(path, scoping, "") if scoping is not None else ()

    def declarations(self, path: str, name: str) -> Sequence[SymbolRef]:
        """Return what other files declare or define as the same thing as the symbol ``name`` of a file."""
        _, scoping = self.facts(path)
        twin = scoping.twin(path) if scoping is not None else ""
        if twin and self._project.paths.exists(twin):
            facts, _ = self.facts(twin)
            return (
                [SymbolRef(twin, name, Reason.Definition)] if facts is not None and facts.at(name) is not None else ()
            )
        return self.linkage.declarations(path, name)

    def facts(self, path: str) -> tuple[Facts | None, Scoping | None]:
        """Return the facts of a file and the rules of its language, None where there are none."""
        found = self._project.facts(path)
        language = (LANGUAGES.get(found.language) if found is not None else None) or language_of(path)
        return found, language.scoping if language else None

    def _definition(self, path: str, facts: Facts, name: str, use: Use) -> Resolution | None:
        for binding in facts.named(name):
            if (binding.line, binding.column) == (use.line, use.column):
                found = SymbolRef(path, binding.path, Reason.Definition) if binding.path else None
                return self.declaration(found) if found is not None else EXTERNAL
        return None

    def declaration(self, member: SymbolRef) -> SymbolRef:
        """Return the symbol that declares a member: another one where methods only give an inherited one a value."""
        owner, _, name = member.name.rpartition(".")
        if not owner or not self.evaluator.is_assigned(member):
            return member
        found = self.member_of(SymbolRef(member.path, owner, Reason.Definition), name)
        return found if isinstance(found, SymbolRef) and not found.same(member) else member

    def wanted_member(self, key: SymbolRef) -> SymbolRef:
        """Return the member that a key of an object literal means: of the type that the place of the literal wants.

        Anything else, and a key of which no type is wanted, stands for itself.
        """
        facts, scoping = self.facts(key.path)
        if facts is None or scoping is None or not scoping.literal_keys:
            return key
        name = key.name.rpartition(".")[2]
        places = {(one.line, one.column) for one in facts.all_at(key.name)}
        uses = (use for use in facts.uses.get(name, ()) if use.role is Role.Other and (use.line, use.column) in places)
        meant = (one for use in uses if use.receiver != UNKNOWN for one in self.resolve(key.path, name, use))
        return next((one for one in meant if isinstance(one, SymbolRef) and not one.same(key)), key)

    def _lookup(
        self, path: str, facts: Facts, scoping: Scoping, name: str, scope: int, depth: int, role: Role = Role.Read
    ) -> Resolution | None:
        """Look a bare name up: outwards through the scopes, then in wildcard imports, then in sibling files."""
        innermost = inside = scope
        passed: set[int] = set()
        while scope > 0:
            passed.add(scope)
            kind = facts.scopes[scope].kind
            seen = kind is not ScopeKind.Class or scoping.class_visible or scope == innermost
            if kind is not ScopeKind.Table:
                here = _all_visible(facts.within(name, scope), facts, scoping, role)
                here = here if seen else [b for b in here if is_type_parameter(b)]
                if kind is ScopeKind.Class and scoping.initializes:
                    here = _initializing(here, facts, scope, inside)
                found = self._bound_any(path, facts, scoping, here, depth)
                if found is not None or here:
                    return found
                member = self._inherited(path, facts, scoping, scope, name, role) if seen else None
                if member is not None and kind is ScopeKind.Class and _is_parameter_of_template(facts, scope, name):
                    member = None
                if member is not None:
                    return member
            if kind is ScopeKind.Module and scoping.sealed:
                break
            inside, scope = scope, facts.scopes[scope].parent
        else:
            passed.add(0)
        spaces = self._seen_spaces(path, facts, scoping, innermost)
        found = self._lookup_top(path, facts, scoping, name, spaces, depth, role, passed)
        if found is None and (name in scoping.predeclared or _is_of_module(name, facts, scoping)):
            return EXTERNAL
        if found is None and scoping.packaged:
            return self._called_otherwise(path, facts, scoping, name)
        return found

    def _seen_spaces(self, path: str, facts: Facts, scoping: Scoping, scope: int) -> Sequence[str]:
        """Return the namespaces whose names are seen bare in a scope of a file, innermost first."""
        spaces = _spaces(facts, scoping, scope)
        opened = self.seen_namespaces.opened_by_project(path) if scoping.added_by_space else ()
        return list(dict.fromkeys((*spaces, *opened))) if opened else spaces

    def _called_otherwise(self, path: str, facts: Facts, scoping: Scoping, name: str) -> Resolution | None:
        """Return the package that an import binds which calls itself otherwise than the path says that it lies at."""
        for imported in facts.imports:
            if not imported.name and not imported.exports:
                files = self._located(scoping, imported.module, path) or ()
                if any(self._package(file) == name for file in files[:1]):
                    return Module(tuple(files))
        return None

    def packaged_with(self, path: str, files: Sequence[str]) -> Sequence[str]:
        """Return those of some files beside a file that are part of the same package, as far as they say so."""
        package = self._package(path) if files else ""
        return [file for file in files if self._package(file) in ("", package)] if package else files

    def _package(self, path: str) -> str:
        """Return the package that a file says it is part of; empty where it says none."""
        scoping = scoping_of(path)
        return next(iter(self._packages(path)), "") if scoping is not None and scoping.packaged else ""

    def _packages(self, path: str) -> Sequence[str]:
        """Return the packages that a file says it is part of, the innermost first."""
        facts, scoping = self.facts(path)
        if facts is None or scoping is None or not (scoping.packaged or scoping.packages):
            return ()
        said = [facts.imports[binding.imported] for binding in facts.named(PACKAGE) if binding.imported >= 0]
        return [imported.module for imported in reversed(said) if imported.exports]

    def _lookup_top(
        self,
        path: str,
        facts: Facts,
        scoping: Scoping,
        name: str,
        spaces: Sequence[str],
        depth: int,
        role: Role = Role.Read,
        passed: AbstractSet[int] = frozenset({0}),
    ) -> Resolution | None:
        """Look a bare name up in the module, in wildcard imports and in sibling files: namespace by namespace."""
        inner_first = sorted(facts.wildcards, key=lambda one: -one[0])
        imports = [imported for scope, imported in inner_first if scope in passed and not imported.exports]
        imports.sort(key=scoping.ambient.__contains__)
        for space in spaces:
            here = (b for b in facts.within(name, 0) if b.space == space)
            seen = [b for b in here if 0 in passed and _visible(b, facts, scoping, role) and b.scope != OUTSIDE]
            if seen:
                found = self._bound_any(path, facts, scoping, seen, depth)
                apart = scoping.passes_on and scoping.types_apart and 0 in passed
                return (
                    self._with_included(path, found, space, depth) if apart and isinstance(found, SymbolRef) else found
                )
            found = (
                None
                if scoping.package_first
                else self._through_wildcards(path, imports, scoping, name, depth, space, role)
            )
            found = found or self._exported(self._packaged(path, scoping, name, space), name, depth, space)
            if found is not None and scoping.wildcards_hide and self._may_be_hidden(path, facts, scoping, passed):
                return None
            if found is None and scoping.package_first:
                found = self._through_wildcards(path, imports, scoping, name, depth, space, role)
            if found is None and scoping.spaced and not scoping.passes_on:
                found = self._exported(self._declaring(path, name), name, depth, space)
            elif found is None and scoping.autoloads is not None and scoping.autoloads(name):
                found = self._autoloaded(path, name, depth, space)
            elif found is None and scoping.is_script is not None and name not in scoping.predeclared:
                found = self._declared_by_script(path, facts, scoping, name)
            if found is not None and not self._is_no_type(found, scoping, role):
                return found
        return self._completed(path, name, spaces, depth) if scoping.linked else None

    def _may_be_hidden(self, path: str, facts: Facts, scoping: Scoping, passed: AbstractSet[int]) -> bool:
        """Tell whether an inner scope imports all of a package from outside, which may have any name."""
        inner = (one.module for scope, one in facts.wildcards if scope > 0 and scope in passed)
        return any(
            module.rpartition(".")[2][:1].islower()
            and "." in module
            and not facts.named(module.partition(".")[0])
            and not self._located(scoping, module, path)
            and not isinstance(self._holder(path, module, scoping, 0), SymbolRef | Module)
            for module in inner
        )

    def _with_included(self, path: str, own: SymbolRef, space: str, depth: int) -> SymbolRef:
        """Return what a file declares, with what it includes under the same name beside it: neither hides the other.

        Functions that take other things are overloads (https://eel.is/c++draft/over.match.funcs), and a type may be
        declared to be called like itself (https://eel.is/c++draft/dcl.typedef#4).
        """
        name = own.name.rpartition(".")[2]
        sorts = self._sorts_of(own)
        if sorts not in ({Sort.Callable}, {Sort.Type}):
            return own
        other = self._from_included(path, name, depth + 1, space)
        if not isinstance(other, SymbolRef) or other.same(own) or self._sorts_of(other) != sorts:
            return own
        function = Sort.Callable in sorts
        beside = self.linkage.overloads(path, other.path, own.name) if function else self._names_itself(other)
        return replace(own, others=(*own.others, other)) if beside else own

    def _names_itself(self, of: SymbolRef) -> bool:
        """Tell whether a type is only another name for the type that is called like it: ``typedef struct A A;``."""
        facts, _ = self.facts(of.path)
        terms = [one.type for one in facts.all_at(of.name)] if facts is not None else []
        return bool(terms) and all(term.rpartition(".")[2].rpartition(" ")[2] == of.name for term in terms)

    def _is_no_type(self, meant: Resolution, scoping: Scoping, role: Role) -> bool:
        """Tell whether something cannot be what the name of a type means, where other names hide none."""
        typed = role is Role.Type or (role is Role.Inherit and not scoping.bases_are_values)
        apart = scoping.types_apart and scoping.passes_on
        if not (apart and typed and isinstance(meant, SymbolRef)):
            return False
        sorts = self._sorts_of(meant)
        return bool(sorts) and sorts <= _NO_TYPES

    def _packaged(self, path: str, scoping: Scoping, name: str, space: str) -> Sequence[str]:
        """Return the files that a file sees without import, and that may tell what a name means."""
        near = self._telling(name, self._project.holding(name, self._near(path, scoping, space)))
        if scoping.packages is not None:
            near = [file for file in near if self._has_in_packages(file, name, self._packages(path))]
        return self.packaged_with(path, near)

    def _has_in_packages(self, path: str, name: str, packages: Sequence[str]) -> bool:
        """Return whether a file may have a name in some packages: another one may be that of its package object."""
        facts, _ = self.facts(path)
        named = facts.named(name) if facts is not None else ()
        listed = [one for one in named if one.scope > 0 and facts is not None and _is_listed(one, facts)]
        own = len(listed) == 0 or any(one.scope == 0 for one in named)
        return own or any(one.path.rpartition(".")[0] in packages for one in listed)

    def _completed(self, path: str, name: str, spaces: Sequence[str], depth: int) -> SymbolRef | None:
        """Return the type that a file speaks of and does not take in, as the one file has it that lies nearest.

        What is declared alone is completed where it is used, in whatever file that includes both.
        https://eel.is/c++draft/class.name#2, C11 6.2.5#22
        """
        found: dict[SymbolRef, int] = {}
        tagged = all(space.rpartition(".")[2] == TAGS for space in spaces)
        for space in (TAGS,) if tagged else spaces:
            for file in self._completions(name, "" if space == TAGS else space, path):
                meaning = self._export(file, name, space, depth)
                if isinstance(meaning, SymbolRef) and Sort.Type in self._sorts_of(meaning):
                    found[meaning] = _shared(path, file)
            if found:
                break
        nearest = [meaning for meaning in found if found[meaning] == max(found.values())]
        return nearest[0] if len(nearest) == 1 and self._is_promised(path, name) else None

    def _completions(self, name: str, space: str, path: str) -> Sequence[str]:
        """Return the files that define a name in a namespace; none where too many define the name at all."""
        key = (name, space)
        if key not in self._completing:
            defining = self._project.defining(name, path)
            few = sorted(defining) if len(defining) <= _MOST_COMPLETING else ()
            dotted = f"{space}.{name}" if space else name
            self._completing[key] = [file for file in few if self._project.may_declare(file, dotted)]
        return self._completing[key]

    def _is_promised(self, path: str, name: str) -> bool:
        """Tell whether a file says that a name is a type, or one that it includes."""
        spelling = self._reach(path).among(frozenset(self._project.spelling(name)))
        return any(self._project.promises(file, name) for file in (path, *islice(spelling, _MOST_PROMISING)))

    def _declaring(self, path: str, name: str) -> Sequence[str]:
        """Return the files of a language that may declare a name of a namespace, wherever they lie."""
        found = (file for file in sorted(self._project.defining(name, path)) if share_rules(file, path))
        return list(islice(found, _MOST_DECLARING))

    def _autoloaded(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        """Return what one file alone defines under a name in a namespace."""
        found = [self._export(file, name, space, depth) for file in self._declaring(path, name)]
        defined = [one for one in found if isinstance(one, SymbolRef)]
        return defined[0] if len(defined) == 1 else None

    def _declared_by_script(self, path: str, facts: Facts, scoping: Scoping, name: str) -> Resolution | None:
        """Return what a file that is no module declares at its top, for scripts and, where it only declares, for all.

        Of several such files the one is meant that lies nearest, if there is one.
        """
        language = language_of(path)
        script = scoping.is_script is not None and scoping.is_script(facts.imports)
        found: dict[SymbolRef, int] = {}
        for file in islice(sorted(self._project.defining(name, path)), _MOST_DECLARING):
            other = language_of(file)
            alike = language is not None and other is not None and other.family == language.family
            if file != path and alike and (script or file.endswith(".d.ts")):
                declared = self._at_top_of_script(file, name)
                found.update({declared: _shared(path, file)} if declared is not None else {})
        nearest = [one for one in found if found[one] == max(found.values())]
        return nearest[0] if len(nearest) == 1 else None

    def _at_top_of_script(self, path: str, name: str) -> SymbolRef | None:
        facts, _ = self.facts(path)
        binding = _best(one for one in facts.within(name, 0) if one.path) if facts and self.is_script(path) else None
        return SymbolRef(path, binding.path, Reason.Scope) if binding is not None else None

    def is_script(self, path: str) -> bool:
        """Return whether a file is no module, so that what it declares at its top is declared for all files."""
        facts, scoping = self.facts(path)
        return bool(facts and scoping and scoping.is_script is not None and scoping.is_script(facts.imports))

    def _near(self, path: str, scoping: Scoping, space: str) -> Sequence[str]:
        """Return the files whose names of a namespace a file sees without import."""
        key = (path, space)
        if key not in self._nearby:
            siblings = scoping.siblings(path, self._project.paths)
            found = list(siblings if scoping.packages is None else self._in_packages(path, siblings))
            if scoping.spaced and space:
                found += self._located(scoping, space, path) or ()
            self._nearby[key] = list(dict.fromkeys(found))
        return self._nearby[key]

    def _located(self, scoping: Scoping, module: str, importer: str) -> Sequence[str] | None:
        """Return the files of a module as a file names it; None where paths alone do not tell them."""
        key = (module, importer)
        if key not in self._locations:
            found = scoping.locate(module, importer, self._project.paths)
            if scoping.packages is not None:
                packages = scoping.packages(module, self._packages(importer))
                found = self._declared_as(packages, importer, found or ()) or (found and ())
            elif scoping.shares_packages and found is not None:
                found = [*found, *self._declared_as([module], importer, ())]
            self._locations[key] = found
        return self._locations[key]

    def _declared_as(self, packages: Iterable[str], importer: str, located: Sequence[str]) -> Sequence[str]:
        """Return the files of the first package that has some, the nearest first.

        Of a language in which a file says no package they are those that were ``located``.
        """
        silent = [file for file in located if not _says_packages(file)]
        for package in packages:
            declaring = self._project.defining(package, importer)
            found = [file for file in sorted(declaring) if self._says_package(file, package)]
            if found:
                return [*sorted(found, key=lambda file: -_shared(importer, file)), *silent]
        return silent

    def _says_package(self, path: str, package: str) -> bool:
        return _says_packages(path) and self._project.may_declare(path, package)

    def _in_packages(self, path: str, siblings: Sequence[str]) -> Sequence[str]:
        """Return the other files of the packages of a file; of one in none those beside it."""
        packages = self._packages(path)
        silent = [file for file in siblings if not _says_packages(file)]
        if not packages:
            return [file for file in siblings if file in silent or not self._packages(file)]
        found = [file for package in packages for file in self._declared_as([package], path, ())]
        return [file for file in dict.fromkeys((*found, *silent)) if file != path]

    def _inherited(
        self, path: str, facts: Facts, scoping: Scoping, scope: int, name: str, role: Role
    ) -> Resolution | None:
        """Return the member of the class of a scope that is seen bare in it, and that the scope does not bind."""
        kind, parent, around = facts.scopes[scope]
        if kind is ScopeKind.Class and scoping.class_visible:
            own = SymbolRef(path, around or nameless(scope), Reason.Scope)
            if around.rpartition(".")[2] == name:
                return own
            if not self._member_names.may_contain(path, name, role) or not self.evaluator.inheritance.is_decided(own):
                return None
            found = self.member_of(own, name, called=role is Role.Call)
            seen = isinstance(found, SymbolRef) and self._seen_bare(found, scoping, role)
            return SymbolRef(found.path, found.name, Reason.Scope) if isinstance(found, SymbolRef) and seen else None
        owner = around.rpartition(".")[0]
        if kind is ScopeKind.Function and scoping.receives and facts.scopes[parent].name != around:
            received = self._received(path, scoping, scope, name, role)
            if received is not None:
                return received
        outside = kind is ScopeKind.Function and facts.scopes[parent].name not in (owner, around)
        if not outside or not scoping.spaced or scoping.explicit:
            return None
        found = next(iter(self.evaluator.members_of(path, owner, parent, name)), None)  # defined outside of its class
        hidden = isinstance(found, SymbolRef) and not self._seen_bare(found, scoping, role)
        return None if hidden or isinstance(found, NonSymbol) else found

    def _received(self, path: str, scoping: Scoping, scope: int, name: str, role: Role) -> SymbolRef | None:
        """Return the member of the type to which a function adds one from outside; a class is seen in itself, too."""
        received = self.evaluator.received(path, scope)
        if received is None or received.name.rpartition(".")[2] == name:
            return received
        member = self.member_of(received, name, called=role is Role.Call)
        seen = isinstance(member, SymbolRef) and self._seen_bare(member, scoping, role)
        return SymbolRef(member.path, member.name, Reason.Scope) if isinstance(member, SymbolRef) and seen else None

    def _seen_bare(self, member: SymbolRef, scoping: Scoping, role: Role) -> bool:
        """Tell whether a bare name can mean a member: no constructor, nor a variable in the place of a type."""
        owner, _, name = member.name.rpartition(".")
        facts, _ = self.facts(member.path)
        if facts is None or owner.rpartition(".")[2] == name:
            return False
        return any(_visible(binding, facts, scoping, role) for binding in facts.all_at(member.name))

    def member_of(self, owner: Resolution | None, name: str, *, called: bool = False) -> Resolution | None:
        """Return the member of something that is called ``name``, where it is known."""
        found = self.evaluator.members(Type(owner), name, called=called) if owner is not None else ()
        return next((meaning for meaning in found if not isinstance(meaning, NonSymbol)), None)

    def _bound(self, path: str, facts: Facts, scoping: Scoping, binding: Binding, depth: int) -> Resolution | None:
        if binding.imported >= 0:
            return self._follow(path, facts.imports[binding.imported], scoping, depth)
        if binding.path and self._is_external_space(path, scoping, binding):
            return EXTERNAL
        if binding.path:
            return SymbolRef(path, binding.path, Reason.Scope)
        return LocalName(path, binding.name, binding.scope)

    def _is_function(self, path: str, name: str) -> bool:
        """Tell whether a file may define a function that a call may mean by the types of its arguments."""
        defining = self._project.defining(name, path)
        if len(defining) > _MOST_DECLARING:
            return True
        every = (facts for file in defining if (facts := self.facts(file)[0]) is not None)
        return any(one.sort == Sort.Callable and one.scope == 0 for facts in every for one in facts.named(name))

    def _is_taken_too(self, meant: SymbolRef) -> bool:
        """Tell whether what a namespace of a file defines is taken from outside there too, on another condition."""
        facts, scoping = self.facts(meant.path)
        if facts is None or scoping is None:
            return False
        space, _, name = meant.name.rpartition(".")
        taken = (b for b in facts.named(name) if b.imported >= 0 and facts.scopes[max(b.scope, 0)].name == space)
        return any(
            one.space and one.name == name and self._is_external(meant.path, scoping, one)
            for one in (facts.imports[binding.imported] for binding in taken)
        )

    def _is_external(self, path: str, scoping: Scoping, imported: Imported) -> bool:
        """Tell whether a using declaration takes a name from a namespace that comes from outside."""
        top = imported.space.partition(".")[0]
        return scoping.spaced and self._hidden_namespaces.comes_from_outside(path, top)

    def _is_external_space(self, path: str, scoping: Scoping, binding: Binding) -> bool:
        """Tell whether a binding opens a namespace in which the code base only specializes what is from outside."""
        if not (scoping.spaced and scoping.passes_on) or binding.sort != Sort.Unknown:
            return False
        return self._is_namespace(SymbolRef(path, binding.path, Reason.Scope)) and self._hidden_namespaces.is_external(
            path, binding.path
        )

    def _bound_any(
        self, path: str, facts: Facts, scoping: Scoping, bindings: Sequence[Binding], depth: int
    ) -> Resolution | None:
        """Return what bindings of a name bind; a variable that stands in for an import from outside is meant too."""
        found = self._bound_best(path, facts, scoping, bindings, depth)
        if found is not EXTERNAL or not scoping.conditional_imports:
            return found
        fallback = next((one for one in bindings if one.imported < 0 and one.path and one.column > 1), None)
        return self._bound(path, facts, scoping, fallback, depth) if fallback is not None else found

    def _bound_best(
        self, path: str, facts: Facts, scoping: Scoping, bindings: Sequence[Binding], depth: int
    ) -> Resolution | None:
        """Return what the best of some bindings of a name binds, with what else it may be bound to by its imports."""
        best = _best(bindings)
        first = self._bound(path, facts, scoping, best, depth) if best is not None else None
        several = scoping.conditional_imports or (scoping.alternatives and best is not None and best.imported >= 0)
        if not several or len(bindings) < len(("try", "except")):
            return first
        imports = [one for one in bindings if one.imported >= 0]
        alternatives = imports if scoping.alternatives else _alternatives(bindings)
        if not alternatives or best is None:
            return first
        found = alternatives if best.imported >= 0 else (best, *(one for one in alternatives if one.column > 1))
        others = [self._bound(path, facts, scoping, binding, depth) for binding in found]
        modules = [one for one in others if isinstance(one, Module)]
        defined = [part for one in others if isinstance(one, SymbolRef) for part in one.all]
        if defined:
            return replace(defined[0], others=tuple(dict.fromkeys(one for one in defined[1:] if one != defined[0])))
        files = dict.fromkeys(file for one in modules for file in one.files)
        return Module(tuple(files)) if files else others[0]

    def _through_wildcards(
        self,
        path: str,
        imports: Sequence[Imported],
        scoping: Scoping,
        name: str,
        depth: int,
        space: str = "",
        role: Role = Role.Read,
    ) -> Resolution | None:
        if scoping.passes_on:
            return self._from_included(path, name, depth + 1, space)
        for imported in imports:
            files = self._located(scoping, imported.module, path)
            if files and scoping.all_names:
                files = [file for file in files if self._is_given_to_all(file, name, scoping.all_names)]
                if not files:
                    continue
            if files is None or (imported.space and not files):
                continue
            if files:
                found = self._exported(self._asked(name, files), name, depth + 1, space)
            else:
                holder = self._holder(path, imported.module, scoping, depth)
                found = self.member_of(holder, name, called=role is Role.Call)
                if isinstance(found, SymbolRef) and not self._seen_bare(found, scoping, role):
                    continue
            if found is not None:
                return found
        return None

    def _is_given_to_all(self, path: str, name: str, listing: str) -> bool:
        """Tell whether an import of all names of a file takes a name: one that the file lists, or any public one."""
        facts, _ = self.facts(path)
        if facts is None:
            return False
        if any(use.role is Role.Other and use.receiver == BARE for use in facts.uses.get(name, ())):
            return True
        listed = any(binding.scope == 0 for binding in facts.named(listing))
        return WILDCARD in facts.uses if listed else not name.startswith("_")

    def _from_included(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        """Return what an included file calls ``name``: of several, the one that lies nearest, or none of them."""
        key = (path, name, space)
        if key not in self._taken_in:
            self._taken_in[key] = None  # what a cycle of includes finds on its way back
            self._taken_in[key] = self._find_included(path, name, depth, space)
        return self._taken_in[key]

    def _find_included(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        found: dict[Resolution, int] = {}
        for file in self.included_of(path, name):
            meaning = self._export(file, name, space, depth)
            if meaning is not None:
                found[meaning] = _shared(path, file)
                if isinstance(meaning, SymbolRef) and self._is_namespace(meaning):
                    break  # the same in every file
        best = sorted(found, key=lambda meaning: -found[meaning])
        if 1 < len(best) <= _MOST_ALIKE:
            defined = [one for meaning in best if isinstance(meaning, SymbolRef) for one in meaning.all]
            return replace(defined[0], others=tuple(defined[1:])) if len(defined) >= len(best) else None
        nearest = max(found.values(), default=0)
        best = [meaning for meaning in best if found[meaning] == nearest]
        return best[0] if len(best) == 1 else None

    def _is_namespace(self, meaning: SymbolRef) -> bool:
        key = (meaning.path, meaning.name)
        if key not in self._namespaces:
            facts, _ = self.facts(meaning.path)
            scopes = facts.scopes if facts is not None else ()
            self._namespaces[key] = any(s == (ScopeKind.Namespace, s.parent, meaning.name) for s in scopes)
        return self._namespaces[key]

    def follow(self, path: str, imported: Imported) -> Resolution | None:
        """Return what an import of the file ``path`` binds."""
        facts, scoping = self.facts(path)
        if imported.space == MEMBERS and facts is not None:
            return self.evaluator.declared.taken(path, facts, imported)
        return None if scoping is None else self._follow(path, imported, scoping, 0)

    def included_of(self, path: str, name: str) -> Iterator[str]:
        """Yield the files that may define ``name`` among those that a file includes, nearest first."""
        reach = self._reach(path)
        if self._project.included(path) is None:
            yield from self._project.holding(name, list(reach))
            return
        wanted = self._project.defining(name, path)
        if wanted not in self._reachable:
            self._reachable[wanted] = Reachable(wanted, self._included)
        found = self._reachable[wanted].among(path)
        yield from found if found is not None and len(found) <= 1 else reach.among(wanted if found is None else found)

    def included_files(self, path: str) -> Sequence[str] | None:
        """Return a file and all that it includes, itself or through others; None for too many."""
        found = [path, *islice(self._reach(path), MOST_INCLUDED)]
        return found if len(found) <= MOST_INCLUDED else None

    def _reach(self, path: str) -> Reach:
        """Return what a file includes, itself or through others."""
        reach = self._reaches.pop(path, None) or Reach(path, self._included)
        self._reaches[path] = reach  # what was asked for last is let go of last
        if len(self._reaches) > _MOST_REACHES:
            del self._reaches[next(iter(self._reaches))]
        return reach

    def _included(self, path: str) -> Sequence[str]:
        """Return what a file itself includes."""
        if path not in self._includes:
            self._includes[path] = self._find_includes(path)
        return self._includes[path]

    def _find_includes(self, path: str) -> Sequence[str]:
        included = self._project.included(path)
        if included is not None:
            return included
        facts, scoping = self.facts(path)
        if facts is None or scoping is None:
            return ()
        located = (self._located(scoping, imported.module, path) for _, imported in facts.wildcards)
        return list(dict.fromkeys(file for files in located for file in files or ()))

    def _follow(self, path: str, imported: Imported, scoping: Scoping, depth: int) -> Resolution | None:
        """Return what an import binds: a module, or a name of a module through its re-exports."""
        found = self._follow_files(path, imported, scoping, depth)
        return self._ambient_modules.meaning(path, imported) or found if found == EXTERNAL else found

    def _follow_files(self, path: str, imported: Imported, scoping: Scoping, depth: int) -> Resolution | None:
        """Return what an import binds of what files of the code base declare."""
        extern = scoping.linked and not imported.module and not imported.space
        files = self._located(scoping, imported.module, path) if not extern else None
        if files is None or _renames_space(imported):
            return self._linked_name(path, imported.name, scoping, depth) if extern else None
        if imported.name in ("", "*"):
            return Module(tuple(files)) if files else self._holder(path, imported.module, scoping, depth)
        found = self._exported(self._asked(imported.name, files), imported.name, depth + 1, imported.space)
        if found is not None or imported.space:
            found = found or self._from_space(path, imported, scoping, depth)
            taken = (
                found is None and scoping.passes_on and imported.space and self._is_external(path, scoping, imported)
            )
            return EXTERNAL if taken and not self._is_function(path, imported.name) else found
        submodule = self._located(scoping, _joined(imported.module, imported.name), path)
        if submodule:
            return Module(tuple(submodule))
        if files:
            return None
        owner = self._holder(path, imported.module, scoping, depth)
        return owner if isinstance(owner, NonSymbol) else self.member_of(owner, imported.name)

    def _linked_name(self, path: str, name: str, scoping: Scoping, depth: int) -> Resolution | None:
        """Return what a function means by a name that it declares to be defined outside: what its file declares too."""
        facts, _ = self.facts(path)
        found = self._lookup_top(path, facts, scoping, name, ("",), depth + 1) if facts is not None else None
        return found if isinstance(found, SymbolRef) else self.linkage.external(path, name)

    def passed_on(self, module: SymbolRef, name: str) -> Resolution | None:
        """Return what a module inside a file has under a name from elsewhere, and others can have from it."""
        facts, scoping = self.facts(module.path)
        if facts is None or scoping is None or not scoping.sealed:
            return None
        inside = {
            i for i, (kind, _, path) in enumerate(facts.scopes) if kind is ScopeKind.Module and path == module.name
        }
        if not inside:
            return None
        taken = (b for b in facts.named(name) if b.scope in inside and b.imported >= 0)
        seen = [binding for binding in taken if _is_seen_outside(binding, facts, scoping)]
        if seen:
            return self._bound_any(module.path, facts, scoping, seen, 1)
        imports = [one for scope, one in facts.wildcards if scope in inside and _is_passed_on(one, scoping)]
        return self._through_wildcards(module.path, imports, scoping, name, 1)

    def _from_space(self, path: str, imported: Imported, scoping: Scoping, depth: int) -> Resolution | None:
        """Return what an import takes from a namespace that no file names."""
        facts, _ = self.facts(path)
        if facts is None or depth > _DEEPEST_CHAIN:
            return None
        return self._lookup_top(path, facts, scoping, imported.name, (imported.space,), depth + 1)

    def _holder(self, path: str, module: str, scoping: Scoping, depth: int) -> Resolution | None:
        """Return what the module of an import means where it is no file: a class of one, or something outside."""
        outer, _, name = module.rpartition(".")
        if not scoping.imports_members or not name or depth > _DEEPEST_CHAIN:
            return EXTERNAL
        if outer and scoping.spaced:
            files = (path, *self._near(path, scoping, outer))
            return self._exported(self._asked(name, files), name, depth + 1, outer) or EXTERNAL
        if outer:
            return self._follow(path, Imported(outer, name, name), scoping, depth + 1)
        facts, _ = self.facts(path)
        binding = _best(facts.within(name, 0)) if facts is not None else None
        if facts is None or binding is None:
            return EXTERNAL
        return self._bound(path, facts, scoping, binding, depth + 1)

    def _asked(self, name: str, files: Sequence[str]) -> Sequence[str]:
        """Return the files to ask for a name: one alone may export it without spelling it (``export * from``)."""
        return self._telling(name, self._project.holding(name, files)) if len(files) > 1 else files

    def _telling(self, name: str, files: Sequence[str]) -> Sequence[str]:
        """Return the files that may tell what a name means: those that define it, where others do not pass it on."""
        scoping = scoping_of(files[0]) if len(files) > 1 else None
        if scoping is None or not (scoping.variants or scoping.keeps_imports):
            return files
        defining = self._project.defining(name, files[0])
        return [file for file in files if file in defining]

    def _exported(self, files: Sequence[str], name: str, depth: int, space: str = "") -> Resolution | None:
        found: list[SymbolRef] = []
        nearest = bool(files) and _says_packages(files[0])
        for file in files if nearest else sorted(files, key=lambda file: f"/{name}." not in f"/{file}"):  # often so
            meaning = self._export(file, name, space, depth)
            if not isinstance(meaning, SymbolRef):
                if meaning is not None:
                    return meaning
                continue
            _, scoping = self.facts(file)
            if scoping is None or not (scoping.variants or scoping.alternatives):
                return meaning
            found += meaning.all
        if not found:
            return None
        return replace(found[0], others=tuple(dict.fromkeys(one for one in found[1:] if one != found[0])))

    def _export(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        """Return what ``name`` means at the top of the file ``path``, as seen from outside."""
        key = (path, name, space)
        if key not in self._exports:
            self._exports[key] = None  # what a cycle of imports finds on its way back
            self._exports[key] = self._find_export(path, name, space, depth)
        return self._exports[key]

    def _find_export(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        facts, scoping = self.facts(path)
        if facts is None or scoping is None or depth > _DEEPEST_CHAIN:
            return None
        named = (b for b in facts.named(name) if (b.scope == 0 or _is_listed(b, facts)) and b.space == space)
        seen = [b for b in named if _is_seen_outside(b, facts, scoping)]
        if any(_is_file_itself(b, facts) for b in seen):  # by "exports" the whole is loaded, which hides such a member
            whole = name in scoping.shared_exports
            seen = [b for b in seen if (b.imported >= 0 if whole else not _is_file_itself(b, facts))]
        if not seen and scoping.passes_on:  # whoever includes this file includes what it includes
            hidden = scoping.spaced and space not in ("", TAGS)
            return self._in_space_of_macro(path, name, space, depth) if hidden else None
        if not seen:
            imports = [one for scope, one in facts.wildcards if scope == 0 and _is_passed_on(one, scoping)]
            found = self._through_wildcards(path, imports, scoping, name, depth, space)
            twin = scoping.twin(path) if found is None else ""
            if twin and self._project.paths.exists(twin):
                return self._export(twin, name, space, depth + 1)
            found = found or self._of_whole(path, facts, scoping, name, depth)
            found = found or self._assigned_whole(path, facts, scoping, name, depth)
            return found or (self.macros.exported_by(path, name) if scoping.macros else None)
        meaning = self._bound_any(path, facts, scoping, seen, depth)
        if isinstance(meaning, SymbolRef):
            return replace(meaning, reason=Reason.Import)
        return meaning

    def _in_space_of_macro(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        """Return what a file declares in a namespace that a macro opens: its outline has it outside of that."""
        for opened in self._hidden_namespaces.opened_by_macros(path):
            if space == opened or space.startswith(f"{opened}."):
                return self._find_export(path, name, space[len(opened) + 1 :], depth + 1)
        return None

    def _of_whole(self, path: str, facts: Facts, scoping: Scoping, name: str, depth: int) -> Resolution | None:
        """Return the member of what a module exports as a whole: ``export = a``."""
        for whole in scoping.whole_exports if name not in scoping.shared_exports else ():
            if facts.named(whole):
                meaning = self._export(path, whole, "", depth + 1)
                members = self.evaluator.members(Type(meaning), name) if isinstance(meaning, SymbolRef) else ()
                member = next((one for one in members if one != EXTERNAL), None)
                if member is not None:
                    return member
        return None

    def _assigned_whole(self, path: str, facts: Facts, scoping: Scoping, name: str, depth: int) -> Resolution | None:
        """Return what a module exports as a whole in another way than it is loaded: ``export = a`` and ``require``."""
        for whole in scoping.whole_exports if name in scoping.whole_exports else ():
            meaning = self._export(path, whole, "", depth + 1) if whole != name and facts.named(whole) else None
            if isinstance(meaning, SymbolRef) and not meaning.name.startswith(NAMELESS):
                return meaning
        return None

    def _submodule(self, owner: Module, name: str) -> Resolution | None:
        for file in owner.files:
            language = language_of(file)
            if language is not None and language.scoping is not None:
                dotted = f"{language.module(file)}.{name}" if language.module(file) else name
                files = language.scoping.locate(dotted, "", self._project.paths)
                if files:
                    return Module(tuple(files))
        return None


def _is_of_module(name: str, facts: Facts, scoping: Scoping) -> bool:
    """Tell whether a name is one that each module has, in a file that is one."""
    is_script = scoping.is_script
    return name in scoping.predeclared_in_modules and is_script is not None and not is_script(facts.imports)


def _declared_at(path: str, facts: Facts, name: str, use: Use) -> LocalName | None:
    """Return the local name, or the member of a type without a name, that an occurrence declares."""
    bound = (one for one in facts.named(name) if (one.line, one.column) == (use.line, use.column))
    return next((LocalName(path, name, one.scope) for one in bound if one.scope > 0), None)


def _says_packages(path: str) -> bool:
    """Tell whether files of a language say which package they are in, wherever they lie."""
    scoping = scoping_of(path)
    return scoping is not None and scoping.packages is not None


def _shared(path: str, other: str) -> int:
    """Return how many folders two paths share."""
    return len(posixpath.commonprefix((path.split("/"), other.split("/"))))


def _is_constructor(meaning: Resolution, name: str) -> bool:
    """Tell whether a member is called like its type."""
    return isinstance(meaning, SymbolRef) and meaning.name.rpartition(".")[0].rpartition(".")[2] == name


def _visible(binding: Binding, facts: Facts, scoping: Scoping, role: Role) -> bool:
    """Tell whether a bare name can mean ``binding``; one that is called or a type may mean no local variable."""
    if binding.imported >= 0:
        return not facts.imports[binding.imported].exports
    if binding.sort in MACRO_SORTS:
        return False
    typed = role is Role.Type or (role is Role.Inherit and not scoping.bases_are_values)
    if scoping.types_apart and typed and binding.sort in _NO_TYPES:
        return False
    if (
        not scoping.calls_apart
        or role not in (Role.Call, Role.Read, Role.Write)
        or binding.sort in (Sort.Type, Sort.Getter)
    ):
        return True
    return (role is Role.Call) is (binding.sort == Sort.Callable)


def _all_visible(bindings: Iterable[Binding], facts: Facts, scoping: Scoping, role: Role) -> list[Binding]:
    """Return those that a bare name can mean; what is no call means a variable where a scope has a method too."""
    seen = [one for one in bindings if _visible(one, facts, scoping, role)]
    if not scoping.reads_are_calls or role is Role.Call or len(seen) == 1:
        return seen
    return [one for one in seen if not one.path and one.sort == Sort.Value] or seen


def _is_parameter_of_template(facts: Facts, scope: int, name: str) -> bool:
    """Tell whether a name is a parameter of the template that a class is: bases that depend on it do not hide it.

    https://eel.is/c++draft/temp.dep.type, https://eel.is/c++draft/temp.local#9
    """
    around = facts.scopes[scope].parent
    return facts.scopes[around].kind is ScopeKind.Open and any(map(is_type_parameter, facts.within(name, around)))


def _is_listed(binding: Binding, facts: Facts) -> bool:
    """Tell whether a symbol belongs to a table without a name, which is what its module is outside.

    Or to the object of a package, whose members are those of the package.
    """
    scope = facts.scopes[max(binding.scope, 0)]
    if scope.kind is ScopeKind.Class:
        said = (facts.imports[one.imported] for one in facts.named(PACKAGE) if one.imported >= 0)
        return any(binding.path == f"{one.module}.{binding.name}" for one in said if one.exports)
    return scope.kind is ScopeKind.Table and not scope.name and binding.path == binding.name


def _is_seen_outside(binding: Binding, facts: Facts, scoping: Scoping) -> bool:
    """Tell whether a name of a file can be seen from others: where imports are for their file alone they are not."""
    return binding.imported < 0 or _is_passed_on(facts.imports[binding.imported], scoping)


def _is_file_itself(binding: Binding, facts: Facts) -> bool:
    """Tell whether a name is what a file calls itself: an export of that name is another thing."""
    imported = facts.imports[binding.imported] if binding.imported >= 0 else None
    return imported is not None and not (imported.module or imported.name or imported.exports)


def _is_passed_on(imported: Imported, scoping: Scoping) -> bool:
    """Tell whether other files can have from a file what it imports."""
    return imported.exports or not (scoping.keeps_imports or imported in scoping.ambient)


def _initializing(here: list[Binding], facts: Facts, scope: int, inside: int) -> list[Binding]:
    """Return those of the bindings of a class that are seen from the scope ``inside``, the outermost one in it.

    What initializes members sees the parameters of the constructor before the members, what a function does sees none.
    """
    kind, _, name = facts.scopes[inside]
    if not facts.scopes[scope].name:
        return here
    parameters = [one for one in here if not one.path and one.imported < 0 and one.sort == Sort.Value]
    if inside != scope and (kind is ScopeKind.Function or (kind is ScopeKind.Class and name)):
        return [one for one in here if one not in parameters]
    return parameters or here


def _best(bindings: Iterable[Binding]) -> Binding | None:
    """Return the binding that a use most likely sees: a definition before an import before anything else.

    A variable of which no value is known stands behind an import: it is what a name is where the import fails.
    """
    return min((binding for binding in bindings if binding.scope != OUTSIDE), key=_rank, default=None)


def _alternatives(bindings: Iterable[Binding]) -> Sequence[Binding]:
    """Return the imports that may bind a name: the last that is under no condition, and those after it.

    What begins in the first column is under none.
    """
    found: list[Binding] = []
    for binding in bindings:
        if binding.imported >= 0:
            found = [binding] if binding.column == 1 and not binding.scope else [*found, binding]
    return found


def _rank(binding: Binding) -> int:
    if binding.imported >= 0:
        return 1
    if not binding.path:
        return 3
    return 2 if binding.sort == Sort.Value and not (binding.type or binding.made) else 0


def _spaces(facts: Facts, scoping: Scoping, scope: int) -> Sequence[str]:
    """Return the namespaces whose names are seen bare in a scope, innermost first; the empty one is the last."""
    if not scoping.spaced:
        return ("",)
    parts = facts.scopes[scope].name.split(".")
    around = [".".join(parts[:i]) for i in range(len(parts), 0, -1)]
    chain = [0]
    while scope > 0:
        chain.append(scope)
        scope = facts.scopes[scope].parent
    if scoping.lexical:
        around = [facts.scopes[one].name for one in chain[1:]]
    imports = [facts.imports[b.imported] for b in facts.wide if b.imported >= 0 and b.scope in chain]
    opened = [imported.space for imported in imports if imported.name == "*" and imported.space]
    return list(dict.fromkeys((*filter(None, around), *opened, "", *scoping.tags)))


def _space_alias(path: str, facts: Facts, name: str, use: Use) -> LocalName | None:
    """Return the other name of a namespace that a bare name means, as a name of its file."""
    bound = {b.scope for b in facts.named(name) if b.imported >= 0 and _renames_space(facts.imports[b.imported])}
    around = facts.outwards(use.scope) if bound and use.receiver == BARE else ()
    return next((LocalName(path, name, scope) for scope in around if scope in bound), None)


def _renames_space(imported: Imported) -> bool:
    """Tell whether an import gives a namespace another name."""
    return not imported.name and bool(imported.space)


def _named_space(facts: Facts, space: str) -> str:
    """Return a namespace without the name that a file gives to what it begins with."""
    top, dot, below = space.partition(".")
    taken = (facts.imports[binding.imported] for binding in facts.named(top) if binding.imported >= 0)
    return f"{next((one.space for one in taken if _renames_space(one)), top)}{dot}{below}"


def _joined(module: str, name: str) -> str:
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
