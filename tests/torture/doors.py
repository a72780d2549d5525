"""Connections that never send a whole request, and a client that takes all it can: others are served all the time."""

from __future__ import annotations

import http.client
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import serving
from torture.outcome import Outcome, Scale, percentile
from torture.trees import plain
from torture.wire import PATIENCE, REPOSITORY, Client, Web, command, environment

DESCRIPTORS = 1_024
CROWD = 2_000
SECONDS = 1.0 * PATIENCE
"""Within which others are served, 99 times in 100."""

LARGEST_LOG = 1 << 20
HALF = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-a: "

TOKENS = ("hostile-hostile-hostile", "alice-alice-alice", "bob-bob-bob-bob-bob", "carol-carol-carol")
REST_SECONDS = 5.0 * PATIENCE
"""Within which a server is idle again after a hostile client has broken off all its calls."""

IDLE_SHARE = 0.05
"""Of a processor, that an idle server may use."""


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


@dataclass(frozen=True)
class Neighbours:
    """What three clients saw beside a fourth that has its most expensive calls under way. All times are seconds.

    Args:
        alone: Their calls without it.
        beside: Their calls beside it.
        cancelled: Their calls from a second after it has cancelled all.
        rest: When the server was idle again after that.

    """

    alone: list[float]
    beside: list[float]
    cancelled: list[float]
    rest: float


def beside_a_hostile_client(root: Path, place: Path, rounds: int) -> Neighbours:
    """Call from three clients: alone, beside one with 64 calls under way, and after it has cancelled them."""
    (place / "tokens").write_text("\n".join(TOKENS))
    with Web(root, place / "cache", "--token-file", str(place / "tokens")) as server:
        alone = _times_of_others(server, rounds)
        with _hostile_process(server.port):
            beside = _times_of_others(server, rounds)
        ended = time.monotonic()
        time.sleep(1)
        cancelled = _times_of_others(server, max(1, rounds // 10))
        while _processor_share(server) > IDLE_SHARE and time.monotonic() < ended + 60 * PATIENCE:
            pass
        return Neighbours(alone, beside, cancelled, time.monotonic() - ended)


def _times_of_others(server: Web, rounds: int) -> list[float]:
    """Return the seconds of the calls of three clients at once, each with a token of its own."""
    taken: list[float] = []

    def call_in_rounds(token: str) -> None:
        client = Client(server, token)
        for _ in range(rounds):
            for tool, arguments in (("go_to_definition", {"symbol": "A1"}), ("list_files", {"path": "."})):
                said = client.call(tool, **arguments)
                assert not said.is_error, said.text
                taken.append(said.seconds)
        client.close()

    threads = [threading.Thread(target=call_in_rounds, args=(token,)) for token in TOKENS[1:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


@contextmanager
def _hostile_process(port: int) -> Iterator[None]:
    """Keep 64 calls of one client under way, from another process, and break them off at the end."""
    arguments = [sys.executable, "-m", "torture.hostile_client", str(port), TOKENS[0]]
    variables = environment()
    variables["PYTHONPATH"] += os.pathsep + str(REPOSITORY / "tests")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, env=variables) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "the hostile client did not start"
        yield
        process.kill()


def _processor_share(server: Web) -> float:
    """Return how much of a processor the server uses, measured for half a second."""
    used, started = server.processor_seconds, time.monotonic()
    time.sleep(0.5)
    return (server.processor_seconds - used) / (time.monotonic() - started)


def hostile_neighbour(scale: Scale) -> Outcome:
    """Let a client have 64 of its most expensive calls under way: three others wait a second at most."""
    outcome = Outcome()
    root = plain(scale.place("neighbour"))
    (root / "a.py").write_text("class A1:\n    pass\n")
    seen = beside_a_hostile_client(root, scale.folder, scale.many(100, 20))
    for seconds in (*seen.beside, *seen.cancelled):
        outcome.check(seconds < 5 * SECONDS, "a call waited for five seconds")
    worst = percentile(seen.beside, 0.99)
    outcome.check(worst < 1_000 * SECONDS, f"others wait {worst:.0f} ms")
    outcome.check(
        seen.rest < REST_SECONDS, f"the server is still busy {seen.rest:.1f} s after all calls were broken off"
    )
    for name, times in (("alone", seen.alone), ("beside", seen.beside)):
        outcome.figures[f"p50, p99 {name}"] = f"{percentile(times, 0.5):.0f}, {percentile(times, 0.99):.0f} ms"
    outcome.figures["at rest after"] = f"{seen.rest:.1f} s"
    return outcome
