"""What `voirdire integrity` prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from voirdire.cli.show._integrity_text import ends, p_value, places, short, span, title, two_places
from voirdire.cli.show.integrity_evidence import claims, evidence, spread
from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.papers.integrity.study import Study
    from voirdire.papers.integrity.variance import TTest


def study(found: Study) -> str:
    """The study as tables, each with what it means."""
    parts: list[RenderableType] = [_head(found)]
    for part in (_agreement, _unparsed, _dimensions, _anova, _deltas, _prevalence, evidence, spread, claims):
        parts += part(found)
    return render(*parts)


def _head(found: Study) -> str:
    trials = found.trials
    facts = sum(len(scenario.facts) for scenario in trials.scenarios.values())
    return (
        f"{counted(len(trials.trials), 'response')} of {counted(len(trials.models), 'model')} to "
        f"{counted(len(trials.scenarios), 'scenario')} with {counted(facts, 'fact')}, scored by "
        f"{counted(len(trials.evaluators), 'judge')} under {counted(len(trials.parsed), 'rubric')}.\n"
        "No human scored them: agreement of judges is not accuracy."
    )


def _agreement(found: Study) -> list[RenderableType]:
    table = new_table("ICC", "(2,1)", "95 %", "(3,1)", "(1,1)", "(2,k)", "(3,k)", "(1,k)", "alpha", "r")
    for rubric in found.trials.parsed:
        for dimension in found.trials.dimensions:
            each = found.agreement(rubric, dimension)
            if each is None:
                continue
            one, two = each.one_way, each.two_way
            figures = (two.icc_3_1.value, one.icc_1_1, two.icc_2_k.value, two.icc_3_k.value, one.icc_1_k)
            table.add_row(
                f"{rubric} {short(dimension)}",
                two_places(two.icc_2_1.value),
                span(two.icc_2_1.low, two.icc_2_1.high),
                *map(two_places, (*figures, each.alpha.value, each.mean_pairwise_pearson)),
            )
    return [
        title("Do the judges agree?"),
        "ICC(2,1): would another judge give the same score? (3,1): would it rank responses the same, leniency apart? "
        "(1,1): would it, if every response had judges of its own? k: the same of the mean of all judges. Alpha: "
        "Krippendorff's. r: mean correlation of two judges. 95 %: of ICC(2,1), leaving out a scenario at a time.",
        table,
        *_constant(found),
    ]


def _constant(found: Study) -> list[RenderableType]:
    always = sorted({(each.rubric, short(each.dimension), name) for each in found.agreements for name in each.constant})
    judges: dict[tuple[str, str], list[str]] = {}
    for rubric, dimension, name in always:
        judges.setdefault((rubric, dimension), []).append(name)
    lines = [f"  {rubric}, {dimension}: {', '.join(names)}" for (rubric, dimension), names in judges.items()]
    return ["Judges who always give the same score:\n" + "\n".join(lines)] if lines else []


def _unparsed(found: Study) -> list[RenderableType]:
    if not found.trials.unparsed:
        return []
    table = new_table("ICC(3,1)", "left out", "-1 as a score (published)", "read from the reply")
    for rubric in sorted({cell.rubric for cell in found.trials.unparsed}):
        for dimension in found.trials.dimensions:
            values = [
                each.two_way.icc_3_1.value
                for treatment in ("missing", "published", "recovered")
                if (each := found.agreement(rubric, dimension, treatment)) is not None
            ]
            table.add_row(f"{rubric} {short(dimension)}", *(places(value, 3) for value in values))
    cells = "; ".join(f"{cell.trial}, {cell.rubric}, {cell.evaluator}" for cell in found.trials.unparsed)
    return [title("What an unparsed reply does"), f"Not parsed: {cells}.", table]


def _dimensions(found: Study) -> list[RenderableType]:
    each = found.dimensions
    table = new_table("correlation", "r", "95 %", "what it means", numbers=2)
    pooled, between = each.pooled, each.trial_means
    table.add_row(
        "pooled", two_places(pooled.r), span(pooled.low, pooled.high), f"{pooled.n} rows taken as independent"
    )
    table.add_row(
        "pooled, trials drawn", two_places(pooled.r), ends(each.pooled_bootstrap), "a trial's scores drawn together"
    )
    table.add_row(
        "within judges", two_places(each.centred_r), ends(each.centred_bootstrap), "each judge's own mean taken off"
    )
    table.add_row(
        "between trials", two_places(between.r), span(between.low, between.high), "mean over judges, per trial"
    )
    table.add_row(
        "between judges", two_places(each.between_evaluator_means_r), "", f"means of {len(each.per_evaluator)} judges"
    )
    for name, own in each.per_evaluator.items():
        table.add_row(f"  {name}", two_places(own.r), span(own.low, own.high), "alone")
    return [
        title(f"Are {short(each.first)} and {short(each.second)} one thing?"),
        "If the pooled correlation is far above the one within judges, it says who is lenient, not what goes together.",
        table,
    ]


def _anova(found: Study) -> list[RenderableType]:
    table = new_table("outcome", "F", "df", "p", "eta²", "p with scenario block")
    for dimension, plain in found.variance.plain.items():
        blocked = found.variance.blocked[dimension].terms
        for name, term in plain.terms.items():
            row = (
                f"{short(dimension)}: {name}",
                two_places(term.F),
                str(term.df),
                p_value(term.p),
                places(term.eta_squared, 3),
            )
            table.add_row(*row, p_value(blocked[name].p))
    corrected, with_block = (
        ", ".join(f"{short(name)} {p_value(p) or 'undefined'}" for name, p in each.items())
        for each in (found.variance.holm_plain, found.variance.holm_blocked)
    )
    return [
        title("Do models and constitutions move the scores?"),
        "Type II, of the mean over judges.",
        table,
        f"The interaction, corrected for {len(found.variance.plain)} outcomes (Holm): {corrected}; "
        f"with scenarios as blocks: {with_block}.",
    ]


def _deltas(found: Study) -> list[RenderableType]:
    table = new_table("constitution", *map(short, found.deltas))
    first = next(iter(found.deltas.values()))
    for name in first.paired:
        table.add_row(name, *(_change(each.paired[name]) for each in found.deltas.values()))
    table.add_row("all together", *(_change(each.all) for each in found.deltas.values()))
    table.add_row(
        f"mean of {first.scenarios.n} scenarios", *(_change(each.scenarios) for each in found.deltas.values())
    )
    return [
        title("What does a constitution change against none?"),
        "Points, same model and scenario, paired t test. All together, changes of opposite sign cancel.",
        table,
    ]


def _change(test: TTest) -> str:
    """A mean difference, with its p where there is one."""
    p = f" (p {p_value(test.p)})" if p_value(test.p) else ""
    return f"{test.mean:+.2f}{p}" if math.isfinite(test.mean) else "–"


def _prevalence(found: Study) -> list[RenderableType]:
    table = new_table("", "commonest score", "agreement", "AC1", "Fleiss kappa", "alpha", "unanimous")
    for rubric in found.trials.parsed:
        for dimension in found.trials.dimensions:
            each = found.agreement(rubric, dimension)
            if each is not None and each.nominal is not None:
                nominal = each.nominal
                share, score = max(zip(nominal.prevalence, nominal.categories, strict=True))
                table.add_row(
                    f"{rubric} {short(dimension)}",
                    f"{score:g} ({share:.1%})",
                    f"{nominal.pairwise_agreement:.1%}",
                    two_places(nominal.gwet_ac1.value),
                    two_places(nominal.fleiss_kappa),
                    two_places(each.alpha.value),
                    f"{nominal.unanimous_share:.1%}",
                )
    return [
        title("Agreement where nearly all scores are alike"),
        "AC1 says how often judges agree; kappa and alpha, whether they agree on which responses are the others. "
        "Where nearly every score is 100 the first is high by necessity, and only the second tells of judgement.",
        table,
    ]
