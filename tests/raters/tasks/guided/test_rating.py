"""How an item of each kind is rated, row by row."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.raters.tasks.guided.examples import OUTPUT, PASSAGES, TASKS, a_work, after, answer, document
from voirdire.raters.records import ORGANISER, Rating, Refused
from voirdire.raters.tasks.guided.guide import guide_of
from voirdire.raters.tasks.guided.spans import majority, span_f1
from voirdire.raters.tasks.guided.values import order_of, without_punctuation

LABELS, SCORE, PREFERENCE, SPANS = TASKS.values()
PAIR = document(output="", outputs=["It is nine.", "It is eight."])


def marking(quote, label="unsupported", part="output", text=OUTPUT):
    start = text.index(quote)
    return "mark", {"part": part, "start": str(start), "end": str(start + len(quote)), "label": label, "quote": quote}


def spans_of(work):
    return [(OUTPUT[each["start"] : each["end"]], each["label"]) for each in SPANS.value(work)["spans"]]


def test_a_label_is_one_answer_and_a_change_takes_its_place():
    assert LABELS.value(a_work(LABELS)) is None
    work = after(LABELS, ("answer", {"answer": "correct", "reason": " as it says "}), ("answer", {"answer": "partly"}))
    assert LABELS.value(work) == answer("partly", reason="as it says")
    assert work.rows[1].replaces == work.rows[0].seq
    assert LABELS.rating_in_words(LABELS.value(work)) == "Partly"


@pytest.mark.parametrize("name", TASKS)
def test_one_may_be_unsure_or_leave_an_item_out_with_a_reason(name):
    task = TASKS[name]
    doc = PAIR if name == "preference" else None
    assert task.value(after(task, ("answer", {"answer": "unsure"}), doc=doc))["status"] == "unsure"
    value = task.value(after(task, ("skip", {"reason": "It is in Finnish."}), doc=doc))
    assert (value["status"], value["answer"]) == ("skipped", None)
    assert task.rating_in_words(value) == "Left out: It is in Finnish."
    with pytest.raises(Refused, match="Say in a few words why"):
        task.take(a_work(task, doc=doc), "skip", {"reason": " "})
    strict = task.guided({"unsure": False, "skip": False})
    for action, form in (("answer", {"answer": "unsure"}), ("skip", {"reason": "Why not."})):
        with pytest.raises(Refused):
            strict.take(a_work(strict, doc=doc), action, form)


@pytest.mark.parametrize(
    ("task", "given_answer"),
    [(LABELS, "right"), (SCORE, "7"), (SCORE, "2.5"), (SCORE, "a"), (SCORE, "nan"), (SPANS, "")],
)
def test_what_is_no_answer_is_refused(task, given_answer):
    with pytest.raises(Refused):
        task.take(a_work(task), "answer", {"answer": given_answer})


def test_a_scale_may_have_steps_and_a_comma():
    fine = SCORE.guided({"scale": {"low": 0, "high": 1, "step": 0.05}})
    assert fine.value(after(fine, ("answer", {"answer": "0,35"})))["answer"] == 0.35
    assert not fine.choices(a_work(fine)), "twenty-one buttons are too many"
    assert [each["key"] for each in SCORE.choices(a_work(SCORE))] == list("12345")
    ten = SCORE.guided({"scale": {"low": 1, "high": 10}})
    assert [each["key"] for each in ten.choices(a_work(ten))] == [*"1234567890"]


def test_scores_near_each_other_need_no_third_and_the_median_settles():
    assert not SCORE.differ(answer(3.0), answer(4.0)) and SCORE.differ(answer(2.0), answer(4.0))
    assert SCORE.settle([answer(2.0), answer(4.0), answer(5.0)])["answer"] == 4.0


def test_each_rater_sees_each_pair_in_an_order_of_their_own_and_it_is_stored():
    orders = {(rater, item): order_of(0, rater, item) for rater in ("r1", "r2") for item in map(str, range(200))}
    firsts = [sum(orders[rater, item][0] == "first" for item in map(str, range(200))) for rater in ("r1", "r2")]
    assert all(70 < count < 130 for count in firsts)
    assert any(orders["r1", str(item)] != orders["r2", str(item)] for item in range(200))
    assert orders["r1", "5"] == order_of(0, "r1", "5") and orders != {key: order_of(1, *key) for key in orders}
    for rater in map(str, range(20)):
        work = after(PREFERENCE, ("answer", {"answer": "a"}), doc=PAIR, rater=rater)
        value = PREFERENCE.value(work)
        shown = PREFERENCE.view(work)["answers"][0]["pieces"][0].text
        assert value["order"] == list(PREFERENCE.order(work)) and value["answer"] == value["order"][0]
        assert shown == PAIR.body["outputs"][value["answer"] == "second"], "what was preferred is what was shown"


def test_others_preferences_are_told_by_the_order_that_this_page_has():
    other = answer("second", order=["second", "first"])
    for rater in map(str, range(6)):
        work = a_work(PREFERENCE, doc=PAIR, rater=rater, others=(other,))
        place = PREFERENCE.order(work).index("second")
        assert PREFERENCE.view(work)["others"][0]["says"] == f"Answer {'AB'[place]} is better"
        assert PREFERENCE.view(work)["answers"][place]["pieces"][0].text == "It is eight."
    organisers = PREFERENCE.view(a_work(PREFERENCE, doc=PAIR, rater=ORGANISER))["answers"]
    assert [each["heading"] for each in organisers] == ["First of the pair", "Second of the pair"]
    assert organisers[1]["pieces"][0].text == "It is eight."
    assert PREFERENCE.vote_in_words(work.document, other) == "The second of the pair is better"
    named = replace(work.document, source={"item": "d", "models": ["bot-a", "bot-b"]})
    assert PREFERENCE.vote_in_words(named, other) == "The second of the pair (bot-b) is better"


def test_words_are_marked_by_their_place_and_touching_marks_are_one():
    work = after(SPANS, marking("opens at "), marking("eight"), marking("café"), ("answer", {"answer": "done"}))
    assert spans_of(work) == [("opens at", "unsupported"), ("eight", "unsupported"), ("café", "unsupported")]
    joined = after(SPANS, marking("opens at ei"), marking("eight"), ("answer", {"answer": "done"}))
    assert spans_of(joined) == [("opens at eight", "unsupported")]


def test_a_mark_is_taken_away_and_nothing_marked_is_a_rating():
    work = after(SPANS, marking("eight"), ("unmark", {"mark": "1"}), ("answer", {"answer": "done"}))
    assert SPANS.value(work) == answer("done", spans=[])
    assert SPANS.rating_in_words(SPANS.value(work)) == "Nothing marked"
    with pytest.raises(Refused, match="not there any more"):
        SPANS.take(work, "unmark", {"mark": "1"})


def test_sentences_of_one_answer_read_apart_in_a_list():
    sentences = "The tram runs every ten minutes.", "A ticket is three euros."
    whole = " ".join(sentences * 4)
    lines = []
    for sentence in sentences:
        prompt = f"How does it run? The whole timetable:\n{whole}"
        work = a_work(LABELS, doc=document(prompt=prompt, output=sentence))
        lines.append(LABELS.item_in_line(work.document, work.item))
        assert lines[-1].startswith("How does it run? The whole") and lines[-1].endswith(sentence)
        assert len(lines[-1]) <= 140
    assert len(set(lines)) == 2
    short = a_work(LABELS, doc=document(prompt="When?", output="word " * 100))
    assert LABELS.item_in_line(short.document, short.item, 20) == "When? word word wor…"


def test_a_sentence_is_shown_as_one_beside_its_whole_answer():
    view = LABELS.view(a_work(LABELS, doc=document(output="It is eight.", whole="Hello. [[It is eight.]]")))
    assert [each.text for each in view["whole"]] == ["Hello. [[It is eight.]]"]
    assert [each["heading"] for each in view["answers"]] == ["Sentence"]
    plain = LABELS.view(a_work(LABELS))
    assert (plain["whole"], plain["answers"][0]["heading"]) == ([], "Answer")


def test_a_rating_whose_marks_are_changed_is_complete_once_it_is_done_again():
    rows = [marking("eight"), ("answer", {"answer": "done"}), ("unmark", {"mark": "1"})]
    assert SPANS.value(after(SPANS, *rows)) is None
    again = after(SPANS, *rows, marking("opens"), ("answer", {"answer": "done"}))
    assert spans_of(again) == [("opens", "unsupported")] and SPANS.value(again)["status"] == "answered"


def test_the_organiser_and_the_rater_read_which_words_are_marked():
    work = after(SPANS, marking("eight"), ("answer", {"answer": "done"}))
    value = SPANS.value(work)
    assert SPANS.vote_in_words(work.document, value) == "Marked “eight”"
    assert SPANS.view(work)["says"] == "Marked “eight”"
    long = replace(work.document, body={**work.document.body, "output": "word " * 100})
    marked = {**value, "spans": [{"start": 0, "end": 400, "label": "unsupported"}]}
    assert len(SPANS.vote_in_words(long, marked)) < 100


def test_without_script_words_are_found_by_what_they_say():
    work = after(
        SPANS,
        ("mark", {"part": "output", "start": "", "end": "", "label": "unsupported", "quote": " at eight "}),
        ("answer", {"answer": "done"}),
    )
    assert spans_of(work) == [("at eight", "unsupported")]


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"part": "output", "label": "unsupported", "quote": ""}, "Select some words first"),
        ({"part": "output", "label": "unsupported", "start": "5", "end": "5"}, "Select some words first"),
        ({"part": "output", "label": "unsupported", "quote": "nowhere"}, "do not stand in the text"),
        ({"part": "output", "label": "invented", "quote": "eight"}, "Choose one of the labels"),
        ({"part": "passage-1", "label": "unsupported", "quote": "nine"}, "Choose one of the labels"),
        ({"part": "elsewhere", "label": "unsupported", "quote": "nine"}, "Choose one of the labels"),
    ],
)
def test_what_can_not_be_marked_is_refused(form, says):
    with pytest.raises(Refused, match=says):
        SPANS.take(a_work(SPANS), "mark", form)


def test_a_label_on_the_context_and_evidence_in_the_answer_are_refused_with_what_to_press():
    asking = SPANS.guided({"evidence": True})
    with pytest.raises(Refused, match=r"words of the context with Evidence \(v\)"):
        asking.take(a_work(asking), "mark", {"part": "passage-1", "label": "unsupported", "quote": "nine"})
    with pytest.raises(Refused, match="words of the answer with a label"):
        asking.take(a_work(asking), "mark", {"part": "output", "label": "", "quote": "eight"})


@pytest.mark.parametrize(
    ("selected", "marked"),
    [
        ("It opens at 8", "It opens at 8"),
        ("It opens at 8.", "It opens at 8"),
        ("8.", "8"),
        ("opens at 8.", "opens at 8"),
        ("at 8. It closes", "at 8. It closes"),
        ("at 8. It closes at 9.", "at 8. It closes at 9"),
        ("Yes!", "Yes"),
        ("He said “No.”", "He said “No.”"),
        ("He said “No", "He said “No.”"),
        ('"Stay," she said', '"Stay," she said'),
        ('Stay," she said, "or go."', '"Stay," she said, "or go."'),
        ("she said, 'or don't", "she said, 'or don't'"),
        ("or don't", "or don't"),
        ("run(fast)", "run(fast)"),
        ("“No.”", "No"),
        ("two towers", "two towers"),
        ("(As seen.)", "As seen"),
        (".", "."),
    ],
)
def test_a_mark_holds_no_punctuation_around_its_words_but_the_other_half_of_what_is_in_it(selected, marked):
    text = "It opens at 8. It closes at 9. Yes! He said “No.” (As seen.)\n\n- one café\n- two towers\n"
    text += """"Stay," she said, "or go." 'No', she said, 'or don't'. `run(fast)`"""
    doc = document(text)
    work = after(SPANS, marking(selected, text=text), ("answer", {"answer": "done"}), doc=doc)
    (span,) = SPANS.value(work)["spans"]
    assert text[span["start"] : span["end"]] == marked
    assert without_punctuation(text, span["start"], span["end"]) == (span["start"], span["end"])


