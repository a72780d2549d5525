"""The rules of definitions: what defines symbols, and what belongs to one: comments, decorators, what is nested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tree_sitter import Node

from leadline_tools.languages.nodes import Nodes, fields, text
from leadline_tools.languages.rules.types import Made
from leadline_tools.languages.terms import Spell
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.model import SymbolKind


class NodeSymbols(NamedTuple):
    """What a node defines: what the functions of a rule say of it, each on its own or all at once.

    Args:
        kind: The kind of the symbols; None for no symbol.
        names: The nodes whose text is the name.
        bodies: The nodes that hold nested definitions.
        beside: The nodes before the names that hold definitions beside this one.
        emits: False for a node that is no symbol itself.

    """

    kind: SymbolKind | None
    names: Sequence[Node] = ()
    bodies: Sequence[Node] = ()
    beside: Sequence[Node] = ()
    emits: bool = True


@dataclass(frozen=True, slots=True)
class Defines:
    """What a node of one type defines.

    Args:
        kind: The kind of the symbol, or a function that tells it from the node; ``None`` from it: no symbol, and
            nothing inside is looked at.
        member: The kind where the symbol stands directly inside a class-like symbol; ``kind`` where absent, and for a
            constructor.
        name: The nodes whose text is the name; several nodes define several symbols.
        body: The nodes that hold nested definitions. The signature ends where the first of them begins.
        parameters: The nodes of the parameters, for a symbol that can be called; ``None`` for any other, also from it.
        container: The dotted name of what the symbol belongs to, where the nesting does not tell (a Go receiver, an
            out-of-line C++ member); the empty string leaves it to the nesting.
        explicit: The name of the interface for which alone a member is there (``void IA.Run()``), a part of its dotted
            name; empty for any other member.
        emits: False for a node that is no symbol itself and only names the container of what is inside (a Rust impl);
            ``kind`` is then what its inside is treated as the inside of. A function tells it from the node.
        apart: True for a function without a name, where ``emits`` is False: what is defined in it is another symbol
            than what is called so in another one. A function tells by what text the members are another symbol than
            those called so for another text (the trait of a Rust impl).
        extends: The type whose member the symbol is, as it is written, or what else tells it from others of its name:
            outside of all types, members of several types are a symbol each. None for nothing of the kind.
        head: The nodes before the body that hold definitions too and belong to the signature: the parameters of a
            constructor that are properties as well.
        level: The level of a heading: it holds what follows in the same place, up to the next of its level or above.
        spell: From a node of ``name`` to the name, where that is not its very text (a quoted key).
        type: The declared type of a variable or field, the result of what can be called, what a type is another name
            for, where the declaration spells one; see ``Binds``.
        documented: The term of that type where a comment says it.
        made: The values that the names are given, where they are no functions; of what can be called, what it returns
            besides what its body says.
        takes: The term of a function type that takes what can be called takes: ``!<?,A>``.
        amends: The term of the type that this adds a member to from outside, as an extension method does.
        function: The function that a name is given, where the definition itself is none.
        bases: The terms of the types that a type inherits from.
        generics: The nodes whose text is the name of a type parameter, in their order.
        getter: Tells of what looks like a function that it is read like a variable (a Python property).
        parameter: Tells of what looks like a variable that it is a type parameter (``T = TypeVar("T")``).
        outer: True where the symbol belongs to what the function around it belongs to: a parameter of a constructor
            that is a property as well (see ``head``).
        within: From the node around (one of ``Language.through``, or the definition) and the kind to the kind, where
            only the node around tells it: what ``const`` declares is a constant; ``None`` from it: no symbol.
        beside: The nodes before the names that hold definitions beside this one (the structure in ``struct s {} x``).
        rest: True where all that follows in the same place is inside, up to the next such node (``namespace A;``).
        top: True where the symbol belongs to the file wherever it stands (a C macro).
        local: False where a symbol is none inside a function: a declaration of something elsewhere, or a variable
            that only looks like one.
        repeats: True where variables of the same name are a symbol each (a C macro, an ``extern`` variable).
        of_type: Tells the members of a type itself from those of its objects, where both may have one name.
        is_twin: Tells an object from the type of its name beside it: the bases of each are its own.
        space: The name space of the names, where a keyword tells it: ``struct a`` of C.
        inner: Tells of what is ``static``: in C what no other file declares or defines under the same name as the same
            thing; where members may be called like their types (``same_named``) members of the type itself, and
            where types have ``companions`` those.
        extern: Whether the declaration of a variable says that another file defines it.
        escapes: True where the name is seen around the class-like symbol in which it is declared: a tag of C.
        own: Of what gives a member to the object that a function calls its own: the function's name, empty for a
            method. The member belongs to the class or the function that makes such objects. None for what gives none.
        macro: Whether the name of what looks like a function is seen as that of a macro only (``Semantics.macros``).
        at_once: All that ``kind``, ``name``, ``body``, ``beside`` and ``emits`` say, where they would look at the same
            nodes again and again.
        attributes: The names of the members of its own object, or of its class, that a method gives values to with the
            node: ``self.a = 1``. The class declares them so, unless it does elsewhere.
        holds: True where what is inside belongs to what is around: the body of a loop that binds names.
        unnamed: Whether no name means a node although it has one: a specialization, which only its template leads to.

    """

    kind: SymbolKind | Callable[[Node], SymbolKind | None]
    member: SymbolKind | Callable[[Node], SymbolKind] | None = None
    name: Nodes = fields("name")
    body: Nodes = fields("body")
    parameters: Callable[[Node], Sequence[Node] | None] | None = None
    container: Callable[[Node], str] | None = None
    explicit: Callable[[Node], str] | None = None
    emits: bool | Callable[[Node], bool] = True
    apart: bool | Callable[[Node], str] = False
    extends: Callable[[Node], str | None] | None = None
    head: Nodes | None = None
    level: Callable[[Node], int] | None = None
    spell: Callable[[Node], str] = text
    type: Callable[[Node], Node | None] | None = None
    documented: Callable[[Node], str] | None = None
    made: Made | None = None
    takes: Callable[[Node, Spell], str] | None = None
    amends: Callable[[Node, Spell], str] | None = None
    function: Callable[[Node], Node | None] | None = None
    bases: Callable[[Node, Spell], Iterable[str]] | None = None
    generics: Nodes | None = None
    getter: Callable[[Node], bool] | None = None
    parameter: Callable[[Node], bool] | None = None
    outer: bool = False
    within: Callable[[Node, SymbolKind], SymbolKind | None] | None = None
    beside: Nodes | None = None
    rest: bool = False
    top: bool = False
    local: bool = True
    repeats: bool = False
    of_type: Callable[[Node], bool] | None = None
    is_twin: Callable[[Node], bool] | None = None
    space: str = ""
    escapes: bool = False
    inner: Callable[[Node], bool] | None = None
    macro: Callable[[Node], bool] | None = None
    extern: Callable[[Node], bool] | None = None
    at_once: Callable[[Node], NodeSymbols] | None = None
    own: Callable[[Node], str | None] | None = None
    attributes: Nodes | None = None
    holds: bool = False
    unnamed: Callable[[Node], bool] | None = None

    def symbols(self, node: Node) -> NodeSymbols:
        """Return what ``node`` defines."""
        if self.at_once is not None:
            return self.at_once(node)
        kind = self.kind if isinstance(self.kind, SymbolKind) else self.kind(node)
        if kind is None:
            return _NOTHING
        beside = self.beside(node) if self.beside is not None else ()
        emits = self.emits is True or self._is_symbol(node)
        return new_tuple(NodeSymbols, (kind, self.name(node), self.body(node), beside, emits))

    def _is_symbol(self, node: Node) -> bool:
        """Return whether ``node`` is a symbol."""
        return self.emits(node) if callable(self.emits) else self.emits


_NOTHING: Final = NodeSymbols(None)


@dataclass(frozen=True, slots=True)
class OutlineRules:
    """What a syntax tree is looked through for: definitions, what belongs to them, comments.

    Args:
        definitions: The node types that define something, each with what it defines.
        through: The node types that may hold definitions, besides the bodies of definitions.
        embedded: The node types in expressions that define a name of the module or class around, each with a text that
            every source with one has.
        wrappers: The node types around one definition that belong to its range: decorators, ``export``, templates.
        prefixes: The node types just before a definition that belong to its range: attributes, decorators of methods.
        decorations: The node types at the beginning of a definition, or of its modifiers, that do not say what it is:
            annotations and attributes. The signature omits them, as it omits wrappers and prefixes.
        comments: The node types of comments.
        docstring: True where the first string of a body documents it (Python), not the comment above.
        has_own_outline: True where a file with code of another language has an outline of its own as well.
        indexed: False for a language with outlines whose symbols are not searched for (Markdown, JSON).
        hiding_block: Returns by its first byte, counted from 1, the block of a namespace outside of which a definition
            is not seen, not even in other blocks of the namespace; 0 for none.
        has_subtypes: Whether types of the language inherit from others.
        has_functions_apart: Whether a rule for functions without a name is ``apart``.

    """

    definitions: Mapping[str, Defines]
    through: frozenset[str] = frozenset()
    embedded: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    wrappers: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    decorations: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment"})
    docstring: bool = False
    has_own_outline: bool = False
    indexed: bool = True
    hiding_block: Callable[[Node], int] | None = None
    has_subtypes: bool = field(init=False)
    has_functions_apart: bool = field(init=False)

    def __post_init__(self) -> None:
        rules = self.definitions.values()
        object.__setattr__(self, "has_subtypes", any(rule.bases is not None for rule in rules))
        object.__setattr__(self, "has_functions_apart", any(rule.apart is True for rule in rules))
