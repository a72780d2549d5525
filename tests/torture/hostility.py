"""Every tool on a tree that has everything hostile at once, and parse bombs in eight languages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

from repeating import repeated
from torture.outcome import Outcome, Scale
from torture.trees import KEY, SECRET_INSIDE, SECRET_OUTSIDE, hostile, plain, state
from torture.wire import CALL_SECONDS, PATIENCE, Answer, Broken, Lines

FORBIDDEN = (SECRET_OUTSIDE, SECRET_INSIDE, KEY, "root:x:0:0", "\x1b[31m", "\u202e", 'evil_tool":')

PATHS = (
    *(".", "", "package_0", "package_0/module_0.py", "..", "../", "/", "/etc/passwd", "../outside/secret.py"),
    *(
        "package_0/../../outside",
        "out.py",
        "out_folder",
        "out_folder/secret.py",
        "up.py",
        "loop_a.py",
        "self",
        "self/self",
    ),
    *("nowhere.py", "pipe.py", "socket.py", "device.py", "brackets.py", "long_line.js", "sparse.py", "utf16.py"),
    *("bom.py", "latin.py", "nul.py", "cr.py", "formfeed.py", "unreadable.py", ".env", "id_rsa", "innocent.txt"),
    *("settings.py", "-rf.py", "--help", "a b'c\"d`e$(touch x).py", "\0", "a\0b", "\ud800", "x" * 5_000, "~", "$HOME"),
    *(
        "C:\\Windows",
        "\\\\server\\share",
        "file:///etc/passwd",
        ".git/config",
        ".git/HEAD",
        "annotation.kt",
        "humps.py",
    ),
    *("\n", "esc\\x1b[31m.py", "deep/" * 60 + "bottom.py", "orders.md"),
)
QUERIES = (
    *("function_0_0", "Base_0_0", "(a+)+$", "(a|aa)+$", "[", "\\", "*", "-rf", "--help", "a" * 100_000, "\0", ".*"),
    *(
        "aA" * 14 + "B",
        "A" * 25 + "Bx",
        "password",
        "token",
        SECRET_INSIDE[:7],
        KEY[:8],
        "%s%n",
        "'; drop table file; --",
    ),
    *(
        "bottom",
        "after_bom",
        "in_utf16",
        "after_cr",
        "\ud800",
        "é",
        "\U0001d54f",
        " ",
        "\t",
        "^$",
        "(?P<a>.)(?P=a)",
        "x{1000}",
    ),
)
SYMBOLS = ("function_0_0", "Base_0_0.method_0", "package_0/module_0.py:6", "package_0/module_0.py:6:7", "no.such")


def questions() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield calls of every tool with every odd argument that fits it."""
    for path in PATHS:
        for tool in ("read_file", "document_symbols", "list_files", "count_files", "repo_map", "apply_code_fix"):
            yield tool, {"path": path}
        yield "search_text", {"query": "def", "path": path}
        yield "find_references", {"symbol": f"{path}:1:5"}
        yield "go_to_definition", {"symbol": f"{path}:1"}
    for query in QUERIES:
        yield "search_text", {"query": query}
        yield "search_text", {"query": query, "regex": True}
        yield "symbol_search", {"query": query, "match": "fuzzy"}
        yield "symbol_search", {"query": query}
        yield "find_code", {"query": query}
        yield "list_files", {"pattern": query, "recursive": True}
        yield "list_files", {"pattern": query, "regex": True, "recursive": True}
        yield "read_result", {"uri": query}
        yield "rename_symbol", {"symbol": "function_0_0", "new_name": query}
    for symbol in (*SYMBOLS, *QUERIES):
        for tool in ("go_to_definition", "find_references", "type_members", "call_hierarchy", "find_implementations"):
            yield tool, {"symbol": symbol}
    yield "budget", {}


def hostile_tree(scale: Scale) -> Outcome:
    """Ask every tool about a hostile tree: no hang, no death, no byte from outside, no secret; nothing is touched."""
    outcome = Outcome()
    place = scale.place("hostile")
    root = place / "root"
    root.mkdir()
    hostile(root, place / "outside")
    before = state(root)
    asked = list(questions())
    slowest = 0.0
    with Lines(root, place / "cache") as server:
        tools = {tool["name"] for tool in server.request("tools/list", {})["result"]["tools"]}
        for tool, arguments in islice(asked, 0, None, scale.many(1, 6)):
            if tool not in tools:
                continue
            try:
                said = server.call(tool, **arguments)
            except Broken as error:
                outcome.check(False, f"{tool}{str(arguments)[:80]}: {error}")
                break
            slowest = max(slowest, said.seconds)
            outcome.check(not any(bad in said.text for bad in FORBIDDEN), f"{tool}{arguments}: {said.text[:60]!r}")
        for name in ("function_0_0", "after_bom", "in_utf16", "after_cr", "after_formfeed", "quoted_name"):
            outcome.check(name in server.call("symbol_search", query=name).text, f"{name} is not found")
        outcome.check(server.megabytes <= 250, f"{server.megabytes:.0f} MB")
        outcome.figures["memory"] = f"{server.megabytes:.0f} MB"
    outcome.figures["slowest call"] = f"{slowest:.1f} s"
    outcome.figures["tools"] = str(len(tools))
    outcome.check(state(root) == before, "something in the tree was touched")
    outcome.check(not (root / "SPRUNG").exists(), "something of the tree was run")
    return outcome


