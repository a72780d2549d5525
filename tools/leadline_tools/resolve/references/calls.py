"""Who calls a function, and what it calls, as a tree.

The tree is built level by level until the time is up, so that what is near the root is there first. Each function is
followed once: where it is met again, on the way to the root or elsewhere, it is only marked. Both directions find the
same calls: code belongs to the innermost function around it that is a symbol.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.account import Account
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import signature
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import Use, readable
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.model import CallNode, Role, Stop, Symbol, SymbolKind, Tier
from leadline_tools.resolve.overloads.method_overloads import MethodOverloads
from leadline_tools.resolve.project.resolution import ExternalType, SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references.references import references
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, qualified

_CALLS = frozenset({Role.Call, Role.Decorator})
_MAY_CALL = _CALLS | {Role.Read, Role.Other}
"""The roles of an undecided use that may be a call, or pass along what is called."""


class Function(NamedTuple):
    """What calls or is called: a file and a dotted name in it, empty for code outside of every function."""

    path: str
    name: str


class Link(NamedTuple):
    """The calls between a function and another, surest first."""

    other: Function
    sites: tuple[tuple[int, int], ...]
    tier: Tier


@dataclass
class Counts:
    """What is no part of the tree.

    Args:
        undecided: Uses of the root's name that may call it.
        undecided_below: How many such uses there are of the other functions.
        passed: Uses of the root that are no calls, and may pass it along.
        passed_below: How many such uses there are of the other functions.
        account: What the tokens are that spell the root's name; None where nothing calls it by name.
        seconds: About how many seconds more the rest takes.
        outside: Names that are called and defined outside of the code base.
        unknown: Names that are called and not resolved.
        files: Files that were not resolved in time.
        calls: Calls that were not resolved in time.
        late: Functions that were not looked into in time.
        unread: Files that could not be parsed.
        omitted: Tokens that spell the name of a function and were not examined, for whatever reason.

    """

    undecided: list[ResolvedUse] = field(default_factory=list[ResolvedUse])
    undecided_below: int = 0
    passed: list[ResolvedUse] = field(default_factory=list[ResolvedUse])
    passed_below: int = 0
    account: Account | None = None
    seconds: float = 0.0
    outside: dict[str, None] = field(default_factory=dict[str, None])
    unknown: dict[str, None] = field(default_factory=dict[str, None])
    files: int = 0
    calls: int = 0
    late: int = 0
    unread: dict[str, None] = field(default_factory=dict[str, None])
    omitted: int = 0

    @property
    def complete(self) -> bool:
        """Return whether everything was examined."""
        return not (self.files or self.calls or self.late or self.unread or self.omitted)

    @property
    def late_at_all(self) -> bool:
        """Return whether there was no time for something: asking again finds more."""
        return bool(self.files or self.calls or self.late)


@dataclass(frozen=True, slots=True)
class Calls:
    """A tree of calls: the functions in the order in which they are shown, and what is no part of it."""

    found: Sequence[CallNode]
    counts: Counts


def calls(index: Index, target: DefinedSymbol, depth: int, *, outgoing: bool) -> Calls:
    """Return the functions that call ``target``, or that it calls, to some depth."""
    with asking(index) as question:
        code = _Code(index, question)
        search = _Callees(code, target) if outgoing else _Callers(code, target)
        return Calls(_Tree(code, search, depth, outgoing=outgoing).nodes(target), search.counts)


# --- The code


class _Code:
    """The functions of the files of one question."""

    def __init__(self, index: Index, question: Question) -> None:
        self.index = index
        self.question = question
        self.methods = MethodOverloads(index, question)
        self._sources: dict[str, Source | None] = {}
        self._definitions: dict[str, Mapping[str, Sequence[Definition]]] = {}
        self._calls: dict[str, Sequence[tuple[str, Use, str]]] = {}

    def source(self, path: str) -> Source | None:
        """Return a file, None where it cannot be read."""
        if path not in self._sources:
            self._sources[path] = self.index.try_read(path)
        return self._sources[path]

    def definitions(self, path: str) -> Mapping[str, Sequence[Definition]]:
        """Return the definitions in a file by their dotted names."""
        if path not in self._definitions:
            named: dict[str, list[Definition]] = {}
            source = self.source(path)
            for definition in self.index.symbols.definitions(source) if source is not None else ():
                named.setdefault(definition.path, []).append(definition)
            self._definitions[path] = named
        return self._definitions[path]

    def named(self, function: Function) -> Sequence[Definition]:
        """Return the definitions of a function: several where they are conditional."""
        return self.definitions(function.path).get(function.name, ())

    def is_type(self, function: Function) -> bool:
        """Return whether a function is a type, which is called to make an object."""
        return any(definition.kind in CLASS_LIKE for definition in self.named(function))

    def bodies(self, function: Function) -> list[Function]:
        """Return a function as the files define it that the linker finds it in: several are for several platforms.

        The body of what a stub declares is in its module: the longer of the two is taken.
        """
        semantics = semantics_of(function.path)
        if semantics is None or not semantics.visibility.links_definitions:
            twins = self.question.resolver.declarations(*function) if semantics is not None else ()
            both = [function, *(Function(one.path, one.name) for one in twins)]
            return [max(both, key=lambda one: max((d.end_line - d.line for d in self.named(one)), default=0))]
        found = self.question.resolver.linkage.definitions(*function)
        return [Function(one.path, one.name) for one in found] or [function]

    def constructors(self, function: Function) -> list[Function]:
        """Return what runs when an object of a type is made."""
        found = self.definitions(function.path).values()
        own = (group[0] for group in found if group[0].container == function.name)
        return [Function(function.path, one.path) for one in own if _constructs(function.path, one)]

    def made_by(self, function: Function) -> Function | None:
        """Return the type whose objects a constructor makes; None for what is no constructor."""
        named = self.named(function)
        if not named or not named[0].container or not _constructs(function.path, named[0]):
            return None
        return Function(function.path, named[0].container)

    def calls(self, path: str) -> Sequence[tuple[str, Use, str]]:
        """Return the calls in a file, in the order of the source: the name, the use and what it stands in."""
        if path not in self._calls:
            facts = self.question.project.facts(path)
            uses = facts.uses.items() if facts is not None else ()
            found = [(name, use) for name, group in uses for use in group if use.role in _CALLS]
            found.sort(key=lambda call: (call[1].line, call[1].column))
            self._calls[path] = [(name, use, self.around(path, use)) for name, use in found]
        return self._calls[path]

    def around(self, path: str, use: Use) -> str:
        """Return the dotted name of the function or type that code belongs to; empty for none."""
        facts = self.question.project.facts(path)
        if facts is None:
            return ""
        definitions = self.definitions(path)
        name = facts.around(use.scope)
        while name and not any(definition.kind in CALLABLE | CLASS_LIKE for definition in definitions.get(name, ())):
            name = name.rpartition(".")[0]
        unnamed = use.scope > 0 and not facts.scopes[use.scope].name
        return self._innermost(path, use, name) if unnamed and use.role is not Role.Decorator else name

    def _innermost(self, path: str, use: Use, name: str) -> str:
        """Return the innermost function around a use in ``name``: a function without a name may be a symbol's value."""
        inside = [
            definition
            for group in self.definitions(path).values()
            for definition in group
            if definition.kind in CALLABLE
            and (definition.line, definition.column) <= (use.line, use.column)
            and use.line <= definition.end_line
            and definition.path.startswith(f"{name}." if name else "")
        ]
        return max(inside, key=lambda d: (d.line, d.column)).path if inside else name

    def symbol(self, function: Function) -> Symbol:
        """Return what is shown of a function: of a member that no definition declares, the place where it is bound."""
        path, name = function
        source, named = self.source(path), self.named(function)
        if source is not None and named:
            first = named[0]
            return Symbol(
                first.name,
                qualified(path, name),
                first.kind,
                path,
                first.line,
                first.column,
                first.end_line,
                signature(source, first),
                "",
                readable(first.container),
            )
        if not name:
            language = language_of(path)
            module = language.files.module(path) if language is not None else ""
            return Symbol(path.rpartition("/")[2], module or path, SymbolKind.File, path, 1, 1, 1, "", "", "")
        facts = self.question.project.facts(path)
        bound = facts.at(name) if facts is not None else None
        line, column = (bound.line, bound.column) if bound is not None else (1, 1)
        container, _, last = readable(name).rpartition(".")
        return Symbol(last, qualified(path, name), SymbolKind.Field, path, line, column, line, "", "", container)


