"""Where a compound fact may be cut: between figures, never within a date, a range, a name or a parenthesis."""

from __future__ import annotations

import re

from voirdire.text.numbers import find_numbers
from voirdire.text.overlap import content_words

_LABEL = re.compile(r"^([^:;()]{2,120}(?:\([^()]{1,160}\)[^:;()]{0,40})?):\s+(?=\S)")
_STRONG = re.compile(r"\s*;\s+")
_WEAK = re.compile(r",\s+(?:and\s+|but\s+)?|\s+(?:and|but)\s+(?=(?:only\s+|about\s+|nearly\s+)?[$€£]?\d)")
_STATISTIC = re.compile(r"(?i)^\W*(?:(?:p|d|r|n|OR|RR|HR|CI|I2)\s*[<>=≤≥]|(?:\d+%\s*)?CI\b|effect size\b|n\s*=)")
_DEPENDENT = re.compile(r"(?i)^(?:compared|versus|vs|up|down|or|against|than|while|whereas|instead)\b")
_IDENTIFIER = re.compile(r"(?i)(?:[a-z]-|\b(?:phase|section|article|chapter|title|step|table|figure|type|option)\s)$")
_OPEN, _CLOSE = "([“", ")]”"
_QUOTED = re.compile(r"(?<!\w)(['\"])(?=\w)[^'\"]{2,300}\1(?!\w)")
_SETTING = re.compile(r"(?i)^(?:in|among|amongst|of|out of|across|from|for|with|within|at|during|over|after)\s")
_RANGE = re.compile(r"(?i)\bbetween\s[^,;]{1,40}$")


def pieces_of(text: str) -> list[str]:
    """The parts of a compound fact, each with the label that it shares; a single item if there is nothing to cut."""
    label, body = _labelled(text)
    shelter = _shelters(body)
    parts: list[str] = []
    for clause in _cut(body, _STRONG, shelter):
        parts += _cut_between_figures(body, clause, shelter)
    parts = [part.strip(" ,;.") for part in parts]
    if len(parts) < 2 or not all(len(content_words(part)) >= 2 or _has_figure(part) for part in parts):
        return [text]
    return [f"{label}: {part}" if label else part for part in parts]


def subject_of(text: str) -> str:
    """The words that say what a compound fact is about: its label, or what precedes its first figure."""
    label, body = _labelled(text)
    if label:
        return label
    first = next((number.start for number in find_numbers(body) if not _is_identifier(body, number.start)), 0)
    return body[:first]


def _labelled(text: str) -> tuple[str, str]:
    match = _LABEL.match(text)
    if match is None or any(number.kind != "year" for number in find_numbers(_outside_parentheses(match[1]))):
        return "", text
    return match[1], text[match.end() :]


def _shelters(body: str) -> bytearray:
    """Marks each character that is never cut at: in parentheses, quotations, dates and numbers."""
    spans = [(number.start, number.end) for number in find_numbers(body)] + parenthesised(body)
    spans += [match.span() for match in _QUOTED.finditer(body)]
    marks = bytearray(len(body) + 1)
    for start, end in spans:
        marks[start:end] = b"\x01" * (end - start)
    return marks


def parenthesised(body: str) -> list[tuple[int, int]]:
    """The outermost parentheses, brackets and curled quotations of a text."""
    spans: list[tuple[int, int]] = []
    depth, start = 0, 0
    for place, character in enumerate(body):
        if character in _OPEN:
            start = place if depth == 0 else start
            depth += 1
        elif character in _CLOSE and depth:
            depth -= 1
            if depth == 0:
                spans.append((start, place + 1))
    return spans


def _cut(body: str, at: re.Pattern[str], shelter: bytearray) -> list[tuple[int, int]]:
    """(start, end) of what lies between the cuts."""
    return _between(0, len(body), [m.span() for m in at.finditer(body) if not _sheltered(m.start(), shelter)])


def _cut_between_figures(body: str, clause: tuple[int, int], shelter: bytearray) -> list[str]:
    """Cut a clause where both neighbours have a figure of their own; what has none stays with what precedes it."""
    cuts = [
        match.span()
        for match in _WEAK.finditer(body, *clause)
        if not _sheltered(match.start(), shelter)
        and not _RANGE.search(body, max(clause[0], match.start() - 50), match.start())
    ]
    pieces = _between(*clause, cuts)
    chosen_cuts: list[tuple[int, int]] = []
    complete = bool(pieces) and _is_independent(body[slice(*pieces[0])]) and not _is_setting(body, *pieces[:2])
    for cut, piece in zip(cuts, pieces[1:], strict=False):
        alone = _is_independent(body[slice(*piece)])
        if complete and alone:
            chosen_cuts.append(cut)
        complete = complete or alone
    return [body[first:last] for first, last in _between(*clause, chosen_cuts)]


def _between(start: int, end: int, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    starts = [start, *(cut[1] for cut in cuts)]
    ends = [*(cut[0] for cut in cuts), end]
    return [(first, last) for first, last in zip(starts, ends, strict=True) if first < last]


def _sheltered(place: int, shelter: bytearray) -> bool:
    return bool(shelter[place])


def _is_independent(text: str) -> bool:
    """Whether `text` has a figure of its own, depends on nothing before it, and is more than a date or a statistic."""
    if not _has_figure(text) or _STATISTIC.match(text) or _DEPENDENT.match(text):
        return False
    return any(number.kind == "percent" for number in find_numbers(text)) or any(
        not word[:1].isdigit() for word in content_words(text)
    )


def _is_setting(body: str, first: tuple[int, int], second: tuple[int, int] = (0, 0)) -> bool:
    """Whether a clause opens with what its finding is about: "In a trial with 640 patients, 12% …".

    "In Spain 40 million, in France 30 million" are two findings: the second opens likewise.
    """
    opening = body[slice(*first)]
    if not _SETTING.match(opening) or _SETTING.match(body[slice(*second)]):
        return False
    return all(number.kind != "percent" for number in find_numbers(opening))


def _has_figure(text: str) -> bool:
    """Whether `text` holds a number that measures something; those in parentheses and in identifiers don't."""
    outside = _outside_parentheses(text)
    return any(
        number.kind == "date"
        or (number.kind != "ordinal" and number.text[0].isdigit() and not _is_identifier(outside, number.start))
        for number in find_numbers(outside)
    )


def _outside_parentheses(text: str) -> str:
    """`text` with what stands in parentheses blanked, so that places stay the same."""
    return re.sub(r"\([^()]{0,300}\)", lambda result: " " * len(result[0]), text)


def _is_identifier(text: str, start: int) -> bool:
    return _IDENTIFIER.search(text, max(0, start - 12), start) is not None
