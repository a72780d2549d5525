"""PHP: https://www.php.net/manual/en/langref.php."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing, reach, terms
from leadline_tools.languages.branches import (
    Branches,
    Connective,
    branched,
    chosen,
    connected,
    deciding,
    negated,
    repeated,
)
from leadline_tools.languages.hosts import templates as template_regions
from leadline_tools.languages.language import (
    MEMBERS,
    Binds,
    Defines,
    ImplicitCall,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    Written,
    fields,
    no_module,
    text,
)
from leadline_tools.languages.terms import BARE, COLLECTION, TOP, UNKNOWN, Spell, Spelling, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_SOURCE_ROOTS = ("src", "lib")


def _fragment(content: bytes) -> str:
    """Return ``php`` for a file that opens its tag."""
    return "php" if b"<?php" in content or b"<?=" in content else ""


def _dotted(name: Node | None) -> str:
    return text(name).strip("\\").replace("\\", ".")


def _bare(variable: Node | None) -> Sequence[Node]:
    """Return the name in a variable, without the dollar: so properties are spelled where they are used."""
    return variable.named_children[:1] if variable is not None else ()


def _constants(node: Node) -> Sequence[Node]:
    return [name for child in node.named_children if child.type == "const_element" for name in child.named_children[:1]]


def _properties(node: Node) -> Sequence[Node]:
    elements = [child for child in node.named_children if child.type == "property_element"]
    return [name for element in elements for name in _bare(element.child_by_field_name("name"))]


def _declared_type(node: Node) -> Node | None:
    """Return the type that a parameter or property is declared to be of; that of a variadic one is its elements'."""
    return None if node.type == "variadic_parameter" else node.child_by_field_name("type")


def _method_kind(node: Node) -> SymbolKind:
    constructs = text(node.child_by_field_name("name")).lower() == "__construct"
    return SymbolKind.Constructor if constructs else SymbolKind.Method


def _defined_constant(node: Node) -> Sequence[Node]:
    """Return the literal name in ``define('NAME', value)``."""
    if text(node.child_by_field_name("function")).lower() != "define":
        return ()
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    string = first.named_children[0] if first is not None and first.named_children else None
    return string.named_children[:1] if string is not None and string.type in ("string", "encapsed_string") else ()


def _call_kind(node: Node) -> SymbolKind | None:
    return SymbolKind.Constant if _defined_constant(node) else None


def _assigned(node: Node) -> Sequence[Node]:
    left = node.child_by_field_name("left")
    return (left,) if left is not None and left.type == "variable_name" else ()


def _written(node: Node) -> Sequence[Node]:
    """Return what an assignment gives a value; a static property has to be declared, no assignment does."""
    left = node.child_by_field_name("left")
    return (left,) if left is not None and left.type != "scoped_property_access_expression" else ()


def _iterated(node: Node) -> Sequence[Node]:
    """Return what ``foreach (a as k => v)`` binds: what stands between the iterated and the body."""
    body = node.child_by_field_name("body")
    return [child for child in node.named_children[1:] if child != body]


def _used(node: Node) -> Iterator[Imported]:
    """Read the clauses of a ``use``, grouped or not, with or without ``as``."""
    prefix = next((_dotted(child) for child in node.named_children if child.type == "namespace_name"), "")
    group = node.child_by_field_name("body")
    for clause in (group or node).named_children:
        if clause.type != "namespace_use_clause" or not clause.named_children:
            continue
        path = ".".join(filter(None, (prefix, _dotted(clause.named_children[0]))))
        space, _, name = path.rpartition(".")
        alias = text(clause.child_by_field_name("alias")) or name
        yield Imported(space, name, alias, space=space)


def _included(node: Node) -> Iterator[Imported]:
    """Read ``require 'a.php'`` and ``require __DIR__ . '/a.php'``; any other path is known only when it runs."""
    path = node.named_children[0] if node.named_children else None
    here = ""
    if path is not None and path.type == "binary_expression":
        if text(path.child_by_field_name("left")) != "__DIR__":
            return
        here, path = ".", path.child_by_field_name("right")
    if path is not None and path.type in ("string", "encapsed_string") and path.named_child_count == 1:
        yield Imported(f"{here}{text(path.named_children[0])}", "*", "")


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    if "/" in module or module.endswith(".php"):
        return _file(module, importer, paths)
    return _namespace_files(module, paths) or None


