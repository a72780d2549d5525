"""Several roots are one code base: what one of them answers alone it answers among others, under its name."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import PromptReference, TextContent

from conftest import Asking, start_configured, write
from consoles import Console
from leadline_server.app import build
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_server.prompts import write_prompt
from leadline_server.running import index_of
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.index import Index
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.paths.unlisted import Unlisted
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.database import index_path

SHOP = {
    "README.md": "# Shop\n\nSells things.\n",
    "ruff.toml": 'lint.select = ["F401"]\n',
    "shop/__init__.py": "",
    "shop/models.py": (
        "import os\n\n\nclass Basket:\n    def add(self, item):\n        return self.total() + item\n\n"
        "    def total(self):\n        return 0\n\n\nclass Gift(Basket):\n    def total(self):\n        return 1\n"
    ),
    "shop/till.py": "from shop.models import Basket\n\n\ndef pay():\n    return Basket().add(1)\n",
    "tests/test_till.py": "from shop.till import pay\n\n\ndef test_pay():\n    assert pay()\n",
}
LIBRARY = {
    "README.md": "# Library\n\nTalks to the shop.\n",
    "client.py": (
        "from shop.models import Basket\n\n\nclass Reader:\n    def total(self):\n        return Basket().add(2)\n"
    ),
    "src/util.ts": "export function total(values: number[]): number {\n  return values.length;\n}\n",
}

QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("list_files", {"path": "/", "recursive": True, "limit": 50}),
    ("list_files", {"path": "/shop"}),
    ("count_files", {"path": "/", "by": "language"}),
    ("read_file", {"path": "/shop/models.py"}),
    ("search_text", {"query": "total", "path": "/"}),
    ("search_text", {"query": "Basket", "path": "/shop/*.py", "word": True}),
    ("symbol_search", {"query": "total", "path": "/shop"}),
    ("symbol_search", {"query": "Baskte", "path": "/"}),
    ("document_symbols", {"path": "/shop/models.py"}),
    ("go_to_definition", {"symbol": "/shop/models.py:4"}),
    ("go_to_definition", {"symbol": "Basket.add"}),
    ("find_references", {"symbol": "Basket"}),
    ("find_references", {"symbol": "/shop/till.py:5:12", "path": "/tests"}),
    ("find_references", {"symbol": "Basket.total", "tier": "name"}),
    ("type_members", {"symbol": "Gift", "inherited": True}),
    ("call_hierarchy", {"symbol": "Basket.add", "depth": 3}),
    ("call_hierarchy", {"symbol": "pay", "direction": "outgoing"}),
    ("find_implementations", {"symbol": "Basket"}),
    ("repo_map", {"path": "/"}),
    ("rename_symbol", {"symbol": "Basket.add", "new_name": "put"}),
    ("rename_symbol", {"symbol": "/shop/models.py:5:19", "new_name": "thing"}),
    ("apply_code_fix", {"path": "/"}),
    ("apply_code_fix", {"path": "/shop/models.py", "fix": "F401"}),
    ("apply_code_fix", {"path": "/shop", "pattern": "Basket()", "rewrite": "Gift()"}),
)
"""Questions about the shop; a path that begins with a slash is one of its root."""

Opening = Callable[..., Asking]


@pytest.fixture(scope="module")
def opening(sessions: list[Session]) -> Opening:
    """Open sessions on a tree, or on several by their names."""

    def start(roots: Path | dict[str, Path], cache: Path | None = None, **options: object) -> Asking:
        named = roots if isinstance(roots, dict) else {}
        first = roots if isinstance(roots, Path) else next(iter(roots.values()))
        config = Config(first, cache, "openai", roots=named, **options)  # type: ignore[arg-type]
        return start_configured(config, sessions)

    return start


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("roots")
    write(made / "shop", SHOP)
    write(made / "library", LIBRARY)
    return made


@pytest.fixture(scope="module")
def alone(opening: Opening, folder: Path) -> Asking:
    return opening(folder / "shop")


@pytest.fixture(scope="module")
def both(opening: Opening, folder: Path) -> Asking:
    return opening({"web": folder / "shop", "lib": folder / "library"})


@pytest.fixture
def writable(opening: Opening, tmp_path: Path) -> Asking:
    """Both roots where they may be changed."""
    write(tmp_path / "shop", SHOP)
    write(tmp_path / "library", LIBRARY)
    roots = {"web": tmp_path / "shop", "lib": tmp_path / "library"}
    return opening(roots, tmp_path / "cache", allow_edits=True)


def items(asking: Asking, tool: str, arguments: dict[str, object]) -> list[dict[str, object]]:
    """Return all items of an answer as programs get them."""
    response = asking.session.call(Request(tool, {**arguments, "max_tokens": 9_000}, store=True, as_json=True))
    assert not response.is_error, response.text
    found: list[dict[str, object]] = json.loads(asking.session.read_all(response.uri, 0))["items"]
    return found


def placed(arguments: dict[str, object], name: str) -> dict[str, object]:
    """Return arguments whose paths are those of a root; without a name it is the only one."""
    return {
        key: re.sub(r"^/", f"{name}/" if name else "", value).rstrip("/") or "."
        if isinstance(value, str) and key in ("path", "symbol")
        else value
        for key, value in arguments.items()
    }


def renamed(found: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return items as the root alone would have them: its name is taken off paths and dotted names.

    Left out is what depends on more than the root: prices are sampled from all of the code, ranks are shares of all,
    and the id of a fix is a digest of the path, among others.
    """
    text = re.sub(r'(?<=")web(/|\.)', "", json.dumps(found))
    return [{key: one[key] for key in one.keys() - {"tokens", "rank", "fixes"}} for one in json.loads(text)]


