"""The audit, as the suite asks for it: paths in, the printed JSON as data out."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ALARMS = ("warn", "fail")


def audit_json(paths: Sequence[Path], arguments: Sequence[str] = ()) -> dict[str, Any]:
    """What `voirdire audit PATH… --json` prints, in this process and in an empty folder.

    Raises:
        RuntimeError: it ended in an error, or printed no JSON.
    """
    from voirdire.cli import main

    out, err = io.StringIO(), io.StringIO()
    before, argv = Path.cwd(), sys.argv
    code: Any = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.argv = ["voirdire", "audit", *map(str, paths), *arguments, "--json"]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                main()
        except SystemExit as ended:
            code = ended.code
        finally:
            sys.argv = argv
            os.chdir(before)
    try:
        found = json.loads(out.getvalue())
    except json.JSONDecodeError:
        said = (err.getvalue() or out.getvalue()).strip()[-400:]
        raise RuntimeError(f"exit code {code}: {said}") from None
    return dict(found)


def alarms(audit: dict[str, Any], check: str, models: Sequence[str] = ()) -> bool:
    """Whether a check warns or fails for one of these models, or where it names none."""
    for row in audit["checks"]:
        if row["id"] == check and row["status"] in ALARMS:
            named = row.get("models") or []
            if not models or not named or any(_same(one, other) for one in models for other in named):
                return True
    return False


def _same(one: str, other: str) -> bool:
    """Whether two names mean one model: formats write owners and separators in their own ways."""
    first, second = ("".join(filter(str.isalnum, name.rpartition("/")[2].lower())) for name in (one, other))
    return first in second or second in first
