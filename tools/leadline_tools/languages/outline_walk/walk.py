"""The walk through a syntax tree that finds definitions, and the outline that it makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.blanking import Bodies
from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import text
from leadline_tools.languages.outline import (
    CALLABLE,
    CLASS_LIKE,
    NO_SPAN,
    VARIABLE,
    Definition,
    has_colon,
    join_dotted,
    numbered,
)
from leadline_tools.languages.outline_walk.documented_types import merge_documented_types
from leadline_tools.languages.outline_walk.headings import nest_headings
from leadline_tools.languages.outline_walk.levels import Level, reversed_children
from leadline_tools.languages.outline_walk.node_meanings import (
    BORROW,
    COMMENT,
    NOTHING,
    PREFIX,
    THROUGH,
    WRAPPER,
    ImportBesides,
    Meaning,
    find_meaning,
    known_meanings,
)
from leadline_tools.languages.outline_walk.outer_declarations import OuterDeclarations
from leadline_tools.languages.outline_walk.parameters import list_parameters
from leadline_tools.languages.outline_walk.spans import SpanFinder
from leadline_tools.languages.outline_walk.supertypes import relation_collector
from leadline_tools.languages.outline_walk.text_definitions import TextDefinitions
from leadline_tools.languages.positions import Columns, Positions, last_row
from leadline_tools.languages.relations import Relations
from leadline_tools.languages.rules.outline import Defines, NodeSymbols
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.model import SymbolKind

_IN_METHODS: Final = CALLABLE | VARIABLE
"""Kinds of what is no class, around something in a method."""

_SAME_IN_CLASSES: Final = CLASS_LIKE | {SymbolKind.Constructor}
"""Kinds of what is of the same kind as a member."""

_SPACES: Final = frozenset({SymbolKind.Namespace, SymbolKind.Module})
"""Kinds that what is defined inside by a dotted name still belongs to."""

_LEAD: Final = re.compile(rb"[a-z]+\s+")
"""The keyword between the start of a declaration and the only name that it declares: ``const f = ...``."""

_LONGEST_PATH: Final = 2000
"""What is nested so deep that its dotted name is longer is not looked into: only hostile files are."""

_NOTHING_LEFT_OUT: Final = Bodies(())


def outline(
    root: Node,
    content: bytes,
    language: Language,
    *,
    parameters: bool = True,
    spans: bool = True,
    left_out: Bodies = _NOTHING_LEFT_OUT,
    relations: Relations | None = None,
) -> list[Definition]:
    r"""Return the definitions below ``root``, in the order of the source.

    Args:
        root: The root of the tree of ``content``.
        content: The source, UTF-8, lines ending in ``\n``.
        language: What the tree was parsed with.
        parameters: False leaves out those of what can be called.
        spans: False leaves out signatures and documentation: facts need none.
        left_out: What was left out of the tree: the definitions in it are put where they belong.
        relations: Takes what the source says of types and names in other files, where that is wanted.

    """
    walk = _Walk(content, language, left_out, relations, parameters=parameters, spans=spans)
    walk.visit(root)
    walk.text_definitions.add_before(len(content), walk.found)
    for attribute in left_out.attributes:
        walk.outer_declarations.add_left_out(attribute)
    if walk.heading_levels:
        return nest_headings(walk.found, walk.heading_levels, last_row(root) + 1)
    found = walk.outer_declarations.merge()
    documented = language.semantics.types.read_documentation if language.semantics is not None else None
    types = documented(content).types if documented is not None else ()
    return merge_documented_types(found, types, content) if types else found


class _Walk:
    """The state of one walk.

    Attributes:
        found: The definitions so far.
        heading_levels: The levels of those that are headings, by their indexes.
        outer_declarations: What functions declare outside of themselves.
        text_definitions: What the text tells of what is not in the tree.

    """

    def __init__(
        self,
        content: bytes,
        language: Language,
        left_out: Bodies,
        relations: Relations | None,
        *,
        parameters: bool,
        spans: bool,
    ) -> None:
        self.found: list[Definition] = []
        self.heading_levels: dict[int, int] = {}
        self._content = content
        self._language = language
        self._columns = Columns(content)
        self._plain = self._columns.plain
        positions = Positions(content, self._columns)
        self._spans = SpanFinder(content, language)
        self._docstrings = language.outline.docstring
        self._parameters_wanted = parameters
        self._spans_wanted = spans
        self.text_definitions = TextDefinitions(content, left_out.definitions, positions, parameters=parameters)
        self.outer_declarations = OuterDeclarations(content, self._columns, positions, self._spans, self.found)
        self._relations = relation_collector(content, language, relations)
        self._meanings = known_meanings(language)
        embedded = language.outline.embedded
        self._embedded = [kind for kind, mark in embedded.items() if mark in content] if embedded else []
        self._variables: set[tuple[int, str, str]] = set()
        self._expanded: set[int] = set()
        self._functions_apart = language.outline.has_functions_apart
        self._hiding_block = language.outline.hiding_block
        self._functions: dict[str, int] = {}
        self._numbers: dict[int, int] = {}
        self._texts_apart: dict[str, int] = {}
        self._extended: dict[str, list[str]] = {}
        self._by_arity = language.semantics is not None and language.semantics.types.by_arity

    def visit(self, root: Node) -> None:
        """Visit the nodes below ``root``, those inside of a node before those after it."""
        meanings, spans = self._meanings, self._spans
        stack = [Level(reversed_children(root), -1, "", None)]
        while stack:
            level = stack[-1]
            comment: Node | None = level.comment  # the first of those just before the next node
            last: Node | None = None
            prefix: Node | None = None
            children = level.children
            while children:
                node = children.pop()
                meaning = meanings.get(node.kind_id) or self._find_meaning(node)
                if meaning is COMMENT:
                    if comment is None or last is None or not spans.is_adjacent(last, node):
                        comment = node if spans.begins_documentation(node) else None
                    last = node
                    continue
                if meaning is PREFIX:
                    prefix, last = prefix or node, node
                    continue
                before, last_before, first = comment, last, prefix
                last = prefix = None
                if level.wrapper is None:
                    level.comment = comment = None  # of a wrapper it is that of the whole, whichever child defines
                else:
                    comment = level.comment
                if meaning is NOTHING:
                    continue
                if before is not None and last_before is not None and not spans.is_adjacent(last_before, node):
                    before = None
                inside = self._enter(node, meaning, level, first, before)
                if inside is not None:
                    stack.append(inside)
                    break
            else:
                stack.pop()

    def _find_meaning(self, node: Node) -> Meaning:
        """Return what a node means, and keep it for the others of its type."""
        meaning = self._meanings[node.kind_id] = find_meaning(node, self._language)
        return meaning

    def _enter(
        self, node: Node, meaning: Meaning, level: Level, prefix: Node | None, comment: Node | None
    ) -> Level | None:
        """Take in what ``node`` defines; return the level inside it that is to be visited next."""
        if self._embedded and level.kind not in CALLABLE:
            self._define_embedded(node, level)
        if meaning is THROUGH:
            return self._enter_holder(node, level, comment)
        if isinstance(meaning, Defines):
            return self._enter_definition(node, meaning, level, prefix, comment)
        if meaning is WRAPPER:
            whole = level.wrapper or node
            inner = reversed_children(node)
            within = level.function
            return Level(
                inner, level.parent, level.container, level.kind, wrapper=whole, comment=comment, function=within
            )
        if meaning is BORROW:
            self.outer_declarations.borrow(node, level.parent)
        elif self._relations is not None:
            self._relations.add_import(node)
        return (
            self._enter(node, meaning.besides, level, prefix, comment) if isinstance(meaning, ImportBesides) else None
        )

    def _enter_definition(
        self, node: Node, rule: Defines, level: Level, prefix: Node | None, comment: Node | None
    ) -> Level | None:
        """Take in what a node defines by a rule; return the level inside it that is to be visited next."""
        if rule.attributes is not None and level.kind in CALLABLE:
            self.outer_declarations.add(node, rule, level.parent)
            return self._enter_holder(node, level, comment) if rule.holds else None
        symbols = rule.symbols(node)
        if symbols.beside and node.id not in self._expanded:
            return self._enter_beside(node, symbols.beside, level, comment)
        if prefix is None or level.wrapper is not None:
            return self._define(node, rule, symbols, level, comment)
        level.wrapper = prefix
        inside = self._define(node, rule, symbols, level, comment)
        level.wrapper = None
        return inside

    def _enter_beside(self, node: Node, beside: Sequence[Node], level: Level, comment: Node | None) -> Level:
        """Return what holds the definitions that come before those of ``node``, which is then met once more."""
        self._expanded.add(node.id)
        level.children.append(node)
        level.comment = comment
        inner = list(reversed(beside))
        wrapper, within = level.wrapper, level.function
        return Level(
            inner, level.parent, level.container, level.kind, wrapper=wrapper, comment=comment, function=within
        )

    def _enter_holder(self, node: Node, level: Level, comment: Node | None) -> Level | None:
        """Return the children of a node that only holds definitions; to an only child it lends comment and keyword."""
        children = node.named_children
        if len(children) != 1:
            if not children:
                return None
            children.reverse()
            return Level(children, level.parent, level.container, level.kind, around=node, function=level.function)
        if (self._meanings.get(children[0].kind_id) or self._find_meaning(children[0])) is NOTHING:
            return None
        start, first = node.start_byte, children[0].start_byte
        lead = start if start < first and _LEAD.fullmatch(self._content, start, first) is not None else -1
        within = level.function
        return Level(
            children,
            level.parent,
            level.container,
            level.kind,
            comment=comment,
            lead=lead,
            around=node,
            function=within,
        )

    def _define_embedded(self, node: Node, level: Level) -> None:
        """Take in what is defined in the expressions of a statement."""
        language, meanings = self._language, self._meanings
        stack = [node] if any(mark in (node.text or b"") for mark in language.outline.embedded.values()) else []
        while stack:
            part = stack.pop()
            for child in part.named_children:
                meaning = meanings.get(child.kind_id) or self._find_meaning(child)
                if child.type in self._embedded and isinstance(meaning, Defines):
                    self._define(child, meaning, meaning.symbols(child), level, None)
                if (meaning is NOTHING or child.type in self._embedded) and not self._is_function(child):
                    stack.append(child)

    def _is_function(self, node: Node) -> bool:
        semantics = self._language.semantics
        return semantics is not None and semantics.scopes.opens.get(node.type) is ScopeKind.Function

    def _define(
        self, node: Node, rule: Defines, symbols: NodeSymbols, level: Level, comment: Node | None
    ) -> Level | None:
        """Take in what ``node`` defines; return what is inside it."""
        if rule.outer or rule.own is not None:
            level = self._home_level(node, rule, level)
        kind = _kind(node, rule, symbols, level)
        if kind is None:
            return None
        bodies = symbols.bodies
        inner = (*rule.head(node), *bodies) if rule.head else bodies
        relations = self._relations
        if not symbols.emits:
            spelled = rule.spell(symbols.names[0]) if symbols.names else ""
            path = join_dotted(level.container, spelled)
            if relations is not None and symbols.names:
                relations.add_bases(node, rule, path, symbols.names[0].start_byte, bodies)
            within = self._number_apart(node, rule) if rule.apart else level.function
            return Level(reversed_children(*inner), level.parent, path, kind, function=within)
        if rule.top and (level.parent >= 0 or level.container):
            level = level.inside(-1, "")
        first = self._add(node, kind, rule, symbols, level, comment)
        if first < 0:
            return self._enter_holder(node, level, comment) if rule.holds else None
        if relations is not None and (rule.bases is not None or not bodies) and symbols.names:
            relations.add_definition(node, rule, self.found[first], symbols, level.kind)
        if rule.holds:
            return self._enter_holder(node, level, comment)
        if not inner:
            return self._enter_rest(first, level) if rule.rest else None
        return self._enter_bodies(node, rule, kind, first, inner)

    def _home_level(self, node: Node, rule: Defines, level: Level) -> Level:
        """Return the level that what ``node`` defines is part of."""
        if rule.outer and level.kind in CALLABLE and level.parent >= 0:
            function = self.found[level.parent]
            return level.inside(function.parent, function.container)
        owner = rule.own(node) if rule.own is not None else None
        return self._owner_level(level, owner) if owner is not None else level

    def _owner_level(self, level: Level, function: str) -> Level:
        """Return a level as part of what a method belongs to, or of the function that calls an object its own."""
        found, number = self.found, level.parent
        while number >= 0 and found[number].kind in _IN_METHODS and found[number].name != function:
            number = found[number].parent
        if number < 0:
            return level
        around = found[number]
        if around.kind is SymbolKind.Method:
            return level.inside(around.parent, around.container)
        return level.inside(number, around.path)

    def _enter_bodies(
        self, node: Node, rule: Defines, kind: SymbolKind, number: int, inner: Sequence[Node]
    ) -> Level | None:
        """Return what is inside of the definition just found."""
        children = reversed_children(*inner)
        if not children:
            return None
        path = self.found[number].path
        if len(path) > _LONGEST_PATH:
            return None
        if kind in VARIABLE and rule.parameters is not None and rule.parameters(node):  # an accessor
            kind = SymbolKind.Function
        return Level(children, number, path, kind, around=node)

    def _enter_rest(self, parent: int, level: Level) -> Level:
        """Move what follows on a level inside the definition just found, up to the next that holds the rest."""
        first = len(level.children)
        while first and not self._holds_rest(level.children[first - 1]):
            first -= 1
        children = level.children[first:]
        del level.children[first:]
        inside = self.found[parent]
        if children:
            inside = inside._replace(end_line=last_row(children[0]) + 1)
            self.found[parent] = inside
        return Level(children, parent, inside.path, inside.kind)

    def _holds_rest(self, node: Node) -> bool:
        rule = self._language.outline.definitions.get(node.type)
        return rule is not None and rule.rest and not rule.body(node)

    def _add(
        self, node: Node, kind: SymbolKind, rule: Defines, symbols: NodeSymbols, level: Level, comment: Node | None
    ) -> int:
        """Add a definition for each name; return the index of the first, -1 for none."""
        container = level.container
        if rule.container is not None or rule.explicit is not None:
            container = self._container(node, rule, level)
        found, content, spell, spans = self.found, self._content, rule.spell, self._spans
        if node.start_byte > self.text_definitions.next:
            self.text_definitions.add_before(node.start_byte, found)
        first = len(found)
        variable = kind in VARIABLE and not rule.repeats
        home = container if not variable or rule.of_type is None or not rule.of_type(node) else f"{container}:"
        extended = rule.extends(node) if rule.extends is not None and level.parent < 0 else None
        home = f"{home}:{extended}" if extended else f"{home}:{level.function}" if level.function < 0 else home
        arity = len(rule.generics(node)) if self._by_arity and kind in CLASS_LIKE and rule.generics is not None else 0
        if self._hiding_block is not None and level.kind in _SPACES and (block := self._hiding_block(node)):
            container = join_dotted(container, self._number(block))
        for name in symbols.names:
            # A node copies its text, which takes twice as long.
            spelled = (
                content[name.start_byte : name.end_byte].decode("utf-8", "replace") if spell is text else spell(name)
            )
            if not spelled or (variable and self._is_repeated(level.parent, home, spelled)):
                continue
            if rule.level is not None:
                self.heading_levels[len(found)] = rule.level(node)
            is_apart = self._functions_apart or level.function < 0
            around = self._container_apart(container, spelled, level.function) if is_apart else container
            around = around if extended is None else self._container_extended(around, spelled, extended)
            around = join_dotted(around, numbered(arity)) if arity else around
            start_line, line, column, end_line = self._lines(node, name, level)
            column += has_colon(content, name.start_byte, spelled)
            end_line = line if rule.holds else end_line
            bodies = symbols.bodies
            if symbols.beside and not bodies:
                bodies = [body for part in symbols.beside for body in part.children_by_field_name("body")]
            values = (
                spelled,
                kind,
                line,
                column,
                start_line,
                end_line,
                around,
                level.parent,
                spans.signature(node, name, bodies, rule, level) if self._spans_wanted else NO_SPAN,
                NO_SPAN
                if not self._spans_wanted or (comment is None and not self._docstrings)
                else spans.documentation(node, bodies, comment, level),
                list_parameters(node, rule, kind, self._language)
                if self._parameters_wanted and rule.parameters is not None
                else None,
            )
            found.append(new_tuple(Definition, values))
        return first if len(found) > first else -1

    def _container(self, node: Node, rule: Defines, level: Level) -> str:
        """Return the dotted name of what a definition on a level belongs to."""
        if rule.container is not None and (container := rule.container(node)):
            return join_dotted(level.container if level.kind in _SPACES else "", container)
        return join_dotted(level.container, rule.explicit(node)) if rule.explicit is not None else level.container

    def _container_apart(self, container: str, name: str, function: int) -> str:
        """Return the container of a definition: its own where another function without a name has a namesake."""
        key = f"{container}.{name}"
        first = self._functions.setdefault(key, function)
        if first == function:
            return container
        return join_dotted(container, self._number(function))

    def _number_apart(self, node: Node, rule: Defines) -> int:
        """Return what tells the definitions inside of a node from others: where it begins, below 0 its text."""
        if not callable(rule.apart):
            return node.start_byte + 1
        return self._texts_apart.setdefault(rule.apart(node), -1 - len(self._texts_apart))

    def _number(self, block: int) -> str:
        """Return the part of a dotted name that tells what is in a block from what is called so elsewhere."""
        return numbered(self._numbers.setdefault(block, len(self._numbers) + 2))

    def _container_extended(self, container: str, name: str, extended: str) -> str:
        """Return the container of a definition outside of types: its own where others extend another type."""
        types = self._extended.setdefault(join_dotted(container, name), [])
        if extended not in types:
            types.append(extended)
        number = types.index(extended) + 1
        return join_dotted(container, numbered(number)) if number > 1 else container

    def _is_repeated(self, parent: int, container: str, name: str) -> bool:
        """Return whether a definition declares a variable once more; what only is called alike declares its own."""
        key = parent, container, name
        repeated = key in self._variables
        self._variables.add(key)
        return repeated

    def _lines(self, node: Node, name: Node, level: Level) -> tuple[int, int, int, int]:
        """Return the lines of the start, of the name, the column of that, and the line of the end."""
        row, column = name.start_point
        start, end = name.start_byte, node.end_byte
        whole = level.wrapper or node
        # A point costs as much as the rest of a definition together, and most definitions begin where their name does.
        begin = row if whole.start_byte >= start - column else whole.start_point[0]
        last = row if start < end and self._content.find(b"\n", start, end - 1) < 0 else last_row(node)
        return begin + 1, row + 1, column + 1 if self._plain else self._columns.at(start, column), last + 1


def _kind(node: Node, rule: Defines, symbols: NodeSymbols, level: Level) -> SymbolKind | None:
    """Return the kind of what ``node`` defines in its place; None where that is no symbol."""
    kind = symbols.kind
    if kind is None or (level.kind in CALLABLE and (kind in VARIABLE or not rule.local) and not rule.top):
        return None
    if not symbols.emits:
        return kind
    if rule.member is not None and level.kind in CLASS_LIKE and kind not in _SAME_IN_CLASSES:
        kind = rule.member(node) if callable(rule.member) else rule.member
    return rule.within(level.around, kind) if rule.within is not None and level.around is not None else kind
