"""A run's figures, corrected by what people said of a part of it: prediction-powered, and corrected for judges' errors.

from voirdire.raters.anchoring import anchor
anchor(project, Path("runs/study"))
"""

from voirdire.raters.anchoring.anchored_run import anchor
from voirdire.raters.anchoring.records import AnchoredFigure, Anchoring, Distribution

__all__ = ["AnchoredFigure", "Anchoring", "Distribution", "anchor"]
