"""Annotations and base classes of Python as terms, with the special forms of ``typing``.

A *special form* is a name of ``typing`` that takes types as arguments. See
https://docs.python.org/3/library/typing.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.calls import list_parts
from leadline_tools.languages.python.generics import spell_field_types
from leadline_tools.languages.python.objects import make_iterable
from leadline_tools.languages.terms import (
    COLLECTION,
    FUNCTION,
    TUPLE,
    UNKNOWN,
    Spell,
    apply_type_arguments,
    either,
    object_of,
    then,
)
from leadline_tools.lazy_regex import lazy_compile

_TRANSPARENT = frozenset(
    "Annotated Awaitable ClassVar Final InitVar Mapped NotRequired Optional ReadOnly Required".split()
)
"""Special forms that stand for their first argument: https://docs.python.org/3/library/typing.html. What is awaited is
not told from what that gives. Objects of a class have what its ``Mapped`` attributes hold:
https://docs.sqlalchemy.org/en/20/orm/quickstart.html."""
_CALLABLE = "Callable"
_UNPACKED = lazy_compile(r"(?:\w+\.)*Unpack<(.*)>")

_PROPERTY_DECORATORS = frozenset({"getter", "setter", "deleter"})
_CONTEXT_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


def find_annotation(node: Node) -> Node | None:
    """Return the annotation of a variable or parameter; that of ``*args`` is one of its elements."""
    starred = node.named_children[0].type.endswith("splat_pattern") if node.named_children else False
    return None if starred else node.child_by_field_name("type")


def bind_collected(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give ``*a: A`` several objects of the type, and ``**a: A`` those by their names; ``**a: Unpack[A]`` is an ``A``.

    https://typing.python.org/en/latest/spec/callables.html#unpack-for-keyword-arguments
    """
    name, kind = node.named_children[0], node.child_by_field_name("type")
    term = spell(kind) if kind is not None and name.type.endswith("splat_pattern") else UNKNOWN
    if term == UNKNOWN or not name.named_children:
        return
    by_name = name.type.startswith("dict")
    unpacked = _UNPACKED.fullmatch(term) if by_name else None
    if unpacked is not None:
        held = unpacked[1]
    elif by_name:
        held = apply_type_arguments("dict", ["str", term])
    else:
        held = apply_type_arguments(COLLECTION, [term])
    yield name.named_children[0], object_of(held)


def spell_annotation(node: Node, spell: Spell) -> str:
    """Spell what an annotation names."""
    return spell_type(node.named_children[0], spell) if node.named_children else UNKNOWN


def spell_type(node: Node, spell: Spell) -> str:
    """Spell a type; one in quotes is read like any other."""
    if node.type != "string":
        return spell(node)
    try:
        return _spell_quoted(ast.parse(text(node).strip("\"'").strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN


def _spell_quoted(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(owner, name):
            return then(_spell_quoted(owner), f".{name}")
        case ast.BinOp(left, ast.BitOr(), right):
            return either((_spell_quoted(left), _spell_quoted(right)))
        case ast.Subscript(form, ast.Tuple(arguments)):
            groups = (argument.elts if isinstance(argument, ast.List) else [argument] for argument in arguments)
            return _apply_form(_spell_quoted(form), [_spell_quoted(one) for listed in groups for one in listed])
        case ast.Subscript(form, argument):
            return _apply_form(_spell_quoted(form), [_spell_quoted(argument)])
        case _:
            return UNKNOWN


def spell_special(node: Node, spell: Spell) -> str:
    """Spell a type with arguments, ``Optional[A]`` and the like as what they stand for."""
    named = list_parts(node)
    if not named:
        return UNKNOWN
    name = spell(named[0])
    arguments = [one for child in named[1:] for one in (child.named_children if "param" in child.type else [child])]
    if name.endswith(_CALLABLE):
        arguments = [one for argument in arguments for one in _list_parameter_types(argument)]
    return _apply_form(name, [spell_type(argument, spell) for argument in arguments])


def _list_parameter_types(argument: Node) -> Sequence[Node]:
    """Return the types that a function takes, which are listed in brackets; else the argument itself."""
    listed = argument.named_children[0] if argument.type == "type" and argument.named_children else argument
    return listed.named_children if listed.type == "list" else [argument]


def _apply_form(name: str, arguments: Sequence[str]) -> str:
    """Return a type with arguments, or what a special form stands for."""
    form = name.rpartition(".")[2]
    if form == "Union":
        return either(arguments)
    if form in _TRANSPARENT:
        return arguments[0] if arguments else UNKNOWN
    if form == "Coroutine":
        return arguments[-1] if arguments else UNKNOWN
    if form == _CALLABLE:
        return apply_type_arguments(FUNCTION, [*arguments[-1:], *arguments[:-1]])
    if form in ("type", "Type"):
        return then(arguments[0], "^") if arguments else UNKNOWN
    return apply_type_arguments(TUPLE if form in ("tuple", "Tuple") else name, arguments)


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Spell what a class inherits from; a named tuple is a tuple of its fields too.

    https://docs.python.org/3/library/typing.html#typing.NamedTuple
    """
    listed, body = node.child_by_field_name("superclasses"), node.child_by_field_name("body")
    for base in listed.named_children if listed is not None else ():
        if base.type not in ("keyword_argument", "comment"):
            yield spell_special(base, spell) if base.type == "subscript" else spell(base)
        parts = spell_field_types(body, spell) if body is not None and text(base) in _NAMED_TUPLES else ()
        if any(part != UNKNOWN for part in parts):
            yield apply_type_arguments(TUPLE, parts)


_NAMED_TUPLES = frozenset({"NamedTuple", "typing.NamedTuple", "t.NamedTuple", "typing_extensions.NamedTuple"})


def _list_decorators(node: Node) -> Iterator[str]:
    around = node.parent
    for child in around.children if around is not None and around.type == "decorated_definition" else ():
        if child.type == "decorator" and child.named_children:
            name = child.named_children[0]
            name = name.child_by_field_name("function") or name if name.type == "call" else name
            yield text(name).rpartition(".")[2]


def is_property(node: Node) -> bool:
    """Return whether a function is read like a variable, or says what becomes of one that is."""
    return any(name.endswith("property") or name in _PROPERTY_DECORATORS for name in _list_decorators(node))


def find_result(node: Node) -> Node | None:
    """Return the annotation of what a call returns; of a context manager, that of what it enters."""
    annotation = node.child_by_field_name("return_type")
    return _find_first_argument(annotation) if annotation is not None and _is_context_manager(node) else annotation


def _find_first_argument(annotation: Node) -> Node | None:
    """Return the first argument of a type in an annotation: what an iterator of a type gives."""
    generic = annotation.named_children[0] if annotation.named_children else None
    if generic is None or generic.type != "generic_type":
        return generic.child_by_field_name("subscript") if generic is not None else None
    return next((child.named_children[0] for child in generic.named_children[1:] if child.named_children), None)


def _is_context_manager(function: Node) -> bool:
    return not _CONTEXT_MANAGERS.isdisjoint(_list_decorators(function))


def spell_yielded(node: Node, spell: Spell) -> str:
    """Spell what a function with ``yield`` returns: what gives each value; a context manager, what it enters."""
    value = node.named_children[0] if node.named_children else None
    term = spell(value)
    function = node.parent
    while function is not None and function.type != "function_definition":
        function = function.parent
    if function is not None and _is_context_manager(function):
        return term
    return make_iterable(then(term, "*") if any(child.type == "from" for child in node.children) else term)
