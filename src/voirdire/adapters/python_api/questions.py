"""What the Python functions ask of runs, and of data that are no run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.loading import table_without_secrets
from voirdire.adapters.python_api.results import Shown, UsageError
from voirdire.documents.document import Document
from voirdire.instruments import Data, Instrument, QuestionResult, data_at, instrument_of_run, is_run, run_advice
from voirdire.models.secrets import without_known_secrets

if TYPE_CHECKING:
    import pandas as pd


class ShownAnswer(Shown):
    """What was found in runs, or in files that somebody else made, as the function that was called says."""

    def __init__(self, result: QuestionResult) -> None:
        self.result = result

    @property
    def headline(self) -> str:
        """The conclusion, in one line."""
        return self.result.headline

    @property
    def failed(self) -> list[str]:
        """Of `validate`: ids of the checks that fail."""
        return list(self.result.failed)

    @property
    def unverified(self) -> list[str]:
        """Of `validate`: ids of the checks that a lone judge leaves open, which count under `--strict`."""
        return list(self.result.unverified)

    @property
    def reservations(self) -> dict[str, bool]:
        """Of `validate`: by name, what forbids to rely on the figures though no check sees it, and whether it does."""
        return dict(self.result.reservations)

    @property
    def frame(self) -> pd.DataFrame:
        """The same as a table."""
        return table_without_secrets(self.result.frame)

    def plot(self) -> Any:
        """Of `compare`: the page's chart of ranks and differences, or of scores and places; of several, the first.

        Returns:
            A chart of altair where altair is installed, and else a `NotebookChart`, which a notebook shows as SVG.

        Raises:
            UsageError: there is nothing to draw.
        """
        from voirdire.documents.drawing import WholeChart
        from voirdire.reports.chart_files import notebook_chart
        from voirdire.reports.formats.pictures import combined

        if self.result.chart is None:
            raise UsageError(
                "There is nothing to draw of this: only a comparison whose differences are known has a chart."
            )
        return notebook_chart(WholeChart(without_known_secrets(combined(self.result.chart))))

    def document(self) -> Document:
        """As the command prints it."""
        return self.result.document

    def values(self) -> dict[str, Any]:
        """As the command's `--json`."""
        return dict(self.result.values)


def answer_of_data(
    paths: Sequence[Path], question: Callable[[Data], Callable[..., QuestionResult] | None], *arguments: object
) -> ShownAnswer | None:
    """What data say to a question.

    Args:
        paths: of runs or of data.
        question: the part of `Data` that answers it.
        arguments: of that part, after the paths.

    Returns:
        `None` where the paths are runs.

    Raises:
        NoDataError: what is there is neither.
        UsageError: such data do not answer it.
    """
    data = data_at(paths)
    if data is None:
        return None
    answer = question(data)
    if answer is None:
        raise UsageError(
            f"{paths[0]} is {data.what}, and this takes runs or results of an evaluation.{run_advice(paths[0])}"
        )
    return ShownAnswer(without_known_secrets(answer(paths, *arguments)))


def answer_of_run(
    path: Path, question: Callable[[Instrument], Callable[..., QuestionResult] | None], *arguments: object
) -> ShownAnswer:
    """What the instrument of a run says to a question.

    Args:
        path: of the run; where several are asked about, of the first.
        question: the part of `Instrument` that answers it.
        arguments: of that part.

    Raises:
        RunFolderError: there is no run.
        UsageError: runs of this instrument do not answer it.
    """
    instrument = instrument_of_run(path)
    answer = question(instrument)
    if answer is None:
        contents = instrument.contents or f"a run of {instrument.name!r}"
        raise UsageError(f"{path} holds {contents}, which this does not read: {instrument.readers} do.")
    return ShownAnswer(answer(*arguments))


@contextmanager
def columns_of(map: Mapping[str, str] | str | None, paths: Sequence[Path]) -> Iterator[None]:
    """Have tables of results be read by the columns that the user has named, while the block runs.

    Args:
        map: as for `audit`; `None` where nothing is named.
        paths: that will be read.

    Raises:
        UsageError: one of them is a run.
        FormatError: `map` is none, or names a column that no table has.
    """
    if map is None:
        yield
        return
    run = next((path for path in paths if is_run(path)), None)
    if run is not None:
        raise UsageError(f"map= (--map) names columns of a table of results; {run} is a run, so leave it out.")
    from voirdire.evaluation.formats import parse_map, with_columns

    with with_columns(parse_map(map), paths):
        yield


def only_for_runs(**options: object) -> None:
    """See that no option is given that data know nothing of.

    Raises:
        UsageError: one is.
    """
    given = next((name for name, value in options.items() if value is not None), None)
    if given is not None:
        raise UsageError(
            f"{given}= (--{given}) is for runs; of results of an evaluation it changes nothing, so leave it out."
        )
