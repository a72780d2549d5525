"""Whatever is asked wrongly gets one short error that names what is wrong and what to call; the server goes on."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from conftest import Open, write
from leadline_estimators import count
from leadline_server.app import build
from leadline_server.call import Session
from leadline_tools.tool import TOOLS, Takes, Tool
from torture.wire import PATIENCE

LARGEST_ERROR = 150
"""O200k tokens of an error."""

SOURCES = os.pathsep.join(str(Path(__file__).parents[1] / part) for part in ("server", "tools", "estimators"))
DEADLINE = 20.0 * PATIENCE

Arguments = Mapping[str, object]

pytestmark = pytest.mark.anyio


# Trees, clients, answers

CODE = {
    "a.py": "class Basket:\n    def total(self):\n        return 1\n\n\nBasket().total()\n",
    "pkg/b.py": "from a import Basket\n\nbasket = Basket()\n",
    "rows.txt": "a" * 30_000 + "!\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with a little of everything, beside one that has its name in its own."""
    root = write(tmp_path_factory.mktemp("code") / "root", CODE)
    (root / "binary.dat").write_bytes(b"\0\1\2" * 100)
    write(root.with_name("root-evil"), {"secret.py": "SECRET = 1\n"})
    return root


@pytest.fixture(scope="module")
def session(opened: Open, root: Path) -> Session:
    return opened(root).session


@pytest.fixture
async def client(session: Session) -> AsyncIterator[Client]:
    async with in_memory(session) as found:
        yield found


def in_memory(session: Session) -> Client:
    return Client(build(session), cache=None, read_timeout_seconds=DEADLINE)


def over_stdio(root: Path, cache: Path) -> Client:
    """Return a client that starts a server of its own."""
    where = ["--root", str(root), "--cache-dir", str(cache), "--model", "openai"]
    arguments = ["-m", "leadline_server", "serve", *where]
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    return Client(server, cache=None, read_timeout_seconds=DEADLINE)


def text_of(result: CallToolResult) -> str:
    """Return the text of a result, every line of which can be shown to anybody."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    text = content.text
    assert text.endswith("\n")
    assert [line for line in text.removesuffix("\n").split("\n") if not line.replace("\t", " ").isprintable()] == []
    return text


async def answer(client: Client, tool: str, arguments: Arguments) -> str:
    result = await client.call_tool(tool, dict(arguments))
    text = text_of(result)
    assert not result.is_error, text
    return text


async def error(client: Client, tool: str, arguments: Arguments) -> str:
    """Return the error that a call gets: one short line, in our own words."""
    result = await client.call_tool(tool, dict(arguments))
    text = text_of(result)
    assert result.is_error, text
    assert_one_short_line(text)
    return text


def assert_one_short_line(text: str) -> None:
    assert text.startswith("error: ")
    assert text.count("\n") == 1
    assert count(text) <= LARGEST_ERROR


FOREIGN = re.compile(r"Traceback|pydantic|errors\.|https?://(?!elsewhere)|\(\?m\)|(?<!\.)\.\.(\s|$)")
"""What an error in our own words does not hold: parts of other programs' messages and of our own patterns."""


async def assert_goes_on(client: Client) -> None:
    assert "a.py" in await answer(client, "list_files", {"pattern": "a.py"})


# Calls that are wrong in one way


@dataclass(frozen=True)
class Bad:
    """A bad call, what its error names, and what it says to do instead."""

    tool: str
    arguments: Arguments
    wrong: str
    instead: str
    also: tuple[str, ...] = field(default=())


LONG = "x" * 100_000
LONGER_THAN_USE = "x" * 5_000
"""What a tool refuses that gets it: more than 10,000 characters no tool gets."""
GONE = "leadline://result/aaaaaaaa"

