"""`kill -9` in the middle of everybody's saves: what was acknowledged stands in the file, once."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx2

from tests.extras.raters._serving import Server, acknowledged, begin, browser, form_of, make_project, turn
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
