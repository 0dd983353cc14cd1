"""What models answered and what is right, where answers are short enough to compare: a letter, a number, a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from voirdire.evaluation.records import Evaluation, Places
from voirdire.evaluation.texts import texts_of

_LETTERS = "ABCDEFGHIJ"
_LONGEST = 80
"""Signs of an answer that can be compared word by word."""
_TAIL = 1_500
"""Signs of the end of an output in which its final answer is looked for."""
_SENTENCE = 120
"""Signs of the end of an output in which a number is looked for that is not marked."""
_MARKED = (
    re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\}){1,80})\}"),
    re.compile(r"####\s*([^\n]{1,80})"),
    re.compile(
        r"(?:\b(?:final |correct |right |best |my )*(?:answer|choice|option)\b(?: is| would be|:| =|\W{1,4}(?:is|:))+)"
        r"[\s*_\"'`$(\[]*([^\n]{1,80}?)[\s*_\"'`$)\]]*(?=[.;,!]?\s*(?:$|\n)|\.\s|\)\s|\*\*)",
        re.I,
    ),
)
"""How a final answer is marked; the last of the marks counts, and in it the last one."""
_LETTER_FIRST = re.compile(r"^[\s*_\"'`(\[]*([A-Ja-j])(?:[\s*_\"'`)\].:]|$)")
_DECORATION = re.compile(r"^[\s*_\"'`$(\[{]+|[\s*_\"'`$)\]}.,;:!?]+$")
_ARTICLE = re.compile(r"^(?:the|an?)\s+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ENDS_WITH = re.compile(
    r"(?:\bis|\bare|\bwas|\bequals|=|:|\banswer)\s+(?:exactly |the |an? |\$)*(\S+(?: \S+){0,5}?)\W*$", re.I
)
_A_NUMBER = r"(?<![\w.,/:-])[$€£]?(-?\d[\d,]*(?:\.\d+)?)"
_LAST_NUMBER = re.compile(rf"{_A_NUMBER}[^\w/]*$")
_ONLY_NUMBER = re.compile(rf"(?:^|[.!?]\s|\n)[^\d\n]*{_A_NUMBER}(?:,?(?: [^\W\d]+){{1,8}}|%)[^\w/]*$")
"""The one number of the last sentence, before a unit or other words."""
_NUMERIC = 0.9
"""Of the keys that are numbers, from which answers are looked for as numbers."""


class Answers(NamedTuple):
    """Answers by row, as places in one list of different ones."""

    given: Places
    """Shape (rows,), -1 where it is not known."""
    right: Places
    """Shape (rows,), -1 where it is not known. Of several right answers the first."""
    names: Sequence[str]
    options: Places
    """Shape (rows,): among how many options the model chose; 0 where the answer was open."""

    @property
    def known(self) -> Places:
        """Shape (n,): rows of which both are known."""
        return np.flatnonzero((self.given >= 0) & (self.right >= 0))


@lru_cache(maxsize=4)
def answers_of(evaluation: Evaluation) -> Answers:
    """Answers of an evaluation: options by their place where files have them or letters name them, else texts."""
    rows, n = evaluation.rows, len(evaluation.rows)
    if not (evaluation.has("reference") or evaluation.has("target")):
        unknown = np.full(n, -1, dtype=np.intp)
        return Answers(unknown, unknown, (), np.zeros(n, dtype=np.intp))
    target = _places(rows["target"].to_numpy(np.float64))
    choice = _places(rows["choice"].to_numpy(np.float64))
    reference, answer, output = (texts_of(evaluation, name) for name in ("reference", "answer", "output"))
    by_letter = np.append([_as_letter(text) for text in reference.unique], -1).astype(np.intp)[reference.codes]
    target = np.where(target >= 0, target, by_letter)
    if (target >= 0).mean() >= 0.9 and len(np.unique(target[target >= 0])) >= 2:
        in_answer = np.append([_letter(text) for text in answer.unique], -1).astype(np.intp)[answer.codes]
        in_output = np.append([_letter(text) for text in output.unique], -1).astype(np.intp)[output.codes]
        given = np.where(choice >= 0, choice, np.where(in_answer >= 0, in_answer, in_output))
        sizes = np.fromiter((len(each) if each else 0 for each in rows["choices"].to_numpy()), np.intp, n)
        most = max(int(target.max()), 1) + 1
        given = np.where(given < np.where(sizes > 0, sizes, max(most, int(given.max()) + 1 if n else 0)), given, -1)
        return Answers(given, target, _LETTERS, np.where(sizes > 0, sizes, most))
    right_texts = [_normal(text.split("\n")[0]) for text in reference.unique]
    answers = [_normal(text) for text in answer.unique]
    numeric = sum(is_number(text or "") for text in right_texts) >= _NUMERIC * len(right_texts)
    outputs = [_number(text) if numeric else normal_answer(final_answer(text) or "") or None for text in output.unique]
    all_texts = np.array([*right_texts, *answers, *outputs], dtype=object)
    codes, names = pd.factorize(all_texts, use_na_sentinel=True)
    first, second = len(right_texts), len(right_texts) + len(answers)
    right = np.append(codes[:first], -1).astype(np.intp)[reference.codes]
    by_answer = np.append(codes[first:second], -1).astype(np.intp)[answer.codes]
    by_output = np.append(codes[second:], -1).astype(np.intp)[output.codes]
    given = np.where(by_answer >= 0, by_answer, by_output)
    return Answers(given, right, list(names), np.zeros(n, dtype=np.intp))


def final_answer(text: str, *, marked: bool = False) -> str | None:
    """The answer that an output ends on: what it marks as such, else the whole of a short output.

    Args:
        text: the output.
        marked: take no answer that is not marked, by "the answer is", a box or four hashes.
    """
    tail = text[-_TAIL:]
    matches = [(match.start(), match[1]) for each in _MARKED for match in each.finditer(tail)]
    if matches:
        return max(matches)[1]
    whole = text.strip()
    return whole if not marked and 0 < len(whole) <= _LONGEST and "\n" not in whole else None


def ending_answer(text: str) -> str | None:
    """The last words of an output after "is", "=" or a colon; `None` where it ends otherwise."""
    match = _ENDS_WITH.search(text[-120:].rstrip())
    return match[1] if match else None


def last_number(text: str) -> str | None:
    """The number that an output ends on, or that alone is in its last sentence: "That makes 77.", "She sold 77 pens.".

    `None` where it ends otherwise.
    """
    tail = text[-_SENTENCE:].rstrip()
    match = _LAST_NUMBER.search(tail) or _ONLY_NUMBER.search(tail)
    return match[1] if match else None


def is_number(answer: str) -> bool:
    """Whether an answer, made normal, is a number."""
    return answer.replace(".", "", 1).removeprefix("-").isdigit()


def normal_answer(text: str) -> str:
    """An answer without case, decoration, articles and thousands' commas: "$1,200.00" is "1200"."""
    bare = _ARTICLE.sub("", " ".join(_DECORATION.sub("", _DECORATION.sub("", text)).lower().split()))
    bare = re.sub(r"^\\text\s*\{(.*)\}?$", r"\1", bare).strip("{} ")
    number = _THOUSANDS.sub("", bare).lstrip("$€£")
    try:
        return f"{float(number):.10g}"
    except ValueError:
        return bare


def _number(text: str) -> str | None:
    """The number that an output marks as its answer, or ends on; `None` where it does neither."""
    candidates = (normal_answer(each) for each in (final_answer(text), last_number(text)) if each)
    return next((each for each in candidates if is_number(each)), None)


def _normal(text: str) -> str | None:
    return (normal_answer(text) or None) if len(text) <= _LONGEST else None


def _places(values: np.ndarray) -> Places:
    return np.where(np.isnan(values), -1, np.nan_to_num(values, nan=-1)).astype(np.intp)


def _as_letter(text: str) -> int:
    """The place of an option that a reference names by its letter alone; -1 for anything else."""
    bare = text.strip().strip("().[]:").strip()
    return _LETTERS.index(bare) if len(bare) == 1 and bare in _LETTERS else -1


def _letter(text: str) -> int:
    """The place of the option that an answer or output settles on; -1 where it names none."""
    final = final_answer(text)
    match = _LETTER_FIRST.match(final) if final is not None else None
    return _LETTERS.index(match[1].upper()) if match else -1
