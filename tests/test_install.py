"""``leadline install`` puts the server into each client's own configuration, and nothing that was there is lost."""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consoles import DEADLINE, Console
from leadline_estimators.profiles import is_known_model
from leadline_server.clients import toml
from leadline_server.clients.client import Client, Machine, Scope
from leadline_server.clients.command import Command
from leadline_server.clients.configuration import add_server, entry_of
from leadline_server.clients.known import CLIENTS
from leadline_server.clients.links import install_link, one_liner, snippet
from leadline_server.clients.skill import skill_text
from leadline_server.config import TURN_TOKENS
from leadline_server.errors import ChangedMeanwhile, NotWritable
from leadline_tools import jsonc
from leadline_tools.tool import TOOLS

SAMPLES = Path(__file__).parent / "configurations"
PLACES = {
    "claude-code": (".claude.json", ".claude.json", ".claude.json"),
    "claude-desktop": (
        ".config/Claude/claude_desktop_config.json",
        "Library/Application Support/Claude/claude_desktop_config.json",
        "AppData/Roaming/Claude/claude_desktop_config.json",
    ),
    "vscode": (
        ".config/Code/User/mcp.json",
        "Library/Application Support/Code/User/mcp.json",
        "AppData/Roaming/Code/User/mcp.json",
    ),
    "cursor": (".cursor/mcp.json",) * 3,
    "codex": (".codex/config.toml",) * 3,
    "gemini": (".gemini/settings.json",) * 3,
    "copilot": (".copilot/mcp-config.json",) * 3,
    "antigravity": (".gemini/config/mcp_config.json",) * 3,
    "windsurf": (".codeium/windsurf/mcp_config.json",) * 3,
    "zed": (".config/zed/settings.json", ".config/zed/settings.json", "AppData/Roaming/Zed/settings.json"),
    "junie": (".junie/mcp/mcp.json",) * 3,
    "opencode": (".config/opencode/opencode.json",) * 3,
    "cline": (".cline/data/settings/cline_mcp_settings.json",) * 3,
}
PASTED = ["goose", "jetbrains"]
"""The clients whose entry is printed for the user to paste."""

PROJECT_PLACES = {
    "claude-code": ".mcp.json",
    "vscode": ".vscode/mcp.json",
    "cursor": ".cursor/mcp.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "copilot": ".github/mcp.json",
    "antigravity": ".agents/mcp_config.json",
    "zed": ".zed/settings.json",
    "junie": ".junie/mcp/mcp.json",
    "opencode": "opencode.json",
}
NAMES = sorted(PLACES)
COMMAND = Command("/opt/leadline", ("serve", "--model", "claude"))

Servers = dict[str, dict[str, Any]]


@pytest.fixture
def project(console: Console) -> Console:
    """The console inside a project."""
    (console.folder / ".git").mkdir()
    return console


def home_file(console: Console, name: str) -> Path:
    """Return the configuration of a client in the home of the tests."""
    variables = {"APPDATA": console.environment["APPDATA"]}
    return CLIENTS[name].file(Scope.User, Machine(console.home, sys.platform, variables), console.folder)


def sample(name: str) -> Path:
    return next(SAMPLES.glob(f"{name}.*"))


def put(console: Console, name: str, text: str | None = None) -> Path:
    """Write a configuration into the home of the tests: the sample of the client, or ``text``."""
    path = home_file(console, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(sample(name).read_text(encoding="utf-8") if text is None else text, encoding="utf-8")
    return path


def servers(client: Client, text: str) -> Servers:
    """Return the servers of a configuration, read without the code under test where the format allows."""
    if client.format is toml:
        tables: Servers = tomllib.loads(text)[client.servers]
        return tables
    bare = re.sub(r"""("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/""", r"\1", text, flags=re.DOTALL)
    bare = re.sub(r",(\s*[}\]])", r"\1", bare)
    held: Any = json.loads(bare)
    for key in client.servers.split("."):
        held = held[key]
    found: Servers = held
    return found


def words(entry: Mapping[str, Any]) -> list[str]:
    """Return the program of an entry and its arguments."""
    command = entry["command"]
    return [*(command if isinstance(command, list) else [command]), *entry.get("args", ())]


def comments(text: str) -> list[str]:
    return re.findall(r"(?:(?<=\s)//|#)[^\n]*|/\*.*?\*/", text)


# Places


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("number", "platform"), list(enumerate(("linux", "darwin", "win32"))))
def test_each_client_is_configured_where_it_looks_on_each_system(name: str, number: int, platform: str) -> None:
    home = Path("/home/ada")
    place = PLACES[name][number]
    assert CLIENTS[name].file(Scope.User, Machine(home, platform), Path("/work")) == home / place


