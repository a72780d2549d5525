"""C: https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3220.pdf.

Macros are not expanded: what a macro hides is not seen, and what the grammar makes of one is taken as it stands.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Final

import re2
from tree_sitter import Node

from leadline_tools.languages import blanking, lexing, terms
from leadline_tools.languages.c import conditions as c_conditions
from leadline_tools.languages.c import declarations as c_declarations
from leadline_tools.languages.c import macro_declarations as c_macro_declarations
from leadline_tools.languages.c import macros as c_macros
from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Look,
    Opens,
    Paths,
    ScopeKind,
    Scoping,
    Written,
    fields,
    made,
    no_module,
    text,
)
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.languages.terms import BARE, FUNCTION, TAGS, UNKNOWN, Spell, applied, either, then
from leadline_tools.model import Role, SymbolKind

_LONGEST_DECLARATOR: Final = 64
_NAMES: Final = frozenset(
    "identifier field_identifier type_identifier primitive_type qualified_identifier destructor_name operator_name"
    " operator_cast template_function structured_binding_declarator".split()
)
_RESERVED: Final = frozenset(
    "auto bool break case char const continue default do double else enum extern float for goto if inline int long"
    " register return short signed sizeof static struct switch typedef union unsigned void volatile while".split()
)
_LONGEST_RESERVED: Final = max(map(len, _RESERVED))
_TAGGED: Final = frozenset({"struct", "union", "enum"})
_TOKEN: Final = re.compile(
    rb"""(?P<nothing>\s+|\\\s|//[^\n]*|/\*.*?\*/)|(?P<text>L?"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    rb"""|(?P<name>[A-Za-z_]\w*)|(?P<other>\d[\w.]*|->|\#\#|.)""",
    re.DOTALL,
)
"""What the text of a macro is made of."""

_NAMED: Final = re.compile(rb"(?<!\w)[A-Za-z_]")
_PASTED: Final = re.compile(rb"[ \t]*##")
_CALLED: Final = re.compile(rb"[ \t]*\(")
_DEDUCED: Final = frozenset({"__auto_type", "__typeof", "__typeof__", "typeof", "typeof_unqual"})
"""What stands for the type of a value: ``__auto_type``, and the operators whose operand the parser is not given."""

_SPECIFIERS: Final = frozenset({"struct_specifier", "union_specifier", "class_specifier", "enum_specifier"})

_CPP_ONLY = re2.compile(
    rb"(?m)^[ \t]*(?:template[ \t]*<|(?:inline[ \t]+)?namespace\b[\s\w:]*(?:\{|$)"
    rb"|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[;=]"
    rb"|class[ \t]+[\w \t:]+(?:[{;]|$)|(?:public|private|protected)[ \t]*:|#[ \t]*include[ \t]*<\w+>|constexpr\b"
    rb"|(?:struct|union)[ \t]+\w+(?:[ \t]+final)?[ \t]*:[ \t]*[A-Za-z_][\w:<>, \t]*\{"
    rb"|enum[ \t]+(?:class|struct)[ \t]+\w|(?:virtual|explicit)[ \t]+[~\w:<>*&, \t]+\("
    rb"|friend[ \t]+(?:class\b|struct\b|[\w:<>*& \t]+\()|mutable[ \t]+[\w:<>*& \t]+[;=]"
    rb"|~\w+\([ \t]*(?:void)?[ \t]*\)[ \t]*(?:[;{=]|noexcept\b|override\b)"
    rb"|[A-Za-z_][\w<>:*&,() \t=]*(?:\w::[A-Za-z_~]|\)[ \t]*=[ \t]*(?:default|delete)[ \t]*;"
    rb"|\boperator[ \t]*(?:[-+*/%<>!&|^]=?|==|!=|~|\[\]|\(\)|->|<<|>>|\+\+|--)[ \t]*\(|\boperator=\("
    rb"|\([^(){};=\n\"]*\w[ \t*&]+\w+[ \t]*=[ \t]*[^=(){};\n\"]+\)[ \t]*(?:;|\{\s*$)))"
    rb"|\)[ \t]*const[ \t]*(?:[;{]|=[ \t]*0|noexcept\b|override\b|final\b)"
    rb"|\bconst[ \t]+[A-Za-z_]\w*(?:<[\w:, \t*]*>)?[ \t]*&[ \t]*(?:\w+[ \t]*)?[,)=;]"
)
"""What no C source has at the start of a line. A header made for both languages is read as C++ with no loss."""

