"""The match of a use with overloads: whether it means one of those that are asked about."""

from __future__ import annotations

from enum import Enum


class OverloadMatch(Enum):
    """Whether a use means a function that is asked about: surely, possibly, or surely not."""

    Sure = "sure"
    Possible = "possible"
    Excluded = "excluded"
