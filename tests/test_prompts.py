"""A prompt is a plan that keeps its budget, whose calls work as they stand; what is typed is completed."""

from __future__ import annotations

import ast
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp_types import INVALID_PARAMS, PromptReference, ResourceTemplateReference, TextContent

from conftest import Asking, Open, write
from leadline_estimators import count
from leadline_server.app import build
from leadline_server.prompts import PROMPTS, write_prompt
from leadline_server.toolset import CORE, select_tools

pytestmark = pytest.mark.anyio

ASKED: tuple[tuple[str, dict[str, str]], ...] = (
    ("explore", {}),
    ("explore", {"path": "shop"}),
    ("explore", {"path": "shop/cart.py"}),
    ("find_code", {"what": "how are the prices of a Cart added up?"}),
    ("find_code", {"what": "refund payments", "path": "shop"}),
    ("find_code", {"what": "?"}),
    ("impact", {"symbol": "Cart"}),
    ("impact", {"symbol": "Cart.total"}),
    ("impact", {"symbol": "shop/cart.py:1"}),
    ("impact", {"symbol": "twice"}),
    ("impact", {"symbol": "Carts"}),
)


@dataclass(frozen=True)
class Planned:
    """A call of a plan as a reader sees it."""

    tool: str
    arguments: dict[str, str | int | bool]
    price: int


def planned(text: str) -> list[Planned]:
    """Return the calls of a plan; a literal is written as in JSON."""
    found = []
    for call, price in re.findall(r"^\d+\. (\w+\(.*\)) ~([\d,]+) tokens: ", text, re.MULTILINE):
        node = ast.parse(call, mode="eval").body
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        given = {str(one.arg): _literal(one.value) for one in node.keywords}
        found.append(Planned(node.func.id, given, int(price.replace(",", ""))))
    return found


def _literal(node: ast.expr) -> str | int | bool:
    if isinstance(node, ast.Name):
        return {"true": True, "false": False}[node.id]
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, str | int)
    return node.value


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        tmp_path_factory.mktemp("shop"),
        {
            "README.md": "# Shop\n\nSells things.\n",
            "pyproject.toml": '[project]\nname = "shop"\n',
            "shop/__init__.py": "",
            "shop/cart.py": "class Cart:\n    def total(self, prices):\n        return sum(prices)\n\n\n"
            "def twice():\n    return Cart().total([1]) * 2\n",
            "shop/other.py": "def twice(n):\n    return n * 2\n",
            "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    Cart().total([])\n",
        },
    )


@pytest.fixture(scope="module")
def shop(opened: Open, tree: Path) -> Asking:
    return opened(tree)


@pytest.fixture(scope="module")
def core(opened: Open, tree: Path) -> Asking:
    return opened(tree, tools=select_tools("core"))


@pytest.fixture
async def client(shop: Asking) -> AsyncIterator[Client]:
    async with Client(build(shop.session), cache=None) as found:
        yield found


