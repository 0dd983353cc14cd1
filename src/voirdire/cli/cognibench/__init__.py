"""`voirdire cognibench`: is each sentence of an answer faithful to its context?"""

from voirdire.cli.cognibench import bench, diagnose, generate, stats  # noqa: F401  (each registers its commands)
from voirdire.cli.cognibench._app import app

__all__ = ["app"]
