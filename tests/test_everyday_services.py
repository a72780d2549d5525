"""Names of everyday code in services and modules: what initializes, what labels, what is delegated and mixed in."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

INITIALIZED = {
    "d.h": (
        "#pragma once\nclass Line {\npublic:\n    explicit Line(int size);\n    int size() const;\n"
        "    static int parse(int text, int base);\n};\n"
    ),
    "d.cpp": '#include "d.h"\nLine::Line(int size) {}\nint Line::size() const { return 1; }\n',
    "u.cpp": (
        '#include "d.h"\nstatic int twice(int n) { return n; }\nint run(int key, int base) {\n'
        "    Line one(twice(key));\n    Line two(Line::parse(key, base));\n    Line three{key};\n"
        "    return one.size() + two.size();\n}\n"
    ),
}


def test_what_initializes_a_variable_is_used_where_the_grammar_sees_a_function(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, INITIALIZED))
    assert "exact 4" in ask("find_references", symbol="u.cpp:3:13")
    assert "exact 2" in ask("find_references", symbol="u.cpp:3:22")
    assert "u.cpp:2" in ask("go_to_definition", symbol="u.cpp:4:14")
    assert "u.cpp:4 run" in ask("call_hierarchy", symbol="u.cpp:2:12")
    assert "u.cpp:5 run" in ask("call_hierarchy", symbol="d.h:6:16")


def test_a_constructor_has_its_uses_from_where_it_is_defined_outside_of_its_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, INITIALIZED))
    for place in ("d.h:4:14", "d.cpp:2:7"):
        shown = ask("find_references", symbol=place)
        assert "exact 5" in shown
        assert "6: Line three{key};" in shown
        assert "u.cpp:4,5,6 run" in ask("call_hierarchy", symbol=place)


LABELS = {
    "check.h": "#define CHECK(cond, label) do { if (!(cond)) goto label; } while (0)\n",
    "n.c": (
        '#include "check.h"\nint done;\nint open_it(int fd)\n{\n    CHECK(fd > 0, fail);\n    CHECK(fd > 1, done);\n'
        "    return 0;\nfail:\n    return -1;\ndone:\n    return 1;\n}\n"
    ),
}


def test_a_macro_is_given_a_label_of_the_function_where_no_value_is_called_so(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LABELS))
    assert "n.c:8:1" in ask("go_to_definition", symbol="n.c:5:19")
    for place in ("n.c:8:1", "n.c:5:19"):
        assert "exact 2" in ask("find_references", symbol=place)
        renamed = ask("rename_symbol", symbol=place, new_name="failed")
        assert "+    CHECK(fd > 0, failed);" in renamed
        assert "+failed:" in renamed
    assert "n.c:2" in ask("go_to_definition", symbol="n.c:6:19")


ON_RECEIVERS = {
    "Dsl.kt": (
        "package a\n\nopen class Element {\n    fun close() {}\n}\n\n"
        "fun <E : Element> child(element: E, init: E.() -> Unit, close: E.() -> Unit): E {\n"
        "    element.init()\n    element.close()\n    return element\n}\n\n"
        "class Holder(private val setup: Element.() -> Unit) {\n    fun run(other: Element) = other.setup()\n}\n\n"
        "fun unknown(init: Element.() -> Unit) {\n    make().init()\n}\n"
    )
}


def test_a_variable_holds_a_function_that_is_called_on_an_object(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ON_RECEIVERS))
    assert "Dsl.kt:7:37" in ask("go_to_definition", symbol="Dsl.kt:8:13")
    assert "exact 2" in ask("find_references", symbol="Dsl.kt:7:37")
    assert "+    element.begin()" in ask("rename_symbol", symbol="Dsl.kt:7:37", new_name="begin")
    assert "exact 2" in ask("find_references", symbol="Holder.setup")


def test_a_member_goes_before_a_function_that_a_variable_holds(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ON_RECEIVERS))
    assert "Dsl.kt:4" in ask("go_to_definition", symbol="Dsl.kt:9:13")
    assert "exact 1" in ask("find_references", symbol="Dsl.kt:7:57")
    assert "exact 1, undecided 1" in ask("find_references", symbol="Dsl.kt:17:13")


DELEGATES = {
    "Repo.kt": (
        "package a\n\ninterface Repo {\n    fun need(id: Int): Int = 1\n}\n\nclass Mem : Repo\n\n"
        "class Cached(private val delegate: Repo) : Repo by delegate {\n"
        "    /** How often. */\n    private var hits = 0\n\n"
        "    override fun need(id: Int): Int {\n        hits++\n        return delegate.need(id)\n    }\n}\n\n"
        "fun use() = Cached(Mem()).need(2)\n"
    )
}


def test_the_members_of_a_class_that_delegates_are_those_of_its_body(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DELEGATES))
    assert "Repo.kt:13" in ask("go_to_definition", symbol="Repo.kt:19:27")
    assert "13 Cached: override fun need(id: Int): Int" in ask("find_implementations", symbol="Repo.need")
    assert "exact 3" in ask("find_references", symbol="Repo.kt:9:26")
    assert "Repo.kt:9:26" in ask("go_to_definition", symbol="Repo.kt:9:52")


DEMANDS = {
    "blog.php": (
        "<?php\nnamespace Blog;\ntrait Stamps\n{\n    abstract public function save(): bool;\n"
        "    public function touch(): static { $this->save(); return $this; }\n}\n"
        "abstract class Model\n{\n    public function save(): bool { return true; }\n}\n"
        "class Post extends Model\n{\n    use Stamps;\n}\n"
        "function keep(Post $post) {\n    $post->save();\n    $post->touch()->save();\n}\n"
    )
}


def test_a_class_inherits_the_method_that_a_trait_demands(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, DEMANDS))
    assert "blog.php:10" in ask("go_to_definition", symbol="blog.php:17:12")
    assert "exact 3, another symbol 2" in ask("find_references", symbol="Model.save")
    assert "exact 2, another symbol 3" in ask("find_references", symbol="Stamps.save")
    assert "10 Blog.Model: public function save(): bool" in ask("find_implementations", symbol="Stamps.save")


CONVERSIONS = {
    "Vector.cs": (
        "namespace G\n{\n    public struct Vector\n    {\n        public double X;\n"
        "        public static implicit operator Vector(double x) => new Vector { X = x };\n"
        "        public static explicit operator double(Vector v) => v.X;\n    }\n"
        "    public class Result<T>\n    {\n"
        "        public static implicit operator Result<T>(T value) => new Result<T>();\n    }\n}\n"
    )
}


def test_the_type_of_a_conversion_is_a_use_of_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CONVERSIONS))
    assert "Vector.cs:3" in ask("go_to_definition", symbol="Vector.cs:6:41")
    assert "account: exact 4" in ask("find_references", symbol="G.Vector")
    assert "account: exact 3" in ask("find_references", symbol="G.Result")
    assert "implicit operator Pair(double x) => new Pair" in ask("rename_symbol", symbol="G.Vector", new_name="Pair")
    assert "Vector.cs:6" in ask("go_to_definition", symbol="Vector.operator Vector")


PARTIAL = {
    "Model.cs": (
        "namespace Ui\n{\n    public partial class Model\n    {\n"
        "        public void Set(string name) { Changed(name); }\n"
        "        partial void Changed(string value);\n    }\n}\n"
    ),
    "Model.Checks.cs": (
        "namespace Ui\n{\n    partial class Model\n    {\n        partial void Changed(string value) { }\n    }\n}\n"
    ),
}


def test_the_declarations_of_a_partial_method_are_one_symbol(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PARTIAL))
    for place in ("Model.cs:6:22", "Model.Checks.cs:5:22", "Model.cs:5:40"):
        assert "3 references in 2 files, complete" in ask("find_references", symbol=place)
    assert "3 edits in 2 files" in ask("rename_symbol", symbol="Model.Changed", new_name="Renamed")


STATIC_MEMBERS = {
    "box.h": (
        "#pragma once\nnamespace n {\nclass Box {\npublic:\n    static int count;\n    static inline int most = 3;\n"
        "    static constexpr int least = 1;\n};\n}\n"
    ),
    "box.cpp": '#include "box.h"\nint n::Box::count = 0;\n',
    "use.cpp": '#include "box.h"\nint use() { return n::Box::count + n::Box::most + n::Box::least; }\n',
}


def test_a_static_member_is_defined_outside_of_its_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, STATIC_MEMBERS))
    for place in ("use.cpp:2:28", "box.h:5:16"):
        shown = ask("go_to_definition", symbol=place)
        assert "n.Box.count box.cpp:2" in shown
        assert "n.Box.count box.h:5" in shown
    assert "Field in box.cpp:2" in ask("go_to_definition", symbol="box.cpp:2:13")
    for place in ("use.cpp:2:28", "box.h:5:16", "box.cpp:2:13"):
        assert "3 references in 3 files, complete" in ask("find_references", symbol=place)
    assert "Field in box.h:6" in ask("go_to_definition", symbol="use.cpp:2:44")
    assert "Field in box.h:7" in ask("go_to_definition", symbol="use.cpp:2:59")


GO_NAMES = {
    "go.mod": "module ex.com/a\n\ngo 1.21\n",
    "a.go": (
        "package a\n\ntype T struct {\n\tinit bool\n}\n\nfunc (t *T) main() { t.init = true }\n\n"
        "func run(t *T) { t.main() }\n\nfunc init() {}\n"
    ),
}


def test_go_calls_functions_of_packages_and_no_members_by_their_names(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GO_NAMES))
    assert "2 edits in 1 file" in ask("rename_symbol", symbol="a.go:4:2", new_name="ready")
    assert "2 edits in 1 file" in ask("rename_symbol", symbol="a.go:7:13", new_name="start")
    assert "the language itself calls init" in ask.error("rename_symbol", symbol="a.go:11:6", new_name="start")


TEMPLATES = {
    "buf.cpp": (
        "#include <array>\ntemplate <typename T, unsigned N = 4>\nclass Buf {\npublic:\n    void put(const T& value);\n"
        "    unsigned size() const { return N; }\n    std::array<T, N> data_{};\n};\n"
        "template <typename T, unsigned N>\nvoid Buf<T, N>::put(const T& value) { data_[N - 1] = value; }\n"
        "unsigned use() {\n    constexpr unsigned n = 3;\n    Buf<int, n> buf;\n    return buf.size() + n;\n}\n"
    )
}


def test_a_value_is_the_argument_of_a_template(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TEMPLATES))
    assert "buf.cpp:2:32" in ask("go_to_definition", symbol="buf.cpp:7:19")
    assert "account: exact 3, another symbol 3" in ask("find_references", symbol="buf.cpp:2:32")
    assert "account: exact 3, another symbol 3" in ask("find_references", symbol="buf.cpp:9:32")
    assert "account: exact 3" in ask("find_references", symbol="buf.cpp:12:24")
    assert "+    std::array<T, Count> data_{};" in ask("rename_symbol", symbol="buf.cpp:2:32", new_name="Count")


RECORDS = {
    "Pair.java": (
        "record Pair(int a, int b) {\n    Pair(int a) { this(a, 0); }\n"
        "    static Pair of() { return new Pair(1, 2); }\n"
        "    Pair copy() { return new Pair(a); }\n}\n"
    ),
    "Span.java": (
        "record Span(int from, int to) {\n    Span {\n    }\n    Span(int to) { this(0, to); }\n"
        "    static Span of() { return new Span(3); }\n}\n"
    ),
    "Service.cs": (
        "public class Service(int size)\n{\n    public Service() : this(3) { }\n"
        "    public Service Make() => new Service(4);\n    public Service Other() => new Service();\n}\n"
    ),
}


def test_the_head_of_a_type_declares_a_constructor_beside_those_of_its_body(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, RECORDS))
    one = ask("find_references", symbol="Pair.java:2:5")
    assert "account: exact 2, another symbol" in one
    assert "4: Pair copy() { return new Pair(a); }" in one
    assert "Class in Pair.java:1" in ask("go_to_definition", symbol="Pair.java:2:19")
    compact = ask("find_references", symbol="Span.java:2:5")
    assert "4: Span(int to) { this(0, to); }" in compact
    assert "new Span(3)" not in compact
    assert "account: exact 2, another symbol" in ask("find_references", symbol="Span.java:4:5")
    bare = ask("find_references", symbol="Service.cs:3:12")
    assert "5: public Service Other()" in bare
    assert "4: public Service Make()" not in bare


QUALIFIED = {
    "m.php": (
        "<?php\nnamespace App\\Mail;\nclass Message\n{\n    public function __construct(public string $to) {}\n}\n"
        "function message() {}\n"
    ),
    "i.php": "<?php\n$a = new App\\Mail\\Message('x');\nApp\\Mail\\message();\n",
    "j.php": "<?php\nnamespace Web;\nuse App\\Mail;\nsend(new Mail\\Message('y'));\n",
}


def test_a_class_is_made_by_its_qualified_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, QUALIFIED))
    shown = ask("find_references", symbol="m.php:3:7")
    assert "2: $a = new App\\Mail\\Message('x');" in shown
    assert "4: send(new Mail\\Message('y'));" in shown
    assert "account: exact 3" in shown
    assert "account: exact 2" in ask("find_references", symbol="m.php:7:10")
    assert "+$a = new App\\Mail\\Letter('x');" in ask("rename_symbol", symbol="m.php:3:7", new_name="Letter")


OPENED = {
    "box.h": (
        "#pragma once\nnamespace n {\nclass Box {\npublic:\n    Box(int size);\n    int size() const;\n"
        "    static int count;\n};\nclass Lid {\npublic:\n    int size() const;\n};\n}\n"
    ),
    "box.cpp": (
        '#include "box.h"\nusing namespace n;\nBox::Box(int size) {}\nint Box::size() const { return count; }\n'
        "int Box::count = 0;\n"
    ),
    "lid.cpp": '#include "box.h"\nusing n::Lid;\nint Lid::size() const { return 2; }\n',
    "use.cpp": (
        '#include "box.h"\nint use(char** names, int i) {\n    n::Box box(*names[i]);\n    n::Lid lid;\n'
        "    n::Box other(names[i]);\n    return box.size() + n::Box::count + lid.size();\n}\n"
    ),
}


def test_a_member_is_defined_where_its_namespace_is_opened(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, OPENED))
    for place in ("box.h:6:9", "box.cpp:4:10", "use.cpp:6:17"):
        assert "3 references in 3 files, complete" in ask("find_references", symbol=place)
        assert "3 edits in 3 files" in ask("rename_symbol", symbol=place, new_name="length")
    for place in ("box.h:7:16", "box.cpp:5:10", "use.cpp:6:33"):
        assert "4 references in 3 files, complete" in ask("find_references", symbol=place)
    for place in ("box.h:11:9", "lid.cpp:3:10"):
        assert "3 references in 3 files, complete" in ask("find_references", symbol=place)
    assert "box.cpp:4" in ask("go_to_definition", symbol="use.cpp:6:17")
    assert "use.cpp:6 use" in ask("call_hierarchy", symbol="box.cpp:4:10")


def test_an_element_initializes_a_variable(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, OPENED))
    assert "account: exact 3" in ask("find_references", symbol="use.cpp:2:16")
    assert "use.cpp:2:16" in ask("go_to_definition", symbol="use.cpp:5:18")


BASES = {
    "a.h": (
        "#pragma once\nnamespace p {\nclass Base {\npublic:\n    Base(int n);\n    virtual void go();\n};\n}\n"
        "class Near : public p::Base {\npublic:\n    Near() : Base(1) {}\n    void go() override { Base::go(); }\n};\n"
        "class Far : public p::Base {\npublic:\n    Far();\n    void go() override;\n};\n"
    ),
    "a.cpp": '#include "a.h"\nFar::Far() : Base(2) {}\nvoid Far::go() { Base::go(); }\n',
}


def test_a_class_knows_its_base_by_the_last_part_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BASES))
    assert "account: exact 7, another symbol 1" in ask("find_references", symbol="a.h:3:7")
    assert "account: exact 3" in ask("find_references", symbol="a.h:6:18")
    assert "account: exact 3" in ask("find_references", symbol="a.h:5:5")
    assert "a.h:6" in ask("go_to_definition", symbol="a.cpp:3:24")
