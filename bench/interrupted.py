"""What becomes of an edit whose server is killed: every file is the old or the new one, and the next server knows.

    python bench/interrupted.py [--times 50] [--files 60] [--seed 6]

A server of its own renames a symbol in all files of a small tree and is killed (``SIGKILL``) at a moment drawn by seed
from the time that such a rename takes. Then the tree is opened again, which makes good what was begun. All files have
to be as before or all as after, and the same call has to say rightly whether it was made already.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.index import Index

CALL = Request("rename_symbol", {"symbol": "core.widget", "new_name": "gadget", "apply": True})


def opened(root: Path, cache: Path) -> Session:
    """Open a session that may write, once its index is complete."""
    index = Index(root, cache)
    session = Session(Config(root, cache, "openai", allow_edits=True), index)
    index.start()
    if not index.wait(60):
        raise TimeoutError("the index is not complete")
    return session


def victim(root: Path, cache: Path) -> None:
    """Rename, telling when it begins and when it has ended; this is the process that is killed."""
    session = opened(root, cache)
    session.call(Request("rename_symbol", {**CALL.arguments, "apply": False}))
    print("begin", flush=True)
    print(session.call(CALL).text.split("\n")[0], flush=True)
    session.close()


def write(root: Path, files: int) -> dict[str, str]:
    """Write the tree, and return what is in it."""
    texts = {f"use_{i}.py": f"from core import widget\n\n\ndef use():\n    return widget({i})\n" for i in range(files)}
    texts["core.py"] = "def widget(number):\n    return number\n"
    root.mkdir()
    for path, text in texts.items():
        (root / path).write_text(text, encoding="utf-8")
    return texts


def once(folder: Path, files: int, after: float | None) -> tuple[float, str]:
    """Rename in a new tree and kill it ``after`` so many seconds; return how long it took and what became of it."""
    root, cache = folder / "tree", folder / "cache"
    before = write(root, files)
    command = [sys.executable, "-P", __file__, "--victim", str(root), str(cache)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        began = time.perf_counter()
        if after is None:
            process.stdout.readline()
        else:
            time.sleep(after)
            process.send_signal(signal.SIGKILL)
    took = time.perf_counter() - began
    session = opened(root, cache)
    found = {path: (root / path).read_text(encoding="utf-8") for path in before}
    renamed = {path: text.replace("widget", "gadget") for path, text in before.items()}
    state = "old" if found == before else "new" if found == renamed else "mixed"
    left = sorted(path.name for path in root.rglob("*") if path.is_file() and path.name not in before)
    answer = session.call(CALL).text.split("\n")[0]
    told = "new" if "applied already" in answer else "old" if " applied " in answer else answer
    session.close()
    return took, state + ("" if told == state else f", told as {told}") + (f", left {left[:3]}" if left else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--victim", nargs=2, type=Path)
    given = parser.parse_args()
    if given.victim:
        victim(*given.victim)
        return
    draw, outcomes = random.Random(given.seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "whole").mkdir()
        longest, outcome = once(Path(folder, "whole"), given.files, None)
        print(f"uninterrupted: {longest:.2f} s, {outcome}")
        for number in range(given.times):
            Path(folder, str(number)).mkdir()
            _, outcome = once(Path(folder, str(number)), given.files, draw.uniform(0, longest))
            outcomes[outcome] += 1
            print(f"{number + 1}: {outcome}", file=sys.stderr, flush=True)
    for outcome, number in outcomes.most_common():
        print(f"{number} times: {outcome}")


if __name__ == "__main__":
    main()
