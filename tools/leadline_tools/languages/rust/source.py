"""The source of Rust as its parser gets it: without macros that stand around items.

``cfg_rt! { pub fn spawn() {} }`` is, for the grammar, a macro with tokens in it. Where these tokens are whole items, as
the grammar reads them, they are parsed as such: macros of this form hand their items on, with attributes of their own
(``MacroInvocationSemi`` of https://doc.rust-lang.org/reference/macros.html in the place of an item). What is returned
has the same length and lines.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Language, Parser

from leadline_tools.languages.blanking import blank
from leadline_tools.lazy_regex import lazy_compile

_ITEM = (
    rb"(?:#\[|pub\b|fn\b|mod\b|use\b|struct\b|enum\b|union\b|impl\b|trait\b|type\b|static\b|const\b|unsafe\b|async\b"
    rb"|extern\b)"
)
_SPACE = rb"(?>(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*)"
_MAYBE = lazy_compile(rb"^[ \t]*(?:\w+::)*\w+![ \t]*\{" + _SPACE + _ITEM, re.MULTILINE)
_TOKEN = lazy_compile(
    rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/"
    rb"|\bb?r(?P<hashes>#*)\".*?\"(?P=hashes)"
    rb"|b?\"(?:[^\"\\]|\\.)*\""
    rb"|b?'(?:[^'\\\n]|\\[^\n']+|\\')'"
    rb"|(?P<name>(?:\w+::)*\w+![ \t]*\{)|(?P<brace>[{};])",
    re.DOTALL,
)
_HOLDS_ITEMS = lazy_compile(
    rb"(?:pub\b(?:\([^)]*\))?\s*)?(?:unsafe\s+)?(?:mod|impl|trait|extern)\b[^;{}]*\Z", re.DOTALL
)
_FAR = 2_000
"""Bytes before a brace that are looked at for what it opens."""


class _Open(NamedTuple):
    """A brace that is open: whether items may be in it, where its macro begins (-1: it has none), and its own end."""

    holds_items: bool
    macro: int
    end: int


def expose_items(content: bytes) -> bytes:
    """Return a source in which the items that macros stand around are items; ``content`` itself without any."""
    if _MAYBE.search(content) is None:
        return content
    changed = bytearray(content)
    for name, inside, end in _find_macros(content):
        if _are_items(bytes(changed[inside:end])):
            changed[name:inside] = blank(content[name:inside])
            changed[end : end + 1] = b" "
    return bytes(changed)


def _find_macros(content: bytes) -> list[tuple[int, int, int]]:
    """Return the macros in the place of an item, inner ones first: where each begins, where its tokens do, and end."""
    found: list[tuple[int, int, int]] = []
    opened: list[_Open] = []
    last = 0
    for token in _TOKEN.finditer(content):
        start, end = token.span()
        if token["name"] is not None:
            is_item = all(one.holds_items for one in opened) and _MAYBE.match(
                content, content.rfind(b"\n", 0, start) + 1
            )
            opened.append(_Open(bool(is_item), start if is_item else -1, end))
        elif token["brace"] == b"{":
            before = content[max(last, start - _FAR) : start].rpartition(b"]\n")[2].lstrip()
            opened.append(_Open(_HOLDS_ITEMS.match(before) is not None, -1, end))
        elif token["brace"] == b"}" and opened:
            closed = opened.pop()
            if closed.macro >= 0:
                found.append((closed.macro, closed.end, start))
        elif token["brace"] is None and not token[0].startswith((b"//", b"/*")):
            continue
        last = end
    return found


@cache
def _parser() -> Parser:
    import tree_sitter_rust  # it loads a dozen modules that nothing else in a worker needs

    return Parser(Language(tree_sitter_rust.language()))


def _are_items(tokens: bytes) -> bool:
    """Return whether tokens are whole items, and nothing else, for the grammar."""
    root = _parser().parse(tokens).root_node
    return not root.has_error and all(
        child.type.endswith(("_item", "_declaration", "_definition", "comment", "macro_invocation"))
        for child in root.named_children
    )
