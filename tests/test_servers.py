"""Language servers as a second opinion: asked where we are unsure, checked first, never waited for."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Asking, write
from keys import KEYS
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.running import index_of
from leadline_tools.diagnostics import served
from leadline_tools.index.tree import mirror
from leadline_tools.language_servers import (
    client,
    configurations,
    connection,
    hover,
    implementers,
    inquiry,
    opinion,
    packages,
    server_pool,
    view,
)
from leadline_tools.language_servers.known import KNOWN, chosen
from leadline_tools.language_servers.locations import path_of, to_column, to_units
from leadline_tools.language_servers.server_pool import MOST_STARTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the orphans are looked for by POSIX means")

FILES = {
    "shapes.py": (
        "class Left:\n    def close(self):\n        pass\n\n\nclass Right:\n    def close(self):\n        pass\n"
    ),
    "certain.py": "from shapes import Left\n\nleft = Left()\nleft.close()  # certain\n",
    "uses.py": (
        "from shapes import Left, Right\n\n\n"
        "def one(left, right, it):\n"
        "    left.close()  # unsure\n"
        "    '\U0001d4b3'; left.close()  # unsure\n"
        "    right.close()  # unsure\n"
        "    it.close()\n"
    ),
}
ALONE = "account: exact 2, likely 2, undecided 2, another symbol 1"
"""What our own tiers say of the four uses in uses.py."""

QUESTION = {"symbol": "Left.close"}
Play = Callable[..., Asking]


class Log:
    """What a scripted server notes down."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def count(self, word: str) -> int:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return sum(line.startswith(word) for line in lines)

    def process(self) -> int:
        found = re.findall(r"started (\d+)", self.path.read_text(encoding="utf-8"))
        return int(found[-1])


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "log")


