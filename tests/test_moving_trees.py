"""Trees that go, come, change and are swapped for links under servers of both transports; and clocks that jump."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import write
from repeating import repeated
from torture.trees import git, repository
from torture.wire import PATIENCE, SOURCES, Client, Lines, connect, process_of
from traces import assert_log_has_no_text_of_calls

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

OUTSIDE = "zebra_outside_secret"
ABOVE = "zebra_above_secret"
HIDDEN = "variable-of-others"
DAY = 86_400
ROOTS = ("gone", "away", "branches", "swapped", "changing", "rights")
CODE = "def inside():\n    return 1\n\n\ninside()\n"
CLOCK = """
import os, time
_file, _time, _time_ns = os.environ["CLOCK_OF_TEST"], time.time, time.time_ns
def _ahead():
    with open(_file) as file:
        return int(file.read() or 0)
time.time = lambda: _time() + _ahead()
time.time_ns = lambda: _time_ns() + _ahead() * 1_000_000_000
"""
"""Is run by Python before anything else: lets the clock of a process be ahead by the seconds that a file has."""


@pytest.fixture(scope="module", params=["stdio", "http"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A folder with roots, and things above and beside them that are none of their business."""
    base = tmp_path_factory.mktemp("moving")
    for name in ROOTS:
        write(base / "roots" / name, {"a.py": CODE})
    write(base, {"pyproject.toml": '[project]\nname = "a"\nrequires-python = ">=3.7"\n'})
    write(base / "roots", {"ruff.toml": f"{ABOVE} = = broken\n"})
    write(base / "outside", {"a.py": f"import {OUTSIDE}\n", "ruff.toml": f"{OUTSIDE} = 1\n"})
    write(base / "home", {".gitconfig": f"[core]\n\texcludesFile = {base}/home/ignored\n", "ignored": "*.py\n"})
    write(base / "clock", {"sitecustomize.py": CLOCK, "ahead": "0"})
    modern = "import os\n\nmatch x:\n    case 1:\n        pass\n"
    write(base / "roots" / "swapped", {"v.py": "import os\n", "modern.py": modern, "ruff.toml": "line-length = 100\n"})
    branches = repository(base / "roots" / "branches")
    git(branches, "checkout", "-q", "-b", "other")
    write(branches, {"a.py": CODE.replace("inside", "other")})
    git(branches, "commit", "-q", "-a", "-m", "second")
    return request.param, base


@pytest.fixture(scope="module")
def client(place: tuple[str, Path]) -> Iterator[Lines | Client]:
    transport, base = place
    first, *others = (f"{name}={base}/roots/{name}" for name in ROOTS)
    named = (part for root in others for part in ("--root", root))
    loud = ("--log-level", "debug", "--log-format", "text")
    rights = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    variables = {
        "HOME": str(base / "home"),
        "PYTHONPATH": f"{base / 'clock'}{os.pathsep}{SOURCES}",
        "CLOCK_OF_TEST": str(base / "clock" / "ahead"),
        "SECRET_OF_OTHERS": HIDDEN,
    }
    with connect(
        transport, Path(first), base / "cache", *named, *loud, before=rights, log=base / "log", **variables
    ) as connected:
        for name in ROOTS:
            assert "a.py" in connected.call("list_files", path=name).text
        yield connected


@pytest.fixture
def roots(place: tuple[str, Path]) -> Path:
    return place[1] / "roots"


def ask_all(client: Lines | Client, root: str) -> str:
    """Ask four tools about a root; return all that they say, none of which is a fault of the server."""
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("list_files", {"path": root}),
        ("read_file", {"path": f"{root}/a.py"}),
        ("search_text", {"query": "inside", "path": root}),
        ("symbol_search", {"query": "inside", "path": root}),
        ("apply_code_fix", {"path": root}),
    )
    text = "\n".join(client.call(tool, **arguments).text for tool, arguments in calls)
    assert "internal error" not in text
    assert OUTSIDE not in text
    assert ABOVE not in text
    return text


def assert_soon(client: Lines | Client, root: str, wanted: str, query: str = "inside") -> None:
    """Assert that a name is found before long: a root that comes again is scanned again."""
    until = time.monotonic() + 20 * PATIENCE
    while wanted not in (said := client.call("symbol_search", query=query, path=root).text):
        assert time.monotonic() < until, said[:200]


def test_a_root_that_goes_and_comes_again_is_answered_all_the_time(client: Lines | Client, roots: Path) -> None:
    shutil.rmtree(roots / "gone")
    ask_all(client, "gone")
    assert client.call("read_file", path="gone/a.py").is_error
    write(roots / "gone", {"a.py": CODE})
    assert "def inside" in client.call("read_file", path="gone/a.py").text
    assert_soon(client, "gone", "gone/a.py")


def test_a_link_in_the_place_of_a_root_leads_nowhere(client: Lines | Client, roots: Path) -> None:
    (roots / "away").rename(roots.parent / "aside")
    ask_all(client, "away")
    (roots / "away").symlink_to(roots.parent / "outside")
    ask_all(client, "away")
    assert client.call("read_file", path="away/a.py").is_error
    (roots / "away").unlink()
    (roots.parent / "aside").rename(roots / "away")
    assert "def inside" in client.call("read_file", path="away/a.py").text
    assert_soon(client, "away", "away/a.py")


def test_while_branches_are_switched_every_call_is_answered_and_then_right(client: Lines | Client, roots: Path) -> None:
    for _ in range(3):
        for branch, name, other in (("main", "inside", "other"), ("other", "other", "inside")):
            git(roots / "branches", "checkout", "-q", branch)
            ask_all(client, "branches")
            assert_soon(client, "branches", "branches/a.py", name)
            assert f"def {other}" not in client.call("search_text", query="def ", path="branches").text


