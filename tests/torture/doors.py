"""Connections that never send a whole request, and a client that takes all it can: others are served all the time."""

from __future__ import annotations

import http.client
import resource
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import serving
from torture.outcome import Outcome, Scale, percentile
from torture.trees import plain
from torture.wire import PATIENCE, Client, Web, command, environment

DESCRIPTORS = 1_024
CROWD = 2_000
SECONDS = 1.0 * PATIENCE
"""Within which others are served, 99 times in 100."""

LARGEST_LOG = 1 << 20
HALF = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-a: "

TOKENS = ("hostile-hostile-hostile", "alice-alice-alice", "bob-bob-bob-bob-bob", "carol-carol-carol")
DEAR = (
    ("go_to_definition", {"symbol": "a." * 499 + "b"}),
    ("find_references", {"symbol": "a/" * 499 + "b"}),
    ("search_text", {"query": "(a|b|c|d)*e" * 80, "regex": True}),
    ("symbol_search", {"query": "aA" * 400, "match": "fuzzy"}),
)
"""What takes a hostile client's calls longest."""


class Limited(Web):
    """A server with few descriptors, whose log is kept."""

    def __init__(self, root: Path, place: Path, *options: str) -> None:
        self.port = serving.free_port()
        self.log = place / "log"
        arguments = command(root, place / "cache", "--http", f"127.0.0.1:{self.port}", *options)
        limited = ["/bin/sh", "-c", f'ulimit -n {DESCRIPTORS} && exec "$@"', "sh", *arguments]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(limited, env=environment(), stderr=log)
        until = time.monotonic() + 30 * PATIENCE
        while not self._listens():
            assert time.monotonic() < until
            assert self.alive


@contextmanager
def crowd(port: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Open many connections that never send a whole request."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CROWD + 500), hard))
    opened: list[socket.socket] = []
    try:
        for _ in range(CROWD):
            one = socket.create_connection(("127.0.0.1", port), timeout=10 * PATIENCE)
            opened.append(one)
            if sent:
                one.sendall(sent)
        yield opened
    finally:
        for one in opened:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def health(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10 * PATIENCE)
    connection.request("GET", "/health")
    status = connection.getresponse().status
    connection.close()
    return status


def doors_held_open(scale: Scale) -> Outcome:
    """Open 2,000 connections that say nothing, and 2,000 that send half a request: others are served in a second."""
    outcome = Outcome()
    root = plain(scale.place("doors"), 1, 5)
    (scale.folder / "tokens").write_text(TOKENS[1])
    for kind, sent in (("silent", b""), ("half", HALF)):
        times: list[float] = []
        place = scale.place(f"doors-{kind}")
        with Limited(root, place, "--token-file", str(scale.folder / "tokens")) as server, crowd(server.port, sent):
            client = Client(server, TOKENS[1])
            outcome.check(server.descriptors < DESCRIPTORS // 2 + 100, f"{kind}: descriptors are taken")
            for _ in range(scale.many(100, 10)):
                outcome.check(health(server.port) == 200, f"{kind}: not healthy")
                said = client.call("go_to_definition", symbol="function_0_1")
                outcome.check(not said.is_error, f"{kind}: {said.text[:80]}")
                times.append(said.seconds)
            client.close()
        outcome.check(percentile(times, 0.99) < 1_000 * SECONDS, f"{kind}: others wait")
        outcome.check(server.log.stat().st_size < LARGEST_LOG, f"{kind}: the log grows")
        outcome.figures[f"p99 beside {CROWD:,} {kind}"] = f"{percentile(times, 0.99):.0f} ms"
    return outcome


def times_beside_a_hostile_client(root: Path, place: Path, rounds: int) -> Sequence[float]:
    """Return the seconds of the calls of three clients, while a fourth has 64 of its most expensive ones under way."""
    (place / "tokens").write_text("\n".join(TOKENS))
    taken: list[float] = []
    with Web(root, place / "cache", "--token-file", str(place / "tokens")) as server:
        ends = threading.Event()

        def hostile(number: int) -> None:
            client = Client(server, TOKENS[0])
            tool, arguments = DEAR[number % len(DEAR)]
            while not ends.is_set():
                client.call(tool, **arguments)
            client.close()

        def other(token: str) -> None:
            client = Client(server, token)
            for _ in range(rounds):
                for tool, arguments in (("go_to_definition", {"symbol": "A1"}), ("list_files", {"path": "."})):
                    said = client.call(tool, **arguments)
                    assert not said.is_error, said.text
                    taken.append(said.seconds)
            client.close()

        threads = [threading.Thread(target=hostile, args=(number,)) for number in range(64)]
        others = [threading.Thread(target=other, args=(token,)) for token in TOKENS[1:]]
        for thread in (*threads, *others):
            thread.start()
        for thread in others:
            thread.join()
        ends.set()
        for thread in threads:
            thread.join()
    return taken


def hostile_neighbour(scale: Scale) -> Outcome:
    """Let a client have 64 of its most expensive calls under way: three others wait a second at most."""
    outcome = Outcome()
    root = plain(scale.place("neighbour"))
    (root / "a.py").write_text("class A1:\n    pass\n")
    taken = times_beside_a_hostile_client(root, scale.folder, scale.many(100, 20))
    for seconds in taken:
        outcome.check(seconds < 5 * SECONDS, "a call waited for five seconds")
    worst = percentile(list(taken), 0.99)
    outcome.check(worst < 1_000 * SECONDS, f"others wait {worst:.0f} ms")
    outcome.figures["p50, p99 of the others"] = f"{percentile(list(taken), 0.5):.0f}, {worst:.0f} ms"
    return outcome
