"""What a run has come to: its tables, profiles and checks, under one jury."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire import __version__
from voirdire.data.json_values import as_object, as_plain
from voirdire.data.paths import AnyPath, as_path
from voirdire.ddft.aliases import shown_models
from voirdire.ddft.exported_tables import Tables, build_tables, make_tables, read_tables
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import juries_in, verdicts_kind
from voirdire.ddft.questions import LAST_TURN, TRAP_TURN
from voirdire.ddft.snapshot import saved_concepts
from voirdire.ddft.stopping import read_interim_analyses
from voirdire.ddft.study import StudyError, completed_dialogues, judged_dialogues, rubric_unread, settled_dialogues
from voirdire.ddft.thresholds import PAPER, Thresholds, thresholds_of
from voirdire.ddft.unusable_replies import NONE_UNUSABLE, Unusable, judges_in_vain, silent_judges, unusable_replies
from voirdire.instruments import RunProgress
from voirdire.jury.choice import choose_jury
from voirdire.jury.settings import JuryError
from voirdire.reason_codes import Reason, reason
from voirdire.records import Concept
from voirdire.runs import JournalError, RunFolder, RunFolderError, release_memory
from voirdire.text.counting import counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.ddft.profile import Profile
    from voirdire.ddft.validity import Check, Status
    from voirdire.ddft.validity.records import RunRecord


_MADE_BY = f"voirdire {__version__}, tables 2"
"""Changes with what is in the tables: those that another version made are made again."""

_FEW_CALLS = 5_000
"""Calls of a run whose tables are made as a whole."""
_FEW_TURNS = 5_000
"""Turns whose texts are kept in memory, once they have been read."""
_NAMED = 3
_COPIES = ("copied_judge", "near_copy", "near_copies_alone")
"""Models that a result's line names."""


