"""Contradictions shown to a language model one statement at a time, beside the lexical detectors.

    python -m benchmarks.accuracy.local_labeller DATA [--model local/qwen2.5-coder-1.5b] [--limit 6] [--folder RUN]

A whole answer takes a small local model most of a minute, so that the suite as `voirdire cognibench bench` runs it (a
changed statement within its answer) would take hours. Here a statement stands alone under its context.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

from voirdire.cognibench.contradictions import perturb
from voirdire.cognibench.formats import read_answers
from voirdire.detectors import DetectorOptions, Exchange, Passage, open_detector

NEEDS = "labelled answers and local weights"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("data", type=Path)
    asked.add_argument("--model", default="local/qwen2.5-coder-1.5b")
    asked.add_argument("--limit", type=int, default=6, help="statements of a kind")
    asked.add_argument("--folder", type=Path, default=None, help="keeps the calls")
    given = asked.parse_args()
    answers = {answer.id: answer for answer in read_answers(given.data) if answer.labelled}
    changed = perturb(list(answers.values()), limit=given.limit)

    def alone(identity: str, text: str) -> Passage:
        answer = answers[identity]
        return Passage(answer.context, (text,), (Exchange(answer.question, text),))

    controls = list(dict.fromkeys((each.answer, each.original) for each in changed))
    passages = [*(alone(each.answer, each.text) for each in changed), *(alone(*each) for each in controls)]
    for name in (f"llm:{given.model}", "lexical", "lexical-learned"):
        detector = open_detector(name, DetectorOptions(folder=given.folder))
        started = time.perf_counter()
        flagged = [scores[0] >= detector.threshold for scores in detector.flag_many(passages)]
        seconds = time.perf_counter() - started
        rates: dict[str, list[bool]] = defaultdict(list)
        for each, hit in zip(changed, flagged, strict=False):
            rates[each.kind].append(hit)
        rates["untouched"] = flagged[len(changed) :]
        print(f"{name}: {seconds / len(passages):.2f} s a statement")
        for kind, hits in rates.items():
            print(f"  {kind:12s} {sum(hits):3d} of {len(hits)}")


if __name__ == "__main__":
    main()
