"""What results say of outputs, from whatever holds them: evaluations that `audit` reads, tables, what `detect` wrote.

The one reader of `jury worth`, `rate anchor` and `rate agreement`. Which rated output is which judged one, what belongs
together and which way is good is the same in all three: `key_of`, `in_groups`, and the directions of the verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from voirdire.errors import shown
from voirdire.evaluation.formats import FORMATS, inspect_log, long_table, pairs, read_paths
from voirdire.evaluation.formats.columns import lower_by_name
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.unanswered import because_it_failed
from voirdire.jury.worth.direction import HIGH, UNIT, Direction, read_numbers
from voirdire.jury.worth.tables import Key, Verdicts, finder, read_verdicts
from voirdire.raters.machine_ratings import VerdictSelection, live_items
from voirdire.raters.records import Document, Project, RatersError
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.guided.detector import is_detected, verdicts_of_detector
from voirdire.text.counting import counted

PEOPLE = "people"
"""In a log of Inspect, the score that people's exported ratings are."""
PAIR = " against "
"""Between the names of two models whose outputs were compared."""


class Results(NamedTuple):
    """Verdicts, and where they are from."""

    verdicts: Verdicts
    detected: bool = False
    """Whether `voirdire detect -o` has written them."""


def read_results(path: Path, selection: VerdictSelection) -> Results:
    """The verdicts of a path.

    Raises:
        RatersError: nothing is scored, there are several evaluations, or what is said of the direction contradicts
            what is known.
        WorthError: as for `read_verdicts`.
    """
    if path.is_file() and is_detected(path):
        if any(each.strip() == HIGH for each in selection.columns.good_verdict):
            raise RatersError(
                f"{path} is what voirdire detect wrote: its high scores are bad. Leave out --good-verdict."
            )
        if selection.columns.cluster is not None:
            raise RatersError(
                f"{path} is what voirdire detect wrote: its groups are the answers. Leave out --cluster-column."
            )
        verdicts = _with_scores(verdicts_of_detector(path, selection.rated), selection.columns.scores, path)
        return Results(verdicts, detected=True)
    named = [name for name in selection.columns.of_verdicts if name not in selection.columns.scores]
    tables = (long_table.FORMAT, *([pairs.FORMAT] if named else []))  # with columns named, it is a table like any other
    if not (path.is_dir() or any(each.sniff(path) for each in FORMATS if each not in tables)):
        columns = selection.columns if selection.epochs else replace(selection.columns, epoch=None)
        verdicts = read_verdicts(path, columns, selection.ends, selection.numbered, pairs=selection.pairs)
        return Results(_on_pairs(path, verdicts, selection) if selection.pairs and verdicts.models else verdicts)
    if named:
        raise RatersError(f"{path} is no plain table, so it has no column {shown(named[0])} to be named.")
    evaluations = read_paths([path]).evaluations
    if not any(each.has("score") for each in evaluations):
        raise RatersError(f"{path} has no scored sample{because_it_failed(evaluations[0])}")
    evaluation = _chosen(path, evaluations, selection)
    by_epoch = selection.epochs and evaluation.has("epoch")
    verdicts = _side_by_side(
        [verdicts_of_evaluation(each, by_epoch=by_epoch) for each in _by_score(evaluation, selection)]
    )
    verdicts = _with_scores(verdicts, selection.columns.scores, path)
    if selection.columns.good_verdict:
        given = {
            judge: read_numbers(
                selection.columns.good_verdict, "--good-verdict", str(path), ends=verdicts.scale(judge, selection.ends)
            )
            for judge in verdicts.scores
        }
        verdicts = replace(verdicts, directions=given)
    if selection.pairs and evaluation.has("baseline"):
        verdicts = _against_baseline(verdicts, evaluation)
    elif selection.pairs:
        verdicts = _on_pairs(path, verdicts, selection)
    return Results(verdicts)