@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS, ids=[f"{tool}-{n}" for n, (tool, _) in enumerate(QUESTIONS)])
def test_a_root_answers_among_others_what_it_answers_alone(
    alone: Asking, both: Asking, tool: str, arguments: dict[str, object]
) -> None:
    among = items(both, tool, placed(arguments, "web"))
    assert among or tool == "find_references"
    assert renamed(among) == renamed(items(alone, tool, placed(arguments, "")))


@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS, ids=[f"{tool}-{n}" for n, (tool, _) in enumerate(QUESTIONS)])
def test_every_next_call_of_an_answer_works_as_it_stands(both: Asking, tool: str, arguments: dict[str, object]) -> None:
    answer = both(tool, **placed(arguments, "web"), max_tokens=800)
    for called, given in re.findall(r"^next: (\w+)\((.*)\) ~", answer, re.MULTILINE):
        told = {key: json.loads(value) for key, value in re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|[\w.-]+)', given)}
        both(called, **told)


# What is asked of all roots


def test_at_the_top_there_are_the_roots_with_what_they_hold(both: Asking) -> None:
    answer = both("list_files")
    assert "roots: 2 roots, complete" in answer
    assert re.search(r"^lib: 3 files, [\d,]+ lines", answer, re.MULTILINE)
    assert re.search(r"^web: 6 files, [\d,]+ lines", answer, re.MULTILINE)


def test_the_counts_of_all_roots_are_those_of_each_together(both: Asking, alone: Asking) -> None:
    whole, web, lib = (items(both, "count_files", {"path": path})[0] for path in (".", "web", "lib"))
    for key in ("files", "lines", "bytes"):
        assert whole[key] == int(str(web[key])) + int(str(lib[key]))
    assert web["files"] == items(alone, "count_files", {})[0]["files"]


def test_a_search_without_a_root_looks_into_all(both: Asking) -> None:
    found = {str(item["path"]) for item in items(both, "search_text", {"query": "Basket", "word": True})}
    assert found == {"web/shop/models.py", "web/shop/till.py", "lib/client.py"}
    in_glob = {str(item["path"]) for item in items(both, "search_text", {"query": "shop", "path": "*.md"})}
    assert in_glob == {"web/README.md", "lib/README.md"}


def test_names_of_all_roots_come_in_one_order(both: Asking) -> None:
    found = [str(item["path"]) for item in items(both, "symbol_search", {"query": "total"})]
    assert sorted(set(found)) == ["lib/client.py", "lib/src/util.ts", "web/shop/models.py"]
    assert "4 exact" not in both("symbol_search", query="total", kind="Method")  # one function is left out
    closest = items(both, "symbol_search", {"query": "Read"})
    assert [str(item["name"]) for item in closest][:1] == ["Reader"]


