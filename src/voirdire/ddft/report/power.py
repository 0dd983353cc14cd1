"""A planned comparison: what it takes to tell two models apart, and what the published study could."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from voirdire.ddft.analysis.comparing.verdicts import called
from voirdire.ddft.analysis.planning.material import Layout
from voirdire.ddft.analysis.planning.paper import Resolution
from voirdire.ddft.analysis.planning.power import Detection
from voirdire.ddft.analysis.planning.sources import PUBLISHED, AssumedValue
from voirdire.ddft.metric_labels import LABELS, in_words
from voirdire.documents.cells import UNDEFINED, count, plain_table, text
from voirdire.documents.cells import metric as metric_text
from voirdire.documents.document import Block, Bullets, Column, Document, Section, Table, Text, detail, document, more
from voirdire.text.counting import counted, listed
from voirdire.text.money import dollars

_LISTED = 5
"""Pairs and designs that are named; JSON has them all."""


def detection_document(detection: Detection) -> Document:
    """Designs that tell two models apart; with the published study's variances, also what that study could."""
    question = detection.question
    pairs = "" if question.pairs == 1 else f" in the first of {question.pairs} pairs after Holm"
    return document(
        Text(detection_line(detection), "strong"),
        *_how_sure(detection),
        Text(_detectable(detection)),
        *assumed_values(detection.metric, detection.assumed),
        Bullets(tuple(detection.notes)),
        more("Where the variance comes from, other designs, and what the paper's study could tell apart"),
        detail(
            "designs",
            Text(
                f"To tell them apart, their {100 * (1 - question.alpha):.0f} % interval over concepts must exclude "
                f"0{pairs}. "
                f"Variances from {_source(detection)}."
            ),
            _components(detection),
            *_designs(detection),
        ),
        *([_paper(detection)] if detection.source.name == PUBLISHED else []),
    )


def detection_line(detection: Detection) -> str:
    """The cheapest design, or that there is none, in one line."""
    best, question = detection.recommended, detection.question
    chance = f"with a chance of {100 * question.power:.0f} %"
    aim = f"two models that differ by {question.detect:g} in {called(detection.metric)} {chance}"
    if best is None:
        nearest = max(design.power for design in detection.designs)
        return f"No design asked for tells apart {aim}: the nearest reaches {100 * nearest:.0f} %."
    layout, cost = best.design.layout, best.design.cost
    models = cost.dialogues // (layout.concepts * layout.levels * layout.samples)
    whose = "the one model named" if models == 1 else f"{models} models"
    time = "" if cost.minutes is None else f", about {_duration(cost.minutes)}"
    money = "" if cost.usd is None else f", {dollars(cost.usd)}"
    unjudged = "" if cost.judged else ", without the judges' calls (add --jury)"
    return (
        f"To tell apart {aim}, the cheapest design takes {_layout_text(layout)}: "
        f"{counted(cost.calls, 'call')}{money}{time} for {whose}{unjudged}."
    )


def _source(detection: Detection) -> str:
    name, material = detection.source.name, detection.source.material
    models = counted(len(material.models), "model")
    run = f"{models}, {_layout_text(material.layout)}"
    if not detection.source.estimated:
        return f"the assumption {name}, simulated ({run})"
    return f"the published scores ({run})" if name == PUBLISHED else f"the pilot {name} ({run})"


def _layout_text(layout: Layout) -> str:
    counts = ((layout.concepts, "concept"), (layout.levels, "level"), (layout.samples, "sample"))
    each = " x ".join(counted(number, name) for number, name in counts)
    return f"{each}, {counted(layout.judges, 'judge')}"


def _components(detection: Detection) -> Table:
    own, parts = detection.source.layout, detection.components
    each = own.levels * own.samples
    sources = (
        ("concepts", parts.concept, 1, "lessened by more concepts alone"),
        ("levels", parts.level, own.levels, "by concepts and levels"),
        ("dialogues", parts.dialogue, each, "by concepts, levels and samples"),
        ("judges", parts.judge, each * own.judges, "by all these and by judges"),
    )
    total = parts.variance(own)
    rows = []
    for name, variance, number, says in sources:
        if variance is None:
            rows.append((name, UNDEFINED, UNDEFINED, "not separated by this source"))
        else:
            share = variance / number / total if total > 0 else 0.0
            rows.append((name, f"{variance**0.5:.3g}", f"{100 * share:.0f} %", says))
    heads = ("the difference varies between", "SD", f"share at {counted(own.levels, 'level')}", "")
    return plain_table("components", heads, rows, numbers=2)


