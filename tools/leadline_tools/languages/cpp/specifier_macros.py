"""Macros of any spelling that stand where a specifier does: ``fast_inline size_t size() const;``.

A declaration has one type besides those built in, so of two names before the one that is declared the first is a macro.
https://eel.is/c++draft/dcl.type.general#2
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import re2

from leadline_tools.languages.cpp.outline import KEYWORDS

_HEAD: Final = (
    rb"(?m)^([ \t]*(?:template[ \t]*<[^\n;{}()]*>[ \t]*)?"
    rb"(?:(?:static|inline|extern|constexpr|virtual|explicit|friend)[ \t]+)*)"
)
_FUNCTION: Final[Any] = re2.compile(
    _HEAD + rb"((?:[A-Za-z_]\w*[ \t]+)+)(?:const[ \t]+)?([A-Za-z_][\w:]*)(?:<[^\n;{}()]*>)?(?:::\w+)*"
    rb"[ \t*&]+~?[A-Za-z_]\w*(?:<[^\n;{}()]*>)?(?:::~?\w+)*[ \t]*\("
)
"""The head of a function with words before what may be its type."""

_NO_MACROS: Final = frozenset(one.encode() for one in KEYWORDS | {"final", "override", "import", "module"})
_NO_CODE: Final = re2.compile(
    rb"(?ms)//[^\n]*|/\*(?:[^*]|\*+[^*/])*(?:\*+/|\**\z)|\"(?:[^\"\\\n]|\\.)*\"|^[ \t]*#(?:[^\\\n]|\\\r?\n|\\.)*"
)
_USE: Final = (
    rb"((?:[(,<]|\b(?:const|unsigned|signed|struct|class|enum|typename|new|return)\b)\s*)?\b%s\b"
    rb"(\s*[*&<>,)({;:=\[]|\s+const\s*(?:[*&]|\w+\s*[;=,(){\[]))?"
    rb"(?:[ \t]+((?:\w+::)*)(~?\w+)[ \t]*([;=,({\[)]))?"
)
"""A word with what shows that it is no specifier: what stands before it or behind, or one name alone after it."""

_CLASS: Final = re2.compile(rb"\b(?:class|struct)[ \t]+(?:[A-Z][A-Z0-9_]+[ \t]+)*(\w+)")
_MOST: Final = 16
"""Words of one source that are looked into."""


def mask_specifiers(content: bytes) -> bytes:
    """Return a source without macros before types that are no capitals, as long and with as many lines."""
    if not _find_words(content):
        return content
    code = _NO_CODE.sub(b"", content)
    words = _find_words(code)
    if not 0 < len(words) <= _MOST:
        return content
    classes = frozenset(_CLASS.findall(code))
    macros = [word for word in sorted(words) if _is_specifier(code, word, classes)]
    return _without(content, macros) if macros else content


def _find_words(content: bytes) -> Collection[bytes]:
    """Return the words that stand before the type of a function; not before what may be a macro behind the type."""
    found: set[bytes] = set()
    for words, kind in {(head[2], head[3]) for head in _FUNCTION.finditer(content)}:
        for word in words.split() if not kind.isupper() else ():
            if word in _NO_MACROS or word.endswith(b"_t"):
                break
            found.add(word)
    return found


def _is_specifier(code: bytes, word: bytes, classes: Collection[bytes]) -> bool:
    """Return whether a word stands nowhere where no specifier can; a constructor has no type."""
    for use in re2.finditer(_USE % re2.escape(word), code):
        before, behind, owner, name, after = use.groups()
        if before or behind:
            return False
        if name is None or name == b"operator" or name[:1] == b"~":
            continue
        if after != b"(" or not (name in classes or owner.endswith(b"%s::" % name)):
            return False
    return True


def _without(content: bytes, macros: Iterable[bytes]) -> bytes:
    words = b"|".join(map(re2.escape, macros))
    pattern = re2.compile(_HEAD + rb"((?:(?:%s)\b[ \t]+)+)([A-Za-z_~:])" % words)
    masked: bytes = pattern.sub(lambda found: found[1] + b" " * len(found[2]) + found[3], content)
    return masked
