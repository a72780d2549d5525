"""Visible bindings: those that a bare name sees, those that other files see, and the best of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import MACRO_SORTS, METHODS, OUTSIDE, Binding, Facts, Sort, Use, is_type_parameter
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.imports import MACROS, PACKAGE, WILDCARD, Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import FUNCTION, parsed
from leadline_tools.model import Role
from leadline_tools.resolve.project.code_base import CodeBase

NO_TYPES = frozenset({Sort.Value, Sort.Callable, Sort.Getter})
"""What is no type."""


VALUE_ROLES = frozenset({Role.Call, Role.Read, Role.Write})


def is_visible(binding: Binding, facts: Facts, semantics: Semantics, role: Role) -> bool:
    """Return whether a bare name can mean ``binding``; one that is called or a type may mean no local variable."""
    if binding.imported >= 0:
        return not facts.imports[binding.imported].exports
    if binding.sort in MACRO_SORTS or (role is not Role.Definition and _is_own_package(binding, facts)):
        return False
    typed = role is Role.Type or (role is Role.Inherit and not semantics.types.bases_are_values)
    if semantics.scopes.types_apart and typed and binding.sort in NO_TYPES:
        return False
    if semantics.scopes.namespaces_apart and role in VALUE_ROLES and is_type_parameter(binding):
        return False
    if not semantics.calls.calls_apart or role not in VALUE_ROLES or binding.sort in (Sort.Type, Sort.Getter):
        return True
    return (role is Role.Call) is (binding.sort == Sort.Callable)


def _is_own_package(binding: Binding, facts: Facts) -> bool:
    """Return whether a binding is the package of its file: the files of a package see its members, not its name.

    Where nothing is called so, the name is that of a package still.
    https://kotlinlang.org/spec/packages-and-imports.html#packages-and-imports
    """
    if binding.sort != Sort.Unknown or not binding.path or binding.scope:
        return False
    return any(one.alias == PACKAGE and one.module == binding.path for one in facts.imports)


def visible_bindings(bindings: Iterable[Binding], facts: Facts, semantics: Semantics, role: Role) -> list[Binding]:
    """Return those that a bare name can mean; what is no call means a variable where a scope has a method too."""
    seen = [one for one in bindings if is_visible(one, facts, semantics, role)]
    if not semantics.uses.reads_are_calls or role is Role.Call or len(seen) == 1:
        return seen
    return [one for one in seen if not one.path and one.sort == Sort.Value] or seen


def binds_local_around(facts: Facts, semantics: Semantics, name: str, scope: int, role: Role) -> bool:
    """Return whether a function or a block around a scope binds a name: that is found before members of receivers.

    So are the parameters of a constructor in what initializes members.
    https://kotlinlang.org/spec/overload-resolution.html#call-without-an-explicit-receiver
    """
    inside, scope = scope, facts.scopes[scope].parent
    while scope > 0:
        bound = visible_bindings(facts.within(name, scope), facts, semantics, role)
        if facts.scopes[scope].kind is ScopeKind.Class:
            seen = bindings_seen_from(bound, facts, scope, inside) if semantics.scopes.sees_parameters_first else []
            bound = [one for one in seen if _is_parameter_of_head(one)]
        if any(role is not Role.Call or one.sort == Sort.Callable or FUNCTION in one.type for one in bound):
            return True
        if facts.scopes[scope].kind is ScopeKind.Class:
            break
        inside, scope = scope, facts.scopes[scope].parent
    return False


def bound_in(facts: Facts, semantics: Semantics, name: str, scope: int) -> Sequence[Binding]:
    """Return what a scope binds under a name, or else the other declarations of a namespace that it is the body of.

    What another declaration does not export has a number in its dotted name.
    What the body of a record declares is seen in its head, too.
    https://www.typescriptlang.org/docs/handbook/declaration-merging.html#merging-namespaces,
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.3
    """
    here = facts.within(name, scope)
    if not here and semantics.scopes.seen_in_heads and _is_head(facts, scope, semantics.scopes.seen_in_heads):
        inside = (one for one in facts.named(name) if one.scope > 0 and facts.scopes[one.scope].parent == scope)
        return [one for one in inside if facts.scopes[one.scope].name == facts.scopes[scope].name]
    module = _module_of(facts, scope) if semantics.scopes.merges_modules and not here else ""
    if not module:
        return here
    merged = (one for one in facts.named(name) if _module_of(facts, one.scope) == module)
    return [one for one in merged if one.path in ("", f"{module}.{name}")]


def _is_head(facts: Facts, scope: int, base: str) -> bool:
    """Return whether a scope is that of the declaration of a type with a base that the language gives it."""
    around = facts.scopes[scope]
    return around.kind is ScopeKind.Block and any(
        base in one.bases and one.scope == scope for one in facts.heritage_of(around.name)
    )


def _module_of(facts: Facts, scope: int) -> str:
    """Return the dotted name of the module that a scope is the body of; empty for none."""
    parent = facts.scopes[scope].parent if scope > 0 else 0
    around = facts.scopes[parent] if parent > 0 else None
    same = around is not None and around.kind is ScopeKind.Module and around.name == facts.scopes[scope].name
    return facts.scopes[scope].name if same else ""


def latest_wildcards(facts: Facts) -> Sequence[tuple[int, Imported]]:
    """Return the imports of everything, those first that count where the last import of a name does.

    Of indented ones in a row the first counts: the others are what is done where it fails.
    """
    groups: list[list[tuple[int, Imported]]] = []
    indented = False
    for binding in facts.wide:
        found = facts.imports[binding.imported] if binding.imported >= 0 else None
        if found is not None and found.name == WILDCARD and found.space != MACROS:
            if not (indented and binding.column > 1):
                groups.append([])
            indented = binding.column > 1
            groups[-1].append((binding.scope, found))
    return [one for group in reversed(groups) for one in group]


def namespace_of(facts: Facts, semantics: Semantics, binding: Binding) -> bool | None:
    """Return whether a local name is a type parameter, where its scope has a value of that name too; None elsewhere."""
    if not semantics.scopes.namespaces_apart:
        return None
    either = {is_type_parameter(one) for one in facts.within(binding.name, binding.scope) if not one.path}
    return is_type_parameter(binding) if len(either) > 1 else None


def is_parameter_of_template(facts: Facts, scope: int, name: str) -> bool:
    """Return whether a name is a parameter of the template that a class is: bases that depend on it do not hide it.

    https://eel.is/c++draft/temp.dep.type, https://eel.is/c++draft/temp.local#9
    """
    around = facts.scopes[scope].parent
    return facts.scopes[around].kind is ScopeKind.Open and any(map(is_type_parameter, facts.within(name, around)))


def bindings_seen_from(here: list[Binding], facts: Facts, scope: int, inside: int) -> list[Binding]:
    """Return those of the bindings of a class that are seen from the scope ``inside``, the outermost one in it.

    What initializes members sees the parameters of the constructor before the members, what a function does sees none.
    """
    kind, _, name = facts.scopes[inside]
    if not facts.scopes[scope].name:
        return here
    parameters = list(filter(_is_parameter_of_head, here))
    if inside != scope and (kind in METHODS or (kind is ScopeKind.Class and name)):
        return [one for one in here if one not in parameters]
    return parameters or here


def _is_parameter_of_head(binding: Binding) -> bool:
    """Return whether what the scope of a class binds is a parameter in its head, and no member."""
    return not binding.path and binding.imported < 0 and binding.sort == Sort.Value


def may_be_inherited(facts: Facts, semantics: Semantics, here: Sequence[Binding], scope: int, inside: int) -> bool:
    """Return whether a function may see an inherited member in place of the parameters in the head of its type.

    https://learn.microsoft.com/dotnet/csharp/language-reference/proposals/csharp-12.0/primary-constructors#lookup
    """
    if not semantics.scopes.members_before_parameters or facts.scopes[scope].kind is not ScopeKind.Class:
        return False
    return facts.scopes[inside].kind in METHODS and all(not one.path and one.imported < 0 for one in here)


def is_listed(binding: Binding, facts: Facts) -> bool:
    """Return whether a symbol belongs to a table without a name, which is what its module is outside.

    Or to the object of a package, whose members are those of the package.
    """
    scope = facts.scopes[max(binding.scope, 0)]
    if scope.kind is ScopeKind.Class:
        said = (facts.imports[one.imported] for one in facts.named(PACKAGE) if one.imported >= 0)
        return any(binding.path == f"{one.module}.{binding.name}" for one in said if one.exports)
    return scope.kind is ScopeKind.Table and not scope.name and binding.path == binding.name


def is_declared_globally(facts: Facts, declared: Binding) -> bool:
    """Return whether a module declares something for all files, and not for itself alone."""
    around = facts.outwards(declared.spelled) if declared.path else ()
    return any(facts.scopes[one].kind is ScopeKind.Open for one in around)


def is_seen_outside(binding: Binding, facts: Facts, semantics: Semantics) -> bool:
    """Return whether a name of a file can be seen from others: where imports are for their file alone they are not."""
    return binding.imported < 0 or is_passed_on(facts.imports[binding.imported], semantics)


def is_file_private(project: CodeBase, path: str, name: str, line: int = 0) -> bool:
    """Return whether a file alone sees what it declares outside of all types; on one 1-based line, 0 for any."""
    semantics = semantics_of(path)
    hides = semantics.visibility.file_private if semantics is not None else None
    return hides is not None and all(map(hides, project.heads(path, name, line)))


def is_file_itself(binding: Binding, facts: Facts) -> bool:
    """Return whether a name is what a file calls itself: an export of that name is another thing."""
    imported = facts.imports[binding.imported] if binding.imported >= 0 else None
    return imported is not None and not (imported.module or imported.name or imported.exports)


def is_passed_on(imported: Imported, semantics: Semantics) -> bool:
    """Return whether other files can have from a file what it imports."""
    return imported.exports or not (semantics.imports.keeps_imports or imported in semantics.imports.ambient)


def best_binding(bindings: Iterable[Binding]) -> Binding | None:
    """Return the binding that a use most likely sees: a definition before an import before anything else.

    A variable of which no value is known stands behind an import: it is what a name is where the import fails.
    """
    return min((binding for binding in bindings if binding.scope != OUTSIDE), key=_rank, default=None)


def _rank(binding: Binding) -> int:
    if binding.imported >= 0:
        return 1
    if not binding.path:
        return 3
    return 2 if binding.sort == Sort.Value and not (binding.type or binding.made) else 0


def alternative_imports(bindings: Iterable[Binding]) -> Sequence[Binding]:
    """Return the imports that may bind a name: the last that is under no condition, and those after it.

    What begins in the first column is under none.
    """
    found: list[Binding] = []
    for binding in bindings:
        if binding.imported >= 0:
            found = [binding] if binding.column == 1 and not binding.scope else [*found, binding]
    return found


def scope_of_types(facts: Facts, semantics: Semantics, term: str, use: Use) -> int:
    """Return the scope in which the first name of the name of a type is looked up: no variable can stand there.

    https://go.dev/ref/spec#Qualified_identifiers,
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.5.4
    """
    apart = semantics.scopes.types_apart and not semantics.scopes.namespaces_apart and use.role is Role.Type
    return scope_around_variables(facts, term, use.scope) if apart else use.scope


def scope_around_variables(facts: Facts, term: str, inner: int) -> int:
    """Return the scope around all variables that are called like the first name of a term; ``inner`` without any."""
    either = parsed(term)
    head = place_of(either[0].head).name if either else ""
    found = inner
    for scope in facts.outwards(inner) if facts.named(head) else ():
        bound = facts.within(head, scope)
        variables = bool(bound) and all(not one.path and one.imported < 0 and one.sort == Sort.Value for one in bound)
        if scope > 0 and variables:
            found = facts.scopes[scope].parent
    return found
