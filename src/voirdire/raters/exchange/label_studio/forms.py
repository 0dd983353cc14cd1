"""How each task looks in Label Studio."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from voirdire.raters.exchange.label_studio.controls import Form, Result, Said
from voirdire.raters.records import Document, Item, TaskName


@dataclass(frozen=True, slots=True)
class Shape:
    """A task's form, and how its items and values become Label Studio's and back."""

    form: Form
    data: Callable[[Document, Item], dict[str, Any]]
    results: Callable[[Mapping[str, Any], Document, Item], list[Result]]
    value_of: Callable[[Said, Document, Item], dict[str, Any]]


def shape_of(task: TaskName) -> Shape:
    """Of a task."""
    if task == "cognibench":
        from voirdire.raters.exchange.label_studio import _cognibench as labels

        return Shape(labels.FORM, labels.data, labels.results, labels.value_of)
    if task == "ddft":
        from voirdire.raters.exchange.label_studio import _ddft as turns

        return Shape(turns.FORM, turns.data, turns.results, turns.value_of)
    from voirdire.raters.exchange.label_studio import _integrity as deductions

    return Shape(deductions.form(), deductions.data, deductions.results, deductions.value_of)
