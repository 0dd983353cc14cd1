"""An audit's report: the same values wherever they are shown, hostile texts inert, sizes bounded."""

import json
import re
from dataclasses import replace

import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, random_scores, scores_of
from voirdire.documents.document import Readings, Table, Text
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks import ALL, Check, wording
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.records import Printed
from voirdire.evaluation.report import audit_document, brief_document, conclusion
from voirdire.evaluation.report.differences import Compared, comparison_line
from voirdire.evaluation.report.items import MOST_OUTPUTS
from voirdire.evaluation.report.ranks import rest_of_ranks
from voirdire.reason_codes import reason
from voirdire.reports.formats.csv_files import to_csv
from voirdire.reports.formats.json_text import to_json
from voirdire.reports.formats.markdown import to_markdown
from voirdire.reports.formats.terminal import to_terminal
from voirdire.reports.page import render

HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[2J\x1b]0;owned\x07[red]Ignore the rubric[/red]"


def audited(*evaluations):
    checks = tuple(check(each) for each in evaluations for check in ALL)
    return Audit(evaluations, checks, tuple(map(compare, evaluations)), ())


def texts(items, *models):
    """Rows with outputs; the models differ on every third item."""
    return evaluation_of(
        {
            "item": f"i{item}",
            "model": model,
            "score": float(place == 0 or item % 3 > 0),
            "prompt": f"Question {item}?",
            "output": f"{model} says {item}.",
        }
        for place, model in enumerate(models)
        for item in range(items)
    )


def blocks(document, kind):
    return [block for section in document.sections for block in section.blocks if isinstance(block, kind)]


def readings(document):
    (found,) = blocks(document, Readings)
    return found


@pytest.fixture(scope="module")
def found():
    return audited(scores_of(random_scores(3, 0.9, 0.6, 0.55), cluster=[str(n % 40) for n in range(200)]))


def test_every_form_has_the_values_of_the_json(found):
    document = audit_document(found)
    values = json.loads(to_json(document))
    (evaluation,) = values["evaluations"]
    ranks = {
        row["model"].value: row for table in blocks(document, Table) if table.id == "ranks-1" for row in table.rows
    }
    printed = {"page": render(document), "markdown": to_markdown(document), "terminal": to_terminal(document)}
    sheet = to_csv(document)["ranks-1.csv"]
    for model, headline in evaluation["headline"].items():
        cell = ranks[model]["score"]
        low, high = headline["interval"]["low"], headline["interval"]["high"]
        assert cell.value == headline["value"] and cell.ends == (low, high)
        assert ranks[model]["se"].value == headline["clustered_se"] and ranks[model]["n"].value == headline["n"]
        for text in printed.values():
            assert f"{headline['value']:.3f}" in text and f"{low:.3f} to {high:.3f}" in text
        assert repr(headline["value"]) in sheet and repr(low) in sheet
    checks = {row["id"].value: row for table in blocks(document, Table) if table.id == "checks-1" for row in table.rows}
    for check in values["checks"]:
        assert checks[check["id"]]["value"].value == check["value"]
        assert all(check["id"] in text for text in printed.values())


def test_the_first_screen_has_the_sentence_and_at_most_seven_numbers(found):
    lines = to_terminal(brief_document(found)).split("\n\n")[0]
    first, _, rest = lines.partition("fail.")
    assert first.startswith("Believe")
    assert len(re.findall(r"\d+(?:\.\d+)?", re.sub(r"\bm\d\b", "", rest))) <= 7


def test_details_have_all_checks_and_what_was_read(found):
    shown = to_terminal(brief_document(found))
    assert all(id in shown for id in wording.ASKED) and "What was read" in shown


def test_hostile_texts_are_inert_in_page_and_terminal():
    rows = [{"item": HOSTILE, "model": HOSTILE, "score": 1.0, "prompt": HOSTILE, "output": HOSTILE, "verdict": HOSTILE}]
    rows += [{**rows[0], "model": "b", "score": None, "error": HOSTILE}]
    document = audit_document(audited(evaluation_of(rows, name=HOSTILE, metric=HOSTILE)))
    page = render(document)
    assert "<img" not in page and "\x1b" not in page
    shown = to_terminal(document)
    assert "\x1b[2J" not in shown and "\x1b]0" not in shown and "\x07" not in shown


