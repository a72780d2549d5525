"""Many clients, many processes, and long use: the same right answers, quickly, in bounded memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from torture.outcome import Outcome, Scale, percentile
from torture.trees import FILES, FOLDERS, plain
from torture.wire import PATIENCE, Answer, Broken, Client, Lines, Web

CLIENTS = 16

Question = tuple[str, Mapping[str, Any]]


def questions(number: int) -> list[Question]:
    """Return mixed calls about the plain tree."""
    random = Random(11)
    made: list[Question] = []
    for _ in range(number):
        folder, file = random.randrange(FOLDERS), random.randrange(FILES)
        path, name = f"package_{folder}/module_{file}.py", f"function_{folder}_{file}"
        made.append(
            random.choice(
                [
                    ("read_file", {"path": path}),
                    ("document_symbols", {"path": path}),
                    ("symbol_search", {"query": name}),
                    ("go_to_definition", {"symbol": name}),
                    ("find_references", {"symbol": f"Base_{folder}_0"}),
                    ("search_text", {"query": f"needle_{folder}_{file}"}),
                    ("list_files", {"path": f"package_{folder}"}),
                    ("count_files", {"path": f"package_{folder}"}),
                    ("type_members", {"symbol": f"Base_{folder}_{file}"}),
                    ("read_file", {"path": f"package_{folder}/no_such_file.py"}),
                ]
            )
        )
    return made


def without_uri(answer: Answer) -> tuple[str, bool]:
    """Return an answer without the URI and the prices, which differ from client to client."""
    lines = [line for line in answer.text.splitlines() if not line.startswith(("all: ", "next: "))]
    return "\n".join([lines[0].partition(" | ")[0], *lines[1:]]), answer.is_error


def sixteen_clients(scale: Scale) -> Outcome:
    """Let 16 clients, half of them without a session, ask 100 mixed calls each at once.

    Every answer is that of a client alone.
    """
    outcome = Outcome()
    root = plain(scale.place("crowd"))
    asked = questions(scale.many(100, 12))
    times: list[float] = []
    with Web(root, root.with_name("crowd-cache")) as server:
        alone = Client(server)
        while "still" in alone.call("symbol_search", query="function_0_0").text:
            time.sleep(0.05)
        expected = [without_uri(alone.call(tool, **arguments)) for tool, arguments in asked]
        clients = [Client(server, stateless=number % 2 == 1) for number in range(CLIENTS)]
        lock = threading.Lock()

        def ask(number: int) -> None:
            order = list(range(len(asked)))
            Random(number).shuffle(order)
            for index in order:
                tool, arguments = asked[index]
                try:
                    said = clients[number].call(tool, **arguments)
                except (Broken, OSError) as error:
                    with lock:
                        outcome.check(False, f"lost: {error}")
                    continue
                with lock:
                    times.append(said.seconds)
                    outcome.check(without_uri(said) == expected[index], f"wrong: {tool}{arguments}")

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        outcome.check(server.megabytes <= 250, f"{server.megabytes:.0f} MB")
        outcome.figures["memory"] = f"{server.megabytes:.0f} MB"
    middle, last = percentile(times, 0.5), percentile(times, 0.99)
    outcome.figures["p50"], outcome.figures["p99"] = f"{middle:.0f} ms", f"{last:.0f} ms"
    if not scale.short:
        outcome.check(last <= 1_000 * PATIENCE, f"p99 {last:.0f} ms")
    return outcome


def three_processes(scale: Scale) -> Outcome:
    """Let three servers share one index while files change: each answers right, none is locked out."""
    outcome = Outcome()
    root = plain(scale.place("shared"), 2, 10)
    cache = root.with_name("shared-cache")
    servers = [Lines(root, cache) for _ in range(3)]
    try:
        for round_ in range(scale.many(30, 4)):
            name = f"shared_name_{round_}"
            (root / f"new_{round_}.py").write_text(f"def {name}(): pass\n")
            for server in servers:
                said = _until(server, name, f"new_{round_}.py")
                outcome.check(f"new_{round_}.py" in said, f"{name}: {said[:80]}")
                outcome.check("lock" not in said, said[:80])
    finally:
        for server in servers:
            server.__exit__()
    return outcome


def _until(server: Lines, name: str, wanted: str, seconds: float = 5.0) -> str:
    """Ask for a symbol until it is there, for some seconds: an answer may say that it is not indexed yet."""
    until = time.monotonic() + seconds * PATIENCE
    said = server.call("symbol_search", query=name).text
    while wanted not in said and time.monotonic() < until:
        said = server.call("symbol_search", query=name).text
    return said


def soak(scale: Scale) -> Outcome:
    """Ask for 90 seconds: memory and descriptors stay what they are once every thread has asked."""
    outcome = Outcome()
    root = plain(scale.place("soak"))
    asked = questions(60)
    seconds = scale.many(60, 5)
    with Lines(root, root.with_name("soak-cache")) as server:
        _ask_for(server, asked * 3, max(2.0, seconds / 6), outcome)
        memory, descriptors = server.megabytes, server.descriptors
        _ask_for(server, asked, seconds, outcome)
        growth = server.megabytes - memory
        outcome.check(growth <= 10, f"grew by {growth:.1f} MB")
        outcome.check(abs(server.descriptors - descriptors) <= 5, f"{descriptors} to {server.descriptors} descriptors")
        outcome.check(server.megabytes <= 250, f"{server.megabytes:.0f} MB")
        outcome.figures["growth"] = f"{growth:.1f} MB"
        outcome.figures["memory"] = f"{server.megabytes:.0f} MB"
    return outcome


def _ask_for(server: Lines, asked: Sequence[Question], seconds: float, outcome: Outcome) -> None:
    """Ask for some seconds, but each question at least once."""
    until = time.monotonic() + seconds
    number = 0
    while number < len(asked) or time.monotonic() < until:
        tool, arguments = asked[number % len(asked)]
        said = server.call(tool, **arguments, max_tokens=200 + number % 2_000)
        outcome.check(said.text, f"{tool}: nothing")
        number += 1
