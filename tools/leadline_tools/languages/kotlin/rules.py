"""Kotlin: https://kotlinlang.org/spec/kotlin-spec.html."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing, reach, terms
from leadline_tools.languages.branches import (
    Branches,
    Connective,
    Decision,
    behind,
    connected,
    deciding,
    fallen,
    negated,
    span,
)
from leadline_tools.languages.kotlin import labels as kotlin_labels
from leadline_tools.languages.language import (
    PACKAGE,
    Binds,
    Defines,
    ImplicitCall,
    Imported,
    Labels,
    Language,
    Nodes,
    Paths,
    ScopeKind,
    Scoping,
    Written,
    fields,
    module_of_folder,
    place,
    text,
)
from leadline_tools.languages.terms import BARE, FUNCTION, UNKNOWN, Op, Spell, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_SOURCES = (".kt", ".java")
_TYPES = ("user_type", "nullable_type", "function_type", "parenthesized_type")
_BEFORE_RECEIVER = frozenset("modifiers type_parameters line_comment block_comment".split())
_BESIDE_VALUES = frozenset(
    "label modifiers type_parameters type_constraints variable_declaration multi_variable_declaration line_comment"
    " block_comment".split()
)


def _of(*types: str) -> Nodes:
    """Return a function that gives the named children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.named_children if child.type in types]

    return children


def _has(node: Node, *tokens: str) -> bool:
    return any(child.type in tokens for child in node.children)


def _first(node: Node) -> Sequence[Node]:
    return _of("identifier")(node)[:1]


def _modified(node: Node, modifier: str) -> bool:
    return any(text(child) == modifier for modifiers in _of("modifiers")(node) for child in modifiers.named_children)


def _class_kind(node: Node) -> SymbolKind:
    if _has(node, "interface"):
        return SymbolKind.Interface
    return SymbolKind.Enum if _modified(node, "enum") else SymbolKind.Class


def _bodiless(node: Node) -> Sequence[Node]:
    """Return the name in ``annotation class Name`` before the end of a line, which the grammar takes for an infix call.

    No function can be called ``class``.
    """
    names = _of("identifier")(node)
    return names[2:] if len(names) == 3 and text(names[1]) == "class" else ()


def _class_parameters(node: Node) -> Sequence[Node]:
    return [inner for child in _of("primary_constructor")(node) for inner in _of("class_parameters")(child)]


def _class_parameter_kind(node: Node) -> SymbolKind | None:
    """Tell the parameters of a constructor that are properties from those that are not."""
    return SymbolKind.Property if _has(node, "val", "var") else None


def _property_names(node: Node) -> Sequence[Node]:
    declarations = [*_of("variable_declaration")(node)]
    for several in _of("multi_variable_declaration")(node):
        declarations.extend(_of("variable_declaration")(several))
    return [name for declaration in declarations for name in _first(declaration)]


def _property_kind(node: Node) -> SymbolKind:
    """Return what a declaration outside of a class makes: a value, or a member of the type before its name."""
    if any(child.type in _TYPES for child in node.named_children):
        return SymbolKind.Property
    return SymbolKind.Constant if _has(node, "val") else SymbolKind.Variable


def _property_type(node: Node) -> Node | None:
    return next((_type(declaration) for declaration in _of("variable_declaration")(node)), None)


def _type(node: Node) -> Node | None:
    """Return the declared type."""
    return next(iter(_of(*_TYPES)(node)), None)


def _parameter_type(node: Node) -> Node | None:
    """Return the type of a parameter; that of a variadic one is that of its elements."""
    return None if _is_variadic(node) else _type(node)


def _is_variadic(node: Node) -> bool:
    before = node.prev_named_sibling
    return _modified(node, "vararg") or (
        before is not None and before.type == "parameter_modifiers" and "vararg" in text(before).split()
    )


def _result(node: Node) -> Node | None:
    """Return the type of what a function returns, which stands behind its parameters; its receiver stands before."""
    behind = False
    for child in node.named_children:
        if behind and child.type in _TYPES:
            return child
        behind = behind or child.type == "function_value_parameters"
    return None


def _amends(node: Node, spell: Spell) -> str:
    """Return the type that an extension is a member of: the one before its name."""
    first = next((child for child in node.named_children if child.type not in _BEFORE_RECEIVER), None)
    return spell(first) if first is not None and first.type in _TYPES else ""


def _parameters(node: Node) -> Sequence[Node]:
    """Return the names of the parameters; modifiers stand beside them, not in them."""
    parameters = [child for around in _of("function_value_parameters")(node) for child in _of("parameter")(around)]
    return [name for parameter in parameters for name in _first(parameter)]


def _constructor(node: Node) -> Sequence[Node]:
    return [child for child in node.children if child.type == "constructor"]


def _navigation(node: Node) -> Sequence[Node | None]:
    """Return the object and the member of ``a.b``, ``a?.b`` and ``a::b``."""
    owner, *rest = node.named_children or (None,)
    member = rest[-1] if rest and rest[-1].type == "identifier" else None
    return owner, member


def _named_argument(node: Node) -> Sequence[Node | None]:
    """Return the name of an argument as a member of what is called, which nobody knows here."""
    return (None, *_first(node)) if _has(node, "=") else (None,)


# --- What types and values are spelled like


def _user_type(node: Node, spell: Spell) -> str:
    """Spell a type, each of whose names may have arguments."""
    term = BARE
    for child in node.named_children:
        if child.type == "identifier":
            term = then(term, f".{text(child)}") if term else text(child)
        elif child.type == "type_arguments":
            term = terms.applied(term, [spell(argument) for argument in child.named_children])
    return term or UNKNOWN


def _projection(node: Node, spell: Spell) -> str:
    """Spell a type argument; what is projected is its bound, and ``*`` is not known."""
    return spell(_type(node))