@dataclass(frozen=True, repr=False)
class Result:
    """A run as it stands, under one jury."""

    path: Path
    manifest: Mapping[str, Any]
    """What was asked for."""
    preset: str
    jury: str
    """The jury's id."""
    default_jury: str
    """The id of the jury whose figures are shown where none is named: the run's own."""
    other_juries: Mapping[str, tuple[str, ...]]
    """The judges of every other jury that has judged it, by the jury's id."""
    banner: str | None
    """What must be said wherever these numbers are shown."""
    profiles: list[Profile]
    scores: pd.DataFrame
    """This jury's, one row per turn."""
    read_tables: Callable[[], Tables]
    totals: Mapping[str, Any]
    read_checks: Callable[[], tuple[Check, ...]]
    unusable: Unusable = NONE_UNUSABLE
    """The judges' replies that could not be used."""
    missing_of_judges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By judge who lacks any: on how many turns a verdict is missing, and of how many."""
    unvarying_judges: tuple[Reason, ...] = ()
    """The judges whose scores never vary or hardly do, and which scores."""
    rubric_unread: Reason | None = None
    """Which of the judges did not read the preset's own rubric."""
    not_judged: int = 0
    """Turns that were asked, and have not gone to this jury yet."""
    unjudged: tuple[str, ...] = ()
    """The models of which no turn has gone to this jury yet: they have no profile."""
    stopped: str | None = None
    """Why the run is not complete."""
    stopped_now: bool = False
    """Whether it has just stopped early, at a limit or a fault; of a run that is read later it is not known."""
    finished: bool = True
    """Whether all was asked: what is missing nevertheless, no further call brings."""
    useless_judges: tuple[str, ...] = ()
    """Of a run that can't go on: its judges who give no verdict, and can't be spared."""
    dialogues: int = 0
    """How many it is to have."""
    dialogues_completed: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By model of which dialogues are missing: how many are complete, of how many."""
    thresholds: Thresholds = PAPER
    """What `profiles` and the checks count by."""
    read_profiles: Callable[[Thresholds], list[Profile]] = field(default=lambda _: [])
    """The profiles, counted by other thresholds and without a bootstrap."""

    @property
    def turns(self) -> int:
        """How many were asked."""
        return len(self.scores) + self.not_judged

    @property
    def turns_planned(self) -> int | None:
        """How many are to be asked; `None` while that depends on answers."""
        if self.finished:
            return self.turns
        return self.dialogues * LAST_TURN if _last_turn_certain(self.manifest) == LAST_TURN else None

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked of the run is missing."""
        return self.stopped is None

    def __repr__(self) -> str:
        models = listed([profile.model for profile in self.profiles], _NAMED) or "none judged yet"
        why = "" if self.stopped is None else f", stopped={self.stopped!r}"
        return f"<Result of {self.path}: {models}; complete={self.complete}{why}>"

    @cached_property
    def tables(self) -> Tables:
        """Every turn with its question and answer, every verdict, every jury's scores; read when first asked for."""
        return self.read_tables()

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Whether the test itself was sound (docs/validity.md); looked into when first asked for."""
        return self.read_checks()

    @cached_property
    def by_the_paper(self) -> list[Profile]:
        """The profiles by the paper's thresholds, where the run is counted by others; otherwise none."""
        return [] if self.thresholds == PAPER else self.read_profiles(PAPER)

    @property
    def sets_traps(self) -> bool:
        """Whether it was to set traps at turn 4."""
        return _sets_traps(self.manifest)

    @property
    def also_judged(self) -> Reason | None:
        """That other juries have judged it too, and whose figures these are; `None` where none has."""
        if not self.other_juries:
            return None
        others = ", ".join(f"{jury} ({', '.join(judges)})" for jury, judges in self.other_juries.items())
        return reason("note_other_juries", others=others, jury=self.jury)

    @property
    def models_missing(self) -> Reason | None:
        """Of which models no turn is judged yet; `None` where each has one."""
        return reason("note_models_unjudged", models=self.unjudged) if self.unjudged else None

    @property
    def judges_missing(self) -> Reason | None:
        """Which judges' verdicts are missing, where the run is not complete, and whether it leaves no score at all."""
        if self.complete or not self.missing_of_judges:
            return None
        judges = tuple(
            reason("missing_on_turns", judge=judge, missing=missing, turns=turns)
            for judge, (missing, turns) in self.missing_of_judges.items()
        )
        return reason("note_judges_missing" if self.any_score else "note_no_panel_score", judges=judges)

    @property
    def silent_judges(self) -> tuple[str, ...]:
        """The judges who gave no verdict that counts on any turn that went to them."""
        return tuple(judge for judge, (missing, turns) in self.missing_of_judges.items() if missing == turns)

    @property
    def any_score(self) -> bool:
        """Whether any turn has a score."""
        return bool(self.scores["unscored"].isna().any())

    @property
    def jury_option(self) -> str:
        """What a command on this run needs behind it to read this jury: "" for the run's own."""
        return "" if self.jury == self.default_jury else f" --jury {self.jury}"

    @property
    def failed_checks(self) -> list[str]:
        """Ids of the validity checks that fail."""
        return self._checks("fail")

    @property
    def lone_judge(self) -> Reason | None:
        """That one judge scored alone, so that no check shows how far another would agree; `None` where several did."""
        return next((why for check in self.checks for why in check.evidence if why.code == "too_few_judges"), None)

    @property
    def copied_judges(self) -> tuple[Reason, ...]:
        """Which judges are copies of each other, and so count as one judge, or nearly are."""
        copies = (why for check in self.checks for why in check.evidence if why.code in _COPIES)
        return tuple(dict.fromkeys(copies))

    @property
    def jury_warnings(self) -> list[str]:
        """What must be said of the jury before any figure: its banner, whom it can't judge, what it missed, copies."""
        blind = (check for check in self.checks if check.id == "simulated_judge" and check.status == "fail")
        unread = [] if self.rubric_unread is None else [str(self.rubric_unread)]
        seen = [*(str(check.evidence[0]) for check in blind), *unread, *map(str, self.copied_judges)]
        return [*([self.banner] if self.banner else []), *seen]

    @property
    def missing_verdicts(self) -> list[str]:
        """How many turns lack a verdict or a score, in a sentence; nothing where none does."""
        checks = (check for check in self.checks if check.id == "missing_verdicts")
        return [str(check.evidence[0]) for check in checks if check.count is None or check.count[0]]

    @property
    def waiting(self) -> list[str]:
        """How many turns have not been judged yet, in a sentence; nothing where all have."""
        return [str(reason("note_not_judged", turns=self.not_judged))] if self.not_judged else []

    def _checks(self, status: Status) -> list[str]:
        return [check.id for check in self.checks if check.status == status]

    def as_dict(self) -> dict[str, Any]:
        """Everything but the tables, for JSON: models with the best ER first, the ids of checks that do not pass."""
        from voirdire.ddft.profile import best_first
        from voirdire.ddft.soundness import conclusion

        return {
            "run": str(self.path),
            "preset": self.preset,
            "jury": self.jury,
            "other_juries": as_plain(self.other_juries),
            "banner": self.banner,
            "complete": self.complete,
            "stopped": self.stopped,
            "finished": self.finished,
            "totals": dict(self.totals),
            "dialogues": self.dialogues,
            "turns_planned": self.turns_planned,
            "not_judged": self.not_judged,
            "unjudged_models": list(self.unjudged),
            "unusable_replies": as_object(self.unusable),
            "judges_missing": as_plain(self.judges_missing),
            "rubric_unread": as_plain(self.rubric_unread),
            "copied_judges": as_plain(self.copied_judges),
            "validity": {
                "failed": self._checks("fail"),
                "warned": self._checks("warn"),
                "conclusion": conclusion(self).as_dict(),
            },
            "models": [*as_plain(best_first(self.profiles)), *map(_unjudged_model, self.unjudged)],
            **({} if self.thresholds == PAPER else {"thresholds": self._thresholds_as_dict()}),
        }

    def _thresholds_as_dict(self) -> dict[str, Any]:
        """The thresholds, and what each figure that rests on one that differs would be by the paper's."""
        metrics = self.thresholds.metrics
        return {
            "preset": self.thresholds.as_dict(),
            "sha256": self.thresholds.sha256,
            "paper": PAPER.as_dict(),
            "by_the_paper": [
                {
                    "model": profile.model,
                    "metrics": {name: profile.metrics[name].value for name in metrics},
                    "intervals": as_plain({name: profile.intervals.get(name) for name in metrics}),
                    "phenotype": profile.paper_index.phenotype,
                }
                for profile in self.by_the_paper
            ],
        }


