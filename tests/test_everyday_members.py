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


NAMESPACES = {
    "Suit.php": (
        "<?php\nnamespace App\\Enums;\ninterface HasLabel { function label(); }\n"
        "enum Suit: string implements HasLabel {\n    case Hearts = 'H';\n"
        "    static function of(string $c): self { return self::from($c); }\n"
        "    function label() { return 'x'; }\n}\nfunction pick() {}\n"
    ),
    "use.php": (
        "<?php\nuse App\\Enums\\{Suit, HasLabel as Named};\nuse App\\Enums as E;\nuse function App\\Enums\\pick;\n"
        "function f(Suit $s, Named $n) { $n->label(); $s->label(); E\\Suit::of('H')->label(); pick(); }\n"
    ),
}


def test_what_a_namespace_of_php_has_is_found_whatever_folder_it_is_in(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, NAMESPACES))
    assert "exact 4" in ask("find_references", symbol="App.Enums.Suit")
    assert "exact 2" in ask("find_references", symbol="Suit.of")
    assert "exact 3" in ask("find_references", symbol="App.Enums.pick")
    assert "Suit.php:3" in ask("go_to_definition", symbol="use.php:5:37")
    assert "Suit.php:7" in ask("go_to_definition", symbol="use.php:5:50")


PATTERNS = (
    "namespace N;\nrecord Land(int People);\nrecord Money(decimal Amount, Land Home) {\n"
    "    public static Money operator +(Money a, Money b) => a;\n}\nclass Use {\n"
    "    bool Big(object o) => o is Money { Home.People: > 3 };\n"
    "    int Of(Money m) => m switch { { Home.People: var n } => n, _ => 0 };\n}\n"
)


def test_a_pattern_looks_at_properties_of_properties(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"M.cs": PATTERNS}))
    assert "exact 3" in ask("find_references", symbol="Land.People")
    assert "exact 3" in ask("find_references", symbol="Money.Home")


def test_the_parameters_of_an_operator_are_no_part_of_its_name(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"M.cs": PATTERNS}))
    assert "M.cs:3" in ask("go_to_definition", symbol="M.cs:4:36")
    assert "operator+" in ask("go_to_definition", symbol="M.cs:4:34")


def test_the_properties_of_a_component_are_those_of_the_type_that_declares_them(tmp_path: Path, opened: Open) -> None:
    component = (
        '<script setup lang="ts">\nimport type { Shape } from "./shape";\n'
        "const props = defineProps<{ label: string; shape: Shape }>();\n"
        "const more = withDefaults(defineProps<Shape>(), { size: 1 });\n"
        "console.log(props.label, props.shape.size, more.size);\n</script>\n"
        "<template><p>{{ props.shape.size }}</p></template>\n"
    )
    files = {"shape.ts": "export interface Shape { size: number }\n", "A.vue": component}
    ask = opened(write(tmp_path, files))
    assert "A.vue:3" in ask("go_to_definition", symbol="A.vue:5:19")
    shown = ask("find_references", symbol="Shape.size")
    assert "5: console.log(props.label, props.shape.size, more.size);  [2 times]" in shown
    assert "7: <template><p>{{ props.shape.size }}</p></template>" in shown


GLOBALS = {
    "src/env.ts": (
        "export {};\ndeclare global {\n  var BUILD: string;\n  let debug: boolean;\n"
        "  function translate(key: string): string;\n  interface AppEvent { kind: string }\n}\n"
    ),
    "src/use.ts": (
        "export const build = BUILD + debug + translate('a');\nexport const of = (e: AppEvent) => e.kind;\n"
    ),
    "src/own.ts": "const BUILD = 1;\nexport const twice = BUILD * 2;\n",
}


def test_what_a_module_declares_for_all_files_is_seen_in_all_of_them(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, GLOBALS))
    for symbol in ("src/env.ts:3:7", "debug", "translate", "AppEvent", "AppEvent.kind"):
        shown = ask("find_references", symbol=symbol)
        assert "exact 2" in shown
        assert "src/use.ts" in shown
        assert "src/own.ts" not in shown
    assert "src/env.ts:4" in ask("go_to_definition", symbol="src/use.ts:1:30")