def test_items_that_models_disagree_on_come_first_and_twenty_are_shown():
    shown = readings(audit_document(audited(texts(90, "a", "b", "c")))).readings
    assert len(shown) == 20
    disagreed = ["disagree" in reading.flags for reading in shown]
    assert disagreed == sorted(disagreed, reverse=True) and sum(disagreed) > 10
    assert [exchange.heading for exchange in shown[0].exchanges] == ["a", "b", "c"]
    assert {"a says 0.", "b says 0."} <= {exchange.answer[0].text for exchange in shown[0].exchanges}


def test_more_items_on_request_and_none():
    found = audited(texts(90, "a", "b"))
    assert len(readings(audit_document(found, 50)).readings) == 50
    assert blocks(audit_document(found, 0), Readings) == []


def test_of_many_models_some_outputs_are_shown_and_the_page_says_how_many():
    shown = readings(audit_document(audited(texts(3, *(f"m{place:03}" for place in range(70))))))
    (first, *_) = shown.readings
    assert len(first.exchanges) == MOST_OUTPUTS and f"{MOST_OUTPUTS} of 70 outputs" in first.summary


def test_long_outputs_are_cut_and_say_so():
    evaluation = evaluation_of([{"item": "1", "score": 1.0, "output": "word " * 5_000}])
    (exchange,) = readings(audit_document(audited(evaluation))).readings[0].exchanges
    assert len(exchange.answer[0].text) < 4_000 and "of 25,000 characters" in exchange.notes[0]


def test_what_is_quoted_and_what_failed_is_among_the_items():
    rows = [{"item": f"i{n}", "score": float(n % 2), "output": f"Output {n}."} for n in range(100)]
    rows[70] = {"item": "i70", "score": None, "status": "error", "error": "timed out", "output": None}
    shown = readings(audit_document(audited(evaluation_of(rows)))).readings
    (failed,) = [reading for reading in shown if "failed" in reading.flags]
    assert failed.title == "i70" and "timed out" in failed.exchanges[0].remarks[0].text


def test_a_log_without_items_shows_its_printed_headline_and_nothing_else():
    evaluation = evaluation_of([], printed=(Printed("m", 0.625, 0.02, 500, 3, "log.json"),))
    document = audit_document(audited(evaluation))
    shown = to_terminal(document)
    assert "Only the printed headline is here" in shown and "0.625" in shown
    assert "None." not in shown
    assert not any(table.id == "checks-1" for table in blocks(document, Table))


def test_of_several_evaluations_only_the_largest_is_unfolded():
    small, large = texts(5, "a"), scores_of(random_scores(1, 0.8, 0.5, 0.3))
    document = audit_document(audited(small, large.__class__(**{**vars_of(large), "name": "large"})))
    assert [(section.title, section.detail) for section in document.sections[1:3]] == [("large", False), ("made", True)]
    assert "in 2 evaluations" in conclusion(audited(small, large))


def test_of_several_evaluations_the_sentence_says_whose_order_it_gives():
    first = replace(scores_of({"a": [1.0] * 60 + [0.0] * 40}), name="arc")
    other = replace(scores_of(random_scores(1, 0.9, 0.5)), name="exam")
    found = audited(first, other)
    assert conclusion(found).startswith("exam, one of 2 evaluations: Believe the order of both models; ")
    assert "Best mean in exam: m0, " in to_terminal(brief_document(found))
    assert conclusion(audited(first)).startswith("a scores 0.600 ")


def vars_of(evaluation):
    return {name: getattr(evaluation, name) for name in evaluation.__dataclass_fields__}


def test_the_strong_sentence_leads_every_form(found):
    for document in (audit_document(found), brief_document(found)):
        first = blocks(document, Text)[0]
        assert (first.text, first.tone) == (conclusion(found), "strong")


def test_the_same_audit_gives_the_same_bytes():
    first, second = (render(audit_document(audited(texts(30, "a", "b")))) for _ in range(2))
    assert first == second


