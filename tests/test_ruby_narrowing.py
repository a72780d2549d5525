"""Where ``is_a?`` and ``when`` hold in Ruby a use is that of their type, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

TYPES = "class A\n  def go; end\nend\nclass B\n  def go; end\nend\n"


def marked(opened: Open, folder: Path, body: str) -> set[str]:
    """Return the uses that certainly mean ``A.go``, by the comments behind them."""
    write(folder, {"types.rb": TYPES, "use.rb": f"def use(x, y)\n{body}end\n"})
    said = opened(folder)("find_references", symbol="A.go", max_tokens=2_000)
    listed = said.partition("\nundecided: ")[0]
    lines = [line for line in listed.splitlines() if "#" in line and "[likely]" not in line]
    return {line.partition("# ")[2].split()[0] for line in lines}


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("  x.go if x.is_a?(A) # yes\n", {"yes"}),
        ("  x.go unless x.is_a?(A) # no\n", set()),
        ("  return unless x.is_a?(A)\n  x.go # yes\n", {"yes"}),
        ("  return if x.is_a?(A)\n  x.go # no\n", set()),
        ("  raise ArgumentError unless x.kind_of?(A)\n  x.go # yes\n", {"yes"}),
        ("  y.go unless x.is_a?(A)\n  x.go # no\n", set()),
        ("  if x.is_a?(A)\n    x.go # yes\n  else\n    x.go # no\n  end\n", {"yes"}),
        ("  if y\n    x.go # no\n  elsif x.is_a?(A)\n    x.go # yes\n  end\n  x.go # after\n", {"yes"}),
        ("  unless x.is_a?(A)\n    x.go # no\n  else\n    x.go # yes\n  end\n", {"yes"}),
        ("  case x\n  when A\n    x.go # yes\n  else\n    x.go # no\n  end\n", {"yes"}),
        ("  x.is_a?(A) && x.go # yes\n", {"yes"}),
        ("  x.is_a?(A) || x.go # no\n", set()),
        ("  return if !x.is_a?(A) or y\n  x.go # yes\n", {"yes"}),
        ("  return if not (x.is_a?(A) && y)\n  x.go # yes\n", {"yes"}),
        ("  while x.is_a?(A)\n    x.go # yes\n  end\n  until x.is_a?(A)\n    x.go # no\n  end\n", {"yes"}),
        ("  if x.is_a?(A)\n    x = B.new\n    x.go # no\n  end\n", set()),
    ],
)
def test_a_test_of_a_type_counts_where_it_holds(opened: Open, tmp_path: Path, body: str, certain: set[str]) -> None:
    assert marked(opened, tmp_path, body) == certain


def test_what_is_after_a_conditional_belongs_to_its_own_side(opened: Open, tmp_path: Path) -> None:
    write(tmp_path, {"types.rb": TYPES, "use.rb": "def use(x)\n  x.is_a?(A) ? x.go : x.go\nend\n"})
    said = opened(tmp_path)("find_references", symbol="A.go")
    assert "1 undecided" in said
    shown = [line.partition("  [receiver at ")[0] for line in said.splitlines() if "x.go" in line]
    assert shown == ["2: x.is_a?(A) ? x.go : x.go  (in use)"] * 2
