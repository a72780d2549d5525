"""Whether a use can mean one of the functions that are asked about, where several have one name."""

from __future__ import annotations

from enum import Enum


class CallFit(Enum):
    """Whether a use means a function that is asked about: surely, possibly, or surely not."""

    Sure = "sure"
    Possible = "possible"
    Excluded = "excluded"
