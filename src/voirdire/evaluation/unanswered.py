"""Outputs that hold no answer: nothing, an error in place of one, a refusal."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.texts import Bools, texts_of
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


@lru_cache(maxsize=4)
def unanswered(evaluation: Evaluation) -> Bools:
    """Shape (rows,): whether a row has no answer: it was not scored, or its output is empty, an error or a refusal."""
    output = texts_of(evaluation, "output")
    none = output.where(lambda text: is_empty(text) or is_error(text) or is_refusal(text))
    return np.asarray(none | (evaluation.rows["status"] != "scored").to_numpy())


def is_empty(text: str) -> bool:
    """Whether an output has no visible word."""
    if len(text) > 400:
        return not _INVISIBLE.sub("", text)
    return _INVISIBLE.sub("", _MARKERS.sub("", text)).lower() in _NOTHING


def is_error(text: str) -> bool:
    """Whether a tool's message, that a call or a reading failed, stands in place of an output or a verdict."""
    return _FAILED.match(text) is not None