def _unjudged_model(model: str) -> dict[str, Any]:
    """What stands in JSON for a model of which no turn is judged yet: every metric is null, and says why."""
    from voirdire.ddft.metrics import BY_NAME

    names, why = (*BY_NAME, "CI_norm"), reason("model_unjudged").as_dict()
    empty: dict[str, Any] = {"n": {}, "intervals": {}, "interval_reasons": {}, "curves": [], "notes": []}
    return {"model": model, "metrics": dict.fromkeys(names), "reasons": dict.fromkeys(names, why)} | empty


def load_run(
    path: AnyPath, jury: str | None = None, *, unjudged: bool = False, thresholds: Thresholds | None = None
) -> Result:
    """A run as it stands, without calling anything.

    Args:
        path: of the run folder.
        jury: the judges' names, or the id, of a jury that has judged it; `None` for the one the run was
            held with, or the only one.
        unjudged: whether a run of which no turn is judged yet may be read, too; it has no profiles.
        thresholds: what metrics count by; `None` for those of the run's preset.

    Raises:
        RunFolderError: there is no run, or its manifest is damaged or another instrument's.
        StudyError: nothing is judged yet.
        JuryError: no such jury has judged it.
    """
    path = as_path(path)
    with open_examination(path, read_only=True) as folder:
        tables = build_tables(folder.journal)
        juries = juries_in(folder.journal)
        if tables.scores.empty and not (unjudged and juries):
            raise StudyError(f"No turn of {path} has been judged yet; continue the run first.")
        chosen = choose_jury(juries, jury, path)
        return _result(
            folder,
            chosen,
            tables,
            check_completeness(folder, chosen),
            lambda: tables,
            saved_concepts(folder),
            thresholds=thresholds,
        )


def jury_of(path: Path) -> list[str]:
    """The run's own judges."""
    with open_examination(path, read_only=True) as folder:
        return list(folder.manifest["jury"])


def dialogues_in(path: Path) -> int:
    """How many dialogues a run has begun."""
    with open_examination(path, read_only=True) as folder:
        return len({note.dialogue for note in folder.journal.notes(("turn",))})


def anything_judged(path: Path) -> bool:
    """Whether a run has a verdict of any jury; one whose journal can't be opened yet has none."""
    try:
        with open_examination(path, read_only=True) as folder:
            return any(kind.startswith(verdicts_kind("")) for kind in folder.journal.note_kinds())
    except (RunFolderError, JournalError):
        return False


def anything_answered(path: Path) -> bool:
    """Whether a run has any answer, or may have: its journal can't be read."""
    try:
        with open_examination(path, read_only=True) as folder:
            totals = folder.journal.totals()
    except RunFolderError:
        return False
    except JournalError:
        return True
    return totals.calls > totals.errors or totals.cached > 0


