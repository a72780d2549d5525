"""Everyday code of C, C++ and Rust: names that look like those of other things."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

STANDARD = (
    "struct Point;\nimpl Point {\n    fn new() -> Self { Point }\n    fn take(&self) {}\n}\n"
    "fn run(mut slot: Option<u8>) {\n    Point::new();\n    let v: Vec<u8> = Vec::new();\n    let s = String::new();\n"
    "    let b = Box::new(1);\n    let r = std::rc::Rc::new(2);\n    std::mem::take(&mut slot);\n}\n"
)


def test_a_function_of_a_standard_type_is_none_of_a_type_of_the_tree(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": STANDARD}))
    made = ask("find_references", symbol="src/lib.rs:3:8")
    assert "exact 2, another symbol 4" in made
    assert "complete" in made
    assert "exact 1, another symbol 1" in ask("find_references", symbol="src/lib.rs:4:8")


def test_a_function_of_a_standard_type_may_be_one_of_a_trait_of_the_tree(tmp_path: Path, opened: Open) -> None:
    trait = "pub trait Make { fn new() -> Self; }\nimpl Make for Vec<u8> { fn new() -> Self { vec![] } }\n"
    sources = {"src/lib.rs": f"mod make;\n{STANDARD}", "src/make.rs": trait}
    hidden = opened(write(tmp_path / "hidden", sources))("find_references", symbol="src/lib.rs:4:8")
    assert "another symbol 6" in hidden  # the function of the type itself comes first
    sources = {path: source.replace("new", "blank") for path, source in sources.items()}
    assert "4 undecided" in opened(write(tmp_path / "seen", sources))("find_references", symbol="src/lib.rs:4:8")


def test_a_type_of_the_tree_hides_the_standard_type_of_its_name(tmp_path: Path, opened: Open) -> None:
    own = (
        "mod own { pub struct Vec; impl Vec { pub fn new() -> Self { Vec } } }\nuse own::Vec;\nfn f() { Vec::new(); }\n"
    )
    ask = opened(write(tmp_path, {"src/lib.rs": own}))
    assert "src/lib.rs:1:" in ask("go_to_definition", symbol="src/lib.rs:3:15")
    assert "exact 2" in ask("find_references", symbol="src/lib.rs:1:45")


ARGUMENTS = (
    "struct Shape;\nimpl Shape {\n    fn area(&self) -> i32 { 1 }\n}\nfn main() {\n    let x = Shape.area();\n"
    '    println!("{area}", area = x);\n    let t = format!("{}{area:>3}", x, area = 3);\n    my!(area = 3);\n}\n'
)


def test_the_name_of_an_argument_of_a_text_is_no_method(tmp_path: Path, opened: Open) -> None:
    found = opened(write(tmp_path, {"src/main.rs": ARGUMENTS}))("find_references", symbol="src/main.rs:3:8")
    assert "exact 2, undecided 1, another symbol 2" in found
    assert "9: my!(area = 3);" in found.partition("undecided:")[2]


BITS = {
    "conn.h": (
        "#define BIT(x) unsigned int x:1\nstruct conn {\n  int fd;\n  BIT(shutdown);\n  BIT(keep);\n};\n"
        "#define RESERVE(n) char pad[n]\n"
    ),
    "far.h": '#include "conn.h"\nstruct far { BIT(shutdown); int level; };\nstruct last { RESERVE(level); };\n',
    "main.c": (
        '#include "conn.h"\n#include "far.h"\nstatic int shutdown(int fd) { return fd; }\n'
        "int stop(struct conn *c) {\n  c->shutdown = 1;\n  return shutdown(c->fd) + c->keep;\n}\n"
    ),
}


def test_a_macro_declares_the_field_that_it_is_given(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BITS))
    assert "conn.h:4" in ask("go_to_definition", symbol="main.c:5:6")
    assert "conn.h:5" in ask("go_to_definition", symbol="main.c:6:32")
    assert "5 BIT(keep)" in ask("type_members", symbol="conn")
    function = ask("find_references", symbol="main.c:3:12")
    assert "exact 2, undecided 1, another symbol 2" in function
    assert "2: struct far { BIT(shutdown); int level; };" in function.partition("undecided:")[2]


def test_the_macro_of_another_file_may_declare_a_field(tmp_path: Path, opened: Open) -> None:
    found = opened(write(tmp_path, BITS))("find_references", symbol="conn.h:4:7")
    assert "exact 2, undecided 1, another symbol 2" in found


STATIC = (
    "#ifdef USE_POLL\nstatic int wait(int fd) { return 1; }\n#else\nstatic int wait(int fd) { return 2; }\n#endif\n"
    "#if defined(A)\nstatic int run(void) { return 1; }\n#elif defined(B)\nstatic int run(void) { return 2; }\n#endif\n"
    "int use(void) { return wait(3) + run(); }\n"
)


def test_static_functions_of_all_branches_are_what_a_name_means(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.c": STATIC}))
    found = ask("find_references", symbol="a.c:2:12")
    assert "exact 3" in found
    assert "complete" in found
    assert "undecided 1" in ask("find_references", symbol="a.c:7:12")


KNOWN = (
    "use std::sync::{Arc, Mutex};\n"
    "#[derive(Clone, Debug, Default)]\npub struct Point { pub x: i32, pub last: Option<i32> }\n"
    "impl Point {\n    pub fn map(&self) -> i32 { 1 }\n    pub fn len(&self) -> usize { 2 }\n"
    "    pub fn log(&mut self) {}\n}\n"
    "pub struct Fault { pub code: i32 }\n"
    "impl std::ops::Add for Point { type Output = Point; fn add(self, other: Point) -> Point { other } }\n"
    "fn check() -> Result<Point, Fault> { Err(Fault { code: 1 }) }\n"
    "fn run(all: &[Point], shared: Arc<Mutex<Point>>, text: &str) -> i32 {\n"
    "    let one = all.iter().map(|p| p.x).max();\n"
    "    let points = vec![Point::default()];\n"
    "    let size = points.len() + text.len();\n"
    "    let total = all.iter().fold(Point::default(), |acc, p| Point { x: acc.x, last: p.last });\n"
    "    let y = all.first().map_or(0, |q| q.x) + total.x;\n"
    "    let other = Arc::clone(&shared);\n"
    "    other.lock().unwrap().log();\n"
    "    let sum = all[0].clone() + all[1].clone();\n"
    "    let made = check().map_err(|e| Fault { code: e.code }).unwrap_err().code;\n"
    "    sum.x + y + made\n}\n"
)


def test_values_of_everyday_rust_have_their_types(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": KNOWN}))
    fields = ask("find_references", symbol="src/lib.rs:3:24")
    assert "exact 4, likely 3\n" in fields
    assert [line for line in range(1, 24) if f"\n{line}: " in fields] == [3, 13, 16, 17, 22]
    assert "account: exact 1, another symbol 2\n" in ask("find_references", symbol="src/lib.rs:6:12")
    assert "account: exact 1, likely 1\n" in ask("find_references", symbol="src/lib.rs:7:12")
    assert "account: exact 5\n" in ask("find_references", symbol="src/lib.rs:9:24")


def test_a_method_of_a_known_iterator_leads_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": KNOWN}))
    assert "comes from outside" in ask.error("go_to_definition", symbol="src/lib.rs:13:26")


UNKNOWN_BASE = (
    "pub struct Rows { at: usize }\nimpl Rows { pub fn map(self) -> usize { self.at } }\n"
    "pub struct Grid;\nimpl Grid { pub fn iter(&self) -> Rows { Rows { at: 0 } } }\n"
    "macro_rules! grid { () => { Grid }; }\n"
    "fn run() -> usize { let g = grid!(); g.iter().map() }\n"
    "pub trait Size { fn size(&self) -> usize; }\n"
    "macro_rules! sizes { ($($t:ty)*) => { $(impl Size for $t { fn size(&self) -> usize { 4 } })* }; }\n"
    "sizes!(Vec<u8> str);\nfn all(v: Vec<u8>, s: &str) -> usize { v.size() + s.size() }\n"
)


def test_what_may_be_of_the_tree_is_not_from_outside(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": UNKNOWN_BASE}))
    assert "exact 1, undecided 1" in ask("find_references", symbol="src/lib.rs:2:20")
    assert "undecided 2" in ask("find_references", symbol="src/lib.rs:7:21")
