"""Whether every answer stays within its budget: random calls of all tools, for all models, in turns that have a budget.

    python bench/budgets.py ROOT [--calls N] [--seed N] [--cache-dir DIR] [--minutes N]

It prints a table and exits with 1 where one answer is over. What a call may cost is computed here once more, from what
is documented of budgets; tokens are counted on the text that is sent, in o200k and as the model's profile prices them.
ROOT is indexed first, in a folder that is thrown away unless ``--cache-dir`` names one.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import leadline_server.registry  # noqa: F401  declares the tools
from answers import is_cut
from leadline_estimators import count
from leadline_estimators.profiles import PROFILES, Profile, TextKind
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_server.error_line import LARGEST_ERROR
from leadline_server.render import text_kind
from leadline_server.turns import Window
from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.languages.outline import Definition
from leadline_tools.tool import TOOLS

CALLS = 10_000
SEED = 2026
FILES = 700
TYPES = ("Class", "Struct", "Interface", "Enum")

WINDOWS = (0, 0, 8_192, 32_768)
"""Windows that models are run with; 0 for their own."""

TURNS = (0, 1_500, 12_000)
"""Budgets of a turn that servers are started with; 0 for none but that of turns that a client names."""

CALLS_OF_A_TURN = 10

NAMED_TURN = 12_000
"""What a turn has that only the client names."""

SMALLEST, LARGEST = 60, 20_000
BAD_BUDGETS = (0, 1, -1, -(10**12), 10**12, 59.9, "1500", "2e3", 1e18)
"""Budgets that make no sense, or are written oddly; each has an answer."""

NO_BUDGETS: Sequence[object] = ("many", "", True, float("inf"), float("nan"), [2_000], {})
"""What is no budget: the answer is an error."""

Drawn = TypeVar("Drawn")

ASKED_ANEW = ("read_result", "budget")
"""Tools that are asked something else every time: they find nothing out."""

WORDS = "return self import class struct static int get set name value error test file path TODO def".split()
PATTERNS = ("*", "*.py", "*.c", "*.h", "*.md", "test_*", "**/*.txt", "M*", "[")
EXPRESSIONS = (r"def \w+", r"(a+)+$", r"raise [A-Z]\w+", r"\bint\b", "(", "static .* = ")


@dataclass(frozen=True, slots=True)
class Material:
    """What questions are made of, drawn from the tree."""

    files: Sequence[str]
    folders: Sequence[str]
    symbols: Sequence[str]
    """Names, and places ``path:line:column``."""

    types: Sequence[str]
    """Those of them that have members."""


def material(index: Index, draw: random.Random) -> Material:
    """Draw files, folders and definitions of a tree."""
    files = [file.path for file in index.files.below()]
    chosen = draw.sample(files, min(len(files), FILES))
    symbols: list[str] = []
    types: list[str] = []
    for path in chosen:
        found = outlined(index, path)
        for one in draw.sample(found, min(3, len(found))):
            symbols += [one.name, f"{path}:{one.line}:{one.column}"]
            types += symbols[-2:] if one.kind.name in TYPES else ()
    return Material(chosen, sorted({path.rpartition("/")[0] or "." for path in chosen}), symbols, types)


def outlined(index: Index, path: str) -> list[Definition]:
    """Return the definitions of a file; none where it has none to tell."""
    try:
        return [*index.symbols.outline(index.read(path))]
    except LeadlineError:
        return []


class Questions:
    """Random calls.

    Args:
        drawn: What they are made of.
        draw: The source of chance.
        size: Different questions of each tool.
    """

    def __init__(self, drawn: Material, draw: random.Random, size: int) -> None:
        self._draw = draw
        self._drawn = drawn
        self._size = size
        self._pools: dict[str, list[dict[str, object]]] = {tool: [] for tool in TOOLS}
        self.uris: list[str] = []
        """Results that can be read on."""

    def call(self) -> tuple[str, dict[str, object]]:
        """Return a tool and its arguments, the budget among them.

        A question is asked about ten times, of several models and with other budgets: its result is kept by the
        server, so that the time goes into answers.
        """
        tool = self._draw.choice(sorted(TOOLS))
        if tool in ASKED_ANEW or len(self._pools[tool]) < self._size:
            self._pools[tool].append(self._question(tool))
            arguments = dict(self._pools[tool][-1])
        else:
            arguments = dict(self._draw.choice(self._pools[tool]))
        if self._draw.random() < 0.9:
            arguments["max_tokens"] = self._budget()
        return tool, arguments

    def _question(self, tool: str) -> dict[str, object]:
        """Return arguments of a tool; now and then something is wrong with them."""
        arguments = {name: value for name, value in self._makers()[tool]().items() if value is not None}
        if self._draw.random() < 0.02:
            arguments[self._draw.choice(["path", "symbol", "query", "uri", "colour"])] = "no/such ❓ thing"
        return arguments

    def _budget(self) -> object:
        kind = self._draw.random()
        if kind < 0.05:
            return self._draw.choice(BAD_BUDGETS)
        if kind < 0.06:
            return self._draw.choice(NO_BUDGETS)
        return round(SMALLEST * (LARGEST / SMALLEST) ** self._draw.random())

    def _makers(self) -> Mapping[str, Callable[[], dict[str, object]]]:
        return {
            "list_files": lambda: {
                "pattern": self._pattern(),
                "path": self._place(),
                "recursive": self._flag(),
                "offset": self._sometimes(self._number(300)),
                "limit": self._sometimes(self._number(130)),
            },
            "count_files": lambda: {
                "pattern": self._pattern(),
                "path": self._place(),
                "recursive": self._flag(),
                "by": self._of("extension", "language", "directory"),
            },
            "read_file": lambda: {
                "path": self._file(),
                "start_line": self._sometimes(self._number(300)),
                "num_lines": self._sometimes(self._number(1_000)),
            },
            "search_text": self._search,
            "symbol_search": lambda: {
                "query": self._part(),
                "kind": self._of("", "", "Class", "Function,Method", "Struct", "Variable"),
                "path": self._place(),
                "match": self._of("auto", "auto", "exact", "prefix", "substring", "fuzzy"),
                "detail": self._detail(),
            },
            "document_symbols": lambda: {
                "path": self._file(),
                "depth": self._number(4) - 1,
                "detail": self._detail(),
            },
            "go_to_definition": lambda: {"symbol": self._symbol()},
            "find_references": lambda: {
                "symbol": self._symbol(),
                "path": self._place(),
                "include_declaration": self._flag(),
                "role": self._of("", "", "call", "import", "write"),
                "tier": self._of("likely", "exact", "name"),
                "detail": self._detail(),
            },
            "type_members": lambda: {
                "symbol": self._of(*self._drawn.types),
                "inherited": self._flag(),
                "private": self._flag(),
                "detail": self._detail(),
            },
            "call_hierarchy": lambda: {
                "symbol": self._symbol(),
                "direction": self._of("incoming", "outgoing"),
                "depth": self._of(1, 1, 2, 3, 20),
                "detail": self._detail(),
            },
            "find_implementations": lambda: {
                "symbol": self._symbol(),
                "direction": self._of("down", "up"),
                "detail": self._detail(),
            },
            "find_code": lambda: {"query": f"{self._part()} {self._part()}", "detail": self._detail()},
            "repo_map": lambda: {"path": self._place(), "focus": self._of("", self._part(), self._file())},
            "rename_symbol": lambda: {"symbol": self._symbol(), "new_name": "renamed_here"},
            "apply_code_fix": lambda: {"path": self._file(), "start_line": self._sometimes(self._number(100))},
            "read_result": lambda: {
                "uri": self._of(*self.uris[-50:]) if self.uris else "leadline://result/aaaaaaaa",
                "offset": self._sometimes(self._number(500)),
                "limit": self._sometimes(self._number(200)),
                "format": self._of("text", "text", "json"),
            },
            "budget": lambda: {"reset": self._draw.random() < 0.3},
        }

    def _search(self) -> dict[str, object]:
        regex = self._flag()
        return {
            "query": self._of(*EXPRESSIONS) if regex else self._of(*WORDS, self._part()),
            "regex": regex,
            "path": self._place(),
            "word": self._flag(),
            "case_sensitive": self._flag(),
            "context": self._of(0, 0, 2, 10),
        }

    def _of(self, *choices: Drawn) -> Drawn:
        return self._draw.choice(choices)

    def _flag(self) -> bool:
        return self._draw.random() < 0.5

    def _number(self, most: int) -> int:
        return self._draw.randint(1, most)

    def _sometimes(self, value: object) -> object | None:
        return value if self._flag() else None

    def _file(self) -> str:
        return self._of(*self._drawn.files)

    def _place(self) -> str:
        return self._of(".", ".", self._of(*self._drawn.folders))

    def _symbol(self) -> str:
        return self._of(*self._drawn.symbols)

    def _part(self) -> str:
        name = self._symbol().rpartition("/")[2].partition(".")[0]
        return name[: self._number(len(name))] if name and self._flag() else name or "x"

    def _pattern(self) -> str:
        return self._of("*", *PATTERNS)

    def _detail(self) -> str:
        return self._of("auto", "auto", "lean", "full")


@dataclass(slots=True)
class Account:
    """A turn as it is documented, kept beside the server's own: half of what is left a call, floor answers free."""

    budget: int
    spent: int = 0

    def granted(self, wanted: int, floor: int) -> tuple[int, bool]:
        """Return what a call may cost, and whether that counts."""
        half = max(0, self.budget - self.spent) // 2
        return (floor, False) if half < floor else (min(max(wanted, floor), half), True)


