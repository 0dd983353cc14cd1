"""What a reader must know first of how results were read: what was left out or is in doubt, and if lower is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from voirdire.documents.document import Block, Document, Text, hint
from voirdire.errors import shown
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.formats import Unread
from voirdire.evaluation.model_names import alike
from voirdire.evaluation.records import Evaluation
from voirdire.text.counting import counted

_MOST_NAMED = 3
_DOUBTS = (
    "evaluation_unread_scores",
    "evaluation_decimals_or_thousands",
    "evaluation_taken_for_decimals",
    "evaluation_exchanged",
    "evaluation_summary_rows",
    "evaluation_ids_of_several",
    "evaluation_no_output_column",
    "evaluation_unread_verdicts",
    "evaluation_higher_though_named",
)
_FILES = (
    *("evaluation_judges_of_files", "evaluation_no_judge_named"),
    *("evaluation_models_of_files", "evaluation_no_model_named", "evaluation_join_none"),
)
_DIRECTIONS = ("evaluation_lower_by_name", "evaluation_lower_as_told", "evaluation_lower_in_file")


def left_out(audit: Audit) -> str:
    """That result files could not be read, as the end of a sentence; nothing where all could."""
    share = share_left_out(audit.evaluations, audit.unread)
    return f"; {share}" if share else ""


def share_left_out(evaluations: Sequence[Evaluation], unread: Sequence[Unread]) -> str:
    """How many result files could not be read, of how many; nothing where all could. No full stop."""
    damaged = sum(each.damaged for each in unread)
    if not damaged:
        return ""
    read = {source.path for each in evaluations for source in each.files}
    return f"{damaged} of {counted(damaged + len(read), 'result file')} could not be read"


def not_read(unread: Sequence[Unread]) -> Iterator[Text]:
    """The gravest files that were not read, each with why; how many others there are."""
    explained = sorted((each for each in unread if each.why_not), key=lambda each: not each.damaged)[:_MOST_NAMED]
    yield from (Text(f"Not read: {each.why_not}", "warn" if each.damaged else "quiet") for each in explained)
    rest = len(unread) - len(explained)
    if rest:
        more = "more file was" if rest == 1 else "more files were"
        others = f"{rest:,} {more}" if explained else counted(rest, "file was", "files were")
        yield hint(f"{others} not read; ", " says which.")


def directions(evaluations: Sequence[Evaluation]) -> Iterator[Text]:
    """Of which evaluations lower scores are better, and how that is known."""
    for each in evaluations:
        notes = [note for note in each.notes if note.code in _DIRECTIONS]
        where = f"{each.name}: " if len(evaluations) > 1 else ""
        yield from (Text(f"{where}{note.sentence}") for note in notes[:1])


def joined_files(evaluations: Sequence[Evaluation]) -> Iterator[Text]:
    """Which files were read as one evaluation of several models or by several judges, and which may be one."""
    notes = dict.fromkeys(note for each in evaluations for note in each.notes if note.code in _FILES)
    yield from (Text(note.sentence) for note in notes)


def doubts(evaluations: Sequence[Evaluation]) -> Iterator[Text]:
    """What may not have been read as it is meant: scores, columns, names of models that look alike."""
    notes = dict.fromkeys(note for each in evaluations for note in each.notes if note.code in _DOUBTS)
    yield from (Text(note.sentence, "warn") for note in notes)
    groups = alike(dict.fromkeys(model for each in evaluations for model in each.models))
    for group in groups[:_MOST_NAMED]:
        names = " and ".join(map(shown, group))
        why = "names differ in case, spaces or signs that don't show"
        yield Text(f"The models {names} may be one, counted as {len(group)}: their {why}.", "warn")


def with_reading(
    document: Document, evaluations: Sequence[Evaluation], unread: Sequence[Unread], *more: Block
) -> Document:
    """A document with what its reader must know first below its first sentence."""
    share = share_left_out(evaluations, unread)
    left = [Text(f"{share}: voirdire audit says why.", "warn")] if share else []
    first, *others = document.sections
    blocks = (*first.blocks[:1], *left, *joined_files(evaluations), *doubts(evaluations), *more, *first.blocks[1:])
    return replace(document, sections=(replace(first, blocks=blocks), *others))


def turned(evaluations: Sequence[Evaluation]) -> list[Text]:
    """Of which evaluations lower scores are better, and what that does to differences."""
    blocks = [*directions(evaluations)]
    return (
        [*blocks, Text("Differences are turned: above 0, the first of two models is better.", "quiet")]
        if blocks
        else []
    )
