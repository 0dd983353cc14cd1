from math import isnan
from pathlib import Path

import pytest

from voirdire.detectors import DetectorError, DetectorOptions, Passage, open_detector
from voirdire.detectors.entailment import EntailmentDetector, Ranks, lexical_share
from voirdire.evidence import entailment
from voirdire.evidence.entailment import Entailment, EntailmentModel

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

TINY = Path(__file__).parents[1] / "evidence/tiny_entailment"
"""A model that takes "denied" for a contradiction, a "dragon" for what is in no evidence, "hello" for no claim."""
CONTEXT = "The bridge opened in 1907. It cost 310,000 pounds."
RUMOURS = "The mayor denied all rumours of a tunnel."
RANKS = Ranks((0.0, 0.5, 1.0), (0.0, 0.5, 1.0), 0.6)
SHORT = 10
"""Words of a context that the model reads whole."""


@pytest.fixture
def detector():
    return EntailmentDetector(EntailmentModel(TINY), RANKS)


def alone(detector, sentence, context=CONTEXT):
    (score,) = detector.flag(context, sentence)
    return score


def test_the_score_is_the_weighted_mean_of_the_ranks_of_both_parts(detector):
    (((lexical, verdict, _),),) = detector.parts([Passage(CONTEXT, ("The bridge opened in 1907.",))])
    expected = 0.25 * lexical + 0.75 * verdict.unsupported
    assert alone(detector, "The bridge opened in 1907.") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("context", "sentence", "share"),
    [
        (130, 40, 0.25),  # nearly all of it is read
        (5_000, 12, 0.25),  # the sentence rests on one place
        (260, 22, 0.55),
        (260, 17, 0.4),
        (10**6, 60, 0.85),
        (0, 0, 0.25),
    ],
)
def test_the_more_a_sentence_rests_on_that_the_model_has_not_read_the_more_its_words_count(context, sentence, share):
    assert lexical_share(context, sentence) == pytest.approx(share, abs=1e-3)


def test_a_short_sentence_scores_the_same_beside_one_passage_and_beside_many(detector):
    passages = [
        CONTEXT,
        *(f"The depot of line {number} lies at the river, and its trams run daily. " * 20 for number in range(9)),
    ]
    one, many = (detector.flag(context, "It opened in 1907.")[0] for context in (CONTEXT, "\n\n".join(passages)))
    assert many == pytest.approx(one, abs=0.2)


@pytest.mark.parametrize(("score", "rank"), [(0.0, 0.0), (0.1, 0.125), (0.2, 0.25), (0.6, 0.625), (1.0, 1.0)])
def test_a_rank_is_the_share_of_the_sample_below(score, rank):
    ranks = Ranks((0.0, 0.2, 0.3, 0.9, 1.0), (0.0, 1.0), 0.5)
    assert ranks.score(score, 0.0, SHORT, 8) / 0.25 == pytest.approx(rank)


def test_scores_beyond_the_sample_rank_at_its_ends_and_equal_ones_in_the_middle():
    ranks = Ranks((0.3, 0.3, 0.3, 0.5, 0.9), (0.0, 1.0), 0.5)
    assert [ranks.score(score, 0.0, SHORT, 8) / 0.25 for score in (0.1, 0.3, 1.0)] == [0.0, 0.25, 1.0]


def test_the_model_raises_what_it_takes_for_contradicted_or_new(detector):
    fewer = RUMOURS.replace("all ", "")
    words = open_detector("lexical").flag(RUMOURS, fewer)[0]
    assert alone(detector, fewer, RUMOURS) > words / 4 + 0.6


def test_another_date_in_nearly_the_same_words_is_sure_whatever_the_model_says(detector):
    assert alone(detector, "The bridge opened in 1911.") >= 0.9 > alone(detector, "The bridge opened in 1907.")
    words_off = EntailmentDetector(EntailmentModel(TINY), RANKS, contradiction=False)
    assert alone(words_off, "The bridge opened in 1911.") < 0.9
    assert alone(detector, "A grand parade of boats passed here in 1911.") < 0.9


@pytest.mark.parametrize(
    ("context", "sentence", "high"),
    [
        ("The sauna is open until 20:00.", "The sauna is open until 22:00.", True),
        ("The hall is rented for €80 an hour.", "The hall is rented for €80 a day.", True),
        ("The lease can be renewed.", "The lease can't be renewed.", True),
        ("The ward has 12 beds.", "The ward has 14 beds.", False),
    ],
)
def test_the_model_cannot_lower_a_contradiction_of_a_sure_kind(detector, context, sentence, high):
    assert (alone(detector, sentence, context) >= 0.9) == high


def test_sentences_that_claim_nothing_score_0_whatever_their_words(detector):
    assert alone(detector, "Hello from the land of unicorns and gold!") == 0.0


def test_small_talk_scores_0_though_its_figures_are_others(detector):
    assert alone(detector, "Would you like me to book a tour of 1908?") == 0.0


def test_scripts_without_spaces_have_no_score(detector):
    assert isnan(alone(detector, "塔は赤いです。", "塔の高さは三百メートルです。"))


