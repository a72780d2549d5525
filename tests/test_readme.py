"""The README is short, current, and says nothing that the code does not do."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from consoles import Console
from leadline_estimators import count
from leadline_server.clients.known import CLIENTS
from leadline_server.console.serve import serve

ROOT = Path(__file__).parent.parent
MOST_WORDS = 600


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = loaded(ROOT / "scripts" / "generate.py")
README: str = generate.README.read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_its_generated_parts_are_what_scripts_generate_writes() -> None:
    assert generate.rewritten(README) == README, "run scripts/generate"


def test_a_stale_readme_fails_the_check_until_it_is_generated_anew(tmp_path: Path) -> None:
    stale = tmp_path / "README.md"
    stale.write_text(README.replace("| `list_files` |", "| `ls` |"), encoding="utf-8")
    assert generate.main(["--check"], stale) == 1
    assert generate.main([], stale) == 0
    assert generate.main(["--check"], stale) == 0
    assert stale.read_text(encoding="utf-8") == README


def test_a_readme_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="<!-- tools -->"):
        generate.rewritten("# Leadline\n")


def test_it_has_fewer_than_600_words_besides_code_tables_and_the_list_of_languages() -> None:
    prose = re.sub(
        r"<!-- languages -->.*?<!-- /languages -->|^```.*?^```$|^\|.*?$|<!--.*?-->",
        "",
        README,
        flags=re.MULTILINE | re.DOTALL,
    )
    assert len(prose.split()) < MOST_WORDS


def test_the_answer_that_it_shows_costs_what_its_header_says() -> None:
    command, answer = fenced("console")[0].split("\n", 1)
    said = re.search(r"\| ([\d,]+) of ([\d,]+) tokens$", answer.partition("\n")[0])
    assert said is not None
    assert count(answer) == int(said[1])
    assert f"max_tokens={said[2]}" in command


def test_its_client_configurations_start_the_server_with_options_that_there_are() -> None:
    options = {option for parameter in serve.params for option in parameter.opts}
    servers = [server for text in fenced("json") for group in json.loads(text).values() for server in group.values()]
    assert servers
    for server in servers:
        assert server["command"] == "leadline"
        command, *arguments = server["args"]
        assert command == "serve"
        assert {argument for argument in arguments if argument.startswith("--")} <= options


COMMANDS = [
    line.removeprefix("scripts/")
    for text in fenced("sh")
    for line in text.splitlines()
    if line.removeprefix("scripts/").startswith("leadline ")
]


def test_a_clone_is_run_and_tested_by_a_command_each() -> None:
    (clone,) = (block for block in fenced("sh") if "scripts/" in block)
    program, tests = clone.splitlines()
    assert program.startswith("scripts/leadline ")
    assert tests == "scripts/test --fast"
    assert "scripts/test " in (ROOT / "scripts" / "check").read_text(encoding="utf-8")


def test_the_first_commands_need_no_clone() -> None:
    first = fenced("sh")[0].splitlines()
    assert first[0].startswith("uv tool install leadline # or: pipx install leadline")
    assert not any(line.startswith("scripts/") for line in first)
    assert "on PyPI from its first release on" in README


def test_its_picture_shows_the_answer_that_follows() -> None:
    picture = ET.parse(ROOT / "docs" / "answer.svg").getroot()
    shown = re.sub(r"\s", "", "".join(picture.itertext()))  # the parts of a line have their places, and no spaces
    assert "](docs/answer.svg)" in README[: README.index("## ")]
    for line in fenced("console")[0].splitlines():
        assert re.sub(r"\s", "", line) in shown, line
    assert "@font-face" not in (ROOT / "docs" / "answer.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_its_commands_run_on_a_fresh_machine(console: Console, command: str) -> None:
    (console.folder / "app.py").write_text("x = 1\n", encoding="utf-8")
    _, *arguments = shlex.split(command.replace("PATH", "."))
    ran = console.process(*arguments, *(["--yes"] if arguments[0] == "install" else []))
    assert ran.code == 0, ran.err
    assert ran.out


def test_it_tells_of_every_client() -> None:
    assert all(f"`leadline install {name}" in README for name in CLIENTS)


def test_every_file_that_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
