"""Kotlin: extensions of one name in several files of a package are distinguished by what they extend."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "internal/Buffer.kt": (
        "package shop.internal\n\nimport shop.Buffer\n\n"
        'internal fun Buffer.common(n: Int): String = ""\n\ninternal fun Buffer.shut() {}\n'
    ),
    "internal/Source.kt": (
        "package shop.internal\n\nimport shop.Source\n\n"
        'internal fun Source.common(): String = ""\n\ninternal fun Source.shut() {}\n'
    ),
    "Buffer.kt": (
        "package shop\n\nimport shop.internal.common\nimport shop.internal.shut\n\n"
        "class Buffer {\n    fun read(n: Int) = common(n)\n    fun close() = shut()\n}\n"
    ),
    "Source.kt": (
        "package shop\n\nimport shop.internal.common\nimport shop.internal.shut\n\n"
        "class Source {\n    fun read() = common()\n    fun close() = shut()\n}\n\nfun use(s: Source) = s.shut()\n"
    ),
}


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, FILES))


@pytest.mark.parametrize(
    ("symbol", "own", "other"),
    [
        ("internal/Buffer.kt:5:21", "7: fun read(n: Int) = common(n)", "7: fun read() = common()"),
        ("internal/Source.kt:5:21", "7: fun read() = common()", "7: fun read(n: Int) = common(n)"),
        ("internal/Source.kt:7:21", "11: fun use(s: Source) = s.shut()", "8: fun close() = shut()  (in Buffer.close)"),
    ],
)
def test_a_call_means_the_extension_of_the_object_around(ask: Asking, symbol: str, own: str, other: str) -> None:
    text = ask("find_references", symbol=symbol)
    assert "complete" in text
    assert own in text
    assert other not in text


def test_an_import_takes_the_extensions_of_all_files_of_the_package(ask: Asking) -> None:
    shown = ask("go_to_definition", symbol="Source.kt:3:24")
    assert "internal/Buffer.kt:5" in shown
    assert "internal/Source.kt:5" in shown


def test_extensions_that_are_imported_together_are_renamed_together(ask: Asking) -> None:
    text = ask("rename_symbol", symbol="internal/Buffer.kt:7:21", new_name="end")
    assert "7 edits in 4 files" in text
    assert "renamed together, since a call may mean any of them: shut internal/Source.kt:7" in text
