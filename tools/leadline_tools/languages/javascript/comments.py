"""Types that documentation comments give to JavaScript: ``/** @type {T} */``, ``@returns {T}``, ``@param {T} name``.

https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline_tools.lazy_regex import lazy_compile

_OPEN_TYPES = frozenset({"any", "*", "?", "unknown", "object", "Object", "const", "Function", "function"})
"""Types that name no member of an object."""

_PACKAGE = lazy_compile(r"""(?:typeof\s+)?import\(\s*["'][^."'/#@~][^"']*["']\s*\)""")
"""A type of a package."""

_ANY_NAME = lazy_compile(r"(?:readonly\s+)?(?:Readonly<\s*)?(?:Record<\s*string\s*,|Object\.?<\s*string\s*,|\{\s*\[)")
"""How a type of objects begins whose members have any name."""


def find_declared_type(comment: str) -> str:
    """Return the type that a comment gives to what follows it; empty for none."""
    if "@type" not in comment and "@satisfies" not in comment:
        return ""
    return next((kind for tag in ("type", "satisfies") for kind, _ in _iterate_typed_tags(comment, tag)), "")


def result_type(comment: str) -> str:
    """Return the type that a comment gives to the result of a function, or to a function as a whole; empty for none."""
    tags = ("returns", "return", "type", "satisfies")
    return next((kind for tag in tags for kind, _ in _iterate_typed_tags(comment, tag)), "")


def is_open(kind: str) -> bool:
    """Return whether a type names no member that the code base declares: none is written, it is any, or a package's."""
    bare = kind.strip(" \t\n=?!()")
    return not bare or bare in _OPEN_TYPES or _PACKAGE.match(bare) is not None


def has_any_name(kind: str) -> bool:
    """Return whether the members of a type itself have any name, as those of ``Record<string, T>``."""
    return _ANY_NAME.match(kind.strip()) is not None


def documents_parameter(comment: str, parameter: str, number: int) -> bool:
    """Return whether a comment says of what type a parameter is, or which members it has.

    A pattern has no name: the comment that is in its place means it, whatever it calls it.
    """
    if "@type" in comment or "@overload" in comment:
        return True
    documented = [(kind, _name_after(rest)) for kind, rest in _iterate_typed_tags(comment, "param")]
    if any(name.startswith(f"{parameter}.") for _, name in documented):
        return True
    own = [(kind, name) for kind, name in documented if "." not in name]
    named = [kind for kind, name in own if name == parameter] or [kind for kind, _ in own[number : number + 1]]
    return any(kind.strip(" \t\n=?!") not in _OPEN_TYPES for kind in named)


def _name_after(rest: str) -> str:
    found = re.match(r"[\s*]*\[?\s*([\w$.\[\]]+)", rest)
    return found[1] if found is not None else ""


def _iterate_typed_tags(comment: str, tag: str) -> Iterator[tuple[str, str]]:
    """Yield the type after each tag of a name, with what follows it."""
    sign = f"@{tag}"
    for part in comment.split(sign)[1:]:
        inside = part.lstrip(" \t\n*")
        if inside.startswith("{") and part[:1] in " \t\n{":
            yield from _in_braces(inside)


def _in_braces(inside: str) -> Iterator[tuple[str, str]]:
    depth = 0
    for at, sign in enumerate(inside):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            yield inside[1:at].strip(), inside[at + 1 :]
            return
