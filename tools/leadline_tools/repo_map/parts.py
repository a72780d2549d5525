"""The parts of a tree: folders with how much they hold, and those that hold no code of the product."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import Mark
from leadline_tools.languages import has_symbols
from leadline_tools.model import MapPart
from leadline_tools.repo_map.file_marks import RANKED, FileMarks

_MOST_PARTS = 8
_LEAST_SHARE = 0.03
"""What a folder has of the code of the product to be a part of its own."""

_LARGEST_SHARE = 0.3
"""What the largest part may have before it is divided, while there are not too many."""

_MOST_FOLDERS = 2
"""Folders that are named of those with tests, with examples and so on."""

_MOSTLY = 0.95
"""What a folder must have of its code in files of one mark to be called by it."""

_COUNTED = RANKED | {Mark.Test, Mark.Benchmark, Mark.Example, Mark.Generated}
_ASIDE = (Mark.Test, Mark.Benchmark, Mark.Example, Mark.Vendored, Mark.Generated, Mark.Documentation)
_PLAIN = {
    Mark.Test: "tests",
    Mark.Benchmark: "benchmarks",
    Mark.Example: "examples",
    Mark.Vendored: "copies",
    Mark.Generated: "generated",
    Mark.Documentation: "documentation",
}


_TEXTS = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".html", ".tex", ".texi")
"""Endings of documentation; a text or a table may as well be data."""


@dataclass
class _Folder:
    """What lies in a folder: files and bytes of each mark, below it and directly in it."""

    files: dict[Mark, int] = field(default_factory=lambda: defaultdict(int))
    bytes: dict[Mark, int] = field(default_factory=lambda: defaultdict(int))
    direct_files: int = 0
    direct_bytes: int = 0
    inner: set[str] = field(default_factory=set)

    @property
    def ranked(self) -> int:
        """Return the bytes of code of the product."""
        return sum(self.bytes[mark] for mark in RANKED)

    @property
    def all_bytes(self) -> int:
        """Return the bytes of all files of a known mark."""
        return sum(self.bytes.values())


class PartsOfTree:
    """The parts of a tree, or of a folder of it."""

    def __init__(self, index: Index, marks: FileMarks, scope: Collection[str] | None = None) -> None:
        self._folders: dict[str, _Folder] = defaultdict(_Folder)
        for path in index.files.paths if scope is None else scope:
            mark = marks.of(path)
            documents = mark is Mark.Documentation and path.endswith(_TEXTS)
            if documents or mark is Mark.Vendored or (mark in _COUNTED and has_symbols(path)):
                self._add(path, index.files.size(path), mark)

    def _add(self, path: str, size: int, mark: Mark) -> None:
        folder, inner = path.rpartition("/")[0], ""
        own = self._folders[folder]
        if mark in RANKED:
            own.direct_files += 1
            own.direct_bytes += size
        while True:
            one = self._folders[folder]
            one.files[mark] += 1
            one.bytes[mark] += size
            if inner:
                one.inner.add(inner)
            if not folder:
                return
            inner, folder = folder, folder.rpartition("/")[0]

    def product(self) -> Sequence[str]:
        """Return the folders of the product that are parts, sorted; the empty one stands for the top."""
        whole = self._folders[""].ranked
        if not whole:
            return ()
        parts = {self._descend("")}
        while len(parts) < _MOST_PARTS:
            divisible = [(self._left(one, parts), one) for one in parts]
            for size, largest in sorted(divisible, reverse=True):
                inner = self._inner_parts(largest, whole, parts) if size > _LARGEST_SHARE * whole / 2 else []
                if inner:
                    parts.update(inner[: _MOST_PARTS + 2 - len(parts)])
                    if self._left(largest, parts) < _LEAST_SHARE * whole:
                        parts.discard(largest)
                    break
            else:
                break
        return sorted(parts)

    def _descend(self, folder: str) -> str:
        """Return the folder itself, or the only one in it that holds nearly all of its code."""
        here = self._folders[folder]
        for inner in here.inner:
            if self._folders[inner].ranked > (1 - _LEAST_SHARE) * here.ranked:
                return self._descend(inner)
        return folder

    def _left(self, folder: str, parts: Collection[str]) -> int:
        """Return the bytes of a part without those of the parts inside of it."""
        inside = [one for one in parts if one != folder and _is_inside(one, folder)]
        outermost = [one for one in inside if not any(other != one and _is_inside(one, other) for other in inside)]
        return self._folders[folder].ranked - sum(self._folders[one].ranked for one in outermost)

    def _inner_parts(self, folder: str, whole: int, parts: Collection[str]) -> list[str]:
        """Return the folders in one that are parts of their own, largest first."""
        inner = [one for one in self._folders[folder].inner if self._folders[one].ranked >= _LEAST_SHARE * whole]
        inner = [one for one in inner if not any(_is_inside(part, one) for part in parts)]
        return [self._descend(one) for one in sorted(inner, key=lambda one: (-self._folders[one].ranked, one))]

    def described(self, parts: Sequence[str], texts: Mapping[str, str]) -> Iterator[MapPart]:
        """Yield the parts of the product, each with its line of text."""
        for part in parts:
            folder = self._folders[part]
            files = sum(folder.files[mark] for mark in RANKED)
            yield MapPart((f"{part}/" if part else "./",), "", files, folder.ranked, texts.get(part, ""))

    def aside(self) -> Iterator[MapPart]:
        """Yield what is not ranked: tests, examples, copies, generated code, documentation, with where it lies."""
        whole = self._folders[""]
        for mark in _ASIDE:
            if whole.files[mark]:
                folders = sorted(self._called("", mark), key=lambda one: (-self._folders[one].bytes[mark], one))
                named = tuple(f"{one}/" if one else "./" for one in folders[:_MOST_FOLDERS])
                yield MapPart(named, _PLAIN[mark], whole.files[mark], whole.bytes[mark], "")

    def _called(self, folder: str, mark: Mark) -> Iterator[str]:
        """Yield the topmost folders that hold hardly anything but files of a mark."""
        here = self._folders[folder]
        if here.bytes[mark] >= _MOSTLY * here.all_bytes and here.bytes[mark]:
            yield folder
            return
        for inner in here.inner:
            if self._folders[inner].bytes[mark]:
                yield from self._called(inner, mark)


def _is_inside(folder: str, other: str) -> bool:
    return not other or folder == other or folder.startswith(f"{other}/")


def part_of(path: str, parts: Sequence[str]) -> str:
    """Return the innermost of some parts that a file lies in; empty for none."""
    return max((part for part in parts if not part or path.startswith(f"{part}/")), key=len, default="")
