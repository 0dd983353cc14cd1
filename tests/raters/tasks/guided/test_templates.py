"""The page of guided tasks: whole without script, and safe whatever is rated."""

import re
from html import unescape

import pytest

from tests.raters._templates import environment_of
from tests.raters.tasks.guided.examples import TASKS, a_work, after, answer, document
from tests.raters.tasks.guided.test_rating import PAIR, marking

HOSTILE = '<script>alert(1)</script> " onload=x </textarea> **bold** `code`\n    indented'


def page_of(task, work, **values):
    templates = environment_of(task.name, settings=work.settings, new_token=lambda: "token", folder="guided")
    known = {"locked": None, "unsaved": {}, "path": "/w/s/item/k", "seen": 0} | values
    return templates.get_template(task.template).render(work=work, view=task.view(work), **known)


def doc_of(name, **body):
    return document(output="", outputs=["One", "Two"], **body) if name == "preference" else document(**body)


@pytest.mark.parametrize("name", TASKS)
def test_every_kind_has_a_question_answers_with_keys_and_a_way_out(name):
    task = TASKS[name]
    page = page_of(task, a_work(task, doc=doc_of(name)))
    keys = " ".join(re.findall(r'data-key="([^"]+)"', page)).split()
    assert len(keys) == len(set(keys)) and {"n", "k"} <= set(keys)
    assert 'id="focus"' in page and 'value="answer"' in page and 'value="unsure"' in page and 'value="skip"' in page
    described = re.findall(r'aria-describedby="([\w-]+)"', page)
    assert all(f'id="{each}"' in page for each in described)
    assert "style=" not in page and "<script" not in page
    assert page.count("Passage ") >= 2, "the borders of passages are visible"


def test_answers_to_a_pair_have_numbers_as_in_other_tasks_and_letters():
    page = page_of(TASKS["preference"], a_work(TASKS["preference"], doc=doc_of("preference")))
    keys = re.findall(r'value="(a|b|tie)" data-key="([^"]+)"', page)
    assert keys == [("a", "1 a"), ("b", "2 b"), ("tie", "3 0")]


@pytest.mark.parametrize("name", TASKS)
def test_hostile_text_and_markdown_are_shown_as_they_are(name):
    task = TASKS[name]
    body = {"prompt": HOSTILE, "reference": HOSTILE, "passages": [HOSTILE, HOSTILE], "choices": [HOSTILE]}
    hostile = {"outputs": [HOSTILE, "x"], "output": ""} if name == "preference" else {"output": HOSTILE}
    page = page_of(task, a_work(task, doc=document(**body, **hostile)))
    assert "<script>" not in page and page.count("&lt;script&gt;") >= 6
    assert "**bold** `code`\n    indented" in page
    assert "<script>" not in page_of(
        task, a_work(task, doc=doc_of(name)), unsaved={"reason": HOSTILE, "quote": HOSTILE}
    )


def test_the_text_of_a_part_is_the_text_itself_so_that_places_in_it_hold():
    task = TASKS["spans"]
    flags = [{"start": 4, "end": 11, "says": "number"}]
    work = after(task, marking("room opens"), doc=document(flags=flags))
    page = page_of(task, work)
    (inner,) = re.findall(r'data-part="output"[^>]*>(.*?)</div>', page, re.DOTALL)
    assert re.sub(r"<[^>]+>", "", inner) == document().body["output"]
    assert "Flagged: number" in inner and inner.count("<mark") == 2


def test_code_and_tables_keep_their_columns_whatever_is_marked_in_them():
    code = "def opens(room):\n    return 9\n"
    table = "name     opens\nroom     9\n"
    task = TASKS["spans"]
    doc = document(output=f"So:\n\n{code}\nDone.", passages=[table], prompt=f"Why?\n\n{code}", reference=code)
    page = page_of(task, after(task, marking("return", text=doc.body["output"]), doc=doc))
    in_code = ["".join(re.sub("<[^>]+>", "", each)) for each in re.findall("<code>(.*?)</code>", page, re.DOTALL)]
    assert "".join(in_code) == code + code + code + table
    (inner,) = re.findall(r'data-part="output"[^>]*>(.*?)</div>', page, re.DOTALL)
    assert re.sub(r"<[^>]+>", "", inner) == doc.body["output"] and "return</mark></code>" in inner


def test_what_a_wavy_line_and_the_ways_out_mean_is_told():
    flags = [{"start": 4, "end": 11, "says": "number"}]
    page = page_of(TASKS["labels"], after(TASKS["labels"], doc=document(flags=flags)))
    assert "A wavy line is under what a program has flagged. It may be wrong." in page
    assert "You have read it, and can't tell." in unescape(page) and "For what nobody could rate" in page
    assert "wavy" not in page_of(TASKS["labels"], after(TASKS["labels"], doc=document(flags=[])))


def test_how_words_are_marked_is_told_for_phone_and_keys():
    task = TASKS["spans"]
    page = page_of(task, a_work(task))
    assert "On a phone, press long on a word and drag the ends." in page and "Tab or Shift+Tab" in page
    assert "the key of a button marks them" in page and "Evidence" not in page
    assert "When there is nothing to mark, press “Done with this answer” at once." in page


