"""Are the items what they should be: each of them once?"""

from __future__ import annotations

from collections import defaultdict

from voirdire.evaluation.checks.check import MOST_QUOTES, Check, graded, not_measured, quote
from voirdire.evaluation.records import Evaluation
from voirdire.reasons import reason

WARN_DUPLICATES, FAIL_DUPLICATES = 0.005, 0.05


def duplicate_items(evaluation: Evaluation) -> Check:
    """Items whose prompt and options are those of another one. Value: their share of all items."""
    id = "duplicate_items"
    if not evaluation.has("prompt"):
        return not_measured(id, evaluation, "evaluation_no_prompts")
    rows = evaluation.rows
    prompts = rows["prompt"].to_numpy()
    firsts = [row for row in (~rows["item"].duplicated()).to_numpy().nonzero()[0] if prompts[row] is not None]
    groups: dict[tuple[str, object], list[int]] = defaultdict(list)
    for row in firsts:
        groups[" ".join(prompts[row].lower().split()), rows["choices"].iloc[row]].append(int(row))
    repeated = sorted((group for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), group))
    again = sum(len(group) - 1 for group in repeated)
    share = again / len(firsts)
    return Check(
        id,
        graded(share, WARN_DUPLICATES, FAIL_DUPLICATES),
        evaluation.name,
        reason("evaluation_duplicates", items=again, of=len(firsts)),
        share,
        len(firsts),
        quotes=tuple(quote(evaluation, group[1], "prompt") for group in repeated[:MOST_QUOTES]),
        details={"groups": [[str(rows["item"].iloc[row]) for row in group] for group in repeated[:20]]},
    )


CHECKS = (duplicate_items,)
