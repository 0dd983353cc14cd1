"""What `voirdire integrity study` shows: how far those who judged the trials can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from voirdire.documents.cells import UNDEFINED, count, number, plain_table, text
from voirdire.documents.document import Block, Bullets, Cell, Document, Section, Table, Text, document
from voirdire.papers.claims import ClaimVerdict
from voirdire.papers.integrity.agreement import Agreement
from voirdire.papers.integrity.citations import Citation, explanations
from voirdire.papers.integrity.claims import check_statements, matching_quantity
from voirdire.papers.integrity.sample import HIGH_WANTED
from voirdire.papers.integrity.study import TrialsStudy
from voirdire.papers.integrity.variance import TTest
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted

_SHORT = {"epistemic_integrity": "integrity", "value_transparency": "transparency", "overall_score": "overall"}


def study_document(study: TrialsStudy) -> Document:
    """The study as tables, each with what it means."""
    parts = (_agreement, _unparsed, _dimensions, _variance, _deltas, _prevalence, _evidence, _spread, _claims)
    trials = study.trials
    facts = sum(len(scenario.facts) for scenario in trials.scenarios.values())
    head = (
        f"{counted(len(trials.trials), 'response')} of {counted(len(trials.models), 'model')} to "
        f"{counted(len(trials.scenarios), 'scenario')} with {counted(facts, 'fact')}, scored by "
        f"{counted(len(trials.evaluators), 'judge')} under {counted(len(trials.parsed), 'rubric')}."
    )
    caution = "No human scored them: agreement of judges is not accuracy."
    return document(Text(head), Text(caution), *(section for part in parts for section in part(study)))


def _agreement(study: TrialsStudy) -> Iterator[Section]:
    rows = []
    for name, each in _agreements(study):
        one, two = each.one_way, each.two_way
        figures = (two.icc_3_1.value, one.icc_1_1, two.icc_2_k.value, two.icc_3_k.value, one.icc_1_k)
        rows.append(
            [
                text(name),
                _value(two.icc_2_1.value),
                text(_span(two.icc_2_1.low, two.icc_2_1.high)),
                *map(_value, (*figures, each.alpha.value, each.mean_pairwise_pearson)),
            ]
        )
    heads = ("ICC", "(2,1)", "95 %", "(3,1)", "(1,1)", "(2,k)", "(3,k)", "(1,k)", "alpha", "r")
    table = plain_table("icc", heads, rows)
    yield _section(
        "agreement",
        "Do the judges agree?",
        "ICC(2,1): would another judge give the same score? (3,1): would it rank responses the same, leniency apart? "
        "(1,1): would it, if every response had judges of its own? k: the same of the mean of all judges. Alpha: "
        "Krippendorff's. r: mean correlation of two judges. 95 %: of ICC(2,1), leaving out a scenario at a time.",
        table,
        *_constant(study),
    )


def _agreements(study: TrialsStudy) -> Iterator[tuple[str, Agreement]]:
    for rubric in study.trials.parsed:
        for dimension in study.trials.dimensions:
            each = study.agreement(rubric, dimension)
            if each is not None:
                yield f"{rubric} {_short(dimension)}", each


def _constant(study: TrialsStudy) -> Iterator[Block]:
    judges: dict[str, set[str]] = {}
    for each in study.agreements:
        judges.setdefault(f"{each.rubric}, {_short(each.dimension)}", set()).update(each.constant)
    lines = [f"{what}: {', '.join(sorted(names))}" for what, names in sorted(judges.items()) if names]
    if lines:
        yield Text("Judges who always give the same score:")
        yield Bullets(tuple(lines))


def _unparsed(study: TrialsStudy) -> Iterator[Section]:
    cells = study.trials.unparsed
    if not cells:
        return
    rows = []
    for rubric in sorted({cell.rubric for cell in cells}):
        for dimension in study.trials.dimensions:
            treated = (study.agreement(rubric, dimension, how) for how in ("missing", "published", "recovered"))
            values = [_value(each.two_way.icc_3_1.value, 3) for each in treated if each is not None]
            rows.append([text(f"{rubric} {_short(dimension)}"), *values])
    listed = "; ".join(f"{cell.trial}, {cell.rubric}, {cell.evaluator}" for cell in cells)
    heads = ("ICC(3,1)", "left out", "-1 as a score (published)", "read from the reply")
    table = plain_table("unparsed", heads, rows)
    yield _section("unparsed", "What an unparsed reply does", f"Not parsed: {listed}.", table)


def _dimensions(study: TrialsStudy) -> Iterator[Section]:
    each = study.dimensions
    pooled, between = each.pooled, each.trial_means
    rows = [
        ("pooled", pooled.r, _span(pooled.low, pooled.high), f"{pooled.n} rows taken as independent"),
        ("pooled, trials drawn", pooled.r, _ends(each.pooled_bootstrap), "a trial's scores drawn together"),
        ("within judges", each.centred_r, _ends(each.centred_bootstrap), "each judge's own mean taken off"),
        ("between trials", between.r, _span(between.low, between.high), "mean over judges, per trial"),
        ("between judges", each.between_evaluator_means_r, "", f"means of {len(each.per_evaluator)} judges"),
        *((f"  {name}", own.r, _span(own.low, own.high), "alone") for name, own in each.per_evaluator.items()),
    ]
    table_rows = ((name, _value(r), interval, meaning) for name, r, interval, meaning in rows)
    yield _section(
        "dimensions",
        f"Are {_short(each.first)} and {_short(each.second)} one thing?",
        "If the pooled correlation is far above the one within judges, it says who is lenient, not what goes together.",
        plain_table("dimensions", ("correlation", "r", "95 %", "what it means"), table_rows, numbers=2),
    )


def _variance(study: TrialsStudy) -> Iterator[Section]:
    rows = (
        (
            f"{_short(dimension)}: {name}",
            _value(term.F),
            str(term.df),
            _p_value(term.p),
            _value(term.eta_squared, 3),
            _p_value(study.variance.blocked[dimension].terms[name].p),
        )
        for dimension, plain in study.variance.plain.items()
        for name, term in plain.terms.items()
    )
    corrected, with_block = (
        ", ".join(f"{_short(name)} {_p_value(p) or 'undefined'}" for name, p in each.items())
        for each in (study.variance.holm_plain, study.variance.holm_blocked)
    )
    yield _section(
        "variance",
        "Do models and constitutions move the scores?",
        "Type II, of the mean over judges.",
        plain_table("variance", ("outcome", "F", "df", "p", "eta²", "p with scenario block"), rows),
        Text(
            f"The interaction, corrected for {len(study.variance.plain)} outcomes (Holm): {corrected}; "
            f"with scenarios as blocks: {with_block}."
        ),
    )


def _deltas(study: TrialsStudy) -> Iterator[Section]:
    own = list(study.deltas.values())
    tests = {name: [each.paired[name] for each in own] for name in own[0].paired}
    tests["all together"] = [each.all for each in own]
    tests[f"mean of {own[0].scenarios.n} scenarios"] = [each.scenarios for each in own]
    rows = ([text(name), *map(_change, each)] for name, each in tests.items())
    yield _section(
        "deltas",
        "What does a constitution change against none?",
        "Points, same model and scenario, paired t test. All together, changes of opposite sign cancel.",
        plain_table("deltas", ("constitution", *map(_short, study.deltas)), rows),
    )


def _change(test: TTest) -> Cell:
    """A mean difference, with its p where there is one."""
    if not math.isfinite(test.mean):
        return Cell(None, UNDEFINED)
    p = f" (p {_p_value(test.p)})" if _p_value(test.p) else ""
    return Cell(test.mean, f"{test.mean:+.2f}{p}")


def _prevalence(study: TrialsStudy) -> Iterator[Section]:
    rows = []
    for name, each in _agreements(study):
        if each.nominal is not None:
            nominal = each.nominal
            share, score = max(zip(nominal.prevalence, nominal.categories, strict=True))
            rows.append(
                (
                    name,
                    f"{score:g} ({share:.1%})",
                    f"{nominal.pairwise_agreement:.1%}",
                    _value(nominal.gwet_ac1.value),
                    _value(nominal.fleiss_kappa),
                    _value(each.alpha.value),
                    f"{nominal.unanimous_share:.1%}",
                )
            )
    heads = ("", "commonest score", "agreement", "AC1", "Fleiss kappa", "alpha", "unanimous")
    yield _section(
        "prevalence",
        "Agreement where nearly all scores are alike",
        "AC1 says how often judges agree; kappa and alpha, whether they agree on which responses are the others. "
        "Where nearly every score is 100 the first is high by necessity, and only the second tells of judgement.",
        plain_table("prevalence", heads, rows),
    )


def _evidence(study: TrialsStudy) -> Iterator[Section]:
    citations = study.citations
    rows = []
    for name in study.trials.evaluators:
        quotes, invented, figures, absent = (
            [each for each in group if each.evaluator == name]
            for group in (citations.quotes, citations.invented_quotes, citations.figures, citations.absent_figures)
        )
        share = f" ({len(absent) / len(figures):.0%})" if figures else ""
        rows.append(
            (
                name,
                count(len(quotes)),
                count(len(invented)),
                count(len(figures)),
                f"{len(absent)}{share}" if figures else "",
                f"{explanations(citations.absent_figures, name)} of {explanations(citations.figures, name)}",
            )
        )
    heads = ("judge", "quotes", "in no text", "figures", "absent", "explanations with absent ones")
    yield _section(
        "evidence",
        "Do judges cite what the response contains?",
        "By rule. Quotes: of three words or more; in no text: neither in the response, in whatever words, nor in the "
        "case put to the model. Figures: those that a judge credits the response with; absent: not in the response.",
        plain_table("evidence", heads, rows),
        *map(Text, _absent(citations.absent_figures)),
    )


def _absent(figures: Sequence[Citation]) -> Iterator[str]:
    if figures:
        in_case = sum(each.stands == "case" for each in figures)
        each = min(figures, key=lambda figure: ("%" not in figure.text, len(figure.sentence)))
        yield (
            f"Of {len(figures)} absent figures, {in_case} stand in the case put to the model: the judge had them from "
            "the facts, not from the response."
        )
        yield f"For example {each.text} in {each.trial}, {each.evaluator}: “{each.sentence}”"


def _spread(study: TrialsStudy) -> Iterator[Section]:
    bands, sample = study.bands, study.sample
    every, consensus = sum(bands.all_scores.values()), sum(bands.consensus.values())
    rows = (
        (
            name,
            f"{low}-{high} %",
            f"{bands.consensus[name] / consensus:.1%}",
            f"{bands.all_scores[name] / every:.1%}",
        )
        for name, (low, high) in bands.target_pct.items()
    )
    again = {True: "drawn again exactly", False: "not what the file names", None: "the file names none"}
    drawn = (
        f"Sample for human validation ({again[sample.as_published]}): {sample.drawn('high_disagreement')} trials of "
        f"high disagreement ({HIGH_WANTED} wanted, {sample.high_available} there), {sample.drawn('high_agreement')} of "
        f"low, {sample.drawn('stratified_random')} filled in by a greedy rule without chance."
    )
    table = plain_table("spread", ("band", "guide expects", "mean of judges", "single scores"), rows)
    yield Section("spread", "How do the scores spread?", (table, Text(drawn)))


def _claims(study: TrialsStudy) -> Iterator[Section]:
    blocks: list[Block] = []
    for each in check_statements(study):
        blocks.append(Text(each.statement.says, "strong"))
        lines = []
        for outcome in each.outcomes:
            what = matching_quantity(outcome) or "nothing that is computed here"
            verdict = f"yes, {what}" if outcome.verdict is ClaimVerdict.REPRODUCED else f"no; it is {what}"
            lines.append(f"{outcome.claim.printed} ({outcome.claim.section}): {verdict}")
        blocks.append(Bullets((*lines, each.statement.definition)))
    if blocks:
        yield Section("claims", "What was published of these trials", tuple(blocks))


def _section(id: str, title: str, means: str, table: Table, *more: Block) -> Section:
    return Section(id, title, (Text(means), table, *more))


def _short(dimension: str) -> str:
    return _SHORT.get(dimension, dimension)


def _value(value: float | None, places: int = 2) -> Cell:
    """A number; nothing where it is undefined."""
    return number(value, places) if value is not None and math.isfinite(value) else Cell(None, "")


def _span(low: float, high: float) -> str:
    """The ends of an interval, likewise."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{low:z.2f}{'–' if low >= 0 else ' to '}{high:z.2f}"


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else _span(interval.low, interval.high)


def _p_value(p: float) -> str:
    """A p-value, as far as its places say something."""
    return "" if math.isnan(p) else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"
