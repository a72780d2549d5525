"""Complete answers as programs read them: the items, the account, and how long the answer took."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from leadline_server.call import Request, Session
from leadline_tools.errors import LeadlineError
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.addresses.address import resolve_address
from processes import cpu_of_others

_HEADER_PLACE = re.compile(
    r"^(?P<kind>[A-Z][\w ]*) in (?P<path>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?(?:, (?!made of)|$)",
    re.MULTILINE,
)
"""How go_to_definition names the definition whose text it shows."""

_MADE_OF = re.compile(r"(?P<kind>, made of the word) in (?P<path>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?")
"""How it names the word of which a macro makes a name: that stands for its definition."""

_SEVERAL = re.compile(r"\blines of (?:[\d,]+ of )?[\d,]+ definitions\b")
"""How the header of an answer says that it shows several definitions."""

_HEADING_PLACE = re.compile(
    r"^(?P<kind>[A-Z]\w*) .*? ?(?P<path>[^\s:]+):(?P<line>\d+)(?::(?P<column>\d+))?$", re.MULTILINE
)
"""How go_to_definition names each of several definitions: kind, name and place."""

_COLLECTED = re.compile(r"^\w+ in [^\n]*, no parameter has the name: ", re.MULTILINE)
"""What a keyword means that a function collects with others: no definition has its name."""

_FILE = re.compile(r" ?[\d,]+ lines?$", re.MULTILINE)
"""What follows the place in which a module begins that is a file."""

_CANDIDATES = re.compile(r": (?:[\d,-]+ of )?(?:>=)?[\d,]+ candidates?\b")
"""How the header of an answer says that it lists candidates."""

_LARGEST_BUDGET = 20_000
_CLASSES = ("exact", "likely", "other", "undecided", "text")


class Place(NamedTuple):
    """Where a name is written: 1-based, columns in characters."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        """Return it as an address."""
        return f"{self.path}:{self.line}:{self.column}"


class Use(NamedTuple):
    """A listed use: its place, the column after it, its tier and role; empty where the tool has none."""

    place: Place
    end: int
    tier: str
    role: str

    def covers(self, place: Place) -> bool:
        """Return whether a place is in its text: a name may begin with a sign, or be a dotted one."""
        return self.place[:2] == place[:2] and self.place.column <= place.column < max(self.end, self.place.column + 1)


@dataclass(frozen=True)
class Account:
    """The account of an answer: tokens of each class, those not examined by reason, and uses under another name.

    In ``uncounted_files`` tokens that mean something else are not counted, since the name is a local one elsewhere.
    """

    exact: int
    likely: int
    other: int
    undecided: int
    text: int
    not_examined: tuple[tuple[str, int], ...]
    aliased: int
    uncounted_files: int = 0

    @classmethod
    def of(cls, answer: Mapping[str, object]) -> Account | None:
        """Read the account of an answer; None where it has none."""
        given = answer.get("account")
        if not isinstance(given, dict):
            return None
        unread = given["not_examined"]
        numbers = {name: int(given[name]) for name in (*_CLASSES, "aliased")}
        uncounted = int(given.get("uncounted_files", 0))
        return cls(**numbers, not_examined=tuple(sorted(unread.items())), uncounted_files=uncounted)

    @property
    def left(self) -> int:
        """Return how many tokens are not examined."""
        return sum(number for _, number in self.not_examined)

    @property
    def tokens(self) -> int:
        """Return how many tokens are accounted for."""
        return self.exact + self.likely + self.other + self.undecided + self.text + self.left

    def __str__(self) -> str:
        """Return it as one line."""
        parts = [f"{name} {getattr(self, name):,}" for name in (*_CLASSES, "aliased")]
        return ", ".join([*parts, *(f"not examined ({reason}) {number:,}" for reason, number in self.not_examined)])


@dataclass(frozen=True)
class Answer:
    """A whole answer.

    Args:
        uses: What it lists, each place of a line by itself, in the order of the answer.
        items: The items as JSON, without what is shown of them: two answers have the same items where these are equal.
        account: The account of the answer as it was sent; None where it has none.
        kept: The account of the stored result.
        complete: Whether it says that it is complete, all pages included.
        undecided: How many uses are not decided, those included that no token spells.
        examined: Whether every token was examined, all pages included; some may be undecided, and a language may use a
            symbol such as ``__str__`` without its name.
        error: The message, where it is an error.
        seconds: Wall clock until the answer was there.
        cpu: Seconds of CPU until then, in the server and its workers; reading the other pages is not part of it.
        besides: What it shows that are no items: what has no name, or is not decided.

    """

    uses: Sequence[Use] = ()
    items: Sequence[str] = ()
    account: Account | None = None
    kept: Account | None = None
    complete: bool = False
    undecided: int = 0
    examined: bool = False
    error: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    besides: Sequence[Use] = ()


class Asker:
    """Calls tools of one session and returns whole answers."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.index = session.index

    def answer(self, tool: str, symbol: str, **arguments: object) -> Answer:
        """Ask a tool about a symbol, and read the stored result to its end."""
        given = {"symbol": symbol, **arguments, "max_tokens": _LARGEST_BUDGET}
        used, started = time.process_time() + cpu_of_others(), time.perf_counter()
        response = self.session.call(Request(tool, given, store=True, as_json=True))
        seconds, cpu = time.perf_counter() - started, time.process_time() + cpu_of_others() - used
        if response.is_error:
            return Answer(error=response.text.partition("\n")[0].removeprefix("error: "), seconds=seconds, cpu=cpu)
        sent = json.loads(response.text)
        whole = sent if not response.uri else json.loads(self.session.read_all(response.uri, 0))
        kept = Account.of(whole)
        is_open = "at_least" in whole and (kept is None or kept.left > 0)
        return Answer(
            list(_uses(whole["items"])),
            [json.dumps(list(_identity(item)), sort_keys=True) for item in whole["items"]],
            Account.of(sent),
            kept,
            bool(whole["complete"]),
            int(whole.get("undecided", 0)),
            not is_open and not whole.keys() & {"ask_again", "next"},
            seconds=seconds,
            cpu=cpu,
            besides=[use for one in sent.get("besides", {}).values() for use in _uses(one.get("items", ()))],
        )

    def shows(self, address: str, places: frozenset[Place]) -> bool:
        """Return whether go_to_definition at an address shows the line of one of some places."""
        lines = {place[:2] for place in places}
        return any(use.place[:2] in lines for use in self.answer("go_to_definition", address).uses if not use.tier)

    def is_constructor(self, address: str) -> bool:
        """Return whether an address means constructors alone: by the kind, or by the name of the type around."""
        try:
            symbols = resolve_address(self.index, address)
        except LeadlineError:
            return False
        names = (symbol.name.rpartition(".") for symbol in symbols)
        by_name = all(owner.rpartition(".")[2] == name for owner, _, name in names)
        return by_name or all(symbol.first.kind is SymbolKind.Constructor for symbol in symbols)

    def owners(self, address: str) -> frozenset[Place]:
        """Return the places of the types in which the definitions at an address stand."""
        try:
            symbols = resolve_address(self.index, address)
        except LeadlineError:
            return frozenset()
        return frozenset(
            Place(symbol.path, one.line, one.column)
            for symbol in symbols
            for one in self.index.symbols.definitions(symbol.source)
            if one.path == symbol.first.container
        )

    def definitions(self, address: str) -> Definitions:
        """Return where go_to_definition leads from an address."""
        answer = self.session.call(Request("go_to_definition", {"symbol": address, "max_tokens": _LARGEST_BUDGET}))
        if answer.is_error:
            return Definitions()
        header, _, body = answer.text.partition("\n")
        if _CANDIDATES.search(header):
            uses = self.answer("go_to_definition", address).uses
            meant = frozenset(use.place for use in uses if use.tier != "name")
            return Definitions(meant, frozenset(use.place for use in uses) - meant, several=True)
        if _COLLECTED.search(body):
            return Definitions()
        named = _HEADER_PLACE if not _SEVERAL.search(header) else _HEADING_PLACE
        places = (*named.finditer(body), *_MADE_OF.finditer(body))
        return Definitions(frozenset(place for one in places for place in self._places(one)))

    def _places(self, named: re.Match[str]) -> Iterator[Place]:
        """Yield where the names are that are defined on the line of a definition: answers call kinds as languages do.

        What gives an attribute a value leads to itself, and is an address of the declaration. Nothing for a module,
        which is a file.
        """
        path, line = named["path"], int(named["line"])
        if _FILE.match(named.string, named.end()):
            return
        if named["column"]:
            yield Place(path, line, int(named["column"]))
            return
        try:
            symbols = resolve_address(self.index, f"{path}:{line}")
        except LeadlineError:
            return
        every = [Place(symbol.path, one.line, one.column) for symbol in symbols for one in symbol.definitions]
        yield from [one for one in every if one[:2] == (path, line)] or every