_OBJECTIVE_C_ONLY = re2.compile(rb"(?m)^[ \t]*@(?:interface|protocol|class|import|implementation)[ \t]+\w[^.,]*$")
"""What begins a line of Objective-C; a comment of Doxygen may begin so too, and is prose after that."""

_FRAGMENT = re2.compile(
    rb"(?m)^[ \t]*#(?:include[ \t]*[<\"]|(?:define|undef|ifdef|ifndef)[ \t]+\w|if[ \t!(])"
    rb"|^[A-Za-z_][\w \t*]*[ \t*]\w+[ \t]*\([^;{}()]*\)\s*[;{]"
    rb"|^[ \t]*[A-Za-z_]\w*\([^\n]*\)[ \t]*(?:[,;/\\]|\r?$)"
    rb"|^(?:typedef|struct|union|enum|static|extern|const)\b[^\n]*[;{=]"
)
_NO_FRAGMENT = re2.compile(
    rb"(?m)^\s*<|:=|\?=|\+=[ \t]*\"|^[ \t]*\$\w+[ \t]*=|^[ \t]*(?:;|--)[ \t]*\w|\b(?i:equ|endproc|endm)\b"
    rb"|^[ \t]*[.%](?i:macro|section|globa?l|text|data|byte|word|long|include|set|if|endif|align|org|define)\b"
    rb"|^[ \t]*(?i:procedure|function|unit|uses|begin|program|subroutine|implicit|library|exports|inherit|require)\b"
    rb"|^[ \t]*(?:elif|then|fi|done|esac|local|def|fn|func|import|package)\b"
)
"""What begins lines of C, and what lines of PHP, assembly, Pascal, Fortran, recipes of builds and shells."""

_LONGEST_SEARCHED = 64 << 10
_MAYBE_CPP_MEMBER = re2.compile(
    rb"\b(?:struct|union)[ \t]+(?:\w+)\s*\{(?:[^{}()]*;)?\s*"
    rb"[A-Za-z_][\w:<>, \t*&]*\([^(){};]*\)\s*(?:noexcept\s*|override\s*)?[;{:]"
)
_CPP_MEMBER = re.compile(
    rb"\b(?:struct|union)[ \t]+(?P<type>\w+)\s*\{(?:[^{}()]*;)?\s*"
    rb"(?:(?P=type)|(?:(?:const|static|inline|unsigned|struct|enum)[ \t]+)*[A-Za-z_][\w:]*(?:<[^;{}()]*>)?[\s*&]+"
    rb"[A-Za-z][a-z0-9]\w*)[ \t]*\([^(){};]*\)\s*(?:noexcept\s*|override\s*)?[;{:]"
)
"""A function in a structure: one with a type and a name, or a constructor, before all other parentheses."""


Filled = Iterator[tuple[Node, str]]
"""Names, each with the term of what it is a member of, or is."""


def declared(declarator: Node) -> tuple[Node | None, Node | None]:
    """Return the node of the name that a declarator declares, and its function declarator if that is a function."""
    node, kind = declarator, declarator.type
    function: Node | None = None
    for _ in range(_LONGEST_DECLARATOR):
        if kind in _NAMES:
            break
        if kind == "function_declarator":
            function = node
        elif kind not in ("parenthesized_declarator", "attributed_declarator", "init_declarator"):
            function = None  # a pointer to a function
        inner = node.child_by_field_name("declarator")
        inner = inner or next((c for c in node.named_children if c.type in _NAMES or "declarator" in c.type), None)
        if inner is None:
            return None, None
        node, kind = inner, inner.type
    if kind not in _NAMES:
        return None, None
    if kind == "operator_cast":
        function = node.child_by_field_name("declarator")
    short = node.end_byte - node.start_byte <= _LONGEST_RESERVED
    return (None, None) if short and text(node) in _RESERVED else (node, function)


