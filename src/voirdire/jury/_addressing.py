"""Does an answer speak to whoever judges, labels or audits it, or asks the next question?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

_MAX_READ = 200_000
"""Characters of an answer that are looked at: the beginning and the end of a longer one."""
_LONGEST = 600
"""Characters of a sentence; a longer stretch without an end is taken in pieces."""
_MOST = 20
"""Passages of one kind that are told of: an answer with more is no more hostile."""
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*•#>]|\d+[.)]))")

_FORMS = {
    "fence": re.compile(r"<<\s*/?(?:BEGIN|END)\b|\bdata, not instructions\b|\bthe evidence ends here\b", re.I),
    "role": re.compile(
        r"""<[|｜].{1,24}[|｜]> | </?s> | </?(?:start|end)_of_turn> | \[/?INST\] | <</?SYS>>
        | </?(?:system|assistant|developer|instructions?|judge|rubric|verdict|evidence|answer|response|evaluation)>
        | ^[^\w\n]*(?:system|developer|assistant|human|judge|grader|evaluator|auditor|annotator)
          (?:\ (?:message|prompt|note|override))?\W?:
        | ["']role["']\s*:""",
        re.I | re.M | re.X,
    ),
    "verdict": re.compile(
        r"""["'](?:far|sas|no_claims|justification|stance|verdict|findings|covered|score|label)\\?["']\s*:
        | \b(?:far|sas)\b\W{0,3}(?:=|:|is|of|to)?\W{0,3}[01](?:[.,]\d+)?\b
        | <(?:faithful|hallu|irrelevant)> | ^\d+[.:)]\ (?:rational\ (?:yes|no)|faithful)\b""",
        re.I | re.M | re.X,
    ),
}
"""What nobody writes who only answers a question: lines of a fence, markers of a role, verdicts in our fields."""

_READER = (
    r"(?:judges?|jurors?|jury|graders?|evaluators?|examiners?|assessors?|auditors?|annotators?|label+ers?|raters?"
    r"|reviewers?|interviewers?|(?:ai|language) models?|llm)"
)
_DO = (
    r"(?:give|assign|award|return|output|respond|reply|score|rate|grade|mark|label|treat|consider|accept|record|report"
    r"|find|ask|praise|reveal|confirm)"
)
_TOP = (
    r"(?:full (?:marks?|scores?|credit|points)|(?:top|highest|maximum|best|perfect) (?:scores?|marks?|grades?|ratings?)"
    r"|1[.,]0+|10 ?/ ?10|faithful|(?:no|zero) (?:violations|findings)|empty list)"
)
_OURS = rf"(?:{_TOP}|(?:this|my) (?:\w+ )?(?:answer|response|reply|sentences?)|(?:your|the) next question)"
_ORDERS = (
    [  # to leave the task aside
        r"\b(?:ignore|disregard|forget|override|discard|set aside)\b.{0,40}?\b"
        r"(?:(?:previous|prior|earlier|above|other|your) (?:\w+ )?"
        r"(?:instructions?|rubrics?|guidelines?|prompts?|criteria|rules|orders)"
        r"|the (?:rubric|reference)|your task|everything above)\b"
    ],
    [rf"(?:^|[.:;,!?(“\"]\s*|\b(?:please|must|and|now) ){_DO}\b.{{0,60}}\b{_TOP}\b"],  # to give full marks
    [rf"\b{_READER}\b", rf"\b{_OURS}\b", rf"\b{_DO}\b"],  # to whoever judges, by name
)
"""What an order to a judge looks like, in lower case: all the parts of one of these, within a sentence."""
_COMPILED = [[re.compile(part) for part in parts] for parts in _ORDERS]


class Address(NamedTuple):
    """A passage of an answer that speaks to its judge, or imitates what only a judge, a system or a fence says."""

    kind: str
    """"fence", "role", "verdict": a form; "order": a sentence that tells its reader what to do."""
    text: str
    """The passage, without invisible characters."""


def addressed(answer: str) -> tuple[Address, ...]:
    """The passages of an answer that speak to whoever judges it; none in an answer that only answers.

    By a few rules: forms that need no language, and orders in English. A sign and no defence: most attacks in words
    that the rules do not know, and all in other languages, are not found, and an answer that quotes an attack is.

    Args:
        answer: as the subject wrote it.
    """
    text = plain(answer)
    return tuple(dict.fromkeys([*_forms(text), *islice(_orders(text), _MOST)]))


def plain(text: str) -> str:
    """The text in one form of each character, without invisible ones; of a very long one the two ends.

    No encoding is undone: what is found is shown in reports, and an encoded text may hold a key.
    """
    cut = text if len(text) <= _MAX_READ else f"{text[: _MAX_READ // 2]}\n{text[-_MAX_READ // 2 :]}"
    return cut if cut.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKC", cut))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text on one line each, in pieces of bounded length; by rule, and in any language."""
    for piece in _SENTENCE.split(text):
        line = " ".join(piece.split())
        for start in range(0, len(line), _LONGEST):
            yield line[start : start + _LONGEST]


def _forms(text: str) -> Iterator[Address]:
    """The lines, or the beginning of long ones, in which a form stands."""
    for kind, pattern in _FORMS.items():
        for found in islice(pattern.finditer(text), _MOST):
            start = max(text.rfind("\n", 0, found.start() + 1) + 1, found.start() - 200)
            line, *_ = text[start : start + _LONGEST].strip().splitlines()
            yield Address(kind, line)


def _orders(text: str) -> Iterator[Address]:
    for sentence in sentences(text):
        low = sentence.lower()
        if any(all(part.search(low) for part in order) for order in _COMPILED):
            yield Address("order", sentence)
