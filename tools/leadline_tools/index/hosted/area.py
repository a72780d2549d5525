"""The tables of the hosted index, as ``leadline database migrate`` makes them."""

from __future__ import annotations

from leadline_tools.database.migrations import Area

AREA = Area.read("index", "leadline_tools.index.hosted")
"""The migrations of the hosted index."""