BAD = {
    "unknown tool": Bad("read_fiel", {"path": "a.py"}, "'read_fiel'", "read_file"),
    "tool that is like none": Bad("xyz", {}, "'xyz'", "list_files"),
    "unknown argument": Bad("read_file", {"path": "a.py", "star_line": 1}, "star_line", "start_line"),
    "argument that is like none": Bad("read_file", {"path": "a.py", "zzz": 1}, "zzz", "num_lines"),
    "missing path": Bad("read_file", {}, "path", "read_file(path="),
    "missing symbol": Bad("find_references", {"role": "call"}, "symbol", "find_references(symbol="),
    "number for text": Bad("read_file", {"path": 5}, "path: 5", "string"),
    "null for text": Bad("read_file", {"path": None}, "path: null", "string"),
    "list for text": Bad("search_text", {"query": ["a"]}, 'query: ["a"]', "string"),
    "object for text": Bad("symbol_search", {"query": {"a": 1}}, 'query: {"a": 1}', "string"),
    "text for number": Bad("read_file", {"path": "a.py", "start_line": "first"}, 'start_line: "first"', "integer"),
    "fraction for number": Bad("read_file", {"path": "a.py", "start_line": 1.5}, "start_line: 1.5", "integer"),
    "text for truth": Bad("list_files", {"recursive": "perhaps"}, 'recursive: "perhaps"', "boolean"),
    "unknown grouping": Bad("count_files", {"by": "size"}, 'by: "size"', "extension", ("language", "directory")),
    "unknown match": Bad("symbol_search", {"query": "a", "match": "like"}, 'match: "like"', "substring"),
    "unknown detail": Bad("symbol_search", {"query": "a", "detail": "much"}, 'detail: "much"', "lean"),
    "unknown kind": Bad("symbol_search", {"query": "a", "kind": "Klass"}, "kind: 'Klass'", "Class"),
    "unknown role": Bad("find_references", {"symbol": "Basket", "role": "eat"}, "role: 'eat'", "call"),
    "unknown tier": Bad("find_references", {"symbol": "Basket", "tier": "sure"}, 'tier: "sure"', "likely"),
    "unknown format": Bad("read_result", {"uri": GONE, "format": "xml"}, 'format: "xml"', "json"),
    "empty query": Bad("search_text", {"query": ""}, "query", "text to look for"),
    "empty name": Bad("symbol_search", {"query": ""}, "query", "name"),
    "misspelled file": Bad("read_file", {"path": "a.pyy"}, "'a.pyy'", "a.py"),
    "file of another folder": Bad("read_file", {"path": "b.py"}, "'b.py'", "pkg/b.py"),
    "misspelled folder of a file": Bad("document_symbols", {"path": "pgk/b.py"}, "'pgk/b.py'", "pkg/b.py"),
    "misspelled folder": Bad("list_files", {"path": "pgk"}, "'pgk'", "pkg"),
    "folder that is like none": Bad("count_files", {"path": "zzzzzz"}, "'zzzzzz'", "list_files"),
    "scope that is like none": Bad("search_text", {"query": "a", "path": "zzzzzz"}, "'zzzzzz'", "list_files"),
    "file below a file": Bad("read_file", {"path": "a.py/b.py"}, "'a.py/b.py'", "b.py"),
    "long path": Bad("read_file", {"path": LONG}, "more than 4,096", "shorter"),
    "long folder": Bad("list_files", {"path": LONG}, "more than 10,000", "shorter"),
    "long name": Bad("count_files", {"path": "x" * 300}, "There is no file", "list_files"),
    "long scope": Bad("search_text", {"query": "a", "path": f"{LONGER_THAN_USE}*"}, "5,001 characters", "1,000"),
    "long symbol": Bad("go_to_definition", {"symbol": LONG}, "more than 1,000", "Give a name or path:line"),
    "misspelled symbol": Bad("go_to_definition", {"symbol": "Baskett"}, "'Baskett'", "basket"),
    "misspelled member": Bad("find_references", {"symbol": "Basket.totl"}, "'Basket.totl'", "total"),
    "symbol that is like none": Bad("find_references", {"symbol": "Zyxwv"}, "'Zyxwv'", "Call symbol_search"),
    "symbol without a name": Bad("go_to_definition", {"symbol": ""}, "symbol", "Call "),
    "place past the end": Bad("go_to_definition", {"symbol": "a.py:4000"}, "'a.py:4000'", "Call "),
    "unknown result": Bad("read_result", {"uri": GONE}, f"'{GONE}'", "Call "),
    "other scheme": Bad("read_result", {"uri": "http://elsewhere/"}, "'http://elsewhere/'", "leadline://result/"),
    "no URI": Bad("read_result", {"uri": ""}, "''", "is not the URI of a result", ("leadline://result/",)),
    "pattern that is no code": Bad("apply_code_fix", {"pattern": "((("}, "'((('", "does not parse as"),
    "file that shares an ending": Bad("read_file", {"path": "nope.py"}, "'nope.py'", "list_files"),
    "bad expression": Bad("search_text", {"query": "(", "regex": True}, "'('", "RE2"),
    "look-ahead": Bad("search_text", {"query": "a(?=b)", "regex": True}, "'a(?=b)'", "no look-around"),
    "back-reference": Bad("search_text", {"query": r"(a)\1", "regex": True}, r"\1", "no back-references"),
    "bad expression for paths": Bad("list_files", {"pattern": "*", "regex": True}, "'*'", "RE2"),
    "bad glob": Bad("list_files", {"pattern": "[a"}, "'[a'", "]"),
    "bad glob for counting": Bad("count_files", {"pattern": "pkg/[a"}, "'pkg/[a'", "]"),
    "bad glob as a scope": Bad("search_text", {"query": "a", "path": "[a"}, "'[a'", "]"),
    "long expression": Bad("search_text", {"query": LONGER_THAN_USE, "regex": True}, "5,000 characters", "1,000"),
    "long text": Bad("search_text", {"query": LONGER_THAN_USE}, "5,000 characters", "1,000"),
    "long glob": Bad("list_files", {"pattern": LONGER_THAN_USE}, "5,000 characters", "1,000"),
    "long expression for paths": Bad(
        "count_files", {"pattern": LONGER_THAN_USE, "regex": True}, "5,000 characters", "1,000"
    ),
    "budget in words": Bad("list_files", {"max_tokens": "many"}, "max_tokens: 'many'", "2000"),
    "budget that is no number": Bad("list_files", {"max_tokens": "NaN"}, "max_tokens: 'NaN'", "2000"),
    "budget without end": Bad("list_files", {"max_tokens": "inf"}, "max_tokens: 'inf'", "2000"),
    "budget of 400 digits": Bad("list_files", {"max_tokens": 10**400}, "max_tokens: '1000", "2000"),
    "budget that is a truth": Bad("list_files", {"max_tokens": True}, "max_tokens: 'True'", "2000"),
    "budget that is a list": Bad("list_files", {"max_tokens": [100]}, "max_tokens: '[100]'", "2000"),
    "binary file": Bad("read_file", {"path": "binary.dat"}, "'binary.dat' is a binary file", "text files"),
    "outline of a binary file": Bad("document_symbols", {"path": "binary.dat"}, "'binary.dat'", "text files"),
    "outline of plain text": Bad("document_symbols", {"path": "rows.txt"}, "'rows.txt'", "read_file"),
    "folder for a file": Bad("read_file", {"path": "pkg"}, "'pkg' is a folder", "list_files"),
    "root for a file": Bad("read_file", {"path": "."}, "'.' is a folder", "list_files"),
    "outline of a folder": Bad("document_symbols", {"path": "pkg"}, "'pkg' is a folder", "list_files"),
    "page past the end": Bad("list_files", {"offset": 100}, "offset 100", "list_files("),
    "line past the end": Bad("read_file", {"path": "a.py", "start_line": 99}, "line 99", "start_line=1"),
    "line of 30 digits": Bad("read_file", {"path": "a.py", "start_line": 10**30}, "past the end", "start_line=1"),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_a_bad_call_gets_one_short_error_that_says_what_to_do(client: Client, bad: Bad) -> None:
    text = await error(client, bad.tool, bad.arguments)
    assert bad.wrong in text
    rest = text.replace(bad.wrong, "", 1).casefold()
    for instead in (bad.instead, *bad.also):
        assert instead.casefold() in rest
    assert FOREIGN.search(text) is None, text
    await assert_goes_on(client)


CALL = re.compile(r"\bCall (\w+)\((.*)\)[.:]")


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_the_call_that_an_error_offers_can_be_sent(client: Client, bad: Bad) -> None:
    text = await error(client, bad.tool, bad.arguments)
    offered = CALL.search(text)
    if offered is not None and "..." not in offered[2]:
        arguments = dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\w+)', offered[2]))
        await answer(client, offered[1], {name: json.loads(value) for name, value in arguments.items()})
    assert text.startswith("error: ")


