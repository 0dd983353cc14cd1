"""A run at a glance, as a notebook shows it: what was found in one line, then the verdict and the models ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from voirdire.ddft.analysis.runs import run_alone
from voirdire.ddft.metric_intervals import MIN_CONCEPTS
from voirdire.ddft.metric_labels import in_full
from voirdire.ddft.profile import best_first
from voirdire.ddft.report.material import Material, material_of
from voirdire.ddft.report.profiles import models_side_by_side
from voirdire.ddft.report.sections import compose
from voirdire.ddft.report.show import result_document
from voirdire.ddft.report.verdict import verdict
from voirdire.ddft.report.verdict_study import er_text
from voirdire.ddft.results import Result, load_run
from voirdire.ddft.soundness import reservation
from voirdire.documents.document import Bullets, Document, Text, document
from voirdire.documents.messages import not_complete
from voirdire.instruments.instrument import Overview
from voirdire.text.counting import capitalised, counted

_NAMED = 3
"""Models that stand in the line; the table has them all."""


def overview(path: Path, jury: str | None) -> Overview:
    """A run at a glance, under one jury.

    Raises:
        RunFolderError, StudyError, JuryError: as `load_run`.
    """
    result = load_run(path, jury, unjudged=True)

    @cache
    def material() -> Material:
        return material_of(run_alone(result))

    return Overview(_headline(result), lambda: _document(result, material), lambda: compose(material()))


def _headline(result: Result) -> str:
    """ER of each model, then what weakens it."""
    profiles = best_first(result.profiles)
    if not profiles:
        return f"Nothing is judged yet: {result.stopped}" if result.stopped else "Nothing is judged yet."
    named = profiles[:_NAMED]
    scores = list(map(er_text, named))
    more = [f"{len(profiles) - _NAMED} more"] if len(profiles) > _NAMED else []
    sentences = [f"{capitalised(in_full('ER'))}: {'; '.join([*scores, *more])}."]
    sentences += [f"{each.model}: {each.uneven}" for each in named if each.uneven is not None]
    sentences += _first_look(result.manifest)
    if result.thresholds.note:
        sentences.append(result.thresholds.note)
    if reserved := reservation(result):
        sentences.append(reserved)
    if result.stopped is not None:
        sentences.append(not_complete(result.stopped))
    return " ".join([*sentences, *result.jury_warnings])


def _first_look(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Of a run with few concepts: which preset it is, what that means for certainty, and which one has more."""
    if len(manifest["concepts"]) < MIN_CONCEPTS:
        yield (
            f"Preset {manifest['preset']['name']}, {counted(len(manifest['concepts']), 'concept')}: a first look "
            "without intervals, so chance may explain any difference; the preset sound has them."
        )


def _document(result: Result, read: Callable[[], Material]) -> Document:
    """The verdict without its background, and the models, best first."""
    if not result.profiles:
        return result_document(result)
    material = read()
    blocks = [block for block in verdict(material).blocks if not isinstance(block, Bullets)]
    return document(*blocks, *map(Text, _first_look(result.manifest)), models_side_by_side(material.profiles))