def _constructs(path: str, definition: Definition) -> bool:
    language = language_of(path)
    named = language is not None and definition.name in language.names.constructors
    return definition.kind is SymbolKind.Constructor or (named and bool(definition.container))


# --- The two directions


class _Callers:
    """Finds what calls a function; a constructor is called where an object of its type is made."""

    def __init__(self, code: _Code, root: DefinedSymbol) -> None:
        self._code = code
        self._root = root
        self.counts = Counts()

    def key(self, function: Function) -> Function:
        """Return what is the same for functions that are followed alike."""
        return function

    def follows(self, function: Function) -> bool:
        """Return whether something may call a function: nothing calls the code outside of functions."""
        return bool(function.name) and not self._code.is_type(function)

    def links(self, function: Function, *, root: bool) -> Iterator[Link]:
        """Yield what calls a function."""
        found = [*self._calls(function, root=root)]
        callers: dict[Function, list[ResolvedUse]] = {}
        for call in found:
            callers.setdefault(Function(call.path, self._code.around(call.path, call.use)), []).append(call)
        for caller, group in callers.items():
            yield Link(caller, tuple(dict.fromkeys((one.use.line, one.use.column) for one in group)), group[0].tier)

    def _calls(self, function: Function, *, root: bool) -> Iterator[ResolvedUse]:
        source, named = self._code.source(function.path), self._code.named(function)
        if source is None or not named:
            return
        target = self._root if root else DefinedSymbol(source, tuple(named))
        uses = references(self._code.index, target, None, self._code.question)
        self.counts.files += uses.late
        self.counts.unread.update(dict.fromkeys(uses.unread))
        self.counts.omitted += sum(one.tokens for one in uses.account.not_examined)
        undecided = [one for one in uses.found if one.tier is Tier.Name and one.use.role in _MAY_CALL]
        passed = [one for one in uses.found if one.tier is not Tier.Name and one.use.role is Role.Read]
        if root:
            self.counts.undecided, self.counts.passed = undecided, passed
            self.counts.account, self.counts.seconds = uses.account, uses.seconds
        else:
            self.counts.undecided_below += len(undecided)
            self.counts.passed_below += len(passed)
        yield from (one for one in uses.found if one.use.role in _CALLS and one.tier is not Tier.Name)