def test_every_client_has_its_place_and_its_sample_here() -> None:
    assert sorted(CLIENTS) == sorted([*NAMES, *PASTED])
    assert sorted(path.stem for path in SAMPLES.iterdir()) == NAMES
    assert {name for name, client in CLIENTS.items() if Scope.Project in client.scopes} == set(PROJECT_PLACES)
    assert [name for name, client in sorted(CLIENTS.items()) if not client.scopes] == PASTED


@pytest.mark.parametrize(
    ("name", "variable", "place"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json"),
    ],
)
def test_the_variables_with_which_clients_are_moved_are_followed(name: str, variable: str, place: str) -> None:
    machine = Machine(Path("/home/ada"), "linux", {variable: "/elsewhere"})
    assert CLIENTS[name].file(Scope.User, machine, Path("/work")) == Path("/elsewhere") / place


# What is written


@pytest.mark.parametrize("name", NAMES)
def test_a_dry_run_shows_the_change_and_writes_nothing(project: Console, name: str) -> None:
    path = put(project, name)
    before = path.read_bytes()
    ran = project("install", name, "--dry-run")
    assert ran.code == 0, ran.err
    assert f"+++ {path}" in ran.out
    added_lines = [line for line in ran.out.splitlines() if line.startswith("+") and "leadline" in line]
    assert added_lines
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir() if entry.is_file()] == [path.name]


@pytest.mark.parametrize("name", NAMES)
def test_installing_adds_one_server_and_keeps_all_else(project: Console, name: str) -> None:
    client, path = CLIENTS[name], put(project, name)
    before = path.read_text(encoding="utf-8")
    ran = project("install", name, "--yes")
    assert ran.code == 0, ran.err
    after = path.read_text(encoding="utf-8")
    others = servers(client, after)
    entry = others.pop("leadline")
    assert others == servers(client, before)
    assert comments(after) == comments(before)
    assert entry["command"]
    assert "serve" in words(entry)
    backup = next(path.parent.glob(f"{path.name}.*.backup"))
    assert backup.read_text(encoding="utf-8") == before
    assert backup.name in ran.out


@pytest.mark.parametrize("name", NAMES)
def test_removing_gives_back_what_was_there(project: Console, name: str) -> None:
    client, path = CLIENTS[name], put(project, name)
    before = path.read_text(encoding="utf-8")
    project("install", name, "--yes")
    ran = project("install", name, "--remove", "--yes")
    assert ran.code == 0, ran.err
    after = path.read_text(encoding="utf-8")
    assert client.format.read(after) == client.format.read(before)
    assert comments(after) == comments(before)
    assert client.then not in ran.out
    assert project("install", name, "--remove", "--yes").out == f"{path} needs no change.\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_configuration_that_is_not_there_is_made(project: Console, name: str) -> None:
    path = home_file(project, name)
    ran = project("install", name, "--yes")
    assert ran.code == 0, ran.err
    assert list(servers(CLIENTS[name], path.read_text(encoding="utf-8"))) == ["leadline"]
    assert not list(path.parent.glob("*.backup"))


def test_nothing_is_removed_from_where_nothing_is(project: Console) -> None:
    ran = project("install", "cursor", "--remove", "--yes")
    assert ran.code == 0
    assert "needs no change" in ran.out
    assert not list(project.home.iterdir())


def test_a_second_time_changes_nothing(project: Console) -> None:
    path = put(project, "vscode")
    project("install", "vscode", "--yes")
    once = path.read_bytes()
    ran = project("install", "vscode", "--yes")
    assert ran.out == f"{path} needs no change.\n"
    assert path.read_bytes() == once


def test_what_the_user_has_added_to_the_entry_stays(project: Console) -> None:
    text = """{"mcpServers": {
  "leadline": {
    "command": "old", // by hand
    "args": ["serve"],
    "env": {"LEADLINE_MAX_TOKENS": "900"}, "disabled": true
  }
}}
"""
    path = put(project, "cursor", text)
    assert project("install", "cursor", "--yes").code == 0
    after = path.read_text(encoding="utf-8")
    entry = servers(CLIENTS["cursor"], after)["leadline"]
    assert entry["env"] == {"LEADLINE_MAX_TOKENS": "900"}
    assert entry["disabled"] is True
    assert entry["command"] != "old"
    assert "// by hand" in after


