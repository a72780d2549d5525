"""C#: the variables of top-level statements are local, and the name of a namespace is no use of what is called so."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

PROGRAM = {
    "Program.cs": (
        "var builder = App.Create(args);\n\nbuilder.Run();\nforeach (var one in builder.All) { one.Run(builder); }\n"
    ),
    "Other.cs": "class Other { void Run() { builder.Run(); } }\n",
}


@pytest.fixture
def program(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, PROGRAM))


@pytest.mark.parametrize("place", ["1:5", "3:1", "4:21", "4:44"])
def test_a_variable_of_top_level_statements_is_local_to_the_file(program: Asking, place: str) -> None:
    text = program("find_references", symbol=f"Program.cs:{place}")
    assert "4 uses on 3 lines" in text
    assert "local to Program.cs, bound in Program.cs:1" in text
    assert "4 edits in 1 file" in program("rename_symbol", symbol=f"Program.cs:{place}", new_name="made")


@pytest.mark.parametrize(
    ("files", "symbol"),
    [
        (
            {
                "User.cs": "namespace Shop\n{\n    public class View { public int User { get; init; } }\n}\n",
                "Info.cs": "namespace Shop.Models.User;\n\npublic class Info { }\n",
                "More.cs": "namespace Shop.User.Parts\n{\n    public class More { }\n}\n",
            },
            "View.User",
        ),
        (
            {
                "View.php": "<?php\nnamespace App\\Other;\n\nclass View { public $User; }\n",
                "Info.php": "<?php\nnamespace App\\Model\\User;\n\nclass Info {}\n",
                "More.php": "<?php\nnamespace App\\User\\Parts;\n\nclass More {}\n",
            },
            "View.User",
        ),
    ],
    ids=["C#", "PHP"],
)
def test_the_name_of_a_namespace_is_no_use_of_a_member(
    tmp_path: Path, opened: Open, files: dict[str, str], symbol: str
) -> None:
    text = opened(write(tmp_path, files))("find_references", symbol=symbol)
    assert "1 reference, complete" in text
    assert "another symbol 2" in text
