"""The labeller: a language model asked to mark every sentence of an answer (CogniBench 3)."""

from voirdire.detectors.labelling.labeller import Labeller
from voirdire.detectors.labelling.prompting import prompt_hashes
from voirdire.detectors.labelling.records import AnswerLabels, JudgedStatement, LabelPlan, TypeSource, Vote

__all__ = ["AnswerLabels", "JudgedStatement", "LabelPlan", "Labeller", "TypeSource", "Vote", "prompt_hashes"]
