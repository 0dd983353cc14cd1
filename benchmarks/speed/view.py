"""How long does one wait at `voirdire view`, with 50 runs of 400 dialogues, in a fresh Chromium?

    python -m benchmarks.speed.view [--runs 50]

A run of two simulated models is made once and copied. Each figure is taken by a new server with a new browser, from the
call of an address until what is asked for can be read on the screen. The bars: the list in a second, a run in two.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from playwright.sync_api import Page, sync_playwright

from benchmarks._machine import machine, versions

NEEDS = "playwright and Chromium"
SMALL = ("--runs", "3")

MODELS = ("simulated/steady", "simulated/gullible")
LIST = ".runs tbody tr:last-child"
FIGURE = ".runs .headline"
VERDICT = "main .chart"
REPORT = "#page-contents"


def make_runs(folder: Path, count: int) -> None:
    """Make a run of 400 dialogues, and copies of it."""
    options = [each for model in MODELS for each in ("-m", model)]
    options += ["--preset", "sound", "--jury", "simulated/judge", "--levels", "0,0.25,0.5,0.75,1", "--samples", "5"]
    first = folder / "run-01"
    command = [sys.executable, "-m", "voirdire", "run", *options, "-o", str(first)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for number in range(2, count + 1):
        shutil.copytree(first, folder / f"run-{number:02}")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of its own over these runs."""
    command = [sys.executable, "-m", "voirdire", "view", str(folder), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found is not None, "the server did not start"
        yield found[0]
    finally:
        server.terminate()
        server.wait(20)


@contextmanager
def browsing(folder: Path) -> Iterator[tuple[Page, str]]:
    """A fresh Chromium that has shown nothing yet, and the address of a fresh server."""
    with served(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(300_000)
        yield page, address
        browser.close()


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def opened(page: Page, address: str, *signs: str) -> list[float]:
    """Seconds from the call of an address until each of these can be seen, in their order."""
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    found = []
    for sign in signs:
        page.locator(sign).first.wait_for()
        found.append(time.perf_counter() - began)
    return found


def main() -> None:
    """Print a line for each thing that is waited for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=50)
    count = parser.parse_args().runs
    print(machine())
    print(versions("voirdire", "starlette", "playwright"))
    with tempfile.TemporaryDirectory() as made:
        folder, last = Path(made) / "runs", f"run/run-{count:02}"
        folder.mkdir()
        os.environ["VOIRDIRE_PAGES"] = str(Path(made) / "pages")
        make_runs(folder, count)
        print(f"{count} runs; load {os.getloadavg()[0]:.2f}")
        with served(folder) as address:
            say("list by HTTP, first", seconds(lambda: httpx2.get(address, timeout=300)))
            say("list by HTTP, again", seconds(lambda: httpx2.get(address, timeout=300)))
        shutil.rmtree(Path(made) / "pages", ignore_errors=True)
        with browsing(folder) as (page, address):
            listed, figure = opened(page, address, LIST, FIGURE)
            say("list", listed)
            say("first figure in it", figure)
            verdict, report = opened(page, f"{address}{last}", VERDICT, REPORT)
            say("a run never opened: verdict", verdict)
            say("a run never opened: whole report", report)
            say("list again", opened(page, address, LIST)[0])
        with browsing(folder) as (page, address):
            listed, figure = opened(page, address, LIST, FIGURE)
            say("list after a restart", listed)
            say("first figure after a restart", figure)
            say("a run opened before", opened(page, f"{address}{last}", REPORT)[0])
        print(f"load {os.getloadavg()[0]:.2f}")


def say(what: str, took: float) -> None:
    print(f"{what:<36}{took:6.2f} s", flush=True)


if __name__ == "__main__":
    main()
