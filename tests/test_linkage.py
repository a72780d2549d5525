"""Functions and variables of C and C++ that one file declares and another one defines are one symbol."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

DEFINED = "char *release(void) { return 0; }\nint counter = 3;\n"
DECLARED = "char *release(void);\nextern int counter;\nint run(void) { return release() != 0 && counter; }\n"

DECLARATIONS = {
    "in another source": {"a.c": DEFINED, "b.c": DECLARED},
    "in a header that the definer does not include": {
        "a.c": DEFINED,
        "a.h": "char *release(void);\nextern int counter;\n",
        "b.c": '#include "a.h"\nint run(void) { return release() != 0 && counter; }\n',
    },
    "in a function": {
        "a.c": DEFINED,
        "b.c": "int run(void) {\n    char *release(void);\n    extern int counter;\n"
        "    return release() != 0 && counter;\n}\n",
    },
    "in a namespace": {
        "a.cpp": "namespace app {\nchar *release() { return 0; }\nint counter = 3;\n}\n",
        "b.cpp": "namespace app {\nchar *release();\nextern int counter;\n"
        "int run() { return release() != 0 && counter; }\n}\n",
    },
}


@pytest.mark.parametrize("files", DECLARATIONS.values(), ids=DECLARATIONS)
def test_a_name_with_external_linkage_is_one_symbol(files: dict[str, str], tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="release")
    assert "3 references" in text
    assert "undecided" not in text
    assert "3 references" in ask("find_references", symbol="counter")
    assert "1 caller" in ask("call_hierarchy", symbol="release")
    user = max(files)
    line = next(n for n, one in enumerate(files[user].splitlines(), 1) if "return" in one)
    column = files[user].splitlines()[line - 1].index("release") + 1
    shown = ask("go_to_definition", symbol=f"{user}:{line}:{column}")
    assert "{ return 0; }" in shown
    renamed = ask("rename_symbol", symbol="release", new_name="version")
    assert "undecided" not in renamed
    assert "3 edits" in renamed


def test_outgoing_calls_go_on_at_the_definition(tmp_path: Path, opened: Open) -> None:
    files = {
        "b.h": "int middle(void);\nint inner(void);\n",
        "b.c": '#include "b.h"\nint inner(void) { return 1; }\nint middle(void) { return inner(); }\n',
        "a.c": '#include "b.h"\nint top(void) { return middle(); }\n',
    }
    ask = opened(write(tmp_path, files))
    text = ask("call_hierarchy", symbol="top", direction="outgoing", depth=4)
    assert "b.c:3 middle" in text
    assert "2 inner (at 3)" in text
    assert "b.c:2 inner" in ask("call_hierarchy", symbol="b.h:1", direction="outgoing")
    text = ask("go_to_definition", symbol="a.c:2:24")
    assert text.index("b.c") < text.index("b.h")


def test_a_static_function_is_apart_from_declarations_in_other_files(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.c": "static int run(void) { return 1; }\nint f(void) { return run(); }\n",
        "b.c": "int run(void);\nint g(void) { return run(); }\n",
        "c.cpp": "namespace {\nint run() { return 1; }\n}\nint h() { return run(); }\n",
    }
    ask = opened(write(tmp_path, files))
    for symbol in ("a.c:1", "b.c:1", "c.cpp:2"):
        assert "2 references, complete" in ask("find_references", symbol=symbol)


PROGRAMS = {
    "a.c": "int run(void) { return 1; }\nint f(void) { return run(); }\n",
    "b.c": "int run(void) { return 2; }\nint g(void) { return run(); }\n",
    "c.c": "int run(void);\nint h(void) { return run(); }\n",
}


def test_of_two_programs_a_declaration_may_mean_either(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PROGRAMS))
    for symbol in ("a.c:1", "b.c:1"):
        text = ask("find_references", symbol=symbol)
        assert "account: exact 2, undecided 2, another symbol 2" in text
    assert "no certain callers" not in ask("call_hierarchy", symbol="a.c:1")


OVERLOADS = {
    "int area(double r);": 2,
    "int area(int);": 3,
    "int area(int, int);": 2,
    "int area();": 2,
    "int area(const Shape &shape);": 3,
}


@pytest.mark.parametrize("declaration", OVERLOADS)
def test_an_overload_of_another_file_is_apart(declaration: str, tmp_path: Path, opened: Open) -> None:
    """Of types that are not built in nobody knows whether they are other names of each other."""
    files = {
        "a.cpp": "int area(int r) { return r; }\nint f() { return area(1); }\n",
        "b.cpp": f"{declaration}\n",
    }
    ask = opened(write(tmp_path, files))
    text = ask("find_references", symbol="a.cpp:1:5")
    assert f"exact {OVERLOADS[declaration]}" in text
    assert "undecided 1" in text or OVERLOADS[declaration] == len(files) + 1
