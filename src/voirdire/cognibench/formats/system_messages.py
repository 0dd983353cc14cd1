"""The passages of a system message, where it sets them off from its instructions."""

from __future__ import annotations

import re

_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|\*\*)?"
    r"(?:(?:(?:retrieved|provided|relevant|reference|given)[ \t]+)?(?:contexts?|passages?|excerpts?)"
    r"|(?:retrieved|provided|reference)[ \t]+documents?|search[ \t]+results)"
    r"(?::\*\*|\*\*:|:)[ \t]*\n",
    re.IGNORECASE | re.MULTILINE,
)
"""A line such as "Context:" or "**Retrieved passages:**". A colon must stand there: documents have headings, too."""
_TAGGED = re.compile(
    r"^[ \t]*<(?P<tag>contexts?|passages?|excerpts?|documents?|sources?|(?:search|retrieved)[_-]\w+)(?:[ \t][^<>\n]*)?>"
    r"(?P<text>.*?)</(?P=tag)>",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_FENCED = re.compile(r"\s*(?P<fence>```|~~~|\"\"\")[^\n]*\n(?P<text>.*?)\n[ \t]*(?P=fence)", re.DOTALL)


def marked_passages(message: str) -> str:
    """What stands in tags such as <context>, else below a line such as "Context:"; "" where neither is there.

    Below such a line it is all that follows, or what a fence right below it holds.
    """
    tagged = [match["text"].strip() for match in _TAGGED.finditer(message)]
    if any(tagged):
        return "\n\n".join(filter(None, tagged))
    heading = _HEADING.search(message)
    if heading is None:
        return ""
    below = message[heading.end() :]
    fenced = _FENCED.match(below)
    return (below if fenced is None else fenced["text"]).strip()
