"""What a prompt puts around records: labels ("Context:"), Markdown fences, rules and XML-like tags.

>>> without_wrappers('<context>{"choir": "Blue Door", "singers": 31}</context>').strip()
'{"choir": "Blue Door", "singers": 31}'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

from voirdire.evidence.record_sentences import json_spans, record_edges

_WRAPPER = re.compile(
    r"(?m:^[ \t]*(?P<fence>`{3,}|~{3,})(?:[ \t]*[\w+-]+)?[ \t]*$"
    r"|(?:^|(?<=>))[ \t]*(?P<open><[A-Za-z][\w.-]*(?:\s[^<>\n]*)?(?<!/)>)"
    r"|(?P<close></[A-Za-z][\w.-]*>)[ \t]*(?=$|<)"
    r"|^[ \t]*(?P<rule>-{3,}|={3,}|\"{3})[ \t]*$"
    r"|^[ \t]*(?P<label>#{1,6}[ \t][^\n]{1,60}$|(?:\*\*)?[A-Za-z][\w ,()'’-]{0,58}(?:\*\*:|:\*\*|:)[ \t]*(?=$|[{\[])))"
)
_PROMPT_WORDS = frozenset(
    "a above and answer are below body chunk chunks content contents context contexts data docs document documents"
    " entry evidence excerpt excerpts file following given here information input is item items json knowledge output"
    " page pages passage passages provided record records reference references relevant response result results"
    " retrieved search snippet snippets some source sources text the these this tool user your".split()
)
"""A label or tag of these and of numbers says nothing of what it precedes."""
_ADDRESS = re.compile(r"\s(?:file|href|id|index|n|path|rank|score|source|type|url)=(?:\"[^\"]*\"|'[^']*')")
"""An attribute that says where a passage is from."""
_TITLE = 3
"""Words of a line that may name the record below it."""
_WORD = re.compile(r"[^\W\d_]+")
_APART = "\n\n"
_BLANK_LINES = re.compile(r"\n\s*\n")


@lru_cache(maxsize=32)
def without_wrappers(text: str) -> str:
    """A text whose records are paragraphs of their own, without the fences, rules, tags and labels of prompts.

    A label or tag with other words ("Bookings of May:") becomes a paragraph; several stay where they are, since each
    may name the record below it. What wraps no record stays as it is.
    """
    text = _json_apart(text)
    wrappers = [each for each in _WRAPPER.finditer(text) if not each["label"] or _may_lead(each)]
    if sum(_has_own_words(each) for each in wrappers if not each["close"]) > 1:
        wrappers = [each for each in wrappers if not _has_own_words(each)]
    ends = [0, *(place for each in wrappers for place in each.span()), len(text)]
    between = [text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)]
    edges = [record_edges(each) if each.strip() else None for each in between]
    before, after = _nearest(edges), _nearest(edges[::-1])[-2::-1]
    fences = accumulate(bool(each["fence"]) for each in wrappers)
    pieces = [between[0]]
    for wrapper, behind, ahead, count, rest in zip(wrappers, before, after, fences, between[1:], strict=False):
        closes = bool(wrapper["close"] or wrapper["rule"] or (wrapper["fence"] and count % 2 == 0))
        opens = bool(not closes or wrapper["rule"])
        wraps = (closes and behind[1]) or (opens and ahead[0])
        pieces += _apart(wrapper, rest) if wraps else (wrapper[0], rest)
    return "".join(pieces)


def _json_apart(text: str) -> str:
    """A text whose JSON has no blank lines within it, but one where a line of prose stands right above or below.

    Titles of a few words stay right above it where several have one, as labels do.
    """
    ends = [0, *(place for span in json_spans(text) for place in span), len(text)]
    parts = [text[start:end] for start, end in pairwise(ends)]
    titles = [place for place in range(1, len(parts), 2) if _is_title(parts[place - 1].split("\n")[-2:-1])]
    for place in range(1, len(parts), 2):
        parts[place] = _BLANK_LINES.sub("\n", parts[place])
        above, below = parts[place - 1].split("\n"), parts[place + 1].split("\n")
        if _is_prose(above[-2:-1]) and not (len(titles) > 1 and place in titles):
            above.insert(-1, "")
        if _is_prose(below[1:2]):
            below.insert(1, "")
        parts[place - 1], parts[place + 1] = "\n".join(above), "\n".join(below)
    return "".join(parts)


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether a line has more than a wrapper."""
    return any(_WRAPPER.sub("", line).strip() for line in lines)


def _is_title(lines: Sequence[str]) -> bool:
    return _is_prose(lines) and len(lines[0].split()) <= _TITLE


def _nearest(edges: Sequence[tuple[bool, bool] | None]) -> list[tuple[bool, bool]]:
    """At each place the last edges so far: between two wrappers there may be nothing."""
    nearest = (False, False)
    return [nearest := own or nearest for own in edges]


def _may_lead(label: re.Match[str]) -> bool:
    """Whether a label begins a paragraph, or is one of a prompt; else it may be a key within a record."""
    end = max(label.start() - 1, 0)
    line_before = label.string[label.string.rfind("\n", 0, end) + 1 : end]
    return not _has_own_words(label) or not _WRAPPER.sub("", line_before).strip()


def _has_own_words(wrapper: re.Match[str]) -> bool:
    """Whether it is a label or tag that says more than those of prompts do."""
    own = wrapper["label"] or _ADDRESS.sub("", wrapper["open"] or wrapper["close"] or "")
    return not all(word in _PROMPT_WORDS for word in _WORD.findall(own.lower()))


def _apart(wrapper: re.Match[str], rest: str) -> tuple[str, str]:
    is_kept = _has_own_words(wrapper) and not wrapper["close"]
    return (f"{wrapper[0].rstrip()}{_APART}", rest.lstrip("\n")) if is_kept else (_APART, rest)
