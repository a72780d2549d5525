"""Python: https://docs.python.org/3/reference/."""

from __future__ import annotations

import ast
import builtins
import re
import typing
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from io import TextIOWrapper

from tree_sitter import Node

from leadline_tools.languages import blanking, lexing, terms
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Made,
    Paths,
    Quoted,
    ScopeKind,
    Scoping,
    fields,
    module_of_path,
    text,
)
from leadline_tools.languages.terms import UNKNOWN, Spell, either, then
from leadline_tools.model import Role, SymbolKind


def _module(path: str) -> str:
    return module_of_path(path).removesuffix(".__init__")


def _assigned(node: Node) -> Sequence[Node]:
    """Return the plain names on the left of an assignment: only these are worth a place in an outline."""
    left = node.child_by_field_name("left")
    if left is None:
        return ()
    if left.type == "identifier":
        return (left,)
    if left.type in ("pattern_list", "tuple_pattern"):
        return [child for child in left.named_children if child.type == "identifier"]
    return ()


def _assignment_kind(node: Node) -> SymbolKind:
    names = _assigned(node)
    return SymbolKind.Constant if names and text(names[0]).isupper() else SymbolKind.Variable


def _alias(node: Node) -> Sequence[Node]:
    left = node.child_by_field_name("left")
    return () if left is None else [n for n in (left, *left.named_children) if n.type == "identifier"][:1]


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b, c as d``: the first binds ``a``, the second ``d``."""
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            module = text(child.child_by_field_name("name"))
            yield Imported(module, "", text(child.child_by_field_name("alias")))
        else:
            first = text(child).partition(".")[0]
            yield Imported(first, "", first)


def _import_from(node: Node) -> Iterator[Imported]:
    """Read ``from .a import b, c as d`` and ``from a import *``."""
    module = text(node.child_by_field_name("module_name")).replace(" ", "")
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Imported(module, "*", "")
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name = text(child.child_by_field_name("name"))
            yield Imported(module, name, text(child.child_by_field_name("alias")))
        else:
            yield Imported(module, text(child), text(child))


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a module; relative ones from the importer's package, absolute ones from any source root."""
    stem = module.lstrip(".")
    up = len(module) - len(stem)
    tail = stem.replace(".", "/")
    if up:
        folder = importer.split("/")[:-up]
        base = "/".join((*folder, tail)) if tail else "/".join(folder)
        found = [path for path in _forms(base) if paths.exists(path)]
        return found[:1]
    beside = importer.rpartition("/")[0]
    for path in (*_forms(tail), *_forms(f"{beside}/{tail}" if beside else tail)):
        if paths.exists(path):
            return (path,)
    for form in _forms(tail):
        if anywhere := paths.ending(form):
            return anywhere[:1]
    return ()


def _forms(base: str) -> Iterable[str]:
    slash = f"{base}/" if base else ""
    return (f"{slash}__init__.py", f"{base}.py", f"{slash}__init__.pyi", f"{base}.pyi")


def _quoted(quote: bytes) -> bytes:
    """Return the expression of a string in ``quote``; of one that holds expressions only where its end is sure."""
    parts = {
        b"q": quote,
        b"text": rb"(?<![fFtT]%(q)s)(?<![fFtT][rR]%(q)s)" % {b"q": quote},
        b"value": rb"\{(?:[^{}%(q)s\\#]|\{[^{}%(q)s\\#]*+\})*+\}" % {b"q": quote},
    }
    return (
        rb"%(q)s(?:%(text)s(?:%(q)s%(q)s[^%(q)s\\]*+(?:(?:\\.|%(q)s(?!%(q)s%(q)s))[^%(q)s\\]*+)*+%(q)s%(q)s%(q)s"
        rb"|(?!%(q)s%(q)s)[^%(q)s\\\n]*+(?:\\.[^%(q)s\\\n]*+)*+%(q)s)"
        rb"|%(q)s%(q)s(?:[^%(q)s\\{}]|\\.|%(q)s(?!%(q)s%(q)s)|\{\{|\}\}|%(value)s)*+%(q)s%(q)s%(q)s"
        rb"|(?!%(q)s%(q)s)(?:[^%(q)s\\{}\n]|\\.|\{\{|\}\}|(?![^\n%(q)s]*+\n)%(value)s)*+%(q)s)" % parts
    )


# --- What types and values are spelled like

_LISTS = frozenset("pattern_list tuple_pattern list_pattern expression_list tuple list".split())
"""Nodes that take a value, or are one, part by part."""

