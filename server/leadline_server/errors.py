"""What can go wrong between a client and a tool.

* LeadlineError
  x UnknownTool
  x NoSuchResult
"""
# ruff: noqa: N818  an error is named by what is wrong; its base says that it is one

from __future__ import annotations

import difflib
from collections.abc import Iterable

from leadline_tools.errors import LeadlineError, quoted


class UnknownTool(LeadlineError):
    """There is no tool of that name; ``nearest`` is the one that was probably meant."""

    def __init__(self, name: str, tools: Iterable[str]) -> None:
        known = list(tools)
        super().__init__(f"There is no tool {quoted(name)}.")
        self.name = name
        self.nearest = next(iter(difflib.get_close_matches(name, known, 1, 0.4)), None)
        self.hint = f"Did you mean {self.nearest}?" if self.nearest else f"Tools: {', '.join(known)}."


class NoSuchResult(LeadlineError):
    """No result is kept under that URI; ``again`` is the call that makes it anew, where that is known."""

    def __init__(self, uri: str, again: str = "") -> None:
        super().__init__(f"The result {quoted(uri)} {'has expired' if again else 'is not kept here'}.")
        self.uri = uri
        self.hint = f"Call {again} again." if again else "Call the tool again that gave it."