def specifier(node: Node) -> Node | None:
    """Return the structure, union, class or enumeration that a declaration defines on its way."""
    kind = node.child_by_field_name("type")
    return kind if kind is not None and kind.type in _SPECIFIERS and kind.child_by_field_name("body") else None


def declarators(node: Node) -> Sequence[tuple[Node, Node | None]]:
    """Return what a declaration declares; not a macro after a closing brace, which only looks declared."""
    return _declared_after(node, specifier(node), node.children_by_field_name("declarator"))


def _declared_after(
    node: Node, specified: Node | None, declarators: Sequence[Node]
) -> Sequence[tuple[Node, Node | None]]:
    found: list[tuple[Node, Node | None]] = []
    for declarator in declarators:
        name, function = declared(declarator)
        if name is None or (specified is not None and (function is not None or _is_attribute(node, name))):
            continue
        found.append((name, function))
    return found


def _is_attribute(node: Node, name: Node) -> bool:
    """Tell whether ``name`` in ``struct {} __packed;`` is a macro: such names are not the program's to declare."""
    return node.type != "type_definition" and text(name).startswith("__")


def names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration declares."""
    return _names(declarators(node))


def _names(found: Sequence[tuple[Node, Node | None]]) -> Sequence[Node]:
    return [name for name, _ in found]


def declaration_kind(node: Node) -> SymbolKind:
    """Tell a prototype from a variable."""
    return _kind_of(declarators(node))


def _kind_of(found: Sequence[tuple[Node, Node | None]]) -> SymbolKind:
    return SymbolKind.Function if found and found[0][1] is not None else SymbolKind.Variable


def parameters(node: Node) -> Sequence[Node] | None:
    """Return the names of the parameters of what a declaration declares; ``None`` where that is no function."""
    found = declarators(node)
    function = found[0][1] if found else None
    if function is None:
        return None if node.type != "function_definition" else ()
    return [name for part in function.children_by_field_name("parameters") for name in parameter_names(part)]


def parameter_names(node: Node) -> Iterator[Node]:
    """Yield the names in a parameter list."""
    for parameter in node.named_children:
        if parameter.type == "identifier":  # before C23, without a type
            yield parameter
        declarator = parameter.child_by_field_name("declarator")
        name = declared(declarator)[0] if declarator is not None else None
        if name is not None:
            yield name


def declared_type(node: Node) -> Node | None:
    """Return the type that a declaration spells, the declaration itself where it declares a pointer to a function."""
    if _points_to_function(node):
        return node
    kind = node.child_by_field_name("type")
    return None if kind is not None and kind.type == "type_identifier" and text(kind) in _DEDUCED else kind


def deduced(node: Node, spell: Spell) -> Filled:
    """Give each name that is declared with the type of its value that value."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type != "type_identifier" or text(kind) not in _DEDUCED:
        return
    for declarator in node.children_by_field_name("declarator"):
        name, value = declared(declarator)[0], declarator.child_by_field_name("value")
        if name is not None and value is not None and declarator.type == "init_declarator":
            yield name, spell(value)


def _points_to_function(node: Node) -> bool:
    declarator = node.child_by_field_name("declarator")
    for _ in range(_LONGEST_DECLARATOR):
        if declarator is None or declarator.type in _NAMES:
            return False
        inner = declarator.child_by_field_name("declarator")
        if declarator.type.endswith("function_declarator"):
            return inner is not None and inner.type.endswith("parenthesized_declarator")
        declarator = inner
    return False


def beside(node: Node) -> Sequence[Node]:
    """Return what a declaration defines besides its names: a structure with a name, the members of an enumeration."""
    specified = specifier(node)
    return _besides(specified, _members(node, specified))


def _besides(specified: Node | None, members: Sequence[Node]) -> Sequence[Node]:
    return () if specified is None or members else (specified,)


def members_of(node: Node) -> Sequence[Node]:
    """Return the body of a structure that has no name but that of the declaration."""
    return _members(node, specifier(node))


