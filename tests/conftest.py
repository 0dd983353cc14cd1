"""Settings of all tests."""

import os

from hypothesis import settings

# How long an example takes says nothing of whether the code is right, least of all on a busy machine.
settings.register_profile("voirdire", deadline=None)
settings.load_profile("voirdire")

# Runners that spread tests over processes set a width of their own.
os.environ["COLUMNS"] = "100"
