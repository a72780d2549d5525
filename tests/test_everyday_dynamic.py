"""Everyday code of Python, TypeScript and JavaScript: what is given, called back, declared elsewhere."""

from __future__ import annotations

from pathlib import Path

from conftest import Open, write

PLUGINS = {
    "base.py": (
        "class Plugin:\n    def __init_subclass__(cls, *, scheme: str, **rest: object) -> None:\n"
        "        cls.key = scheme\n\n\nclass Quiet(Plugin, scheme='quiet'):\n"
        "    def __init_subclass__(cls, *, level: int = 0) -> None:\n        super().__init_subclass__(scheme='x')\n"
        "        cls.level = level\n"
    ),
    "mail.py": (
        "from base import Plugin, Quiet\n\n\nclass Mail(Plugin, scheme='mailto'):\n    pass\n\n\n"
        "class Queue(Mail, scheme='queue'):\n    pass\n\n\nclass Silent(Quiet, level=2):\n    pass\n"
    ),
}


def test_the_head_of_a_class_names_parameters_of_what_initializes_its_subclasses(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PLUGINS))
    shown = ask("find_references", symbol="base.py:2:35")
    assert "exact 6" in shown
    assert "complete" in shown
    for line in (
        "6: class Quiet(Plugin, scheme='quiet'):",
        "4: class Mail(Plugin, scheme='mailto'):",
        "8: class Queue(Mail, scheme='queue'):",
    ):
        assert line in shown
    assert "base.py:2:35" in ask("go_to_definition", symbol="mail.py:8:19")
    assert "base.py:7:35" in ask("go_to_definition", symbol="mail.py:12:21")
    renamed = ask("rename_symbol", symbol="base.py:7:35", new_name="depth")
    assert "+class Silent(Quiet, depth=2):" in renamed


SPRITES = {
    "sprite.js": (
        "export class Sprite {\n  speed = 1;\n  static count = 0;\n  update() {\n    return this.speed;\n  }\n}\n"
    ),
    "ball.js": (
        'import { Sprite } from "./sprite.js";\n\nexport class Ball extends Sprite {\n  update() {\n'
        "    this.speed = this.speed + 1;\n    this.count = 2;\n  }\n  bounce() {\n    this.speed = -this.speed;\n"
        "    return this.count;\n  }\n}\n"
    ),
}


def test_a_value_that_a_method_gives_its_object_declares_no_member_that_objects_inherit(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, SPRITES))
    for place in ("sprite.js:2:3", "ball.js:5:10", "ball.js:9:10"):
        shown = ask("find_references", symbol=place)
        assert "sprite.Sprite.speed" in shown
        assert "exact 6" in shown
    for place in ("ball.js:6:10", "ball.js:10:17"):  # a member of the class itself is another
        shown = ask("find_references", symbol=place)
        assert "ball.Ball.count" in shown
        assert "exact 2" in shown


REQUESTS = {
    "types.d.ts": (
        "export {};\ndeclare global {\n  namespace Express {\n    interface Request {\n      tenant: string;\n    }\n"
        "  }\n}\n"
    ),
    "use.ts": (
        'import type { Request } from "express";\n\nexport function name(req: Request): string {\n'
        "  return req.tenant + req.path;\n}\n"
    ),
}


def test_what_a_namespace_of_all_files_declares_may_be_a_member_of_a_type_from_outside(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, REQUESTS))
    shown = ask("go_to_definition", symbol="use.ts:4:14")
    assert "comes from outside" not in shown
    assert "5 Express.Request: tenant: string" in shown
    assert "comes from outside" in ask.response("go_to_definition", symbol="use.ts:4:27").text


LIBRARY = {
    "m.py": (
        "import heapq\nimport itertools\nfrom collections import Counter\nfrom itertools import chain, islice\n\n\n"
        "class Task:\n    size: int\n\n    def __neg__(self) -> 'Task':\n        return self\n\n\n"
        "def run(tasks: list[Task], more: dict[str, list[Task]]) -> None:\n    print(heapq.heappop(tasks).size)\n"
        "    for one in chain(tasks, tasks):\n        print(one.size)\n"
        "    for two in chain.from_iterable(more.values()):\n        print(two.size)\n"
        "    for three in islice(tasks, 3):\n        print(three.size)\n    print(sum(tasks, Task()).size)\n"
        "    print((-tasks[0]).size)\n    for four in heapq.nsmallest(2, tasks):\n        print(four.size)\n"
        "    for five, number in Counter(tasks).items():\n        print(five.size, number.bit_count())\n"
        "    for six in itertools.takewhile(lambda t: t.size > 1, tasks):\n        print(six.size)\n"
        "    for _, group in itertools.groupby(tasks, key=lambda t: t.size):\n        print([t.size for t in group])\n"
    )
}


def test_the_library_gives_elements_of_what_it_is_given(tmp_path: Path, opened: Open) -> None:
    shown = opened(write(tmp_path, LIBRARY))("find_references", symbol="Task.size")
    assert "Task.size: 13 references, complete" in shown
    assert "account: exact 13\n" in shown


