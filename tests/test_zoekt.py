"""A zoekt server as text engine: asked where it has the very commit, and never believed about what a caller may see."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.console.serve import serve
from leadline_server.repositories.zoekt_engine import ZoektEngine, query_of
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.hosted_workspace import HostedRefs, HostedWorkspace
from leadline_tools.index.hosted.text.trigram_engine import TrigramEngine
from test_hosted_index import COMMITS, POLICY, Host, answer, host

__all__ = ["host"]

_NAMES = [f"example.org/team/app{number}" for number in range(9)]
_QUESTION = {"query": "arse_quer"}


class Zoekt(ThreadingHTTPServer):
    """A scripted zoekt: its answers have the form of zoekt's (c4d8f353), and the requests are kept."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, Any]] = []
        self.commits = dict.fromkeys(_NAMES, COMMITS[0])
        self.files: list[tuple[str, str]] = []
        self.broken = b""
        self.numbers: dict[str, int] = {"Crashes": 0, "FilesSkipped": 0, "ShardsSkipped": 0, "ShardsSkippedFilter": 7}

    def reply(self, path: str) -> object:
        if path == "/api/list":
            repos = [
                {
                    "Repository": {
                        "ID": number,
                        "Name": name,
                        "Branches": [{"Name": "HEAD", "Version": self.commits[name]}],
                        "RawConfig": None,
                    },
                    "IndexMetadata": {"IndexFormatVersion": 16},
                    "Stats": {"Documents": 2},
                }
                for number, name in enumerate(_NAMES, 1)
            ]
            return {"List": {"Repos": repos, "ReposMap": None, "Crashes": 0, "Stats": {"Repos": len(repos)}}}
        files = [
            {"FileName": path, "Repository": name, "Version": self.commits[name], "Language": "", "Branches": ["HEAD"]}
            for name, path in self.files
        ]
        return {"Result": {**self.numbers, "Duration": 1_000_000, "Files": files or None}}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        zoekt = self.server
        assert isinstance(zoekt, Zoekt)
        zoekt.requests.append((self.path, asked))
        body = zoekt.broken or json.dumps(zoekt.reply(self.path)).encode()
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
def _asking(host: Host, zoekt: Zoekt) -> Iterator[Session]:
    for name in _NAMES:
        number = name[-1]
        host.update({"a.py": f"def parse_query{number}(): ...\n".encode()}, COMMITS[0], name=name)
    reading = HostedReader(host.pool)
    engine = ZoektEngine(f"http://127.0.0.1:{zoekt.server_port}/", reading, TrigramEngine(reading))
    refs = HostedRefs(reading, POLICY, (), host.workers, engine)
    with closing(Session(Config(Path("/"), None, "openai"), HostedWorkspace(refs, host.workers))) as session:
        yield session


def _found(session: Session) -> list[str]:
    text = answer(session, "search_text", _QUESTION, as_json=False)
    return [name[-1] for name in _NAMES if f"parse_query{name[-1]}" in text]


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
    zoekt.files = [(_NAMES[3], "a.py"), (_NAMES[5], "a.py"), (_NAMES[6], "is_not_there.py")]
    with _asking(host, zoekt) as session:
        assert _found(session) == ["3", "5"]
    asked = dict(zoekt.requests)["/api/search"]
    assert asked["RepoIDs"] == [*range(1, 10)]
    assert asked["Q"] == r'case:no (((content:"arse\\_quer")) or content:"NOT-INDEXED: ")'
    assert searched == []


def test_what_zoekt_has_at_another_commit_is_searched_for_in_the_database(
    host: Host, zoekt: Zoekt, searched: list[int]
) -> None:
    zoekt.files = [(_NAMES[3], "a.py"), (_NAMES[8], "a.py")]
    zoekt.commits[_NAMES[8]] = zoekt.commits[_NAMES[7]] = COMMITS[1]
    with _asking(host, zoekt) as session:
        assert _found(session) == ["3", "7", "8"]
    assert searched == [2]


@pytest.mark.parametrize("number", ["Crashes", "FilesSkipped", "ShardsSkipped"])
def test_an_answer_of_zoekt_that_is_not_whole_is_not_used(
    host: Host, zoekt: Zoekt, searched: list[int], number: str
) -> None:
    zoekt.numbers[number] = 1
    with _asking(host, zoekt) as session:
        assert len(_found(session)) == len(_NAMES)
    assert searched == [len(_NAMES)]


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"Error": "parse error"}', b'{"List": {"Repos": [{}]}}'])
def test_a_zoekt_that_answers_something_else_costs_no_answer(
    host: Host, zoekt: Zoekt, searched: list[int], body: bytes
) -> None:
    zoekt.broken = body
    with _asking(host, zoekt) as session:
        assert len(_found(session)) == len(_NAMES)
    assert searched == [len(_NAMES)]


def test_a_zoekt_that_is_gone_costs_no_answer(host: Host, zoekt: Zoekt, searched: list[int]) -> None:
    zoekt.server_close()
    with _asking(host, zoekt) as session:
        assert len(_found(session)) == len(_NAMES)
    assert searched == [len(_NAMES)]


def test_a_query_says_nothing_but_the_texts() -> None:
    literals: list[list[tuple[str, ...]]] = [[('a "b" (c) repo:x',), ("d\\e", "long piece")], [("\tor",)]]
    assert query_of(literals) == (
        r'case:no (((content:"a\\ \\\"b\\\"\\ \\(c\\)\\ repo\\:x" or content:"long\\ piece") (content:"\\'
        "\t"
        'or")) or content:"NOT-INDEXED: ")'
    )


@pytest.mark.parametrize("text", ["zoekt", "zoekt=localhost:6070", "other=http://localhost"])
def test_an_engine_that_is_none_is_a_mistake_of_usage(text: str) -> None:
    result = CliRunner().invoke(serve, ["--text", text])
    assert result.exit_code == 2
    assert "--text is zoekt=URL" in result.output
