"""What names and members are in a part of a function alone, and what its results are given."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

CAUGHT = {
    "m.py": (
        "class Missing(Exception):\n    code = 1\nclass Denied(Exception):\n    code = 2\nBOTH = (Missing, Denied)\n"
        "def load():\n    try:\n        pass\n    except Missing as error:\n        print(error.code)\n"
        "    except Denied as error:\n        print(error.code)\n    try:\n        pass\n"
        "    except BOTH as error:\n        return error.code\n"
    )
}


def test_the_name_of_a_caught_exception_is_what_its_clause_catches(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, CAUGHT))
    missing = ask("find_references", symbol="Missing.code")
    assert "exact 3, another symbol 2" in missing
    assert "10: print(error.code)" in missing
    assert "12: print(error.code)" not in missing
    assert "16: return error.code" in missing
    assert "in m.py:4" in ask("go_to_definition", symbol="m.py:12:21")


def test_a_generator_gives_what_its_result_says_that_it_gives(tmp_path: Path, opened: Open) -> None:
    code = (
        "interface Chunk { index: number; }\nasync function* chunks(): AsyncGenerator<Chunk> {\n"
        "  for (let index = 0; index < 3; index++) yield { index };\n}\n"
        "for await (const one of chunks()) console.log(one.index);\n"
    )
    ask = opened(write(tmp_path, {"m.ts": code}))
    shown = ask("find_references", symbol="Chunk.index")
    assert "exact 3" in shown
    assert "yield { index };" in shown
    renamed = ask("rename_symbol", symbol="Chunk.index", new_name="place")
    assert "yield { place: index };" in renamed


ELEMENTS = {
    "m.tsx": (
        "interface BoxProps { title: string; children?: unknown }\n"
        "function Box(props: BoxProps) { return props.children; }\n"
        "interface Tree { children: Tree[] }\nconst tree: Tree = { children: [] };\n"
        'const a = <Box title="a"><b>x</b></Box>;\nconst b = <Box title="b">\n</Box>;\nconst c = <Box title="c" />;\n'
    )
}


def test_what_is_in_an_element_gives_the_property_children(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, ELEMENTS))
    given = ask("find_references", symbol="BoxProps.children")
    assert '5: const a = <Box title="a"><b>x</b></Box>;' in given
    assert "7: </Box>;" not in given
    assert "</Box>" not in ask("find_references", symbol="Tree.children")
    renamed = ask("rename_symbol", symbol="BoxProps.children", new_name="content")
    assert "decide: signs use it, and only by this name: </ m.tsx:5" in renamed


FEW_OWNERS = {
    "api.py": (
        "class Queue:\n    def execute(self, task): ...\nclass Task:\n    def execute(self): ...\n"
        "def run(queue, cursor, the_task, rows):\n    queue.execute(1)\n    cursor.execute('select')\n"
        "    the_task.execute()\n    rows.select().where(1).execute()\n"
    )
}


def test_a_member_that_few_types_have_is_likely_where_the_object_is_called_like_one(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, FEW_OWNERS))
    queue = ask("find_references", symbol="Queue.execute")
    assert "exact 1, likely 1, undecided 3" in queue
    assert "6: queue.execute(1)  [likely]" in queue
    task = ask("find_references", symbol="Task.execute")
    assert "8: the_task.execute()  [likely]" in task
    assert "cursor.execute('select')  [likely]" not in task


def test_the_comment_of_a_function_names_its_parameters(tmp_path: Path, opened: Open) -> None:
    code = (
        "/** @param {number[]} list of list */\nexport function find(list) { return list.find((list) => list); }\n\n"
        "export function other(list) {\n  return list;\n}\n"
    )
    ask = opened(write(tmp_path, {"m.js": code}))
    used = ask("find_references", symbol="m.js:2:22")
    assert "1: /** @param {number[]} list of list */" in used
    assert "exact 3" in used
    renamed = ask("rename_symbol", symbol="m.js:2:22", new_name="items")
    assert "+/** @param {number[]} items of list */" in renamed
    assert "/**" not in ask("find_references", symbol="m.js:2:48").split("m.js\n", 1)[1].split("next:")[0]
    assert "exact 2" in ask("find_references", symbol="m.js:4:23")


def test_a_documented_union_is_told_apart_by_the_literals_of_its_members(tmp_path: Path, opened: Open) -> None:
    code = (
        '/**\n * @typedef {object} Circle\n * @property {"circle"} kind\n * @property {number} radius\n */\n'
        '/**\n * @typedef {object} Square\n * @property {"square"} kind\n */\n'
        '/** @param {Circle | Square} shape */\nfunction draw(shape) { return shape; }\ndraw({ kind: "square" });\n'
        '/** @param {Circle | Square} one */\nfunction area(one) { if (one.kind === "circle") return one.radius; }\n'
    )
    ask = opened(write(tmp_path, {"m.js": code}))
    assert '12: draw({ kind: "square" });' not in ask("find_references", symbol="m.js:3:25")
    assert '12: draw({ kind: "square" });' in ask("find_references", symbol="m.js:8:25")


def test_a_list_that_a_function_extends_by_what_it_returns_itself_is_followed_once(
    tmp_path: Path, opened: Open
) -> None:
    source = (
        "class Call:\n    pre = ()\n    def run(self): ...\n"
        "class Runner:\n    def expand(self, calls):\n        found = []\n        for call in calls:\n"
        "            found.extend(self.expand(call.pre))\n            found.append(call)\n        return found\n"
        "    def start(self, calls):\n        for one in self.expand(calls):\n            one.run()\n"
    )
    shown = opened(write(tmp_path, {"runner.py": source}))("find_references", symbol="Call.run")
    assert "13: one.run()" in shown


LAMBDAS = {
    "A.java": (
        "import java.util.function.*;\nclass A {\n"
        "    static class Event { void log() {} Event next() { return null; } }\n"
        "    static class User extends Event { void run() {} }\n    interface Handler { void handle(Event event); }\n"
        "    interface Step { Handler wrap(Handler next); }\n"
        "    private BiConsumer<Event, String> failed = (e, text) -> {};\n"
        "    void failed(BiConsumer<Event, String> failed) { this.failed = failed; }\n"
        "    <T> T get(Class<T> type) { return null; }\n"
        "    <E extends Event> void on(Class<E> type, Consumer<? super E> handler) {}\n"
        "    static Step errors() { return next -> event -> {\n"
        "        event.log();\n        next.handle(event.next());\n    }; }\n"
        "    void all(A a) {\n        a.failed((event, text) -> event.log());\n        a.get(User.class).run();\n"
        "        a.on(User.class, user -> user.run());\n    }\n}\n"
    )
}


def test_a_lambda_of_java_takes_what_its_place_and_a_class_literal_say(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, LAMBDAS))
    assert "exact 3" in ask("find_references", symbol="A.java:3:32")
    assert "exact 2" in ask("find_references", symbol="A.java:3:46")
    assert "exact 3" in ask("find_references", symbol="A.java:4:45")


EVENTS = {
    "A.cs": (
        "using System;\nusing System.Linq;\nclass Sent : EventArgs { public int Size; }\n"
        "class Bus { public event EventHandler<Sent> Done; void Raise() => Done?.Invoke(this, new Sent()); }\n"
        "class Use {\n    void M(Bus bus, Sent one) {\n        bus.Done += (sender, e) => Console.WriteLine(e.Size);\n"
        "        var other = new Sent();\n        var all = new[] { one, other };\n"
        "        Console.WriteLine(all.Sum(each => each.Size));\n    }\n}\n"
    )
}


def test_a_lambda_of_csharp_takes_what_an_event_and_an_array_say(tmp_path: Path, opened: Open) -> None:
    assert "exact 3" in opened(write(tmp_path, EVENTS))("find_references", symbol="A.cs:3:37")


TREES = {
    "Tree.scala": (
        "package trees\n\ntrait Tree {\n  def size(env: Env): Int = this match {\n    case Leaf(value) => Env.max\n"
        "    case Node(left, right) => left.size(env) + right.size(env)\n  }\n}\n"
        "case class Leaf(value: Int) extends Tree\ncase class Node(left: Tree, right: Tree) extends Tree\n"
        "class Env(val depth: Int)\nobject Env {\n  val max = 3\n  def of(n: Int): Env = new Env(n)\n}\n"
    )
}


def test_a_pattern_of_scala_takes_what_its_class_is_made_with(tmp_path: Path, opened: Open) -> None:
    assert "exact 3" in opened(write(tmp_path, TREES))("find_references", symbol="Tree.scala:4:7")


def test_a_type_of_scala_or_the_object_beside_it_is_meant(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, TREES))
    for place, line in (("4:17", 11), ("5:25", 12), ("14:20", 11), ("14:30", 11)):
        assert f"in Tree.scala:{line}\n" in ask("go_to_definition", symbol=f"Tree.scala:{place}")


BUILDERS = {
    "a.kt": (
        "package a\n\nimport kotlin.reflect.KClass\n\nopen class Event {\n    fun log() {}\n}\n\n"
        "class User : Event() {\n    fun run() {}\n}\n\nclass Bus {\n    var size = 0\n\n"
        "    fun onError(handler: () -> Unit) = apply { handler() }\n\n"
        "    fun <E : Event> subscribe(type: KClass<E>, handler: (E) -> Unit) {}\n\n    fun start() {}\n}\n\n"
        "fun bus(block: Bus.() -> Unit) {\n    Bus().apply(block).start()\n}\n\n"
        "fun main() {\n    val made = Bus().onError { }\n    made.start()\n"
        "    made.subscribe(User::class) { it.run() }\n}\n"
    )
}


def test_what_runs_on_an_object_of_kotlin_gives_it_back(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, BUILDERS))
    text = ask("find_references", symbol="a.kt:20:9")
    assert "exact 3" in text
    assert "exact 2" in ask("find_references", symbol="a.kt:10:9")