SWAPPED: tuple[Mapping[str, Any], ...] = ({"path": "swap.py"}, {"path": "inner/swap.py"})


def swapped_links(scale: Scale) -> Outcome:
    """Put links to outside in the place of a file and of a folder, and take them away, while both are read."""
    outcome = Outcome()
    place = scale.place("swapped")
    root, outside = plain(place / "root", 1, 3), place / "outside"
    for folder in (outside, root / "inner"):
        folder.mkdir()
    (outside / "swap.py").write_text(f"VALUE = '{SECRET_OUTSIDE}'\n")
    for inside in (root, root / "inner"):
        (inside / "swap.py").write_text("VALUE = 'inside'\n")
    with Lines(root, place / "cache") as server, repeated(partial(_swap, root, outside), 0.0005):
        for _ in range(scale.many(200, 10)):
            for tool, arguments in product(("read_file", "document_symbols", "search_text", "list_files"), SWAPPED):
                query: Mapping[str, Any] = {"query": "VALUE"} if tool == "search_text" else {}
                said = server.call(tool, **arguments, **query)
                outcome.check(SECRET_OUTSIDE not in said.text, f"{tool}{arguments}: {said.text[:60]!r}")
    return outcome


def _swap(root: Path, outside: Path) -> None:
    """Let a file and a folder be links to outside for a moment."""
    for inside, target in ((root / "swap.py", outside / "swap.py"), (root / "inner", outside)):
        aside = inside.with_name(f".aside-{inside.name}")
        inside.rename(aside)
        inside.symlink_to(target)
        inside.unlink()
        aside.rename(inside)


