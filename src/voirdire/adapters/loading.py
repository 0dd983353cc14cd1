"""`voirdire.load(RUN)`: a run's results as pandas, in one call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from voirdire.data.paths import AnyPath
from voirdire.documents.cells import count, plain_table
from voirdire.documents.document import Chart, Document, Section, Table, Text, document, first_text
from voirdire.errors import InputError, UserError
from voirdire.instruments import Instrument, RunProgress, instrument_of
from voirdire.instruments.instrument import Frames, Overview
from voirdire.jury.choice import choose_jury, judge_names
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import RunFolder, Scrubber, models_of
from voirdire.text.terminal import inert

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.ddft.results import Result


class LoadError(InputError):
    """A run that can't be loaded as asked: one sentence says what was given and what there is."""


class NoSuchTable(AttributeError):
    """A table that runs of this instrument don't have: one sentence says which there are."""


def load(run: AnyPath, jury: str | Sequence[str] | None = None) -> LoadedRun:
    """Open a run's results. Nothing is called; tables are made from the journal when they are first asked for.

    Args:
        run: the run's folder, or a run that was loaded before; the run may still be going on.
        jury: of a run that several juries have judged, the judges' names, or the id, of the one whose verdicts
            and scores are wanted; `None` for the one that it was held with.

    Raises:
        RunFolderError: there is no run in the folder, or its manifest is no JSON object.
        LoadError: this is no path, the run names no instrument, or no jury has judged it.
        JuryError: juries have judged it, but not this one.

    Example:
        >>> import voirdire
        >>> run = voirdire.load("runs/first")  # doctest: +SKIP
        >>> run.scores.groupby("model").far.mean()  # doctest: +SKIP
    """
    if not isinstance(run, str | os.PathLike):
        raise LoadError(f"voirdire.load takes the folder of a run, as a path or a text; it was given {run!r}.")
    return LoadedRun(Path(run), ",".join(judge_names(jury)) if jury else None)


