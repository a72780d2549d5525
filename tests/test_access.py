"""Which members ``type_members`` leaves out with ``private=False``, by the rules of each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Asking, Open, write
from leadline_tools.languages.access import (
    DeclaredMember,
    IsPrivate,
    Owner,
    SourceLines,
    is_private_cpp,
    is_private_ruby,
    is_private_rust,
)
from leadline_tools.model import SymbolKind

FILES = {
    "A.java": """public class A {
    int near;
    private int hidden;
    protected int half;
    public int open;
    void call() {}
    public A() {}
    private static final int LIMIT = 1;
}
class Plain { int a; private int b; }
interface I { void hold(); }
enum K { ONE; int n; }
record R(int x) {}
""",
    "a.cpp": """class Shelf {
    int count;
    struct Inner { int deep; };
public:
    Shelf();
    int open() { return 1; }  // private:
    template <class T> void put(T t);
protected:
    int near;
private: int last;
 public Q_SLOTS:
    void slot();
};
struct Plain { int a; private: int b; };
enum class Kind { One };
""",
    "a.cs": """public class Shelf {
    int count;
    public int Open { get; private set; }
    internal int Near;
    protected internal void Mid() {}
    private void Hidden() {}
    public Shelf() {}
    void IHold.Hold() {}
    const int Limit = 1;
    public event System.Action Done;
}
public interface IHold { void Hold(); }
public record P(int X, int Y);
public enum Kind { One }
""",
    "a.dart": """class Shelf { int _a = 1; int b = 2; void _c() {} }
""",
    "a.go": """package a

type Shelf struct {
	Name string
	count int
	inner
}
type inner struct{ N int }
func (s *Shelf) Open() {}
func (s *Shelf) hidden() {}
type Holder interface { Hold(); keep() }
""",
    "a.js": """class Shelf {
  #count = 0
  open = 1
  #run() {}
  static #make() {}
  constructor() {}
}
""",
    "a.kt": """class Shelf(val name: String, private val hidden: Int, plain: Int) {
    internal val near = 1
    protected fun half() {}
    fun open() {}
    private fun closed() {}
    var count = 0
        private set
    companion object { private const val X = 1 }
}
""",
    "a.php": """<?php
class Shelf {
    public private(set) string $name;
    private int $hidden;
    protected $half;
    var $old;
    const A = 1;
    private const B = 2;
    function open() {}
    private function closed() {}
    public function __construct(private int $arg, public readonly int $out) {}
}
""",
    "a.py": """class Shelf:
    _a = 1
    __b = 2
    def __init__(self):
        self.c = 1
        self._d = 2
    def __len__(self): return 1
    def _hid(self): pass
    def open(self): pass
""",
    "a.rb": """class Shelf
  attr_reader :name
  def open; end
  private
  def hidden
    if true
    end
  end
  attr_reader :mark
  public
  def again; end
  private def one; end
  def two; end
  private :two
  def self.make; end
  private_class_method :make
  class Inner
    private
    def deep; end
  end
  def last; end
