"""`voirdire jury`: how far judges can be trusted."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import typer

from voirdire.cli._commands import Commands, common_options
from voirdire.cli._output import answer, say
from voirdire.cli._progress import counting
from voirdire.cli._values import (
    ALL,
    BASE_URL,
    CLUSTER_COLUMN,
    GOOD_RATING,
    GOOD_VERDICT,
    ITEM_COLUMN,
    JURY_OF_RUN,
    MAP,
    MAP_OF_SOURCE,
    METRIC,
    MODEL_COLUMN,
    SCORE_COLUMN,
)
from voirdire.data.bounds import as_people_write

app = Commands(help="How far judges can be trusted.")


@app.command(
    epilog="Example: voirdire jury bench turns.jsonl.gz --judge local/qwen2.5-coder-1.5b --draw 200 -o runs/qwen"
)
def bench(
    turns: Path = typer.Argument(..., help="The published turns: turns.jsonl.gz.", metavar="TURNS"),
    judge: str = typer.Option("reference", help="Judge: reference, or a model, as PROVIDER/NAME.", metavar="SPEC"),
    draw: int | None = typer.Option(None, help="Draw this many: turns to judge; all without it.", min=10),
    labels: Path | None = typer.Option(
        None, help="CSV of first answers labelled by hand: model, concept, level, label.", metavar="CSV"
    ),
    seed: int = typer.Option(0, help="Seed: of the sample."),
    base_url: str | None = BASE_URL,
    out: Path = typer.Option(
        Path("runs/jury-bench"),
        "-o",
        "--out",
        help="Where to write: a run folder; an existing one is continued.",
        metavar="RUN",
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Compare one judge with the published panel: Spearman correlations with intervals, and seconds per call."""
    import asyncio

    from voirdire.ddft.judge_accuracy import bench_judge
    from voirdire.ddft.report.jury import bench_document

    with counting("turns") as progress:
        result = asyncio.run(
            bench_judge(turns, judge, out, sample=draw, seed=seed, labels=labels, base_url=base_url, progress=progress)
        )
    answer(result.to_dict(), lambda: bench_document(result), as_json=json)


@app.command(epilog="Example: voirdire jury injection --judge openai/gpt-5.1 --without-defence -o runs/stand")
@common_options("judge", "without_defence", "limit", "cases", "out", "json")
def injection(
    judge: str = typer.Option("reference", help="Judge: reference, or a model, as PROVIDER/NAME.", metavar="SPEC"),
    attacks: list[str] | None = typer.Option(None, help="Only this family or attack; repeatable.", metavar="NAME"),
    without_defence: bool = typer.Option(
        False, "--without-defence", help="Also judge without fences, any JSON in a reply counting."
    ),
    limit: int | None = typer.Option(None, help="At most this many: attacks, one of each family in turn.", min=1),
    cases: str = typer.Option(
        "wrong,partly", help="The honest answers: wrong, partly (right), trap; with commas.", metavar="LIST"
    ),
    concept: str = typer.Option("impressionism", help="What the answers are about: id or file.", metavar="CONCEPT"),
    base_url: str | None = BASE_URL,
    out: Path = typer.Option(
        Path("runs/jury-injection"),
        "-o",
        "--out",
        help="Where to write: a run folder; an existing one is continued.",
        metavar="RUN",
    ),
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON: with every attack."),
) -> None:
    """Put a judge on the stand: how far hostile answers move its verdicts on answers whose worth is known."""
    import asyncio

    from voirdire.ddft.judge_injection import try_judge
    from voirdire.ddft.report.jury import injection_document

    with counting("verdicts") as progress:
        result = asyncio.run(
            try_judge(
                judge,
                out,
                concept=concept,
                case_names=[name.strip() for name in cases.split(",")],
                chosen=attacks or None,
                without_defence=without_defence,
                limit=limit,
                base_url=base_url,
                progress=progress,
            )
        )
    answer(result.to_dict(), lambda: injection_document(result), as_json=json, details=all)