def _designs(detection: Detection) -> Iterator[Block]:
    best, priced = detection.recommended, any(design.cost.usd is not None for design in detection.designs)
    nearest = sorted(detection.designs, key=lambda design: -design.power)[:_LISTED]
    designs_shown = detection.efficient if best is not None else nearest
    heads = ("concepts", "levels", "samples", "judges", "dialogues", "calls", *(("USD",) if priced else ()), "power")
    rows = []
    for design in designs_shown:
        layout, cost = design.layout, design.cost
        numbers = [layout.concepts, layout.levels, layout.samples, layout.judges, cost.dialogues, cost.calls]
        money = [text(dollars(cost.usd))] if priced else []
        power = text(f"{100 * design.power:.0f} %", "strong" if best is not None and design is best.design else "")
        rows.append((*map(count, numbers), *money, power))
    yield plain_table("designs", heads, rows)
    if best is None:
        yield Text("These come nearest.", "strong")
    else:
        simulated = best.simulated
        yield Text(
            f"Of {simulated.studies:,} simulated studies, {100 * simulated.interval:.0f} % have an interval without 0; "
            f"a test that swaps whole concepts finds {100 * simulated.swap_test:.0f} %."
        )


def _how_sure(detection: Detection) -> Iterator[Text]:
    best = detection.recommended
    if best is not None and best.concepts_interval is not None:
        low, high = (_number(end) for end in best.concepts_interval)
        noisy = best.noisy_pair_concepts
        tenth = "" if noisy is None else f"; the noisiest tenth of pairs needs {noisy:,} or more"
        yield Text(f"How sure: {low} to {high} concepts (95 %), for the variances are estimates{tenth}.")


def _number(concepts: int | None) -> str:
    return "over 10,000" if concepts is None else f"{concepts:,}"


def _duration(minutes: float) -> str:
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"


def _detectable(detection: Detection) -> str:
    corrected = (
        f"; {detection.smallest_after_holm:.3g} after Holm over {detection.question.pairs} pairs"
        if detection.smallest_after_holm is not None
        else ""
    )
    return (
        f"With {_layout_text(detection.source.layout)}, the smallest difference told with this chance is "
        f"{detection.smallest_detectable:.3g}{corrected}."
    )


def assumed_values(metric: str, assumed: Sequence[AssumedValue]) -> Iterator[Text]:
    """What each model assumed has of a metric, and how far they differ; nothing where one stands for all."""
    if not assumed:
        return
    values = listed([f"{metric_text(metric, each.value)} for {each.parameters}" for each in assumed])
    known = [each.value for each in assumed if each.value is not None]
    apart = sorted(abs(a - b) for a, b in combinations(known, 2))
    reach = dict.fromkeys(metric_text(metric, each) for each in (*apart[:1], *apart[-1:]))
    differ = f"; they differ by {' to '.join(reach)}" if reach else ""
    yield Text(f"As assumed, {in_words(metric)} is {values}{differ}.")


def _paper(detection: Detection) -> Section:
    title = f"What the paper's {_layout_text(detection.paper_layout)} could tell apart"
    return detail("paper", *_distinguished_pairs(detection), title=title)


def _distinguished_pairs(detection: Detection) -> Iterator[Block]:
    yield Text(f"The difference of a typical pair, power {100 * detection.question.power:.0f} %:")
    rows = (
        (
            LABELS[each.metric],
            f"{each.smallest_detectable:.3g}",
            count(each.distinguishable(each.smallest_detectable)),
            f"{each.after_holm:.3g}",
            count(each.distinguishable(each.after_holm)),
            count(len(each.pairs)),
            count(sum(pair.interval_excludes_0 is True for pair in each.pairs)),
        )
        for each in detection.paper
    )
    heads = (
        "metric",
        "smallest",
        Column("apart", "pairs apart", numeric=True),
        "after Holm",
        Column("apart_holm", "pairs apart", numeric=True),
        "all pairs",
        "interval excludes 0",
    )
    yield plain_table("paper", heads, rows, caption="K: accuracy at turns 1-3, S: coherence at turns 1-3.")
    yield Text(_above(detection.paper[0]))
    if detection.paper_layout.concepts < detection.paper[0].concepts_for_holm:
        yield Text(_all_pairs(detection.paper[0], detection.paper_layout.concepts))


def _all_pairs(first: Resolution, concepts: int) -> str:
    return (
        f"With {counted(concepts, 'concept')} a test that swaps them gives no p below {first.smallest_p:.2g}: after "
        f"Holm it tells none of {counted(len(first.pairs), 'pair')}; that takes {first.concepts_for_holm} concepts."
    )


def _above(first: Resolution) -> str:
    above = [pair for pair in first.pairs if abs(pair.difference) >= first.smallest_detectable]
    if not above:
        return f"No pair of its models differs by so much in {first.metric}."
    pairs_named = "; ".join(f"{pair.a} / {pair.b} ({abs(pair.difference):.3g})" for pair in above[:_LISTED])
    more = f"; and {len(above) - _LISTED} more (--json lists all)" if len(above) > _LISTED else ""
    return f"By {first.metric} these: {pairs_named}{more}."
