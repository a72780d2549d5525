"""Patterns of Ruby: https://docs.ruby-lang.org/en/master/syntax/pattern_matching_rdoc.html."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

CODE = """Pair = Data.define(:left, :right)
class Old
  attr_reader :left
end
def match(it, other)
  pr = Pair.new(left: 1, right: 2)
  case pr
  in {left:, right: 0} then left
  end
  case it
  in Pair(left: one, right:) then one + right
  in {deep: {left:}} then left
  in [^other, rest] then rest
  end
  it => {left:}
  left
end
"""


@pytest.fixture
def patterns(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, {"a.rb": CODE}))


@pytest.mark.parametrize("place", ["8:29", "12:27", "16:3"])
def test_a_key_without_a_value_is_a_variable(place: str, patterns: Asking) -> None:
    assert "Local name in a.rb:8:7" in patterns("go_to_definition", symbol=f"a.rb:{place}")


def test_what_a_pattern_compares_with_is_no_variable_of_it(patterns: Asking) -> None:
    assert "Parameter in a.rb:5:15" in patterns("go_to_definition", symbol="a.rb:13:8")


def test_a_key_is_an_attribute_of_what_is_matched(patterns: Asking) -> None:
    found, _, undecided = patterns("find_references", symbol="Pair.left").partition("\nundecided")
    assert "8: in {left:, right: 0}" in found
    assert "11: in Pair(left: one, right:)" in found
    assert "12: in {deep: {left:}}" in undecided
    assert "15: it => {left:}" in undecided


def test_a_variable_keeps_its_key_when_it_is_renamed(patterns: Asking) -> None:
    renamed = patterns("rename_symbol", symbol="a.rb:8:29", new_name="first")
    assert "in {left: first, right: 0} then first" in renamed
    assert "in {deep: {left: first}} then first" in renamed


def test_an_attribute_keeps_its_variable_when_it_is_renamed(patterns: Asking) -> None:
    renamed = patterns("rename_symbol", symbol="a.rb:1:21", new_name="first")
    assert "in {first: left, right: 0} then left" in renamed
    assert "in Pair(first: one, right:) then one + right" in renamed
