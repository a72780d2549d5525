"""The standard library of Go: which of its members give nothing that other code declares."""

from __future__ import annotations

from typing import Final

from leadline_tools.languages.go.types import list_generic_functions

STANDARD: Final = frozenset(
    "archive bufio bytes compress container context crypto database debug embed encoding errors expvar flag fmt go hash"
    " html image index io log math mime net os path plugin reflect regexp runtime sort strconv strings structs sync"
    " syscall testing text time unicode unsafe".split()
)
"""What the paths of most of its packages begin with: those alone have no dot there. https://pkg.go.dev/std"""

GENERIC: Final = frozenset({"cmp", "iter", "maps", "slices", "unique", "weak"})
"""The other packages, whose members have type parameters."""

_GENERIC: Final = frozenset(
    {*list_generic_functions(), "sync/atomic.Pointer", "reflect.TypeAssert", "reflect.TypeFor", "errors.AsType"}
)
"""Members of the other packages that have type parameters."""


def is_self_contained(module: str, name: str) -> bool:
    """Return whether a member of a package gives nothing that other code declares.

    The standard library imports no other code, and what has no type parameters is of a type that it knows. What it
    gives as ``any`` has no methods before an assertion says its type.
    """
    return module.partition("/")[0] in STANDARD and f"{module}.{name}" not in _GENERIC