def test_a_name_that_only_one_root_has_is_not_answered_with_similar_ones_of_the_other(both: Asking) -> None:
    assert [item["name"] for item in items(both, "symbol_search", {"query": "Reader"})] == ["Reader"]
    assert "similar" in both("symbol_search", query="Raeder")


def test_a_name_of_two_roots_is_answered_for_both(both: Asking) -> None:
    answer = both("go_to_definition", symbol="total")
    assert "9 lines of 4 definitions, complete" in answer.splitlines()[0]
    assert "Function lib.src.util.total lib/src/util.ts:1" in answer
    assert "web/shop/models.py:8" in answer
    assert "total(values: number[])" in both("go_to_definition", symbol="lib/src/util.ts:1")
    assert "def total" in both("go_to_definition", symbol="lib.client.Reader.total")


def test_the_map_ranks_the_files_of_all_roots(both: Asking) -> None:
    roots = {str(item["path"]).partition("/")[0] for item in items(both, "repo_map", {}) if "path" in item}
    assert roots == {"web", "lib"}


def test_diagnostics_of_all_roots_are_told_together_each_by_its_own_rules(both: Asking) -> None:
    found = [(item["path"], item["code"]) for item in items(both, "apply_code_fix", {})]
    assert ("web/shop/models.py", "F401") in found


# Two roots are two repositories


def test_uses_in_another_root_are_told_and_not_counted(both: Asking) -> None:
    answer = both("find_references", symbol="Basket")
    assert "in 1 file of root lib, since names are resolved inside one root: search_text lists them" in answer
    assert "lib/client.py" not in answer
    assert "not examined" not in both("find_references", symbol="Gift")


def test_a_question_in_words_is_put_to_every_root(both: Asking) -> None:
    roots = {str(item["path"]).partition("/")[0] for item in items(both, "find_code", {"query": "total of a basket"})}
    assert len(roots) == 2


@pytest.mark.parametrize("tool", ["find_references", "call_hierarchy", "find_implementations"])
def test_no_answer_is_complete_while_another_root_may_hold_more_of_it(both: Asking, tool: str) -> None:
    answer = both(tool, symbol="Basket")
    assert "complete" not in answer.splitlines()[0]
    assert f"no {tool}" not in answer.splitlines()[0]
    response = both.session.call(Request(tool, {"symbol": "Basket"}, as_json=True))
    whole = json.loads(response.text)
    assert whole["complete"] is False
    assert sum(whole["account"]["not_examined"].values()) > 0
    assert "other root" in whole["account"]["not_examined"]


def test_an_answer_about_the_files_of_one_root_is_complete_whatever_others_hold(both: Asking) -> None:
    assert "complete" in both("find_references", symbol="Basket", path="web").splitlines()[0]


def test_an_answer_about_the_symbols_of_all_roots_leaves_none_out(both: Asking) -> None:
    assert "not examined" not in both("find_references", symbol="total")


def test_two_states_of_one_repository_are_not_mixed_up(opening: Opening, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "shop", tmp_path / "new")
    asking = opening({"old": folder / "shop", "new": tmp_path / "new"})
    for root in ("old", "new"):
        found = items(asking, "find_references", {"symbol": f"{root}.shop.models.Basket"})
        assert {str(item["path"]).partition("/")[0] for item in found} == {root}
        assert len(found) == len(items(asking, "find_references", {"symbol": f"{root}/shop/models.py:4"}))


def test_the_index_of_a_root_is_the_same_under_every_name(opening: Opening, folder: Path, tmp_path: Path) -> None:
    opening(folder / "shop", tmp_path).session.close()
    config = Config(folder, tmp_path, roots={"any": folder / "shop", "lib": folder / "library"})
    index = index_of(config)
    try:
        index.start()
        coverage = index.parts[0].coverage()
        assert (coverage.files, coverage.complete) == (len(SHOP), True)
    finally:
        index.close()
    assert len(list((tmp_path / "index").glob("*.db"))) == 2
    assert index_path(tmp_path, (folder / "shop").resolve()).exists()


