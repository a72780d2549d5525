"""How much of what a project's own documentation names is on the map that `repo_map` draws without reading it.

    python bench/map.py score --trees DIR [--budget 1000] [--cache DIR] [--with-documentation] [NAME...]
    python bench/map.py truth --trees DIR [NAME...]
    python bench/map.py times ROOT... [--cache DIR]

DIR holds a folder NAME for each tree. ``score`` copies each tree without its documentation (all files of prose), asks
for the map, and counts which of the 20 symbols and files are on it that the documentation names most. ``truth`` prints
these names. ``times`` prints how long the first map of one root, or of several together, takes once they are indexed,
then that of another budget, of a folder and around a focus. ``score`` and ``times`` exit with 1 where a promise is
broken.

What the documentation names is counted by rule, see ``Documentation``: names in code spans, in roles of
reStructuredText and in links that are a file of the tree, or a symbol that at most three of its files define.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_symbols import unpack
from leadline_tools.index.workspace import Workspace
from leadline_tools.languages.outline import CALLABLE
from leadline_tools.model import RankedSymbol
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS

NAMES = 20
"""Names that count: those that the documentation has most often."""

FIRST = 20
"""Places of a map among which no copied and no test code may be."""

PROMISED = 0.5
PROMISED_COLD, PROMISED_WARM = 5.0, 0.3
"""Seconds of a first map, and of one that is asked for again."""

INDEXING_SECONDS = 900

PROSE = frozenset((".md", ".mdx", ".rst", ".txt", ".adoc", ".asciidoc", ".markdown"))
"""Endings of documentation. CMakeLists.txt and requirements are none."""

NO_PROSE = re.compile(r"(?:CMakeLists|requirements[\w-]*|robots)\.txt$", re.IGNORECASE)

BESIDE = re.compile(
    r"(?:^|/)(?:change(?:s|log)|history|news|release|upgrad|migrat|licen[cs]e|authors|contributors|code_of_conduct"
    r"|security|00-releasenotes|readme[_.-]zh)|(?:^|/)(?:releases?|changelog|release-notes|node_modules|vendor"
    r"|third_party|deps|tests?|testdata|internals/contributing)/",
    re.IGNORECASE,
)
"""Documentation that names what was changed or who did it, translations, and that of copies and tests."""

ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|spec|specs|t|testdata|test_?suite|fixtures?|examples?|samples?|demos?"
    r"|benchmarks?|bench|deps|vendor|vendored|_vendor|third_party|node_modules|docs?|website)/"
    r"|(?:^|/)(?:test_|tests?\.)[^/]*$|(?:_test|_spec|\.test|\.spec|\.stories)\.[^/]*$|Tests?\.(?:java|kt|cs)$"
)
"""Tests, examples, copies and what belongs to the documentation, by their paths: the rule of this script alone."""

MOST_DEFINING = 3
"""Files that define a name beyond which it is not known which one the documentation means."""

LEAST_NAMED = 2
"""Times that a name has to be there to count."""

SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]+)\1(?!`)")
ROLE_TARGET = re.compile(r".*<([^<>]+)>$")
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"\(.*\)$|<[^<>]*>$|\[[^\[\]]*\]$")
NAME = re.compile(r"[$@&*~!.]*((?:[\w$]+(?:\.|::|->|#|/))*[\w$]+)[!?]?$")
SEPARATOR = re.compile(r"\.|::|->|#|/")
FILE = re.compile(r"[\w./@+-]*[\w@+-]+\.\w+|[\w./@+-]*/[\w@+-]+|Makefile|Dockerfile|Gemfile|Rakefile")


@dataclass(frozen=True)
class Name:
    """What the documentation names: a file, or a symbol with the files that define it."""

    name: str
    files: frozenset[str]
    is_file: bool


@dataclass
class Documentation:
    """Counts which symbols and files of a tree texts name.

    A code span, a role or the target of a link names a file where it is the end of exactly one path, with its ending.
    It names a symbol where its last part is defined in at most ``MOST_DEFINING`` files that are neither test nor
    example nor copy, outside of functions; where there is a part before it, only those count whose container or path
    has it, if there are any. What a folder of the tree is called means that folder.
    """

    paths: Sequence[str]
    defined: Mapping[str, Mapping[str, set[str]]]
    counts: Counter[Name] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Note what the folders are called."""
        self._folders = frozenset(part for path in self.paths for part in path.split("/")[:-1])

    def read(self, text: str) -> None:
        """Count what a text names."""
        text = FENCE.sub("", text)
        for span in SPAN.finditer(text):
            target = ROLE_TARGET.match(span[2])
            self._count(target[1] if target is not None else span[2])
        for link in LINK.finditer(text):
            self._count(link[1].partition("#")[0].split("/blob/")[-1], links=True)

    def _count(self, written: str, *, links: bool = False) -> None:
        written = written.strip().removesuffix(";")
        found = self._file(written) if FILE.fullmatch(written) else None
        if found is None and not links:
            found = self._symbol(written)
        if found is not None:
            self.counts[found] += 1

    def _file(self, written: str) -> Name | None:
        wanted = "/" + re.sub(r"^(?:\.{0,2}/)+", "", written)
        found = [path for path in self.paths if f"/{path}".endswith(wanted)]
        return Name(found[0], frozenset(found), is_file=True) if len(found) == 1 else None

    def _symbol(self, written: str) -> Name | None:
        while CALL.search(written):
            written = CALL.sub("", written).strip()
        match = NAME.match(written)
        if match is None or match.end() != len(written):
            return None
        *before, name = SEPARATOR.split(match[1])
        files = self.defined.get(name, {})
        if before:
            inside = {
                file
                for file, containers in files.items()
                if before[-1] in containers or before[-1] in re.split(r"[/.]", file)
            }
            files = {file: files[file] for file in inside} or files
        if not files or len(files) > MOST_DEFINING or len(name) < 2 or written.strip("./") in self._folders:
            return None
        return Name(name, frozenset(files), is_file=False)