def _function_type(node: Node, spell: Spell) -> str:
    parameters = [child for around in _of("function_type_parameters")(node) for child in around.named_children]
    taken = [spell(_type(one) if one.type == "parameter" else one) for one in parameters]
    return terms.applied(FUNCTION, [spell(node.named_children[-1]), *taken])


_SCOPE_FUNCTIONS = frozenset({"apply", "run"})
"""Those whose lambda sees the members of the object bare, besides ``with``:
https://kotlinlang.org/docs/scope-functions.html."""

_GIVING = frozenset({"also", "let", "takeIf", "takeUnless"})
"""Those whose lambda takes the object."""

_PROJECTING = {"map": "", "mapNotNull": "", "flatMap": str(Op.Each)}
"""Those of collections that give what a function makes of each element, each with what is taken of that."""

_RETURNING = frozenset({"apply", "also", "takeIf", "takeUnless"})
"""Those that give the object back."""

_WITHOUT_IT = frozenset(
    (
        "apply async buildList buildMap buildString coroutineScope launch lazy measureTimeMillis run runBlocking"
        " runCatching runTest supervisorScope synchronized with withContext"
    ).split()
)
"""Functions of the library whose lambda takes nothing: ``it`` is that of a lambda around it."""


def _called(node: Node, spell: Spell) -> str:
    """Spell a call, type arguments included: they tell of what a collection from outside is made."""
    with_lambda = _of("annotated_lambda")(node)
    if with_lambda and _function(node) != node.named_children[0]:
        return spell(node.named_children[0])  # a call with arguments in parentheses too, which is one
    called = node.named_children[0]
    term = spell(called)
    name = text(called.named_children[-1]) if called.type == "navigation_expression" and called.named_children else ""
    owner = terms.owner(term, name) if name else UNKNOWN
    listed = _of("type_arguments")(node)
    for arguments in listed:
        term = terms.applied(term, [spell(argument) for argument in arguments.named_children])
    if not listed and term in _FACTORIES:
        term = terms.applied(term, _elements_of(node, spell, term))
    if with_lambda and name == "let":
        return _projected(with_lambda[-1], owner, spell)
    if with_lambda and name in _PROJECTING:
        given = then(_projected(with_lambda[-1], then(owner, Op.Each), spell), f"{_PROJECTING[name]}{Op.Itself}")
        return then(term, f"<{given}>()" if given != UNKNOWN else "()")
    if name in _RETURNING if with_lambda else name == "copy":
        return either((then(term, "()"), owner))
    if name == "valueOf":
        return either((then(term, "()"), object_of(owner)))
    return then(term if listed else terms.given(term, _arguments(node, spell)), "()")


def _arguments(call: Node, spell: Spell, but: int = -1) -> Iterator[str]:
    """Spell what a call is given ``but`` for one, the lambda behind it too."""
    around = call.parent
    outer = around if around is not None and around.type == "call_expression" and _function(around) != call else None
    inner = call.named_children[0]
    listed = _of("value_arguments")(call) or (_of("value_arguments")(inner) if inner.type == "call_expression" else ())
    for at, one in enumerate(one for arguments in listed for one in _of("value_argument")(arguments)):
        yield spell(one.named_children[-1]) if at != but and one.named_children else UNKNOWN
    lambdas = _of("annotated_lambda")(call) or (_of("annotated_lambda")(outer) if outer is not None else ())
    if but != terms.LAST:
        yield from (_function_of(one, spell) for one in lambdas)


def _function_of(around: Node, spell: Spell) -> str:
    """Spell a lambda by what it gives, where that does not depend on what it takes."""
    result = then(_projected(around, UNKNOWN, spell), Op.Itself)
    return object_of(terms.applied(FUNCTION, [result])) if result != UNKNOWN else UNKNOWN


def _projected(around: Node, element: str, spell: Spell) -> str:
    """Spell what a lambda of one expression makes of an element; ``around`` is the lambda with its label."""
    for function in _of("lambda_literal")(around):
        parameters = _lambda_parameters(function)
        body = [child for child in function.named_children if child.type not in ("lambda_parameters", "line_comment")]
        if len(body) != 1 or len(parameters) > 1:
            return UNKNOWN
        names = [name for parameter in parameters for name in _parted(parameter)]
        whole = not parameters or parameters[0].type == "variable_declaration"
        given = {text(name): element if whole else then(element, f"#{at}") for at, name in enumerate(names)}
        return terms.put(spell(body[0]), given or {"it": element})
    return UNKNOWN


def _elements_of(node: Node, spell: Spell, factory: str) -> Sequence[str]:
    """Return the types of what a collection is made of: of pairs those of the keys and of the values."""
    given = [one.named_children[-1] for around in _of("value_arguments")(node) for one in _of("value_argument")(around)]
    if factory in _TUPLES:
        return [then(spell(one), Op.Itself) for one in given]
    if factory not in _PAIRED:
        return [either(then(spell(one), Op.Itself) for one in given)]
    pairs = [one.named_children for one in given if one.type == "infix_expression" and one.named_child_count > 2]
    return [either(then(spell(pair[at]), Op.Itself) for pair in pairs) for at in (0, -1)]


def _this(node: Node, _spell: Spell) -> str:
    """Spell ``this``; with a label it is an object of the class around that is called so."""
    return object_of(text(_first(node)[0])) if _first(node) else "this"


def _above(node: Node, spell: Spell) -> str:
    """Spell ``super``; it may name the type that is meant."""
    return object_of(spell(node.named_children[0])) if node.named_children else "super"


def _cast(node: Node, spell: Spell) -> str:
    return object_of(spell(node.child_by_field_name("right")))


