"""Where go_to_definition leads from the places of fixtures that expect ``leads``."""

from __future__ import annotations

import re

import pytest

from conftest import Asking, Open
from expectations import FIXTURES, Expectation, expectations
from leadline_tools.navigation.go_to_definition import LIKELY

FOLDERS = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())
_SHOWN = re.compile(r"^[A-Z][\w ]*? (?:in )?(?:[\w.#<>]+ )?(?P<place>[\w./-]+\.\w+:\d+)", re.MULTILINE)


def _leading(folder: str) -> list[Expectation]:
    return [one for one in expectations(FIXTURES / folder) if one.words[0] == "leads"]


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if _leading(folder)])
def test_go_to_definition_leads_where_the_fixture_says(folder: str, opened: Open) -> None:
    ask = opened(FIXTURES / folder)
    wanted = _leading(folder)
    found = [f"{one.path}:{one.line}:{one.column} {_destination(ask, one)}" for one in wanted]
    assert found == [f"{one.path}:{one.line}:{one.column} {' '.join(one.words[1:])}" for one in wanted]


def _destination(ask: Asking, at: Expectation) -> str:
    """Return the lines that an answer shows, in the words of the expectations."""
    response = ask.response("go_to_definition", symbol=f"{at.path}:{at.line}:{at.column}")
    if response.is_error:
        known = {"comes from outside": "outside", "its definition was not found": "nowhere"}
        return next((word for text, word in known.items() if text in response.text), response.text)
    if "candidate" in response.text.partition("\n")[0] or LIKELY in response.text:
        return "nowhere"
    return " ".join(one["place"] for one in _SHOWN.finditer(response.text))
