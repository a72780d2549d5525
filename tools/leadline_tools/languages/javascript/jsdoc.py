"""Documentation comments of JavaScript: their tags, and the types and imports that they declare.

https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript.jsdoc_types import import_alias, read_type, type_term
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.types import Documentation, DocumentedMember, DocumentedType
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.terms import BARE, FUNCTION, UNKNOWN
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role

_TAG = lazy_compile(r"@([A-Za-z]+)(?![\w-])")
_NAME = lazy_compile(r"\s*\[?\s*([\w$]+(?:\[\])?(?:\.[\w$]+(?:\[\])?)*)")
_TEMPLATE = lazy_compile(r"\s*((?:const\s+)?\[?\s*[\w$]+[^,\n]*(?:,\s*\[?[\w$]+[^,\n]*)*)")
_WORD = lazy_compile(r"[\w$]+")
_SPACE = lazy_compile(r"\s*")
_OBJECT = lazy_compile(r"\s*(?:Object|object|)\s*(\[\])?\s*=?\s*")
_DECLARING = (b"@typedef", b"@callback")
_IMPORTING = (b"@import", b"import(")
_IMPORT_TYPE = lazy_compile(r"""import\((?<!\wimport\()\s*["']([^"'\n]+)["']\s*(?:,[^()]*)?\)(?:\s*\.\s*([\w$]+))?""")
_IMPORT_TAG = lazy_compile(
    r"""(?:type\s+)?(?:(?P<default>[\w$]+)\s*,?\s*)?(?:\{(?P<names>[^{}]*)\}|\*\s*as\s+(?P<space>[\w$]+))?"""
    r"""\s*from\s*["'](?P<module>[^"'\n]+)["']"""
)
_AS = lazy_compile(r"(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?")
_PARAMETERS = frozenset({"param", "arg", "argument"})
_RETURNS = frozenset({"returns", "return"})
_PROPERTIES = frozenset({"property", "prop"})
_TYPED = (
    _PARAMETERS
    | _RETURNS
    | _PROPERTIES
    | frozenset("type typedef this extends augments implements enum satisfies template throws exception".split())
)
"""The tags whose types are read."""

_SHORTEST = len("/**@a {b}*/") - 1
_TYPE_TAGS = frozenset({"typedef", "callback"})
_TYPE = frozenset({"type"})
_THIS = frozenset({"this"})


class Tag(NamedTuple):
    """A tag of a comment: its name, where it begins, its type and where that begins, and what follows it."""

    name: str
    start: int
    type: str
    type_start: int
    rest: str
    rest_start: int


@lru_cache(256)
def tags(comment: str) -> Sequence[Tag]:
    """Return the tags of a comment in their order; places are counted from its beginning."""
    if "@" not in comment:
        return ()
    plain = _plain(comment)
    found = [one for one in _TAG.finditer(plain) if _begins_line(plain, one.start())]
    ends = [*(one.start() for one in found[1:]), len(plain)]
    return [_tag(plain, one, end) for one, end in zip(found, ends, strict=False)]


@lru_cache(256)
def _plain(comment: str) -> str:
    """Return a comment with blanks in place of what begins and ends it, and of the stars that begin its lines."""
    lines = f"   {comment[3:-2]}  ".split("\n")
    for number, line in enumerate(lines):
        written = line.lstrip(" \t")
        if written.startswith("*") and not written.startswith("*/"):
            lines[number] = " " * (len(line) - len(written) + 1) + written[1:]
    return "\n".join(lines)


def _begins_line(plain: str, place: int) -> bool:
    """Return whether only blanks are before a place on its line."""
    before = plain[plain.rfind("\n", 0, place) + 1 : place]
    return not before.strip(" \t")


def _tag(plain: str, found: re.Match[str], end: int) -> Tag:
    space = _SPACE.match(plain, found.end(), end)
    at = space.end() if space is not None else end
    closing = _closing_brace(plain, at, end) if plain[at : at + 1] == "{" else -1
    if closing < 0:
        return Tag(found[1], found.start(1) - 1, "", at, plain[at:end], at)
    return Tag(found[1], found.start(1) - 1, plain[at + 1 : closing], at + 1, plain[closing + 1 : end], closing + 1)


def _closing_brace(plain: str, at: int, end: int) -> int:
    first = plain.find("}", at, end)
    if first < 0 or plain.find("{", at + 1, first) < 0:
        return first
    depth = 0
    for place in range(at, end):
        sign = plain[place]
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return place
    return -1


def type_parameters(comment: str) -> frozenset[str]:
    """Return the names that ``@template`` declares."""
    if "@template" not in comment:
        return frozenset()
    listed = (_TEMPLATE.match(tag.rest) for tag in tags(comment) if tag.name == "template")
    parts = (part for one in listed if one is not None for part in one[1].split(","))
    words = (_WORD.findall(part) for part in parts)
    return frozenset(word for found in words for word in found[: 2 if found[:1] == ["const"] else 1])


# --- What a comment says of what follows it


def spell_declared_type(comment: str) -> str:
    """Return the term of the type that ``@type`` gives; UNKNOWN for none."""
    return _first_type(comment, _TYPE) if "@type" in comment else UNKNOWN


def result_type(comment: str) -> str:
    """Return the term of what a function returns; UNKNOWN for none."""
    return _first_type(comment, _RETURNS) if "@return" in comment else UNKNOWN


def this_type(comment: str) -> str:
    """Return the term of the type of ``this`` in a function; UNKNOWN for none."""
    return _first_type(comment, _THIS) if "@this" in comment else UNKNOWN


def _first_type(comment: str, names: frozenset[str]) -> str:
    tag = next((one for one in tags(comment) if one.name in names and one.type), None)
    return type_term(tag.type, type_parameters(comment)) if tag is not None else UNKNOWN


def parameter_types(comment: str, names: Sequence[str]) -> Sequence[str]:
    """Return the terms of the types of parameters; a pattern has the name "" and is told by its place."""
    documented = _spell_documented_parameters(comment)
    if not documented:
        return ()
    unknown = type_parameters(comment)
    listed = list(documented)
    found: list[str] = []
    for number, name in enumerate(names):
        by_place = listed[number] if number < len(listed) and not (name or listed[number] in names) else ""
        spelled = documented.get(name or by_place, "")
        found.append(type_term(spelled, unknown) if spelled else UNKNOWN)
    return found


_NAMES_PARAMETER = lazy_compile(r"@(?:param|arg|argument)\s+(?:\{.*\}\s*)?\[?\s*([\w$]+)")


def find_documented_parameter(line: str, name: str) -> int:
    """Return where ``@param {type} name`` names a parameter in a line, -1 where it does not.

    https://jsdoc.app/tags-param
    """
    found = _NAMES_PARAMETER.search(line) if "@" in line else None
    return found.start(1) if found is not None and found[1] == name else -1


def documents_parameters(comment: str) -> bool:
    """Return whether a comment may give types to parameters."""
    return "@param" in comment or "@arg" in comment


@lru_cache(256)
def _spell_documented_parameters(comment: str) -> Mapping[str, str]:
    return _parameters(tags(comment)) if documents_parameters(comment) else {}


def _parameters(found: Sequence[Tag]) -> Mapping[str, str]:
    """Return the types of parameters by their names, in their order: what has documented members is written out."""
    own, members = _find_named_tags(found, _PARAMETERS)
    return {owner: _with_members(tag.type, members.get(owner)) for owner, (tag, _) in own.items()}


def _find_named_tags(
    found: Sequence[Tag], names: frozenset[str]
) -> tuple[dict[str, tuple[Tag, int]], dict[str, list[str]]]:
    """Return the first tag of each thing that tags document, with its place, and the members written out by its name.

    A tag may document a member of a thing that another one documents: ``owner.member``.
    """
    own: dict[str, tuple[Tag, int]] = {}
    members: dict[str, list[str]] = {}
    for tag in found:
        named = _NAME.match(tag.rest) if tag.name in names else None
        if named is None:
            continue
        owner, dot, member = named[1].replace("[]", "").partition(".")
        if not dot:
            own.setdefault(owner, (tag, tag.rest_start + named.start(1)))
        elif "." not in member:
            members.setdefault(owner, []).append(f"{member}: {tag.type or 'any'}")
    return own, members


def _with_members(written: str, members: Sequence[str] | None) -> str:
    """Return a type as it is written; one that is only an object with its documented members."""
    plain = _OBJECT.fullmatch(written) if members else None
    return f"{{{', '.join(members or ())}}}{plain[1] or ''}" if plain is not None else written


# --- What a comment mentions


def type_names(node: Node) -> Iterator[Written]:
    """Yield the names in the types of a comment, in their order."""
    raw = (node.text or b"") if node.end_byte - node.start_byte > _SHORTEST else b""
    if not raw.startswith(b"/**") or b"@" not in raw or b"{" not in raw:
        return
    comment = raw.decode("utf-8", "replace")
    place = _Place(comment, node.start_byte)
    unknown = type_parameters(comment)
    for tag in tags(comment):
        if tag.name == "import":
            yield from _read_imported_names(tag, place)
        elif tag.type and tag.name in _TYPED:
            for one in read_type(tag.type, unknown).names:
                yield Written(place.at(tag.type_start + one.start), one.name, Role.Type, one.owner)


def in_braces_of_comment(offset: int, content: bytes) -> bool:
    """Return whether a byte of a source may be one of a type in a documentation comment."""
    start = content.rfind(b"/**", 0, offset)
    inside = start >= 0 and content.find(b"*/", start + 3, offset) < 0
    return inside and content.rfind(b"{", start, offset) > content.rfind(b"}", start, offset)


def _read_imported_names(tag: Tag, place: _Place) -> Iterator[Written]:
    """Yield the names that ``@import { a as b } from "./c"`` takes."""
    documented = _IMPORT_TAG.match(f"{{{tag.type}}}{tag.rest}") if tag.type else None
    if documented is not None:
        for part in _AS.finditer(tag.type):
            owner = import_alias(documented["module"], "")
            yield Written(place.at(tag.type_start + part.start(1)), part[1], Role.Type, owner)
            if part[2]:
                yield Written(place.at(tag.type_start + part.start(2)), part[2], Role.Type, BARE)


# --- What comments declare


@lru_cache(2)
def documentation(content: bytes) -> Documentation:
    """Return the types that the comments of a source declare, and what they import."""
    declares = any(sign in content for sign in _DECLARING)
    if not declares and not any(sign in content for sign in _IMPORTING):
        return Documentation((), ())
    types: list[DocumentedType] = []
    imports: dict[str, Imported] = {}
    for start, comment in _comments(content):
        if b"import" in comment and (b"@import" in comment or b"import(" in comment):
            imports.update((one.alias, one) for one in _imports(comment.decode("utf-8", "replace")))
        if declares and (b"@typedef" in comment or b"@callback" in comment):
            types += _types(comment, start)
    return Documentation(types, list(imports.values()))


def _comments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the documentation comments of a source, each with the byte at which it begins."""
    start = content.find(b"/**")
    while start >= 0:
        end = content.find(b"*/", start + 3)
        if end < 0:
            return
        if content.startswith(b"/", start + 3):  # an empty comment
            start = content.find(b"/**", start + 1)
        else:
            yield start, content[start : end + 2]
            start = content.find(b"/**", end + 2)


def _imports(comment: str) -> Iterator[Imported]:
    for found in _IMPORT_TYPE.finditer(_plain(comment)):
        module, name = found[1], found[2] or ""
        yield Imported(f'"{module}"', name or "exports", import_alias(module, name))
        if name:
            yield Imported(f'"{module}"', "exports", import_alias(module, ""))
    for tag in tags(comment) if "@import" in comment else ():
        documented = (
            _IMPORT_TAG.match(f"{{{tag.type}}}{tag.rest}" if tag.type else tag.rest) if tag.name == "import" else None
        )
        if documented is not None:
            yield from _of_tag(documented)


def _of_tag(documented: re.Match[str]) -> Iterator[Imported]:
    module = f'"{documented["module"]}"'
    yield Imported(module, "exports", import_alias(documented["module"], ""))
    if documented["default"]:
        yield Imported(module, "default", documented["default"])
    if documented["space"]:
        yield Imported(module, "exports", documented["space"])
    for part in (documented["names"] or "").split(","):
        named = _AS.fullmatch(part.strip())
        if named is not None:
            yield Imported(module, named[1], named[2] or named[1])


def _types(comment: bytes, start: int) -> Iterator[DocumentedType]:
    """Yield the types that a comment declares, which begins at a byte."""
    spelled = comment.decode("utf-8", "replace")
    found = tags(spelled)
    unknown = type_parameters(spelled)
    begins = [number for number, tag in enumerate(found) if tag.name in _TYPE_TAGS]
    place = _Place(spelled, start)
    for number, end in pairwise((*begins, len(found))):
        tag, inside = found[number], found[number + 1 : end]
        named = _NAME.match(tag.rest)
        if named is None or "." in named[1]:
            continue
        span = place.at(tag.start), place.at(found[end].start if end < len(found) else len(spelled))
        documented = _Said(named[1], place.at(tag.rest_start + named.start(1)), span)
        yield (
            _callback(documented, inside, unknown)
            if tag.name == "callback"
            else _typedef(documented, tag, inside, unknown, place)
        )


class _Said(NamedTuple):
    """The name of a type that a tag declares, where it begins, and the bytes of all that the tag says."""

    name: str
    start: int
    span: tuple[int, int]


class _Place:
    """Tells the byte of a source at which a character of a comment stands."""

    def __init__(self, comment: str, start: int) -> None:
        self._comment = comment
        self._start = start
        self._plain = comment.isascii()

    def at(self, character: int) -> int:
        """Return the byte of a character."""
        return self._start + (character if self._plain else len(self._comment[:character].encode()))


def _callback(documented: _Said, inside: Sequence[Tag], unknown: frozenset[str]) -> DocumentedType:
    """Return a function type."""
    taken = [type_term(spelled, unknown) if spelled else UNKNOWN for spelled in _parameters(inside).values()]
    returned = next((tag.type for tag in inside if tag.name in _RETURNS and tag.type), "")
    result = type_term(returned, unknown) if returned else UNKNOWN
    while taken and taken[-1] == UNKNOWN:
        taken.pop()
    return DocumentedType(
        documented.name, documented.start, documented.span, terms.apply_type_arguments(FUNCTION, [result, *taken])
    )


def _typedef(
    documented: _Said, tag: Tag, inside: Sequence[Tag], unknown: frozenset[str], place: _Place
) -> DocumentedType:
    """Return an object type of documented properties, or what a type is another name for."""
    spelled = tag.type or next((one.type for one in inside if one.name == "type"), "")
    members = list(_properties(inside, unknown, place)) if _OBJECT.fullmatch(spelled) is not None else []
    if members:
        return DocumentedType(documented.name, documented.start, documented.span, "", members)
    type_start = tag.type_start if tag.type else -1
    written = read_type(spelled, unknown)
    if type_start >= 0 and written.members:
        listed = [
            DocumentedMember(one.name, place.at(type_start + one.start), terms.shorten_term(one.type or UNKNOWN))
            for one in written.members
        ]
        return DocumentedType(documented.name, documented.start, documented.span, "", listed, written.joined)
    return DocumentedType(documented.name, documented.start, documented.span, written.term)


def _properties(inside: Sequence[Tag], unknown: frozenset[str], place: _Place) -> Iterator[DocumentedMember]:
    """Yield the members of the tags ``@property``, those of members written into their types."""
    own, members = _find_named_tags(inside, _PROPERTIES)
    for name, (tag, start) in own.items():
        spelled = _with_members(tag.type, members.get(name))
        yield DocumentedMember(name, place.at(start), read_type(spelled, unknown).term)