@dataclass(slots=True)
class Client:
    """One client of a server that is run for a model.

    Args:
        session: The server.
        draw: The source of chance.
    """

    session: Session
    draw: random.Random
    turn: str = ""
    account: Account | None = None
    window: Window | None = None
    number: int = 0

    @property
    def profile(self) -> Profile:
        """Return the model's profile."""
        return self.session.config.profile

    def begin(self) -> None:
        """Begin another turn."""
        limit = self.session.config.turn_tokens
        self.number += 1
        named = bool(limit) or self.draw.random() < 0.5
        self.turn = f"turn {self.number}" if named else ""
        self.account = Account(limit or NAMED_TURN) if named else None
        size = self.draw.choice((8_192, 32_768, 200_000))
        self.window = Window(size, self.draw.randrange(size + 1_000)) if self.draw.random() < 0.3 else None


@dataclass(frozen=True, slots=True)
class Answered:
    """One call and its answer.

    Args:
        tool: The tool.
        over: What is wrong with it; empty for nothing.
        used: The share that it used of the nearest of its limits; None of what no limit has cut, and of counts.
        seconds: How long it took.
        failed: Whether it is an error.
        exact: Whether the tokens of the model can be counted.
    """

    tool: str
    over: str
    used: float | None
    seconds: float
    failed: bool
    exact: bool


