"""The types for which a source implements a trait, by its text: macros write implementations that no outline has.

https://doc.rust-lang.org/reference/items/implementations.html
"""

from __future__ import annotations

from collections.abc import Iterator

import re2

from leadline_tools.languages.rust.prelude import PRELUDE
from leadline_tools.lazy_regex import lazy_compile

_IMPLEMENTATION = lazy_compile(
    rb"\bimpl\b\s*(?P<parameters><[^{};]*?>)?\s*[!?]?(?:[\w:$]*::)?(?P<trait>[\w$]+)\s*(?:<[^{};]*?>)?\s+for\s+"
    rb"(?P<type>[^{};]+?)\s*(?:\bwhere\b|\{)"
)
_PLAIN = lazy_compile(rb"(?:[A-Za-z_]\w*\s*::\s*)*(?P<name>[A-Za-z_]\w*)\s*(?:<.*>)?")
_WORD = lazy_compile(rb"\w+")


def list_implementing(content: bytes, trait: str) -> Iterator[str]:
    """Yield the names of the types for which a source implements a trait; empty where that may be any type.

    So it is for a type parameter, for what a macro is given, and for what has no name: references, tuples, slices.
    """
    name = trait.encode()
    if name not in content:
        return
    for found in _IMPLEMENTATION.finditer(content):
        if found["trait"] == name or found["trait"].startswith(b"$"):
            yield _type_name(found["type"], found["parameters"] or b"")
    if re2.search(rb"\bimpl\b[^{};]*\b" + re2.escape(name) + rb"\b[^{};]*\bfor\b[^{};]*\$", content) is not None:
        yield ""


def _type_name(written: bytes, parameters: bytes) -> str:
    plain = _PLAIN.fullmatch(written)
    if plain is None or plain["name"] in _WORD.findall(parameters):
        return ""
    name = plain["name"].decode()
    return "" if name in PRELUDE else name
