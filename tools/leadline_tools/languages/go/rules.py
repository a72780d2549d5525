"""Go: https://go.dev/ref/spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages import blanking, hidden_types, lexing, terms
from leadline_tools.languages.go import modules as go_modules
from leadline_tools.languages.language import (
    PACKAGE,
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    module_of_folder,
    text,
)
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.languages.terms import BARE, DECLARED, UNKNOWN, Spell, either, then
from leadline_tools.model import Role, SymbolKind

_MAJOR = re.compile(r"/v\d+$|\.v\d+$")
"""The major version at the end of an import path, which is not part of the package's name."""


def _names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration gives; the blank identifier is none."""
    return [name for name in node.children_by_field_name("name") if name.type != "," and text(name) != "_"]


def _type_kind(node: Node) -> SymbolKind:
    kind = node.child_by_field_name("type")
    match kind.type if kind is not None else "":
        case "struct_type":
            return SymbolKind.Struct
        case "interface_type":
            return SymbolKind.Interface
        case _:
            return SymbolKind.Class


def _members(node: Node) -> Sequence[Node]:
    """Return the list of the fields of a struct type, or the interface type, that a declaration spells out."""
    kind = node.child_by_field_name("type")
    if kind is None:
        return ()
    if kind.type == "interface_type":
        return (kind,)
    if kind.type == "struct_type":
        return [child for child in kind.named_children if child.type == "field_declaration_list"]
    return ()


def _receiver_type(method: Node) -> Node | None:
    """Return the type of a receiver, without its star."""
    receiver = method.child_by_field_name("receiver")
    parameter = (
        next((n for n in receiver.named_children if n.type == "parameter_declaration"), None) if receiver else None
    )
    found = parameter.child_by_field_name("type") if parameter else None
    for _ in range(4):
        if found is None or found.type not in ("pointer_type", "parenthesized_type"):
            return found
        found = found.named_children[0] if found.named_children else None
    return None


def _receiver(method: Node) -> str:
    found = _receiver_type(method)
    if found is not None and found.type == "generic_type":
        found = found.child_by_field_name("type")
    return text(found)


def _receiver_parameters(method: Node) -> Sequence[Node]:
    """Return the type parameters that a receiver declares: ``func (b *Box[T]) Get()``."""
    found = _receiver_type(method)
    return found.children_by_field_name("type_arguments") if found is not None else ()


def _embedded(node: Node) -> Sequence[Node]:
    """Return the name of an embedded field: that of its type."""
    if node.child_by_field_name("name") is not None:
        return ()
    found = node.child_by_field_name("type")
    for _ in range(4):
        if found is None or found.type == "type_identifier":
            break
        found = found.child_by_field_name("name" if found.type == "qualified_type" else "type")
    return (found,) if found is not None else ()


def _declared(node: Node) -> Sequence[Node]:
    """Return the left side of ``:=``; with ``=`` the same nodes only assign."""
    if not any(child.type == ":=" for child in node.children):
        return ()
    return node.children_by_field_name("left")


def _import(node: Node) -> Iterator[Imported]:
    """Read one line of an import declaration; the blank name binds nothing."""
    path = text(node.child_by_field_name("path")).strip('"`')
    name = node.child_by_field_name("name")
    if name is None:
        alias = _MAJOR.sub("", path).rpartition("/")[2]
        yield Imported(path, "", alias)
    elif name.type == "dot":
        yield Imported(path, "*", "")
    elif name.type == "package_identifier":
        yield Imported(path, "", text(name))


def _exported_package(root: Node) -> Iterator[Imported]:
    """Read which package a file is part of: its folder may be called otherwise, and hold tests of another one."""
    clause = next((child for child in root.named_children if child.type == "package_clause"), None)
    if clause is not None and clause.named_children:
        yield Imported(text(clause.named_children[-1]), "", PACKAGE, exports=True)


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of the package at an import path; none for one from outside, None where that is not known.

    A test of a package sees what its other tests declare as well; they come last, as they may be of another package.
    """
    home = importer.rpartition("/")[0] if importer.endswith("_test.go") else None
    for folder in go_modules.package_folders(module, importer, paths):
        found = [path for path in _package(folder, paths) if folder == home or not path.endswith("_test.go")]
        if found:
            return sorted(_together(importer, found), key=_is_test)
    return () if go_modules.is_external(module, importer, paths) else None