def is_finished(path: Path, jury: Sequence[str] | None = None) -> bool:
    """Whether nothing is left to ask of a run under a jury, its own by default; one that can't be read is not."""
    try:
        with open_examination(path, read_only=True) as folder:
            juries = juries_in(folder.journal)
            wanted = None if jury is None else ",".join(jury)
            return bool(juries) and check_completeness(folder, choose_jury(juries, wanted, path)).finished
    except (RunFolderError, JournalError, JuryError):
        return False


def finish(
    folder: RunFolder, jury_id: str, stopped: str | None = None, concepts: Mapping[str, Concept] | None = None
) -> Result:
    """Write a run's tables and compute its profiles; of a large run, not everything is held in memory at once.

    Args:
        folder: of the run, open to write.
        jury_id: of the jury whose verdicts count.
        stopped: why the run stopped, if it did; `None`: what is missing is looked for.
        concepts: of the run by id, where they are read already.
    """
    from voirdire.ddft.validity.records import TURNS_CHECKED, VERDICTS_CHECKED

    folder.journal.forget_keys()
    made: Tables | None = None
    if not (folder.tables_are_current(_MADE_BY) and {*Tables._fields} <= {*folder.tables()}):
        release_memory()
        made = _write_tables(folder)
        folder.mark_tables(_MADE_BY)
    release_memory()
    completeness = (
        check_completeness(folder, jury_id)
        if stopped is None
        else Completeness(stopped, False, sum(_planned_dialogues(folder).values()))
    )
    known = saved_concepts(folder) if concepts is None else concepts
    if made is not None:
        result = _result(folder, jury_id, made, completeness, lambda: made, known)
        return result if stopped is None else replace(result, stopped_now=True)
    tables = Tables(
        folder.read_table("turns", TURNS_CHECKED),
        folder.read_table("verdicts", VERDICTS_CHECKED, equal=("jury", jury_id)),
        folder.read_table("scores"),
    )
    read = partial(read_tables, folder)
    pieces = _Pieces(folder, jury_id, few=len(tables.turns) <= _FEW_TURNS)
    result = _result(folder, jury_id, tables, completeness, read, known, pieces)
    return result if stopped is None else replace(result, stopped_now=True)


def _write_tables(folder: RunFolder) -> Tables | None:
    """Write a run's tables; those of a small run are given back, which need not be read again."""
    if folder.journal.totals().calls > _FEW_CALLS:
        make_tables(folder.journal, folder.write_table)
        return None
    tables = build_tables(folder.journal)
    for name, table in tables._asdict().items():
        folder.write_table(name, table)
    return tables


def _result(
    folder: RunFolder,
    jury_id: str,
    tables: Tables,
    completeness: Completeness,
    read: Callable[[], Tables],
    concepts: Mapping[str, Concept],
    pieces: _Pieces | None = None,
    thresholds: Thresholds | None = None,
) -> Result:
    from voirdire.ddft.validity import validate
    from voirdire.ddft.validity.reader import read_record
    from voirdire.ddft.validity.score_checks import unvarying_judges

    judged_scores = tables.scores[tables.scores["jury"] == jury_id].reset_index(drop=True)
    juries, scoring = juries_in(folder.journal), set(tables.scores["jury"])
    bounds = thresholds or thresholds_of(folder.manifest["preset"])
    record = read_record(
        folder,
        jury_id,
        tables,
        concepts,
        bounds,
        None if pieces is None else pieces.answers,
        None if pieces is None else pieces.justifications,
    )
    failures = _failures_of_unanswered(record)
    profiles_by = _profiles_by(folder, judged_scores, failures, finished=completeness.finished)
    return Result(
        path=folder.path,
        manifest=folder.manifest,
        preset=folder.manifest["preset"]["name"],
        jury=jury_id,
        default_jury=next(iter(juries)),
        other_juries={
            jury: tuple(about["judges"]) for jury, about in juries.items() if jury != jury_id and jury in scoring
        },
        banner=juries[jury_id]["banner"],
        profiles=profiles_by(bounds),
        scores=judged_scores,
        read_tables=read,
        totals=folder.journal.totals()._asdict(),
        unusable=_unusable(folder, jury_id),
        missing_of_judges=_missing_of_judges(record.verdicts),
        unvarying_judges=unvarying_judges(record.verdicts),
        rubric_unread=rubric_unread(record.judges, folder.manifest["preset"]),
        read_checks=partial(validate, record),
        not_judged=len(tables.turns) - len(judged_scores),
        unjudged=tuple(model for model in shown_models(folder.manifest) if model not in set(judged_scores["model"])),
        stopped=completeness.why,
        finished=completeness.finished,
        useless_judges=completeness.useless_judges,
        dialogues=completeness.dialogues,
        dialogues_completed=_completed_dialogues(folder, tables.turns, record.completed_dialogues),
        thresholds=bounds,
        read_profiles=partial(profiles_by, draws=0),
    )


