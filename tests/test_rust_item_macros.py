"""Items of Rust that a macro stands around are symbols like others; tokens that are no items stay tokens."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Asking, Open, write
from leadline_tools.languages.rust.source import expose_items

LIB = """macro_rules! cfg_rt { ($($item:item)*) => { $( #[cfg(feature = "rt")] $item )* } }

cfg_rt! {
    /// Runs a task.
    pub fn spawn(name: &str) -> Handle { Handle::new('{', "}", r#"{"#) }

    pub struct Handle { id: u32 }

    impl Handle {
        fn new(_open: char, _close: &str, _raw: &str) -> Self { Handle { id: 1 } }
    }

    cfg_rt! {
        pub mod inner { pub fn deep() { crate::spawn("deep"); } }
    }
}

fn main() {
    spawn("a");
    inner::deep();
}
"""


@pytest.fixture
def ask(opened: Open, tmp_path: Path) -> Asking:
    return opened(write(tmp_path, {"Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": LIB}))


def test_items_in_a_macro_are_symbols_with_their_containers(ask: Asking) -> None:
    outline = ask("document_symbols", path="src/lib.rs")
    for name in ("fn spawn(name: &str) -> Handle", "struct Handle", "fn new(", "fn deep()"):
        assert name in outline
    assert "Runs a task." in ask("document_symbols", path="src/lib.rs", detail="full")


def test_uses_inside_and_outside_of_a_macro_are_found(ask: Asking) -> None:
    said = ask("find_references", symbol="src/lib.rs:5", max_tokens=2_000)
    assert "3 references" in said
    assert "18: spawn" not in said
    assert 'crate::spawn("deep")' in said
    assert 'spawn("a");' in said
    assert "account: exact 3" in said


def test_the_macro_itself_keeps_its_uses(ask: Asking) -> None:
    assert "3: cfg_rt! {" in ask("find_references", symbol="cfg_rt")


@pytest.mark.parametrize(
    "text",
    [
        "bitflags! {\n    pub struct Flags: u32 { const A = 1; }\n}\n",
        "fn make() {\n    quote! {\n        pub fn made() {}\n    }\n}\n",
        "cfg_if! {\n    if #[cfg(unix)] { mod a; } else { mod b; }\n}\n",
        "macro_rules! made {\n    () => { pub fn made() {} }\n}\n",
        "// cfg_rt! {\n// pub fn a() {}\n// }\n",
        'const TEXT: &str = "\ncfg_rt! {\n    pub fn a() {}\n}\n";\n',
        "cfg_rt! {\n    pub fn a() {}\n",
    ],
)
def test_what_is_no_macro_around_items_is_left_as_it_is(text: str) -> None:
    assert expose_items(text.encode()) == text.encode()


PIECES = st.sampled_from(
    [
        "cfg_rt! {\n",
        "}\n",
        "pub fn a() {}\n",
        "{",
        "}",
        "mod m {\n",
        "'{'",
        '"',
        'r#"',
        '"#',
        "/*",
        "*/",
        "//",
        "\n",
        "é",
        "use a::b;\n",
    ]
)


@given(st.lists(PIECES).map("".join))
def test_the_length_and_the_lines_stay_whatever_the_text(text: str) -> None:
    content = text.encode()
    exposed = expose_items(content)
    assert len(exposed) == len(content)
    assert [at for at, byte in enumerate(exposed) if byte == 10] == [
        at for at, byte in enumerate(content) if byte == 10
    ]
    changed = [bytes([was]) for was, byte in zip(content, exposed, strict=True) if was != byte]
    assert all(one.isalnum() or one in b"_!:{}" for one in changed)


FIELDS = (
    "pub struct Point { pub x: u8, pub y: u8 }\n"
    "fn check(at: Point) {\n    assert_eq!(at.x, Point { x: 1, y: 2 }.x);\n"
    '    println!("{}", crate::Point { x: at.y, y: 3 }.y);\n}\n'
)


def test_the_fields_of_what_is_made_in_a_macro_are_those_of_its_type(tmp_path: Path, opened: Open) -> None:
    manifest = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n'
    ask = opened(write(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": FIELDS}))
    assert "exact 5" in ask("find_references", symbol="src/lib.rs:1:24")
    assert "exact 5" in ask("find_references", symbol="src/lib.rs:1:35")
