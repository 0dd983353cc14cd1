"""Outputs that hold no answer: nothing, an error in place of one, a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.texts import Bools, plain, texts_of
from voirdire.text.smalltalk import is_refusal

_NOTHING = frozenset(("", "none", "null", "nan", "n/a", "[]", "{}", '""', "''", "undefined", "<empty>", "no output"))
_MARKERS = re.compile(r"<[|｜][^<>]{1,24}[|｜]>|</?s>|<(?:pad|eos|bos|unk|/?think)>|\[(?:PAD|EOS|SEP|CLS)\]", re.I)
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_FAILED = re.compile(
    r"^\W*(?:(?:(?:api |rate ?limit |server |internal |timeout |parse |parsing |json ?decode )*(?:error|exception|"
    r"failed|failure|timed? ?out|timeout))"
    r"(?=s?\W*$|s? ?[:(\[{-]|s? (?:code|while|when|in|at|for|from|after|during|to parse)\b)"
    r"|could not (?:parse|extract|be parsed)|unparse?able\b|invalid (?:json|output|response|format|score|verdict)\b"
    r"|grade not found|traceback\b|rate ?limit(?:ed)?\b|service unavailable"
    r"|[45]\d\d[ :-]+(?:(?:client |server |http )?error|internal server|bad (?:request|gateway)"
    r"|service (?:un|temporarily)|gateway time|too many requests|not found|forbidden|unauthori[sz]ed"
    r"|payment required|request time|method not)"
    r"|(?:n/?a|none|null|nan|unknown|invalid|no (?:verdict|score|response|answer|rating)|missing|empty)\W*$)",
    re.I,
)
"""A verdict, or an output, that is none."""
_ENDED_WELL = "success"
_LONGEST = 400
"""Signs of a text that can stand for nothing."""


def because_it_failed(evaluation: Evaluation) -> str:
    """The end of a sentence on what results lack: that no run of theirs ended well, by the file's own word.

    A full stop alone where one did, or files don't say how runs ended.
    """
    ends = {str(own["status"]) for own in evaluation.settings.values() if "status" in own}
    if not ends or _ENDED_WELL in ends:
        return "."
    return f", because its run failed (status {' or '.join(sorted(ends))}): run it again, or name another log."


@lru_cache(maxsize=4)
def unanswered(evaluation: Evaluation) -> Bools:
    """Shape (rows,): whether a row has no answer: it was not scored, or its output is empty, an error or a refusal."""
    none = no_answers(evaluation, lambda text: is_empty(text) or is_error(text) or is_refusal(text))
    return np.asarray(none | (evaluation.rows["status"] != "scored").to_numpy())


def no_answers(evaluation: Evaluation, says: Callable[[str], bool]) -> Bools:
    """Shape (rows,): outputs that look like none, and are not among the answers of this evaluation.

    Args:
        evaluation: "none", "N/A" and "Timeout error" are answers where a reference or an option is that text.
        says: whether an output looks like none.
    """
    answers = _answers(evaluation)
    result = texts_of(evaluation, "output").where(lambda text: says(text) and _bare(text) not in answers)
    return result & ~_is_right(evaluation, result)


@lru_cache(maxsize=4)
def _answers(evaluation: Evaluation) -> frozenset[str]:
    """References, their lines, and options, without case and punctuation.

    One reference for all items is what a file has in place of references.
    """
    references = texts_of(evaluation, "reference").unique
    lines = {_bare(line) for text in references for line in (text, *text.split("\n"))} if len(references) > 1 else set()
    options = {_bare(each) for choices in {*evaluation.rows["choices"]} for each in choices or ()}
    return frozenset((lines | options) - {""})


def _is_right(evaluation: Evaluation, among: Bools) -> Bools:
    """Rows among these that are scored right, and whose output is their reference."""
    low, high = evaluation.bounds or (0.0, 1.0)
    output, reference, score = (evaluation.rows[name].to_numpy() for name in ("output", "reference", "score"))
    right = score >= high if evaluation.higher_is_better else score <= low
    result = np.zeros(len(among), dtype=bool)
    for row in np.flatnonzero(among & right):
        text = _bare(output[row])
        result[row] = reference[row] is not None and text != "" and text == _bare(reference[row])
    return result


def _bare(text: str) -> str:
    return plain(_MARKERS.sub("", text)) if len(text) <= _LONGEST else text


def is_empty(text: str) -> bool:
    """Whether an output has no visible word."""
    if len(text) > _LONGEST:
        return _INVISIBLE.fullmatch(text) is not None
    return _INVISIBLE.sub("", _MARKERS.sub("", text)).lower() in _NOTHING


def is_error(text: str) -> bool:
    """Whether a tool's message, that a call or a reading failed, stands in place of an output or a verdict."""
    return _FAILED.match(text) is not None