def _members(node: Node, specified: Node | None) -> Sequence[Node]:
    if specified is None or specified.child_by_field_name("name") is not None:
        return ()
    if specified.type == "enum_specifier" and node.type != "type_definition":
        return ()
    return specified.children_by_field_name("body")


def folded(node: Node) -> Sequence[Node]:
    """Return what does not belong to the signature of a variable: its members or the list of its values."""
    return members_of(node) or _values(node.children_by_field_name("declarator"))


def _values(declarators: Sequence[Node]) -> Sequence[Node]:
    values = (d.child_by_field_name("value") for d in declarators if d.type == "init_declarator")
    return [value for value in values if value is not None and value.type == "initializer_list"]


def _declaration(node: Node) -> Look:
    specified, declarators = specifier(node), node.children_by_field_name("declarator")
    found = _declared_after(node, specified, declarators)
    if specified is None:
        return made(Look, (_kind_of(found), _names(found), _values(declarators), (), True))
    members = _members(node, specified)
    beside = _besides(specified, members)
    return made(Look, (_kind_of(found), _names(found), members or _values(declarators), beside, True))


def _field(node: Node) -> Look:
    specified = specifier(node)
    found = _declared_after(node, specified, node.children_by_field_name("declarator"))
    members = _members(node, specified)
    return made(Look, (SymbolKind.Field, _names(found), members, _besides(specified, members), bool(found)))


def _type(node: Node) -> Look:
    specified = specifier(node)
    found = _declared_after(node, specified, node.children_by_field_name("declarator"))
    members = _members(node, specified)
    return made(Look, (type_kind(node), _names(found), members, _besides(specified, members), True))


_TYPE_KINDS = {"enum_specifier": SymbolKind.Enum, "class_specifier": SymbolKind.Class}


def type_kind(node: Node) -> SymbolKind:
    """Return the kind of what a type definition names: that of the type, whatever points to it."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type not in _SPECIFIERS:
        return SymbolKind.Class
    return _TYPE_KINDS.get(kind.type, SymbolKind.Struct)


_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_DECLARATOR = re.compile(r"(?:\s*\(\s*\*.*|[\s*&]*\w+\s*(?:[:\[].*)?)$")
_TYPE_OPENED = re.compile(r"(?:\b(?:struct|union|enum|class)|\b(?:struct|union|enum|class)\s.*[\w>])$")


_NAME = re.compile(r"\w+")


def head_of(head: str, name: str) -> str:
    """Return what declares one name alone of a declaration up to its body; the name may stand behind the body."""
    if head.startswith("#"):
        return head
    if "," not in head and name in _NAME.findall(head):
        return head
    first, *others = declared_parts(head)
    found = next((part for part in (first, *others) if name in _NAME.findall(part.partition("=")[0])), None)
    if found is first:
        return first
    if found is None and _TYPE_OPENED.search(head) is not None:
        return f"{head} {name}"
    return f"{_DECLARATOR.sub('', first.partition('=')[0].rstrip())} {(found or name).strip()}"


def declared_parts(head: str) -> Sequence[str]:
    """Return what a declaration has between the commas outside of its brackets."""
    parts, start, depth = [], 0, 0
    is_template = "<" in head and head.count("<") == head.count(">")
    for at, sign in enumerate(head):
        depth += _BRACKETS.get(sign, 0) or (is_template and {"<": 1, ">": -1}.get(sign, 0))
        if sign == "," and not depth:
            parts.append(head[start:at])
            start = at + 1
    return [*parts, head[start:]]


# --- What types and values are spelled like


def _result_of_pointer(node: Node, spell: Spell) -> str:
    """Spell the type of a pointer to a function."""
    return applied(FUNCTION, [spell(node.child_by_field_name("type"))])


def _described(node: Node, spell: Spell) -> str:
    """Spell a type that stands alone: of a cast, of a compound literal."""
    return spell(declared_type(node)) if not _points_to_function(node) else _result_of_pointer(node, spell)


def _tag(node: Node, _spell: Spell) -> str:
    """Spell ``struct a``: a name in the name space of tags."""
    name = node.child_by_field_name("name")
    return then(TAGS, f".{text(name)}") if name is not None else UNKNOWN


def _sum(node: Node, spell: Spell) -> str:
    """Spell a pointer and a number: it points to the same type."""
    if text(node.child_by_field_name("operator")) not in ("+", "-"):
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _keyword(node: Node, _spell: Spell) -> Filled:
    """Say of the name after ``struct``, ``union`` or ``enum`` that it is a tag."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, TAGS


