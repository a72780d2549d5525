"""The page about the protocol says what the server does, and of every request that there is."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp_types.methods import CLIENT_REQUESTS

from conftest import Open, write
from leadline_server import app
from leadline_server.prompts import PROMPTS

PAGE = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")

NEWEST = "2026-07-28"
HANDSHAKES = {revision for _, revision in CLIENT_REQUESTS} - {NEWEST}
METHODS = sorted({method for method, _ in CLIENT_REQUESTS})

BY_THE_SDK = {"initialize"}
"""What is answered before any handler is asked."""


def cell(*, known: bool, answered: bool) -> str:
    return ("yes" if answered else "no") if known else "-"


@pytest.fixture(scope="module")
def server(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Server[Any]:
    return app.build(opened(write(tmp_path_factory.mktemp("tree"), {"a.py": ""})).session)


@pytest.mark.parametrize("method", METHODS)
def test_the_page_tells_of_every_request_whether_it_is_answered(method: str, server: Server[Any]) -> None:
    answered = method in BY_THE_SDK or server.get_request_handler(method) is not None
    older = cell(known=any((method, revision) in CLIENT_REQUESTS for revision in HANDSHAKES), answered=answered)
    newest = cell(known=(method, NEWEST) in CLIENT_REQUESTS, answered=answered)
    assert f"\n| `{method}` | {older} | {newest} |" in PAGE


def test_the_page_has_no_other_requests() -> None:
    assert sorted(re.findall(r"^\| `([a-z]+(?:/\w+)*)` \| (?:yes|no|-) \|", PAGE, re.MULTILINE)) == METHODS


def test_the_page_names_every_key_that_a_client_may_send() -> None:
    keys = set(re.findall(r'"(leadline/\w+)"', inspect.getsource(app)))
    assert keys
    assert all(f"`{key}`" in PAGE or f'["{key}"]' in PAGE for key in keys)


@pytest.mark.parametrize("name", PROMPTS)
def test_the_page_tells_of_every_prompt_and_its_arguments(name: str) -> None:
    arguments = ", ".join(f"`{one.name}`" for one in PROMPTS[name].arguments)
    assert f"\n| `{name}` | {arguments} |" in PAGE
