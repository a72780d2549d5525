"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from leadline_tools import languages, lazy_regex
from leadline_tools.lazy_regex import lazy_compile


def test_an_expression_finds_what_a_compiled_one_finds() -> None:
    lazy, eager = lazy_compile(rb"(?P<word>b\w+)", re.IGNORECASE), re.compile(rb"(?P<word>b\w+)", re.IGNORECASE)
    text = b"a bee, a Bat, a cat"
    assert [one["word"] for one in lazy.finditer(text)] == [one["word"] for one in eager.finditer(text)]
    assert lazy.sub(b"", text) == eager.sub(b"", text)
    assert (lazy.pattern, lazy.flags, lazy.groups) == (eager.pattern, eager.flags, eager.groups)


def test_an_error_in_an_expression_shows_when_it_is_first_used() -> None:
    broken = lazy_compile("(")
    with pytest.raises(re.error):
        broken.search("")


def test_every_expression_of_a_language_compiles() -> None:
    expressions = [value for module in _modules() for value in _expressions(vars(module).values())]
    assert len(expressions) > 100
    for expression in expressions:
        assert callable(expression.search)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(languages.__path__, f"{languages.__name__}."):
        yield importlib.import_module(found.name)


def _expressions(values: object) -> Iterator[re.Pattern[bytes]]:
    for value in values if isinstance(values, (tuple, list, type({}.values()))) else ():
        if isinstance(value, lazy_regex._LazyPattern):
            yield value  # type: ignore[misc]
        elif isinstance(value, dict):
            yield from _expressions(value.values())
        elif isinstance(value, (tuple, list)):
            yield from _expressions(value)