GENERIC = {
    "cache.py": (
        "from typing import Generic, TypeVar\n\nV = TypeVar('V')\n\n\nclass Cache(Generic[V]):\n"
        "    def __init__(self, size: int = 8) -> None:\n        self.size = size\n"
    ),
    "use.py": (
        "import orm\nfrom cache import Cache\n\n\nclass Books(orm.Query['Book']):\n    pass\n\n\nclass Book:\n"
        "    pass\n\n\nbooks = Cache[Book](size=3)\nTABLE = {'Book': Book}\n\n\nclass Other(TABLE['Book']):\n    pass\n"
    ),
}


def test_a_class_is_called_with_type_arguments_and_inherits_from_one_of_a_quoted_type(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, GENERIC))
    assert "exact 3" in ask("find_references", symbol="cache.py:7:24")
    assert "cache.py:7:24" in ask("go_to_definition", symbol="use.py:13:21")
    shown = ask("find_references", symbol="use.py:9:7")
    assert "5: class Books(orm.Query['Book']):" in shown
    assert "exact 4" in shown
    assert "17: class Other" not in shown


RESULTS = {
    "result.ts": (
        "export type Ok<T> = { ok: true; value: T };\nexport type Bad<E> = { ok: false; error: E };\n"
        "export type Result<T, E> = Ok<T> | Bad<E>;\n"
        "export function map<T, U, E>(from: Result<T, E>, fn: (value: T) => U): Result<U, E> {\n"
        "  return from.ok ? { ok: true, value: fn(from.value) } : from;\n}\n"
    ),
    "use.ts": (
        'import { map, type Result } from "./result";\n\ninterface Row {\n  score: number;\n}\n'
        "interface Problem {\n  line: number;\n}\n"
        "declare function read(): Result<Row[], Problem>;\n\nexport function best(): number {\n"
        "  const top = map(read(), (rows) => rows.toSorted((a, b) => b.score - a.score)[0]);\n"
        "  return top.ok ? top.value.score : top.error.line;\n}\n"
    ),
}


def test_a_type_parameter_is_inferred_through_an_alias_and_from_what_a_function_makes_of_what_it_is_given(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, RESULTS))
    assert "4 uses on 3 lines" in ask("find_references", symbol="Row.score")
    assert "account: exact 4\n" in ask("find_references", symbol="Row.score")
    assert "account: exact 2\n" in ask("find_references", symbol="Problem.line")


PLANS = {
    "plans.ts": (
        "export const PLANS = {\n  free: { seats: 1, tags: [1] },\n  team: { seats: 5, tags: [2] },\n} as const;\n"
        "type Name = keyof typeof PLANS;\nexport type Plan = (typeof PLANS)[Name];\n"
        "export function seats(name: Name): number {\n  return PLANS[name].seats;\n}\n"
    ),
    "use.ts": (
        'import { PLANS, type Plan } from "./plans";\n\nexport function all(one: Plan): number {\n'
        "  const found = Object.values(PLANS).find((plan) => plan.seats > 2);\n"
        "  return one.seats + (found?.seats ?? 0);\n}\n"
    ),
}


def test_an_index_of_an_object_that_is_written_out_means_any_of_its_keys(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PLANS))
    for place in ("plans.ts:2:11", "plans.ts:3:11"):
        shown = ask("find_references", symbol=place)
        assert "exact 5" in shown
        assert "complete" in shown


COMPONENTS = {
    "modal.tsx": (
        "import React, { createContext, forwardRef, useContext, useReducer, useRef, useState as useHeld }\n"
        '  from "react";\n'
        'import type { Dispatch, PropsWithChildren } from "react";\n\n'
        "export interface Handle {\n  open(): void;\n}\ninterface Draft {\n  title: string;\n}\n"
        "type Action = { kind: string };\ntype Props = PropsWithChildren<{ name: string }>;\n"
        "const Held = createContext<Draft | null>(null);\n"
        "function reduce(state: Draft, action: Action): Draft {\n  return { ...state, title: action.kind };\n}\n"
        "function start(dispatch: Dispatch<Action>) {\n  dispatch({ kind: 'a' });\n}\n"
        "export const Modal = forwardRef<Handle, Props>(function Modal({ name }, ref) {\n"
        "  const [draft, setDraft] = useHeld<Draft>({ title: name });\n"
        "  const [state, dispatch] = useReducer(reduce, draft);\n  const handle = useRef<Handle>(null);\n"
        "  const lazy = React.useMemo(() => draft, [draft]);\n"
        "  setDraft((old) => ({ ...old, title: old.title }));\n  dispatch({ kind: state.title });\n"
        "  handle.current?.open();\n  return <b>{lazy.title + useContext(Held)?.title}</b>;\n});\n"
    ),
    "use.tsx": ('import { Modal } from "./modal";\n\nexport function Page() {\n  return <Modal name="a" />;\n}\n'),
    "own.ts": (
        "function useState<T>(value: T): T {\n  return value;\n}\ninterface Row {\n  size: number;\n}\n"
        "export function run(row: Row) {\n  return useState(row).size;\n}\n"
    ),
}


