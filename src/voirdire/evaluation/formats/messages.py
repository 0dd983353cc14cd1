"""What readers of results say about what they read."""

from __future__ import annotations

from voirdire.reasons import declare

declare(
    {
        "evaluation_no_format": "no format of results that is known",
        "evaluation_unreadable": "looks like {format}, but can't be read: {why_not}",
        "evaluation_columns": "Columns used: {columns:label}",
        "evaluation_unread_scores": "{rows:count score can't be read and counts/scores can't be read and count} as "
        "missing, since a number is expected: {texts:few}",
        "evaluation_pairwise": "a score is the share won against {baseline}: preference - 1",
        "evaluation_first_metric": "The headline is {metric}, the first of {of:label}",
        "evaluation_known_metric": "The headline is {metric}: of {of:label} it is the usual one",
        "evaluation_no_rows": "The file has a headline and no items: nothing that rests on items can be checked",
        "evaluation_limited": "{items:,} of the {of:,} items of the data set were run",
        "evaluation_clustered_by": "The printed standard error is clustered by {field}",
        "evaluation_pass_rate": "The headline is a pass rate: a score is 1 for a test that passed and 0 for one that "
        "failed, as in the printed rate",
    }
)
