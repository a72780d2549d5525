"""A *plan*: edits of texts, and what they make of the bytes on the disk.

An edit is planned on the text that ``Source`` hands on: UTF-8 without a mark, its lines ended by LF or CRLF. The file
may be in another encoding, with a mark or with other line ends. A plan holds the bytes that change in the file itself,
so that everything else stays as it is, and a reversed plan restores every byte.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leadline_tools.errors import NotEncodable, NotWritable
from leadline_tools.index.text.encodings import UNDECIDED
from leadline_tools.index.text.key_masking import MASK
from leadline_tools.index.text.source_text import decoded
from leadline_tools.index.tree.source import Tree

_MARKS: Mapping[str, bytes] = {
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """The bytes from ``start`` to ``end`` of ``Source.content`` are replaced by ``text``, whose lines end in LF."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Splice:
    """At the byte ``start`` of a file on the disk, ``old`` is replaced by ``new``."""

    start: int
    old: bytes
    new: bytes


def spliced(raw: bytes, splices: Iterable[Splice], start: int = 0, end: int | None = None) -> bytes:
    """Return the bytes from ``start`` to ``end`` after the splices in them, which come in order and never overlap."""
    parts: list[bytes] = []
    for splice in splices:
        parts += [raw[start : splice.start], splice.new]
        start = splice.start + len(splice.old)
    return b"".join((*parts, raw[start:end]))


@dataclass(frozen=True, slots=True)
class FileChange:
    """The change of one file.

    Args:
        path: The file.
        before: The digest of its bytes that the change was planned on.
        after: The digest of its bytes once it is made.
        splices: What is replaced, in the order of the file, never overlapping; starts count in the bytes before.

    """

    path: str
    before: str
    after: str
    splices: tuple[Splice, ...]

    def applied(self, raw: bytes) -> bytes:
        """Return the bytes of the file after the change, from those before it."""
        return spliced(raw, self.splices)

    @property
    def reversed(self) -> FileChange:
        """Return the change that takes this one back."""
        back, shift = [], 0
        for splice in self.splices:
            back.append(Splice(splice.start + shift, splice.new, splice.old))
            shift += len(splice.new) - len(splice.old)
        return FileChange(self.path, self.after, self.before, tuple(back))


@dataclass(frozen=True, slots=True)
class EditPlan:
    """The changes that are made together, in the order of the paths; each file once."""

    files: tuple[FileChange, ...] = ()

    @property
    def reversed(self) -> EditPlan:
        """Return the plan that takes this one back."""
        return EditPlan(tuple(change.reversed for change in self.files))

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the files that are changed."""
        return tuple(change.path for change in self.files)

    @property
    def edits(self) -> int:
        """Return how many places are changed."""
        return sum(len(change.splices) for change in self.files)

    @property
    def before(self) -> Mapping[str, str]:
        """Return the digest of each file that the plan was made on."""
        return {change.path: change.before for change in self.files}


def codec(encoding: str) -> str:
    """Return the Python codec of what follows the mark of a file in the encoding of ``Source``."""
    return "utf-8" if encoding == "utf-8-sig" else encoding


def digest(raw: bytes) -> str:
    """Return what names the bytes of a file."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def plan(tree: Tree, edits: Mapping[str, Iterable[Edit]]) -> EditPlan:
    """Return the plan that makes ``edits``, by path; raises a PathError for a file that cannot be edited.

    A file is read once more, and links are not followed: what a link names is edited under its own path. Edits that
    change nothing are left out. Raises NotEncodable where a file cannot hold a new text, NotWritable where an edit
    touches a key that is masked, and ValueError where two edits overlap.
    """
    changes = (_change(path, tree.read_bytes(path), sorted(set(edits[path]))) for path in sorted(edits))
    return EditPlan(tuple(change for change in changes if change.splices))


def _change(path: str, raw: bytes, edits: Sequence[Edit]) -> FileChange:
    source = decoded(path, raw)
    text = _text(path, raw, source.encoding)
    splices, characters, content, position = [], 0, 0, len(_MARKS.get(source.encoding, b""))
    for edit in edits:
        if edit.start < content:
            raise ValueError(f"two edits of {path} overlap at byte {edit.start}")
        # The text has as many characters as the content has: a lone CR stands where the content has LF.
        begin = characters + len(source.content[content : edit.start].decode())
        end = begin + len(source.content[edit.start : edit.end].decode())
        start = position + len(_encoded(path, text[characters:begin], source.encoding))
        old = _encoded(path, text[begin:end], source.encoding)
        new = _encoded(path, edit.text.replace("\n", _line_end(text)), source.encoding)
        if source.encoding == UNDECIDED and not edit.text.isascii():
            raise NotEncodable(path)
        if source.masked and (MASK in edit.text or source.content[edit.start : edit.end] != _normal(text[begin:end])):
            raise NotWritable(path, "the edit would touch a key, which is not shown")
        if old != new:
            splices.append(Splice(start, old, new))
        characters, content, position = end, edit.end, start + len(old)
    change = FileChange(path, digest(raw), "", tuple(splices))
    after = change.applied(raw)
    detected = not source.encoding.startswith("utf-")
    if detected and not after.isascii() and decoded(path, after).encoding != source.encoding:
        raise NotEncodable(path)  # the new bytes would be taken for those of another encoding
    return FileChange(path, change.before, digest(after), change.splices)


def _text(path: str, raw: bytes, encoding: str) -> str:
    """Return all characters of a file, its line ends as they are; raises NotEncodable where bytes make none."""
    mark = _MARKS.get(encoding, b"")
    try:
        return raw[len(mark) :].decode(codec(encoding))
    except UnicodeDecodeError:
        raise NotEncodable(path) from None


def _encoded(path: str, text: str, encoding: str) -> bytes:
    try:
        return text.encode(codec(encoding))
    except UnicodeEncodeError:
        raise NotEncodable(path) from None


def _normal(text: str) -> bytes:
    """Return text as ``Source.content`` has it where no key is masked."""
    return re.sub(r"\r(?!\n)", "\n", text).encode()


def _line_end(text: str) -> str:
    """Return how the first line of a text ends."""
    found = _LINE_END.search(text)
    return found.group() if found is not None else "\n"
