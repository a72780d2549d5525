"""The tables of ``docs/clients.md``: every row is the result of a test, which writes it or finds it there."""

from __future__ import annotations

import os
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "clients.md"


def rows(table: str) -> list[str]:
    """Return the rows of a table of the page, without its head."""
    return PAGE.read_text(encoding="utf-8").partition(f"<!-- {table} -->\n")[2].partition("<!-- /")[0].splitlines()[2:]


def recorded(table: str, *cells: str) -> None:
    """Find a row in a table of the page; write it there where snapshots are to be written."""
    row = f"| {' | '.join(cells)} |"
    if os.environ.get("LEADLINE_UPDATE_SNAPSHOTS"):
        _write(table, row, f"| {cells[0]} |")
    assert row in rows(table), f"{PAGE.name} is stale: run this test with LEADLINE_UPDATE_SNAPSHOTS=1"


def _write(table: str, row: str, start: str) -> None:
    """Put a row in the place of the one with the same first cell, or behind the last."""
    before = rows(table)
    after = [row if old.startswith(start) else old for old in before]
    if row not in after:
        after.append(row)
    text = PAGE.read_text(encoding="utf-8")
    head, mark, rest = text.partition(f"<!-- {table} -->\n")
    title, rule, tail = rest.split("\n", 2)
    end = tail[tail.index("<!-- /") :]
    PAGE.write_text("\n".join((head + mark + title, rule, *after, end)), encoding="utf-8")
