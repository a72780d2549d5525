"""find_code: a question in words finds the place, with the reason; what is beside the product comes later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.errors import NoSuchSymbol
from leadline_tools.find_code.question import parse_question
from leadline_tools.find_code.stems import stem
from leadline_tools.index.index import Index
from leadline_tools.model import CodeMatch
from leadline_tools.resolve.call_hierarchy import caller_note
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS

RETRY = '''"""Sends requests again that have failed."""


class RetryPolicy:
    """How often a failed request is sent again, and how long to wait before."""

    def backoff(self, attempt):
        """Return the seconds to wait, which grow exponentially."""
        return 2 ** attempt


def send_with_retries(request, policy):
    for attempt in range(3):
        request.send()
'''

FILES = {
    "client/retry.py": RETRY,
    "client/auth.py": '''class Login:
    def check(self, name, password):
        """Authenticate a user by the hash of the password."""
        return name == password
''',
    "client/config.py": "def load_cfg(path):\n    return open(path)\n\n\nTIMEOUT = 3\n",
    "client/session.py": "class Session:\n    def close(self):\n        pass\n\n    def retry(self):\n        pass\n",
    "tests/test_retry.py": "def test_retry_policy_backoff():\n    failed = 'retry policy backoff of failed requests'\n",
    "vendor/retry/retry.py": RETRY,
    "docs/release.md": "# Releases\n\nHow a release is published:\n\n## Sign the tarball\n\nRun the signing script.\n",
    "settings/deploy.yaml": "canary:\n  percentage: 5\n",
    "web/HttpServer.ts": "export class HttpServer {\n  listenOnPort(port: number): void {}\n}\n",
    "data/words.txt": "\n".join(f"line {number}" for number in range(50)) + "\nzebra crossing\nzebra\n",
}


@pytest.fixture(scope="module")
def tree(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return opened(write(tmp_path_factory.mktemp("client"), FILES))


def answered(asking: Asking, query: str, **arguments: object) -> Result:
    result = TOOLS["find_code"].run(asking.session.index, query=query, **arguments)
    assert isinstance(result, Result)
    return result


def places(asking: Asking, query: str, **arguments: object) -> list[CodeMatch]:
    found = answered(asking, query, **arguments).items
    return [item for item in found if isinstance(item, CodeMatch)]


def named(asking: Asking, query: str, **arguments: object) -> list[str]:
    return [f"{item.symbol.path}:{item.symbol.name}" for item in places(asking, query, **arguments)]


def test_a_question_in_words_finds_the_symbol_that_does_it(tree: Asking) -> None:
    first = places(tree, "how long do we wait before a failed request is sent again")[0].symbol
    assert (first.path, first.name, first.line) == ("client/retry.py", "RetryPolicy", 4)


def test_forms_of_a_word_and_its_abbreviations_are_the_same_word(tree: Asking) -> None:
    assert named(tree, "authentication of users")[0] == "client/auth.py:check"
    assert named(tree, "loading the configuration")[0] == "client/config.py:load_cfg"


def test_parts_of_names_are_words(tree: Asking) -> None:
    assert named(tree, "listen on a port")[0] == "web/HttpServer.ts:listenOnPort"


def test_a_name_as_code_spells_it_finds_its_definition_first(tree: Asking) -> None:
    assert named(tree, "Session.retry")[0] == "client/session.py:retry"
    assert named(tree, "RetryPolicy")[0] == "client/retry.py:RetryPolicy"


def test_each_file_has_one_place_and_other_symbols_stand_beside_it(tree: Asking) -> None:
    found = places(tree, "retry policy backoff")
    paths = [item.symbol.path for item in found]
    assert len(paths) == len(set(paths))
    assert "backoff" in [other.name for other in found[0].beside] + [found[0].symbol.name]


def test_tests_and_copies_come_after_the_product_and_are_marked(tree: Asking) -> None:
    found = places(tree, "retry policy backoff of failed requests")
    assert (found[0].symbol.path, found[0].mark) == ("client/retry.py", "")
    marks = {item.symbol.path: item.mark for item in found}
    assert marks["tests/test_retry.py"] == "test"
    assert marks["vendor/retry/retry.py"] == "vendored"
    assert "tests/test_retry.py  [test]" in tree("find_code", query="retry policy backoff of failed requests")


def test_tests_rank_like_other_code_where_they_are_asked_for(tree: Asking) -> None:
    def score(query: str, **arguments: object) -> float:
        found = {item.symbol.path: item.score for item in places(tree, query, **arguments)}
        return found["tests/test_retry.py"]

    assert score("retry policy backoff", tests=True) > score("retry policy backoff")


def test_documentation_and_configuration_are_found_by_section_and_marked(tree: Asking) -> None:
    section = places(tree, "sign the tarball of a release")[0]
    assert (section.symbol.path, section.symbol.name, section.mark) == (
        "docs/release.md",
        "Sign the tarball",
        "documentation",
    )
    assert places(tree, "canary percentage")[0].mark == "configuration"


def test_a_file_without_symbols_gives_the_lines_in_which_the_words_are(tree: Asking) -> None:
    place = places(tree, "zebra crossing")[0]
    assert (place.symbol.path, place.symbol.line, place.symbol.end_line) == ("data/words.txt", 51, 52)
    assert "51-52 zebra crossing" in tree("find_code", query="zebra crossing")


def test_a_kind_leaves_only_symbols_of_that_kind(tree: Asking) -> None:
    found = places(tree, "retry policy backoff", kind="Method")
    assert {item.symbol.kind.value for item in found} == {"Method"}
    assert found[0].symbol.name == "backoff"


def test_a_path_leaves_only_its_files(tree: Asking) -> None:
    assert {item.symbol.path for item in places(tree, "retry policy", path="vendor")} == {"vendor/retry/retry.py"}
    assert "vendor/retry/retry.py" not in {item.symbol.path for item in places(tree, "retry", path="!vendor/**")}


def test_full_detail_says_which_word_matched_where(tree: Asking) -> None:
    text = tree("find_code", query="exponential backoff", detail="full")
    assert "  matches exponential: documentation, body; backoff: name, body" in text


def test_json_has_the_words_and_in_full_where_they_matched(tree: Asking) -> None:
    def first(**arguments: object) -> dict[str, object]:
        asked = {"query": "exponential backoff", **arguments}
        uri = tree.session.call(Request("find_code", asked, store=True)).uri
        items: list[dict[str, object]] = json.loads(tree("read_result", uri=uri, format="json"))["items"]
        return items[0]

    assert (first()["path"], first()["words"]) == ("client/retry.py", ["exponential", "backoff"])
    assert first(detail="full")["matches"] == {
        "exponential": ["documentation", "body"],
        "backoff": ["name", "body"],
    }


def test_the_same_question_has_the_same_answer(tree: Asking) -> None:
    assert named(tree, "retry the session") == named(tree, "retry the session")


def test_words_that_no_file_has_are_answered_with_the_map(tree: Asking) -> None:
    result = answered(tree, "xylophone quartets")
    assert not result.items
    assert [call.tool for call in result.calls] == ["repo_map"]
    assert "no file has these words" in tree("find_code", query="xylophone quartets")


def test_a_question_without_a_word_is_refused(tree: Asking) -> None:
    assert "it has no word" in tree.error("find_code", query=" ?! ")


def test_a_search_of_several_words_that_finds_nothing_offers_the_question(tree: Asking) -> None:
    for tool in ("symbol_search", "search_text"):
        assert 'next: find_code(query="wait for failed request")' in tree(tool, query="wait for failed request")
        assert "find_code" not in tree(tool, query="xylophone quartets")


def test_a_file_that_is_new_is_found_before_it_is_indexed(opened: Open, tmp_path: Path) -> None:
    fresh = opened(write(tmp_path, {"a.py": "def wash_dishes():\n    pass\n"}))
    (tmp_path / "b.py").write_text("def paint_fence():\n    pass\n")
    assert "b.py" in fresh("find_code", query="painting fences")


def test_words_of_any_script_are_found_by_their_beginning(opened: Open, tmp_path: Path) -> None:
    files = {
        "a.py": "# 数据库连接池\ndef pool():\n    pass\n",
        "b.py": "# Die Größe der Datei\ndef size():\n    pass\n",
    }
    asking = opened(write(tmp_path, files))
    assert places(asking, "数据库")[0].symbol.path == "a.py"
    assert places(asking, "größe")[0].symbol.path == "b.py"


def test_a_long_text_as_a_question_is_answered(tree: Asking) -> None:
    assert places(tree, "retry policy backoff " + " ".join(f"word{number}" for number in range(500)))


@pytest.mark.parametrize(
    "forms",
    [
        "serialize serializer serializing serialization serialized",
        "validate validation validator validating valid",
        "parse parser parsing parsed parses",
        "schedule scheduler scheduling scheduled",
        "configure configuration configured",
        "query queries querying",
        "register registered registers",
        "format formatter formatting formatted",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len(set(map(stem, forms.split()))) == 1


def test_words_that_say_nothing_are_left_out_and_names_are_kept() -> None:
    question = parse_question("how is the std.mem.copyForwards function used")
    assert [term.word for term in question.terms] == ["std", "mem", "copy", "forwards", "function"]
    assert question.names == (("std", "mem", "copyForwards"),)


def test_an_answer_says_where_more_files_have_the_words_than_were_ranked(opened: Open, tmp_path: Path) -> None:
    source = "def flush_{0}():\n    'flush the cache'\n"
    files = {f"{folder}/{number}.py": source.format(number) for folder in "ab" for number in range(20)}
    asking = opened(write(tmp_path / "caches", files))
    note = "more files have these words than were ranked: narrow path or add words"
    assert note in asking("find_code", query="flush the cache", max_tokens=9_000)
    assert note not in asking("find_code", query="flush the cache", path="a", max_tokens=9_000)


CACHE = """def flush_cache():
    'Flush the whole cache.'


