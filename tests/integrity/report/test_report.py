import json
from dataclasses import replace

import pytest

from tests.integrity.report.examples import CAVEAT, DENIAL, OMISSION, RESPONSE, VAGUE, audited_run, void
from tests.reports.looking import blocks, readings, said, table
from voirdire.documents import run_description as _runs
from voirdire.documents.document import Chart, Notice, Readings
from voirdire.integrity import IntegrityError, Violation
from voirdire.integrity.auditing import Audit
from voirdire.integrity.report import document
from voirdire.reports.page import render
from voirdire.runs import RunFolder

HOSTILE = "</script><img src=x onerror=alert(1)>"
PANEL = ("openai/a", "openai/b", "rules")
INVENTION = Violation("fact_invention", 1, "perhaps 212 metres", reason="no fact says so")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A panel of three on five responses: four scored, one with half of the panel missing."""
    gone = Audit("x", missing="it refused")
    items = [
        {"id": "clean", "response": "It opened in 1907.", "audits": dict.fromkeys(PANEL, ()), "holistic": 98},
        {
            "id": "bad",
            "response": RESPONSE,
            "context": "When was it built?",
            "holistic": 95,
            "audits": {
                "openai/a": Audit("openai/a", (DENIAL, VAGUE, OMISSION), voided=(void(),)),
                "openai/b": (DENIAL, VAGUE, OMISSION),
                "rules": (DENIAL,),
            },
        },
        {"id": "twice", "response": RESPONSE, "audits": dict.fromkeys(PANEL, (DENIAL, INVENTION))},
        {"id": "left", "response": RESPONSE, "audits": dict.fromkeys(PANEL, (OMISSION,))},
        {"id": "unscored", "response": RESPONSE, "audits": {"openai/a": gone, "openai/b": gone, "rules": ()}},
    ]
    return audited_run(tmp_path_factory.mktemp("runs") / "audit", items, auditors=PANEL)


@pytest.fixture(scope="module")
def report(run):
    return document([run])


def test_the_verdict_says_scores_bands_and_what_was_charged(report):
    text = said(report)

    assert "A panel of 3 (openai/a, openai/b, rules) gives 5 responses 73.8 of 100 points on average" in text
    assert "The score in the middle is 77.5: 2 excellent, 1 fair, 1 poor. Most often charged: fact denial (2)" in text
    assert "In 1 of 4 nothing is charged." in text
    assert "50.0 % hold a severe violation" in text and "in 1 response two or more, which is called pervasive" in text
    assert "1 response of 5 has no score: half of the panel or more gave no audit." in text


def test_the_score_is_worked_out_line_by_line(report):
    found = readings(report)

    assert found["bad"].summary == "60 Fair (50-69): 100 - 30 - 5 - 5 = 60"
    assert found["bad"].exchanges[0].notes[0] == "100 - 30 - 5 - 5 = 60."
    assert found["clean"].summary == "100 Excellent (90-100): 100: nothing is charged"
    assert "Pervasive: two or more severe violations." in found["twice"].exchanges[0].notes
    assert found["unscored"].summary == "no score: 1 of 3 auditors gave an audit"


def test_deductions_stand_in_the_text_and_omissions_beside_it(report):
    (exchange,) = readings(report)["bad"].exchanges

    assert exchange.question == "When was it built?"
    assert "".join(piece.text for piece in exchange.answer) == RESPONSE
    assert [(piece.text, piece.mark) for piece in exchange.answer if piece.mark] == [
        ("opened in ", "severe"),
        ("1911", "severe"),
        (", at a great price", "minor"),
    ]
    assert "vagueness, -5: no figure; fact: F2 It cost 310,000 pounds." in exchange.answer[2].note
    omitted = next(remark for remark in exchange.remarks if remark.who == "omitted")
    assert omitted.text == "single omission, nothing refers to it. Left out: F2 It cost 310,000 pounds."
    assert omitted.figures == (("points", "-5"),)


def test_auditors_stand_beside_one_another_with_void_and_missing_audits(report):
    rows = {row["auditor"]: row for row in table(report, "auditors")}

    assert (rows["openai/a"]["void"], rows["openai/a"]["missing"], rows["rules"]["missing"]) == ("1", "1", "0")
    assert {row["measure"] for row in table(report, "agreement")} == {"ICC(2,1)", "alpha, interval"}
    assert {(row["one"], row["other"], row["positive"]) for row in table(report, "findings")} >= {
        ("openai/a", "openai/b", "100.0 %")
    }
    who = [remark.who for remark in readings(report)["bad"].exchanges[0].remarks]
    assert who[-3:] == list(PANEL)
    assert "void, the quoted words are not in the response: not there" in (
        readings(report)["bad"].exchanges[0].remarks[-3].text
    )


def test_filters_find_what_they_say(report):
    (block,) = blocks(report, Readings)

    assert {each.id: {r.id for r in block.readings if each.id in r.flags} for each in block.filters} == {
        "severe": {"bad", "twice"},
        "omission": {"bad", "left"},
        "differ": {"bad"},
        "void": {"bad"},
        "impression": {"bad"},
        "unscored": {"unscored"},
    }
    assert {reading.facets["band"] for reading in block.readings} == {"Excellent", "Fair", "Poor", "no score"}
    assert [mark.id for mark in block.marks] == ["minor", "severe"]


def test_scores_by_impression_that_lie_far_away_are_named(report):
    (row,) = table(report, "divergent")

    assert (row["id"], row["score"], row["holistic"], row["apart"]) == ("bad", "60", "95", "-35")


def test_rules_alone_give_findings_and_neither_score_nor_band(tmp_path):
    items = [
        {"id": "bad", "response": RESPONSE, "audits": {"rules": (DENIAL, OMISSION)}},
        {"id": "clean", "response": RESPONSE, "audits": {"rules": ()}},
    ]
    found = document([audited_run(tmp_path / "run", items, auditors=("rules",))])

    assert "there is no score and no band" in blocks(found, Notice)[0].text
    assert "The rules looked at 2 of 2 responses and found something in 1; they give no score." in said(found)
    assert {reading.facets["band"] for reading in readings(found).values()} == {"no score"}
    (exchange,) = readings(found)["bad"].exchanges
    assert [remark.who for remark in exchange.remarks] == ["suggested", "omitted", "rules"]
    assert not any(name in ("points", "score") for remark in exchange.remarks for name, _ in remark.figures)
    page = render(found)
    assert "Excellent" not in page and "100 - " not in page


def test_findings_by_rules_have_one_count_everywhere_and_omissions_are_counted_apart(tmp_path):
    omissions = (OMISSION, replace(OMISSION, fact="F3"))
    items = [
        {"id": "bad", "response": RESPONSE, "audits": {"rules": (DENIAL, *omissions)}},
        {"id": "short", "response": RESPONSE, "audits": {"rules": omissions}},
    ]
    found = document([audited_run(tmp_path / "run", items, auditors=("rules",))])

    assert (
        "found something in 1; they give no score. Most often: fact denial (1). Counted apart: 2 responses leave out"
        in said(found)
    )
    (row,) = table(found, "auditors")
    assert (row["findings"], row["omissions"]) == ("1", "2")
    suggested = {
        row["type"]: row["suggested" if "suggested" in row else "charged"] for row in table(found, "violations")
    }
    assert suggested.pop("fact denial") == "1" and list(suggested.values()) == ["2"]


def test_floor_and_cap_are_told(tmp_path):
    denials = [
        Violation("fact_denial", 0, span, fact) for span, fact in (("1911", "F1"), ("price", "F2"), ("great", "F3"))
    ]
    four = (*denials, INVENTION)
    items = [
        {"id": "floor", "response": RESPONSE, "audits": {"openai/a": four}},
        {"id": "cap", "response": RESPONSE, "audits": {"openai/a": (DENIAL, INVENTION)}},
    ]
    found = document([audited_run(tmp_path / "run", items, cap="cap29")])

    assert {each.id: each.summary.partition(": ")[2] for each in readings(found).values()} == {
        "floor": "100 - 30 - 30 - 30 - 30 = -20, and the floor is 0",
        "cap": "100 - 30 - 30 = 40, capped at 29",
    }
    assert "One auditor alone" in said(found) and "Two or more severe violations cap the score at 29." in said(found)


def test_many_cases_make_the_clusters_of_intervals_and_few_do_not(tmp_path):
    def items(cases):
        return [
            {
                "id": f"{number}",
                "response": RESPONSE,
                "facts": [f"It opened in {1900 + number % cases}."],
                "audits": {"openai/a": (Violation("fact_denial", 0, "1911", "F1"),) if number % 4 else ()},
            }
            for number in range(12)
        ]

    assert "clustered by case" in said(document([audited_run(tmp_path / "many", items(4))]))
    assert "taking each response by itself" in said(document([audited_run(tmp_path / "few", items(2))]))


def test_hostile_responses_facts_and_reasons_become_text_in_the_page(tmp_path):
    found = Violation("fact_denial", 0, HOSTILE, "F1", HOSTILE)
    item = {
        "id": HOSTILE,
        "response": HOSTILE,
        "facts": [HOSTILE],
        "context": HOSTILE,
        "audits": {"openai/a": (found,)},
    }
    page = render(document([audited_run(tmp_path / "run", [item])]))

    assert "<img src=x" not in page and "</script><img" not in page


def test_audits_stand_side_by_side_and_responses_have_the_run_as_a_facet(run, tmp_path):
    items = [{"id": "one", "response": RESPONSE, "audits": {"openai/a": (CAVEAT,)}}]
    found = document([run, audited_run(tmp_path / "other", items)])

    assert {row["run"]: row["mean"] for row in table(found, "runs")} == {"audit": "73.8", "other": "85.0"}
    assert {row["run"] for row in table(found, "bands")} == {"audit", "other"}
    assert {reading.facets["run"] for reading in readings(found).values()} == {"audit", "other"}
    json.dumps(found.data, allow_nan=False)
    render(found)


def test_a_run_that_is_not_complete_says_so_and_one_without_scores_can_be_reported(tmp_path):
    gone = {"id": "x", "response": RESPONSE, "audits": {"openai/a": Audit("openai/a", missing="it failed")}}
    found = document([audited_run(tmp_path / "run", [gone], asked=3)])

    assert "2 of 3 responses not audited yet" in said(found)
    assert "nothing can be said" in said(found)
    render(found)


def test_charts_and_tables_say_what_cost_most(report):
    assert [chart.id for chart in blocks(report, Chart)] == ["scores", "points"]
    assert (
        blocks(report, Chart)[1].panels[0].summary
        == "fact denial: 60; fact invention: 30; single omission: 10; vagueness: 5."
    )
    rows = {row["type"]: row for row in table(report, "violations")}
    assert (rows["fact denial"]["charged"], rows["fact denial"]["per_100"], rows["fact denial"]["points"]) == (
        "2",
        "50.0",
        "60",
    )
    assert {row["fact"]: row["responses"] for row in table(report, "facts")} == {
        "The bridge opened in 1907.": "2",
        "It cost 310,000 pounds.": "2",
    }


def test_only_so_many_responses_are_read_in_a_page_the_lowest_scores_first(run, monkeypatch):
    monkeypatch.setattr(_runs, "READ_AT_MOST", 2)
    found = document([run])

    assert set(readings(found)) == {"twice", "unscored"}
    assert "Of 5 responses, the 2 with the lowest scores" in said(found)


def test_the_data_are_strict_json_and_a_run_of_another_kind_is_refused(report, tmp_path):
    data = json.loads(json.dumps(report.data, allow_nan=False))
    assert data["runs"][0]["mean_score"] == 73.75
    assert [each["id"] for each in data["runs"][0]["scored"]] == ["clean", "bad", "twice", "left"]

    RunFolder.create(tmp_path / "run", {"instrument": "ddft"}).close()
    with pytest.raises(IntegrityError, match="not of integrity"):
        document([tmp_path / "run"])


def test_empty_responses_and_refusals_have_no_score_and_are_told_and_can_be_filtered(tmp_path):
    items = [
        {"id": "full", "response": "It opened in 1907.", "audits": {"openai/a": ()}},
        {"id": "none", "response": " \n", "audits": {"openai/a": (OMISSION,)}},
        {"id": "no", "response": "I'm sorry, but I can't help with that.", "audits": {"openai/a": (OMISSION,)}},
    ]
    found = document([audited_run(tmp_path / "run", items)])

    assert {line for notice in blocks(found, Notice) for line in notice.text.split("\n")} == {
        "1 response of 3 is empty. It is left out of every score, and not sent to any auditor.",
        "1 response of 3 declines to answer. It is left out of every score, and not sent to any auditor.",
    }
    assert found.data["runs"][0]["mean_score"] == 100
    (listed,) = blocks(found, Readings)
    assert {each.id for each in listed.filters} == {"empty", "refusal", "unscored"}
    flagged = {reading.id: reading.flags for reading in listed.readings if reading.flags}
    assert flagged == {"none": ("empty", "unscored"), "no": ("refusal", "unscored")}


def test_where_no_response_is_empty_nothing_is_said_of_it(report):
    assert "is empty." not in said(report)
    assert all(each.id != "empty" for block in blocks(report, Readings) for each in block.filters)


def test_a_score_that_leaves_a_finding_out_says_so_wherever_it_is_read(tmp_path):
    items = [
        {"id": "r1", "response": RESPONSE, "audits": {"openai/a": (DENIAL,), "openai/b": ()}},
        {"id": "r2", "response": RESPONSE, "audits": {"openai/a": (), "openai/b": ()}},
    ]

    found = document([audited_run(tmp_path / "run", items, auditors=("openai/a", "openai/b"))])

    alone = "1 of 2 auditors (openai/a) found something; the panel's rule leaves it out, as no majority shares it"
    assert readings(found)["r1"].summary == f"100 Excellent (90-100): 100: nothing is charged; {alone}"
    assert f"{alone}." in readings(found)["r1"].exchanges[0].notes
    assert alone not in readings(found)["r2"].summary
    assert "Nothing was charged in any of them; in 1 an auditor found something." in said(found)
