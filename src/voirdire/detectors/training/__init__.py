"""Training of detectors: grouped splits, an encoder, a generative CogniDet, and how they gain from more data.

What needs torch is imported by name only: `voirdire.detectors.training.encoder`, `….generative`.
"""

from voirdire.detectors.training.scaling import SHARES, Curve, LogFit, Point, Trainer, fit_log, learning_curve
from voirdire.detectors.training.splits import Split, assign_folds, group_folds, group_sizes, split_groups

__all__ = [
    "SHARES",
    "Curve",
    "LogFit",
    "Point",
    "Split",
    "Trainer",
    "assign_folds",
    "fit_log",
    "group_folds",
    "group_sizes",
    "learning_curve",
    "split_groups",
]
