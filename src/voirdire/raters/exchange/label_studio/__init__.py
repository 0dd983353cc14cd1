"""Label Studio's JSON: tasks and predictions in, annotations out, and back.

Its format: https://labelstud.io/guide/task_format.
"""

from voirdire.raters.exchange.label_studio.controls import config_text
from voirdire.raters.exchange.label_studio.forms import shape_of
from voirdire.raters.exchange.label_studio.reader import read_annotations
from voirdire.raters.exchange.label_studio.sources import documents_of, holds_tasks
from voirdire.raters.exchange.label_studio.tasks import Tasks, tasks_of

__all__ = [
    "Tasks",
    "config_text",
    "documents_of",
    "holds_tasks",
    "read_annotations",
    "shape_of",
    "tasks_of",
]
