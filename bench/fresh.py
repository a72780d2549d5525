"""What is measured inside a process that has just started, as a server has: prints one JSON object.

    python bench/fresh.py calls ROOT CACHE < CALLS
    python bench/fresh.py edits ROOT CACHE < PATHS
    python bench/fresh.py opening ROOT CACHE

``index.py`` runs it. CALLS is a JSON array of [kind, tool, arguments]; they are answered in turn. PATHS is a JSON array
of files that are changed for good: ROOT must be a copy.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_estimators.tokenizer import load
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.memory import configure_malloc
from leadline_server.running import prepare
from leadline_tools.index.index import Index
from processes import cpu_of_others, resident


def _prepare() -> None:
    """Make this process what a server is by the time of its first call."""
    prepare()
    load()  # which that began in the background, as the client says hello
    configure_malloc()


class Opened:
    """A session that has just begun, as a server begins it; ``began`` and ``ready`` are seconds of the wall clock."""

    def __init__(self, root: Path, cache: Path) -> None:
        _prepare()
        self.began = time.perf_counter()
        index = Index(root, cache)
        self.session = Session(Config(root, cache, "openai"), index)
        index.start_in_background()
        self.ready = time.perf_counter()

    def answered(self, kind: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Ask once, and return what it took."""
        others, own, wall = cpu_of_others(), time.process_time(), time.perf_counter()
        response = self.session.call(Request(tool, arguments))
        now = time.perf_counter()
        own = time.process_time() - own
        return {
            "kind": kind,
            "cpu": own,
            "workers": cpu_of_others() - others,
            "wall": now - wall,
            "since_opening": now - self.began,
            "error": response.is_error,
            "text": response.text,
        }


def calls(root: Path, cache: Path) -> dict[str, Any]:
    """Answer calls on the index as it is."""
    given = json.load(sys.stdin)
    opened = Opened(root, cache)
    answers = [opened.answered(kind, tool, arguments) for kind, tool, arguments in given]
    memory = resident()
    opened.session.close()
    return {"answers": answers, "memory": memory, "opening": opened.ready - opened.began}


def edits(root: Path, cache: Path) -> dict[str, Any]:
    """Change files one by one; each time ask until a call sees the change."""
    given = json.load(sys.stdin)
    opened = Opened(root, cache)
    opened.session.call(Request("list_files", {}))
    walls, asked = [], []
    for number, path in enumerate(given):
        name = f"leadline_bench_{number}"
        text = f"def {name}():\n    pass\n" if path.endswith(".py") else f"int {name}(void)\n{{\n\treturn 0;\n}}\n"
        _replace(root / path, (root / path).read_bytes() + b"\n" + text.encode())
        started, count = time.perf_counter(), 0
        while f"\n{path}\n" not in found(opened.session, name):
            count += 1
            if time.perf_counter() - started > 60:
                raise TimeoutError(path)
        walls.append(time.perf_counter() - started)
        asked.append(count + 1)
    opened.session.close()
    return {"walls": walls, "calls": asked}


def found(session: Session, name: str) -> str:
    """Return the answer to a search for a name."""
    return session.call(Request("symbol_search", {"query": name, "match": "exact"})).text


def _replace(path: Path, content: bytes) -> None:
    """Put a new file in the place of one that may be a hard link to somebody's source."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(content)
    beside.replace(path)


def opening(root: Path, cache: Path) -> dict[str, Any]:
    """Open an index of a tree in which nothing has changed: CPU of this process and of what it runs."""
    _prepare()
    cpu, wall = time.process_time() + cpu_of_others(), time.perf_counter()
    index = Index(root, cache)
    index.start()
    if not index.wait(60):
        raise TimeoutError("the index is not complete")
    measured = {"cpu": time.process_time() + cpu_of_others() - cpu, "wall": time.perf_counter() - wall}
    index.close()
    return measured


MEASURES: Mapping[str, Callable[[Path, Path], dict[str, Any]]] = {"calls": calls, "edits": edits, "opening": opening}

if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))))
