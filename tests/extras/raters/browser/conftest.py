"""Servers as real processes, and people before a real Chromium."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.extras.browser.conftest import chromium  # noqa: F401  (a fixture)
from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._serving import Served


@pytest.fixture
def serve() -> Iterator[Callable[[Path], Served]]:
    """Serves a project until the test is over."""
    servers = []

    def start(path: Path) -> Served:
        servers.append(Served(path))
        return servers[-1]

    yield start
    for server in servers:
        server.server.__exit__()


@pytest.fixture
def sit_down(chromium: Browser) -> Iterator[Callable[..., Person]]:  # noqa: F811
    """Opens somebody's link: `sit_down(served, "Ann", real_clock=False, **context_options)`.

    1280 by 800, with a mouse for nobody.
    """
    contexts = []

    def open_link(served: Served, name: str, *, real_clock: bool = False, **options: object) -> Person:
        defaults = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        context = chromium.new_context(**{**defaults, **options})
        contexts.append(context)
        return Person(context, served.server.links[name], real_clock=real_clock)

    yield open_link
    for context in contexts:
        context.close()