async def test_a_file_where_a_folder_is_meant_is_a_scope_of_one_file(client: Client) -> None:
    assert "1 file" in await answer(client, "list_files", {"path": "a.py"})
    assert "total: 1 file," in await answer(client, "count_files", {"path": "a.py"})


async def test_an_enormous_budget_is_the_largest_that_clients_show(client: Client) -> None:
    text = await answer(client, "search_text", {"query": "a", "max_tokens": 10**30})
    assert "of 9,000 tokens" in text.splitlines()[0]
    assert count(text) <= 9_000


async def test_a_nested_repetition_is_answered_within_two_seconds(client: Client) -> None:
    for query in ("(a+)+$", "(a|aa)+$", "(.*)*x"):
        with anyio.fail_after(2):
            assert "no lines" in await answer(client, "search_text", {"query": query, "regex": True})


# Every parameter of every tool


ADDRESSES = (Takes.Symbol, Takes.Type, Takes.Callable)
EXAMPLES = {**dict.fromkeys(Takes, "a.py"), **dict.fromkeys(ADDRESSES, "Basket"), Takes.Folder: "."}


def parameters(kind: str) -> list[tuple[str, str]]:
    """Return the parameters of a JSON type, of all tools, apart from those that take one of a few values."""
    return [
        (tool.name, name)
        for tool in TOOLS.values()
        for name, schema in tool.arguments.model_json_schema()["properties"].items()
        if schema.get("type") == kind and "enum" not in schema
    ]


