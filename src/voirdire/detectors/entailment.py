"""`entailment`: what a small model says that has read the nearest sentences, and for a part what the words say.

The scores of the two are of different kinds. So each is first turned into its rank among the scores of a fixed sample,
from 0 to 1, and the weighted mean of the two ranks is the score. A sentence is held against the paragraphs nearest to
it, a long one against all: of these the model reads few sentences, so the more there is, the more the words count.
Sentences that the model takes for greetings, questions or refusals score 0. That the context is silent on something is
for the words alone to judge. Whatever the model says, the contradictions are sure that `Contradiction.sure` names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

import numpy as np

from voirdire.data.packaged_files import read_text
from voirdire.detectors.base import DetectorOptions, Trials, check_threshold
from voirdire.detectors.flag_counts import FlagCounts
from voirdire.detectors.lexical import CONTRADICTED, LexicalDetector, context_index, explain
from voirdire.detectors.novelty import mask_unchecked
from voirdire.detectors.records import DetectorError, Exchange, Passage, Texts, as_passage
from voirdire.evidence import find_contradictions
from voirdire.evidence.context import evidence_pieces
from voirdire.evidence.dates_of_other_fields import is_date_of_field
from voirdire.evidence.derivations import derivations
from voirdire.evidence.entailment import Entailment, EntailmentError, EntailmentModel, Pair, packaged_model
from voirdire.evidence.figure_contradictions import with_context_units
from voirdire.evidence.included_items import is_right_inclusion
from voirdire.evidence.introductions import is_introduced, with_introductions
from voirdire.evidence.matching import match_of
from voirdire.evidence.other_states import is_own_state
from voirdire.evidence.record_sentences import record_quotes, without_records
from voirdire.evidence.record_wrappers import without_wrappers
from voirdire.evidence.row_records import quoted_row, words_of
from voirdire.evidence.row_sums import calculation_of
from voirdire.evidence.selection import Evidence, nearest_paragraphs, select_evidence
from voirdire.evidence.statuses import is_status
from voirdire.text.markdown import unmarked
from voirdire.text.shortening import beginning
from voirdire.text.smalltalk import source_denial

NAME = "entailment"
_THREADS = 2
_QUOTED = 200
"""Characters of evidence that a reason quotes."""
_OF_RECORD = "(a table or record)"
"""Before a key and its value."""
_SAYS = 0.5
"""The model's verdict is a reason from this probability on."""
_CONTRADICTS = 0.98
"""It is said to be one of a contradiction from here on: below, every fifth such reason was of a right sentence."""
_READ_WHOLE = 130
"""Words of a context of which the model's evidence leaves out little (evidence/selection.py)."""
_NEAR = 250
"""Words of the nearest paragraphs that a sentence is held against: in longer contexts chance likeness misleads."""
_LONG = 18
"""Words of a sentence that may rest on all paragraphs of a context."""
_ONE_PLACE, _MANY_PLACES = 12, 22
"""Words of a sentence that rests on a place or two of a context, and of one that rests on more than the model reads."""
_SHORT_SHARE, _LONG_SHARE = 0.25, 0.85
"""Of the lexical rank: best on the development pairs, which are short, and on CogniBench's development half."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Where scores lie among those of a fixed sample (scripts/entailment/ranks.py makes it)."""

    lexical: tuple[float, ...]
    """Quantiles of the lexical score, ascending and evenly spaced, from the lowest score to the highest."""
    model: tuple[float, ...]
    """Those of the model's probability that a sentence is not supported."""
    threshold: float
    """Chosen on development data."""

    def score(self, lexical: float, unsupported: float, context_words: int, sentence_words: int) -> float:
        """The weighted mean of the two ranks, in [0, 1], of a sentence of so many words beside a context."""
        share = lexical_share(context_words, sentence_words)
        return share * _rank(lexical, self.lexical) + (1 - share) * _rank(unsupported, self.model)


