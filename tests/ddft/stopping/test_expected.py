"""What share of its dialogues a rule is expected to take."""

import dataclasses
from functools import cache

import numpy as np
import pytest

from voirdire.ddft.analysis.planning.material import PowerError
from voirdire.ddft.analysis.planning.sources import assumed_source, parse_assumption, published_source, simulate
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.stopping import StopRule, drawn_order
from voirdire.ddft.stopping.expected import expected_share
from voirdire.ddft.stopping.interim import analysis_at, first_analysis_size, size_after
from voirdire.ddft.study import StudyPlan

ASSUMED = "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5"


@cache
def plan():
    preset = changed_preset(load_preset("sound"), packs=["all"])
    return StudyPlan(("simulated/steady",), tuple(find_concepts(preset.concepts)), preset)


@cache
def source(text=ASSUMED):
    return assumed_source(text, plan().preset.levels)


def share(width, **changes):
    return expected_share(dataclasses.replace(plan(), **changes), StopRule("ER", width), source())


def run_to_its_end(frame, rule, seed):
    """Dialogues at which a rule ends a study of one model, as a run would make its interim analyses."""
    concepts, levels = frame["concept"].nunique(), frame["level"].nunique()
    order = drawn_order(concepts, levels, 1, seed=seed)
    place = {cell[:2]: number for number, cell in enumerate(order)}
    at = zip(frame["concept"].astype(int), (frame["level"] * (levels - 1)).astype(int), strict=True)
    frame = frame.assign(drawn=[place[cell] for cell in at])
    first = size = first_analysis_size(rule, levels, len(order))
    while True:
        seen = cells(read_answers(checked(frame[frame["drawn"] < size])))
        analysis = analysis_at(seen, rule, size, first)
        if analysis.half_width <= rule.half_width or size == len(order):
            return size
        size = size_after(analysis, rule, levels, len(order))


def test_the_formula_agrees_with_simulated_runs():
    subject, rule = parse_assumption(ASSUMED).subject, StopRule("ER", 0.06)
    rng = np.random.default_rng(4)
    ends = [
        run_to_its_end(simulate([subject], concepts=41, levels=plan().preset.levels, rng=rng).scores, rule, seed)
        for seed in range(25)
    ]
    assert share(0.06).share == pytest.approx(np.mean(ends) / 205, abs=0.06)


def test_narrower_intervals_take_more_and_the_narrowest_all():
    shares = [share(width).share for width in (0.1, 0.06, 0.045, 0.001)]
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert shares[-1] == 1
    assert (share(0.1).narrow, share(0.001).narrow) == (1, 0)


def test_concepts_that_differ_more_take_more_dialogues():
    uneven = expected_share(plan(), StopRule("ER", 0.05), source(ASSUMED.replace("sd=0.5", "sd=1.2")))
    assert uneven.share > 1.3 * share(0.05).share


def test_a_small_grid_is_held_as_a_whole():
    small = share(0.02, concepts=plan().concepts[:8])
    assert (small.share, small.dialogues, small.narrow) == (1, 40, 0)


def test_the_published_scores_give_a_share_for_what_they_hold_and_say_why_not_for_er():
    found = expected_share(plan(), StopRule("K", 0.05), published_source())
    assert len(found.models) == 9
    assert 30 / 205 <= found.share < 0.6
    assert found.as_dict()["models"][0].keys() == {"model", "dialogues", "narrow"}
    with pytest.raises(PowerError, match="ER has no value"):
        expected_share(plan(), StopRule("ER", 0.05), published_source())