def paths(*kinds: Takes) -> list[tuple[str, str]]:
    """Return the parameters that take something of these kinds, of all tools."""
    return [(tool.name, name) for tool in TOOLS.values() for name, takes in tool.takes.items() if takes in kinds]


def valid(tool: Tool, uri: str = GONE) -> dict[str, object]:
    """Return arguments that the tool needs."""
    known = {"uri": uri, "new_name": "Bag", **{name: EXAMPLES[takes] for name, takes in tool.takes.items()}}
    needed = ("symbol", "new_name") if tool.name == "rename_symbol" else tool.required  # undo takes neither
    return {name: known.get(name, "Basket") for name in needed}


@pytest.fixture
async def uri(client: Client) -> str:
    """The URI of a stored result."""
    meta: Any = {"leadline/store": True}
    stored = (await client.call_tool("list_files", {"recursive": True}, meta=meta)).meta
    assert stored is not None
    return str(stored["leadline/uri"])


@pytest.mark.parametrize("name", TOOLS)
async def test_no_parameter_takes_an_object(client: Client, uri: str, name: str) -> None:
    tool = TOOLS[name]
    for parameter in (*tool.arguments.model_fields, "max_tokens"):
        text = await error(client, name, {**valid(tool, uri), parameter: {"a": [1]}})
        assert text.startswith(f"error: {parameter}: ")


@pytest.mark.parametrize("name", TOOLS)
async def test_every_parameter_that_is_needed_is_asked_for(client: Client, name: str) -> None:
    tool = TOOLS[name]
    for parameter in tool.required:
        given = {other: value for other, value in valid(tool).items() if other != parameter}
        text = await error(client, name, given)
        assert text.startswith(f"error: {parameter}: ")
        assert f"{name}({parameter}=" in text
    await assert_goes_on(client)


@pytest.mark.parametrize("name", TOOLS)
async def test_no_tool_takes_what_it_does_not_know(client: Client, name: str) -> None:
    text = await error(client, name, {**valid(TOOLS[name]), "max_token": 100})
    assert text.startswith("error: max_token: ")
    assert "max_tokens" in text


@pytest.mark.parametrize(("name", "parameter"), parameters("integer"))
async def test_no_number_is_negative(client: Client, uri: str, name: str, parameter: str) -> None:
    text = await error(client, name, {**valid(TOOLS[name], uri), parameter: -1})
    assert parameter in text
    await assert_goes_on(client)


@pytest.mark.parametrize(("name", "parameter"), parameters("integer"))
async def test_a_truth_is_no_number(client: Client, uri: str, name: str, parameter: str) -> None:
    text = await error(client, name, {**valid(TOOLS[name], uri), parameter: True})
    assert text.startswith(f"error: {parameter}: ")


@pytest.mark.parametrize(("name", "parameter"), parameters("string"))
async def test_lone_surrogates_are_text_that_is_nowhere(client: Client, name: str, parameter: str) -> None:
    for regex in (False, True):
        arguments = {**valid(TOOLS[name]), parameter: "Basket\ud800\udcff"}
        if regex and "regex" in TOOLS[name].arguments.model_fields:
            arguments["regex"] = True
        result = await client.call_tool(name, arguments)
        text = text_of(result)
        assert count(text) <= LARGEST_ERROR
        if result.is_error:
            assert_one_short_line(text)
    await assert_goes_on(client)


async def test_15_mb_of_argument_get_a_short_error_at_once(root: Path, tmp_path: Path) -> None:
    huge = "y" * 15_000_000
    failed = []
    async with over_stdio(root, tmp_path) as client:
        for name, parameter in parameters("string"):
            started = time.monotonic()
            try:
                await error(client, name, {**valid(TOOLS[name]), parameter: huge})
            except (AssertionError, MCPError) as problem:
                failed.append((name, parameter, str(problem)[:200]))
            if time.monotonic() - started > DEADLINE / 2:
                failed.append((name, parameter, "takes too long"))
                break
        assert failed == []
        await assert_goes_on(client)


