"""Lines that do not parse: an outline or a list of members that may lack something says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.index.request_scope import maybe_declared

BROKEN = {
    "a.py": "class Box:\n    def weigh(self:\n        return 1\n\n    def tilt(self):\n        pass\n",
    "b.kt": "package b\n\nclass Whole {\n    fun weigh() = 1\n}\n",
    "body.ts": "class Page {\n  show() {\n    let of = = 1;\n  }\n}\n",
    "calls.c": 'module_init(start)\nMODULE_LICENSE("GPL")\nint main(void) { return 0; }\n',
}


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, BROKEN))


def test_an_outline_says_which_lines_did_not_parse_and_is_not_complete(ask: Asking) -> None:
    text = ask("document_symbols", path="a.py")
    assert "complete" not in text.partition("\n")[0]
    assert "line 2 did not parse: symbols there may be missing" in text
    page = ask.session.call(Request("document_symbols", {"path": "a.py"}, as_json=True)).text
    assert json.loads(page)["complete"] is False


def test_the_members_of_a_type_whose_body_does_not_parse_are_not_complete(ask: Asking) -> None:
    text = ask("type_members", symbol="a.py:1")
    assert "complete" not in text.partition("\n")[0]
    assert "did not parse" in text


@pytest.mark.parametrize("path", ["b.kt", "body.ts", "calls.c"])
def test_what_hides_no_symbol_leaves_an_outline_complete(path: str, ask: Asking) -> None:
    text = ask("document_symbols", path=path)
    assert "complete" in text.partition("\n")[0]
    assert "did not parse" not in text


LOST = {
    "V.kt": (
        "class V : Base() {\n    fun first() {\n        go()\n    }\n    val x = when {\n    fun show(x: Int) {\n"
        "        go()\n    }\n    fun other() { a { }\n}\n"
    ),
    "S.kt": "fun screen(v: V) {\n    v.first()\n}\n",
}


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy"])
def test_uses_of_what_is_in_lines_that_did_not_parse_are_not_complete(tool: str, tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, LOST))(tool, symbol="V.kt:2")
    assert "complete" not in text.partition("\n")[0]
    assert "did not parse" in text


HEADS = {
    "base.kt": "package p\n\nopen class Base {\n    open fun go() {}\n}\n",
    "lost.kt": (
        "package p\n\nclass Lost(val a: Int) : Base() {\n    val x = = when {\n    fun weigh(x: Int) {\n"
        "    override fun go() { }\n"
    ),
    "known.kt": "package p\n\nclass Known : Base() {\n    override fun go() {}\n}\n",
}


@pytest.mark.parametrize(("name", "line"), [("Lost", 3), ("weigh", 5)])
def test_a_search_by_name_tells_where_lines_that_did_not_parse_may_declare_it(
    name: str, line: int, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, HEADS))
    text = ask("symbol_search", query=name, match="exact")
    assert "complete" not in text.partition("\n")[0]
    assert f"may also be declared in lines that did not parse: lost.kt:{line}" in text
    assert (
        f"lines that did not parse may declare it: lost.kt:{line}" in ask.response("find_references", symbol=name).text
    )


@pytest.mark.parametrize(
    ("asked", "match", "place"),
    [
        ("Los", "auto", "lost.kt:3 (Lost)"),
        ("los", "prefix", "lost.kt:3 (Lost)"),
        ("eig", "substring", "lost.kt:5 (weigh)"),
        ("Los", "exact", ""),
        ("eig", "prefix", ""),
        ("Known", "auto", ""),
    ],
)
def test_a_search_by_a_part_of_a_name_tells_where_lines_that_did_not_parse_may_declare_one(
    asked: str, match: str, place: str, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, HEADS))("symbol_search", query=asked, match=match)
    assert (f"may also be declared in lines that did not parse: {place}" in text) == bool(place)
    assert ("no certain symbols" in text.partition("\n")[0]) == bool(place)


def test_an_edit_changes_which_names_lines_that_did_not_parse_may_declare(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, HEADS))
    assert "(Lost)" in ask("symbol_search", query="Los")
    (tmp_path / "lost.kt").write_text("package p\n\nclass Found(val a: Int) : Base() {\n    fun (\n}\n")
    ask.session.index.refresh()
    assert "Lost" not in ask("symbol_search", query="Los")


def test_where_many_files_did_not_parse_a_search_by_a_part_of_a_name_says_that_it_lacks_them(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maybe_declared, "_MOST_FILES", 0)
    ask = opened(write(tmp_path, HEADS))
    text = ask("symbol_search", query="Los")
    assert "only whole names are looked for in 1 file with lines that did not parse" in text
    assert "complete" not in text.partition("\n")[0]
    assert "lost.kt:3" in ask("symbol_search", query="Lost")
    assert "only whole names" not in ask("symbol_search", query="Los", match="exact")


def test_a_type_in_lines_that_did_not_parse_is_an_undecided_subtype(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, HEADS))("find_implementations", symbol="base.kt:3")
    assert "1 subtype, 1 undecided" in text.partition("\n")[0]
    assert "known.kt" in text
    assert "undecided: lost.kt\n3: class Lost(val a: Int) : Base() {" in text


def test_names_that_are_declared_where_all_lines_parse_are_found_completely(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, HEADS))
    assert "symbol_search Known: 1 symbol, complete" in ask("symbol_search", query="Known")
    assert "did not parse" not in ask("symbol_search", query="Known")


def test_directives_and_keywords_are_no_names_that_lines_which_did_not_parse_declare(
    tmp_path: Path, opened: Open
) -> None:
    source = "struct box {\n  int a;\n#if defined(X)\n  int (b;\n#endif\n  const struct lid (c {\n};\n"
    ask = opened(write(tmp_path, {"a.c": source}))
    for name in ("defined", "const", "struct"):
        assert "did not parse" not in ask("symbol_search", query=name, match="exact")


def test_a_name_in_a_script_that_did_not_parse_has_its_line_in_the_file(tmp_path: Path, opened: Open) -> None:
    component = (
        "<template>\n  <p>{{ a }}</p>\n</template>\n\n"
        "<script lang='ts'>\nclass Lost {\n  weigh( { = \n}\nconst fine = 1\n</script>\n"
    )
    ask = opened(write(tmp_path, {"A.vue": component}))
    found = ask("symbol_search", query="fine", match="exact")
    assert "A.vue\n9 " in found or "may also be declared in lines that did not parse: A.vue:9" in found


GUARD = (
    '#ifndef API_H\n#define API_H\n#ifdef __cplusplus\nextern "C" {\n#endif\n'
    "int start(void);\nstruct box { int size; };\n"
)
STOP = "int stop(int code);\n"
END = "\n#ifdef __cplusplus\n}\n#endif\n#endif\n"
HEADERS = {
    "members": GUARD + "union any {\n  /* all */\n  HANDLES(XX)\n  REQUESTS(XX)\n};\n" + STOP + END,
    "enumerators": GUARD
    + "enum kind {\n  FIRST,\n#define XX(name) name,\n  HANDLES(XX)\n#undef XX\n  MORE\n  LAST\n};\n"
    + STOP
    + END,
}


@pytest.mark.parametrize("kind", HEADERS)
def test_macros_that_declare_members_or_enumerators_hide_nothing_of_a_header(
    kind: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(
        write(tmp_path, {"api.h": HEADERS[kind], "a.c": '#include "api.h"\nint f(void) { return start(); }\n'})
    )
    assert "complete" in ask("document_symbols", path="api.h").partition("\n")[0]
    for name in ("start", "stop", "box.size"):
        assert "complete" in ask("find_references", symbol=f"api.h:{name}").partition("\n")[0], name


def test_what_is_declared_before_the_lines_that_did_not_parse_is_complete(tmp_path: Path, opened: Open) -> None:
    header = GUARD + "union any {\n  int } } ( {{ HANDLES(XX) ;\nint stop(int code) {\n" + END
    ask = opened(write(tmp_path, {"api.h": header, "a.c": '#include "api.h"\nint f(void) { return start(); }\n'}))
    assert "lines 8-" in ask("document_symbols", path="api.h")
    assert "complete" in ask("find_references", symbol="api.h:start").partition("\n")[0]


def test_what_follows_the_end_of_a_condition_is_among_what_did_not_parse(tmp_path: Path, opened: Open) -> None:
    broken = "#ifdef A\nint first(void);\n#endif\nstruct lost {\n  int } } ( {{ weight ;\nint stop(int code) {\n"
    ask = opened(write(tmp_path, {"api.h": GUARD + broken + END}))
    assert "did not parse" in ask("document_symbols", path="api.h")
    assert "complete" not in ask("symbol_search", query="lost", match="exact").partition("\n")[0]
