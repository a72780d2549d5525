"""Names in strings of Python: annotations in quotes, ``__all__``, ``__slots__``."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.calls import CASTS, is_called
from leadline_tools.languages.python.library import is_bound_argument
from leadline_tools.languages.rules.imports import WILDCARD
from leadline_tools.languages.rules.uses import Quoted
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role

_DOTTED_NAME = lazy_compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_SPECIAL_FORMS = frozenset(typing.__all__) - {"Literal", "Annotated"}
_GENERIC_CLASSES = frozenset("defaultdict deque dict frozenset list set tuple type".split())
_ALIAS = frozenset({"TypeAlias", "typing.TypeAlias", "typing_extensions.TypeAlias"})
_LOCAL = frozenset({"function_definition", "lambda"})
_QUOTED_NAME = lazy_compile(r"[\"'][^\W\d]\w*[\"']")
_PLAIN_STRING = lazy_compile(r"[\"'][^\"'\\\n]*[\"']")


def read_quoted_annotation(node: Node) -> Iterator[Quoted]:
    """Yield the names in an annotation that is a string."""
    if node.named_children:
        yield from _read_quoted_type(node.named_children[0])


def _read_quoted_type(inner: Node) -> Iterator[Quoted]:
    """Yield the names in a type that is a string, and in those of a list of types."""
    for listed in inner.named_children if inner.type == "list" else ():
        yield from _read_quoted_type(listed)
    if inner.type != "string" or not _PLAIN_STRING.fullmatch(text(inner)) or not text(inner).isascii():
        return
    for dotted in _DOTTED_NAME.finditer(text(inner)):
        receiver, start = "", dotted.start()
        for name in dotted[0].split("."):
            yield Quoted(inner, start, name, receiver, Role.Type)
            receiver = f"{receiver}.{name}" if receiver else name
            start += len(name) + 1


def read_quoted_arguments(node: Node) -> Iterator[Quoted]:
    """Yield the names in the quoted arguments of a generic type that stands in an expression.

    Outside of functions ``list["A"]`` is a type: https://typing.python.org/en/latest/spec/aliases.html. In a function
    ``list`` may be a variable, and a special form of ``typing`` is a type everywhere. So is what a class inherits from.
    """
    quoted = [one for one in node.children_by_field_name("subscript") if one.type in ("string", "list")]
    form = text(node.child_by_field_name("value")).rpartition(".")[2] if quoted else ""
    if form in _SPECIAL_FORMS or (form in _GENERIC_CLASSES and not _is_local(node)) or (form and _is_base(node, form)):
        for argument in quoted:
            yield from _read_quoted_type(argument)


def _is_base(node: Node, form: str) -> bool:
    """Return whether a class inherits from a type with arguments; by its name that is none of a table of classes."""
    listed = node.parent if form[:1].isupper() and not form.isupper() else None
    around = listed.parent if listed is not None and listed.type == "argument_list" else None
    return around is not None and around.type == "class_definition"


def _is_local(node: Node) -> bool:
    """Return whether a node is in a function."""
    around = node.parent
    while around is not None and around.type not in _LOCAL:
        around = around.parent
    return around is not None


def read_quoted_in_assignment(node: Node) -> Iterator[Quoted]:
    """Yield the names in the strings of ``__all__`` and ``__slots__``, and of a type that is one string."""
    annotation, right = node.child_by_field_name("type"), node.child_by_field_name("right")
    if annotation is not None and right is not None and text(annotation) in _ALIAS:
        yield from _read_quoted_type(right)
    yield from read_exported(node)


def read_quoted_bound(node: Node) -> Iterator[Quoted]:
    """Yield the names in what bounds a type variable."""
    value = node.child_by_field_name("value") if is_bound_argument(node) else None
    if value is not None:
        yield from _read_quoted_type(value)


def _read_quoted_cast(node: Node) -> Iterator[Quoted]:
    """Yield the names in the type that ``cast`` is told."""
    arguments = node.child_by_field_name("arguments") if is_called(node, CASTS) else None
    if arguments is not None and arguments.named_children:
        yield from _read_quoted_type(arguments.named_children[0])


ALL_NAMES: Final = "__all__"
_NAMES_MEMBERS: Final = frozenset({"__slots__", "__match_args__"})
_LISTING: Final = frozenset(
    "list tuple set expression_list binary_operator parenthesized_expression dictionary".split()
)
_CHANGES_OF_ALL: Final = frozenset({"append", "extend", "insert", "remove"})


def read_exported(node: Node) -> Iterator[Quoted]:
    """Yield the names in ``__all__``, and those of attributes in ``__slots__``."""
    name, names = text(node.child_by_field_name("left")), node.child_by_field_name("right")
    if names is not None and (name == ALL_NAMES or name in _NAMES_MEMBERS):
        yield from _read_listed_strings(names, "" if name == ALL_NAMES else "Self")


def _read_exported_later(node: Node) -> Iterator[Quoted]:
    """Yield the names that a call puts into ``__all__``."""
    function = node.child_by_field_name("function")
    owner = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if (
        owner is None
        or owner.end_byte - owner.start_byte != len(ALL_NAMES)
        or text(owner) != ALL_NAMES
        or function is None
    ):
        return
    arguments = node.child_by_field_name("arguments")
    if text(function.child_by_field_name("attribute")) in _CHANGES_OF_ALL and arguments is not None:
        for argument in arguments.named_children:
            yield from _read_listed_strings(argument, "")


def _read_listed_strings(names: Node, receiver: str) -> Iterator[Quoted]:
    """Yield the names in the strings of a list, or of several that are put together."""
    stack = [names]
    while stack:
        node = stack.pop()
        if node.type == "string" and _QUOTED_NAME.fullmatch(text(node)):
            yield Quoted(node, 1, text(node)[1:-1], receiver, Role.Other)
        elif node.type in _LISTING:
            stack.extend(reversed(node.named_children))
        elif node.type == "pair":
            stack.extend(node.children_by_field_name("key"))
        elif not receiver and node.type != "comment":
            yield Quoted(node, 0, WILDCARD, receiver, Role.Other)


def read_quoted_in_call(node: Node) -> Iterator[Quoted]:
    """Yield the names in strings that a call is given."""
    yield from _read_quoted_cast(node)
    yield from _read_exported_later(node)