class LoadedRun:
    """A run's results: tables as pandas, a chart, and what was asked. See `load`.

    It shows itself: one line with the figures, and in a notebook the verdict with the models ranked. Whatever takes the
    folder of a run takes it too. It stays usable when the current folder changes.
    """

    def __init__(self, path: Path, jury: str | None = None) -> None:
        self._given, self._absolute = path, path.absolute()
        with RunFolder.open(path, read_only=True) as folder:
            self.manifest: dict[str, Any] = _without_secrets(folder.manifest)
            """What was asked, as in run.json; credentials in addresses are taken out."""
            self.instrument: str = _instrument(folder)
            """Of which instrument it is, as run.json has it."""
            juries = instrument_of(self.instrument).juries(folder)
            self.progress: RunProgress | None = _progress(folder, instrument_of(self.instrument))
            """How much is done, of how much that was asked; `None` where the run does not say."""
        self.juries: tuple[str, ...] = tuple(juries)
        """Ids of the juries that have judged the run; the first is the one it was held with."""
        if jury is not None and not juries:
            raise LoadError(f"No jury {jury!r} has judged {path}; none has judged it.")
        self.jury: str | None = choose_jury(juries, jury, path) if juries else None
        """Id of the jury whose verdicts and scores these are; `None` where there is no jury."""
        own = juries.get(self.jury or "", {})
        self.judges: tuple[str, ...] = tuple(own.get("judges", ()))
        """Who sits on it."""
        self.banner: str | None = own.get("banner")
        """What must be said wherever its scores are shown."""
        self._tables: dict[str, pd.DataFrame] = {}

    @property
    def path(self) -> Path:
        """Of its folder: as it was given, and absolute where that no longer leads to it from the current folder."""
        return self._given if self._given.absolute() == self._absolute else self._absolute

    @property
    def complete(self) -> bool | None:
        """Whether all that was asked is done; `None` where the run does not say."""
        return None if self.progress is None else self.progress.done >= self.progress.of

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables there are."""
        return instrument_of(self.instrument).table_names

    @property
    def turns(self) -> pd.DataFrame:
        """Of a cross-examination: one row per question and answer."""
        return self.table("turns")

    @property
    def verdicts(self) -> pd.DataFrame:
        """Of a cross-examination: one row per turn and judge, of this jury."""
        return self.table("verdicts")

    @property
    def scores(self) -> pd.DataFrame:
        """Of a cross-examination: one row per turn, what this jury said together."""
        return self.table("scores")

    @property
    def metrics(self) -> pd.DataFrame:
        """One row per model and metric: value, interval, n, why there is none, what must be said beside it."""
        return self.table("metrics")

    @property
    def statements(self) -> pd.DataFrame:
        """Of labels: one row per sentence, with its label, votes and tiers."""
        return self.table("statements")

    @property
    def answers(self) -> pd.DataFrame:
        """Of labels: one row per answer."""
        return self.table("answers")

    @property
    def responses(self) -> pd.DataFrame:
        """Of an audit: one row per response, with its score."""
        return self.table("responses")

    @property
    def violations(self) -> pd.DataFrame:
        """Of an audit: one row per violation that stands, with what it costs."""
        return self.table("violations")

    @property
    def audits(self) -> pd.DataFrame:
        """Of an audit: one row per response and auditor."""
        return self.table("audits")

    @property
    def calls(self) -> pd.DataFrame:
        """Every attempt at a call: model, tokens, price, seconds, reply, error."""
        return self.table("calls")

    @property
    def profiles(self) -> pd.DataFrame:
        """Of a cross-examination: one row per model, and of every metric its value and its 95 % interval.

        Columns, the same for every run: model; of each metric METRIC, METRIC_low and METRIC_high; reason, why metrics
        have no value (NaN); cautions, what must be said beside ER. `metrics` has the n too, and both for each metric.

        Raises:
            NoSuchTable: the run is of another instrument.
        """
        if instrument_of(self.instrument).load is None:
            raise self._without("profiles")
        return _wide(self.metrics)

    @cached_property
    def result(self) -> Result:
        """Of a cross-examination: profiles, validity checks, cost and what is missing, under this jury.

        Raises:
            NoSuchTable: the run is of another instrument.
            StudyError: nothing has been judged yet.
        """
        load = instrument_of(self.instrument).load
        if load is None:
            raise self._without("profiles")
        return cast("Result", load(self._absolute, self.jury))

    def to_dict(self) -> dict[str, Any]:
        """What was found, as `voirdire show --json`.

        Raises:
            NoSuchTable: the run's instrument has no results of its own.
            StudyError: nothing has been judged yet.
        """
        summary = instrument_of(self.instrument).summary
        if summary is None:
            raise self._without("results")
        results: dict[str, Any] = without_known_secrets(dict(summary(self.path, self.jury).data))
        return results

    def plot(self) -> Any:
        """Of a cross-examination: factual accuracy (FAR) and coherence (SAS) over compression, a panel per model.

        Drawn of turns 1 to 3: at 4 and 5 the scores are about the trap, not about the text that is taken away. Bands
        are 95 % intervals over concepts. `chart.save("curves.png")` saves it.

        Returns:
            A chart of altair where altair is installed, and else a `NotebookChart`, which a notebook shows as SVG.

        Raises:
            NoSuchTable: the run is of another instrument.
            StudyError: nothing has been judged yet.
        """
        from voirdire.reports.chart_files import curves_by_model, notebook_chart

        curves = instrument_of(self.instrument).curves
        if curves is None:
            raise self._without("chart")
        drawn = table_without_secrets(curves(self.path, self.jury))
        return notebook_chart(curves_by_model(drawn, "Turns 1 to 3, before the fabrication"))

    def __fspath__(self) -> str:
        return str(self.path)

    def _without(self, what: str) -> NoSuchTable:
        return NoSuchTable(f"A run of {self.instrument} has no {what}; it has {self._there}.")

    @property
    def _there(self) -> str:
        """What there is to ask for as a table, profiles among them."""
        described = instrument_of(self.instrument)
        names = (*described.table_names, *(["profiles"] if described.load is not None else []))
        return ", ".join(f".{name}" for name in names)

    def table(self, name: str) -> pd.DataFrame:
        """A table by its name, without known secrets; the same object each time.

        Raises:
            NoSuchTable: runs of this instrument have none of that name.
        """
        if name not in self._tables:
            self._build(name)
        return self._tables[name]

    def _build(self, name: str) -> None:
        instrument = instrument_of(self.instrument)
        for built, frame in self._frames(instrument, name).items():
            of_jury = built in instrument.by_jury
            own = frame[frame["jury"] == self.jury].reset_index(drop=True) if of_jury else frame
            self._tables[built] = table_without_secrets(own)

    def _frames(self, instrument: Instrument, name: str) -> Frames:
        if instrument.derived is not None and name in instrument.derived.names:
            return instrument.derived.build(self.path, self.jury)
        tables = next((each for each in instrument.all_tables if name in each.names), None)
        if tables is None:
            raise NoSuchTable(f"A run of {self.instrument} has no table {name!r}; it has {self._there}.")
        with RunFolder.open(self.path, read_only=True) as folder:
            return tables.build(folder)

    def __repr__(self) -> str:
        """Which run it is; nothing is read for that."""
        return _one_line(self._where())

    def __str__(self) -> str:
        """What was found, in one line, as `print` shows it."""
        outcome = self._overview
        return _one_line(self._where() if outcome is None else f"{outcome.headline} {self._where()}")

    def _repr_html_(self) -> str:
        from voirdire.reports.formats.notebook import to_notebook

        return to_notebook(without_known_secrets(self._document()))

    @cached_property
    def _overview(self) -> Overview | None:
        """The run at a glance; where its instrument has no such thing, what `voirdire show` prints.

        `None` where there is nothing to show: to print a run never fails.
        """
        instrument = instrument_of(self.instrument)
        try:
            if instrument.overview is not None:
                return instrument.overview(self._absolute, self.jury)
            if instrument.summary is not None:
                shown = instrument.summary(self._absolute, self.jury).document()
                return Overview(first_text(shown), lambda: shown)
        except UserError:
            return None
        return None

    def _document(self) -> Document:
        where = Text(f"{self._where()} Its tables: {self._there}.", "quiet")
        if self._overview is None:
            return document(where, self._rows())
        outcome = self._overview.document()
        return replace(outcome, sections=(*map(_undrawn, outcome.sections), *document(where).sections))

    def _rows(self) -> Table:
        rows = ((f".{name}", count(len(self.table(name)))) for name in self.tables)
        return plain_table("tables", ("table", "rows"), rows)

    def _where(self) -> str:
        named = models_of(self.manifest)
        models = ", ".join(named[:3]) + (f" and {len(named) - 3} more" if len(named) > 3 else "")
        jury = f", jury {self.jury}" if self.jury else ""
        lacks = ""
        if self.progress is not None and not self.complete:
            lacks = f"; complete=False, {self.progress.done:,} of {self.progress.of:,} {self.progress.unit}"
        return f"Run {self.path} ({self.instrument}{': ' if models else ''}{models}{jury}{lacks})."


def _one_line(text: str) -> str:
    return inert(" ".join(without_known_secrets(text).split()))


def _undrawn(section: Section) -> Section:
    """Without its charts, which a notebook's output can't show: the table has their figures."""
    return replace(section, blocks=tuple(block for block in section.blocks if not isinstance(block, Chart)))


def _wide(metrics: pd.DataFrame) -> pd.DataFrame:
    """Metrics as columns, in their order, each with the ends of its interval."""
    import pandas as pd

    ends = {"value": "", "low": "_low", "high": "_high"}
    wide = metrics.pivot(index="model", columns="metric", values=list(ends)).reindex(metrics["model"].unique())
    wide.columns = wide.columns.map(lambda place: f"{place[1]}{ends[place[0]]}")
    ordered = [f"{metric}{end}" for metric in metrics["metric"].unique() for end in ends.values()]
    remarks = metrics.assign(reason=metrics["reason"].where(metrics["value"].isna())).groupby("model", sort=False)
    texts = {
        "reason": pd.Series({model: _each_reason(own) for model, own in remarks}, dtype="string"),
        "cautions": metrics[metrics["metric"] == "ER"].set_index("model")["cautions"],
    }
    return wide[ordered].assign(**texts).rename_axis(index="model").reset_index()


def _each_reason(metrics: pd.DataFrame) -> str | None:
    """Why metrics have no value, each reason once with those that lack one for it."""
    whys = metrics.dropna(subset="reason").groupby("reason", sort=False)["metric"].agg(", ".join)
    return "; ".join(f"{names}: {why}" for why, names in whys.items()) or None


def _instrument(folder: RunFolder) -> str:
    """Of which instrument a run is."""
    named = folder.manifest.get("instrument")
    if not isinstance(named, str):
        place = folder.path / "run.json"
        raise LoadError(f"The file {place} names no instrument: it is damaged, or no run of voirdire.")
    return named


def _progress(folder: RunFolder, instrument: Instrument) -> RunProgress | None:
    """How far a run has come; `None` where its run.json, or a file beside it, does not say what was asked."""
    try:
        return instrument.progress(folder)
    except (KeyError, UserError):
        return None


def _without_secrets(manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest with credentials taken out of its texts: a server's address or a command line may hold some."""
    scrub = Scrubber()

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return scrub(value)
        if isinstance(value, dict):
            return {name: clean(each) for name, each in value.items()}
        return [clean(each) for each in value] if isinstance(value, list) else value

    return {name: clean(value) for name, value in manifest.items()}


def table_without_secrets(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with known secrets hidden in its texts."""
    import pandas as pd

    columns: dict[str, pd.Series[Any]] = {}
    for name in frame.select_dtypes(exclude=["number", "bool"]):
        column = frame[name]
        columns[str(name)] = pd.Series(without_known_secrets(list(column)), column.index, column.dtype)
    return frame.assign(**columns)
