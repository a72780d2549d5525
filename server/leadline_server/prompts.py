"""Prompts: a task, and the calls with which to begin it, chosen and priced from the index, within a budget.

Every call of a plan has its ``max_tokens``, so that the plan keeps its budget whatever the answers hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline_estimators.profiles import TextKind
from leadline_server.arguments import longest, whole_number
from leadline_server.call import Session
from leadline_server.config import TURN_TOKENS
from leadline_server.errors import BadPrompt
from leadline_server.outgoing import printable, without_given_keys
from leadline_tools.errors import NoSuchSymbol, quoted
from leadline_tools.index.files.file import File
from leadline_tools.index.files.file_list import FileList
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import first_scan
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.request_scope.answer_sizes import uses
from leadline_tools.index.request_scope.file_selection import directories, entries, files_at, select
from leadline_tools.index.tree.marks import product_first
from leadline_tools.languages import language_name, language_of
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.result import Call, Size
from leadline_tools.tool import Takes

_WINDOW_SHARE = 4
"""Of the model's window, one token in so many may go to a plan."""

_LEAST = 1_000
"""Tokens of the model below which no plan is worth making."""

_SMALLEST_CALL = 150
"""O200k tokens below which an answer has hardly anything but its frame."""

_PLANNED = 0.8
"""The part of a budget that a plan spends; the rest is for what its answers lead to."""

_READ_LINES = 60
_WORDS = 8
_NAMES = 2
"""Words of a description that are looked up, and those that are proposed as names."""

_BUILT_BY = (
    "pyproject.toml package.json Cargo.toml go.mod pom.xml build.gradle CMakeLists.txt Makefile setup.py".split()
)
"""Files that say how a tree is built and what it needs, the most informative first."""

_TESTS = frozenset("test tests testing spec specs __tests__".split())

_COMMON_WORDS = frozenset(
    "about all and any are can code does file files find for from function has have how into its not of our that the"
    " their them there this used uses using what when where which who why will with".split()
)
"""Words of a description that no code is found by."""

_WORD = re.compile(r"[^\W\d]\w{2,}")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a prompt; ``takes`` says how it is completed, None for not at all."""

    name: str
    description: str
    takes: Takes | None = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a plan: what it would cost, and what it is for."""

    call: Call
    price: int
    purpose: str


@dataclass(slots=True)
class Plan:
    """Calls that cost at most a budget together.

    Args:
        session: Where they are answered.
        tokens: The budget, in tokens of the model.

    """

    session: Session
    tokens: int
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reserved: int = 0

    @property
    def index(self) -> Index:
        """Return the index of the tree."""
        return self.session.index

    def add(self, call: Call, share: float, purpose: str) -> None:
        """Add a call that may cost a share of the budget, if its tool is offered and that pays for an answer."""
        most = int(self.tokens * share)
        least = self.session.config.profile.price(_SMALLEST_CALL, TextKind.Code)
        if call.tool not in self.session.tools or most < least or self.reserved + most > self.tokens * _PLANNED:
            return
        limited = Call(call.tool, (*call.arguments, ("max_tokens", most)), call.size)
        self.steps.append(Step(limited, self.session.prices.call(call, most), purpose))
        self.reserved += most

    def text(self) -> str:
        """Return the calls as a model reads them, a line each, and what they leave of the budget."""
        steps = [
            f"{number}. {step.call} ~{step.price:,} tokens: {step.purpose}"
            for number, step in enumerate(self.steps, start=1)
        ]
        return "\n".join(
            (
                *self.notes,
                f"Call these, in this order; each answer keeps its max_tokens, so all cost at most {self.reserved:,}:",
                *steps,
                f"Skip what an earlier answer makes unnecessary. The other {self.tokens - self.reserved:,} tokens are"
                ' for the "next:" calls of the answers that matter.',
            )
        )


