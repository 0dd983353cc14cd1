"""What strangers, other sites, other raters and hostile texts can't do."""

import html
import re
import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.extras.raters._serving import Server, acknowledged, begin, browser, form_of, make_project, rate, turn
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Item

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'>{{ 7 * 7 }}"
STRANGE = "null \0 half \ud800 turned \u202e hidden \u200b tag \U000e0001 end"
LONG = "<b>" + "mégabyte " * 110_000
HOSTILE = {1: SCRIPT, 2: STRANGE, 3: LONG}
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Ann holds the items 1 and 2 (they differ on 1), Ben holds 1; 3 and 4 are assigned to nobody."""
    path = tmp_path_factory.mktemp("security") / "p.db"
    documents = [turn(number, HOSTILE.get(number, "Plain."), question=f"Is {SCRIPT} so?") for number in (1, 2, 3, 4)]
    hostile_id = "../../next?x=1\r\nSet-Cookie: a=b"
    items = [Item(id=hostile_id if each.id == "turn-2" else each.id, document=each.id) for each in documents]
    return make_project(path, documents, ("Ann", "Ben"), ("Dee",), items, raters_per_item=2)


@pytest.fixture(scope="module")
def server(project):
    with Server(project) as serving:
        with browser(serving) as client:
            page = begin(client, serving.path("Ann")).text
            rate(client, page, far="0.1", comment=SCRIPT)
            rate(client, begin(client, serving.path("Ben")).text, far="0.9")
            ask, fields = form_of(page, "/ask", text=f"Why {SCRIPT}?")
            client.post(ask, data=fields)
            begin(client, serving.path("Dee"))
        yield serving


@pytest.fixture
def client(server):
    with browser(server) as each:
        yield each


def rows(project):
    return read_project(project).rows


def raw(server, head, body=b"", more=()):
    """What the server answers to bytes of one's own making: status line and the rest."""
    address = urlsplit(server.base)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + body)
        for part in more:
            try:
                connection.sendall(part)
            except OSError:
                break
        said = b""
        while part := _received(connection):
            said += part
    status, _, rest = said.decode("utf-8", "replace").partition("\r\n")
    return status, rest


def _received(connection):
    try:
        return connection.recv(65536)
    except OSError:
        return b""


# --- hostile content ---


def test_hostile_text_is_shown_as_text_on_every_page(server, client):
    ann = server.path("Ann")
    pages = ("/item/1", "/item/2", "/finished", "/inbox")
    for address in (
        *(f"{ann}{page}" for page in pages),
        f"{server.path('Dee')}/item/1",
        f"{server.path('organiser')}/",
    ):
        page = client.get(address)
        assert page.status_code == 200
        assert "<img src=x" not in page.text and "<script>alert" not in page.text
        assert html.escape(SCRIPT, quote=False).split('"')[0] in page.text
    assert "{{ 7 * 7 }}" in html.unescape(client.get(f"{ann}/item/1").text)


def test_strange_characters_do_no_harm(server, client):
    page = client.get(f"{server.path('Ann')}/item/2")
    assert page.status_code == 200
    assert "half ? turned \u202e hidden \u200b" in page.text


def test_an_answer_of_a_megabyte_is_shown(server, client, project):
    with browser(server) as ben:
        page = begin(ben, server.path("Ben"))  # 2
        page = ben.get(rate(ben, page.text).headers["location"])  # 3
    assert page.text.count("mégabyte") == 110_000 and "&lt;b&gt;mégabyte" in page.text


def test_what_raters_write_comes_back_as_written(server, client, project):
    assert any(row.body.get("comment") == SCRIPT for row in rows(project))
    written = "a\0b \u202e \u200b \U0001f600 \r\n c" + "\ufffd"
    page = client.get(f"{server.path('Ann')}/item/2").text
    address, fields = form_of(page, "/ask", text=written)
    assert client.post(address, data=fields).status_code == 303
    assert rows(project)[-1].body["text"] == written.replace("\r\n", "\n")


# --- other people's work ---


def test_a_wrong_secret_opens_nothing(server, client):
    secret = server.path("Ann").removeprefix("/w/")
    wrong = [secret[:-1], secret + "x", secret.swapcase(), secret[:8] + "A" * 24, "x", "%00", "é", "A" * 5000]
    for each in wrong:
        for page in ("/", "/next", "/item/1", "/inbox", "/finished", "/guide"):
            answer = client.get(f"/w/{each}{page}")
            assert answer.status_code == 404 and "Osmosis" not in answer.text, (each, page)
    assert client.get(f"/o/{secret}/").status_code == 404
    assert client.get(f"/w/{server.path('organiser').removeprefix('/o/')}/").status_code == 404


