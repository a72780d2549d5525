"""What the measurement of definitions makes of what engines say."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from leadline_tools.index.index import Index

BENCH = Path(__file__).parents[1] / "bench"

Told = tuple[str, int, int] | None
Judging = Callable[[str, Sequence[Told], str], str]


@pytest.fixture
def judging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Return what opens a tree of one file, to judge the answer for a token of which an engine tells places."""
    monkeypatch.syspath_prepend(BENCH)
    record, tokens, verdicts = (
        importlib.import_module(f"defining.{name}") for name in ("record", "tokens", "verdicts")
    )
    place = importlib.import_module("truth.record").Place

    @contextmanager
    def opened(source: str) -> Iterator[Judging]:
        (tmp_path / "a.js").write_text(source, encoding="utf-8")
        index = Index(tmp_path, None)
        index.start()
        assert index.wait(60)
        judge = verdicts.Judge(index, 1)

        def verdict(name: str, told: Sequence[Told], sort: str = "attribute") -> str:
            row, line = next((i, line) for i, line in enumerate(source.split("\n"), 1) if name in line)
            token = tokens.Token(place("a.js", row, line.index(name) + 1), name, tokens.Sort(sort), "tune")
            votes = [record.Vote(place(*one) if one is not None else None, 1) for one in told]
            return str(judge.judge(record.Known(token, votes)).verdict)

        try:
            yield verdict
        finally:
            index.close()

    return opened


def test_a_name_between_two_dots_is_declared_by_no_assignment(judging: Callable[[str], Any]) -> None:
    with judging("class Server { start() {} }\nServer.prototype.start.$inject = []\n") as verdict:
        assert verdict("prototype", [("a.js", 2, 8)]) == "no truth"


def test_the_last_name_of_a_target_is_declared_by_its_assignment(judging: Callable[[str], Any]) -> None:
    with judging("function Server() {}\nServer.started = 1\n") as verdict:
        assert verdict("started", [("a.js", 2, 8)]) != "no truth"


def test_a_member_of_a_host_is_declared_by_the_host(judging: Callable[[str], Any]) -> None:
    with judging("process.emitWarning('a')\nprocess.emitWarning = () => {}\n") as verdict:
        assert verdict("emitWarning", [("a.js", 2, 9)]) != "wrong"


def test_a_module_is_its_file(judging: Callable[[str], Any]) -> None:
    with judging("const a = 1\nmodule.exports = { a }\n") as verdict:
        assert verdict("exports", [("a.js", 1, 1)]) == "module, said so"
        assert verdict("exports", [("a.js", 1, 7)]) == "wrong"


@pytest.mark.parametrize(
    ("path", "name", "place"),
    [
        ("a.rs", "Made", ("b.rs", 1, 1)),
        ("a.js", "made", ("b.d.ts", 1, 1)),
    ],
)
def test_the_call_of_a_macro_and_a_declaration_beside_its_module_are_no_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, name: str, place: tuple[str, int, int]
) -> None:
    monkeypatch.syspath_prepend(BENCH)
    names = ("contradicted", "record", "tokens")
    contradicted, record, tokens = (importlib.import_module(f"defining.{one}") for one in names)
    at = importlib.import_module("truth.record").Place
    files = {
        "a.rs": "fn f(a: Made) {}\n",
        "b.rs": "make! {\n    pub struct Made;\n}\n",
        "a.js": "made()\n",
        "b.js": "export function made() {}\n",
        "b.d.ts": "export function made(): void\n",
    }
    for file, source in files.items():
        (tmp_path / file).write_text(source, encoding="utf-8")
    index = Index(tmp_path, None)
    index.start()
    try:
        assert index.wait(60)
        token = tokens.Token(at(path, 1, 1), name, tokens.Sort("type"), "tune")
        inside = at("b.rs" if path == "a.rs" else "b.js", 2 if path == "a.rs" else 1, 1)
        known = record.Known(token, [record.Vote(at(*place), 1), record.Vote(inside, 1)])
        assert contradicted.without_contradicted(index, known).places == {inside}
    finally:
        index.close()
