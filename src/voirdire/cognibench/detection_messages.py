"""What a check of answers says in single sentences: limits that are not kept, what was not checked, where it all is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from voirdire.cognibench.detection import Count
from voirdire.text.counting import counted


class FlagLimits(NamedTuple):
    """What a check of answers allows, by the options that say so; `None` for what it does not limit."""

    max_flagged: float | None = None
    max_flags: int | None = None
    fail_on_flagged: bool = False
    min_scored: int | None = None

    @property
    def are_on_flags(self) -> bool:
        """Whether flags are limited, so that what could not be checked leaves the check open."""
        return self.fail_on_flagged or self.max_flagged is not None or self.max_flags is not None


def limits_on_flags(count: Count, limits: FlagLimits) -> Iterator[tuple[str, str]]:
    """Each limit on flags by its option, and why it is not kept; "" where it is."""
    if limits.max_flagged is not None:
        exceeds = count.exceeds(limits.max_flagged)
        yield "--max-flagged", over_limit_message(count, limits.max_flagged) if exceeds else ""
    if limits.max_flags is not None:
        yield "--max-flags", too_many_flagged(count, limits.max_flags) if count.flagged > limits.max_flags else ""
    if limits.fail_on_flagged:
        yield "--fail-on-flagged", flagged_message(count) if count.flagged else ""


def too_few_message(count: Count, limits: FlagLimits) -> str:
    """That fewer sentences have a score than must have one; "" where that is not so."""
    least = limits.min_scored
    return "" if least is None or count.scored >= least else too_few_scored(count, "--min-scored", least)


def unscored(count: Count) -> str:
    """How many sentences the detector should have scored and could not, and why the first of them has no score."""
    why = f" The first reason: {count.fault.rstrip('.')}." if count.fault else ""
    return f"Without a score: {count.unscored:,} of {counted(count.statements, 'sentence')} to be checked.{why}"


def not_checked(count: Count) -> str:
    """What a limit on flags says nothing of, in sentences; "" where it speaks of all."""
    parts = [unscored(count)] if count.unscored else []
    if count.no_context:
        parts.append(f"Without a context: {counted(count.no_context, 'sentence')}, which no flag can come from.")
    if count.left_out:
        parts.append(f"Left out: {counted(count.left_out, 'entry', 'entries')} that could not be used.")
    if count.empty:
        parts.append(f"Without a sentence: {counted(count.empty, 'empty answer')}, in which nothing can be flagged.")
    return " ".join(parts)


def incomplete_message(count: Count) -> str:
    """That a limit on flags says nothing of some of it; "" where it speaks of all."""
    missing = not_checked(count)
    return missing and f"The check is not complete. {missing}"


def over_limit_message(count: Count, limit: float) -> str:
    """That a larger share is flagged than allowed, with as many decimals as it takes to see it."""
    share = 100 * (count.share or 0.0)
    decimals = next((digits for digits in range(1, 9) if round(share, digits) > 100 * limit), 9)
    return (
        f"Too many sentences are flagged: {count.flagged:,} of {count.scored:,}, which is {share:.{decimals}f} %, "
        f"and --max-flagged is {100 * limit:g} %."
    )


def flagged_message(count: Count) -> str:
    """That something is flagged where nothing may be."""
    are = "is" if count.flagged == 1 else "are"
    scored = counted(count.scored, "sentence")
    return f"The check fails: {count.flagged:,} of {scored} {are} flagged, and --fail-on-flagged allows none."


def too_many_flagged(count: Count, limit: int) -> str:
    """That more sentences are flagged than allowed."""
    return f"Too many sentences are flagged: {count.flagged:,}, and --max-flags is {limit:,}."


def too_few_scored(count: Count, option: str, limit: int) -> str:
    """That fewer sentences have a score than the option asks for."""
    return f"Too few sentences have a score: {count.scored:,}, and {option} is {limit:,}."


def written_message(path: Path, *, unprinted: bool) -> str:
    """Where every sentence is; what prints the flagged ones, where they were not."""
    more = "; --show 20 prints those that are flagged" if unprinted else ""
    return f"Every sentence is in {path}, with its score and the reasons{more}."


def shards_message(folder: Path, shards: int, present: int) -> str:
    """Where every sentence is, and how many of its shards were present before."""
    return f"Every sentence with its score is in {folder}, in {counted(shards, 'shard')} (there before: {present:,})."


def so_far(count: Count) -> str:
    """What has been seen up to now."""
    return f"{counted(count.answers, 'answer')}, {counted(count.statements, 'sentence')}, {count.flagged:,} flagged"
