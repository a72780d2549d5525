"""From a syntax tree to the definitions in it: one pruned walk for every language.

Bodies are entered only through the node types that a language names, never by recursion: hostile nesting costs time,
not the stack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from tree_sitter import Node

from leadline_tools.languages.blanking import Attribute, Bodies, Told
from leadline_tools.languages.hidden_types import unknown_subtypes
from leadline_tools.languages.language import (
    Defines,
    DocumentedType,
    Imported,
    Imports,
    Language,
    Look,
    Parser,
    ScopeKind,
    Subtype,
    made,
    text,
)
from leadline_tools.languages.relations import Relations, base_names, last_names, other_name
from leadline_tools.languages.spelling import Speller
from leadline_tools.model import SymbolKind

CALLABLE: Final = frozenset({SymbolKind.Function, SymbolKind.Method, SymbolKind.Constructor, SymbolKind.Operator})
"""Kinds whose variables are locals, not symbols."""

CLASS_LIKE: Final = frozenset(
    {SymbolKind.Class, SymbolKind.Struct, SymbolKind.Interface, SymbolKind.Enum, SymbolKind.Object}
)
"""Kinds whose functions are methods."""

VARIABLE: Final = frozenset({SymbolKind.Variable, SymbolKind.Constant, SymbolKind.Field, SymbolKind.Property})
"""Kinds that assignment defines: a second assignment in the same place is not a second symbol."""

_IN_METHODS: Final = CALLABLE | VARIABLE
"""Kinds of what is no class, around something in a method."""

_NO_TYPES: Final = frozenset({SymbolKind.Variable, SymbolKind.Constant})
"""Kinds of what inherits nothing; a field may stand for a type without a name."""

_SAME_IN_CLASSES: Final = CLASS_LIKE | {SymbolKind.Constructor}
"""Kinds of what is of the same kind as a member."""

_SPACES: Final = frozenset({SymbolKind.Namespace, SymbolKind.Module})
"""Kinds that what is defined inside by a dotted name still belongs to."""

_ENDS_HEAD: Final = (b")", b":")
"""What most heads end with: their last token then."""

_LEAD: Final = re.compile(rb"[a-z]+\s+")
"""The keyword between the start of a declaration and the only name that it declares: ``const f = ...``."""

_DECORATED: Final = b"@[#"
"""What annotations and attributes begin with."""

_DIRECTIVE: Final = b"#"

_MODIFIERS: Final = "modifiers"
"""The node that holds annotations beside keywords in the grammars that have one: Java, Kotlin and Swift."""

_LONGEST_PATH: Final = 2000
"""What is nested so deep that its dotted name is longer is not looked into: only hostile files are."""

_DEEPEST_INDENTATION: Final = 500
"""A comment that begins further to the right does not begin its line."""

_MAYBE_COMMENT: Final = re.compile(rb"//|#|--|;|%")
"""What begins a comment that ends with its line."""

_WORD: Final = re.compile(r"\w+")
_NO_SPAN: Final = (0, 0)
_NO_IMPORTS: Final[Mapping[str, Imports]] = {}
_NOTHING_LEFT_OUT: Final = Bodies(())

_DESTRUCTURING: Final = frozenset(
    {"object_pattern", "array_pattern", "tuple_pattern", "struct_pattern", "tuple_struct_pattern", "slice_pattern"}
)
"""Patterns in the place of a parameter, which has no name then."""

_PLAIN_PARAMETER: Final = re.compile(r"[*&.$@]{0,3}[^\W\d]\w*[?!]?")


def has_colon(content: bytes, start: int, name: str) -> bool:
    """Tell whether a colon stands before a name whose node begins at a byte: it is written as a symbol of Ruby."""
    return content[start] == _COLON and name[:1] != ":"


_COLON: Final = ord(":")


class Definition(NamedTuple):
    """One definition of a file. Lines and columns are 1-based, columns in code points; spans are byte offsets.

    ``line`` and ``column`` are those of the name, ``start_line`` and ``end_line`` those of the whole with its
    decorators; ``parent`` is the index of the enclosing definition, -1 for none; ``parameters`` is None for what
    cannot be called.
    """

    name: str
    kind: SymbolKind
    line: int
    column: int
    start_line: int
    end_line: int
    container: str
    parent: int
    signature: tuple[int, int]
    doc: tuple[int, int]
    parameters: tuple[str, ...] | None

    @property
    def path(self) -> str:
        """Return the dotted name inside the file: the container and the name."""
        return f"{self.container}.{self.name}" if self.container else self.name


class _Level:
    """Children still to be visited, last first, and what they stand in.

    ``around`` is the node that only holds them or the definition that they are in, ``lead`` where the keyword before an
    only child begins; ``function`` is where the innermost function without a name around begins, 0 for none.
    """

    __slots__ = ("around", "children", "comment", "container", "function", "kind", "lead", "parent", "wrapper")

    def __init__(
        self,
        children: list[Node],
        parent: int,
        container: str,
        kind: SymbolKind | None,
        *,
        wrapper: Node | None = None,
        comment: Node | None = None,
        lead: int = -1,
        around: Node | None = None,
        function: int = 0,
    ) -> None:
        self.function = function
        self.children = children
        self.parent = parent
        self.container = container
        self.kind = kind
        self.wrapper = wrapper
        self.comment = comment
        self.lead = lead
        self.around = around

    def moved(self, parent: int, container: str) -> _Level:
        """Return this level as part of something else."""
        wrapper, lead, around = self.wrapper, self.lead, self.around
        return _Level(
            self.children, parent, container, None, wrapper=wrapper, lead=lead, around=around, function=self.function
        )


class _Part(Enum):
    """What a node is to the walk, unless it defines something."""

    Comment = auto()
    Prefix = auto()
    Wrapper = auto()
    Through = auto()
    Import = auto()
    Borrow = auto()
    Nothing = auto()


_COMMENT: Final = _Part.Comment
_PREFIX: Final = _Part.Prefix
_WRAPPER: Final = _Part.Wrapper
_THROUGH: Final = _Part.Through
_IMPORT: Final = _Part.Import
_BORROW: Final = _Part.Borrow
_NOTHING: Final = _Part.Nothing


class _Imports:
    """What a node is to the walk that imports or exports something as well."""

    __slots__ = ("besides",)

    def __init__(self, besides: Defines | _Part) -> None:
        self.besides = besides


_Meaning = Defines | _Part | _Imports

_MEANINGS: Final[dict[str, dict[int, _Meaning]]] = {}
"""By language, what the nodes are that were met so far, by the grammar's number of their type."""


