"""What MkDocs does not do by itself, as hooks: pages from outside of ``docs/``, and links between all of them.

The pages are written to be read in the repository, too. So links go from file to file, and are made links from page to
page here; of a link to a file that is no page the text is left. A page that loads anything from elsewhere is refused.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "packaging"))
sys.path.insert(0, str(ROOT / "scripts"))
from addresses import addresses  # noqa: E402  beside what builds the package, which is no package itself
from llms_page import llms_page  # noqa: E402  beside this hook, which MkDocs loads by its path

OUTSIDE: Mapping[str, str] = {
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "bench/README.md": "measurements.md",
    "bench/growth.png": "growth.png",
}
"""The pages of the site that are kept elsewhere, and what they show, by their paths in the repository."""

_INSTEAD: Mapping[str, str] = {"README.md": "index.md", "docs/connect": "connect/index.md"}
"""Where a link to a file leads whose text the site has on other pages."""

_SOURCES = {page: path for path, page in OUTSIDE.items()}
_LINK = re.compile(r"(?<!!)\[(?P<text>(?:[^\[\]]|`[^`]*`)+)\]\((?P<target>[^()\s]+)\)")
_LOADED = re.compile(
    r"<(?:script|img|iframe|source|link)\b[^>]*?(?:src|href)=\"((?:https?:)?//[^\"]*)\"", re.IGNORECASE
)
_ONLY_NAMED = re.compile(r"<link\b[^>]*rel=\"(?:canonical|next|prev|edit)\"")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every page of a tool into the navigation, the list of them first."""
    pages = sorted(path.name for path in Path(config.docs_dir, "tools").glob("*.md") if path.name != "index.md")
    tools = ["tools/index.md", *(f"tools/{page}" for page in pages)]
    known = addresses()
    config.site_url = known.get("documentation", config.site_url)
    config.repo_url = known.get("repository", config.repo_url)
    if "repository" in known:
        config.edit_uri = "edit/main/docs/"
    config.nav = [{"Tools": tools} if entry == {"Tools": []} else entry for entry in config.nav or []]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is kept outside of the folder."""
    for path, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_others: object) -> str:
    """Return the text of a page with links to other pages in place of those to files of the repository."""
    here = page.file.src_uri
    source = _SOURCES.get(here, f"docs/{here}")
    known = {file.src_uri for file in files.documentation_pages()} | {file.src_uri for file in files.media_files()}

    def rewritten(link: re.Match[str]) -> str:
        target, hash_, anchor = link["target"].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if not (ROOT / path).exists():
            return link[0]  # a broken link, of which MkDocs tells
        meant = OUTSIDE.get(path) or _INSTEAD.get(path, path.removeprefix("docs/"))
        if path in _INSTEAD:
            hash_ = anchor = ""  # its sections are on other pages
        if meant not in known:
            return link["text"]
        return f"[{link['text']}]({posixpath.relpath(meant, posixpath.dirname(here) or '.')}{hash_}{anchor})"

    return _outside_of_code(markdown, rewritten)


def _outside_of_code(markdown: str, rewritten: Callable[[re.Match[str]], str]) -> str:
    """Return a text whose links are rewritten, but for what is code."""
    parts: list[str] = []
    after = 0
    for block in re.finditer(r"^(`{3,})[^\n]*\n.*?^\1\s*$", markdown, re.MULTILINE | re.DOTALL):
        parts += [_LINK.sub(rewritten, markdown[after : block.start()]), block[0]]
        after = block.end()
    return "".join([*parts, _LINK.sub(rewritten, markdown[after:])])


def on_post_build(config: MkDocsConfig) -> None:
    """Write ``llms.txt``, the list of the pages for models."""
    Path(config.site_dir, "llms.txt").write_text(llms_page(), encoding="utf-8")


def on_post_page(output: str, page: Page, **_others: object) -> str:
    """Refuse a page that loads anything from elsewhere."""
    for loaded in _LOADED.finditer(output):
        if not _ONLY_NAMED.match(loaded[0]):
            raise PluginError(f"{page.file.src_uri} loads {loaded[1]}: keep it in docs/")
    return output
