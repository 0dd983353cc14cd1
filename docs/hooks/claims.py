"""The claims of the published study, recomputed when the site is built, take the place of a mark on their page."""

from __future__ import annotations

from itertools import groupby

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from voirdire.papers.claims import ClaimVerdict
from voirdire.papers.ddft.replication import replicate
from voirdire.papers.ddft.report import recomputed
from voirdire.papers.report import printed

PAGE, MARK = "reference/published-claims.md", "<!-- claims -->"
_ORDER = (
    ClaimVerdict.NOT_REPRODUCED,
    ClaimVerdict.OTHER_DEFINITION,
    ClaimVerdict.NOT_CHECKABLE,
    ClaimVerdict.REPRODUCED,
)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the tables in."""
    return markdown.replace(MARK, tables()) if page.file.src_uri == PAGE else markdown


def tables() -> str:
    """A table for each verdict."""
    claims = sorted(replicate().claims, key=lambda each: _ORDER.index(each.verdict))
    lines = []
    for verdict, those in groupby(claims, key=lambda each: each.verdict):
        rows = [
            (f"`{each.claim.id}`", each.claim.says, each.claim.section, printed(each), recomputed(each))
            for each in those
        ]
        lines += [f"## {verdict.capitalize()} ({len(rows)})", "", "| id | claim | section | paper | data [95 %] |"]
        lines += ["|---|---|---|---|---|", *("| " + " | ".join(_cell(text) for text in row) + " |" for row in rows), ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
