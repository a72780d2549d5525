"""What a model sees of every tool: at 60, 300 and 2,000 tokens, and as JSON.

The answers are kept in ``tests/snapshots``, to be read by people: a change of any of them shows in review. After an
intended change, write them anew and read what changed::

    LEADLINE_UPDATE_SNAPSHOTS=1 scripts/test tests/test_snapshots.py
    git diff tests/snapshots
    scripts/generate                # the pages of the tools show them
"""

from __future__ import annotations

import base64
import difflib
import hashlib
import json
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_estimators import count
from leadline_server.call import Request
from leadline_server.errors import SCHEME
from leadline_server.store import Store
from leadline_tools.result import Call
from leadline_tools.tool import TOOLS

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "LEADLINE_UPDATE_SNAPSHOTS"
TOKENS = (60, 300, 2_000)

Arguments = dict[str, object]

ASKED: dict[str, tuple[str, Arguments]] = {
    "list_files": ("list_files", {"path": "shop"}),
    "list_files-top": ("list_files", {}),
    "list_files-counted": ("list_files", {"recursive": True}),
    "list_files-page": ("list_files", {"recursive": True, "limit": 20, "offset": 4}),
    "count_files": ("count_files", {}),
    "read_file": ("read_file", {"path": "shop/models.py"}),
    "search_text": ("search_text", {"query": "price"}),
    "search_text-none": ("search_text", {"query": "no such text"}),
    "symbol_search": ("symbol_search", {"query": "price"}),
    "symbol_search-similar": ("symbol_search", {"query": "Baskt"}),
    "find_code": ("find_code", {"query": "how is the total price of a basket found"}),
    "find_code-none": ("find_code", {"query": "xylophone"}),
    "document_symbols": ("document_symbols", {"path": "shop/models.py"}),
    "go_to_definition": ("go_to_definition", {"symbol": "Basket.add"}),
    "go_to_definition-candidates": ("go_to_definition", {"symbol": "total"}),
    "find_references": ("find_references", {"symbol": "Item"}),
    "rename_symbol": ("rename_symbol", {"symbol": "Basket.total", "new_name": "sum_of_prices"}),
    "find_references-names": ("find_references", {"symbol": "Basket.total", "tier": "name"}),
    "find_implementations": ("find_implementations", {"symbol": "Basket"}),
    "repo_map": ("repo_map", {}),
    "repo_map-focus": ("repo_map", {"focus": "Basket.add", "path": "shop"}),
    "type_members": ("type_members", {"symbol": "Basket"}),
    "call_hierarchy": ("call_hierarchy", {"symbol": "Item", "depth": 3}),
    "apply_code_fix": ("apply_code_fix", {}),
    "apply_code_fix-pattern": ("apply_code_fix", {"pattern": "Item($$$A)", "rewrite": "Item.make($$$A)"}),
    "apply_code_fix-chosen": (
        "apply_code_fix",
        {"pattern": "Item($$$A)", "rewrite": "Item.make($$$A)", "path": "tests", "fix": "all"},
    ),
    "call_hierarchy-outgoing": ("call_hierarchy", {"symbol": "bill", "direction": "outgoing", "depth": 3}),
}
"""By the name of the snapshot: a tool and its arguments."""

OF_THE_SESSION = {"budget", "read_result"}
"""The tools that ask of what was asked before; theirs are the last tests below."""

