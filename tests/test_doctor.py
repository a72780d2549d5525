"""``leadline doctor`` finds what is wrong and says how to mend it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consoles import SOURCES, Console, Ran
from leadline_estimators import tokenizer
from leadline_server.health import installation, machine
from leadline_server.health.finding import Finding, State
from leadline_tools.language_servers.known import KNOWN
from leadline_tools.languages import LANGUAGES

CHECKS = ["environment", "grammars", "tokenizer", "cache", "disk", "watcher", "git", "ruff"]
CHECKS += [f"server {known.name}" for known in KNOWN]
CHECKS += ["edits", "resident server"]
SERVE = ["-P", "-m", "leadline_server", "serve", "--root", "${workspaceFolder}"]


@pytest.fixture
def here(console: Console) -> Console:
    (console.folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    return console


def findings(ran: Ran) -> dict[str, dict[str, str]]:
    found: list[dict[str, str]] = json.loads(ran.out)
    assert all(set(finding) == {"name", "state", "seen", "cure"} for finding in found)
    assert all(finding["cure"] for finding in found if finding["state"] != "good"), "each finding has its cure"
    return {finding["name"]: finding for finding in found}


def configured(console: Console, **entry: Any) -> Path:
    """Write the configuration of Cursor, which starts ``entry``."""
    path = console.home / ".cursor" / "mcp.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"leadline": entry}}), encoding="utf-8")
    return path


def named(findings: Iterator[Finding], name: str) -> Finding:
    return next(finding for finding in findings if finding.name == name)


def test_on_a_fresh_machine_everything_is_looked_at_and_nothing_is_written(here: Console) -> None:
    ran = here("doctor", "--json")
    assert ran.code == 0, ran.out
    found = findings(ran)
    assert list(found) == [*CHECKS, "clients"]
    assert all(finding["state"] != "bad" for finding in found.values())
    assert f"{len(LANGUAGES)} languages" in found["grammars"]["seen"]
    assert "run leadline install" in found["clients"]["seen"]
    assert not list(here.home.iterdir())
    assert [path.name for path in here.folder.iterdir()] == ["a.py"]


def test_for_people_each_finding_is_a_line_and_its_cure_another(here: Console) -> None:
    configured(here, command="no-such-program")
    ran = here("doctor")
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["good"] * 3
    assert lines[-3].startswith("bad   cursor: ")
    assert lines[-2].strip().startswith("Run leadline install cursor")
    assert lines[-1].startswith("1 thing does not work")


def test_language_servers_are_one_line_unless_all_are_asked_for(here: Console) -> None:
    lines = [line for line in here("doctor").out.splitlines() if " server" in line.partition(":")[0]]
    assert [line[6:].partition(":")[0] for line in lines] == ["language servers", "resident server"]
    assert here("doctor", "--verbose").out.count("good  server ") == len(KNOWN)


def test_a_client_that_is_configured_has_its_server_started(here: Console) -> None:
    configured(here, command=sys.executable, args=SERVE, env={"PYTHONPATH": SOURCES, "HOME": str(here.home)})
    ran = here("doctor", "--json", "--timeout", "60")
    assert ran.code == 0, ran.out
    assert " tools in " in findings(ran)["cursor"]["seen"]
    assert "counts as the most expensive model" in findings(ran)["cursor"]["seen"]


@pytest.mark.parametrize(
    ("options", "state", "seen"),
    [
        (["--model", "claude"], "good", "counts the tokens of claude"),
        (["--model=cluade"], "poor", "the model 'cluade' is not known"),
    ],
)
def test_the_model_that_a_client_counts_for_is_named(here: Console, options: list[str], state: str, seen: str) -> None:
    server = {"PYTHONPATH": SOURCES, "HOME": str(here.home)}
    configured(here, command=sys.executable, args=[*SERVE, *options], env=server)
    found = findings(here("doctor", "--json", "--timeout", "60"))["cursor"]
    assert (found["state"], seen in found["seen"]) == (state, True)
    assert found["cure"] == ("" if state == "good" else "Run leadline install cursor --model claude.")


def test_from_the_home_folder_all_that_works_is_good(console: Console) -> None:
    """The programs of this environment are not in the tree there, and a client is not started at home."""
    home = Path(sys.prefix).parent
    at_home = Console(home, home)
    path = console.home / ".claude.json"
    entry = {"command": sys.executable, "args": [*SERVE[:4], "--model", "claude"], "env": {"PYTHONPATH": SOURCES}}
    path.write_text(json.dumps({"mcpServers": {"leadline": entry}}), encoding="utf-8")
    variables = {"CLAUDE_CONFIG_DIR": str(console.home), "LEADLINE_CACHE_DIR": str(console.home / "cache")}
    ran = at_home("doctor", "--json", "--timeout", "60", variables=variables)
    found = findings(ran)
    assert (found["ruff"]["state"], found["claude-code"]["state"]) == ("good", "good"), ran.out
    assert at_home("doctor", variables=variables).out.splitlines()[-1].endswith("run leadline doctor in its folder.")


def test_a_program_inside_the_tree_is_named_with_the_reason(console: Console) -> None:
    home = Path(sys.prefix).parent
    cache = console.home / "cache"
    ran = Console(home, console.folder)("doctor", "--json", "--root", str(home), "--cache-dir", str(cache))
    ruff = findings(ran)["ruff"]
    assert (ruff["state"], "programs in the tree are never started" in ruff["seen"]) == ("poor", True)
    assert "--root" in ruff["cure"]


@pytest.mark.parametrize(
    ("program", "timeout", "seen"),
    [
        ("import sys; sys.exit('no module named leadline')", "30", "its last output: no module named leadline"),
        ("import sys; sys.stdin.read()", "1", "did not list its tools within 1 s"),
        ("print('hello', flush=True); input()", "5", "ended or failed"),
    ],
)
def test_a_server_that_dies_hangs_or_babbles_is_bad(here: Console, program: str, timeout: str, seen: str) -> None:
    path = configured(here, command=sys.executable, args=["-c", program])
    ran = here("doctor", "--json", "--timeout", timeout)
    assert ran.code == 1
    found = findings(ran)["cursor"]
    assert found["state"] == "bad"
    assert str(path) in found["seen"]
    assert seen in found["seen"]
    assert "leadline install cursor" in found["cure"]


def test_a_program_that_is_not_there_is_bad(here: Console) -> None:
    configured(here, command="no-such-program", args=["serve"])
    found = findings(here("doctor", "--json"))["cursor"]
    assert (found["state"], "no-such-program does not exist" in found["seen"]) == ("bad", True)


def test_a_configuration_that_cannot_be_read_is_bad(here: Console) -> None:
    configured(here).write_text('{"mcpServers": {', encoding="utf-8")
    ran = here("doctor", "--json")
    assert ran.code == 1
    assert "Fix the file" in findings(ran)["cursor"]["cure"]


def test_what_a_configuration_in_the_tree_names_is_started_only_when_asked_for(here: Console) -> None:
    proof = here.home / "proof"
    entry = {"command": sys.executable, "args": ["-c", f"open({str(proof)!r}, 'w')"]}
    (here.folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"leadline": entry}}), encoding="utf-8")
    ran = here("doctor", "--json")
    assert ran.code == 0
    assert "pass --projects to start it" in findings(ran)["claude-code (project)"]["seen"]
    assert not proof.exists()
    ran = here("doctor", "--json", "--projects")
    assert findings(ran)["claude-code (project)"]["state"] == "bad"
    assert proof.exists()


def test_a_server_at_a_url_is_named_and_not_tried(here: Console) -> None:
    configured(here, url="http://127.0.0.1:8765/mcp")
    assert "http://127.0.0.1:8765/mcp" in findings(here("doctor", "--json"))["cursor"]["seen"]


def test_a_cache_that_cannot_be_written_is_named(here: Console) -> None:
    (here.home / "file").write_text("", encoding="utf-8")
    found = findings(here("doctor", "--json", "--cache-dir", str(here.home / "file" / "cache")))["cache"]
    assert (found["state"], "--cache-dir" in found["cure"]) == ("poor", True)


def test_a_tree_with_more_folders_than_watches_is_named(
    here: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limit = tmp_path / "max_user_watches"
    limit.write_text("1\n", encoding="ascii")
    monkeypatch.setattr(machine, "_WATCHES", limit)
    monkeypatch.setattr(sys, "platform", "linux")
    found = named(machine.check_machine((here.folder,), here.home, here.home / "empty"), "watcher")
    assert (found.state, "fs.inotify.max_user_watches=" in found.cure) == (State.Poor, True)


def test_a_full_disk_is_named(here: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_ROOMY", 1 << 80)
    found = named(machine.check_machine((here.folder,), here.home, here.home / "empty"), "disk")
    assert (found.state, "--cache-dir" in found.cure) == (State.Poor, True)


def test_a_machine_without_git_is_told_what_that_means(here: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(here.home))
    found = named(machine.check_machine((here.folder,), here.home, here.home / "empty"), "git")
    assert (found.state, found.cure.startswith("Install git")) == (State.Poor, True)


def test_damaged_ranks_are_bad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "ranks"
    damaged.write_bytes(tokenizer.RANKS.read_bytes()[:-1])
    monkeypatch.setattr(tokenizer, "RANKS", damaged)
    assert named(installation.check_installation(), "tokenizer").state is State.Bad
    damaged.unlink()
    assert "cannot be read" in named(installation.check_installation(), "tokenizer").seen


def test_a_grammar_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import tree_sitter_lua

    monkeypatch.delattr(tree_sitter_lua, "language")
    found = named(installation.check_installation(), "grammars")
    assert (found.state, "tree_sitter_lua" in found.seen) == (State.Bad, True)


def test_outside_of_any_repository_there_is_a_report_all_the_same(console: Console) -> None:
    ran = Console(console.home, console.home)("doctor", "--json")
    assert ran.code == 0
    assert "no tree to watch" in findings(ran)["watcher"]["seen"]


def test_a_language_server_is_told_with_its_version_and_one_that_is_missing_with_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "gopls"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho golang.org/x/tools/gopls v0.16.2\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    found = list(machine.check_language_servers(tmp_path / "tree"))
    assert named(iter(found), "server gopls").seen == f"0.16.2 at {program}, for go; used with --language-servers auto"
    missing = named(iter(found), "server typescript-language-server")
    assert missing.state is State.Good
    assert "npm install -g typescript-language-server typescript@5" in missing.seen or "at " in missing.seen
