"""A headless browser for the tests of pages, and a server of the page of a session."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from leadline_server.call import Session
from leadline_server.gate import Address
from leadline_server.http import application, listen
from leadline_server.page.routes import routes
from leadline_server.running import server_of
from serving import free_port

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
    "--window-size=1400,1000",
)
SECONDS = 30
WIDE, NARROW = (1400, 1000), (390, 844)
BACKS = {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}


def missing(what: str) -> None:
    """Skip for want of something; fail where it was to be there."""
    if os.environ.get("LEADLINE_BROWSER") == "required":
        pytest.fail(f"{what} is missing: scripts/browser-environment gets it")
    pytest.skip(f"{what} is missing: scripts/browser-environment gets it")


@contextmanager
def opened_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """Open a browser with a profile of its own."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        missing("Chromium")
    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    opened = webdriver.Chrome(options, webdriver.ChromeService(str(driver)))
    opened.set_page_load_timeout(SECONDS)
    try:
        yield opened
    finally:
        opened.quit()


@contextmanager
def served_page(session: Session) -> Iterator[str]:
    """Serve the page of a session on a port of its own; the URL has no slash at its end."""
    address = Address("127.0.0.1", free_port())
    with listen(address) as listener:
        config = uvicorn.Config(
            application(server_of(session), address, routes(session)), log_level="warning", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{address.port}"
        server.should_exit = True
        thread.join(SECONDS)


def logged(browser: Any) -> list[object]:
    """Return what the browser logged since it was last asked: scripts that fail, and what the policy forbids."""
    return list(browser.get_log("browser"))


def until(browser: webdriver.Chrome, happens: Callable[[], object]) -> None:
    WebDriverWait(browser, SECONDS, 0.05).until(lambda _: happens())


def settled(browser: webdriver.Chrome) -> None:
    """Wait until the page has all that it waits for."""
    script = "return Boolean(document.querySelector('#content[data-view]')) && !document.querySelector('[aria-busy]')"
    until(browser, lambda: browser.execute_script(script))


def found(browser: webdriver.Chrome, selector: str) -> WebElement:
    """Return the first element that a selector finds, once there is one."""
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, selector))
    return browser.find_element(By.CSS_SELECTOR, selector)


def texts(browser: webdriver.Chrome, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
    return list(browser.execute_script(script, selector))


def resize(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def in_colours(browser: webdriver.Chrome, scheme: str) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


def violations(browser: webdriver.Chrome) -> list[object]:
    """Return what axe finds that not everybody can use."""
    if not AXE.exists():
        missing("axe-core")
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    result: dict[str, Any] = browser.execute_async_script("axe.run().then(arguments[0])")
    assert len(result["passes"]) > 10
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in result["violations"]]


def sideways(browser: webdriver.Chrome) -> int:
    """Return by how many pixels a page is wider than its window."""
    return int(browser.execute_script("return document.documentElement.scrollWidth - innerWidth"))
