"""A tree that is on no disk: a store lists its files and gives their bytes, and every tool answers as for a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from conftest import INDEXING_SECONDS, Asking, Open, write
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.errors import Unreadable
from leadline_tools.index.index import Index
from leadline_tools.index.tree.stored_tree import StoredFile, StoredListing, StoredTree
from leadline_tools.index.tree.walked_files import Skipped
from repositories import without_notes_of_commits

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
FILES = {
    "src/shop.py": "class Shop:\n    def sell(self): pass\n\n\ndef open_shop():\n    return Shop().sell()\n",
    "src/till.py": f'from shop import open_shop\n\nTOKEN = "{KEY}"\nopen_shop()\n',
    "docs/guide.md": "# Guide\n\nCall `open_shop`.\n",
    "lib/copied.js": "function copied() { return 1; }\n",
    ".env": "PASSWORD=open_shop\n",
    ".leadlineignore": "lib/\n",
}


class MemoryStore:
    """Files in memory; a path in ``lost`` has no content any more."""

    place = "memory:shop"

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.lost: set[str] = set()

    def state(self) -> str:
        return hashlib.sha256(repr(sorted(self.files.items())).encode()).hexdigest()

    def listing(self) -> StoredListing:
        files = [StoredFile(path, len(text.encode()), _key(text)) for path, text in self.files.items()]
        return StoredListing(
            self.state(), files, (Skipped("src/link.py", "symbolic link out of the tree"),), "commit 00000001"
        )

    def read(self, file: StoredFile) -> bytes:
        text = next((text for text in self.files.values() if _key(text) == file.key), None)
        if text is None or self.lost & {path for path, other in self.files.items() if other == text}:
            raise Unreadable(file.path, "its content is missing")
        return text.encode()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(FILES)


@pytest.fixture
def stored(store: MemoryStore, sessions: list[Session], tmp_path: Path) -> Callable[[], Asking]:
    """Open a session on a store."""

    def start() -> Asking:
        config = Config(tmp_path, tmp_path / "cache", "openai", allow_edits=True)
        index = Index(tmp_path, None, processes=1, tree=StoredTree(store, tmp_path, config.policy))
        sessions.append(Session(config, index))
        index.start()
        assert index.wait(INDEXING_SECONDS)
        return Asking(sessions[-1])

    return start


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_files", {"recursive": True}),
        ("count_files", {}),
        ("read_file", {"path": "src/till.py"}),
        ("document_symbols", {"path": "src/shop.py"}),
        ("symbol_search", {"query": "shop"}),
        ("search_text", {"query": "open_shop"}),
        ("search_text", {"query": "sell\\(", "regex": True}),
        ("find_code", {"query": "who sells"}),
        ("find_references", {"symbol": "open_shop"}),
        ("go_to_definition", {"symbol": "src/till.py:4:1"}),
        ("type_members", {"symbol": "Shop"}),
        ("repo_map", {}),
    ],
)
def test_every_tool_answers_as_for_a_folder(
    stored: Callable[[], Asking], opened: Open, tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    root = write(tmp_path / "memory:shop", FILES)
    (root / "src/link.py").symlink_to(tmp_path)
    folder = opened(root)
    assert folder(tool, **arguments)
    assert without_notes_of_commits(stored()(tool, **arguments)) == without_notes_of_commits(folder(tool, **arguments))


def test_what_is_secret_is_neither_read_nor_shown(stored: Callable[[], Asking]) -> None:
    asking = stored()
    assert KEY not in asking("read_file", path="src/till.py")
    assert "src/till.py" not in asking("search_text", query=KEY[:12])
    assert "secret" in asking.error("read_file", path=".env")


def test_what_is_left_out_is_named_with_the_reason(stored: Callable[[], Asking]) -> None:
    asking = stored()
    assert "lib/copied.js" not in asking("list_files", recursive=True)
    assert "ignored by .leadlineignore" in asking("list_files", path="lib")
    assert "not listed: src/link.py (symbolic link out of the tree)" in asking("list_files", path="src")


def test_another_state_is_seen_by_the_next_question(stored: Callable[[], Asking], store: MemoryStore) -> None:
    asking = stored()
    store.files["src/late.py"] = "def arrives(): pass\n"
    store.files["src/shop.py"] = FILES["src/shop.py"].replace("sell", "lend")
    del store.files["docs/guide.md"]
    assert "src/late.py" in asking("symbol_search", query="arrives")
    assert "lend" in asking("document_symbols", path="src/shop.py")
    assert "docs/guide.md" not in asking("list_files", recursive=True)


def test_a_content_that_is_missing_is_said(stored: Callable[[], Asking], store: MemoryStore) -> None:
    store.lost.add("src/shop.py")
    asking = stored()
    assert "its content is missing" in asking.error("read_file", path="src/shop.py")
    assert "src/till.py" in asking("search_text", query="open_shop")


def test_edits_are_refused(stored: Callable[[], Asking]) -> None:
    asking = stored()
    preview = asking.session.call(Request("rename_symbol", {"symbol": "open_shop", "new_name": "open_store"}))
    assert "nothing can be written: memory:shop is not on disk" in preview.text
    assert "apply=true" not in preview.text
    refused = asking.error("rename_symbol", symbol="open_shop", new_name="open_store", apply=True)
    assert "memory:shop is not on disk" in refused
    assert "Edit a checkout" in refused
