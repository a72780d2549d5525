"""The rows of an answer that ``fit`` asks for: items as text or JSON, asides, counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from leadline_estimators.truncation import Form
from leadline_server.outgoing import printable
from leadline_server.prices import Prices
from leadline_server.render import (
    LONGEST_LINE,
    SAME,
    TOP_LEVEL,
    call_line,
    container_label,
    item_heading,
    item_label,
    item_lines,
    line,
    receiver_label,
)
from leadline_server.render_json import as_json, compact
from leadline_tools.index.packing.packed_outline import PackedOutline
from leadline_tools.model import (
    CallNode,
    Hunk,
    Item,
    MapPart,
    Mention,
    Occurrence,
    OutlineSymbol,
    RankedSymbol,
    TextMatch,
    Undecided,
)
from leadline_tools.result import Aside, Breakdown
from leadline_tools.search_text.matches import TextMatches

PARTS_TIER = 1
"""The tier of the parts on a map: after the first symbols, before all others."""

_MEMBERS_LATER = 100
"""More than there are tiers."""

_REMEMBERED = 2_000
"""Rows whose texts are kept while an answer is made of them; hardly a page has as many."""


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Items as the rows that ``fit`` asks for."""

    items: Sequence[Item]
    prices: Prices
    _texts: dict[tuple[int, Form], str] = field(default_factory=dict[tuple[int, Form], str], repr=False)
    _headings: dict[int, str] = field(default_factory=dict[int, str], repr=False)
    _openings: list[bool] = field(default_factory=list[bool], repr=False)

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    def heading(self, row: int) -> str:
        """Return the heading of an item, its path or folder; cached like its text."""
        known = self._headings.get(row)
        if known is None:
            known = printable(self._heading(row))
            if row < _REMEMBERED:
                self._headings[row] = known
        return known

    def _heading(self, row: int) -> str:
        if isinstance(self.items, TextMatches):
            return self.items.path(row)
        if isinstance(self.items, PackedOutline):
            return ""
        return item_heading(self.items[row], labelled=self._opens_section(row))

    def _opens_section(self, row: int) -> bool:
        """Return whether a row is below the first heading of a section: the others do not repeat what that is about."""
        if not item_label(self.items[row]):
            return False
        if not self._openings:
            self._openings.extend(_openings(self.items))
        return self._openings[row]

    def text(self, row: int, form: Form) -> str:
        """Return an item in one of its forms; remembered where it can be on a page: several are tried."""
        known = self._texts.get((row, form))
        if known is None:
            known = self._text(row, form)
            if row < _REMEMBERED:
                self._texts[row, form] = known
        return known

    def _text(self, row: int, form: Form) -> str:
        item = self.items[row]
        if isinstance(item, CallNode):
            return line(call_line(item, form, named=not self._shares_path(row, item)))
        if isinstance(item, TextMatch | Occurrence):
            item = replace(item, container=self._new_container(row, item))
        return "".join(map(line, item_lines(item, form, self.prices)))

    def mark(self, row: int) -> str:
        """Return the line number that is the leanest form of a use, a match or a change."""
        if isinstance(self.items, PackedOutline):
            return ""
        if isinstance(self.items, TextMatches):
            return str(self.items.line(row))
        match self.items[row]:
            case Occurrence(line=number) | TextMatch(line=number) | Hunk(start_line=number):
                return str(number)
            case Undecided(use=Occurrence(line=number)) | Mention(match=TextMatch(line=number)):
                return str(number)
            case RankedSymbol(label=label):
                return f" {printable(label)}" if label and not label.isspace() and " " not in label else ""
            case _:
                return ""

    def depth(self, row: int) -> int:
        """Return how deep a symbol of an outline or a call is nested, or the tier of what is on a map."""
        if isinstance(self.items, PackedOutline | TextMatches):
            return self.items.depths[row] if isinstance(self.items, PackedOutline) else 0
        match self.items[row]:
            case OutlineSymbol(depth=depth):
                return depth
            case CallNode(depth=depth):
                return depth - 1
            case RankedSymbol(tier=tier):
                return tier
            case MapPart():
                return PARTS_TIER
            case _:
                return 0

    def detail(self, row: int) -> int:
        """Return how late a row gets a richer form: on a map members do so after what is outside of types."""
        if isinstance(self.items, PackedOutline):
            return 0
        match self.items[row]:
            case RankedSymbol(symbol=symbol, tier=tier):
                return tier + _MEMBERS_LATER * bool(symbol.container)
            case _:
                return 0

    def _new_container(self, row: int, item: TextMatch | Occurrence) -> str:
        """Return where a match is, if not where the one above is; else ``SAME`` for a use; ``TOP_LEVEL`` for none."""
        above = self.items[row - 1] if row else None
        if not isinstance(above, type(item)) or self.heading(row - 1) != self.heading(row):
            return item.container
        if above.container == item.container:
            return SAME if item.container and isinstance(item, Occurrence) else ""
        return item.container or TOP_LEVEL

    def _shares_path(self, row: int, item: CallNode) -> bool:
        """Return whether a call is in the same file as the call above it, which is on the same page."""
        above = self.items[row - 1] if row else None
        return isinstance(above, CallNode) and above.depth <= item.depth and above.symbol.path == item.symbol.path