def _with_scores(verdicts: Verdicts, names: Sequence[str], path: Path) -> Verdicts:
    """Only the scores that are named; all without any."""
    if strange := [name for name in names if name not in verdicts.scores]:
        raise RatersError(
            f"{path} has no score {shown(strange[0])}; its scores: {', '.join(verdicts.scores)}. Name one of "
            "them, or leave out --score-column."
        )
    return replace(verdicts, scores={name: verdicts.scores[name] for name in names or verdicts.scores})


def _chosen(path: Path, evaluations: Sequence[Evaluation], selection: VerdictSelection) -> Evaluation:
    """The evaluation that is named, or that has a score of this name, or of the rated items the only one."""
    metric = selection.metric
    named = [each for each in evaluations if metric in (None, each.name, each.metric)]
    named = named or [each for each in evaluations if metric in each.other_scores]
    if not named:
        known = dict.fromkeys(name for each in evaluations for name in (each.name, each.metric, *each.other_scores))
        raise RatersError(f"{path} has no metric {shown(metric or '')}; give one of {', '.join(known)}.")
    fitting = [each for each in named if not selection.rated or not set(selection.rated).isdisjoint(each.items)]
    names = ", ".join(sorted({each.name for each in fitting or named}))
    if not fitting:
        raise RatersError(
            f"{path} holds none of the rated items; its evaluations: {names}. Name results of what people have rated."
        )
    if len(fitting) > 1:
        which = " of the rated items" if selection.rated else ""
        raise RatersError(
            f"{path} holds {counted(len(fitting), 'evaluation')}{which}: {names}. Name the file of one, or "
            "choose with --metric."
        )
    return fitting[0]


def _by_score(evaluation: Evaluation, selection: VerdictSelection) -> list[Evaluation]:
    """The evaluation by each of its scores that is wanted: those named, else the headline.

    Of a log of Inspect every scorer's, but for people's own ratings; several are called by their names, since one model
    may grade for all of them.
    """
    metric, others = selection.metric, evaluation.other_scores
    scorers = [name for name in others if name != PEOPLE] if evaluation.format == inspect_log.NAME else []
    if scorers and len(evaluation.judges) == 1:
        evaluation = replace(evaluation, rows=evaluation.rows.assign(judge=None))
    if metric is not None and metric not in (evaluation.name, evaluation.metric):
        return [_of_other_score(evaluation, metric)]
    if metric == evaluation.metric != evaluation.name:
        scorers = []
    wanted = dict.fromkeys((*scorers, *(name for name in selection.columns.scores if name in others)))
    return [evaluation, *(_of_other_score(evaluation, name) for name in wanted)]


def _of_other_score(evaluation: Evaluation, name: str) -> Evaluation:
    """The same rows by another of their scores; what the headline's judge said of them is not its reason."""
    scores, (_, several, part) = evaluation.other_scores[name], name.partition("/")
    known = scores[np.isfinite(scores)]
    return replace(
        evaluation,
        metric=name,
        rows=evaluation.rows.assign(score=scores, judge=None, verdict=None, explanation=None),
        bounds=UNIT if ((known >= 0) & (known <= 1)).all() else None,
        higher_is_better=not (several and lower_by_name(part)),  # as of the headline: a whole score's name says nothing
    )


def _side_by_side(verdicts: Sequence[Verdicts]) -> Verdicts:
    """Verdicts on the same outputs as those of several judges."""
    first = verdicts[0]
    return replace(
        first,
        scores={judge: values for each in verdicts for judge, values in each.scores.items()},
        reasons={judge: texts for each in verdicts for judge, texts in each.reasons.items()},
        directions={judge: way for each in verdicts for judge, way in each.directions.items()},
        bounds=first.bounds if len({each.bounds for each in verdicts}) == 1 else None,
    )


# --- which rated output is which judged one, and what belongs together ---


def key_of(document: Document) -> Key:
    """The output, or pair of outputs, that a project's document is."""
    source = document.source
    model = PAIR.join(each or "" for each in source["models"]) if "models" in source else source.get("model")
    return Key(str(source.get("item", document.id)), model or "", source.get("epoch"))