def lexical_share(context_words: int, sentence_words: int) -> float:
    """What the lexical rank counts for, from 0.25 where the model reads what a sentence rests on, towards 0.85.

    It reads nearly all of a short context. In a long one, a short sentence rests on a place or two, which evidence
    holds; a long one on more.
    """
    unread = 1 - min(1.0, _READ_WHOLE / max(context_words, 1))
    wide = min(1.0, max(0.0, (sentence_words - _ONE_PLACE) / (_MANY_PLACES - _ONE_PLACE)))
    return _SHORT_SHARE + (_LONG_SHARE - _SHORT_SHARE) * unread * wide


class ScorePart(NamedTuple):
    """What the score of a sentence is made of."""

    lexical: float
    verdict: Entailment
    context_words: int
    """Of what it was held against."""


class EntailmentDetector:
    """The rank of the model's verdict on each sentence beside its nearest evidence, and that of novelty."""

    name = NAME
    compares_words = True

    def __init__(
        self, model: EntailmentModel, ranks: Ranks, *, threshold: float | None = None, contradiction: bool = True
    ) -> None:
        check_threshold(threshold)
        self.threshold = ranks.threshold if threshold is None else threshold
        self.trials = Trials(13, FlagCounts(hits=228, wrong=411, false_alarms=124, right=563), ranks.threshold)
        self._model = model
        self._ranks = ranks
        self._lexical = LexicalDetector(contradiction=contradiction)
        self._contradiction = contradiction

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`; the dialogue is not looked at."""
        (scores,) = self.flag_many([as_passage(context, sentences, dialogue)])
        return scores

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`."""
        bare = list(map(_unmarked, passages))
        return [
            mask_unchecked(list(map(self._score, repeat(passage.context), passage.sentences, parts)), passage.sentences)
            for passage, parts in zip(bare, self.parts(bare), strict=True)
        ]

    def parts(self, passages: Sequence[Passage]) -> list[list[ScorePart]]:
        """What the score of each sentence is made of."""
        read = [[self._read(each) for each in _near(passage)] for passage in passages]
        verdicts = iter(self._judge([pairs for some in read for _, pairs, _ in some]))
        return [[ScorePart(lexical, next(verdicts), length) for lexical, _, length in some] for some in read]

    def reasons(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[list[str]]:
        """What speaks against each sentence, in words for a reader: the model's reason, then those of the words."""
        return self._reasons(_unmarked(as_passage(context, sentences)), quoted=True)

    def reasons_beside(self, context: Texts, sentences: Texts) -> list[list[str]]:
        """See `Quoter.reasons_beside`."""
        return self._reasons(_unmarked(as_passage(context, sentences)), quoted=False)

    def closest(self, context: Texts, sentences: Texts) -> list[str]:
        """See `Quoter.closest`; where the words surely differ from a sentence of the context, it is this one."""
        passage = _unmarked(as_passage(context, sentences))
        nearest = ((_evidence(each).closest, _quotes_of(each)) for each in _near(passage))
        return [
            _marked_record(against, passage.context)
            if against
            else f"{_OF_RECORD} {quotes[closest]}"
            if closest in quotes
            else closest
            for against, (closest, quotes) in zip(self._quoted_by_words(passage), nearest, strict=True)
        ]

    def _quoted_by_words(self, passage: Passage) -> list[str]:
        """What the reason of each sentence quotes, where that is all it says; "" where the model has a reason, too."""
        index = context_index(passage.context)
        return [
            find_contradictions(each, index)[0].context_sentence
            if self._is_surely_contradicted(passage.context, each)
            else ""
            for each in passage.sentences
        ]

    def _reasons(self, passage: Passage, *, quoted: bool) -> list[list[str]]:
        near = _near(passage)
        read = list(map(_evidence, near))
        quotes = [_quotes_of(each) for each in near]
        nearest = [_quoted(each.closest, known) if quoted else "" for each, known in zip(read, quotes, strict=True)]
        of_records = list(map(_is_of_record, near, read))
        judged = zip(self._judge(list(map(_pairs, near, read))), nearest, of_records, strict=True)
        by_words = self._quoted_by_words(passage)
        shown = ["" if quoted else against or each.closest for against, each in zip(by_words, read, strict=True)]
        words = explain(passage.context, passage.sentences, shown, contradiction=self._contradiction)
        return [
            [*([] if self._is_told_by_words(passage.context, sentence) else _model_reasons(*verdict)), *others]
            for sentence, verdict, others in zip(passage.sentences, judged, words, strict=True)
        ]

    def _is_told_by_words(self, context: str, sentence: str) -> bool:
        """Whether the words say all there is to say: that the context is silent, or what surely differs, and where."""
        return source_denial(sentence) is not None or self._is_surely_contradicted(context, sentence)

    def _is_surely_contradicted(self, context: str, sentence: str) -> bool:
        return self._contradiction and any(each.sure for each in find_contradictions(sentence, context_index(context)))

    def _judge(self, pairs: Sequence[tuple[Pair, Pair]]) -> list[Entailment]:
        """Of each sentence as it stands and in its context's units, the verdict that supports it more."""
        asked = list(dict.fromkeys(pair for both in pairs for pair in both))
        judged = zip(asked, self._model.judge(asked), strict=True)
        verdicts = {pair: _supported(verdict) if pair[0] == pair[1] else verdict for pair, verdict in judged}
        return [min((verdicts[each] for each in both), key=lambda verdict: verdict.unsupported) for both in pairs]

    def _read(self, near: Passage) -> tuple[float, tuple[Pair, Pair], int]:
        """(lexical score, what the model is shown, words of the context): together, while its index is kept."""
        (lexical,) = self._lexical.flag(near.context, near.sentences)
        return lexical, _pairs(near, _evidence(near)), len(near.context.split())

    def _score(self, context: str, sentence: str, part: ScorePart) -> float:
        """What is sure is looked for in the whole context."""
        if source_denial(sentence) is not None:
            score = part.lexical
        elif part.verdict.claims_nothing:
            score = 0.0
        else:
            length = len(sentence.split())
            score = self._ranks.score(part.lexical, part.verdict.unsupported, part.context_words, length)
        return max(score, CONTRADICTED) if self._is_surely_contradicted(context, sentence) else score


