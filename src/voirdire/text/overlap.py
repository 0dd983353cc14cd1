"""Words and their stems, and how much each sentence matters to its text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from voirdire.text.entities import find_names
from voirdire.text.numbers import find_numbers

_TOKEN = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*)(?:(?<=\d)(?i:st|nd|rd|th)\b)?")
"""A word or a number; the ending of "13th" is none."""
FUNCTION_WORDS = frozenset(
    "a about above after again against all also although always am an and any are aren't as at be because been before "
    "being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down "
    "during each either etc even ever every few for from further get gets given gives go goes had hadn't has hasn't "
    "have haven't having he he's her here hers herself him himself his how however i i'd i'll i'm i've if in into is "
    "isn't it it's its itself just let let's like made make makes many may me might more most much must my myself "
    "neither no nor not now of off often on once one only onto or other others ought our ours ourselves out over own "
    "per perhaps rather same shall she should shouldn't since so some such than that that's the their theirs them "
    "themselves then there there's therefore these they they're this those though through thus to too toward under "
    "until up upon us very via was wasn't we were weren't what when where whether which while who whom whose why "
    "will with within without won't would wouldn't yet you you're your yours yourself".split()
)
"""English words that say little by themselves."""
_SUFFIXES = (
    # (ending, what stands for it, letters that must remain before it): the first that fits is applied
    ("ization", "ize", 3),
    ("isation", "ize", 3),
    ("ational", "ate", 3),
    ("fulness", "ful", 3),
    ("iveness", "ive", 3),
    ("ically", "ic", 3),
    ("ations", "ate", 3),
    ("ation", "ate", 3),
    ("ness", "", 3),
    ("ments", "", 4),
    ("ment", "", 4),
    ("ingly", "", 3),
    ("edly", "", 3),
    ("ies", "y", 2),
    ("ied", "y", 2),
    ("ings", "", 3),
    ("ing", "", 3),
    ("sses", "ss", 2),
    ("ers", "er", 3),
    ("ed", "", 3),
    ("ly", "", 3),
    ("ions", "", 4),
    ("ion", "", 4),
    ("ives", "", 4),
    ("ive", "", 4),
    ("ity", "", 4),
    ("isms", "", 5),
    ("ism", "", 5),
    ("ists", "", 5),
    ("ist", "", 5),
    ("al", "", 4),
    ("es", "e", 3),
    ("s", "", 3),
)
_DECIMAL = re.compile(r"\d+\.\d+")
_MAX_WORD = 64  # longer "words" are no words; they are cut before they are stemmed and cached


def words(text: str) -> list[str]:
    """All words and numbers of `text`, lower-case, in order; thousands separators and accents are dropped."""
    if text.isascii():
        tokens: list[str] = _TOKEN.findall(text.lower())
        return [token.replace(",", "") for token in tokens] if "," in text else tokens
    whole = unicodedata.normalize("NFKC", text).replace("’", "'").lower()
    return [_without_accents(token).replace(",", "") for token in _TOKEN.findall(whole)]


def words_as_written(text: str) -> list[tuple[str, str]]:
    """The words of `text` as `words` gives them, each with how it is written: accents and separators stay."""
    whole = unicodedata.normalize("NFC", text)
    return [(word, match[0]) for match in _TOKEN.finditer(whole) for word in words(match[0])[:1]]


@lru_cache(maxsize=65_536)
def _without_accents(token: str) -> str:
    if token.isascii():
        return token
    return "".join(c for c in unicodedata.normalize("NFKD", token) if not unicodedata.combining(c))


def content_words(text: str) -> list[str]:
    """Stems of the words of `text` that carry content, in order: no stop words, no single letters."""
    return content_stems(words(text))


def content_stems(tokens: Iterable[str]) -> list[str]:
    """The same of what `words` has given."""
    content = (word for word in tokens if word not in FUNCTION_WORDS)
    return [stem(word[:_MAX_WORD]) for word in content if len(word) > 1 or word.isdigit()]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A crude English stem of a lower-case word: "studies" -> "study", "painters" -> "painter".

    At most two endings are taken off, so that "impression", "impressionist" and "impressionism" meet. Of numbers zeros
    at the end are: "4.20" is 4.2.
    """
    word = word.removesuffix("'s")
    if word[:1].isdigit():
        return word.rstrip("0").rstrip(".") if _DECIMAL.fullmatch(word) else word
    return "use" if word in ("used", "using") else _without_plural(_without_plural(word))


def _without_plural(word: str) -> str:
    if word.endswith(("ss", "us", "is")):
        return word
    for ending, instead, remain in _SUFFIXES:
        if word.endswith(ending) and len(word) - len(ending) >= remain:
            return _tidy(word[: -len(ending)] + instead)
    return _tidy(word)


def _tidy(root: str) -> str:
    """Undo a doubled consonant, and drop a final e, so that "hope", "hoping" and "hoped" meet."""
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "aeiouls":
        return root[:-1]
    return root[:-1] if len(root) > 3 and root.endswith("e") else root


def salience(sentences: Sequence[str]) -> list[float]:
    """How much each sentence matters to the text they make up, one number in [0, 1] each.

    Two thirds are centrality: the cosine of the sentence's weighted words with those of the rest of the text. One
    third is checkable detail: numbers and names, of which four or more count in full. Linear in the text's length.
    """
    sentences = [sentences] if isinstance(sentences, str) else sentences
    bags = [Counter(content_words(sentence)) for sentence in sentences]
    idf = _idf([frozenset(bag) for bag in bags])
    vectors = [{word: count * idf[word] for word, count in bag.items()} for bag in bags]
    whole: dict[str, float] = {}
    for vector in vectors:
        for word, weight in vector.items():
            whole[word] = whole.get(word, 0.0) + weight
    square = sum(weight * weight for weight in whole.values())
    central = [_cosine_with_rest(vector, whole, square) for vector in vectors]
    highest = max(central, default=0.0) or 1.0
    return [
        (2 * centrality / highest + min(1.0, _details(sentence) / 4)) / 3
        for centrality, sentence in zip(central, sentences, strict=True)
    ]


def _cosine_with_rest(vector: Mapping[str, float], whole: Mapping[str, float], square: float) -> float:
    """Cosine of a sentence with the rest of the text, from the whole's sums: whole = rest + sentence."""
    own = sum(weight * weight for weight in vector.values())
    with_whole = sum(weight * whole[word] for word, weight in vector.items())
    rest = square - 2 * with_whole + own
    return (with_whole - own) / math.sqrt(own * rest) if own > 0 and rest > 1e-12 else 0.0


def _details(sentence: str) -> int:
    return len(find_numbers(sentence)) + len(find_names(sentence))


def _idf(bags: Sequence[frozenset[str]]) -> dict[str, float]:
    counts = Counter(word for bag in bags for word in bag)
    return {word: math.log(1 + len(bags) / count) for word, count in counts.items()}
