"""A search finds all lines at the first ask, shows the best first, and its complete result stays in tree order."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp_types import TextContent, TextResourceContents

from conftest import Asking, Open, write
from leadline_server.app import build
from leadline_server.call import LOCAL, Request
from leadline_tools.index.store import word_list
from leadline_tools.index.store.rows import Words
from leadline_tools.index.store.sqlite_rows import SqliteRows
from leadline_tools.index.store.words import WordPart
from leadline_tools.index.text.required_literals import Run, required_by_pattern
from leadline_tools.index.text.scan import finder
from leadline_tools.model import TextMatch
from leadline_tools.search_text.matches import CHANGED, TextMatches
from leadline_tools.search_text.ranking import BestFirst

SHOP = {
    "app/cart.py": "# parcel notes\n\n\ndef send(parcel):\n    return parcel\n\n\nclass Parcel:\n    pass\n",
    "app/index.py": "from app.cart import Parcel\n",
    "docs/guide.md": "A parcel is sent.\n",
    "tests/test_cart.py": "from app.cart import Parcel\n\n\ndef test_parcel():\n    Parcel()\n",
}


def shown(text: str) -> list[str]:
    """Return the paths and line numbers of an answer in their order."""
    path, found = "", list[str]()
    for line in text.splitlines()[1:]:
        number, lean = re.match(r"(\d+): ", line), re.fullmatch(r"(?:([\w/.]+\.\w+):|also) ([\d,]+)", line)
        if lean is not None:
            path = lean[1] or path
            found += [f"{path}:{one}" for one in lean[2].split(",")]
        elif number is not None:
            found.append(f"{path}:{number[1]}")
        elif re.fullmatch(r"[\w/.]+\.\w+", line):
            path = line
    return found


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("shop"), SHOP))


def test_definitions_come_first_then_code_comments_tests_and_prose(shop: Asking) -> None:
    assert shown(shop("search_text", query="parcel")) == [
        "app/cart.py:8",
        "app/cart.py:4",
        "app/cart.py:5",
        "app/index.py:1",
        "app/cart.py:1",
        "tests/test_cart.py:4",
        "tests/test_cart.py:1",
        "tests/test_cart.py:5",
        "docs/guide.md:1",
    ]


def test_the_complete_result_is_in_the_order_of_the_files(shop: Asking) -> None:
    question = Request("search_text", {"query": "parcel", "max_tokens": 60}, store=True)
    response = shop.session.call(question)
    assert "app/cart.py\n8: class Parcel:" in response.text
    _, result = shop.session.store.get(response.uri, LOCAL)
    places = [(one.path, one.line) for one in result.items if isinstance(one, TextMatch)]
    assert places == sorted(places)
    assert len(places) == 9
    whole = json.loads(shop.session.read_all(response.uri, 0))
    assert [(one["path"], one["line"]) for one in whole["items"]] == places
    assert (whole["total"], whole["order"]) == (9, "path")


@st.composite
def walks(draw: st.DrawFn) -> tuple[dict[str, str], list[int]]:
    """Return files of several kinds that hold a word, and the budgets of pages that are read one after the other."""
    names: tuple[str, ...] = (
        "app/cart.py",
        "app/index.py",
        "docs/guide.md",
        "tests/test_cart.py",
        "vendor/one.py",
        "data.csv",
        "z.py",
    )
    lines: tuple[str, ...] = (
        "def parcel():",
        "class Parcel:",
        "    return parcel",
        "# parcel",
        "parcel parcel",
        "nothing",
    )
    texts = st.lists(st.sampled_from(lines), min_size=1, max_size=12).map(lambda some: "\n".join([*some, ""]))
    files = draw(st.dictionaries(st.sampled_from(names).map(str), texts, min_size=1))
    return files, draw(st.lists(st.integers(60, 300), min_size=1, max_size=5))


async def lines_of_all_pages(asking: Asking, budgets: Sequence[int]) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return over the protocol: the lines page by page, those of one large page, and the resource as JSON."""
    async with Client(build(asking.session), cache=None) as client:

        async def ask(tool: str, **arguments: object) -> str:
            (content,) = (await client.call_tool(tool, arguments)).content
            assert isinstance(content, TextContent)
            return content.text

        text = await ask("search_text", query="parcel", max_tokens=budgets[0])
        whole = await ask("search_text", query="parcel", max_tokens=9_000)
        uri, found = "".join(re.findall(r"^all: (\S+)$", text, re.MULTILINE)), shown(text)
        page = 0
        while uri and len(found) < len(shown(whole)):
            page += 1
            offered = re.search(r"read_result\(uri=\S+ offset=(\d+)\)", text)
            assert offered is None or int(offered[1]) == len(found)
            text = await ask("read_result", uri=uri, offset=len(found), max_tokens=budgets[page % len(budgets)])
            assert shown(text), text
            found += shown(text)
        resource = (await client.read_resource(uri)).contents[0] if uri else None
        return found, shown(whole), json.loads(resource.text) if isinstance(resource, TextResourceContents) else {}


