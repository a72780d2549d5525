"""A tree whose files were sent: what a worker has of a tree that is on no disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from leadline_tools.errors import BinaryFile, LeadlineError, PathNotFound, SecretFile, TooLarge
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Source, is_binary
from leadline_tools.index.tree.source import LIMIT, Reader, Tree


class GivenTree(Tree):
    """Some files of a tree.

    Args:
        contents: The bytes of each by the path that the tree has for it; of one that could not be read, why not.
        policy: Which of them are secret.

    """

    def __init__(self, contents: Mapping[str, bytes | str], policy: SecretPolicy) -> None:
        super().__init__(Path(), policy, "", (), ())
        self._contents = contents

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file, or raise the ``PathError`` that says why not."""
        raw = self.read_bytes(path, limit)
        if is_binary(raw):
            raise BinaryFile(path, len(raw))
        return self.source_to_show(path, raw)

    def read_bytes(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as it was sent."""
        content = self._contents.get(path)
        if content is None:
            raise PathNotFound(path)
        if isinstance(content, str):
            raise LeadlineError(content)
        if len(content) > limit:
            raise TooLarge(path, len(content), limit)
        return content

    def read_raw(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as it was sent, keys included."""
        return self.read_bytes(path, limit)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        yield _GivenReader(self)

    def has_folder(self, path: str) -> bool:
        """Return whether there is a folder at a path: none is sent."""
        return self.is_root(path)

    def is_executable(self, path: str) -> bool:  # noqa: ARG002  no worker asks
        """Return whether a file is marked as a program, which is not sent."""
        return False


class _GivenReader(Reader):
    """Reads files that were sent."""

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file; None where it could not be read, or is larger."""
        try:
            return self._tree.read_raw(path, limit)
        except LeadlineError:
            return None


def content_to_send(tree: Tree, path: str) -> bytes | str:
    """Return the bytes of a file for a ``GivenTree``; of one that cannot be read, or holds secrets, why not."""
    try:
        raw = tree.read_raw(path)
        return str(SecretFile(path)) if tree.policy.hides(path, raw) else raw
    except LeadlineError as error:
        return str(error)
