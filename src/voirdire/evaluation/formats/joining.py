"""Files that hold one evaluation between them: each has other models of it, or the verdicts of another judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from voirdire.evaluation.formats import alpacaeval, long_table, pairs
from voirdire.evaluation.formats.columns import columns_named
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.table import joined
from voirdire.reason_codes import Reason, reason

_NAMED_BY_FILES = frozenset((alpacaeval.NAME, pairs.NAME, long_table.NAME))
"""Formats that name no task: what is one evaluation must be told by what stands in the files."""
_COLUMNS = frozenset(("evaluation_columns", "evaluation_of_pairs", "evaluation_pairwise"))
"""Notes that say which columns were read, or against which baseline."""
_ROW = ["item", "model", "epoch"]
_SHARED = ("prompt", "output", "reference", "cluster", "baseline", "baseline_output")
"""What is the same whoever judges."""


def combine(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Join evaluations of one name, format and metric whose models differ; others stay as they are."""
    groups: dict[tuple[str, str, str], list[list[Evaluation]]] = defaultdict(list)
    for each in evaluations:
        parts = groups[each.format, each.name, each.metric]
        free = (part for part in parts if not any(set(each.models) & set(other.models) for other in part))
        part = next(free, None)
        if part is None:
            parts.append([each])
        else:
            part.append(each)
    matches = []
    for parts in groups.values():
        for number, part in enumerate(parts, start=1):
            whole = part[0] if len(part) == 1 else _join(part)
            matches.append(whole if number == 1 else replace(whole, name=f"{whole.name} ({number})"))
    return matches


