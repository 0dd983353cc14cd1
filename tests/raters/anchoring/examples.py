"""Projects whose ratings are settled, and machines made by hand."""

from dataclasses import replace
from pathlib import Path

from voirdire.raters.machine_ratings import Machine, Unit
from voirdire.raters.records import GoldRating


def settled(project, every=1, how="agreed"):
    """A project whose items, or every second or third of them, are what their first rater said."""
    first = {}
    for rating in project.ratings:
        first.setdefault(rating.item, rating.value)
    kept = list(first.items())[::every]
    return replace(project, gold={item: GoldRating(item, value, how) for item, value in kept})


def turns_machine(values, models=("m",), turn=4, concepts=10):
    """A machine of turns; `values` are consensus values, models and concepts take turns."""
    units = {}
    for place, value in enumerate(values):
        concept = f"c{place % concepts}"
        units[f"u{place}"] = Unit(
            id=f"u{place}",
            document=f"u{place}",
            group=concept,
            dialogue=f"{concept}|{place // 2}",
            model=models[place % len(models)],
            turn=turn,
            level=0.0,
            item=f"u{place}",
            consensus=value,
        )
    return Machine(task="ddft", run=Path("runs/x"), by="jury", judges=("judge",), units=units)
