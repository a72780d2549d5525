"""Files are read as text with an editor's line numbers, and nothing outside the root is read, whatever links do."""

from __future__ import annotations

import ntpath
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.errors import (
    BinaryFile,
    IsFolder,
    LeadlineError,
    NotAFile,
    PathError,
    PathNotFound,
    PathOutside,
    TooLarge,
    Unreadable,
)
from leadline_tools.index.text.source_text import decoded
from leadline_tools.index.tree import descent, recent_sources, source
from leadline_tools.index.tree.descent import beneath, inside
from leadline_tools.index.tree.disk import disk_files, file_state
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.source import Tree

SECRET = "outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with one file in it, a secret beside it and another root whose name begins with its name."""
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("inside\n")
    for outside in (tmp_path / "elsewhere", tmp_path / "root-evil"):
        outside.mkdir()
        (outside / "secret.py").write_text(SECRET)
    return root


@pytest.fixture(params=[True, False], ids=["beneath", "resolved"])
def tree(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return the tree, opened relative to folders and as on a system that cannot do so."""
    if request.param and not descent.BENEATH:
        pytest.skip("this system does not open relative to a folder")
    for module in (descent, disk_files):
        monkeypatch.setattr(module, "BENEATH", request.param)
    return DiskTree(root)


def text(raw: bytes) -> str:
    return decoded("a", raw).text


# What a path may be.


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/a.py", "src/a.py"),
        ("././src//a.py", "src/a.py"),
        ("src/", "src"),
        (".", ""),
        ("", ""),
        ("./", ""),
        ("src/../src/./a.py", "src/a.py"),
        ("src/..", ""),
        ("-rf", "-rf"),
        ("...", "..."),
        ("..a/b..", "..a/b.."),
        ("~/a", "~/a"),
        ("caf\udce9.py", "caf\udce9.py"),
        ("/project/src/a.py", "src/a.py"),
        ("/project//src/", "src"),
        ("/project", ""),
        ("/project/", ""),
        ("/elsewhere/../project/a", "a"),
    ],
)
def test_a_path_is_normalised(given: str, meant: str) -> None:
    assert inside(given, "/project") == meant


@pytest.mark.parametrize(
    "given",
    [
        "..",
        "../a",
        "src/../../a",
        "/etc/passwd",
        "/",
        "/project-evil/a",
        "/project/../etc/passwd",
        "/../project/a",
        "a\0b",
        "\0",
        "C:",
        "C:\\a",
        "c:/a",
        "\\\\server\\share",
        "\\a",
        "..\\a",
        "src\\..\\..\\a",
        "src/..\\..",
        "./C:/a",
        "src/../\\a",
    ],
)
def test_a_path_that_leaves_the_root_is_refused(given: str) -> None:
    with pytest.raises(PathOutside):
        inside(given, "/project")


def test_an_absolute_path_needs_a_root() -> None:
    with pytest.raises(PathOutside):
        inside("/a")


@given(st.lists(st.sampled_from(["..", ".", "", "a", "b.py", "\\", "C:", "\0", "..\\", "-x"]), max_size=8))
def test_a_path_is_refused_or_stays_inside(parts: list[str]) -> None:
    try:
        meant = inside("/".join(parts), "/project")
    except PathOutside:
        return
    assert os.path.normpath(f"/project/{meant}").startswith("/project")
    assert meant == "" or not set(meant.split("/")) & {"", ".", ".."}
    assert inside(meant) == meant


# What is read.


def test_a_file_is_read_with_what_the_disk_says_of_it(tree: Tree, root: Path) -> None:
    read = tree.read("./src//a.py")
    status = (root / "src/a.py").stat()
    assert (read.path, read.content, read.text, read.encoding) == ("src/a.py", b"inside\n", "inside\n", "utf-8")
    assert read.size == status.st_size
    assert len(read.digest) == 16


def test_a_file_is_read_by_its_absolute_path(tree: Tree, root: Path) -> None:
    assert tree.read(str(root / "src" / "a.py")).path == "src/a.py"


def test_a_root_may_be_a_symbolic_link(root: Path, tmp_path: Path) -> None:
    alias = tmp_path / "alias"
    alias.symlink_to(root)
    tree = DiskTree(alias)
    (root / "link.py").symlink_to(alias / "src" / "a.py")
    assert tree.read(str(alias / "src/a.py")).path == "src/a.py"
    assert tree.read(str(root / "src/a.py")).path == "src/a.py"
    assert tree.read("link.py").text == "inside\n"


@pytest.mark.parametrize(
    ("raw", "meant", "encoding"),
    [
        (b"", "", "utf-8"),
        ("caf\u00e9".encode(), "caf\u00e9", "utf-8"),
        ("caf\u00e9".encode("utf-8-sig"), "caf\u00e9", "utf-8-sig"),
        ("caf\u00e9".encode("latin-1"), "caf\u00e9", "latin-1"),
        (b"\xef\xbb\xbf\xff", "\u00ef\u00bb\u00bf\u00ff", "latin-1"),
        (b"\xff\xfe" + "caf\u00e9 \U0001f40d".encode("utf-16-le"), "caf\u00e9 \U0001f40d", "utf-16-le"),
        (b"\xfe\xff" + "caf\u00e9".encode("utf-16-be"), "caf\u00e9", "utf-16-be"),
        (b"\xff\xfe\0\0" + "caf\u00e9".encode("utf-32-le"), "caf\u00e9", "utf-32-le"),
        (b"\0\0\xfe\xff" + "caf\u00e9".encode("utf-32-be"), "caf\u00e9", "utf-32-be"),
        (b"\xff\xfea", "\ufffd", "utf-16-le"),
        (b"\xff\xfe\x00\xd8", "\ufffd", "utf-16-le"),
    ],
)
def test_text_is_utf8_without_a_mark(tree: Tree, root: Path, raw: bytes, meant: str, encoding: str) -> None:
    (root / "a.txt").write_bytes(raw)
    read = tree.read("a.txt")
    assert (read.text, read.encoding, read.size) == (meant, encoding, len(raw))


@given(st.binary(max_size=40), st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"]))
def test_any_bytes_become_utf8(raw: bytes, mark: bytes) -> None:
    read = decoded("a", mark + raw)
    assert read.content == read.text.encode()
    assert read.line_count == len(read.lines())


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\r", ["a", "b"]),
        (b"a\rb\r\nc\n\rd", ["a", "b", "c", "", "d"]),
        (b"a\r\r\nb", ["a", "", "b"]),
        ("a\fb\vc\x1cd\u0085e\u2028f\u2029g\n".encode(), ["a\fb\vc\x1cd\u0085e\u2028f\u2029g"]),
    ],
)
def test_lines_end_where_an_editor_ends_them(raw: bytes, lines: list[str]) -> None:
    read = decoded("a", raw)
    assert read.lines() == lines
    assert read.line_count == len(lines)


def test_line_ends_of_two_bytes_are_kept() -> None:
    assert decoded("a", b"a\r\nb\rc").content == b"a\r\nb\nc"


def test_the_digest_names_the_content_and_not_its_encoding() -> None:
    same = {decoded("a", raw).digest for raw in (b"a\n", b"\xef\xbb\xbfa\n", b"a\r", b"\xff\xfea\0\n\0")}
    assert len(same) == 1
    assert decoded("a", b"b\n").digest not in same


def test_a_file_whose_name_is_not_utf8_is_read(tree: Tree, root: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n\x1b[31m.py")
    (root / name).write_text("x")
    assert tree.read(name).text == "x"


def test_a_name_with_a_backslash_is_read_where_it_is_one(tree: Tree, root: Path) -> None:
    (root / "a\\b.py").write_text("x")
    assert tree.read("a\\b.py").text == "x"


# What is not read.


def test_a_binary_file_is_refused(tree: Tree, root: Path) -> None:
    (root / "a.bin").write_bytes(b"a" * 8191 + b"\0")
    with pytest.raises(BinaryFile) as refused:
        tree.read("a.bin")
    assert refused.value.size == 8192


def test_a_nul_far_behind_does_not_make_a_file_binary(tree: Tree, root: Path) -> None:
    (root / "a.txt").write_bytes(b"a" * 8192 + b"\0")
    assert tree.read("a.txt").size == 8193


def test_the_raw_bytes_of_a_binary_file_are_read(tree: Tree, root: Path) -> None:
    (root / "a.bin").write_bytes(b"\0\r\xff")
    assert tree.read_bytes("a.bin") == b"\0\r\xff"


def test_a_large_file_is_refused_before_it_is_read(tree: Tree, root: Path) -> None:
    with (root / "sparse").open("wb") as file:
        file.truncate(2 * 1024**3)
    with pytest.raises(TooLarge) as refused:
        tree.read("sparse")
    assert (refused.value.size, refused.value.limit) == (2 * 1024**3, source.LIMIT)


def test_a_file_of_the_limit_is_read_and_one_byte_more_is_not(tree: Tree, root: Path) -> None:
    (root / "a.txt").write_text("12345")
    assert tree.read("a.txt", limit=5).text == "12345"
    with pytest.raises(TooLarge):
        tree.read("a.txt", limit=4)


def test_a_file_of_many_chunks_is_read_whole(tree: Tree, root: Path) -> None:
    raw = b"0123456789abcdef\n" * 200_000
    (root / "a.txt").write_bytes(raw)
    assert tree.read("a.txt").content == raw


@pytest.mark.parametrize("path", [".", "src", "src/"])
def test_a_folder_is_no_file(tree: Tree, path: str) -> None:
    with pytest.raises(IsFolder):
        tree.read(path)


@pytest.mark.parametrize("path", ["nope.py", "nope/a.py", "src/a.py/b", "x" * 300, "a/" * 3000 + "b", "\ud800.py"])
def test_a_missing_file_is_not_found(tree: Tree, path: str) -> None:
    with pytest.raises(PathNotFound) as missing:
        tree.read(path)
    assert missing.value.nearest is None


@pytest.mark.parametrize("path", ["src/A.PY", "src/a.pyi", "src/aa.py"])
def test_a_missing_file_names_the_one_that_was_meant(tree: Tree, path: str) -> None:
    with pytest.raises(PathNotFound) as missing:
        tree.read(path)
    assert missing.value.nearest == "src/a.py"
    assert missing.value.hint == "Did you mean 'src/a.py'?"


def test_a_pipe_a_socket_and_a_device_are_no_files(tree: Tree, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    os.mkfifo("pipe.py")
    (root / "null.py").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.py")
        for path in ("pipe.py", "socket.py"):
            with pytest.raises(NotAFile):
                tree.read(path)
        with pytest.raises(PathOutside):
            tree.read("null.py")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_the_right_to_read_it_says_so(tree: Tree, root: Path) -> None:
    (root / "src/a.py").chmod(0)
    with pytest.raises(Unreadable):
        tree.read("src/a.py")


def test_what_the_system_says_is_told(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", failing)
    with pytest.raises(Unreadable, match=r"^'src/a.py' cannot be read: input/output error\.$"):
        tree.read("src/a.py")


# Symbolic links.


def test_a_link_inside_the_root_is_read_under_its_own_name(tree: Tree, root: Path) -> None:
    (root / "deep").mkdir()
    (root / "folder").symlink_to("src")
    (root / "deep" / "one.py").symlink_to("../src/a.py")
    (root / "two.py").symlink_to("deep/one.py")
    (root / "three.py").symlink_to(root / "folder" / "a.py")
    (root / "four.py").symlink_to("folder/../src/./a.py")
    for path in ("deep/one.py", "two.py", "three.py", "four.py", "folder/a.py"):
        read = tree.read(path)
        assert (read.path, read.text) == (path, "inside\n")


def test_a_parent_in_a_link_is_the_real_parent_of_the_folder_before_it(tree: Tree, root: Path) -> None:
    (root / "src" / "deep").mkdir()
    (root / "src" / "found.py").write_text("right")
    (root / "found.py").write_text("wrong")
    (root / "folder").symlink_to("src/deep")
    (root / "link.py").symlink_to("folder/../found.py")
    assert tree.read("link.py").text == "right"


@pytest.mark.parametrize(
    "target",
    [
        "../elsewhere/secret.py",
        "src/../../elsewhere/secret.py",
        "../root-evil/secret.py",
        "{outside}/elsewhere/secret.py",
        "{outside}/root-evil/secret.py",
        "{outside}/root/../elsewhere/secret.py",
        "folder/secret.py",
        "/etc/passwd",
    ],
)
def test_a_link_that_leads_out_is_refused(tree: Tree, root: Path, tmp_path: Path, target: str) -> None:
    (root / "folder").symlink_to("../elsewhere")
    (root / "link.py").symlink_to(target.format(outside=tmp_path))
    for path in ("link.py", "folder/secret.py"):
        with pytest.raises(PathOutside):
            tree.read(path)


def test_a_loop_of_links_ends(tree: Tree, root: Path) -> None:
    (root / "self.py").symlink_to("self.py")
    (root / "loop").symlink_to(".")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    for path in ("self.py", "one", "two/a.py"):
        with pytest.raises(PathError):
            tree.read(path)
    assert tree.read("loop/loop/src/a.py").text == "inside\n"


def test_a_chain_of_links_is_followed_for_eight_steps(root: Path) -> None:
    tree = DiskTree(root)
    (root / "0").symlink_to("src/a.py")
    for step in range(1, 9):
        (root / f"{step}").symlink_to(f"{step - 1}")
    assert tree.read("7").text == "inside\n"
    with pytest.raises(NotAFile):
        tree.read("8")


def test_a_dangling_link_is_not_found(tree: Tree, root: Path) -> None:
    (root / "link.py").symlink_to("src/gone.py")
    with pytest.raises(PathNotFound):
        tree.read("link.py")


def test_raw_bytes_are_never_read_through_a_link(tree: Tree, root: Path) -> None:
    (root / "link.py").symlink_to("src/a.py")
    (root / "folder").symlink_to("src")
    for path in ("link.py", "folder/a.py"):
        with pytest.raises(NotAFile):
            tree.read_bytes(path)


def test_no_outside_byte_is_read_while_links_are_swapped(root: Path, tmp_path: Path) -> None:
    tree = DiskTree(root)
    done = threading.Event()

    def swap() -> None:
        turn = 0
        while not done.is_set():
            turn += 1
            for name, good, evil in (
                ("file.py", root / "src/a.py", tmp_path / "elsewhere/secret.py"),
                ("folder", root / "src", tmp_path / "elsewhere"),
            ):
                (tmp_path / "next").symlink_to(good if turn % 2 else evil)
                (tmp_path / "next").replace(root / name)
            (tmp_path / "plain").write_text("inside\n")
            (tmp_path / "plain").replace(root / "file.py")

    swapping = threading.Thread(target=swap)
    swapping.start()
    outcomes: set[str] = set()
    try:
        for turn in range(2_000):
            try:
                outcomes.add(tree.read("file.py" if turn % 2 else "folder/a.py").text)
            except LeadlineError:
                outcomes.add("refused")
    finally:
        done.set()
        swapping.join()
    assert outcomes <= {"inside\n", "refused"}


def test_no_descriptor_is_left_open(tree: Tree, root: Path) -> None:
    (root / "out.py").symlink_to("../elsewhere/secret.py")
    (root / "link.py").symlink_to("src/a.py")
    os.mkfifo(root / "pipe")
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("this system does not list open files")
    before = len(list(descriptors.iterdir()))
    for path in ("src/a.py", "out.py", "link.py", "pipe", "src", "src/gone.py", "src/a.py/b"):
        for read in (tree.read, tree.read_bytes):
            try:
                read(path)
            except LeadlineError:
                continue
    assert len(list(descriptors.iterdir())) == before


# What errors say.


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31m", "a\u202eb", "\udcff", "x" * 5000])
def test_an_error_is_one_short_printable_line_whatever_the_name(name: str) -> None:
    errors: list[LeadlineError] = [
        PathOutside(name),
        PathNotFound(name, name),
        IsFolder(name),
        NotAFile(name, "a socket"),
        BinaryFile(name, 1),
        TooLarge(name, 2, 1),
        Unreadable(name, "no"),
    ]
    for error in errors:
        for said in (str(error), error.hint):
            assert said.isprintable()
            assert said.endswith((".", "?"))
            assert len(said) < 350


# The way of Windows, whose paths are looked at as text alone


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the pure functions take this for Windows."""
    with monkeypatch.context() as patched:
        patched.setattr(descent, "os", SimpleNamespace(name="nt", path=ntpath, sep="\\"))
        yield


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("given_", "meant"),
    [
        ("a\\b.py", "a/b.py"),
        ("a/./b.py", "a/b.py"),
        ("a\\..\\b", "b"),
        ("C:\\root\\a.py", "a.py"),
        ("c", "c"),
        ("\\a", ""),
    ],
)
def test_a_path_of_windows_is_normalised_or_refused(given_: str, meant: str) -> None:
    if meant:
        assert inside(given_, "C:\\root") == meant
    else:
        with pytest.raises(PathOutside):
            inside(given_, "C:\\root")


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    "given_",
    [
        "..\\a",
        "a\\..\\..\\b",
        "C:\\other\\a",
        "C:a",
        "\\\\server\\share\\a",
        "a:stream",
        "C:\\root-evil\\a",
        "D:\\root\\a",
    ],
)
def test_a_path_of_windows_that_leaves_the_root_is_refused(given_: str) -> None:
    with pytest.raises(PathOutside):
        inside(given_, "C:\\root")


