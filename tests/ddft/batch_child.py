"""Judging by batch in a process that can be killed.

python -m tests.ddft.batch_child FOLDER BASE_URL
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.ddft.test_batching import JURY, QUICK
from voirdire.ddft.session import score_run
from voirdire.runs import RunOptions

if __name__ == "__main__":
    asyncio.run(score_run(Path(sys.argv[1]), JURY, base_url=sys.argv[2], options=RunOptions(batch=QUICK)))
