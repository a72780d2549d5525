"""A conversation with a language server: requests with a deadline, and answers to what it asks itself.

One thread writes and one reads, so that a server that does not read, or says too much, holds up nobody. Whatever goes
wrong ends the conversation, and is told to all that wait for an answer.
"""

from __future__ import annotations

import contextlib
import itertools
import queue
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from leadline_tools.index.text.key_masking import mask_strings
from leadline_tools.index.tree.programs import RunningProgram
from leadline_tools.language_servers.framing import Garbled, Message, framed, read_message

MOST_SAID = 64 << 20
"""Bytes that a server may say between two answers of its own."""

QUIET_SECONDS = 1.0
"""Seconds in which a server says nothing more of files, once it is through with them."""

_MOST_WAITING = 10_000
"""Messages that wait for the server to read them."""

Json = Any
"""What a message holds: checked where it is taken apart."""


class ServerFault(Exception):  # noqa: N818  the reason is the name
    """A server ended, fell silent, or said what it should not: the reason, as a clause whose subject is the server."""


class Connection:
    """The conversation with one server; it ends with ``end`` or with the first fault."""

    def __init__(self, companion: RunningProgram, settings: Mapping[str, Json], folder: Json) -> None:
        """Begin to listen; ``settings`` is what the server is told of its configuration, ``folder`` its workspace."""
        self._companion = companion
        self._settings, self._folder = settings, folder
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Json]] = {}
        self._outgoing: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        self._lock = threading.Lock()
        self._fault = ""
        self._said = 0
        self._published: dict[str, Sequence[Json]] = {}
        self._heard = threading.Condition()
        for target in (self._listen, self._write):
            threading.Thread(target=target, name="leadline-language-server", daemon=True).start()

    @property
    def fault(self) -> str:
        """Return what ended the conversation; empty while it goes on."""
        return self._fault

    def request(self, method: str, parameters: Json, seconds: float) -> Json:
        """Return the result of a request; None where the server refuses it. Raises ServerFault."""
        return self.requests(method, [parameters], seconds)[0]

    def requests(self, method: str, parameters: Sequence[Json], seconds: float) -> list[Json]:
        """Return the results of several requests, sent at once, that together may take some seconds."""
        until = time.monotonic() + seconds
        asked = [self._ask(method, one) for one in parameters]
        try:
            return [one.result(max(0.0, until - time.monotonic())) for one in asked]
        except TimeoutError:
            self.end("does not answer in time")
            raise ServerFault(self._fault) from None

    def notify(self, method: str, parameters: Json) -> None:
        """Tell the server something. Raises ServerFault."""
        self._send({"method": method, "params": parameters})
        if self._fault:
            raise ServerFault(self._fault)

    def published(self, uris: Collection[str], seconds: float) -> Mapping[str, Sequence[Json]]:
        """Return what the server says is wrong with files, once it has said it of all, or some seconds have passed.

        Some say at first that nothing is wrong: it is waited until no more is said for a moment.
        """
        until = time.monotonic() + seconds
        with self._heard:
            complete = self._published.keys() >= set(uris)
            while not self._fault and (left := until - time.monotonic()) > 0:
                told = self._heard.wait(min(left, QUIET_SECONDS) if complete else left)
                if complete and not told:
                    break
                complete = self._published.keys() >= set(uris)
            return {uri: self._published[uri] for uri in uris if uri in self._published}

    def forget(self, uri: str) -> None:
        """Forget what the server says of a file that it is shown anew."""
        with self._heard:
            self._published.pop(uri, None)

    def end(self, reason: str = "was stopped") -> None:
        """End the conversation and the server; who waits for an answer gets a fault with the reason."""
        with self._lock:
            self._fault = self._fault or reason
            waiting, self._waiting = self._waiting, {}
        self._companion.end()
        with contextlib.suppress(queue.Full):
            self._outgoing.put_nowait(b"")
        for one in waiting.values():
            one.set_exception(ServerFault(self._fault))
        with self._heard:
            self._heard.notify_all()

    def _ask(self, method: str, parameters: Json) -> Future[Json]:
        number, answer = next(self._numbers), Future[Json]()
        with self._lock:
            if self._fault:
                raise ServerFault(self._fault)
            self._waiting[number] = answer
        self._send({"id": number, "method": method, "params": parameters})
        return answer

    def _send(self, message: Message) -> None:
        try:
            self._outgoing.put_nowait(framed(message))
        except queue.Full:
            self.end("does not read its input")

    def _write(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while not self._fault and (content := self._outgoing.get()):
                self._companion.given.write(content)
                self._companion.given.flush()
        self.end("ended")
        with contextlib.suppress(OSError):
            self._companion.given.close()

    def _listen(self) -> None:
        reason = "ended"
        try:
            while self._said <= MOST_SAID and (heard := read_message(self._companion.said)) is not None:
                message, size = heard
                self._said += size
                self._hear(mask_strings(message))
            if self._said > MOST_SAID:
                reason = "sends too much"
        except Garbled as garbled:
            reason = str(garbled).removeprefix("it ")
        except RecursionError:
            reason = "nests its answers too deep"
        except (OSError, ValueError):  # its output is closed
            pass
        self.end(reason)
        with contextlib.suppress(OSError):
            self._companion.said.close()

    def _hear(self, message: Message) -> None:
        if "method" in message:
            if "id" in message:
                self._send({"id": message["id"], "result": self._reply(message)})
            elif message["method"] == "textDocument/publishDiagnostics":
                self._publish(message.get("params"))
            return
        with self._lock:
            number = message.get("id")
            answer = self._waiting.pop(number, None) if isinstance(number, int) else None
        if answer is not None:
            self._said = 0
            answer.set_result(message.get("result"))

    def _publish(self, parameters: Json) -> None:
        uri = parameters.get("uri") if isinstance(parameters, dict) else None
        found = parameters.get("diagnostics") if isinstance(parameters, dict) else None
        if isinstance(uri, str) and isinstance(found, list):
            with self._heard:
                self._published[uri] = found
                self._heard.notify_all()

    def _reply(self, message: Message) -> Json:
        """Return the answer to a request of the server: nothing is ever done for it."""
        match message["method"]:
            case "workspace/configuration":
                return [self._setting(item) for item in _items(message.get("params"))]
            case "workspace/workspaceFolders":
                return [self._folder]
            case "workspace/applyEdit":
                return {"applied": False}
            case _:  # registerCapability, workDoneProgress/create and whatever else is taken note of
                return None

    def _setting(self, item: Json) -> Json:
        found: Json = self._settings
        section = item.get("section") if isinstance(item, dict) else None
        for part in section.split(".") if isinstance(section, str) and section else ():
            found = found.get(part) if isinstance(found, dict) else None
        return found


def _items(parameters: Json) -> Sequence[Json]:
    items = parameters.get("items") if isinstance(parameters, dict) else None
    return items if isinstance(items, list) else ()