def join_models(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Join tables of one folder that name no model and have items in common, where the user says so; others stay.

    Each gets a note: which models were joined; how to have them joined; or why what the user says joins nothing.
    """
    groups: dict[Hashable, list[Evaluation]] = defaultdict(list)
    for each in evaluations:
        groups[_but_models(each) if _names_no_model(each) else id(each)].append(each)
    matches: list[Evaluation] = []
    for parts in groups.values():
        if not all(_have_items_in_common(a, b) for a, b in combinations(parts, 2)) or len(parts) == 1:
            matches += parts
        elif columns_named().models_are_files:
            models = tuple(each.name for each in parts)
            note = reason("evaluation_models_of_files", files=len(parts), models=models)
            matches.append(_of_folder(parts, note, [each.name for each in matches]))
        else:
            note = reason("evaluation_no_model_named", files=_file_names(parts))
            matches += [replace(each, notes=(note, *each.notes)) for each in parts]
    if not columns_named().models_are_files or len(matches) < len(evaluations):
        return matches
    notes = _why_none_joined(matches)
    return [replace(each, notes=(*notes, *each.notes)) for each in matches]


def _names_no_model(evaluation: Evaluation) -> bool:
    return evaluation.format == long_table.NAME and evaluation.models == (evaluation.name,)


def _why_none_joined(evaluations: Sequence[Evaluation]) -> list[Reason]:
    """Why files that the user says to be of one model each are not joined: a reason for all to which it applies."""
    tables = [each for each in evaluations if each.format == long_table.NAME]
    others = [each for each in evaluations if each.format != long_table.NAME]
    unnamed = [each for each in tables if _names_no_model(each)]
    named = [each for each in tables if not _names_no_model(each)]
    pairs = list(combinations(unnamed, 2))
    alike = [(a, b) for a, b in pairs if _but_models(a) == _but_models(b)]
    apart = next(((a, b) for a, b in alike if not _have_items_in_common(a, b)), None)
    why = []
    if others:
        formats = tuple(dict.fromkeys(each.format for each in others))
        why.append(reason("evaluation_join_of_tables", formats=formats))
    if named:
        models = tuple(dict.fromkeys(model for each in named for model in each.models))
        why.append(reason("evaluation_join_named", files=_file_names(named), models=models))
    if apart is not None:
        why.append(reason("evaluation_join_other_items", files=_file_names(apart)))
    elif pairs:
        why.append(reason("evaluation_join_elsewhere", files=_file_names(unnamed)))
    elif not why:
        why.append(reason("evaluation_join_one", files=_file_names(unnamed)))
    return [reason("evaluation_join_none", why=each) for each in why]


def _but_models(evaluation: Evaluation) -> Hashable:
    """What tables must have in common to be one evaluation of several models, as far as it can be told without rows."""
    folders = frozenset(file.path.parent.resolve() for file in evaluation.files)
    return folders, evaluation.metric, evaluation.higher_is_better


def _have_items_in_common(a: Evaluation, b: Evaluation) -> bool:
    """Whether two share half of the items of that which has fewer."""
    items = [set(each.rows["item"].unique()) for each in (a, b)]
    return 2 * len(items[0] & items[1]) >= min(map(len, items))


def join_judges(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Join evaluations in files of one folder that differ in nothing but their judges; others stay as they are.

    Each gets a note: which judges were joined; or, where no judge is named, how to name them by the files.
    """
    groups: dict[Hashable, list[Evaluation]] = defaultdict(list)
    for each in evaluations:
        groups[_but_judges(each) if each.format in _NAMED_BY_FILES else id(each)].append(each)
    matches: list[Evaluation] = []
    for parts in groups.values():
        one = len(parts) > 1 and all(_differ_in_judges(a, b) for a, b in combinations(parts, 2))
        if one and all(each.judges for each in parts):
            judges = tuple(dict.fromkeys(judge for each in parts for judge in each.judges))
            note = reason("evaluation_judges_of_files", files=len(parts), judges=judges, n=len(judges))
            matches.append(_of_folder(parts, note, [each.name for each in (*evaluations, *matches)]))
        elif one and not any(each.judges for each in parts):
            note = reason("evaluation_no_judge_named", files=_file_names(parts))
            matches += [replace(each, notes=(*each.notes, note)) for each in parts]
        else:
            matches += parts
    return matches


def _but_judges(evaluation: Evaluation) -> Hashable:
    """What evaluations must have in common to be one by several judges, as far as it can be told without rows."""
    return (
        frozenset(file.path.parent.resolve() for file in evaluation.files),
        (evaluation.format, evaluation.metric, evaluation.models),
        (evaluation.bounds, evaluation.higher_is_better, bool(evaluation.judges)),
        tuple(note for note in evaluation.notes if note.code in _COLUMNS),
        repr({model: sorted(own.items()) for model, own in sorted(evaluation.settings.items())}),
    )


def _differ_in_judges(a: Evaluation, b: Evaluation) -> bool:
    """Whether two have items in common and of these the same texts, no judge and no file in common, nothing printed."""
    if a.printed or b.printed or {*a.judges} & {*b.judges} or {*a.files} & {*b.files}:
        return False
    rows = [each.rows[[*_ROW, *_SHARED]].astype(object).drop_duplicates(_ROW) for each in (a, b)]
    both = rows[0].merge(rows[1], on=_ROW, suffixes=("", " of b"))
    known = [(both[name], both[f"{name} of b"]) for name in _SHARED]
    return len(both) > 0 and all(bool((one.isna() | other.isna() | (one == other)).all()) for one, other in known)


def _file_names(parts: Sequence[Evaluation]) -> tuple[str, ...]:
    return tuple(sorted(file.path.name for each in parts for file in each.files))


def _of_folder(parts: Sequence[Evaluation], note: Reason, taken: Sequence[str]) -> Evaluation:
    """One evaluation, by the name of the folder."""
    whole = _join(parts)
    name = whole.files[0].path.parent.resolve().name
    number = 1 + sum(each == name or each.startswith(f"{name} (") for each in taken)
    return replace(whole, name=name if number == 1 else f"{name} ({number})", notes=(note, *whole.notes))


def _join(parts: Sequence[Evaluation]) -> Evaluation:
    first = parts[0]
    names = list(dict.fromkeys(name for part in parts for name in part.other_scores))
    missing = [np.full(len(part.rows), np.nan) for part in parts]
    return replace(
        first,
        rows=joined([part.rows for part in parts]),
        printed=tuple(dict.fromkeys(each for part in parts for each in part.printed)),
        other_scores={
            name: np.concatenate([part.other_scores.get(name, none) for part, none in zip(parts, missing, strict=True)])
            for name in names
        },
        bounds=_bounds(parts),
        settings={model: known for part in parts for model, known in part.settings.items()},
        files=tuple(dict.fromkeys(each for part in parts for each in part.files)),
        notes=tuple(dict.fromkeys(each for part in parts for each in part.notes)),
    )


def _bounds(parts: Sequence[Evaluation]) -> tuple[float, float] | None:
    known = [part.bounds for part in parts if part.bounds is not None]
    if len(known) < len(parts):
        return None
    return min(low for low, _ in known), max(high for _, high in known)
