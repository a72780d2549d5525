"""The uses of names: their roles, their receivers, and where they are."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from leadline_tools.languages.fact_walk.class_reads import ClassReads
from leadline_tools.languages.fact_walk.context import Context
from leadline_tools.languages.fact_walk.evidence import Evidence
from leadline_tools.languages.fact_walk.imports import ImportReader
from leadline_tools.languages.fact_walk.node_rules import NodeRules
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables, NameMarks
from leadline_tools.languages.fact_walk.terms import TermReader
from leadline_tools.languages.facts import ITSELF, LABEL_MARK, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.terms import BARE, LABEL, UNKNOWN, shorten_term, then
from leadline_tools.model import Role


class UseReader:
    """Adds the uses of names to the tables, and marks the names that a node says something of."""

    def __init__(
        self,
        source: SourceText,
        semantics: Semantics,
        tables: FactTables,
        marks: NameMarks,
        terms: TermReader,
        imports: ImportReader,
        evidence: Evidence,
        class_reads: ClassReads,
    ) -> None:
        self._content, self._plain, self._columns = source.content, source.plain, source.columns
        self._semantics = semantics
        self._same_named, self._fillers = semantics.scopes.same_named, semantics.types.fillers
        self._in_order, self._jump_labels = semantics.scopes.binds_in_order, semantics.scopes.jump_labels
        self._tables, self._scopes = tables, tables.scopes
        self._marks = marks
        self._defined_in, self._mark_scopes, self._receivers = marks.defined_in, marks.scopes, marks.receivers
        self._roles, self._keys = marks.roles, marks.keys
        self._terms = terms
        self._imports = imports
        self._evidence = evidence
        self._class_reads = class_reads

    def read_name(self, node: Node, rules: NodeRules, field: str, outer: Context) -> None:
        """Add the use of a name that is a node of its own."""
        start, end = node.start_byte, node.end_byte
        name = self._content[start:end].decode("utf-8", "replace")
        around = outer.rules
        scope = self._defined_in.get(start, -1)
        if scope >= 0:
            role = Role.Definition
        else:
            role = self._roles.get(start) or outer.child_role(field)
            scope = self._mark_scopes.get(start, outer.scope) if self._mark_scopes else outer.scope
            if role is Role.Read and rules.is_type and start not in self._marks.values:
                role = Role.Type
        receiver = self._receivers.get(start)
        if receiver is None:
            is_key = outer.is_key or field in around.keys
            receiver = UNKNOWN if is_key and role is not Role.Definition else BARE
            receiver = LABEL if field in around.labels else receiver
        imported, part = -1, ""
        if role is Role.Import:
            imported, receiver, part = self._imports.use_in_import(node, name, receiver, outer)
        row, column = node.start_point
        line, column = row + 1, column + 1 if self._plain else self._columns.at(start, column)
        short = rules.is_shorthand or around.is_shorthand or (around.shortens is not None and around.shortens(node))
        if short:
            self._tables.shorthands.append((line, column))
        if self._keys and start in self._keys and (role is Role.Definition or short):
            use = Use(line, column, column + len(name), scope, Role.Other, receiver, imported)
            self._tables.add_use(name, use)
            receiver = BARE
        bare = receiver == BARE
        if role is Role.Call and not bare and name in self._fillers:
            self._read_filler(node, name, receiver, scope)
        member = part or (self._member_of_name(node, start, outer) if bare and self._same_named else "")
        end_column = column + len(name)
        if self._jump_labels and node.type in self._jump_labels:
            name += LABEL_MARK
        self._tables.add_use(name, Use(line, column, end_column, scope, role, receiver, imported, member))
        read = self._in_order and bare and role is not Role.Definition
        if read and self._scopes[scope].kind is ScopeKind.Class:
            self._class_reads.add_read(name, start)

    def _member_of_name(self, node: Node, start: int, outer: Context) -> str:
        """Return the member that is taken of the name at a byte, ITSELF where a type stands."""
        around = outer.rules.name
        if outer.rules.is_generic and node.parent is not None and node.parent.parent is not None:
            around = node.parent.parent.type
        return ITSELF if around in self._same_named else self._marks.members.get(start, "")

    def _read_filler(self, method: Node, name: str, receiver: str, scope: int) -> None:
        """Keep what a method puts into the collection that it is called on."""
        call = method.parent.parent if method.parent is not None else None
        if call is not None:
            self._evidence.add_filling(scope, self._fillers[name](call, receiver, self._terms.spell))

    def read_names_in_text(self, written: Iterable[Written], node: Node, scope: int) -> None:
        """Add the uses of the names in the text of a node."""
        content, tables = self._content, self._tables
        line, start = node.start_point[0] + 1, node.start_byte - node.start_point[1]
        at = node.start_byte
        for begin, name, role, receiver, short in written:
            line += content.count(b"\n", at, begin)
            start = max(start, content.rfind(b"\n", at, begin) + 1)
            at = begin
            column = self._columns.at(begin, begin - start)
            tables.add_use(name, Use(line, column, column + len(name), scope, role, receiver, -1))
            if short:
                tables.shorthands.append((line, column))

    def mark_members(self, node: Node, role: Role, scope: int) -> None:
        """Mark the members that a node takes with the terms of what they are taken of."""
        semantics, terms, receivers = self._semantics, self._terms, self._receivers
        rule = semantics.uses.members[node.type]
        owner, *members = terms.parts(node, rule)
        if owner is None and not callable(rule):
            return  # a name alone, as in a Java call
        term = terms.spell(owner)
        if node.type in semantics.uses.qualified and owner is not None and not owner.child_count:
            term = self._tables.spell_outside_of_variables(term, scope)
        if semantics.types.through is not None:
            term = then(term, semantics.types.through(node))
        if semantics.scopes.same_named and owner is not None and members and members[0] is not None:
            self._marks.members[owner.start_byte] = self._text(members[0])
        before = receivers.get(node.start_byte)
        if before is not None and term != UNKNOWN:  # itself a member: a chain that nests to the right
            term = then(before, f".{term}")
        for member in members:
            if member is not None:
                receivers[member.start_byte] = shorten_term(term) if term else term
                term = then(term, f".{self._text(member)}")
        if callable(rule) and members and members[-1] is not None:
            self._roles[members[-1].start_byte] = role

    def mark_keys(self, members: Iterable[tuple[Node, str]]) -> None:
        """Mark the names of members of an object that is made, each with the term of what it is a member of."""
        for member, term in members:
            kept = shorten_term(term) if term else term
            if kept != UNKNOWN:
                self._receivers[member.start_byte] = kept
            else:  # what is around it may have told more
                self._receivers.setdefault(member.start_byte, UNKNOWN)
            self._keys.add(member.start_byte)

    def _text(self, node: Node) -> str:
        return self._content[node.start_byte : node.end_byte].decode("utf-8", "replace")
