"""`voirdire jury`: how far judges can be trusted."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._commands import Commands
from voirdire.cli._output import answer, say
from voirdire.cli._progress import counting
from voirdire.cli._values import BASE_URL, JURY_OF_RUN
from voirdire.text.counting import counted

app = Commands(help="How far judges can be trusted.")


@app.command(
    epilog="Example: voirdire jury bench turns.jsonl.gz --judge local/qwen2.5-coder-1.5b --sample 200 -o runs/qwen"
)
def bench(
    turns: Path = typer.Argument(..., help="The published turns: turns.jsonl.gz.", metavar="TURNS"),
    judge: str = typer.Option("reference", help="Judge: reference, or a model.", metavar="SPEC"),
    sample: int | None = typer.Option(None, help="Judge a seeded sample of this many turns; all without it.", min=10),
    labels: Path | None = typer.Option(
        None, help="CSV of first answers labelled by hand: model, concept, level, label.", metavar="CSV"
    ),
    seed: int = typer.Option(0, help="Seed of the sample."),
    base_url: str | None = BASE_URL,
    out: Path = typer.Option(
        Path("runs/jury-bench"), "-o", "--out", help="Run folder; an existing one is continued.", metavar="RUN"
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Compare one judge with the published panel: Spearman correlations with intervals, and seconds per call."""
    import asyncio

    from voirdire.ddft.judge_accuracy import bench_judge
    from voirdire.ddft.report.jury import bench_document

    with counting("turns") as progress:
        result = asyncio.run(
            bench_judge(
                turns, judge, out, sample=sample, seed=seed, labels=labels, base_url=base_url, progress=progress
            )
        )
    answer(result.to_dict(), lambda: bench_document(result), as_json=json)


@app.command(epilog="Example: voirdire jury injection --judge openai/gpt-5.1 --without-defence -o runs/stand")
def injection(
    judge: str = typer.Option("reference", help="Judge: reference, or a model.", metavar="SPEC"),
    attacks: list[str] | None = typer.Option(None, help="Only this family or attack; repeatable.", metavar="NAME"),
    without_defence: bool = typer.Option(
        False, "--without-defence", help="Also judge without fences, any JSON in a reply counting."
    ),
    limit: int | None = typer.Option(None, help="At most this many attacks, one of each family in turn.", min=1),
    cases: str = typer.Option(
        "wrong,partly", help="The honest answers: wrong, partly (right), trap; with commas.", metavar="LIST"
    ),
    concept: str = typer.Option("impressionism", help="What the answers are about: id or file.", metavar="CONCEPT"),
    base_url: str | None = BASE_URL,
    out: Path = typer.Option(
        Path("runs/jury-injection"), "-o", "--out", help="Run folder; an existing one is continued.", metavar="RUN"
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON, with every attack."),
) -> None:
    """Put a judge on the stand: how far hostile answers move its verdicts on answers whose worth is known."""
    import asyncio

    from voirdire.ddft.judge_injection import try_judge
    from voirdire.ddft.report.jury import injection_document

    with counting("verdicts") as progress:
        found = asyncio.run(
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
    answer(found.to_dict(), lambda: injection_document(found), as_json=json)


@app.command(epilog="Example: voirdire jury reliability runs/study")
def reliability(
    run: Path = typer.Argument(
        ..., help="Run folder, or results of an evaluation, judged by two judges or more.", metavar="RUN"
    ),
    jury: str | None = JURY_OF_RUN,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Tell how far a run's judges agree, in what they differ, and what the results owe to each of them."""
    from voirdire.adapters.front.reliability import reliability as reliability_of

    found = reliability_of(run, jury)
    answer(found.to_dict(), found.document, as_json=json)


@app.command(epilog="Example: voirdire jury sample runs/study --sample 20 -o check.csv")
def sample(
    run: Path = typer.Argument(..., help="Run folder, judged.", metavar="RUN"),
    sample: int = typer.Option(20, help="Draw so many turns.", min=1),
    out: Path = typer.Option(Path("check.csv"), "-o", "--out", help="Sheet to write.", metavar="FILE.csv"),
    seed: int = typer.Option(0, help="Seed of the sample."),
    jury: str | None = JURY_OF_RUN,
) -> None:
    """Draw turns for a person to check: a sheet without the models' names, the levels and the jury's scores.

    Fill in far and sas (0 to 1), no_claims (yes), at turns 4 and 5 stance, and give the sheet to: jury crosscheck.
    """
    from voirdire.ddft.crosscheck import CrosscheckError, sample_turns, sheet_text

    if out.exists():
        raise CrosscheckError(f"{out} is there already, and somebody may have filled it in; give another name to -o.")
    drawn = sample_turns(run, sample, seed=seed, jury=jury)
    out.write_text(sheet_text(drawn), encoding="utf-8")
    say(f"{counted(len(drawn), 'turn')} in {out}: when they are judged, voirdire jury crosscheck {run} {out}")


@app.command(epilog="Example: voirdire jury crosscheck runs/study check.csv")
def crosscheck(
    run: Path = typer.Argument(..., help="Run folder that the sheet was drawn from.", metavar="RUN"),
    sheet: Path = typer.Argument(..., help="The sheet, filled in.", metavar="FILE.csv"),
    jury: str | None = JURY_OF_RUN,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Compare a jury with a person who judged a sample: is it systematically more lenient or stricter?"""
    from voirdire.ddft.crosscheck import crosscheck as compare
    from voirdire.ddft.report.jury import crosscheck_document

    found = compare(run, sheet, jury)
    answer(found.as_dict(), lambda: crosscheck_document(found), as_json=json)
