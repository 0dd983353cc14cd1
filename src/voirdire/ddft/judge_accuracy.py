"""How accurate a judge is on the published turns, with our concepts and models."""

from __future__ import annotations

import hashlib
from pathlib import Path

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import RoleOptions
from voirdire.ddft.published_records import read_source
from voirdire.ddft.study import judge_models
from voirdire.jury import JuryRules, check_jury, open_jury
from voirdire.jury.judge_accuracy.benchmark import (
    BenchResult,
    Progress,
    PublishedDataError,
    PublishedTurn,
    judge_turns,
    read_labels,
    sample_turns,
    summarise,
)
from voirdire.records import Concept
from voirdire.runs import DEFAULTS, RunFolder, RunOptions, new_runner, open_models, provenance
from voirdire.text.counting import counted


async def bench_judge(
    turns: Path,
    judge: str,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    sample: int | None = None,
    seed: int = 0,
    labels: Path | None = None,
    base_url: str | None = None,
    progress: Progress | None = None,
) -> BenchResult:
    """Have one judge judge the published turns, ordered by concept, and compare it with the published panel.

    Args:
        turns: the study's turns.jsonl.gz.
        judge: by name, as in a jury.
        path: a run folder; what was judged in it is not judged again.
        options: how the run is held.
        sample: how many turns, drawn with `seed`; `None` for all.
        seed: of the sample.
        labels: a CSV of first answers labelled by hand (see `read_labels`).
        base_url: the server of an "openai-api/…" judge.
        progress: told after each turn: (done, in all).

    Raises:
        LayoutError, PublishedDataError: the file is not the published record, or not all of it can be read.
        JuryError, SpecError: the judge can't be opened.
        RunFolderError: the folder holds another run.
    """
    published = published_turns(turns)
    chosen = sample_turns(published, sample, seed=seed)
    known = read_labels(labels) if labels is not None else None
    rules = JuryRules()
    check_jury([judge], rules)
    models_options = judge_models([judge], RoleOptions(), base_url)
    manifest = {
        "instrument": "jury-bench",
        "turns_sha256": hashlib.sha256(turns.read_bytes()).hexdigest(),
        "judge": judge,
        "sample": sample,
        "seed": seed,
        "info": provenance(),
    }
    async with open_models(models_options) as models:
        with RunFolder.open_or_create(path, manifest) as folder:
            async with new_runner(
                folder.journal,
                models,
                models_options,
                options,
                seed=seed,
            ) as runner:
                (opened,) = open_jury([judge], runner, rules).judges
                record = path / "verdicts.jsonl"
                judged = await judge_turns(chosen, opened, _concepts(), record=record, progress=progress)
    return summarise(judge, judged, known)


def published_turns(path: Path) -> list[PublishedTurn]:
    """Read all published turns, as the bench shows them to a judge.

    Raises:
        LayoutError: nothing in the file can be read.
        PublishedDataError: a part of it can't be read; a bench on the rest would not be the one that is reported.
    """
    source = read_source(path)
    if source.skipped:
        raise PublishedDataError(
            f"{path} has {counted(len(source.skipped), 'part')} that can't be read; the first is {source.skipped[0]}."
        )
    return [
        PublishedTurn(
            dialogue.model, dialogue.concept, dialogue.level, turn.number, turn.question, turn.answer, *turn.consensus
        )
        for dialogue in source.dialogues
        for turn in dialogue.turns
    ]


def _concepts() -> dict[str, Concept]:
    """Our concepts by the names that the published data use."""
    concepts = [file.concept for file in find_concepts()]
    return {alias: concept for concept in concepts for alias in (concept.id, *concept.aliases)}