def stop():
    flush_cache()
"""


def test_the_callers_of_the_best_function_are_named_those_of_tests_counted(opened: Open, tmp_path: Path) -> None:
    use = "from cache import flush_cache\n\n\ndef {0}(x):\n    flush_cache()\n    x.flush_cache()\n"
    asking = opened(
        write(tmp_path, {"cache.py": CACHE, "web.py": use.format("reload"), "tests/test_a.py": use.format("test_it")})
    )
    text = asking("find_code", query="flush the whole cache")
    assert "callers of flush_cache: stop :6, reload web.py:5, 1 in tests and the like" in text


def test_the_callers_of_a_function_whose_name_many_files_have_are_not_looked_up(opened: Open, tmp_path: Path) -> None:
    use = "from cache import flush_cache\n\nflush_cache()\n"
    files = {"cache.py": CACHE, **{f"use_{number}.py": use for number in range(12)}}
    assert "callers of" not in opened(write(tmp_path, files))("find_code", query="flush the whole cache")


def test_a_function_that_cannot_be_resolved_any_more_costs_the_answer_only_its_callers(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve_nothing(_: Index, address: str) -> NoReturn:
        raise NoSuchSymbol(address)

    asking = opened(write(tmp_path, {"cache.py": CACHE}))
    monkeypatch.setattr(caller_note, "resolve_address", resolve_nothing)
    text = asking("find_code", query="flush the whole cache")
    assert "flush_cache" in text
    assert "callers of" not in text
