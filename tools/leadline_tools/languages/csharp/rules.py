"""C#: https://learn.microsoft.com/dotnet/csharp/language-reference/specifications."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from tree_sitter import Node

from leadline_tools.languages import blanking, lexing, reach, terms
from leadline_tools.languages.c import conditions as c_conditions
from leadline_tools.languages.csharp import source as csharp_source
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    no_module,
    place,
    text,
)
from leadline_tools.languages.terms import (
    COLLECTION,
    DECLARED,
    FUNCTION,
    TUPLE,
    UNKNOWN,
    Op,
    Spell,
    Spelling,
    either,
    object_of,
    then,
)
from leadline_tools.model import Role, SymbolKind

_OUTER_NAMESPACES = 4


def _dotted(name: Node | None) -> str:
    return "".join(text(name).split())


def _declarators(node: Node) -> Iterator[Node]:
    """Yield what ``int a, b = 1`` declares, also where it stands in a declaration of fields."""
    for child in node.named_children:
        if child.type == "variable_declaration":
            yield from _declarators(child)
        elif child.type == "variable_declarator":
            yield child


def _variables(node: Node) -> Sequence[Node]:
    """Return the names of variables; a deconstruction has several."""
    found: list[Node] = []
    for declarator in _declarators(node):
        found += declarator.children_by_field_name("name")
        found += [child for child in declarator.named_children if child.type == "tuple_pattern"]
    return found


def _declared_type(node: Node) -> Node | None:
    """Return the type that a declaration spells; none for ``var``."""
    declaration = next((child for child in node.named_children if child.type == "variable_declaration"), node)
    kind = declaration.child_by_field_name("type")
    return None if kind is None or kind.type == "implicit_type" or text(kind) == "dynamic" else kind


def _modifiers(node: Node) -> Sequence[str]:
    return [text(child) for child in node.named_children if child.type == "modifier"]


def _field_kind(node: Node) -> SymbolKind:
    return SymbolKind.Constant if "const" in _modifiers(node) else SymbolKind.Field


def _is_static(node: Node) -> bool:
    """Tell whether a member is one of the type itself; constants are."""
    return not {"static", "const"}.isdisjoint(_modifiers(node))


def _record_kind(node: Node) -> SymbolKind:
    return SymbolKind.Struct if any(child.type == "struct" for child in node.children) else SymbolKind.Class


def _primary_parameters(node: Node) -> Sequence[Node]:
    return [child for child in node.named_children if child.type == "parameter_list"]


def _parameter_names(node: Node) -> Sequence[Node]:
    """Return the names in a list of parameters; ``params`` stands in the list itself."""
    found: list[Node] = []
    for parameters in node.children_by_field_name("parameters") or _primary_parameters(node):
        for child in parameters.named_children:
            found += child.children_by_field_name("name") if child.type == "parameter" else ()
        found += parameters.children_by_field_name("name")
    return found


def _token(*kinds: str) -> Callable[[Node], Sequence[Node]]:
    def found(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in kinds][:1]

    return found


def _operator(node: Node) -> Sequence[Node]:
    """Return the token that an operator declaration defines."""
    after = False
    for child in node.children:
        if after and child.type != "checked":
            return (child,)
        after = after or child.type == "operator"
    return ()


def _body(node: Node) -> Sequence[Node]:
    return node.children_by_field_name("accessors") or node.children_by_field_name("value")


def _using(node: Node) -> Iterator[Imported]:
    """Read ``using A.B`` and ``using X = A.B.C``; what ``using static`` brings are members of a type."""
    alias = node.child_by_field_name("name")
    target = next((child for child in reversed(node.named_children) if child != alias), None)
    spelled = _dotted(target)
    if any(child.type == "static" for child in node.children):
        yield Imported(spelled, "*", "")
    elif alias is None:
        yield Imported(spelled, "*", "", space=spelled)
    elif target is not None and target.type in ("qualified_name", "identifier"):
        space, _, name = spelled.rpartition(".")
        yield Imported(space, name, text(alias), space=space)


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return where a namespace may lie: folders are often named like it. What is found there tells its namespace."""
    found: dict[str, None] = {}
    parts = module.split(".") if module else []
    for folder in ("/".join(parts), parts[-1] if parts else ""):
        if folder:
            found.update(dict.fromkeys(path for path in paths.inside(folder) if path.endswith(".cs")))
    return list(found)


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside and above: a namespace sees its own and those around it, wherever they lie."""
    found: list[str] = []
    folder = path.rpartition("/")[0]
    for _ in range(_OUTER_NAMESPACES):
        found += (other for other in paths.inside(folder) if other.endswith(".cs") and other != path)
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    return list(dict.fromkeys(found))


def _member_binding(node: Node) -> tuple[Node | None, Node | None]:
    """Read the member of ``a?.b``: whose it is stands before the question mark."""
    return _condition(node), node.child_by_field_name("name")


def _condition(node: Node) -> Node | None:
    """Return what stands before the question mark to which a node belongs."""
    around = node.parent
    while around is not None and around.type != "conditional_access_expression":
        around = around.parent
    return around.child_by_field_name("condition") if around is not None else None


def _is_value(node: Node) -> bool:
    """Tell whether an argument is a product or two comparisons, which the grammar takes for a type and a name.

    An argument declares a variable behind ``out`` alone, or in a tuple that is taken apart, which holds no pointers:
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1217-declaration-expressions.
    """
    argument, kind = node.parent, node.child_by_field_name("type")
    if argument is None or argument.type != "argument" or any(child.type == "out" for child in argument.children):
        return False
    parted = argument.parent is not None and argument.parent.type == "tuple_expression"
    return not parted or (kind is not None and kind.type == "pointer_type")


def _declared_name(node: Node) -> Sequence[Node]:
    return () if _is_value(node) else node.children_by_field_name("name")


def _operands(node: Node) -> Sequence[Node]:
    """Return the names in an argument that declares nothing, whatever it looks like."""
    found: list[Node] = []
    waiting = [node] if _is_value(node) else []
    while waiting:
        inner = waiting.pop()
        if inner.type == "identifier":
            found.append(inner)
        waiting += inner.named_children
    return found


def _anonymous(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of the members that an object without a type declares."""
    named = (child for child in node.named_children if child.next_sibling and child.next_sibling.type == "=")
    yield from ((name, DECLARED) for name in named)


