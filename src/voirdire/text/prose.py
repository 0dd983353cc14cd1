"""Is a text an answer in words at all, or data, markup, control tokens, an endless repetition, noise?

Short answers, lists, tables, code, formulas and texts in any language are left alone: a rule fires where hardly
anything else is left.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Literal

from voirdire.text.languages import share_of_function_words

Oddity = Literal["empty", "data", "markup", "tokens", "repetition", "gibberish"]

_HEAD, _WHOLE = 1500, 8000
"""Characters that are looked at: noise shows at once, a loop may follow an honest beginning."""

_FENCED = re.compile(r"\A```(\w*)\n(.*?)\n?```\Z", re.DOTALL)
_LINK = re.compile(r"https?://\S+")
_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_KEY = re.compile(r'"[\w .-]+"\s*:')
_PAGE = re.compile(r"(?i)\A(<!doctype|<html\b|<\?xml)")
_TAG = re.compile(r"</?[A-Za-z](?:(?!://)[^<>])*>")
_CONTROL = re.compile(
    r"<\|[^<>|]{1,40}\|>|\[/?[A-Z]{3,}[A-Z_]*\]|<<?/?(?:s|pad|unk|eos|bos|mask|SYS)>>?|<(?:unused\d+|0x[0-9A-F]{2})>"
)
_BYTE_LEVEL = re.compile(r"[ĠĊ▁]")
"""Marks that tokenisers put for blanks and line ends."""
_MOJIBAKE = re.compile("\ufffd|[ÃÂâ][\u0080-\u00bf€™œ‚„¢¬ž¯¿½Å]")
"""UTF-8 that was read as Latin-1 or Windows-1252, and what could not be read at all."""
_ACCENTS = re.compile("[\u0300-\u036f]+")
_NO_WORD = re.compile(r"[\W_]")
_WORD = re.compile(r"[^\W\d_]+")
_WORD_OR_NUMBER = re.compile(r"[^\W_]+")
_ROW_OR_BULLET = re.compile(r"(?m)^[ \t]*\|.*$|^[ \t]*(?:\d+[.)]|[-*•])[ \t]+")
_LATIN = re.compile(r"[a-z]{5,}")
_VOWEL = re.compile("[aeiouy]")
_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxz]{5,}")
_HARD_PAIR = re.compile(r"(?!ck|cz|d[bkpvz]|gd|k[dv]|v[dz]|z[bdkv])([bcdfgkpqvxz])(?!\1)[bcdfgkpqvxz]")
"""Two different consonants that words of any language seldom have side by side; what is left out is Slavic."""
_ONE_SOUND = re.compile(r"tsch|sch|tch|ch|sh|th|ph|ck|ng")

_FEW_LETTERS = 0.5
"""Of the letters of a text: what remains of markup without its tags, where the tags are the text."""
_MANY_MARKS = 0.25
"""Of the characters: more than this of what tokenisers or broken encodings leave is no stray sign."""
_SYMBOLS = 0.6
"""Of the characters that are not blank: formulas and code hold fewer signs."""
_WINDOW, _LOOP, _LONG = 8, 0.25, 48
"""A text of 48 characters and more repeats itself when fewer than a quarter of its stretches of 8 differ."""
_LOOPS = ((3, 24, 1 / 3), (2, 60, 2 / 3))
"""A loop: so often the same in a row, or more; so many words at least; and this share of a text. No refrain is one."""
_UNSPEAKABLE, _LATIN_WORDS = 0.4, 5
"""Of at least so many long words in Latin letters."""
_HARD = 0.25
"""Of the long words: more than this have a hard pair in random letters, a few in what somebody has written."""
_MANY_WORDS, _FEW_FUNCTION_WORDS = 20, 0.05
"""Of at least so many words, function words: English prose holds a third of them and more."""


def oddity(text: str) -> Oddity | None:
    """What a text is instead of prose; `None` for prose, code, lists, formulas and short answers."""
    whole = text[:_WHOLE]
    text = _LINK.sub("link", text[:_HEAD]).strip()
    if not any(character.isalnum() or character == "\ufffd" or _is_symbol(character) for character in text):
        return "empty"
    if _is_data(text):
        return "data"
    if _is_tokens(text):
        return "tokens"
    if _is_markup(text):
        return "markup"
    if _repeats(text) or _loops(whole):
        return "repetition"
    return "gibberish" if _is_gibberish(text) else None


def _is_symbol(character: str) -> bool:
    return unicodedata.category(character).startswith("S")


def _is_data(text: str) -> bool:
    """JSON, whole or in pieces, also in a code block."""
    fenced = _FENCED.match(text)
    if fenced is not None and fenced.group(1).lower() in ("", "json"):
        return _is_data(fenced.group(2).strip()) if fenced.group(2).strip() else False
    try:
        return isinstance(json.loads(text), dict | list | None)
    except ValueError:
        pass
    if text.startswith("{"):
        return "}" not in text or text.endswith("}")
    return text.startswith(('[{"', '["')) or (text.startswith('"') and len(_KEY.findall(text)) > 1)


def _is_tokens(text: str) -> bool:
    """Control tokens with hardly a word between them, or text as a tokeniser writes it."""
    if len(_BYTE_LEVEL.findall(text)) >= 3:
        return True
    rest, times = _CONTROL.subn(" ", text)
    return times > 1 and len(_WORD.findall(rest)) < times


def _is_markup(text: str) -> bool:
    if _PAGE.match(text):
        return True
    outside = _BLOCK.sub(" ", text)
    rest, times = _TAG.subn(" ", outside)
    return times > 2 and _letters(rest) < _FEW_LETTERS * _letters(outside)


def _repeats(text: str) -> bool:
    """The same words over and over, in any language."""
    text = " ".join(text.split())
    if len(text) < _LONG:
        return False
    places = len(text) - _WINDOW + 1
    enough = _LOOP * places
    # Where every third stretch shows that enough of them differ, the others need not be looked at.
    return all(len({text[start : start + _WINDOW] for start in range(0, places, step)}) < enough for step in (3, 1))


def _loops(text: str) -> bool:
    """Whether much of a text is one phrase, sentence or paragraph over and over; code, tables and numbers are not."""
    words = _WORD_OR_NUMBER.findall(_ROW_OR_BULLET.sub(" ", _BLOCK.sub(" ", text)).lower())
    different = len(set(zip(words, words[1:], words[2:], strict=False)))
    for times, fewest, share in _LOOPS:
        least = max(fewest, share * len(words))
        # Where more stretches of three words differ, there is no such loop, whatever it repeats.
        if different <= len(words) - least * (times - 1) / times and any(
            _longest_loop(words, period, times) >= least for period in range(1, len(words) // times + 1)
        ):
            return True
    return False


def _longest_loop(words: list[str], period: int, times: int) -> int:
    """The longest stretch, in words, that repeats itself after so many words, so many times and more; 0 of numbers."""
    longest = run = 0
    for place in range(period, len(words)):
        run = run + 1 if words[place] == words[place - period] else 0
        if run + period > longest and run >= (times - 1) * period:
            unit = words[place - period : place]
            longest = run + period if not all(word.isdigit() for word in unit) else longest
    return longest


def _is_gibberish(text: str) -> bool:
    dense = "".join(text.split())
    if sum(len(run) for run in _MOJIBAKE.findall(dense)) > _MANY_MARKS * len(dense):
        return True
    if len(dense) > 20 and _signs(dense) > _SYMBOLS * len(dense):
        return True
    plain = _without_accents(text.lower())
    words = _LATIN.findall(plain)
    if len(words) >= _LATIN_WORDS and sum(map(_unspeakable, words)) > _UNSPEAKABLE * len(words):
        return True
    # Random letters with vowels among them. Languages whose function words we do not know have few hard pairs.
    hard = sum(map(_has_hard_pair, words))
    many = hard > _HARD * len(words) and len(_WORD.findall(plain)) >= _MANY_WORDS
    return many and share_of_function_words(text) < _FEW_FUNCTION_WORDS


def _signs(text: str) -> int:
    """Characters that are no letter or digit, nor a mark, as vowels are in many scripts."""
    return sum(unicodedata.category(character)[0] != "M" for character in _NO_WORD.findall(text))


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


@lru_cache(10_000)
def _unspeakable(word: str) -> bool:
    """Whether a word of Latin letters has no vowel, or five consonants in a row."""
    if not _VOWEL.search(word):
        return True
    return bool(_CLUSTER.search(word) and _CLUSTER.search(_ONE_SOUND.sub("c", word)))


@lru_cache(10_000)
def _has_hard_pair(word: str) -> bool:
    return bool(_HARD_PAIR.search(word))


def _letters(text: str) -> int:
    return sum(character.isalpha() for character in text)
