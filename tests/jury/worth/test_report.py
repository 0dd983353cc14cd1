"""What the page says of a judge: the conclusion first, then the metric before and after, the curve, and the quotes."""

import re
from dataclasses import replace

import numpy as np
import pytest

from voirdire.documents.cells import number_ends
from voirdire.documents.document import Chart, Figures, Readings, Table, Text
from voirdire.jury.worth import WorthSettings, judge_worth
from voirdire.jury.worth.planning import Batch, first_batch
from voirdire.jury.worth.records import ModelDifference, WorthEstimate
from voirdire.jury.worth.report import conclusion_of, headline, plan_document, worth_document
from voirdire.reason_codes import reason
from voirdire.reports.formats.terminal import to_terminal
from voirdire.stats import Interval

NAN = float("nan")


def lenient(**options):
    """Yes to all that people call right, and to every third that they call wrong; 60 of 200 are rated."""
    right = np.array([place % 5 < 3 for place in range(200)])
    people = np.where(np.arange(200) < 60, right.astype(float), NAN)
    verdicts = (right | (np.arange(200) % 3 == 0)).astype(float)
    texts = [(f"Claim {place}.", "It is in the source.", "It is not." if place < 60 else "") for place in range(200)]
    models = ["alpha" if place % 2 else "beta" for place in range(200)]
    return judge_worth("lenient", verdicts, people, models=models, texts=texts, **options)


def blocks(worth, kind, *, whole=True):
    return [
        block
        for part in worth_document([worth], whole=whole).sections
        for block in part.blocks
        if isinstance(block, kind)
    ]


def test_the_first_sentence_concludes():
    for whole in (True, False):
        first = blocks(lenient(), Text, whole=whole)[0]
        assert first.text.startswith("Correct it: lenient follows people's ratings")


def test_what_may_not_follow_people_is_not_said_to():
    people = (np.arange(26) % 2).astype(float)
    verdicts = np.where(np.isin(np.arange(26), (0, 3, 4, 7, 8, 11, 12, 15)), 1 - people, people)
    worth = judge_worth("j", [*verdicts, 1.0], [*people, NAN])
    assert worth.conclusion == "undecided" and worth.correlation.interval.low < 0 < worth.correlation.value
    first = blocks(worth, Text)[0].text
    assert first.startswith(
        "Too early to tell how good j's verdicts are: 26 ratings are too few to tell whether it follows people's "
        "ratings (correlation 0.38, -0.0"
    )
    assert "Correct it" not in first and re.search(
        r"some \d+ ratings would show that it does, if the correlation stays there, but 27 verdicts are too few for "
        r"that\.$",
        first,
    )


def test_what_further_ratings_would_show_is_said_in_words():
    shows = reason("worth_would_not", useful=0.6)
    why = reason("worth_wide", ratings=20, value=0.2, low=-0.1, high=0.5, needed=60, shows=shows)
    assert str(why).endswith(
        "some 60 ratings would show that it does so too loosely (correlation below 0.6) to save a quarter of the "
        "ratings, if the correlation stays there"
    )


def test_a_share_stands_beside_its_counts_and_is_rounded_as_by_hand():
    people = [1.0] * 23 + [0.0] * 17
    verdicts = [1.0] * 18 + [0.0] * 5 + [1.0] * 8 + [0.0] * 9
    weights = [1.0, 3.0] * 20
    (table, *_) = blocks(judge_worth("j", [*verdicts, 1.0], [*people, NAN]), Table)
    shown = {row["agreement"].shown: (row["value"].shown, row["items"].shown) for row in table.rows}
    assert shown["says the same"] == ("0.68", "27 of 40")
    assert [of for name, (_, of) in shown.items() if name.startswith("s") and ":" in name] == ["18 of 23", "9 of 17"]
    weighted = judge_worth("j", [*verdicts, 1.0], [*people, NAN], weights=[*weights, 1.0])
    (table, *_) = blocks(weighted, Table)
    assert {row["items"].shown for row in table.rows if row["agreement"].shown == "says the same"} == {"40"}


