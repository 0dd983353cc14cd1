"""A server that people can call."""

import pytest

from tests.extras.raters._serving import Server, make_project, turn


@pytest.fixture
def serving(tmp_path):
    """Makes a project and serves it: serving(documents, raters=…, options=…)."""
    servers = []

    def serve(documents=None, *, options=(), **project):
        path = tmp_path / "p.db"
        if not path.exists():
            make_project(path, documents or [turn(number) for number in range(3)], **project)
        servers.append(Server(path, *options))
        return servers[-1]

    yield serve
    for server in servers:
        with server:
            pass