@pytest.mark.parametrize("name", sorted(PROJECT_PLACES))
def test_a_projects_configuration_is_written_only_when_asked_for(project: Console, name: str) -> None:
    project("install", name, "--yes")
    path = project.folder / PROJECT_PLACES[name]
    assert not path.exists()
    ran = project("install", name, "--yes", "--scope", "project")
    assert ran.code == 0, ran.err
    entry = servers(CLIENTS[name], path.read_text(encoding="utf-8"))["leadline"]
    assert not Path(words(entry)[0]).is_absolute(), "others share this file"


def test_a_client_without_projects_says_so(project: Console) -> None:
    ran = project("install", "claude-desktop", "--scope", "project", "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("leadline: Claude Desktop has no project configuration")


# What the server is told


def arguments(console: Console, name: str, *options: str) -> list[str]:
    ran = console("install", name, "--yes", *options)
    assert ran.code == 0, ran.err
    held = words(servers(CLIENTS[name], home_file(console, name).read_text(encoding="utf-8"))["leadline"])
    return held[held.index("serve") :]


def test_each_client_gets_the_options_that_it_needs(project: Console) -> None:
    here = str(project.folder.resolve())
    assert arguments(project, "claude-code") == ["serve", "--model", "claude"]
    assert arguments(project, "claude-desktop") == [
        *("serve", "--root", here, "--model", "claude", "--turn-tokens", str(TURN_TOKENS))
    ]
    assert arguments(project, "vscode") == ["serve", "--root", "${workspaceFolder}"]
    assert arguments(project, "cursor") == ["serve", "--root", "${workspaceFolder}"]
    assert arguments(project, "codex") == ["serve", "--model", "openai"]
    assert arguments(project, "gemini") == ["serve", "--model", "gemini-3-pro"]
    assert arguments(project, "antigravity") == ["serve", "--model", "gemini-3-pro"]
    assert arguments(project, "zed") == arguments(project, "opencode") == arguments(project, "copilot") == ["serve"]
    for name in ("windsurf", "junie", "cline"):
        assert arguments(project, name) == ["serve", "--root", here]


def test_a_model_is_named_for_each_client_that_runs_one_family_and_an_unknown_one_is_said(project: Console) -> None:
    assert {name for name, client in CLIENTS.items() if client.model} == {
        *("claude-code", "claude-desktop", "codex", "gemini", "antigravity")
    }
    assert all(is_known_model(client.model) for client in CLIENTS.values() if client.model)
    assert "run leadline install cursor --model claude" in project("install", "cursor", "--yes").out
    ran = project("install", "cursor", "--model", "cluade", "--dry-run")
    assert "The model 'cluade' is not known" in ran.err
    assert "Did you mean claude?" in ran.err


def test_root_and_model_are_passed_on(project: Console) -> None:
    (project.folder / "docs").mkdir()
    given = arguments(project, "vscode", "--root", "docs", "--model", "gpt-5")
    assert given == ["serve", "--root", str(project.folder.resolve() / "docs"), "--model", "gpt-5"]


def test_a_root_that_is_not_there_is_refused(project: Console) -> None:
    ran = project("install", "vscode", "--root", "nowhere", "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert "'nowhere' does not exist" in ran.err
    assert not list(project.home.iterdir())


def test_the_command_that_is_written_is_this_installation(project: Console) -> None:
    project("install", "cursor", "--yes")
    entry = servers(CLIENTS["cursor"], home_file(project, "cursor").read_text(encoding="utf-8"))["leadline"]
    assert Path(entry["command"]).is_absolute()
    assert Path(entry["command"]).exists()


# What is printed


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_what_is_printed_is_what_is_written_and_nothing_is_changed(project: Console, name: str) -> None:
    ran = project("install", name, "--print")
    assert ran.code == 0, ran.err
    assert not list(project.home.iterdir())
    assert CLIENTS[name].then in ran.err
    if name in PASTED:
        assert '"leadline"' in ran.out or "leadline:" in ran.out
        return
    assert str(home_file(project, name)) in ran.err
    project("install", name, "--yes")
    written = servers(CLIENTS[name], home_file(project, name).read_text(encoding="utf-8"))
    assert servers(CLIENTS[name], ran.out) == written


def test_a_client_without_a_file_says_what_to_run(project: Console) -> None:
    ran = project("install", "goose", "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert "run leadline install goose --print" in ran.err


LINKED = Command("uvx", ("leadline", "serve", "--root", "${workspaceFolder}", "--model", "claude"))


def test_a_link_holds_the_command_that_it_installs() -> None:
    plain = {"command": LINKED.program, "args": list(LINKED.arguments)}
    cursor = urlsplit(install_link(CLIENTS["cursor"], LINKED))
    assert (cursor.scheme, cursor.netloc, cursor.path) == ("cursor", "anysphere.cursor-deeplink", "/mcp/install")
    query = parse_qs(cursor.query)
    assert query["name"] == ["leadline"]
    assert json.loads(base64.b64decode(query["config"][0])) == plain
    vscode = install_link(CLIENTS["vscode"], LINKED)
    assert json.loads(unquote(vscode.removeprefix("vscode:mcp/install?"))) == {"name": "leadline", **plain}
    goose = parse_qs(urlsplit(install_link(CLIENTS["goose"], LINKED)).query)
    assert (goose["cmd"], goose["arg"]) == ([LINKED.program], list(LINKED.arguments))
    assert install_link(CLIENTS["zed"], LINKED) == ""


def test_a_one_liner_is_one_command_of_the_shell_that_ends_in_ours() -> None:
    for name in ("claude-code", "codex", "gemini", "copilot", "antigravity"):
        line = shlex.split(one_liner(CLIENTS[name], LINKED))
        assert line[0] == CLIENTS[name].program
        assert line[-7:] == [LINKED.program, *LINKED.arguments]
    added = shlex.split(one_liner(CLIENTS["vscode"], LINKED))
    assert added[:2] == ["code", "--add-mcp"]
    assert json.loads(added[2])["args"] == list(LINKED.arguments)
    assert one_liner(CLIENTS["windsurf"], LINKED) == ""


def test_the_entry_of_goose_is_in_yaml_and_has_its_own_keys() -> None:
    text = snippet(CLIENTS["goose"], LINKED)
    assert text.splitlines()[:2] == ["extensions:", "  leadline:"]
    assert '    cmd: "uvx"' in text
    assert "    args: " + json.dumps(list(LINKED.arguments)) in text


# Permissions of Claude Code


def test_the_tools_are_allowed_when_asked_for_and_other_rules_stay(project: Console) -> None:
    path = project.home / ".claude" / "settings.json"
    project("install", "claude-code", "--yes")
    assert not path.exists()
    path.parent.mkdir()
    path.write_text(
        '{\n  // mine\n  "permissions": {"allow": ["Bash(ls)"], "deny": ["WebFetch"]}\n}\n', encoding="utf-8"
    )
    assert project("install", "claude-code", "--allow-tools", "--dry-run").code == 0
    assert "mcp__leadline" not in path.read_text(encoding="utf-8")
    ran = project("install", "claude-code", "--allow-tools", "--yes")
    assert ran.code == 0, ran.err
    text = path.read_text(encoding="utf-8")
    assert jsonc.read(text) == {"permissions": {"allow": ["Bash(ls)", "mcp__leadline"], "deny": ["WebFetch"]}}
    assert "// mine" in text
    assert "needs no change" in project("install", "claude-code", "--allow-tools", "--yes").out.splitlines()[-1]
    assert path.read_text(encoding="utf-8") == text
    assert project("install", "claude-code", "--allow-tools", "--yes", "--scope", "project").code == 0
    assert "mcp__leadline" in (project.folder / ".claude" / "settings.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ['{"permissions": []}', '{"permissions": {"allow": "all"}}', "{"])
def test_permissions_that_cannot_be_read_stay(project: Console, text: str) -> None:
    path = project.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    ran = project("install", "claude-code", "--allow-tools", "--yes")
    assert ran.code == 1
    assert str(path) in ran.err
    assert path.read_text(encoding="utf-8") == text


def test_only_claude_code_has_permissions_to_write(project: Console) -> None:
    assert project("install", "cursor", "--allow-tools", "--yes").code == 2


# Without a name, and the skill


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
def test_on_a_terminal_a_person_chooses_by_number(project: Console) -> None:
    import pty

    for name in ("cursor", "codex"):
        put(project, name)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "leadline_server", "install"]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, cwd=project.folder, env=project.environment
    ) as running:
        os.write(ours, b"2\ny\n")
        said, _ = running.communicate(timeout=DEADLINE)
    os.close(ours)
    os.close(theirs)
    assert running.returncode == 0, said
    assert "leadline" in home_file(project, "codex").read_text(encoding="utf-8")
    assert "leadline" not in home_file(project, "cursor").read_text(encoding="utf-8")


def test_without_a_name_the_clients_on_this_machine_are_listed_and_nothing_is_written(project: Console) -> None:
    assert "No client was found" in project("install").out
    put(project, "cursor")
    (project.home / ".codex").mkdir()
    ran = project("install")
    assert ran.code == 0
    listed = ran.out.splitlines()
    assert [line.split()[1] for line in listed[1:-1]] == ["Cursor", "Codex"]
    assert listed[-1] == "Run leadline install CLIENT for one of them, or leadline install --yes for all."
    assert not (project.home / ".codex" / "config.toml").exists()


def test_without_a_name_yes_configures_all_clients_on_this_machine(project: Console) -> None:
    for name in ("cursor", "codex"):
        put(project, name)
    assert project("install", "--yes").code == 0
    for name in ("cursor", "codex"):
        text = home_file(project, name).read_text(encoding="utf-8")
        assert "leadline" in servers(CLIENTS[name], text)


def test_the_skill_is_written_shown_and_deleted(project: Console) -> None:
    path = project.home / ".claude" / "skills" / "leadline" / "SKILL.md"
    assert project("install", "skill", "--dry-run").code == 0
    assert not path.exists()
    assert project("install", "skill", "--yes").code == 0
    assert path.read_text(encoding="utf-8") == project("install", "skill", "--print").out
    assert "needs no change" in project("install", "skill", "--yes").out
    assert project("install", "skill", "--yes", "--scope", "project").code == 0
    assert (project.folder / ".claude" / "skills" / "leadline" / "SKILL.md").exists()
    assert project("install", "skill", "--remove", "--yes").code == 0
    assert not path.exists()


def test_every_call_that_the_skill_teaches_is_one_that_there_is() -> None:
    text = skill_text()
    front = text.split("---")[1]
    assert re.search(r"^name: leadline$", front, re.MULTILINE)
    description = re.search(r"^description: (.*)$", front, re.MULTILINE)
    assert description is not None
    assert len(description[1]) <= 1_024
    calls = [shlex.split(call) for call in re.findall(r"`leadline call ([^`]+)`", text) if call[0].islower()]
    assert len(calls) >= 10
    for tool, *pairs in calls:
        known = {*TOOLS[tool].arguments.model_fields, "max_tokens"}
        assert {pair.partition("=")[0] for pair in pairs} <= known, tool


# What cannot be done


def test_an_unknown_client_is_one_line_with_the_known_ones(project: Console) -> None:
    ran = project("install", "emacs")
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert all(name in ran.err for name in NAMES)
    assert "Did you mean claude-code or claude-desktop?" in project("install", "claude").err
    assert "Did you mean windsurf?" in project("install", "windsruf").err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude-code", '{"mcpServers": {"a": {}'),
        ("claude-desktop", "{'mcpServers': {}}"),
        ("vscode", "[]"),
        ("vscode", '{"servers": {} "inputs": []}'),
        ("cursor", '{"mcpServers": []}'),
        ("gemini", '"text"'),
        ("codex", "[mcp_servers\n"),
        ("codex", "mcp_servers = 3\n"),
    ],
)
def test_a_broken_configuration_is_kept_and_said_in_one_line(project: Console, name: str, text: str) -> None:
    path = put(project, name, text)
    for options in (["--yes"], ["--dry-run"]):
        ran = project("install", name, *options)
        assert ran.code == 1
        assert len(ran.err.splitlines()) == 1
        assert str(path) in ran.err
        assert "Fix the file, or move it away" in ran.err
    assert path.read_text(encoding="utf-8") == text
    assert [entry.name for entry in path.parent.iterdir() if entry.is_file()] == [path.name]


def test_a_configuration_that_is_not_text_is_kept(project: Console) -> None:
    path = put(project, "cursor", "")
    path.write_bytes(b"\xff\xfe{\x00}\x00")
    assert project("install", "cursor", "--yes").code == 1
    assert path.read_bytes() == b"\xff\xfe{\x00}\x00"


def test_without_a_terminal_and_without_yes_nothing_is_written(project: Console) -> None:
    path = put(project, "cursor")
    before = path.read_bytes()
    ran = project("install", "cursor")
    assert ran.code == 2
    assert "--yes" in ran.err
    assert path.read_bytes() == before


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder in which nobody but the superuser may write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked by a mode")
def test_a_folder_that_is_read_only_is_said_and_nothing_is_lost(locked: Path) -> None:
    path = locked / "mcp.json"
    path.write_text("{}\n", encoding="utf-8")
    locked.chmod(0o555)
    change = add_server(CLIENTS["cursor"], path, COMMAND)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)  # the superuser may write anywhere
    try:
        with pytest.raises(NotWritable, match=re.escape(str(path))) as raised:
            change.write()
    finally:
        os.seteuid(user)
    assert "--dry-run" in raised.value.hint
    assert path.read_text(encoding="utf-8") == "{}\n"
    assert list(locked.iterdir()) == [path]