def _type_argument(node: Node, _spell: Spell) -> Filled:
    """Read what the grammar makes of ``(a, struct b, c)``, the arguments of a macro: ``c`` can be a member of it."""
    if not node.has_error:
        return
    children = [child for child in node.children if child.is_named]
    for i, child in enumerate(children):
        if i and child.type == "ERROR" and child.named_child_count and text(children[i - 1]) in _TAGGED:
            tag = child.named_children[0]
            yield tag, TAGS
            if i + 1 < len(children) and children[i + 1].type == "identifier":
                yield children[i + 1], then(TAGS, f".{text(tag)}")


def _initialized(node: Node, spell: Spell) -> Filled:
    """Yield the designators of the lists of values that a declaration gives."""
    for declarator in node.children_by_field_name("declarator"):
        value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        if value is not None and value.type == "initializer_list":
            spelled = spell(node.child_by_field_name("type"))
            # Of a structure without a name only the variable tells.
            yield from _designated(value, text(declared(declarator)[0]) if spelled == UNKNOWN else spelled)


def _literal(node: Node, spell: Spell) -> Filled:
    value = node.child_by_field_name("value")
    if value is not None:
        yield from _designated(value, spell(node.child_by_field_name("type")))


def _designated(values: Node, term: str) -> Filled:
    """Yield the designators in a list of values for an object, or for an array of such."""
    waiting = [(values, term)]
    while waiting:
        node, around = waiting.pop()
        for child in node.named_children:
            inner, kind = around, child.type
            if kind == "initializer_pair":
                for one in child.children_by_field_name("designator"):
                    key = one.named_children[0] if one.type == "field_designator" else one
                    if key.type == "field_identifier":
                        yield key, inner
                        inner = then(inner, f".{text(key)}")
                value = child.child_by_field_name("value")
                if value is not None and value.type == "initializer_list":
                    waiting.append((value, inner))
            elif kind == "initializer_list":
                waiting.append((child, around))


def _offset(node: Node, spell: Spell) -> Filled:
    """Yield the member whose place is asked for."""
    member = node.child_by_field_name("member")
    if member is not None and not node.has_error:
        yield member, spell(node.child_by_field_name("type"))


# --- Macros


def _named_scope(node: Node) -> ScopeKind | None:
    """Return the scope of a macro whose text holds a name: what is used there is used in the macro."""
    value = node.child_by_field_name("value")
    named = value is not None and value.text is not None and _NAMED.search(value.text) is not None
    return ScopeKind.Block if named else None


def _words(node: Node) -> Iterator[Written]:
    """Yield the names in the text of a macro."""
    value = node.child_by_field_name("value")
    if value is None or value.text is None:
        return
    before, chain = "", ""
    for token in _TOKEN.finditer(value.text):
        name, kind = token[0].decode("utf-8", "replace"), token.lastgroup
        member = before in (".", "->")
        if kind == "name" and name not in _RESERVED and before != "##":
            receiver = chain if member else TAGS if before in _TAGGED else BARE
            if not _PASTED.match(value.text, token.end()):
                called = _CALLED.match(value.text, token.end()) is not None
                yield Written(value.start_byte + token.start(), name, Role.Call if called else Role.Read, receiver)
            chain = then(chain, f".{name}") if member else name
        elif name not in (".", "->"):
            chain = UNKNOWN
        if kind != "nothing":
            before = name


def is_static(node: Node) -> bool:
    """Tell whether only its file knows a function or a variable by its name."""
    return _is_stored(node, "static")


def _is_stored(node: Node, storage: str) -> bool:
    return any(child.type == "storage_class_specifier" and text(child) == storage for child in node.children)