# Paths that lead out

OUTSIDE = ("..", "../root-evil/secret.py", "pkg/../../root-evil/secret.py", "/etc/passwd", "/", "a.py\0", "\0")


@pytest.mark.parametrize(("name", "parameter"), paths(*Takes))
async def test_no_path_leads_out_of_the_root(client: Client, root: Path, name: str, parameter: str) -> None:
    sibling = f"{root}-evil/secret.py"
    ending = ":1" if TOOLS[name].takes[parameter] in ADDRESSES else ""
    for path in (*OUTSIDE, sibling):
        text = await error(client, name, {**valid(TOOLS[name]), parameter: path + ending})
        assert repr(path)[1:-1] in text
        assert "SECRET" not in text
        assert "not a path inside the root" in text or ending
    await assert_goes_on(client)


# Trees that are odd

ODD = {
    b"new\nline.py": r"new\x0aline.py",
    b"escape\x1b[31m.py": r"escape\x1b[31m.py",
    "bidi\u202egnp.py".encode(): r"bidi\u202egnp.py",
    "line\u2028separator.py".encode(): r"line\u2028separator.py",
    b"bytes\xff\xfe.py": r"bytes\xff\xfe.py",
    b'quote".py': 'quote".py',
    b"-option.py": "-option.py",
}
"""File names, and how they are shown."""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of files with odd names, each with the same function."""
    root = write(tmp_path_factory.mktemp("odd"), {"a.py": "plain = 1\n"})
    for name in ODD:
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_text("def needle():\n    return needle()\n")
    return root


@pytest.fixture(scope="module")
def odd_session(opened: Open, odd: Path) -> Session:
    return opened(odd).session


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_files", {}),
        ("search_text", {"query": "needle"}),
        ("symbol_search", {"query": "needle"}),
        ("find_references", {"symbol": "needle", "tier": "exact"}),
    ],
)
async def test_odd_names_are_shown_on_a_line_each(odd_session: Session, tool: str, arguments: Arguments) -> None:
    async with in_memory(odd_session) as client:
        lines = (await answer(client, tool, arguments)).splitlines()
    paths = [line.rpartition(": ")[2] for line in lines]
    assert sorted({path for path in paths if path in ODD.values()}) == sorted(ODD.values())


async def test_a_definition_in_a_file_with_an_odd_name_is_headed_by_its_place(odd_session: Session) -> None:
    async with in_memory(odd_session) as client:
        lines = (await answer(client, "go_to_definition", {"symbol": "needle"})).splitlines()
    headings = [line.rpartition(" ")[2] for line in lines if line.startswith("Function ")]
    assert sorted(headings) == sorted(f"{path}:1" for path in ODD.values())


@pytest.mark.parametrize("shown", ODD.values())
async def test_a_file_is_read_by_the_name_that_is_shown(odd_session: Session, shown: str) -> None:
    async with in_memory(odd_session) as client:
        text = await answer(client, "read_file", {"path": shown})
    assert shown in text.splitlines()[0]
    assert "1: def needle():" in text


async def test_a_server_over_stdio_survives_odd_names(odd: Path, tmp_path: Path) -> None:
    meta: Any = {"leadline/store": True, "leadline/format": "json"}
    async with over_stdio(odd, tmp_path) as client:
        for tool in ("list_files", "search_text", "symbol_search", "count_files"):
            arguments = {**({} if tool.endswith("files") else {"query": "needle"}), "max_tokens": 9_000}
            assert len(await answer(client, tool, arguments)) > 0
            result = await client.call_tool(tool, arguments, meta=meta)
            assert json.loads(text_of(result))["complete"] is True
        await error(client, "read_file", {"path": "needle\x1b[31m.py"})
        await assert_goes_on(client)


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with links that lead out of it, and a pipe that nobody writes to."""
    base = tmp_path_factory.mktemp("trapped")
    write(base / "outside", {"secret.py": "SECRET = 1\n", "deep/secret.py": "SECRET = 2\n"})
    root = write(base / "root", {"a.py": "plain = 1\n"})
    (root / "link.py").symlink_to(base / "outside" / "secret.py")
    (root / "relative.py").symlink_to("../outside/secret.py")
    (root / "folder").symlink_to(base / "outside")
    (root / "loop.py").symlink_to("loop.py")
    os.mkfifo(root / "pipe.py")
    return root


