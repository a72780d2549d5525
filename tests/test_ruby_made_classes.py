"""Classes that calls of Ruby make have members of their own, and attributes that the arguments of a call name."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

OPTIONS = """class Options
  attr_reader :name
  Point = Struct.new(:name, :id) do
    def label = name
  end
  K = Class.new(String) do
    def lab2 = name
  end
end
"""

PLACE = """Place = Data.define(:lat, :lng) do
  def sum = lat + lng
end
class Other
  attr_reader :lat
  def initialize(lat:) = @lat = lat
end
"""


def test_a_name_in_a_made_class_is_no_member_of_the_class_around(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"a.rb": OPTIONS})
    ask = opened(tmp_path)
    assert "exact 1," in ask("find_references", symbol="Options.name")
    assert "Property in a.rb:3:23" in ask("go_to_definition", symbol="a.rb:4:17")
    renamed = ask("rename_symbol", symbol="Options.name", new_name="title")
    assert "attr_reader :title" in renamed
    assert "def label = title" not in renamed


def test_the_arguments_of_a_call_name_the_attributes_of_the_class_that_they_make(opened: Open, tmp_path: Path) -> None:
    uses = "p1 = Place.new(lat: 1, lng: 2)\np1.with(lat: 3).lat\nOther.new(lat: 4)\nunknown.new(lat: 5)\n"
    write(tmp_path, {"place.rb": PLACE, "use.rb": uses})
    ask = opened(tmp_path)
    found, _, undecided = ask("find_references", symbol="Place.lat").partition("\nundecided")
    assert "1: p1 = Place.new(lat: 1, lng: 2)" in found
    assert "2: p1.with(lat: 3).lat" in found
    assert "4: unknown.new(lat: 5)" in undecided
    assert "Other.new" not in found + undecided
    assert "Place.new(latitude: 1, lng: 2)" in ask("rename_symbol", symbol="Place.lat", new_name="latitude")


@pytest.mark.parametrize(("line", "column", "leads"), [(9, 7, "a.rb:5"), (10, 7, "a.rb:6"), (14, 7, "a.rb:5")])
def test_a_local_name_around_the_block_of_a_made_class_hides_a_member(
    tmp_path: Path, opened: Open, line: int, column: int, leads: str
) -> None:
    code = (
        "module Named\n  attr_reader :base, :item\nend\nclass Space\n  def make(base)\n    item = 3\n"
        "    Class.new do\n      include Named\n      base.to_s\n      item.to_s\n    end\n"
        "    Module.new do\n      include Named\n      base.to_s\n    end\n  end\nend\n"
    )
    asking = opened(write(tmp_path, {"a.rb": code}))
    assert leads in asking("go_to_definition", symbol=f"a.rb:{line}:{column}")


def test_a_class_inherits_the_attributes_that_a_call_in_its_head_names(opened: Open, tmp_path: Path) -> None:
    code = (
        "class Place < Struct.new(:lat, :lng)\n  def sum = lat + lng\nend\n"
        "class Spot < Data.define(:lat)\nend\n"
        "Place.new(1, 2).lat\nSpot.new(lat: 1).lat\n"
    )
    ask = opened(write(tmp_path, {"place.rb": code}))
    for place in ("place.rb:2:13", "place.rb:6:17"):
        assert "Property in place.rb:1:27" in ask("go_to_definition", symbol=place), place
    assert "Property in place.rb:4:27" in ask("go_to_definition", symbol="place.rb:7:18")
    assert "3 references, complete" in ask("find_references", symbol="place.rb:1:27")


NAMED = """class One
  def hide(x) = x
  def self.hide(y) = y
  private :hide
end
module Two
  def hide(x) = x
  module_function :hide
end
module Three
  def self.hide(x) = x
  private_class_method :hide
end
"""


@pytest.mark.parametrize(("place", "leads"), [("4:12", "a.rb:2"), ("8:20", "a.rb:7"), ("12:25", "a.rb:11")])
def test_a_class_names_methods_of_its_objects_or_its_own(place: str, leads: str, opened: Open, tmp_path: Path) -> None:
    ask = opened(write(tmp_path, {"a.rb": NAMED}))
    answer = ask("go_to_definition", symbol=f"a.rb:{place}")
    assert leads in answer
    assert "candidates" not in answer
    assert "2 definitions" not in answer
