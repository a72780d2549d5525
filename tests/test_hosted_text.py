"""The search of texts over many hosted roots: by trigrams where words do not tell, and the answers stay the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, LiteralString

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import INDEXING_SECONDS
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import Area, migrate
from leadline_tools.index.hosted.area import AREA
from leadline_tools.index.hosted.hosted_reader import HostedReader, SearchedText
from leadline_tools.index.hosted.text import hosted_words
from leadline_tools.index.hosted.text.text_engine import literals_of
from leadline_tools.index.hosted.text.trigram_engine import TrigramEngine, searched_text
from leadline_tools.index.index import Index
from leadline_tools.index.text.required_literals import Run
from leadline_tools.index.workspace import Workspace
from leadline_tools.search_text import root_turns
from postgres import PostgresServer
from test_hosted_index import COMMITS, POLICY, Host, answer, checked_out, differences, hosted, unnoted
from test_many_roots import end_after

__all__ = ["unnoted"]

_LINES = [
    "def parse_query(text): return text",
    r"path = 'C:\new\tools' + r'100%_done'",
    "größe in Köln, Straße, naïve café",
    "the \u212aelvin sign and the long \u017f: mea\u017fure \u212a",
    "class SpeakTask: ask = 'skills'",
    "\tsum += values[index] ?? fallback; // TODO",
    "x",
    "日本語のコメント parse_query",
    r"""[a] = {b} <c> & ~d | !e ^ @f ? $g * #h + 'i' "j" `k`; l.m, n-o: p\/q%r""",
]
_KEY = "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'"

_ROOTS: Mapping[str, Mapping[str, bytes]] = {
    f"example.org/team/app{number}": {
        "src/app.py": "\n".join([*_LINES[number % 3 :], f"def only_in_app{number}(): ..."]).encode(),
        "doc/wide.txt": ("\ufeff" + "\r\n".join(_LINES[: number + 1])).encode("utf-16-le"),
        "doc/latin.txt": f"größe {number}\r\nin Köln: parse_query\r\n".encode("latin-1"),
        "doc/chinese.txt": ("# coding: gb18030\n" + "查询文本 mea\u017fure 这是一个测试文件\n" * 4).encode("gb18030"),
        "conf/keys.ini": f"{_KEY}\n{_LINES[1]}\n".encode(),
        ".env": b"PASSWORD=parse_query\n",
        "empty.txt": b"",
        **(
            {"data/large.txt": b"~~~~~~~~~~~~~~~~~~~~~~~\n" * 60_000 + b"needle in a haystack\n"} if number == 4 else {}
        ),
    }
    for number in range(9)
}


class Both:
    """The same roots, on disk and hosted."""

    def __init__(self, disk: Session, hosted: Session, host: Host) -> None:
        self.disk = disk
        self.hosted = hosted
        self.host = host

    def differences(self, *questions: Mapping[str, object]) -> list[str]:
        return differences(self.disk, self.hosted, [("search_text", one) for one in questions])


