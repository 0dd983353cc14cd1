"""Options that several commands share, and the preset that they make together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from voirdire.data.bounds import MAX_SAMPLES

if TYPE_CHECKING:
    from voirdire.ddft.presets import Preset

MODEL = typer.Option(
    ...,
    "--model",
    "-m",
    help='Model to examine: PROVIDER/NAME, or with a name to show for it, "openai/gpt-5.1 as gpt"; repeat for several.',
    metavar="SPEC",
)
INTERVIEWER = typer.Option("scripted", help="Who asks: scripted, or a model.", metavar="SPEC")
JURY = typer.Option("reference", help="Jury that judges: reference, or models, comma-separated.", metavar="JUDGE,…")
PRESET = typer.Option(
    "sound", "--preset", "-p", help="sound, published, as-run, lite, quick, local, or a YAML file.", metavar="NAME"
)
CONCEPTS = typer.Option(None, help="Concept ids, names or YAML files, comma-separated.", metavar="NAME,…")
PACK = typer.Option(
    None, "--pack", help="Packs of concepts, comma-separated or repeated; see: concepts list.", metavar="NAME"
)
LEVELS = typer.Option(None, help="Compression levels, comma-separated: 0,0.5,1.", metavar="C,…")
TRAP = typer.Option(
    None, help="Fabrication at turn 4: mixed, expert, paper, statistic, event, law, or none.", metavar="KIND"
)
SAMPLES = typer.Option(None, help="Repetitions of every dialogue.", min=1, max=MAX_SAMPLES)
GRANULARITY = typer.Option(None, help="What judges score in one call: turn, or dialogue.", metavar="UNIT")
SEED = typer.Option(0, help="Seed: of fabrications, questions and calls.")
JSON = typer.Option(False, "--json", help="Print JSON.")
BATCH = typer.Option(
    False,
    "--batch",
    help="The jury judges by its providers' batch endpoints: cheaper, and within a day.",
)
STOP_WHEN = typer.Option(
    None,
    "--stop-when",
    help="Ask a model no further when a metric's interval is narrow enough: ER±0.05 (or ER+-0.05) is 0.05 to either "
    "side, half of the whole width of 0.1.",
    metavar="METRIC±HALF",
)


def preset_of(
    name: str,
    concepts: str | None,
    levels: str | None,
    trap: str | None,
    samples: int | None,
    granularity: str | None,
    packs: list[str] | None = None,
) -> Preset:
    """The preset of this name or file, with what was given in place of its own."""
    from voirdire.ddft.presets import changed_preset, load_preset

    return changed_preset(
        load_preset(name),
        concepts=split(concepts),
        packs=split(",".join(packs or ())),
        levels=split(levels),
        trap=trap,
        samples=samples,
        granularity=granularity,
    )


def split(listed: str | None) -> list[str]:
    """The parts of a comma-separated list."""
    return [part.strip() for part in (listed or "").split(",") if part.strip()]
