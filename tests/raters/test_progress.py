"""How far a project has come."""

import json
import re
from dataclasses import replace

from tests.raters._projects import labelled_project
from tests.raters._templates import environment_of
from tests.raters._tiny import Play
from tests.raters.tasks.guided.examples import answer, made, rated, results
from voirdire.raters.exchange import import_ratings
from voirdire.raters.progress import progress_of
from voirdire.raters.project_loader import project_of, read_project
from voirdire.raters.report import status_document
from voirdire.raters.timing import duration
from voirdire.raters.web.dashboard import dashboard
from voirdire.reports.formats.terminal import to_terminal


def progress(play):
    reader = play.store.read
    parts = reader.settings(), list(reader.documents()), reader.items(), reader.raters(), reader.rows()
    return progress_of(project_of(*parts))


def test_nothing_is_done_at_first(tmp_path):
    with Play(tmp_path / "p.db", practice=1) as play:
        found = progress(play)
    assert (found.documents, found.items, found.practice_items) == (2, 4, 1)
    assert found.by_ratings == {0: 4} and found.rated == found.settled == 0
    assert (found.median_seconds, found.last_at) == (None, None)
    assert [each.practice.asked for each in found.raters] == [1, 1]
    assert [(each.open, each.may_come) for each in found.raters] == [(0, 4), (0, 4)]


def test_that_nobody_is_there_to_settle_what_raters_differ_on_is_said():
    project = labelled_project({"ann": ["faithful"], "ben": ["invented"]})
    decided = labelled_project({"ann": ["faithful"], "ben": ["invented"]}, adjudicated={0: "invented"})
    alone = replace(project, raters={name: each for name, each in project.raters.items() if each.role == "rater"})
    assert progress_of(alone).nobody_settles and not progress_of(decided).nobody_settles
    page = organisers_page(alone)
    assert "Nobody is there to settle what waits" in page and "p.voirdire --add-adjudicator NAME" in page
    assert "no adjudicator yet: add one" in str(status_document(alone.settings, progress_of(alone)))


def test_that_only_flagged_sentences_were_drawn_is_said_with_what_it_means():
    project = labelled_project({"ann": ["faithful"], "ben": ["invented"]})
    flagged = replace(project, settings=replace(project.settings, only_flagged=True))
    says = (
        "This project holds only sentences that a detector flagged: its ratings tell how many flags are right, but "
        "nothing of what the detector missed"
    )
    for each, is_said in ((flagged, True), (project, False)):
        result = progress_of(each)
        page = " ".join(organisers_page(each).split())
        assert (says in page) is (says in str(status_document(each.settings, result))) is is_said
        assert ("jury worth RESULTS --plan" in re.sub("<[^>]+>", "", page)) is is_said
        assert (result.as_dict()["selection"] or {}).get("code") == ("rate_flagged" if is_said else None)


def organisers_page(project):
    """As it is shown where nobody has asked anything."""
    known = {"settings": project.settings, "base": "/o/s", "file": "p.voirdire", "duration": duration}
    board, no_links = dashboard(project), {"links": [], "waiting": [], "answered": [], "forms": []}
    page = environment_of("cognibench", **known).get_template("organiser/home.html")
    return page.render(board=board, **no_links)


def test_counts_follow_what_was_done(tmp_path):
    with Play(tmp_path / "p.db", raters=("Ann", "Ben"), adjudicators=("Dee", "Eli"), live=2, each=2) as play:
        play.rate_all("Ann", "a a")
        for words in ("a a", "b b", "c c"):
            play.rate("Ben", play.next("Ben"), words)
        play.next("Dee")
        play.rate("Dee", "d0#1", "b b")  # and is handed d1#0
        play.rate("Dee", "d1#0", "x x")
        assert (progress(play).disputes_open, progress(play).gold) == (1, {"agreed": 1, "majority": 1})
        play.send("Dee", "d1#0", "decide")
        play.next("Ben")
        play.do(play.service.ask(play.who("Ben"), "d1#1", "How?", "token001"))
        play.send("Ben", "d1#1", word="a", seconds=7.0)
        found = progress(play)
        rows = play.store.read.rows()
    assert found.by_ratings == {0: 0, 1: 1, 2: 3}
    assert (found.rated, found.settled, found.gold) == (3, 3, {"adjudicated": 1, "agreed": 1, "majority": 1})
    assert (found.disputes_open, found.disputes_decided) == (0, 2)
    assert (found.questions, found.questions_afterwards, found.open_questions) == (1, 0, 1)
    ann, ben, dee, eli = found.raters
    assert (ann.rated, ann.open, ann.handed) == (4, 0, 4)
    assert (ben.rated, ben.open, ben.handed, ben.seconds, ben.open_questions) == (3, 1, 4, 7.0, 1)
    assert (dee.rated, dee.handed, dee.practice) == (2, 2, None)
    assert (eli.rated, eli.handed, eli.last_at) == (0, 0, None)
    assert found.last_at == rows[-1].at == ben.last_at


