"""A client with 64 of its most expensive calls under way all the time: ``python -m torture.hostile_client PORT TOKEN``.

It is a process of its own, as it is in practice, so that it takes nothing from the clients that are measured.
"""

from __future__ import annotations

import sys
import threading

from torture.wire import Client, Served

CALLS = 64

MOST_EXPENSIVE = (
    ("go_to_definition", {"symbol": "a." * 499 + "b"}),
    ("find_references", {"symbol": "a/" * 499 + "b"}),
    ("search_text", {"query": "(a|b|c|d)*e" * 80, "regex": True}),
    ("symbol_search", {"query": "aA" * 400, "match": "fuzzy"}),
)


def main(port: int, token: str) -> None:
    """Call until the process is killed; write a line once all calls are under way."""
    begun = threading.Barrier(CALLS + 1)

    def call_on(number: int) -> None:
        client = Client(Served(port), token)
        tool, arguments = MOST_EXPENSIVE[number % len(MOST_EXPENSIVE)]
        begun.wait()
        while True:
            client.call(tool, **arguments)

    for number in range(CALLS):
        threading.Thread(target=call_on, args=(number,), daemon=True).start()
    begun.wait()
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