# --- What types and values are spelled like


def _given(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names that a declaration without type gives values to, with the terms of those."""
    kind = node.child_by_field_name("type")
    for declarator in _declarators(node) if kind is not None and kind.type == "implicit_type" else ():
        value = _initializer(declarator)
        for target in declarator.named_children if value is not None else ():
            if target != value:
                yield from _parted(target, spell(value))


def _initializer(declarator: Node) -> Node | None:
    """Return the value after the equals sign."""
    last = declarator.children[-1]
    return last if last.prev_sibling is not None and last.prev_sibling.type == "=" else None


def _parted(target: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield each name of a deconstruction with the part that it takes."""
    if target.type != "tuple_pattern":
        yield target, term
        return
    for i, child in enumerate(target.named_children):
        yield from _parted(child, then(term, f"#{i}"))


def _each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of a loop an element of what is looped over."""
    target = node.child_by_field_name("left")
    if target is not None:
        yield from _parted(target, then(spell(node.child_by_field_name("right")), "*"))


def _continued(node: Node) -> Sequence[Node]:
    """Return the names after the ``into`` of a query."""
    return [child for child in node.named_children if child.type == "identifier"]


def _ranged(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a query an element of what it ranges over."""
    name = node.child_by_field_name("name") or node.named_children[0]
    source = next((child for child in node.named_children if child.start_byte > name.end_byte), None)
    yield name, then(spell(source), "*")


def _queried(node: Node, spell: Spell) -> str:
    """Spell a query that ends in ``select``: a collection of what that gives for what the query ranges over."""
    *clauses, last = [child for child in node.named_children if child.type != "comment"]
    given: dict[str, str] = {}
    for clause in clauses:
        if clause.type in ("from_clause", "join_clause"):
            ((name, term),) = _ranged(clause, spell)
        elif clause.type == "let_clause":
            ((name, term),) = _let(clause, spell)
        elif clause.type in ("where_clause", "order_by_clause"):
            continue
        else:
            return UNKNOWN
        given[text(name)] = terms.put(term, given)
    if last.type != "select_clause":
        return UNKNOWN
    selected = terms.put(spell(last.named_children[-1]), given)
    return object_of(terms.applied(COLLECTION, [then(selected, Op.Itself)])) if selected != UNKNOWN else UNKNOWN


def _let(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    name, *values = node.named_children
    yield name, spell(values[-1] if values else None)


def _bound(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it must be."""
    name, around = node.child_by_field_name("name"), node.parent.parent if node.parent is not None else None
    if name is None or around is None:
        return
    for clause in around.named_children:
        if clause.type == "type_parameter_constraints_clause" and text(clause.named_children[0]) == text(name):
            kinds = [one.child_by_field_name("type") for one in clause.named_children[1:]]
            yield name, either(object_of(spell(kind)) for kind in kinds if kind is not None)


def _written(node: Node) -> Sequence[Node]:
    """Return the first place at which a setter reads the value that it is given."""
    name = node.child_by_field_name("name")
    if name is None or name.type == "get" or b"value" not in (node.text or b""):
        return ()
    waiting = list(reversed(node.named_children))
    while waiting:
        inner = waiting.pop()
        if inner.type == "identifier" and inner.text == b"value":
            return (inner,)
        waiting += reversed(inner.named_children)
    return ()


def _property_type(accessor: Node) -> Node | None:
    around = accessor.parent.parent if accessor.parent is not None else None
    return _declared_type(around) if around is not None else None


def _generic(node: Node, spell: Spell) -> str:
    """Spell a type with arguments; a delegate of the library as the function that it is."""
    arguments = next((child for child in node.named_children if child.type == "type_argument_list"), None)
    spelled = [spell(argument) for argument in arguments.named_children] if arguments is not None else []
    name = text(node.named_children[0])
    if name == "Func" and spelled:
        return terms.applied(FUNCTION, [spelled[-1], *spelled[:-1]])
    if name in ("Action", "Predicate"):
        return terms.applied(FUNCTION, [UNKNOWN, *spelled])
    return terms.applied(name, spelled)


def _qualified(node: Node, spell: Spell) -> str:
    owner = node.child_by_field_name("qualifier")
    return then(spell(owner), f".{spell(node.child_by_field_name('name'))}")


def _accessed(node: Node, spell: Spell) -> str:
    return then(spell(node.child_by_field_name("expression")), f".{_simple(node.child_by_field_name('name'))}")


def _bound_member(node: Node, spell: Spell) -> str:
    return then(spell(_condition(node)), f".{_simple(node.child_by_field_name('name'))}")


def _number(node: Node, _spell: Spell) -> str:
    """Spell a number as an object of the type that its suffix tells, else as one of ``int`` or ``double``.

    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/lexical-structure#6453-integer-literals
    """
    spelled = text(node).lower()
    if node.type == "real_literal":
        return object_of(_REALS.get(spelled[-1:], "double"))
    suffix = spelled[len(spelled.rstrip("ul")) :]
    return object_of(_INTEGERS[suffix]) if suffix in _INTEGERS else UNKNOWN


_REALS = {"f": "float", "m": "decimal"}
_INTEGERS = {"": "int", "u": "uint", "l": "long", "ul": "ulong", "lu": "ulong"}


def _simple(name: Node | None) -> str:
    """Return a name without type arguments."""
    return text(name.named_children[0] if name is not None and name.type == "generic_name" else name)


def _called(node: Node, spell: Spell) -> str:
    function = node.child_by_field_name("function")
    if function is None or text(function) == "nameof":
        return UNKNOWN
    if function.type == "generic_name":
        return then(spell(function), "()")
    name = _simple(function.child_by_field_name("name"))
    if name in _AWAITED:
        return spell(function.child_by_field_name("expression"))
    term, given = spell(function), _arguments(node)
    if name in _PROJECTING and len(given) == 1:
        element = then(terms.owner(term, name), Op.Each)
        made = then(_projected(given[0], element, spell), f"{_PROJECTING[name]}{Op.Itself}")
        return then(term, f"<{made}>()" if made != UNKNOWN else "()")
    return then(_called_with(term, node, spell), "()")


def _called_with(term: str, call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with the type arguments of a call, else with its arguments ``but`` for one."""
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("name") if function is not None else None
    if name is not None and name.type == "generic_name":
        listed = [one for child in name.named_children if child.type == _TYPE_ARGUMENTS for one in child.named_children]
        return terms.applied(term, [spell(one) for one in listed])
    return terms.given(term, (spell(one) if at != but else UNKNOWN for at, one in enumerate(_arguments(call))))


_TYPE_ARGUMENTS = "type_argument_list"


def _arguments(call: Node) -> Sequence[Node]:
    """Return the values that a call is given."""
    listed = call.child_by_field_name("arguments")
    given = listed.named_children if listed is not None else []
    return [child.named_children[-1] for child in given if child.type == "argument" and child.named_children]


def _function(node: Node, spell: Spell) -> str:
    """Spell a lambda by what it gives, where that does not depend on what it takes."""
    result = then(_projected(node, UNKNOWN, spell), Op.Itself)
    return object_of(terms.applied(FUNCTION, [result])) if result != UNKNOWN else UNKNOWN


def _projected(function: Node, element: str, spell: Spell) -> str:
    """Spell what a lambda of one expression makes of an element."""
    if function.type != "lambda_expression":
        return UNKNOWN
    parameters, body = function.child_by_field_name("parameters"), function.child_by_field_name("body")
    if parameters is None or body is None or body.type == "block":
        return UNKNOWN
    names = [text(parameters)]
    if parameters.type == "parameter_list":
        names = [text(child.child_by_field_name("name")) for child in parameters.named_children]
    return terms.put(spell(body), dict(zip_longest(names, [element][: len(names)], fillvalue=UNKNOWN)))


def _array(node: Node, spell: Spell) -> str:
    return terms.applied(COLLECTION, [spell(node.child_by_field_name("type"))])


def _tuple(node: Node, spell: Spell) -> str:
    kinds = (child.child_by_field_name("type") for child in node.named_children)
    return terms.applied(TUPLE, [spell(kind) for kind in kinds])


def _element(node: Node, spell: Spell) -> str:
    """Spell ``a[b]``: an element of a collection, or what an indexer gives."""
    owner = spell(node.child_by_field_name("expression"))
    return either((then(owner, ".this"), then(owner, "[]")))


def _object(field: str) -> Spelling:
    """Return how a node is spelled that is an object of the type in a field."""
    return lambda node, spell: object_of(spell(node.child_by_field_name(field)))


def _binary(node: Node, spell: Spell) -> str:
    """Spell ``a ?? b``; the results of other operators are not known."""
    if text(node.child_by_field_name("operator")) != "??":
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _switched(node: Node, spell: Spell) -> str:
    """Spell a switch as what its arms give."""
    arms = (child.named_children for child in node.named_children if child.type == "switch_expression_arm")
    return either(_arm(arm[0], arm[-1], spell) for arm in arms if arm[-1].type != "throw_expression")


def _arm(pattern: Node, value: Node, spell: Spell) -> str:
    """Spell the value of an arm; a name that its pattern declares is seen there alone."""
    name = pattern.child_by_field_name("name")
    return object_of(spell(pattern.child_by_field_name("type"))) if text(name) == text(value) else spell(value)


def _target(node: Node, spell: Spell) -> str:
    """Spell ``new()``: an object of the type that is expected where it stands."""
    around = node.parent
    while around is not None and around.type in _PASSING:
        around = around.parent
    match around:
        case Node(type="assignment_expression"):
            return spell(around.child_by_field_name("left"))
        case Node(type="argument"):
            call, at = around.parent.parent if around.parent is not None else None, place(around)
            called = call is not None and at is not None and call.type == "invocation_expression"
            function = call.child_by_field_name("function") if call is not None else None
            return then(spell(function), f"%{at}") if called else UNKNOWN
        case Node(type="variable_declarator", parent=Node() as declaration):
            return object_of(spell(_declared_type(declaration)))
        case Node(type="return_statement" | "arrow_expression_clause"):
            return object_of(spell(_returned(around)))
        case _:
            is_property = around is not None and around.type == "property_declaration"
            return object_of(spell(_declared_type(around) if around is not None and is_property else None))


_PASSING = frozenset({"conditional_expression", "parenthesized_expression", "equals_value_clause"})
"""What has the type that is expected where it stands, as its parts have."""


def _returned(inside: Node) -> Node | None:
    """Return the type of the function or property around a node; None inside a lambda."""
    around = inside.parent
    while around is not None and around.type not in _RETURNING:
        if around.type in ("lambda_expression", "anonymous_method_expression"):
            return None
        around = around.parent
    if around is None:
        return None
    return around.child_by_field_name("returns") or around.child_by_field_name("type")


_RETURNING = frozenset(
    {
        "method_declaration",
        "local_function_statement",
        "property_declaration",
        "indexer_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
    }
)


def _delegated(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keyword of ``: this(..)`` and ``: base(..)``, with the type whose constructor runs."""
    around = node.parent
    while around is not None and around.type not in ("class_declaration", "struct_declaration", "record_declaration"):
        around = around.parent
    keyword = next((child for child in node.children if child.type in ("this", "base")), None)
    if keyword is None or around is None:
        return
    if keyword.type == "this":
        yield keyword, text(around.child_by_field_name("name"))
    else:
        yield keyword, next(_bases(around, spell), "object")


def _created(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keyword of ``new(..)``, with an object of the type that is expected there."""
    yield node.children[0], _target(node, spell)


def _initialized(node: Node, spell: Spell) -> str:
    """Spell what an object initializer fills."""
    around = node.parent
    if around is not None and around.type == "assignment_expression":
        holder, left = around.parent, around.child_by_field_name("left")
        inner = holder is not None and holder.type == "initializer_expression"
        return then(_initialized(holder, spell), f".{text(left)}") if holder is not None and inner else UNKNOWN
    return spell(around) if around is not None and around.type in _CREATIONS else UNKNOWN


def _filled(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the members that an object initializer sets."""
    sets = [child for child in node.named_children if child.type == "assignment_expression"]
    keys = [child.child_by_field_name("left") for child in sets]
    named = [key for key in keys if key is not None and key.type == "identifier"]
    term = _initialized(node, spell) if named else UNKNOWN
    yield from ((key, term) for key in named)


def _changed(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the members that ``with`` gives other values."""
    term = spell(node.children[0])  # ``this`` has no name in the grammar
    for child in node.named_children:
        if child.type == "with_initializer" and child.named_children[0].type == "identifier":
            yield child.named_children[0], term


def _parenthesized(node: Node, spell: Spell) -> str:
    return spell(next((child for child in node.children[1:] if child.type != "comment"), None))


def _matched(node: Node, spell: Spell) -> str:
    """Spell what a pattern matches."""
    kind, around = node.child_by_field_name("type"), node.parent
    if kind is not None or around is None:
        return object_of(spell(kind))
    match around.type:
        case "is_pattern_expression":
            return spell(around.child_by_field_name("expression"))
        case "switch_section" if around.parent is not None and around.parent.parent is not None:
            return spell(around.parent.parent.child_by_field_name("value"))
        case "switch_expression_arm" if around.parent is not None:
            return spell(around.parent.named_children[0])
        case "subpattern" if around.parent is not None and around.parent.parent is not None:
            first = around.named_children[0]
            owner = _matched(around.parent.parent, spell)
            return then(owner, f".{text(first)}") if first.type == "identifier" else UNKNOWN
        case _:
            return UNKNOWN


def _properties(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the properties that a pattern looks at."""
    clause = next((child for child in node.named_children if child.type == "property_pattern_clause"), None)
    parts = clause.named_children if clause is not None else []
    names = [part.named_children[0] for part in parts if part.type == "subpattern" and part.named_child_count > 1]
    term = _matched(node, spell) if names else UNKNOWN
    yield from ((name, term) for name in names if name.type == "identifier")


def _pattern(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a name of a pattern that spells no type what it matches."""
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    if name is not None and kind is not None and kind.type == "implicit_type":
        kind = None
    if name is not None and kind is None:
        yield name, _matched_by(node, spell)


def _matched_by(node: Node, spell: Spell) -> str:
    """Spell what a ``var`` pattern matches: what stands where it stands."""
    around = node.parent
    if around is not None and around.type == "subpattern" and around.named_children[0].type == "identifier":
        holder = around.parent.parent if around.parent is not None else None
        return then(_matched(holder, spell), f".{text(around.named_children[0])}") if holder is not None else UNKNOWN
    return _matched(node, spell) if node.type == "recursive_pattern" else UNKNOWN


def _settings(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the properties that an attribute sets, whose class may be called by half of its name."""
    name = spell(node.child_by_field_name("name"))
    owner = either((name, f"{name}Attribute")) if name != UNKNOWN else UNKNOWN
    for listed in node.named_children[1:]:
        for argument in listed.named_children:
            key = argument.child_by_field_name("name")
            if key is not None and key.next_sibling is not None and key.next_sibling.type == "=":
                yield key, owner


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    listed = next((child for child in node.named_children if child.type == "base_list"), None)
    for base in listed.named_children if listed is not None else ():
        if base.type == "primary_constructor_base_type":
            yield spell(base.child_by_field_name("type"))
        elif base.type != "argument_list":
            yield spell(base)


def _generics(node: Node) -> Sequence[Node]:
    listed = next((child for child in node.named_children if child.type == "type_parameter_list"), None)
    return [name for child in listed.named_children for name in child.children_by_field_name("name")] if listed else ()


def _delegate(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a delegate is: a function."""
    parameters = node.child_by_field_name("parameters")
    taken = [spell(child.child_by_field_name("type")) for child in parameters.named_children] if parameters else []
    yield terms.applied(FUNCTION, [spell(node.child_by_field_name("type")), *taken])


def _takes(node: Node, spell: Spell) -> str:
    parameters = node.child_by_field_name("parameters")
    taken = [spell(child.child_by_field_name("type")) for child in parameters.named_children] if parameters else []
    return terms.applied(FUNCTION, [UNKNOWN, *taken])


def _amends(node: Node, spell: Spell) -> str:
    """Return the type that an extension method is called on: that of a parameter which says ``this``."""
    parameters = node.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    extends = first is not None and any(c.type == "modifier" and text(c) == "this" for c in first.named_children)
    return spell(first.child_by_field_name("type")) if first is not None and extends else ""


def _expected(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda that spells no types what its place expects of a function."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return
    names = [parameters]
    if parameters.type == "parameter_list":
        names = [n for child in parameters.named_children for n in child.children_by_field_name("name")]
    term = _place(node, spell)
    yield from ((name, then(term, f"%{i}")) for i, name in enumerate(names))


def _place(node: Node, spell: Spell) -> str:
    """Spell the function that is expected where a lambda stands."""
    around = node.parent
    if around is None:
        return UNKNOWN
    match around.type:
        case "argument" if around.parent is not None and around.parent.parent is not None:
            call, at = around.parent.parent, place(around)
            if call.type == "object_creation_expression" or at is None:
                return UNKNOWN
            return then(_called_with(spell(call.child_by_field_name("function")), call, spell, at), f"%{at}")
        case "variable_declarator" if around.parent is not None:
            return object_of(spell(_declared_type(around.parent)))
        case "assignment_expression":
            return spell(around.child_by_field_name("left"))
        case _:
            return UNKNOWN


def _given_there(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variable without a type, which is declared where an argument stands, what its place tells.

    Behind ``out`` that is what is expected there, in a tuple a part of what is taken apart.
    """
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    if name is None or kind is None or kind.type != "implicit_type":
        return
    around = node.parent.parent if node.parent is not None else None
    parted = around is not None and around.type == "tuple_expression"
    yield name, _parted_at(node.parent, spell) if parted else _place(node, spell)


def _parted_at(argument: Node | None, spell: Spell) -> str:
    """Spell the part that an element of a tuple takes, which stands where something is taken apart."""
    parts = argument.parent if argument is not None else None
    around = parts.parent if parts is not None else None
    at = place(argument) if argument is not None else None
    if around is None or at is None:
        return UNKNOWN
    match around.type:
        case "assignment_expression":
            whole = spell(around.child_by_field_name("right"))
        case "foreach_statement":
            whole = then(spell(around.child_by_field_name("right")), "*")
        case "argument":
            whole = _parted_at(around, spell)
        case _:
            return UNKNOWN
    return then(whole, f"#{at}")


def _enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a member belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


_AWAITED = frozenset({"ConfigureAwait", "GetAwaiter", "GetResult"})
"""Calls on what is awaited that give it, or its result."""

_PROJECTING = {"Select": "", "SelectMany": str(Op.Each)}
"""Methods that give what a function makes of each element, each with what is taken of that."""

_CREATIONS = frozenset({"object_creation_expression", "implicit_object_creation_expression"})
_ELEMENT = "!<this*>"
_SAME = "!<this,!<?,this*>>"
_CHOSEN = "!<this*,!<?,this*>>"
_TAKES_EACH = "!<?,!<?,this*>>"
_COLLECTIONS = {
    **dict.fromkeys("Pop Peek Dequeue ElementAt ElementAtOrDefault".split(), _ELEMENT),
    **dict.fromkeys("TryPop TryPeek TryDequeue TryTake".split(), "!<?,this*>"),
    **dict.fromkeys(("TryGetValue", "TryRemove"), "!<?,?,this[]>"),
    "GetValueOrDefault": "!<this[]>",
    "Key": "this#0",
    "Keys": f"{COLLECTION}<this#0>",
    "Values": f"{COLLECTION}<this#1>",
    "GetOrAdd": "!<this[],?,!<this[]>>",
    **dict.fromkeys(
        "First FirstOrDefault Last LastOrDefault Single SingleOrDefault Find FindLast MaxBy MinBy".split(), _CHOSEN
    ),
    **dict.fromkeys(
        (
            "Where OrderBy OrderByDescending ThenBy ThenByDescending SkipWhile TakeWhile FindAll DistinctBy Order"
            " OrderDescending"
        ).split(),
        _SAME,
    ),
    **dict.fromkeys(
        (
            "Skip Take SkipLast TakeLast Reverse Distinct Concat Union Except Intersect Append Prepend ToList ToArray"
            " ToHashSet AsEnumerable"
        ).split(),
        "!<this>",
    ),
    **dict.fromkeys(
        (
            "Select SelectMany Any All Count Sum Min Max Average ForEach GroupBy ToDictionary ToLookup Exists FindIndex"
            " RemoveAll TrueForAll"
        ).split(),
        _TAKES_EACH,
    ),
}
"""What the operators of queries give and take:
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1222-query-expressions."""

_TERMS: dict[str, Spelling] = {
    "alias_qualified_name": terms.same("name"),
    "array_creation_expression": _object("type"),
    "array_type": _array,
    "as_expression": _object("right"),
    "assignment_expression": terms.same("left"),
    "await_expression": terms.same(),
    "binary_expression": _binary,
    "cast_expression": _object("type"),
    "checked_expression": terms.same(),
    "conditional_access_expression": lambda node, spell: spell(node.named_children[-1]),
    "conditional_expression": terms.one_of("consequence", "alternative"),
    "default_expression": _object("type"),
    "element_access_expression": _element,
    "generic_name": _generic,
    "implicit_object_creation_expression": _target,
    "interpolated_string_expression": terms.named("string&"),
    "invocation_expression": _called,
    "member_access_expression": _accessed,
    "member_binding_expression": _bound_member,
    "nullable_type": terms.same("type"),
    "object_creation_expression": _object("type"),
    "parenthesized_expression": _parenthesized,
    "pointer_type": terms.same("type"),
    "postfix_unary_expression": terms.same(),
    "lambda_expression": _function,
    "predefined_type": lambda node, _spell: text(node),
    "qualified_name": _qualified,
    "query_expression": _queried,
    "raw_string_literal": terms.named("string&"),
    "ref_expression": terms.same(),
    "ref_type": terms.same("type"),
    "scoped_type": terms.same("type"),
    "string_literal": terms.named("string&"),
    "boolean_literal": terms.named("bool&"),
    "character_literal": terms.named("char&"),
    "integer_literal": _number,
    "real_literal": _number,
    "switch_expression": _switched,
    "tuple_type": _tuple,
    "typeof_expression": terms.named("Type&"),
    "verbatim_string_literal": terms.named("string&"),
    "with_expression": terms.same(),
}


def _interface(node: Node) -> str:
    """Return the last name of the interface for which alone a member is there."""
    specifier = next((child for child in node.named_children if child.type == "explicit_interface_specifier"), None)
    spelled = re.sub(r"<.*>", "", text(specifier)) if specifier is not None else ""
    return "".join(spelled.split()).removesuffix(".").rpartition(".")[2]


_METHOD = Defines(
    SymbolKind.Method,
    explicit=_interface,
    parameters=_parameter_names,
    type=lambda node: node.child_by_field_name("returns"),
    takes=_takes,
    amends=_amends,
    inner=_is_static,
)
_FIELDS = Defines(_field_kind, name=_variables, body=fields(), type=_declared_type, made=_given, inner=_is_static)
_TYPED = (
    "parameter parameter_list variable_declaration property_declaration indexer_declaration event_declaration"
    " delegate_declaration cast_expression declaration_pattern recursive_pattern type_pattern constant_pattern"
    " nullable_type array_type ref_type foreach_statement catch_declaration declaration_expression"
    " local_function_statement operator_declaration conversion_operator_declaration typeof_expression"
    " default_expression primary_constructor_base_type"
).split()

# --- What the index does without

_HOLE = rb"\{(?>(?:[^{}\"'/\n]++|\"[^\"\\{}\n]*+\"|'[^'\\{}\n]*+')*)\}"
_INERT = (
    rb"\"(?:(?<=\$@\")(?>(?:[^\"{}]++|\"\"|\{\{|\}\}|" + _HOLE + rb")*)\"(?!\")"
    rb"|(?<=@\$\")(?>(?:[^\"{}]++|\"\"|\{\{|\}\}|" + _HOLE + rb")*)\"(?!\")"
    rb"|(?<=@\")[^\"]*+(?>(?:\"\"[^\"]*+)*)\""
    rb"|(?<=\$\")(?!\"\")(?>(?:[^\"\\{}\n]++|\\.|\{\{|\}\}|" + _HOLE + rb")*)\""
    rb"|(?<![$@]\")\"\"(?!\")[^\"]*+(?>(?:\"\"?+(?!\")[^\"]*+)*)\"\"\"(?!\")"
    rb"|(?<![$@]\")(?!\"\")[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\")"
    rb"|'(?:[^'\\\n]|\\.)[^'\\\n]*+'|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))"
    rb"|\#(?![ \t]*+(?:if|el|end))[^\n]*+"
)
"""A string, of one that holds expressions only where its end is sure; a character, a comment, a slash that begins none,
a directive that is no condition."""

_ARGUMENTS = blanking.nested(rb"<", rb"[^<>{};=\"'/\n]++", rb">")
_WORD = (
    rb"(?!(?:class|struct|record|interface|enum|namespace)\b)[\w.@\x80-\xff]++(?>(?:" + _ARGUMENTS + rb")?)\??+"
    rb"(?>(?:\[,*+\]\??+)*)[ \t]++"
)
_HEAD = (
    rb"[ \t]*+(?>(?:\[[^\[\]{}\"'/\n]*+\][ \t]*+)*)(?:" + _WORD + rb")+"
    rb"(?:operator\b[ \t]*+[^\w\s(){};\"'/]{1,3}+|[\w.@\x80-\xff]++(?>(?:" + _ARGUMENTS + rb")?))[ \t]*+\("
)
"""A line that begins with a type or modifier, the name and the parenthesis of a method: a type has other words."""

_LIST = rb"(?>(?:[^(){}\"'/]++|\((?>(?:[^(){}\"'/]++|\([^(){}\"'/]*+\))*)\)|" + _INERT + rb")*)\)"
_NEXT_BODY = (
    rb"(?>(?:[^\n\"'/#]++|" + _INERT + rb"|#[^\n]*+|\n(?!" + _HEAD + rb"))*)\n"
    rb"(?>(?:" + _HEAD + _LIST + rb"\s*+(?>(?::\s*+(?:base|this)\s*+\(" + _LIST + rb"\s*+)?)"
    rb"(?>(?:where\b[^{};=\"'/]*+)?)"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/#") + rb"))?)"
)
_GENERIC = blanking.nested(rb"<", rb"[^<>{};=]++", rb">")
_PART = rb"(?>(?:[^\s(){};=<]++|" + _GENERIC + rb"|" + blanking.nested(rb"\(", rb"[^(){};=]++", rb"\)") + rb")+)"
_LOCAL = (
    rb"[;{}\n\]][ \t\r]*+(?>(?:(?:static|async|unsafe|extern|ref|readonly)\s++)*)(?!(?:await|case|catch|checked|do|else"
    rb"|fixed|for|foreach|goto|if|lock|new|return|switch|throw|try|unchecked|using|while|yield)\b)(?=[\w@(\x80-\xff])"
    rb"(?:(?:%(part)s\s++){1,40}[\w@\x80-\xff]++\s*+(?>(?:%(generic)s\s*+)?)\(|(?:%(part)s\s*+){0,40}<(?:[^<{};=]*+<){6}|(?:%(part)s\s++){40})"
    % {b"part": _PART, b"generic": _GENERIC}
)
"""Parts of a type and a name before a parenthesis, or more than any type has."""


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a function may be in a body: a type and a name before a parenthesis; nothing else is a symbol."""
    body = found["body"]
    if b"//" in body or b"/*" in body:
        body = blanking.compiled(_INERT).sub(b" ", body)
    return blanking.compiled(_LOCAL).search(body) is not None


def _bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of methods and constructors without local functions."""
    return blanking.bodies(content, _NEXT_BODY, _defines)


_KEYWORDS = frozenset(
    (
        "abstract as base bool break byte case catch char checked class const continue decimal default delegate do "
        "double else enum event explicit extern false finally fixed float for foreach goto if implicit in int "
        "interface internal is lock long namespace new null object operator out override params private protected "
        "public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true "
        "try typeof uint ulong unchecked unsafe ushort using virtual void volatile while"
    ).split()
)

_BUILTIN_TYPES = frozenset(
    "bool byte char decimal double float int long object sbyte short string uint ulong ushort void".split()
)

LANGUAGE = Language(
    name="csharp",
    extensions=(".cs", ".csx"),
    grammar=("tree_sitter_c_sharp", "language"),
    definitions={
        "namespace_declaration": Defines(SymbolKind.Namespace, spell=_dotted),
        "file_scoped_namespace_declaration": Defines(SymbolKind.Namespace, spell=_dotted, body=fields(), rest=True),
        "class_declaration": Defines(SymbolKind.Class, bases=_bases, generics=_generics),
        "struct_declaration": Defines(SymbolKind.Struct, bases=_bases, generics=_generics),
        "interface_declaration": Defines(SymbolKind.Interface, bases=_bases, generics=_generics),
        "record_declaration": Defines(_record_kind, head=_primary_parameters, bases=_bases, generics=_generics),
        "parameter": Defines(SymbolKind.Property, body=fields(), type=_declared_type),
        "enum_declaration": Defines(SymbolKind.Enum),
        "enum_member_declaration": Defines(SymbolKind.EnumMember, body=fields(), type=_enumeration),
        "field_declaration": _FIELDS,
        "event_field_declaration": Defines(SymbolKind.Event, name=_variables, body=fields(), type=_declared_type),
        "event_declaration": Defines(
            SymbolKind.Event, body=fields("accessors"), type=_declared_type, explicit=_interface
        ),
        "property_declaration": Defines(
            SymbolKind.Property, body=_body, type=_declared_type, inner=_is_static, explicit=_interface
        ),
        "indexer_declaration": Defines(
            SymbolKind.Property, name=_token("this"), body=_body, type=_declared_type, explicit=_interface
        ),
        "delegate_declaration": Defines(
            SymbolKind.Class, body=fields(), parameters=_parameter_names, bases=_delegate, generics=_generics
        ),
        "constructor_declaration": Defines(SymbolKind.Constructor, parameters=_parameter_names),
        "destructor_declaration": Defines(
            SymbolKind.Method, parameters=_parameter_names, spell=lambda name: f"~{text(name)}"
        ),
        "operator_declaration": Defines(
            SymbolKind.Operator,
            name=_operator,
            parameters=_parameter_names,
            spell=lambda name: f"operator{text(name)}",
        ),
        "conversion_operator_declaration": Defines(
            SymbolKind.Operator,
            name=fields("type"),
            parameters=_parameter_names,
            spell=lambda name: f"operator {_dotted(name)}",
        ),
        "method_declaration": _METHOD,
        "local_function_statement": Defines(
            SymbolKind.Function, parameters=_parameter_names, type=_declared_type, takes=_takes
        ),
    },
    through=frozenset("preproc_if preproc_elif preproc_else global_statement declaration_list ERROR".split()),
    decorations=frozenset({"attribute_list"}),
    module=no_module,
    directive=re.compile(rb"^[ \t]*#[ \t]*(?:if|elif|else|endif)\b", re.MULTILINE),
    selected=csharp_source.selected,
    lexis=lexing.CSHARP,
    keywords=_KEYWORDS,
    reach=reach.private,
    bodies=_bodies,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "implicit_parameter"}),
        scopes={
            "namespace_declaration": ScopeKind.Namespace,
            "class_declaration": ScopeKind.Class,
            "struct_declaration": ScopeKind.Class,
            "interface_declaration": ScopeKind.Class,
            "record_declaration": ScopeKind.Class,
            "enum_declaration": ScopeKind.Class,
            "method_declaration": ScopeKind.Function,
            "constructor_declaration": ScopeKind.Function,
            "destructor_declaration": ScopeKind.Function,
            "operator_declaration": ScopeKind.Function,
            "conversion_operator_declaration": ScopeKind.Function,
            "local_function_statement": ScopeKind.Function,
            "indexer_declaration": ScopeKind.Function,
            "accessor_declaration": ScopeKind.Function,
            "lambda_expression": ScopeKind.Function,
            "anonymous_method_expression": ScopeKind.Function,
            "delegate_declaration": ScopeKind.Block,
            "block": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "foreach_statement": ScopeKind.Block,
            "using_statement": ScopeKind.Block,
            "fixed_statement": ScopeKind.Block,
            "catch_clause": ScopeKind.Block,
            "switch_body": ScopeKind.Block,
            "switch_expression_arm": ScopeKind.Block,
            "query_expression": ScopeKind.Block,
            "tuple_type": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(fields("name"), type=_declared_type),
            "parameter_list": Binds(fields("name"), type=_declared_type),
            "lambda_expression": Binds(fields("parameters"), made=_expected),
            "accessor_declaration": Binds(_written, type=_property_type),
            "variable_declaration": Binds(_variables, type=_declared_type, made=_given),
            "foreach_statement": Binds(fields("left"), type=_declared_type, made=_each),
            "catch_declaration": Binds(fields("name"), type=_declared_type),
            "declaration_pattern": Binds(fields("name"), type=_declared_type, made=_pattern),
            "recursive_pattern": Binds(fields("name"), type=_declared_type, made=_pattern),
            "var_pattern": Binds(fields("name"), made=_pattern),
            "declaration_expression": Binds(_declared_name, type=_declared_type, made=_given_there, reads=_operands),
            "tuple_element": Binds(fields("name"), type=_declared_type, reads=fields("name")),
            "tuple_pattern": Binds(fields("name")),
            "from_clause": Binds(fields("name"), type=_declared_type, made=_ranged),
            "let_clause": Binds(lambda node: node.named_children[:1], made=_let),
            "join_clause": Binds(lambda node: node.named_children[:1], made=_ranged),
            "join_into_clause": Binds(lambda node: node.named_children[:1]),
            "query_expression": Binds(_continued),
            "type_parameter": Binds(fields("name"), made=_bound, types=True),
        },
        members={
            "member_access_expression": ("expression", "name"),
            "qualified_name": ("qualifier", "name"),
            "member_binding_expression": _member_binding,
        },
        roles={
            ("invocation_expression", "function"): Role.Call,
            ("object_creation_expression", "type"): Role.Call,
            ("base_list", ""): Role.Inherit,
            ("argument_list", ""): Role.Read,
            ("type_argument_list", ""): Role.Type,
            ("attribute", "name"): Role.Decorator,
            ("attribute_argument_list", ""): Role.Read,
            ("assignment_expression", "left"): Role.Write,
            ("assignment_expression", "right"): Role.Read,
            ("method_declaration", "returns"): Role.Type,
            ("explicit_interface_specifier", ""): Role.Type,
            ("type_parameter_constraint", "type"): Role.Type,
            ("is_expression", "right"): Role.Type,
            ("as_expression", "right"): Role.Type,
            **{(kind, "type"): Role.Type for kind in _TYPED},
        },
        imports={"using_directive": _using},
        locate=_locate,
        siblings=_siblings,
        spaced=True,
        types_apart=True,
        constructs={"constructor_initializer": _delegated, "implicit_object_creation_expression": _created},
        constructor_keywords=frozenset({"this", "base", "new"}),
        same_named=frozenset({"object_creation_expression", "constant_pattern"}),
        scattered=True,
        closed=True,
        conditions=c_conditions.conditions,
        conditional_types=True,
        anonymous_keys=True,
        declares_everything=True,
        builtin_types=_BUILTIN_TYPES,
        function_types=frozenset({"Action", "Comparison", "Converter", "EventHandler", "Func", "Predicate"}),
        keeps_imports=True,
        imports_members=True,
        this=frozenset({"this"}),
        above=frozenset({"base"}),
        wrappers=frozenset({"Nullable", "Task", "ValueTask"}),
        unwraps=frozenset({"Result", "Value"}),
        paired=frozenset(
            {
                "Dictionary",
                "IDictionary",
                "IReadOnlyDictionary",
                "SortedDictionary",
                "ConcurrentDictionary",
                "SortedList",
            }
        ),
        terms=_TERMS,
        explicit=True,
        parts="this.Deconstruct%{0}",
        fills={
            "anonymous_object_creation_expression": _anonymous,
            "attribute": _settings,
            "initializer_expression": _filled,
            "recursive_pattern": _properties,
            "with_expression": _changed,
        },
        collections=_COLLECTIONS,
        amended=True,
        by_arity=True,
        added_by_call=True,
        added_by_space=True,
        endings={Role.Decorator: "Attribute"},
        keys=frozenset({("argument", "name"), ("attribute_argument", "name"), ("subpattern", "")}),
        implied=frozenset({"value"}),
        arguments={"argument": lambda node: node.child_by_field_name("name")},
        generic=frozenset({"generic_name"}),
        opaque=frozenset({"element_access_expression", "invocation_expression"}),
    ),
)