def _unmarked(passage: Passage) -> Passage:
    """The same, its sentences without the marks of lists and emphasis: the model takes "4." for a figure."""
    return passage._replace(sentences=tuple(map(unmarked, passage.sentences)))


def _near(passage: Passage) -> list[Passage]:
    """Each sentence beside the paragraphs that it may rest on: the nearest ones, of a long sentence all."""
    context = without_wrappers(passage.context)
    return [
        passage._replace(
            context=context if len(sentence.split()) > _LONG else nearest_paragraphs(context, sentence, _NEAR),
            sentences=(sentence,),
        )
        for sentence in passage.sentences
    ]


def _evidence(near: Passage) -> Evidence:
    (sentence,) = near.sentences
    return select_evidence(sentence, context_index(with_introductions(without_records(near.context))))


def _is_of_record(near: Passage, evidence: Evidence) -> bool:
    """Whether any of the evidence is part of a record or table, as it stands or put into words."""
    index = context_index(with_introductions(without_records(near.context)))
    cells = {each.text for place, each in enumerate(index.sentences) if index.in_cells(place)}
    return not cells.union(_quotes(near.context)).isdisjoint(evidence.sentences)


def _pairs(near: Passage, evidence: Evidence) -> tuple[Pair, Pair]:
    """The evidence with what follows from its figures, and the sentence in its units: the model can't calculate."""
    (sentence,) = near.sentences
    match = match_of(sentence, context_index(near.context))
    compared = calculation_of(match)
    # Figures, dates or items that it is made of look like others; a status is no sentence.
    says_no_more = (is_introduced, is_date_of_field, is_status, is_own_state, is_right_inclusion)
    if (compared and compared.whole) or any(holds(match) for holds in says_no_more):
        return (sentence, sentence), (sentence, sentence)
    if compared and compared.is_right:
        derived = [compared.words]
    else:
        derived = [each.words for each in derivations(match).values()]
    text = " ".join([evidence.text, *derived])
    return (text, sentence), (text, with_context_units(match))