class _Callees:
    """Finds what a function calls; a type runs its constructors."""

    def __init__(self, code: _Code, root: DefinedSymbol) -> None:
        self._code = code
        self._root = root
        self.counts = Counts()

    def key(self, function: Function) -> Function:
        """Return what is the same for functions that are followed alike: a type and its constructors."""
        return self._code.made_by(function) or function

    def follows(self, function: Function) -> bool:
        """Return whether a function may call something."""
        return bool(self._code.named(function))

    def links(self, function: Function, *, root: bool) -> Iterator[Link]:
        """Yield what a function calls, in the order of the source."""
        bodies = self._code.constructors(function) if self._code.is_type(function) else self._code.bodies(function)
        callees: dict[Function, list[tuple[int, int]]] = {}
        for body in bodies:
            for callee, use in self._calls(body):
                if not root or self._is_asked(body, use):
                    callees.setdefault(callee, []).append((use.line, use.column))
        return (Link(callee, tuple(dict.fromkeys(sites)), Tier.Exact) for callee, sites in callees.items())

    def _is_asked(self, body: Function, use: Use) -> bool:
        """Return whether a use stands in the constructor that is asked about, where that is one of several."""
        asked = self._root.definitions
        if self._root.name != body.name or len(asked) == len(self._code.named(body)):
            return True
        return any(one.start_line <= use.line <= one.end_line for one in asked)

    def _calls(self, body: Function) -> Iterator[tuple[Function, Use]]:
        """Yield what is called in a function; a function in it that is called speaks for itself."""
        uses = self._code.calls(body.path)
        self.counts.late += bool(self._code.question.refused())
        found = [
            (callee, use, around)
            for name, use, around in uses
            if _lies_in(around, body.name)
            for callee in self._meant(body.path, name, use)
        ]
        inner = {callee.name for callee, _, _ in found if callee.path == body.path and callee.name != body.name}
        apart = [name for name in inner if _lies_in(name, body.name)]
        for callee, use, around in found:
            if not any(_lies_in(around, name) for name in apart):
                yield callee, use

    def _meant(self, path: str, name: str, use: Use) -> Sequence[Function]:
        """Return what a call means; what it means besides is counted."""
        cancellation.check()
        meanings = self._code.methods.choose(path, use, self._code.question.resolver.resolve(path, name, use))
        if self._code.question.refused():
            self.counts.calls += 1
            return ()
        meant = [Function(meaning.path, meaning.name) for meaning in meanings if isinstance(meaning, SymbolRef)]
        found = list(dict.fromkeys(body for one in meant for body in self._code.bodies(one)))
        semantics = semantics_of(path)
        is_implicit = bool(use.taken) and semantics is not None and bool(semantics.calls.implicit_calls)
        if not found and not is_implicit:  # most signs are of the language
            from_outside = any(isinstance(meaning, ExternalType) for meaning in meanings)
            (self.counts.outside if from_outside else self.counts.unknown)[name] = None
        return found