# Paths


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("shop/models.py", 'Call read_file(path="web/shop/models.py").'),
        ("web/shop/model.py", 'Call read_file(path="web/shop/models.py").'),
        ("nowhere/a.py", "list_files"),
        ("../shop/models.py", "not a path inside the root"),
        ("web/../../etc/passwd", "not a path inside the root"),
        ("web", "is a folder"),
        (".", "is a folder"),
    ],
)
def test_a_path_of_no_root_is_an_error_that_says_what_to_call(both: Asking, path: str, said: str) -> None:
    assert said in both.error("read_file", path=path)


def test_a_place_of_no_root_is_an_error_that_says_where_it_may_be(both: Asking) -> None:
    assert "'web/shop/models.py'" in both.error("find_references", symbol="shop/models.py:4")


def test_an_absolute_path_is_taken_for_that_of_its_root(both: Asking, folder: Path) -> None:
    assert "web/shop/till.py" in both("read_file", path=str((folder / "shop/shop/till.py").resolve()))


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_into_another_root_leads_out(opening: Opening, tmp_path: Path) -> None:
    write(tmp_path / "one", {"a.txt": "seen\n"})
    write(tmp_path / "two", {"b.txt": "kept\n"})
    (tmp_path / "one/link.txt").symlink_to(tmp_path / "two/b.txt")
    asking = opening({"one": tmp_path / "one", "two": tmp_path / "two"})
    assert "'one/link.txt' is not a path inside the root" in asking.error("read_file", path="one/link.txt")
    assert "two/b.txt" in asking("search_text", query="kept")


def test_what_changes_in_a_root_is_known_to_the_next_question(writable: Asking) -> None:
    root = writable.session.config.roots["lib"]
    write(root, {"new/late.py": "def latecomer():\n    return 1\n"})
    assert "lib/new/late.py" in writable("symbol_search", query="latecomer")
    (root / "client.py").unlink()
    assert "There is no file" in writable.error("read_file", path="lib/client.py")