def test_a_dispute_is_open_until_an_adjudicator_has_rated_it(tmp_path):
    with Play(tmp_path / "p.db", adjudicators=("Dee",), live=1, each=1) as play:
        play.rate_all("Ann", "a a")
        play.rate_all("Ben", "b b")
        assert progress(play).disputes_open == 1
        play.next("Dee")
        assert progress(play).disputes_open == 1
        play.rate("Dee", "d0#0", "a a")
        assert (progress(play).disputes_open, progress(play).disputes_decided) == (0, 1)


def test_practice_is_told_with_its_tries(tmp_path):
    with Play(tmp_path / "p.db", practice=1) as play:
        play.rate("Ann", "p0#0", "b b")
        play.do(play.service.retake(play.who("Ann")))
        play.rate("Ann", "p0#0", "a a")
        ann, ben = progress(play).raters
    assert (ann.practice.passed, ann.practice.tries, ann.practice.right) == (True, 2, 1)
    assert (ben.practice.passed, ben.practice.done) == (False, 0)
    assert ann.rated == 0


def test_times_per_item_are_medians_over_live_items():
    project = labelled_project({"ann": ["faithful", "invented", "reliable"], "ben": ["faithful", None, None]})
    times = (10.0, 30.0, 90.0, 50.0)
    ratings = tuple(replace(each, seconds=time) for each, time in zip(project.ratings, times, strict=True))
    found = progress_of(replace(project, ratings=ratings))
    assert found.median_seconds == 40.0
    assert [each.median_seconds for each in found.raters] == [30.0, 50.0]


def test_it_is_ready_for_json(tmp_path):
    with Play(tmp_path / "p.db", practice=1) as play:
        play.rate("Ann", "p0#0", "a a")
        told = json.loads(json.dumps(progress(play).as_dict()))
    assert told["by_ratings"] == {"0": 4}
    assert told["raters"][0]["practice"] == {
        "right": 1,
        "done": 1,
        "asked": 1,
        "needed": 1,
        "tries": 1,
        "passed": True,
    }
    assert told["raters"][0]["name"] == "Ann" and "secret" not in str(told)


def test_the_median_is_of_times_that_were_measured():
    made = labelled_project({"ann": ["faithful"] * 3, "ben": ["faithful"] * 3})
    timed = [replace(rating, seconds=0.0 if rating.rater == "ann" else 40.0) for rating in made.ratings]
    found = progress_of(replace(made, ratings=tuple(timed)))
    assert found.median_seconds == 40.0
    assert {each.rater.name: each.median_seconds for each in found.raters} == {"Ann": None, "Ben": 40.0}


def test_two_raters_who_are_unsure_settle_nothing_until_the_adjudicator_decides(tmp_path):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 4))
    unsure = {"status": "unsure", "answer": None, "reason": "", "evidence": []}
    project = rated(path, lambda document, _: unsure if document.source["item"] == "q1" else answer("correct"))
    result = progress_of(project)
    assert (result.settled, result.unlabelled, result.disputes_open) == (6, 0, 2)
    page = " ".join(to_terminal(status_document(project.settings, result)).split())
    assert "raters differ or are unsure: an adjudicator decides" in page
    assert len(dashboard(project).disputes) == 2
    item = next(each.id for each in project.items.values() if each.document in _of(project, "q1"))
    entries = [{"item": item, "rater": "Cyn", "role": "adjudicator", "value": unsure, "decision": "kept"}]
    (tmp_path / "third.jsonl").write_text("".join(json.dumps(each) + "\n" for each in entries))
    import_ratings(path, tmp_path / "third.jsonl")
    project = read_project(path)
    result = progress_of(project)
    assert (result.settled, result.unlabelled, result.disputes_open) == (6, 1, 1), "to be unsure settles nothing"
    page = " ".join(to_terminal(status_document(project.settings, result)).split())
    assert (
        "8 of 8 answers have all their ratings (2 each), 6 settled, 1 left without a label; still open: 1 disagreement."
        in page
    )
    assert "settled 6 of 8 agreed or decided (gold): 6 agreed" in page
    assert "without a label 1 of 8 the adjudicator was not sure, or left it out" in page
    (decided,) = [each for each in dashboard(project).disputes if each.outcome]
    assert decided.outcome == "no label (Not sure, adjudicated)"
    assert "items with 2 ratings; " not in page


def _of(project, item):
    return [document.id for document in project.documents.values() if document.source["item"] == item]
