"""The page of a running server: what it shows, what it refuses, and that everybody can use it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from starlette.testclient import TestClient

from conftest import Asking, Open, write
from leadline_estimators import count
from leadline_server.account import account
from leadline_server.gate import Address, Tokens
from leadline_server.http import application, listen
from leadline_server.page.statement import statement
from leadline_server.page.treemap import Box, find_folder, squarify, weigh
from leadline_server.running import server_of
from leadline_server.state import LEDGER

TOKEN = "a token of some length"
AXE = Path(__file__).parents[1] / ".browser" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1000,1400",
)
SECONDS = 30

FILES = {
    "app/models.py": "class Order:\n    def total(self):\n        return 1\n" * 40,
    "app/views.py": "from app.models import Order\n\nOrder().total()\n" * 20,
    "app/deep/er/module.py": "x = 1\n" * 50,
    "docs/<b>bold</b> & more.md": "# Title\n" * 100,
    "data.bin": "\0" * 9_000,
    ".env": "SECRET=1\n" * 500,
}


@pytest.fixture(scope="module")
def ask(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    root = write(tmp_path_factory.mktemp("page") / "shop", FILES)
    return opened(root, cache=root.with_name("cache"), model="gpt-5", long_ids=True)


def client(ask: Asking, *tokens: str) -> TestClient:
    from leadline_server.page.routes import routes

    address = Address("127.0.0.1", 8765, tokens=Tokens(tokens))
    return TestClient(application(server_of(ask.session), address, routes(ask.session)), "http://127.0.0.1:8765")


@pytest.fixture
def page(ask: Asking) -> TestClient:
    return client(ask)


def call(page: TestClient, tool: str, **arguments: object) -> dict[str, Any]:
    answer: dict[str, Any] = page.post("/page/call", json={"tool": tool, "arguments": arguments}).json()
    return answer


# What it shows


def test_the_page_shows_the_tree_the_index_the_tools_and_the_calls(page: TestClient, ask: Asking) -> None:
    text = page.get("/").text
    for heading in ("What would it cost a model to read this?", "The index", "Try a tool", "Calls"):
        assert heading in text
    assert all(f'data-tool="{tool}"' in text for tool in ask.session.tools)


def test_a_box_that_calls_a_tool_shows_the_very_text_that_a_model_gets(page: TestClient, ask: Asking) -> None:
    shown = call(page, "read_file", path="app/views.py", num_lines="5")
    sent = ask("read_file", path="app/views.py", num_lines=5)
    assert shown == {"text": sent, "is_error": False, "tokens": count(sent)}


def test_an_error_is_shown_as_a_model_gets_it(page: TestClient, ask: Asking) -> None:
    assert call(page, "read_file", path="nothing.py")["text"] == ask.error("read_file", path="nothing.py")


def test_a_call_from_the_page_is_in_its_ledger(page: TestClient) -> None:
    call(page, "count_files", path="docs")
    rows = re.findall(r"<tr>(.*?)</tr>", page.get("/page/ledger").text)
    assert re.match(r'<th scope="row">count_files</th><td>page</td>', rows[1])


def test_the_map_has_the_tokens_of_each_folder(page: TestClient, ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    text = page.get("/page/map?path=app").text
    inside = weight.inside["app"]
    assert f"Reading all of app would cost ~{inside.tokens:,} tokens: 3 files." in text
    assert 'href="/?path=app/deep"' in text
    assert inside.tokens == sum(part.tokens for part in inside.inside.values())


def test_what_no_model_can_read_costs_nothing(ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    assert weight.inside["data.bin"].tokens == 0
    assert weight.inside[".env"].tokens == 0
    assert weight.files == len(FILES)


def test_the_state_tells_how_far_the_index_is(page: TestClient) -> None:
    text = page.get("/page/state").text
    assert "<dd>complete</dd>" in text
    assert f"<dt>files</dt><dd>{len(FILES)}</dd>" in text


def test_names_of_files_are_text_and_never_markup(page: TestClient) -> None:
    text = page.get("/?path=docs").text
    assert "<b>" not in text
    assert "&lt;b&gt;bold&lt;" in text


# What it refuses


@pytest.mark.parametrize("path", ["nothing", "../..", "app/models.py", "app//deep", "%00"])
def test_a_folder_that_there_is_not_is_404(page: TestClient, path: str) -> None:
    for url in (f"/?path={path}", f"/page/map?path={path}"):
        assert page.get(url).status_code == 404


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
    assert answer.json()["error"].endswith(".")


def test_the_page_does_not_edit(page: TestClient) -> None:
    answer = page.post("/page/call", json={"tool": "rename_symbol", "arguments": {"apply": "true"}})
    assert answer.json() == {"error": "This page cannot edit: omit apply."}


@pytest.mark.parametrize("path", ["/", "/page/map", "/page/state", "/page/ledger", "/page/style.css", "/page/page.js"])
def test_every_part_is_behind_the_gate_and_loads_nothing_from_elsewhere(ask: Asking, path: str) -> None:
    page = client(ask)
    assert page.get(path, headers={"Origin": "http://evil.example"}).status_code == 403
    assert page.get(path, headers={"Host": "evil.example"}).status_code == 421
    assert client(ask, TOKEN).get(path).status_code == 401
    answer = client(ask, TOKEN).get(path, auth=("anyone", TOKEN))
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?://|//\w+\.\w", answer.text)


def test_calls_are_behind_the_gate(ask: Asking) -> None:
    told = {"json": {"tool": "budget", "arguments": {}}}
    page: Any = client(ask)
    assert page.post("/page/call", **told, headers={"Origin": "http://evil.example"}).status_code == 403
    assert page.get("/page/call").status_code == 405
    locked: Any = client(ask, TOKEN)
    assert locked.post("/page/call", **told).status_code == 401


def test_with_tokens_nobody_sees_the_calls_of_another(ask: Asking) -> None:
    page = client(ask, TOKEN, TOKEN[::-1])
    page.post("/page/call", json={"tool": "repo_map", "arguments": {}}, auth=("", TOKEN))
    assert "repo_map" in page.get("/page/ledger", auth=("", TOKEN)).text
    assert "repo_map" not in page.get("/page/ledger", auth=("", TOKEN[::-1])).text


# The map


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60), st.integers(1, 900), st.integers(1, 900))
def test_rectangles_fill_their_box_in_proportion_to_their_tokens(areas: list[int], width: int, height: int) -> None:
    areas.sort(reverse=True)
    boxes = squarify(areas, Box(0.0, 0.0, float(width), float(height)))
    assert len(boxes) == len(areas)
    for area, box in zip(areas, boxes, strict=True):
        share = area / sum(areas) * width * height
        assert box.width * box.height == pytest.approx(share, rel=0.01, abs=0.01)
        assert -0.01 <= box.x <= box.x + box.width <= width + 0.01
        assert -0.01 <= box.y <= box.y + box.height <= height + 0.01


def test_a_file_is_no_folder(ask: Asking) -> None:
    weight = weigh(ask.session.index, ask.session.prices)
    assert find_folder(weight, "") is weight
    assert find_folder(weight, "app/models.py") is None
    assert find_folder(weight, "app/models.py/more") is None


# In a browser


def missing(what: str) -> None:
    """Skip for want of something; fail where it was to be there."""
    if os.environ.get("LEADLINE_BROWSER") == "required":
        pytest.fail(f"{what} is missing: scripts/browser-environment gets it")
    pytest.skip(f"{what} is missing: scripts/browser-environment gets it")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        missing("Chromium")
    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    opened = webdriver.Chrome(options, webdriver.ChromeService(str(driver)))
    opened.set_page_load_timeout(SECONDS)
    yield opened
    opened.quit()


@pytest.fixture(scope="module")
def url(ask: Asking) -> Iterator[str]:
    """Serve the page on a port of its own."""
    from leadline_server.page.routes import routes

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = Address("127.0.0.1", probe.getsockname()[1])
    with listen(address) as listener:
        config = uvicorn.Config(
            application(server_of(ask.session), address, routes(ask.session)),
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{address.port}"
        server.should_exit = True
        thread.join(SECONDS)


@pytest.fixture
def shown(browser: webdriver.Chrome, url: str) -> Iterator[webdriver.Chrome]:
    logged(browser)
    browser.get(f"{url}/")
    yield browser
    assert logged(browser) == []


def logged(browser: Any) -> list[object]:
    """Return what the browser logged since it was last asked: scripts that fail, and what the policy forbids."""
    return list(browser.get_log("browser"))


def until(browser: webdriver.Chrome, happens: Callable[[], object]) -> None:
    WebDriverWait(browser, SECONDS, 0.05).until(lambda _: happens())


def by_id(browser: webdriver.Chrome, identity: str) -> WebElement:
    return browser.find_element(By.ID, identity)


def violations(browser: webdriver.Chrome) -> list[object]:
    """Return what axe finds that not everybody can use."""
    if not AXE.exists():
        missing("axe-core")
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = browser.execute_async_script("axe.run().then(arguments[0])")
    assert len(found["passes"]) > 10
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]]


def in_colours(browser: webdriver.Chrome, scheme: str) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_page(shown: webdriver.Chrome, scheme: str) -> None:
    in_colours(shown, scheme)
    ask_for(shown, "list_files", recursive="true")
    for summary in shown.find_elements(By.TAG_NAME, "summary"):
        summary.click()
    back = shown.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
    assert violations(shown) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_statement(browser: webdriver.Chrome, ask: Asking, tmp_path: Path, scheme: str) -> None:
    ask("search_text", query="Order")
    file = tmp_path / "page.html"
    file.write_text(statement(account(ask.session.index.root.with_name("cache") / LEDGER, 30)), encoding="utf-8")
    logged(browser)
    browser.get(file.as_uri())
    in_colours(browser, scheme)
    for summary in browser.find_elements(By.TAG_NAME, "summary"):
        summary.click()
    assert violations(browser) == []
    assert logged(browser) == []


def ask_for(browser: webdriver.Chrome, tool: str, **arguments: str) -> str:
    """Fill in the form of a tool, send it and return the answer that is shown."""
    Select(by_id(browser, "tool")).select_by_value(tool)
    form = browser.find_element(By.CSS_SELECTOR, f"form[data-tool={tool}]")
    for name, value in arguments.items():
        control = form.find_element(By.NAME, name)
        if control.tag_name == "select":
            Select(control).select_by_value(value)
        else:
            control.clear()
            control.send_keys(value)
    form.find_element(By.TAG_NAME, "button").click()
    until(browser, lambda: by_id(browser, "outcome").text.startswith(("Answer: ", "Error: ")))
    return str(browser.execute_script("return document.getElementById('answer').textContent"))


def test_a_person_tries_a_tool_and_sees_what_a_model_gets(shown: webdriver.Chrome, ask: Asking) -> None:
    visible = [form for form in shown.find_elements(By.TAG_NAME, "form") if form.is_displayed()]
    assert len(visible) == 1
    text = ask_for(shown, "find_references", symbol="app.models.Order", max_tokens="300")
    assert text == ask.session.call(request("find_references", symbol="app.models.Order", max_tokens=300)).text
    assert f"{count(text):,} o200k tokens" in by_id(shown, "outcome").text
    until(shown, lambda: "find_references" in by_id(shown, "ledger").text)


def request(tool: str, **arguments: object) -> Any:
    from leadline_server.call import Request

    return Request(tool, arguments, "http")


def test_the_ledger_shows_the_calls_of_others_as_they_come(shown: webdriver.Chrome, ask: Asking) -> None:
    ask.session.call(request("type_members", symbol="app.models.Order"))
    until(shown, lambda: "type_members" in by_id(shown, "ledger").text)


def test_the_map_is_walked_with_the_keyboard_and_back(shown: webdriver.Chrome) -> None:
    tile = shown.find_element(By.CSS_SELECTOR, 'svg a[aria-label^="app/"]')
    shown.execute_script("arguments[0].focus()", tile)
    shown.switch_to.active_element.send_keys(Keys.ENTER)
    until(shown, lambda: "Reading all of app would" in by_id(shown, "map").text)
    assert shown.current_url.endswith("?path=app")
    assert shown.switch_to.active_element.get_attribute("id") == "map-heading"
    shown.back()
    until(shown, lambda: "Reading all of the repository would" in by_id(shown, "map").text)


def test_everything_is_reached_with_the_tabulator(shown: webdriver.Chrome) -> None:
    reached: list[str] = []
    for _ in range(60):
        shown.switch_to.active_element.send_keys(Keys.TAB)
        at = shown.switch_to.active_element
        reached.append(str(at.get_attribute("aria-label") or at.get_attribute("id") or at.text))
        if at.get_attribute("id") == "ledger":
            break
    assert reached[0] == "Skip to the content"
    assert any(name.startswith("app/: ") for name in reached)
    assert {"tool", "list_files-pattern", "list_files-max_tokens"} <= set(reached)
    assert reached[-1] == "The last calls"


def test_a_server_that_is_gone_is_told(browser: webdriver.Chrome, url: str) -> None:
    browser.get(f"{url}/")
    browser.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    try:
        until(browser, lambda: "The server does not answer." in browser.find_element(By.TAG_NAME, "header").text)
    finally:
        back = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", back)
    until(browser, lambda: "does not answer" not in browser.find_element(By.TAG_NAME, "header").text)
    logged(browser)
