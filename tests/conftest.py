"""Settings of all tests."""

import os

from hypothesis import settings

# How long an example takes says nothing of whether the code is right, least of all on a busy machine.
settings.register_profile("voirdire", deadline=None)
settings.load_profile("voirdire")

# Processes of the tests share the cores: threads of linear algebra would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Runners that spread tests over processes set a width of their own.
os.environ["COLUMNS"] = "100"
