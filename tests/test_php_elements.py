"""Elements of arrays and other collections of PHP: in loops, behind keys, in the functions for arrays.

https://www.php.net/manual/en/ref.array.php, https://www.php.net/manual/en/class.iteratoraggregate.php
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

MODEL = """<?php
namespace App;
class Money { public int $amount = 0; public function amount(): int { return 1; } }
class Price { public function amount(): int { return 2; } }
class Bag implements \\Iterator, \\ArrayAccess
{
    public function current(): Money { return new Money(); }
    public function offsetGet($i): Price { return new Price(); }
}
/** @implements \\IteratorAggregate<int, Money> */
class Moneys implements \\IteratorAggregate
{
    public function getIterator(): \\Iterator { return new \\ArrayIterator([]); }
    /** @return \\Generator<int, Money, mixed, void> */
    public function each(): \\Generator { yield new Money(); }
    /** @return list<Money> */
    public function all(): array { return []; }
}
class Listed implements \\IteratorAggregate
{
    /** @return \\ArrayIterator<int, Money> */
    public function getIterator(): \\ArrayIterator { return new \\ArrayIterator([]); }
}
class Till
{
    /** @param Money[] $list */
    public function run(array $list, Bag $bag, Moneys $moneys, Listed $listed, Price $m, array $other)
    {
        BODY
    }
}
"""
MONEY, PRICE = "model.php:3:55", "model.php:4:31"

BODIES = {
    "foreach ($list as $one) { $one->amount(); }": MONEY,
    "foreach ($bag as $one) { $one->amount(); }": MONEY,
    "$bag[0]->amount();": PRICE,
    "foreach ($moneys as $one) { $one->amount(); }": MONEY,
    "foreach ($moneys->each() as $one) { $one->amount(); }": MONEY,
    "foreach ($listed as $key => $one) { $one->amount(); }": MONEY,
    "array_map(fn ($one) => $one->amount(), $list);": MONEY,
    "\\array_filter($moneys->all(), static function ($one) { return $one->amount(); });": MONEY,
    "usort($list, fn ($one, $two) => $two->amount());": MONEY,
    "array_reduce($list, fn ($sum, $one) => $sum + $one->amount(), 0);": MONEY,
    "array_values(array_filter($list))[0]->amount();": MONEY,
    "end($list)->amount();": MONEY,
    "foreach (array_map(fn ($i) => new Money(), $other) as $one) { $one->amount(); }": MONEY,
}
UNKNOWN = (
    "foreach (array_map(fn (Money $m) => $m, $list) as $one) { $one->amount(); }",
    "array_map(fn ($one) => $one->amount(), $other);",
    "array_reduce($list, fn ($sum, $one) => $sum->amount());",
    "other(fn ($one) => $one->amount(), $list);",
)


def place_of_call(body: str) -> str:
    """Return the place of the last call of ``amount`` in the tree with a body."""
    lines = MODEL.replace("BODY", body).split("\n")
    number = next(at for at, line in enumerate(lines) if body in line)
    return f"model.php:{number + 1}:{lines[number].rindex('amount') + 1}"


@pytest.mark.parametrize(("body", "leads"), BODIES.items(), ids=range(len(BODIES)))
def test_elements_have_the_type_that_the_collection_says(body: str, leads: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"model.php": MODEL.replace("BODY", body)}))
    assert f"Method in {leads}" in ask("go_to_definition", symbol=place_of_call(body))


@pytest.mark.parametrize("body", UNKNOWN, ids=range(len(UNKNOWN)))
def test_what_nothing_says_of_an_element_is_undecided(body: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"model.php": MODEL.replace("BODY", body)}))
    assert "the definition was not found" in ask("go_to_definition", symbol=place_of_call(body))
