"""Long lines are shown around the name that was asked for, wherever in them it stands."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from conftest import Open, write
from leadline_tools.long_lines import shorten, shorten_stripped

NAME = "wanted"
_FILLERS = st.integers(0, 400).map(lambda size: "x;" * size)


@given(_FILLERS, _FILLERS, st.integers(30, 300), st.booleans())
def test_the_name_is_shown_with_dots_where_something_is_left_out(
    before: str, after: str, longest: int, ends: bool
) -> None:
    line = f"{before}{NAME}{after}"
    shown = shorten(line, longest, len(before), len(before) + len(NAME) if ends else None)
    bare = shown.removeprefix("...").removesuffix("...")
    assert NAME in bare
    assert bare in line
    assert len(bare) == min(len(line), longest)
    assert shown.startswith("...") != line.startswith(bare)
    assert shown.endswith("...") != line.endswith(bare)


@given(_FILLERS, _FILLERS)
def test_blanks_around_a_line_are_not_counted(before: str, after: str) -> None:
    line = f"{before}{NAME}{after}"
    indented = shorten_stripped(f"\t    {line}  ", 100, 5 + len(before), 5 + len(before) + len(NAME))
    assert indented == shorten(line, 100, len(before), len(before) + len(NAME))


def test_of_minified_code_each_tool_shows_the_name(tmp_path: Path, opened: Open) -> None:
    filler = "".join(f"var v{number}={number};" for number in range(400))
    code = f"{filler}class Vessel{{}}{filler}class Boat extends Vessel{{}}{filler}\n"
    ask = opened(write(tmp_path, {"ship.js": code, "a.txt": f"{filler}Vessel{filler}\n"}))
    assert "class Vessel" in ask("go_to_definition", symbol="Vessel")
    assert "extends Vessel" in ask("find_references", symbol="Vessel")
    assert "Vessel" in ask("search_text", query="Vessel", path="a.txt").partition("\n")[2]
