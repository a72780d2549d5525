"""Declarations that a function makes outside of itself.

An *attribute* is a member of its own object to which a method gives a value: the class declares it so, unless it does
elsewhere. A *borrowed* name is a variable of the module that a function may give a value (``global`` of Python).
"""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.blanking import Attribute
from leadline_tools.languages.nodes import text
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, NO_SPAN, Definition
from leadline_tools.languages.outline_walk.spans import SpanFinder
from leadline_tools.languages.positions import Columns, Positions, last_row
from leadline_tools.languages.rules.outline import Defines
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.model import SymbolKind


class OuterDeclarations:
    """Collects such declarations beside ``found``, the definitions that the walk has come upon.

    The parent of a declaration is the function that declares it, until ``merge`` puts it where it belongs.
    """

    def __init__(
        self,
        content: bytes,
        columns: Columns,
        positions: Positions,
        spans: SpanFinder,
        found: list[Definition],
    ) -> None:
        self._content = content
        self._columns = columns
        self._positions = positions
        self._spans = spans
        self._found = found
        self._declared: list[Definition] = []
        self._borrowed: set[tuple[int, str]] = set()
        self._last_around = 0

    def borrow(self, node: Node, function: int) -> None:
        """Note the names that a function borrows."""
        self._borrowed.update((function, text(name)) for name in node.named_children)

    def add(self, node: Node, rule: Defines, function: int) -> None:
        """Add the attributes, and the borrowed names, that a node in a function gives values to."""
        for name in rule.attributes(node) if rule.attributes is not None else ():
            line, column = name.start_point[0] + 1, self._columns.of(name)
            head = self._spans.head_end(node, rule.body(node)) if rule.holds else node.end_byte
            end_line = line if rule.holds else last_row(node) + 1
            self._add_attribute(text(name), line, column, end_line, (node.start_byte, head), function)
        if self._borrowed:
            for name in rule.name(node):
                spelled = text(name)
                if (function, spelled) in self._borrowed:
                    line, column = name.start_point[0] + 1, self._columns.of(name)
                    self._add_variable(spelled, rule, node, (line, column), function)

    def _add_variable(self, name: str, rule: Defines, node: Node, position: tuple[int, int], function: int) -> None:
        """Add a variable of the module to which a function gives a value."""
        kind = rule.kind if isinstance(rule.kind, SymbolKind) else rule.kind(node)
        while self._found[function].parent >= 0:
            function = self._found[function].parent
        span = node.start_byte, node.end_byte
        if kind is not None:
            values = (name, kind, *position, position[0], last_row(node) + 1, "", function, span, NO_SPAN, None)
            self._declared.append(new_tuple(Definition, values))

    def add_left_out(self, attribute: Attribute) -> None:
        """Add an attribute in a body that was left out of the tree, once all definitions are found."""
        content, found = self._content, self._found
        line, column = self._positions.at(attribute.name)
        around = self._last_around
        while around + 1 < len(found) and found[around + 1].start_line <= line:
            around += 1
        self._last_around = around
        while around >= 0 and (found[around].end_line < line or found[around].kind not in CALLABLE):
            around = found[around].parent
        if around < 0:
            return
        start = content.rfind(b"\n", 0, attribute.name) + 1
        start += len(content[start : attribute.name]) - len(content[start : attribute.name].lstrip())
        end_line = line + content.count(b"\n", attribute.name, attribute.end)
        name = content[attribute.name : attribute.name_end].decode("utf-8", "replace")
        self._add_attribute(name, line, column, end_line, (start, attribute.end), around)

    def _add_attribute(self, name: str, line: int, column: int, end: int, span: tuple[int, int], function: int) -> None:
        """Add an attribute; nothing outside of classes."""
        found = self._found
        method = around = function
        while around >= 0 and found[around].kind in CALLABLE:
            method, around = around, found[around].parent
        if around < 0 or found[around].kind not in CLASS_LIKE:
            return
        container = found[around].path
        values = (name, SymbolKind.Field, line, column, line, end, container, method, span, NO_SPAN, None)
        self._declared.append(new_tuple(Definition, values))

    def merge(self) -> list[Definition]:
        """Return all definitions, with each declaration after the function that declares it.

        What has the same dotted name is declared already.
        """
        found = self._found
        if not self._declared:
            return found
        known = {(one.container, one.name) for one in found}
        after: dict[int, list[Definition]] = {}
        for one in sorted(self._declared, key=_position_of):
            if (one.container, one.name) not in known:
                known.add((one.container, one.name))
                after.setdefault(one.parent, []).append(one)
        return _insert(found, after) if after else found


def _position_of(definition: Definition) -> tuple[int, int]:
    return definition.line, definition.column


def _insert(found: list[Definition], after: dict[int, list[Definition]]) -> list[Definition]:
    """Return ``found`` with the declarations of each function, by its index, ``after`` all that is inside of it."""
    first = min(after)
    merged = found[: first + 1]
    indexes = list(range(first + 1))
    around: list[int] = []
    index = first
    while index >= 0:
        around.append(index)
        index = found[index].parent
    around.reverse()
    for index in range(first + 1, len(found)):
        one = found[index]
        while around and around[-1] != one.parent:
            _insert_after(around.pop(), found, indexes, after, merged)
        indexes.append(len(merged))
        parent = indexes[one.parent] if one.parent >= 0 else -1
        merged.append(one if parent == one.parent else one.inside(parent))
        around.append(index)
    while around:
        _insert_after(around.pop(), found, indexes, after, merged)
    return merged


def _insert_after(
    index: int,
    found: list[Definition],
    indexes: list[int],
    after: dict[int, list[Definition]],
    merged: list[Definition],
) -> None:
    """Add what a function declares, once all that is inside of it is added."""
    if index in after:
        parent = found[index].parent
        merged.extend(one.inside(indexes[parent] if parent >= 0 else -1) for one in after.pop(index))
