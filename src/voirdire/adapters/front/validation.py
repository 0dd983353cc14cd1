"""`voirdire.validate`: was the test itself sound?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voirdire.adapters.front.data import DataShown, asked_of_data, columns_of, only_for_runs
from voirdire.adapters.front.shown import Shown, runs_of
from voirdire.data.paths import AnyPath
from voirdire.ddft.report.validity_checks import checks_data, checks_document, soundness
from voirdire.ddft.results import Result, load_run
from voirdire.documents.document import Document
from voirdire.models.secrets import without_known_secrets
from voirdire.text.counting import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class ValidationResult(Shown):
    """What the validity checks of a run found. See `validate`."""

    result: Result
    """The run; `result.checks` are the checks, with their evidence."""

    @property
    def failed(self) -> list[str]:
        """Ids of the checks that fail."""
        return self.result.failed_checks

    @property
    def headline(self) -> str:
        """Whether the test was sound, and in which run."""
        checks = self.result.checks
        failed, warned = (sum(check.status == status for check in checks) for status in ("fail", "warn"))
        return (
            f"{soundness(self.result)}. Of {counted(len(checks), 'check')}, {failed} fail and {warned} warn; "
            f"run {self.result.path}, jury {self.result.jury}."
        )

    @property
    def frame(self) -> pd.DataFrame:
        """One row per check: check, status, value with low and high (NaN: not measured), evidence (sentences)."""
        import pandas as pd

        rows = [
            {
                "check": check.id,
                "status": check.status,
                "value": check.value,
                "low": None if check.interval is None else check.interval[0],
                "high": None if check.interval is None else check.interval[1],
                "evidence": [str(sentence) for sentence in check.evidence],
            }
            for check in self.result.checks
        ]
        return pd.DataFrame(without_known_secrets(rows)).astype(dict.fromkeys(("value", "low", "high"), "float64"))

    def document(self) -> Document:
        """The tally, and what was seen, as `voirdire validate` prints it."""
        return checks_document(self.result)

    def values(self) -> dict[str, Any]:
        """As `voirdire validate --json`."""
        return checks_data(self.result)


def validate(
    run: AnyPath, jury: str | Sequence[str] | None = None, *, map: Mapping[str, str] | str | None = None
) -> ValidationResult | DataShown:
    """Check whether the test itself was sound, with quotes from the run. Nothing is called.

    Args:
        run: a run's folder, or a loaded run; or results of an evaluation, as `audit` reads them.
        jury: under which to read it, by its judges' names or its id; the one it was loaded or run with by default.
        map: of a table of results, its columns, as for `audit`.

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or this jury has judged nothing in it.
        NoDataError: there is something else in the folder.

    Example:
        >>> import voirdire as vd
        >>> vd.validate("runs/first").failed  # doctest: +SKIP
    """
    (folder,), chosen = runs_of([run], jury)
    with columns_of(map, [folder]):
        of_data = asked_of_data([folder], lambda data: data.validate)
    if of_data is not None:
        only_for_runs(jury=jury)
        return of_data
    return ValidationResult(load_run(folder, chosen))
