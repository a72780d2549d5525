"""Modules that Ruby includes at the top of a file: https://docs.ruby-lang.org/en/master/syntax/modules_and_classes_rdoc.html."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

TREE = {
    "lib/shop.rb": (
        "module Shop\n  class Site\n    attr_reader :source\n  end\n  class File; end\n  class Base; end\nend\n"
    ),
    "lib/top.rb": "class Base; end\n",
    "test/helper.rb": 'require "shop"\ninclude Shop\ndef made = Site.new\n',
    "test/test_site.rb": (
        'require "helper"\nclass TestSite\n  def test_it\n    Site.new.source\n    File.read("a")\n'
        "    Base\n  end\nend\n"
    ),
    "test/test_other.rb": "class TestOther\n  include Shop\n  def test_it = Site\nend\ndef none = Site\n",
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, TREE))


@pytest.mark.parametrize("place", ["test/helper.rb:3:12", "test/test_site.rb:4:5", "test/test_other.rb:3:17"])
def test_a_constant_may_be_one_of_a_module_that_is_included_at_the_top(place: str, shop: Asking) -> None:
    assert "Class in lib/shop.rb:2" in shop("go_to_definition", symbol=place)


def test_an_object_of_such_a_class_has_its_members(shop: Asking) -> None:
    assert "Property in lib/shop.rb:3" in shop("go_to_definition", symbol="test/test_site.rb:4:14")


@pytest.mark.parametrize(("place", "other"), [("5:5", "lib/shop.rb:5"), ("6:5", "lib/shop.rb:6")])
def test_what_is_at_the_top_goes_before_it(place: str, other: str, shop: Asking) -> None:
    assert f"Class in {other}" not in shop.response("go_to_definition", symbol=f"test/test_site.rb:{place}").text


def test_a_file_that_takes_no_such_file_in_has_no_such_constants(shop: Asking) -> None:
    assert "the definition was not found" in shop("go_to_definition", symbol="test/test_other.rb:5:12")