@app.command(epilog="Example: voirdire jury reliability runs/study")
def reliability(
    run: Path = typer.Argument(
        ..., help="Run folder, or results of an evaluation, judged by two judges or more.", metavar="RUN"
    ),
    map: str | None = MAP,
    jury: str | None = JURY_OF_RUN,
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Tell how far a run's judges agree, in what they differ, and what the results owe to each of them."""
    from voirdire.adapters.python_api.reliability import reliability as reliability_of

    result = reliability_of(run, jury, map=map)
    answer(result.to_dict(), result.document, as_json=json, details=all)


@app.command(epilog="Example: voirdire jury sample runs/study --draw 20 -o check.csv")
def sample(
    run: Path = typer.Argument(..., help="Run folder, judged.", metavar="RUN"),
    draw: int = typer.Option(20, help="Draw this many: turns to check.", min=1),
    out: Path = typer.Option(Path("check.csv"), "-o", "--out", help="Where to write: a sheet.", metavar="FILE.csv"),
    seed: int = typer.Option(0, help="Seed: of the sample."),
    jury: str | None = JURY_OF_RUN,
) -> None:
    """Draw turns for a person to check: a sheet without the models' names, the levels and the jury's scores.

    Fill in far and sas (0 to 1), no_claims (yes), at turns 4 and 5 stance, and give the sheet to: jury crosscheck.
    """
    from voirdire.ddft.person_check import drawn_message, sample_turns, sheet_text
    from voirdire.reports.destination import check_new

    check_new(out)
    drawn = sample_turns(run, draw, seed=seed, jury=jury)
    out.write_text(sheet_text(drawn), encoding="utf-8")
    say(drawn_message(run, out, len(drawn)))


@app.command(epilog="Example: voirdire jury crosscheck runs/study check.csv")
def crosscheck(
    run: Path = typer.Argument(..., help="Run folder that the sheet was drawn from.", metavar="RUN"),
    sheet: Path = typer.Argument(..., help="The sheet, filled in.", metavar="FILE.csv"),
    jury: str | None = JURY_OF_RUN,
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Compare a jury with a person who judged a sample: is it systematically more lenient or stricter?"""
    from voirdire.ddft.person_check import crosscheck as compare
    from voirdire.ddft.report.jury import crosscheck_document

    result = compare(run, sheet, jury)
    answer(result.as_dict(), lambda: crosscheck_document(result), as_json=json, details=all)


@app.command(
    epilog="Example: voirdire jury worth verdicts.csv --human ratings.csv\n\n"
    "First, which items to rate: voirdire jury worth verdicts.csv --plan -o to-rate.csv\n\n"
    "Example: voirdire jury worth runs/study --human labels.voirdire --page worth.html"
)
@common_options("human", "plan", "out", "label_column", "good_verdict", "good_rating", "page", "json")
def worth(
    results: Path = typer.Argument(
        ..., help="Verdicts: a table, a log that voirdire audit reads, or a run.", metavar="RESULTS"
    ),
    human: Path | None = typer.Option(
        None, help="People's ratings of a part: a table, or a .voirdire project.", metavar="RATINGS"
    ),
    plan: bool = typer.Option(False, "--plan", help="Say what to rate next, how long it takes, when to stop."),
    only_judge: list[str] = typer.Option([], help="Only this judge; may be repeated.", metavar="NAME"),
    metric: str | None = METRIC,
    jury: str | None = JURY_OF_RUN,
    map: str | None = MAP_OF_SOURCE,
    score_column: list[str] = SCORE_COLUMN,
    label_column: str | None = typer.Option(None, help="Column of people's ratings.", metavar="COLUMN"),
    item_column: str | None = ITEM_COLUMN,
    model_column: str | None = MODEL_COLUMN,
    cluster_column: str | None = CLUSTER_COLUMN,
    good_verdict: list[str] = GOOD_VERDICT,
    good_rating: list[str] = GOOD_RATING,
    scale: str = typer.Option("0,1", help="Ends of people's scale.", metavar="LOW,HIGH"),
    margin: float = typer.Option(0.1, help="A bias to tolerate, as a share of the scale.", min=0.001, max=1),
    draw: int | None = typer.Option(None, help="Draw this many: items to rate, with --plan.", min=1),
    precision: float | None = typer.Option(
        None, help="With --plan: how far the metric's interval may reach, as a share of the scale.", min=0.005, max=0.5
    ),
    by_model: bool = typer.Option(False, "--by-model", help="With --plan: enough ratings to compare the models."),
    seconds: float | None = typer.Option(None, help="Seconds for one rating: with --plan.", min=0.1, max=36_000),
    sampling: Literal["stratified", "random"] = typer.Option("stratified", help="With --plan: how items are drawn."),
    seed: int = typer.Option(0, help="Seed: of the sample."),
    out: Path | None = typer.Option(
        None, "-o", "--out", help="Where to write: a list of items, with --plan.", metavar="FILE.csv"
    ),
    page: Path | None = typer.Option(None, help="Also write a page, with curves and quotes.", metavar="FILE.html"),
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Tell a judge's worth by forty ratings of people: trust it, correct it, or leave it.

    Then: agreement, bias, error rates, how many ratings its verdicts save, and each model's corrected metric.
    """
    from voirdire.documents.messages import written
    from voirdire.jury.worth import WorthSettings
    from voirdire.jury.worth.planning import Batch
    from voirdire.jury.worth.report import plan_document, worth_document
    from voirdire.jury.worth.tables import Columns
    from voirdire.raters.judge_worth import WorthRequest, judges_worth, plan_csv, plan_items, plan_worth
    from voirdire.raters.tasks.guided.sources import columns_with_map
    from voirdire.reports.builder import write_document
    from voirdire.reports.destination import check_new

    if out is not None:
        check_new(out)
    if out is not None and not plan:
        raise typer.BadParameter("-o is for the list of --plan: add --plan, or write a page with --page.")
    if plan and page is not None:
        raise typer.BadParameter("--plan says what to rate and has no page: leave out --page, or --plan.")
    low, high = _ends_of(scale)
    request = WorthRequest(
        results=results,
        human=human,
        judges=tuple(only_judge),
        columns=columns_with_map(
            map,
            Columns(
                item=item_column,
                model=model_column,
                cluster=cluster_column,
                scores=tuple(score_column),
                label=label_column,
                good_verdict=tuple(good_verdict),
                good_rating=tuple(good_rating),
            ),
        ),
        metric=metric,
        jury=jury,
        settings=WorthSettings(low=low, high=high, margin=margin),
    )
    if plan:
        asked = Batch(
            ratings=draw,
            precision=precision,
            by_model=by_model,
            seconds=seconds,
            stratified=sampling == "stratified",
            seed=seed,
        )
        made, for_judge, verdicts = plan_worth(request, asked)
        if out is not None and made.drawn:
            out.write_text(plan_csv(made, verdicts), encoding="utf-8")
        file = None if out is None or not made.drawn else str(out)
        items = plan_items(made, verdicts)
        answer(
            made.as_dict() | {"judge": for_judge, "items": items},
            lambda: plan_document(made, file, verdicts.columns),
            as_json=json,
        )
        return
    if human is None:
        raise typer.BadParameter("Give people's ratings with --human, or ask what to rate with --plan.")
    result = judges_worth(request)
    if page is not None:
        write_document(worth_document(result, str(results), whole=True), page, [results, *filter(None, [human])])
    data = {"judges": [each.as_dict() for each in result]}
    answer(data, lambda: worth_document(result, str(results)), as_json=json, details=all)
    if page is not None:
        say(written(page), err=True)


def _ends_of(scale: str) -> tuple[float, float]:
    """The ends of a scale, as in "1,5"."""
    parts = scale.split(",")
    try:
        low, high = (float(as_people_write(part)) for part in parts)
    except ValueError:
        low, high = 0.0, 0.0
    if not (low < high and all(map(math.isfinite, (low, high)))):
        raise typer.BadParameter(f"--scale needs its two ends, the lower first, as in 1,5; {scale!r} was given.")
    return low, high
