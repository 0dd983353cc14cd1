"""Making a project: `make_project` writes the file that raters work in."""

from voirdire.raters.making.project import make_project
from voirdire.raters.making.records import MadeProject, NewProject

__all__ = ["MadeProject", "NewProject", "make_project"]
