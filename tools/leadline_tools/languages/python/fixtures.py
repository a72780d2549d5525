"""Fixtures of pytest: functions whose results go to parameters of their names, of tests and of other fixtures.

https://docs.pytest.org/en/stable/reference/fixtures.html
"""

from __future__ import annotations

import re

from leadline_tools.lazy_regex import lazy_compile

_FIXTURE = lazy_compile(r"^\s*@(?:pytest(?:_asyncio)?\.)?fixture\b", re.MULTILINE)
_TEST = lazy_compile(r"^\s*(?:async\s+)?def\s+test", re.MULTILINE)
_SHARED = "conftest.py"


def is_fixture(head: str) -> bool:
    """Return whether the lines of a function up to its name make it a fixture."""
    return _FIXTURE.search(head) is not None


def may_take_fixture(fixture_path: str, path: str, head: str) -> bool:
    """Return whether a function may take a fixture of a file: a test or a fixture that sees it.

    What a ``conftest.py`` defines is seen in its folder and in those below.
    """
    folder, _, name = fixture_path.rpartition("/")
    seen = path == fixture_path or (name == _SHARED and path.startswith(f"{folder}/" if folder else ""))
    return seen and (_TEST.search(head) is not None or is_fixture(head))
