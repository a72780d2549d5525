"""What a caller writes costs no more than its length, and a client that asks for much does not hold up the others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.arguments import longest
from leadline_tools.tool import TOOLS, Takes
from torture.doors import REST_SECONDS, SECONDS, beside_a_hostile_client
from torture.outcome import percentile

PATTERNS = (
    "a.",
    "a/",
    "a::",
    "a->",
    "a#",
    "a\\",
    "../",
    "a,",
    "a*",
    "{a,",
    "(a|",
    "[a",
    "aA",
    "a ",
    "a:1",
    "!",
    "\n",
    "é",
)
"""What long arguments are made of: everything that some part of the server takes apart."""

GROWTH = 3.0
"""How many times more than its length an argument may cost, for the noise of the machine."""

LEAST = 0.02
"""Seconds below which nothing is compared."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {
        f"pkg_{i}/mod_{j}.py": f"class A{i}:\n    def a{j}(self):\n        return a\n"
        for i in range(8)
        for j in range(8)
    }
    return write(tmp_path_factory.mktemp("costs"), {**files, "a.py": "a = 1\nprint(a)\n"})


@pytest.fixture(scope="module")
def asking(opened: Open, root: Path) -> Asking:
    return opened(root)


def texts() -> Iterator[tuple[str, str]]:
    """Yield every argument of every tool that is a text."""
    for tool in TOOLS.values():
        yield from ((tool.name, name) for name, field in tool.arguments.model_fields.items() if field.annotation is str)


def seconds(asking: Asking, tool: str, argument: str, value: str) -> float:
    """Return the CPU time of a call; whether it is an error does not matter."""
    others = {name: "a" for name in TOOLS[tool].required if name != argument}
    started = time.thread_time()
    asking.response(tool, **{**others, argument: value})
    return time.thread_time() - started


@pytest.mark.parametrize(("tool", "argument"), list(texts()))
def test_the_cost_of_an_argument_grows_no_faster_than_its_length(asking: Asking, tool: str, argument: str) -> None:
    most = longest(TOOLS[tool].takes.get(argument))
    for pattern in PATTERNS:
        costs = {
            size: min(seconds(asking, tool, argument, (pattern * size)[:size]) for _ in range(2))
            for size in (most // 8, most)
        }
        least, greatest = costs.values()
        assert greatest <= 8 * GROWTH * max(least, LEAST), f"{pattern!r}: {costs}"


@pytest.mark.parametrize(("opens", "closes"), ["()", "[]", "{}", ("(?:", ")"), ("(a|", ")"), ("((", ")*)"), ("!", "")])
@pytest.mark.parametrize(("tool", "argument"), list(texts()))
def test_what_is_nested_deeply_is_no_internal_error(
    asking: Asking, tool: str, argument: str, opens: str, closes: str
) -> None:
    others: dict[str, object] = {name: "a" for name in TOOLS[tool].required if name != argument}
    if tool == "search_text":
        others["regex"] = argument == "query"
    for depth in (160, 480):
        response = asking.response(tool, **{**others, argument: opens * depth + "a" + closes * depth})
        assert "internal error" not in response.text


@pytest.mark.parametrize(("tool", "argument"), list(texts()))
def test_an_argument_that_is_longer_than_its_kind_is_refused(asking: Asking, tool: str, argument: str) -> None:
    most = longest(TOOLS[tool].takes.get(argument))
    others = {name: "a" for name in TOOLS[tool].required if name != argument}
    said = asking.error(tool, **{**others, argument: "x" * (most + 1)})
    assert said.startswith(f"error: {argument}: it has {most + 1:,} characters, more than {most:,}")


def test_one_client_with_64_dear_calls_does_not_hold_up_three_others(root: Path, tmp_path: Path) -> None:
    seen = beside_a_hostile_client(root, tmp_path, 20)
    assert len(seen.beside) == 120
    assert percentile(seen.beside, 0.99) < 1_000 * SECONDS
    assert max(seen.cancelled) < SECONDS
    assert seen.rest < REST_SECONDS


def test_every_kind_of_argument_has_a_limit() -> None:
    assert {longest(takes) for takes in (*Takes, None)} == {1_000, 4_096, 10_000}
