"""The page for authors of agents is true: its examples run, and it names what the library has."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import leadline_estimators
from leadline_server.console.serve import serve

PAGE = (Path(__file__).parent.parent / "docs" / "agents.md").read_text(encoding="utf-8")
EXAMPLES = [
    (PAGE[: found.start()].count("\n") + 1, found[1]) for found in re.finditer(r"```python\n(.*?)```", PAGE, re.DOTALL)
]


@pytest.fixture(autouse=True)
def _no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEADLINE_MAX_TOOL_OUTPUT", raising=False)


def test_every_example_of_the_page_runs_as_it_is_shown() -> None:
    names: dict[str, object] = {}
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST)
    for line, example in EXAMPLES:
        test = doctest.DocTestParser().get_doctest(example, names, "docs/agents.md", "docs/agents.md", line)
        assert test.examples
        failed = runner.run(test, out=said.append, clear_globs=False).failed
        names = test.globs
        assert not failed, "".join(said)


def test_every_function_is_on_the_page() -> None:
    functions = [name for name in leadline_estimators.__all__ if name[0].islower()]
    helpers = {"contract_line", "guard_limit", "message_tokens", "tools_tokens", "usage_of"}
    assert [name for name in functions if name not in PAGE and name not in helpers] == []


RECIPES = re.findall(r"^### ([^\n]+)\n\n```py\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)


def test_there_is_a_recipe_for_each_library_that_people_use() -> None:
    assert [name for name, _ in RECIPES] == ["OpenAI Agents", "Claude Agent SDK", "pydantic-ai", "LangChain"]


@pytest.mark.parametrize(("name", "code"), RECIPES)
def test_every_recipe_compiles_and_starts_the_server_with_options_that_there_are(name: str, code: str) -> None:
    compile(code, name, "exec")
    (arguments,) = re.findall(r"args\W+(\[.*?\])", code)
    words: list[str] = ast.literal_eval(arguments)
    options = {option for parameter in serve.params for option in parameter.opts}
    assert words[0] == "serve"
    assert {word for word in words if word.startswith("--")} <= options
    for used in re.findall(r"from leadline_estimators import (.*)", code):
        assert set(used.split(", ")) <= set(leadline_estimators.__all__)


def test_what_is_exported_is_there() -> None:
    assert all(hasattr(leadline_estimators, name) for name in leadline_estimators.__all__)


def test_the_library_is_loaded_without_mcp_without_parsers_and_without_the_tokenizer() -> None:
    heavy = ("mcp", "pydantic", "tree_sitter", "apsw", "tiktoken", "leadline_tools", "leadline_server")
    code = f"import sys, leadline_estimators; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
