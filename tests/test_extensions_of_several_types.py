"""Extensions of one name for several types in one file: each is a symbol, and the type of the receiver decides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Open, write

KOTLIN = {
    "a/Ext.kt": (
        "package a\n"
        "class A\n"
        "class B\n"
        "fun A.render() = 1\n"
        "fun B.render() = 2\n"
        "val A.width: Int get() = 1\n"
        "val B.width: Int get() = 2\n"
        "fun width() = 3\n"
    ),
    "a/Use.kt": (
        "package a\n"
        "fun use(a: A, b: B) {\n"
        "    a.render()\n"
        "    b.render()\n"
        "    unknown().render()\n"
        "    a.width\n"
        "    b.width\n"
        "    a.apply { render() }\n"
        "    with(b) { render() }\n"
        "    unknown().apply { render() }\n"
        "    render()\n"
        "}\n"
        "fun B.inside() = render()\n"
    ),
    "b/Imported.kt": "package b\nimport a.B\nimport a.render\nfun use(b: B) = b.render()\n",
}


def lines_of(answer: str) -> set[str]:
    """Return the lines of an answer that are certain, each with its file."""
    found: set[str] = set()
    path = ""
    for text in re.split("\nundecided:|\nnext:", answer, maxsplit=1)[0].split("\n"):
        if re.fullmatch(r"[\w/]+\.\w+", text):
            path = text
        elif (number := re.match(r"(\d+): (?!.*\[likely\])", text)) is not None:
            found.add(f"{path}:{number[1]}")
    return found


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("a/Ext.kt:4:7", {"a/Ext.kt:4", "a/Use.kt:3", "a/Use.kt:8", "b/Imported.kt:3"}),
        (
            "a/Ext.kt:5:7",
            {"a/Ext.kt:5", "a/Use.kt:4", "a/Use.kt:9", "a/Use.kt:13", "b/Imported.kt:3", "b/Imported.kt:4"},
        ),
        ("a/Ext.kt:6:7", {"a/Ext.kt:6", "a/Use.kt:6"}),
        ("a/Ext.kt:7:7", {"a/Ext.kt:7", "a/Use.kt:7"}),
    ],
)
def test_the_receiver_decides_which_extension_of_kotlin_is_used(
    symbol: str, lines: set[str], tmp_path: Path, opened: Open
) -> None:
    assert lines_of(opened(write(tmp_path, KOTLIN))("find_references", symbol=symbol)) == lines


def test_an_extension_whose_receiver_is_not_known_is_undecided(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, KOTLIN))
    for place in ("a/Use.kt:5:15", "a/Use.kt:10:23", "a/Use.kt:11:5"):
        assert "2 candidates" in ask("go_to_definition", symbol=place)
    undecided = ask("find_references", symbol="a/Ext.kt:4:7").partition("\nundecided: ")[2]
    assert re.findall(r"^(\d+):", undecided, re.MULTILINE) == ["5", "10", "11"]


def test_a_name_of_several_extensions_is_answered_for_each(tmp_path: Path, opened: Open) -> None:
    answer = opened(write(tmp_path, KOTLIN))("find_references", symbol="render")
    assert "render (2 symbols)" in answer
    assert "(2).render" not in answer


def test_an_extension_is_not_renamed_in_an_import_that_names_others(tmp_path: Path, opened: Open) -> None:
    answer = opened(write(tmp_path, KOTLIN)).error("rename_symbol", symbol="a/Ext.kt:5:7", new_name="paint")
    assert "b/Imported.kt:3: it may mean render of a/Ext.kt as well" in answer


def test_expected_and_actual_extensions_belong_together_by_their_types(tmp_path: Path, opened: Open) -> None:
    files = {
        "src/commonMain/C.kt": "package m\nclass A\nclass B\nexpect fun A.run(): Int\nexpect fun B.run(): Int\n",
        "src/jvmMain/J.kt": (
            "package m\nactual fun B.run() = 1\nactual fun A.run() = 2\n"
            "fun use(a: A, b: B) {\n    a.run()\n    b.run()\n}\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    found = lines_of(ask("find_references", symbol="src/jvmMain/J.kt:3:14"))
    assert found == {"src/commonMain/C.kt:4", "src/jvmMain/J.kt:3", "src/jvmMain/J.kt:5"}
    assert "expect fun A.run()" in ask("go_to_definition", symbol="src/jvmMain/J.kt:5:7")


def test_the_extension_of_the_nearest_base_is_meant(tmp_path: Path, opened: Open) -> None:
    code = (
        "open class Base\n"
        "class Derived : Base()\n"
        "fun Base.near() = 1\n"
        "fun Derived.near() = 2\n"
        "fun Base.far() = 1\n"
        "fun Derived.far(x: Int) = 2\n"
        "fun use(d: Derived) {\n"
        "    d.near()\n"
        "    d.far()\n"
        "}\n"
    )
    ask = opened(write(tmp_path, {"a.kt": code}))
    assert lines_of(ask("find_references", symbol="a.kt:3:10")) == {"a.kt:3"}
    assert lines_of(ask("find_references", symbol="a.kt:4:13")) == {"a.kt:4", "a.kt:8"}
    for place in ("a.kt:5:10", "a.kt:6:13"):  # of those that take something else either may be meant
        assert "9: d.far()  [likely]" in ask("find_references", symbol=place)


BESIDE = {
    "a.kt": (
        "class A\nclass B\n"
        "class Scope {\n    fun A.run() = 1\n    fun B.run() = 2\n"
        "    fun use(a: A, b: B) {\n        a.run()\n        b.run()\n    }\n}\n"
    ),
    "A.cs": (
        "class A {}\nclass B {}\n"
        "static class Ext {\n    static int run(this A a) => 1;\n    static int run(this B b) => 2;\n"
        "    static void Use(A a, B b) {\n        a.run();\n        b.run();\n    }\n}\n"
    ),
    "a.scala": (
        "class A\nclass B\n"
        "object Ext {\n  extension (a: A) def run: Int = 1\n  extension (b: B) def run: Int = 2\n"
        "  def use(a: A, b: B) = {\n    a.run\n    b.run\n  }\n}\n"
    ),
}


@pytest.mark.parametrize("path", BESIDE)
def test_the_receiver_decides_which_extension_of_a_type_is_used(path: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {path: BESIDE[path]}))
    text = BESIDE[path].split("\n")
    for line in (4, 5):
        symbol = f"{path}:{line}:{text[line - 1].index('run') + 1}"
        assert lines_of(ask("find_references", symbol=symbol)) == {f"{path}:{line}", f"{path}:{line + 3}"}
        use = f"{path}:{line + 3}:{text[line + 2].index('run') + 1}"
        assert f" in {path}:{line}" in ask("go_to_definition", symbol=use)


def test_a_static_call_of_one_of_several_extension_methods_is_likely(tmp_path: Path, opened: Open) -> None:
    code = BESIDE["A.cs"].replace("b.run();", "Ext.run(b);")
    ask = opened(write(tmp_path, {"A.cs": code}))
    assert "8: Ext.run(b);  [likely]" in ask("find_references", symbol="A.cs:4:16")


def test_what_overrides_several_extensions_is_renamed_as_a_whole(tmp_path: Path, opened: Open) -> None:
    code = (
        "class A\nclass B\n"
        "interface Units {\n    fun A.px(): Int\n    fun B.px(): Int\n}\n"
        "class Own : Units {\n    override fun A.px() = 1\n    override fun B.px() = 2\n}\n"
    )
    answer = opened(write(tmp_path, {"a.kt": code}))("rename_symbol", symbol="a.kt:4:11", new_name="dots")
    assert "4 edits" in answer


def test_a_lambda_of_the_standard_library_has_no_receiver_of_the_code_base(tmp_path: Path, opened: Open) -> None:
    code = (
        "class A\nfun A.run2() = 1\nfun run2() = 2\n"
        "fun use(xs: List<Int>) {\n    repeat(2) { run2() }\n    xs.map { run2() }\n    outside.made { run2() }\n}\n"
    )
    ask = opened(write(tmp_path, {"a.kt": code}))
    assert lines_of(ask("find_references", symbol="a.kt:3:5")) == {"a.kt:3", "a.kt:5", "a.kt:6"}
    imported = "import lib.repeat\n" + code
    ask = opened(write(tmp_path / "b", {"b.kt": imported}))
    assert lines_of(ask("find_references", symbol="b.kt:4:5")) == {"b.kt:4", "b.kt:7"}
