"""``leadline-estimators`` is a distribution of its own: the library, tiktoken, and nothing else."""

from __future__ import annotations

import doctest
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from consoles import DEADLINE, REPOSITORY
from leadline_server import __version__

PROJECT = REPOSITORY / "estimators"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, timeout=DEADLINE)
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a program that finds the installed library before the one in the repository."""
    program = f"import sys; sys.path.insert(0, {str(installed)!r}); {code}"
    return subprocess.run(
        [sys.executable, "-I", *options, "-c", program],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


def test_the_wheel_holds_the_library_and_depends_on_tiktoken_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        fields = message_from_bytes(archive.read(metadata))
    assert {name.split("/")[0] for name in names} == {
        "leadline_estimators",
        f"leadline_estimators-{__version__}.dist-info",
    }
    assert "leadline_estimators/data/claude.json" in names
    assert "leadline_estimators/py.typed" in names
    assert [field.split("<")[0].split(">")[0] for field in fields.get_all("Requires-Dist", [])] == ["tiktoken"]
    assert fields["Version"] == __version__
    assert fields.get_all("Requires-Python") == [
        tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    ]


def test_it_counts_exactly_where_leadline_is_not_imported(installed: Path) -> None:
    code = (
        "import leadline_estimators as e; assert e.__file__.startswith(sys.path[0]);"
        "print(e.count('hello world'), e.profile_of('gpt-5').exact, e.load())"
    )
    done = run(installed, code)
    assert done.stdout == "2 True True\n", done.stderr


def test_without_tiktoken_the_import_fails_and_says_what_to_install(installed: Path) -> None:
    done = run(installed, "import leadline_estimators", "-S")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ImportError: leadline_estimators needs tiktoken: pip install tiktoken"


def test_with_damaged_ranks_no_count_is_called_exact(installed: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "ranks"
    damaged.write_bytes(b"")
    code = (
        "from pathlib import Path; import leadline_estimators as e; from leadline_estimators import tokenizer as t;"
        f"t.RANKS = Path({str(damaged)!r}); print(e.load(), e.count('hello world'), e.profile_of('gpt-5').exact)"
    )
    done = run(installed, code)
    assert done.stdout == "False 11 False\n", done.stderr


def test_its_licence_is_that_of_the_repository() -> None:
    assert (PROJECT / "LICENSE").read_bytes() == (REPOSITORY / "LICENSE").read_bytes()


def test_the_examples_of_its_page_run() -> None:
    failed, tried = doctest.testfile(str(PROJECT / "README.md"), module_relative=False)
    assert (failed, tried > 3) == (0, True)
