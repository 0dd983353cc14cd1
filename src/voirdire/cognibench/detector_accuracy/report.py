"""What `voirdire cognibench bench` shows: detectors beside the baselines, and how far to trust the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from voirdire.cognibench.detector_accuracy.records import COGNITIVE_GOLD, LATER_TURNS, Bench, BenchRow
from voirdire.cognibench.scoring import ENDS
from voirdire.detectors.records import Label, type_of
from voirdire.detectors.report import not_flagged
from voirdire.documents.cells import UNDEFINED, cautions, number, number_ends, plain_table, text
from voirdire.documents.document import Block, Cell, Column, Document, Section, Table, Text, document, folded, more
from voirdire.text.counting import counted

_FEW_GROUPS = 10
_ALARMS: tuple[Label, ...] = ("faithful", "reliable", "irrefutable", "speculative", "irrelevant")
_TYPES = ("factual", "cognitive")
_UNDECIDED = "undecided: labels are missing that could turn the verdict."


def bench_document(result: Bench) -> Document:
    """F1, its parts by type, false alarms, contradictions, and differences."""
    sections = [_f1(result), _separation(result), *([_types(result)] if _has_types(result) else []), _alarms(result)]
    sections += [_contradictions(result)] if any(row.contradiction for row in result.rows) else []
    sections += [_differences(result)] if result.pairs else []
    return document(
        Text(_best(result), "strong"),
        *cautions(list(_cautions(result))),
        more("Precision and recall in words, AUROC in sentences, false alarms and contradictions", _short(result)),
        *folded((Section("data", "", (Text(_data(result)), Text(_baseline(result)))), *sections)),
    )


def _best(result: Bench) -> str:
    """Which detector has the highest F1, and how far above flagging every sentence."""
    rows = [row for row in _rows(result) if not row.baseline] or _rows(result)
    best = max(rows, key=lambda row: row.figures["overall"].score.f1 or 0)
    figure, everything = (row.figures["overall"] for row in (best, result.row("everything")))
    reach = f"95 % interval {number_ends(figure.interval)}" if figure.interval else "no interval"
    f1, all_flagged = figure.score.f1 or 0, everything.score.f1 or 0
    shown, flagging = _score(figure.score.f1).shown, _score(everything.score.f1).shown
    if f1 <= all_flagged and not best.baseline:
        first = f"No detector beats flagging every sentence, which has an F1 of {flagging}: the best is {best.name}"
        only = f"{best.name} does not beat flagging every sentence, which has an F1 of {flagging}: its own is"
        return f"{first}, with {shown} ({reach})." if len(rows) > 1 else f"{only} {shown} ({reach})."
    first = "has the highest F1, " if len(rows) > 1 else "has an F1 of "
    return f"{best.name} {first}{shown} ({reach}), where flagging every sentence has {flagging}."


def _short(result: Bench) -> Table:
    def cells(row: BenchRow) -> Iterable[Cell]:
        yield _score(row.figures["overall"].score.f1)
        yield text(number_ends(row.figures["overall"].interval))

    return _table("f1-overall", result, (Column("f1", "F1, in words", numeric=True), "95 % interval"), cells)


def _has_types(result: Bench) -> bool:
    """Whether there are both factual and cognitive statements: labels of right and wrong alone know no types."""
    return {type_of(label) for label in result.labels} >= set(_TYPES)


def _rows(result: Bench) -> list[BenchRow]:
    """The detectors, then the baselines that these data have a use for."""
    idle = set()
    if result.n_answers == result.n_dialogues:
        idle.add(LATER_TURNS)
    if "cognitive" not in {type_of(label) for label in result.labels}:
        idle.add(COGNITIVE_GOLD)
    return sorted((row for row in result.rows if row.name not in idle), key=lambda row: row.baseline)


def _data(result: Bench) -> str:
    settings = result.settings
    of = "in statements that claim something " if result.n_small_talk else ""
    parts = [
        f"{counted(result.n_statements, 'labelled statement')} in {counted(result.n_answers, 'answer')} "
        f"of {counted(result.n_dialogues, 'dialogue')} on {counted(result.n_groups, 'context')}; "
        f"{result.hallucinated_words:.1%} of the words {of}are hallucinated "
        f"(required: {settings.require}; history: {settings.history})."
    ]
    if result.n_excluded:
        parts.append(f"Left out, because prompts show them: {counted(result.n_excluded, 'answer')}.")
    parts += not_flagged(result.n_small_talk, result.n_header_rows)
    return " ".join(parts)


def _baseline(result: Bench) -> str:
    overall, factual, cognitive = (
        _score(result.row("everything").figures[name].score.f1).shown for name in ("overall", *_TYPES)
    )
    by_type = f" (factual {factual}, cognitive {cognitive})" if _has_types(result) else ""
    return (
        f"Flagging every sentence has an overall F1 of {overall}{by_type}: a detector counts by what it adds to the "
        "baselines."
    )


def _cautions(result: Bench) -> Iterator[str]:
    yield from result.notes
    for name, why in result.skipped.items():
        yield f"{name} is left out: it can't be cross-validated on these labels. {why}"
    for row in result.rows:
        if row.in_sample:
            yield (
                f"{row.name} is IN-SAMPLE: it saw {row.trained_on:,} of {counted(result.n_answers, 'answer')}. "
                f"{_way(row)}"
            )
        if row.source == "out-of-fold":
            yield f"{row.name}: out of fold. Its speed and contradictions are those of the model as opened."
        if row.missing:
            ends = " At worst and at best: all of them labelled wrongly, or rightly." if row.could_be else ""
            yield f"{row.name}: {counted(row.missing, 'statement')} without a score, taken as not flagged.{ends}"
    if result.n_groups < _FEW_GROUPS:
        yield f"Few contexts ({result.n_groups}): intervals are wide, and uncertain themselves."


def _way(row: BenchRow) -> str:
    """What an in-sample row means, and whether there is a way out."""
    what = "Its figures, and those by predicted type, are" if row.name == "type" else "Its figures are"
    way = "; --cross-validate gives fair ones" if row.name in ("type", "lexical-learned") else ""
    return f"{what} too good{way}."


def _f1(result: Bench) -> Section:
    parts = ("macro", *_TYPES) if _has_types(result) else ()

    def cells(row: BenchRow) -> Iterable[Cell]:
        overall = row.figures["overall"]
        rest = [row.figures[name].score.f1 for name in parts]
        yield _score(overall.score.f1)
        yield text(number_ends(overall.interval))
        yield from map(_score, (overall.score.precision, overall.score.recall, *rest))

    heads = ("overall", "interval", "precision", "recall", *parts)
    blocks: list[Block] = [_table("f1", result, heads, cells)]
    values = (value for row in _rows(result) for name in ("overall", *parts) for value in row.figures[name].score)
    if any(value is None for value in values):
        nothing = "nothing is flagged, or no statement of the kind is hallucinated or flagged"
        blocks.append(_dash(f"nothing to count: {nothing}"))
    title = f"F1, in words, with the 95 % interval of the overall one ({result.settings.method} over contexts)"
    return Section("f1", title, tuple(blocks), short="F1")


def _separation(result: Bench) -> Section:
    def cells(row: BenchRow) -> Iterable[Cell]:
        outcome = row.separation
        yield _score(outcome.auroc)
        yield text(number_ends(outcome.auroc_interval))
        yield _score(outcome.balanced_accuracy)

    heads = ("AUROC", "interval", Column("balanced", "balanced\naccuracy", numeric=True))
    blocks: list[Block] = [_table("separation", result, heads, cells)]
    if any(row.separation.auroc is None for row in _rows(result)):
        blocks.append(_dash("its scores say yes or no alone, or all statements are of one kind"))
    title = "By sentence, whatever the threshold (AUROC: 0.5 is chance, 1 tells all apart) and at it"
    return Section("separation", title, tuple(blocks), short="By sentence")


def _types(result: Bench) -> Section:
    def cells(row: BenchRow) -> Iterable[Cell]:
        for name in _TYPES:
            score = row.figures[name].score
            yield from map(_score, (score.precision, score.recall))
        for name in ("macro", *_TYPES):
            yield _score(row.by_predicted[name].score.f1 if row.by_predicted else None)

    labels = {
        "factual_precision": "factual\nprecision",
        "factual_recall": "\nrecall",
        "cognitive_precision": "cognitive\nprecision",
        "cognitive_recall": "\nrecall",
        "predicted_macro": "predicted\nmacro",
        "predicted_factual": "\nfactual",
        "predicted_cognitive": "\ncognitive",
    }
    heads = [Column(key, label, numeric=True) for key, label in labels.items()]
    title = "By type of statement: its label's, and F1 by the predicted one"
    return Section("types", title, (_table("types", result, heads, cells),), short="By type")


def _alarms(result: Bench) -> Section:
    labels = [label for label in _ALARMS if label in result.rows[0].false_alarms and result.labels.get(label)]

    def cells(row: BenchRow) -> Iterable[Cell]:
        yield from (_percent(row.false_alarms[label]) for label in labels)
        yield _speed(row.sentences_per_s)

    heads = (*(f"{label}\n({result.labels[label]:,})" for label in labels), "sentences\nper second")
    title = "False alarms: share of the words flagged in statements that are no hallucination"
    return Section("alarms", title, (_table("alarms", result, heads, cells),), short="False alarms")


def _contradictions(result: Bench) -> Section:
    rates, cases = next((row.contradiction, row.cases) for row in result.rows if row.contradiction and row.cases)

    def cells(row: BenchRow) -> Iterable[Cell]:
        own = row.contradiction or {}
        return [*(_percent(own.get(kind)) for kind in rates), _percent(row.controls)]

    heads = (Column(kind, f"{kind}\n({cases[kind]:,})", numeric=True) for kind in rates)
    blocks: list[Block] = [_table("contradictions", result, (*heads, "untouched"), cells)]
    lacking = [kind for kind, rate in rates.items() if rate is None]
    if lacking:
        blocks.append(_dash(f"no faithful statement has a {' or '.join(lacking)} to change"))
    title = "Contradictions: share flagged of faithful statements with one thing changed"
    return Section("contradictions", title, tuple(blocks), short="Contradictions")


def _differences(result: Bench) -> Section:
    """Named detectors against one another and against the best baseline."""
    baselines = [row for row in _rows(result) if row.baseline]
    best = max(baselines, key=lambda row: row.figures["overall"].score.f1 or 0.0).name
    others = {row.name for row in result.rows if row.baseline} - {best}
    unlabelled = any(row.could_be for row in result.rows)
    rows: list[tuple[Cell | str, ...]] = []
    for pair in result.pairs:
        if pair.other in others:
            continue
        outcome = pair.figures["overall"]
        difference, interval, could_be = outcome
        ends = UNDEFINED if interval is None else f"{interval.low:+.3f} to {interval.high:+.3f}"
        verdict = "not settled by these data" if outcome.verdict == "not settled" else outcome.verdict
        reach = "" if could_be is None else " to ".join(_signed(each.difference) for each in could_be)
        reaches = [reach] if unlabelled else []
        rows.append((f"{pair.one} − {pair.other}", Cell(difference, _signed(difference)), ends, *reaches, verdict))
    heads = ("", "difference", "interval", *(["if all had labels"] if unlabelled else []), "verdict")
    table = plain_table("differences", heads, rows, numbers=len(heads) - 2)
    title = "Is one better? Differences of overall F1 on the same statements"
    undecided = [Text(_UNDECIDED, "quiet")] if any(row[-1] == "undecided" for row in rows) else []
    return Section("differences", title, (table, *undecided), short="Differences")


def _table(id: str, result: Bench, heads: Sequence[str | Column], cells: Callable[[BenchRow], Iterable[Cell]]) -> Table:
    """The detectors, then the baselines."""
    rows: list[tuple[Cell, ...]] = []
    for row in _rows(result):
        rows.append((_name(row), *cells(row)))
        rows += [(text(f"… {end}"), *cells(each)) for end, each in zip(ENDS, row.could_be or (), strict=False)]
    return plain_table(id, ("", *heads), rows)


def _name(row: BenchRow) -> Cell:
    return text(row.name, "quiet" if row.baseline else "strong")


def _dash(what: str) -> Text:
    return Text(f"{UNDEFINED}: {what}.", "quiet")


def _score(value: float | None) -> Cell:
    return number(value, 3)


def _signed(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:+z.3f}"


def _percent(value: float | None) -> Cell:
    return Cell(value, UNDEFINED if value is None else f"{value:.0%}")


def _speed(value: float | None) -> Cell:
    formatted = UNDEFINED if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:,.3g}"
    return Cell(value, formatted)
