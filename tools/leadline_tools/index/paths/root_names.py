"""The names of roots, which paths begin with. One may have slashes (``github.com/acme/shop``); none begins another."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import takewhile

_WILDCARDS = "*?[{"


class RootNames(Collection[str]):
    """The names of several roots, sorted.

    Attributes:
        all: The same as a set.

    """

    def __init__(self, names: Collection[str]) -> None:
        self._sorted = tuple(sorted(names))
        self.all = frozenset(names)
        self._lengths = sorted({name.count("/") + 1 for name in self.all})
        above = (name.split("/")[:-1] for name in self.all if "/" in name)
        self._above = frozenset("/".join(parts[:end]) for parts in above for end in range(1, len(parts) + 1))

    def __contains__(self, name: object) -> bool:
        return name in self.all

    def __iter__(self) -> Iterator[str]:
        return iter(self._sorted)

    def __len__(self) -> int:
        return len(self._sorted)

    def of(self, path: str) -> str:
        """Return the name of the root that holds a path; empty where none does."""
        if len(self._lengths) == 1:
            [length] = self._lengths
            first = path.partition("/")[0] if length == 1 else "/".join(path.split("/", length)[:length])
            return first if first in self.all else ""
        segments = path.split("/", self._lengths[-1]) if self._lengths else []
        heads = ("/".join(segments[:length]) for length in self._lengths if length <= len(segments))
        return next((head for head in heads if head in self.all), "")

    def is_above(self, path: str) -> bool:
        """Return whether a path is that of a folder of roots, such as ``github.com``; the empty one is all of them."""
        return not path or path in self._above

    def below(self, folder: str) -> frozenset[str]:
        """Return the names of the roots in a folder of roots; all for the empty one."""
        return frozenset(name for name in self.all if name.startswith(f"{folder}/")) if folder else self.all

    def about(self, path: str) -> frozenset[str]:
        """Return the names of the roots that a path or a glob may be about; none for a path in no root."""
        segments = path.split("/")
        plain = takewhile(lambda segment: not any(sign in segment for sign in _WILDCARDS), segments)
        folder = "/".join(plain)
        root = self.of(folder)
        if root:
            return frozenset({root})
        return self.below(folder) if self.is_above(folder) else frozenset()
