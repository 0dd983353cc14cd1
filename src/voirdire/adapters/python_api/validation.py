"""`voirdire.validate`: was the test itself sound?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voirdire.adapters.python_api.questions import ShownAnswer, answer_of_data, answer_of_run, columns_of, only_for_runs
from voirdire.adapters.python_api.results import runs_of
from voirdire.data.paths import AnyPath


def validate(
    run: AnyPath, jury: str | Sequence[str] | None = None, *, map: Mapping[str, str] | str | None = None
) -> ShownAnswer:
    """Check whether the test itself was sound, with quotes from the run. Nothing is called.

    Args:
        run: a run's folder, or a loaded run; or results of an evaluation, as `audit` reads them.
        jury: under which to read it, by its judges' names or its id; the one it was loaded or run with by default.
        map: of a table of results, its columns, as for `audit`.

    Returns:
        `failed`, the ids of checks that fail; `frame`, one row per check: check, status, value with low and high
        (NaN: not measured), evidence (sentences).

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or this jury has judged nothing in it.
        NoDataError: there is something else in the folder.

    Example:
        >>> import voirdire as vd
        >>> vd.validate("runs/first").failed  # doctest: +SKIP
    """
    (folder,), chosen = runs_of([run], jury)
    with columns_of(map, [folder]):
        of_data = answer_of_data([folder], lambda data: data.validate)
    if of_data is not None:
        only_for_runs(jury=jury)
        return of_data
    return answer_of_run(folder, lambda instrument: instrument.validate, folder, chosen)
