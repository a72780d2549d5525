"""What macros and conditions of C do with names: loops that declare them, headers for some systems, branches."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

LOOP = {
    "list.h": (
        "#define LIST_EACH(list, at, item) \\\n  for (int more = 1, at = 0; more; more = 0) \\\n"
        "    for (struct item *item; (item = get(list, at)); at++)\n"
        "#define PAIRS_EACH(list, key, value) for (struct item *key, *value; next(list, &key, &value);)\n"
    ),
    "a.c": (
        '#include "list.h"\nstruct item { int key; int at; };\n'
        "int run(struct list *all, struct list *some) {\n  LIST_EACH(all, at, one) {\n    LIST_EACH(some, i, one)\n"
        "      use(one, i);\n    use(one, at);\n  }\n  PAIRS_EACH(all, key, value) {\n    use(key, value);\n  }\n"
        "  LIST_EACH(some, at, one) { use(one, at); }\n  return one != 0;\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "place"),
    [
        ("a.c:7:9", "a.c:4:22"),
        ("a.c:7:14", "a.c:4:18"),
        ("a.c:6:16", "a.c:5:21"),
        ("a.c:10:9", "a.c:9:19"),
        ("a.c:10:14", "a.c:9:24"),
        ("a.c:12:34", "a.c:12:23"),
        ("a.c:12:39", "a.c:12:19"),
        ("a.c:4:22", "a.c:4:22"),
    ],
)
def test_a_name_that_a_loop_of_a_macro_declares_leads_to_the_argument(
    symbol: str, place: str, tmp_path: Path, opened: Open
) -> None:
    text = opened(write(tmp_path, LOOP))("go_to_definition", symbol=symbol)
    assert f"Name that a macro declares in {place}" in text


def test_a_name_that_a_loop_of_a_macro_declares_is_not_seen_after_the_loop(tmp_path: Path, opened: Open) -> None:
    assert "definition was not found" in opened(write(tmp_path, LOOP)).error("go_to_definition", symbol="a.c:13:10")


def test_the_uses_of_a_name_that_a_loop_of_a_macro_declares_are_those_in_the_loop(tmp_path: Path, opened: Open) -> None:
    text = opened(write(tmp_path, LOOP))("find_references", symbol="a.c:12:34")
    assert "12:" in text
    assert "\n7:" not in text


def test_what_a_macro_is_given_as_a_tag_is_declared_by_another(tmp_path: Path, opened: Open) -> None:
    source = (
        "#define HEAD(name, type) struct name { struct type *first; }\n"
        "#define PROTOTYPE(name, type) void name##_insert(struct name *, struct type *)\n"
        "struct entry { int size; };\nHEAD(tree, entry);\nPROTOTYPE(tree, entry);\nPROTOTYPE(tree, entry);\n"
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    for symbol in ("a.c:4:12", "a.c:6:17"):
        assert "Name that a macro declares" not in ask("go_to_definition", symbol=symbol)


def test_a_macro_in_one_branch_and_a_function_in_the_other_are_one_of_the_builds(tmp_path: Path, opened: Open) -> None:
    source = (
        "#if !SMALL\n#define finish(a) end(a)\n#else\nstatic void finish(int a);\n#endif\n"
        "void run(void) { finish(1); }\n#if SMALL\nstatic void finish(int a) {\n  if BIG(a) { a = 0; }\n}\n#endif\n"
    )
    text = opened(write(tmp_path, {"a.c": source}))("go_to_definition", symbol="a.c:6:18")
    assert all(f"a.c:{line}" in text for line in (2, 4, 8))
    assert "not found" not in text


SYSTEM = {
    "own.h": "#define ADD 1\nint wait_for(int id);\n",
    "other.h": "#define REMOVE 2\n",
    "compat/queue.h": "#define INSERT(list, item) insert(list, item)\n",
    "a.c": (
        '#ifdef HAVE_OWN\n#include "own.h"\n#else\n#include <sys/epoll.h>\n#endif\n#include "other.h"\n'
        "int run(int id) { return id == ADD ? REMOVE : 0; }\n"
        "#ifdef HAVE_OWN\nint own(int id) { return id == ADD; }\n#endif\n"
        '#ifdef HAVE_QUEUE_H\n#include <sys/queue.h>\n#else\n#include "compat/queue.h"\n#endif\n'
        "void add(int id) { INSERT(all, id); }\n"
    ),
}


def test_what_a_header_of_a_system_may_declare_instead_is_undecided(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, SYSTEM))
    assert "the definition was not found" in ask("go_to_definition", symbol="a.c:7:32")
    assert "Constant in other.h:1" in ask("go_to_definition", symbol="a.c:7:38")
    assert "Constant in own.h:1" in ask("go_to_definition", symbol="a.c:9:32")
    assert "Function in compat/queue.h:1" in ask("go_to_definition", symbol="a.c:16:20")


def test_what_a_header_for_one_system_declares_is_undecided_in_code_for_all(tmp_path: Path, opened: Open) -> None:
    sources = {
        "win.h": "struct entry { int kind; };\nint close_all(int id);\n",
        "all.h": '#ifndef ALL_H\n#define ALL_H\n#ifdef _WIN32\n#include "win.h"\n#endif\n#include "own.h"\n#endif\n',
        "own.h": "int open_all(int id);\n",
        "a.c": (
            '#include <dirent.h>\n#include "all.h"\nint run(struct entry *one) { return close_all(one->kind); }\n'
            "int start(void) { return open_all(1); }\n#ifdef _WIN32\nint stop(void) { return close_all(1); }\n#endif\n"
        ),
    }
    ask = opened(write(tmp_path, sources))
    for symbol in ("a.c:3:38", "a.c:3:53"):
        assert "the definition was not found" in ask("go_to_definition", symbol=symbol)
    assert "Function in own.h:1" in ask("go_to_definition", symbol="a.c:4:26")
    assert "Function in win.h:2" in ask("go_to_definition", symbol="a.c:6:25")


def test_a_condition_asks_for_no_macro_that_is_defined_after_it(tmp_path: Path, opened: Open) -> None:
    source = (
        "#ifndef FALLBACK\n#define FALLBACK 1\n#endif\n#define BEFORE 2\n#ifdef BEFORE\n"
        "int run(void) { return FALLBACK; }\n#endif\n"
    )
    ask = opened(write(tmp_path, {"a.c": source, "a.h": "#ifndef A_H\n#define A_H\nint a;\n#endif\n"}))
    assert "the definition was not found" in ask("go_to_definition", symbol="a.c:1:9")
    assert "Constant in a.c:4" in ask("go_to_definition", symbol="a.c:5:8")
    assert "Constant in a.c:2" in ask("go_to_definition", symbol="a.c:6:24")
    assert "Constant in a.h:2" in ask("go_to_definition", symbol="a.h:1:9")


def test_a_tag_is_no_variable_of_its_name(tmp_path: Path, opened: Open) -> None:
    source = "extern char **environ;\nstruct environ *find(void);\nint run(struct environ *one) { return !environ; }\n"
    ask = opened(write(tmp_path, {"a.c": source}))
    assert "Variable in a.c:1" not in ask("go_to_definition", symbol="a.c:3:16")
    assert "Variable in a.c:1" in ask("go_to_definition", symbol="a.c:3:40")


def test_a_member_that_a_macro_is_given_is_not_from_outside(tmp_path: Path, opened: Open) -> None:
    source = (
        "struct job { TAILQ_ENTRY(job) link; int size; };\n"
        "void stop(struct list *all, struct job *one) {\n  TAILQ_REMOVE(all, one,\n    link);\n  notify(link);\n}\n"
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    assert "a.c:1" in ask("go_to_definition", symbol="a.c:4:5")
    assert "comes from outside" in ask.error("go_to_definition", symbol="a.c:5:10")


def test_labels_and_calls_of_macros_without_semicolon_declare_nothing(tmp_path: Path, opened: Open) -> None:
    source = (
        "#define RULE user();\n#define STOP break;\n#define OP(x) op_##x:\n#define C (code >> 24)\n"
        "void push(int *a, int b);\n"
        "void run(int state, int *stack, int code) {\n  switch (state) {\n  case 1:\n  RULE\n"
        "  { }\n  STOP\n  case 2:\n  RULE\n"
        '#line 4 "a.l"\n  { }\n  STOP\n  case 3:\n  RULE\n  { }\n  }\n  OP(PUSH)\n  push(stack[C], stack[C]);\n}\n'
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    for symbol, line in (("a.c:13:3", 1), ("a.c:18:3", 1), ("a.c:22:14", 4), ("a.c:22:24", 4)):
        assert f"Constant in a.c:{line}" in ask("go_to_definition", symbol=symbol)


def test_branches_that_open_and_close_a_block_belong_together_by_their_condition(tmp_path: Path, opened: Open) -> None:
    source = (
        "int run(CONST char *text, int size) {\n  int i;\n"
        "#ifdef FAST\n  fast();\n#else\n  if (size) {\n    slow();\n#endif\n  i = 1;\n#ifndef FAST\n  }\n#endif\n"
        "  return i + size;\n}\nint after(void) { return run(0, 0); }\n"
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    assert "a.c:2:7" in ask("go_to_definition", symbol="a.c:13:10")
    assert "a.c:1:31" in ask("go_to_definition", symbol="a.c:13:14")
    assert "Function in a.c:1" in ask("go_to_definition", symbol="a.c:15:26")


def test_names_of_the_library_are_from_outside_whatever_macros_and_other_languages_declare(
    tmp_path: Path, opened: Open
) -> None:
    sources = {
        "list.h": "#define MAKE(name, kind) int name##_##kind(int)\nMAKE(run, fast);\n"
        "struct job { void (*free)(int); };\n",
        "other.c": "#define strcasecmp stricmp\nstatic int compare(int a) { return a; }\n",
        "sort.lua": "function qsort(a) return a end\n",
        "a.c": (
            '#include "list.h"\nint run(struct job *one) {\n  va_start(one);\n  free(one);\n  strcasecmp(one, one);\n'
            "  qsort(one);\n  compare(1);\n  run_time(1);\n}\n"
        ),
    }
    ask = opened(write(tmp_path, sources))
    for symbol in ("a.c:3:3", "a.c:4:3", "a.c:5:3", "a.c:6:3", "a.c:7:3"):
        assert "comes from outside" in ask.error("go_to_definition", symbol=symbol)
    assert "definition was not found" in ask.error("go_to_definition", symbol="a.c:8:3")


def test_a_word_before_the_type_of_a_parameter_is_a_macro(tmp_path: Path, opened: Open) -> None:
    source = (
        "void run(__unused int fd, UNUSED struct job *one, void *arg) { use(fd, one, arg); }\nstruct job { int a; };\n"
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    for symbol, column in (("a.c:1:68", 23), ("a.c:1:72", 46), ("a.c:1:77", 57)):
        assert f"Parameter in a.c:1:{column}" in ask("go_to_definition", symbol=symbol)


GIVEN = {
    "queue.h": (
        "#define ENTRY(type) struct { struct type *next; }\n"
        "#define NEXT(item, field) ((item)->field.next)\n"
        "#define EACH(item, list, field) for ((item) = (list)->first; (item); (item) = NEXT(item, field))\n"
        "#define LOCK(base, lock) do { if ((base)->lock) take((base)->lock); } while (0)\n"
        "#define ADD(a, b) ((a) + (b))\n"
    ),
    "a.c": (
        '#include "queue.h"\nstruct job { ENTRY(job) entry; void *lock; struct base *base; };\n'
        "struct base { struct job *first; void *lock; int entry; };\n"
        "int run(struct base *base, int entry) {\n  struct job *one;\n  EACH(one, base, entry) {\n"
        "    LOCK(one->base, lock);\n    LOCK(\n      one, lock);\n  }\n  return ADD(entry, 1);\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "place"),
    [
        ("a.c:6:19", "Field in a.c:2"),
        ("a.c:7:21", "Field in a.c:3"),
        ("a.c:9:12", "Field in a.c:2"),
        ("a.c:11:14", "Parameter in a.c:4:32"),
    ],
)
def test_a_member_that_a_macro_is_given_is_one_of_the_argument_that_it_is_taken_of(
    symbol: str, place: str, tmp_path: Path, opened: Open
) -> None:
    assert place in opened(write(tmp_path, GIVEN))("go_to_definition", symbol=symbol)


def test_a_member_that_a_macro_is_given_is_a_use_of_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GIVEN))
    text = ask("find_references", symbol="base.lock", path="a.c")
    assert "7:" in text
    assert "9:" not in text
    assert "6:" in ask("find_references", symbol="job.entry", path="a.c")
    assert "6:" not in ask("find_references", symbol="a.c:4:32")


def test_calls_of_macros_on_lines_of_their_own_are_no_types_in_a_function(tmp_path: Path, opened: Open) -> None:
    source = (
        "#define UNUSED(name) (void)name;\n#define CASE(op) op_##op:\n#define STEP code++\n"
        "void run(int code, int size) {\n  CASE(ADD)\n    STEP;\n  STEP;\n  UNUSED(code)\n  UNUSED(size)\n}\n"
    )
    ask = opened(write(tmp_path, {"a.c": source}))
    for symbol, place in (
        ("a.c:6:5", "a.c:3"),
        ("a.c:7:3", "a.c:3"),
        ("a.c:9:10", "a.c:4:24"),
    ):
        assert place in ask("go_to_definition", symbol=symbol)


LISTS = {
    "a.h": "#define LIST(F) F(one) F(two)\n#define F(n) n,\nenum all { LIST(F) };\n#undef F\n#define LIMIT 3\n",
    "b.c": (
        '#include "a.h"\nstatic const char *const names[] = {\n#define F(n) \\\n    #n,\n    LIST(F)\n#undef F\n};\n'
        "#undef LIMIT\n#define LIMIT 4\nint size(void) { return LIMIT + sizeof(names); }\n"
    ),
    "c.cpp": (
        '#include "a.h"\nnamespace n {\nstatic constexpr const char* kNames[] = {\n#define F(n) #n,\n    LIST(F)\n'
        "#undef F\n};\ninline const char* name(int i) { return kNames[i]; }\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("symbol", "place"), [("b.c:5:10", "b.c:3"), ("b.c:6:8", "b.c:3"), ("c.cpp:5:10", "c.cpp:4"), ("a.h:4:8", "a.h:2")]
)
def test_a_macro_in_a_list_of_values_is_the_one_that_is_defined_there(
    symbol: str, place: str, tmp_path: Path, opened: Open
) -> None:
    assert f"Function in {place}\n" in opened(write(tmp_path, LISTS))("go_to_definition", symbol=symbol)


def test_a_macro_is_renamed_where_it_ends_too(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LISTS))
    for symbol in ("a.h:2:9", "b.c:3:9", "c.cpp:4:9"):
        assert "3 edits in 1 file" in ask("rename_symbol", symbol=symbol, new_name="G")
    assert "in c.cpp:3" in ask("go_to_definition", symbol="c.cpp:8:43")


def test_what_ends_before_its_file_defines_it_is_not_known(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LISTS))
    assert "1 undecided" in ask("find_references", symbol="b.c:9:9")
    assert "1 undecided" in ask("find_references", symbol="a.h:5:9")


def test_a_macro_in_another_branch_of_a_condition_may_be_what_a_type_name_means(tmp_path: Path, opened: Open) -> None:
    files = {
        "a.h": "#ifdef CORE\n#define Text robj\n#else\ntypedef struct Text Text;\n#endif\n",
        "a.c": '#include "a.h"\nint add(Text **argv);\n',
    }
    shown = opened(write(tmp_path, files))("go_to_definition", symbol="a.c:2:9")
    assert "a.h:2" in shown
    assert "a.h:4" in shown
