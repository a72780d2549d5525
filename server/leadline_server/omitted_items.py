"""Omitted items of an answer: how many there are in each folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from leadline_estimators.tokenizer import Tokenizer
from leadline_estimators.truncation import Limit
from leadline_server.render import count_by_path, line, place
from leadline_tools.model import Item
from leadline_tools.search_text.matches import TextMatches

MOST_GROUPS = 12
"""Groups that are named where items are left out."""


def more_groups(number: int) -> str:
    """Return the line that counts groups of a breakdown that are not shown."""
    return line(f"and {number:,} more groups")


def groups_of(items: Sequence[Item]) -> Sequence[tuple[str, int]]:
    """Count items by folder, by the shallowest level at which there is more than one; most first."""
    if not items or not place(items[0]):
        return []
    return group_paths(count_by_path(items))


def groups_of_rest(items: Sequence[Item], shown: int) -> Sequence[tuple[str, int]]:
    """Count the items behind the first ``shown`` in the same way."""
    if not isinstance(items, TextMatches):
        return groups_of(items[shown:])
    rest = Counter(items.files())
    rest.subtract(items[:shown].files())
    return group_paths(+rest)


def group_paths(paths: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    """Return the same of items that are counted by path."""
    counts: Counter[str] = Counter()
    for depth in range(1, 12):
        counts = Counter()
        for path, number in paths.items():
            counts[_folder(path, depth)] += number
        if len(counts) != 1 or not next(iter(counts)).endswith("/"):
            break
    return counts.most_common()


def _folder(path: str, depth: int) -> str:
    parts = path.split("/", depth)
    return "/".join(parts[:depth]) + "/" if len(parts) > depth else path


def left_out_cost(groups: Sequence[tuple[str, int]], total: int, tokenizer: Tokenizer) -> int:
    """Return the tokens of the line that counts items left out, with as many groups as it may name."""
    return tokenizer.count(_left_out_line(groups, MOST_GROUPS, total)) if groups else 0


def left_out(groups: Sequence[tuple[str, int]], room: Limit, most: int) -> Iterator[str]:
    """Yield the line that counts what was left out, with as many groups as there is room for."""
    total = sum(number for _, number in groups)
    for named in range(min(MOST_GROUPS, len(groups)), -1, -1):
        text = _left_out_line(groups, named, total)
        cost = room.cost_of(text)
        if cost.tokens <= most and room.pays(cost):
            yield text
            return


def _left_out_line(groups: Sequence[tuple[str, int]], named: int, total: int) -> str:
    named_groups = [f"{group} {number:,}" for group, number in groups[:named]]
    others = groups[named:]
    if named and len(others) == 1:
        named_groups.append(f"{others[0][0]} {others[0][1]:,}")
    elif others and named:
        named_groups.append(f"{sum(number for _, number in others):,} in {len(others):,} others")
    return line(f"left out {total:,}: {', '.join(named_groups)}" if named_groups else f"left out {total:,}")
