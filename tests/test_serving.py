"""What the options of ``leadline serve`` do, how they are given, and what the server says on its error stream."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import ResourceLink, TextContent

from conftest import Asking, Open, write
from leadline_estimators import count
from leadline_server import logs, running
from leadline_server.app import INSTRUCTIONS, build, instructions
from leadline_server.config import Config
from leadline_server.console.serve import serve
from leadline_server.errors import UnknownTool
from leadline_server.toolset import CORE, select_tools
from leadline_tools.tool import TOOLS

REPOSITORY = Path(__file__).parents[1]
SOURCES = os.pathsep.join(str(REPOSITORY / part) for part in ("server", "tools", "estimators"))

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SECRET_QUESTION, SECRET_SOURCE = "Zebrafinch", "Quetzalcoatl"

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    many = "".join(f"def function_{i}(a, b):\n    return a\n\n\n" for i in range(200))
    secret = f"KEY = '{SECRET_SOURCE}'\n"
    return write(tmp_path_factory.mktemp("tree"), {"many.py": many, "secret.py": secret})


# Options


@contextmanager
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Config]]:
    """Let servers be started without serving; yield what they are started with."""
    configs: list[Config] = []
    monkeypatch.setattr(running, "serve_stdio", configs.append)
    yield configs


@pytest.fixture(autouse=True)
def same_logging() -> Iterator[None]:
    """Put the handlers back that a server has replaced."""
    root, ours = logging.getLogger(), logging.getLogger("leadline")
    before = (root.handlers[:], root.level, ours.level)
    yield
    root.handlers, root.level = before[0], before[1]
    ours.setLevel(before[2])


def test_every_option_has_an_environment_variable_of_its_name() -> None:
    for option in serve.params:
        long = max(option.opts, key=len)
        assert option.envvar == f"LEADLINE_{long.removeprefix('--').replace('-', '_').upper()}", long
        assert getattr(option, "help", None), long


def test_options_come_from_the_environment_and_the_command_line_goes_before(
    monkeypatch: pytest.MonkeyPatch, tree: Path, tmp_path: Path
) -> None:
    environment = {
        "LEADLINE_ROOT": str(tree),
        "LEADLINE_CACHE_DIR": str(tmp_path),
        "LEADLINE_MODEL": "gpt-5",
        "LEADLINE_MAX_TOKENS": "1500",
        "LEADLINE_TURN_TOKENS": "9000",
        "LEADLINE_TOOLS": "read_file,list_files",
        "LEADLINE_STRUCTURED": "1",
        "LEADLINE_RESOURCE_LINKS": "true",
    }
    with started(monkeypatch) as configs:
        result = CliRunner().invoke(serve, ["--max-tokens", "700"], env=environment)
    assert result.exit_code == 0, result.output
    (config,) = configs
    assert (config.root, config.cache, config.model) == (tree, tmp_path, "gpt-5")
    assert (config.max_tokens, config.turn_tokens) == (700, 9_000)
    assert (config.tools, config.structured, config.links) == (("list_files", "read_file"), True, True)


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ("all", ()),
        ("core", CORE),
        (" read_file , list_files,", ("list_files", "read_file")),
        ("budget", ("budget",)),
        ("core,budget", (*CORE, "budget")),
        ("core, all", ()),
    ],
)
def test_tools_are_all_or_core_or_named(told: str, names: tuple[str, ...]) -> None:
    assert select_tools(told) == names


@pytest.mark.parametrize("told", ["read_fiel", "read_file,nothing_like_it", "", ",", "Core"])
def test_an_unknown_tool_is_told_before_anything_is_served(
    monkeypatch: pytest.MonkeyPatch, tree: Path, told: str
) -> None:
    with pytest.raises(UnknownTool):
        select_tools(told)
    with started(monkeypatch) as configs:
        result = CliRunner().invoke(serve, ["--root", str(tree), "--tools", told])
    assert result.exit_code == 2
    assert re.search(r"--tools: There is no tool .*(Did you mean|Tools: all, core, list_files)", result.output)
    assert not configs


# Tools that are offered


async def test_only_the_tools_that_are_offered_are_listed_called_and_named(opened: Open, tree: Path) -> None:
    session = opened(tree, tools=select_tools("document_symbols,read_file")).session
    async with Client(build(session), cache=None) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["read_file", "document_symbols"]
        assert client.instructions is not None
        assert "search_text" not in client.instructions
        assert "document_symbols before read_file" in client.instructions
        refused = await client.call_tool("list_files", {})
        assert refused.is_error
        answer = await client.call_tool("document_symbols", {"path": "many.py", "max_tokens": 300})
    (content,) = answer.content
    assert isinstance(content, TextContent)
    offered = re.findall(r"^next: (\w+)", content.text, re.MULTILINE)
    assert offered
    assert set(offered) <= {"document_symbols", "read_file"}


def test_instructions_are_whole_where_all_tools_are_offered() -> None:
    assert instructions(TOOLS) == INSTRUCTIONS
    core = instructions(CORE)
    assert "find_code" not in core
    assert core == re.sub(r"(A question in words|Who calls) [^:]*: \w+(, \w+)?\. ", "", INSTRUCTIONS)
    assert instructions(["search_text"]).splitlines()[1] == "Strings, comments, config: search_text."


@pytest.mark.parametrize(("tools", "most"), [("all", 2_500), ("core", 1_500)])
async def test_tools_and_instructions_cost_a_model_little(opened: Open, tree: Path, tools: str, most: int) -> None:
    async with Client(build(opened(tree, tools=select_tools(tools)).session), cache=None) as client:
        listed = (await client.list_tools()).tools
        told = [{"name": one.name, "description": one.description, "inputSchema": one.input_schema} for one in listed]
        assert client.instructions is not None
        price = count(json.dumps(told, ensure_ascii=False, separators=(",", ":"))) + count(client.instructions)
    assert 0 < price <= most


# Links


async def contents(asking: Asking, **arguments: Any) -> list[Any]:
    async with Client(build(asking.session), cache=None) as client:
        return list((await client.call_tool("document_symbols", arguments)).content)


async def test_a_link_to_the_complete_result_is_beside_an_answer_that_was_cut(opened: Open, tree: Path) -> None:
    linking = opened(tree, links=True)
    text, link = await contents(linking, path="many.py", max_tokens=200)
    assert isinstance(link, ResourceLink)
    assert f"all: {link.uri}\n" in text.text
    async with Client(build(linking.session), cache=None) as client:
        assert (await client.read_resource(link.uri)).contents
    assert len(await contents(linking, path="secret.py")) == 1


async def test_there_are_no_links_unless_they_are_wanted(opened: Open, tree: Path) -> None:
    assert len(await contents(opened(tree), path="many.py", max_tokens=200)) == 1


# Structured content


async def structured(asking: Asking, meta: Any = None, **arguments: Any) -> Any:
    """Return the text and the structured content of an answer."""
    async with Client(build(asking.session), cache=None) as client:
        result = await client.call_tool("document_symbols", arguments, meta=meta)
    return result.content[0], result.structured_content


@pytest.mark.parametrize("tokens", [60, 200, 9_000])
async def test_structured_content_is_an_answer_of_its_own_within_the_same_budget(
    opened: Open, tree: Path, tokens: int
) -> None:
    asking = opened(tree, structured=True)
    text, found = await structured(asking, path="many.py", max_tokens=tokens)
    assert text.text.startswith("document_symbols many.py")
    assert count(text.text) <= tokens
    assert count(json.dumps(found, ensure_ascii=False, separators=(",", ":"))) <= tokens
    assert (found["total"], found["returned"]) == (200, len(found["items"]))
    async with Client(build(asking.session), cache=None) as client:
        (kept,) = (await client.read_resource(f"{found['uri']}?limit=0")).contents
    whole = json.loads(getattr(kept, "text", ""))["items"]
    assert whole[: len(found["items"])] == found["items"]


async def test_an_answer_asked_for_as_json_is_the_same_in_both_forms(opened: Open, tree: Path) -> None:
    meta = {"leadline/format": "json"}
    text, found = await structured(opened(tree, structured=True), meta, path="secret.py")
    assert json.loads(text.text) == found


async def test_an_error_has_no_structured_content(opened: Open, tree: Path) -> None:
    text, found = await structured(opened(tree, structured=True), {"leadline/format": "json"}, path="no.py")
    assert text.text.startswith("error: ")
    assert found is None


async def test_there_is_no_structured_content_unless_it_is_wanted(opened: Open, tree: Path) -> None:
    assert (await structured(opened(tree), path="many.py"))[1] is None


# Logs


async def served(tree: Path, cache: Path, *options: str) -> list[str]:
    """Return what a server says on its error stream while it is asked, and what it is asked is refused or answered."""
    command = ["-m", "leadline_server", "serve", "--root", str(tree), "--cache-dir", str(cache), *options]
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    with (cache / "stderr").open("w+", encoding="utf-8") as errors:
        parameters = StdioServerParameters(command=sys.executable, args=command, env=environment)
        async with Client(stdio_client(parameters, errlog=errors), cache=None) as client:
            meta: Any = {"traceparent": f"00-{TRACE}-{SPAN}-01"}
            answer = await client.call_tool("search_text", {"query": SECRET_SOURCE}, meta=meta)
            assert SECRET_SOURCE in str(answer.content)
            await client.call_tool("symbol_search", {"query": SECRET_QUESTION})
            await client.call_tool(SECRET_QUESTION, {"symbol": SECRET_QUESTION})
        errors.seek(0)
        return errors.read().splitlines()


async def test_calls_are_logged_without_what_was_asked_or_found(tree: Path, tmp_path: Path) -> None:
    lines = await served(tree, tmp_path, "--log-level", "debug", "--log-format", "json")
    assert not [line for line in lines if SECRET_SOURCE in line or SECRET_QUESTION in line]
    calls = [record for line in lines if (record := json.loads(line))["message"] == "call"]
    told = [(call["tool"], call["error"]) for call in calls]
    assert told == [("search_text", False), ("symbol_search", False), ("unknown", True)]
    assert all(call["ms"] >= 0 and call["characters"] > 0 and call["level"] == "info" for call in calls)
    assert [call.get("trace_id") for call in calls] == [TRACE, None, None]


async def test_a_call_is_logged_as_a_sentence(opened: Open, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure("info", "text")
    await contents(opened(tree), path="secret.py")
    assert re.fullmatch(r"leadline: call tool=document_symbols error=False characters=\d+ ms=\d+\n", stream.getvalue())


async def test_nothing_is_logged_of_calls_unless_it_is_wanted(tree: Path, tmp_path: Path) -> None:
    assert await served(tree, tmp_path) == []


@pytest.mark.parametrize("form", logs.FORMATS)
def test_of_an_exception_its_type_and_place_are_logged_and_not_its_message(
    form: logs.Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure("warning", form)
    try:
        raise ValueError(SECRET_SOURCE)
    except ValueError:
        logging.getLogger("mcp.server").exception("Request failed\nbadly")
    (line,) = stream.getvalue().splitlines()
    assert "ValueError" in line
    assert f"{Path(__file__).name}:" in line
    assert SECRET_SOURCE not in line
