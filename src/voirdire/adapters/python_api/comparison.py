"""`voirdire.compare`: which models differ, as far as their dialogues can tell, or the items of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voirdire.adapters.python_api.questions import ShownAnswer, answer_of_data, answer_of_run, columns_of, only_for_runs
from voirdire.adapters.python_api.results import UsageError, each_run, listed, runs_of
from voirdire.data.paths import AnyPath
from voirdire.instruments import CompareQuestion

_ALPHAS = (0.0001, 0.5)
"""Lowest and highest level of a test, as for the command."""


def compare(
    *runs: AnyPath | list[AnyPath] | tuple[AnyPath, ...],
    metric: str | None = None,
    unit: str | None = None,
    alpha: float = 0.05,
    jury: str | Sequence[str] | None = None,
    only_models: str | Sequence[str] = (),
    map: Mapping[str, str] | str | None = None,
) -> ShownAnswer:
    """Say which models differ, by how much, and what can't be decided. Nothing is called.

    Args:
        runs: run folders or loaded runs, also as a list; one is enough where it has several models. Or results of
            evaluations, as `audit` reads them.
        metric: of runs: "ER" (by default), "K", "V_E", "danger_zone_pct" …; differences are in its unit (0 to 1, or
            percent).
        unit: of runs, what the test swaps: "concept" (by default), or "dialogue", which speaks of these concepts only.
        alpha: level of the tests, after Holm's correction for the number of pairs.
        jury: under which to read the runs, by its judges' names or its id; the one each was loaded or run with by
            default.
        only_models: of results of evaluations: only these; all by default. Of runs all are compared.
        map: of a table of results, its columns, as for `audit`.

    Returns:
        `frame` has one row per pair; of runs: a, b, verdict, difference (A - B) with low and high, p, p_holm,
        effect_size (d_z, of ten shared concepts or more), n_cells.

    Raises:
        CompareError: fewer than two models, or an unknown metric or unit.
        RunFolderError, StudyError, JuryError: a folder holds no run, or this jury has judged nothing in it.
        UsageError: no run, or runs that were loaded with different juries, where none is named; an option that is
            for the other kind of paths; or an alpha beyond 0.0001 to 0.5.
        NoDataError, QuestionError: a path is neither a run nor results, or these can't be compared.

    Example:
        >>> import voirdire as vd
        >>> vd.compare("runs/first", "runs/second", metric="K")  # doctest: +SKIP
    """
    given = each_run(runs)
    if not given:
        raise UsageError("No run was given; name one with several models, or several.")
    if not _ALPHAS[0] <= alpha <= _ALPHAS[1]:
        raise UsageError(f"alpha is from {_ALPHAS[0]} to {_ALPHAS[1]}; {alpha!r} was given.")
    folders, chosen = runs_of(given, jury)
    question = CompareQuestion(tuple(listed(only_models)), alpha, metric, unit)
    with columns_of(map, folders):
        of_data = answer_of_data(folders, lambda data: data.compare, question)
    if of_data is not None:
        only_for_runs(metric=metric, unit=unit, jury=jury)
        return of_data
    if question.models:
        raise UsageError(
            "only_models= (--only-model) chooses among the models of an evaluation; of runs all are compared, so leave "
            "it out."
        )
    return answer_of_run(folders[0], lambda instrument: instrument.compare, folders, chosen, question)