def test_every_figure_is_rounded_as_by_hand():
    people = [1.0] * 5 + [0.0] * 3
    flags = judge_worth("flagged", [0.0] * 8 + [1.0], [*people, NAN])
    said = [each.text for each in blocks(replace(flags, one_detector=True), Text)]
    assert "Of 8 flagged items that people rated, 3 are rightly flagged: 38 % (" in " ".join(said)
    assert number_ends(Interval(0.125, 0.625, 0.95, "")) == "0.13 to 0.63"
    plan = replace(first_batch(np.linspace(0, 1, 50)), reaches={"people": 0.125})
    assert "± 0.13" in to_terminal(plan_document(plan, None))
    assert "(correlation 0.13)" in headline(replace(of_sixty(30), correlation=WorthEstimate(0.125, None, 30)))


def of_sixty(rated):
    """A judge that is right on seven of eight, of whose 60 verdicts people rated so many."""
    people = np.array([place % 4 < 3 for place in range(60)], dtype=float)
    verdicts = np.where(np.arange(60) % 8 == 1, 1 - people, people)
    return judge_worth("j", verdicts, np.where(np.arange(60) < rated, people, NAN))


def test_the_sentence_on_what_is_saved_speaks_of_the_figure_that_the_table_has():
    nearly_all, some = of_sixty(56), of_sixty(30)
    assert (nearly_all.chosen, nearly_all.saves) == ("people", 0)
    assert headline(nearly_all).startswith("Report people's ratings: correcting j does not narrow their interval. It")
    assert (some.chosen, some.saves > 0) == ("powered", True)
    assert headline(some).endswith(f"narrow the interval as much as {some.saves} more human ratings would.")
    assert "its mean may be up to 0.27 too low or 0.01 too high" in headline(some)
    of_models = replace(some, chosen="people", saves=0, models=(object(),))
    assert headline(of_models).endswith(
        "the corrected figure of all models together is that of people's ratings alone; each model has its own."
    )
    key = blocks(nearly_all, Text)[-1].text
    assert "people's: their own figure, since the judge predicts nothing or correcting does not narrow" in key


def test_where_peoples_ratings_are_to_be_reported_the_figure_beside_that_is_theirs():
    nearly_all = of_sixty(56)
    assert nearly_all.powered.value != nearly_all.people.value == 42 / 56
    short = worth_document([nearly_all]).sections[0].blocks
    (table,) = (each for each in short if isinstance(each, Table))
    assert table.rows[0]["conclusion"].shown == "Report people's"
    assert table.rows[0]["the metric to report"].shown == "0.75, people's"
    (figures,) = blocks(nearly_all, Figures)
    shown = {each.label: each.shown for each in figures.items}
    assert shown["the metric, by people"] == "0.75" and "the metric, corrected" not in shown
    assert shown["its verdicts save"] == "0"


def test_where_correcting_does_not_narrow_peoples_interval_their_ratings_are_to_be_reported():
    worth = replace(lenient(), models=(), chosen="people", saves=0)
    assert headline(worth).startswith(
        "Report people's ratings: correcting lenient does not narrow their interval. "
        "It follows people's ratings (correlation"
    )
    assert "Correct it" not in " ".join(each.text for each in blocks(worth, Text))
    assert conclusion_of(worth)[0] == "Report people's"


