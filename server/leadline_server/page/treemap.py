"""A treemap of what each folder costs a model to read: nested rectangles whose areas are tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from leadline_server.page.markup import Element, element
from leadline_server.prices import Prices
from leadline_tools.index.index import Index
from leadline_tools.languages import language_name

_WIDTH, _HEIGHT = 720.0, 420.0
_HEAD = 18.0
"""The height of the line with the name of a folder."""

_TILES, _INNER = 60, 24
"""Tiles that are drawn of a folder, and in each of them; the smallest ones together make one more."""

_CHARACTER = 7.2
"""The width of a character of a label."""

_ROWS = 300
"""Rows of the table at most."""


@dataclass(slots=True)
class Weight:
    """A folder or a file: its tokens, the files in it, and what is in it by name."""

    tokens: int = 0
    files: int = 0
    inside: dict[str, Weight] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


def weigh(index: Index, prices: Prices) -> Weight:
    """Return the weight of the tree; what cannot be read, binary files and secret ones, weighs nothing."""
    root = Weight()
    secret = index.files.secret
    for file in index.files.below():
        unread = file.binary or file.path in secret
        tokens = 0 if unread else prices.reading_cost(file.size, language_name(file.path))
        weight = root
        weight.tokens += tokens
        weight.files += 1
        for part in file.path.split("/"):
            below = weight.inside.get(part)
            if below is None:
                below = weight.inside[part] = Weight()
            weight = below
            weight.tokens += tokens
            weight.files += 1
    return root


def find_folder(root: Weight, path: str) -> Weight | None:
    """Return the folder at a path; None where there is none."""
    weight: Weight | None = root
    for part in path.split("/") if path else ():
        weight = weight.inside.get(part) if weight is not None else None
    return weight if weight is not None and (weight.inside or weight is root) else None


def squarify(areas: Sequence[float], box: Box) -> list[Box]:
    """Return rectangles that fill ``box``, as near to squares as their areas allow.

    Rows are laid along the shorter side, each as long as that makes its worst rectangle better: Bruls, Huizing, van
    Wijk, "Squarified treemaps" (2000). ``areas`` are positive, largest first, and only their ratios count.
    """
    total = sum(areas)
    scale = box.width * box.height / total if total else 0.0
    left = [area * scale for area in areas]
    boxes: list[Box] = []
    while left:
        side = min(box.width, box.height)
        row = 1
        while row < len(left) and _worst_ratio(left[: row + 1], side) <= _worst_ratio(left[:row], side):
            row += 1
        laid, box = _lay_row(left[:row], box)
        boxes += laid
        left = left[row:]
    return boxes


def _worst_ratio(row: Sequence[float], side: float) -> float:
    """Return how far the worst rectangle of a row is from a square: the ratio of its sides."""
    total = sum(row)
    if not total or not side:
        return float("inf")
    return max(side * side * max(row) / total**2, total**2 / (side * side * min(row)))


def _lay_row(row: Sequence[float], box: Box) -> tuple[list[Box], Box]:
    """Return a row along the shorter side of a box, and the rest of the box."""
    total = sum(row)
    wide = box.width >= box.height
    side = box.height if wide else box.width
    depth = min(total / side if side else 0.0, box.width if wide else box.height)
    boxes: list[Box] = []
    at = box.y if wide else box.x
    for area in row:
        length = side * area / total if total else 0.0
        boxes.append(Box(box.x, at, depth, length) if wide else Box(at, box.y, length, depth))
        at += length
    if wide:
        return boxes, Box(box.x + depth, box.y, box.width - depth, box.height)
    return boxes, Box(box.x, box.y + depth, box.width, box.height - depth)


def treemap(root: Weight, path: str) -> Element:
    """Return the map of a folder with its breadcrumbs and its table; raises LookupError where there is none."""
    weight = find_folder(root, path)
    if weight is None:
        raise LookupError(path)
    parts = _largest(weight.inside, _TILES)
    boxes = squarify([part.tokens for _, part in parts], Box(0.0, 0.0, _WIDTH, _HEIGHT))
    tiles = [_tile(path, name, part, weight, box) for (name, part), box in zip(parts, boxes, strict=True)]
    name = path or "the repository"
    drawing = element(
        "svg",
        *tiles,
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        role="group",
        aria_label=f"Map of {name}: areas are proportional to tokens",
        class_="treemap",
    )
    files = "file" if weight.files == 1 else "files"
    return element(
        "div",
        element("nav", _crumbs(path), aria_label="Folder"),
        element("p", f"Reading all of {name} would cost ~{weight.tokens:,} tokens: {weight.files:,} {files}."),
        drawing if tiles else element("p", "There is nothing to read."),
        element("details", element("summary", f"Show {name} as a table"), _table(path, weight)),
    )


def _largest(inside: Mapping[str, Weight], most: int) -> list[tuple[str, Weight]]:
    """Return the largest parts, and the others as one; parts without tokens have no area."""
    parts = sorted((item for item in inside.items() if item[1].tokens), key=lambda item: -item[1].tokens)
    rest = [part for _, part in parts[most:]]
    if not rest:
        return parts
    together = Weight(sum(part.tokens for part in rest), sum(part.files for part in rest))
    return sorted([*parts[:most], (f"{len(rest):,} others", together)], key=lambda item: -item[1].tokens)


def _tile(path: str, name: str, part: Weight, whole: Weight, box: Box) -> Element:
    """Return the rectangle of a part; that of a folder leads into it and shows what is in it."""
    label = f"{name}{'/' if part.inside else ''}: {part.tokens:,} tokens, {part.tokens / whole.tokens:.1%}"
    tile = (element("title", label), _rectangle(box, f"tile {'folder' if part.inside else 'file'}"))
    target = _link(f"{path}/{name}" if path else name) if part.inside else ""
    drawn = [element("a", *tile, href=target, aria_label=label) if target else element("g", *tile)]
    if part.inside and box.height > 2 * _HEAD and box.width > 2 * _HEAD:
        inner = Box(box.x + 3, box.y + _HEAD, box.width - 6, box.height - _HEAD - 3)
        parts = _largest(part.inside, _INNER)
        for (inside, _), one in zip(parts, squarify([one.tokens for _, one in parts], inner), strict=True):
            drawn += [_rectangle(one, "inner"), *_label(inside, one)]
    return element("g", *drawn, *_label(f"{name}{'/' if part.inside else ''}", box))


def _rectangle(box: Box, kind: str) -> Element:
    sides = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    return element("rect", **{name: round(side, 1) for name, side in sides.items()}, class_=kind)


def _label(text: str, box: Box) -> list[Element]:
    """Return as much of a label as there is room for; what a screen reader says of a tile is said by its link."""
    room = int((box.width - 8) / _CHARACTER)
    if box.height < _HEAD - 2 or room < 3:
        return []
    short = text if len(text) <= room else f"{text[: room - 1]}…"
    return [element("text", short, x=round(box.x + 4, 1), y=round(box.y + 13, 1), aria_hidden="true")]


def _link(path: str) -> str:
    return f"/?path={quote(path, errors='surrogateescape')}"


def _crumbs(path: str) -> Element:
    parts = path.split("/") if path else []
    steps = [element("li", element("a", "repository", href="/") if parts else "repository")]
    for depth, part in enumerate(parts, 1):
        last = depth == len(parts)
        step = element("span", part, aria_current="page") if last else None
        steps.append(element("li", step or element("a", part, href=_link("/".join(parts[:depth])))))
    return element("ol", *steps, class_="crumbs")


def _table(path: str, weight: Weight) -> Element:
    """Return what is in a folder, most tokens first."""
    ordered = sorted(weight.inside.items(), key=lambda item: (-item[1].tokens, item[0]))
    rows = [
        element(
            "tr",
            element(
                "th",
                element("a", f"{name}/", href=_link(f"{path}/{name}" if path else name)) if part.inside else name,
                scope="row",
            ),
            element("td", f"{part.tokens:,}", class_="number"),
            element("td", f"{part.tokens / weight.tokens:.1%}" if weight.tokens else "-", class_="number"),
            element("td", f"{part.files:,}", class_="number"),
        )
        for name, part in ordered[:_ROWS]
    ]
    more = f", the largest {_ROWS:,} of {len(ordered):,}" if len(ordered) > _ROWS else ""
    caption = f"Tokens to read what is in {path or 'the repository'}{more}"
    heads = [element("th", "name", scope="col")]
    heads += [element("th", head, scope="col", class_="number") for head in ("tokens", "share", "files")]
    made = element(
        "table", element("caption", caption), element("thead", element("tr", *heads)), element("tbody", *rows)
    )
    return element("div", made, class_="scroll", tabindex="0", role="region", aria_label=caption)
