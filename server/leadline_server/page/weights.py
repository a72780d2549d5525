"""The *weight* of a folder or a file: what it costs a model to read it, in tokens, and what kinds of text it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from leadline_server.outgoing import printable
from leadline_server.page.wire import View
from leadline_server.prices import Prices
from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import Mark, mark_of
from leadline_tools.languages import language_name

_TILES, _NESTED, _INNER = 240, 80, 48
"""Parts of a folder that a map draws, those of them whose own parts it draws, and how many of these; the smallest ones
together make one more."""

_MOST_PARTS = 2_000
"""Parts of a folder that are listed."""


class Kind(StrEnum):
    """What a file is for a reader, by its path."""

    Code = "code"
    Test = "tests"
    Documentation = "documentation"
    Data = "data"
    Other = "generated"


_KINDS = {
    Mark.Product: Kind.Code,
    Mark.Declarations: Kind.Code,
    Mark.Test: Kind.Test,
    Mark.Example: Kind.Documentation,
    Mark.Documentation: Kind.Documentation,
    Mark.Configuration: Kind.Data,
    Mark.Vendored: Kind.Other,
    Mark.Generated: Kind.Other,
}


_DOCUMENT_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt", ".tex", ".html")


def kind_of(path: str) -> Kind:
    """Return what the file at a path is; a text that is neither code nor a document, such as a translation, is data."""
    mark = mark_of(path)
    name = path.rpartition("/")[2]
    if mark is Mark.Documentation and "." in name and not name.lower().endswith(_DOCUMENT_ENDINGS):
        return Kind.Data
    return _KINDS[mark]


@dataclass(slots=True)
class Weight:
    """A folder or a file: its tokens, the files in it, its tokens by kind, and what is in it by name.

    Nothing is ``known`` of a root that was never open.
    """

    tokens: int = 0
    files: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter[Kind])
    inside: dict[str, Weight] = field(default_factory=dict)
    known: bool = True

    def add(self, tokens: int, kind: Kind) -> None:
        """Add a file."""
        self.tokens += tokens
        self.files += 1
        self.kinds[kind] += tokens

    def put(self, name: str, part: Weight) -> None:
        """Add a root."""
        self.tokens += part.tokens
        self.files += part.files
        self.kinds += part.kinds
        self.inside[name] = part

    @property
    def kind(self) -> Kind:
        """Return the kind that most of its tokens are of."""
        return max(self.kinds, key=self.kinds.__getitem__, default=Kind.Code)


def weigh(index: Index, prices: Prices) -> Weight:
    """Return the weight of the tree; what cannot be read, binary files and secret ones, weighs nothing."""
    root = Weight()
    secret = index.files.secret
    for file in index.files.below():
        unread = file.binary or file.path in secret
        tokens = 0 if unread else prices.reading_cost(file.size, language_name(file.path))
        kind = kind_of(file.path)
        weight = root
        weight.add(tokens, kind)
        for part in file.path.split("/"):
            below = weight.inside.get(part)
            if below is None:
                below = weight.inside[part] = Weight()
            weight = below
            weight.add(tokens, kind)
    return root


def find_folder(root: Weight, path: str) -> Weight | None:
    """Return the folder at a path; None where there is none."""
    weight: Weight | None = root
    for part in path.split("/") if path else ():
        weight = _find_part(weight, part) if weight is not None else None
    return weight if weight is not None and (weight.inside or weight is root or not weight.known) else None


def _find_part(weight: Weight, shown: str) -> Weight | None:
    """Return what is in a folder by its name, which may have escapes as it is shown."""
    named = weight.inside.get(shown)
    if named is None and "\\" in shown:
        return next((part for name, part in weight.inside.items() if printable(name) == shown), None)
    return named


def folder_view(root: Weight, path: str) -> View:
    """Return a folder as a map draws and lists it, most tokens first; raises LookupError where there is none."""
    weight = find_folder(root, path)
    if weight is None:
        raise LookupError(path)
    parts = _by_tokens(weight)
    drawn = [{**_part_view(name, part), "inside": _inner_views(part)} for name, part in parts[:_NESTED]]
    return {
        "path": path,
        "tokens": weight.tokens,
        "files": weight.files,
        "kinds": dict(weight.kinds.most_common()),
        "parts": [*drawn, *(_part_view(name, part) for name, part in parts[_NESTED:_MOST_PARTS])],
        "tiles": _TILES,
        "total": len(parts),
        "unknown": sum(not part.known for _, part in parts),
    }


def _by_tokens(weight: Weight) -> Sequence[tuple[str, Weight]]:
    return sorted(weight.inside.items(), key=lambda item: (-item[1].tokens, item[0]))


def _part_view(name: str, part: Weight) -> View:
    folder = bool(part.inside) or not part.known
    view = {"name": name, "tokens": part.tokens, "files": part.files, "folder": folder, "kind": part.kind}
    return view if part.known else {**view, "known": False}


def _inner_views(weight: Weight) -> Sequence[View]:
    """Return the largest parts of a part that have tokens, and the others as one without a name."""
    parts = [(name, part) for name, part in _by_tokens(weight) if part.tokens]
    shown = [_part_view(name, part) for name, part in parts[:_INNER]]
    rest = [part for _, part in parts[_INNER:]]
    if rest:
        tokens, files = sum(part.tokens for part in rest), sum(part.files for part in rest)
        shown.append({"name": "", "tokens": tokens, "files": files, "folder": False, "kind": rest[0].kind})
    return shown