def _elvis(node: Node, spell: Spell) -> str:
    """Spell ``a ?: b``, and what the functions give that other operators call."""
    sign = text(node.child_by_field_name("operator"))
    if sign != "?:":
        return then(spell(node.child_by_field_name("left")), f".{_BINARY[sign]}()") if sign in _BINARY else UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _unary(node: Node, spell: Spell) -> str:
    """Spell ``a!!``, and the ``a`` of ``!a.b``, to which the grammar binds the sign closer than the member."""
    around, sign = node.parent, text(node.child_by_field_name("operator"))
    inside = around is not None and around.type in _POSTFIX and around.start_byte == node.start_byte
    return spell(node.child_by_field_name("argument")) if sign == "!!" or inside else UNKNOWN


_POSTFIX = frozenset({"call_expression", "index_expression", "navigation_expression"})


def _infix(node: Node, spell: Spell) -> str:
    """Spell ``a to b`` as a pair; of another function between what it takes what it gives."""
    parts = node.named_children
    if len(parts) != len(("a", "to", "b")):
        return UNKNOWN
    if text(parts[1]) != "to":
        return then(spell(parts[0]), f".{text(parts[1])}()")
    return object_of(terms.applied("Pair", [then(spell(part), Op.Itself) for part in (parts[0], parts[2])]))


def _branches(node: Node, spell: Spell) -> str:
    """Spell a condition with its branches as any of them."""
    condition = node.child_by_field_name("condition")
    return either(_last(child, spell) for child in node.named_children if child != condition)


def _entries(node: Node, spell: Spell) -> str:
    return either(_last(entry.named_children[-1], spell) for entry in _of("when_entry")(node) if entry.named_children)


def _tried(node: Node, spell: Spell) -> str:
    """Spell ``try`` as what its block or one that catches gives."""
    blocks = [*_of("block")(node), *(inner for caught in _of("catch_block")(node) for inner in _of("block")(caught))]
    return either(_last(block, spell) for block in blocks)


def _last(node: Node, spell: Spell) -> str:
    """Spell the value of a block, which is its last one, or of what is none."""
    if node.type in ("block", "lambda_literal"):
        return spell(node.named_children[-1]) if node.named_children else UNKNOWN
    return spell(node)


def _anonymous(node: Node, spell: Spell) -> str:
    return either(object_of(base) for base in _bases(node, spell))


def _declared_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variable, declared alone or among several, what it is given: a value, or an element in a loop."""
    around, step = node.parent, ""
    if around is not None and around.type == "multi_variable_declaration":
        step = f"#{_of('variable_declaration')(around).index(node)}"
        around = around.parent
    if around is None or around.type not in ("property_declaration", "for_statement", "when_subject"):
        return
    term = _value(around, spell)
    for name in _first(node):
        yield name, then(term, step) if step else term


def _property_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    for declaration in _declarations(node):
        yield from _declared_value(declaration, spell)


def _declarations(node: Node) -> Sequence[Node]:
    """Return the variables of a declaration, alone or in parentheses."""
    several = _of("multi_variable_declaration")(node)
    return [*_of("variable_declaration")(node), *(one for each in several for one in _of("variable_declaration")(each))]


def _variables(node: Node) -> Sequence[Node]:
    return [name for declaration in _declarations(node) for name in _first(declaration)]


def _variable_type(node: Node) -> Node | None:
    declarations = _declarations(node)
    return _type(declarations[0]) if len(declarations) == 1 else None


def _value(node: Node, spell: Spell) -> str:
    """Spell what a declaration gives its variables: behind ``=``, ``by lazy`` or ``get() =``; in a loop an element."""
    if node.type == "for_statement":
        return then(spell(next((c for c in node.named_children if c.type not in _BESIDE_VALUES), None)), "*")
    if node.type == "when_subject":
        return spell(node.named_children[-1])
    equals = False
    for child in node.children:
        if equals and child.is_named:
            return spell(child)
        equals = equals or child.type == "="
        if child.type == "property_delegate":
            return _lazy(child, spell)
        if child.type == "getter":
            return either(spell(body.named_children[0]) for body in _expressions(child))
    return UNKNOWN


def _lazy(node: Node, spell: Spell) -> str:
    """Spell what a property is delegated to ``lazy`` for."""
    call = node.named_children[0] if node.named_children else None
    if call is None or call.type != "call_expression" or text(call.named_children[0]) != "lazy":
        return UNKNOWN
    bodies = [body for last in _of("annotated_lambda")(call) for body in _of("lambda_literal")(last)]
    return either(_last(body, spell) for body in bodies)


def _expressions(node: Node) -> Sequence[Node]:
    """Return the body of a function where it is an expression."""
    return [b for b in _of("function_body")(node) if b.named_children and b.named_children[0].type != "block"]


def _returned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a function whose body is an expression the value of that."""
    for name in node.children_by_field_name("name"):
        yield name, either(spell(body.named_children[0]) for body in _expressions(node))


