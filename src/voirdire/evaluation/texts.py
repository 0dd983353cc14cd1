"""Texts of an evaluation, each looked at once: a prompt that 150 models got is one text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.evaluation.records import Evaluation, Places
from voirdire.text.languages import is_foreign

Bools = NDArray[np.bool_]

_WORD = re.compile(r"\w+|(?<=[\d\s)])[-+*/^=<>×÷−](?=[\s\d(])")
"""Words, and the signs of arithmetic: "3 + 4" is another item than "3 * 4"."""
_MOST_WORDS = 150
"""Words of a text that shingles are made of: a text that repeats others does so from its beginning."""
_SAMPLED, _READ = 300, 400
"""Texts, and signs of each, that tell the language."""
SHINGLE = 4
"""Words in a row."""


class Texts(NamedTuple):
    """The different texts of a column."""

    codes: Places
    """Shape (rows,): the number of each row's text, -1 where it has none."""
    unique: Sequence[str]

    def where(self, says: Callable[[str], bool]) -> Bools:
        """Shape (rows,): whether a row has a text of which this is true."""
        result = np.fromiter(map(says, self.unique), dtype=bool, count=len(self.unique))
        return np.append(result, False)[self.codes]


@lru_cache(maxsize=16)
def texts_of(evaluation: Evaluation, column: str) -> Texts:
    """The texts of a column of texts."""
    codes, unique = pd.factorize(evaluation.rows[column].to_numpy(), use_na_sentinel=True)
    return Texts(np.asarray(codes, dtype=np.intp), list(unique))


@lru_cache(maxsize=8)
def plain_texts_of(evaluation: Evaluation, column: str) -> Texts:
    """The same, where texts that differ in case, spaces and punctuation alone are one."""
    texts = texts_of(evaluation, column)
    codes, unique = pd.factorize(np.array([plain(text) for text in texts.unique], dtype=object))
    mapped = np.append(np.asarray(codes, dtype=np.intp), -1)[texts.codes]
    return Texts(mapped, list(unique))


def plain(text: str) -> str:
    """Words in lower case, one space between them; a text without any word, as it is."""
    whole = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(_WORD.findall(whole.lower())) or whole.strip()


def shingles(texts: Iterable[str], *, most: int = _MOST_WORDS) -> tuple[NDArray[np.int64], Places]:
    """Runs of words of texts as numbers, equal for equal runs within one process.

    Returns:
        The numbers in their order, and of each the place of its text.
    """
    words: list[str] = []
    sizes = []
    for text in texts:
        own = text.lower().split(None, most)[:most]
        words += own
        sizes.append(len(own))
    place = np.repeat(np.arange(len(sizes)), sizes)
    count = len(words) - SHINGLE + 1
    if count <= 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.intp)
    hashes = np.fromiter(map(hash, words), dtype=np.int64, count=len(words)).view(np.uint64)
    runs = np.zeros(count, dtype=np.uint64)
    for step in range(SHINGLE):
        runs = runs * np.uint64(1_000_003) ^ hashes[step : step + count]
    inside = place[:count] == place[SHINGLE - 1 :]
    return runs.view(np.int64)[inside], place[:count][inside]


def shares_by_model(evaluation: Evaluation, hits: Bools, among: Bools) -> tuple[NDArray[np.float64], Places]:
    """Of each model the share of rows that are hit among those that are looked at (0 where there are none), and n."""
    model, size = evaluation.codes("model"), len(evaluation.models)
    n = np.bincount(model[among], minlength=size)
    hit = np.bincount(model[among & hits], minlength=size)
    return hit / np.maximum(n, 1), n


@lru_cache(maxsize=4)
def mostly_foreign(evaluation: Evaluation) -> bool:
    """Whether outputs are mostly in other languages than English, by their letters or their little words."""
    unique = texts_of(evaluation, "output").unique
    text = "\n".join(each[:_READ] for each in unique[:: max(1, len(unique) // _SAMPLED)])
    letters = [] if text.isascii() else [letter for letter in text if letter.isalpha()]
    return 2 * sum(not letter.isascii() for letter in letters) > len(letters) or is_foreign(text)


@lru_cache(maxsize=8)
def is_the_baseline(evaluation: Evaluation) -> Bools:
    """Shape (rows,): outputs that are the baseline's own, by its name or word by word: a draw before every judge."""
    rows = evaluation.rows
    same = (rows["model"].astype(object) == rows["baseline"].astype(object)).to_numpy(copy=True)
    pairs = zip(rows["output"].to_numpy(), rows["baseline_output"].to_numpy(), strict=True)
    return np.asarray(same | np.fromiter((a is not None and a == b for a, b in pairs), bool, len(rows)))
