"""Keys of all issuers, in all that keys stand in, by all ways out: no more of one is shown than its beginning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
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
    yield "list_files", {"path": f"{folder}/{key}.txt/nothing"}
    yield "search_text", {"query": f"({key}", "regex": True}


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
    with Web(root, scale.folder / "keys-cache") as web:
        client = Client(web)
        for (issuer, key), place in product(issuers, ("/page/map", "/page/ledger", "/")):
            text = client.fetch(place)
            outcome.check(not shown(key, text), f"{place}: {issuer}")
        for issuer, key in issuers:
            body = {"tool": "read_file", "arguments": {"path": f"{issuer.replace(' ', '_')}/code.py"}}
            outcome.check(not shown(key, client.fetch("/page/call", body)), f"/page/call: {issuer}")
            said = client.call("search_text", query=key[:4], path=issuer.replace(" ", "_")).text
            outcome.check(not shown(key, said), f"HTTP search_text: {issuer}")
        client.close()
    outcome.figures["issuers x contexts"] = f"{len(issuers)} x {len(CONTEXTS)}"
    return outcome
