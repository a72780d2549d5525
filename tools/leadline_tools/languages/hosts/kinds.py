"""Kinds of files that hold code of one of the languages: scripts in pages, templates, notebooks.

Each has the rules of the language of its code; see ``regions`` for how that is found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from leadline_tools.languages.hosts import notebook as notebook_regions
from leadline_tools.languages.hosts import pages as page_regions
from leadline_tools.languages.hosts import razor as razor_regions
from leadline_tools.languages.hosts import svelte as svelte_regions
from leadline_tools.languages.hosts import templates as template_regions
from leadline_tools.languages.hosts import vue as vue_regions
from leadline_tools.languages.language import Language
from leadline_tools.languages.rules.source import RegionsOf


def hosts(languages: Mapping[str, Language]) -> Mapping[str, Language]:
    """Return the kinds of files by their names, given the languages by theirs."""
    page = languages["html"]
    found = (
        _host(languages["typescript"], "vue", (".vue",), vue_regions.regions),
        _host(languages["typescript"], "svelte", (".svelte",), svelte_regions.regions),
        _host(languages["tsx"], "astro", (".astro",), page_regions.astro),
        _host(languages["tsx"], "mdx", (".mdx",), page_regions.mdx),
        _host(
            languages["python"],
            "jupyter",
            (".ipynb",),
            notebook_regions.regions,
            words=notebook_regions.unescape_words,
        ),
        _host(languages["ruby"], "erb", (".erb", ".rhtml"), template_regions.erb),
        _host(languages["csharp"], "razor", (".cshtml", ".razor"), razor_regions.regions),
        replace(
            _host(languages["javascript"], page.name, page.files.extensions, page_regions.html),
            grammar=page.grammar,
            outline=replace(
                languages["javascript"].outline,
                definitions=page.outline.definitions,
                through=page.outline.through,
                wrappers=page.outline.wrappers,
                has_own_outline=True,
            ),
        ),
    )
    return {host.name: host for host in found}


def _host(
    language: Language,
    name: str,
    extensions: tuple[str, ...],
    regions: RegionsOf,
    words: Callable[[str], str] | None = None,
) -> Language:
    return replace(
        language,
        name=name,
        files=replace(language.files, extensions=extensions, filenames=(), interpreters=(), dialect=None),
        names=replace(language.names, file_named_after_type=name == "razor"),
        source=replace(
            language.source,
            regions=regions,
            words=words,
            lexis=None,
            mask=None,
            bodies=None,
            directives=None,
            textual=None,
            besides_macros=None,
        ),
        relatives=language.language_group,
        embeds=language.name,
    )