def test_a_file_that_is_called_like_a_module_may_only_describe_it(tmp_path: Path, opened: Open) -> None:
    files = {
        "types/vendor.d.ts": "declare module 'vendor' {\n  export function run(): void;\n}\n",
        "src/use.ts": "import { run } from 'vendor';\nrun();\n",
    }
    ask = opened(write(tmp_path, files))
    assert "exact 3" in ask("find_references", symbol="run")
    assert "types/vendor.d.ts:2" in ask("go_to_definition", symbol="src/use.ts:2:1")


CALLABLES = {
    "app/Ctl.php": (
        "<?php\nnamespace App;\nclass Ctl {\n    function store() { usort($x, [$this, 'compare']); }\n"
        "    static function compare($a, $b) { return 0; }\n}\n"
    ),
    "routes.php": "<?php\nuse App\\Ctl;\nroute([Ctl::class, 'store'], 'store');\n$x = [Ctl::class, 'store', 'more'];\n",
}


def test_a_class_and_the_name_of_its_method_in_an_array_use_the_method(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CALLABLES))
    assert "4: function store() { usort($x, [$this, 'compare']); }" in ask("find_references", symbol="Ctl.compare")
    renamed = ask("rename_symbol", symbol="Ctl.store", new_name="keep")
    assert "+route([Ctl::class, 'keep'], 'store');" in renamed
    assert "+$x" not in renamed


def test_this_is_the_object_that_is_written_out_around_a_method(tmp_path: Path, opened: Open) -> None:
    source = (
        "export const api = {\n  base: '/x',\n  get url() { return this.base; },\n"
        "  fetch(id: string) { return this.base + id; },\n  inner: { base: 1, own() { return this.base; } },\n};\n"
    )
    shown = opened(write(tmp_path, {"a.ts": source}))("find_references", symbol="a.ts:2:3")
    assert "3: get url() { return this.base; }," in shown
    assert "4: fetch(id: string)" in shown
    assert "exact 3" in shown


def test_an_object_that_satisfies_a_type_keeps_its_own_keys(tmp_path: Path, opened: Open) -> None:
    source = (
        "interface Route { path: string }\n"
        "export const routes = { home: { path: '/' } } satisfies Record<string, Route>;\n"
        "export const one = { path: '/' } satisfies Route;\nroutes.home; one.path;\n"
    )
    ask = opened(write(tmp_path, {"a.ts": source}))
    assert "4: routes.home; one.path;" in ask("find_references", symbol="a.ts:2:25")
    assert "exact 4" in ask("find_references", symbol="Route.path")


DEFAULTS = (
    "interface User { email: string }\ninterface Other { email: string }\n"
    "class Box<T = User> { value!: T }\nclass Told<T = User> { constructor(public value: T) {} }\n"
    "declare const other: Other;\nnew Box().value.email;\nnew Told(other).value.email;\n"
)


def test_a_type_parameter_that_no_argument_tells_is_what_it_is_by_default(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, {"a.ts": DEFAULTS}))
    assert "a.ts:1" in ask("go_to_definition", symbol="a.ts:6:17")
    assert "exact 2" in ask("find_references", symbol="User.email")
    assert "7: new Told(other).value.email;" in ask("find_references", symbol="Other.email")


def test_a_function_of_the_library_is_known_by_another_name_of_its_module(tmp_path: Path, opened: Open) -> None:
    source = (
        "import copy as cp\nimport dataclasses as dc\n\n\n@dc.dataclass\nclass Point:\n    x: int = 0\n\n"
        "    def go(self): ...\n\n\ndef use(point: Point):\n    dc.replace(point, x=2).go()\n    cp.copy(point).go()\n"
    )
    ask = opened(write(tmp_path, {"m.py": source}))
    assert "exact 2" in ask("find_references", symbol="Point.x")
    assert "exact 3" in ask("find_references", symbol="Point.go")


def test_a_using_directive_inside_of_a_namespace_may_name_one_inside_of_it(tmp_path: Path, opened: Open) -> None:
    files = {
        "A.cs": (
            "namespace X.Y {\n    public class Box<T> { public void Go() { } }\n"
            "    public class Plain { public void Walk() { } }\n}\n"
        ),
        "B.cs": (
            "namespace X {\n    using Y;\n    using Bare = Y.Plain;\n"
            "    class Use { void Run(Bare b, Plain p, Box<int> c) { b.Walk(); c.Go(); } }\n}\n"
        ),
    }
    ask = opened(write(tmp_path, files))
    assert "B.cs:4" in ask("call_hierarchy", symbol="Plain.Walk")
    assert "exact 2" in ask("find_references", symbol="Box.Go")