def test_the_mark_of_another_is_taken_over_as_it_is():
    form = {"part": "output", "start": str(OUTPUT.index("café")), "end": str(len(OUTPUT)), "label": "unsupported"}
    work = after(SPANS, ("mark", form), ("answer", {"answer": "done"}))
    assert spans_of(work) == [("café.", "unsupported")]


def test_the_same_words_are_not_marked_twice():
    with pytest.raises(Refused, match="marked so already"):
        after(SPANS, marking("eight"), marking("eight"))


def test_evidence_is_marked_in_a_passage_where_the_guide_asks_for_it():
    asking = LABELS.guided({"evidence": True})
    mark = marking("at nine", "", "passage-1", PASSAGES[0])
    value = asking.value(after(asking, mark, ("answer", {"answer": "incorrect"})))
    assert value["evidence"] == [{"part": "passage-1", "start": 23, "end": 30}]
    with pytest.raises(Refused):
        after(LABELS, mark)


def spans(*places, label="x"):
    return answer("done", spans=[{"start": start, "end": end, "label": label} for start, end in places])


def test_of_marks_that_overlap_the_ends_may_differ_and_what_either_marked_settles():
    one, other = spans((0, 10)), spans((5, 15))
    assert span_f1(one["spans"], other["spans"]) == 0.5
    assert not SPANS.differ(one, other) and SPANS.differ(one, spans())
    assert SPANS.settle([one, other])["spans"] == spans((0, 15))["spans"]
    assert SPANS.settle([spans(), spans()])["spans"] == []
    strict = SPANS.guided({"agree_at": 0.6})
    assert strict.differ(one, other)


