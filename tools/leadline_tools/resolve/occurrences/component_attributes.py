"""Attributes of components of Vue whose name in kebab case is a property in camel case: ``:is-open`` for ``isOpen``.

https://vuejs.org/guide/components/props.html#prop-name-casing
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Use
from leadline_tools.languages.hosts.markup import Markup, Tag
from leadline_tools.languages.terms import BARE
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.occurrences.tokens import token_places
from leadline_tools.resolve.project.project import language_group
from leadline_tools.resolve.project.resolved_uses import ResolvedUse

_COMPONENTS = ".vue"
_CAPITAL = lazy_compile(r"(?<=[a-z0-9])[A-Z]")
_ATTRIBUTE = lazy_compile(rb"(?:v-bind:|v-model:|:)?([\w-]+)(?:\.[\w-]+)*")


def kebab_attributes(index: Index, home: str, name: str) -> Iterator[ResolvedUse]:
    """Yield the attributes of components that may mean a symbol by its name in kebab case, each as undecided.

    Args:
        index: The index of the tree.
        home: The file that declares the symbol; nothing is yielded if it is not of a language of components.
        name: The name of the symbol.

    """
    kebab = kebab_name(name)
    if not kebab or language_group(home) != language_group(_COMPONENTS):
        return
    for path in index.words.files_with((kebab,), spelled=True):
        source = index.try_read(path) if path.endswith(_COMPONENTS) else None
        content = source.content if source is not None else b""
        starts = frozenset(_find_attributes(content, kebab.encode()))
        for line, column, start in token_places(content, kebab) if starts else ():
            use = Use(line, column, column + len(kebab), 0, Role.Other, BARE, -1)
            if start in starts:
                yield ResolvedUse(path, kebab, use, Tier.Name, Reason.Name, "", spelled=False)


def kebab_name(name: str) -> str:
    """Return a name in camel case as one in kebab case; empty for a name that has no such form."""
    kebab = _CAPITAL.sub(lambda capital: f"-{capital[0].lower()}", name)
    return kebab if kebab != name and kebab.isascii() else ""


def _find_attributes(content: bytes, kebab: bytes) -> Iterator[int]:
    """Yield the bytes at which the name stands as an attribute of an element."""
    if kebab not in content:
        return
    for part in Markup(content, double=True):
        for one in part.attributes if isinstance(part, Tag) and not part.closes else ():
            named = _ATTRIBUTE.fullmatch(one.name)
            if named is not None and named[1] == kebab:
                yield one.start + named.start(1)
