"""The changelog and the contributing guide stand at the root of the repository; here they become pages of the site."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#]+)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put both pages among the others."""
    root = Path(config.config_file_path or "mkdocs.yml").parent
    for name, page in PAGES.items():
        text = (root / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_LINK.sub(_within, text)))
    return files


def _within(link: re.Match[str]) -> str:
    """A link to a page of the site; what isn't one is named, since nothing is at its end here."""
    text, path, anchor = link[1], link[2], link[3] or ""
    if path in PAGES:
        return f"[{text}]({PAGES[path]}{anchor})"
    if path.startswith("docs/"):
        return f"[{text}]({path.removeprefix('docs/')}{anchor})"
    return f"{text} (`{path}`)"
