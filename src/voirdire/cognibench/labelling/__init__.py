"""Labelling answers with a language model (CogniBench 3): from data to a run folder, and back."""

from voirdire.cognibench.labelling.loader import manifest_of, prompt_groups, read_labelled
from voirdire.cognibench.labelling.records import LabelledAnswer, LabelTask
from voirdire.cognibench.labelling.session import answers_of, label_answers, new_run_path

__all__ = [
    "LabelTask",
    "LabelledAnswer",
    "answers_of",
    "label_answers",
    "manifest_of",
    "new_run_path",
    "prompt_groups",
    "read_labelled",
]
