"""C#: arguments choose between extensions of one name for one type; each part of a type declares type parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

POLICIES = {
    "Syntax.cs": (
        "namespace P;\npublic class Builder { }\npublic static class Syntax\n{\n"
        "    public static int Retry(this Builder builder, int count) => builder.Retry(count, null, null);\n"
        "    public static int Retry(this Builder builder, int count, Action one) => 2;\n"
        "    public static int Retry(this Builder builder, int count, Action one, Action other) => Retry(builder, 1);\n"
        "}\n"
    ),
    "Use.cs": (
        "namespace P;\nclass Use\n{\n    void Run(Builder b)\n    {\n        b.Retry(1);\n        b.Retry(1, null);\n"
        "        Syntax.Retry(b, 1);\n    }\n}\n"
    ),
    "A.cs": "namespace P;\npublic partial class Part<TResult>\n{\n    TResult one;\n}\n",
    "B.cs": "namespace P;\npublic partial class Part<TResult>\n{\n    TResult two;\n}\n",
}


@pytest.fixture
def policies(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, POLICIES))


@pytest.mark.parametrize(("line", "uses"), [(5, ["6", "7", "8"]), (6, ["7", "8"]), (7, [])], ids=str)
def test_an_extension_that_a_call_cannot_mean_does_not_list_it(policies: Asking, line: int, uses: list[str]) -> None:
    text = policies("find_references", symbol=f"Syntax.cs:{line}:23")
    assert "undecided" not in text
    assert sorted(one[0] for one in text.splitlines() if "b.Retry(" in one or "(b, 1)" in one) == uses


def test_a_type_parameter_that_each_part_declares_has_the_uses_of_its_part(policies: Asking) -> None:
    text = policies("find_references", symbol="A.cs:2:27")
    assert "2 references" in text
    assert "declared again by the other parts of the type, not searched: B.cs" in text
    assert "complete" not in text.splitlines()[0]


@pytest.mark.parametrize("line", [6, 7])
def test_names_of_arguments_choose_among_extensions(tmp_path: Path, opened: Open, line: int) -> None:
    code = (
        "class Builder { }\nstatic class Ext {\n"
        "    public static int Break(this Builder b, double failure, int least) { return 1; }\n"
        "    public static int Break(this Builder b, double failure, int least, string name) { return 2; }\n"
        "    public static void Go(Builder p) {\n        p.Break(failure: 0.5, least: 4);\n"
        "        Ext.Break(b: p, failure: 0.5, least: 4);\n    }\n}\n"
    )
    column = code.splitlines()[line - 1].index("Break") + 1
    shown = opened(write(tmp_path, {"A.cs": code}))("go_to_definition", symbol=f"A.cs:{line}:{column}")
    assert "A.cs:3" in shown
    assert "A.cs:4" not in shown


@pytest.mark.parametrize(("line", "leads"), [(4, 1), (5, 2), (6, 1)])
def test_the_number_of_arguments_chooses_among_the_functions_of_one_file_of_cpp(
    tmp_path: Path, opened: Open, line: int, leads: int
) -> None:
    code = (
        "int foo(int a) { return a; }\nint foo(int *a, unsigned n) { return 0; }\nint use(int q, int *p) {\n"
        "  foo(q);\n  foo(p, 2);\n  return foo(1);\n}\n"
    )
    column = code.splitlines()[line - 1].index("foo") + 1
    shown = opened(write(tmp_path, {"a.cpp": code}))("go_to_definition", symbol=f"a.cpp:{line}:{column}")
    assert f"Function in a.cpp:{leads}" in shown
    assert f"a.cpp:{3 - leads}" not in shown
