"""Names of C that files have from what they include: the same whoever asks first, however many files include it."""

from __future__ import annotations

import pytest

from conftest import Asking, Open, write

_SOURCES = 24
"""Files that include the same: more than those whose includes are searched one by one."""

_TREE = {
    "a.h": '#include "b.h"\nstruct item { int size; };\n',
    "b.h": '#include "a.h"\n#include "own.h"\nint limit(void);\n',
    "own.h": "struct other { int size; };\n",
    **{
        f"{number:02}.c": '#include "b.h"\n'
        f"int f{number}(struct item *one, struct other *two, int size) {{\n"
        "  return one->size + two->size + size;\n}\n"
        for number in range(_SOURCES)
    },
    "apart.c": "struct item { int size; };\nint g(struct item *one) { return one->size; }\n",
    "inner.c": (
        '#include "a.h"\nint h(void) {\n  struct item { int size; } one;\n  return one.size;\n}\n'
        "int i(struct item *one) { return one->size; }\n"
    ),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, opened: Open) -> Asking:
    return opened(write(tmp_path_factory.mktemp("included"), _TREE))


def test_members_are_those_of_the_structure_that_files_include_which_include_each_other(tree: Asking) -> None:
    text = tree("find_references", symbol="a.h:2:19", max_tokens=4_000)
    assert f"account: exact {_SOURCES + 2}, another symbol {3 * _SOURCES + 5}" in text
    assert "apart.c" not in text
    assert "inner.c\n6: " in text


def test_a_structure_of_a_function_is_not_the_one_that_its_file_includes(tree: Asking) -> None:
    assert "inner.c:3" in tree("go_to_definition", symbol="inner.c:4:14")
    inner = tree("find_references", symbol="inner.c:3:21")
    assert "4: return one.size;" in inner
    assert "6: " not in inner