def asked(client: Client, questions: Questions) -> Answered:
    """Put one question and judge the answer."""
    tool, arguments = questions.call()
    as_json = tool != "budget" and client.draw.random() < 0.1
    request = Request(tool, arguments, store=True, as_json=as_json, turn=client.turn, window=client.window)
    began = time.perf_counter()
    try:
        response = client.session.call(request)
    except Exception as error:
        over = f"{tool}{arguments}: {type(error).__name__}: {error}"
        return Answered(tool, over, None, 0.0, failed=True, exact=client.profile.exact)
    seconds = time.perf_counter() - began
    if response.is_error:
        over = "" if count(response.text) <= LARGEST_ERROR else f"{tool}{arguments}: an error of {count(response.text)}"
        return Answered(tool, over, None, seconds, failed=True, exact=client.profile.exact)
    if response.uri:
        questions.uris.append(response.uri)
    if tool == "budget" and arguments.get("reset") and client.account is not None:
        client.account.spent = 0
    over, used = judged(client, request, response)
    return Answered(tool, over, used, seconds, failed=False, exact=client.profile.exact)


def judged(client: Client, request: Request, response: Response) -> tuple[str, float | None]:
    """Return what is wrong with an answer, and what share of its budget it used if it was cut."""
    config, profile = client.session.config, client.profile
    kind = kind_of(client.session, request, response)
    floor = profile.frame(config.floor, kind)
    given = request.arguments.get("max_tokens")
    wanted = (
        config.default_tokens(request.tool)
        if given is None
        else min(config.most_tokens(request.tool), int(float(str(given))))
    )
    wanted = wanted if request.window is None else min(wanted, request.window.left)
    most, counts = (max(wanted, floor), True) if client.account is None else client.account.granted(wanted, floor)
    tokens = count(response.text)
    price = profile.price_of(response.text, kind)
    if client.account is not None and counts:
        client.account.spent += price
    limits = [
        ("model's tokens", price, most),
        ("o200k tokens", tokens, most),
        ("characters", len(response.text), config.characters(request.tool)),
    ]
    used = max(measured / allowed for _, measured, allowed in limits)
    if client.account is not None:
        limits.append(("turn", client.account.spent, client.account.budget))
    wrong = [f"{what} {measured:,} of {allowed:,}" for what, measured, allowed in limits if measured > allowed]
    cut = counts and "limit" not in request.arguments and is_cut(response.text)
    return f"{request} {'; '.join(wrong)}" if wrong else "", used if cut else None


