"""Members of their own object that types leave to those that inherit from them, as mixins, traits and modules do."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "views.py": (
        "class EventsMixin:\n    def boot(self):\n        self.fire(1)\n        return self.title\n\n\n"
        "class Model(EventsMixin):\n    title = 1\n\n    def fire(self, x): ...\n\n\n"
        "class Other:\n    title = 2\n\n    def fire(self, x): ...\n"
    ),
    "views.php": (
        "<?php\ntrait Events {\n  function boot() { $this->fire(1); static::make(); }\n}\n"
        "class Model {\n  use Events;\n  function fire($x) {}\n  static function make() {}\n}\n"
        "class Other {\n  function fire($x) {}\n  static function make() {}\n}\n"
    ),
    "views.rb": (
        "module Events\n  def boot\n    fire(1)\n    self.fire(2)\n  end\nend\n"
        "class Model\n  include Events\n  def fire(x); end\nend\nclass Other\n  def fire(x); end\nend\n"
    ),
}


@pytest.fixture(scope="module")
def mixins(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("mixins"), FILES))


@pytest.mark.parametrize(
    ("member", "line"),
    [
        ("views.py:Model.fire", "3: self.fire(1)"),
        ("views.py:Model.title", "4: return self.title"),
        ("views.php:Model.fire", "3: function boot() { $this->fire(1); static::make(); }"),
        ("views.php:Model.make", "3: function boot() { $this->fire(1); static::make(); }"),
        ("views.rb:Model.fire", "3: fire(1)"),
        ("views.rb:Model.fire", "4: self.fire(2)"),
    ],
)
def test_a_member_that_a_mixin_takes_of_its_own_object_is_most_likely_that_of_what_has_it(
    mixins: Asking, member: str, line: str
) -> None:
    assert f"{line}  [likely]" in mixins("find_references", symbol=member)
    other = mixins("find_references", symbol=member.replace("Model", "Other"))
    assert line in other.partition("undecided: ")[2]


def test_a_member_that_the_mixin_has_itself_is_its_own(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.py": (
            "class Mixin:\n    def go(self):\n        self.step()\n\n    def step(self): ...\n\n\n"
            "class Model(Mixin):\n    def step(self): ...\n"
        )
    }
    ask = opened(write(tmp_path, files))
    assert "3: self.step()  (in Mixin.go)" in ask("find_references", symbol="Mixin.step")
    assert "find_references a.Model.step: 1 reference" in ask("find_references", symbol="Model.step")
