"""What must be settled before the tests and what they test are imported."""

import os
import sys

# Processes of the tests share the cores: threads of linear algebra would only wait for one another. NumPy asks once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Told to keep nothing, as in many containers, every process would compile all of the package and of the tests again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
