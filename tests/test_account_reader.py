"""The account of an answer: no file that may hold a use is left out of it in silence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, Open, late_facts, write
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.account import Account, Omission, Omitted, account_of_all
from leadline_tools.index.index import Index
from leadline_tools.index.indexing import indexer, texts
from leadline_tools.index.workers import worker
from leadline_tools.index.workspace import Workspace
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.references.references import references

FOO = "def foo():\n    pass\n"


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have files of more than a kilobyte be too large for the index."""
    monkeypatch.setattr(indexer, "LARGEST_TEXT", 1_000)
    monkeypatch.setattr(texts, "LARGEST_TEXT", 1_000)


@pytest.mark.usefixtures("small_limit")
def test_code_that_is_too_large_for_the_index_is_not_examined(tmp_path: Path, opened: Open) -> None:
    pad = "x\n" * 1_000
    files = {"a.py": FOO, "big.py": f"from a import foo\nfoo()\n{pad}", "big.txt": f"foo foo\n{pad}", "big.js": pad}
    answer = opened(write(tmp_path, files))("find_references", symbol="foo")
    assert "complete" not in answer
    assert "account: exact 1, text 2" in answer
    assert "not examined: 2 in big.py, too large for the index" in answer


@pytest.mark.usefixtures("small_limit")
def test_large_text_leaves_an_answer_complete(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.py": FOO, "big.md": "foo bar\n" * 1_000}))
    for _ in range(2):
        answer = ask("find_references", symbol="foo")
        assert "1 reference, complete" in answer
        assert "text 1,000" in answer


def test_a_late_file_outside_of_the_folder_asked_about_may_rename_the_symbol(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.py": FOO, "b.py": "from a import foo as bar\n", "src/c.py": "from b import bar\n\nbar()\nfoo = 1\n"}
    ask = opened(write(tmp_path, files))
    with monkeypatch.context() as patch:
        late_facts(patch, lambda path: path == "b.py")
        answer = ask("find_references", symbol="a.py:1", path="src")
    assert "complete" not in answer
    assert "not examined: b.py" in answer
    assert "bar()" in ask("find_references", symbol="a.py:1", path="src")


BASE = "class Base:\n    pass\n"
TOO_LONG = "# pad\n" * (worker.LARGEST // 6 + 1)


def test_a_subtype_in_a_file_that_cannot_be_parsed_is_not_denied(tmp_path: Path, opened: Open) -> None:
    long = f"from a import Base\n\n\nclass Sub(Base):\n    pass\n{TOO_LONG}"
    answer = opened(write(tmp_path, {"a.py": BASE, "long.py": long, "other.py": TOO_LONG}))(
        "find_implementations", symbol="Base"
    )
    assert "no subtypes" not in answer
    assert "not examined: 1 in long.py, which could not be parsed" in answer


def test_a_subtype_in_a_secret_file_is_not_denied(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": BASE, ".aws/hidden.py": "from a import Base\n\n\nclass Sub(Base):\n    pass\n"}
    answer = opened(write(tmp_path, files))("find_implementations", symbol="Base")
    assert "no subtypes" not in answer
    assert ".aws/hidden.py, which is secret" in answer


def test_types_that_fit_an_interface_are_not_denied_where_their_facts_are_late(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "go.mod": "module example.com/m\n",
        "a.go": "package m\n\ntype Shape interface {\n\tArea() int\n}\n",
        "b.go": "package m\n\ntype Square struct{}\n\nfunc (s Square) Area() int { return 1 }\n",
    }
    ask = opened(write(tmp_path, files))
    with monkeypatch.context() as patch:
        late_facts(patch, lambda path: path == "b.go")
        answer = ask("find_implementations", symbol="Shape")
        assert "no subtypes" not in answer
        assert "complete" not in answer
    assert "Square" in ask("find_implementations", symbol="Shape")


def test_callers_in_a_secret_file_are_not_denied(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": f"{FOO}\n\ndef bar():\n    foo()\n", ".aws/hidden.py": "from a import foo\n\nfoo()\n"}
    ask = opened(write(tmp_path, files))
    assert "complete" not in ask("call_hierarchy", symbol="foo")
    assert "no certain callers, 1 not examined" in ask("call_hierarchy", symbol="bar")


def test_likely_uses_are_named_where_certain_ones_alone_are_asked_for(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": "class A:\n    def foo(self):\n        pass\n", "b.py": "def f(x):\n    x.foo()\n"}
    ask = opened(write(tmp_path, files))
    answer = ask("find_references", symbol="A.foo", tier="exact", include_declaration=False)
    assert "no certain references, 1 likely" in answer


def test_the_least_page_of_json_is_complete_only_where_the_account_is(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": FOO, ".aws/hidden.py": "x = 1\n"}
    session = opened(write(tmp_path, files)).session
    arguments = {"symbol": "foo", "path": f"{'./' * 600}", "include_declaration": False, "max_tokens": 1}
    response = session.call(Request("find_references", arguments, as_json=True))
    assert not response.is_error, response.text
    page = json.loads(response.text)
    assert page["items"] == []
    assert "account" not in page
    assert page["complete"] is False


FAMILY = {
    "a.py": "class A:\n    def foo(self):\n        pass\n\n\nclass B(A):\n    def foo(self):\n        pass\n",
    "b.py": "from a import A, B\n\n\ndef f(x: A, y: B, z):\n    x.foo()\n    y.foo(); x.foo()\n    (x or y).foo()\n",
}


def test_a_use_of_a_member_and_what_overrides_it_is_listed_once(tmp_path: Path, opened: Open) -> None:
    session = opened(write(tmp_path, FAMILY)).session
    arguments = {"symbol": "foo", "include_declaration": False}
    page = json.loads(session.call(Request("find_references", arguments, as_json=True)).text)
    places = [(use["line"], column) for use in page["items"] for column in (use["column"], *use.get("again", ()))]
    assert sorted(places) == [(5, 7), (6, 7), (6, 16), (7, 14)]


def test_a_caller_of_a_member_and_what_overrides_it_is_listed_once(tmp_path: Path, opened: Open) -> None:
    files = {**FAMILY, "c.py": "from b import f\n\n\ndef g():\n    f(1, 2, 3)\n"}
    session = opened(write(tmp_path, files)).session
    arguments = {"symbol": "foo", "depth": 2}
    page = json.loads(session.call(Request("call_hierarchy", arguments, as_json=True)).text)
    assert [node["name"] for node in page["items"]] == ["f", "g"]
    assert page["items"][0]["sites"] == [[5, 7], [6, 7], [6, 16], [7, 14]]


UNDECIDED = {
    "a.py": "class A:\n    def foo(self):\n        pass\n\n\nclass B:\n    def foo(self):\n        pass\n",
    "undecided.py": "def f(x):\n    x.foo()\n",
}


def test_an_answer_that_was_given_before_in_a_turn_repeats_no_undecided_uses(tmp_path: Path, opened: Open) -> None:
    session = opened(write(tmp_path, UNDECIDED)).session
    first, second = (
        session.call(Request("find_references", {"symbol": "A.foo"}, turn="one", store=True)).text for _ in range(2)
    )
    assert "undecided: undecided.py" in first
    assert "already answered" in second
    assert "undecided: undecided.py" not in second


def _account(session: Session, tool: str, **arguments: object) -> dict[str, int]:
    """Return the account of an answer, without the reasons why something was not examined."""
    found = json.loads(session.call(Request(tool, arguments, as_json=True)).text)["account"]
    return {name: number for name, number in found.items() if isinstance(number, int) and number}


def test_the_subtypes_and_members_of_several_types_are_added_up(tmp_path: Path, opened: Open) -> None:
    text = (
        "class Base:\n    def m(self):\n        pass\n\n\nclass One(Base):\n    pass\n\n\nclass Two(Base):\n    pass\n"
    )
    session = opened(write(tmp_path, {"a.py": text, "b.py": text.replace("Two", "Other")})).session
    assert _account(session, "find_implementations", symbol="Base") == {"exact": 4}
    assert _account(session, "type_members", symbol="Base") == {"exact": 2}


def test_the_tokens_of_several_roots_are_added_up(tmp_path: Path, sessions: list[Session]) -> None:
    files = {"one/a.py": FOO, "one/b.py": "foo = 1\n", "two/a.py": FOO, "two/b.py": "foo = 1\nfoo = 2\n# foo\n"}
    write(tmp_path, files)
    roots = {name: tmp_path / name for name in ("one", "two")}
    index = Workspace([Index(folder, None, 1, name=name) for name, folder in roots.items()])
    session = Session(Config(tmp_path / "one", None, "openai", roots=roots), index)
    sessions.append(session)
    index.start()
    assert index.wait(INDEXING_SECONDS)
    found = _account(session, "find_references", symbol="a.foo")
    assert found == {"exact": 2, "other": 3, "text": 1}


def test_a_token_is_of_one_class_where_it_was_not_examined_for_one_of_two_symbols() -> None:
    one = Account(exact=1, other=39, text=60, meant_at=frozenset({("a", 1, 1)}))
    late = Omitted(Omission.Late, 95, 3)
    two = Account(exact=1, other=4, not_examined=(late,), meant_at=frozenset({("b", 1, 1)}))
    both = account_of_all([one, two])
    assert both.tokens == 100
    assert (both.exact, both.complete) == (2, False)
    assert not account_of_all([one, replace(two, not_examined=(replace(late, tokens=0),))]).complete


def test_an_answer_is_not_complete_while_words_are_still_indexed(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {"a.py": FOO}))
    coverage = ask.session.index.coverage()
    monkeypatch.setattr(Index, "coverage", lambda _: replace(coverage, texts=coverage.texts - 1))
    answer = ask("find_references", symbol="foo")
    assert "complete" not in answer
    assert "still reading" in answer


def test_an_alias_that_a_language_server_decides_is_no_token(tmp_path: Path, opened: Open) -> None:
    files = {"a.py": "class A:\n    pass\n", "b.py": "from a import A as B\n\nB()\n"}
    index = opened(write(tmp_path, files)).session.index
    found = references(index, resolve_address(index, "a.A")[0])
    aliased = [one for one in found.found if not one.spelled]
    assert aliased
    again = found.decided_again([one for one in found.found if one not in aliased])
    assert again.account.tokens == found.account.tokens