@dataclass(frozen=True, slots=True)
class Prompt:
    """A task that a person can choose.

    Args:
        name: Its name on the wire.
        title: Its name for people.
        description: What it asks for.
        arguments: What it is about; each prompt also takes ``budget``.
        write: Makes the task: fills the plan, and returns the texts before and after it.

    """

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    write: Callable[[Plan, Mapping[str, str]], tuple[str, str]]


_BUDGET = Argument("budget", "Tokens that all answers may cost together, such as 8000.")


def write_prompt(session: Session, name: str, given: Mapping[str, str]) -> str:
    """Return the text of a prompt; raises BadPrompt for a wrong name or argument, and what paths raise."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise BadPrompt(f"There is no prompt {quoted(name)}.", f"Prompts: {', '.join(PROMPTS)}.")
    takes = [argument.name for argument in prompt.arguments]
    for unknown in sorted(given.keys() - set(takes)):
        raise BadPrompt(f"{name} has no argument {quoted(unknown)}.", f"Arguments: {', '.join(takes)}.")
    for argument in prompt.arguments:
        if argument.required and not given.get(argument.name, "").strip():
            raise BadPrompt(f"{name} requires {argument.name}.", argument.description)
        if len(given.get(argument.name, "")) > longest(argument.takes):
            raise BadPrompt(f"{argument.name} is too long.", f"Give at most {longest(argument.takes):,} characters.")
    if len(session.index.root_names) > 1:
        session.index.scan.unscanned_roots((), first_scan.LOOK_SECONDS, paths_alone=False)
    session.index.refresh()
    plan = Plan(session, _tokens(session, given.get("budget", "")))
    before, behind = prompt.write(plan, {key: value.strip() for key, value in given.items()})
    lines = (before, f"Spend at most {plan.tokens:,} tokens on it.", *plan.text().splitlines(), behind)
    text = "\n".join(map(printable, lines)) + "\n"
    return without_given_keys(text, given.values())  # of which a call may have a word


def _tokens(session: Session, budget: str) -> int:
    """Return the budget of a plan: the one given, else that of a turn, limited to a part of the model's window."""
    most = session.config.profile.window // _WINDOW_SHARE
    if not budget.strip():
        return max(_LEAST, min(session.config.turn_tokens or TURN_TOKENS, most))
    tokens = whole_number(budget)
    if tokens is None or tokens < _LEAST:
        raise BadPrompt(
            f"budget: {quoted(budget)} cannot be used.", f"Give a whole number of tokens, at least {_LEAST:,}."
        )
    return tokens


# Explore


def _explore(plan: Plan, given: Mapping[str, str]) -> tuple[str, str]:
    path = given.get("path", "") or "."
    paths = select(plan.index, path)
    files = list(files_at(plan.index, paths))
    here = {} if path == "." else {"path": path}
    tops = [part.tree.name for part in plan.index.parts] if path == "." else [path.strip("/")]
    for file in (file for top in tops for file in _informative_files(files, top)):
        call = Call.of("read_file", _first_lines_size(file), path=file.path, num_lines=_READ_LINES)
        readme = file.path.rpartition("/")[2].lower().startswith("readme")
        share = (0.15 if readme else 0.1) / len(tops)
        plan.add(call, share, "its own description" if readme else "how it is built")
    folder = plan.index.paths.folder(path)
    listed = entries(plan.index, paths)
    rows = len(directories(paths, "" if plan.index.paths.exists(folder) else folder))
    plan.add(Call.of("count_files", Size(rows=rows, width=32), **here, by="directory"), 0.15, "where the code is")
    plan.add(Call.of("repo_map", Size(rows=min(250, 3 * len(files)), width=60), **here), 0.35, "what to read first")
    if "repo_map" not in plan.session.tools:
        for file in _largest(files):
            plan.add(
                Call.of("document_symbols", _outline_size(file), path=file.path), 0.15, "what the largest file holds"
            )
    what = "this repository" if path == "." else path
    return (
        f"Explore {what}: {len(files):,} files, ~{_reading_cost(plan, listed):,} tokens to read all of it.",
        "Then say what it is for, what its parts are and how they depend on each other, where it starts and how"
        " it is tested, each with path:line. Say what you did not look at.",
    )


