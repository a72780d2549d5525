"""What an assignment, a conditional value or an assertion function says of the type of a name, and where it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Open, write

TYPES = "export class A { go() {} }\nexport class B { go() {} }\n"


def meaning_a(opened: Open, folder: Path, body: str, head: str = "use(c: boolean, s: A | B)") -> set[str]:
    """Return the uses in a function that mean ``A.go`` and no other method, by the comments behind them."""
    use = f'import {{ A, B }} from "./types";\nexport function {head} {{\n{body}}}\n'
    write(folder, {"types.ts": TYPES, "use.ts": use})
    ask = opened(folder)
    found: set[str] = set()
    for number, line in enumerate(use.splitlines(), 1):
        for at in (at for at in range(len(line)) if line.startswith(".go(", at)):
            said = ask("go_to_definition", symbol=f"use.ts:{number}:{at + 2}")
            if "types.A.go" in said and "types.B.go" not in said:
                found.add(line.partition("// ")[2])
    return found


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("let x; if (c) {\nx = new A();\nx.go(); // yes\nreturn;\n}\nx = new B();\nx.go(); // no\n", {"yes"}),
        ("let x: A | B = new A();\nx.go(); // yes\nx = new B();\nx.go(); // no\n", {"yes"}),
        (
            "let x: A | B = s;\ntry {\nx = new A();\nx.go(); // yes\n} catch { x = new B(); }\nx.go(); // no\n",
            {"yes"},
        ),
        ("let x = null;\nif (c) {\nx = new A();\n} else {\nx = new B();\n}\nx.go(); // either\n", set()),
        ("let x: A | B = new A();\nwhile (c) {\nx.go(); // loop\nx = new B();\n}\n", set()),
        ("let x: A | B = new A();\nx.go(); // before\nfor (;;) {\nx.go(); // loop\nx = new B();\n}\n", {"before"}),
        ("let x: A | B = new A();\nconst f = () => x.go(); // later\nx.go(); // now\nx = new B();\nf();\n", {"now"}),
        ("let x: A | B = new A();\nconst f = () => { x = new B(); };\nf();\nx.go(); // changed\n", set()),
        ("let x: A | B = new A();\n[x] = [new B()];\nx.go(); // pattern\n", set()),
        ("let x: A | B = new A();\nfor (x of [new B()]) {\nx.go(); // element\n}\n", set()),
        ("let x: A | B = new A();\n{\nlet x = new B();\nx.go(); // another\n}\n", set()),
        ("let x; switch (c) {\ncase true: x = new A();\ndefault:\nx = x ?? new B();\nx.go(); // through\n}\n", set()),
        ("let x: A | B;\nif (c) x = new A();\nelse x = new B();\nx.go(); // either\n", set()),
        ("let x: A | B = c ? new A() : s;\nx.go(); // either\n", set()),
    ],
)
def test_an_assigned_variable_has_its_value_up_to_the_next_one(
    opened: Open, tmp_path: Path, body: str, certain: set[str]
) -> None:
    assert meaning_a(opened, tmp_path, body) == certain


def test_a_variable_of_a_union_has_the_declared_type_that_takes_the_value(opened: Open, tmp_path: Path) -> None:
    body = "class C extends A { go() {} }\nlet x: A | B = new C();\nx.go(); // declared\n"
    assert meaning_a(opened, tmp_path, body) == {"declared"}


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("const x = s instanceof A ? s : null;\nx?.go(); // yes\n", {"yes"}),
        ("const x = s instanceof A ? null : s;\nx?.go(); // no\n", set()),
        ("const x = s instanceof B ? null : s;\nx?.go(); // yes\n", {"yes"}),
        ("const x = s instanceof A && s;\nif (x) x.go(); // yes\n", {"yes"}),
        ("const x = s instanceof A ? s : s;\nx.go(); // either\n", set()),
    ],
)
def test_a_condition_holds_in_the_value_of_a_variable(
    opened: Open, tmp_path: Path, body: str, certain: set[str]
) -> None:
    assert meaning_a(opened, tmp_path, body) == certain


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("s.go(); // before\nassertA(s);\ns.go(); // after\n", {"after"}),
        ("assert(s instanceof A);\ns.go(); // after\n", {"after"}),
        ("assert(!(s instanceof B));\ns.go(); // after\n", {"after"}),
        ("if (c) {\nassertA(s);\ns.go(); // inside\n}\ns.go(); // outside\n", {"inside"}),
        ("assertNothing(s);\ns.go(); // after\n", set()),
        ("log(s instanceof A);\ns.go(); // after\n", set()),
    ],
)
def test_what_an_assertion_function_asserts_holds_after_its_call(
    opened: Open, tmp_path: Path, body: str, certain: set[str]
) -> None:
    declared = "function assertA(x: A | B): asserts x is A {}\nfunction assert(x: unknown): asserts x {}\n"
    nothing = "function assertNothing(x: unknown) {}\nfunction log(x: unknown) {}\n"
    assert meaning_a(opened, tmp_path, declared + nothing + body) == certain


def test_a_condition_holds_in_the_values_of_python(opened: Open, tmp_path: Path) -> None:
    types = "class A:\n    def go(self): ...\n\n\nclass B:\n    def go(self): ...\n\n\n"
    body = "    a = s if isinstance(s, A) else None\n    a.go()\n    b = isinstance(s, B) and s\n    b.go()\n"
    write(tmp_path, {"use.py": f"{types}def use(s: A | B):\n{body}"})
    ask = opened(tmp_path)
    for line, meant, other in ((11, "use.A.go", "use.B.go"), (13, "use.B.go", "use.A.go")):
        said = ask("go_to_definition", symbol=f"use.py:{line}:7")
        assert meant in said
        assert other not in said
