"""`voirdire ddft`: cross-examinations, what they found, and whether they were sound."""

from voirdire.cli.ddft import concepts, plan, replicate, run, studies, validate  # noqa: F401  (each registers its commands)
from voirdire.cli.ddft._app import app

__all__ = ["app"]