def texts_by_item(documents: Iterable[Document]) -> dict[str, tuple[str, ...]]:
    """The outputs that people have rated, by the name of their item."""
    return {key_of(each).item: tuple(each.body["outputs"] or [each.body["output"]]) for each in documents}


def names_no_models(documents: Iterable[Document]) -> bool:
    """Whether none of these pairs says whose outputs it is of."""
    return not any(any(each.source.get("models") or ()) for each in documents)


def in_groups(verdicts: Verdicts, project: Project) -> Verdicts:
    """The verdicts in groups of what belongs together by the project's groups, by the results' clusters, or by both."""
    documents = [project.documents[item.document] for item in live_items(project).values()]
    ours = f"the {task_of(project.settings).nouns.group}"
    return in_groups_of(verdicts, {key_of(each): each.group for each in documents}, ours, "the project")


def in_groups_of(verdicts: Verdicts, groups: Mapping[Key, str], ours: str, where: str) -> Verdicts:
    """The verdicts in groups of what belongs together by these groups, by the results' clusters, or by both.

    Args:
        verdicts: of outputs.
        groups: of those that people have rated.
        ours: what the outputs of such a group share.
        where: the groups are from.
    """
    find, known = finder(verdicts.keys), set(verdicts.keys)
    group_of = {key: group for each, group in groups.items() if (key := find(each)) in known}
    merged = _merged(
        [(group_of.get(key, cluster), cluster) for key, cluster in zip(verdicts.keys, verdicts.clusters, strict=True)]
    )
    clusters, named = tuple(merged[cluster] for cluster in verdicts.clusters), set(group_of.values())
    by = verdicts.clustered_by
    heads = {merged[group] for group in named}
    if by in ("", ours) or (len(heads) == len(named) and heads.issuperset(clusters)):
        by = ours
    elif len(heads) < len(named):
        by = f"{ours} or {by}"
    else:
        by = f"{ours}, or outside {where} {by},"
    return replace(verdicts, clusters=clusters, clustered_by=by)