def symbols(content: bytes, parser: Parser, *, parameters: bool = False) -> list[Definition]:
    """Return the definitions in a source; without their ``parameters`` those of the index, parsed without bodies."""
    language = parser.language
    leave_out = language.directives if parameters else language.bodies
    left_out = leave_out(content) if leave_out is not None else _NOTHING_LEFT_OUT
    root = parser.parse(content, left_out.spans).root_node
    return outline(root, content, language, parameters=parameters, left_out=left_out)


def symbols_and_relations(content: bytes, parser: Parser) -> tuple[list[Definition], Relations]:
    """Return the definitions in a source that the index holds, and what it says of types and names in other files."""
    language = parser.language
    left_out = language.bodies(content) if language.bodies is not None else _NOTHING_LEFT_OUT
    root = parser.parse(content, left_out.spans).root_node
    relations = Relations([], [])
    found = outline(root, content, language, parameters=False, left_out=left_out, relations=relations)
    scoping = language.scoping
    if scoping is not None:
        relations.imports.extend(scoping.exports(root))
        if scoping.documented is not None:
            said = scoping.documented(content)
            relations.imports.extend(said.imports)
            relations.subtypes.extend(Subtype(one.name, base_names(one.bases, b"")) for one in said.types if one.bases)
        if scoping.hidden is not None:
            relations.subtypes.extend(unknown_subtypes(scoping.hidden, content, relations.subtypes))
        if scoping.hidden_imports is not None:
            found_in_bodies = list(scoping.hidden_imports(content))
            if found_in_bodies:
                known = frozenset(relations.imports)
                relations.imports.extend(one for one in found_in_bodies if one not in known)
    return found, relations


def symbols_besides_macros(content: bytes, parser: Parser) -> list[Definition]:
    """Return the definitions in a source whose macros are left to its words, but for those."""
    language = parser.language
    left_out = language.besides(content) if language.besides is not None else None
    if left_out is None:
        return []
    found = outline(parser.parse(content, left_out.spans).root_node, content, language, parameters=False)
    kept = [number for number, one in enumerate(found) if not content.startswith(_DIRECTIVE, one.signature[0])]
    places = {number: place for place, number in enumerate(kept)}
    return [found[number]._replace(parent=places.get(found[number].parent, -1)) for number in kept]


def outline(
    root: Node,
    content: bytes,
    language: Language,
    *,
    parameters: bool = True,
    left_out: Bodies = _NOTHING_LEFT_OUT,
    relations: Relations | None = None,
) -> list[Definition]:
    r"""Return the definitions below ``root``, in the order of the source.

    Args:
        root: The root of the tree of ``content``.
        content: The source, UTF-8, lines ending in ``\n``.
        language: What the tree was parsed with.
        parameters: False leaves out those of what can be called.
        left_out: What was left out of the tree: the definitions in it are put where they belong.
        relations: Takes what the source says of types and names in other files, where that is wanted.

    """
    walk = _Walk(content, language, left_out.told, relations, parameters=parameters)
    stack = [_Level(_reversed(root), -1, "", None)]
    while stack:
        walk.step(stack)
    walk.add_text_definitions(len(content))
    for attribute in left_out.attributes:
        walk.declare(attribute)
    if walk.levels:
        return _nested(walk.found, walk.levels, _last_row(root) + 1)
    found = _with_declared(walk.found, walk.declared) if walk.declared else walk.found
    documented = language.scoping.documented if language.scoping is not None else None
    types = documented(content).types if documented is not None else ()
    return _with_documented(found, types, content) if types else found


def _with_documented(found: list[Definition], types: Sequence[DocumentedType], content: bytes) -> list[Definition]:
    """Return ``found`` with the types that comments declare, each before what follows it outside of all others."""
    places, tops = Places(content), [number for number, one in enumerate(found) if one.parent < 0]
    merged: list[Definition] = []
    done = passed = 0
    for one in types:
        line = places.line_of(one.span[0])
        while passed < len(tops) and found[tops[passed]].start_line <= line:
            passed += 1
        end = tops[passed] if passed < len(tops) else len(found)
        if end > done:
            merged += _shifted(found[done:end], len(merged) - done)
            done = end
        merged += _documented(one, places, content, len(merged))
    return [*merged, *_shifted(found[done:], len(merged) - done)]


