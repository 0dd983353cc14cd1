"""The app as a real process that can be killed and comes back at the same address."""

from __future__ import annotations

from pathlib import Path

from tests.extras.raters._serving import Server
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Project


class Served:
    """A project that is served."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.server = Server(path)

    @property
    def project(self) -> Project:
        """As it stands on disk."""
        return read_project(self.path)

    def start_again(self) -> None:
        """Where it was before."""
        self.server = Server(self.path, port=int(self.server.base.rsplit(":", 1)[1]))
