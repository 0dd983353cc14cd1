"""`voirdire detectors`: which there are, and how one is trained or calibrated on your own labels."""

from voirdire.cli.detectors import calibrate, listing, train  # noqa: F401  (each registers its commands)
from voirdire.cli.detectors._app import app

__all__ = ["app"]
