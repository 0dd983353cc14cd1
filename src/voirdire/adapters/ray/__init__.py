"""Work on data of any size, a shard at a time: on this machine or on a Ray cluster. The extra `ray`."""

from voirdire.adapters.ray.audits import audit_shards
from voirdire.adapters.ray.detection import DetectionSummary, detect_shards
from voirdire.adapters.ray.labels import label_shards
from voirdire.adapters.ray.runs import SpreadRun
from voirdire.adapters.ray.workers import Cluster, Executor, Here, ScaleError, Spread, check_installed, open_cluster

__all__ = [
    "Cluster",
    "DetectionSummary",
    "Executor",
    "Here",
    "ScaleError",
    "Spread",
    "SpreadRun",
    "audit_shards",
    "check_installed",
    "detect_shards",
    "label_shards",
    "open_cluster",
]