def _is_test(path: str) -> bool:
    return path.endswith("_test.go")


_SYSTEMS = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows"
    " zos".split()
)
_PROCESSORS = frozenset(
    "386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64"
    " ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm".split()
)
"""What the name of a file can end in that is compiled for one target, by https://pkg.go.dev/cmd/go."""


def _target(path: str) -> tuple[str, str]:
    """Return the system and the processor that a file is compiled for; empty for any."""
    parts = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
    processor = parts.pop() if parts and parts[-1] in _PROCESSORS else ""
    return (parts[-1] if parts and parts[-1] in _SYSTEMS else ""), processor


def _together(path: str, files: Iterable[str]) -> Sequence[str]:
    """Return those of ``files`` that can be compiled together with a file."""
    target = _target(path)
    if not any(target):
        return list(files)
    return [file for file in files if all(a == b or not (a and b) for a, b in zip(target, _target(file), strict=True))]


def _package(folder: str, paths: Paths) -> Sequence[str]:
    return [path for path in paths.inside(folder) if path.endswith(".go") and path.rpartition("/")[0] == folder]


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package; only a test sees what tests declare."""
    test = path.endswith("_test.go")
    return _together(path, (file for file in _beside(path, paths) if test or not file.endswith("_test.go")))


def _beside(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package and of its tests: any may declare methods of its types."""
    return [file for file in _package(path.rpartition("/")[0], paths) if file != path]


_PARAMETERS = fields("parameters")

# --- What types and values are spelled like

_PREDECLARED = frozenset(
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint"
    " uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make"
    " max min new panic print println real recover _".split()
)
"""What https://go.dev/ref/spec#Predeclared_identifiers names."""

_OF_TYPE = frozenset({"make", "new"})
_OF_ARGUMENT = frozenset({"append", "max", "min"})
_MOST_GIVEN = 8
"""Arguments of a call of which is looked at whether type arguments follow from them."""

_SAME_TYPE = frozenset("+ - * / % & | ^ &^ << >>".split())
"""Operators that give what they take."""


def _type(node: Node) -> Node | None:
    """Return the declared type of parameters, fields, variables, the result of a function."""
    return node.child_by_field_name("type")


_ANYTHING = frozenset({"any", "comparable", "interface{}"})


def _constraint(node: Node) -> Node | None:
    """Return what constrains a type parameter; what any type is says nothing of it."""
    kind = _type(node)
    return None if text(kind) in _ANYTHING else kind


def _field_type(node: Node) -> Node | None:
    """Return the declared type of a field; one that is written there may have the field's own members."""
    kind = _type(node)
    return None if kind is not None and _members(node) and _is_symbol(kind) else kind


def _result(node: Node) -> Node | None:
    return node.child_by_field_name("result")


def _constant_type(node: Node) -> Node | None:
    """Return the type of a constant."""
    return _type(_said_of(node))


def _said_of(constant: Node) -> Node:
    """Return what says of which type and value a constant is."""
    group = constant.parent
    return _telling(group).get(constant.id, constant) if group is not None else constant


@lru_cache(maxsize=1)
def _telling(group: Node) -> Mapping[int, Node]:
    """Return what tells the types and values of the constants of a group: of one without them the constant before.

    They are found together, and kept for the next constant: each on its own would look at all before it.
    """
    telling: dict[int, Node] = {}
    said: Node | None = None
    for spec in group.named_children:
        if spec.type == "const_spec":
            told = spec.child_by_field_name("type") or spec.child_by_field_name("value")
            said = spec if said is None or told is not None else said
            telling[spec.id] = said
    return telling


def _object(kind: str) -> str:
    """Return the term of an object of a type."""
    return terms.object_of(kind)


