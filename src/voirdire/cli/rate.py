"""`voirdire rate`: people who annotate and adjudicate."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from voirdire.cli._commands import Commands, common_options
from voirdire.cli._output import answer, say
from voirdire.cli._values import (
    ALL,
    CLUSTER_COLUMN,
    GOOD_RATING,
    GOOD_VERDICT,
    ITEM_COLUMN,
    JURY_OF_RUN,
    MAP_OF_SOURCE,
    MODEL_COLUMN,
    ONLY_MODEL,
    SCORE_COLUMN,
)
from voirdire.cli._values import url as parse_url
from voirdire.data.json_values import as_plain
from voirdire.raters.tasks import MODULES

if TYPE_CHECKING:
    from voirdire.raters.exchange import PoolChoice
    from voirdire.raters.machine_ratings import VerdictSelection
    from voirdire.raters.store import Store


app = Commands(
    help="Have people rate: a local web app, their agreement, and figures of a run corrected by their ratings.",
    epilog="Example: voirdire rate new turns.voirdire --task ddft --from runs/first --rater Ana --rater Ben\n\n"
    "Then: voirdire rate serve turns.voirdire",
)

RATERS_PER_ITEM: Any = typer.Option(2, "--raters-per-item", help="How many rate each item.", min=1, max=100)
METRIC_OF_SOURCE: Any = typer.Option(
    None, "--metric", help="Metric: of a log, an evaluation or a scorer.", metavar="NAME"
)
PAY_PER_ITEM: Any = typer.Option(None, "--pay-per-item", help="Pay for one rating.", min=0, max=1_000_000)


@app.command(epilog="Example: voirdire rate new ana.voirdire --task ddft --from runs/first --rater Ana --rater Ben")
@common_options("task", "source", "guide", "columns", "rater", "adjudicator", "raters_per_item", "draw")
def new(
    project: Path = typer.Argument(..., help="File to make; nothing may be there yet.", metavar="PROJECT"),
    task: str = typer.Option(
        ...,
        help="What is rated: labels, score, preference (pairs) or spans of anything; cognibench (statements), "
        "integrity (responses), ddft (turns).",
        metavar="TASK",
    ),
    source: Path = typer.Option(
        ...,
        "--from",
        help="Source: a run, a table, answers, what detect -o wrote, or results that audit reads, such as "
        "a log of Inspect.",
        metavar="PATH",
    ),
    guide: Path | None = typer.Option(
        None, help="YAML file with the question, labels or scale of labels, score, preference, spans.", metavar="FILE"
    ),
    columns: str | None = typer.Option(
        None,
        "--map",
        help="What the file calls its fields: output=reply,prompt=question; as for detect, context=retrieval.docs; "
        "or as for audit.",
        metavar="OURS=THEIRS,…",
    ),
    answers: Path | None = typer.Option(
        None, help="Of what detect -o wrote: the answers it was made of, if they are not beside it.", metavar="FILE"
    ),
    show_flags: bool = typer.Option(False, "--show-flags", help="Let raters see what a detector has flagged."),
    only_flagged: bool = typer.Option(
        False, "--only-flagged", help="Of what detect -o wrote: have each flagged sentence rated, not whole answers."
    ),
    mode: str | None = typer.Option(
        None,
        help="How statements are rated: sequential (the ladder; default) or independent (the class directly).",
        metavar="MODE",
    ),
    gold: str = typer.Option(
        "majority",
        help="What a third person does where two differ: majority (rates blind) or adjudicated (sees both, decides).",
        metavar="GOLD",
    ),
    rater: list[str] = typer.Option([], help="Name of a rater; may be repeated.", metavar="NAME"),
    adjudicator: list[str] = typer.Option([], help="Name of an adjudicator; may be repeated.", metavar="NAME"),
    raters_per_item: int = RATERS_PER_ITEM,
    draw: int | None = typer.Option(None, help="Draw this many: answers, responses or turns; all without it.", min=1),
    seed: int = typer.Option(0, help="Seed: of the sample and the order."),
    jury: str | None = JURY_OF_RUN,
    pass_share: float = typer.Option(
        0.8, "--pass", help="Share of the practice items to be right before live ones.", metavar="SHARE", min=0, max=1
    ),
    practice: bool = typer.Option(
        True, "--practice/--no-practice", help="Begin with practice items: ours, or those of the guide."
    ),
    calibration: int = typer.Option(0, help="The first N of the sample go to all raters, with feedback.", metavar="N"),
    pay_per_item: float | None = PAY_PER_ITEM,
    currency: str = typer.Option("USD", help="Of the pay.", metavar="CODE"),
    plain: bool = typer.Option(False, "--plain", help="Read Markdown as plain text: in answers, of cognibench."),
    title: str = typer.Option("", help="What raters see on top; it should not name a model.", metavar="TEXT"),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Make a project: draw what is to be rated, blind it, and give each rater a link of their own."""
    from voirdire.raters.new_project import NewProject, make_project
    from voirdire.raters.report import next_command, project_document
    from voirdire.raters.tasks.base import DrawOptions
    from voirdire.raters.tasks.guided.sources import parse_columns

    made = make_project(
        project,
        NewProject(
            task=task,
            source=source,
            draw=DrawOptions(
                sample=draw,
                seed=seed,
                jury=jury,
                plain=plain,
                columns={} if columns is None else parse_columns(columns),
                answers=answers,
                show_flags=show_flags,
                only_flagged=only_flagged,
            ),
            guide=guide,
            practice=practice,
            raters=tuple(rater),
            adjudicators=tuple(adjudicator),
            title=title,
            mode=mode,
            gold=gold,
            raters_per_item=raters_per_item,
            pass_share=pass_share,
            calibration=calibration,
            pay_per_item=pay_per_item,
            currency=currency,
        ),
    )
    answer(made.as_dict() | {"next": next_command(made)}, lambda: project_document(made), as_json=json)


