"""Scala: https://docs.scala-lang.org/scala3/reference/, and https://scala-lang.org/files/archive/spec/2.13/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing, reach, terms
from leadline_tools.languages.language import (
    PACKAGE,
    Binds,
    Defines,
    ImplicitCall,
    Imported,
    Language,
    Nodes,
    Paths,
    ScopeKind,
    Scoping,
    Written,
    fields,
    module_of_folder,
    text,
)
from leadline_tools.languages.scala import prelude as scala_prelude
from leadline_tools.languages.terms import BARE, FUNCTION, TUPLE, UNKNOWN, Spell, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_SOURCES = (".scala", ".java")
_STABLE = frozenset({"stable_identifier", "type_arguments", "interpolated_string_expression"})
_NAMES = frozenset({"identifier", "identifiers"})


def _of(*types: str) -> Nodes:
    """Return a function that gives the children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in types]

    return children


def _function_kind(node: Node) -> SymbolKind:
    return SymbolKind.Constructor if text(node.child_by_field_name("name")) == "this" else SymbolKind.Function


def _parameters(node: Node) -> Sequence[Node]:
    return [child for child in node.children_by_field_name("parameters") if child.type == "parameters"]


def _parameter_kind(node: Node) -> SymbolKind:
    return SymbolKind.Property if _of("val", "var")(node) else SymbolKind.Field


def _of_case_class(around: Node, kind: SymbolKind) -> SymbolKind | None:
    """Tell the parameters of a class that are its members: those with ``val``, and all of a case class."""
    case = around.type == "full_enum_case" or bool(_of("case")(around))
    return SymbolKind.Property if case or kind is SymbolKind.Property else None


def _extensions(node: Node) -> Sequence[Node]:
    """Return what holds the methods: the extension itself, or the braces in it."""
    return [body for body in node.children_by_field_name("body") if body.type == "template_body"] or (node,)


def _amends(node: Node, spell: Spell) -> str:
    """Return the type that a method is a member of besides: that of an extension, or of what its class is made of.

    https://docs.scala-lang.org/scala3/reference/contextual/extension-methods.html,
    https://docs.scala-lang.org/overviews/core/implicit-classes.html
    """
    around = node.parent
    if around is not None and around.type == "template_body":
        around = around.parent
    if around is None or around.type not in ("extension_definition", "class_definition"):
        return ""
    listed = around.child_by_field_name("parameters" if around.type == "extension_definition" else "class_parameters")
    if listed is None or (around.type == "class_definition" and not _is_implicit(around)):
        return ""
    first = next((one for one in listed.named_children if one.type in ("parameter", "class_parameter")), None)
    return spell(_type(first)) if first is not None else ""


def _is_implicit(node: Node) -> bool:
    return any(child.type == "implicit" for modifiers in _of("modifiers")(node) for child in modifiers.children)


def _variables(pattern: Node | None) -> Iterator[Node]:
    """Yield the variables of a pattern: the names that begin in lower case."""
    stack = [] if pattern is None else [pattern]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            if text(node)[:1].islower() or text(node)[:1] == "_":
                yield node
        elif node.type not in _STABLE:
            first = 1 if node.type == "named_pattern" else 0
            skipped = {child.id for child in (*fields("type", "operator")(node), *node.named_children[:first])}
            stack.extend(child for child in node.named_children if child.id not in skipped)


