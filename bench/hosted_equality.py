"""Whether every tool answers about a hosted repository as about the same files on this disk: drawn questions, compared.

    python bench/hosted_equality.py DATABASE REPOSITORY --scratch DIR [--calls N] [--seed N]

DATABASE is the address of an empty PostgreSQL database, REPOSITORY a git repository whose work tree is its HEAD. The
questions are drawn by seed, each tool in turn, every second as JSON; the answers of both are made without limits of
time, since what is cut by time differs from run to run. Names of stored results, the notes of the commit and of its age
and what only a checkout can do (write) are left out of the comparison, nothing else. Prints what differs; exits with 1
where anything does.
"""

from __future__ import annotations

import argparse
import difflib
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from drawn import Drawing
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.replicas.areas import areas
from leadline_server.repositories.indexing import SourceRef, hosted_index, repository_indexer
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import migrate
from leadline_tools.index.hosted.hosted_files import HostedTree
from leadline_tools.index.index import Index
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.workspace import Workspace
from untimed import UNLIMITED, without_limits_of_time

POLICY = SecretPolicy()
SEED = 20_261_127
_TOKENS = 20_000
_SHOWN = 400
_OTHERS = (
    *("find_references", "go_to_definition", "find_implementations", "rename_symbol", "repo_map", "find_references"),
    *("type_members", "call_hierarchy", "find_code", "apply_code_fix"),
)

_URI = re.compile(r"leadline://result/\w+")
_NAMES_AND_COSTS = re.compile(r"leadline://result/\w+| [\d,]+ of [\d,]+ tokens")
"""The name of a stored result, and what an answer costs with it: another name takes other tokens."""

_OF_ITS_OWN = re.compile(
    r"^(\S+ is at commit|.*nothing can be written|.*nothing is written|next: rename_symbol).*\n", re.MULTILINE
)

Question = tuple[str, dict[str, Any]]


def questions(index: Index, number: int, seed: int) -> Iterator[Question]:
    """Yield questions about the tree of an index, those about uses and edits as often as all others together."""
    drawing, draw = Drawing(index, seed), random.Random(seed)
    others = ((one.tool, dict(one.arguments)) for one in drawing.questions(number))
    for at in range(number):
        if at % 2:
            yield next(others)
            continue
        symbol = drawing.among((drawing.definition().address, drawing.word()))
        tool = _OTHERS[at // 2 % len(_OTHERS)]
        if tool == "repo_map":
            yield tool, draw.choice(({"path": drawing.folder()}, {"focus": drawing.definition().name}))
        elif tool == "find_code":
            yield tool, {"query": f"{drawing.definition().name} {drawing.definition().name}"}
        elif tool == "apply_code_fix":
            yield tool, {"path": drawing.path(), "fix": draw.choice(("", "all"))}
        else:
            yield tool, {"symbol": symbol, **({"new_name": "renamed_here"} if tool == "rename_symbol" else {})}
    yield "repo_map", {}


def answer(session: Session, tool: str, arguments: Mapping[str, object], *, as_json: bool) -> tuple[str, str]:
    """Return an answer without what only one of both has, and the URI of its result if it names one."""
    text = session.call(Request(tool, {**arguments, "max_tokens": _TOKENS}, as_json=as_json)).text
    uri = _URI.search(text)
    return _OF_ITS_OWN.sub("", _NAMES_AND_COSTS.sub("...", text)), uri[0] if uri is not None else ""


def compare(one: Session, other: Session, asked: Question, *, as_json: bool) -> Iterator[tuple[str, str, str]]:
    """Yield a question and both answers; then the second page of a stored result, where there is one."""
    (here, first), (there, second) = (answer(session, *asked, as_json=as_json) for session in (one, other))
    yield f"{asked[0]} {json.dumps(asked[1])}", here, there
    if first and second:
        (here, _), (there, _) = (
            answer(session, "read_result", {"uri": uri, "offset": 10}, as_json=as_json)
            for session, uri in ((one, first), (other, second))
        )
        yield f"read_result of {asked[0]} {json.dumps(asked[1])}", here, there


def _difference(here: str, there: str) -> Iterator[str]:
    """Yield the lines in which two answers differ, the one of the checkout with a minus."""
    for line in difflib.unified_diff(here.splitlines(), there.splitlines(), lineterm="", n=0):
        if not line.startswith(("---", "+++", "@@")):
            yield line[:_SHOWN]


@contextmanager
def _without_limits() -> Iterator[None]:
    """Let questions take as long as they do, and leave the notes of commits out."""
    with ExitStack() as patched:
        patched.enter_context(mock.patch.object(HostedTree, "note", ""))
        patched.enter_context(mock.patch.object(HostedTree, "age", 0.0))
        patched.enter_context(without_limits_of_time())
        yield


def main() -> None:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--calls", type=int, default=520)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    address, folder = DatabaseAddress.parse(arguments.database), arguments.repository.resolve()
    name = f"example.org/one/{folder.name}"
    migrate(address, areas())
    with repository_indexer(address, arguments.scratch / "mirrors", POLICY, ()) as indexer:
        print(*indexer.index(SourceRef(name, str(folder), "")), flush=True)
    index = Index(folder, arguments.scratch / "cache", None, POLICY, name)
    one = Session(Config(folder, None, "openai", patience=UNLIMITED), Workspace([index]))
    other = Session(Config(Path("/"), None, "openai", patience=UNLIMITED), hosted_index(address, POLICY, ()))
    counts, wrong, cpu = Counter[str](), 0, time.process_time()
    with _without_limits(), closing(one), closing(other):
        one.index.start()
        one.index.wait(UNLIMITED)
        one.index.settle(UNLIMITED)
        for number, asked in enumerate(questions(index, arguments.calls, arguments.seed)):
            for what, here, there in compare(one, other, asked, as_json=bool(number % 2)):
                counts[what.partition(" ")[0]] += 1
                if here != there:
                    wrong += 1
                    print(what, *_difference(here, there), sep="\n", flush=True)
            if number % 50 == 49:
                print(f"{number + 1} questions, {wrong} differ, {time.process_time() - cpu:.0f} s of CPU", flush=True)
    print(f"{counts.total()} comparisons, {wrong} differ: {dict(counts)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
