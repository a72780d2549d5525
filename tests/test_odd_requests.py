"""Requests for resources, prompts and completions that no client sends by itself: refused as errors of their caller."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from conftest import write
from keys import KEYS, shown
from torture.wire import Client, Lines, connect

INVALID = -32602
MANY_DIGITS = "9" * 5_000
OUTSIDE = "bytes-from-outside-of-the-root"

URIS = (
    *(f"leadline://result/x?offset={MANY_DIGITS}", "leadline://result/x?offset=٣", "leadline://result/x?limit=-1"),
    *("leadline://result/x?" + "&".join(f"a{number}=1" for number in range(300)), "leadline://[result/x"),
    *("leadline://result/../../../etc/passwd", "leadline://result/%2e%2e/%2e%2e", "leadline://result/' or 1=1 --"),
    *("file:///etc/passwd", "http://127.0.0.1:1/", "leadline://other/x", "leadline://result/", "leadline://result/\0"),
    *("leadline:result", "//result/x", "", " ", "x" * 100_000, f"leadline://result/{KEYS['github']}"),
)
PROMPTS: tuple[Mapping[str, Any], ...] = (
    *({"name": "explore", "arguments": {"budget": budget}} for budget in (MANY_DIGITS, "NaN", "-1", "1e9", "٣", "{}")),
    *({"name": "explore", "arguments": {"path": path}} for path in ("..", "/etc", "../outside", "a\0b", "x" * 9_000)),
    *({"name": name, "arguments": {}} for name in ("", "../explore", "explore\0", "x" * 9_000, "find_code", "impact")),
    {"name": "explore", "arguments": {"nothing": "x"}},
    {"name": "find_code", "arguments": {"what": "x" * 200_000}},
    {"name": "impact", "arguments": {"symbol": "a." * 100_000}},
)


@pytest.fixture(scope="module", params=["stdio", "http"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lines | Client]:
    base = tmp_path_factory.mktemp("odd-requests")
    write(base / "outside", {"a.py": f"VALUE = '{OUTSIDE}'\n"})
    root = write(base / "root", {"a.py": "def inside():\n    return 1\n"})
    with connect(request.param, root, base / "cache") as connected:
        yield connected


def assert_goes_on(client: Lines | Client) -> None:
    assert "def inside" in client.call("read_file", path="a.py").text


@pytest.mark.parametrize("uri", URIS, ids=range(len(URIS)))
def test_a_uri_that_is_none_is_an_error_of_its_caller(client: Lines | Client, uri: str) -> None:
    said = client.request("resources/read", {"uri": uri})
    assert said["error"]["code"] == INVALID
    assert not shown(KEYS["github"], json.dumps(said))
    assert_goes_on(client)


@pytest.mark.parametrize("asked", PROMPTS, ids=range(len(PROMPTS)))
def test_a_prompt_that_cannot_be_written_is_an_error_of_its_caller(
    client: Lines | Client, asked: Mapping[str, Any]
) -> None:
    said = client.request("prompts/get", asked)
    assert said["error"]["code"] == INVALID
    assert OUTSIDE not in json.dumps(said)
    assert_goes_on(client)


@pytest.mark.parametrize("typed", ["..", "../outside/", "/etc/", "a\0", "." * 200, "x" * 200_000, "%", "*"])
def test_nothing_outside_is_completed(client: Lines | Client, typed: str) -> None:
    for prompt, argument in (("explore", "path"), ("impact", "symbol")):
        asked = {"ref": {"type": "ref/prompt", "name": prompt}, "argument": {"name": argument, "value": typed}}
        said = client.request("completion/complete", asked)
        assert not [one for one in said["result"]["completion"]["values"] if "outside" in one or "passwd" in one]
    template = {"type": "ref/resource", "uri": "leadline://result/{id}{?offset,limit}"}
    said = client.request("completion/complete", {"ref": template, "argument": {"name": "id", "value": ""}})
    assert said["result"]["completion"]["values"] == []


@pytest.mark.parametrize(
    "meta",
    [
        {"leadline/turn": "t" * 1_000_000},
        {"leadline/window": 1e30},
        {"leadline/turn": {"a": [1]}},
        {"leadline/format": MANY_DIGITS},
        {"leadline/store": "yes"},
        {"traceparent": "00-" + "f" * 500},
    ],
    ids=range(6),
)
def test_odd_details_of_a_request_cost_no_answer(client: Lines | Client, meta: Mapping[str, Any]) -> None:
    said = client.request("tools/call", {"name": "list_files", "arguments": {}, "_meta": meta})
    assert "error" in said or said["result"]["content"]
    assert "internal error" not in json.dumps(said)
    assert_goes_on(client)