@pytest.fixture
def play(tmp_path: Path, log: Log, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """Open a session whose language server plays a fault."""
    monkeypatch.setattr(opinion, "SECONDS", 30.0)
    monkeypatch.setattr(inquiry, "_PAUSE", 0.01)
    root = tmp_path / "root"
    sessions: list[Session] = []
    for path, text in FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")

    def start(fault: str, **others: Path) -> Asking:
        scripted = Path(__file__).with_name("scripted_server.py")
        program = shlex.join([sys.executable, str(scripted), fault, str(log.path)])
        roots = {"code": root, **others} if others else {}
        config = Config(root, None, "openai", language_servers=chosen([f"ty={program}"]), roots=roots)
        session = Session(config, index_of(config))
        sessions.append(session)
        session.index.start()
        assert session.index.wait(60)
        return Asking(session)

    yield start
    for session in sessions:
        session.close()


def runs(process: int) -> bool:
    """Return whether a process runs; one that only waits to be buried does not."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], check=False, capture_output=True, text=True
    ).stdout
    return bool(state.strip()) and not state.startswith("Z")


def gone(process: int) -> bool:
    until = time.monotonic() + 20
    while runs(process) and time.monotonic() < until:
        pass
    return not runs(process)


def test_what_a_server_decides_is_exact_or_left_out_and_the_answer_says_so(play: Play, log: Log) -> None:
    answer = play("none")("find_references", **QUESTION)
    assert "ty decided 3 of 4 undecided: 2 exact, 1 of something else, left out" in answer
    assert "left.close()  # unsure" in answer
    assert "right.close()" not in answer
    assert "it.close()" in answer
    assert "account: exact 4, undecided 1, another symbol 2" in answer
    assert log.count("opened") == 3


def test_a_server_decides_in_one_root_among_others(play: Play, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    answer = play("none", other=tmp_path / "other")("find_references", **QUESTION)
    assert "ty decided 3 of 4 undecided: 2 exact, 1 of something else, left out" in answer
    assert "code/uses.py" in answer


def test_the_reason_of_what_a_server_decided_is_the_server(play: Play) -> None:
    asking = play("none")
    found = asking.session.call(
        __import__("leadline_server.call").call.Request("find_references", QUESTION, as_json=True)
    )
    assert found.text.count('"reason":"server"') == 2


def test_a_definition_tells_what_the_server_says_of_it(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hover, "SECONDS", 30.0)
    asking = play("none")
    answer = asking("go_to_definition", symbol="Left")
    assert "ty: (known) class Left: and more" in answer
    assert "ty: (known) class Left" in asking("go_to_definition", symbol="Left", max_tokens=300)


def test_what_a_server_finds_wrong_stands_beside_ours_with_the_repairs_that_touch_its_file(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "SECONDS", 30.0)
    monkeypatch.setattr(connection, "QUIET_SECONDS", 0.1)
    asking = play("none")
    path = asking.session.index.root / "bad.py"
    path.write_text("x = '\U0001d4b3', 'wrong'\n", encoding="utf-8")
    answer = asking("apply_code_fix", path="bad.py")
    assert "ruff 1, ty 1" in answer
    assert "1:11 bad-word: this is wrong" in answer
    assert "0 safe, 1 that may change the meaning" in answer
    found = re.search(r"\[(\w+)\?\] Say right", answer)
    assert found is not None
    diff = asking("apply_code_fix", path="bad.py", fix=found[1])
    assert "+x = '\U0001d4b3', 'right'" in diff


@pytest.mark.parametrize(
    ("fault", "note"), [("crashing", "ty ended"), ("garbled", "ty sends invalid messages"), ("silent", "does not")]
)
def test_of_a_server_at_fault_the_other_diagnostics_are_told(
    play: Play, fault: str, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (served, hover):
        monkeypatch.setattr(module, "SECONDS", 30.0)
    monkeypatch.setattr(client, "_ANSWER_SECONDS", 0.5)
    asking = play(fault)
    assert "class Left" in asking("go_to_definition", symbol="Left")
    (asking.session.index.root / "bad.py").write_text("import os\nx = 'wrong'\n", encoding="utf-8")
    answer = asking("apply_code_fix", path="bad.py")
    assert "F401" in answer
    assert note in answer or fault == "silent"


BELOW = {
    "shapes.py": f"{FILES['shapes.py']}\n\nclass Low(Left):\n    def close(self):\n        pass\n",
    "odd.py": "class Odd(made()):  # Left\n    def close(self):\n        pass\n",
}
"""A type below that our rules find, and one that is computed."""


@pytest.fixture
def below(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.setattr(implementers, "SECONDS", 30.0)
    monkeypatch.setattr(implementers, "_PAUSE", 0.01)
    for path, text in BELOW.items():
        (tmp_path / "root" / path).write_text(text, encoding="utf-8")
    return play


@pytest.mark.parametrize(("symbol", "added"), [("Left", "class Odd"), ("Left.close", "odd.py")])
def test_a_server_adds_what_inherits_from_a_type_in_a_way_that_ours_do_not_see(
    below: Play, symbol: str, added: str
) -> None:
    answer = below("none")("find_implementations", symbol=symbol)
    assert "ty adds 1" in answer
    assert added in answer
    assert "shapes.py" in answer


@pytest.mark.parametrize("fault", ["partial", "crashing", "garbled", "silent"])
def test_of_a_server_at_fault_what_inherits_by_our_rules_stands_alone(
    below: Play, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_ANSWER_SECONDS", 0.5)
    answer = below(fault)("find_implementations", symbol="Left")
    assert "1 subtype," in answer
    assert "class Low" in answer
    assert "lacks 1 of 1 that are certain; not used" in answer or "its results are missing" in answer


def test_what_a_server_invents_is_no_implementation(below: Play) -> None:
    answer = below("lying-elsewhere")("find_implementations", symbol="Left")
    assert "ty adds 1" in answer
    assert "2 subtypes," in answer


def test_a_server_that_knows_no_implementations_is_not_asked_for_any(below: Play, log: Log) -> None:
    assert "1 subtype," in below("unable")("find_implementations", symbol="Left")
    assert log.count("implemented") == 0


def test_a_member_that_only_a_server_knows_to_override_is_left_to_decide_in_a_rename(below: Play) -> None:
    answer = below("none")("rename_symbol", symbol="Left.close", new_name="shut")
    assert "decide: the language server says these override it too, not changed: Odd.close odd.py:2" in answer
    assert "Low.close shapes.py:12" in answer


def test_without_a_server_nothing_is_started_and_nothing_is_said(opened: Callable[..., Asking], tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    answer = opened(tmp_path)("find_references", **QUESTION)
    assert ALONE in answer
    assert " decided" not in answer


def test_a_server_is_not_started_where_nothing_is_undecided(play: Play, log: Log) -> None:
    assert "decided" not in play("none")("find_references", symbol="Right")
    assert log.count("started") == 0


def test_what_a_server_asks_itself_is_answered(play: Play, log: Log) -> None:
    play("none")("find_references", **QUESTION)
    assert log.count("answered [null, {}]") == 1
    assert log.count("answered null") == 1


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        ("partial", "server answer incomplete: ty: it lacks 1 of 1 uses that are certain; not used"),
        ("lying-elsewhere", "server answer incomplete: ty: it lacks 1 of 1 uses that are certain; not used"),
        ("lying-same", "server answer incomplete: ty: it confuses something else with the symbol; not used"),
        ("nonsense", "server answer incomplete"),
        ("lying-unsaid", "ty decided 0 of 4 undecided"),
        ("lying-outside", "ty decided 0 of 4 undecided"),
        ("crashing", "ty ended: its results are missing"),
        ("flooding", "ty sends too much: its results are missing"),
        ("garbled", "ty sends invalid messages: its results are missing"),
        ("unable", "ty finds no definitions: its results are missing"),
        ("silent", "ty does not answer in time: its results are missing"),
    ],
)
def test_of_a_server_at_fault_our_answer_is_kept_with_one_note(
    play: Play, log: Log, fault: str, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inquiry, "_WARM_SECONDS", 0.5)
    monkeypatch.setattr(connection, "MOST_SAID", 3_000_000)
    if fault == "silent":
        monkeypatch.setattr(client, "_ANSWER_SECONDS", 0.5)
    answer = play(fault)("find_references", **QUESTION)
    assert ALONE in answer
    assert answer.count("close()") == 5
    assert note in answer
    assert log.count("started") <= MOST_STARTS


def test_a_server_that_fails_is_started_once_more_and_then_given_up(play: Play, log: Log) -> None:
    asking = play("crashing")
    asking("find_references", **QUESTION)
    assert log.count("started") == MOST_STARTS
    assert "ty ended: its results are missing" in asking("find_references", symbol="Right.close", tier="name")
    assert log.count("started") == MOST_STARTS


def test_a_slow_server_is_not_waited_for_and_helps_the_next_call(
    play: Play, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opinion, "SECONDS", 0.2)
    asking = play("slow")
    first = asking("find_references", **QUESTION)
    assert log.count("asked") < 9  # what it is asked in all
    assert "ty is still reading: ask again for what it decides" in first
    assert ALONE in first
    monkeypatch.setattr(opinion, "SECONDS", 120.0)
    assert "ty decided 3 of 4" in asking("find_references", **QUESTION)


def test_a_changed_file_is_shown_as_it_is_now(play: Play, log: Log) -> None:
    asking = play("none")
    asking("find_references", **QUESTION)
    uses = asking.session.index.root / "uses.py"
    uses.write_text(FILES["uses.py"] + "    left.close()\n", encoding="utf-8")
    assert "ty decided 4 of 5" in asking("find_references", **QUESTION)
    assert log.count("changed 1") == 1


def test_a_server_ends_with_its_session(play: Play, log: Log) -> None:
    asking = play("orphan")
    asking("find_references", **QUESTION)
    process = log.process()
    assert runs(process)
    asking.session.close()
    assert gone(process)


def test_a_server_ends_when_ours_is_killed(tmp_path: Path, log: Log) -> None:
    scripted = Path(__file__).with_name("scripted_server.py")
    text = (
        "import sys, time; from leadline_tools.index.tree.programs import start;"
        f"kept = start([sys.executable, {str(scripted)!r}, 'orphan', {str(log.path)!r}], {str(tmp_path)!r});"
        "print('on', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", text]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ) as ours:
        assert ours.stdout is not None
        ours.stdout.readline()
        until = time.monotonic() + 30
        while not log.count("started") and time.monotonic() < until:
            pass
        ours.kill()
    assert gone(log.process())


def test_a_server_in_the_tree_is_never_started(tmp_path: Path, log: Log) -> None:
    program = tmp_path / "ty"
    program.write_text(f"#!/bin/sh\necho started >> {log.path}\n")
    program.chmod(0o755)
    [known] = chosen([f"ty={program}"])
    assert known.found(str(tmp_path)) is None
    assert known.found(str(tmp_path / "elsewhere")) is not None


@pytest.mark.parametrize(
    ("told", "names"),
    [
        (["off"], []),
        (["auto"], [known.name for known in KNOWN if not known.runs]),
        (["rust-analyzer"], ["rust-analyzer"]),
        (["auto", "pyright=/opt/pyright --stdio"], ["pyright", *(known.name for known in KNOWN if not known.runs)]),
    ],
)
def test_the_option_names_servers(told: list[str], names: list[str]) -> None:
    assert [known.name for known in chosen(told)] == names


@pytest.mark.parametrize("told", ["emacs", "ty=", "=ty", "auto=ty"])
def test_an_option_that_names_no_server_says_what_is_allowed(told: str) -> None:
    with pytest.raises(ValueError, match=r"no language server .*: use off, auto, ty|has no command"):
        chosen([told])


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.data())
def test_a_column_is_the_same_there_and_back(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, len(line) + 1))
    for encoding in ("utf-8", "utf-16", "utf-32"):
        assert to_column(line, to_units(line, column, encoding), encoding) == column


def test_a_uri_is_a_path_of_the_tree_a_path_outside_or_nothing(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert path_of((tmp_path / "a b" / "ü%.py").as_uri(), root) == ("a b/ü%.py", False)
    assert path_of((tmp_path / "a" / ".." / ".." / "x").as_uri(), root) == (str(tmp_path.parent / "x"), True)
    assert path_of("untitled:x", root) == ("", True)
    assert path_of("file://[", root) == ("", True)


PYTHON = {
    "shapes.py": FILES["shapes.py"],
    "uses.py": (
        "from typing import TypedDict\n\nfrom shapes import Left, Right\n\n\n"
        "class Pair(TypedDict):\n    left: Left\n    right: Right\n\n\n"
        'def use(pair: Pair) -> None:\n    pair["left"].close()\n    pair["right"].close()\n'
    ),
}
SCRIPT = {
    "tsconfig.json": '{"compilerOptions": {"target": "es2022", "strict": true}}\n',
    "shapes.ts": "export class Left {\n  close(): void {}\n}\nexport class Right {\n  close(): void {}\n}\n",
    "uses.ts": (
        'import { Left, Right } from "./shapes";\n\n'
        "type Held = { left: () => Left; right: () => Right };\n"
        "type Results<T> = { [K in keyof T]: T[K] extends () => infer R ? R : never };\n"
        "declare function all<T>(held: T): Results<T>;\n"
        "const made = all({ left: () => new Left(), right: () => new Right() } as Held);\n"
        "made.left.close();\nmade.right.close();\n"
    ),
}
CPP = {
    "shapes.h": (
        "#pragma once\nstruct Left {\n  int close();\n};\nstruct Right {\n  int close();\n};\n"
        "Left make_left();\nRight make_right();\ninline auto same = [](auto one) { return one; };\n"
    ),
    "uses.cpp": (
        '#include "shapes.h"\n\nint main() {\n'
        "  same(make_left()).close();\n  same(make_right()).close();\n  return 0;\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("name", "programs", "files", "symbol"),
    [
        ("ty", "ty", PYTHON, "shapes.py:2:9"),
        ("basedpyright", "basedpyright-langserver", PYTHON, "shapes.py:2:9"),
        ("clangd", "clangd", CPP, "shapes.h:3:7"),
        ("tsgo", "tsgo", SCRIPT, "shapes.ts:2:3"),
        ("typescript-language-server", "typescript-language-server", SCRIPT, "shapes.ts:2:3"),
    ],
)
def test_a_real_server_decides_what_is_undecided(
    tmp_path: Path,
    opened: Callable[..., Asking],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    programs: str,
    files: dict[str, str],
    symbol: str,
) -> None:
    for program in programs.split():
        if not (shutil.which(program, path=sysconfig.get_path("scripts")) or shutil.which(program)):
            pytest.skip(f"{program} is not installed")
    monkeypatch.setattr(opinion, "SECONDS", 60.0)
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    answer = opened(tmp_path, language_servers=chosen([name]))("find_references", symbol=symbol)
    assert f"{name} decided 2 of 2 undecided: 1 exact, 1 of something else, left out" in answer


PASSWORD, OUTSIDE = "hunter2-correct-horse", "bytes-from-outside-66"
ENTICING = {
    "python": {
        "root/keys.py": f"from typing import Final\n\nTOKEN: Final = '{KEYS['github']}'\n",
        "root/credentials/__init__.py": (
            f"from typing import Final\n\nPASSWORD: Final = '{PASSWORD}'\nPIN: Final = 482913\n"
            "class Vault:\n    combination: int\n"
        ),
        "root/use.py": (
            "from typing import Final\n\nfrom credentials import PASSWORD, PIN, Vault\nfrom keys import TOKEN\n"
            "from linked import VALUE\nfrom near import CLOSE\n\nCOPY: Final = TOKEN\nPW: Final = PASSWORD\n"
            "NUMBER: Final = PIN\nFAR: Final = VALUE\nBY_LINK: Final = CLOSE\nMADE = Vault().combination\n"
            "OWN: Final = 'own-value'\nOWN.nope\n"
        ),
        "outside/linked.py": f"from typing import Final\n\nVALUE: Final = '{OUTSIDE}'\n",
        "outside/near.py": f"from typing import Final\n\nCLOSE: Final = '{OUTSIDE}'\n",
        "root/ty.toml": '[environment]\nextra-paths = ["../outside"]\n',
        "root/pyrightconfig.json": '{"extraPaths": ["ABSOLUTE/outside"]}\n',
    },
    "typescript": {
        "root/tsconfig.json": '{"compilerOptions": {"strict": true, "paths": {"far": ["../outside/linked.ts"]}}}\n',
        "root/keys.ts": f"export const TOKEN = '{KEYS['github']}';\n",
        "root/credentials/index.ts": (
            f"export const PASSWORD = '{PASSWORD}';\nexport const PIN = 482913;\n"
            "export class Vault { combination = 1; }\n"
        ),
        "root/use.ts": (
            "import { PASSWORD, PIN, Vault } from './credentials';\nimport { TOKEN } from './keys';\n"
            "import { VALUE } from '../outside/linked';\n"
            "import { VALUE as ABSOLUTE_VALUE } from 'ABSOLUTE/outside/linked';\n"
            "import { VALUE as MAPPED } from 'far';\nimport { CLOSE } from './near';\n"
            "export const COPY = TOKEN;\nexport const PW = PASSWORD;\nexport const NUMBER = PIN;\n"
            "export const FAR = VALUE;\nexport const FARTHER = ABSOLUTE_VALUE;\nexport const BY_PATHS = MAPPED;\n"
            "export const BY_LINK = CLOSE;\nexport const MADE = new Vault().combination;\n"
            "export const OWN = 'own-value';\nOWN.nope;\n"
        ),
        "outside/linked.ts": f"export const VALUE = '{OUTSIDE}';\n",
        "outside/near.ts": f"export const CLOSE = '{OUTSIDE}';\n",
    },
}
"""Trees that lead a server to keys, secret files and files outside of the root, in every way that they can."""


@pytest.mark.parametrize(
    ("name", "program", "language"),
    [
        ("ty", "ty", "python"),
        ("basedpyright", "basedpyright-langserver", "python"),
        ("tsgo", "tsgo", "typescript"),
        ("typescript-language-server", "typescript-language-server", "typescript"),
    ],
)
def test_a_server_gets_no_key_and_nothing_of_a_file_that_is_not_read(
    tmp_path: Path,
    opened: Callable[..., Asking],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    program: str,
    language: str,
) -> None:
    if not (shutil.which(program, path=sysconfig.get_path("scripts")) or shutil.which(program)):
        pytest.skip(f"{program} is not installed")
    for module in (hover, served):
        monkeypatch.setattr(module, "SECONDS", 60.0)
    monkeypatch.setattr(client, "hide_foreign_values", lambda said, _: said)
    end = ".py" if language == "python" else ".ts"
    write(tmp_path, {path: text.replace("ABSOLUTE", str(tmp_path)) for path, text in ENTICING[language].items()})
    (tmp_path / "root" / f"near{end}").symlink_to(tmp_path / "outside" / f"near{end}")
    asking = opened(tmp_path / "root", language_servers=chosen([name]))
    names = re.findall(r"^(?:export const )?([A-Z_]+)\b.* = ", ENTICING[language][f"root/use{end}"], re.MULTILINE)
    said = [asking("go_to_definition", symbol=f"use.{one}") for one in names]
    wrong = asking("apply_code_fix", path=f"use{end}")
    assert any(f"{name}: " in text and "own-value" in text for text in said)
    assert "nope" in wrong or name == "basedpyright", "it is told to check no types"
    for text in (*said, wrong):
        assert not [value for value in (KEYS["github"][8:], PASSWORD, OUTSIDE, "482913") if value in text]
    assert not re.search(r"int|number", said[names.index("MADE")].partition(f"{name}: ")[2].partition("\n")[0])


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("strace") is None, reason="strace shows what is opened")
def test_a_server_opens_nothing_of_the_tree_or_beside_it(
    tmp_path: Path, opened: Callable[..., Asking], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hover, "SECONDS", 60.0)
    root, calls = tmp_path / "root", tmp_path / "calls"
    write(tmp_path, {path: text.replace("ABSOLUTE", str(tmp_path)) for path, text in ENTICING["python"].items()})
    ty = shutil.which("ty", path=sysconfig.get_path("scripts")) or shutil.which("ty")
    traced = f"ty={shutil.which('strace')} -f -e trace=openat,open,readlink -o {calls} {ty} server"
    asking = opened(root, language_servers=chosen([traced]))
    assert 'ty: Literal["own-value"]' in asking("go_to_definition", symbol="use.OWN")
    asking.session.close()
    lines = calls.read_text(encoding="utf-8", errors="replace").splitlines()
    assert [line for line in lines if "leadline-mirror-" in line and "use.py" in line]
    assert [line for line in lines if str(root) in line or str(tmp_path / "outside") in line] == []


def test_the_copies_that_a_server_reads_follow_the_tree_and_end_with_it(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "_MEMORY_FOLDER", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()
    root = tmp_path / "root"
    write(root, {".env": "A=1\n", "keys.py": f"key = '{KEYS['github']}'\n", "gone.py": "", "picture.png": "x"})
    write(root, {"sub/ty.toml": 'x = ["../../y"]\n', "ty.toml": 'x = ["../y"]\n', "pyproject.toml": "a = '../b'\n"})
    asking = play("none")
    asking("find_references", **QUESTION)
    (view,) = (tmp_path / "copies").iterdir()
    held = {str(path.relative_to(view)) for path in view.rglob("*") if path.is_file()}
    assert held == {"certain.py", "gone.py", "keys.py", "pyproject.toml", "shapes.py", "uses.py"}
    assert KEYS["github"][8:] not in (view / "keys.py").read_text()
    (root / "gone.py").unlink()
    write(root, {"uses.py": FILES["uses.py"] + "    left.close()\n", "new.py": "new = 1\n"})
    asking("find_references", **QUESTION)
    assert not (view / "gone.py").exists()
    assert (view / "new.py").read_text() == "new = 1\n"
    assert (view / "uses.py").read_text().endswith("    left.close()\n")
    asking.session.close()
    assert not view.exists()


@pytest.mark.parametrize("limit", ["MOST_FILES", "MOST_BYTES"])
def test_of_a_tree_that_is_too_large_to_be_copied_our_answer_is_kept_with_one_note(
    play: Play, log: Log, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, limit, 2)
    answer = play("none")("find_references", **QUESTION)
    assert ALONE in answer
    assert "ty was not used: it would need copies of more than" in answer
    assert log.count("started") == 0


def test_installed_packages_are_in_the_view_and_links_among_them_that_stay_inside(tmp_path: Path) -> None:
    files = {
        "package.json": "{}",
        ".gitignore": "node_modules\n.venv\n",
        "a.ts": "1;",
        "node_modules/plain/index.d.ts": "1;",
        "node_modules/plain/index.js": "1;",
        "node_modules/plain/package.json": "{}",
        "node_modules/plain/.env": "A=1",
        "node_modules/.pnpm/deep@1/node_modules/deep/index.d.ts": "1;",
        ".venv/pyvenv.cfg": "home = /usr\n",
        ".venv/lib/python3/site-packages/plain/__init__.py": "",
    }
    root = write(tmp_path / "root", files)
    modules = root / "node_modules"
    (modules / "deep").symlink_to(".pnpm/deep@1/node_modules/deep")
    (modules / "out").symlink_to("../../outside")
    (modules / "tricky").symlink_to("deep/../../../../outside")
    (modules / "whole").symlink_to(str(tmp_path))
    listed = ["a.ts", "package.json"]
    script = set(packages.package_files(str(root), listed, 100, {"typescript"}))
    assert script == {
        "node_modules/plain/index.d.ts",
        "node_modules/plain/package.json",
        "node_modules/.pnpm/deep@1/node_modules/deep/index.d.ts",
    }
    assert len(list(packages.package_files(str(root), listed, 2, {"typescript"}))) == 2
    assert set(packages.package_files(str(root), listed, 100, {"python"})) == {
        ".venv/pyvenv.cfg",
        ".venv/lib/python3/site-packages/plain/__init__.py",
    }
    assert list(packages.package_links(str(root), listed)) == [("node_modules/deep", ".pnpm/deep@1/node_modules/deep")]


@pytest.mark.parametrize(
    ("path", "text", "outside"),
    [
        ("ty.toml", '[environment]\nextra-paths = ["../x"]', True),
        ("sub/ty.toml", '[environment]\nextra-paths = ["../x"]', False),
        ("ty.toml", "[environment]\npython = '/usr/bin/python'", True),
        ("pyproject.toml", '[tool.hatch]\nexclude = ["/tests"]', False),
        ("pyproject.toml", '[tool.pyright]\nvenvPath = "~/x"', True),
        ("pyproject.toml", "not TOML '/x'", False),
        ("tsconfig.json", '{"extends": "./base.json", // "../x"\n "paths": {"/@/*": ["./src/*"]}}', False),
        ("tsconfig.base.json", '{"paths": {"/@/*": ["./src/*"]}}', False),
        ("web/tsconfig.json", '{"extends": "../tsconfig.json"}', False),
        ("tsconfig.json", '{"extends": "..\\/x.json"}', True),
        ("jsconfig.json", '{"typeRoots": ["C:\\\\x"]}', True),
        ("tsconfig.json", '{"extends": "\\u002e./x.json"}', True),
        ("tsconfig.json", '{"extends": ', True),
        ("go.mod", "module a\nreplace b => ../b\n", True),
        ("go.mod", "module a // see ../b\nreplace b => ./b\n", False),
        ("compile_commands.json", '[{"directory": "/anywhere"}]', False),
    ],
)
def test_a_configuration_that_leads_out_is_known(path: str, text: str, outside: bool) -> None:
    assert configurations.is_configuration(path)
    assert configurations.leads_out(path, text.encode()) is outside


def test_a_server_that_nobody_asks_is_ended_and_started_again_when_it_is_needed(
    play: Play, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_pool, "IDLE_SECONDS", 0.01)
    asking = play("none")
    asking("find_references", **QUESTION)
    assert gone(log.process())
    assert "ty decided" in asking("find_references", symbol="Right.close", tier="name")
    assert log.count("started") == MOST_STARTS
