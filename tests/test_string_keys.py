"""Keys of a ``TypedDict`` in strings: they may name its field, so they are undecided and never silent."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

MOVIES = {
    "td.py": (
        "from typing import TypedDict\n\nclass Movie(TypedDict):\n    title: str\n\n"
        "class Big(Movie, total=False):\n    size: int\n\nclass Plain:\n    other: int = 0\n"
    ),
    "use.py": (
        "from td import Big, Movie, Plain\n\ndef show(m: Movie, b: Big):\n    m['title'], b[\"size\"], m['the title']\n"
        "    n: Movie = {'title': 'x'}\n    'title' in m  # title\n    x = {'other': Plain().other}\n"
    ),
    "far.py": "def f(u):\n    return u.get('title')\n",
}


def test_a_string_that_is_a_field_of_a_typed_dict_is_undecided(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, MOVIES))
    shown = ask("find_references", symbol="Movie.title", max_tokens=2_000)
    assert "undecided 4, text 2" in shown
    assert "far.py" in shown
    assert "undecided 1" in ask("find_references", symbol="Big.size")


def test_a_string_that_is_a_field_of_another_class_is_text(tmp_path: Path, opened: Open) -> None:
    assert "undecided" not in opened(write(tmp_path, MOVIES))("find_references", symbol="Plain.other")


def test_a_rename_of_a_field_of_a_typed_dict_leaves_its_keys_to_decide(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, MOVIES))("rename_symbol", symbol="Movie.title", new_name="name")
    assert "undecided 4" in shown
    assert "decide:" in shown
