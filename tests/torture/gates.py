"""The gate of HTTP from every side, and the results of others, guessed at."""

from __future__ import annotations

import json
import string
from itertools import product
from random import Random

from torture.outcome import Outcome, Scale
from torture.trees import plain
from torture.wire import Client, Web

TOKEN = "a-token-for-the-torture"
LARGE = 4 << 20

PLACES = (("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", "/sse"), ("POST", "/messages/"))
HOSTS = {
    None: True,
    "localhost:{port}": True,
    "evil.example": False,
    "127.0.0.1": False,
    "127.0.0.1.evil.example:{port}": False,
}
ORIGINS = {
    None: True,
    "http://127.0.0.1:{port}": True,
    "http://evil.example": False,
    "null": False,
    "https://127.0.0.1:{port}": False,
}
SHOWN = {
    None: False,
    f"Bearer {TOKEN}": True,
    "Bearer wrong-wrong-wrong-wrong": False,
    "Bearer ": False,
    f"Token {TOKEN}": False,
}


def gate_matrix(scale: Scale) -> Outcome:
    """Send every combination of place, Host, Origin, token: only what is right in all of them passes."""
    outcome = Outcome()
    root = plain(scale.place("gate"), 1, 2)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    with Web(root, root.with_name("gate-cache"), LEADLINE_TOKEN=TOKEN) as server:
        for (method, path), host, origin, shown in product(PLACES, HOSTS, ORIGINS, SHOWN):
            values = {"Host": host, "Origin": origin, "Authorization": shown}
            headers = {name: value.format(port=server.port) for name, value in values.items() if value is not None}
            status = server.status(method, path, headers, body if method == "POST" else b"")
            if not HOSTS[host]:
                right = status == 421
            elif not ORIGINS[origin]:
                right = status == 403
            elif not SHOWN[shown]:
                right = status == 401
            else:
                right = status not in {401, 403, 421, 500}
            outcome.check(right, f"{method} {path} {headers}: {status}")
        shown_ = {"Authorization": f"Bearer {TOKEN}"}
        for path in ("/mcp", "/messages/"):
            status = server.status("POST", path, {**shown_, "Content-Length": str(LARGE + 1)}, b"")
            outcome.check(status == 413, f"{path}, too large: {status}")
        outcome.check(server.status("GET", "/health", {}) == 200, "no health")
        outcome.check(server.alive, "the server died")
    return outcome


def isolation(scale: Scale) -> Outcome:
    """Guess at the result of another client 10,000 times: nothing is found, not even by its very URI."""
    outcome = Outcome()
    root = plain(scale.place("isolation"), 1, 10)
    random = scale.random(2)
    letters = string.ascii_lowercase + "234567"
    with Web(root, root.with_name("isolation-cache")) as server:
        owner = Client(server)
        text = owner.call("read_file", path="package_0/module_1.py", max_tokens=100).text
        uri = text[text.index("leadline://result/") :].split()[0]
        outcome.check(not owner.call("read_result", uri=uri).is_error, "the owner does not find its result")
        guessers = [Client(server) for _ in range(scale.many(10, 2))]
        wanted = scale.many(10_000, 200)
        for number in range(wanted):
            guess = uri if number < len(guessers) else _guess(uri, letters, random)
            said = guessers[number % len(guessers)].call("read_result", uri=guess)
            outcome.check(said.is_error and "function_0" not in said.text, f"found by {guess}")
    return outcome


def _guess(uri: str, letters: str, random: Random) -> str:
    """Return a URI like another one: all of its id is guessed, or but a few letters."""
    known = random.choice((0, 0, 20, 24, 25))
    head = uri[: len("leadline://result/") + known]
    return head + "".join(random.choice(letters) for _ in range(len(uri) - len(head)))