def test_a_first_model_that_drops_items_and_is_behind_on_shared_ones_is_said():
    drops = [None if item % 10 >= 4 else float(item % 10 != 3) for item in range(100)]
    ahead = [float(item % 10 < 4 or (item % 10 == 4 and item < 50)) for item in range(100)]
    third = [float(item % 10 in (0, 1, 2, 5)) for item in range(100)]
    sentence = conclusion(audited(scores_of({"drops": drops, "whole": ahead, "third": third})))
    assert "; on the items that both have, whole is ahead of drops; " in sentence
    level = [float(item % 10 < 3 or item in (3, 13) or item % 10 == 4) for item in range(100)]
    sentence = conclusion(audited(scores_of({"drops": drops, "whole": level})))
    assert "; on the items that both have, drops and whole can't be separated; " in sentence
    assert "ahead" not in conclusion(audited(scores_of({"drops": drops, "whole": [0.0, 1.0] * 50})))


DROPS = [1.0] * 60 + [None] * 40
HALF = [float(item % 2) for item in range(100)]


@pytest.mark.parametrize(
    ("scores", "begins"),
    [
        (
            {"drops": DROPS, "a": HALF},
            "Don't believe the place of drops (dropped_items fails); as scored, the order of both",
        ),
        ({"drops": DROPS, "also": DROPS}, "Believe no order (dropped_items fails); as scored, no place is"),
        (
            {"drops": DROPS, "also": DROPS, "last": [float(item % 10 == 0) for item in range(100)]},
            "Don't believe the places of also and drops (dropped_items fails); as scored, place 3 is clear; places 1",
        ),
        ({"drops": DROPS}, "Don't believe this score (dropped_items fails): drops scores 1.000"),
    ],
)
def test_no_place_is_believed_whose_score_a_failing_check_puts_in_doubt(scores, begins):
    found = audited(scores_of(scores))
    assert conclusion(found).startswith(begins) and "Believe the order" not in conclusion(found)
    assert comparison_line(
        Compared(found.comparisons[0], tuple(c for c in found.checks if c.status == "fail"))
    ).startswith(begins)


def test_results_without_items_say_what_was_printed():
    bare = evaluation_of(
        [{"item": "all", "model": "m", "score": None}], printed=(Printed("m", 0.737, None, 100, 3, "r"),)
    )
    assert "; printed is 0.737 for m, which nothing here can check; " in conclusion(audited(bare))


def test_certain_places_are_named_where_the_first_is_not_sure():
    scores = random_scores(3, 0.9, 0.9, 0.5, 0.1)
    assert conclusion(audited(scores_of(scores))).startswith("Believe only places 3 and 4; places 1 and 2 can't")
    del scores["m3"]
    assert conclusion(audited(scores_of(scores))).startswith("Believe only place 3; places 1 and 2 can't")


def test_sure_places_below_a_tie_are_named_beside_the_first():
    scores = random_scores(3, 0.99, 0.8, 0.8, 0.5, 0.3, 0.1)
    assert conclusion(audited(scores_of(scores))).startswith("Believe places 1 and 4 to 6; places 2 and 3 can't")
    del scores["m4"], scores["m5"]
    assert conclusion(audited(scores_of(scores))).startswith("Believe places 1 and 4; places 2 and 3 can't")


def test_where_no_place_is_sure_it_is_said_who_is_ahead_of_whom():
    found = conclusion(audited(scores_of(random_scores(2, 0.76, 0.72, 0.68, 0.64, items=300))))
    assert found.startswith("Believe no single place, only that m0 is ahead of m3; places 1 to 4 can't all")
    alike = conclusion(audited(scores_of(random_scores(3, 0.7, 0.7, 0.7, items=100))))
    assert alike.startswith("Believe no single place; places 1 to 3 can't all be separated")


def test_models_of_one_score_tie():
    found = audited(scores_of({"a": [1.0, 0.0] * 30, "b": [0.0, 1.0] * 30, "c": [0.0, 0.0, 1.0] * 20}))
    assert "Best mean: a and b tie at 0.500 (" in to_terminal(brief_document(found))