class Definitions(NamedTuple):
    """Where go_to_definition leads.

    Args:
        places: The places of definitions that the name means.
        possible: Those of definitions that merely have the name: no claim that they are meant.
        several: Whether they are candidates to choose from.

    """

    places: frozenset[Place] = frozenset()
    possible: frozenset[Place] = frozenset()
    several: bool = False

    def lead_to(self, places: frozenset[Place]) -> bool:
        """Return whether one of those that the name means is at one of the given places."""
        return not self.places.isdisjoint(places)

    def may_lead_to(self, places: frozenset[Place]) -> bool:
        """Return whether one of those that merely have the name is at one of the given places."""
        return not self.possible.isdisjoint(places)

    def are(self, places: frozenset[Place]) -> bool:
        """Return whether the name means some definitions, and all of them are at the given places."""
        return bool(self.places) and self.places <= places


def _uses(items: Sequence[Mapping[str, object]]) -> Iterator[Use]:
    """Yield each place of the items; those that tell no column have 0."""
    for item in items:
        path, line = item.get("path"), item.get("line")
        if not (isinstance(path, str) and isinstance(line, int)):
            continue
        first, end = int(str(item.get("column", 0))), int(str(item.get("end_column", 0)))
        again = item.get("again", ())
        columns = [first, *again] if isinstance(again, list) else [first]
        for column in columns:
            tier, role = str(item.get("tier", "")), str(item.get("role", ""))
            yield Use(Place(path, line, column), end + column - first, tier, role)


_SHOWN = frozenset({"text", "doc", "signature", "tier", "reason", "container", "snippet"})
"""What an item shows besides what it is: it depends on the detail, or gets surer."""


def _identity(item: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    return ((key, value) for key, value in sorted(item.items()) if key not in _SHOWN)