def test_reasons_quote_the_evidence_before_the_words_that_are_new(detector):
    (denied,) = detector.reasons(RUMOURS, "The mayor denied a tunnel.")
    assert denied == ["may be contradicted; nearest in the context: “The mayor denied all rumours of a tunnel.”"]
    dragon, fine = detector.reasons(CONTEXT, ["A dragon lives in the bridge.", "The bridge opened in 1911."])
    assert dragon[0] == "no support found; nearest in the context: “The bridge opened in 1907.”"
    assert dragon[1].startswith("not in the context: dragon")
    assert fine[0] == "not in the context: 1911"


def test_a_contradiction_is_told_of_only_where_the_model_is_all_but_sure_of_it():
    class Unsure(EntailmentModel):
        def judge(self, pairs):
            return [Entailment(0.05, 0.95, 0.0, 0.0) for _ in pairs]

    unsure = EntailmentDetector(Unsure(TINY), RANKS)
    assert unsure.reasons_beside(RUMOURS, ["The mayor denied a tunnel."]) == [["no support found"]]
    assert unsure.reasons_beside("The lease can be renewed.", ["The lease can't be renewed."]) == [
        ["negation: “can't be renewed” has no counterpart there"]
    ]


@pytest.mark.parametrize(
    "context",
    [
        "| day | hours |\n|---|---|\n| Saturday | 9:00 to 15:00 |",
        '{"name": "Saturday", "hours": "9:00 to 15:00"}',
        "day: Saturday\nhours: 9:00 to 15:00\n\nday: Sunday\nhours: 9:00 to 12:00",
    ],
)
def test_of_a_row_or_record_key_and_value_are_quoted_and_the_model_is_never_sure_of_it(detector, context):
    asked = "The mayor denied all hours of Saturday."
    (read,) = detector.closest(context, asked)
    assert read.startswith("(a table or record) ") and read.removeprefix("(a table or record) ") in (
        "Saturday; hours: 9:00 to 15:00",
        "day: Saturday",
    )
    said = f"no support found; nearest in the context {read}".replace("record) ", "record): ")
    assert detector.reasons(context, asked)[0][0] == said


def test_a_record_of_a_list_is_quoted_with_what_tells_it_apart(detector):
    context = (
        '[{"line": "A1", "ends": "Mill", "night_service": false}, {"line": "A2", "ends": "Zoo", "night_service": true}]'
    )
    assert detector.closest(context, "The mayor denied that the A1 runs.") == ["(a table or record) A1; ends: Mill"]
    asked = "The A1 runs a night service."
    assert detector.closest(context, asked) == ["(a table or record) line: A1; ends: Mill; night service: false"]
    assert detector.reasons_beside(context, asked)[0][-1].endswith(" there")


def test_a_sentence_over_two_lines_is_quoted(detector):
    (denied,) = detector.reasons(RUMOURS.replace("all rumours", "all\nrumours"), "The mayor denied a tunnel.")
    assert denied[0].endswith("nearest in the context: “The mayor denied all rumours of a tunnel.”")


def test_reasons_beside_the_evidence_do_not_quote_it_again(detector):
    (denied,) = detector.reasons_beside(RUMOURS, ["The mayor denied a tunnel."])
    assert denied == ["may be contradicted"]
    dragon, fine = detector.reasons_beside(CONTEXT, ["A dragon lives in the bridge.", "The bridge opened in 1911."])
    assert dragon[0] == "no support found"
    assert fine == ["not in the context: 1911", "date: “1911” differs from “1907” there"]


def test_the_evidence_that_a_reason_quotes_can_be_asked_for(detector):
    asked = ["A dragon lives in the bridge.", "- The **bridge** opened in 1911."]
    assert detector.closest(CONTEXT, asked)[0] == "The bridge opened in 1907."
    assert detector.closest(CONTEXT, asked)[1] == detector.closest(CONTEXT, ["The bridge opened in 1911."])[0]
    assert detector.closest("", asked) == ["", ""]


GYM = (
    "| Day | Pool | Sauna |\n|---|---|---|\n| Mon-Fri | 06:30-21:00 | 14:00-21:00 |\n"
    "| Sat | 08:00-20:00 | 12:00-20:00 |\n| Sun | 09:00-18:00 | 11:00-18:00 |"
)


@pytest.mark.parametrize(
    ("sentence", "row"),
    [
        ("The pool opens at 08:00 on weekdays.", "| Mon-Fri |"),
        ("On Sundays the sauna is open from 12:00 to 20:00.", "| Sun |"),
        ("On Saturdays the pool closes at 21:00.", "| Sat |"),
    ],
)
def test_the_passage_beside_a_reason_is_the_one_that_the_reason_quotes(detector, sentence, row):
    (closest,), ((*_, reason),) = detector.closest(GYM, sentence), detector.reasons_beside(GYM, sentence)
    assert closest.startswith(row) and reason.endswith(" there")
    assert f"in “{closest}”" in detector.reasons(GYM, sentence)[0][-1]


