"""After random edits and commits every tool answers of a commit what it answers of a checkout of that commit."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import INDEXING_SECONDS, Asking
from leadline_server.call import Session
from leadline_server.config import Config
from leadline_server.running import index_of
from repositories import commit, git, without_notes_of_commits
from untimed import UNLIMITED, without_limits_of_time

NAMES = ("alpha", "beta", "gamma")
PATHS = ("src/a.py", "src/b.py", "lib/c.ts", "lib/deep/d.go", "README.md", ".leadlineignore", ".env", "data.bin")
QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("list_files", {"recursive": True}),
    ("count_files", {}),
    ("read_file", {"path": "src/a.py"}),
    ("document_symbols", {"path": "src/b.py"}),
    ("symbol_search", {"query": "a"}),
    ("symbol_search", {"query": "*", "changed_since": "start"}),
    ("list_files", {"changed_since": "start"}),
    ("search_text", {"query": "alpha"}),
    ("search_text", {"query": "be.a", "regex": True}),
    ("find_code", {"query": "where is gamma called"}),
    ("find_references", {"symbol": "alpha"}),
    ("go_to_definition", {"symbol": "beta"}),
    ("call_hierarchy", {"symbol": "gamma"}),
    ("repo_map", {}),
)


def source(name: str, uses: str) -> str:
    """Return a file that defines one name and uses another, in a form that several languages take for code."""
    return f"def {name}():\n    return {uses}()\n\n\nclass {name.title()}:\n    {uses} = 1\n"


contents = st.one_of(
    st.builds(source, st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.sampled_from(
        ("", "lib/\n", "alpha beta\n", "func alpha() { beta() }\n", "\0\1binary", "caf\u00e9 alpha\r\nbeta\r\n")
    ),
)
edits = st.dictionaries(st.sampled_from(PATHS), st.one_of(st.none(), contents), min_size=1, max_size=4)


def opened(folder: Path, ref: str) -> Asking:
    """Return a session on a folder, or on a commit of its repository, whose index is in memory and complete."""
    config = Config(folder, None, "openai", refs={"": ref} if ref else {}, patience=UNLIMITED)
    session = Session(config, index_of(config))
    session.index.start()
    assert session.index.wait(INDEXING_SECONDS)
    return Asking(session)


def answers(asking: Asking) -> list[str]:
    """Return what all questions are answered that have as much time as they need, errors too."""
    with without_limits_of_time():
        return [without_notes_of_commits(asking.response(tool, **arguments).text) for tool, arguments in QUESTIONS]


@settings(max_examples=8)
@given(st.lists(edits, min_size=2, max_size=4))
def test_a_commit_is_answered_as_its_checkout(steps: list[dict[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "shop")
        commit(folder, {"src/a.py": source("alpha", "beta")})
        git(folder, "tag", "start")
        on_commit = opened(folder, "main")
        checkout = opened(folder, "")
        try:
            for step in steps:
                commit(
                    folder, {path: text for path, text in step.items() if text is not None or (folder / path).exists()}
                )
                assert on_commit.session.index.wait(INDEXING_SECONDS)
                of_commit, of_checkout = answers(on_commit), answers(checkout)
                assert of_commit == of_checkout
        finally:
            on_commit.session.close()
            checkout.session.close()
