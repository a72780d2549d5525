"""Python: https://docs.python.org/3/reference/."""

from __future__ import annotations

import builtins
import collections
import datetime as dt
import re
import typing
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import chain, islice
from types import FunctionType
from typing import Final

from tree_sitter import Node

from leadline_tools.languages import lexing, terms
from leadline_tools.languages.language import (
    WILDCARD,
    Binds,
    Defines,
    Imported,
    Language,
    Look,
    Paths,
    Quoted,
    Records,
    ScopeKind,
    Scoping,
    fields,
    made,
    module_of_path,
    text,
)
from leadline_tools.languages.python import bodies as python_bodies
from leadline_tools.languages.python import generics
from leadline_tools.languages.python import terms as spelling
from leadline_tools.languages.terms import Spell
from leadline_tools.model import Role, SymbolKind


def _module(path: str) -> str:
    return module_of_path(path).removesuffix(".__init__")


_PATTERNS: Final = frozenset(
    "pattern_list tuple_pattern list_pattern list_splat_pattern as_pattern_target tuple list list_splat"
    " parenthesized_expression".split()
)
"""Nodes that take a value apart, or stand around what is given one."""

_OWN: Final = frozenset({"self", "cls"})
"""How methods call their own object, or class."""

_OF_CLASS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
"""Methods that are called on the class without saying so."""


def _targets(target: Node | None) -> Iterator[Node]:
    """Yield what a pattern gives values to, in its order: names, attributes, elements."""
    stack = [target] if target is not None else []
    while stack:
        node = stack.pop()
        if node.type in _PATTERNS:
            stack.extend(reversed(node.named_children))
        else:
            yield node


def _names(targets: Iterable[Node]) -> Sequence[Node]:
    return [one for one in targets if one.type == "identifier"]


def _own_attributes(targets: Iterable[Node]) -> Iterator[Node]:
    """Yield the names of the attributes among targets that belong to the object of the method."""
    for one in targets:
        if one.type == "attribute":
            owner, name = one.child_by_field_name("object"), one.child_by_field_name("attribute")
            if owner is not None and name is not None and owner.type == "identifier" and _is_own(owner):
                yield name


def _compared(name: Node) -> Sequence[Node | None]:
    """Return the names of a dotted one that a pattern compares with, or that is the class in one."""
    around = name.parent
    if around is None or not around.type.endswith("_pattern"):
        return (None, None)  # of an import
    return name.named_children


def _is_own(owner: Node) -> bool:
    """Tell whether a name is that by which a method calls its own object: its first parameter, mostly ``self``."""
    if text(owner) in _OWN:
        return True
    around = owner.parent
    while around is not None and around.type not in ("function_definition", "lambda"):
        around = around.parent
    first = _own_parameter(around) if around is not None else None
    return first is not None and text(first) == text(owner)


def _own_parameter(function: Node) -> Node | None:
    """Return the parameter of a method that is given its object, or its class; None for what is no method."""
    outer = function.parent
    decorated = outer is not None and outer.type == "decorated_definition"
    body = outer.parent if decorated and outer is not None else outer
    if body is None or body.parent is None or body.parent.type != "class_definition":
        return None
    if decorated and outer is not None and _is_decorated(outer, "staticmethod"):
        return None
    parameters = function.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    return first if first is not None and first.type == "identifier" else None


def _is_decorated(definition: Node, name: str) -> bool:
    """Tell whether a decorated definition has a decorator of a name."""
    return any(child.type == "decorator" and text(child)[1:].strip() == name for child in definition.named_children)


