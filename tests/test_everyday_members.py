"""Uses of members that everyday code reaches otherwise than by an object of their type: bases, projects, tuples."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

MIXINS = (
    "class Base:\n    def save(self): ...\nclass Log:\n    def save(self): ...\nclass Audit:\n    def save(self): ...\n"
    "class Model(Log, Audit, Base):\n    def save(self):\n        super(Log, self).save()\n        super().save()\n"
    "def again(model: Model):\n    super(Audit, model).save()\n"
)


def test_super_with_a_class_means_what_stands_behind_that_class(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"m.py": MIXINS}))
    audit = ask("find_references", symbol="Audit.save")
    assert "9: super(Log, self).save()" in audit
    assert "10: super().save()" not in audit
    log = ask("find_references", symbol="Log.save")
    assert "10: super().save()" in log
    assert "9: super(Log, self)" not in log
    assert "12: super(Audit, model).save()" in ask("find_references", symbol="Base.save")


USINGS = {
    "lib/Ext.cs": (
        "namespace Lib.Ext;\npublic static class Limits { public const int Most = 3; }\n"
        'public class Config { public static Config Load() => new Config(); public string Key = ""; }\n'
    ),
    "app/App.csproj": '<Project><ItemGroup><Using Include="Lib.Ext.Config" Alias="Second" /></ItemGroup></Project>\n',
    "app/Globals.cs": "global using static Lib.Ext.Limits;\nglobal using First = Lib.Ext.Config;\n",
    "app/src/Use.cs": (
        "namespace Other;\nclass Use {\n    int Run(First given) => given.Key.Length + Most;\n"
        "    void Load() { First.Load(); Second.Load(); }\n}\n"
    ),
    "tool/Other.cs": "class Other { int Run() => Most; }\n",
}


def test_a_project_names_types_for_all_its_files(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, USINGS))
    loads = ask("find_references", symbol="Config.Load")
    assert "4: void Load() { First.Load(); Second.Load(); }  [2 times]" in loads
    assert "3: int Run(First given) => given.Key.Length + Most;" in ask("find_references", symbol="Config.Key")
    assert "3: int Run(First given)" in ask("find_references", symbol="Lib.Ext.Config")


def test_a_project_opens_types_for_its_own_files_alone(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, USINGS))("find_references", symbol="Limits.Most")
    assert "given.Key.Length + Most" in shown
    assert "exact 2" in shown


TUPLES = (
    "namespace N;\nclass Doc { public int Len() => 1; }\nclass Use {\n"
    "    (int Line, Doc Inner) Find() => (1, new Doc());\n    List<(string Name, Doc Item)> All() => [];\n"
    "    void Run() {\n        Find().Inner.Len();\n        foreach (var one in All()) one.Item.Len();\n"
    "        var (line, doc) = Find(); doc.Len();\n    }\n}\n"
)


def test_the_elements_of_a_tuple_are_members_by_their_names(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"T.cs": TUPLES}))
    inner = ask("find_references", symbol="T.cs:4:20")
    assert "7: Find().Inner.Len();" in inner
    assert "another symbol" not in inner
    assert "(int Line, Doc Inner) Find()" in ask("go_to_definition", symbol="T.cs:7:16")
    lengths = ask("find_references", symbol="Doc.Len")
    for line in ("7: Find().Inner.Len();", "8: foreach (var one in All())", "9: var (line, doc) = Find();"):
        assert line in lengths
    assert "likely" not in lengths


ANONYMOUS = (
    "<?php\nnamespace App;\nclass Result {}\nfunction make() {\n    return new class(1) {\n"
    "        public function __construct(private int $size) { echo $size; }\n"
    "        public function run(): Result { echo $this->size; return new Result(); }\n    };\n}\n"
)


def test_a_promoted_parameter_of_a_class_without_a_name_is_its_member(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.php": ANONYMOUS}))
    for address in ("a.php:6:49", "a.php:6:50", "a.php:7:54"):
        shown = ask("rename_symbol", symbol=address, new_name="length")
        assert "+        public function __construct(private int $length) { echo $length; }" in shown
        assert "+        public function run(): Result { echo $this->length;" in shown


def test_a_class_without_a_name_sees_the_namespace_around(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, {"a.php": ANONYMOUS}))("find_references", symbol="App.Result")
    assert "7: public function run(): Result { echo $this->size; return new Result(); }  [2 times]" in shown
