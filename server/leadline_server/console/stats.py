"""``leadline stats``: what answers cost, what they saved, and against which alternative."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leadline_server.console.command import Command
from leadline_server.console.options import CACHE, DATABASE, cache_folder
from leadline_tools.plurals import count_noun

if TYPE_CHECKING:
    from leadline_server.account import Account
    from leadline_server.ledger import Spending
    from leadline_tools.database.address import DatabaseAddress


@click.command(cls=Command)
@CACHE
@DATABASE
@click.option(
    "--days", type=click.IntRange(1, 36_500), default=30, show_default=True, help="Number of days to include."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option(
    "--html", "page", type=click.Path(path_type=Path), default=None, help="Write an HTML page with plots to this file."
)
@click.option("--force", is_flag=True, help="Overwrite the file even if leadline stats did not write it.")
@click.pass_context
def stats(
    context: click.Context,
    cache_dir: Path | None,
    database: DatabaseAddress | None,
    days: int,
    as_json: bool,
    page: Path | None,
    force: bool,
) -> None:
    """Report what the calls of the last days cost and saved, by tool, day and model.

    With --database, the calls of all servers that share it. Exit code 1: the ledger cannot be read, or the page cannot
    be written.
    """
    found = _shared_account(database, days) if database is not None else _local_account(cache_dir, days)
    if page is not None:
        _write_page(page, found, force=force)
    elif as_json:
        click.echo(json.dumps(_figures(found), ensure_ascii=True))
    elif not found.total.calls:
        click.echo(_no_calls_message(days))
    else:
        _print(found)
    context.exit(0)


def _local_account(cache_dir: Path | None, days: int) -> Account:
    """Return the account of the ledger in a cache folder; raises ClickException."""
    import apsw

    from leadline_server.account import account
    from leadline_server.state import LEDGER

    path = cache_folder(cache_dir) / LEDGER
    try:
        return account(path, days)
    except apsw.Error as error:
        raise click.ClickException(f"{path} cannot be read: {error}.") from None


def _shared_account(database: DatabaseAddress, days: int) -> Account:
    """Return the account of the ledger in a database; raises DatabaseError."""
    from leadline_server.replicas.shared_account import shared_account

    return shared_account(database, days)


def _no_calls_message(days: int) -> str:
    return (
        f"There were no calls in the last {days:,} days. Connect a client (leadline install CLIENT), or make a call:\n"
        "  leadline call list_files recursive=true"
    )


def _write_page(page: Path, found: Account, *, force: bool) -> None:
    """Write the page; a file that is there and no such page stays, unless it is to be overwritten."""
    from leadline_server.page.statement import is_statement, statement

    try:
        if page.exists() and not force and not is_statement(page):
            raise click.ClickException(f"{page} was not written by leadline stats: name another file, or pass --force.")
        beside = page.with_name(f".{page.name}.new")
        beside.write_text(statement(found), encoding="utf-8")
        beside.replace(page)
    except OSError as error:
        raise click.ClickException(f"{page} cannot be written: {error.strerror}.") from None
    click.echo(f"Wrote {page}.")


def _figures(found: Account) -> dict[str, object]:
    """Return the figures as JSON has them; tokens are as ``Account`` has them."""
    return {
        "days": found.days,
        "total": asdict(found.total),
        "by_tool": [asdict(spending) for spending in found.by_tool],
        "by_day": [asdict(spending) for spending in found.by_day],
        "by_model": [asdict(spending) for spending in found.by_model],
        "by_client": [asdict(spending) for spending in found.by_client],
        "saved_against_complete_answers": found.saved,
        "saved_against_files_read_whole": found.saved_reading,
        "offers": {"calls": found.offers, "estimated": found.quoted, "actual": found.actual},
        "sessions": found.sessions,
        "listed": found.listed,
        "dollars": round(found.dollars, 6),
        "unpriced": found.unpriced,
        "odd": found.odd,
    }


def _print(found: Account) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for title, rows in (("tool", found.by_tool), ("day", found.by_day), ("model", found.by_model)):
        console.print(_make_table(title, rows, found.total))
    for line in _summary_lines(found):
        console.print(line, markup=False)


def _make_table(title: str, rows: Sequence[Spending], total: Spending) -> object:
    """Return a table of tokens with a row for each group.

    Its columns: calls; tokens sent; how far they were from the estimate; the complete answers; the part of what was
    sent that is lines of files; those files read whole.
    """
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_footer=len(rows) > 1)
    columns = ("calls", "sent", "off by", "complete", "from files", "whole files")
    table.add_column(title, "all", no_wrap=True)
    for name, footer in zip(columns, _cells(total), strict=True):
        table.add_column(name, footer, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.name, *_cells(row))
    return table


def _cells(row: Spending) -> tuple[str, ...]:
    off = f"{row.error_share:.1%}"
    return (
        f"{row.calls:,}",
        f"{row.sent:,}",
        off,
        f"{row.whole:,}",
        f"{row.instead:,}" if row.files else "-",
        f"{row.files:,}" if row.files else "-",
    )


def _summary_lines(found: Account) -> list[str]:
    """Return what the tables do not say."""
    total = found.total
    lines = [
        f"Sent {total.sent:,} tokens in {count_noun(total.calls, 'call')}"
        + (f", {total.errors:,} of which failed" if total.errors else "")
        + f"; the estimates were off by {total.error_share:.1%}, for one answer by up to {total.worst:.1%}.",
        f"Complete answers in the same form: {total.whole:,} tokens, so {found.saved:,} were saved.",
    ]
    if total.files:
        lines.append(
            f"{total.instead:,} of the tokens are lines of files. Those files read whole: {total.files:,} tokens, so"
            f" {found.saved_reading:,} were saved."
        )
    if found.offers:
        lines.append(
            f"{count_noun(found.offers, 'call')} had been offered with a price: {found.quoted:,} tokens estimated,"
            f" {found.actual:,} actual."
        )
    if found.sessions:
        lines.append(
            f"The list of tools cost {found.listed:,} tokens in {count_noun(found.sessions, 'session')} with a client,"
            " which are not subtracted from the savings."
        )
    if total.calls > found.unpriced:
        lines.append(f"Reading the answers once cost about ${found.dollars:,.4f}, for the models whose price is known.")
    if found.odd:
        lines.append(f"Skipped {count_noun(found.odd, 'call')} dated in the future: a clock was wrong.")
    return lines
