"""The plots of the documentation, as SVG, from what was measured: the answers that are kept, and the benchmarks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
SNAPSHOTS = ROOT / "tests" / "snapshots"
BENCHMARKS = ROOT / "bench" / "README.md"

_BUDGETS = (60, 300, 2_000)
_COLOURS = ("#b45309", "#2563eb", "#047857")
_LABELS, _WIDTH, _ROW, _TOP = 400, 900, 20, 44
_SPENT = re.compile(r"\| ([\d,]+)(?:/| of )([\d,]+)")


@dataclass(frozen=True, slots=True)
class Row:
    """What is drawn beside a label: a dot for each value, in the order of the colours; None where there is none."""

    label: str
    values: Sequence[float | None]


def budget_plot() -> str:
    """Return what the answers that are kept cost with each budget, beside the limits."""
    rows = []
    for path in sorted(SNAPSHOTS.glob("*.2000.txt")):
        name = path.name.removesuffix(".2000.txt")
        spent = [_spent(SNAPSHOTS / f"{name}.{budget}.txt") for budget in _BUDGETS]
        rows.append(Row(name.replace("-", ", "), spent))
    legend = [f"sent with max_tokens={budget:,}" for budget in _BUDGETS]
    return _dots("What answers cost (o200k tokens), and their limits", rows, legend, _BUDGETS)


def _spent(path: Path) -> float:
    """Return what the header of an answer says that it cost; raises ValueError where it says nothing."""
    header = path.read_text(encoding="utf-8").splitlines()[1]
    found = _SPENT.search(header)
    if found is None:
        raise ValueError(f"{path}: no cost in {header!r}")
    return float(found[1].replace(",", ""))


def shell_plot() -> str:
    """Return what whole questions cost, beside a shell, as the benchmarks have it."""
    cells = _table("| question | Leadline | shell, whole |")
    rows = [Row(row[0], [_number(row[1]), _number(row[2])]) for row in cells if not row[0].startswith("**")]
    title = "What a question costs (o200k tokens, without schemas)"
    return _dots(title, rows, ["Leadline", "a shell, whole output"], (100, 1_000, 10_000))


def _table(head: str) -> list[list[str]]:
    """Return the cells of the table of the benchmarks that begins so."""
    _, found, rest = BENCHMARKS.read_text(encoding="utf-8").partition(f"\n{head}")
    if not found:
        raise ValueError(f"{BENCHMARKS.name} has no table {head}")
    table = rest.split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def _number(cell: str) -> float | None:
    """Return the number in a cell; None for one that stands for no answer."""
    return None if "no answer" in cell else float(cell.split(maxsplit=1)[0].replace(",", ""))


def _dots(title: str, rows: Sequence[Row], legend: Sequence[str], lines: Sequence[int]) -> str:
    """Return a plot of rows of dots on a logarithmic axis, with a vertical line at each of ``lines``."""
    values = [value for row in rows for value in row.values if value is not None]
    low, high = math.log(min(values) * 0.8), math.log(max(*values, *lines) * 1.15)

    def across(value: float) -> str:
        return f"{_LABELS + (math.log(value) - low) / (high - low) * (_WIDTH - _LABELS - 24):.1f}"

    bottom = _TOP + _ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 28}" role="img"'
        f' font-family="sans-serif" font-size="12"><title>{escape(title)}</title>',
        f'<rect width="{_WIDTH}" height="{bottom + 28}" fill="#fff"/>',
        f'<text x="10" y="16" font-weight="bold">{escape(title)}</text>',
    ]
    for number, (text, colour) in enumerate(zip(legend, _COLOURS, strict=False)):
        left = 16 + number * 220
        parts.append(f'<circle cx="{left}" cy="31" r="4" fill="{colour}"/><text x="{left + 9}" y="35">{text}</text>')
    for line in lines:
        parts.append(f'<path d="M{across(line)} {_TOP}V{bottom}" stroke="#999"/>')
        parts.append(f'<text x="{across(line)}" y="{bottom + 16}" text-anchor="middle">{line:,}</text>')
    for number, row in enumerate(rows):
        height = _TOP + _ROW * number + 14
        parts.append(f'<text x="{_LABELS - 10}" y="{height}" text-anchor="end">{escape(row.label)}</text>')
        parts += [
            f'<circle cx="{across(value)}" cy="{height - 4}" r="4" fill="{colour}"><title>{value:,.0f}</title></circle>'
            for value, colour in zip(row.values, _COLOURS, strict=False)
            if value is not None
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"
