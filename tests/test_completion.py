"""The shell completes commands, tools, their arguments and the values of these, each shell in its own way."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from consoles import DEADLINE, Console
from leadline_server.console.completion import VARIABLE
from leadline_server.console.words import SHELLS
from leadline_server.console.words import tools as known_tools
from leadline_tools.tool import TOOLS

BASH, FISH, ZSH = map(shutil.which, ("bash", "fish", "zsh"))
needs = {shell: pytest.mark.skipif(shutil.which(shell) is None, reason=f"needs {shell}") for shell in SHELLS}
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
    assert asked(here, "zsh", "leadline", "install", "c") == [
        "claude-code",
        "claude-desktop",
        "copilot",
        "cursor",
        "codex",
        "cline",
    ]
    assert asked(here, "zsh", "leadline", "serve", "--tools", "core,read_f") == ["core,read_file"]


def test_arguments_are_completed_until_they_are_given(here: Console) -> None:
    words = ("leadline", "call", "symbol_search")
    every = ["query=", "kind=", "path=", "match=", "detail=", "changed_since=", "max_tokens="]
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


@pytest.fixture
def installed(here: Console) -> dict[str, str]:
    """The environment of a shell on whose PATH there is the command."""
    command = here.home / "bin" / "leadline"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m leadline_server "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return {**here.environment, "PATH": path, "TERM": "dumb"}


@needs["bash"]
@pytest.mark.skipif(sys.platform == "win32", reason="needs a bash that starts scripts")
def test_bash_itself_completes(here: Console, installed: dict[str, str]) -> None:
    script = """
eval "$(leadline completion bash)"
compopt() { echo "compopt ${*: -1}"; }
COMP_WORDS=(leadline call symbol_search "$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_leadline_completion leadline
printf '%s\\n' "${COMPREPLY[@]}"
"""

    def typed(*words: str) -> list[str]:
        ran = subprocess.run(
            [str(BASH), "--norc", "-c", script, "bash", *words],
            capture_output=True,
            text=True,
            env=installed,
            cwd=Path(here.folder),
            timeout=DEADLINE,
            check=True,
        )
        return ran.stdout.splitlines()

    assert typed("match", "=") == MATCHES
    assert typed("que") == ["compopt nospace", "query="]


@needs["fish"]
def test_fish_itself_completes(here: Console, installed: dict[str, str]) -> None:
    def typed(line: str) -> list[str]:
        script = 'leadline completion fish | source; complete --do-complete "$argv[1]"'
        ran = subprocess.run(
            [str(FISH), "--no-config", "-c", script, line],
            capture_output=True,
            text=True,
            env=installed,
            cwd=here.folder,
            timeout=DEADLINE,
            check=True,
        )
        return [found.partition("\t")[0] for found in ran.stdout.splitlines()]

    assert typed("leadline do") == ["doctor"]
    assert sorted(typed("leadline call read_")) == ["read_file", "read_result"]
    assert sorted(typed("leadline call symbol_search match=")) == sorted(f"match={value}" for value in MATCHES)
    assert typed("leadline call read_file path=sr") == ["path=src/"]


class Zsh:
    """A zsh on a terminal of its own, whose line is asked for once it has completed it."""

    def __init__(self, console: Console, environment: dict[str, str]) -> None:
        import pty

        self._line = console.home / "line"
        os.mkfifo(self._line)
        self._terminal, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [str(ZSH), "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=console.folder, env=environment
        )
        os.close(theirs)
        self._limit = threading.Timer(DEADLINE, self._give_up)
        self._limit.start()
        threading.Thread(target=self._drain, daemon=True).start()
        self._type(
            "autoload -U compinit; compinit -u -D; zstyle ':completion:*' insert-tab false; "
            'eval "$(leadline completion zsh)"; '
            f"_tell() {{ print -r -- \"$BUFFER|\" > {self._line}; BUFFER= }}; zle -N _tell; bindkey '^X' _tell\n"
        )

    def _drain(self) -> None:
        with contextlib.suppress(OSError):  # it is gone
            while os.read(self._terminal, 4096):
                pass

    def _give_up(self) -> None:
        """End the shell, and let go of whoever waits for its line."""
        self._process.kill()
        with contextlib.suppress(OSError):  # nobody waits
            os.close(os.open(self._line, os.O_WRONLY | os.O_NONBLOCK))

    def _type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def completed(self, typed: str) -> str:
        """Return what a line becomes by the tabulator key, up to a bar."""
        self._type(f"{typed}\t\x18")
        return self._line.read_text(encoding="utf-8").rstrip("\n")

    def close(self) -> None:
        self._limit.cancel()
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)


@needs["zsh"]
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_zsh_itself_completes(here: Console, installed: dict[str, str]) -> None:
    with contextlib.closing(Zsh(here, installed)) as zsh:
        assert zsh.completed("leadline doc") == "leadline doctor |"
        assert zsh.completed("leadline call document_") == "leadline call document_symbols |"
        assert zsh.completed("leadline call symbol_search que") == "leadline call symbol_search query=|"
        assert zsh.completed("leadline call symbol_search match=e") == "leadline call symbol_search match=exact |"
        assert zsh.completed("leadline call read_file path=sr") == "leadline call read_file path=src/|"
