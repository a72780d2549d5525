"""The official conformance suite of MCP finds nothing that it requires and the server has not."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from conftest import Open, write
from environments import NODE, PACKAGES, needs_clients
from everything import mounted
from leadline_server.app import build
from leadline_server.call import Session
from page import recorded
from serving import listening

SUITE = PACKAGES / "@modelcontextprotocol" / "conformance"
DEADLINE = 300.0

REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}
"""How many scenarios a revision requires of a server."""

UNAIDED = {
    "2025-11-25": frozenset(
        "server-initialize ping tools-list server-sse-multiple-streams resources-list prompts-list"
        " dns-rebinding-protection server-session-lifecycle".split()
    ),
    "2026-07-28": frozenset(
        "tools-list server-sse-multiple-streams resources-list sep-2164-resource-not-found prompts-list"
        " dns-rebinding-protection caching input-required-result-unsupported-methods"
        " input-required-result-ignore-extra-params http-header-validation".split()
    ),
}
"""The scenarios that call no tool, prompt or resource of the suite's own."""

pytestmark = [needs_clients, pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")]


@dataclass(frozen=True)
class Scenario:
    """How a scenario went: its checks that passed and failed."""

    passed: int
    failed: int


@pytest.fixture(scope="module")
def session(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Session:
    return opened(write(tmp_path_factory.mktemp("tree"), {"a.py": "def a():\n    return 1\n"})).session


@pytest.fixture(scope="module")
def product(session: Session) -> Iterator[int]:
    with listening(build(session)) as port:
        yield port


@pytest.fixture(scope="module")
def furnished(session: Session) -> Iterator[int]:
    with listening(mounted(build(session))) as port:
        yield port


def run(port: int, revision: str) -> tuple[bool, Mapping[str, Scenario], frozenset[str]]:
    """Return whether all that is required passed, how each scenario went, and those that are not scored."""
    target = f"http://127.0.0.1:{port}/mcp"
    command = [str(NODE), str(SUITE / "dist" / "index.js"), "server", "--url", target, "--requirements", revision]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=DEADLINE, check=False)
    summary, _, unscored = done.stdout.partition("=== SUMMARY ===")[2].partition("Not scored")
    assert summary, done.stderr[-2_000:]
    found = {
        name: Scenario(int(passed), int(failed))
        for name, passed, failed in re.findall(r"^\S ([\w-]+): (\d+) passed, (\d+) failed", summary, re.MULTILINE)
    }
    return done.returncode == 0, found, frozenset(re.findall(r"^  \S ([\w-]+) \(", unscored, re.MULTILINE))


def failed(scenarios: Mapping[str, Scenario]) -> list[str]:
    return [name for name, one in scenarios.items() if one.failed or not one.passed]


def row(name: str, revision: str, target: str, scenarios: Mapping[str, Scenario]) -> None:
    """Record how many scenarios and checks passed."""
    version = str(json.loads((SUITE / "package.json").read_text(encoding="utf-8"))["version"])
    checks = sum(one.passed for one in scenarios.values())
    told = f"{len(scenarios)} of {len(scenarios)} scenarios, {checks} checks"
    recorded("suites", f"conformance {revision}, {name}", version, revision, target, told)


@pytest.mark.parametrize("revision", REQUIRED)
def test_every_required_scenario_passes_with_the_things_that_the_suite_calls(furnished: int, revision: str) -> None:
    passed, scenarios, unscored = run(furnished, revision)
    required = {name: one for name, one in scenarios.items() if name not in unscored}
    assert failed(required) == []
    assert passed
    assert len(required) == REQUIRED[revision]
    row("all that is required", revision, "our server, with what the suite calls", required)


@pytest.mark.parametrize("revision", REQUIRED)
def test_every_scenario_that_needs_nothing_of_the_suite_passes_on_the_product(product: int, revision: str) -> None:
    _, scenarios, _ = run(product, revision)
    unaided = {name: one for name, one in scenarios.items() if name in UNAIDED[revision]}
    assert unaided.keys() == UNAIDED[revision]
    assert failed(unaided) == []
    row("what needs no fixtures", revision, "the product", unaided)