def test_a_link_neither_reads_nor_writes_what_is_in_others_hands(server, client, project):
    before = len(rows(project))
    _, fields = form_of(client.get(f"{server.path('Ann')}/item/2").text, far="0.5", sas="0.5", text="May I?")
    for name, theirs in (("Dee", "2"), ("Dee", "3"), ("Ann", "4")):
        for number in (theirs, "5", "0", "-1", "99999999999999999999", "x", "%2e%2e", "1%00"):
            address = f"{server.path(name)}/item/{number}"
            for answer in (
                client.get(address),
                client.post(f"{address}/act", data=fields),
                client.post(f"{address}/ask", data=fields),
            ):
                assert answer.status_code == 404, address
                assert "Osmosis" not in answer.text and "Plain" not in answer.text
    assert len(rows(project)) == before


def test_what_is_not_there_and_what_is_not_theirs_look_the_same(server, client):
    there, nowhere = (client.get(f"{server.path('Ann')}/item/{number}") for number in ("4", "5"))
    assert there.text == nowhere.text


def test_raters_see_only_their_own_questions_and_nobodys_names(server, client):
    assert "Why" in client.get(f"{server.path('Ann')}/inbox").text
    for page in ("/", "/inbox", "/finished", "/item/1", "/guide"):
        seen = client.get(f"{server.path('Ben')}{page}").text
        assert "Why" not in seen and "Ann" not in seen and server.path("Ann") not in seen


def test_ids_of_items_and_documents_are_not_told(server, client):
    for page in ("/item/1", "/item/2", "/finished", "/inbox"):
        assert "turn-" not in client.get(f"{server.path('Ann')}{page}").text


def test_the_organisers_pages_want_the_organisers_link(server, client, project):
    before = len(rows(project))
    for secret in (server.path("Ann").removeprefix("/w/"), "x"):
        assert client.get(f"/o/{secret}/").status_code == 404
        form = {"question": "1", "text": "x", "token": "tokentoken", "rater": "r1", "document": "turn-2"}
        assert client.post(f"/o/{secret}/reply", data=form).status_code == 404
        assert client.post(f"/o/{secret}/release", data=form).status_code == 404
    assert len(rows(project)) == before


# --- other sites ---


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
def test_forms_from_other_sites_are_refused(server, client, project, headers):
    before = rows(project)
    address, fields = form_of(client.get(f"{server.path('Ann')}/item/2").text, far="0.5", sas="0.5")
    for target in (address, f"{server.path('Ann')}/next", f"{server.path('Ann')}/retake"):
        answer = client.post(target, data=fields, headers=headers)
        assert answer.status_code == 403 and "other sites" in answer.text
    assert rows(project) == before


