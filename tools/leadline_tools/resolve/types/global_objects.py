"""Members of the global object, which are what a program declares for all of its files: ``globalThis.name``.

https://tc39.es/ecma262/#sec-global-object
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline_tools.languages import scoping_of
from leadline_tools.resolve.project.resolution import EXTERNAL, Resolution, SymbolRef
from leadline_tools.resolve.types.literal_keys import is_undeclared

if TYPE_CHECKING:
    from leadline_tools.resolve.resolver import Resolver


def members(resolver: Resolver, path: str, term: str, scope: int, name: str) -> Sequence[Resolution] | None:
    """Return what a member of the global object means; None for another object, or where no file declares it.

    Nothing is returned where a file declares the name, but it is not known whether that is seen here.
    """
    scoping = scoping_of(path)
    if scoping is None or term not in scoping.global_objects or is_undeclared(resolver, path, name):
        return None
    if resolver.lookup(path, term, scope) not in (None, EXTERNAL):
        return None
    meant = resolver.lookup(path, name, 0)
    return (meant,) if isinstance(meant, SymbolRef) and (meant.path != path or resolver.is_script(path)) else ()
