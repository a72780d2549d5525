"""Long lists are counted before they are sent, pages name the next one, and every answer is about the tree as it is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from conftest import Open, write
from leadline_server.app import build

Arguments = dict[str, Any]

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One event loop for all tests here, so that they can share a connection."""
    return "asyncio"


def files(number: int, folder: str = "") -> dict[str, str]:
    """Return so many small files, of two kinds."""
    return {f"{folder}file_{i:03}.{'py' if i % 5 else 'txt'}": f"value = {i}\n" * (i + 1) for i in range(number)}


class Asked:
    """A client, and what it gets."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def __call__(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer that is no error."""
        result = await self._client.call_tool(tool, arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    async def error(self, tool: str, **arguments: object) -> str:
        result = await self._client.call_tool(tool, arguments)
        assert result.is_error, text_of(result)
        return text_of(result)

    async def items(self, tool: str, **arguments: object) -> list[Arguments]:
        """Return the items of an answer that is complete."""
        meta: Any = {"leadline/format": "json"}
        result = await self._client.call_tool(tool, {**arguments, "max_tokens": 9_000}, meta=meta)
        assert not result.is_error, text_of(result)
        answer = json.loads(text_of(result))
        assert answer["complete"] is True
        found: list[Arguments] = answer["items"]
        return found


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@asynccontextmanager
async def asking(opened: Open, root: Path) -> AsyncIterator[Asked]:
    async with Client(build(opened(root).session), cache=None, read_timeout_seconds=60) as client:
        yield Asked(client)


def offered(text: str, tool: str) -> Arguments:
    """Return the arguments of the first call of a tool that an answer offers."""
    call = re.search(rf"^next: {tool}\((.*)\) ~[\d,]+ tokens$", text, re.MULTILINE)
    assert call is not None, text
    pairs = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\w+)', call[1])
    return {name: json.loads(value) for name, value in pairs}


def header(text: str) -> str:
    """Return the first line of an answer, its numbers without commas."""
    return re.sub(r"(?<=\d),(?=\d)", "", text.partition("\n")[0])


def listed(text: str) -> list[str]:
    """Return the names of files that an answer lists."""
    return re.findall(r"^file_\d{3}\.\w+$", text, re.MULTILINE)


# Lists of files


async def test_25_files_are_counted_before_they_are_listed(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, files(15, "one/") | files(10, "two/"))
    async with asking(opened, tmp_path) as ask:
        text = await ask("list_files", recursive=True)
        assert "25 files, counted, not listed" in header(text)
        assert re.search(r"a list: ~\d+ tokens", header(text))
        assert listed(text) == []
        assert {"by directory", "one/* 15", "two/* 10", "by extension", ".py 20", ".txt 5"} <= set(text.splitlines())
        page = offered(text, "list_files")
        assert (page["recursive"], page["offset"]) == (True, 0)
        assert listed(await ask("list_files", **page)) == [*files(15), *files(10)]


async def test_15_files_are_listed(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, files(15))
    async with asking(opened, tmp_path) as ask:
        text = await ask("list_files")
        assert "15 files, complete" in header(text)
        assert listed(text) == list(files(15))


async def test_20_files_are_listed_and_21_are_counted(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, files(20))
    async with asking(opened, tmp_path) as ask:
        assert len(listed(await ask("list_files"))) == 20
        write(tmp_path, files(21))
        text = await ask("list_files")
        assert "21 files, counted, not listed" in header(text)
        assert listed(text) == []


@pytest.fixture(scope="module")
def fifty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("fifty"), files(50))


async def test_a_page_of_20_of_50_names_the_next(opened: Open, fifty: Path) -> None:
    async with asking(opened, fifty) as ask:
        text = await ask("list_files", offset=0, limit=20)
        assert "[Files 1-20 of 50]" in header(text)
        assert "complete" not in header(text)
        assert offered(text, "list_files") == {"offset": 20, "limit": 20}
        seen = listed(text)
        text = await ask("list_files", **offered(text, "list_files"))
        assert "[Files 21-40 of 50]" in header(text)
        assert offered(text, "list_files") == {"offset": 40, "limit": 20}
        seen += listed(text)
        text = await ask("list_files", **offered(text, "list_files"))
        assert "[Files 41-50 of 50], complete" in header(text)
        assert "next: list_files" not in text
        assert seen + listed(text) == list(files(50))


async def test_a_page_that_the_budget_cuts_names_what_comes_behind_it(opened: Open, fifty: Path) -> None:
    async with asking(opened, fifty) as ask:
        arguments: Arguments = {"offset": 0, "limit": 50}
        seen: list[str] = []
        while len(seen) < 50:
            text = await ask("list_files", **arguments, max_tokens=200)
            assert f"[Files {len(seen) + 1}-" in header(text)
            page = listed(text)
            assert 0 < len(page) < 50
            seen += page
            if len(seen) < 50:
                arguments = offered(text, "list_files")
                assert arguments["offset"] == len(seen)
        assert seen == list(files(50))


