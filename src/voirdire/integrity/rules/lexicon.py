"""The packaged word lists, compiled once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import cast

from voirdire.data import packaged_files
from voirdire.evidence.lexicon import lexicon
from voirdire.text.overlap import stem
from voirdire.text.phrases import any_phrase


@cache
def phrases(name: str) -> re.Pattern[str]:
    """The pattern of one list of `lexicon.yaml`."""
    return any_phrase(*cast("list[str]", _lexicon()[name]), **_lists_of_the_engine())


@cache
def words_of(name: str) -> frozenset[str]:
    """One list of `lexicon.yaml` as plain words; what is a pattern is left out."""
    return frozenset(word for word in cast("list[str]", _lexicon()[name]) if word.replace("-", "").isalpha())


@cache
def _families() -> dict[str, str]:
    """From a stem to the first stem of its family."""
    heads: dict[str, str] = {}
    for line in packaged_files.read_text("integrity/families.txt").splitlines():
        if line and not line.startswith("#"):
            stems = [stem(word) for word in line.split()]
            head = next((heads[each] for each in stems if each in heads), stems[0])
            heads.update(dict.fromkeys(stems, head))
    return heads


def family(root: str) -> str:
    """The stem that stands for all words of its family."""
    return _families().get(root, root)


def families(stems: Iterable[str]) -> frozenset[str]:
    """The families of stems."""
    return frozenset(family(stem(each)) for each in stems)


@cache
def _lists_of_the_engine() -> dict[str, str]:
    """Alternatives by the name of the list."""
    engine = lexicon()
    lists = {
        "faint": engine.faint,
        "only": [word for word, quantity in engine.quantity.items() if quantity == "only"],
        "limiting": engine.limiting,
        "reaching": engine.reaching,
    }
    return {name: "|".join(sorted(words)) for name, words in lists.items()}


@cache
def _lexicon() -> dict[str, object]:
    read: dict[str, object] = packaged_files.read_yaml("integrity/lexicon.yaml")
    return read
