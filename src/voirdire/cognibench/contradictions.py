"""The contradiction suite: faithful statements with one thing changed, and how many of them a detector flags.

from voirdire.cognibench.contradictions import contradiction_rates
contradiction_rates(open_detector("lexical"), answers).rates["number"].rate
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence

from voirdire.cognibench.contradiction_edits import (
    EDITS,
    KINDS,
    ContextTerms,
    ContradictionRates,
    Count,
    Kind,
    PerturbedStatement,
)
from voirdire.detectors import Answer, Detector, Exchange, History, Passage, passage_of
from voirdire.detectors.scoring import reaches


def perturb(answers: Sequence[Answer], seed: int = 0, limit: int | None = None) -> list[PerturbedStatement]:
    """Every faithful statement, changed once in each kind that it has a place for.

    The same statement is changed in the same way whatever else stands in `answers`. Unlabelled answers give nothing:
    what is not known to be faithful can't be made false.

    Args:
        answers: labelled.
        seed: of what is changed, and into what.
        limit: at most so many of a kind, spread evenly over the answers; `None`: all.
    """
    changes = [change for answer in answers for change in _perturb_answer(answer, seed)]
    return changes if limit is None else _sample_evenly(changes, limit)


def _perturb_answer(answer: Answer, seed: int) -> list[PerturbedStatement]:
    places = [place for place, statement in enumerate(answer.statements) if statement.label == "faithful"]
    if not places:
        return []
    grounds = ContextTerms.of(answer.context)
    changes = []
    for place in places:
        original = answer.statements[place].text
        for kind, edit in EDITS.items():
            chance = random.Random(f"{seed}\0{answer.id}\0{place}\0{kind}")  # noqa: S311 (no secret)
            text = edit(original, grounds, chance)
            if text is not None and text != original:
                changes.append(PerturbedStatement(answer.id, place, kind, original, text))
    return changes


def _sample_evenly(changes: Sequence[PerturbedStatement], limit: int) -> list[PerturbedStatement]:
    """Every so many-th of each kind, in order."""
    totals = Counter(each.kind for each in changes)
    counts: Counter[Kind] = Counter()
    sample = []
    for each in changes:
        total, place = totals[each.kind], counts[each.kind]
        counts[each.kind] += 1
        if total <= limit or place * limit // total != (place + 1) * limit // total:
            sample.append(each)
    return sample


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
    scores = detector.flag_many([_replace_statement(passages[each.answer], each) for each in perturbed])
    scores_by_kind = {
        kind: [score[each.statement] for score, each in zip(scores, perturbed, strict=True) if each.kind == kind]
        for kind in KINDS
    }
    places = dict.fromkeys((each.answer, each.statement) for each in perturbed)
    controls = [untouched[answer][place] for answer, place in places]
    return ContradictionRates(
        {kind: _count(of_kind, detector.threshold) for kind, of_kind in scores_by_kind.items()},
        _count(controls, detector.threshold),
    )


def _replace_statement(passage: Passage, change: PerturbedStatement) -> Passage:
    """The passage with the perturbed statement in place of the original, in the dialogue too."""
    sentences = list(passage.sentences)
    sentences[change.statement] = change.text
    *earlier, last = passage.dialogue
    spoken = Exchange(last.user, last.assistant.replace(change.original, change.text, 1))
    return Passage(passage.context, tuple(sentences), (*earlier, spoken))


def _count(scores: Iterable[float], threshold: float) -> Count:
    known = list(scores)
    return Count(int(reaches(known, threshold).sum()), len(known), sum(math.isnan(score) for score in known))
