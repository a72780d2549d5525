"""Packages of Python without ``__init__``: folders that are modules (PEP 420)."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

MONEY = "class Money: ...\n\n\ndef zero():\n    return Money()\n"
SHOP = {
    "src/acme/billing/core/money.py": MONEY,
    "src/acme/billing/app.py": "import acme.billing.core.money\n\nacme.billing.core.money.zero()\n",
    "src/acme/billing/report.py": "from acme.billing import core\n\ncore.money.zero()\ncore.cents()\n",
    "src/acme/billing/close.py": "from . import core as own\n\nown.money.zero()\n",
    "tests/test_app.py": (
        "import acme.billing.core.money as bank\nfrom acme.billing.core import money\n\nbank.zero()\nmoney.zero()\n"
    ),
}


def test_a_function_has_the_uses_behind_folders_without_init(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, SHOP))("find_references", symbol="src/acme/billing/core/money.py:4")
    assert "6 references in 5 files, complete" in text
    assert "account: exact 6\n" in text


@pytest.mark.parametrize(
    ("place", "leads"),
    [
        ("src/acme/billing/app.py:3:25", "Function in src/acme/billing/core/money.py:4"),
        ("src/acme/billing/app.py:3:19", "Module in src/acme/billing/core/money.py"),
        ("src/acme/billing/app.py:1:26", "Module in src/acme/billing/core/money.py"),
        ("src/acme/billing/close.py:3:11", "Function in src/acme/billing/core/money.py:4"),
    ],
)
def test_a_name_behind_such_folders_leads_to_its_module(tmp_path: Path, opened: Open, place: str, leads: str) -> None:
    assert leads in opened(write(tmp_path, SHOP))("go_to_definition", symbol=place)


@pytest.mark.parametrize(
    ("place", "folder"),
    [
        ("src/acme/billing/app.py:1:8", "src/acme/"),
        ("src/acme/billing/app.py:3:6", "src/acme/billing/"),
        ("src/acme/billing/report.py:3:1", "src/acme/billing/core/"),
    ],
)
def test_such_a_folder_is_said_to_be_a_module(tmp_path: Path, opened: Open, place: str, folder: str) -> None:
    error = opened(write(tmp_path, SHOP)).error("go_to_definition", symbol=place)
    assert "is a module here" in error
    assert f'list_files(path="{folder}")' in error


def test_what_such_a_folder_does_not_hold_comes_from_another_part_of_the_package(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SHOP))
    assert "comes from outside" in ask.error("go_to_definition", symbol="src/acme/billing/report.py:4:6")


def test_a_folder_inside_of_a_package_is_a_module_of_that(tmp_path: Path, opened: Open) -> None:
    tree = {
        "acme/__init__.py": "",
        "acme/core/money.py": MONEY,
        "main.py": "import acme.core.money\n\nacme.core.money.zero()\n",
    }
    text = opened(write(tmp_path, tree))("find_references", symbol="acme/core/money.py:4")
    assert "3: acme.core.money.zero()" in text
    assert "account: exact 2\n" in text


@pytest.mark.parametrize("folder", ["email", "assets/images"])
def test_a_folder_with_the_name_of_a_standard_module_or_without_code_is_no_module(
    tmp_path: Path, opened: Open, folder: str
) -> None:
    name = folder.replace("/", ".")
    held = "a.py" if folder == "email" else "a.txt"
    ask = opened(write(tmp_path, {f"{folder}/{held}": "", "main.py": f"import {name}\n\n{name}.run()\n"}))
    assert "comes from outside" in ask.error("go_to_definition", symbol="main.py:1:8")
