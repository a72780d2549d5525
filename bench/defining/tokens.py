"""Identifiers drawn by seed, uniformly over all that stand in the code of a tree.

Words are drawn from the text of all files, and those are kept that the grammar has as identifiers: every identifier is
as likely as every other, and only the files that hold one that is drawn are parsed.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.index.index import Index
from leadline_tools.languages import LANGUAGES, language_in
from truth.record import Place

HALVES = ("tune", "kept")
"""The halves of a drawing: one to develop with, one that is counted only."""

FRESH = "fresh"
"""What stands for a half in the drawing of a tree that no rule was changed for: the whole of it is counted only."""

_SPARE = 30
"""Words drawn at most for each identifier that is wanted: the others are in comments, strings or keywords."""

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_IMPORT = re.compile(
    r"(^|_)import(_|$)|^(export_specifier|namespace_export|package_clause|package_declaration|use_|namespace_use_|using_directive)"
)
_ARGUMENT = re.compile(r"^(keyword_argument|pair|keyed_element|field_designator|initializer_pair|field_initializer)$")
_DECLARES = re.compile(
    r"definition|declaration|declarator|_spec$|parameter|enumerator|enum_assignment|enum_constant|signature|class$"
    r"|function_expression|generator_function|preproc_def|preproc_function_def|catch_clause|element_value|method_elem|_item$"
    r"|^(singleton_)?method$|^module$|_element$"
)
_CALL = re.compile(
    r"^((nullsafe_)?(function_|member_|scoped_)?call(_expression)?|method_invocation|invocation_expression|new_expression"
    r"|object_creation_expression|macro_invocation)$"
)
_MEMBER = re.compile(
    r"^(attribute|member_expression|selector_expression|field_expression|field_access|method_reference|subscript_member"
    r"|member_access_expression|scoped_property_access_expression|class_constant_access_expression|conditional_access_expression"
    r"|method_invocation|qualified_type|nested_type_identifier|scoped_identifier|scoped_type_identifier)$"
)
_TYPE = re.compile(
    r"^type$|type_identifier$|^type_(annotation|arguments|parameter|list|elem)|^class_heritage$|^named_type$"
)
_STATEMENT = re.compile(r"statement|declaration|definition|^block$|body$")
_WITH_AT = frozenset({"instance_variable", "class_variable"})
_IDENTIFIER = re.compile(r"identifier$|^(name|constant|(instance|class|global)_variable)$")
_LAST = frozenset({"attribute", "property", "field", "name"})


class Sort(StrEnum):
    """What kind of token an identifier is, as the grammar has it."""

    Declaration = "declaration"
    Call = "call"
    Attribute = "attribute"
    Keyword = "keyword"
    Import = "import"
    Type = "type"
    Name = "plain name"


class Token(NamedTuple):
    """An identifier that was drawn: where it stands, how it is spelled, what it is, and which half has it."""

    place: Place
    name: str
    sort: Sort
    half: str


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    language: str
    content: bytes


def draw(
    index: Index,
    languages: Collection[str],
    number: int,
    seed: int,
    accepts: Callable[[str], bool],
    parts: Sequence[str] = HALVES,
) -> list[Token]:
    """Return identifiers of accepted files in some languages, in the order of paths, dealt in turn to some parts."""
    files = [file for file in _files(index, languages) if accepts(file.path)]
    ends: list[int] = []
    for file in files:
        ends.append((ends[-1] if ends else 0) + sum(1 for _ in _WORD.finditer(file.content)))
    words = _words(ends, number, seed)
    found: list[tuple[Place, str, Sort]] = []
    while len(found) < number and (batch := list(islice(words, number))):
        wanted: defaultdict[int, set[int]] = defaultdict(set)
        for at, word in batch:
            wanted[at].add(word)
        here = {(at, word): one for at, of in wanted.items() for word, one in _identifiers(files[at], of).items()}
        found += [here[one] for one in batch if one in here]
    return sorted(Token(*one, parts[i % len(parts)]) for i, one in enumerate(found[:number]))


def _words(ends: Sequence[int], number: int, seed: int) -> Iterator[tuple[int, int]]:
    """Yield words of files in an order drawn by seed, each by the number of its file and its number in it."""
    total = ends[-1] if ends else 0
    for word in random.Random(seed).sample(range(total), min(total, _SPARE * number)):
        file = bisect_left(ends, word + 1)
        yield file, word - (ends[file - 1] if file else 0)


def function_spans(content: bytes, language: str) -> list[tuple[int, int]]:
    """Return the first and the last line of everything in a file that has names of its own, functions and the like."""
    return [
        (node.start_point[0] + 1, node.end_point[0] + 1)
        for node in _walk(LANGUAGES[language].parser().parse(content).root_node)
        if node.is_named and node.parent is not None and _INNER.search(node.type)
    ]


_INNER = re.compile(
    r"function|method|lambda|closure|constructor|arrow|compreh|generator|initializer|^func_|preproc_|^(class|struct|trait"
    r"|interface|impl|enum|record|type)_|call_signature|catch|^for_|conditional_type|mapped_type|^(do_)?block$|index_signature"
)


def _files(index: Index, languages: Collection[str]) -> Iterator[_File]:
    for path in sorted(index.files.paths):
        if language_in(path, b"") is None:
            continue
        source = index.try_read(path)
        language = language_in(path, source.content) if source is not None else None
        if source is not None and language is not None and language.name in languages:
            yield _File(path, language.name, source.content)


def _identifiers(file: _File, words: Collection[int]) -> Mapping[int, tuple[Place, str, Sort]]:
    """Return those of the words of a file, by their number, that the grammar has as identifiers."""
    starts = {match.start(): i for i, match in enumerate(_WORD.finditer(file.content)) if i in words}
    found: dict[int, tuple[Place, str, Sort]] = {}
    lines = file.content.split(b"\n")
    for node in _walk(LANGUAGES[file.language].parser().parse(file.content).root_node):
        start = _word_start(node) if node.child_count == 0 and _is_identifier(node) else None
        if start in starts:
            row, column = node.start_point
            text = file.content[node.start_byte : node.end_byte].decode("utf-8", "replace")
            before = lines[row][:column].decode("utf-8", "replace")
            place = Place(file.path, row + 1, len(before) + 1)
            found[starts[start]] = place, text, _sort(_with_sigil(node))
    return found


def _is_identifier(node: Node) -> bool:
    return node.is_named and _IDENTIFIER.search(node.type) is not None and node.type != "statement_identifier"


def _word_start(node: Node) -> int:
    """Return where the word begins that an identifier is: a dollar is part of a word, and no at sign is."""
    if node.type in _WITH_AT and node.text is not None:
        return node.start_byte + len(node.text) - len(node.text.lstrip(b"@"))
    return _with_sigil(node).start_byte


def _with_sigil(node: Node) -> Node:
    """Return the variable that a name is of which the grammar has the dollar apart."""
    return node.parent if node.parent is not None and node.parent.type == "variable_name" else node


def _walk(root: Node) -> Iterator[Node]:
    cursor = root.walk()
    while (node := cursor.node) is not None:
        yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _sort(node: Node) -> Sort:  # noqa: PLR0911  one return for each sort reads best
    parent = node.parent
    if parent is None:
        return Sort.Name
    above = list(islice(_around(node), 8))
    if any(_IMPORT.search(one.type) for one in above):
        return Sort.Import
    field = _field(parent, node)
    if _ARGUMENT.match(parent.type) and (field in ("name", "key", "") and parent.named_children[:1] == [node]):
        return Sort.Keyword
    if parent.type == "literal_element" and _field_of(parent) == "key":
        return Sort.Keyword
    if _is_declared(node, parent, field):
        return Sort.Declaration
    if _is_called(node, parent, field):
        return Sort.Call
    if _TYPE.search(node.type) or any(_TYPE.search(one.type) for one in _within_statement(above)):
        return Sort.Type
    if _MEMBER.match(parent.type) and (field in _LAST or parent.named_children[-1:] == [node]):
        return Sort.Attribute
    return Sort.Name


def _is_declared(node: Node, parent: Node, field: str) -> bool:
    if parent.type in ("parameters", "lambda_parameters", "formal_parameters", "enum_body", "enum_variant"):
        return True
    if field in ("name", "pattern", "declarator", "parameter") and _DECLARES.search(parent.type):
        return parent.type != "type_parameter_declaration" or field == "name"
    return parent.type in ("typed_parameter", "list_splat_pattern", "dictionary_splat_pattern", "type_parameter") and (
        parent.named_children[:1] == [node]
    )


def _is_called(node: Node, parent: Node, field: str) -> bool:
    if _CALL.match(parent.type):
        return field in ("function", "name", "constructor", "macro")
    above = parent.parent
    called = above is not None and _CALL.match(above.type) and _field(above, parent) in ("function", "constructor")
    return bool(called) and _MEMBER.match(parent.type) is not None and parent.named_children[-1:] == [node]


def _around(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _within_statement(above: Sequence[Node]) -> Iterator[Node]:
    for one in above:
        if _STATEMENT.search(one.type):
            return
        yield one


def _field_of(node: Node) -> str:
    return _field(node.parent, node) if node.parent is not None else ""


def _field(parent: Node, node: Node) -> str:
    for i, child in enumerate(parent.children):
        if child == node:
            return parent.field_name_for_child(i) or ""
    return ""
