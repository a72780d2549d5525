"""Names of C and C++ that macros, conditions and templates hide: where they lead, or that nothing decides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Asking, Open, write
from leadline_tools.resolve.bindings import macro_names

C = {
    "notes.md": "ERROR_MEMORY is returned.\n",
    "errors.h": (
        '#define ERRORS(X) \\\n  X(NONE, "none") \\\n  X(MEMORY, "memory")\n'
        "enum error {\n#define X(name, text) ERROR_##name,\n  ERRORS(X)\n#undef X\n  ERROR_LAST\n};\n"
    ),
    "codes.list": "CODE(STOP, 1)\nCODE(JUMP, 2)\n",
    "codes.def": "CODE(STOP, 1)\nCODE(JUMP, 2)\n",
    "codes.h": 'enum code {\n#define CODE(name, size) name,\n#include "codes.def"\n#undef CODE\n};\n',
    "vector.h": (
        "#define VECTOR(name, type) \\\n  struct name { type *items; int count; }; \\\n"
        "  static inline void name##_push(struct name *v, type item) { v->items[v->count++] = item; }\n"
    ),
    "system.h": (
        "#ifndef SYSTEM_H\n#define SYSTEM_H\n#ifdef _WIN32\n# define unlink _unlink\n# define SEPARATOR 92\n"
        "#else\n# define SEPARATOR 47\n#endif\n#ifndef LIMIT\n# define LIMIT 8\n#endif\n"
        "#if !defined(PLAIN_CHECK)\n# define CHECK(x) (x)\n#endif\n#endif\n"
    ),
    "compat/include/unistd.h": "#define R_OK 4\n",
    "main.c": (
        '#include <unistd.h>\n#include "errors.h"\n#include "codes.h"\n#include "vector.h"\n#include "system.h"\n'
        "struct point { int x; };\nVECTOR(points, struct point)\n"
        "int run(int code, struct points *all, struct point one) {\n"
        "  if (code == ERROR_MEMORY) goto out;\n  if (code == JUMP) goto fail;\n  points_push(all, one);\n"
        '  unlink("a");\n  code = SEPARATOR + LIMIT + CHECK(R_OK);\n'
        '#ifdef _WIN32\n  unlink("b");\n#endif\n'
        "  __auto_type copy = one;\n  __typeof__(*all) whole = *all;\n"
        "  int out = copy.x + whole.count;\nout:\n  return out;\nfail:\n  goto out;\n}\n"
        "int other(void) { extern int hidden(int); return hidden(1); }\n"
    ),
}

CPP = {
    "store.hpp": (
        "#define STORE_BEGIN namespace store { inline namespace v1 {\n#define STORE_END }}\n"
        "STORE_BEGIN\n\n// The items.\nstruct item { int price; };\nnamespace level { enum kind { low, high }; }\n"
        "class shelf {\n public:\n  level::kind level() const;\n"
        "  level::kind other() const { return level::low; }\n};\n"
        "STORE_END\n"
    ),
    "use.cpp": (
        '#include "store.hpp"\n#include <vector>\n'
        "namespace std {\ntemplate <> struct hash<store::item> { int f(); };\n}\n"
        "namespace st = store;\nusing namespace store;\n"
        "int f() { std::vector<store::item> all; st::item one; return all[0].price + one.price; }\n"
    ),
    "made.hpp": (
        "#if __cplusplus >= 201402L\nnamespace made { using std::make_unique; }\n#else\n"
        "namespace made { template <typename T> T *make_unique(); }\n#endif\n"
    ),
    "call.cpp": '#include "made.hpp"\nint *g() { return made::make_unique<int>(); }\n',
    "tuple.hpp": (
        "template <typename T> struct box {};\n"
        "template <typename... R> struct tuple {};\n"
        "template <typename T, typename... R> struct tuple<T, R...> : tuple<box<T>, R...> { int size; };\n"
        "int h(tuple<int, char> t) { return t.size + t.missing; }\n"
    ),
    "export.cpp": (
        "#define API\nnamespace a {\nclass log { public: log(int); ~log(); int size; };\n"
        "API log::log(int x)\n#ifdef A\n  : size(x)\n#endif\n{}\nAPI log::~log() {}\n"
        "int k(log &one) { return one.size; }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("c"), C))


@pytest.fixture(scope="module")
def cpp(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("cpp"), CPP))


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("main.c:9:15", "Name that a macro declares in errors.h:6:3, made of the word in errors.h:3:5"),
        ("main.c:10:15", "Name that a macro declares in codes.def:2:6"),
        ("main.c:8:26", "Name that a macro declares in main.c:7:8"),
        ("main.c:11:3", "Name that a macro declares in main.c:7:8"),
        ("errors.h:3:5", "Name that a macro declares in errors.h:6:3, made of the word in errors.h:3:5"),
        ("ERROR_MEMORY", "Name that a macro declares in errors.h:6:3, made of the word in errors.h:3:5"),
        ("main.c:25:50", "Declaration in main.c:25:30"),
        ("main.c:9:34", "Label in main.c:20:1"),
        ("main.c:23:8", "Label in main.c:20:1"),
        ("main.c:21:10", "Local name in main.c:19:7"),
        ("main.c:19:18", "Field in main.c:6"),
        ("main.c:13:22", "Constant in system.h:10"),
        ("main.c:13:30", "Function in system.h:13"),
    ],
)
def test_a_name_of_c_leads_to_what_declares_it(c: Asking, symbol: str, found: str) -> None:
    assert found in c("go_to_definition", symbol=symbol)


@pytest.mark.parametrize("symbol", ["main.c:9:15", "errors.h:3:5", "ERROR_MEMORY"])
def test_the_uses_of_a_name_that_a_macro_puts_together_are_found(c: Asking, symbol: str) -> None:
    text = c("find_references", symbol=symbol)
    assert "find_references ERROR_MEMORY: 2 references in 2 files, complete" in text
    assert "ERROR_MEMORY is made of MEMORY errors.h:3 by the call of a macro errors.h:6" in text
    assert "account: exact 1, text 1, aliased 1\n" in text
    assert '3: X(MEMORY, "memory")  [definition]\n' in text
    assert "9: if (code == ERROR_MEMORY) goto out;  (in run)\n" in text


def test_a_member_that_a_macro_declares_in_a_union_is_not_what_stands_alone(tmp_path: Path, opened: Open) -> None:
    files = {
        "any.h": (
            "#define KINDS(X) X(HANDLE, handle) X(TIMER, timer)\n#define X(_, name) any_ ## name ## _t name;\n"
            "union any { struct { int inner; } head; KINDS(X) };\n#undef X\n"
        ),
        "loop.c": '#include "any.h"\n#define DEFINE(name) int name##_start(void* handle) { return go(handle); }\n',
    }
    response = opened(write(tmp_path, files)).response("go_to_definition", symbol="loop.c:2:65")
    assert "'handle' is used here, but its definition was not found" in response.text


def test_the_uses_of_all_names_are_found_that_a_macro_makes_of_a_word(c: Asking) -> None:
    text = c("find_references", symbol="main.c:7:8")
    assert "find_references main.c:7:8 (2 names): 4 references" in text
    assert "8: int run(int code, struct points *all, struct point one) {" in text
    assert "11: points_push(all, one);" in text


def test_a_name_that_two_macros_declare_is_that_of_the_file_that_uses_it(tmp_path: Path, opened: Open) -> None:
    code = "#define X(name) KIND_##name,\nenum kind { X(OPEN) };\nint f(void) { return KIND_OPEN; }\n"
    ask = opened(write(tmp_path, {"a.c": code, "b.c": code}))
    text = ask("find_references", symbol="a.c:2:15")
    assert "account: exact 1, another symbol 1, aliased 1\n" in text
    assert "a.c\n2: enum kind { X(OPEN) };  [definition]\n3: int f(void)" in text


def test_names_that_macros_of_too_many_files_may_make_of_a_word_are_not_said_to_be_all(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = {f"more{number}.c": "#define X(name) OTHER_##name,\nenum other { X(SHUT) };\n" for number in range(3)}
    code = "#define X(name) KIND_##name,\nenum kind { X(OPEN) };\nint f(void) { return KIND_OPEN; }\n"
    ask = opened(write(tmp_path, {"a.c": code, **lists}))
    assert "complete" in ask("find_references", symbol="a.c:2:15").splitlines()[0]
    monkeypatch.setattr(macro_names, "_MOST_FILES", 2)
    text = ask("find_references", symbol="./a.c:2:15")
    assert "complete" not in text.splitlines()[0]
    assert "not examined: >=2 in 2 files, since no more are searched for macros" in text


LISTED = "#define X(name) KIND_##name,\nenum kind { X(OPEN) };\n"
USING = {f"use{number}.c": '#include "kinds.h"\nint k = KIND_OPEN;\n' for number in range(3)}


def test_go_to_definition_of_a_word_does_not_say_that_it_knows_all_names_made_of_it_where_files_were_not_searched(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = {f"more{number}.c": "#define X(name) OTHER_##name,\nenum other { X(SHUT) };\n" for number in range(3)}
    ask = opened(write(tmp_path, {"a.c": f"{LISTED}int f(void) {{ return KIND_OPEN; }}\n", **lists}))
    assert "complete" in ask("go_to_definition", symbol="a.c:2:15").splitlines()[0]
    monkeypatch.setattr(macro_names, "_MOST_FILES", 2)
    text = ask("go_to_definition", symbol="./a.c:2:15")
    assert "complete" not in text.splitlines()[0]
    assert "not examined: >=2 in 2 files, since no more are searched for macros" in text


def test_go_to_definition_of_a_name_that_macros_declare_counts_the_files_that_were_not_searched_for_others(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = opened(write(tmp_path, {"kinds.h": LISTED, **USING}))
    assert "complete" in ask("go_to_definition", symbol="KIND_OPEN").splitlines()[0]
    monkeypatch.setattr(macro_names, "_MOST_FILES", 2)
    text = ask("go_to_definition", symbol="KIND_OPEN ")
    assert "complete" not in text.splitlines()[0]
    assert "not examined: >=1 in use2.c, since no more are searched for macros" in text


def test_a_name_that_macros_of_several_programs_declare_has_the_uses_of_all_of_them(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {"z/kinds.h": LISTED, "z/use.c": '#include "kinds.h"\nint z = KIND_OPEN;\n'}
    ask = opened(write(tmp_path, {"kinds.h": LISTED, **USING, **other}))
    monkeypatch.setattr(macro_names, "_MOST_FILES", 2)
    text = ask("find_references", symbol="KIND_OPEN")
    assert "find_references KIND_OPEN (2 names): 6 references in 6 files, complete" in text
    assert "account: exact 4, aliased 2\n" in text
    assert "z/use.c\n2: int z = KIND_OPEN;" in text


def test_a_macro_declares_a_name_however_many_others_are_called_with_it(tmp_path: Path, opened: Open) -> None:
    calls = "".join(f"  a{number}(JUMP);\n" for number in range(40))
    code = "#define X(name) name,\nenum code { X(JUMP) };\n"
    ask = opened(write(tmp_path, {"code.h": code, "a.c": f'#include "code.h"\nvoid f(void) {{\n{calls}}}\n'}))
    text = ask("find_references", symbol="JUMP")
    assert "JUMP is made of JUMP code.h:2 by the call of a macro code.h:2" in text


@pytest.mark.parametrize("tool", ["call_hierarchy", "find_implementations", "type_members", "rename_symbol"])
def test_a_name_that_a_macro_declares_is_not_said_to_be_missing(c: Asking, tool: str) -> None:
    further = {"new_name": "ERROR_ROOM"} if tool == "rename_symbol" else {}
    said = c.error(tool, symbol="ERROR_MEMORY", **further)
    assert "'ERROR_MEMORY' is declared by a macro, which makes it of the word in errors.h:3:5" in said


@pytest.mark.parametrize("tool", ["find_references", "go_to_definition", "call_hierarchy", "type_members"])
def test_an_unknown_name_says_how_many_files_were_not_searched_for_macros_that_declare_it(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    monkeypatch.setattr(macro_names, "_MOST_FILES", 2)
    ask = opened(write(tmp_path, {f"a{number}.c": "int k = MISSING;\n" for number in range(3)}))
    assert "1 file with the word not searched for macros that declare it" in ask.error(tool, symbol="MISSING")


def test_a_macro_of_one_system_is_undecided_where_another_may_be_built_for(c: Asking) -> None:
    assert "the definition was not found" in c("go_to_definition", symbol="main.c:12:3")
    assert "Constant in system.h:4" in c("go_to_definition", symbol="main.c:15:3")
    text = c("find_references", symbol="system.h:4")
    assert "15: unlink" in text
    assert "undecided 1" in text


def test_a_macro_that_every_branch_defines_has_all_of_them(c: Asking) -> None:
    text = c("go_to_definition", symbol="main.c:13:10")
    assert "system.h:5" in text
    assert "system.h:7" in text


def test_a_header_of_the_standard_library_is_not_the_one_that_a_tree_has_for_another_system(c: Asking) -> None:
    assert "Constant in" not in c("go_to_definition", symbol="main.c:13:36")


def test_the_uses_of_a_label_are_apart_from_those_of_a_variable_of_its_name(c: Asking) -> None:
    label = c("find_references", symbol="main.c:20:1")
    assert "account: exact 3, another symbol 2" in label
    assert "20: out:  [definition]" in label
    variable = c("find_references", symbol="main.c:21:10")
    assert "account: exact 2, another symbol 3" in variable


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("use.cpp:8:30", "Struct in store.hpp:6"),
        ("use.cpp:8:45", "Struct in store.hpp:6"),
        ("use.cpp:8:41", "Alias in use.cpp:6"),
        ("use.cpp:8:70", "Field in store.hpp:6"),
        ("store.hpp:11:38", "Namespace in store.hpp:7"),
        ("store.hpp:11:45", "EnumMember in store.hpp:7"),
        ("export.cpp:4:5", "Class in export.cpp:3"),
        ("tuple.hpp:4:40", "Field in tuple.hpp:3"),
    ],
)
def test_a_name_of_cpp_leads_to_what_declares_it(cpp: Asking, symbol: str, found: str) -> None:
    assert found in cpp("go_to_definition", symbol=symbol)


@pytest.mark.parametrize("symbol", ["use.cpp:8:11", "use.cpp:8:16"])
def test_a_namespace_that_a_tree_only_adds_specializations_to_comes_from_outside(cpp: Asking, symbol: str) -> None:
    assert "comes from outside of the code base" in cpp.error("go_to_definition", symbol=symbol)


def test_a_name_that_another_branch_takes_from_outside_is_undecided(cpp: Asking) -> None:
    assert "the definition was not found" in cpp("go_to_definition", symbol="call.cpp:2:25")


def test_a_template_that_inherits_from_itself_has_no_other_members(cpp: Asking) -> None:
    assert "was not found" in cpp.error("go_to_definition", symbol="tuple.hpp:4:49")


def test_a_label_is_renamed_without_the_variable_of_its_name(c: Asking) -> None:
    text = c("rename_symbol", symbol="main.c:23:8", new_name="leave")
    assert "+leave:" in text
    assert "+  goto leave;" in text
    assert "goto leave;\n" in text
    assert "return leave" not in text
    assert "int leave" not in text


DEAD = """int used(void) { return 1; }
#if 0
int dead(void) { return used(); }
#if FOO
int nested(void) { return used(); }
#endif
#elif 1
int chosen(void) { return used(); }
#else
int other(void) { return used(); }
#endif
#ifdef FEATURE
int live(void) { return used(); }
#endif
"""


def test_a_use_that_is_never_compiled_is_not_exact(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, {"a.c": DEAD}))("find_references", symbol="a.c:1:5")
    unsure = {line.partition(":")[0] for line in text.splitlines() if "[likely]" in line}
    assert unsure == {"3", "5", "10"}
    assert "account: exact 3, likely 3\n" in text


REPLACED = {
    "compat.h": (
        "#include <string.h>\n#ifndef HAVE_STRLCPY\nsize_t strlcpy(char *, const char *, size_t);\n#endif\n"
        "#if !defined(HAVE_STRSEP) && !defined(SMALL)\n"
        "static char *strsep(char **a, const char *b) { return 0; }\n#endif\n"
        "#ifndef NO_COLOR\nvoid color(void);\n#endif\n"
        "#ifdef WITH_LOG\nLOGGED(void, note, (int));\n#else\n#define note(x) ((void)(x))\n#endif\n"
        "#ifdef _WIN32\n#include <io.h>\n#else\n#define BINARY 0\n#endif\n"
        "#ifndef STDC\nextern void free(void *);\n#endif\n"
        "#if !defined(SEEK_SET) && !defined(SOLO)\n#define SEEK_SET 0\n#define SEEK_CUR 1\n#endif\n"
        "void color(void);\n"
    ),
    "color.c": '#include "compat.h"\nvoid color(void) {}\n',
    "table.h": "static const int table[2] = {1, 2};\n",
    "table.c": (
        "#ifdef MAKE_TABLE\nstatic int table[2];\nvoid make(void) { table[0] = 1; }\n"
        '#else\n#include "table.h"\n#endif\n'
        "int get(int i) { return table[i]; }\n"
    ),
    "strlcpy.c": '#include "compat.h"\nsize_t strlcpy(char *a, const char *b, size_t c) { return c; }\n',
    "main.c": (
        '#include "compat.h"\nint run(char *a) {\n  strlcpy(a, a, 1);\n  strsep(&a, a);\n  color();\n  note(1);\n'
        "#ifndef HAVE_STRLCPY\n  strlcpy(a, a, 2);\n#endif\n  return BINARY;\n}\n"
        "void drop(void *p) {\n  free(p);\n  seek(SEEK_CUR);\n}\n"
    ),
}


@pytest.mark.parametrize(
    "symbol", ["main.c:3:3", "main.c:4:3", "main.c:6:3", "main.c:13:3", "main.c:14:8", "table.c:7:25"]
)
def test_what_only_replaces_something_that_a_system_or_a_build_may_have_is_undecided(
    symbol: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, REPLACED))
    assert "the definition was not found; these have the name" in ask("go_to_definition", symbol=symbol)


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("main.c:5:3", "color.c:2"),
        ("main.c:8:3", "strlcpy.c:2"),
        ("main.c:10:10", "compat.h:19"),
        ("table.c:3:19", "table.c:2"),
    ],
)
def test_what_is_declared_without_an_option_or_on_the_condition_of_its_use_is_definite(
    symbol: str, found: str, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, REPLACED))("go_to_definition", symbol=symbol)
    assert found in text
    assert "was not found" not in text


def test_a_use_that_may_mean_what_the_system_has_is_no_exact_reference(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, REPLACED))("find_references", symbol="strlcpy.c:2:8")
    assert "account: exact 3, undecided 1" in text
    assert "complete" not in text.splitlines()[0]


MADE = {
    "api.h": (
        "#define API(name) api_##name\n#define CALLBACK(type, name, args) type(name) args\n"
        "#define FUNCTION(type, name, args, more) more type name args\n#define NO_RETURN\n"
        "#define OPTION(name, type, number) name = (type) + (number)\n"
        "typedef unsigned number;\nstruct box { int size; };\n"
        "typedef CALLBACK(void, *hook, (struct box *, number, int));\n"
        "static FUNCTION(void, fail, (const struct box *box, const char *text), NO_RETURN);\n"
        "typedef enum {\n  /* the first */\n  OPTION(OPTION_SIZE, 10, 1),\n"
        "  OPTION(OPTION_COUNT, 20, 2),\n  OPTION_LAST\n} option;\n"
    ),
    "run.c": (
        "#include <api.h>\nint API(run)(struct box *box) { return box->size; }\nint API(stop)(number count);\n"
        "int use(struct box *box) {\n  if (API(stop)(1)) set(OPTION_SIZE);\n  return API(run)(box);\n}\n"
        "number NO_RETURN_NOW;\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("run.c:3:15", "Type alias in api.h:6"),
        ("api.h:8:46", "Type alias in api.h:6"),
        ("api.h:9:77", "api.h:4"),
        ("run.c:5:25", "Name that a macro declares in api.h:12:10"),
        ("run.c:2:45", "Field in api.h:7"),
        ("run.c:6:14", "run.c:2"),
        ("run.c:5:7", "api.h:1"),
    ],
)
def test_a_macro_that_stands_for_a_declaration_does_not_declare_what_it_is_given_as_types(
    symbol: str, found: str, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, MADE))("go_to_definition", symbol=symbol)
    assert found in text
    assert "definitions," not in text.splitlines()[0]


def test_a_local_name_that_a_macro_declares_leads_to_the_call_in_its_own_block(tmp_path: Path, opened: Open) -> None:
    source = (
        "#define CHECKED(name, value) unsigned const name = (value); if (failed(name)) return 1\n"
        "int one(int a) {\n  CHECKED(size, (unsigned)(run((a), 1)));\n  return size;\n}\n"
        "int two(int a) {\n  {   CHECKED(size, (unsigned)(run((a), 2)));\n    if (size == 0) return 1;\n  }\n"
        "  return size;\n}\n"
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    for symbol, line in (("a.c:4:10", 3), ("a.c:8:9", 7)):
        assert f"Name that a macro declares in a.c:{line}:" in ask("go_to_definition", symbol=symbol)
    assert "its definition was not found" in ask.error("go_to_definition", symbol="a.c:10:10")


def test_a_macro_with_a_comment_in_its_text_is_one_of_the_builds(tmp_path: Path, opened: Open) -> None:
    source = (
        "#if defined(A)\n#define FETCH(p) do { } while (0)\n#elif defined(B)\n"
        "#define FETCH(p) fetch((p), 0 /* read */, 3 /* near */)\n#else\n#define FETCH(p) none(p)\n#endif\n"
        "int run(int *p) { FETCH(p); return 0; }\n"
    )
    text = opened(write(tmp_path, {"a.c": source}))("go_to_definition", symbol="a.c:8:19")
    assert all(f"a.c:{line}" in text for line in (2, 4, 6))


def test_a_function_with_a_macro_of_its_name_is_undecided_where_it_is_called(tmp_path: Path, opened: Open) -> None:
    sources = {
        "wrap.h": "int wrap(int x);\n#ifdef FAST\n#define wrap(x) ((x) + 1)\n#endif\n",
        "wrap.c": '#include "wrap.h"\nint (wrap)(int x) { return x; }\nint twice(int x) { return wrap(wrap(x)); }\n',
        "net.c": (
            "#ifdef NET\n#include <sys/socket.h>\n#ifndef MSG_NOSIGNAL\n#define MSG_NOSIGNAL 0\n#endif\n"
            "int flags(void) { return MSG_NOSIGNAL; }\n#endif\n"
        ),
    }
    ask = opened(write(tmp_path, sources))
    for symbol in ("wrap.c:3:27", "net.c:6:26"):
        text = ask("go_to_definition", symbol=symbol)
        assert "was not found" in text or "wrap.h:3" in text


def test_a_type_that_a_system_may_have_and_its_members_are_undecided(tmp_path: Path, opened: Open) -> None:
    sources = {
        "compat.h": (
            "#include <netdb.h>\n#ifndef HAVE_STRUCT_ADDRINFO\nstruct addrinfo { int ai_family; };\n#endif\n"
            "#ifdef HAVE_STRUCT_IN6\n#define own_in6 in6\n#else\nstruct own_in6 { int port; };\n#endif\n"
            "struct always { int size; };\n"
        ),
        "use.c": (
            '#include "compat.h"\nint family(struct addrinfo *a) { return a->ai_family; }\n'
            "int port(struct own_in6 *a) { return a->port; }\nint size(struct always *a) { return a->size; }\n"
        ),
    }
    ask = opened(write(tmp_path, sources))
    for symbol in ("use.c:2:19", "use.c:2:44", "use.c:3:41"):
        assert "the definition was not found" in ask("go_to_definition", symbol=symbol)
    assert "Field in compat.h:10" in ask("go_to_definition", symbol="use.c:4:40")


NODES = {
    "node.h": "typedef struct _node node;\n",
    "bench.c": "typedef struct node { char *name; } node;\nint main(void) { node one; return one.name != 0; }\n",
    "link.h": "typedef struct link { node *target; } link;\nstruct _node { char *name; node *next; };\n",
    "link.c": '#include "node.h"\n#include "link.h"\nchar *f(link *one) { return one->target->next->name; }\n',
}


def test_a_name_that_a_header_leaves_to_what_includes_it_is_what_is_included_before(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, NODES))
    assert "Struct in node.h:1" in ask("go_to_definition", symbol="link.h:1:23")
    assert "Field in link.h:2" in ask("go_to_definition", symbol="link.c:3:48")
    assert "find_references node: 3 references in 2 files, complete" in ask("find_references", symbol="node.h:node")
    assert "find_references _node.name: 2 references in 2 files, complete" in ask(
        "find_references", symbol="_node.name"
    )
    assert "account: exact 2, another symbol 2\n" in ask("find_references", symbol="bench.c:node.name")


def test_a_name_that_a_header_leaves_to_files_that_do_not_agree_is_not_decided(tmp_path: Path, opened: Open) -> None:
    files = {**NODES, "other.c": 'typedef struct other { int name; } node;\n#include "link.h"\n'}
    ask = opened(write(tmp_path, files))
    assert "the definition was not found" in ask("go_to_definition", symbol="link.h:1:23")


NAMELESS = (
    "struct client { char *name; };\nint f(struct client *one) { return one->name != 0; }\n"
    "void g(int j) {\n"
    '  static const struct { const char *name; int skip; } words[] = {{ .name = "copy", .skip = 0 }, {0, 0}};\n'
    "  for (struct { int name; } it = { 0 }; it.name < j; it.name++) puts(words[it.name].name);\n"
    "  struct { struct { int name; } inner; } around;\n"
    "  around.inner.name = words->skip;\n}\n"
)


@pytest.mark.parametrize("path", ["a.c", "a.cpp"])
def test_a_member_of_a_structure_without_a_name_in_a_function_is_decided(
    tmp_path: Path, opened: Open, path: str
) -> None:
    ask = opened(write(tmp_path, {path: NAMELESS}))
    assert "account: exact 2, another symbol 9\n" in ask("find_references", symbol="client.name")
    found = ask("find_references", symbol=f"{path}:4:37")
    assert "account: exact 3, another symbol 8\n" in found
    assert "5: for (struct { int name; } it = { 0 }; it.name < j; it.name++) puts(words[it.name].name);" in found
    assert f"Attribute in {path}:6:25" in ask("go_to_definition", symbol=f"{path}:7:16")


def test_the_parameter_of_a_macro_is_used_where_it_is_pasted_or_made_a_string(tmp_path: Path, opened: Open) -> None:
    code = (
        'struct client { char *name; };\n#define JOIN(name, n) name##n\n#define ADD(name) add("m_" #name, m_ ## name)\n'
    )
    ask = opened(write(tmp_path, {"a.h": code}))
    assert "account: exact 1, another symbol 5\n" in ask("find_references", symbol="client.name")
    assert "JOIN.name: 2 references, complete" in ask("find_references", symbol="a.h:2:14")
    assert '+#define ADD(key) add("m_" #key, m_ ## key)' in ask("rename_symbol", symbol="a.h:3:13", new_name="key")


SPECIALIZED = {
    "base.hpp": (
        "#pragma once\nnamespace wire {\ntemplate <typename T> struct Codec {};\n"
        "template <typename T> int encode(const T& v) { return Codec<T>::write(v); }\n}\n"
    ),
    "message.hpp": (
        '#pragma once\n#include "base.hpp"\nstruct Message { int x; };\n'
        "template <> struct wire::Codec<Message> {\n    static int write(const Message& m);\n};\n"
    ),
    "message.cpp": '#include "message.hpp"\nint wire::Codec<Message>::write(const Message& m) { return m.x; }\n',
    "pointer.hpp": (
        '#pragma once\n#include "base.hpp"\nnamespace wire {\n'
        "template <typename U> struct Codec<U*> { static int write(U* m) { return sizes(m); } };\n}\n"
    ),
    "other.hpp": "#pragma once\nnamespace wire {\ntemplate <typename T> struct Codec { int size; };\n}\n",
}


@pytest.mark.parametrize("symbol", ["base.hpp:3:30", "message.hpp:4:26", "pointer.hpp:4:31"])
def test_the_specializations_of_a_template_are_one_symbol_with_it(symbol: str, tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SPECIALIZED))
    text = ask("find_references", symbol=symbol)
    assert "5 references in 4 files, complete" in text
    assert "5 edits in 4 files" in ask("rename_symbol", symbol=symbol, new_name="Coder")
    text = ask("find_references", symbol="message.hpp:5:16")
    assert "4: template <typename T> int encode(const T& v) { return Codec<T>::write(v); }" in text
    members = ask("type_members", symbol=symbol)
    assert "static int write(const Message& m)" in members
    assert "static int write(U* m)" in members


@pytest.mark.parametrize("path", ["a.c", "a.cpp"])
def test_a_function_and_a_macro_in_branches_of_one_condition_are_both_meant(
    tmp_path: Path, opened: Open, path: str
) -> None:
    code = (
        "#ifdef _MSC_VER\nstatic int put(char *b, int n) { return n; }\nstatic int put(char *b) { return 0; }\n"
        "#else\n#define put fputs\n#endif\nint f(char *b) { return put(b); }\n"
    )
    shown = opened(write(tmp_path, {path: code}))("go_to_definition", symbol=f"{path}:7:25")
    assert f"Constant put {path}:5" in shown
    assert f"Function put {path}:3" in shown
