"""The table of metrics holds what profiles say, and what must be said beside it."""

from types import SimpleNamespace

from tests.ddft._scores import refusing, simulated
from voirdire.ddft.metric_table import COLUMNS, metric_table
from voirdire.ddft.profile import profiles
from voirdire.ddft.validity import Check


def table(*scores, failed=(), banner=None, stopped=None, passed=()):
    found = [profile for each in scores for profile in profiles(each, draws=10)]
    return metric_table(
        SimpleNamespace(
            profiles=found,
            failed_checks=list(failed),
            banner=banner,
            stopped=stopped,
            checks=[
                Check(id, status, None, None, ()) for ids, status in ((failed, "fail"), (passed, "pass")) for id in ids
            ],
            finished=True,
            jury="judges",
            manifest={},
            unjudged=(),
            unvarying_judges=(),
            any_score=True,
        )
    )


def row(frame, metric):
    return frame.set_index("metric").loc[metric]


def test_every_metric_has_its_row_with_value_interval_and_n():
    (profile,) = profiles(simulated(4), draws=10)
    frame = table(simulated(4))
    assert tuple(frame.columns) == COLUMNS
    assert list(frame["metric"]) == list(profile.metrics)
    er = row(frame, "ER")
    assert (er["value"], er["low"], er["high"]) == (profile.er, *profile.er_interval[:2])
    assert er["n"] == profile.metrics["ER"].n
    assert frame["reason"].isna().equals(frame["low"].notna())


def test_what_is_missing_has_its_reason_and_no_number():
    frame = table(refusing(concepts="abcd"))
    k = row(frame, "K")
    assert k[["value", "low", "high"]].isna().all() and k["n"] == 0
    assert "no answer at turns 1 to 3 makes a claim" in k["reason"]
    assert row(table(simulated(2)), "K")["reason"] == "fewer than three concepts were asked about"


def test_cautions_stand_beside_the_metrics_that_they_concern():
    frame = table(refusing(concepts="abcd"))
    assert "claim nothing" in row(frame, "danger_zone_pct")["cautions"]
    assert "is not reliable here" in row(frame, "CI_raw")["cautions"]
    assert "is not reliable here" not in row(frame, "danger_zone_pct")["cautions"]
    sound = table(simulated(4))
    assert row(sound, "K")[["cautions"]].isna().all()


def test_what_holds_for_the_whole_run_stands_beside_every_metric():
    frame = table(simulated(4), failed=("self_judging",), banner="Weak judges.", stopped="4 of 5 dialogues held.")
    said = (
        "Weak judges. Not complete: 4 of 5 dialogues held. Do not rely on the figures, because the test was not sound: "
        "models were judged by themselves or their own kin. It fails self_judging."
    )
    assert frame["cautions"].str.startswith(said).all()


def test_a_test_whose_levels_alone_do_nothing_is_not_called_unsound():
    frame = table(simulated(4), failed=("compression_effect",), passed=("context_delivered",))
    said = "The test was sound but for compression (taking the reference away made no difference that can be told): "
    assert frame["cautions"].str.startswith(said).all()


def test_a_run_without_a_score_has_a_table_without_rows():
    frame = metric_table(None)
    assert tuple(frame.columns) == COLUMNS and frame.empty
