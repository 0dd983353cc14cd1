"""Contrastive examples for a labelling prompt: a statement, the label it wrongly got, and the one it should have.

They live in a YAML file that people edit; `voirdire cognibench diagnose --draft` writes one (CogniBench 3.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from voirdire.data import untrusted
from voirdire.data.json_values import as_object
from voirdire.data.paths import why_unwritable
from voirdire.detectors.records import LABELS, DetectorError, Label
from voirdire.models.secrets import without_known_secrets

_MAX_BYTES = 1_000_000
"""A prompt holds a handful of examples; a larger file is something else."""
_NEEDED = ("reference", "claim", "wrong", "right")
_HEAD = """\
# Contrastive examples: each shows a statement, the label that a labeller wrongly gave it, and the right one.
# Edit the reasons, delete what is not typical. source_group says where an example comes from: what stands in a prompt
# is left out of scoring.
"""


@dataclass(frozen=True, slots=True)
class Contrast:
    """One statement and how it must not be labelled."""

    reference: str
    """The sentences of the context that matter."""
    claim: str
    wrong: Label
    right: Label
    reason: str = ""
    """Why it is right, in a sentence."""
    source_group: str = ""
    """The `Answer.group` it was taken from; empty when it was written by hand."""
    error: str = ""
    """Which recurring error it shows, by name."""


def used_groups(contrasts: Iterable[Contrast]) -> frozenset[str]:
    """The groups of answers that stand in the examples, and so can't be scored with them."""
    return frozenset(each.source_group for each in contrasts if each.source_group)


def read_contrasts(path: Path) -> tuple[Contrast, ...]:
    """Read a YAML file: a list of `reference, claim, wrong, right` and, optionally, `reason, source_group, error`.

    Raises:
        DetectorError: it can't be read, or an example is none; the example is named.
    """
    entries = _document(path)
    if not isinstance(entries, list) or not entries:
        raise DetectorError(f"{path} must hold a YAML list of examples, each with {', '.join(_NEEDED)}.")
    return tuple(_contrast(entry, f"{path}, example {number}") for number, entry in enumerate(entries, 1))


def write_contrasts(path: Path, contrasts: Sequence[Contrast]) -> None:
    """Write examples for people to edit, without known secrets; what is empty is left out, but for the reason.

    Raises:
        DetectorError: the file can't be written.
    """
    import yaml

    entries = [
        {name: value for name, value in as_object(each).items() if value or name == "reason"} for each in contrasts
    ]
    body = yaml.safe_dump(without_known_secrets(entries), sort_keys=False, allow_unicode=True, width=110)
    try:
        path.write_text(_HEAD + body, encoding="utf-8")
    except OSError as error:
        raise DetectorError(f"{path} can't be written: {why_unwritable(error, path)}.") from error


def _document(path: Path) -> Any:
    try:
        return untrusted.yaml_of(untrusted.read_text(path, _MAX_BYTES))
    except untrusted.UntrustedError as error:
        raise DetectorError(error.of(str(path))) from error


def _contrast(entry: object, where: str) -> Contrast:
    if not isinstance(entry, Mapping):
        raise DetectorError(f"{where} must be a mapping with {', '.join(_NEEDED)}.")
    known = [field.name for field in fields(Contrast)]
    unknown = [str(name) for name in entry if name not in known]
    if unknown:
        raise DetectorError(f"{where} has the unknown field {unknown[0]!r}; there are {', '.join(known)}.")
    texts = {name: _text(entry[name], name, where) for name in known if entry.get(name) is not None}
    lacking = [name for name in _NEEDED if not texts.get(name)]
    if lacking:
        raise DetectorError(f"{where} lacks {' and '.join(lacking)}.")
    wrong, right = (_label(texts[name], name, where) for name in ("wrong", "right"))
    if wrong == right:
        raise DetectorError(f"{where}: wrong and right are both {right!r}; a contrast needs two labels.")
    return Contrast(**(texts | {"wrong": wrong, "right": right}))  # type: ignore[arg-type]


def _text(value: object, name: str, where: str) -> str:
    """A number is taken as it stands: YAML reads `source_group: 17` as one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise DetectorError(f"{where}: {name} must be a text, but is {value!r}.")
    return str(value).strip()


def _label(text: str, name: str, where: str) -> Label:
    if text not in LABELS:
        raise DetectorError(f"{where}: {name} is {text!r}; the labels are {', '.join(LABELS)}.")
    return text
