"""A language server of Python files that understands nothing but words, and plays one fault: its argument.

What is defined is what stands behind ``def`` or ``class``. A use of a member is that of the type whose name in small
letters is the receiver's, such as ``left.close`` of ``Left``; where no receiver tells, it answers nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

FAULT, LOG = sys.argv[1], Path(sys.argv[2])
DOCUMENTS: dict[str, str] = {}
WORD = re.compile(r"\w+")


def note(line: str) -> None:
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"{line}\n")


def send(message: dict[str, Any]) -> None:
    content = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
    sys.stdout.buffer.flush()


def receive() -> dict[str, Any] | None:
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        length = int(line.rpartition(b":")[2])
    found: dict[str, Any] | None = json.loads(sys.stdin.buffer.read(length)) if length else None
    return found


def definition(uri: str, line: int, character: int) -> list[dict[str, Any]]:
    row = DOCUMENTS[uri].splitlines()[line]
    units = row.encode("utf-16-le")
    before = units[: character * 2].decode("utf-16-le")
    found = WORD.match(row, len(before))
    if found is None:
        return []
    name = found[0]
    if re.search(r"(def|class) $", before):
        return [at(uri, line, row, name)]
    receiver = re.search(r"(\w+)\.$", before)
    return list(defined(name, receiver[1] if receiver else ""))


def defined(name: str, receiver: str) -> list[dict[str, Any]]:
    found = []
    for uri, text in DOCUMENTS.items():
        owner = ""
        for number, row in enumerate(text.splitlines()):
            if around := re.match(r"class (\w+)", row):
                owner = around[1]
            if re.search(rf"(def|class) {name}\b", row) and (owner.lower() == receiver or owner == name):
                found.append(at(uri, number, row, name))
    return found


def implemented(uri: str, line: int) -> Iterator[dict[str, Any]]:
    """Yield the classes in whose first line the name of a class stands, a comment too, or their method of a name."""
    rows = DOCUMENTS[uri].splitlines()
    around = next(row for row in reversed(rows[: line + 1]) if row.startswith("class"))
    found = re.match(r"class (\w+)", around)
    owner, method = found[1] if found else "", re.search(r"def (\w+)", rows[line])
    for other, text in DOCUMENTS.items():
        below = ""
        for number, row in enumerate(text.splitlines()):
            if inner := re.match(r"class (\w+)", row):
                below = inner[1] if re.search(rf"\b{owner}\b", row) and inner[1] != owner else ""
                if below and method is None:
                    yield at(other, number, f"class {below}", below)
            elif below and method is not None and re.search(rf"def {method[1]}\b", row):
                yield at(other, number, row, method[1])
    if FAULT.startswith("lying"):
        yield told(uri, 0)
        yield told(uri, 999)
        yield told("file:///nowhere/at/all.py", 1)
        yield told(f"{uri}x", 1)


def at(uri: str, line: int, row: str, name: str) -> dict[str, Any]:
    start = {"line": line, "character": len(row[: row.rindex(name)].encode("utf-16-le")) // 2}
    return {"uri": uri, "range": {"start": start, "end": start}}


def lied(found: list[dict[str, Any]], row: str) -> Any:
    """Return the answer as the fault has it."""
    first, unsure = min(DOCUMENTS), "unsure" in row
    lies: dict[str, Any] = {
        "partial": [] if "certain" in row else found,
        "lying-elsewhere": [at(first, 0, "class Right", "Right")],
        "lying-same": defined("close", "left"),
        "lying-unsaid": [told(first, 999)] if unsure else found,
        "lying-outside": [told("file:///nowhere/at/all.py", 1)] if unsure else found,
        "nonsense": [{"uri": 7}, {"range": None}, 3],
    }
    return lies.get(FAULT, found)


def told(uri: str, line: int) -> dict[str, Any]:
    return {"uri": uri, "range": {"start": {"line": line, "character": 5}}}


def answer(message: dict[str, Any]) -> Any:
    method, parameters = message["method"], message["params"]
    if method == "initialize":
        able = {"definitionProvider": FAULT != "unable", "hoverProvider": True, "codeActionProvider": True}
        able["implementationProvider"] = FAULT != "unable"
        return {"capabilities": {**able, "positionEncoding": "utf-16"}}
    if method == "textDocument/hover":
        faulty()
        row = DOCUMENTS[parameters["textDocument"]["uri"]].splitlines()[parameters["position"]["line"]]
        return {"contents": {"kind": "plaintext", "value": f"```\n(known) {row.strip()}\n```\nand more"}}
    if method == "textDocument/implementation":
        faulty()
        note("implemented")
        uri, place = parameters["textDocument"]["uri"], parameters["position"]
        return [] if FAULT == "partial" else list(implemented(uri, place["line"]))
    if method == "textDocument/codeAction":
        return list(actions(parameters["textDocument"]["uri"], parameters["range"]))
    if method == "textDocument/definition":
        note("asked")
        faulty()
        uri, place = parameters["textDocument"]["uri"], parameters["position"]
        row = DOCUMENTS[uri].splitlines()[place["line"]]
        return lied(definition(uri, place["line"], place["character"]), row)
    return None


def wrong(uri: str) -> dict[str, Any]:
    """Return what is published of a file: each word ``wrong`` in it is."""
    found = []
    for number, row in enumerate(DOCUMENTS[uri].splitlines()):
        for match in re.finditer("wrong", row):
            start, end = (len(row[:at].encode("utf-16-le")) // 2 for at in match.span())
            span = {"start": {"line": number, "character": start}, "end": {"line": number, "character": end}}
            found.append({"range": span, "severity": 2, "code": "bad-word", "message": "this is\n wrong"})
    broken = [{"range": 7, "message": "no range"}, 3, {"message": None}]
    return {"uri": uri, "diagnostics": [*found, *broken]}


def actions(uri: str, span: Any) -> Iterator[Any]:
    """Offer one repair of the file, one of two files, one that is a command, and what is none."""
    right = {"range": span, "newText": "right"}
    yield {"title": "Say right", "edit": {"changes": {uri: [right]}}}
    yield {"title": "Say it everywhere", "edit": {"changes": {uri: [right], f"{uri}x": [right]}}}
    yield {"title": "Run it", "command": "run"}
    yield {"title": "Move it", "edit": {"documentChanges": [{"kind": "delete", "uri": uri}]}}
    yield 7


def faulty() -> None:
    match FAULT:
        case "crashing":
            os._exit(3)
        case "slow":
            time.sleep(0.5)
        case "flooding":
            while True:
                send({"method": "window/logMessage", "params": {"message": "x" * 1_000_000}})
        case "garbled":
            os.write(1, b"what is this\r\n\r\n" * 100)


def hear(message: dict[str, Any]) -> None:
    """Take a message as it is meant."""
    method, parameters = message.get("method", ""), message.get("params", {})
    match method:
        case "textDocument/didOpen":
            document = parameters["textDocument"]
            DOCUMENTS[document["uri"]] = document["text"]
            send({"method": "textDocument/publishDiagnostics", "params": wrong(document["uri"])})
            note(f"opened {Path(url2pathname(urlsplit(document['uri']).path)).name}")
        case "textDocument/didClose":
            DOCUMENTS.pop(parameters["textDocument"]["uri"])
        case "workspace/didChangeWatchedFiles":
            note(f"changed {len(parameters['changes'])}")
        case "initialized":
            send({"id": "a", "method": "workspace/configuration", "params": {"items": [{"section": "ty"}, {}]}})
            send({"id": "b", "method": "client/registerCapability", "params": {"registrations": []}})
        case "":
            note(f"answered {json.dumps(message['result'])}")
        case _ if "id" in message:
            send({"id": message["id"], "result": answer(message)})


def main() -> None:
    note(f"started {os.getpid()}")
    while (message := receive()) is not None and message.get("method") != "exit":
        if FAULT != "silent" or message.get("method") == "initialize":
            hear(message)
    if FAULT == "orphan":
        time.sleep(600)


if __name__ == "__main__":
    main()
