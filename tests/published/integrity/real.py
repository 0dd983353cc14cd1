"""The 360 published trials, their study, and what the study gives, computed elsewhere."""

import json
from functools import cache

from tests.published.records import INTEGRITY
from voirdire.integrity.trials import read_trials
from voirdire.papers.integrity.study import study

TRIALS = INTEGRITY / "integrity_trials.json.gz"


@cache
def real_trials():
    return read_trials(TRIALS)


@cache
def real_study():
    return study(real_trials())


@cache
def expected_stats():
    return json.loads((INTEGRITY / "expected_stats.json").read_text(encoding="utf-8"))
