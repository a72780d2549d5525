"""The page of a running server in a browser: everybody can use it, and each of its states has an address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browsers import (
    BACKS,
    NARROW,
    WIDE,
    found,
    in_colours,
    logged,
    opened_browser,
    resize,
    served_page,
    settled,
    sideways,
    texts,
    until,
    violations,
)
from conftest import Asking, Open, write
from leadline_server.account import account
from leadline_server.call import Request, Response, Session
from leadline_server.config import Config
from leadline_server.page.statement import statement
from leadline_server.running import index_of
from leadline_server.state import LEDGER

FILES = {
    "app/models.py": (
        "class Order:\n"
        '    """What a customer wants; it says a good deal of itself."""\n\n'
        "    count: int = 0\n\n"
        "    def total(self):\n        return self.count * 2\n"
    ),
    "app/views.py": "from app.models import Order\n\n\ndef show():\n    # the order\n    return Order().total()\n",
    "app/main.py": "from app.views import show\n\n\ndef main():\n    show()\n    show()\n",
    "app/uses.py": "from app.models import Order\n\n" + "".join(f"Order().total()  # {i}\n" for i in range(60)),
    "app/long.py": "".join(
        f"def function_{i}(first, second, third):\n    return first * {i} + second * third\n\n\n" for i in range(300)
    ),
    "app/deep/er/module.py": "x = 1\n" * 50,
    "app/deep/er/names.py": (
        "def ring():\n    return 1\n\n\nclass ATestCaseWithAName:\n"
        "    def test_that_has_a_name_which_is_longer_than_a_telephone_is_wide(self):\n        ring()\n"
    ),
    "docs/<b>bold</b> & more.md": "# Title\n" * 100,
    "docs/a very long name of a file that has no place where it could be broken into two lines.md": "text\n" * 90,
    "data.bin": "\0" * 9_000,
}

STATES = {
    "map": "/",
    "folder": "/?path=app",
    "search": "/?q=order",
    "search in text": "/?q=Order&in=text&max_tokens=300",
    "file": "/?file=app/models.py",
    "definition": "/?file=app/views.py&line=6&symbol=app/views.py:6:12&show=definition",
    "uses": "/?file=app/models.py&line=1&symbol=app/models.py:1:7&show=uses&max_tokens=300",
    "members": "/?symbol=app.models.Order&show=members",
    "callers": "/?symbol=app/models.py:6:9&show=callers&open=app/views.py:4:5",
    "error": "/?file=app/models.py&symbol=app/models.py:2:1&show=uses",
    "tools": "/?view=tools",
    "call": "/?tool=list_files&recursive=true&max_tokens=200",
    "counts": "/?tool=count_files",
    "long names": "/?tool=find_references&symbol=ring",
    "ledger": "/?view=ledger",
    "no such tool": "/?tool=nothing",
    "no such folder": "/?path=nowhere",
    "no such file": "/?file=nothing.py",
}


@pytest.fixture(scope="module")
def ask(opened: Open, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    root = write(tmp_path_factory.mktemp("page") / "shop", FILES)
    return opened(root, cache=root.with_name("cache"), model="gpt-5", long_ids=True)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with opened_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def url(ask: Asking) -> Iterator[str]:
    with served_page(ask.session) as served:
        yield served


@pytest.fixture
def shown(browser: webdriver.Chrome, url: str) -> Iterator[webdriver.Chrome]:
    """A wide window; nothing may be logged, but for the answers that the page shows as errors."""
    resize(browser, WIDE)
    logged(browser)
    browser.get(f"{url}/")
    settled(browser)
    yield browser
    assert [one for one in logged(browser) if "status of 404" not in str(one)] == []


def visit(browser: webdriver.Chrome, url: str) -> None:
    browser.get(url)
    settled(browser)


def click(browser: webdriver.Chrome, text: str) -> None:
    """Click the first link or button that has a text."""
    found(browser, "#content h1, #content h2")
    script = """
      const named = [...document.querySelectorAll("#content a, #content button, #content summary")];
      named.find((one) => one.textContent.trim() === arguments[0])?.click();
    """
    until(browser, lambda: text in [one.strip() for one in texts(browser, "#content a, #content button, summary")])
    browser.execute_script(script, text)
    settled(browser)


def address(browser: webdriver.Chrome) -> str:
    return browser.current_url.partition("/?")[2].replace("%2F", "/").replace("%3A", ":")


# Everybody


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("state", STATES)
def test_everybody_can_use_each_state(shown: webdriver.Chrome, url: str, state: str, size: tuple[int, int]) -> None:
    resize(shown, size)
    visit(shown, url + STATES[state])
    shown.execute_script("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert sideways(shown) <= 0
    for scheme, back in BACKS.items():
        in_colours(shown, scheme)
        assert shown.execute_script("return getComputedStyle(document.body).backgroundColor") == back
        assert violations(shown) == [], scheme
    assert len(shown.find_elements(By.CSS_SELECTOR, "h1, .panel h2")) >= 1


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
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == BACKS[scheme]
    assert violations(browser) == []
    assert logged(browser) == []


def test_a_person_without_a_mouse_finds_a_definition_and_its_uses(shown: webdriver.Chrome) -> None:
    def press(*keys: str) -> None:
        for key in keys:
            shown.switch_to.active_element.send_keys(key)

    def tab_to(text: str) -> None:
        for _ in range(80):
            press(Keys.TAB)
            at = shown.switch_to.active_element
            if text in (at.text, at.get_attribute("aria-label")):
                return
        pytest.fail(f"the tabulator does not reach {text}")

    shown.find_element(By.TAG_NAME, "body").send_keys("/")
    press("total", Keys.ENTER)
    settled(shown)
    assert shown.switch_to.active_element.get_attribute("id") == "heading"
    tab_to("total")
    press(Keys.ENTER)
    settled(shown)
    assert address(shown) == "file=app/models.py&line=6&symbol=app/models.py:6:9&show=definition"
    assert shown.switch_to.active_element.text == "total"
    tab_to("Uses")
    press(Keys.ENTER)
    settled(shown)
    tab_to("app/views.py, line 6")
    press(Keys.ENTER)
    settled(shown)
    assert address(shown) == "file=app/views.py&line=6&symbol=app/models.py:6:9&show=uses"
    assert texts(shown, ".source .current code") == ["    return Order().total()"]


def test_the_arrows_lead_from_name_to_name_in_the_source(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?file=app/views.py")
    found(shown, "a.token")
    assert len(shown.find_elements(By.CSS_SELECTOR, ".source a[tabindex='0']")) == 1
    first = found(shown, ".source a[tabindex='0']")
    first.send_keys(Keys.ARROW_RIGHT)
    shown.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert shown.switch_to.active_element.text == "Order"
    shown.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert shown.switch_to.active_element.text == "show"
    shown.switch_to.active_element.send_keys(Keys.ENTER)
    settled(shown)
    assert address(shown) == "file=app/views.py&line=4&symbol=app/views.py:4:5&show=definition"
    shown.switch_to.active_element.send_keys(Keys.ESCAPE)
    settled(shown)
    assert address(shown) == "file=app/views.py&line=4"


def test_the_map_is_walked_with_the_keyboard_down_to_a_file_and_back(shown: webdriver.Chrome) -> None:
    settled(shown)
    first = found(shown, '.treemap a[tabindex="0"]')
    assert len(shown.find_elements(By.CSS_SELECTOR, '.treemap a[tabindex="0"]')) == 1
    shown.execute_script("arguments[0].focus()", first)
    reached = set()
    for key in (Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP):
        shown.switch_to.active_element.send_keys(key)
        reached.add(shown.switch_to.active_element.get_attribute("title"))
    assert len(reached) > 2
    shown.execute_script("arguments[0].focus()", found(shown, '.treemap a[title^="app/: "]'))
    shown.switch_to.active_element.send_keys(Keys.ENTER)
    settled(shown)
    assert address(shown) == "path=app"
    shown.execute_script("arguments[0].focus()", found(shown, '.treemap a[title^="models.py: "]'))
    shown.switch_to.active_element.send_keys(Keys.ENTER)
    settled(shown)
    assert address(shown) == "file=app/models.py"
    shown.back()
    settled(shown)
    until(shown, lambda: texts(shown, "h1") == ["app"])
    shown.back()
    until(shown, lambda: texts(shown, "h1") == ["shop"])


# What it shows


def test_one_box_searches_names_meaning_and_text(shown: webdriver.Chrome) -> None:
    field = found(shown, "#q")
    field.send_keys("Order", Keys.ENTER)
    settled(shown)
    assert [text.split()[0] for text in texts(shown, "h2")] == ["Names", "Meaning", "Text"]
    assert "Order" in texts(shown, ".card:nth-child(1) a.name")
    assert "Order" in texts(shown, ".card:nth-child(3) mark")
    click(shown, "Text")
    assert address(shown) == "q=Order&in=text"
    assert found(shown, "#q").get_attribute("value") == "Order"


def test_a_name_in_the_source_opens_its_definition_beside_it(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?file=app/views.py")
    found(shown, 'a[data-at="app/views.py:6:20"]').click()
    settled(shown)
    assert texts(shown, "#symbol-heading") == ["total"]
    assert "def total(self):" in [text.strip() for text in texts(shown, ".panel .what code")]
    assert texts(shown, ".source .same") == ["total"]
    click(shown, "Callers")
    assert texts(shown, ".graph .name") == ["show", "app/uses.py"] or "show" in texts(shown, ".graph .name")


def test_on_a_phone_a_name_leads_to_its_panel_and_a_use_to_its_line(shown: webdriver.Chrome, url: str) -> None:
    def top(selector: str) -> float:
        return float(shown.execute_script(f"return document.querySelector({selector!r}).getBoundingClientRect().top"))

    resize(shown, NARROW)
    visit(shown, f"{url}/?file=app/uses.py&line=40")
    until(shown, lambda: 0 < top("#L40") < NARROW[1])
    shown.execute_script("document.querySelector('[data-at=\"app/uses.py:40:9\"]').click()")
    settled(shown)
    until(shown, lambda: -1 < top("#symbol-heading") < 200)
    assert texts(shown, "#symbol-heading") == ["total"]
    click(shown, "Uses")
    found(shown, '[aria-label="app/uses.py, line 55"]')
    shown.execute_script("document.querySelector('[aria-label=\"app/uses.py, line 55\"]').click()")
    until(shown, lambda: 0 < top("#L55") < NARROW[1])


def test_the_source_has_highlights_and_further_lines(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?file=app/long.py&line=600")
    until(shown, lambda: "def" in texts(shown, ".token-keyword"))
    first = texts(shown, ".source .line")[0]
    assert first == "480"
    click(shown, "Lines 80-479")
    until(shown, lambda: texts(shown, ".source .line")[0] == "80")
    assert 0 < shown.execute_script("return document.querySelector('#L600').getBoundingClientRect().top") < WIDE[1]
    last = texts(shown, ".source .line")[-1]
    click(shown, "Lines 880-1,200 of 1,200")
    until(shown, lambda: texts(shown, ".source .line")[-1] != last)
    numbers = [int(text) for text in texts(shown, ".source .line")]
    assert numbers == list(range(80, numbers[-1] + 1))


def test_a_symbol_stays_beside_the_files_that_use_it(shown: webdriver.Chrome, url: str, ask: Asking) -> None:
    visit(shown, f"{url}/?file=app/models.py&line=1&symbol=app/models.py:1:7&show=uses")
    calls = [one.entry.tool for one in ask.session.ledger.recent(None)].count("find_references")
    found(shown, '[aria-label="app/views.py, line 6"]').click()
    settled(shown)
    assert address(shown) == "file=app/views.py&line=6&symbol=app/models.py:1:7&show=uses"
    until(shown, lambda: texts(shown, ".source .same") == ["Order", "Order"])
    assert [one.entry.tool for one in ask.session.ledger.recent(None)].count("find_references") == calls
    click(shown, "Members")
    assert address(shown) == "file=app/views.py&line=6&symbol=app/models.py:1:7&show=members"
    assert {"count", "total"} <= set(texts(shown, ".panel a.name"))
    click(shown, "Close")
    assert address(shown) == "file=app/views.py&line=6"
    assert texts(shown, ".side h2") == ["Outline"]
    shown.back()
    settled(shown)
    assert texts(shown, ".tabs [aria-current]") == ["Members"]


def test_the_source_shows_how_far_the_usual_budget_reaches(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?file=app/long.py")
    assert texts(shown, ".reach") == ["2,000 tokens reach to here"]
    last = int(texts(shown, ".budget-end .line")[0])
    visit(shown, f"{url}/?tool=read_file&path=app/long.py&num_lines=400")
    assert [int(line) for line in texts(shown, ".row:not(.dropped) .line")] == list(range(1, last + 1))


def test_the_graph_of_callers_unfolds_and_its_address_keeps_that(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?symbol=app/models.py:6:9&show=callers")
    button = found(shown, '[aria-label="Unfold show"]')
    button.click()
    until(shown, lambda: "main" in texts(shown, ".graph .name"))
    assert button.get_attribute("aria-expanded") == "true"
    assert address(shown).endswith("open=app/views.py:4:5")
    visit(shown, shown.current_url)
    until(shown, lambda: "main" in texts(shown, ".graph .name"))
    found(shown, '[aria-label="Unfold show"]').click()
    until(shown, lambda: "main" not in texts(shown, ".graph .name"))


def test_the_budget_shows_what_an_answer_keeps_and_drops(shown: webdriver.Chrome, url: str, ask: Asking) -> None:
    visit(shown, f"{url}/?tool=find_references&symbol=app.models.Order&max_tokens=4000")
    assert texts(shown, ".row.dropped") == []
    calls = len(ask.session.ledger.recent(None))
    slider = found(shown, "input[type=range]")
    slider.send_keys(Keys.HOME)
    until(shown, lambda: "keeps" in texts(shown, ".cost .state")[0])
    kept = int(texts(shown, ".cost .state")[0].split()[1])
    assert len(texts(shown, ".row:not(.dropped)")) == kept > 0
    dropped = texts(shown, ".row.dropped")
    assert all("not in the answer" in text for text in dropped)
    least = str(slider.get_attribute("aria-valuetext"))
    assert address(shown).endswith(f"max_tokens={least.split(maxsplit=1)[0]}")
    assert len(ask.session.ledger.recent(None)) == calls
    slider.send_keys(Keys.ARROW_RIGHT * 4)
    until(shown, lambda: int(texts(shown, ".cost .state")[0].split()[1]) > kept)


def test_the_account_of_an_answer_is_a_bar(shown: webdriver.Chrome, url: str, ask: Asking) -> None:
    visit(shown, f"{url}/?tool=find_references&symbol=app.models.Order")
    exact = ask("find_references", symbol="app.models.Order").partition("account: exact ")[2].split()[0].rstrip(";")
    assert f"exact {exact}" in texts(shown, ".account .legend li")
    assert found(shown, ".account-exact").size["width"] > 0


def test_next_and_all_are_links(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?tool=find_references&symbol=app.models.Order&max_tokens=300")
    links = texts(shown, ".next a")
    assert links[0].startswith(("read_file(", "find_references("))
    assert links[-1] == "the complete result"
    click(shown, "the complete result")
    assert texts(shown, "h1") == ["read_result"]
    assert "app/uses.py" in texts(shown, ".path a")


def test_a_call_has_only_the_arguments_that_differ_from_the_usual(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?tool=find_references")
    found(shown, "#field-symbol").send_keys("Ordr", Keys.ENTER)
    settled(shown)
    assert address(shown) == "tool=find_references&symbol=Ordr"
    error = texts(shown, ".error")[0]
    assert "include_declaration" not in error
    found(shown, ".error a").click()
    settled(shown)
    assert texts(shown, ".error") == []


def test_the_ledger_shows_the_calls_of_others_as_they_come(shown: webdriver.Chrome, url: str, ask: Asking) -> None:
    visit(shown, f"{url}/?view=ledger")
    response = ask.session.call(Request("type_members", {"symbol": "app.models.Order"}, client="another"))
    assert response.composed is not None
    question = 'type_members(symbol="app.models.Order")'
    until(shown, lambda: texts(shown, ".ledger tbody th")[:1] == [question])
    assert texts(shown, ".ledger tbody tr:first-child td")[:3] == [f"{response.composed.price:,}", "-", "another"]
    click(shown, question)
    assert address(shown) == "tool=type_members&symbol=app.models.Order"


def test_names_of_files_are_text_and_never_markup(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?path=docs")
    assert "<b>bold</" in texts(shown, "#parts th a")
    visit(shown, f"{url}/?q=%3Cb%3Ex%3C/b%3E")
    assert texts(shown, "h1 q") == ["<b>x</b>"]
    assert shown.find_elements(By.CSS_SELECTOR, "main b") == []


def test_rectangles_of_the_map_fill_their_box_in_proportion_to_their_tokens(shown: webdriver.Chrome) -> None:
    script = """
      const done = arguments[0];
      import("/page/static/treemap.js").then(({ squarify }) => {
        let seed = 7;
        const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
        const wrong = [];
        for (let turn = 0; turn < 200; turn += 1) {
          const length = 1 + Math.floor(random() * 60);
          const areas = Array.from({ length }, () => 1 + Math.floor(10 ** (6 * random())));
          areas.sort((one, other) => other - one);
          const box = { x: 3, y: 5, width: 1 + 900 * random(), height: 1 + 900 * random() };
          const sum = areas.reduce((one, other) => one + other, 0);
          const boxes = squarify(areas, box);
          const whole = box.width * box.height;
          const right = boxes.length === areas.length && boxes.every((one, i) =>
            Math.abs(one.width * one.height - (areas[i] / sum) * whole) < 0.01 + 0.001 * whole
            && one.x >= 2.99 && one.y >= 4.99
            && one.x + one.width <= 3.01 + box.width && one.y + one.height <= 5.01 + box.height);
          if (!right) wrong.push(areas);
        }
        done(wrong);
      });
    """
    assert shown.execute_async_script(script) == []


# Where answers are slow, and where there are none


def test_a_slow_answer_is_announced_can_be_stopped_and_holds_up_no_other(
    shown: webdriver.Chrome, url: str, ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    answer = ask.session.call

    def slow(request: Request) -> Response:
        if request.tool == "find_code":
            released.wait(30)
        return answer(request)

    monkeypatch.setattr(ask.session, "call", slow)
    try:
        shown.get(f"{url}/?q=order")
        until(shown, lambda: "Order" in texts(shown, ".card:nth-child(1) a.name"))
        until(shown, lambda: texts(shown, ".waiting [role=status]") == ["Waiting for find_code ..."])
        assert violations(shown) == []
        found(shown, ".waiting button").click()
        until(shown, lambda: texts(shown, ".notice [role=status]") == ["Stopped."])
        found(shown, ".notice button").click()
        until(shown, lambda: texts(shown, ".waiting [role=status]") == ["Waiting for find_code ..."])
    finally:
        released.set()
    settled(shown)
    assert texts(shown, ".card:nth-child(2) a.name")


def test_leaving_a_state_ends_what_it_waits_for(
    shown: webdriver.Chrome, url: str, ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()
    answer = ask.session.call

    def slow(request: Request) -> Response:
        from leadline_tools.cancellation import Cancelled, check

        if request.tool != "find_code":
            return answer(request)
        try:
            for _ in range(3_000):
                check()
                ended.wait(0.01)
        except Cancelled:
            ended.set()
            raise
        return answer(request)

    monkeypatch.setattr(ask.session, "call", slow)
    shown.get(f"{url}/?q=order&in=meaning")
    found(shown, ".waiting")
    found(shown, ".home").click()
    assert ended.wait(10)
    settled(shown)
    assert texts(shown, "h1") == ["shop"]


def test_a_server_that_is_gone_is_reported(browser: webdriver.Chrome, url: str) -> None:
    resize(browser, WIDE)
    visit(browser, f"{url}/?view=ledger")
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


def test_a_state_that_is_not_there_offers_a_way_on(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?path=nowhere")
    assert texts(shown, "#content [role=status]") == ["There is no such folder."]
    assert texts(shown, ".links a") == ["Map", "Tools", "Ledger"]
    visit(shown, f"{url}/?file=app/model.py")
    assert texts(shown, ".side h2") == []
    call = 'read_file(path="app/models.py", start_line=1, num_lines=400)'
    assert texts(shown, ".error") == [f"There is no file or folder 'app/model.py'. Call {call}."]
    found(shown, ".error a").click()
    settled(shown)
    assert address(shown) == "file=app/models.py&line=1"


def test_a_call_that_an_answer_offers_opens_in_the_panel_of_the_symbol(shown: webdriver.Chrome, url: str) -> None:
    visit(shown, f"{url}/?file=app/views.py&line=6&symbol=app/views.py:6:12&show=definition")
    link = next(one for one in shown.find_elements(By.CSS_SELECTOR, ".next a") if "find_references" in one.text)
    shown.execute_script("arguments[0].click()", link)
    settled(shown)
    assert address(shown) == "file=app/views.py&line=6&symbol=app/models.py:1&show=uses"
    assert texts(shown, "#symbol-heading") == ["Order"]


# Two hundred roots


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("many")
    roots = {
        f"root_{i:03}": write(folder / f"root_{i:03}", {"a.py": f"def made_{i}():\n    return {i}\n" * (1 + i % 7)})
        for i in range(200)
    }
    config = Config(next(iter(roots.values())), folder / "cache", "gpt-5", roots=roots, long_ids=True)
    session = Session(config, index_of(config))
    session.index.start()
    assert session.index.wait(120)
    with served_page(session) as served:
        yield served
    session.close()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_two_hundred_roots_are_shown_and_each_can_be_reached(
    browser: webdriver.Chrome, many: str, size: tuple[int, int]
) -> None:
    resize(browser, size)
    logged(browser)
    visit(browser, many)
    assert texts(browser, "h1") == ["200 roots"]
    assert browser.title == "200 roots - Leadline"
    assert 1 <= len(texts(browser, ".treemap > .tile:not(.inner)")) <= 200
    browser.execute_script("document.getElementById('parts').open = true")
    click(browser, "Show 100 more")
    assert len(texts(browser, "#parts tbody tr")) == 200
    assert violations(browser) == []
    assert sideways(browser) <= 0
    click(browser, "root_123/")
    assert texts(browser, "h1") == ["root_123"]
    visit(browser, f"{many}/?q=made_123&in=names")
    assert texts(browser, "a.name")[:1] == ["made_123"]
    assert len(browser.find_elements(By.CSS_SELECTOR, "#roots option")) == 200
    found(browser, "#at").send_keys("root_122", Keys.ENTER)
    settled(browser)
    assert address(browser) == "q=made_123&in=names&at=root_122"
    assert "made_123" not in texts(browser, "a.name")
    assert violations(browser) == []
    assert logged(browser) == []
