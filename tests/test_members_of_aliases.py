"""The members of types that are other names: of one type, of several, of what nobody knows the members of."""

from __future__ import annotations

import pytest

from conftest import Asking, Open, write

TYPES = """export interface Circle { kind: "circle"; radius: number }
export interface Square { kind: "square"; side: number }
export type Shape = Circle | Square | { kind: "line"; length: number };
export type Both = Circle & Square;
export type One = Circle;
export type Left = Omit<Circle, "kind">;
export type Loaded = typeof import("./other");
export type Made = ReturnType<typeof make>;
export function make() { return { made: 1 }; }
"""


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    files = {"types.ts": TYPES, "other.ts": "export function install() {}\n"}
    return opened(write(tmp_path_factory.mktemp("tree"), files))


def test_a_union_has_the_members_of_all_its_types(types: Asking) -> None:
    shown = types("type_members", symbol="Shape")
    assert "6 members, complete" in shown
    assert "one of, or all of: types.Circle, types.Square" in shown
    assert all(name in shown for name in ("length", "radius", "side"))
    assert "4 members, complete" in types("type_members", symbol="Both")


def test_another_name_for_one_type_has_its_members(types: Asking) -> None:
    assert "2 members, complete" in types("type_members", symbol="One")


def test_members_that_an_alias_leaves_out_are_not_listed(types: Asking) -> None:
    shown = types("type_members", symbol="Left")
    assert "radius" in shown
    assert "kind" not in shown


@pytest.mark.parametrize("name", ["Loaded", "Made"])
def test_an_alias_of_what_nobody_knows_the_members_of_is_not_said_to_have_none(types: Asking, name: str) -> None:
    assert "no certain members" in types("type_members", symbol=f"types.{name}")