def test_a_record_is_read_as_sentences():
    seen = []

    class Watched(EntailmentModel):
        def judge(self, pairs):
            seen.extend(pairs)
            return super().judge(pairs)

    EntailmentDetector(Watched(TINY), RANKS).flag('{"name": "Blue Door", "city": "Bath"}', "It is in Bath.")
    assert seen == [("The city of Blue Door is Bath.", "It is in Bath.")]


def test_flag_many_gives_what_flag_gives_one_by_one(detector):
    passages = [Passage(CONTEXT, ("A dragon.", "It opened.")), Passage("Other.", ("Hello!",)), Passage("", ("It.",))]
    assert detector.flag_many(passages) == [detector.flag(*passage) for passage in passages]


def test_contradictions_of_the_words_count_unless_they_are_switched_off(detector):
    changed = "The bridge opened in 1911."
    without = EntailmentDetector(EntailmentModel(TINY), RANKS, contradiction=False)
    assert alone(detector, changed) > alone(without, changed)
    assert not any("1907" in why for why in without.reasons(CONTEXT, changed)[0])


def test_the_model_cannot_lower_a_figure_that_the_context_gives_of_another_name(detector):
    stations, claim = "Brunvik has 4 platforms. Oldmoor has 6 platforms.", "Brunvik has 6 platforms."
    assert alone(detector, claim, stations) >= 0.9
    assert detector.reasons(stations, [claim])[0] == [
        "number: “6 platforms” differs from “4 platforms”, said of Brunvik, in “Brunvik has 4 platforms.”"
    ]
    without = EntailmentDetector(EntailmentModel(TINY), RANKS, contradiction=False)
    assert alone(without, claim, stations) < 0.6


def test_it_is_opened_by_name_with_its_own_threshold_or_another(monkeypatch):
    monkeypatch.setattr("voirdire.detectors.entailment.packaged_model", lambda threads: EntailmentModel(TINY))
    assert 0 < open_detector("entailment").threshold < 1
    assert open_detector("entailment", DetectorOptions(threshold=0.4)).threshold == 0.4
    assert open_detector("entailment").name == "entailment"


def test_weights_that_are_missing_are_named_and_another_detector(monkeypatch, tmp_path):
    monkeypatch.setattr(entailment, "files", lambda package: tmp_path)
    entailment.packaged_model.cache_clear()
    with pytest.raises(DetectorError, match=r"lacks .*--detector lexical, which needs no model"):
        open_detector("entailment")
    entailment.packaged_model.cache_clear()


@pytest.mark.parametrize("mark", ["4. ", "- ", "a) ", "**"])
def test_a_list_mark_changes_no_score_and_is_no_reason(detector, mark):
    assert alone(detector, f"{mark}{RUMOURS}") == alone(detector, RUMOURS)
    assert detector.reasons(CONTEXT, f"{mark}{RUMOURS}") == detector.reasons(CONTEXT, RUMOURS)


def test_what_a_list_says_by_its_introduction_is_supported_whatever_the_model_makes_of_its_words(detector):
    context = "Not denied to members:\n- the sauna\n\nDenied to members:\n- the roof"
    (parts,) = detector.parts([Passage(context, ("The roof is denied to members.", "The roof was denied repairs."))])
    assert parts[0].verdict.unsupported == 0 < parts[1].verdict.unsupported


def test_the_status_of_a_record_is_supported_whatever_the_model_makes_of_its_words(detector):
    context = '{"order": "K-7", "customer": "Ines Wolf", "item": "walnut desk", "status": "delivered"}'
    sentences = ("The desk has already been delivered.", "The desk has already been repaired.")
    (parts,) = detector.parts([Passage(context, sentences)])
    assert parts[0].verdict.unsupported == 0 < parts[1].verdict.unsupported
    (denied,) = detector.flag(context, "The desk has not been delivered yet.")
    assert denied >= 0.9


def test_what_is_an_extra_is_not_included_whatever_the_model_makes_of_its_words(detector):
    context = "Bed linen is included in the rent. The sauna is charged extra."
    (parts,) = detector.parts([Passage(context, ("The sauna is not included.", "The sauna is denied to guests."))])
    assert parts[0].verdict.unsupported == 0 < parts[1].verdict.unsupported


PARCELS = (
    '{"parcel": "PX-71", "sender": "Lowe Bakery", "state": "handed over"}\n\n'
    '{"parcel": "PX-72", "sender": "Finch Florist", "state": "at the depot"}'
)


def test_nothing_may_be_contradicted_by_a_record(detector):
    for context in (PARCELS, f"Our parcels of today.\n\n{PARCELS}", "state,parcel\nnot denied,PX-71\nall denied,PX-72"):
        (reasons,) = detector.reasons(context, "PX-71 was denied.")
        assert not any("may be contradicted" in each for each in reasons)


def test_records_in_paragraphs_of_their_own_are_quoted_as_records(detector):
    assert detector.closest(f"Our parcels of today.\n\n{PARCELS}", "PX-72 is at the depot.") == [
        "(a table or record) PX-72; state: at the depot"
    ]
