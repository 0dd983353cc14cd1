"""What `voirdire detectors` shows: the kinds there are, a threshold that was chosen, a training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.detectors.scoring import GUESS, SCORE_DECIMALS
from voirdire.documents.cells import cautions, count, number, plain_table, text
from voirdire.documents.document import Block, Cell, Document, Section, Text, detail, document, more
from voirdire.text.counting import counted, percent, tenths
from voirdire.text.smalltalk import SMALL_TALK

if TYPE_CHECKING:
    from voirdire.detectors.training.chats import CogniDetPlan
    from voirdire.detectors.training.pairs import EncoderPlan
    from voirdire.detectors.training.records import CogniDetOptions, EncoderOptions, TrainedDetector

_SCORES = ("precision", "recall", "f1")


def kinds_document(kinds: Sequence[Mapping[str, Any]]) -> Document:
    """The detectors that can be named, and what each needs."""
    rows = (
        (
            each["name"] if each["model"] is None else f"{each['name']}:{each['model']}",
            each["says"],
            "" if each["needs"] is None else f"voirdire[{each['needs']}]",
        )
        for each in kinds
    )
    return document(plain_table("detectors", ("detector", "flags", "needs"), rows, numbers=0))


def not_flagged(small_talk: int, header_rows: int) -> Iterator[str]:
    """How many labelled sentences claim nothing, and how many labelled pieces are no sentences, where there are any."""
    if small_talk:
        yield (
            f"{counted(small_talk, 'sentence is', 'sentences are')} small talk ({SMALL_TALK}), which is never flagged."
        )
    if header_rows:
        yield f"Not counted: {counted(header_rows, 'heading or header row')} of tables."


def calibration_document(result: Mapping[str, Any]) -> Document:
    """The threshold of `voirdire detectors calibrate`, and what it is worth."""
    advice, chosen = result["recommendation"], result["fold_thresholds"]
    heads = ("", "threshold", "precision", "recall", "F1", "95 % interval of F1")
    rows = (
        _score_row("as opened", result["own"], result["own_threshold"]),
        _score_row("chosen, on the same answers", result["chosen"]["in_sample"], result["chosen"]["threshold"]),
        _score_row(
            "chosen without the answers judged",
            result["cross_validated"],
            None,
            _ends(result["interval"]) or "not computed",
        ),
        _score_row("every sentence flagged", result["everything"]),
    )
    counts = [
        f"{counted(result['n_statements'], 'sentence')} of {counted(result['n_groups'], 'context')}, "
        f"{result['n_hallucinated']:,} of them hallucinated (--require {result['require']}).",
        *not_flagged(result["n_small_talk"], result["n_header_rows"]),
    ]
    if advice["threshold"] is None:
        verdict = f"{result['worthless']['text']}."
        explanation: tuple[str, ...] = (_further(result),)
    else:
        option = f"--threshold {_threshold(advice['threshold'])}"
        name, by = result["detector"], result["objective"].replace("f1", "F1")
        own, held_out = (number(result[each]["f1"], 3).shown for each in ("own", "cross_validated"))
        held_out += f" (95 % interval {_ends(result['interval']) or 'not computed'})"
        verdict = (
            f"Keep {option}, the default of {name}: its F1 is {own}, where a threshold chosen anew by {by} has "
            f"{held_out} on answers held out."
            if advice["which"] == "own"
            else f"Use {option} for {name}, chosen by {by}: on answers held out its F1 is {held_out}."
        )
        if advice["doubt"] is not None:
            until = (
                f"Until you label more, keep {option}, the default of {name}."
                if advice["which"] == "own"
                else f"By {by}, the best for {name} on these is {option}."
            )
            verdict = f"{advice['doubt']['text']}. {until}"
        explanation = tuple(f"{each['text']}." for each in advice["reasons"])
        counts.append(f"{option} flags {tenths(result['flagged'])} of the scored sentences, as detect counts them.")
    return document(
        Text(" ".join([verdict, *_flag_counts(result)]), "strong"),
        *_auroc(result),
        Text(
            "F1, precision and recall count words, so a long sentence weighs more. The other figures count sentences."
        ),
        Section("cautions", "", cautions(result["remarks"])),
        *([] if result["probabilities"] is None else [_probabilities(result["probabilities"])]),
        more("Every threshold's precision and recall, and what the choice rests on"),
        detail(
            "thresholds",
            *map(Text, explanation),
            plain_table("thresholds", heads, rows),
            _flag_table(result),
            Text(" ".join(counts)),
            Text(f"Without one fold the choice lies between {_threshold(min(chosen))} and {_threshold(max(chosen))}."),
        ),
    )


def _flag_counts(result: Mapping[str, Any]) -> Iterator[str]:
    """What is flagged in plain numbers, and how often a flag is right: here, and where errors are rare."""
    advice, counts = result["recommendation"], result["flag_counts"]
    own = advice["which"] == "own"
    yield _flags(_DEFAULT if own else _CHOSEN, counts)
    if counts["usual_precision"] is not None:
        errors = counts["wrong"] / (counts["wrong"] + counts["right"])
        here, usual = _span(result["precision_interval"], "95 % interval "), _span(result["usual_precision_interval"])
        yield (
            f"Of what it flags, {percent(counts['precision'])}{here} is wrong here, where {percent(errors)} of "
            f"sentences are wrong; where {percent(counts['usual_errors'])} are, "
            f"{percent(counts['usual_precision'])}{usual} would be{_rests_on_few(counts)}."
        )
    other = result["own_flags"]
    if advice["threshold"] is None and not own and other["usual_precision"] is not None:
        yield (
            f"{_flags(_DEFAULT, other)} Where {percent(other['usual_errors'])} are wrong, "
            f"{percent(other['usual_precision'])} of what it flags would be{_rests_on_few(other)}."
        )


_DEFAULT, _CHOSEN = "The default", "On answers held out, a threshold chosen anew"


def _flags(which: str, counts: Mapping[str, int]) -> str:
    return (
        f"{which} finds {counts['hits']:,} of {counted(counts['wrong'], 'wrong sentence')} and flags "
        f"{counts['false_alarms']:,} of {counts['right']:,} right ones."
    )


def _flag_table(result: Mapping[str, Any]) -> Block:
    """What each threshold flags, counted in sentences."""
    usual = percent(result["own_flags"]["usual_errors"])
    heads = ("sentences", "wrong, flagged", "right, flagged", "precision", f"where {usual} are wrong")
    rows = (
        (
            name,
            f"{counts['hits']:,} of {counts['wrong']:,}",
            f"{counts['false_alarms']:,} of {counts['right']:,}",
            *("" if value is None else percent(value) for value in (counts["precision"], counts["usual_precision"])),
        )
        for name, counts in (
            ("as opened", result["own_flags"]),
            ("chosen without the answers judged", result["held_out_flags"]),
        )
    )
    return plain_table("flags", heads, rows)


def _span(interval: Mapping[str, float] | None, name: str = "") -> str:
    """The interval of a share, in brackets."""
    return "" if interval is None else f" ({name}{percent(interval['low'])} to {percent(interval['high'])})"


def _rests_on_few(counts: Mapping[str, int]) -> str:
    """What a share says that one flag more or less would change much."""
    few = [
        counted(number, name)
        for number, name in ((counts["hits"], "find"), (counts["false_alarms"], "false alarm"))
        if number < _FEW
    ]
    return f", but that rests on only {' and '.join(few)}" if few else ""


def _auroc(result: Mapping[str, Any]) -> Iterator[Text]:
    """Whether the scores tell anything, whatever the threshold."""
    detector, value, interval = (result[each] for each in ("detector", "auroc", "auroc_interval"))
    if value is None:
        return
    if interval is not None and interval["high"] < GUESS:
        says = f"The scores of {detector} are higher for supported sentences than for unsupported ones"
    elif _tells(interval):
        says = f"The scores of {detector} tell unsupported sentences from supported ones"
    elif value >= _HIGH:
        labels = f"{counted(result['n_statements'], 'label')} in {counted(result['n_groups'], 'context')}"
        says = (
            f"{labels} are too few to show that the scores of {detector} tell unsupported sentences from supported ones"
        )
    else:
        says = f"Nothing shows that the scores of {detector} tell unsupported sentences from supported ones"
    ends = _ends(interval) or "no interval"
    yield Text(f"{says}: AUROC {value:.3f} ({ends}), whatever the threshold; an AUROC of {GUESS} is chance.")


_FEW = 10
"""Flags, below which how many there are is mostly chance."""
_HIGH = 0.7
"""An AUROC so high that labels are too few where its interval still holds a guess."""


def _tells(interval: Mapping[str, float] | None) -> bool:
    return interval is not None and interval["low"] > GUESS


def _further(result: Mapping[str, Any]) -> str:
    """What to do where no threshold is recommended."""
    if not _tells(result["auroc_interval"]):
        is_high = result["auroc"] is not None and result["auroc"] >= _HIGH
        return "Label more answers." if is_high else "Try another detector, or label more answers."
    own = _threshold(result["own_threshold"])
    return f"Label more answers to settle a threshold. Until then read the highest scores first; the default is {own}."


def encoder_plan_document(plan: EncoderPlan, options: EncoderOptions) -> Document:
    """What a training of an encoder will do."""
    judged = (
        f"{options.folds} trainings to judge it by {options.folds}-fold cross-validation, then one on everything"
        if options.folds
        else f"one training on {counted(plan.train_pairs, 'pair')}, judged on {plan.held_out_pairs:,} of other groups"
    )
    return _lines(
        f"{counted(plan.pairs, 'pair')} of context and sentence, {plan.unsupported:,} of them unsupported, in "
        f"{counted(plan.groups, 'group')}: {judged}.",
        f"{counted(plan.steps, 'step')} of {counted(options.batch_size, 'pair')}, {counted(options.epochs, 'epoch')}, "
        f"base {options.base}.",
    )


def cognidet_plan_document(plan: CogniDetPlan, options: CogniDetOptions) -> Document:
    """What a training of a generative detector will do."""
    skipped = {
        "a sentence without a label": plan.incomplete,
        f"over {options.max_length:,} tokens": plan.too_long,
    }
    left_out = [f"{number:,} ({reason})" for reason, number in skipped.items() if number]
    learns = "all of them" if options.method == "full" else f"{plan.trainable:,} of an adapter"
    return _lines(
        f"{counted(plan.examples, 'answer')} to learn from, {plan.clean:,} of them without a hallucination; "
        f"{plan.held_out:,} put aside to judge by. Left out: {'; '.join(left_out) or 'none'}.",
        f"{plan.tokens:,} tokens an epoch, {plan.longest:,} in the longest example. {counted(plan.steps, 'step')} of "
        f"{counted(options.batch_size * options.gradient_accumulation, 'answer')} in "
        f"{counted(options.epochs, 'epoch')}, on one device.",
        f"{plan.parameters:,} parameters of {options.base}; {learns} learn.",
        f"About {plan.gigabytes:,.1f} GB of memory for weights, gradients, optimizer and checkpointed activations; "
        "frameworks take some more.",
    )


def trained_document(trained: TrainedDetector) -> Document:
    """A detector that was trained."""
    losses = ", ".join(f"{loss:.3f}" for loss in trained.losses)
    return document(
        *_evaluation_blocks(trained),
        Text(f"Mean loss of each epoch: {losses}. {trained.seconds:,.0f} s."),
        Text(
            f"{trained.kind}:{trained.folder} can be named wherever a detector is; "
            f"its model card is {trained.folder}/README.md."
        ),
        *cautions([trained.note] if trained.note else []),
    )


def learned_document(trained: Mapping[str, Any]) -> Document:
    """What came of training the small model."""
    figures, data = trained["figures"], trained["data"]
    interval = figures["interval"]
    ends = "undefined" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
    folds = counted(figures["folds"], "fold")
    spread = (
        f"{folds} ({figures['f1_lowest_dealing']:.3f} to {figures['f1_highest_dealing']:.3f} as the folds are dealt "
        f"anew {figures['dealings']} times)"
        if figures["dealings"] > 1
        else f"{folds}, one for each context"
    )
    low, high = figures["gain_interval"]
    return _lines(
        f"Trained in {trained['seconds']:.0f} s on {counted(data['statements'], 'labelled sentence')} of "
        f"{counted(data['answers'], 'answer')} about {data['groups']:,} contexts, {data['hallucinated']:,} of them "
        f"hallucinated (--require {data['require']}).",
        f"F1, in words, on contexts it was not trained on: {figures['f1_mean_of_folds']:.3f}, the mean of {spread}. "
        f"Pooled {figures['f1_pooled']:.3f}, 95 % interval {ends}.",
        f"Flagging every sentence has F1 {figures['f1_everything']:.3f}: the detector has {figures['gain']:+.3f} more "
        f"({low:+.3f} to {high:+.3f}){'' if low > 0 else ', and is not shown to be worth using'}.",
        f"Threshold {trained['threshold']:.3f}. The model card is {trained['folder']}/README.md; "
        f"use it: voirdire detect FILE --detector {trained['kind']}:{trained['folder']}",
    )


def _lines(*lines: str) -> Document:
    return document(*map(Text, lines))


def _threshold(threshold: float) -> str:
    """With as many decimals as count: what is printed does what the table says."""
    whole, _, decimals = f"{threshold:.{SCORE_DECIMALS}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(3, '0')}"


def _score_row(
    name: str, score: Mapping[str, Any], threshold: float | None = None, interval: str = ""
) -> tuple[Cell, ...]:
    cell = text("") if threshold is None else Cell(threshold, _threshold(threshold))
    return (text(name), cell, *(number(score[each], 3) for each in _SCORES), text(interval))


def _ends(interval: Mapping[str, Any] | None) -> str:
    return "" if interval is None else f"{interval['low']:.3f} to {interval['high']:.3f}"


def _probabilities(result: Mapping[str, Any]) -> Section:
    before, after = result["before"]["error"], result["after"]["error"]
    rows = (
        (f"{row['low']:.1f} to {row['high']:.1f}", count(row["n"]), number(row["predicted"]), number(row["observed"]))
        for row in result["after"]["bins"]
        if row["n"]
    )
    worth = "" if result["better"] else " The map makes them no better: take the scores as they are."
    sentence = (
        f"Expected calibration error ({result['map']['method']}): {before:.3f} as they are, {after:.3f} mapped, each "
        f"fold by a map fitted without it.{worth}"
    )
    table = plain_table("probabilities", ("probability", "sentences", "predicted", "observed"), rows)
    return Section("probabilities", "Scores as probabilities", (Text(sentence), table))


def _evaluation_blocks(trained: TrainedDetector) -> Iterator[Block]:
    if trained.figures is None:
        return
    figures = trained.figures
    heads = ("judged on", "sentences", "precision", "recall", "F1", "95 % interval", "threshold")
    own, everything = ([number(figures[name][each], 3) for each in _SCORES] for name in ("score", "everything"))
    judged_on = counted(figures["n_groups"], "other group")
    yield plain_table(
        "judged",
        heads,
        (
            (judged_on, count(figures["n_statements"]), *own, _ends(figures["interval"]), number(trained.threshold, 3)),
            ("flagging all of them", "", *everything, "", ""),
        ),
    )
