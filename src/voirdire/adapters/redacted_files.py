"""The files that a run keeps beside its journal, cleaned text by text."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data import untrusted
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.json_values import as_object
from voirdire.data.parquet import open_parquet, open_writer
from voirdire.data.paths import set_paths
from voirdire.documents.cells import count, text
from voirdire.documents.document import Block, Column, Document, Table, Text, document
from voirdire.instruments import instrument_of
from voirdire.reason_codes import Reason, declare
from voirdire.runs.redaction_texts import KINDS, Cleaner, RedactError
from voirdire.runs.untrusted import is_sha256

declare({"nothing_judged": "The run is not complete: nothing is judged, so that there are no figures of {models:few}."})

_LONGEST = 16_000_000
"""Bytes of a text that is named by its hash."""


def clean_files(run: Path, out: Path, manifest: dict[str, Any], clean: Cleaner) -> list[str]:
    """Copy what the run keeps, cleaned; hashes of what has changed are those of the copy, in the manifest too.

    Returns:
        The names of what was copied, relative to the folder.
    """
    described = instrument_of(str(manifest.get("instrument")))
    copied = [name for field in described.hash_fields for name in _hashed(run, out, manifest, field, clean)]
    named = [manifest[field] for field in described.text_fields if isinstance(manifest.get(field), str)]
    for name in (*described.texts, *named):
        source = run / name
        if Path(name).name != name or not source.is_file():
            continue
        changed = _clean_file(source, out / name, clean)
        copied.append(name)
        field = f"{Path(name).stem}_sha256"
        if changed and field in manifest:
            manifest[field] = _hash_of(out / name, field)
    return copied


def _hashed(run: Path, out: Path, manifest: dict[str, Any], field: str, clean: Cleaner) -> Iterator[str]:
    """The texts that a field names by hash, each under the hash of what it is now."""
    for name, sha256 in dict(manifest.get(field) or {}).items():
        source = run / field / f"{sha256}.yaml"
        if not (is_sha256(sha256) and source.is_file()):
            continue
        try:
            original = untrusted.read_text(source, _LONGEST)
        except untrusted.UntrustedError as error:
            raise RedactError(error.of(f"The file {source}")) from None
        if hashlib.sha256(original.encode()).hexdigest() != sha256:
            raise RedactError(f"The file {source} was changed since the run was held: take it from a copy of the run.")
        text = _clean_yaml(source, original, clean)
        now = hashlib.sha256(text.encode()).hexdigest()
        (out / field).mkdir(exist_ok=True)
        (out / field / f"{now}.yaml").write_text(text, encoding="utf-8")
        manifest[field][name] = now
        yield f"{field}/{sha256}.yaml"


def _clean_yaml(source: Path, text: str, clean: Cleaner) -> str:
    """Values cleaned one by one: a placeholder in the middle of YAML could mean something there."""
    import yaml

    try:
        values = untrusted.yaml_of(text)
    except untrusted.UntrustedError as error:
        raise RedactError(error.of(f"The file {source}")) from None
    cleaned = clean.value(values)
    if cleaned == values and clean.text(text) == text:
        return text
    return str(yaml.safe_dump(cleaned, allow_unicode=True, sort_keys=False))


def _clean_file(source: Path, target: Path, clean: Cleaner) -> bool:
    """Whether anything was taken out; a file that is clean is copied to the byte."""
    kind = source.suffix.lower()
    if kind == ".parquet":
        changed = _clean_parquet(source, target, clean)
    elif kind in (".yaml", ".yml"):
        text = source.read_text(encoding="utf-8")
        cleaned = _clean_yaml(source, text, clean)
        target.write_text(cleaned, encoding="utf-8")
        changed = cleaned != text
    else:
        changed = False
        with source.open(encoding="utf-8", newline="") as file, target.open("w", encoding="utf-8", newline="") as into:
            for piece in [file.read()] if kind == ".json" else file:
                cleaned = _clean_json(piece, clean) if kind in (".json", ".jsonl") else clean.text(piece)
                changed |= cleaned != piece
                into.write(cleaned)
    if not changed:
        shutil.copyfile(source, target)
    return changed


def _clean_json(text: str, clean: Cleaner) -> str:
    try:
        entry = parse_json(text)
    except JsonError:
        return clean.text(text)
    cleaned = _entry(entry, clean)
    return text if cleaned == entry else json.dumps(cleaned, ensure_ascii=False) + ("\n" if text.endswith("\n") else "")


def _entry(entry: Any, clean: Cleaner) -> Any:
    """An entry of data; of an answer cut into statements, the cuts move with the text."""
    if not isinstance(entry, dict) or not _has_cuts(entry):
        return clean.value(entry)
    cuts = [place for each in entry["statements"] for place in (each["start"], each["end"])]
    answer, moved = clean.with_places(entry["answer"], cuts)
    places = iter(moved)
    statements = [
        clean.value({name: value for name, value in each.items() if name not in ("text", "start", "end")})
        | {"start": (start := next(places)), "end": (end := next(places)), "text": answer[start:end]}
        for each in entry["statements"]
    ]
    rest = clean.value({name: value for name, value in entry.items() if name not in ("answer", "statements")})
    return rest | {"answer": answer, "statements": statements}


def _has_cuts(entry: Mapping[str, Any]) -> bool:
    statements = entry.get("statements")
    return (
        isinstance(entry.get("answer"), str)
        and isinstance(statements, list)
        and all(isinstance(each, dict) and isinstance(each.get("start"), int) for each in statements)
    )


def _clean_parquet(source: Path, target: Path, clean: Cleaner) -> bool:
    changed = False
    with open_parquet(source) as file, open_writer(target, file.columns) as writer:
        for row in file.rows():
            cleaned = _entry(row, clean)
            changed |= cleaned != row
            writer.write([cleaned])
    return changed


def _hash_of(path: Path, field: str) -> str:
    """The hash that a run records of a file of data."""
    if field == "answers_sha256":
        return _hash_lines(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash_lines(path: Path) -> str:
    digest = hashlib.sha256()
    for line in _lines(path):
        digest.update(json.dumps(json.loads(line), sort_keys=True).encode())
    return digest.hexdigest()


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if line.strip())


NOT_LOOKED_FOR = (
    "Names of people, e-mail addresses, telephone numbers and the like were not looked for: a model may have written "
    "some, and so may you in a concept or a data set. Read the copy, and name what is to go with --hide-text or --hide."
)

NAMES_STAY = (
    "Names of models, judges and concepts stay, and were not looked through for names of people: look at run.json, and "
    "name what is to go with --hide-text or --hide."
)
"""Said of a copy of figures alone."""

LEFT_OUT = {
    "bodies": "bodies of requests and responses as they were on the wire",
    "fence_secret": "the secret that fences were made with",
    "keys": "keys of calls, which could be used to try out what a hidden text was",
    "command": "the command line",
    "git": "the state of your git repository",
    "platform": "the machine's platform",
    "key_names": "names of the environment variables that hold keys",
    "files": "files of the folder that are no part of the run",
    "texts": "all texts, and the journal",
}
"""What is left out whole, by kind."""


@dataclass(frozen=True, slots=True)
class RedactPlan:
    """Of which run a copy is made, where, and what goes beside what always does."""

    run: Path
    out: Path
    patterns: tuple[str, ...] = ()
    """Regular expressions: what they match is hidden in every text."""
    texts: tuple[str, ...] = ()
    """Hidden in every text, in any case."""
    figures_only: bool = False
    """Leave out the journal and every text: only figures and where they come from."""

    def __post_init__(self) -> None:
        set_paths(self, "run", "out")


@dataclass(frozen=True, slots=True)
class Redacted:
    """What came of it."""

    out: Path
    hidden: Mapping[str, int]
    """How many places within texts, by kind (`run.redaction_texts.KINDS`)."""
    left_out: Mapping[str, int]
    """How many of what was left out whole, by kind (`LEFT_OUT`)."""
    other_files: tuple[str, ...]
    """Files of the run's folder that were not copied."""
    not_looked_for: str = NOT_LOOKED_FOR
    nothing_judged: Reason | None = None
    """Of a copy of figures alone without a judged turn: that, and which models it lacks the figures of."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return as_object(self)


_FILES = 5
"""Files that were not copied and are named."""


def redacted_document(done: Redacted) -> Document:
    """What was taken out by kind, what was not looked for, and where the copy is."""
    blocks: list[Block] = [_counts("hidden", "Taken out of texts", done.hidden, KINDS)]
    blocks.append(_counts("left-out", "Left out", done.left_out, LEFT_OUT))
    if done.other_files:
        more = f" and {len(done.other_files) - _FILES} more" if len(done.other_files) > _FILES else ""
        blocks.append(Text(f"Not copied: {', '.join(done.other_files[:_FILES])}{more}."))
    if done.nothing_judged is not None:
        blocks.append(Text(str(done.nothing_judged), "warn"))
    return document(*blocks, Text(done.not_looked_for), Text(f"The copy is in {done.out}."))


def _counts(id: str, title: str, counts: Mapping[str, int], kinds: Mapping[str, str]) -> Table:
    rows = tuple({"count": count(number), "kind": text(kinds[kind])} for kind, number in counts.items())
    return Table(id, (Column("count", "", numeric=True), Column("kind", "")), rows, title)
