"""A hook of hatchling: what PyPI shows besides pyproject.toml. Relative links of README.md lead nowhere there.

hatch-fancy-pypi-readme rewrites links too, but to an address that is written in pyproject.toml; this one is known when
a release is built.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from addresses import absolute, project_urls


class ProjectPage(MetadataHookInterface):
    """Sets the description and the links of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``readme`` and ``urls`` to the metadata."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text)}
        if urls := project_urls():
            metadata["urls"] = urls
