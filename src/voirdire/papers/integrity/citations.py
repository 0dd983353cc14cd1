"""Judges who cite what the response does not contain: their quotes and figures, looked up in the response by rule.

The publication asked judges for a reason, and kept it. A reason can be checked where it quotes words, and where it
credits the response with a figure. A rule can err; every fault found is listed with its sentence, to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from voirdire.evidence import ContextIndex
from voirdire.evidence.matching import match_of
from voirdire.integrity.trials import Trial, Trials
from voirdire.text.numbers import Number, agree, find_numbers
from voirdire.text.phrases import any_phrase
from voirdire.text.sentences import split_sentences

Place = Literal["response", "reworded", "case", "nowhere"]
"""Where a quote or figure stands: in the response; there in other words; only in the case put to the model; nowhere."""

PLACES: tuple[Place, ...] = ("response", "reworded", "case", "nowhere")
SHORTEST_QUOTE = 3
"""In words. Shorter ones are mostly words the judge sets apart, not quotes."""
SAME_WORDS = 0.8
"""A quote this share of whose (weighted) content words stands in one sentence of the response is reworded."""
SMALLEST_FIGURE = 10
"""Smaller numbers count steps and list items as often as facts; percentages and dates are always looked at."""
HIGHEST_SCORE = 100

_QUOTE = re.compile(r"“([^”]{1,400})”|\"([^\"]{1,400})\"|(?<!\w)['‘]([^\n]{1,400}?)['’](?!\w)")
_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_MAGNITUDE = re.compile(r"(\d) ?([KkMB])(?![\w-])")
_PLUS = re.compile(r"(?<=\d)\+(?!\w)")
_MAGNITUDES = {"K": "thousand", "M": "million", "B": "billion"}
_CUT = re.compile(r"\.\.\.|…|\[[^\]]{0,80}\]")
_PRAISE = any_phrase(
    r"(acknowledg|cit|referenc|incorporat|recogni[sz]|mention|includ|integrat|represent|summari[sz]|list|quot)(es|ing|ed|s)",
    "(accurately|correctly|explicitly|precisely|faithfully|properly|comprehensively|meticulously)",
    "draws on|engages with|grounded in|builds on|such as",
)
_FAULT = (
    r"distort\w*|omi[ts]\w*|den(?:y|ied|ial)\w*|ignor\w+|fabricat\w+|invent\w*|misrepresent\w+|cherry\W?pick\w*|selective\s\w+"
    r"|spin\w*|minimi[sz]\w+|downplay\w+|contradict\w+|alter\w+"
)
_NO_FAULT = re.compile(  # "without distortion, denial or omission" is praise
    rf"(?i)\b(?:without|no|not|nor|avoid\w*|rather\sthan|free\sof)\s"
    rf"(?:(?:any|significant|evidence|of|or|and|nor|attempting|to|{_FAULT}),?\s?){{1,12}}"
)
_COMPLAINT = any_phrase(
    r"omi(t|ts|tted|tting|ssion|ssions)|fail(s|ed|ing|ure)?|neglect\w*|overlook\w*|ignor\w*|absent|absence|missing|lack\w*",
    r"(do|does|did|is|are|was|were|has|have|could|would|should)+NOT|not|never|no mention|nowhere|without",
    r"(could|should|would) have|however|although|though|but|while|despite|yet|less|only|merely|rather than|instead of",
    r"deduct\w*|limitation\w*|downplay\w*|de-?emphasi\w*|minimi\w*|under-?emphasi\w*|underweight\w*|gloss\w*|vague\w*",
    r"imprecis\w*|generic\w*|selective\w*|misrepresent\w*|misstat\w*|distort\w*|fabricat\w*|invent\w*|incorrect\w*",
    r"inaccura\w*|unsupported|overstat\w*|understat\w*",
    r"established facts? (show|state|include|indicate|present|is|are|that)\w*",
)


class Citation(NamedTuple):
    """Something a judge cites."""

    trial: str
    evaluator: str
    text: str
    stands: Place
    sentence: str
    """The judge's, in which it stands."""


