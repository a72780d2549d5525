"""The page of a running server: what its scripts get, and what it refuses."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.requests import Request as WebRequest
from starlette.testclient import TestClient

from conftest import Asking, Open, start_configured, write
from keys import KEYS
from leadline_server import running
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_server.gate import Address, Tokens
from leadline_server.http import application
from leadline_server.page.calls import until_closed
from leadline_server.page.document import static_names
from leadline_server.page.routes import routes
from leadline_server.page.weights import find_folder, weigh
from leadline_server.running import server_of

TOKEN = "a token of some length"

FILES = {
    "app/models.py": "class Order:\n    def total(self):\n        return 1\n" * 40,
    "app/views.py": "from app.models import Order\n\nOrder().total()\n" * 20,
    "app/wide.py": "".join(
        f"class Part{i}:\n" + "".join(f"    def method_{j}(self, first, second): ...\n" for j in range(20))
        for i in range(40)
    ),
    "app/deep/er/module.py": "x = 1\n" * 50,
    "app/locale/de.po": 'msgid "x"\n' * 50,
    "tests/test_models.py": "def test_nothing():\n    pass\n" * 30,
    "docs/<b>bold</b> & more.md": "# Title\n" * 100,
    "docs/odd\u202ename.md": "left \u202e right\n",
    "data.bin": "\0" * 9_000,
    ".env": "SECRET=1\n" * 500,
}

STATIC = tuple(f"/page/static/{name}" for name in sorted(static_names()))
FETCHED = ("/page/about", "/page/state", "/page/ledger", "/page/map", "/page/highlights?path=app/views.py&last=9")


@pytest.fixture(scope="module")
def ask(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    root = write(tmp_path_factory.mktemp("page") / "shop", FILES)
    return opened(root, cache=root.with_name("cache"), model="gpt-5", long_ids=True)


def client(ask: Asking, *tokens: str) -> TestClient:
    address = Address("127.0.0.1", 8765, tokens=Tokens(tokens))
    return TestClient(application(server_of(ask.session), address, routes(ask.session)), "http://127.0.0.1:8765")


@pytest.fixture
def page(ask: Asking) -> TestClient:
    return client(ask)


def call(page: TestClient, tool: str, **arguments: object) -> dict[str, Any]:
    answer: dict[str, Any] = page.post("/page/call", json={"tool": tool, "arguments": arguments}).json()
    return answer


def test_no_other_site_may_show_or_run_a_part_of_the_page(page: TestClient) -> None:
    for path in ("/", "/page/about", "/page/map", "/page/ledger", *STATIC):
        response = page.get(path)
        assert response.status_code == 200
        assert response.headers["cross-origin-resource-policy"] == "same-origin"


# The calls


def test_a_call_returns_the_very_text_that_a_model_gets_and_every_item(page: TestClient, ask: Asking) -> None:
    answer = call(page, "find_references", symbol="app.models.Order", max_tokens=200)
    question = Request("find_references", {"symbol": "app.models.Order", "max_tokens": 200}, "http", store=True)
    assert answer["text"] == ask.session.call(question).text
    assert answer["total"] == len(answer["items"]) > answer["shown"] > 0
    assert answer["kept"] == [place < answer["shown"] for place in range(answer["total"])]
    assert answer["account"]["exact"] > answer["total"] // 2
    assert (answer["cut"], answer["budget"]) == (True, 200)
    assert f"| {answer['price']:,} of 200 tokens" in answer["text"]
    assert answer["whole_price"] > answer["price"]


def test_an_error_is_shown_as_a_model_gets_it(page: TestClient, ask: Asking) -> None:
    answer = call(page, "read_file", path="nothing.py")
    assert answer == {"text": ask.error("read_file", path="nothing.py"), "error": True}


def test_a_larger_budget_keeps_more_and_its_preview_is_what_the_call_returns(page: TestClient) -> None:
    answer = call(page, "find_references", symbol="app.models.Order", max_tokens=150)
    previews = [
        page.get("/page/preview", params={"uri": answer["uri"], "max_tokens": tokens}).json()
        for tokens in (answer["least"], 150, 400, 4_000)
    ]
    assert [one["shown"] for one in previews] == sorted(one["shown"] for one in previews)
    assert previews[0]["shown"] < previews[-1]["shown"] == answer["total"]
    for preview in previews:
        again = call(page, "find_references", symbol="app.models.Order", max_tokens=preview["budget"])
        assert again["text"] == preview["text"]
        assert again["kept"] == preview["kept"]


def test_an_outline_that_is_cut_keeps_the_outermost_symbols(page: TestClient) -> None:
    answer = call(page, "document_symbols", path="app/wide.py", max_tokens=300)
    kept = {item["name"] for item, is_kept in zip(answer["items"], answer["kept"], strict=True) if is_kept}
    assert 0 < answer["shown"] < answer["total"]
    assert kept == {item["name"] for item in answer["items"] if item["kind"] == "Class"}


def test_a_preview_is_in_no_ledger(page: TestClient) -> None:
    uri = call(page, "symbol_search", query="Order")["uri"]
    before = page.get("/page/ledger").json()["calls"]
    assert page.get("/page/preview", params={"uri": uri, "max_tokens": 100}).status_code == 200
    assert page.get("/page/ledger").json()["calls"] == before


@pytest.mark.parametrize("path", ["preview", "items"])
def test_a_result_that_is_not_kept_or_is_anothers_is_404(page: TestClient, ask: Asking, path: str) -> None:
    uri = call(page, "symbol_search", query="Order")["uri"]
    other: Any = client(ask, TOKEN)
    for answer in (
        page.get(f"/page/{path}", params={"uri": "leadline://result/nothing"}),
        page.get(f"/page/{path}"),
        other.get(f"/page/{path}", params={"uri": uri}, auth=("", TOKEN)),
    ):
        assert answer.status_code == 404
        assert "result" in answer.json()["problem"]


def test_further_items_continue_the_first_ones(page: TestClient) -> None:
    answer = call(page, "search_text", query="x", path="app/deep")
    rest = page.get("/page/items", params={"uri": answer["uri"], "offset": 40}).json()
    assert rest["items"] == answer["items"][40:]
    assert rest["total"] == 50


def test_a_call_from_the_page_is_in_its_ledger_with_its_question(page: TestClient) -> None:
    answer = call(page, "count_files", path="docs")
    row = page.get("/page/ledger").json()["calls"][0]
    assert row["call"] == 'count_files(path="docs")'
    assert (row["tool"], row["arguments"], row["client"]) == ("count_files", {"path": "docs"}, "page")
    assert row["sent"] == answer["price"]
    assert row["saved"] == answer["whole_price"] - answer["price"]


def test_a_question_that_is_too_long_is_not_kept(page: TestClient) -> None:
    call(page, "search_text", query="x" * 2_000)
    row = page.get("/page/ledger").json()["calls"][0]
    assert row["call"] == row["tool"] == "search_text"
    assert "arguments" not in row


def test_a_key_is_masked_in_all_that_the_page_gets(opened: Open, tmp_path: Path) -> None:
    key = KEYS["github"]
    root = write(tmp_path / "tree", {"a.py": f'KEY = "{key}"\n', f"{key}.txt": "x\n"})
    page = client(opened(root, cache=tmp_path / "cache"))
    call(page, "search_text", query=key)
    assert call(page, "read_file", path="a.py")["total"] == 1
    for answer in (
        page.post("/page/call", json={"tool": "read_file", "arguments": {"path": "a.py"}}),
        page.post("/page/call", json={"tool": "list_files", "arguments": {}}),
        page.get("/page/map"),
        page.get("/page/ledger"),
    ):
        assert answer.status_code == 200
        assert key not in answer.text


def test_a_call_that_nobody_waits_for_any_more_ends() -> None:
    cancelled = threading.Event()
    messages = iter([{"type": "http.disconnect"}])

    async def receive() -> dict[str, str]:
        return next(messages)

    async def work() -> str:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()
        return "answer"

    async def run() -> str | None:
        return await until_closed(WebRequest({"type": "http"}, receive), work)

    assert anyio.run(run) is None
    assert cancelled.is_set()


# The map, the index, the highlights


def test_the_map_has_the_tokens_of_each_folder_down_to_the_files(page: TestClient, ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    view = page.get("/page/map", params={"path": "app"}).json()
    inside = weight.inside["app"]
    assert (view["tokens"], view["files"], view["total"]) == (inside.tokens, 5, 5)
    parts = {part["name"]: part for part in view["parts"]}
    assert sum(part["tokens"] for part in parts.values()) == inside.tokens
    assert [one["name"] for one in parts["deep"]["inside"]] == ["er"]
    assert not parts["models.py"]["folder"]
    assert view["parts"] == sorted(view["parts"], key=lambda part: -part["tokens"])


def test_the_map_has_the_kind_of_each_file_and_of_a_folder_the_one_of_most_tokens(page: TestClient) -> None:
    view = page.get("/page/map").json()
    kinds = {part["name"]: part["kind"] for part in view["parts"]}
    assert kinds["app"] == "code"
    assert kinds["tests"] == "tests"
    assert kinds["docs"] == "documentation"
    inside = {part["name"]: part["kind"] for part in page.get("/page/map", params={"path": "app"}).json()["parts"]}
    assert inside["locale"] == "data"
    assert sum(view["kinds"].values()) == view["tokens"]


def test_a_root_that_is_not_open_has_no_weight_until_somebody_looks_into_it(
    sessions: list[Session], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MOST_OPEN", 2)
    roots = {f"r{i}": write(tmp_path / f"r{i}", {"a.py": "x = 1\n" * (i + 1)}) for i in range(5)}
    page = client(start_configured(Config(roots["r0"], None, "gpt-5", roots=roots), sessions))
    view = page.get("/page/map").json()
    unknown = [part["name"] for part in view["parts"] if part.get("known") is False]
    assert (view["total"], view["unknown"]) == (5, len(unknown))
    assert unknown
    inside = page.get("/page/map", params={"path": unknown[0]}).json()
    assert [part["name"] for part in inside["parts"]] == ["a.py"]
    after = page.get("/page/map").json()
    assert after["unknown"] == len(unknown) - 1
    assert after["tokens"] == view["tokens"] + inside["tokens"]
    assert after["files"] == view["files"] + 1


def test_what_no_model_can_read_costs_nothing(ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    assert weight.inside["data.bin"].tokens == 0
    assert weight.inside[".env"].tokens == 0
    assert weight.files == len(FILES)


def test_a_file_is_no_folder(ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    assert find_folder(weight, "") is weight
    assert find_folder(weight, "app/models.py") is None
    assert find_folder(weight, "app/models.py/more") is None


def test_the_state_reports_how_far_the_index_is(page: TestClient) -> None:
    state = page.get("/page/state").json()
    assert (state["complete"], state["files"]) == (True, len(FILES))


def test_every_tool_is_offered_with_its_parameters(page: TestClient, ask: Asking) -> None:
    about = page.get("/page/about").json()
    assert [tool["name"] for tool in about["tools"]] == list(ask.session.tools)
    tool = next(tool for tool in about["tools"] if tool["name"] == "find_references")
    parameters = {one["name"]: one for one in tool["parameters"]}
    assert parameters["symbol"]["required"]
    assert parameters["tier"]["choices"] == ["exact", "likely", "name"]
    assert parameters["include_declaration"]["default"] == "true"
    assert parameters["max_tokens"]["type"] == "number"
    writing = next(tool for tool in about["tools"] if tool["name"] == "rename_symbol")
    assert [one["name"] for one in writing["parameters"]] == ["symbol", "new_name", "max_tokens"]


def test_a_line_with_escapes_has_no_highlights_since_its_columns_differ(page: TestClient, ask: Asking) -> None:
    write(ask.session.index.root, {"app/odd.py": 'x = "a"\ny = "\u202eb"\n'})
    view = page.get("/page/highlights", params={"path": "app/odd.py", "first": 1, "last": 2}).json()
    assert {line for line, *_ in view["highlights"]} == {1}
    (ask.session.index.root / "app/odd.py").unlink()


def test_no_invisible_character_reaches_the_page(page: TestClient) -> None:
    answer = call(page, "read_file", path="docs/odd\u202ename.md")
    assert answer["items"][0]["text"] == r"left \u202e right"
    assert answer["items"][0]["path"] == r"docs/odd\u202ename.md"
    listed = page.get("/page/map", params={"path": "docs"}).json()["parts"]
    assert {part["name"] for part in listed} == {r"odd\u202ename.md", "<b>bold<"}


def test_a_folder_is_found_by_its_name_as_it_is_shown(page: TestClient, ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    odd = weight.inside["docs"].inside["<b>bold<"]
    weight.inside["a\u202eb"] = odd
    assert find_folder(weight, r"a\u202eb") is odd
    assert page.get("/page/map", params={"path": "docs/<b>bold<"}).json()["parts"][0]["name"] == "b> & more.md"


# What it refuses


@pytest.mark.parametrize("path", ["nothing", "../..", "app/models.py", "app//deep", "\0"])
def test_a_folder_that_there_is_not_is_404(page: TestClient, path: str) -> None:
    answer = page.get("/page/map", params={"path": path})
    assert (answer.status_code, answer.json()) == (404, {"problem": "There is no such folder."})


@pytest.mark.parametrize("path", ["nothing.py", "../../etc/passwd", ".env", "data.bin"])
def test_highlights_of_what_cannot_be_read_are_404(page: TestClient, path: str) -> None:
    answer = page.get("/page/highlights", params={"path": path, "first": 1, "last": 1})
    assert answer.status_code == 404
    assert answer.json()["problem"]


@pytest.mark.parametrize("name", ["nothing.js", "../routes.py", "..%2froutes.py", "%2e%2e/routes.py"])
def test_a_file_that_is_not_of_the_page_is_404(page: TestClient, name: str) -> None:
    assert page.get(f"/page/static/{name}").status_code == 404


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{}", "application/json"),
        (b"[]", "application/json"),
        (b"{", "application/json"),
        (b"\xff", "application/json"),
        (b'{"tool": 5, "arguments": {}}', "application/json"),
        (b'{"tool": "budget", "arguments": 5}', "application/json"),
        (b'{"tool": "budget", "arguments": {}}', "text/plain"),
        (b'{"tool": "%s", "arguments": {}}' % (b"x" * 70_000), "application/json"),
    ],
)
def test_what_is_no_call_is_400_and_says_why(page: TestClient, content: bytes, kind: str) -> None:
    answer = page.post("/page/call", content=content, headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert answer.json()["problem"].endswith(".")


def test_the_page_does_not_edit(page: TestClient) -> None:
    answer = page.post("/page/call", json={"tool": "rename_symbol", "arguments": {"apply": "true"}})
    assert answer.json() == {"problem": "This page cannot edit: omit apply."}


@pytest.mark.parametrize("path", ["/", *FETCHED, *STATIC])
def test_every_part_is_behind_the_gate_and_loads_nothing_from_elsewhere(ask: Asking, path: str) -> None:
    page = client(ask)
    assert page.get(path, headers={"Origin": "http://evil.example"}).status_code == 403
    assert page.get(path, headers={"Host": "evil.example"}).status_code == 421
    assert client(ask, TOKEN).get(path).status_code == 401
    answer = client(ask, TOKEN).get(path, auth=("anyone", TOKEN))
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"(?<!=\")https?://(?!www\.w3\.org/2000/svg)", answer.text)


@pytest.mark.parametrize("name", sorted(name for name in static_names() if name.endswith(".js")))
def test_no_script_makes_markup_or_code_from_text(page: TestClient, name: str) -> None:
    script = page.get(f"/page/static/{name}").text
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser", script
    )
    imported = re.findall(r'\bfrom "([^"]+)"', script)
    assert {path.removeprefix("./") for path in imported} <= static_names()


def test_calls_are_behind_the_gate(ask: Asking) -> None:
    told = {"json": {"tool": "budget", "arguments": {}}}
    page: Any = client(ask)
    assert page.post("/page/call", **told, headers={"Origin": "http://evil.example"}).status_code == 403
    assert page.post("/page/call", **told, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert page.get("/page/call").status_code == 405
    locked: Any = client(ask, TOKEN)
    assert locked.post("/page/call", **told).status_code == 401


def test_with_tokens_nobody_sees_the_calls_of_another(ask: Asking) -> None:
    page = client(ask, TOKEN, TOKEN[::-1])
    page.post("/page/call", json={"tool": "repo_map", "arguments": {}}, auth=("", TOKEN))
    assert "repo_map" in page.get("/page/ledger", auth=("", TOKEN)).text
    assert "repo_map" not in page.get("/page/ledger", auth=("", TOKEN[::-1])).text


def test_an_internal_error_is_an_answer(page: TestClient, ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Request) -> Response:
        raise RuntimeError("broken")

    monkeypatch.setattr(ask.session, "call", fail)
    answer = call(page, "budget")
    assert answer["error"]
    assert answer["text"].startswith("error: ")
