"""An object of an anonymous class of PHP has the members that the class declares, before those that it inherits."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

BASE = """<?php
abstract class Base {
    public function run(): int { return 1; }
    public function stop(): int { return 1; }
}
"""

USE = """<?php
require 'base.php';
function make() {
    $an = new class(1) extends Base {
        public int $own = 0;
        public function run(): int { return $this->own; }
    };
    $an->run();
    $an->stop();
    $an->own = 3;
    return new class extends Base { public function run(): int { return 3; } };
}
make()->run();
"""


def test_a_call_means_the_override_in_an_anonymous_class(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"base.php": BASE, "use.php": USE})
    ask = opened(tmp_path)
    assert "in use.php:6" in ask("go_to_definition", symbol="use.php:8:11")
    assert "$an->own = 3;" in ask("find_references", symbol="use.php:5:21")
    assert "$an->stop();" in ask("find_references", symbol="Base.stop")
    found = ask("find_references", symbol="Base.run")
    assert "find_references Base.run: 1 reference, complete" in found
    assert "overridden, not counted: (unnamed type).run use.php:6, (unnamed type).run use.php:11" in found


def test_anonymous_classes_are_subtypes_also_where_a_file_has_no_others(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"base.php": BASE, "use.php": USE})
    found = opened(tmp_path)("find_implementations", symbol="Base")
    assert "4: $an = new class(1) extends Base {" in found
    assert "11: return new class extends Base" in found
