"""From whatever holds answers to the documents of a project: read, blinded, paired where pairs are wanted, drawn."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.cognibench.detection_reader import is_detected, unknown_origin
from voirdire.data.json_values import as_object
from voirdire.errors import shown
from voirdire.jury.worth.tables import is_opaque
from voirdire.raters.records import Document, Item, RatersError
from voirdire.raters.sampling import SampledUnit, simple, stratified
from voirdire.raters.tasks.base import DrawOptions, Materials, left_out
from voirdire.raters.tasks.guided.guide import PARTS, support_guide
from voirdire.raters.tasks.guided.sources import Unit, column_of_pairs, read_units
from voirdire.reason_codes import Reason
from voirdire.text.counting import counted, listed

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

_HEX = 8
_SENTENCE = re.compile(r"#\d+$")
"""How the name of a sentence ends, after its answer's: its place."""
_NOT_SURE = frozenset({"cannot tell", "can't tell", "can't say", "not sure", "unsure", "don't know", "do not know"})
"""Labels that mean what the button “Not sure” says."""
_FEW = 6
"""Answers that are named."""


def make(task: GuidedTask, path: Path, options: DrawOptions) -> Materials:
    """Draw what is to be rated. Models, scores and verdicts are kept where raters don't see them.

    Raises:
        RatersError: nothing there can be rated so, or not as much.
    """
    units, left, columns, unread, are_numbered = read_units(path, options)
    answered = [unit for unit in units if _has_answers(unit)]
    left = (*left, *left_out("no_answer", [unit.name for unit in units if not _has_answers(unit)]))
    if task.kind == "preference":
        documents, alone = _pairs(answered)
        left = (*left, *alone)
        if not documents:
            raise RatersError(
                f"{path} holds no two answers to one question: give results of two models, a folder of two logs, or a "
                f"table with the columns output_1 and output_2.{_hint(path, options)}"
            )
    else:
        documents = [_document(unit, options) for unit in answered]
    if not documents:
        raise RatersError(f"{path} holds no answers that can be rated: samples without an output are left out.")
    documents = _named(_by_model(documents))
    by_id = {each.id: each for each in documents}
    drawn = [replace(by_id[each.unit], weight=each.weight) for each in _sample(path, documents, options)]
    return Materials(
        tuple(drawn),
        tuple(Item(id=each.id, document=each.id) for each in drawn),
        notes=(*((f"Columns used: {', '.join(columns)}.",) if columns else ()), *_not_sure_twice(task)),
        warnings=(
            *(_unfound(path, options) or _lacking(task, path, documents, unread)),
            *_lacking_in_practice(task, documents),
            *(_numbered(path, unread) if are_numbered else ()),
        ),
        left_out=left,
        guide=_guide(task, path, drawn, options),
    )


def _not_sure_twice(task: GuidedTask) -> Iterator[str]:
    """That a label may say what a button of every page says."""
    labels = task.guide.labels if task.kind == "labels" and task.guide.unsure else ()
    for each in labels:
        if each.label.casefold().replace("_", " ").replace("’", "'") in _NOT_SURE:
            yield (
                f"Every page has a button “Not sure” already: if the label {shown(each.label)} means the same, leave "
                "it out, or turn the button off (unsure: false)."
            )


def _numbered(path: Path, unread: Sequence[str]) -> Iterator[str]:
    if unread:
        yield (
            f"The items are called by their lines, as no column that is read names them: a sorted copy of {path.name} "
            f"would not fit their ratings. Name the column with --map item=COLUMN (not read: {listed(unread, _FEW)})."
        )


def _guide(task: GuidedTask, path: Path, documents: Sequence[Document], options: DrawOptions) -> Mapping[str, Any]:
    """Of what a detector has checked, or single sentences drawn from that, whether the context supports it."""
    if task.kind != "labels" or not all(each.body["passages"] for each in documents):
        return {}
    if is_detected(path):
        return support_guide("sentence" if options.only_flagged else "answer")
    sentences = all(_SENTENCE.search(each.source["item"]) for each in documents)
    return support_guide("sentence") if sentences else {}


def _has_answers(unit: Unit) -> bool:
    """Whether there is something to read: of a pair that stands in the data, on both sides."""
    return all((text or "").strip() for text in (unit.output, *([] if unit.other is None else [unit.other])))


_NEEDED = (("context", "context", "passages"), ("prompt", "question", "prompt"))
"""What raters may need besides the answer: as a guide calls it, as people do, and where it stands."""


