"""Keys of object literals: a getter and its setter, and keys beside what is spread."""

from __future__ import annotations

import pytest

from conftest import Asking, Open, write

STORE = """export const store = {
  items: [],
  count: 0,
  get size() {
    return this.items.length;
  },
  set size(n) {
    this.items.length = n;
  },
};
const copy = { ...store, count: 3 };
console.log(copy.count, copy.items, store.size);
store.size = 3;
"""


@pytest.fixture(scope="module", params=["store.js", "store.ts"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("tree"), {request.param: STORE}))


@pytest.mark.parametrize("line", [4, 7])
def test_a_getter_and_a_setter_of_an_object_are_one_symbol(store: Asking, line: int) -> None:
    path = "store.js" if "store.js" in store("repo_map") else "store.ts"
    shown = store("find_references", symbol=f"{path}:{line}:7")
    assert "4: get size() {" in shown
    assert "7: set size(n) {" in shown
    assert "13: store.size = 3;" in shown
    renamed = store("rename_symbol", symbol=f"{path}:{line}:7", new_name="total")
    assert "+  get total() {" in renamed
    assert "+  set total(n) {" in renamed


def test_a_key_behind_a_spread_object_takes_the_place_of_that_of_the_object(store: Asking) -> None:
    path = "store.js" if "store.js" in store("repo_map") else "store.ts"
    shown = store("go_to_definition", symbol=f"{path}:12:18")
    assert f"{path}:11:26" in shown
    assert f"{path}:3:3" not in shown
    assert f"{path}:2:3" in store("go_to_definition", symbol=f"{path}:12:30")
