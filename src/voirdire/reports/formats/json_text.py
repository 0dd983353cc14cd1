"""A report as strict JSON."""

from __future__ import annotations

import json

from voirdire.documents.document import Document


def to_json(document: Document) -> str:
    """What a report gives to programs: `Document.data`, with `null` for what is undefined.

    Raises:
        ValueError: the data hold NaN or infinity, which JSON has no word for.
    """
    return json.dumps(document.data, indent=2, ensure_ascii=False, allow_nan=False)
