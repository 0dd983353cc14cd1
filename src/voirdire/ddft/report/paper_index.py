"""The paper's index and label, in a section of their own: with the turns behind them, and whether to go by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.ddft.analysis.comparability import short_caution
from voirdire.ddft.metric_labels import PAPER
from voirdire.ddft.paper_index import LEAST_TURNS, explanation, relative_label, summary
from voirdire.ddft.profile import Profile
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import count_cell, metric, metric_interval, plain, text_cell
from voirdire.ddft.report.profiles import metrics_of_one, metrics_side_by_side
from voirdire.ddft.thresholds import Thresholds
from voirdire.documents.document import Block, Bullets, Cell, Column, Section, Table, Text
from voirdire.text.counting import listed

_BOUNDS = (
    (
        "Robust",
        "above {robust_index}",
        "Facts and form hold even with nothing to lean on.",
        "Keep checking facts from outside: in the paper these models were fluent and wrong more often than the brittle "
        "ones, so that their errors are the ones that nobody sees.",
    ),
    (
        "Competent",
        "{competent_index} to {robust_index}",
        "Reliable under moderate stress; may lose its hold without a source, or when handed a fabrication.",
        "Give it the source text, show how sure it is, have a person look at whatever matters.",
    ),
    (
        "Brittle",
        "{competent_index} and below",
        "Facts decay, or sentences fall apart, as soon as pressure comes on.",
        "Retrieval of sources, an independent check of every claim, a person who decides.",
    ),
)


def paper_index(material: Material) -> Section:
    """What the paper would have printed, and what it is to be trusted with."""
    return Section("paper-index", "The paper's index", tuple(_blocks(material)), detail=True)


def _blocks(material: Material) -> Iterator[Block]:
    yield Text(
        "The paper that the test comes from sums a model up in one index, here called CI index, and gives it one of "
        "three labels. They are here so that you can compare a result with the paper's. Choose by ER, not by them."
    )
    yield _labels(material)
    remarks = [*_remarks(material.profiles), *_against_er(material)]
    if remarks:
        yield Bullets(tuple(remarks))
    only = material.only
    if only is not None:
        yield metrics_of_one("paper-metrics", only, PAPER)
    else:
        yield from metrics_side_by_side("paper-metrics", material.profiles, PAPER)
    yield Text("What the labels mean in the paper:")
    yield _meanings(material.runs.thresholds)
    yield Text(
        "Take the labels lightly. The CI index has faults that no data can mend: making an incoherent answer more "
        "accurate lowers it, since FAR' stands in its denominator; FAR' often rests on a handful of turns; and "
        "stretched over the models of a study, as the paper defines it, it calls the worst of any company brittle and "
        "changes with who else is tested. The label here goes by the index as it is. It is not reliable where FAR' or "
        f"SAS' rests on fewer than {LEAST_TURNS} turns, or where the index has no interval. ER never falls when an "
        "answer becomes more accurate, and does not depend on other models: hence it comes first."
    )


def _labels(material: Material) -> Table:
    relative = {
        run.names[profile.model]: relative_label(
            profile.paper_index, [each.paper_index for each in run.result.profiles]
        )
        for run in material.report_runs
        for profile in run.result.profiles
    }
    columns = (
        Column("model", "model"),
        Column("label", "label"),
        Column("value", "CI index", numeric=True, with_ends=True),
        Column("interval", "95 % interval", numeric=True, says_ends=True),
        Column("far_prime_n", "turns behind FAR'", numeric=True),
        Column("sas_prime_n", "turns behind SAS'", numeric=True),
        Column("relative", "label within the run", help="By the CI index stretched over the models of the run"),
    )
    return Table(
        "paper-labels", columns, tuple(_label(profile, relative[profile.model]) for profile in material.profiles)
    )


def _label(profile: Profile, relative: str | None) -> dict[str, Cell]:
    index = profile.paper_index
    return {
        "model": text_cell(profile.model),
        "label": text_cell(summary(index), "" if index.reliable else "quiet"),
        "value": Cell(
            plain(index.value),
            metric("CI_raw", index.value),
            ends=None if index.interval is None else index.interval[:2],
        ),
        "interval": text_cell(metric_interval("CI_raw", index.interval) or "none"),
        "far_prime_n": count_cell(index.far_prime_n),
        "sas_prime_n": count_cell(index.sas_prime_n),
        "relative": text_cell(relative or "–"),
    }


def _remarks(profiles: Sequence[Profile]) -> Iterator[str]:
    """Why labels are not reliable, or uncertain; each reason once."""
    whose: dict[str, list[str]] = {}
    for profile in profiles:
        remark = explanation(profile.paper_index)
        if remark is not None:
            whose.setdefault(remark, []).append(profile.model)
    for remark, models in whose.items():
        yield remark if len(profiles) == 1 else f"{listed(models)}: {remark}"


def _against_er(material: Material) -> Iterator[str]:
    """Models with a good label whose ER interval lies below another's."""
    if short_caution(material.result_by_name):
        return
    for profile in material.profiles:
        own = profile.er_interval
        above = [
            other.model
            for other in material.profiles
            if own is not None and other.er_interval is not None and own.high < other.er_interval.low
        ]
        if above and profile.paper_index.phenotype == "Robust":
            yield (
                f"{profile.model} has the index of a Robust model, yet the interval of its ER lies below that of "
                f"{listed(above)}. Do not prefer it for its index."
            )


def _meanings(thresholds: Thresholds) -> Table:
    labels = {"label": "label", "ci": "CI index", "what": "what it means", "safeguards": "safeguards"}
    columns = tuple(Column(key, label) for key, label in labels.items())
    rows = tuple(
        {key: text_cell(text.format(**thresholds.in_texts)) for key, text in zip(labels, row, strict=True)}
        for row in _BOUNDS
    )
    return Table("labels", columns, rows)
