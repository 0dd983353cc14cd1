"""How often statements are hallucinated, and where in an answer (CogniBench 4.4, 4.5, Fig. 7)."""

from __future__ import annotations

from voirdire.cognibench.dynamics._estimates import Estimate, of_sums, share, sums_by_group
from voirdire.cognibench.dynamics.rows import CLAIMS, Rows
from voirdire.cognibench.dynamics.shares import average


def hallucination_rates(rows: Rows) -> dict[str, Estimate]:
    """Share of hallucinated statements among the factual, among the cognitive ones, and among all labelled ones."""
    found = {}
    for kind in CLAIMS:
        own = rows.statements[rows.statements["type"] == kind]
        found[kind] = share(own["hallucinated"], own["group"])
    return found | {"all": share(rows.statements["hallucinated"], rows.statements["group"])}


def hallucinated_per_answer(rows: Rows) -> dict[str, Estimate]:
    """Average number of hallucinated statements of each type in an answer."""
    statements = rows.statements
    return {kind: average(rows, statements["hallucinated"] & (statements["type"] == kind)) for kind in CLAIMS}


def lying_here(rows: Rows, part: Rows) -> dict[str, Estimate]:
    """Share of all hallucinated statements of each type that lie in a part (CogniBench, Fig. 7, bottom).

    Args:
        rows: the data set.
        part: some of its statements.
    """
    found = {}
    for kind in CLAIMS:
        whole = rows.statements[(rows.statements["type"] == kind) & rows.statements["hallucinated"]]
        found[kind] = share(whole.index.isin(part.statements.index), whole["group"])
    return found


def times_more_often(rows: Rows) -> Estimate:
    """The cognitive hallucination rate over the factual one (CogniBench 1: 4.6); jackknife-t on the log scale."""
    statements = rows.statements
    columns = []
    for kind in ("cognitive", "factual"):
        own = statements["type"] == kind
        columns += [own & statements["hallucinated"], own]
    sums = sums_by_group(statements["group"], *columns)
    return of_sums(
        sums,
        lambda total: (total[..., 0] / total[..., 1]) / (total[..., 2] / total[..., 3]),
        n=len(statements),
        scale="log",
    )