def _declared(node: Node) -> Sequence[Node]:
    """Return what ``val`` and ``var`` declare: plain names, or the variables of a pattern."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None:
        return [name for name in node.children_by_field_name("name") if name.type == "identifier"]
    if pattern.type == "identifier":
        return (pattern,)
    if pattern.type == "identifiers":
        return [name for name in pattern.named_children if name.type == "identifier"]
    return sorted(_variables(pattern), key=lambda name: name.start_byte)


def _type(node: Node) -> Node | None:
    return node.child_by_field_name("type")


def _result(node: Node) -> Node | None:
    return node.child_by_field_name("return_type")


def _lambda(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("parameters") if name.type == "identifier"]


def _enumerated(node: Node) -> Sequence[Node]:
    """Return what ``p <- xs`` and ``p = x`` bind."""
    pattern = next(iter(node.named_children), None)
    return () if pattern is None or pattern.type == "guard" else list(_variables(pattern))


def _matched(node: Node) -> Sequence[Node]:
    return list(_variables(node.child_by_field_name("pattern")))


def _named_arguments(node: Node) -> Sequence[Node | None]:
    """Return the names of arguments as members of what is called, which nobody knows here."""
    assigned = (child.child_by_field_name("left") for child in _of("assignment_expression")(node))
    return (None, *(name for name in assigned if name is not None and name.type == "identifier"))


def _argued(node: Node) -> Node | None:
    """Return the name of an argument; any other assignment has none."""
    left = node.child_by_field_name("left")
    listed = node.parent is not None and node.parent.type == "arguments"
    return left if listed and left is not None and left.type == "identifier" else None


# --- What types and values are spelled like


def _generic_type(node: Node, spell: Spell) -> str:
    arguments = [spell(argument) for listed in _of("type_arguments")(node) for argument in listed.named_children]
    return terms.applied(spell(_type(node)), arguments)


def _projected(node: Node, spell: Spell) -> str:
    return then(spell(_type(node)), f".{text(node.child_by_field_name('selector'))}")


def _infix_type(node: Node, spell: Spell) -> str:
    """Spell ``A | B`` and ``A & B``: their members are those of either, as far as is told here."""
    if text(node.child_by_field_name("operator")) not in ("|", "&"):
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _function_type(node: Node, spell: Spell) -> str:
    taken = node.child_by_field_name("parameter_types")
    parameters = [spell(one) for one in taken.named_children] if taken is not None else []
    return terms.applied(FUNCTION, [spell(_result(node)), *parameters])


def _repeated(node: Node, spell: Spell) -> str:
    return terms.applied("Seq", [spell(_type(node))])


def _tuple_type(node: Node, spell: Spell) -> str:
    return terms.applied(TUPLE, map(spell, node.named_children))


def _tuple(node: Node, spell: Spell) -> str:
    return object_of(terms.applied(TUPLE, map(spell, node.named_children)))


def _field(node: Node, spell: Spell) -> str:
    """Spell ``a.b``; ``A.this`` is an object of the class around."""
    owner, name = spell(node.child_by_field_name("value")), text(node.child_by_field_name("field"))
    return object_of(owner) if name == "this" else then(owner, f".{name}")


def _applied(node: Node, spell: Spell) -> str:
    """Spell what is given type arguments; a cast gives an object of its argument, and so does ``super[A]``."""
    function = node.child_by_field_name("function")
    arguments = [spell(argument) for listed in _of("type_arguments")(node) for argument in listed.named_children]
    named = function.child_by_field_name("field") if function is not None else None
    if arguments and (text(named) == "asInstanceOf" or text(function) == "super"):
        return object_of(arguments[0])
    return terms.applied(spell(function), arguments)


def _created(node: Node, spell: Spell) -> str:
    return object_of(spell(_made_of(node)))


def _made_of(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type not in ("arguments", "template_body")), None)


def _matching(node: Node, spell: Spell) -> str:
    """Spell a match as the value of any of its cases."""
    body = node.child_by_field_name("body")
    return either(spell(case.child_by_field_name("body")) for case in _of("case_clause")(body)) if body else UNKNOWN


def _ascribed(node: Node, spell: Spell) -> str:
    """Spell ``a: A`` in the place of a value."""
    return object_of(spell(node.named_children[-1]))


def _new_last(node: Node, spell: Spell) -> str:
    """Spell a block that ends in a new object; any other value may depend on what is declared in the block."""
    last = node.named_children[-1] if node.named_children else None
    return spell(last) if last is not None and last.type == "instance_expression" else UNKNOWN


def _given(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of a declaration its value."""
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        yield from _parted(pattern, spell(node.child_by_field_name("value")))


