"""Targets of a multiplatform project: expected and actual declarations, and the source sets that have them.

https://kotlinlang.org/docs/multiplatform/multiplatform-expect-actual.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from leadline_tools.languages.kotlin.outline import modifiers_of

WORDS = frozenset({"expect", "actual"})
"""What declarations say that have counterparts for other targets."""

_SOURCE_SET = re.compile(r"(?P<module>(?:.*/)?)src/(?P<set>[^/]+)/")
_PURPOSE = re.compile(r"(?:(?<=[a-z0-9])(?:Main|Test)|main|test)$")
"""Whether a source set is tested or tests, which ends its name."""

_COMMON = "common"


def has_counterparts(own: Sequence[str], around: Sequence[str]) -> bool:
    """Return whether a declaration has counterparts, from its heads and from those of the types around it.

    Members of an expected class are expected. Those of an actual class say so, but for the entries of an enumeration.
    """
    if _say(own, "actual") or _say([*own, *around], "expect"):
        return True
    return _say(around, "actual") and any("enum" in modifiers_of(head) for head in around)


def _say(heads: Iterable[str], word: str) -> bool:
    return any(word in modifiers_of(head) for head in heads)


def are_apart(path: str, other: str) -> bool:
    """Return whether two files are in two modules, as far as their paths say: actual declarations are in the same."""
    one, two = _SOURCE_SET.match(path), _SOURCE_SET.match(other)
    return one is not None and two is not None and one["module"] != two["module"]


def nearness(path: str, other: str) -> int:
    """Return how near a file is to what another one is compiled for: 2 is the same target, 1 is all, 0 is another.

    A source set is called after its target: ``jvmMain`` and ``jvmTest``; a target may be part of another one, which
    its name begins with: ``linuxX64Main`` and ``linuxMain``.
    https://kotlinlang.org/docs/multiplatform/multiplatform-discover-project.html#source-sets
    """
    one, two = _SOURCE_SET.match(path), _SOURCE_SET.match(other)
    if one is None or two is None:
        return 0
    own, its = (_PURPOSE.sub("", found["set"]) for found in (one, two))
    if own == its or (its and own.startswith(its)):
        return 2
    return int(its == _COMMON)
