"""Go: packages lie where manifests say, an embedded field is its type's, unnamed types have members."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write

SHOP = {
    "go.mod": "module example.com/shop\n",
    "shop.go": "package shop\n\nfunc Open() int { return 1 }\n",
    "shop_test.go": 'package shop_test\n\nimport "example.com/shop"\n\nvar _ = shop.Open()\n',
    "cmd/main.go": (
        'package main\n\nimport (\n\t"example.com/shop"\n\t"go.uber.org/zap"\n)\n\n'
        "func main() { shop.Open(); zap.New() }\n"
    ),
    "zap/zap.go": "package zap\n\nfunc New() int { return 1 }\n",
}
EMBEDDED = {
    "go.mod": "module example.com/shop\n",
    "base/base.go": "package base\n\ntype Base struct{ Size int }\n",
    "shop.go": (
        'package shop\n\nimport (\n\t"example.com/shop/base"\n\t"sync"\n)\n\n'
        "type Shop struct {\n\t*base.Base\n\tsync.Mutex\n}\n\n"
        "var plain struct {\n\tbase.Base\n\tdeep struct{ level int }\n}\n\n"
        "func (s *Shop) lock() { s.Mutex.Lock(); s.Base = &base.Base{} }\n"
    ),
    "use.go": "package shop\n\nfunc use(s Shop) int { plain.deep.level = 2; return s.Base.Size + plain.Base.Size }\n",
}


@pytest.fixture
def shop(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, SHOP))


@pytest.fixture
def embedded(tmp_path: Path, opened: Open) -> Asking:
    return opened(write(tmp_path, EMBEDDED))


def test_the_package_at_the_root_of_a_module_is_imported_by_the_path_of_the_module(shop: Asking) -> None:
    text = shop("find_references", symbol="Open")
    assert "3 references in 3 files, complete" in text
    assert "example.com" not in text
    assert "2 callers" in shop("call_hierarchy", symbol="Open")
    assert "3 edits in 3 files" in shop("rename_symbol", symbol="Open", new_name="Start")


def test_a_package_from_outside_is_no_folder_that_is_called_alike(shop: Asking) -> None:
    assert "1 reference, 1 undecided" in shop("find_references", symbol="zap.New")
    assert "cmd/main.go" not in shop("rename_symbol", symbol="zap.New", new_name="Make").partition("undecided")[0]


def test_a_module_that_a_manifest_replaces_by_a_folder_is_found(tmp_path: Path, opened: Open) -> None:
    files = {
        "app/go.mod": "module example.com/app\n\nreplace github.com/orig/lib v1.0.0 => ../forked\n",
        "app/main.go": 'package main\n\nimport "github.com/orig/lib/sub"\n\nfunc main() { sub.Load() }\n',
        "forked/go.mod": "module github.com/orig/lib\n",
        "forked/sub/sub.go": "package sub\n\nfunc Load() {}\n",
    }
    assert "2 references in 2 files" in opened(write(tmp_path, files))("find_references", symbol="Load")


@pytest.mark.parametrize("place", ["base/base.go:3:6", "shop.go:18:45", "use.go:3:58"])
def test_an_embedded_field_is_used_as_its_type(embedded: Asking, place: str) -> None:
    text = embedded("find_references", symbol=place)
    assert "exact 7" in text
    assert "base/base.go\n3: type Base struct{ Size int }  [definition]" in text
    assert "7 edits" in embedded("rename_symbol", symbol=place, new_name="Core")


def test_an_embedded_field_is_declared_where_the_type_is_embedded(embedded: Asking) -> None:
    assert "shop.go:9" in embedded("go_to_definition", symbol="shop.go:18:45")
    assert "2 references" in embedded("find_references", symbol="shop.go:18:29")


def test_a_type_that_no_file_which_can_name_it_embeds_is_no_field_elsewhere(tmp_path: Path, opened: Open) -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "first/first.go": "package first\n\ntype Base struct{ Size int }\n",
        "second/second.go": "package second\n\ntype Base struct{ Size int }\n",
        "shop.go": (
            'package shop\n\nimport "example.com/shop/second"\n\ntype Shop struct{ second.Base } // not that of first\n'
        ),
        "use.go": (
            'package shop\n\nimport "go.uber.org/zap"\n\nfunc use() int { return zap.New().Base.Size } // a Base\n'
        ),
    }
    ask = opened(write(tmp_path, files))
    first = ask("find_references", symbol="first/first.go:Base")
    assert "1 reference, complete" in first
    assert "account: exact 1, another symbol 3, text 1" in first
    assert "undecided 1" in ask("find_references", symbol="second/second.go:Base")


@pytest.mark.parametrize("place", ["shop.go:15:15", "use.go:3:36"])
def test_a_member_of_a_type_without_a_name_is_asked_for_by_its_place(embedded: Asking, place: str) -> None:
    assert "2 references in 2 files, complete" in embedded("find_references", symbol=place)
    assert "shop.go:15" in embedded("go_to_definition", symbol=place)
    assert "2 edits in 2 files" in embedded("rename_symbol", symbol=place, new_name="height")


def test_a_field_of_an_anonymous_class_is_asked_for_by_its_place(tmp_path: Path, opened: Open) -> None:
    code = "class A {\n  Runnable r = new Runnable() { int w = 3; public void run() { w++; } };\n}\n"
    ask = opened(write(tmp_path, {"A.java": code}))
    assert "exact 2" in ask("find_references", symbol="A.java:2:37")
    assert "2 edits" in ask("rename_symbol", symbol="A.java:2:64", new_name="wide")


@pytest.mark.parametrize(
    ("path", "code", "symbol", "uses"),
    [
        ("A.java", "class A {\n  int v;\n  void f() { v = 1; int v = 2; v++; }\n}\n", "A.v", 2),
        ("a.go", "package a\n\nvar v = 1\n\nfunc f() {\n\tg(v)\n\tv := 2\n\tg(v)\n}\n", "v", 2),
    ],
)
def test_what_is_used_before_a_local_of_its_name_means_another(
    tmp_path: Path, opened: Open, path: str, code: str, symbol: str, uses: int
) -> None:
    assert f"exact {uses}" in opened(write(tmp_path, {path: code}))("find_references", symbol=symbol)


def test_what_is_assigned_again_in_its_block_is_one_variable(tmp_path: Path, opened: Open) -> None:
    code = "package a\n\nfunc f() {\n\ta, err := g()\n\tb, err := h(a)\n\tuse(b, err)\n}\n"
    assert "3 edits" in opened(write(tmp_path, {"a.go": code}))("rename_symbol", symbol="a.go:4:5", new_name="failed")


def test_every_type_that_fits_an_interface_is_found_however_many_there_are(tmp_path: Path, opened: Open) -> None:
    files = {
        f"p{number}/a.go": f"package p{number}\n\ntype T struct{{}}\n\nfunc (T) Describe() string {{ return `` }}\n"
        for number in range(60)
    }
    files["a.go"] = "package a\n\ntype Described interface{ Describe() string }\n"
    ask = opened(write(tmp_path, files), patience=60.0)
    assert "60 subtypes, complete" in ask("find_implementations", symbol="Described")
    assert "61 edits in 61 files" in ask("rename_symbol", symbol="Described.Describe", new_name="Tell")


def test_each_init_of_a_package_is_a_symbol_of_its_own_that_nothing_uses(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.go": "package a\n\nfunc init() { load() }\n\nfunc init() { load() }\n\nfunc load() {}\n",
        "b.go": "package a\n\nfunc init() { load() }\n",
    }
    ask = opened(write(tmp_path, files))
    for place in ("a.go:3", "a.go:5", "b.go:3"):
        shown = ask("find_references", symbol=f"{place}:6")
        assert "1 reference, complete" in shown
        assert f"{place.rpartition(':')[2]}: func init" in shown
        assert "no callers" in ask("call_hierarchy", symbol=f"{place}:6")
    assert "3 symbols" in ask("find_references", symbol="init")
    assert "4 references" in ask("find_references", symbol="load")


GIVEN = {
    "go.mod": "module example.com/m\n\ngo 1.22\n",
    "head.go": "package m\n\ntype Head struct{}\n\nfunc (h *Head) Truncate(n int) error { return nil }\n",
    "use.go": (
        'package m\n\nimport (\n\t"os"\n\t"slices"\n\t"sync"\n\t"sync/atomic"\n\t"time"\n\n'
        '\t"github.com/other/lib"\n)\n\n'
        "type Queue struct {\n\tfile *os.File\n\tpool sync.Pool\n\tnow  atomic.Pointer[Head]\n}\n\n"
        "type Kept struct{ *os.File }\n\n"
        "func run(q *Queue, f *os.File, kept Kept, all []*Head) {\n"
        '\tnow := time.Now()\n\tnow = now.Truncate(time.Minute)\n\tfile, _ := os.Open("a")\n\tfile.Truncate(1)\n'
        "\tf.Truncate(2)\n\tq.file.Truncate(3)\n\tkept.Truncate(4)\n\tos.Stdout.Truncate(5)\n"
        "\tq.now.Load().Truncate(6)\n\tq.pool.Get().(*Head).Truncate(7)\n\tslices.MaxFunc(all, nil).Truncate(8)\n"
        "\tsync.OnceValue(func() *Head { return all[0] })().Truncate(9)\n\tlib.Make(all).Truncate(10)\n}\n"
    ),
}


def test_what_the_standard_library_gives_has_no_methods_of_other_code(tmp_path: Path, opened: Open) -> None:
    found = opened(write(tmp_path, GIVEN))("find_references", symbol="Head.Truncate")
    assert "find_references Head.Truncate: 5 references in 2 files, 1 undecided" in found
    assert "account: exact 5, undecided 1, another symbol 6\n" in found
    assert all(f".Truncate({number})" in found for number in (6, 7, 8, 9))
    assert "undecided: use.go\n34: lib.Make(all).Truncate(10)" in found


def test_a_method_of_a_file_of_the_same_package_leaves_calls_on_types_from_outside_decided(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "go.mod": "module example.com/m\n",
        "encoding/encoding.go": "package encoding\n\ntype Coder struct{}\n\nfunc (c Coder) Put(b []byte) {}\n",
        "encoding/use.go": (
            'package encoding\n\nimport "encoding/binary"\n\nfunc use(o binary.AppendByteOrder) { o.Put(nil) }\n'
        ),
    }
    found = opened(write(tmp_path, files))("find_references", symbol="Coder.Put")
    assert "account: exact 1, another symbol 1\n" in found


PROMOTED = {
    "go.mod": "module example.com/events\n",
    "event/event.go": (
        "package event\n\ntype Event interface {\n\tKind() string\n\tAt() int\n\tTopic() string\n}\n\n"
        "type clock struct{ at int }\n\nfunc (c clock) At() int { return c.at }\n\n"
        "type Base struct {\n\tclock\n}\n\nfunc (b *Base) Topic() string { return `` }\n"
    ),
    "user/user.go": (
        'package user\n\nimport "example.com/events/event"\n\n'
        "type Created struct {\n\t*event.Base\n\tID int\n}\n\nfunc (Created) Kind() string { return `user` }\n\n"
        "type Plain struct{ Base event.Base }\n\nfunc (Plain) Kind() string { return `plain` }\n"
    ),
    "z.go": "package z\n\nfunc (a A) Kind() string { return `a` }\n\ntype A int\n",
}


def test_methods_of_embedded_types_make_a_type_fit_an_interface(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PROMOTED))
    shown = ask("find_implementations", symbol="Event")
    assert "1 subtype, complete" in shown
    assert "5 type Created struct" in shown
    assert "11 func (c clock) At() int" in ask("find_implementations", symbol="Event.At")
    assert "func (b *Base) Topic() string" in ask("find_implementations", symbol="Event.Topic")