def _merged(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """For each name, one that it shares with all names to which pairs link it: the first of a pair among them."""
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while (up := root.setdefault(name, name)) != name:
            name = root[name] = root[up]
        return name

    for first, second in pairs:
        root[find(second)] = find(first)
    return {name: find(name) for name in list(root)}


# --- pairs ---


def _on_pairs(path: Path, verdicts: Verdicts, selection: VerdictSelection) -> Verdicts:
    """The same, where scores of two models' outputs can be brought to the pairs that people rated."""
    by_pair = "a row for each pair, without a column of models: 1 where the first is better, 0 where the second is"
    if selection.unnamed:
        raise RatersError(
            f"{path} scores outputs by model, and the rated pairs don't say whose outputs they are: give {by_pair}."
        )
    on_pairs = verdicts_on_pairs(verdicts)
    if not on_pairs.keys:
        raise RatersError(
            f"{path} scores one model's output for each item, and people rated pairs: give a row for each of the two "
            f"models; or {by_pair}."
        )
    return on_pairs


def verdicts_on_pairs(verdicts: Verdicts) -> Verdicts:
    """Of each two models' outputs on an item: 1 where a judge scores the first higher, 0 where lower, else 0.5."""
    by_item: dict[tuple[str, int | None], dict[str, int]] = {}
    for place, key in enumerate(verdicts.keys):
        by_item.setdefault((key.item, key.epoch), {})[key.model] = place
    pairs = [(of, one, other) for of, models in by_item.items() for one, other in combinations(sorted(models), 2)]
    first = [by_item[of][one] for of, one, _ in pairs]
    second = [by_item[of][other] for of, _, other in pairs]
    return replace(
        verdicts,
        keys=tuple(Key(item, PAIR.join((one, other)), epoch) for (item, epoch), one, other in pairs),
        clusters=tuple(verdicts.clusters[place] for place in first),
        scores={name: 0.5 + np.sign(values[first] - values[second]) / 2 for name, values in verdicts.scores.items()},
        bounds=UNIT,
        words={},
        texts=("",) * len(pairs),
        reasons={
            name: tuple(_both(own[one], own[other]) for one, other in zip(first, second, strict=True))
            for name, own in verdicts.reasons.items()
        },
        shown={name: tuple(texts[place] for place in first) for name, texts in verdicts.shown.items()},
        ones=dict.fromkeys(verdicts.scores, "the first of the pair is scored better"),
    )


def _both(first: str, second: str) -> str:
    """What is said of each output of a pair."""
    return f"First: {first or '-'}\n\nSecond: {second or '-'}" if first or second else ""


def _against_baseline(verdicts: Verdicts, evaluation: Evaluation) -> Verdicts:
    """The same, each output named with the one that it was compared with."""
    rows = evaluation.rows[["item", "model", "baseline"]].astype(object).itertuples(index=False)
    baselines = {(_named(item), _named(model)): _named(baseline) for item, model, baseline in rows}
    named = tuple(key._replace(model=PAIR.join((key.model, baselines[key.item, key.model]))) for key in verdicts.keys)
    return replace(verdicts, keys=named)


# --- evaluations ---

_SHOWN = {"question": "prompt", "reference": "reference"}


def verdicts_of_evaluation(evaluation: Evaluation, *, by_epoch: bool = False) -> Verdicts:
    """The rows of an evaluation as verdicts, by item, model and judge: of each epoch, or means over them.

    Where nobody is named as the judge, the metric is.
    """
    rows = evaluation.rows
    judges = rows["judge"].astype(object).where(rows["judge"].notna(), evaluation.metric).to_numpy()
    names = ("item", "model", "cluster", "output", "verdict", "explanation", "epoch", *_SHOWN.values())
    places: dict[Key, int] = {}
    clusters: list[str] = []
    texts: list[str] = []
    beside: list[tuple[str, ...]] = []
    scores: dict[str, dict[int, list[float]]] = {}
    reasons: dict[str, dict[int, str]] = {}
    cells = zip(*(rows[name].astype(object).to_numpy() for name in names), strict=True)
    for judge, (item, model, cluster, output, verdict, explanation, epoch, *others), score in zip(
        judges, cells, rows["score"], strict=True
    ):
        repetition = int(epoch) if by_epoch and math.isfinite(epoch) else None
        key = Key(_named(item), _named(model), repetition)
        place = places.setdefault(key, len(places))
        if place == len(clusters):
            clusters.append(_named(cluster) or key.item)
            texts.append(_named(output))
            beside.append(tuple(map(_named, others)))
        scores.setdefault(str(judge), {}).setdefault(place, []).append(score)
        reasons.setdefault(str(judge), {})[place] = _named(verdict) or _named(explanation)
    everything = range(len(places))
    by_file = Direction(
        turned=not evaluation.higher_is_better, by="file" if not evaluation.higher_is_better else "assumed"
    )
    return Verdicts(
        keys=tuple(places),
        clusters=tuple(clusters),
        scores={
            judge: np.array([np.mean(own.get(place, [math.nan])) for place in everything])
            for judge, own in scores.items()
        },
        texts=tuple(texts),
        reasons={judge: tuple(own.get(place, "") for place in everything) for judge, own in reasons.items()},
        directions=dict.fromkeys(scores, by_file),
        bounds=evaluation.bounds,
        shown={name: own for name, own in zip(_SHOWN, zip(*beside, strict=True), strict=False) if any(own)},
        clustered_by=_shared(evaluation, clusters),
    )


def _shared(evaluation: Evaluation, clusters: Sequence[str]) -> str:
    """What outputs of a cluster share; empty where each is by itself."""
    if len(set(clusters)) == len(clusters):
        return ""
    return "the cluster that the results name" if evaluation.has("cluster") else "the item"


def _named(cell: Any) -> str:
    return cell if isinstance(cell, str) else ""
