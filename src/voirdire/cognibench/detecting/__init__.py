"""Show answers to a detector, a few dozen at a time, and say what it flags."""

from voirdire.cognibench.detecting.records import Count, Detected, Finding
from voirdire.cognibench.detecting.scoring import CHUNK, COMPARED, Explaining, detect
from voirdire.cognibench.detecting.workers import ASKING, LIGHT, DetectTask, detect_items, usual_workers
from voirdire.cognibench.detecting.writer import open_table, schema, writing

__all__ = [
    "ASKING",
    "CHUNK",
    "COMPARED",
    "LIGHT",
    "Count",
    "DetectTask",
    "Detected",
    "Explaining",
    "Finding",
    "detect",
    "detect_items",
    "open_table",
    "schema",
    "usual_workers",
    "writing",
]