@settings(deadline=None, max_examples=25)
@given(walk=walks())
def test_whoever_pages_from_an_answer_to_its_end_sees_each_line_once_in_the_order_of_the_answer(
    walk: tuple[dict[str, str], list[int]], tmp_path_factory: pytest.TempPathFactory, opened: Open
) -> None:
    files, budgets = walk
    wanted = [
        f"{path}:{number}"
        for path, text in sorted(files.items())
        for number, line in enumerate(text.splitlines(), 1)
        if "parcel" in line.lower()
    ]
    asking = opened(write(tmp_path_factory.mktemp("walk"), files))
    found, best_first, resource = anyio.run(lines_of_all_pages, asking, budgets)
    assert found == best_first
    assert sorted(found) == sorted(wanted)
    if resource:
        assert [f"{one['path']}:{one['line']}" for one in resource["items"]] == wanted
        assert resource["order"] == "path"


def test_the_same_question_has_the_same_answer_once_it_is_stored(shop: Asking) -> None:
    question = Request("search_text", {"query": "parcel", "max_tokens": 100})
    assert shop.session.call(question).text == shop.session.call(question).text


def test_a_part_of_a_word_is_found_in_words_that_came_after_the_list_of_words(tmp_path: Path, opened: Open) -> None:
    files = {f"d{number}/f{number}.txt": f"word_{number} other\n" for number in range(60)}
    cut = "x" * 33_000 + "needle"  # FTS5 keeps the first 32,768 bytes of a word
    root = write(tmp_path, {**files, "cut.txt": f"{cut}\n", "held.txt": "one_needles\n", "end.txt": "oneneedle.\n"})
    ask = opened(root)
    index = ask.session.index
    assert index.settle(60)
    assert sorted(index.words.files_meeting([(Run("needle"),)]) or ()) == ["cut.txt", "end.txt", "held.txt"]
    assert sorted(index.words.files_meeting([(Run("needle", closes=True),)]) or ()) == ["cut.txt", "end.txt"]
    write(root, {"d7/f7.txt": "knee_needle_work\n", "held.txt": "nothing\n"})
    assert shown(ask("search_text", query="needle")) == ["cut.txt:1", "d7/f7.txt:1", "end.txt:1"]
    assert shown(ask("search_text", query=r"e_needle_\w+", regex=True)) == ["d7/f7.txt:1"]


def test_a_list_of_words_that_is_written_while_it_is_asked_for_hides_no_file() -> None:
    rows = SqliteRows(None)
    with rows.writing() as writer:
        writer.put_words(Words.Text, 7, "one_needle")
    connection = rows.database.connection()

    class Overtaken:
        """A connection that finds the list written between two of its questions."""

        def execute(self, sql: str, *given: Any) -> Any:
            if "word_block" in sql:
                word_list.settle(rows.database, lambda: False)
            return connection.execute(sql, *given)

    overtaken: Any = Overtaken()
    assert word_list.files_with_part(overtaken, [WordPart("needle", ends=False)], 10) == [7]
    assert connection.execute("select count(*) from unlisted").fetchall() == [(0,)]
    assert word_list.files_with_part(connection, [WordPart("needle", ends=True)], 10) == [7]
    rows.close()


def test_a_frequent_text_is_counted_to_the_last_line(tmp_path: Path, opened: Open) -> None:
    files = {f"d{number % 7}/f{number}.txt": "needle\n" * (number * 10) for number in range(1, 80)}
    ask = opened(write(tmp_path, files))
    text = ask("search_text", query="needle", max_tokens=300)
    assert "of 31,600 lines in 79 files" in text
    left = re.search(r"left out ([\d,]+)", text)
    first = re.search(r"1-(\d+) of", text)
    assert left is not None
    assert first is not None
    assert int(left[1].replace(",", "")) + int(first[1]) == 31_600


def test_a_line_that_has_changed_since_it_was_found_is_said_to_have(tmp_path: Path, opened: Open) -> None:
    root = write(tmp_path, {f"{name}.txt": "needle one\nneedle two\n" for name in "abc"})
    ask = opened(root)
    uri = ask.session.call(Request("search_text", {"query": "needle"}, store=True)).uri
    write(root, {"b.txt": "needle one\nthread two\n"})
    page = ask("read_result", uri=uri)
    assert f"2: {CHANGED}" in page
    assert page.count("needle two") == 2


