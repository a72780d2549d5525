"""C#: variables of top-level statements, names of namespaces, and what imports of Razor files open."""

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


RAZOR_IMPORTS = {
    "App/App.csproj": "<Project/>\n",
    "App/_Imports.razor": "@using Shop.Lib\n@using Microsoft.AspNetCore.Components.Web\n",
    "App/Pages/Item.razor": (
        '@page "/item"\n@inject CatalogService Service\n\n<h1>@item?.Name</h1>\n\n'
        "@code {\n    private CatalogItem? item;\n"
        "    protected override void OnInitialized() { item = Service.Get(1); }\n}\n"
    ),
    "App/Plain.cs": "class Plain { CatalogItem item; }\n",
    "Other/Page.razor": "@inject CatalogService Service\n",
    "Lib/Lib.csproj": "<Project/>\n",
    "Lib/Catalog.cs": (
        "namespace Shop.Lib;\n\n"
        "public class CatalogItem { public string Name { get; set; } }\n"
        "public class CatalogService { public CatalogItem Get(int id) => null; }\n"
    ),
}


def test_a_razor_file_sees_the_namespaces_that_an_imports_file_above_it_opens(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, RAZOR_IMPORTS))
    assert "Lib/Catalog.cs:4" in ask("go_to_definition", symbol="App/Pages/Item.razor:2:12")
    assert "Lib/Catalog.cs:3" in ask("go_to_definition", symbol="App/Pages/Item.razor:4:12")
    used = ask("find_references", symbol="CatalogService.Get")
    assert "2 references in 2 files, complete" in used
    assert "App/Pages/Item.razor" in used
    assert "App/Plain.cs" not in ask("find_references", symbol="CatalogItem").partition("undecided")[0]
    assert "Other/Page.razor" not in ask("find_references", symbol="CatalogService").partition("undecided")[0]


NAMESPACES = {
    "a/One.cs": "namespace Lib.Util\n{\n    struct One { }\n}\n",
    "a/Two.cs": "namespace Lib.Util\n{\n    struct Two { }\n}\n",
    "b/Use.cs": "using Lib.Util;\nnamespace Lib.Specs { class A { One one; } }\n",
    "b/Type.cs": "namespace Lib { class C { Util.One one; Lib.Util.Two two; } }\n",
    "b/Other.cs": "using Lib.Utils;\nnamespace Other { class B { } }\n",
}


def test_a_namespace_with_dots_is_used_where_it_is_opened_or_stands_before_a_type(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, NAMESPACES))("find_references", symbol="a/One.cs:1:11")
    assert "4 references in 4 files, complete" in text
    assert "1: using Lib.Util;" in text
    assert "1: namespace Lib { class C { Util.One one; Lib.Util.Two two; } }" in text
