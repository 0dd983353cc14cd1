"""`voirdire raters`: people who annotate and adjudicate."""

from voirdire.cli.raters import agreement, anchor, exporting, importing, new, plan, serve, status  # noqa: F401  (each registers its commands)
from voirdire.cli.raters._app import app

__all__ = ["app"]
