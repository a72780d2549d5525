"""A link of a call hierarchy: the calls between two functions."""

from __future__ import annotations

from typing import NamedTuple

from leadline_tools.model import Tier
from leadline_tools.resolve.call_hierarchy.function_code import Function


class Link(NamedTuple):
    """The calls between a function and another, surest first."""

    other: Function
    sites: tuple[tuple[int, int], ...]
    tier: Tier