async def test_a_page_past_the_end_says_so_and_names_the_last(opened: Open, fifty: Path) -> None:
    async with asking(opened, fifty) as ask:
        text = await ask.error("list_files", offset=50, limit=20)
        assert "offset 50 is past the end: 50 files match" in text
        assert "list_files(offset=30, limit=20)" in text


async def test_a_limit_is_at_most_100(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, files(130))
    async with asking(opened, tmp_path) as ask:
        text = await ask("list_files", limit=1_000, max_tokens=9_000)
        assert "[Files 1-100 of 130]" in header(text)
        assert offered(text, "list_files") == {"offset": 100, "limit": 100}


# Lines of files


async def test_the_first_100_lines_of_5000_name_the_next(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"config.yaml": "".join(f"key_{i}: {i}\n" for i in range(1, 5_001))})
    async with asking(opened, tmp_path) as ask:
        text = await ask("read_file", path="config.yaml")
        assert "lines 1-100 of 5000 " in header(text)
        assert "100: key_100: 100" in text.splitlines()
        following = offered(text, "read_file")
        assert (following["path"], following["start_line"]) == ("config.yaml", 101)
        text = await ask("read_file", **following)
        assert "lines 101-200 of 5000 " in header(text)
        text = await ask("read_file", path="config.yaml", start_line=4_990)
        assert "lines 4990-5000 of 5000, complete" in header(text)
        assert "next: read_file" not in text
        text = await ask.error("read_file", path="config.yaml", start_line=5_001)
        assert "config.yaml has 5,000 lines" in text
        assert "start_line=4901" in text


async def test_at_most_1000_lines_are_read_at_once(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"rows.txt": "x\n" * 3_000})
    async with asking(opened, tmp_path) as ask:
        text = await ask("read_file", path="rows.txt", num_lines=2_000, max_tokens=9_000)
        assert "lines 1-1000 of 3000 " in header(text)
        assert offered(text, "read_file")["start_line"] == 1_001


# Counts


async def test_counts_are_exact_and_their_groups_add_up(opened: Open, tmp_path: Path) -> None:
    tree = files(40) | files(25, "pkg/") | files(7, "pkg/deep/er/") | {"empty": "", "no_end.txt": "one\ntwo"}
    write(tmp_path, tree)
    (tmp_path / "binary.dat").write_bytes(b"\0\n" * 50)
    lines = sum(len(text.splitlines()) for text in tree.values())
    expected = (len(tree) + 1, lines, sum(map(len, tree.values())) + 100)
    async with asking(opened, tmp_path) as ask:
        for by in ("extension", "language", "directory"):
            total, *groups = await ask.items("count_files", by=by)
            assert total["group"] == "total"
            assert _counted(total) == expected
            assert tuple(map(sum, zip(*map(_counted, groups), strict=True))) == expected
            assert abs(total["tokens"] - sum(group["tokens"] for group in groups)) <= len(groups)
        groups = (await ask.items("count_files"))[1:]
        suffixes = Counter(Path(path).suffix or "(no extension)" for path in (*tree, "binary.dat"))
        assert {group["group"]: group["files"] for group in groups} == suffixes
        (total, *_) = await ask.items("count_files", path="pkg", recursive=False)
        assert _counted(total)[0] == 25
        (total, *_) = await ask.items("count_files", pattern="*.txt", path="pkg")
        assert _counted(total)[0] == 5 + 2


def _counted(group: Arguments) -> tuple[int, int, int]:
    return group["files"], group["lines"], group["bytes"]


# Freshness


CONCERNED = (
    "list_files",
    "count_files",
    "read_file",
    "document_symbols",
    "search_text",
    "symbol_search",
    "go_to_definition",
    "find_references",
)
"""The tools whose answers follow from the tree; the others answer about other answers."""


