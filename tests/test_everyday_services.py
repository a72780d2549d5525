"""Names of everyday code in services and modules: what initializes, what labels, what is delegated and mixed in."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

INITIALIZED = {
    "d.h": (
        "#pragma once\nclass Line {\npublic:\n    explicit Line(int size);\n    int size() const;\n"
        "    static int parse(int text, int base);\n};\n"
    ),
    "d.cpp": '#include "d.h"\nLine::Line(int size) {}\nint Line::size() const { return 1; }\n',
    "u.cpp": (
        '#include "d.h"\nstatic int twice(int n) { return n; }\nint run(int key, int base) {\n'
        "    Line one(twice(key));\n    Line two(Line::parse(key, base));\n    Line three{key};\n"
        "    return one.size() + two.size();\n}\n"
    ),
}


def test_what_initializes_a_variable_is_used_where_the_grammar_sees_a_function(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, INITIALIZED))
    assert "exact 4" in ask("find_references", symbol="u.cpp:3:13")
    assert "exact 2" in ask("find_references", symbol="u.cpp:3:22")
    assert "u.cpp:2" in ask("go_to_definition", symbol="u.cpp:4:14")
    assert "u.cpp:4 run" in ask("call_hierarchy", symbol="u.cpp:2:12")
    assert "u.cpp:5 run" in ask("call_hierarchy", symbol="d.h:6:16")


def test_a_constructor_has_its_uses_from_where_it_is_defined_outside_of_its_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, INITIALIZED))
    for place in ("d.h:4:14", "d.cpp:2:7"):
        shown = ask("find_references", symbol=place)
        assert "exact 5" in shown
        assert "6: Line three{key};" in shown
        assert "u.cpp:4,5,6 run" in ask("call_hierarchy", symbol=place)


LABELS = {
    "check.h": "#define CHECK(cond, label) do { if (!(cond)) goto label; } while (0)\n",
    "n.c": (
        '#include "check.h"\nint done;\nint open_it(int fd)\n{\n    CHECK(fd > 0, fail);\n    CHECK(fd > 1, done);\n'
        "    return 0;\nfail:\n    return -1;\ndone:\n    return 1;\n}\n"
    ),
}


def test_a_macro_is_given_a_label_of_the_function_where_no_value_is_called_so(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LABELS))
    assert "n.c:8:1" in ask("go_to_definition", symbol="n.c:5:19")
    for place in ("n.c:8:1", "n.c:5:19"):
        assert "exact 2" in ask("find_references", symbol=place)
        renamed = ask("rename_symbol", symbol=place, new_name="failed")
        assert "+    CHECK(fd > 0, failed);" in renamed
        assert "+failed:" in renamed
    assert "n.c:2" in ask("go_to_definition", symbol="n.c:6:19")