def _lacking(task: GuidedTask, path: Path, documents: Sequence[Document], unread: Sequence[str]) -> Iterator[str]:
    """Which answers come without what raters are shown with others, or are asked about.

    Args:
        task: with its guide.
        path: of the source.
        documents: the answers.
        unread: columns of the source that can still be named.
    """
    is_drawn = task.kind == "labels" and all(_SENTENCE.search(each.source["item"]) for each in documents)
    if is_drawn and not any(each.body["passages"] for each in documents):
        yield (
            "No sentence has a context: raters can't see whether one supports it. Draw the sheet where detect's output "
            "and the answers are, or give that output: --from FLAGGED.jsonl --answers FILE."
        )
    for part, says, place in _NEEDED:
        lacking = [each.source["item"] for each in documents if not each.body[place]]
        if part in task.guide.show and task.guide.show != PARTS and len(lacking) == len(documents):
            if unread:
                yield (
                    f"The guide shows the {says}, and no {task.nouns.document} has one: name its column with --map "
                    f"{part}=COLUMN (columns not read: {listed(unread, _FEW)}), or take {part} out of the guide's show."
                )
            else:
                yield f"The guide shows the {says}, and {path} has none: take {part} out of the guide's show."
            continue
        asked = part == "context" and (task.guide.evidence or task.kind == "spans")
        if part in task.guide.show and lacking and (asked or len(lacking) < len(documents)):
            has, is_rated = ("has", "is") if len(lacking) == 1 else ("have", "are")
            what = task.nouns.document
            yield (
                f"{counted(len(lacking), what)} {has} no {says}, and {is_rated} rated without one: "
                f"{listed(lacking, _FEW)}."
            )


def _lacking_in_practice(task: GuidedTask, documents: Sequence[Document]) -> Iterator[str]:
    """Which practice items come without what is shown with every answer that counts."""
    practice = [each.body for each in task.practice().documents]
    for part, says, place in (*_NEEDED, ("reference", "reference", "reference")):
        lacking = sum(not body[place] for body in practice)
        if part in task.guide.show and lacking and all(each.body[place] for each in documents):
            yield (
                f"{counted(lacking, 'practice item')} {'has' if lacking == 1 else 'have'} no {says}, which raters see "
                f"with every {task.nouns.document} later: give {part} there in the guide."
            )


def _unfound(path: Path, options: DrawOptions) -> tuple[str, ...]:
    """How to name the answers of flagged sentences, where their file was not found."""
    why = unknown_origin(path) if options.answers is None and is_detected(path) else None
    return () if why is None else (f"{why.sentence} Name the file of their answers with --answers FILE.",)


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
            "flags": [as_object(flag) for flag in unit.flags] if options.show_flags else [],
        },
        group=unit.group or unit.item,
        source={
            "item": unit.item,
            "model": unit.model,
            "epoch": unit.epoch,
            "flags": [as_object(flag) for flag in unit.flags],
        },
    )


def _pairs(units: Sequence[Unit]) -> tuple[list[Document], tuple[Reason, ...]]:
    """Pairs that stand in the data, and each two models' answers to one item; and which answers are in no pair."""
    pairs, twice = [], []
    by_item: dict[tuple[str, int | None], dict[str, Unit]] = {}
    for unit in units:
        if unit.other is not None:
            pairs.append(_pair(unit, unit.output or "", unit.other, (unit.model, unit.other_model)))
        elif by_item.setdefault((unit.item, unit.epoch), {}).setdefault(unit.model or "", unit) is not unit:
            twice.append(unit.name)
    for models in by_item.values():
        for one, other in combinations(sorted(models), 2):
            first, second = models[one], models[other]
            pairs.append(_pair(first, first.output or "", second.output or "", (one, other)))
    alone = [unit.name for models in by_item.values() for unit in models.values() if len(models) == 1]
    return pairs, (*left_out("no_other", alone), *left_out("twice", twice))


def _pair(unit: Unit, first: str, second: str, models: tuple[str | None, str | None]) -> Document:
    return Document(
        id=_id(unit.item, "/".join(each or "" for each in models), unit.epoch),
        body={**_body(unit), "output": "", "outputs": [first, second], "flags": []},
        group=unit.group or unit.item,
        source={"item": unit.item, "models": list(models), "epoch": unit.epoch},
    )


def _body(unit: Unit) -> dict[str, Any]:
    return {
        "passages": list(unit.passages),
        "history": [list(exchange) for exchange in unit.history],
        "prompt": unit.prompt,
        **({"whole": unit.whole} if unit.whole else {}),
        "reference": unit.reference,
        "choices": [] if all(each in unit.prompt for each in unit.choices) else list(unit.choices),
    }


def _by_model(documents: Sequence[Document]) -> list[Document]:
    """Each in the stratum of its models. Those that a plan or an export hides behind codes have numbers there."""
    models_of = [
        [each for each in document.source.get("models", [document.source.get("model")]) if each]
        for document in documents
    ]
    codes = sorted({model for models in models_of for model in models if is_opaque(model)})
    numbered = {code: f"model {number}" for number, code in enumerate(codes, start=1)}
    return [
        replace(document, stratum=" and ".join(numbered.get(model, model) for model in models))
        for document, models in zip(documents, models_of, strict=True)
    ]


def _named(documents: Sequence[Document]) -> list[Document]:
    """Each under the id of its item; where several are of one, with a hash of model and epoch: an id tells no model."""
    counts = Counter(each.source["item"] for each in documents)
    return [replace(each, id=each.source["item"]) if counts[each.source["item"]] == 1 else each for each in documents]


def _id(item: str, model: str | None, epoch: int | None) -> str:
    digest = hashlib.sha256(f"{model or ''}\n{epoch or 1}".encode("utf-8", "replace")).hexdigest()
    return f"{item}-{digest[:_HEX]}"
