"""`voirdire integrity`: how responses treat established facts, and how far those who judge it can be trusted."""

from voirdire.cli.integrity import audit, scoring, study  # noqa: F401  (each registers its commands)
from voirdire.cli.integrity._app import app

__all__ = ["app"]
