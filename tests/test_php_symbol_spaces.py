"""PHP: classes and functions have namespaces of their own, so that a function may be called like a class."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SHOP = {
    "src/Collection.php": "<?php\nnamespace App;\nclass collect { public function all() {} }\n",
    "src/helpers.php": "<?php\nnamespace App;\nfunction collect($x) { return new Other(); }\n",
    "src/Other.php": "<?php\nnamespace App;\nclass Other { public function all() {} }\n",
    "src/Use.php": (
        "<?php\nnamespace App;\nclass User {\n    function run(collect $c) {\n        collect(1)->all();\n"
        "        (new collect)->all();\n        collect::class;\n        \\App\\collect(2);\n"
        "        $y = new \\App\\collect;\n        if ($c instanceof collect) {}\n    }\n}\n"
    ),
    "src/Out.php": (
        "<?php\nnamespace Out;\nuse App\\collect;\nuse function App\\collect;\ncollect(1)->all();\n"
        "(new collect)->all();\n"
    ),
    "src/Class.php": "<?php\nnamespace Only;\nuse App\\collect;\n(new collect)->all();\ncollect(3);\n",
    "src/Function.php": "<?php\nnamespace Func;\nuse function App\\{\n    collect,\n    other\n};\ncollect(3);\n",
}

CLASS, FUNCTION = "src/Collection.php:3", "src/helpers.php:3"


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, SHOP))


@pytest.mark.parametrize(
    ("place", "definition"),
    [
        ("Use.php:4:18", CLASS),
        ("Use.php:5:9", FUNCTION),
        ("Use.php:5:21", "src/Other.php:3"),
        ("Use.php:6:14", CLASS),
        ("Use.php:6:24", CLASS),
        ("Use.php:7:9", CLASS),
        ("Use.php:8:14", FUNCTION),
        ("Use.php:9:23", CLASS),
        ("Use.php:10:27", CLASS),
        ("Out.php:3:9", CLASS),
        ("Out.php:4:18", FUNCTION),
        ("Out.php:5:1", FUNCTION),
        ("Out.php:6:6", CLASS),
        ("Class.php:4:6", CLASS),
        ("Function.php:7:1", FUNCTION),
    ],
)
def test_a_class_and_a_function_of_one_name_are_two_symbols(shop: Asking, place: str, definition: str) -> None:
    text = shop("go_to_definition", symbol=f"src/{place}")
    assert f"in {definition}" in text
    assert "candidates" not in text
    assert "definitions" not in text


def test_the_uses_of_either_are_no_uses_of_the_other(shop: Asking) -> None:
    found = shop("find_references", symbol=CLASS), shop("find_references", symbol=FUNCTION)
    assert "10 references in 4 files, 1 undecided" in found[0]
    assert "7 references in 4 files, 1 undecided" in found[1]


def test_an_import_of_a_class_imports_no_function(shop: Asking) -> None:
    assert "5: collect(3);" in shop("find_references", symbol=FUNCTION).partition("undecided:")[2]