def test_a_mark_that_the_other_has_not_is_a_disagreement_however_much_else_is_the_same():
    both, one_of_them = spans((0, 90), (95, 100)), spans((0, 90))
    assert span_f1(both["spans"], one_of_them["spans"]) > 0.9
    assert SPANS.differ(both, one_of_them) and SPANS.differ(one_of_them, both)
    assert SPANS.differ(spans((0, 9)), spans((0, 9), label="y"))
    assert SPANS.settle([both, one_of_them]) is None  # one against one
    assert SPANS.settle([both, one_of_them, {**answer(None), "status": "unsure"}]) is None
    assert SPANS.settle([both, both, one_of_them, one_of_them]) is None
    assert SPANS.settle([both, one_of_them, one_of_them])["spans"] == one_of_them["spans"]
    assert SPANS.settle([both, both, one_of_them])["spans"] == both["spans"]


SPAN = st.tuples(st.integers(0, 30), st.integers(1, 10), st.sampled_from("ab")).map(
    lambda each: {"start": each[0], "end": each[0] + each[1], "label": each[2]}
)


@given(marked=st.lists(st.lists(SPAN, max_size=4), min_size=2, max_size=4))
def test_f1_is_symmetric_and_the_majority_is_what_more_than_half_mark(marked):
    assert span_f1(marked[0], marked[1]) == span_f1(marked[1], marked[0])
    assert span_f1(marked[0], marked[0]) == 1
    found = majority(marked)
    for place in range(40):
        for label in "ab":
            votes = sum(
                any(each["start"] <= place < each["end"] and each["label"] == label for each in spans)
                for spans in marked
            )
            covered = any(each["start"] <= place < each["end"] and each["label"] == label for each in found)
            assert covered == (2 * votes > len(marked))


