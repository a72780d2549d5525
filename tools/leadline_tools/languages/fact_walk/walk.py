"""The walk through a syntax tree that gathers facts: what is done with a node, by the rules for its type."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node, TreeCursor

from leadline_tools.languages.fact_walk.bindings import NameBinder
from leadline_tools.languages.fact_walk.borrowed_names import BorrowedNames
from leadline_tools.languages.fact_walk.calls import CallReader
from leadline_tools.languages.fact_walk.class_reads import ClassReads
from leadline_tools.languages.fact_walk.completion import Completion, call_unbound_names
from leadline_tools.languages.fact_walk.context import Context
from leadline_tools.languages.fact_walk.definitions import DefinitionBinder
from leadline_tools.languages.fact_walk.documented_types import bind_documentation
from leadline_tools.languages.fact_walk.evidence import Evidence
from leadline_tools.languages.fact_walk.heritage import HeritageReader
from leadline_tools.languages.fact_walk.imports import ImportReader
from leadline_tools.languages.fact_walk.local_names import LocalBinder
from leadline_tools.languages.fact_walk.masked_names import add_masked_names
from leadline_tools.languages.fact_walk.node_rules import NodeRules, find_rules, known_rules
from leadline_tools.languages.fact_walk.scopes import ScopeOpener
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables, NameMarks
from leadline_tools.languages.fact_walk.terms import TermReader
from leadline_tools.languages.fact_walk.uses import UseReader
from leadline_tools.languages.facts import Facts, Scope
from leadline_tools.languages.flow import Flow
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.outline_walk.walk import outline
from leadline_tools.languages.rules.outline import Defines
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.spelling import Speller
from leadline_tools.model import Role


def facts(root: Node, content: bytes, language: Language, shown: Sequence[Definition] | None = None) -> Facts:
    """Return the facts below ``root``; empty ones for a language without semantics rules.

    Args:
        root: The root of the tree of ``content``.
        content: The source, UTF-8, as it was parsed.
        language: What the tree was parsed with.
        shown: The outline of the tree, where it is known already: only what it shows is a symbol.

    """
    if language.semantics is None:
        return Facts([Scope(ScopeKind.Module, -1, "")], [], [], {})
    symbols = outline(root, content, language, parameters=False, spans=False) if shown is None else shown
    walk = _Walk(content, language, language.semantics, symbols)
    walk.run(root)
    return walk.facts()


class _Walk:
    """The state of one walk: the contexts of the nodes around, and a reader for each noun."""

    def __init__(self, content: bytes, language: Language, semantics: Semantics, shown: Sequence[Definition]) -> None:
        self._language, self._semantics = language, semantics
        self._contexts: list[Context] = []
        self._source = source = SourceText(content)
        self._tables = tables = FactTables()
        marks = NameMarks()
        self._flow = flow = Flow(content, semantics.types.narrows_branches)
        self._terms = terms = TermReader(Speller(content, semantics), flow, self._contexts)
        self._imports = ImportReader(source, semantics, tables)
        self._heritage = HeritageReader(source, tables, terms)
        self._scopes = ScopeOpener(source, semantics, tables, terms, self._imports, self._heritage)
        self._evidence = Evidence(semantics, tables)
        self._class_reads = ClassReads(tables)
        self._borrowed = BorrowedNames(source, semantics, tables)
        self._calls = CallReader(source, semantics, tables)
        self._uses = UseReader(
            source, semantics, tables, marks, terms, self._imports, self._evidence, self._class_reads
        )
        by_position = {(symbol.line, symbol.column): symbol for symbol in shown}
        self._binder = NameBinder(source, semantics, tables, marks, flow, by_position)
        self._locals = LocalBinder(source, semantics, tables, marks, terms, self._scopes, self._binder, flow)
        self._definitions = DefinitionBinder(
            source,
            semantics,
            tables,
            marks,
            terms,
            self._scopes,
            self._heritage,
            self._binder,
            self._class_reads,
            shown,
        )

    def run(self, root: Node) -> None:
        """Gather all facts below the root of a tree."""
        self._imports.add_ambient(0)
        self._imports.read_exports(root)
        self._visit_all(root.walk())
        content, semantics = self._source.content, self._semantics
        if semantics.types.read_documentation is not None:
            bind_documentation(semantics.types.read_documentation(content), content, self._tables, self._binder.shown)
        add_masked_names(self._source, self._language, self._tables)

    def facts(self) -> Facts:
        """Return the facts, with what only the end of the file tells."""
        tables = self._tables
        completion = Completion(
            self._semantics, tables, self._evidence, self._borrowed, self._scopes.functions, self._binder.parameters
        )
        bindings = completion.complete()
        self._calls.add_signs_of_variables()
        if self._semantics.uses.reads_are_calls:
            call_unbound_names(tables, bindings)
        self._class_reads.move_early_reads()
        return Facts(
            tables.scopes,
            bindings,
            tables.imports,
            tables.uses,
            tables.heritage,
            self._language.name,
            tables.inner_names,
            tables.shorthands,
            tables.pairs,
            tables.arguments,
            tables.externs,
            tables.statics,
        )

    def _visit_all(self, cursor: TreeCursor) -> None:
        """Walk the whole tree in source order."""
        contexts = self._contexts
        contexts.append(Context(0, Role.Read, NodeRules("", self._language, self._semantics), (0, 0)))
        known = known_rules(self._language)
        down, across, opening = cursor.goto_first_child, cursor.goto_next_sibling, self._scopes.opening
        while True:
            node = cursor.node
            rules = None
            if node is not None:
                number = node.kind_id
                rules = known[number] if number in known else self._find_rules(known, node)
            if node is not None and rules is not None:
                outer = contexts[-1]
                field = cursor.field_name or "" if outer.rules.has_fields or outer.is_key else ""
                if field in outer.rules.outside and outer.rules.outside[field](node):
                    outer = outer.inside(max(0, self._tables.scopes[outer.scope].parent))
                if rules.is_plain and not (opening and node.id in opening):
                    if down():
                        contexts.append(_pass_through(rules, field, outer))
                        continue
                elif (inner := self._enter(node, rules, field, outer)) is not None and down():
                    contexts.append(inner)
                    continue
            while not across():
                if not cursor.goto_parent():
                    return
                contexts.pop()

    def _find_rules(self, known: dict[int, NodeRules | None], node: Node) -> NodeRules | None:
        """Return the rules for a node, and keep them for the others of its type."""
        rules = known[node.kind_id] = find_rules(node, self._language, self._semantics)
        return rules

    def _enter(self, node: Node, rules: NodeRules, field: str, outer: Context) -> Context | None:
        """Take in a node of which the rules say something; return what it hands down, None for a name."""
        if rules.texts_alone is not None and not node.child_count:
            self._uses.read_names_in_text(rules.texts_alone(node), node, outer.scope)
            return None
        if rules.rest and rules.definition is not None and not rules.definition.body(node):
            outer = self._contexts[-1] = self._enter_rest(node, rules.definition, outer)
        if rules.is_identifier:
            if rules.definition is not None:
                self._definitions.define(node, rules.definition, outer.scope)
            self._uses.read_name(node, rules, field, outer)
            inner = None
        else:
            inner = self._read(node, rules, field, outer)
        if self._scopes.following >= 0:
            self._enter_following()
        return inner

    def _enter_rest(self, node: Node, rule: Defines, outer: Context) -> Context:
        """Open the scope of a definition that holds what follows; leave that of the one before."""
        around = outer.scope if outer.around < 0 else outer.around
        path = self._definitions.define(node, rule, around)
        return outer.inside(self._scopes.add_scope(ScopeKind.Namespace, around, path), around)

    def _enter_following(self) -> None:
        """Have what follows in the same block seen from the scope that was opened for it."""
        contexts, following = self._contexts, self._scopes.following
        home = self._tables.scopes[following].parent
        for level in range(len(contexts) - 1, -1, -1):
            if contexts[level].scope != home:
                break
            contexts[level] = contexts[level].inside(following)
        self._scopes.following = -1

    def _read(self, node: Node, rules: NodeRules, field: str, outer: Context) -> Context:
        """Take in all that the rules have to say of a node; return what it hands down."""
        role = outer.child_role(field)
        scope = outer.scope
        imports = outer.imports
        if rules.declares or self._scopes.opening:
            scope = self._declare(node, rules, scope)
        if rules.is_import:
            imported = self._imports.read(node, rules.name, scope)
            if imported[0] < imported[1]:
                imports, role = imported, Role.Import
        if rules.member is not None:
            self._uses.mark_members(node, role, scope)
        if rules.has_evidence:
            self._read_evidence(node, rules, scope)
        if rules.borrows:
            self._borrowed.borrow(node, rules, scope)
        return Context(scope, role, rules, imports, outer.holds_key(rules, field))

    def _declare(self, node: Node, rules: NodeRules, outer: int) -> int:
        """Take in what a node defines, opens and binds; return the scope of what is in it."""
        path = self._definitions.define(node, rules.definition, outer) if rules.definition is not None else ""
        kind, scope, binds = self._scopes.kind_of(node, rules), outer, rules.binds
        if kind is not None:
            scope = self._scopes.open_scope(node, kind, outer, path)
            self._flow.enter(scope, node.end_byte)
        if rules.interrupts is not None:
            self._flow.interrupt(node, rules.interrupts)
        if binds is not None:
            self._locals.assign(node, rules, binds, scope)
            self._locals.bind(node, binds, outer if binds.outer else scope)
        return scope

    def _read_evidence(self, node: Node, rules: NodeRules, scope: int) -> None:
        """Take in what a node tells of types, and the names in it that the walk does not come upon."""
        terms = self._terms
        if rules.fills is not None and terms.reads_values:
            self._uses.mark_keys(rules.fills(node, terms.spell))
        if rules.texts is not None:
            self._uses.read_names_in_text(rules.texts(node), node, scope)
        if rules.returns is not None:
            self._evidence.add_returned(scope, rules.returns(node, terms.spell))
        if rules.quotes is not None:
            quoted = ((one, terms.spell_receiver(one.receiver)) for one in rules.quotes(node))
            written = (Written(q.within.start_byte + q.start, q.name, q.role, term) for q, term in quoted)
            self._uses.read_names_in_text(written, node, scope)
        if rules.implicit_calls is not None and terms.reads_values:
            self._calls.read_signs(rules.implicit_calls(node, terms.spell), scope)
        if rules.narrows_scope is not None:
            self._evidence.add_narrowed(scope, rules.narrows_scope(node, terms.spell))
        if rules.has_flow:
            self._read_flow(node, rules, scope)

    def _read_flow(self, node: Node, rules: NodeRules, scope: int) -> None:
        """Take in where a node passes values on: to collections, constructors, keys, arguments, branches."""
        terms = self._terms
        if rules.puts is not None:
            self._evidence.add_filling(scope, rules.puts(node, terms.spell))
        if rules.constructs is not None:
            self._calls.read_constructors(rules.constructs(node, terms.spell), scope)
        if rules.takes is not None:
            self._imports.read_taken_members(node, rules.takes(node, terms.spell), scope)
        if rules.pairs is not None:
            self._calls.read_pair(rules.pairs(node))
        if rules.arguments is not None:
            self._calls.read_argument(node, rules.arguments(node))
        if rules.decides is not None and terms.reads_values:
            for narrowing in rules.decides.narrowings(node, terms.spell):
                self._flow.narrow(narrowing, node.start_byte)
        if rules.gives and self._flow.until > node.start_byte:
            target = node.child_by_field_name(rules.gives)
            if target is not None:
                self._locals.give(node, target)


def _pass_through(rules: NodeRules, field: str, outer: Context) -> Context:
    """Return what a node hands down of which the rules say nothing: often the same as the node around it."""
    role = outer.child_role(field)
    if rules.hands_on and outer.rules.hands_on and role is outer.role and not outer.is_key:
        return outer
    return Context(outer.scope, role, rules, outer.imports, outer.holds_key(rules, field))
