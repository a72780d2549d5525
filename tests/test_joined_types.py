"""Values one of which is given: their type is the closest that all have."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

JAVA = {
    "Main.java": (
        "class Item { void get() {} }\nclass Sub extends Item { @Override void get() {} }\nclass Use {\n"
        "    void m(Item a, Sub b, Sub d, boolean c) {\n        (c ? a : b).get();\n        (c ? b : a).get();\n"
        "        var v = c ? a : b;\n        v.get();\n        (c ? b : c ? d : a).get();\n"
        "        (c ? b : d).get();\n        (c ? b : null).get();\n    }\n}\n"
    )
}
CSHARP = {
    "Main.cs": (
        "class Item { public virtual void Get() {} }\nclass Sub : Item { public override void Get() {} }\nclass Use {\n"
        "    void M(Item a, Sub b, Sub d, bool c) {\n        (c ? a : b).Get();\n        (c ? b : a).Get();\n"
        "        var v = c ? a : b;\n        v.Get();\n        (b ?? a).Get();\n"
        "        (c ? b : d).Get();\n        (c ? b : null).Get();\n    }\n}\n"
    )
}


@pytest.mark.parametrize(("tree", "name"), [(JAVA, "get"), (CSHARP, "Get")], ids=("java", "csharp"))
def test_a_conditional_is_of_the_type_that_both_values_have(
    tree: dict[str, str], name: str, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, tree))
    of_base, of_heir = (ask("find_references", symbol=f"{one}.{name}") for one in ("Item", "Sub"))
    assert "account: exact 5, another symbol 3" in of_base
    assert "account: exact 3, another symbol 5" in of_heir
    assert all(f"{line}: " in of_base for line in (5, 6, 8, 9))
    assert all(f"{line}: " in of_heir for line in (10, 11))


OVERLOADS = {
    "Main.java": (
        "import java.util.function.Function;\nclass Item {\n    String get() { return null; }\n"
        "    String get(int i) { return null; }\n}\nclass Sub extends Item {\n"
        "    @Override String get() { return null; }\n}\nclass Use {\n    Function<Sub, String> a = Sub::get;\n"
        "    Function<Item, String> b = Item::get;\n}\n"
    )
}


def test_a_method_reference_that_may_mean_an_inherited_overload_is_likely(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, OVERLOADS))
    assert "10: Function<Sub, String> a = Sub::get;  [likely]" in ask("find_references", symbol="Sub.get")
    of_base = ask("find_references", symbol="Item.get")
    assert "10: Function<Sub, String> a = Sub::get;  [likely]" in of_base
    assert "account: exact 3, likely 1" in of_base


ENUMERATION = {
    "Main.java": (
        "enum Mode {\n    A, B;\n    String lab() { return null; }\n}\nclass Z {\n    String lab() { return null; }\n"
        "    static Z valueOf(String s) { return null; }\n}\nclass Use {\n    void m() {\n"
        '        Mode.valueOf("A").lab();\n        Mode.values()[0].lab();\n'
        '        for (var one : Mode.values()) one.lab();\n        var b = Mode.valueOf("B");\n        b.lab();\n'
        '        Z.valueOf("z").lab();\n    }\n}\n'
    )
}


def test_an_enumeration_of_java_has_the_methods_that_the_language_declares(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ENUMERATION))
    assert "account: exact 5, another symbol 2" in ask("find_references", symbol="Mode.lab")
    assert "account: exact 2, another symbol 5" in ask("find_references", symbol="Z.lab")
    assert "account: exact 2, another symbol 2" in ask("find_references", symbol="Z.valueOf")
