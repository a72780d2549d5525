"""A *finding* of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How good it is: as it should be, something is worse than it could be, or something does not work."""

    Good = "good"
    Poor = "poor"
    Bad = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what it is, how good, what was seen, and the cure where there is something to."""

    name: str
    state: State
    seen: str
    cure: str = ""


def good(name: str, seen: str) -> Finding:
    """Return the finding that all is well."""
    return Finding(name, State.Good, seen)


def poor(name: str, seen: str, cure: str) -> Finding:
    """Return the finding that it works, and could work better."""
    return Finding(name, State.Poor, seen, cure)


def bad(name: str, seen: str, cure: str) -> Finding:
    """Return the finding that it does not work."""
    return Finding(name, State.Bad, seen, cure)