def _file(path: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of an include: beside the includer, from the root, or the only one that ends so."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))
    for form in (beside, posixpath.normpath(path)):
        if paths.exists(form):
            return (form,)
    found = paths.ending(path) if not path.startswith(".") else ()
    return found if len(found) == 1 else ()


def _namespace_files(module: str, paths: Paths) -> Sequence[str]:
    """Return where a namespace may lie: folders are named like it. What is found there tells its namespace."""
    parts = module.split(".")
    folders = dict.fromkeys(("/".join(parts), parts[-1], parts[-1].lower(), *_SOURCE_ROOTS) if module else ())
    found = dict.fromkeys(path for folder in folders for path in paths.inside(folder) if path.endswith(".php"))
    return list(found)


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside: they mostly share the namespace, and tell it."""
    return [other for other in paths.inside(path.rpartition("/")[0]) if other.endswith(".php") and other != path]


def _pair(node: Node) -> Sequence[Node | None]:
    """Read ``A::B``, whose parts the grammar does not name."""
    parts = node.named_children
    return (parts[0], parts[1]) if len(parts) > 1 else (None, None)


def _qualified(node: Node) -> Sequence[Node | None]:
    r"""Read ``A\B``; what ``\A\B`` and ``\A`` name is not looked for in a namespace around."""
    space = next((child for child in node.named_children if child.type == "namespace_name"), None)
    return (space, _last_name(node)) if space is not None and not _is_absolute(node) else (None,)


def _at_top(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    r"""Yield the name in ``\A\B`` and ``\A``, with the namespace that has it."""
    name = _last_name(node)
    if name is not None and _is_absolute(node):
        yield name, _absolute(node).rpartition(".")[0]


def _last_name(node: Node) -> Node | None:
    return next((child for child in reversed(node.named_children) if child.type == "name"), None)


def _is_absolute(name: Node) -> bool:
    return text(name).startswith("\\")


def _absolute(name: Node) -> str:
    r"""Spell a name by its parts, ``\A`` as one outside of all namespaces."""
    return f"{TOP}.{_dotted(name)}" if _is_absolute(name) else _dotted(name)


def _spaces(node: Node) -> Sequence[Node | None]:
    return node.named_children or (None,)


# --- What types and values are spelled like


def _path(node: Node, _spell: Spell) -> str:
    return _absolute(node)


def _either(field: str) -> Spelling:
    """Spell a node as any of those in a field of its children."""
    return lambda node, spell: either(spell(child.child_by_field_name(field)) for child in node.named_children)


def _call_of(field: str) -> Spelling:
    """Spell a call of a method of what is in a field."""

    def called(node: Node, spell: Spell) -> str:
        name = node.child_by_field_name("name")
        owner = spell(node.child_by_field_name(field))
        return then(owner, f".{text(name)}()") if name is not None and name.type == "name" else UNKNOWN

    return called


def _static(node: Node, spell: Spell) -> str:
    """Spell ``A::$name``."""
    name = next((text(name) for name in _bare(node.child_by_field_name("name"))), "")
    return then(spell(node.child_by_field_name("scope")), f".{name}") if name else UNKNOWN


def _created(node: Node, spell: Spell) -> str:
    """Spell ``new A``; an object of an anonymous class is one of what that inherits from."""
    made = next((child for child in node.named_children if child.type != "attribute_list"), None)
    if made is not None and made.type == "anonymous_class":
        return either(object_of(base) for base in _bases(made, spell))
    return object_of(spell(made))


_ITSELF = "self"
_CONSTRUCT, _INVOKE = "__construct", "__invoke"


def _constructing_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield ``new``, which calls the constructor of a class: its own or an inherited one."""
    made = next((child for child in node.named_children if child.type != "attribute_list"), None)
    if made is None or node.children[0].type != "new":
        return
    methods = [one for body in made.children_by_field_name("body") for one in body.named_children]
    if all(text(one.child_by_field_name("name")) != _CONSTRUCT for one in methods):
        yield ImplicitCall(node.children[0], _CONSTRUCT, _created(node, spell))


def _invoking_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis behind a variable: https://www.php.net/manual/en/language.oop5.magic.php#object.invoke."""
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is not None and called.type == "variable_name" and listed is not None and listed.children:
        yield ImplicitCall(listed.children[0], _INVOKE, spell(called))


_SIGNS = {_CONSTRUCT: ("new",), _INVOKE: ("(",)}


def _chosen(node: Node, spell: Spell) -> str:
    """Spell ``a ? b : c`` and ``a ?: c``."""
    chosen = node.child_by_field_name("body") or node.child_by_field_name("condition")
    return either((spell(chosen), spell(node.child_by_field_name("alternative"))))


def _spare(node: Node, spell: Spell) -> str:
    """Spell ``a ?? b``; the results of other operators are not known."""
    if text(node.child_by_field_name("operator")) != "??":
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _array(node: Node, spell: Spell) -> str:
    """Spell an array as a collection of what it holds."""
    elements = [child.named_children[-1] for child in node.named_children if child.named_children]
    return object_of(terms.applied(COLLECTION, [either(map(spell, elements))]))


def _given(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable or the variables on the left what is on the right."""
    target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    if target is not None:
        yield from _parted(target, value, spell(value), spell)


def _parted(target: Node, value: Node | None, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each variable of a list with the element that it takes; keys may tell another one."""
    if target.type not in ("list_literal", "array_creation_expression"):
        yield target, term
        return
    if any(not child.is_named and child.type == "=>" for child in target.children):
        return
    whole = value is not None and value.type == "array_creation_expression"
    parts = value.named_children if value is not None and whole else ()
    for i, child in enumerate(target.named_children):
        part = parts[i].named_children[-1] if i < len(parts) and parts[i].named_children else None
        yield from _parted(child, part, spell(part) if part is not None else then(term, "[]"), spell)


def _each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a loop an element of what is looped over."""
    term = then(spell(node.named_children[0]), "[]")
    for target in _iterated(node):
        yield (target.named_children[-1] if target.type == "pair" else target), term


def _caught(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    name, types = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is not None and types is not None:
        yield name, either(object_of(spell(one)) for one in types.named_children)


def _variadic(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, object_of(terms.applied(COLLECTION, [spell(node.child_by_field_name("type"))]))


def _constant_values(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    for child in node.named_children:
        if child.type == "const_element":
            yield child.named_children[0], spell(child.named_children[-1])


def _result(node: Node) -> Node | None:
    return node.child_by_field_name("return_type")


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the traits that a class uses, which come before what it extends, and that before what it implements."""
    body = node.child_by_field_name("body")
    used = [child for child in body.named_children if child.type == "use_declaration"] if body is not None else []
    extended = [child for child in node.named_children if child.type in ("base_clause", "class_interface_clause")]
    for listed in (*used, *extended):
        yield from (spell(child) for child in listed.named_children if child.type in ("name", "qualified_name"))


def _used_traits(clause: Node, spell: Spell) -> str:
    """Spell the traits that the statement around a clause uses."""
    around = clause.parent.parent if clause.parent is not None else None
    used = around.named_children if around is not None else ()
    return either(spell(one) for one in used if one.type in ("name", "qualified_name"))


def _member_of_trait(clause: Node, spell: Spell) -> tuple[str, Node | None]:
    """Return the trait that a clause names, or all that are used, and the name of the method."""
    first = clause.named_children[0] if clause.named_children else None
    if first is None or first.type != "class_constant_access_expression":
        return _used_traits(clause, spell), first if first is not None and first.type == "name" else None
    trait, method = _pair(first)
    return spell(trait), method


def _alias_of_method(clause: Node) -> Node | None:
    """Return the new name in ``m as n`` and ``m as private n``; none where only the visibility changes."""
    last = clause.named_children[-1] if clause.named_child_count > 1 else None
    return last if last is not None and last.type == "name" else None


def _chosen_method(clause: Node, spell: Spell) -> Iterator[Imported]:
    """Yield the method in ``A::m insteadof B``: https://www.php.net/manual/en/language.oop5.traits.php."""
    trait, method = _member_of_trait(clause, spell)
    if method is not None:
        yield Imported(trait, text(method), text(method), space=MEMBERS)


def _aliased_method(clause: Node, spell: Spell) -> Iterator[Imported]:
    """Yield the method that a class has under another name too."""
    trait, method = _member_of_trait(clause, spell)
    alias = _alias_of_method(clause)
    if method is not None and alias is not None:
        yield Imported(trait, text(method), text(alias), space=MEMBERS)


def _names_of_methods(clause: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names in ``m as n``: the one is a member of a trait, the other of the class."""
    trait, method = _member_of_trait(clause, spell)
    alias = _alias_of_method(clause)
    if method is not None and method.parent == clause:
        yield method, trait
    if alias is not None:
        yield alias, _ITSELF


def _enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a case belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def _instance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``$name instanceof Type`` tells."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None and left.type in _NARROWED and operator is not None and operator.type == "instanceof":
        yield text(left), object_of(spell(node.child_by_field_name("right")))


_NARROWED = frozenset({"variable_name", "member_access_expression", "subscript_expression"})
_LEAVES = frozenset({"return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement"})
_CONNECTED = connected(
    {"&&": Connective.Both, "and": Connective.Both, "||": Connective.Either, "or": Connective.Either}
)
_BRANCHES = Branches(
    decides={
        **dict.fromkeys(("if_statement", "else_if_clause"), branched(_LEAVES, "else_if_clause", "body")),
        "while_statement": repeated,
        "conditional_expression": chosen("body", "alternative"),
        "binary_expression": deciding(_CONNECTED),
    },
    joins={
        "binary_expression": _CONNECTED,
        "unary_op_expression": negated,
        "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[:1]),
    },
    tests={"binary_expression": _instance},
    gives={"assignment_expression": "left"},
)


def _static_property(node: Node) -> Iterator[Written]:
    """Yield the name in ``A::$name`` without its dollar: so the property is declared."""
    scope = node.child_by_field_name("scope")
    for name in _bare(node.child_by_field_name("name")):
        if scope is not None and scope.type in ("name", "qualified_name", "relative_scope"):
            yield Written(name.start_byte, text(name), Role.Read, _absolute(scope))


def _declared_property(node: Node) -> Iterator[Written]:
    """Yield the name that a property is declared by, without its dollar."""
    for name in _bare(node.child_by_field_name("name")):
        yield Written(name.start_byte, text(name), Role.Definition, BARE)


_TERMS = {
    "array_creation_expression": _array,
    "assignment_expression": terms.same("right"),
    "binary_expression": _spare,
    "clone_expression": terms.same(),
    "conditional_expression": _chosen,
    "function_call_expression": terms.stepped("function", "()"),
    "match_block": _either("return_expression"),
    "match_expression": terms.same("body"),
    "member_call_expression": _call_of("object"),
    "named_type": terms.same(),
    "nullsafe_member_call_expression": _call_of("object"),
    "object_creation_expression": _created,
    "optional_type": terms.same(),
    "parenthesized_expression": terms.same(),
    "qualified_name": _path,
    "scoped_call_expression": _call_of("scope"),
    "scoped_property_access_expression": _static,
    "subscript_expression": terms.stepped("", "[]"),
    "union_type": terms.one_of(),
    "intersection_type": terms.one_of(),
}


_PARAMETERS = fields("parameters")
_CLASS = Defines(SymbolKind.Class, bases=_bases)

_KEYWORDS = frozenset(
    (
        "__halt_compiler abstract and array as break callable case catch class clone const continue declare default "
        "die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends "
        "final finally fn for foreach function global goto if implements include include_once instanceof insteadof "
        "interface isset list match namespace new or print private protected public readonly require require_once "
        "return static switch this throw trait try unset use var while xor yield"
    ).split()
)


def _reach(declared: reach.Declared) -> reach.Reach:
    """Tell of a symbol by its modifiers; what is private in a trait is so in each class that uses it."""
    return reach.Reach.Anywhere if declared.around.startswith("trait") else reach.private_member(declared)


_COMPUTED = re.compile(r"""\$this->(?:\$|\{\s*(?:["'](?P<head>[^"'${\n]*))?)""")

LANGUAGE = Language(
    name="php",
    extensions=(".php", ".phtml"),
    fragments=(".inc",),
    fragment=_fragment,
    grammar=("tree_sitter_php", "language_php"),
    interpreters=("php",),
    regions=template_regions.blade,
    definitions={
        "namespace_definition": Defines(
            SymbolKind.Namespace,
            spell=_dotted,
            rest=True,
            emits=lambda node: node.child_by_field_name("name") is not None,
        ),
        "class_declaration": _CLASS,
        "trait_declaration": _CLASS,
        "interface_declaration": Defines(SymbolKind.Interface, bases=_bases),
        "enum_declaration": Defines(SymbolKind.Enum, bases=_bases),
        "enum_case": Defines(SymbolKind.EnumMember, body=fields(), type=_enumeration),
        "const_declaration": Defines(SymbolKind.Constant, name=_constants, body=fields(), made=_constant_values),
        "property_declaration": Defines(SymbolKind.Property, name=_properties, body=fields(), type=_declared_type),
        "property_promotion_parameter": Defines(
            SymbolKind.Property,
            name=lambda node: _bare(node.child_by_field_name("name")),
            body=fields(),
            type=_declared_type,
            outer=True,
        ),
        "method_declaration": Defines(_method_kind, parameters=_PARAMETERS, head=_PARAMETERS, type=_result),
        "function_definition": Defines(SymbolKind.Function, parameters=_PARAMETERS, type=_result),
        "function_call_expression": Defines(_call_kind, name=_defined_constant, body=fields(), top=True),
        "assignment_expression": Defines(SymbolKind.Variable, name=_assigned, body=fields(), made=_given),
    },
    through=frozenset(
        "expression_statement if_statement else_clause else_if_clause compound_statement colon_block"
        " try_statement".split()
    ),
    decorations=frozenset({"attribute_list"}),
    module=no_module,
    sigil=True,
    lexis=lexing.PHP,
    computed=_COMPUTED,
    keywords=_KEYWORDS,
    reach=_reach,
    scoping=Scoping(
        identifiers=frozenset({"name", "variable_name"}),
        scopes={
            "namespace_definition": ScopeKind.Namespace,
            "class_declaration": ScopeKind.Class,
            "trait_declaration": ScopeKind.Class,
            "interface_declaration": ScopeKind.Class,
            "enum_declaration": ScopeKind.Class,
            "anonymous_class": ScopeKind.Class,
            "method_declaration": ScopeKind.Function,
            "function_definition": ScopeKind.Function,
            "anonymous_function": ScopeKind.Function,
            "arrow_function": ScopeKind.Function,
            "property_hook": ScopeKind.Function,
        },
        binds={
            "simple_parameter": Binds(fields("name"), type=_declared_type),
            "variadic_parameter": Binds(fields("name"), made=_variadic),
            "property_promotion_parameter": Binds(fields("name"), type=_declared_type),
            "assignment_expression": Binds(_written, hoists=True, made=_given),
            "reference_assignment_expression": Binds(_written, hoists=True, made=_given),
            "foreach_statement": Binds(_iterated, hoists=True, made=_each),
            "catch_clause": Binds(fields("name"), hoists=True, made=_caught),
            "static_variable_declaration": Binds(fields("name"), hoists=True),
            "global_declaration": Binds(lambda node: node.named_children, hoists=True),
        },
        members={
            "member_access_expression": ("object", "name"),
            "nullsafe_member_access_expression": ("object", "name"),
            "member_call_expression": ("object", "name"),
            "nullsafe_member_call_expression": ("object", "name"),
            "scoped_call_expression": ("scope", "name"),
            "scoped_property_access_expression": ("scope", "name"),
            "class_constant_access_expression": _pair,
            "qualified_name": _qualified,
            "namespace_name": _spaces,
        },
        roles={
            ("function_call_expression", "function"): Role.Call,
            ("member_call_expression", "name"): Role.Call,
            ("nullsafe_member_call_expression", "name"): Role.Call,
            ("scoped_call_expression", "name"): Role.Call,
            ("object_creation_expression", ""): Role.Call,
            ("named_type", ""): Role.Type,
            ("base_clause", ""): Role.Inherit,
            ("class_interface_clause", ""): Role.Inherit,
            ("use_declaration", ""): Role.Inherit,
            ("attribute", ""): Role.Decorator,
            ("arguments", ""): Role.Read,
            ("assignment_expression", "left"): Role.Write,
            ("reference_assignment_expression", "left"): Role.Write,
            ("augmented_assignment_expression", "left"): Role.Write,
            ("update_expression", "argument"): Role.Write,
        },
        hidden=hidden_types.php,
        imports={
            "namespace_use_declaration": _used,
            "require_expression": _included,
            "require_once_expression": _included,
            "include_expression": _included,
            "include_once_expression": _included,
        },
        implicit_calls={"object_creation_expression": _constructing_sign, "function_call_expression": _invoking_sign},
        implicit_call_tokens=lambda method: _SIGNS.get(method, ()),
        locate=_locate,
        siblings=_siblings,
        spaced=True,
        passes_on=True,
        autoloads=lambda name: not name.startswith("$"),
        takes={"use_as_clause": _aliased_method, "use_instead_of_clause": _chosen_method},
        fills={"use_as_clause": _names_of_methods, "qualified_name": _at_top},
        this=frozenset({"$this", _ITSELF, "static"}),
        above=frozenset({"parent"}),
        attributes=True,
        terms=_TERMS,
        returns={"return_statement": terms.same()},
        branches=_BRANCHES,
        anonymous={"anonymous_class": _bases},
        texts={
            "scoped_property_access_expression": _static_property,
            "property_element": _declared_property,
            "property_promotion_parameter": _declared_property,
        },
        closed=True,
        aliasing=frozenset({"class_alias"}),
        fields_apart=True,
        class_visible=False,
        keys=frozenset({("argument", "name"), ("property_element", "name")}),
        arguments={"argument": lambda node: node.child_by_field_name("name")},
        opaque=frozenset({"subscript_expression", "function_call_expression"}),
        globals=frozenset({"global_declaration"}),
    ),
)
