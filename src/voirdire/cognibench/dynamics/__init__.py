"""Analyses of labelled answers: what they are made of and where they are unfaithful, by turn, position, model …."""

from voirdire.cognibench.dynamics.comparisons import DataSet, Difference, compare_datasets, compare_models
from voirdire.cognibench.dynamics.estimates import Estimate
from voirdire.cognibench.dynamics.report import INTERVALS, Dynamics, examine
from voirdire.cognibench.dynamics.rows import Rows, pooled, read_one, read_sets, rows_of
from voirdire.cognibench.dynamics.sampling import Sampling, sampling
from voirdire.cognibench.dynamics.scaling import SCALABLE, Scaling, scale
from voirdire.cognibench.dynamics.shares import Basics, Coverage, basics, coverage
from voirdire.cognibench.dynamics.strata import Stratum, by_model, by_place, by_topic, by_turn, trends, whole

__all__ = [
    "INTERVALS",
    "SCALABLE",
    "Basics",
    "Coverage",
    "DataSet",
    "Difference",
    "Dynamics",
    "Estimate",
    "Rows",
    "Sampling",
    "Scaling",
    "Stratum",
    "basics",
    "by_model",
    "by_place",
    "by_topic",
    "by_turn",
    "compare_datasets",
    "compare_models",
    "coverage",
    "examine",
    "pooled",
    "read_one",
    "read_sets",
    "rows_of",
    "sampling",
    "scale",
    "trends",
    "whole",
]
