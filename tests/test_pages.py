"""What the pages tell a reader to type can be typed, and their examples answer what is shown.

An example is a ``console`` block below ``<!-- in FOLDER -->``: it is run in a copy of that folder, and what it prints
is compared, the ids of results and their cost apart. The one about Django is run where ``LEADLINE_DJANGO`` names a
clone of the version that its page names.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from consoles import Console
from leadline_server.cli import main
from leadline_server.clients.client import SERVER
from leadline_server.clients.known import CLIENTS

ROOT = Path(__file__).parent.parent
PAGES = {path.relative_to(ROOT).as_posix(): path for path in (*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"))}
_ID = re.compile(r"(?<=leadline://result/)\w+")
_COST = re.compile(r"(?<=\| )[\d,]+(?= ?(?:of|/))", re.MULTILINE)
_STANDING = {"CLIENT": "claude-code", "PATH": ".", "/path/to/repo": ".", "~/.leadline-token": __file__}
"""What takes the place of what a reader puts in."""

_EXAMPLE = re.compile(
    r"^<!-- in (?P<folder>[^\s:]+)(?:: .*)? -->\n```console\n(?P<shown>.*?)^```$", re.MULTILINE | re.DOTALL
)
_CLONES = {"django": "LEADLINE_DJANGO"}
"""Folders that are not in this repository, by the variable that says where they are."""


def commands() -> Iterator[tuple[str, str]]:
    """Yield the commands of all pages that are there to be typed, each with its page."""
    for page, path in sorted(PAGES.items()):
        for block in re.findall(r"^```sh\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            lines = block.replace("\\\n", " ").splitlines()
            yield from ((page, line) for line in lines if line.startswith("leadline "))


def examples() -> Iterator[tuple[str, str, str, str]]:
    """Yield the examples of all pages: the page, the folder, the command and what it prints."""
    for page, path in sorted(PAGES.items()):
        for found in _EXAMPLE.finditer(path.read_text(encoding="utf-8")):
            for run in re.split(r"^\$ ", found["shown"], flags=re.MULTILINE)[1:]:
                command, _, printed = run.partition("\n")
                yield page, found["folder"], command, printed


def without_chance(printed: str) -> str:
    """Return an answer without ids, which are keyed with a secret, and without what such an id costs."""
    return _COST.sub("N", _ID.sub("ID", printed))


@pytest.mark.parametrize(("page", "command"), list(commands()))
def test_a_command_on_a_page_is_one_that_the_console_understands(page: str, command: str) -> None:
    _, name, *arguments = shlex.split(command, comments=True)
    known = [_STANDING.get(argument, argument) for argument in arguments]
    command_of_page = main.get_command(click.Context(main), name)
    while isinstance(command_of_page, click.Group):
        name, *known = known
        command_of_page = command_of_page.commands.get(name)
    assert command_of_page is not None, page
    with command_of_page.make_context(name, known) as context:  # raises what the console would refuse
        assert context.params


@pytest.mark.parametrize(("page", "folder", "command", "printed"), list(examples()))
def test_an_example_answers_what_its_page_shows(
    console: Console, page: str, folder: str, command: str, printed: str
) -> None:
    clone = os.environ.get(_CLONES[folder]) if folder in _CLONES else None
    if folder not in _CLONES:
        shutil.copytree(ROOT / folder, console.folder, dirs_exist_ok=True)
    elif clone is None:
        pytest.skip(f"{_CLONES[folder]} names no clone")
    leadline, *arguments = shlex.split(command)
    assert leadline == "leadline", page
    ran = console.process(*arguments, *(() if clone is None else ("--root", clone)))
    assert ran.code == 0, ran.err
    assert without_chance(ran.out) == without_chance(printed)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_example_of_a_page_says_where_it_is_run(page: str) -> None:
    text = PAGES[page].read_text(encoding="utf-8")
    assert len(_EXAMPLE.findall(text)) == len(re.findall("^```console$", text, re.MULTILINE))


@pytest.mark.parametrize("name", CLIENTS)
def test_the_page_of_a_client_shows_what_install_prints(console: Console, name: str) -> None:
    client, page = CLIENTS[name], PAGES[f"docs/connect/{name}.md"].read_text(encoding="utf-8")
    by_hand = page.partition("## By hand")[2]
    shown = re.findall(r"^```(?:json|toml|yaml)\n(.*?)^```$", by_hand, re.MULTILINE | re.DOTALL)[0]
    ran = console("install", name, "--print", *(["--root", "."] if client.folderless else []))
    assert ran.code == 0, ran.err
    program = re.search(r'(?:command|cmd)"? ?[:=] \[?"([^"]+)"', ran.out)
    assert program is not None
    printed = ran.out.replace(f'"{program[1]}"', f'"{SERVER}"').replace(str(console.folder.resolve()), "/path/to/repo")
    assert shown.strip() == printed.replace('"-P", "-m", "leadline_server", ', "").strip()
