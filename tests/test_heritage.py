"""What inherits from a type is known from the index: in every language, under every name, after every edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import Asking, Open, write
from expectations import FIXTURES
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_relations import renames
from leadline_tools.languages import LANGUAGES, language_in
from leadline_tools.languages.fact_walk.walk import facts
from leadline_tools.languages.facts import NAMELESS
from leadline_tools.languages.outline_walk.sources import symbols_and_relations
from leadline_tools.languages.relations import base_names, with_original_names
from leadline_tools.languages.rules.scopes import ScopeKind

BASE_AND_SUBTYPES = {
    "cpp": (
        {
            "base.h": "namespace shop { class Base { }; }\nusing Root = shop::Base;\n",
            "use.cpp": (
                '#include "base.h"\nclass One : public shop::Base { class In : private shop::Base { }; };\n'
                "void f() { if (1) { struct Local : shop::Base { int enough_to_be_worth_it; }; } }\n"
            ),
        },
        ["2 One", "2 In"],
        ["use.cpp:3 Local"],
    ),
    "csharp": (
        {
            "Base.cs": "namespace Shop { class Base { } }\n",
            "Use.cs": "using Root = Shop.Base;\nclass One : Root { }\nrecord Two(int X) : Shop.Base;\n",
        },
        ["2 One", "3 Two"],
        [],
    ),
    "go": (
        {
            "go.mod": "module shop\n",
            "a/base.go": "package a\n\ntype Base struct{ id int }\n",
            "b/use.go": (
                'package b\n\nimport root "shop/a"\n\ntype One struct {\n\troot.Base\n\tname string\n}\n\n'
                "func f() {\n\tif true {\n\t\ttype Local struct {\n\t\t\t*root.Base\n\t\t}\n\t}\n}\n"
                "\ntype List []root.Base\n\ntype Apply func(root.Base) bool\n"
            ),
        },
        ["5 One"],
        ["b/use.go:12 Local"],
    ),
    "java": (
        {
            "shop/Base.java": "package shop;\npublic class Base { }\n",
            "other/Use.java": (
                "package other;\nimport shop.Base;\nclass One extends Base {\n"
                '    Object made = new Base(f(g(h(i(j(k(l(m(")"))))))))) { };\n'
                "    static class In extends One { }\n    void f() {\n"
                '        if (true) { class Local extends Base { String text = "long enough to be a body"; } }\n'
                "        run(new Base() { public void run() { System.out.println(1); } });\n    }\n}\n"
            ),
        },
        ["3 One", "7 Local", "5 In"],
        ["other/Use.java:4 Base", "other/Use.java:8 Base"],
    ),
    "javascript": (
        {
            "base.js": "export default class Base { }\n",
            "index.js": "export { default as Root } from './base.js';\n",
            "use.js": (
                "import Top from './base.js';\nimport { Root } from './index.js';\nclass One extends Top { }\n"
                "const Two = class extends Root { };\nfunction f() { return mark(class extends Top { }); }\n"
            ),
        },
        ["3 One", "4 Two"],
        ["use.js:5 Top"],
    ),
    "kotlin": (
        {
            "shop/Base.kt": "package shop\nopen class Base\ninterface Named\n",
            "other/Use.kt": (
                "package other\nimport shop.Base as Root\nclass One(val x: Int) : Root() {\n"
                "    val made = object : Root() { }\n    fun f() { if (x > 1) { class Local : Root() } }\n}\n"
            ),
        },
        ["3 One"],
        ["other/Use.kt:4 Root", "other/Use.kt:5 Local"],
    ),
    "php": (
        {
            "src/Shop/Base.php": "<?php\nnamespace Shop;\nclass Base { }\n",
            "src/Other/Use.php": (
                "<?php\nnamespace Other;\nuse Shop\\Base as Root;\nclass One extends Root { function f() {\n"
                "    return new class(1) extends Root { }; } }\n"
            ),
        },
        ["4 One"],
        ["src/Other/Use.php:5 Root"],
    ),
    "python": (
        {
            "shop/base.py": "class Base:\n    pass\n",
            "shop/__init__.py": "from shop.base import Base as Root\n",
            "use.py": (
                "import shop.base as b\nfrom shop import Root as Top\n\n\nclass One(b.Base):\n    pass\n\n\n"
                "def f():\n    for x in ():\n        class Two(Top):\n            pass\n\n\nOther = Top\n\n\n"
                "class Three(Other):\n    pass\n"
            ),
        },
        ["5 One", "11 Two", "18 Three"],
        [],
    ),
    "ruby": (
        {
            "base.rb": "class Base\nend\nmodule Named\nend\n",
            "use.rb": "require_relative 'base'\nclass One < Base\nend\nTwo = Class.new(Base)\n",
        },
        ["2 One", "4 Two"],
        [],
    ),
    "rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod base;\npub mod used;\n",
            "src/base.rs": "pub trait Base { }\n",
            "src/used.rs": "use crate::base::Base as Root;\npub struct One;\n"
            "impl Root for One { }\ntrait Two: Root { }\n",
        },
        ["2 One", "4 Two"],
        [],
    ),
    "scala": (
        {
            "shop/Base.scala": "package shop\nclass Base\n",
            "other/Use.scala": (
                "package other\nimport shop.{Base => Root}\nclass One extends Root {\n  val made = new Root { }\n}\n"
                "object Two extends Root\n"
            ),
        },
        ["3 One", "6 Two"],
        ["other/Use.scala:4 Root"],
    ),
    "swift": (
        {
            "Sources/Shop/Base.swift": "class Base { }\n",
            "Sources/Shop/Use.swift": "class One: Base { }\nfunc f() { if true { class Local: Base { } } }\n",
        },
        ["1 One"],
        ["Sources/Shop/Use.swift:2 Local"],
    ),
    "typescript": (
        {
            "base.ts": "export abstract class Base<T> { }\n",
            "index.ts": "export { Base as Root } from './base';\n",
            "use.ts": (
                "import { Root } from './index';\nexport class One extends Root<string> { }\n"
                "interface Two extends Root<number> { a: 1 }\nexport const f = () => class extends Root<number> { };\n"
            ),
        },
        ["2 One", "3 Two"],
        ["use.ts:4 Root"],
    ),
}
"""By language files with a type ``Base``, its subtypes as the tools list them, and those that are no symbols."""

WITHOUT_TYPES = {"tsx"}
"""Languages whose rules are those of another one."""

WITHOUT_SUBTYPES = {"c"}
"""Languages with types of which none inherits from another."""


def _places_below(label: str, shown: Sequence[str]) -> list[str]:
    """Return the places that an answer lists below the headings of an aside."""
    places: list[str] = []
    path = ""
    for line in shown:
        number, colon, _ = line.partition(":")
        if line.startswith(f"{label}: "):
            path = line.removeprefix(f"{label}: ")
        elif path and colon and number.isdecimal():
            places.append(f"{path}:{number}")
        else:
            path = ""
    return places


@pytest.mark.parametrize("language", BASE_AND_SUBTYPES)
def test_all_subtypes_are_found_whatever_they_call_the_type(language: str, tmp_path: Path, opened: Open) -> None:
    files, subtypes, nameless = BASE_AND_SUBTYPES[language]
    shown = opened(write(tmp_path, files))("find_implementations", symbol="Base", detail="lean").splitlines()
    assert [line for line in shown if line in subtypes] == subtypes
    assert "undecided" not in "\n".join(shown)
    assert _places_below("anonymous or external", shown) == [place.partition(" ")[0] for place in nameless]


def test_every_language_whose_types_inherit_says_from_what() -> None:
    inheriting = {name for name, language in LANGUAGES.items() if language.outline.has_subtypes}
    assert inheriting - WITHOUT_TYPES == BASE_AND_SUBTYPES.keys()
    holding = {
        name
        for name, language in LANGUAGES.items()
        if language.semantics is not None and ScopeKind.Class in language.semantics.scopes.opens.values()
    }
    assert holding - WITHOUT_SUBTYPES <= inheriting


@pytest.mark.parametrize("path", sorted(p.relative_to(FIXTURES).as_posix() for p in FIXTURES.rglob("*") if p.is_file()))
def test_the_index_knows_every_base_and_every_other_name_that_the_facts_of_a_file_tell(path: str) -> None:
    content = (FIXTURES / path).read_bytes()
    language = language_in(path, content)
    if language is None or language.semantics is None or not language.outline.has_subtypes:
        return
    parser = language.parser()
    _, relations = symbols_and_relations(content, parser)
    known = {base for one in with_original_names(relations) for base in one.bases}
    told = facts(parser.parse(content).root_node, content, language)
    bases = {
        name
        for one in told.heritage
        for term in one.bases
        if not (one.path.startswith(NAMELESS) and term.endswith("^"))  # what a lambda is called on
        for name in base_names((term,), b"")
    }
    assert bases <= known
    others = {
        (one.name, one.alias) for one in told.imports if renames(one) and one not in language.semantics.imports.ambient
    }
    assert others <= {(one.name, one.alias) for one in relations.imports}


# Changes


def test_an_edit_that_adds_a_subtype_under_another_name_is_seen_at_the_next_question(
    tmp_path: Path, opened: Open
) -> None:
    files = {"base.py": "class Base:\n    pass\n", "use.py": "from base import Base\n"}
    root = write(tmp_path / "tree", files)
    ask = opened(root)
    assert "no subtypes" in ask("find_implementations", symbol="Base")
    write(root, {"use.py": "from base import Base\n\n\nclass One(Base):\n    pass\n"})
    write(root, {"new.py": "def f():\n    from base import Base as Other\n\n    class Two(Other):\n        pass\n"})
    shown = ask("find_implementations", symbol="Base", detail="lean")
    assert "4 One" in shown
    assert "4 Two" in shown
    write(root, {"use.py": "from base import Base\n"})
    (root / "new.py").unlink()
    assert "no subtypes" in ask("find_implementations", symbol="Base")


def test_files_that_are_not_indexed_yet_are_looked_into(tmp_path: Path) -> None:
    write(tmp_path, {"base.py": "class Base:\n    pass\n", "use.py": "from base import Base\nclass One(Base): ...\n"})
    index = Index(tmp_path, None, processes=1)
    index._indexer.refresh()  # nothing is indexed before it is started
    try:
        assert index.related.inheriting(["Base"]) == ["base.py", "use.py"]
        assert index.related.of("use.py") is None
    finally:
        index.close()


# What is not decided


def test_a_base_that_is_not_resolved_is_reported_with_its_type(tmp_path: Path, opened: Open) -> None:
    files = {
        "base.py": "class Base:\n    pass\n",
        "one.py": "from vendored.base import Base\n\n\nclass One(Base):\n    pass\n",
        "two.py": "def made(Base):\n    class Two(Base):\n        pass\n\n    return Two\n",
        "three.py": "class Base:\n    pass\n\n\nclass Three(Base):\n    pass\n",
    }
    shown = opened(write(tmp_path, files))("find_implementations", symbol="base.py:1", detail="lean")
    assert "2 undecided" in shown.splitlines()
    assert _places_below("undecided", shown.splitlines()) == ["one.py:4", "two.py:2"]
    assert "(in made.Two)" in shown
    assert "Three" not in shown


def test_a_type_with_a_base_from_outside_is_no_subtype_of_another_type_of_that_name(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "kinds.py": "import enum\n\n\nclass Base:\n    def run(self): ...\n\n\nclass Enum(Base):\n    pass\n",
        "use.py": "import enum\nfrom enum import Enum\n\n\nclass One(Enum): ...\n\n\nclass Two(enum.Enum): ...\n",
    }
    ask = opened(write(tmp_path, files))
    assert "find_implementations kinds.Base: 1 subtype, complete" in ask("find_implementations", symbol="Base")
    assert "kinds.Base.run: no overriding members |" in ask("find_implementations", symbol="Base.run")
    assert "account: exact 1, another symbol 3" in ask("find_references", symbol="kinds.py:Enum")


def test_a_type_that_inherits_by_another_of_its_bases_is_decided(tmp_path: Path, opened: Open) -> None:
    files = {
        "base.py": "class Base:\n    pass\n",
        "one.py": "import outside\nfrom base import Base\n\n\nclass One(outside.Base, Base):\n    pass\n",
    }
    shown = opened(write(tmp_path, files))("find_implementations", symbol="base.py:1", detail="lean")
    assert "5 One" in shown
    assert "undecided" not in shown


# Members


def test_members_that_override_are_found_in_nested_types_of_the_same_file(tmp_path: Path, opened: Open) -> None:
    source = (
        "package locks;\nimport java.util.*;\npublic class Gate {\n"
        "    abstract static class Sync { int tryAcquire(int n) { return n; } }\n"
        "    static final class NonfairSync extends Sync { int tryAcquire(int n) { return 1; } }\n"
        "    static final class FairSync extends Sync { int tryAcquire(int n) { return 2; } }\n}\n"
    )
    others = {
        f"locks/Other{n}.java": f"package locks;\nclass Other{n} {{\n    static class Sync {{ }}\n"
        "    static class FairSync extends Sync { int tryAcquire(int n) { return 0; } }\n}\n"
        for n in range(3)
    }
    ask = opened(write(tmp_path, {"locks/Gate.java": source, **others}))
    shown = ask("find_implementations", symbol="locks/Gate.java:4:27", detail="lean").splitlines()
    assert shown[1:4] == ["locks/Gate.java", "5 NonfairSync", "6 FairSync"]
    members = ask("find_implementations", symbol="locks/Gate.java:4:38", detail="lean").splitlines()
    assert members[1].startswith("other members of the name, which do not override it: Other0.FairSync.tryAcquire")
    assert members[2:5] == ["locks/Gate.java", "5 tryAcquire", "6 tryAcquire"]


def test_a_name_under_which_any_file_may_export_leads_to_those_that_import_the_type(
    tmp_path: Path, opened: Open
) -> None:
    files = {
        "a/base.js": "export default class Base { }\n",
        "b/base.js": "export default class Other { }\n",
        "a/use.js": "import Top from './base.js';\nexport class One extends Top { }\n",
        "b/use.js": "import Top from './base.js';\nexport class Two extends Top { }\n",
    }
    ask: Asking = opened(write(tmp_path, files))
    shown = ask("find_implementations", symbol="Base", detail="lean")
    assert "2 One" in shown
    assert "Two" not in shown


def test_a_type_that_is_named_by_a_path_where_it_implements_a_trait_is_a_subtype(tmp_path: Path, opened: Open) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "nu"\n',
        "src/lib.rs": "pub mod err;\npub mod tr;\npub mod a;\npub use err::E3 as Bang;\n",
        "src/tr.rs": "pub trait Fail {}\n",
        "src/err.rs": "pub struct E1;\npub struct E2;\npub struct E3;\n",
        "src/a.rs": "use crate::tr::Fail;\nuse crate::err;\nimpl Fail for err::E1 {}\nimpl Fail for crate::err::E2 {}\n"
        "impl Fail for crate::Bang {}\nimpl<T> Fail for Vec<T> {}\nimpl Fail for u8 {}\n",
    }
    shown = opened(write(tmp_path, files))("find_implementations", symbol="Fail", detail="lean")
    assert "2 subtypes, complete" in shown.splitlines()[0]
    assert "src/err.rs\n1 E1\n2 E2\n" in shown
    assert _places_below("anonymous or external", shown.splitlines()) == ["src/a.rs:5", "src/a.rs:6", "src/a.rs:7"]


def test_overriding_members_with_the_parameters_in_question_are_named_by_their_types(
    tmp_path: Path, opened: Open
) -> None:
    names = [f"Item{number}" for number in range(5)]
    same = "".join(f"class {name}(Base):\n    def save(self, to, *, force=False): ...\n\n" for name in names)
    other = "class Other(Base):\n    def save(self, to, force): ...\n"
    base = "class Base:\n    def save(self, to, *, force=False): ...\n\n"
    ask = opened(write(tmp_path, {"a.py": base + same + other}))
    shown = ask("find_implementations", symbol="Base.save").splitlines()
    assert "the same parameters where a type alone is named" in shown
    assert [line.partition(" ")[2] for line in shown if line[0].isdigit()] == [
        *names,
        "Other: def save(self, to, force)",
    ]
    assert "def save(self, to, *, force=False)" in ask("find_implementations", symbol="Base.save", detail="full")
