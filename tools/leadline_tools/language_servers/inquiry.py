"""An *inquiry*: what a server is asked about one symbol, and whether its answers can be believed.

Servers leave out what they have not read yet, and say nothing of it. So all files in question are opened first, and the
server must find by itself what is known for certain: uses that mean the symbol, and places that mean another. Only then
is it asked about the others, until two rounds give the same number of answers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline_tools.language_servers.client import Client
from leadline_tools.language_servers.locations import SourceLocation
from leadline_tools.language_servers.server_pool import ServerTask

MOST_ASKED = 2_000
"""Undecided uses of one symbol that a server is asked about, surest first."""

_WARM_SECONDS = 20.0
"""Seconds that a server has, once it is greeted, to find what is certain."""

_ALL_SECONDS = 60.0
"""Seconds for one inquiry."""

_PAUSE = 0.3
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class OpinionRequest:
    """The uses of one symbol that a server is asked about, and what it is tested on.

    Args:
        definition_lines: Where the symbol is defined or declared: path and line, and the last line where it is a whole.
        undecided: The uses to be decided, with the name as it is spelled there; surest first.
        certain: Uses that mean the symbol.
        others: Places that mean something else.
        paths: The files to be opened, likeliest first.

    """

    definition_lines: frozenset[tuple[str, int]]
    undecided: Mapping[SourceLocation, str]
    certain: Sequence[SourceLocation]
    others: Sequence[SourceLocation]
    paths: Sequence[str]


@dataclass(slots=True)
class Verdict:
    """What a server says: of each use that it decides, whether it means the symbol.

    Args:
        decided: The uses that it decides.
        doubt: Why it is not believed; empty where it is.
        unasked: Uses that it was not asked about, for being too many, in files that cannot be opened, or too late.

    """

    decided: Mapping[SourceLocation, bool] = field(default_factory=dict)
    doubt: str = ""
    unasked: int = 0


class Inquiry(ServerTask):
    """A request on its way to a server and back."""

    def __init__(self, request: OpinionRequest) -> None:
        super().__init__()
        self.request = request
        self.verdict = Verdict()

    def run(self, client: Client) -> None:
        """Ask a server. Raises ServerFault."""
        request, until = self.request, time.monotonic() + _ALL_SECONDS
        shown = set(client.show(request.paths))
        doubt = self._doubt(client, [place for place in request.certain if place.path in shown])
        if doubt or any(self._means(found) for _, found in client.definitions(_within(request.others, shown))):
            self.verdict = Verdict(doubt=doubt or "it confuses something else with the symbol")
            return
        asked = _within([place for place, name in request.undecided.items() if _spelled(client, place, name)], shown)
        decided: dict[SourceLocation, bool] = {}
        for _ in range(_ROUNDS):
            before = len(decided)
            left = [place for place in asked[:MOST_ASKED] if place not in decided]
            decided.update(self._decide(client, left, until))
            if len(decided) == before or time.monotonic() > until or self.closing.wait(_PAUSE):
                break
        self.verdict = Verdict(decided, unasked=len(request.undecided) - len(asked[:MOST_ASKED]))

    def _doubt(self, client: Client, certain: Sequence[SourceLocation]) -> str:
        """Return why a server cannot be believed, once it finds what is certain or twice the same part of it."""
        until = time.monotonic() + _WARM_SECONDS
        before = -1
        while certain:
            answers = dict(client.definitions(certain))
            right = sum(self._means(found) for found in answers.values())
            if right == len(certain):
                return ""
            if right == before > 0 or time.monotonic() > until or self.closing.wait(_PAUSE):
                return f"it lacks {len(certain) - right} of {len(certain)} uses that are certain"
            before = right
        return "there is no certain use to check it by"

    def _decide(
        self, client: Client, places: Sequence[SourceLocation], until: float
    ) -> Iterator[tuple[SourceLocation, bool]]:
        for place, found in client.definitions(places):
            if self._means(found):
                yield place, True
            elif found and all(_believable(client, one, self.request.undecided[place]) for one in found):
                yield place, False
            if time.monotonic() > until:
                return

    def _means(self, found: Sequence[SourceLocation]) -> bool:
        return any(not one.outside and (one.path, one.line) in self.request.definition_lines for one in found)


def _within(places: Sequence[SourceLocation], shown: set[str]) -> list[SourceLocation]:
    return [place for place in places if place.path in shown]


def _spelled(client: Client, place: SourceLocation, name: str) -> bool:
    """Return whether a name stands at a place as it was found: the file may have changed since."""
    return client.line(place.path, place.line)[place.column - 1 :].startswith(name)


def _believable(client: Client, place: SourceLocation, name: str) -> bool:
    """Return whether a use of a name can be defined at a place: the name stands there, or it is a whole file.

    Of a file outside of the tree, which is not read, that it is there.
    """
    if place.outside:
        return Path(place.path).is_absolute() and Path(place.path).is_file()
    line = client.line(place.path, place.line)
    return (place.line, place.column) == (1, 1) or name in line
