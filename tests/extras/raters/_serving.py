"""A project of cross-examined turns, a real server in a process of its own, and raters who call it over HTTP."""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx2

from voirdire.raters.records import Document, Item, Settings
from voirdire.raters.store import Store

REFERENCE = "Water moves through a membrane from where there is much of it to where there is less. "
_LINK = re.compile(r"^  (?P<name>.+?)(?: \((?:rater|adjudicator)\))?: (?P<address>http://\S+)$", re.MULTILINE)
_FORM = re.compile(r'<form method="post" action="([^"]*)"[^>]*>(.*?)</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def turn(number, answer=REFERENCE, **body):
    """A turn to be rated, as a document."""
    shown = {
        "concept": f"Osmosis {number}",
        "reference": REFERENCE,
        "turn": 1,
        "history": [],
        "question": "What is it?",
        "answer": answer,
        "fabricated": "",
        "kind": "established",
        "as_of": "",
    }
    return Document(id=f"turn-{number}", body={**shown, **body}, group=f"c{number}", source={"key": f"turn-{number}"})


def make_project(path, documents, raters=("Ann", "Ben"), adjudicators=(), items=None, **settings):
    """A project file with these people."""
    people = [(name, "rater") for name in raters] + [(name, "adjudicator") for name in adjudicators]
    items = items or [Item(id=each.id, document=each.id) for each in documents]
    Store.create(path, Settings(task="ddft", title="Turns", **settings), documents, items, people)
    return path


class Server:
    """`voirdire rate serve` in a process of its own, at any port that is free."""

    def __init__(self, project: Path, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "voirdire", "rate", "serve", str(project), "--port", str(port), *options]
        self._told = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._told, text=True)
        with Store.open(project) as store:
            people = 1 + len(store.links())
        said = [self.process.stdout.readline() for _ in range(1 + people)]
        self.links = {found["name"]: found["address"] for found in map(_LINK.match, said[1:]) if found}
        assert len(self.links) == people, f"the server did not start: {self.told()}"
        self.base = re.search(r"http://[^\s;]+", said[0])[0]

    def path(self, name: str) -> str:
        """Somebody's link without the host, and without the last slash."""
        return self.links[name].removeprefix(self.base).rstrip("/")

    def told(self) -> str:
        """What it wrote to stderr."""
        self._told.seek(0)
        return self._told.read()

    def kill(self) -> None:
        """As a power cut would: SIGKILL."""
        self.process.kill()
        self._end()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end; its exit code."""
        self.process.send_signal(number)
        self._end()
        return self.process.returncode

    def _end(self) -> None:
        self.process.wait(20)
        self.process.stdout.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        self._told.close()


def browser(server, **options):
    """Somebody's browser, as far as forms go: over plain HTTP, so no certificates are read (27 ms each time)."""
    return httpx2.Client(base_url=server.base, timeout=60, verify=False, **options)


def begin(client, path):
    """Take up what comes next, as the page's button does; the page of the item."""
    return client.post(f"{path}/next", follow_redirects=True)


def form_of(page, ending="/act", **fields):
    """Address and fields of a page's first form of that kind that is no undo, filled in."""
    for address, inner in _FORM.findall(page):
        found = dict(_HIDDEN.findall(inner))
        if address.endswith(ending) and found.get("action") != "undo":
            return address, {**found, **fields}
    raise AssertionError(f"no such form on the page:\n{page}")


def rate(client, page, far="0.5", sas="0.5", **more):
    """Send a page's rating; what comes back."""
    address, fields = form_of(page, far=far, sas=sas, **more)
    return client.post(address, data=fields)


def acknowledged(response):
    """Whether an answer was said to be saved."""
    return response.status_code == 303
