"""Scopes of C: what opens them, who sees a name, and the names in the text of macros.

*Linkage* says whether other files mean the same thing by a name: not for ``static``. A *reach* is the set of files that
may name a symbol. See 6.2 of https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3220.pdf.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.c.outline import RESERVED, classify_declared, list_declared
from leadline_tools.languages.c.types import TAGGED
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.terms import BARE, TAGS, UNKNOWN, then
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_TOKEN: Final = lazy_compile(
    rb"""(?P<nothing>\s+|\\\s|//[^\n]*|/\*.*?\*/)|(?P<text>L?"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    rb"""|(?P<name>[A-Za-z_]\w*)|(?P<other>\d[\w.]*|->|\#\#|.)""",
    re.DOTALL,
)
"""What the text of a macro is made of."""

_NAMED: Final = lazy_compile(rb"(?<!\w)[A-Za-z_]")
_PASTED: Final = lazy_compile(rb"[ \t]*##")
_CALLED: Final = lazy_compile(rb"[ \t]*\(")
_DEFINED: Final = lazy_compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_FIRST_NAME: Final = lazy_compile(rb"[A-Za-z_]\w*")


def open_macro_scope(node: Node) -> ScopeKind | None:
    """Return the scope of a macro whose text holds a name: what is used there is used in the macro."""
    value = node.child_by_field_name("value")
    named = value is not None and value.text is not None and _NAMED.search(value.text) is not None
    return ScopeKind.Block if named else None


def read_macro_words(node: Node) -> Iterator[Written]:
    """Yield the names in the text of a macro."""
    value = node.child_by_field_name("value")
    if value is None or value.text is None:
        return
    parameters = _list_parameters(node) if b"#" in value.text else frozenset()
    before, chain = "", ""
    for token in _TOKEN.finditer(value.text):
        name, kind = token[0].decode("utf-8", "replace"), token.lastgroup
        member = before in (".", "->")
        if name in parameters and (before in ("#", "##") or _PASTED.match(value.text, token.end())):
            yield Written(value.start_byte + token.start(), name, Role.Read, BARE)
            chain = UNKNOWN
        elif kind == "name" and name not in RESERVED and before != "##":
            receiver = chain if member else TAGS if before in TAGGED else BARE
            if not _PASTED.match(value.text, token.end()):
                called = _CALLED.match(value.text, token.end()) is not None
                yield Written(value.start_byte + token.start(), name, Role.Call if called else Role.Read, receiver)
            chain = then(chain, f".{name}") if member else name
        elif name not in (".", "->"):
            chain = UNKNOWN
        if kind != "nothing":
            before = name


def _list_parameters(node: Node) -> frozenset[str]:
    """Return the names of the parameters of a macro."""
    parameters = node.child_by_field_name("parameters")
    return frozenset(map(text, parameters.named_children if parameters is not None else ()))


def read_undefined(node: Node) -> Iterator[Written]:
    """Yield the macro that ``#undef`` ends."""
    directive, name = node.child_by_field_name("directive"), node.child_by_field_name("argument")
    if directive is None or name is None or name.text is None or not (directive.text or b"").endswith(b"undef"):
        return
    found = _FIRST_NAME.match(name.text)
    if found is not None and _ends_known(root_of(node).text or b"", found[0], node.start_byte):
        yield Written(name.start_byte + found.start(), found[0].decode(), Role.Read, BARE)


def _ends_known(content: bytes, name: bytes, place: int) -> bool:
    """Return whether ``#undef`` ends the macro that its file defines, or one of another file where it defines none.

    What it ends before its file defines the macro is one of another file, which the name does not lead to.
    """
    first = next((one.start() for one in _DEFINED.finditer(content) if one[1] == name), None)
    return first is None or first < place


def is_static(node: Node) -> bool:
    """Return whether only its file knows a function or a variable by its name."""
    return _has_storage(node, "static")


def _has_storage(node: Node, storage: str) -> bool:
    return any(child.type == "storage_class_specifier" and text(child) == storage for child in node.children)


def is_extern(node: Node) -> bool:
    """Return whether a declaration leaves it to another one to define what it declares: 6.9.2 of C11."""
    if not _has_storage(node, "extern"):
        around = node.parent  # ``extern "C" int counter;``
        if around is None or around.type != "linkage_specification":
            return False
    return all(one.type != "init_declarator" for one in node.children_by_field_name("declarator"))


def is_extern_in_block(node: Node) -> bool:
    """Tell the same of a declaration in a block: one of a function needs no word for it (6.2.2 of C11)."""
    return is_extern(node) or classify_declared(list_declared(node)) is SymbolKind.Function


_TAG = lazy_compile(r"\b(?:struct|union|enum)\s+$")


def names_type(before: str, _after: str) -> bool | None:
    """Return whether a name is a tag; None for any other, among which types have no name space: 6.2.3 of C11."""
    return True if _TAG.search(before) is not None else None


_STATIC = lazy_compile(r"[^(={]*?(?:^|\s)static\s")
_MEMBERS = frozenset({SymbolKind.EnumMember, SymbolKind.Field})
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++")
_EXPORT = lazy_compile(rb"(?m)^[ \t]*export\b")


def find_reach(declared: Declared) -> Reach:
    """Return whether a symbol is seen only where its file is taken in: a member of C++ is static in another way.

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
    """Return whether a declaration is one of its file alone: ``static``, or a macro."""
    return head.startswith("#") or _STATIC.match(head) is not None
