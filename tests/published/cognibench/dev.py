"""The development half, read once."""

from functools import cache

from tests.published.records import DEV
from voirdire.cognibench.formats import read_released


@cache
def dev():
    return tuple(read_released(DEV))