WRONG: dict[str, tuple[str, Arguments]] = {
    "no such tool": ("find_symbol", {}),
    "no such argument": ("read_file", {"file": "a.py"}),
    "argument missing": ("read_file", {}),
    "wrong type": ("read_file", {"path": "README.md", "start_line": "first"}),
    "wrong choice": ("count_files", {"by": "size"}),
    "no such file": ("read_file", {"path": "shop/model.py"}),
    "folder": ("read_file", {"path": "shop"}),
    "outside": ("read_file", {"path": "../../etc/passwd"}),
    "past the end": ("read_file", {"path": "README.md", "start_line": 900}),
    "no such symbol": ("find_references", {"symbol": "Baskt"}),
    "unlike any symbol": ("go_to_definition", {"symbol": "zzzzqqqq"}),
    "not a name": ("rename_symbol", {"symbol": "Basket", "new_name": "class"}),
    "name taken": ("rename_symbol", {"symbol": "Basket", "new_name": "Item"}),
    "no right to write": ("rename_symbol", {"symbol": "Basket", "new_name": "Cart", "apply": True}),
    "no such role": ("find_references", {"symbol": "Item", "role": "usage"}),
    "no outline": ("document_symbols", {"path": "data/names_3.txt"}),
    "bad pattern": ("search_text", {"query": "(price", "regex": True}),
    "no such result": ("read_result", {"uri": f"{SCHEME}aaaaaaaa"}),
    "not a number": ("read_file", {"path": "README.md", "max_tokens": "many"}),
}

FILES = {
    "README.md": "# Shop\n\nBaskets, items and what they cost.\n\n## Use\n\n    python -m shop\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n',
    "shop/__init__.py": '"""A shop."""\n\nfrom .models import Basket, Item\n\n__all__ = ["Basket", "Item"]\n',
    "shop/models.py": '''"""What is sold, and what it is carried in."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

LARGEST = 100
"""Items of the largest basket."""


@dataclass(frozen=True)
class Item:
    """Something with a price.

    Prices are without tax.
    """

    name: str
    price: Decimal

    def discounted(self, percent: int) -> Item:
        """Return the item at a lower price."""
        return Item(self.name, self.price * (100 - percent) / 100)


@dataclass
class Basket:
    """What a customer carries to the till."""

    owner: str
    items: list[Item] = field(default_factory=list)

    def add(self, item: Item, *more: Item, gift: bool = False) -> None:
        """Put items into the basket; a gift costs nothing."""
        for each in (item, *more):
            if len(self.items) >= LARGEST:
                raise OverflowError(f"{self.owner} carries too much")
            self.items.append(each.discounted(100) if gift else each)

    def total(self) -> Decimal:
        """Return what all items cost together."""
        return sum((item.price for item in self.items), Decimal(0))
''',
    "shop/orders.py": '''"""From a basket to a bill."""

from shop.models import Basket, Item

TAX = {"books": 7, "toys": 19}


def total(basket: Basket, kind: str) -> int:
    """Return the price of a basket with tax, in cents."""
    return round(basket.total() * (100 + TAX[kind]))


def price_list(items: list[Item]) -> str:
    return "\\n".join(f"{item.name}: {item.price}" for item in items)


def bill(owner: str, *items: Item) -> str:
    basket = Basket(owner)
    basket.add(*items)
    return f"{owner} pays {total(basket, 'toys')}"
''',
    "tests/test_orders.py": """from decimal import Decimal

from shop import Basket, Item
from shop.orders import bill, total


def test_total():
    basket = Basket("Ada")
    basket.add(Item("ball", Decimal(2)))
    assert total(basket, "toys") == 238


def test_bill():
    assert bill("Ada", Item("ball", Decimal(2)), Item("kite", Decimal(3))) == "Ada pays 595"
""",
    "web/prices.ts": """/** Prices as the server sends them. */
export interface Price {
  name: string;
  cents: number;
}

export const format = (price: Price): string => `${price.cents / 100} EUR`;

export class PriceList {
  constructor(private readonly prices: Price[]) {}

  /** The sum of all prices. */
  total(): number {
    return this.prices.reduce((sum, price) => sum + price.cents, 0);
  }
}
""",
    "web/app.ts": """import { PriceList, format } from "./prices";

const list = new PriceList([{ name: "ball", cents: 200 }]);
console.log(format({ name: "all", cents: list.total() }));
""",
    **{f"data/names_{i}.txt": f"ball {i}\nkite {i}\nprice {i}\n" for i in range(18)},
}