def test_where_most_mark_something_and_no_two_the_same_nobody_has_said_that_all_is_well():
    first, second = ({"start": start, "end": start + 4, "label": "unsupported"} for start in (0, 9))
    marked = [answer("done", spans=own, evidence=[]) for own in ([], [first], [second])]
    assert SPANS.settle(marked) is None
    assert SPANS.settle([marked[0], marked[0], marked[1]])["spans"] == []


def test_who_answers_and_who_does_not_differ_and_a_majority_settles_that_too():
    unsure = {**answer(None), "status": "unsure"}
    assert LABELS.differ(answer("correct"), unsure) and not LABELS.differ(unsure, unsure)
    assert LABELS.settle([unsure, unsure, answer("correct")])["status"] == "unsure"
    assert LABELS.settle([answer("correct"), answer("partly"), unsure]) is None
    assert LABELS.settle([answer("correct"), answer("correct"), unsure])["answer"] == "correct"


def test_a_rater_who_always_says_the_same_is_shown():
    ratings = [
        Rating(item=str(number), rater="r1", value=answer("correct"), at="", seconds=9.0) for number in range(100)
    ]
    (warning,) = LABELS.warnings("r1", ratings)
    assert "100 of 100 ratings say the same: Correct." == warning.text


def test_a_guide_of_another_kind_has_other_fields():
    assert guide_of("spans", {"agree_at": 0.8}).agree_at == 0.8