def test_our_own_pages_are_let_through(server, client):
    for headers in ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, {"Origin": server.base}, {}):
        assert client.post(f"{server.path('Ann')}/next", headers=headers).status_code == 303


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.elsewhere.example", "[::1", "a@127.0.0.1", ""])
def test_a_name_that_is_not_ours_is_refused(server, host):
    status, rest = raw(server, f"GET {server.path('Ann')}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close")
    assert " 421 " in f"{status} " or " 400 " in f"{status} "
    assert "Hello" not in rest


def test_looking_changes_nothing(server, client, project):
    before = rows(project)
    for name in ("Ann", "Ben", "Dee"):
        for page in ("/", "/next", "/item/1", "/item/1?after=1&asked=1", "/inbox", "/finished", "/guide", "/retake"):
            client.get(f"{server.path(name)}{page}")
            client.head(f"{server.path(name)}{page}")
    for page in ("/", "/reply", "/release"):
        client.get(f"{server.path('organiser')}{page}")
    assert rows(project) == before


# --- headers, limits, nonsense ---


@pytest.mark.parametrize(
    ("method", "page", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/static/app.css", 200),
        ("GET", "/static/none.css", 404),
        ("GET", "/w/x/", 404),
        ("GET", "/nowhere", 404),
        ("POST", "/", 405),
        ("DELETE", "{ann}/item/1", 405),
        ("GET", "{ann}/item/1/act", 405),
        ("GET", "{ann}/", 200),
        ("GET", "{ann}/item/1", 200),
        ("POST", "{ann}/item/1/act", 400),
        ("GET", "{organiser}/", 200),
    ],
)
def test_every_answer_has_the_headers(server, client, method, page, status):
    page = page.format(ann=server.path("Ann"), organiser=server.path("organiser"))
    answer = client.request(method, page)
    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert "server" not in answer.headers
    if not page.startswith("/static/"):
        assert answer.headers["cache-control"] == "no-store"


def test_pages_hold_no_script_or_style_of_their_own(server, client):
    for page in ("{ann}/", "{ann}/item/1", "{ann}/inbox", "{ann}/finished", "{ann}/guide", "{organiser}/", "/"):
        text = client.get(page.format(ann=server.path("Ann"), organiser=server.path("organiser"))).text
        assert not re.search(
            r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", re.sub(r">[^<]*<", "><", text)
        )
        assert not re.findall(r'(?:src|href|action)="(?:https?:)?//(?!127\.0\.0\.1)[^"]*"', text)


def test_a_form_beyond_all_measure_is_refused(server, client, project):
    before = len(rows(project))
    address = f"{server.path('Ann')}/item/2/act"
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post(address, content=b"a=" + b"x" * 2_100_000, headers=kind).status_code == 413
    head = (
        f"POST {address} HTTP/1.1\r\nHost: {urlsplit(server.base).netloc}\r\nTransfer-Encoding: chunked\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nConnection: close"
    )
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    status, _ = raw(server, head, more=[chunk] * 40 + [b"0\r\n\r\n"])
    assert "413" in status
    assert len(rows(project)) == before


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"\xff\xfe=\x00", "application/x-www-form-urlencoded"),
        (b"&".join(b"a=%d" % number for number in range(3000)), "application/x-www-form-urlencoded"),
        (b"action=rate&token=a%0d%0ab&seen=0", "application/x-www-form-urlencoded"),
        (b"action=rate&token=tokentoken&seen=nan", "application/x-www-form-urlencoded"),
        (b"action=rate&token=tokentoken&seen=" + b"9" * 5000, "application/x-www-form-urlencoded"),
        (b"action=rate&token=tokentoken&seen=-1", "application/x-www-form-urlencoded"),
        (b"action=%00&token=tokentoken&seen=0&seconds=nan&far=nan&sas=inf", "application/x-www-form-urlencoded"),
        (b"action=undo&token=tokentoken2&seen=0&seconds=1e999", "application/x-www-form-urlencoded"),
        (b"action=rate&token=tokentoken3&seen=0&far=%ff&sas=%ed%a0%80", "application/x-www-form-urlencoded"),
        (b'{"action": "rate"}', "application/json"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"question=" + b"9" * 5000 + b"&text=x", "application/x-www-form-urlencoded"),
        (b"rater=%00&document=%ff&item=x", "application/x-www-form-urlencoded"),
    ],
)
def test_nonsense_is_answered_with_a_sentence(server, client, project, content, kind):
    before = len(rows(project))
    for page in ("{ann}/item/2/act", "{ann}/item/2/ask", "{organiser}/reply", "{organiser}/release"):
        address = page.format(ann=server.path("Ann"), organiser=server.path("organiser"))
        answer = client.post(address, content=content, headers={"Content-Type": kind})
        assert answer.status_code in (400, 409), (address, answer.status_code)
        assert "Traceback" not in answer.text
    assert len(rows(project)) == before


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc/passwd",
        "/static/..%5capp.py",
        "/static/app.css%00",
        "/static/",
    ],
)
def test_nothing_beside_the_static_files_is_served(server, path):
    status, rest = raw(server, f"GET {path} HTTP/1.1\r\nHost: {urlsplit(server.base).netloc}\r\nConnection: close")
    assert " 404 " in status
    assert "import" not in rest and "root:" not in rest


def test_no_header_is_made_of_what_others_wrote(server, client):
    ann = server.path("Ann")
    page = client.get(f"{ann}/item/2?after=1%0d%0aSet-Cookie:%20a=b").text
    address, fields = form_of(page, far="0.4", sas="0.4")
    answer = client.post(address, data=fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    assert re.fullmatch(r"/w/[\w-]+/item/\d+\?after=2", answer.headers["hx-push-url"])


def test_nothing_of_all_this_was_an_error_of_the_servers(server):
    assert server.told() == ""


def test_hundreds_of_requests_that_never_end_keep_nobody_from_being_served(serving):
    """More than the server takes at once, in all stages: nothing sent, half a head, half a body."""
    server = serving()
    port = int(server.base.rsplit(":", 1)[1])
    head = f"POST {server.path('Ann')}/item/1/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n"
    begun = f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    with ExitStack() as stack:
        for number in range(400):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            slow.sendall(["", head, f"{begun}far="][number % 3].encode())
        with browser(server) as client:
            assert acknowledged(rate(client, begin(client, server.path("Ann")).text))
        opened = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        assert opened < 320, "those that waited longest made room"
        assert server.stop() == 0
    assert server.told() == ""
