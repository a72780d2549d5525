"""A proxy for tests: each request goes to the next of several servers, or past one that accepts no connection."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that is gone."""


@contextmanager
def round_robin(ports: Sequence[int], own: int) -> Iterator[list[int]]:
    """Forward what comes to the port ``own`` until the block ends; give the ports that requests went to, in order."""
    numbers, taken = count(), list[int]()

    class Handler(BaseHTTPRequestHandler):
        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            first = next(numbers)
            for port in (*ports[first % len(ports) :], *ports[: first % len(ports)]):
                backend = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                try:
                    backend.request(self.command, self.path, body, dict(self.headers.items()))
                except ConnectionRefusedError:
                    continue
                taken.append(port)
                try:
                    self.answer(backend.getresponse())
                except (http.client.HTTPException, ConnectionError):
                    self.close_connection = True  # the server died with the request: its client has to repeat it
                finally:
                    backend.close()
                return
            self.send_error(503)

        def answer(self, response: http.client.HTTPResponse) -> None:
            self.close_connection = True
            self.send_response(response.status)
            for name, value in response.getheaders():
                if name.lower() not in _HOP:
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            while part := response.read1():
                self.wfile.write(part)
                self.wfile.flush()

        do_GET = do_POST = do_DELETE = forward  # noqa: N815  the names that the library calls

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            """Log nothing."""

    with _Server(("127.0.0.1", own), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield taken
        finally:
            server.shutdown()
            thread.join()
