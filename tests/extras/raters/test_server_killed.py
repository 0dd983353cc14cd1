"""`kill -9` in the middle of everybody's saves: what was acknowledged stands in the file, once."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx2

from tests.extras.raters._serving import Server, acknowledged, begin, browser, form_of, make_project, turn
from tests.raters.tasks.guided.examples import answer, made, results, written
from voirdire.raters.exchange import import_ratings
from voirdire.raters.project_loader import read_project

RATERS = tuple(f"Rater {number:02}" for number in range(20))
KILLS = 3
SAVES = 60
"""Acknowledged by all together before the server is killed."""


class Session:
    """A rater at work: what they sent, and what of it they were told is saved."""

    def __init__(self, name):
        self.name = name
        self.acknowledged = {}
        self.sent = {}

    def work(self, server, count):
        """Rate until the server is gone; the first answer is the one that nobody acknowledged."""
        try:
            with browser(server) as client:
                page = begin(client, server.path(self.name)).text
                while True:
                    address, fields = form_of(page, far=f"{len(self.sent) % 11 / 10:g}", sas="1", comment=self.name)
                    self.sent[fields["token"]] = fields
                    response = client.post(address, data=fields)
                    assert acknowledged(response), response.text
                    self.acknowledged[fields["token"]] = fields
                    count()
                    page = client.get(response.headers["location"]).text
        except httpx2.TransportError:
            return


def test_no_acknowledged_answer_is_lost_and_none_is_there_twice(tmp_path):
    project = make_project(
        tmp_path / "p.db", [turn(number) for number in range(400)], RATERS, raters_per_item=len(RATERS)
    )
    sessions = [Session(name) for name in RATERS]
    for _ in range(KILLS):
        with Server(project) as server, ThreadPoolExecutor(len(RATERS)) as pool:
            saves = threading.Semaphore(0)
            at_work = [pool.submit(session.work, server, saves.release) for session in sessions]
            assert all(saves.acquire(timeout=60) for _ in range(SAVES))
            server.kill()
            for done in at_work:
                done.result(30)
    assert sum(len(session.acknowledged) for session in sessions) >= KILLS * SAVES
    rows = [row for row in read_project(project).rows if row.kind == "rate"]
    people = {rater.id: rater.name for rater in read_project(project).raters.values()}
    for session in sessions:
        mine = {row.token: row for row in rows if people[row.rater] == session.name}
        assert set(session.acknowledged) <= set(mine) <= set(session.sent)
        for token, row in mine.items():
            assert f"{row.body['far']:g}" == session.sent[token]["far"]
            assert row.body["comment"] == session.name
        assert len(mine) == len([row for row in rows if people[row.rater] == session.name])
        assert len({row.item for row in mine.values()}) == len(mine)  # nobody was asked for the same item twice


def test_an_answer_sent_again_after_a_lost_connection_is_there_once(tmp_path):
    project = make_project(tmp_path / "p.db", [turn(number) for number in range(3)])
    with Server(project) as server, browser(server) as client:
        page, port = begin(client, server.path("Ann")).text, int(re.search(r":(\d+)$", server.base)[1])
        address, fields = form_of(page, far="0.3", sas="1")
        first = client.post(address, data=fields)
        server.kill()  # the page never learned of it
    with Server(project, port=port) as server, browser(server) as client:
        again = client.post(address, data=fields)
        assert acknowledged(again) and again.headers["location"] == first.headers["location"]
    assert [row.body["far"] for row in read_project(project).rows if row.kind == "rate"] == [0.3]


def disputed(tmp_path, items):
    """A project in which Ann and Ben differ on every item, with none decided."""
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", items, models=("one",)))
    said = (("Ann", answer("correct")), ("Ben", answer("incorrect")))
    lines = [{"item": item, "rater": name, "value": value} for item in read_project(path).items for name, value in said]
    import_ratings(path, written(tmp_path / "ratings.jsonl", lines))
    return path


def test_a_kill_between_an_adjudicators_rating_and_their_decision_settles_nothing_and_loses_neither(tmp_path):
    path = disputed(tmp_path, items=1)

    with Server(path) as server, browser(server) as client:
        port = int(re.search(r":(\d+)$", server.base)[1])
        address, unsure = form_of(begin(client, server.path("Cyn")).text, answer="unsure")
        assert acknowledged(client.post(address, data=unsure))
        server.kill()
    assert read_project(path).gold == {}, "a blind rating decides nothing"

    with Server(path, port=port) as server, browser(server) as client:
        again = client.post(address, data=unsure)  # as the page does that never learned of it
        assert acknowledged(again) and again.headers["location"] == address.removesuffix("/act")
        page = begin(client, server.path("Cyn")).text
        assert "Nothing is settled until you confirm" in page, "the same item, which waits for the decision"
        address, decide = form_of(page)
        assert decide["action"] == "decide"
        first = client.post(address, data=decide)
        server.kill()
    with Server(path, port=port) as server, browser(server) as client:
        for _ in range(2):
            assert client.post(address, data=decide).headers["location"] == first.headers["location"]
        other = client.post(address, data={**decide, "token": "0123456789abcdef"})
        assert other.status_code == 409, "a second tab that shows the item undecided"
    project = read_project(path)
    (decision,) = (row for row in project.rows if row.kind == "decision")
    assert (decision.token, decision.body["how"]) == (decide["token"], "kept")
    (gold,) = project.gold.values()
    assert (gold.how, gold.value["status"]) == ("adjudicated", "unsure")


class Adjudicator(Session):
    """Someone who rates blind and then decides, until the server is gone."""

    def work(self, server, count):
        """As a rater does; each item takes two posts."""
        try:
            with browser(server) as client:
                page = begin(client, server.path(self.name)).text
                while "/act" in page:
                    address, fields = form_of(page)
                    fields |= {} if fields["action"] == "decide" else {"answer": "unsure"}
                    self.sent[fields["token"]] = fields
                    response = client.post(address, data=fields)
                    assert acknowledged(response), response.text
                    self.acknowledged[fields["token"]] = fields
                    count()
                    page = client.get(response.headers["location"]).text
        except httpx2.TransportError:
            return


def test_decisions_under_kills_are_those_that_were_sent_and_settle_those_items_alone(tmp_path):
    path = disputed(tmp_path, items=60)
    cyn = Adjudicator("Cyn")
    for _ in range(KILLS):
        with Server(path) as server, ThreadPoolExecutor(1) as pool:
            saves = threading.Semaphore(0)
            at_work = pool.submit(cyn.work, server, saves.release)
            assert all(saves.acquire(timeout=60) for _ in range(21))
            server.kill()
            at_work.result(30)
    project = read_project(path)
    decisions = {row.token: row for row in project.rows if row.kind == "decision"}
    told = {token for token, fields in cyn.acknowledged.items() if fields["action"] == "decide"}
    sent = {token for token, fields in cyn.sent.items() if fields["action"] == "decide"}
    assert told <= set(decisions) <= sent and len(told) >= KILLS * 9
    assert sorted(project.gold) == sorted(row.item for row in decisions.values()), "each once, and no other item"
    answers = [row for row in project.rows if row.kind == "answer"]
    assert len({row.item for row in answers}) == len(answers) and {row.token for row in answers} <= set(cyn.sent)
    assert project.unlabelled == frozenset(project.gold)
