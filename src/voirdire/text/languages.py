"""What the function words of a text say of its language."""

from __future__ import annotations

from voirdire.text.overlap import FUNCTION_WORDS, words

# German, French, Spanish, Italian, Portuguese, Dutch: words that are none in English, without accents.
_OTHERS = frozenset(
    "der das und ist nicht ein eine einen einem einer den dem des mit auf von vom zu zum zur wird werden darf kann "
    "muss sind sich auch oder wie nach bei aus durch im "
    "le la les et est une un du dans pour pas qui que ne sur avec par plus sont ce cette aux il elle ou "
    "el los las y es del por con para se su como una "
    "lo gli che di della dei delle non sono nel nella anche "
    "os nao uma em na da dos ao pelo mais "
    "het een van niet voor zijn wordt naar deze dat".split()
)
_ENOUGH = 2
_SHORT = range(3, 9)  # words


def is_foreign(text: str) -> bool:
    """Whether a text has at least two function words of six other languages, and more of them than English ones.

    One is enough in a text of three to eight words without an English one; names may hold one ("Los Angeles"), so
    the text must end as a sentence does.

    Example:
        >>> is_foreign("Der Kocher wiegt 84 g und darf nicht in das Zelt."), is_foreign("The Tour de France is on.")
        (True, False)
    """
    tokens = words(text)
    foreign = sum(word in _OTHERS for word in tokens)
    english = sum(word in FUNCTION_WORDS for word in tokens)
    short = len(tokens) in _SHORT and text.rstrip().endswith((".", "!", "?"))
    return foreign >= (1 if short and not english else _ENOUGH) and foreign > english


def share_of_function_words(text: str) -> float:
    """The share of a text's words that are function words of English or of six other languages; 0 without a word.

    Example:
        >>> share_of_function_words("The cat sat on it."), share_of_function_words("bixag fodzu")
        (0.6, 0.0)
    """
    tokens = words(text)
    return sum(word in FUNCTION_WORDS or word in _OTHERS for word in tokens) / max(1, len(tokens))