def _inline(node: Node, _spell: Spell) -> str:
    """Spell a type that is written where it is used by the place of its members, if it has any."""
    listed = _listing(node)
    return terms.written_at(listed) if listed.named_child_count else terms.TUPLE


def _listing(kind: Node) -> Node:
    """Return the node that holds the members of a struct or an interface type."""
    return next((child for child in kind.named_children if child.type == "field_declaration_list"), kind)


def _collection(*parts: str) -> terms.Spelling:
    """Return a function that spells what has elements, in the order of its type arguments."""
    return lambda node, spell: _applied(terms.COLLECTION, [spell(node.child_by_field_name(part)) for part in parts])


def _applied(head: str, arguments: Sequence[str]) -> str:
    """Return a type with arguments, also where none of them is known."""
    return f"{head}<{','.join(arguments)}>"


def _variadic(node: Node, spell: Spell) -> str:
    return _applied(terms.COLLECTION, [spell(_type(node))])


def _function(node: Node, spell: Spell) -> str:
    """Spell a function type by its results."""
    result = _result(node)
    return _applied(terms.FUNCTION, [spell(result)]) if result is not None else terms.FUNCTION


def _spread(node: Node, spell: Spell) -> str:
    """Spell the elements that a function is called with."""
    return then(spell(node.named_children[0]), "[]") if node.named_children else UNKNOWN


def _results(node: Node, spell: Spell) -> str:
    """Spell a list of results: the type of the only one, or a tuple."""
    parts: list[str] = []
    for one in node.named_children:
        if one.type == "parameter_declaration":
            parts += [spell(_type(one))] * max(1, len(one.children_by_field_name("name")))
    return parts[0] if len(parts) == 1 else _applied(terms.TUPLE, parts)


