"""Agents at the same questions with Leadline and with a shell: tokens, calls, right answers.

    python bench/arena.py questions
    python bench/arena.py call RUN QUESTION TOOL JSON
    python bench/arena.py shell RUN QUESTION COMMAND
    python bench/arena.py answer RUN QUESTION TEXT
    python bench/arena.py score RUN...

An agent that is told nothing but one arm's commands works through ``arena/questions.toml``; each command is recorded
in the folder RUN with its tokens (o200k). The arms are ``server`` (``call``: the tools of the server, whose schemas and
instructions count once for each question), ``shell`` (``shell`` with the programs of the system) and ``skill``
(``shell`` with ``leadline`` on the path; ``SKILL.md`` counts once for each question). The name of RUN begins with that
of its arm. Trees are taken from the folders of ``ARENA_TREES``, separated by colons; ``ARENA_QUESTIONS`` names another
file of questions, such as ``arena/second.toml``. What a command prints is cut after 30,000 characters, as common agents
do. The folder RUN has the exact texts of all calls and answers, a JSON object a line.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_estimators import count
from leadline_server import clients
from leadline_tools.tool import TOOLS
from schemas import SHELL_CUT, compact, server_tokens, shell_tokens

_QUESTIONS = Path(__file__).parent / "arena" / "questions.toml"
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a tree.

    Args:
        id: Its name.
        tree: The name of the folder.
        text: What is asked.
        wants: What a right answer holds; ``a|b`` is either.

    """

    id: str
    tree: str
    text: str
    wants: Sequence[str]

    def is_answered(self, text: str) -> bool:
        """Return whether a text answers the question."""
        said = text.lower()
        return all(any(re.search(_bounded(word), said) for word in want.lower().split("|")) for want in self.wants)


@dataclass(frozen=True, slots=True)
class Score:
    """What a run needed, without what is declared before its first call, and how many of its answers are right."""

    tokens: int
    calls: int
    right: int
    wrong: Sequence[str]


def _bounded(word: str) -> str:
    return rf"(?<!\w){re.escape(word)}(?!\w)"


@cache
def questions() -> dict[str, Question]:
    """Return the questions by their ids."""
    file = Path(os.environ.get("ARENA_QUESTIONS") or _QUESTIONS)
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return {table["id"]: Question(**table) for table in tables}


@click.group()
def main() -> None:
    """Record what agents do, and score it."""


@main.command("questions")
def print_questions() -> None:
    """Print the questions."""
    for question in questions().values():
        print(f"{question.id} (tree {question.tree}): {question.text}")


@main.command()
@click.argument("run", type=Path)
@click.argument("question")
@click.argument("tool")
@click.argument("arguments", default="{}")
def call(run: Path, question: str, tool: str, arguments: str) -> None:
    """Call a tool of a running server on the tree of a question."""
    root = _tree(question)
    given = [f"{name}={_value(value)}" for name, value in json.loads(arguments).items()]
    command = [_leadline(), "call", "--root", str(root), tool, *given]
    text = _output(command, root)
    print(text)
    _record(run, question, compact({"name": tool, "arguments": json.loads(arguments)}), text)


@main.command()
@click.argument("run", type=Path)
@click.argument("question")
@click.argument("command")
def shell(run: Path, question: str, command: str) -> None:
    """Run a command in the tree of a question."""
    root = _tree(question)
    text = _output(["bash", "-c", command], root)
    text = text if len(text) <= SHELL_CUT else f"{text[:SHELL_CUT]}\n[cut after {SHELL_CUT:,} characters]"
    print(text)
    _record(run, question, compact({"command": command}), text)


@main.command()
@click.argument("run", type=Path)
@click.argument("question")
@click.argument("text")
def answer(run: Path, question: str, text: str) -> None:
    """Record the answer to a question."""
    _asked(question)
    run.mkdir(parents=True, exist_ok=True)
    (run / f"{question}.answer").write_text(text, encoding="utf-8")


@main.command()
@click.argument("runs", type=Path, nargs=-1, required=True)
def score(runs: Sequence[Path]) -> None:
    """Print what runs needed, and which of their answers are not right."""
    print("| run | tokens of calls and answers | with schemas, a conversation each | in one conversation |", end="")
    print(" calls | right | not right |\n|---|---:|---:|---:|---:|---:|---|")
    for run in runs:
        found, declared = _score(run), _declared(run.name)
        each = found.tokens + declared * len(questions())
        print(
            f"| {run.name} | {found.tokens:,} | {each:,} | {found.tokens + declared:,} | {found.calls} "
            f"| {found.right} of {len(questions())} | {', '.join(found.wrong)} |"
        )


def _score(run: Path) -> Score:
    tokens = calls = 0
    wrong: list[str] = []
    for question in questions().values():
        log, said = run / f"{question.id}.jsonl", run / f"{question.id}.answer"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        tokens += sum(json.loads(line)["tokens"] for line in lines)
        calls += len(lines)
        if not (said.exists() and question.is_answered(said.read_text(encoding="utf-8"))):
            wrong.append(question.id)
    return Score(tokens, calls, len(questions()) - len(wrong), wrong)


@cache
def _declared(run: str) -> int:
    """Return the tokens that an agent of a run has before its first call."""
    if run.startswith("server"):
        return server_tokens(TOOLS.values())
    skill = Path(clients.__file__).with_name("SKILL.md").read_text(encoding="utf-8") if run.startswith("skill") else ""
    return shell_tokens() + count(skill)


def _record(run: Path, question: str, asked: str, said: str) -> None:
    run.mkdir(parents=True, exist_ok=True)
    line: dict[str, Any] = {"asked": asked, "said": said, "tokens": count(asked) + count(said)}
    with (run / f"{question}.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")


def _asked(question: str) -> Question:
    if question not in questions():
        raise click.BadParameter(f"there is no question {question!r}: {', '.join(questions())}")
    return questions()[question]


def _tree(question: str) -> Path:
    name = _asked(question).tree
    for folder in os.environ.get("ARENA_TREES", "").split(os.pathsep):
        if (Path(folder) / name).is_dir():
            return Path(folder) / name
    raise click.UsageError(f"no folder of ARENA_TREES has a tree {name}")


def _output(command: Sequence[str], root: Path) -> str:
    try:
        done = subprocess.run(
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"[ended after {_SECONDS} s]"
    return done.stdout.decode("utf-8", "replace").rstrip("\n")


def _leadline() -> str:
    found = shutil.which("leadline", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        raise click.UsageError("there is no command leadline beside this Python, nor on the path")
    return found


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    main()
