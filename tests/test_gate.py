"""Over HTTP nobody gets in who must not, nobody sees what is another's, and whoever asks too much is told so."""

from __future__ import annotations

import base64
import hmac
import http.client
import json
import socket
import string
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, TextContent

import serving
from conftest import Open, write
from leadline_server import gate, load
from leadline_server.app import build
from leadline_server.cli import main
from leadline_server.errors import Busy
from leadline_server.gate import Address, Tokens
from leadline_server.http import application
from leadline_server.http import listen as bound
from leadline_server.load import BURST, MOST_OF_ONE, Load
from test_protocol import environment

pytestmark = pytest.mark.anyio

TOKEN, OTHER_TOKEN = "a-token-of-a-first-client", "a-token-of-a-second-one"
NAME = "code.example.org"
DEADLINE = 60.0


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    many = "\n".join(f"def function_{i}(a, b, *rest, c=None):\n    return a\n" for i in range(250))
    return write(tmp_path_factory.mktemp("tree"), {"many.py": many})


@contextmanager
def listening(tree: Path, folder: Path, *options: str, **variables: str) -> Iterator[int]:
    """Serve a tree over HTTP until the block ends; give the port."""
    port = serving.free_port()
    where = ["--root", str(tree), "--cache-dir", str(folder / "cache"), "--http", f"127.0.0.1:{port}"]
    command = [sys.executable, "-m", "leadline_server", "serve", *where, *options]
    with serving.process(command, port, environment(**variables)):
        yield port


