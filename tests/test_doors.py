"""Connections that say nothing hold no door open: others are served all the time, and the log stays small."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import write
from torture.doors import DESCRIPTORS, HALF, LARGEST_LOG, SECONDS, Limited, crowd, health
from torture.wire import PATIENCE, Client, Web

TOKEN = "alice-alice-alice-alice"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("doors"), {"a.py": "def inside():\n    return 1\n"})


@pytest.mark.skipif(sys.platform == "win32", reason="the limit of descriptors is one of Unix")
@pytest.mark.parametrize("sent", [b"", HALF], ids=["silent", "half requests"])
def test_thousands_of_connections_without_a_request_hold_up_nobody(root: Path, tmp_path: Path, sent: bytes) -> None:
    (tmp_path / "tokens").write_text(TOKEN)
    with Limited(root, tmp_path, "--token-file", str(tmp_path / "tokens")) as server, crowd(server.port, sent):
        client = Client(server, TOKEN)
        assert server.descriptors < DESCRIPTORS // 2 + 100
        for _ in range(10):
            assert health(server.port) == 200
            said = client.call("go_to_definition", symbol="inside")
            assert not said.is_error
            assert said.seconds < SECONDS
        other = Client(server, TOKEN)
        assert not other.call("read_file", path="a.py").is_error
        other.close()
        client.close()
    assert server.log.stat().st_size < LARGEST_LOG


@pytest.fixture
def patient(root: Path, tmp_path: Path) -> Iterator[Web]:
    with Web(root, tmp_path) as server:
        yield server


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 1000\r\n\r\n{"],
    ids=["nothing", "half of the headers", "half of a body"],
)
def test_a_request_that_does_not_come_is_not_waited_for(patient: Web, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", patient.port), timeout=14 * PATIENCE) as one:
        started = time.monotonic()
        one.sendall(sent.replace(b"%d", b"%d" % patient.port))
        try:
            while one.recv(4_096):
                pass
        except ConnectionResetError:
            pass
        assert time.monotonic() - started < 12 * PATIENCE


@pytest.mark.parametrize("place", ["/page/call", "/mcp", "/messages/"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_may_call_nothing_even_without_an_origin(patient: Web, place: str, site: str) -> None:
    body = b'{"tool": "list_files", "arguments": {}}'
    assert patient.status("POST", place, {"Sec-Fetch-Site": site}, body) == 403
    assert patient.status("GET", "/", {"Sec-Fetch-Site": site}) == 200


def test_a_body_that_is_no_message_is_refused_in_one_sentence(patient: Web) -> None:
    for body, code in (("[]", -32600), ('{"id": 3}', -32600), ('{"jsonrpc": "2.0", "id": 1}', -32600), ("{", -32700)):
        connection = http.client.HTTPConnection("127.0.0.1", patient.port, timeout=14 * PATIENCE)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", "/mcp", body, headers)
        response = connection.getresponse()
        said = response.read()
        connection.close()
        assert (response.status, json.loads(said)["error"]["code"], len(said) < 200) == (400, code, True), said


def test_requests_with_one_id_are_each_answered_or_refused(patient: Web) -> None:
    client = Client(patient)
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "repo_map", "arguments": {}}}
    connections = [http.client.HTTPConnection("127.0.0.1", patient.port, timeout=20 * PATIENCE) for _ in range(40)]
    for connection in connections:
        connection.request("POST", "/mcp", json.dumps(message), client._headers)
    responses = [connection.getresponse() for connection in connections]
    texts = [response.read().decode() for response in responses]
    assert {response.status for response in responses} <= {200, 400}
    answered = [text for response, text in zip(responses, texts, strict=True) if response.status == 200]
    assert answered
    assert all('"result"' in text for text in answered)
    assert all("is under way in this session" in text for text in set(texts) - set(answered))
    for connection in connections:
        connection.close()
    client.close()


def test_the_session_that_was_used_longest_ago_gives_way_to_a_new_client(root: Path, tmp_path: Path) -> None:
    with Web(root, tmp_path) as server:
        first, kept = Client(server), Client(server)
        for number in range(1_010):
            opened = Client(server)
            opened.close()
            if number % 100 == 0:
                assert not kept.call("read_file", path="a.py").is_error
        late = Client(server)
        assert not late.call("read_file", path="a.py").is_error
        assert not kept.call("read_file", path="a.py").is_error
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
        assert server.status("POST", "/mcp", {"mcp-session-id": first._headers["mcp-session-id"]}, body) == 404
        for client in (first, kept, late):
            client.close()


def test_a_client_that_reconnects_gets_a_new_stream(patient: Web) -> None:
    client = Client(patient)
    connection = http.client.HTTPConnection("127.0.0.1", patient.port, timeout=20 * PATIENCE)
    own = {"Accept": "text/event-stream", "mcp-session-id": client._headers["mcp-session-id"]}
    connection.request("GET", "/mcp", headers={**own, "Last-Event-ID": "../../1"})
    assert connection.getresponse().status == 200
    connection.close()
    client.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the limit of descriptors is one of Unix")
def test_no_text_of_a_caller_is_in_the_log(root: Path, tmp_path: Path) -> None:
    with Limited(root, tmp_path) as server:
        for method, place, headers, body in (
            ("POST", "/messages/?session_id=CALLER%0aforged", {}, b"{}"),
            ("POST", "/messages/?session_id=CALLER&session_id=CALLER", {}, b"{}"),
            ("POST", "/mcp", {"mcp-session-id": "CALLER"}, b"{}"),
            ("GET", "/mcp", {"mcp-session-id": "CALLER", "Last-Event-ID": "CALLER"}, b""),
            ("POST", "/mcp", {"Content-Type": "application/json"}, b'{"CALLER": [' + b"[" * 60_000),
            ("POST", "/page/call", {"Content-Type": "application/json"}, b'{"CALLER": [' + b"[" * 60_000),
            ("GET", "/page/map?path=CALLER", {}, b""),
        ):
            assert 400 <= server.status(method, place, headers, body) < 500
        assert health(server.port) == 200
    assert b"CALLER" not in server.log.read_bytes()
    assert b"Traceback" not in server.log.read_bytes()
