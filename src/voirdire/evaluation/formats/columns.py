"""Columns of long tables: what each may hold, how they are named or guessed, and in which direction scores go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple, cast, get_args

from voirdire.data.usual_column_names import NONE_NAMED, USUAL, usual_columns
from voirdire.errors import shown
from voirdire.evaluation.formats.reader import FormatError

Better = Literal["lower", "higher"]
"""Which scores are better ones."""
OF_PAIRS = ("model_a", "model_b", "output_a", "output_b", "winner")
"""What columns of a table of pairs may be named as, besides."""
AMBIGUOUS = "answer"
"""A column of this name holds outputs in some tables and references in others: what stands in it tells."""
SETTINGS = frozenset(
    "temperature top_p top_k min_p seed max_tokens max_new_tokens system_prompt prompt_version prompt_template "
    "num_fewshot n_shots shots quantization revision backend".split()
)
"""Columns that say what a model was run with, in lower case."""
NEEDED = ("item", "score")
"""Without these columns a table is no results."""
_BETTER = "better"
BY_FILE = "@file"
"""What `--map judge=` and `model=` take for a column where each file is named after its judge, or its model."""
EACH = "*"
"""Stands in `--map score=score_*` for the names of judges who have a column each, and names the judge of a row."""
EMPTY = ("", "na", "n/a", "nan", "null", "none")
"""What a cell without a score holds, in lower case."""

_LOWER = frozenset(
    "wer cer ter mer loss nll perplexity ppl error errors err latency time runtime duration seconds secs ms cost costs "
    "mae mse rmse mape brier toxicity hallucinated hallucinations hallucination fehler fehlerrate laufzeit dauer "
    "kosten".split()
)
_LOWER_TOGETHER = ("edit distance", "edit dist", "levenshtein distance")
_TURNED = frozenset(
    "neg negative negated inverse inverted no non without free saved savings saving reduction improvement effective "
    "effectiveness efficiency on in accuracy acc 1".split()
)
"""Words that turn one of an error or a cost into something good: neg_mse, error_free, 1-wer, on_time, cost_savings."""


class Mapped(NamedTuple):
    """What `--map` says of tables."""

    columns: Mapping[str, str] = NONE_NAMED
    """By column of ours, the name of theirs."""
    better: Better | None = None
    """Which scores are better; `None` where the name of their column is to tell."""
    judges_are_files: bool = False
    """Whether a file that names no judge is named after it."""
    models_are_files: bool = False
    """Whether files that name no model are named after theirs, and are one evaluation."""


_NAMED: ContextVar[Mapped] = ContextVar("columns that the user has named", default=Mapped())  # noqa: B039  # immutable


def columns_named() -> Mapped:
    """What the user has said of tables: within `named_columns` that, else nothing."""
    return _NAMED.get()


@contextmanager
def named_columns(mapped: Mapped) -> Iterator[None]:
    """Have tables be read by these columns while the block runs, whichever command reads them."""
    before = _NAMED.set(mapped)
    try:
        yield
    finally:
        _NAMED.reset(before)


def parse_map(given: Mapping[str, str] | str) -> Mapped:
    """What `--map item=doc,score=acc,better=lower`, or the same as a mapping, says.

    Raises:
        FormatError: a part is no WHAT=COLUMN, or WHAT stands twice, or no direction is named as the better one, or
            judges are named beside a score for each.
    """
    results: dict[str, str] = {}
    for ours, theirs in _parts(given):
        if ours in results:
            raise FormatError(f"--map names {ours} twice.")
        results[ours] = theirs
    better = results.pop(_BETTER, None)
    if better is not None and better not in get_args(Better):
        raise FormatError(f"--map: better={better} is neither better=lower nor better=higher.")
    by_file = {ours for ours in ("judge", "model") if results.get(ours) == BY_FILE}
    if EACH in results.get("score", ""):
        if "judge" in results:
            raise FormatError(
                f"--map: score={results['score']} takes the judges from the columns' names: leave out judge."
            )
        results["judge"] = EACH
    columns = {ours: theirs for ours, theirs in results.items() if ours not in by_file}
    return Mapped(columns, cast("Better | None", better), "judge" in by_file, "model" in by_file)


def _parts(given: Mapping[str, str] | str) -> Iterator[tuple[str, str]]:
    if isinstance(given, str):
        pairs = [(part, *(each.strip() for each in part.partition("=")[::2])) for part in given.split(",")]
    else:
        pairs = [(f"{ours}={theirs}", str(ours), str(theirs)) for ours, theirs in given.items()]
    for part, ours, theirs in pairs:
        if not theirs or ours not in (*USUAL, *OF_PAIRS, _BETTER):
            raise FormatError(
                f"--map: {shown(part)} is not WHAT=COLUMN, where WHAT is one of {', '.join((*USUAL, *OF_PAIRS))}, and "
                "COLUMN yours; or better=lower, better=higher."
            )
        yield ours, theirs


def guess(names: Sequence[str], named: Mapping[str, str] = NONE_NAMED) -> dict[str, str] | None:
    """Which columns hold what: as they are named, else by their usual names; `None` without an item or a score.

    Case, spaces and signs do not count: "Item ID" is item_id. Beside items and models, the one column that is left
    holds the scores if it is named for an error, a time or a cost.
    """
    result = known_of(names, named)
    return result if all(name in result for name in NEEDED) else None


def known_of(names: Sequence[str], named: Mapping[str, str] = NONE_NAMED) -> dict[str, str]:
    """The same, as far as it is known."""
    result = usual_columns(names, USUAL, named)
    rest = [name for name in names if name not in result.values()]
    if "score" not in result and "model" in result and len(rest) == 1 and lower_by_name(rest[0]):
        result["score"] = rest[0]
    return result


def lower_by_name(name: str) -> bool:
    """Whether the name of a column of scores says that lower is better: "wer", "Error rate", "Laufzeit [s]"."""
    words = re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    known = [word.casefold() for word in words]
    if _TURNED & set(known):
        return False
    return bool(_LOWER & set(known)) or any(each in " ".join(known) for each in _LOWER_TOGETHER)