def test_what_is_left_is_not_called_worthless_but_told_with_what_its_interval_rules_out():
    people = (np.arange(41) % 2).astype(float)
    verdicts = np.where(np.arange(41) // 2 % 10 < 6, people, 1 - people)
    worth = judge_worth("j", verdicts, [*people[:40], NAN])
    assert worth.conclusion == "leave"
    first = blocks(worth, Text)[0].text
    assert re.match(
        r"Leave it: j helps too little here, as nothing shows that it follows people's ratings "
        r"\(correlation 0\.20, -0\.\d\d to 0\.5\d\), and the interval rules out 0\.6 or more, which would save a "
        r"quarter of the ratings\. Report people's ratings alone\.$",
        first,
    )


def test_a_judge_that_follows_people_by_one_bound_only_is_told_from_one_that_does_by_none():
    people = (np.arange(81) % 2).astype(float)
    verdicts = np.where(np.isin(np.arange(81) % 20, (0, 1, 4, 5, 8, 11, 13, 14)), 1 - people, people)
    worth = judge_worth("j", verdicts, [*people[:80], NAN])
    assert (worth.conclusion, worth.correlation.interval.low < 0) == ("undecided", True)
    assert re.search(
        r"the correlation with people's ratings is above 0 by a one-sided bound, but its two-sided interval still "
        r"holds 0 \(0\.20, -0\.\d\d to 0\.\d\d\); some \d+ ratings would lift it above 0, if the correlation stays "
        r"there, but 81 verdicts are too few for that\.$",
        headline(worth),
    )


def test_the_two_readings_of_a_detector_keep_their_order_whatever_is_concluded_and_are_told_when_to_read_which():
    useless = judge_worth("", [1.0, 0.0] * 30, [1.0] * 20 + [0.0] * 20 + [NAN] * 20)
    for first, second in ((useless, lenient()), (lenient(), useless)):
        judges = [replace(first, judge="flagged", one_detector=True), replace(second, judge="score", one_detector=True)]
        said = [each.text for part in worth_document(judges).sections for each in part.blocks if isinstance(each, Text)]
        assert "flagged" in said[0] and "score" in said[1]
        (line,) = (each for each in said if "two readings" in each)
        assert line == (
            "flagged and score are two readings of one detector: read flagged if you act on its flags, as a list to "
            "check or a limit does, and score if you sort or average by its scores."
        )


def test_what_both_said_is_counted():
    worth = lenient()
    assert worth.crossed == (36, 8, 0, 16)
    (table,) = (block for block in blocks(worth, Table) if block.id == "judge-1-crossed")
    shown = [[cell.shown for cell in row.values()] for row in table.rows]
    assert shown == [["judge says 1", "36", "8"], ["judge says 0", "0", "16"]]


def test_sensitivity_and_specificity_are_defined_where_they_stand():
    def names(worth):
        (table,) = (block for block in blocks(worth, Table) if block.id == "judge-1-agreement")
        return [name for row in table.rows if (name := next(iter(row.values())).shown).startswith("s") and ":" in name]

    assert names(lenient()) == [
        "sensitivity: of what people call good (1), it passes",
        "specificity: of what people call bad (0), it rejects",
    ]
    assert names(replace(lenient(), first="alpha")) == [
        "sensitivity: where people prefer alpha (1), it does too",
        "specificity: where people don't prefer alpha (0), neither does it",
    ]


def test_the_metric_of_all_and_of_each_model_stands_before_and_after_correction_with_intervals():
    worth = lenient()
    assert worth.raw_interval.low < worth.raw < worth.raw_interval.high
    for each in worth.models:
        assert each.judge_interval.low < each.judge < each.judge_interval.high
    (chart,) = (block for block in blocks(worth, Chart) if block.id == "judge-1-before-after")
    rows = chart.panels[0].spec["data"]["values"]
    assert [(row["x"], row["type"]) for row in rows] == [
        (name, series) for name in ("all", "alpha", "beta") for series in ("judge alone", "corrected")
    ]
    assert all(row["low"] < row["value"] < row["high"] for row in rows)
    assert [row["value"] for row in rows[:2]] == [pytest.approx(worth.raw), pytest.approx(worth.best.value)]


def test_the_corrected_figure_follows_from_its_row_and_the_weight_there():
    worth = lenient()
    (metric,) = (table for table in blocks(worth, Table, whole=False) if table.id == "judge-1-metric")
    whole, rated = ({name: cell.value for name, cell in row.items()} for row in metric.rows[:2])
    assert whole["corrected"] == pytest.approx(
        whole["people"] + whole["weight"] * (whole["judge"] - rated["judge"]), abs=1e-9
    )
    assert whole["weight"] == worth.as_dict()["metric"]["weight"] != 0
    assert "people's mean, plus the weight times the difference between the judge's mean of all items and its" in (
        blocks(worth, Text)[-1].text
    )


def test_a_row_whose_corrected_figure_is_peoples_own_says_so():
    useless = [float(place * 7 % 10 < 5) for place in range(200)]
    people = [float(place % 5 < 3) if place < 60 else NAN for place in range(200)]
    worth = judge_worth("j", useless, people, models=["alpha" if place % 2 else "beta" for place in range(200)])
    assert worth.used == 0 and {each.weight for each in (*worth.models, *worth.differences)} == {0.0}
    tables = {table.id: table for table in blocks(worth, Table, whole=False)}
    shown = [
        row["corrected"].shown for name in ("metric", "models", "differences") for row in tables[f"judge-1-{name}"].rows
    ]
    assert all(", people's" in each for each in shown if each and "Rogan" not in each) and len(shown) > 4
    assert tables["corrected"].rows[0]["the metric to report"].shown == "0.60, people's"


def test_the_chart_says_whose_the_figure_after_is_and_that_the_judges_own_interval_leaves_its_errors_out():
    for worth in (lenient(), replace(lenient(), chosen="people")):
        (chart,) = (block for block in blocks(worth, Chart) if block.id == "judge-1-before-after")
        rows = chart.panels[0].spec["data"]["values"]
        shown = {row["x"]: row["type"] for row in rows if row["type"] != "judge alone"}
        assert shown == {"all": "corrected" if worth.chosen == "powered" else "people's"} | {
            name: "corrected" for name in ("alpha", "beta")
        }
        assert chart.caption.endswith("leaves its errors out, so it may miss the truth.")


def test_a_judge_on_another_scale_has_no_before():
    scores = np.tile([2.0, 7.0, 9.0, 3.0, 8.0], 20)
    worth = judge_worth("metric", scores, [*([1, 3, 5, 2, 4] * 8), *[NAN] * 60], settings=WorthSettings(low=1, high=5))
    assert worth.raw is None and worth.raw_interval is None
    assert not [block for block in blocks(worth, Chart) if block.id == "judge-1-before-after"]


def test_quotes_of_judge_and_people_stand_side_by_side_and_open():
    (readings,) = blocks(lenient(), Readings)
    assert readings.beside and readings.opened
    sides = [(each.heading, each.answer[0].text) for each in readings.readings[0].exchanges]
    assert sides[0][0] == "what was judged" and sides[0][1].startswith("Claim ")
    assert sides[1:] == [("lenient says 1", "It is in the source."), ("people say 0", "It is not.")]
    assert readings.readings[0].summary == "too lenient"
    silent = judge_worth("silent", [1.0] * 20 + [0.0] * 20, [1.0] * 18 + [0.0] * 22)
    (readings,) = blocks(silent, Readings)
    sides = [(each.heading, each.answer[0].text) for each in readings.readings[0].exchanges]
    assert sides == [("silent says 1, people say 0", "Neither gives a reason.")], "once, not on either side"


def test_a_quote_stands_beside_its_question_and_what_it_was_judged_by():
    beside = [{"question": f"Is {n} <b>even</b>?", "whole_answer": "No."} for n in range(40)]
    found = judge_worth("silent", [1.0] * 20 + [0.0] * 20, [1.0] * 18 + [0.0] * 22, beside=beside)
    (readings,) = blocks(found, Readings)
    assert readings.readings[0].context == "Question: Is 18 <b>even</b>?\n\nWhole answer: No."


def test_the_points_of_the_curve_stand_where_the_judges_scores_are():
    (chart,) = (block for block in blocks(lenient(), Chart) if block.id == "judge-1-curve")
    drawn = chart.panels[0].spec["data"]["values"]
    assert [row["at"] for row in drawn] == [row["x"] for row in drawn] == [0, 1, 0, 1]


def test_the_terminal_shows_neither_curve_nor_quotes():
    assert not blocks(lenient(), Chart, whole=False) and not blocks(lenient(), Readings, whole=False)


def test_where_everything_is_rated_peoples_ratings_are_the_result_and_no_savings_are_promised():
    people = np.tile([1.0, 0.0, 1.0], 20)
    worth = judge_worth("j", np.where(np.arange(60) % 10 == 0, 1 - people, people), people)
    assert worth.complete and worth.conclusion == "correct" and worth.best == worth.people
    first = blocks(worth, Text)[0].text
    assert first.startswith(
        "Report people's ratings: they cover everything that j judged. Beyond these items, correct it: j follows "
        "people's ratings"
    )
    (figures,) = blocks(worth, Figures)
    assert [each.label for each in figures.items] == ["human ratings", "the metric, by people"]
    row = worth_document([worth, worth]).sections[2].blocks[0].rows[0]
    assert row["conclusion"].shown == "Report people's (beyond: correct it)"
    assert row["saves, ratings"].shown == "–", "nothing is left to save"


def test_a_useless_judge_is_told_from_a_good_one_where_everything_is_rated():
    people = np.tile([1.0, 0.0, 1.0], 20)
    judges = [judge_worth("good", people, people), judge_worth("coin", np.tile([1.0, 0.0], 30), people)]
    good, coin = (each.text for each in worth_document(judges).sections[0].blocks[:2])
    assert " Beyond these items, trust it: good follows people's ratings" in good
    assert " Beyond these items, leave it: coin helps too little" in coin


def test_the_minutes_of_a_plan_are_the_same_in_its_sentence_and_its_table():
    document = plan_document(first_batch(np.linspace(0, 1, 2), batch=Batch(ratings=1, seconds=10)), None)
    printed = " ".join(to_terminal(document).split())
    assert "Rate 1 item, about 1 minute:" in printed and " minutes 1 10 s each" in printed


@pytest.mark.parametrize("is_decided", [False, True])
def test_a_plan_says_to_settle_disputes_first_and_to_rate_after_that(is_decided):
    plan = replace(first_batch(np.linspace(0, 1, 50)), disputed=8, is_decided=is_decided)
    (first, *_) = (block for part in plan_document(plan, None).sections for block in part.blocks)
    assert first.text.startswith("First have an adjudicator decide the 8 items in dispute, then plan again")
    assert ("; by what is settled now, 40 more items are to be rated, about 30 minutes" in first.text) != is_decided
    assert "Stop here" not in first.text and first.tone == "strong"


def test_a_plan_for_several_judges_says_whose_decision_is_open():
    plan = replace(first_batch(np.linspace(0, 1, 50)), open_judges=("j", "k"))
    (first, *_) = (block for part in plan_document(plan, None).sections for block in part.blocks)
    assert first.text.startswith("Rate 40 items, about 30 minutes, for j and k: ")


def test_a_plan_that_says_to_stop_names_cautions_next():
    caution = reason("worth_not_all_rated", items=2)
    plan = replace(first_batch(np.linspace(0, 1, 50)), is_decided=True, more=0, cautions=(caution,))
    first, second, *_ = (block for part in plan_document(plan, None).sections for block in part.blocks)
    assert first.text.startswith("Stop here") and first.tone == "strong", "no good news"
    assert caution.sentence in second.text


def test_a_difference_of_too_few_ratings_is_not_called_decided():
    apart = ModelDifference(
        first="a", second="b", judge=0.5, value=0.5, interval=Interval(0.3, 0.7, 0.95, ""), n=(10, 10), weight=1
    )
    for n, decided in (((10, 10), "no"), ((30, 30), "a")):
        (table,) = (
            each
            for each in blocks(replace(lenient(), differences=(replace(apart, n=n),)), Table)
            if each.id.endswith("differences")
        )
        assert table.rows[0]["decided"].shown == decided
        assert ("° Fewer than 30 ratings" in table.caption) == (decided == "no")


def test_where_nothing_is_to_be_rated_a_plan_has_no_minutes_and_no_interval_to_come():
    plan = replace(first_batch(np.linspace(0, 1, 50)), is_decided=True, more=0, reaches={"now": 0.16, "then": 0.16})
    (table,) = (block for part in plan_document(plan, None).sections for block in part.blocks if hasattr(block, "rows"))
    assert [row["plan"].shown for row in table.rows] == ["rated so far", "to rate next", "interval now"]


def test_what_must_be_known_of_a_judge_is_said_once():
    people = np.where(np.arange(40) < 20, np.arange(40) % 2, NAN)
    few = judge_worth("j", 1 - np.arange(40) % 2, people)
    assert few.conclusion == "opposite"
    other = replace(few, judge="k", cautions=())
    for judges in ([few], [few, few]):
        assert to_terminal(worth_document(judges)).count("20 ratings are few") == 1
    assert to_terminal(worth_document([few, other])).count("20 ratings are few") == 2, "once of all, once of whose"