def test_functions_of_react_give_what_they_are_given_to_hold(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, COMPONENTS))
    for symbol, uses in (("Draft.title", 8), ("Action.kind", 4), ("Handle.open", 2), ("own.ts:5:3", 2)):
        shown = ask("find_references", symbol=symbol)
        assert f"account: exact {uses}\n" in shown, shown
    shown = ask("find_references", symbol="modal.tsx:12:34")
    assert "account: exact 3" in shown
    assert "use.tsx" in shown


HOSTS = {
    "player.svelte.js": (
        "export class Track {\n  title = '';\n}\nexport class Player {\n  queue = $state([new Track()]);\n"
        "  current = $derived(this.queue[0]);\n  last = $derived.by(() => this.queue[1]);\n}\n"
    ),
    "Row.svelte": (
        "<script>\n  import { Player } from './player.svelte.js';\n  const player = new Player();\n"
        "  const shown = $derived(player.queue.filter((one) => one.title));\n</script>\n\n"
        "{#each shown as track (track.title)}\n  <b>{player.current.title}{player.last.title}</b>\n{/each}\n"
    ),
    "use.ts": (
        'import { computed, ref, type Ref } from "vue";\n\ninterface Theme {\n  name: string;\n}\n'
        "const themes: Theme[] = [];\nconst first = ref(themes[0]);\nconst last = computed(() => themes[1]);\n"
        "export function show(given: Ref<Theme>): string {\n"
        "  return first.value.name + last.value.name + given.value.name;\n}\n"
    ),
}


def test_runes_and_references_give_what_they_hold(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, HOSTS))
    assert "account: exact 5\n" in ask("find_references", symbol="Track.title")
    assert "account: exact 4\n" in ask("find_references", symbol="Theme.name")


TABLES = {
    "table.tsx": (
        "export interface TableProps<T> {\n  rows: T[];\n  rowKey: (row: T) => string;\n  size?: number;\n}\n"
        "export function Table<T>({ rows, rowKey }: TableProps<T>) {\n  return <p>{rows.map(rowKey)}</p>;\n}\n"
        "export function each<T>(options: { values: T[]; name: string }, show: (value: T) => void): void {}\n"
        "export function select<T>(options: TableProps<T>, show: (value: T) => void): void {}\n"
    ),
    "use.tsx": (
        'import { each, select, Table } from "./table";\n\ninterface User {\n  id: string;\n}\n\n'
        "export function Users({ users }: { users: User[] }) {\n"
        "  select({ rows: users, rowKey: String }, (one) => console.log(one.id));\n"
        "  each({ values: users, name: 'a' }, (one) => console.log(one.id));\n"
        "  return <Table size={2} rowKey={(user) => user.id} rows={users} />;\n}\n"
    ),
}


def test_type_parameters_are_inferred_from_attributes_and_from_members_of_an_object(
    tmp_path: Path, opened: Open
) -> None:
    shown = opened(write(tmp_path, TABLES))("find_references", symbol="User.id")
    assert "account: exact 4\n" in shown


VARIANTS = {
    "button.tsx": (
        'import type { HTMLAttributes } from "react";\nimport { cva, type VariantProps } from "cva";\n\n'
        "const variants = cva('button', {\n  variants: { size: { small: 'a' } },\n});\n"
        "type Props = HTMLAttributes<HTMLElement> & VariantProps<typeof variants>;\n\n"
        "export function show(props: Props, plain: HTMLAttributes<HTMLElement>) {\n"
        "  return props.size + plain.size;\n}\n"
    ),
}


def test_a_type_from_outside_may_have_members_of_a_value_of_which_nothing_is_known(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, VARIANTS))
    assert "comes from outside" not in ask.response("go_to_definition", symbol="button.tsx:10:16").text
    assert "comes from outside" in ask.response("go_to_definition", symbol="button.tsx:10:29").text


RATES = {
    "rates.py": (
        "from typing import Protocol\n\n\nclass Source(Protocol):\n"
        "    def rate(self, source: str, day: int) -> float: ...\n"
        "\n\nclass Fixed:\n    def rate(self, source: str, when: int) -> float:\n        return 1.0\n\n\n"
        "class Other:\n    def convert(self, source: str) -> float:\n        return 2.0\n"
    )
}


def test_the_new_name_of_a_parameter_tells_of_methods_that_fit_one_another_by_a_protocol(
    tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, RATES))
    assert "rates.py:5" in ask("rename_symbol", symbol="rates.py:9:20", new_name="origin").split("@@")[0]
    assert "keep one of the old name: rates.py:9" in ask("rename_symbol", symbol="rates.py:5:20", new_name="origin")
    assert "decide" not in ask("rename_symbol", symbol="rates.py:9:33", new_name="moment")
    assert "decide" not in ask("rename_symbol", symbol="rates.py:14:23", new_name="origin")
