"""The scope of a request that asks only for what was changed since a commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.tree.commit.changed_files import ChangedFiles, repository_of
from leadline_tools.index.tree.commit.line_changes import EVERYTHING, ChangedLines
from leadline_tools.index.tree.commit.repository import short
from leadline_tools.index.tree.walked_files import ListedFile
from leadline_tools.languages.outline import Definition

_latest: WeakKeyDictionary[Index, tuple[tuple[str, str], ChangedFiles]] = WeakKeyDictionary()


class ChangedScope:
    """What roots have changed since they went apart from a commit.

    Args:
        index: The index of the roots.
        ref: A branch, a tag or a commit of each. Raises UnknownCommit and UnusableRepository where no root has it.

    """

    def __init__(self, index: Index, ref: str) -> None:
        self._index = index
        self._ref = ref
        self._changed: dict[str, ChangedFiles] = {}
        self._touched: dict[str, Sequence[Definition]] = {}
        failures: list[LeadlineError] = []
        index.scan.wait()
        for part in index.parts:
            try:
                self._changed[part.tree.name] = _changed_files(part, ref)
            except LeadlineError as error:
                failures.append(error)
        if not self._changed and failures:
            raise failures[0]
        self._failures = failures
        self.paths = frozenset(path for changed in self._changed.values() for path in changed.paths)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what an answer says of what it was compared with."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[str]:
        some = {name: one for name, one in self._changed.items() if one.paths or one.deleted}
        for name, changed in (some or self._changed).items():
            base = short(changed.base)
            counts = (
                f"{len(changed.paths) - changed.added:,} changed, {changed.added:,} added, {changed.deleted:,} deleted"
            )
            yield f"{f'{name}: ' if name else ''}since {base}, the merge base with {self._ref}: {counts}"
        if self._failures:
            yield f"not compared: {self._failures[0]}"

    def touched(self, path: str) -> Sequence[Definition]:
        """Return the definitions of a changed file of which lines were changed that are in no definition inside."""
        if path not in self._touched:
            part = self._index.of(path)
            source = part.try_read(path) if path in self.paths else None
            definitions = part.symbols.definitions(source) if source is not None else ()
            lines = self._changed[part.tree.name].lines(path) if definitions else EVERYTHING
            self._touched[path] = [
                one for number, one in enumerate(definitions) if _touches(lines, one, _inside(definitions, number))
            ]
        return self._touched[path]

    def touches(self, path: str, definition: Definition) -> bool:
        """Return whether a definition is one of those."""
        return any(
            (one.line, one.column, one.path) == (*definition[2:4], definition.path) for one in self.touched(path)
        )


def _inside(definitions: Sequence[Definition], parent: int) -> list[Definition]:
    """Return the definitions directly inside of one, by their lines."""
    return sorted((one for one in definitions if one.parent == parent), key=lambda one: one.start_line)


def _touches(lines: ChangedLines, definition: Definition, inside: Sequence[Definition]) -> bool:
    """Return whether lines of a definition were changed that are in none of those inside of it."""
    at = definition.start_line
    for one in inside:
        if lines.touch(at, one.start_line - 1):
            return True
        at = max(at, one.end_line + 1)
    return lines.touch(at, definition.end_line)


def compared_commits(index: Index, ref: str) -> str:
    """Return what names the commits that are compared for each root; empty without a ``ref``."""
    return ";".join(_compared_commits(part, ref) for part in index.parts) if ref else ""


def _compared_commits(part: Index, ref: str) -> str:
    try:
        repository = repository_of(part.tree)
        return f"{repository.commit(ref)}:{part.tree.note or repository.commit('HEAD')}"
    except LeadlineError:
        return ""


def _changed_files(part: Index, ref: str) -> ChangedFiles:
    """Return what the files of one root have changed; what was found for the same state is kept."""
    key = part.files.state, _compared_commits(part, ref)
    kept = _latest.get(part)
    if kept is None or kept[0] != key or not key[1]:
        bare = part.tree.bare
        listed = (ListedFile(bare(file.path), file.size, file.changed_ns) for file in part.files.below())
        kept = _latest[part] = key, ChangedFiles(part.tree, ref, listed)
    return kept[1]