@pytest.fixture(scope="module")
def trapped_session(opened: Open, trapped: Path) -> Session:
    return opened(trapped).session


@pytest.fixture
async def in_trap(trapped_session: Session) -> AsyncIterator[Client]:
    async with in_memory(trapped_session) as found:
        yield found


@pytest.mark.parametrize("path", ["link.py", "relative.py", "folder", "folder/deep", "folder/secret.py", "loop.py"])
@pytest.mark.parametrize(("name", "parameter"), paths(*set(Takes) - {Takes.Symbol}))
async def test_no_link_leads_out_of_the_root(in_trap: Client, name: str, parameter: str, path: str) -> None:
    text = await error(in_trap, name, {**valid(TOOLS[name]), parameter: path})
    assert "SECRET" not in text
    await assert_goes_on(in_trap)


@pytest.mark.parametrize("name", ["read_file", "document_symbols"])
async def test_a_pipe_is_named_and_never_waited_for(in_trap: Client, name: str) -> None:
    with anyio.fail_after(2):
        text = await error(in_trap, name, {"path": "pipe.py"})
    assert "'pipe.py' is a named pipe" in text
    assert "list_files" in text


async def test_what_is_behind_links_and_pipes_is_neither_listed_nor_found(in_trap: Client) -> None:
    with anyio.fail_after(5):
        listed = await answer(in_trap, "list_files", {"recursive": True})
        assert re.search(r": 1 files?, complete", listed)
        assert re.search(r"^not listed: folder \(symbolic link out of the tree\) and 4 more$", listed, re.MULTILINE)
        assert "no lines" in await answer(in_trap, "search_text", {"query": "SECRET"})
        assert "no symbols" in await answer(in_trap, "symbol_search", {"query": "SECRET", "match": "exact"})


@pytest.mark.parametrize("name", TOOLS)
async def test_an_empty_repository_has_an_answer_or_a_short_error_for_every_tool(
    opened: Open, tmp_path: Path, name: str
) -> None:
    async with in_memory(opened(tmp_path).session) as client:
        result = await client.call_tool(name, valid(TOOLS[name]))
        text = text_of(result)
        if result.is_error:
            assert_one_short_line(text)
        assert count(text) <= LARGEST_ERROR
        write(tmp_path, {"a.py": "plain = 1\n"})
        await assert_goes_on(client)


async def test_a_repository_of_one_file_has_an_answer_from_every_tool(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": CODE["a.py"]})
    meta: Any = {"leadline/store": True}
    async with in_memory(opened(tmp_path).session) as client:
        stored = (await client.call_tool("list_files", {}, meta=meta)).meta
        assert stored is not None
        for tool in TOOLS.values():
            text = await answer(client, tool.name, valid(tool, str(stored["leadline/uri"])))
            assert count(text) <= 300


# Results


async def test_a_page_past_the_end_of_a_result_names_the_first(client: Client, uri: str) -> None:
    text = await error(client, "read_result", {"uri": uri, "offset": 1_000})
    assert "offset 1,000 is past the end: 4 items" in text
    assert f'read_result(uri="{uri}", offset=0)' in text


async def test_an_expired_result_names_the_call_that_makes_it_anew(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = {"query": "Basket", "word": True, "path": "pkg", "context": 1}
    meta: Any = {"leadline/store": True}
    stored = (await client.call_tool("search_text", question, meta=meta)).meta
    assert stored is not None
    uri = str(stored["leadline/uri"])
    assert "pkg/b.py" in await answer(client, "read_result", {"uri": uri})
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 25 * 3600)
    text = await error(client, "read_result", {"uri": uri})
    assert uri in text
    assert "expired" in text
    for part in ("search_text(", 'query="Basket"', "word=true", 'path="pkg"', "context=1"):
        assert part in text
    again = (await client.call_tool("search_text", question, meta=meta)).meta
    assert again is not None
    assert again["leadline/uri"] == uri
    assert "pkg/b.py" in await answer(client, "read_result", {"uri": uri})


async def test_a_fault_of_our_own_is_told_as_one_and_the_server_goes_on(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(Session, "_answer", lambda _self, _request: 1 // 0)
        text = await error(client, "list_files", {})
    assert "list_files failed with an internal error (ZeroDivisionError): a bug in Leadline" in text
    assert any(record.exc_info for record in caplog.records)
    assert await answer(client, "list_files", {})