def _elements(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variadic parameter an array of what is declared."""
    if _is_variadic(node):
        array = object_of(terms.applied("Array", [spell(_type(node))]))
        yield from ((name, array) for name in _first(node))


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    for around in _of("delegation_specifiers")(node):
        for specifier in around.named_children:
            inner = specifier.named_children[0] if specifier.named_children else None
            if inner is not None and inner.type in ("constructor_invocation", "explicit_delegation"):
                inner = _type(inner)
            yield spell(inner)


def _takes(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes."""
    parameters = [child for around in _of("function_value_parameters")(node) for child in _of("parameter")(around)]
    return terms.applied(FUNCTION, [UNKNOWN, *(spell(_parameter_type(one)) for one in parameters)])


def _head_takes(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what the head of a class does."""
    parameters = [one for around in _class_parameters(node) for one in _of("class_parameter")(around)]
    return terms.applied(FUNCTION, [UNKNOWN, *(spell(_parameter_type(one)) for one in parameters)])


def _lambda_names(node: Node) -> Sequence[Node]:
    """Return the names of what a lambda takes: the first ``it`` where it says none."""
    if _of("lambda_parameters")(node):
        return [name for parameter in _lambda_parameters(node) for name in _parted(parameter)]
    return _first_it(node) if _has_it(node) else ()


def _has_it(node: Node) -> bool:
    """Tell whether ``it`` in a lambda is what that takes."""
    around = node.parent
    call = around.parent if around is not None and around.type == "annotated_lambda" else None
    return not _of("lambda_parameters")(node) and (call is None or _called_name(call) not in _WITHOUT_IT)


def _lambda_parameters(node: Node) -> Sequence[Node]:
    return [child for around in _of("lambda_parameters")(node) for child in around.named_children]


def _parted(parameter: Node) -> Sequence[Node]:
    """Return the names of a parameter, which may be taken apart."""
    declarations = [parameter] if parameter.type == "variable_declaration" else _of("variable_declaration")(parameter)
    return [name for declaration in declarations for name in _first(declaration)]


def _first_it(node: Node) -> Sequence[Node]:
    """Return the first ``it`` in a lambda that is not of another one inside."""
    waiting = list(reversed(node.named_children)) if b"it" in (node.text or b"") else []
    while waiting:
        inner = waiting.pop()
        if inner.type == "identifier" and inner.text == b"it":
            return (inner,)
        if inner.type != "lambda_literal" or not _has_it(inner):
            waiting += reversed(inner.named_children)
    return ()


def _lambda_values(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a lambda takes the types that its place expects."""
    first, term = _expected(node, spell)
    parameters = _lambda_parameters(node)
    for number, parameter in enumerate(parameters):
        whole = first if not number and first != UNKNOWN else then(term, f"%{number}")
        names = _parted(parameter)
        if parameter.type == "variable_declaration":
            yield from ((name, whole) for name in names)
        else:
            yield from ((name, then(whole, f"#{place}")) for place, name in enumerate(names))
    for name in _lambda_names(node) if not parameters else ():
        yield name, first if first != UNKNOWN else then(term, "%0")


def _expected(node: Node, spell: Spell) -> tuple[str, str]:
    """Spell the first thing that a lambda takes, where its place tells no more, and the function expected there."""
    around = node.parent
    if around is None:
        return UNKNOWN, UNKNOWN
    call = around.parent
    if around.type == "annotated_lambda" and call is not None and call.type == "call_expression":
        function = _function(call)
        owner, *members = function.named_children if function.type == "navigation_expression" else (function,)
        taken = then(terms.given(spell(function), _arguments(call, spell, terms.LAST)), f"%{terms.LAST}")
        if members and text(members[-1]) in _GIVING:
            return spell(owner), UNKNOWN
        return either((then(taken, "%0"), spell(owner))) if members and text(members[-1]) == "use" else UNKNOWN, taken
    if around.type == "value_argument" and call is not None and call.parent is not None:
        return UNKNOWN, _taken_at(call.parent, around, spell)
    if around.type == "property_declaration":
        return UNKNOWN, object_of(spell(_property_type(around)))
    return UNKNOWN, UNKNOWN


def _taken_at(call: Node, argument: Node, spell: Spell) -> str:
    """Spell what a call takes in the place of an argument."""
    at = place(argument)
    if at is None or _has(argument, "=") or call.type != "call_expression":
        return UNKNOWN
    return then(terms.given(spell(call.named_children[0]), _arguments(call, spell, at)), f"%{at}")


def _function(call: Node) -> Node:
    """Return what is called with a lambda behind its arguments."""
    called = call.named_children[0]
    return called.named_children[0] if called.type == "call_expression" and _of("value_arguments")(called) else called


def _called_name(call: Node) -> str:
    """Return the last name of what is called with a lambda; empty for none."""
    if call.type != "call_expression":
        return ""
    function = _function(call)
    return text(function.named_children[-1] if function.type == "navigation_expression" else function)


def _scoped(node: Node) -> Node | None:
    """Return the object whose members a lambda sees without a receiver, as that of a scope function does.

    ``node`` is the lambda with what stands before it.
    """
    call = node.parent
    if call is None or call.type != "call_expression":
        return None
    called = call.named_children[0]
    if called.type == "call_expression" and text(called.named_children[0]) == "with":
        given = [value for around in _of("value_arguments")(called) for value in _of("value_argument")(around)]
        return given[0].named_children[-1] if len(given) == 1 else None
    owner, *members = called.named_children if called.type == "navigation_expression" else (called,)
    return owner if members and text(members[-1]) in _SCOPE_FUNCTIONS else None


def _lambda_kind(node: Node) -> ScopeKind:
    """Tell the scope of a lambda: it is like the body of a class of the object that it is for, if there is one."""
    return ScopeKind.Block if _scoped(node) is None else ScopeKind.Class


def _lambda_bases(node: Node, spell: Spell) -> Iterator[str]:
    yield then(spell(_scoped(node)), Op.Itself)


def _generics(node: Node) -> Sequence[Node]:
    listed = [parameter for around in _of("type_parameters")(node) for parameter in _of("type_parameter")(around)]
    return [name for parameter in listed for name in _first(parameter)]


def _bound(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it extends."""
    yield from ((name, object_of(spell(_type(node)))) for name in _first(node))


def _enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a constant belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def _constant_type(node: Node) -> Node | None:
    """Return what a constant is an object of; one with a body is a type of its own."""
    return None if _of("class_body")(node) else _enumeration(node)


def _constant_bases(node: Node, spell: Spell) -> Iterator[str]:
    if _of("class_body")(node):
        yield spell(_enumeration(node))


def _is(node: Node, spell: Spell, word: str = "is") -> Iterator[tuple[str, str]]:
    """Yield what ``a is Type`` tells of a name or a property."""
    left = node.child_by_field_name("left")
    if left is not None and left.type in _NARROWED and any(child.type == word for child in node.children):
        yield text(left), object_of(spell(node.child_by_field_name("right")))


def _tested(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what an ``is Type`` of a ``when`` tells of its subject."""
    around = node.parent.parent if node.parent is not None else None
    for subject in _of("when_subject")(around) if around is not None else ():
        declared = [name for variable in _of("variable_declaration")(subject) for name in _first(variable)]
        for name in declared or subject.named_children[:1]:
            if name.type in _NARROWED and any(child.type == "is" for child in node.children):
                yield text(name), object_of(spell(_type(node)))


def _branch(node: Node) -> Iterator[Decision]:
    """Yield the condition of an ``if``, whose branches have no fields."""
    condition, *branches = (child for child in node.named_children if "comment" not in child.type)
    if branches:
        yield fallen(condition, branches[0], node, _LEAVES)


def _entry(node: Node) -> Iterator[Decision]:
    """Yield the conditions of an entry of a ``when`` that has one."""
    conditions = node.children_by_field_name("condition")
    if len(conditions) == 1:
        yield Decision(conditions[0], behind(conditions[0], node))


_NARROWED = frozenset({"identifier", "navigation_expression"})
_LEAVES = frozenset({"return_expression", "throw_expression"})
_CONNECTED = connected({"&&": Connective.Both, "||": Connective.Either})
_BRANCHES = Branches(
    decides={
        "if_expression": _branch,
        "when_entry": _entry,
        "while_statement": lambda node: [Decision(node.child_by_field_name("condition"), span(node))],
        "binary_expression": deciding(_CONNECTED),
    },
    joins={
        "binary_expression": _CONNECTED,
        "unary_expression": negated,
        "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[:1]),
    },
    tests={"is_expression": _is, "type_test": _tested},
    refutes={"is_expression": partial(_is, word="!is")},
    gives={"assignment": "left"},
)

_WORD = re.compile(rb"[^\W\d]\w*")


def _templates(node: Node) -> Iterator[Written]:
    """Yield the names in the templates of a string that stand behind a mere ``$``."""
    for dollar in _of("string_content")(node):
        after = dollar.next_sibling
        if text(dollar) != "$" or after is None or after.type != "string_content" or after.text is None:
            continue
        name = _WORD.match(after.text)
        if name is not None and after.start_byte == dollar.end_byte:
            yield Written(after.start_byte, name[0].decode(), Role.Read, BARE)


# --- Signs that call functions: https://kotlinlang.org/docs/operator-overloading.html

_BINARY = {"+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem", "..": "rangeTo", "..<": "rangeUntil"}
_COMPARING = {**dict.fromkeys(("<", ">", "<=", ">="), "compareTo"), **dict.fromkeys(("==", "!="), "equals")}
_UNARY = {"+": "unaryPlus", "-": "unaryMinus", "!": "not", "++": "inc", "--": "dec"}
_ASSIGNING = {f"{sign}=": f"{_BINARY[sign]}Assign|{_BINARY[sign]}" for sign in "+-*/%"}
_DELEGATED = ("getValue", "setValue", "provideDelegate")
_COMPONENT = re.compile(r"component[1-9]\d*")

_SIGNS: dict[str, tuple[str, ...]] = {
    **{method: (sign, f"{sign}=") if sign in "+-*/%" else (sign,) for sign, method in _BINARY.items()},
    **{f"{_BINARY[sign]}Assign": (f"{sign}=",) for sign in "+-*/%"},
    **{method: (sign,) for sign, method in _UNARY.items()},
    "compareTo": ("<", ">", "<=", ">="),
    "equals": ("==", "!="),
    "contains": ("in", "!in"),
    "get": ("[",),
    "set": ("[",),
    "invoke": ("(",),
    "constructor": ("this", "super"),
    **dict.fromkeys(("iterator", "next", "hasNext"), ("in",)),
    **dict.fromkeys(_DELEGATED, ("by",)),
}
"""The signs that call a function of a name."""


def _signs_of(method: str) -> Sequence[str]:
    return ("(",) if _COMPONENT.fullmatch(method) else _SIGNS.get(method, ())


def _token(node: Node, *signs: str) -> Node | None:
    return next((child for child in node.children if child.type in signs), None)


def _binary_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    sign = _token(node, *_BINARY, *_COMPARING)
    if sign is not None:
        operands = node.named_children
        if sign.type in _UNARY and sign.start_point[0] > operands[0].end_point[0]:  # it begins the next statement
            yield ImplicitCall(sign, _UNARY[sign.type], spell(operands[-1]))
        else:
            yield ImplicitCall(sign, _BINARY.get(sign.type) or _COMPARING[sign.type], spell(operands[0]))


def _unary_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the sign before or behind an operand: before one it is that of all that is taken of the operand."""
    sign, operand = _token(node, *_UNARY), node.child_by_field_name("argument")
    if sign is None or operand is None:
        return
    whole, around = node, node.parent
    while sign == node.children[0] and around is not None and _is_taken_of(around, node):
        whole, around = around, around.parent
    yield ImplicitCall(sign, _UNARY[sign.type], spell(operand if whole == node else whole))


def _is_taken_of(around: Node, node: Node) -> bool:
    return around.type in _POSTFIX and around.start_byte == node.start_byte


def _index_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the bracket that takes an element, or gives one."""
    sign, around = _token(node, "["), node.parent
    if sign is None:
        return
    assigned = around if around is not None and around.child_by_field_name("left") == node else None
    given = assigned is not None and assigned.type == "assignment"
    owner = spell(node.named_children[0])
    if not given or (assigned is not None and _token(assigned, "=") is None):
        yield ImplicitCall(sign, "get", owner)
    if given:
        yield ImplicitCall(sign, "set", owner)


def _assigning_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    sign, left = _token(node, *_ASSIGNING), node.child_by_field_name("left")
    if sign is not None and left is not None:
        yield ImplicitCall(sign, _ASSIGNING[sign.type], spell(left))


def _containing_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    sign = _token(node, "in", "!in")
    if sign is not None:
        yield ImplicitCall(sign, "contains", spell(node.named_children[-1]))


def _loop_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    sign = _token(node, "in")
    iterated = next((child for child in node.named_children if child.type not in _BESIDE_VALUES), None)
    if sign is not None and iterated is not None:
        owner = spell(iterated)
        yield ImplicitCall(sign, "iterator", owner)
        yield from (ImplicitCall(sign, method, then(owner, ".iterator()")) for method in ("next", "hasNext"))


def _parting_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis of variables that are given the components of a value, each that has a name."""
    sign, around = _token(node, "("), node.parent
    if sign is None or around is None or around.type not in ("property_declaration", "for_statement"):
        return
    owner = _value(around, spell)
    for number, variable in enumerate(_of("variable_declaration")(node), 1):
        if text(variable) != "_":
            yield ImplicitCall(sign, f"component{number}", owner)


def _delegating_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    sign = _token(node, "by")
    if sign is not None and node.named_children:
        yield from (ImplicitCall(sign, method, spell(node.named_children[-1])) for method in _DELEGATED)


def _invoking_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis behind a variable, which is called like a function."""
    called = node.named_children[0]
    for listed in _of("value_arguments")(node):
        sign = _token(listed, "(")
        if called.type == "identifier" and sign is not None:
            yield ImplicitCall(sign, "invoke", spell(called), text(called))


_CONSTRUCTOR = "constructor"


def _delegation_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:  # noqa: ARG001  as of other signs
    """Yield ``this`` or ``super``, by which a constructor calls another one."""
    sign = _token(node, "this", "super")
    if sign is not None:
        yield ImplicitCall(sign, _CONSTRUCTOR, text(sign))


def _infix_operand(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an infix function as a member of what stands before it."""
    if len(parts := node.named_children) == len(("a", "to", "b")) and text(parts[1]) != "class":
        yield parts[1], spell(parts[0])


def _infix_name(node: Node) -> Sequence[Node]:
    return node.named_children[1:2] if len(node.named_children) == len(("a", "to", "b")) else ()


_MAPS = frozenset("ConcurrentHashMap ConcurrentMap HashMap LinkedHashMap Map MutableMap SortedMap TreeMap".split())
_PAIR_FACTORIES = frozenset("hashMapOf linkedMapOf mapOf mutableMapOf sortedMapOf".split())
_PAIRED = frozenset({*_MAPS, *_PAIR_FACTORIES, "emptyMap"})
_TUPLES = frozenset({"Pair", "Triple"})
_FACTORIES = (
    _PAIR_FACTORIES
    | _TUPLES
    | frozenset(
        (
            "MutableLiveData MutableStateFlow arrayListOf arrayOf flowOf hashSetOf linkedSetOf listOf listOfNotNull"
            " mutableListOf mutableSetOf mutableStateOf sequenceOf setOf sortedSetOf"
        ).split()
    )
)
"""Functions that make a collection of what they are given."""

_HOLDERS = (
    _FACTORIES
    | _PAIRED
    | frozenset(
        (
            "Array ArrayDeque ArrayList Collection CopyOnWriteArrayList Deferred Deque Entry Flow HashSet Iterable"
            " Iterator Lazy LinkedHashSet LinkedList List LiveData MutableCollection MutableIterable MutableList"
            " MutableLiveData MutableSet MutableSharedFlow MutableState MutableStateFlow Pair PriorityQueue Queue"
            " Result Sequence Set SharedFlow Stack State StateFlow Triple emptyArray emptyList emptySequence emptySet"
        ).split()
    )
)
"""What has the members below, and the functions that make it."""

_COLLECTIONS = {
    **dict.fromkeys(
        (
            "all any associate collect collectLatest count flatMap forEach indexOfFirst indexOfLast joinToString map"
            " mapKeys mapNotNull mapTo mapValues maxOf maxOfOrNull minOf minOfOrNull none removeAll removeIf retainAll"
            " sumOf update updateAndGet"
        ).split(),
        "!<?,!<?,this*>>",
    ),
    **dict.fromkeys("forEachIndexed mapIndexed mapIndexedNotNull".split(), "!<?,!<?,?,this*>>"),
    **dict.fromkeys(
        (
            "distinctBy dropLastWhile dropWhile filter filterNot onEach onSuccess sortedBy sortedByDescending"
            " takeLastWhile takeWhile"
        ).split(),
        "!<this,!<?,this*>>",
    ),
    "filterIndexed": "!<this,!<?,?,this*>>",
    **dict.fromkeys(
        (
            "asFlow asIterable asLiveData asReversed asSequence asSharedFlow asStateFlow distinct drop dropLast"
            " filterNotNull minus orEmpty plus reversed shuffled"
            " sorted sortedDescending sortedWith subList take takeLast toList toMap toMutableList toMutableMap"
            " toMutableSet toSet toSortedSet"
        ).split(),
        "!<this>",
    ),
    **dict.fromkeys(
        ("find findLast firstOrNull last lastOrNull maxBy maxByOrNull minBy minByOrNull single singleOrNull").split(),
        "!<this*,!<?,this*>>",
    ),
    **dict.fromkeys(
        (
            "await elementAt elementAtOrNull get getOrDefault getOrNull getOrThrow getValue maxOrNull maxWith minOrNull"
            " minWith next peek poll pop random randomOrNull removeAt removeFirst removeFirstOrNull removeLast"
            " removeLastOrNull"
        ).split(),
        "!<this[]>",
    ),
    "associateBy": "!<Map<?,this*>,!<?,this*>>",
    "associateWith": "!<Map<this*,?>,!<?,this*>>",
    "entries": "Set<this*>",
    "filterKeys": "!<this,!<?,this#0>>",
    "filterValues": "!<this,!<?,this#1>>",
    "first": "this#0|!<this*,!<?,this*>>",
    "fold": "!<?,?,!<?,?,this*>>",
    "getOrElse": "!<this[],?,!<this[]>>",
    "getOrPut": "!<this[],?,!<this[]>>",
    "groupBy": "!<Map<?,List<this*>>,!<?,this*>>",
    "key": "this#0",
    "keys": "Set<this#0>",
    "partition": "!<Pair<this,this>,!<?,this*>>",
    "reduce": "!<this*,!<this*,this*,this*>>",
    "second": "this#1",
    "observe": "!<?,?,!<?,this*>>",
    "third": "this#2",
    "value": "this#1",
    "values": "List<this#1>",
}
"""What members of collections, maps and pairs give, and what functions they take:
https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.collections/."""

_TERMS = {
    "as_expression": _cast,
    "binary_expression": _elvis,
    "call_expression": _called,
    "function_type": _function_type,
    "if_expression": _branches,
    "infix_expression": _infix,
    "index_expression": terms.stepped("", "[]"),
    "nullable_type": terms.same(),
    "object_literal": _anonymous,
    "parenthesized_expression": terms.same(),
    "parenthesized_type": terms.same(),
    "super_expression": _above,
    "this_expression": _this,
    "try_expression": _tried,
    "type_projection": _projection,
    "unary_expression": _unary,
    "user_type": _user_type,
    "when_expression": _entries,
}


_SOURCE_SET = re.compile(r"(?P<sets>(?:.*/)?src/)[^/]+/kotlin/(?P<package>.+)")
"""Where a package lies below https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html."""


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b.C``, ``import a.b.C as D`` and ``import a.b.*``."""
    for path in _of("qualified_identifier")(node):
        if _has(node, "*"):
            yield Imported(text(path), "*", "")
        else:
            module, _, name = text(path).rpartition(".")
            yield Imported(module, name, text(next(iter(_first(node)), None)) or name)


def _package(root: Node) -> Iterator[Imported]:
    """Yield the package that a file says it is in: its folders need not be called so.

    https://kotlinlang.org/docs/coding-conventions.html#directory-structure
    """
    for header in _of("package_header")(root):
        yield from (Imported(_dotted(name), "", PACKAGE, exports=True) for name in _of("qualified_identifier")(header))


def _dotted(name: Node) -> str:
    return ".".join(text(part) for part in name.named_children if part.type == "identifier")


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return the files in the folder of a package."""
    return [path for path in paths.inside(module.replace(".", "/")) if path.endswith(_SOURCES)]


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package, those of other source sets too; a script is in none."""
    folder = path.rpartition("/")[0]
    if not path.endswith(_SOURCES):
        return ()
    own = _SOURCE_SET.fullmatch(folder)
    package = own["package"] if own is not None else folder
    found = []
    for other in paths.inside(package):
        there = other.rpartition("/")[0]
        its = _SOURCE_SET.fullmatch(there) if own is not None else None
        same = its is not None and own is not None and its.group("sets", "package") == own.group("sets", "package")
        if other != path and (there == folder or same) and other.endswith(_SOURCES):
            found.append(other)
    return found


_MODIFIER = re.compile(
    rb"(?m)(?:^|[{;]|->)[ \t]*+"
    rb"(?:open|sealed|abstract|final|public|private|internal|protected|override|lateinit|inline|noinline|crossinline"
    rb"|tailrec|infix|external|vararg)"
    rb"(?=[ \t]*+(?:[.(\[{}]|\?\.|!!|[-+*/%]?=))"
)
"""What the grammar takes for a modifier at the beginning of a statement, before what cannot stand behind one: modifiers
may be names, https://kotlinlang.org/spec/syntax-and-grammar.html#grammar-rule-simpleIdentifier."""


_GUARD = re.compile(
    rb"(?m)^([ \t]*+(?:!?(?:is|in)\b(?:(?!->)[^\n\"{}]){0,200}?|else|[\w.]++))( if )(?=[^\n{}\"]{0,200}->)"
)
"""A guard of a branch, which the grammar does not know: https://kotlinlang.org/docs/control-flow.html#guard-conditions."""

_QUOTED = rb"\"[^\"\n]*+\"|'[^'\n]*+'"
_ENDED_IN_LINE = re.compile(rb"(?m)^(?:[^\n\"'/]|/(?![/*])|" + _QUOTED + rb")*[ \t]\}")
_TYPE_IN_LINE = re.compile(rb"\b(?:class|interface|object)\b[^{]{0,200}\{")
_UNENDED = re.compile(_QUOTED + rb"|(?<=[^\s{;,])[ \t]*[ \t]\}")
"""The end of a body on the line of its last declaration: the grammar wants that to be ended."""


def _masked(content: bytes) -> bytes:
    """Return a source that the grammar can read.

    Names that it takes for modifiers are other names, a guard is one more condition of its branch, and the last
    declaration of a type in one line has a semicolon.
    """
    content = _MODIFIER.sub(lambda found: found[0][:-1] + found[0][-1:].upper(), content)
    content = _GUARD.sub(_condition, content)
    return _ENDED_IN_LINE.sub(_ended, content)


def _condition(guard: re.Match[bytes]) -> bytes:
    return b" " * len(guard[0]) if guard[1].endswith(b"else") else guard[1] + b" ,  "


def _ended(line: re.Match[bytes]) -> bytes:
    if _TYPE_IN_LINE.search(line[0]) is None:
        return line[0]
    return _UNENDED.sub(lambda end: end[0][:-2] + b";}" if end[0].endswith(b"}") else end[0], line[0])


_KEYWORDS = frozenset(
    (
        "_ as break class continue do else false for fun if in interface is null object package return super this "
        "throw true try typealias typeof val var when while"
    ).split()
)

LANGUAGE = Language(
    name="kotlin",
    extensions=(".kt", ".kts"),
    grammar=("tree_sitter_kotlin", "language"),
    definitions={
        "package_header": Defines(SymbolKind.Package, name=_of("qualified_identifier"), body=fields(), spell=_dotted),
        "class_declaration": Defines(
            _class_kind,
            body=_of("class_body", "enum_class_body"),
            head=_class_parameters,
            bases=_bases,
            generics=_generics,
            takes=_head_takes,
        ),
        "infix_expression": Defines(
            lambda node: SymbolKind.Class if _bodiless(node) else None, name=_bodiless, body=fields()
        ),
        "class_parameter": Defines(
            _class_parameter_kind, name=_first, body=fields(), type=_parameter_type, made=_elements
        ),
        "object_declaration": Defines(SymbolKind.Object, body=_of("class_body"), bases=_bases),
        "companion_object": Defines(
            SymbolKind.Object,
            body=_of("class_body"),
            emits=lambda node: bool(node.child_by_field_name("name")),
            bases=_bases,
            inner=lambda _node: True,
        ),
        "enum_entry": Defines(
            SymbolKind.EnumMember, name=_first, body=_of("class_body"), type=_constant_type, bases=_constant_bases
        ),
        "function_declaration": Defines(
            SymbolKind.Function,
            member=SymbolKind.Method,
            body=_of("function_body"),
            parameters=_parameters,
            type=_result,
            made=_returned,
            amends=_amends,
            takes=_takes,
        ),
        "secondary_constructor": Defines(
            SymbolKind.Constructor, name=_constructor, body=_of("block"), parameters=_parameters
        ),
        "property_declaration": Defines(
            _property_kind,
            member=SymbolKind.Property,
            name=_property_names,
            body=fields(),
            type=_property_type,
            made=_property_value,
            amends=_amends,
        ),
        "type_alias": Defines(SymbolKind.Class, name=fields("type"), body=fields(), type=_type, generics=_generics),
    },
    through=frozenset({"block", "ERROR"}),
    wrappers=frozenset({"annotated_expression"}),
    decorations=frozenset({"annotation"}),
    comments=frozenset({"line_comment", "block_comment"}),
    module=module_of_folder,
    relatives="java",
    lexis=lexing.KOTLIN,
    keywords=_KEYWORDS,
    masked=_masked,
    reach=reach.private,
    scoping=Scoping(
        identifiers=frozenset({"identifier"}),
        amended=True,
        companions=True,
        companion="Companion",
        initializes=True,
        receives=True,
        scopes={
            "class_declaration": ScopeKind.Class,
            "object_declaration": ScopeKind.Class,
            "companion_object": ScopeKind.Class,
            "object_literal": ScopeKind.Class,
            "enum_entry": ScopeKind.Class,
            "function_declaration": ScopeKind.Function,
            "anonymous_function": ScopeKind.Function,
            "secondary_constructor": ScopeKind.Function,
            "anonymous_initializer": ScopeKind.Block,
            "getter": ScopeKind.Function,
            "setter": ScopeKind.Function,
            "annotated_lambda": _lambda_kind,
            "lambda_literal": ScopeKind.Detached,
            "block": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "catch_block": ScopeKind.Block,
            "when_expression": ScopeKind.Block,
            "type_alias": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(_first, type=_parameter_type, made=_elements),
            "class_parameter": Binds(_first, type=_parameter_type, made=_elements),
            "lambda_literal": Binds(_lambda_names, made=_lambda_values, around=True),
            "setter": Binds(_first),
            "property_declaration": Binds(_variables, type=_variable_type, made=_property_value, after=True),
            "variable_declaration": Binds(_first, type=_type, made=_declared_value),
            "catch_block": Binds(_first, type=_type),
            "type_parameter": Binds(_first, made=_bound, types=True),
            "infix_expression": Binds(fields(), calls=_infix_name),
        },
        members={
            "navigation_expression": _navigation,
            "user_type": _of("identifier"),
            "qualified_identifier": _of("identifier"),
            "value_argument": _named_argument,
        },
        roles={
            ("call_expression", ""): Role.Call,
            ("user_type", ""): Role.Type,
            ("annotation", ""): Role.Decorator,
            ("file_annotation", ""): Role.Decorator,
            ("delegation_specifier", ""): Role.Inherit,
            ("value_arguments", ""): Role.Read,
            ("assignment", "left"): Role.Write,
        },
        hidden=hidden_types.kotlin,
        fills={"infix_expression": _infix_operand},
        implicit_calls={
            "assignment": _assigning_sign,
            "binary_expression": _binary_sign,
            "call_expression": _invoking_sign,
            "constructor_delegation_call": _delegation_sign,
            "for_statement": _loop_sign,
            "in_expression": _containing_sign,
            "range_test": _containing_sign,
            "index_expression": _index_sign,
            "multi_variable_declaration": _parting_sign,
            "property_delegate": _delegating_sign,
            "range_expression": _binary_sign,
            "unary_expression": _unary_sign,
        },
        implicit_call_tokens=_signs_of,
        labels=Labels(
            kotlin_labels.declared_arguments,
            kotlin_labels.given_arguments,
            kotlin_labels.accepts_arguments,
            _CONSTRUCTOR,
        ),
        imports={"import": _import},
        exports=_package,
        packages=lambda module, _own: (module,),
        keeps_imports=True,
        imports_members=True,
        locate=_locate,
        siblings=_siblings,
        this=frozenset({"this"}),
        above=frozenset({"super"}),
        implied=frozenset({"it"}),
        terms=_TERMS,
        collections=_COLLECTIONS,
        holders=_HOLDERS,
        paired=_PAIRED,
        returns={"return_expression": terms.same()},
        branches=_BRANCHES,
        anonymous={"annotated_lambda": _lambda_bases, "object_literal": _bases},
        texts={"string_literal": _templates, "multiline_string_literal": _templates},
        types_apart=True,
        protocols={Op.Item: ("this.get()",)},
        parts="this.component{1}()",
        copies=frozenset({"copy"}),
        arguments={"value_argument": lambda node: next(iter(_named_argument(node)[1:]), None)},
        keys=frozenset({("return_expression", "label"), ("package_header", ""), ("labeled_expression", "")}),
        generic=frozenset({"unary_expression"}),
        opaque=frozenset({"index_expression"}),
    ),
)
