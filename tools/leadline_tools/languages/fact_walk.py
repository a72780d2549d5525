"""From a syntax tree to the facts of a file.

One walk for every language, over a cursor, without recursion. No tree outlives it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from tree_sitter import Node, TreeCursor

from leadline_tools.languages.branches import Span
from leadline_tools.languages.facts import (
    FUNCTIONS,
    ITSELF,
    LABEL_MARK,
    NAMELESS,
    OUTSIDE,
    Argument,
    Binding,
    Facts,
    Heritage,
    Pair,
    Scope,
    Sort,
    Use,
    class_around,
    nameless,
)
from leadline_tools.languages.flow import Flow
from leadline_tools.languages.language import (
    Binds,
    Defines,
    DocumentedType,
    Imported,
    Language,
    Made,
    ScopeKind,
    Scoping,
    Written,
)
from leadline_tools.languages.lexing import in_code
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE, Definition, has_colon
from leadline_tools.languages.outline_walk.walk import outline
from leadline_tools.languages.positions import Columns, Positions
from leadline_tools.languages.spelling import Speller
from leadline_tools.languages.terms import BARE, LONGEST, UNKNOWN, WRITTEN, either, fitting, placed, then, written_at
from leadline_tools.model import Role, SymbolKind

_WORD = re.compile(rb"[A-Za-z_]\w*")
_MASK = re.compile(rb"\s+|int\s*=")
"""What the grammar is given in the place of a macro: nothing, or the beginning of a parameter."""

_DEEPEST_TERM = 24
"""Nodes within nodes that a term is spelled of."""

_MEMO_DEPTH = 4
"""Nodes within nodes from which on a term is kept until the whole is spelled: some rules spell a part twice, and what a
chain of calls takes would double with each link."""

_DEEPEST_NODE = 400
"""Nodes around one of which values are told: a look at what is around takes the longer the deeper it is."""

_STICKY = frozenset({Role.Type, Role.Inherit, Role.Decorator, Role.Import, Role.Write})
_STRONGER = {Role.Call: (Role.Decorator,), Role.Type: (Role.Inherit, Role.Decorator)}
"""Roles that a node around it gives to what would otherwise be called or be a type: a base class is both."""

_VALUES = frozenset({Role.Read, Role.Write, Role.Call})
_PLAIN = Binds(lambda _node: ())
_OPEN = frozenset({ScopeKind.Open})
_IN_FUNCTIONS = FUNCTIONS | {ScopeKind.Block}
_AROUND_TYPES = frozenset({ScopeKind.Open, ScopeKind.Class})
_TYPE_ARGUMENTS = frozenset({"type_arguments", "type_argument_list"})
_ANNOTATED = frozenset({"type", "value", "default_value", "right", "return_type", "annotation", "default"})
"""Fields of a pattern or parameter that bind nothing."""


class _Kind:
    """What the rules of a language say of the nodes of one type, found once: most say nothing.

    Args:
        name: The type of the nodes.
        language: The language that has the rules.

    """

    __slots__ = (
        "arguments",
        "assigns",
        "binds",
        "comment",
        "constructs",
        "decides",
        "declares",
        "definition",
        "fields",
        "fills",
        "generic",
        "gives",
        "globals",
        "handed",
        "identifier",
        "implicit_calls",
        "imports",
        "inert",
        "interrupts",
        "keys",
        "member",
        "name",
        "narrows",
        "nonlocals",
        "opaque",
        "opens",
        "outside",
        "pairs",
        "passes",
        "plain",
        "puts",
        "quotes",
        "rest",
        "returns",
        "roles",
        "shorthand",
        "takes",
        "tells",
        "text",
        "texts",
        "type",
    )

    def __init__(self, name: str, language: Language, scoping: Scoping) -> None:
        self.name = name
        self.identifier = name in scoping.identifiers
        self.definition = language.definitions.get(name)
        self.rest = self.definition is not None and self.definition.rest
        self.generic = name in scoping.generic
        self.member = scoping.members.get(name)
        self.opaque = name in scoping.opaque
        self.opens = scoping.scopes.get(name)
        self.binds = scoping.binds.get(name)
        self.imports = name in scoping.imports
        self.globals = name in scoping.globals
        self.nonlocals = name in scoping.nonlocals
        self.fills = scoping.fills.get(name)
        self.texts = scoping.texts.get(name)
        self.returns = scoping.returns.get(name)
        self.quotes = scoping.quotes.get(name)
        self.narrows = scoping.narrows.get(name)
        self.puts = scoping.puts.get(name)
        self.constructs = scoping.constructs.get(name)
        self.implicit_calls = scoping.implicit_calls.get(name)
        self.takes = scoping.takes.get(name)
        self.pairs = scoping.pairs.get(name)
        self.arguments = scoping.arguments.get(name)
        branches = scoping.branches
        self.decides = branches if name in branches.decides else None
        self.gives = branches.gives.get(name, "")
        self.assigns = branches.assigns.get(name)
        self.interrupts = branches.interrupts.get(name)
        self.passes = bool(
            self.pairs or self.arguments or self.decides or self.gives or self.puts or self.constructs or self.takes
        )
        infers = self.implicit_calls or self.fills or self.returns or self.quotes or self.narrows or self.passes
        self.tells = bool(infers or self.texts)
        self.roles = {field: role for (kind, field), role in scoping.roles.items() if kind == name}
        self.keys = frozenset(field for kind, field in scoping.keys if kind == name)
        self.outside = {field: tells for (kind, field), tells in scoping.outside.items() if kind == name}
        self.fields = bool(self.roles or self.keys or self.member or self.outside)
        self.type = name in scoping.types
        special = self.generic or self.opaque or name in scoping.shorthands or name in scoping.same_named
        self.inert = not (self.fields or special)
        self.shorthand = name in scoping.shorthands
        self.declares = bool(self.definition or self.opens or self.binds or self.interrupts)
        borrows = self.imports or self.globals or self.nonlocals
        acts = self.identifier or self.member or self.declares or borrows
        self.plain = not (acts or self.tells)
        self.text = self.texts if not (acts or infers) else None
        self.handed = {role: self._handed(role) for role in Role}

    def _handed(self, role: Role) -> Role:
        """Return the role of a child of which no rule says one, where the node itself has a role."""
        if self.generic:
            return role
        return role if role in _STICKY and not (role is Role.Write and self.opaque) else Role.Read


_KINDS: dict[str, dict[int, _Kind | None]] = {}
"""By language, the kinds of the nodes that were met so far, by the grammar's number of their type; None for no name."""


class _Context:
    """What a node hands down to its children.

    ``around`` is the scope before the latest definition that holds the rest, -1 for the same.
    """

    __slots__ = ("around", "imports", "key", "kind", "role", "scope")

    def __init__(
        self, scope: int, role: Role, kind: _Kind, imports: tuple[int, int], key: bool = False, around: int = -1
    ) -> None:
        self.scope = scope
        self.role = role
        self.kind = kind
        self.imports = imports
        self.key = key
        self.around = around

    def seen_from(self, scope: int, around: int | None = None) -> _Context:
        """Return what is handed down in another scope."""
        around = self.around if around is None else around
        return _Context(scope, self.role, self.kind, self.imports, self.key, around)


