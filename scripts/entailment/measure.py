"""How well a model folder does on labelled pairs, by source: areas under the ROC curve and shares found.

    python measure.py MODEL_FOLDER development PAIRS.jsonl.gz...
    python measure.py MODEL_FOLDER held PAIRS.jsonl.gz...

`development` takes the pairs that choices are made on (3 % of the evidence texts of what is trained on). `held` takes
all pairs of sources that are never trained on. With `--both` each pair is also scored by the words and by both.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from examples import CLASSES, UNLICENSED, Example, licensed, read_examples, split
from voirdire.detectors.entailment import Ranks, packaged_ranks
from voirdire.detectors.lexical import LexicalDetector
from voirdire.evidence.entailment import Entailment, EntailmentModel

_GROUPS = {
    "order": "order_",
    "roles": "roles_",
    "records": "record_",
    "extracts": "extract_",
    "statements": "statement_",
    "languages": "language_",
}
_FALSE_ALARMS = 0.1


def group_of(source: str) -> str:
    """The name that figures are shown under."""
    name = next((group for group, start in _GROUPS.items() if source.startswith(start)), source)
    return {"climate_fever_nei": "climate_fever"}.get(name, name)


def area(gold: Sequence[bool], scores: Sequence[float]) -> float:
    """The AUROC; not a number where only one class is there."""
    return float(roc_auc_score(gold, scores)) if len(set(gold)) == 2 else float("nan")


def three_way(examples: Sequence[Example], verdicts: Sequence[Entailment]) -> float:
    """The mean of the areas of supported, contradicted and unsupported, each against the rest.

    Where the labels don't tell the last two apart, it is the area of unsupported.
    """
    labels = {example.label for example in examples}
    if not labels <= {"supported", "contradicted", "unsupported"}:
        return area([each.label != "supported" for each in examples], [each.unsupported for each in verdicts])
    places = {"supported": 0, "contradicted": 1, "unsupported": 2}
    claims = [np.array(verdict[:3]) / max(sum(verdict[:3]), 1e-9) for verdict in verdicts]
    areas = [
        area([example.label == label for example in examples], [claim[places[label]] for claim in claims])
        for label in labels
    ]
    return float(np.mean(areas))


def found_at(gold: Sequence[bool], scores: Sequence[float], false_alarms: float = _FALSE_ALARMS) -> float:
    """The share of the unsupported that score above all but a share of the supported."""
    good = [score for score, bad in zip(scores, gold, strict=True) if not bad]
    limit = float(np.quantile(good, 1 - false_alarms))
    return float(np.mean([score > limit for score, bad in zip(scores, gold, strict=True) if bad]))


def report(name: str, examples: list[Example], verdicts: list[Entailment], ranks: Ranks | None) -> None:
    """Print a line."""
    quiet = [verdict.claims_nothing for verdict in verdicts]
    if all(example.label == "no_claim" for example in examples):
        flagged = np.mean([not verdict.claims_nothing and verdict.unsupported > 0.5 for verdict in verdicts])
        print(f"{name:22} n={len(examples):5}  flagged {flagged:.3f}  taken for a claim {1 - np.mean(quiet):.3f}")
        return
    gold = [example.label != "supported" for example in examples]
    scores = [0.0 if silent else verdict.unsupported for silent, verdict in zip(quiet, verdicts, strict=True)]
    line = f"{name:22} n={len(examples):5}  unsupported {area(gold, scores):.3f}  "
    line += f"three-way {three_way(examples, verdicts):.3f}  "
    if len(set(gold)) == 2:
        line += f"found at 10% {found_at(gold, scores):.3f}  "
    line += f"taken for no claim {np.mean(quiet):.3f}"
    if ranks and len(set(gold)) == 2:
        lexical = [LexicalDetector().flag(example.evidence, example.claim)[0] for example in examples]
        lexical = [0.0 if np.isnan(score) else score for score in lexical]
        both = [
            ranks.score(score, verdict.unsupported, *(len(each.split()) for each in (example.evidence, example.claim)))
            * (not silent)
            for example, score, verdict, silent in zip(examples, lexical, verdicts, quiet, strict=True)
        ]
        line += f"  lexical {area(gold, lexical):.3f}  both {area(gold, both):.3f}"
    print(line, flush=True)


def main() -> None:
    """Read the options and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("side", choices=("development", "held"))
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--limit", type=int, default=1500, help="pairs of a source at most, evenly spaced")
    options = parser.parse_args()
    groups: dict[str, list[Example]] = defaultdict(list)
    for file in options.pairs:
        some = split(licensed(file))[1] if options.side == "development" else read_examples(file)
        for example in some:
            trained = "train" in file.name and example.source not in UNLICENSED
            if options.side == "development" or not trained:
                groups[group_of(example.source)].append(example)
    model = EntailmentModel(options.model, threads=1)
    ranks = packaged_ranks() if options.both else None
    means = []
    for name, examples in sorted(groups.items()):
        chosen = examples[:: -(-len(examples) // options.limit)]
        verdicts = model.judge([(example.evidence, example.claim) for example in chosen])
        report(name, chosen, verdicts, ranks)
        if all(example.label in CLASSES for example in chosen):
            means.append(three_way(chosen, verdicts))
    print(f"mean of the three-way areas: {np.nanmean(means):.3f}")


if __name__ == "__main__":
    main()
