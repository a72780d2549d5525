"""How values and types of Python are spelled as terms, with what its standard library makes of what it is given."""

from __future__ import annotations

import ast
import re
import typing
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.branches import (
    Branches,
    Connective,
    Decision,
    behind,
    branched,
    connected,
    deciding,
    repeated,
    span,
)
from leadline_tools.languages.language import Fills, Made, Puts, text
from leadline_tools.languages.python.generics import TYPE_VARIABLES, told
from leadline_tools.languages.terms import (
    COLLECTION,
    FUNCTION,
    TUPLE,
    UNKNOWN,
    Op,
    Spell,
    Spelling,
    applied,
    either,
    object_of,
    then,
    ungiven,
)

_LISTS = frozenset("pattern_list tuple_pattern list_pattern expression_list tuple list".split())
"""Nodes that take a value, or are one, part by part."""

_SPLAT = "list_splat"

_TRANSPARENT = frozenset("Annotated Awaitable ClassVar Final InitVar NotRequired Optional ReadOnly Required".split())
"""Special forms that stand for their first argument: https://docs.python.org/3/library/typing.html. What is awaited is
not told from what that gives."""

_NOT_POSITIONAL = frozenset({"comment", "keyword_argument", "dictionary_splat"})
_NARROWING = frozenset({"isinstance"})
_TYPES = frozenset({"identifier", "attribute", "subscript"})
_NARROWED = frozenset({"identifier", "attribute", "subscript"})
_BOUND = "bound"
_CALLABLE = "Callable"
CASTS = frozenset({"cast", "t.cast", "typing.cast"})
_LONGEST = max(map(len, (*CASTS, *_NARROWING)))
_GENERIC = frozenset(typing.__all__).union("defaultdict deque dict frozenset list set tuple type".split()) - {"Literal"}
"""Types that take arguments, wherever they stand."""

_OPERATORS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "@": "__matmul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "&": "__and__",
    "^": "__xor__",
}
"""The methods that operators call: https://docs.python.org/3/reference/datamodel.html#emulating-numeric-types."""

_FROM_TYPING = ("typing.", "t.", "collections.")

_ANYTHING = frozenset("eval globals locals vars __import__ importlib.import_module import_module".split())
"""Functions of the standard library that give what the code has, and not what the library has."""

_OF_PROPERTIES = frozenset({"getter", "setter", "deleter"})
_CONTEXT_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


