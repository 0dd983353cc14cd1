"""The command in this process, which saves starting another: for what reads, computes and prints."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from unittest.mock import patch

from voirdire.cli import main


def voirdire(*arguments, check=True, env=None):
    """Run the command; what it printed, and its exit code."""
    said, told = StringIO(), StringIO()
    before = sys.argv
    sys.argv = ["voirdire", *map(str, arguments)]
    try:
        with patch.dict(os.environ, env or {}), redirect_stdout(said), redirect_stderr(told):
            main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    finally:
        sys.argv = before
    done = subprocess.CompletedProcess(arguments, code, said.getvalue(), told.getvalue())
    if check:
        assert done.returncode == 0, done.stderr
    return done


def voirdire_json(*arguments, **options):
    return json.loads(voirdire(*arguments, "--json", **options).stdout)
