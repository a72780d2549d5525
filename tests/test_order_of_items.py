"""The order of items: what the product itself holds stands before documentation, examples and tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "docs/page.py": "from lib.base import Base\n\n\nclass Page(Base):\n    pass\n\n\nPage().draw()\n",
    "examples/demo.py": "from lib.base import Base\n\n\nclass Demo(Base):\n    pass\n\n\nDemo().draw()\n",
    "lib/base.py": "class Base:\n    def draw(self):\n        pass\n",
    "lib/part.py": "from lib.base import Base\n\n\nclass Part(Base):\n    pass\n\n\ndef show():\n    Part().draw()\n",
    "tests/test_base.py": "from lib.base import Base\n\n\nclass Stub(Base):\n    pass\n\n\nStub().draw()\n",
}


@pytest.fixture
def ask(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, FILES))


@pytest.mark.parametrize(
    ("tool", "symbol"),
    [
        ("find_references", "Base.draw"),
        ("call_hierarchy", "Base.draw"),
        ("find_implementations", "Base"),
        ("find_references", "Base"),
    ],
)
def test_items_of_the_product_stand_before_those_of_docs_examples_and_tests(
    tool: str, symbol: str, ask: Asking
) -> None:
    text = ask(tool, symbol=symbol)
    places = [text.index(path) for path in ("lib/part.py", "docs/page.py", "examples/demo.py", "tests/test_base.py")]
    assert places == sorted(places)