_PORT = 8600
_USUAL_ADDRESS = f"http://127.0.0.1:{_PORT}"


@app.command(
    epilog="Example: voirdire rate serve labels.voirdire\n\n"
    "Behind a proxy with TLS: voirdire rate serve labels.voirdire --server-name rate.example.org\n\n"
    "For its links: voirdire rate links labels.voirdire --url https://rate.example.org"
)
def serve(
    project: Path = typer.Argument(..., help="Project, made by: rate new.", metavar="PROJECT"),
    host: str = typer.Option("127.0.0.1", help="Address to listen at; others reach the app only where it is given."),
    port: int = typer.Option(_PORT, help="Port; 0 for any that is free.", min=0, max=65535),
    server_name: list[str] = typer.Option([], help="A further name by which browsers call this server."),
) -> None:
    """Serve a project's web app: everybody has a secret link of their own, the organiser too. Ctrl-C stops it.

    Every answer is on disk before a page says that it is saved; after a crash, start it again and go on.

    Other commands (status, agreement, export, links …) work while it runs.
    """
    from voirdire.raters.report import PLAIN_HTTP, STOPPED, served_at
    from voirdire.raters.service import links_of
    from voirdire.raters.web.serving import serve as serve_project
    from voirdire.web.serving import is_local

    def tell(store: Store, base: str) -> None:
        if not is_local(host):
            say(PLAIN_HTTP, err=True)
        say(served_at(store.path, base, links_of(store, base)))

    serve_project(project, host=host, port=port, names=tuple(server_name), ready=tell)
    say(STOPPED)


