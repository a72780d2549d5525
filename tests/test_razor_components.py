"""Razor components: a class that is called like its file, in the namespace of its folder, with a part in C#."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SHOP = {
    "App/App.csproj": "<Project><PropertyGroup><RootNamespace>Shop</RootNamespace></PropertyGroup></Project>\n",
    "App/_Imports.razor": "\ufeff@using Shop.Shared\n@using Microsoft.AspNetCore.Components.Web\n",
    "App/Pages/Counter.razor": (
        '@page "/counter"\n<p>@Total @title</p>\n<Badge Text="x" />\n<Menu />\n<PageTitle>A</PageTitle>\n'
        '@code {\n    private string title = "a";\n    private Badge badge;\n    void Go() { badge.Paint(); Raise(); }'
        "\n}\n"
    ),
    "App/Pages/Counter.razor.cs": (
        "namespace Shop.Pages;\n\npublic partial class Counter\n{\n    public int Total { get; set; }\n"
        '    void Raise() { title = "b"; }\n}\n'
    ),
    "App/Pages/Badge.razor": "<b>@Text</b>\n@code {\n    public string Text;\n    public void Paint() { }\n}\n",
    "App/Shared/Menu.razor": "<Shop.Pages.Counter />\n<Other.Badge />\n",
    "App/Other/Badge.razor": "@namespace Other\n<i>B</i>\n",
    "App/Other/Uses.cs": (
        "using Shop.Pages;\nnamespace Shop.Rest;\nclass Uses { Counter c; void M(Badge b) { b.Paint(); } }\n"
    ),
    "App/Deep/Down/Plain.razor": "<Menu />\n<Badge />\n",
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, SHOP))


@pytest.mark.parametrize(
    ("place", "file"),
    [
        ("App/Pages/Counter.razor:3:2", "App/Pages/Badge.razor:1"),
        ("App/Pages/Counter.razor:4:2", "App/Shared/Menu.razor:1"),
        ("App/Pages/Counter.razor:8:13", "App/Pages/Badge.razor:1"),
        ("App/Shared/Menu.razor:2:8", "App/Other/Badge.razor:1"),
        ("App/Other/Uses.cs:3:32", "App/Pages/Badge.razor:1"),
        ("App/Deep/Down/Plain.razor:1:2", "App/Shared/Menu.razor:1"),
    ],
)
def test_a_component_is_the_class_that_is_called_like_its_file(shop: Asking, place: str, file: str) -> None:
    assert file in shop("go_to_definition", symbol=place)


def test_a_component_of_a_namespace_that_is_not_opened_is_not_meant(shop: Asking) -> None:
    text = shop("find_references", symbol="App/Pages/Badge.razor:1")
    assert "3 references in 2 files, 1 undecided" in text
    assert "App/Deep/Down/Plain.razor" in text.partition("undecided:")[2]
    assert "1 reference, 1 undecided" in shop("find_references", symbol="App/Other/Badge.razor:1")


def test_a_component_and_its_part_in_csharp_are_one_class(shop: Asking) -> None:
    text = shop("go_to_definition", symbol="App/Shared/Menu.razor:1:13")
    assert "App/Pages/Counter.razor:1" in text
    assert "App/Pages/Counter.razor.cs:3" in text
    assert "3 references in 3 files, complete" in shop("find_references", symbol="Counter")


@pytest.mark.parametrize(
    ("symbol", "file"),
    [
        ("Counter.Total", "App/Pages/Counter.razor\n2: <p>@Total @title</p>"),
        ("Counter.Raise", "App/Pages/Counter.razor\n9:"),
        ("Counter.title", "App/Pages/Counter.razor.cs\n6:"),
    ],
)
def test_each_part_of_a_component_sees_the_members_of_the_other(shop: Asking, symbol: str, file: str) -> None:
    text = shop("find_references", symbol=symbol)
    assert file in text
    assert "undecided" not in text


def test_a_component_inherits_what_every_component_has(shop: Asking) -> None:
    text = shop("type_members", symbol="App/Pages/Badge.razor:1", inherited=True)
    assert "ComponentBase" in text


def test_a_renamed_component_asks_for_another_file_name(shop: Asking) -> None:
    text = shop("rename_symbol", symbol="App/Pages/Badge.razor:1", new_name="Medal")
    assert "git mv App/Pages/Badge.razor App/Pages/Medal.razor" in text
