"""The page of ``leadline stats --html``: one file with plots of what was spent, estimated and saved."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from leadline_server.account import Account
from leadline_server.ledger import Spending
from leadline_server.page.document import MARK, document
from leadline_server.page.markup import Element, element
from leadline_server.page.plots import Data, bars, columns, figure

_MOST_TOOLS = 20


def is_statement(path: Path) -> bool:
    """Return whether a file is such a page, whichever version of Leadline wrote it."""
    with path.open("rb") as file:
        return MARK.encode() in file.read(200)


def statement(account: Account) -> str:
    """Return the page."""
    now = datetime.now(UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    title = "What Leadline's answers cost"
    if not account.total.calls:
        nothing = f"There were no calls in the last {account.days:,} days. Connect a client with "
        hint = element("p", nothing, element("code", "leadline install CLIENT"), ", or make a call with ")
        hint.append(element("code", "leadline call list_files recursive=true"))
        return document(title, hint)
    return document(
        title,
        element(
            "p",
            f"Calls of the last {account.days:,} days, as of {now}. Tokens are counted as for the model.",
            class_="dim",
        ),
        facts(_facts(account)),
        element("h2", "Spent"),
        figure("days", "Tokens sent, by day", _daily_data(account), columns(_daily_data(account))),
        element("h2", "Estimated and sent"),
        element("p", _estimate_text(account.total)),
        element("p", _offer_text(account)) if account.offers else None,
        figure(
            "estimates", "Tokens estimated and sent, by tool", _estimate_data(account), bars(_estimate_data(account))
        ),
        element("h2", "Saved, compared with the alternatives"),
        *(element("p", text) for text in _alternative_texts(account)),
        figure(
            "saved",
            "Tokens sent, and tokens of the alternatives, by tool",
            _savings_data(account),
            bars(_savings_data(account)),
        ),
        element("h2", "The list of tools"),
        element("p", _tool_list_text(account)),
        element("h2", "Models and clients"),
        figure(
            "models",
            "Tokens sent, by model",
            _sent_data(account.by_model, "model"),
            bars(_sent_data(account.by_model, "model")),
        ),
        figure(
            "clients",
            "Tokens sent, by client",
            _sent_data(account.by_client, "client"),
            bars(_sent_data(account.by_client, "client")),
        ),
    )


def facts(named: tuple[tuple[str, str], ...]) -> Element:
    """Return figures with their names."""
    return element(
        "dl", *(element("div", element("dt", name), element("dd", value)) for name, value in named), class_="facts"
    )


def _facts(account: Account) -> tuple[tuple[str, str], ...]:
    total = account.total
    priced = total.calls > account.unpriced
    return (
        ("calls", f"{total.calls:,}"),
        ("tokens sent", f"{total.sent:,}"),
        ("saved against complete answers", f"{account.saved:,}"),
        ("saved against files read whole", f"{account.saved_reading:,}" if total.files else "-"),
        ("lists of tools", f"{account.listed:,}"),
        ("dollars to read the answers once", f"${account.dollars:,.4f}" if priced else "price not known"),
    )


def _daily_data(account: Account) -> Data:
    return Data("day", ("sent",), tuple((day.name, (day.sent,)) for day in account.by_day))


def _estimate_data(account: Account) -> Data:
    rows = tuple((tool.name, (tool.estimated, tool.sent)) for tool in account.by_tool[:_MOST_TOOLS])
    return Data("tool", ("estimated", "sent"), rows)


def _savings_data(account: Account) -> Data:
    rows = tuple((tool.name, (tool.sent, tool.whole, tool.files or None)) for tool in account.by_tool[:_MOST_TOOLS])
    return Data("tool", ("sent", "complete answers", "files read whole"), rows)


def _sent_data(groups: tuple[Spending, ...], heading: str) -> Data:
    return Data(heading, ("sent",), tuple((group.name, (group.sent,)) for group in groups))


def _estimate_text(total: Spending) -> str:
    return (
        "Leadline estimates each answer from the costs of its lines before it builds the text, and counts the text that"
        f" it sends. The two differed by {total.error_share:.1%} of what was sent, and by {total.worst:.1%} in the"
        " worst answer."
    )


def _offer_text(account: Account) -> str:
    return (
        f"{account.offers:,} calls had been offered by an answer with a price. The prices add up to {account.quoted:,}"
        f" tokens; without a limit, the calls would have cost {account.actual:,}."
    )


def _alternative_texts(account: Account) -> tuple[str, ...]:
    total = account.total
    complete = (
        f"Complete answers: every item in the same form, as the tools would send it without a budget. They would have"
        f" been {total.whole:,} tokens, {account.saved:,} more than were sent. Above 512 items, this is an estimate"
        " from a sample. A page of a stored result counts as itself, since the answer before it was counted whole."
    )
    reading = (
        "Files read whole: the files that contain the lines sent, each once per call, by their bytes."
        f" {total.instead:,} tokens of answers come from files of {total.files:,} tokens. An agent would pay that if it"
        " opened every file it was pointed to. Lists of files and counts are not included."
    )
    return (complete, reading) if total.files else (complete,)


def _tool_list_text(account: Account) -> str:
    if not account.sessions:
        return "The ledger has no session with a client; calls from the console need no list of tools."
    return (
        f"In {account.sessions:,} sessions a client received the tools with their schemas and the instructions:"
        f" {account.listed:,} tokens, counted once a session. They are not subtracted from the savings above. A client"
        " that sends them with every request pays for them, or for reading them from a cache, each time."
    )