@pytest.mark.parametrize(("name", "by_label"), [("labels", False), ("spans", True)])
def test_evidence_is_said_to_be_marked_by_its_own_key_and_not_by_a_labels(name, by_label):
    task = TASKS[name].guided({"evidence": True})
    page = re.sub("</?span[^>]*>", "", page_of(task, a_work(task)))
    assert "press Evidence (v)" in page
    assert ("the key of a button marks them" in page) == by_label
    assert ("v marks them" in page) != by_label


def test_what_a_key_would_remove_is_quoted():
    task = TASKS["spans"]
    assert "> \u201croom opens\u201d</span>" in page_of(task, after(task, marking("room opens")))


def test_the_question_and_its_answers_come_first_and_say_to_write_a_reason_before():
    task = TASKS["labels"].guided({"evidence": True})
    page = page_of(task, a_work(task))
    evidence, reason, answer = map(
        page.index,
        (
            "Evidence in the context (optional; mark it before you answer)</summary>",
            "Reason (optional; write it before you answer)</summary>",
            'name="answer"',
        ),
    )
    assert answer < reason < evidence and "<details open" not in page


def test_evidence_is_marked_in_what_the_guide_calls_the_context():
    task = TASKS["labels"].guided({"evidence": True, "headings": {"context": "Shop sheet"}})
    assert "<summary>Evidence in “Shop sheet” (optional" in page_of(task, a_work(task))


def test_a_reason_that_is_not_saved_stays_in_its_form():
    task = TASKS["preference"]
    page = page_of(task, a_work(task, doc=PAIR), unsaved={"action": "skip", "reason": "It is in Finnish."})
    assert page.count("It is in Finnish.") == 1 and 'value="It is in Finnish."' in page
    left_out = page_of(task, after(task, ("skip", {"reason": "It is in Finnish."}), doc=PAIR))
    assert re.search(r'<textarea name="reason"[^>]*>\s*</textarea>', left_out), "why it was left out is no reason"


def test_long_contexts_can_be_searched():
    task = TASKS["labels"]
    assert 'type="search"' not in page_of(task, a_work(task))
    assert 'type="search"' in page_of(task, a_work(task, doc=document(passages=["word " * 800])))


def test_a_scale_of_many_values_has_a_field():
    task = TASKS["score"].guided({"scale": {"low": 0, "high": 100}})
    page = page_of(task, a_work(task))
    assert 'type="number" name="answer" required min="0" max="100" step="1"' in page


def test_what_the_guide_hides_is_not_on_the_page():
    task = TASKS["labels"].guided({"show": ["prompt"]})
    page = page_of(task, a_work(task))
    assert "At nine." not in page and "Passage" not in page and "When does" in page


def test_a_locked_rating_has_no_form_and_others_are_shown_to_adjudicators():
    task = TASKS["preference"]
    others = ({"status": "answered", "answer": "first", "reason": "Shorter.", "evidence": []},)
    page = page_of(task, a_work(task, doc=PAIR, others=others), locked="It is closed.")
    assert "<form" not in page and re.search("Answer [AB] is better", page) and "Shorter." in page


@pytest.mark.parametrize("name", TASKS)
def test_the_guideline_says_what_the_guide_says(name):
    task = TASKS[name].guided({"guideline": "Read slowly.\n\nThen judge."})
    settings = a_work(task, doc=doc_of(name)).settings
    templates = environment_of(name, settings=settings, guideline=task.guideline(settings), folder="guided")
    page = templates.get_template(f"{name}/guideline.html").render()
    assert "<p>Read slowly.</p>" in page and task.guide.question in page
    assert all(each.help in page for each in task.guide.labels)


def test_who_decides_sees_which_words_others_marked_and_takes_them_over():
    task = TASKS["spans"]
    others = tuple(
        answer("done", spans=[{"start": start, "end": end, "label": "unsupported"}]) for start, end in ((4, 11), (0, 3))
    )
    page = page_of(task, a_work(task, others=others))
    assert "Marked “reading”" in page and page.count(">Take over <") == 2
    page = page_of(task, after(task, marking("reading"), others=others))
    assert page.count(">Take over <") == 1, "one's own marks are not offered again"
    assert ">Take over <" not in page_of(task, a_work(task, others=others), locked="This item is closed.")


def test_a_guide_says_what_stands_above_its_texts():
    task = TASKS["labels"].guided({"headings": {"context": "Policy", "reference": "Our answer"}})
    page = page_of(task, a_work(task))
    assert re.findall("<h2>(.*?)</h2>", page) == [
        "Earlier in the dialogue",
        "Question",
        "Answer",
        "Our answer",
        "Policy",
    ]


def test_leaving_out_is_told_from_not_being_sure_where_there_are_both():
    for unsure in (True, False):
        task = TASKS["labels"].guided({"unsure": unsure})
        assert ("press Not sure instead" in page_of(task, a_work(task))) is unsure
