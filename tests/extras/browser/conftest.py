"""A real Chromium, and pages that tell what went wrong in them."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

_STORE = "Object.entries(%s).forEach(([key, value]) => localStorage.setItem(key, value));"
_NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage here'); } });"


@dataclass
class Visit:
    """A page that was opened, with everything that happened in it which should not."""

    page: Page
    console: list[str] = field(default_factory=list)
    """Errors and warnings on the console, breaches of the Content-Security-Policy included."""
    errors: list[str] = field(default_factory=list)
    """Exceptions that nobody caught."""
    requests: list[str] = field(default_factory=list)
    """Whatever was asked for besides the file itself."""

    def assert_quiet(self) -> None:
        """Nothing complained, and nothing was asked of anybody."""
        assert (self.console, self.errors, self.requests) == ([], [], [])


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """Debian's chromium, without its windows where it is there so (a third less work), or the one of playwright."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One for all tests of a process."""
    with open_chromium() as browser:
        yield browser


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Callable[..., Visit]]:
    """Opens a file: `visit(path, fragment="", forbid_storage=False, stored=None, **context_options)`.

    Its window is 1280 units wide by default; `stored` is what the file remembers from before.
    """
    contexts = []

    def open_file(
        path: Path,
        fragment: str = "",
        forbid_storage: bool = False,
        stored: dict[str, str] | None = None,
        **options: object,
    ) -> Visit:
        defaults = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        context = chromium.new_context(**{**defaults, **options})
        contexts.append(context)
        visited = Visit(context.new_page())
        address = path.resolve().as_uri()
        page = visited.page
        page.set_default_timeout(10_000)
        page.on("console", lambda said: said.type in ("error", "warning") and visited.console.append(said.text))
        page.on("pageerror", lambda error: visited.errors.append(str(error)))
        page.on("request", lambda asked: asked.url.split("#")[0] == address or visited.requests.append(asked.url))
        if forbid_storage:
            page.add_init_script(_NO_STORAGE)
        if stored:
            page.add_init_script(_STORE % json.dumps(stored))
        page.goto(f"{address}{fragment}")
        return visited

    yield open_file
    for context in contexts:
        context.close()
