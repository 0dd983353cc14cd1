"""The command as a user calls it: in a process of its own."""

import json
import os
import subprocess
import sys


def voirdire(*arguments, check=True, cwd=None, env=None):
    """Run the command; what it printed, and its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "voirdire", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | (env or {}),
        timeout=300,
    )
    if check:
        assert done.returncode == 0, done.stderr
    return done


def voirdire_json(*arguments, **options):
    return json.loads(voirdire(*arguments, "--json", **options).stdout)
