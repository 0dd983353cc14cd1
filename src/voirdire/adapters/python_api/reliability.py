"""Do judges agree, and what does each of them change? Of a run's jury, or of the judges of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voirdire.adapters.python_api.questions import ShownAnswer, answer_of_data, answer_of_run, columns_of, only_for_runs
from voirdire.adapters.python_api.results import runs_of
from voirdire.data.paths import AnyPath


def reliability(
    run: AnyPath, jury: str | Sequence[str] | None = None, *, map: Mapping[str, str] | str | None = None
) -> ShownAnswer:
    """Tell how far judges agree, in what they differ, and what the results owe to each. Nothing is called.

    Args:
        run: a run's folder, or results of an evaluation, as `audit` reads them, in which judges are named.
        jury: under which to read a run, by its judges' names or its id.
        map: of a table of results, its columns, as for `audit`.

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or no such jury has judged it.
        ReliabilityError, NoJudgesError: there is one judge only.
        NoDataError: there is something else in the folder.
    """
    (folder,), chosen = runs_of([run], jury)
    with columns_of(map, [folder]):
        of_data = answer_of_data([folder], lambda data: data.reliability)
    if of_data is not None:
        only_for_runs(jury=jury)
        return of_data
    return answer_of_run(folder, lambda instrument: instrument.reliability, folder, chosen)
