"""Code inside other files, and scripts that only their first line identifies: every tool sees them where they stand."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import Asking, Open, write
from leadline_server.call import Request
from leadline_tools.languages import HOSTS, LANGUAGES, PARSED

UTIL = "export function format(x: number): string { return String(x); }\nexport function label() { return 1; }\n"
PYTHON = '"metadata": {"language_info": {"name": "python"}}'


class Holding(NamedTuple):
    """A tree with code inside other files: what is asked about, where it is used, and how many uses are undecided."""

    files: Mapping[str, str]
    symbol: str
    used: tuple[str, ...]
    undecided: int = 0


TREES = {
    "vue": Holding(
        {
            "util.ts": UTIL,
            "App.vue": (
                '<template>\n<p :title="format(1)" @click="format(2); format(3)">{{ format(4) }} format</p>\n'
                "<!-- format -->\n</template>\n"
                '<script setup lang="ts">\nimport { format } from "./util";\nformat(5);\n</script>\n'
            ),
        },
        "util.format",
        ("App.vue:2", "App.vue:6", "App.vue:7", "util.ts:1"),
    ),
    "a Vue component without setup": Holding(
        {
            "util.ts": UTIL,
            "App.vue": (
                "<template><p>{{ format(4) }}</p></template>\n"
                '<script>\nimport { format } from "./util";\n'
                "export default { methods: { a() { format(1); } } };\n</script>\n"
            ),
        },
        "util.format",
        ("App.vue:3", "App.vue:4", "util.ts:1"),
        undecided=1,
    ),
    "svelte": Holding(
        {
            "util.ts": UTIL,
            "App.svelte": (
                "<script>\nimport { format } from './util';\n</script>\n{#each [1] as one}\n{format(one)}\n{:else}\n"
                '<p title="a {format(2)}" {format}>format</p>\n{/each}\n'
            ),
        },
        "util.format",
        ("App.svelte:2", "App.svelte:5", "App.svelte:7", "util.ts:1"),
        undecided=1,
    ),
    "astro": Holding(
        {
            "util.ts": UTIL,
            "a.astro": "---\nimport { format } from './util';\n---\n<p>{[1].map(x => <b>{format(x)}</b>)}</p>\n",
        },
        "util.format",
        ("a.astro:2", "a.astro:4", "util.ts:1"),
    ),
    "mdx": Holding(
        {"util.ts": UTIL, "a.mdx": "import { format } from './util'\n\n# format\n\n{format(1)} `format`\n"},
        "util.format",
        ("a.mdx:1", "a.mdx:5", "util.ts:1"),
    ),
    "html": Holding(
        {
            "util.ts": UTIL,
            "a.html": (
                "<title>format</title>\n<script type=module>\n"
                "import { format } from './util.js';\nformat(1);\n</script>\n"
                "<p>{{ format }}</p>\n<script type='application/json'>{\"format\": 1}</script>\n"
            ),
        },
        "util.format",
        ("a.html:3", "a.html:4", "util.ts:1"),
        undecided=1,
    ),
    "jupyter": Holding(
        {
            "lib.py": "def helper(x):\n    return x\n",
            "a.ipynb": (
                '{"cells": [\n{"cell_type": "markdown", "source": ["helper"]},\n'
                '{"cell_type": "code", "source": [\n"from lib import helper\\n",\n"print(\\"helper\\", helper(1))"]},\n'
                '{"cell_type": "code", "source": "%time helper(2)\\nhelper(3)"}],\n' + PYTHON + "}\n"
            ),
        },
        "helper",
        ("a.ipynb:4", "a.ipynb:5", "a.ipynb:6", "lib.py:1"),
        undecided=1,
    ),
    "erb": Holding(
        {
            "item.rb": "class Item\n  def self.price\n    1\n  end\nend\n",
            "a.html.erb": '<%# price %>\n<p class="price"><%= Item.price %></p>\n<script>price();</script>\n',
        },
        "Item.price",
        ("a.html.erb:2", "item.rb:2"),
        undecided=1,
    ),
    "blade": Holding(
        {
            "f.php": "<?php\nfunction price($x) { return $x; }\n",
            "a.blade.php": (
                "{{-- price --}}\n<p>{{ price(1) }} price</p>\n@if (price(2))\n@php price(3); @endphp\n@endif\n"
            ),
        },
        "price",
        ("a.blade.php:2", "a.blade.php:3", "a.blade.php:4", "f.php:2"),
    ),
    "razor": Holding(
        {
            "P.cs": 'namespace N { public class Product {\npublic string Label() { return ""; } } }\n',
            "V.cshtml": (
                "@using N\n@model Product\n@foreach (var x in new[] { 1 }) {\n"
                "<p>@Model.Label() Label</p>\n}\n@* Label *@\n"
            ),
            "W.razor": '@using N\n<p @onclick="() => p.Label()" />\n@code {\n  Product p;\n}\n',
        },
        "N.Product.Label",
        ("P.cs:2", "V.cshtml:4", "W.razor:2"),
    ),
    "bats": Holding(
        {
            "lib.bash": "greet() { echo hi; }\n",
            "t.bats": 'load lib.bash\n@test "greet" { greet; }\n',
            "u.bats": "load 'lib'\n@test greet {\n  greet\n}\n",
        },
        "greet",
        ("lib.bash:1", "t.bats:2", "u.bats:3"),
    ),
}


def parsed(ask: Asking, tool: str, **arguments: object) -> dict[str, object]:
    """Return an answer as JSON."""
    response = ask.session.call(Request(tool, {**arguments, "max_tokens": 20_000}, as_json=True))
    assert not response.is_error, response.text
    answer: dict[str, object] = json.loads(response.text)
    return answer


def lines(ask: Asking, symbol: str) -> list[str]:
    """Return the lines on which a symbol is surely or likely used."""
    items = parsed(ask, "find_references", symbol=symbol)["items"]
    assert isinstance(items, list)
    return sorted(f"{one['path']}:{one['line']}" for one in items if one.get("tier") in ("exact", "likely"))


@pytest.mark.parametrize("holding", TREES.values(), ids=TREES)
def test_uses_inside_other_files_are_found_and_what_is_no_code_is_text(
    holding: Holding, tmp_path: Path, opened: Open
) -> None:
    ask = opened(write(tmp_path, dict(holding.files)))
    assert lines(ask, holding.symbol) == sorted(holding.used)
    account = parsed(ask, "find_references", symbol=holding.symbol)["account"]
    assert isinstance(account, dict)
    assert account["undecided"] == holding.undecided
    name = holding.symbol.rpartition(".")[2]
    tokens = sum(len(re.findall(rf"\b{name}\b", text)) for text in holding.files.values())
    assert sum(account[one] for one in ("exact", "likely", "other", "undecided", "text")) == tokens


@pytest.mark.parametrize("holding", TREES.values(), ids=TREES)
def test_a_rename_changes_the_bytes_of_the_code_alone(holding: Holding, tmp_path: Path, opened: Open) -> None:
    root = write(tmp_path / "tree", dict(holding.files))
    ask = opened(root, cache=tmp_path / "cache", allow_edits=True)
    sure = parsed(ask, "find_references", symbol=holding.symbol, tier="exact")["account"]
    ask("rename_symbol", symbol=holding.symbol, new_name="renamedHere", apply=True)
    written = {path: (root / path).read_text(encoding="utf-8") for path in holding.files}
    name = holding.symbol.rpartition(".")[2]
    assert {path: text.replace("renamedHere", name) for path, text in written.items()} == dict(holding.files)
    assert isinstance(sure, dict)
    assert sum(text.count("renamedHere") for text in written.values()) == sure["exact"] + sure["aliased"]


def test_an_attribute_of_a_component_is_a_property_of_it(tmp_path: Path, opened: Open) -> None:
    files = {
        "Card.vue": (
            '<script setup lang="ts">\nexport interface Props {\n  title: string\n}\ndefineProps<Props>()\n</script>\n'
            "<template><p>{{ title }}</p></template>\n"
        ),
        "Line.vue": (
            '<script setup lang="ts">\nconst { title } = defineProps<{ title: string }>()\n</script>\n'
            "<template><p>{{ title }}</p></template>\n"
        ),
        "App.vue": (
            '<script setup>\nimport Card from "./Card.vue";\nimport Line from "./Line.vue";\n</script>\n'
            '<template><Card :title="1" title="title" />\n<Line v-bind:title="2" @title="3" />\n</template>\n'
        ),
    }
    ask = opened(write(tmp_path, files))
    account = parsed(ask, "find_references", symbol="Card.Props.title")["account"]
    assert isinstance(account, dict)
    assert (account["exact"], account["undecided"], account["text"]) == (4, 1, 1)
    assert "exact 3" in ask("find_references", symbol="Line.vue:2:33")
    assert "undecided, not changed: App.vue" in ask("rename_symbol", symbol="Line.vue:2:33", new_name="label")


def test_a_component_that_declares_no_properties_has_undecided_ones(tmp_path: Path, opened: Open) -> None:
    files = {
        "Card.vue": (
            "<script>\nexport default { props: { title: String } }\n</script>\n<template>{{ title }}</template>\n"
        ),
        "App.vue": '<script setup>\nimport Card from "./Card.vue";\nconst title = 1;\n</script>\n'
        '<template><Card :title="title" />\n</template>\n',
    }
    assert "exact 2, undecided 2" in opened(write(tmp_path, files))("find_references", symbol="App.vue:3:7")


PROPERTIES_OF_SVELTE = {
    "Item.svelte": (
        '<script lang="ts">\n  export let label = "";\n  export let done = false;\n</script>\n\n'
        "<p class:done>{label}</p>\n"
    ),
    "Counter.svelte": (
        '<script lang="ts">\n  interface Props {\n    count: number;\n    label?: string;\n  }\n'
        "  let { count = $bindable(0), label }: Props = $props();\n</script>\n\n<p>{label} {count}</p>\n"
    ),
    "Rest.svelte": "<script>\n  let { ...rest } = $props();\n  let label = 1;\n</script>\n\n<p {...rest}>{label}</p>\n",
    "App.svelte": (
        '<script lang="ts">\n  import Counter from "./Counter.svelte";\n  import Item from "./Item.svelte";\n'
        '  import Rest from "./Rest.svelte";\n  let many = 1;\n</script>\n\n'
        '<Item label="a" />\n<Counter bind:count={many} label="b" />\n<Rest label="c" />\n'
    ),
}


def test_an_attribute_of_a_component_of_svelte_is_a_property_of_it(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, PROPERTIES_OF_SVELTE))
    assert "exact 3, undecided 1" in ask("find_references", symbol="Item.svelte:2:14")
    assert "exact 3" in ask("find_references", symbol="Counter.Props.count")
    assert "exact 3, undecided 1" in ask("find_references", symbol="Counter.Props.label")
    assert "undecided 1" in ask("find_references", symbol="Rest.svelte:3:7")
    assert "+<Counter bind:number={many}" in ask("rename_symbol", symbol="Counter.Props.count", new_name="number")


def test_a_notebook_is_json_after_a_rename(tmp_path: Path, opened: Open) -> None:
    root = write(tmp_path / "tree", dict(TREES["jupyter"].files))
    ask = opened(root, cache=tmp_path / "cache", allow_edits=True)
    ask("rename_symbol", symbol="helper", new_name="assist", apply=True)
    cells = json.loads((root / "a.ipynb").read_text())["cells"]
    assert cells[1]["source"] == ["from lib import assist\n", 'print("helper", assist(1))']
    assert cells[2]["source"] == "%time helper(2)\nassist(3)"


def test_a_large_notebook_with_little_code_is_resolved(tmp_path: Path, opened: Open) -> None:
    picture = '{"cell_type": "code", "outputs": ["' + "A" * (5 << 20) + '"],\n"source": ["from lib import helper"]}'
    files = {"lib.py": "def helper(x):\n    return x\n", "a.ipynb": '{"cells": [' + picture + "],\n" + PYTHON + "}\n"}
    assert lines(opened(write(tmp_path, files)), "helper") == ["a.ipynb:2", "lib.py:1"]


def test_a_name_behind_an_escape_of_a_notebook_is_found(tmp_path: Path, opened: Open) -> None:
    files = {
        "lib.py": "def helper(x):\n    return x\n",
        "a.ipynb": '{"cells": [{"cell_type": "code", "source": "from lib import *\\nhelper(3)"}],\n' + PYTHON + "}\n",
    }
    assert lines(opened(write(tmp_path, files)), "helper") == ["a.ipynb:1", "lib.py:1"]


def test_the_outline_of_a_file_has_its_code_by_the_lines_of_the_file(tmp_path: Path, opened: Open) -> None:
    files = {
        "A.vue": "<template/>\n<script setup>\nfunction add() {\n  return 1;\n}\n</script>\n",
        "n.ipynb": '{"cells": [\n{"cell_type": "code", "source": [\n"def run(a):\\n",\n"    return a"]}],\n'
        + PYTHON
        + "}\n",
        "p.html": "<title>Shop</title>\n<script>\nfunction show() {}\n</script>\n",
    }
    ask = opened(write(tmp_path, files))
    assert "3-5 function add()" in ask("document_symbols", path="A.vue")
    assert "2-4 cell 1\n 3-4 def run(a)" in ask("document_symbols", path="n.ipynb")
    assert "1 <title>Shop</title>\n3 function show()" in ask("document_symbols", path="p.html")
    assert "3 function add()" in ask("symbol_search", query="add")


def test_calls_in_a_template_are_calls_from_its_file(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, dict(TREES["vue"].files)))
    assert "App.vue:2,7 (top level)" in ask("call_hierarchy", symbol="util.format")


def test_what_a_template_names_leads_to_its_definition(tmp_path: Path, opened: Open) -> None:
    ask = opened(write(tmp_path, dict(TREES["vue"].files)))
    assert "util.ts:1" in ask("go_to_definition", symbol="App.vue:2:12")


def test_what_a_loop_of_a_template_binds_hides_what_the_script_has(tmp_path: Path, opened: Open) -> None:
    files = {
        "App.vue": (
            "<script setup>\nfunction one() {}\none();\n</script>\n"
            '<template><p v-for="one in [1]">{{ one }}</p><p>{{ one() }}</p></template>\n'
        ),
    }
    ask = opened(write(tmp_path, files))
    account = parsed(ask, "find_references", symbol="App.one")["account"]
    assert isinstance(account, dict)
    assert (account["exact"], account["other"]) == (3, 2)


SCRIPTS = {
    "#!/usr/bin/env python3": "tool",
    "#!/usr/bin/python3.11": "tool",
    "#!/usr/bin/env -S python3 -u": "bin/tool",
    "#!/usr/bin/env -S uv run --script": "release-1.2",
    "#!/usr/bin/env LANG=C python": ".git-hook",
    "#! /usr/bin/python": "run.cgi",
}


@pytest.mark.parametrize("first", SCRIPTS)
def test_a_script_is_resolved_by_its_first_line_whatever_it_is_called(first: str, tmp_path: Path, opened: Open) -> None:
    path = SCRIPTS[first]
    files = {
        "lib.py": "def helper(x):\n    return x\n",
        path: f"{first}\nfrom lib import helper\n\ndef main():\n    helper(1)\n",
    }
    ask = opened(write(tmp_path, files))
    assert lines(ask, "lib.helper") == sorted(["lib.py:1", f"{path}:2", f"{path}:5"])
    assert "main" in ask("call_hierarchy", symbol="lib.helper")
    assert f"{path}\n4 def main()" in ask("symbol_search", query="main")
    assert "no references" not in ask("find_references", symbol=f"{path}:4")
    renamed = ask("rename_symbol", symbol="lib.helper", new_name="assist")
    assert f"{path}\n@@" in renamed
    assert "+    assist(1)" in renamed
    assert "text" not in ask("count_files", by="language")


def test_a_script_is_known_after_a_restart_and_forgotten_once_it_is_none(tmp_path: Path, opened: Open) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    script = "#!/usr/bin/env python3\nfrom lib import helper\nhelper(1)\n"
    write(root, {"lib.py": "def helper(x):\n    return x\n", "run-1.2": script})
    first = opened(root, cache=cache)
    assert lines(first, "helper") == ["lib.py:1", "run-1.2:2", "run-1.2:3"]
    first.session.close()
    second = opened(root, cache=cache)
    assert lines(second, "helper") == ["lib.py:1", "run-1.2:2", "run-1.2:3"]
    write(root, {"run-1.2": script.removeprefix("#!/usr/bin/env python3\n")})
    assert lines(second, "helper") == ["lib.py:1"]


def test_two_trees_do_not_share_what_is_known_of_their_scripts(tmp_path: Path, opened: Open) -> None:
    one = opened(write(tmp_path / "one", {"run": "#!/bin/sh\ngreet() { :; }\ngreet\n"}))
    two = opened(write(tmp_path / "two", {"run": "#!/usr/bin/env python3\ndef greet(): pass\ngreet()\n"}))
    for _ in range(2):
        assert lines(one, "greet") == ["run:2", "run:3"]
        assert lines(two, "greet") == ["run:2", "run:3"]
    assert "bash" in one("count_files", by="language")
    assert "python" in two("count_files", by="language")


UNCLOSED = (
    *("{", "{{", "<a ", "<script>", "<!--", "@{", "@(", "@if(", "`", '<a x="', "{`${", "<%", "{{--", "{#each ", "/*"),
    *('"\\', '<div v-for="a in b">', "</div>", "```\n", '[{"cells":', '@test "', "@{<p>", "<?", "((((", "(a,", "<a on"),
)


@pytest.mark.parametrize("name", [*HOSTS, "php", "bash"])
@pytest.mark.parametrize("unit", UNCLOSED)
def test_what_is_never_closed_takes_linear_time(name: str, unit: str) -> None:
    content = b'<script setup></script>{"cells":[{"cell_type":"code","source":"' + unit.encode() * (
        100_000 // len(unit)
    )
    path = {"php": "a.blade.php", "bash": "a.bats"}.get(name, f"a{PARSED[name].files.extensions[0]}")
    regions = PARSED[name].source.regions
    assert regions is not None
    began = time.process_time()
    found = regions(path, content)
    assert time.process_time() - began < 5  # a fifth of a second; repeated for each it would take minutes
    assert found is not None
    assert all(
        content[one.origin : one.origin + one.end - one.start] == found.code[one.start : one.end]
        for one in found.pieces
    )


def test_a_kind_of_file_has_the_rules_of_the_language_of_its_code() -> None:
    for host in HOSTS.values():
        language = LANGUAGES[host.embeds]
        assert host.semantics is language.semantics
        assert host.language_group == language.language_group
        assert host.rules == language.rules
