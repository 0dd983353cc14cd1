"""From whatever holds answers to the documents of a project: read, blinded, paired where pairs are wanted, drawn."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.raters.records import Document, Item, RatersError
from voirdire.raters.sampling import SampledUnit, simple, stratified
from voirdire.raters.tasks.base import DrawOptions, Materials
from voirdire.raters.tasks.guided.sources import Unit, column_of_pairs, read_units

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

_HEX = 8


def make(task: GuidedTask, path: Path, options: DrawOptions) -> Materials:
    """Draw what is to be rated. Models, scores and verdicts are kept where raters don't see them.

    Raises:
        RatersError: nothing there can be rated so, or not as much.
    """
    units = read_units(path, options)
    if task.kind == "preference":
        documents = list(_pairs(units))
        if not documents:
            raise RatersError(
                f"{path} holds no two answers to one question: give results of two models, a folder of two logs, or a "
                f"table with the columns output_1 and output_2.{_hint(path, options)}"
            )
    else:
        documents = [_document(unit, options) for unit in units if unit.output is not None]
    if not documents:
        raise RatersError(f"{path} holds no answers that can be rated: samples without an output are left out.")
    documents = _named(documents)
    by_id = {each.id: each for each in documents}
    drawn = [replace(by_id[each.unit], weight=each.weight) for each in _sample(path, documents, options)]
    return Materials(tuple(drawn), tuple(Item(id=each.id, document=each.id) for each in drawn))


def _hint(path: Path, options: DrawOptions) -> str:
    column = column_of_pairs(path, options.columns)
    if column is None:
        return ""
    return f" Or name the column whose values the answers of two models share: --map item={column}."


def _sample(path: Path, documents: Sequence[Document], options: DrawOptions) -> list[SampledUnit]:
    """All of them, or so many: as many of each model as its share, where there are enough for that; shuffled."""
    wanted = len(documents) if options.sample is None else options.sample
    if wanted > len(documents):
        raise RatersError(
            f"A sample of {wanted} was asked for, and {path} holds {len(documents)} that can be rated; ask for fewer."
        )
    names, strata = [each.id for each in documents], [each.stratum for each in documents]
    if len(set(strata)) > wanted:
        return simple(names, wanted, options.seed)
    return stratified(names, strata, wanted, options.seed)


def _document(unit: Unit, options: DrawOptions) -> Document:
    return Document(
        id=_id(unit.item, unit.model, unit.epoch),
        body={
            **_body(unit),
            "output": unit.output or "",
            "outputs": [],
            "flags": [flag._asdict() for flag in unit.flags] if options.show_flags else [],
        },
        group=unit.group or unit.item,
        source={
            "item": unit.item,
            "model": unit.model,
            "epoch": unit.epoch,
            "flags": [flag._asdict() for flag in unit.flags],
        },
        stratum=unit.model or "",
    )


def _pairs(units: Sequence[Unit]) -> Iterator[Document]:
    """Pairs that stand in the data, and each two models' answers to one item."""
    by_item: dict[tuple[str, int | None], dict[str, Unit]] = {}
    for unit in units:
        if unit.other is not None and unit.output is not None:
            yield _pair(unit, unit.output, unit.other, (unit.model, unit.other_model))
        elif unit.output is not None:
            by_item.setdefault((unit.item, unit.epoch), {}).setdefault(unit.model or "", unit)
    for models in by_item.values():
        for one, other in combinations(sorted(models), 2):
            first, second = models[one], models[other]
            yield _pair(first, first.output or "", second.output or "", (one, other))


def _pair(unit: Unit, first: str, second: str, models: tuple[str | None, str | None]) -> Document:
    return Document(
        id=_id(unit.item, "/".join(each or "" for each in models), unit.epoch),
        body={**_body(unit), "output": "", "outputs": [first, second], "flags": []},
        group=unit.group or unit.item,
        source={"item": unit.item, "models": list(models), "epoch": unit.epoch},
        stratum=" and ".join(each for each in models if each),
    )


def _body(unit: Unit) -> dict[str, Any]:
    return {
        "passages": list(unit.passages),
        "history": [list(exchange) for exchange in unit.history],
        "prompt": unit.prompt,
        "reference": unit.reference,
        "choices": [] if all(each in unit.prompt for each in unit.choices) else list(unit.choices),
    }


def _named(documents: Sequence[Document]) -> list[Document]:
    """Each under the id of its item; where several are of one, with a hash of model and epoch: an id tells no model."""
    counts = Counter(each.source["item"] for each in documents)
    return [replace(each, id=each.source["item"]) if counts[each.source["item"]] == 1 else each for each in documents]


def _id(item: str, model: str | None, epoch: int | None) -> str:
    digest = hashlib.sha256(f"{model or ''}\n{epoch or 1}".encode("utf-8", "replace")).hexdigest()
    return f"{item}-{digest[:_HEX]}"
