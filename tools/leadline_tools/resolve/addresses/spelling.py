"""The ways in which people, languages and tools spell the name of a symbol, as the dotted names that an index has.

``crate::vec::Vec<T>::new``, ``Map<K, V>.get(Object)``, ``(*Client).Do``, ``User->save``, ``Class#method``,
``self.total`` and ``TestCart::test_total[empty]`` are such spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 1_000
"""Characters of the longest address of a symbol."""

_SEPARATOR = re.compile(r"::|[/\\]|->|\?\.")
_SHARP = re.compile(r"[#.]+")
_OPENING, _CLOSING = "([{<", ")]}>"

_LEADING = frozenset({"crate", "self", "Self", "super", "this", "$this", "cls", "static", "parent", "global", "base"})
"""What code puts before a name that it looks up in the place where it stands."""

_KEYWORDS = re.compile(r"^(?:[a-z]+\s+)+(?=\S+$)")
_POINTER = re.compile(r"^\(?\s*[*&@]+|^\(")


def spellings(text: str) -> Iterator[str]:
    """Yield the dotted names that a name may mean, each once: as it stands, then without what is no part of a name."""
    plain = _SEPARATOR.sub(".", text).strip(".")
    bare = _without_brackets(_without_bases(_unwrapped(_KEYWORDS.sub("", text.replace("->", ".")))))
    clean = _SHARP.sub(".", _SEPARATOR.sub(".", bare)).strip(". ")
    sharp = _SHARP.sub(".", plain.removesuffix("()")).strip(".")
    whole = text.strip()  # a name may hold what separates names elsewhere: ``log::error`` of a shell
    names = (whole if plain else "", plain, sharp, clean, _without_leading(plain), _without_leading(clean))
    yield from dict.fromkeys(name for name in names if name.rpartition(".")[2])


def file_prefixes(address: str) -> Iterator[tuple[str, str]]:
    """Yield how an address may be cut into the path of a file and a name behind it, the longest path first.

    The name is empty for a path alone.
    """
    yield address, ""
    for at in range(len(address) - 1, 0, -1):
        if address[at] in ":#.":
            yield address[:at].rstrip(":"), address[at:].lstrip(":#.")


def is_within(qualified_name: str, dotted: str) -> bool:
    """Return whether a qualified name has all parts of a dotted name, in their order, the last of them last."""
    parts = iter(reversed(qualified_name.split(".")))
    first, *others = reversed(dotted.split("."))
    return next(parts) == first and all(other in parts for other in others)


def _unwrapped(text: str) -> str:
    """Return a name without a pointer around or before its first part: ``(*Client).Do``."""
    found = _POINTER.match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    return rest.replace(")", "", 1) if text.startswith("(") else rest


def _without_bases(text: str) -> str:
    """Return the method of a type where a trait is named too: ``<Vec<T> as Drop>::drop``."""
    type_, as_, rest = text.partition(" as ")
    if not text.startswith("<") or not as_:
        return text
    depth = 1
    for at, character in enumerate(rest):
        depth += (character in _OPENING) - (character in _CLOSING)
        if not depth:
            return type_[1:] + rest[at + 1 :]
    return text


def _without_brackets(text: str) -> str:
    """Return a name without type arguments, parameters and indices; as it is where its brackets do not match."""
    kept: list[str] = []
    depth = 0
    for character in text:
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
            if depth < 0:
                return text
        elif not depth:
            kept.append(character)
    return text if depth else "".join(kept)


def _without_leading(dotted: str) -> str:
    """Return a dotted name without what only says where to look it up."""
    first, _, rest = dotted.partition(".")
    while rest and first in _LEADING:
        dotted = rest
        first, _, rest = dotted.partition(".")
    return dotted
