import asyncio
import json

import pytest

import voirdire as vd
from tests.cli.here import voirdire
from voirdire.adapters.python_api.results import UsageError
from voirdire.detectors import DetectorError, open_detector

CONTEXT = ["The bridge opened on 4 May 1907.", "It cost 310,000 pounds."]
ANSWER = "Hello! The bridge opened in 1911. It cost 310,000 pounds."


def test_sentences_have_their_span_whether_they_are_flagged_and_why():
    found = vd.detect(CONTEXT, ANSWER)
    talk, wrong, right = found.sentences
    assert [ANSWER[each.start : each.end] for each in found.sentences] == [each.text for each in found.sentences]
    assert (talk.flagged, talk.score) == (False, None)
    assert wrong.flagged and any("1911" in why for why in wrong.reasons) and wrong.score > right.score
    assert not right.flagged and right.reasons == ()
    assert found.flagged == (wrong,)


def test_it_says_what_the_command_says(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"context": CONTEXT, "answer": ANSWER}))
    assert vd.detect(CONTEXT, ANSWER).to_dict() == json.loads(voirdire("detect", tmp_path / "a.jsonl", "--json").stdout)


def test_one_line_leads_with_the_flagged_sentence_and_a_notebook_marks_it():
    found = vd.detect(CONTEXT, ANSWER, question="When <b>did</b> it open?")
    assert repr(found).startswith("1 of 2 sentences flagged by lexical: 'The bridge opened in 1911.' (")
    shown = found._repr_html_()
    assert ">The bridge opened in 1911.</mark>" in shown and "&lt;b&gt;did" in shown and "<b>did" not in shown
    assert shown.count("<mark") == 1


def test_the_table_has_a_row_per_sentence():
    frame = vd.detect(CONTEXT, ANSWER).frame
    assert list(frame.columns) == ["text", "start", "end", "flagged", "reasons", "score"]
    assert list(frame["flagged"]) == [False, True, False] and frame["score"].isna().tolist() == [True, False, False]


def test_a_detector_is_given_by_name_or_opened_and_a_threshold_flags_from_there():
    assert len(vd.detect(CONTEXT, ANSWER, detector="everything").flagged) == 2
    assert len(vd.detect(tuple(CONTEXT), ANSWER, detector=open_detector("lexical")).flagged) == 1
    assert len(vd.detect(CONTEXT, ANSWER, threshold=0.0).flagged) == 2


def test_a_chart_has_a_row_for_each_sentence_and_marks_what_reaches_the_threshold():
    found = vd.detect(CONTEXT, ANSWER)
    drawn = found.plot().to_dict()
    (values,) = [drawn["data"]["values"]] if "values" in drawn["data"] else drawn["datasets"].values()
    _, wrong, right = found.sentences
    assert [(row["type"], row["value"]) for row in values] == [("flagged", wrong.score), ("not flagged", right.score)]
    rule, dot = drawn["layer"]
    assert rule["encoding"]["x2"] == {"datum": found.threshold}
    assert dot["encoding"]["y"]["sort"] == ["1  Hello!", f"2  {wrong.text}", f"3  {right.text}"]


def test_an_answer_of_which_nothing_is_checked_has_a_chart_without_points(tmp_path):
    vd.detect(CONTEXT, "Hello!").plot().save(tmp_path / "nothing.svg")
    assert "Hello!" in (tmp_path / "nothing.svg").read_text()


def test_an_answer_without_a_context_is_not_checked_and_says_so():
    found = vd.detect("", ANSWER)
    assert not found.flagged and "of answers without a context" in found._repr_html_()


@pytest.mark.parametrize("given", [(None, ANSWER), (CONTEXT, None), (CONTEXT, 3), ([3], ANSWER)])
def test_what_is_no_text_is_refused_in_a_sentence(given):
    with pytest.raises(UsageError, match=r"^The answer can't be checked: .*\.$"):
        vd.detect(*given)


@pytest.mark.parametrize(
    ("given", "says"),
    [({"detector": "nonsense"}, "There is no detector 'nonsense'"), ({"threshold": 3}, "threshold: 3 is not")],
)
def test_an_unknown_detector_and_a_threshold_that_is_no_score_are_refused(given, says):
    with pytest.raises(DetectorError, match=says):
        vd.detect(CONTEXT, ANSWER, **given)


def test_a_detector_that_asks_a_model_works_where_an_event_loop_runs_already():
    async def cell():
        return vd.detect(CONTEXT, ANSWER, detector="llm:simulated/judge")

    assert len(asyncio.run(cell()).sentences) == 3
