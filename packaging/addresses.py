"""The addresses of the project, from ``packaging/addresses.toml`` or the environment, and links that begin so."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

_FILE = Path(__file__).with_name("addresses.toml")
_RELATIVE = re.compile(r"(?P<before>!?\[[^\]]*\]\()(?P<target>(?!\w+:|#|//)[^)\s]+)(?P<after>\))")


def addresses() -> dict[str, str]:
    """Return the addresses that are known, by name, without a slash at the end; LEADLINE_REPOSITORY_URL comes first."""
    known = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    known["repository"] = os.environ.get("LEADLINE_REPOSITORY_URL") or known["repository"]
    return {name: str(address).rstrip("/") for name, address in known.items() if address}


def project_urls() -> dict[str, str]:
    """Return the links of the page on PyPI."""
    known = addresses()
    urls = {"Documentation": known["documentation"]} if "documentation" in known else {}
    if "repository" in known:
        home = known["repository"]
        urls = {
            "Homepage": known.get("documentation", home),
            **urls,
            "Source": home,
            "Issues": f"{home}/issues",
            "Changelog": f"{home}/blob/main/CHANGELOG.md",
        }
    return urls


def absolute(markdown: str) -> str:
    """Return a text whose links to files of the repository are absolute; without an address, they become plain text.

    The address takes the place of ``ADDRESS`` in commands.
    """
    home = addresses().get("repository")

    def rewrite(link: re.Match[str]) -> str:
        picture, target = link["before"].startswith("!"), link["target"]
        if home is not None:
            place = "raw" if picture else "blob"
            return f"{link['before']}{home}/{place}/main/{target}{link['after']}"
        return "" if picture else link["before"][1:-2]

    text = _RELATIVE.sub(rewrite, markdown)
    return text if home is None else text.replace("git+ADDRESS", f"git+{home}")
