"""The table `statements.parquet` of a labelling run: one row a statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from voirdire.cognibench.labelling.records import LabelledAnswer
from voirdire.detectors.records import Require, hallucinated

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = {
    "id": "string",
    "dialogue": "string",
    "group": "string",
    "turn": "int64",
    "position": "int64",
    "start": "int64",
    "end": "int64",
    "words": "int64",
    "text": "string",
    "type": "string",
    "cognitive": "Float64",
    "label": "string",
    "hallucinated": "boolean",
    "voted_hallucinated": "boolean",
    "human_label": "string",
    "votes": "object",
    "tiers": "object",
    "missing_votes": "int64",
    "why": "string",
    "used_in_prompt": "bool",
    "addresses": "bool",
    "echoes": "int64",
}


def statement_rows(labelled: Sequence[LabelledAnswer], require: Require) -> pd.DataFrame:
    """One row a statement, in the order of the data.

    `hallucinated` is what the final label means under `require`, `voted_hallucinated` what the first stage alone
    decided; both are missing where nothing is decided. `votes` and `tiers` hold one entry a sample.
    `addresses`: the statement speaks to whoever labels it. `echoes`: samples of its answer whose reply takes that over.
    """
    import pandas as pd

    rows = [row for each in labelled for row in _rows(each, require)]
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


def _rows(each: LabelledAnswer, require: Require) -> list[dict[str, Any]]:
    answer = each.answer
    return [
        {
            "id": answer.id,
            "dialogue": answer.dialogue,
            "group": answer.group,
            "turn": answer.turn,
            "position": position,
            "start": statement.start,
            "end": statement.end,
            "words": statement.words,
            "text": statement.text,
            "type": found.type,
            "cognitive": found.cognitive,
            "label": found.label,
            "hallucinated": None if found.label is None else hallucinated(found.label, require),
            "voted_hallucinated": found.hallucinated,
            "human_label": human,
            "votes": list(found.votes),
            "tiers": list(found.tiers),
            "missing_votes": sum(vote is None for vote in found.votes),
            "why": found.why,
            "used_in_prompt": each.used_in_prompt,
            "addresses": position in each.addresses,
            "echoes": len(each.echoes),
        }
        for position, (statement, found, human) in enumerate(
            zip(answer.statements, each.judged, each.human, strict=True)
        )
    ]
