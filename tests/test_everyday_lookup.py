"""Bare and qualified names of everyday code that mean something else than the nearest namesake."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

GLOBAL = {
    "f.h": (
        "#pragma once\nnamespace net {\nclass File {\npublic:\n    int close();\n    int size() const;\nprivate:\n"
        "    int fd_;\n};\nint open(int n);\n}\nint close(int fd);\nint open(int n);\nint level = 1;\n"
    ),
    "f.cpp": (
        '#include "f.h"\nnamespace net {\nint File::close() { return ::close(fd_); }\n'
        "int File::size() const { int level = ::level + 1; return level; }\n"
        "int open(int n) { return ::open(n) + net::open(n - 1); }\n}\n"
        "int use(net::File& f) { return f.close() + ::net::open(2) + close(3); }\n"
    ),
    "g.cpp": '#include "f.h"\nusing namespace net;\nnamespace net { int more() { return 1; } }\n',
}


def test_a_name_of_the_global_namespace_is_no_nearer_one(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GLOBAL))
    assert "f.h:12" in ask("go_to_definition", symbol="f.cpp:3:30")
    assert "f.h:14" in ask("go_to_definition", symbol="f.cpp:4:40")
    members = ask("find_references", symbol="File.close")
    assert "exact 3, another symbol 3" in members
    assert "(in net.File.close)" not in members
    assert "(in net.File.close)" in ask("find_references", symbol="f.h:12:5")
    assert "5: int open(int n) { return ::open(n)" in ask("find_references", symbol="f.h:13:5")
    assert "-    int close(int fd);" not in ask("rename_symbol", symbol="File.close", new_name="finish")


def test_a_namespace_has_the_uses_of_all_its_openings_whatever_a_header_ends_in(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GLOBAL))
    for address in ("f.h:2:11", "f.cpp:2:11", "g.cpp:2:17"):
        shown = ask("find_references", symbol=address)
        for line in ("2: using namespace net;", "3: namespace net { int more()", "7: int use(net::File& f)"):
            assert line in shown
        assert "exact 7" in shown


SHADOWED = "pub fn pick(n: Option<u32>, other: u32) -> u32 {\n    if let Some(n) = n { n + 1 } else { size(n) }\n}\n"


def test_what_a_condition_of_rust_binds_is_not_seen_where_it_fails(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": SHADOWED}))
    assert "exact 3, another symbol 2" in ask("find_references", symbol="src/lib.rs:1:13")
    assert "src/lib.rs:1:13" in ask("go_to_definition", symbol="src/lib.rs:2:46")


RECEIVERS = (
    'package a\nclass Person(var name: String = "") {\n    var age = 0\n    fun greet(age: Int) = age\n}\n'
    "fun build(name: String, years: Int): Person {\n    val age = years + 1\n    return Person().apply {\n"
    "        this.name = name\n        this.age = age\n        greet(age)\n    }\n}\n"
    "class Card(name: String) {\n    val owner = Person().apply { this.name = name }\n"
    "    fun make() = Person().apply { println(name) }\n}\n"
    "fun page(block: Person.() -> Unit) = Person().also(block)\n"
    "fun use(name: String) = page { println(name + age) }\n"
)


def test_a_local_name_is_found_before_the_members_of_a_receiver(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.kt": RECEIVERS}))
    assert "a.kt:6" in ask("go_to_definition", symbol="a.kt:9:21")
    assert "a.kt:14" in ask("go_to_definition", symbol="a.kt:15:46")
    assert "a.kt:2" in ask("go_to_definition", symbol="a.kt:16:43")
    assert "a.kt:19" in ask("go_to_definition", symbol="a.kt:19:40")
    assert "exact 3" in ask("find_references", symbol="a.kt:7:9")
    renamed = ask("rename_symbol", symbol="Person.name", new_name="title")
    assert "+        this.title = name" in renamed
    assert "+    val owner = Person().apply { this.title = name }" in renamed
    assert "19: fun use(name: String) = page { println(name + age) }" in ask("find_references", symbol="Person.age")


FORMATTED = (
    "use tracing::info;\nmacro_rules! say { ($($a:tt)*) => { println!($($a)*) }; }\n"
    "pub fn run(count: u32, label: &str) -> u32 {\n"
    '    info!("{count} of {label}");\n    anyhow::ensure!(count > 1, "only {count}");\n'
    '    say!("{count:>3} {label}");\n'
    '    log::warn!("none", count = 3);\n    count\n}\n'
)


def test_texts_that_macros_of_libraries_format_use_the_names_in_them(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"src/lib.rs": FORMATTED}))
    shown = ask("find_references", symbol="src/lib.rs:3:12")
    assert "exact 5, undecided 1" in shown
    assert '4: info!("{count} of {label}");' in shown
    renamed = ask("rename_symbol", symbol="src/lib.rs:3:12", new_name="total")
    assert '+    anyhow::ensure!(total > 1, "only {total}");' in renamed
    assert 'say!("{count:>3} {label}");' in renamed.partition("undecided, not changed")[2]
    assert 'log::warn!("none", count = 3);' in renamed


def test_what_an_unknown_macro_does_with_its_text_is_undecided(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"src/lib.rs": FORMATTED}))("find_references", symbol="src/lib.rs:3:24")
    assert "2 references, 1 undecided" in shown
    assert 'say!("{count:>3} {label}");' in shown.partition("undecided: ")[2]


OVERRIDING = (
    "namespace Hide;\nclass A {\n    public virtual string M(object o) => null;\n    public string M(int i) => null;\n"
    "    public string M(int i, int j) => null;\n}\nclass B : A {\n"
    "    public override string M(object o) => M(1);\n}\nclass C : B {\n    public string M(long n) => null;\n}\n"
    'class U {\n    void Go(B b, C c) {\n        b.M(1);\n        b.M("x");\n        c.M(1);\n    }\n}\n'
)


def test_a_method_that_overrides_another_hides_no_overload_of_its_base(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"H.cs": OVERRIDING}))
    base = ask("find_references", symbol="A.M")
    assert "15: b.M(1);" in base
    assert "8: public override string M(object o) => M(1);" in base
    overriding = ask("find_references", symbol="B.M")
    assert '16: b.M("x");' in overriding
    assert "b.M(1)" not in overriding
    assert "17: c.M(1);" in ask("find_references", symbol="C.M")


def test_a_name_that_gives_a_member_its_name_keeps_that_when_renamed(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Repo {\n    object Find(int id, string name) {\n        var args = new { id, Name = name };\n"
        '        return Query("select @id", new { id = args.id, name });\n    }\n'
        "    object Query(string sql, object args) => null;\n"
        "    object Sum(Row row) => new { row.Total, First = row.Total };\n}\nclass Row { public int Total; }\n"
    )
    ask = opened(write(tmp_path, {"A.cs": code}))
    renamed = ask("rename_symbol", symbol="A.cs:2:21", new_name="key")
    assert "+        var args = new { id = key, Name = name };" in renamed
    renamed = ask("rename_symbol", symbol="A.cs:2:32", new_name="title")
    assert "+        var args = new { id, Name = title };" in renamed
    assert "new { id = args.id, name = title });" in renamed
    renamed = ask("rename_symbol", symbol="Row.Total", new_name="Amount")
    assert "new { Total = row.Amount, First = row.Amount };" in renamed


BRACED = (
    "<?php\nclass name { const K = 1; }\nfunction run($name, $rate) {\n"
    '    return "a ${name} {$name} $name ${rate}" . <<<EOT\nHi ${name}\nEOT;\n}\necho run(name: 1, rate: name::K);\n'
)


def test_a_variable_whose_sigil_is_outside_of_the_braces_is_undecided(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": BRACED}))
    assert "exact 4, undecided 2" in ask("find_references", symbol="a.php:3:15")
    assert "exact 2, undecided 1" in ask("find_references", symbol="a.php:3:22")
    renamed = ask("rename_symbol", symbol="a.php:3:15", new_name="title")
    assert "5: Hi ${name}" in renamed.partition("undecided, not changed")[2]
    assert "the definition was not found" in ask("go_to_definition", symbol="a.php:4:17")


ITERATOR = (
    "import java.util.Iterator;\nclass Doc { Doc first() { return this; } }\nclass Tree {\n    Doc root;\n"
    "    Iterator<Doc> iterator() {\n        return new Iterator<Doc>() {\n            private Doc next = root;\n"
    "            private int count = 0;\n"
    "            public boolean hasNext() { return next != null && count() > 1; }\n"
    "            public Doc next() {\n                Doc value = next;\n                next = next.first();\n"
    "                return value;\n            }\n            int count() { return count; }\n        };\n    }\n}\n"
)


def test_a_field_of_a_class_without_a_name_is_not_its_method_of_that_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"Tree.java": ITERATOR}))
    assert "exact 5, another symbol 1" in ask("find_references", symbol="Tree.java:7:25")
    assert "exact 1, another symbol 5" in ask("find_references", symbol="Tree.java:10:24")
    for address in ("Tree.java:15:17", "Tree.java:9:63"):
        shown = ask("find_references", symbol=address)
        assert "exact 2, another symbol 2" in shown
        assert "9: public boolean hasNext()" in shown
    assert "Tree.java:15:17" in ask("go_to_definition", symbol="Tree.java:9:63")
    assert "Tree.java:7:25" in ask("go_to_definition", symbol="Tree.java:11:29")
    renamed = ask("rename_symbol", symbol="Tree.java:7:25", new_name="following")
    assert "following()" not in renamed
    assert "Doc value = following;" in renamed


def test_the_callers_of_a_member_of_a_type_without_a_name_are_listed(tmp_path: Path, opened: Open) -> None:
    tree = opened(write(tmp_path / "java", {"Tree.java": ITERATOR}))
    assert "Tree.java:9 Tree.iterator" in tree("call_hierarchy", symbol="Tree.java:15:17")
    code = (
        "package s\n\nfunc use(x any) string {\n\tif n, ok := x.(interface{ Name() string }); ok {\n"
        '\t\treturn n.Name()\n\t}\n\treturn ""\n}\n'
    )
    go = opened(write(tmp_path / "go", {"go.mod": "module a.b/s\n", "s.go": code}))
    assert "s.go:5 use" in go("call_hierarchy", symbol="s.go:4:28")


NESTED = {
    "n.hpp": (
        "namespace app::core {\nstruct Rate { int pct; };\nint apply(Rate r);\n}\n"
        "namespace app {\nusing core::Rate;\nnamespace c = core;\n}\n"
    ),
    "n.cpp": '#include "n.hpp"\nnamespace app { namespace core {\nint apply(Rate r) { return r.pct; }\n} }\n',
    "m.cpp": (
        '#include "n.hpp"\nnamespace app::core::deep { int dig() { return 1; } }\n'
        "int all() { return app::core::deep::dig() + ::app::core::apply({1}); }\n"
    ),
}


def test_the_namespaces_that_one_line_opens_are_each_a_symbol(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, NESTED))
    for address in ("n.hpp:1:16", "n.cpp:2:27", "n.hpp:7:15", "m.cpp:2:16", "m.cpp:3:25"):
        assert "exact 7" in ask("find_references", symbol=address)
    for address in ("n.hpp:1:11", "n.hpp:5:11", "m.cpp:2:11", "m.cpp:3:47"):
        assert "exact 6" in ask("find_references", symbol=address)
    assert "2 core" not in ask("symbol_search", query="core")
    assert "m.cpp:2" in ask("go_to_definition", symbol="m.cpp:3:31")


def test_a_name_of_the_global_namespace_that_nothing_declares_is_no_member(tmp_path: Path, opened: Open) -> None:
    code = (
        "class Pipe {\n    int read(int n) { return ::read(fd, n); }\n    int twice() { return read(1); }\n"
        "    int fd;\n};\n"
    )
    ask = opened(write(tmp_path, {"a.cpp": code}))
    shown = ask("find_references", symbol="Pipe.read")
    assert "exact 2, another symbol 1" in shown
    assert "likely" not in shown
    assert "2 Pipe.read" not in ask("call_hierarchy", symbol="Pipe.read")


def test_what_is_defined_outside_of_its_class_is_no_member_of_the_namespace(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, GLOBAL))("type_members", symbol="f.h:2:11")
    assert "close()" not in shown
    assert all(member in shown for member in ("File", "open(n)", "more()"))


def test_the_arguments_of_a_base_call_its_constructor(tmp_path: Path, opened: Open) -> None:
    sharp = (
        "class Base { public Base(int n) { } public Base(string s) { } }\nclass One(int m) : Base(m);\n"
        'class Two : Base { public Two() : base("x") { } }\nrecord R(int N);\nrecord S(int N) : R(N);\n'
    )
    kotlin = (
        "open class Base(val n: Int)\nclass One(m: Int) : Base(m)\nclass Two : Base(3) { val base = Base(4) }\n"
        "interface Named\nclass Three : Named\n"
    )
    ask = opened(write(tmp_path / "cs", {"P.cs": sharp}))
    assert "P.cs:2 One" in ask("call_hierarchy", symbol="P.cs:1:21")
    assert "2: class One(int m) : Base(m);" in ask("find_references", symbol="P.cs:1:21")
    assert "class One" not in ask("find_references", symbol="P.cs:1:45")
    assert "P.cs:5 S" in ask("call_hierarchy", symbol="R")
    ask = opened(write(tmp_path / "kt", {"a.kt": kotlin}))
    shown = ask("call_hierarchy", symbol="Base")
    assert "2 callers, complete" in shown
    assert "a.kt:2 One" in shown
    assert "no callers" in ask("call_hierarchy", symbol="Named")


def test_a_macro_that_is_called_in_a_class_is_no_constructor_of_it(tmp_path: Path, opened: Open) -> None:
    code = (
        "#define NO_COPY(T) T(const T&) = delete\n#define KEEP(T, n) T(const T&, int)\nclass Third {\npublic:\n"
        "    explicit Third(int n);\n    ~Third();\nprivate:\n    NO_COPY(Third);\n    KEEP(Third, 3);\n"
        "    int x_;\n};\n"
    )
    ask = opened(write(tmp_path, {"m.h": code}))
    assert "8: NO_COPY(Third);" in ask("find_references", symbol="m.h:1:9")
    assert "m.h:1" in ask("go_to_definition", symbol="m.h:8:5")
    assert "9: KEEP(Third, 3);" in ask("find_references", symbol="m.h:2:9")
    assert "8: NO_COPY(Third);" in ask("find_references", symbol="Third")
    members = ask("type_members", symbol="Third")
    assert "NO_COPY()" not in members
    assert "macros may declare more: NO_COPY, KEEP" in members


def test_what_a_class_names_of_its_base_is_meant_beside_its_own_overloads(tmp_path: Path, opened: Open) -> None:
    tree = {
        "u.h": (
            "class Base {\npublic:\n    void scale(int k);\n    int k_;\n};\nclass Round : public Base {\npublic:\n"
            "    using Base::scale;\n    void scale(const char* s);\n};\n"
        ),
        "u.cpp": (
            '#include "u.h"\nvoid Base::scale(int k) { k_ = k; }\nvoid Round::scale(const char* s) { scale(1); }\n'
            'int go(Round& r) {\n    r.scale("x");\n    r.scale(3);\n    return 0;\n}\n'
        ),
    }
    shown = opened(write(tmp_path, tree))("find_references", symbol="Base.scale")
    assert "3: void Round::scale(const char* s) { scale(1); }" in shown
    assert "6: r.scale(3);" in shown


def test_what_a_loop_goes_through_is_not_its_variable(tmp_path: Path, opened: Open) -> None:
    rust = (
        "struct Node { kids: Vec<Node> }\nfn walk(node: &Node) -> usize {\n    let mut n = 0;\n"
        "    for node in node.kids.iter() { n += walk(node); }\n    n\n}\n"
    )
    cpp = (
        "struct Node { std::vector<Node> kids; int v; };\nint walk(Node& node) {\n    int n = 0;\n"
        "    for (auto& node : node.kids) n += walk(node);\n"
        "    for (auto list = node.kids; auto& one : list) n += one.v;\n    return n;\n}\n"
    )
    ask = opened(write(tmp_path, {"src/lib.rs": rust, "a.cpp": cpp}))
    assert "src/lib.rs:2:9" in ask("go_to_definition", symbol="src/lib.rs:4:17")
    assert "src/lib.rs:4:9" in ask("go_to_definition", symbol="src/lib.rs:4:46")
    assert "exact 2" in ask("find_references", symbol="src/lib.rs:2:9")
    assert "a.cpp:2:16" in ask("go_to_definition", symbol="a.cpp:4:23")
    assert "a.cpp:4:16" in ask("go_to_definition", symbol="a.cpp:4:45")
    assert "a.cpp:5:15" in ask("go_to_definition", symbol="a.cpp:5:45")
    assert "exact 3" in ask("find_references", symbol="a.cpp:2:16")


COMMON = (
    "package a\nclass Routes {\n    fun get(path: String) = path\n}\nval users = mutableMapOf(key() to 1)\n"
    "fun find(key: String, routes: Routes) = key.let(users::get) ?: users.get(key) ?: routes.get(key)\n"
)


def test_what_collections_of_kotlin_have_is_not_likely_the_only_member_of_that_name(
    tmp_path: Path, opened: Open
) -> None:
    shown = opened(write(tmp_path, {"a.kt": COMMON}))("find_references", symbol="a.kt:3:9")
    assert "exact 2, " in shown
    assert "likely" not in shown


COPIES = (
    "package a\ndata class Address(val street: String)\ndata class Person(val name: String, val home: Address) {\n"
    '    constructor(name: String) : this(name, Address(""))\n    fun renamed(name: String) = copy(name = name)\n'
    "    fun moved(street: String) = copy(home = home.copy(street = street))\n}\n"
    "class Document(val name: String) {\n    fun copy(name: String) = Document(name)\n"
    '    fun twin() = copy(name = "b")\n}\n'
)


def test_an_argument_of_a_copy_names_a_field_of_the_head_of_a_type_of_kotlin(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.kt": COPIES}))
    assert "a.kt:3" in ask("go_to_definition", symbol="a.kt:5:38")
    assert "a.kt:3" in ask("go_to_definition", symbol="a.kt:6:38")
    assert "a.kt:2" in ask("go_to_definition", symbol="a.kt:6:55")
    assert "a.kt:9" in ask("go_to_definition", symbol="a.kt:10:23")