@pytest.fixture(scope="module")
def both(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    url = postgres.fresh()
    with ExitStack() as closing_all:
        host = closing_all.enter_context(closing(Host(url)))
        for name, files in _ROOTS.items():
            host.update(files, COMMITS[0], name=name)
        disk = closing_all.enter_context(_on_disk(tmp_path_factory.mktemp("roots")))
        other = closing_all.enter_context(hosted(host))
        yield Both(disk, other, host)
    postgres.drop(url)


@contextmanager
def _on_disk(folder: Path) -> Iterator[Session]:
    roots = {name: checked_out(files, folder / name) for name, files in _ROOTS.items()}
    index = Workspace([Index(root, None, 1, POLICY, name) for name, root in roots.items()])
    with closing(Session(Config(folder, None, "openai"), index)) as session:
        index.start()
        assert index.wait(INDEXING_SECONDS)
        assert index.settle(INDEXING_SECONDS)
        yield session


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The patterns that contents are compared with, as far as that is asked for."""
    found: list[Sequence[str]] = []
    like = HostedReader.contents_like

    def noted(
        reader: HostedReader,
        required: Sequence[Sequence[SearchedText]],
        repositories: Sequence[int],
        most: int,
        seconds: float,
    ) -> list[tuple[int, int]] | None:
        found.append([text.pattern for group in required for text in group])
        return like(reader, required, repositories, most, seconds)

    monkeypatch.setattr(HostedReader, "contents_like", noted)
    return found


_PIECES = st.sampled_from([*_LINES, _KEY, "needle in a haystack", "only_in_app3(): ..."])


@st.composite
def _queries(draw: st.DrawFn) -> dict[str, object]:
    line = draw(_PIECES)
    start = draw(st.integers(0, max(0, len(line) - 3)))
    text = line[start : start + draw(st.integers(1, 14))]
    changed = draw(st.sampled_from([text, text.upper(), text.lower(), text.swapcase()]))
    return {
        "query": changed if changed.strip() else "x",
        "word": draw(st.booleans()),
        "case_sensitive": draw(st.booleans()),
    }


@pytest.mark.usefixtures("unnoted")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=_queries())
def test_a_part_of_any_text_is_found_in_the_same_lines_as_on_disk(both: Both, question: Mapping[str, object]) -> None:
    assert both.differences(question) == []


@pytest.mark.usefixtures("unnoted")
@pytest.mark.parametrize("word", [False, True])
@pytest.mark.parametrize("query", ["ed", "masked", "ey mas"])
def test_what_stands_in_place_of_a_key_is_found_neither_there_nor_on_disk(both: Both, query: str, word: bool) -> None:
    assert both.differences({"query": query, "word": word}) == []


@pytest.mark.usefixtures("unnoted")
@pytest.mark.parametrize(
    "query",
    [
        r"arse_quer\w",
        r"(only|never)_in_app[37]",
        r"(?i)SPEAKTAS",
        r"tools' \+",
        r"mea.ure",
        r"^\tsum",
        r"quer|needl",
        "(",
    ],
)
def test_an_expression_matches_the_same_lines_as_on_disk(both: Both, query: str) -> None:
    assert both.differences({"query": query, "regex": True}, {"query": query, "regex": True, "path": "**/*.txt"}) == []


@pytest.mark.usefixtures("unnoted")
def test_what_bytes_do_not_show_is_found_too(both: Both, asked: list[Sequence[str]]) -> None:
    wide = {"query": "alues[inde"}  # in UTF-16
    letters = {"query": "measur"}  # with a long s
    large = {"query": "eedle in a haysta"}  # in a text without trigrams
    masked = {"query": "wJalrXUtnFEM"}  # a key that no answer shows
    assert both.differences(wide, letters, large, masked) == []
    assert ["%measur%"] in asked
    shown = answer(both.hosted, "search_text", wide, as_json=False)
    assert "doc/wide.txt" in shown
    assert "src/app.py" in shown
    assert 'path="example.org/team/app4/data/large.txt"' in answer(both.hosted, "search_text", large, as_json=False)


def test_no_expression_of_a_user_reaches_the_database(both: Both, asked: list[Sequence[str]]) -> None:
    answer(both.hosted, "search_text", {"query": r"(a+)+arse_quer(y|i_es)%", "regex": True}, as_json=False)
    assert asked == [[r"%arse\_query\%%", r"%arse\_queri\_es\%%"]]


def test_a_question_about_few_roots_reads_nothing_of_the_others(both: Both, asked: list[Sequence[str]]) -> None:
    question = {"query": "arse_quer", "path": "example.org/team/app3"}
    assert "app3/src/app.py" in answer(both.hosted, "search_text", question, as_json=False)
    assert asked == []


@pytest.mark.usefixtures("unnoted")
@pytest.mark.parametrize(("limit", "least", "query"), [("_SECONDS", 0.001, "arse_quer"), ("_MOST", 0, "arse_que")])
def test_a_search_that_takes_too_long_is_made_by_looking_into_all_files(
    both: Both, limit: str, least: float, query: str, monkeypatch: pytest.MonkeyPatch, asked: list[Sequence[str]]
) -> None:
    monkeypatch.setattr(f"{TrigramEngine.__module__}.{limit}", least)
    assert both.differences({"query": query}) == []
    assert asked


def test_a_name_is_looked_up_in_all_repositories_at_once(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()
    read = HostedReader._all

    def noted(reader: HostedReader, query: LiteralString, *given: object) -> list[tuple[Any, ...]]:
        asked[f"{query} {given[1:]}"] += "from posting" in query
        return read(reader, query, *given)

    monkeypatch.setattr(HostedReader, "_all", noted)
    shown = answer(both.hosted, "symbol_search", {"query": "parse_query", "match": "exact"}, as_json=False)
    assert shown.count("def parse_query") == 3
    assert max(asked.values()) == 1


def test_the_symbols_around_the_lines_of_an_answer_are_read_together(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    read = HostedReader._all

    def noted(reader: HostedReader, query: LiteralString, *given: object) -> list[tuple[Any, ...]]:
        statements.append(query)
        return read(reader, query, *given)

    with monkeypatch.context() as patched:
        patched.setattr(HostedReader, "_all", noted)
        shown = answer(both.hosted, "search_text", {"query": "parse_query("}, as_json=False)
    assert sum(line.endswith(".py") for line in shown.splitlines()) == 3
    assert sum("from outline" in query for query in statements) <= 2


@pytest.mark.usefixtures("unnoted")
def test_a_text_with_whole_words_is_looked_up_in_all_repositories_at_once(
    both: Both, monkeypatch: pytest.MonkeyPatch, asked: list[Sequence[str]]
) -> None:
    statements: list[str] = []
    read = HostedReader._all

    def noted(reader: HostedReader, query: LiteralString, *given: object) -> list[tuple[Any, ...]]:
        statements.append(query)
        return read(reader, query, *given)

    with monkeypatch.context() as patched:
        patched.setattr(HostedReader, "_all", noted)
        answer(both.hosted, "search_text", {"query": "ef parse_query("}, as_json=False)
    assert sum("from posting" in query for query in statements) < len(_ROOTS)
    assert asked == []
    monkeypatch.setattr(hosted_words, "_FEW_FILES", 0)
    texts = ("ef parse_query(", "needle in a haysta", "def only_in_app3(")
    assert both.differences(*({"query": text} for text in texts)) == []
    assert [r"%ef parse\_query(%"] in asked


def test_a_search_that_is_stopped_names_the_repositories_that_it_has_searched(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_after(12, monkeypatch)
    monkeypatch.setattr(root_turns, "FILES_OF_A_TURN", 1)
    shown = answer(both.hosted, "search_text", {"query": "o"}, as_json=False)
    assert "(0 of 9 roots are searched whole, not example.org/team/app3, " in shown
    assert "example.org/team/app8/" in shown


def _has_trigrams(host: Host, text: str, body: bytes) -> bool:
    """Return whether the trigrams of a text are among those of a content."""
    [[literal]] = literals_of([(Run(text),)])
    with host.pool.connection() as connection:
        [(found,)] = connection.execute(
            'select trigrams(%s) collate "C" @> %s::text[]', (body, [*searched_text(literal).trigrams])
        ).fetchall()
    return bool(found)


def test_a_content_has_the_trigrams_of_each_text_in_it(both: Both) -> None:
    signs = "".join(map(chr, range(32, 127)))
    body = f"before\n\t{signs} größe \0 after\r\n".encode()
    for text in (signs, "\t !", "fgh", r"[\]^_`abc", "{|}~ gr", "e \0 aft"):
        assert _has_trigrams(both.host, text, body)


def test_two_words_that_stand_apart_have_not_the_trigrams_of_both(both: Both) -> None:
    apart = b"the type of content\nis in content type, type=content (content/type) content_type content\ntype"
    assert _has_trigrams(both.host, "ontent-typ", b"Content-Type: text")
    assert not _has_trigrams(both.host, "ontent-typ", apart)


@pytest.mark.usefixtures("unnoted")
def test_contents_of_an_older_database_are_found_once_it_is_migrated(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("test_hosted_index.AREA", Area(AREA.name, AREA.migrations[:6]))
        host = Host(database)
    with closing(host):
        for name, files in _ROOTS.items():
            host.update(files, COMMITS[0], name=name)
        assert [one.name for _, one in migrate(DatabaseAddress.parse(database), [AREA])] == ["trigrams"]
        with _on_disk(tmp_path) as disk, hosted(host) as other:
            texts = ("arse_quer", "alues[inde", "eedle in a haysta", "ef parse_query(", "measur")
            assert differences(disk, other, [("search_text", {"query": text}) for text in texts]) == []