_TRANSPARENT = frozenset("Annotated ClassVar Final InitVar NotRequired Optional ReadOnly Required".split())
"""Special forms that stand for their first argument: https://docs.python.org/3/library/typing.html."""

_CASTS = frozenset({"cast", "t.cast", "typing.cast"})
_NARROWING = frozenset({"isinstance"})
_LONGEST_NAME = max(map(len, _CASTS | _NARROWING))
_CONTEXT_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


def _given(left: str, right: str, step: str = "") -> Made:
    """Return a function that gives the names on the left of a node what its right is, or what a step makes of it."""

    def made(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
        target, value = node.child_by_field_name(left), node.child_by_field_name(right)
        if target is not None and value is not None:
            yield from _parted(target, None if step else value, then(spell(value), step), spell)

    return made


def _parted(target: Node, value: Node | None, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each name of a pattern with the part of the value that it takes."""
    if target.type not in _LISTS:
        yield target, term
        return
    whole = value is not None and value.type in _LISTS and value.named_child_count == target.named_child_count
    for i, child in enumerate(target.named_children):
        part = value.named_children[i] if value is not None and whole else None
        yield from _parted(child, part, spell(part) if part is not None else then(term, f"#{i}"), spell)


def _as(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name after ``as`` what the context manager enters, or the exception that is caught."""
    alias, value = node.child_by_field_name("alias"), node.named_children[0]
    target = alias.named_children[0] if alias is not None and alias.named_children else None
    if target is None:
        return
    if node.parent is not None and node.parent.type.startswith("except"):
        caught = value.named_children if value.type == "tuple" else [value]
        yield target, either(then(spell(one), "()") for one in caught)
        return
    term = spell(value)
    yield from _parted(target, None, either((then(term, ".__enter__()"), then(term, ".__aenter__()"), term)), spell)


def _default(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, spell(node.child_by_field_name("value"))


def _called(node: Node, spell: Spell) -> str:
    """Spell a call; ``cast`` gives an object of its first argument."""
    function = node.child_by_field_name("function")
    if _is_called(function, _CASTS):
        arguments = node.child_by_field_name("arguments")
        return then(spell(arguments.named_children[0]), "()") if arguments and arguments.named_children else UNKNOWN
    return then(spell(function), "()")


def _is_called(function: Node | None, names: AbstractSet[str]) -> bool:
    """Tell whether what is called has one of some names; a long one is not even read."""
    return function is not None and function.end_byte - function.start_byte <= _LONGEST_NAME and text(function) in names


def _type(node: Node) -> Node | None:
    """Return the annotation of a variable or parameter; that of ``*args`` is one of its elements."""
    starred = node.named_children[0].type.endswith("splat_pattern") if node.named_children else False
    return None if starred else node.child_by_field_name("type")


def _annotation(node: Node, spell: Spell) -> str:
    """Spell what an annotation names; one in quotes is read like any other."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None or inner.type != "string":
        return spell(inner)
    try:
        return _quoted_annotation(ast.parse(text(inner).strip("\"'").strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN


def _quoted_annotation(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(owner, name):
            return then(_quoted_annotation(owner), f".{name}")
        case ast.BinOp(left, ast.BitOr(), right):
            return either((_quoted_annotation(left), _quoted_annotation(right)))
        case ast.Subscript(form, ast.Tuple(arguments)):
            return _form(_quoted_annotation(form), [_quoted_annotation(argument) for argument in arguments])
        case ast.Subscript(form, argument):
            return _form(_quoted_annotation(form), [_quoted_annotation(argument)])
        case _:
            return UNKNOWN


_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_FORMS = frozenset(typing.__all__) - {"Literal", "Annotated"}
_QUOTED_NAME = re.compile(r"[\"'][^\W\d]\w*[\"']")
_PLAIN_STRING = re.compile(r"[\"'][^\"'\\\n]*[\"']")


def _quoted_types(node: Node) -> Iterator[Quoted]:
    """Yield the names in an annotation that is a string."""
    if node.named_children:
        yield from _quoted_names(node.named_children[0])


def _quoted_names(inner: Node) -> Iterator[Quoted]:
    if inner.type != "string" or not _PLAIN_STRING.fullmatch(text(inner)) or not text(inner).isascii():
        return
    for dotted in _DOTTED.finditer(text(inner)):
        receiver, start = "", dotted.start()
        for name in dotted[0].split("."):
            yield Quoted(inner, start, name, receiver, Role.Type)
            receiver = f"{receiver}.{name}" if receiver else name
            start += len(name) + 1


def _quoted_arguments(node: Node) -> Iterator[Quoted]:
    """Yield the names in the quoted arguments of a special form of ``typing``, wherever it stands."""
    form = text(node.child_by_field_name("value")).rpartition(".")[2]
    if form in _FORMS:
        for argument in node.children_by_field_name("subscript"):
            yield from _quoted_names(argument)


def _exported(node: Node) -> Iterator[Quoted]:
    """Yield the names in ``__all__``."""
    names = node.child_by_field_name("right")
    if text(node.child_by_field_name("left")) != "__all__" or names is None:
        return
    for string in names.named_children:
        if string.type == "string" and _QUOTED_NAME.fullmatch(text(string)):
            yield Quoted(string, 1, text(string)[1:-1], "", Role.Other)


def _special(node: Node, spell: Spell) -> str:
    """Spell a type with arguments, ``Optional[A]`` and the like as what they stand for."""
    named = [child for child in node.named_children if child.type != "comment"]
    if not named:
        return UNKNOWN
    arguments = [one for child in named[1:] for one in (child.named_children if "param" in child.type else [child])]
    return _form(spell(named[0]), list(map(spell, arguments)))


def _form(name: str, arguments: Sequence[str]) -> str:
    """Return a type with arguments, or what a special form stands for."""
    form = name.rpartition(".")[2]
    if form == "Union":
        return either(arguments)
    if form in _TRANSPARENT:
        return arguments[0] if arguments else UNKNOWN
    if form in ("type", "Type"):
        return then(arguments[0], "^") if arguments else UNKNOWN
    return terms.applied(terms.TUPLE if form in ("tuple", "Tuple") else name, arguments)


def _subscript(node: Node, spell: Spell) -> str:
    """Spell ``a[b]``: an element, or in an annotation a type with arguments."""
    around = node.parent
    while around is not None and around.type in ("binary_operator", "subscript", "tuple", "list"):
        around = around.parent
    return _special(node, spell) if around is not None and around.type == "type" else then(_value(node, spell), "[]")


def _value(node: Node, spell: Spell) -> str:
    return spell(node.child_by_field_name("value"))


def _joined(node: Node, spell: Spell) -> str:
    """Spell ``A | B``; the results of other operators are not known."""
    if text(node.child_by_field_name("operator")) != "|":
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _tuple(node: Node, spell: Spell) -> str:
    """Spell a tuple by its parts."""
    return then(terms.applied(terms.TUPLE, map(spell, node.named_children)), "()")


def _list(node: Node, spell: Spell) -> str:
    """Spell a list or a set by what its elements are."""
    return then(terms.applied(_LITERALS[node.type], [either(map(spell, node.named_children))]), "()")


def _dictionary(node: Node, spell: Spell) -> str:
    """Spell a dictionary by what its keys and values are."""
    pairs = [child for child in node.named_children if child.type == "pair"]
    sides = (either(spell(pair.child_by_field_name(side)) for pair in pairs) for side in ("key", "value"))
    return then(terms.applied("dict", sides), "()")


def _chosen(node: Node, spell: Spell) -> str:
    """Spell ``a if b else c``."""
    return either(spell(child) for child in (node.named_children[0], node.named_children[-1]))


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    listed = node.child_by_field_name("superclasses")
    for base in listed.named_children if listed is not None else ():
        if base.type not in ("keyword_argument", "comment"):
            yield _special(base, spell) if base.type == "subscript" else spell(base)


def _generics(node: Node) -> Sequence[Node]:
    """Return the type parameters of a class: those after its name, or the arguments of ``Generic``."""
    listed = node.child_by_field_name("type_parameters")
    if listed is not None:
        return [child.named_children[0] for child in listed.named_children if child.named_children]
    bases = node.child_by_field_name("superclasses")
    for base in bases.named_children if bases is not None else ():
        if base.type == "subscript" and text(base.child_by_field_name("value")).endswith(("Generic", "Protocol")):
            return base.children_by_field_name("subscript")
    return ()


def _decorators(node: Node) -> Iterator[str]:
    around = node.parent
    for child in around.children if around is not None and around.type == "decorated_definition" else ():
        if child.type == "decorator" and child.named_children:
            name = child.named_children[0]
            name = name.child_by_field_name("function") or name if name.type == "call" else name
            yield text(name).rpartition(".")[2]


def _is_property(node: Node) -> bool:
    return any(name.endswith("property") for name in _decorators(node))


def _result(node: Node) -> Node | None:
    """Return the annotation of what a call returns; a context manager is no iterator."""
    return None if _CONTEXT_MANAGERS.intersection(_decorators(node)) else node.child_by_field_name("return_type")


def _pattern_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the attributes that ``case Type(name=pattern)`` looks at."""
    named = node.named_children[0].named_children
    term = spell(named[0]) if named else UNKNOWN
    for part in named[1:]:
        term = then(term, f".{text(part)}")
    for pattern in node.named_children[1:]:
        inner = pattern.named_children[0] if pattern.named_children else None
        if inner is not None and inner.type == "keyword_pattern":
            yield inner.named_children[0], then(term, "()")


_TAKES_FIELDS = re.compile(
    r"@(?:\w+\.)*(?:dataclass|define|mutable|frozen|attrs|s|attributes)\b"
    r"|\bclass\b[^(]*\((?:[^()]*[,\s.])?(?:NamedTuple|TypedDict|BaseModel|BaseSettings|Struct)\b"
)


def _takes_fields(declaration: str) -> bool:
    """Tell whether a class is made of its fields: of ``dataclasses``, ``typing``, and what works like them."""
    return _TAKES_FIELDS.search(declaration) is not None


def _narrowed(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``isinstance(name, types)`` tells."""
    if not _is_called(node.child_by_field_name("function"), _NARROWING):
        return
    arguments = node.child_by_field_name("arguments")
    if arguments is not None and arguments.named_child_count > 1 and arguments.named_children[0].type == "identifier":
        name, types = arguments.named_children[:2]
        every = types.named_children if types.type == "tuple" else [types]
        yield text(name), either(then(spell(one), "()") for one in every)


_BUILT_IN = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range, slice, memoryview)
_LITERALS = {
    "string": "str",
    "concatenated_string": "str",
    "integer": "int",
    "float": "float",
    "true": "bool",
    "false": "bool",
    "list": "list",
    "list_comprehension": "list",
    "tuple": "tuple",
    "dictionary": "dict",
    "dictionary_comprehension": "dict",
    "set": "set",
    "set_comprehension": "set",
}
_ASSIGNED = _given("left", "right")
_TERMS = {
    "call": _called,
    "await": terms.same(),
    "parenthesized_expression": terms.same(),
    "named_expression": _value,
    "conditional_expression": _chosen,
    "boolean_operator": terms.one_of("left", "right"),
    "binary_operator": _joined,
    "subscript": _subscript,
    "type": _annotation,
    "generic_type": _special,
    "union_type": terms.one_of(),
    "member_type": terms.same(),
    **{kind: terms.named(f"{name}()") for kind, name in _LITERALS.items()},
    "list": _list,
    "set": _list,
    "tuple": _tuple,
    "expression_list": _tuple,
    "dictionary": _dictionary,
}

# --- What the index does without

_STRING = _quoted(b'"') + rb"|" + _quoted(b"'")
_COMMENT = rb"#[^\n]*+"
_KEYWORDS = (
    rb"async +def|assert|break|class|continue|def|del|except|finally|global|import|nonlocal|pass|raise|return|try|while"
    rb"|with"
)
"""Words that begin a statement and nothing else."""

_PARTS = {
    b"string": _STRING,
    b"comment": _COMMENT,
    b"rest": rb"[ \t]*+(?:" + _COMMENT + rb")?+\r?\n",
    b"empty": rb"(?:[ \t\f]*+(?:" + _COMMENT + rb")?+\r?\n)*+",
    b"keywords": _KEYWORDS,
    b"code": rb"(?!(?:async|class|def)\b)[^\s#][^\n]*+",
}
_HEAD = (
    rb"(?P<indent> *+)(?:async +)?+def +[\w\x80-\xff]++\s*+(?:\[[^\[\]\"'#]*+\])?+\("
    rb"(?:[^()\"'#]++|\([^()\"'#]*+\)|%(string)s|%(comment)s)*+\)"
    rb"[ \t]*+(?:->(?:[^:\n\"'#\\]++|%(string)s)++)?+:%(rest)s%(empty)s" % _PARTS
)
_BODY = (
    rb"(?P<inner>(?P=indent)[ \t]++)(?:[rRuU]?+(?:%(string)s)%(rest)s%(empty)s(?P=inner)(?![ \t]))?+"
    rb"(?![a-zA-Z]{0,2}[\"'])(?P<body>%(code)s"
    rb"(?:\n(?:(?P=inner)[ \t]*+%(code)s|%(empty)s(?P=inner)[ \t]*+%(code)s))*+)(?<!\\)(?<!\\\r)" % _PARTS
)
"""The documentation, which stays, and statements; no line of them is indented less than the first."""

_AFTER = (
    rb"(?=\n?+\Z|\n%(empty)s(?:\Z|(?!(?P=indent)[ \t]) *+(?:(?:%(keywords)s)(?![\w\x80-\xff])|(?P<any>\S))))" % _PARTS
)
_NEXT_BODY = (
    rb"(?:[^\"'#\n]++|%(comment)s|%(string)s|\n(?! *+(?:async +)?+def\b))*+" % _PARTS
    + rb"\n(?:"
    + _HEAD
    + _BODY
    + _AFTER
    + rb")?+"
)
_TEXT = _STRING + rb"|" + _COMMENT
_TYPE = re.compile(rb"type(?<![.\w]type)[\s\\]+(?!(?:and|else|for|if|in|is|not|or)\b)[\w\x80-\xff]")
_BRACKETS = (b"()", b"[]", b"{}")


def _aliased(node: Node) -> Sequence[Node]:
    """Return what ``as`` binds; in a pattern its name stands alone."""
    alias = node.child_by_field_name("alias")
    if alias is not None:
        return [alias]
    return [child for child in node.named_children[-1:] if child.type == "identifier"]


def _is_first(node: Node) -> bool:
    """Tell whether a comprehension takes this first: it does so before it has names of its own."""
    before = node.parent.prev_named_sibling if node.parent is not None else None
    return before is None or before.type != "for_in_clause"


def _captured(node: Node) -> Sequence[Node]:
    """Return what a pattern binds that is one name; a dotted one is compared with."""
    last = node.named_children[-1] if node.named_children else None
    if last is None or last.type != "dotted_name" or len(last.named_children) != 1:
        return []
    return [name for name in last.named_children if text(name) != "_"]


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a body that holds no function or class may define a type, or may not end where its lines do."""
    body = found["body"]
    if b'"""' in body or b"'''" in body or (b"type" in body and _TYPE.search(body)):
        return True
    return found["any"] is not None and not _closed(body)


def _closed(body: bytes) -> bool:
    """Tell whether every bracket is closed, so that the next line is a statement."""
    code = blanking.compiled(_TEXT).sub(b"", body)
    if b'"' in code or b"'" in code:
        return False
    return all(code.count(pair[:1]) == code.count(pair[1:]) for pair in _BRACKETS)


def _blanked(content: bytes) -> bytes:
    """Blank the bodies of functions without functions, classes and types; their documentation stays.

    The lines of a body are those that are indented more deeply than its head. They are taken only where the next line
    begins a statement: no bracket, no string and no line that goes on may be open. An empty tuple stands for a body.
    """
    return blanking.blanked(content, _NEXT_BODY, _defines, b"()")


def _renames(old: str, new: str) -> str:
    """Refuse names that Python calls itself, and those that it mangles inside classes."""
    if old.startswith("__") and old.endswith("__"):
        return f"Python itself looks for {old}"
    if new.startswith("__"):
        return f"Python gives {new} a meaning of its own"
    return ""


_RESERVED = frozenset(
    (
        "False None True and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return try while with yield"
    ).split()
)

_DECORATORS = frozenset(
    "abstractmethod abstractproperty asynccontextmanager cache cached_property classmethod contextmanager coroutine"
    " dataclass deleter deprecated expectedFailure final getter lru_cache no_type_check overload override property"
    " runtime_checkable setter singledispatch singledispatchmethod skip skipIf skipUnless staticmethod total_ordering"
    " unique wraps".split()
)

_COMPUTED = re.compile(
    r"""\b(?:get|has|set|del)attr\(\s*(?:self|cls)\s*,\s*+(?![rRuU]?(["'])[^"'\n]*\1\s*[,)])"""
    r"""(?:[fFrRuU]{0,2}["'](?P<head>[^"'%{\n]*))?"""
)

LANGUAGE = Language(
    name="python",
    extensions=(".py", ".pyi", ".pyw"),
    grammar=("tree_sitter_python", "language"),
    interpreters=("python", "python3"),
    definitions={
        "class_definition": Defines(SymbolKind.Class, bases=_bases, generics=_generics),
        "function_definition": Defines(
            SymbolKind.Function,
            member=SymbolKind.Method,
            parameters=fields("parameters"),
            type=_result,
            getter=_is_property,
        ),
        "assignment": Defines(
            _assignment_kind, member=SymbolKind.Field, name=_assigned, body=fields(), type=_type, made=_ASSIGNED
        ),
        "type_alias_statement": Defines(SymbolKind.Class, name=_alias, body=fields()),
    },
    through=frozenset(
        "decorated_definition expression_statement block if_statement elif_clause else_clause try_statement"
        " except_clause finally_clause with_statement for_statement while_statement"
        " match_statement case_clause".split()
    ),
    wrappers=frozenset({"decorated_definition"}),
    docstring=True,
    blanked=_blanked,
    module=_module,
    private=lambda name, _signature: name.startswith("_") and not name.endswith("__"),
    constructors=frozenset({"__init__", "__new__"}),
    lexis=lexing.PYTHON,
    decorators=_DECORATORS,
    computed=_COMPUTED,
    keywords=_RESERVED,
    renames=_renames,
    scoping=Scoping(
        identifiers=frozenset({"identifier"}),
        scopes={
            "function_definition": ScopeKind.Function,
            "lambda": ScopeKind.Function,
            "class_definition": ScopeKind.Class,
            "list_comprehension": ScopeKind.Block,
            "set_comprehension": ScopeKind.Block,
            "dictionary_comprehension": ScopeKind.Block,
            "generator_expression": ScopeKind.Block,
        },
        binds={
            "parameters": Binds(lambda node: node.named_children),
            "lambda_parameters": Binds(lambda node: node.named_children),
            "typed_parameter": Binds(lambda node: node.named_children[:1], type=_type),
            "default_parameter": Binds(fields("name"), made=_default),
            "typed_default_parameter": Binds(fields("name"), type=_type, made=_default),
            "assignment": Binds(fields("left"), hoists=True, type=_type, made=_ASSIGNED),
            "augmented_assignment": Binds(fields("left"), hoists=True),
            "named_expression": Binds(fields("name"), hoists=True, made=_given("name", "value")),
            "for_statement": Binds(fields("left"), hoists=True, made=_given("left", "right", "*")),
            "for_in_clause": Binds(fields("left"), made=_given("left", "right", "*")),
            "as_pattern": Binds(_aliased, hoists=True, made=_as),
            "case_pattern": Binds(_captured, hoists=True),
            "keyword_pattern": Binds(_captured, hoists=True),
            "splat_pattern": Binds(lambda node: node.named_children, hoists=True),
            "type_alias_statement": Binds(_alias, hoists=True),
        },
        members={"attribute": ("object", "attribute")},
        roles={
            ("call", "function"): Role.Call,
            ("call", "arguments"): Role.Read,
            ("decorator", ""): Role.Decorator,
            ("class_definition", "superclasses"): Role.Inherit,
            ("assignment", "left"): Role.Write,
            ("augmented_assignment", "left"): Role.Write,
            ("assignment", "type"): Role.Type,
            ("typed_parameter", "type"): Role.Type,
            ("typed_default_parameter", "type"): Role.Type,
            ("function_definition", "return_type"): Role.Type,
            ("delete_statement", ""): Role.Write,
            ("keyword_argument", "name"): Role.Other,
        },
        imports={"import_statement": _import, "import_from_statement": _import_from},
        locate=_locate,
        this=frozenset({"self"}),
        own=frozenset({"cls", "Self"}),
        above=frozenset({"super"}),
        predeclared=frozenset(dir(builtins)),
        attributes=True,
        terms=_TERMS,
        returns={"return_statement": ""},
        narrows={"call": _narrowed},
        fills={"class_pattern": _pattern_keys},
        quotes={
            "type": _quoted_types,
            "subscript": _quoted_arguments,
            "assignment": _exported,
            "augmented_assignment": _exported,
        },
        common=frozenset(name for kind in (*_BUILT_IN, TextIOWrapper, Exception, object) for name in dir(kind)),
        class_visible=False,
        keys=frozenset({("keyword_argument", "name"), ("keyword_pattern", "")}),
        takes_fields=_takes_fields,
        copies=frozenset({"replace", "_replace", "__replace__", "evolve", "copy", "model_copy"}),
        arguments={"keyword_argument": lambda node: node.child_by_field_name("name")},
        opaque=frozenset({"subscript", "call"}),
        globals=frozenset({"global_statement"}),
        nonlocals=frozenset({"nonlocal_statement"}),
        outside={
            ("default_parameter", "value"): lambda _node: True,
            ("typed_default_parameter", "value"): lambda _node: True,
            ("for_in_clause", "right"): _is_first,
        },
    ),
)
