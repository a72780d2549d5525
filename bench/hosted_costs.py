"""What questions over many hosted repositories cost: CPU of the server, CPU of the database, and wall time.

    python bench/hosted_costs.py questions postgresql://USER@HOST/DATABASE [--kind exact]... [--each]
    python bench/hosted_costs.py references postgresql://USER@HOST/DATABASE NAME=FOLDER... [--symbols 4] [--seed 43]

``questions`` asks for names and texts in all repositories, each question once. ``references`` draws symbols from
checkouts of hosted repositories and asks ``find_references`` with the ``path`` of the repository, on the database and
on an embedded index of the checkout; no answer is asked for twice. CPU is that of the process, so it holds at any
load; wall time does not. The database must be on this machine for its CPU to be known: processes that it starts for
one statement are not counted.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.repositories.indexing import hosted_index
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.index.index import Index
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.workspace import Workspace

_WORDS = (
    "connect session parser request response encode decode handler config client server cache token stream buffer"
    " signal render template router schema query cursor column model field validator serializer logger formatter"
    " context manager callback listener observer factory builder visitor iterator"
).split()
_TEXTS = (
    *("arse_url", "ontent-Typ", "tps://exampl", "nvalid_argu", "imeout_secon", "aise ValueErr", "eturn self."),
    *("__init__.p", "pragma onc", "ssertEqua", "copyright (c", "efault_encod", "nexpected tok", "ultipart/form"),
)
_HUMPS = ("QuerySet", "parse_url", "get_token", "TestCase", "read_file", "HttpResponse", "make_app", "set_value")

Question = tuple[str, Mapping[str, object]]

KINDS: Mapping[str, Sequence[Question]] = {
    "exact": [("symbol_search", {"query": word, "match": "exact"}) for word in _WORDS],
    "any": [("symbol_search", {"query": word}) for word in (*_WORDS[:8], *map(str.title, _WORDS[:8]))],
    "humps": [("symbol_search", {"query": word}) for word in _HUMPS],
    "prefix": [("symbol_search", {"query": word[:5], "match": "prefix"}) for word in _WORDS[:12]],
    "substring": [("symbol_search", {"query": word[1:-1], "match": "substring"}) for word in _WORDS[:12]],
    "text": [("search_text", {"query": text}) for text in _TEXTS],
    "word": [("search_text", {"query": word, "word": True}) for word in _WORDS[:12]],
}
_DRAWN_KINDS = frozenset({"Class", "Function", "Method"})


class Cost(NamedTuple):
    """What one call took, in milliseconds, and the first line of its answer."""

    cpu: float
    wall: float
    header: str


def ask(session: Session, question: Question) -> Cost:
    """Ask a question; return what it cost."""
    cpu, wall = time.process_time(), time.perf_counter()
    answer = session.call(Request(*question)).text
    return Cost(1_000 * (time.process_time() - cpu), 1_000 * (time.perf_counter() - wall), answer.splitlines()[0])


def database_cpu(address: DatabaseAddress) -> float:
    """Return the milliseconds of CPU that the sessions of a database on this machine have taken."""
    name = address.url.partition("?")[0].rpartition("/")[2]
    found = subprocess.run(["pgrep", "-f", f"postgres: .* {name} "], capture_output=True, text=True, check=False)
    ticks = 0
    for process in found.stdout.split():
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return 1_000 * ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def hosted(address: DatabaseAddress) -> Iterator[Session]:
    """Give a session on what a database hosts, which knows what there is to see."""
    with closing(Session(Config(Path("/"), None, "openai"), hosted_index(address, SecretPolicy(), ()))) as session:
        session.call(Request("list_files", {}))
        yield session


@contextmanager
def embedded(name: str, root: Path) -> Iterator[Session]:
    """Give a session on a checkout, whose index and facts are complete."""
    index = Workspace([Index(root, None, 1, SecretPolicy(), name)])
    with closing(Session(Config(root, None, "openai"), index)) as session:
        index.start()
        if not (index.wait(600) and index.settle(600)):
            raise SystemExit(f"{root} was not indexed in time")
        index.facts.build(hurried=True)
        index.facts.wait(600)
        yield session


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def measure_questions(address: DatabaseAddress, kinds: Sequence[str], *, each: bool) -> None:
    """Print what the questions of some kinds cost."""
    with hosted(address) as session:
        for kind in kinds or KINDS:
            before = database_cpu(address)
            costs = [ask(session, question) for question in KINDS[kind]]
            database = (database_cpu(address) - before) / len(costs)
            shares = " / ".join(
                f"{_percentile([getattr(one, what) for one in costs], share):,.0f}"
                for what in ("cpu", "wall")
                for share in (0.5, 0.95)
            )
            load = os.getloadavg()[0]
            print(
                f"{kind}: {len(costs)}; CPU p50 / p95, wall p50 / p95: {shares} ms; database {database:.0f}; {load:.0f}"
            )
            for one in costs if each else ():
                print(f"    {one.cpu:,.0f} {one.wall:,.0f} {one.header}")


def drawn_symbols(session: Session, number: int, seed: int) -> list[str]:
    """Return the addresses of some symbols of a checkout, drawn by a seed."""
    index, chance = session.index.parts[0], random.Random(seed)
    paths = [path for path in index.files.paths if "test" not in path]
    found: list[str] = []
    while len(found) < number:
        source = index.try_read(path := chance.choice(paths))
        known = index.symbols.definitions(source) if source is not None else []
        named = [one for one in known if len(one.name) > 4 and one.kind.name in _DRAWN_KINDS]
        if named:
            found.append(f"{path}:{chance.choice(named).path}")
    return found


def measure_references(address: DatabaseAddress, roots: Sequence[tuple[str, Path]], number: int, seed: int) -> None:
    """Print what the uses of drawn symbols cost on a database and on the embedded index."""
    ratios: list[float] = []
    with hosted(address) as there:
        for name, root in roots:
            with embedded(name, root) as here:
                for symbol in drawn_symbols(here, number, seed):
                    question = ("find_references", {"symbol": symbol, "path": name})
                    one, other = ask(here, question), ask(there, question)
                    ratios.append(other.cpu / one.cpu)
                    print(f"{one.cpu:,.0f} {other.cpu:,.0f} ms {ratios[-1]:.2f} {symbol}\n    {other.header}")
    print(f"{len(ratios)} symbols, median ratio {statistics.median(ratios):.2f}, load {os.getloadavg()[0]:.0f}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    questions = commands.add_parser("questions")
    questions.add_argument("database", type=DatabaseAddress.parse)
    questions.add_argument("--kind", action="append", choices=[*KINDS], default=[])
    questions.add_argument("--each", action="store_true")
    questions.set_defaults(run=lambda given: measure_questions(given.database, given.kind, each=given.each))
    references = commands.add_parser("references")
    references.add_argument("database", type=DatabaseAddress.parse)
    references.add_argument("roots", nargs="+", help="NAME=FOLDER")
    references.add_argument("--symbols", type=int, default=4)
    references.add_argument("--seed", type=int, default=43)
    references.set_defaults(
        run=lambda given: measure_references(given.database, [*map(_root, given.roots)], given.symbols, given.seed)
    )
    arguments = parser.parse_args()
    run: Callable[[argparse.Namespace], None] = arguments.run
    run(arguments)


def _root(written: str) -> tuple[str, Path]:
    name, _, folder = written.partition("=")
    return name, Path(folder)


if __name__ == "__main__":
    main()
