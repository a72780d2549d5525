"""One resolver for every language: scope, then imports and re-exports, then the members of what a term stands for.

The rules of a language are data (``languages``); what a file says is facts; this package only follows them. A question
that the facts do not answer is answered with None, never with a guess. An *occurrence* (``Use``) is a place where a
name stands; what it means is a ``Resolution``. Each step of the way is a part of the resolver: see ``NameResolver``
and the modules of ``lookup``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from leadline_tools.languages import LANGUAGES, language_of
from leadline_tools.languages.facts import ITSELF, LABEL_MARK, Facts, Sort, Use, nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, DECLARED, LABEL, MACRO, TAGS, UNKNOWN, parsed, then
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.imports.ambient_modules import AmbientModules
from leadline_tools.resolve.imports.included_files import IncludedFiles
from leadline_tools.resolve.imports.module_files import ModuleFiles
from leadline_tools.resolve.lookup.binding_resolver import BindingResolver
from leadline_tools.resolve.lookup.exports import Exports
from leadline_tools.resolve.lookup.global_declarations import GlobalDeclarations
from leadline_tools.resolve.lookup.import_follower import ImportFollower
from leadline_tools.resolve.lookup.included_names import IncludedNames
from leadline_tools.resolve.lookup.scope_lookup import ScopeLookup
from leadline_tools.resolve.lookup.wildcard_imports import WildcardImports
from leadline_tools.resolve.project.code_base import CodeBase
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Module, NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.receivers.argument_namespaces import ArgumentNamespaces
from leadline_tools.resolve.receivers.expected_types import ExpectedTypes
from leadline_tools.resolve.receivers.given_members import GivenMembers
from leadline_tools.resolve.receivers.keywords import Keywords
from leadline_tools.resolve.receivers.other_names import MembersByOtherNames
from leadline_tools.resolve.receivers.receiver_functions import function_on_receiver
from leadline_tools.resolve.receivers.receiver_members import ReceiverMembers
from leadline_tools.resolve.receivers.receivers import Receivers
from leadline_tools.resolve.receivers.untyped_variables import UntypedVariables
from leadline_tools.resolve.scopes.component_namespaces import ComponentNamespaces
from leadline_tools.resolve.scopes.conditional_names import ConditionalNames
from leadline_tools.resolve.scopes.extension_methods import ExtensionMethods
from leadline_tools.resolve.scopes.external_names import ExternalNames
from leadline_tools.resolve.scopes.hidden_namespaces import HiddenNamespaces
from leadline_tools.resolve.scopes.linkage import Linkage
from leadline_tools.resolve.scopes.macros import Macros
from leadline_tools.resolve.scopes.namespaces import namespace_alias, visible_namespaces
from leadline_tools.resolve.scopes.seen_namespaces import SeenNamespaces
from leadline_tools.resolve.scopes.symbol_sorts import SymbolSorts
from leadline_tools.resolve.scopes.visible_bindings import scope_around_variables, scope_of_types
from leadline_tools.resolve.types.arities import Arities
from leadline_tools.resolve.types.conditional_types import ConditionalTypes
from leadline_tools.resolve.types.member_spaces import MemberSpaces
from leadline_tools.resolve.types.type import FREE, Type


class _Keeping(Protocol):
    """A part that keeps what it has found out."""

    def forget(self) -> None:
        """Let go of it."""
        ...


class Resolver:
    """Resolves occurrences in a project that stays as it is, and keeps what it has found out of it."""

    def __init__(self, project: CodeBase) -> None:
        self.project = project
        self._facts: tuple[str, tuple[Facts | None, Semantics | None]] = ("", (None, None))
        self.sorts = SymbolSorts(self)
        self.modules = ModuleFiles(self)
        self.includes = IncludedFiles(self, self.modules)
        self.arities = Arities(self)
        self.evaluator = TypeEvaluator(self, self.arities)
        self.receivers = Receivers(self, self.evaluator)
        self.receiver_members = ReceiverMembers(self, self.evaluator)
        self._other_names = MembersByOtherNames(self, self.evaluator)
        self._given_members = GivenMembers(self, self.receiver_members)
        self.expected_types = ExpectedTypes(self.evaluator, self.evaluator.definitions)
        self.macros = Macros(self)
        self.linkage = Linkage(self)
        self._hidden_namespaces = HiddenNamespaces(self)
        knows_bases = self.evaluator.inheritance.knows_bases
        self.external_names = ExternalNames(self, knows_bases, self._hidden_namespaces.is_standard_library)
        self.components = ComponentNamespaces(project)
        self.seen_namespaces = SeenNamespaces(self, self.components)
        self._untyped_variables = UntypedVariables(self)
        self._conditional_names = ConditionalNames(self, self.linkage)
        self._conditional_types = ConditionalTypes(self, self._conditional_names)
        self.member_spaces = MemberSpaces(self)
        self._argument_namespaces = ArgumentNamespaces(self, self.evaluator)
        self.extension_methods = ExtensionMethods(self, self.seen_namespaces.nearest_first)
        self.keywords = Keywords(self, self.evaluator, self.evaluator.inheritance, self.receivers)
        self.bindings = BindingResolver(self, self._hidden_namespaces)
        self.imports = ImportFollower(self, self.evaluator, self.linkage, AmbientModules(self), self.arities)
        self.wildcards = WildcardImports(self)
        self.included_names = IncludedNames(self, self.linkage)
        self.exports = Exports(self, self.evaluator, self.macros, self._hidden_namespaces)
        self.globals = GlobalDeclarations(self)
        self.scopes = ScopeLookup(self, self.evaluator, self.receiver_members, self.seen_namespaces)

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for.

        The parts of a resolver know each other, so all that it knows would stay until cycles are looked for.
        """
        self._facts = "", (None, None)
        keeping: tuple[_Keeping, ...] = (
            *(self.sorts, self.modules, self.includes, self.included_names, self.exports, self.globals, self.scopes),
            *(self.evaluator, self.arities, self.linkage, self.external_names, self.seen_namespaces),
            *(self.components, self._hidden_namespaces, self._conditional_names, self.receiver_members, self.keywords),
            *(self._given_members, self._argument_namespaces),
        )
        for part in keeping:
            part.forget()

    def resolve(self, path: str, name: str, use: Use) -> Sequence[Resolution]:
        """Return what the occurrence ``use`` of ``name`` in the file ``path`` may mean; nothing where it is not known.

        It means several things where an object may be of one type or of another.
        """
        facts, semantics = self.facts(path)
        if facts is None or semantics is None:
            return ()
        apart = self._resolve_apart(path, facts, semantics, name, use)
        if apart is not None:
            return apart
        if semantics.is_implicit_call(use):
            return self._resolve_operator(path, use)
        found = self._decide(path, facts, semantics, name, use)
        if name in semantics.library.members_of_types and found and all(one == EXTERNAL for one in found):
            found = self._resolve_run(path, facts, name, use) or found
        if use.receiver != BARE and use.role is not Role.Definition:
            found = self.extension_methods.select(path, semantics, use, found)
            found = self.member_spaces.select(path, semantics, use, found)
            if use.imported < 0:
                found = self._other_names.choose(path, semantics, name, use, found)
        found = self._argument_namespaces.select(path, semantics, name, use, found)
        found = self.member_spaces.select_by_name(path, semantics, name, use, found)
        by_arity = semantics.types.by_arity and use.role is not Role.Definition
        return list(self.arities.meant(path, name, use, found)) if by_arity else found

    def _resolve_apart(
        self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use
    ) -> Sequence[Resolution] | None:
        """Return what an occurrence means of which no scope and no receiver tells; None for any other.

        It declares a member of a type without a name, is the name of an argument, or stands in a macro.
        """
        if semantics.types.anonymous and use.receiver in (BARE, UNKNOWN) and _declares_member(facts, name, use):
            own = _declared_at(path, facts, name, use)
            return (own,) if own is not None else ()
        if use.receiver == LABEL or (use.receiver == UNKNOWN and name in facts.arguments):
            return self.keywords.resolve(path, name, use)
        if use.receiver == UNKNOWN:
            return (EXTERNAL,) if self.external_names.begins_package(path, use) else ()
        if use.receiver == MACRO and use.imported < 0 and use.role is not Role.Definition:
            meaning = self.macros.lookup(path, name, use.scope, use.line)
            return (meaning,) if meaning is not None else ()
        return None

    def _decide(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> Sequence[Resolution]:
        """Return what an occurrence may mean; nothing where another condition decides it."""
        ending = semantics.uses.endings.get(use.role, "")
        whole = self._resolve_name(path, facts, semantics, name + ending, use) if ending else ()
        if any(isinstance(one, SymbolRef) for one in whole):
            return whole
        found = self._given_members.resolve(path, semantics, name, use)
        found = found or self._resolve_name(path, facts, semantics, name, use)
        if found and semantics.uses.declares_literal_keys and use.role is Role.Other:
            found = self._resolve_key(path, facts, name, use, found)
        declares = not semantics.imports.passes_on or use.role is Role.Definition
        unsure = not declares and any(
            isinstance(one, SymbolRef) and self.bindings.is_external_too(one) for one in found
        )
        added = use.receiver in semantics.visibility.standard_spaces and all(one == EXTERNAL for one in found)
        unsure = unsure or (added and self._hidden_namespaces.has_function(path, use.receiver, name))
        return () if unsure or self._may_be_external(path, semantics, use, found) else found

    def is_never_compiled(self, path: str, line: int) -> bool:
        """Return whether a line of a file is never compiled, so that nothing checks what it means."""
        return self._conditional_names.is_never_compiled(path, line)

    def _may_be_external(self, path: str, semantics: Semantics, use: Use, found: Sequence[Resolution]) -> bool:
        """Return whether an occurrence may mean types from outside: a condition that may fail declares others."""
        if not semantics.macros.conditional_types or use.role is Role.Definition:
            return False
        meant = [one for one in found if isinstance(one, SymbolRef)]
        return bool(meant) and all(self._conditional_types.may_be_another(path, use.line, one) for one in meant)

    def _resolve_key(
        self, path: str, facts: Facts, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a key of an object literal means, of the members of the types that are expected there.

        Where nothing checks that a type has the keys, a type from outside may have it, or the literal alone:
        https://www.typescriptlang.org/docs/handbook/intro-to-js-ts.html
        """
        _, semantics = self.facts(path)
        unchecked = semantics is not None and not semantics.members.compares_members
        if unchecked and self._untyped_variables.begins(path, facts, use):
            return ()
        if unchecked and any(facts.named(place_of(one.head).name) for one in parsed(use.receiver)):
            wanted = self.evaluator.resolve_aliases(self.evaluator.evaluate(path, use.receiver, use.scope))
            found = () if wanted and all(one.origin == EXTERNAL for one in wanted) else found
        expected = self.expected_types.evaluate(path, use.receiver, use.scope)
        if any(one.origin == FREE for one in expected):
            owners = [*(one for one in expected if one.origin != FREE), *self.expected_types.bounds_of(expected)]
            found = list(dict.fromkeys(member for one in owners for member in self.evaluator.resolve_member(one, name)))
        return self.evaluator.unions.select_members(path, facts, name, use, found) if len(found) > 1 else found

    def _resolve_run(self, path: str, facts: Facts, name: str, use: Use) -> Sequence[Resolution]:
        """Return the method that runs where a member of the language is called: ``initialize`` by ``new`` of Ruby."""
        runs = (one for one in facts.uses.get(name, ()) if one.taken)
        same = next((one for one in runs if (one.line, one.column) == (use.line, use.column)), None)
        return self._resolve_operator(path, same) if same is not None else ()

    def _resolve_operator(self, path: str, use: Use) -> Sequence[Resolution]:
        """Return the method that a sign calls: the first of some that the object has."""
        found: Sequence[Resolution] = ()
        for method in use.taken.split("|"):
            found = self.receiver_members.resolve(path, use.receiver, use.scope, method, called=True) or found
            if any(isinstance(one, SymbolRef) for one in found):
                break
        return found

    def _resolve_name(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> Sequence[Resolution]:
        """Return what an occurrence may mean under a name; see ``resolve``."""
        if use.receiver == DECLARED and (own := _declared_at(path, facts, name, use)) is not None:
            return (own,)
        if name in semantics.calls.constructor_keywords and use.role is Role.Call:
            return self._lookup_constructors(path, use)
        if use.role is not Role.Definition and use.imported < 0 and use.receiver != BARE:
            term = use.receiver.removesuffix("|")
            found = self._lookup_members(path, facts, semantics, name, use)
            if term == use.receiver and (found or term != TAGS):
                found = self._keep_types(path, semantics, name, use, found)
                return self._conditional_names.keep_certain(path, use.line, semantics, found)
            found = [meaning for meaning in found if meaning != EXTERNAL and not _is_constructor(meaning, name)]
            if found:
                return found
        meaning = self._resolve_bare(path, facts, semantics, name, use)
        if isinstance(meaning, SymbolRef) and use.taken:
            meaning = self._prefer_type(path, facts, semantics, name, use, meaning)
        if isinstance(meaning, SymbolRef):
            declares = use.role is Role.Definition or not semantics.imports.passes_on
            return (
                meaning.all if declares or not self._conditional_names.may_be_another(path, use.line, meaning) else ()
            )
        if meaning is None and semantics.visibility.has_open_namespaces:
            meaning = namespace_alias(path, facts, name, use)
        if meaning is None and use.imported < 0 and use.receiver in (BARE, TAGS):
            is_external = self.external_names.is_external(path, name, use.scope, use.role)
            is_external = is_external and not self.external_names.may_be_member(path, name, use)
            meaning = EXTERNAL if is_external or self.external_names.begins_package(path, use) else None
        return (meaning,) if meaning is not None else ()

    def _lookup_members(
        self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use
    ) -> Sequence[Resolution]:
        """Return what a name means as a member of its receiver.

        A module is not called: a function of its name is, which something passes on. Nor is it ``self`` before a dot.
        """
        term, called = use.receiver.removesuffix("|"), use.role is Role.Call
        if not semantics.scopes.paths_apart:
            scope = scope_of_types(facts, semantics, term, use)
            found = self.receiver_members.resolve(path, term, scope, name, called=called)
            if called and all(one == EXTERNAL for one in found):
                held = function_on_receiver(self, self.evaluator, path, name, use)
                return (held,) if held is not None else found
            hides = use.role is Role.Write and semantics.members.assignments_hide
            return () if hides and _makes_own_member(self.evaluator, path, term, use.scope, found) else found
        before = self._text_before(path, use)
        if term in semantics.scopes.this and not use.scope and before.endswith("."):
            return ()
        scope, by_path = self._path_scope(path, facts, term, use), before.endswith("::")
        found = self.receiver_members.resolve(path, term, scope, name, called=called or by_path)
        if by_path:
            interfaces, trait = self.evaluator.interfaces, semantics.members.qualifies(before)
            found = [one for one in found if not self.evaluator.definitions.is_field(one)]
            found = interfaces.select_qualified(found, path, term, scope, trait) if trait else found
        return () if called and any(isinstance(one, Module) for one in found) else found

    def _text_before(self, path: str, use: Use) -> str:
        """Return what stands before an occurrence in its line."""
        lines = self.project.lines(path)
        return lines[use.line - 1][: use.column - 1].rstrip() if use.line <= len(lines) else ""

    def _path_scope(self, path: str, facts: Facts, term: str, use: Use) -> int:
        """Return the scope in which the first name of a path is looked up: no variable can stand there.

        https://doc.rust-lang.org/reference/names/namespaces.html
        """
        around = scope_around_variables(facts, term, use.scope)
        return around if around != use.scope and self._text_before(path, use).endswith("::") else use.scope

    def _keep_types(
        self, path: str, semantics: Semantics, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what the name of a type means behind another name, which is that of a namespace or of a type.

        Variables and functions do not hide that: https://eel.is/c++draft/basic.lookup.qual.general#1.
        """
        if self.sorts.stands_behind_type(semantics, use.role) and found and all(map(self.sorts.is_value, found)):
            types = self.evaluator.evaluate_type(path, then(use.receiver, f".{name}"), use.scope, None)
            named = [
                one.origin for one in types if isinstance(one.origin, SymbolRef) and one.origin.name.endswith(name)
            ]
            return named or ((EXTERNAL,) if use.role is Role.Type else found)  # else a package
        kept = [one for one in found if not self.sorts.is_no_type(one, semantics, use.role)]
        if kept or not found:
            return found if len(kept) == len(found) else kept
        meaning = self.scopes.lookup_in_namespace(path, use.receiver, name, use.scope)
        return () if meaning is None or self.sorts.is_no_type(meaning, semantics, use.role) else (meaning,)

    def _lookup_constructors(self, path: str, use: Use) -> Sequence[SymbolRef]:
        """Return the constructors of the type that a keyword makes an object of; the type, where it declares none."""
        types = self.receivers.types(path, use)
        owned = ((one, self.evaluator.declarations.own_member(one, one.name.rpartition(".")[2])) for one in types)
        return [own if own is not None else one for one, own in owned]

    def _resolve_bare(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> Resolution | None:
        """Return what a name means that is no member of anything."""
        if use.role is Role.Definition:
            return self._resolve_definition(path, facts, name, use)
        if use.imported >= 0 and use.taken and semantics.imports.module_part is not None:
            return self.modules.find(semantics, use.taken, path) or EXTERNAL
        if use.imported >= 0 and use.taken and semantics.imports.path_sign:
            return self.modules.find(semantics, use.taken, path)
        if use.imported >= 0:
            return self.imports.resolve(path, facts.imports[use.imported], semantics, 0)
        found = self.scopes.lookup_use(path, facts, semantics, name, self._as_called(path, semantics, name, use))
        found = (
            self.included_names.replace_later_macro(path, name, use, found) if semantics.imports.passes_on else found
        )
        if found is None and semantics.visibility.links_definitions and use.role is Role.Type:
            # What looks like a parameter without a name may be the argument of a macro.
            value = self.scopes.lookup_top(
                path, facts, semantics, name, visible_namespaces(facts, semantics, use.scope, name), 0
            )
            found = value if isinstance(value, SymbolRef) else _template_argument(self, path, name, use)
        if use.receiver == TAGS and isinstance(found, SymbolRef) and self._conditional_names.is_no_tag(found):
            return None
        return found if found is not None else _label_given_to_macro(path, facts, semantics, name, use)

    def _as_called(self, path: str, semantics: Semantics, name: str, use: Use) -> Use:
        """Return a use before arguments as a call: a pattern takes apart what a call makes."""
        if not semantics.scopes.constructors_apart or use.role is not Role.Read or not name[:1].isupper():
            return use
        lines = self.project.lines(path)
        after = lines[use.line - 1][use.end_column - 1 :] if use.line <= len(lines) else ""
        return use._replace(role=Role.Call) if after.lstrip().startswith("(") else use

    def _prefer_type(
        self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use, meaning: SymbolRef
    ) -> Resolution | None:
        """Return the type that a name means in place of a member that is called like it.

        It does where a type stands, and where something is taken that only the type has: what an enumeration lists, a
        type in it, a static member. An object is made of no member, and no method is a pattern: nothing is found there
        without a type. https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12872
        """
        if Sort.Type in self.sorts.of(meaning):
            return meaning
        kind = self.scopes.lookup_in(path, facts, semantics, name, use.scope, 0, Role.Type)
        if use.taken == ITSELF:
            is_value = use.role is not Role.Call and Sort.Callable not in self.sorts.of(meaning)
            return kind if isinstance(kind, SymbolRef) or not is_value else meaning
        if not isinstance(kind, SymbolRef):
            return meaning
        taken = self.evaluator.declarations.own_member(kind, use.taken)
        if not isinstance(taken, SymbolRef):
            return meaning
        its, _ = self.facts(taken.path)
        static = its is not None and taken.name in its.inner
        return kind if static or self.sorts.of(taken) & {Sort.Unknown, Sort.Type} else meaning

    def declarations(self, path: str, name: str) -> Sequence[SymbolRef]:
        """Return what other files declare or define as the same thing as the symbol ``name`` of a file."""
        _, semantics = self.facts(path)
        twin = semantics.imports.twin(path) if semantics is not None else ""
        if twin and self.project.paths.exists(twin):
            facts, _ = self.facts(twin)
            return (
                [SymbolRef(twin, name, Reason.Definition)] if facts is not None and facts.at(name) is not None else ()
            )
        return self.linkage.declarations(path, name)

    def facts(self, path: str) -> tuple[Facts | None, Semantics | None]:
        """Return the facts of a file and the rules of its language, None where there are none."""
        if self._facts[0] == path:
            return self._facts[1]
        found = self.project.facts(path)
        language = (LANGUAGES.get(found.language) if found is not None else None) or language_of(path)
        known = found, language.semantics if language else None
        if found is not None:
            self._facts = path, known
        return known

    def _resolve_definition(self, path: str, facts: Facts, name: str, use: Use) -> Resolution | None:
        for binding in facts.named(name):
            if (binding.line, binding.column) == (use.line, use.column):
                if binding.path:
                    return self.declaration(SymbolRef(path, binding.path, Reason.Definition))
                of_nameless = bool(facts.heritage_of(nameless(binding.scope)))
                return LocalName(path, name, binding.scope) if of_nameless else EXTERNAL
        return None

    def declaration(self, member: SymbolRef) -> SymbolRef:
        """Return the symbol that declares a member: another one where methods only give an inherited one a value."""
        owner, _, name = member.name.rpartition(".")
        if not owner or not self.evaluator.definitions.is_assigned(member):
            return member
        of_object = not self.evaluator.definitions.may_belong(member, of_object=False)
        found = self.member_of(SymbolRef(member.path, owner, Reason.Definition), name, of_object=of_object)
        return found if isinstance(found, SymbolRef) and not found.same(member) else member

    def wanted_member(self, key: SymbolRef) -> SymbolRef:
        """Return the member that a key of an object literal means: of the type that the place of the literal wants.

        Anything else, and a key of which no type is wanted, stands for itself.
        """
        facts, semantics = self.facts(key.path)
        if facts is None or semantics is None or not semantics.uses.declares_literal_keys:
            return key
        name = key.name.rpartition(".")[2]
        places = {(one.line, one.column) for one in facts.all_at(key.name)}
        uses = (use for use in facts.uses.get(name, ()) if use.role is Role.Other and (use.line, use.column) in places)
        meant = (one for use in uses if use.receiver != UNKNOWN for one in self.resolve(key.path, name, use))
        return next((one for one in meant if isinstance(one, SymbolRef) and not one.same(key)), key)

    def member_of(
        self, owner: Resolution | None, name: str, *, called: bool = False, of_object: bool = False
    ) -> Resolution | None:
        """Return the member of something that is called ``name``, where it is known."""
        of = Type(owner, is_instance=of_object) if owner is not None else None
        found = self.evaluator.resolve_member(of, name, called=called) if of is not None else ()
        return next((meaning for meaning in found if not isinstance(meaning, NonSymbol)), None)


def _makes_own_member(evaluator: TypeEvaluator, path: str, term: str, scope: int, found: Sequence[Resolution]) -> bool:
    """Return whether giving a value to a member of a term makes one of a type, where only a base has it so far."""
    is_type = evaluator.definitions.is_function_or_type
    types = [one.origin for one in evaluator.evaluate(path, term, scope) if is_type(one)]
    owners = {(one.path, one.name.rpartition(".")[0]) for one in found if isinstance(one, SymbolRef)}
    return any(isinstance(one, SymbolRef) and owners and (one.path, one.name) not in owners for one in types)


def _declared_at(path: str, facts: Facts, name: str, use: Use) -> LocalName | None:
    """Return the local name, or the member of a type without a name, that an occurrence declares."""
    bound = (one for one in facts.named(name) if (one.line, one.column) == (use.line, use.column))
    return next((LocalName(path, name, one.scope) for one in bound if one.scope > 0), None)


def _declares_member(facts: Facts, name: str, use: Use) -> bool:
    """Return whether an occurrence declares a member of a type without a name."""
    place = use.line, use.column
    bound = (one for one in facts.named(name) if (one.line, one.column) == place and one.scope > 0 and not one.path)
    around = (facts.scopes[one.scope] for one in bound)
    return any(one.kind is ScopeKind.Class and not one.name for one in around)


_AROUND_ARGUMENT = ("<", ","), (">", ",")
"""What stands before and after an argument of a template."""


def _template_argument(resolver: Resolver, path: str, name: str, use: Use) -> LocalName | None:
    """Return the local value that is an argument of a template, which the grammar takes for a type: [temp.arg]."""
    facts, semantics = resolver.facts(path)
    lines = resolver.project.lines(path)
    line = lines[use.line - 1] if use.line <= len(lines) else ""
    before, after = line[: use.column - 1].rstrip(), line[use.end_column - 1 :].lstrip()
    argument = before.endswith(_AROUND_ARGUMENT[0]) and after.startswith(_AROUND_ARGUMENT[1])
    if facts is None or semantics is None or not argument or use.receiver != BARE:
        return None
    value = resolver.scopes.lookup_use(path, facts, semantics, name, use._replace(role=Role.Read))
    return value if isinstance(value, LocalName) else None


def _label_given_to_macro(path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> LocalName | None:
    """Return the label of a function that a name means which nothing else declares: an argument of a macro that jumps.

    Every value is declared where it is used, and a label is seen in all of its function: 6.2.1 of C11.
    """
    if not semantics.scopes.jump_labels or use.role is not Role.Read or use.receiver != BARE:
        return None
    label = f"{name}{LABEL_MARK}"
    scopes = facts.outwards(use.scope) if facts.named(label) else ()
    return next((LocalName(path, label, one) for one in scopes if facts.within(label, one)), None)


def _is_constructor(meaning: Resolution, name: str) -> bool:
    """Return whether a member is called like its type."""
    return isinstance(meaning, SymbolRef) and meaning.name.rpartition(".")[0].rpartition(".")[2] == name
