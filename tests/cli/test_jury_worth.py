"""`voirdire jury worth`, as a user calls it: plan, rate, conclude."""

import csv
import json
import re

import numpy as np
import pytest
from benchmarks.statistics.judge_worth import simulate

from tests.cli.here import voirdire, voirdire_json
from tests.support.finite import check_command


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Two judges of one run, and the truth by item."""
    path = tmp_path_factory.mktemp("worth") / "verdicts.csv"
    noisy = simulate("noisy", np.random.default_rng(5))
    coin = np.random.default_rng(6).integers(0, 2, noisy.judge.size)
    truth = {}
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["item", "model", "cluster", "judge", "score", "output", "reason"])
        for place, (document, model) in enumerate(zip(noisy.documents, noisy.models, strict=True)):
            truth[f"i{place}"] = int(noisy.truth[place])
            for judge, score in (("noisy", noisy.judge[place]), ("coin", coin[place])):
                rows.writerow([f"i{place}", model, document, judge, int(score), f"Answer {place}", f"{judge} says so"])
    return path, truth


@pytest.fixture(scope="module")
def rated(table):
    """The items that the plan asks for, filled in."""
    path, truth = table
    listed = path.with_name("to-rate.csv")
    voirdire("jury", "worth", path, "--plan", "-o", listed)
    with listed.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"label": str(truth[row["item"]]), "reason": "a person says so"}
    filled = path.with_name("ratings.csv")
    with filled.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return filled


def test_the_plan_lists_forty_items_without_what_judges_say(table, rated):
    listed = rated.with_name("to-rate.csv").read_text()
    assert len(listed.splitlines()) == 41
    assert listed.startswith("item,cluster,output,label,reason\n")
    assert "says so" not in listed
    plan = json.loads(check_command("jury", "worth", table[0], "--plan", "--json"))
    assert (plan["more"], plan["minutes"], plan["is_decided"]) == (40, 30.0, False)
    assert [each["item"] for each in plan["items"]] == [line.split(",")[0] for line in listed.splitlines()[1:]]
    assert {each["probability"] for each in plan["items"]} == {0.04}


def test_a_plan_without_a_file_says_how_to_get_the_items(table, rated):
    advice = "To have the items as a table that people can fill in, add -o to-rate.csv."
    assert advice in check_command("jury", "worth", table[0], "--plan")
    assert advice not in check_command("jury", "worth", table[0], "--plan", "-o", rated.with_name("again.csv"))


def test_a_table_without_ids_is_planned_by_what_was_asked(tmp_path):
    table, sheet = tmp_path / "results.csv", tmp_path / "to-rate.csv"
    table.write_text("question,answer,passed\n" + "".join(f"Is {n} even?,Yes,{n % 2}\n" for n in range(40)))
    refused = " ".join(voirdire("jury", "worth", table, "--plan", check=False).stderr.split())
    assert "no column of items, such as an id or a question (item, " in refused
    assert refused.endswith("name it with --item-column. Its columns: question, answer, passed.")
    voirdire("jury", "worth", table, "--plan", "--item-column", "question", "-o", sheet)
    assert sheet.read_text().startswith("item,question,output,label,reason\nIs ")


def test_the_first_sentences_conclude(table, rated):
    done = check_command("jury", "worth", table[0], "--human", rated).splitlines()
    text = " ".join(line.strip() for line in done[:8])
    assert "Too early to tell how good noisy's verdicts are: 40 ratings are too few to tell whether it follows" in text
    assert "(correlation 0.83, 0.00 to 0.98); some" in text and "Correct it" not in text
    assert "Leave it: coin helps too little here" in text


def test_json_has_each_judge_and_its_models(table, rated):
    noisy, coin = json.loads(check_command("jury", "worth", table[0], "--human", rated, "--json"))["judges"]
    assert (noisy["judge"], noisy["conclusion"], coin["conclusion"]) == ("noisy", "undecided", "leave")
    assert noisy["saves"] > 10
    assert [each["model"] for each in noisy["models"]] == list("abcd")
    assert len(noisy["differences"]) == 6
    assert noisy["metric"]["powered"]["interval"]["low"] < noisy["metric"]["powered"]["value"]


def test_with_ratings_the_plan_says_whether_the_decision_stands(table, rated):
    plan = voirdire_json("jury", "worth", table[0], "--human", rated, "--only-judge", "noisy", "--plan")
    assert (plan["judge"], plan["ratings"], plan["conclusion"]) == ("noisy", 40, "undecided")
    assert plan["is_decided"] is (plan["more"] == 0)
    more = voirdire_json("jury", "worth", table[0], "--human", rated, "--plan", "--by-model")
    assert more["more"] == 80
    assert "plan_models" in {each["code"] for each in more["why"]}


def test_the_page_has_curves_and_both_sides_reasons(table, rated):
    page = rated.with_name("worth.html")
    done = voirdire("jury", "worth", table[0], "--human", rated, "--page", page)
    assert done.stderr.splitlines()[-1] == f"Written: {page}"
    html = page.read_text()
    assert "How far the judges can be trusted" in html
    assert "noisy says so" in html and "a person says so" in html
    assert html.count("<svg") >= 4, "for each of both judges a curve, and the metric before and after"
    text = re.sub(r"<[^>]+>|\s+", " ", html)
    first = text.rpartition("What to do with each judge")[2][:80]
    assert re.search("(Trust it|Correct it|Too early to tell)", first), "the first sentence concludes"
    assert "the metric before and after correction" in text


def test_scales_and_labels_of_their_own(tmp_path):
    table = tmp_path / "t.jsonl"
    rows = [
        {
            "id": n,
            "stars": 1 + n % 5,
            "passed": int(n % 5 > 2),
            "vote": "good" if n % 5 > 2 else "bad",
            "person": 1 + n % 5,
        }
        for n in range(60)
    ]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    stars = voirdire_json(
        *(
            "jury",
            "worth",
            table,
            "--human",
            table,
            "--score-column",
            "stars",
            "--label-column",
            "person",
            "--scale",
            "1,5",
        )
    )["judges"][0]
    assert stars["conclusion"] == "trust"
    assert stars["metric"]["people"]["value"] == pytest.approx(3)
    turned = voirdire_json(
        *("jury", "worth", table, "--human", table, "--score-column", "stars", "--label-column", "person"),
        *("--scale", "1,5", "--good-verdict", "low"),
    )["judges"][0]
    assert (turned["conclusion"], turned["why"][0]["code"]) == ("opposite", "worth_opposite")
    assert turned["why"][0]["options"] == ["--good-rating low", "--good-verdict high"]
    passed = voirdire_json(
        *("jury", "worth", table, "--human", table, "--score-column", "passed", "--label-column", "person"),
        *("--scale", "1,5", "--good-verdict", "1"),
    )["judges"][0]
    assert passed["correlation"]["value"] > 0.8
    assert passed["ones"] == {"people": "a rating of 5", "judge": "a score of 1"}, "1 is high to a judge of 0 and 1"
    votes = voirdire_json(
        *("jury", "worth", table, "--human", table, "--score-column", "vote", "--label-column", "vote")
    )["judges"][0]
    assert votes["agreement"]["value"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "--human, or ask what to rate with --plan"),
        (("--human", "nowhere.csv"), "nowhere.csv"),
        (("--human", "RATINGS", "--only-judge", "nobody"), "no judge 'nobody'; its judges: noisy, coin"),
        (("--human", "RATINGS", "--scale", "5"), "--scale needs its two ends"),
        (("--human", "RATINGS", "--scale", "1,1_0"), "--scale needs its two ends"),
        (("--human", "RATINGS", "--score-column", "x"), "no column 'x'"),
        (("--plan", "-o", "RATINGS"), "already exists"),
        (("--human", "RATINGS", "-o", "w.csv"), "-o is for the list of --plan: add --plan, or write a page"),
        (("--plan", "--page", "w.html"), "--plan says what to rate and has no page: leave out --page"),
    ],
)
def test_bad_input_ends_in_one_sentence(table, rated, arguments, says):
    given = [rated if each == "RATINGS" else each for each in arguments]
    done = voirdire("jury", "worth", table[0], *given, check=False)
    assert done.returncode != 0
    assert says in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_run_needs_a_project(tmp_path):
    (tmp_path / "run.json").write_text("{}")
    done = voirdire("jury", "worth", tmp_path, "--plan", check=False)
    assert "voirdire rate new makes one" in " ".join(done.stderr.split())


def test_an_inspect_log_is_read_as_audit_reads_it(tmp_path):
    samples = [
        {
            "id": f"s{n}",
            "epoch": 1,
            "input": "q",
            "target": "t",
            "output": {"completion": f"Answer {n}"},
            "scores": {"grader": {"value": "C" if n % 3 else "I", "explanation": f"grade {n}"}},
        }
        for n in range(90)
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "created": "2026-01-01"}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log | {"plan": {}, "results": {}, "stats": {}, "samples": samples}))
    people = tmp_path / "r.csv"
    people.write_text("item,label\n" + "".join(f"s{n},{int(bool(n % 3))}\n" for n in range(60)))
    (found,) = voirdire_json("jury", "worth", path, "--human", people)["judges"]
    assert (found["conclusion"], found["ratings"], found["verdicts"]) == ("trust", 60, 90)


def test_a_page_never_replaces_what_is_read(table, rated):
    for name in (table[0], rated):
        link = name.with_suffix(".html")
        link.unlink(missing_ok=True)
        link.hardlink_to(name)
        done = voirdire("jury", "worth", table[0], "--human", rated, "--page", link, check=False)
        assert done.returncode == 1 and "is being read" in done.stderr
        link.unlink()


@pytest.mark.parametrize(
    ("verdicts", "ratings", "given", "means"),
    [
        (
            ("0", "1"),
            ("wrong", "right"),
            (),
            "of people, the label 'right' (read 'wrong' as bad); of judge, a score of 1.",
        ),
        (
            ("0", "1"),
            ("yes", "no"),
            ("--label-column", "hallucinated"),
            "of people, a rating of 0 (read 'hallucinated' as bad); of",
        ),
        (
            ("0.9", "0.1"),
            ("b", "a"),
            ("--good-rating", "not b", "--good-verdict", "low"),
            "of people, the label 'a' (read 'b' as bad); of",
        ),
        (
            ("fail", "ok"),
            ("false", "true"),
            (),
            "of people, a rating of 1; of judge, the label 'ok' (read 'fail' as bad)",
        ),
    ],
)
def test_which_way_is_good_is_read_or_said_for_each_side(tmp_path, verdicts, ratings, given, means):
    files = _two_tables(tmp_path, verdicts, ratings, "hallucinated" if "hallucinated" in given else "label")
    text = " ".join(voirdire("jury", "worth", files[0], "--human", files[1], *given).stdout.split())
    assert "judged. Beyond these items, trust it: judge follows people's ratings (correlation 1.00)" in text
    assert f"What 1 means: {means}" in text


@pytest.mark.parametrize(
    ("verdicts", "ratings", "given", "says"),
    [
        (
            ("0", "1"),
            ("sad", "glad"),
            (),
            "nothing tells which of the labels 'glad', 'sad' are good ones. Name one with",
        ),
        (
            ("0", "1"),
            ("bad", "good"),
            ("--good-rating", "nice"),
            "h.csv has no label 'nice'; its labels: 'bad', 'good'.",
        ),
        (
            ("bad", "good"),
            ("0", "1"),
            ("--good-verdict", "nice"),
            "v.csv has no label 'nice'; its labels: 'bad', 'good'.",
        ),
        (
            ("0", "1"),
            ("0", "1"),
            ("--good-rating", "good"),
            "the values are numbers, so that --good-rating takes high or",
        ),
    ],
)
def test_what_no_side_has_is_refused(tmp_path, verdicts, ratings, given, says):
    files = _two_tables(tmp_path, verdicts, ratings)
    done = voirdire("jury", "worth", files[0], "--human", files[1], *given, check=False)
    assert done.returncode == 1 and says in " ".join(done.stderr.split())


def test_a_plan_holds_what_people_read_and_nothing_that_can_not_count(tmp_path):
    table, sheet = tmp_path / "v.csv", tmp_path / "to-rate.csv"
    rows = [
        f"i{n},{'' if n % 3 == 1 else n % 2},Question {n}?,Passage {n}.,{'' if n % 3 == 2 else 'Answer'}\n"
        for n in range(30)
    ]
    table.write_text("item,score,prompt,passage,response\n" + "".join(rows))
    voirdire("jury", "worth", table, "--plan", "-o", sheet)
    with sheet.open(newline="") as file:
        drawn = list(csv.DictReader(file))
    assert list(drawn[0]) == ["item", "question", "context", "output", "label", "reason"]
    assert {each["item"] for each in drawn} == {f"i{n}" for n in range(0, 30, 3)}
    assert drawn[0]["question"] == f"Question {drawn[0]['item'][1:]}?"


def _two_tables(folder, verdicts, ratings, column="label"):
    """Forty verdicts, and ratings that say the same."""
    files = folder / "v.csv", folder / "h.csv"
    files[0].write_text("item,score\n" + "".join(f"i{n},{verdicts[n % 2]}\n" for n in range(40)))
    files[1].write_text(f"item,{column}\n" + "".join(f"i{n},{ratings[n % 2]}\n" for n in range(40)))
    return files


@pytest.mark.parametrize("moved", [False, True])
def test_a_sentence_is_rated_within_its_answer(tmp_path, moved):
    answers, flagged, sheet = (tmp_path / name for name in ("a.jsonl", "f.jsonl", "s.csv"))
    entry = {"id": "a", "context": "It opens at 7.", "question": "Fee?", "answer": "It has a pool. It costs 9 euros."}
    answers.write_text(json.dumps(entry) + "\n" + json.dumps({**entry, "id": "b", "answer": "It opens at 7."}) + "\n")
    voirdire("detect", answers, "-o", flagged)
    if moved:
        answers.unlink()
    voirdire("jury", "worth", flagged, "--plan", "-o", sheet)
    with sheet.open(newline="") as file:
        rows = {row["item"]: row for row in csv.DictReader(file)}
    assert rows["a#1"]["output"] == "It costs 9 euros."
    assert rows["a#1"]["whole_answer"] == "It has a pool. [[It costs 9 euros.]]"
    assert rows["b#0"]["whole_answer"] == ""
    assert {row.get("question", "") for row in rows.values()} == {"" if moved else "Fee?"}
    made = voirdire("rate", "new", tmp_path / "s.voirdire", "--task", "labels", "--from", sheet)
    said = " ".join(f"{made.stdout} {made.stderr}".split())
    assert ("No sentence has a context: raters can't see whether one supports it." in said) is moved
    assert ("--answers FILE" in said) is moved
