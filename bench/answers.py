"""What answers cost on Django 5.2: the promises of the README, measured; exits with 1 if one is broken.

    python bench/answers.py ROOT

ROOT is the unpacked source distribution. Tokens are o200k tokens.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django_questions import QUESTIONS
from leadline_estimators import count
from leadline_server.app import INSTRUCTIONS, tool_declaration
from leadline_server.call import Request, Session
from leadline_server.config import HARD_CHARACTERS, HARD_TOKENS, Config
from leadline_tools.index.index import Index

BUDGETS = (60, 90, 150, 400, 1_000, 2_000, 5_000, 9_000, 20_000)
INDEXING_SECONDS = 600


@dataclass(frozen=True)
class Row:
    """One promise: what was measured, and the most (or least) that was promised."""

    what: str
    measured: float
    promised: float
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Return whether the promise holds."""
        return self.measured >= self.promised if self.at_least else self.measured <= self.promised

    def __str__(self) -> str:
        """Return the row as Markdown."""
        bound = "at least" if self.at_least else "at most"
        return f"| {self.what} | {self.measured:,.1f} | {bound} {self.promised:,.1f} | {'yes' if self.kept else 'NO'} |"


def main(root: Path) -> int:
    """Print the table; return the exit code."""
    with tempfile.TemporaryDirectory() as cache:
        index = Index(root, Path(cache))
        session = Session(Config(root, Path(cache), "openai"), index)
        index.start()
        if not index.wait(INDEXING_SECONDS):
            raise TimeoutError("the index is not complete")
        rows = list(measured(session))
        session.close()
    print("| what | measured | promised | kept |\n|---|---|---|---|")
    print(*rows, sep="\n")
    return 0 if all(row.kept for row in rows) else 1


def measured(session: Session) -> Iterator[Row]:
    """Yield every row of the table."""

    def ask(tool: str, **arguments: object) -> str:
        response = session.call(Request(tool, arguments))
        if response.is_error:
            raise ValueError(response.text)
        return response.text

    yield Row("tools/list and instructions", tools_cost(session), 2_000)
    listing = ask("list_files", recursive=True)
    yield Row("list_files(recursive=true): counts in place of 6,869 names", count(listing), 1_800)
    total = sum(
        int(n.replace(",", ""))
        for n in re.findall(r"^\S.* ([\d,]+)$", listing.partition("by extension")[0], re.MULTILINE)
    )
    yield Row("... and the folders add up to", total, 6_869, at_least=True)
    found = ask("symbol_search", query="QuerySet", max_tokens=150)
    yield Row("symbol_search(QuerySet, max_tokens=150)", count(found), 150)
    place = found.partition("django/")  # the first heading
    first = "".join(place[1:]).splitlines()[:2] == ["django/db/models/query.py", "277 class QuerySet(AltersData)"]
    yield Row("... and the definition is first", float(first), 1, at_least=True)
    outline = ask("document_symbols", path="django/db/models/query.py", max_tokens=1_750)
    yield Row("document_symbols(query.py), complete", count(outline) if ", complete" in outline else 10**6, 1_750)
    uses = ask("find_references", symbol="django.http.response.HttpResponse", max_tokens=2_300)
    yield Row("find_references(HttpResponse), every line", count(uses) if ", complete" in uses else 10**6, 2_300)
    over, used = 0, []
    for tool, arguments in QUESTIONS:
        for budget in BUDGETS:
            text = ask(tool, **arguments, max_tokens=budget)
            over += count(text) > min(budget, HARD_TOKENS) or len(text) > HARD_CHARACTERS
            if budget == 2_000 and is_cut(text):
                used.append(count(text) / budget)
    yield Row(f"answers over budget, of {len(QUESTIONS) * len(BUDGETS)}", over, 0)
    yield Row(f"used / budget at 2,000, median of {len(used)} cut answers, %", 100 * statistics.median(used), 95, True)
    again = sum(ask(t, **a, max_tokens=700) != ask(t, **a, max_tokens=700) for t, a in QUESTIONS)
    yield Row("answers that differ when asked again", again, 0)


def is_cut(text: str) -> bool:
    """Return whether an answer is a page of items that the budget cut, and not counts in place of a list."""
    header = text.partition("\n")[0]
    return bool(re.search(r"[\d,]+-[\d,]+ of ", header)) and ", complete" not in header and "\nall: " in text


def tools_cost(session: Session) -> int:
    """Return what a model pays before it asks anything."""
    tools = [tool_declaration(tool) for tool in session.tools.values()]
    wire = [{"name": t.name, "description": t.description, "inputSchema": t.input_schema} for t in tools]
    return count(json.dumps(wire, separators=(",", ":"), ensure_ascii=False)) + count(INSTRUCTIONS)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