def kind_of(session: Session, request: Request, response: Response) -> TextKind:
    """Return what an answer is made of, from its stored result."""
    if request.as_json or request.arguments.get("format") == "json":
        return TextKind.Json
    uri = str(request.arguments.get("uri", "")) if request.tool == "read_result" else response.uri
    try:
        return (
            text_kind(session.store.get(uri.partition("?")[0], request.principal)[1].items) if uri else TextKind.Paths
        )
    except LeadlineError:
        return TextKind.Paths


def clients(index: Index, root: Path, cache: Path, draw: random.Random) -> Iterator[Client]:
    """Yield a client of a server for each profile; the servers share one index."""
    for name in PROFILES:
        config = Config(
            root, cache / "results", name, context_window=draw.choice(WINDOWS), turn_tokens=draw.choice(TURNS)
        )
        yield Client(Session(config, index), draw)


@dataclass(slots=True)
class Tally:
    """What came of all calls."""

    answers: list[Answered] = field(default_factory=list)

    def table(self) -> Iterator[str]:
        """Yield the lines of the table, by tool."""
        yield "| tool | calls | errors | over | used of the budget where cut, median | p95, ms |"
        yield "|---|---:|---:|---:|---:|---:|"
        tools = sorted({answer.tool for answer in self.answers})
        for tool in tools:
            yield self._row(tool, [answer for answer in self.answers if answer.tool == tool])
        for name, exact in (("tokens are counted", True), ("tokens are estimated", False)):
            yield self._row(f"**{name}**", [answer for answer in self.answers if answer.exact is exact])
        yield self._row("**all**", self.answers)

    @staticmethod
    def _row(name: str, answers: Sequence[Answered]) -> str:
        over = sum(bool(answer.over) for answer in answers)
        errors = sum(answer.failed for answer in answers)
        used = [answer.used for answer in answers if answer.used is not None]
        share = f"{100 * statistics.median(used):.1f} % of {len(used):,}" if used else ""
        slow = 1000 * sorted(answer.seconds for answer in answers)[len(answers) * 95 // 100]
        return f"| {name} | {len(answers):,} | {errors:,} | {over} | {share} | {slow:,.0f} |"


def measured(root: Path, cache: Path, options: argparse.Namespace) -> Tally:
    """Index a tree and ask."""
    draw = random.Random(options.seed)
    index = Index(root, cache)
    index.start()
    if not index.wait(options.wait):
        print("The index was not complete when the calls began.")
    questions = Questions(material(index, draw), draw, max(1, options.calls // len(TOOLS) // 10))
    tally = Tally()
    everyone = list(clients(index, root, cache, draw))
    ends = time.monotonic() + 60 * options.minutes
    while len(tally.answers) < options.calls and time.monotonic() < ends:
        client = draw.choice(everyone)
        client.begin()
        for _ in range(draw.randint(1, CALLS_OF_A_TURN)):  # without a pause: silence ends a turn
            tally.answers.append(asked(client, questions))
    for client in everyone:
        client.session.close()
    return tally


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--cache-dir", type=Path)
    parser.add_argument(
        "--wait", type=float, default=600.0, help="seconds for the index; then calls begin all the same"
    )
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so long, whatever was asked")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        cache = (options.cache_dir or Path(temporary)).resolve()
        tally = measured(options.root.resolve(), cache, options)
    over = [answer.over for answer in tally.answers if answer.over]
    print(*tally.table(), *over[:20], sep="\n")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
