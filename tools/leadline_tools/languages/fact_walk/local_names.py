"""Local names by the rules of ``Binds``: parameters, variables of functions and blocks, patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import Assigned, span
from leadline_tools.languages.fact_walk.bindings import NameBinder
from leadline_tools.languages.fact_walk.node_rules import NodeRules
from leadline_tools.languages.fact_walk.scopes import ScopeOpener
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables, NameMarks
from leadline_tools.languages.fact_walk.terms import TermReader
from leadline_tools.languages.facts import FUNCTIONS
from leadline_tools.languages.flow import Flow
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import Binds, ScopeKind
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Role

_WORD = re.compile(rb"[A-Za-z_]\w*")
_VALUES = frozenset({Role.Read, Role.Write, Role.Call})
_IN_FUNCTIONS = FUNCTIONS | {ScopeKind.Block}
_ANNOTATED = frozenset({"type", "value", "default_value", "right", "return_type", "annotation", "default"})
"""Fields of a pattern or parameter that bind nothing."""


class LocalBinder:
    """Binds what the rules say a node binds, in the scope that sees it."""

    def __init__(
        self,
        source: SourceText,
        semantics: Semantics,
        tables: FactTables,
        marks: NameMarks,
        terms: TermReader,
        scopes: ScopeOpener,
        binder: NameBinder,
        flow: Flow,
    ) -> None:
        self._source = source
        rules = semantics.scopes
        self._identifiers, self._opaque, self._members = rules.identifiers, rules.opaque, semantics.uses.members
        self._this, self._own, self._is_own = rules.this, rules.own, rules.is_own
        self._attributes = semantics.members.assignments_declare
        self._tables, self._scopes = tables, tables.scopes
        self._marks = marks
        self._terms = terms
        self._opener = scopes
        self._binder = binder
        self._flow = flow

    def bind(self, node: Node, binds: Binds, scope: int) -> None:
        """Bind what a node in a scope binds."""
        home = self._home(scope, binds.hoists)
        terms, marks, flow = self._terms, self._marks, self._flow
        declared = terms.declared_type(node, binds.type)
        made = dict(terms.values(node, binds.made))
        targets = binds.targets(node)
        names = [name for one in targets for name in ((one,) if one.type in binds.keys else self._bound_names(one))]
        if binds.extern is not None and self._scopes[home].kind in _IN_FUNCTIONS and binds.extern(node):
            self._bind_externs(names, home)
            return
        visible = self._visible_from(node, binds, home, names)
        if binds.shadows is not None:
            self._mark_shadowed(binds.shadows(node), home, binds)
        for find, role in ((binds.reads, Role.Read), (binds.calls, Role.Call), (binds.writes, Role.Write)):
            if find is not None:
                starts = [identifier.start_byte for identifier in find(node)]
                marks.roles.update(dict.fromkeys(starts, role))
                marks.values.update(starts)
        for name in names:
            term = made.get(name.start_byte, "")
            if binds.member(name) if callable(binds.member) else binds.member:
                self._binder.bind_member(name, scope, declared, term)
            else:
                around = self._scopes[home].parent if binds.around else scope
                self._binder.bind(name, self._holder(visible, name, binds), declared, term, binds, around)
        for given in (*names, *targets) if flow.until > node.start_byte else ():
            self.give(node, given)
        if self._attributes:
            for target in targets:
                self._bind_attributes(target, scope, declared, made)

    def _mark_shadowed(self, identifiers: Iterable[Node], home: int, binds: Binds) -> None:
        """Have names in values read in the scope around; around a file nobody knows what they mean."""
        if not home:
            self._marks.receivers.update((identifier.start_byte, UNKNOWN) for identifier in identifiers)
        elif not binds.after:
            around = self._scopes[home].parent
            self._marks.scopes.update((identifier.start_byte, around) for identifier in identifiers)

    def _home(self, scope: int, hoists: bool) -> int:
        while hoists and self._scopes[scope].kind is ScopeKind.Block:
            scope = self._scopes[scope].parent
        return scope

    def _bound_names(self, target: Node) -> Iterator[Node]:
        identifiers, this, members, opaque = self._identifiers, self._this, self._members, self._opaque
        stack = [target]
        while stack:
            node = stack.pop()
            kind = node.type
            if kind in identifiers or kind in this:
                yield node
            elif kind not in members and kind not in opaque:
                stack.extend(
                    child
                    for i, child in enumerate(node.children)
                    if child.is_named and (node.field_name_for_child(i) or "") not in _ANNOTATED
                )

    def _bind_externs(self, names: Iterable[Node], scope: int) -> None:
        """Bind names in a scope that are declared there and defined outside of all functions."""
        for name in names:
            position, spelled = self._source.position(name), self._source.text(name)
            self._tables.add_import(Imported("", spelled, spelled), scope, *position)
            self._marks.roles[name.start_byte] = Role.Other

    def _visible_from(self, node: Node, binds: Binds, home: int, names: Sequence[Node]) -> int:
        """Return the scope that sees what a node binds in ``home``: a new one for what follows where it must be."""
        if not (binds.after or binds.onward) or not names or names[0].start_byte in self._marks.bound:
            return home
        if not home and binds.shadows is not None:
            return home  # what a file declares is seen in all of it, see ``_mark_shadowed``
        spelled = {name.text for name in names if name.text is not None}
        if self._mentions(node, binds, names, spelled) or any(self._is_used_before(home, name) for name in spelled):
            following = self._open_after(home, names)
            seeing = binds.sees(node) if binds.sees is not None else ()
            self._marks.scopes.update((identifier.start_byte, following) for identifier in seeing)
            return following
        if binds.rebinds and any((home, name) in self._binder.renewed for name in spelled):
            return self._open_after(home, names)
        return home

    def _mentions(self, node: Node, binds: Binds, names: Sequence[Node], spelled: AbstractSet[bytes]) -> bool:
        """Return whether the values in a node may mean others of the names that it binds."""
        return binds.after and sum(1 for word in _WORD.finditer(node.text or b"") if word[0] in spelled) > len(names)

    def _is_used_before(self, home: int, name: bytes) -> bool:
        """Return whether a name that ``home`` does not bind yet is used in it already: there it means another one."""
        if not home or (home, name) in self._binder.held or name == b"_":
            return False  # at the top the order says nothing
        for use in reversed(self._tables.uses.get(name.decode("utf-8", "replace"), ())):
            scope = use.scope
            while scope > home:
                scope = self._scopes[scope].parent
            if scope != home:
                return False
            if use.receiver == BARE and use.role in _VALUES:
                return True
        return False

    def _open_after(self, home: int, names: Sequence[Node]) -> int:
        following = self._opener.follow(home)
        self._marks.scopes.update((name.start_byte, following) for name in names)
        return following

    def _holder(self, scope: int, name: Node, binds: Binds) -> int:
        """Return the scope of the same block that holds a name already, which is bound once more; else ``scope``."""
        if binds.captures and name.text is not None:
            return self._captured_from(scope, name.text)
        home = scope
        while binds.redeclares and name.text is not None and home > 0:
            if (home, name.text) in self._binder.held:
                return home
            around = self._scopes[home].parent
            if home not in self._opener.continued and self._scopes[around].kind not in FUNCTIONS:
                break
            home = around
        return scope

    def _captured_from(self, scope: int, name: bytes) -> int:
        """Return the scope around a block that holds a name already; the scope itself where none does."""
        home = scope
        while (home, name) not in self._binder.held:
            if self._scopes[home].kind is not ScopeKind.Block:
                return scope
            home = self._scopes[home].parent
        return home

    def _bind_attributes(self, target: Node, scope: int, declared: str, made: Mapping[int, str]) -> None:
        """Bind the members of its own object, or of its class, that a method gives values to."""
        rule = self._members.get(target.type)
        if rule is None or callable(rule):
            for child in target.named_children if target.type not in self._opaque else ():
                self._bind_attributes(child, scope, declared, made)
            return
        owner, member = self._terms.parts(target, rule)
        if owner is None or member is None:
            return
        if self._source.text(owner) not in self._this | self._own and not self._is_own(owner):
            return
        self._binder.bind_member(member, scope, declared, made.get(target.start_byte, ""))

    def give(self, node: Node, target: Node) -> None:
        """Note that a node gives a target another value."""
        body = node.child_by_field_name("body")
        visible = body.start_byte if body is not None else node.end_byte
        self._flow.give(self._source.text(target), target.start_byte, visible)

    def assign(self, node: Node, rules: NodeRules, binds: Binds, scope: int) -> None:
        """Note what an assignment, or the beginning of a block, gives a local name that is given several values."""
        if self._scopes[scope].kind not in FUNCTIONS:
            return
        if rules.receives is not None:
            self._receive(node, rules.receives(node), binds, scope)
        if rules.assigns is None:
            return
        start = node.start_byte
        end = self._flow.assigned(scope, start)
        alone = end and [target.end_byte for target in binds.targets(node)] == [end]
        assigned = rules.assigns(node) if alone else None
        if assigned is not None:
            self._flow.assign(self._source.content[start:end], scope, node.start_point[0] + 1, assigned, start)

    def _receive(self, node: Node, body: Node | None, binds: Binds, scope: int) -> None:
        """Note that a name has at the beginning of a block what callers, or an iterable, give it."""
        names = binds.targets(node)
        name = names[0].text if len(names) == 1 and names[0].type in self._identifiers else None
        if name is None or body is None:
            return
        start = names[0].start_byte
        if not (self._flow.is_bound_before(scope, name, start) or self._flow.is_assigned_within(name, span(body))):
            return
        self._flow.assign(name, scope, names[0].start_point[0] + 1, Assigned(span(body), ()), start)
