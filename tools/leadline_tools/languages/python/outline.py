"""Definitions of Python: the targets of assignments, attributes of the own object, classes that calls make.

A *target* is what an assignment, a loop or a ``with`` gives a value to: a name, an attribute or an element. See
https://docs.python.org/3/reference/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.files import module_of_path
from leadline_tools.languages.rules.outline import NodeSymbols
from leadline_tools.languages.terms import Spell
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.model import SymbolKind


def name_module(path: str) -> str:
    """Return the dotted module of a path; a package is called like its folder."""
    return module_of_path(path).removesuffix(".__init__")


_PATTERNS: Final = frozenset(
    "pattern_list tuple_pattern list_pattern list_splat_pattern as_pattern_target tuple list list_splat"
    " parenthesized_expression".split()
)
"""Nodes that take a value apart, or stand around what is given one."""

OWN_NAMES: Final[frozenset[str]] = frozenset({"self", "cls"})
"""How methods call their own object, or class."""


def yield_targets(target: Node | None) -> Iterator[Node]:
    """Yield what a pattern gives values to, in its order: names, attributes, elements."""
    stack = [target] if target is not None else []
    while stack:
        node = stack.pop()
        if node.type in _PATTERNS:
            stack.extend(reversed(node.named_children))
        else:
            yield node


def list_names(targets: Iterable[Node]) -> Sequence[Node]:
    """Return the names among targets."""
    return [one for one in targets if one.type == "identifier"]


def yield_own_attributes(targets: Iterable[Node]) -> Iterator[Node]:
    """Yield the names of the attributes among targets that belong to the object of the method."""
    for one in targets:
        if one.type == "attribute":
            owner, name = one.child_by_field_name("object"), one.child_by_field_name("attribute")
            if owner is not None and name is not None and owner.type == "identifier" and is_own(owner):
                yield name


def is_own(owner: Node) -> bool:
    """Return whether a name is that by which a method calls its own object: its first parameter, mostly ``self``."""
    if text(owner) in OWN_NAMES:
        return True
    around = owner.parent
    while around is not None and around.type not in ("function_definition", "lambda"):
        around = around.parent
    first = find_own_parameter(around) if around is not None else None
    return first is not None and text(first) == text(owner)


def find_own_parameter(function: Node) -> Node | None:
    """Return the parameter of a method that is given its object, or its class; None for what is no method."""
    outer = function.parent
    decorated = outer is not None and outer.type == "decorated_definition"
    body = outer.parent if decorated and outer is not None else outer
    if body is None or body.parent is None or body.parent.type != "class_definition":
        return None
    if decorated and outer is not None and is_decorated(outer, "staticmethod"):
        return None
    parameters = function.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    return first if first is not None and first.type == "identifier" else None


def is_decorated(definition: Node, name: str) -> bool:
    """Return whether a decorated definition has a decorator of a name."""
    return any(child.type == "decorator" and text(child)[1:].strip() == name for child in definition.named_children)


def _yield_assignment_targets(node: Node) -> Iterator[Node]:
    """Yield what an assignment gives a value to, with the others in ``a = b = value``."""
    at: Node | None = node
    while at is not None and at.type == "assignment":
        yield from yield_targets(at.child_by_field_name("left"))
        at = at.child_by_field_name("right")


def list_assigned_names(node: Node) -> Sequence[Node]:
    """Return the names to which an assignment gives a value."""
    return _list_assigned_names(node, node.child_by_field_name("right"))


def _list_assigned_names(node: Node, value: Node | None) -> Sequence[Node]:
    left = node.child_by_field_name("left")
    if left is not None and left.type == "identifier" and (value is None or value.type != "assignment"):
        return (left,)
    return list_names(_yield_assignment_targets(node))


def list_assigned_attributes(node: Node) -> Sequence[Node]:
    """Return the attributes of the own object to which an assignment gives a value."""
    return list(yield_own_attributes(_yield_assignment_targets(node)))


def yield_entered_patterns(node: Node) -> Iterator[Node]:
    """Yield the ``a as b`` of a ``with`` statement."""
    for clause in node.named_children:
        for item in clause.named_children if clause.type == "with_clause" else ():
            value = item.child_by_field_name("value")
            if value is not None and value.type == "as_pattern":
                yield value


def yield_entered_targets(node: Node) -> Iterator[Node]:
    """Yield what a ``with`` statement gives a value to."""
    for one in yield_entered_patterns(node):
        yield from yield_targets(one.child_by_field_name("alias"))


def yield_loop_targets(node: Node) -> Iterator[Node]:
    """Yield what a loop gives a value to."""
    return yield_targets(node.child_by_field_name("left"))


def list_made_bases(node: Node) -> Sequence[Node]:
    """Return the bases of the class that an assignment has ``type("A", (B,), {})`` make; none for any other."""
    return _list_given_bases(node.child_by_field_name("right"))


def _list_given_bases(call: Node | None) -> Sequence[Node]:
    """Return the bases that ``type("A", (B,), {})`` is given; none for any other value."""
    if call is None or call.type != "call":
        return ()
    function = call.child_by_field_name("function")
    if function is None or function.type != "identifier" or text(function) != "type":
        return ()
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else list[Node]()
    if len(given) != len(("name", "bases", "namespace")) or given[1].type != "tuple":
        return ()
    return given[1].named_children


def spell_made_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a class inherits from that a call makes."""
    return (spell(base) for base in list_made_bases(node))


def classify_assignment(node: Node) -> SymbolKind:
    """Tell a class, a constant and a variable by what an assignment gives to what."""
    return look_at_assignment(node).kind or SymbolKind.Variable


def look_at_assignment(node: Node) -> NodeSymbols:
    """Return what an assignment defines."""
    value = node.child_by_field_name("right")
    names = _list_assigned_names(node, value)
    if _list_given_bases(value):
        return new_tuple(NodeSymbols, (SymbolKind.Class, names, (), (), True))
    kind = SymbolKind.Constant if names and text(names[0]).isupper() else SymbolKind.Variable
    return new_tuple(NodeSymbols, (kind, names, (), (), True))


def look_at_class(node: Node) -> NodeSymbols:
    """Return what the definition of a class defines."""
    return _named_once(node, SymbolKind.Class)


def look_at_function(node: Node) -> NodeSymbols:
    """Return what the definition of a function defines."""
    return _named_once(node, SymbolKind.Function)


def _named_once(node: Node, kind: SymbolKind) -> NodeSymbols:
    """Return the symbol of a node with one name: to look for all children of a field takes three times as long."""
    name = node.child_by_field_name("name")
    names = (name,) if name is not None else ()
    return new_tuple(NodeSymbols, (kind, names, node.children_by_field_name("body"), (), True))


def find_type_alias(node: Node) -> Sequence[Node]:
    """Return the name of a type alias, which may stand before its type parameters.

    The grammar also takes ``type(a).b = c`` for one, which has no name.
    """
    left = name = node.child_by_field_name("left")
    while name is not None and name.type != "identifier":
        name = name.named_children[0] if name.named_children else None
    return () if left is None or name is None or name.start_byte != left.start_byte else (name,)