def _completed_dialogues(folder: RunFolder, turns: pd.DataFrame, completed: Set[str]) -> dict[str, tuple[int, int]]:
    completed_counts = turns[turns["dialogue"].isin(completed)].groupby("model")["dialogue"].nunique()
    counts = {
        model: (int(completed_counts.get(model, 0)), planned) for model, planned in _planned_dialogues(folder).items()
    }
    return {model: (done, planned) for model, (done, planned) in counts.items() if done < planned}


def _missing_of_judges(verdicts: pd.DataFrame) -> dict[str, tuple[int, int]]:
    lacks = verdicts["missing"].notna().groupby(verdicts["judge"], sort=False)
    counts = zip(lacks.sum().items(), lacks.size(), strict=True)
    return {str(judge): (int(missing), int(turns)) for (judge, missing), turns in counts if missing}


def _unusable(folder: RunFolder, jury_id: str) -> Unusable:
    if "imported_sha256" in folder.manifest and folder.manifest["jury"] == [jury_id]:
        return NONE_UNUSABLE  # nobody was asked for the scores that came with a record
    return unusable_replies(folder.journal, jury_id, folder.manifest["preset"]["jury"]["granularity"])


def _failures_of_unanswered(record: RunRecord) -> Mapping[str, Reason]:
    """By model that left questions without an answer, how its calls failed, if any did."""
    if not record.call_failures:
        return {}
    unanswered = set(record.turns.loc[~record.answered(), "model"])
    return {model: why for model, why in record.call_failures.items() if model in unanswered}


def _profiles_by(
    folder: RunFolder, scores: pd.DataFrame, failures: Mapping[str, Reason], *, finished: bool
) -> Callable[..., list[Profile]]:
    """The profiles, once it is said which thresholds count; none where nothing is judged."""
    from voirdire.ddft.profile import DRAWS, profiles

    if not len(scores):
        return lambda *_, **__: []
    manifest, interim_analyses = folder.manifest, read_interim_analyses(folder.journal, folder.manifest)
    traps = _sets_traps(manifest)
    awaited = () if finished else range(1, _last_turn_certain(manifest) + 1)
    levels = () if finished else manifest["preset"]["levels"]
    seed = manifest["seed"]

    def profiles_by(thresholds: Thresholds, draws: int = DRAWS) -> list[Profile]:
        return profiles(
            scores,
            thresholds=thresholds,
            draws=draws,
            seed=seed,
            interim_analyses=interim_analyses,
            traps=traps,
            awaited=awaited,
            levels=levels,
            failures=failures,
        )

    return profiles_by


def _last_turn_certain(manifest: Mapping[str, Any]) -> int:
    """The last turn that every dialogue has, whatever it brings."""
    return LAST_TURN if manifest["preset"]["turn5"] == "always" or not _sets_traps(manifest) else TRAP_TURN


def _sets_traps(manifest: Mapping[str, Any]) -> bool:
    return bool(manifest["preset"]["trap"] != "none")


@dataclass(frozen=True)
class _Pieces:
    """The long texts of a run's tables, some at a time."""

    folder: RunFolder
    jury_id: str
    few: bool
    """Whether they are kept once they have been read: several checks look at them."""

    def answers(self) -> Iterator[pd.Series[Any]]:
        """Of all turns."""
        return iter(self._cached_answers) if self.few else self._read_answers()

    def justifications(self) -> Iterator[pd.Series[Any]]:
        """Of this jury's verdicts, with the index that they have among those."""
        return iter(self._cached_justifications) if self.few else self._read_justifications()

    @cached_property
    def _cached_answers(self) -> list[pd.Series[Any]]:
        return list(self._read_answers())

    @cached_property
    def _cached_justifications(self) -> list[pd.Series[Any]]:
        return list(self._read_justifications())

    def _read_answers(self) -> Iterator[pd.Series[Any]]:
        return self.folder.read_column("turns", "answer")

    def _read_justifications(self) -> Iterator[pd.Series[Any]]:
        start = 0
        both = zip(*(self.folder.read_column("verdicts", name) for name in ("jury", "justification")), strict=True)
        for juries, texts in both:
            own = texts[juries == self.jury_id]
            yield own.set_axis(range(start, start + len(own)))
            start += len(own)