def _informative_files(files: Sequence[File], folder: str) -> Iterator[File]:
    """Yield the README directly in a folder, then the file that says how the tree is built."""
    near = {name: file for file in files for above, _, name in [file.path.rpartition("/")] if above == folder}
    readme = min((name for name in near if name.lower().startswith("readme")), default=None)
    built = next((name for name in _BUILT_BY if name in near), None)
    return (near[name] for name in (readme, built) if name is not None)


def _largest(files: Sequence[File]) -> Sequence[File]:
    """Return the file of code that has most bytes."""
    code = [file for file in files if language_of(file.path) is not None and not file.binary and file.size < 1 << 20]
    return sorted(code, key=lambda file: (not product_first(file.path)[0], file.size))[-1:]


def _reading_cost(plan: Plan, files: FileList) -> int:
    """Return what reading files would cost, rounded to two digits: it is an estimate."""
    tokens = sum(plan.session.prices.reading_cost(size, name) for name, size in files.counted("").languages)
    return round(tokens, 2 - len(str(tokens)))


# Find


def _find(plan: Plan, given: Mapping[str, str]) -> tuple[str, str]:
    what, path = given["what"], given.get("path", "") or "."
    here = {} if path == "." else {"path": path}
    plan.index.paths.folder(path)
    known, unknown = _split_words(plan.index, what)
    named = [(word, total) for word in known if (total := _count_definitions(plan.index, word))][:_NAMES]
    for word, total in named:
        size = Size(rows=min(total, 100), width=50)
        plan.add(Call.of("symbol_search", size, query=word, **here), 0.15, f"{total:,} names with this prefix")
    plan.add(
        Call.of("repo_map", Size(rows=150, width=60), **here, focus=" ".join(known or [what])), 0.2, "what is around it"
    )
    for word in [word for word in known if word not in dict(named)][:1]:
        size = Size(rows=2 * known[word], width=60)
        plan.add(Call.of("search_text", size, query=word, word=True, **here), 0.15, f"in {known[word]:,} files")
    for file in _file_with_words(plan.index, list(known), path):
        plan.add(
            Call.of("document_symbols", _outline_size(file), path=file.path), 0.15, f"it holds {' and '.join(known)}"
        )
    if unknown:
        plan.notes.append(f"No file holds {', '.join(unknown)}: other words may be used for it here.")
    where = "" if path == "." else f" in {path}"
    return (
        f"Find the code for: {what}{where}",
        "Then name the places that do it, path:line each, the one that decides first, and say how sure you are. Read"
        " only the lines that you need. If it is not there, say so.",
    )


def _split_words(index: Index, what: str) -> tuple[Mapping[str, int], Sequence[str]]:
    """Return the words of a description with the number of files that hold each, rarest first, and those of none."""
    words = [word for word in dict.fromkeys(_WORD.findall(what)) if word.lower() not in _COMMON_WORDS][:_WORDS]
    counts = {word: index.words.count_files_with(word) for word in words}
    known = sorted((word for word in words if counts[word]), key=lambda word: counts[word])
    return {word: counts[word] for word in known}, [word for word in words if not counts[word]]


def _count_definitions(index: Index, word: str) -> int:
    """Return how many definitions begin with a word."""
    return index.names.search(word, Match.Prefix).total


def _file_with_words(index: Index, words: Sequence[str], path: str) -> Sequence[File]:
    """Return the file of code that holds all words, product code before tests, if there are words and such a file."""
    inside = set(select(index, path)) if len(words) > 1 else set[str]()
    held = (found for found in index.words.files_with(words) if found in inside and language_of(found) is not None)
    best = min(held, key=product_first, default=None) if inside else None
    file = index.files.get(best) if best is not None else None
    return [file] if file is not None else []


# Impact


