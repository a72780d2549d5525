"""Clients that others wrote list the tools, call one, page its result to the end and read its resource."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import Asking, Open, write
from environments import CLIENTS, NODE, PACKAGES, needs_clients
from leadline_server.app import build
from page import recorded, rows
from serving import listening

REPOSITORY = Path(__file__).parents[1]
DRIVERS = Path(__file__).parent / "clients"
SOURCES = os.pathsep.join(str(REPOSITORY / part) for part in ("server", "tools", "estimators"))

PYTHON = CLIENTS / "python" / "bin" / "python"
LEGACY = Path(os.environ.get("LEADLINE_LEGACY_VENV", REPOSITORY / ".venv-legacy")) / "bin" / "python"
INSPECTOR = PACKAGES / "@modelcontextprotocol" / "inspector"

SYMBOLS = 250
DEADLINE = 120.0
"""Seconds after which a client is given up."""


@dataclass(frozen=True)
class Driver:
    """A program that drives a server with somebody's client."""

    program: Path
    script: str


NAMED = {
    "TypeScript SDK": Driver(NODE, "typescript_client.mjs"),
    "fastmcp": Driver(PYTHON, "fastmcp_client.py"),
    "langchain-mcp-adapters": Driver(LEGACY, "langchain_client.py"),
    "pydantic-ai": Driver(PYTHON, "pydantic_ai_client.py"),
}


@pytest.fixture(scope="module")
def asking(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    many = "\n".join(f"def function_{i}(a, b, *rest, c=None):\n    return a\n" for i in range(SYMBOLS))
    return opened(write(tmp_path_factory.mktemp("tree"), {"many.py": many}), cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def url(asking: Asking) -> Iterator[str]:
    with listening(build(asking.session)) as port:
        yield f"http://127.0.0.1:{port}/mcp"


def command(asking: Asking) -> Sequence[str]:
    """Return what starts a server of its own on the same tree."""
    config = asking.session.config
    where = ["--root", str(config.root), "--cache-dir", str(config.cache), "--model", "openai"]
    return [sys.executable, "-P", "-m", "leadline_server", "serve", *where]


def run(*command: object) -> subprocess.CompletedProcess[str]:
    """Run a program of the clients' environment to its end."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, "LEADLINE_CLIENTS": str(CLIENTS)}
    environment.pop("PYTHONWARNINGS", None)
    return subprocess.run(
        list(map(str, command)),
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )


def driven(driver: Driver, way: str, *target: str) -> dict[str, Any]:
    """Return what a client has seen of a server."""
    done = run(driver.program, DRIVERS / driver.script, way, *target)
    assert done.returncode == 0, done.stderr[-2_000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def impersonal(text: str) -> str:
    """Return an answer without its URI, which is each caller's own, and what that costs."""
    return re.sub(r"leadline://result/\w+|\d+ of 200 tokens", "", text)


@needs_clients
@pytest.mark.parametrize("name", NAMED)
def test_a_client_lists_calls_pages_to_the_end_and_reads_the_resource(name: str, asking: Asking, url: str) -> None:
    seen = {way: driven(NAMED[name], way, *target) for way, target in (("stdio", command(asking)), ("http", [url]))}
    for found in seen.values():
        assert found["tools"] == list(asking.session.tools)
        assert impersonal(found["text"]) == impersonal(asking("document_symbols", path="many.py", max_tokens=200))
        assert [item["name"] for item in found["items"]] == [f"function_{i}" for i in range(SYMBOLS)]
        assert found["resource"]["items"] == found["items"]
        assert found["resource"]["complete"] is True
        if "agent" in found:
            assert "1 file, 749 lines" in found["agent"]
    first = seen["stdio"]
    assert {found["protocol"] for found in seen.values()} == {first["protocol"]}
    recorded("clients", name, str(first["version"]), str(first["protocol"]), "yes", "yes", "yes", "yes", "yes")


@needs_clients
def test_the_inspector_finds_no_fault_with_the_schemas_of_the_tools(asking: Asking, url: str) -> None:
    program = INSPECTOR / "clients" / "launcher" / "build" / "index.js"
    done = run(NODE, program, "--cli", url, "--transport", "http", "--method", "tools/list", "--strict")
    assert done.returncode == 0, done.stderr[-2_000:]
    assert not done.stderr.strip()
    assert [tool["name"] for tool in json.loads(done.stdout)["tools"]] == list(asking.session.tools)
    version = json.loads((INSPECTOR / "package.json").read_text(encoding="utf-8"))["version"]
    recorded("suites", "inspector, `tools/list --strict`", version, "any", "the product", "no error, no warning")


def test_the_page_has_a_row_for_each_client_and_no_other() -> None:
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows("clients")] == list(NAMED)