def _openings(items: Sequence[Item]) -> Iterator[bool]:
    """Yield of each item whether it is below the first heading of its section, in one pass."""
    before, above, opens = None, None, True
    for item in items:
        label, heading = item_label(item), item_heading(item)
        opens = label != before or (opens and heading == above)
        yield opens
        before, above = label, heading


@dataclass(frozen=True, slots=True)
class JsonRows:
    """Items as lines of a JSON array; they have one form."""

    items: Sequence[Item]
    prices: Prices
    longest: int | None = None

    def clip(self, longest: int) -> JsonRows:
        """Return the same rows with every text or list cut to ``longest``, and items marked where one was."""
        return JsonRows(self.items, self.prices, longest)

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    def heading(self, row: int) -> str:  # noqa: ARG002  as Rows has it
        """Return nothing: objects have no headings."""
        return ""

    def text(self, row: int, form: Form) -> str:  # noqa: ARG002
        """Return an item as an object, with the comma that joins it to the next."""
        value = as_json(self.items[row], self.prices)
        longest = LONGEST_LINE if self.longest is None else self.longest
        if any(isinstance(v, str | tuple) and len(v) > longest for v in value.values()):
            value = {name: v[:longest] if isinstance(v, str | tuple) else v for name, v in value.items()}
            value["clipped"] = True
        return compact(value) + ",\n"

    def mark(self, row: int) -> str:  # noqa: ARG002
        """Return nothing: objects have one form."""
        return ""

    def depth(self, row: int) -> int:  # noqa: ARG002
        """Return 0: objects are not nested."""
        return 0


@dataclass(frozen=True, slots=True)
class AsideRows:
    """The uses of an aside as the rows that ``fit`` asks for: below their label and path, each with what is around."""

    aside: Aside

    def __len__(self) -> int:
        """Return how many uses are shown at most."""
        return len(self.aside.uses)

    def heading(self, row: int) -> str:
        """Return the label and the path of a use; of a lean aside only the first path has the label."""
        path = self.aside.uses[row].path
        unlabelled = self.aside.lean and path != self.aside.uses[0].path
        return printable(path if unlabelled else f"{self.aside.label}: {path}")

    def text(self, row: int, form: Form) -> str:
        """Return a use; with the symbol around it in every form but the leanest."""
        use = self.aside.uses[row]
        above = self.aside.uses[row - 1] if row else None
        repeated = above is not None and (above.path, above.container) == (use.path, use.container)
        inside = container_label(SAME if repeated else use.container) if form is not Form.Lean and use.container else ""
        known = form is Form.Lean or (above is not None and above.receiver == use.receiver)
        return line(f"{use.line}: {use.text}{inside}{'' if known else receiver_label(use)}")

    def mark(self, row: int) -> str:
        """Return the line number of a use."""
        return str(self.aside.uses[row].line)

    def depth(self, row: int) -> int:  # noqa: ARG002  as Rows has it
        """Return 0: uses are not nested."""
        return 0


@dataclass(frozen=True, slots=True)
class BreakdownRows:
    """Counts by folder, by extension: rows of one form below what they count by."""

    breakdowns: Sequence[Breakdown]

    def _at(self, row: int) -> tuple[str, tuple[str, int]]:
        for breakdown in self.breakdowns:
            if row < len(breakdown.groups):
                return breakdown.by, breakdown.groups[row]
            row -= len(breakdown.groups)
        raise IndexError(row)

    def __len__(self) -> int:
        """Return how many groups there are in all."""
        return sum(len(breakdown.groups) for breakdown in self.breakdowns)

    def heading(self, row: int) -> str:
        """Return what the group is counted by."""
        return f"by {self._at(row)[0]}"

    def text(self, row: int, form: Form) -> str:  # noqa: ARG002
        """Return a group and its count."""
        name, number = self._at(row)[1]
        return line(f"{name} {number:,}")

    def mark(self, row: int) -> str:  # noqa: ARG002
        """Return nothing: groups have one form."""
        return ""

    def depth(self, row: int) -> int:  # noqa: ARG002
        """Return 0: groups are disjoint."""
        return 0
