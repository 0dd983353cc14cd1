"""Starting and ending a server, and what goes on beside it."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from tests.extras.raters._serving import Server, acknowledged, begin, browser, form_of, make_project, rate, turn
from voirdire.raters.progress import progress_of
from voirdire.raters.project_loader import read_project
from voirdire.raters.service import RatingService, change_links
from voirdire.raters.store import Store
from voirdire.raters.web.app import make_app


def command(*arguments):
    done = [sys.executable, "-m", "voirdire", "rate", *map(str, arguments)]
    return subprocess.run(done, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_ends_in_peace_and_leaves_one_file(serving, tmp_path, number):
    server = serving()
    with browser(server) as client:  # whose connection is kept open
        assert acknowledged(rate(client, begin(client, server.path("Ann")).text))
        assert server.stop(number) == 0
    assert server.told() == ""
    assert [path.name for path in tmp_path.iterdir()] == ["p.db"]
    with Server(tmp_path / "p.db") as again, browser(again) as client:
        assert "factual accuracy 0.5" in client.get(f"{again.path('Ann')}/finished").text


def test_a_page_that_one_goes_back_to_undoes_its_own_rating(serving):
    server = serving()
    with browser(server) as client:
        ann = server.path("Ann")
        rate(client, begin(client, ann).text)
        second = client.get(f"{ann}/item/2?after=1").text
        assert "<b>Saved:</b>" in second and "Undo the last answer here" not in second
        rate(client, second)
        again = client.get(f"{ann}/item/2?after=1").text
        assert "<b>Saved:</b>" not in again and "Undo the last answer here" in again
        assert f'action="{ann}/item/2/act"' in again


def test_a_second_ctrl_c_does_not_wait_for_anybody(serving):
    server = serving()
    with socket.create_connection(("127.0.0.1", int(server.base.rsplit(":", 1)[1]))) as slow:
        head = f"POST {server.path('Ann')}/item/1/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
        slow.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\na".encode())
        server.process.send_signal(signal.SIGINT)
        assert server.stop(signal.SIGINT) == 0
    assert server.told() == ""


def test_whoever_is_slow_is_not_waited_for_for_ever(serving):
    server = serving()
    with socket.create_connection(("127.0.0.1", int(server.base.rsplit(":", 1)[1]))) as slow:
        head = f"POST {server.path('Ann')}/item/1/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
        slow.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\na".encode())
        assert server.stop() == 0
    assert server.told() == ""


def test_the_organisers_figures_end_with_the_server_and_nobody_waits_for_them(serving):
    server = serving()
    with browser(server) as client, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.get, f"{server.path('organiser')}/")
        process = server.process.pid
        children = []
        while not children or "figures_process" not in Path(f"/proc/{children[0]}/cmdline").read_text():
            children = " ".join(each.read_text() for each in Path(f"/proc/{process}/task").glob("*/children")).split()
            assert not waiting.done()
        os.kill(int(children[0]), signal.SIGSTOP)
        assert acknowledged(rate(client, begin(client, server.path("Ann")).text))
        assert server.stop() == 0
        assert waiting.result(20).status_code == 400
    assert not Path(f"/proc/{children[0]}").exists()
    assert server.told() == ""


def test_a_port_that_is_taken_ends_in_a_sentence(serving, tmp_path):
    port = serving().base.rsplit(":", 1)[1]
    done = command("serve", tmp_path / "p.db", "--port", port)
    assert done.returncode == 1
    why = "Address already in use; give another --port or --host."
    assert done.stderr == f"voirdire: The server can't listen at 127.0.0.1:{port}: {why}\n"


def test_links_change_under_a_running_server(serving, tmp_path):
    server = serving()
    with browser(server) as client:
        assert client.get(f"{server.path('Ann')}/").status_code == 200
        told = command("links", tmp_path / "p.db", "--renew", "Ann", "--add", "Cem").stdout
        fresh = dict(re.findall(r"^  (\w+) \(rater\): http://127\.0\.0\.1:\d+(\S+)$", told, re.MULTILINE))
        assert client.get(f"{server.path('Ann')}/").status_code == 404
        assert client.get(fresh["Ann"]).status_code == client.get(fresh["Cem"]).status_code == 200


def test_two_servers_of_one_project_lose_nothing(tmp_path):
    names = tuple(f"R{number}" for number in range(8))
    project = make_project(tmp_path / "p.db", [turn(number) for number in range(20)], names, raters_per_item=2)
    with Server(project) as one, Server(project) as other, ThreadPoolExecutor(len(names)) as pool:
        sent = list(pool.map(lambda name: work_through(one if names.index(name) % 2 else other, name), names))
    rows = [row for row in read_project(project).rows if row.kind == "rate"]
    assert {row.token for row in rows} == set().union(*sent) and len(rows) == 40
    progress = progress_of(read_project(project))
    assert progress.by_ratings == {0: 0, 2: 20}  # never three for one, whichever server handed it out


def work_through(server, name):
    """Rate whatever comes; the tokens of what was acknowledged."""
    tokens = set()
    with browser(server) as client:
        page = begin(client, server.path(name)).text
        while "All done" not in page:
            address, fields = form_of(page, far="0.5", sas="0.5")
            answer = client.post(address, data=fields)
            assert acknowledged(answer), answer.text
            tokens.add(fields["token"])
            page = client.get(answer.headers["location"]).text
    return tokens


def test_reading_and_seating_go_on_beside_raters_at_work(serving, tmp_path):
    server, path = serving([turn(number) for number in range(30)]), tmp_path / "p.db"
    failed, over = [], threading.Event()

    def look_on():
        while not over.is_set():
            try:
                progress_of(read_project(path))
                with Store.open(path) as store:
                    change_links(store, renew=["Ben"])
            except Exception as error:
                failed.append(error)

    looking = threading.Thread(target=look_on)
    looking.start()
    tokens = work_through(server, "Ann")
    over.set()
    looking.join(30)
    assert failed == []
    assert {row.token for row in read_project(path).rows if row.kind == "rate"} == tokens


def test_what_can_not_be_saved_is_not_called_saved(tmp_path):
    path = make_project(tmp_path / "p.db", [turn(0)])
    with Store.open(path) as store:
        app = make_app(RatingService(store))
        secret = store.links()[0].secret
        store._group.close()  # as if the disk were full

        async def post():
            transport = httpx2.ASGITransport(app=app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                return await client.post(f"/w/{secret}/next")

        answer = asyncio.run(post())
    assert answer.status_code == 503
    assert "That was not saved" in answer.text and "nothing more can be saved" in answer.text
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_mistake_of_the_servers_tells_nothing_and_keeps_the_headers(tmp_path):
    path = make_project(tmp_path / "p.db", [turn(0)])
    with Store.open(path) as store:
        app, secret = make_app(RatingService(store)), store.links()[0].secret
        app.app.state.pages = None

        async def get():
            transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                return await client.get(f"/w/{secret}/")

        answer = asyncio.run(get())
    assert (answer.status_code, answer.text) == (500, "Internal Server Error")
    assert answer.headers["x-frame-options"] == "DENY"


def test_others_on_the_network_are_let_in_by_address_and_by_the_names_given(serving):
    server = serving(options=("--host", "0.0.0.0", "--server-name", "rate.example"))
    assert "plain HTTP" in server.told() and "reverse proxy with TLS" in server.told()
    port = server.base.rsplit(":", 1)[1]
    assert server.base == f"http://rate.example:{port}"
    statuses = {}
    for host in (
        f"127.0.0.1:{port}",
        f"192.0.2.7:{port}",
        "[2001:db8::1]",
        "rate.example",
        "RATE.example.",
        "x.example",
    ):
        answer = httpx2.get(f"http://127.0.0.1:{port}/", headers={"Host": host})
        statuses[host] = answer.status_code
    assert list(statuses.values()) == [200, 200, 200, 200, 200, 421]


def test_behind_a_proxy_with_tls_forms_of_its_name_are_let_through(serving):
    server = serving(options=("--server-name", "rate.example"))
    page = server.path("Ann")
    with httpx2.Client(base_url=f"http://127.0.0.1:{server.base.rsplit(':', 1)[1]}") as client:
        host = {"Host": "rate.example"}
        assert client.post(f"{page}/next", headers={**host, "Origin": "https://rate.example"}).status_code == 303
        assert client.post(f"{page}/next", headers={**host, "Origin": "https://x.example"}).status_code == 403


def test_only_this_machine_is_listened_to_by_default(serving):
    server = serving()
    assert server.base.startswith("http://127.0.0.1:") and server.told() == ""


def test_nothing_is_called_saved_once_the_file_is_gone(serving, tmp_path):
    server = serving()
    with browser(server) as client:
        page = begin(client, server.path("Ann")).text
        away = (tmp_path / "p.db").rename(tmp_path / "away.db")
        refused = rate(client, page)
        assert refused.status_code == 503 and "moved, removed or replaced" in refused.text
        away.rename(tmp_path / "p.db")
        assert acknowledged(rate(client, page))
        (tmp_path / "p.db").unlink()
        assert server.stop() == 1
    assert server.told().startswith("voirdire: The file of the project") and server.told().count("\n") == 1


def test_looking_at_a_project_leaves_no_file_beside_it_and_a_server_its_own(serving, tmp_path):
    server = serving()
    with browser(server) as client:
        assert acknowledged(rate(client, begin(client, server.path("Ann")).text))
        beside = sorted(path.name for path in tmp_path.iterdir())
        for item_state in ("status", "plan"):
            assert command(item_state, tmp_path / "p.db").returncode == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == beside
        assert acknowledged(rate(client, begin(client, server.path("Ann")).text))
    assert server.stop() == 0
    for item_state in ("status", "plan"):
        assert command(item_state, tmp_path / "p.db").returncode == 0
        assert [path.name for path in tmp_path.iterdir()] == ["p.db"]
