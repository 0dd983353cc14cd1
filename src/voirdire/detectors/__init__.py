"""Detectors: anything that marks the sentences of an answer that its evidence does not carry.

They are opened by name, and import what they need only then:

    from voirdire.detectors import open_detector
    open_detector("lexical").flag("The tower is 300 m high.", ["It is 300 m high.", "It is loved by everyone."])
"""

from voirdire.detectors.base import KINDS, Detector, DetectorKind, DetectorOptions, OneByOne, open_detector
from voirdire.detectors.records import (
    HISTORIES,
    LABELS,
    REQUIREMENTS,
    Answer,
    DetectorError,
    Exchange,
    History,
    Label,
    Passage,
    Require,
    Statement,
    StatementType,
    hallucinated,
    passage_of,
    type_of,
)

__all__ = [
    "HISTORIES",
    "KINDS",
    "LABELS",
    "REQUIREMENTS",
    "Answer",
    "Detector",
    "DetectorError",
    "DetectorKind",
    "DetectorOptions",
    "Exchange",
    "History",
    "Label",
    "OneByOne",
    "Passage",
    "Require",
    "Statement",
    "StatementType",
    "hallucinated",
    "open_detector",
    "passage_of",
    "type_of",
]
