"""What a run that is to repeat exactly must not draw by chance: the marks of its fences, which its judges read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_MAY_DIFFER = ("info", "redacted")


def repeated_secret(manifest: Mapping[str, Any]) -> bytes | None:
    """The secret that fences of an exact run are made with: the same whenever the same is asked with the same seed.

    `None` for other runs, whose secret is the journal's own. A judge is shown the marks of fences, and a model in this
    process answers differently to different marks.

    Args:
        manifest: of the run.
    """
    if not manifest.get("exact"):
        return None
    asked = {name: value for name, value in manifest.items() if name not in _MAY_DIFFER}
    return hashlib.sha256(f"fences of {json.dumps(asked, sort_keys=True)}".encode()).digest()
