"""Which findings on clean evaluations are right, and why: they are no false alarms, whatever the audit says of them.

Written from the data and from `comparisons`, before any check had been run on them.
"""

from __future__ import annotations

from benchmarks.accuracy.planted.clean import MADE, REAL

_SMALL = "so few items see differences of 5 points or more only (2.8 standard errors of the paired difference)"
_WELL_POWERED = frozenset(
    "inspect-judges promptfoo-judged deepeval-judged deepeval-judges eee-judged csv-judges csv-panel csv-families "
    "csv-scores csv-documents jsonl-judged alpaca-real alpaca-judges".split()
)
"""Those that see 5 points."""
_ALPACA = ("alpaca-real", "alpaca-judges")
_TINY = ("real-inspect-arc", "real-inspect-agent", "real-helm", "real-lm-eval", "real-eee")


def _all(reason: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, reason)


LEGITIMATE: dict[str, dict[str, str]] = {
    "headline_recomputed": {
        "real-inspect-agent": "0.705 is the mean of 78 samples, and one of them is in the log",
        "real-inspect-judged": "the log has no samples",
        "real-lm-eval": "the samples of one of the two tasks are missing, and 10 of 5,000 of the other are there",
        "real-eee": "0.75 is printed; the only instance has 1",
    },
    "dropped_items": {
        "real-inspect-arc": "5 of 2,376 items were run, by a limit",
        "real-inspect-agent": "78 of 80 samples were scored; one that ended in an error is in the log",
        "real-inspect-judged": "the log has no samples",
        "real-lm-eval": "10 of 5,000 samples are there",
        "real-eee": "one instance, and an aggregate that it can't have made alone",
        "real-helm": "10 of the scenario's instances were run, by a limit",
    },
    "missing_scored": {
        "real-frank": "the score is a share of few annotations: much of it lies at 0, 1/3, 2/3 and 1",
    },
    "different_items": {
        "real-frank": "the systems summarized two sets of documents: CNN/DM and XSum have no system in common",
        "real-lm-eval": "two tasks with one model",
    },
    "duplicate_items": {
        **_all("one template asks for the recipes of many dishes", *_ALPACA),
    },
    "constant_output": {
        "real-helm": "GPT-2 says D to all ten",
        "real-lm-eval": "a small model runs into loops",
        "real-eee": "one instance",
    },
    "empty_output": {"real-inspect-agent": "the sample ended in an error and has no output"},
    "truncated": {
        "real-lm-eval": "every output runs to the limit of 512 tokens",
        "real-helm": "one token was allowed",
        **_all("two to ten in a hundred outputs end without a full stop, some at the model's limit", *_ALPACA),
    },
    "refusals": _all("Claude 2.1, Vicuna and GPT-3.5 decline two to four in a hundred", *_ALPACA),
    "unparsed": {"real-lm-eval": "the reference, a figure, may stand in a loop of figures"},
    "reference_in_prompt": {
        "real-lm-eval": "short figures such as 5 or 10 stand in the problems",
        "real-eee": "the reference is 4, in a sum",
    },
    "constant_judge": {
        "alpaca-judges": "against GPT-4, nine in ten preferences are the baseline's",
        "real-eee": "one instance",
        "real-inspect-arc": "all five are right",
    },
    "self_judging": _all("GPT-4 judges outputs of GPT-4, the baseline, and of GPT-3.5", *_ALPACA),
    "length_association": _all("this judge is known to prefer long outputs (Dubois et al., 2024)", *_ALPACA),
    "position_association": {"real-helm": "GPT-2 says D to all ten"},
    "wrong_key_suspects": {"real-frank": "there is no key"},
    "best_of": {
        "real-helm": "exact_match@5 is printed beside exact_match",
        "real-inspect-agent": "an agent with up to 30 messages",
    },
    "unclustered_error": {
        **_all("five data sets, which differ in how often a model wins", *_ALPACA, "alpaca-made"),
        "real-frank": "a document is summarized by several systems",
    },
    "unpaired_test": {"real-frank": "nine systems on the same documents; neighbours are close"},
    "multiple_comparisons": {"real-frank": "36 pairs of systems, some of them close"},
    "power": {
        **{each.name: _SMALL for each in MADE if each.name not in _WELL_POWERED},
        **_all(_SMALL, *_TINY, "real-inspect-judged", "real-frank"),
    },
    "baseline": {
        "real-helm": "1 of 9 is below chance",
        "real-lm-eval": "none is right",
        "real-eee": "one instance",
        "real-inspect-arc": "five items can't be told from chance in general",
    },
    "saturation": {
        "real-inspect-arc": "all five are right",
        "real-helm": "1 of 9 is right",
        "real-lm-eval": "none is right",
        "real-eee": "one instance",
        "real-frank": "most summaries of the best systems have no error",
        "real-inspect-agent": "the log holds one sample, without a score",
        **_all("the models lose to GPT-4 nine times in ten", *_ALPACA),
    },
}
"""Check to clean evaluation to the reason."""

assert {name for found in LEGITIMATE.values() for name in found} <= {each.name for each in (*MADE, *REAL)}
