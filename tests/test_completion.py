"""The shell completes commands, tools, their arguments and the values of these, each shell in its own way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from consoles import DEADLINE, Console
from leadline_server.console.completion import VARIABLE
from leadline_server.console.words import SHELLS
from leadline_server.console.words import tools as known_tools
from leadline_tools.tool import TOOLS

BASH = shutil.which("bash")
MATCHES = ["auto", "exact", "prefix", "substring", "fuzzy"]


@pytest.fixture
def here(console: Console) -> Console:
    """A folder with something in it to complete."""
    for name in ("src/app.py", "src/lib/x.py", "setup.cfg", ".git/config"):
        path = console.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return console


def asked(console: Console, shell: str, *words: str) -> list[str]:
    """Return what a shell is told when the last of ``words`` is being typed, by the protocol that it speaks."""
    variables = {VARIABLE: f"{shell}_complete", "COMP_WORDS": "\n".join(words)}
    variables["COMP_CWORD"] = words[-1] if shell == "fish" else str(len(words) - 1)
    ran = console(variables=variables)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    if shell == "zsh":
        return lines[1::3]
    if shell == "fish":
        return [line.partition(",")[2].partition("\t")[0] for line in lines if line.startswith("plain,")]
    return [line.partition(",")[2] for line in lines]


def test_all_tools_are_known_without_the_server() -> None:
    assert known_tools().keys() == TOOLS.keys()


def test_commands_and_tools_are_completed(here: Console) -> None:
    assert asked(here, "zsh", "leadline", "do") == ["doctor"]
    assert asked(here, "zsh", "leadline", "call", "read_") == ["read_file", "read_result"]
    assert asked(here, "zsh", "leadline", "install", "c") == ["claude-code", "claude-desktop", "cursor", "codex"]
    assert asked(here, "zsh", "leadline", "serve", "--tools", "core,read_f") == ["core,read_file"]


def test_arguments_are_completed_until_they_are_given(here: Console) -> None:
    words = ("leadline", "call", "symbol_search")
    every = ["query=", "kind=", "path=", "match=", "detail=", "max_tokens="]
    assert asked(here, "zsh", *words, "") == every
    assert asked(here, "zsh", *words, "query=x", "") == every[1:]
    assert asked(here, "zsh", *words, "ma") == ["match=", "max_tokens="]
    assert asked(here, "zsh", "leadline", "call", "no_such_tool", "") == []


def test_values_are_completed_where_they_are_known(here: Console) -> None:
    words = ("leadline", "call", "symbol_search", "query=x")
    assert asked(here, "zsh", *words, "match=") == [f"match={value}" for value in MATCHES]
    assert asked(here, "zsh", *words, "match=s") == ["match=substring"]
    assert asked(here, "zsh", *words, "query=") == []
    assert asked(here, "zsh", "leadline", "call", "list_files", "recursive=") == ["recursive=true", "recursive=false"]
    assert asked(here, "zsh", "leadline", "call", "count_files", "by=l") == ["by=language"]
    assert asked(here, "zsh", "leadline", "call", "read_file", "num_lines=") == ["num_lines=100"]


def test_paths_are_completed_below_the_root(here: Console) -> None:
    words = ("leadline", "call", "read_file")
    assert asked(here, "zsh", *words, "path=s") == ["path=setup.cfg", "path=src/"]
    assert asked(here, "zsh", *words, "path=src/") == ["path=src/app.py", "path=src/lib/"]
    assert asked(here, "zsh", *words, "path=") == ["path=setup.cfg", "path=src/"]
    root = str(here.folder / "src")
    assert asked(here, "zsh", "leadline", "call", "--root", root, "read_file", "path=a") == ["path=app.py"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_that_hands_over_whole_words_gets_them_back(here: Console, shell: str) -> None:
    assert asked(here, shell, "leadline", "call", "symbol_search", "match=e") == ["match=exact"]


def test_bash_parts_words_at_the_equals_sign_and_gets_the_value(here: Console) -> None:
    words = ("leadline", "call", "symbol_search", "query", "=", "x", "match")
    assert asked(here, "bash", *words, "=") == MATCHES
    assert asked(here, "bash", *words, "=", "e") == ["exact"]
    assert asked(here, "bash", *words[:3], "que") == ["query="]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_script(here: Console, shell: str) -> None:
    ran = here("completion", shell)
    assert ran.code == 0, ran.err
    assert f"{VARIABLE}={shell}_complete" in ran.out


def test_an_unknown_shell_is_one_line_with_the_known_ones(here: Console) -> None:
    ran = here("completion", "csh")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert all(shell in ran.err for shell in SHELLS)


@pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="needs bash")
def test_bash_itself_completes(here: Console) -> None:
    command = here.home / "bin" / "leadline"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m leadline_server "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    script = """
eval "$(leadline completion bash)"
compopt() { echo "compopt ${*: -1}"; }
COMP_WORDS=(leadline call symbol_search "$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_leadline_completion leadline
printf '%s\\n' "${COMPREPLY[@]}"
"""
    variables = {**here.environment, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}

    def typed(*words: str) -> list[str]:
        ran = subprocess.run(
            [str(BASH), "--norc", "-c", script, "bash", *words],
            capture_output=True,
            text=True,
            env=variables,
            cwd=Path(here.folder),
            timeout=DEADLINE,
            check=True,
        )
        return ran.stdout.splitlines()

    assert typed("match", "=") == MATCHES
    assert typed("que") == ["compopt nospace", "query="]
