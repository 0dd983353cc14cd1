"""The templates of the web app without the app, which needs an extra."""

from pathlib import Path

import jinja2

from voirdire import raters
from voirdire.raters.tasks import open_task
from voirdire.raters.web.rating import Place
from voirdire.text.counting import counted

ROOT = Path(raters.__file__).parent


def environment_of(task, folder=None, **known):
    """Templates of all pages, those of a task under its name; they stand in the folder of that name, or in another."""
    own = jinja2.PrefixLoader({task: jinja2.FileSystemLoader(ROOT / "tasks" / (folder or task) / "templates")})
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader(ROOT / "web" / "templates"), own]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["counted"] = counted
    made.globals.update({"task": open_task(task), "place": Place(2, 7, False)} | known)
    return made