end
""",
    "a.rs": """pub struct Shelf<T> {
    pub name: String,
    count: u32,
    pub(crate) mark: T,
}
impl<T> Shelf<T> {
    pub fn open(&self) {}
    fn hidden(&self) {}
    pub(crate) fn near(&self) {}
    pub const LIMIT: u32 = 1;
}
impl<T> Clone for Shelf<T> {
    fn clone(&self) -> Self { todo!() }
}
pub trait Holder { fn hold(&self); const N: u32; }
pub enum Kind { One, Two { a: u32 }, Three(u32) }
pub struct Pair(pub u32, u32);
""",
    "a.scala": """class Shelf(val name: String, plain: Int, private val hid: Int) {
  private[this] val a = 1
  private[pkg] def b = 2
  protected def c = 3
  def d = 4
}
case class P(x: Int, private val y: Int)
""",
    "a.swift": """public struct Shelf {
    public var name: String
    private(set) public var count = 0
    fileprivate var mark = 1
    var near = 2
    private func hidden() {}
    public init() {}
    func plain() {}
}
public extension Shelf { func extra() {} }
extension Shelf { func more() {} }
class Plain { var a = 1; private var b = 2 }
public enum Kind { case one, two }
public protocol Holder { func hold() }
""",
    "a.ts": """export class Shelf {
  #count = 0
  private hidden = 1
  protected half = 2
  public open = 3
  readonly plain = 4
  constructor(private arg: number, public out: number, readonly ro: string) {}
  private static make() {}
  #run() {}
  get size() { return 1 }
}
""",
}

CASES = {
    "Rust": ("a.rs:Shelf", "name open LIMIT clone", "count mark hidden near"),
    "Rust: a trait": ("a.rs:Holder", "hold N", ""),
    "Rust: an enum": ("a.rs:Kind", "One Two Three", ""),
    "Swift": ("a.swift:Shelf", "name count init extra", "mark near hidden plain more"),
    "Swift: a type of its module": ("a.swift:Plain", "a", "b"),
    "C++": ("a.cpp:Shelf", "Shelf open put slot", "count Inner near last"),
    "C++: a structure": ("a.cpp:Plain", "a", "b"),
    "Ruby": ("a.rb:Shelf", "name open again Inner last", "hidden mark one two make"),
    "C#": ("a.cs:Shelf", "Open Shelf Hold Done", "count Near Mid Hidden Limit"),
    "C#: a record": ("a.cs:P", "X Y", ""),
    "Java": ("A.java:A", "open A", "near hidden half call LIMIT"),
    "Java: a type of its package": ("A.java:Plain", "a", "b"),
    "Java: an interface": ("A.java:I", "hold", ""),
    "Java: a record": ("A.java:R", "x", ""),
    "Kotlin": ("a.kt:Shelf", "name open count", "hidden near half closed X"),
    "Scala": ("a.scala:Shelf", "name d", "hid a b c"),
    "TypeScript": ("a.ts:Shelf", "open plain constructor out ro size", "#count hidden half arg make #run"),
    "JavaScript": ("a.js:Shelf", "open constructor", "#count #run #make"),
    "PHP": ("a.php:Shelf", "name old A open __construct out", "hidden half B closed arg"),
    "Go": ("a.go:Shelf", "Name Open", "count hidden inner"),
    "Go: an interface": ("a.go:Holder", "Hold", "keep"),
    "Python": ("a.py:Shelf", "__init__ c __len__ open", "_a __b _d _hid"),
    "Dart": ("a.dart:Shelf", "b", "_a _c"),
}
"""For each kind of type: its address, its public members, and those that are not for all who can name the type."""

_MEMBER = re.compile(r"^\d+ (\S+)", re.MULTILINE)


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("types"), FILES))


@pytest.mark.parametrize(("symbol", "public", "private"), CASES.values(), ids=CASES)
def test_members_that_are_not_public_are_left_out_on_request(
    symbol: str, public: str, private: str, types: Asking
) -> None:
    listed = _MEMBER.findall(types("type_members", symbol=symbol, private=False, detail="lean").partition("\n")[2])
    without = [name for name in listed if name != "private"]
    every = _MEMBER.findall(types("type_members", symbol=symbol, detail="lean").partition("\n")[2])
    assert sorted({name for name in without if name in every}) == sorted(public.split())
    assert sorted(set(every) - set(without)) == sorted(private.split())


def test_a_member_defined_outside_of_its_class_is_as_its_declaration_says(tmp_path: Path, opened: Open) -> None:
    files = {
        "shelf.h": "class Shelf {\n  void hide();\npublic:\n  void show();\n};\n",
        "shelf.cpp": '#include "shelf.h"\nvoid Shelf::hide() {}\nvoid Shelf::show() {}\n',
    }
    ask = opened(write(tmp_path, files))
    assert "hide" in ask("type_members", symbol="Shelf")
    shown = ask("type_members", symbol="Shelf", private=False)
    assert "show" in shown
    assert "hide" not in shown


class CountedLines(list[str]):
    """Lines that count how many of them are looked at."""

    looked_at = 0

    def __getitem__(self, place: Any) -> Any:
        self.looked_at += len(range(*place.indices(len(self)))) if isinstance(place, slice) else 1
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[str]:
        for line in super().__iter__():
            self.looked_at += 1
            yield line


@pytest.mark.parametrize("is_private", [is_private_ruby, is_private_cpp, is_private_rust])
def test_the_lines_of_a_type_are_looked_through_as_often_for_many_members_as_for_few(is_private: IsPrivate) -> None:
    def looks_a_line(members: int) -> float:
        texts = CountedLines(["class Big {", *(f"  def m{number}; end" for number in range(members)), "}"])
        lines = SourceLines(texts)
        owner = Owner(SymbolKind.Class, "class Big", 1, len(texts), lines)
        for number in range(members):
            outside = is_private is is_private_rust
            declared = None if outside else owner
            is_private(DeclaredMember(f"m{number}", SymbolKind.Method, "def m", number + 2, declared, "", lines))
        return texts.looked_at / len(texts)

    assert looks_a_line(400) <= looks_a_line(20) + 1