def _impact(plan: Plan, given: Mapping[str, str]) -> tuple[str, str]:
    symbol = given["symbol"]
    behind = (
        "Then list what has to change with it, path:line each: what surely breaks (exact uses), what may (likely uses,"
        " overrides, the name in text), which tests to run. Say what you did not look at."
    )
    try:
        meant = resolve_address(plan.index, symbol)
    except NoSuchSymbol as error:
        name = re.split(r"\W", symbol)[-1] or symbol
        plan.add(Call.of("symbol_search", Size(rows=20, width=50), query=name), 0.2, "similar names")
        return f"{error} Find out which symbol is meant, then what changing it affects. {error.hint}".strip(), behind
    if len(meant) > 1:
        for target in meant[:3]:
            address, lines = f"{target.path}:{target.first.line}", target.first.end_line - target.first.line + 1
            plan.add(Call.of("go_to_definition", Size(rows=lines, width=40), symbol=address), 0.15, target.name)
        plan.notes.append(f"{meant.definitions:,} definitions match: ask which is meant if it is not clear.")
        return f"Find out what changing {symbol} affects.", behind
    _plan_impact(plan, meant[0])
    return f"Find out what changing {meant[0].qualified_name} affects ({meant[0].path}:{meant[0].first.line}).", behind


def _plan_impact(plan: Plan, target: DefinedSymbol) -> None:
    """Plan what a change of one symbol affects."""
    first = target.first
    address = f"{target.path}:{first.line}"
    size = uses(plan.index, target.path, first.name)
    lines = Size(rows=first.end_line - first.line + 1, width=40)
    plan.add(Call.of("go_to_definition", lines, symbol=address), 0.15, "what it is")
    plan.add(Call.of("find_references", size, symbol=address), 0.25, "who uses it")
    if first.kind in CALLABLE:
        call = Call.of("call_hierarchy", size, symbol=address, depth=2)
        plan.add(call, 0.1, "who calls it, and who calls those")
    if first.kind in CLASS_LIKE or first.kind is SymbolKind.Method:
        plan.add(Call.of("find_implementations", symbol=address), 0.1, "what extends or overrides it")
    tests = _test_folder(plan.index.of(target.path), first.name)
    if tests:
        plan.add(Call.of("find_references", size, symbol=address, path=tests), 0.1, "which tests cover it")
    plan.add(Call.of("search_text", size, query=first.name, word=True), 0.1, "its name in text and configuration")


def _test_folder(index: Index, name: str) -> str:
    """Return the folder of tests in which most files hold a name; empty for none."""
    folders: Counter[str] = Counter()
    for path in index.words.files_with((name,)):
        parts = path.split("/")[:-1]
        depth = next((number for number, part in enumerate(parts, start=1) if part.lower() in _TESTS), 0)
        folders["/".join(parts[:depth])] += bool(depth)
    return max(folders, key=lambda folder: (folders[folder], folder), default="")


# Sizes


def _first_lines_size(file: File) -> Size:
    """Return how much the first lines of a file are, about."""
    return Size(min(file.size, _READ_LINES * 60), language_name(file.path))


def _outline_size(file: File) -> Size:
    """Return how large the outline of a file is, about."""
    return Size(file.size // 8, language_name(file.path))


_PATH = Argument("path", "A folder or file to stay within (default: the whole repository).", Takes.Folder)

_ALL = (
    Prompt(
        "explore",
        "Explore this repository",
        "Learn what a repository, or a folder of it, is for and how it is built, within a token budget.",
        (_PATH, _BUDGET),
        _explore,
    ),
    Prompt(
        "find_code",
        "Find the code for ...",
        "Find where something is done, from a description in words, within a token budget.",
        (Argument("what", "What the code does, in words or names that it may use.", required=True), _PATH, _BUDGET),
        _find,
    ),
    Prompt(
        "impact",
        "Impact of changing ...",
        "Find out what a change of a symbol affects, within a token budget.",
        (Argument("symbol", "A name, QuerySet.filter or path:line[:column].", Takes.Symbol, required=True), _BUDGET),
        _impact,
    ),
)

PROMPTS: Mapping[str, Prompt] = {prompt.name: prompt for prompt in _ALL}
"""Every prompt by name, in the order in which they are listed."""