def _generic(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("type_arguments")
    arguments = listed.named_children if listed is not None else []
    return terms.applied(spell(_type(node)), [spell(argument) for argument in arguments])


def _called(node: Node, spell: Spell) -> str:
    """Spell a call; those of predeclared functions that give what they take by that."""
    function = node.child_by_field_name("function")
    name = text(function) if function is not None and function.type == "identifier" else ""
    if name in _OF_TYPE or name in _OF_ARGUMENT:
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        return _object(spell(first)) if name in _OF_TYPE else spell(first)
    return then(terms.given(_instantiated(node, spell), _arguments(node, spell)), "()")


def _instantiated(call: Node, spell: Spell) -> str:
    """Spell what is called, with the type arguments that are written there: what looks like an index may be one."""
    function = call.child_by_field_name("function")
    listed = call.child_by_field_name("type_arguments")
    if listed is not None:
        return terms.applied(spell(function), [spell(argument) for argument in listed.named_children])
    if function is None or function.type != "index_expression":
        return spell(function)
    index = spell(function.child_by_field_name("index"))
    return (
        spell(function) if index == UNKNOWN else terms.applied(spell(function.child_by_field_name("operand")), [index])
    )


def _arguments(call: Node, spell: Spell) -> Sequence[str]:
    """Spell what a function is called with that may have type parameters: methods have none."""
    function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is not None and function.type == "index_expression":
        function = function.child_by_field_name("operand")
    if function is not None and function.type == "selector_expression":
        function = function.child_by_field_name("operand")
    if function is None or function.type != "identifier" or listed is None or listed.named_child_count > _MOST_GIVEN:
        return ()
    return [spell(argument) for argument in listed.named_children if argument.type != "comment"]


def _takes(node: Node, spell: Spell) -> str:
    """Spell what a function takes that has type parameters: the others give the same, whatever they are called with."""
    listed = node.child_by_field_name("parameters")
    if listed is None or node.child_by_field_name("type_parameters") is None:
        return UNKNOWN
    taken: list[str] = []
    for one in listed.named_children:
        names = max(1, len(one.children_by_field_name("name")))
        if one.type == "variadic_parameter_declaration":
            taken.append(_applied(terms.VARIADIC, [spell(_type(one))]))
        elif one.type == "parameter_declaration":
            taken += [spell(_type(one))] * names
    return _applied(terms.FUNCTION, [UNKNOWN, *taken])


def _made_of(node: Node, spell: Spell) -> str:
    """Spell a composite literal or an assertion: an object of the type that it names."""
    return _object(spell(_type(node)))


def _converted(node: Node, spell: Spell) -> str:
    """Spell a conversion: what names a generic type may call a function as well."""
    kind = _type(node)
    if kind is None or kind.type != "generic_type":
        return _object(spell(kind))
    return then(terms.given(spell(kind), [spell(node.child_by_field_name("operand"))]), "()")


def _unary(node: Node, spell: Spell) -> str:
    """Spell what an operator makes of its operand: what is received from a channel, or the same."""
    operand = spell(node.child_by_field_name("operand"))
    return then(operand, "*") if node.children[0].type == "<-" else operand


def _binary(node: Node, spell: Spell) -> str:
    if text(node.child_by_field_name("operator")) not in _SAME_TYPE:
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _paired(names: Sequence[Node], values: Sequence[Node], spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield names with their values: pairwise, or as parts of the only one; what goes with a value is a boolean."""
    if len(names) == len(values):
        yield from ((name, spell(value)) for name, value in zip(names, values, strict=True))
    elif len(values) == 1:
        term = spell(values[0])
        if values[0].type in ("call_expression", "type_conversion_expression"):
            yield from ((name, then(term, f"#{i}")) for i, name in enumerate(names))
        elif names:
            yield names[0], term


def _assigned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read ``a, b := c, d`` and ``a, ok := <-c``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        values = right.named_children if right.type == "expression_list" else [right]
        yield from _paired(left.named_children, values, spell)


def _initialized(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read ``var a, b = c, d``; a declared type says more."""
    value = node.child_by_field_name("value")
    if value is not None and _type(node) is None:
        names = [name for name in node.children_by_field_name("name") if name.type != ","]
        yield from _paired(names, value.named_children, spell)


def _constant(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read the values of constants, those that are repeated too."""
    said = _said_of(node)
    values = [term for _, term in _initialized(said, spell)]
    names = [name for name in node.children_by_field_name("name") if name.type != ","]
    yield from zip(names, values, strict=False)


def _ranged(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read ``for key, value := range over``."""
    left = node.child_by_field_name("left")
    term = spell(node.child_by_field_name("right"))
    if left is not None:
        yield from zip(left.named_children, (then(term, "*"), then(term, "[]")), strict=False)


def _switch(case: Node) -> Node | None:
    around = case.parent
    return around if around is not None and around.type == "type_switch_statement" else None


def _alias(case: Node) -> Sequence[Node]:
    """Return the name that a type switch gives to its value; it has the type of the case in each."""
    around = _switch(case)
    return around.children_by_field_name("alias") if around is not None else ()


def _case_type(case: Node) -> Node | None:
    types = case.children_by_field_name("type")
    return types[0] if len(types) == 1 else None


def _switched(case: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name the value itself in a case of several types, or of none."""
    around = _switch(case)
    if around is not None and _case_type(case) is None:
        term = spell(around.child_by_field_name("value"))
        yield from ((name, term) for alias in _alias(case) for name in alias.named_children)


def _switch_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Say that the name of a type switch is nothing declared: it is bound in its cases."""
    yield from ((name, DECLARED) for alias in node.children_by_field_name("alias") for name in alias.named_children)


def _package_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    yield from ((name, DECLARED) for name in node.named_children)


def _inline_members(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Say that the members of a type that is no symbol are nothing declared."""
    if not _is_symbol(node):
        yield from (
            (name, DECLARED) for child in _listing(node).named_children for name in child.children_by_field_name("name")
        )


def _is_symbol(kind: Node) -> bool:
    """Tell whether a type is that of a declaration outside of functions, or of a field in one."""
    around = kind.parent
    while around is not None and around.type == "field_declaration":
        listed = around.parent
        kind = listed.parent if listed is not None and listed.parent is not None else around
        around = kind.parent
    declaration = around.parent if around is not None and around.type == "type_spec" else None
    return declaration is not None and declaration.parent is not None and declaration.parent.type == "source_file"


def _perhaps_called(node: Node) -> Sequence[Node]:
    """Return what is called in what looks like a conversion to a generic type: ``a[b](c)`` may call ``a``."""
    kind = _type(node)
    return _type_names(_type(kind))[-1:] if kind is not None and kind.type == "generic_type" else ()


def _perhaps_read(node: Node) -> Sequence[Node]:
    """Return the names of values in the same: ``a[b](c)`` may call what ``a`` has at ``b``."""
    kind = _type(node)
    arguments = kind.child_by_field_name("type_arguments") if kind is not None else None
    if kind is None or arguments is None:
        return ()
    elements = (one.named_children[0] for one in arguments.named_children if one.named_child_count == 1)
    return [*_type_names(_type(kind))[:-1], *(name for one in elements for name in _type_names(one))]


def _at_index_called(node: Node) -> Sequence[Node]:
    """Return the name in front of an index of what is called: ``a[b]()`` calls ``a`` where ``b`` is a type."""
    around, operand = node.parent, node.child_by_field_name("operand")
    if around is None or around.type != "call_expression" or around.child_by_field_name("function") != node:
        return ()
    if operand is not None and operand.type == "selector_expression":
        return operand.children_by_field_name("field")
    return (operand,) if operand is not None and operand.type == "identifier" else ()


def _type_names(kind: Node | None) -> Sequence[Node]:
    """Return the names that a type is called by: that of its package too; none for one that is written otherwise."""
    if kind is not None and kind.type == "qualified_type":
        return kind.named_children
    return (kind,) if kind is not None and kind.type == "type_identifier" else ()


def _keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of a composite literal, and of the literals in it that leave their type out."""
    kind, body = _type(node), node.child_by_field_name("body")
    if body is None or kind is None or b":" not in (body.text or b""):
        return
    pending = [(_object(spell(kind)), body, kind.type in _COLLECTIONS)]
    while pending:
        term, literal, collects = pending.pop()
        for element in literal.named_children:
            keyed = element.type == "keyed_element"
            key = _inside(element.child_by_field_name("key")) if keyed else None
            value = _inside(element.child_by_field_name("value") if keyed else element)
            if key is not None and key.type == "identifier":
                yield key, BARE if collects else term
            elif key is not None and key.type == "literal_value":
                pending.append((then(term, "*"), key, False))
            if value is not None and value.type == "literal_value":
                pending.append((then(term, "[]"), value, False))


def _inside(element: Node | None) -> Node | None:
    return element.named_children[0] if element is not None and element.named_children else None


_WRITTEN_OUT = frozenset({"struct_type", "interface_type"})
_COLLECTIONS = frozenset({"array_type", "implicit_length_array_type", "map_type", "slice_type"})


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a type embeds; what a type that is no struct or interface is defined as."""
    kind = _type(node)
    if kind is not None and kind.type in _WRITTEN_OUT:
        yield from _embeds(kind, spell)
    elif kind is not None:
        yield spell(kind)


def _field_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a field embeds whose type is written there."""
    return (base for kind in _members(node)[:1] for base in _bases(node, spell))


def _embeds(kind: Node, spell: Spell) -> Iterator[str]:
    """Yield the terms of what a struct or an interface type embeds."""
    for child in _listing(kind).named_children:
        if child.type == "field_declaration" and _embedded(child):
            yield spell(_type(child))
        elif child.type == "type_elem" and child.named_child_count == 1:
            yield spell(child.named_children[0])


def _generics(node: Node) -> Sequence[Node]:
    listed = node.child_by_field_name("type_parameters")
    declared = listed.named_children if listed is not None else []
    return [name for one in declared for name in one.children_by_field_name("name")]


def _receiver_names(method: Node) -> Sequence[Node]:
    """Return what a method calls the type parameters of its receiver."""
    return [one for listed in _receiver_parameters(method) for one in listed.named_children]


_TERMS = {
    "pointer_type": terms.same(),
    "parenthesized_type": terms.same(),
    "parenthesized_expression": terms.same(),
    "negated_type": terms.same(),
    "type_elem": terms.one_of(),
    "type_constraint": terms.one_of(),
    "generic_type": _generic,
    "type_instantiation_expression": terms.same("type"),
    "variadic_argument": _spread,
    "slice_type": _collection("element"),
    "array_type": _collection("element"),
    "implicit_length_array_type": _collection("element"),
    "map_type": _collection("key", "value"),
    "channel_type": _collection("value"),
    "function_type": _function,
    "func_literal": lambda node, spell: _object(_function(node, spell)),
    "struct_type": _inline,
    "interface_type": _inline,
    "parameter_list": _results,
    "variadic_parameter_declaration": _variadic,
    "call_expression": _called,
    "composite_literal": _made_of,
    "type_conversion_expression": _converted,
    "type_assertion_expression": _made_of,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "index_expression": terms.stepped("operand", "[]"),
    "slice_expression": terms.same("operand"),
}

# --- What the standard library gives back of what it is given


def _library() -> Mapping[str, str]:
    """Return the generic functions of https://pkg.go.dev/std, iterators as collections of what a loop takes from them.

    Those of ``golang.org/x/exp`` have the same names.
    """
    same = "Clip Clone Compact CompactFunc Delete DeleteFunc Grow Insert Replace Repeat AppendSeq"
    one = "Max Min MaxFunc MinFunc"
    all_ = "Collect Sorted SortedFunc SortedStableFunc Values"
    known = {
        **{f"slices.{name}": "!<S,S>" for name in same.split()},
        **{f"slices.{name}": "!<E,[]<E>>" for name in one.split()},
        **{f"slices.{name}": "!<[]<E>,[]<E>>" for name in all_.split()},
        "slices.Concat": "!<S,=<S>>",
        "slices.Chunk": "!<[]<S>,S>",
        "slices.All": "!<[]<?,E>,[]<E>>",
        "slices.Backward": "!<[]<?,E>,[]<E>>",
        "maps.All": "!<[]<K,V>,[]<K,V>>",
        "maps.Clone": "!<M,M>",
        "maps.Collect": "!<[]<K,V>,[]<K,V>>",
        "maps.Keys": "!<[]<K>,[]<K,V>>",
        "maps.Values": "!<[]<V>,[]<K,V>>",
    }
    return {
        **known,
        **{f"golang.org/x/exp/{name}": term for name, term in known.items()},
        "cmp.Or": "!<T,=<T>>",
        "iter.Pull": "!<()<!<()<V,?>>,?>,[]<V>>",
        "iter.Pull2": "!<()<!<()<K,V,?>>,?>,[]<K,V>>",
        "sync.OnceValue": "!<!<T>,!<T>>",
        "sync.OnceValues": "!<!<()<T,U>>,!<()<T,U>>>",
    }


_OBJECT = "$"
"""What stands for the object in the terms below: no name of Go."""

_OF_HOLDERS = {"Load": f"!<{_OBJECT}[]>", "Swap": f"!<{_OBJECT}[]>"}
"""Methods of the types from outside that hold an object of another type."""

# --- What the index does without

_INERT = (
    rb"\"[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\"|`[^`]*+`|'(?:[^'\\\n]|\\.)[^'\\\n]*+'"
    rb"|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))"
)
"""A string, a rune, a comment, or a slash that begins none."""

_PLAIN = rb"[^(){}\"'`/]++|(?:(?<=interface)|(?<=struct))\{\}"
_LISTS = rb"\((?>(?:%(plain)s|\((?>(?:%(plain)s|\((?>(?:%(plain)s)*)\))*)\))*)\)" % {b"plain": _PLAIN}
_HEAD = rb"func\b(?>(?:[^(){}\"'`/\n]++|(?:(?<=interface)|(?<=struct))\{\}|" + _LISTS + rb")*)"
"""The head of a function, whose lines end in lists only: it may have no body."""

_NEXT_BODY = (
    rb"(?>(?:[^\n\"'`/]++|" + _INERT + rb"|\n(?!func\b))*)\n"
    rb"(?>(?:" + _HEAD + rb"(?P<body>" + blanking.braces(_INERT, rb"\"'`/") + rb"))?)"
)
_TYPE = re.compile(rb"[\n;{}/:][ \t\r]*+type(?![\w)\x80-\xff])")


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a body may define a type: nothing else in it is a symbol."""
    body = found["body"]
    return b"type" in body and _TYPE.search(body) is not None


def _bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of functions without types."""
    return blanking.bodies(content, _NEXT_BODY, _defines)


def _renames(old: str, new: str) -> str:
    """Refuse what changes who sees the name, and what Go calls itself."""
    if old[0].isupper() != new[0].isupper():
        return "the case of the first letter says whether other packages see it"
    return f"Go itself calls {old}" if old in {"main", "init"} else ""


def _bound(path: str, line: str, name: str) -> bool:
    """Tell of a directive of https://pkg.go.dev/cmd/compile or of cgo that has a name, and of assembly."""
    if path.endswith(".s"):
        return re.search(rf"\u00b7{re.escape(name)}\b", line) is not None
    return re.match(rf"//(?:go:linkname|export)\s.*\b{re.escape(name)}\b", line) is not None


_PROGRAM = re.compile(rb"^package[ \t]+main\b", re.MULTILINE)


def _reach(declared: Declared) -> Reach:
    """Tell from where a name is seen, by https://go.dev/ref/spec#Exported_identifiers and what can be imported.

    Nothing imports a program or a test, of whose package only its folder is seen. A member is reached through values
    that any package hands on.
    """
    seen = declared.name[0].isupper() and not declared.path.endswith("_test.go")
    if not seen or _PROGRAM.search(declared.content) is not None:
        return Reach.Folder
    return Reach.Anywhere if declared.around else Reach.Importing


_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_METHOD = re.compile(r"(?:func\s*\([^)]*\)\s*)?\w+\s*(?=\()")


def _stands_for(one: str, other: str) -> bool:
    """Tell whether two methods take and give as many values; their types may be spelled in two ways."""
    return _shape(one) == _shape(other)


def _shape(signature: str) -> tuple[int, int]:
    """Return how many values a method takes, and how many it gives."""
    plain = _COMMENT.sub(" ", signature)
    head = _METHOD.match(plain)
    taken, rest = _listed(plain[head.end() :] if head is not None else plain)
    given = rest.strip().removesuffix("{").strip()
    return taken, _listed(given)[0] if given.startswith("(") else bool(given)


def _listed(text_: str) -> tuple[int, str]:
    """Return how many things a list in parentheses has, with which a text begins, and what is behind it."""
    depth, found, empty = 0, 0, True
    for at, sign in enumerate(text_):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth:
            return found + (not empty), text_[at + 1 :]
        if sign == "," and depth == 1:
            found, empty = found + 1, True
        elif at and not sign.isspace():
            empty = False
    return found + (not empty), ""


_KEYWORDS = frozenset(
    (
        "break case chan const continue default defer else fallthrough for func go goto if import interface map "
        "package range return select struct switch type var"
    ).split()
)

LANGUAGE = Language(
    name="go",
    extensions=(".go",),
    grammar=("tree_sitter_go", "language"),
    definitions={
        "type_spec": Defines(_type_kind, name=_names, body=_members, bases=_bases, generics=_generics),
        "type_alias": Defines(SymbolKind.Class, name=_names, body=fields(), type=_type, generics=_generics),
        "field_declaration": Defines(
            SymbolKind.Field, name=_names, body=_members, type=_field_type, bases=_field_bases
        ),
        "method_elem": Defines(SymbolKind.Method, parameters=_PARAMETERS, body=fields(), type=_result),
        "function_declaration": Defines(
            SymbolKind.Function,
            name=_names,
            parameters=_PARAMETERS,
            type=_result,
            takes=_takes,
        ),
        "method_declaration": Defines(
            SymbolKind.Method,
            name=_names,
            parameters=_PARAMETERS,
            container=_receiver,
            type=_result,
            generics=_receiver_names,
        ),
        "const_spec": Defines(SymbolKind.Constant, name=_names, body=fields(), type=_constant_type, made=_constant),
        "var_spec": Defines(SymbolKind.Variable, name=_names, body=fields(), type=_type, made=_initialized),
    },
    through=frozenset(
        "import_declaration import_spec_list type_declaration const_declaration var_declaration var_spec_list".split()
    ),
    module=module_of_folder,
    lexis=lexing.GO,
    keywords=_KEYWORDS,
    renames=_renames,
    reach=_reach,
    bound=_bound,
    bodies=_bodies,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "type_identifier", "field_identifier", "package_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "function_declaration": ScopeKind.Function,
            "method_declaration": ScopeKind.Function,
            "func_literal": ScopeKind.Function,
            "function_type": ScopeKind.Function,
            "method_elem": ScopeKind.Function,
            "type_spec": ScopeKind.Block,
            "type_alias": ScopeKind.Block,
            "field_declaration_list": ScopeKind.Class,
            "interface_type": ScopeKind.Class,
            "field_declaration": ScopeKind.Block,
            "block": ScopeKind.Block,
            "if_statement": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "expression_switch_statement": ScopeKind.Block,
            "type_switch_statement": ScopeKind.Block,
            "expression_case": ScopeKind.Block,
            "type_case": ScopeKind.Block,
            "default_case": ScopeKind.Block,
            "communication_case": ScopeKind.Block,
        },
        binds={
            "parameter_declaration": Binds(fields("name"), type=_type),
            "variadic_parameter_declaration": Binds(fields("name"), type=lambda node: node),
            "type_parameter_declaration": Binds(fields("name"), type=_constraint, types=True),
            "method_declaration": Binds(_receiver_parameters, types=True),
            "type_spec": Binds(fields("name"), type=_type),
            "field_declaration": Binds(_embedded, type=_type, member=True),
            "const_spec": Binds(fields("name"), type=_constant_type, made=_constant, after=True),
            "var_spec": Binds(fields("name"), type=_type, made=_initialized, after=True),
            "short_var_declaration": Binds(fields("left"), made=_assigned, after=True, redeclares=True),
            "range_clause": Binds(_declared, made=_ranged, after=True),
            "receive_statement": Binds(_declared, made=_assigned, after=True),
            "type_conversion_expression": Binds(fields(), reads=_perhaps_read, calls=_perhaps_called),
            "index_expression": Binds(fields(), calls=_at_index_called),
            "type_case": Binds(_alias, type=_case_type, made=_switched, again=True, around=True),
            "default_case": Binds(_alias, made=_switched, again=True, around=True),
        },
        members={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
        roles={
            ("call_expression", "function"): Role.Call,
            ("call_expression", "arguments"): Role.Read,
            ("assignment_statement", "left"): Role.Write,
            ("inc_statement", ""): Role.Write,
            ("dec_statement", ""): Role.Write,
            ("index_expression", "index"): Role.Read,
            ("keyed_element", "key"): Role.Other,
        },
        hidden=hidden_types.go,
        imports={"import_spec": _import},
        exports=_exported_package,
        packaged=True,
        locate=_locate,
        structural=True,
        shared=lambda name: name[0].isupper(),
        stands_for=_stands_for,
        shallow=True,
        scattered=True,
        siblings=_siblings,
        scatters=_beside,
        variants=True,
        anonymous={"field_declaration_list": _embeds, "interface_type": _embeds},
        written=True,
        this=frozenset({_OBJECT}),
        library=_library(),
        standard="sync/atomic",
        holders=frozenset({"Pointer"}),
        collections=_OF_HOLDERS,
        terms=_TERMS,
        fills={
            "composite_literal": _keys,
            "type_switch_statement": _switch_name,
            "package_clause": _package_name,
            "struct_type": _inline_members,
            "interface_type": _inline_members,
        },
        predeclared=_PREDECLARED,
        at_once=True,
        types_apart=True,
        class_visible=False,
        spreads=True,
        keys=frozenset(
            {
                ("package_clause", ""),
                ("keyed_element", "key"),
                ("field_declaration", "name"),
                ("method_elem", "name"),
                ("method_declaration", "name"),
            }
        ),
        opaque=frozenset({"index_expression", "call_expression", "unary_expression", "parenthesized_expression"}),
    ),
)
