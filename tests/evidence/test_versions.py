"""Versions are in order part by part, and the context's limits allow more of them than it names."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions

NEWER = "The package works with Python 3.9 and newer. Install it with pip."
PLUGIN = "The plugin works with version 3.9 and newer."


@pytest.mark.parametrize(
    ("context", "sentence", "changed"),
    [
        (NEWER, "The package works with Python 3.9 or later.", False),
        (NEWER, "The package works with Python 3.10.", False),
        (NEWER, "The package works with Python 3.8.", True),
        (NEWER, "The package works with Python 3.10 or later.", True),
        ("Supported is Python 3.9+ on Linux.", "Python 3.11 is supported on Linux.", False),
        ("You need at least Python 3.9.", "Python 3.11 is enough.", False),
        ("Use Django 4.2 or older with this library.", "Use this library with Django 3.10.", False),
        ("Use Django 4.2 or older with this library.", "Use this library with Django 4.10.", True),
        ("The tool runs on Python 3.8 to 3.12.", "The tool runs on Python 3.10.", False),
        ("The tool runs on Python 3.8 to 3.12.", "The tool runs on Python 3.13.", True),
        ("The package needs Python 3.12.", "The package needs Python 3.10 or later.", True),
        (PLUGIN, "The plugin works with version 3.10.", False),
        (PLUGIN, "The plugin works with version 3.8.", True),
        ("The plugin works with versions 3.8 and 3.9.", "The plugin works with version 3.9.", False),
        ("The plugin needs version 3.10.", "The plugin needs version 3.1.", True),
        ("The driver needs firmware version 2.4.1.", "The driver needs firmware version 2.4.3.", True),
        ("The V20 is lighter than the V40.", "The V20 is lighter than the V40, which is heavier.", False),
    ],
)
def test_a_version_contradicts_only_beyond_the_limits_of_the_context(context, sentence, changed):
    assert bool(find_contradictions(sentence, ContextIndex.from_context(context))) is changed
