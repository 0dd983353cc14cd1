"""All words of the checks: what each asks, what its figure is, what was found, what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from voirdire.reasons import declare

ASKED: Mapping[str, str] = {
    "headline_recomputed": "Does the printed headline follow from the items?",
    "dropped_items": "Were items left out of the headline?",
    "unclustered_error": "Does the standard error take items that belong together for independent?",
    "duplicate_items": "Does an item stand in the data twice?",
    "length_association": "Do longer outputs score higher, whoever wrote them?",
    "power": "Which difference can an evaluation of this size see?",
}
"""By check, the question; also the order in which checks are listed."""

MEASURED: Mapping[str, str] = {
    "headline_recomputed": "largest gap between printed and recomputed headline",
    "dropped_items": "share of items without a score, in the model with most of them",
    "unclustered_error": "clustered standard error over the printed one, median over models",
    "duplicate_items": "share of items that repeat another one",
    "length_association": "odds ratio: an output one standard deviation longer over one as much shorter",
    "power": "smallest difference seen in four of five such evaluations",
}
"""By check, what its value is."""

ADVICE: Mapping[str, str] = {
    "headline_recomputed": "Use the recomputed headline; ask which items and formula the printed one rests on.",
    "dropped_items": "Run these items again, or report the headline if all of them failed, and if all succeeded.",
    "unclustered_error": "Report the clustered error, and sample more clusters rather than more items of each.",
    "duplicate_items": "Remove the repetitions, or name them as one cluster.",
    "length_association": "Read the length-adjusted ranking too, and don't claim what only the plain one shows.",
    "power": "Don't rank models that lie nearer than this; add items, or report that the evaluation can't tell.",
}
"""By check, what to do where it fails or warns."""

declare(
    {
        # formats
        "evaluation_no_format": "no format of results that is known",
        "evaluation_unreadable": "looks like {format}, but can't be read: {why_not}",
        "evaluation_columns": "Columns used: {columns:label}",
        "evaluation_pairwise": "a score is the share won against {baseline}: preference - 1",
        "evaluation_first_metric": "The headline is {metric}, the first of {of:label}",
        "evaluation_known_metric": "The headline is {metric}: of {of:label} it is the usual one",
        "evaluation_no_rows": "The file has a headline and no items: nothing that rests on items can be checked",
        "evaluation_clustered_by": "The printed standard error is clustered by {field}",
        "evaluation_pass_rate": "A score is 1 for a test that passed and 0 for one that failed, as in the printed rate",
        # what is missing
        "evaluation_nothing_printed": "the files have no printed headline",
        "evaluation_no_clusters": "the files name no clusters of items",
        "evaluation_few_clusters": "there are fewer than three clusters, or scores that don't vary",
        "evaluation_no_prompts": "the files have no prompts",
        "evaluation_no_lengths": "there are no outputs of several models, or of a baseline, that differ in length",
        "evaluation_no_pairs": "there are no two models whose scores differ on shared items",
        # what was found
        "evaluation_follows": "all {of:count printed headline follows/printed headlines follow} from the items",
        "evaluation_headline_differs": "{models} of {of:count printed headline} don't follow from the items; "
        "the largest gap is {gap:.4f}",
        "evaluation_error_differs": "{models} of {of:count printed standard error} don't follow from the items",
        "evaluation_dropped": "{items:count score is/scores are} missing of {of:,}, in {models:count model}",
        "evaluation_none_dropped": "all {of:count item has/items have} a score",
        "evaluation_clusters": "the error by {clusters:count cluster} is {ratio:.2f} times the {beside} one",
        "evaluation_duplicates": "{items:count item repeats/items repeat} another, of {of:,}",
        "evaluation_longer_wins": "of one model and item, a longer output has {odds:.1f} times a shorter one's odds",
        "evaluation_shorter_wins": "of one model and item, a shorter output has {odds:.1f} times a longer one's odds",
        "evaluation_power": "with {units:,} {unit}s it sees differences from {difference:.3f}; "
        "the first two differ by {gap:.3f}",
        "evaluation_power_needed": "with {units:,} {unit}s it sees differences from {difference:.3f}; "
        "the first two differ by {gap:.3f}, which takes {needed:,}",
    }
)