def test_no_link_that_is_swapped_in_while_ruff_runs_is_followed(client: Lines | Client, roots: Path) -> None:
    swapped, outside = roots / "swapped", roots.parent / "outside"
    pairs = ((swapped / "v.py", outside / "a.py"), (swapped / "ruff.toml", outside / "ruff.toml"))

    def swap() -> None:
        for inside, target in pairs:
            aside = inside.with_name(f".aside-{inside.name}")
            inside.rename(aside)
            inside.symlink_to(target)
            time.sleep(0.004)
            aside.replace(inside)
            time.sleep(0.004)

    with repeated(swap):
        for number in range(12):
            write(swapped, {"turn.txt": str(number)})
            text = client.call("apply_code_fix", path="swapped/v.py").text
            assert OUTSIDE not in text
            assert "internal error" not in text
    assert "imported but unused" in client.call("apply_code_fix", path="swapped/v.py").text


def test_nothing_above_a_root_and_nothing_of_the_user_decides_what_ruff_and_git_find(
    client: Lines | Client, roots: Path
) -> None:
    said = client.call("apply_code_fix", path="swapped/modern.py").text
    assert "imported but unused" in said
    assert "Python 3.7" not in said
    assert ABOVE not in said
    assert "a.py" in client.call("list_files", path="branches").text
    assert (roots / "ruff.toml").exists()


def test_a_file_that_changes_its_kind_all_the_time_is_answered_without_waiting(
    client: Lines | Client, roots: Path
) -> None:
    path = roots / "changing" / "c.py"

    def change() -> None:
        path.write_text(CODE)
        path.write_text(CODE * 300)
        os.truncate(path, 5)
        path.unlink()
        os.mkfifo(path)
        time.sleep(0.002)
        path.unlink()

    with repeated(change):
        for tool in ("read_file", "document_symbols", "apply_code_fix", "search_text") * 4:
            query: dict[str, Any] = {"query": "inside"} if tool == "search_text" else {}
            said = client.call(tool, path="changing/c.py", **query)
            assert "internal error" not in said.text
            assert said.seconds < 5 * PATIENCE
    write(path.parent, {"c.py": CODE})
    assert "def inside" in client.call("read_file", path="changing/c.py").text


def test_files_and_folders_without_rights_are_named_and_read_again_when_they_have_them(
    client: Lines | Client, roots: Path
) -> None:
    root = write(roots / "rights", {"closed/b.py": CODE, "shut.py": CODE})
    for _ in range(3):
        (root / "closed").chmod(0)
        (root / "shut.py").chmod(0)
        assert client.call("read_file", path="rights/shut.py").is_error
        assert client.call("read_file", path="rights/closed/b.py").is_error
        assert "def inside" in client.call("read_file", path="rights/a.py").text
        ask_all(client, "rights")
        (root / "closed").chmod(0o755)
        (root / "shut.py").chmod(0o644)
        assert "def inside" in client.call("read_file", path="rights/shut.py").text
        assert "def inside" in client.call("read_file", path="rights/closed/b.py").text


def test_no_child_of_the_server_gets_a_variable_that_is_not_its_own(client: Lines | Client) -> None:
    client.call("document_symbols", path="gone/a.py")
    server = process_of(client)
    assert HIDDEN.encode() in Path(f"/proc/{server.process.pid}/environ").read_bytes()
    children = server.workers
    assert children
    for child in children:
        assert HIDDEN.encode() not in Path(f"/proc/{child}/environ").read_bytes()


def test_a_clock_that_jumps_costs_kept_results_only(client: Lines | Client, place: tuple[str, Path]) -> None:
    root, ahead = place[1] / "roots" / "gone", place[1] / "clock" / "ahead"
    write(root, {"many.py": "".join(f"def many_{number}():\n    pass\n" for number in range(80))})
    try:
        for number, days in enumerate((400, -4_000, 30_000, 0)):
            ahead.write_text(str(days * DAY))
            write(root, {f"new_{number}.py": f"def fresh_{number}():\n    pass\n"})
            assert_soon(client, "gone", f"new_{number}.py", f"fresh_{number}")
            text = client.call("document_symbols", path="gone/many.py", max_tokens=200).text
            uri = next(line.split()[1] for line in text.splitlines() if line.startswith("all: "))
            assert "many_7" in client.call("read_result", uri=uri).text
            ahead.write_text(str((days + 500) * DAY))
            later = client.call("read_result", uri=uri)
            assert later.is_error or "many_7" in later.text
            assert "internal error" not in later.text + client.call("budget").text
    finally:
        ahead.write_text("0")


def test_no_text_of_a_call_is_in_the_log(client: Lines | Client, place: tuple[str, Path]) -> None:
    assert_log_has_no_text_of_calls(client, place[1] / "log")


def test_servers_of_both_transports_share_an_index_while_a_third_is_killed(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {f"m{number}.py": f"def old_{number}():\n    pass\n" for number in range(20)})
    cache = tmp_path / "cache"
    with connect("stdio", root, cache) as one, connect("http", root, cache) as other:
        with connect("stdio", root, cache) as third:
            for number in range(6):
                write(root, {f"m{number}.py": f"def new_{number}():\n    pass\n"})
                third.begin("symbol_search", query=f"new_{number}")
                if number == 3:
                    process_of(third).kill()
                    break
                for client in (one, other):
                    assert f"m{number}.py" in client.call("symbol_search", query=f"new_{number}").text
        for client in (one, other):
            for name in ("new_0", "new_3", "old_7"):
                assert f"m{name[4:]}.py" in client.call("symbol_search", query=name).text
            assert "complete" in client.call("symbol_search", query="old_0").text