def test_an_expression_stays_in_a_line_unless_it_names_the_end_of_one(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.txt": "one\ntwo\none two\n"}))
    assert "1 line, complete" in ask("search_text", query=r"one\s+two", regex=True)
    assert "1 line, complete" in ask("search_text", query=r"one[^x]two", regex=True)
    assert "1 line, complete" in ask("search_text", query=r"one\ntwo", regex=True)
    assert "2 lines, complete" in ask("search_text", query=r"(?s)one.two", regex=True)


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        (r"\w+@", [1, 2]),
        (r"^\w+$", [3]),
        (r"\d", [4, 5]),
        (r"\W@", []),
        (r"[\w.]@", [1, 2]),
        (r"a\sb", [6]),
        (r"\bx\b", [1, 2]),
        (r"\bstra", [3]),
    ],
)
def test_classes_of_characters_are_those_of_unicode(
    tmp_path: Path, opened: Open, pattern: str, lines: list[int]
) -> None:
    ask = opened(write(tmp_path, {"a.txt": "é@x y\na@x y\nstraße\n٣ .\n3 .\na\u00a0b\néx xé\n"}))
    found = shown(ask("search_text", query=pattern, regex=True))
    assert sorted(int(one.rpartition(":")[2]) for one in found) == lines


OPENS, CLOSES = r"(?<!\w)", r"(?!\w)"
PIECES = st.sampled_from(
    ["ab", "_", "c+", "d*", "(ab|cd)", "[ab]", "[^ab]", r"\s*", r"\s+", r"\b", "(", "e?", ".", r"\.", "x{2}", "^", " "]
)


@settings(max_examples=300)
@example(r"\b\.", "_.")
@given(st.lists(PIECES, max_size=6).map("".join), st.text("abcdex_. \n", max_size=20))
def test_every_match_holds_one_text_of_each_clause_with_the_limits_of_its_words(pattern: str, text: str) -> None:
    pattern = pattern.replace("(", "(?:", 1) if pattern.count("(") == pattern.count(")") else pattern.replace("(", "")
    if pattern.count("(") != pattern.count(")"):
        pattern = pattern.replace(")", "").replace("|", "")
    find = finder(pattern or "a", regex=True)
    for start, end in find.spans(text.encode()):
        around = f" {text} "[start : end + 2]
        for clause in required_by_pattern(pattern).clauses:
            assert any(
                re.search(OPENS * run.opens + re.escape(run.text) + CLOSES * run.closes, around) for run in clause
            ), (clause, around)


@given(st.lists(st.integers(0, 30), unique=True, max_size=10), st.integers(31, 40))
def test_what_is_shown_first_is_followed_by_everything_else(first: list[int], total: int) -> None:
    order = BestFirst(first, total)
    assert list(order) == [*first, *(number for number in range(total) if number not in first)]


@pytest.mark.parametrize("query", ["needle", "Kelvin", "été", "a b"])
@pytest.mark.parametrize("word", [False, True])
@pytest.mark.parametrize("case_sensitive", [False, True])
def test_lines_are_those_in_which_spans_begin(query: str, word: bool, case_sensitive: bool) -> None:
    chance = random.Random(5)
    pieces = [query, query.upper(), f"x{query}", f"{query}é", "\u212aelvin", " ", "\n", "_", "a  b", "\r\n"]
    find = finder(query, word=word, case_sensitive=case_sensitive)
    for _ in range(200):
        content = "".join(chance.choices(pieces, k=chance.randrange(12))).encode()
        lines = dict.fromkeys(content.count(b"\n", 0, start) + 1 for start, _ in find.spans(content))
        assert find.lines(content) == list(lines)
        assert find.may_hold(content) or not lines


@pytest.mark.parametrize(
    "query", ["needle|Kelvin", "(?:x|needle)", "[kn]eedle", "(?-i:needle)", "(?i)needle|k", "été|x"]
)
@pytest.mark.parametrize("case_sensitive", [False, True])
def test_lines_of_alternatives_are_those_in_which_spans_begin(query: str, case_sensitive: bool) -> None:
    chance = random.Random(6)
    pieces = ["needle", "NEEDLE", "kEEdle", "x", "Kelvin", "\u212aelvin", "été", "ÉTÉ", "_", " ", "\n", "\r\n"]
    find = finder(query, regex=True, case_sensitive=case_sensitive)
    for _ in range(300):
        content = "".join(chance.choices(pieces, k=chance.randrange(12))).encode()
        lines = dict.fromkeys(content.count(b"\n", 0, start) + 1 for start, _ in find.spans(content))
        assert find.lines(content) == list(lines)
        assert find.may_hold(content) or not lines


def test_matches_are_made_only_where_they_are_looked_at(shop: Asking) -> None:
    question = Request("search_text", {"query": "parcel"}, store=True)
    _, result = shop.session.store.get(shop.session.call(question).uri, LOCAL)
    assert isinstance(result.items, TextMatches)
    assert result.items.path(0) == "app/cart.py"
    assert result.items.files() == {"app/cart.py": 4, "app/index.py": 1, "docs/guide.md": 1, "tests/test_cart.py": 3}
    assert result.items[1:3].files() == {"app/cart.py": 2}
