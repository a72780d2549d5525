"""A question about Django, answered by calls to the server over MCP; writes docs/transcript.md.

    python bench/transcript.py ROOT

ROOT is the unpacked source distribution of Django 5.2. The calls are those that a model would make; where one follows a
``next:`` line of the answer before it, its arguments are read from that line.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from leadline_estimators import count

PAGE = Path(__file__).parent.parent / "docs" / "transcript.md"
QUESTION = "How does `QuerySet.bulk_create` split batches, and who calls it?"
SERVER = ("-P", "-m", "leadline_server")
"""``leadline``, by the interpreter that runs this script; ``-P`` keeps the current folder out of its imports."""


@dataclass(frozen=True)
class Step:
    """One call.

    Args:
        why: What the model wants to know.
        tool: The tool that it calls.
        arguments: What it passes; to a call that was offered, what it adds.
        offered: Whether the call is the first one of that tool that the answer before offers.

    """

    why: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    offered: bool = False


STEPS = (
    Step("Where is it?", "symbol_search", {"query": "QuerySet.bulk_create", "max_tokens": 400}),
    Step("What does it do?", "go_to_definition", offered=True),
    Step(
        "It delegates the splitting to `_batched_insert`.",
        "go_to_definition",
        {"symbol": "QuerySet._batched_insert"},
    ),
    Step(
        "The size of a batch comes from `bulk_batch_size` of the backend. Which backends define it?",
        "symbol_search",
        {"query": "bulk_batch_size", "path": "django/db/backends"},
    ),
    Step("What is the default for all backends?", "go_to_definition", offered=True),
    Step("And SQLite?", "go_to_definition", {"symbol": "django/db/backends/sqlite3/operations.py:31"}),
    Step("And Oracle?", "go_to_definition", {"symbol": "django/db/backends/oracle/operations.py:716"}),
    Step("Who calls `bulk_create`?", "find_references", {"symbol": "QuerySet.bulk_create"}),
    Step(
        "Most calls go through managers, whose type is not known. Which of them are in Django itself?",
        "find_references",
        {"path": "django", "role": "call"},
        offered=True,
    ),
    Step(
        "How many more are there in the tests? A small budget is enough.",
        "find_references",
        {"symbol": "QuerySet.bulk_create", "tier": "name", "path": "tests", "max_tokens": 250},
    ),
    Step("What did this cost?", "budget"),
)

ANSWER = """\
`bulk_create` runs in one transaction. It separates objects that have a primary key from those that have none, and
hands each group to `_batched_insert` (`django/db/models/query.py:1859`). That method cuts the list into slices of equal
length and inserts one slice after the other. The length is the `batch_size` of the caller, but never more than
`bulk_batch_size` of the backend allows:

- by default there is no limit: all objects are one batch;
- SQLite allows `max_query_params` divided by the number of fields, and 500 objects where there is one field;
- Oracle allows `max_query_params` divided by the number of fields.

Inside Django it is called by `abulk_create`, `LogEntryManager.log_actions`, `create_permissions`, `create_contenttypes`
and, twice, by `ManyRelatedManager._add_items`. All other calls are in the tests.
"""


def main(root: Path) -> None:
    """Ask, and write the page."""
    with tempfile.TemporaryDirectory() as cache:
        options = ["--root", str(root), "--cache-dir", cache]
        subprocess.run([sys.executable, *SERVER, "index", *options], check=True, stdout=subprocess.DEVNULL)
        PAGE.write_text(anyio.run(conversation, [*options, "--model", "openai"]), encoding="utf-8")


async def conversation(options: list[str]) -> str:
    """Return the page."""
    server = StdioServerParameters(command=sys.executable, args=[*SERVER, "serve", *options], env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        return "\n".join([part async for part in parts(client)])


async def parts(client: Client) -> AsyncIterator[str]:
    """Yield the sections of the page; the running total begins with what the server says of itself."""
    tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools]
    told = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in tools]
    total = count(compact(told)) + count(client.instructions or "")
    yield introduction(total)
    answer = ""
    for number, step in enumerate(STEPS, 1):
        arguments = {**(offered(answer, step.tool) if step.offered else {}), **step.arguments}
        answer = await called(client, step.tool, arguments)
        request = compact({"name": step.tool, "arguments": arguments})
        spent = count(request) + count(answer)
        total += spent
        yield section(number, step, arguments, answer)
        yield f"This call: {spent:,} tokens. So far: {total:,} tokens.\n"
    yield f"## What the model can answer now\n\n{ANSWER}"


async def called(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Return the text of an answer."""
    result = await client.call_tool(tool, arguments)
    text = "".join(block.text for block in result.content if isinstance(block, TextContent))
    if result.is_error:
        raise RuntimeError(f"{tool}: {text}")
    return text


def offered(answer: str, tool: str) -> dict[str, Any]:
    """Return the arguments of the first call of ``tool`` that an answer offers."""
    for call, arguments in offers(answer):
        if call == tool:
            return arguments
    raise ValueError(f"no {tool} in the next: lines of\n{answer}")


def offers(answer: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the calls that the ``next:`` lines of an answer offer."""
    for line in answer.splitlines():
        if line.startswith("next: "):
            text = line.removeprefix("next: ").rpartition(" ~")[0]
            call = ast.parse(text, mode="eval").body
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                yield call.func.id, {word.arg: value(word.value) for word in call.keywords if word.arg is not None}


def value(node: ast.expr) -> Any:
    """Return what an argument of a ``next:`` line is: a string, a number, ``true`` or ``false``."""
    return node.id == "true" if isinstance(node, ast.Name) else ast.literal_eval(node)


def compact(data: object) -> str:
    """Return JSON as it is sent."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def introduction(tokens: int) -> str:
    """Return the head of the page."""
    return f"""\
# A conversation

> {QUESTION}

A model receives this question about Django 5.2. Below are the calls that it makes over MCP, and the answers as they
were sent. `bench/transcript.py` writes this page: the calls were selected by hand, the requests and answers are real.
The index was complete before the first call, and the server ran with `--model openai`. All numbers are o200k tokens.

Before the first call, the model has read the list of tools and the instructions: {tokens:,} tokens.
"""


def section(number: int, step: Step, arguments: Mapping[str, Any], answer: str) -> str:
    """Return one call of the page."""
    source = "The answer above offers this call" if step.offered else ""
    added = ", with " + " and ".join(f"`{name}`" for name in step.arguments) + " added" if step.arguments else ""
    follows = f"{source}{added}.\n\n" if source else ""
    request = json.dumps({"name": step.tool, "arguments": arguments}, ensure_ascii=False, indent=2)
    return f"""\
## {number}. `{step.tool}`

{step.why}

{follows}```json
{request}
```

```text
{answer}```
"""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python bench/transcript.py ROOT")
    main(Path(sys.argv[1]))