def is_extern(node: Node) -> bool:
    """Tell whether a declaration leaves it to another one to define what it declares: 6.9.2 of C11."""
    if not _is_stored(node, "extern"):
        around = node.parent  # ``extern "C" int counter;``
        if around is None or around.type != "linkage_specification":
            return False
    return all(one.type != "init_declarator" for one in node.children_by_field_name("declarator"))


def _is_extern_in_block(node: Node) -> bool:
    """Tell the same of a declaration in a block: one of a function needs no word for it (6.2.2 of C11)."""
    return is_extern(node) or _kind_of(declarators(node)) is SymbolKind.Function


_STATIC = re.compile(r"[^(={]*?(?:^|\s)static\s")
_MEMBERS = frozenset({SymbolKind.EnumMember, SymbolKind.Field})
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++")
_EXPORT = re.compile(rb"(?m)^[ \t]*export\b")


def reach(declared: Declared) -> Reach:
    """Tell whether a symbol is seen only where its file is taken in: a member of C++ is static in another way.

    The members of a type have no linkage (6.2.2 of C11): a file that names them includes what declares them, or is
    included after it. The same goes for a macro of a source; one of a header may be what others ask for. A type itself
    can be named anywhere: a file that only declares its tag means the same type (6.2.7). What is defined outside of the
    scope that declares it, as a static member of C++, is named by whoever sees the declaration. A module of C++ is not
    included.
    """
    source = declared.path.lower().endswith(_SOURCES)
    if source and declared.signature.startswith("#"):
        return Reach.Including
    static = not declared.around and _STATIC.match(declared.signature) is not None
    if "::" in declared.signature.partition("(")[0].partition("=")[0]:
        return Reach.Anywhere
    if not static and (declared.kind not in _MEMBERS or _EXPORT.search(declared.content)):
        return Reach.Anywhere
    return Reach.Including if source else Reach.Taking


def is_internal(head: str) -> bool:
    """Tell whether a declaration is one of its file alone: ``static``, or a macro."""
    return head.startswith("#") or _STATIC.match(head) is not None


def _is_macro(_node: Node) -> bool:
    return True


def named(node: Node) -> bool:
    """Tell whether a specifier has a name."""
    return node.child_by_field_name("name") is not None


def _specified(kind: SymbolKind) -> Defines:
    def look(node: Node) -> Look:
        bodies = node.children_by_field_name("body")
        names = node.children_by_field_name("name") if bodies else ()
        return Look(kind if bodies else None, names, bodies, emits=bool(names))

    return Defines(kind, emits=named, space=TAGS, escapes=True, at_once=look)


def _macro_parameters(node: Node) -> Sequence[Node]:
    return [name for part in node.children_by_field_name("parameters") for name in part.named_children]


def _include(node: Node) -> Iterator[Imported]:
    path = node.child_by_field_name("path")
    if path is not None and path.type in ("string_literal", "system_lib_string"):
        yield Imported(text(path), "*", "")


_STANDARD_HEADERS: Final = frozenset(
    (
        "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg"
        " stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time"
        " uchar wchar wctype aio arpa/inet cpio devctl dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv"
        " langinfo libgen libintl monetary mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types poll pthread"
        " pwd regex sched search semaphore spawn strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select"
        " sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname"
        " sys/wait syslog tar termios ulimit unistd utime utmpx wordexp"
    ).split()
)
"""The headers of the standard library (7.1.2 of C23) and of POSIX.1-2024.

A tree with headers of its own for some system keeps them in a folder that only the compiler of that system searches.
"""


def locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of an include: beside the includer, from the root, or the one that lies nearest.

    A header of the standard library in angle brackets is that of the system where it is in none of the usual folders.
    """
    name = module.strip('"<>')
    if name == module:
        return ()  # a namespace
    folder = posixpath.dirname(importer)
    if module.startswith('"') and paths.exists(beside := posixpath.normpath(posixpath.join(folder, name))):
        return (beside,)
    for path in (name, f"include/{name}"):
        if paths.exists(path):
            return (path,)
    if module.startswith("<") and name.removesuffix(".h") in _STANDARD_HEADERS:
        return ()
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    found = sorted(paths.ending("/".join(parts)), key=lambda path: _distance(path, folder)) if parts else []
    if len(found) > 1 and _distance(found[0], folder) == _distance(found[1], folder):
        return ()
    return found[:1]


def _distance(path: str, folder: str) -> tuple[int, int]:
    """Return how far a file lies from a folder: by the folders that they share, then by how deep it is."""
    parts, folders = path.split("/"), folder.split("/")
    return -sum(1 for _ in takewhile(bool, map(eq, parts, folders))), len(parts)


def header_dialect(path: str, content: bytes) -> str:
    """Tell whether a header is Objective-C or C++ by what only these have."""
    if not path.lower().endswith(".h"):
        return "c"
    if b"@" in content and _OBJECTIVE_C_ONLY.search(content) and b"__OBJC__" not in content:
        return "objc"
    return _c_or_cpp(content)


def _c_or_cpp(content: bytes) -> str:
    return "cpp" if _CPP_ONLY.search(content) or _has_member_function(content) else "c"


def fragment(content: bytes) -> str:
    """Return ``c`` or ``cpp`` for directives, functions or calls of macros in lines of their own, else nothing."""
    return _c_or_cpp(content) if _FRAGMENT.search(content) and not _NO_FRAGMENT.search(content) else ""


def _has_member_function(content: bytes) -> bool:
    """Tell whether a structure of a header has a function; a long header says in many ways that it is C++."""
    found = _MAYBE_CPP_MEMBER.finditer(content) if len(content) <= _LONGEST_SEARCHED else ()
    return any(_CPP_MEMBER.match(content, one.start()) for one in found)


DEFINITIONS = {
    "preproc_def": Defines(SymbolKind.Constant, body=fields(), inner=_is_macro, top=True, repeats=True),
    "preproc_function_def": Defines(
        SymbolKind.Function, body=fields("value"), parameters=_macro_parameters, inner=_is_macro, top=True
    ),
    "function_definition": Defines(
        SymbolKind.Function, name=names, parameters=parameters, type=declared_type, inner=is_static, local=False
    ),
    "declaration": Defines(
        declaration_kind,
        parameters=parameters,
        type=declared_type,
        beside=beside,
        inner=is_static,
        extern=is_extern,
        local=False,
        repeats=True,
        at_once=_declaration,
    ),
    "field_declaration": Defines(SymbolKind.Field, type=declared_type, beside=beside, repeats=True, at_once=_field),
    "type_definition": Defines(
        SymbolKind.Class, name=names, body=members_of, type=declared_type, beside=beside, at_once=_type
    ),
    "struct_specifier": _specified(SymbolKind.Struct),
    "union_specifier": _specified(SymbolKind.Struct),
    "enum_specifier": _specified(SymbolKind.Enum),
    "enumerator": Defines(SymbolKind.EnumMember, body=fields(), escapes=True),
}
THROUGH = frozenset(
    "preproc_if preproc_ifdef preproc_elif preproc_elifdef preproc_else linkage_specification declaration_list"
    " ERROR".split()
)
JUMP_LABELS = frozenset({"statement_identifier"})
IDENTIFIERS = frozenset({"identifier", "field_identifier", "type_identifier"}) | JUMP_LABELS
SCOPES: Mapping[str, Opens] = {
    "function_definition": ScopeKind.Function,
    "function_declarator": ScopeKind.Block,
    "preproc_function_def": ScopeKind.Block,
    "preproc_def": _named_scope,
    "compound_statement": ScopeKind.Block,
    "for_statement": ScopeKind.Block,
    "field_declaration_list": ScopeKind.Class,
    "enumerator_list": ScopeKind.Open,
    "namespace_definition": ScopeKind.Namespace,
}
BINDS = {
    "function_definition": Binds(lambda node: parameters(node) or ()),
    "parameter_declaration": Binds(names, type=declared_type),
    "declaration": Binds(names, type=declared_type, made=deduced, extern=_is_extern_in_block),
    "labeled_statement": Binds(fields("label"), hoists=True),  # a label has the scope of its function: 6.2.1
    "preproc_params": Binds(lambda node: node.named_children),
}
MEMBERS = {"field_expression": ("argument", "field")}
ROLES = {
    ("call_expression", "function"): Role.Call,
    ("assignment_expression", "left"): Role.Write,
    ("update_expression", "argument"): Role.Write,
    ("attribute_specifier", ""): Role.Decorator,
    ("attribute_declaration", ""): Role.Decorator,
    ("attribute", "name"): Role.Decorator,
}
KEYS = frozenset({("field_designator", ""), ("offsetof_expression", "member")})
OPAQUE = frozenset({"subscript_expression", "pointer_expression", "call_expression"})
TERMS = {
    "pointer_expression": terms.same("argument"),
    "subscript_expression": terms.same("argument"),
    "update_expression": terms.same("argument"),
    "parenthesized_expression": terms.same(),
    "cast_expression": terms.same("type"),
    "compound_literal_expression": terms.same("type"),
    "assignment_expression": terms.same("left"),
    "comma_expression": terms.same("right"),
    "conditional_expression": terms.one_of("consequence", "alternative"),
    "binary_expression": _sum,
    "call_expression": terms.stepped("function", "()"),
    "type_descriptor": _described,
    **dict.fromkeys(("declaration", "field_declaration", "parameter_declaration"), _result_of_pointer),
    **dict.fromkeys(("type_definition", "function_definition"), _result_of_pointer),
}
"""A pointer, what it points to and an array of that are spelled alike: the members are the same."""

FILLS = {"declaration": _initialized, "compound_literal_expression": _literal, "offsetof_expression": _offset}
TEXTS = {"preproc_def": _words, "preproc_function_def": _words}
IMPORTS = {"preproc_include": _include}

_KEYWORDS = frozenset(
    (
        "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local alignas "
        "alignof asm auto bool break case char const constexpr continue default do double else enum extern false "
        "float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert "
        "struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while"
    ).split()
)


def _textual(path: str, content: bytes) -> bool:
    return c_source.only_lists(content) or (path.lower().endswith(".h") and c_source.only_defines(content))


def _besides_macros(content: bytes) -> blanking.Bodies | None:
    """Return what is left out of a header of macros to find what else it declares: the lines that define them."""
    if c_source.only_lists(content) or not c_source.declares(content):
        return None
    return c_declarations.bodies(content)._replace(told=())


LANGUAGE = Language(
    name="c",
    extensions=(".c", ".h"),
    fragments=(".inc", ".def"),
    fragment=fragment,
    grammar=("tree_sitter_c", "language"),
    definitions=DEFINITIONS,
    through=THROUGH,
    module=no_module,
    masked=c_source.masked,
    head=head_of,
    selected=c_source.selected,
    bodies=c_declarations.bodies,
    directives=c_declarations.macros,
    textual=_textual,
    besides=_besides_macros,
    dialect=header_dialect,
    lexis=lexing.C,
    keywords=_KEYWORDS,
    reach=reach,
    scoping=Scoping(
        identifiers=IDENTIFIERS,
        types=frozenset({"type_identifier"}),
        scopes=SCOPES,
        binds=BINDS,
        members=MEMBERS,
        roles=ROLES,
        imports=IMPORTS,
        including=frozenset(IMPORTS),
        spaced=True,  # headers may be C++
        linked=True,
        may_declare_by_macro=c_macros.may_declare_by_macro,
        pasted_names=c_macros.pasted_names,
        conditions=c_conditions.conditions,
        jump_labels=JUMP_LABELS,
        macro_entries=c_macro_declarations.entries,
        space_opened=c_macros.space_opened,
        opens_space=c_macros.opens_space,
        member_needs_receiver=True,
        internal=is_internal,
        passes_on=True,
        types_apart=True,
        locate=locate,
        terms={
            **TERMS,
            **dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), _tag),
        },
        fills={
            **FILLS,
            **dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), _keyword),
            "argument_list": _type_argument,
        },
        texts=TEXTS,
        keys=KEYS,
        opaque=OPAQUE,
    ),
)