def facts(root: Node, content: bytes, language: Language, shown: Sequence[Definition] | None = None) -> Facts:
    """Return the facts below ``root``; empty ones for a language without scoping rules.

    Args:
        root: The root of the tree of ``content``.
        content: The source, UTF-8, as it was parsed.
        language: What the tree was parsed with.
        shown: The outline of the tree, where it is known already: only what it shows is a symbol.

    """
    if language.scoping is None:
        return Facts([Scope(ScopeKind.Module, -1, "")], [], [], {})
    symbols = outline(root, content, language) if shown is None else shown
    walk = _Walk(content, language, language.scoping, symbols)
    walk.export(root)
    walk.run(root.walk())
    walk.document()
    walk.add_masked()
    return walk.facts()


class _Walk:
    """The state of one walk."""

    def __init__(self, content: bytes, language: Language, scoping: Scoping, shown: Sequence[Definition]) -> None:
        self.content, self.columns = content, Columns(content)
        self.plain = self.columns.plain
        self.language, self.scoping = language, scoping
        self.speller = Speller(content, scoping)
        self.same_named, self.fillers, self.in_order = scoping.same_named, scoping.fillers, scoping.binds_in_order
        self.jump_labels = scoping.jump_labels
        self.shown = {(symbol.line, symbol.column): symbol for symbol in shown}
        self.members = {symbol.path: symbol for symbol in shown if symbol.container and symbol.kind in VARIABLE}
        self.owners: dict[int, str] = {}
        self.scopes = [Scope(ScopeKind.Module, -1, "")]
        self.bindings: list[Binding] = []
        self.imports: list[Imported] = []
        self.uses: dict[str, list[Use]] = {}
        self.opening: dict[int, ScopeKind] = {}
        self._surround(0)
        self.defined: dict[int, int] = {}
        self.bound: set[int] = set()
        self.all_bound: frozenset[tuple[int, str]] | None = None
        self.untyped: dict[int, int] = {}
        self.receivers: dict[int, str] = {}
        self.member_roles: dict[int, Role] = {}
        self.read: set[int] = set()
        self.escaping, self.lent = set[tuple[int, str]](), set[tuple[int, str]]()
        self.heritage: list[Heritage] = []
        self.heir = self.depth = 0
        self.returned: dict[int, list[tuple[int, str]]] = {}
        self.narrowed: dict[tuple[int, str], list[str]] = {}
        self.filling: dict[tuple[int, str], list[str]] = {}
        self.filling_members: dict[str, list[tuple[int, str]]] = {}
        self.flow = Flow(content, scoping.branches)
        self.taken: dict[int, str] = {}
        self.contexts: list[_Context] = []
        self.filled: set[int] = set()
        self.functions: dict[int, tuple[int, int]] = {}
        self.inner: dict[tuple[int, int], int] = {}
        self.seen_after: dict[int, int] = {}
        self.named: set[tuple[int, bytes]] = set()
        self.held: set[tuple[int, bytes]] = set()
        self.continued: set[int] = set()
        self.following = -1
        self.inner_names, self.externs = list[str](), list[str]()
        self.makers, self.methods_outside = set[str](), set[str]()
        self.shorthands: list[tuple[int, int]] = []
        self.pairs: list[Pair] = []
        self.arguments: dict[str, list[Argument]] = {}
        self.signed: list[tuple[str, str, Use]] = []
        self.in_classes: list[tuple[str, int, int]] = []
        self.bound_until: dict[tuple[int, str], int] = {}
        self.says_this = scoping.documented_this is not None and b"@this" in content
        self.spelled: dict[tuple[int, int], str] = {}  # by node and depth

    def facts(self) -> Facts:
        """Return what was found, with ``global`` names moved to the module, and what only the end tells."""
        first = {s.name: i for i, s in reversed([*enumerate(self.scopes)]) if s.kind in FUNCTIONS and s.name}
        narrowed, filling = self._by_home(self.narrowed), self._by_home(self.filling)
        bindings = [self._completed(binding, first, narrowed, filling) for binding in self.bindings]
        variables = {binding.name for binding in bindings if binding.sort == Sort.Value} if self.signed else ()
        for variable, sign, use in self.signed:
            if variable in variables:
                self._add(sign, use)
        if self.scoping.reads_are_calls:
            self._call_unbound(bindings)
        self._look_past_classes()
        return Facts(
            self.scopes,
            bindings,
            self.imports,
            self.uses,
            self.heritage,
            self.language.name,
            self.inner_names,
            self.shorthands,
            self.pairs,
            self.arguments,
            self.externs,
        )

    def _call_unbound(self, bindings: Sequence[Binding]) -> None:
        """Make calls of the names that stand alone and are no variables."""
        variables: dict[tuple[int, str], tuple[int, int]] = {}
        for one in bindings:
            if not one.path and one.imported < 0:
                place = one.line, one.column
                variables[one.scope, one.name] = min(place, variables.get((one.scope, one.name), place))
        for name, uses in self.uses.items():
            if name[0].islower() or name[0] == "_":
                for number, use in enumerate(uses):
                    alone = use.role is Role.Read and use.receiver == BARE and use.imported < 0
                    if alone and not self._is_variable(name, use, variables):
                        uses[number] = use._replace(role=Role.Call)

    def _is_variable(self, name: str, use: Use, variables: Mapping[tuple[int, str], tuple[int, int]]) -> bool:
        """Tell whether a name is that of a variable of its scope, or of one around it in the same function.

        It is one from where the variable is first bound.
        """
        scope, place = use.scope, (use.line, use.column)
        while self.scopes[scope].kind not in FUNCTIONS and scope > 0:
            if (scope, name) in variables and variables[scope, name] <= place:
                return True
            scope = self.scopes[scope].parent
        return (scope, name) in variables and variables[scope, name] <= place

    def _look_past_classes(self) -> None:
        """Have names of a class that it reads before it binds them mean those that are seen around it."""
        for name, number, start in self.in_classes:
            use = self.uses[name][number]
            if start < self.bound_until.get((use.scope, name), 0):
                self.uses[name][number] = use._replace(scope=self.scopes[use.scope].parent)

    def _by_home(self, told: Mapping[tuple[int, str], Sequence[str]]) -> Mapping[tuple[int, str], Sequence[str]]:
        """Return what is told of names by the scope that binds them, given that by the scope in which it is told."""
        found: dict[tuple[int, str], list[str]] = {}
        for (inner, name), terms in told.items():
            scope = inner
            while scope > 0 and not self._binds(scope, name):
                scope = self.scopes[scope].parent
            found.setdefault((scope, name), []).extend(self._seen_from(inner, scope, term) for term in terms)
        return found

    def _binds(self, scope: int, name: str) -> bool:
        """Tell whether a scope binds a name, once all are known."""
        if self.all_bound is None:
            self.all_bound = frozenset((binding.scope, binding.name) for binding in self.bindings)
        return (scope, name) in self.all_bound

    def _seen_from(self, scope: int, home: int, term: str) -> str:
        """Return a term of a scope as one that is read in ``home`` around it: names bound in between say where."""
        between: list[int] = []
        while scope > max(home, 0):
            between.append(scope)
            scope = self.scopes[scope].parent
        if not between or term == UNKNOWN:
            return term
        return placed(term, lambda name: next((one for one in between if self._binds(one, name)), -1))

    def _completed(
        self,
        binding: Binding,
        first: Mapping[str, int],
        narrowed: Mapping[tuple[int, str], Sequence[str]],
        filling: Mapping[tuple[int, str], Sequence[str]],
    ) -> Binding:
        if (binding.scope, binding.name) in self.escaping:
            binding = binding._replace(scope=0)
        if (binding.scope, binding.name) in self.lent:
            binding = binding._replace(scope=self._lender(binding.scope, binding.name))
        if binding.sort in (Sort.Callable, Sort.Getter):
            inner = self.inner.get((binding.line, binding.column), first.get(binding.path, -1))
            if inner >= 0:
                returned = self.returned.get(inner, ())
                made = either((binding.made, *(self._seen_from(scope, inner, term) for scope, term in returned)))
                return binding._replace(spelled=inner, made=_known(made))
        told = narrowed.get((binding.scope, binding.name), ())
        if binding.made in self.scoping.empty:
            members = self.filling_members.get(binding.path, ()) if binding.path else ()
            filled = [self._seen_from(scope, 0, term) for scope, term in members]
            told = filled or filling.get((binding.scope, binding.name), ())
        return binding._replace(made=_known(either((binding.made, *told)))) if told else binding

    def _lender(self, scope: int, name: str) -> int:
        """Return the scope of the function around that binds a name, which a function inside takes from it."""
        bound = {binding.scope for binding in self.bindings if binding.name == name}
        around = self.scopes[scope].parent
        while around > 0 and (around not in bound or (around, name) in self.lent):
            around = self.scopes[around].parent
        return around if around > 0 else scope

    def add_masked(self) -> None:
        """Take in the names that were kept from the grammar: macros, outside of comments, strings and directives."""
        if self.language.masked is None:
            return
        content = self.language.selected(self.content) if self.language.selected is not None else self.content
        if content is not self.content:
            self._add_directives(content)
        parsed = self.language.masked(content).split(b"\n")
        kept: dict[int, tuple[int, int, str]] = {}
        begin = 0
        for row, line in enumerate(content.split(b"\n")):
            if line != parsed[row] and not line.endswith(b"\\"):
                for word in _WORD.finditer(line):
                    if _MASK.fullmatch(parsed[row], word.start(), word.end()):
                        column = len(line[: word.start()].decode("utf-8", "replace")) + 1
                        kept[begin + word.start()] = (row + 1, column, word[0].decode())
            begin += len(line) + 1
        lexis = self.language.lexis
        for offset in in_code(kept, content, lexis) if kept and lexis is not None else ():
            at, column, name = kept[offset]
            self._add(name, Use(at, column, column + len(name), 0, Role.Decorator, BARE, -1))

    def _add_directives(self, selected: bytes) -> None:
        """Take in the macros that are defined where the grammar knows no directives; ``selected`` is without those."""
        told = self.language.directives(self.content).told if self.language.directives is not None else ()
        for macro in told:
            start, end = macro.name, macro.name_end
            if selected[start:end].isspace():
                name, line = self.content[start:end].decode(), self.content.count(b"\n", 0, start) + 1
                column = self.columns.at(start, start - self.content.rfind(b"\n", 0, start) - 1)
                self.bindings.append(Binding(0, name, line, column, name, -1))
                self.inner_names.append(name)
                self._add(name, Use(line, column, column + len(name), 0, Role.Definition, BARE, -1))

    def export(self, root: Node) -> None:
        """Take in what the file exports as a whole."""
        for imported in self.scoping.exports(root):
            self.bindings.append(Binding(0, imported.alias, root.end_point[0] + 1, 1, "", len(self.imports)))
            self.imports.append(imported)

    def run(self, cursor: TreeCursor) -> None:
        """Walk the whole tree in source order."""
        contexts = self.contexts = [_Context(0, Role.Read, _Kind("", self.language, self.scoping), (0, 0))]
        kinds = _KINDS.setdefault(self.language.name, {})
        down, across, opening = cursor.goto_first_child, cursor.goto_next_sibling, self.opening
        while True:
            node = cursor.node
            kind = None
            if node is not None:
                number = node.kind_id
                kind = kinds[number] if number in kinds else self._kind(kinds, node)
            if node is not None and kind is not None:
                outer = contexts[-1]
                field = cursor.field_name or "" if outer.kind.fields or outer.key else ""
                if field in outer.kind.outside and outer.kind.outside[field](node):
                    outer = outer.seen_from(max(0, self.scopes[outer.scope].parent))
                if kind.plain and not (opening and node.id in opening):
                    if down():
                        contexts.append(self._passed(kind, field, outer))
                        continue
                elif (inner := self._enter(node, kind, field, outer)) is not None and down():
                    contexts.append(inner)
                    continue
            while not across():
                if not cursor.goto_parent():
                    return
                contexts.pop()

    def _follow(self, contexts: list[_Context]) -> None:
        """Have what follows in the same scope seen from the new one."""
        home = self.scopes[self.following].parent
        for level in range(len(contexts) - 1, -1, -1):
            if contexts[level].scope != home:
                break
            contexts[level] = contexts[level].seen_from(self.following)
        self.following = -1

    def _kind(self, kinds: dict[int, _Kind | None], node: Node | None) -> _Kind | None:
        """Return what the rules say of a node, and keep it for the others of its type."""
        if node is None:
            return None
        kind = _Kind(node.type, self.language, self.scoping) if node.is_named else None
        kinds[node.kind_id] = kind
        return kind

    def _enter(self, node: Node, kind: _Kind, field: str, outer: _Context) -> _Context | None:
        """Take in a node of which the rules say something; return what it hands down, None for a name."""
        if kind.text is not None and not node.child_count:
            self._read(kind.text(node), node, outer.scope)
            return None
        if kind.rest and kind.definition is not None and not kind.definition.body(node):
            outer = self.contexts[-1] = self._rest(node, kind.definition, outer)
        if kind.identifier:
            if kind.definition is not None:
                self._define(node, kind.definition, outer.scope)
            self._use(node, kind, field, outer)
            inner = None
        else:
            inner = self._told(node, kind, field, outer)
        if self.following >= 0:
            self._follow(self.contexts)
        return inner

    def _passed(self, kind: _Kind, field: str, outer: _Context) -> _Context:
        """Return what a node hands down of which the rules say nothing: often the same as the node around it."""
        role = self._role(field, outer)
        if kind.inert and outer.kind.inert and role is outer.role and not outer.key:
            return outer
        return _Context(outer.scope, role, kind, outer.imports, self._is_key(kind, field, outer))

    def _is_key(self, kind: _Kind, field: str, outer: _Context) -> bool:
        return field in outer.kind.keys if field else outer.key and kind is outer.kind

    def _told(self, node: Node, kind: _Kind, field: str, outer: _Context) -> _Context:
        """Take in all that the rules have to say of a node; return what it hands down."""
        role = self._role(field, outer)
        scope = outer.scope
        imports = outer.imports
        if kind.declares or self.opening:
            scope = self._declare(node, kind, scope)
        if kind.imports:
            imported = self._import(node, kind.name, scope)
            if imported[0] < imported[1]:
                imports, role = imported, Role.Import
        if kind.member is not None:
            self._member(node, role)
        if kind.tells:
            self._infer(node, kind, scope)
        if kind.globals or kind.nonlocals:
            self._borrow(node, kind, scope)
        return _Context(scope, role, kind, imports, self._is_key(kind, field, outer))

    def _declare(self, node: Node, kind: _Kind, outer: int) -> int:
        """Take in what a node defines, opens and binds; return the scope of what is in it."""
        path = self._define(node, kind.definition, outer) if kind.definition is not None else ""
        opened, scope, binds = self._opened_by(node, kind), outer, kind.binds
        if opened is not None:
            scope = self._open(node, opened, outer, path)
        if kind.interrupts is not None:
            self.flow.interrupt(node.start_byte, node.end_byte, kind.interrupts)
        if binds is not None:
            self._bind_all(node, binds, outer if binds.outer else scope)
            self._assign(node, kind, binds, scope)
        return scope

    def _borrow(self, node: Node, kind: _Kind, scope: int) -> None:
        """Take in the names that a function has from the module, or from a function around it."""
        borrowed = {(scope, self._text(n)) for n in node.named_children if n.type in self.scoping.identifiers}
        (self.escaping if kind.globals else self.lent).update(borrowed)

    def _infer(self, node: Node, kind: _Kind, scope: int) -> None:
        """Take in what a node tells of the result of the function around it, of the type or the object of a name."""
        if kind.fills is not None and len(self.contexts) <= _DEEPEST_NODE:
            self._fill(kind.fills(node, self._spell))
        if kind.texts is not None:
            self._read(kind.texts(node), node, scope)
        if kind.returns is not None:
            term = kind.returns(node, self._spell)
            self.returned.setdefault(self._function(scope), []).append((scope, term))
        if kind.quotes is not None:
            quoted = ((one, self._spell_owner(one.receiver)) for one in kind.quotes(node))
            written = (Written(q.within.start_byte + q.start, q.name, q.role, term) for q, term in quoted)
            self._read(written, node, scope)
        if kind.implicit_calls is not None and len(self.contexts) <= _DEEPEST_NODE:
            for one in kind.implicit_calls(node, self._spell):
                self._sign(one.token, one.methods, fitting(one.receiver), one.variable, scope)
        if kind.narrows is not None:
            for spelled, term in kind.narrows(node, self._spell):
                self.narrowed.setdefault((scope, spelled), []).append(term)
        if kind.passes:
            self._pass(node, kind, scope)

    def _sign(self, token: Node, methods: str, receiver: str, variable: str, scope: int) -> None:
        """Take in a sign that calls a method of something known."""
        if receiver in (UNKNOWN, BARE):
            return
        line, column = self._position(token)
        sign = self._text(token)
        use = Use(line, column, column + len(sign), scope, Role.Call, receiver, -1, methods)
        if variable:
            self.signed.append((variable, sign, use))
        else:
            self._add(sign, use)

    def _spell_owner(self, owner: str | Node) -> str:
        return owner if isinstance(owner, str) else fitting(self._spell(owner) or UNKNOWN)

    def _fill(self, members: Iterable[tuple[Node, str]]) -> None:
        """Take in the names of members of what is made, each with the term of what it is a member of."""
        for member, term in members:
            kept = fitting(term) if term else term
            if kept != UNKNOWN:
                self.receivers[member.start_byte] = kept
            else:  # what is around it may have told more
                self.receivers.setdefault(member.start_byte, UNKNOWN)
            self.filled.add(member.start_byte)

    def _pass(self, node: Node, kind: _Kind, scope: int) -> None:
        """Take in a key with its value, an argument with its name, what is put somewhere, what a condition tells."""
        if kind.puts is not None:
            self._put(kind.puts(node, self._spell), scope)
        if kind.constructs is not None:
            self._construct(kind.constructs(node, self._spell), scope)
        if kind.takes is not None:
            self._take(node, kind.takes(node, self._spell), scope)
        if kind.pairs is not None:
            self._pair(*kind.pairs(node))
        if kind.arguments is not None:
            self._argue(node, kind.arguments(node))
        if kind.decides is not None and len(self.contexts) <= _DEEPEST_NODE:
            for told in kind.decides.told(node, self._spell):
                self.flow.tell(told, node.start_byte)
        if kind.gives and self.flow.until > node.start_byte:
            target = node.child_by_field_name(kind.gives)
            if target is not None:
                self._give(node, target)

    def _take(self, node: Node, taken: Iterable[Imported], scope: int) -> None:
        """Bind the members that a type takes of others; the names themselves are uses like any other."""
        line, column = self._position(node)
        for one in taken:
            self.bindings.append(Binding(scope, one.alias, line, column, "", len(self.imports)))
            self.imports.append(one)

    def _construct(self, keywords: Iterable[tuple[Node, str]], scope: int) -> None:
        """Take in the calls of constructors that do not name the type."""
        for keyword, term in keywords:
            (line, column), name = self._position(keyword), self._text(keyword)
            self._add(name, Use(line, column, column + len(name), scope, Role.Call, fitting(term), -1))

    def _pair(self, key: Node | None, value: Node | None) -> None:
        """Remember a key and a value that are names."""
        if key is None or value is None or {key.type, value.type} - self.scoping.identifiers:
            return
        (line, start), (last, column) = self._position(key), self._position(value)
        if line == last:
            self.pairs.append(Pair(line, start, column, column + len(self._text(value))))

    def _argue(self, node: Node, name: Node | None) -> None:
        """Remember the name of an argument, where what is called has a name."""
        called = self._called_with(node) if name is not None else None
        if name is not None and called is not None:
            argument = Argument(*self._position(name), self._text(called), *self._position(called))
            self.arguments.setdefault(self._text(name), []).append(argument)

    def _called_with(self, argument: Node) -> Node | None:
        """Return the name of what is called with an argument: the last one before the list that it is in."""
        around = argument.parent
        while around is not None and around.prev_named_sibling is None:
            around = around.parent
        before = around.prev_named_sibling if around is not None else None
        while before is not None and before.type in _TYPE_ARGUMENTS:
            before = before.prev_named_sibling
        while before is not None and before.named_children:
            before = before.named_children[0 if before.type in self.scoping.generic else -1]
        return before if before is not None and before.type in self.scoping.identifiers else None

    def _opened_by(self, node: Node, kind: _Kind) -> ScopeKind | None:
        opened = kind.opens
        if opened is None:
            return self.opening.get(node.id) if self.opening else None
        return opened(node) if callable(opened) else opened

    def _open(self, node: Node, kind: ScopeKind, outer: int, path: str) -> int:
        """Open a scope inside the scope ``outer``; return its index."""
        around = "" if kind is ScopeKind.Class else self.scopes[outer].name
        self.scopes.append(Scope(kind, outer, path or self.owners.get(node.id, around)))
        scope = len(self.scopes) - 1
        if kind is ScopeKind.Module:
            self._surround(scope)
        if kind in FUNCTIONS and node.id in self.functions:
            self.inner[self.functions[node.id]] = scope
        if self.says_this and kind in FUNCTIONS:
            self._bind_this(node, scope)
        if path and self.heritage and self.heir == node.id:
            self.heritage[-1] = self.heritage[-1]._replace(scope=scope)  # its type parameters are seen inside
        elif (
            self._is_nameless(scope, kind, path)
            and (rule := self.scoping.anonymous.get(node.type)) is not None
            and (bases := rule(node, self._spell)) is not None
        ):
            line = self._line_of_nameless(node)
            self.heritage.append(Heritage(nameless(scope), outer, list(bases), (), line))
            if self.scoping.written:
                place, path = self._position(node), nameless(scope)
                self.bindings.append(Binding(0, written_at(node), *place, path, -1, sort=Sort.Type))
        return scope

    def _bind_this(self, function: Node, scope: int) -> None:
        """Bind in a function what it calls its own object, where a comment gives that a type."""
        said = self.scoping.documented_this(function) if self.scoping.documented_this is not None else UNKNOWN
        for name in sorted(self.scoping.this) if said != UNKNOWN else ():
            place = self._position(function)
            self.bindings.append(Binding(scope, name, *place, "", -1, said, "", Sort.Value, spelled=scope))

    def _is_nameless(self, scope: int, kind: ScopeKind, path: str) -> bool:
        """Tell whether a scope is that of a class that has no name, or of an object that is written out."""
        return kind is ScopeKind.Table or (kind is ScopeKind.Class and not path and not self.scopes[scope].name)

    def _line_of_nameless(self, body: Node) -> int:
        """Return the line on which the expression begins that a class without a name is part of."""
        around = body.parent
        return (around if around is not None else body).start_point[0] + 1

    def _function(self, scope: int) -> int:
        """Return the nearest scope of a function around, or the module."""
        while scope > 0 and self.scopes[scope].kind not in FUNCTIONS:
            scope = self.scopes[scope].parent
        return scope

    def _bind_all(self, node: Node, binds: Binds, scope: int) -> None:
        home = self._home(scope, binds.hoists)
        declared = self._type(node, binds.type)
        made = dict(self._values(node, binds.made))
        targets = binds.targets(node)
        names = [name for target in targets for name in self._bound_names(target)]
        if binds.extern is not None and self.scopes[home].kind in _IN_FUNCTIONS and binds.extern(node):
            self._bind_externs(names, home)
            return
        seen = self._seen_after(node, binds, home, names)
        if binds.shadows is not None:
            around = self.scopes[home].parent
            self.seen_after.update((identifier.start_byte, around) for identifier in binds.shadows(node))
        for taken, role in ((binds.reads, Role.Read), (binds.calls, Role.Call), (binds.writes, Role.Write)):
            places = [identifier.start_byte for identifier in taken(node)] if taken is not None else ()
            self.member_roles.update(dict.fromkeys(places, role))
            self.read.update(places)
        for name in names:
            term = made.get(name.start_byte, "")
            if binds.member(name) if callable(binds.member) else binds.member:
                self._bind_member(name, scope, declared, term)
            else:
                around = self.scopes[home].parent if binds.around else scope
                self._bind(name, self._bound_already(seen, name, binds), declared, term, binds, around)
        for given in (*names, *targets) if self.flow.until > node.start_byte else ():
            self._give(node, given)
        if self.scoping.attributes:
            for target in targets:
                self._attribute(target, scope, declared, made)

    def _bind_externs(self, names: Iterable[Node], scope: int) -> None:
        """Bind names in a scope that are declared there and defined outside of all functions."""
        for name in names:
            place, spelled = self._position(name), self._text(name)
            self.bindings.append(Binding(scope, spelled, *place, "", len(self.imports)))
            self.imports.append(Imported("", spelled, spelled))
            self.member_roles[name.start_byte] = Role.Other

    def _seen_after(self, node: Node, binds: Binds, home: int, names: Sequence[Node]) -> int:
        """Return the scope that sees what a node binds in ``home``: a new one for what follows where it must be."""
        if not (binds.after or binds.onward) or not names or names[0].start_byte in self.bound:
            return home
        spelled = {name.text for name in names if name.text is not None}
        if self._mentions(node, binds, names, spelled) or any(self._is_used_before(home, name) for name in spelled):
            return self._begin_after(home, names)
        if binds.anew and any((home, name) in self.named for name in spelled):
            return self._begin_after(home, names)
        return home

    def _mentions(self, node: Node, binds: Binds, names: Sequence[Node], spelled: AbstractSet[bytes]) -> bool:
        """Tell whether the values in a node may mean others of the names that it binds."""
        return binds.after and sum(1 for word in _WORD.finditer(node.text or b"") if word[0] in spelled) > len(names)

    def _is_used_before(self, home: int, name: bytes) -> bool:
        """Tell whether a name that ``home`` does not bind yet is used in it already: there it means another one."""
        if not home or (home, name) in self.held or name == b"_":
            return False  # at the top the order says nothing
        for use in reversed(self.uses.get(name.decode("utf-8", "replace"), ())):
            scope = use.scope
            while scope > home:
                scope = self.scopes[scope].parent
            if scope != home:
                return False
            if use.receiver == BARE and use.role in _VALUES:
                return True
        return False

    def _begin_after(self, home: int, names: Sequence[Node]) -> int:
        self.scopes.append(Scope(ScopeKind.Block, home, self.scopes[home].name))
        self.following = len(self.scopes) - 1
        self.continued.add(self.following)
        self.seen_after.update((name.start_byte, self.following) for name in names)
        return self.following

    def _bound_already(self, scope: int, name: Node, binds: Binds) -> int:
        """Return the scope of the same block that holds a name already, which is bound once more; else ``scope``."""
        home = scope
        while binds.redeclares and name.text is not None and home > 0:
            if (home, name.text) in self.held:
                return home
            around = self.scopes[home].parent
            if home not in self.continued and self.scopes[around].kind not in FUNCTIONS:
                break
            home = around
        return scope

    def _values(self, node: Node, made: Made | None) -> Iterator[tuple[int, str]]:
        """Yield the start of each name that ``node`` gives a value to, and its term."""
        for name, term in made(node, self._spell) if made and len(self.contexts) <= _DEEPEST_NODE else ():
            kept = fitting(term)
            if kept != UNKNOWN:
                yield name.start_byte, kept

    def _attribute(self, target: Node, scope: int, declared: str, made: Mapping[int, str]) -> None:
        """Bind the members of its own object, or of its class, that a method gives values to."""
        rule = self.scoping.members.get(target.type)
        if rule is None or callable(rule):
            for child in target.named_children if target.type not in self.scoping.opaque else ():
                self._attribute(child, scope, declared, made)
            return
        owner, member = self.speller.parts(target, rule)
        if owner is None or member is None:
            return
        if self._text(owner) not in self.scoping.this | self.scoping.own and not self.scoping.is_own(owner):
            return
        self._bind_member(member, scope, declared, made.get(target.start_byte, ""))

    def _bind_member(self, member: Node, scope: int, declared: str, made: str) -> None:
        """Bind a member of the class around, unless it is a symbol."""
        if member.start_byte in self.defined:
            return
        around = class_around(self.scopes, scope, self.methods_outside, self.makers)
        inner = self._written_around(scope) if self.scoping.written and not around else OUTSIDE
        if around or inner > 0:
            (line, column), name = self._position(member), self._text(member)
            path = f"{around}.{name}" if around else ""
            if (line, column) in self.shown:
                self.defined[member.start_byte] = scope
            self.bindings.append(Binding(inner, name, line, column, path, -1, declared, "", Sort.Value, made, scope))

    def _written_around(self, scope: int) -> int:
        """Return the scope of the type that is written out where it is used, in which a scope is."""
        while scope > 0 and self.scopes[scope].kind is not ScopeKind.Class:
            scope = self.scopes[scope].parent
        return scope

    def _rest(self, node: Node, rule: Defines, outer: _Context) -> _Context:
        """Open the scope of a definition that holds what follows; leave that of the one before."""
        around = outer.scope if outer.around < 0 else outer.around
        path = self._define(node, rule, around)
        self.scopes.append(Scope(ScopeKind.Namespace, around, path))
        return outer.seen_from(len(self.scopes) - 1, around)

    def _role(self, field: str, outer: _Context) -> Role:
        kind, role = outer.kind, outer.role
        if kind.roles:
            rule = kind.roles.get(field) or kind.roles.get("")
            if rule is not None:
                return role if role in _STRONGER.get(rule, ()) else rule
        if kind.member is not None and not kind.generic:
            taken = not callable(kind.member) and field == kind.member[1]
            return role if taken or role in (Role.Type, Role.Import) else Role.Read
        return kind.handed[role]

    def _define(self, node: Node, rule: Defines, scope: int) -> str:
        """Bind the names that ``node`` defines; return the dotted name of what it opens, empty for nothing."""
        look = rule.look(node)
        if look.kind is None:
            return ""
        path = ""
        for name in look.names:
            spelled = rule.spell(name)
            if not look.emits:
                path = ".".join(filter(None, (self.scopes[scope].name, spelled)))
                self._inherit(node, rule, path, scope)
                break
            line, column = self._position(name)
            column += has_colon(self.content, name.start_byte, spelled)
            known = self.shown.get((line, column))
            if known is None:
                known = self._again(spelled, look.kind, scope, (line, column))
            if known is None:
                self._define_local(node, rule, name, look.kind, scope)
                self._inherit_local(node, rule, name, scope)
                continue
            path = path or known.path
            if name.start_byte in self.defined:
                continue  # met before: by the declaration around this assignment, or as one that holds the rest
            quoted = name.type not in self.scoping.identifiers and self._text(name)[1:-1] == spelled
            self._bind_symbol(node, rule, name, known._replace(column=column + quoted), scope)
            contained = rule.container is not None and known.kind in CALLABLE
            begin = line if self.scoping.twins else 0
            self._inherit(node, rule, known.container if contained else known.path, scope, begin)
            self._link(node, rule, known)
            if name.type not in self.scoping.identifiers:  # a Bash word, an operator
                start = column + quoted
                self._add(spelled, Use(line, start, start + len(spelled), scope, Role.Definition, BARE, -1))
        if path:
            self._own(node, look.bodies, path)
        return path

    def _bind_symbol(self, node: Node, rule: Defines, name: Node, symbol: Definition, scope: int) -> None:
        """Bind a name that is a symbol."""
        self.defined[name.start_byte] = scope
        self.bound.add(name.start_byte)
        home, space = self._place(node, rule, symbol, scope)
        if home == OUTSIDE and self.scoping.literal_keys:  # a function makes objects that have it
            self.makers.add(symbol.container)
            self.methods_outside.add(symbol.path)
        made = dict(self._values(node, rule.made)).get(name.start_byte, "")
        declared = self._type(node, rule.type) or self._documented(node, rule)
        takes = _known(rule.takes(node, self._spell)) if rule.takes is not None else ""
        amends = _known(rule.amends(node, self._spell)) if rule.amends is not None else ""
        sort = _sort(symbol.kind, rule, node)
        place = symbol.line, symbol.column
        spelled = rule.spell(name)
        if self.scoping.binds_in_order:
            self.bound_until.setdefault((home, spelled), node.end_byte)
        self.bindings.append(
            Binding(home, spelled, *place, symbol.path, -1, declared, space, sort, made, scope, takes, amends)
        )
        if sort in (Sort.Callable, Sort.Getter):
            function = rule.function(node) if rule.function is not None else None
            if function is not None:
                self.owners[function.id] = symbol.path
            self.functions[(function or node).id] = place

    def _link(self, node: Node, rule: Defines, symbol: Definition) -> None:
        """Take in whether only this file declares a symbol, or another one defines it."""
        if rule.inner is not None and rule.inner(node):
            self.inner_names.append(symbol.path)
        elif rule.extern is not None and symbol.kind in VARIABLE and rule.extern(node):
            self.externs.append(symbol.path)

    def _inherit_local(self, node: Node, rule: Defines, name: Node, scope: int) -> None:
        """Take in what a type says of its bases that is no symbol."""
        if rule.bases is not None and name.start_byte not in self.defined:
            self._inherit(node, rule, NAMELESS + rule.spell(name), scope, self._position(name)[0])

    def _inherit(self, node: Node, rule: Defines, path: str, scope: int, line: int = 0) -> None:
        """Take in what a type says of its bases and of its parameters."""
        bases = [term for term in rule.bases(node, self._spell) if term] if rule.bases is not None else []
        generics = [self._text(name) for name in rule.generics(node)] if rule.generics is not None else []
        if bases or generics:
            self.heritage.append(Heritage(path, scope, bases, generics, line))
            self.heir = node.id

    def _own(self, node: Node, bodies: Sequence[Node], path: str) -> None:
        """Remember what the scopes that the bodies of a definition open belong to."""
        opened = self.scoping.bodies.get(node.type)
        for body in bodies:
            if opened is not None:
                self.opening[body.id] = opened
            if opened is not None or body.type in self.scoping.scopes:
                self.owners[body.id] = path

    def _surround(self, scope: int) -> None:
        """Bind in a module what every module has imported without saying so."""
        for imported in self.scoping.ambient:
            self.bindings.append(Binding(scope, imported.alias, 0, 0, "", len(self.imports)))
            self.imports.append(self._as_written_around(imported, scope))

    def _as_written_around(self, imported: Imported, scope: int) -> Imported:
        while scope > 0 and self.scopes[scope].kind is not ScopeKind.Module:
            scope = self.scopes[scope].parent
        return self.scoping.inside(imported, self.scopes[scope].name) if scope > 0 else imported

    def _place(self, node: Node, rule: Defines, symbol: Definition, scope: int) -> tuple[int, str]:
        """Return the scope in which the name of a definition is bound, and its namespace."""
        if rule.top:
            return 0, ""
        contained = rule.container is not None and bool(rule.container(node))
        own = rule.own is not None and rule.own(node) is not None
        unnamed = rule.unnamed is not None and rule.unnamed(node)
        if symbol.kind is SymbolKind.Constructor or own or unnamed or (contained and not self.scoping.spaced):
            return OUTSIDE, ""
        if contained or (rule.explicit is not None and rule.explicit(node)):
            return 0, symbol.container
        seen, space = self._seen_in(scope, past=_AROUND_TYPES if rule.escapes else _OPEN)
        return (0, ".".join(filter(None, (self.scopes[seen].name, rule.space)))) if rule.space else (seen, space)

    def _seen_in(self, scope: int, past: frozenset[ScopeKind]) -> tuple[int, str]:
        """Return the scope in which a name defined in ``scope`` is seen, and its namespace."""
        while self.scopes[scope].kind in past:
            scope = self.scopes[scope].parent
        if self.scopes[scope].kind is ScopeKind.Namespace:
            return 0, self.scopes[scope].name
        return scope, ""

    def _again(self, name: str, kind: SymbolKind, scope: int, place: tuple[int, int]) -> Definition | None:
        """Return the symbol of a class that a node defines once more: the setter beside a getter."""
        if kind not in VARIABLE or self.scopes[scope].kind is not ScopeKind.Class:
            return None
        symbol = self.members.get(f"{self.scopes[scope].name}.{name}")
        return symbol._replace(line=place[0], column=place[1]) if symbol is not None else None

    def _define_local(self, node: Node, rule: Defines, name: Node, symbol: SymbolKind, scope: int) -> None:
        """Bind what is defined but no symbol: variables are left to ``binds``, methods need a class to be seen in.

        What a class without a name holds has nobody else to bind it.
        """
        kind, _, owner = self.scopes[scope]
        member = kind is ScopeKind.Class and (symbol in CALLABLE or (symbol in VARIABLE and not owner))
        member = member or (kind is ScopeKind.Table and symbol in CALLABLE)
        if symbol in CLASS_LIKE or symbol is SymbolKind.Function or member:
            declared = self._type(node, rule.type) or self._documented(node, rule)
            self._bind(name, scope, declared, sort=_sort(symbol, rule, node))

    def _home(self, scope: int, hoists: bool) -> int:
        while hoists and self.scopes[scope].kind is ScopeKind.Block:
            scope = self.scopes[scope].parent
        return scope

    def _bound_names(self, target: Node) -> Iterator[Node]:
        stack = [target]
        while stack:
            node = stack.pop()
            if node.type in self.scoping.identifiers or node.type in self.scoping.this:
                yield node
            elif node.type not in self.scoping.members and node.type not in self.scoping.opaque:
                stack.extend(
                    child
                    for i, child in enumerate(node.children)
                    if child.is_named and (node.field_name_for_child(i) or "") not in _ANNOTATED
                )

    def _type(self, node: Node, of: Callable[[Node], Node | None] | None) -> str:
        return _known(self._spell(of(node))) if of is not None else ""

    def _documented(self, node: Node, rule: Defines) -> str:
        """Return the term of the type that a comment gives to what a node defines."""
        return _known(rule.documented(node)) if rule.documented is not None else ""

    def document(self) -> None:
        """Take in what comments declare: types with their members, and what is imported for types alone."""
        said = self.scoping.documented(self.content) if self.scoping.documented is not None else None
        if said is None:
            return
        for imported in said.imports:
            self.bindings.append(Binding(0, imported.alias, 1, 1, "", len(self.imports)))
            self.imports.append(imported)
        places = Positions(self.content)
        for one in said.types:
            self._bind_documented(one, places)

    def _bind_documented(self, documented: DocumentedType, places: Positions) -> None:
        """Bind a type that a comment declares, and its members."""
        line, column = places.at(documented.start)
        known = self.shown.get((line, column))
        if known is None:
            return
        name, scope = documented.name, len(self.scopes)
        kept = _known(fitting(documented.type or UNKNOWN))
        self.bindings.append(Binding(0, name, line, column, known.path, -1, kept, sort=Sort.Type))
        self._add(name, Use(line, column, column + len(name), 0, Role.Definition, BARE, -1))
        if documented.members:
            self.scopes.append(Scope(ScopeKind.Class, 0, known.path))
            if documented.bases:
                self.heritage.append(Heritage(known.path, scope, documented.bases, ()))
        for member in documented.members:
            row, start = places.at(member.start)
            path = f"{known.path}.{member.name}"
            self.bindings.append(
                Binding(scope, member.name, row, start, path, -1, _known(member.type), "", Sort.Value, spelled=0)
            )
            end = start + len(member.name)
            self._add(member.name, Use(row, start, end, scope, Role.Definition, BARE, -1))

    def _bind(
        self,
        name: Node,
        scope: int,
        declared: str = "",
        made: str = "",
        binds: Binds = _PLAIN,
        spelled: int = -1,
        sort: Sort = Sort.Value,
    ) -> None:
        """Bind a name in a scope; what is known of it is read in the scope ``spelled``, mostly the same."""
        if not binds.again and (declared or made) and (untyped := self.untyped.pop(name.start_byte, -1)) >= 0:
            known = self.bindings[untyped]  # a parameter that its function bound
            self.bindings[untyped] = known._replace(type=declared or known.type, made=made or known.made)
        if name.start_byte in self.bound and not binds.again:
            return
        self.bound.add(name.start_byte)
        if name.text is not None:
            self.held.add((scope, name.text))
            if binds.anew:
                self.named.add((scope, name.text))
        self.flow.bind(scope, name.text, name.start_byte)
        line, column = self._position(name)
        if (line, column) in self.shown:
            return
        if not declared:
            self.untyped[name.start_byte] = len(self.bindings)
        sort = Sort.Unknown if binds.types or name.type in self.scoping.types else sort
        read = scope if spelled < 0 else spelled
        called = self._text(name) + (LABEL_MARK if name.type in self.jump_labels else "")
        self.bindings.append(Binding(scope, called, line, column, "", -1, declared, "", sort, made, read))

    def _import(self, node: Node, kind: str, scope: int) -> tuple[int, int]:
        first = len(self.imports)
        line, column = self._position(node)
        for written in self.scoping.imports[kind](node):
            imported = self._as_written_around(written, scope)
            self.imports.append(imported)
            home = 0 if imported.exports or imported.alias.startswith(WRITTEN) else scope
            self.bindings.append(Binding(home, imported.alias, line, column, "", len(self.imports) - 1))
        return first, len(self.imports)

    def _member(self, node: Node, role: Role) -> None:
        rule = self.scoping.members[node.type]
        owner, *members = self.speller.parts(node, rule)
        if owner is None and not callable(rule):
            return  # a name alone, as in a Java call
        term = self._spell(owner)
        if self.scoping.through is not None:
            term = then(term, self.scoping.through(node))
        if self.scoping.same_named and owner is not None and members and members[0] is not None:
            self.taken[owner.start_byte] = self._text(members[0])
        before = self.receivers.get(node.start_byte)
        if before is not None and term != UNKNOWN:  # itself a member: a chain that nests to the right
            term = then(before, f".{term}")
        for member in members:
            if member is not None:
                self.receivers[member.start_byte] = fitting(term) if term else term
                term = then(term, f".{self._text(member)}")
        if callable(rule) and members and members[-1] is not None:
            self.member_roles[members[-1].start_byte] = role

    def _spell(self, node: Node | None) -> str:
        """Return the term of a value or a type.

        The terms inside of one are remembered while it is spelled: a rule that needs what a call is made on twice would
        else take twice as long for each call of a chain.
        """
        if node is None or self.depth > _DEEPEST_TERM:
            return UNKNOWN
        if self.depth < _MEMO_DEPTH:
            term = self._spell_node(node)
            if not self.depth and self.spelled:
                self.spelled.clear()
            return term
        key = node.id, self.depth
        known = self.spelled.get(key)
        if known is None:
            known = self.spelled[key] = self._spell_node(node)
        return known

    def _spell_node(self, node: Node) -> str:
        self.depth += 1
        flow, start = self.flow, node.start_byte
        term = (flow.at(start, node.end_byte) if flow.until > start else "") or self.speller.spelled(node, self._spell)
        self.depth -= 1
        return term if 0 < len(term) <= LONGEST else fitting(term)

    def _give(self, node: Node, target: Node) -> None:
        """Note that a node gives a target another value."""
        body = node.child_by_field_name("body")
        seen = body.start_byte if body is not None else node.end_byte
        self.flow.give(self._text(target), target.start_byte, seen)

    def _assign(self, node: Node, kind: _Kind, binds: Binds, scope: int) -> None:
        """Note what an assignment in a block gives a local name that is given several values."""
        if kind.assigns is None or self.scopes[scope].kind not in FUNCTIONS:
            return
        start = node.start_byte
        end = self.flow.assigned(scope, start)
        block = kind.assigns(node) if end else None
        if block is not None and [target.end_byte for target in binds.targets(node)] == [end]:
            within = Span(node.end_byte, block.end_byte)
            self.flow.assign(self.content[start:end], node.start_point[0] + 1, within, start)

    def _use(self, node: Node, kind: _Kind, field: str, outer: _Context) -> None:
        start, end = node.start_byte, node.end_byte
        spelled = self.content[start:end].decode("utf-8", "replace")
        around = outer.kind
        scope = self.defined.get(start, -1)
        if scope >= 0:
            role = Role.Definition
        else:
            role = self.member_roles.get(start) or self._role(field, outer)
            scope = self.seen_after.get(start, outer.scope) if self.seen_after else outer.scope
            if role is Role.Read and kind.type and start not in self.read:
                role = Role.Type
        receiver = self.receivers.get(start)
        if receiver is None:
            key = outer.key or field in around.keys
            receiver = UNKNOWN if key and role is not Role.Definition else BARE
        imported, part = -1, ""
        if role is Role.Import:
            imported, receiver, part = self._import_use(node, spelled, receiver, outer)
        row, column = node.start_point
        line, column = row + 1, column + 1 if self.plain else self.columns.at(start, column)
        short = kind.shorthand or around.shorthand
        if short:
            self.shorthands.append((line, column))
        if self.filled and start in self.filled and (role is Role.Definition or short):
            self._add(spelled, Use(line, column, column + len(spelled), scope, Role.Other, receiver, imported))
            receiver = BARE
        bare = receiver == BARE
        if role is Role.Call and not bare and spelled in self.fillers:
            self._fill_up(node, spelled, receiver, scope)
        taken = part or (self._taken_of(start, outer) if bare and self.same_named else "")
        end_column = column + len(spelled)
        if self.jump_labels and node.type in self.jump_labels:
            spelled += LABEL_MARK
        self._add(spelled, Use(line, column, end_column, scope, role, receiver, imported, taken))
        read = self.in_order and bare and role is not Role.Definition
        if read and self.scopes[scope].kind is ScopeKind.Class:
            self.in_classes.append((spelled, len(self.uses[spelled]) - 1, start))

    def _import_use(self, node: Node, spelled: str, receiver: str, outer: _Context) -> tuple[int, str, str]:
        """Return the import that a name stands in, its receiver, and the module of which it is a part."""
        part = self.scoping.module_part(node) if self.scoping.module_part is not None else ""
        if part:
            return outer.imports[0], BARE, part
        imported = self._imported(spelled, outer.imports)
        package = self.scoping.imports_members and (receiver != BARE or self.scoping.imports_from_scope)
        return imported, BARE if imported >= 0 else receiver if package else UNKNOWN, ""

    def _fill_up(self, method: Node, name: str, receiver: str, scope: int) -> None:
        """Remember what a method puts into the collection that it is called on."""
        call = method.parent.parent if method.parent is not None else None
        if call is None:
            return
        self._put(self.scoping.fillers[name](call, receiver, self._spell), scope)

    def _put(self, filled: Iterable[tuple[str, str]], scope: int) -> None:
        """Remember what is put into collections: into names, or into members of the own object."""
        for collection, term in filled:
            owner, _, member = collection.rpartition(".")
            around = class_around(self.scopes, scope) if owner in self.scoping.this else ""
            if around:
                self.filling_members.setdefault(f"{around}.{member}", []).append((scope, term))
            elif not owner:
                self.filling.setdefault((scope, collection), []).append(term)

    def _taken_of(self, start: int, outer: _Context) -> str:
        """Return the member that is taken of the name at a byte, ITSELF where a type stands."""
        return ITSELF if outer.kind.name in self.scoping.same_named else self.taken.get(start, "")

    def _read(self, written: Iterable[Written], node: Node, scope: int) -> None:
        """Take in the names in the text of a node."""
        line, start = node.start_point[0] + 1, node.start_byte - node.start_point[1]
        at = node.start_byte
        for begin, name, role, receiver, short in written:
            line += self.content.count(b"\n", at, begin)
            start = max(start, self.content.rfind(b"\n", at, begin) + 1)
            at = begin
            column = self.columns.at(begin, begin - start)
            self._add(name, Use(line, column, column + len(name), scope, role, receiver, -1))
            if short:
                self.shorthands.append((line, column))

    def _add(self, name: str, use: Use) -> None:
        known = self.uses.get(name)
        if known is None:
            self.uses[name] = [use]
        else:
            known.append(use)

    def _imported(self, name: str, span: tuple[int, int]) -> int:
        for i in range(*span):
            if name in (self.imports[i].name, self.imports[i].alias):
                return i
        return -1

    def _text(self, node: Node) -> str:
        """Return the source text of a node. The node itself would copy it, which takes twice as long."""
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _position(self, node: Node) -> tuple[int, int]:
        row, column = node.start_point
        return row + 1, column + 1 if self.plain else self.columns.at(node.start_byte, column)


def _sort(kind: SymbolKind, rule: Defines, node: Node) -> Sort:
    if rule.getter is not None and rule.getter(node):
        return Sort.Getter
    if rule.parameter is not None and rule.parameter(node):
        return Sort.Parameter
    if kind in CLASS_LIKE:
        return Sort.Type
    if kind in CALLABLE:
        return _sort_of_callable(rule, node)
    if rule.top:
        return Sort.Unknown  # a macro may be a type
    return Sort.Value if kind in VARIABLE else Sort.Unknown


def _sort_of_callable(rule: Defines, node: Node) -> Sort:
    if rule.macro is None or not rule.macro(node):
        return Sort.Callable
    return Sort.Macro if rule.inner is not None and rule.inner(node) else Sort.ExportedMacro


def _known(term: str) -> str:
    return "" if term == UNKNOWN else term
