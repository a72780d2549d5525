"""A zoekt server as text engine: asked where it has the very commit, and never believed about what a caller may see.

The answers are those of zoekt at c4d8f353 (August 2026), recorded in zoekt_answers.json, and are spoiled by some tests.
To record them again, index INDEXED with a zoekt, serve its JSON API, and run this file with LEADLINE_ZOEKT=URL.
"""

from __future__ import annotations

import json
import os
import threading
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.console.serve import serve
from leadline_server.repositories.zoekt_engine import ZoektEngine, query_of
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.hosted_workspace import HostedRefs, HostedWorkspace
from leadline_tools.index.hosted.text.trigram_engine import TrigramEngine
from leadline_tools.index.hosted.writing.repository_teams import set_teams
from test_hosted_index import COMMITS, POLICY, Host, answer, host

__all__ = ["host"]

_ANSWERS = Path(__file__).with_name("zoekt_answers.json")
_NAMES = [f"example.org/team/app{number}" for number in range(9)]
_QUESTION = {"query": "arse_quer"}
_ODD = 'quotes" \\( -repo:)"case'
"""Text that would mean something in a query; its ends are cut in questions, since whole words are not zoekt's."""

_LARGE = "d" * 3_000_000

_HOSTED = {
    name: {
        "a.py": f"def parse_query{name[-1]}(): ...\n",
        "odd.txt": f"{_ODD} {name[-1]}\n",
    }
    for name in _NAMES
}
"""What the database has: each repository has what is searched for."""

INDEXED = [
    {
        "ID": number,
        "Name": name,
        "Commits": {"HEAD": COMMITS[0]},
        "Files": {
            "a.py": _HOSTED[name]["a.py"].upper() if name[-1] in "358" else "def other(): ...\n",
            "odd.txt": _HOSTED[name]["odd.txt"] if name[-1] in "24" else "other\n",
            "only_in_zoekt.py": "def parse_query(): ...\n",
            **({"large.txt": _LARGE} if name[-1] == "7" else {}),
        },
    }
    for number, name in enumerate(_NAMES, 1)
]
"""What was indexed: only in some of them, so that a test sees whose answer it was."""


class Zoekt(ThreadingHTTPServer):
    """Answers as zoekt did, but for what a test spoils; the requests are kept.

    Attributes:
        commits: The commits that it has of repositories, where they are not those that were indexed.
        numbers: Numbers of its reply to a search.
        broken: What it answers to everything.

    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, Any]] = []
        self.commits: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.broken = b""
        self._answers: list[dict[str, Any]] = json.loads(_ANSWERS.read_text()) if _ANSWERS.exists() else []

    def reply(self, path: str, asked: object) -> bytes:
        found = self._recorded(path, asked)
        for entry in found.get("List", {}).get("Repos", ()):
            repository = entry["Repository"]
            for branch in repository["Branches"]:
                branch["Version"] = self.commits.get(repository["Name"], branch["Version"])
        if "Result" in found:
            found["Result"] |= self.numbers
        return json.dumps(found).encode()

    def _recorded(self, path: str, asked: object) -> Any:
        """Return the answer that was recorded to a request, or record it."""
        for one in self._answers:
            if (one["path"], one["asked"]) == (path, asked):
                return json.loads(json.dumps(one["answer"]))
        assert "LEADLINE_ZOEKT" in os.environ, f"nobody has asked zoekt at {path}: {asked}"
        request = urllib.request.Request(os.environ["LEADLINE_ZOEKT"] + path, json.dumps(asked).encode())
        with urllib.request.urlopen(request, timeout=60) as response:
            found = json.load(response)
        self._answers.append({"path": path, "asked": asked, "answer": found})
        lines = ",\n".join(map(json.dumps, self._answers))
        _ANSWERS.write_text(f"[\n{lines}\n]\n")
        return json.loads(json.dumps(found))


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        zoekt = self.server
        assert isinstance(zoekt, Zoekt)
        zoekt.requests.append((self.path, asked))
        body = zoekt.broken or zoekt.reply(self.path, asked)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name in the base
        pass


@pytest.fixture
def zoekt() -> Iterator[Zoekt]:
    with Zoekt() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def _asking(host: Host, zoekt: Zoekt, indexed: Sequence[str] = _NAMES) -> Iterator[Session]:
    for name in indexed:
        files = _HOSTED[name]
        host.update({path: text.encode() for path, text in files.items()}, COMMITS[0], name=name)
    reading = HostedReader(host.pool)
    engine = ZoektEngine(f"http://127.0.0.1:{zoekt.server_port}/", reading, TrigramEngine(reading))
    refs = HostedRefs(reading, POLICY, (), host.workers, engine)
    with closing(Session(Config(Path("/"), None, "openai"), HostedWorkspace(refs, host.workers))) as session:
        yield session


def _found(session: Session, question: Mapping[str, object] = _QUESTION, shown: str = "parse_query") -> str:
    """Return the numbers of the repositories in which a question finds a text."""
    text = answer(session, "search_text", question, as_json=False)
    return "".join(name[-1] for name in _NAMES if f"{shown}{name[-1]}" in text)


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many roots the database is searched for, at each search."""
    found: list[int] = []
    candidates = TrigramEngine.candidates

    def noted(engine: TrigramEngine, required: Any, roots: Sequence[Any]) -> Any:
        found.append(len(roots))
        return candidates(engine, required, roots)

    monkeypatch.setattr(TrigramEngine, "candidates", noted)
    return found


