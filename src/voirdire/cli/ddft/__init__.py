"""`voirdire ddft`: cross-examinations, what they found, and whether they were sound."""

from voirdire.cli.ddft import replicate, studies  # noqa: F401  (each registers its commands)
from voirdire.cli.ddft._app import app

__all__ = ["app"]
