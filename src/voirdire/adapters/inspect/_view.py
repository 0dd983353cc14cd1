"""How Inspect's viewer shows what is ours: plain text, scores coloured on their own scales."""

from __future__ import annotations

from typing import Any

from inspect_ai.viewer import ScoreColorScale, TaskSamplesColumn, TaskSamplesView, ViewerConfig

_STANCES = {"rejected": "good", "questioned": "warn", "accepted": "bad"}
_SHARE = {"min": 0, "max": 1}

_SCALES: dict[str, dict[str, Any]] = {
    "ddft": {
        "far": ScoreColorScale(palette="good-high", **_SHARE),
        "sas": ScoreColorScale(palette="neutral", **_SHARE),
        "stance": _STANCES,
        "stance_5": _STANCES,
        "no_claims": "neutral",
        "unscored": "neutral",
    },
    "cognibench": {
        "hallucinated": ScoreColorScale(palette="good-low", **_SHARE),
        "statements": "neutral",
        "flagged": "neutral",
        "undecided": "neutral",
    },
    "integrity": {
        "score": ScoreColorScale(palette="good-high", min=0, max=100),
        "band": {},
        "violations": "neutral",
    },
}
"""Of each instrument's scores, in the order in which they are shown."""


def viewer(instrument: str) -> ViewerConfig:
    """What models and judges wrote is shown as the text that it is, never rendered: none of it is trusted."""
    scales = _SCALES[instrument]
    columns = [
        *(TaskSamplesColumn(id=name) for name in ("sampleStatus", "sampleId", "epoch", "input")),
        *(TaskSamplesColumn.score(instrument, name) for name in scales),
        *(TaskSamplesColumn(id=name) for name in ("tokens", "duration", "error", "limit")),
    ]
    return ViewerConfig(
        trust_content=False,
        task_samples_view=TaskSamplesView(
            name="voirdire", columns=columns, score_color_scales=scales, color_scales_enabled=True, multiline=False
        ),
    )