def _shifted(definitions: Sequence[Definition], by: int) -> list[Definition]:
    return [_moved(one, one.parent + by) if one.parent >= 0 and by else one for one in definitions]


def _documented(one: DocumentedType, places: Places, content: bytes, number: int) -> list[Definition]:
    """Return a type that a comment declares, with its members."""
    first = places.line_of(one.span[0])
    line, column = places.at(one.start)
    start, end = one.span
    last = first + content.count(b"\n", start, start + len(content[start:end].rstrip(b" \t\r\n*/")))
    span = one.span[0], one.start + len(one.name.encode())
    values = (one.name, SymbolKind.Class, line, column, first, last, "", -1, span, _NO_SPAN, None)
    listed: list[Definition] = [made(Definition, values)]
    for member in one.members:
        row, start = places.at(member.start)
        begin = content.rfind(b"\n", 0, member.start) + 1
        end = content.find(b"\n", member.start)
        head = max(
            begin + len(content[begin : member.start]) - len(content[begin : member.start].lstrip(b" \t*")), one.span[0]
        )
        span = head, end if end >= 0 else len(content)
        values = (member.name, SymbolKind.Property, row, start, row, row, one.name, number, span, _NO_SPAN, None)
        listed.append(made(Definition, values))
    return listed


def _with_declared(found: list[Definition], declared: list[Definition]) -> list[Definition]:
    """Return ``found`` with what functions declare outside of themselves, each after the function that does it.

    What has the same dotted name is declared already. The parent of what is declared is that function yet.
    """
    known = {(one.container, one.name) for one in found}
    after: dict[int, list[Definition]] = {}
    for one in sorted(declared, key=_place_of):
        if (one.container, one.name) not in known:
            known.add((one.container, one.name))
            after.setdefault(one.parent, []).append(one)
    if not after:
        return found
    first = min(after)
    merged = found[: first + 1]
    places = list(range(first + 1))
    around: list[int] = []
    index = first
    while index >= 0:
        around.append(index)
        index = found[index].parent
    around.reverse()
    for index in range(first + 1, len(found)):
        one = found[index]
        while around and around[-1] != one.parent:
            _leave(around.pop(), found, places, after, merged)
        places.append(len(merged))
        parent = places[one.parent] if one.parent >= 0 else -1
        merged.append(one if parent == one.parent else _moved(one, parent))
        around.append(index)
    while around:
        _leave(around.pop(), found, places, after, merged)
    return merged


def _leave(
    index: int,
    found: list[Definition],
    places: list[int],
    after: dict[int, list[Definition]],
    merged: list[Definition],
) -> None:
    """Add what a function declares, once all that is inside of it is added."""
    if index in after:
        parent = found[index].parent
        merged.extend(_moved(one, places[parent] if parent >= 0 else -1) for one in after.pop(index))


def _moved(definition: Definition, parent: int) -> Definition:
    """Return a definition inside another one; ``_replace`` takes several times as long."""
    name, kind, line, column, start_line, end_line, container, _, signature, doc, parameters = definition
    values = name, kind, line, column, start_line, end_line, container, parent, signature, doc, parameters
    return made(Definition, values)


def _place_of(definition: Definition) -> tuple[int, int]:
    return definition.line, definition.column


def _nested(found: list[Definition], levels: dict[int, int], last_line: int) -> list[Definition]:
    """Return ``found`` with every heading inside the one that it follows and that is above it."""
    nested = list(found)
    open_headings: dict[int, list[int]] = {}
    for index, level in levels.items():
        around = found[index].parent
        chain = open_headings.setdefault(around, [])
        while chain and levels[chain[-1]] >= level:
            closed = chain.pop()
            nested[closed] = nested[closed]._replace(end_line=found[index].start_line - 1)
        end = found[around].end_line if around >= 0 else last_line
        nested[index] = found[index]._replace(end_line=end)
        if chain:
            nested[index] = nested[index]._replace(parent=chain[-1], container=nested[chain[-1]].path)
        chain.append(index)
    return nested


