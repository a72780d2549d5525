"""Keys of all issuers, in all that keys stand in, by all ways out: no more of one is shown than its beginning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from keys import BEGINNINGS, CONTEXTS, KEYS, shown, shows_secret_part
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


def _calls_of_contexts(folder: str, step: int) -> Iterator[tuple[str, Arguments]]:
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
    for number in range(0, len(CONTEXTS), step):
        yield "go_to_definition", {"symbol": f"{path}:made_{number}"}
        yield "go_to_definition", {"symbol": f"{folder}.contexts.Base.member_{number}"}


def _calls(issuer: str, key: str, step: int) -> Iterator[tuple[str, Arguments]]:
    """Yield calls of every tool that may show a key, those that are errors too."""
    folder = issuer.replace(" ", "_")
    half = key[: len(key) // 2]
    for number in range(0, len(CONTEXTS), step):
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
    yield from _calls_of_contexts(folder, step)
    yield from _quotations(folder, key, step)


def _quotations(folder: str, key: str, step: int) -> Iterator[tuple[str, Arguments]]:
    """Yield calls whose answers and errors repeat what they were given: a key, in every ``step``-th context."""
    yield "list_files", {"path": f"{folder}/{key}.txt/nothing"}
    for context in CONTEXTS[::step]:
        text = context.format(key)
        yield "read_file", {"path": text}
        yield "search_text", {"query": f"({text}", "regex": True}
        yield "go_to_definition", {"symbol": text}
        yield "read_result", {"uri": text}
        yield "apply_code_fix", {"path": folder, "fix": text}
        yield "rename_symbol", {"symbol": f"made_of_{folder}", "new_name": text}
        yield "find_references", {"symbol": f"made_of_{folder}", "role": text}
        yield text, {}
        yield "search_text", {"query": text, "path": folder}
        yield "symbol_search", {"query": text}
        yield "find_code", {"query": f"where {text} is used"}
        yield "list_files", {"pattern": text}
        yield "list_files", {"changed_since": text}
        yield "repo_map", {"focus": text}
        yield "count_files", {"path": f"{'x ' * 30}{text}"}


def _is_leaked(issuer: str, text: str, asked: Arguments = {}) -> bool:  # noqa: B006  nothing changes it
    """Return whether a text shows more of a key than its kind, or what its caller wrote."""
    key = KEYS[issuer]
    told = key[: len(BEGINNINGS[issuer]) + 1] in json.dumps(asked)
    return shown(key, text) if told else shows_secret_part(issuer, text)


def keys_everywhere(scale: Scale) -> Outcome:
    """Ask every tool about keys in files that have every context, and about some of the contexts one by one."""
    return ask_about_keys(scale, scale.many(8, 20))


def ask_about_keys(scale: Scale, step: int) -> Outcome:
    """Ask every tool about keys of all issuers in every ``step``-th context, over stdio, HTTP and the page.

    Lines of code that have a key in every context are in the answers besides. In a short run there are few issuers.
    """
    outcome = Outcome()
    root = scale.place("keys")
    issuers = list(KEYS.items())[:: scale.many(1, 6)]
    for issuer, key in issuers:
        _write(root, issuer, key)
    git(root, "init", "-q")
    (root / ".gitignore").write_text("*.ignored\n")
    log = scale.folder / "keys-log"
    with Lines(root, scale.folder / "keys-cache", "--log-level", "info", log=log) as server:
        asked: set[str] = set()
        for issuer, key in issuers:
            asked = _ask_over_stdio(server, issuer, key, step, outcome)
        tools = {tool["name"] for tool in server.request("tools/list", {})["result"]["tools"]}
        outcome.check(tools <= asked, f"not asked: {tools - asked}")
    for issuer, _ in issuers:
        outcome.check(not _is_leaked(issuer, log.read_text()), f"the log: {issuer}")
    with Web(root, scale.folder / "keys-cache") as web:
        client = Client(web)
        for place in ("/", "/page/about", "/page/state", "/page/map", "/page/ledger"):
            text = client.fetch(place)
            for issuer, _ in issuers:
                outcome.check(not _is_leaked(issuer, text), f"{place}: {issuer}")
        for issuer, key in issuers:
            _ask_page(client, issuer, key, step, outcome)
        client.close()
    outcome.figures["issuers x contexts x tools"] = f"{len(issuers)} x {len(CONTEXTS)} x {len(tools)}"
    return outcome


def _ask_over_stdio(server: Lines, issuer: str, key: str, step: int, outcome: Outcome) -> set[str]:
    """Ask every tool about a key, read what is stored, fill in prompts, complete a name; return the tools."""
    folder = issuer.replace(" ", "_")
    tools: set[str] = {"read_result"}
    for tool, arguments in (*_calls(issuer, key, step), ("budget", {})):
        tools.add(tool)
        said = server.call(tool, 60, **arguments).text
        outcome.check("internal error" not in said, f"{tool} {arguments}: {said[:80]}")
        outcome.check(not _is_leaked(issuer, said, {tool: arguments}), f"{tool} {arguments}: {issuer}")
        for uri in {line.split()[1] for line in said.splitlines() if line.startswith(f"all: {_RESULT}")}:
            stored = json.dumps(server.request("resources/read", {"uri": uri}, 60), ensure_ascii=False)
            outcome.check(not _is_leaked(issuer, stored, {tool: arguments}), f"{tool} stored: {issuer}")
            page = server.call("read_result", 60, uri=uri, max_tokens=9_000).text
            outcome.check(not _is_leaked(issuer, page, {tool: arguments}), f"{tool} read_result: {issuer}")
    for prompt in server.request("prompts/list", {})["result"]["prompts"]:
        for value in (folder, f"made_of_{folder}", *(context.format(key) for context in CONTEXTS[::step])):
            given = {argument["name"]: value for argument in prompt["arguments"] if argument["name"] != "budget"}
            asked = {"name": prompt["name"], "arguments": given}
            filled = json.dumps(server.request("prompts/get", asked, 60), ensure_ascii=False)
            outcome.check(not _is_leaked(issuer, filled, asked), f"prompt {asked}: {issuer}")
    reference = {"type": "ref/prompt", "name": "explore"}
    wanted = {"ref": reference, "argument": {"name": "path", "value": folder}}
    completed = json.dumps(server.request("completion/complete", wanted, 60))
    outcome.check(not _is_leaked(issuer, completed), f"completion: {issuer}")
    return tools


def _ask_page(client: Client, issuer: str, key: str, step: int, outcome: Outcome) -> None:
    """Ask the page about a key by all that it answers, and every tool over HTTP."""
    folder = issuer.replace(" ", "_")
    path = f"{folder}/contexts.py"
    for place in (f"/page/map?path={folder}", f"/page/highlights?path={path}&first=1&last=400"):
        outcome.check(not _is_leaked(issuer, client.fetch(place)), f"{place}: {issuer}")
    for tool, arguments in (*_calls_of_contexts(folder, step), *_quotations(folder, key, step)):
        text = client.fetch("/page/call", {"tool": tool, "arguments": dict(arguments)})
        asked = {tool: arguments}
        outcome.check(not _is_leaked(issuer, text, asked), f"/page/call {tool} {arguments}: {issuer}")
        found = re.search(rf"{_RESULT}\w+", text)
        for place in ("preview", "items") if found is not None else ():
            text = client.fetch(f"/page/{place}?uri={found[0] if found else ''}&max_tokens=9000&offset=0")
            outcome.check(not _is_leaked(issuer, text, asked), f"/page/{place} of {tool}: {issuer}")
    for tool, arguments in (*_calls(issuer, key, step), ("budget", {})):
        said = client.call(tool, **arguments).text
        outcome.check(not _is_leaked(issuer, said, {tool: arguments}), f"HTTP {tool} {arguments}: {issuer}")
