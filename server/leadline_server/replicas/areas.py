"""The areas of the database: whose migrations ``leadline database migrate`` applies and ``serve`` requires."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.database.migrations import Area
from leadline_tools.index.hosted.area import AREA


def areas() -> Sequence[Area]:
    """Return all areas, in the order in which they are applied."""
    return (Area.read("state", "leadline_server.replicas"), AREA)
