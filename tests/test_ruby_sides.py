"""A method of a class of Ruby and one of its objects are two symbols, whatever they are called."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

STORE = """class Store
  def self.open(path) = new
  def open = 1
  def open? = true
  def use
    open? && open
  end
  def self.both = open("x")
end
Store.open("x")
Store.new.open
unknown.open
"""


def test_references_of_a_method_of_a_class_are_none_of_its_objects(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"store.rb": STORE})
    ask = opened(tmp_path)
    of_class, of_object = (
        ask("find_references", symbol=f"store.rb:{line}").partition("\n12: ")[0].splitlines()[3:] for line in (2, 3)
    )
    lines = [[int(one.partition(":")[0]) for one in listed if one[:1].isdigit()] for listed in (of_class, of_object)]
    assert lines == [[2, 8, 10], [3, 6, 11]]


def test_each_side_is_found_and_renamed_alone(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"store.rb": STORE})
    ask = opened(tmp_path)
    assert "Method in store.rb:2\n" in ask("go_to_definition", symbol="store.rb:10:7")
    assert "Method in store.rb:3\n" in ask("go_to_definition", symbol="store.rb:6:14")
    assert "Store.use" not in ask("call_hierarchy", symbol="store.rb:2")
    renamed = ask("rename_symbol", symbol="store.rb:3", new_name="opened")
    assert "+  def opened = 1" in renamed
    assert "+Store.new.opened" in renamed
    assert "self.opened" not in renamed
    assert "Store.opened" not in renamed


def test_a_name_with_a_sign_is_another_one(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"store.rb": "class Store\n  def open = 1\n  def open? = open\n  def use = open?\nend\n"})
    found = opened(tmp_path)("find_references", symbol="Store.open")
    assert "complete" in found
    assert "exact 2, another symbol 2" in found


def test_the_sides_stay_one_symbol_where_the_class_itself_is_opened(opened: Open, tmp_path: Path) -> None:
    text = "class Store\n  class << self\n    def open = 1\n  end\n  def open = 2\nend\nStore.open\nStore.new.open\n"
    write(tmp_path, {"store.rb": text})
    found = opened(tmp_path)("find_references", symbol="Store.open")
    assert "exact 4" in found
    assert "8: Store.new.open" in found
