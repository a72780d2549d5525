"""What ``leadline install`` writes is read by the programs of the clients themselves, as far as these can be had.

Gemini CLI is part of the clients' environment, since it is small. The others are large (150 to 420 MB), and are tested
where they are beside it: ``npm install --prefix .clients/programs --ignore-scripts @openai/codex opencode-ai
@github/copilot cline @anthropic-ai/claude-code``.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping

import pytest

from consoles import DEADLINE, Console
from environments import CLIENTS, NODE

PROGRAMS = CLIENTS / "programs" / "node_modules"

READERS: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("@anthropic-ai/claude-code-linux-x64/claude", "mcp", "get", "leadline"),
    "cline": (".bin/cline", "mcp", "uninstall", "leadline"),
    "codex": (".bin/codex", "mcp", "get", "leadline"),
    "copilot": (".bin/copilot", "mcp", "get", "leadline"),
    "gemini": (".bin/gemini", "mcp", "list"),
    "opencode": ("opencode-linux-x64/bin/opencode", "debug", "config"),
}
"""What shows, or removes, the server in the configuration of a client."""


@pytest.mark.parametrize("name", READERS)
def test_the_program_of_a_client_reads_what_install_writes(console: Console, name: str) -> None:
    program, *arguments = READERS[name]
    if not (PROGRAMS / program).exists():
        pytest.skip(f"{program} is not in {PROGRAMS}")
    (console.folder / ".git").mkdir()
    assert console("install", name, "--yes").code == 0
    environment = console.environment | {
        "PATH": f"{NODE.parent}:{console.environment['PATH']}",
        "CI": "1",
        "NO_COLOR": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    }
    environment.pop("PYTHONPATH")
    ran = subprocess.run(
        [PROGRAMS / program, *arguments],
        cwd=console.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    shown = ran.stdout + ran.stderr
    assert "leadline" in shown
    if name == "cline":  # it says that it has removed the server, and no more
        (settings,) = console.home.rglob("cline_mcp_settings.json")
        assert json.loads(settings.read_text(encoding="utf-8")) == {"mcpServers": {}}
    else:
        assert " serve" in re.sub(r"[\s\",\[\]]+", " ", shown)
