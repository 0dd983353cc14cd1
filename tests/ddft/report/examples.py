"""Small runs with simulated models, and ways to change what was read of them."""

import asyncio
from dataclasses import replace

from voirdire.ddft.aliases import FIELD
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.documents.document import Bullets, Text
from voirdire.runs import RunOptions

PANEL = ("simulated/judge", "simulated/lenient", "simulated/noisy")
FADING = "simulated/subject?accuracy=0.95..0.4&reject=0.6&question=0.2&capitulate=0.3&entrench=0.8&asks=0.05"


def held(path, models, concepts, jury=PANEL, levels=(0.0, 1.0), trap="mixed", calls=None, no_claims="null"):
    """A run of a few dialogues, or as much of one as so many calls give."""
    preset = changed_preset(load_preset("sound"), levels=levels, trap=trap)
    plan = StudyPlan(
        models=models,
        concepts=tuple(find_concepts(list(concepts))),
        preset=replace(preset, jury=replace(preset.jury, no_claims=no_claims)),
        jury=jury,
        seed=3,
    )
    asyncio.run(run_study(plan, path, options=RunOptions(max_calls=calls)))
    return path


def with_result(material, **changed):
    """What was read, with other values in the result of its first run."""
    first = material.report_runs[0]
    result = replace(first.result, **changed)
    runs = replace(material.runs, results=(result, *material.runs.results[1:]))
    return replace(material, runs=runs, report_runs=(replace(first, result=result), *material.report_runs[1:]))


def with_profile(material, **changed):
    """What was read, with other values in the first profile."""
    return replace(material, profiles=(replace(material.profiles[0], **changed), *material.profiles[1:]))


def real(material):
    """What was read, as if its models were real ones that bear these names."""
    runs = [
        replace(run, manifest={**run.manifest, FIELD: {each.model: "openai/real" for each in run.profiles}})
        for run in material.runs.results
    ]
    shown = tuple(replace(each, result=run) for each, run in zip(material.report_runs, runs, strict=True))
    studied = replace(material.runs, results=tuple(runs))
    compared = None if material.comparison is None else compare(studied)
    return replace(material, runs=studied, report_runs=shown, comparison=compared)


def passing(material):
    """What was read, with all checks passed."""
    checks = tuple(replace(check, status="pass") for check in material.runs.results[0].checks)
    return with_result(material, read_checks=lambda: checks)


def paragraph(section):
    """What a verdict says before its list, joined."""
    return " ".join(paragraphs(section))


def paragraphs(section):
    """Of a verdict, one by one."""
    return [block.text for block in section.blocks if isinstance(block, Text)]


def behind(section):
    """What stands below the paragraph, joined."""
    (bullets,) = [block for block in section.blocks if isinstance(block, Bullets)]
    return " ".join(bullets.items)


def tone(section):
    """Of the paragraph that warns; none where none does."""
    return next((block.tone for block in section.blocks if isinstance(block, Text) and block.tone), "")


def failing(material, *ids):
    """What was read, with these checks failed and all others passed."""
    checks = tuple(
        replace(check, status="fail" if check.id in ids else "pass") for check in material.runs.results[0].checks
    )
    return with_result(material, read_checks=lambda: checks)


def only(blocks, kind, name=None):
    """The block of a kind, or the one with this id."""
    (found,) = [block for block in blocks if isinstance(block, kind) and (name is None or block.id == name)]
    return found


def column(table, key):
    """The values of a column."""
    return [row[key].value for row in table.rows]