@dataclass(frozen=True)
class Subject:
    """A file that defines and uses one class, and what a tool is asked about it."""

    tool: str
    path: str
    name: str

    @property
    def content(self) -> dict[str, str]:
        return {self.path: f"class {self.name}:\n    pass\n\n\nthing = {self.name}()\n"}

    @property
    def question(self) -> Arguments:
        match self.tool:
            case "list_files" | "count_files":
                return {"pattern": Path(self.path).name, "recursive": True}
            case "read_file" | "document_symbols":
                return {"path": self.path}
            case "search_text":
                return {"query": self.name, "case_sensitive": True}
            case "symbol_search":
                return {"query": self.name, "match": "exact"}
            case _:
                return {"symbol": self.name}

    @property
    def shown(self) -> str:
        """What an answer about the file shows."""
        return {
            "list_files": f"\n{self.path}\n",
            "count_files": "\ntotal: 1 file, 5 lines,",
            "read_file": f"\n1: class {self.name}:\n",
            "document_symbols": f" class {self.name}\n",
            "search_text": f"\n{self.path}\n1: class {self.name}:\n5: thing = {self.name}()\n",
            "symbol_search": f"\n{self.path}\n1 class {self.name}\n",
            "go_to_definition": f" in {self.path}:1\n1: class {self.name}:\n",
            "find_references": f"\n{self.path}\n1: class {self.name}:",
        }[self.tool]

    async def is_seen(self, ask: Asked) -> None:
        text = await ask(self.tool, **self.question)
        assert self.shown in text

    async def is_gone(self, ask: Asked) -> None:
        """The tool knows nothing of the file: it says so, or it has nothing to list."""
        if self.tool in ("list_files", "count_files", "search_text", "symbol_search"):
            text = await ask(self.tool, **self.question)
            assert re.search(r": no (files|lines|symbols)|^total: 0 files", text, re.MULTILINE), text
        else:
            text = await ask.error(self.tool, **self.question)
            assert self.path in text or self.name in text


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree that holds, for every tool, a file to change, one to remove and one to rename."""
    root = tmp_path_factory.mktemp("tree")
    for tool in CONCERNED:
        for kind in ("changed", "removed", "renamed"):
            write(root, subject(kind, tool).content)
    return root


def subject(kind: str, tool: str) -> Subject:
    return Subject(tool, f"{kind}_{tool}.py", f"{kind}_{tool}".title().replace("_", ""))


@pytest.fixture(scope="module")
async def ask(opened: Open, tree: Path) -> AsyncIterator[Asked]:
    async with asking(opened, tree) as found:
        yield found


@pytest.mark.parametrize("tool", CONCERNED)
async def test_a_changed_file_is_seen_by_the_next_call(ask: Asked, tree: Path, tool: str) -> None:
    before = subject("changed", tool)
    await before.is_seen(ask)
    after = replace(before, name=before.name.replace("Changed", "Written"))  # as many bytes as before
    write(tree, after.content)
    await after.is_seen(ask)
    if tool in ("search_text", "symbol_search", "go_to_definition", "find_references"):
        await before.is_gone(ask)


async def test_a_file_that_grew_is_counted_by_the_next_call(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"rows.txt": "x\n"})
    async with asking(opened, tmp_path) as ask:
        for lines in (1, 2, 30):
            write(tmp_path, {"rows.txt": "x\n" * lines})
            assert _counted((await ask.items("count_files"))[0]) == (1, lines, 2 * lines)


@pytest.mark.parametrize("tool", CONCERNED)
async def test_an_added_file_is_seen_by_the_next_call(ask: Asked, tree: Path, tool: str) -> None:
    added = subject("added", tool)
    await added.is_gone(ask)
    write(tree, added.content)
    await added.is_seen(ask)


@pytest.mark.parametrize("tool", CONCERNED)
async def test_a_removed_file_is_gone_at_the_next_call(ask: Asked, tree: Path, tool: str) -> None:
    removed = subject("removed", tool)
    await removed.is_seen(ask)
    (tree / removed.path).unlink()
    await removed.is_gone(ask)


@pytest.mark.parametrize("tool", CONCERNED)
async def test_a_renamed_file_is_seen_under_its_new_name_by_the_next_call(ask: Asked, tree: Path, tool: str) -> None:
    before = subject("renamed", tool)
    await before.is_seen(ask)
    after = replace(before, path=f"moved/{before.path}")
    (tree / "moved").mkdir(exist_ok=True)
    (tree / before.path).rename(tree / after.path)
    text = await ask(tool, **after.question)
    shown = {"list_files": f"\nmoved/\n{before.path}\n"}.get(tool, after.shown)
    assert shown in text
    if tool in ("read_file", "document_symbols"):
        assert after.path in await ask.error(tool, **before.question)


async def test_a_stored_result_stays_as_it_was_and_the_next_one_is_another(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, files(60))
    async with asking(opened, tmp_path) as ask:
        text = await ask("list_files", max_tokens=100)
        (tmp_path / "file_000.txt").unlink()
        after = await ask("list_files", max_tokens=100)
        uris = [re.findall(r"^all: (\S+)$", answer, re.MULTILINE)[0] for answer in (text, after)]
        assert uris[0] != uris[1]
        for uri, number in zip(uris, (60, 59), strict=True):
            page = await ask("read_result", uri=uri, max_tokens=9_000)
            assert listed(page) == list(files(60))[-number:]