def _received(parameters: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the first parameter of a method the object that it is called on, however it is called."""
    function = parameters.parent
    first = _own_parameter(function) if function is not None and function.type == "function_definition" else None
    if function is not None and first is not None and text(first) not in _OWN:
        outer = function.parent
        of_class = text(function.child_by_field_name("name")) in _OF_CLASS or (
            outer is not None and outer.type == "decorated_definition" and _is_decorated(outer, "classmethod")
        )
        yield first, "cls" if of_class else "self"


def _assignment_targets(node: Node) -> Iterator[Node]:
    """Yield what an assignment gives a value to, with the others in ``a = b = value``."""
    at: Node | None = node
    while at is not None and at.type == "assignment":
        yield from _targets(at.child_by_field_name("left"))
        at = at.child_by_field_name("right")


def _assigned(node: Node) -> Sequence[Node]:
    """Return the names to which an assignment gives a value."""
    return _assigned_names(node, node.child_by_field_name("right"))


def _assigned_names(node: Node, value: Node | None) -> Sequence[Node]:
    left = node.child_by_field_name("left")
    if left is not None and left.type == "identifier" and (value is None or value.type != "assignment"):
        return (left,)
    return _names(_assignment_targets(node))


def _assigned_attributes(node: Node) -> Sequence[Node]:
    return list(_own_attributes(_assignment_targets(node)))


def _entering(node: Node) -> Iterator[Node]:
    """Yield the ``a as b`` of a ``with`` statement."""
    for clause in node.named_children:
        for item in clause.named_children if clause.type == "with_clause" else ():
            value = item.child_by_field_name("value")
            if value is not None and value.type == "as_pattern":
                yield value


def _entered_targets(node: Node) -> Iterator[Node]:
    for one in _entering(node):
        yield from _targets(one.child_by_field_name("alias"))


def _entered(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of a ``with`` statement what their context managers enter."""
    for one in _entering(node):
        yield from spelling.entered(one, spell)


def _looped(node: Node) -> Iterator[Node]:
    return _targets(node.child_by_field_name("left"))


def _made_from(node: Node) -> Sequence[Node]:
    """Return the bases of the class that an assignment has ``type("A", (B,), {})`` make; none for any other."""
    return _bases_given(node.child_by_field_name("right"))


def _bases_given(call: Node | None) -> Sequence[Node]:
    """Return the bases that ``type("A", (B,), {})`` is given; none for any other value."""
    if call is None or call.type != "call":
        return ()
    function = call.child_by_field_name("function")
    if function is None or function.type != "identifier" or text(function) != "type":
        return ()
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else list[Node]()
    if len(given) != len(("name", "bases", "namespace")) or given[1].type != "tuple":
        return ()
    return given[1].named_children


def _made_bases(node: Node, spell: Spell) -> Iterator[str]:
    return (spell(base) for base in _made_from(node))


def _assignment_kind(node: Node) -> SymbolKind:
    return _assignment(node).kind or SymbolKind.Variable


def _assignment(node: Node) -> Look:
    value = node.child_by_field_name("right")
    names = _assigned_names(node, value)
    if _bases_given(value):
        return made(Look, (SymbolKind.Class, names, (), (), True))
    kind = SymbolKind.Constant if names and text(names[0]).isupper() else SymbolKind.Variable
    return made(Look, (kind, names, (), (), True))


def _alias(node: Node) -> Sequence[Node]:
    """Return the name of a type alias, which may stand before its type parameters.

    The grammar also takes ``type(a).b = c`` for one, which has no name.
    """
    left = name = node.child_by_field_name("left")
    while name is not None and name.type != "identifier":
        name = name.named_children[0] if name.named_children else None
    return () if left is None or name is None or name.start_byte != left.start_byte else (name,)


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b, c as d``: the first binds ``a``, the second ``d``."""
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            module = text(child.child_by_field_name("name"))
            yield Imported(module, "", text(child.child_by_field_name("alias")))
        else:
            first = text(child).partition(".")[0]
            yield Imported(first, "", first)


_IMPORTED = rb"[\w\x80-\xff]+(?:\s+as\s+[\w\x80-\xff]+)?"
_ALL_IMPORTED = _IMPORTED + rb"(?:\s*,\s*" + _IMPORTED + rb")*"
_PLAIN_IMPORT: Final = re.compile(
    rb"from\s+([\w.\x80-\xff]+)\s+import\s*(?:\s(" + _ALL_IMPORTED + rb")|\(\s*(" + _ALL_IMPORTED + rb")\s*,?\s*\))"
)
"""An import without comments and continued lines."""


def _import_from(node: Node) -> Sequence[Imported]:
    """Read ``from .a import b, c as d`` and ``from a import *``."""
    words = text(node).split(None, 3)
    listed = words[3] if len(words) == 4 and words[2] == "import" else "*"
    if listed[0] == "(" and listed[-1] == ")":
        listed = listed[1:-1]
    if _NOT_PLAIN.isdisjoint(listed):
        return _listed_names(words[1], listed)
    return list(_import_names(node))


def _future_import(node: Node) -> Sequence[Imported]:
    """Read ``from __future__ import a``, of which the grammar has no module."""
    return [Imported("__future__", text(name), text(name)) for name in node.children_by_field_name("name")]


_NOT_PLAIN: Final = frozenset("()*#\\;")
"""What the names of an import are among in whose text more than these has to be read."""


def _listed_names(module: str, listed: str) -> list[Imported]:
    """Read ``a, b as c``, which are names of a module."""
    found: list[Imported] = []
    for name in listed.split(","):
        words = name.split()
        if words:
            found.append(made(Imported, (module, words[0], words[-1], False, "")))
    return found


_INDENTED_IMPORT: Final = re.compile(rb"[ \t]+(?:import[ \t]+([\w., \t\x80-\xff]+)|(?=from[ \t]))")


def _imports_in(content: bytes) -> Iterator[Imported]:
    """Read the imports that are indented, by their text: those of functions."""
    at = content.find(b"import ")
    while at >= 0:
        begin = content.rfind(b"\n", 0, at) + 1
        line = _INDENTED_IMPORT.match(content, begin) if begin < at else None
        if line is not None and line[1] is not None:
            yield from _listed_modules(line[1].decode("utf-8", "replace"))
        elif line is not None and (plain := _PLAIN_IMPORT.match(content, line.end())) is not None:
            module, bare, enclosed = plain.groups()
            yield from _listed_names(module.decode("utf-8", "replace"), (bare or enclosed).decode("utf-8", "replace"))
        at = content.find(b"import ", at + 7)


def _listed_modules(listed: str) -> Iterator[Imported]:
    """Read ``a.b, c as d`` behind ``import``."""
    for words in filter(None, (part.split() for part in listed.split(","))):
        first = words[0].partition(".")[0]
        yield Imported(words[0], "", words[-1]) if len(words) > 1 else Imported(first, "", first)


def _import_names(node: Node) -> Iterator[Imported]:
    module = text(node.child_by_field_name("module_name")).replace(" ", "")
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Imported(module, "*", "")
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name = text(child.child_by_field_name("name"))
            yield Imported(module, name, text(child.child_by_field_name("alias")))
        else:
            yield Imported(module, text(child), text(child))


def _module_part(name: Node) -> str:
    """Return the module of which a name in an import is the last part; empty for a name that a module has."""
    dotted = name.parent
    around = dotted.parent if dotted is not None and dotted.type == "dotted_name" else None
    if dotted is None or around is None:
        return ""
    statement = around.parent if around.type in ("relative_import", "aliased_import") else around
    if statement is None:
        return ""
    if statement.type != "import_statement" and dotted in statement.children_by_field_name("name"):
        return ""
    if statement.type == "import_from_statement" and around.type == "aliased_import":
        return ""
    begin = around.start_byte if around.type == "relative_import" else dotted.start_byte
    written = text(around if around.type == "relative_import" else dotted)
    return written.encode()[: name.end_byte - begin].decode("utf-8", "replace").replace(" ", "")


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
    beside = importer[: importer.rfind("/") + 1]
    near = (f"{folder}{form}" for folder in ("", beside) for form in _forms(tail) if _is_root(folder, paths))
    anywhere = (path for form in _forms(tail) for path in paths.ending(form) if _is_root(path[: -len(form)], paths))
    return tuple(islice(chain(filter(paths.exists, near), anywhere), 1))


def _twin(path: str) -> str:
    """Return the stub beside a module, or the module beside a stub."""
    return path[:-1] if path.endswith(".pyi") else f"{path}i" if path.endswith(".py") else ""


def _is_root(folder: str, paths: Paths) -> bool:
    """Tell whether modules may be imported from a folder, which ends with a slash: not if that is a package itself."""
    return not folder or not paths.exists(f"{folder}__init__.py")


def _forms(base: str) -> Iterable[str]:
    slash = f"{base}/" if base else ""
    return (f"{slash}__init__.py", f"{base}.py", f"{slash}__init__.pyi", f"{base}.pyi")


# --- Names in strings, and fields

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_FORMS = frozenset(typing.__all__) - {"Literal", "Annotated"}
_QUOTED_NAME = re.compile(r"[\"'][^\W\d]\w*[\"']")
_PLAIN_STRING = re.compile(r"[\"'][^\"'\\\n]*[\"']")


def _quoted_types(node: Node) -> Iterator[Quoted]:
    """Yield the names in an annotation that is a string."""
    if node.named_children:
        yield from _quoted_names(node.named_children[0])


def _quoted_names(inner: Node) -> Iterator[Quoted]:
    """Yield the names in a type that is a string, and in those of a list of types."""
    for listed in inner.named_children if inner.type == "list" else ():
        yield from _quoted_names(listed)
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


def _quoted_bound(node: Node) -> Iterator[Quoted]:
    """Yield the names in what bounds a type variable."""
    value = node.child_by_field_name("value") if spelling.is_bound(node) else None
    if value is not None:
        yield from _quoted_names(value)


def _quoted_cast(node: Node) -> Iterator[Quoted]:
    """Yield the names in the type that ``cast`` is told."""
    arguments = node.child_by_field_name("arguments") if spelling.is_called(node, spelling.CASTS) else None
    if arguments is not None and arguments.named_children:
        yield from _quoted_names(arguments.named_children[0])


_ALL: Final = "__all__"
_MEMBERS_NAMED: Final = frozenset({"__slots__", "__match_args__"})
_LISTING: Final = frozenset(
    "list tuple set expression_list binary_operator parenthesized_expression dictionary".split()
)
_CHANGES_OF_ALL: Final = frozenset({"append", "extend", "insert", "remove"})


def _exported(node: Node) -> Iterator[Quoted]:
    """Yield the names in ``__all__``, and those of attributes in ``__slots__``."""
    name, names = text(node.child_by_field_name("left")), node.child_by_field_name("right")
    if names is not None and (name == _ALL or name in _MEMBERS_NAMED):
        yield from _listed_strings(names, "" if name == _ALL else "Self")


def _exported_later(node: Node) -> Iterator[Quoted]:
    """Yield the names that a call puts into ``__all__``."""
    function = node.child_by_field_name("function")
    owner = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if owner is None or owner.end_byte - owner.start_byte != len(_ALL) or text(owner) != _ALL or function is None:
        return
    arguments = node.child_by_field_name("arguments")
    if text(function.child_by_field_name("attribute")) in _CHANGES_OF_ALL and arguments is not None:
        for argument in arguments.named_children:
            yield from _listed_strings(argument, "")


def _listed_strings(names: Node, receiver: str) -> Iterator[Quoted]:
    """Yield the names in the strings of a list, or of several that are put together."""
    stack = [names]
    while stack:
        node = stack.pop()
        if node.type == "string" and _QUOTED_NAME.fullmatch(text(node)):
            yield Quoted(node, 1, text(node)[1:-1], receiver, Role.Other)
        elif node.type in _LISTING:
            stack.extend(reversed(node.named_children))
        elif node.type == "pair":
            stack.extend(node.children_by_field_name("key"))
        elif not receiver and node.type != "comment":
            yield Quoted(node, 0, WILDCARD, receiver, Role.Other)


def _quoted_in_call(node: Node) -> Iterator[Quoted]:
    yield from _quoted_cast(node)
    yield from _exported_later(node)


_RECORDS: Final = Records(
    decorators=frozenset("dataclass define mutable frozen attrs s attributes".split()),
    bases=frozenset("NamedTuple TypedDict BaseModel BaseSettings Struct".split()),
    transformer="dataclass_transform",
)
"""What makes types of fields: of ``dataclasses``, ``typing``, attrs, pydantic and msgspec."""

_TAKES_FIELDS = re.compile(
    r"@(?:\w+\.)*(?:attributes|attrs|dataclass|define|frozen|mutable|s)\b"
    r"|\bclass\b[^(]*\((?:[^()]*[,\s.])?(?:BaseModel|BaseSettings|NamedTuple|Struct|TypedDict)\b"
)


_COLLECTING: Final = re.compile(r"[(,](?:\s|#[^\n]*\n)*\*\*\s*(\w+)")


def _collects_arguments(head: str) -> str:
    """Return the parameter of a function that takes named arguments under any name."""
    found = _COLLECTING.search(head)
    return found[1] if found is not None else ""


def _takes_fields(declaration: str) -> bool:
    """Tell whether a class is made of its fields: of ``dataclasses``, ``typing``, and what works like them."""
    return _TAKES_FIELDS.search(declaration) is not None


def _fields_taken(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a generic class is made of whose objects take their fields."""
    body, around = node.child_by_field_name("body"), node.parent
    whole = around if around is not None and around.type == "decorated_definition" else node
    if body is None or not generics.generics(node):
        return terms.UNKNOWN
    head = (whole.text or b"")[: body.start_byte - whole.start_byte].decode(errors="replace")
    return generics.fields_taken(body, spell) if _takes_fields(head) else terms.UNKNOWN


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

_OF_OBJECTS: Final = frozenset(dir(object)) | {"__annotations__", "__dict__", "__module__", "__weakref__"}
"""The members of every object: https://docs.python.org/3/reference/datamodel.html."""

_WITHOUT_MEMBERS: Final = frozenset({"", "ABC", "Generic", "Protocol"})
"""Bases from outside that have no members but those of every object."""


def _external_members(base: str) -> frozenset[str] | None:
    """Return the names of the members of a base from outside; None where they are not known."""
    name = base.partition("<")[0].rpartition(".")[2]
    if name in _WITHOUT_MEMBERS:
        return _OF_OBJECTS
    known = getattr(builtins, name, None)
    return _OF_OBJECTS.union(dir(known)) if isinstance(known, type) else None


_LOWER_TYPES: Final = frozenset(
    name
    for module in (builtins, collections, dt)
    for name, value in vars(module).items()
    if isinstance(value, type) and name[:1].islower()
) - {"object", "property", "classmethod", "staticmethod", "super", "type"}
"""Types of the language and its library that begin with no capital, objects of which are made by calling them."""

_MAKING_MEMBERS: Final = frozenset(
    "Enum Flag IntEnum IntFlag Namespace NamedTuple NewType SimpleNamespace StrEnum TypedDict".split()
)
"""What makes types, or objects, with the members that it is given."""


def _is_external_type(name: str) -> bool:
    """Tell whether something from outside is a type by its name: https://peps.python.org/pep-0008/#class-names."""
    if name in _MAKING_MEMBERS or name.endswith("Mock"):
        return False
    return name[:1].isupper() or name in _LOWER_TYPES


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
    interpreters=("python", "python3", "pypy", "pypy3", "ipython", "uv", "pipx"),
    definitions={
        "class_definition": Defines(
            SymbolKind.Class, bases=spelling.bases, generics=generics.generics, takes=_fields_taken
        ),
        "function_definition": Defines(
            SymbolKind.Function,
            member=SymbolKind.Method,
            parameters=fields("parameters"),
            type=spelling.result,
            takes=generics.takes,
            amends=generics.receives,
            getter=spelling.is_property,
        ),
        "assignment": Defines(
            _assignment_kind,
            member=SymbolKind.Field,
            name=_assigned,
            body=fields(),
            at_once=_assignment,
            type=spelling.type_of,
            made=lambda node, spell: () if _made_from(node) else spelling.listed(node, spell),
            parameter=generics.is_type_variable,
            bases=_made_bases,
            attributes=_assigned_attributes,
        ),
        "augmented_assignment": Defines(
            SymbolKind.Variable,
            name=lambda _node: (),
            body=fields(),
            attributes=lambda node: list(_own_attributes(_looped(node))),
        ),
        "for_statement": Defines(
            SymbolKind.Variable,
            member=SymbolKind.Field,
            name=lambda node: _names(_looped(node)),
            made=spelling.given("left", "right", "*"),
            attributes=lambda node: list(_own_attributes(_looped(node))),
            holds=True,
        ),
        "with_statement": Defines(
            SymbolKind.Variable,
            member=SymbolKind.Field,
            name=lambda node: _names(_entered_targets(node)),
            made=_entered,
            attributes=lambda node: list(_own_attributes(_entered_targets(node))),
            holds=True,
        ),
        "named_expression": Defines(
            SymbolKind.Variable, name=fields("name"), body=fields(), made=spelling.given("name", "value")
        ),
        "type_alias_statement": Defines(
            SymbolKind.Class,
            name=_alias,
            body=fields(),
            type=lambda node: node.child_by_field_name("right"),
            generics=generics.listed,
        ),
    },
    through=frozenset(
        "decorated_definition expression_statement block if_statement elif_clause else_clause try_statement"
        " except_clause finally_clause while_statement match_statement case_clause".split()
    ),
    embedded={"named_expression": b":="},
    wrappers=frozenset({"decorated_definition"}),
    docstring=True,
    bodies=python_bodies.bodies,
    empty_body=b"()",
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
            "parameters": Binds(lambda node: node.named_children, made=_received),
            "lambda_parameters": Binds(lambda node: node.named_children, made=spelling.handed),
            "typed_parameter": Binds(
                lambda node: node.named_children[:1], type=spelling.type_of, made=spelling.collected
            ),
            "default_parameter": Binds(fields("name"), made=spelling.default),
            "typed_default_parameter": Binds(fields("name"), type=spelling.type_of, made=spelling.default),
            "assignment": Binds(fields("left"), hoists=True, type=spelling.type_of, made=spelling.ASSIGNED),
            "augmented_assignment": Binds(fields("left"), hoists=True),
            "named_expression": Binds(fields("name"), hoists=True, made=spelling.given("name", "value")),
            "for_statement": Binds(fields("left"), hoists=True, made=spelling.given("left", "right", "*")),
            "for_in_clause": Binds(fields("left"), made=spelling.given("left", "right", "*")),
            "as_pattern": Binds(_aliased, hoists=True, made=spelling.entered),
            "case_pattern": Binds(_captured, hoists=True),
            "keyword_pattern": Binds(_captured, hoists=True, made=spelling.captured),
            "splat_pattern": Binds(lambda node: node.named_children, hoists=True),
            "type_alias_statement": Binds(_alias, hoists=True),
            "type_parameter": Binds(generics.bound_names, made=generics.bounds, types=True),
        },
        members={"attribute": ("object", "attribute"), "dotted_name": _compared},
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
        renames_by_value=True,
        hidden_imports=_imports_in,
        plain_bases=re.compile(rb"[ \t]*\([ \t]*([\w.]+(?:,[ \t]*[\w.]+)*)[ \t]*\)[ \t]*:\s*"),
        imports={
            "import_statement": _import,
            "import_from_statement": _import_from,
            "future_import_statement": _future_import,
        },
        module_part=_module_part,
        all_names=_ALL,
        twin=_twin,
        binds_in_order=True,
        conditional_imports=True,
        locate=_locate,
        this=frozenset({"self"}),
        own=frozenset({"cls", "Self"}),
        above=frozenset({"super"}),
        predeclared=frozenset(dir(builtins)),
        function_members=frozenset(dir(FunctionType)),
        plain_types=frozenset({"bool", "bytes", "complex", "float", "int", "str"}),
        attributes=True,
        is_own=_is_own,
        terms=spelling.TERMS,
        returns={"return_statement": terms.same(), "yield": spelling.yielded},
        branches=spelling.BRANCHES,
        fillers=spelling.FILLERS,
        puts=spelling.PUTS,
        empty=spelling.EMPTY,
        fills={"class_pattern": spelling.pattern_keys},
        quotes={
            "type": _quoted_types,
            "subscript": _quoted_arguments,
            "assignment": _exported,
            "augmented_assignment": _exported,
            "keyword_argument": _quoted_bound,
            "call": _quoted_in_call,
        },
        common=frozenset(name for kind in (*spelling.BUILT_IN, TextIOWrapper, Exception, object) for name in dir(kind)),
        type_variables=True,
        types_are_values=True,
        class_visible=False,
        keys=frozenset({("keyword_argument", "name"), ("keyword_pattern", "")}),
        collects_arguments=_collects_arguments,
        takes_fields=_takes_fields,
        records=_RECORDS,
        copies=frozenset({"replace", "_replace", "__replace__", "evolve", "copy", "model_copy"}),
        arguments={"keyword_argument": lambda node: node.child_by_field_name("name")},
        collections=spelling.COLLECTIONS,
        protocols=spelling.PROTOCOLS,
        iterates="__iter__",
        classes=frozenset({"__class__"}),
        protocol_bases=frozenset({"Protocol"}),
        external_members=_external_members,
        external_types=_is_external_type,
        member_hooks=frozenset({"__getattr__", "__getattribute__"}),
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