def test_a_secret_file_is_secret_in_every_root(opening: Opening, folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", {".env": "WORD=1\n", "config/.env": "WORD=2\n"})
    roots = {"web": folder / "shop", "other": tmp_path / "other"}
    assert "secret" in opening(roots)("search_text", query="WORD")
    allowed = opening(roots, allow_secrets=("other/config/.env",))
    assert "other/config/.env" in allowed("search_text", query="WORD=2")
    assert "secret" in allowed.error("read_file", path="other/.env")


# Edits


def test_an_edit_in_one_root_is_written_and_undone_there(writable: Asking) -> None:
    roots = writable.session.config.roots
    before = (roots["web"] / "shop/till.py").read_text()
    answer = writable("rename_symbol", symbol="Basket.add", new_name="put", apply=True)
    assert "Basket().put(1)" in (roots["web"] / "shop/till.py").read_text()
    assert (roots["lib"] / "client.py").read_text() == LIBRARY["client.py"]
    assert "decide: resolved inside web only; lib may hold the name in 1 file" in answer
    uri = re.findall(r"leadline://result/\w+", answer)[-1]
    writable("rename_symbol", undo=uri, apply=True)
    assert (roots["web"] / "shop/till.py").read_text() == before


def test_an_edit_of_several_roots_is_one(writable: Asking) -> None:
    roots = writable.session.config.roots
    edit = {"pattern": "Basket().add($A)", "rewrite": "Basket().put($A)", "fix": "all"}
    preview = writable("apply_code_fix", **edit)
    assert "2 edits in 2 files" in preview
    answer = writable("apply_code_fix", **edit, apply=True)
    assert "put(2)" in (roots["lib"] / "client.py").read_text()
    assert "put(1)" in (roots["web"] / "shop/till.py").read_text()
    uri = re.findall(r"leadline://result/\w+", answer)[-1]
    writable("apply_code_fix", undo=uri, apply=True)
    assert (roots["lib"] / "client.py").read_text() == LIBRARY["client.py"]
    assert (roots["web"] / "shop/till.py").read_text() == SHOP["shop/till.py"]


# Over the wire


@pytest.mark.anyio
async def test_a_client_pages_completes_and_is_prompted_with_the_names_of_the_roots(both: Asking) -> None:
    async with Client(build(both.session), cache=None) as client:
        assert str(client.instructions).endswith("\nPaths begin with the name of a root: lib, web.")
        cut = await client.call_tool("search_text", {"query": "e", "max_tokens": 150})
        assert isinstance(cut.content[0], TextContent)
        uri = re.findall(r"leadline://result/\w+", cut.content[0].text)[-1]
        paged = await client.call_tool("read_result", {"uri": uri, "max_tokens": 9_000})
        assert isinstance(paged.content[0], TextContent)
        assert {"web/shop/models.py", "lib/client.py"} <= set(paged.content[0].text.splitlines())
        resource = await client.read_resource(f"{uri}?limit=0")
        paths = {item["path"] for item in json.loads(resource.contents[0].text)["items"]}  # type: ignore[union-attr]
        assert {path.partition("/")[0] for path in paths} == {"web", "lib"}

        async def completed(prompt: str, name: str, typed: str) -> list[str]:
            found = await client.complete(PromptReference(name=prompt), {"name": name, "value": typed})
            return list(found.completion.values)

        assert await completed("explore", "path", "") == ["lib/", "web/"]
        assert await completed("explore", "path", "web/sh") == ["web/shop/"]
        assert await completed("impact", "symbol", "Bask") == ["Basket"]
        prompt = await client.get_prompt("explore", {"path": "web"})
        assert isinstance(prompt.messages[0].content, TextContent)
        assert 'read_file(path="web/README.md"' in prompt.messages[0].content.text


def test_the_plan_of_a_prompt_names_the_roots(both: Asking) -> None:
    assert 'symbol="web/shop/models.py:4"' in write_prompt(both.session, "impact", {"symbol": "Basket"})


def test_to_explore_several_roots_is_to_read_what_each_says_of_itself(both: Asking) -> None:
    plan = write_prompt(both.session, "explore", {})
    assert 'read_file(path="web/README.md"' in plan
    assert 'read_file(path="lib/README.md"' in plan


# The console


@pytest.fixture
def roots(console: Console) -> Console:
    write(console.folder / "shop", SHOP)
    write(console.folder / "library", LIBRARY)
    return console


def test_roots_are_named_on_the_command_line_in_the_environment_and_in_the_file(roots: Console) -> None:
    call = ("call", "list_files", "--cache-dir", str(roots.home / "cache"))
    on_line = roots(*call, "--root", "web=shop", "--root", "lib=library")
    assert (on_line.code, "2 roots" in on_line.out) == (0, True), on_line.err
    variable = os.pathsep.join(("web=shop", "lib=library"))
    assert roots(*call, variables={"LEADLINE_ROOT": variable}).out == on_line.out
    file = roots.home / "leadline.toml"
    shop, library = ((roots.folder / name).as_posix() for name in ("shop", "library"))
    file.write_text(f'root = ["web={shop}", "lib={library}"]\n', encoding="utf-8")
    assert roots("--config", str(file), *call).out == on_line.out
    file.write_text(f'root = "{shop}"\n', encoding="utf-8")
    assert "README.md" in roots("--config", str(file), *call).out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("web=shop", "web=library"), "two roots are named 'web': give each a different name"),
        (("web=.", "lib=library"), "is inside web"),
        (("lib=shop/shop", "web=shop"), "is inside web"),
        (("web=shop", "lib=shop"), "omit one of the two"),
        (("web=shop", "lib=nowhere"), "'nowhere' does not exist"),
        (("a/b=shop",), "'a/b' cannot be the name of a root"),
        (("shop", "lib=library"), "several roots need names: pass --root shop="),
        (("web=shop/README.md",), "is a file"),
    ],
)
@pytest.mark.parametrize("command", ["call", "serve"])
def test_roots_that_cannot_be_navigated_together_are_one_line(
    roots: Console, command: str, given: tuple[str, ...], said: str
) -> None:
    options = [word for root in given for word in ("--root", root)]
    ran = roots(command, *(("list_files",) if command == "call" else ()), *options)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert said in ran.err


def test_a_folder_that_is_called_like_a_named_root_is_that_folder(roots: Console) -> None:
    write(roots.folder / "web=shop", {"odd.txt": "odd\n"})
    ran = roots("call", "list_files", "--root", "web=shop", "--cache-dir", str(roots.home / "cache"))
    assert "odd.txt" in ran.out


