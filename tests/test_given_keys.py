"""Values that are given to others as keys: composables of Vue, hooks of React, stores of Pinia."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, late_facts, write

FILES = {
    "composable.ts": """export function useCounter() {
  const count = { value: 0 }
  function bump(by: number) { count.value += by }
  return { count, bump }
}
export function add(given: { by: number }) { const by = 1; add({ by }) }
""",
    "use.ts": """import { useCounter } from './composable'
const counter = useCounter()
counter.bump(1)
const { count } = useCounter()
""",
    "store.ts": """import { defineStore } from 'pinia'
export const useCart = defineStore('cart', {
  state: () => ({ lines: [] as string[] }),
  getters: { total: (state) => state.lines.length },
  actions: { remove(sku: string) {} },
})
export const useSetup = defineStore('setup', () => {
  function remove(name: string) {}
  return { remove }
})
export class Other { remove() {} total() {} lines() {} }
""",
    "page.ts": """import { useCart, useSetup } from './store'
const cart = useCart()
cart.remove('a'); cart.total; cart.lines
useSetup().remove('b')
""",
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("keys"), FILES))


@pytest.mark.parametrize(("symbol", "key"), [("composable.ts:3:12", "4:19"), ("composable.ts:2:9", "4:12")])
def test_the_references_of_a_value_name_the_key_by_which_others_have_it(symbol: str, key: str, ask: Asking) -> None:
    answer = ask("find_references", symbol=symbol)
    assert f"also given to others as a key, whose uses are not counted: composable.ts:{key}" in answer
    assert f'next: find_references(symbol="composable.ts:{key}")' in answer


def test_a_value_that_sets_a_declared_member_is_given_to_nobody_by_another_name(ask: Asking) -> None:
    assert "also given" not in ask("find_references", symbol="composable.ts:6:52")


@pytest.mark.parametrize(
    ("place", "found"),
    [("3:6", "store.ts:5"), ("3:24", "store.ts:4"), ("3:36", "store.ts:3"), ("4:12", "store.ts:9")],
)
def test_a_store_has_what_its_options_name_or_what_its_setup_returns(place: str, found: str, ask: Asking) -> None:
    answer = ask("go_to_definition", symbol=f"page.ts:{place}")
    assert found in answer
    assert "likely" not in answer


def test_a_method_of_another_type_is_not_one_of_a_store(ask: Asking) -> None:
    assert "1 reference, complete" in ask("find_references", symbol="Other.remove").partition("\n")[0]


def test_this_in_an_object_inside_an_object_is_not_likely_another_type(tmp_path: Path, opened: Open) -> None:
    code = "export const a = { x() {}, y() { this.x() }, z: { p() {}, q() { this.p(); this.turn() } } }\n"
    other = "export class Other { x() {} p() {} turn() {} }\n"
    ask = opened(write(tmp_path, {"a.ts": code, "other.ts": other}))
    for name in ("p", "turn"):
        answer = ask("find_references", symbol=f"Other.{name}")
        assert "[likely]" not in answer
        assert "1 undecided" in answer.partition("\n")[0]
    assert "a.ts:1:20" in ask("go_to_definition", symbol="a.ts:1:39")


def test_references_are_listed_where_there_is_no_time_to_find_the_key(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = """import { Api } from './types'
export function useCounter(): Api {
  const bump = 1
  return { bump }
}
"""
    ask = opened(write(tmp_path, {"a.ts": code, "types.ts": "export interface Api { total: number }\n"}))
    late_facts(monkeypatch, lambda path: path == "types.ts")
    answer = ask("find_references", symbol="a.ts:3:9")
    assert "4: return { bump }" in answer
    assert "as a key was not known in time, ask again" in answer