def given(left: str, right: str, step: str = "") -> Made:
    """Return a function that gives the names on the left of a node what its right is, or what a step makes of it."""

    def made(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
        target, value = node.child_by_field_name(left), node.child_by_field_name(right)
        if target is not None and value is not None:
            yield from _parted(target, None if step else value, then(spell(value), step), spell)

    return made


def _parted(target: Node, value: Node | None, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each name of a pattern with the part of the value that it takes."""
    if target.type not in _LISTS:
        yield target, term
        return
    names, values = _parts(target), _parts(value) if value is not None and value.type in _LISTS else ()
    whole = len(names) == len(values) and all(one.type != _SPLAT for one in values)
    starred = False
    for i, child in enumerate(names):
        part = values[i] if whole else None
        starred |= child.type == "list_splat_pattern"
        if starred and child.type != "list_splat_pattern":
            yield from _parted(child, None, then(term, "*"), spell)
        elif starred:
            yield from ((name, _holding(then(term, "*"))) for name in child.named_children)
        else:
            yield from _parted(child, part, spell(part) if part is not None else then(term, f"#{i}"), spell)


def _parts(node: Node) -> Sequence[Node]:
    """Return what a node lists: the elements of a tuple or list, a type and its arguments."""
    return [child for child in node.named_children if child.type != "comment"]


def entered(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name after ``as`` what the context manager enters, or the exception that is caught."""
    alias, value = node.child_by_field_name("alias"), node.named_children[0]
    if alias is None and node.named_children[-1].type == "identifier":
        yield node.named_children[-1], _matched(value, spell)
        return
    target = alias.named_children[0] if alias is not None and alias.named_children else None
    if target is None:
        return
    if node.parent is not None and node.parent.type.startswith("except"):
        yield target, then(_one_of(value, spell), "()")
        return
    term = spell(value)
    yield from _parted(target, None, either((then(term, ".__enter__()"), then(term, ".__aenter__()"), term)), spell)


def default(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter its default."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, spell(node.child_by_field_name("value"))


def _called(node: Node, spell: Spell) -> str:
    """Spell a call; of what the standard library has that gives back what it is given, with that as type arguments."""
    function = spell(node.child_by_field_name("function"))
    if function in _ANYTHING:
        return UNKNOWN
    if function == "getattr":
        return _attribute_by_name(node, spell)
    owner, _, name = function.rpartition(".")
    if owner and name in _COPIES:
        return owner
    made = _MAKES.get(function) or _MAKES.get(f".{name}")
    positional = _positional(node.child_by_field_name("arguments")) if made is not None else ()
    term = made(function, positional, spell) if made is not None and positional else UNKNOWN
    if term != UNKNOWN:
        return term
    return then(told(function, node.child_by_field_name("arguments"), spell), "()")


def _attribute_by_name(node: Node, spell: Spell) -> str:
    """Spell what ``getattr`` gives: an attribute whose name is written, or the default; else it may be anything."""
    given = _positional(node.child_by_field_name("arguments"))
    name = text(given[1])[1:-1] if len(given) > 1 and given[1].type == "string" else ""
    if not name.isidentifier():
        return UNKNOWN
    attribute = then(spell(given[0]), f".{name}")
    return either((attribute, *(spell(one) for one in given[2:]))) if attribute != UNKNOWN else UNKNOWN


def _positional(arguments: Node | None) -> Sequence[Node]:
    """Return the positional arguments of a call; none where a star hides how many there are."""
    if arguments is None:
        return ()
    if arguments.type == "generator_expression":
        return (arguments,)
    given = [child for child in arguments.named_children if child.type not in _NOT_POSITIONAL]
    return given if all(child.type != _SPLAT for child in given) else ()


def type_of(node: Node) -> Node | None:
    """Return the annotation of a variable or parameter; that of ``*args`` is one of its elements."""
    starred = node.named_children[0].type.endswith("splat_pattern") if node.named_children else False
    return None if starred else node.child_by_field_name("type")


def collected(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give ``*a: A`` several objects of the type, and ``**a: A`` those by their names."""
    name, kind = node.named_children[0], node.child_by_field_name("type")
    term = spell(kind) if kind is not None and name.type.endswith("splat_pattern") else UNKNOWN
    if term == UNKNOWN or not name.named_children:
        return
    held = applied("dict", ["str", term]) if name.type.startswith("dict") else applied(COLLECTION, [term])
    yield name.named_children[0], object_of(held)


def _annotation(node: Node, spell: Spell) -> str:
    """Spell what an annotation names."""
    return _type(node.named_children[0], spell) if node.named_children else UNKNOWN


def _type(node: Node, spell: Spell) -> str:
    """Spell a type; one in quotes is read like any other."""
    if node.type != "string":
        return spell(node)
    try:
        return _quoted_annotation(ast.parse(text(node).strip("\"'").strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN


def _quoted_annotation(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(owner, name):
            return then(_quoted_annotation(owner), f".{name}")
        case ast.BinOp(left, ast.BitOr(), right):
            return either((_quoted_annotation(left), _quoted_annotation(right)))
        case ast.Subscript(form, ast.Tuple(arguments)):
            taken = (argument.elts if isinstance(argument, ast.List) else [argument] for argument in arguments)
            return _form(_quoted_annotation(form), [_quoted_annotation(one) for listed in taken for one in listed])
        case ast.Subscript(form, argument):
            return _form(_quoted_annotation(form), [_quoted_annotation(argument)])
        case _:
            return UNKNOWN


def _special(node: Node, spell: Spell) -> str:
    """Spell a type with arguments, ``Optional[A]`` and the like as what they stand for."""
    named = _parts(node)
    if not named:
        return UNKNOWN
    name = spell(named[0])
    arguments = [one for child in named[1:] for one in (child.named_children if "param" in child.type else [child])]
    if name.endswith(_CALLABLE):
        arguments = [one for argument in arguments for one in _taken(argument)]
    return _form(name, [_type(argument, spell) for argument in arguments])


def _taken(argument: Node) -> Sequence[Node]:
    """Return the types that a function takes, which are listed in brackets; else the argument itself."""
    listed = argument.named_children[0] if argument.type == "type" and argument.named_children else argument
    return listed.named_children if listed.type == "list" else [argument]


def _form(name: str, arguments: Sequence[str]) -> str:
    """Return a type with arguments, or what a special form stands for."""
    form = name.rpartition(".")[2]
    if form == "Union":
        return either(arguments)
    if form in _TRANSPARENT:
        return arguments[0] if arguments else UNKNOWN
    if form == "Coroutine":
        return arguments[-1] if arguments else UNKNOWN
    if form == _CALLABLE:
        return applied(FUNCTION, [*arguments[-1:], *arguments[:-1]])
    if form in ("type", "Type"):
        return then(arguments[0], "^") if arguments else UNKNOWN
    return applied(TUPLE if form in ("tuple", "Tuple") else name, arguments)


def _subscript(node: Node, spell: Spell) -> str:
    """Spell ``a[b]``: an element, or a type with arguments in an annotation and where it is given another name."""
    around = node.parent
    while around is not None and around.type in ("binary_operator", "subscript", "tuple", "list"):
        around = around.parent
    if around is not None and around.type == "type":
        return _special(node, spell)
    value = _value(node, spell)
    if value in _GENERIC or (value.startswith(_FROM_TYPING) and value.rpartition(".")[2] in _GENERIC):
        return _special(node, spell)
    index = node.child_by_field_name("subscript")
    if index is not None and index.type == "slice":
        return value
    if node.parent is not None and node.parent.type == "call" and all(one.type in _TYPES for one in _parts(node)):
        return _special(node, spell)  # what is called may be a type with arguments
    number = text(index) if index is not None and index.type == "integer" else ""
    return then(value, f";{number}" if number.isdecimal() else "[]")


def _value(node: Node, spell: Spell) -> str:
    return spell(node.child_by_field_name("value"))


def _joined(node: Node, spell: Spell) -> str:
    """Spell ``A | B`` as either, and what other operators give as what the method of the left side gives."""
    operator = text(node.child_by_field_name("operator"))
    if operator in _OPERATORS:
        return then(spell(node.child_by_field_name("left")), f".{_OPERATORS[operator]}()")
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _tuple(node: Node, spell: Spell) -> str:
    """Spell a tuple by its parts; from a star on they are all alike, since it hides how many there are."""
    parts = _parts(node)
    known = next((i for i, part in enumerate(parts) if part.type == _SPLAT), len(parts))
    rest = [either(map(spell, parts[known:]))] if known < len(parts) else []
    return _made(TUPLE, [*map(spell, parts[:known]), *rest])


def _list(node: Node, spell: Spell) -> str:
    """Spell a list or a set by what its elements are."""
    return _made(_LITERALS[node.type], [either(map(spell, node.named_children))])


def _dictionary(node: Node, spell: Spell) -> str:
    """Spell a dictionary by what its keys and values are."""
    pairs = [child for child in node.named_children if child.type == "pair"]
    return _made("dict", [either(spell(pair.child_by_field_name(side)) for pair in pairs) for side in ("key", "value")])


def _made(name: str, held: Iterable[str]) -> str:
    """Return an object of a type that holds values, which are themselves meant: a list of classes has no objects."""
    return then(applied(name, [then(term, "^") for term in held]), "()")


def _chosen(node: Node, spell: Spell) -> str:
    """Spell ``a if b else c``."""
    return either(spell(child) for child in (node.named_children[0], node.named_children[-1]))


def bases(node: Node, spell: Spell) -> Iterator[str]:
    """Spell what a class inherits from."""
    listed = node.child_by_field_name("superclasses")
    for base in listed.named_children if listed is not None else ():
        if base.type not in ("keyword_argument", "comment"):
            yield _special(base, spell) if base.type == "subscript" else spell(base)


def _decorators(node: Node) -> Iterator[str]:
    around = node.parent
    for child in around.children if around is not None and around.type == "decorated_definition" else ():
        if child.type == "decorator" and child.named_children:
            name = child.named_children[0]
            name = name.child_by_field_name("function") or name if name.type == "call" else name
            yield text(name).rpartition(".")[2]


def is_property(node: Node) -> bool:
    """Tell whether a function is read like a variable, or says what becomes of one that is."""
    return any(name.endswith("property") or name in _OF_PROPERTIES for name in _decorators(node))


def result(node: Node) -> Node | None:
    """Return the annotation of what a call returns; of a context manager, that of what it enters."""
    annotation = node.child_by_field_name("return_type")
    return _first_argument(annotation) if annotation is not None and _is_context_manager(node) else annotation


def _first_argument(annotation: Node) -> Node | None:
    """Return the first argument of a type in an annotation: what an iterator of a type gives."""
    generic = annotation.named_children[0] if annotation.named_children else None
    if generic is None or generic.type != "generic_type":
        return generic.child_by_field_name("subscript") if generic is not None else None
    return next((child.named_children[0] for child in generic.named_children[1:] if child.named_children), None)


def _is_context_manager(function: Node) -> bool:
    return not _CONTEXT_MANAGERS.isdisjoint(_decorators(function))


def yielded(node: Node, spell: Spell) -> str:
    """Spell what a function with ``yield`` returns: what gives each value; a context manager, what it enters."""
    value = node.named_children[0] if node.named_children else None
    term = spell(value)
    function = node.parent
    while function is not None and function.type != "function_definition":
        function = function.parent
    if function is not None and _is_context_manager(function):
        return term
    return _holding(then(term, "*") if any(child.type == "from" for child in node.children) else term)


def _function(result: str) -> str:
    """Return what gives what a term stands for when it is called."""
    return object_of(applied(FUNCTION, [then(result, "^")])) if result != UNKNOWN else UNKNOWN


def _lambda(node: Node, spell: Spell) -> str:
    """Spell a function by what it gives, where that does not depend on what it takes."""
    taken = node.child_by_field_name("parameters")
    names = {text(name) for name in _names_in(taken)} if taken is not None else frozenset[str]()
    result = spell(node.child_by_field_name("body"))
    told = (one for one in (result, ungiven(result)) if names.isdisjoint(_HEAD.findall(one)))
    return _function(next(told, UNKNOWN))


def _names_in(parameters: Node) -> Iterator[Node]:
    """Yield the names of the parameters of a lambda."""
    for parameter in parameters.named_children:
        name = parameter.child_by_field_name("name") or parameter
        yield name.named_children[0] if name.named_children else name


def handed(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda what the function that it is given to calls it with."""
    around = node.parent.parent if node.parent is not None else None
    keyed = around is not None and around.type == "keyword_argument"
    arguments = around.parent if keyed and around is not None else around
    call = arguments.parent if arguments is not None else None
    if arguments is None or call is None or arguments.type != "argument_list" or call.type != "call":
        return
    function = call.child_by_field_name("function")
    if function is None or function.end_byte - function.start_byte > _LONGEST_NAME:
        return
    gives = (_KEYED if keyed else _MAPPED).get(text(function).rpartition(".")[2])
    given = [child for child in arguments.named_children if child.type not in _NOT_POSITIONAL]
    whole = all(child.type != _SPLAT for child in given)
    known = gives(function, given, spell) if gives is not None and whole else ()
    yield from zip(_names_in(node), known, strict=False)
    if whole and not (known or keyed) and node.parent is not None and node.parent in given:
        expected = then(told(spell(function), arguments, spell), f"%{given.index(node.parent)}")
        yield from ((name, then(expected, f"%{number}")) for number, name in enumerate(_names_in(node)))


_Hands = Callable[[Node, Sequence[Node], Spell], Sequence[str]]
"""From what is called and its positional arguments to what it hands to a function, parameter by parameter."""


def _keyed(at: int) -> _Hands:
    return lambda _function, given, spell: [_each(spell(given[at]))] if at < len(given) else []


def _sorting(function: Node, _given: Sequence[Node], spell: Spell) -> Sequence[str]:
    """Return what ``a.sort(key=...)`` hands to the key."""
    return [_each(spell(function.child_by_field_name("object")))]


def _mapped(_function: Node, given: Sequence[Node], spell: Spell) -> Sequence[str]:
    return [_each(spell(one)) for one in given[1:]]


def _reduced(_function: Node, given: Sequence[Node], spell: Spell) -> Sequence[str]:
    """Return what ``reduce(function, values, first)`` hands to the function: what it has given before, and a value."""
    each = [_each(spell(one)) for one in given[1:2]]
    first = [spell(one) for one in given[2:3]] or each
    return [*first, *each]


_KEYED: Mapping[str, _Hands] = {
    **dict.fromkeys("groupby max min sorted".split(), _keyed(0)),
    **dict.fromkeys(("nlargest", "nsmallest"), _keyed(1)),
    "sort": _sorting,
}
"""What is handed to the function that is called ``key``."""

_MAPPED: Mapping[str, _Hands] = {
    **dict.fromkeys("dropwhile filter filterfalse map takewhile".split(), _mapped),
    "reduce": _reduced,
}
"""What is handed to the function that comes first: of https://docs.python.org/3/library/functions.html, ``functools``,
``heapq`` and ``itertools``."""

_LONGEST_NAME = 80


def _holding(term: str) -> str:
    """Return an object that gives what a term stands for, one after the other."""
    return object_of(applied(COLLECTION, [then(term, "^")])) if term != UNKNOWN else UNKNOWN


def _matched(pattern: Node, spell: Spell) -> str:
    """Spell what a pattern matches, where it says of what type that is."""
    inner = pattern.named_children[0] if pattern.type == "case_pattern" and pattern.named_children else pattern
    if inner.type == "union_pattern":
        return either(_matched(one, spell) for one in inner.named_children)
    return then(_pattern_type(inner, spell), "()") if inner.type == "class_pattern" else UNKNOWN


def _pattern_type(node: Node, spell: Spell) -> str:
    """Spell the type of ``case Type(...)``."""
    named = node.named_children[0].named_children
    term = spell(named[0]) if named else UNKNOWN
    for part in named[1:]:
        term = then(term, f".{text(part)}")
    return term


def captured(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name of ``case Type(key=name)`` that attribute of what is matched."""
    around = node.parent.parent if node.parent is not None else None
    key, value = node.named_children[0], node.named_children[-1]
    if around is not None and around.type == "class_pattern" and len(value.named_children) == 1 and key != value:
        yield value.named_children[0], then(_pattern_type(around, spell), f"().{text(key)}")


def pattern_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the attributes that ``case Type(name=pattern)`` looks at."""
    term = _pattern_type(node, spell)
    for pattern in node.named_children[1:]:
        inner = pattern.named_children[0] if pattern.named_children else None
        if inner is not None and inner.type == "keyword_pattern":
            yield inner.named_children[0], then(term, "()")


# --- What conditions tell


def _tested(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``isinstance(a, types)`` tells of a name, a member or an element."""
    if not is_called(node, _NARROWING):
        return
    arguments = node.child_by_field_name("arguments")
    if arguments is not None and arguments.named_child_count > 1 and arguments.named_children[0].type in _NARROWED:
        name, types = arguments.named_children[:2]
        kinds = [spell(kind) for kind in (_parts(types) if types.type == "tuple" else [types])]
        if UNKNOWN not in kinds:
            yield text(name), then(either(kinds), "()")


def _conditional(node: Node) -> Iterator[Decision]:
    """Yield the condition of ``a if condition else b``."""
    parts = _parts(node)
    if len(parts) == len(("a", "condition", "b")):
        yield Decision(parts[1], span(parts[0]), span(parts[2]))


def _asserted(node: Node) -> Iterator[Decision]:
    yield Decision(node.named_children[0], behind(node, node.parent))


def _block(assignment: Node) -> Node | None:
    """Return the block that an assignment is a statement of; None where it is a part of another one."""
    statement = assignment.parent
    return statement.parent if statement is not None and statement.type == "expression_statement" else None


def _filtered(node: Node) -> Iterator[Decision]:
    """Yield the conditions of a comprehension."""
    clauses = (child for child in node.named_children if child.type == "if_clause")
    yield from (Decision(clause.named_children[0], span(node)) for clause in clauses)


_NAME = re.compile(rb"[A-Za-z_]\w*")

_GIVEN = re.compile(
    rb"\b(?:as|del)\s+([A-Za-z_]\w*)"
    rb"|\b([A-Za-z_]\w*)\s*(?:[\])]*\s*(?:=(?!=)|in\b)|,|:=|(?:[-+*/%@&|^]|\*\*|//|<<|>>)=)"
)
"""What may give a name a value: https://docs.python.org/3/reference/executionmodel.html#binding-of-names."""

_CONNECTED = connected({"and": Connective.Both, "or": Connective.Either})
_COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
_LEAVES = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})

BRANCHES: Branches = Branches(
    decides={
        **dict.fromkeys(("if_statement", "elif_clause"), branched(_LEAVES, "elif_clause")),
        "while_statement": repeated,
        "conditional_expression": _conditional,
        "boolean_operator": deciding(_CONNECTED),
        "assert_statement": _asserted,
        **dict.fromkeys(_COMPREHENSIONS, _filtered),
    },
    joins={
        "boolean_operator": _CONNECTED,
        "not_operator": lambda node: (Connective.Not, node.named_children[-1:]),
        "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[-1:]),
    },
    tests={"call": _tested},
    assigns={"assignment": _block},
    interrupts={
        **dict.fromkeys(("for_statement", "while_statement"), _GIVEN),
        **dict.fromkeys(("function_definition", "lambda", "class_definition"), _NAME),
    },
)


def is_called(call: Node, names: Container[str]) -> bool:
    """Tell whether what is called has one of some names; one that is longer than all of them is not even read."""
    function = call.child_by_field_name("function")
    return function is not None and function.end_byte - function.start_byte <= _LONGEST and text(function) in names


def _one_of(types: Node, spell: Spell) -> str:
    """Spell a type, or a tuple of which any may be meant."""
    return either(map(spell, types.named_children)) if types.type == "tuple" else spell(types)


# --- What is made of what is given

_Makes = Callable[[str, Sequence[Node], Spell], str]
"""From the term of what is called and the positional arguments to the term of the call, UNKNOWN for any other."""

_INTEGER = "int()"
_Elements = Callable[[str], str]


def _each(term: str) -> str:
    return then(term, "*")


def _numbered(term: str) -> str:
    return _made(TUPLE, [_INTEGER, _each(term)])


def _makes(element: _Elements, at: int = 0) -> _Makes:
    """Return how a call is spelled that makes a collection of an argument, of which ``element`` tells the elements."""

    def made(function: str, given: Sequence[Node], spell: Spell) -> str:
        term = spell(given[at]) if at < len(given) else UNKNOWN
        return _made(function, [element(term)]) if term != UNKNOWN else UNKNOWN

    return made


def _zipped(function: str, given: Sequence[Node], spell: Spell) -> str:
    return _made(function, [_made(TUPLE, [_each(spell(one)) for one in given])])


def _gives_back(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives what it is given first."""
    return _taken_back(function, spell(given[0]))


def _gives_one(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives one of several arguments, or one of the elements of a single one."""
    term = either(map(spell, given))
    return _taken_back(function, _each(term) if len(given) == 1 else term)


def _gives_next(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives an element of what it is given."""
    return _taken_back(function, _each(spell(given[0])))


def _taken_back(function: str, term: str) -> str:
    return then(_made(function, [term]), "[]") if term != UNKNOWN else UNKNOWN


def _cast(_function: str, given: Sequence[Node], spell: Spell) -> str:
    return then(_type(given[0], spell), "()")


def is_bound(argument: Node) -> bool:
    """Tell whether an argument with a name says what bounds a type variable."""
    name = argument.child_by_field_name("name")
    return name is not None and name.end_byte - name.start_byte == len(_BOUND) and text(name) == _BOUND


def _variable(_function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a type variable as what bounds it, or as any of those that it is constrained to."""
    listed = given[0].parent.named_children if given[0].parent is not None else ()
    bound = next((one for one in listed if one.type == "keyword_argument" and is_bound(one)), None)
    types = given[1:] if bound is None else [bound.child_by_field_name("value")]
    return either(_type(one, spell) for one in types if one is not None)


def _class_of(_function: str, given: Sequence[Node], spell: Spell) -> str:
    return then(spell(given[0]), ".__class__") if len(given) == 1 else UNKNOWN


def _defaults(function: str, given: Sequence[Node], spell: Spell) -> str:
    made = then(spell(given[0]), "()")
    return _made(function, [UNKNOWN, made]) if made != UNKNOWN else UNKNOWN


def _gathered(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what several awaitables give, each in its place."""
    parts = [spell(one) for one in given]
    return _taken_back(function, _made(TUPLE, parts)) if any(part != UNKNOWN for part in parts) else UNKNOWN


def _partial(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a function that gives what the one that it is made of gives."""
    return _taken_back(function, _function(then(spell(given[0]), "()")))


def _paired(function: str, given: Sequence[Node], spell: Spell) -> str:
    each = _each(spell(given[0]))
    return _made(function, [_made(TUPLE, [each, each])]) if each != UNKNOWN else UNKNOWN


def _mapping(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a dictionary that is made of pairs, as far as it is seen that they are pairs."""
    pairs = _each(spell(given[0])) if given[0].type != "identifier" else UNKNOWN
    return _made(function, [then(pairs, "#0"), then(pairs, "#1")]) if pairs != UNKNOWN else UNKNOWN


def _results(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what holds what the function gives that it is given: one after the other, or in the future."""
    result = then(spell(given[0]), "()")
    return _made(function, [result]) if result != UNKNOWN else UNKNOWN


def _called_for(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives what the function gives that it is given."""
    return _taken_back(function, then(spell(given[0]), "()"))


def _raises(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what holds the exception of a type, once it is raised."""
    types = _one_of(given[0], spell)
    return then(applied(function, [types]), "()") if types != UNKNOWN else UNKNOWN


_MAKES: dict[str, _Makes] = {
    **dict.fromkeys("deque collections.deque frozenset iter list reversed set sorted tuple".split(), _makes(_each)),
    "filter": _makes(_each, 1),
    "enumerate": _makes(_numbered),
    "zip": _zipped,
    **dict.fromkeys("copy copy.copy copy.deepcopy deepcopy".split(), _gives_back),
    **dict.fromkeys(("max", "min"), _gives_one),
    **dict.fromkeys(("next", "random.choice"), _gives_next),
    **dict.fromkeys(("random.choices", "random.sample"), _makes(_each)),
    **dict.fromkeys(("itertools.pairwise", "pairwise"), _paired),
    **dict.fromkeys(("map", ".submit"), _results),
    "dict": _mapping,
    **dict.fromkeys("asyncio.ensure_future asyncio.run asyncio.shield asyncio.wait_for".split(), _gives_back),
    **dict.fromkeys((".create_task", ".run_until_complete"), _gives_back),
    "asyncio.gather": _gathered,
    "asyncio.to_thread": _called_for,
    **dict.fromkeys(("functools.partial", "partial"), _partial),
    "type": _class_of,
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(TYPE_VARIABLES, _variable),
    **dict.fromkeys("collections.defaultdict defaultdict".split(), _defaults),
    **dict.fromkeys(".assertRaises .assertRaisesRegex .raises".split(), _raises),
}
"""What calls make of what they are given, by what is called or, with a dot, by its last name.

What is called may be a function of the code base all the same: it stands at the beginning of the term, and where that
leads to a definition its result counts. From https://docs.python.org/3/library/functions.html, and of ``asyncio``,
``collections``, ``copy``, ``functools``, ``typing`` and ``unittest`` there; ``raises`` is that of pytest.
"""

_COPIES = frozenset({"_replace", "model_copy"})
"""Methods that give what they belong to, with other values: of named tuples, of the models of pydantic."""

_VALUE = "!<self[]^>"
_KEYS_AND_VALUES = applied(TUPLE, ["self*^", "self[]^"])
COLLECTIONS: Mapping[str, str] = {
    **dict.fromkeys("get get_nowait pop popleft result setdefault".split(), _VALUE),
    **dict.fromkeys("copy difference intersection symmetric_difference union".split(), "!<self>"),
    **dict.fromkeys("__add__ __and__ __mul__ __sub__ __xor__".split(), "!<self>"),
    "items": f"!<[]<{_KEYS_AND_VALUES}>>",
    "keys": "!<[]<self*^>>",
    "popitem": f"!<{_KEYS_AND_VALUES}>",
    "values": "!<[]<self[]^>>",
    **dict.fromkeys(("exception", "value"), "self[]"),
}
"""What members of objects from outside give of what they hold: https://docs.python.org/3/library/stdtypes.html."""

PROTOCOLS: Mapping[Op, tuple[str, ...]] = {
    Op.Each: ("self.__iter__()*", "self.__iter__().__next__()", "self.__aiter__()*", "self.__aiter__().__anext__()"),
    Op.Item: ("self.__getitem__()",),
    Op.Call: ("self.__call__()",),
}
"""What methods of an object tell of its elements: https://docs.python.org/3/reference/datamodel.html."""

_HEAD = re.compile(r"(?:(?<=[<,|])|^)[^\W\d]\w*")
"""The names that a term begins with, or an alternative or argument in it."""


def _comprehended(node: Node, spell: Spell) -> str:
    """Spell what a comprehension gives, where the names of its own are told by what it loops over."""
    bound: dict[str, str] = {}
    for clause in (child for child in node.named_children if child.type == "for_in_clause"):
        left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
        if left is not None and right is not None:
            each = _each(_outside(spell(right), bound))
            bound.update((text(name), term) for name, term in _parted(left, None, each, spell))
    bound.update((told.name, told.term) for told in BRANCHES.told(node, spell) if told.name in bound)
    body = node.child_by_field_name("body")
    if body is not None and body.type == "pair":
        sides = [_outside(spell(body.child_by_field_name(side)), bound) for side in ("key", "value")]
        return _made("dict", sides)
    element = _outside(spell(body), bound)
    name = _LITERALS.get(node.type)
    return _made(name, [element]) if name else _holding(element)


def _outside(term: str, bound: Mapping[str, str]) -> str:
    """Return a term without the names of a comprehension, which mean nothing outside of it."""
    used = {name for name in _HEAD.findall(term) if name in bound}
    if any("|" in bound[name] or bound[name] == UNKNOWN for name in used):
        plain = ungiven(term)
        return _outside(plain, bound) if plain != term else UNKNOWN
    return _HEAD.sub(lambda name: bound.get(name[0], name[0]), term) if used else term


BUILT_IN: tuple[type, ...] = (
    str,
    bytes,
    bytearray,
    int,
    float,
    complex,
    list,
    tuple,
    dict,
    set,
    frozenset,
    range,
    slice,
    memoryview,
)
_LITERALS = {
    "string": "str",
    "concatenated_string": "str",
    "integer": "int",
    "float": "float",
    "true": "bool",
    "false": "bool",
    "list": "list",
    "list_comprehension": "list",
    "tuple": "tuple",
    "dictionary": "dict",
    "set": "set",
    "set_comprehension": "set",
}
_ENUMERATION = re.compile(r"(?:^|[.A-Za-z])(?:Enum|Flag|Choices)$")
"""How classes are called whose attributes are their objects: https://docs.python.org/3/library/enum.html, Django's."""

ASSIGNED: Made = given("left", "right")


def listed(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a module or a class has the value on the right; what an enumeration lists is one of its objects."""
    right = node.child_by_field_name("right")
    if right is not None and right.type != "lambda" and _is_listed(node):
        yield from ((name, "Self()") for name, _ in ASSIGNED(node, spell))
    else:
        yield from ASSIGNED(node, spell)


def _is_listed(node: Node) -> bool:
    """Tell whether an assignment stands directly in an enumeration."""
    body = node.parent.parent if node.parent is not None else None
    around = body.parent if body is not None and body.type == "block" else None
    listed = around.child_by_field_name("superclasses") if around is not None else None
    return listed is not None and any(_ENUMERATION.search(text(base)) for base in listed.named_children)


TERMS: Mapping[str, Spelling] = {
    "assignment": terms.same("right"),
    "call": _called,
    "await": terms.same(),
    "parenthesized_expression": terms.same(),
    "named_expression": _value,
    "conditional_expression": _chosen,
    "boolean_operator": terms.one_of("left", "right"),
    "binary_operator": _joined,
    "subscript": _subscript,
    "type": _annotation,
    "generic_type": _special,
    "union_type": terms.one_of(),
    "member_type": terms.same(),
    **{kind: terms.named(f"{name}()") for kind, name in _LITERALS.items()},
    "list": _list,
    "set": _list,
    _SPLAT: lambda node, spell: _each(spell(node.named_children[0])),
    "tuple": _tuple,
    "expression_list": _tuple,
    "dictionary": _dictionary,
    **dict.fromkeys(_COMPREHENSIONS, _comprehended),
    "lambda": _lambda,
}


# --- What fills collections

_NAMED = re.compile(r"(?:self\.)?[^\W\d]\w*")
_OF_KEYS = re.compile(r"((?:self\.)?[^\W\d]\w*)(?:\[\]|\.setdefault\(\))")


def _filled(kind: str, step: str = "", at: int = 0) -> Fills:
    """Return what tells of a call that it puts an argument into a collection of a kind, or each element of that."""

    def told(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
        given = _positional(call.child_by_field_name("arguments"))
        term = then(spell(given[at]), step) if at < len(given) else UNKNOWN
        held, plain = _made(kind, [term]), ungiven(receiver)
        keyed = _OF_KEYS.fullmatch(plain)
        if keyed is not None:
            yield keyed[1], _made("dict", [UNKNOWN, held]) if term != UNKNOWN else held
        elif _NAMED.fullmatch(plain):
            yield plain, held

    return told


def _set(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a.setdefault(key, value)`` what it puts into a dictionary."""
    given = _positional(call.child_by_field_name("arguments"))
    if len(given) == len(("key", "value")) and _NAMED.fullmatch(receiver):
        yield receiver, _made("dict", map(spell, given))


def _stored(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a[key] = value`` what it puts into a dictionary, or a list."""
    left = node.child_by_field_name("left")
    if left is None or left.type != "subscript" or len(_parts(left)) != len(("a", "key")):
        return
    value = node.child_by_field_name("right")
    collection = text(left.child_by_field_name("value"))
    if _NAMED.fullmatch(collection):
        yield collection, _made("dict", [spell(left.child_by_field_name("subscript")), spell(value)])


def _added(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a += values`` what it puts into a list or a set."""
    collection, value = text(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))
    if text(node.child_by_field_name("operator")) in ("+=", "|=") and _NAMED.fullmatch(collection):
        yield collection, _made("list", [_each(value)])


PUTS: Mapping[str, Puts] = {"assignment": _stored, "augmented_assignment": _added}

FILLERS: Mapping[str, Fills] = {
    "add": _filled("set"),
    **dict.fromkeys(("append", "appendleft"), _filled("list")),
    "insert": _filled("list", at=1),
    "extend": _filled("list", "*"),
    "setdefault": _set,
}
EMPTY: frozenset[str] = frozenset(
    "list() set() dict() deque() collections.deque() defaultdict<?,list()^>() collections.defaultdict<?,list()^>()"
    " defaultdict<?,set()^>() collections.defaultdict<?,set()^>()".split()
)
"""How collections are spelled that are made empty."""
