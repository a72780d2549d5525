"""What the same questions cost with Leadline and with a shell: o200k tokens of schemas, calls and answers.

    python bench/compare.py ROOT [--cache-dir DIR]

ROOT is the unpacked source distribution of Django 5.2; the questions, and what each agent does for them, are in
``scenarios/django.toml``. Every question is a conversation of its own, and all are one. The shell runs twice: once with
whole outputs, and once cut where clients commonly cut them. Prints a table as Markdown; exits with 1 where Leadline's
answer lacks what was asked for.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline_estimators import count
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from schemas import SHELL_CUT, server_tokens, shell_tokens

QUESTIONS = Path(__file__).parent / "scenarios" / "django.toml"

INDEXING_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Scenario:
    """One question.

    Args:
        question: What is asked.
        leadline: The calls of an agent that has Leadline.
        shell: The commands of an agent that has a shell.
        wants: What an answer has to contain.
    """

    question: str
    leadline: Sequence[Mapping[str, Any]]
    shell: Sequence[str]
    wants: Sequence[str]


@dataclass(frozen=True, slots=True)
class Talk:
    """What one agent sent and got for a question.

    Args:
        calls: Tokens of its calls.
        answers: Tokens of their answers.
        answered: Whether what was asked for is in them.
    """

    calls: int
    answers: int
    answered: bool

    @property
    def tokens(self) -> int:
        """Return both."""
        return self.calls + self.answers

    def __str__(self) -> str:
        """Return the tokens, marked where the answer is not in them."""
        return f"{self.tokens:,}{'' if self.answered else ' (no answer)'}"


@dataclass(frozen=True, slots=True)
class Compared:
    """A question as both agents answer it."""

    scenario: Scenario
    ours: Talk
    whole: Talk
    cut: Talk


def scenarios(path: Path) -> list[Scenario]:
    """Read the questions."""
    return [Scenario(**table) for table in tomllib.loads(path.read_text(encoding="utf-8"))["scenario"]]


def with_leadline(session: Session, scenario: Scenario) -> Talk:
    """Make the calls; raises ValueError where one is refused."""
    calls, texts = 0, []
    for call in scenario.leadline:
        arguments = {name: value for name, value in call.items() if name != "tool"}
        response = session.call(Request(call["tool"], arguments))
        if response.is_error:
            raise ValueError(response.text)
        calls += cost_of_call(call["tool"], arguments)
        texts.append(response.text)
    return talk(calls, texts, scenario)


def with_shell(root: Path, scenario: Scenario, longest: int | None) -> Talk:
    """Run the commands; what they print is cut where a longest output is given."""
    calls, texts = 0, []
    for command in scenario.shell:
        done = subprocess.run(["bash", "-c", command], cwd=root, capture_output=True, check=False)
        calls += cost_of_call("bash", {"command": command})
        texts.append(done.stdout.decode("utf-8", "replace")[:longest])
    return talk(calls, texts, scenario)


def talk(calls: int, texts: Sequence[str], scenario: Scenario) -> Talk:
    """Count what was answered."""
    answered = all(any(wanted in text for text in texts) for wanted in scenario.wants)
    return Talk(calls, sum(map(count, texts)), answered)


def cost_of_call(tool: str, arguments: Mapping[str, object]) -> int:
    """Return what a model writes for a call."""
    return count(json.dumps({"name": tool, "arguments": arguments}, separators=(",", ":"), ensure_ascii=False))


def compared(root: Path, session: Session) -> Iterator[Compared]:
    """Yield every question whose tools there are."""
    for scenario in scenarios(QUESTIONS):
        if all(call["tool"] in session.tools for call in scenario.leadline):
            whole, cut = with_shell(root, scenario, None), with_shell(root, scenario, SHELL_CUT)
            yield Compared(scenario, with_leadline(session, scenario), whole, cut)


def table(rows: Sequence[Compared], ours: int, theirs: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| question | Leadline | shell, whole | shell, cut | Leadline / whole |"
    yield "|---|---:|---:|---:|---:|"
    for row in rows:
        ratio = (ours + row.ours.tokens) / (theirs + row.whole.tokens)
        yield f"| {row.scenario.question} | {row.ours} | {row.whole} | {row.cut} | {ratio:.2f} |"
    sums = [sum(talk.tokens for talk in talks) for talks in zip(*((r.ours, r.whole, r.cut) for r in rows), strict=True)]
    for name, times in (("schemas", 0), ("all, a conversation each", len(rows)), ("all in one conversation", 1)):
        a, b, c = (
            (ours, theirs, theirs)
            if name == "schemas"
            else (sums[0] + times * ours, sums[1] + times * theirs, sums[2] + times * theirs)
        )
        yield f"| **{name}** | {a:,} | {b:,} | {c:,} | {a / b:.2f} |"
    answered = [
        sum(talk.answered for talk in talks) for talks in zip(*((r.ours, r.whole, r.cut) for r in rows), strict=True)
    ]
    yield "| **answered** | " + " | ".join(f"{number} of {len(rows)}" for number in answered) + " | |"


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--cache-dir", type=Path)
    options = parser.parse_args(arguments)
    root: Path = options.root.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        cache = (options.cache_dir or Path(temporary)).resolve()
        config = Config(root, cache, "openai")
        index = Index(root, cache, policy=config.policy)
        session = Session(config, index)
        index.start()
        if not index.wait(INDEXING_SECONDS):
            raise TimeoutError("the index is not complete")
        rows = list(compared(root, session))
        print(*table(rows, server_tokens(session.tools.values()), shell_tokens()), sep="\n")
        session.close()
    return 0 if all(row.ours.answered for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