@pytest.mark.usefixtures("windows")
def test_what_windows_resolves_is_compared_whatever_its_case_and_as_a_folder() -> None:
    assert beneath("c:\\ROOT\\a.py", "C:\\root")
    assert beneath("C:\\root", "C:\\root")
    assert not beneath("C:\\root-evil\\a.py", "C:\\root")
    assert not beneath("D:\\root\\a.py", "C:\\root")


# Reading again


def test_what_was_read_a_moment_ago_is_read_again_only_if_its_file_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_state, "SETTLED_SECONDS", -1.0)
    file = tmp_path / "a.py"
    file.write_text("one = 1\n")
    before = file.stat()
    tree = DiskTree(tmp_path)
    first = tree.read("a.py")
    assert tree.read("a.py") is first
    while file.stat().st_ctime_ns == before.st_ctime_ns:  # the system's clock may take a while
        file.write_text("two = 2\n")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert tree.read("a.py").text == "two = 2\n"
    beside = tmp_path / "b.py"
    beside.write_text("six = 6\n")
    os.utime(beside, ns=(before.st_atime_ns, before.st_mtime_ns))
    beside.replace(file)
    assert tree.read("a.py").text == "six = 6\n"


def test_what_was_changed_just_now_could_be_changed_again_at_the_same_time_and_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one = 1\n")
    tree = DiskTree(tmp_path)
    assert tree.read("a.py") is not tree.read("a.py")


