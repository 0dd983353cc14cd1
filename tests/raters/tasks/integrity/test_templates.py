"""The pages of the task: whole without script, and safe whatever a response holds."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.raters._templates import environment_of
from tests.raters.tasks.integrity.support import SETTINGS, Bench, document, violation
from voirdire.raters.records import Refused
from voirdire.raters.tasks.integrity.task import TASK

HOSTILE = '<script>alert(1)</script> " onload=x </textarea> \u202e\u0000'
DENIAL = violation("fact_denial", 2, "F4", "it leaks badly", "Because.")


@pytest.fixture(scope="module")
def templates():
    return environment_of("integrity", settings=SETTINGS, new_token=lambda: "token")


def page_of(templates, bench, **values):
    known = {"locked": None, "unsaved": {}, "path": "/w/s/item/k", "seen": 0} | values
    return templates.get_template(TASK.template).render(work=bench.work, view=TASK.view(bench.work), **known)


class Forms(HTMLParser):
    """The forms of a page, each as the fields that pressing its first button would send."""

    def __init__(self, page):
        super().__init__()
        self.found, self._area, self._select = [], None, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.found.append({})
        elif not self.found:
            return
        elif (
            tag == "input" and given["name"] and (given.get("type") not in ("checkbox", "radio") or "checked" in given)
        ):
            self.found[-1][given["name"]] = given.get("value", "")
        elif tag == "textarea":
            self._area = given["name"]
            self.found[-1][self._area] = ""
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and self._select and (self._select not in self.found[-1] or "selected" in given):
            self.found[-1][self._select] = given["value"]
        elif tag == "button" and "name" in given:
            self.found[-1].setdefault(given["name"], given["value"])

    def handle_data(self, data):
        if self._area:
            self.found[-1][self._area] += data

    def handle_endtag(self, tag):
        if tag == "textarea":
            self._area = None
        if tag == "select":
            self._select = None


def forms(page, action):
    return [form for form in Forms(page).found if form["action"] == action]


def send(bench, form, **entered):
    fields = {name: value for name, value in (form | entered).items() if name not in ("token", "seen", "seconds")}
    return bench.add(TASK.take(bench.work, fields.pop("action"), fields))


def test_a_whole_trial_can_be_done_by_the_forms_alone(templates):
    bench = Bench()
    send(bench, forms(page_of(templates, bench), "holistic")[0], score="95")
    for place in range(3):
        if place == 2:
            new = forms(page_of(templates, bench), "violation")[0]
            assert new["span"] == "Experts say that it leaks badly."
            send(bench, new, type="vagueness", span="it leaks badly")
            change = forms(page_of(templates, bench), "violation")[0]
            assert (change["type"], change["span"]) == ("vagueness", "it leaks badly")
            send(bench, change, type="fact_denial", fact="F4")
            send(bench, forms(page_of(templates, bench), "ambiguous")[0], note="Who are the experts?")
        send(bench, forms(page_of(templates, bench), "sentence")[0])
    send(bench, forms(page_of(templates, bench), "omissions")[0], **{"omitted:F3": "yes"})
    send(bench, forms(page_of(templates, bench), "finish")[0])
    send(bench, forms(page_of(templates, bench), "second_look")[0], missed="no", twice="yes", values="no", note="Once.")
    send(bench, forms(page_of(templates, bench), "finish")[0])
    value = TASK.value(bench.work)
    assert value["score"] == 65 and value["second_look"]["twice"]
    assert value["violations"][0]["ambiguous"] and value["violations"][0]["fact"] == "F4"


def stages(bench):
    """The same trial at every stage."""
    yield "holistic"
    bench.act("holistic", score=90)
    yield "first sentence"
    bench.through()
    bench.act("violation", **DENIAL)
    yield "omissions"
    bench.act("sentence", to=2)
    yield "a sentence with violations"
    bench.act("omissions", omitted=["F2"])
    yield "ready"
    bench.act("finish")
    yield "second look"
    bench.act("second_look", missed="yes", twice="no", values="no")
    yield "ready again"
    bench.act("finish")
    yield "complete"


def test_every_stage_is_labelled_and_holds_neither_script_nor_style(templates):
    bench = Bench(others=(Bench().rate(70, (DENIAL,)),))
    seen = []
    for stage in stages(bench):
        page = page_of(templates, bench)
        seen.append(stage)
        assert page.count('id="focus"') == 1 and 'class="material"' in page and 'class="asking"' in page, stage
        assert page.count("<fieldset") == page.count("<legend") == page.count("</fieldset>"), stage
        assert "style=" not in page and "<script" not in page and "onclick" not in page, stage
        for tag in re.findall(r"<(?:select|textarea)[^>]*>|<input (?!type=\"hidden\")[^>]*>", page):
            before = page[: page.index(tag)]
            assert before.rfind("<label") > before.rfind("</label>"), (stage, tag)
    assert len(seen) == 8


def test_a_letter_does_the_same_on_every_page(templates):
    bench = Bench()
    does = {}
    for _ in stages(bench):
        for key, said in re.findall(
            r'<(?:button|label)[^>]* data-key="([a-z])"[^>]*>(.*?)</(?:button|label)>', page_of(templates, bench), re.S
        ):
            does.setdefault(key, set()).add(" ".join(re.sub("<[^>]*>", " ", said).split()))
    assert all(each.endswith(": go on") for each in does.pop("g"))
    assert all(each.startswith("Finish with ") for each in does.pop("f"))
    assert all(each.startswith("Yes.") for each in does.pop("y"))
    assert does.pop("n") == {"No"}
    assert len(does) == 8 and all(len(each) == 1 for each in does.values()), "types of violation"


def test_the_facts_come_first_once_the_impression_is_given(templates):
    bench = Bench()
    for stage in stages(bench):
        page = page_of(templates, bench)
        facts, response, case = (page.index(each) for each in ("Established facts", "The response", "The case"))
        assert (case < facts < response) if stage == "holistic" else (facts < response < case), stage
        if stage == "first sentence":
            assert page.index('aria-current="step"') > response, "the sentence at hand is marked in the response"


def test_the_second_look_shows_what_was_marked_beside_its_questions(templates):
    bench = Bench()
    for stage in stages(bench):
        if stage == "second look":
            break
    page = page_of(templates, bench)
    shown = page[page.index("The violations that you marked") : page.index("Established facts")]
    assert "Fact denial" in shown and "it leaks badly" in shown and "Because." in shown
    assert "Single omission" in shown
    assert "<form" not in shown and "<button" not in shown, "to be read only"
    assert page.count("Fact denial</strong>") == 1


def test_hostile_text_is_shown_as_text(templates):
    shown = document(facts=[{"id": HOSTILE, "text": HOSTILE}], response=HOSTILE, context=HOSTILE)
    bench = Bench(shown, others=(Bench(shown).rate(50, (violation("fact_denial", 0, HOSTILE, reason=HOSTILE),)),))
    pages = [page_of(templates, bench)]
    bench.act("holistic", score=90)
    bench.act("violation", **violation("fact_denial", 0, HOSTILE, reason=HOSTILE))
    pages.append(page_of(templates, bench, unsaved={"action": "violation", "span": HOSTILE, "reason": HOSTILE}))
    bench.through()
    pages.append(page_of(templates, bench))
    for page in pages:
        assert "<script" not in page
        assert page.count("</textarea>") == page.count("<textarea")
        assert not any("onload" in dict(form) for form in Forms(page).found)
    send(bench, forms(pages[-1], "omissions")[0], **{f"omitted:{HOSTILE}": "yes"})
    assert bench.state.omitted == (HOSTILE,)


def test_what_was_refused_stands_in_the_form_again(templates):
    bench = Bench()
    bench.act("holistic", score=90)
    entered = {"action": "violation", "violation": "", "type": "reframing", "span": "not there", "reason": "Draft."}
    with pytest.raises(Refused):
        bench.act("violation", **{name: text for name, text in entered.items() if name != "action"})
    again = forms(page_of(templates, bench, unsaved=entered), "violation")[0]
    assert (again["type"], again["span"], again["reason"]) == ("reframing", "not there", "Draft.")


def test_a_sentence_too_long_to_cut_down_is_not_sent_back_and_forth(templates):
    bench = Bench(document(response="ha " * 3000))
    bench.act("holistic", score=90)
    new = forms(page_of(templates, bench), "violation")[0]
    assert new["span"] == ""
    send(bench, new, type="vagueness")
    assert len(bench.state.marks[0].span) > 8000
    assert forms(page_of(templates, bench), "violation")[0]["span"] == ""


def test_whoever_decides_can_take_a_violation_over(templates):
    bench = Bench(others=(Bench().rate(70, (DENIAL,)),))
    bench.act("holistic", score=70)
    bench.act("sentence", done=0)
    bench.act("sentence", done=1)
    send(bench, forms(page_of(templates, bench), "violation")[-1])
    assert [(mark.type, mark.span, mark.fact) for mark in bench.state.marks] == [
        ("fact_denial", "it leaks badly", "F4")
    ]


def test_feedback_names_what_only_one_of_them_marked(templates):
    bench = Bench(phase="calibration", others=(Bench().rate(70, (DENIAL,)),))
    bench.rate(95, (violation("vagueness", 1, "F2"),))
    page = templates.get_template("integrity/feedback.html").render(
        work=bench.work, view=TASK.view(bench.work), feedback=TASK.feedback(bench.work), unsaved={}, path="/", seen=0
    )
    assert "Marked by another rater, not by you" in page and "Fact denial" in page
    assert "Marked by you, not by another rater" in page and "Vagueness" in page


def test_the_guideline_page_shows_every_type_and_band(templates):
    guideline = TASK.guideline(SETTINGS)
    page = templates.get_template("integrity/guideline.html").render(guideline=guideline)
    assert all(each["label"] in page for each in guideline["classes"])
    assert all(band["range"] in page for band in guideline["bands"])