@pytest.fixture(scope="module")
def steady() -> Iterator[None]:
    """Ids of results that follow from the question alone: their tokens are part of what an answer costs."""

    def uri(_store: Store, _principal: str, call: Call, _state: str) -> str:
        digest = hashlib.sha256(str(call).encode()).digest()
        return SCHEME + base64.b32encode(digest).decode().lower()[:8]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "uri", uri)
        yield


@pytest.fixture(scope="module")
def shop(steady: None, opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:  # noqa: ARG001
    return opened(write(tmp_path_factory.mktemp("shop"), FILES))


def expect(name: str, shown: str) -> None:
    """Compare an answer with what is kept, or keep it."""
    kept = SNAPSHOTS / f"{name}.txt"
    if os.environ.get(UPDATE) == "1":
        kept.write_text(shown, encoding="utf-8", newline="\n")
    before = kept.read_text(encoding="utf-8") if kept.exists() else ""
    changes = difflib.unified_diff(before.splitlines(), shown.splitlines(), "kept", "now", lineterm="")
    assert before == shown, "\n".join([f"{kept.name}: {UPDATE}=1 keeps what is shown now", *changes])


def asked(tool: str, arguments: Arguments, **others: object) -> str:
    """Return a call as a line."""
    return f"> {Call.of(tool, **{**arguments, **others})}\n"  # type: ignore[arg-type]


@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("name", ASKED)
def test_an_answer_as_text_is_as_it_was(shop: Asking, name: str, tokens: int) -> None:
    tool, arguments = ASKED[name]
    text = shop(tool, **arguments, max_tokens=tokens)
    assert count(text) <= tokens
    expect(f"{name}.{tokens}", asked(tool, arguments, max_tokens=tokens) + text)


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_as_json_is_as_it_was(shop: Asking, name: str) -> None:
    tool, arguments = ASKED[name]
    uri = shop.session.call(Request(tool, arguments, store=True)).uri
    page: Arguments = {"uri": uri, "format": "json", "max_tokens": 1_000}
    text = shop("read_result", **page)
    assert json.loads(text)["tool"] == tool
    expect(f"{name}.json", asked(tool, arguments) + asked("read_result", page) + text)


def test_pages_of_a_result_are_as_they_were(shop: Asking) -> None:
    question: Arguments = {"query": "price"}
    shop("search_text", **question, max_tokens=60)
    uri = shop.session.call(Request("search_text", question, store=True)).uri
    pages = [asked("search_text", question)]
    for offset in (0, 7, 16):
        page: Arguments = {"uri": uri, "offset": offset, "max_tokens": 150}
        pages.append(asked("read_result", page) + shop("read_result", **page))
    expect("read_result", "".join(pages))


def test_what_a_session_spent_is_told_as_it_was(steady: None, opened: Open, tmp_path: Path) -> None:  # noqa: ARG001
    fresh = opened(write(tmp_path, FILES))
    pages = []
    again: tuple[str, Arguments] = ("budget", {"reset": True})
    for tool, arguments in (ASKED["find_references"], ASKED["search_text"], ("budget", {}), again):
        text = fresh(tool, **arguments, max_tokens=200)
        pages.append(asked(tool, arguments) + (text if tool == "budget" else ""))
    pages.append(asked("budget", {}) + fresh("budget"))
    expect("budget", "".join(pages))


def test_errors_are_as_they_were(shop: Asking) -> None:
    told = [asked(tool, arguments) + shop.error(tool, **arguments) for tool, arguments in WRONG.values()]
    expect("errors", "".join(told))


def test_every_tool_has_snapshots() -> None:
    assert {tool for tool, _ in ASKED.values()} | OF_THE_SESSION == set(TOOLS)


def test_every_snapshot_is_of_something_that_is_asked() -> None:
    forms = [*map(str, TOKENS), "json"]
    wanted = chain((f"{name}.{form}" for name in ASKED for form in forms), ("read_result", "budget", "errors"))
    assert {file.stem for file in SNAPSHOTS.iterdir()} == set(wanted)
