"""Every metric of every model as a table: its value, its interval, what it rests on, what must be said beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voirdire.data.table_values import typed
from voirdire.ddft.paper_index import explanation
from voirdire.ddft.profile import Profile
from voirdire.ddft.profile_notes import UNEVEN
from voirdire.ddft.results import Result
from voirdire.ddft.soundness import reservation
from voirdire.ddft.stopping.rule import ON_WHOLE_CONCEPTS
from voirdire.documents.messages import not_complete

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("model", "metric", "value", "low", "high", "n", "reason", "cautions")
_ABOUT_METRICS = ("note_none_answered", "note_few_answered")
_ABOUT_ALL = (*UNEVEN, "note_stopped", "note_held_narrow", "note_held_wide", "note_few_concepts")
_ON_ONE_LEVEL = {"note_one_level", "note_one_level_yet"}
_ABOUT_LEVELS = {*ON_WHOLE_CONCEPTS, "CI_norm"}
_PAPER_INDEX = ("CI_raw", "CI_norm")


def metric_table(result: Result | None) -> pd.DataFrame:
    """The metrics of a run under one jury, a row for each model and metric.

    Args:
        result: of the run; `None` where nothing has been judged, which gives no rows.

    Returns:
        Columns: model, metric; value, and low and high of its 95 % interval (NaN where there is none); n, the turns,
        traps or concepts that it rests on; reason, why there is no value or no interval; cautions, what must be said
        beside the value: of the jury, of failed validity checks, of models that seldom answer, of the paper's index.
    """
    import pandas as pd

    rows = (
        [] if result is None else [row for profile in result.profiles for row in _rows(profile, _run_remarks(result))]
    )
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    numbers = dict.fromkeys(("value", "low", "high"), "float64")
    texts = dict.fromkeys(("model", "metric", "reason", "cautions"), "string")
    return typed(frame.astype(numbers | texts | {"n": "int64"}))


def _run_remarks(result: Result) -> list[str]:
    failed = [f"It fails {', '.join(result.failed_checks)}."] if result.failed_checks else []
    remarks = (result.banner, result.stopped and not_complete(result.stopped), reservation(result), *failed)
    return [remark for remark in remarks if remark]


def _rows(profile: Profile, of_run: list[str]) -> Iterator[tuple[object, ...]]:
    for name, value in profile.metrics.items():
        interval = profile.intervals.get(name)
        why = value.reason or profile.interval_reasons.get(name)
        yield (
            profile.model,
            name,
            value.value,
            None if interval is None else interval.low,
            None if interval is None else interval.high,
            value.n,
            None if why is None else str(why),
            " ".join([*of_run, *_metric_remarks(profile, name)]) or None,
        )


def _metric_remarks(profile: Profile, name: str) -> Iterator[str]:
    for note in profile.notes:
        of_levels = note.code in _ON_ONE_LEVEL and name in _ABOUT_LEVELS
        names = dict(note.params).get("metrics")
        of_this = note.code in _ABOUT_METRICS and isinstance(names, tuple) and name in names
        if of_levels or of_this or note.code in _ABOUT_ALL:
            yield str(note)
    if name in profile.thresholds.metrics:
        yield profile.thresholds.note
    remark = explanation(profile.paper_index) if name in _PAPER_INDEX else None
    if remark is not None:
        yield remark