@app.command(epilog="Example: voirdire rate links labels.voirdire --renew Ann")
def links(
    project: Path = typer.Argument(..., help="Project, made by: rate new.", metavar="PROJECT"),
    add: list[str] = typer.Option([], "--add", help="Add a rater of this name."),
    add_adjudicator: list[str] = typer.Option([], "--add-adjudicator", help="Add an adjudicator of this name."),
    renew: list[str] = typer.Option([], "--renew", help="Give this one (or: organiser) a new link; the old one ends."),
    url: str | None = typer.Option(
        None, help="Where the project is served; else where it last was.", metavar="URL", parser=parse_url
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show the secret links of a project's people; add people, or renew a link. A running server goes by it at once."""
    from voirdire.raters.report import link_lines, never_served
    from voirdire.raters.service import change_links, links_of
    from voirdire.raters.store import Store

    with Store.open(project) as store:
        change_links(store, raters=add, adjudicators=add_adjudicator, renew=renew)
        known = url or store.read.address()
        result = links_of(store, known or _USUAL_ADDRESS)
    if known is None:
        say(never_served(_USUAL_ADDRESS), err=True)
    answer(as_plain(result), lambda: link_lines(result), as_json=json)


@app.command(
    epilog="Example: voirdire rate status labels.voirdire\n\n"
    "Example: voirdire rate status labels.voirdire --json | jq .raters"
)
def status(
    project: Path = typer.Argument(..., help="Project, made by: rate new.", metavar="PROJECT"),
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """How far a project has come: ratings, disagreements, settled items and questions; each rater's items and times.

    It can be asked while a server is at work. How far raters agree is told by: rate agreement.
    """
    from voirdire.raters.progress import progress_of
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.report import status_document

    read = read_project(project)
    result = progress_of(read)
    answer(result.as_dict(), lambda: status_document(read.settings, result), as_json=json, details=all)


TaskChoice = StrEnum("TaskChoice", list(MODULES))  # type: ignore[misc]
"""What is rated."""
_FIRST = next(iter(TaskChoice))
_TASKS = f"What is rated: without a project, {', '.join(MODULES)}."


class ModeChoice(StrEnum):
    """How a statement is rated."""

    sequential = "sequential"
    independent = "independent"


@app.command(
    epilog="Example: voirdire rate plan --task cognibench --items 500 --raters 4\n\n"
    "Example: voirdire rate plan --task integrity --items 30 --pay-per-hour 25\n\n"
    "Example: voirdire rate plan pilot.voirdire --items 2000"
)
@common_options("task", "items", "raters", "raters_per_item", "pay_per_hour", "json")
def plan(
    project: Path | None = typer.Argument(
        None,
        help="Project to plan by: its own times, disagreements and questions, once it has them.",
        metavar="PROJECT",
    ),
    task: TaskChoice = typer.Option(_FIRST, help=_TASKS, metavar="TASK"),
    mode: ModeChoice = typer.Option(
        ModeChoice.sequential,
        help="How statements are rated: without a project, sequential or independent.",
        metavar="MODE",
    ),
    items: int | None = typer.Option(
        None, help="How many statements, responses or turns; a project's own if not given.", min=1, max=10_000_000
    ),
    raters: int | None = typer.Option(
        None, help="People who rate; if not given, as many as an item needs.", min=1, max=10_000
    ),
    raters_per_item: int = RATERS_PER_ITEM,
    disagreement: float | None = typer.Option(
        None, help="Share of items on which two raters differ, so that a third is needed.", min=0, max=1
    ),
    seconds: float | None = typer.Option(None, help="Seconds for one rating.", min=0, max=86_400),
    pay_per_item: float | None = PAY_PER_ITEM,
    pay_per_hour: float | None = typer.Option(None, help="Pay for an hour, instead.", min=0, max=1_000_000),
    practice_items: int | None = typer.Option(
        None, help="Without a project: items that every rater rates first; else the packaged ones.", min=0, max=10_000
    ),
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say what rating takes: ratings, third ratings, hours and pay, with the source of every number beside it.

    Ranges are assumptions, or intervals of what a project has measured. Idle time is left out.
    """
    from voirdire.raters import planning
    from voirdire.raters.planning.report import plan_document

    if project is not None:
        from voirdire.raters.project_loader import read_project

        result = planning.plan_project(
            read_project(project),
            items=items,
            raters=raters,
            disagreement_share=disagreement,
            seconds_per_item=seconds,
            pay_per_item=pay_per_item,
            pay_per_hour=pay_per_hour,
        )
    elif items is not None:
        result = planning.plan(
            items,
            raters_per_item,
            disagreement,
            seconds,
            pay_per_item,
            pay_per_hour,
            practice_items,
            task=task.value,
            mode=mode.value,
            raters=raters,
        )
    else:
        raise typer.BadParameter("say how many, or name a project.", param_hint="--items")
    answer(result.as_dict(), lambda: plan_document(result), as_json=json, details=all)


@app.command(epilog="Example: voirdire rate agreement labels.voirdire --with runs/labels")
@common_options("beside_run", "map", "score_column", "good_verdict", "good_rating", "beside", "json")
def agreement(
    project: Path = typer.Argument(..., help="Project that people have rated.", metavar="PROJECT"),
    beside_run: Path | None = typer.Option(
        None,
        "--with",
        help="The judges to compare with people: a run of the same instrument, what voirdire detect --out wrote, or "
        "scored trials; of labels, score, preference and spans also the results that the "
        "project is of, or another such project.",
        metavar="RUN",
    ),
    jury: str | None = JURY_OF_RUN,
    beside: Path | None = typer.Option(
        None,
        help="A cognibench project in the other mode: sequential against independent, as in the paper's table 1.",
        metavar="OTHER_PROJECT",
    ),
    map: str | None = MAP_OF_SOURCE,
    metric: str | None = METRIC_OF_SOURCE,
    score_column: list[str] = SCORE_COLUMN,
    item_column: str | None = ITEM_COLUMN,
    model_column: str | None = MODEL_COLUMN,
    cluster_column: str | None = CLUSTER_COLUMN,
    good_verdict: list[str] = GOOD_VERDICT,
    good_rating: list[str] = GOOD_RATING,
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Tell how far people agree, how close a run's jury or detector comes to them, and which mode serves better.

    Only ratings given without sight of each other count. Intervals are clustered by what items share.
    """
    from voirdire.raters.agreement import agree
    from voirdire.raters.agreement.report import agreement_document
    from voirdire.raters.comparison import compare_with
    from voirdire.raters.comparison.report import comparison_sections
    from voirdire.raters.good_ratings import with_good_ratings
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.records import RatersError
    from voirdire.raters.tasks import task_of

    selection = _selection(map, metric, score_column, item_column, model_column, cluster_column, good_verdict)
    if beside_run is None and (jury is not None or selection.chooses):
        raise RatersError("--jury, --map, --metric and columns say what to read of what --with names: give that too.")
    own = with_good_ratings(read_project(project), good_rating)
    result = agree(own)
    compared = None if beside_run is None else compare_with(own, beside_run, jury, selection)
    modes = None if beside is None else task_of(own.settings).compare_modes(own, read_project(beside))
    data: dict[str, Any] = {"agreement": result.as_dict()}
    if compared is not None:
        data["comparison"] = compared.as_dict()
    if modes is not None:
        data["modes"] = modes.as_dict()
    answer(
        data,
        lambda: agreement_document(
            result,
            *([] if compared is None else comparison_sections(compared)),
            *([] if modes is None else [modes.section()]),
        ),
        as_json=json,
        details=all,
    )


def _selection(
    map: str | None,
    metric: str | None,
    scores: list[str],
    item: str | None,
    model: str | None,
    cluster: str | None,
    good_verdict: list[str],
) -> VerdictSelection:
    from voirdire.jury.worth.tables import Columns
    from voirdire.raters.machine_ratings import VerdictSelection
    from voirdire.raters.tasks.guided.sources import columns_with_map

    named = Columns(item=item, model=model, cluster=cluster, scores=tuple(scores), good_verdict=tuple(good_verdict))
    return VerdictSelection(columns=columns_with_map(map, named), metric=metric)


class SampledUnit(StrEnum):
    """What the run is taken to be a sample of."""

    group = "group"
    dialogue = "dialogue"


@app.command(
    epilog="Example: voirdire rate anchor ana.voirdire --with runs/first\n\n"
    "Example: voirdire rate anchor ana.voirdire --with runs/first --unit dialogue --json\n\n"
    "Example: voirdire rate anchor ana.voirdire --with runs/first --only-model openai/gpt-5.1"
)
@common_options("with_", "map", "score_column", "unit", "only_model", "good_verdict", "good_rating", "json")
def anchor(
    project: Path = typer.Argument(
        ..., help="Project in which people have rated a part of the run.", metavar="PROJECT"
    ),
    with_: Path = typer.Option(
        ...,
        "--with",
        help="The judges to compare with people: a run; also what voirdire detect --out wrote "
        "(cognibench, spans), scored trials (integrity), or the results that a project of labels, "
        "score, preference or spans is of.",
        metavar="RUN",
    ),
    jury: str | None = JURY_OF_RUN,
    unit: SampledUnit = typer.Option(
        SampledUnit.group,
        help="Unit that is independent: concept, context or case (group), or dialogue or response (dialogue: of these "
        "concepts only).",
        metavar="UNIT",
    ),
    only_model: list[str] = ONLY_MODEL,
    map: str | None = MAP_OF_SOURCE,
    metric: str | None = METRIC_OF_SOURCE,
    score_column: list[str] = SCORE_COLUMN,
    item_column: str | None = ITEM_COLUMN,
    model_column: str | None = MODEL_COLUMN,
    cluster_column: str | None = CLUSTER_COLUMN,
    good_verdict: list[str] = GOOD_VERDICT,
    good_rating: list[str] = GOOD_RATING,
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Report a run's metrics with intervals that hold although its judges are biased.

    First whether to trust, correct or leave the judge; then each metric by the judge, by people, corrected by people's
    ratings (prediction-powered), and corrected by the judge's error rates.
    """
    from voirdire.raters.anchoring import anchor as anchored
    from voirdire.raters.anchoring.report import anchoring_document
    from voirdire.raters.good_ratings import with_good_ratings
    from voirdire.raters.project_loader import read_project

    rated = with_good_ratings(read_project(project), good_rating)
    selection = _selection(map, metric, score_column, item_column, model_column, cluster_column, good_verdict)
    result = anchored(rated, with_, jury=jury, cluster=unit.value, selection=selection)
    if only_model:
        result = result.of_models(only_model)
    answer(result.as_dict(), lambda: anchoring_document(result), as_json=json, details=all)


@app.command(
    "export",
    epilog="Example: voirdire rate export ana.voirdire --to jsonl --with-gold -o ratings\n\n"
    "Scores for Inspect: voirdire rate export answers.voirdire --to inspect-scores -o scores",
)
def export_ratings(
    project: Path = typer.Argument(..., help="The project's file.", metavar="PROJECT"),
    to: str = typer.Option(
        ...,
        help="Format to write: jsonl, csv, label-studio or log (every row). Of labels, score, preference and spans "
        "also inspect-scores and every-eval-ever, of spans answers (for detectors), of cognibench released "
        "(CogniBench's layout).",
        metavar="FORMAT",
    ),
    out: Path = typer.Option(..., "-o", "--out", help="Where to write: a folder; nothing may be there yet."),
    gold: bool = typer.Option(False, "--with-gold", help="Also write what each item is settled as (gold)."),
    ratings: str = typer.Option(
        "live", help="Which ratings: live (those that count), practice or all.", metavar="WHICH"
    ),
    rater_names: bool = typer.Option(False, "--rater-names", help="Call raters by their names, not r1, r2 …"),
    only_rater: str | None = typer.Option(
        None,
        help="Of --to inspect-scores, every-eval-ever, answers and released: what this rater said, not what is settled "
        "(gold).",
        metavar="NAME",
    ),
    force: bool = typer.Option(False, "--force", help="Replace an earlier export."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Export ratings: all that was entered, or what people settled on as scores for Inspect, for audit, for detectors.

    A manifest beside them says what they are and holds the SHA-256 of every file.
    """
    from voirdire.documents.messages import note
    from voirdire.raters.exchange import ExportPlan, export_project
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.report import export_document

    if ratings not in ("live", "practice", "all"):
        raise typer.BadParameter("choose live, practice or all.", param_hint="--ratings")
    plan = ExportPlan(
        target=to,
        out=out,
        gold=gold,
        pool=cast("PoolChoice", ratings),
        names=rater_names,
        rater=only_rater,
        force=force,
    )
    done = export_project(read_project(project), plan)
    for each in done.notes:
        say(note(each), err=True)
    answer(done.as_dict(), lambda: export_document(done), as_json=json)


@app.command("import", epilog="Example: voirdire rate import ana.voirdire annotated.json --format label-studio")
def import_ratings(
    project: Path = typer.Argument(..., help="The project's file.", metavar="PROJECT"),
    file: Path = typer.Argument(..., help="File with ratings, or the folder of an export.", metavar="FILE"),
    format: str | None = typer.Option(
        None,
        help="Format to read: jsonl, csv, label-studio or released; by the file's name if not given.",
        metavar="FORMAT",
    ),
    rater: str | None = typer.Option(
        None, help="Name of a rater: whose ratings these are, whatever the file says.", metavar="NAME"
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Add ratings made elsewhere to a project: all of a file's, or none. Twice the same file adds nothing."""
    from voirdire.raters import exchange
    from voirdire.raters.report import import_document

    done = exchange.import_ratings(project, file, format, rater)
    answer(done.as_dict(), lambda: import_document(done), as_json=json)