async def prompted(client: Client, name: str, arguments: dict[str, str]) -> str:
    (message,) = (await client.get_prompt(name, arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


@pytest.mark.parametrize(("name", "arguments"), ASKED)
async def test_every_call_of_a_plan_works_as_it_stands_and_keeps_its_limit(
    client: Client, shop: Asking, name: str, arguments: dict[str, str]
) -> None:
    calls = planned(await prompted(client, name, arguments))
    assert calls
    for call in calls:
        assert count(shop(call.tool, **call.arguments)) <= int(call.arguments["max_tokens"])
        assert 0 < call.price <= int(call.arguments["max_tokens"])


async def test_a_plan_says_what_its_calls_are_for_and_what_is_left(client: Client) -> None:
    text = await prompted(client, "impact", {"symbol": "Cart.total", "budget": "8000"})
    tools = [call.tool for call in planned(text)]
    assert tools[:2] == ["go_to_definition", "find_references"]
    assert "shop.cart.Cart.total" in text
    assert {"path": "tests"}.items() <= planned(text)[-2].arguments.items()
    assert "Spend at most 8,000 tokens on it." in text
    assert "The other 1,600 tokens are for" in text


async def test_words_that_no_file_holds_are_told_before_the_plan(client: Client) -> None:
    text = await prompted(client, "find_code", {"what": "where the zeppelin adds prices"})
    assert "No file holds zeppelin, adds: other words may be used for it here." in text
    assert any(call.arguments.get("query") == "prices" for call in planned(text))


async def test_a_symbol_that_is_defined_twice_is_never_guessed(client: Client) -> None:
    text = await prompted(client, "impact", {"symbol": "twice"})
    assert "2 definitions match" in text
    places = {call.arguments["symbol"] for call in planned(text)}
    assert places == {"shop/cart.py:6", "shop/other.py:1"}


@settings(max_examples=30, deadline=None)
@given(asked=st.sampled_from(ASKED), budget=st.integers(1_000, 100_000))
def test_a_plan_keeps_its_budget(shop: Asking, asked: tuple[str, dict[str, str]], budget: int) -> None:
    text = write_prompt(shop.session, asked[0], {**asked[1], "budget": str(budget)})
    assert sum(int(call.arguments["max_tokens"]) for call in planned(text)) <= budget
    assert count(text) < 700


@pytest.mark.parametrize(("name", "arguments"), ASKED)
def test_a_plan_has_no_call_of_a_tool_that_is_not_offered(core: Asking, name: str, arguments: dict[str, str]) -> None:
    calls = planned(write_prompt(core.session, name, arguments))
    assert {call.tool for call in calls} <= set(CORE)


async def test_prompts_are_listed_with_what_they_need(client: Client) -> None:
    prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    assert list(prompts) == list(PROMPTS)
    for name, prompt in prompts.items():
        assert prompt.title
        assert prompt.description
        assert [one.name for one in prompt.arguments or ()] == [one.name for one in PROMPTS[name].arguments]
        assert all(one.description for one in prompt.arguments or ())


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("explorer", {}, "There is no prompt 'explorer'. Prompts: explore, find_code, impact."),
        ("impact", {}, "impact requires symbol."),
        ("find_code", {"what": "  "}, "find_code requires what."),
        ("explore", {"depth": "2"}, "explore has no argument 'depth'. Arguments: path, budget."),
        (
            "explore",
            {"budget": "much"},
            "budget: 'much' cannot be used. Give a whole number of tokens, at least 1,000.",
        ),
        ("explore", {"budget": "10"}, "budget: '10' cannot be used."),
        ("explore", {"path": "shopp"}, "There is no file or folder 'shopp'. Did you mean 'shop'?"),
        ("explore", {"path": "../etc"}, "'../etc' is not a path inside the root."),
    ],
)
async def test_a_wrong_name_or_argument_is_told(
    client: Client, name: str, arguments: dict[str, str], told: str
) -> None:
    with pytest.raises(MCPError, match=re.escape(told)) as raised:
        await client.get_prompt(name, arguments)
    assert raised.value.error.code == INVALID_PARAMS


# Completion


async def completed(client: Client, prompt: str, argument: str, typed: str) -> list[str]:
    found = await client.complete(PromptReference(name=prompt), {"name": argument, "value": typed})
    assert len(found.completion.values) <= 100
    return found.completion.values


@pytest.mark.parametrize(
    ("prompt", "argument", "typed", "expected"),
    [
        ("explore", "path", "", ["README.md", "pyproject.toml", "shop/", "tests/"]),
        ("explore", "path", "sh", ["shop/"]),
        ("explore", "path", "shop/", ["shop/__init__.py", "shop/cart.py", "shop/other.py"]),
        ("explore", "path", "./shop/c", ["shop/cart.py"]),
        ("explore", "path", "CART", ["shop/cart.py"]),
        ("explore", "path", "nothing/", []),
        ("impact", "symbol", "Ca", ["Cart"]),
        ("impact", "symbol", "Cart.to", ["Cart.total"]),
        ("impact", "symbol", "twi", ["twice"]),
        ("impact", "symbol", "Cart.", []),
        ("impact", "budget", "8", []),
        ("explore", "unknown", "a", []),
    ],
)
async def test_what_is_typed_is_completed(
    client: Client, prompt: str, argument: str, typed: str, expected: list[str]
) -> None:
    assert await completed(client, prompt, argument, typed) == expected


async def test_of_many_completions_a_hundred_are_given_and_all_are_counted(opened: Open, large: Path) -> None:
    async with Client(build(opened(large).session), cache=None) as client:
        reference, argument = PromptReference(name="impact"), {"name": "symbol", "value": "function_"}
        found = (await client.complete(reference, argument)).completion
    assert len(found.values) == 100
    assert found.has_more
    assert found.total is None or found.total > 100


async def test_of_the_template_of_results_pages_are_completed_and_never_the_ids_of_others(client: Client) -> None:
    template = ResourceTemplateReference(uri="leadline://result/{id}{?offset,limit}")
    for name, typed, expected in (("limit", "", ["0", "20", "100"]), ("limit", "1", ["100"]), ("id", "", [])):
        found = await client.complete(template, {"name": name, "value": typed})
        assert found.completion.values == expected


@pytest.mark.parametrize(
    "reference", [PromptReference(name="explorer"), ResourceTemplateReference(uri="file:///{path}")]
)
async def test_what_cannot_be_completed_is_told(
    client: Client, reference: PromptReference | ResourceTemplateReference
) -> None:
    with pytest.raises(MCPError, match=r"There is no (prompt|template)") as raised:
        await client.complete(reference, {"name": "path", "value": ""})
    assert raised.value.error.code == INVALID_PARAMS