def test_the_other_commands_take_the_same_roots(roots: Console) -> None:
    options = ("--root", "web=shop", "--root", "lib=library", "--cache-dir", str(roots.home / "cache"))
    indexed = [json.loads(line)["files"] for line in roots("index", "--json", *options).out.splitlines()]
    assert indexed == [len(SHOP), len(LIBRARY)]
    seen = {one["name"]: one["seen"] for one in json.loads(roots("doctor", "--json", *options).out)}
    assert str(roots.folder.resolve() / "library") in seen["watcher"] or "whole trees" in seen["watcher"]
    diff = roots("install", "vscode", "--dry-run", *options[:4]).out
    assert f'"web={(roots.folder / "shop").resolve()}"'.replace("\\", "\\\\") in diff


def test_the_shell_completes_the_names_of_the_roots_and_what_is_in_them(roots: Console) -> None:
    words = ("leadline", "call", "--root", "web=shop", "--root", "lib=library", "read_file")
    variables = {"_LEADLINE_COMPLETE": "zsh_complete", "COMP_CWORD": str(len(words))}

    def typed(last: str) -> list[str]:
        ran = roots(variables={**variables, "COMP_WORDS": "\n".join((*words, last))})
        return ran.out.splitlines()[1::3]

    assert typed("path=") == ["path=lib/", "path=web/"]
    assert typed("path=web/s") == ["path=web/shop/"]
    assert typed("path=src") == []


# What keeps it whole


_OF_A_PART = {
    Index: {"root"},
    ListedFiles: {"by_id", "paths_of"},
    WordIndex: {"large_files"},
    SymbolIndex: {"may_define", "may_define_inside", "owners_of", "paths_named"},
    FileFacts: {"fetch", "request", "build_if_wanted", "stop_building", "clear", "close", "is_settled", "release"},
    FirstScan: {"start", "end"},
}
"""What is asked of the index of one root only."""

_DERIVED = {
    Index: {"snapshot", "read", "try_read"},
    ListedFiles: {"has_folder", "secret"},
    SymbolIndex: {"outline", "definitions", "unparsed_lines"},
    FirstScan: {"is_done_soon", "wait", "wait_for_paths"},
}
"""What rests on what several roots answer themselves."""


def public(class_: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(class_) if not name.startswith("_")}


def test_all_that_is_asked_of_an_index_is_answered_by_several() -> None:
    for class_ in (Index, ListedFiles, Unlisted, WordIndex, SymbolIndex, FileFacts, FirstScan):
        (joined,) = [one for one in class_.__subclasses__() if ".hosted." not in one.__module__]
        assert public(class_) - vars(joined).keys() == _OF_A_PART.get(class_, set()) | _DERIVED.get(class_, set())


def test_types_below_one_from_outside_are_those_of_every_root(opening: Opening, tmp_path: Path) -> None:
    texts = {
        "one": "import far\n\n\nclass A(far.Outside):\n    pass\n",
        "two": "import far\n\n\nclass B(far.Outside): ...\n",
    }
    roots = {name: write(tmp_path / name, {"m.py": text}) for name, text in texts.items()}
    said = opening(roots)("find_implementations", symbol="Outside")
    assert "class A(far.Outside)" in said
    assert "class B(far.Outside)" in said


def test_of_many_roots_that_have_a_name_three_are_named_and_the_others_counted(
    opening: Opening, tmp_path: Path
) -> None:
    roots = {f"r{number}": write(tmp_path / f"r{number}", {"m.py": "thing()\n" * (number + 1)}) for number in range(6)}
    write(roots["r0"], {"own.py": "def thing(): ...\n"})
    answer = opening(roots)("find_references", symbol="r0/own.py:thing")
    for number in (5, 4, 3):
        assert f"{number + 1} in 1 file of root r{number}, since names are resolved inside one root" in answer
    assert "5 in 2 files of 2 more roots" in answer
    assert "root r2" not in answer
    within = opening(roots)("find_references", symbol="r0/own.py:thing", path="r0")
    assert "other roots" not in within