@dataclass(frozen=True, slots=True)
class Citations:
    """What the judges cite, and where it stands."""

    explanations: dict[str, int]
    """By judge."""
    quotes: tuple[Citation, ...]
    """Quotes of at least three words."""
    figures: tuple[Citation, ...]
    """Figures in sentences that credit the response with them and complain of nothing."""

    @property
    def invented_quotes(self) -> tuple[Citation, ...]:
        """Those that stand neither in the response, in whatever words, nor in the case."""
        return tuple(each for each in self.quotes if each.stands == "nowhere")

    @property
    def absent_figures(self) -> tuple[Citation, ...]:
        """Those that the response does not contain, though a judge says it has them."""
        return tuple(each for each in self.figures if each.stands != "response")


def find_citations(trials: Trials) -> Citations:
    """Look up every quote, and every figure a response is credited with, in the responses."""
    quotes: list[Citation] = []
    figures: list[Citation] = []
    explained = dict.fromkeys(trials.evaluators, 0)
    for trial in trials.trials:
        sources = _Sources(trial, trials.scenarios[trial.scenario].text)
        for evaluator, explanation in trial.explanations.items():
            explained[evaluator] = explained.get(evaluator, 0) + 1
            for text, sentence in _quotes(explanation):
                quotes.append(Citation(trial.id, evaluator, text, sources.quote(text), sentence))
            for text, place, sentence in _figures(explanation, sources):
                figures.append(Citation(trial.id, evaluator, text, place, sentence))
    return Citations(explained, tuple(quotes), tuple(figures))


def explanations(citations: tuple[Citation, ...], evaluator: str) -> int:
    """In how many of a judge's explanations they stand."""
    return len({each.trial for each in citations if each.evaluator == evaluator})


class _Sources:
    """A response, and the case it answers, indexed as far as somebody asks."""

    def __init__(self, trial: Trial, case: str) -> None:
        self._response, self._case = trial.response, case
        self._folded_response, self._folded_case = _folded(self._response), _folded(case)

    @cached_property
    def _sentences(self) -> ContextIndex:
        return ContextIndex.from_sentences(sentence.text for sentence in split_sentences(self._response, layout=True))

    @cached_property
    def _numbers(self) -> tuple[list[Number], list[Number]]:
        return list(find_numbers(_spelled(self._response))), list(find_numbers(_spelled(self._case)))

    def quote(self, text: str) -> Place:
        parts = [part for part in map(_folded, _CUT.split(text)) if part.strip()]
        if all(part in self._folded_response for part in parts):
            return "response"
        if all(part in self._folded_case for part in parts):
            return "case"
        shares = match_of(text, self._sentences).shares()
        return "reworded" if max(shares.values(), default=0.0) >= SAME_WORDS else "nowhere"

    def figure(self, number: Number) -> Place:
        response, case = self._numbers
        if _is_among(number, response):
            return "response"
        return "case" if _is_among(number, case) else "nowhere"


def _folded(text: str) -> str:
    """Words only, lower-case, one space on either side of each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _spelled(text: str) -> str:
    """With 800K as 800 thousand, $5M as $5 million, $50B as $50 billion; without the plus of 260+ billion."""
    return _MAGNITUDE.sub(lambda match: f"{match[1]} {_MAGNITUDES[match[2].upper()]}", _PLUS.sub("", text))


def _is_among(number: Number, others: list[Number]) -> bool:
    return any(agree(number, other) or number.value == other.value for other in others)


def _quotes(explanation: str) -> Iterator[tuple[str, str]]:
    """Quotes that are long enough, each with what stands around it."""
    for match in _QUOTE.finditer(explanation):
        text = next(group for group in match.groups() if group is not None)
        if len(_folded(text).split()) >= SHORTEST_QUOTE:
            start, end = max(0, match.start() - 100), min(len(explanation), match.end() + 60)
            yield text, explanation[start:end]


def _figures(explanation: str, sources: _Sources) -> Iterator[tuple[str, Place, str]]:
    if not _DIGIT.search(explanation):
        return
    for sentence, _, _ in split_sentences(_spelled(explanation)):
        if not _PRAISE.search(sentence) or _COMPLAINT.search(_NO_FAULT.sub(" ", sentence)):
            continue
        for number in find_numbers(sentence):
            if _may_be_of_a_fact(number):
                yield number.text, sources.figure(number), sentence


def _may_be_of_a_fact(number: Number) -> bool:
    """Whether it is likely to be a fact's, and not the number of a step or a score."""
    if number.kind == "ordinal" or number.value == HIGHEST_SCORE:
        return False
    return number.kind != "number" or number.value >= SMALLEST_FIGURE
