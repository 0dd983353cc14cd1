"""Training data from cross-examinations: rejecting a fabrication (verification), and accuracy alone (knowledge).

The paper proposes to train error detection apart from knowledge and expects more from it (DDFT 9.2, prediction 1 of
9.4). The two arms make that a comparison: the same concepts, the same models, as many examples, another lesson.
"""

from voirdire.adapters.export.training.exporting import export_training

__all__ = ["export_training"]
