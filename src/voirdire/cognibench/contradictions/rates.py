"""What a detector makes of the suite: how much of each kind it flags, and how many untouched statements."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from voirdire.cognibench.contradictions.perturbing import perturb
from voirdire.cognibench.contradictions.records import KINDS, ContradictionRates, Count, Perturbed
from voirdire.detectors import Answer, Detector, Exchange, History, Passage, passage_of
from voirdire.detectors.scoring import reaches


def contradiction_rates(
    detector: Detector, answers: Sequence[Answer], seed: int = 0, history: History = "none", limit: int | None = None
) -> ContradictionRates:
    """Show a detector the perturbed statements, each within its otherwise untouched answer.

    A statement is flagged when its score reaches the detector's threshold; one without a score is not flagged, and
    counted as missing. The controls are the statements that were perturbed, once each, as they were.

    Args:
        detector: any.
        answers: labelled; those without a faithful statement add nothing.
        seed: of the perturbations.
        history: which earlier turns are evidence beside the context.
        limit: at most so many perturbed statements of a kind; `None`: all.
    """
    perturbed = perturb(answers, seed, limit)
    changed = {each.answer for each in perturbed}
    passages = {answer.id: passage_of(answer, history) for answer in answers if answer.id in changed}
    untouched = dict(zip(passages, detector.flag_many(list(passages.values())), strict=True))
    scores = detector.flag_many([_with(passages[each.answer], each) for each in perturbed])
    found = {
        kind: [score[each.statement] for score, each in zip(scores, perturbed, strict=True) if each.kind == kind]
        for kind in KINDS
    }
    places = dict.fromkeys((each.answer, each.statement) for each in perturbed)
    controls = [untouched[answer][place] for answer, place in places]
    return ContradictionRates(
        {kind: _count(of_kind, detector.threshold) for kind, of_kind in found.items()},
        _count(controls, detector.threshold),
    )


def _with(passage: Passage, change: Perturbed) -> Passage:
    """The passage with the perturbed statement in place of the original, in the dialogue too."""
    sentences = list(passage.sentences)
    sentences[change.statement] = change.text
    *earlier, last = passage.dialogue
    spoken = Exchange(last.user, last.assistant.replace(change.original, change.text, 1))
    return Passage(passage.context, tuple(sentences), (*earlier, spoken))


def _count(scores: Iterable[float], threshold: float) -> Count:
    known = list(scores)
    return Count(int(reaches(known, threshold).sum()), len(known), sum(math.isnan(score) for score in known))