class Columns:
    """Tells columns in code points; near linear for questions in the order of the source, however long the lines."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.line = self.byte = self.points = 0
        self.plain = content.isascii()

    def of(self, node: Node) -> int:
        """Return the 1-based column at which ``node`` begins."""
        return self.at(node.start_byte, node.start_point[1])

    def at(self, start: int, column: int) -> int:
        """Return the 1-based column of the byte ``start``, which is the ``column``-th of its line, 0-based."""
        if self.plain:
            return column + 1
        if self.line != start - column:
            self.line = self.byte = start - column
            self.points = 0
        passed = self.content[min(self.byte, start) : max(self.byte, start)].decode("utf-8", "replace")
        self.points += len(passed) if start >= self.byte else -len(passed)
        self.byte = start
        return self.points + 1


class Places:
    """Tells lines and columns of bytes; near linear for questions in the order of the source."""

    def __init__(self, content: bytes) -> None:
        self._content, self._columns = content, Columns(content)
        self._byte, self._line = 0, 1

    def line_of(self, start: int) -> int:
        """Return the 1-based line of a byte."""
        if start >= self._byte:
            self._line += self._content.count(b"\n", self._byte, start)
        else:
            self._line -= self._content.count(b"\n", start, self._byte)
        self._byte = start
        return self._line

    def at(self, start: int) -> tuple[int, int]:
        """Return the 1-based line and column of a byte."""
        begin = self._content.rfind(b"\n", 0, start) + 1
        return self.line_of(start), self._columns.at(start, start - begin)


def _reversed(*nodes: Node) -> list[Node]:
    children = [child for node in nodes for child in node.named_children]
    children.reverse()
    return children


class _Walk:
    """The state of one walk: what was found, and the first comment of the run just before the next node."""

    def __init__(
        self,
        content: bytes,
        language: Language,
        told: Sequence[Told],
        relations: Relations | None,
        *,
        parameters: bool,
    ) -> None:
        self.content = content
        self.language = language
        self.columns = Columns(content)
        self.plain = self.columns.plain
        self.found: list[Definition] = []
        self._text_definitions = list(reversed(told))
        self._next_text_definition = told[0].start if told else len(content)
        self._row = self._row_end = 0
        self.levels: dict[int, int] = {}
        self._parameters_wanted = parameters
        self._docstrings = language.docstring
        self._meanings = _MEANINGS.setdefault(language.name, {})
        self.declared: list[Definition] = []
        self._borrowed: set[tuple[int, str]] = set()
        self._last_around = 0
        self._embedded = [kind for kind, mark in language.embedded.items() if mark in content]
        self._variables: set[tuple[int, str, str]] = set()
        self._expanded: set[int] = set()
        self._functions_apart = any(rule.apart for rule in language.definitions.values())
        self._functions: dict[str, int] = {}
        self._numbers: dict[int, int] = {}
        scoping = language.scoping if relations is not None else None
        self._relations = relations
        inheriting = scoping is not None and language.has_subtypes
        self._imports: Mapping[str, Imports] = scoping.imports if scoping is not None and inheriting else _NO_IMPORTS
        by_value = scoping is not None and scoping.renames_by_value
        self._renaming: frozenset[SymbolKind] = CLASS_LIKE | VARIABLE if by_value else CLASS_LIKE
        self._plain_bases = scoping.plain_bases if scoping is not None else None
        self._speller = Speller(content, scoping) if scoping is not None and inheriting else None

    def step(self, stack: list[_Level]) -> None:
        """Visit the nodes of the innermost level up to one that holds definitions."""
        level = stack[-1]
        comment: Node | None = level.comment
        last: Node | None = None
        prefix: Node | None = None
        children, meanings = level.children, self._meanings
        while children:
            node = children.pop()
            meaning = meanings.get(node.kind_id) or self._learned(node)
            if meaning is _COMMENT:
                if comment is None or last is None or not self._adjacent(last, node):
                    comment = node if self._starts_line(node) and not self._is_shebang(node) else None
                last = node
                continue
            if meaning is _PREFIX:
                prefix, last = prefix or node, node
                continue
            documented = comment if comment is not None and (last is None or self._adjacent(last, node)) else None
            last = None
            first: Node | None = prefix
            prefix = None
            if level.wrapper is None:
                level.comment = None  # of a wrapper it is that of the whole, whichever child defines
            comment = level.comment
            opened = None if meaning is _NOTHING else self._opened(node, meaning, stack, first, documented)
            if opened is not None:
                stack.append(opened)
                return
        stack.pop()

    def add_text_definitions(self, end: int) -> None:
        """Take in what is told of the source before a place."""
        content = self.content
        while self._text_definitions and self._text_definitions[-1].start < end:
            kind, doc, start, name, name_end, signature_end, last = self._text_definitions.pop()
            begin = self._row_at(start)
            row = self._row_at(name)
            column = name - content.rfind(b"\n", 0, name) - 1
            values = (
                content[name:name_end].decode("utf-8", "replace"),
                kind,
                row + 1,
                column + 1 if self.plain else self.columns.at(name, column),
                begin + 1,
                self._row_at(last - 1) + 1,
                "",
                -1,
                (start, signature_end),
                (doc, start) if doc >= 0 else _NO_SPAN,
                _written_parameters(content[name_end:last]) if self._parameters_wanted else None,
            )
            self.found.append(made(Definition, values))
        self._next_text_definition = self._text_definitions[-1].start if self._text_definitions else len(content)

    def _row_at(self, place: int) -> int:
        """Return the row of a place, near the one that was asked for last."""
        if place >= self._row_end:
            self._row += self.content.count(b"\n", self._row_end, place)
        else:
            self._row -= self.content.count(b"\n", place, self._row_end)
        self._row_end = place
        return self._row

    def _learned(self, node: Node) -> _Meaning:
        """Find out what nodes of this type mean in the language."""
        language, kind = self.language, node.type
        scoping = language.scoping
        imports = scoping is not None and kind in scoping.imports and kind not in scoping.including
        if kind in language.comments:
            meaning: Defines | _Part = _COMMENT
        elif kind in language.prefixes:
            meaning = _PREFIX
        elif kind in language.definitions:
            meaning = language.definitions[kind]
        elif kind in language.wrappers:
            meaning = _WRAPPER
        elif kind in language.through:
            meaning = _THROUGH
        elif scoping is not None and kind in scoping.globals:
            meaning = _BORROW
        else:
            meaning = _IMPORT if imports else _NOTHING
        learned: _Meaning = _Imports(meaning) if imports and meaning is not _IMPORT else meaning
        self._meanings[node.kind_id] = learned
        return learned

    def _opened(
        self, node: Node, meaning: _Meaning, stack: list[_Level], prefix: Node | None, comment: Node | None
    ) -> _Level | None:
        """Take in what ``node`` defines; return the level inside it that is to be visited next."""
        level = stack[-1]
        if self._embedded and level.kind not in CALLABLE:
            self._define_embedded(node, level)
        if isinstance(meaning, Defines):
            return self._opened_by(node, meaning, level, prefix, comment)
        if meaning is _WRAPPER:
            whole = level.wrapper or node
            inner = _reversed(node)
            within = level.function
            return _Level(
                inner, level.parent, level.container, level.kind, wrapper=whole, comment=comment, function=within
            )
        if meaning is _THROUGH:
            return self._inside(node, level, comment)
        if meaning is _BORROW:
            self._borrowed.update((level.parent, text(name)) for name in node.named_children)
        elif self._imports:
            self._import(node)
        return self._opened(node, meaning.besides, stack, prefix, comment) if isinstance(meaning, _Imports) else None

    def _opened_by(
        self, node: Node, rule: Defines, level: _Level, prefix: Node | None, comment: Node | None
    ) -> _Level | None:
        """Take in what a node defines by a rule; return the level inside it that is to be visited next."""
        if rule.attributes is not None and level.kind in CALLABLE:
            self._declare_all(node, rule, level)
            return self._inside(node, level, comment) if rule.holds else None
        look = rule.look(node)
        if look.beside and node.id not in self._expanded:
            return self._beside(node, look.beside, level, comment)
        if prefix is None or level.wrapper is not None:
            return self._define(node, rule, look, level, comment)
        level.wrapper = prefix
        opened = self._define(node, rule, look, level, comment)
        level.wrapper = None
        return opened

    def _import(self, node: Node) -> None:
        """Take in what a node imports or exports."""
        if self._relations is not None:
            self._relations.imports.extend(self._imports[node.type](node))

    def _define_embedded(self, node: Node, level: _Level) -> None:
        """Take in what is defined in the expressions of a statement."""
        language, meanings = self.language, self._meanings
        stack = [node] if any(mark in (node.text or b"") for mark in language.embedded.values()) else []
        while stack:
            part = stack.pop()
            for child in part.named_children:
                meaning = meanings.get(child.kind_id) or self._learned(child)
                if child.type in self._embedded and isinstance(meaning, Defines):
                    self._define(child, meaning, meaning.look(child), level, None)
                if (meaning is _NOTHING or child.type in self._embedded) and not self._is_function(child):
                    stack.append(child)

    def _is_function(self, node: Node) -> bool:
        scoping = self.language.scoping
        return scoping is not None and scoping.scopes.get(node.type) is ScopeKind.Function

    def _declare_all(self, node: Node, rule: Defines, level: _Level) -> None:
        """Take in the members of its own object that a function gives values to, and the variables of the module."""
        for name in rule.attributes(node) if rule.attributes is not None else ():
            line, column = name.start_point[0] + 1, self.columns.of(name)
            head = self._head_end(node, rule.body(node)) if rule.holds else node.end_byte
            end_line = line if rule.holds else _last_row(node) + 1
            self._declare(text(name), line, column, end_line, (node.start_byte, head), level.parent)
        if self._borrowed:
            for name in rule.name(node):
                spelled = text(name)
                if (level.parent, spelled) in self._borrowed:
                    line, column = name.start_point[0] + 1, self.columns.of(name)
                    self._declare_outside(spelled, rule, node, (line, column), level.parent)

    def _declare_outside(self, name: str, rule: Defines, node: Node, place: tuple[int, int], function: int) -> None:
        """Take in a variable of the module to which a function gives a value."""
        kind = rule.kind if isinstance(rule.kind, SymbolKind) else rule.kind(node)
        while self.found[function].parent >= 0:
            function = self.found[function].parent
        span = node.start_byte, node.end_byte
        if kind is not None:
            values = (name, kind, *place, place[0], _last_row(node) + 1, "", function, span, _NO_SPAN, None)
            self.declared.append(made(Definition, values))

    def declare(self, attribute: Attribute) -> None:
        """Take in a member of its own object to which a function gives a value that was left out of the tree."""
        content, found = self.content, self.found
        row = self._row_at(attribute.name)
        around = self._last_around
        while around + 1 < len(found) and found[around + 1].start_line <= row + 1:
            around += 1
        self._last_around = around
        while around >= 0 and (found[around].end_line <= row or found[around].kind not in CALLABLE):
            around = found[around].parent
        if around < 0:
            return
        column = attribute.name - content.rfind(b"\n", 0, attribute.name) - 1
        start = content.rfind(b"\n", 0, attribute.name) + 1
        start += len(content[start : attribute.name]) - len(content[start : attribute.name].lstrip())
        end_line = row + 1 + content.count(b"\n", attribute.name, attribute.end)
        name = content[attribute.name : attribute.name_end].decode("utf-8", "replace")
        column = column + 1 if self.plain else self.columns.at(attribute.name, column)
        self._declare(name, row + 1, column, end_line, (start, attribute.end), around)

    def _declare(self, name: str, line: int, column: int, end: int, span: tuple[int, int], function: int) -> None:
        """Take in a member of its own object to which a function gives a value; nothing outside of classes."""
        found = self.found
        method = around = function
        while around >= 0 and found[around].kind in CALLABLE:
            method, around = around, found[around].parent
        if around < 0 or found[around].kind not in CLASS_LIKE:
            return
        container = found[around].path
        values = (name, SymbolKind.Field, line, column, line, end, container, method, span, _NO_SPAN, None)
        self.declared.append(made(Definition, values))

    def _inherit(self, node: Node, rule: Defines, path: str, start: int, bodies: Sequence[Node]) -> None:
        """Take in what a type inherits from, whose head goes on from ``start``."""
        if self._relations is None or self._speller is None or rule.bases is None:
            return
        head = self.content[start : bodies[0].start_byte if bodies else node.end_byte]
        plain = self._plain_bases.fullmatch(head) if self._plain_bases is not None else None
        if plain is not None:
            self._relations.subtypes.append(Subtype(path, last_names(plain[1])))
            return
        bases = base_names(rule.bases(node, self._speller.spell), head)
        if bases:
            self._relations.subtypes.append(Subtype(path, bases))

    def _relate(self, node: Node, rule: Defines, number: int, look: Look, level: _Level) -> None:
        """Take in what a definition just found says of other types."""
        symbol, name = self.found[number], look.names[0]
        if rule.bases is not None and look.kind not in _NO_TYPES:
            self._inherit(node, rule, symbol.path, name.end_byte, look.bodies)
        if not look.bodies and level.kind not in CLASS_LIKE and symbol.kind in self._renaming:
            self._rename(node, name, symbol.name)

    def _rename(self, node: Node, name: Node, spelled: str) -> None:
        """Take in that what is declared is only another name of something."""
        if self._relations is not None:
            before, behind = (
                self.content[node.start_byte : name.start_byte],
                self.content[name.end_byte : node.end_byte],
            )
            original = other_name(before, behind)
            if original and original != spelled:
                self._relations.imports.append(Imported("", original, spelled))

    def _beside(self, node: Node, beside: Sequence[Node], level: _Level, comment: Node | None) -> _Level:
        """Return what holds the definitions that come before those of ``node``, which is then met once more."""
        self._expanded.add(node.id)
        level.children.append(node)
        level.comment = comment
        inner = list(reversed(beside))
        wrapper, within = level.wrapper, level.function
        return _Level(
            inner, level.parent, level.container, level.kind, wrapper=wrapper, comment=comment, function=within
        )

    def _inside(self, node: Node, level: _Level, comment: Node | None) -> _Level | None:
        """Return the children of a node that only holds definitions; to an only child it lends comment and keyword."""
        children = _reversed(node)
        if len(children) != 1:
            if not children:
                return None
            return _Level(children, level.parent, level.container, level.kind, around=node, function=level.function)
        if (self._meanings.get(children[0].kind_id) or self._learned(children[0])) is _NOTHING:
            return None
        start, first = node.start_byte, children[0].start_byte
        lead = start if start < first and _LEAD.fullmatch(self.content, start, first) is not None else -1
        within = level.function
        return _Level(
            children,
            level.parent,
            level.container,
            level.kind,
            comment=comment,
            lead=lead,
            around=node,
            function=within,
        )

    def _define(self, node: Node, rule: Defines, look: Look, level: _Level, comment: Node | None) -> _Level | None:
        """Take in what ``node`` defines; return what is inside it."""
        level = self._level_of(node, rule, level)
        kind = _kind(node, rule, look, level)
        if kind is None:
            return None
        bodies = look.bodies
        inner = (*rule.head(node), *bodies) if rule.head else bodies
        if not look.emits:
            spelled = rule.spell(look.names[0]) if look.names else ""
            if rule.bases is not None and self._speller is not None and look.names:
                path = _joined(level.container, spelled)
                self._inherit(node, rule, path, look.names[0].start_byte, bodies)
            within = node.start_byte + 1 if rule.apart else level.function
            return _Level(_reversed(*inner), level.parent, _joined(level.container, spelled), kind, function=within)
        if rule.top and (level.parent >= 0 or level.container):
            level = level.moved(-1, "")
        first = self._add(node, kind, rule, look, level, comment)
        if first < 0:
            return self._inside(node, level, comment) if rule.holds else None
        if self._speller is not None and (rule.bases is not None or not bodies) and look.names:
            self._relate(node, rule, first, look, level)
        if rule.holds:
            return self._inside(node, level, comment)
        if not inner:
            return self._rest(first, level) if rule.rest else None
        return self._nest(node, rule, kind, first, inner)

    def _level_of(self, node: Node, rule: Defines, level: _Level) -> _Level:
        """Return the level that what ``node`` defines is part of."""
        if rule.outer and level.kind in CALLABLE and level.parent >= 0:
            function = self.found[level.parent]
            return level.moved(function.parent, function.container)
        owner = rule.own(node) if rule.own is not None else None
        return self._level_of_own(level, owner) if owner is not None else level

    def _level_of_own(self, level: _Level, function: str) -> _Level:
        """Return a level as part of what a method belongs to, or of the function that calls an object its own."""
        found, number = self.found, level.parent
        while number >= 0 and found[number].kind in _IN_METHODS and found[number].name != function:
            number = found[number].parent
        if number < 0:
            return level
        around = found[number]
        if around.kind is SymbolKind.Method:
            return level.moved(around.parent, around.container)
        return level.moved(number, around.path)

    def _nest(self, node: Node, rule: Defines, kind: SymbolKind, number: int, inner: Sequence[Node]) -> _Level | None:
        """Return what is inside of the definition just found."""
        children = _reversed(*inner)
        if not children:
            return None
        path = self.found[number].path
        if len(path) > _LONGEST_PATH:
            return None
        if kind in VARIABLE and rule.parameters is not None and rule.parameters(node):  # an accessor
            kind = SymbolKind.Function
        return _Level(children, number, path, kind, around=node)

    def _add(self, node: Node, kind: SymbolKind, rule: Defines, look: Look, level: _Level, comment: Node | None) -> int:
        """Add a definition for each name; return the index of the first, -1 for none."""
        container = level.container
        if rule.container is not None and (told := rule.container(node)):
            container = _joined(container if level.kind in _SPACES else "", told)
        elif rule.explicit is not None:
            container = _joined(container, rule.explicit(node))
        found, content, spell = self.found, self.content, rule.spell
        if node.start_byte > self._next_text_definition:
            self.add_text_definitions(node.start_byte)
        first = len(found)
        variable = kind in VARIABLE and not rule.repeats
        for name in look.names:
            # A node copies its text, which takes twice as long.
            spelled = (
                content[name.start_byte : name.end_byte].decode("utf-8", "replace") if spell is text else spell(name)
            )
            if not spelled or (variable and self._seen(level.parent, container, spelled)):
                continue
            if rule.level is not None:
                self.levels[len(found)] = rule.level(node)
            around = self._apart(container, spelled, level.function) if self._functions_apart else container
            start_line, line, column, end_line = self._place(node, name, level)
            column += has_colon(content, name.start_byte, spelled)
            end_line = line if rule.holds else end_line
            bodies = look.bodies
            if look.beside and not bodies:
                bodies = [body for part in look.beside for body in part.children_by_field_name("body")]
            values = (
                spelled,
                kind,
                line,
                column,
                start_line,
                end_line,
                around,
                level.parent,
                self._signature(node, name, bodies, rule, level),
                _NO_SPAN if comment is None and not self._docstrings else self._doc(node, bodies, comment, level),
                self._parameters(node, rule, kind) if self._parameters_wanted and rule.parameters is not None else None,
            )
            found.append(made(Definition, values))
        return first if len(found) > first else -1

    def _apart(self, container: str, name: str, function: int) -> str:
        """Return the container of a definition: its own where another function without a name has a namesake."""
        key = f"{container}.{name}"
        first = self._functions.setdefault(key, function)
        if first == function:
            return container
        number = self._numbers.setdefault(function, len(self._numbers) + 2)
        return _joined(container, f"({number})")

    def _rest(self, parent: int, level: _Level) -> _Level:
        """Move what follows on a level inside the definition just found, up to the next that holds the rest."""
        first = len(level.children)
        while first and not self._holds_rest(level.children[first - 1]):
            first -= 1
        children = level.children[first:]
        del level.children[first:]
        inside = self.found[parent]
        if children:
            inside = inside._replace(end_line=_last_row(children[0]) + 1)
            self.found[parent] = inside
        return _Level(children, parent, inside.path, inside.kind)

    def _holds_rest(self, node: Node) -> bool:
        rule = self.language.definitions.get(node.type)
        return rule is not None and rule.rest and not rule.body(node)

    def _seen(self, parent: int, container: str, name: str) -> bool:
        """Tell whether a definition declares a variable once more; what only is called alike declares its own."""
        key = parent, container, name
        seen = key in self._variables
        self._variables.add(key)
        return seen

    def _place(self, node: Node, name: Node, level: _Level) -> tuple[int, int, int, int]:
        """Return the lines of the start, of the name, the column of that, and the line of the end."""
        row, column = name.start_point
        start, end = name.start_byte, node.end_byte
        whole = level.wrapper or node
        # A point costs as much as the rest of a definition together, and most definitions begin where their name does.
        begin = row if whole.start_byte >= start - column else whole.start_point[0]
        last = row if start < end and self.content.find(b"\n", start, end - 1) < 0 else _last_row(node)
        return begin + 1, row + 1, column + 1 if self.plain else self.columns.at(start, column), last + 1

    def _signature(
        self, node: Node, name: Node, bodies: Sequence[Node], rule: Defines, level: _Level
    ) -> tuple[int, int]:
        lead = level.lead if level.lead >= 0 else node.start_byte
        if self.language.decorations and self.content[lead] in _DECORATED:
            lead = self._undecorated(node)
        return lead, self._signature_end(node, name, bodies, rule) if bodies else node.end_byte

    def _undecorated(self, node: Node) -> int:
        """Return where a definition begins behind what decorates it."""
        left_out = self.language.decorations | self.language.comments
        parts = (part for child in node.children for part in (child.children if child.type == _MODIFIERS else (child,)))
        return next((part.start_byte for part in parts if part.type not in left_out), node.start_byte)

    def _signature_end(self, node: Node, name: Node, bodies: Sequence[Node], rule: Defines) -> int:
        if bodies[0].id == node.id:  # no node of its own holds what is inside, as in a TOML table
            rest = (child.start_byte for child in node.named_children if child.start_byte >= name.end_byte)
            end = next(rest, node.end_byte)
            line = self.content.find(b"\n", name.end_byte, end)
            return line if line >= 0 else end
        if bodies[0].start_byte < name.start_byte and rule.beside is None:
            return node.end_byte
        return self._head_end(node, bodies)

    def _head_end(self, node: Node, bodies: Sequence[Node]) -> int:
        """Return where the last token before the body ends: comments between the two belong to neither."""
        start = bodies[0].start_byte
        last = node.start_byte
        head = self.content[last:start].rstrip()
        if head.endswith(_ENDS_HEAD) and not _MAYBE_COMMENT.search(head, head.rfind(b"\n") + 1):
            return last + len(head)  # to look at each child takes several times as long
        for child in node.children:
            if child.start_byte >= start:
                return last
            end = child.end_byte
            if end > start:
                return start  # the body lies deeper, as that of a function assigned to a constant does
            if child.type not in self.language.comments and child.type not in ("=", "{"):
                last = end
        return start

    def _starts_line(self, node: Node) -> bool:
        column = node.start_point[1]
        return column <= _DEEPEST_INDENTATION and not self.content[node.start_byte - column : node.start_byte].strip()

    def _is_shebang(self, node: Node) -> bool:
        """Tell whether a comment is the line that says what runs the file."""
        return node.start_byte == 0 and self.content.startswith(b"#!")

    def _adjacent(self, before: Node, after: Node) -> bool:
        """Tell whether ``after`` begins on the line below the one on which ``before`` ends."""
        end = before.end_byte
        if self.content[end - 1 : end] == b"\n":
            end -= 1
        return self.content.count(b"\n", end, after.start_byte) <= 1

    def _doc(self, node: Node, bodies: Sequence[Node], comment: Node | None, level: _Level) -> tuple[int, int]:
        if self.language.docstring:
            return self._docstring(bodies) if bodies else _NO_SPAN
        if comment is None:
            return _NO_SPAN
        whole = level.wrapper or node
        end = whole.start_byte if whole.start_byte > comment.start_byte else node.start_byte
        return comment.start_byte, end

    def _docstring(self, bodies: Sequence[Node]) -> tuple[int, int]:
        first = self._first_of(bodies)
        if first is not None and first.type == "expression_statement" and first.named_child_count:
            first = first.named_child(0)
        return (first.start_byte, first.end_byte) if first is not None and first.type == "string" else _NO_SPAN

    def _first_of(self, bodies: Sequence[Node]) -> Node | None:
        """Return the first node in bodies that is no comment: to have them all takes several times as long."""
        for body in bodies:
            for number in range(body.named_child_count):
                child = body.named_child(number)
                if child is not None and child.type not in self.language.comments:
                    return child
        return None

    def _parameters(self, node: Node, rule: Defines, kind: SymbolKind) -> tuple[str, ...] | None:
        lists = rule.parameters(node) if rule.parameters is not None and kind not in VARIABLE else None
        if lists is None or not (lists or kind in CALLABLE):
            return None
        this = self.language.scoping.this if self.language.scoping else frozenset[str]()
        names = [
            name
            for parameters in lists
            for child in ((parameters,) if "identifier" in parameters.type else parameters.named_children)
            if child.type not in self.language.comments
            for name in parameter_names(child)
        ]
        return tuple(name for i, name in enumerate(names) if i or name.lstrip("&*") not in this)


def _written_parameters(behind: bytes) -> tuple[str, ...] | None:
    """Return the names between the parentheses behind the name of a macro; None where there are none."""
    if not behind.startswith(b"("):
        return None
    return tuple(_WORD.findall(behind[: behind.index(b")")].decode("utf-8", "replace")))


def _joined(container: str, name: str) -> str:
    return f"{container}.{name}" if container and name else container or name


def _kind(node: Node, rule: Defines, look: Look, level: _Level) -> SymbolKind | None:
    """Return the kind of what ``node`` defines in its place; None where that is no symbol."""
    kind = look.kind
    if kind is None or (level.kind in CALLABLE and (kind in VARIABLE or not rule.local) and not rule.top):
        return None
    if not look.emits:
        return kind
    if rule.member is not None and level.kind in CLASS_LIKE and kind not in _SAME_IN_CLASSES:
        kind = rule.member(node) if callable(rule.member) else rule.member
    return rule.within(level.around, kind) if rule.within is not None and level.around is not None else kind


def _last_row(node: Node) -> int:
    """Return the row of the last character: a node that ends with a newline ends on the row before."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def parameter_names(node: Node) -> Sequence[str]:
    """Return the names that one parameter node declares, with the stars of a variadic one."""
    for _ in range(8):  # declarators nest: int *(*f)(void)
        if node.type in _DESTRUCTURING:
            return ("{...}",)
        spelled = text(node)
        if _PLAIN_PARAMETER.fullmatch(spelled) and not node.child_by_field_name("type"):
            return (spelled,)
        names = node.children_by_field_name("name")
        if names:
            return [text(name) for name in names]
        inner = node.child_by_field_name("pattern") or node.child_by_field_name("declarator")
        if inner is None:
            inner = next((c for c in node.named_children if "declarator" in c.type), None)
        if inner is None:
            inner = next((c for c in node.named_children if "identifier" in c.type or "pattern" in c.type), None)
            if inner is None or node.child_by_field_name("type") == inner:
                return ()
            if inner.named_child_count and "splat" not in inner.type and "pattern" in inner.type:
                return ("{...}",)
        node = inner
    return ()
