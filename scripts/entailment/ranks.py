"""Where the scores of `entailment` lie among those of a fixed sample, and its threshold: writes ranks.json.

    python scripts/entailment/ranks.py COGNIBENCH_HALF PAIRS.jsonl.gz...

The sample is, in equal parts, the sentences of CogniBench's development half and a seeded choice of the development
pairs: the 3 % of the evidence texts that the model was not trained on. The threshold has the highest word-weighted F1
on the former. No other data is looked at. What it prints are the figures of the two parts and of both together, on the
data that the threshold was chosen on.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from examples import licensed, split
from measure import group_of
from voirdire.cognibench.formats import read_answers
from voirdire.detectors.calibration import ScoredSample, choose_threshold, score_answers
from voirdire.detectors.entailment import NAME, EntailmentDetector, Ranks, ScorePart
from voirdire.detectors.lexical import LexicalDetector
from voirdire.detectors.records import Passage, passage_of
from voirdire.detectors.scoring import reaches
from voirdire.evidence.entailment import packaged_model

OUT = Path(__file__).parents[2] / "src/voirdire/data/detectors" / NAME / "ranks.json"
QUANTILES, DECIMALS, SEED, ALL = 101, 5, 0, "all"
ANY = Ranks((0.0, 1.0), (0.0, 1.0), 0.5)


class Pairs(NamedTuple):
    """Development pairs as they were scored."""

    sources: list[str]
    unsupported: list[bool]
    lengths: list[tuple[int, int]]
    """Words of each context and of its sentence."""
    parts: list[ScorePart]


def score_pairs(files: Sequence[Path], detector: EntailmentDetector) -> Pairs:
    """The development pairs of some files, each a context and a sentence; those that claim nothing are left out."""
    pairs = [pair for file in files for pair in split(licensed(file))[1] if pair.label != "no_claim"]
    rows = detector.parts([Passage(pair.evidence, (pair.claim,)) for pair in pairs])
    labels = [pair.label != "supported" for pair in pairs]
    lengths = [(row[0].context_words, len(pair.claim.split())) for row, pair in zip(rows, pairs, strict=True)]
    return Pairs([group_of(pair.source) for pair in pairs], labels, lengths, [row[0] for row in rows])


def ranks_of(parts: Sequence[Sequence[ScorePart]], threshold: float) -> Ranks:
    """The quantiles of a sample of equal parts of each list."""
    number = min(map(len, parts))
    chosen = [part for some in parts for part in random.Random(SEED).sample(list(some), number)]  # noqa: S311
    known = [(part.lexical, part.verdict.unsupported) for part in chosen if not np.isnan(part.lexical)]
    quantiles = np.quantile(np.array(known), np.linspace(0, 1, QUANTILES), axis=0).round(DECIMALS)
    return Ranks(tuple(quantiles[:, 0].tolist()), tuple(quantiles[:, 1].tolist()), threshold)


def main(half: Path, *files: Path) -> None:
    """Score, choose, write, print."""
    model = packaged_model(1)
    answers = read_answers(half)
    plain = EntailmentDetector(model, ANY)
    begun = time.process_time()
    rows = plain.parts([passage_of(answer) for answer in answers])
    number = sum(map(len, rows))
    print(f"{number / (time.process_time() - begun):.0f} sentences per CPU-second, on {number} sentences")
    pairs = score_pairs(files, plain)
    ranks = ranks_of([[part for row in rows for part in row], pairs.parts], 0.5)
    sample = score_answers(EntailmentDetector(model, ranks), answers)
    threshold = round(choose_threshold(sample.scores, sample.gold, sample.words), 3)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    about = {"weights_sha256": model.sha256, "threshold": threshold, "lexical": ranks.lexical, "model": ranks.model}
    OUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(f"threshold {threshold}: {sample.score(reaches(sample.scores, threshold))}")
    lexical = score_answers(LexicalDetector(), answers)
    print(f"lexical at its own: {lexical.score(reaches(lexical.scores, LexicalDetector().threshold))}")
    print_auroc("cognibench", sample.gold.tolist(), [lexical.scores, model_alone(sample, rows, answers), sample.scores])
    for source in [*sorted(set(pairs.sources)), ALL]:
        inside = [place for place, each in enumerate(pairs.sources) if source in (each, ALL)]
        some = [pairs.parts[place] for place in inside]
        lengths = [pairs.lengths[place] for place in inside]
        both = [
            ranks.score(part.lexical, part.verdict.unsupported, *words)
            for part, words in zip(some, lengths, strict=True)
        ]
        single = [[part.lexical for part in some], [part.verdict.unsupported for part in some]]
        labels = [pairs.unsupported[place] for place in inside]
        if len(set(labels)) > 1:
            print_auroc(source, labels, [*single, both])


def model_alone(sample: ScoredSample, rows: Sequence[Sequence[ScorePart]], answers: Sequence) -> np.ndarray:
    """The model's probability of each labelled sentence, in the order of the sample."""
    labelled = [
        (statement, part.verdict.unsupported)
        for answer, row in zip(answers, rows, strict=True)
        for statement, part in zip(answer.statements, row, strict=True)
        if statement.label is not None and not answer.is_header(statement)
    ]
    return np.array([np.nan if statement.small_talk else score for statement, score in labelled])


def print_auroc(name: str, gold: Sequence[bool], scores: Sequence) -> None:
    """How often an unsupported sentence scores higher than a supported one: lexical, model, both."""
    values = [roc_auc_score(gold, np.nan_to_num(np.asarray(each, float), nan=-1.0)) for each in scores]
    print(f"{name:16} n={len(gold):5}  lexical {values[0]:.3f}  model {values[1]:.3f}  both {values[2]:.3f}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
