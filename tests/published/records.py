"""Where the published records lie, which are not ours to pack."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NAMED = os.environ.get("VOIRDIRE_SHARED")
_PLACES = (Path(_NAMED),) if _NAMED else (ROOT.parent / "shared", ROOT / "published-records")


def _found(name: str) -> Path:
    return next((place / name for place in _PLACES if (place / name).exists()), _PLACES[-1] / name)


TURNS = _found("data/ddft_published/turns.jsonl.gz")
"""The 1,800 turns of the DDFT paper."""
DEV = _found("data/cognibench_dev")
"""The half of CogniBench's release that detectors may be developed on."""
INTEGRITY = _found("data/integrity")
"""360 scored trials, what they give computed elsewhere, and the guide's cases."""
GUIDE = _found("seeds/004_afdc8031b59b08e3.txt")
"""The guide to integrity scores."""
FRANK = _found("data/judge_pairs/frank/frank.csv")
"""Human factuality and automatic metrics of the summaries of FRANK."""

ALPACAEVAL = _found("data/evals/alpacaeval")
"""AlpacaEval 2: the annotations of 32 models, and what was printed of them."""
EVALS = _found("data/evals")
"""Result files of other people's evaluations."""
ENTAILMENT = _found("data/entailment")
"""Pairs of sentences, which the suite of planted defects asks about."""

RECORDS = {
    "evaluation": (ALPACAEVAL,),
    "ddft": (TURNS,),
    "cognibench": (DEV,),
    "integrity": (INTEGRITY, GUIDE),
    "judge_pairs": (FRANK,),
    "planted": (EVALS, ENTAILMENT),
}
"""What the tests in each folder beside this file read."""


def lacking() -> list[str]:
    """The folders of tests whose records are not on this machine."""
    return [name for name, needed in RECORDS.items() if not all(path.exists() for path in needed)]