def test_beside_a_clustered_interval_stands_the_clustered_error():
    evaluation = scores_of(
        {"a": [1.0] * 100 + [0.0] * 100, "b": [0.0, 1.0] * 100}, cluster=[str(n // 10) for n in range(200)]
    )
    compared = compare(evaluation)
    shown = {row["model"].shown: row["se"].value for row in rest_of_ranks(compared, 1).rows}
    assert shown == {each.model: each.headline.clustered_se for each in compared.placed}
    assert shown["a"] > 2 * compared.placed[0].headline.se


def test_the_sentence_says_where_all_samples_ended_in_an_error():
    failed = [{"item": f"i{n}", "status": "error", "error": "upstream 500"} for n in range(30)]
    assert conclusion(audited(evaluation_of(failed))).startswith(
        "No item has a score: all 30 samples ended in an error;"
    )
    some = [*failed, *({"item": f"i{n}", "status": "missing"} for n in range(30, 40))]
    assert conclusion(audited(evaluation_of(some))).startswith("No item has a score: 30 samples ended in an error;")
    assert conclusion(audited(evaluation_of(some[30:]))).startswith("No item has a score; ")
    sound = [{"item": f"i{n}", "model": "a", "score": float(n % 2)} for n in range(30)]
    assert "; all samples of m ended in an error; " in conclusion(audited(evaluation_of([*sound, *failed])))


def failing(scores, *checks):
    """What is concluded of these scores where these checks fail, each its id, models and details."""
    return conclusion(_failing(scores, *checks))


def _failing(scores, *checks):
    evaluation = scores_of(scores)
    why = reason("evaluation_no_scores")
    found = tuple(Check(id, "fail", "made", why, 0.5, 9, models, (), details) for id, models, details in checks)
    return Audit((evaluation,), found, (compare(evaluation),), ())


CLEAR = {f"m{place}": [score] * 40 + [0.0] * 40 for place, score in enumerate((1.0, 0.6, 0.3))}


def test_a_printed_headline_that_would_change_places_puts_them_in_doubt():
    said = failing(CLEAR, ("headline_recomputed", ("m1",), {"other_places": ["m1"]}))
    assert said.startswith("Don't believe the place of m1 (what is printed doesn't follow from the items); ")
    assert failing(CLEAR, ("headline_recomputed", ("m1",), {"other_places": []})).startswith("Believe the order")


def test_checks_that_fail_and_change_no_place_are_named_in_the_first_sentence():
    harmless = [(id, (), {}) for id in ("power", "saturation", "baseline")]
    assert failing(CLEAR, *harmless[:1]).endswith("; 1 of 1 check fails (power).")
    assert failing(CLEAR, *harmless).endswith("; 3 of 3 checks fail (power, saturation and 1 more).")
    grave = ("truncated", ("m1",), {})
    assert failing(CLEAR, grave).endswith("; 1 of 1 check fails.")
    assert failing(CLEAR, grave, *harmless[:1]).endswith("; 2 of 2 checks fail (also power).")
    assert failing(CLEAR, ("different_scales", ("m1",), {})).endswith("; 1 of 1 check fails.")


THIRD_APART = {"a": [1.0] * 40 + [0.0] * 40, "b": [0.0] * 2 + [1.0] * 40 + [0.0] * 38, "c": [0.3] * 40 + [0.0] * 40}


@pytest.mark.parametrize(
    ("scores", "checks", "begins", "places"),
    [
        (CLEAR, [], "Believe the order of all 3 models; ", [1, 2, 3]),
        (THIRD_APART, [], "Believe only place 3; ", [3]),
        (CLEAR, [("truncated", ("m1",), {})], "Don't believe the place of m1 ", [1, 3]),
        (CLEAR, [("truncated", (), {})], "Believe no order ", []),
        (CLEAR, [("different_scales", ("m1",), {})], "Believe no order: ", []),
    ],
)
def test_json_believes_the_places_that_the_sentence_believes(scores, checks, begins, places):
    found = _failing(scores, *checks)
    assert conclusion(found).startswith(begins)
    assert found.as_dict()["comparison"]["made"]["believed"] == places


def test_missing_items_that_can_change_no_place_leave_it():
    assert failing(CLEAR, ("dropped_items", ("m1",), {"bounds": {"m1": [0.28, 0.33]}})).startswith("Believe the order")
    said = failing(CLEAR, ("dropped_items", ("m1",), {"bounds": {"m1": [0.12, 0.33]}}))
    assert said.startswith("Don't believe the place of m1 (dropped_items fails)")


def test_outputs_that_all_decline_are_refusals_and_names_that_look_alike_are_quoted():
    models = ("constant_output", ("a", "A "), {}), ("refusals", ("A ", "a"), {})
    said = failing({"A ": CLEAR["m0"], "a": CLEAR["m1"], "b": CLEAR["m2"]}, *models)
    assert said.startswith("Don't believe the places of 'A ' and 'a' (refusals fails)")


def test_checks_that_fail_are_counted_among_those_that_were_made():
    found = audited(scores_of({"a": [1.0, 0.0, 1.0] * 20, "b": [0.0, 1.0, 0.0] * 20}))
    made = sum(check.status != "not_measured" for check in found.checks)
    assert conclusion(found).endswith(f"; 0 of {made} checks fail, 1 warns.")
    assert f"{len(ALL) - made} other checks can't be made here" in to_terminal(brief_document(found))


def test_a_place_that_no_missing_row_could_move_is_believed_though_items_are_missing():
    first = [float(item % 4 != 0) for item in range(200)]
    last = [float(item % 10 == 0) for item in range(200)]
    rows = [
        {"item": f"i{item}", "model": model, "score": score}
        for model, scores in (("first", first), ("last", last))
        for item, score in enumerate(scores)
        if model == "first" or item % 20
    ]
    found = audited(evaluation_of(rows))
    assert {"dropped_items", "different_items"} <= {check.id for check in found.checks if check.status == "fail"}
    assert conclusion(found).startswith("Believe the order of both models; ")


@pytest.mark.parametrize(("judge", "said"), [("gpt", True), (None, False)])
def test_length_is_no_matter_of_the_first_line_where_outputs_are_compared_with_a_reference(judge, said):
    """Models whose lengths hardly overlap: a judge may have been swayed by that, and a comparison of texts was not."""
    rows = [
        {
            "item": f"i{item}",
            "model": model,
            "score": float((item * step) % 10 < good),
            "judge": judge,
            "reference": f"river {item}",
            "output": " ".join(f"word{item * n % 97}" for n in range(words + item % 5)) + ".",
        }
        for item in range(120)
        for model, words, good, step in (("long", 60, 9, 3), ("short", 20, 4, 7))
    ]
    assert ("length" in conclusion(audited(evaluation_of(rows)))) == said


def test_two_evaluations_of_one_model_each_are_said_first_not_to_be_compared():
    one, other = scores_of({"a": [1.0, 0.0] * 20}), scores_of({"b": [1.0, 0.0] * 25})
    apart = evaluation_of({"item": f"other {n}", "model": "b", "score": float(n % 3 > 0)} for n in range(30))
    first, second = (conclusion(audited(one, replace(each, name="second"))) for each in (other, apart))
    assert first.startswith("No models are compared: a and b share 40 of 50 items. ")
    assert second.startswith("No models are compared: a and b have no item in common. ")


def test_more_quotes_than_a_screen_has_are_said_to_be_there():
    rows = choice_rows(1, 0.9, 0.9, 0.9)
    for row in rows:
        if int(row["item"][1:]) < 20:
            row["target"] = (row["target"] + 1) % 4
            row["reference"] = "ABCD"[int(row["target"])]
            row["score"] = float(row["answer"] == row["reference"])
    found = audited(evaluation_of(rows))
    (suspects,) = [check for check in found.checks if check.id == "wrong_key_suspects"]
    assert suspects.status == "fail" and len(suspects.quotes) == len(suspects.details["items"]) > 12
    shown = [each.text for each in blocks(brief_document(found), Text)]
    assert any(each.endswith(f"--all quotes all {len(suspects.quotes)}.") for each in shown)
