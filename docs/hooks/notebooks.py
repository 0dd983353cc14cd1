"""Notebooks become pages: text as it is, code as blocks, outputs as saved. Nothing is run, nothing is fetched."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_LINK = re.compile(r"\]\(([^):\s]+)\.ipynb\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page beside each notebook; the notebook itself stays, to be downloaded."""
    for file in [each for each in files if each.src_uri.endswith(".ipynb")]:
        notebook = json.loads(file.content_string)
        page = PurePosixPath(file.src_uri).with_suffix(".md")
        download = f"\n\n[This page as a notebook]({PurePosixPath(file.src_uri).name})\n"
        content = "\n\n".join(_cell(cell) for cell in notebook["cells"]) + download
        files.append(File.generated(config, str(page), content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let the links of other pages lead to a notebook's page; in the repository they lead to the notebook."""
    own = page.file.src_uri.startswith("notebooks/")
    return markdown if own else _LINK.sub(r"](\1.md)", markdown)


def _cell(cell: dict[str, Any]) -> str:
    source = _text(cell["source"])
    if cell["cell_type"] != "code":
        return source
    shown = [_output(output) for output in cell["outputs"]]
    return "\n\n".join([_fenced(source, "python"), *filter(None, shown)])


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return f'<div class="notebook-out">{_text(data["image/svg+xml"])}</div>'
    text = _text(output["text"] if output["output_type"] == "stream" else data.get("text/plain", "")).rstrip()
    return _fenced(text, "text") if text else ""


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}\n```"


def _text(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
