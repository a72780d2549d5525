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
    ask = opened(write(tmp_path, {"src/lib.rs": f"mod make;\n{STANDARD}", "src/make.rs": trait}))
    assert "4 undecided" in ask("find_references", symbol="src/lib.rs:4:8")


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
