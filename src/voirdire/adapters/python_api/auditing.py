"""`voirdire.audit`: can results that somebody else made be believed?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voirdire.adapters.loading import table_without_secrets
from voirdire.adapters.python_api.questions import columns_of
from voirdire.adapters.python_api.results import Shown, UsageError
from voirdire.data.paths import AnyPath, as_paths
from voirdire.documents.document import Document
from voirdire.evaluation.audit import Audit, audit_of
from voirdire.evaluation.audit import audit as audit_results
from voirdire.evaluation.formats import PathContents
from voirdire.evaluation.formats.long_table import read_frame
from voirdire.evaluation.report import USUAL_ITEMS, audit_document, brief_document, conclusion
from voirdire.instruments import is_run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class AuditResult(Shown):
    """Results of evaluations, read and checked. See `audit`."""

    audit: Audit
    """Evaluations, checks and comparisons, as records."""

    @property
    def headline(self) -> str:
        """Which order can be believed, and how many checks fail."""
        return conclusion(self.audit)

    @property
    def failed(self) -> list[str]:
        """Ids of the checks that fail."""
        return list(dict.fromkeys(check.id for check in self.audit.checks if check.status == "fail"))

    @property
    def checks(self) -> pd.DataFrame:
        """One row per evaluation and check: status, value (NaN: not measured), n, models (a list), finding (words)."""
        from voirdire.evaluation.questions import checks_frame

        return table_without_secrets(checks_frame(self.audit.checks))

    @property
    def scores(self) -> pd.DataFrame:
        """One row per evaluation and model, the best first: place, best, worst, score, se, low, high, n.

        `se` is by clusters of items where the files name some; `unclustered_se` takes all items for independent.
        `length_adjusted` is NaN where length does not surely sway scores, and where lengths hardly overlap.
        """
        import pandas as pd

        rows = [
            {
                "evaluation": compared.evaluation,
                "model": each.model,
                "place": each.place,
                "best": each.best,
                "worst": each.worst,
                "score": each.headline.value,
                "se": each.headline.interval_se,
                "unclustered_se": each.headline.se,
                "low": None if each.headline.interval is None else each.headline.interval.low,
                "high": None if each.headline.interval is None else each.headline.interval.high,
                "n": each.headline.n,
                "length_adjusted": each.length_adjusted,
            }
            for compared in self.audit.comparisons
            for each in compared.placed
        ]
        numbers = ("score", "se", "unclustered_se", "low", "high", "length_adjusted")
        columns = ("evaluation", "model", "place", "best", "worst", *numbers[:5], "n", numbers[5])
        return table_without_secrets(
            pd.DataFrame(rows, columns=list(columns)).astype(dict.fromkeys(numbers, "float64"))
        )

    @property
    def items(self) -> pd.DataFrame:
        """All rows of all evaluations, as they were read: evaluation, item, model, score and the others."""
        import pandas as pd

        frames = [each.rows.assign(evaluation=each.name) for each in self.audit.evaluations]
        whole = pd.concat(frames, ignore_index=True)
        return table_without_secrets(whole[["evaluation", *(name for name in whole if name != "evaluation")]])

    def document(self) -> Document:
        """As `voirdire audit` prints it."""
        return brief_document(self.audit)

    def report(self, items: int = USUAL_ITEMS) -> Document:
        """The whole report, with so many items to read."""
        return audit_document(self.audit, items)

    def save(self, out: AnyPath, items: int = USUAL_ITEMS) -> None:
        """Write the report: .html, .md or .json, by what the name ends in. An earlier report is replaced.

        Raises:
            ReportError: another ending, or a place that can't be written, or must not be: what was audited, or
                somebody else's file.
        """
        from voirdire.reports.builder import write_document

        read = [file.path for each in self.audit.evaluations for file in each.files]
        write_document(self.report(items), out, read)

    def values(self) -> dict[str, Any]:
        """As `voirdire audit --json`."""
        return self.audit.as_dict()


def audit(
    paths: AnyPath | Iterable[AnyPath] | pd.DataFrame,
    map: Mapping[str, str] | str | None = None,
    *,
    progress: Callable[[str], None] = lambda _: None,
) -> AuditResult:
    """Read results that somebody else made, recompute their headline and check them. Nothing is called or run.

    Args:
        paths: files or folders of Inspect, lm-eval, HELM, AlpacaEval, promptfoo, DeepEval or Every Eval Ever, or tables
            (CSV, JSON, Parquet) with a row for each item and model; or such a table as a pandas DataFrame.
        map: columns of a table by what they hold: `{"item": "question_id", "model": "system", "score": "acc"}`, or the
            same as a text, "item=question_id,…". Usual names are guessed. "better" is no column: "lower" or "higher".
        progress: is told what comes next.

    Raises:
        FormatError: nothing in the paths can be read, or `map` names no column.
        UsageError: a path is a run, or none was given.

    Example:
        >>> import voirdire as vd
        >>> found = vd.audit("results.csv")  # doctest: +SKIP
        >>> found.checks[found.checks.status == "fail"]  # doctest: +SKIP
    """
    import pandas as pd

    named = [] if isinstance(paths, pd.DataFrame) else as_paths(paths)
    with columns_of(map, named):
        if isinstance(paths, pd.DataFrame):
            return AuditResult(audit_of(PathContents((read_frame(paths),), ()), progress))
        if not named:
            raise UsageError("No path was given; name a file of results, or a folder that holds some.")
        run = next((path for path in named if is_run(path)), None)
        if run is not None:
            raise UsageError(
                f"{run} is a run, and audit reads results of evaluations; to check a run: voirdire validate {run}"
            )
        return AuditResult(audit_results(named, progress))
