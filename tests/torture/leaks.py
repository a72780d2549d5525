"""Keys of all issuers, in all that keys stand in, by all ways out: no more of one is shown than its beginning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from keys import CONTEXTS, KEYS, shown
from torture.outcome import Outcome, Scale
from torture.trees import git
from torture.wire import Client, Lines, Web

Arguments = Mapping[str, Any]

_RESULT = "leadline://result/"


def _write(root: Path, issuer: str, key: str) -> None:
    """Write a file for each context of a key, one of Python with all, and a configuration and a folder that have it."""
    folder = root / issuer.replace(" ", "_")
    folder.mkdir(parents=True)
    for number, context in enumerate(CONTEXTS):
        (folder / f"context_{number}.txt").write_text(f"above\n{context.format(key)}\nbelow\n", encoding="utf-8")
    code = (
        f'import os\n\n\ndef made_of_{folder.name}(x="{key}"):\n    """Uses {key}."""\n    return x == None, "{key}"\n'
    )
    (folder / "code.py").write_text(f'"""{key}"""\n{code}\n\nprint(made_of_{folder.name}("{key}"))\n')
    (folder / "broken.py").write_text(f'x = ("{key}"\n')
    (folder / "ruff.toml").write_text(f'extend = "{key}"\n')
    (folder / "data.toml").write_text(f'a = "{key}\n"{key}" = 1\n')
    (folder / "data.json").write_text(f'{{"{key}": "{key}",}}\n')
    (folder / f"{key}.txt").write_text("a file with a name\n")
    _write_code(folder, key)


def _write_code(folder: Path, key: str) -> None:
    """Write Python in which a key stands in every context at a definition of each kind, and at a use."""
    held = [context.format(key) for context in CONTEXTS]
    members = "".join(f"    member_{number} = 1  # {text}\n" for number, text in enumerate(held))
    subclasses = "".join(f"class Sub_{number}(Base):  # {text}\n    pass\n" for number, text in enumerate(held))
    functions = "".join(
        f"def made_{number}(x):  # {text}\n    r'''{text}'''\n    return probe(r\"\"\"{text} \"\"\")  # {text}\n"
        for number, text in enumerate(held)
    )
    probe = f"def probe_of_{folder.name}(text):\n    return text\n\n\nprobe = probe_of_{folder.name}\n"
    uses = "".join(f"probe_of_{folder.name}(1)  # {text}\n" for text in held)
    code = f"{probe}\n\nclass Base:\n{members}\n\n{subclasses}\n\n{functions}\n\n{uses}"
    (folder / "contexts.py").write_text(code, encoding="utf-8")


def _calls_of_contexts(folder: str) -> Iterator[tuple[str, Arguments]]:
    """Yield calls whose answers show every context of a key in code, by every tool that shows lines of code."""
    path, probe = f"{folder}/contexts.py", f"probe_of_{folder}"
    large = {"max_tokens": 60_000}
    yield "document_symbols", {"path": path, "detail": "full", **large}
    yield "document_symbols", {"path": path, **large}
    yield "read_file", {"path": path, "num_lines": 1_000, **large}
    yield "search_text", {"query": "made_|member_|Sub_|probe", "regex": True, "path": path, "context": 2, **large}
    yield "find_references", {"symbol": probe, **large}
    yield "call_hierarchy", {"symbol": probe, **large}
    yield "type_members", {"symbol": f"{path}:8", **large}
    yield "find_implementations", {"symbol": f"{path}:8", **large}
    yield "rename_symbol", {"symbol": probe, "new_name": f"renamed_{folder}", **large}
    yield "symbol_search", {"query": "made_", "detail": "full", **large}
    yield "symbol_search", {"query": "member_", "detail": "full", **large}
    yield "symbol_search", {"query": "Sub_", "detail": "full", **large}
    yield "find_code", {"query": "made probe text", "path": path, **large}
    yield "apply_code_fix", {"path": path, "pattern": "probe($A)", **large}
    yield "apply_code_fix", {"path": path, "pattern": "probe($A)", "rewrite": "other($A)", "fix": "all", **large}
    yield "repo_map", {"path": folder, **large}
    for number in range(len(CONTEXTS)):
        yield "go_to_definition", {"symbol": f"{path}:made_{number}"}
        yield "go_to_definition", {"symbol": f"{folder}.contexts.Base.member_{number}"}


def _calls(issuer: str, key: str) -> Iterator[tuple[str, Arguments]]:
    """Yield calls of every tool that may show a key, those that are errors too."""
    folder = issuer.replace(" ", "_")
    half = key[: len(key) // 2]
    for number in range(len(CONTEXTS)):
        yield "read_file", {"path": f"{folder}/context_{number}.txt"}
    yield "search_text", {"query": "above|below|made_of", "regex": True, "path": folder, "context": 3}
    yield "search_text", {"query": key[:4], "path": folder, "max_tokens": 9_000}
    yield "search_text", {"query": half, "path": folder}
    for path in ("code.py", "broken.py", "data.toml", "data.json", "ruff.toml"):
        yield "read_file", {"path": f"{folder}/{path}"}
        yield "document_symbols", {"path": f"{folder}/{path}", "detail": "full"}
        yield "apply_code_fix", {"path": f"{folder}/{path}"}
    yield "apply_code_fix", {"path": f"{folder}/code.py", "fix": "all"}
    yield "apply_code_fix", {"path": folder, "pattern": '"$A"', "rewrite": "'$A'"}
    symbol = f"made_of_{folder}"
    for tool in ("go_to_definition", "find_references", "call_hierarchy", "type_members", "find_implementations"):
        yield tool, {"symbol": symbol}
        yield tool, {"symbol": f"{folder}/code.py:7"}
    yield "rename_symbol", {"symbol": symbol, "new_name": "renamed_here"}
    yield "symbol_search", {"query": symbol, "detail": "full"}
    yield "find_code", {"query": f"made of {issuer} key"}
    yield "list_files", {"path": folder}
    yield "count_files", {"path": folder}
    yield "repo_map", {"path": folder}
    yield from _calls_of_contexts(folder)
    yield from _errors(folder, key)


def _errors(folder: str, key: str) -> Iterator[tuple[str, Arguments]]:
    """Yield calls whose errors repeat what they were given: a key, in every context."""
    yield "list_files", {"path": f"{folder}/{key}.txt/nothing"}
    for context in CONTEXTS:
        text = context.format(key)
        yield "read_file", {"path": text}
        yield "search_text", {"query": f"({text}", "regex": True}
        yield "go_to_definition", {"symbol": text}
        yield "read_result", {"uri": text}
        yield "apply_code_fix", {"path": folder, "fix": text}
        yield "rename_symbol", {"symbol": f"made_of_{folder}", "new_name": text}
        yield "find_references", {"symbol": f"made_of_{folder}", "role": text}
        yield text, {}


def keys_everywhere(scale: Scale) -> Outcome:
    """Read every key in every context, and ask every tool, over stdio, HTTP and the page."""
    outcome = Outcome()
    root = scale.place("keys")
    issuers = list(KEYS.items())[:: scale.many(1, 6)]
    for issuer, key in issuers:
        _write(root, issuer, key)
    git(root, "init", "-q")
    (root / ".gitignore").write_text("*.ignored\n")
    with Lines(root, scale.folder / "keys-cache") as server:
        for issuer, key in issuers:
            _ask_over_stdio(server, issuer, key, outcome)
    with Web(root, scale.folder / "keys-cache") as web:
        client = Client(web)
        for place in ("/", "/page/about", "/page/state", "/page/map", "/page/ledger"):
            text = client.fetch(place)
            for issuer, key in issuers:
                outcome.check(not shown(key, text), f"{place}: {issuer}")
        for issuer, key in issuers:
            _ask_page(client, issuer, key, outcome)
        client.close()
    outcome.figures["issuers x contexts"] = f"{len(issuers)} x {len(CONTEXTS)}"
    return outcome


def _ask_over_stdio(server: Lines, issuer: str, key: str, outcome: Outcome) -> None:
    """Ask every tool about a key, read what is stored, and complete a name."""
    for tool, arguments in _calls(issuer, key):
        said = server.call(tool, 60, **arguments).text
        outcome.check(not shown(key, said), f"{tool} {arguments}: {issuer}")
        for uri in {line.split()[1] for line in said.splitlines() if line.startswith(f"all: {_RESULT}")}:
            stored = json.dumps(server.request("resources/read", {"uri": uri}, 60), ensure_ascii=False)
            outcome.check(not shown(key, stored), f"{tool} stored: {issuer}")
    reference = {"type": "ref/prompt", "name": "explore"}
    asked = {"ref": reference, "argument": {"name": "path", "value": issuer.replace(" ", "_")}}
    completed = json.dumps(server.request("completion/complete", asked, 60))
    outcome.check(not shown(key, completed), f"completion: {issuer}")


def _ask_page(client: Client, issuer: str, key: str, outcome: Outcome) -> None:
    """Ask the page about a key by all that it answers, and one tool over MCP."""
    folder = issuer.replace(" ", "_")
    path = f"{folder}/contexts.py"
    for place in (f"/page/map?path={folder}", f"/page/highlights?path={path}&first=1&last=400"):
        outcome.check(not shown(key, client.fetch(place)), f"{place}: {issuer}")
    for tool, arguments in (*_calls_of_contexts(folder), *_errors(folder, key)):
        text = client.fetch("/page/call", {"tool": tool, "arguments": dict(arguments)})
        outcome.check(not shown(key, text), f"/page/call {tool} {arguments}: {issuer}")
        found = re.search(rf"{_RESULT}\w+", text)
        for place in ("preview", "items") if found is not None else ():
            text = client.fetch(f"/page/{place}?uri={found[0] if found else ''}&max_tokens=9000&offset=0")
            outcome.check(not shown(key, text), f"/page/{place} of {tool}: {issuer}")
    said = client.call("search_text", query=key[:4], path=folder).text
    outcome.check(not shown(key, said), f"HTTP search_text: {issuer}")