def test_a_file_where_a_folder_should_be_is_said(project: Console) -> None:
    (project.home / ".cursor").write_text("", encoding="utf-8")
    ran = project("install", "cursor", "--yes")
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1


def test_what_another_program_wrote_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / ".claude.json"
    path.write_text("{}\n", encoding="utf-8")
    change = add_server(CLIENTS["claude-code"], path, COMMAND)
    path.write_text('{"numStartups": 2}\n', encoding="utf-8")
    with pytest.raises(ChangedMeanwhile):
        change.write()
    assert path.read_text(encoding="utf-8") == '{"numStartups": 2}\n'


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_stays_a_link_and_a_file_keeps_its_mode(tmp_path: Path) -> None:
    kept, link = tmp_path / "settings.json", tmp_path / "mcp.json"
    kept.write_text("{}\n", encoding="utf-8")
    kept.chmod(0o640)
    link.symlink_to(kept)
    add_server(CLIENTS["cursor"], link, COMMAND).write()
    assert link.is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o640
    assert entry_of(CLIENTS["cursor"], link) is not None


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_stay(tmp_path: Path, newline: str, mark: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes((mark + sample("vscode").read_text(encoding="utf-8").replace("\n", newline)).encode())
    add_server(CLIENTS["vscode"], path, COMMAND).write()
    after = path.read_bytes().decode()
    assert after.startswith(mark + "{")
    assert after.count("\n") == after.count(newline)


# The formats

_KEYS = st.text('abc"\\/ é', max_size=4)
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab/*\\"{},:\n', max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)
_COMMENT = st.sampled_from(["", " ", "\n", "\t", "/* a, } */", "// b: {\n", "\n\n  "])


@st.composite
def commented(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Draw an object, and a text of it with blanks, comments and trailing commas."""

    def spelled(value: object) -> str:
        def gap() -> str:
            return str(draw(_COMMENT))

        plain = draw(st.booleans())
        if isinstance(value, dict):
            members = [
                f"{gap()}{json.dumps(name)}{gap()}:{gap()}{spelled(part)}{gap()}" for name, part in value.items()
            ]
        elif isinstance(value, list):
            members = [f"{gap()}{spelled(part)}{gap()}" for part in value]
        else:
            return json.dumps(value, ensure_ascii=plain)
        trailing = f",{gap()}" if members and plain else gap()
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return opening + ",".join(members) + trailing + closing

    value = draw(st.dictionaries(_KEYS, _JSON, max_size=4))
    return value, f"{draw(_COMMENT)}{spelled(value)}{draw(_COMMENT)}"


@given(commented(), _KEYS, _KEYS, _JSON)
def test_a_member_is_set_and_dropped_and_nothing_else_changes(
    held: tuple[dict[str, Any], str], outer: str, name: str, value: Any
) -> None:
    before, text = held
    assert jsonc.read(text) == before
    inside = before.get(outer, {})
    if not isinstance(inside, Mapping):
        with pytest.raises(ValueError, match="is not a JSON object"):
            jsonc.put(text, (outer, name), value)
        return
    after = jsonc.put(text, (outer, name), value)
    assert jsonc.read(after) == {**before, outer: {**inside, name: value}}
    dropped = jsonc.drop(after, (outer, name))
    assert jsonc.read(dropped) == {**before, outer: {key: kept for key, kept in inside.items() if key != name}}


@given(st.text('{}[]",:/*\\ \nab1', max_size=30))
def test_a_text_that_is_no_object_is_refused_and_nothing_worse(text: str) -> None:
    try:
        jsonc.read(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            jsonc.put(text, ("a",), 1)


def test_nesting_beyond_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="nested"):
        jsonc.read("[" * 100_000)


def test_of_a_key_that_is_there_twice_the_one_that_counts_is_edited(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {}, "mcpServers": {"a": {}}}', encoding="utf-8")
    after = add_server(CLIENTS["cursor"], path, COMMAND).after
    assert list(json.loads(after)["mcpServers"]) == ["a", "leadline"]
