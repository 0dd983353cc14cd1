"""What `voirdire detect -o` has written, read again: sentences with their scores, by answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from voirdire.cognibench.detection_writer import COLUMNS
from voirdire.cognibench.formats import BadEntriesError, Entry, TakenIds, answers_of, ignore, iter_entries, read_entries
from voirdire.cognibench.formats.entries import ANSWERS, passages_of
from voirdire.cognibench.formats.other_tools import MAPPED, own_fields
from voirdire.cognibench.records import CognibenchError
from voirdire.data.manifests import manifest_of, manifest_place, sha256
from voirdire.detectors.records import Answer
from voirdire.reason_codes import Reason, declare, reason

Sentence = Mapping[str, Any]
_ENDINGS = (".jsonl", ".ndjson", ".parquet")
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "sentence": str,
    "start": int,
    "end": int,
    "score": (int, float, type(None)),
    "flagged": bool,
}
_UNKNOWN = "so that question and context of its sentences are unknown"
declare(
    {
        "detected_no_manifest": "beside {path} there is no {manifest}, which says what detect read, " + _UNKNOWN,
        "detected_no_answers": "beside {path} there is no {source} as detect read it, " + _UNKNOWN,
    }
)


def is_detected(path: Path) -> bool:
    """Whether a file's first line or row is such a sentence."""
    if not path.is_file() or path.suffix.lower() not in _ENDINGS:
        return False
    try:
        first = next(iter(read_entries(path)), None)
    except CognibenchError:
        return False
    return first is not None and _is_sentence(first.fields)


def sentences_of(path: Path) -> dict[str, list[Sentence]]:
    """The sentences of each answer, in their order, by the answer's id.

    Raises:
        CognibenchError: the file can't be read, or a line is no such sentence.
    """
    results: dict[str, list[Sentence]] = {}
    for entry in read_entries(path):
        fields = {"score": None, "reasons": [], **entry.fields}  # Parquet leaves out what has no value
        if not _is_sentence(fields):
            raise CognibenchError(f"{entry.where}: a sentence as voirdire detect -o writes it is expected.")
        results.setdefault(str(fields["id"]), []).append(fields)
    return results


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file of answers, and how it is read."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    """By our name, the name in the file, as for `own_fields`."""
    skip_bad: bool = False
    """Entries that can't be used are left out."""

    def answers(self, unanswered: Callable[[str], None] | None = None) -> Iterator[tuple[Answer, list[str]]]:
        """Each answer under an id of its own, as `detect` names it, and the passages of its context.

        Args:
            unanswered: is told the number of each entry whose answer is empty; without it, such an entry can't be used.

        Raises:
            BadEntriesError: an entry can't be used.
        """
        names = TakenIds(ignore)
        for entry in iter_entries(self.path):
            if not isinstance(entry, Entry):
                yield entry, [entry.context]
                continue
            try:
                answers = answers_of(entry, columns=self.columns)
            except BadEntriesError:
                if unanswered is not None and _is_unanswered(own_fields(entry.fields, self.columns)):
                    unanswered(f"row {entry.number}")
                elif not self.skip_bad:
                    raise
                continue
            passages = passages_of(own_fields(entry.fields, self.columns)).texts
            yield from ((names.own(answer), _known_by(answer, passages)) for answer in answers)


def _known_by(answer: Answer, passages: Sequence[str]) -> list[str]:
    """Those of a chat's passages that an answer could rest on: the first ones, which make its context."""
    known, length = [], 0
    for each in passages:
        if length >= len(answer.context):
            break
        known.append(each)
        length += len(each) + len("\n\n")
    return known


def _is_unanswered(fields: Mapping[str, Any]) -> bool:
    """Whether there is a field for an answer, and nothing in it."""
    given = [fields[name] for name in ANSWERS if name in fields]
    return bool(given) and all(each is None or each == "" for each in given)


def origin_of(path: Path, answers: Path | None = None) -> AnswerFile | None:
    """The file that `detect` has read, and how, where it still stands beside what was written, or here, as it was.

    Args:
        path: of what it has written.
        answers: where that file stands now, if that is known.
    """
    manifest = manifest_of(path)
    if manifest is None:
        return None if answers is None else AnswerFile(answers)
    content = manifest.content
    columns = content.get("columns")
    named = {str(own): str(name) for own, name in columns.items()} if isinstance(columns, Mapping) else {}
    read = AnswerFile(
        path,
        {own: name for own, name in named.items() if own in MAPPED},
        content.get("skip_bad") is True,
    )
    if answers is not None:
        return replace(read, path=answers)
    name, digests = str(content.get("source", "")), content.get("sha256", {})
    for folder in (path.parent, Path()):
        file = folder / Path(name).name
        if name and file.is_file() and isinstance(digests, Mapping) and digests.get(file.name) == sha256(file):
            return replace(read, path=file)
    return None


def unknown_origin(path: Path) -> Reason | None:
    """Why the file that `detect` has read is not found without its name; `None` where it is."""
    if origin_of(path) is not None:
        return None
    manifest = manifest_of(path)
    if manifest is None:
        return reason("detected_no_manifest", manifest=manifest_place(path).name, path=str(path))
    return reason("detected_no_answers", source=Path(str(manifest.content.get("source", ""))).name, path=str(path))


def _is_sentence(fields: Mapping[str, Any]) -> bool:
    fields = {"score": None, "reasons": [], **fields}
    typed = all(isinstance(fields.get(name), kind) for name, kind in _KINDS.items())
    return typed and fields.keys() >= set(COLUMNS) and not isinstance(fields["start"], bool)


def marked_within(text: str, sentence: Sentence) -> str:
    """An answer with one of its sentences in [[ ]]."""
    start, end = sentence["start"], sentence["end"]
    return f"{text[:start]}[[{text[start:end]}]]{text[end:]}"


def put_together(sentences: Sequence[Sentence]) -> str:
    """An answer from its sentences, with spaces between them."""
    text = ""
    for each in sorted(sentences, key=lambda each: int(each["start"])):
        text += " " * (each["start"] - len(text)) + each["sentence"]
    return text
