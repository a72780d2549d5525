"""Whether two commits give the same answers: the JSON of drawn questions on real trees, compared.

    python bench/same_answers.py --before CHECKOUT ROOT [ROOT ...] [--calls N] [--seed N] [--failures N]

CHECKOUT is a folder with the other commit. Questions are drawn by seed from the index of this one, half of them about
uses and types; each commit answers all of them on an index and facts of its own that are complete. Names of stored
results are left out of the comparison, nothing else. Calls that both refuse in other words are counted apart. Exits
with 1 where an answer differs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
SEED = 20_261_126

_FACTS_SECONDS = 3_600
_TOKENS = 20_000
_STORED = re.compile(r"leadline://[^\s\"\\]*")
"""The names of stored results: each server makes its own."""

_ERROR = "refused: "
"""What the text of a refused call begins with here."""

_ABOUT_USES = (
    *("find_references", "go_to_definition", "call_hierarchy", "find_references", "type_members"),
    *("go_to_definition", "find_implementations", "find_references", "rename_symbol", "find_references"),
)

Question = tuple[str, dict[str, Any]]


def draw(root: Path, cache: Path, calls: int, seed: int) -> list[Question]:
    """Return questions about a tree."""
    from drawn import Drawing, opened

    session = opened(root, cache, "openai")
    try:
        drawing = Drawing(session.index, seed)
        others = drawing.questions(calls - calls // 2)
        uses = [_about_uses(drawing, number) for number in range(calls // 2)]
        return [*((one.tool, dict(one.arguments)) for one in others), *uses]
    finally:
        session.close()


def _about_uses(drawing: Any, number: int) -> Question:
    tool = _ABOUT_USES[number % len(_ABOUT_USES)]
    symbol = drawing.among((drawing.definition().address, drawing.word()))
    if tool == "rename_symbol":
        return tool, {"symbol": symbol, "new_name": "renamed_by_the_comparison"}
    return tool, {"symbol": symbol}


def answer(root: Path, cache: Path, questions: Sequence[Question]) -> Iterator[str]:
    """Yield the answers of the code that is on the path, as JSON without the names of stored results."""
    import leadline_server.registry  # noqa: F401  declares the tools
    from leadline_server.call import Request, Session
    from leadline_server.config import Config
    from leadline_tools.index.index import Index

    _fix_names()
    index = Index(root, cache)
    session = Session(Config(root, cache, "openai"), index)
    index.start()
    if not index.wait(_FACTS_SECONDS) or not index.settle(_FACTS_SECONDS):
        raise TimeoutError(f"{root}: the index is not complete")
    if not _compute_facts(index):
        raise TimeoutError(f"{root}: the facts are not complete")
    try:
        for tool, arguments in questions:
            response = session.call(Request(tool, {**arguments, "max_tokens": _TOKENS}, as_json=True))
            yield _STORED.sub("leadline://", f"{_ERROR if response.is_error else ''}{response.text}")
    finally:
        session.close()


def _compute_facts(index: Any) -> bool:
    """Compute the facts of all files; older commits have the methods for it in the index itself."""
    if hasattr(index, "build_facts"):
        index.build_facts(hurried=True)
        return bool(index.wait_for_facts(_FACTS_SECONDS))
    index.facts.build(hurried=True)
    return bool(index.facts.wait(_FACTS_SECONDS))


def _fix_names() -> None:
    """Have stored results named alike in every process: how many tokens a name takes decides how many items fit."""
    os.urandom = bytes  # that many zeros
    uuid.uuid4 = partial(uuid.UUID, int=0)


def compare(before: Path, root: Path, calls: int, seed: int) -> tuple[list[str], int]:
    """Return what differs between two commits, a text each, and how many errors are only worded in another way."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        questions = draw(root, scratch / "drawn", calls, seed)
        (scratch / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
        processes = [_answering(code, root, scratch, f"answers{number}") for number, code in enumerate((before, HERE))]
        codes = [process.wait() for process in processes]
        if any(codes):
            raise RuntimeError(f"{root}: not every question was answered")
        old, new = (json.loads((scratch / f"answers{number}").read_text(encoding="utf-8")) for number in range(2))
    apart = [row for row in zip(questions, old, new, strict=True) if row[1] != row[2]]
    others = [row for row in apart if not (row[1].startswith(_ERROR) and row[2].startswith(_ERROR))]
    texts = [f"{tool} {json.dumps(given)}\n    {_apart(one, two)}" for (tool, given), one, two in others]
    return texts, len(apart) - len(others)


def _answering(code: Path, root: Path, scratch: Path, name: str) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(str(code / package) for package in ("server", "tools", "estimators"))
    script = [
        sys.executable,
        str(Path(__file__).resolve()),
        "--before",
        str(code),
        str(root),
        "--answer",
        str(scratch / name),
    ]
    return subprocess.Popen(script, env={**os.environ, "PYTHONPATH": paths})


def _apart(one: str, two: str) -> str:
    """Return where two answers begin to differ."""
    at = next((number for number, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    start = max(0, at - 60)
    return f"before: ...{one[start : at + 120]!r}\n    now:    ...{two[start : at + 120]!r}"


def main() -> int:
    """Compare, print a table and the differences; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="+", type=Path, metavar="ROOT")
    parser.add_argument("--before", type=Path, required=True, metavar="CHECKOUT")
    parser.add_argument("--calls", type=int, default=834, help="questions a tree; six trees then have 5,000")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--failures", type=int, default=5, metavar="N")
    parser.add_argument("--answer", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer is not None:
        scratch = given.answer.parent
        questions = json.loads((scratch / "questions.json").read_text(encoding="utf-8"))
        answers = list(answer(given.roots[0].resolve(), scratch / f"{given.answer.name}-cache", questions))
        given.answer.write_text(json.dumps(answers), encoding="utf-8")
        return 0
    print("| tree | questions | other answers | errors in other words |\n|---|---:|---:|---:|")
    different: list[str] = []
    for root in given.roots:
        found, worded = compare(given.before.resolve(), root.resolve(), given.calls, given.seed)
        print(f"| {root.name} | {given.calls:,} | {len(found):,} | {worded:,} |", flush=True)
        different += [f"{root.name}: {one}" for one in found]
    for one in different[: given.failures]:
        print(f"  {one}")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
