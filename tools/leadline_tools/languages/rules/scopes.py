"""Scopes and bindings: what sees a name, and what binds one.

A *scope* is a region in which names are bound. A node *binds* a name that is no symbol: a parameter, a local variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tree_sitter import Node

from leadline_tools.languages.nodes import Nodes
from leadline_tools.languages.rules.types import Made


class ScopeKind(StrEnum):
    """What a scope holds, which decides who sees its names: those of a table only who names the table."""

    Module = "module"
    Class = "class"
    Table = "table"
    Function = "function"
    Block = "block"
    Static = "static"
    """A function of a type itself: its own object is the type, and none of the objects of the type."""
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
        sees: The identifiers in the node that see what it binds before them, where the names are seen ``after`` it.
        onward: True where the names are seen from the node on: uses before it mean others of the same name.
        redeclares: True where a name that the block holds already, or the function whose body it is, only gets a value
            (``:=`` of Go).
        captures: True where a name that a scope around holds already, up to that of the function, only gets a value:
            the block of a Ruby method sees its local variables.
        rebinds: True where a name that the scope holds already is another one from there on (``let`` of Rust).
        around: True where the values are read in the scope around: what an arm of a match takes apart.
        shadows: The identifiers in those values that are called like what is bound: ``if let a = a``.
        member: True where what is bound is a member of the class around and no symbol: an embedded field of Go; or a
            function that tells it from the name: an instance variable of Ruby.
        reads: The identifiers in the node that are names of values, whatever the grammar takes them for.
        calls: Those that are names of what is called.
        writes: Those that are members to which a value is assigned.
        extern: Whether a declaration in a block names what is defined outside of all functions.
        by_caller: True where callers give what is bound its value: parameters that assignments are joined with.
        keys: The node types of targets that are bound as they are, though the language has no names of the type: the
            key ``a:`` in a pattern of Ruby.

    """

    targets: Nodes
    hoists: bool = False
    outer: bool = False
    type: Callable[[Node], Node | None] | None = None
    made: Made | None = None
    types: bool = False
    again: bool = False
    after: bool = False
    sees: Nodes | None = None
    onward: bool = False
    redeclares: bool = False
    captures: bool = False
    rebinds: bool = False
    around: bool = False
    shadows: Nodes | None = None
    member: bool | Callable[[Node], bool] = False
    reads: Nodes | None = None
    calls: Nodes | None = None
    writes: Nodes | None = None
    extern: Callable[[Node], bool] | None = None
    by_caller: bool = False
    keys: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ScopeRules:
    """What opens scopes, what binds names in them, and what an object and a class call themselves.

    Args:
        identifiers: The node types that are names in code.
        type_identifiers: The node types of ``identifiers`` that are always names of types.
        opens: The node types that open a scope, each with its kind. A function returns the kind of a node, None for
            none.
        binds: The node types that bind names. Definitions bind theirs without an entry here, see ``Defines``.
        body_kinds: The kinds of the scopes that the bodies of definitions open, by the node type of the definition. For
            bodies whose own type does not tell: a Rust impl and a Rust module hold the same list of declarations.
        sealed: True where a module inside a file does not see the names around it.
        merges_modules: True where modules of one name in a file are one, and each sees the names of the others.
        tag_spaces: The name spaces of keywords in which a name is looked up last (a structure of C, in C++).
        autoloads: Returns whether a name is loaded when it is used: it then means what one file of the tree defines.
        lexical: True where a class sees only the namespaces around it, not those that its qualified name begins with.
        names_own_member: Returns whether a name without a receiver, if it is no local variable, is a member of the own
            object: of the innermost class or module, and of none around it.
        paths_apart: True where ``::`` never follows a variable, and no module is called.
        jump_labels: The node types of labels that are jumped to, where labels have a name space of their own.
        this: The names by which a method calls its own object (``self``, ``this``).
        implied: The names that are bound in what is no function (``value`` in a C# setter).
        own: The names by which a class calls itself (``Self``, ``cls``).
        above: The names by which a method calls its own object as an object of its base class (``super``, ``base``).
        is_own: Returns whether a node is another name for the own object or class.
        aliasing: The functions that give a type another name when the program runs.
        given_names: Returns the parts of the names that calls of these functions in a text give; None where one is
            computed.
        names_itself: Decides from the text before a name in the head of a function that it is no parameter, but the
            name of a function expression.
        binds_in_order: True where a name that a class reads before it binds it means the one around the class.
        sees_parameters_first: True where an initializer of a type sees the parameters in the head of the type before
            members of the same name, and functions in the type do not see these parameters (Kotlin).
        seen_in_heads: The base of the types whose heads see what their bodies declare (``Record`` of Java).
        members_before_parameters: True where functions see inherited members before those parameters (C#).
        sees_outer_members: True where such a function sees the members of the type without a receiver.
        type_variables: True where a type parameter may be declared like a variable, apart from the type that has it.
        class_visible: True where methods see the names of their class without a receiver.
        members_apart: True where nothing in a type sees its members without a receiver, not even their declarations.
        constructors_apart: True where of the types only those whose fields have no names can be called (Rust): the name
            of another type that is called means something else, as types and values have namespaces of their own.
        values_apart: True where a value and a type in one scope may have the same name.
        names_type: Decides from the texts before and after a name that is read or called whether it is a type; None
            where it is one unless a variable has that name. Set where a type, a function and a variable may have one
            name.
        imports_type: Decides from the text before a name in an import whether it is a type or a namespace; None where
            the text does not say. Set where a function may be called like a type, and imports say which they take.
        types_apart: True where a name in the place of a type never means a variable (``struct item *item``).
        namespaces_apart: True where types and values have namespaces of their own throughout (Scala): a type parameter
            and a value in one scope may have the same name, and the name before the dot of a type is that of a value.
        body_has_type: True where the own object in the body of a type, outside of its functions, may be the type.
        same_named: The node types in which a name is that of a type, where members may be called like their types.
        generic: The node types around a name that only add type arguments: the role of the node is that of the name.
        opaque: The node types in which a pattern binds nothing: ``a[i] = 1`` binds neither ``a`` nor ``i``.
        globals: The node types that declare names of the module inside a function (``global`` of Python and PHP).
        nonlocals: The node types that declare names of the function around (``nonlocal`` of Python).
        captures: The node types that list the variables which a function takes from around it (``use`` of PHP).
        file_local: Returns whether a name at the top of a file is a variable that no other file can use.
        outside: (type of the parent, field) pairs of children that are read in the scope around their parent, each with
            a predicate of the child: the default of a Python parameter.

    """

    identifiers: frozenset[str]
    opens: Mapping[str, Opens]
    type_identifiers: frozenset[str] = frozenset()
    binds: Mapping[str, Binds] = field(default_factory=dict[str, Binds])
    body_kinds: Mapping[str, ScopeKind] = field(default_factory=dict[str, ScopeKind])
    sealed: bool = False
    merges_modules: bool = False
    tag_spaces: tuple[str, ...] = ()
    autoloads: Callable[[str], bool] | None = None
    lexical: bool = False
    names_own_member: Callable[[str], bool] = lambda _name: False
    paths_apart: bool = False
    jump_labels: frozenset[str] = frozenset()
    this: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()
    is_own: Callable[[Node], bool] = lambda _name: False
    aliasing: frozenset[str] = frozenset()
    given_names: Callable[[str], frozenset[str] | None] = lambda _text: None
    names_itself: Callable[[bytes], bool] = lambda _before: False
    binds_in_order: bool = False
    sees_parameters_first: bool = False
    seen_in_heads: str = ""
    members_before_parameters: bool = False
    sees_outer_members: bool = False
    type_variables: bool = False
    class_visible: bool = True
    members_apart: bool = False
    constructors_apart: bool = False
    values_apart: bool = False
    names_type: Callable[[str, str], bool | None] | None = None
    imports_type: Callable[[str], bool | None] | None = None
    types_apart: bool = False
    namespaces_apart: bool = False
    body_has_type: bool = False
    same_named: frozenset[str] = frozenset()
    generic: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    captures: frozenset[str] = frozenset()
    file_local: Callable[[str], bool] = lambda _name: False
    outside: Mapping[tuple[str, str], Callable[[Node], bool]] = field(
        default_factory=dict[tuple[str, str], Callable[[Node], bool]]
    )