def test_files_that_zoekt_names_are_looked_into_and_no_others(host: Host, zoekt: Zoekt, searched: list[int]) -> None:
    with _asking(host, zoekt) as session:
        assert _found(session) == "358"
    asked = dict(zoekt.requests)["/api/search"]
    assert asked["RepoIDs"] == [*range(1, 10)]
    assert asked["Q"] == r'case:no (content:"arse\\_quer" or content:"NOT-INDEXED: ")'
    assert searched == []


@pytest.mark.parametrize(
    ("question", "shown", "found"),
    [
        ({"query": 'uotes" \\( -rep'}, f"{_ODD} ", "24"),
        ({"query": r'po:\)"cas|otes" \\\( -re', "regex": True}, f"{_ODD} ", "24"),
        ({"query": "ARSE_Quer"}, "parse_query", "358"),
        ({"query": "is in no file"}, "parse_query", ""),
    ],
)
def test_zoekt_understands_what_it_is_asked_for(
    host: Host, zoekt: Zoekt, searched: list[int], question: Mapping[str, object], shown: str, found: str
) -> None:
    with _asking(host, zoekt) as session:
        assert _found(session, question, shown) == found
    assert searched == []


def test_what_zoekt_leaves_out_as_too_large_is_looked_into(host: Host, zoekt: Zoekt, searched: list[int]) -> None:
    host.update({"large.txt": b"parse_query7 is here\n"}, COMMITS[0], name=_NAMES[7])
    with _asking(host, zoekt, indexed=_NAMES[:7] + _NAMES[8:]) as session:
        assert _found(session) == "3578"
    assert searched == []


def test_what_zoekt_has_at_another_commit_is_searched_for_in_the_database(
    host: Host, zoekt: Zoekt, searched: list[int]
) -> None:
    zoekt.commits[_NAMES[8]] = zoekt.commits[_NAMES[7]] = COMMITS[1]
    with _asking(host, zoekt) as session:
        assert _found(session) == "3578"
    assert searched == [2]


@pytest.mark.parametrize("number", ["Crashes", "FilesSkipped", "ShardsSkipped"])
def test_an_answer_of_zoekt_that_is_not_whole_is_not_used(
    host: Host, zoekt: Zoekt, searched: list[int], number: str
) -> None:
    zoekt.numbers[number] = 1
    with _asking(host, zoekt) as session:
        assert _found(session) == "012345678"
    assert searched == [len(_NAMES)]


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"Error": "parse error"}', b'{"List": {"Repos": [{}]}}'])
def test_a_zoekt_that_answers_something_else_costs_no_answer(
    host: Host, zoekt: Zoekt, searched: list[int], body: bytes
) -> None:
    zoekt.broken = body
    with _asking(host, zoekt) as session:
        assert _found(session) == "012345678"
    assert searched == [len(_NAMES)]


def test_a_zoekt_that_is_gone_costs_no_answer(host: Host, zoekt: Zoekt, searched: list[int]) -> None:
    zoekt.server_close()
    with _asking(host, zoekt) as session:
        assert _found(session) == "012345678"
    assert searched == [len(_NAMES)]


@pytest.mark.parametrize(("is_there", "found"), [(True, "35"), (False, "01234567")])
def test_a_team_finds_nothing_of_another_with_zoekt_or_without(
    host: Host, zoekt: Zoekt, *, is_there: bool, found: str
) -> None:
    if not is_there:
        zoekt.server_close()
    with _asking(host, zoekt) as session:
        set_teams(host.pool, {name: ["blue" if name[-1] == "8" else "red"] for name in _NAMES}, hides_others=True)
        text = session.call(Request("search_text", _QUESTION, teams=frozenset({"red"}))).text
    assert "".join(name[-1] for name in _NAMES if f"parse_query{name[-1]}" in text) == found
    assert _NAMES[8] not in text
    assert all(asked["RepoIDs"] == [*range(1, 9)] for path, asked in zoekt.requests if path == "/api/search")


def test_a_query_says_nothing_but_the_texts() -> None:
    literals: list[list[tuple[str, ...]]] = [[('a "b" (c) repo:x',), ("d\\e", "long piece")], [("\tor",)]]
    assert query_of(literals) == (
        r'case:no ((content:"a\\ \\\"b\\\"\\ \\(c\\)\\ repo\\:x" or content:"long\\ piece") content:"\\'
        "\t"
        'or" or content:"NOT-INDEXED: ")'
    )


@pytest.mark.parametrize("text", ["zoekt", "zoekt=localhost:6070", "other=http://localhost"])
def test_an_engine_that_is_none_is_a_mistake_of_usage(text: str) -> None:
    result = CliRunner().invoke(serve, ["--text", text])
    assert result.exit_code == 2
    assert "--text is zoekt=URL" in result.output