def _supported(verdict: Entailment) -> Entailment:
    """The verdict on what is its own evidence: supported, if it claims something."""
    return Entailment(1 - verdict.no_claim, 0.0, 0.0, verdict.no_claim)


def _model_reasons(verdict: Entailment, nearest: str, of_record: bool) -> list[str]:
    """What the model says; beside sentences made of records it is never sure of a contradiction."""
    if verdict.claims_nothing or verdict.unsupported < _SAYS:
        return []
    is_sure = verdict.contradicted >= _CONTRADICTS and not of_record
    finding = "may be contradicted" if is_sure else "no support found"
    return [f"{finding}; {nearest}" if nearest else finding]


def _quoted(closest: str, quotes: Mapping[str, str]) -> str:
    """The evidence as it stands in the context; of a record the key and the value."""
    if closest in quotes:
        return f"nearest in the context {_OF_RECORD}: {beginning(quotes[closest], _QUOTED)}"
    shown = beginning(closest, _QUOTED)
    return f"nearest in the context: “{shown}”" if shown else "nearest in the context: nothing"


def _marked_record(text: str, context: str) -> str:
    """A sentence of a context, marked where it is a record put into words."""
    is_quote = text in context or text in with_introductions(context)
    return text if is_quote else f"{_OF_RECORD} {text}"


def _quotes_of(near: Passage) -> Mapping[str, str]:
    """The same, but where the sentence names a row that has not that value, this row."""
    (sentence,) = near.sentences
    quotes = _quotes(near.context)
    row = quoted_row(match_of(sentence, context_index(near.context))) if quotes else ""
    if not row:
        return quotes
    own = words_of(row)
    return {made: quote if words_of(quote.rpartition(": ")[2]) <= own else row for made, quote in quotes.items()}


@lru_cache(maxsize=64)
def _quotes(context: str) -> Mapping[str, str]:
    """What to quote for each sentence that evidence makes of a record: of all parts of one that was cut, too."""
    return {
        piece: quote
        for made, quote in record_quotes(context).items()
        for piece in (made, *evidence_pieces(made))
        if piece not in context
    }


def _rank(score: float, quantiles: Sequence[float]) -> float:
    """The share of the sample below a score, in [0, 1]; equal scores of the sample count half."""
    places = np.asarray(quantiles)
    below, upto = np.searchsorted(places, score, "left"), np.searchsorted(places, score, "right")
    if upto > below:
        return float((below + upto - 1) / 2 / (len(places) - 1))
    return float(np.interp(score, places, np.linspace(0, 1, len(places))))


def open_entailment(model: str, options: DetectorOptions) -> EntailmentDetector:
    """Open `entailment`.

    Raises:
        DetectorError: what it needs is not installed, or its weights are missing or not the right ones.
    """
    try:
        opened = packaged_model(min(_THREADS, os.cpu_count() or 1))
    except EntailmentError as error:
        raise DetectorError(str(error)) from None
    return EntailmentDetector(
        opened, packaged_ranks(), threshold=options.threshold, contradiction=options.contradiction
    )


def packaged_ranks() -> Ranks:
    """The ranks that belong to the packaged model."""
    ranks = json.loads(read_text("detectors/entailment/ranks.json"))
    return Ranks(tuple(ranks["lexical"]), tuple(ranks["model"]), ranks["threshold"])
