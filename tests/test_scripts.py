"""The scripts of a clone say what they do, use uv where it is there, and install nothing system-wide unasked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping

import pytest

from consoles import DEADLINE, REPOSITORY, Console

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts of a POSIX shell")

MAKE = r"""
mkdir -p "$1/bin"
printf '#!/bin/sh\necho "$0 $*" >>"%s/asked"\n' "$HOME" >"$1/bin/python"
printf '#!/bin/sh\necho "ran $*"\n' >"$1/bin/leadline"
chmod +x "$1/bin/python" "$1/bin/leadline"
"""
"""Makes an environment in which nothing happens but that it is noted."""


class Machine:
    """A machine with the programs that a script needs and those that a test writes."""

    def __init__(self, console: Console) -> None:
        self.home, self.programs = console.home, console.home / "bin"
        self.programs.mkdir()
        for name in ("sh", "dirname", "mkdir", "chmod", "touch", "rm", "find", "cat"):
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)

    def program(self, name: str, body: str) -> None:
        """Put a program on PATH, which notes its arguments first."""
        path = self.programs / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"$HOME/asked"\n{body}\n', encoding="utf-8")
        path.chmod(0o755)

    def asked(self) -> str:
        """Return the calls of programs so far, a line each."""
        path = self.home / "asked"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def __call__(self, script: str, *arguments: str, variables: Mapping[str, str] | None = None, code: int = 0) -> str:
        """Run a script that must end with a code, and return what it says on its error stream."""
        own = {"PATH": str(self.programs), "HOME": str(self.home), "LEADLINE_VENV": str(self.home / "venv")}
        ran = subprocess.run(
            [str(REPOSITORY / "scripts" / script), *arguments],
            env={**own, **(variables or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        assert ran.returncode == code, ran.stderr
        self.out = ran.stdout
        return ran.stderr


@pytest.fixture
def machine(console: Console) -> Machine:
    found = Machine(console)
    found.program("python3", f'[ "$1" = -c ] || {{ shift 2; {MAKE}\n}}')
    return found


def test_the_first_run_says_on_the_error_stream_what_it_installs_and_how_long_it_takes(machine: Machine) -> None:
    said = machine("leadline", "--version")
    assert said.splitlines() == [
        f"leadline: installing into {machine.home / 'venv'} with pip, which takes about half a minute"
    ]
    assert machine.out == "ran --version\n"
    assert "-m pip install -q --disable-pip-version-check -e" in machine.asked()
    assert machine("leadline", "--version") == ""


def test_uv_is_used_where_it_is_there(machine: Machine) -> None:
    machine.program("uv", f'[ "$1" = pip ] || {{ eval "set -- \\"\\${{$#}}\\""; {MAKE}\n}}')
    assert "with uv, which takes some seconds" in machine("leadline", "--version")
    assert machine.out == "ran --version\n"
    assert "uv pip install -q --python" in machine.asked()
    assert "-m pip" not in machine.asked()


def test_where_uv_cannot_install_pip_does(machine: Machine) -> None:
    machine.program("uv", f'[ "$1" != pip ] || exit 1; eval "set -- \\"\\${{$#}}\\""; {MAKE}')
    assert "pip tries it now" in machine("leadline", "--version")
    assert "-m pip install -q --disable-pip-version-check -e" in machine.asked()


@pytest.mark.parametrize("known_by", ["what pip notes", "what the script notes"])
def test_the_environment_of_another_clone_is_refused_and_left_as_it_is(machine: Machine, known_by: str) -> None:
    environment = machine.home / "venv"
    if known_by == "what pip notes":
        noted = environment / "lib" / "python3.11" / "site-packages" / "leadline-0.1.dist-info" / "direct_url.json"
        text = '{"dir_info": {"editable": true}, "url": "file:///elsewhere/clone"}'
    else:
        noted, text = environment / ".leadline-clone", "/elsewhere/clone\n"
    noted.parent.mkdir(parents=True)
    noted.write_text(text, encoding="utf-8")
    before = sorted(environment.rglob("*"))
    said = machine("leadline", "--version", code=2)
    assert f"the environment {environment} belongs to /elsewhere/clone, and was not changed" in said
    assert sorted(environment.rglob("*")) == before
    assert machine.asked() == ""


def test_an_environment_that_this_clone_made_is_taken_again(machine: Machine) -> None:
    machine("leadline", "--version")
    (machine.home / "venv" / ".leadline").unlink()
    assert "installing into" in machine("leadline", "--version")
    assert (machine.home / "venv" / ".leadline-clone").read_text(encoding="utf-8") == f"{REPOSITORY}\n"


@pytest.mark.parametrize("continuous", [False, True])
def test_system_packages_are_installed_unasked_in_ci_alone(machine: Machine, continuous: bool) -> None:
    machine.program("apt-get", "")
    machine.program("id", "echo 0")
    said = machine("shells", variables={"CI": "true"} if continuous else {})
    assert ("apt-get install" in machine.asked()) is continuous
    assert ("to include it, run: apt-get install zsh fish" in said) is not continuous
