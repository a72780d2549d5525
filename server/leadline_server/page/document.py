"""The frame of a page: its head, its style, and what keeps it from fetching anything from elsewhere."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files

from leadline_server.page.markup import Element, element, html

MARK = "<!-- leadline stats -->"
"""The second line of a statement, by which it is known again."""


def read_asset(name: str) -> str:
    """Return a file of this package as text."""
    return files("leadline_server.page").joinpath(name).read_text(encoding="utf-8")


def document(title: str, *parts: Element | None) -> str:
    """Return a page that is one file: its style is in it, it runs no script, and it may load nothing."""
    style = read_asset("static/colours.css") + read_asset("style.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = (
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("style", style),
    )
    body = (element("header", element("h1", title)), element("main", *parts, id="content", tabindex="-1"))
    return _page(title, head, body, MARK)


def static_names() -> frozenset[str]:
    """Return the names of the scripts, styles and pictures of the page of a server."""
    return frozenset(file.name for file in files("leadline_server.page").joinpath("static").iterdir())


def linked_document(title: str) -> str:
    """Return the page of a server: its styles and scripts are files of the same server, and the scripts fill it."""
    head = (
        element("link", rel="stylesheet", href="/page/static/colours.css"),
        element("link", rel="stylesheet", href="/page/static/page.css"),
        element("link", rel="icon", href="/page/static/icon.svg"),
        element("script", src="/page/static/main.js", type="module"),
    )
    noscript = "This page requires JavaScript, which comes from this server. It loads nothing from elsewhere."
    body = (
        element("header", element("a", "Leadline", href="/"), id="header"),
        element("main", element("noscript", element("p", noscript)), id="content", tabindex="-1"),
        element("footer", id="footer"),
    )
    return _page(f"{title} - Leadline", head, body, "<!-- leadline -->")


def _page(title: str, head: Sequence[Element], body: Sequence[Element], mark: str) -> str:
    made = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            *head,
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("title", title),
        ),
        element(
            "body",
            element("a", "Skip to the content", href="#content", class_="skip"),
            *body,
        ),
        lang="en",
    )
    return f"<!doctype html>\n{mark}\n{html(made)}\n"
