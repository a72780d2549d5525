"""What is shown of C and C++, and in which language a file is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write
from leadline_tools.languages import language_in

HEADS = {
    "typedef struct {\n  int x;\n} Point;\n": ("3 typedef struct Point", "2 int x"),
    "typedef struct node { int x; } node_t;\n": ("1 struct node", "1 typedef struct node node_t"),
    "struct S { int y : 3, *z; } gs;\n": ("1 struct S", "1 int y : 3", "1 int *z", "1 struct S gs"),
    "struct T { union { int a; } u; };\n": ("1 union u",),
    "static int first, second = 2;\n": ("1 static int first", "1 static int second = 2"),
    "int a = f(1, 2), b[3];\n": ("1 int a = f(1, 2)", "1 int b[3]"),
    "void (*hook)(int, int), *other(void);\n": ("1 void (*hook)(int, int)", "1 void *other(void)"),
}


@pytest.mark.parametrize("source", HEADS)
def test_an_outline_shows_the_name_of_everything_that_a_declaration_declares(
    source: str, tmp_path: Path, opened: Open
) -> None:
    for path in ("a.c", "a.cpp"):
        lines = opened(write(tmp_path / path, {path: source}))("document_symbols", path=path).splitlines()
        assert set(HEADS[source]) <= {line.strip() for line in lines}


def test_a_type_definition_is_of_the_kind_of_its_type(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.c": "typedef struct { int x; } Point;\ntypedef enum { RED } Color;\n"}))
    assert "1 symbol" in ask("symbol_search", query="Point", kind="Struct")
    assert "1 symbol" in ask("symbol_search", query="Color", kind="Enum")


HEADERS = {
    "a base": "struct Base { int x; };\nstruct Vec : Base {\n  int size;\n};\n",
    "a member function": "struct Vec { float x; int size(); };\n",
    "a member function that is const": "struct Vec { int size() const; };\n",
    "a constructor": "struct Vec {\n  Vec(int x);\n  int size;\n};\n",
    "a destructor": "struct Vec {\n  ~Vec();\n  int size;\n};\n",
    "virtual": "struct Vec {\n  virtual int size() = 0;\n};\n",
    "an operator": "struct Vec { int size; };\nbool operator==(Vec a, Vec b);\n",
    "a reference": "struct Vec { int size; };\nint measure(const Vec& vec);\n",
    "a scoped enumeration": "enum class Kind { A };\nstruct Vec { int size; };\n",
    "the type of an enumeration": "enum Kind : STATUS_TYPE {\n  A,\n};\n",
    "a qualified name": "struct Vec { std::size_t size; };\nstd::string name(int);\n",
    "a default argument": "struct Vec { int size; };\nint measure(int x = 3);\n",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_what_only_cpp_has_says_that_a_header_is_cpp(header: str) -> None:
    assert _language("v.h", header) == "cpp"


C_HEADERS = (
    "struct vec { int (*size)(void); DECLARE_BITMAP(bits, 4); int aligned __aligned(8); } __packed;\n",
    "/* Note: virtual memory (see below); const values & masks. */\nstruct vec { int x; };\n",
    "struct vec { int class; int new; int this; };\nint template(int operator);\n",
    "static inline int f(int a, int b) { return (a & b) ? a * (b) : g(a = b); }\n",
)


@pytest.mark.parametrize("header", C_HEADERS)
def test_a_header_of_c_is_read_as_c(header: str) -> None:
    assert _language("v.h", header) == "c"


def _language(path: str, content: str) -> str:
    language = language_in(path, content.encode())
    return language.name if language is not None else ""


CONSTRUCTED = (
    "struct A { A(int x) {} };\n"
    "A of() { return A(2); }\n"
    "A *at() { return new A(3); }\n"
    "void local() { A b(4); A c{5}; auto d = A{6}; A e = A(7); A *none = nullptr; }\n"
    "struct B : A { B() : A(9) {} B(int) : B() {} };\n"
)


def test_whatever_calls_a_constructor_is_a_use_of_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.cpp": CONSTRUCTED}))
    assert "account: exact 8, another symbol" in ask("find_references", symbol="a.cpp:1:12")
    assert "account: exact 3" in ask("find_references", symbol="a.cpp:5:16")
    text = ask("call_hierarchy", symbol="a.cpp:1:12")
    assert "4 callers" in text
    assert "5 B.B" in text


def test_the_words_of_qt_before_a_call_are_no_type(tmp_path: Path, opened: Open) -> None:
    files = {
        "w.h": "#include <QObject>\nclass W : public QObject {\n    Q_OBJECT\nQ_SIGNALS:\n    void closed();\n"
        "public Q_SLOTS:\n    void poke();\n};\n",
        "w.cpp": '#include "w.h"\nvoid W::poke() {\n    emit closed();\n    Q_EMIT closed();\n'
        "    if (true) emit this->closed();\n    emit W::closed();\n    closed();\n}\n",
    }
    ask = opened(write(tmp_path, files))
    assert "account: exact 6\n" in ask("find_references", symbol="W.closed")
    assert "1 caller" in ask("call_hierarchy", symbol="W.closed")


OBJECTIVE_C = "#import <Foundation/Foundation.h>\n@interface View : NSObject\n@end\n"


def test_a_header_with_declarations_of_objective_c_is_read_as_such() -> None:
    assert _language("View.h", OBJECTIVE_C) == "objc"
    assert _language("view.h", f"#ifdef __OBJC__\n{OBJECTIVE_C}#endif\nint view_open(void);\n") == "c"
    assert _language("view.h", "/*\n @class View, which is drawn.\n @brief\n*/\nint view_open(void);\n") == "c"


FRAGMENTS = {
    "int inc_fn(int x) { return x; }\n": "c",
    "static inline int add(int a,\n                      int b)\n{\n    return a + b;\n}\n": "c",
    "ENTRY(ADD, add)\nENTRY(SUB, sub)\n": "c",
    "  .open = file_open,\n  .close = file_close,\n": "",
    "#ifdef A\nX(1),\n#endif\n": "c",
    "template <class T> T twice(T x) { return x + x; }\nint four() { return twice(2); }\n": "cpp",
    "<?php\nfunction legacy() { return 1; }\n": "php",
    "<p>Hello (world)</p>\n": "",
    "; macros\n%macro push 1\n  push eax\n%endmacro\n": "",
    ".macro save reg\n  str \\reg, [sp]\n.endm\n": "",
    "{$IFDEF A}\nprocedure Run(x: integer);\nbegin\n  x := 1;\nend;\n": "",
    'SUMMARY = "a (b)"\nSRC_URI += "file://x"\ninherit autotools\ndo_install() {\n  cp (a)\n}\n': "",
    "LIBRARY shop\nEXPORTS\n  open_shop @1\n": "",
    "# if you change this, define it below\nFOO = bar\n": "",
}


@pytest.mark.parametrize("content", FRAGMENTS)
def test_what_a_file_holds_that_others_include_says_its_language(content: str) -> None:
    assert _language("a.inc", content) == FRAGMENTS[content]


def test_what_an_included_file_of_any_ending_defines_is_a_symbol(tmp_path: Path, opened: Open) -> None:
    files = {
        "table.inc": "int inc_fn(int x) { return x; }\n",
        "ops.def": "ENTRY(inc_fn)\n",
        "main.c": '#include "table.inc"\n#define ENTRY(f) f(1);\nint main(void) {\n#include "ops.def"\n'
        "  return inc_fn(2);\n}\n",
        "legacy.inc": "<?php\nfunction legacy_total() { return 1; }\n",
        "index.php": '<?php\nrequire "legacy.inc";\necho legacy_total();\n',
    }
    ask = opened(write(tmp_path, files))
    assert "inc_fn: 3 references in 3 files, complete" in ask("find_references", symbol="inc_fn")
    assert "table.inc:1" in ask("go_to_definition", symbol="main.c:5:10")
    assert "2 references in 2 files" in ask("find_references", symbol="legacy_total")


SPECIFIERS = {
    "box.hpp": (
        "#define fast_inline inline\n#define _ALWAYS_ inline\n#define WINAPI\n"
        "template <typename T> struct result { T value; int error() const; };\n"
        "struct item { int price; };\ntypedef struct item *handle;\n"
        "class box {\n public:\n  fast_inline box() noexcept = default;\n"
        "  fast_inline result<item> first() & noexcept;\n"
        "  must_use fast_inline item last(int at) const;\n  fast_inline operator item() const noexcept(false);\n"
        "  _ALWAYS_ item middle() { return item(); }\n  handle WINAPI open(int at);\n  item many[2];\n};\n"
        "fast_inline result<item> box::first() & noexcept { return result<item>{many[0]}; }\n"
        "must_use fast_inline item box::last(int at) const { return many[at]; }\n"
        "handle find(box &b);\n"
    ),
    "use.cpp": (
        '#include "box.hpp"\nint run(box &b) {\n  return b.first().value.price + b.last(1).price + b.middle().price\n'
        "    + find(b)->price;\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("use.cpp:3:12", "box.hpp:10"),
        ("use.cpp:3:20", "Field in box.hpp:4"),
        ("use.cpp:3:26", "Field in box.hpp:5"),
        ("use.cpp:3:44", "Field in box.hpp:5"),
        ("use.cpp:3:63", "Field in box.hpp:5"),
        ("use.cpp:4:16", "Field in box.hpp:5"),
        ("box.hpp:17:26", "Class in box.hpp:7"),
        ("box.hpp:10:15", "Struct in box.hpp:4"),
        ("box.hpp:12:24", "Struct in box.hpp:5"),
    ],
)
def test_a_macro_of_any_spelling_before_a_type_is_no_type(
    symbol: str, found: str, tmp_path: Path, opened: Open
) -> None:
    assert found in opened(write(tmp_path, SPECIFIERS))("go_to_definition", symbol=symbol)


def test_a_function_that_a_macro_stands_before_is_a_member_with_its_own_name(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, SPECIFIERS))("type_members", symbol="box.hpp:7")
    assert "9 box()\n10 first()\n17 first()\n11 last(at)\n18" in text


ATTRIBUTED = (
    "class\n#ifdef WIDE\n  alignas(16)\n#endif\n  wide {\n public:\n  wide *next();\n};\n"
    "wide *of(wide *w) { return w->next(); }\n"
)


def test_a_class_with_attributes_in_a_branch_is_a_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.cpp": ATTRIBUTED}))
    assert "Class in a.cpp:5" in ask("go_to_definition", symbol="a.cpp:7:3")
    assert "Method in a.cpp:7" in ask("go_to_definition", symbol="a.cpp:9:32")


def test_a_branch_between_initializers_leaves_the_parameters_of_the_constructor(tmp_path: Path, opened: Open) -> None:
    source = (
        "struct item { int size; };\nint first = 1;\nclass box {\n public:\n  box(item *first, int count)\n"
        "      : end_(first + count),\n#ifndef NDEBUG\n        start_(first),\n#endif\n        now_(first) {\n  }\n"
        "  int size() { return now_->size; }\n private:\n  item *end_;\n  item *start_;\n  item *now_;\n};\n"
    )
    ask = opened(write(tmp_path, {"a.cpp": source}))
    for symbol in ("a.cpp:6:14", "a.cpp:10:14"):
        assert "Parameter in a.cpp:5:13" in ask("go_to_definition", symbol=symbol)
    assert "Field in a.cpp:1" in ask("go_to_definition", symbol="a.cpp:12:29")


ANNOTATED = (
    "#define BEGIN\n#define API\n#define DEPRECATED(text)\nstruct base { int size; };\n// The box\nBEGIN\n"
    '  class box {\n   public:\n    DEPRECATED("use next()")\n    int first() const { return next(); }\n'
    "    int next() const;\n  };\n"
    'class API DEPRECATED(\n    "use box") old\n    : public base {\n public:\n  int count() { return size; }\n};\n'
    "int use(box &b, old &o) { return b.first() + b.next() + o.count() + o.size; }\n"
)


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("a.cpp:19:9", "Class in a.cpp:7"),
        ("a.cpp:19:17", "Class in a.cpp:14"),
        ("a.cpp:19:36", "Method in a.cpp:10"),
        ("a.cpp:10:32", "Method in a.cpp:11"),
        ("a.cpp:17:24", "Field in a.cpp:4"),
        ("a.cpp:19:71", "Field in a.cpp:4"),
    ],
)
def test_a_macro_after_a_comment_or_with_a_message_leaves_the_class(
    symbol: str, found: str, tmp_path: Path, opened: Open
) -> None:
    assert found in opened(write(tmp_path, {"a.cpp": ANNOTATED}))("go_to_definition", symbol=symbol)


RANGES = {
    "box.hpp": (
        "#include <ranges>\nnamespace box { struct all {}; }\n"
        "namespace std {\nnamespace ranges {\ntemplate <> inline constexpr bool enable_view<box::all> = true;\n}\n}\n"
    ),
    "use.cpp": '#include "box.hpp"\n#include <vector>\nstd::vector<box::all> every;\nusing namespace std;\n',
}


def test_a_specialization_in_a_namespace_of_the_standard_library_does_not_make_that_one_of_the_tree(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, RANGES))
    for symbol in ("use.cpp:3:1", "use.cpp:4:17"):
        assert "comes from outside of the code base" in ask.error("go_to_definition", symbol=symbol)


PROTOTYPES = {
    "run.h": (
        "#define P_(args) args\n#define ARG_UNUSED\ntypedef struct { int size; } box;\ntypedef int flag;\n"
        "extern int measure P_((const box *first, flag all));\nvoid clear P_((box *first));\n"
    ),
    "run.c": (
        '#include "run.h"\nint measure(const box *first, flag all ARG_UNUSED) { return first->size + all; }\n'
        "void clear(box *first ARG_UNUSED)\n{\n  first->size = 0;\n}\n"
        "int use(box *b) { clear(b); return measure(b, 1); }\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("run.h:5:30", "Struct in run.h:3"),
        ("run.h:6:17", "Struct in run.h:3"),
        ("run.c:2:61", "Parameter in run.c:2:24"),
        ("run.c:2:75", "Parameter in run.c:2:36"),
        ("run.c:5:3", "Parameter in run.c:3:17"),
        ("run.c:5:10", "Field in run.h:3"),
        ("run.c:7:19", "run.c:3"),
    ],
)
def test_macros_around_and_behind_parameters_leave_the_parameters(
    symbol: str, found: str, tmp_path: Path, opened: Open
) -> None:
    assert found in opened(write(tmp_path, PROTOTYPES))("go_to_definition", symbol=symbol)


def test_a_prototype_in_a_macro_is_a_declaration_of_its_function(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, PROTOTYPES))("find_references", symbol="run.c:2:5")
    assert "5: extern int measure P_((const box *first, flag all));  [definition]" in text
    assert "account: exact 3" in text


LOOPS = (
    "#define each(item) for (item = first; item; item = item->next)\n#define CASE(op) case op\n"
    "#define SWITCH(pc) switch (*pc++)\nstruct node { struct node *next; int size; };\nstruct node *first;\n"
    "enum op { ADD, SUB };\n"
    "int run(const unsigned char *pc) {\n  struct node *item;\n  int sum = 0;\n"
    "  each(item) {\n    sum += item->size;\n  }\n"
    "  SWITCH(pc) {\n#ifdef SHORT\n  CASE(SUB):\n#endif\n  CASE(ADD):\n    sum += pc[0];\n    break;\n  }\n"
    "  return sum;\n}\n"
    "#define OP(op) case op:\nint step(int code) {\n  switch (code) {\n  OP(ADD)\n  /* goes on */\n  OP(SUB) {\n"
    "    return 1;\n  }\n  OP(2)\n    return 2;\n  }\n  return 0;\n}\n"
    "enum after { LAST };\nint last(void) { return LAST; }\n"
)


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("a.c:11:12", "Local name in a.c:8:16"),
        ("a.c:11:18", "Field in a.c:4"),
        ("a.c:10:8", "Local name in a.c:8:16"),
        ("a.c:18:12", "Parameter in a.c:7:30"),
        ("a.c:17:8", "EnumMember in a.c:6"),
        ("a.c:17:3", "a.c:2"),
        ("a.c:26:3", "a.c:23"),
        ("a.c:31:3", "a.c:23"),
        ("a.c:37:25", "EnumMember in a.c:36"),
    ],
)
def test_a_block_after_a_macro_is_no_function_and_a_label_of_a_macro_no_expression(
    symbol: str, found: str, tmp_path: Path, opened: Open
) -> None:
    assert found in opened(write(tmp_path, {"a.c": LOOPS}))("go_to_definition", symbol=symbol)