@pytest.fixture(scope="module")
def guarded(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server with two tokens, one in a file and one in its environment, known by another name too."""
    folder = tmp_path_factory.mktemp("guarded")
    tokens = folder / "tokens"
    tokens.write_text(f"# clients\n{TOKEN}\n")
    options = ("--token-file", str(tokens), "--allow-host", NAME)
    with listening(tree, folder, *options, LEADLINE_TOKEN=OTHER_TOKEN) as port:
        yield port


@pytest.fixture(scope="module")
def open_port(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server without a token."""
    with listening(tree, tmp_path_factory.mktemp("open")) as port:
        yield port


def answer(port: int, method: str, path: str, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str]]:
    """Send one request; return the status and the headers of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() if method == "POST" else b""
    usual = {"Host": f"127.0.0.1:{port}", "Accept": "application/json, text/event-stream"}
    usual |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {**usual, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    try:
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}
    finally:
        connection.close()


PLACES = [("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", "/sse"), ("POST", "/messages/"), ("GET", "/")]
WRONG = {
    "none": {},
    "another": {"Authorization": "Bearer a-token-of-a-third-client"},
    "a part": {"Authorization": f"Bearer {TOKEN[:-1]}"},
    "more": {"Authorization": f"Bearer {TOKEN}x"},
    "another scheme": {"Authorization": f"Token {TOKEN}"},
    "no scheme": {"Authorization": TOKEN},
    "empty": {"Authorization": "Bearer "},
    "user for password": {"Authorization": "Basic " + base64.b64encode(f"{TOKEN}:".encode()).decode()},
    "no base 64": {"Authorization": "Basic %%%"},
}


@pytest.mark.parametrize(("method", "path"), PLACES)
@pytest.mark.parametrize("wrong", sorted(WRONG))
async def test_without_a_right_token_nothing_is_answered(guarded: int, method: str, path: str, wrong: str) -> None:
    status, headers = answer(guarded, method, path, WRONG[wrong])
    assert status == 401
    assert headers["www-authenticate"].startswith("Basic" if path == "/" else "Bearer")


async def test_every_wrong_token_is_compared_with_all_known_ones_in_constant_time(
    opened: Open, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bytes] = []

    def compare(known: bytes, shown: bytes) -> bool:
        compared.append(shown)
        return hmac.compare_digest(known, shown)

    monkeypatch.setattr(gate, "hmac", SimpleNamespace(compare_digest=compare))
    tokens = Tokens((TOKEN, OTHER_TOKEN))
    server = build(opened(tree).session)
    wrong = (f"x{TOKEN[1:]}", f"{TOKEN[:-1]}x", TOKEN[:-1], f"{TOKEN}x", "x", "x" * 2_000, OTHER_TOKEN.upper())
    with serving.in_thread(lambda port: application(server, Address("127.0.0.1", port, tokens=tokens))) as port:
        for shown in wrong:
            compared.clear()
            headers = {"Authorization": f"Bearer {shown}"}
            assert await anyio.to_thread.run_sync(serving.status, port, "POST", "/mcp", headers, b"{}") == 401
            assert compared == [shown.encode()] * 2


@pytest.mark.parametrize(
    "known", [(), ("a-token-of-a-first-client",), ("a-token-of-a-first-client", "another-token-xyz")]
)
def test_nothing_but_a_comparison_in_constant_time_looks_at_a_token(known: tuple[str, ...]) -> None:
    class Bytes(bytes):
        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared letter by letter")

        __hash__ = None  # type: ignore[assignment]

    class Shown(str):
        __slots__ = ()

        def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
            return Bytes(str.encode(self, encoding, errors))

        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared letter by letter")

        __hash__ = None  # type: ignore[assignment]

    assert Tokens(known).caller(Shown("a-token-of-a-first-clienx")) is None


@pytest.mark.parametrize("token", [TOKEN, OTHER_TOKEN])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic"])
async def test_a_right_token_passes(guarded: int, token: str, scheme: str) -> None:
    shown = base64.b64encode(f"anybody:{token}".encode()).decode() if scheme == "Basic" else token
    assert answer(guarded, "GET", "/nothing-here", {"Authorization": f"{scheme} {shown}"})[0] == 404


async def test_a_token_does_not_make_up_for_a_foreign_host_or_origin(guarded: int) -> None:
    shown = {"Authorization": f"Bearer {TOKEN}"}
    assert answer(guarded, "POST", "/mcp", {**shown, "Host": "evil.example"})[0] == 421
    assert answer(guarded, "POST", "/mcp", {**shown, "Origin": "http://evil.example"})[0] == 403


async def test_a_name_that_was_allowed_is_one_of_the_server_s_own(guarded: int, open_port: int) -> None:
    for origin in (f"https://{NAME}", f"http://{NAME}"):
        assert answer(guarded, "GET", "/health", {"Host": NAME, "Origin": origin})[0] == 200
    assert answer(open_port, "GET", "/health", {"Host": NAME})[0] == 421


async def test_health_needs_no_token_and_the_right_host(guarded: int, open_port: int) -> None:
    for port in (guarded, open_port):
        assert answer(port, "GET", "/health", {})[0] == 200
        assert answer(port, "GET", "/health", {"Host": "evil.example"})[0] == 421


@pytest.mark.parametrize(
    ("options", "variables", "told"),
    [
        (["--http", "0.0.0.0:8765"], {}, "token"),
        (["--http", "192.168.1.2:8765"], {}, "token"),
        (["--http", "example.org:8765"], {}, "token"),
        (["--http", "0.0.0.0:8765"], {"LEADLINE_TOKEN": TOKEN}, "--allow-host"),
        (["--http", "127.0.0.1:8765"], {"LEADLINE_TOKEN": "short"}, "16 characters"),
        (["--http", "127.0.0.1:nothing"], {}, "HOST:PORT"),
    ],
)
async def test_a_server_that_would_be_open_to_others_does_not_start(
    tree: Path, options: list[str], variables: dict[str, str], told: str
) -> None:
    run = CliRunner().invoke(main, ["serve", "--root", str(tree), *options], env=variables)
    assert run.exit_code == 2
    assert told in run.output
    assert TOKEN not in run.output


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are those of Unix")
async def test_a_token_file_that_others_can_write_to_is_reported(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(TOKEN)
    for mode, reported in ((0o666, True), (0o600, False)):
        file.chmod(mode)
        options = ["--http", "0.0.0.0:8765", "--token-file", str(file)]  # refused for want of a host name
        run = CliRunner().invoke(main, ["serve", "--root", str(tree), *options])
        assert run.exit_code == 2
        assert (f"other users can write to {file}" in run.output) is reported


async def test_a_token_is_shown_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(TOKEN)
    address = Address("127.0.0.1", 1, tokens=Tokens.load(file))
    assert TOKEN not in repr(address)
    assert TOKEN not in (address.tokens.holder(TOKEN) or TOKEN)


# Whose results they are


@asynccontextmanager
async def connected(port: int, token: str = "", mode: str = "legacy") -> AsyncIterator[Client]:
    """Give a client with a session of its own; it shows a token where there is one."""
    shown = {"Authorization": f"Bearer {token}"} if token else {}
    async with create_mcp_http_client(headers=shown) as web:
        transport: Any = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=web)
        async with Client(transport, mode=mode, cache=None) as client:
            yield client


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def cut(client: Client) -> str:
    """Return the URI of an answer that did not fit, of a tool without workers: a busy machine is slow to start them."""
    text = text_of(await client.call_tool("read_file", {"path": "many.py", "max_tokens": 200}))
    return text[text.index("leadline://result/") :].split()[0]


async def read(client: Client, uri: str) -> CallToolResult:
    return await client.call_tool("read_result", {"uri": uri})


def test_the_second_packet_of_an_answer_does_not_wait_for_the_first_to_be_confirmed() -> None:
    with bound(Address("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_a_session_reads_its_own_results_and_not_those_of_another(open_port: int) -> None:
    async with connected(open_port) as one, connected(open_port) as other:
        uri = await cut(one)
        assert not (await read(one, uri)).is_error
        assert (await read(other, uri)).is_error
        with pytest.raises(Exception, match="does not exist"):
            await other.read_resource(uri)
        assert await cut(other) != uri


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_who_shows_a_token_finds_the_results_again_and_others_do_not(guarded: int, mode: str) -> None:
    async with connected(guarded, TOKEN, mode) as one:
        uri = await cut(one)
    async with connected(guarded, TOKEN, mode) as again, connected(guarded, OTHER_TOKEN, mode) as other:
        assert not (await read(again, uri)).is_error
        assert (await read(other, uri)).is_error


async def test_nobody_s_results_are_listed(open_port: int) -> None:
    async with connected(open_port) as one, connected(open_port) as other:
        await cut(one)
        assert (await one.list_resources()).resources == (await other.list_resources()).resources == []


async def test_what_was_spent_is_told_to_whoever_spent_it(open_port: int) -> None:
    async with connected(open_port) as one, connected(open_port) as other:
        await cut(one)
        assert "read_file: 1 call" in text_of(await one.call_tool("budget", {}))
        assert "read_file" not in text_of(await other.call_tool("budget", {}))


async def test_a_result_cannot_be_guessed(open_port: int) -> None:
    async with connected(open_port) as one, connected(open_port) as other:
        uri = await cut(one)
        letters = string.ascii_lowercase + "234567"
        near = [uri[:-1] + letter for letter in letters] + [uri[:-8] + letters[i : i + 8] for i in range(20)]
        for guess in (*near, uri.upper(), uri + "/", uri[:-1], "leadline://result/", "leadline://result/%"):
            assert (await read(other, guess)).is_error


# How much at once


async def test_too_many_calls_at_once_are_refused_at_once_and_counted_off_again() -> None:
    load_ = Load(clock=lambda: 0.0)
    with anyio.fail_after(DEADLINE):
        calls = [load_.call("one") for _ in range(MOST_OF_ONE)]
        for call in calls:
            call.__enter__()
        with pytest.raises(Busy, match="running"), load_.call("one"):
            pass
        with load_.call("another"):
            pass
        for call in calls:
            call.__exit__(None, None, None)
        with load_.call("one"):
            pass


async def test_calls_beyond_the_rate_are_refused_until_a_moment_later() -> None:
    now = 0.0
    load_ = Load(clock=lambda: now)
    for _ in range(BURST):
        with load_.call("one"):
            pass
    with pytest.raises(Busy, match="a second"), load_.call("one"):
        pass
    with load_.call("another"):
        pass
    now = 1.0
    with load_.call("one"):
        pass


async def test_a_busy_server_says_so_and_asks_to_retry(
    opened: Open, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "MOST_OF_ONE", 0)
    async with Client(build(opened(tree).session)) as client:
        result = await client.call_tool("count_files", {})
        assert result.is_error
        assert text_of(result).startswith("error: The server is busy")
        assert "Retry" in text_of(result)
        with pytest.raises(Exception, match="busy"):
            await client.read_resource("leadline://result/aaaaaaaa")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_children_of_the_server_do_not_see_the_token(tree: Path, tmp_path: Path) -> None:
    with listening(tree, tmp_path, LEADLINE_TOKEN=TOKEN) as port:
        async with connected(port, TOKEN) as client:
            await cut(client)  # parses, so that there is a worker
        children = _children(port)
        assert children
        assert not any(TOKEN.encode() in Path(f"/proc/{pid}/environ").read_bytes() for pid in children)


def _children(port: int) -> list[str]:
    """Return the processes whose parent is the server that listens on a port, once they run a program of their own."""
    parents = {}
    servers = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                command = (folder / "cmdline").read_bytes()
                parents[folder.name] = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if f"127.0.0.1:{port}".encode() in command:
                servers.append(folder.name)
    return [pid for pid, parent in parents.items() if parent in servers and pid not in servers]
