"""Tests on a record that is not on this machine are not collected; tests/conftest.py says so."""

from tests.published.records import lacking

collect_ignore = lacking()
