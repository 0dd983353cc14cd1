"""`lexical`: flags what the evidence lacks, and what it contradicts. Pure Python, no model, no key.

The score is the mean of five measures of novelty (`voirdire.detectors.novelty`). A sentence that changes a number, a
date, a name or the polarity of the sentence that it repeats has hardly any new words; the contradiction stage finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from voirdire.detectors.base import DetectorOptions, OneByOne, Trials, check_threshold
from voirdire.detectors.flag_counts import FlagCounts
from voirdire.detectors.novelty import NoveltyIndex, mask_unchecked
from voirdire.detectors.records import Exchange, Texts, as_passage
from voirdire.evidence import ContextIndex, Contradiction, contradiction_score, find_contradictions
from voirdire.evidence.figure_contradictions import with_context_figures
from voirdire.evidence.matching import match_of
from voirdire.evidence.row_records import quoted_row
from voirdire.text.markdown import unmarked
from voirdire.text.shortening import excerpt
from voirdire.text.smalltalk import source_denial

_CACHE_SIZE = 32
"""Contexts; as many answers as `voirdire detect` has in memory at a time."""

novelty_index = lru_cache(maxsize=_CACHE_SIZE)(NoveltyIndex.of)
"""`NoveltyIndex.of`, remembered."""
context_index = lru_cache(maxsize=_CACHE_SIZE)(ContextIndex.from_context)
"""`ContextIndex.from_context`, remembered."""


THRESHOLD = 0.61
"""Chosen on the development half of CogniBench; docs/detectors.md says what it is worth on answers it was not."""
CONTRADICTED = 0.9
"""What a sentence scores at least that the context contradicts: above any sensible threshold."""
_SHOWN_WORDS = 8
_QUOTED = 100
"""Characters of a context sentence that a reason quotes."""


class WordReasons:
    """What a detector says that compares words: why, and beside which sentence of the context."""

    _contradiction: bool

    def reasons(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[list[str]]:
        """What speaks against each sentence, in words for a reader."""
        context, sentences, _ = as_passage(context, sentences)
        return explain(context, sentences, [""] * len(sentences), contradiction=self._contradiction)

    def reasons_beside(self, context: Texts, sentences: Texts) -> list[list[str]]:
        """The same for a reader who has the closest sentence of the context before them: it is not quoted."""
        context, sentences, _ = as_passage(context, sentences)
        return explain(context, sentences, self.closest(context, sentences), contradiction=self._contradiction)

    def closest(self, context: Texts, sentences: Texts) -> list[str]:
        """For each sentence, the one of the context that surely contradicts it, else shares most with it, or ""."""
        context, sentences, _ = as_passage(context, sentences)
        return [_closest(unmarked(sentence), context_index(context), self._contradiction) for sentence in sentences]


class LexicalDetector(WordReasons, OneByOne):
    """Novelty against the context, and contradictions of its best-matching sentence."""

    name = "lexical"
    compares_words = True
    trials = Trials(13, FlagCounts(hits=183, wrong=411, false_alarms=164, right=563), THRESHOLD)

    def __init__(self, threshold: float = THRESHOLD, *, contradiction: bool = True) -> None:
        check_threshold(threshold)
        self.threshold = threshold
        self._contradiction = contradiction

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`; the dialogue is not looked at."""
        context, marked, _ = as_passage(context, sentences)
        sentences = tuple(map(unmarked, marked))
        index = novelty_index(context)
        if not self._contradiction:
            return mask_unchecked([_novelty(index, sentence) for sentence in sentences], sentences)
        facts = context_index(context)
        different = list(dict.fromkeys(sentences))
        novelty = (_novelty(index, with_context_figures(match_of(sentence, facts))) for sentence in different)
        scores = dict(zip(different, raise_contradicted(novelty, context, different), strict=True))
        return mask_unchecked([scores[sentence] for sentence in sentences], sentences)


def _closest(sentence: str, index: ContextIndex, contradiction: bool) -> str:
    against = find_contradictions(sentence, index) if contradiction else ()
    if against:
        return against[0].context_sentence
    match = match_of(sentence, index)
    if match.closest is None:
        return ""
    row = quoted_row(match) if index.in_cells(match.closest) else ""
    return row or index.sentences[match.closest].text


def _novelty(index: NoveltyIndex, sentence: str) -> float:
    """The mean of the five shares; a claim of which the context has no word reaches the threshold, however short.

    Words that the context lacks do not speak against a sentence that says so: 0.
    """
    if source_denial(sentence) is not None:
        return 0.0
    mean = index.novelty(sentence).mean
    is_unknown = mean < THRESHOLD and index.lacks_all_words_of(sentence)
    return THRESHOLD if is_unknown else mean


def raise_contradicted(scores: Iterable[float], context: str, sentences: Sequence[str]) -> list[float]:
    """Scores of sentences, raised to `CONTRADICTED` or more where the context contradicts one."""
    index = context_index(context)
    bare = map(unmarked, sentences)
    contradictions = ((score, contradiction_score(each, index)) for score, each in zip(scores, bare, strict=True))
    return [max(score, CONTRADICTED + (1 - CONTRADICTED) * sure) if sure else score for score, sure in contradictions]


def explain(context: str, sentences: Sequence[str], shown: Sequence[str], *, contradiction: bool) -> list[list[str]]:
    """For each sentence, the words that the context lacks and the differences found; list marks are no words.

    Args:
        context: of the sentences.
        sentences: any.
        shown: for each, the sentence of the context that the reader has before them, which is not quoted; "" for none.
        contradiction: whether differences are looked for.
    """
    novelty, facts = novelty_index(context), context_index(context)
    return [
        [
            *_new_words(novelty, with_context_figures(match_of(sentence, facts)) if contradiction else sentence),
            *(_differences(sentence, facts, seen) if contradiction else ()),
        ]
        for sentence, seen in zip(map(unmarked, sentences), shown, strict=True)
    ]


def _new_words(index: NoveltyIndex, sentence: str) -> list[str]:
    fresh = [] if source_denial(sentence) is not None else index.new_words(sentence)
    if not fresh:
        return []
    more = f" and {len(fresh) - _SHOWN_WORDS} more" if len(fresh) > _SHOWN_WORDS else ""
    return [f"not in the context: {', '.join(fresh[:_SHOWN_WORDS])}{more}"]


def _differences(sentence: str, index: ContextIndex, shown: str) -> list[str]:
    result = find_contradictions(sentence, index)
    return list(dict.fromkeys(f"{each.kind}: {_difference(each, shown)}" for each in result))


_UNDERIVED = "no sum, difference or multiple of its figures that was tried gives it"


def _difference(result: Contradiction, shown: str) -> str:
    """What stands here and what there, and where: whether both are of the same thing is left to the reader."""
    if result.is_calculated:
        return f"“{result.claim}” is not in the context, and {_UNDERIVED}"
    if result.evidence == result.context_sentence:
        return f"“{result.claim}” differs from “{result.evidence}”"
    quote = f"in “{excerpt(result.context_sentence, result.evidence, _QUOTED)}”"
    place = "there" if result.context_sentence == shown else quote
    if not result.evidence:
        return f"“{result.claim}” has no counterpart {place}"
    if not result.claim:
        return f"“{result.evidence}” {place} has no counterpart here"
    of = f", said of {result.about}," if result.about else ""
    return f"“{result.claim}” differs from “{result.evidence}”{of} {place}"


def open_lexical(model: str, options: DetectorOptions) -> LexicalDetector:
    """Open `lexical`."""
    threshold = THRESHOLD if options.threshold is None else options.threshold
    return LexicalDetector(threshold, contradiction=options.contradiction)
