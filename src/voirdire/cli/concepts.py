"""`voirdire concepts`: what can be examined on, and a user's own knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import Commands, common_options
from voirdire.cli._output import answer, say
from voirdire.cli._run_options import CALLS, MAX_CALLS, MAX_COST, OUT, TIMEOUT
from voirdire.cli._study_options import JSON, JURY, PACK, SEED, split
from voirdire.cli._values import BASE_URL
from voirdire.data.bounds import MAX_SAMPLES
from voirdire.data.json_values import as_plain

if TYPE_CHECKING:
    from voirdire.ddft.concepts.checking import Checked
    from voirdire.ddft.pilot import Pilot
    from voirdire.runs import RunOptions

BROKEN = 100
"""Exit code: the files could be read, and break rules. 1 is for what can't be read."""

STOPPED = 3
"""Exit code: the budget is spent, or Ctrl-C; the same command goes on."""

app = Commands(help="What models are examined on: packaged concepts, and your own.")


@app.command("list", epilog="Example: voirdire concepts list --pack medicine")
def list_(pack: list[str] | None = PACK, json: bool = JSON) -> None:
    """List the packaged concepts, by pack.

    A run is held on the pack core unless --pack or --concepts says otherwise.
    """
    from voirdire.ddft.concepts.packs import list_packs
    from voirdire.ddft.report.concepts import packs_document

    result = list_packs(split(",".join(pack or ())))
    answer({"packs": as_plain(result)}, lambda: packs_document(result), as_json=json)


@app.command(epilog="Example: voirdire concepts check leave-policy.yaml --as-packaged")
@common_options("as_packaged", "pilot_models", "jury", "out", "max_cost", "json")
def check(
    files: list[Path] = typer.Argument(..., help="Concept files, or folders with some.", metavar="FILE…"),
    as_packaged: bool = typer.Option(
        False, "--as-packaged", help="Check them by the rules for packaged concepts: 12 facts, 25 scholars …"
    ),
    pilot_models: str | None = typer.Option(
        None, help="Test the paper's four criteria with a small run of these models.", metavar="SPEC,…"
    ),
    jury: str = JURY,
    samples: int = typer.Option(3, help="Repetitions of every dialogue; with --pilot-models.", min=1, max=MAX_SAMPLES),
    out: Path | None = OUT,
    base_url: str | None = BASE_URL,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    seed: int = SEED,
    json: bool = JSON,
) -> None:
    """Check concept files: errors are what a run can't do without, warnings what makes a test weak.

    A file may also be the id of a packaged concept. Exit code 0: no errors; 100: a file breaks a rule; 1: a file can't
    be read; the others are checked all the same.

    With --pilot-models: whether the concepts meet the criteria by which the paper chose its own (DDFT 4.2), from three
    levels and a few samples. Two models or more can show that a concept tells models apart.
    """
    from voirdire.ddft.concepts.checking import check_files
    from voirdire.ddft.concepts.loader import UnreadableConcept
    from voirdire.ddft.report.concepts import checked_document
    from voirdire.runs import RunOptions

    if out is not None and not pilot_models:
        raise typer.BadParameter("only --pilot-models makes a run folder; a check alone prints.", param_hint="--out")
    checked, unreadable = check_files(files, strict=as_packaged)
    broken = any(file.errors for file in checked)
    pilot = None
    options = RunOptions(max_cost=max_cost, max_calls=max_calls)
    if pilot_models and not broken and not unreadable:
        pilot = _pilot(checked, split(pilot_models), split(jury), samples, seed, out, base_url, options)
    results = {"files": as_plain(checked), "pilot": as_plain(pilot)}
    if checked:
        answer(results, lambda: checked_document(checked, pilot), as_json=json)
    if unreadable:
        raise UnreadableConcept("\n".join(map(str, unreadable)))
    if broken:
        raise typer.Exit(BROKEN)
    if pilot is not None and pilot.stopped:
        raise typer.Exit(STOPPED)


def _pilot(
    checked: Sequence[Checked],
    models: list[str],
    jury: list[str],
    samples: int,
    seed: int,
    out: Path | None,
    base_url: str | None,
    options: RunOptions,
) -> Pilot:
    import asyncio

    from voirdire.ddft.concepts import parse_concept
    from voirdire.ddft.pilot import pilot_plan, run_pilot
    from voirdire.ddft.session import new_run_path
    from voirdire.ddft.study import dialogue_specs
    from voirdire.runs import open_progress

    files = [parse_concept(file.text, file.where) for file in checked]
    findings = {file.concept.id: file.findings for file in checked if file.concept is not None}
    plan = pilot_plan(files, models, jury, samples=samples, seed=seed, base_url=base_url)
    with open_progress(len(dialogue_specs(plan))) as progress:
        return asyncio.run(run_pilot(plan, findings, out or new_run_path(plan), replace(options, progress=progress)))


@app.command(epilog="Example: voirdire concepts draft --from policy.md --writer openai/gpt-5.1 -o leave-policy.yaml")
@common_options("document", "writer", "out", "kind", "name", "max_cost", "json")
def draft(
    document: Path = typer.Option(..., "--from", help="Source: a text, Markdown or HTML.", metavar="PATH"),
    writer: str = typer.Option(..., help="Model that writes: it drafts, as PROVIDER/NAME.", metavar="SPEC"),
    out: Path = typer.Option(
        ..., "-o", "--out", help="Where to write: a file, whose name is the id.", metavar="FILE.yaml"
    ),
    kind: str = typer.Option("established", help="established, current, contested or practical."),
    name: str | None = typer.Option(None, help="The concept's name; without it, from the file's."),
    domain: str | None = typer.Option(None, help="Its field; without it, its name."),
    as_of: str | None = typer.Option(None, "--as-of", help="The date at which the document holds.", metavar="DATE"),
    run: Path | None = CALLS,
    base_url: str | None = BASE_URL,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    timeout: float = TIMEOUT,
    json: bool = JSON,
) -> None:
    """Draft a concept from a document of your own: reference, facts with quotes, wrong versions, names.

    Code verifies that every quote stands in the document, and lists what it refused. What comes out is a draft: read it
    before you test with it. The document is sent to the model's provider.
    """
    import asyncio

    from voirdire.ddft.drafting import CONNECTIONS, brief_of, draft_text, read_document, run_draft, steps_of
    from voirdire.ddft.report.concepts import draft_document
    from voirdire.documents.messages import not_complete
    from voirdire.reports.destination import check_new
    from voirdire.runs import RunOptions, open_progress

    check_new(out)
    read, brief = read_document(document), brief_of(out, name, domain, kind, as_of)
    path = run or Path("runs") / f"draft-{out.stem}"
    with open_progress(steps_of(read), unit="steps") as progress:
        options = RunOptions(
            max_cost=max_cost, max_calls=max_calls, connections=CONNECTIONS, timeout=timeout, progress=progress
        )
        drafted = asyncio.run(run_draft(read, brief, writer, path, options, base_url=base_url))
    if drafted.draft is None:
        say(not_complete(drafted.stopped or ""), err=True)
        raise typer.Exit(STOPPED)
    out.write_text(draft_text(drafted.draft, read.name, read.sha256, writer), encoding="utf-8")
    result = drafted.draft
    answer(result.as_dict() | {"file": str(out), "run": str(path)}, lambda: draft_document(result, out), as_json=json)