def is_prose(path: str) -> bool:
    """Return whether a file is documentation."""
    name = path.rpartition("/")[2]
    ending = Path(name).suffix.lower()
    return (ending in PROSE or name.upper() in ("README", "CONTRIBUTING", "HACKING")) and not NO_PROSE.search(name)


def copied(tree: Path, into: Path, *, documentation: bool) -> None:
    """Copy a tree, with or without its documentation."""
    for path in tree.rglob("*"):
        inside = path.relative_to(tree)
        if path.is_symlink() or not path.is_file() or inside.parts[0] == ".git":
            continue
        if documentation or not is_prose(str(inside)):
            (into / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, into / inside)


def opened(root: Path, cache: Path) -> Session:
    """Return a session on a tree whose index is complete."""
    index = Index(root, cache)
    session = Session(Config(root, cache, "openai"), index)
    index.start()
    if not index.wait(INDEXING_SECONDS):
        raise TimeoutError(f"{root}: the index is not complete")
    return session


def named(tree: Path, index: Index) -> list[tuple[Name, int]]:
    """Return what the documentation of a tree names most, with how often; the index is of the tree without it."""
    defined: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for number, blob in index.rows.symbols():
        file = index.files.by_id(number)
        if file is None or ASIDE.search(file.path):
            continue
        hidden: list[bool] = []
        definitions = unpack(blob)
        for one in definitions:
            above = one.parent
            hidden.append(above >= 0 and (hidden[above] or definitions[above].kind in CALLABLE))
            if not hidden[-1]:
                defined[one.name][file.path].add(one.container.rpartition(".")[2])
    documentation = Documentation([path for path in index.files.paths if not is_prose(path)], defined)
    for path in sorted(tree.rglob("*")):
        inside = str(path.relative_to(tree))
        if path.is_file() and is_prose(inside) and not BESIDE.search(inside):
            documentation.read(path.read_text(encoding="utf-8", errors="replace"))
    counts = [(name, count) for name, count in documentation.counts.items() if count >= LEAST_NAMED]
    return sorted(counts, key=lambda one: (-one[1], one[0].name))[:NAMES]


def shown(answer: str, paths: Sequence[str]) -> Mapping[str, set[str]]:
    """Return the words that a map shows below each path, in the order of the paths on it."""
    known = set(paths)
    words: dict[str, set[str]] = {}
    here: set[str] = set()
    for line in answer.splitlines()[1:]:
        if line.startswith(("next: ", "all: ")):
            continue
        path, separator, rest = line.partition(": ")
        path = path.partition("  [")[0]
        if path in known:
            here = words.setdefault(path, set())
            here.update(re.findall(r"[\w$]+", rest if separator else ""))
        else:
            here.update(re.findall(r"[\w$]+", line))
    return words