def test_of_what_was_read_only_so_much_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_state, "SETTLED_SECONDS", -1.0)
    monkeypatch.setattr(recent_sources, "_MOST_BYTES", 20)
    monkeypatch.setattr(recent_sources, "_LARGE_BYTES", 10)
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(f"{name} = 123\n")
    (tmp_path / "large.py").write_text("large = 123\n")
    tree = DiskTree(tmp_path)
    first, second = tree.read("a.py"), tree.read("b.py")
    assert tree.read("b.py") is second
    tree.read("c.py")
    assert tree.read("a.py") is not first
    large = tree.read("large.py")
    assert tree.read("large.py") is large
    tree.read("b.py")
    assert tree.read("large.py") is not large


def test_of_what_was_read_of_all_trees_together_only_so_much_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_state, "SETTLED_SECONDS", -1.0)
    monkeypatch.setattr(recent_sources, "_MOST_BYTES", 20)
    monkeypatch.setattr(recent_sources, "_LARGE_BYTES", 10)
    monkeypatch.setattr(recent_sources, "_MOST_LARGE", 2)
    trees = []
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.py").write_text(f"{name} = 123\n")
        (tmp_path / name / "large.py").write_text(f"{name} = 1234567\n")
        trees.append(DiskTree(tmp_path / name))
    read = [tree.read("same.py") for tree in trees]
    assert [source.text[0] for source in read] == ["a", "b", "c"]
    assert [tree.read("same.py") is source for tree, source in zip(trees[1:], read[1:], strict=True)] == [True, True]
    assert trees[0].read("same.py") is not read[0]
    large = [tree.read("large.py") for tree in trees]
    assert [trees[number].read("large.py") is large[number] for number in (1, 2)] == [True, True]
    assert trees[0].read("large.py") is not large[0]


def test_a_folder_that_takes_the_place_of_another_is_read_and_not_that(root: Path, tree: Tree) -> None:
    for path, content in {"a/b/one": "1", "a/c/two": "old"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    with tree.reading() as reader:
        assert reader.raw("a/b/one") == b"1"
        (root / "a").rename(root / "before")
        (root / "a" / "c").mkdir(parents=True)
        (root / "a" / "c" / "two").write_text("new")
        assert reader.raw("a/c/two") == b"new"
        (root / "a").rename(root / "again")
        assert reader.raw("a/b/one") is None
        assert reader.raw("before/c/two") == b"old"


def test_many_files_are_read_one_after_the_other_from_wherever_they_lie(root: Path, tree: Tree) -> None:
    paths = ["top", "a/b/c/1", "a/b/c/2", "a/b/3", "a/d/4", "e/5", "a/b/c/6"]
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    with tree.reading() as reader:
        for path in (*paths, *reversed(paths)):
            assert reader.raw(path) == path.encode()
        assert reader.raw("a/../../elsewhere/secret.py") is None
        assert reader.raw("a/b/none") is None
        assert reader.raw("a/b/c/1") == b"a/b/c/1"
