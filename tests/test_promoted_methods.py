"""Methods that types of Go have by embedding: https://go.dev/ref/spec#Selectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

GATES = """package gate

type Closer interface{ Close() error }

type Opener interface{ Close() error }

type Gate struct{}

func (Gate) Close() error { return nil }
func (Gate) Open()        {}

type Door struct{}

func (Door) Close() error { return nil }

type Flag struct{ Close bool }

type Ajar interface {
	Closer
	Opener
}
"""


def shape(name: str, *embedded: str) -> str:
    return f"\ntype {name} struct {{\n" + "".join(f"\t{one}\n" for one in embedded) + "}\n"


FITTING = {
    "one type": shape("Own", "*Gate"),
    "a method of its own": shape("Own", "Gate", "Door") + "\nfunc (Own) Close() error { return nil }\n",
    "another field further down": shape("Inner", "Flag") + shape("Own", "Gate", "Inner"),
    "an interface that lists the method twice": shape("Own", "Ajar"),
}
LOST = {
    "two methods": shape("Own", "Gate", "Door"),
    "a method and a field": shape("Own", "Gate", "Flag"),
    "one type over two ways": shape("Left", "Gate") + shape("Right", "Gate") + shape("Own", "Left", "Right"),
    "a type that has not got it": shape("Both", "Gate", "Door") + shape("Own", "Both"),
    "a method and one of an interface in an interface": shape("Own", "Ajar", "Door"),
    "a field of its own": shape("Own", "Gate", "Close bool"),
}


@pytest.mark.parametrize("code", FITTING.values(), ids=FITTING)
def test_a_type_fits_an_interface_by_the_one_method_at_the_least_depth(code: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"go.mod": "module gate\n", "gate.go": GATES + code}))
    assert " type Own struct" in ask("find_implementations", symbol="Closer")
    assert " type Closer" in ask("find_implementations", symbol="Own", direction="up")


@pytest.mark.parametrize("code", LOST.values(), ids=LOST)
def test_a_type_with_several_members_of_a_name_at_one_depth_has_none(code: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"go.mod": "module gate\n", "gate.go": GATES + code}))
    assert " type Own struct" not in ask("find_implementations", symbol="Closer")
    assert "io.Closer" not in ask("find_implementations", symbol="Own", direction="up")


def test_a_type_that_two_builds_declare_is_embedded_once(tmp_path: Path, opened: Open) -> None:
    lock = "package gate\n\ntype Lock struct{}\n\nfunc (Lock) Close() error { return nil }\n"
    files = {"go.mod": "module gate\n", "gate.go": GATES + shape("Own", "Lock")}
    ask = opened(write(tmp_path, {**files, "lock_linux.go": lock, "lock_windows.go": lock}))
    assert " type Own struct" in ask("find_implementations", symbol="Closer")