def is_shown(name: Name, words: Mapping[str, set[str]]) -> bool:
    """Return whether a map shows a file, or a symbol below one of the files that define it."""
    return any(file in words and (name.is_file or name.name in words[file]) for file in name.files)


@dataclass(frozen=True)
class Score:
    """What the map of a tree is worth."""

    tree: str
    share: float
    aside: int
    missed: Sequence[str]


def score(trees: Path, names: Sequence[str], budget: int, cache: Path, *, documentation: bool) -> int:
    """Print what the maps are worth; return the exit code."""
    scores = []
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / name
            copied(trees / name, root, documentation=documentation)
            session = opened(root, cache)
            wanted = [one for one, _ in named(trees / name, session.index)]
            text = session.call(Request("repo_map", {"max_tokens": budget})).text
            words = shown(text, session.index.files.paths)
            first = list(islice(_ranked_paths(session), FIRST))
            session.close()
        hit = [is_shown(one, words) for one in wanted]
        missed = [one.name for one, found in zip(wanted, hit, strict=True) if not found]
        one = Score(name, sum(hit) / max(1, len(wanted)), sum(map(bool, map(ASIDE.search, first))), missed)
        scores.append(one)
        print(f"{name}: {one.share:.2f} of {len(wanted)}; aside {one.aside}; not shown: {' '.join(missed)}", flush=True)
    mean = sum(one.share for one in scores) / len(scores)
    aside = sum(one.aside for one in scores)
    print(f"mean {mean:.3f} (promised {PROMISED}); tests and copies among the first {FIRST}: {aside} (promised 0)")
    return 0 if mean >= PROMISED and not aside else 1


def _ranked_paths(session: Session) -> Iterator[str]:
    """Yield the paths of the symbols of the map."""
    result = TOOLS["repo_map"].run(session.index)
    assert isinstance(result, Result)
    yield from (item.symbol.path for item in result.items if isinstance(item, RankedSymbol))


def truth(trees: Path, names: Sequence[str], cache: Path) -> int:
    """Print what the documentation of trees names most."""
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / name
            copied(trees / name, root, documentation=False)
            session = opened(root, cache)
            written = ", ".join(f"{one.name} {count}" for one, count in named(trees / name, session.index))
            session.close()
        print(f"{name}: {written}", flush=True)
    return 0


def times(roots: Sequence[Path], cache: Path) -> int:
    """Print how long maps of one root, or of several as one, take; return the exit code."""
    indexes = [Index(root, cache, name=root.name if len(roots) > 1 else "") for root in roots]
    index = Workspace(indexes) if len(indexes) > 1 else indexes[0]
    session = Session(Config(roots[0], None, "openai"), index)
    index.start()
    if not index.wait(INDEXING_SECONDS):
        raise TimeoutError("the index is not complete")
    folder = index.files.paths[len(index.files.paths) // 2].rpartition("/")[0]
    seconds = []
    for what, arguments in (
        ("first", {"max_tokens": 1_000}),
        ("other budget", {"max_tokens": 2_000}),
        ("same", {"max_tokens": 1_000}),
        (f"path={folder}", {"path": folder}),
        ("focus", {"focus": "parse"}),
    ):
        begun, used = time.perf_counter(), time.process_time()
        session.call(Request("repo_map", arguments))
        seconds.append(time.perf_counter() - begun)
        print(f"{what}: {seconds[-1]:.2f} s, of CPU {time.process_time() - used:.2f} s", flush=True)
    session.close()
    cold, *warm = seconds[:3]
    return 0 if cold <= PROMISED_COLD and max(warm) <= PROMISED_WARM else 1


def main() -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("score", "truth"):
        command = commands.add_parser(name)
        command.add_argument("--trees", type=Path, required=True)
        command.add_argument("--cache", type=Path)
        command.add_argument("names", nargs="+")
        if name == "score":
            command.add_argument("--budget", type=int, default=1_000)
            command.add_argument("--with-documentation", action="store_true")
    timing = commands.add_parser("times")
    timing.add_argument("roots", type=Path, nargs="+")
    timing.add_argument("--cache", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        cache = given.cache or Path(scratch)
        if given.command == "times":
            return times(given.roots, cache)
        if given.command == "truth":
            return truth(given.trees, given.names, cache)
        return score(given.trees, given.names, given.budget, cache, documentation=given.with_documentation)


if __name__ == "__main__":
    sys.exit(main())