def _parted(pattern: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield each variable of a pattern with the part of the value that it takes."""
    if pattern.type in _NAMES:
        names = pattern.named_children if pattern.type == "identifiers" else [pattern]
        yield from ((name, term) for name in names)
    elif pattern.type == "tuple_pattern":
        for i, child in enumerate(pattern.named_children):
            yield from _parted(child, then(term, f"#{i}"))


def _each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what ``p <- xs`` and ``p = x`` bind an element or the value."""
    named = node.named_children
    if len(named) > 1 and named[0].type != "guard":
        term = spell(named[1])
        yield from _parted(named[0], then(term, "*") if _of("<-")(node) else term)


def _cased(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of ``case name: Type`` an object of that, wherever in the pattern they stand."""
    pattern = node.child_by_field_name("pattern")
    stack = [pattern] if pattern is not None else []
    while stack:
        inner = stack.pop()
        if inner.type == "typed_pattern":
            declared = object_of(spell(_type(inner)))
            yield from ((name, declared) for name in _variables(inner.child_by_field_name("pattern")))
        else:
            stack.extend(inner.named_children)


def _itself(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name that a class calls its own object an object of the class, and of the type that it has to have."""
    name, *declared = node.named_children
    yield name, either(("this", *(object_of(spell(one)) for one in declared)))


def _returned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a function the value of its body."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None and body is not None:
        yield name, spell(body)


def _is_getter(node: Node) -> bool:
    """Tell that a method without a list of parameters is read like a variable."""
    return not _parameters(node)


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    for clause in node.children_by_field_name("extend"):
        yield from (spell(kind) for kind in clause.children_by_field_name("type") if kind.is_named)


def _given_bases(node: Node, spell: Spell) -> Iterator[str]:
    yield from (spell(kind) for kind in node.children_by_field_name("return_type") if kind.is_named)


def _enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a case belongs to."""
    around = node.parent
    while around is not None and around.type != "enum_definition":
        around = around.parent
    return around.child_by_field_name("name") if around is not None else None


def _case_bases(node: Node, spell: Spell) -> Iterator[str]:
    yield spell(_enumeration(node))
    yield from _bases(node, spell)


def _anonymous(node: Node, spell: Spell) -> Iterator[str]:
    around = node.parent
    if around is not None and around.type == "instance_expression":
        made = _made_of(around)
        for part in made.named_children if made is not None and made.type == "compound_type" else [made]:
            applied = part is not None and part.type == "applied_constructor_type"
            yield spell(part.named_children[0] if part is not None and applied else part)


def _type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of type parameters; those with a variance stand deeper."""
    parameters = [node, *_of("covariant_type_parameter", "contravariant_type_parameter")(node)]
    names = [name for one in parameters for name in one.children_by_field_name("name")]
    return sorted(names, key=lambda name: name.start_byte)


def _generics(node: Node) -> Sequence[Node]:
    return [name for listed in _of("type_parameters")(node) for name in _type_parameters(listed)]


def _bounds(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter its upper bound, which stands behind it."""
    name: Node | None = None
    for child in node.named_children:
        if child.type == "upper_bound" and name is not None:
            yield name, object_of(spell(_type(child)))
        elif child.type.endswith("variant_type_parameter"):
            yield from _bounds(child, spell)
            name = child.child_by_field_name("name")
        elif child.type == "identifier":
            name = child


def _is(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``name.isInstanceOf[Type]`` tells."""
    function = node.child_by_field_name("function")
    named = function.child_by_field_name("value") if function is not None else None
    if named is None or function is None or named.type != "identifier":
        return
    if text(function.child_by_field_name("field")) == "isInstanceOf":
        yield from (
            (text(named), object_of(spell(one))) for a in _of("type_arguments")(node) for one in a.named_children
        )


def _infix(node: Node, spell: Spell) -> str:
    """Spell what an operation between two operands gives, which is a call of a method of one of them."""
    name, owner = node.child_by_field_name("operator"), _operated(node)
    return then(spell(owner), f".{text(name)}()") if name is not None and name.type == "identifier" else UNKNOWN


def _operated(node: Node) -> Node | None:
    """Return the operand whose method an operator is: the right one where it ends in a colon.

    https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#infix-operations
    """
    return node.child_by_field_name("right" if text(node.child_by_field_name("operator")).endswith(":") else "left")


def _operator(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an infix method as a member of its operand."""
    name = node.child_by_field_name("operator")
    if name is not None and name.type == "identifier":
        yield name, spell(_operated(node))


def _signed(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield an operator between two operands."""
    name = node.child_by_field_name("operator")
    if name is not None and name.type == "operator_identifier":
        yield ImplicitCall(name, text(name), spell(_operated(node)))


def _named_operator(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    name = node.child_by_field_name("field")
    if name is not None and name.type == "operator_identifier":
        yield ImplicitCall(name, text(name), spell(node.child_by_field_name("value")))


def _applying_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis behind a variable or an object, which is called like a function.

    https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#function-applications
    """
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is not None and called.type == "identifier" and listed is not None and listed.type == "arguments":
        name = text(called)
        yield ImplicitCall(listed.children[0], _APPLY, spell(called), "" if name[:1].isupper() else name)


_APPLY = "apply"

_TERMS = {
    "annotated_type": terms.same(),
    "ascription_expression": _ascribed,
    "block": _new_last,
    "call_expression": terms.stepped("function", "()"),
    "compound_type": terms.one_of(),
    "field_expression": _field,
    "function_type": _function_type,
    "generic_function": _applied,
    "generic_type": _generic_type,
    "if_expression": terms.one_of("consequence", "alternative"),
    "indented_block": _new_last,
    "infix_expression": _infix,
    "infix_type": _infix_type,
    "instance_expression": _created,
    "lazy_parameter_type": terms.same("type"),
    "match_expression": _matching,
    "parenthesized_expression": terms.same(),
    "projected_type": _projected,
    "repeated_parameter_type": _repeated,
    "tuple_expression": _tuple,
    "tuple_type": _tuple_type,
}


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b.C, d._`` and ``import a.{B, C => D, *}``."""
    path: list[str] = []
    for child in (*node.children[1:], None):
        if child is None or child.type == ",":
            if len(path) > 1:
                yield Imported(".".join(path[:-1]), path[-1], path[-1])
            path = []
        elif child.type == "identifier":
            path.append(text(child))
        elif child.type != ".":
            selectors = child.named_children if child.type == "namespace_selectors" else (child,)
            yield from (_selected(".".join(path), selector) for selector in selectors)
            path = []


def _selected(module: str, selector: Node) -> Imported:
    if selector.type == "namespace_wildcard":
        return Imported(module, "*", "")
    name = text(selector.child_by_field_name("name")) or text(selector)
    return Imported(module, name, text(selector.child_by_field_name("alias")) or name)


def _package_name(name: Node) -> str:
    """Return the whole name of the package of a clause, which may stand in others or behind them.

    https://scala-lang.org/files/archive/spec/2.13/09-top-level-definitions.html#packagings
    """
    parts = [text(part) for part in name.named_children]
    clause = name.parent
    while clause is not None:
        before = clause.prev_named_sibling
        while before is not None and not (before.type == "package_clause" and _bodiless(before)):
            before = before.prev_named_sibling
        around = clause.parent if before is None else before
        while around is not None and around.type != "package_clause":
            around = around.parent
        clause = around
        if clause is not None:
            named = clause.child_by_field_name("name")
            parts = [*(text(part) for part in (named.named_children if named is not None else ())), *parts]
    return ".".join(parts)


def _package_of_object(name: Node) -> str:
    """Return the whole name of the package whose object a package object is.

    https://scala-lang.org/files/archive/spec/2.13/09-top-level-definitions.html#package-objects
    """
    return ".".join(filter(None, (_package_name(name), text(name))))


def _bodiless(node: Node) -> bool:
    return node.child_by_field_name("body") is None


def _packages(root: Node) -> Iterator[Imported]:
    """Yield the packages that a file says it is in, or has the object of, the outermost first."""
    for clause in _of("package_clause", "package_object")(root):
        name = clause.child_by_field_name("name")
        if name is not None:
            package = _package_of_object(name) if clause.type == "package_object" else _package_name(name)
            yield Imported(package, "", PACKAGE, exports=True)


def _seen_as(module: str, packages: Sequence[str]) -> Sequence[str]:
    """Return the packages that a name may mean: one in those around it, or one from the root."""
    plain = module.removeprefix("_root_.")
    return [*(f"{package}.{plain}" for package in packages if plain == module), plain]


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files in the folder of a package, seen from the importer's or the root; a name may be an object."""
    tail = module.replace(".", "/")
    beside = importer.rpartition("/")[0]
    for folder in (f"{beside}/{tail}", tail):
        found = [path for path in paths.inside(folder) if path.endswith(_SOURCES)]
        if found:
            return found
    return () if "." in module else None


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package; a script is in none."""
    folder = path.rpartition("/")[0]
    if not path.endswith(_SOURCES):
        return ()
    return [
        other
        for other in paths.inside(folder)
        if other != path and other.rpartition("/")[0] == folder and other.endswith(_SOURCES)
    ]


_HEAD = fields("class_parameters")
_VAL = Defines(SymbolKind.Constant, member=SymbolKind.Property, name=_declared, body=fields(), type=_type, made=_given)
_VAR = Defines(SymbolKind.Variable, member=SymbolKind.Property, name=_declared, body=fields(), type=_type, made=_given)
_DEF = Defines(
    _function_kind,
    member=SymbolKind.Method,
    parameters=_parameters,
    type=_result,
    made=_returned,
    getter=_is_getter,
    amends=_amends,
)

_ENDED = (
    "class_definition",
    "enum_definition",
    "function_definition",
    "given_definition",
    "object_definition",
    "package_object",
    "trait_definition",
)
"""What opens a scope and may end in ``end`` and its own name, which is seen around it:
https://docs.scala-lang.org/scala3/reference/other-new-features/indentation.html#the-end-marker."""


def _ended(marker: Node) -> Iterator[Written]:
    """Yield the name behind ``end``, which is no node with a name in the grammar."""
    for child in marker.children[-1:]:
        if child.type == "_end_ident":
            yield Written(child.start_byte, text(child), Role.Read, BARE)


_KEYWORDS = frozenset(
    (
        "_ abstract case catch class def do else enum export extends false final finally for forSome given if "
        "implicit import lazy macro match new null object override package private protected return sealed super then "
        "this throw trait true try type val var while with yield"
    ).split()
)

LANGUAGE = Language(
    name="scala",
    extensions=(".scala", ".sc"),
    grammar=("tree_sitter_scala", "language"),
    definitions={
        "package_clause": Defines(SymbolKind.Package, spell=_package_name),
        "package_object": Defines(SymbolKind.Object, spell=_package_of_object, bases=_bases),
        "class_definition": Defines(SymbolKind.Class, head=_HEAD, bases=_bases, generics=_generics),
        "trait_definition": Defines(SymbolKind.Interface, head=_HEAD, bases=_bases, generics=_generics),
        "enum_definition": Defines(SymbolKind.Enum, head=_HEAD, bases=_bases, generics=_generics),
        "object_definition": Defines(SymbolKind.Object, bases=_bases),
        "given_definition": Defines(
            SymbolKind.Object, emits=lambda node: node.child_by_field_name("name") is not None, bases=_given_bases
        ),
        "extension_definition": Defines(SymbolKind.Function, name=fields(), body=_extensions, emits=False),
        "class_parameter": Defines(_parameter_kind, body=fields(), type=_type, within=_of_case_class),
        "simple_enum_case": Defines(SymbolKind.EnumMember, body=fields(), type=_enumeration),
        "full_enum_case": Defines(SymbolKind.EnumMember, body=fields(), head=_HEAD, bases=_case_bases),
        "function_definition": _DEF,
        "function_declaration": _DEF,
        "val_definition": _VAL,
        "val_declaration": _VAL,
        "var_definition": _VAR,
        "var_declaration": _VAR,
        "type_definition": Defines(SymbolKind.Class, body=fields(), type=_type, generics=_generics),
    },
    through=frozenset({"enum_case_definitions", "ERROR"}),
    decorations=frozenset({"annotation"}),
    comments=frozenset({"comment", "block_comment"}),
    module=module_of_folder,
    relatives="java",
    lexis=lexing.SCALA,
    keywords=_KEYWORDS,
    reach=reach.private_member,
    identifier=re.compile(r"(?:[^\W\d]|\$)[\w$]*"),
    scoping=Scoping(
        identifiers=frozenset({"identifier", "type_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "package_object": ScopeKind.Class,
            "class_definition": ScopeKind.Class,
            "trait_definition": ScopeKind.Class,
            "enum_definition": ScopeKind.Class,
            "object_definition": ScopeKind.Class,
            "given_definition": ScopeKind.Class,
            "full_enum_case": ScopeKind.Class,
            "template_body": ScopeKind.Class,
            "extension_definition": ScopeKind.Open,
            "function_definition": ScopeKind.Function,
            "function_declaration": ScopeKind.Function,
            "lambda_expression": ScopeKind.Function,
            "block": ScopeKind.Block,
            "indented_block": ScopeKind.Block,
            "case_clause": ScopeKind.Block,
            "for_expression": ScopeKind.Block,
            "type_definition": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(fields("name"), type=_type),
            "class_parameter": Binds(fields("name"), type=_type),
            "binding": Binds(fields("name"), type=_type),
            "lambda_expression": Binds(_lambda),
            "type_parameters": Binds(_type_parameters, made=_bounds, types=True),
            "self_type": Binds(_of("identifier"), made=_itself),
            "val_definition": Binds(_declared, type=_type, made=_given),
            "var_definition": Binds(_declared, type=_type, made=_given),
            "enumerator": Binds(_enumerated, made=_each),
            "case_clause": Binds(_matched, made=_cased),
            "infix_expression": Binds(fields(), calls=fields("operator")),
        },
        members={
            "field_expression": ("value", "field"),
            "stable_identifier": lambda node: node.named_children,
            "stable_type_identifier": lambda node: node.named_children,
            "arguments": _named_arguments,
        },
        roles={
            ("call_expression", "function"): Role.Call,
            ("generic_function", "function"): Role.Call,
            ("instance_expression", ""): Role.Call,
            ("extends_clause", "type"): Role.Inherit,
            ("annotation", "name"): Role.Decorator,
            ("assignment_expression", "left"): Role.Write,
        },
        hidden=hidden_types.scala,
        fills={"infix_expression": _operator},
        implicit_calls={
            "call_expression": _applying_sign,
            "field_expression": _named_operator,
            "infix_expression": _signed,
        },
        implicit_call_tokens=lambda method: ("(",) if method == _APPLY else (),
        imports={"import_declaration": _import},
        exports=_packages,
        packages=_seen_as,
        wildcards_hide=True,
        keeps_imports=True,
        prelude=scala_prelude.PRELUDE,
        member_signs=(b".", b"#"),
        imports_members=True,
        amended=True,
        twins=True,
        locate=_locate,
        siblings=_siblings,
        this=frozenset({"this"}),
        above=frozenset({"super"}),
        terms=_TERMS,
        returns={"return_expression": terms.same()},
        narrows={"generic_function": _is},
        anonymous={"template_body": _anonymous},
        copies=frozenset({"copy"}),
        arguments={"assignment_expression": _argued},
        keys=frozenset(
            {
                ("infix_pattern", "operator"),
                ("interpolated_string_expression", "interpolator"),
                ("package_identifier", ""),
                ("access_qualifier", ""),
                ("projected_type", "selector"),
            }
        ),
        opaque=frozenset({"call_expression"}),
        texts={"end_marker": _ended},
        outside=dict.fromkeys(((kind, "") for kind in _ENDED), lambda child: child.type == "end_marker"),
    ),
)