def _lies_in(name: str, outer: str) -> bool:
    return name == outer or name.startswith(f"{outer}.")


# --- The tree


@dataclass(eq=False)
class _Node:
    """A function in the tree; what stands for it elsewhere is ``original``."""

    function: Function
    above: _Node | None
    depth: int
    link: Link | None = None
    below: list[_Node] = field(default_factory=list["_Node"])
    original: _Node | None = None
    stop: Stop | None = None


class _Tree:
    """Builds the tree of one question."""

    def __init__(self, code: _Code, search: _Callers | _Callees, depth: int, *, outgoing: bool) -> None:
        self._code = code
        self._search = search
        self._depth = depth
        self._outgoing = outgoing

    def nodes(self, target: DefinedSymbol) -> list[CallNode]:
        """Return the functions of the tree below ``target``, each followed by what stands below it."""
        root = _Node(Function(target.path, target.name), None, 0)
        self._grow(root)
        order = {node: place for place, node in enumerate(_in_order(root))}
        return [self._shown(node, order) for node in order if node.link is not None]

    def _grow(self, root: _Node) -> None:
        """Follow functions level by level, each once, until the time is up."""
        followed = {self._search.key(root.function): root}
        waiting = deque([root])
        while waiting:
            node = waiting.popleft()
            if node is not root and self._code.question.project.late:
                node.stop = Stop.Late
                self._search.counts.late += 1
                continue
            cancellation.check()
            for link in self._search.links(node.function, root=node is root):
                child = _Node(link.other, node, node.depth + 1, link)
                node.below.append(child)
                if not self._search.follows(link.other):
                    continue
                key = self._search.key(link.other)
                child.original = followed.setdefault(key, child)
                if any(self._search.key(above.function) == key for above in _up(node)):
                    child.stop = Stop.Cycle
                elif child.original is child and child.depth < self._depth:
                    waiting.append(child)

    def _shown(self, node: _Node, order: Mapping[_Node, int]) -> CallNode:
        link, above, original = node.link, node.above, node.original
        if link is None or above is None:
            raise ValueError("the root of a tree of calls is no call")
        stop = node.stop
        if original is not None and original is not node and stop is None:
            below = Stop.Above if order[original] < order[node] else Stop.Below
            stop = below if original.below else original.stop
        parent = qualified(*above.function) if above.function.name else above.function.path
        return CallNode(
            self._code.symbol(node.function), node.depth, parent, link.sites, link.tier, self._outgoing, stop
        )


def _up(node: _Node | None) -> Iterator[_Node]:
    """Yield a function of the tree and all that it stands below."""
    while node is not None:
        yield node
        node = node.above


def _in_order(root: _Node) -> Iterator[_Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.below)
