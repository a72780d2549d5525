"""Macros of any spelling that stand where a specifier does: ``fast_inline size_t size() const;``.

A declaration has one type besides those built in, so of two names before the one that is declared the first is a macro.
https://eel.is/c++draft/dcl.type.general#2
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

import re2

from leadline_tools.languages.cpp.outline import KEYWORDS
from leadline_tools.lazy_regex import lazy_compile

_HEAD: Final = (
    rb"(?m)^(?P<before>[ \t]*(?:template[ \t]*<[^\n;{}()]*>[ \t]*)?"
    rb"(?:(?:static|inline|extern|constexpr|virtual|explicit|friend)[ \t]+)*)"
)
_FUNCTION: Final = re2.compile(
    _HEAD + rb"(?P<words>(?:[A-Za-z_]\w*[ \t]+)+)(?:const[ \t]+)?([A-Za-z_][\w:]*)(?:<[^\n;{}()]*>)?(?:::\w+)*"
    rb"[ \t*&]+~?[A-Za-z_]\w*(?:<[^\n;{}()]*>)?(?:::~?\w+)*[ \t]*\("
)
"""The head of a function with words before what may be its type."""

_NO_MACROS: Final = frozenset(one.encode() for one in KEYWORDS | {"final", "override", "import", "module"})
_NO_CODE: Final = lazy_compile(
    rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|\"(?:[^\"\\\n]|\\.)*\"|^[ \t]*#(?:[^\\\n]|\\\r?\n|\\.)*",
    re.MULTILINE | re.DOTALL,
)
_USE: Final = (
    rb"(?P<in>[(,<]|\b(?:const|unsigned|signed|struct|class|enum|typename|new|return))?\s*\b%s\b"
    rb"(?P<behind>\s*[*&<>,)({;:=\[]|\s+const\s*(?:[*&]|\w+\s*[;=,(){\[]))?"
    rb"(?:[ \t]+(?P<owner>(?:\w+::)*)(?P<name>~?\w+)[ \t]*(?P<after>[;=,({\[)]))?"
)
"""A word with what shows that it is no specifier: what stands before it or behind, or one name alone after it."""

_CLASS: Final = lazy_compile(rb"\b(?:class|struct)[ \t]+(?:[A-Z][A-Z0-9_]+[ \t]+)*(\w+)")
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
    for use in re.finditer(_USE % re.escape(word), code):
        if use["in"] or use["behind"]:
            return False
        name = use["name"]
        if name is None or name == b"operator" or name[:1] == b"~":
            continue
        constructs = name in classes or (use["owner"] or b"").endswith(b"%s::" % name)
        if use["after"] != b"(" or not constructs:
            return False
    return True


def _without(content: bytes, macros: Iterable[bytes]) -> bytes:
    words = b"|".join(map(re.escape, macros))
    pattern = re.compile(_HEAD + rb"(?P<macros>(?:(?:%s)\b[ \t]+)+)(?=[A-Za-z_~:])" % words)
    return pattern.sub(lambda found: found["before"] + b" " * len(found["macros"]), content)
