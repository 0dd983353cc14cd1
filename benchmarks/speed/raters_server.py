"""How long raters wait when many save at the same moment.

    python -m benchmarks.speed.raters_server

A real server (`voirdire rate serve`) in a process of its own, on a project of 2,000 answers with contexts of about
6,000 characters; N raters answer the ladder's questions as the page's script would, all of them at the same instant,
round after round. An answer is measured from sending to the last byte of the next question's page, client included.
The bar: 300 ms at the 95th percentile with 50 raters on two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import aiohttp

from voirdire.raters.records import Document, Item, Role, Settings
from voirdire.raters.store import Store

SMALL = ("--raters", "5", "--rounds", "3")

DOCUMENTS, STATEMENTS = 2000, 5
SENTENCE = "The committee met in the old town hall, and nobody there could remember what had been said before. "
CONTEXT = SENTENCE * 60
BAR_MS = 300.0
FIELD = re.compile(r'<input type="hidden" name="(token|seen|action|question)" value="([^"]*)">')
FORM = re.compile(r'<form method="post" action="([^"]*/act)"[^>]*>(.*?)</form>', re.DOTALL)
ANSWERS = {"irrelevant": "no", "type": "factual", "faithful": "yes"}


def make_project(path: Path, raters: int) -> None:
    """2,000 answers of five statements each."""
    documents, items = [], []
    for number in range(DOCUMENTS):
        texts = [f"Statement {place} of answer {number} says what was decided." for place in range(STATEMENTS)]
        starts = [sum(len(text) + 1 for text in texts[:place]) for place in range(STATEMENTS)]
        statements = [
            {"text": text, "start": start, "end": start + len(text)} for text, start in zip(texts, starts, strict=True)
        ]
        body = {
            "context": CONTEXT,
            "question": "What was decided?",
            "answer": " ".join(texts),
            "history": [],
            "statements": statements,
        }
        documents.append(Document(id=f"a{number}", body=body, group=f"g{number}"))
        items += [Item(id=f"a{number}#{place}", document=f"a{number}", place=place) for place in range(STATEMENTS)]
    people: list[tuple[str, Role]] = [(f"Rater {number}", "rater") for number in range(raters)]
    Store.create(path, Settings(task="cognibench", title="Benchmark"), documents, items, people)


def next_form(page: str) -> tuple[str, dict[str, str]]:
    """The form that answers the question on a page."""
    for address, inner in FORM.findall(page):
        fields = dict(FIELD.findall(inner))
        if fields.get("action") == "answer" and fields["question"] in ANSWERS:
            return address, {**fields, "answer": ANSWERS[fields["question"]], "seconds": "4.2"}
    raise SystemExit(f"No form that answers on the page:\n{page}")


class Rater:
    """Somebody's browser."""

    def __init__(self, session: aiohttp.ClientSession, link: str) -> None:
        self.session, self.link = session, link
        self.host = link.split("/w/")[0]
        self.address = ""
        self.fields: dict[str, str] = {}
        self.size = 0

    async def begin(self) -> None:
        """Be handed the first answer."""
        async with self.session.post(f"{self.link}next") as response:
            self.address, self.fields = next_form(await response.text())

    async def save(self) -> float:
        """Answer a question; seconds until the next one is there."""
        began = time.perf_counter()
        headers = {"HX-Request": "true"}
        async with self.session.post(f"{self.host}{self.address}", data=self.fields, headers=headers) as response:
            page = await response.text()
        took = time.perf_counter() - began
        if response.status != 200:
            raise SystemExit(f"{response.status}: {page}")
        self.size = len(page)
        self.address, self.fields = next_form(page)
        return took


async def measure(links: list[str], rounds: int) -> tuple[list[float], float, int]:
    """Seconds of each answer, of the whole, and the bytes of a page."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        raters = [Rater(session, link) for link in links]
        await asyncio.gather(*(rater.begin() for rater in raters))
        for _ in range(3):
            await asyncio.gather(*(rater.save() for rater in raters))
        began, took = time.perf_counter(), []
        for _ in range(rounds):
            took += await asyncio.gather(*(rater.save() for rater in raters))
        return took, time.perf_counter() - began, raters[0].size


def serve(project: Path) -> tuple[subprocess.Popen[str], list[str]]:
    """The server, and the raters' links."""
    command = [sys.executable, "-m", "voirdire", "rate", "serve", str(project), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    with Store.open(project) as store:
        people = len(store.links())
    links: list[str] = []
    while len(links) < people:
        links += re.findall(r"http://\S+/w/\S+", server.stdout.readline())
    return server, links


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def run(raters: int, rounds: int, folder: Path) -> dict[str, float]:
    project = folder / f"{raters}.db"
    make_project(project, raters)
    server, links = serve(project)
    try:
        before = _cpu(server.pid)
        took, whole, size = asyncio.run(measure(links, rounds))
        cpu = _cpu(server.pid) - before
    finally:
        server.terminate()
        server.wait(20)
    ms = [1000 * each for each in took]
    return {
        "raters": raters,
        "answers": len(ms),
        "p50_ms": quantile(ms, 0.5),
        "p95_ms": quantile(ms, 0.95),
        "p99_ms": quantile(ms, 0.99),
        "max_ms": max(ms),
        "per_second": len(ms) / whole,
        "server_cpu_ms": 1000 * cpu / (len(ms) + 4 * raters),
        "page_bytes": size,
    }


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raters", type=int, nargs="+", default=[20, 50, 100])
    parser.add_argument("--rounds", type=int, default=40)
    chosen = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    names = ("voirdire", "starlette", "uvicorn", "jinja2", "aiohttp")
    print(f"{platform.machine()}, {os.cpu_count()} cores, {_processor()}, load {os.getloadavg()[0]:.2f}")
    print(f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in names))
    print("raters  answers   p50 ms   p95 ms   p99 ms   max ms  answers/s  server CPU ms  page bytes")
    with tempfile.TemporaryDirectory() as folder:
        for raters in chosen.raters:
            found = run(raters, chosen.rounds, Path(folder))
            print(
                f"{raters:6d}  {found['answers']:7d}  {found['p50_ms']:7.0f}  {found['p95_ms']:7.0f}  "
                f"{found['p99_ms']:7.0f}  {found['max_ms']:7.0f}  {found['per_second']:9.0f}  "
                f"{found['server_cpu_ms']:13.2f}  {found['page_bytes']:10d}",
                flush=True,
            )
            if raters == 50:
                print(f"        the bar, {BAR_MS:.0f} ms at p95: {'met' if found['p95_ms'] <= BAR_MS else 'MISSED'}")


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


if __name__ == "__main__":
    main()
