"""What Leadline has to know of a language: a grammar, what defines, what scopes, what imports.

A language is a folder beside this module, whose ``rules.py`` holds a ``LANGUAGE`` (or several, ``LANGUAGES``).
Everything is data, or a small function of a syntax node; the walks that read the data are ``outline`` and ``facts``.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from operator import methodcaller
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

import tree_sitter
from tree_sitter import Node

from leadline_tools.languages.blanking import Bodies, Span, blank
from leadline_tools.languages.branches import NO_BRANCHES, Branches
from leadline_tools.languages.c.conditions import Conditions
from leadline_tools.languages.c.macro_declarations import Entry
from leadline_tools.languages.lexing import Lexis
from leadline_tools.languages.reach import Reaching, anywhere
from leadline_tools.languages.terms import Op, Spell, Spelling
from leadline_tools.model import Role, SymbolKind

if TYPE_CHECKING:
    from leadline_tools.languages.regions import Regions

T = TypeVar("T")

RegionsOf = Callable[[str, bytes], "Regions | None"]
"""From the path and the content of a file to the regions with code in it; None where all of it is code."""

Nodes = Callable[[Node], Sequence[Node]]
"""From a node to other nodes: the names that it defines, the parts that hold what is nested in it."""


def fields(*names: str) -> Nodes:
    """Return a function that gives the children of a node in the fields ``names``, in that order."""
    if len(names) == 1:
        return methodcaller("children_by_field_name", *names)
    if not names:
        return lambda _node: ()

    def children(node: Node) -> Sequence[Node]:
        return [child for name in names for child in node.children_by_field_name(name)]

    return children


Made = Callable[[Node, Spell], Iterable[tuple[Node, str]]]
"""From a node to the names that it gives values to, each with the term of its value."""

Fills = Callable[[Node, str, Spell], Iterable[tuple[str, str]]]
"""From a call, the term of what it is called on and how nodes are spelled to the collections that it fills: names, or
members of the own object, each with the term of a collection that holds what it puts in."""

Puts = Callable[[Node, Spell], Iterable[tuple[str, str]]]
"""What a statement puts into collections: each collection as it is spelled, and the term of what it then holds."""


def text(node: Node | None) -> str:
    """Return the source text of ``node``; the empty string for no node."""
    raw = node.text if node is not None else None
    return raw.decode("utf-8", "replace") if raw is not None else ""


_MOST_ARGUMENTS = 32
"""Arguments before one from which on nobody counts them: to count those of each takes the square of their number."""


def place(argument: Node) -> int | None:
    """Return how many arguments stand before one, 0 for the first; None for one far behind."""
    number, before = 0, argument.prev_named_sibling
    while before is not None and number < _MOST_ARGUMENTS:
        number += "comment" not in before.type
        before = before.prev_named_sibling
    return number if before is None else None


class Look(NamedTuple):
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
            than what is called so in another one.
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
        space: The name space of the names, where a keyword tells it: ``struct a`` of C.
        inner: Tells of what is ``static``: in C what no other file declares or defines under the same name as the same
            thing; where members may be called like their types (``same_named``) members of the type itself, and
            where types have ``companions`` those.
        extern: Whether the declaration of a variable says that another file defines it.
        escapes: True where the name is seen around the class-like symbol in which it is declared: a tag of C.
        own: Of what gives a member to the object that a function calls its own: the function's name, empty for a
            method. The member belongs to the class or the function that makes such objects. None for what gives none.
        macro: Whether the name of what looks like a function is seen as that of a macro only (``Scoping.macros``).
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
    apart: bool = False
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
    space: str = ""
    escapes: bool = False
    inner: Callable[[Node], bool] | None = None
    macro: Callable[[Node], bool] | None = None
    extern: Callable[[Node], bool] | None = None
    at_once: Callable[[Node], Look] | None = None
    own: Callable[[Node], str | None] | None = None
    attributes: Nodes | None = None
    holds: bool = False
    unnamed: Callable[[Node], bool] | None = None

    def look(self, node: Node) -> Look:
        """Return what ``node`` defines."""
        if self.at_once is not None:
            return self.at_once(node)
        kind = self.kind if isinstance(self.kind, SymbolKind) else self.kind(node)
        if kind is None:
            return _NOTHING
        beside = self.beside(node) if self.beside is not None else ()
        emits = self.emits is True or self.emitted(node)
        return made(Look, (kind, self.name(node), self.body(node), beside, emits))

    def emitted(self, node: Node) -> bool:
        """Tell whether ``node`` is a symbol."""
        return self.emits(node) if callable(self.emits) else self.emits


_NOTHING: Final = Look(None)

made: Final = tuple.__new__
"""Makes a named tuple of its values, in half the time that its own constructor takes."""


class ScopeKind(StrEnum):
    """What a scope holds, which decides who sees its names: those of a table only who names the table."""

    Module = "module"
    Class = "class"
    Table = "table"
    Function = "function"
    Block = "block"
    Detached = "detached"
    """A function that no class around it owns: its ``this`` is whatever it is called on."""
    Namespace = "namespace"
    """Names that belong to the module, seen from inside the namespace of that name, in any file, or by its name."""
    Implementation = "implementation"
    """What a type that is declared elsewhere has there: around the members, which see its parameters (a Rust impl)."""
    Open = "open"
    """What is defined inside is visible around it: the members of a C enum, what a C++ template declares."""


Opens = ScopeKind | Callable[[Node], ScopeKind | None]
"""The kind of the scope that a node opens, or what tells it from the node: None for none."""


@dataclass(frozen=True, slots=True)
class Binds:
    """How a node of one type binds names other than by defining a symbol: parameters, assignments, loops.

    Args:
        targets: The nodes whose identifiers are bound; patterns are searched for identifiers.
        hoists: True where the name belongs to the nearest function, class or module, not to the nearest block.
        outer: True where the name belongs to the scope around the one that this node opens.
        type: The node of the declared type of what is bound; ``None`` from it: not spelled.
        made: The values that names are given.
        types: True where the names are those of types, as the parameters of a generic class are.
        again: True where several nodes bind the same name, each in its scope: the alias of a Go type switch.
        after: True where the names are seen only after the node: where its values, or uses before it, mean others of
            the same name.
        onward: True where the names are seen from the node on: uses before it mean others of the same name.
        redeclares: True where a name that the block holds already, or the function whose body it is, only gets a value
            (``:=`` of Go).
        anew: True where a name that the scope holds already is another one from there on (``let`` of Rust).
        around: True where the values are read in the scope around: what an arm of a match takes apart.
        shadows: The identifiers in those values that are called like what is bound: ``if let a = a``.
        member: True where what is bound is a member of the class around and no symbol: an embedded field of Go; or a
            function that tells it from the name: an instance variable of Ruby.
        reads: The identifiers in the node that are names of values, whatever the grammar takes them for.
        calls: Those that are names of what is called.
        writes: Those that are members to which a value is assigned.
        extern: Whether a declaration in a block names what is defined outside of all functions.

    """

    targets: Nodes
    hoists: bool = False
    outer: bool = False
    type: Callable[[Node], Node | None] | None = None
    made: Made | None = None
    types: bool = False
    again: bool = False
    after: bool = False
    onward: bool = False
    redeclares: bool = False
    anew: bool = False
    around: bool = False
    shadows: Nodes | None = None
    member: bool | Callable[[Node], bool] = False
    reads: Nodes | None = None
    calls: Nodes | None = None
    writes: Nodes | None = None
    extern: Callable[[Node], bool] | None = None


Member = tuple[str, str] | Callable[[Node], Sequence[Node | None]]
"""How a node takes members: the fields of the object and of the member, or a function that gives the object and the
members in their order, each a member of what is before it."""


class Quoted(NamedTuple):
    """A name in a string: the string, the byte of it at which the name begins, its receiver and its role.

    The receiver is a term, or the node that is spelled as one.
    """

    within: Node
    start: int
    name: str
    receiver: str | Node
    role: Role


class ImplicitCall(NamedTuple):
    """A sign that calls methods without their names: the operator ``+``.

    Args:
        token: The sign.
        methods: The name of the method; several, separated by ``|``, of which the first that the object has is meant.
        receiver: The term of the object.
        variable: A name to which the sign belongs only where it is that of a variable; empty for none.

    """

    token: Node
    methods: str
    receiver: str
    variable: str = ""


class Labelled(NamedTuple):
    """The label of a parameter, or of what a call gives; ``_`` for none.

    ``optional`` is True for what a call may leave out, ``repeated`` for what it may give several times.
    """

    label: str
    optional: bool
    repeated: bool = False


class Labels(NamedTuple):
    """How labels tell functions of one name apart.

    Args:
        declared: The labels of what a function takes, from the text behind its name; None where they are not known.
        given: The labels that a call gives, from the text behind what it calls; None for no call.
        accepts: From the labels of a function and those of a call to whether the function can be called so.
        constructors: The name of the constructors, where only those are distinguished so: the head of their type is
            one of them too, as what it takes stands after its name. Empty where all functions are.

    """

    declared: Callable[[str], Sequence[Labelled] | None]
    given: Callable[[str], Sequence[Labelled] | None]
    accepts: Callable[[Sequence[Labelled], Sequence[Labelled]], bool]
    constructors: str = ""


class Imported(NamedTuple):
    """One name that an import statement binds.

    Args:
        module: The module as it is written, leading dots of a relative import included.
        name: The name taken from the module; empty: the module itself; ``*``: everything that it exports.
        alias: The name that is bound here; empty for ``*``.
        exports: True where the statement makes the name an export of this module without binding it inside
            (``export { a as b } from``).
        space: The namespace that holds the name, or that is opened by ``*``, where files do not tell namespaces.

    """

    module: str
    name: str
    alias: str
    exports: bool = False
    space: str = ""


Imports = Callable[[Node], Iterable[Imported]]
"""From a node to what it imports or exports."""


class DocumentedMember(NamedTuple):
    """A member that a comment declares: its name, the byte at which that begins, the term of its type."""

    name: str
    start: int
    type: str


class DocumentedType(NamedTuple):
    """A type that a comment declares.

    Args:
        name: Its name.
        start: The byte at which the name begins.
        span: The bytes of all that declares it.
        type: The term of what it is another name for; empty for a type of its own.
        members: The members of such a type.
        bases: The terms of the types whose members it has besides.

    """

    name: str
    start: int
    span: tuple[int, int]
    type: str
    members: Sequence[DocumentedMember] = ()
    bases: Sequence[str] = ()


class Documentation(NamedTuple):
    """What the comments of a source declare: types, and what is imported for types alone."""

    types: Sequence[DocumentedType]
    imports: Sequence[Imported]


MACROS = "macros"
"""The namespace of an import of all macros of a module, and of nothing else in it."""


MEMBERS = "members"
"""The namespace of an import that a type has of a member of another: the module is the term of that type."""


Takes = Callable[[Node, Spell], Iterable[Imported]]
"""From a node in the body of a type to the members that the type takes of others, each in the namespace MEMBERS."""


class Subtype(NamedTuple):
    """A type and the names of what it inherits from: the last segment of each as it is written.

    ``path`` is the dotted name of the type inside its file; of one that is no symbol its name, empty for none.
    """

    path: str
    bases: tuple[str, ...]


WILDCARD = "*"
"""The name that an import takes which takes all that a module exports."""

PACKAGE = "package"
"""The name under which a file exports the package that it is part of: a keyword, so that nothing else is called so."""


class Records(NamedTuple):
    """What generates constructors that take the fields of a type by name: decorators and external base classes.

    ``transformer`` is the decorator that marks further decorators and base classes as such.
    """

    decorators: frozenset[str]
    bases: frozenset[str]
    transformer: str


class Written(NamedTuple):
    """A name in what the grammar leaves as text, as in the text of a macro: the byte at which it begins.

    ``receiver`` is the term of what it is a member of; ``short`` is True for one that is a key at once.
    """

    start: int
    name: str
    role: Role
    receiver: str
    short: bool = False


class Paths(Protocol):
    """The paths of the code base, as module resolution sees them."""

    def exists(self, path: str) -> bool:
        """Tell whether there is a file at ``path``."""
        ...

    def ending(self, suffix: str) -> Sequence[str]:
        """Return the files whose path is ``suffix`` or ends in ``/suffix``, shortest first."""
        ...

    def inside(self, folder: str) -> Sequence[str]:
        """Return the files directly in the folder whose path is ``folder`` or ends in ``/folder``."""
        ...

    def manifests(
        self, name: str, read: Callable[[bytes], tuple[str, T] | None]
    ) -> Mapping[str, Sequence[tuple[str, T]]]:
        """Return what files called ``name`` say of packages, by the names of those: the path of each, and the rest.

        ``read`` gives the name of a package and what else is said of it, from the content of a file; None for none.
        """
        ...

    def manifest(self, path: str, read: Callable[[bytes], T | None]) -> T | None:
        """Return what ``read`` makes of the file at ``path``; None where it cannot be read or is no manifest."""
        ...


class MacroDeclares(Protocol):
    """Tells whether a call of a macro in a source may declare a name that it is given."""

    def __call__(self, content: bytes, name: str, declaring: Callable[[str], Iterable[bytes]], /) -> bool:
        """Return whether it may; ``declaring`` gives the sources that may define a macro with a name."""
        ...


def nothing_pasted(_content: bytes) -> frozenset[str]:
    """Return nothing: the language has no macros that put names together."""
    return frozenset()


def no_type(_spelled: str) -> str:
    """Return nothing: the language itself has no type that members could be declared for."""
    return ""


@dataclass(frozen=True, slots=True)
class Scoping:
    """What decides which definition a name means.

    Args:
        identifiers: The node types that are names in code.
        types: Those of them that are always names of types.
        scopes: The node types that open a scope; a function tells its kind from the node, None where it opens none.
        bodies: The scopes that the bodies of definitions open, by the node type of the definition, where the node
            type of the body does not tell: a Rust impl and a Rust module hold the same list of declarations.
        binds: The node types that bind names; definitions (see ``Defines``) bind theirs without being named here.
        members: For each node type that takes a member of something: the fields of the object and of the member, or
            a function that gives the nodes where the grammar names no fields or puts the member deeper.
        roles: The role of a child by (type of the parent, field of the child); the empty field stands for any.
        imports: For each node type that can import: what it binds; nothing where this one does not import.
        including: Those of them of which the text tells the same (see ``Lexis.includes``).
        plain_bases: The expression of what stands between the name of a type and its body where it inherits from
            nothing but names, which are read from its first group: those are split at commas, and at dots.
        hidden: From a source to the types in it that ``outline`` may not come upon, for having no name or being in a
            body: what stands in a comment or a string may be among them, and types that it finds too.
        hidden_imports: From a source to what is imported in the bodies of it, which ``outline`` may not come upon.
        exports: What the file as a whole exports besides its own names, from the root: the table a Lua file returns.
        ambient: What every file, and every module inside it, has imported without saying so: the ``crate`` of Rust.
        inside: From an import in a module inside a file, and the dotted name of that module, to the import as the
            file around would write it: there the ``super`` of Rust is the file.
        whole_exports: Names under which a module exports something whose members can be imported from the module.
        is_script: Tells from what a file imports and exports whether it is no module: what it declares at its top is
            declared for all files. None where all files are modules.
        shared_exports: The names under which any file may export something: ``default``.
        sealed: True where a module inside a file does not see the names around it.
        spaced: True where namespaces reach over files and do not follow from their paths (C++, C#, PHP).
        conditions: What finds the conditions of a source, and the macros that it defines on a condition alone.
        conditional_types: True where a type from outside may stand for one that is declared on a condition alone.
        macro_entries: What finds the calls of macros by which some sources declare a name.
        jump_labels: The node types of labels that are jumped to, where these have a name space of their own.
        space_opened: What finds the namespace that a macro of a source opens, by the name of the macro; empty for none.
        opens_space: What tells whether a macro of a source may open a namespace with a name.
        standard_spaces: Namespaces of the standard library, to which a program adds no more than specializations.
        packaged: True where a file says which package it is part of, which it exports as PACKAGE: others of its folder
            may be part of another one, and an import without a name of its own binds that of the package.
        packages: Where the files of a package are those that say so (see PACKAGE), wherever they lie: the packages that
            a module may mean in a file, likeliest first, from how it is written and the packages that the file is in.
        shares_packages: True where files of a package may be of a language that has such ``packages``.
        linked: True where one file declares what another defines (C, C++).
        internal: Tells from the head of a declaration that only its file has what it declares (``static`` of C).
        overloads: Tells from the heads of two declarations of one name that they are those of two functions.
        tags: The name spaces of keywords in which a name is looked for last (a structure of C, in C++).
        autoloads: Tells of a name that it is loaded when it is used: it means what one file of the tree defines.
        lexical: True where a class sees only the namespaces that it stands in, not those that its name begins with.
        package_first: True where what other files of the package declare goes before what is imported by ``*`` (Java).
        wildcards_hide: True where what ``*`` takes in an inner scope goes before what other files of a package declare.
        paths_apart: True where no variable can stand before ``::``, and no module is called.
        passes_on: True where ``*`` takes what the other file has by ``*`` as well (``#include``).
        keeps_imports: True where what a file imports is for that file alone, unless the import exports it.
        native: From how a type is spelled where members are declared for it to what terms call it, where the language
            itself has the type: ``[T]`` of Rust is a collection; empty for a type that has to be declared.
        collection_members: Where objects whose type has no name are known as collections: the members that a collection
            has by the language. Empty where they are not.
        function_members: Where a program can give any function further members: those that every function has by the
            language. Empty where it cannot.
        by_interface: True where a call of what a type implements means the member of the interface (a Rust trait).
        element: The member of a type that is the type of what a loop takes from its objects; empty for none.
        imports_members: True where a class can stand in the place of a module: ``import static a.Class.member``.
        imports_from_scope: True where what an import names first may be any name that is seen there.
        module_part: From a name in an import to the module that it is the last part of, as it is written up to there;
            empty for what the import takes from a module. None where imports tell no modules from names.
        locate: The files of a module: (module as written, path of the importing file, paths) -> paths, best first;
            none for a module from outside, ``None`` where the paths cannot tell.
        documented: The types and the imports that the comments of a source declare.
        documented_this: The term of the type that a comment gives to what a function calls its own object.
        module_line: The line of a file that its module is shown from, by its content.
        code_line: The line of a file on which its code begins, by its content.
        siblings: The other files whose top-level names are visible without import, from a path.
        this: The names by which a method calls its own object (``self``, ``this``).
        implied: The names that what is no function finds bound (``value`` in a C# setter).
        own: The names by which a class calls itself (``Self``, ``cls``).
        above: The names by which a method calls its own object as what its class inherits from (``super``, ``base``).
        is_own: Whether a method calls its own object, or class, by the other name at a node.
        attributes: True where giving a value to a member of ``this`` or ``own`` declares the member.
        terms: How a node of a type or a value is spelled as a term, where it is no name and takes no member.
        through: The step from an object to that of which a node takes a member, by the node: ``a->b`` of C++.
        pointers: The names of members by which an object of a type acts as a pointer; empty where pointers are told
            from what they point to.
        wrappers: The names of types that stand for their first argument (``Promise``, ``Box``).
        unwraps: The names of the members that give what such a type stands for, or holds as its last argument.
        paired: The names of types from outside of which a loop takes keys with their values.
        returns: The node types that say what a function returns, each with how that is spelled.
        narrows: The node types that tell of which type a name is, wherever it is used: names and terms of values.
        fillers: The methods that fill a collection, by name.
        puts: The node types that put something into a collection: names or members of the own object, with such terms.
        empty: The terms of collections that are made empty: what fills those tells what they hold.
        branches: What conditions tell of names, and where.
        anonymous: Node types that open the scope of a class without a name, each with the terms of its bases.
        written: True where those are types that are written out where they are used, see ``terms.written_at``.
        root: The type that every type inherits from without saying so.
        takes: For each node type by which a type takes members of others: those. They go before what it inherits.
        closed: True where every name is declared: what nothing in the code base is called is from outside.
        declares_everything: True where what a file sees by its name alone is a type of a namespace that it sees, or a
            member of the types around it, and where a type from outside has no member from inside but those added.
        builtin_types: The keywords that are types.
        prelude: The names that every file sees where nothing nearer declares them.
        member_signs: What stands before a name that is taken of something.
        aliasing: The functions that give a type another name when the program runs.
        may_declare_by_macro: Tells whether a source may declare a name by a macro, where all other names are declared:
            what nothing in the code base declares is from outside then. None for a language without such macros.
        pasted_names: Returns patterns of the names that the macros of a source put together of parts.
        member_needs_receiver: True where no member of a type is seen by its name alone.
        types_need_import: True where a type is seen by its name alone in its package, by an import, and in the types
            that declare or inherit it, and nowhere else.
        quotes_members: True where a name in a string is that of a member.
        global_objects: The names of objects whose members every file sees as names that stand alone.
        literal_keys: True where the key of an object literal declares a member where no type says what is wanted there.
        anonymous_keys: True where a key that is declared where it stands is one of an object without a type.
        quotes: The node types that hold names in strings: annotations in quotes.
        scattered: True where the members of a type may be declared in other files than the type.
        structural: True where a type implements an interface by having its methods.
        protocol_bases: The bases that make a type one of which all that have its members are subtypes (Python).
        compares_members: True where a type takes the objects of any other that has its members (TypeScript).
        shared: Tells of a name that methods called so in two folders may be one where ``structural``.
        stands_for: Tells from the declarations of two methods whether one may be the other where ``structural``.
        shallow: True where of inherited members of one name the one over the fewest steps is meant, and a type has none
            but those that are declared for it or inherited (Go).
        common: Names of members that types from outside have: who takes one of something unknown may mean those.
        spreads: True where what gives several things may stand for several arguments: ``f(g())`` of Go.
        type_variables: True where a type parameter may be declared like a variable, apart from what it is one of.
        renames_by_value: True where a variable whose value is the name of a type is another name of it.
        types_are_values: True where the name of a type alone is that type where a value is meant, and no object.
        class_visible: True where the names of a class are visible inside its methods without a receiver.
        fields_apart: True where a call of a member never means a field, so that a method may be called like one (Rust).
        adds_methods: The annotations of a type in which a tool lets calls of a member mean functions of other types.
        adds_accessors: The annotations of a type or a field for which a tool adds methods that are called like fields.
        narrows_bounds: True where what a call gives a type parameter may have other members of its own in the place of
            those of the bound of the parameter.
        values_apart: True where a value and a type may have one name in one scope, and are two symbols.
        types_apart: True where a name in the place of a type never means a variable (``struct item *item``).
        same_named: Where members may be called like their types: the node types in which such a name is the type's.
        bases_are_values: True where a class may yet inherit from what a variable holds.
        calls_apart: True where a call never means a variable, and nothing but a call a method (Java).
        constructs: For each node type that runs a constructor without the name of its type (``this(..)``, ``new(..)``):
            the keyword there, with the term of the type or of an object of it.
        constructor_keywords: Those keywords. Types of such a language have several constructors, and arguments
            choose; where a type has one at most, ``implicit_calls`` have what calls it.
        keys: (type of the parent, field) pairs in which an identifier is a key, not a name to look up: the keyword of
            a Python argument, the key of a JavaScript object. What has the field may also be a node around it, or
            several of one type.
        fills: For each node type that names members of what it makes: the names, each with the term of what it is a
            member of; BARE for what turns out to be a name like any other.
        shorthands: The node types of names that are such a member and a name like any other at once, or of what holds
            nothing but such a name: ``{ a }``.
        pairs: For each node type that pairs a key with a value: the two, where a ``shorthand`` could stand for them.
        arguments: For each node type that may be an argument with a name: from the node to that name, None where it has
            none.
        collects_arguments: From the head of a function to the parameter that takes the named arguments which no other
            parameter has the name of; empty for none.
        takes_fields: Tells from the declaration of a type, with what stands before it, that whoever makes one names its
            fields as arguments; those in the head of a type are always named so.
        records: What makes such types, where decorators and base classes show it.
        copies: The names of functions and methods that make an object like another and are given fields by name.
        by_name: Tells from the text before and behind a parameter, in its line, whether such an argument can name it.
        texts: For each node type that holds text in which the grammar tells no names: those in it.
        collections: The members of collections from outside, by name: terms of function types, in which one of
            ``this`` is the collection.
        holders: The types from outside that are such collections, by name; empty: all that have arguments.
        standard: How the modules of the standard library begin: what is imported from others is none of its types.
        library: The functions from outside that have type parameters, by their module and name: terms of function types
            in which capital letters stand for those.
        function_types: The names of types from outside all of whose objects are functions: no literal is one.
        functions: The types from outside of what is called by a method, by name: terms of the function types that they
            are, in which one of ``this`` is the object.
        protocols: What a step gives of an object whose type says so by methods: terms in which one of ``this`` is the
            object, the first that is known counts.
        iterates: The method that loops call, and what takes an object apart as a loop would; where a type has none, a
            loop takes what an index gives. Empty for a language in which that is not so.
        operators: The methods that a step calls on an object, where their names are no identifiers.
        member_types: What the types stand for that types from outside have, by name: terms in which one of ``this`` is
            an object of such a type.
        open_parts: True where an object that is taken apart without a method gives its members that hold values.
        parts: The term of a part of an object that its type takes apart: ``{0}`` is its place, ``{1}`` the same from 1
            on; where no method says so, the parts are the first members that hold values. Empty: tuples alone.
        classes: The names of the members by which an object has its class.
        external_members: From a type from outside, as a type names it as a base, to the names of its members; None for
            one of which those are not known. The members of every object are those of the empty name. None for a
            language in which nothing is concluded from bases from outside.
        external_types: Whether the name of something from outside surely is that of a type, objects of which are
            made by calling it and have no members but those that it has.
        member_hooks: The methods that are called for members which an object does not have: it may have any.
        predeclared: The names that mean something from outside where nothing declares them.
        predeclared_in_modules: Those that do so in modules alone, not in scripts.
        names_itself: Tells by the text before a name in the head of a function that it is no parameter, but the name by
            which a function that is a value calls itself.
        may_declare: Tells by the text of a file that it may declare a name which its facts do not bind, where a part of
            it did not parse.
        plain_types: Those of them that are types whose objects have methods that give nothing but such objects.
        primitives: Those of them that make, or have, nothing but what has no member of the code base: ``new Date()``.
        host_member: From the name of a type that hosts of a language have, and that of a member, to the term of what
            that is, or of what a call of it gives; empty where it is not known. None for no such types.
        host_ancestors: From the name of such a type to it and those that it inherits from, the nearest first.
        host_values: The variables and functions of hosts whose types are known so, with their terms.
        host_modules: The modules that hosts of a language have themselves, by their names in imports.
        promised: The members of what promises something, which is spelled like that: ``then`` of JavaScript.
        extends: True where members are declared for a type by naming it: it must be the one that the name means there.
        alternatives: True where one scope imports a name several times only if one of the imports is compiled.
        twin: From the path of a file to that of the one that says the same of its types: the stub of a module, the
            module of a stub. Empty where there can be none.
        all_names: The variable of a module that lists what ``*`` imports of it; without one it is what begins with no
            underscore. Its names are uses with the role Other; one of WILDCARD says that there may be more.
        binds_in_order: True where what a class reads before it binds it is what is seen around the class.
        conditional_imports: True where several imports in a scope may bind one name, each under its condition: all are
            meant but those before one that is under none.
        variants: True where files that are compiled for different targets define the same names: all are meant.
        scatters: The files besides its own in which members of the types of a file may be declared, from its path;
            none: the siblings.
        at_once: True where a type says in one place what it inherits from, wherever its members are.
        explicit: True where a type may have a member for one interface alone (see ``Defines.explicit``).
        companions: True where an object in a type (``inner``) may have members that are taken of the type (Kotlin).
        companion: What such an object is called that has no name of its own.
        twins: True where an object may be called like the type beside it, and inherits from what it says itself.
        initializes: True where what initializes a type sees the parameters of its head before the members of that name,
            and functions in it see no parameters (Kotlin).
        receives: True where such a function sees the members of the type without a receiver.
        amended: True where functions add members to types from outside (see ``Defines.amends``).
        by_arity: True where types of one name are different ones by how many type parameters they have.
        added_by_space: True where such a function is seen by the namespace of its type, and projects open namespaces.
        added_by_call: True where such a function is meant by a call: a member that is read is one of the type itself.
        endings: What a name may lack in a role: a decorator of C# is called ``Foo`` or ``FooAttribute``.
        generic: Node types around a name that only add type arguments: what is done with them is done with the name.
        opaque: Node types inside which a pattern binds nothing: ``a[i] = 1`` binds neither ``a`` nor ``i``.
        nonlocals: Node types that declare names of the function around (Python ``nonlocal``).
        outside: (type of the parent, field) pairs of children that are read in the scope around the one that holds
            them, each with what tells it of the child: the default of a Python parameter.
        globals: Node types that declare names of the module inside a function (Python and PHP ``global``).
        labels: How labels tell functions of one name apart; None where they do not.
        reads_are_calls: True where a name that stands alone and is no variable is a call of a method (Ruby).
        reopened: True where any file may open a type again: all that is declared under its name is one type.
        implicit_calls: The node types that call methods without their names: by a sign, or by ``new``.
        implicit_call_tokens: From the name of a method to the tokens that may call it so.
        macros: The modules whose exported macros every file sees; with some, macros have names of their own, seen in
            the text that follows their definition, modules in other files included, or where they are imported.

    """

    identifiers: frozenset[str]
    scopes: Mapping[str, Opens]
    binds: Mapping[str, Binds] = field(default_factory=dict[str, Binds])
    members: Mapping[str, Member] = field(default_factory=dict[str, Member])
    roles: Mapping[tuple[str, str], Role] = field(default_factory=dict[tuple[str, str], Role])
    imports: Mapping[str, Imports] = field(default_factory=dict[str, Imports])
    including: frozenset[str] = frozenset()
    plain_bases: re.Pattern[bytes] | None = None
    hidden: Callable[[bytes], Iterable[Subtype]] | None = None
    hidden_imports: Callable[[bytes], Iterable[Imported]] | None = None
    exports: Callable[[Node], Iterable[Imported]] = lambda _root: ()
    bodies: Mapping[str, ScopeKind] = field(default_factory=dict[str, ScopeKind])
    ambient: tuple[Imported, ...] = ()
    inside: Callable[[Imported, str], Imported] = lambda imported, _module: imported
    shared_exports: frozenset[str] = frozenset()
    whole_exports: tuple[str, ...] = ()
    is_script: Callable[[Sequence[Imported]], bool] | None = None
    sealed: bool = False
    packaged: bool = False
    shares_packages: bool = False
    packages: Callable[[str, Sequence[str]], Sequence[str]] | None = None
    linked: bool = False
    tags: tuple[str, ...] = ()
    autoloads: Callable[[str], bool] | None = None
    lexical: bool = False
    package_first: bool = False
    passes_on: bool = False
    spaced: bool = False
    standard_spaces: frozenset[str] = frozenset()
    conditions: Callable[[bytes], Conditions] | None = None
    conditional_types: bool = False
    anonymous_keys: bool = False
    declares_everything: bool = False
    wildcards_hide: bool = False
    paths_apart: bool = False
    builtin_types: frozenset[str] = frozenset()
    prelude: frozenset[str] = frozenset()
    member_signs: tuple[bytes, ...] = (b".",)
    function_types: frozenset[str] = frozenset()
    jump_labels: frozenset[str] = frozenset()
    macro_entries: Callable[[str, Mapping[str, bytes]], Iterable[Entry]] | None = None
    space_opened: Callable[[bytes, str], str] | None = None
    opens_space: Callable[[bytes, str], bool] | None = None
    keeps_imports: bool = False
    native: Callable[[str], str] = no_type
    collection_members: frozenset[str] = frozenset()
    function_members: frozenset[str] = frozenset()
    by_interface: bool = False
    element: str = ""
    imports_members: bool = False
    imports_from_scope: bool = False
    module_part: Callable[[Node], str] | None = None
    locate: Callable[[str, str, Paths], Sequence[str] | None] = lambda _module, _importer, _paths: ()
    documented: Callable[[bytes], Documentation] | None = None
    documented_this: Callable[[Node], str] | None = None
    module_line: Callable[[bytes], int] = lambda _content: 1
    code_line: Callable[[bytes], int] = lambda _content: 1
    siblings: Callable[[str, Paths], Sequence[str]] = lambda _path, _paths: ()
    this: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()
    is_own: Callable[[Node], bool] = lambda _name: False
    attributes: bool = False
    terms: Mapping[str, Spelling] = field(default_factory=dict[str, Spelling])
    through: Callable[[Node], str] | None = None
    pointers: Sequence[str] = ()
    wrappers: frozenset[str] = frozenset()
    unwraps: frozenset[str] = frozenset()
    paired: frozenset[str] = frozenset()
    returns: Mapping[str, Spelling] = field(default_factory=dict[str, Spelling])
    narrows: Mapping[str, Callable[[Node, Spell], Iterable[tuple[str, str]]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[tuple[str, str]]]]
    )
    puts: Mapping[str, Puts] = field(default_factory=dict[str, "Puts"])
    takes: Mapping[str, Takes] = field(default_factory=dict[str, "Takes"])
    fillers: Mapping[str, Fills] = field(default_factory=dict[str, "Fills"])
    empty: frozenset[str] = frozenset()
    branches: Branches = NO_BRANCHES
    anonymous: Mapping[str, Callable[[Node, Spell], Iterable[str] | None]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[str]]]
    )
    written: bool = False
    root: str = ""
    closed: bool = False
    aliasing: frozenset[str] = frozenset()
    types_need_import: bool = False
    may_declare_by_macro: MacroDeclares | None = None
    pasted_names: Callable[[bytes], frozenset[str]] = nothing_pasted
    member_needs_receiver: bool = False
    quotes_members: bool = False
    global_objects: frozenset[str] = frozenset()
    literal_keys: bool = False
    quotes: Mapping[str, Callable[[Node], Iterable[Quoted]]] = field(
        default_factory=dict[str, Callable[[Node], Iterable[Quoted]]]
    )
    scattered: bool = False
    structural: bool = False
    protocol_bases: frozenset[str] = frozenset()
    compares_members: bool = False
    shared: Callable[[str], bool] = lambda _name: True
    stands_for: Callable[[str, str], bool] = lambda _one, _other: True
    internal: Callable[[str], bool] = lambda _head: False
    overloads: Callable[[str, str], bool] = lambda _one, _other: False
    shallow: bool = False
    fills: Mapping[str, Made] = field(default_factory=dict[str, Made])
    shorthands: frozenset[str] = frozenset()
    pairs: Mapping[str, Callable[[Node], Sequence[Node | None]]] = field(
        default_factory=dict[str, Callable[[Node], Sequence[Node | None]]]
    )
    arguments: Mapping[str, Callable[[Node], Node | None]] = field(
        default_factory=dict[str, Callable[[Node], Node | None]]
    )
    collects_arguments: Callable[[str], str] = lambda _head: ""
    takes_fields: Callable[[str], bool] = lambda _declaration: False
    records: Records | None = None
    copies: frozenset[str] = frozenset()
    by_name: Callable[[str, str], bool] = lambda _before, _behind: True
    texts: Mapping[str, Callable[[Node], Iterable[Written]]] = field(
        default_factory=dict[str, Callable[[Node], Iterable[Written]]]
    )
    collections: Mapping[str, str] = field(default_factory=dict[str, str])
    holders: frozenset[str] = frozenset()
    standard: str = ""
    library: Mapping[str, str] = field(default_factory=dict[str, str])
    functions: Mapping[str, str] = field(default_factory=dict[str, str])
    protocols: Mapping[Op, Sequence[str]] = field(default_factory=dict[Op, Sequence[str]])
    external_members: Callable[[str], AbstractSet[str] | None] | None = None
    external_types: Callable[[str], bool] = lambda _name: False
    member_hooks: frozenset[str] = frozenset()
    iterates: str = ""
    operators: Mapping[Op, str] = field(default_factory=dict)
    member_types: Mapping[str, str] = field(default_factory=dict)
    open_parts: bool = False
    parts: str = ""
    classes: frozenset[str] = frozenset()
    predeclared: frozenset[str] = frozenset()
    predeclared_in_modules: frozenset[str] = frozenset()
    names_itself: Callable[[bytes], bool] = lambda _before: False
    may_declare: Callable[[bytes, str], bool] = lambda _content, _name: False
    plain_types: frozenset[str] = frozenset()
    primitives: frozenset[str] = frozenset()
    promised: frozenset[str] = frozenset()
    host_member: Callable[[str, str], str] | None = None
    host_ancestors: Callable[[str], Iterable[str]] = lambda _name: ()
    host_values: Mapping[str, str] = field(default_factory=dict[str, str])
    host_modules: frozenset[str] = frozenset()
    extends: bool = False
    alternatives: bool = False
    twin: Callable[[str], str] = lambda _path: ""
    all_names: str = ""
    binds_in_order: bool = False
    conditional_imports: bool = False
    variants: bool = False
    scatters: Callable[[str, Paths], Sequence[str]] = lambda _path, _paths: ()
    at_once: bool = False
    explicit: bool = False
    companions: bool = False
    companion: str = ""
    twins: bool = False
    initializes: bool = False
    receives: bool = False
    amended: bool = False
    by_arity: bool = False
    added_by_call: bool = False
    added_by_space: bool = False
    endings: Mapping[Role, str] = field(default_factory=dict[Role, str])
    common: frozenset[str] = frozenset()
    spreads: bool = False
    type_variables: bool = False
    renames_by_value: bool = False
    types_are_values: bool = False
    class_visible: bool = True
    calls_apart: bool = False
    fields_apart: bool = False
    adds_accessors: frozenset[str] = frozenset()
    adds_methods: frozenset[str] = frozenset()
    narrows_bounds: bool = False
    values_apart: bool = False
    types_apart: bool = False
    same_named: frozenset[str] = frozenset()
    bases_are_values: bool = False
    constructs: Mapping[str, Made] = field(default_factory=dict[str, "Made"])
    constructor_keywords: frozenset[str] = frozenset()
    keys: frozenset[tuple[str, str]] = frozenset()
    types: frozenset[str] = frozenset()
    generic: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    labels: Labels | None = None
    reads_are_calls: bool = False
    reopened: bool = False
    implicit_calls: Mapping[str, Callable[[Node, Spell], Iterable[ImplicitCall]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[ImplicitCall]]]
    )
    implicit_call_tokens: Callable[[str], Sequence[str]] = lambda _method: ()
    macros: tuple[str, ...] = ()
    outside: Mapping[tuple[str, str], Callable[[Node], bool]] = field(
        default_factory=dict[tuple[str, str], Callable[[Node], bool]]
    )


def module_of_path(path: str) -> str:
    """Return the dotted module of ``path``: its folders and its name without extension."""
    return path.rsplit(".", 1)[0].replace("/", ".")


def module_of_folder(path: str) -> str:
    """Return the dotted module of ``path`` where the folder is the package (Go, Java, C#)."""
    return path.rpartition("/")[0].replace("/", ".")


def no_module(_path: str) -> str:
    """Return the empty module: names of this language do not depend on where the file lies (C, C++)."""
    return ""


def says_private(_name: str, signature: str) -> bool:
    """Tell whether ``private`` or ``protected`` is among the modifiers of a member."""
    modifiers = signature.partition("(")[0].partition("=")[0].split()[:-1]
    return not {"private", "protected"}.isdisjoint(modifiers)


_SHORTEST_GAP: Final = 64
"""Bytes of lines without text that are worth leaving out of what is parsed: a range costs as much as so many blanks."""

_MOST_RANGES: Final = 1_000
"""The parser looks for its place among all ranges again and again; beyond this it had better read the blanks."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_END: Final = tree_sitter.Point(0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF


class Parser:
    """Parses files of one language."""

    def __init__(self, language: Language) -> None:
        module, function = language.grammar
        self.language: Final = language
        grammar = getattr(importlib.import_module(module), function)
        with warnings.catch_warnings():
            # Wheels with older bindings give the address of the grammar as a number, which is deprecated.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._parser = tree_sitter.Parser(tree_sitter.Language(grammar()))

    def parse(self, content: bytes, without: Sequence[Span] = ()) -> tree_sitter.Tree:
        """Return the tree of ``content``, ``without`` what need not be parsed of it."""
        if not without:
            self._parser.included_ranges = []
            return self._parser.parse(self.language.prepared(content))
        lean = _Lean(content, without, self.language.empty_body)
        self._parser.included_ranges = lean.ranges
        return self._parser.parse(lean.changed(self.language.prepared) if self.language.is_prepared else lean.text)


class _Lean:
    """A source without some bodies, of which short ones are blanks and the lines of long ones are skipped."""

    def __init__(self, content: bytes, bodies: Sequence[Span], brackets: bytes) -> None:
        self._skipped = b"\r\n\r\n" if content.endswith(b"\r", 0, content.find(b"\n")) else b"\n\n"
        skips = sum(end - start > _SHORTEST_GAP for start, end in bodies) < _MOST_RANGES
        self._parts: list[bytes] = []
        written: list[bytes] = []
        done = 0
        for start, end in bodies:
            whole = content.endswith(b"\n", start, end)
            opening = b"" if whole else brackets[:1] or content[start : start + 1]
            closing = b"" if whole else brackets[1:] or content[end - 1 : end]
            inner, last = start + len(opening), end - len(closing)
            begin = start if whole else content.find(b"\n", inner, last) + 1
            stop = content.rfind(b"\n", inner, last) + 1
            written += (content[done:start], opening)
            if skips and (whole or stop - begin >= _SHORTEST_GAP):
                written.append(blank(content[inner:begin]))
                self._parts += (b"".join(written), content[begin:stop])
                written.clear()
                inner = stop
            written += (blank(content[inner:last]), closing)
            done = end
        self._parts.append(b"".join((*written, content[done:])))

    @property
    def ranges(self) -> list[tree_sitter.Range]:
        """Return the ranges of what is parsed; none at all for the whole text."""
        ranges: list[tree_sitter.Range] = []
        begin = at = row = 0
        point = tree_sitter.Point(0, 0)
        for number, part in enumerate(self._parts[:-1]):
            at += len(part)
            row += part.count(b"\n")
            if number % 2:
                begin, point = at, tree_sitter.Point(row, 0)
            elif part:
                ranges.append(tree_sitter.Range(point, tree_sitter.Point(row, 0), begin, at))
        # An empty range at the end would make what is before go on up to it.
        if begin and (self._parts[-1] or not ranges):
            ranges.append(tree_sitter.Range(point, _END[0], begin, _END[1]))
        return ranges

    @property
    def text(self) -> bytes:
        """Return the source, with blanks for short bodies."""
        return b"".join(self._parts)

    def changed(self, change: Callable[[bytes], bytes]) -> bytes:
        """Return the source with all that is parsed changed as if it were one text, which has to keep its length.

        Empty lines stand in that text for those that are skipped: they end what is before them.
        """
        parts = list(self._parts)
        written = change(self._skipped.join(parts[::2]))
        at = 0
        for number in range(0, len(parts), 2):
            size = len(parts[number])
            parts[number] = written[at : at + size]
            at += size + len(self._skipped)
        return b"".join(parts)


@dataclass(frozen=True, slots=True)
class Language:
    """A language: how its files are known, parsed and read.

    Args:
        name: Lower case, without spaces: ``python``, ``csharp``.
        extensions: The endings of its files, with the dot.
        grammar: The module of the grammar wheel and the function in it that gives the grammar.
        definitions: What defines, by node type.
        through: Node types that are looked into for definitions besides the bodies of definitions.
        embedded: What stands in expressions and defines a name of the module or class around, with the text without
            which there is none.
        wrappers: Node types around one definition that belong to its range (decorators, ``export``, templates).
        prefixes: Node types just before a definition that belong to its range (attributes, decorators of methods).
        decorations: Node types at the beginning of a definition, or of the modifiers there, that say nothing of what
            it is: annotations and attributes. The signature leaves them out, as it does wrappers and prefixes.
        decorators: Where decorators are called with what they stand before: those of the language and its library that
            do not ask what it is called. None where they only say something of it.
        computed: What asks an object, in a method of its own, for a member whose name is made while the program runs;
            the group ``head`` is what that name begins with, as far as it is written.
        comments: The node types of comments.
        docstring: True where the first string of a body documents it (Python); else the comment above does.
        module: From a path to the dotted prefix of the qualified names in it.
        filenames: Whole names of files that have no telling extension.
        fragments: The endings of files that others include, of which only the content says what language they are in.
        fragment: From the content of such a file to the name of the language, of those that have the grammar; empty
            where it is none of them.
        bare_headers: True where what is taken in as a whole may have a name without an extension.
        interpreters: The names after ``#!`` by which a script without extension is known.
        indexed: False for a language with an outline but no symbols worth searching for (Markdown, JSON).
        scoping: What resolves names; ``None`` where only the outline is known.
        relatives: The name of the language whose files can refer to this one's and be referred to; empty: only its own.
        masked: What is parsed in place of the content, of the same length and lines: without what the grammar trips
            over. The words that it leaves out are names all the same.
        selected: What of a source is compiled together, of the same length and lines: of the branches of a condition
            that cut through brackets one alone; or forms that the grammar does not know as it knows them. Nothing is
            known of the words that it leaves out.
        bodies: What is left out of a source that is parsed for the index: bodies and whatever else has brackets, in
            which nothing is defined, and lines whose text tells what they define.
        directives: What is left out of a source whose whole outline is made: lines that the grammar does not know
            wherever they may stand.
        empty_body: The two brackets that are parsed for such a body; empty: its own.
        textual: Tells from the path and content of a file that its symbols are not worth an index beside its words.
        besides: Of such a file what is left out to find its other symbols; None where it can have none.
        lexis: Where its comments and strings are.
        keywords: The words that no symbol can be called.
        identifier: What a symbol can be called, but for these.
        renames: From a name and a new one to why the one cannot become the other, as part of a sentence; empty where it
            can: what a name is called may say what it is.
        bound: Tells of the path and a line of what is no code, and a name in it, that the name is bound to it there: a
            directive, or assembly.
        private: Tells from the name and the signature of a member that it is for its own type only.
        reach: Tells from where a symbol can be named.
        constructors: The names of the methods that run when an object is made, but for those that are called like their
            type.
        directive: The lines that choose what is compiled, where the grammar knows them only between declarations and
            statements: what they cut apart elsewhere does not parse, and is right all the same.
        sigil: True where the name of a variable begins with ``$`` and nothing else does.
        named_after: True where a file has to be called like the type in it that is public.
        head: From the head of a declaration on one line, and a name that it declares, to what declares that name alone.
            None where a declaration has a head for each name.
        dialect: The name of the language of a file from its path and content, where the ending does not tell (``.h``).
        regions: Where the code is in a file that holds other things too.
        embeds: The name of the language of that code, whose rules this one has; empty where it is this language.
        words: The text whose words are indexed in place of the content, where an escape may stand before a word.
        has_own_outline: True where a file that holds code of another language has an outline besides.

    """

    name: str
    extensions: tuple[str, ...]
    grammar: tuple[str, str]
    definitions: Mapping[str, Defines]
    through: frozenset[str] = frozenset()
    embedded: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    wrappers: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    decorations: frozenset[str] = frozenset()
    decorators: frozenset[str] | None = None
    computed: re.Pattern[str] | None = None
    comments: frozenset[str] = frozenset({"comment"})
    docstring: bool = False
    module: Callable[[str], str] = module_of_path
    filenames: tuple[str, ...] = ()
    bare_headers: bool = False
    fragments: tuple[str, ...] = ()
    fragment: Callable[[bytes], str] | None = None
    interpreters: tuple[str, ...] = ()
    indexed: bool = True
    scoping: Scoping | None = None
    relatives: str = ""

    @property
    def family(self) -> str:
        """Return what is equal for languages that can refer to each other's symbols."""
        return self.relatives or self.name

    @property
    def rules(self) -> str:
        """Return what is equal for languages that have the same rules: the name of the one that has them itself."""
        return self.embeds or self.name

    masked: Callable[[bytes], bytes] | None = None
    selected: Callable[[bytes], bytes] | None = None
    bodies: Callable[[bytes], Bodies] | None = None
    directives: Callable[[bytes], Bodies] | None = None
    empty_body: bytes = b""
    textual: Callable[[str, bytes], bool] | None = None
    besides: Callable[[bytes], Bodies | None] | None = None
    dialect: Callable[[str, bytes], str] | None = None
    directive: re.Pattern[bytes] | None = None
    sigil: bool = False
    named_after: bool = False
    bound: Callable[[str, str, str], bool] = lambda _path, _line, _name: False
    private: Callable[[str, str], bool] = says_private
    head: Callable[[str, str], str] | None = None
    reach: Reaching = anywhere
    constructors: frozenset[str] = frozenset()
    lexis: Lexis | None = None
    keywords: frozenset[str] = frozenset()
    identifier: re.Pattern[str] = _IDENTIFIER
    regions: RegionsOf | None = None
    embeds: str = ""
    has_own_outline: bool = False
    words: Callable[[str], str] | None = None
    renames: Callable[[str, str], str] = lambda _old, _new: ""

    @property
    def is_prepared(self) -> bool:
        """Tell whether something else than a source may be parsed in its place."""
        return self.selected is not None or self.masked is not None

    def prepared(self, content: bytes) -> bytes:
        """Return what is parsed in place of a source."""
        if self.selected is not None:
            content = self.selected(content)
        return self.masked(content) if self.masked is not None else content

    @property
    def has_subtypes(self) -> bool:
        """Tell whether types of the language inherit from others."""
        return any(rule.bases is not None for rule in self.definitions.values())

    def parser(self) -> Parser:
        """Return a new parser of this language; loads the grammar, so call it in a worker process."""
        return Parser(self)