BOMBS: tuple[Callable[[int], str], ...] = (
    lambda n: "[" * n,
    lambda n: "(" * n,
    lambda n: "{" * n,
    lambda n: "[" * n + "]" * n,
    lambda n: "(" * n + ")" * n,
    lambda n: "{" * n + "}" * n,
    lambda n: "f(" * n + ")" * n,
    lambda n: "a." * n + "a",
    lambda n: "a+" * n + "a",
    lambda n: "!" * n + "a",
    lambda n: "-" * n + "a",
    lambda n: "a?" * n + "b",
    lambda n: "a<" * n + ">" * n,
    lambda n: "if (a) " * n + "b",
    lambda n: "if a:\n" * n,
    lambda n: "".join(" " * (i % 500) + "if a:\n" for i in range(n // 10)),
    lambda n: '"' + "a" * n,
    lambda n: "/*" * n,
    lambda n: "<div>" * n,
    lambda n: "@T " * n + "@T",
    lambda _: "@T",
    lambda n: "class A { " * n,
    lambda n: "\\\n" * n,
    lambda n: "".join(chr(33 + (i * 7919) % 94) for i in range(n)),
)
HEALTHY = {
    "py": "def healthy_py(a):\n    return a\n",
    "ts": "export function healthy_ts(a: number) { return a; }\n",
    "js": "function healthy_js(a) { return a; }\n",
    "java": "class Healthy { int healthy_java(int a) { return a; } }\n",
    "go": "package p\n\nfunc healthy_go(a int) int { return a }\n",
    "rs": "fn healthy_rs(a: i32) -> i32 { a }\n",
    "cpp": "int healthy_cpp(int a) { return a; }\n",
    "kt": "fun healthy_kt(a: Int) = a\n",
}


def parse_bombs(scale: Scale) -> Outcome:
    """Put 24 parse bombs in 8 languages into a tree: each is answered or named, the files beside them are right."""
    outcome = Outcome()
    root = scale.place("bombs")
    size = scale.many(40_000, 4_000)
    bombs = [
        (root / f"bomb_{number}.{ending}", bomb)
        for (number, bomb), ending in islice(product(enumerate(BOMBS), HEALTHY), 0, None, scale.many(3, 5))
    ]
    for path, bomb in bombs:
        path.write_text(bomb(size))
    for ending, text in HEALTHY.items():
        (root / f"healthy.{ending}").write_text(text)
    largest = 0.0
    refused: list[Path] = []
    with Lines(root, root.with_name("bombs-cache")) as server:
        started = time.monotonic()
        for path, _ in bombs:
            said = _survives(outcome, server, path)
            largest = max([largest, *map(_worker, server.workers)])
            if said is not None and said.is_error:
                refused.append(path)
            if said is None or time.monotonic() - started > PATIENCE * scale.many(150, 20):
                break
        for ending in HEALTHY:
            outcome.check(_found(server, ending), f"healthy_{ending} is not found")
        for path in refused:
            outcome.check(_settled(server, path), f"{path.name} is parsed again and again")
        outcome.figures["not parsed"] = str(len(refused))
        outcome.figures["memory"] = f"{server.megabytes:.0f} MB, a worker {largest:.0f} MB"
    return outcome


def _found(server: Lines, ending: str) -> bool:
    """Return whether a healthy file is found, before long: until then the answers say that they are not complete."""
    until = time.monotonic() + 60 * PATIENCE
    while True:
        said = server.call("symbol_search", query=f"healthy_{ending}").text
        if f"healthy.{ending}" in said or "still" not in said or time.monotonic() > until:
            return f"healthy.{ending}" in said


def _settled(server: Lines, path: Path) -> bool:
    """Return whether a file that was not parsed in time gets its outline before long, or the same refusal at once."""
    until = time.monotonic() + 60 * PATIENCE
    while time.monotonic() < until:
        said = server.call("document_symbols", path=path.name)
        if not said.is_error:
            return True
        if path.name in said.text and ("to parse" in said.text or "crash" in said.text) and said.seconds < PATIENCE:
            return True
    return False


def _survives(outcome: Outcome, server: Lines, path: Path) -> Answer | None:
    try:
        said = server.call("document_symbols", path=path.name)
    except Broken as error:
        outcome.check(False, f"{path.name}: {error}")
        return None
    outcome.check(
        said.seconds < CALL_SECONDS and path.name in said.text, f"{path.name}: {said.seconds:.1f} s, {said.text[:60]}"
    )
    return said


def _worker(pid: int) -> float:
    from torture.wire import _megabytes

    return _megabytes(pid)


def odd_exchanges(scale: Scale) -> Outcome:
    """Send 700 malformed and odd lines: every line that comes back is JSON-RPC, and the next call is answered."""
    outcome = Outcome()
    root = plain(scale.place("exchanges"), 1, 2)
    with Lines(root, root.with_name("exchanges-cache")) as server:
        for number, line in enumerate(islice(_odd_lines(), scale.many(700, 140))):
            server.raw(line)
            if number % 20 == 19:
                said = server.call("list_files")
                outcome.check("README.md" in said.text, f"after line {number}: {said.text[:80]}")
            else:
                outcome.tried += 1
        outcome.check(server.end(5) <= 5 * PATIENCE, "it does not end")
        outcome.figures["lines of JSON-RPC"] = str(server.lines)
    return outcome


def _odd_lines() -> Iterator[bytes]:
    call = b'{"jsonrpc":"2.0","id":"x%d","method":"tools/call","params":{"name":%s,"arguments":%s}}'
    names = (b'"read_file"', b'"search_text"', b'"nothing"', b"5", b"null", b'"' + b"n" * 5_000 + b'"', b'"budget"')
    values = (
        *(b"null", b"[]", b'"x"', b"5", b"{}", b'{"path":null}', b'{"path":[]}', b'{"path":{"a":1}}', b'{"query":5}'),
        *(
            b'{"path":"\\u0000"}',
            b'{"path":"\xff"}',
            b'{"max_tokens":-5}',
            b'{"max_tokens":1e400}',
            b'{"max_tokens":NaN}',
        ),
        *(
            b'{"path":"a","path":"b"}',
            b'{"nothing":1}',
            b'{"query":"' + b"q" * 300_000 + b'"}',
            b'{"limit":99999999999999999999}',
        ),
    )
    rubbish = (
        *(
            b"",
            b" ",
            b"\t",
            b"{",
            b"}",
            b"[]",
            b"[1,2]",
            b"null",
            b"true",
            b"5",
            b'"x"',
            b"\xff\xfe",
            b"\0",
            b"not JSON",
        ),
        *(b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"id":1}', b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":{}}'),
        *(b'{"jsonrpc":"2.0","id":"r","result":{}}', b'{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}'),
        *(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x1"}}', b"[" * 100_000),
        *(b'{"jsonrpc":"2.0","method":"notifications/nothing"}', b'{"jsonrpc":"2.0","id":"i","method":"initialize"}'),
        *(b'{"a":' * 20_000, b"9" * 100_000, b"Content-Length: 5\r", b"GET / HTTP/1.1\r", b"\xef\xbb\xbf{}"),
    )
    number = 0
    yield b'"' + b"x" * 20_000_000 + b'"'  # twenty million bytes in one line
    while True:
        for name, value in product(names, values):
            number += 1
            yield call % (number, name, value)
            yield rubbish[number % len(rubbish)]
