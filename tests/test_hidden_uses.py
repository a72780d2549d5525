"""Uses and implementations that no token of the tree shows: macros make them, so an answer is not complete."""

from __future__ import annotations

import pytest

from conftest import Asking, Open, write

RUST = """pub trait Visitor {
    fn visit_seq(self) -> u32;
    fn visit_map(self) -> u32 { 1 }
    fn visit_unit(self) -> u32 { 1 }
}

macro_rules! implement {
    ($ty:ident, $body:expr) => {
        impl Visitor for $ty {
            fn visit_seq(self) -> u32 {
                $body
            }
        }
    };
}

pub struct A;
pub struct B;
pub struct C;

implement!(A, 1);

impl Visitor for B {
    forward!(visit_seq visit_map);
}

wrap! { @internal
    impl Visitor for C {
        fn visit_seq(self) -> u32 { 3 }
    }
}
"""


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    files = {"Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\n', "src/lib.rs": RUST}
    return opened(write(tmp_path_factory.mktemp("visitor"), files))


IMPLEMENTATIONS = {
    "Visitor": ("1 subtype, 2 undecided", ["9: impl Visitor for $ty {  (in implement)", "28: impl Visitor for C {"]),
    "Visitor.visit_seq": (
        "no certain overriding members, 3 undecided",
        ["10: fn visit_seq(self) -> u32 {  (in implement)", "24: forward!(visit_seq visit_map);", "29: fn visit_seq"],
    ),
    "Visitor.visit_map": ("no certain overriding members, 1 undecided", ["24: forward!(visit_seq visit_map);"]),
    "Visitor.visit_unit": ("no overriding members", []),
}


@pytest.mark.parametrize(("symbol", "expected"), IMPLEMENTATIONS.items(), ids=IMPLEMENTATIONS)
def test_implementations_in_the_tokens_of_macros_are_undecided(
    symbol: str, expected: tuple[str, list[str]], visitor: Asking
) -> None:
    header, lines = expected
    answer = visitor("find_implementations", symbol=symbol)
    assert header in answer.splitlines()[0]
    for line in lines:
        assert line in answer


C = {
    "modes.h": (
        "enum mode { MODE_OPEN, MODE_CLOSE, MODE_READ };\nenum kind { KIND_FILE };\n"
        "#define MODES(V) V(READ, read) V(CLOSE, close)\n"
    ),
    "a.c": (
        '#include "modes.h"\n'
        "#define INIT(type) set(MODE_ ## type)\n"
        "#define SET(type) set(KIND_ ## type)\n"
        "#define BOTH(type) do { SET(type); } while (0)\n"
        "void run(void) { INIT(OPEN); BOTH(FILE); }\n"
    ),
    "b.c": (
        '#include "modes.h"\n#define ITEM(big, small) case MODE_##big: return small;\n'
        "int f(int m) { switch (m) { MODES(ITEM) } return 0; }\n"
    ),
    "c.c": (
        "#define WRAP(name) on_ ## name ## _done\nvoid on_read_done(void) {}\nint g(void) { WRAP(read)(); return 0; }\n"
    ),
}


@pytest.fixture(scope="module")
def modes(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("modes"), C))


PASTED = {
    "MODE_OPEN": ("INIT a.c:2 (MODE_ ## type)", "5: void run(void) { INIT(OPEN); BOTH(FILE); }"),
    "KIND_FILE": ("SET a.c:3 (KIND_ ## type)", "4: #define BOTH(type) do { SET(type); } while (0)"),
    "MODE_READ": ("ITEM b.c:2 (MODE_##big)", "3: #define MODES(V) V(READ, read) V(CLOSE, close)"),
    "on_read_done": ("WRAP c.c:1 (on_ ## name ## _done)", "3: int g(void) { WRAP(read)(); return 0; }"),
}


@pytest.mark.parametrize(("symbol", "expected"), PASTED.items(), ids=PASTED)
def test_a_name_that_a_macro_pastes_has_the_macro_as_a_hidden_use(
    symbol: str, expected: tuple[str, str], modes: Asking
) -> None:
    macro, call = expected
    answer = modes("find_references", symbol=symbol)
    assert "complete" not in answer.splitlines()[0]
    assert " undecided |" in answer.splitlines()[0]
    assert f"hidden uses: macros may put the name together: {macro}" in answer
    assert call in answer.partition("made by a macro: ")[2]


def test_a_rename_names_the_macro_that_pastes_the_name(modes: Asking) -> None:
    answer = modes("rename_symbol", symbol="MODE_OPEN", new_name="MODE_OPENED")
    assert "decide: hidden uses: macros may put the name together: INIT a.c:2 (MODE_ ## type), not changed" in answer


def test_a_function_that_only_a_macro_calls_is_not_without_callers(modes: Asking) -> None:
    answer = modes("call_hierarchy", symbol="on_read_done")
    assert "no certain callers, 1 made by macros" in answer.splitlines()[0]


def test_a_macro_that_is_called_with_other_arguments_alone_is_no_hidden_use(modes: Asking) -> None:
    assert "hidden uses" not in modes("find_references", symbol="run")
    assert "INIT" not in modes("find_references", symbol="MODE_CLOSE")