def test_a_use_of_what_an_object_that_satisfies_a_type_holds_may_be_one_of_the_type(
    tmp_path: Path, opened: Open
) -> None:
    source = (
        "interface Route { run: () => number }\nfunction home() { return 1; }\n"
        "export const routes = { home: { run: home }, about: { run: () => 2 } } satisfies Record<string, Route>;\n"
        "routes.home.run();\nroutes.about.run();\n"
    )
    ask = opened(write(tmp_path, {"a.ts": source}))
    for place in ("a.ts:1:19", "a.ts:3:33"):
        shown = ask("find_references", symbol=place)
        assert "2 undecided" in shown
        assert "4: routes.home.run();" in shown
        assert "5: routes.about.run();" in shown


ELEMENTS = {
    "A.cs": 'using System.Collections.Generic;\nusing System.Linq;\nclass User { public string Name = ""; }\n'
    "partial class Use {\n  private Dictionary<(User Owner, string Tag), int> edges = new();\n"
    "  void Go(ILookup<string, User> all, IGrouping<string, User> one) {\n"
    "    foreach (var group in all) group.First().Name = group.Key;\n"
    "    foreach (var user in one) user.Name = null;\n  }\n}\n",
    "B.cs": "using System.Linq;\npartial class Use {\n  object Names() => edges.Keys.Select(key => key.Owner);\n}\n",
}


def test_elements_beside_a_key_are_of_the_last_type_argument(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, ELEMENTS))("find_references", symbol="User.Name")
    assert "exact 3" in shown
    assert "complete" in shown


def test_an_element_of_a_tuple_is_used_in_the_other_parts_of_a_type(tmp_path: Path, opened: Open) -> None:
    assert "3: object Names()" in opened(write(tmp_path, ELEMENTS))("find_references", symbol="A.cs:5:28")


TESTED = {
    "a.php": "<?php\ninterface HasSize { public function size(): int; }\n"
    "class Box implements HasSize {\n  public function size(): int { return 1; }\n}\n"
    "function go(Box $box) {\n  if ($box instanceof HasSize) {\n    $box->size();\n  }\n"
    "  array_map([new Box(), 'size'], []);\n}\n",
}


def test_an_object_of_a_class_that_is_tested_for_its_interface_is_one_of_the_class(
    tmp_path: Path, opened: Open
) -> None:
    assert "Box.size" in opened(write(tmp_path, TESTED))("go_to_definition", symbol="a.php:8:11")


def test_a_new_object_and_the_name_of_its_method_in_an_array_use_the_method(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, TESTED))("find_references", symbol="Box.size")
    assert "10: array_map" in shown
    assert "8: $box->size()" in shown


GAME = {
    "game.js": (
        "export class Game {\n  constructor() { this.onOver = null; this.onWin = null; this.onPause = null }\n"
        "  run() { this.onOver(); this.onWin(); this.onPause() }\n}\n"
        "export const game = new Game()\ngame.onPause = () => 1\n"
    ),
    "use.js": (
        'import { game } from "./game.js"\ngame.onOver = () => game.run()\n'
        "export function setup(given) { given.onWin = () => 2 }\n"
        "const plain = {}\nplain.onWin = () => 3\nplain.onWin()\n"
    ),
}


def test_a_function_assigned_to_a_member_of_an_object_of_a_class_is_a_use_of_that_member(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, GAME))
    assert "account: exact 3" in ask("find_references", symbol="Game.onPause")
    assert "2: game.onOver = () => game.run()" in ask("find_references", symbol="Game.onOver")
    assert "+game.ended = () => game.run()" in ask("rename_symbol", symbol="Game.onOver", new_name="ended")


def test_a_function_assigned_to_a_member_of_a_parameter_without_a_type_may_be_a_member_of_any(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, GAME))
    assert "exact 2, undecided 1, another symbol 2" in ask("find_references", symbol="Game.onWin")
    assert "6: plain.onWin()" in ask("find_references", symbol="plain.onWin")
