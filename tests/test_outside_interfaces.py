"""Members that code outside of the tree calls through a type of its own: answers name it, and deny no callers."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

FILES = {
    "go.mod": "module example.org/m\n\ngo 1.22\n",
    "file.go": (
        'package m\n\nimport "net/http"\n\ntype File struct{}\n\n'
        "func (f *File) Read(p []byte) (int, error) { return 0, nil }\n\n"
        "func (f *File) Close() error { return nil }\n\n"
        "func (f *File) Write(p []byte) int { return 0 }\n\n"
        "type List []int\n\n"
        "func (l List) Len() int { return len(l) }\n\n"
        "func (l List) Less(i, j int) bool { return l[i] < l[j] }\n\n"
        "func (l List) Swap(i, j int) { l[i], l[j] = l[j], l[i] }\n\n"
        "type Work struct{}\n\nfunc (Work) Commit() error { return nil }\n\n"
        "func (Work) Rollback() error { return nil }\n\n"
        "type Wrapped struct{ http.ResponseWriter }\n\nfunc (w *Wrapped) WriteHeader(code int) {}\n\n"
        "type Half struct{}\n\n"
        "func (Half) Len() int { return 0 }\n\n"
        "type Plain struct{}\n\n"
        "func (Plain) walk() {}\n"
    ),
    "Job.java": (
        "class Job implements Runnable {\n    public void run() {}\n    private void own() {}\n"
        "    static class Free {\n        void leave() {}\n    }\n}\n"
    ),
    "work.py": (
        "import threading\n\n\nclass Work(threading.Thread):\n    def run(self):\n        pass\n\n\n"
        "class Alone(object):\n    def stay(self):\n        pass\n"
    ),
    "shape.rs": (
        "use std::fmt;\npub struct Shape;\nimpl fmt::Display for Shape {\n"
        "    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }\n}\n"
        "impl Shape {\n    pub fn area(&self) -> u32 { 1 }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("outside"), FILES))


CALLED = {
    "List.Less": "sort.Interface",
    "File.Read": "io.Reader",
    "file.go:Work.Commit": "driver.Tx",
    "file.go:Wrapped.WriteHeader": "http.ResponseWriter",
    "Job.run": "Runnable",
    "Work.run": "threading.Thread",
    "Shape.fmt": "fmt.Display",
}


@pytest.mark.parametrize(("symbol", "through"), CALLED.items(), ids=CALLED)
def test_a_member_that_is_called_through_a_type_from_outside_is_not_without_callers(
    symbol: str, through: str, outside: Asking
) -> None:
    answer = outside("call_hierarchy", symbol=symbol)
    assert f"no certain callers, may be called through {through} |" in answer.splitlines()[0]
    assert f"may be used without its name, or from outside of this code base: through {through}" in answer
    assert f"through {through}" in outside("find_references", symbol=symbol)


@pytest.mark.parametrize(
    "symbol", ["Half.Len", "File.Write", "Plain.walk", "Free.leave", "Alone.stay", "Shape.area", "Job.own"]
)
def test_a_member_of_no_type_from_outside_has_no_callers(symbol: str, outside: Asking) -> None:
    assert ": no callers |" in outside("call_hierarchy", symbol=symbol).splitlines()[0]


def test_the_interfaces_of_the_library_that_a_type_of_go_fits_are_named(outside: Asking) -> None:
    answer = outside("find_implementations", symbol="File", direction="up")
    assert "no supertypes in this code base |" in answer.splitlines()[0]
    assert (
        "fits from outside of this code base, by name and number of parameters and results: io.Reader, io.Closer"
        in answer
    )
    assert "other interfaces from outside of this code base are not examined" in answer
    assert "results: io.Reader\n" in outside("find_implementations", symbol="File.Read", direction="up")


SUBTYPES = {
    "Runnable": "1 class Job implements Runnable",
    "threading.Thread": "4 class Work",
    "fmt::Display": "2 pub struct",
}


@pytest.mark.parametrize(("base", "listed"), SUBTYPES.items(), ids=SUBTYPES)
def test_types_below_one_from_outside_are_found_by_its_name(base: str, listed: str, outside: Asking) -> None:
    answer = outside("find_implementations", symbol=base)
    assert f"{base} is not defined in this code base; types are listed that name it as a base" in answer
    assert listed in answer


def test_a_name_that_nothing_has_as_a_base_is_an_error(outside: Asking) -> None:
    assert "There is no symbol 'Nothing'" in outside.error("find_implementations", symbol="Nothing")


def test_a_type_of_go_without_exported_methods_fits_no_interface_from_outside(outside: Asking) -> None:
    assert ": no supertypes |" in outside("find_implementations", symbol="Plain", direction="up").splitlines()[0]


HIDDEN = {
    "a.py:2": ("class Box:\n    def __call__(self):\n        pass\n\n\nBox()()\n", "signs of the language"),
    "a.py:5": (
        "import pytest\n\n\n@pytest.fixture\ndef store():\n    return 1\n\n\ndef test(store): ...\n",
        "parameters called",
    ),
    "A.java:2": ('class A {\n    public String toString() { return ""; }\n}\n', "signs of the language"),
    "a.rb:2": ("class A\n  def to_s; end\nend\n", "signs of the language"),
}


@pytest.mark.parametrize(("place", "source"), HIDDEN.items(), ids=HIDDEN)
def test_what_is_used_without_its_name_has_no_complete_list_of_uses(
    place: str, source: tuple[str, str], tmp_path: Path, opened: Open
) -> None:
    text, through = source
    ask = opened(write(tmp_path, {place.partition(":")[0]: text}))
    for tool in ("find_references", "call_hierarchy"):
        answer = ask(tool, symbol=place)
        assert "complete" not in answer.splitlines()[0]
        assert f"may be used without its name, or from outside of this code base: through {through}" in answer
    assert ": no callers" not in ask("call_hierarchy", symbol=place)


@pytest.mark.parametrize("base", ["Generic[T]", "typing.Generic[T]", "Protocol", "ABC"])
def test_a_base_from_outside_that_calls_nothing_leaves_uses_complete(base: str, tmp_path: Path, opened: Open) -> None:
    code = (
        f"import typing\nfrom abc import ABC\nfrom typing import Generic, Protocol, TypeVar\n\nT = TypeVar('T')\n\n\n"
        f"class Box({base}):\n    def weigh(self):\n        pass\n\n\nBox().weigh()\n"
    )
    ask = opened(write(tmp_path, {"a.py": code}))
    for tool in ("find_references", "call_hierarchy"):
        assert "complete" in ask(tool, symbol="a.py:Box.weigh").splitlines()[0], tool
