"""The packaged table is what its maker makes of the release."""

import pandas as pd
from scripts.make_published_table import published_table

from tests.support.study import write_study
from voirdire.ddft.published import JUDGES, published_scores, published_turns, published_verdicts


def test_the_packaged_table_is_made_of_a_study_whose_texts_have_its_figures(tmp_path):
    made = published_table(write_study(tmp_path / "turns.jsonl"))
    packaged = published_turns()

    made["giveaway"] = made["giveaway"].replace("", None)
    packaged["giveaway"] = packaged["giveaway"].where(packaged["giveaway"].notna(), None)
    pd.testing.assert_frame_equal(made.astype(packaged.dtypes.to_dict()), packaged)


def test_the_scores_name_the_one_turn_without_a_consensus():
    scores = published_scores()

    lacking = scores[scores["unscored"].notna()]
    assert len(scores) == 1800
    assert lacking[["model", "concept", "level", "turn"]].values.tolist() == [["o3", "harm-principle", 0.75, 4]]


def test_the_verdicts_are_those_of_three_judges_on_every_turn():
    verdicts = published_verdicts()

    assert verdicts.groupby("judge").size().to_dict() == dict.fromkeys(JUDGES, 1800)
    assert verdicts["far"].isna().sum() == 3


def test_what_is_changed_in_a_table_does_not_stay_in_the_package():
    turns = published_turns()
    turns["far"] = 0.0

    assert published_turns()["far"].mean() > 0.8