class Completeness(NamedTuple):
    """What is missing from a run."""

    why: str | None
    """In a sentence; `None` where nothing is."""
    finished: bool
    """Whether no further call would bring it."""
    dialogues: int
    """How many it is to have."""
    useless_judges: tuple[str, ...] = ()
    """With whom it can't go on."""


def check_completeness(folder: RunFolder, jury_id: str) -> Completeness:
    """What is missing from a run, if anything: dialogues, or verdicts of this jury."""
    expected, done, unjudged, settled = _counted_dialogues(folder, jury_id)
    parts = []
    lacking = partial(_lacking, among="" if len(done) >= expected else "completed ")
    useless = useless_judges(folder) if len(done) < expected else []
    if len(done) < expected:
        go_on = (
            f"no verdict of {listed(useless)} can be used: start a new run with other judges, in another folder"
            if useless
            else "voirdire run continues"
        )
        parts.append(f"{len(done):,} of {counted(expected, 'dialogue')} completed ({go_on})")
    if unjudged - settled:
        # The command that goes on with a run asks its own jury again too: one advice is enough.
        goes_on = len(done) < expected and jury_id == next(iter(juries_in(folder.journal)), "")
        advice = "" if goes_on else " (voirdire score asks again)"
        parts.append(f"{lacking(unjudged - settled)} a verdict{advice}")
    if settled:
        parts.append(f"{lacking(settled)} a verdict that no further call brings: {_how_to_settle(folder, jury_id)}")
    finished = len(done) >= expected and not unjudged - settled
    return Completeness("; ".join(parts) + "." if parts else None, finished, expected, tuple(useless))


def _how_to_settle(folder: RunFolder, jury_id: str) -> str:
    """Who gives no verdict however often it is asked, and how to go on without."""
    silent = silent_judges(folder.journal, jury_id)
    others = [judge for judge in juries_in(folder.journal)[jury_id]["judges"] if judge not in silent]
    if not silent or not others:
        return (
            "a judge refused, or wrote none that can be used, and its replies stand on record (voirdire score --jury "
            "asks others; who answered is not asked again)"
        )
    score = shlex.join(["voirdire", "score", str(folder.path), "--jury", ",".join(others)])
    return (
        f"{listed(silent)} gave none that can be used ({score} goes on without, and asks nobody again; then add the "
        "same --jury to other commands)"
    )


def useless_judges(folder: RunFolder) -> list[str]:
    """The judges of a run's own jury with whom it can't go on: they give no verdict, and can't be spared."""
    jury_id = next(iter(juries_in(folder.journal)), "")
    return judges_in_vain(folder.journal, jury_id, folder.manifest["preset"]["jury"]["granularity"])


def progress_of(folder: RunFolder) -> RunProgress:
    """How many dialogues of a run are held and judged by its own jury, as far as that can judge them."""
    jury_id = next(iter(juries_in(folder.journal)), "")
    expected, done, unjudged, settled = _counted_dialogues(folder, jury_id)
    return RunProgress(len(done) - len(unjudged - settled), expected, "dialogues")


def _counted_dialogues(folder: RunFolder, jury_id: str) -> tuple[int, Set[str], Set[str], Set[str]]:
    """How many there should be, those that are held, of these those without a verdict, and of those the settled."""
    done = completed_dialogues(folder.journal)
    unjudged = done - judged_dialogues(folder.journal, jury_id)
    return (
        sum(_planned_dialogues(folder).values()),
        done,
        unjudged,
        settled_dialogues(folder.journal, jury_id, unjudged),
    )


def _lacking(dialogues: Set[str], *, among: str) -> str:
    return counted(len(dialogues), f"{among}dialogue lacks", f"{among}dialogues lack")


def _planned_dialogues(folder: RunFolder) -> dict[str, int]:
    """How many dialogues a complete run has of each model: fewer than its grid, where a rule has stopped it."""
    preset = folder.manifest["preset"]
    grid = len(folder.manifest["concepts"]) * len(preset["levels"]) * preset["samples"]
    interim_analyses = read_interim_analyses(folder.journal, folder.manifest)
    ended = {model: interim.asked for model, interim in interim_analyses.items() if interim.ended}
    return {model: ended.get(model, grid) for model in shown_models(folder.manifest)}
